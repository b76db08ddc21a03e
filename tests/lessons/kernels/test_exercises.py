"""The bank of notebook 03: answers that each check must accept, and those that it must not."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from bank import Bank, BankTests
from scipy.spatial.distance import cdist
from sklearn.decomposition import KernelPCA
from sklearn.preprocessing import KernelCenterer

from kernellab.exercises.exercise import HARD_CODED, OTHER_SHAPE
from kernellab.exercises.running import CHANGES_ITS_INPUT, SHAPES
from kernellab.lessons.kernels import exercises
from kernellab.lessons.kernels.exercises.features import series
from kernellab.lessons.kernels.exercises.means import mean_scores

# --- right answers --------------------------------------------------------------------------------


def distances_by_loop(K):
    n = len(K)
    D = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            D[i, j] = max(K[i, i] - 2 * K[i, j] + K[j, j], 0) ** 0.5
    return D


def distances_by_features(K):
    values, vectors = np.linalg.eigh(K)
    features = vectors * np.sqrt(np.maximum(values, 0))
    return cdist(features, features)


def distances_of_unit_vectors(K):
    n = len(K)
    pairs = np.eye(n)[:, None] - np.eye(n)
    return np.float32(np.sqrt(np.abs(np.einsum("abi,ij,abj->ab", pairs, K, pairs))))


def map_by_loop(X):
    return [[a * a, b * b, math.sqrt(2) * a * b, 2 * a, 2 * b, 2] for a, b in X]


def map_of_all_pairs(X):
    rows = np.column_stack([X, np.full(len(X), np.sqrt(2))])
    return np.einsum("ni,nj->nij", rows, rows).reshape(len(X), 9)


def map_by_a_rotation(X):
    turn = np.array([[3, -4], [4, 3]]) / 5
    return np.array(map_by_loop(X @ turn))


def product_by_rows(A, B):
    return [np.kron(a, b) for a, b in zip(A, B, strict=True)]


def product_by_einsum(A, B):
    return np.einsum("ni,nj->nji", A, B).reshape(len(A), -1)


def product_by_columns(A, B):
    columns = [a * b for a, b in itertools.product(A.T, B.T)]
    return np.float32(np.stack(columns, axis=1))


def series_by_recursion(K, gamma, terms):
    term, total = np.ones_like(K), np.zeros_like(K)
    for k in range(terms):
        total = total + term
        term = term * (2 * gamma * K) / (k + 1)
    norms = np.diag(K)
    return np.exp(-gamma * (norms[:, None] + norms)) * total


def series_by_loop(K, gamma, terms):
    n = len(K)
    out = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            u = 2 * gamma * K[i, j]
            cut = sum(u**k / math.factorial(k) for k in range(terms))
            out[i][j] = math.exp(-gamma * K[i, i]) * cut * math.exp(-gamma * K[j, j])
    return out


def series_by_polynomial(K, gamma, terms):
    coefficients = [1 / math.factorial(k) for k in reversed(range(terms))]
    f = np.diag(np.exp(-gamma * np.diag(K)))
    return f @ np.polyval(coefficients, 2 * gamma * K) @ f


def both_by_matrices(K):
    n = len(K)
    H, D = np.eye(n) - np.ones((n, n)) / n, np.diag(1 / np.sqrt(np.diag(K)))
    return D @ K @ D, H @ K @ H


def both_by_loop(K):
    n = len(K)
    N, C = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            N[i, j] = K[i, j] / math.sqrt(K[i, i] * K[j, j])
            C[i, j] = K[i, j] - sum(K[i]) / n - sum(K[:, j]) / n + K.sum() / n**2
    return [N.tolist(), C.tolist()]


def both_by_features(K):
    values, vectors = np.linalg.eigh(K)
    features = vectors * np.sqrt(np.maximum(values, 0))
    unit = features / np.linalg.norm(features, axis=1, keepdims=True)
    return np.float32(unit @ unit.T), KernelCenterer().fit_transform(K)


def means_by_distance(K, y, K_test):
    distance = {}
    for label in (-1, 1):
        own = np.flatnonzero(y == label)
        distance[label] = -2 * K_test[:, own].mean(axis=1) + K[np.ix_(own, own)].mean()
    return np.where(distance[1] < distance[-1], 1, -1)


def means_by_weights(K, y, K_test):
    plus, minus = (y > 0) / np.sum(y > 0), (y < 0) / np.sum(y < 0)
    offset = (plus @ K @ plus - minus @ K @ minus) / 2
    return np.sign(K_test @ (plus - minus) - offset)


def means_by_loop(K, y, K_test):
    answers, n = [], len(y)
    for row in K_test:
        best = {}
        for label in (1, -1):
            own = [j for j in range(n) if y[j] == label]
            to_mean = sum(row[j] for j in own) / len(own)
            best[label] = to_mean - sum(K[i, j] for i in own for j in own) / len(own) ** 2 / 2
        answers.append(1 if best[1] >= best[-1] else -1)
    return answers


def pca_by_svd(K, n_components):
    H = np.eye(len(K)) - 1 / len(K)
    U, s, _ = np.linalg.svd(H @ K @ H)
    return U[:, :n_components] * np.sqrt(s[:n_components])


def pca_by_scikit_learn(K, n_components):
    return KernelPCA(n_components, kernel="precomputed", eigen_solver="dense").fit_transform(K)


def pca_by_features(K, n_components):
    values, vectors = np.linalg.eigh(K)
    features = vectors * np.sqrt(np.maximum(values, 0))
    features = features - features.mean(axis=0)
    directions = np.linalg.svd(features)[2][:n_components]
    return -features @ directions.T


def discrepancy_by_weights(K, y):
    u = np.where(y > 0, 1 / np.sum(y > 0), -1 / np.sum(y < 0))
    return u @ K @ u


def discrepancy_by_loop(K, y):
    n, m, total = sum(y > 0), sum(y < 0), 0.0
    for i in range(len(y)):
        for j in range(len(y)):
            size = {1: n, -1: m}
            total += y[i] * y[j] * K[i, j] / size[y[i]] / size[y[j]]
    return total


def discrepancy_by_features(K, y):
    values, vectors = np.linalg.eigh(K)
    features = vectors * np.sqrt(np.maximum(values, 0))
    return np.sum((features[y > 0].mean(axis=0) - features[y < 0].mean(axis=0)) ** 2)


RIGHT = {
    "feature_distances": [distances_by_loop, distances_by_features, distances_of_unit_vectors],
    "map_of_kernel": [map_by_loop, map_of_all_pairs, map_by_a_rotation],
    "product_features": [product_by_rows, product_by_einsum, product_by_columns],
    "gaussian_series": [series_by_recursion, series_by_loop, series_by_polynomial],
    "normalise_and_centre": [both_by_matrices, both_by_loop, both_by_features],
    "nearest_mean": [means_by_distance, means_by_weights, means_by_loop],
    "kernel_pca": [pca_by_svd, pca_by_scikit_learn, pca_by_features],
    "mean_discrepancy": [discrepancy_by_weights, discrepancy_by_loop, discrepancy_by_features],
}

# --- wrong answers, with the name of the misconception where it has one ---------------------------


def distances_with_a_row_twice(K):
    return np.sqrt(np.maximum(0, np.diag(K) + np.diag(K) - 2 * K))


def distances_in_place(K):
    K *= -2
    return np.sqrt(np.maximum(0, K - np.diag(K)[:, None] / 2 - np.diag(K) / 2))


def series_of_matrix_powers(K, gamma, terms):
    powers = [np.linalg.matrix_power(2 * gamma * K, k) / math.factorial(k) for k in range(terms)]
    outside = np.exp(-gamma * np.diag(K))
    return outside[:, None] * sum(powers) * outside


def centred_in_place(K):
    K -= K.mean(axis=0)
    return K, K - K.mean(axis=1)[:, None]


def means_without_the_half(K, y, K_test):
    p, q = y > 0, y < 0
    a = K_test[:, p].mean(axis=1) - K[p][:, p].mean()
    b = K_test[:, q].mean(axis=1) - K[q][:, q].mean()
    return np.where(a > b, 1, -1)


def means_by_similar_sums(K, y, K_test):
    p, q = y > 0, y < 0
    a = K_test[:, p].sum(axis=1) - K[p][:, p].mean() / 2
    b = K_test[:, q].sum(axis=1) - K[q][:, q].mean() / 2
    return np.where(a > b, 1, -1)


def means_by_long_sums(K, y, K_test):
    p, q = y > 0, y < 0
    a = K_test[:, p].mean(axis=1) - K[p][:, p].sum() / 2
    b = K_test[:, q].mean(axis=1) - K[q][:, q].sum() / 2
    return np.where(a > b, 1, -1)


def pca_of_uncentred_with_centred_plot(K, n_components):
    values, vectors = np.linalg.eigh(K)
    found = vectors[:, ::-1][:, :n_components] * np.sqrt(np.maximum(values[::-1][:n_components], 0))
    return found - found.mean(axis=0)


WRONG = {
    "feature_distances": [
        (distances_with_a_row_twice, "the length of one of them twice"),
        (distances_in_place, CHANGES_ITS_INPUT),
        (lambda K: np.sqrt(2 - 2 * K), "every φ(x) has length 1"),
        (lambda K: 1 - K, "one minus a similarity is a distance"),
        (lambda K: cdist(K, K), "the distance of the rows of K"),
        (lambda K: np.zeros((1, 1)), HARD_CODED),
        (lambda K: np.ones(len(K) + 1) @ K, SHAPES),
    ],
    "map_of_kernel": [
        (lambda X: np.array(map_by_loop(X)).T, None),
        (lambda X: np.array(map_by_loop(X)).ravel(), OTHER_SHAPE),
        (lambda X: np.column_stack([X**2, X @ X, 2]), SHAPES),
        (lambda X: np.column_stack([X**2, 2**0.5 * X[:, 0] * X[:, 1], 2 * X, 4 + 0 * X[:, 0]]),
         None),
        (lambda X: np.column_stack([X**2, 2**0.5 * X.prod(1), 2 * X, 2**0.5 + 0 * X[:, 0]]),
         "√2 for the constant"),
        (lambda X: np.column_stack([X**2, 2**0.5 * X[:, 0] * X[:, 1], 4 * X, 4 + 0 * X[:, 0]]),
         "the coefficient instead of its root"),
    ],
    "product_features": [
        (lambda A, B: A * B, "only features of one number"),
        (lambda A, B: np.kron(A, B), None),
        (lambda A, B: product_by_columns(A, B).T, None),
        (lambda A, B: A[:, :, None] * B[:, None, :], OTHER_SHAPE),
    ],
    "gaussian_series": [
        (lambda K, gamma, terms: series_by_recursion(K, gamma, 200), "the limit"),
        (series_of_matrix_powers, "the matrix power"),
        (lambda K, gamma, terms: series_by_recursion(K, 1 / (2 * gamma**2), terms), None),
        (lambda K, gamma, terms: (2 * gamma * K) ** terms / math.factorial(terms), None),
        (lambda K, gamma, terms: np.exp(-gamma * K) * K @ np.ones(99), SHAPES),
    ],
    "normalise_and_centre": [
        (centred_in_place, CHANGES_ITS_INPUT),
        (lambda K: (both_by_matrices(K)[0],), None),
        (lambda K: both_by_matrices(K)[::-1], "the order of the two"),
        (lambda K: ((K - K.mean()) / K.std(), both_by_matrices(K)[1]), None),
        (lambda K: ([1], [1]), HARD_CODED),
    ],
    "nearest_mean": [
        (means_without_the_half, "the half is forgotten"),
        (lambda K, y, K_test: np.where(K_test @ y > 0, 1, -1), "the sum instead of the mean"),
        (means_by_similar_sums, "the sum instead of the mean"),
        (means_by_long_sums, "the sum instead of the mean"),
        (lambda K, y, K_test: (means_by_distance(K, y, K_test) + 1) / 2, None),
        (lambda K, y, K_test: means_by_distance(K, y, K), None),
        (lambda K, y, K_test: np.sign(y @ K_test), SHAPES),
    ],
    "kernel_pca": [
        (pca_of_uncentred_with_centred_plot, None),
        (lambda K, n_components: pca_by_svd(K, n_components).T, None),
        (lambda K, n_components: np.abs(pca_by_svd(K, n_components)), None),
        (lambda K, n_components: pca_by_svd(K, n_components) / np.sqrt(len(K)), None),
    ],
    "mean_discrepancy": [
        (lambda K, y: y @ K @ y, "sums instead of means"),
        (lambda K, y: abs(K[y > 0].mean() - K[y < 0].mean()), None),
        (lambda K, y: np.sum((K[y > 0].mean(axis=0) - K[y < 0].mean(axis=0)) ** 2), None),
        (lambda K, y: [discrepancy_by_weights(K, y)], OTHER_SHAPE),
        (lambda K, y: 9, HARD_CODED),
    ],
}  # fmt: skip

EQUIVALENT = {
    "map_of_kernel": {"return np.column_stack([*squares, 2 * x1, 2 * x2, 2 - 0 * x1])"},
    "normalise_and_centre": {"rows = np.mean(K, axis=0)"},  # K is symmetric
    "nearest_mean": {"return np.where(score >= 0, 1, -1)"},  # on the line any answer will do
    "kernel_pca": {
        "rows = np.mean(K, axis=0)",
        # A constant moves one eigenvalue only, that of (1, …, 1), and downwards, as K.mean() ≥ 0.
        "centred = K - rows[:, None] - rows",
        "centred = K - rows[:, None] - rows - np.mean(K)",
        # The leading eigenvalues of the examples are not negative.
        "return vectors[:, order] * np.sqrt(values[order])",
        "return vectors[:, order] * np.sqrt(np.maximum(values[order], -1))",
    },
    "mean_discrepancy": {  # the same samples in other words
        "p, q = (y >= 0, y < 0)",
        "p, q = (y > 0, y <= 0)",
        "p, q = (y > -1, y < 0)",
        "p, q = (y > 0, y < 1)",
    },
}


@pytest.mark.rounding
class TestBank(BankTests):
    bank = Bank("03", exercises, RIGHT, WRONG, EQUIVALENT)


# --- what is said ---------------------------------------------------------------------------------


@pytest.mark.rounding
def test_a_tie_may_go_either_way():
    for side in (-1, 0, 1):
        answer = lambda K, y, K_test, side=side: np.where(  # noqa: E731
            np.abs(mean_scores(K, y, K_test)) < 1e-9,
            side,
            means_by_distance(K, y, K_test),
        )
        assert exercises.nearest_mean.verdict(answer).correct
    ties = [
        np.any(mean_scores(**case) == 0)
        for case in exercises.nearest_mean.cases(np.random.default_rng(0))
    ]
    assert any(ties) and not all(ties)


@pytest.mark.parametrize("seed", range(5))
def test_signs_of_components_are_free(seed):
    rng = np.random.default_rng(seed)

    def flipped(K, n_components):
        return pca_by_svd(K, n_components) * rng.choice([-1, 1], n_components)

    assert exercises.kernel_pca.verdict(flipped, seed=seed).correct


def test_what_is_shown_of_components_does_not_hang_on_their_signs():
    one, other = (lambda K, k, sign=sign: sign * pca_by_svd(2 * K, k) for sign in (1, -1))
    assert exercises.kernel_pca.verdict(one).text == exercises.kernel_pca.verdict(other).text


def test_features_are_judged_by_their_dot_products_and_told_so():
    text = exercises.map_of_kernel.verdict(lambda X: X).text
    assert "expected dot products [[9]]" in text
    assert "dot products of your features [[1]]" in text
    text = exercises.map_of_kernel.verdict(lambda X: 3).text
    assert "expected one row of features an example, shape (1, m)" in text


def test_the_part_that_is_wrong_is_recognised_even_if_others_are_wrong_too():
    answer = lambda K: (K / K.max(), K - K.mean(0) - K.mean(1) + K.mean())  # noqa: E731
    found = exercises.normalise_and_centre.verdict(answer)
    assert found.misconception == "scaled to the largest entry"


@pytest.mark.rounding
def test_a_root_of_a_rounded_zero_is_named():
    def bare(K):
        return np.sqrt(np.diag(K)[:, None] + np.diag(K) - 2 * K)

    verdict = exercises.feature_distances.verdict(bare)
    assert verdict.misconception == "rounding stays above 0"
    assert "nan" in verdict.text


def test_the_cut_series_ends_at_the_gaussian():
    X = np.random.default_rng(0).normal(size=(6, 3))
    expected = np.exp(-0.3 * cdist(X, X, "sqeuclidean"))
    assert np.allclose(series()(X @ X.T, 0.3, 40), expected)
