"""Two learners that see the data through K alone; they differ in how far one example moves α."""

from __future__ import annotations

import numpy as np

from kernellab.validation import FloatArray


def perceptron(K: FloatArray, y: FloatArray, passes: int = 100) -> FloatArray:
    """Return α, one number for each example.

    Parameters
    ----------
    K : array of shape (n, n)
        The kernel of each pair of examples.
    y : array of shape (n,)
        Labels −1 and +1.
    passes : int
        How often all examples are tested, one after the other.

    Notes
    -----
    α_i counts the mistakes on example i. `kernellab.kernel_perceptron` does the same, keeps all
    scores, and says when it has converged.
    Aizerman, Braverman and Rozonoer (1964). Taught in notebook 03.
    """
    alpha = np.zeros(len(y))
    for _ in range(passes):
        for i in range(len(y)):
            score = K[i] @ (alpha * y)
            if y[i] * score <= 0:
                alpha[i] += 1
    return alpha


def svm(K: FloatArray, y: FloatArray, passes: int = 100, C: float = 1.0) -> FloatArray:
    """Return α, one number for each example.

    The soft-margin SVM without bias. As `perceptron`, but each example moves its α_i until
    y_i f(x_i) = 1, which takes (1 − y_i f(x_i))/K_ii, and no further than 0 or C. `kernellab.sdca`
    does the same and proves how far it is from the minimum. Taught in notebook 03,
    explained in notebook 05.
    """
    alpha = np.zeros(len(y))
    for _ in range(passes):
        for i in range(len(y)):
            score = K[i] @ (alpha * y)
            step = (1 - y[i] * score) / K[i, i]
            alpha[i] = min(max(alpha[i] + step, 0), C)
    return alpha
