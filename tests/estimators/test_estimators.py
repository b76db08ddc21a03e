"""The estimators: what they report is true, and what must not matter does not."""

import warnings

import numpy as np
import pytest
import sklearn.svm
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC as Liblinear

from kernellab import estimators as e
from kernellab.certificates import svm_certificate
from kernellab.kernels import Gaussian, Laplacian, Linear, Polynomial, Sigmoid
from kernellab.losses import epsilon_insensitive, squared_hinge
from kernellab.solvers.mkl import mkl_certificate
from kernellab.solvers.perceptron import homogeneous

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
LABELS = np.where(X[:, 0] ** 2 + X[:, 1] + 0.5 * RNG.normal(size=40) > 0.5, "yes", "no")
SIGN = np.where(LABELS == "yes", 1.0, -1.0)
TARGETS = np.sin(X[:, 0]) + 2.0
THREE = np.digitize(X[:, 0], [-0.5, 0.5])
NEW = RNG.normal(size=(15, 2))


# --- what is reported is true ---------------------------------------------------------------------


@pytest.mark.parametrize("C", [0.1, 1.0, 1e4])
@pytest.mark.parametrize("bias", [True, False])
def test_svc_is_certified_from_alpha_alone(C, bias):
    model = e.KernelSVC(Gaussian(0.7), C, bias=bias, gap=1e-7).fit(X, LABELS)
    proof = svm_certificate(
        Gaussian(0.7)(X), SIGN, model.alpha_, C, bias=model.intercept_[0] if bias else None
    )
    assert model.status_ == "converged"
    assert model.gap_ <= 1e-7 and proof.gap <= 1e-6
    assert model.objective_ == pytest.approx(proof.primal, rel=1e-6)
    np.testing.assert_allclose(model.decision_function(X), proof.scores, rtol=1e-6, atol=1e-6)
    assert (model.support_ == np.flatnonzero(model.alpha_)).all()
    assert (model.C_, model.lam_) == (C, pytest.approx(1 / (40 * C)))
    errors, supports = np.mean(proof.margins < 1 - 1e-6), len(model.support_) / 40
    assert errors <= model.nu_ + 1e-9 <= supports + 2e-9
    assert model.n_updates_ > 0 and model.n_passes_ > 0


@pytest.mark.parametrize("solver", ["sdca", "pegasos"])
def test_the_other_solvers_find_the_same_machine(solver):
    gap, passes = (1e-8, 20_000) if solver == "sdca" else (2e-2, 3000)
    exact = e.KernelSVC(Gaussian(0.7), bias=False, gap=1e-10).fit(X, LABELS)
    other = e.KernelSVC(
        Gaussian(0.7), bias=False, solver=solver, gap=gap, max_passes=passes
    ).fit(X, LABELS)  # fmt: skip
    assert other.status_ == "converged"
    assert exact.objective_ <= other.objective_ <= exact.objective_ * (1 + gap) * (1 + 1e-9)
    # ½‖w − w*‖² ≤ P(w) − P(w*), and |f| differs by no more, as k(x, x) = 1
    apart = np.abs(exact.decision_function(NEW) - other.decision_function(NEW)).max()
    assert apart <= np.sqrt(2 * gap * other.objective_)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("C", [1.0, 1e3])
def test_svr_is_certified_from_its_weights_alone(C, bias):
    model = e.KernelSVR(Gaussian(0.7), C, epsilon=0.05, bias=bias, gap=1e-7).fit(X, TARGETS)
    proof = svm_certificate(
        Gaussian(0.7)(X), TARGETS, model.coef_, C, loss=epsilon_insensitive(0.05),
        bias=model.intercept_[0] if bias else None,
    )  # fmt: skip
    assert proof.gap <= 1e-6
    np.testing.assert_allclose(model.predict(X), proof.scores, atol=1e-6)


def test_one_class_says_nu_and_c():
    by_nu = e.OneClassSVM(Gaussian(0.7), 0.3, gap=1e-9).fit(X)
    assert np.mean(by_nu.decision_function(X) < -1e-6) <= 0.3 <= len(by_nu.support_) / 40
    by_c = e.OneClassSVM(Gaussian(0.7), C=by_nu.C_, gap=1e-9).fit(X)
    assert (by_c.offset_, by_c.nu_) == (1.0, pytest.approx(0.3, abs=1e-4))
    scores = by_nu.decision_function(NEW) / by_nu.offset_
    np.testing.assert_allclose(by_c.decision_function(NEW), scores, atol=1e-3)
    assert set(by_nu.predict(np.vstack([X, X + 99]))) == {1, -1}


