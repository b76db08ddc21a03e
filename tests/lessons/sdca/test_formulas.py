"""The formulas of lesson 05 and what is further, each computed in a second way."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from scipy.optimize import minimize

import kernellab as kl
from kernellab.solvers.pegasos import kernel_pegasos
from kernellab.solvers.sdca import sdca
from kernellab.solvers.smo import smo

C = 0.7
RNG = np.random.default_rng(0)
X = RNG.normal(size=(8, 2))
Y = np.array([1.0, -1, 1, -1, 1, -1, 1, -1])
K = X @ X.T


def primal(w):
    return w @ w / 2 + C * np.maximum(0, 1 - Y * (X @ w)).sum()


def saddle(w, alpha):
    return w @ w / 2 + alpha @ (1 - Y * (X @ w))


def dual(alpha):
    return alpha.sum() - (alpha * Y) @ K @ (alpha * Y) / 2


# --- a loss is a maximum --------------------------------------------------------------------------


def test_the_primal_is_the_largest_value_over_the_box():
    corners = C * np.array(np.meshgrid(*[[0, 1]] * 8)).reshape(8, -1).T  # linear in α: at a corner
    for w in RNG.normal(size=(5, 2)):
        assert max(saddle(w, alpha) for alpha in corners) == pytest.approx(primal(w))


def test_the_dual_is_the_least_value_over_w():
    for alpha in RNG.uniform(0, C, (5, 8)):
        lowest = minimize(saddle, np.zeros(2), args=(alpha,))
        np.testing.assert_allclose(lowest.x, (alpha * Y) @ X, atol=1e-4)
        assert lowest.fun == pytest.approx(dual(alpha))


def test_swapping_changes_nothing():
    top = minimize(lambda a: -dual(a), np.full(8, C / 2), bounds=[(0, C)] * 8)
    w = (top.x * Y) @ X
    best = min(minimize(primal, w + d, method="Nelder-Mead", options={"xatol": 1e-8}).fun
               for d in np.vstack([np.zeros(2), RNG.normal(size=(3, 2))]))  # fmt: skip
    assert -top.fun == pytest.approx(best, rel=1e-5)


def test_a_kernel_plus_one_has_a_bias_that_pays():
    alpha = kl.solve(sdca(K + 1, Y, C), gap=1e-10, max_passes=100_000).alpha
    w, b = (alpha * Y) @ X, alpha @ Y

    def paying(v):
        return v @ v / 2 + C * np.maximum(0, 1 - Y * (X @ v[:2] + v[2])).sum()

    here = paying(np.append(w, b))
    assert all(paying(np.append(w, b) + d) > here for d in 1e-3 * RNG.normal(size=(200, 3)))


# --- one class -----------------------------------------------------------------------------------


def test_one_class_fixes_its_sum_after_the_fact():
    crowd = kl.Gaussian(0.5)(RNG.normal(size=(12, 2)))
    alpha = kl.solve(sdca(crowd, np.ones(12), 0.3), gap=1e-10, max_passes=100_000).alpha
    nu = alpha.sum() / (0.3 * 12)
    found = minimize(
        lambda a: a @ crowd @ a / 2, np.full(12, 1 / 12), jac=lambda a: crowd @ a, method="SLSQP",
        bounds=[(0, 1 / (nu * 12))] * 12, constraints={"type": "eq", "fun": lambda a: a.sum() - 1},
        options={"ftol": 1e-14, "maxiter": 500},
    )  # fmt: skip
    assert found.success
    np.testing.assert_allclose(alpha / alpha.sum(), found.x, atol=1e-4)


# --- three engines --------------------------------------------------------------------------------


def test_kernel_evaluations_are_the_rows_that_were_needed():
    gram = kl.Gaussian(0.5)(X)
    steps = list(islice(smo(gram, Y, C, bias=False, one_at_a_time=True), 4))
    assert [state.n_kernel_evaluations for state in steps] == [8, 24, 40, 56]
    *_, last = islice(kernel_pegasos(gram, Y, 0.1), 6)
    assert last.n_violations == last.alpha.sum()


# --- one grid -------------------------------------------------------------------------------------


def test_the_sum_form_is_a_multiple_of_the_c_form():
    lam_sum = 1 / C
    for w in RNG.normal(size=(5, 2)):
        sum_form = np.maximum(0, 1 - Y * (X @ w)).sum() + lam_sum / 2 * w @ w
        assert primal(w) == pytest.approx(sum_form / lam_sum)
        lam_form = lam_sum / 8 / 2 * w @ w + np.maximum(0, 1 - Y * (X @ w)).mean()
        assert primal(w) == pytest.approx(C * 8 * lam_form)
