"""Certificates: what proves an answer right, recomputed from scratch and not by a solver's word."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from kernellab.validation import (
    FloatArray,
    check_gram,
    check_labels,
    check_number,
    check_numbers,
    check_vectors,
)


def functional_margins(scores: Any, y: Any) -> FloatArray:
    """Return y_i f(x_i) of every example: positive where the prediction is right.

    Parameters
    ----------
    scores : array-like, shape (n,)
        f(x_i).
    y : array-like, shape (n,)
        Labels -1 or +1; one of the two may be absent.

    Returns
    -------
    ndarray, shape (n,)
        In units of the score: it doubles when f does. See :func:`geometric_half_margin`.

    Raises
    ------
    ValueError
        If scores are not finite, y holds another label, or the two are not equally long.

    Notes
    -----
    Taught in notebook 01.
    """
    values = check_numbers(scores, "scores")
    return check_labels(y, len(values), both=False) * values


def training_mistakes(scores: Any, y: Any) -> int:
    """Count the examples with y_i f(x_i) ≤ 0: a zero score predicts no class, so is a mistake.

    Parameters
    ----------
    scores : array-like, shape (n,)
        f(x_i).
    y : array-like, shape (n,)
        Labels -1 or +1; one of the two may be absent.

    Returns
    -------
    int
        Between 0 and n.

    Raises
    ------
    ValueError
        As for :func:`functional_margins`.

    Notes
    -----
    Taught in notebook 01.
    """
    return int(np.count_nonzero(functional_margins(scores, y) <= 0.0))


def geometric_half_margin(w: Any, X: Any, y: Any) -> float:
    """Return the signed distance from the plane w·x = 0 to the example least on its right side.

    Parameters
    ----------
    w : array-like, shape (d,)
        Normal of a plane through the origin; its length does not matter.
    X : array-like, shape (n, d)
        Examples. For a plane with a bias, append a column of ones to X and the bias to w; the
        distance is then measured in those d + 1 coordinates.
    y : array-like, shape (n,)
        Labels -1 or +1; one of the two may be absent.

    Returns
    -------
    float
        min_i y_i w·x_i / ‖w‖, in units of X; negative if an example is on the wrong side. The
        band without examples is twice as wide.

    Raises
    ------
    ValueError
        If w is zero (no plane, no distance), shapes do not match, or entries are not finite.

    Notes
    -----
    Taught in notebooks 01 and 02.
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

    Parameters
    ----------
    X : array-like, shape (n, d)
        The vectors that the perceptron sees. With a bias that is the homogeneous vectors, with
        their column of ones: R and the margin are both measured in X as given.
    y : array-like, shape (n,)
        Labels -1 or +1.
    w : array-like, shape (d,)
        Any w that separates through the origin, y_i w·x_i > 0. The wider its margin, the better
        the bound; the bound holds for all of them.

    Returns
    -------
    float
        (R / margin)² with R = max_i ‖x_i‖ and margin = min_i y_i w·x_i / ‖w‖. At least 1.

    Raises
    ------
    ValueError
        If w does not separate, is zero, or as for :func:`geometric_half_margin`.

    Notes
    -----
    Novikoff 1962, On convergence proofs on perceptrons. Taught in notebook 01.
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
    """Return the eigenvalues of a Gram matrix, largest first.

    Parameters
    ----------
    K : array-like, shape (n, n)
        Symmetric; it need not be positive semi-definite.

    Returns
    -------
    ndarray, shape (n,)
        Real, descending. Absolute error about n · 2e-16 times the largest magnitude.

    Raises
    ------
    ValueError
        If K is not square, symmetric and finite.

    Notes
    -----
    Taught in notebook 03.
    """
    return np.asarray(scipy.linalg.eigvalsh(check_gram(K))[::-1])


def is_positive_semidefinite(K: Any, tol: float = 1e-10) -> bool:
    """Say whether no eigenvalue of K is negative beyond rounding.

    Parameters
    ----------
    K : array-like, shape (n, n)
        Symmetric.
    tol : float
        How far below zero the smallest eigenvalue may be, relative to the largest magnitude.

    Returns
    -------
    bool
        λ_min ≥ −tol · max_i |λ_i|. True for one Gram matrix does not make its k a kernel: that
        takes every finite set of points.

    Raises
    ------
    ValueError
        If K is not square, symmetric and finite, or tol is negative.

    Notes
    -----
    Taught in notebook 03.
    """
    tol = check_number(tol, "tol")
    if tol < 0.0:
        raise ValueError(f"tol must be a number of at least 0, got {tol!r}")
    eigenvalues = spectrum(K)
    return bool(eigenvalues[-1] >= -tol * np.abs(eigenvalues).max())
