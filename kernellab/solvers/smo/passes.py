"""The two inner passes of `smo`: with a bias, and without.

They work on signed weights β_i = α_i y_i and on residuals r_i = y_i − Σ_j K_ij β_j. So the labels
disappear from the loops: β_i lies between 0 and y_i C_i, the dual is Σ y_i β_i − ½ βᵀKβ, and r is
its gradient.
"""

from __future__ import annotations

import numpy as np

from kernellab.compiled import compiled
from kernellab.solvers.smo.loops import (
    Arrays,
    absolute_gap,
    best_pair,
    clip,
    exchange,
    join,
    joint_gains,
    largest,
    move_pair,
    pair_gains,
    single_gains,
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
def check_pair(p: Arrays, K_ij: float, K_ji: float, curvature: float) -> int:
    """Whether a pair shows that K is no Gram matrix: the reason to end a pass, or OUT_OF_STEPS.

    A Gram matrix is symmetric, and its curvature along a pair is not negative.
    """
    rounding = ROUNDING / FLAT * p.flat
    if not abs(K_ij - K_ji) <= rounding:  # also where one is NaN
        return NOT_SYMMETRIC
    return NEGATIVE_CURVATURE if curvature < -rounding else OUT_OF_STEPS


@compiled
def smo_pass(p: Arrays, dual: float, goal: float, first: int, steps: int) -> Outcome:
    """Steps of two with a bias, the pair chosen by second order: Fan, Chen and Lin (2005).

    It ends early if P − D ≤ goal · |D|, looked at now and then, or if a row of K is missing: call
    again with that row and `first` the step it was needed for. Returns why it ended, at which
    step, the last i and j (the row that is missing first), by how much β_i rose and β_j fell, and
    the dual.
    """
    beta, diagonal = p.beta, p.diagonal
    r_up, r_low, gain = np.empty(len(beta)), np.empty(len(beta)), np.empty(len(beta))
    split(p, r_up, r_low)
    pause = max(10, len(beta) // 20)  # looking at the gap costs half a step
    why, step, i, j, t = OUT_OF_STEPS, first, -1, -1, 0.0
    while step < steps:
        i = largest(r_up)
        if step % pause == pause - 1:
            join(p, r_up, r_low)
            if absolute_gap(p, (r_up[i] + r_low.min()) / 2) <= goal * abs(dual):
                why = SMALL_GAP
                break
        if p.slot[i] < 0:
            why = ROW_MISSING
            break
        K_i = p.K[p.slot[i]]
        pair_gains(p, i, r_up[i], K_i, r_low, gain)
        j = largest(gain)
        if not gain[j] > 0.0:
            why = NOTHING_TO_GAIN
            break
        if p.slot[j] < 0:
            why, i, j = ROW_MISSING, j, i
            break
        K_j = p.K[p.slot[j]]

        slope, curvature = r_up[i] - r_low[j], diagonal[i] + diagonal[j] - 2 * K_i[j]
        why = check_pair(p, K_i[j], K_j[i], curvature)
        if why != OUT_OF_STEPS:
            break
        curvature = max(curvature, p.flat)
        room_i, room_j = p.upper[i] - beta[i], beta[j] - p.lower[j]
        t = min(slope / curvature, room_i, room_j)
        beta[i] = p.upper[i] if t == room_i else beta[i] + t  # on the bound, not next to it
        beta[j] = p.lower[j] if t == room_j else beta[j] - t
        dual += t * (slope - t * curvature / 2)
        r_low[i], r_up[j] = r_up[i], r_low[j]  # β_i may fall again, β_j may rise
        exchange(t, K_i, K_j, r_up, r_low)
        if beta[i] == p.upper[i]:
            r_up[i] = -np.inf
        if beta[j] == p.lower[j]:
            r_low[j] = np.inf
        step += 1
    join(p, r_up, r_low)
    return why, step, i, j, t, dual


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
        single_gains(p, gain)
        i = largest(gain)
        if not gain[i] > 0.0:
            return NOTHING_TO_GAIN, step, i, j, s, dual
        if p.slot[i] < 0:
            return ROW_MISSING, step, i, j, s, dual
        K_i = p.K[p.slot[i]]
        joint_gains(p, i, K_i, gain)
        gain[i] = -1.0
        j = largest(gain)
        if p.slot[j] < 0:
            return ROW_MISSING, step, j, i, s, dual
        K_j = p.K[p.slot[j]]

        length_i, length_j = np.sqrt(max(diagonal[i], 0.0)), np.sqrt(max(diagonal[j], 0.0))
        why = check_pair(p, K_i[j], K_j[i], length_i * length_j - abs(K_i[j]))
        if why != OUT_OF_STEPS:
            return why, step, i, j, s, dual
        s, t, gained = best_pair(p, i, j, K_i[j])
        beta[i] = clip(beta[i] + s, p.lower[i], p.upper[i])
        beta[j] = clip(beta[j] + t, p.lower[j], p.upper[j])
        dual += gained
        move_pair(p, s, t, K_i, K_j)
    return OUT_OF_STEPS, steps, i, j, s, dual
