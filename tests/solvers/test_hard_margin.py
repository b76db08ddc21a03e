"""Hard margins against programming, enumeration and by hand, through the origin or not."""

import numpy as np
import pytest
from scipy.optimize import linprog

from kernellab.datasets import make_xor
from kernellab.estimators import HardMarginSVC, Perceptron
from kernellab.kernels import Gaussian, Linear, Polynomial
from kernellab.solvers import hard_margin as module
from kernellab.solvers.hard_margin import (
    closest_points,
    hard_margin,
    hard_margin_from_gram,
    max_margin_through_origin,
)
from kernellab.solvers.perceptron import homogeneous, primal_perceptron


def separable_by_linear_programming(X, y):
    G = y[:, np.newaxis] * X
    answer = linprog(np.zeros(X.shape[1]), A_ub=-G, b_ub=-np.ones(len(G)), bounds=(None, None))
    assert answer.status in (0, 2)  # solved, infeasible
    return answer.status == 0


def by_quadratic_programming(X, y, free=0):
    """The shortest w, by an active-set solver; the last `free` weights cost next to nothing."""
    daqp = pytest.importorskip("daqp")
    n, d = X.shape
    H = np.diag(np.where(np.arange(d) < d - free, 1.0, 1e-6))
    G = np.ascontiguousarray(y[:, np.newaxis] * X)
    w, _, flag, _ = daqp.solve(
        H, np.zeros(d), G, np.full(n, 1e30), np.ones(n), np.zeros(n, dtype=np.intc)
    )
    assert flag == 1
    return w


def instances(seed, integer, how_many=100, most=30):
    rng = np.random.default_rng(seed)
    while how_many:
        n, d = rng.integers(2, most), rng.integers(1, 6)
        X = rng.integers(-4, 5, (n, d)).astype(float) if integer else rng.normal(size=(n, d))
        X = homogeneous(X) if rng.random() < 0.5 else X
        y = np.where(X @ rng.normal(size=X.shape[1]) > rng.choice([0, rng.normal() / 2]), 1.0, -1.0)
        if rng.random() < 0.4:
            y[rng.integers(n)] *= -1
        if rng.random() < 0.2:
            y = rng.choice([-1.0, 1.0], n)
        if len(set(y)) == 2:
            how_many -= 1
            yield X, y


def assert_kkt(X, y, solution, tolerance=1e-6):
    """The KKT conditions, and with them that w is the answer, from the definition."""
    w, b, alpha = solution.w, solution.b, solution.alpha
    margins = y * (X @ w + b)
    length = np.linalg.norm(w)
    size = alpha.sum() * max(np.abs(X - X.mean(axis=0)).max(), 1e-300)
    assert margins.min() >= 1 - 1e-9
    assert alpha.min() >= 0
    assert abs(alpha @ y) <= 1e-12 * alpha.sum()
    np.testing.assert_allclose((alpha * y) @ X, w, atol=tolerance * max(length, 1e-6 * size))
    assert (alpha * (margins - 1)).sum() <= tolerance * alpha.sum()
    assert alpha.sum() == pytest.approx(length**2, rel=tolerance)
    assert solution.half_margin == pytest.approx(1 / length)


# --- through the origin ---------------------------------------------------------------------------


@pytest.mark.parametrize("integer", [True, False])
def test_through_the_origin_it_agrees_with_linear_and_quadratic_programming(integer):
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
def test_through_the_origin_below_rounding_it_says_not_separable():
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
def test_two_points_whose_mean_is_rounded_are_one_direction():
    X = np.array([[0, 0], [-4, 4], [0, -4], [-3, 3], [4, 1]])
    found = hard_margin(X, [1, -1, 1, 1, 1])
    np.testing.assert_allclose(found.w, [1, -1], atol=1e-12)
    assert found.half_margin == pytest.approx(np.sqrt(0.5))


def test_duplicates_and_zeros():
    X = np.array([[1.0, 1.0], [1.0, 1.0], [-1.0, -1.0]])
    assert max_margin_through_origin(X, [1, -1, 1]) == (None, "not separable")
    w, _ = max_margin_through_origin(X, [1, 1, -1])
    np.testing.assert_allclose(w, [0.5, 0.5])
    assert max_margin_through_origin(np.zeros((2, 2)), [1, -1]) == (None, "not separable")
    assert max_margin_through_origin([[0.0], [1.0]], [-1, 1]) == (None, "not separable")


