"""The soft margin and its reading, against scikit-learn and against the definitions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import SVC

from kernellab.certificates import nu, svm_certificate
from kernellab.datasets import make_clouds
from kernellab.lessons.margin.theory.soft_margin import bias_interval, soft_margin
from kernellab.solvers.hard_margin import hard_margin

CLOUDS = make_clouds(30, 2.0, 3)


@pytest.mark.parametrize("C", [0.003, 0.05, 1.0, 30.0])
@pytest.mark.parametrize("offset", [0.0, 1000.0])
def test_the_same_machine_as_scikit_learn(C, offset):
    X, y = CLOUDS.X + offset, CLOUDS.y
    m = soft_margin(X, y, C)
    other = SVC(kernel="linear", C=C, tol=1e-8).fit(CLOUDS.X, y)
    np.testing.assert_allclose(m.w, other.coef_[0], atol=1e-4)
    assert m.status == "converged"
    low, high = m.b_interval
    assert low - 1e-3 <= other.intercept_[0] - offset * m.w.sum() <= high + 1e-3 or C < 0.01
    assert svm_certificate(
        CLOUDS.X @ CLOUDS.X.T, y, m.alpha, C, bias=m.b + offset * m.w.sum()
    ).kkt < (1e-3)


@pytest.mark.parametrize("C", [0.003, 0.01, 0.3, 10.0])
def test_every_bias_of_the_interval_costs_the_same_and_no_other_less(C):
    X, y = CLOUDS.X, CLOUDS.y
    m = soft_margin(X, y, C)

    def loss(b):
        return np.maximum(0, 1 - y * (X @ m.w + b)).sum()

    low, high = m.b_interval
    for b in np.linspace(low, high, 5):
        assert loss(b) == pytest.approx(loss(m.b), abs=1e-5)
    for b in (low - 0.1, high + 0.1):
        assert loss(b) > loss(m.b) - 1e-9
    free = m.support & ~m.bounded
    assert (high - low > 1e-4) == (not free.any())
    if free.any():
        np.testing.assert_allclose(y[free] - X[free] @ m.w, m.b, atol=1e-4)


def test_slacks_weights_and_counts_over_c():
    X, y = CLOUDS.X, CLOUDS.y
    machines = [soft_margin(X, y, C) for C in np.geomspace(0.003, 100, 30)]
    slack = np.array([m.slack.sum() for m in machines])
    length = np.array([np.linalg.norm(m.w) for m in machines])
    assert np.all(np.diff(slack) <= 1e-6)
    assert np.all(np.diff(length) >= -1e-6)
    assert slack[0] > slack[-1] + 1 and length[-1] > length[0] + 0.5
    for m in machines:
        assert np.all(m.bounded[m.errors])
        assert np.all(m.slack[~m.bounded] < 1e-5)
        assert np.all((m.margins[m.support & ~m.bounded] - 1) < 1e-5)
        n = len(y)
        assert m.errors.sum() / n <= nu(m.alpha, m.C) + 1e-9 <= m.support.sum() / n + 2e-9


def test_a_large_c_on_separable_points_is_the_hard_margin():
    data = make_clouds(20, 8.0, 0)
    hard, soft = hard_margin(data.X, data.y), soft_margin(data.X, data.y, 1e4)
    np.testing.assert_allclose(soft.w, hard.w, rtol=1e-4)
    assert soft.b == pytest.approx(hard.b, abs=1e-4)
    assert soft.half_margin == pytest.approx(hard.half_margin, rel=1e-4)
    assert not soft.errors.any()


def test_class_weights_are_bounds_of_their_own():
    X, y = CLOUDS.X, CLOUDS.y
    C = np.where(y > 0, 3.0, 0.2)
    m = soft_margin(X, y, C)
    weights = {1.0: 3.0, -1.0: 0.2}
    other = SVC(kernel="linear", C=1.0, class_weight=weights, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(m.w, other.coef_[0], atol=1e-4)
    assert np.all(m.alpha <= C) and m.bounded.any()
    # Weight two is the same as being there twice.
    twice = soft_margin(np.vstack([X, X[y > 0]]), np.append(y, y[y > 0]), 0.2)
    np.testing.assert_allclose(soft_margin(X, y, np.where(y > 0, 0.4, 0.2)).w, twice.w, atol=1e-4)


def test_points_that_all_coincide():
    m = soft_margin(np.ones((4, 2)), np.array([1.0, 1.0, -1.0, -1.0]), 1.0)
    assert np.all(m.w == 0) and m.half_margin == np.inf
    assert m.b_interval == (-1.0, 1.0) and m.b == 0
    assert m.slack.sum() == pytest.approx(4)


def test_the_interval_by_hand():
    # All at the bound, scores 0: class +1 asks b ≤ 1, class −1 asks b ≥ −1.
    y, zero = np.array([1.0, -1.0]), np.zeros(2)
    assert bias_interval(zero, y, np.ones(2), np.ones(2)) == (-1.0, 1.0)
    assert bias_interval(zero, y, np.array([0.5, 1.0]), np.ones(2)) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (([[0.0], [1.0]], [1, 1], 1.0), "y must hold"),
        (([[0.0], [1.0]], [1, -1], 0.0), "C must be"),
        (([[0.0], [np.nan]], [1, -1], 1.0), "X must be finite"),
        (([[0.0], [1.0]], [1, -1], [1.0, 1.0, 1.0]), "C must have shape"),
    ],
)
def test_bad_input_is_named(arguments, named):
    with pytest.raises(ValueError, match=named):
        soft_margin(*arguments)
