import warnings
from itertools import islice

import numpy as np
import pytest

from kernellab.certificates import negative_eigenvalues, svm_certificate
from kernellab.compiled import USING_NUMBA
from kernellab.kernels import Gaussian, Linear, Polynomial
from kernellab.solvers.smo import loops as smo_loops
from kernellab.solvers.smo import smo, smo_step
from kernellab.solvers.smo.loops import Arrays
from kernellab.solvers.smo.rows import Rows
from kernellab.solving import NotConverged, solve


def clouds(n=40, seed=0, d=2, distance=1.5):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    return rng.normal(size=(n, d)) + distance * (y > 0)[:, np.newaxis] / np.sqrt(d), y


def run(K, y, C, *, gap=1e-6, max_passes=20_000, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return solve(smo(K, y, C, gap=gap, **options), gap=gap, max_passes=max_passes)


def certificate(K, y, result, C, bias):
    return svm_certificate(K, y, result.alpha, C, bias=result.b if bias else None)


def by_quadratic_programming(K, y, C, bias):
    """The dual optimum, by an active-set solver; a little ridge makes its Hessian definite."""
    daqp = pytest.importorskip("daqp")
    n = len(y)
    Q = C * np.outer(y, y) * K  # in units of C
    A = y[np.newaxis].copy() if bias else np.zeros((0, n))
    upper = np.append(np.ones(n), [0.0] * bias)
    sense = np.append(np.zeros(n), [5] * bias).astype(np.intc)  # 5 is an equation
    ridge = 1e-9 * np.diag(1 + np.arange(n) / n)  # uneven, so that no two examples tie
    a, _, flag, _ = daqp.solve(Q + ridge, -np.ones(n), A, upper, np.zeros(n + bias), sense)
    assert flag == 1
    return C * (a.sum() - a @ Q @ a / 2)


PROBLEMS = {
    "linear": (lambda: clouds(), Linear()),
    "overlap": (lambda: clouds(60, 3, distance=0.3), Gaussian(2.0)),
    "narrow": (lambda: clouds(30, 4), Gaussian(100.0)),
    "cubic": (lambda: clouds(50, 5, d=4), Polynomial(3)),
}


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("C", [1e-3, 1.0, 100.0])
@pytest.mark.parametrize("name", PROBLEMS)
def test_it_agrees_with_a_quadratic_program(name, C, bias):
    make, kernel = PROBLEMS[name]
    X, y = make()
    K = kernel(X)
    result = run(K, y, C, bias=bias)
    proof = certificate(K, y, result, C, bias)
    assert proof.gap <= 1.001e-6
    assert proof.gap == pytest.approx(result.gap, rel=1e-4, abs=1e-12)
    assert proof.dual == pytest.approx(result.dual, rel=1e-9)
    optimum = by_quadratic_programming(K, y, C, bias)
    assert proof.dual <= optimum * (1 + 1e-7)
    assert proof.primal >= optimum * (1 - 1e-7)
    np.testing.assert_allclose(result.scores, proof.scores, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("bias", [True, False])
def test_a_gap_that_is_claimed_is_there(bias):
    # Unscaled features and a large C: rounding adds up in residuals that are only kept up to date.
    converged = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X, y = 10 * rng.normal(size=(15, 4)), y_of(15)
        K, C = Polynomial(3)(X), 10.0 ** rng.integers(-2, 3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotConverged)
            result = solve(smo(K, y, C, bias=bias, gap=1e-6), gap=1e-6, max_passes=100)
        converged += result.converged
        assert not result.converged or certificate(K, y, result, C, bias).gap <= 1.01e-6
    assert converged > 15


# --- the bias -------------------------------------------------------------------------------------


def test_where_no_alpha_is_free_b_is_the_middle_of_its_interval():
    # Two far points at C = 0.01: both α = C, w = C (x1 − x2) = 0.04, and 1 − y f > 0 for all b with
    # w·x + b between −1 and 1 at the two points: 1 − 0.08 ≥ ±b, so b is in [−0.92, 0.92].
    X, y = np.array([[2.0], [-2.0]]), np.array([1.0, -1.0])
    result = run(Linear()(X), y, 0.01)
    np.testing.assert_allclose(result.alpha, 0.01)
    assert result.b == pytest.approx(0.0, abs=1e-12)
    # Shifted by 10 the scores must not change, so b moves by −w·10.
    result = run(Linear()(X + 10), y, 0.01)
    assert result.b == pytest.approx(-0.4, abs=1e-12)
    # Unequal C: α = (0.02, 0.01, 0.01), f0 = w x with w = 0.06; b lies between the residuals
    # y − f0 of those that may rise, −1 + 0.12 and −1 + 0.06, and that may fall, 1 − 0.12.
    X, y = np.array([[2.0], [-2.0], [-1.0]]), np.array([1.0, -1.0, -1.0])
    result = run(Linear()(X), y, np.array([0.02, 0.01, 0.01]))
    w = 0.04 + 0.02 + 0.01
    assert result.b == pytest.approx((1 - 2 * w + (-1 + 2 * w)) / 2, abs=1e-12)


# --- metamorphic ----------------------------------------------------------------------------------


@pytest.mark.parametrize("bias", [True, False])
def test_labels_flipped_order_changed_units_changed(bias):
    X, y = clouds(40, 8)
    K = Gaussian(1.0)(X)
    result = run(K, y, 10.0, bias=bias, gap=1e-11)
    flipped = run(K, -y, 10.0, bias=bias, gap=1e-11)
    np.testing.assert_allclose(flipped.scores, -result.scores, atol=1e-4)
    order = np.random.default_rng(0).permutation(40)
    shuffled = run(K[np.ix_(order, order)], y[order], 10.0, bias=bias, gap=1e-11)
    np.testing.assert_allclose(shuffled.scores, result.scores[order], atol=1e-4)
    for unit in (1e-9, 1e9):  # K → unit K and C → C / unit: w / √unit, the same scores
        scaled = run(unit * K, y, 10.0 / unit, bias=bias, gap=1e-11)
        np.testing.assert_allclose(scaled.scores, result.scores, atol=1e-4)


@pytest.mark.parametrize("bias", [True, False])
def test_an_example_twice_is_an_example_with_twice_the_cost(bias):
    X, y = clouds(30, 9, distance=0.5)
    K = Gaussian(1.0)(X)
    twice = np.append(np.arange(30), [3, 4, 5])
    C = np.ones(30)
    C[[3, 4, 5]] = 2.0
    weighted = run(K, y, C, bias=bias, gap=1e-10)
    repeated = run(K[np.ix_(twice, twice)], y[twice], 1.0, bias=bias, gap=1e-10)
    assert weighted.dual == pytest.approx(repeated.dual, rel=1e-8)
    np.testing.assert_allclose(weighted.scores, repeated.scores[:30], atol=1e-3)
    assert (weighted.alpha <= C).all()


@pytest.mark.parametrize("bias", [True, False])
def test_the_dual_never_falls_and_the_gap_bounds_what_is_missing(bias):
    X, y = clouds(40, 10, distance=0.5)
    K = Gaussian(1.0)(X)
    optimum = run(K, y, 10.0, bias=bias, gap=1e-12).dual
    before = -np.inf
    for state in islice(smo(K, y, 10.0, bias=bias, one_at_a_time=True), 200):
        assert state.dual >= before - 1e-12 * optimum
        assert state.primal >= optimum * (1 - 1e-12)
        assert (state.primal - state.dual) >= (optimum - state.dual) * (1 - 1e-12)
        before = state.dual
    assert before > 0.9 * optimum


# --- warm starts ----------------------------------------------------------------------------------


def test_a_warm_start_keeps_the_balance_when_the_cost_falls():
    X, y = clouds(80, 12, distance=0.5)
    K = Gaussian(1.0)(X)
    alpha = None
    for C in (100.0, 31.6, 10.0, 1.0, 0.1, 1.0, 50.0):
        first = next(smo(K, y, C, start=alpha))
        assert abs(first.alpha @ y) <= 1e-12 * max(first.alpha.sum(), 1)
        assert (first.alpha <= C).all()
        result = run(K, y, C, start=alpha)
        cold = run(K, y, C)
        assert result.dual == pytest.approx(cold.dual, rel=2e-6)
        assert certificate(K, y, result, C, True).gap <= 1.001e-6
        alpha = result.alpha


def test_a_solution_is_recognised_at_once():
    X, y = clouds(60, 13)
    K = Gaussian(1.0)(X)
    for bias in (True, False):
        solved = run(K, y, 10.0, bias=bias)
        again = run(K, y, 10.0, bias=bias, start=solved.alpha)
        assert (again.passes, again.steps) == (0, 0)
        np.testing.assert_array_equal(again.alpha, solved.alpha)


# --- rows on demand, shrinking --------------------------------------------------------------------


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("slots", [2, 5, 300])
def test_rows_on_demand_give_the_same_answer(slots, bias):
    X, y = clouds(60, 15)
    kernel = Gaussian(0.5)
    rows = Rows(kernel, X, max_bytes=2 * slots * 60 * 8)
    result = run(rows, y, 10.0, bias=bias)
    assert certificate(kernel(X), y, result, 10.0, bias).gap <= 1.001e-6
    assert rows.stored.nbytes <= slots * 60 * 8
    if slots == 300:
        assert rows.n_evaluations < 60 * 60


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("C", [0.5, 100.0])
def test_shrinking_changes_nothing_but_the_time(C, bias, monkeypatch):
    monkeypatch.setattr("kernellab.solvers.smo.SHRINK_FROM", 2)
    X, y = clouds(400, 16, distance=2.0)
    kernel = Gaussian(0.5)
    K = kernel(X)
    plain = run(K, y, C, bias=bias, shrinking=False)
    shrunk = run(K, y, C, bias=bias)
    lazy = run(Rows(kernel, X, max_bytes=200 * 400 * 8), y, C, bias=bias)
    for result in (shrunk, lazy):
        assert result.dual == pytest.approx(plain.dual, rel=2e-6)
        assert certificate(K, y, result, C, bias).gap <= 1.001e-6
        proof = certificate(K, y, result, C, bias)
        np.testing.assert_allclose(result.scores, proof.scores, atol=1e-9 * C)


def test_shrinking_saves_kernel_evaluations(monkeypatch):
    monkeypatch.setattr("kernellab.solvers.smo.SHRINK_FROM", 2)
    X, y = clouds(300, 17)
    whole, part = (run(Gaussian(0.5)(X), y, 100.0, shrinking=s) for s in (False, True))
    per_step = [r.n_kernel_evaluations / r.steps for r in (whole, part)]
    assert per_step[1] < 0.8 * per_step[0]


# --- what breaks solvers --------------------------------------------------------------------------


def test_the_cap_is_honest():
    # The same point with both labels: α goes to C = 1e10 by steps of order 1.
    X, y = clouds(40, 19)
    X[1] = X[0]
    K = Gaussian(1.0)(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConverged)
        result = solve(smo(K, y, 1e10), max_passes=20)
    proof = certificate(K, y, result, 1e10, True)
    assert (result.status == "converged") == (proof.gap <= 1e-3)
    with pytest.warns(NotConverged, match="stopped at the cap"):
        hard = solve(smo(Linear()(clouds(200, 20, distance=0.2)[0]), y_of(200), 1e10), max_passes=5)
    assert hard.status == "stopped at the cap"
    assert hard.gap > 1e-3


def y_of(n):
    return np.where(np.arange(n) % 2, 1.0, -1.0)


@pytest.mark.rounding
@pytest.mark.parametrize("bias", [True, False])
def test_duplicates_with_opposite_labels(bias):
    X, y = clouds(40, 19)
    X[1] = X[0]
    K = Gaussian(1.0)(X)
    for C in (1.0, 1e4):
        result = run(K, y, C, bias=bias)
        assert certificate(K, y, result, C, bias).gap <= 1.001e-6
        assert max(result.alpha[:2]) == pytest.approx(C, rel=1e-6)


def test_a_kernel_of_zeros():
    y = np.array([1.0, -1.0, -1.0])
    without = run(np.zeros((3, 3)), y, 2.0, bias=False)
    np.testing.assert_array_equal(without.alpha, 2.0)
    with_bias = run(np.zeros((3, 3)), y, 2.0)
    assert (with_bias.dual, with_bias.b) == (4.0, -1.0)  # only b is left: predict the majority


def test_what_is_not_a_kernel_is_noticed_where_two_examples_show_it():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 3))
    K = -np.exp(-np.square(X[:, np.newaxis] - X).sum(axis=2))  # minus a kernel
    for bias in (True, False):
        with pytest.warns(NotConverged, match="not a kernel"):
            result = solve(smo(K, y_of(20), 1.0, bias=bias))
        assert result.status == "not a kernel"
    # −‖x − z‖² has negative eigenvalues too, but not where Σ α y = 0: legitimate with a bias.
    K = -np.square(X[:, np.newaxis] - X).sum(axis=2)
    assert run(K, y_of(20), 1.0).converged
    with pytest.warns(NotConverged, match="not a kernel"):
        solve(smo(K, y_of(20), 1.0, bias=False))


