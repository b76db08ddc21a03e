"""Pegasos with a bias that nothing shrinks: tried in notebook 04, and broken by its first steps."""

from __future__ import annotations

from kernellab.compiled import compiled
from kernellab.solving import Order
from kernellab.validation import FloatArray


@compiled
def free_bias_pass(
    X: FloatArray, y: FloatArray, lam: float, w: FloatArray, b: float, order: Order, t: int
) -> float:
    """Take the steps of Pegasos with a bias that is not regularised, so never shrunk; return b.

    Its objective is not strongly convex in b, and no theorem allows steps 1/(λt) for it.
    """
    for i in order:
        t += 1
        violation = y[i] * (X[i] @ w + b) < 1
        w *= 1 - 1 / t
        if violation:
            w += y[i] / (lam * t) * X[i]
            b += y[i] / (lam * t)
    return b
