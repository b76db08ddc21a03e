"""The estimators in use: pipelines, searches, copies, many classes, texts, maps; and any input."""

import tracemalloc
import warnings

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsOneClassifier as TheirOneVsOne
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kernellab
from kernellab import estimators as e
from kernellab.datasets import load_iris
from kernellab.kernels import Gaussian, Linear, Normalized
from kernellab.kernels.structured import SetKernel, Spectrum
from kernellab.solvers.ridge import LamRaised

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
LABELS = np.where(X[:, 0] + X[:, 1] ** 2 > 0.5, "yes", "no")
TARGETS = np.sin(X[:, 0]) + X[:, 2]
THREE = np.digitize(X[:, 0], [-0.5, 0.5])

BINARY = [
    e.Perceptron(max_passes=5),
    e.KernelPerceptron(max_passes=5),
    e.HardMarginSVC("rbf", gamma=20.0),
    e.KernelSVC(),
    e.KernelSVC(solver="sdca", bias=False),
    e.KernelSVC(solver="pegasos", bias=False, gap=0.1),
    e.LinearSVC(),
    e.PegasosSVC(),
    e.MKLClassifier(),
    e.OneVsRestClassifier(e.KernelSVC()),
    e.OneVsOneClassifier(e.LinearSVC()),
]
REGRESSORS = [e.KernelSVR(), e.KernelRidge()]
ALL = [*BINARY, *REGRESSORS, e.OneClassSVM(), e.Nystroem(n_components=10)]


def name(model):
    return f"{type(model).__name__}-{getattr(model, 'solver', '')}"


