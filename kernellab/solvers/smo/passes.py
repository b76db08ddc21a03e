"""The two inner passes of `smo`: with a bias, and without.

They work on signed weights β_i = α_i y_i and on residuals r_i = y_i − Σ_j K_ij β_j. So the labels
disappear from the loops: β_i lies between 0 and y_i C_i, the dual is Σ y_i β_i − ½ βᵀKβ, and r is
its gradient.
"""

from __future__ import annotations

import numpy as np

from kernellab.compiled import compiled
from kernellab.solvers.smo.in_numpy import Arrays
from kernellab.solvers.smo.loops import (
    absolute_gap,
    best_pair,
    clip,
    exchange,
    join,
    largest,
    move_two,
    rank_alone,
    rank_companions,
    rank_partners,
    split,
)
from kernellab.validation import FloatArray

Vector = FloatArray

FLAT = 1e-12
"""A curvature below this fraction of the largest K_ii counts as this: the step goes to a bound."""

ROUNDING = 1e-8
"""As such a fraction, how far K_ij may be from K_ji, or a curvature below zero, by rounding."""

# Why a pass ended.
OUT_OF_STEPS, SMALL_GAP, NOTHING_TO_GAIN, ROW_MISSING, NEGATIVE_CURVATURE, NOT_SYMMETRIC = range(6)

Outcome = tuple[int, int, int, int, float, float]


@compiled
def two_multiplier_step(
    beta: Vector, lower: Vector, upper: Vector, i: int, j: int, slope: float, curvature: float
) -> float:
    """Raise β_i and lower β_j by the same t, which keeps Σ β as it is: the step of SMO.

    On that line the dual is a parabola, slope · t − curvature · t²/2 with slope = r_i − r_j and
    curvature = K_ii + K_jj − 2 K_ij. Its top, or the nearer bound, is the best t, which is
    returned; r then changes by −t (K_i − K_j). Platt (1998). Taught in notebook 05.
    """
    room_i, room_j = upper[i] - beta[i], beta[j] - lower[j]
    t: float = min(slope / curvature, room_i, room_j)
    beta[i] = upper[i] if t == room_i else beta[i] + t  # on the bound, not next to it
    beta[j] = lower[j] if t == room_j else beta[j] - t
    return t


@compiled
def smo_pass(p: Arrays, dual: float, goal: float, first: int, steps: int) -> Outcome:
    """Steps of two with a bias, the pair chosen by second order: Fan, Chen and Lin (2005).

    It ends early if P − D ≤ goal · |D|, looked at now and then, or if a row of K is missing: call
    again with that row and `first` the step it was needed for. Returns why it ended, at which
    step, the last i and j (the row that is missing first), by how much β_i rose and β_j fell, and
    the dual.
    """
    beta, diagonal = p.beta, p.diagonal
    rise, fall, gain = np.empty(len(beta)), np.empty(len(beta)), np.empty(len(beta))
    split(p, rise, fall)
    pause = max(10, len(beta) // 20)  # looking at the gap costs half a step
    why, step, i, j, t = OUT_OF_STEPS, first, -1, -1, 0.0
    while step < steps:
        i = largest(rise)
        if step % pause == pause - 1:
            join(p, rise, fall)
            if absolute_gap(p, (rise[i] + fall.min()) / 2) <= goal * abs(dual):
                why = SMALL_GAP
                break
        if p.slot[i] < 0:
            why = ROW_MISSING
            break
        K_i = p.K[p.slot[i]]
        rank_partners(p, i, rise[i], K_i, fall, gain)
        j = largest(gain)
        if not gain[j] > 0.0:
            why = NOTHING_TO_GAIN
            break
        if p.slot[j] < 0:
            why, i, j = ROW_MISSING, j, i
            break
        K_j = p.K[p.slot[j]]

        slope, curvature = rise[i] - fall[j], diagonal[i] + diagonal[j] - 2 * K_i[j]
        why = suspicious(p, K_i[j], K_j[i], curvature)
        if why != OUT_OF_STEPS:
            break
        curvature = max(curvature, p.flat)
        t = two_multiplier_step(beta, p.lower, p.upper, i, j, slope, curvature)
        dual += t * (slope - t * curvature / 2)
        fall[i], rise[j] = rise[i], fall[j]  # β_i may fall again, β_j may rise
        exchange(t, K_i, K_j, rise, fall)
        if beta[i] == p.upper[i]:
            rise[i] = -np.inf
        if beta[j] == p.lower[j]:
            fall[j] = np.inf
        step += 1
    join(p, rise, fall)
    return why, step, i, j, t, dual


@compiled
def suspicious(p: Arrays, K_ij: float, K_ji: float, curvature: float) -> int:
    """Whether a pair shows that K is no Gram matrix: the reason to end, or OUT_OF_STEPS."""
    rounding = ROUNDING / FLAT * p.flat
    if not abs(K_ij - K_ji) <= rounding:  # also where one is NaN
        return NOT_SYMMETRIC
    return NEGATIVE_CURVATURE if curvature < -rounding else OUT_OF_STEPS


@compiled
def smo_pass_without_bias(p: Arrays, dual: float, goal: float, first: int, steps: int) -> Outcome:
    """Steps of two without a bias: the β_i that gains most alone, and its best companion.

    Like `smo_pass`, but that it returns by how much β_i rose only.
    """
    beta, diagonal = p.beta, p.diagonal
    gain = np.empty(len(beta))
    pause = max(10, len(beta) // 20)
    i = j = -1
    s = 0.0
    for step in range(first, steps):
        if step % pause == pause - 1 and absolute_gap(p, 0.0) <= goal * abs(dual):
            return SMALL_GAP, step, i, j, s, dual
        rank_alone(p, gain)
        i = largest(gain)
        if not gain[i] > 0.0:
            return NOTHING_TO_GAIN, step, i, j, s, dual
        if p.slot[i] < 0:
            return ROW_MISSING, step, i, j, s, dual
        K_i = p.K[p.slot[i]]
        rank_companions(p, i, K_i, gain)
        gain[i] = -1.0
        j = largest(gain)
        if p.slot[j] < 0:
            return ROW_MISSING, step, j, i, s, dual
        K_j = p.K[p.slot[j]]

        length_i, length_j = np.sqrt(max(diagonal[i], 0.0)), np.sqrt(max(diagonal[j], 0.0))
        why = suspicious(p, K_i[j], K_j[i], length_i * length_j - abs(K_i[j]))
        if why != OUT_OF_STEPS:
            return why, step, i, j, s, dual
        s, t, gained = best_pair(p, i, j, K_i[j])
        beta[i] = clip(beta[i] + s, p.lower[i], p.upper[i])
        beta[j] = clip(beta[j] + t, p.lower[j], p.upper[j])
        dual += gained
        move_two(p, s, t, K_i, K_j)
    return OUT_OF_STEPS, steps, i, j, s, dual
