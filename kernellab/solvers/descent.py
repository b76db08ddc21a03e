"""(Sub)gradient descent on the regularised empirical risk of a linear scorer, from many starts.

It is slow and plain on purpose: it shows that the risk has many minimisers, and that which one is
found depends on where it started, until a regulariser makes the answer unique.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from kernellab.losses import MarginLoss, ZeroOne
from kernellab.solving import CONVERGED, DIVERGED, RUNNING
from kernellab.validation import (
    FloatArray,
    check_labels,
    check_number,
    check_numbers,
    check_positive,
    check_vectors,
)

StepSize = float | Callable[[int], float]

HUGE = 1e150
"""Scores beyond this are divergence; their squares still fit in a float."""


def risk(
    X: FloatArray, y: FloatArray, W: FloatArray, loss: MarginLoss, lam: float = 0.0
) -> FloatArray:
    """The objective (1/n) Σ L(y_i w·x_i) + λ/2 ‖w‖², for each row w of W."""
    margins = y * (W @ X.T)
    return loss.value(margins).mean(axis=-1) + lam / 2 * (W**2).sum(axis=-1)


def risk_gradient(
    X: FloatArray, y: FloatArray, W: FloatArray, loss: MarginLoss, lam: float = 0.0
) -> FloatArray:
    """Its (sub)gradient (1/n) Σ L′(y_i w·x_i) y_i x_i + λw, for each row w of W."""
    margins = y * (W @ X.T)
    return (loss.subgradient(margins) * y) @ X / len(y) + lam * W


@dataclass(frozen=True)
class DescentState:
    """Where descent is, for one start, or for s of them side by side.

    Parameters
    ----------
    passes : int. Steps taken so far; each uses all examples.
    w : array of shape (d,) or (s, d). Weights.
    objective : float or array of shape (s,). Regularised risk of w.
    gap : float
        What objective − minimum is at most, for the worst start: ‖g‖² / (2λ), and without a
        regulariser 0 where g = 0, else inf: not known.
    status : str
        "running"; "converged" if all gradients are zero; "diverged" if an objective overflowed.
    """

    passes: int
    w: FloatArray
    objective: Any
    gap: float
    status: str


def descend(
    X: Any, y: Any, loss: MarginLoss, *, lam: float = 0.0, step: StepSize, start: Any = None
) -> Iterator[DescentState]:
    """Descend on the `risk` with all examples in every step: w ← w − η g(w).

    The first state is the start itself. It ends at a zero gradient, else never; w is an array of
    its own in every state. For convex L and any subgradient g at w, strong convexity gives
    objective − minimum ≤ ‖g‖² / (2λ). For the hinge that need not go to zero, because at a kink a
    subgradient can be long at the minimum itself: there the steps must shrink, and a large gap
    proves nothing. Shor (1985), *Minimization Methods for Non-Differentiable Functions*. Taught in
    notebook 01. Raises ValueError for a bad argument, the 0–1 loss among them, before the first
    step.

    Parameters
    ----------
    X : array of shape (n, d)
        One example a row. There is no bias: append one by `homogeneous(X)`; λ then shrinks it too.
    y : array of shape (n,). Labels −1 and +1.
    loss : MarginLoss. `losses.hinge`, `losses.logistic`, …
    lam : float. λ ≥ 0.
    step : float or callable
        η > 0, or a function of the number t = 1, 2, … of the step, such as
        `lambda t: 1 / (lam * t)`.
    start : array of shape (d,) or (s, d), optional
        First w, or s of them that descend side by side; zero if not given. It is copied.
    """
    X = check_vectors(X)
    y = check_labels(y, len(X))
    if not isinstance(loss, MarginLoss):
        raise ValueError(f"loss must be a margin loss such as losses.hinge, got {loss!r}")
    if isinstance(loss, ZeroOne):
        raise ValueError(
            "loss must be convex: the slope of the 0–1 loss is zero wherever it exists"
        )
    if check_number(lam, "lam") < 0:
        raise ValueError(f"lam must not be negative, got {lam!r}")
    if not callable(step):
        step = check_positive(step, "step")
    return _descend(X, y, loss, float(lam), step, _check_start(start, X.shape[1]))


def _descend(
    X: FloatArray, y: FloatArray, loss: MarginLoss, lam: float, step: StepSize, w: FloatArray
) -> Iterator[DescentState]:
    farthest = np.abs(X).sum(axis=1).max()
    for t in count(1):
        if not np.abs(w).max() * farthest < HUGE:
            yield DescentState(t - 1, w, np.full(w.shape[:-1], np.inf)[()], np.inf, DIVERGED)
            return
        with np.errstate(over="ignore", invalid="ignore"):  # to overflow is a finding
            objective = risk(X, y, w, loss, lam)
            g = risk_gradient(X, y, w, loss, lam)
            gap, status = _judge(objective, float(np.linalg.norm(g, axis=-1).max()), lam)
        yield DescentState(t - 1, w, objective, gap, status)
        if status != RUNNING:
            return
        w = w - (step(t) if callable(step) else step) * g


def _judge(objective: FloatArray, longest: float, lam: float) -> tuple[float, str]:
    if not np.isfinite(objective).all():
        return np.inf, DIVERGED
    if longest == 0:
        return 0.0, CONVERGED
    return longest**2 / (2 * lam) if lam > 0 else np.inf, RUNNING


def _check_start(start: Any, d: int) -> FloatArray:
    if start is None:
        return np.zeros(d)
    if np.ndim(start) < 2:
        return check_numbers(start, "start", d).copy()
    starts = check_vectors(start, "start")
    if starts.shape[1] != d:
        raise ValueError(f"start must have shape ({d},) or (s, {d}), got {starts.shape}")
    return starts.copy()
