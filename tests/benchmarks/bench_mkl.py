"""Multiple kernel learning: how many SVMs it takes to a gap.

Ten kernels of unit trace on 1000 examples: Gaussians of ten widths, or two widths on each of five
groups of features.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, make_circles, make_moons
from sklearn.preprocessing import StandardScaler

from kernellab.kernels import Gaussian
from kernellab.solvers.mkl import mkl
from kernellab.solving import NotConverged, solve

N = 1000
GAP = 1e-3
CAP = 60
COSTS = (0.1, 1.0, 100.0)


def data(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return standardised features and labels ±1; points of the plane get eight of noise."""
    if name == "moons":
        X, y = make_moons(N, noise=0.25, random_state=0)
    elif name == "circles":
        X, y = make_circles(N, noise=0.15, factor=0.6, random_state=0)
    elif name == "digits":
        X, y = load_digits(return_X_y=True)
    else:
        X, y = load_breast_cancer(return_X_y=True)
    X, y = X[:N], y[:N]
    if X.shape[1] == 2:
        X = np.hstack([X, np.random.default_rng(0).normal(size=(len(X), 8))])
    return StandardScaler().fit_transform(X), np.where(y % 2, 1.0, -1.0)


def grams(X: np.ndarray, kind: str) -> np.ndarray:
    """Return ten Gram matrices; Gaussians have unit trace already."""
    d = X.shape[1]
    if kind == "widths":
        return np.array([Gaussian(g / d)(X) for g in np.geomspace(0.01, 100, 10)])
    groups = np.array_split(np.arange(d), 5)
    return np.array([Gaussian(g / len(group))(X[:, group]) for group in groups for g in (0.3, 3)])


def problems() -> Iterator[tuple[str, str, np.ndarray, np.ndarray]]:
    """Yield names of data and kernels, the Gram matrices and the labels."""
    for name in ("moons", "circles", "digits", "breast"):
        X, y = data(name)
        for kind in ("widths", "groups"):
            yield name, kind, grams(X, kind), y


def learn(Ks: np.ndarray, y: np.ndarray, C: float, *, p: float, bias: bool) -> Any:
    """Solve to the gap or to the cap; `passes` is the number of SVMs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConverged)
        return solve(mkl(Ks, y, C, p=p, bias=bias), gap=GAP, max_passes=CAP)
