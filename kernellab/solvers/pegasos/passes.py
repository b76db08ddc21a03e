"""The steps of Pegasos: on weights, on scaled weights, on counts of violations, on signed weights.

All four take the same steps: shrink w by 1 − 1/t, add 1/(λt) of the violators, go back into a ball
if there is one. A pass takes a step on each batch of an order.
"""

from __future__ import annotations

import numpy as np

from kernellab.compiled import compiled
from kernellab.solvers.sparse import Indices, row_add, row_dot
from kernellab.solving import Order
from kernellab.validation import FloatArray

Matrix = FloatArray
Vector = FloatArray


# --- weights --------------------------------------------------------------------------------------


@compiled
def pegasos_step(
    X: Matrix, y: Vector, cost: Vector, lam: float, w: Vector, batch: Order, t: int, radius: float
) -> list[int]:
    """Take step t on a batch of examples, in place; return those that violated the margin.

    w ← (1 − 1/t) w + η/k Σ y_i x_i over the violators among the k examples, with η = 1/(λt). At
    t = 1 that forgets all of w. The cost of a violation is 1 unless examples are weighted.
    """
    eta = 1 / (lam * t)
    violators = [i for i in batch if y[i] * (X[i] @ w) < 1]
    w *= 1 - 1 / t
    for i in violators:
        w += eta / len(batch) * cost[i] * y[i] * X[i]
    if radius < np.inf:  # back into the ball that holds the optimum
        norm = np.sqrt(w @ w)
        if norm > radius:
            w *= radius / norm
    return violators


@compiled
def pegasos_pass(
    X: Matrix,
    y: Vector,
    cost: Vector,
    lam: float,
    w: Vector,
    order: Order,
    t: int,
    batch_size: int,
    radius: float,
    counts: Vector,
) -> None:
    """Take a step on each batch of `order`, after t steps, and count violations."""
    for first in range(0, len(order), batch_size):
        t += 1
        batch = order[first : first + batch_size]
        for i in pegasos_step(X, y, cost, lam, w, batch, t, radius):
            counts[i] += 1 / len(batch)


# --- weights, averaged or on sparse rows ----------------------------------------------------------

SMALLEST = 1e-3
"""Once projections have shrunk s by this much they are carried over into v: it might underflow."""


@compiled
def scaled_pegasos_pass(
    values: FloatArray,
    columns: Indices | None,  # None, like starts, if the values are all of X
    starts: Indices | None,
    y: Vector,
    cost: Vector,
    lam: float,
    v: Vector,
    order: Order,
    t: int,
    batch_size: int,
    radius: float,
    counts: Vector,
    late: Vector,
    power: int,
    scale: Vector,
) -> None:
    """Take the same steps with w = s·v: a step touches v only where its violators are not zero.

    Before step t it is s = shrunk/(λ(t − 1)): to shrink w is to shrink a number. Without a
    projection `shrunk` stays 1, and v is the sum of all violators. The rows are (X, None, None),
    or those of a `SparseRows`.

    The average costs a second vector. Sum of t^power w_t = summed·v − late, where `summed` adds up
    t^power s: a row that joins v in step t was not in the w before, so `late` takes it times what
    was summed until then. A power of −1 keeps none. `scale` keeps (shrunk, summed, ‖v‖²).
    """
    shrunk, summed, squared_norm = scale
    margins = np.empty(batch_size)
    for first in range(0, len(order), batch_size):
        batch = order[first : first + batch_size]
        s = shrunk / (lam * t) if t > 0 else 0.0
        t += 1
        if power >= 0:
            summed += s * t**power

        for j, i in enumerate(batch):
            margins[j] = y[i] * s * row_dot(values, columns, starts, i, v)
        for j, i in enumerate(batch):
            if margins[j] < 1:
                weight = cost[i] * y[i] / len(batch) / shrunk
                if radius < np.inf:  # ‖v + a x‖² = ‖v‖² + a (x·v + x·(v + a x))
                    squared_norm += weight * row_dot(values, columns, starts, i, v)
                row_add(v, weight, values, columns, starts, i)
                if radius < np.inf:
                    squared_norm += weight * row_dot(values, columns, starts, i, v)
                if power >= 0:
                    row_add(late, weight * summed, values, columns, starts, i)
                counts[i] += 1 / len(batch)

        if radius < np.inf:
            norm = shrunk / (lam * t) * np.sqrt(max(squared_norm, 0.0))
            if norm > radius:
                shrunk *= radius / norm
            if shrunk < SMALLEST:
                late -= summed * v
                v *= shrunk
                squared_norm = v @ v
                shrunk, summed = 1.0, 0.0
    scale[:] = shrunk, summed, squared_norm


