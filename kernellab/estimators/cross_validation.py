"""How good a kernel is on examples that were not used: k-fold cross-validation on a Gram matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.datasets.folds import stratified_folds
from kernellab.solvers.smo import smo
from kernellab.solving import Seed, solve
from kernellab.validation import FloatArray, check_gram, check_labels, check_positive


def cross_validated_scores(
    K: Any, y: Any, C: float = 1.0, *, folds: int = 10, rng: Seed = 0
) -> FloatArray:
    """Score every example by an SVM (with a bias) that was trained on the other folds.

    Parameters
    ----------
    K : array-like, shape (n, n)
        Gram matrix of all examples, whatever they are.
    y : array-like, shape (n,)
        Labels −1 and +1.
    C : float
        Cost of a loss of 1.
    folds : int
        From 2 to the size of the smaller class.
    rng : int or numpy.random.Generator
        The seed that deals the examples into folds.

    Returns
    -------
    ndarray, shape (n,)
        f(x_i); ``np.mean(y * scores > 0)`` is the cross-validated accuracy.

    Raises
    ------
    ValueError
        For a bad argument.

    Notes
    -----
    Taught in notebook 03.
    """
    K = check_gram(K)
    y = check_labels(y, len(K))
    C = check_positive(C, "C")
    fold = stratified_folds(y, folds, rng)
    scores = np.empty(len(y))
    for k in range(folds):
        train, left_out = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        svm = solve(smo(K[np.ix_(train, train)], y[train], C), gap=1e-6, max_passes=10_000)
        scores[left_out] = K[np.ix_(left_out, train)] @ (svm.alpha * y[train]) + svm.b
    return scores
