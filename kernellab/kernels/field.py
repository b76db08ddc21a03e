"""The score of a kernel machine on a grid in the plane, for a picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.kernels.base import Kernel
from kernellab.kernels.distances import Gaussian
from kernellab.validation import FloatArray, check_numbers, check_vectors

_FIELD_ENTRIES = 1_000_000  # of the Gram matrix of grid and points held at a time: 8 MB


def score_field(kernel: Kernel, X: Any, weights: Any, x1: Any, x2: Any) -> FloatArray:
    """Return Σ_j weights_j k(x_j, ·) on an axis-aligned grid in the plane, for a picture.

    Entry [r, c] belongs to the point (x1[c], x2[r]), as ``contourf(x1, x2, …)`` wants it. A
    Gaussian of the plane is a product of two of the line, k = k₁(x₁) k₂(x₂), so its field is
    K₂ᵀ diag(weights) K₁ with K₁ (n, a) and K₂ (n, b): (a + b) n exponentials in place of a b n.
    Taught in notebook 03. Raises ValueError if X does not lie in the plane, shapes do not match, or
    entries are not finite.

    Parameters
    ----------
    kernel : Kernel. On vectors of two features.
    X : array-like, shape (n, 2). Points in the plane.
    weights : array-like, shape (n,). One signed number a point, such as α_j y_j.
    x1, x2 : array-like, shapes (a,) and (b,). Where the grid stands along each coordinate.
    """
    X = check_vectors(X)
    if X.shape[1] != 2:
        raise ValueError(f"X must lie in the plane, shape (n, 2), got shape {X.shape}")
    weights = check_numbers(weights, "weights", len(X))
    x1, x2 = check_numbers(x1, "x1"), check_numbers(x2, "x2")
    used = np.flatnonzero(weights)
    if 0 < len(used) < len(X):  # most points of a support vector machine have no weight
        X, weights = X[used], weights[used]
    if isinstance(kernel, Gaussian):
        along_x1 = kernel(X[:, :1], x1[:, np.newaxis])
        along_x2 = kernel(X[:, 1:], x2[:, np.newaxis])
        return along_x2.T @ (weights[:, np.newaxis] * along_x1)
    grid = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    step = max(1, _FIELD_ENTRIES // len(X))
    blocks = [kernel(grid[k : k + step], X) @ weights for k in range(0, len(grid), step)]
    return np.concatenate(blocks).reshape(len(x2), len(x1))
