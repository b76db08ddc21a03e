"""Cross-validation for the lessons: folds that keep the classes in proportion, and error bars."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.solving import Seed, random_generator
from kernellab.validation import check_numbers, check_positive_integer


def stratified_folds(y: Any, n_folds: int, rng: Seed = 0) -> NDArray[np.intp]:
    """Deal examples into folds, class by class, so that each fold has its share of every class.

    y, shape (n,), holds labels of any kind, rng is the seed. Returns the fold that each example is
    held out in, 0 … n_folds − 1, shape (n,). Raises ValueError unless n_folds is from 2 to the size
    of the smallest class. scikit-learn's `StratifiedKFold` deals otherwise. Taught in notebook 02.
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
    members = [generator.permutation(np.flatnonzero(y == label)) for label in classes]
    fold = np.empty(len(y), dtype=np.intp)
    fold[np.concatenate(members)] = np.arange(len(y)) % n_folds
    return fold


def rate_with_error(wrong: Any) -> tuple[float, float]:
    """Return an error rate and its standard error √(p (1 − p) / n), from n verdicts 0 or 1.

    `wrong`, shape (n,), is 1 or True for a mistake; raises ValueError if it is anything else. A
    rate of 6 % on 100 examples is known to ± 2.4 points. Taught in notebook 02.
    """
    wrong = check_numbers(wrong, "wrong")
    if not np.isin(wrong, [0.0, 1.0]).all():
        raise ValueError("wrong must hold zeros and ones, one an example")
    rate = float(wrong.mean())
    return rate, float(np.sqrt(rate * (1 - rate) / len(wrong)))
