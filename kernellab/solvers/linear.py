"""Dual coordinate descent on a linear machine: the steps of SDCA, with w in place of scores.

A step needs one score, w·x_i, and changes w by a multiple of x_i: O(d), or O(nnz of the row) on
sparse rows, where SDCA on a Gram matrix pays O(n). Nothing of size n × n is ever made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from kernellab.certificates import check_C
from kernellab.compiled import compiled
from kernellab.losses import Conjugate, DualLoss, check_dual_loss, dual_step, hinge
from kernellab.solvers.sdca import AscentState, Problem
from kernellab.solvers.sparse import (
    Indices,
    SparseRows,
    check_rows,
    row_add,
    row_arrays,
    row_dot,
    shape,
    squared_lengths,
    times,
    transposed_times,
)
from kernellab.solving import Order, Seed, random_generator
from kernellab.validation import FloatArray, check_labels, check_number

Matrix = FloatArray
Vector = FloatArray

SETTLED = 0.3
"""A pass goes back to the α_i that do not rest at a bound until none of them
changes its score by more than this fraction of the largest change when all were updated,"""

MOST = 10
"""but takes no more updates than this many for each example."""


@compiled
def dual_coordinate_pass(
    values: FloatArray,
    columns: Indices | None,
    starts: Indices | None,
    sign: Vector,
    target: Vector,
    C: Vector,
    conjugate: Conjugate,
    squares: Vector,
    alpha: Vector,
    w: Vector,
    order: Order,
    resting: NDArray[np.bool_],
) -> float:
    """Maximise the dual over one α_i of `order` after another, and keep w = Σ α_i sign_i x_i.

    It is `sdca.sdca_pass` with f_i = w·x_i and K_ii = ‖x_i‖², which `squares` holds. The rows are
    (X, None, None), or those of a `SparseRows`. Notes which α_i rest at a bound, because their step
    led out of the box, and returns by how much an update changed its own score at most.
    """
    largest = 0.0
    for i in order:
        residual = target[i] - sign[i] * row_dot(values, columns, starts, i, w)
        new = dual_step(alpha[i], residual, squares[i], C[i], conjugate)
        at_a_bound = new == 0 or abs(new) == C[i] * conjugate.highest
        resting[i] = at_a_bound and new == alpha[i]
        if new != alpha[i]:
            row_add(w, sign[i] * (new - alpha[i]), values, columns, starts, i)
            largest = max(largest, abs(new - alpha[i]) * squares[i])
            alpha[i] = new
    return largest


@dataclass(frozen=True)
class LinearState(AscentState):
    """Where dual coordinate descent is; a pass takes more than n updates.

    Primal, dual and gap are computed from α alone, in two products with X; b²/bias² is a part of
    the ‖w‖² in them.
    """

    _weights: Vector
    _bias: float

    @property
    def w(self) -> Vector:
        """Weights, shape (d,), without that of the constant feature."""
        return self._weights[:-1] if self._bias else self._weights

    @property
    def b(self) -> float:
        """The bias: the weight of the constant feature times its value, 0 without one."""
        return float(self._weights[-1] * self._bias) if self._bias else 0.0

    @property
    def scores(self) -> Vector:
        """f(x_i) = w·x_i + b, shape (n,), in one product with X."""
        return times(self._problem.data, self._weights)

    @cached_property
    def _objectives(self) -> tuple[float, float, float]:
        p, alpha = self._problem, self._variables
        w = transposed_times(p.data, p.sign * alpha)
        return p.objectives(alpha, times(p.data, w) if alpha.any() else np.zeros(len(alpha)))


def dual_coordinate_descent(
    X: Any,
    y: Any,
    C: Any,
    *,
    loss: DualLoss = hinge,
    bias: float = 0.0,
    start: Any = None,
    rng: Seed | None = 0,
) -> Iterator[LinearState]:
    """Dual coordinate descent for linear machines: α_i to its best value, and w along with it.

    The first state is the start. It never ends. Minimises ½‖w‖² + Σ C_i L(y_i w·x_i) by ascent on
    its dual: for the hinge α_i ← clip(α_i + (1 − y_i w·x_i)/‖x_i‖², 0, C_i); a row of zeros jumps
    to its bound. After each update of all examples a pass goes back to those whose α_i does not
    rest at a bound, until they have settled, see `SETTLED` and `MOST`: most of the others stay
    there for good, so this saves most of the work where C is large. Hsieh, Chang, Lin, Keerthi and
    Sundararajan (2008), algorithm 1; the shrinking is simpler than theirs. Taught in notebook 04.
    Raises ValueError for a bad argument, before the first step.

    Parameters
    ----------
    X : array or SciPy sparse array of shape (n, d). One example a row.
    y, C, loss, start
        As in `sdca.sdca`; of labels both must be there.
    bias : float
        0 for no bias. Else the value of a constant feature that is appended to X, whose weight
        times this value is the bias b. Its weight is a part of w, so the bias is regularised: what
        is minimised has b²/(2 bias²) in it, and is neither the problem with a free bias, which
        `smo` solves, nor the one without. A larger value regularises b less, and converges slower.
    rng : int, numpy.random.Generator or None
        A seed for a fresh permutation every pass; None for the order of the rows.
    """
    loss = check_dual_loss(loss)
    rows = append_constant(check_rows(X), bias := check_number(bias, "bias"))
    n = shape(rows)[0]
    if not loss.signed:
        check_labels(y, n)  # both must be there
    problem = Problem(rows, *loss.sign_and_target(y, n), check_C(C, n), loss)
    generator = None if rng is None else random_generator(rng)
    return _descend(problem, bias, problem.first(start), generator)


def _descend(
    problem: Problem, bias: float, variables: Vector, generator: np.random.Generator | None
) -> Iterator[LinearState]:
    """The loop."""
    n, squares = len(problem.C), squared_lengths(problem.data)
    resting = np.zeros(n, dtype=np.bool_)
    w, steps = transposed_times(problem.data, problem.sign * variables), 0
    for passes in count():
        yield LinearState(passes, steps, None, None, variables, problem, w, bias)
        # Shuffles of those that go on are drawn apart: else one more of them changes all orders.
        again = None if generator is None else generator.spawn(1)[0]
        order = np.arange(n) if generator is None else generator.permutation(n)
        largest = sweep(problem, squares, variables, w, order, resting)
        left, most = order[~resting[order]], (MOST - 1) * n
        steps += n + settle(problem, squares, variables, w, left, largest, most, again)


def sweep(
    problem: Problem,
    squares: Vector,
    variables: Vector,
    w: Vector,
    order: Order,
    resting: NDArray[np.bool_],
) -> float:
    """Update the examples of `order` once by `dual_coordinate_pass`, and return what that does."""
    return dual_coordinate_pass(
        *row_arrays(problem.data), problem.sign, problem.target, problem.C, problem.loss.dual,
        squares, variables, w, order, resting,
    )  # fmt: skip


def settle(
    problem: Problem,
    squares: Vector,
    variables: Vector,
    w: Vector,
    order: Order,
    largest: float,
    most: int,
    again: np.random.Generator | None,
) -> int:
    """Go back to the examples of `order` until they have settled, with `most` updates at most.

    They have when none changes its score by more than a fraction of `largest`, see `SETTLED`; those
    that come to rest at a bound are left out. α and w change in place. Returns the number of
    updates. Taught in notebook 04.
    """
    resting, steps = np.zeros(len(variables), dtype=np.bool_), 0
    while largest > 0 and 0 < len(order) <= most - steps:
        order = order if again is None else again.permutation(order)
        change = sweep(problem, squares, variables, w, order, resting)
        steps += len(order)
        if change <= SETTLED * largest:
            break
        order = order[~resting[order]]
    return steps


def append_constant(X: Matrix | SparseRows, value: float) -> Matrix | SparseRows:
    """Return X, shape (n, d), with a column more that holds this value, or as it is for 0."""
    if value == 0:
        return X
    column = np.full((shape(X)[0], 1), value)
    if isinstance(X, SparseRows):
        return check_rows(scipy.sparse.hstack([X.matrix, column], format="csr"))
    return np.hstack([X, column])
