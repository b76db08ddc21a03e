"""What lesson 03, and what is further, say in words and do not print, each in a second way."""

from __future__ import annotations

from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import fisher_exact
from sklearn.model_selection import StratifiedKFold, cross_val_score, train_test_split
from sklearn.svm import SVC

import kernellab as kl
from kernellab.lessons.kernels.figures.cross_term import CrossTerm, petals, squares_and_product
from kernellab.lessons.kernels.figures.digits_gram import DigitsGram
from kernellab.lessons.kernels.figures.gamma import GAMMAS, GammaDial
from kernellab.lessons.kernels.figures.kernel_perceptron import KERNELS, THE_END, KernelPerceptron
from kernellab.lessons.kernels.figures.lift import Lift
from kernellab.lessons.kernels.figures.structures import MOLECULES, StructureGram
from kernellab.lessons.kernels.theory.expansion import Expansion


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_no_line_gets_fewer_than_ten_of_the_rings_wrong():
    data = kl.make_rings(40, 1, noise=0.13)
    fewest = len(data.y)
    for i, j in combinations(range(len(data.y)), 2):  # a best line may be moved until it meets two
        normal = (data.X[j] - data.X[i])[::-1] * [-1, 1]
        side = np.delete((data.X - data.X[i]) @ normal * data.y, [i, j])
        fewest = min(fewest, np.sum(side <= 0), np.sum(side >= 0))  # those two on either side
    assert fewest == 10
    assert Lift().numbers["mistakes"] == 12


def test_from_above_the_cut_is_a_circle():
    figure = Lift(lift=0.6)
    assert figure.numbers["mistakes"] == 0
    x, y = figure.trace.get_data()
    inside = ~np.isnan(x)
    x, y = x[inside], y[inside]
    a, b, c = np.linalg.lstsq(np.column_stack([x, y, np.ones(len(x))]), x**2 + y**2)[0]
    radius = np.hypot(x - a / 2, y - b / 2)
    np.testing.assert_allclose(radius, np.sqrt(c + (a**2 + b**2) / 4), rtol=1e-3)


def test_xor_needs_the_product():
    wrong = Lift(sample="XOR", lift=0.6)
    assert 0.28 < wrong.numbers["mistakes"] / wrong.numbers["n"] < 0.38
    solved = Lift(sample="XOR", lift=0.6, feature="x₁ x₂")
    assert solved.numbers["mistakes"] == 0
    Z = np.column_stack([solved.X, 0.6 * solved.X.prod(axis=1)])
    (w,) = SVC(kernel="linear", C=1).fit(Z, solved.y).coef_
    assert np.hypot(*w[:2]) / abs(w[2]) < 0.15  # the slope of an almost level sheet


def test_products_of_up_to_p_factors_are_a_binomial_coefficient():
    for d, p in [(2, 3), (3, 4), (10, 5)]:
        assert kl.count_features(d, p, lower=True) == comb(d + p, p)
    assert [kl.count_features(2, p) for p in (2, 3)] == [3, 4]


def test_both_features_of_section_1_are_among_the_products(rng):
    x1, x2 = (X := rng.normal(size=(20, 2))).T
    Phi = kl.polynomial_map(X, 2)
    for feature in (x1**2 + x2**2, x1 * x2):
        w, *_ = np.linalg.lstsq(Phi, feature)
        np.testing.assert_allclose(Phi @ w, feature)


def test_the_six_features(rng):
    X = rng.normal(size=(20, 2))
    x1, x2 = X.T
    r2 = np.sqrt(2)
    six = np.column_stack([x1**2, x2**2, r2 * x1 * x2, r2 * x1, r2 * x2, np.ones(20)])
    np.testing.assert_allclose(six @ six.T, (1 + X @ X.T) ** 2)
    corners = kl.make_xor()
    y = corners.y
    np.testing.assert_allclose(y @ (1 + corners.X @ X.T) ** 2, -8 * x1 * x2, atol=1e-12)


