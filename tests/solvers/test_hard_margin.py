from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linprog

from kernellab.datasets import load_digits, make_xor
from kernellab.estimators import HardMarginSVC, Perceptron
from kernellab.solvers import hard_margin
from kernellab.solvers.hard_margin import max_margin_through_origin
from kernellab.solvers.perceptron import homogeneous, primal_perceptron


def separable_by_linear_programming(X, y):
    G = y[:, np.newaxis] * X
    answer = linprog(np.zeros(X.shape[1]), A_ub=-G, b_ub=-np.ones(len(G)), bounds=(None, None))
    assert answer.status in (0, 2)  # solved, infeasible
    return answer.status == 0


def by_enumeration(X, y):
    """Every set of at most d examples on the margin: the shortest w that respects all others."""
    G = y[:, np.newaxis] * X
    found = []
    for size in range(1, X.shape[1] + 1):
        for rows in combinations(range(len(G)), size):
            w = np.linalg.lstsq(G[list(rows)], np.ones(size))[0]
            if (G @ w).min() >= 1 - 1e-9:
                found.append(w)
    return min(found, key=np.linalg.norm, default=None)


def by_quadratic_programming(X, y):
    daqp = pytest.importorskip("daqp")
    n, d = X.shape
    G = np.ascontiguousarray(y[:, np.newaxis] * X)
    w, _, flag, _ = daqp.solve(
        np.eye(d), np.zeros(d), G, np.full(n, 1e30), np.ones(n), np.zeros(n, dtype=np.intc)
    )
    assert flag == 1
    return w


def instances(seed, integer, how_many=150, most=40):
    rng = np.random.default_rng(seed)
    while how_many:
        n, d = rng.integers(2, most), rng.integers(1, 6)
        X = rng.integers(-4, 5, (n, d)).astype(float) if integer else rng.normal(size=(n, d))
        X = homogeneous(X) if rng.random() < 0.5 else X
        y = np.where(X @ rng.normal(size=X.shape[1]) > 0, 1.0, -1.0)
        if rng.random() < 0.4:
            y[rng.integers(n)] *= -1
        if len(set(y)) == 2:
            how_many -= 1
            yield X, y


@pytest.mark.parametrize("integer", [True, False])
def test_it_agrees_with_enumeration(integer):
    seen = {True: 0, False: 0}
    for X, y in instances(3, integer, how_many=150, most=9):
        best = by_enumeration(X, y)
        seen[best is None] += 1
        w, status = max_margin_through_origin(X, y)
        if best is None:
            assert (w, status) == (None, "not separable")
        else:
            assert status == "converged"
            np.testing.assert_allclose(w, best, rtol=1e-7, atol=1e-8)
    assert min(seen.values()) > 10


@pytest.mark.parametrize("integer", [True, False])
def test_it_agrees_with_linear_and_quadratic_programming(integer):
    seen = {True: 0, False: 0}
    for X, y in instances(0, integer):
        separable = separable_by_linear_programming(X, y)
        seen[separable] += 1
        w, status = max_margin_through_origin(X, y)
        assert status == ("converged" if separable else "not separable")
        if separable:
            np.testing.assert_allclose(w, by_quadratic_programming(X, y), rtol=1e-5, atol=1e-6)
            assert (y * (X @ w)).min() == pytest.approx(1.0, abs=1e-9)
        else:
            assert w is None
    assert min(seen.values()) > 20


def test_the_three_points_by_hand():
    X = np.array([[1.0, 2.0], [-1.0, 2.0], [-1.0, -2.0]])
    y = np.array([-1.0, -1.0, 1.0])
    plain, status = max_margin_through_origin(X, y)
    assert status == "converged"
    np.testing.assert_allclose(plain, [0, -1 / 2], atol=1e-12)  # half-margin 2, objective 1/8
    with_bias, status = max_margin_through_origin(homogeneous(X), y)
    assert status == "converged"
    np.testing.assert_allclose(with_bias, [0, -1 / 2, 0], atol=1e-12)


def test_units_and_orthogonal_maps_do_not_matter():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 4))
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    w, _ = max_margin_through_origin(X, y)
    for unit in (1e-200, 1e-6, 1e6, 1e200):
        scaled, status = max_margin_through_origin(unit * X, y)
        assert status == "converged"
        np.testing.assert_allclose(unit * scaled, w, rtol=1e-9, atol=1e-12)
    Q, _ = np.linalg.qr(rng.normal(size=(4, 4)))
    turned, _ = max_margin_through_origin(X @ Q, y)
    np.testing.assert_allclose(turned, w @ Q, rtol=1e-9, atol=1e-12)


