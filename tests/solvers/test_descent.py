from itertools import islice

import numpy as np
import pytest
import sklearn.linear_model
import sklearn.svm
from scipy.optimize import approx_fprime, minimize

from kernellab.datasets import make_clouds
from kernellab.losses import MARGIN_LOSSES, exponential, hinge, squared, zero_one
from kernellab.solvers.descent import descend, risk, risk_gradient
from kernellab.solvers.perceptron import homogeneous
from kernellab.solving import NotConverged, solve

CONVEX = [loss for loss in MARGIN_LOSSES if loss is not zero_one]
SMOOTH = [loss for loss in CONVEX if loss is not hinge]


def problem(seed=0, n=30, separation=2.0):
    data = make_clouds(n, separation=separation, rng=seed)
    return homogeneous(data.X), data.y


@pytest.mark.parametrize("loss", CONVEX, ids=lambda loss: loss.name)
def test_the_gradient_is_the_finite_difference(loss):
    X, y = problem()
    for w in np.random.default_rng(0).normal(size=(5, 3)):
        slope = approx_fprime(w, lambda v: float(risk(X, y, v, loss, 0.3)), 1e-7)
        np.testing.assert_allclose(risk_gradient(X, y, w, loss, 0.3), slope, atol=1e-5)


@pytest.mark.parametrize("loss", SMOOTH, ids=lambda loss: loss.name)
def test_it_finds_the_minimum_and_its_gap_is_a_bound(loss):
    X, y = problem()
    lam = 0.05  # with 0.5 a gap could forget to divide by 2λ
    best = minimize(
        lambda w: risk(X, y, w, loss, lam),
        np.zeros(3),
        jac=lambda w: risk_gradient(X, y, w, loss, lam),
        method="BFGS",
        options={"gtol": 1e-10},
    )
    for state in islice(descend(X, y, loss, lam=lam, step=0.05), 200):
        assert state.objective - best.fun <= state.gap + 1e-12
    result = solve(descend(X, y, loss, lam=lam, step=0.05), gap=1e-10, max_passes=5000)
    assert result.converged
    assert result.objective - best.fun <= 1e-10 + 1e-12
    np.testing.assert_allclose(result.w, best.x, atol=1e-4)


def test_the_hinge_needs_steps_that_shrink():
    X, y = problem()
    lam = 0.1
    svm = sklearn.svm.LinearSVC(
        C=1 / (lam * len(y)), loss="hinge", fit_intercept=False, tol=1e-10, max_iter=1_000_000
    ).fit(X, y)
    best = float(risk(X, y, svm.coef_[0], hinge, lam))
    states = descend(X, y, hinge, lam=lam, step=lambda t: 1 / (lam * t), start=[9.0, -9.0, 9.0])
    objectives = np.array([state.objective for state in islice(states, 4001)])
    assert objectives.min() >= best - 1e-9
    assert objectives[4000] == pytest.approx(best, rel=5e-3)


def test_many_starts_are_many_runs():
    X, y = problem()
    starts = np.random.default_rng(1).normal(size=(5, 3))
    options = {"lam": 0.01, "step": 0.1}
    together = [s for s in islice(descend(X, y, hinge, start=starts, **options), 50)]
    for k, start in enumerate(starts):
        alone = [s for s in islice(descend(X, y, hinge, start=start, **options), 50)]
        for one, all_of_them in zip(alone, together, strict=True):
            np.testing.assert_allclose(all_of_them.w[k], one.w, rtol=1e-12)
            assert all_of_them.objective[k] == pytest.approx(float(one.objective))
            assert all_of_them.gap >= one.gap * (1 - 1e-9)


def test_it_starts_at_the_start_and_ends_at_a_zero_gradient():
    X, y = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    states = list(descend(X, y, hinge, step=0.5, start=[0.25]))
    np.testing.assert_allclose([s.w[0] for s in states], [0.25, 0.75, 1.25])
    np.testing.assert_allclose([s.objective for s in states], [0.75, 0.25, 0])
    assert [s.passes for s in states] == [0, 1, 2]
    assert [s.status for s in states] == ["running", "running", "converged"]
    assert [s.gap for s in states] == [np.inf, np.inf, 0]


@pytest.mark.parametrize("loss", [squared, exponential], ids=lambda loss: loss.name)
def test_too_long_a_step_is_called_divergence(loss):
    X, y = problem()
    with pytest.warns(NotConverged, match="diverged"):
        result = solve(descend(X, y, loss, lam=0.1, step=100.0), max_passes=10_000)
    assert result.status == "diverged"


X2, Y2 = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([-1.0, 1.0])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"X": [[np.nan, 0], [0, 1]]}, ["X", "nan"]),
        ({"y": [1, 1]}, ["y", "1"]),
        ({"loss": "hinge"}, ["loss", "'hinge'"]),
        ({"loss": zero_one}, ["loss", "0–1"]),
        ({"lam": -0.1}, ["lam", "-0.1"]),
        ({"step": 0}, ["step", "0"]),
        ({"step": "small"}, ["step", "small"]),
        ({"start": [[1.0, 2.0, 3.0]]}, ["start", "(1, 3)"]),
        ({"start": [1.0, np.nan]}, ["start", "nan"]),
    ],
)
def test_bad_input_is_named_before_the_first_step(changes, words):
    arguments = {"X": X2, "y": Y2, "loss": hinge, "step": 0.1} | changes
    with pytest.raises(ValueError) as error:
        descend(**arguments)
    for word in words:
        assert word in str(error.value)