@pytest.mark.parametrize(
    ("c", "support"),
    [(0.6, [4, 5, 7, 10, 8, 4, 4]), (1.414, [5] * 7), (2.0, [5, 4, 3, 2, 4, 4, 5])],
)
def test_the_mistakes_are_gone_long_before_root_2_and_only_there_a_turn_changes_nothing(c, support):
    figure = CrossTerm(c=c)
    for turn, expected in zip(range(0, 91, 15), support, strict=True):
        figure.turn = turn
        X, y = petals(turn)
        features = squares_and_product(X, c)
        svm = SVC(kernel="linear", C=10, tol=1e-8).fit(features, y)
        assert svm.score(features, y) == 1 and figure.numbers["mistakes"] == 0
        assert len(svm.support_) == expected == figure.numbers["support"]


def test_two_of_five_kernels_learn_the_rings():
    figure = KernelPerceptron(sample="two rings")
    learned = {}
    for figure.kernel in KERNELS:
        figure.t = THE_END
        if figure.numbers["converged"]:
            learned[figure.kernel] = figure.numbers["total"]
    assert list(learned.values()) == [27, 8]
    assert list(learned) == ["(1 + x·z)²", "Gaussian, γ = 1 (σ = 0.71)"]


def test_the_square_of_a_dot_product_never_changes_sign_along_a_ray(rng):
    X, a, x = rng.normal(size=(6, 2)), rng.normal(size=6), rng.normal(size=2)
    along = np.array([1.0, 2.0, 5.0])
    scores = (along[:, np.newaxis] * x @ X.T) ** 2 @ a
    np.testing.assert_allclose(scores, along**2 * scores[0])


def test_the_gaussian_is_three_factors(rng):
    x, z = rng.normal(size=(2, 3))
    u = 0.6 * x @ z
    series = sum(u**k / float(np.prod(np.arange(1, k + 1))) for k in range(30))
    factors = np.exp(-0.3 * x @ x) * series * np.exp(-0.3 * z @ z)
    assert factors == pytest.approx(np.exp(-0.3 * np.linalg.norm(x - z) ** 2))


def test_the_dial_of_gamma():
    figure = GammaDial()
    train, test = figure.run.train, figure.run.test
    assert np.all(np.diff(train) <= 0)  # it keeps falling
    at = GAMMAS.round(6).tolist().index
    assert train[at(100)] == 0 and test[at(100)] > 0.4
    assert train[at(0.001)] > 0.4 and test[at(0.001)] > 0.4
    data, k = figure.split, at(100)
    scores = kl.Gaussian(100)(data.X_test, data.X) @ (figure.run.alphas[k] * data.y)
    circles = data.y_test > 0
    wrong = data.y_test * (scores + figure.run.biases[k]) <= 0
    assert figure.run.biases[k] < 0  # of the sea: squares
    assert wrong[circles].mean() > 0.8 and wrong[~circles].mean() < 0.02
    assert figure.numbers["median"] == pytest.approx(0.124, abs=0.001)
    assert test[[at(0.1), at(0.177828)]].max() < 0.07


def test_the_median_of_the_digits():
    digits = kl.load_digits(None)
    X, y = digits.X / 16, np.where(digits.y % 2 == 1, 1, -1)
    X, _, _, _ = train_test_split(X, y, train_size=300, random_state=0)
    assert 0.3 / (0.5 / kl.median_bandwidth(X) ** 2) == pytest.approx(6, abs=0.5)


# --- towns and molecules -------------------------------------------------------------------------

ALSACE_LORRAINE = {
    "Strasbourg", "Metz", "Mulhouse", "Colmar", "Haguenau", "Thionville", "Saverne", "Sélestat",
    "Sarreguemines",
}  # fmt: skip


