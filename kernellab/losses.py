"""Losses: what a score costs, and what the dual of that cost looks like.

A margin loss is a function of the margin z = y f(x) alone. Those of `MARGIN_LOSSES` charge 1 at
z = 0, so that they can be drawn and compared on one axis, and all but the 0–1 loss are convex.

A dual loss is a function ρ of the residual r = 1 − y f(x), or r = y − f(x) in regression, whose
conjugate is ½ s a² + ε|a| on an interval. Four numbers say all of it, and so one dual step serves
every one of them: hinge, smoothed hinge, squared hinge, squared, absolute and ε-insensitive.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from kernellab.compiled import compiled
from kernellab.validation import (
    FloatArray,
    check_labels,
    check_number,
    check_numbers,
    check_positive,
)

# --- the dual of a loss ---------------------------------------------------------------------------


class Conjugate(NamedTuple):
    """The conjugate ρ*(a) = ½ s a² + ε|a| for lowest ≤ a ≤ highest, infinite outside.

    s = `smoothing` ≥ 0, ε = `insensitivity` ≥ 0, and 0 lies in the interval, which is bounded if
    s = 0. A named tuple, because compiled loops take it as it is.
    """

    smoothing: float
    insensitivity: float
    lowest: float
    highest: float


FLAT = 1e-300
"""A parabola of no more curvature than this is a line: its vertex does not fit in a float."""


@compiled
def dual_step(alpha: float, residual: float, k: float, C: float, conjugate: Conjugate) -> float:
    """Return the α_i that maximises the dual while all others stay: a vertex, clipped to a box.

    For the hinge it is clip(α_i + (1 − y_i f_i) / K_ii, 0, C). In general the dual, as a function
    of the new value a of α_i, is a parabola with a kink at 0:
    residual · (a − α_i) − ½ k (a − α_i)² − C ρ*(a / C).
    """
    lowest, highest = C * conjugate.lowest, C * conjugate.highest
    curvature = k + conjugate.smoothing / C
    if curvature <= FLAT:  # a line: jump to the bound it climbs to
        if residual > conjugate.insensitivity:
            return highest
        return lowest if residual < -conjugate.insensitivity else 0.0

    vertex = alpha + (residual - conjugate.smoothing * alpha / C) / curvature
    shrink = conjugate.insensitivity / curvature
    if vertex > shrink:
        vertex -= shrink
    elif vertex < -shrink:
        vertex += shrink
    else:
        vertex = 0.0
    return min(max(vertex, lowest), highest)


class DualLoss(ABC):
    """A convex loss ρ(r) of the residual r, through its conjugate ρ*(a) = max_r (a r − ρ(r)).

    Primal: ½‖w‖² + Σ C_i ρ(r_i). Dual, with t_i = 1 or y_i for the two kinds: Σ α_i t_i − Σ C_i
    ρ*(α_i / C_i) − ½‖w‖². Shalev-Shwartz and Zhang (2013), *Stochastic dual coordinate ascent
    methods for regularized loss minimization*. Taught in notebook 05.

    Attributes
    ----------
    name, label : str. How code and legends call it.
    signed : bool
        False: classification, r = 1 − y f, L(z) = ρ(1 − z), L*(−a) = ρ*(a) − a, and the dual
        variable α_i ≥ 0 weighs y_i k(x_i, ·). True: regression, r = y − f, and the dual variable
        is the signed weight `coef` of k(x_i, ·) itself.
    dual : Conjugate. The four numbers of ρ*.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    signed: ClassVar[bool] = False

    @property
    @abstractmethod
    def dual(self) -> Conjugate:
        """The four numbers of ρ*."""

    def of_residual(self, r: Any) -> FloatArray:
        """Return ρ(r) = max_a (a r − ρ*(a)), element by element, for finite r."""
        smoothing, insensitivity, lowest, highest = self.dual
        r = np.asarray(r, dtype=np.float64)
        excess = np.sign(r) * np.maximum(np.abs(r) - insensitivity, 0.0)
        steepest = np.clip(excess / smoothing if smoothing else np.sign(excess), lowest, highest)
        return steepest * excess - smoothing / 2 * steepest**2

    def conjugate(self, a: Any) -> FloatArray:
        """Return ρ*(a), element by element: inf outside its interval, where no bound exists."""
        smoothing, insensitivity, lowest, highest = self.dual
        a = np.asarray(a, dtype=np.float64)
        inside = (lowest <= a) & (a <= highest)
        return np.where(inside, smoothing / 2 * a**2 + insensitivity * np.abs(a), np.inf)

    def optimal_residuals(self, a: Any) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest r that go with a at the optimum: the ends of ∂ρ*(a).

        For the hinge: (−∞, 0) for a = 0, (0, 0) between, (0, ∞) for a = 1.
        """
        smoothing, insensitivity, lowest, highest = self.dual
        a = np.asarray(a, dtype=np.float64)
        low = smoothing * a + np.where(a > 0, insensitivity, -insensitivity)
        high = smoothing * a + np.where(a < 0, -insensitivity, insensitivity)
        return np.where(a <= lowest, -np.inf, low), np.where(a >= highest, np.inf, high)

    def dual_step(self, alpha: float, residual: float, k: float, C: float) -> float:
        """Return the best α_i while all others stay; see the function `dual_step`."""
        return float(dual_step(alpha, residual, k, C, self.dual))

    def sign_and_target(self, y: Any, n: int | None = None) -> tuple[FloatArray, FloatArray]:
        """Return (sign, t), shape (n,), with r = t − sign · f and coef = sign · α.

        That is (y, 1) for labels −1 and +1, one of which may be absent, and (1, y) in regression.
        """
        if self.signed:
            y = check_numbers(y, "y", n)
            return np.ones(len(y)), y
        y = check_labels(y, n, both=False)
        return y, np.ones(len(y))

    def residuals(self, scores: FloatArray, y: Any) -> FloatArray:
        """Return r, shape (n,): 1 − y f, or y − f in regression."""
        sign, target = self.sign_and_target(y, len(scores))
        return target - sign * scores


# --- losses of the margin -------------------------------------------------------------------------


@dataclass(frozen=True)
class MarginLoss(ABC):
    """A loss L(z) of the margin z = y f(x), with L(0) = 1.

    ``value`` and ``subgradient`` work element by element on arrays of any shape. Infinite margins
    are allowed, a NaN is an error. Taught in notebook 01.

    Attributes
    ----------
    name : str. How code calls it.
    label : str. How a legend calls it.
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


