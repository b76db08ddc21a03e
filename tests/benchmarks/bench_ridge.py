"""100 λ with exact leave-one-out against 100 refits of scikit-learn's KernelRidge without it."""

from __future__ import annotations

import numpy as np
from measure import Times, interleaved_medians
from sklearn.kernel_ridge import KernelRidge

from kernellab.kernels import Gaussian
from kernellab.solvers.ridge import RidgePath, ridge_path

GAMMA = 0.2
LAMS = np.logspace(-4, 2, 100)


def with_leave_one_out(path: RidgePath) -> tuple[object, ...]:
    """Compute what a path computes on demand."""
    return path.coef, path.train_error, path.loo_error, path.degrees_of_freedom, path.condition


def compare(n: int, *, precomputed: bool) -> tuple[Times, Times]:
    """Return our and scikit-learn's times for the path, Gram matrix included or given."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 5))
    y = np.sin(X[:, 0]) + 0.1 * rng.normal(size=n)
    kernel = Gaussian(GAMMA)
    K = kernel(X)
    theirs = {"kernel": "precomputed"} if precomputed else {"kernel": "rbf", "gamma": GAMMA}
    ours, peer = interleaved_medians(
        lambda: with_leave_one_out(ridge_path(K if precomputed else kernel(X), y, LAMS)),
        lambda: [KernelRidge(alpha=lam, **theirs).fit(K if precomputed else X, y) for lam in LAMS],
    )
    return ours, peer
