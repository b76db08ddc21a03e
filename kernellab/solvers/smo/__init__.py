"""Sequential minimal optimisation: raise the dual of the SVM, two examples at a time.

With a bias Σ α_i y_i = 0 ties the examples together, so the smallest possible step moves two of
them; without one, two at a time need far fewer steps where C is large. The algorithm itself is
`passes.smo_pass`; here is the generator that runs it, on all examples or on those that still move.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from kernellab.certificates import Bounds, check_C, negative_eigenvalues_of_some
from kernellab.compiled import compiled
from kernellab.solvers.smo.loops import Arrays, interval, objectives
from kernellab.solvers.smo.passes import (
    FLAT,
    NEGATIVE_CURVATURE,
    NOT_SYMMETRIC,
    NOTHING_TO_GAIN,
    OUT_OF_STEPS,
    ROW_MISSING,
    SMALL_GAP,
    smo_pass,
    smo_pass_without_bias,
)
from kernellab.solvers.smo.rows import Gram, Indices, RowSource
from kernellab.solving import RUNNING
from kernellab.validation import (
    GRAM_SYMMETRY,
    FloatArray,
    check_gram,
    check_labels,
    check_number,
    check_numbers,
)

Vector = FloatArray

NOT_A_KERNEL = "not a kernel"

SHRINK_FROM = 500
"""With fewer examples, leaving some aside costs more than it saves."""

ROUNDS = 20
"""So often steps are taken with some examples only before all of them are looked at again."""

WORTH_SHRINKING = 0.5
"""Leave some aside if those that may still move are fewer than this fraction of all."""


@compiled
def smo_step(
    K: FloatArray, y: Vector, C: float, alpha: Vector, scores: Vector, i: int, j: int
) -> None:
    """Move α_i and α_j along Σ α y = 0 to the best point of that line: the step of SMO.

    `alpha` and `scores`, f_k = Σ α_l y_l K_kl without a bias, both of shape (n,), change in place:
    α_i y_i rises by t and α_j y_j falls by it, or the other way round. On that line the dual is
    the parabola slope · t − curvature · t²/2. Platt (1998). Taught in notebook 05;
    `passes.smo_pass` takes the same steps, and chooses i and j.
    """
    slope = (y[i] - scores[i]) - (y[j] - scores[j])
    if slope < 0:
        i, j, slope = j, i, -slope
    curvature = max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)  # two equal examples: to the bound
    room_i = C - alpha[i] if y[i] > 0 else alpha[i]
    room_j = alpha[j] if y[j] > 0 else C - alpha[j]
    t = min(slope / curvature, room_i, room_j)
    alpha[i] += y[i] * t
    alpha[j] -= y[j] * t
    scores += t * (K[i] - K[j])


@dataclass(frozen=True)
class SMOState(Bounds):
    """Where SMO is: the start, after a pass of many steps, or after one of them.

    The objective is ½‖w‖² + Σ C_i max(0, 1 − y_i f_i). Arrays are computed when first asked for
    too, in O(n); so ask before the next state comes.

    Parameters
    ----------
    passes, steps : int
        Passes and steps so far. A pass is n/5 steps, at least 200, and what follows with those that
        may still move; less where the gap was small enough. One at a time it is n steps.
    i, j : int. The two examples of the last step; −1 before the first.
    step : float. By how much α_i changed in it.
    n_kernel_evaluations : int
        Entries of K used so far, without a store: the diagonal, and two rows a step. The look at
        a K that was given, before the end, is not among them: a kernel does without.
    status : str
        "running"; "not a kernel" if some examples have shown that K has a negative eigenvalue.
    """

    passes: int
    steps: int
    i: int
    j: int
    step: float
    n_kernel_evaluations: int
    status: str
    _problem: Problem

    @cached_property
    def alpha(self) -> Vector:
        """Dual variables, shape (n,), each from 0 to C_i."""
        return np.abs(self._problem.arrays.beta)

    @cached_property
    def scores(self) -> Vector:
        """f(x_i) with the bias, shape (n,)."""
        p = self._problem
        return p.y - p.arrays.residual + self.b

    @property
    def b(self) -> float:
        """The bias; 0 in the problem without one.

        r_i where α_i is free, and where none is, the middle of the interval that the others leave.
        """
        return self._objectives[2]

    @cached_property
    def _objectives(self) -> tuple[float, float, float, float]:
        """Primal, with what rounding may hide of it, dual, b, and that rounding."""
        p = self._problem
        with np.errstate(invalid="ignore"):  # b is infinite where no β can rise
            b, dual, primal, rounding = objectives(p.arrays, p.y, p.bias)
        return primal + rounding, dual, b, rounding


def smo(
    K: Any,
    y: Any,
    C: Any,
    *,
    bias: bool = True,
    start: Any = None,
    gap: float = 1e-3,
    shrinking: bool = True,
    one_at_a_time: bool = False,
) -> Generator[SMOState, float | None, None]:
    """Sequential minimal optimisation of the SVM with hinge loss, with or without a bias.

    The first state is the start. It ends when no step gains anything, or K is not a kernel.

    Minimises ½‖w‖² + Σ C_i max(0, 1 − y_i f(x_i)). With a bias, β_i rises and β_j falls by the same
    t = min((r_i − r_j) / (K_ii + K_jj − 2 K_ij), room for β_i, room for β_j), where i has the
    largest r of those that may rise, and j gains most with it, to second order. Before a state has
    reached the gap, its residuals are computed again from K β, by the columns of a K that was
    given. That K is a kernel's is seen from its curvature along the pairs, and at the end on 2 √n
    examples, first those with 0 < α_i < C_i; `certificates.is_positive_semidefinite` looks at all
    of K. Two examples with equal x and opposite labels pull α to C: with C = 1e10 expect "stopped
    at the cap". Platt (1998); Fan, Chen and Lin (2005), working set selection 2. Taught in notebook
    05. Raises ValueError for a bad argument, before the first step; and if K is not symmetric or
    not finite, at the first step that shows it, or before the first state that has reached the gap.

    Parameters
    ----------
    K : array of shape (n, n), or RowSource
        Gram matrix; or `rows.Rows(kernel, X)`, which computes rows when they are needed.
    y : array of shape (n,)
        Labels −1 and +1. Without a bias all may be the same: the one-class problem.
    C : float or array of shape (n,)
        Cost C > 0 of a loss of 1; one an example for class or sample weights.
    bias : bool. f(x) = Σ α_i y_i k(x_i, x) + b with Σ α_i y_i = 0; or neither b nor that condition.
    start : array of shape (n,), optional
        First α ≥ 0, zero if not given, such as the solution for another C. It is copied. Where it
        leaves the box it is scaled with a bias, which keeps Σ α_i y_i = 0, and clipped without.
    gap : float
        A pass ends where this is reached, the iteration does not. `solve` says what it wants
        itself; this is for who goes through the states by hand.
    shrinking : bool
        Whether, from 500 examples on, to go on for a while with those that may still move.
    one_at_a_time : bool
        Yield a state after each step instead of after each pass; no shrinking then.
    """
    rows = K if isinstance(K, RowSource) else Gram(K)
    y = check_labels(y, len(rows), both=bias)
    C = check_C(C, len(rows))
    if len(y) < 2:
        raise ValueError("y must hold at least two examples: a step moves two")
    if check_number(gap, "gap") < 0:
        raise ValueError(f"gap must not be negative, got {gap!r}")
    beta = y * _check_start(start, y, C, bias)
    problem = problem_of(rows, y, beta, np.minimum(0.0, C * y), np.maximum(0.0, C * y), bias)
    return states_of(problem, SMOState, gap, shrinking, one_at_a_time)


def problem_of(
    rows: RowSource, targets: Vector, beta: Vector, lower: Vector, upper: Vector, bias: bool
) -> Problem:
    """The problem of these targets (labels in classification) and bounds, from a first β."""
    flat = FLAT * max(rows.diagonal.max(), np.finfo(np.float64).tiny / FLAT)
    residual = targets - rows.times(beta) if beta.any() else targets.copy()
    of_rows = rows.stored, rows.slot, rows.diagonal
    arrays = Arrays(*of_rows, beta, residual, lower, upper, float(flat))
    return Problem(rows, targets, arrays, bias)


class Problem:
    """β and its residuals on all examples, or on a part of them, and the steps that change them."""

    def __init__(self, rows: RowSource, y: Vector, arrays: Arrays, bias: bool) -> None:
        self.rows, self.y, self.arrays, self.bias = rows, y, arrays, bias
        moved = int(np.count_nonzero(arrays.beta))
        self.dual = self.dual_value()
        self.since_refresh = int(moved > 0)  # steps since residuals were computed from K and β
        self.entries = len(y) + len(y) * moved  # of K, used so far

    def dual_value(self) -> float:
        """Σ y_i β_i − ½ βᵀKβ, with (Kβ)_i = y_i − r_i."""
        beta = self.arrays.beta
        return float(beta @ self.y + beta @ self.arrays.residual) / 2

    def run(self, steps: int, goal: float) -> tuple[int, int, int, int, float]:
        """Take steps, fetching rows for them: why they ended, how many, i, j and by how much."""
        one_pass = smo_pass if self.bias else smo_pass_without_bias
        done = 0
        with np.errstate(all="ignore"):  # a gain may be infinite, where K_ii = 0
            while True:
                why, done, i, j, t, self.dual = one_pass(self.arrays, self.dual, goal, done, steps)
                if why != ROW_MISSING:
                    break
                self.rows.fetch(i, keep=j)
        self.entries += 2 * len(self.y) * done
        self.since_refresh += done
        if why == NOT_SYMMETRIC:
            raise ValueError(
                f"K must be symmetric and finite, got K[{i}, {j}] = {self.rows.row(i)[j]:.6g} and "
                f"K[{j}, {i}] = {self.rows.row(j)[i]:.6g}"
            )
        return why, done, i, j, t

    def advance(self, steps: int, goal: float) -> tuple[int, int, int, int, float]:
        """Take steps with all examples, then more with those that may still move: as `run`."""
        n = len(self.y)
        why, taken, i, j, t = self.run(steps, goal)
        if why == OUT_OF_STEPS and n >= SHRINK_FROM:
            part = self.may_move()
            if 2 <= len(part) <= WORTH_SHRINKING * n:
                taken += self.advance_part(part, 0.9 * goal)
        return why, taken, i, j, t

    def advance_part(self, part: Indices, goal: float) -> int:
        """Take steps with `part` alone, then bring the residuals of all up to date: how many."""
        p, rows = self.arrays, self.rows.take(part)
        arrays = Arrays(
            *(rows.stored, rows.slot, rows.diagonal),
            *(p.beta[part], p.residual[part], p.lower[part], p.upper[part]),
            p.flat,
        )
        small = Problem(rows, self.y[part], arrays, self.bias)
        small.dual = self.dual
        total = 0
        for _ in range(ROUNDS):
            why, taken, *_ = small.advance(max(len(part) // 2, 100), goal)
            total += taken
            if why != OUT_OF_STEPS:
                break
        change = np.zeros(len(self.y))
        change[part] = arrays.beta - p.beta[part]
        p.beta[part] = arrays.beta
        p.residual[:] -= self.rows.times(change)
        self.dual = self.dual_value()
        self.since_refresh += total
        self.entries += small.entries + len(self.y) * int(np.count_nonzero(change))
        return total

    def has_drifted(self, state: SMOState) -> bool:
        """Whether the rounding of all steps so far could be a hundredth of the gap P − D.

        `rounding` is that of margins once. Each step adds max|K| max|β| of it, at random.
        """
        primal, dual, _, rounding = state._objectives
        size = self.arrays.flat / FLAT * np.abs(self.arrays.beta).max()
        return bool(size * np.sqrt(self.since_refresh) * rounding > 0.02 * (primal - dual))

    def refresh(self) -> None:
        """The residuals from K and β alone; by the columns of a K that was given, as it is then."""
        p, K = self.arrays, self.rows.given
        if K is None:
            fresh = self.y - self.rows.times(p.beta)
            self.entries += len(self.y) * int(np.count_nonzero(p.beta))
        else:
            fresh = self.y - _product(K, p.beta)
            apart = np.abs(fresh - p.residual).max()
            if not apart <= GRAM_SYMMETRY * self.arrays.flat / FLAT * np.abs(p.beta).sum():
                check_gram(K)  # says what is wrong; if nothing is, rounding has added up
        p.residual[:] = fresh
        self.since_refresh = 0

    def is_convex(self) -> bool:
        """Whether no negative eigenvalue shows, in a K that was given, where β is free to move."""
        p, K = self.arrays, self.rows.given
        if K is None:
            return True
        room = np.minimum(p.beta - p.lower, p.upper - p.beta).reshape(-1, len(K)).max(axis=0)
        return negative_eigenvalues_of_some(K, room, centred=self.bias) is None

    def may_move(self) -> Indices:
        """Those not pushed against a bound they are at: a guess, looked at again afterwards."""
        p = self.arrays
        highest, lowest = interval(p)
        if not self.bias:
            highest, lowest = max(highest, -lowest, 0.0), min(lowest, -highest, 0.0)
        stays_up = (p.beta >= p.upper) & (p.residual > highest)
        stays_down = (p.beta <= p.lower) & (p.residual < lowest)
        return np.flatnonzero(~(stays_up | stays_down))


def _product(K: FloatArray, beta: Vector) -> Vector:
    """K β; where β holds every example twice, of their sum, twice."""
    if len(beta) == len(K):
        return np.asarray(K @ beta)
    return np.tile(K @ beta.reshape(-1, len(K)).sum(axis=0), len(beta) // len(K))


S = TypeVar("S", bound=SMOState)


def states_of(
    problem: Problem,
    kind: type[S],
    gap: float = 1e-3,
    shrinking: bool = True,
    one_at_a_time: bool = False,
) -> Generator[S, float | None, None]:
    """Yield the states of SMO, of this kind, on a problem that has been checked.

    What it is sent is the gap that is wanted. A state that reaches it has been proved.
    """
    n = len(problem.y)
    wanted = goal = gap
    steps = passes = 0
    why, i, j, step = OUT_OF_STEPS, -1, -1, 0.0
    while True:
        state = kind(passes, steps, i, j, step, problem.entries, RUNNING, problem)
        if not np.isfinite(state.dual):
            raise ValueError("K must be finite, got NaN or infinity in a row that was needed")
        ends = why == NOTHING_TO_GAIN
        if problem.since_refresh and (
            ends
            or (problem.rows.given is not None and state.gap <= wanted)
            or problem.has_drifted(state)
        ):
            problem.refresh()
            why = OUT_OF_STEPS if ends else why
            state = replace(state, n_kernel_evaluations=problem.entries)
        if why == NEGATIVE_CURVATURE or ((ends or state.gap <= wanted) and not problem.is_convex()):
            state = replace(state, status=NOT_A_KERNEL)
        told = yield state
        if why == NOTHING_TO_GAIN or state.status != RUNNING:
            return
        problem.dual = state.dual  # a sum of gains drifts
        if why == SMALL_GAP:
            goal = min(goal, state.gap) / 10  # the caller wants less
        if told is not None and told != wanted:
            wanted = goal = told

        if one_at_a_time:
            why, taken, i, j, t = problem.run(1, goal)
        else:
            advance = problem.advance if shrinking else problem.run
            why, taken, i, j, t = advance(max(n // 5, 200), goal)
        steps += taken
        passes = steps // n if one_at_a_time and why == OUT_OF_STEPS else passes + 1
        step = t * float(problem.y[i])


def _check_start(start: Any, y: Vector, C: Vector, bias: bool) -> Vector:
    """Return a first α in its box, a copy, and with Σ α_i y_i = 0 if there is a bias."""
    if start is None:
        return np.zeros(len(y))
    alpha = check_numbers(start, "start", len(y))
    if alpha.min() < 0:
        raise ValueError(
            f"start must hold dual variables α ≥ 0, got {alpha.min():g}; "
            f"from signed weights, pass coef * y"
        )
    if not bias:
        return np.minimum(alpha, C)
    if abs(alpha @ y) > 1e-9 * alpha.sum():
        raise ValueError(
            f"start must have Σ α_i y_i = 0 for a problem with a bias, got {alpha @ y:g}"
        )
    alpha = alpha / max(1.0, (alpha / C).max())
    at_bound = alpha >= C * (1 - 4 * np.finfo(np.float64).eps)  # the division rounds
    return np.where(at_bound, C, alpha)
