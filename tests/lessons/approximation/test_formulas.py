"""The formulas of lesson 07 that no cell of it checks, each computed in a second way."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

import kernellab as kl
from kernellab.solvers.landmarks import pivoted_cholesky
from kernellab.solvers.mkl import mkl, mkl_certificate
from kernellab.solvers.nystrom import nystrom_map


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture(scope="module")
def kernels():
    """Three Gram matrices of one trace, labels, and the optimum of all weights at C = 1."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 3))
    y = np.where(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=30) > 0, 1.0, -1.0)
    Ks = np.array([kl.Gaussian(g)(X) for g in (0.1, 1.0, 5.0)])
    return Ks, y, kl.solve(mkl(Ks, y, 1.0), gap=1e-6)


# --- 1 to 3 --------------------------------------------------------------------------------------


def test_the_nearest_combination_of_landmarks(rng):
    # (x·z)² with its features written out: the projection is an ordinary least squares fit.
    X, Z = rng.normal(size=(10, 3)), rng.normal(size=(4, 3))
    kernel, phi = kl.Polynomial(2, 0.0), lambda A: kl.polynomial_map(A, 2)
    c, left, *_ = np.linalg.lstsq(phi(Z).T, phi(X).T, rcond=None)
    K_Z, k_Z = kernel(Z), kernel(Z, X)
    np.testing.assert_allclose(K_Z @ c, k_Z)
    quadratic = kernel.diag(X) - 2 * (c * k_Z).sum(0) + (c * (K_Z @ c)).sum(0)
    np.testing.assert_allclose(quadratic, left)
    projected = c.T @ phi(Z)
    np.testing.assert_allclose(projected @ projected.T, k_Z.T @ np.linalg.solve(K_Z, k_Z))
    S, U = np.linalg.eigh(K_Z)
    features = (U / np.sqrt(S)).T @ k_Z
    np.testing.assert_allclose(features.T @ features, projected @ projected.T)
    Phi = nystrom_map(kernel, Z)(X)
    np.testing.assert_allclose(Phi @ Phi.T, projected @ projected.T)
    np.testing.assert_allclose(kernel.diag(X) - (Phi**2).sum(1), left)  # the darkness


def test_rows_can_be_labelled_in_every_way_exactly_if_they_are_independent(rng):
    def met(F):
        labels = itertools.product((-1, 1), repeat=len(F))
        free = {"c": np.zeros(F.shape[1]), "b_ub": -np.ones(len(F)), "bounds": (None, None)}
        return [linprog(A_ub=-F * np.array(y)[:, None], **free).success for y in labels]

    F = rng.normal(size=(3, 3))
    assert all(met(F))
    assert not all(met(np.vstack([F, F[0] + F[1] - F[2]])))
    assert all(met(np.hstack([np.vstack([F, -F[0]]), np.ones((4, 1))])))  # one more with a bias


def test_pivots_read_little_more_than_nm_kernel_values(rng):
    read = []

    def counted(X, Z):
        read.append(len(X) * len(Z))
        return kl.Gaussian(1.0)(X, Z)

    pivoted_cholesky(kl.as_kernel(counted), rng.normal(size=(50, 2)), 6)
    assert sum(read) <= 50 * (6 + 1) + 6**2 < 50**2 / 6


def test_a_loner_has_leverage_one_over_one_plus_lam():
    X = np.vstack([np.full((40, 2), 0.1), [[30.0, 30.0]]])
    for lam in (0.1, 1.0):
        K = kl.Gaussian(1.0)(X)
        leverage = np.diag(K @ np.linalg.inv(K + lam * np.eye(41)))
        assert leverage[-1] == pytest.approx(1 / (1 + lam))
        assert leverage[0] == pytest.approx(1 / (40 + lam))


# --- 5 to 7 --------------------------------------------------------------------------------------


def test_any_alpha_is_below_and_any_weights_are_above(kernels, rng):
    Ks, y, best = kernels
    for _ in range(20):
        alpha, eta = rng.uniform(0, 1, 30), rng.dirichlet(np.ones(3))
        q = np.array([(alpha * y) @ K @ (alpha * y) for K in Ks])
        f = np.tensordot(eta, Ks, axes=1) @ (alpha * y)
        upper = (alpha * y) @ f / 2 + np.maximum(0, 1 - y * f).sum()
        lower = alpha.sum() - q.max() / 2
        assert upper > best.primal > lower
        proof = mkl_certificate(Ks, y, alpha, eta, 1.0)
        assert (proof.primal, proof.dual) == pytest.approx((upper, lower))
        proof = mkl_certificate(Ks, y, alpha, eta / np.linalg.norm(eta), 1.0, p=2.0)
        assert proof.dual == pytest.approx(alpha.sum() - np.linalg.norm(q) / 2)


def test_parts_of_the_machine_have_these_lengths(kernels):
    _, y, best = kernels
    maps = [kl.Polynomial(1, 0.0), kl.Polynomial(2, 0.0)]
    X, eta = np.random.default_rng(2).normal(size=(30, 2)), np.array([0.3, 0.7])
    alpha = best.alpha * y
    w = [e * kl.polynomial_map(X, d).T @ alpha for e, d in zip(eta, (1, 2), strict=True)]
    q = np.array([alpha @ k(X) @ alpha for k in maps])
    lengths = np.array([np.linalg.norm(v) for v in w])
    np.testing.assert_allclose(lengths, eta * np.sqrt(q))
    assert (lengths**2 / eta).sum() == pytest.approx(eta @ q)  # (α∘y)ᵀ K_η (α∘y)
