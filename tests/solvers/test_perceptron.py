import copy
from itertools import islice

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kernellab.certificates import functional_margins, novikoff_bound
from kernellab.datasets import make_and, make_clouds, make_contradiction, make_xor
from kernellab.kernels import Gaussian, Polynomial
from kernellab.solvers.hard_margin import max_margin_through_origin
from kernellab.solvers.perceptron import (
    dual_perceptron,
    dual_perceptron_loop,
    homogeneous,
    kernel_perceptron,
    perceptron_loop,
    primal_perceptron,
    trace,
    weights_from_counts,
)
from kernellab.solving import NotConverged, solve


@st.composite
def integer_problems(draw):
    """Points with integer coordinates, so that every score is exact in either form."""
    n, d = draw(st.integers(2, 12)), draw(st.integers(1, 3))
    X = draw(arrays(np.int64, (n, d), elements=st.integers(-6, 6))).astype(float)
    y = draw(
        arrays(np.int64, n, elements=st.sampled_from([-1, 1])).filter(lambda y: len(set(y)) > 1)
    )
    return homogeneous(X), y.astype(float)


def steps_of(states, n_steps):
    return [(state.i, state.mistake) for state in islice(states, n_steps)]


def by_the_book(X, y, passes):
    """The textbook's loop, in exact Python integers: the mistakes, in order, and w."""
    w = [0] * X.shape[1]
    mistakes = []
    for _ in range(passes):
        for i in range(len(y)):
            if int(y[i]) * sum(a * int(b) for a, b in zip(w, X[i], strict=True)) <= 0:
                w = [a + int(y[i]) * int(b) for a, b in zip(w, X[i], strict=True)]
                mistakes.append(i)
    return mistakes, w


# --- primal and dual ------------------------------------------------------------------------------


@given(integer_problems(), st.none() | st.integers(0, 99), st.integers(0, 5))
@settings(max_examples=150)
def test_primal_and_dual_make_the_same_mistakes_in_the_same_order(problem, rng, margin):
    X, y = problem
    options = {"rng": rng, "margin": float(margin), "one_at_a_time": True}
    primal = steps_of(primal_perceptron(X, y, **options), 8 * len(y))
    dual = steps_of(dual_perceptron(X @ X.T, y, **options), 8 * len(y))
    assert primal == dual


@given(integer_problems())
@settings(max_examples=100)
def test_both_follow_the_textbook(problem):
    X, y = problem
    mistakes, w = by_the_book(X, y, passes=4)
    *_, primal = islice(primal_perceptron(X, y), 4)
    *_, dual = islice(dual_perceptron(X @ X.T, y), 4)
    np.testing.assert_array_equal(primal.w, w)
    np.testing.assert_array_equal(dual.alpha, np.bincount(mistakes, minlength=len(y)))
    assert primal.n_mistakes == dual.n_mistakes == len(mistakes)
    np.testing.assert_array_equal(perceptron_loop(X, y, passes=4), w)
    np.testing.assert_array_equal(dual_perceptron_loop(X @ X.T, y, passes=4), dual.alpha)


@given(integer_problems(), st.none() | st.integers(0, 99))
@settings(max_examples=60)
def test_one_at_a_time_is_the_same_pass(problem, rng):
    X, y = problem
    K, n = X @ X.T, len(y)
    whole = [copy.deepcopy(s) for s in islice(dual_perceptron(K, y, rng=rng), 4)]
    single = dual_perceptron(K, y, rng=rng, one_at_a_time=True)
    ends = [copy.deepcopy(s) for s in islice(single, 4 * n) if s.steps % n == 0]
    assert len(whole) == len(ends)
    for a, b in zip(whole, ends, strict=True):
        for name in ("passes", "steps", "n_mistakes", "gap", "status"):
            assert getattr(a, name) == getattr(b, name)
        np.testing.assert_array_equal(a.alpha, b.alpha)
        np.testing.assert_array_equal(a.scores, b.scores)


# --- by hand, and by others -----------------------------------------------------------------------


def test_and_by_hand():
    data = make_and((-1, 1))  # the first corner, (−1, −1, 1) with y = −1, already gives (1, 1, −1)
    result = solve(primal_perceptron(homogeneous(data.X), data.y))
    np.testing.assert_array_equal(result.w, [1, 1, -1])
    assert (result.n_mistakes, result.passes, result.status) == (1, 2, "converged")


def test_xor_by_hand_with_the_second_degree_kernel():
    for inputs, alpha in (((-1, 1), [1, 1, 1, 1]), ((0, 1), [7, 5, 5, 4])):
        data = make_xor(inputs)
        result = solve(kernel_perceptron(data.X, data.y, Polynomial(2, coef0=1.0)))
        np.testing.assert_array_equal(result.alpha, alpha)
        assert functional_margins(result.scores, data.y).min() > 0


# --- convergence, and the lack of it --------------------------------------------------------------