def fit(model, points=X, y=None):
    model = clone(model)
    if y is None:
        y = TARGETS if model in REGRESSORS or isinstance(model, e.KernelSVR) else LABELS
        y = TARGETS if isinstance(model, e.KernelRidge) else y
        y = y[: np.shape(points)[0]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(points, y)


def ask(model, points):
    for method in ("decision_function", "predict", "transform"):
        if hasattr(model, method):
            return getattr(model, method)(points)
    raise AssertionError


# --- in use ---------------------------------------------------------------------------------------


def test_they_are_found_under_the_package():
    found = [name for name, value in vars(e).items() if isinstance(value, type)]
    assert len(found) == 13
    for one in found:
        assert getattr(kernellab, one) is getattr(e, one)


def test_pipelines_and_searches():
    pipeline = make_pipeline(StandardScaler(), e.KernelSVC())
    grid = {"kernelsvc__kernel": [Linear(), Gaussian(0.5), "rbf"], "kernelsvc__C": [0.1, 10.0]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(X, LABELS)
    assert search.best_score_ > 0.7
    mapped = make_pipeline(e.Nystroem(Gaussian(0.5), 20), e.LinearSVC(10.0, max_passes=5000))
    assert cross_val_score(mapped, X, LABELS, cv=4).mean() > 0.7
    lams = GridSearchCV(e.KernelRidge(), {"lam": [1e-3, 1.0, 1e3]}, cv=3).fit(X, TARGETS)
    assert lams.best_params_["lam"] < 1e3
    names = e.Nystroem(n_components=5).fit(X).get_feature_names_out()
    assert names.tolist() == [f"nystroem{i}" for i in range(5)]


def test_a_search_cuts_gram_matrices_both_ways():
    K = Gaussian(0.5)(X)
    for grid_model in (e.KernelSVC("precomputed"), e.KernelPerceptron("precomputed", max_passes=9)):
        vectors = clone(grid_model).set_params(kernel=Gaussian(0.5))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            one = cross_val_score(grid_model, K, LABELS, cv=4)
            two = cross_val_score(vectors, X, LABELS, cv=4)
        np.testing.assert_allclose(one, two)


# --- many classes ---------------------------------------------------------------------------------


class Constant(ClassifierMixin, BaseEstimator):
    """Scores that do not depend on x, one for each pair."""

    def __init__(self, table):
        self.table = table

    def fit(self, points, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, points):
        return np.full(len(points), self.table[tuple(self.classes_.tolist())])


@pytest.mark.rounding
@pytest.mark.parametrize(
    ("table", "winner"),
    [
        ({(0, 1): 1.0, (0, 2): 1.0, (1, 2): -1.0}, 1),  # two votes for 1
        ({(0, 1): 1.0, (0, 2): -3.0, (1, 2): 2.0}, 0),  # a circle: sums 2, −1, −1
        ({(0, 1): 3.0, (0, 2): -1.0, (1, 2): 1.0}, 1),  # a circle: sums −2, 2, 0
        ({(0, 1): 2.0, (0, 2): -2.0, (1, 2): 2.0}, 0),  # a circle, all sums zero
        ({(0, 1): 0.0, (0, 2): 0.0, (1, 2): 0.0}, 0),  # no score at all
    ],
)
def test_ties_of_one_against_one(table, winner):
    model = e.OneVsOneClassifier(Constant(table)).fit(X, THREE)
    assert set(model.predict(X)) == {winner}
    assert (model.decision_function(X).argmax(axis=1) == winner).all()
    assert model.pairs_ == [(0, 1), (0, 2), (1, 2)]
    assert model.pairwise_scores(X)[0].tolist() == list(table.values())


def test_the_reductions_agree_with_those_of_scikit_learn():
    iris = load_iris(classes=None)
    ours = e.OneVsOneClassifier(e.KernelSVC(gap=1e-8)).fit(iris.X, iris.y)
    theirs = TheirOneVsOne(e.KernelSVC(gap=1e-8)).fit(iris.X, iris.y)
    np.testing.assert_allclose(
        ours.decision_function(iris.X), theirs.decision_function(iris.X), atol=1e-4
    )
    assert ours.score(iris.X, iris.y) > 0.94
    built_in = e.KernelSVC(gap=1e-8).fit(iris.X, iris.y)
    wrapped = e.OneVsRestClassifier(e.KernelSVC(gap=1e-8)).fit(iris.X, iris.y)
    np.testing.assert_allclose(
        built_in.decision_function(iris.X), wrapped.decision_function(iris.X), atol=1e-3
    )
    assert built_in.alpha_.shape == (3, len(iris.X))
    assert built_in.dual_coef_.shape == (3, len(built_in.support_))


def test_two_classes_need_no_reduction():
    plain = e.KernelSVC(gap=1e-10).fit(X, LABELS).decision_function(X)
    for reduction in (e.OneVsRestClassifier, e.OneVsOneClassifier):
        scores = reduction(e.KernelSVC(gap=1e-10)).fit(X, LABELS).decision_function(X)
        np.testing.assert_allclose(scores, plain, atol=1e-5)


def test_a_weight_of_two_counts_an_example_twice_in_every_pair():
    iris = load_iris(classes=None)
    weight = np.where(np.arange(len(iris.X)) % 3 == 0, 2, 1)
    svc = e.KernelSVC(gamma=0.5, gap=1e-8)
    rows = np.repeat(iris.X, weight, axis=0), np.repeat(iris.y, weight)
    repeated = e.OneVsOneClassifier(svc).fit(*rows)
    weighted = e.OneVsOneClassifier(svc).fit(iris.X, iris.y, sample_weight=weight)
    np.testing.assert_allclose(
        weighted.pairwise_scores(iris.X), repeated.pairwise_scores(iris.X), atol=1e-4
    )


# --- kernels of other things than vectors ---------------------------------------------------------

TEXTS = ["abab", "baba", "abba", "xyxy", "yxyx", "xxyy", "ababab", "xyxyxy"]
KINDS = ["ab", "ab", "ab", "xy", "xy", "xy", "ab", "xy"]


@pytest.mark.parametrize(
    "kernel", [Spectrum(2), Normalized(Spectrum(2)), 2 * Spectrum(1) + Spectrum(2)], ids=repr
)
def test_texts_go_through_every_machine(kernel):
    for model in (
        e.KernelSVC(kernel),
        e.KernelSVC(kernel, solver="sdca", bias=False),
        e.KernelPerceptron(kernel),
        e.HardMarginSVC(kernel),
        e.OneVsOneClassifier(e.KernelSVC(kernel)),
        e.KernelSVC(lambda s, t: kernel(list(s), list(t))),
    ):
        model.fit(TEXTS, KINDS)
        assert model.predict(["baab", "yyxx"]).tolist() == ["ab", "xy"]
    lengths = [float(len(text)) for text in TEXTS]
    assert e.KernelRidge(kernel).fit(TEXTS, lengths).predict(["ab"]).shape == (1,)
    assert e.KernelSVR(kernel).fit(TEXTS, lengths).predict(["ab"]).shape == (1,)
    assert e.OneClassSVM(kernel).fit(TEXTS).predict(["ab"]).shape == (1,)
    features = e.Nystroem(kernel, 8).fit(TEXTS).transform(TEXTS)
    np.testing.assert_allclose(features @ features.T, kernel(TEXTS), atol=1e-6)


def test_sets_are_no_arrays_either():
    sets = [{1, 2}, {1, 3}, {7, 8}, {8, 9}]
    model = e.KernelSVC(SetKernel()).fit(sets, [0, 0, 1, 1])
    assert model.predict([{1}, {8}]).tolist() == [0, 1]
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        e.KernelSVC(SetKernel()).fit(sets, [0, 1])


# --- ridge and maps -------------------------------------------------------------------------------


def test_ridge_leaves_one_out_as_deletion_does():
    weights = RNG.uniform(0.2, 2, 40)
    for options in ({}, {"sample_weight": weights}):
        model = e.KernelRidge(Gaussian(0.3), 0.5).fit(X, TARGETS, **options)
        for i in (0, 7, 39):
            rest = np.delete(np.arange(40), i)
            less = {key: value[rest] for key, value in options.items()}
            without = e.KernelRidge(Gaussian(0.3), 0.5).fit(X[rest], TARGETS[rest], **less)
            error = TARGETS[i] - without.predict(X[i : i + 1])[0]
            assert model.loo_[i] == pytest.approx(error, abs=1e-10)


def test_ridge_with_a_linear_kernel_is_ridge():
    both = np.column_stack([TARGETS, -2 * TARGETS])
    weights = np.r_[0.0, RNG.uniform(0.2, 2, 39)]
    for y in (TARGETS, both):
        model = e.KernelRidge("linear", 0.7).fit(X, y, sample_weight=weights)
        plain = Ridge(0.7, fit_intercept=False).fit(X, y, sample_weight=weights)
        np.testing.assert_allclose(model.predict(X), plain.predict(X), atol=1e-9)
        assert np.isnan(model.loo_[0]).all() and not model.coef_[0].any()
    with pytest.warns(LamRaised):
        assert e.KernelRidge("linear", 0.0).fit(X, TARGETS).lam_ > 0


@pytest.mark.parametrize("how", ["uniform", "kmeans", "leverage", "cholesky"])
def test_all_landmarks_are_exact_and_more_are_better(how):
    kernel = Gaussian(0.3)
    errors = [
        e.Nystroem(kernel, m, landmarks=how).fit(X).trace_error(X) for m in (2, 10, 40)
    ]  # fmt: skip
    assert 1 > errors[0] > errors[1] > errors[2] >= -1e-9
    if how != "kmeans":
        assert errors[2] < 1e-6
        K = kernel(X)
        given_k = e.Nystroem("precomputed", 10, landmarks=how).fit(K)
        vectors = e.Nystroem(kernel, 10, landmarks=how).fit(X)
        np.testing.assert_allclose(vectors.transform(X), given_k.transform(K), atol=1e-9)
        assert given_k.trace_error(K) == pytest.approx(vectors.trace_error(X))


def test_landmarks_can_be_given():
    by_hand = e.Nystroem(Gaussian(0.3), landmarks=X[:7]).fit(X)
    K = Gaussian(0.3)(X)
    Phi = by_hand.transform(X)
    np.testing.assert_allclose(Phi[:7] @ Phi.T, K[:7], atol=1e-9)
    np.testing.assert_allclose(
        e.Nystroem("precomputed", landmarks=np.arange(7)).fit(K).transform(K), Phi, atol=1e-9
    )
    with pytest.warns(UserWarning, match="n_components = 99"):
        assert e.Nystroem(n_components=99).fit(X).n_features_out_ == 40


# --- any input ------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ALL, ids=name)
def test_the_memory_an_array_lies_in_does_not_matter(model):
    plain = ask(fit(model), X)
    frozen = X.copy()
    frozen.flags.writeable = False
    stepped = np.repeat(X, 2, axis=0)[::2]
    for points in (np.asfortranarray(X), frozen, stepped, X.tolist(), X.astype(">f8")):
        np.testing.assert_allclose(ask(fit(model, points), points), plain, rtol=1e-9, atol=1e-9)
    before = X.copy()
    fit(model)
    np.testing.assert_array_equal(X, before)
    single = X.astype(np.float32)
    np.testing.assert_allclose(
        ask(fit(model, single), single), ask(fit(model, single.astype(float)), single), atol=1e-12
    )


@pytest.mark.parametrize("model", ALL, ids=name)
def test_awkward_data_gives_finite_answers(model):
    awkward = {
        "constant features": np.ones((40, 3)),
        "one constant feature": np.column_stack([X[:, :2], np.zeros(40)]),
        "zero vectors": X * (np.arange(40) % 2)[:, np.newaxis],
        "copies with either label": np.tile(X[:4], (10, 1)),
        "a huge offset": X + 1e6,
    }
    for what, points in awkward.items():
        fitted = fit(model, points)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert np.isfinite(ask(fitted, points)).all(), what


@pytest.mark.rounding
def test_an_offset_does_not_matter_to_a_kernel_of_distances():
    plain = e.KernelSVC(gap=1e-9).fit(X, LABELS).decision_function(X)
    moved = e.KernelSVC(gap=1e-9).fit(X + 1e6, LABELS).decision_function(X + 1e6)
    np.testing.assert_allclose(moved, plain, atol=1e-4)


@pytest.mark.parametrize("model", [e.LinearSVC(), e.PegasosSVC()], ids=name)
@pytest.mark.parametrize("make", [scipy.sparse.csr_array, scipy.sparse.coo_matrix])
def test_sparse_rows_are_the_same_rows(model, make):
    holey = X * (np.abs(X) > 0.5)
    for y in (LABELS, THREE):
        dense = clone(model).fit(holey, y)
        sparse = clone(model).fit(make(holey), y)
        np.testing.assert_allclose(sparse.coef_, dense.coef_, atol=1e-3)
        np.testing.assert_allclose(
            sparse.decision_function(make(holey)), sparse.decision_function(holey), atol=1e-12
        )


def test_a_gram_matrix_must_be_one():
    with pytest.raises(ValueError, match="X must have shape"):
        e.KernelSVC("precomputed").fit(X, LABELS)
    K = Gaussian(0.5)(X)
    with pytest.raises(ValueError, match="features"):
        e.KernelSVC("precomputed").fit(K, LABELS).predict(K[:, :5])
    with pytest.raises(ValueError, match="K must be symmetric"):
        e.OneVsOneClassifier(e.KernelSVC("precomputed")).fit(RNG.normal(size=(40, 40)), THREE)


def test_weights_must_be_weights():
    wrong = [(-np.ones(40), "[Nn]egative"), (np.zeros(40), "zero"), (np.ones(3), "shape")]
    for bad, message in wrong:
        for model in (e.KernelSVC(), e.LinearSVC(), e.PegasosSVC(), e.MKLClassifier()):
            with pytest.raises(ValueError, match=message):
                model.fit(X, LABELS, sample_weight=bad)
    one_class_left = np.where(LABELS == "yes", 1.0, 0.0)
    with pytest.raises(ValueError, match="one class"):
        e.KernelSVC().fit(X, LABELS, sample_weight=one_class_left)


def test_huge_numbers_are_named():
    with pytest.raises(ValueError, match="X must not be so large that its variance overflows"):
        e.KernelSVC().fit(X * 1e200, LABELS)


def test_balanced_classes_count_the_same():
    few = np.where(np.arange(40) < 6, "few", "many")
    balanced = e.KernelSVC(Gaussian(0.3), 0.1, class_weight="balanced", gap=1e-9).fit(X, few)
    weights = np.where(few == "few", 40 / 12, 40 / 68)
    by_hand = e.KernelSVC(Gaussian(0.3), 0.1, gap=1e-9).fit(X, few, sample_weight=weights)
    np.testing.assert_allclose(
        balanced.decision_function(X), by_hand.decision_function(X), atol=1e-4
    )


def test_ten_classes_share_one_copy_of_the_examples():
    rng = np.random.default_rng(0)
    many, digits = rng.normal(size=(2000, 100)), np.arange(2000) % 10
    model = e.LinearSVC(gap=0.999)
    model.fit(many, digits)  # what is loaded and compiled at first does not count
    tracemalloc.start()
    try:
        model.fit(many, digits)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 4 * many.nbytes
