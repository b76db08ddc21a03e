"""100 λ with exact leave-one-out against 100 refits of scikit-learn's KernelRidge without it.

Run it as a script: ``python tests/benchmarks/bench_ridge.py``. The two are timed in turn in one
process, by the time of the processor; a ratio below 1 is in our favour.
"""

from __future__ import annotations

import numpy as np
from measure import HOW, Times, interleaved_medians
from sklearn.kernel_ridge import KernelRidge
from threadpoolctl import threadpool_limits

from kernellab.kernels import Gaussian
from kernellab.solvers.ridge import RidgePath, ridge_path

GAMMA = 0.2
LAMS = np.logspace(-4, 2, 100)
REACH, AIM = 0.1, 0.05


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


def main() -> None:
    """Print the table."""
    print(f"{len(LAMS)} λ; {HOW}; one thread; reach {REACH}, aim {AIM} at n = 500")
    print(f"{'n':>6} {'from':>6} {'ours ms':>9} {'sklearn ms':>11} {'ratio':>6}")
    with threadpool_limits(limits=1):
        for n in (200, 500, 1000):
            for precomputed in (True, False):
                ours, theirs = compare(n, precomputed=precomputed)
                print(
                    f"{n:>6} {'K' if precomputed else 'X':>6} {1e3 * ours.cpu:>9.1f} "
                    f"{1e3 * theirs.cpu:>11.1f} {(ours / theirs).cpu:>6.3f}"
                )


if __name__ == "__main__":
    main()