@given(integer_problems(), st.none() | st.integers(0, 99))
@settings(max_examples=150)
def test_mistakes_stay_below_novikoffs_bound(problem, rng):
    X, _ = problem
    y = np.where(X @ np.array([2, -3, 1, 5])[-X.shape[1] :] > 0, 1.0, -1.0)
    assume(len(set(y)) == 2)
    best, status = max_margin_through_origin(X, y)
    assume(status == "converged")
    states = primal_perceptron(X, y, rng=rng)
    bound = novikoff_bound(X, y, best)
    for _ in range(int(bound) + 2):  # a pass without a mistake is the last
        state = next(states)
        assert state.n_mistakes <= bound * (1 + 1e-9)
        if state.mistakes == 0:
            break
    assert state.status == "converged"
    assert functional_margins(X @ state.w, y).min() > 0
    assert next(states, None) is None


def test_what_is_not_separable_is_said_to_be():
    xor, twins = make_xor(), make_contradiction()
    for K, y in (
        (homogeneous(xor.X) @ homogeneous(xor.X).T, xor.y),
        (Gaussian(1.0)(twins.X), twins.y),  # no kernel helps
    ):
        with pytest.warns(NotConverged, match="stopped at the cap after 50 passes"):
            result = solve(dual_perceptron(K, y), max_passes=50)
        assert result.status == "stopped at the cap"
        assert result.mistakes >= 1
        assert {gap for _, gap in result.history} == {np.inf}


def test_the_mistakes_of_the_latest_pass_are_counted():
    data = make_clouds(25, separation=2.0, rng=1)
    X = homogeneous(data.X)
    seen, before = [], None
    for state in islice(primal_perceptron(X, data.y, one_at_a_time=True), 100):
        seen.append(state.mistake)
        if state.steps % 25 == 0:
            assert state.mistakes == sum(seen[-25:])
        else:
            assert state.mistakes == before
        before = state.mistakes


# --- options --------------------------------------------------------------------------------------


def test_with_a_margin_every_score_ends_beyond_it():
    data = make_and()
    X = homogeneous(data.X)
    result = solve(dual_perceptron(X @ X.T, data.y, margin=4.0))
    assert (data.y * result.scores).min() > 4.0
    assert (data.y * solve(dual_perceptron(X @ X.T, data.y)).scores).min() <= 4.0


def test_a_fresh_order_every_pass():
    data = make_xor()
    X = homogeneous(data.X)
    steps = [s.i for s in islice(primal_perceptron(X, data.y, rng=0, one_at_a_time=True), 40)]
    orders = np.reshape(steps, (10, 4))
    np.testing.assert_array_equal(np.sort(orders), np.tile(np.arange(4), (10, 1)))
    assert len(np.unique(orders, axis=0)) > 1


def test_given_orders_are_taken_if_they_visit_every_example():
    data = make_xor()
    states = primal_perceptron(homogeneous(data.X), data.y, orders=[[3, 1, 0, 2, 1], [1, 0, 2]])
    assert next(states).steps == 5
    with pytest.raises(ValueError, match="orders must visit every example, got one without 3"):
        next(states)


# --- the trace ------------------------------------------------------------------------------------


@given(integer_problems())
@settings(max_examples=60)
def test_the_trace_is_the_run(problem):
    X, y = problem
    run = trace(X @ X.T, y, max_passes=6)
    states = primal_perceptron(X, y, one_at_a_time=True)
    t = 0
    for t, state in enumerate(islice(states, 6 * len(y)), start=1):
        assert (run.order[t - 1], run.mistake[t - 1]) == (state.i, state.mistake)
        np.testing.assert_array_equal(weights_from_counts(X, y, run.alpha(t)), state.w)
    assert len(run.order) == len(run.mistake) == t
    assert run.status == ("converged" if state.gap == 0 else "stopped at the cap")


# --- bad input ------------------------------------------------------------------------------------

X2, Y2 = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([-1.0, 1.0])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: primal_perceptron([[np.nan, 1], [1, 0]], Y2), ["X", "nan"]),
        (lambda: primal_perceptron(X2, [1, 1]), ["y", "1"]),
        (lambda: primal_perceptron(X2, Y2, margin=-1), ["margin", "-1"]),
        (lambda: primal_perceptron(X2, Y2, rng=0.5), ["rng", "0.5"]),
        (lambda: dual_perceptron(np.ones((2, 3)), Y2), ["K", "(2, 3)"]),
        (lambda: dual_perceptron([[1, 2], [3, 1]], Y2), ["K", "symmetric"]),
        (lambda: dual_perceptron(np.eye(3), Y2), ["y", "3"]),
        (lambda: kernel_perceptron(X2, Y2, "cubic"), ["kernel", "cubic"]),
        (lambda: trace(np.eye(2), Y2, max_passes=0), ["max_passes", "0"]),
        (lambda: trace(np.eye(2), [1, 1]), ["y", "1"]),
        (lambda: homogeneous([[np.inf]]), ["X", "inf"]),
        (lambda: weights_from_counts(X2, Y2, [1.0]), ["alpha", "(1,)"]),
    ],
)
def test_bad_input_is_named_before_the_first_step(call, words):
    with pytest.raises(ValueError) as error:
        call()
    for word in words:
        assert word in str(error.value)