def test_far_from_the_origin_it_still_decides():
    # In homogeneous coordinates the half-margin falls with the square of the offset: to about
    # 1e-9 of the longest vector here.
    for X, y in instances(2, integer=False, how_many=60):
        separable = separable_by_linear_programming(homogeneous(X), y)
        _, status = max_margin_through_origin(homogeneous(X + 1e4), y)
        assert status == ("converged" if separable else "not separable")


@pytest.mark.rounding
def test_below_rounding_it_says_not_separable():
    X, y = np.array([[1.0, 1e-15], [1.0, -1e-15]]), np.array([1.0, -1.0])
    assert max_margin_through_origin(X, y) == (None, "not separable")
    w, status = max_margin_through_origin(np.array([[1.0, 1e-9], [1.0, -1e-9]]), y)
    assert status == "converged"
    np.testing.assert_allclose(w, [0, 1e9], atol=1e-3)


@pytest.mark.rounding
def test_ties_on_which_least_squares_stops_early():
    X = np.array([[0.0, -2.0], [-2.0, -2.0], [-3.0, -2.0], [0.0, 2.0]])
    w, status = max_margin_through_origin(X, [1, 1, 1, -1])
    assert status == "converged"
    np.testing.assert_allclose(w, [0, -1 / 2], atol=1e-12)


@pytest.mark.rounding
def test_duplicates_and_zeros():
    X = np.array([[1.0, 1.0], [1.0, 1.0], [-1.0, -1.0]])
    assert max_margin_through_origin(X, [1, -1, 1]) == (None, "not separable")
    w, _ = max_margin_through_origin(X, [1, 1, -1])
    np.testing.assert_allclose(w, [0.5, 0.5])
    assert max_margin_through_origin(np.zeros((2, 2)), [1, -1]) == (None, "not separable")
    assert max_margin_through_origin([[0.0], [1.0]], [-1, 1]) == (None, "not separable")


def test_xor_and_digits():
    xor = make_xor()
    assert max_margin_through_origin(homogeneous(xor.X), xor.y) == (None, "not separable")
    digits = load_digits((3, 8))
    w, status = max_margin_through_origin(homogeneous(digits.X), digits.y)
    assert status == "converged"
    np.testing.assert_allclose(
        w, by_quadratic_programming(homogeneous(digits.X), digits.y), rtol=1e-4, atol=1e-6
    )


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[np.nan], [1]], [1, -1], ["X", "nan"]),
        ([1.0, 2.0], [1, -1], ["X", "(2,)"]),
        ([[1.0], [2.0]], [1, 1], ["y", "1"]),
        ([[1.0], [2.0]], [1, -1, 1], ["y", "3"]),
    ],
)
def test_bad_input_is_named(X, y, words):
    with pytest.raises(ValueError) as error:
        max_margin_through_origin(X, y)
    for word in words:
        assert word in str(error.value)


def give_up(*_, **__):
    raise RuntimeError("too many iterations")


@pytest.mark.parametrize(
    "broken", [give_up, lambda A, b, maxiter: (np.eye(A.shape[1])[0], 0.0)], ids=["raises", "errs"]
)
def test_least_squares_is_not_believed(monkeypatch, broken):
    X, y = np.array([[1.0, 0.0], [-1.0, 1.0], [0.0, 3.0]]), np.array([1.0, 1.0, -1.0])
    monkeypatch.setattr(hard_margin, "nnls", broken)
    assert max_margin_through_origin(X, y) == (None, "stopped at the cap")


@pytest.mark.parametrize("unit", [1e-160, 1e154, 1e200, 1e307])
def test_units_whose_squares_do_not_fit_in_a_float_are_named(unit):
    X, y = unit * np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, 0.0], [-2.0, 1.0]]), [1, 1, -1, -1]
    calls = [hard_margin.hard_margin, HardMarginSVC().fit, Perceptron(bias=False).fit]
    for call in [*calls, lambda X, y: next(primal_perceptron(X, y))]:
        with pytest.raises(ValueError, match=r"X must (be of a size|not be so large).*rescale"):
            call(X, y)


@pytest.mark.parametrize("unit", [1e-130, 1e130])
def test_extreme_units_that_fit_do_not_matter(unit):
    X, y = np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, 0.0], [-2.0, 1.0]]), np.array([1, 1, -1, -1])
    plain, scaled = hard_margin.hard_margin(X, y), hard_margin.hard_margin(unit * X, y)
    assert scaled.half_margin == pytest.approx(unit * plain.half_margin, rel=1e-9)
    np.testing.assert_allclose(scaled.w * unit, plain.w, rtol=1e-9)
    np.testing.assert_allclose(scaled.alpha * unit * unit, plain.alpha, rtol=1e-9)