def test_inputs_are_left_alone():
    X, y = clouds(30, 22)
    K = Gaussian(1.0)(X)
    start = run(K, y, 1.0).alpha
    copies = K.copy(), y.copy(), start.copy()
    for array in (K, y, start):
        array.flags.writeable = False
    run(K, y, 0.5, start=start)
    run(np.asfortranarray(K), y.astype(int), 0.5)
    run(K.astype(np.float32), list(y), 0.5)
    for array, copy in zip((K, y, start), copies, strict=True):
        np.testing.assert_array_equal(array, copy)


K2 = np.eye(2)


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        ((K2, [1, 1], 1.0), {}, ["y", "only 1"]),
        ((K2, [1, -1], 0.0), {}, ["C", "0"]),
        ((K2, [1, -1], 1.0), {"start": [0.5, 0.0]}, ["start", "0.5"]),
        ((K2, [1, -1], 1.0), {"start": [0.5, -0.5]}, ["start", "-0.5", "coef * y"]),
        ((K2, [1, -1], 1.0), {"gap": -1}, ["gap", "-1"]),
        (([[1.0]], [1], 1.0), {"bias": False}, ["y", "two"]),
        ((np.ones((2, 3)), [1, -1], 1.0), {}, ["K", "(2, 3)"]),
    ],
)
def test_bad_input_is_named_before_the_first_step(arguments, options, words):
    with pytest.raises(ValueError) as error:
        smo(*arguments, **options)
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("bad", [np.nan, np.inf, 0.5])
def test_rows_that_are_no_rows_of_a_gram_matrix_are_an_error(bad, bias):
    X, y = clouds(20, 23)
    K = Gaussian(1.0)(X)
    K[np.triu_indices(20, 1)] = bad
    with pytest.raises(ValueError, match=r"K must be .*(symmetric|finite)"):
        solve(smo(K, y, 1.0, bias=bias))


