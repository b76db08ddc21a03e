"""A stopping rule that is printed often, and has nothing to do with being near the optimum."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.solvers.sdca import sdca
from kernellab.validation import check_numbers, check_positive, check_positive_integer


def stop_at_small_step(
    K: Any, y: Any, C: float, order: Any, *, tol: float = 0.01, max_passes: int = 100
) -> tuple[int, float] | None:
    """Run SDCA until the last step of a pass, before it is clipped, is below tol · C.

    Parameters
    ----------
    K, y, C
        As in `sdca`, for the hinge. C = 1/λ_s, so that the step is compared in sum form,
        |λ_s − Q_i α| / Q_ii < tol, where α_i lies between 0 and 1.
    order : array of integers, shape (n,)
        The order of *every* pass: one shuffle, used again and again.
    tol : float
        The tolerance.
    max_passes : int
        When to give up.

    Returns
    -------
    (passes, gap) or None
        Where it stopped, with the relative duality gap there; None if it did not.

    Raises
    ------
    ValueError
        For a bad argument.

    Notes
    -----
    An α_i that rests at a bound is still pulled beyond it, so that its step before the clip never
    becomes small; and if example i happens to fit, its step is small wherever the others are.
    Taught in notebook 05, as a warning.
    """
    tol, C = check_positive(tol, "tol"), check_positive(C, "C")
    max_passes = check_positive_integer(max_passes, "max_passes")
    order = np.asarray(order)
    y = check_numbers(y, "y")
    last = int(order[-1])
    diagonal = float(np.asarray(K)[last, last])
    parts = [order[:-1], order[-1:]] * max_passes
    step = np.inf
    for k, state in enumerate(sdca(K, y, C, orders=parts)):
        if k % 2 == 1:  # all of a pass but its last update
            step = float(1 - y[last] * state.scores[last]) / diagonal
        elif k > 0 and abs(step) < tol * C:
            return state.passes // 2, state.gap
    return None