@pytest.mark.parametrize("p", [1.0, 2.0])
@pytest.mark.parametrize("bias", [True, False])
def test_mkl_is_certified_from_weights_and_alpha_alone(p, bias):
    kernels = [Gaussian(0.1), Gaussian(2.0), Linear()]
    model = e.MKLClassifier(kernels, p, 10.0, bias=bias, gap=1e-7).fit(X, LABELS)
    Ks = np.array([kernel(X) for kernel in model.kernels_])
    assert np.trace(Ks, axis1=1, axis2=2) == pytest.approx(40 * np.ones(3))
    b = model.intercept_[0] if bias else None
    proof = mkl_certificate(Ks, SIGN, model.alpha_, model.weights_, 10.0, p=p, bias=b)
    assert proof.gap <= 1e-6
    mixture = sum(eta * k for eta, k in zip(model.weights_, model.kernels_, strict=True))
    svc = e.KernelSVC(mixture, 10.0, bias=bias, gap=1e-10).fit(X, LABELS)
    np.testing.assert_allclose(
        model.decision_function(NEW), svc.decision_function(NEW), atol=5e-2
    )  # fmt: skip


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("bias", [0.0, 1.0])
def test_linear_svc_is_certified_and_agrees_with_liblinear(loss, bias):
    model = e.LinearSVC(2.0, loss=loss, bias=bias, gap=1e-9, max_passes=50_000).fit(X, LABELS)
    vectors = homogeneous(X) if bias else X
    options = {"loss": squared_hinge} if loss == "squared_hinge" else {}
    proof = svm_certificate(vectors @ vectors.T, SIGN, model.alpha_, 2.0, **options)
    assert proof.gap <= 1e-6
    theirs = Liblinear(
        loss=loss, C=2.0, fit_intercept=bool(bias), tol=1e-9, max_iter=200_000, random_state=0
    ).fit(X, LABELS)
    np.testing.assert_allclose(model.coef_, theirs.coef_, atol=1e-3)
    np.testing.assert_allclose(model.intercept_, theirs.intercept_, atol=1e-3)


def test_pegasos_is_near_the_linear_machine_of_its_lambda():
    pegasos = e.PegasosSVC(0.05, gap=1e-2).fit(X, LABELS)
    exact = e.LinearSVC(lam=0.05, gap=1e-10, max_passes=50_000).fit(X, LABELS)
    assert pytest.approx(exact.C_) == pegasos.C_
    assert exact.objective_ * (1 - 1e-9) <= pegasos.objective_ <= exact.objective_ * 1.0101


@pytest.mark.parametrize("options", [{"batch_size": 7}, {"average": False}, {"project": True}])
def test_pegasos_options_do_what_they_should(options):
    plain = e.PegasosSVC(0.1, gap=5e-2).fit(X, LABELS)
    other = e.PegasosSVC(0.1, gap=5e-2, max_passes=5000, **options).fit(X, LABELS)
    assert not np.array_equal(plain.coef_, other.coef_)
    assert other.objective_ == pytest.approx(plain.objective_, rel=0.12)


def test_the_two_perceptrons_make_the_same_mistakes():
    separable = np.where(X @ [1.0, -2.0] > 0.1, "a", "b")
    primal = e.Perceptron(shuffle=False).fit(X, separable)
    dual = e.KernelPerceptron(Linear(), shuffle=False).fit(X, separable)
    assert primal.status_ == "converged" and primal.gap_ == 0
    assert primal.n_mistakes_ == dual.n_mistakes_ == dual.alpha_.sum()
    np.testing.assert_allclose(primal.decision_function(NEW), dual.decision_function(NEW))
    signed = dual.alpha_ * np.where(separable == "b", 1, -1)
    np.testing.assert_allclose(signed @ homogeneous(X), [*primal.coef_[0], *primal.intercept_])


