"""Cross-validation for the lessons: folds that keep the classes in proportion, and error bars."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.solving import Seed, random_generator
from kernellab.validation import check_numbers, check_positive_integer


def stratified_folds(y: Any, n_folds: int, rng: Seed = 0) -> NDArray[np.intp]:
    """Deal examples into folds, class by class, so that each fold has its share of every class.

    Parameters
    ----------
    y : array of shape (n,)
        Labels of any kind.
    n_folds : int
        At least 2, and at most the size of the smallest class.
    rng : int or numpy.random.Generator
        The seed.

    Returns
    -------
    array of shape (n,)
        The fold of each example, 0 … n_folds − 1: the one that it is held out in.

    Raises
    ------
    ValueError
        If n_folds is no such integer, or rng no seed.

    Notes
    -----
    Taught in notebook 02.
    """
    y = np.asarray(y)
    n_folds = check_positive_integer(n_folds, "n_folds")
    classes, counts = np.unique(y, return_counts=True)
    if not 2 <= n_folds <= counts.min():
        raise ValueError(
            f"n_folds must be from 2 to the size of the smallest class, {counts.min()}, "
            f"got {n_folds}"
        )
    generator = random_generator(rng)
    fold = np.empty(len(y), dtype=np.intp)
    dealt = 0
    for label in classes:
        members = generator.permutation(np.flatnonzero(y == label))
        fold[members] = (dealt + np.arange(len(members))) % n_folds
        dealt += len(members)
    return fold


def rate_with_error(wrong: Any) -> tuple[float, float]:
    """Return an error rate and its standard error √(p (1 − p) / n), from n verdicts 0 or 1.

    Parameters
    ----------
    wrong : array of shape (n,)
        1 or True for a mistake.

    Returns
    -------
    rate, standard_error : float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If wrong is not a list of zeros and ones.

    Notes
    -----
    A rate of 6 % on 100 examples is known to ± 2.4 points. Taught in notebook 02.
    """
    wrong = check_numbers(wrong, "wrong")
    if not np.isin(wrong, [0.0, 1.0]).all():
        raise ValueError("wrong must hold zeros and ones, one an example")
    rate = float(wrong.mean())
    return rate, float(np.sqrt(rate * (1 - rate) / len(wrong)))
