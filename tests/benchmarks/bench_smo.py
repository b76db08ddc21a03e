"""SMO against scikit-learn's SVC at equal relative duality gap: tables of ratios of median times.

Run it as a script: ``python tests/benchmarks/bench_smo.py [largest n]``. The two are timed in turn
in one process with one thread; a ratio below 1 is in our favour. scikit-learn's `tol` says nothing
about the gap, so its tol is the largest on a grid, per problem, that reaches the gap asked for;
its gap is that of its α with the bias that suits them best. A dash: it reaches the gap with none.
"""

from __future__ import annotations

import subprocess
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
from kernellab.solving import Result, solve

COSTS = (1.0, 100.0)
TOLERANCES = 10.0 ** -np.arange(0.5, 8.1, 0.5)
IN_THE_PLANE_AND_BEYOND = ("moons", "circles", "digits")
ALL = (*IN_THE_PLANE_AND_BEYOND, "breast")


def problem(name: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return X and labels of n examples; digits beyond 1797 are repeated with noise."""
    rng = np.random.default_rng(0)
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
    return np.ascontiguousarray(X), np.where(y > 0, 1.0, -1.0)


def problems(sizes: tuple[int, ...], names: tuple[str, ...]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:  # fmt: skip  # noqa: E501
    """Yield name, X and y; breast cancer has 569 examples, which stand for 1000 and are not repeated."""  # noqa: E501
    for n in sizes:
        for name in names:
            if name != "breast" or n <= 1000:
                yield name, *problem(name, n)


def gap_of(svc: SVC, kernel: Gaussian, X: np.ndarray, y: np.ndarray) -> float:
    """Return the relative duality gap of its α, with the bias that makes the primal smallest."""
    scores = svc.dual_coef_[0] @ kernel(X[svc.support_], X)
    squared_norm = svc.dual_coef_[0] @ scores[svc.support_]
    # Σ max(0, 1 − y (f + b)) is convex and piecewise linear in b, with kinks at y − f: walk them
    # from below; at each the slope, −(number of +1) at first, rises by one.
    kinks = np.sort(y - scores)
    b = kinks[np.count_nonzero(y > 0) - 1]
    primal = squared_norm / 2 + svc.C * np.maximum(0, 1 - y * (scores + b)).sum()
    return relative_gap(primal, np.abs(svc.dual_coef_).sum() - squared_norm / 2)


def interleaved_medians(*functions: Callable[[], object]) -> list[float]:
    """Return the median seconds of each function, called in turn so that all share the weather."""
    times: list[list[float]] = [[] for _ in functions]
    begin = perf_counter()
    while len(times[0]) < 5 or (len(times[0]) < 51 and perf_counter() - begin < 1.5):
        for function, measured in zip(functions, times, strict=True):
            start = perf_counter()
            function()
            measured.append(perf_counter() - start)
    return [median(measured) for measured in times]


def compare(gap: float, C: float, X: np.ndarray, y: np.ndarray, *, from_X: bool) -> tuple[str, float | None]:  # fmt: skip  # noqa: E501
    """Return a line of the table and the ratio, None where SVC does not reach the gap."""
    kernel = Gaussian(1 / (X.shape[1] * X.var()))
    data = X if from_X else kernel(X)
    options = {"kernel": "rbf", "gamma": kernel.gamma} if from_X else {"kernel": "precomputed"}
    for tol in TOLERANCES:
        svc = SVC(C=C, tol=tol, cache_size=400, max_iter=2_000_000, **options).fit(data, y)
        their_gap = gap_of(svc, kernel, X, y)
        if their_gap <= gap:
            break

    def ours() -> tuple[Result, Rows | np.ndarray]:
        rows = Rows(kernel, X) if from_X else data
        return solve(smo(rows, y, C, gap=gap), gap=gap, max_passes=100_000), rows

    result, rows = ours()
    count = rows.n_evaluations // len(y) if from_X else len(y)
    line = f"{result.gap:>8.1e} {count:>5} {result.steps:>7} {result.status}"
    if their_gap > gap:
        (seconds,) = interleaved_medians(ours)
        return f"{1e3 * seconds:>9.2f} {'–':>9} {'–':>6} {'–':>8} {their_gap:>8.1e} {line}", None
    seconds, theirs = interleaved_medians(ours, lambda: svc.fit(data, y))
    ratio = seconds / theirs
    times = f"{1e3 * seconds:>9.2f} {1e3 * theirs:>9.2f} {ratio:>6.2f}"
    return f"{times} {tol:>8.0e} {their_gap:>8.1e} {line}", ratio


def table(gap: float, sizes: tuple[int, ...], names: tuple[str, ...], *, from_X: bool) -> None:
    """Print a line a problem, and the geometric mean of the ratios."""
    print(f"\n{'From X, rows on demand' if from_X else 'Gram matrix given'}, relative gap {gap:g}")
    print(
        f"{'n':>6} {'data':>8} {'C':>4} {'ours ms':>9} {'SVC ms':>9} {'ratio':>6} {'its tol':>8} "
        f"{'its gap':>8} {'our gap':>8} {'rows':>5} {'steps':>7}"
    )
    ratios = []
    for name, X, y in problems(sizes, names):
        for C in COSTS:
            line, ratio = compare(gap, C, X, y, from_X=from_X)
            print(f"{len(y):>6} {name:>8} {C:>4g} {line}", flush=True)
            ratios += [] if ratio is None else [ratio]
    print(
        f"geometric mean {geometric_mean(ratios):.3f}, from {min(ratios):.2f} to {max(ratios):.2f}"
    )


def memory() -> None:
    """Solve from X at n = 10 000 and print the resident size of this process, all included."""
    for name in IN_THE_PLANE_AND_BEYOND:
        X, y = problem(name, 10_000)
        for C in COSTS:
            solve(smo(Rows(Gaussian(1 / (X.shape[1] * X.var())), X), y, C))
    print(f"largest resident size {getrusage(RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at n = 10000")


def main() -> None:
    """Print the tables."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    sizes = tuple(n for n in (200, 1000, 2000, 5000, 10_000) if n <= most)
    warnings.simplefilter("ignore", ConvergenceWarning)
    print(f"Numba in use: {USING_NUMBA}; one thread; medians")
    with threadpool_limits(limits=1):
        table(1e-3, tuple(n for n in sizes if n <= 5000), ALL, from_X=False)
        table(1e-6, tuple(n for n in sizes if n <= 5000), ALL, from_X=False)
        table(1e-3, tuple(n for n in sizes if n >= 1000), IN_THE_PLANE_AND_BEYOND, from_X=True)
    subprocess.run([sys.executable, __file__, "memory"], check=True)


if __name__ == "__main__":
    memory() if sys.argv[1:] == ["memory"] else main()
