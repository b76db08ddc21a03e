"""The kernel trick as a change of two lines: the dual perceptron, from training to prediction."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kernellab.solvers.perceptron import dual_perceptron_pass
from kernellab.validation import FloatArray

Matrix = FloatArray
Vector = FloatArray
MAX_PASSES = 100


def with_dot_products(
    X: Matrix,
    y: Vector,
    Z: Matrix,
) -> tuple[Vector, Vector]:
    """Train on X and y; score Z.

    Parameters
    ----------
    X, Z : arrays of shape (n, d) and (m, d)
        Examples to train on, and examples to score. Without a bias.
    y : array of shape (n,)
        Labels −1 and +1.

    Returns
    -------
    alpha, scores : arrays of shape (n,) and (m,)
        After the first pass without a mistake, or after 100.

    Raises
    ------
    ValueError
        If the shapes do not fit together; for more checks see `perceptron.dual_perceptron`.

    Notes
    -----
    Taught in notebook 03.
    """
    n = len(y)
    alpha, scores = np.zeros(n), np.zeros(n)
    order = np.arange(n)
    K = X @ X.T
    for _ in range(MAX_PASSES):
        if not dual_perceptron_pass(K, y, alpha, scores, order):
            break
    return alpha, Z @ X.T @ (alpha * y)


def with_a_kernel(
    X: Matrix,
    y: Vector,
    Z: Matrix,
    kernel: Callable[[Matrix, Matrix], Matrix],
) -> tuple[Vector, Vector]:
    """Train on X and y; score Z.

    As `with_dot_products`, but for the dot products. Taught in notebook 03.
    """
    n = len(y)
    alpha, scores = np.zeros(n), np.zeros(n)
    order = np.arange(n)
    K = kernel(X, X)
    for _ in range(MAX_PASSES):
        if not dual_perceptron_pass(K, y, alpha, scores, order):
            break
    return alpha, kernel(Z, X) @ (alpha * y)
