"""SDCA against QP solvers in the primal, closed forms and its own metamorphoses."""

from itertools import islice

import numpy as np
import piqp
import pytest
from dual_losses import ALL, every
from hypothesis import given, settings
from hypothesis import strategies as st

from kernellab.certificates import gap_terms, svm_certificate
from kernellab.losses import absolute, epsilon_insensitive, hinge, logistic, squared, squared_hinge
from kernellab.solvers.sdca import coordinate_dual, hinge_pass, sdca
from kernellab.solving import NotConverged, pass_orders, solve


def clouds(n=20, seed=0, gamma=4.0):
    """Overlapping classes in the plane, targets on the same points, and a Gaussian Gram matrix."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, 2))
    labels = np.where(X[:, 0] + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    targets = np.sin(3 * X[:, 0]) + X[:, 1] ** 2 + 0.2 * rng.normal(size=n)
    K = np.exp(-gamma * ((X[:, None] - X) ** 2).sum(axis=-1))
    return K, labels, targets


def problem_for(loss, **options):
    K, labels, targets = clouds(**options)
    return K, (targets if loss.signed else labels)


def dual_variables(state):
    return state.coef if state._problem.loss.signed else state.alpha


def certify(K, y, state, C, loss):
    return svm_certificate(K, y, dual_variables(state), C, loss=loss)


# --- the optimum ----------------------------------------------------------------------------------


def optimum_by_a_qp(K, y, C, loss):
    """The least primal objective, by an interior point method over w and slacks; no dual in it.

    Slacks u ≥ 0 for what a loss charges linearly and v for what it charges as a square:
    ½‖w‖² + C Σ (u + v²/2s) subject to u + v ≥ what is lacking.
    """
    values, vectors = np.linalg.eigh(K)
    Phi = vectors * np.sqrt(np.maximum(values, 0))  # Phi @ Phi.T = K
    n = len(y)
    C = np.broadcast_to(C, n)
    smoothing, insensitivity, _, highest = loss.dual
    linear, square = float(np.isfinite(highest)), float(smoothing > 0)
    identity = np.eye(n)
    u, v = identity * linear, identity * square
    if loss.signed:
        A = np.block([[-Phi, -u, -v], [Phi, -u, -v]])
        b = np.concatenate([-(y - insensitivity), y + insensitivity])
    else:
        A, b = np.block([[-y[:, None] * Phi, -u, -v]]), -np.ones(n)
    scale = C.max()  # the objective is divided by it
    P = np.diag(np.concatenate([np.ones(n), np.zeros(n), square * C / (smoothing or 1.0)]) / scale)
    c = np.concatenate([np.zeros(n), C / scale, np.zeros(n)])
    bounds = np.concatenate([np.full(n, -np.inf), np.zeros(2 * n)])
    solver = piqp.DenseSolver()
    solver.settings.eps_abs = solver.settings.eps_duality_gap_abs = 1e-11
    solver.settings.eps_rel = solver.settings.eps_duality_gap_rel = 1e-11
    solver.settings.max_iter = 1000
    solver.setup(P, c, None, None, A, np.full(len(b), -np.inf), b, bounds, np.full(3 * n, np.inf))
    assert solver.solve() == piqp.PIQP_SOLVED
    w = solver.result.x[:n]
    r = loss.residuals(Phi @ w, y)
    return w @ w / 2 + C @ loss.of_residual(r)


@every(ALL)
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, 1e4])
def test_it_reaches_the_optimum_that_a_qp_solver_finds(loss, C):
    K, y = problem_for(loss)
    found = solve(sdca(K, y, C, loss=loss), gap=5e-7, max_passes=200_000)
    assert found.status == "converged"
    checked = certify(K, y, found, C, loss)
    assert checked.gap <= 1e-6
    assert checked.primal == pytest.approx(found.primal, rel=1e-8)
    assert checked.dual == pytest.approx(found.dual, rel=1e-8)
    least = optimum_by_a_qp(K, y, C, loss)
    assert checked.primal == pytest.approx(least, rel=1e-6)
    assert checked.dual == pytest.approx(least, rel=1e-6)


# --- on the way -----------------------------------------------------------------------------------


@st.composite
def any_problem(draw, loss):
    """Few points in few dimensions: singular Gram matrices, duplicates, zero vectors."""
    n, d = draw(st.integers(2, 8)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.integers(-2, 3, size=(n, d)) * draw(st.sampled_from([0.1, 1.0, 10.0]))
    y = rng.normal(size=n) if loss.signed else rng.choice([-1.0, 1.0], size=n)
    return X @ X.T, y, draw(st.sampled_from([0.01, 1.0, 1e4]))


@every(ALL)
@given(data=st.data())
@settings(max_examples=30)
def test_no_step_lowers_the_dual_and_the_gap_bounds_what_is_lacking(loss, data):
    K, y, C = data.draw(any_problem(loss))
    run = sdca(K, y, C, loss=loss, one_at_a_time=True)
    states = [(s.primal, s.dual, certify(K, y, s, C, loss)) for s in islice(run, 40)]
    best = max(checked.dual for *_, checked in states)  # the optimum is at least this
    worst = None
    for primal, dual, checked in states:
        rounding = 1e-10 * (1 + abs(primal) + abs(dual))
        assert primal == pytest.approx(checked.primal, abs=rounding)
        assert dual == pytest.approx(checked.dual, abs=rounding)
        assert primal >= best - rounding
        assert worst is None or dual >= worst - rounding
        worst = dual


@every(ALL)
def test_one_at_a_time_takes_the_steps_of_the_pass(loss):
    K, y = problem_for(loss)
    by_pass = sdca(K, y, 1.0, loss=loss, rng=3)
    by_step = sdca(K, y, 1.0, loss=loss, rng=3, one_at_a_time=True)
    given_orders = sdca(K, y, 1.0, loss=loss, orders=pass_orders(20, 3))
    next(by_step)
    for whole, same in islice(zip(by_pass, given_orders, strict=True), 6):
        assert dual_variables(whole).tolist() == dual_variables(same).tolist()
        if whole.passes:
            for last in islice(by_step, 20):
                assert last.passes == whole.passes - (last.steps % 20 > 0)
            assert dual_variables(last).tolist() == dual_variables(whole).tolist()
            assert last.scores.tolist() == whole.scores.tolist()
            assert (last.passes, last.steps) == (whole.passes, whole.steps)
            assert last.n_kernel_evaluations == whole.n_kernel_evaluations
            assert whole.i is whole.step is None
            assert last.i is not None


@pytest.mark.parametrize("C", [0.1, 2.0, 100])
def test_the_pass_of_the_book_takes_the_same_steps(C):
    K, y, _ = clouds(n=30)
    alpha, scores = np.zeros(30), np.zeros(30)
    orders = [np.random.default_rng(k).integers(30, size=40) for k in range(8)]
    for order, state in zip(orders, islice(sdca(K, y, C, orders=orders), 1, None), strict=True):
        hinge_pass(K, y, C, alpha, scores, order)
        np.testing.assert_allclose(alpha, state.alpha, atol=1e-12 * C)
        np.testing.assert_allclose(scores, K @ (alpha * y), atol=1e-12 * C)


# --- metamorphoses --------------------------------------------------------------------------------


@every(ALL)
def test_a_duplicate_is_an_example_of_double_cost(loss):
    K, y = problem_for(loss)
    twice = np.r_[np.arange(20), 4, 7]
    C = np.ones(20)
    C[[4, 7]] = 2
    weighted = solve(sdca(K, y, C, loss=loss), gap=1e-8, max_passes=20_000)
    copied = solve(sdca(K[np.ix_(twice, twice)], y[twice], 1.0, loss=loss), gap=1e-8)
    assert weighted.primal == pytest.approx(copied.primal, rel=1e-7)
    np.testing.assert_allclose(weighted.scores, copied.scores[:20], atol=2e-3)


# --- starts and orders ----------------------------------------------------------------------------


@every(ALL)
def test_a_solution_is_recognised_before_the_first_step(loss):
    K, y = problem_for(loss)
    found = solve(sdca(K, y, 2.0, loss=loss), gap=1e-6)
    start = dual_variables(found)
    again = solve(sdca(K, y, 2.0, loss=loss, start=start), gap=1.1e-6)
    assert again.passes == 0
    assert dual_variables(again) is not start
    support = np.count_nonzero(start)
    assert again.n_kernel_evaluations == 20 + 20 * support


@every(ALL)
@pytest.mark.parametrize("C", [0.5, 3.0])
def test_a_warm_start_is_clipped_to_the_new_box_and_arrives_at_the_same_optimum(loss, C):
    K, y = problem_for(loss)
    old = dual_variables(solve(sdca(K, y, 1.0, loss=loss), gap=1e-4)).copy()
    _, _, lowest, highest = loss.dual
    warm = sdca(K, y, C, loss=loss, start=old)
    first = next(warm)
    assert dual_variables(first).tolist() == np.clip(old, C * lowest, C * highest).tolist()
    assert np.isfinite(first.gap)
    found = solve(warm, gap=1e-7, max_passes=20_000)
    assert found.primal == pytest.approx(optimum_by_a_qp(K, y, C, loss), rel=1e-6)


def test_given_orders_are_taken_as_they_come():
    K, y, _ = clouds()
    chosen = []

    def pick():
        for i in (3, 3, 17):
            chosen.append(i)
            yield [i]

    states = sdca(K, y, 1.0, orders=pick())
    assert chosen == []
    assert [(s.passes, s.steps, len(chosen)) for s in states] == [
        (0, 0, 0), (1, 1, 1), (2, 2, 2), (3, 3, 3),
    ]  # fmt: skip


# --- edges ----------------------------------------------------------------------------------------


def test_zero_vectors_jump_to_the_bound():
    K = np.zeros((3, 3))
    found = solve(sdca(K, [1, -1, 1], 7.0), gap=0)
    assert found.alpha.tolist() == [7, 7, 7]
    assert found.passes == 1
    assert found.primal == found.dual == 21
    found = solve(sdca(K, [5.0, -5.0, 0.1], 7.0, loss=epsilon_insensitive(0.2)), gap=0)
    assert found.coef.tolist() == [7, -7, 0]
    found = solve(sdca(K, [1, -1, 1], 7.0, loss=squared_hinge), gap=1e-12)
    assert found.alpha.tolist() == [14, 14, 14]  # 2 C ξ with ξ = 1


@pytest.mark.rounding
@pytest.mark.parametrize("C", [1.0, 1e4])
def test_duplicates_with_opposite_labels(C):
    found = solve(sdca(np.ones((2, 2)), [1, -1], C), gap=1e-9, max_passes=100_000)
    assert found.status == "converged"
    assert found.primal == pytest.approx(2 * C)


def test_the_cap_is_confessed():
    K, y, _ = clouds(n=30)
    twice = np.r_[np.arange(30), np.arange(30)]
    with pytest.warns(NotConverged, match=r"^stopped at the cap after 5 passes with gap"):
        found = solve(sdca(K[np.ix_(twice, twice)], np.r_[y, -y], 1e10), gap=1e-6, max_passes=5)
    assert found.status == "stopped at the cap"
    assert found.gap > 1e-6
    assert found.gap == pytest.approx(
        svm_certificate(K[np.ix_(twice, twice)], np.r_[y, -y], found.alpha, 1e10).gap, rel=1e-6
    )


@every([hinge, squared_hinge])
def test_what_is_no_kernel_is_named_when_it_shows(loss):
    K = np.array([[0.1, 5.0], [5.0, 0.1]])  # eigenvalues 5.1 and -4.9
    with pytest.warns(NotConverged, match=r"^not a kernel after"):
        found = solve(sdca(K, [1, -1], 10.0, loss=loss), gap=1e-6)
    assert found.coef @ K @ found.coef < 0


@pytest.mark.rounding
def test_rounding_is_not_taken_for_an_indefinite_kernel():
    # Every point twice, with both labels and the same α: what is left of ‖w‖² is rounding.
    negative = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        shuffle = rng.permutation(60)
        twice = np.r_[np.arange(30), np.arange(30)][shuffle]
        K, y, _ = clouds(n=30, seed=seed)
        start = 1e10 * rng.uniform(size=30)[twice]
        state = next(sdca(K[np.ix_(twice, twice)], np.r_[y, -y][shuffle], 1e10, start=start))
        assert state.status == "running"
        negative += state.coef @ state.scores < 0
    assert negative


def test_what_a_state_has_to_say():
    K, y, targets = clouds()
    run = sdca(K, y, 1.0)
    first, second = next(run), next(run)
    assert first.alpha is second.alpha
    assert second.status == "running"
    assert second.scores == pytest.approx(K @ second.coef)
    terms = gap_terms(second.scores, y, second.alpha, 1.0)
    assert terms.sum() == pytest.approx(second.primal - second.dual)
    regression = next(sdca(K, targets, 1.0, loss=absolute))
    with pytest.raises(AttributeError, match="its dual variables are coef"):
        _ = regression.alpha


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"K": [[1, 0], [1, 1]]}, "K must be symmetric"),
        ({"K": [[1, 0], [0, -1]]}, r"K must not have a negative diagonal, got K\[1, 1\] = -1"),
        ({"y": [0, 1]}, "y must hold labels -1 or "),
        ({"y": [0.5, np.nan], "loss": squared}, "y must be finite"),
        ({"C": -1}, "C must be a positive number, got -1"),
        ({"C": [1, 0]}, "C must be positive for every example, got 0"),
        ({"loss": logistic}, "loss must be one of"),
        ({"start": [1, -1]}, "start must hold dual variables α ≥ 0, got -1"),
        ({"rng": -1}, "rng must be a seed"),
        ({"orders": 3}, "orders must be an iterable"),
    ],
)
def test_bad_input_is_named_before_the_first_step(change, message):
    given = {"K": np.eye(2), "y": [-1, 1], "C": 1.0} | change
    with pytest.raises(ValueError, match=f"^{message}"):
        sdca(**given)


@pytest.mark.parametrize("order", [[], [[0]], [0.0], [2], [-1], 0, ["a"], [True]])
def test_a_bad_order_is_named(order):
    with pytest.raises(ValueError, match=r"^orders must yield"):
        list(sdca(np.eye(2), [-1, 1], 1.0, orders=[[0], order]))


def test_what_is_given_is_not_changed():
    K, y, _ = clouds()
    start = np.full(20, 0.3)
    for array in (K, y, start):
        array.flags.writeable = False
    found = solve(sdca(np.asfortranarray(K), y.astype(int), 1.0, start=start), gap=1e-6)
    assert found.primal == pytest.approx(optimum_by_a_qp(K, y, 1.0, hinge), rel=1e-6)
    assert (start == 0.3).all()
    assert solve(sdca(K, y, 1.0), gap=1e-3).converged


# --- one coordinate -------------------------------------------------------------------------------


@pytest.mark.parametrize("i", [0, 5])
def test_the_coordinate_dual_is_the_dual_with_the_others_held(i):
    K, y = problem_for(hinge, n=8)
    C = np.linspace(0.5, 2, 8)
    alpha = list(islice(sdca(K, y, C, one_at_a_time=True), 7))[-1].alpha.copy()
    parabola = coordinate_dual(K, y, alpha, C, i)
    grid = np.linspace(0, C[i], 11)
    duals = [svm_certificate(K, y, np.where(np.arange(8) == i, a, alpha), C).dual for a in grid]
    np.testing.assert_allclose(parabola(grid), duals, atol=1e-12)
    assert parabola.current == alpha[i]
    step = list(sdca(K, y, C, start=alpha, orders=[[i]]))[-1]
    assert step.alpha[i] == parabola.best == np.clip(parabola.vertex, 0, C[i])


def test_the_coordinate_dual_of_the_hinge_by_hand():
    K = np.array([[2.0, 1.0], [1.0, 2.0]])
    parabola = coordinate_dual(K, [1, -1], [0.0, 1.0], 1.5, 0)
    # f_1 = -1, so the slope is 2, the curvature 2, and the vertex 1.
    assert (parabola.slope, parabola.curvature, parabola.vertex) == (2, 2, 1)
    assert parabola.best == 1
    assert parabola([0.0, 1.0, 2.0]).tolist() == [0, 1, 0]
    line = coordinate_dual(np.zeros((2, 2)), [1, -1], [0.0, 1.0], 1.5, 0)
    assert (line.vertex, line.best, line.curvature) == (np.inf, 1.5, 0)
    with pytest.raises(ValueError, match=r"^alpha must lie in its box"):
        coordinate_dual(K, [1, -1], [0.0, 2.0], 1.5, 0)
    with pytest.raises(ValueError, match="integers from 0 to 1"):
        coordinate_dual(K, [1, -1], [0.0, 1.0], 1.5, 2)
