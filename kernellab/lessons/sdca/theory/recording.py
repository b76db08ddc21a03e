"""A run of SDCA kept update by update, so that a slider can go back and forth in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from kernellab.losses import DualLoss, hinge
from kernellab.solvers.sdca import sdca
from kernellab.solving import Order, Seed
from kernellab.validation import FloatArray, check_positive_integer


@dataclass(frozen=True)
class Recording:
    """What changed in each of T updates, and what it was worth; f(x_j) = Σ α_i sign_i K_ij.

    sign is y, or 1 in regression, and `start` is α before the first update, both of shape (n,). `i`
    holds the example of each update and `value` its α_i afterwards, shape (T,). The objectives in
    C-form, shape (T + 1,), are from before the first update to after the last.
    """

    K: FloatArray
    sign: FloatArray
    start: FloatArray
    i: Order
    value: FloatArray
    primal: FloatArray
    dual: FloatArray

    @property
    def absolute_gap(self) -> FloatArray:
        """P − D, shape (T + 1,)."""
        return self.primal - self.dual

    @cached_property
    def alphas(self) -> FloatArray:
        """α (`coef` in regression) after 0, 1, … T updates, shape (T + 1, n)."""
        alphas = np.tile(self.start, (len(self.i) + 1, 1))
        for t, (i, value) in enumerate(zip(self.i, self.value, strict=True), start=1):
            alphas[t:, i] = value
        return alphas

    @cached_property
    def scores(self) -> FloatArray:
        """f(x_i) after 0, 1, … T updates, shape (T + 1, n)."""
        scores: FloatArray = (self.alphas * self.sign) @ self.K
        return scores


def record(
    K: Any,
    y: Any,
    C: Any,
    *,
    updates: int,
    loss: DualLoss = hinge,
    start: Any = None,
    rng: Seed | None = 0,
    orders: Iterable[Any] | None = None,
) -> Recording:
    """Run SDCA for a number of updates, unless orders end before, and keep what each of them did.

    The other arguments and errors are those of `sdca`. Taught in notebook 05.
    """
    updates = check_positive_integer(updates, "updates")
    states = sdca(K, y, C, loss=loss, start=start, rng=rng, orders=orders, one_at_a_time=True)
    first = next(states)
    variables = first.coef if loss.signed else first.alpha
    sign, _ = loss.sign_and_target(y, len(variables))
    begin = variables.copy()
    i, value, objectives = [], [], [(first.primal, first.dual)]
    for state in islice(states, updates):
        assert state.i is not None
        i.append(state.i)
        value.append(variables[state.i])
        objectives.append((state.primal, state.dual))
    primal, dual = np.array(objectives).T
    indices = np.array(i, dtype=np.intp)
    return Recording(
        np.asarray(K, dtype=np.float64), sign, begin, indices, np.array(value), primal, dual
    )


def gaps_of(K: Any, y: Any, C: float, loss: DualLoss, *, passes: int) -> FloatArray:
    """Return the gap in λ-form, (P − D)/(Cn), after 0, 1, … passes of `sdca`, until 1e-10."""
    gaps = []
    for state in islice(sdca(K, y, C, loss=loss), passes + 1):
        gaps.append((state.primal - state.dual) / (C * len(y)))
        if gaps[-1] < 1e-10:
            break
    return np.array(gaps)


def clipped_step(K_diag: Any, y: Any, scores: Any, alpha: Any, C: float) -> Any:
    """Return how far an update of each α_i alone would go, all (n,): to the top, and clipped."""
    return np.clip(alpha + (1 - y * scores) / K_diag, 0, C) - alpha


def rises(K_diag: Any, y: Any, scores: Any, alpha: Any, C: float) -> FloatArray:
    """Return by how much that would raise the dual, (n,)."""
    step = clipped_step(K_diag, y, scores, alpha, C)
    return np.asarray(step * (1 - y * scores) - step * step * K_diag / 2)
