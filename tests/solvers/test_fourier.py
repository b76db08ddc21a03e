"""Random Fourier features against exact moments, scikit-learn's RBFSampler and the kernels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.kernel_approximation import RBFSampler

from kernellab.kernels import Gaussian, Laplacian, Linear
from kernellab.solvers.fourier import FourierMap, fourier_map

KERNELS = [Gaussian(0.7), Laplacian(0.4), Laplacian(0.6, norm="l2")]


def test_by_hand():
    features = FourierMap(np.array([[1.0], [2.0]]))([[0.0], [np.pi / 2]])
    expected = np.array([[1, 1, 0, 0], [0, -1, 1, 0]]) / np.sqrt(2)
    np.testing.assert_allclose(features, expected, atol=1e-15)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_the_mean_is_the_kernel_with_the_variance_that_is_said(kernel):
    X = np.random.default_rng(0).normal(size=(6, 3))
    m, trials = 50, 400
    maps = [fourier_map(kernel, 3, m, rng=seed)(X) for seed in range(trials)]
    draws = np.array([Phi @ Phi.T for Phi in maps])
    K, twice = kernel(X), kernel(2 * X)
    variance = np.maximum(1 + twice - 2 * K**2, 0) / (2 * m)
    off = ~np.eye(6, dtype=bool)
    z = (draws.mean(axis=0) - K)[off] / np.sqrt(variance / trials)[off]
    assert np.abs(z).max() < 4.5
    np.testing.assert_allclose(draws.var(axis=0)[off], variance[off], rtol=0.45)
    np.testing.assert_allclose(draws[:, ~off], 1.0, rtol=1e-12)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 99), m=st.integers(1, 40))
def test_scikit_learns_random_phases_average_to_the_paired_form(seed, m):
    """2 cos(a + b) cos(c + b), averaged over four phases b a quarter turn apart, is cos(a − c)."""
    X = np.random.default_rng(seed).normal(size=(5, 3))
    peer = RBFSampler(gamma=0.7, n_components=m, random_state=seed).fit(X)
    Phi = FourierMap(peer.random_weights_.T)(X)
    average = np.zeros((5, 5))
    for quarter in range(4):
        peer.random_offset_ = np.full(m, quarter * np.pi / 2)
        average += peer.transform(X) @ peer.transform(X).T / 4
    np.testing.assert_allclose(Phi @ Phi.T, average, atol=1e-12)


def test_frequencies_are_distributed_as_scikit_learns():
    peer = RBFSampler(gamma=0.7, n_components=20_000, random_state=0).fit(np.zeros((1, 2)))
    ours = fourier_map(Gaussian(0.7), 2, 20_000, rng=0).frequencies
    for level in (0.05, 0.5, 0.95):
        assert np.quantile(ours, level) == pytest.approx(
            np.quantile(peer.random_weights_, level), abs=0.05
        )


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 99), shift=st.floats(-50, 50))
def test_a_shift_of_all_points_changes_nothing(seed, shift):
    X = np.random.default_rng(seed).normal(size=(4, 2))
    phi = fourier_map(Gaussian(1.0), 2, 7, rng=seed)
    np.testing.assert_allclose(phi(X) @ phi(X).T, phi(X + shift) @ phi(X + shift).T, atol=1e-10)


def test_the_seed_decides():
    draw = [fourier_map(Gaussian(1.0), 2, 3, rng=seed).frequencies for seed in (4, 4, 5)]
    np.testing.assert_array_equal(draw[0], draw[1])
    assert not np.allclose(draw[0], draw[2])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Linear(), 2, 3), "kernel must be Gaussian.* or Laplacian.*got Linear"),
        ((Gaussian(1.0), 0, 3), "d must be a positive integer"),
        ((Gaussian(1.0), 2, 2.5), "m must be a positive integer"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        fourier_map(*arguments)
    with pytest.raises(ValueError, match="rng must be a seed"):
        fourier_map(Gaussian(1.0), 2, 3, rng=-1)


def test_points_of_another_dimension_are_named():
    phi = fourier_map(Gaussian(1.0), 2, 3)
    with pytest.raises(ValueError, match="X must have 2 features"):
        phi(np.ones((4, 3)))
    with pytest.raises(ValueError, match="X must be finite"):
        phi([[np.nan, 0.0]])
