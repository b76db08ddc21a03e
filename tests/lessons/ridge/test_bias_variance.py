"""Bias and variance against the closed form of a linear smoother."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab.kernels import Gaussian
from kernellab.lessons.ridge.theory.bias_variance import bias_variance, resampled_fits

KERNEL = Gaussian(20.0)
LAMS = [0.01, 0.3, 5.0]
GRID = np.linspace(0, 1, 31)[:, np.newaxis]
TRUTH = np.sin(6 * GRID[:, 0])


def test_against_the_smoother_matrix():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(15, 1))
    values, noise = np.sin(6 * X[:, 0]), 0.3
    samples = [(X, values + noise * rng.normal(size=15)) for _ in range(800)]
    parts = bias_variance(resampled_fits(KERNEL, samples, GRID, LAMS), TRUTH)
    for k, lam in enumerate(LAMS):
        smoother = KERNEL(GRID, X) @ np.linalg.inv(KERNEL(X) + lam * np.eye(15))
        bias = np.mean((smoother @ values - TRUTH) ** 2)
        variance = noise**2 * np.mean(np.sum(smoother**2, axis=1))
        assert parts.variance[k] == pytest.approx(variance, rel=0.08)
        # The mean of 800 fits still has 1/800 of their variance, and scatters by its root.
        slack = 4 * np.sqrt(bias * variance / 800)
        assert parts.squared_bias[k] == pytest.approx(bias + variance / 800, abs=slack)


def test_they_add_up_exactly():
    fits = np.random.default_rng(1).normal(size=(7, 2, 31))
    parts = bias_variance(fits, TRUTH)
    np.testing.assert_allclose(parts.error, np.mean((fits - TRUTH) ** 2, axis=(0, 2)))


def test_fits_are_ridge_fits():
    X, y = np.array([[0.1], [0.5], [0.9]]), np.array([1.0, -1.0, 0.5])
    fits = resampled_fits(KERNEL, [(X, y), (X, 2 * y)], GRID, LAMS)
    assert fits.shape == (2, 3, 31)
    coef = np.linalg.solve(KERNEL(X) + LAMS[1] * np.eye(3), y)
    np.testing.assert_allclose(fits[0, 1], KERNEL(GRID, X) @ coef)
    np.testing.assert_allclose(fits[1], 2 * fits[0])


def test_bad_input():
    with pytest.raises(ValueError, match=r"fits must have shape \(R, L, m\), got shape \(3, 31\)"):
        bias_variance(np.zeros((3, 31)), TRUTH)
    with pytest.raises(ValueError, match="truth"):
        bias_variance(np.zeros((3, 2, 31)), TRUTH[:-1])
