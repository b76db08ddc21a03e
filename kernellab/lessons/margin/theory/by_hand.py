"""The hard-margin SVM as one solves it by hand: every active set, every equation, exact fractions.

For a handful of points. Nothing is rounded on the way, so that "on the margin" means on it, and an
answer of 1/8 is 1/8. `hard_margin.hard_margin` is the solver for more.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np

from kernellab.solvers.hard_margin import NOT_SEPARABLE
from kernellab.solving import CONVERGED
from kernellab.validation import FloatArray, check_labels, check_numbers, check_vectors

MOST_POINTS = 8
"""There are 2ⁿ active sets; beyond this it is no work for a hand."""

OPTIMAL = "optimal"
NO_SOLUTION = "its equations have no unique solution"

Fractions = list[Fraction]


class Candidate(NamedTuple):
    """One active set: the α that has its points on the margin and zero elsewhere, and the verdict.

    Attributes
    ----------
    active : tuple of int
        The points assumed to lie on the margin, counted from 0.
    alpha : array of shape (n,), or None
        The solution of its equations; None if they have no unique one.
    t : float or None
        The threshold that goes with it: f(x) = w·x − t.
    margins : array of shape (n,), or None
        y_i (w·x_i − t) of all points.
    verdict : str
        "optimal", or why it is rejected.
    """

    active: tuple[int, ...]
    alpha: FloatArray | None
    t: float | None
    margins: FloatArray | None
    verdict: str


class KKTRow(NamedTuple):
    """What the KKT conditions say of one point.

    Attributes
    ----------
    alpha, margin : float
        α_i ≥ 0 and y_i (w·x_i − t) ≥ 1.
    product : float
        α_i (y_i (w·x_i − t) − 1), which is 0 at the optimum: complementary slackness.
    role : str
        "support vector"; "on the margin, α = 0"; or "beyond the margin".
    """

    alpha: float
    margin: float
    product: float
    role: str


@dataclass(frozen=True)
class ByHand:
    """Every intermediate result of a hard-margin SVM solved by hand; n points in d dimensions.

    Parameters
    ----------
    K : array of shape (n, n)
        Gram matrix x_i·x_j.
    Q : array of shape (n, n)
        With the labels: y_i y_j x_i·x_j. The dual is Σ α_i − ½ αᵀQα, Σ α_i y_i = 0.
    E : array of shape (n, n − 1)
        Eliminates the last α: α = E a with a = (α_1, …, α_{n−1}), so that Σ α_i y_i = 0 holds.
    H, g : arrays of shape (n − 1, n − 1) and (n − 1,)
        The dual with it eliminated: g·a − ½ aᵀHa, H = EᵀQE, g = Eᵀ1.
    candidates : list of Candidate
        One an active set that has both labels, small ones first.
    status : str
        "converged", or "not separable": then all that follows is None.
    alpha : array of shape (n,)
        Dual variables; one solution of possibly many, the first candidate that is optimal.
    w : array of shape (d,)
        Weights Σ α_i y_i x_i.
    t : float
        Threshold, t = −b.
    half_margin : float
        1/‖w‖, geometric, in units of x; the band is twice as wide.
    objective : float
        ½‖w‖², which equals the dual.
    kkt : list of KKTRow
        One a point.
    """

    K: FloatArray
    Q: FloatArray
    E: FloatArray
    H: FloatArray
    g: FloatArray
    candidates: list[Candidate]
    status: str
    alpha: FloatArray | None = None
    w: FloatArray | None = None
    t: float | None = None
    half_margin: float | None = None
    objective: float | None = None
    kkt: list[KKTRow] | None = None

    def dual(self, a: Any) -> float:
        """The eliminated dual g·a − ½ aᵀHa at a = (α_1, …, α_{n−1})."""
        a = check_numbers(a, "a", len(self.g))
        return float(self.g @ a - a @ self.H @ a / 2)

    def gradient(self, a: Any) -> FloatArray:
        """Its gradient g − Ha, shape (n − 1,)."""
        gradient: FloatArray = self.g - self.H @ check_numbers(a, "a", len(self.g))
        return gradient


def hard_margin_by_hand(X: Any, y: Any) -> ByHand:
    """Solve min ½‖w‖² with y_i (w·x_i − t) ≥ 1 by trying every active set, in exact fractions.

    Parameters
    ----------
    X : array of shape (n, d)
        One point a row, at most `MOST_POINTS`.
    y : array of shape (n,)
        Labels −1 and +1.

    Returns
    -------
    ByHand
        Every step. Its floats are exact fractions rounded once, at the end.

    Raises
    ------
    ValueError
        For bad X or y, or too many points.

    Notes
    -----
    If the points of a set S, and only they, have α > 0, they lie on the margin:
    Σ_{j in S} Q_ij α_j − y_i t = 1 for i in S, and Σ α_j y_j = 0, as many equations as unknowns.
    The solution is the optimum if no α is negative and no point has a margin below 1; because the
    problem is convex one such S is enough, and if there is none, no plane separates the labels.
    Taught in notebook 02.
    """
    X = check_vectors(X)
    y = check_labels(y, len(X))
    n = len(y)
    if n > MOST_POINTS:
        raise ValueError(
            f"X must hold at most {MOST_POINTS} points, got {n}: that would be {2**n} active sets; "
            f"hard_margin(X, y) is for more"
        )
    points = [[Fraction(value) for value in row] for row in X.tolist()]
    labels = [int(label) for label in y]
    K = [[_dot(x, z) for z in points] for x in points]
    Q = [[labels[i] * labels[j] * K[i][j] for j in range(n)] for i in range(n)]

    sets = chain.from_iterable(combinations(range(n), size) for size in range(2, n + 1))
    tried = [_try(S, Q, labels) for S in sets if len({labels[i] for i in S}) == 2]

    E = np.vstack([np.eye(n - 1), -y[-1] * y[:-1]])
    Q_floats = _floats(Q)
    steps = ByHand(_floats(K), Q_floats, E, E.T @ Q_floats @ E, E.sum(axis=0),
                   [candidate for candidate, _, _ in tried], NOT_SEPARABLE)  # fmt: skip
    for candidate, alpha, t in tried:
        if candidate.verdict == OPTIMAL:
            return _with_solution(steps, points, labels, Q, alpha, t)
    return steps


def _try(
    S: tuple[int, ...], Q: list[Fractions], labels: list[int]
) -> tuple[Candidate, Fractions, Fraction]:
    """Solve the equations of one active set and judge the solution."""
    n = len(labels)
    equations = [[Q[i][j] for j in S] + [Fraction(-labels[i]), Fraction(1)] for i in S]
    equations.append([Fraction(labels[j]) for j in S] + [Fraction(0), Fraction(0)])
    solution = _solve(equations)
    if solution is None:
        return Candidate(S, None, None, None, NO_SOLUTION), [], Fraction(0)
    alpha, t = [Fraction(0)] * n, solution[-1]
    for i, value in zip(S, solution, strict=False):
        alpha[i] = value
    margins = _margins(Q, labels, alpha, t)
    verdict = OPTIMAL
    for i in range(n):
        if margins[i] < 1:
            verdict = f"point {i + 1} has a margin of {margins[i]} < 1"
    for i in range(n):
        if alpha[i] < 0:
            verdict = f"α_{i + 1} = {alpha[i]} < 0"
    return Candidate(S, _floats(alpha), float(t), _floats(margins), verdict), alpha, t


def _with_solution(
    steps: ByHand,
    points: list[Fractions],
    labels: list[int],
    Q: list[Fractions],
    alpha: Fractions,
    t: Fraction,
) -> ByHand:
    """The record completed with the optimum and its KKT table."""
    signed = [a * label for a, label in zip(alpha, labels, strict=True)]
    w = [_dot(signed, list(column)) for column in zip(*points, strict=True)]
    squared_norm = _dot(w, w)
    table = []
    for a, margin in zip(alpha, _margins(Q, labels, alpha, t), strict=True):
        role = "beyond the margin" if margin > 1 else "on the margin, α = 0"
        role = "support vector" if a > 0 else role
        table.append(KKTRow(float(a), float(margin), float(a * (margin - 1)), role))
    return ByHand(
        steps.K, steps.Q, steps.E, steps.H, steps.g, steps.candidates, CONVERGED,
        _floats(alpha), _floats(w), float(t), float(squared_norm) ** -0.5,
        float(squared_norm / 2), table,
    )  # fmt: skip


def _margins(Q: list[Fractions], labels: list[int], alpha: Fractions, t: Fraction) -> Fractions:
    return [_dot(row, alpha) - label * t for row, label in zip(Q, labels, strict=True)]


def _dot(a: Fractions, b: Fractions) -> Fraction:
    return sum((x * z for x, z in zip(a, b, strict=True)), Fraction(0))


def _floats(values: Any) -> FloatArray:
    return np.array(values, dtype=np.float64)


def _solve(equations: list[Fractions]) -> Fractions | None:
    """Solve m equations in m unknowns, right side last, by elimination; None if singular."""
    rows = [row[:] for row in equations]
    m = len(rows)
    for k in range(m):
        pivot = next((r for r in range(k, m) if rows[r][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for r in range(m):
            if r != k and rows[r][k] != 0:
                factor = rows[r][k]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[k], strict=True)]
    return [row[-1] for row in rows]
