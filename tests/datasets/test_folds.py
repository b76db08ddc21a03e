"""Folds and error bars."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab.datasets.folds import rate_with_error, stratified_folds


@given(
    sizes=st.lists(st.integers(5, 30), min_size=1, max_size=4),
    n_folds=st.integers(2, 5),
    seed=st.integers(0, 50),
)
def test_every_fold_has_its_share_of_every_class(sizes, n_folds, seed):
    y = np.repeat(np.arange(len(sizes)), sizes)
    fold = stratified_folds(y, n_folds, seed)
    sizes_of_folds = np.bincount(fold, minlength=n_folds)
    assert sizes_of_folds.max() - sizes_of_folds.min() <= 1
    for label, size in enumerate(sizes):
        shares = np.bincount(fold[y == label], minlength=n_folds)
        assert shares.sum() == size
        assert shares.max() - shares.min() <= 1


def test_a_seed_is_a_seed():
    y = np.repeat([-1, 1], 20)
    assert np.array_equal(stratified_folds(y, 5, 3), stratified_folds(y, 5, 3))
    assert not np.array_equal(stratified_folds(y, 5, 3), stratified_folds(y, 5, 4))


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
