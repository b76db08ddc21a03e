"""What lesson 03, and what is further, say in words and do not print, each in a second way."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import fisher_exact
from sklearn.model_selection import (
    GridSearchCV,
    LeaveOneOut,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    train_test_split,
)
from sklearn.svm import SVC, LinearSVC

import kernellab as kl
from kernellab.datasets import load_boiling_points
from kernellab.lessons import kernels
from kernellab.lessons.kernels.figures.cross_term import CrossTerm
from kernellab.lessons.kernels.figures.digits_gram import DigitsGram
from kernellab.lessons.kernels.figures.gamma import GAMMAS, GammaDial, over_gammas, rings
from kernellab.lessons.kernels.figures.kernel_perceptron import KERNELS
from kernellab.lessons.kernels.figures.lift import Lift
from kernellab.lessons.kernels.figures.structures import MOLECULES, StructureGram


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_a_tenth_is_high_enough():
    figure = Lift()
    assert figure.numbers["mistakes"] == 12
    figure.lift = 0.09
    assert figure.numbers["mistakes"] > 0
    figure.lift = 0.1
    assert figure.numbers["mistakes"] == 0


@pytest.mark.parametrize("lift", [0.1, 0.6, 1.0])
def test_from_above_the_cut_is_a_circle(lift):
    figure = Lift(lift=lift)
    assert figure.numbers["mistakes"] == 0
    x, y = figure.trace.get_data()
    inside = ~np.isnan(x)
    x, y = x[inside], y[inside]
    a, b, c = np.linalg.lstsq(np.column_stack([x, y, np.ones(len(x))]), x**2 + y**2)[0]
    radius = np.hypot(x - a / 2, y - b / 2)
    np.testing.assert_allclose(radius, np.sqrt(c + (a**2 + b**2) / 4), rtol=1e-3)


def test_xor_needs_the_product():
    wrong = Lift(sample="XOR")
    for wrong.lift in (0.05, 0.1, 0.3, 0.6, 1.0):  # however high
        assert 0.28 < wrong.numbers["mistakes"] / wrong.numbers["n"] < 0.38
    for lift in (0.6, 1.0):  # of the strip, and at the end
        solved = Lift(sample="XOR", lift=lift, feature="x₁ x₂")
        assert solved.numbers["mistakes"] == 0
        Z = np.column_stack([solved.X, lift * solved.X.prod(axis=1)])
        (w,) = SVC(kernel="linear", C=1).fit(Z, solved.y).coef_
        assert np.hypot(*w[:2]) / abs(w[2]) < 0.15  # the slope of an almost level sheet


def test_the_six_features(rng):
    X = rng.normal(size=(20, 2))
    x1, x2 = X.T
    r2 = np.sqrt(2)
    six = np.column_stack([x1**2, x2**2, r2 * x1 * x2, r2 * x1, r2 * x2, np.ones(20)])
    np.testing.assert_allclose(six @ six.T, (1 + X @ X.T) ** 2)
    corners = kl.make_xor()
    y = corners.y
    np.testing.assert_allclose(y @ (1 + corners.X @ X.T) ** 2, -8 * x1 * x2, atol=1e-12)


@pytest.mark.parametrize(("d", "p", "least"), [(10, 5, 13), (10, 7, 14), (10, 8, 13)])
def test_the_short_way_to_a_power(d, p, least):
    reach = {1}  # exponents that k multiplications can make, one after the other
    chains, k = [(1,)], 0
    while p not in reach:
        chains = [(*c, a + b) for c in chains for a in c for b in c if c[-1] < a + b <= p]
        reach, k = {c[-1] for c in chains}, k + 1
    assert d + k == least
    assert kernels.costs(d, range(1, p + 1)).alt.endswith(f"(1 + x·z)^p {least}.")


def test_hills_as_wide_as_sigma_stand_alone_at_a_large_gamma():
    x, y = np.array([[-4.0], [-3.0], [-1.0], [0.5], [1.5], [4.0]]), np.array([-1, -1, 1, 1, 1, -1])
    said = kernels.hills(x[:, 0], y, [0.1, 100]).alt
    assert said.endswith("for γ = 0.1, 100: circles at −1, 0.5, 1.5; squares at −4, −3, 4.")
    np.testing.assert_allclose(kl.Gaussian(100.0)(x) @ y, y, atol=1e-9)
    between = (x[1:] + x[:-1]) / 2
    np.testing.assert_allclose(kl.Gaussian(100.0)(between, x) @ y, 0, atol=1e-9)
    assert -0.15 < (kl.Gaussian(0.1)(x) @ y)[-1] < 0  # the square on the right, nearly outvoted
    assert (y * (kl.Gaussian(1.0)(x) @ y)).min() > 0.9  # each on its own side, with room
    for gamma in (0.1, 1.0, 100.0):  # 1/√(2γ) aside, where a bell curve is steepest
        t = np.linspace(0, 10, 10_001) / np.sqrt(gamma)
        bump = kl.Gaussian(gamma)(np.zeros((1, 1)), t[:, np.newaxis])[0]
        assert t[np.diff(bump).argmin()] == pytest.approx(1 / np.sqrt(2 * gamma), rel=0.01)


def test_the_dial_of_gamma():
    figure = GammaDial()
    train, test = figure.run.train, figure.run.test
    assert np.all(np.diff(train) <= 0)  # it keeps falling
    at = GAMMAS.round(6).tolist().index
    assert train[at(100)] == 0 and test[at(100)] == pytest.approx(0.42, abs=0.005)
    assert train[at(0.001)] > 0.4 and test[at(0.001)] > 0.4
    data, k = figure.split, at(100)
    scores = kl.Gaussian(100)(data.X_test, data.X) @ (figure.run.alphas[k] * data.y)
    circles = data.y_test > 0
    wrong = data.y_test * (scores + figure.run.biases[k]) <= 0
    assert -0.02 < figure.run.biases[k] < 0  # of the sea: squares
    assert wrong[circles].mean() > 0.8 and wrong[~circles].mean() < 0.02
    assert figure.numbers["median"] == pytest.approx(0.124, abs=0.001)
    assert test[[at(0.1), at(0.177828)]].max() < 0.07
    assert test[at(0.1)] < train[at(0.1)]
    k = at(0.1)
    K, coef = kl.Gaussian(0.1)(data.X), figure.run.alphas[k] * data.y
    wrong = data.y * (K @ coef + figure.run.biases[k]) <= 0
    radius = np.linalg.norm(data.X, axis=1)
    assert wrong.sum() == 4 and (np.abs(radius[wrong] - 1.5) < 0.2).all()  # between 1 and 2
    norms = [
        np.sqrt(v @ kl.Gaussian(g)(data.X) @ v)
        for g in (0.1, 100)
        for v in [figure.run.alphas[at(g)] * data.y]
    ]
    assert norms[1] < norms[0]  # the wider band fits the noise: it does not choose γ


def test_the_straight_cut_of_the_digits_and_what_is_misread():
    digits = kl.load_digits(None)
    X, y = digits.X / 16, np.where(digits.y % 2 == 1, 1, -1)
    X, X_test, y, y_test = train_test_split(X, y, train_size=300, random_state=0)
    said = SVC(gamma=0.3, C=10).fit(X, y).predict(X_test)
    assert np.sum(said != y_test) == 27 and 27 / len(y_test) < 1 / 50
    linear = GridSearchCV(SVC(kernel="linear"), {"C": [0.01, 0.1, 1, 10, 100]}, cv=10)
    assert linear.fit(X, y).best_params_ == {"C": 1}
    assert linear.score(X_test, y_test) == pytest.approx(0.90, abs=0.005)
    shown = kernels.misread(X_test, np.arange(9), np.tile([1, -1, 1], 3)).alt
    assert "0: “odd”, 1: “even”, 2: “odd”" in shown and "8:" not in shown


def test_eleven_million_features_of_the_digits():
    digits = kl.load_digits(None)
    X, y = digits.X / 16, np.where(digits.y % 2 == 1, 1, -1)
    X, X_test, y, y_test = train_test_split(X, y, train_size=300, random_state=0)
    model = SVC(kernel="poly", degree=5, coef0=1, gamma=1).fit(X, y)
    np.testing.assert_allclose(  # its kernel is that of section 2
        model.decision_function(X_test[:9]),
        (1 + X_test[:9] @ model.support_vectors_.T) ** 5 @ model.dual_coef_[0] + model.intercept_,
    )
    assert model.score(X_test, y_test) == pytest.approx(0.97, abs=0.002)


def test_alike_or_not_is_no_kernel():
    data = kl.load_towns()
    K = kl.Spectrum(2)(data.X)  # counts: whole numbers
    assert (K.diagonal() > 0).all()
    assert np.linalg.eigvalsh((K > 0).astype(float))[0] == pytest.approx(-11.5, abs=0.03)
    three = [data.names.index(name) for name in ("Freiburg", "Strasbourg", "Rouen")]
    alike = (K > 0)[np.ix_(three, three)].tolist()
    assert alike == [[True, True, False], [True, True, True], [False, True, True]]


def test_the_valley_says_what_the_dial_shows():
    said = kernels.valley().alt
    for name in ("everything alike", "something between", "everything apart"):
        figure = GammaDial()
        figure.load(name)
        train, test = figure.numbers["train"], figure.numbers["test"]
        assert f"{train:.1%} and {test:.1%} at γ = {GAMMAS[figure.gamma]:g}" in said


def test_the_loop_on_the_right_is_the_svm_without_bias():
    clouds = kl.make_clouds(16, separation=3.5, rng=20)
    X, y = kl.homogeneous(clouds.X), clouds.y
    w = (kernels.svm(X @ X.T, y) * y) @ X
    theirs = LinearSVC(loss="hinge", fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(w, theirs.coef_[0], atol=0.005)


def test_a_straight_border_has_twelve_rings_points_on_the_wrong_side():
    rings = kl.make_rings(40, 1, noise=0.13)
    wrong = []
    for p in (1, 2):
        K = (1 + rings.X @ rings.X.T) ** p
        wrong.append(np.sum(rings.y * (K @ (kernels.svm(K, rings.y) * rings.y)) <= 0))
    assert wrong == [12, 0]


def test_which_kernels_learn_two_rings():
    figure = kernels.KernelPerceptron()
    learnt = {}
    for name in ("rings, x·z", "rings, 1 + x·z", "rings, (x·z)²", "rings, degree 2"):
        figure.load(name)
        learnt[name[7:]] = figure.numbers["converged"] and figure.numbers["total"]
        assert figure.title.get_text().endswith(f": {figure.numbers['total']} mistakes")
        wrong = figure.y * (KERNELS[figure.kernel](figure.X) @ (figure.numbers["alpha"] * figure.y))
        assert len(figure.points.crosses.get_offsets()) == np.sum(wrong <= 0)
        if name == "rings, (x·z)²":  # all the plane is blue
            assert (wrong[figure.y < 0] <= 0).all() and (wrong[figure.y > 0] > 0).all()
    assert learnt == {"x·z": False, "1 + x·z": False, "(x·z)²": False, "degree 2": 27}
    X, coef = figure.X, np.linspace(-1, 1, len(figure.X))
    assert SVC(kernel="poly", degree=2, gamma=1).fit(X, figure.y).score(X, figure.y) == 1  # has b
    np.testing.assert_allclose((2 * X @ X.T) ** 2 @ coef, 4 * (X @ X.T) ** 2 @ coef)


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


def test_between_far_points_only_the_bias_is_left():
    run = over_gammas(*rings()[:4], 10.0)
    for gamma, sign, error in ((100, -1, 0.42), (31.6, 1, 0.14)):
        k = np.argmin(abs(np.array(GAMMAS) - gamma))
        assert 0 < sign * run.biases[k] < 0.01
        assert run.test[k] == pytest.approx(error, abs=0.006)


def test_who_is_wrong_with_other_folds():
    data = kl.load_towns()
    K, svm = kl.Normalized(kl.Spectrum(2))(data.X), SVC(kernel="precomputed")
    said = cross_val_predict(svm, K, data.y, cv=10)
    wrong = {name for name, y, s in zip(data.names, data.y, said, strict=True) if y > 0 > s}
    assert wrong & ALSACE_LORRAINE == {"Strasbourg", "Metz", "Colmar", "Haguenau", "Sélestat"}
    assert len(wrong - ALSACE_LORRAINE) == 14
    for seed in range(40):
        folds = StratifiedKFold(10, shuffle=True, random_state=seed)
        right = np.mean(cross_val_predict(svm, K, data.y, cv=folds) == data.y)
        assert 0.8 < right < 0.865


def test_two_towns_of_one_country_have_half_as_much_again_in_common():
    data = kl.load_towns()
    one, other = data.y < 0, data.y > 0
    for p, least, most in ((1, 0.95, 1.06), (2, 1.45, 1.65)):
        K = kl.Normalized(kl.Spectrum(p))(data.X)
        between = K[np.ix_(one, other)].mean()
        for own in (one, other):
            block = K[np.ix_(own, own)]
            within = (block.sum() - np.trace(block)) / (block.size - len(block))
            assert least < within / between < most
            figure = StructureGram(dial=p)
            shown = [float(text.get_text()[5:]) for text in figure.means]
            assert min(abs(mean - within) for mean in shown[::3]) < 0.0006
            assert shown[1] == shown[2] == pytest.approx(between, abs=0.0006)
    assert (kl.Spectrum(4)(data.X) == 0).mean() > 0.9  # of most names: nothing in common


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


def named(graph):
    """Count the atoms, and the atoms each with its neighbours."""
    around = [sorted(str(graph.labels[u]) for u in of) for of in graph.neighbours]
    pairs = zip(graph.labels, around, strict=True)
    return Counter([*graph.labels, *(f"{label}({''.join(of)})" for label, of in pairs)])


def test_molecules_and_what_normalising_forgets():
    butanol, ether = kl.molecule("CCCCO"), kl.molecule("CCOCC")
    names = [  # as the table of the lesson
        Counter({"C": 4, "O": 1, "C(C)": 1, "C(CC)": 2, "C(CO)": 1, "O(C)": 1}),
        Counter({"C": 4, "O": 1, "C(C)": 2, "C(CO)": 2, "O(CC)": 1}),
    ]
    assert names == [named(butanol), named(ether)]
    for h, most in ((0, 1), (1, 5)):
        K = kl.WeisfeilerLehman(h)([butanol, ether])
        assert np.ptp(K) == 0 if h == 0 else np.ptp(K) > 0
        assert K[0, 1] == sum(names[0][s] * names[1][s] for s in names[0] if len(s) <= most)
    assert K[0, 1] == 21
    figure = StructureGram(data=MOLECULES, normalised=False)
    sizes = [len(graph) for graph in figure.structures.X]
    K = kl.WeisfeilerLehman(0)(list(figure.structures.X))
    assert np.corrcoef(K.mean(axis=0), sizes)[0, 1] > 0.9  # dark stripes: large molecules
    warmth = np.corrcoef([len(graph) for graph in kl.load_molecules().X], load_boiling_points())
    assert warmth[0, 1] > 0.6  # and they boil at higher temperatures
    assert figure.numbers["accuracy"] == pytest.approx(72 / 86)
    figure.dial = 1
    assert figure.numbers["accuracy"] == pytest.approx(85 / 86)
    assert figure.numbers["cost"] == 10
    assert figure.numbers["wrong"] == "2,2,4-trimethylpentane"
    figure.normalised = True
    assert figure.numbers["accuracy"] == pytest.approx(0.65, abs=0.005)
    angle, warm = kl.Normalized(kl.WeisfeilerLehman(1))(figure.structures.X), figure.structures.y
    right = cross_val_score(SVC(kernel="precomputed", C=1000), angle, warm, cv=LeaveOneOut())
    assert 0.88 < right.mean() < 0.95  # "nine in ten"
    figure.normalised = False
    means = [float(text.get_text()[5:]) for text in figure.means]
    assert means[0] < means[1] == means[2] < means[3]  # not within, but with the larger ones
    falling = []
    for figure.dial in (1, 2, 3, 4):
        falling.append(figure.numbers["accuracy"])
    assert falling == sorted(falling, reverse=True)
    figure.load("molecules, by angle")
    assert figure.numbers["accuracy"] == pytest.approx(40 / 86)  # in words, 47 %: a coin


# --- further: the cross term ---------------------------------------------------------------------


def test_worst_at_45_degrees_none_from_06_on_and_only_root_2_turns_along():
    figure = CrossTerm()
    wrong = []
    for figure.turn in range(0, 91, 5):
        wrong.append(figure.numbers["mistakes"])
    assert wrong[0] == wrong[-1] == 0
    assert 40 <= 5 * np.argmax(wrong) <= 50 and 20 <= max(wrong) <= 24
    for c, turning in ((0.6, True), (1.0, True), (1.414, False), (2.0, True)):
        figure.c, support = c, set()
        for figure.turn in range(0, 91, 15):
            assert figure.numbers["mistakes"] == 0
            support.add(figure.numbers["support"])
        assert (len(support) > 1) == turning


# --- further: what is a kernel? -------------------------------------------------------------------


def test_blocks_of_the_digits():
    figure = DigitsGram(dial=4)
    assert figure.numbers["within"] / figure.numbers["between"] == pytest.approx(2.7, abs=0.1)
    figure.dial = 20
    assert figure.numbers["between"] < 0.02


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
