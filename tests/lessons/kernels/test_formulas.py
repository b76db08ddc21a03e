"""The formulas of notebook 03 that no cell of it checks, each computed in a second way."""

from __future__ import annotations

from itertools import chain, combinations, combinations_with_replacement, product
from math import comb

import numpy as np
import pytest
from scipy.optimize import minimize

import kernellab as kl
from kernellab.lessons.kernels.figures.gamma import rings
from kernellab.lessons.kernels.theory.expansion import Expansion
from kernellab.solvers.smo import smo


@pytest.fixture
def rng():
    return np.random.default_rng(0)


# --- 1 and 2 -------------------------------------------------------------------------------------


def test_the_number_of_products_is_a_binomial_coefficient():
    for d, p in [(2, 3), (3, 4), (10, 5)]:
        products = len(list(combinations_with_replacement(range(d), p)))
        assert products == comb(d + p - 1, p) == kl.count_features(d, p)
        shorter = sum(len(list(combinations_with_replacement(range(d), q))) for q in range(p + 1))
        assert shorter == comb(d + p, p) == kl.count_features(d, p, lower=True)


def test_a_linear_function_of_the_cubic_features_is_the_cubic(rng):
    X, w = rng.normal(size=(20, 2)), np.array([0.5, -1.0, 2.0, 0.3])
    x1, x2 = X.T
    cubic = w[0] * x1**3 + w[1] * x1**2 * x2 + w[2] * x1 * x2**2 + w[3] * x2**3
    # The package has the pure powers first, and roots so that the dot product is (x·z)³.
    np.testing.assert_allclose(
        kl.polynomial_map(X, 3) @ (w[[0, 3, 1, 2]] / np.sqrt([1, 1, 3, 3])), cubic
    )


def test_three_thousand_features_cubed():
    assert f"{kl.count_features(10, 5, lower=True) ** 3:.1e}" == "2.7e+10"


def test_the_lifted_plane_is_a_cone(rng):
    z1, z2, z3 = kl.polynomial_map(rng.normal(size=(50, 2)), 2).T
    np.testing.assert_allclose(z3**2, 2 * z1 * z2)
    assert np.all(z1 >= 0) and np.all(z2 >= 0)


def test_circles_of_the_lesson_separate_the_rings():
    data = kl.make_rings(60, 1, noise=0.13)
    for t in (1.3, 2.0, 3.2):
        assert np.all(data.y * ((data.X**2).sum(axis=1) - t) > 0)
    assert not np.all(data.y * ((data.X**2).sum(axis=1) - 0.9) > 0)


def test_without_the_cross_term_two_squares_are_left(rng):
    x, z = rng.normal(size=(2, 100, 2))
    squares = (x**2 * z**2).sum(axis=1)
    cross = 2 * x.prod(axis=1) * z.prod(axis=1)
    np.testing.assert_allclose((x * z).sum(axis=1) ** 2, squares + cross)
    axis = np.array([1.3, 0.0])  # on an axis nothing is missing, whatever z is
    np.testing.assert_allclose((z @ axis) ** 2, z**2 @ axis**2)


# --- 3 -------------------------------------------------------------------------------------------


def test_four_lifted_corners_leave_one_feature(rng):
    X, y = kl.make_xor().X, kl.make_xor().y
    r2 = np.sqrt(2)

    def six(X):
        x1, x2 = X.T
        return np.column_stack([x1**2, x2**2, r2 * x1 * x2, r2 * x1, r2 * x2, np.ones(len(X))])

    w = y @ six(X)
    np.testing.assert_allclose(w, [0, 0, -4 * r2, 0, 0, 0], atol=1e-12)
    Z = rng.normal(size=(30, 2))
    np.testing.assert_allclose(six(Z) @ w, -8 * Z.prod(axis=1))
    np.testing.assert_allclose(y @ (1 + X @ Z.T) ** 2, -8 * Z.prod(axis=1))


# --- 4 -------------------------------------------------------------------------------------------


def test_the_exponential_of_the_dot_product_has_every_degree(rng):
    x, z = rng.normal(size=(2, 3))
    gamma = 0.4
    terms = [kl.polynomial_map(x[None], p)[0] @ kl.polynomial_map(z[None], p)[0]
             for p in range(1, 25)]  # fmt: skip
    factorials = np.cumprod(np.arange(1.0, 25))
    powers = (2 * gamma) ** np.arange(1, 25)
    series = 1 + np.sum(powers * terms / factorials)
    scale = np.exp(-gamma * (x @ x + z @ z))
    assert scale * series == pytest.approx(float(kl.Gaussian(gamma)(x[None], z[None])[0, 0]))


