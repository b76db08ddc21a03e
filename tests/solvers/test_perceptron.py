import copy
from itertools import islice

import numpy as np
import pytest
import sklearn.linear_model
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kernellab.certificates import novikoff_bound, training_mistakes
from kernellab.datasets import (
    load_iris,
    make_and,
    make_clouds,
    make_contradiction,
    make_rings,
    make_xor,
)
from kernellab.kernels import Gaussian, Polynomial
from kernellab.solvers.hard_margin import max_margin_through_origin
from kernellab.solvers.perceptron import (
    dual_perceptron,
    dual_perceptron_loop,
    dual_perceptron_pass,
    homogeneous,
    kernel_perceptron,
    perceptron_loop,
    primal_perceptron,
    primal_perceptron_pass,
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
@settings(max_examples=150, deadline=None)
def test_primal_and_dual_make_the_same_mistakes_in_the_same_order(problem, rng, margin):
    X, y = problem
    options = {"rng": rng, "margin": float(margin), "one_at_a_time": True}
    primal = steps_of(primal_perceptron(X, y, **options), 8 * len(y))
    dual = steps_of(dual_perceptron(X @ X.T, y, **options), 8 * len(y))
    assert primal == dual


@given(integer_problems())
@settings(max_examples=100, deadline=None)
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


@given(integer_problems(), st.integers(0, 99))
@settings(max_examples=100, deadline=None)
def test_counts_scores_and_weights_belong_together(problem, rng):
    X, y = problem
    *_, dual = islice(dual_perceptron(X @ X.T, y, rng=rng), 5)
    *_, primal = islice(primal_perceptron(X, y, rng=rng), 5)
    np.testing.assert_array_equal(weights_from_counts(X, y, dual.alpha), primal.w)
    np.testing.assert_array_equal(dual.scores, X @ primal.w)
    assert dual.alpha.sum() == dual.n_mistakes


@given(integer_problems(), st.none() | st.integers(0, 99))
@settings(max_examples=60, deadline=None)
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


def test_compiled_and_plain_passes_agree():
    data = make_clouds(40, rng=2)
    X = homogeneous(data.X)
    order = np.random.default_rng(0).permutation(40)
    for run, first, size in (
        (primal_perceptron_pass, X, [3]),
        (dual_perceptron_pass, X @ X.T, [40, 40]),
    ):
        fast, plain = ([np.zeros(k) for k in size] for _ in range(2))
        assert run(first, data.y, *fast, order) == run.py_func(first, data.y, *plain, order) > 0
        np.testing.assert_allclose(fast, plain, rtol=1e-12)


# --- by hand, and by others -----------------------------------------------------------------------


def test_the_first_example_is_always_a_mistake_from_zero():
    data = make_clouds(30, rng=0)
    for rng in (None, 1, 2):
        first = next(primal_perceptron(data.X, data.y, rng=rng, one_at_a_time=True))
        assert (first.mistake, first.steps, first.n_mistakes) == (True, 1, 1)
        np.testing.assert_array_equal(first.w, data.y[first.i] * data.X[first.i])


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
        assert training_mistakes(result.scores, data.y) == 0


def test_a_kernel_is_a_dot_product_of_explicit_features():
    data = make_rings(60, rng=3, noise=0.1)
    x, z = data.X.T
    r = np.sqrt(2)
    features = np.column_stack([x * x, z * z, r * x * z, r * x, r * z, np.ones(60)])
    options = {"one_at_a_time": True, "rng": 0}
    explicit = steps_of(primal_perceptron(features, data.y, **options), 600)
    implicit = steps_of(kernel_perceptron(data.X, data.y, Polynomial(2), **options), 600)
    assert explicit == implicit
    assert 1 < sum(mistake for _, mistake in explicit) < 600


@pytest.mark.parametrize("passes", [1, 3, 10])
def test_scikit_learns_perceptron_takes_the_same_steps(passes):
    data = make_clouds(80, separation=2.0, rng=8)  # they overlap, so it never stops by itself
    X = homogeneous(data.X)
    *_, ours = islice(primal_perceptron(X, data.y), passes)
    theirs = sklearn.linear_model.Perceptron(
        fit_intercept=False, shuffle=False, max_iter=passes, tol=None
    ).fit(X, data.y)
    assert ours.passes == passes
    np.testing.assert_allclose(ours.w, theirs.coef_[0], rtol=1e-9)


# --- convergence, and the lack of it --------------------------------------------------------------


@given(integer_problems(), st.none() | st.integers(0, 99))
@settings(max_examples=150, deadline=None)
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
    assert training_mistakes(X @ state.w, y) == 0
    assert next(states, None) is None


def test_mixing_plain_and_homogeneous_coordinates_breaks_the_bound():
    X, y = np.array([[3.0, 2.0], [3.0, 3.0], [2.0, 3.0]]), np.array([-1.0, 1.0, -1.0])
    H = homogeneous(X)
    mistakes = solve(primal_perceptron(H, y)).n_mistakes
    best, _ = max_margin_through_origin(H, y)
    plain_half_margin = np.sqrt(1 / 8)  # half the distance from (3, 3) to x₁ + x₂ = 5
    mixed = (H**2).sum(axis=1).max() / plain_half_margin**2
    assert mixed == pytest.approx(152)
    assert mixed < mistakes < novikoff_bound(H, y, best)


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


def test_iris():
    two = load_iris(("setosa", "versicolor"))
    X = homogeneous(two.X)
    result = solve(primal_perceptron(X, two.y))
    best, _ = max_margin_through_origin(X, two.y)
    assert result.n_mistakes <= novikoff_bound(X, two.y, best)
    assert training_mistakes(X @ result.w, two.y) == 0

    hard = load_iris(("versicolor", "virginica"))
    X = homogeneous(hard.X)
    assert max_margin_through_origin(X, hard.y) == (None, "not separable")
    with pytest.warns(NotConverged):
        assert solve(primal_perceptron(X, hard.y), max_passes=200).mistakes > 0


def test_one_mistake_among_many_examples_is_not_convergence():
    X = np.ones((5000, 1))
    y = np.ones(5000)
    y[-1] = -1
    with pytest.warns(NotConverged):
        assert not solve(primal_perceptron(X, y), max_passes=3).converged


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


def test_a_start_is_used_and_left_alone():
    data = make_clouds(40, separation=8.0, rng=0)
    X = homogeneous(data.X)
    primal = solve(primal_perceptron(X, data.y))
    dual = solve(dual_perceptron(X @ X.T, data.y))
    w, alpha = primal.w.copy(), dual.alpha.copy()
    warm_primal = next(primal_perceptron(X, data.y, start=w))
    warm_dual = next(dual_perceptron(X @ X.T, data.y, start=alpha))
    assert warm_primal.gap == warm_dual.gap == 0
    np.testing.assert_allclose(warm_dual.scores, dual.scores, atol=1e-9)
    start = np.zeros(3)
    next(primal_perceptron(X, data.y, start=start))
    np.testing.assert_array_equal(start, 0)


def test_a_fresh_order_every_pass():
    data = make_xor()
    X = homogeneous(data.X)
    steps = [s.i for s in islice(primal_perceptron(X, data.y, rng=0, one_at_a_time=True), 40)]
    orders = np.reshape(steps, (10, 4))
    np.testing.assert_array_equal(np.sort(orders), np.tile(np.arange(4), (10, 1)))
    assert len(np.unique(orders, axis=0)) > 1


# --- the trace ------------------------------------------------------------------------------------


@given(integer_problems(), st.none() | st.integers(0, 99), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_the_trace_is_the_run(problem, rng, margin):
    X, y = problem
    run = trace(X @ X.T, y, max_passes=6, rng=rng, margin=float(margin))
    states = primal_perceptron(X, y, rng=rng, margin=float(margin), one_at_a_time=True)
    t = 0
    for t, state in enumerate(islice(states, 6 * len(y)), start=1):
        assert (run.order[t - 1], run.mistake[t - 1]) == (state.i, state.mistake)
        np.testing.assert_array_equal(weights_from_counts(X, y, run.alpha(t)), state.w)
    assert len(run.order) == len(run.mistake) == t
    assert run.status == ("converged" if state.gap == 0 else "stopped at the cap")


def test_a_trace_stops_with_the_first_clean_pass_or_at_the_cap():
    xor, both = make_xor(), make_and()
    capped = trace(homogeneous(xor.X) @ homogeneous(xor.X).T, xor.y, max_passes=7)
    assert (capped.status, len(capped.order)) == ("stopped at the cap", 28)
    done = trace(homogeneous(both.X) @ homogeneous(both.X).T, both.y, max_passes=7)
    assert (done.status, len(done.order)) == ("converged", 8)
    np.testing.assert_array_equal(done.alpha(0), [0, 0, 0, 0])
    np.testing.assert_array_equal(done.alpha(8), [1, 0, 0, 0])


# --- bad input ------------------------------------------------------------------------------------

X2, Y2 = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([-1.0, 1.0])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: primal_perceptron([[np.nan, 1], [1, 0]], Y2), ["X", "nan"]),
        (lambda: primal_perceptron([1.0, 2.0], Y2), ["X", "(2,)"]),
        (lambda: primal_perceptron(X2, [1, 1]), ["y", "1"]),
        (lambda: primal_perceptron(X2, [0, 1]), ["y", "-1 and +1"]),
        (lambda: primal_perceptron(X2, [1, -1, 1]), ["y", "3", "2"]),
        (lambda: primal_perceptron(X2, Y2, start=[1.0]), ["start", "(1,)"]),
        (lambda: primal_perceptron(X2, Y2, start=[1.0, np.inf]), ["start", "inf"]),
        (lambda: primal_perceptron(X2, Y2, margin=-1), ["margin", "-1"]),
        (lambda: primal_perceptron(X2, Y2, margin=np.nan), ["margin", "nan"]),
        (lambda: primal_perceptron(X2, Y2, rng=0.5), ["rng", "0.5"]),
        (lambda: dual_perceptron(np.ones((2, 3)), Y2), ["K", "(2, 3)"]),
        (lambda: dual_perceptron([[1, 2], [3, 1]], Y2), ["K", "symmetric"]),
        (lambda: dual_perceptron([[1, np.inf], [np.inf, 1]], Y2), ["K", "inf"]),
        (lambda: dual_perceptron(np.eye(3), Y2), ["y", "3"]),
        (lambda: dual_perceptron(np.eye(2), Y2, start=[-1, 0]), ["start", "-1"]),
        (lambda: kernel_perceptron(X2, Y2, "cubic"), ["kernel", "cubic"]),
        (lambda: trace(np.eye(2), Y2, max_passes=0), ["max_passes", "0"]),
        (lambda: trace(np.eye(2), [1, 1]), ["y", "1"]),
        (lambda: homogeneous([[np.inf]]), ["X", "inf"]),
        (lambda: weights_from_counts(X2, Y2, [1.0]), ["alpha", "(1,)"]),
        (lambda: weights_from_counts(X2, Y2, [1.0, np.nan]), ["alpha", "nan"]),
    ],
)
def test_bad_input_is_named_before_the_first_step(call, words):
    with pytest.raises(ValueError) as error:
        call()
    for word in words:
        assert word in str(error.value)
