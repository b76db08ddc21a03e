"""The score of a kernel machine on a grid in the plane, for a picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.kernels.base import Kernel
from kernellab.validation import FloatArray, check_numbers, check_vectors

_FIELD_ENTRIES = 1_000_000  # of the Gram matrix of grid and points held at a time: 8 MB


def score_field(kernel: Kernel, X: Any, weights: Any, x1: Any, x2: Any) -> FloatArray:
    """Return Σ_j weights_j k(x_j, ·) on an axis-aligned grid in the plane, whatever the kernel.

    Returns an array of shape (len(x2), len(x1)): entry [r, c] belongs to the point (x1[c], x2[r]).
    Raises ValueError if X does not lie in the plane, shapes do not match, or entries are not
    finite.

    Parameters
    ----------
    kernel : Kernel. On vectors of two features.
    X, weights, x1, x2 : array-like
        As for :meth:`Gaussian.on_grid`, which is used where the kernel has it.
    """
    if hasattr(kernel, "on_grid"):
        field: FloatArray = kernel.on_grid(X, weights, x1, x2)
        return field
    X, weights, x1, x2 = check_field(X, weights, x1, x2)
    grid = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    step = max(1, _FIELD_ENTRIES // len(X))
    blocks = [kernel(grid[k : k + step], X) @ weights for k in range(0, len(grid), step)]
    return np.concatenate(blocks).reshape(len(x2), len(x1))


def check_field(
    X: Any, weights: Any, x1: Any, x2: Any
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the four as arrays of floats; raise a ValueError unless X lies in the plane.

    Points of weight zero are left out: a support vector machine gives it to most, and they would
    take most of the time.
    """
    X = check_vectors(X)
    if X.shape[1] != 2:
        raise ValueError(f"X must lie in the plane, shape (n, 2), got shape {X.shape}")
    weights = check_numbers(weights, "weights", len(X))
    used = np.flatnonzero(weights)
    if 0 < len(used) < len(X):
        X, weights = X[used], weights[used]
    return X, weights, check_numbers(x1, "x1"), check_numbers(x2, "x2")
