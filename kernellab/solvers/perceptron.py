"""The perceptron, primal and dual: test an example, and learn from it if that was a mistake.

Both run the same loop. The primal one keeps weights w, one a feature; the dual one keeps counts α,
one an example, and sees the data through the Gram matrix only. w = Σ α_i y_i x_i ties the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernellab.compiled import compiled
from kernellab.kernels import as_kernel
from kernellab.solving import CONVERGED, RUNNING, STOPPED, Order, Seed, pass_orders
from kernellab.validation import (
    FloatArray,
    check_gram,
    check_labels,
    check_number,
    check_numbers,
    check_positive_integer,
    check_squares,
    check_vectors,
)

Matrix = FloatArray
Vector = FloatArray


def perceptron_loop(X: Matrix, y: Vector, passes: int = 1000) -> Vector:
    """Learn from mistakes until a pass makes none: the w of the scores w·x.

    X has shape (n, d), with a column of ones if there is to be a bias; y labels −1.0 and +1.0; w
    shape (d,). The plain form of `primal_perceptron`. Rosenblatt (1958). Taught in notebook 01.
    """
    w = np.zeros(X.shape[1])
    for _ in range(passes):
        mistakes = 0
        for i in range(len(y)):
            if y[i] * (X[i] @ w) <= 0:  # wrong, or undecided
                w += y[i] * X[i]
                mistakes += 1
        if mistakes == 0:
            break
    return w


def dual_perceptron_loop(K: Matrix, y: Vector, passes: int = 1000) -> Vector:
    """Learn from mistakes until a pass makes none: the α of the scores Σ α_i y_i k(x_i, x).

    K has shape (n, n), K_ij = x_i·x_j or any kernel; y and α have shape (n,). The plain form of
    `dual_perceptron`. Aizerman, Braverman and Rozonoer (1964). Taught in notebooks 01 and 03.
    """
    alpha = np.zeros(len(y))
    for _ in range(passes):
        mistakes = 0
        for i in range(len(y)):
            if y[i] * (K[i] @ (alpha * y)) <= 0:  # wrong, or undecided
                alpha[i] += 1
                mistakes += 1
        if mistakes == 0:
            break
    return alpha


@compiled
def primal_perceptron_pass(X: Matrix, y: Vector, w: Vector, order: Order, margin: float) -> int:
    """Test each example of `order`; learn from it, in w, if that was a mistake."""
    mistakes = 0
    for i in order:
        if y[i] * (X[i] @ w) <= margin:
            w += y[i] * X[i]
            mistakes += 1
    return mistakes


@compiled
def dual_perceptron_pass(
    K: Matrix, y: Vector, alpha: Vector, scores: Vector, order: Order, margin: float = 0.0
) -> int:
    """Test each example of `order`; learn from it, in α and the scores, if that was a mistake.

    The scores f(x_j) = Σ α_i y_i K_ij of all examples are kept, not computed anew: one more
    mistake on i adds y_i K_ij to each of them.
    """
    mistakes = 0
    for i in order:
        if y[i] * scores[i] <= margin:
            alpha[i] += 1
            scores += y[i] * K[i]
            mistakes += 1
    return mistakes


@dataclass(frozen=True)
class PerceptronState:
    """Where a perceptron is: after a pass, or after one example of it.

    Parameters
    ----------
    passes, steps : int. Complete passes and examples tested so far.
    i : int or None. The example just tested; None after a whole pass.
    mistake : bool. Whether anything was learnt since the state before.
    n_mistakes : int. Mistakes so far; Σ α_i if it started from zero.
    mistakes : int or None
        Those of the latest complete pass, None before the first one. At 0 it has arrived: the next
        pass would change nothing.
    status : str. "running", or "converged" in the last state.
    """

    passes: int
    steps: int
    i: int | None
    mistake: bool
    n_mistakes: int
    mistakes: int | None
    status: str

    @property
    def gap(self) -> float:
        """0 once it has arrived, inf before: nothing bounds how much is left to learn."""
        return 0.0 if self.mistakes == 0 else np.inf


@dataclass(frozen=True)
class PrimalPerceptronState(PerceptronState):
    """The counters, and w, shape (d,): live, so it changes with the next step."""

    w: Vector


@dataclass(frozen=True)
class DualPerceptronState(PerceptronState):
    """The counters, and α and scores, shape (n,): live, so they change with the next step."""

    alpha: Vector
    scores: Vector


def primal_perceptron(
    X: Any,
    y: Any,
    *,
    margin: float = 0.0,
    rng: Seed | None = None,
    orders: Iterable[Any] | None = None,
    one_at_a_time: bool = False,
) -> Iterator[PrimalPerceptronState]:
    """The perceptron on weights, from w = 0: every mistake on x_i adds y_i x_i to w.

    It ends with the first pass without a mistake: never, if no such w exists. With margin 0 it
    makes at most (R/γ)² mistakes in any order, see `certificates.novikoff_bound`. Rosenblatt
    (1958); Novikoff (1962). Taught in notebook 01. Raises ValueError for a bad argument, before the
    first step; for a bad array in orders, when it is reached.

    Parameters
    ----------
    X : array of shape (n, d). One example a row. There is no bias: append one by `homogeneous(X)`.
    y : array of shape (n,). Labels −1 and +1.
    margin : float
        Learn from i if y_i w·x_i ≤ margin (in units of the score, ≥ 0). At 0 that is a mistake, and
        a score of exactly zero is one.
    rng : int or numpy.random.Generator, optional
        A seed for a fresh order every pass; None for the order of the rows.
    orders : iterable of integer arrays, optional
        The order of each pass, of every example at least once, instead of rng. Learning ends when
        it ends.
    one_at_a_time : bool. Yield a state after each example instead of after each pass.
    """
    X = check_vectors(X)
    check_squares(np.abs(X).max())
    y = check_labels(y, len(X))
    margin, w = check_margin(margin), np.zeros(X.shape[1])

    def learn(order: Order) -> int:
        return primal_perceptron_pass(X, y, w, order, margin)

    progress = _test_then_train(learn, _visits(len(y), rng, orders), one_at_a_time)
    return (PrimalPerceptronState(*counters, w) for counters in progress)


def dual_perceptron(
    K: Any,
    y: Any,
    *,
    margin: float = 0.0,
    rng: Seed | None = None,
    orders: Iterable[Any] | None = None,
    one_at_a_time: bool = False,
) -> Iterator[DualPerceptronState]:
    """The perceptron on examples: α_i counts the mistakes on example i; K is all it needs.

    K, shape (n, n), holds x_i·x_j or any kernel; the other arguments, the errors and the end are
    those of `primal_perceptron`, which makes the same mistakes in the same order: w = Σ α_i y_i
    x_i, so f(x) = w·x = Σ α_i y_i k(x_i, x). Aizerman, Braverman and Rozonoer (1964). Taught in
    notebook 01.
    """
    K = check_gram(K)
    y = check_labels(y, len(K))
    margin, alpha, scores = check_margin(margin), np.zeros(len(y)), np.zeros(len(y))

    def learn(order: Order) -> int:
        return dual_perceptron_pass(K, y, alpha, scores, order, margin)

    progress = _test_then_train(learn, _visits(len(y), rng, orders), one_at_a_time)
    return (DualPerceptronState(*counters, alpha, scores) for counters in progress)


def kernel_perceptron(X: Any, y: Any, kernel: Any, **options: Any) -> Iterator[DualPerceptronState]:
    """The dual perceptron with k(x, z) where the dot product was, and nothing else changed.

    f(x) = Σ α_i y_i k(x_i, x). X has shape (n, d), or is whatever n examples the kernel compares;
    the kernel is what `kernels.as_kernel` takes; y, the options and the errors are those of
    `dual_perceptron`. Aizerman, Braverman and Rozonoer (1964). Taught in notebook 03.
    """
    return dual_perceptron(as_kernel(kernel)(X), y, **options)


def _test_then_train(
    learn: Callable[[Order], int], orders: Iterator[Order], one_at_a_time: bool
) -> Iterator[tuple[int, int, int | None, bool, int, int | None, str]]:
    """The loop both perceptrons share: yields the fields of `PerceptronState`.

    One example at a time is the same pass, with an order of one element.
    """
    steps = n_mistakes = 0
    in_pass = None
    for passes, order in enumerate(orders):
        before = n_mistakes
        if one_at_a_time:
            for i in order[:-1]:
                learnt = learn(np.array([i]))
                n_mistakes += learnt
                steps += 1
                yield passes, steps, int(i), learnt > 0, n_mistakes, in_pass, RUNNING
            order = order[-1:]  # the last example completes the pass
        learnt = learn(order)
        n_mistakes += learnt
        steps += len(order)
        in_pass = n_mistakes - before
        i = int(order[-1]) if one_at_a_time else None
        status = RUNNING if in_pass else CONVERGED
        yield passes + 1, steps, i, learnt > 0, n_mistakes, in_pass, status
        if not in_pass:
            return


# --- one run, kept whole, for stepping through it -----------------------------------------------


class Trace(NamedTuple):
    """One run of the perceptron: what it tested and where it erred, in order.

    `order` (T,) holds the example that each step tested, `mistake` (T,) whether it learnt from it,
    `status` is "converged" or "stopped at the cap". Everything else follows: `trace.alpha(t)`.
    """

    order: Order
    mistake: NDArray[np.bool_]
    status: str

    def alpha(self, t: int) -> Vector:
        """The counts α, shape (n,), after t steps."""
        n = self.order.max() + 1  # every pass tests every example
        return np.bincount(self.order[:t][self.mistake[:t]], minlength=n).astype(np.float64)


@compiled
def _traced_pass(
    K: Matrix, y: Vector, alpha: Vector, scores: Vector, order: Order, mistake: NDArray[np.bool_]
) -> None:
    """A pass of the dual perceptron, one example at a time, that notes where it erred."""
    for t in range(len(order)):
        one = order[t : t + 1]
        mistake[t] = dual_perceptron_pass(K, y, alpha, scores, one) > 0


def trace(K: Any, y: Any, *, max_passes: int = 100) -> Trace:
    """Run the dual perceptron and keep every step, for a figure to step through.

    T steps, a multiple of n, at most n · max_passes, in the order of the rows. K has shape (n, n);
    that of `homogeneous(X)` makes the steps of the primal perceptron. Taught in notebook 01. Raises
    ValueError for a bad argument.
    """
    K = check_gram(K)
    y = check_labels(y, len(K))
    max_passes = check_positive_integer(max_passes, "max_passes")
    alpha, scores = np.zeros(len(y)), np.zeros(len(y))
    order = np.arange(len(y))
    erred: list[NDArray[np.bool_]] = []
    while len(erred) < max_passes and (not erred or erred[-1].any()):
        erred.append(np.empty(len(y), dtype=np.bool_))
        _traced_pass(K, y, alpha, scores, order, erred[-1])
    status = STOPPED if erred[-1].any() else CONVERGED
    return Trace(np.tile(order, len(erred)), np.concatenate(erred), status)


# --- between the two ------------------------------------------------------------------------------


def homogeneous(X: Any) -> Matrix:
    """Append a column of ones, so that the last weight is the bias: w·x + b = (w, b)·(x, 1).

    From shape (n, d) to (n, d + 1). In Gram matrices: K + 1. Taught in notebook 01. Raises
    ValueError if X is not such an array of finite numbers.
    """
    X = check_vectors(X)
    return np.column_stack([X, np.ones(len(X))])


def weights_from_counts(X: Any, y: Any, alpha: Any) -> Vector:
    """From the dual to the primal: w = Σ α_i y_i x_i, shape (d,).

    X, shape (n, d), holds the vectors that the perceptron saw, homogeneous ones if it saw those; y
    and alpha have shape (n,). Taught in notebook 01. Raises ValueError if the shapes do not match
    or a number is not finite.
    """
    X = check_vectors(X)
    y = check_labels(y, len(X))
    return (check_numbers(alpha, "alpha", len(X)) * y) @ X


def _visits(n: int, rng: Seed | None, orders: Iterable[Any] | None) -> Iterator[Order]:
    """The orders of the passes, which must visit all: a pass without a mistake is the last."""
    visits = pass_orders(n, rng, orders)
    return visits if orders is None else (_check_all_visited(order, n) for order in visits)


def _check_all_visited(order: Order, n: int) -> Order:
    left_out = np.flatnonzero(np.bincount(order, minlength=n) == 0)
    if len(left_out):
        raise ValueError(f"orders must visit every example, got one without {left_out[0]}")
    return order


def check_margin(margin: float) -> float:
    """Return a number of at least 0, or raise a ValueError."""
    margin = check_number(margin, "margin")
    if margin < 0:
        raise ValueError(f"margin must not be negative, got {margin:g}; 0 is the plain perceptron")
    return margin
