"""The separator with the largest margin, exactly, by least distance programming.

Through the origin or with a bias; as the shortest weights, or as the closest points of two convex
hulls. Small problems, exact answers: `smo` with a large C is for many examples.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from scipy.optimize import nnls

from kernellab.solving import CONVERGED, STOPPED
from kernellab.validation import FloatArray, check_gram, check_labels, check_squares, check_vectors

NOT_SEPARABLE = "not separable"

THINNEST = 1e-13
"""A half-margin below this fraction of the largest |X_ij| is not told from none at all."""

ROUNDING = 1e-14
"""What the differences of points of size 1 are not known to: no direction is made of less."""

ATTEMPTS = 10
"""SciPy's nnls (since 1.15) may stop early on ties; other orders of the rows get past them."""

BIAS_SCALES = (1.0, 30.0, 1e3, 3e4)
"""How cheap a bias is made, one after the other, where it should be free."""


def max_margin_through_origin(X: Any, y: Any) -> tuple[FloatArray | None, str]:
    """The shortest w with y_i w·x_i ≥ 1 for all i, or the finding that there is none.

    X has shape (n, d). There is no bias: with `homogeneous(X)` the last weight is one, and counts
    in the length of w like the others. Returns w, shape (d,), and a status: "converged", else w is
    None; "not separable"; or "stopped at the cap", if rounding left it undecided. Raises ValueError
    for bad X or y. Taught in notebooks 01 and 02.

    Least distance programming, Lawson and Hanson (1974), chapter 23. With the rows g_i = y_i x_i:

    1. solve min over u ≥ 0 of ‖Gᵀu‖² + (1 − Σ u_i)², a non-negative least squares problem;
    2. its optimality conditions say g_i·v ≥ s, with equality where u_i > 0, for v = Gᵀu and
       s = 1 − Σ u_i;
    3. so w = v / s has g_i·w ≥ 1, and α = u / s is its dual solution: w = Σ α_i y_i x_i.

    If v = 0, then zero is a convex combination of the g_i, and no w has g_i·w > 0 for all i. Where
    the margin is thin, v is a small difference of large numbers; w is found more exactly as the
    shortest solution of g_i·w = 1 over the i with u_i > 0.

    The certificate: for every w and every u ≥ 0, min g_i·w / ‖w‖ ≤ half-margin ≤ ‖Gᵀu‖ / Σ u_i, the
    distance from zero to a point of the convex hull of the g_i. "converged" means that the two
    sides agree to six digits; "not separable" that the right one is below `THINNEST` times the
    largest |X_ij|.
    """
    X = check_vectors(X)
    y = check_labels(y, len(X))
    largest = np.abs(X).max()
    if largest == 0:
        return None, NOT_SEPARABLE
    G = y[:, np.newaxis] * (X / largest)  # the answer must not depend on the units of X

    for attempt in range(ATTEMPTS):
        w, at_most = _least_distance(np.roll(G, attempt, axis=0))
        if at_most <= THINNEST:
            return None, NOT_SEPARABLE
        smallest = (G @ w).min()
        if smallest > 0 and smallest >= (1 - 1e-6) * at_most * np.linalg.norm(w):
            return w / smallest / largest, CONVERGED
    return None, STOPPED


def _least_distance(G: FloatArray) -> tuple[FloatArray, float]:
    """A candidate for the shortest w with Gw ≥ 1, and an upper bound of the half-margin."""
    u = _least_squares_weights(G)
    if u is None:
        return np.zeros(G.shape[1]), np.inf
    w = np.linalg.lstsq(G[u > 0], np.ones(np.count_nonzero(u)))[0]
    return np.asarray(w, dtype=np.float64), float(np.linalg.norm(u @ G) / u.sum())


def _least_squares_weights(G: FloatArray) -> FloatArray | None:
    """The u ≥ 0 that minimises ‖Gᵀu‖² + (1 − Σ u_i)², or None after too many iterations."""
    n, d = G.shape
    zeros_and_one = np.append(np.zeros(d), 1.0)
    try:
        u: FloatArray = nnls(np.vstack([G.T, np.ones(n)]), zeros_and_one, maxiter=30 * n)[0]
    except RuntimeError:
        return None
    return u


# --- with a bias ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class HardMargin:
    """The widest margin between two classes: n examples, d features; f(x) = w·x + b = w·x − t.

    Where the status is not "converged" the rest is None.

    Parameters
    ----------
    status : str
        "converged"; "not separable"; or "stopped at the cap", if rounding left it undecided.
    w : array of shape (d,)
        Weights of functional margin 1: y_i (w·x_i + b) ≥ 1. None for a Gram matrix.
    b : float. Bias.
    alpha : array of shape (n,)
        Dual variables ≥ 0: w = Σ α_i y_i x_i, Σ α_i y_i = 0. Unlike w and b not always unique.
    half_margin : float. 1/‖w‖, geometric, in units of X. The band is twice as wide.
    """

    status: str
    w: FloatArray | None = None
    b: float | None = None
    alpha: FloatArray | None = None
    half_margin: float | None = None