def test_hard_margin_is_the_limit_of_the_soft_one():
    apart = np.where(X @ [1.0, -2.0] > 0.1, 1, 0)
    hard = e.HardMarginSVC().fit(X, apart)
    soft = e.KernelSVC("linear", 1e7, gap=1e-8).fit(X, apart)
    assert hard.status_ == "converged" and hard.gap_ < 1e-6
    np.testing.assert_allclose(hard.decision_function(NEW), soft.decision_function(NEW), rtol=1e-3)
    assert hard.half_margin_ == pytest.approx(1 / np.sqrt(hard.alpha_.sum()))
    margins = np.where(apart == 1, 1, -1) * hard.decision_function(X)
    assert margins.min() == pytest.approx(1, abs=1e-6)
    kernel = e.HardMarginSVC(Gaussian(5.0)).fit(X, LABELS)
    assert kernel.score(X, LABELS) == 1.0


def test_classes_that_overlap_have_no_hard_margin_and_no_large_number():
    points, y = [[0.0], [1.0], [0.5], [0.6]], [0, 0, 1, 1]
    with pytest.warns(ConvergenceWarning, match="not separable"):
        model = e.HardMarginSVC().fit(points, y)
    assert model.status_ == "not separable" and np.isnan(model.half_margin_)
    assert not model.alpha_.any()
    with pytest.warns(UserWarning, match="4 of 4 examples lie exactly on a boundary"):
        model.predict(points)


# --- against scikit-learn -------------------------------------------------------------------------


@pytest.mark.parametrize("class_weight", [None, "balanced", {"yes": 3.0}])
def test_svc_agrees_with_libsvm(class_weight):
    weights = np.r_[0.0, RNG.uniform(0.2, 2, 39)]
    for kernel, theirs in [("rbf", "rbf"), ("linear", "linear"), (Polynomial(2, 1.0), "poly")]:
        ours = e.KernelSVC(kernel, 2.0, class_weight=class_weight, gap=1e-10)
        libsvm = sklearn.svm.SVC(
            kernel=theirs, C=2.0, class_weight=class_weight, tol=1e-4, degree=2, coef0=1.0,
            gamma="scale" if theirs == "rbf" else 1.0,
        )  # fmt: skip
        if class_weight == "balanced":  # they count examples, we count weights
            ours.fit(X, LABELS)
            libsvm.fit(X, LABELS)
        elif theirs == "rbf":  # their γ does not look at weights
            libsvm.set_params(gamma=0.7).fit(X, LABELS, sample_weight=weights)
            ours.set_params(gamma=0.7).fit(X, LABELS, sample_weight=weights)
        else:
            ours.fit(X, LABELS, sample_weight=weights)
            libsvm.fit(X, LABELS, sample_weight=weights)
        np.testing.assert_allclose(
            ours.decision_function(NEW), libsvm.decision_function(NEW), rtol=1e-3, atol=1e-3
        )


# --- what must not matter -------------------------------------------------------------------------


