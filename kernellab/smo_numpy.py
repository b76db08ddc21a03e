"""What `smo_loops` does, said in NumPy: for a Python without Numba, where loops take far longer.

See there what each is. A test holds the two to the same results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kernellab.validation import FloatArray

if TYPE_CHECKING:
    from kernellab.smo_loops import Arrays

Vector = FloatArray


def largest(values: Vector) -> int:
    """Return where the largest value is."""
    return int(values.argmax())


def absolute_gap(p: Arrays, b: float) -> float:
    """P − D."""
    r = p.residual - b
    return float(np.maximum(p.upper * r, p.lower * r).sum() - p.beta @ r)


def rank_to_rise(p: Arrays, rank: Vector) -> None:
    """I_up: the residual of those that may rise, −∞ for the others."""
    rank[:] = np.where(p.beta < p.upper, p.residual, -np.inf)


def rank_to_fall(p: Arrays, i: int, K_i: Vector, gain: Vector) -> None:
    """I_low: twice what the dual gains if β_i rises and β_k falls, no box in the way."""
    slope = np.where(p.beta > p.lower, np.maximum(p.residual[i] - p.residual, 0.0), 0.0)
    gain[:] = slope**2 / np.maximum(p.diagonal[i] + p.diagonal - 2.0 * K_i, p.flat)


def exchange(p: Arrays, t: float, K_i: Vector, K_j: Vector, rank: Vector) -> None:
    """The residuals once β_i has risen by t and β_j has fallen by t; and who may rise then."""
    p.residual[:] -= t * (K_i - K_j)
    rank_to_rise(p, rank)


def least_to_fall(p: Arrays) -> float:
    """The smallest residual in I_low."""
    return float(p.residual[p.beta > p.lower].min(initial=np.inf))


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
