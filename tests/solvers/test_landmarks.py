"""Landmarks against dense algebra, LAPACK's pivoted Cholesky and clusters that are known."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg.lapack import dpstrf

from kernellab.kernels import Gaussian, Linear, as_kernel
from kernellab.solvers.landmarks import (
    LANDMARKS,
    _tail_mean,
    approximate_leverage_scores,
    choose_landmarks,
    kmeans_landmarks,
    leverage_landmarks,
    pivoted_cholesky,
    ridge_leverage_scores,
    uniform_landmarks,
)
from kernellab.solvers.nystrom import nystrom_map, trace_error

KERNEL = Gaussian(2.0)


def points(n=60, seed=0):
    return np.random.default_rng(seed).normal(size=(n, 2))


def crowd_and_outliers(seed=0):
    """300 examples in a heap, then 5 far away from it and from one another."""
    heap = 0.1 * np.random.default_rng(seed).normal(size=(300, 2))
    return np.vstack([heap, [[5.0, 0.0], [0.0, 5.0], [-5.0, 0.0], [0.0, -5.0], [9.0, 9.0]]])


# --- all of them ----------------------------------------------------------------------------------


@pytest.mark.parametrize("how", LANDMARKS)
def test_as_many_as_asked_by_seed_and_of_use(how):
    X = points()
    chosen = [choose_landmarks(KERNEL, X, 20, how=how, rng=seed) for seed in (1, 1, 2)]
    assert chosen[0].shape == (20, 2)
    np.testing.assert_array_equal(chosen[0], chosen[1])
    assert not np.array_equal(chosen[0], chosen[2])
    assert len(np.unique(chosen[0], axis=0)) == 20
    if how != "kmeans":
        assert {tuple(z) for z in chosen[0]} <= {tuple(x) for x in X}
    assert trace_error(KERNEL.diag(X), nystrom_map(KERNEL, chosen[0])(X)) < 0.3 * len(X)


@pytest.mark.parametrize("how", ["uniform", "leverage", "cholesky"])
def test_lists_of_anything(how):
    texts = [a + b for a in "abcd" for b in "wxyz"]
    kernel = as_kernel(lambda A, B: np.array([[float(len({*a} & {*b})) for b in B] for a in A]))
    chosen = choose_landmarks(kernel, texts, 5, how=how)
    assert isinstance(chosen, list) and len(set(chosen)) == 5 and set(chosen) <= set(texts)


@pytest.mark.parametrize("how", LANDMARKS)
def test_bad_input_is_named(how):
    with pytest.raises(ValueError, match="m must not exceed the number of examples, got 61"):
        choose_landmarks(KERNEL, points(), 61, how=how)
    with pytest.raises(ValueError, match="m must be a positive integer"):
        choose_landmarks(KERNEL, points(), 0, how=how)
    with pytest.raises(ValueError, match="rng must be a seed"):
        choose_landmarks(KERNEL, points(), 3, how=how, rng=-1)


def test_an_unknown_name_lists_the_known():
    with pytest.raises(ValueError, match="'uniform', 'kmeans', 'leverage', 'cholesky', got 'best'"):
        choose_landmarks(KERNEL, points(), 3, how="best")


# --- k-means --------------------------------------------------------------------------------------


def test_centres_of_clusters_that_are_there():
    rng = np.random.default_rng(0)
    centres = 10.0 * np.array([[0, 0], [0, 1], [1, 0], [1, 1], [3, 3]])
    X = np.vstack(
        [
            c + 0.01 * rng.normal(size=(k, 2))
            for c, k in zip(centres, (90, 5, 9, 2, 40), strict=True)
        ]
    )
    found = kmeans_landmarks(X, 5)
    np.testing.assert_allclose(found[np.lexsort(found.T[::-1])], centres, atol=0.05)


def test_fewer_different_rows_than_centres():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        centres = kmeans_landmarks(np.repeat(points(3), 4, axis=0), 7)
    assert centres.shape == (7, 2) and np.isfinite(centres).all()


# --- leverage scores ------------------------------------------------------------------------------


@settings(max_examples=40)
@given(seed=st.integers(0, 99), exponent=st.floats(-6, 3))
def test_leverage_scores_are_the_diagonal_of_the_hat_matrix(seed, exponent):
    K, lam = KERNEL(points(20, seed)), 10.0**exponent
    hat = np.linalg.solve(K + lam * np.eye(20), K)
    np.testing.assert_allclose(ridge_leverage_scores(K, lam), np.diag(hat), atol=1e-9)


@settings(max_examples=40)
@given(seed=st.integers(0, 99), exponent=st.floats(-4, 2), s=st.integers(1, 20))
def test_a_sample_never_underestimates_and_all_examples_are_exact(seed, exponent, s):
    X, lam = points(20, seed), 10.0**exponent
    exact = ridge_leverage_scores(KERNEL(X), lam)
    partial = approximate_leverage_scores(KERNEL, X, lam, X[:s], np.ones(s))
    assert (partial >= exact - 1e-8).all() and partial.max() <= 1
    whole = approximate_leverage_scores(KERNEL, X, lam, X, np.ones(20))
    np.testing.assert_allclose(whole, exact, atol=1e-8)


def test_an_example_drawn_with_probability_one_half_counts_twice():
    X = points(10)
    doubled = np.vstack([X, X])
    half = approximate_leverage_scores(KERNEL, X, 0.1, X, np.full(10, 0.5))
    np.testing.assert_allclose(half, ridge_leverage_scores(KERNEL(doubled), 0.1)[:10], atol=1e-8)


def test_a_sample_tells_what_the_largest_eigenvalues_leave():
    K = KERNEL(points(10))  # each of them one of two copies
    left = np.linalg.eigvalsh(np.tile(K, (2, 2)))[:-3].sum() / 3
    assert _tail_mean(K, np.full(10, 0.5), 20, 3) == pytest.approx(left)


def test_bad_scores_are_named():
    with pytest.raises(ValueError, match="lam must be a positive number"):
        ridge_leverage_scores(np.eye(2), 0.0)
    with pytest.raises(ValueError, match="inclusion must hold probabilities above 0 and up to 1"):
        approximate_leverage_scores(KERNEL, points(3), 1.0, points(2), [0.5, 1.5])
    with pytest.raises(ValueError, match=r"inclusion must have shape \(2,\)"):
        approximate_leverage_scores(KERNEL, points(3), 1.0, points(2), [1.0])


def test_landmarks_by_leverage_find_the_outliers_that_uniform_ones_miss():
    X = crowd_and_outliers()
    outliers = set(range(300, 305))
    found = [len(outliers & {*leverage_landmarks(KERNEL, X, 30, rng=s)}) for s in range(20)]
    missed = [len(outliers & {*uniform_landmarks(305, 30, rng=s)}) for s in range(20)]
    assert np.mean(found) > 4 and np.mean(missed) < 1.5


# --- pivoted Cholesky -----------------------------------------------------------------------------


def test_greedy_pivots_are_those_of_lapack():
    K = KERNEL(points(40)) + Linear()(points(40))
    grown, pivots = pivoted_cholesky(KERNEL + Linear(), points(40), 25, rng=None)
    L, expected, _, _ = dpstrf(K, lower=1)
    np.testing.assert_array_equal(pivots, expected[:25] - 1)
    np.testing.assert_allclose(grown.Phi[expected - 1], np.tril(L)[:, :25], atol=1e-10)


def test_drawn_in_proportion_to_what_is_left():
    """Lengths² 1, 2, 3, 4; the second pivot then has a law that can be worked out by hand."""
    X = np.diag(np.sqrt([1.0, 2.0, 3.0, 4.0]))  # orthogonal: a pivot explains itself alone
    first, second = np.zeros(4), np.zeros(4)
    for seed in range(1500):
        _, pivots = pivoted_cholesky(Linear(), X, 2, rng=seed)
        first[pivots[0]] += 1
        second[pivots[1]] += 1
    p = np.array([1, 2, 3, 4]) / 10
    q = np.array([sum(p[i] * p[j] / (1 - p[i]) for i in range(4) if i != j) for j in range(4)])
    for counts, law in ((first, p), (second, q)):
        assert (np.abs(counts - 1500 * law) < 4.5 * np.sqrt(1500 * law * (1 - law))).all()


@settings(max_examples=40)
@given(seed=st.integers(0, 99), m=st.integers(1, 30))
def test_pivots_are_different_and_explained(seed, m):
    X = points(30, seed)
    grown, pivots = pivoted_cholesky(KERNEL, X, m, rng=seed)
    assert len(set(pivots)) == len(pivots) == grown.Phi.shape[1]
    np.testing.assert_array_equal(grown.landmarks, X[pivots])
    Phi = nystrom_map(KERNEL, X[pivots])(X)
    np.testing.assert_allclose(grown.Phi @ grown.Phi.T, Phi @ Phi.T, atol=1e-6)


@pytest.mark.parametrize("rng", [0, None])
def test_ends_when_everything_is_explained(rng):
    X = np.repeat(points(5), 4, axis=0)
    grown, pivots = pivoted_cholesky(Linear(), X, 20, rng=rng)
    assert len(pivots) == 2 and grown.trace_error < 1e-12
    assert len(pivoted_cholesky(KERNEL, X, 20, rng=rng)[1]) == 5
    assert len(pivoted_cholesky(Linear(), np.zeros((3, 2)), 2, rng=rng)[1]) == 0


def test_pivots_find_every_outlier():
    X = crowd_and_outliers()
    for seed in range(10):
        _, pivots = pivoted_cholesky(KERNEL, X, 20, rng=seed)
        assert set(range(300, 305)) <= set(pivots)
