"""The formulas of notebook 06 that no cell of it checks, each computed in a second way."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

import kernellab as kl
from kernellab.solvers.ridge import ridge


def test_the_solution_is_the_minimum():
    rng = np.random.default_rng(0)
    Phi, y, lam = rng.normal(size=(12, 3)), rng.normal(size=12), 0.7
    found = minimize(lambda w: np.sum((y - Phi @ w) ** 2) + lam * w @ w, np.zeros(3), tol=1e-10)
    np.testing.assert_allclose(Phi.T @ ridge(Phi @ Phi.T, y, lam).coef, found.x, atol=1e-5)


def test_the_trace_of_least_squares_counts_parameters():
    Phi = np.random.default_rng(1).normal(size=(20, 6))
    hat = Phi @ np.linalg.pinv(Phi)
    assert np.isclose(np.trace(hat), 6)


def test_targets_replaced_by_what_the_others_say_change_nothing():
    rng = np.random.default_rng(2)
    X, y, lam = rng.normal(size=(9, 2)), rng.normal(size=9), 0.3
    K = kl.Gaussian(0.5)(X)
    rest = np.arange(9) != 4
    others = ridge(K[np.ix_(rest, rest)], y[rest], lam)
    targets = y.copy()
    targets[4] = K[4, rest] @ others.coef
    full = ridge(K, targets, lam)
    assert abs(full.coef[4]) < 1e-10
    np.testing.assert_allclose(full.coef[rest], others.coef, atol=1e-10)


def test_bias_and_variance_and_what_a_mean_of_fifty_keeps():
    rng = np.random.default_rng(3)
    fits, truth = 2.0 + rng.normal(size=(40_000, 50)), 1.5
    mean = fits.mean(axis=1, keepdims=True)
    parts = (mean[:, 0] - truth) ** 2 + np.mean((fits - mean) ** 2, axis=1)
    np.testing.assert_allclose(np.mean((fits - truth) ** 2, axis=1), parts)
    assert abs(np.mean((mean - truth) ** 2) - (0.5**2 + 1 / 50)) < 0.005


def test_one_example_pinches_the_band():
    fit = ridge([[1.0]], [0.4], 0.2**2)
    width = 2 * np.sqrt(fit.posterior_variance([[1.0]], [1.0])[0])
    assert np.isclose(width, 2 * 0.2 / np.sqrt(1 + 0.2**2))
    assert round(width, 2) == 0.39


def test_a_kernel_does_not_extrapolate():
    x, sigma = np.linspace(0, 1, 12)[:, None], 0.2
    kernel = kl.Gaussian.from_bandwidth(sigma)
    fit = ridge(kernel(x), 1 + 5 * x[:, 0], 0.1)  # a rising trend
    end, far = kernel([[1.0], [1 + 4 * sigma]], x) @ fit.coef
    assert end > 5
    assert abs(far) < 0.05


def test_a_prior_of_another_variance_divides_lam():
    rng = np.random.default_rng(5)
    X, y, Z = rng.normal(size=(7, 2)), rng.normal(size=7), rng.normal(size=(3, 2))
    kernel, tau2, sigma2 = kl.Gaussian(0.5), 3.0, 0.4
    joint = tau2 * kernel(np.vstack([X, Z]))
    joint[:7, :7] += sigma2 * np.eye(7)
    mean = joint[7:, :7] @ np.linalg.solve(joint[:7, :7], y)
    np.testing.assert_allclose(kernel(Z, X) @ ridge(kernel(X), y, sigma2 / tau2).coef, mean)


def test_an_error_left_out_has_the_variance_that_is_said():
    rng = np.random.default_rng(6)
    X, sigma2 = rng.normal(size=(6, 1)), 0.3
    K = kl.Gaussian(0.5)(X)
    rest = np.arange(6) != 2
    seen = K[np.ix_(rest, rest)] + sigma2 * np.eye(5)
    variance = K[2, 2] + sigma2 - K[2, rest] @ np.linalg.solve(seen, K[rest, 2])
    assert np.isclose(1 / ridge(K, np.zeros(6), sigma2).inverse_diagonal[2], variance)


def test_squared_loss_is_a_loss_of_the_margin():
    y, f = np.array([-1.0, 1.0, 1.0]), np.array([0.3, -2.0, 1.7])
    np.testing.assert_allclose((y - f) ** 2, (1 - y * f) ** 2)


def test_a_function_is_no_higher_than_its_norm():
    rng = np.random.default_rng(4)
    X, coef = rng.normal(size=(8, 2)), rng.normal(size=8)
    kernel = kl.Gaussian(0.3)
    norm = np.sqrt(coef @ kernel(X) @ coef)
    assert np.abs(kernel(3 * rng.normal(size=(500, 2)), X) @ coef).max() <= norm


def test_both_are_right_with_a_gaussian():
    from kernellab.lessons.ridge.figures.ridge_or_svm import RidgeOrSVM

    figure = RidgeOrSVM(kind="Gaussian, γ = 0.1")
    assert figure.numbers["wrong"] == [0, 0]