# --- examples -------------------------------------------------------------------------------------


@compiled
def kernel_pegasos_step(
    K: Matrix,
    y: Vector,
    cost: Vector,
    lam: float,
    alpha: Vector,
    scores: Vector,
    batch: Order,
    t: int,
) -> list[int]:
    """Take step t on counts of violations, in place; return who violated the margin.

    Before it, w = 1/(λ(t − 1)) Σ α_j y_j φ(x_j), and w = 0 before the first step. The scores kept
    are those of the sum alone, without its factor: a step that finds no violator changes nothing.
    """
    factor = 1 / (lam * (t - 1)) if t > 1 else 0.0
    violators = [i for i in batch if y[i] * factor * scores[i] < 1]
    for i in violators:
        alpha[i] += 1 / len(batch)
        scores += cost[i] * y[i] / len(batch) * K[i]
    return violators


@compiled
def signed_pegasos_step(
    K: Matrix,
    y: Vector,
    cost: Vector,
    lam: float,
    coef: Vector,
    scores: Vector,
    squared_norm: float,
    batch: Order,
    t: int,
    radius: float,
) -> tuple[list[int], float]:
    """Take step t on signed weights, w = Σ coef_j φ(x_j); return who violated, and ‖w‖².

    Line by line the step on w: shrink, add, project. The scores are f(x_j) themselves, and
    ‖w + a φ(x_i)‖² = ‖w‖² + 2a f(x_i) + a² K_ii keeps the norm without a look at other examples.
    """
    eta = 1 / (lam * t)
    violators = [i for i in batch if y[i] * scores[i] < 1]
    coef *= 1 - 1 / t
    scores *= 1 - 1 / t
    squared_norm *= (1 - 1 / t) ** 2
    for i in violators:
        a = eta / len(batch) * cost[i] * y[i]
        squared_norm += 2 * a * scores[i] + a * a * K[i, i]
        coef[i] += a
        scores += a * K[i]
    norm = np.sqrt(max(squared_norm, 0.0))
    if norm > radius:
        coef *= radius / norm
        scores *= radius / norm
        squared_norm = radius**2
    return violators, squared_norm


@compiled
def kernel_pegasos_pass(
    K: Matrix,
    y: Vector,
    cost: Vector,
    lam: float,
    alpha: Vector,
    scores: Vector,
    order: Order,
    t: int,
    batch_size: int,
) -> None:
    """Take a step on each batch of `order`, after t steps."""
    for first in range(0, len(order), batch_size):
        t += 1
        batch = order[first : first + batch_size]
        kernel_pegasos_step(K, y, cost, lam, alpha, scores, batch, t)


@compiled
def signed_pegasos_pass(
    K: Matrix,
    y: Vector,
    cost: Vector,
    lam: float,
    coef: Vector,
    scores: Vector,
    squared_norm: float,
    order: Order,
    t: int,
    batch_size: int,
    radius: float,
    alpha: Vector,
) -> float:
    """Take a step on each batch of `order`, after t steps; count violations, return ‖w‖²."""
    for first in range(0, len(order), batch_size):
        t += 1
        batch = order[first : first + batch_size]
        violators, squared_norm = signed_pegasos_step(
            K, y, cost, lam, coef, scores, squared_norm, batch, t, radius
        )
        for i in violators:
            alpha[i] += 1 / len(batch)
    return squared_norm
