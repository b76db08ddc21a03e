"""Linear support vector machines against scikit-learn's LinearSVC, at equal suboptimality.

Suboptimality is (P(w) − P*)/P* of the same objective without a bias, P* from dual coordinate
descent to a gap of 1e-5. LinearSVC gets the cheapest tolerance of a grid that reaches the target,
ours the fewest passes, both found beforehand; our times include the checks of X and y.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice, repeat
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from measure import Times, interleaved_medians
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from kernellab.solvers.linear import dual_coordinate_descent
from kernellab.solvers.pegasos import pegasos
from kernellab.solving import NotConverged, solve

TOLERANCES = (3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4)
MOST = 200
LAMS = (1e-3, 1e-4, 1e-5)


class Problem(NamedTuple):
    """One data set with one λ, its C and the least objective."""

    name: str
    X: Any
    y: np.ndarray
    lam: float
    C: float
    best: float

    def suboptimality(self, w: np.ndarray) -> float:
        losses = np.maximum(0.0, 1.0 - self.y * (self.X @ w))
        return float((self.lam / 2 * w @ w + losses.mean()) / self.best - 1.0)


def dense_data(n: int = 100_000, d: int = 100) -> tuple[np.ndarray, np.ndarray]:
    """Return Gaussian rows of about unit length, and the side of a plane they are on, noisily."""
    rng = np.random.default_rng(0)
    X, normal = rng.normal(size=(n, d)), rng.normal(size=d)
    noisy = X @ normal / np.linalg.norm(normal) + 0.5 * rng.normal(size=n)
    return X / np.sqrt(d), np.where(noisy > 0, 1.0, -1.0)


def sparse_data(n: int = 20_000, d: int = 50_000, words: int = 80) -> tuple[Any, np.ndarray]:
    """Return rows of unit length like texts: frequent words and rare ones, some of them telling."""
    rng = np.random.default_rng(0)
    columns = np.minimum(rng.zipf(1.3, size=n * words) - 1, d - 1)
    rows = np.repeat(np.arange(n), words)
    X = scipy.sparse.coo_array((np.ones(n * words), (rows, columns)), shape=(n, d)).tocsr()
    X.data = np.log1p(X.data)
    X.data /= np.repeat(np.sqrt(X.multiply(X).sum(axis=1)), np.diff(X.indptr))
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # for LinearSVC
    scores = X @ rng.normal(size=d)
    noisy = scores - np.median(scores) + 0.3 * scores.std() * rng.normal(size=n)
    return X, np.where(noisy > 0, 1.0, -1.0)


def binary_data(n: int = 32_561, d: int = 123, attributes: int = 14) -> tuple[Any, np.ndarray]:
    """Return rows like those of LIBSVM's a9a: one value of each attribute, one column a value."""
    rng = np.random.default_rng(0)
    cuts = [0, *np.sort(rng.choice(np.arange(1, d), attributes - 1, replace=False)), d]
    columns = np.empty((n, attributes), dtype=np.int32)
    for k in range(attributes):
        values = np.arange(cuts[k], cuts[k + 1])
        columns[:, k] = rng.choice(values, size=n, p=rng.dirichlet(np.full(len(values), 0.5)))
    starts = np.arange(0, columns.size + 1, attributes, dtype=np.int32)
    X = scipy.sparse.csr_array((np.ones(columns.size), columns.ravel(), starts), shape=(n, d))
    scores = X @ rng.normal(size=d)
    noisy = scores - np.quantile(scores, 0.76) + 0.5 * scores.std() * rng.normal(size=n)
    return X, np.where(noisy > 0, 1.0, -1.0)


def with_optimum(name: str, X: Any, y: np.ndarray, lam: float) -> Problem:
    """Solve it far more exactly than is asked for later."""
    C = 1 / (lam * len(y))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConverged)
        result = solve(dual_coordinate_descent(X, y, C), gap=1e-5, max_passes=300)
    return Problem(name, X, y, lam, C, (result.primal + result.dual) / 2 / (C * len(y)))


DATA = {
    "dense 100000 × 100": dense_data,
    "sparse 20000 × 50000": sparse_data,
    "binary 32561 × 123": binary_data,
}


def problems(kind: str, lams: Iterable[float]) -> list[Problem]:
    """Return a problem of each λ, on the data whose name begins so."""
    (name,) = (name for name in DATA if name.startswith(kind))
    X, y = DATA[name]()
    return [with_optimum(name, X, y, lam) for lam in lams]


def scikit_learn(p: Problem, tol: float) -> np.ndarray:
    """Return the weights of LinearSVC."""
    model = LinearSVC(loss="hinge", C=p.C, fit_intercept=False, tol=tol, max_iter=2000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(p.X, p.y).coef_[0]


def descent(p: Problem) -> Iterator[Any]:
    """Return the states of dual coordinate descent, a pass after the other."""
    return dual_coordinate_descent(p.X, p.y, p.C)


def averaged_pegasos(p: Problem) -> Iterator[Any]:
    """Return the states of Pegasos, a tenth of a pass after the other: it may not need a whole."""
    rng, n = np.random.default_rng(0), len(p.y)
    tenths = (part for _ in repeat(None) for part in np.array_split(rng.permutation(n), 10))
    return pegasos(p.X, p.y, p.lam, average="linear", orders=tenths)


def fewest(p: Problem, states: Any, target: float) -> int | None:
    """Return after how many states the target is reached, None if more than `MOST`."""
    for state in islice(states, MOST + 1):
        if p.suboptimality(state.w) <= target:
            return int(state.passes)
    return None


def quickest_tolerance(p: Problem, target: float) -> float:
    """Return the tolerance of LinearSVC that reaches the target in the least time."""
    enough = (tol for tol in TOLERANCES if p.suboptimality(scikit_learn(p, tol)) <= target)
    candidates = list(islice(enough, 3))  # a coarser tolerance is not always quicker
    if not candidates:
        raise RuntimeError(f"LinearSVC does not reach {target} on {p.name}")
    seconds = interleaved_medians(*(partial(scikit_learn, p, tol) for tol in candidates))
    return min(zip(seconds, candidates, strict=True))[1]


def compare(p: Problem, target: float, engine: Callable[[Problem], Iterator[Any]]) -> Times | None:
    """Return the ratio of our times to LinearSVC's; None where the target is not reached."""
    tol, count = quickest_tolerance(p, target), fewest(p, engine(p), target)
    if count is None:
        return None

    def ours() -> np.ndarray:
        return next(islice(engine(p), count, None)).w

    times, theirs = interleaved_medians(ours, partial(scikit_learn, p, tol))
    print(
        f"{p.name:>22} λ {p.lam:.0e}, {engine.__name__}, {count} states: {1e3 * times.cpu:.1f} ms, "
        f"LinearSVC (tol {tol:g}) {1e3 * theirs.cpu:.1f} ms, ratio {(times / theirs).cpu:.3f}"
    )
    return times / theirs
