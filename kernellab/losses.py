"""Margin losses: what a score costs, as a function of the margin z = y f(x) alone.

All of them charge 1 at z = 0, so that they can be drawn and compared on one axis, and all but the
0–1 loss are convex.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kernellab.validation import FloatArray


@dataclass(frozen=True)
class MarginLoss(ABC):
    """A loss L(z) of the margin z = y f(x), with L(0) = 1.

    Attributes
    ----------
    name : str
        How code calls it.
    label : str
        How a legend calls it.

    Notes
    -----
    ``value`` and ``subgradient`` work element by element on arrays of any shape. Infinite margins
    are allowed, a NaN is an error. Taught in notebook 01.
    """

    name: ClassVar[str]
    label: ClassVar[str]

    def value(self, z: Any) -> FloatArray:
        """Return L(z), of the same shape as z; ValueError if z holds NaN or is not numeric."""
        return self._value(_check_margins(z))

    def subgradient(self, z: Any) -> FloatArray:
        """Return one g with L(t) ≥ L(z) + g (t − z) for all t; ValueError as for ``value``.

        Where L is smooth it is the derivative; each loss says what it takes at its kink.
        """
        return self._subgradient(_check_margins(z))

    @abstractmethod
    def _value(self, z: FloatArray) -> FloatArray: ...

    @abstractmethod
    def _subgradient(self, z: FloatArray) -> FloatArray: ...


def _check_margins(z: Any) -> FloatArray:
    try:
        margins = np.asarray(z, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"z must be a margin or an array of margins, got {z!r}") from None
    if np.isnan(margins).any():
        raise ValueError("z must not hold NaN; look for NaN in the scores and labels it came from")
    return margins


class ZeroOne(MarginLoss):
    """1 for a mistake, else 0: L(z) = [z ≤ 0]. A score of exactly zero is a mistake.

    It is not convex and has no subgradient. What ``subgradient`` returns is the derivative, 0
    wherever it exists, and 0 at the step too: descent on this loss does not move.
    """

    name = "zero_one"
    label = "0–1: 1 if z ≤ 0"

    def _value(self, z: FloatArray) -> FloatArray:
        return np.where(z <= 0.0, 1.0, 0.0)

    def _subgradient(self, z: FloatArray) -> FloatArray:
        return np.zeros_like(z)


class Hinge(MarginLoss):
    """The loss of the support vector machine: L(z) = max(0, 1 − z).

    At the kink z = 1 every number in [−1, 0] is a subgradient; 0 is taken, so an example exactly
    on the margin does not push.
    """

    name = "hinge"
    label = "hinge: max(0, 1 − z)"

    def _value(self, z: FloatArray) -> FloatArray:
        return np.maximum(0.0, 1.0 - z)

    def _subgradient(self, z: FloatArray) -> FloatArray:
        return np.where(z < 1.0, -1.0, 0.0)


class Logistic(MarginLoss):
    """The loss of logistic regression in bits: L(z) = log₂(1 + e^−z).

    The base 2 makes L(0) = 1. Stable for any z: about −z / ln 2 far below zero, e^−z / ln 2 far
    above. L′(z) = −1 / (ln 2 · (1 + e^z)).
    """

    name = "logistic"
    label = "logistic: log₂(1 + e^−z)"

    def _value(self, z: FloatArray) -> FloatArray:
        bits: FloatArray = np.logaddexp(0.0, -z) / np.log(2.0)
        return bits

    def _subgradient(self, z: FloatArray) -> FloatArray:
        slope: FloatArray = -np.exp(-np.logaddexp(0.0, z)) / np.log(2.0)
        return slope


class Exponential(MarginLoss):
    """The loss of boosting: L(z) = e^−z, L′(z) = −e^−z.

    Below z of about −709 the value does not fit in a float: it is inf, without a warning, and the
    derivative −inf.
    """

    name = "exponential"
    label = "exponential: e^−z"

    def _value(self, z: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            return np.exp(-z)

    def _subgradient(self, z: FloatArray) -> FloatArray:
        return -self._value(z)


class Squared(MarginLoss):
    """The loss of least squares: L(z) = (1 − z)², which is (y − f)² because y² = 1.

    Two-sided: it also charges for a margin above 1, and passes 1 again at z = 2.
    """

    name = "squared"
    label = "squared: (1 − z)²"

    def _value(self, z: FloatArray) -> FloatArray:
        return np.square(1.0 - z)

    def _subgradient(self, z: FloatArray) -> FloatArray:
        return 2.0 * (z - 1.0)


class SquaredHinge(MarginLoss):
    """The one-sided squared loss: L(z) = max(0, 1 − z)².

    Unlike the hinge it is smooth: its derivative is 0 at z = 1 and from there on.
    """

    name = "squared_hinge"
    label = "squared hinge: max(0, 1 − z)²"

    def _value(self, z: FloatArray) -> FloatArray:
        return np.square(np.maximum(0.0, 1.0 - z))

    def _subgradient(self, z: FloatArray) -> FloatArray:
        return -2.0 * np.maximum(0.0, 1.0 - z)


zero_one = ZeroOne()
hinge = Hinge()
logistic = Logistic()
exponential = Exponential()
squared = Squared()
squared_hinge = SquaredHinge()

MARGIN_LOSSES: tuple[MarginLoss, ...] = (
    zero_one,
    hinge,
    logistic,
    exponential,
    squared,
    squared_hinge,
)
