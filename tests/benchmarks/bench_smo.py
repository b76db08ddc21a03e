"""SMO against scikit-learn's SVC at equal relative duality gap: tables of ratios of median times.

Run it as a script: ``python tests/benchmarks/bench_smo.py [largest n]``. The two are timed in turn
in one process with one thread; a ratio below 1 is in our favour. scikit-learn's `tol` says nothing
about the gap, so for each problem the largest tol is taken, on a grid, whose solution has the gap
asked for. The bias that is best for its α is used for its gap, not its own.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from resource import RUSAGE_SELF, getrusage
from statistics import geometric_mean, median
from time import perf_counter

import numpy as np
from sklearn import datasets
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from kernellab.certificates import relative_gap
from kernellab.compiled import USING_NUMBA
from kernellab.kernels import Gaussian
from kernellab.rows import Rows
from kernellab.smo import smo
from kernellab.solving import solve

SIZES = (200, 1000, 2000, 5000)
COSTS = (1.0, 100.0)
TOLERANCES = 10.0 ** -np.arange(0.5, 8.1, 0.5)


def problems(n: int, names: tuple[str, ...]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield name, X and labels of about n examples; digits beyond 1797 are repeated with noise."""
    rng = np.random.default_rng(0)
    for name in names:
        if name == "moons":
            X, y = datasets.make_moons(n, noise=0.2, random_state=0)
        elif name == "circles":
            X, y = datasets.make_circles(n, noise=0.1, factor=0.5, random_state=0)
        elif name == "digits":
            X, y = datasets.load_digits(return_X_y=True)
            rows = rng.permutation(len(X))[:n]
            rows = np.append(rows, rng.integers(0, len(X), n - len(rows)))
            noise = 0.1 * (np.arange(n) >= len(X))[:, np.newaxis]
            X, y = X[rows] / 16 + noise * rng.normal(size=(n, 64)), y[rows] % 2
        else:
            X, y = datasets.load_breast_cancer(return_X_y=True)
            rows = rng.permutation(len(X))[:n]
            X, y = ((X - X.mean(axis=0)) / X.std(axis=0))[rows], y[rows]
        yield name, np.ascontiguousarray(X), np.where(y > 0, 1.0, -1.0)


def gap_of_svc(svc: SVC, K: np.ndarray, y: np.ndarray) -> float:
    """Return the relative duality gap of its α, with the bias that makes the primal smallest."""
    scores = svc.dual_coef_[0] @ K[svc.support_]
    squared_norm = svc.dual_coef_[0] @ scores[svc.support_]
    # Σ max(0, 1 − y (f + b)) is piecewise linear in b: its minimum is at one of its kinks y − f.
    kinks = np.sort(y - scores)
    low, high = 0, len(y) - 1
    while low < high:
        middle = (low + high) // 2
        active = y * (y - scores - (kinks[middle] + kinks[middle + 1]) / 2) > 0
        low, high = (low, middle) if y[active].sum() <= 0 else (middle + 1, high)
    slack = np.maximum(0, y * (y - scores - kinks[low])).sum()
    primal = squared_norm / 2 + svc.C * slack
    return relative_gap(primal, np.abs(svc.dual_coef_).sum() - squared_norm / 2)


def interleaved_medians(*functions: Callable[[], object]) -> list[float]:
    """Return the median seconds of each function, called in turn so that all share the weather."""
    times: list[list[float]] = [[] for _ in functions]
    begin = perf_counter()
    while len(times[0]) < 5 or (len(times[0]) < 31 and perf_counter() - begin < 2):
        for function, measured in zip(functions, times, strict=True):
            start = perf_counter()
            function()
            measured.append(perf_counter() - start)
    return [median(measured) for measured in times]


def svc_at_gap(gap: float, C: float, K: np.ndarray, y: np.ndarray, **kernel: object) -> SVC | None:
    """Return the SVC of the largest tol with that gap, None if none has it."""
    X = kernel.pop("X", K)
    for tol in TOLERANCES:
        svc = SVC(C=C, tol=tol, cache_size=400, max_iter=5_000_000, **kernel).fit(X, y)
        if gap_of_svc(svc, K, y) <= gap:
            return svc
    return None


def table(title: str, gap: float, sizes: tuple[int, ...], names: tuple[str, ...], from_X: bool) -> None:
    """Print one line a problem and the geometric mean of the ratios."""
    print(f"\n{title}, relative gap {gap:g}")
    print(f"{'n':>6} {'data':>8} {'C':>4} {'ours ms':>9} {'SVC ms':>9} {'ratio':>6}"
          f" {'our gap':>8} {'its gap':>8} {'its tol':>8} {'rows':>6}")  # fmt: skip
    ratios = []
    for n in sizes:
        for name, X, y in problems(n, names):
            if len(X) < n and n != 1000:
                continue  # breast cancer has 569
            kernel = Gaussian(1 / (X.shape[1] * X.var()))
            K = kernel(X)
            for C in COSTS:
                options = {"X": X, "kernel": "rbf", "gamma": kernel.gamma} if from_X else {"kernel": "precomputed"}
                svc = svc_at_gap(gap, C, K, y, **options)
                data = X if from_X else K

                def ours(kernel=kernel, X=X, K=K, y=y, C=C):  # type: ignore[no-untyped-def]
                    rows = Rows(kernel, X) if from_X else K
                    return solve(smo(rows, y, C, gap=gap), gap=gap, max_passes=10_000), rows

                (result, rows) = ours()
                if svc is None:
                    seconds, theirs = interleaved_medians(ours)[0], float("nan")
                else:
                    seconds, theirs = interleaved_medians(ours, lambda svc=svc, data=data, y=y: svc.fit(data, y))
                    ratios.append(seconds / theirs)
                print(f"{len(y):>6} {name:>8} {C:>4g} {1e3 * seconds:>9.2f} {1e3 * theirs:>9.2f} {seconds / theirs:>6.2f}"
                      f" {result.gap:>8.1e} {gap_of_svc(svc, K, y) if svc else np.nan:>8.1e} {svc.tol if svc else np.nan:>8.0e}"
                      f" {rows.n_evaluations // len(y) if from_X else len(y):>6}", flush=True)  # fmt: skip
                if not result.converged:
                    print(f"       {result}")
            del K
    print(f"geometric mean {geometric_mean(ratios):.3f}, worst {max(ratios):.2f}")


def main() -> None:
    """Print the tables."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    sizes = tuple(n for n in SIZES if n <= most)
    warnings.simplefilter("ignore", ConvergenceWarning)
    print(f"Numba in use: {USING_NUMBA}; one thread; medians")
    everything = ("moons", "circles", "digits", "breast")
    with threadpool_limits(limits=1):
        table("Gram matrix given", 1e-3, sizes, everything, from_X=False)
        table("Gram matrix given", 1e-6, sizes[:2], everything, from_X=False)
        table("From X, rows on demand", 1e-3, sizes[1:], ("moons", "circles", "digits"), from_X=True)
    print(f"largest resident size {getrusage(RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