def fit_and_ask(model, points, y, new=NEW, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(points, y, **options).decision_function(new)


CLASSIFIERS = [
    e.KernelSVC("rbf", 3.0, gap=1e-11),
    e.KernelSVC("rbf", 3.0, bias=False, gap=1e-11),
    e.KernelSVC("rbf", bias=False, solver="sdca", gap=1e-9, max_passes=20_000),
    e.LinearSVC(gap=1e-11, max_passes=20_000),
    e.MKLClassifier(gap=1e-9),
    e.KernelPerceptron("rbf"),
    e.PegasosSVC(max_passes=30),
]
ids = [type(model).__name__ for model in CLASSIFIERS]


@pytest.mark.parametrize("model", CLASSIFIERS, ids=ids)
def test_other_names_for_the_labels_change_the_sign_at_most(model):
    before = fit_and_ask(model, X, LABELS)
    np.testing.assert_array_equal(fit_and_ask(model, X, SIGN), before)
    np.testing.assert_array_equal(fit_and_ask(model, X, SIGN == 1), before)
    if not isinstance(model, e.PegasosSVC | e.KernelPerceptron):  # those depend on the order
        np.testing.assert_allclose(fit_and_ask(model, X, -SIGN), -before, atol=2e-4)


WEIGHTED = [model for model in CLASSIFIERS if not isinstance(model, e.KernelPerceptron)]


@pytest.mark.parametrize("model", WEIGHTED, ids=lambda model: type(model).__name__)
@settings(max_examples=5)
@given(data=st.data())
def test_an_example_twice_is_one_of_weight_two_to_rounding_not_to_the_gap(model, data):
    counts = np.array(data.draw(st.lists(st.integers(0, 3), min_size=12, max_size=12)))
    counts[[LABELS[:12].tolist().index("yes"), LABELS[:12].tolist().index("no")]] += 1
    points, y = X[:12], LABELS[:12]
    order = np.random.default_rng(int(counts.sum())).permutation(counts.sum())
    copies = fit_and_ask(model, points.repeat(counts, 0)[order], y.repeat(counts)[order])
    spread = model.alpha_.sum() if hasattr(model, "alpha_") else 0
    weighted = fit_and_ask(model, points, y, sample_weight=counts)
    np.testing.assert_allclose(copies, weighted, rtol=1e-11, atol=1e-12)
    if hasattr(model, "alpha_"):
        assert model.alpha_.sum() == pytest.approx(spread)
        assert (model.alpha_[counts == 0] == 0).all()


def test_regressors_and_one_class_count_copies_too():
    counts = RNG.integers(0, 4, 40)
    for model in (e.KernelSVR(), e.KernelRidge(), e.OneClassSVM(), e.OneClassSVM(C=0.2)):
        ask = getattr(model, "decision_function", model.predict)
        copies = ask(NEW) if model.fit(X.repeat(counts, 0), TARGETS.repeat(counts)) else None
        weighted = ask(NEW) if model.fit(X, TARGETS, sample_weight=counts) else None
        np.testing.assert_allclose(copies, weighted, rtol=1e-9, atol=1e-12)


def test_c_and_weights_multiply_and_lam_is_another_name_for_c():
    plain = fit_and_ask(e.KernelSVC(C=3.0, gap=1e-11), X, LABELS)
    weighted = e.KernelSVC(C=0.3, gap=1e-11)
    np.testing.assert_allclose(
        fit_and_ask(weighted, X, LABELS, sample_weight=np.full(40, 10.0)), plain, atol=1e-5
    )
    by_lam = e.KernelSVC(lam=1 / (3.0 * 40), gap=1e-11)
    np.testing.assert_allclose(fit_and_ask(by_lam, X, LABELS), plain, atol=1e-5)
    assert pytest.approx(3.0) == by_lam.C_


@pytest.mark.parametrize("kernel", [Gaussian(0.7), Laplacian(0.5), Linear(), Polynomial(2)])
def test_a_gram_matrix_will_do(kernel):
    for model in (e.KernelSVC(kernel, gap=1e-11), e.KernelPerceptron(kernel, max_passes=5)):
        vectors = fit_and_ask(model, X, LABELS)
        model.set_params(kernel="precomputed")
        given_k = fit_and_ask(model, kernel(X), LABELS, new=kernel(NEW, X))
        np.testing.assert_allclose(given_k, vectors, atol=1e-5)
        assert model.kernel_ is None
    for model in (e.KernelSVR(kernel, gap=1e-11), e.KernelRidge(kernel)):
        vectors = model.fit(X, TARGETS).predict(NEW)
        model.set_params(kernel="precomputed")
        again = model.fit(kernel(X), TARGETS).predict(kernel(NEW, X))
        np.testing.assert_allclose(again, vectors, atol=1e-5)


def test_rows_on_demand_change_nothing(monkeypatch):
    all_at_once = fit_and_ask(e.KernelSVC(Gaussian(0.7), gap=1e-11), X, LABELS)
    monkeypatch.setattr("kernellab.estimators.svm.ROWS_FROM", 10)
    by_rows = fit_and_ask(e.KernelSVC(Gaussian(0.7), gap=1e-11), X, LABELS)
    np.testing.assert_allclose(by_rows, all_at_once, atol=1e-5)


# --- what is not a kernel, and what does not converge ---------------------------------------------


def test_what_is_no_kernel_is_reported_with_its_eigenvalues():
    for model, points in [
        (e.KernelSVC(Sigmoid(1.0, 0.0), bias=False), np.array([[1.0], [2.0], [3.0]])),
        (e.KernelSVC("precomputed", bias=False), Sigmoid()(np.array([[1.0], [2.0], [3.0]]))),
        (e.KernelSVC(lambda A, B: np.tanh(A @ B.T), bias=False), np.array([[1.0], [2], [3]])),
    ]:
        with pytest.warns(ConvergenceWarning, match=r"eigenvalues from -0\.139"):
            model.fit(points, [0, 1, 0])
        assert model.status_ == "not a kernel"
    with pytest.warns(ConvergenceWarning, match="not a kernel"):
        e.KernelSVR("precomputed", bias=False).fit(-np.eye(3) + 2, [1.0, 2, 3])
    with pytest.warns(ConvergenceWarning, match="not a kernel"):
        e.OneClassSVM("precomputed", C=1.0).fit(-np.eye(3) + 2, None)
    with pytest.raises(ValueError, match="positive semi-definite"):
        e.KernelRidge("precomputed", 0.1).fit(-np.eye(3) + 2, [1.0, 2, 3])
    with pytest.raises(ValueError, match="kernels must be positive semi-definite, got Sigmoid"):
        e.MKLClassifier([Linear(), Sigmoid()]).fit(np.array([[1.0], [2], [3]]), [0, 1, 0])


def test_distances_serve_a_machine_with_a_bias_and_no_other():
    D = -np.square(X[:, np.newaxis] - X).sum(axis=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = e.KernelSVC("precomputed", gap=1e-9).fit(D, LABELS)
    assert model.status_ == "converged"
    with pytest.warns(ConvergenceWarning, match="not a kernel"):
        e.KernelSVC("precomputed", bias=False).fit(D, LABELS)


@pytest.mark.rounding
def test_single_precision_is_rounding_not_a_wrong_kernel():
    K = np.asarray(Gaussian(0.7)(X), dtype=np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        e.KernelSVC("precomputed").fit(K, LABELS)


def test_a_matrix_that_is_none_is_refused_where_it_was_given():
    K = Gaussian(0.7)(X)
    used = e.KernelSVC("precomputed").fit(K, LABELS).support_
    named = {0.3: "K must be symmetric", np.nan: "K must be .*finite|X contains NaN"}
    for spoil, message in named.items():
        wrong = K.copy()
        wrong[used[-1], used[0]] += spoil
        for model in (e.KernelSVC("precomputed"), e.KernelSVC("precomputed", bias=False, solver="sdca")):  # fmt: skip  # noqa: E501
            with pytest.raises(ValueError, match=message.replace("K", "[KX]")):
                model.fit(wrong, LABELS)


def test_weights_of_a_linear_machine_are_there():
    for y in (LABELS, THREE):
        model = e.KernelSVC("linear", 2.0, gap=1e-9).fit(X, y)
        scores = model.decision_function(NEW).reshape(len(NEW), -1)
        np.testing.assert_allclose(NEW @ model.coef_.T + model.intercept_, scores, atol=1e-9)
    theirs = sklearn.svm.SVC(kernel="linear", C=2.0, tol=1e-6).fit(X, LABELS)
    model = e.KernelSVC("linear", 2.0, gap=1e-9).fit(X, LABELS)
    np.testing.assert_allclose(model.coef_, theirs.coef_, atol=1e-3)
    hard = e.HardMarginSVC().fit(X, X @ [1.0, -2.0] > 0.1)
    assert np.linalg.norm(hard.coef_) == pytest.approx(1 / hard.half_margin_)
    assert not hasattr(e.KernelSVC("rbf").fit(X, LABELS), "coef_")


def test_one_against_one_says_how_it_ended():
    model = e.OneVsOneClassifier(e.KernelSVC(gap=1e-4)).fit(X, THREE)
    assert model.status_ == "converged"
    assert model.gap_ == max(fitted.gap_ for fitted in model.estimators_) <= 1e-4
    with pytest.warns(ConvergenceWarning):
        model = e.OneVsOneClassifier(e.KernelSVC(C=1e4, gap=1e-9, max_passes=1)).fit(X, THREE)
    assert (model.status_, model.gap_ > 1e-9) == ("stopped at the cap", True)
    assert not hasattr(e.OneVsOneClassifier(sklearn.svm.SVC()).fit(X, THREE), "gap_")


def test_so_many_passes_and_no_more():
    for model in (e.KernelSVC, e.LinearSVC, e.PegasosSVC):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            fitted = model(gap=None, max_passes=3).fit(X, LABELS)
        assert (fitted.status_, fitted.n_passes_) == ("stopped at the cap", 3)


@pytest.mark.parametrize("kind", [e.Perceptron, lambda **o: e.KernelPerceptron("linear", **o)])
def test_a_perceptron_visits_in_the_orders_given(kind):
    orders = [np.random.default_rng(k).permutation(40) for k in range(6)]
    a = kind(orders=orders[:1]), X, LABELS
    b = kind(shuffle=False, max_passes=1), X[orders[0]], LABELS[orders[0]]
    one, two = (fit_and_ask(model, points, y) for model, points, y in (a, b))
    np.testing.assert_allclose(one, two)
    assert a[0].n_mistakes_ == b[0].n_mistakes_
    with pytest.raises(ValueError, match="orders must visit every example, got one without 0"):
        kind(orders=[np.arange(1, 40)]).fit(X, LABELS)
    with pytest.raises(ValueError, match="orders must be an iterable"):
        kind(orders=3).fit(X, LABELS)


def test_stopping_at_the_cap_warns_with_the_gap():
    for model in (
        e.KernelSVC(C=1e6, gap=1e-12, max_passes=1),
        e.LinearSVC(C=1e6, gap=1e-12, max_passes=1),
        e.PegasosSVC(gap=1e-12, max_passes=2),
        e.KernelSVC(C=1e6, gap=1e-12, max_passes=1, bias=False, solver="sdca"),
        e.MKLClassifier(gap=1e-15, max_passes=1),
        e.Perceptron(max_passes=1),
        e.KernelPerceptron("linear", max_passes=1),
    ):
        with pytest.warns(ConvergenceWarning, match="stopped at the cap after") as caught:
            model.fit(X, LABELS)
        assert model.status_ == "stopped at the cap"
        reached = f"gap {model.gap_:.3g}," if model.gap_ < np.inf else "a pass without a mistake"
        assert reached in str(caught[0].message)
        assert caught[0].filename == __file__
    with pytest.warns(ConvergenceWarning, match="KernelSVR: stopped at the cap"):
        e.KernelSVR(C=1e6, gap=1e-12, max_passes=1).fit(X, TARGETS)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (e.KernelSVC(solver="sdca"), "bias must be False with solver='sdca'.*use solver='smo'"),
        (e.KernelSVC(solver="pegasos"), "bias must be False with solver='pegasos'"),
        (e.KernelSVC(solver="newton"), "solver must be one of 'smo', 'sdca', 'pegasos', got"),
        (e.KernelSVC("gauss"), "kernel must be .*'linear'.*got 'gauss'"),
        (e.KernelSVC(C=-1.0), "C must be a positive number, got -1.0"),
        (e.KernelSVC(lam=0.0), "lam must be a positive number, got 0.0"),
        (e.KernelSVC(gamma="auto"), "gamma must be a positive number or 'scale', got 'auto'"),
        (e.KernelSVC(gamma=-1.0), "gamma must be a positive number, got -1.0"),
        (e.KernelSVC("poly", degree=1.5), "degree must be a positive integer, got 1.5"),
        (e.KernelSVC(gap=-1.0), "gap must not be negative"),
        (e.KernelSVC(max_passes=0), "max_passes must be a positive integer, got 0"),
        (e.KernelSVR(epsilon=-0.1), "eps must not be negative"),
        (e.LinearSVC(loss="log"), "loss must be 'hinge' or 'squared_hinge', got 'log'"),
        (e.PegasosSVC(lam=0.0), "lam must be a positive number, got 0.0"),
        (e.PegasosSVC(average="median"), "average must be False, True or one of"),
        (e.PegasosSVC(batch_size=0), "batch_size must be a positive integer"),
        (e.PegasosSVC(batch_size="1"), "batch_size must be a positive integer, got '1'"),
        (e.PegasosSVC(bias=None), "bias must be a finite number, got None"),
        (e.LinearSVC(bias="yes"), "bias must be a finite number, got 'yes'"),
        (e.MKLClassifier(bias="yes"), "bias must be True or False, got 'yes'"),
        (e.KernelSVC(bias=None), "bias must be True or False, got None"),
        (e.KernelSVR(bias="yes"), "bias must be True or False, got 'yes'"),
        (e.Perceptron(bias=None), "bias must be True or False, got None"),
        (e.KernelPerceptron(bias="yes"), "bias must be True or False, got 'yes'"),
        (e.MKLClassifier("rbf"), "kernels must be a sequence of kernels, got 'rbf'"),
        (e.MKLClassifier(p=0.5), "p must be"),
        (e.MKLClassifier(normalize="max"), "how must be"),
    ],
)
def test_bad_parameters_are_named(model, message):
    y = TARGETS if isinstance(model, e.KernelSVR) else LABELS
    with pytest.raises(ValueError, match=message):
        model.fit(X, y)


def test_one_class_parameter():
    with pytest.raises(ValueError, match="nu must be above 0 and at most 1, got 2"):
        e.OneClassSVM(nu=2.0).fit(X)


MASKED = np.ma.array(X, mask=np.arange(X.size).reshape(X.shape) == 3)
DATES = np.array(["2020-01-01"] * X.size, dtype="M8[D]").reshape(X.shape)


@pytest.mark.parametrize(
    "model",
    [
        e.KernelSVC(), e.LinearSVC(), e.PegasosSVC(), e.Perceptron(), e.KernelPerceptron(),
        e.HardMarginSVC(), e.MKLClassifier(), e.KernelRidge(), e.KernelSVR(), e.OneClassSVM(),
        e.Nystroem(),
    ],
    ids=lambda model: type(model).__name__,
)  # fmt: skip
def test_masked_entries_and_dates_are_no_numbers(model):
    y = TARGETS if isinstance(model, e.KernelSVR | e.KernelRidge) else LABELS
    with pytest.raises(ValueError, match="X must not have masked entries"):
        model.fit(MASKED, y)
    with pytest.raises(ValueError, match="X must hold real numbers, got dates or times"):
        model.fit(DATES, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)
    ask = model.transform if hasattr(model, "transform") else model.predict
    with pytest.raises(ValueError, match="X must not have masked entries"):
        ask(MASKED)


def test_poly_has_a_gamma():
    ours = e.KernelSVC("poly", gamma=0.02, degree=2, coef0=1.0, C=2.0, gap=1e-10).fit(X, LABELS)
    theirs = sklearn.svm.SVC(kernel="poly", gamma=0.02, degree=2, coef0=1.0, C=2.0, tol=1e-6)
    expected = theirs.fit(X, LABELS).decision_function(X)
    np.testing.assert_allclose(ours.decision_function(X), expected, atol=1e-4)


@pytest.mark.parametrize(
    ("K", "landmarks", "message"),
    [
        ([[1.0, 2.0], [0.0, 1.0]], "uniform", "X must be symmetric"),
        (np.ones((3, 2)), "uniform", r"X must have shape \(n, n\)"),
        (np.diag([1.0, -1.0]), "uniform", "positive semi-definite"),
        (np.eye(3), [0, 3], "landmarks must be numbers of rows of X, from 0 to 2"),
        (np.eye(3), [-1], "landmarks must be numbers of rows of X, from 0 to 2"),
        (np.eye(3), np.array([], dtype=int), "landmarks must be numbers of rows of X"),
        (np.eye(3), [[0.5]], "landmarks must be numbers of rows of X"),
        (np.eye(3), "kmeans", "landmarks must not be 'kmeans'"),
    ],
)
def test_a_precomputed_matrix_is_checked(K, landmarks, message):
    with pytest.raises(ValueError, match=message):
        e.Nystroem("precomputed", n_components=2, landmarks=landmarks).fit(K)


def test_copies_and_weights_say_the_same_to_the_normalised_kernels():
    weight = np.arange(len(X)) % 3 + 1
    repeated = np.repeat(np.arange(len(X)), weight)
    once = e.MKLClassifier(gamma=0.5, gap=1e-8).fit(X, LABELS, sample_weight=weight)
    copied = e.MKLClassifier(gamma=0.5, gap=1e-8).fit(X[repeated], LABELS[repeated])
    for ours, kernel in zip(once.kernels_, copied.kernels_, strict=True):
        assert ours.factor == pytest.approx(kernel.factor, rel=1e-12)
        assert ours.factor == pytest.approx(1 / kernel.kernel.diag(X[repeated]).mean(), rel=1e-12)
    np.testing.assert_allclose(once.weights_, copied.weights_, atol=1e-5)
