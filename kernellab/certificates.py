"""Certificates: what proves an answer right, recomputed from scratch and not by a solver's word."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kernellab.losses import DualLoss, check_dual_loss, hinge
from kernellab.validation import (
    FloatArray,
    check_gram,
    check_labels,
    check_number,
    check_numbers,
    check_positive,
    check_vectors,
)


def functional_margins(scores: Any, y: Any) -> FloatArray:
    """Return y_i f(x_i) of every example, shape (n,): positive where the prediction is right.

    In units of the score; `scores` holds f(x_i), shape (n,), y holds labels −1 or +1, one of which
    may be absent. Taught in notebook 01.
    Raises ValueError if scores are not finite, y holds another label, or their lengths differ.
    """
    values = check_numbers(scores, "scores")
    return check_labels(y, len(values), both=False) * values


def geometric_half_margin(w: Any, X: Any, y: Any) -> float:
    """Return the signed distance from the plane w·x = 0 to the example least on its right side.

    min_i y_i w·x_i / ‖w‖, in units of X; negative if an example is on the wrong side. The band
    without examples is twice as wide. X has shape (n, d), w shape (d,), and its length does not
    matter. For a plane with a bias, append a column of ones to X and the bias to w; the distance is
    then measured in those d + 1 coordinates. One of the labels −1 and +1 may be absent. Taught in
    notebooks 01 and 02. Raises ValueError if w is zero (no plane, no distance), shapes do not
    match, or entries are not finite.
    """
    X = check_vectors(X)
    w = check_numbers(w, "w", X.shape[1])
    largest = np.abs(w).max()
    if largest == 0.0:
        raise ValueError("w must not be zero: the geometric margin divides by its norm")
    direction = w / largest  # a very short or long w would under- or overflow in its norm
    direction /= np.linalg.norm(direction)
    return float(functional_margins(X @ direction, y).min())


def novikoff_bound(X: Any, y: Any, w: Any) -> float:
    """Return (R / margin)², which bounds the mistakes of a perceptron started from zero.

    R = max_i ‖x_i‖, and margin = min_i y_i w·x_i / ‖w‖ for any w, shape (d,), that separates
    through the origin: the bound holds for all of them, and is the better the wider the margin. X,
    shape (n, d), holds the vectors that the perceptron sees: with a bias the homogeneous ones, with
    their column of ones. At least 1. Novikoff 1962, On convergence proofs on perceptrons. Taught in
    notebook 01. Raises ValueError if w does not separate, is zero, or as for
    :func:`geometric_half_margin`.
    """
    margin = geometric_half_margin(w, X, y)
    if margin <= 0.0:
        raise ValueError(
            f"w must separate the examples through the origin, got one at signed distance "
            f"{margin:.6g}; without a separator there is no bound"
        )
    radius = np.linalg.norm(check_vectors(X), axis=1).max()
    return float((radius / margin) ** 2)


def spectrum(K: Any) -> FloatArray:
    """Return the eigenvalues of a symmetric K, shape (n,), largest first.

    Absolute error about n · 2e-16 times the largest magnitude. Taught in notebook 03. Raises
    ValueError if K is not of shape (n, n), symmetric and finite.
    """
    return _eigenvalues(check_gram(K))[::-1]


def _eigenvalues(K: FloatArray) -> FloatArray:
    """Return them smallest first."""
    from scipy.linalg import eigvalsh  # here, for the first figure of a page does without

    return np.asarray(eigvalsh(K))


def is_positive_semidefinite(K: Any, tol: float = 1e-10) -> bool:
    """Say whether no eigenvalue of K, shape (n, n), is negative beyond rounding.

    True where λ_min ≥ −tol · max_i |λ_i|. True for one Gram matrix does not make its k a kernel:
    that takes every finite set of points. Taught in notebook 03. Raises ValueError if K is not
    square, symmetric and finite, or tol is negative.
    """
    tol = check_number(tol, "tol")
    if tol < 0.0:
        raise ValueError(f"tol must be a number of at least 0, got {tol!r}")
    eigenvalues = spectrum(K)
    return bool(eigenvalues[-1] >= -tol * np.abs(eigenvalues).max())


def negative_eigenvalues(K: Any, *, centred: bool = False) -> tuple[float, float] | None:
    """Return None if K is positive semi-definite, else its smallest and its largest eigenvalue.

    K + tol ‖K‖ I, in the Frobenius norm, has a Cholesky factorisation or not: a fifth of the time
    of the spectrum, which is computed only if it has none. tol is 1e-10, or 1e-6 if all entries are
    of single precision. `centred` asks about cᵀKc for Σ c_i = 0 only, which is all that a problem
    with a bias needs (then −‖x − z‖² will do), and about the eigenvalues of the centred K.
    Schölkopf (2001), *The kernel trick for distances*. Taught in notebook 03. Raises ValueError if
    K is not of shape (n, n), symmetric and finite.
    """
    return _negative(check_gram(K), centred)


def _negative(given: FloatArray, centred: bool) -> tuple[float, float] | None:
    K = given
    if centred:
        means = K.sum(axis=0) / len(K)
        K = K - means
        K -= (means - means.sum() / len(K))[:, np.newaxis]
    allowed = 1e-10 * float(np.linalg.norm(K))
    shifted = K.copy()
    shifted.flat[:: len(K) + 1] += max(allowed, np.finfo(np.float64).tiny)
    try:
        np.linalg.cholesky(shifted)
    except np.linalg.LinAlgError:
        eigenvalues = _eigenvalues(K)
        with np.errstate(over="ignore"):
            single = np.array_equal(given, given.astype(np.float32))
        if eigenvalues[0] < -(1e-6 if single else 1e-10) * np.abs(eigenvalues).max():
            return float(eigenvalues[0]), float(eigenvalues[-1])
    return None


def negative_eigenvalues_of_some(
    K: FloatArray, key: FloatArray, *, centred: bool
) -> tuple[float, float] | None:
    """As :func:`negative_eigenvalues`, of K on the examples of the largest keys alone, unchecked.

    A key, shape (n,), says how much an example matters, such as how far α_i is from its bounds:
    where K has a negative eigenvalue on those that may move, α is no maximum of the dual. If that
    part has one, so has K; None proves nothing of the rest, see :func:`is_positive_semidefinite`. 2
    √n examples, and at least 64, are looked at: a Cholesky factorisation of that many costs less
    than reading K once. Taught in notebook 03.
    """
    most = max(64, round(2 * len(K) ** 0.5))
    some = np.argpartition(-key, most)[:most] if most < len(K) else np.arange(len(K))
    return _negative(K[some[:, np.newaxis], some], centred)


# --- primal, dual and the gap between them --------------------------------------------------------

AT_BOUND = 1e-12
"""An α_i / C_i this close to a bound, or to zero, is taken to be there when KKT is checked."""

BALANCED = 1e-6
"""Largest |Σ α_i y_i| / Σ α_i for which α counts as a point of the dual with a bias."""


def relative_gap(primal: float, dual: float) -> float:
    """Return (P − D) / max(|P|, |D|), or 0 where both are 0: how far P can be from the optimum.

    P and D are objectives of a primal and of a dual point of one problem; D may be −inf. The gap is
    dimensionless and so the same in C-form and in λ-form; inf if an objective is infinite, NaN if
    one is NaN. Below zero only by rounding, if K is positive semi-definite. Taught in notebook 05.
    """
    larger = max(abs(primal), abs(dual))
    if larger == math.inf:
        return math.nan if math.isnan(primal) or math.isnan(dual) else math.inf
    return float((primal - dual) / larger) if larger else 0.0


class Bounds(ABC):
    """What a state of a solver proves: computed when first asked for, and then kept."""

    @cached_property
    @abstractmethod
    def _objectives(self) -> tuple[float, ...]:
        """Primal and dual, and what else comes with them."""

    @property
    def primal(self) -> float:
        """The objective, in C-form: an upper bound of its minimum."""
        return self._objectives[0]

    @property
    def dual(self) -> float:
        """A lower bound of that minimum, which no step lowers."""
        return self._objectives[1]

    @property
    def gap(self) -> float:
        """The relative duality gap, see `relative_gap`."""
        return relative_gap(self.primal, self.dual)


def gap_terms(scores: Any, y: Any, alpha: Any, C: Any, *, loss: DualLoss = hinge) -> FloatArray:
    """Return the duality gap as one term a point, none of them negative.

    Returns C_i ρ(r_i) + C_i ρ*(α_i / C_i) − α_i r_i, in units of the C-form objective. It sums to
    P − D, and a term is zero exactly where point i meets its KKT condition; inf where α_i is
    outside its box. Each term is at least 0 by the inequality of Fenchel and Young. For the hinge
    it is C ξ_i − α_i (1 − y_i f_i). Taught in notebook 05. Raises ValueError if shapes do not
    match, an entry is not finite, C is not positive, or y holds no labels.

    Parameters
    ----------
    scores : array-like, shape (n,)
        f(x_i), those of α: Σ_j α_j y_j K_ij without a bias, or with one if Σ α_i y_i = 0.
    y : array-like, shape (n,). Labels −1 and +1, or targets if the loss is one of regression.
    alpha : array-like, shape (n,)
        Dual variables; the signed `coef` if the loss is one of regression.
    C : float or array-like, shape (n,). Cost of a loss of 1, of every point or point by point.
    loss : DualLoss. `losses.hinge`, `losses.epsilon_insensitive(0.1)`, …
    """
    loss = check_dual_loss(loss)
    scores = check_numbers(scores, "scores")
    alpha = check_numbers(alpha, "alpha", len(scores))
    C = check_C(C, len(scores))
    r = loss.residuals(scores, y)
    terms: FloatArray = C * (loss.of_residual(r) + loss.conjugate(alpha / C)) - alpha * r
    return np.maximum(terms, 0.0)  # below zero is rounding


@dataclass(frozen=True)
class Certificate:
    """What α proves about itself, recomputed from K and α alone.

    Parameters
    ----------
    primal : float. ½‖w‖² + Σ C_i ρ(r_i) at the w (and bias) of α: an upper bound of the optimum.
    dual : float. Its lower bound, −inf if α is no point of the dual.
    gap : float. Relative duality gap (P − D) / max(|P|, |D|).
    kkt : float
        Largest distance, in units of the score, of a residual from those that go with its α_i;
        with a bias also |Σ α_i y_i| / Σ α_i, if that is larger; inf if α is outside its box.
    squared_norm : float
        ‖w‖², so that 1/‖w‖ is the geometric half-margin. Negative only if K is no kernel.
    scores : ndarray, shape (n,). f(x_i), bias included.
    margins : ndarray, shape (n,). y_i f(x_i); f(x_i) itself in regression.
    residuals : ndarray, shape (n,). 1 − y_i f(x_i); y_i − f(x_i) in regression.
    """

    primal: float
    dual: float
    gap: float
    kkt: float
    squared_norm: float
    scores: FloatArray
    margins: FloatArray
    residuals: FloatArray


def svm_certificate(
    K: Any, y: Any, alpha: Any, C: Any, *, loss: DualLoss = hinge, bias: float | None = None
) -> Certificate:
    """Recompute primal, dual, gap, KKT residual and margins of a kernel machine from K and α.

    P(w, b) = ½‖w‖² + Σ C_i L(y_i f_i), D(α) = −Σ C_i L*(−α_i / C_i) − ½ (α∘y)ᵀK(α∘y), and
    D(α) ≤ P(w, b) for all of them, so that P − D bounds what either lacks. An α outside its box, or
    with |Σ α_i y_i| above 1e-6 Σ α_i where there is a bias, proves nothing: D = −∞. Taught in
    notebooks 02 and 05. Raises ValueError as for :func:`gap_terms`, and if K is not square,
    symmetric and finite.

    Parameters
    ----------
    K : array-like, shape (n, n). Gram matrix; the bounds hold if it is positive semi-definite.
    y : array-like, shape (n,)
        Labels −1 and +1 (all of them +1: one-class), or targets if the loss is one of regression.
    alpha : array-like, shape (n,)
        Dual variables α_i ≥ 0; the signed `coef` if the loss is one of regression.
    C : float or array-like, shape (n,). Cost of a loss of 1, of every point or point by point.
    loss : DualLoss. `losses.hinge`, `losses.squared_hinge`, …
    bias : float, optional
        The bias b in f(x) = Σ α_i y_i k(x_i, x) + b. None is the problem without a bias, which is
        another one than the problem with a bias of zero: with one, Σ α_i y_i = 0 is asked for.
    """
    loss = check_dual_loss(loss)
    K = check_gram(K)
    sign, target = loss.sign_and_target(y, len(K))
    alpha = check_numbers(alpha, "alpha", len(K))
    C = check_C(C, len(K))

    coef = sign * alpha
    without_bias = K @ coef
    squared_norm = float(coef @ without_bias)
    scores = without_bias + (0.0 if bias is None else check_number(bias, "bias"))
    r = target - sign * scores

    primal = squared_norm / 2 + float(C @ loss.of_residual(r))
    dual = float(alpha @ target - C @ loss.conjugate(alpha / C)) - squared_norm / 2
    kkt = _kkt_violation(alpha / C, r, loss)
    if bias is not None and coef.any():
        imbalance = float(abs(coef.sum()) / np.abs(coef).sum())
        kkt = max(kkt, imbalance)
        if imbalance > BALANCED:
            dual = -np.inf
    gap = relative_gap(primal, dual)
    return Certificate(primal, dual, gap, kkt, squared_norm, scores, sign * scores, r)


def _kkt_violation(a: FloatArray, r: FloatArray, loss: DualLoss) -> float:
    """Return how far the worst residual is from those that go with its a = α/C; inf if a is out."""
    if np.isinf(loss.conjugate(a)).any():
        return float("inf")
    for corner in (0.0, loss.dual.lowest, loss.dual.highest):
        a = np.where(np.abs(a - corner) <= AT_BOUND, corner, a)
    low, high = loss.optimal_residuals(a)
    return float(np.maximum(0.0, np.maximum(low - r, r - high)).max())


def nu(alpha: Any, C: Any) -> float:
    """Return ν = Σ α_i / Σ C_i, which is Σ α_i / (C n): the C of an SVM said as a fraction.

    The dual variables, shape (n,), are those of a hinge loss at the optimum, and C is the cost of a
    loss of 1, of every point or point by point. The share of examples with a margin error (ξ_i > 0)
    is at most ν ≤ 1, and the share of support vectors at least ν; with unequal C, shares are
    counted by C: a margin error has α_i = C_i, and no α_i is larger. Schölkopf, Smola, Williamson
    and Bartlett (2000), *New support vector algorithms*. Taught in notebooks 02 and 05. Raises
    ValueError if alpha is not a list of finite numbers, or C is not positive.
    """
    alpha = check_numbers(alpha, "alpha")
    return float(alpha.sum() / check_C(C, len(alpha)).sum())


def check_C(C: Any, n: int, name: str = "C") -> FloatArray:  # noqa: N802
    """Return the costs of n examples, shape (n,): C for all of them, or theirs if it is a list.

    Raises ValueError, with this name, if C is neither a positive number nor n of them.
    """
    if np.ndim(C) == 0:
        return np.full(n, check_positive(C, name))
    costs = check_numbers(C, name, n)
    if costs.min() <= 0:
        raise ValueError(
            f"{name} must be positive for every example, got {costs.min():g}; "
            f"leave out examples of weight zero"
        )
    return costs
