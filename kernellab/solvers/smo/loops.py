"""The loops over all examples in `smo`: each is such that a processor does several at a time.

That needs a choice of two numbers in place of branches, no running maximum of floats, and no index
but the loop's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numpy as np

from kernellab.compiled import USING_NUMBA, compiled
from kernellab.solvers.smo import in_numpy as smo_numpy
from kernellab.solvers.smo.in_numpy import Arrays
from kernellab.validation import FloatArray

Vector = FloatArray

SIGN = np.int64(63)
FLIP = np.int64(2**63 - 1)
SMALLEST = np.int64(-(2**63))
NEAR = 1e-6  # a margin further above 1 is above it for sure
EPSILON = float(np.finfo(np.float64).eps)


P = ParamSpec("P")
R = TypeVar("R")


def compiled_or(in_numpy: Callable[P, R]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile the loop; or, where there is no Numba, take what says the same in NumPy."""

    def choose(loop: Callable[P, R]) -> Callable[P, R]:
        if USING_NUMBA:
            return compiled(loop)
        in_numpy.py_func = loop  # type: ignore[attr-defined]  # as `compiled` leaves it
        return in_numpy

    return choose


@compiled_or(smo_numpy.largest)
def largest(values: Vector) -> int:
    """Return where the largest value is.

    A processor finds the maximum of integers many at a time, of floats one by one. The bits of a
    float, read as an integer, sort as the float does once those of a negative one are flipped.
    """
    keys = values.view(np.int64)
    best = SMALLEST
    where = 0
    whole = len(keys) - len(keys) % 64
    for start in range(0, whole, 64):  # in blocks, so that only one is searched for the place
        block = keys[start : start + 64]
        top = SMALLEST
        for k in range(64):
            top = max(top, block[k] ^ ((block[k] >> SIGN) & FLIP))
        if top > best:
            best = top
            where = start
    for k in range(whole, len(keys)):
        top = keys[k] ^ ((keys[k] >> SIGN) & FLIP)
        if top > best:
            best = top
            where = k
    best = best ^ ((best >> SIGN) & FLIP)
    while keys[where] != best:
        where += 1
    return where


@compiled_or(smo_numpy.absolute_gap)
def absolute_gap(p: Arrays, b: float) -> float:
    """P − D, a sum of one term ≥ 0 an example: C_i max(0, 1 − y_i f_i) − β_i (r_i − b)."""
    beta, residual, lower, upper = p.beta, p.residual, p.lower, p.upper
    gap = 0.0
    for k in range(len(beta)):
        r = residual[k] - b
        gap += max(upper[k] * r, lower[k] * r) - beta[k] * r
    return gap


@compiled_or(smo_numpy.objectives)
def objectives(p: Arrays, y: Vector, b: float) -> tuple[float, float, float]:
    """The dual, the primal, and how much rounding may hide between them.

    D = Σ y_i β_i − ½ βᵀKβ with (Kβ)_i = y_i − r_i. A margin is a sum of terms as large as the
    largest score, so it is known to a few ε of that, and costs C_i times as much unless it is
    clearly above 1: that matters where α is tiny beside C.
    """
    beta, residual, lower, upper = p.beta, p.residual, p.lower, p.upper
    dual = costs = 0.0
    largest_score = 1.0
    for k in range(len(y)):
        dual += 0.5 * beta[k] * (y[k] + residual[k])
        r = residual[k] - b
        if abs(r) < NEAR or max(upper[k] * r, lower[k] * r) > 0.0:
            costs += upper[k] - lower[k]
        largest_score = max(largest_score, abs(y[k] - residual[k]))
    return dual, dual + absolute_gap(p, b), 2.0 * EPSILON * costs * largest_score


# --- with a bias ----------------------------------------------------------------------------------


@compiled_or(smo_numpy.split)
def split(p: Arrays, rise: Vector, fall: Vector) -> None:
    """I_up and I_low: the residuals of those that may rise, else −∞, and that may fall, else +∞.

    Every example is in one of them or in both, so together they hold all residuals, and a step
    needs neither β nor its bounds for the others.
    """
    beta, residual, lower, upper = p.beta, p.residual, p.lower, p.upper
    for k in range(len(beta)):
        rise[k] = residual[k] if beta[k] < upper[k] else -np.inf
        fall[k] = residual[k] if beta[k] > lower[k] else np.inf


@compiled_or(smo_numpy.join)
def join(p: Arrays, rise: Vector, fall: Vector) -> None:
    """The residuals again."""
    residual = p.residual
    for k in range(len(residual)):
        residual[k] = rise[k] if rise[k] > -np.inf else fall[k]


@compiled_or(smo_numpy.rank_partners)
def rank_partners(p: Arrays, i: int, r_i: float, K_i: Vector, fall: Vector, gain: Vector) -> None:
    """Twice what the dual gains if β_i rises and β_k of I_low falls, no box in the way."""
    diagonal = p.diagonal
    K_ii, flat = diagonal[i], p.flat
    for k in range(len(gain)):
        slope = r_i - fall[k]
        slope = slope if slope > 0.0 else 0.0
        curvature = K_ii + diagonal[k] - 2.0 * K_i[k]
        curvature = curvature if curvature > flat else flat
        gain[k] = slope * slope / curvature


