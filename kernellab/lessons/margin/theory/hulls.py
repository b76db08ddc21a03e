"""Convex hulls of points in the plane, and a point that two of them share.

Where two hulls meet, no line separates the points, and the dual of the hard margin has no maximum.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import nnls
from scipy.spatial import ConvexHull, QhullError

from kernellab.solvers.hard_margin import THINNEST
from kernellab.validation import FloatArray, check_labels, check_vectors


def convex_hull(X: Any) -> FloatArray:
    """Return the corners of the convex hull of points in the plane, counter-clockwise.

    X has shape (n, 2), its points may coincide or lie on a line; the corners have shape (k, 2): one
    if all points coincide, two if all lie on a line. Raises ValueError if X is not of that shape.
    Barber, Dobkin and Huhdanpaa (1996), *Qhull*. Taught in notebook 02.
    """
    X = check_vectors(X)
    if X.shape[1] != 2:
        raise ValueError(f"X must lie in the plane, shape (n, 2), got shape {X.shape}")
    points = np.unique(X, axis=0)  # sorted by x₁, then x₂
    try:
        return points[ConvexHull(points).vertices]
    except QhullError:  # no area
        return points[[0, -1]] if len(points) > 1 else points


def common_point(X: Any, y: Any) -> tuple[FloatArray, FloatArray] | None:
    """A point of both convex hulls, and how it is mixed from each class; None if they are apart.

    Parameters
    ----------
    X, y : One example a row, shape (n, d), and labels −1 and +1, shape (n,).

    Returns
    -------
    point : array of shape (d,)
        A point in both hulls.
    weights : array of shape (n,)
        u ≥ 0 with Σ u_i = 1 within each class and Σ u_i y_i x_i = 0. Along α = s u the dual of the
        hard margin is Σ α_i − ½‖Σ α_i y_i x_i‖² = 2 s, which has no maximum.

    Raises
    ------
    ValueError
        For bad X or y.

    Notes
    -----
    Non-negative least squares on Σ u_i y_i x_i = 0, Σ₊ u_i = Σ₋ u_i = 1. Taught in notebook 02.
    """
    X = check_vectors(X)
    y = check_labels(y, len(X))
    centred = X - X.mean(axis=0)
    extent = float(np.abs(centred).max()) or 1.0
    equations = np.vstack([(y[:, np.newaxis] * centred / extent).T, y > 0, y < 0])
    wanted = np.append(np.zeros(X.shape[1]), [1.0, 1.0])
    weights, distance = nnls(equations, wanted, maxiter=30 * len(y))
    if distance > np.sqrt(THINNEST):
        return None
    weights /= np.where(y > 0, weights[y > 0].sum(), weights[y < 0].sum())
    return weights[y > 0] @ X[y > 0], weights
