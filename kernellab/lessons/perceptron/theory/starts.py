"""What a random start costs: a 3 and an 8 learnt from twenty images, in four ways."""

from __future__ import annotations

from itertools import islice

import numpy as np

from kernellab.datasets import load_digits
from kernellab.losses import hinge
from kernellab.solvers.descent import descend
from kernellab.solvers.perceptron import homogeneous
from kernellab.solvers.sdca import sdca
from kernellab.solving import solve
from kernellab.validation import FloatArray

N_TRAIN, LAM = 20, 0.001


def accuracies_of_starts(runs: int = 50) -> dict[str, FloatArray]:
    """Return the accuracy on the other images, shape (runs,), of each of four ways to learn w.

    Each run draws twenty images and a first w of its own, the same for all four ways.
    """
    digits = load_digits((3, 8))
    X, y = homogeneous(digits.X / 16), digits.y
    rates: dict[str, list[float]] = {}
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        train, rest = np.split(rng.permutation(len(y)), [N_TRAIN])
        start = rng.normal(0, 1.5, size=(X.shape[1],))
        for name, w in four_ways(X[train], y[train], start).items():
            rates.setdefault(name, []).append(float(np.mean(y[rest] * (X[rest] @ w) > 0)))
    return {name: np.array(values) for name, values in rates.items()}


def four_ways(X: FloatArray, y: FloatArray, start: FloatArray) -> dict[str, FloatArray]:
    """Return the weights that each way ends with."""
    return {
        "random start, no regulariser": descended(X, y, start, 1000, 0.0),
        "random start, λ = 0.001, 300 steps": descended(X, y, start, 300, LAM),
        "λ = 0.001, at its minimum": at_the_minimum(X, y),
        "from 0, no regulariser": descended(X, y, 0 * start, 1000, 0.0),
    }


def descended(
    X: FloatArray, y: FloatArray, start: FloatArray, steps: int, lam: float
) -> FloatArray:
    """Return w after so many steps downhill on the hinge risk, of length 0.1."""
    *_, last = islice(descend(X, y, hinge, lam=lam, step=0.1, start=start), steps + 1)
    return last.w


def at_the_minimum(X: FloatArray, y: FloatArray) -> FloatArray:
    """Return w at the minimum of the regularised hinge risk, certified to one in a million."""
    result = solve(sdca(X @ X.T, y, C=1 / (LAM * len(y))), gap=1e-6, max_passes=100_000)
    w: FloatArray = (result.alpha * y) @ X
    return w
