"""The function that multiple kernel learning minimises, at any weights: for maps of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernellab.certificates import check_C
from kernellab.solvers.mkl import check_grams, check_p
from kernellab.solvers.mkl.newton import scale_to_norm
from kernellab.solvers.smo import smo
from kernellab.solving import RUNNING
from kernellab.validation import FloatArray, check_labels, check_numbers, check_vectors

MOST_PASSES = 2000


@dataclass(frozen=True)
class WeightedSVM:
    """The SVM without a bias of one weighted sum of kernels: weights η, (M,), and its α, (n,).

    q, (M,), is (α∘y)ᵀK_j(α∘y): ∇J = −q/2. Its dual objective is J(η), up to a relative gap.
    """

    weights: FloatArray
    alpha: FloatArray
    q: FloatArray
    value: float
    gap: float


def weighted_svm(
    Ks: Any, y: Any, C: Any, weights: Any, *, start: Any = None, gap: float = 1e-4
) -> WeightedSVM:
    """Return J(η) = max_α Σ α_i − ½ (α∘y)ᵀ(Σ η_j K_j)(α∘y), 0 ≤ α_i ≤ C, and where it is taken.

    Ks, y and C are as for `mkl_alternating`; weights η ≥ 0, shape (M,), of any norm; start is a
    first α, shape (n,); gap is the relative duality gap to reach. Danskin's theorem: where the
    maximum is taken at one α, the gradient of J is that of the function at this α,
    −½ (α∘y)ᵀK_j(α∘y). Taught in notebook 07. Raises ValueError for a bad argument.
    """
    Ks = check_grams(Ks)
    y = check_labels(y, Ks.shape[1])
    C = check_C(C, len(y))
    weights = check_numbers(weights, "weights", len(Ks))
    if weights.min() < 0:
        raise ValueError(f"weights must be at least 0, got smallest {weights.min():g}")
    return _solved(Ks, y, C, weights, start, gap)


def _solved(
    Ks: FloatArray, y: FloatArray, C: FloatArray, weights: FloatArray, start: Any, gap: float
) -> WeightedSVM:
    """Solve, with arguments that are checked."""
    K = np.tensordot(weights, Ks, axes=1)
    for state in smo(K, y, C, bias=False, start=start, gap=gap):
        if state.gap <= gap or state.status != RUNNING or state.passes >= MOST_PASSES:
            break
    coef = state.alpha * y
    q = Ks @ coef @ coef
    return WeightedSVM(weights, state.alpha.copy(), q, float(state.dual), float(state.gap))


def simplex_lattice(steps: int) -> FloatArray:
    """Return evenly spread weights of three kernels, shape ((s + 1)(s + 2)/2, 3), each row sum 1.

    Neighbours follow one another, so that the SVM of one is a good start for the next.
    """
    rows = []
    for i in range(steps + 1):
        columns = range(steps + 1 - i)
        for j in columns if i % 2 == 0 else reversed(columns):
            rows.append((steps - i - j, j, i))
    return np.array(rows, dtype=np.float64) / steps


def map_of_values(
    Ks: Any, y: Any, C: Any, directions: Any, *, p: float = 1.0, gap: float = 1e-3
) -> FloatArray:
    """Return J at the weights of norm ‖η‖_p = 1 in these directions, shape (k,).

    Ks, y and C are as for `weighted_svm`; directions ≥ 0, shape (k, M), none of them 0: only their
    proportions count; p ≥ 1; gap is that of each SVM, which starts from the solution of the one
    before. Taught in notebook 07. Raises ValueError for a bad argument.
    """
    Ks, p = check_grams(Ks), check_p(p)
    y = check_labels(y, Ks.shape[1])
    C = check_C(C, len(y))
    directions = check_vectors(directions, "directions")
    if directions.shape[1] != len(Ks) or directions.min() < 0 or not directions.any(axis=1).all():
        raise ValueError(f"directions must hold {len(Ks)} numbers ≥ 0 a row, not all of them 0")
    values, alpha = np.empty(len(directions)), None
    for k, direction in enumerate(directions):
        svm = _solved(Ks, y, C, scale_to_norm(direction, p), alpha, gap)
        values[k], alpha = svm.value, svm.alpha
    return values