class Hinge(DualLoss, MarginLoss):
    """The loss of the support vector machine: L(z) = max(0, 1 − z).

    At the kink z = 1 every number in [−1, 0] is a subgradient; 0 is taken, so an example exactly
    on the margin does not push.
    """

    name = "hinge"
    label = "hinge: max(0, 1 − z)"
    dual = Conjugate(0.0, 0.0, 0.0, 1.0)

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
        return np.logaddexp(0.0, -z) / np.log(2.0)

    def _subgradient(self, z: FloatArray) -> FloatArray:
        return -np.exp(-np.logaddexp(0.0, z)) / np.log(2.0)


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


class Squared(DualLoss, MarginLoss):
    """The loss of least squares: L(z) = (1 − z)², which is (y − f)² because y² = 1.

    Two-sided: it also charges for a margin above 1, and passes 1 again at z = 2. In the dual it is
    the loss of regression, for any targets y, labels among them: its coef is signed.
    """

    name = "squared"
    label = "squared: (1 − z)²"
    signed = True
    dual = Conjugate(0.5, 0.0, -np.inf, np.inf)

    def _value(self, z: FloatArray) -> FloatArray:
        return np.square(1.0 - z)

    def _subgradient(self, z: FloatArray) -> FloatArray:
        return 2.0 * (z - 1.0)


