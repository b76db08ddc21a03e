"""SMO against scikit-learn's SVC at equal relative duality gap.

scikit-learn's `tol` says nothing about the gap, so its tol is the largest on a grid, per problem,
that reaches the gap asked for; its gap is that of its α with the bias that suits them best. A
dash: it reaches the gap with none. As a script it measures memory.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from measure import Times, interleaved_medians
from sklearn import datasets
from sklearn.svm import SVC

from kernellab.certificates import relative_gap
from kernellab.estimators import KernelSVC
from kernellab.kernels import Gaussian
from kernellab.solvers.smo import smo
from kernellab.solvers.smo.rows import Gram, Rows, RowSource
from kernellab.solving import CONVERGED, Result, solve

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


def kernel_for(X: np.ndarray) -> Gaussian:
    """Return the Gaussian kernel of scikit-learn's gamma="scale"."""
    return Gaussian(1 / (X.shape[1] * X.var()))


def loosest_svc(gap: float, C: float, X: np.ndarray, y: np.ndarray, data: np.ndarray) -> tuple[SVC, float]:  # fmt: skip  # noqa: E501
    """Return the SVC of the largest tol that reaches the gap, else of the least; and its gap.

    `data` is X, or its Gram matrix.
    """
    kernel = kernel_for(X)
    options = {"kernel": "rbf", "gamma": kernel.gamma} if data is X else {"kernel": "precomputed"}
    for tol in TOLERANCES:
        svc = SVC(C=C, tol=tol, cache_size=400, max_iter=2_000_000, **options).fit(data, y)
        reached = gap_of(svc, kernel, X, y)
        if reached <= gap:
            break
    return svc, reached


def compare(gap: float, C: float, X: np.ndarray, y: np.ndarray, *, from_X: bool) -> tuple[str, Times | None]:  # fmt: skip  # noqa: E501
    """Return a line of the table and the ratio, None where either does not reach the gap.

    The Gram matrix is known to be a kernel's: neither solver looks whether it is one.
    """
    kernel = kernel_for(X)
    data = X if from_X else kernel(X)
    svc, their_gap = loosest_svc(gap, C, X, y, data)

    def ours() -> tuple[Result, RowSource]:
        rows = Rows(kernel, X) if from_X else Gram(data, known=True)
        return solve(smo(rows, y, C), gap=gap, max_passes=100_000), rows

    result, rows = ours()
    count = rows.n_evaluations // len(y) if from_X else len(y)
    line = f"{result.gap:>8.1e} {count:>5} {result.steps:>7} {result.status}"
    if their_gap > gap:
        (times,) = interleaved_medians(ours)
        return f"{1e3 * times.cpu:>9.2f} {'–':>9} {'–':>6} {'–':>8} {their_gap:>8.1e} {line}", None
    times, theirs = interleaved_medians(ours, lambda: svc.fit(data, y))
    ratio = times / theirs
    start = f"{1e3 * times.cpu:>9.2f} {1e3 * theirs.cpu:>9.2f} {ratio.cpu:>6.2f}"
    line = f"{start} {svc.tol:>8.0e} {their_gap:>8.1e} {line}"
    return line, ratio if result.converged else None


def compare_fits(gap: float, C: float, X: np.ndarray, y: np.ndarray, *, from_X: bool) -> tuple[str, Times | None]:  # fmt: skip  # noqa: E501
    """As `compare`, of estimators: data are checked, and a Gram matrix that is given is too."""
    kernel = kernel_for(X)
    data = X if from_X else kernel(X)
    svc, their_gap = loosest_svc(gap, C, X, y, data)
    ours = KernelSVC(kernel if from_X else "precomputed", C, gap=gap, max_passes=100_000)
    times, theirs = interleaved_medians(lambda: ours.fit(data, y), lambda: svc.fit(data, y))
    ratio = times / theirs
    line = f"{1e3 * times.cpu:>9.2f} {1e3 * theirs.cpu:>9.2f} {ratio.cpu:>6.2f} {ours.status_}"
    return line, ratio if ours.status_ == CONVERGED and their_gap <= gap else None


def memory() -> None:
    """Solve from X at n = 10 000 and print the megabytes this process took, all included."""
    for name in IN_THE_PLANE_AND_BEYOND:
        X, y = problem(name, 10_000)
        for C in COSTS:
            solve(smo(Rows(kernel_for(X), X), y, C))
    # Not getrusage: its largest size is also that of the process that started this one.
    kilobytes = re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    print(int(kilobytes[0]) / 1024)


def peak_memory() -> float:
    """Return the megabytes of `memory` in a process of its own."""
    command = [sys.executable, __file__]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    memory()
