"""A frame of a live figure against scikit-learn: Gram matrix, solve, and the score on a grid.

200 points of the plane, to a gap of 1e-3, and the scores of 150 × 150 more. scikit-learn's `tol` is
the largest that reaches the gap.
"""

from __future__ import annotations

import numpy as np
from bench_smo import kernel_for, loosest_svc, problem
from measure import Times, interleaved_medians
from sklearn.base import clone

from kernellab.kernels import score_field
from kernellab.solvers.smo import smo
from kernellab.solving import solve

N, GRID, GAP = 200, 150, 1e-3
NAMES = ("moons", "circles")


def compare(name: str, C: float) -> tuple[Times, Times]:
    """Return our and scikit-learn's times for a frame."""
    X, y = problem(name, N)
    kernel = kernel_for(X)
    x1, x2 = (np.linspace(x.min() - 0.5, x.max() + 0.5, GRID) for x in X.T)
    grid = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    svc, _ = loosest_svc(GAP, C, X, y, X)

    def ours() -> np.ndarray:
        result = solve(smo(kernel(X), y, C, gap=GAP), gap=GAP)
        return score_field(kernel, X, result.alpha * y, x1, x2) + result.b

    def theirs() -> np.ndarray:
        return clone(svc).fit(X, y).decision_function(grid).reshape(GRID, GRID)

    assert np.abs(ours() - theirs()).max() < 0.5, "these are not the same function"
    times, peer = interleaved_medians(ours, theirs)
    return times, peer
