"""Random Fourier features against exact moments, scikit-learn's RBFSampler and the kernels."""

import numpy as np
import pytest

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
