"""Each published mistake gives the wrong numbers that the lesson says, and its check catches it."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab.kernels import Gaussian, Laplacian, Linear
from kernellab.lessons.mistakes.wrong_pegasos import (
    MISTAKES,
    as_printed,
    batch_done_right,
    batch_in_a_row,
    chosen_before_the_test,
    chosen_on_the_test,
    counts_done_right,
    distance_not_squared,
    mean_of_signs,
    never_shrunk,
    printed_pass,
    share_of_right,
    with_late_factor,
)
from kernellab.lessons.pegasos.theory.free_bias import free_bias_pass
from kernellab.solvers.pegasos import kernel_pegasos, pegasos


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_the_check_tells_them_apart(mistake):
    assert mistake.check(mistake.right) == ""
    assert len(mistake.check(mistake.wrong)) > 10


def test_the_gallery_is_that_of_the_lesson():
    names = " / ".join(mistake.name for mistake in MISTAKES)
    for words in ("never rescaled", "y_i for y_j", "divided by k", "squared", "mean(sign", "1/λ,"):
        assert words in names
    assert len(MISTAKES) == 8


def problem(n=30, apart=1.0):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, 2)), np.repeat([-1.0, 1.0], n // 2)
    return X + apart * y[:, np.newaxis], y, rng.integers(0, n, 300)


def slowly(K, y, lam, order, late, own):
    """The printed pseudocode with plain loops, to compare with."""
    alpha = [0] * len(y)
    for t, i in enumerate(order, 1):
        total = 0.0
        for j in range(len(y)):
            total += alpha[j] * (y[i] if own else y[j]) * K[i, j]
        if y[i] / (lam * (t if late else max(t - 1, 1))) * total < 1:
            alpha[i] += 1
    return alpha


@pytest.mark.parametrize("late", [True, False])
@pytest.mark.parametrize("own", [True, False])
def test_the_printed_code_with_plain_loops(late, own):
    X, y, order = problem()
    K = Gaussian(0.5)(X)
    alpha = np.zeros(30)
    printed_pass(K, y, 0.02, alpha, order, 0, late, own)
    assert alpha.tolist() == slowly(K, y, 0.02, order, late, own)


def test_without_either_slip_it_is_kernel_pegasos():
    X, y, order = problem()
    K = Gaussian(0.5)(X)
    alpha = np.zeros(30)
    printed_pass(K, y, 0.02, alpha, order, 0, False, False)
    *_, state = kernel_pegasos(K, y, 0.02, orders=[order])
    np.testing.assert_array_equal(alpha, state.alpha)
    np.testing.assert_allclose(counts_done_right(K, y, 0.02, order), state.coef)


def test_a_late_factor_moves_a_few_violations():
    X, y, order = problem(apart=0.3)
    K, unit = Linear()(X), 0.02 * 300
    late = np.abs(with_late_factor(K, y, 0.02, order)) * unit
    right = np.abs(counts_done_right(K, y, 0.02, order)) * unit
    assert 0 < np.abs(late - right).sum() < 0.2 * right.sum()


def test_with_the_label_of_i_the_labels_drop_out():
    X, y, order = problem()
    K = Gaussian(0.5)(X)
    counts = np.abs(as_printed(K, y, 0.02, order))
    coin = np.random.default_rng(1).permutation(y)
    np.testing.assert_array_equal(counts, np.abs(as_printed(K, coin, 0.02, order)))
    right = np.abs(counts_done_right(K, y, 0.02, order))
    assert not np.allclose(right, np.abs(counts_done_right(K, coin, 0.02, order)))


def test_never_shrunk_keeps_its_first_violation_for_ever():
    X, y, order = problem()
    coef = never_shrunk(Linear()(X), y, 0.02, order)
    assert np.abs(coef).max() >= 1 / 0.02
    assert np.abs(counts_done_right(Linear()(X), y, 0.02, order)).max() < 0.5 / 0.02


def test_a_batch_in_a_row_of_one_is_right():
    X, y, order = problem()
    one = batch_in_a_row(X, y, 0.1, order, 1)
    np.testing.assert_allclose(one, batch_done_right(X, y, 0.1, order, 1))
    first, last = order[:4], order[3]
    alone = batch_in_a_row(X, y, 0.1, first, 4)  # at t = 1 all but the last is forgotten
    np.testing.assert_allclose(alone, y[last] / 0.1 * X[last])
    mean = (y[first, np.newaxis] * X[first]).mean(axis=0)
    np.testing.assert_allclose(batch_done_right(X, y, 0.1, first, 4), mean / 0.1)


def test_not_squared_it_is_the_laplacian():
    X, _, _ = problem()
    np.testing.assert_allclose(distance_not_squared(X, X, 0.7), Laplacian(0.7, norm="l2")(X, X))


@pytest.mark.parametrize(("said", "share"), [(0.905, 0.9525), (0.429, 0.7145)])
def test_mean_of_signs_is_right_minus_wrong(said, share):
    n = 2000
    y = np.ones(n)
    scores = np.where(np.arange(n) < share * n, 1.0, -1.0)
    assert mean_of_signs(scores, y) == pytest.approx(said)
    assert share_of_right(scores, y) == pytest.approx(share)


def test_choosing_on_the_test():
    wrong = np.array([[1, 0, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0]], dtype=float)
    assert chosen_on_the_test(wrong) == 0.5
    assert chosen_before_the_test(wrong) == 1.0  # the second is best on the first half


def test_the_more_models_are_chosen_from_the_lower_the_error_that_is_reported():
    rng = np.random.default_rng(5)
    guesses = rng.integers(0, 2, (300, 52, 200)).astype(float)
    said = [np.mean([chosen_on_the_test(g[:m]) for g in guesses]) for m in (1, 5, 20, 52)]
    assert said[0] == pytest.approx(0.5, abs=0.01)
    assert np.diff(said).max() < -0.01


def test_a_bias_that_is_never_shrunk():
    X, y, order = problem()
    w = np.zeros(2)
    b = free_bias_pass(X, y, 0.01, w, 0.0, order[:1], 0)
    assert b == y[order[0]] / 0.01  # the very first step
    w, b = np.zeros(2), 0.0
    for t, i in enumerate(order, 1):
        violation = y[i] * (X[i] @ w + b) < 1
        w = (1 - 1 / t) * w + violation * y[i] / (0.05 * t) * X[i]
        b = b + violation * y[i] / (0.05 * t)
    now = np.zeros(2)
    assert free_bias_pass(X, y, 0.05, now, 0.0, order, 0) == pytest.approx(b)
    np.testing.assert_allclose(now, w)


def test_the_primal_agrees_with_what_is_called_right():
    X, y, order = problem()
    *_, primal = pegasos(X, y, 0.05, orders=[order])
    np.testing.assert_allclose(counts_done_right(X @ X.T, y, 0.05, order) @ X, primal.w, atol=1e-9)
