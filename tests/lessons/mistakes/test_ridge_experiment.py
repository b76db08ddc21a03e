"""The published experiment: its data, each mistake by its own definition, and its numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from kernellab.datasets.targets import GAMMAS, TEST_SEED, bowl, make_bowl
from kernellab.datasets.targets import LINEAR_LAMS as GRID
from kernellab.lessons.mistakes.ridge_experiment import (
    error_terms,
    mean_squared_error,
    ridge_errors,
)

TRAIN, TEST = make_bowl(), make_bowl(seed=TEST_SEED)


def by_hand(gamma, lam, *, not_squared=False, lam_by_index=False, column=False):
    """The experiment as one would write it without the package, at one λ."""
    (X, y), (Z, t) = TRAIN, TEST
    power = 1 if not_squared else 2
    K = np.exp(-gamma * cdist(X, X) ** power)
    coef = np.linalg.solve(K + lam * np.eye(100), y)
    k_test = np.exp(-gamma * cdist(Z, X) ** power) + lam_by_index * lam * np.eye(100)
    found = []
    for targets, k in ((y, K), (t, k_test)):
        predicted = k @ coef
        pairs = [
            (targets[j] - predicted[i]) ** 2
            for i in range(100)
            for j in range(100)
            if column or i == j
        ]
        found.append(sum(pairs) / len(pairs))
    return found


@pytest.mark.parametrize("not_squared", [False, True])
@pytest.mark.parametrize("lam_by_index", [False, True])
@pytest.mark.parametrize("column", [False, True])
def test_each_mistake_is_what_it_says(not_squared, lam_by_index, column):
    switches = {"not_squared": not_squared, "lam_by_index": lam_by_index, "column": column}
    errors = ridge_errors(TRAIN, TEST, 7.0, [0.05, 1.0], **switches)
    for k, lam in enumerate((0.05, 1.0)):
        np.testing.assert_allclose(
            [errors.train[k], errors.test[k]], by_hand(7.0, lam, **switches), atol=1e-10
        )


def test_the_numbers_of_the_course():
    t = TEST[1]
    errors = ridge_errors(TRAIN, TEST, 8.0, [0.01, 0.05, 1.0]).test
    np.testing.assert_allclose(errors, [0.0117, 0.0128, 0.0250], atol=5e-5)
    assert round(t.var(), 2) == 0.20
    for gamma in GAMMAS:
        assert (np.diff(ridge_errors(TRAIN, TEST, gamma, GRID).test) > 0).all()


def test_bowl_data():
    X, y = make_bowl(20_000, seed=1)
    noise = y - bowl(X)
    assert noise.std() == pytest.approx(0.1, rel=0.02)  # a standard deviation, not a variance
    assert X.min() >= 0
    assert X.max() <= 1
    np.testing.assert_array_equal(make_bowl(5)[1], make_bowl(5)[1])
    np.testing.assert_allclose(bowl([[3.0, 4.0]]), [25.0])
    exact = make_bowl(10, noise=0.0)
    np.testing.assert_allclose(exact[1], bowl(exact[0]))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: make_bowl(0), "n must be"),
        (lambda: make_bowl(noise=-1.0), "noise must not be negative, got -1"),
        (lambda: error_terms([1.0, 2.0], [[1.0], [2.0]]), r"predicted must have shape \(2,\)"),
        (lambda: ridge_errors(TRAIN, TEST, -1.0, GRID), "gamma must be a positive number"),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(ValueError, match=words):
        call()


vectors = st.lists(st.floats(-10, 10), min_size=4, max_size=4).map(np.array)


@given(vectors, vectors, st.permutations(range(4)))
def test_the_terms_add_up_and_broadcasting_forgets_the_last(y, predicted, order):
    terms = error_terms(y, predicted)
    column = predicted[:, np.newaxis]
    assert mean_squared_error(y, predicted) == pytest.approx(sum(terms), abs=1e-9)
    assert mean_squared_error(y, column) == pytest.approx(sum(terms[:3]), abs=1e-9)
    shuffled = mean_squared_error(y, column[list(order)])
    assert mean_squared_error(y, column) == pytest.approx(shuffled, abs=1e-9)
    assert mean_squared_error(y, column) >= y.var() - 1e-9  # what a constant reaches


def test_gamma_cannot_be_chosen_by_a_hundred_examples():
    squares = {
        g: (TEST[1] - ridge_errors(TRAIN, TEST, g, [0.05]).predicted[0]) ** 2 for g in GAMMAS
    }
    errors = [squares[g].mean() for g in GAMMAS if g >= 1]
    bars = [squares[g].std() / 10 for g in GAMMAS if g >= 1]
    assert np.ptp(errors) == pytest.approx(0.0006, abs=5e-5)
    np.testing.assert_allclose(bars, 0.0014, atol=5e-5)


def test_error_bars_of_the_lowest_test_errors():
    lams = 10.0 ** (np.arange(-24, 9) / 4)
    bars = []
    for gamma in GAMMAS:
        errors = (TEST[1] - ridge_errors(TRAIN, TEST, gamma, lams).predicted) ** 2
        bars.append(errors[errors.mean(axis=1).argmin()].std() / 10)
    np.testing.assert_allclose(bars, 0.0013, atol=1.5e-4)