# --- what was given is what is certified ----------------------------------------------------------


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("place", ["among support vectors", "beside them"])
def test_an_entry_without_its_twin_is_an_error_wherever_it_matters(place, bias):
    X, y = clouds(60, 31, distance=2.0)
    K = Gaussian(0.5)(X)
    alpha = run(K, y, 1.0, bias=bias).alpha
    used, rest = np.flatnonzero(alpha), np.flatnonzero(alpha == 0)
    assert len(rest) > 5
    for k in range(5):
        i = used[-1 - k] if place == "among support vectors" else rest[k]
        wrong = K.copy()
        wrong[i, used[k]] += 0.3  # the row of the other is what the steps read
        for start in (None, alpha):
            with pytest.raises(ValueError, match="K must be symmetric"):
                run(wrong, y, 1.0, bias=bias, start=start)
    hole = K.copy()
    hole[rest[0], rest[1]] = np.nan
    with pytest.raises(ValueError, match=r"K must be .*finite"):
        run(hole, y, 1.0, bias=bias)


def indefinite(n, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    G = Gaussian(0.3)(X)
    noise = rng.normal(size=(n, n))
    return {
        "tanh": np.tanh(0.5 * X @ X.T - 0.5),
        "less on the diagonal": G - 0.05 * np.eye(n),
        "noise": G + 0.02 * (noise + noise.T),
        "largest difference": np.exp(-(np.abs(X[:, np.newaxis] - X).max(axis=2) ** 2)),
    }


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("n", [40, 300])
@pytest.mark.parametrize("name", indefinite(4, 0))
def test_a_negative_eigenvalue_is_not_certified(name, n, bias):
    K, y = indefinite(n, n)[name], y_of(n)
    assert negative_eigenvalues(K, centred=bias) is not None
    for C in (0.1, 10.0):
        with pytest.warns(NotConverged, match="not a kernel"):
            result = solve(smo(K, y, C, bias=bias))
        assert result.status == "not a kernel"


def test_rounding_is_no_negative_eigenvalue():
    for seed in range(4):
        X, y = clouds(120, seed, d=3)
        X[60:] = X[:60]  # half of all eigenvalues are zero
        for K in (Gaussian(0.01)(X), Polynomial(3)(X), Linear()(X), Gaussian(1.0)(X)):
            for single in (False, True):
                given = K.astype(np.float32) if single else K
                for bias in (True, False):
                    assert run(given, y, 1.0, bias=bias, gap=1e-3).converged


def test_solve_says_what_gap_it_wants():
    X, y = clouds(300, 18)
    K = Gaussian(0.5)(X)
    for gap in (1e-1, 1e-5, 1e-9):
        said = run(K, y, 10.0, gap=gap)
        heard = solve(smo(K, y, 10.0), gap=gap, max_passes=20_000)
        assert (heard.steps, heard.gap) == (said.steps, said.gap)


def test_by_hand_it_goes_on_below_its_gap():
    X, y = clouds(80, 18)
    states = islice(smo(Gaussian(0.5)(X), y, 100.0, gap=1e-1), 60)
    assert min(state.gap for state in states) < 1e-8


# --- the step -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_two_multipliers_move_to_the_best_point_of_their_line(seed):
    rng = np.random.default_rng(seed)
    X, y = clouds(12, seed)
    X[5] = X[4]  # with the other label: a line without curvature
    K, C = Gaussian(1.0)(X), 1.5
    alpha = np.clip(rng.uniform(-1, 2.5, 12), 0, C)
    for i, j in [(4, 5), (5, 4), *rng.permutation(12).reshape(6, 2)]:
        before, scores = alpha.copy(), K @ (alpha * y)
        smo_step(K, y, C, alpha, scores, i, j)
        t = y[i] * (alpha[i] - before[i])
        along = y * (np.eye(12)[i] - np.eye(12)[j])
        np.testing.assert_allclose(alpha, before + t * along, atol=1e-14)
        np.testing.assert_allclose(scores, K @ (alpha * y), atol=1e-13)
        line = before + np.linspace(-2 * C, 2 * C, 1001)[:, np.newaxis] * along
        inside = line[((line >= -1e-12) & (line <= C + 1e-12)).all(axis=1)]
        duals = [a.sum() - (a * y) @ K @ (a * y) / 2 for a in (alpha, *inside)]
        assert duals[0] >= max(duals) - 1e-12
        assert alpha.min() >= -1e-14 and alpha.max() <= C + 1e-14


def test_smo_takes_the_steps_of_the_book():
    X, y = clouds(40, 5)
    K, C = Gaussian(0.5)(X), 2.0
    alpha, scores = np.zeros(40), np.zeros(40)
    for state in islice(smo(K, y, C, one_at_a_time=True), 1, 60):
        i, j, beta, r = state.i, state.j, alpha * y, y - scores
        may_rise, may_fall = beta < np.maximum(0, C * y), beta > np.minimum(0, C * y)
        assert r[i] == pytest.approx(r[may_rise].max(), abs=1e-12)
        slope = np.where(may_fall, np.maximum(r[i] - r, 0), 0)
        gains = slope**2 / np.maximum(K[i, i] + K.diagonal() - 2 * K[i], 1e-12)
        assert gains[j] == pytest.approx(gains.max(), rel=1e-9)
        before = alpha[i]
        smo_step(K, y, C, alpha, scores, i, j)
        np.testing.assert_allclose(state.alpha, alpha, atol=1e-12)
        assert state.step == pytest.approx(alpha[i] - before, abs=1e-12)
    assert (state.steps, state.passes) == (59, 1)


# --- the loops ------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 63, 64, 65, 200])
def test_the_largest_is_found_wherever_it_is(n):
    rng = np.random.default_rng(n)
    for _ in range(50):
        values = rng.normal(size=n) * 10.0 ** rng.integers(-300, 300)
        values[rng.random(n) < 0.3] = -np.inf
        values[rng.integers(n)] = rng.choice([0.0, -0.0, 1.0, -1.0, np.inf])
        where = smo_loops.largest(values)
        assert values[where] == values.max()
        assert values[smo_loops.largest.py_func(values)] == values.max()


def arrays(n, seed, bias=True):
    """A state somewhere on the way, with some β at each bound."""
    rng = np.random.default_rng(seed)
    X, y = clouds(n, seed)
    C, lengths = rng.uniform(0.5, 2.0, (2, n))  # with K_ii = 1 a step could forget to divide by it
    K = Gaussian(1.0)(X) * np.outer(lengths, lengths)
    lower, upper = np.minimum(0, C * y), np.maximum(0, C * y)
    beta = np.clip(rng.uniform(-0.5, 1.5, n) * (upper - lower) + lower, lower, upper)
    return Arrays(K, np.arange(n), K.diagonal().copy(), beta, y - K @ beta, lower, upper, 1e-12)


def copied(p):
    return p._replace(beta=p.beta.copy(), residual=p.residual.copy())


def in_a_loop(name):
    loop = getattr(smo_loops, name)
    return loop if USING_NUMBA else loop.py_func


def in_numpy(name):
    return getattr(smo_loops, f"_{name}")


@pytest.mark.parametrize("seed", range(5))
def test_loops_and_numpy_say_the_same(seed):
    p = arrays(70, seed)
    K_i, K_j = p.K[3], p.K[8]
    outcomes = []
    for form in (in_a_loop, in_numpy):

        def run(name, *arguments, form=form):
            return form(name)(*arguments)

        q, r_up, r_low, gains = copied(p), np.empty(70), np.empty(70), np.empty((3, 70))
        run("split", q, r_up, r_low)
        run("exchange", 0.3, K_i, K_j, r_up, r_low)
        run("pair_gains", q, 3, 0.7, K_i, r_low, gains[0])
        run("join", q, r_up, r_low)
        run("move_pair", q, 0.2, -0.4, K_i, K_j)
        run("single_gains", q, gains[1])
        run("joint_gains", q, 3, K_i, gains[2])
        outcomes.append([r_up, r_low, q.residual, gains, run("absolute_gap", q, 0.1)])
    for loop, line in zip(*outcomes, strict=True):
        np.testing.assert_allclose(loop, line, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_the_best_pair_is_best(seed):
    rng = np.random.default_rng(seed)
    p = arrays(12, seed)
    i, j = rng.choice(12, 2, replace=False)
    K_ij = p.K[i, j]
    s, t, gained = smo_loops.best_pair(p, i, j, K_ij)

    def gain(s, t):
        slopes = s * p.residual[i] + t * p.residual[j]
        return slopes - (s * s * p.K[i, i] + t * t * p.K[j, j] + 2 * s * t * K_ij) / 2

    assert gained == pytest.approx(gain(s, t), abs=1e-12)
    S, T = np.meshgrid(
        np.linspace(p.lower[i], p.upper[i], 101) - p.beta[i],
        np.linspace(p.lower[j], p.upper[j], 101) - p.beta[j],
    )
    assert gained >= gain(S, T).max() - 1e-12