@compiled_or(smo_numpy.exchange)
def exchange(t: float, K_i: Vector, K_j: Vector, rise: Vector, fall: Vector) -> None:
    """The residuals once β_i has risen by t and β_j has fallen by t."""
    for k in range(len(rise)):
        change = t * (K_i[k] - K_j[k])
        rise[k] -= change
        fall[k] -= change


@compiled_or(smo_numpy.interval)
def interval(p: Arrays) -> tuple[float, float]:
    """The largest residual in I_up and the smallest in I_low."""
    beta, residual, lower, upper = p.beta, p.residual, p.lower, p.upper
    highest, lowest = -np.inf, np.inf
    for k in range(len(beta)):
        if beta[k] < upper[k] and residual[k] > highest:
            highest = residual[k]
        if beta[k] > lower[k] and residual[k] < lowest:
            lowest = residual[k]
    return highest, lowest


# --- without a bias -------------------------------------------------------------------------------


@compiled_or(smo_numpy.rank_alone)
def rank_alone(p: Arrays, gain: Vector) -> None:
    """What the dual gains by the best step of β_k alone."""
    beta, residual, lower, upper, diagonal = p.beta, p.residual, p.lower, p.upper, p.diagonal
    flat = p.flat
    for k in range(len(gain)):
        curvature = diagonal[k] if diagonal[k] > flat else flat
        new = beta[k] + residual[k] / curvature
        new = new if new > lower[k] else lower[k]
        new = new if new < upper[k] else upper[k]
        t = new - beta[k]
        gain[k] = t * (residual[k] - 0.5 * t * curvature)


@compiled_or(smo_numpy.rank_companions)
def rank_companions(p: Arrays, i: int, K_i: Vector, gain: Vector) -> None:
    """What the dual gains if β_i and β_k move: the best β_i of the two, clipped, then β_k."""
    beta, residual, lower, upper, diagonal = p.beta, p.residual, p.lower, p.upper, p.diagonal
    flat = p.flat
    r_i, low, high = residual[i], lower[i] - beta[i], upper[i] - beta[i]
    K_ii = diagonal[i] if diagonal[i] > flat else flat
    for k in range(len(gain)):
        curvature = diagonal[k] if diagonal[k] > flat else flat
        determinant = K_ii * curvature - K_i[k] * K_i[k]
        floor = 1e-10 * K_ii * curvature
        determinant = determinant if determinant > floor else floor
        s = (r_i * curvature - residual[k] * K_i[k]) / determinant
        s = s if s > low else low
        s = s if s < high else high
        r = residual[k] - s * K_i[k]
        new = beta[k] + r / curvature
        new = new if new > lower[k] else lower[k]
        new = new if new < upper[k] else upper[k]
        t = new - beta[k]
        gain[k] = s * (r_i - 0.5 * s * K_ii) + t * (r - 0.5 * t * curvature)


@compiled_or(smo_numpy.move_two)
def move_two(p: Arrays, s: float, t: float, K_i: Vector, K_j: Vector) -> None:
    """The residuals once β_i has moved by s and β_j by t."""
    residual = p.residual
    for k in range(len(residual)):
        residual[k] -= s * K_i[k] + t * K_j[k]


@compiled
def clip(value: float, low: float, high: float) -> float:
    """The number between low and high nearest to the value."""
    return min(max(value, low), high)


@compiled
def best_pair(p: Arrays, i: int, j: int, K_ij: float) -> tuple[float, float, float]:
    """The steps s of β_i and t of β_j that the dual gains most by, and what it gains.

    A concave function of two variables in a box: its top, or the best point of the four edges.
    """
    r_i, r_j = p.residual[i], p.residual[j]
    K_ii, K_jj = max(p.diagonal[i], p.flat), max(p.diagonal[j], p.flat)
    low_i, high_i = p.lower[i] - p.beta[i], p.upper[i] - p.beta[i]
    low_j, high_j = p.lower[j] - p.beta[j], p.upper[j] - p.beta[j]
    determinant = K_ii * K_jj - K_ij * K_ij
    if determinant > 1e-12 * K_ii * K_jj:
        s = (r_i * K_jj - r_j * K_ij) / determinant
        t = (r_j * K_ii - r_i * K_ij) / determinant
        if low_i <= s <= high_i and low_j <= t <= high_j:
            return s, t, (r_i * s + r_j * t) / 2
    best_s = best_t = best = 0.0
    for edge in range(4):
        if edge < 2:
            s = low_i if edge == 0 else high_i
            t = clip((r_j - s * K_ij) / K_jj, low_j, high_j)
        else:
            t = low_j if edge == 2 else high_j
            s = clip((r_i - t * K_ij) / K_ii, low_i, high_i)
        gain = s * (r_i - s * K_ii / 2) + t * (r_j - t * K_jj / 2) - s * t * K_ij
        if gain > best:
            best_s, best_t, best = s, t, gain
    return best_s, best_t, best
