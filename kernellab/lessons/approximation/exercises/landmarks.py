"""An exercise of notebook 07: landmarks, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng
from kernellab.exercises.exercise import Case, FunctionExercise
from kernellab.validation import FloatArray


def landmark_cases(rng: Rng) -> Iterator[Case]:
    """Two points, then a duplicate that must not be taken twice, then more."""
    yield {"K": np.array([[1.0, 0.0], [0.0, 4.0]]), "m": 1}
    yield {"K": np.array([[4.0, 4.0, 0.0], [4.0, 4.5, 0.0], [0.0, 0.0, 1.0]]), "m": 2}
    K = [[6, 4, -6, -6], [4, 7.25, -8, -6], [-6, -8, 13.5, 8], [-6, -6, 8, 9.75]]
    yield {"K": np.array(K), "m": 3}
    for n, m in 3 * ((3, 2), (4, 3), (6, 3), (8, 5)):
        x = rng.uniform(0, 4, (n, 2)).round(1)
        distance = ((x[:, None] - x) ** 2).sum(axis=2)
        scale = rng.uniform(0.8, 1.3, n)  # no ties
        yield {"K": np.exp(-distance / 2) * np.outer(scale, scale), "m": m}


def greedy(K: FloatArray, m: int) -> FloatArray:
    """Return the pivots of a Cholesky factorisation that takes the largest residual."""
    residual, chosen = K.copy(), []
    for _ in range(m):
        i = int(np.argmax(np.diag(residual)))
        chosen.append(i)
        residual = residual - np.outer(residual[i], residual[i]) / residual[i, i]
    return np.array(chosen, dtype=float)


def without_update(K: FloatArray, m: int) -> Any:
    """Return the largest diagonal entries of K itself."""
    return np.argsort(-np.diag(K), kind="stable")[:m]


def greedy_with(step: Callable[[FloatArray, int], FloatArray]) -> Any:
    """Return a greedy choice with another update."""

    def idea(K: FloatArray, m: int) -> Any:
        residual, chosen = K.copy(), []
        for _ in range(m):
            i = int(np.argmax(np.diag(residual)))
            chosen.append(i)
            residual = step(residual, i)
        return chosen

    return idea


def rows_of_k(K: FloatArray, m: int) -> Any:
    """Return a choice that always subtracts what a landmark alone would explain."""
    return greedy_with(lambda residual, i: residual - np.outer(K[i], K[i]) / K[i, i])(K, m)


def row_by_row(residual: FloatArray, i: int) -> FloatArray:
    """Return the residual after a loop that changes row i before it is done with it."""
    residual = residual.copy()
    for j in range(len(residual)):
        residual[j] -= residual[j, i] * residual[i] / residual[i, i]
    return residual


def explains_most(K: FloatArray, m: int) -> Any:
    """Return the landmarks that each take most away from the residual's trace."""
    residual, chosen = K.copy(), []
    for _ in range(m):
        left = np.diag(residual)
        gain = np.where(left > 1e-9, (residual**2).sum(axis=0) / np.maximum(left, 1e-9), 0)
        i = int(np.argmax(gain))
        chosen.append(i)
        residual = residual - np.outer(residual[i], residual[i]) / residual[i, i]
    return chosen


greedy_landmarks = FunctionExercise(
    "greedy_landmarks",
    "A small project: landmarks, one after the other. The residual is K − K̃, with K̃ what the "
    "landmarks so far explain. Given K (n, n) and m, return m indices in the order in which they "
    "are chosen: each time the point whose residual diagonal entry is largest.",
    [
        "At first nothing is explained: the residual is K. What does one landmark i explain?",
        "The rank-one matrix r_i r_iᵀ/r_ii, where r_i is row i of the residual.",
        "Subtract it: then row i of the residual is zero, and i is not chosen again.",
        "residual -= np.outer(residual[i], residual[i]) / residual[i, i], with i = "
        "np.argmax(np.diag(residual)), m times; work on a copy",
    ],
    "This is Cholesky with pivots. The version in Further draws i in proportion to the residual "
    "instead of taking the largest, and is less easily drawn to outliers.",
    cases=landmark_cases,
    solution=greedy,
    misconceptions=[
        ("the residual is not updated",
         "After each choice subtract what it explains, or the second landmark may sit on the "
         "first.", without_update),
        ("the row of K instead of the residual",
         "What the second landmark adds is its row of the residual, not of K.", rows_of_k),
        ("not divided by the pivot", "r_i r_iᵀ/r_ii: only so is row i zero afterwards.",
         greedy_with(lambda r, i: r - np.outer(r[i], r[i]))),
        ("its own row changes on the way",
         "In a loop over rows, row i becomes zero before the rows below have used it: copy it.",
         greedy_with(row_by_row)),
        ("divided by its square", "r_i r_iᵀ/r_ii, once: check that entry (i, i) becomes zero.",
         greedy_with(lambda r, i: r - np.outer(r[i], r[i]) / r[i, i] ** 2)),
        ("what explains most",
         "That is greedy too, and dearer: it looks at all columns. Asked for is the largest entry "
         "of the diagonal.", explains_most),
        ("in the order of their numbers", "Return them in the order in which they were chosen.",
         lambda K, m: np.sort(greedy(K, m))),
        ("the first m points",
         "That is a choice too, of the worst kind when neighbours stand together.",
         lambda K, m: np.arange(m)),
    ],
    shapes="residual[i] is a row (n,); np.outer of it with itself is (n, n).",
)  # fmt: skip