def give_up(*_, **__):
    raise RuntimeError("too many iterations")


@pytest.mark.parametrize(
    "broken", [give_up, lambda A, b, maxiter: (np.eye(A.shape[1])[0], 0.0)], ids=["raises", "errs"]
)
def test_least_squares_is_not_believed(monkeypatch, broken):
    X, y = np.array([[1.0, 0.0], [-1.0, 1.0], [0.0, 3.0]]), np.array([1.0, 1.0, -1.0])
    monkeypatch.setattr(module, "nnls", broken)
    assert max_margin_through_origin(X, y) == (None, "stopped at the cap")


def test_a_separator_that_is_not_the_widest_is_not_believed(monkeypatch):
    X, y = np.array([[1.0, 0.0], [3.0, 1.0], [-1.0, 0.5]]), np.array([1.0, 1.0, -1.0])
    monkeypatch.setattr(module, "nnls", lambda A, b, maxiter: (np.ones(A.shape[1]), 0.0))
    assert max_margin_through_origin(X, y) == (None, "stopped at the cap")
    assert hard_margin(X, y).status == "stopped at the cap"


@pytest.mark.parametrize("unit", [1e-160, 1e154, 1e200, 1e307])
def test_units_whose_squares_do_not_fit_in_a_float_are_named(unit):
    X, y = unit * np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, 0.0], [-2.0, 1.0]]), [1, 1, -1, -1]
    calls = [hard_margin, HardMarginSVC().fit, Perceptron(bias=False).fit]
    for call in [*calls, lambda X, y: next(primal_perceptron(X, y))]:
        with pytest.raises(ValueError, match=r"X must (be of a size|not be so large).*rescale"):
            call(X, y)


# --- the general solver ---------------------------------------------------------------------------


@pytest.mark.parametrize("integer", [True, False])
def test_it_agrees_with_linear_and_quadratic_programming(integer):
    seen = {True: 0, False: 0}
    for X, y in instances(0, integer):
        separable = separable_by_linear_programming(homogeneous(X), y)
        seen[separable] += 1
        solution = hard_margin(X, y)
        assert solution.status == ("converged" if separable else "not separable")
        if not separable:
            assert solution.w is solution.b is solution.alpha is solution.half_margin is None
            continue
        assert_kkt(X, y, solution)
        *w, b = by_quadratic_programming(homogeneous(X), y, free=1)
        np.testing.assert_allclose(solution.w, w, rtol=1e-3, atol=1e-4)
        assert solution.b == pytest.approx(b, rel=1e-3, abs=1e-3)
    assert min(seen.values()) > 15


def test_place_units_and_turns_do_not_matter():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 3))
    y = np.where(X[:, 0] > 0.3, 1.0, -1.0)
    plain = hard_margin(X, y)
    for unit, offset in [(1e-130, 0.0), (1e130, 0.0), (1.0, 1e6), (1e-3, 5.0)]:
        moved = hard_margin(unit * X + offset, y)
        assert moved.status == "converged"
        assert moved.half_margin == pytest.approx(unit * plain.half_margin, rel=1e-6)
        if unit in (1.0, 1e-3):
            np.testing.assert_allclose(unit * moved.w, plain.w, rtol=1e-5, atol=1e-5)
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    np.testing.assert_allclose(hard_margin(X @ Q, y).w, plain.w @ Q, rtol=1e-8, atol=1e-9)
    flipped = hard_margin(X, -y)
    np.testing.assert_allclose(flipped.w, -plain.w, rtol=1e-8, atol=1e-9)
    assert flipped.b == pytest.approx(-plain.b)


@pytest.mark.rounding
def test_below_rounding_it_says_not_separable():
    y = [1.0, -1.0, 1.0]
    assert hard_margin([[0.0], [1e-14], [1.0]], y).status == "not separable"
    assert hard_margin([[1.0, 1e-15], [1.0, -1e-15], [3.0, 0.0]], y).status == "not separable"
    thin = hard_margin([[1.0, 1e-8], [1.0, -1e-8], [3.0, 1.0]], y)
    assert thin.status == "converged"
    assert thin.half_margin == pytest.approx(1e-8, rel=1e-5)


