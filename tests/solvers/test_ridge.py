"""Kernel ridge against explicit deletion, scikit-learn, dense linear algebra and gradients."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge

from kernellab.kernels import Gaussian, Linear
from kernellab.solvers.ridge import (
    LamRaised,
    lam_from_c_form,
    ridge,
    ridge_path,
    smallest_lam,
    solve_ridge,
)

LAMS = np.logspace(-6, 3, 10)


def problem(n=25, q=None, seed=0, gamma=2.0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, 2))
    y = np.square(X).sum(axis=1) + 0.1 * rng.normal(size=n)
    if q is not None:
        y = np.column_stack([y, *rng.normal(size=(q - 1, n))])
    return X, Gaussian(gamma)(X), y


def deletion_errors(K, y, lam):
    """y_i − f(x_i) with f fitted by dense algebra to the examples other than i."""
    errors = np.empty_like(y)
    for i in range(len(y)):
        rest = np.delete(np.arange(len(y)), i)
        inner = K[np.ix_(rest, rest)] + lam * np.eye(len(rest))
        errors[i] = y[i] - K[i, rest] @ np.linalg.solve(inner, y[rest])
    return errors


# --- one λ ----------------------------------------------------------------------------------------


def test_by_hand():
    fit = ridge([[2.0, 1.0], [1.0, 2.0]], [3.0, 0.0], 1.0)  # (K + I)⁻¹ = [[3, −1], [−1, 3]] / 8
    np.testing.assert_allclose(fit.coef, [9 / 8, -3 / 8], rtol=1e-14)
    np.testing.assert_allclose(fit.inverse_diagonal, [3 / 8, 3 / 8], rtol=1e-14)
    np.testing.assert_allclose(fit.loo_errors, [3.0, -1.0], rtol=1e-14)  # −1 = 0 − 3·1/(2 + 1)
    assert fit.degrees_of_freedom == pytest.approx(3 / 4 + 1 / 2)  # eigenvalues 3 and 1
    assert (solve_ridge(np.eye(2), np.ones(2), 3.0)[0] == 1 / 4).all()


@pytest.mark.parametrize("q", [None, 1, 3])
@pytest.mark.parametrize("lam", [1e-4, 0.3, 50.0])
def test_agrees_with_scikit_learn(lam, q):
    X, K, y = problem(q=q)
    fit = ridge(K, y, lam)
    peer = KernelRidge(alpha=lam, kernel="rbf", gamma=2.0).fit(X, y)
    np.testing.assert_allclose(fit.coef, peer.dual_coef_, rtol=1e-7, atol=1e-9)
    X_new = np.random.default_rng(1).uniform(size=(7, 2))
    scores = Gaussian(2.0)(X_new, X) @ fit.coef
    np.testing.assert_allclose(scores, peer.predict(X_new), atol=1e-9)
    assert scores.shape == peer.predict(X_new).shape


def test_the_c_of_support_vector_machines():
    rng = np.random.default_rng(3)
    X, y, C = rng.normal(size=(12, 3)), rng.normal(size=12), 0.7
    w = X.T @ ridge(Linear()(X), y, lam_from_c_form(C)).coef  # w = Σ coef_i x_i
    gradient = w - 2 * C * X.T @ (y - X @ w)  # of ½‖w‖² + C Σ (y − f)²
    np.testing.assert_allclose(gradient, 0.0, atol=1e-12)


def test_posterior_is_that_of_a_gaussian_process():
    X, K, y = problem()
    X_new = np.random.default_rng(5).uniform(-0.5, 1.5, size=(40, 2))
    kernel = Gaussian(2.0)
    fit = ridge(K, y, 0.01)
    variance = fit.posterior_variance(kernel(X_new, X), kernel.diag(X_new))
    peer = GaussianProcessRegressor(RBF(kernel.bandwidth), alpha=0.01, optimizer=None).fit(X, y)
    mean, deviation = peer.predict(X_new, return_std=True)
    np.testing.assert_allclose(kernel(X_new, X) @ fit.coef, mean, atol=1e-10)
    np.testing.assert_allclose(variance, deviation**2, atol=1e-10)
    assert variance.min() >= 0
    far = fit.posterior_variance(kernel([[99.0, 99.0]], X), [1.0])
    assert far[0] == 1.0  # nothing is known there


# --- leave-one-out --------------------------------------------------------------------------------


@pytest.mark.parametrize("q", [None, 1, 2])
@pytest.mark.parametrize("lam", [1e-3, 0.1, 10.0])
def test_leave_one_out_agrees_with_deletion(lam, q):
    _, K, y = problem(q=q)
    expected = deletion_errors(K, y, lam)
    np.testing.assert_allclose(ridge(K, y, lam).loo_errors, expected, atol=1e-10)
    path = ridge_path(K, y, [7.0, lam])
    np.testing.assert_allclose(path.loo_errors[1], expected, atol=1e-10)
    assert path.loo_error[1] == pytest.approx(np.mean(expected**2), rel=1e-9)


# --- every λ --------------------------------------------------------------------------------------


@pytest.mark.parametrize("q", [None, 1, 3])
def test_path_agrees_with_one_fit_each(q):
    _, K, y = problem(q=q)
    path = ridge_path(K, y, LAMS)
    assert path.coef.shape == (len(LAMS), *y.shape)
    for at, lam in enumerate(LAMS):
        fit = ridge(K, y, lam)
        np.testing.assert_allclose(path.coef[at], fit.coef, atol=1e-9 * np.abs(fit.coef).max())
        np.testing.assert_allclose(path.loo_errors[at], fit.loo_errors, rtol=1e-7, atol=1e-8)
        np.testing.assert_allclose(path.residuals[at], y - K @ path.coef[at], atol=1e-9)
        np.testing.assert_allclose(fit.residuals, y - K @ fit.coef, atol=1e-9)
        assert path.train_error[at] == pytest.approx(np.mean((y - K @ fit.coef) ** 2), abs=1e-9)
        hat = np.linalg.solve(K + lam * np.eye(len(K)), K)
        assert path.degrees_of_freedom[at] == pytest.approx(np.trace(hat), rel=1e-7)
        assert fit.degrees_of_freedom == pytest.approx(np.trace(hat), rel=1e-7)
        shifted = K + lam * np.eye(len(K))
        assert path.condition[at] == pytest.approx(np.linalg.cond(shifted), rel=1e-6)
    assert path.best == min(range(len(LAMS)), key=lambda at: path.loo_error[at])


def test_other_lams_from_the_same_decomposition():
    _, K, y = problem()
    path = ridge_path(K, y, LAMS)
    other = path.at(0.37)
    assert other.eigenvectors is path.eigenvectors
    np.testing.assert_array_equal(other.coef, ridge_path(K, y, [0.37]).coef)
    assert other.coef.shape == (1, len(y))
    with pytest.warns(LamRaised):
        assert path.at([0.0, 1.0]).lams.tolist() == [path.floor, 1.0]


def test_a_column_of_targets_stays_a_column():
    """(n,) minus (n, 1) is n × n: the shape that goes in must come out."""
    _, K, y = problem()
    assert ridge(K, y, 1.0).loo_errors.shape == (25,)
    assert ridge(K, y[:, np.newaxis], 1.0).loo_errors.shape == (25, 1)
    assert ridge_path(K, y[:, np.newaxis], LAMS).loo_errors.shape == (10, 25, 1)
    flat, column = ridge_path(K, y, LAMS), ridge_path(K, y[:, np.newaxis], LAMS)
    np.testing.assert_allclose(column.loo_error, flat.loo_error, rtol=1e-12)
    np.testing.assert_allclose(column.coef[..., 0], flat.coef, rtol=1e-9, atol=1e-12)


# --- λ too small ----------------------------------------------------------------------------------


@pytest.mark.parametrize("lam", [0.0, 1e-300, 1e-16])
def test_a_lam_too_small_is_raised_and_said(lam):
    X, _, y = problem()
    K = Gaussian(2.0)(np.vstack([X, X]))  # every example twice: singular
    y = np.concatenate([y, y])
    with pytest.warns(LamRaised, match="raised to"):
        fit = ridge(K, y, lam)
    assert fit.lam == smallest_lam(K)
    assert fit.lam >= len(K) * np.finfo(float).eps * np.linalg.eigvalsh(K)[-1]
    assert np.isfinite(fit.coef).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ridge(K, y, fit.lam).lam == fit.lam  # which is large enough
    with pytest.warns(LamRaised, match="1 of 2"):
        path = ridge_path(K, y, [lam, 0.1])
    assert path.lams.tolist() == [fit.lam, 0.1]
    assert np.isfinite(path.coef).all() and np.isfinite(path.condition).all()


@settings(max_examples=40)
@given(scale=st.sampled_from([1e-150, 1e-6, 1e6, 1e150]))
def test_units_of_the_kernel_do_not_matter(scale):
    _, K, y = problem()
    ours, scaled = ridge_path(K, y, LAMS), ridge_path(scale * K, y, scale * LAMS)
    np.testing.assert_allclose(scaled.loo_error, ours.loo_error, rtol=1e-6)
    np.testing.assert_allclose(scaled.degrees_of_freedom, ours.degrees_of_freedom, rtol=1e-6)


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", [ridge, ridge_path])
@pytest.mark.parametrize(
    ("K", "y", "lam", "message"),
    [
        (np.eye(2), [1.0, 2.0, 3.0], 1.0, r"y must have shape \(2,\)"),
        (np.eye(2), [[1.0, 2.0]], 1.0, r"y must have shape \(2,\) or \(2, q\)"),
        (np.eye(2), [[1.0], [np.inf]], 1.0, "y must be finite"),
        (np.eye(2), [1.0, 2.0], -1.0, "lam must not be negative, got -1"),
        (np.eye(2), [1.0, 2.0], np.nan, "lam must be"),
        (np.zeros((2, 2)), [1.0, 2.0], 0.0, "lam must be positive where K is zero"),
        (np.ones((2, 3)), [1.0, 2.0], 1.0, "K must have shape"),
        ([[0.0, 2.0], [2.0, 0.0]], [1.0, 2.0], 0.5, "K must be positive semi-definite"),
    ],
)
def test_bad_input_is_named(solver, K, y, lam, message):
    with pytest.raises(ValueError, match=message):
        solver(K, y, lam)


def test_bad_points_for_the_posterior_are_named():
    fit = ridge(np.eye(2), [1.0, 2.0], 1.0)
    with pytest.raises(ValueError, match="K_new must have one column per training point"):
        fit.posterior_variance(np.ones((1, 3)), [1.0])
    with pytest.raises(ValueError, match="diag must have shape"):
        fit.posterior_variance(np.ones((1, 2)), [1.0, 1.0])
