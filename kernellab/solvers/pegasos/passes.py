"""The general pass of Pegasos: batches, costs, a ball, an average; rows dense, sparse or of K."""

from __future__ import annotations

import numpy as np

from kernellab.compiled import compiled
from kernellab.solvers.sparse import Indices, row_add, row_dot
from kernellab.solving import Order
from kernellab.validation import FloatArray

Vector = FloatArray

SMALLEST = 1e-3
"""Once projections have shrunk s by this much they are carried over into v: it might underflow."""


@compiled
def general_pass(
    values: FloatArray,
    columns: Indices | None,  # None, like starts, if the values are all of X, or K
    starts: Indices | None,
    gram: bool | None,  # None, not False: known when compiled, so that branch is not looked at
    y: Vector,
    cost: Vector,
    lam: float,
    v: Vector,
    alpha: Vector,
    order: Order,
    t: int,
    batch_size: int,
    radius: float,
    late: Vector,
    power: int,
    scale: Vector,
) -> None:
    """Take a step on each batch of `order`, after t steps, with w = s·v, and count violations.

    A step is w ← (1 − 1/t) w + 1/(λt k) Σ c_i y_i x_i over the violators among its k examples, and
    then back into a ball if there is one. Before step t it is s = shrunk/(λ(t − 1)): to shrink w is
    to shrink a number, and v is touched only where violators are not zero. Without a projection
    `shrunk` stays 1, and v is the sum of all violators. With a kernel v holds the scores of that
    sum instead, and the rows are those of K; there is no projection then.

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
            if gram is None:
                margins[j] = y[i] * s * row_dot(values, columns, starts, i, v)
            else:
                margins[j] = y[i] * s * v[i]
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
                alpha[i] += 1 / len(batch)

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
