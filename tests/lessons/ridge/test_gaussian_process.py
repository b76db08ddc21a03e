"""Posterior covariance against conditioning of the joint Gaussian; paths against their moments."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab.kernels import Gaussian, Laplacian
from kernellab.lessons.ridge.theory.gaussian_process import (
    coverage,
    posterior_covariance,
    sample_paths,
)
from kernellab.solvers.ridge import ridge


@pytest.mark.parametrize("kernel", [Gaussian(3.0), Laplacian(2.0)])
def test_covariance_is_that_of_the_joint_gaussian(kernel):
    rng = np.random.default_rng(0)
    X, new, lam = rng.normal(size=(8, 2)), rng.normal(size=(5, 2)), 0.2
    both = np.vstack([X, new])
    joint = kernel(both) + np.diag([lam] * 8 + [0.0] * 5)
    expected = np.linalg.inv(np.linalg.inv(joint)[8:, 8:])  # inverse of a block of the inverse
    fit = ridge(kernel(X), rng.normal(size=8), lam)
    found = posterior_covariance(fit, kernel(new, X), kernel(new))
    np.testing.assert_allclose(found, expected, atol=1e-10)
    np.testing.assert_allclose(
        found.diagonal(), fit.posterior_variance(kernel(new, X), np.ones(5)), atol=1e-12
    )


def test_paths_have_the_mean_and_the_covariance():
    grid = np.linspace(0, 1, 6)[:, np.newaxis]
    mean, covariance = np.arange(6.0), Gaussian(4.0)(grid)
    paths = sample_paths(mean, covariance, 40_000, 3)
    np.testing.assert_allclose(paths.mean(axis=0), mean, atol=0.03)
    np.testing.assert_allclose(np.cov(paths.T), covariance, atol=0.03)


def test_the_same_seed_draws_nearby_paths_for_nearby_covariances():
    grid = np.linspace(0, 1, 40)[:, np.newaxis]
    one, other = (sample_paths(np.zeros(40), Gaussian(g)(grid), 3, 0) for g in (5.0, 5.0001))
    np.testing.assert_allclose(one, other, atol=1e-2)


def test_coverage_is_what_was_promised_with_the_right_prior():
    kernel = Laplacian(4.0)
    held = coverage(kernel, kernel, 0.3, rng=8)
    assert held == pytest.approx(0.954, abs=0.01)  # of a normal number, two deviations
    assert coverage(kernel, Laplacian(0.4), 0.3, rng=8) < 0.9


def test_bad_input():
    fit = ridge(np.eye(3), np.ones(3), 1.0)
    with pytest.raises(ValueError, match=r"K_new must have shape \(2, 3\), got shape \(2, 2\)"):
        posterior_covariance(fit, np.ones((2, 2)), np.eye(2))
    with pytest.raises(ValueError, match="rng must be"):
        sample_paths([0.0], [[1.0]], 1, -1)
    with pytest.raises(ValueError, match="mean"):
        sample_paths([0.0, 1.0], [[1.0]], 1)
