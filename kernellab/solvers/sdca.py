"""Stochastic dual coordinate ascent: one dual variable at a time, each to its exact maximum.

The problem has no bias. One loop serves classification, regression and one-class: a loss brings
its dual step along, see `losses.dual_step`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kernellab.certificates import Bounds, check_C
from kernellab.compiled import compiled, compiled_or
from kernellab.losses import Conjugate, DualLoss, check_dual_loss, dual_step, hinge
from kernellab.solving import RUNNING, Order, Seed, check_order, pass_orders
from kernellab.validation import FloatArray, check_gram, check_numbers

Matrix = FloatArray
Vector = FloatArray

NOT_A_KERNEL = "not a kernel"

ROUNDING = 1e-10
"""A negative ‖w‖² beyond this share of (Σ |α_i|)² max_i K_ii is not rounding."""


@compiled
def hinge_pass(K: Matrix, y: Vector, C: float, alpha: Vector, scores: Vector, order: Order) -> None:
    """One pass of SDCA for the hinge loss: each α_i to its best value, all others held.

    `alpha` and `scores`, f_j = Σ α_i y_i K_ij, both of shape (n,), change in place. Taught in
    notebook 05; `sdca_pass` does the same for every loss, and is what `sdca` runs: it leaves the
    scores alone where α_i stays.
    """
    for i in order:
        top = alpha[i] + (1 - y[i] * scores[i]) / K[i, i]  # of the parabola
        new = min(max(top, 0), C)  # back into the box
        scores += y[i] * (new - alpha[i]) * K[i]  # what this changes for everybody
        alpha[i] = new


def _add_in_a_line(scores: Vector, weight: float, row: Vector) -> None:
    scores += weight * row


@compiled_or(_add_in_a_line)
def add_multiple(scores: Vector, weight: float, row: Vector) -> None:
    """Add weight · row to the scores, in place. Compiled, the loop is twice as fast."""
    for j in range(len(row)):
        scores[j] += weight * row[j]


@compiled
def sdca_pass(
    K: Matrix,
    sign: Vector,
    target: Vector,
    C: Vector,
    conjugate: Conjugate,
    alpha: Vector,
    scores: Vector,
    order: Order,
) -> int:
    """Maximise the dual over one α_i of `order` after another, all others held.

    In classification sign = y and target = 1, so the residual is 1 − y_i f_i; in regression
    sign = 1 and target = y, so it is y_i − f_i. The scores f_j = Σ α_i sign_i K_ij of all examples
    are kept: a step of α_i adds its multiple of K_i to them. Returns how many α_i changed.
    """
    changes = 0
    for i in order:
        residual = target[i] - sign[i] * scores[i]
        new = dual_step(alpha[i], residual, K[i, i], C[i], conjugate)
        if new != alpha[i]:
            add_multiple(scores, sign[i] * (new - alpha[i]), K[i])
            alpha[i] = new
            changes += 1
    return changes


@compiled
def objectives(
    sign: Vector, target: Vector, C: Vector, conjugate: Conjugate, alpha: Vector, scores: Vector
) -> tuple[float, float, float]:
    """Return primal, dual and ‖w‖² of an α in its box from its scores, in O(n).

    A loss is ρ(r) = max_a (a r − ρ*(a)), and the step of an α_i that moves no score (K_ii = 0,
    C = 1) finds that a.
    """
    smoothing, insensitivity = conjugate.smoothing, conjugate.insensitivity
    loss = gain = squared_norm = 0.0
    for i in range(len(alpha)):
        residual = target[i] - sign[i] * scores[i]
        a = dual_step(0.0, residual, 0.0, 1.0, conjugate)
        loss += C[i] * (a * residual - smoothing / 2 * a * a - insensitivity * abs(a))
        a = alpha[i] / C[i]
        gain += alpha[i] * target[i] - C[i] * (smoothing / 2 * a * a + insensitivity * abs(a))
        squared_norm += alpha[i] * sign[i] * scores[i]
    return squared_norm / 2 + loss, gain - squared_norm / 2, squared_norm


@dataclass(frozen=True)
class Problem:
    """What stays the same while α moves: sign, target and C are of shape (n,)."""

    data: Any  # K here, X where the machine is linear
    sign: Vector
    target: Vector
    C: Vector
    loss: DualLoss

    def first(self, start: Any) -> Vector:
        """Return the first dual variables, a copy, inside the box; refuse signed weights as α."""
        n = len(self.C)
        if start is None:
            return np.zeros(n)
        start = check_numbers(start, "start", n)
        if not self.loss.signed and start.min() < 0:
            raise ValueError(
                f"start must hold dual variables α ≥ 0, got {start.min():g}; "
                f"from signed weights, pass coef * y"
            )
        _, _, lowest, highest = self.loss.dual
        return np.clip(start, lowest * self.C, highest * self.C)

    def objectives(self, variables: Vector, scores: Vector) -> tuple[float, float, float]:
        """Return primal, dual and ‖w‖²."""
        return objectives(self.sign, self.target, self.C, self.loss.dual, variables, scores)


@dataclass(frozen=True)
class AscentState(Bounds):
    """Where dual ascent on ½‖w‖² + Σ C_i ρ(r_i) is: after a pass, or after one update.

    Arrays are live: they change with the next step.

    Parameters
    ----------
    passes, steps : int. Complete passes (orders, if they were given) and updates so far.
    i : int or None. The example just updated; None after a whole pass and before the first step.
    step : float or None. By how much the dual variable of i changed.
    """

    passes: int
    steps: int
    i: int | None
    step: float | None
    _variables: Vector
    _problem: Problem

    @property
    def alpha(self) -> Vector:
        """Dual variables α_i ≥ 0 of a classification, shape (n,), live."""
        if self._problem.loss.signed:
            raise AttributeError("a regression has no alpha: its dual variables are coef")
        return self._variables

    @property
    def coef(self) -> Vector:
        """Signed weights: f(x) = Σ coef_i k(x_i, x). Live in regression, α∘y in classification."""
        if self._problem.loss.signed:
            return self._variables
        return self._variables * self._problem.sign


@dataclass(frozen=True)
class DualState(AscentState):
    """Where SDCA is; objectives in O(n).

    Parameters
    ----------
    n_kernel_evaluations : int. Entries of K used so far: the diagonal, and a row for every change.
    scores : array of shape (n,). f(x_i), live.
    """

    n_kernel_evaluations: int
    scores: Vector

    @property
    def status(self) -> str:
        """ "running"; or "not a kernel", as α has shown by ‖w‖² = (α∘y)ᵀK(α∘y) < 0."""
        squared_norm = self._objectives[2]
        if squared_norm >= 0:
            return RUNNING
        total = np.abs(self._variables).sum()
        rounding = ROUNDING * total * total * self._problem.data.diagonal().max()
        return NOT_A_KERNEL if squared_norm < -rounding else RUNNING

    @cached_property
    def _objectives(self) -> tuple[float, float, float]:
        return self._problem.objectives(self._variables, self.scores)


def sdca(
    K: Any,
    y: Any,
    C: Any,
    *,
    loss: DualLoss = hinge,
    start: Any = None,
    rng: Seed | None = 0,
    orders: Iterable[Any] | None = None,
    one_at_a_time: bool = False,
) -> Iterator[DualState]:
    """Stochastic dual coordinate ascent on a Gram matrix, for the problem without a bias.

    The first state is the start. It ends only with `orders`.

    Minimises ½‖w‖² + Σ C_i ρ(r_i), where r_i is 1 − y_i f_i, or y_i − f_i in regression, by ascent
    on its dual. For the hinge a step is α_i ← clip(α_i + (1 − y_i f_i) / K_ii, 0, C). The λ-form is
    C = 1/(λn), the sum form C = 1/λ_s. `smo` is the engine for large C. Shalev-Shwartz
    and Zhang (2013); for the linear kernel Hsieh et al. (2008). Taught in notebook 05. Raises
    ValueError for a bad argument, before the first step; for a bad array in orders, when it is
    reached.

    Parameters
    ----------
    K : array of shape (n, n). Gram matrix.
    y : array of shape (n,)
        Labels −1 and +1; all of them +1 for the one-class problem, whose usual solution is
        α / Σα and whose ν is `certificates.nu(alpha, C)`. Real targets if the loss is one of
        regression.
    C : float or array of shape (n,)
        Cost C > 0 of a loss of 1; one an example for class or sample weights.
    loss : DualLoss
        `losses.hinge`, `smoothed_hinge(s)`, `squared_hinge`, or in regression `squared`,
        `absolute`, `epsilon_insensitive(eps)`.
    start : array of shape (n,), optional
        First α (`coef` in regression), zero if not given. It is copied, and clipped to the box
        of this C.
    rng : int, numpy.random.Generator or None
        A seed for a fresh permutation every pass; None for the order of the rows.
    orders : iterable of integer arrays, optional
        Which examples to update, one array a pass, of any lengths, instead of rng.
    one_at_a_time : bool. Yield a state after each update instead of after each pass.
    """
    loss = check_dual_loss(loss)
    K = check_gram(K)
    diagonal = K.diagonal()
    if diagonal.min() < 0:
        i = diagonal.argmin()
        raise ValueError(
            f"K must not have a negative diagonal, got K[{i}, {i}] = {diagonal[i]:g}: "
            f"it is the Gram matrix of no kernel"
        )
    sign, target = loss.sign_and_target(y, len(K))
    problem = Problem(K, sign, target, check_C(C, len(K)), loss)
    visits = pass_orders(len(K), rng, orders)
    return _ascend(problem, problem.first(start), visits, one_at_a_time)


def _ascend(
    problem: Problem, variables: Vector, orders: Iterator[Order], one_at_a_time: bool
) -> Iterator[DualState]:
    """The loop. One update at a time is the same pass, with an order of one element."""
    K, sign, target, C = problem.data, problem.sign, problem.target, problem.C
    conjugate, n = problem.loss.dual, len(K)
    moved = int(np.count_nonzero(variables))
    scores = K @ (sign * variables) if moved else np.zeros(n)
    evaluations = n + n * moved
    steps = 0
    i = step = None
    yield DualState(0, steps, i, step, variables, problem, evaluations, scores)
    for passes, order in enumerate(orders):
        parts = np.split(order, len(order)) if one_at_a_time else [order]
        for done, part in enumerate(parts, 1):
            before = variables[part[0]]
            changes = sdca_pass(K, sign, target, C, conjugate, variables, scores, part)
            steps += len(part)
            evaluations += n * changes
            if one_at_a_time:
                i, step = int(part[0]), float(variables[part[0]] - before)
            completed = passes + (done == len(parts))
            yield DualState(completed, steps, i, step, variables, problem, evaluations, scores)


# --- one coordinate, looked at closely ------------------------------------------------------------


@dataclass(frozen=True)
class CoordinateDual:
    """The dual as a function of one α_i, all others held: a parabola and a box.

    Calling it gives D(a), shape of a, inside the box and beyond.

    Parameters
    ----------
    current : float. α_i now.
    vertex : float. Where D would be largest without the box; infinite if D is a line.
    best : float. Where it is largest in the box: the vertex, clipped. This is the step SDCA takes.
    slope, curvature : float. dD/da at α_i, and −d²D/da².
    """

    current: float
    vertex: float
    best: float
    slope: float
    curvature: float
    _value: float

    def __call__(self, a: Any) -> FloatArray:
        """Return D at α_i = a, all others held."""
        move = np.asarray(a, dtype=np.float64) - self.current
        return self._value + self.slope * move - self.curvature / 2 * move**2


def coordinate_dual(K: Any, y: Any, alpha: Any, C: Any, i: int) -> CoordinateDual:
    """Return the dual of the hinge loss as a function of α_i alone, with its vertex and its clip.

    D(a) = D(α) + r_i (a − α_i) − ½ K_ii (a − α_i)². The dual variables, shape (n,), are in their
    box; K, y and C are those of `sdca`. Taught in notebook 05. Raises ValueError for a bad
    argument.
    """
    K = check_gram(K)
    sign, target = hinge.sign_and_target(y, len(K))
    alpha, C = check_numbers(alpha, "alpha", len(K)), check_C(C, len(K))
    i = int(check_order([i], len(K))[0])
    if not np.isfinite(hinge.conjugate(alpha / C)).all():
        raise ValueError("alpha must lie in its box, from 0 to C; clip it")
    scores = K @ (sign * alpha)
    _, value, _ = objectives(sign, target, C, hinge.dual, alpha, scores)

    current, slope, k = float(alpha[i]), float(target[i] - sign[i] * scores[i]), float(K[i, i])
    unbounded = hinge.dual._replace(lowest=-np.inf, highest=np.inf)
    vertex = float(dual_step(current, slope, k, C[i], unbounded))
    best = hinge.dual_step(current, slope, k, C[i])
    return CoordinateDual(current, vertex, best, slope, k, float(value))