def test_never_a_large_number_where_there_is_no_plane():
    xor = make_xor()
    X = np.array([[1.0, 1.0], [1.0, 1.0], [-1.0, -1.0]])
    cases = [(xor.X, xor.y), (X, [1, -1, 1]), (np.zeros((2, 2)), [1, -1]), (X + 1e8, [1, -1, 1])]
    for points, labels in cases:
        assert hard_margin(points, labels).status == "not separable"
        assert hard_margin(points, labels).w is None
        assert closest_points(points, labels).status == "not separable"
        assert closest_points(points, labels).distance is None
    assert hard_margin(X, [1, 1, -1]).half_margin == pytest.approx(np.sqrt(2))


# --- convex hulls ---------------------------------------------------------------------------------


@pytest.mark.parametrize("integer", [True, False])
def test_the_plane_bisects_the_segment_of_the_closest_points(integer):
    for X, y in instances(6, integer, how_many=60):
        hulls = closest_points(X, y)
        if hulls.status != "converged":
            continue
        solution = hard_margin(X, y)
        p, q = hulls.positive, hulls.negative
        for label, point in ((1, p), (-1, q)):
            assert hulls.weights[y == label].sum() == pytest.approx(1, abs=1e-12)
            np.testing.assert_allclose(hulls.weights[y == label] @ X[y == label], point)
        assert hulls.weights.min() >= 0
        assert hulls.distance == pytest.approx(np.linalg.norm(p - q), rel=1e-6)
        assert hulls.distance == pytest.approx(2 * solution.half_margin)
        np.testing.assert_allclose(
            solution.w, 2 * (p - q) / hulls.distance**2, rtol=1e-5, atol=1e-6
        )
        assert solution.w @ (p + q) / 2 + solution.b == pytest.approx(0, abs=1e-6)
        np.testing.assert_allclose(solution.alpha, hulls.weights * solution.alpha.sum() / 2)
        # Nothing in the hulls is closer: p − q has its smallest product with x − z at p and q.
        assert (X[y > 0] @ (p - q)).min() >= p @ (p - q) - 1e-6
        assert (X[y < 0] @ (p - q)).max() <= q @ (p - q) + 1e-6


# --- kernels --------------------------------------------------------------------------------------


def test_a_gram_matrix_instead_of_vectors():
    for X, y in instances(8, integer=False, how_many=40):
        plain, gram = hard_margin(X, y), hard_margin_from_gram(Linear()(X), y)
        assert gram.status == plain.status
        if plain.status == "converged":
            assert gram.w is None
            assert gram.b == pytest.approx(plain.b, rel=1e-4, abs=1e-4)
            assert gram.half_margin == pytest.approx(plain.half_margin, rel=1e-6)
            np.testing.assert_allclose((gram.alpha * y) @ X, plain.w, rtol=1e-4, atol=1e-4)


def test_xor_with_a_kernel():
    xor = make_xor()
    X = np.where(xor.X > 0, 1.0, -1.0)
    solution = hard_margin_from_gram(Polynomial(2)(X), xor.y)
    np.testing.assert_allclose(solution.alpha, 1 / 8, rtol=1e-9)
    assert solution.b == pytest.approx(0, abs=1e-9)
    K = Gaussian(2.0)(np.vstack([X, X[:1]]))
    assert hard_margin_from_gram(K, np.append(xor.y, -xor.y[0])).status == "not separable"
    assert hard_margin_from_gram(np.zeros((2, 2)), [1, -1]).status == "not separable"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: max_margin_through_origin([[np.nan], [1]], [1, -1]), ["X", "nan"]),
        (lambda: max_margin_through_origin([[1.0], [2.0]], [1, 1]), ["y", "1"]),
        (lambda: hard_margin([[np.nan], [1]], [1, -1]), ["X", "nan"]),
        (lambda: hard_margin([[1.0], [2.0]], [1, 1]), ["y", "1"]),
        (lambda: closest_points([[1.0], [2.0]], [1, -1, 1]), ["y", "3"]),
        (lambda: hard_margin_from_gram([[1.0, 2.0], [2.0, 1.0]], [1, -1]), ["K", "-1"]),
        (lambda: hard_margin_from_gram([[1.0, 2.0]], [1]), ["K", "(1, 2)"]),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError) as error:
        call()
    for word in words:
        assert word in str(error.value)
