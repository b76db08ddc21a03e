"""Small problems of notebook 07 with a few kernels each: Gram matrices, labels, names."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from kernellab.datasets import load_digits, load_iris, make_rings
from kernellab.kernels import Gaussian, Kernel, OnColumns
from kernellab.kernels.bandwidth import median_bandwidth
from kernellab.solvers.mkl import normalize_kernels
from kernellab.validation import FloatArray

N = 60
SIGNAL = Gaussian(1.0)
WIDE_NOISE, NARROW_NOISE = 0.02, 30.0  # γ of a kernel that looks at noise only


class Kernels(NamedTuple):
    """Kernels on examples to train on, with examples to test on.

    Ks of shape (M, n, n), one trace for all; y of shape (n,); names, M of them; tests of shape
    (M, n_test, n) and y_test of shape (n_test,).
    """

    Ks: FloatArray
    y: FloatArray
    names: tuple[str, ...]
    tests: FloatArray
    y_test: FloatArray


def evaluated(
    kernels: list[Kernel], names: tuple[str, ...], X: FloatArray, y: FloatArray,
    X_test: FloatArray, y_test: FloatArray,
) -> Kernels:  # fmt: skip
    """Bring the kernels to one trace and evaluate them."""
    kernels = normalize_kernels(kernels, X)
    Ks = np.array([kernel(X) for kernel in kernels])
    return Kernels(Ks, y, names, np.array([kernel(X_test, X) for kernel in kernels]), y_test)


def noisy_rings(n: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Return two rings in the first two features, and two of pure noise, shape (n, 4)."""
    rings = make_rings(n, seed, noise=0.3)
    noise = np.random.default_rng(seed).normal(size=(n, 2))
    return np.hstack([rings.X, noise]), rings.y


def rings_with(kernels: list[Kernel], names: tuple[str, ...], seed: int = 3) -> Kernels:
    """Return kernels on 60 points of two rings with two noisy features; 400 to test."""
    return evaluated(kernels, names, *noisy_rings(N, seed), *noisy_rings(400, seed + 1))


def noise_kernel(gamma: float) -> Kernel:
    """Return a Gaussian kernel of the two features that are noise."""
    return OnColumns(Gaussian(gamma), (2, 3))


def signal_kernel(gamma: float = SIGNAL.gamma) -> Kernel:
    """Return a Gaussian kernel of the two features that are rings."""
    return OnColumns(Gaussian(gamma), (0, 1))


def three_widths() -> Kernels:
    """Return Gaussian kernels of three widths on the rings."""
    return rings_with([signal_kernel(g) for g in (0.1, 1, 10)], ("γ = 0.1", "γ = 1", "γ = 10"))


def two_noises() -> Kernels:
    """Return one kernel that sees the rings, and two that see noise, far and near."""
    kernels = [signal_kernel(), noise_kernel(WIDE_NOISE), noise_kernel(NARROW_NOISE)]
    return rings_with(kernels, ("signal", "wide noise", "narrow noise"))


def flowers() -> Kernels:
    """Return kernels of iris' sepals, petals, and lengths; half the flowers to train on."""
    data = load_iris(("versicolor", "virginica"))
    train = np.random.default_rng(0).permutation(len(data.y)) % 2 == 0
    parts = {"sepals": (0, 1), "petals": (2, 3), "both lengths": (0, 2)}
    kernels: list[Kernel] = [
        OnColumns(Gaussian(0.5 / median_bandwidth(data.X[train][:, columns]) ** 2), columns)
        for columns in map(list, parts.values())
    ]
    X, y = data.X, data.y
    return evaluated(kernels, tuple(parts), X[train], y[train], X[~train], y[~train])


def thirds_of_digits() -> Kernels:
    """Return kernels of the upper, middle and lower rows of 60 images, 3 against 8."""
    data = load_digits((3, 8))
    order = np.random.default_rng(0).permutation(len(data.y))
    X, y = data.X / 16, data.y
    train, test = order[:N], order[N:]
    parts = {"rows 1–3": range(24), "rows 4–5": range(24, 40), "rows 6–8": range(40, 64)}
    kernels: list[Kernel] = [
        OnColumns(Gaussian(0.5 / median_bandwidth(X[train][:, list(part)]) ** 2), tuple(part))
        for part in parts.values()
    ]
    return evaluated(kernels, tuple(parts), X[train], y[train], X[test], y[test])


def thrice() -> Kernels:
    """Return one kernel three times."""
    return rings_with([signal_kernel()] * 3, ("signal", "the same", "the same"))


WIDTHS, NOISES = "rings: three widths", "rings: signal and noise"
IRIS, SAME = "iris: parts of a flower", "one kernel, thrice"
THIRDS_OF_DIGITS = "digits: parts of an image"
MAKERS = {
    THIRDS_OF_DIGITS: thirds_of_digits, WIDTHS: three_widths, NOISES: two_noises, IRIS: flowers,
    SAME: thrice,
}  # fmt: skip


@cache
def kernels_of(name: str) -> Kernels:
    """Return one of the problems by its name."""
    return MAKERS[name]()


def accuracy_with_error(
    problem: Kernels, weights: FloatArray, coef: FloatArray, b: float = 0.0
) -> tuple[float, float]:
    """Return the accuracy on the test examples, and its standard error."""
    scores = np.tensordot(weights, problem.tests, axes=1) @ coef + b
    p = float(np.mean(problem.y_test * scores > 0))
    return p, float(np.sqrt(p * (1 - p) / len(problem.y_test)))
