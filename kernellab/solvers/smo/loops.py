"""What `smo` does with all examples at once, on signed weights β and residuals r: see `passes`.

What a step does is said twice: as a loop of which a processor does several rounds at a time (it
needs a choice of two numbers in place of branches, no running maximum of floats, and no index but
the loop's own), and in NumPy, for a Python without Numba. A test holds the two to the same results.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kernellab.compiled import compiled, compiled_or
from kernellab.solvers.smo.rows import Indices
from kernellab.validation import FloatArray

Vector = FloatArray

SIGN = np.int64(63)
FLIP = np.int64(2**63 - 1)
SMALLEST = np.int64(-(2**63))
NEAR = 1e-6  # a margin further above 1 is above it for sure
EPSILON = float(np.finfo(np.float64).eps)


class Arrays(NamedTuple):
    """What a pass works on, n examples.

    Attributes
    ----------
    K : array of shape (slots, n)
        Row i of the Gram matrix is K[slot[i]]; slot[i] < 0 where it has to be fetched first.
    slot, diagonal : arrays of shape (n,). See K, and K_ii.
    beta, residual : arrays of shape (n,)
        β_i = α_i y_i and r_i = y_i − Σ_j K_ij β_j; they change in place.
    lower, upper : arrays of shape (n,)
        Bounds of β: 0 and C_i where y_i = +1, −C_i and 0 where y_i = −1.
    flat : float. A curvature below it counts as it.
    """

    K: FloatArray
    slot: Indices
    diagonal: Vector
    beta: Vector
    residual: Vector
    lower: Vector
    upper: Vector
    flat: float


# --- in NumPy -------------------------------------------------------------------------------------


def _largest(values: Vector) -> int:
    return int(values.argmax())


def _absolute_gap(p: Arrays, b: float) -> float:
    r = p.residual - b
    return float(np.maximum(p.upper * r, p.lower * r).sum() - p.beta @ r)


def _split(p: Arrays, r_up: Vector, r_low: Vector) -> None:
    r_up[:] = np.where(p.beta < p.upper, p.residual, -np.inf)
    r_low[:] = np.where(p.beta > p.lower, p.residual, np.inf)


def _join(p: Arrays, r_up: Vector, r_low: Vector) -> None:
    p.residual[:] = np.where(r_up > -np.inf, r_up, r_low)


def _pair_gains(p: Arrays, i: int, r_i: float, K_i: Vector, r_low: Vector, gain: Vector) -> None:
    slope = np.maximum(r_i - r_low, 0.0)  # fmax below: a NaN in K must not pass for "no gain"
    gain[:] = slope**2 / np.fmax(p.diagonal[i] + p.diagonal - 2.0 * K_i, p.flat)


def _exchange(t: float, K_i: Vector, K_j: Vector, r_up: Vector, r_low: Vector) -> None:
    change = t * (K_i - K_j)
    r_up -= change
    r_low -= change


def _single_gains(p: Arrays, gain: Vector) -> None:
    curvature = np.maximum(p.diagonal, p.flat)
    t = np.clip(p.beta + p.residual / curvature, p.lower, p.upper) - p.beta
    gain[:] = t * (p.residual - 0.5 * t * curvature)


def _joint_gains(p: Arrays, i: int, K_i: Vector, gain: Vector) -> None:
    K_ii = max(p.diagonal[i], p.flat)
    curvature = np.maximum(p.diagonal, p.flat)
    determinant = np.maximum(K_ii * curvature - K_i**2, 1e-10 * K_ii * curvature)
    s = (p.residual[i] * curvature - p.residual * K_i) / determinant
    s = np.clip(s, p.lower[i] - p.beta[i], p.upper[i] - p.beta[i])
    r = p.residual - s * K_i
    t = np.clip(p.beta + r / curvature, p.lower, p.upper) - p.beta
    gain[:] = s * (p.residual[i] - 0.5 * s * K_ii) + t * (r - 0.5 * t * curvature)


def _move_pair(p: Arrays, s: float, t: float, K_i: Vector, K_j: Vector) -> None:
    p.residual[:] -= s * K_i + t * K_j


# --- in loops -------------------------------------------------------------------------------------


@compiled_or(_largest)
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


@compiled_or(_absolute_gap)
def absolute_gap(p: Arrays, b: float) -> float:
    """P − D, a sum of one term ≥ 0 an example: C_i max(0, 1 − y_i f_i) − β_i (r_i − b)."""
    beta, residual, lower, upper = p.beta, p.residual, p.lower, p.upper
    gap = 0.0
    for k in range(len(beta)):
        r = residual[k] - b
        gap += max(upper[k] * r, lower[k] * r) - beta[k] * r
    return gap


@compiled
def objectives(p: Arrays, y: Vector, bias: bool) -> tuple[float, float, float, float]:
    """The bias, the dual, the primal, and how much rounding may hide between them.

    D = Σ y_i β_i − ½ βᵀKβ with (Kβ)_i = y_i − r_i. A margin is a sum of terms as large as the
    largest score, so it is known to a few ε of that, and costs C_i times as much unless it is
    clearly above 1: that matters where α is tiny beside C.
    """
    beta, residual, lower, upper = p.beta, p.residual, p.lower, p.upper
    highest, lowest = interval(p)
    b = (highest + lowest) / 2 if bias else 0.0
    dual = costs = 0.0
    largest_score = 1.0
    for k in range(len(y)):
        dual += 0.5 * beta[k] * (y[k] + residual[k])
        r = residual[k] - b
        if abs(r) < NEAR or max(upper[k] * r, lower[k] * r) > 0.0:
            costs += upper[k] - lower[k]
        largest_score = max(largest_score, abs(y[k] - residual[k]))
    return b, dual, dual + absolute_gap(p, b), 2.0 * EPSILON * costs * largest_score


@compiled
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


@compiled_or(_split)
def split(p: Arrays, r_up: Vector, r_low: Vector) -> None:
    """I_up and I_low: the residuals of those that may rise, else −∞, and that may fall, else +∞.

    Every example is in one of them or in both, so together they hold all residuals, and a step
    needs neither β nor its bounds for the others.
    """
    beta, residual, lower, upper = p.beta, p.residual, p.lower, p.upper
    for k in range(len(beta)):
        r_up[k] = residual[k] if beta[k] < upper[k] else -np.inf
        r_low[k] = residual[k] if beta[k] > lower[k] else np.inf


@compiled_or(_join)
def join(p: Arrays, r_up: Vector, r_low: Vector) -> None:
    """The residuals again."""
    residual = p.residual
    for k in range(len(residual)):
        residual[k] = r_up[k] if r_up[k] > -np.inf else r_low[k]


@compiled_or(_pair_gains)
def pair_gains(p: Arrays, i: int, r_i: float, K_i: Vector, r_low: Vector, gain: Vector) -> None:
    """Twice what the dual gains if β_i rises and β_k of I_low falls, no box in the way."""
    diagonal = p.diagonal
    K_ii, flat = diagonal[i], p.flat
    for k in range(len(gain)):
        slope = r_i - r_low[k]
        slope = slope if slope > 0.0 else 0.0
        curvature = K_ii + diagonal[k] - 2.0 * K_i[k]
        curvature = curvature if curvature > flat else flat
        gain[k] = slope * slope / curvature


@compiled_or(_exchange)
def exchange(t: float, K_i: Vector, K_j: Vector, r_up: Vector, r_low: Vector) -> None:
    """The residuals once β_i has risen by t and β_j has fallen by t."""
    for k in range(len(r_up)):
        change = t * (K_i[k] - K_j[k])
        r_up[k] -= change
        r_low[k] -= change


@compiled_or(_single_gains)
def single_gains(p: Arrays, gain: Vector) -> None:
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


@compiled_or(_joint_gains)
def joint_gains(p: Arrays, i: int, K_i: Vector, gain: Vector) -> None:
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


@compiled_or(_move_pair)
def move_pair(p: Arrays, s: float, t: float, K_i: Vector, K_j: Vector) -> None:
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