class SquaredHinge(DualLoss, MarginLoss):
    """The one-sided squared loss: L(z) = max(0, 1 − z)².

    Unlike the hinge it is smooth: its derivative is 0 at z = 1 and from there on.
    """

    name = "squared_hinge"
    label = "squared hinge: max(0, 1 − z)²"
    dual = Conjugate(0.5, 0.0, 0.0, np.inf)

    def _value(self, z: FloatArray) -> FloatArray:
        return np.square(np.maximum(0.0, 1.0 - z))

    def _subgradient(self, z: FloatArray) -> FloatArray:
        return -2.0 * np.maximum(0.0, 1.0 - z)


@dataclass(frozen=True)
class SmoothedHinge(DualLoss, MarginLoss):
    """The hinge with its kink rounded off over a width s: (1 − z)²/(2s) for 1 − s ≤ z ≤ 1.

    Below 1 − s it is 1 − z − s/2, so for s ≤ 1 it charges 1 − s/2 at z = 0, not 1. Its derivative
    changes at most at the rate 1/s, and that makes dual coordinate ascent converge linearly.

    Parameters
    ----------
    s : float. Width s > 0 of the rounding; ValueError otherwise.
    """

    name = "smoothed_hinge"
    label = "smoothed hinge"
    s: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "s", check_positive(self.s, "s"))

    @property
    def dual(self) -> Conjugate:
        """ρ*(a) = ½ s a² for 0 ≤ a ≤ 1."""
        return Conjugate(self.s, 0.0, 0.0, 1.0)

    def _value(self, z: FloatArray) -> FloatArray:
        linear = 1.0 - self.s / 2 - z
        with np.errstate(over="ignore"):
            return np.where(z < 1.0 - self.s, linear, np.maximum(0.0, 1.0 - z) ** 2 / (2 * self.s))

    def _subgradient(self, z: FloatArray) -> FloatArray:
        return -np.clip((1.0 - z) / self.s, 0.0, 1.0)


# --- losses of regression -------------------------------------------------------------------------


@dataclass(frozen=True)
class Absolute(DualLoss):
    """The loss of median regression: ρ(r) = |r| for r = y − f."""

    name = "absolute"
    label = "absolute: |y − f|"
    signed = True
    dual = Conjugate(0.0, 0.0, -1.0, 1.0)


@dataclass(frozen=True)
class EpsilonInsensitive(DualLoss):
    """The loss of support vector regression: ρ(r) = max(0, |r| − ε) for r = y − f.

    Parameters
    ----------
    eps : float
        Half-width ε ≥ 0 of the tube that is free, in units of y; ValueError if it is negative.
    """

    name = "epsilon_insensitive"
    label = "ε-insensitive: max(0, |y − f| − ε)"
    signed = True
    eps: float

    def __post_init__(self) -> None:
        if check_number(self.eps, "eps") < 0:
            raise ValueError(f"eps must not be negative, got {self.eps!r}; 0 is the absolute loss")
        object.__setattr__(self, "eps", float(self.eps))

    @property
    def dual(self) -> Conjugate:
        """ρ*(a) = ε|a| for −1 ≤ a ≤ 1."""
        return Conjugate(0.0, self.eps, -1.0, 1.0)


zero_one = ZeroOne()
hinge = Hinge()
logistic = Logistic()
exponential = Exponential()
squared = Squared()
squared_hinge = SquaredHinge()

MARGIN_LOSSES = (zero_one, hinge, logistic, exponential, squared, squared_hinge)

smoothed_hinge = SmoothedHinge
absolute = Absolute()
epsilon_insensitive = EpsilonInsensitive


def check_dual_loss(loss: Any) -> DualLoss:
    """Return the loss, or raise a ValueError that lists those with a dual step in closed form."""
    if isinstance(loss, DualLoss):
        return loss
    got = loss.name if isinstance(loss, MarginLoss) else repr(loss)
    raise ValueError(
        "loss must be one of losses.hinge, smoothed_hinge(s), squared_hinge, squared, absolute and "
        f"epsilon_insensitive(eps), which have a dual step in closed form, got {got}"
    )
