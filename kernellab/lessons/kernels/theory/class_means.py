"""What a Gram matrix sorted by class tells before anything is trained."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.validation import FloatArray, check_gram


def class_means(K: Any, y: Any) -> FloatArray:
    """Return the mean similarity of each class to each class.

    Parameters
    ----------
    K : array-like, shape (n, n)
        Gram matrix.
    y : array-like, shape (n,)
        Labels of any kind, m different ones.

    Returns
    -------
    ndarray, shape (m, m)
        Entry [a, b] is the mean of k(x_i, x_j) over i in class a and j in class b, which is
        μ_a·μ_b for the means μ of the features of a class. In the order of the sorted labels,
        and exactly symmetric.

    Raises
    ------
    ValueError
        If K is no Gram matrix, or y holds another number of labels.

    Notes
    -----
    Taught in notebook 03.
    """
    K, member = _members(K, y)
    shares = member / member.sum(axis=0)
    means: FloatArray = shares.T @ K @ shares
    return (means + means.T) / 2


def nearest_mean_accuracy(K: Any, y: Any) -> float:
    """Return how often the nearest class mean, in feature space, is that of the right class.

    Parameters
    ----------
    K, y
        As for :func:`class_means`; each class at least twice.

    Returns
    -------
    float
        Between 0 and 1. An example is left out of its own class' mean.

    Raises
    ------
    ValueError
        As for :func:`class_means`, or if a class has one example only.

    Notes
    -----
    ‖φ(x) − μ‖² = k(x, x) − 2 mean_j k(x, x_j) + mean_ij k(x_i, x_j): everything is in K.
    Taught in notebook 03.
    """
    K, member = _members(K, y)
    sizes = member.sum(axis=0)
    if sizes.min() < 2:
        raise ValueError("y must hold each class at least twice, to leave one example out")
    own = member.astype(bool)
    diagonal = K.diagonal()[:, np.newaxis]
    left = np.where(own, sizes - 1, sizes)  # examples in each mean, without example i
    to_class = K @ member
    cross = (to_class - own * diagonal) / left
    within = (member * to_class).sum(axis=0)  # Σ of k over the pairs of a class
    square = (within - own * (2 * to_class - diagonal)) / left**2
    distance = diagonal - 2 * cross + square
    return float(np.mean(own[np.arange(len(K)), distance.argmin(axis=1)]))


def _members(K: Any, y: Any) -> tuple[FloatArray, FloatArray]:
    """Return K checked, and 1 where example i is in class a, shape (n, m)."""
    K = check_gram(K)
    y = np.asarray(y)
    if y.shape != (len(K),):
        raise ValueError(f"y must hold one label an example, shape ({len(K)},), got {y.shape}")
    return K, (y[:, np.newaxis] == np.unique(y)).astype(np.float64)