def hard_margin(X: Any, y: Any) -> HardMargin:
    """The shortest w with y_i (w·x_i + b) ≥ 1 for all i, where b costs nothing; or there is none.

    1. With a coordinate M appended to x, least distance programming (see
       `max_margin_through_origin`) charges b²/M² for the bias. As M grows, its active set becomes
       that of the problem where b is free.
    2. There, active examples have w·x_i + b = y_i: w is the shortest solution of
       w·(x_i − x̄) = y_i − ȳ, means over the active ones.
    3. α ≥ 0 is the non-negative least squares solution of Σ α_i y_i x_i = w, Σ α_i y_i = 0.

    That is believed only if min y_i f(x_i) / ‖w‖, which no half-margin is below, agrees to six
    digits with half the distance of two points of the two convex hulls, which none is above. "Not
    separable" means two such points closer than `THINNEST` times the extent of the data. Lawson and
    Hanson (1974), chapter 23; Bennett and Bredensteiner (2000). Taught in notebook 02. Raises
    ValueError for bad X, shape (n, d), or y, or X of a size whose squares do not fit in a float.
    """
    X = check_vectors(X)
    y = check_labels(y, len(X))
    with np.errstate(over="ignore", invalid="ignore"):
        centre = X.mean(axis=0)
        extent = float(np.abs(X - centre).max())
    check_squares(extent)
    if extent == 0:
        return HardMargin(NOT_SEPARABLE)
    Z = (X - centre) / extent  # neither the origin nor the units of X must matter

    for M, shift in product(BIAS_SCALES, range(ATTEMPTS)):
        order = np.roll(np.arange(len(y)), -shift)
        signed = y[order, np.newaxis] * np.column_stack([Z[order], np.full(len(y), M)])
        u = _least_squares_weights(signed)
        if u is None:
            continue
        u = u[order.argsort()]
        if _hull_difference(Z, y, u)[1] <= THINNEST:
            return HardMargin(NOT_SEPARABLE)

        active = u > 0
        mean, mean_label = Z[active].mean(axis=0), y[active].mean()
        rows = Z[active] - mean
        rank = ROUNDING / max(float(np.linalg.norm(rows)), ROUNDING)
        w = np.linalg.lstsq(rows, y[active] - mean_label, rcond=rank)[0]
        b = mean_label - w @ mean
        length, smallest = np.linalg.norm(w), (y * (Z @ w + b)).min()
        if smallest <= 0:
            continue
        alpha = np.zeros(len(y))
        equations = np.vstack([(y[active, np.newaxis] * Z[active]).T, y[active]])
        alpha[active] = nnls(equations, np.append(w / length, 0.0), maxiter=30 * len(y))[0]
        hull_weights, distance = _hull_difference(Z, y, alpha)
        if smallest >= (1 - 1e-6) * distance / 2 * length:
            w, b = w / smallest / extent, b / smallest
            alpha = hull_weights * 2 / (distance * extent) ** 2
            half_margin = float(1 / np.linalg.norm(w))
            return HardMargin(CONVERGED, w, float(b - w @ centre), alpha, half_margin)
    return HardMargin(STOPPED)


def _hull_difference(Z: FloatArray, y: FloatArray, u: FloatArray) -> tuple[FloatArray, float]:
    """u scaled to sum to 1 in each class, and the distance of the two points it then means."""
    sums = np.where(y > 0, u[y > 0].sum(), u[y < 0].sum())
    if sums.min() <= 0:
        return u, np.inf
    return u / sums, float(np.linalg.norm((u / sums * y) @ Z))


def hard_margin_from_gram(K: Any, y: Any) -> HardMargin:
    """The same for a kernel: K holds all that is needed, w lies in the feature space and is None.

    f(x) = Σ α_i y_i k(x_i, x) + b. K = FFᵀ by its eigenvectors, both of shape (n, n), and the rows
    of F are examples with that Gram matrix. A distance is lost where it is below about 1e-7 of the
    largest. Taught in notebook 03. Raises ValueError for bad K or y, or if K has a negative
    eigenvalue.
    """
    K = check_gram(K)
    y = check_labels(y, len(K))
    eigenvalues, vectors = np.linalg.eigh(K)
    rounding = len(K) * np.finfo(np.float64).eps * np.abs(eigenvalues).max()
    if eigenvalues[0] < -10 * rounding:
        raise ValueError(f"K must be positive semi-definite, got an eigenvalue {eigenvalues[0]:g}")
    kept = eigenvalues > rounding
    if not kept.any():
        return HardMargin(NOT_SEPARABLE)
    return replace(hard_margin(vectors[:, kept] * np.sqrt(eigenvalues[kept]), y), w=None)


@dataclass(frozen=True)
class ClosestPoints:
    """The closest points of the convex hulls of two classes: n examples, d features.

    Parameters
    ----------
    status : str
        As for `HardMargin`: "not separable" if the hulls have a point in common. The rest is then
        None.
    positive, negative : arrays of shape (d,). The point of the hull of label +1, and of −1.
    weights : array of shape (n,)
        How they are mixed from the examples: ≥ 0, and Σ = 1 within each class.
    distance : float. Between the two, twice the half-margin.
    """

    status: str
    positive: FloatArray | None = None
    negative: FloatArray | None = None
    weights: FloatArray | None = None
    distance: float | None = None


def closest_points(X: Any, y: Any) -> ClosestPoints:
    """The closest points of the two convex hulls: the hard-margin problem, seen from its dual.

    X has shape (n, d), y holds labels −1 and +1. With closest points p and q, w = 2
    (p − q) / ‖p − q‖², the plane bisects the segment from p to q, and the weights are α / (½
    Σ α_i). Bennett and Bredensteiner (2000). Taught in notebook 02. Raises ValueError for bad X or
    y.
    """
    X = check_vectors(X)
    y = check_labels(y, len(X))
    solution = hard_margin(X, y)
    if solution.alpha is None or solution.half_margin is None:
        return ClosestPoints(solution.status)
    weights = 2 * solution.alpha / solution.alpha.sum()
    positive, negative = weights[y > 0] @ X[y > 0], weights[y < 0] @ X[y < 0]
    return ClosestPoints(CONVERGED, positive, negative, weights, 2 * solution.half_margin)
