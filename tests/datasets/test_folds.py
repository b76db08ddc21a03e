"""Folds and error bars."""

import numpy as np
import pytest

from kernellab.datasets.folds import rate_with_error, stratified_folds


def test_every_example_is_held_out_once_and_every_fold_has_its_share():
    y = np.repeat([0, 1, 2], [7, 20, 31])
    fold = stratified_folds(y, 5, 3)
    shares = np.array([np.bincount(fold[y == label], minlength=5) for label in range(3)])
    assert shares.sum() == 58
    assert (np.ptp(shares, axis=1) <= 1).all() and np.ptp(shares.sum(axis=0)) <= 1
    assert np.array_equal(fold, stratified_folds(y, 5, 3))
    assert not np.array_equal(fold, stratified_folds(y, 5, 4))


def test_six_per_cent_of_a_hundred_is_known_to_two_and_a_half_points():
    rate, error = rate_with_error(np.arange(100) < 6)
    assert rate == 0.06
    assert error == pytest.approx(0.0237, abs=1e-4)
    # Repeated: the spread of the rate is what the formula says.
    draws = np.random.default_rng(0).random((4000, 100)) < 0.06
    assert draws.mean(axis=1).std() == pytest.approx(error, rel=0.05)


@pytest.mark.parametrize("n_folds", [1, 6])
def test_too_few_or_too_many_folds(n_folds):
    with pytest.raises(ValueError, match="n_folds must be from 2 to the size of the smallest"):
        stratified_folds([0] * 5 + [1] * 9, n_folds)


def test_a_verdict_is_zero_or_one():
    with pytest.raises(ValueError, match="wrong must hold zeros and ones"):
        rate_with_error([0.5, 1.0])
