"""Certificates of kernel machines: by-hand problems, scikit-learn's solutions, weak duality."""

import numpy as np
import pytest
import sklearn.svm
from dual_losses import ALL, every
from hypothesis import given, settings
from hypothesis import strategies as st

from kernellab.certificates import gap_terms, nu, relative_gap, svm_certificate
from kernellab.losses import absolute, epsilon_insensitive, logistic


def clouds(n=40, seed=0, gamma=0.7):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = np.where(X[:, 0] + 0.7 * rng.normal(size=n) > 0, 1.0, -1.0)
    distances = ((X[:, None] - X) ** 2).sum(axis=-1)
    return X, y, np.exp(-gamma * distances)


def in_the_box(loss, share, C):
    """Map numbers from 0 to 1 to dual variables that the loss allows."""
    _, _, lowest, highest = loss.dual
    low, high = max(lowest, -2), min(highest, 2)
    return C * (low + share * (high - low))


# --- by hand --------------------------------------------------------------------------------------


def test_three_points_by_hand():
    K = [[5, 3, -5], [3, 5, -3], [-5, -3, 5]]  # of (1, 2), (-1, 2), (-1, -2)
    found = svm_certificate(K, [-1, -1, 1], [0, 1 / 8, 1 / 8], 10.0, bias=0.0)
    assert found.primal == found.dual == 1 / 8
    assert found.gap == found.kkt == 0
    assert found.squared_norm == 1 / 4  # w = (0, -1/2)
    assert found.scores.tolist() == [-1, -1, 1]
    assert found.margins.tolist() == [1, 1, 1]
    assert found.residuals.tolist() == [0, 0, 0]


def test_regression_by_hand():
    found = svm_certificate([[2.0]], [3.0], [1.0], 1.0, loss=epsilon_insensitive(0.5))
    assert (found.scores, found.margins, found.residuals) == (2, 2, 1)
    assert found.primal == 1 + 0.5
    assert found.dual == 3 - 0.5 - 1
    assert found.gap == found.kkt == 0
    biased = svm_certificate(np.eye(2), [1.0, 3.0], [0, 0], 1.0, loss=absolute, bias=2.0)
    assert (biased.primal, biased.dual, biased.kkt) == (2, 0, 1)


@pytest.mark.parametrize(
    ("primal", "dual", "gap"),
    [
        *[(2, 1, 0.5), (1, -1, 2), (0, 0, 0), (-1, -2, 0.5), (1, -np.inf, np.inf), (1, 1, 0)],
        *[(np.inf, -np.inf, np.inf), (np.inf, np.inf, np.inf)],
        *[(np.nan, 1, np.nan), (np.inf, np.nan, np.nan)],
    ],
)
def test_relative_gaps(primal, dual, gap):
    np.testing.assert_equal(relative_gap(primal, dual), gap)


# --- against other solvers ------------------------------------------------------------------------


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("weights", [None, {-1: 3.0, 1: 0.5}])
def test_the_answer_of_libsvm_is_certified(C, weights):
    X, y, K = clouds()
    svc = sklearn.svm.SVC(C=C, gamma=0.7, tol=1e-8, class_weight=weights).fit(X, y)
    alpha = np.zeros(len(y))
    alpha[svc.support_] = np.abs(svc.dual_coef_[0])
    costs = C if weights is None else C * np.where(y > 0, weights[1], weights[-1])
    found = svm_certificate(K, y, np.minimum(alpha, costs), costs, bias=svc.intercept_[0])
    assert -1e-12 <= found.gap <= 3e-5  # LIBSVM rounds its kernel values to float32
    assert found.kkt <= 1e-5
    np.testing.assert_allclose(found.scores, svc.decision_function(X), atol=1e-6)
    # The same α with another bias is not optimal, and neither is half of it.
    assert svm_certificate(K, y, alpha / 2, costs, bias=svc.intercept_[0]).gap > 1e-3
    assert svm_certificate(K, y, alpha, costs, bias=svc.intercept_[0] + 0.3).kkt > 0.1


@pytest.mark.parametrize("C", [0.05, 1.0, 20.0])
def test_nu_lies_between_margin_errors_and_support_vectors(C):
    X, y, _ = clouds(n=80)
    svc = sklearn.svm.SVC(C=C, gamma=0.7, tol=1e-8).fit(X, y)
    slack = np.maximum(0, 1 - y * svc.decision_function(X))
    alpha = np.zeros(len(y))
    alpha[svc.support_] = np.abs(svc.dual_coef_[0])
    assert np.mean(slack > 1e-6) <= nu(alpha, C) <= len(svc.support_) / len(y)


# --- properties -----------------------------------------------------------------------------------


