"""What `loops` does, said in NumPy: for a Python without Numba, where loops take far longer.

See there what each is. A test holds the two to the same results.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kernellab.solvers.smo.rows import Indices
from kernellab.validation import FloatArray

Matrix = FloatArray
Vector = FloatArray


class Arrays(NamedTuple):
    """What a pass works on, n examples.

    Attributes
    ----------
    K : array of shape (slots, n)
        Row i of the Gram matrix is K[slot[i]]; slot[i] < 0 where it has to be fetched first.
    slot, diagonal : arrays of shape (n,)
        See K, and K_ii.
    beta, residual : arrays of shape (n,)
        β_i = α_i y_i and r_i = y_i − Σ_j K_ij β_j; they change in place.
    lower, upper : arrays of shape (n,)
        Bounds of β: 0 and C_i where y_i = +1, −C_i and 0 where y_i = −1.
    flat : float
        A curvature below it counts as it.
    """

    K: Matrix
    slot: Indices
    diagonal: Vector
    beta: Vector
    residual: Vector
    lower: Vector
    upper: Vector
    flat: float


def largest(values: Vector) -> int:
    """Return where the largest value is."""
    return int(values.argmax())


def absolute_gap(p: Arrays, b: float) -> float:
    """P − D."""
    r = p.residual - b
    return float(np.maximum(p.upper * r, p.lower * r).sum() - p.beta @ r)


def objectives(p: Arrays, y: Vector, b: float) -> tuple[float, float, float]:
    """The dual, the primal, and how much rounding may hide between them."""
    dual = float(p.beta @ (y + p.residual)) / 2
    r = p.residual - b
    costly = (np.abs(r) < 1e-6) | (np.maximum(p.upper * r, p.lower * r) > 0.0)
    costs = float((p.upper - p.lower)[costly].sum())
    largest_score = float(np.abs(y - p.residual).max(initial=1.0))
    rounding = 2.0 * np.finfo(np.float64).eps * costs * largest_score
    return dual, dual + absolute_gap(p, b), rounding


def split(p: Arrays, rise: Vector, fall: Vector) -> None:
    """I_up and I_low."""
    rise[:] = np.where(p.beta < p.upper, p.residual, -np.inf)
    fall[:] = np.where(p.beta > p.lower, p.residual, np.inf)


def join(p: Arrays, rise: Vector, fall: Vector) -> None:
    """The residuals again."""
    p.residual[:] = np.where(rise > -np.inf, rise, fall)


def rank_partners(p: Arrays, i: int, r_i: float, K_i: Vector, fall: Vector, gain: Vector) -> None:
    """Twice what the dual gains if β_i rises and β_k of I_low falls, no box in the way."""
    slope = np.maximum(r_i - fall, 0.0)  # fmax below: a NaN in K must not pass for "no gain"
    gain[:] = slope**2 / np.fmax(p.diagonal[i] + p.diagonal - 2.0 * K_i, p.flat)


def exchange(t: float, K_i: Vector, K_j: Vector, rise: Vector, fall: Vector) -> None:
    """The residuals once β_i has risen by t and β_j has fallen by t."""
    change = t * (K_i - K_j)
    rise -= change
    fall -= change


def interval(p: Arrays) -> tuple[float, float]:
    """The largest residual in I_up and the smallest in I_low."""
    highest = p.residual[p.beta < p.upper].max(initial=-np.inf)
    lowest = p.residual[p.beta > p.lower].min(initial=np.inf)
    return float(highest), float(lowest)


def rank_alone(p: Arrays, gain: Vector) -> None:
    """What the dual gains by the best step of β_k alone."""
    curvature = np.maximum(p.diagonal, p.flat)
    t = np.clip(p.beta + p.residual / curvature, p.lower, p.upper) - p.beta
    gain[:] = t * (p.residual - 0.5 * t * curvature)


def rank_companions(p: Arrays, i: int, K_i: Vector, gain: Vector) -> None:
    """What the dual gains if β_i and β_k move: the best β_i of the two, clipped, then β_k."""
    K_ii = max(p.diagonal[i], p.flat)
    curvature = np.maximum(p.diagonal, p.flat)
    determinant = np.maximum(K_ii * curvature - K_i**2, 1e-10 * K_ii * curvature)
    s = (p.residual[i] * curvature - p.residual * K_i) / determinant
    s = np.clip(s, p.lower[i] - p.beta[i], p.upper[i] - p.beta[i])
    r = p.residual - s * K_i
    t = np.clip(p.beta + r / curvature, p.lower, p.upper) - p.beta
    gain[:] = s * (p.residual[i] - 0.5 * s * K_ii) + t * (r - 0.5 * t * curvature)


def move_two(p: Arrays, s: float, t: float, K_i: Vector, K_j: Vector) -> None:
    """The residuals once β_i has moved by s and β_j by t."""
    p.residual[:] -= s * K_i + t * K_j