def test_two_letters_are_best_and_who_is_wrong():
    data = kl.load_towns()
    right = {}
    for p in (1, 2, 3, 4, 5):
        K = kl.Normalized(kl.Spectrum(p))(data.X)
        right[p] = data.y * kl.cross_validated_scores(K, data.y) > 0
    percent = {p: round(100 * ok.mean()) for p, ok in right.items()}
    assert percent == {1: 75, 2: 86, 3: 79, 4: 77, 5: 72}
    french = {name: ok for name, ok, y in zip(data.names, right[2], data.y, strict=True) if y > 0}
    assert set(french) > ALSACE_LORRAINE and len(french) == 102
    wrong = {name for name, ok in french.items() if not ok}
    assert wrong & ALSACE_LORRAINE == {"Strasbourg", "Metz", "Colmar", "Haguenau"}
    assert len(wrong - ALSACE_LORRAINE) == 13
    assert fisher_exact([[4, 5], [13, 80]]).pvalue == pytest.approx(0.04, abs=0.005)


def test_two_letters_are_chosen_in_every_fold():
    data = kl.load_towns()
    grams = [kl.Normalized(kl.Spectrum(p))(data.X) for p in (1, 2, 3, 4, 5)]
    svm = SVC(kernel="precomputed", C=1)
    for train, _ in StratifiedKFold(10).split(data.y, data.y):
        inside = [
            cross_val_score(svm, K[np.ix_(train, train)], data.y[train], cv=10).mean()
            for K in grams
        ]
        assert np.argmax(inside) == 1


def test_molecules_and_what_normalising_forgets():
    butanol, ether = kl.molecule("CCCCO"), kl.molecule("CCOCC")
    for h, alike in ((0, True), (1, False)):
        K = kl.WeisfeilerLehman(h)([butanol, ether])
        assert np.ptp(K) == 0 if alike else np.ptp(K) > 0
    figure = StructureGram(data=MOLECULES, normalised=False)
    assert figure.numbers["accuracy"] == pytest.approx(72 / 86)
    figure.dial = 1
    assert figure.numbers["accuracy"] == pytest.approx(85 / 86)
    assert figure.numbers["wrong"] == "2,2,4-trimethylpentane"
    falling = []
    for figure.dial in (1, 2, 3, 4):
        falling.append(figure.numbers["accuracy"])
    assert falling == sorted(falling, reverse=True)
    figure.dial, figure.normalised = 1, True
    assert figure.numbers["accuracy"] == pytest.approx(0.65, abs=0.005)


# --- further: what is a kernel? -------------------------------------------------------------------


def test_blocks_of_the_digits():
    figure = DigitsGram(dial=4)
    assert figure.numbers["within"] / figure.numbers["between"] == pytest.approx(2.7, abs=0.1)
    figure.dial = 20
    assert figure.numbers["between"] < 0.02


def test_c_k_c_is_the_square_of_a_length(rng):
    X, c = rng.normal(size=(6, 2)), rng.normal(size=6)
    features = kl.polynomial_map(X, 3, 1.0)
    assert c @ kl.Polynomial(3)(X) @ c == pytest.approx(np.linalg.norm(c @ features) ** 2)


def test_kernels_from_kernels_have_the_features_that_the_text_names(rng):
    X, Z = rng.normal(size=(2, 4, 2))
    a, b = kl.Polynomial(2), kl.Polynomial(3, 0.5)
    A, B = kl.polynomial_map(X, 2, 1.0), kl.polynomial_map(X, 3, 0.5)
    A_, B_ = kl.polynomial_map(Z, 2, 1.0), kl.polynomial_map(Z, 3, 0.5)
    np.testing.assert_allclose((a + b)(X, Z), np.hstack([A, B]) @ np.hstack([A_, B_]).T)
    pairs = [np.einsum("ni,nj->nij", P, Q).reshape(4, -1) for P, Q in ((A, B), (A_, B_))]
    np.testing.assert_allclose((a * b)(X, Z), pairs[0] @ pairs[1].T)
    unit = [P / np.linalg.norm(P, axis=1, keepdims=True) for P in (A, A_)]
    np.testing.assert_allclose(kl.Normalized(a)(X, Z), unit[0] @ unit[1].T)


