"""How good a kernel is on examples that were not used: k-fold cross-validation on a Gram matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import PredefinedSplit, cross_val_predict

from kernellab.datasets.folds import stratified_folds
from kernellab.estimators.svm import KernelSVC
from kernellab.validation import FloatArray, check_gram, check_labels


def cross_validated_scores(
    K: Any, y: Any, C: float = 1.0, *, folds: int = 10, gap: float = 1e-6
) -> FloatArray:
    """Score every example by an SVM (with a bias) that was trained on the other folds.

    K, shape (n, n), is the Gram matrix of all examples, whatever they are, y their labels −1 and
    +1, C the cost of a loss of 1, `gap` that of each SVM. Returns f(x_i), shape (n,):
    ``np.mean(y * scores > 0)`` is the cross-validated accuracy. Raises ValueError for a bad
    argument. Taught in notebook 03.
    """
    K, y = check_gram(K), check_labels(y, len(K))
    split = PredefinedSplit(stratified_folds(y, folds, 0))
    machine = KernelSVC("precomputed", C, gap=gap, max_passes=10_000)
    return np.asarray(cross_val_predict(machine, K, y, cv=split, method="decision_function"))
