"""Explicit features against their kernels, bandwidths and class means against loops."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab.datasets import make_clouds
from kernellab.estimators.cross_validation import cross_validated_scores
from kernellab.kernels import Gaussian, Linear, Polynomial
from kernellab.kernels.bandwidth import median_bandwidth
from kernellab.kernels.features import count_features, exponents, polynomial_map

degrees = st.integers(1, 5)
dimensions = st.integers(1, 4)


def test_the_numbers_of_the_lesson():
    assert count_features(2, 3) == 4
    assert count_features(10, 5) == 2002
    assert count_features(10, 5, lower=True) == 3003


@given(dimensions, degrees, st.booleans())
def test_every_product_is_listed_once(d, p, lower):
    listed = {tuple(row) for row in exponents(d, p, lower=lower).tolist()}
    degrees_meant = range(p + 1) if lower else [p]
    expected = {r for r in product(range(p + 1), repeat=d) if sum(r) in degrees_meant}
    assert listed == expected
    assert len(exponents(d, p, lower=lower)) == count_features(d, p, lower=lower) == len(expected)


def test_the_order_of_the_lesson():
    assert exponents(2, 2, lower=True).tolist() == [[2, 0], [0, 2], [1, 1], [1, 0], [0, 1], [0, 0]]
    x1, x2 = 3.0, -2.0
    r2 = np.sqrt(2)
    np.testing.assert_allclose(
        polynomial_map([[x1, x2]], 2, 1.0), [[9, 4, r2 * x1 * x2, r2 * x1, r2 * x2, 1]]
    )
    np.testing.assert_allclose(polynomial_map([[x1, x2]], 2), [[9, 4, r2 * x1 * x2]])


@given(dimensions, degrees, st.sampled_from([0.0, 0.5, 1.0, 3.0]), st.integers(0, 100))
def test_the_dot_product_of_the_features_is_the_kernel(d, p, c, seed):
    rng = np.random.default_rng(seed)
    X, Z = rng.normal(size=(4, d)), rng.normal(size=(3, d))
    features = polynomial_map(X, p, c) @ polynomial_map(Z, p, c).T
    np.testing.assert_allclose(features, Polynomial(p, c)(X, Z), rtol=1e-9, atol=1e-9)


def test_the_median_is_that_of_all_pairs():
    X = np.random.default_rng(0).normal(size=(20, 3))
    pairs = [np.linalg.norm(X[i] - X[j]) for i in range(20) for j in range(i)]
    assert median_bandwidth(X) == pytest.approx(np.median(pairs))
    K = Gaussian.from_bandwidth(median_bandwidth(X))(X)[np.triu_indices(20, 1)]
    assert np.median(K) == pytest.approx(np.exp(-0.5), abs=0.02)


def test_cross_validation_sees_what_was_left_out_only_at_the_end():
    data = make_clouds(60, 2.0, 3)
    K = Linear()(data.X)
    scores = cross_validated_scores(K, data.y, 1.0, folds=6)
    assert 0.7 < np.mean(data.y * scores > 0) < 1
    flipped = cross_validated_scores(K, -data.y, 1.0, folds=6)
    np.testing.assert_allclose(np.sort(np.abs(flipped)).mean(), np.abs(scores).mean(), rtol=0.2)
    # an example that is like no other cannot be scored right by looking at itself
    nothing = cross_validated_scores(np.eye(60), data.y, 1.0, folds=6)
    assert np.abs(nothing - nothing[0]).max() < 0.5


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: count_features(0, 2), "n_features"),
        (lambda: count_features(2, 1.5), "degree"),
        (lambda: polynomial_map([[1.0, 2.0]], 2, -1.0), "coef0"),
        (lambda: polynomial_map([1.0, 2.0], 2), "X"),
        (lambda: median_bandwidth([[1.0]]), "two examples"),
        (lambda: median_bandwidth(np.ones((5, 2))), "over and over"),
        (lambda: cross_validated_scores(np.eye(4), [-1, 1, 1, -1], 0.0, folds=2), "C must"),
        (lambda: cross_validated_scores(np.eye(4), [-1, 1, 1, -1], folds=3), "n_folds"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