def test_the_median_heuristic_is_where_half_the_pairs_are_nearer():
    X = rings().X
    sigma = kl.median_bandwidth(X)
    distances = [np.linalg.norm(a - b) for a, b in combinations(X, 2)]
    assert sum(d < sigma for d in distances) == pytest.approx(len(distances) / 2, abs=1)


def test_at_both_ends_of_gamma_the_machine_is_what_the_lesson_says():
    data = rings()
    near, far = (kl.Gaussian(g) for g in (1e-3, 1e3))
    assert np.linalg.matrix_rank(near(data.X), tol=0.5) == 1
    np.testing.assert_allclose(far(data.X), np.eye(40), atol=0.01)
    errors = []
    for kernel in (near, far):
        svm = kl.solve(smo(kernel(data.X), data.y, C=10.0), gap=1e-3)
        coef = svm.alpha * data.y
        train = np.mean(data.y * (kernel(data.X) @ coef + svm.b) <= 0)
        test = np.mean(data.y_test * (kernel(data.X_test, data.X) @ coef + svm.b) <= 0)
        errors.append((round(100 * train), round(100 * test)))
    assert errors[0] == (45, 46)
    assert errors[1][0] == 0 and errors[1][1] > 40


def test_the_rank_is_the_number_of_points_that_take_every_label(rng):
    x = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    K = (x @ x.T) ** 2  # (x·z)² in two dimensions: rank 3 = d(d + 1)/2
    for labels in product((-1.0, 1.0), repeat=3):
        scores = K @ np.linalg.solve(K, np.array(labels))
        np.testing.assert_allclose(scores, labels)
    four = rng.normal(size=(4, 2))
    features = np.column_stack([four**2, np.sqrt(2) * four.prod(axis=1)])
    null = np.linalg.svd(features.T)[2][-1]  # Σ c_i φ(x_i) = 0: the labels sign c cannot be made
    np.testing.assert_allclose(null @ features, 0, atol=1e-12)
    assert kl.max_margin_through_origin(features, np.sign(null))[1] == "not separable"


def test_the_rademacher_complexity_of_a_ball_is_that_of_its_best_function(rng):
    X = rng.normal(size=(8, 2))
    K, norm, n = kl.Gaussian(0.7)(X), 4.0, 8
    roots = []
    for coins in product((-1.0, 1.0), repeat=n):
        s = np.array(coins)
        best = norm * K @ s / np.sqrt(s @ K @ s)  # f = Λ Σ s_i k(x_i, ·)/‖Σ s_i k(x_i, ·)‖
        assert s @ best / n == pytest.approx(norm / n * np.sqrt(s @ K @ s))
        other = K @ rng.normal(size=n)
        other *= norm / np.sqrt(other @ np.linalg.solve(K, other))  # any other of that length
        assert s @ other <= s @ best + 1e-9
        roots.append(np.sqrt(s @ K @ s))
    # Jensen: the mean of the roots is at most the root of the mean, tr K = n.
    assert np.mean(np.square(roots)) == pytest.approx(np.trace(K)) == pytest.approx(n)
    assert norm / n * np.mean(roots) <= norm / n * np.sqrt(np.trace(K))


def test_the_three_terms_of_the_bound(rng):
    n, norm, delta = 358, 4.0, 0.05
    middle = 2 * norm / n * np.sqrt(np.trace(kl.Gaussian(3.0)(rng.normal(size=(n, 5)))))
    assert middle == pytest.approx(2 * norm / np.sqrt(n))
    chance = 3 * np.sqrt(np.log(2 / delta) / (2 * n))
    assert 2 * np.exp(-2 * n * (chance / 3) ** 2) == pytest.approx(delta)  # Hoeffding, solved


# --- 6 -------------------------------------------------------------------------------------------


def test_c_k_c_is_the_square_of_a_length(rng):
    X, c = rng.normal(size=(6, 2)), rng.normal(size=6)
    features = kl.polynomial_map(X, 3, 1.0)
    assert c @ kl.Polynomial(3)(X) @ c == pytest.approx(np.linalg.norm(c @ features) ** 2)


