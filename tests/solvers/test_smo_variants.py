import pickle
import warnings

import numpy as np
import pytest
from sklearn.svm import SVR
from sklearn.svm import OneClassSVM as LibsvmOneClass

from kernellab.certificates import negative_eigenvalues, spectrum, svm_certificate
from kernellab.kernels import Gaussian, Linear
from kernellab.losses import epsilon_insensitive
from kernellab.solvers.sdca import sdca
from kernellab.solvers.smo import smo
from kernellab.solvers.smo.variants import smo_one_class, smo_regression
from kernellab.solving import CONVERGED, NotConverged, solve

X = np.random.default_rng(1).normal(size=(40, 2))
Y = np.sin(2 * X[:, 0]) + 3.0 + 0.1 * X[:, 1]
K = Gaussian(0.5)(X)


@pytest.mark.parametrize(
    ("C", "eps"), [(0.1, 0.0), (10.0, 0.0), (0.1, 0.2), (10.0, 0.2), (1e4, 0.2)]
)
@pytest.mark.parametrize("bias", [True, False])
def test_regression_is_certified_from_scratch(C, bias, eps):
    result = solve(smo_regression(K, Y, C, eps=eps, bias=bias), gap=1e-7, max_passes=4000)
    loss = epsilon_insensitive(eps)
    proof = svm_certificate(K, Y, result.coef, C, loss=loss, bias=result.b if bias else None)
    assert result.status == CONVERGED
    assert proof.gap <= 1e-6
    assert proof.primal == pytest.approx(result.primal, rel=1e-6)
    np.testing.assert_allclose(proof.scores, result.scores, atol=1e-8 * C)


def test_regression_agrees_with_libsvm():
    weights = np.random.default_rng(2).uniform(0.5, 2, len(Y))
    theirs = SVR(gamma=0.5, C=3.0, tol=1e-9).fit(X, Y, sample_weight=weights)
    ours = solve(smo_regression(K, Y, 3.0 * weights, eps=0.1), gap=1e-11)
    np.testing.assert_allclose(ours.scores, theirs.predict(X), atol=1e-5)


def test_regression_without_a_bias_agrees_with_dual_ascent():
    ours = solve(smo_regression(K, Y, 2.0, eps=0.1, bias=False), gap=1e-10)
    loss = epsilon_insensitive(0.1)
    taught = solve(sdca(K, Y, 2.0, loss=loss), gap=1e-10, max_passes=100_000)
    np.testing.assert_allclose(ours.scores, taught.scores, atol=1e-4)


@pytest.mark.parametrize("nu", [0.05, 0.31, 1.0])
def test_one_class_is_the_hinge_with_all_labels_positive(nu):
    result = solve(smo_one_class(K, nu), gap=1e-9)
    assert result.alpha.sum() == pytest.approx(nu * len(K))
    assert result.alpha.min() >= 0 and result.alpha.max() <= 1
    proof = svm_certificate(K, np.ones(len(K)), result.alpha / result.rho, 1 / result.rho)
    assert proof.gap <= 1e-6
    other = solve(smo(K, np.ones(len(K)), 1 / result.rho, bias=False, gap=1e-9), gap=1e-9)
    np.testing.assert_allclose(other.scores, proof.scores, atol=1e-4)


def test_one_class_agrees_with_libsvm_and_a_weight_of_two_with_two_copies():
    ours = solve(smo_one_class(K, 0.3), gap=1e-11)
    theirs = LibsvmOneClass(gamma=0.5, nu=0.3, tol=1e-10).fit(X)
    np.testing.assert_allclose(ours.scores, theirs.decision_function(X), atol=1e-6)
    twice = np.r_[0:40, 0:10]
    copies = solve(smo_one_class(K[np.ix_(twice, twice)], 0.3), gap=1e-11)
    weights = np.where(np.arange(40) < 10, 2.0, 1.0)
    weighted = solve(smo_one_class(K, 0.3, weights=weights), gap=1e-11)
    np.testing.assert_allclose(copies.scores[:40], weighted.scores, atol=1e-5)


