"""Pegasos: stochastic subgradient steps of length 1/(λt) on the support vector machine, no bias.

A step forgets a t-th of w and adds the example if it violates the margin. Written out, w is the sum
of all violators so far, divided by λt, so it also runs on counts of violations and a Gram matrix: a
perceptron with a margin and a scale. Batches, costs, averages and sparse rows are in `passes`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kernellab.certificates import check_C, relative_gap
from kernellab.compiled import compiled
from kernellab.solvers.pegasos.passes import general_pass
from kernellab.solvers.sdca import NOT_A_KERNEL, ROUNDING
from kernellab.solvers.sparse import (
    SparseRows,
    check_rows,
    row_arrays,
    shape,
    take,
    times,
    transposed_times,
)
from kernellab.solving import RUNNING, Order, Seed, pass_orders
from kernellab.validation import (
    FloatArray,
    check_gram,
    check_labels,
    check_numbers,
    check_positive,
    check_positive_integer,
)

Matrix = FloatArray
Vector = FloatArray

AVERAGES = {"uniform": 0, "linear": 1}
"""The weight of w_t in the average grows like this power of t."""


# --- the steps ------------------------------------------------------------------------------------


def pegasos_step(w: Vector, x: Any, y: float, lam: float, t: int) -> bool:
    """Take step t on one example: w, shape (d,), changes in place; say if it violated the margin.

    Raises ValueError if w is no array of floats, or x not as long. Taught in notebook 04.
    """
    if not isinstance(w, np.ndarray) or w.dtype != np.float64:
        raise ValueError(f"w must be an array of floats, for it changes in place, got {w!r}")
    return step_on_floats(w, check_numbers(x, "x", len(w)), y, lam, t)


@compiled
def step_on_floats(w: Vector, x: Vector, y: float, lam: float, t: int) -> bool:
    """The step itself: w ← (1 − 1/t) w, and 1/(λt) y x added if y w·x < 1."""
    violated = y * (w @ x) < 1
    w *= 1 - 1 / t
    if violated:
        w += y * x / (lam * t)
    return bool(violated)


@compiled
def pegasos_pass(
    X: Matrix, y: Vector, lam: float, alpha: Vector, w: Vector, order: Order, t: int
) -> None:
    """Take a step on one example after another, after t steps; α counts violations."""
    for i in order:
        t += 1
        alpha[i] += step_on_floats(w, X[i], y[i], lam, t)


@compiled
def kernel_pegasos_pass(
    K: Matrix, y: Vector, lam: float, alpha: Vector, sums: Vector, order: Order, t: int
) -> None:
    """Take the same steps without w, for w = Σ α_j y_j φ(x_j) / (λt); sums = K (α∘y)."""
    for i in order:
        f = sums[i] / (lam * t) if t > 0 else 0.0
        t += 1
        if y[i] * f < 1:
            alpha[i] += 1
            sums += y[i] * K[i]


# --- a run and its states -------------------------------------------------------------------------

Moving = tuple[Vector, Vector, Vector]
"""The v, late and scale of `passes.general_pass`."""


@dataclass
class PegasosRun:
    """What a run goes by, and where it is: w = factor·v; with a kernel v are scores instead."""

    rows: Any  # X, dense or sparse, or K
    gram: bool
    y: Vector
    cost: Vector
    lam: float
    batch_size: int
    radius: float  # inf without a projection
    power: int  # of the average, −1 for none

    def __post_init__(self) -> None:
        n, d = shape(self.rows)
        self.alpha, self.v, self.late = np.zeros(n), np.zeros(d), np.zeros(d)
        self.scale = np.array([1.0, 0.0, 0.0])
        one_by_one = self.batch_size == 1 and (self.cost == 1).all()
        bare = self.radius == np.inf and self.power < 0 and not isinstance(self.rows, SparseRows)
        self.plain = one_by_one and bare

    def moving(self, t: int) -> Moving:
        """Return what goes on to other rows, after t steps; with a kernel nothing does."""
        if self.plain:
            return self.v * (self.lam * max(t, 1)), np.zeros(len(self.v)), np.array([1.0, 0, 0])
        return self.v, self.late, self.scale

    def resume(self, moving: Moving) -> None:
        """Go on from what another run has left, which is copied."""
        self.v, self.late, self.scale = (part.copy() for part in moving)
        self.plain = False

    def advance(self, order: Order, t: int) -> None:
        """Take a step on each batch of `order`, after t steps, by the plainest pass that can."""
        if self.plain:
            plain_pass = kernel_pegasos_pass if self.gram else pegasos_pass
            plain_pass(self.rows, self.y, self.lam, self.alpha, self.v, order, t)
        else:
            general_pass(
                *row_arrays(self.rows), self.gram or None, self.y, self.cost, self.lam, self.v,
                self.alpha, order, t, self.batch_size, self.radius, self.late, self.power,
                self.scale,
            )  # fmt: skip

    def last(self, t: int) -> Vector:
        """Return the last weights, or with a kernel the last scores."""
        if self.plain and not self.gram:
            return self.v
        return self.v * (self.scale[0] / (self.lam * max(t, 1)))

    def answer(self, t: int) -> Vector:
        """Return them averaged, if an average is kept."""
        if self.power < 0:
            return self.last(t)
        total = t if self.power == 0 else t * (t + 1) / 2
        return (self.scale[1] * self.v - self.late) / max(total, 1)

    def scores(self, t: int) -> Vector:
        """Return f(x_i) of the answer, shape (n,)."""
        return self.answer(t) if self.gram else times(self.rows, self.answer(t))

    def margin(self, batch: Order, t: int) -> float | None:
        """Return y_i f(x_i) of the example of a batch of one, for the last weights."""
        if self.batch_size > 1:
            return None
        last = self.last(t)
        f = last[batch] if self.gram else times(take(self.rows, batch), last)
        return float((self.y[batch] * f)[0])

    def coef(self, t: int) -> Vector:
        """Return the signed weights α_i c_i y_i/(λt) of the last w, if nothing was projected."""
        return self.alpha * self.cost * self.y / (self.lam * max(t, 1))

    def squared_norm(self, coef: Vector) -> float:
        """Return ‖Σ coef_j φ(x_j)‖²."""
        if self.gram:
            return float(coef @ self.rows @ coef)
        w = transposed_times(self.rows, coef)
        return float(w @ w)


class PegasosBounds(ABC):
    """What a state of Pegasos proves: computed when first asked for, and then kept."""

    @cached_property
    @abstractmethod
    def _certificate(self) -> tuple[float, float]:
        """Objective and dual."""

    @property
    def objective(self) -> float:
        """λ/2 ‖w‖² + (1/n) Σ c_i ξ_i, ξ_i = max(0, 1 − y_i f_i); of the average, if one is kept."""
        return self._certificate[0]

    @property
    def dual(self) -> float:
        """A lower bound of every objective, from the counts of violations: see `pegasos`."""
        return self._certificate[1]

    @property
    def gap(self) -> float:
        """The relative gap between the two, see `certificates.relative_gap`."""
        return relative_gap(self.objective, self.dual)


@dataclass(frozen=True)
class PegasosState(PegasosBounds):
    """Where Pegasos is: after a pass, or after one step; on weights or with a kernel.

    Arrays are those of the moment. A gap takes O(nnz of X), or with a kernel O(n²).

    Parameters
    ----------
    passes, steps : int
        Complete passes (orders, if they were given) and steps t so far.
    i : int or None
        The example of the step just taken; None after a whole pass or a batch.
    margin : float or None. Its y_i f(x_i) before that step: below 1 it was a violation.
    n_violations : float
        Violations so far, each of them 1/k if a step takes k examples.
    """

    passes: int
    steps: int
    i: int | None
    margin: float | None
    n_violations: float
    _run: PegasosRun

    @property
    def lam(self) -> float:
        """λ; in C-form C = 1/(λn)."""
        return self._run.lam

    @property
    def alpha(self) -> Vector:
        """How often each example violated the margin, shape (n,), live; 1/k a time in batches."""
        return self._run.alpha

    @property
    def w(self) -> Vector:
        """Weights, shape (d,): the average, if one is kept, else the last."""
        return self._weights(self._run.answer(self.steps))

    @property
    def last_w(self) -> Vector:
        """The last weights, shape (d,), averaged or not."""
        return self._weights(self._run.last(self.steps))

    def _weights(self, w: Vector) -> Vector:
        if self._run.gram:
            raise AttributeError("with a kernel there is no w: its weights are coef")
        return w

    @property
    def coef(self) -> Vector:
        """With a kernel f(x) = Σ coef_j k(x_j, x), coef = α∘c∘y/(λt), shape (n,)."""
        if not self._run.gram:
            raise AttributeError("coef is for a kernel: here the weights are w")
        return self._run.coef(self.steps)

    @property
    def scores(self) -> Vector:
        """f(x_i), shape (n,)."""
        return self._run.scores(self.steps)

    @property
    def dual_variables(self) -> Vector:
        """A feasible α of C-form, shape (n,), 0 ≤ α_i ≤ c_i/(λn), from the share of violations."""
        run = self._run
        share = run.alpha * run.cost / max(self.steps, 1)
        return np.minimum(share, run.cost / len(run.y)) / run.lam

    @property
    def moving(self) -> Moving:
        """What steps on other rows go on from."""
        return self._run.moving(self.steps)

    @property
    def status(self) -> str:
        """ "running"; or "not a kernel", as its weights have shown by ‖w‖² < 0."""
        if not self._run.gram:
            return RUNNING
        total = np.abs(self.coef).sum()
        allowed = ROUNDING * total * total * self._run.rows.diagonal().max()
        return NOT_A_KERNEL if self.coef @ self.scores < -allowed else RUNNING

    @cached_property
    def _certificate(self) -> tuple[float, float]:
        run = self._run
        scores = self.scores
        squared_norm = self.coef @ scores if run.gram else self.w @ self.w
        slack = np.maximum(0.0, 1 - run.y * scores)
        primal = run.lam / 2 * squared_norm + run.cost @ slack / len(run.y)
        alpha = self.dual_variables
        gain, curvature = alpha.sum(), run.squared_norm(alpha * run.y)
        return float(primal), best_multiple(run.lam, gain, curvature)


def best_multiple(lam: float, gain: float, curvature: float) -> float:
    """Return the best dual value, in λ-form, of s·α for s in [0, 1]: s gain − s² curvature/2."""
    s = min(1.0, gain / curvature) if curvature > 0 else 1.0
    return float(lam * (s * gain - s * s * curvature / 2))


def _states(
    run: PegasosRun, orders: Iterator[Order], one_at_a_time: bool
) -> Iterator[PegasosState]:
    """The loop. One step at a time is the same pass, with an order of one batch."""
    k, t = run.batch_size, 0
    yield PegasosState(0, 0, None, None, 0.0, run)
    for passes, order in enumerate(orders, 1):
        if one_at_a_time:
            for first in range(0, len(order), k):
                batch = order[first : first + k]
                i, margin = int(batch[0]) if k == 1 else None, run.margin(batch, t)
                run.advance(batch, t)
                t += 1
                done = passes - (first + k < len(order))
                yield PegasosState(done, t, i, margin, float(run.alpha.sum()), run)
        else:
            run.advance(order, t)
            t += -(-len(order) // k)
            yield PegasosState(passes, t, None, None, float(run.alpha.sum()), run)


# --- the solvers ----------------------------------------------------------------------------------


def pegasos(
    X: Any,
    y: Any,
    lam: Any,
    *,
    batch_size: int = 1,
    project: bool = False,
    average: bool | str = False,
    sample_weight: Any = None,
    rng: Seed | None = 0,
    orders: Iterable[Any] | None = None,
    one_at_a_time: bool = False,
) -> Iterator[PegasosState]:
    """Pegasos on weights: step t shrinks w by 1 − 1/t and adds 1/(λt) of its violators.

    The first state is w = 0, before any step; there is no warm start, for the first step forgets
    any w. It ends only with `orders`.

    Minimises λ/2 ‖w‖² + (1/n) Σ c_i ξ_i, ξ_i = max(0, 1 − y_i w·x_i). Its certificate is free:
    after t steps w is 1/(λt) times the sum of all violators, so the share of t at which an example
    violated, times n and clipped to [0, 1], is a dual point; the bound is taken at its best
    multiple. The gap closes like 1/t at best: ask for 1 %, not for 1e-6, which
    `linear.dual_coordinate_descent` finds. Shalev-Shwartz, Singer, Srebro and Cotter (2011),
    Pegasos, figures 1 and 2; linear weights: Lacoste-Julien, Schmidt and Bach (2012), there for
    steps of 2/(λ(t + 1)). Taught in notebook 04. Raises ValueError for a bad argument, before the
    first step; for a bad array in orders, when it is reached.

    Parameters
    ----------
    X : array or SciPy sparse array of shape (n, d)
        One example a row. There is no bias: append one by `homogeneous(X)`; λ then shrinks it too.
        A step costs O(d), and O(nnz of its rows) if X is sparse, the average included.
    y : array of shape (n,). Labels −1 and +1.
    lam : float. λ > 0; in C-form C = 1/(λn).
    batch_size : int
        Examples k of a step, the last of a pass smaller if need be: the mean of their subgradients.
    project : bool
        After each step return to the ball ‖w‖ ≤ 1/√λ, √(mean weight/λ) if examples are weighted.
    average : bool or str
        The answer w is the average of w_1 … w_t, those before each step so far: "uniform" (also
        True), all alike, as the theorem has it; "linear", w_t weighs t, which soon forgets the wild
        first steps and is better by far where λ is small. False: the last w.
    sample_weight : array of shape (n,), optional
        c_i > 0: what violations of example i cost, 1 if not given; C_i = c_i/(λn).
    rng : int, numpy.random.Generator or None
        A seed for a fresh permutation every pass; None for the order of the rows.
    orders : iterable of integer arrays, optional
        Which examples to use, one array a pass, of any lengths, instead of rng: random integers
        for the published draws with replacement.
    one_at_a_time : bool. Yield a state after each step instead of after each pass.
    """
    X = check_rows(X)
    settings = _check(shape(X)[0], y, lam, sample_weight, batch_size)
    y, cost, lam, batch_size = settings
    # At the optimum λ‖w‖² = (1/n) Σ α_i − (1/n) Σ c_i ξ_i, in units where α_i ≤ c_i.
    radius = float(np.sqrt(cost.mean() / lam)) if project else np.inf
    run = PegasosRun(X, False, *settings, radius, check_average(average))
    return _states(run, pass_orders(len(y), rng, orders), one_at_a_time)


def kernel_pegasos(
    K: Any,
    y: Any,
    lam: Any,
    *,
    batch_size: int = 1,
    sample_weight: Any = None,
    rng: Seed | None = 0,
    orders: Iterable[Any] | None = None,
    one_at_a_time: bool = False,
) -> Iterator[PegasosState]:
    """Pegasos on examples: α_j counts the violations of j; K is all it needs.

    Before step t, f = 1/(λ(t − 1)) Σ α_j y_j k(x_j, ·): the perceptron that learns from margins
    y f < 1, with a factor. K has shape (n, n); the other arguments, the certificate and the errors
    are those of `pegasos`, whose steps it takes if K = X Xᵀ. Small λ needs many passes: where
    λ = 1/(Cn) and C ≥ 1, use `smo`. Shalev-Shwartz, Singer, Srebro and Cotter (2011), Pegasos,
    figure 3. Taught in notebook 04.
    """
    K = check_gram(K)
    run = PegasosRun(K, True, *_check(len(K), y, lam, sample_weight, batch_size), np.inf, -1)
    return _states(run, pass_orders(len(K), rng, orders), one_at_a_time)


def convergence_bound(steps: Any, lam: float, radius: float, *, project: bool = False) -> Any:
    """Return what theory allows the averaged w to lack: c (1 + ln t)/(λt) after t steps.

    It has the shape of `steps`, t ≥ 1, and bounds objective − minimum of the uniform average, in
    expectation over draws of single examples with replacement, if R = `radius` ≥ ‖x_i‖ for all i:
    c = (√λ + R)²/2 if every step is projected, else 2R². Shalev-Shwartz, Singer, Srebro and Cotter
    (2011), Pegasos, theorem 1. Taught in notebook 04. Raises ValueError for a bad argument.
    """
    lam, radius = check_positive(lam, "lam"), check_positive(radius, "radius")
    t = np.asarray(steps, dtype=np.float64)
    if not (t >= 1).all():
        raise ValueError(f"steps must be at least 1, got {t.min():g}")
    c = (np.sqrt(lam) + radius) ** 2 / 2 if project else 2 * radius**2
    return c * (1 + np.log(t)) / (lam * t)


def _check(
    n: int, y: Any, lam: Any, sample_weight: Any, batch_size: Any
) -> tuple[Vector, Vector, float, int]:
    """Return labels, costs, λ and the size of a batch."""
    y = check_labels(y, n)
    lam = check_positive(lam, "lam")
    batch_size = check_positive_integer(batch_size, "batch_size")
    if batch_size > n:
        raise ValueError(f"batch_size must be at most n = {n}, got {batch_size}")
    cost = check_C(1.0 if sample_weight is None else sample_weight, n, "sample_weight")
    return y, cost, lam, batch_size


def check_average(average: bool | str) -> int:
    """Return the power of t that w_t weighs, −1 for no average."""
    if isinstance(average, bool):
        return 0 if average else -1
    if average not in AVERAGES:
        raise ValueError(
            f"average must be False, True or one of {', '.join(map(repr, AVERAGES))}, "
            f"got {average!r}"
        )
    return AVERAGES[average]
