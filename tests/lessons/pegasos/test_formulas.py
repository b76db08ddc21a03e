"""The formulas of notebook 04 that no cell of it checks, each computed in a second way."""

from __future__ import annotations

from itertools import islice
from math import erf

import numpy as np
import pytest
from scipy.optimize import minimize

import kernellab as kl
from kernellab.lessons.pegasos.figures.stepper import PegasosStepper
from kernellab.solvers.pegasos import kernel_pegasos, pegasos
from kernellab.solvers.smo import smo

LAM = 0.05


@pytest.fixture(scope="module")
def clouds():
    data = kl.make_clouds(12, 3.0, 4)
    return data.X, data.y


def primal(w, X, y, lam):
    return lam / 2 * w @ w + np.maximum(0, 1 - y * (X @ w)).mean()


# --- 1 to 3 --------------------------------------------------------------------------------------


def test_c_form_is_cn_times_lambda_form(clouds):
    X, y = clouds
    w, C = np.array([0.7, -0.2]), 1 / (LAM * len(y))
    slack = np.maximum(0, 1 - y * (X @ w)).sum()
    assert w @ w / 2 + C * slack == pytest.approx(C * len(y) * primal(w, X, y, LAM))
    assert C * len(y) == pytest.approx(1 / LAM)


def test_a_batch_goes_down_the_mean_subgradient(clouds):
    X, y = clouds
    states = pegasos(X, y, LAM, orders=[np.array([0, 1, 2, 3, 4, 5])], batch_size=3)
    w = np.zeros(2)
    for t, batch in ((1, [0, 1, 2]), (2, [3, 4, 5])):
        hinge = [-y[i] * X[i] if y[i] * (X[i] @ w) < 1 else np.zeros(2) for i in batch]
        w = w - (LAM * w + np.mean(hinge, axis=0)) / (LAM * t)
    *_, last = states
    np.testing.assert_allclose(last.w, w)


def test_at_the_kink_the_flat_side_is_taken():
    X, y = np.array([[2.0, 0.0], [0.5, 0.0], [1.0, 0.0]]), np.array([1.0, -1.0, 1.0])
    # With λ = 2 step 1 makes w = (1, 0); then w·x = 1 exactly, no violation: it only shrinks.
    states = pegasos(X, y, 2.0, orders=[np.array([0, 2])], one_at_a_time=True)
    path = [np.array(state.w) for state in states]
    np.testing.assert_array_equal(path[1:], [[1, 0], [0.5, 0]])


def test_the_dual_in_units_of_one(clouds):
    X, y = clouds
    n, rng = len(y), np.random.default_rng(0)
    lowest = min(
        minimize(primal, rng.normal(size=2), (X, y, LAM), "Nelder-Mead", tol=1e-10).fun
        for _ in range(3)
    )
    for alpha in rng.uniform(0, 1, (200, n)):
        w = (alpha * y) @ X / (LAM * n)
        assert alpha.mean() - LAM / 2 * w @ w <= lowest + 1e-9
    best = kl.solve(smo(X @ X.T, y, 1 / (LAM * n), bias=False), gap=1e-10)
    alpha = best.alpha * LAM * n
    w = (alpha * y) @ X / (LAM * n)
    np.testing.assert_allclose(w, (best.alpha * y) @ X)
    assert alpha.mean() - LAM / 2 * w @ w == pytest.approx(lowest, abs=1e-6)
    assert np.linalg.norm(w) <= LAM**-0.5 < np.sqrt(2 / LAM)


def test_the_first_figure_leaves_its_circle_early():
    figure = PegasosStepper(lam=0.01, project=True)
    lengths = 0.1 * np.linalg.norm(figure.run.W, axis=1)
    assert np.flatnonzero(lengths > 1 - 1e-9).tolist() == [1, 2, 4, 11, 18, 24]


# --- 4 and 5 -------------------------------------------------------------------------------------


def test_shares_of_violations_are_a_dual_point_and_a_certificate(clouds):
    X, y = clouds
    n, counts, w = len(y), np.zeros(len(y)), np.zeros(2)
    draws = np.random.default_rng(2).integers(n, size=60)
    for t, i in enumerate(draws, 1):
        counts[i] += y[i] * (X[i] @ w) < 1
        w = (counts * y) @ X / (LAM * t)
    shares = n * counts / 60
    np.testing.assert_allclose(w, (shares * y) @ X / (LAM * n))
    *_, state = pegasos(X, y, LAM, orders=[draws])
    np.testing.assert_allclose(state.w, w)
    alpha = np.clip(shares, 0, 1)
    v = (alpha * y) @ X / (LAM * n)
    ours = alpha.mean() - LAM / 2 * v @ v
    lowest = minimize(primal, w, (X, y, LAM), "Nelder-Mead", tol=1e-10).fun
    assert ours - 1e-12 <= state.dual <= lowest + 1e-9  # the package scales α as well


# --- 6 to 8 --------------------------------------------------------------------------------------


def test_signed_weights_line_by_line(clouds):
    X, y = clouds
    K, a = kl.Gaussian(0.5)(X), np.zeros(len(y))
    draws = np.random.default_rng(4).integers(len(y), size=50)
    states = kernel_pegasos(K, y, LAM, orders=[draws], one_at_a_time=True)
    for t, (i, state) in enumerate(zip(draws, islice(states, 1, None), strict=True), 1):
        violation = y[i] * K[i] @ a < 1
        a = (1 - 1 / t) * a
        a[i] += violation * y[i] / (LAM * t)
        np.testing.assert_allclose(state.coef, a, atol=1e-12)
        np.testing.assert_allclose(state.alpha * y / (LAM * t), a, atol=1e-12)


def test_shrinking_from_t_to_the_end_leaves_one_over_lambda_t():
    for t, end in ((1, 5), (3, 20), (7, 7)):
        factors = [s / (s + 1) for s in range(t, end)]
        assert np.prod(factors) / (LAM * t) == pytest.approx(1 / (LAM * end))


def test_the_circle_between_the_rings_errs_on_phi_of_minus_two():
    by_hand = (1 + erf(-0.5 / 0.25 / np.sqrt(2))) / 2
    assert by_hand == pytest.approx(0.0228, abs=5e-5)
    rings = kl.make_rings(40_000, 1)
    radius = np.linalg.norm(rings.X, axis=1)
    errors = [np.mean((radius > r) != (rings.y > 0)) for r in (1.4, 1.5, 1.6)]
    assert errors[1] == pytest.approx(by_hand, abs=0.003) and min(errors) == errors[1]


def test_votes_and_the_score_that_breaks_a_tie():
    X, y = kl.load_iris(None).X, kl.load_iris(None).y
    machine = kl.KernelSVC(kl.Gaussian(0.05), lam=0.1, bias=False)
    model = kl.OneVsOneClassifier(machine).fit(X, y)
    scores, m = model.pairwise_scores(X), 3
    assert scores.shape[1] == m * (m - 1) // 2 == len(model.pairs_)
    for row, said in zip(scores, model.predict(X), strict=True):
        votes, sums = np.zeros(m), np.zeros(m)
        for score, (first, second) in zip(row, model.pairs_, strict=True):
            votes[second if score > 0 else first] += 1
            sums += score * (np.eye(m)[second] - np.eye(m)[first])
        best = max(range(m), key=lambda k: (votes[k], sums[k]))
        assert said == model.classes_[best]