def test_kernels_from_kernels_have_the_features_that_the_lesson_names(rng):
    X, Z = rng.normal(size=(2, 4, 2))
    a, b = kl.Polynomial(2), kl.Polynomial(3, 0.5)
    A, B = kl.polynomial_map(X, 2, 1.0), kl.polynomial_map(X, 3, 0.5)
    A_, B_ = kl.polynomial_map(Z, 2, 1.0), kl.polynomial_map(Z, 3, 0.5)
    np.testing.assert_allclose((a + b)(X, Z), np.hstack([A, B]) @ np.hstack([A_, B_]).T)
    pairs = [np.einsum("ni,nj->nij", P, Q).reshape(4, -1) for P, Q in ((A, B), (A_, B_))]
    np.testing.assert_allclose((a * b)(X, Z), pairs[0] @ pairs[1].T)
    unit = [P / np.linalg.norm(P, axis=1, keepdims=True) for P in (A, A_)]
    np.testing.assert_allclose(kl.Normalized(a)(X, Z), unit[0] @ unit[1].T)


def test_the_gaussian_is_three_factors(rng):
    x, z = rng.normal(size=(2, 3))
    factors = np.exp(-0.3 * x @ x) * np.exp(0.6 * x @ z) * np.exp(-0.3 * z @ z)
    assert factors == pytest.approx(np.exp(-0.3 * np.linalg.norm(x - z) ** 2))


def test_mercer_functions_are_orthonormal_and_eigenfunctions_of_the_kernel():
    # The integrals themselves, by Gauss and Hermite, with the closed form for N(0, 1) and σ = 1.
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()
    K = np.exp(-((nodes[:, None] - nodes) ** 2) / 2)
    root = np.sqrt(weights)
    values, U = np.linalg.eigh(root[:, None] * K * root)
    values, E = values[::-1], U[:, ::-1] / root[:, None]
    golden = (np.sqrt(5) - 1) / 2
    np.testing.assert_allclose(values[:6], golden ** (2 * np.arange(6) + 1), rtol=1e-6)
    np.testing.assert_allclose(E[:, :6].T @ (weights[:, None] * E[:, :6]), np.eye(6), atol=1e-9)
    near = np.abs(nodes) < 2
    twelve = E[near, :12]
    series = (twelve * golden ** (2 * np.arange(12) + 1)) @ twelve.T  # Σ λ e(x) e(z)
    np.testing.assert_allclose(series, K[np.ix_(near, near)], atol=1e-3)
    assert golden**2 == pytest.approx(0.38, abs=0.005)
    assert 0.5e-5 < golden**23 < 2e-5  # the twelfth
    crossings = [np.sum(np.diff(np.sign(E[np.abs(nodes) < 3, j])) != 0) for j in range(4)]
    assert crossings == [0, 1, 2, 3]


# --- 7 -------------------------------------------------------------------------------------------


def test_two_points_against_cauchy_and_schwarz_are_a_witness():
    for kxx, kzz, kxz in [(1.0, 2.0, 1.5), (0.5, 0.5, -0.6), (1.0, 1.0, 0.9)]:
        lowest = np.linalg.eigvalsh([[kxx, kxz], [kxz, kzz]])[0]
        assert (lowest < 0) == (kxz**2 > kxx * kzz)


def test_the_cosine_has_two_features(rng):
    x, z = rng.normal(size=(2, 50))
    np.testing.assert_allclose(np.cos(x - z), np.cos(x) * np.cos(z) + np.sin(x) * np.sin(z))


def test_the_absolute_dot_product_falls_on_four_points_and_on_no_three(rng):
    for _ in range(2000):
        X = rng.normal(size=(3, 2))
        assert np.linalg.eigvalsh(np.abs(X @ X.T))[0] > -1e-12
    angle = np.pi / 4 * np.arange(4)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    assert np.linalg.eigvalsh(np.abs(X @ X.T))[0] == pytest.approx(1 - np.sqrt(2))


def test_minus_the_squared_distance_is_a_dot_product_where_c_sums_to_zero(rng):
    X, c = rng.normal(size=(7, 3)), rng.normal(size=7)
    K = -(np.linalg.norm(X[:, None] - X, axis=2) ** 2)
    squares = (X**2).sum(axis=1)
    np.testing.assert_allclose(K, 2 * X @ X.T - squares[:, None] - squares, atol=1e-12)
    assert abs(c @ K @ c - 2 * np.linalg.norm(c @ X) ** 2) > 0.1  # not for every c …
    c -= c.mean()
    assert c @ K @ c == pytest.approx(2 * np.linalg.norm(c @ X) ** 2)  # … but for these


# --- 8 -------------------------------------------------------------------------------------------