@st.composite
def problems(draw, loss):
    """A small problem with a random α in its box, and costs of its own for every point."""
    n = draw(st.integers(1, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    features = rng.normal(size=(n, draw(st.integers(1, 4))))
    y = rng.normal(size=n) if loss.signed else rng.choice([-1.0, 1.0], size=n)
    C = 10 ** rng.uniform(-2, 2, size=n)
    share = rng.uniform(-0.3, 1.3, size=n).clip(0, 1)  # bounds are what goes wrong
    return features @ features.T, y, in_the_box(loss, share, C), C


@every(ALL)
@given(data=st.data())
@settings(max_examples=40)
def test_the_gap_is_a_sum_of_terms_that_are_never_negative(loss, data):
    K, y, alpha, C = data.draw(problems(loss))
    found = svm_certificate(K, y, alpha, C, loss=loss)
    terms = gap_terms(found.scores, y, alpha, C, loss=loss)
    scale = 1 + abs(found.primal) + abs(found.dual)
    assert terms.min() >= 0
    assert terms.sum() == pytest.approx(found.primal - found.dual, abs=1e-10 * scale)


@every(ALL)
@given(data=st.data())
@settings(max_examples=40)
def test_every_dual_value_is_below_every_primal_value(loss, data):
    K, y, alpha, C = data.draw(problems(loss))
    dual = svm_certificate(K, y, alpha, C, loss=loss).dual
    rng = np.random.default_rng(1)
    for scale in (0.0, 0.1, 1.0):
        # The primal takes any weights; put them on other signs and sizes than α has.
        coef = scale * rng.normal(size=len(y))
        f = K @ coef
        r = y - f if loss.signed else 1 - y * f
        primal = coef @ f / 2 + C @ loss.of_residual(r)
        assert dual <= primal + 1e-9 * (1 + abs(primal) + abs(dual))


@every(ALL)
@given(data=st.data())
@settings(max_examples=40)
def test_a_term_is_zero_where_its_kkt_condition_holds(loss, data):
    K, y, alpha, C = data.draw(problems(loss))
    found = svm_certificate(K, y, alpha, C, loss=loss)
    terms = gap_terms(found.scores, y, alpha, C, loss=loss)
    low, high = loss.optimal_residuals(alpha / C)
    violations = np.maximum(0, np.maximum(low - found.residuals, found.residuals - high))
    assert found.kkt == pytest.approx(violations.max(), abs=1e-13)
    for term, violation in zip(terms / C, violations, strict=True):
        assert (term < 1e-13) == (violation < 1e-13) or 1e-14 < violation < 1e-6


# --- what proves nothing --------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [[-0.1, 0.5], [0.5, 1.0000001]])
def test_alpha_outside_its_box_proves_nothing(alpha):
    found = svm_certificate(np.eye(2), [-1, 1], alpha, 1.0)
    assert (found.dual, found.gap, found.kkt) == (-np.inf, np.inf, np.inf)
    assert np.isfinite(found.primal)
    assert np.isinf(gap_terms(found.scores, [-1, 1], alpha, 1.0)).sum() == 1


def test_alpha_that_is_not_balanced_proves_nothing_about_the_problem_with_a_bias():
    alpha = [0.5, 0.75]
    assert np.isfinite(svm_certificate(np.eye(2), [-1, 1], alpha, 1.0).dual)
    found = svm_certificate(np.eye(2), [-1, 1], alpha, 1.0, bias=0.0)
    assert (found.dual, found.gap) == (-np.inf, np.inf)
    # Residuals all zero, and yet not optimal with a bias: it should be the bias that scores.
    found = svm_certificate(np.eye(2), [1, 1], [1.0, 1.0], 1.0, bias=0.0)
    assert found.residuals.tolist() == [0, 0]
    assert (found.kkt, found.gap) == (1, np.inf)
    rounded = svm_certificate(np.eye(2), [-1, 1], [1.0, 1.0 - 1e-15], 1.0, bias=0.0)
    assert rounded.gap <= 1e-12


@pytest.mark.rounding
def test_a_bound_that_is_met_but_for_rounding_is_met():
    alpha = np.array([1.0 - 1e-15, 1e-15])
    found = svm_certificate(0.01 * np.eye(2), [1, 1], [*alpha], 1.0, bias=None)
    assert found.kkt == pytest.approx(1)  # of the second point, whose α should be larger
    assert svm_certificate([[0.01]], [1], alpha[:1], 1.0).kkt == 0


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"K": [[1, 2], [0, 1]]}, "K must be symmetric"),
        ({"y": [0, 1]}, "y must hold labels"),
        ({"y": [1.5, np.inf], "loss": absolute}, "y must be finite"),
        ({"alpha": [1]}, r"alpha must have shape \(2,\)"),
        ({"C": 0}, "C must be a positive number, got 0"),
        ({"C": [1, 0]}, "C must be positive for every example, got 0"),
        ({"C": [1, 2, 3]}, r"C must have shape \(2,\)"),
        ({"loss": logistic}, "loss must be one of .* got logistic"),
        ({"bias": np.nan}, "bias must be a finite number"),
    ],
)
def test_bad_input_is_named(change, message):
    given = {"K": np.eye(2), "y": [-1, 1], "alpha": [0, 0], "C": 1.0} | change
    with pytest.raises(ValueError, match=f"^{message}"):
        svm_certificate(**given)
    if not {"K", "bias"} & set(change):
        given["scores"] = np.zeros(2)
        del given["K"]
        with pytest.raises(ValueError, match=f"^{message}"):
            gap_terms(**given)