def test_the_cosine_has_two_features(rng):
    x, z = rng.normal(size=(2, 50))
    np.testing.assert_allclose(np.cos(x - z), np.cos(x) * np.cos(z) + np.sin(x) * np.sin(z))


def test_the_absolute_dot_product_falls_on_four_points_and_on_no_three(rng):
    for _ in range(500):
        X = rng.normal(size=(3, 2))
        assert np.linalg.eigvalsh(np.abs(X @ X.T))[0] > -1e-12
    angle = np.pi / 4 * np.arange(4)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    assert np.linalg.eigvalsh(np.abs(X @ X.T))[0] == pytest.approx(1 - np.sqrt(2))


def test_the_proofs_against_tanh(rng):
    X = rng.normal(size=(5, 2))
    for a in (0.5, 3.0):  # for a > 0 it only rescales
        np.testing.assert_allclose(np.tanh(a * X @ X.T), kl.Sigmoid(1.0, 0.0)(np.sqrt(a) * X))
    assert np.tanh(-0.2 * 10.0**2 + 1.0) < 0  # for a < 0 one point far out
    for r in (0.1, 1.0, 3.0):  # for r > 0 three points with −2, 1, 1
        line, weights = np.array([[0.0], [30.0], [-30.0]]), np.array([-2.0, 1.0, 1.0])
        total = weights @ kl.Sigmoid(1.0, r)(line) @ weights
        assert total == pytest.approx(-4 * np.tanh(r)) and total < 0


def test_minus_the_squared_distance_is_the_linear_svm_where_c_sums_to_zero():
    data = kl.load_iris(("versicolor", "virginica"), ("petal length (cm)", "petal width (cm)"))
    X = data.X - data.X.mean(axis=0)
    distances = -(np.linalg.norm(X[:, None] - X, axis=2) ** 2)
    one, other = (
        kl.solve(kl.smo(K, data.y, C=1.0), gap=1e-6).primal for K in (distances, 2 * X @ X.T)
    )
    assert one == pytest.approx(other, rel=1e-4)


# --- further: infinitely many features ------------------------------------------------------------


def test_products_of_an_even_number_of_factors_do_not_change_with_the_label(rng):
    X = rng.normal(size=(5, 3))
    for p, sign in ((2, 1), (3, -1)):
        np.testing.assert_allclose(kl.polynomial_map(-X, p), sign * kl.polynomial_map(X, p))


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
    assert golden**2 == pytest.approx(0.38, abs=0.005)
    assert np.sum(values > 1e-3) == 7
    assert 0.5e-5 < golden**23 < 2e-5  # the twelfth
    crossings = [np.sum(np.diff(np.sign(E[np.abs(nodes) < 3, j])) != 0) for j in range(4)]
    assert crossings == [0, 1, 2, 3]


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


def test_the_rank_is_the_number_of_points_that_take_every_label(rng):
    for d in (2, 3, 4):
        X = rng.normal(size=(40, d))
        assert np.linalg.matrix_rank((X @ X.T) ** 2) == d * (d + 1) // 2
    data = kl.load_digits((0, 6, 1, 7))
    X = data.X / np.linalg.norm(data.X, axis=1, keepdims=True)
    half = np.random.default_rng(0).permutation(len(X)) % 2 == 0
    assert np.linalg.matrix_rank(kl.Gaussian(1.0)(X[half])) == half.sum() == 360


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
    assert np.trace(K) == n
    assert norm / n * np.mean(roots) <= norm / np.sqrt(n)


def test_the_bound_is_worse_than_a_coin():
    n, norm, delta = 360, 7.3, 0.05
    chance = np.sqrt(np.log(2 / delta) / (2 * n))
    assert 2 * np.exp(-2 * n * chance**2) == pytest.approx(delta)  # Hoeffding, solved
    assert 2 * norm / np.sqrt(n) + 3 * chance == pytest.approx(0.98, abs=0.01)