def test_reproducing_and_the_length_of_f_with_written_out_features(rng):
    X, z, a = rng.normal(size=(4, 2)), rng.normal(size=(1, 2)), rng.normal(size=4)
    kernel = kl.Polynomial(3)
    w = a @ kl.polynomial_map(X, 3, 1.0)  # f as a vector among the features
    f, at_z = Expansion(kernel, X, a), Expansion(kernel, z, np.ones(1))
    assert f.inner(at_z) == pytest.approx(float(w @ kl.polynomial_map(z, 3, 1.0)[0]))
    assert f.inner(at_z) == pytest.approx(float(f(z)[0]))
    assert f.squared_norm == pytest.approx(w @ w) == pytest.approx(a @ kernel(X) @ a)


def test_the_minimiser_lies_in_the_span_of_the_examples(rng):
    X, y = rng.normal(size=(4, 2)), np.array([1.0, -1.0, 1.0, -1.0])
    features = kl.polynomial_map(X, 3, 1.0)  # ten numbers, four examples

    def objective(w):  # a smooth loss, so that the solver can be believed
        z = y * (features @ w)
        return np.logaddexp(0, -z).sum() + 0.05 * w @ w

    start = rng.normal(size=features.shape[1])
    w = minimize(objective, start, method="BFGS", options={"gtol": 1e-9}).x
    coef = np.linalg.lstsq(features.T, w, rcond=None)[0]
    np.testing.assert_allclose(coef @ features, w, atol=1e-5)
    outside = start - np.linalg.lstsq(features.T, start, rcond=None)[0] @ features
    assert np.linalg.norm(outside) > 0.5  # where the search began


# --- 9 and 11 ------------------------------------------------------------------------------------


def test_the_recursion_of_all_subsequences_counts_pairs_of_them():
    for s, t in [("ab", "abb"), ("gata", "tag"), ("", "abc"), ("aaa", "aa")]:
        listed = [
            ["".join(part) for r in range(len(word) + 1) for part in combinations(word, r)]
            for word in (s, t)
        ]
        assert len(listed[0]) == 2 ** len(s)  # 2ⁿ of them, counted with their places
        pairs = sum(u == v for u in listed[0] for v in listed[1])
        assert kl.AllSubsequences()([s, t])[0, 1] == pairs


def test_common_subsets_are_two_to_the_common_elements():
    A, B = {"a", "b", "c"}, {"b", "c", "d"}
    subsets = [
        {frozenset(part) for r in range(4) for part in combinations(sorted(word), r)}
        for word in (A, B)
    ]
    assert kl.SetKernel()([A, B])[0, 1] == len(subsets[0] & subsets[1]) == 2 ** len(A & B)


def test_graph_labels_of_one_round_are_the_label_and_its_sorted_neighbours():
    butanol, ether = kl.molecule("CCCCO"), kl.molecule("CCOCC")

    def seen(graph):
        words = [
            (label, *sorted(graph.labels[j] for j in near))
            for label, near in zip(graph.labels, graph.neighbours, strict=True)
        ]
        return list(graph.labels), words

    for h, rounds in ((0, 1), (1, 2)):
        parts = [[*chain(*seen(g)[:rounds])] for g in (butanol, ether)]
        common = sum(parts[0].count(v) * parts[1].count(v) for v in set(parts[0]))
        assert kl.WeisfeilerLehman(h)([butanol, ether])[0, 1] == common


def test_the_proofs_against_tanh(rng):
    X = rng.normal(size=(5, 2))
    for a in (0.5, 3.0):  # for a > 0 it only rescales
        np.testing.assert_allclose(np.tanh(a * X @ X.T), kl.Sigmoid(1.0, 0.0)(np.sqrt(a) * X))
    assert np.tanh(-0.2 * 10.0**2 + 1.0) < 0  # for a < 0 one point far out
    assert kl.Sigmoid(1.0, -0.5)(np.zeros((1, 2)))[0, 0] < 0  # for c < 0 the point 0
    for c in (0.1, 1.0, 3.0):  # for c > 0 three points with −2, 1, 1
        line, weights = np.array([[0.0], [30.0], [-30.0]]), np.array([-2.0, 1.0, 1.0])
        total = weights @ kl.Sigmoid(1.0, c)(line) @ weights
        assert total == pytest.approx(-4 * np.tanh(c)) and total < 0


def test_equal_rows_give_equal_scores(rng):
    X = np.array([[0.0, 1.0], [2.0, 0.5], [2.0, 0.5], [-1.0, 0.0]])
    coef = rng.normal(size=4)
    for kernel in (kl.Linear(), kl.Polynomial(9), kl.Gaussian(1e6)):
        scores = kernel(X) @ coef
        assert scores[1] == pytest.approx(scores[2])
