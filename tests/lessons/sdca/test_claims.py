"""What lesson 05 and its further notebooks say in words, and no output of theirs shows."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import nbformat
import numpy as np
import pytest
from moves import move
from scipy.spatial.distance import cdist
from sklearn.svm import SVC

import kernellab as kl
from kernellab.lessons import sdca
from kernellab.lessons.kernels import svm
from kernellab.lessons.sdca.figures import engines, gap_by_point
from kernellab.lessons.sdca.figures.staircase import clouds
from kernellab.lessons.sdca.figures.sum_form import over_lams
from kernellab.page.side_by_side import bare
from kernellab.page.source import Source

ROOT = Path(__file__).resolve().parents[3]
IN_TURN = [np.array([0, 1])] * 300


@pytest.fixture(scope="module")
def film():
    twenty = kl.make_quarters(20, rng=0)
    K = kl.Gaussian(gamma=100)(twenty.X)
    return twenty.y, K, sdca.record(K, twenty.y, C=100, updates=200)


@pytest.fixture(scope="module")
def digits():
    data = kl.load_digits((3, 8))
    X = data.X / 16
    return X, data.y, kl.Gaussian.from_bandwidth(kl.median_bandwidth(X))(X)


# --- 2, and the table in a race ------------------------------------------------------------------


def test_the_table_by_hand_goes_half_of_the_way():
    pair = np.array([[1, 0.5], [0.5, 1]])
    run = sdca.record(pair, [1, 1], 2.0, updates=4, orders=IN_TURN)
    assert run.alphas[1:].tolist() == [[1, 0], [1, 0.5], [0.75, 0.5], [0.75, 0.625]]
    off = np.abs(run.value - 2 / 3)
    np.testing.assert_allclose(off[1:], off[:-1] / 2)
    alike = sdca.record(np.array([[1, 0.8], [0.8, 1]]), [1, 1], 2.0, updates=20, orders=IN_TURN)
    off = np.abs(alike.value - 1 / 1.8)
    np.testing.assert_allclose(off[1:], 0.8 * off[:-1])


@pytest.mark.parametrize(
    ("similarity", "label", "C", "updates"),
    [
        (0.8, 1, 0.4, 2), (0.8, 1, 1.25, 61), (0.8, -1, 1.25, 3), (0.3, 1, 1.5, 13),
        (0.3, -1, 1.5, 13), (0.8, 1, 10, 61), (0.8, -1, 10, 71), (0, 1, 2, 2),
    ],
)  # fmt: skip
def test_alike_is_slow_whatever_the_class_and_a_wall_makes_it_fast(similarity, label, C, updates):
    pair, y = np.array([[1, similarity], [similarity, 1]]), np.array([1.0, label])
    run = sdca.record(pair, y, C, updates=200, orders=IN_TURN)
    best = min(C, 1 / (1 + similarity * label))
    assert np.argmax(np.abs(run.alphas - best).max(axis=1) < 1e-6) == updates


def test_the_pass_on_the_page_is_the_one_of_the_package():
    page = nbformat.read(ROOT / "notebooks" / "05_sdca.ipynb", as_version=4)
    (typed,) = (cell.source for cell in page.cells if cell.source.startswith("def hinge_pass("))
    assert typed == bare(Source(kl.hinge_pass).code).rstrip()


def test_the_loop_of_lesson_03_does_the_same():
    clouds = kl.make_clouds(16, separation=3.5, rng=20)
    K = kl.Gaussian(0.3)(clouds.X)
    alpha, scores = np.zeros(16), np.zeros(16)
    for _ in range(100):
        kl.hinge_pass(K, clouds.y, 1.0, alpha, scores, np.arange(16))
    np.testing.assert_allclose(alpha, svm(K, clouds.y), atol=1e-9)


# --- 3: how do I know that I am done -------------------------------------------------------------


def test_the_eye_is_content_after_six_updates_and_the_gap_is_not(film):
    y, _, run = film
    right = (y * run.scores > 0).all(axis=1)
    assert not right[5] and right[6:].all()
    margins = y * run.scores[60]
    assert 100 * np.maximum(0, 1 - margins).sum() / run.primal[60] == pytest.approx(0.93, abs=0.01)
    parts = 1 - run.dual / run.primal
    assert parts[60] > 0.9 and 0.45 < parts[200] < 0.5


def test_a_random_order_takes_1460_and_others_as_many(film):
    y, K, _ = film
    run = kl.solve(kl.sdca(K, y, C=100, rng=0), gap=1e-3, max_passes=1000)
    assert 20 * run.passes == 1460
    updates = []
    for seed in range(12):
        run = sdca.record(K, y, 100, updates=3000, rng=seed)
        updates.append(np.argmax(run.primal - run.dual < 1e-3 * run.primal))
    median = np.median(updates)
    assert median == pytest.approx(1400, abs=20)
    by_area = 2 * updates_by_largest_area(K, y)
    assert by_area == 110 and 1460 / by_area == pytest.approx(13, abs=0.5)
    assert median / by_area == pytest.approx(13, abs=0.5)


def test_the_bars_get_fewer_and_none_is_left_at_the_best_w(film):
    y, K, run = film
    short = np.maximum(0, 1 - y * run.scores)
    few, long = (short > 1e-9).sum(axis=1), short.sum(axis=1)
    assert few[6] > few[60] > few[200] and long[6] > long[60] > long[200]
    assert (np.diff(long[6:]) > 0).any()
    best = kl.solve(kl.smo(K, y, 100, bias=False), gap=1e-9, max_passes=10_000).alpha
    assert best.max() < 100 and (1 - y * (K @ (best * y))).max() < 1e-6


def test_nearly_all_of_the_gap_is_what_the_primal_lacks(film):
    y, K, run = film
    optimum = kl.solve(kl.smo(K, y, 100, bias=False), gap=1e-9, max_passes=10_000).dual
    primal, dual = run.primal - optimum, optimum - run.dual
    assert primal[60] > 100 * dual[60]
    assert (np.diff(run.primal) > 0).any() and (np.diff(run.dual) > -1e-9).all()
    small = sdca.record(K, y, 1, updates=200)
    optimum = kl.solve(kl.smo(K, y, 1, bias=False), gap=1e-9, max_passes=10_000).dual
    primal, dual = small.primal - optimum, optimum - small.dual
    assert 1 / 3 < (primal / dual)[60] < 3 and 1 / 3 < (primal / dual)[200] < 3


# --- 4 to 6 --------------------------------------------------------------------------------------


def test_one_press_makes_the_gap_larger_and_the_pushes_get_smaller():
    run = sdca.Staircase(t=22).run
    assert run.absolute_gap[[22, 23]] == pytest.approx([2.0, 6.7], abs=0.05)
    presets = sdca.Staircase.presets
    assert [presets[f"after {t} updates"]["t"] for t in (22, 23)] == [22, 23]
    assert (np.diff(run.dual) > -1e-9).all()
    before, after = (sdca.Staircase(t=t).numbers for t in (22, 23))
    assert (before["margins"] != after["margins"]).all()
    assert (after["terms"] > before["terms"] + 1e-3).sum() > 19 / 2
    pushes = np.abs(np.diff(run.scores, axis=0)).sum(axis=1).reshape(12, 20).sum(axis=1)
    assert pushes[1] < pushes[0] / 2 and pushes[-1] < pushes[1] / 4
    after_a_pass = run.absolute_gap[40::20]
    assert (np.diff(after_a_pass) > 0.01).any() and after_a_pass[-1] < after_a_pass[0] / 4


def test_updates_since_a_drag_are_called_more_and_no_curvature_is_a_line():
    figure, X = sdca.Staircase(t=22), clouds().X.copy()
    assert "after 22 updates: areas" in figure.live.readout
    X[0] += 0.5
    move(figure, X)
    assert "after 0 more updates: areas" in figure.live.readout
    figure = sdca.Staircase(sample="a point with Kᵢᵢ = 0, linear kernel")
    while figure.numbers["i"] != 1:
        figure.t += 1
    assert "Kᵢᵢ = 0, D is a line: up to the wall, 2.00" in figure.live.readout


def test_nothing_moves_just_where_the_bounds_meet(film):
    y, K, _ = film
    best = kl.solve(kl.smo(K, y, 2.0, bias=False), gap=1e-12, max_passes=10_000).alpha
    for alpha in (best, np.where(np.arange(20) == 3, 0.5 * best, best)):
        scores = K @ (alpha * y)
        gap, after = kl.svm_certificate(K, y, alpha, C=2.0).gap, alpha.copy()
        kl.hinge_pass(K, y, 2.0, after, scores, np.arange(20))
        assert (np.abs(after - alpha).max() < 1e-5) == (gap < 1e-10)


def test_the_violet_rectangle_is_its_height_times_its_width():
    figure = sdca.Staircase(t=22)
    margin, alpha = figure.numbers["margin"], figure.numbers["before"]
    assert (figure.C, alpha) == (2, pytest.approx(1))
    assert margin == -0.07  # to the digits of the readout
    assert figure.numbers["terms"].max() == pytest.approx((2 - alpha) * 1.07, abs=0.005)


def test_an_update_of_a_point_on_the_stairs_changes_nothing_and_clears_one_that_is_off(film):
    y, K, run = film
    for alpha in run.alphas[:200:10]:
        areas = kl.gap_terms(K @ (alpha * y), y, alpha, C=100.0)
        for i in range(20):
            after, scores = alpha.copy(), K @ (alpha * y)
            kl.hinge_pass(K, y, 100.0, after, scores, np.array([i]))
            assert areas[i] > 1e-9 or np.abs(after - alpha).max() < 1e-9
            assert kl.gap_terms(scores, y, after, C=100.0)[i] < 1e-9


def test_the_dotted_curve_soon_leaves_the_random_orders_behind():
    low, _, _, greedy = gap_by_point.races(2.0)
    assert (greedy[10:] < low[10:]).all()


def updates_by_largest_area(K, y, C=100.0):
    alpha, scores = np.zeros(20), np.zeros(20)
    for t in range(1000):
        if kl.svm_certificate(K, y, alpha, C=C).gap < 0.001:
            return t
        i = kl.gap_terms(scores, y, alpha, C=C).argmax()
        kl.hinge_pass(K, y, C, alpha, scores, np.array([i]))
    raise AssertionError


def test_the_bounds_on_the_page_are_the_certificate_with_a_bias_too(film):
    y, K, _ = film
    room = {"np": np}
    for name in ("05_sdca.ipynb", "further/05_two_at_a_time.ipynb"):
        for cell in nbformat.read(ROOT / "notebooks" / name, as_version=4).cells:
            if cell.source.startswith(("def bounds(", "def steepest_pair(")):
                exec(cell.source, room)
    alpha, scores, apart, gaps = np.zeros(20), np.zeros(20), [], []
    for _ in range(29):
        slope = y - scores
        i, j = room["steepest_pair"](y, alpha, slope, 100)
        bias = (slope[i] + slope[j]) / 2
        proof = kl.svm_certificate(K, y, alpha, C=100, bias=bias)
        bounds = room["bounds"](y, alpha, scores + bias, 100)
        assert pytest.approx([proof.dual, proof.primal]) == bounds
        apart.append(slope[i] - slope[j])
        gaps.append(proof.gap)
        kl.smo_step(K, y, 100.0, alpha, scores, i, j)
    assert np.argmax(np.array(apart) < 1e-3) == 21 and 0.017 < gaps[21] < 0.02
    assert (np.diff(apart) > 0).any() and np.argmax(np.array(gaps) < 1e-3) == 28


def test_choosing_pays_on_other_draws_of_twenty_numbers_too():
    times = []
    for draw in range(10):
        twenty = kl.make_quarters(20, rng=draw)
        K, y = kl.Gaussian(gamma=100)(twenty.X), twenty.y
        random = [
            kl.solve(kl.sdca(K, y, C=100, rng=seed), gap=1e-3, max_passes=1000).passes
            for seed in range(11)
        ]
        times.append(20 * np.median(random) / (2 * updates_by_largest_area(K, y)))
    assert min(times) > 2  # it pays on each
    assert sum(3 < t < 5 for t in times) > 5


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
def test_smo_is_first_at_every_cost(digits, C):
    _, y, K = digits
    arrival, above_at_ten = {}, {}
    for name, (asked, above) in engines.engines(K, y, C).items():
        arrival[name] = asked[above < 1e-6][0] if (above < 1e-6).any() else np.inf
        above_at_ten[name] = above[asked <= 10][-1]
    assert min(arrival, key=arrival.get) == "SMO, no bias"
    assert (arrival["SDCA"] < 5) == (C == 0.1)
    alpha = kl.solve(kl.smo(K, y, C, bias=False), gap=1e-6, max_passes=10_000).alpha
    if C == 0.1:
        assert np.mean(alpha[alpha > 0] == C) > 0.9
    if C == 100:
        free = np.flatnonzero(alpha)
        assert max(above_at_ten, key=above_at_ten.get) == "SDCA" and len(free) == 50
        assert alpha[free].min() > 0.01 and alpha.max() < C
        nearest = (K[np.ix_(free, free)] - np.eye(50)).max(axis=1)  # of any class
        assert (nearest >= 0.8).sum() > 35 and np.abs(nearest - 0.8).min() > 1e-5


def to_the_line(K, y, C):
    curves = engines.engines(K, y, C)
    return [
        curves[name][0][curves[name][1] < 1e-3][0]
        for name in ("SDCA", "one α, the best", "SMO, no bias")
    ]


def test_to_choose_saves_a_factor_and_to_move_two_the_same_again(digits):
    _, y, K = digits
    random, best, two = to_the_line(K, y, 100.0)
    assert [random, best, two] == pytest.approx([25, 7, 2], rel=0.1)
    assert 3 < random / best < 4.5 and 3 < best / two < 4.5 and random / two > 10


def test_the_pairs_on_the_page_are_those_of_the_package(film):
    y, K, _ = film
    page = nbformat.read(ROOT / "notebooks" / "further" / "05_a_race.ipynb", as_version=4)
    (typed,) = (cell.source for cell in page.cells if cell.source.startswith("def best_pair("))
    room = {"np": np, "sdca": sdca}
    exec(typed, room)
    alpha, scores = np.zeros(20), np.zeros(20)
    states = kl.smo(K, y, 100.0, bias=False, one_at_a_time=True)
    next(states)
    for state in islice(states, 15):
        i, j = room["best_pair"](K, y, 100.0, alpha, scores)
        assert {i, j} == {state.i, state.j}
        kl.hinge_pass(K, y, 100.0, alpha, scores, np.array([i, j] * 200))
        np.testing.assert_allclose(alpha, state.alpha, atol=1e-6)


def test_where_a_wall_is_in_reach_to_move_two_saves_nothing(digits):
    _, y, K = digits
    random, best, two = to_the_line(K, y, 0.1)
    assert random / best == pytest.approx(2.2, abs=0.2)
    assert best / two == pytest.approx(1.0, abs=0.05)


def test_in_the_end_the_slopes_with_room_both_ways_are_the_bias(film):
    y, K, _ = film
    run = kl.solve(kl.smo(K, y, 100), gap=1e-10, max_passes=10_000)
    free = (run.alpha > 1e-6) & (run.alpha < 100 - 1e-6)
    slopes = (y - K @ (run.alpha * y))[free]
    assert free.sum() > 2 and np.ptp(slopes) < 1e-4
    assert kl.svm_certificate(K, y, run.alpha, C=100, bias=slopes.mean()).gap < 1e-3


def test_the_step_of_two_is_the_top_of_its_line():
    K, y, C = np.array([[1.0, 0.5], [0.5, 2.0]]), np.array([1.0, -1.0]), 1.5
    alpha = np.full(2, 0.4)
    kl.smo_step(K, y, C, alpha, K @ (y * alpha), 0, 1)
    along = np.linspace(0, C, 1501)
    values = 2 * along - (K[0, 0] + K[1, 1] - 2 * K[0, 1]) * along**2 / 2
    np.testing.assert_allclose(alpha, along[values.argmax()], atol=1e-3)
    np.testing.assert_allclose(K @ (0.4 * y), [0.2, -0.6])
    np.testing.assert_allclose(alpha, 0.4 + (0.8 - -0.4) / (1 + 2 - 1))


def test_the_pair_of_the_table():
    K = np.array([[1, 0.8, 0.5, 0.7], [0.8, 1, 0.2, 0.4], [0.5, 0.2, 1, 0.4], [0.7, 0.4, 0.4, 1]])
    y, alpha = np.array([1.0, 1, -1, -1]), np.array([1, 0, 0.5, 0.5])
    scores = K @ (alpha * y)
    assert np.linalg.eigvalsh(K).min() > 0 and alpha @ y == 0
    np.testing.assert_allclose(scores, [0.4, 0.5, -0.2, 0], atol=1e-12)
    kl.smo_step(K, y, 1.0, alpha, scores, 1, 3)
    np.testing.assert_allclose(alpha, [1, 0.5, 0.5, 1])


# --- 7 -----------------------------------------------------------------------------------------


def weights_of(model, n):
    weights = np.zeros(n)
    weights[model.support_] = model.dual_coef_[0]
    return weights


@pytest.mark.parametrize("tol", [1e-3, 1e-7])
def test_the_weights_of_scikit_learn_are_the_same_at_each_cost_and_the_gap_is_not(digits, tol):
    X, y, K = digits
    gamma = kl.Gaussian.from_bandwidth(kl.median_bandwidth(X)).gamma
    gaps, found, sure = [], [], SVC(gamma=gamma, C=10, tol=1e-9).fit(X, y).decision_function(X)
    for C in (10, 100, 1000):
        theirs = SVC(gamma=gamma, C=C, tol=tol).fit(X, y)
        weights, scores = weights_of(theirs, len(y)), theirs.decision_function(X)
        assert np.abs(scores - sure).max() < 1e-3 and (scores * sure > 0).all()
        assert np.abs(weights).max() < 8 and abs(weights.sum()) < 1e-9
        gaps.append(kl.svm_certificate(K, y, y * weights, C=C, bias=theirs.intercept_[0]).gap)
        found.append(weights)
        if tol == 1e-3:  # what all margins lack, together
            assert np.maximum(0, 1 - y * scores).sum() == pytest.approx(0.005, abs=5e-4)
        assert np.ptp((y - K @ weights)[weights != 0]) < max(2 * tol, 1e-5)
    np.testing.assert_allclose(found, [found[0]] * 3, atol=1e-9)
    if tol == 1e-3:
        assert gaps == pytest.approx([0.00076, 0.008, 0.075], rel=0.01)
    else:
        assert max(gaps) < 1e-4
        ours = kl.KernelSVC(kl.Gaussian(gamma), C=10, gap=1e-6).fit(X, y)
        weights = weights_of(ours, len(y))
        proof = kl.svm_certificate(K, y, y * weights, C=10, bias=float(ours.intercept_[0]))
        assert f"{proof.primal:.4f}" == "58.9923"


def test_an_update_raises_the_dual_by_at_most_its_area():
    figure = sdca.Staircase()
    K, y, C, alphas = figure.run.K, figure.y, figure.C, figure.run.alphas
    dual = [alpha.sum() - (alpha * y) @ K @ (alpha * y) / 2 for alpha in alphas]
    parts = []
    for alpha, after, rise in zip(alphas, alphas[1:], np.diff(dual), strict=False):
        short = 1 - y * (K @ (alpha * y))
        areas = C * np.maximum(0, short) - alpha * short
        moved = alpha != after
        assert moved.sum() <= 1 and rise <= areas[moved].sum() + 1e-12
        if areas[moved].sum() > 1e-6:
            parts.append(rise / areas[moved].sum())
    assert np.mean(np.array(parts) < 0.1) > 0.6  # most of those that move


# --- further: other losses -----------------------------------------------------------------------


def test_who_has_a_weight():
    figure = sdca.OtherStairs(loss="regression, ε-insensitive")
    inside = np.abs(figure.numbers["residuals"]) < 0.2 - 1e-2
    assert (figure.numbers["coef"][inside] == 0).all()
    figure.loss = "regression, squared"
    assert figure.numbers["support"] == figure.numbers["n"]
    figure.load("one class")
    assert figure.numbers["most"] < 0.01
    figure.load("one class, small C")
    assert np.flatnonzero(figure.numbers["residuals"] > 0.5).tolist() == [0, 17]


def test_walls_come_and_go_until_pass_930_and_then_the_line_is_straight():
    rings = kl.make_rings(200, 1, noise=0.3)
    K = kl.Gaussian(1.0)(rings.X)
    states = islice(kl.sdca(K, rings.y, 5.0), 1401)
    walls = np.array([1.0 * (state.alpha > 0) + (state.alpha == 5) for state in states])
    changed = 1 + np.flatnonzero((walls[1:] != walls[:-1]).any(axis=1))
    assert 900 < changed[-1] < 950
    gaps = sdca.gaps_of(K, rings.y, 5.0, kl.hinge, passes=1400)
    assert np.corrcoef(np.arange(950, 1400), np.log(gaps[950:1400]))[0, 1] < -0.99
    optimum = kl.solve(kl.smo(K, rings.y, 5.0, bias=False), gap=1e-8, max_passes=10_000).primal
    for s, above in ((0.1, 0.024), (1.0, 0.306)):
        run = kl.solve(
            kl.sdca(K, rings.y, 5.0, loss=kl.smoothed_hinge(s)), gap=1e-8, max_passes=5000
        )
        primal = kl.svm_certificate(K, rings.y, run.alpha, 5.0).primal
        assert primal / optimum - 1 == pytest.approx(above, abs=5e-4)
        bound = (200 + 1000 / s) * np.log(1e6)
        took = sdca.gaps_of(K, rings.y, 5.0, kl.smoothed_hinge(s), passes=1500)
        assert 200 * np.argmax(took < 1e-6) < bound
    assert 200 * np.argmax(gaps < 1e-4) < (200 * np.log(200) + 1000 / 1e-4) / 10


# --- further: less work --------------------------------------------------------------------------


def test_the_same_support_vectors_with_and_without_a_bias(digits):
    _, y, K = digits
    support = []
    for gram, bias in ((K, False), (K + 1, False), (K, True)):
        run = kl.solve(kl.smo(gram, y, 1.0, bias=bias), gap=1e-8, max_passes=10_000)
        support.append(np.flatnonzero(run.alpha > 1e-9).tolist())
    assert len(support[0]) == 78 and support[0] == support[1] == support[2]


def test_unfriendly_samples():
    figure = sdca.Staircase(sample="one point, two labels", t=96)
    alpha, margins = figure.numbers["alpha"], figure.numbers["margins"]
    assert (alpha[3:5] == figure.C).all() and abs(margins[3] + margins[4]) < 1e-9
    rings = kl.make_rings(200, 1, noise=0.3)
    states = kl.smo(kl.Gaussian(1.0)(rings.X), rings.y, 1e4, bias=False)
    run = kl.solve(states, gap=1e-3, max_passes=1000)
    assert run.converged and run.alpha.max() < 1e4


# --- further: one grid ---------------------------------------------------------------------------


def test_the_grid_is_a_plateau_for_the_kernel_that_the_source_ran_too():
    train, test = kl.make_outside_circle(seed=12345), kl.make_outside_circle(seed=54321)
    best = []
    for gamma in (0.1, 0.5, 1, 3, 5, 7, 9, 10):
        K, K_test = (np.exp(-gamma * cdist(X, train.X)) for X in (train.X, test.X))
        rates = []
        for lam in (0.1, 0.3, 1.0, 3.2, 5.0, 7.0):
            run = kl.solve(kl.smo(K, train.y, 1 / lam, bias=False), gap=1e-5, max_passes=10_000)
            rates.append(np.mean(test.y * (K_test @ (run.alpha * train.y)) > 0))
        best.append(max(rates))
    assert min(best) >= 0.915 and max(best) <= 0.945


def test_every_width_from_a_half_up_is_as_good_as_any_other():
    for gamma in (0.5, 1.0, 3.0, 5.0, 7.0, 9.0, 10.0):
        training, testing = over_lams(gamma)[1].T
        assert 0.93 <= testing.max() <= 0.96 and training.max() >= 0.99
        error = np.sqrt(testing.max() * (1 - testing.max()) / 100)
        assert 0.96 - testing.max() < 2 * error and error > 0.019


def test_where_one_pass_does_it_all_choosing_only_costs(film):
    y, K, _ = film
    alpha, scores = np.zeros(20), np.zeros(20)
    kl.hinge_pass(K, y, 0.1, alpha, scores, np.random.default_rng(0).permutation(20))
    assert kl.svm_certificate(K, y, alpha, C=0.1).gap < 1e-3
    assert updates_by_largest_area(K, y, C=0.1) == 20