def test_one_class_around_the_origin_has_an_optimum_of_zero():
    points = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]])
    result = solve(smo_one_class(Linear()(points), 1.0), gap=1e-3)
    assert (result.status, result.rho, result.primal) == (CONVERGED, 0.0, 0.0)
    many = np.random.default_rng(0).normal(size=(60, 3))
    result = solve(smo_one_class(Linear()(many), 0.8), gap=1e-3)
    assert result.status == CONVERGED
    assert abs(result.rho) < 1e-2


@pytest.mark.parametrize("bias", [True, False])
def test_a_constant_within_eps_of_all_targets_is_perfect(bias):
    middle = 1.1 if bias else 0.0
    targets = middle + np.array([0.1, -0.1, 0.1, 0.0, -0.1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = solve(smo_regression(K[:5, :5], targets, 1e3, eps=0.1, bias=bias))
    assert (result.status, result.gap) == (CONVERGED, 0.0)
    np.testing.assert_allclose(result.scores, middle, atol=1e-12)
    with warnings.catch_warnings():  # one target further away, and it is a problem again
        warnings.simplefilter("error")
        targets[3] += 1.0
        again = solve(smo_regression(K[:5, :5], targets, 1e3, eps=0.1, bias=bias), gap=1e-6)
    assert again.primal > 0.1


def test_what_is_no_gram_matrix_is_not_certified():
    wrong = K.copy()
    used = np.flatnonzero(solve(smo_regression(K, Y, 1.0)).coef)
    wrong[used[0], used[1]] += 0.3
    with pytest.raises(ValueError, match="K must be symmetric"):
        solve(smo_regression(wrong, Y, 1.0), gap=1e-6)
    used = np.flatnonzero(solve(smo_one_class(K, 0.3)).alpha)
    wrong = K.copy()
    wrong[used[-1], used[-2]] += 0.3
    with pytest.raises(ValueError, match="K must be symmetric"):
        solve(smo_one_class(wrong, 0.3), gap=1e-6)
    for states in (smo_regression(K - 0.2 * np.eye(40), Y, 1.0), smo_one_class(K - 0.2 * np.eye(40), 0.3)):  # fmt: skip  # noqa: E501
        with pytest.warns(NotConverged, match="not a kernel"):
            assert solve(states).status == "not a kernel"


def test_states_are_honest_and_can_be_pickled():
    with pytest.warns(NotConverged, match="stopped at the cap"):
        result = solve(smo_regression(K, Y, 1e4, eps=0.0), gap=1e-12, max_passes=1)
    assert result.gap > 1e-12
    assert pickle.loads(pickle.dumps(result.state)).gap == result.gap
    with pytest.raises(AttributeError):
        _ = result.state.unheard_of


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: smo_regression(K, Y, 1.0, eps=-1.0), "eps must not be negative, got -1.0"),
        (lambda: smo_regression(K, Y, 0.0), "C must be a positive number"),
        (lambda: smo_one_class(K, 0.0), "nu must be above 0"),
        (lambda: smo_one_class(K, 1.5), "nu must be above 0 and at most 1, got 1.5"),
        (lambda: smo_one_class(K, 0.5, weights=np.zeros(40)), "weights must be positive"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_negative_eigenvalues_are_those_of_the_spectrum():
    rng = np.random.default_rng(0)
    seen = set()
    for n in (1, 2, 7, 30):
        for _ in range(10):
            A = rng.normal(size=(n, n + 1))
            S = A @ A.T - rng.choice([0.0, 1.0, 10.0]) * np.eye(n)
            S = (S + S.T) / 2
            values = spectrum(S)
            found = negative_eigenvalues(S)
            seen.add(found is None)
            if values[-1] >= -1e-12 * abs(values).max():
                assert found is None
            else:
                np.testing.assert_allclose(found, (values[-1], values[0]), rtol=1e-9)
    assert seen == {True, False}
    assert negative_eigenvalues(np.zeros((3, 3))) is None


def test_distances_are_negative_but_for_the_mean():
    D = -np.square(X[:, np.newaxis] - X).sum(axis=2)
    assert negative_eigenvalues(D) is not None
    assert negative_eigenvalues(D, centred=True) is None
    assert negative_eigenvalues(-D, centred=True) is not None
