"""The live figures of notebook 05, moved from Python: the numbers must follow, and stay true."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import scipy.optimize
from moves import move

from kernellab.certificates import gap_terms, svm_certificate
from kernellab.draw.style import lecture
from kernellab.kernels import Gaussian
from kernellab.lessons.sdca.figures.coordinate import CURVE, LABELS, CoordinateParabola, frame
from kernellab.lessons.sdca.figures.gap_by_point import FLOOR, LAST, GapByPoint, N, races
from kernellab.lessons.sdca.figures.other_stairs import (
    COSTS,
    LOSSES,
    ONE_CLASS,
    TUBE,
    OtherStairs,
    stairs_of,
)
from kernellab.lessons.sdca.figures.scrubber import UPDATES, Scrubber
from kernellab.lessons.sdca.figures.staircase import LEFT, RIGHT, SAMPLES, Staircase, rectangles
from kernellab.lessons.sdca.figures.sum_form import SumForm
from kernellab.live.readout import minus
from kernellab.losses import epsilon_insensitive, hinge, squared

CLOUDS = "two clouds, Gaussian kernel"


@cache
def made(kind):
    """One figure of a kind for all tests: it costs far more to make one than to move it."""
    return kind()


def area(corners):
    """The shoelace formula."""
    x, y = corners.T
    return abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / 2


def coordinate(similarity, t=0, C=1.25, labels="equal: +1, +1"):
    figure = made(CoordinateParabola)
    figure.similarity, figure.C, figure.labels = similarity, C, labels
    move(figure, [(0, 0)])
    figure.t = t
    return figure


def staircase(sample=CLOUDS, t=0):
    figure = made(Staircase)
    figure.sample, figure.C = sample, 2.0
    figure.restart()
    figure.t = t
    return figure


def gap_by_point(picks=(), C=2.0):
    figure = made(GapByPoint)
    figure.configure(picks=picks, C=C)
    return figure


def test_minus_signs_of_numbers_only():
    assert minus("λ-form, -1.5 and 2e-05, .5--.3") == "λ-form, −1.5 and 2e−05, .5-−.3"


# --- the coordinate parabola ---------------------------------------------------------------------


def test_without_similarity_two_updates_are_enough():
    figure = coordinate(0.0)
    for _ in range(2):
        figure.step()
    assert figure.t == 2
    np.testing.assert_allclose(figure.numbers["alpha"], [1, 1])
    assert figure.numbers["gap"] == 0


@pytest.mark.parametrize("similarity", [0.95, 0.5, -0.5])
def test_the_larger_error_shrinks_by_the_similarity(similarity):
    figure = coordinate(similarity, C=1.5)
    best = 1 / (1 + similarity)
    if best < 1.5:
        np.testing.assert_allclose(figure.numbers["top"], best, atol=1e-4)
        errors = np.abs(figure.run.value - best)
        np.testing.assert_allclose(errors[1:8], abs(similarity) * errors[:7], atol=1e-9)
    else:
        np.testing.assert_allclose(figure.numbers["top"], 1.5)


@pytest.mark.parametrize("labels", list(LABELS))
@pytest.mark.parametrize("t", [0, 1, 4])
def test_the_step_is_the_maximum_of_the_dual_along_its_line(labels, t):
    figure = coordinate(0.7, t, labels=labels)
    Q = np.array([[1, 0.7 * LABELS[labels]], [0.7 * LABELS[labels], 1]])
    start, numbers = figure.numbers["alpha"], figure.numbers

    def minus_dual(a):
        alpha = start.copy()
        alpha[t % 2] = a
        return alpha @ Q @ alpha / 2 - alpha.sum()

    found = scipy.optimize.minimize_scalar(
        minus_dual, bounds=(0, 1.25), method="bounded", options={"xatol": 1e-9}
    )
    assert numbers["best"] == pytest.approx(found.x, abs=1e-5)
    assert figure.run.alphas[t + 1, t % 2] == numbers["best"]
    rise = minus_dual(numbers["current"]) - minus_dual(numbers["best"])
    assert numbers["rise"] == pytest.approx(rise, abs=1e-12)
    assert numbers["dual"] == pytest.approx(-minus_dual(numbers["current"]))


def test_the_start_is_dragged_and_stays_in_the_box():
    figure = coordinate(0.8)
    move(figure, [(0.3, 0.9)])
    np.testing.assert_allclose(figure.run.start, [0.3, 0.9])
    move(figure, [(-3, 99)])
    np.testing.assert_allclose(figure.run.start, [0, 1.25])
    figure.C = 0.4
    assert figure.numbers["alpha"].max() <= 0.4


def test_opposite_labels_run_into_the_box():
    figure = coordinate(0.95, 3, labels="opposite: +1, −1")
    assert figure.numbers["alpha"].tolist() == figure.numbers["top"].tolist() == [1.25, 1.25]
    assert figure.numbers["clipped"] == "outside, clipped to 1.250"


def test_a_vertex_out_of_the_picture_is_shown_at_its_edge():
    figure = coordinate(0.95, 2, labels="opposite: +1, −1")
    assert figure.numbers["vertex"] == pytest.approx(1 + 0.95 * 1.25)
    assert figure.vertex.get_xdata() == [CURVE[1]] < [figure.numbers["vertex"]]
    assert figure.inside.get_xdata().min() >= 0
    assert figure.inside.get_xdata().max() <= 1.25


def test_the_line_of_search_goes_through_where_we_are():
    figure = coordinate(0.8, t=3)
    first, second = figure.numbers["alpha"]
    assert set(figure.search.get_xdata()) == {first}  # α₂ moves
    assert (figure.here.get_xdata(), figure.here.get_ydata()) == ([first], [second])


def test_what_lies_outside_the_box():
    parts = frame((-1, 3, -1, 3), 2.0)
    assert sum(area(part) for part in parts) == pytest.approx(16 - 4)


# --- the staircase -------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", list(SAMPLES))
def test_every_update_ends_on_the_stairs_and_the_areas_are_the_gap(sample):
    figure = staircase(sample)
    n = len(figure.y)
    for t in range(0, 2 * n, 2 * n // 5):
        figure.t = t
        assert figure.numbers["gap"] == pytest.approx(figure.run.absolute_gap[t], abs=1e-9)
        margin, alpha = figure.numbers["step_end"]
        on_stairs = [
            abs(margin - 1) < 1e-9,
            alpha == 2.0 and margin <= 1 + 1e-9,
            alpha == 0 and margin >= 1 - 1e-9,
        ]
        assert any(on_stairs)
        i = figure.numbers["i"] - 1
        figure.step()
        assert figure.numbers["margins"][i] == pytest.approx(margin)
        assert figure.numbers["terms"][i] == pytest.approx(0, abs=1e-8)


def test_a_lower_shelf_takes_its_points_along_and_a_higher_one_leaves_them_behind():
    figure = staircase(t=120)
    before, settled = figure.numbers["alpha"], figure.numbers["gap"]
    assert (before == 2.0).sum() >= 2
    assert settled < 0.2
    figure.C = 1.0
    assert figure.t == 0
    np.testing.assert_array_equal(figure.numbers["alpha"], np.minimum(before, 1.0))
    figure.t = 120
    before, settled = figure.numbers["alpha"], figure.numbers["gap"]
    figure.C = 3.0
    np.testing.assert_array_equal(figure.numbers["alpha"], before)  # they hang below the new shelf
    assert figure.numbers["gap"] > settled + 1
    figure.restart()
    assert not figure.numbers["alpha"].any()
    assert figure.numbers["gap"] == pytest.approx(3.0 * 20)
    assert figure.controls["C"].label == "3 (λ = 0.0167)"


def test_buttons_of_the_staircase():
    figure = staircase()
    figure.step()
    assert figure.t == 1
    figure.sweep()
    assert figure.t == 20
    figure.sweep()
    assert figure.t == 40
    figure.t = 240
    assert figure.numbers["end"]
    figure.step()
    assert figure.t == 240


def test_dragging_a_point_is_a_warm_start():
    figure = staircase(t=100)
    before = figure.numbers["alpha"]
    home, X = figure.X, figure.X.copy()
    X[0] += 0.5
    move(figure, X)
    np.testing.assert_array_equal(figure.numbers["alpha"], before)
    assert figure.t == 0
    np.testing.assert_allclose(figure.run.K, figure.kernel(X))
    assert figure.numbers["together"] == ""
    move(figure, np.zeros_like(X))  # all on one spot
    assert figure.numbers["together"].startswith("points with two labels coincide")
    assert figure.numbers["gap"] > 0
    move(figure, home)


def test_no_curvature_means_straight_up():
    numbers = staircase("a point with K_ii = 0, linear kernel", t=5).numbers
    assert (numbers["i"], numbers["K_ii"]) == (1, 0)
    assert numbers["step_end"] == (0.0, 2.0)
    assert numbers["bound"] == 2.0


def test_twins_of_different_classes_end_on_the_shelf():
    figure = staircase("one point, two labels", t=96)
    assert figure.numbers["end"]
    assert figure.numbers["alpha"][3:5].tolist() == [2.0, 2.0]
    margins = figure.numbers["margins"]
    assert margins[3] == pytest.approx(-margins[4])


def test_the_stairs_are_where_they_should_be():
    figure = staircase()
    figure.C = 1.5
    at = [[LEFT, 1.5], [1, 1.5], [1, 0], [RIGHT, 0]]
    assert figure.stairs.get_xydata().tolist() == at
    assert len(figure.gap_areas.get_paths()) == 20


def test_rectangles_have_the_area_of_the_gap_terms():
    rng = np.random.default_rng(0)
    margins, alpha, C = rng.uniform(-2, 3, 50), rng.uniform(0, 2, 50), 2.0
    y = rng.choice([-1.0, 1.0], 50)
    terms = gap_terms(y * margins, y, alpha, C)
    np.testing.assert_allclose([area(r) for r in rectangles(margins, alpha, C)], terms)
    assert rectangles(np.ones(1), np.ones(1), C)[0, :, 0].tolist() == [1, 1, 1, 1]


# --- the gap by point ----------------------------------------------------------------------------


def test_picks_are_made_as_chosen():
    figure = gap_by_point()
    assert figure.numbers["gap"] == pytest.approx(1)  # in λ-form, at α = 0
    for i in (3, 3, 7):
        figure.point = i + 1
        figure.pick()
    assert figure.picks == [3, 3, 7]
    assert figure.run.i.tolist() == [3, 3, 7]
    proof = svm_certificate(figure.K, figure.y, figure.numbers["alpha"], 2.0)
    assert figure.numbers["gap"] == pytest.approx((proof.primal - proof.dual) / (2.0 * N))
    figure.back()
    assert figure.picks == [3, 3]
    figure.restart()
    assert figure.picks == []
    assert not figure.numbers["alpha"].any()


def test_the_rise_that_is_announced_is_the_rise_that_comes():
    figure = gap_by_point((0, 3, 5, 7, 1))
    announced, dual = figure.numbers["rises"], figure.run.dual[-1]
    for i in (0, 4, 6, 10):
        figure.point = i + 1
        figure.pick()
        assert (figure.run.dual[-1] - dual) / (2.0 * N) == pytest.approx(announced[i], abs=1e-12)
        figure.back()


def test_the_largest_term_is_taken():
    figure = gap_by_point((0, 3, 5))
    largest = int(figure.numbers["terms"].argmax())
    figure.pick_largest()
    assert figure.picks[-1] == largest
    assert figure.point == largest + 1


def test_the_grip_chooses_a_point_and_the_slider_moves_the_grip():
    figure = gap_by_point()
    move(figure, [(6.7, 0.1)])
    assert figure.point == 7
    assert figure.live.at.tolist() == [[7, 0.55]]
    move(figure, [(-50, 0)])
    assert figure.point == 1
    figure.point = 12
    assert figure.live.at.tolist() == [[12, 0.55]]
    assert figure.numbers["alpha_of_point"] == figure.numbers["alpha"][11]


def test_the_dice_and_the_end_of_the_axes():
    figure = gap_by_point()
    for _ in range(5):
        figure.roll()
    assert len(set(figure.picks)) > 2
    figure.picks += [0] * (LAST - 6)
    for _ in range(2):
        figure.roll()
    assert len(figure.picks) == LAST
    assert figure.numbers["end"]


def test_the_race_is_of_honest_runs():
    low, middle, high, greedy = races(2.0)
    assert len(low) == LAST + 1
    assert middle[0] == greedy[0] == pytest.approx(1)
    assert np.all(low <= middle)
    assert np.all(middle <= high)
    figure = gap_by_point()
    for t in range(5):
        assert max(figure.numbers["gap"], FLOOR) == pytest.approx(greedy[t])
        figure.pick_largest()


def test_another_cost():
    figure = gap_by_point((1, 2))
    figure.C = 10.0
    alpha = figure.numbers["alpha"]
    terms = gap_terms(figure.run.scores[-1], figure.y, alpha, 10.0) / (10.0 * N)
    np.testing.assert_allclose(figure.numbers["terms"], terms)


def test_layers_lie_on_one_another():
    figure = gap_by_point((1, 2))
    np.testing.assert_allclose(figure.total.get_ydata(), figure.run.absolute_gap / (2.0 * N))
    figure.restart()  # before the first update: a column
    np.testing.assert_allclose(figure.total.get_ydata(), [1, 1])
    assert figure.total.get_xdata()[0] < 0


# --- the scrubber --------------------------------------------------------------------------------


def test_the_gap_is_never_below_the_truth_and_the_dual_never_falls():
    figure = made(Scrubber)
    for C, gamma in ((0.1, 3.0), (1.0, 100.0), (1000.0, 3.0), (1000.0, 3000.0)):
        figure.C, figure.gamma = C, gamma
        gap, primal, dual = figure.curves
        assert gap[0] == pytest.approx(1)
        assert np.all(gap >= primal - 1e-9)
        assert np.all(gap >= dual - 1e-9)
        assert np.all(np.diff(figure.run.dual) >= -1e-9)


def test_the_optimum_of_the_scrubber_is_one():
    figure = made(Scrubber)
    figure.C, figure.gamma, figure.t = 1.0, 100.0, 50
    y, K = figure.y, Gaussian(100.0)(figure.x[:, np.newaxis])

    def minus_dual(alpha):
        return (alpha * y) @ K @ (alpha * y) / 2 - alpha.sum()

    found = scipy.optimize.minimize(
        minus_dual, np.full(20, 0.5), bounds=[(0, 1)] * 20, options={"ftol": 1e-13}
    )
    optimum = figure.run.dual[50] + 20 * figure.numbers["dual_lacks"]
    assert optimum == pytest.approx(-found.fun, rel=1e-5)


def test_scrubbing_and_dials():
    figure = made(Scrubber)
    figure.C, figure.gamma, figure.t = 100.0, 100.0, 0
    figure.step()
    assert np.count_nonzero(figure.numbers["alpha"]) == 1
    figure.t = UPDATES
    first = figure.numbers["alpha"]
    figure.gamma = 1000.0
    assert not np.array_equal(figure.numbers["alpha"], first)
    assert figure.controls["gamma"].label == "1000 (σ = 0.0224)"
    figure.C = 0.3
    assert figure.numbers["alpha"].max() <= 0.3
    assert figure.second.get_ylim()[1] >= 2 * figure.numbers["longest"]
    assert 20 * 0.3 * figure.numbers["gap"] == pytest.approx(figure.run.absolute_gap[-1])


@pytest.mark.parametrize("place", [False, True], ids=["desk", "hall"])
def test_the_key_lies_below_the_gaps(place):
    lecture(place)
    try:
        figure = Scrubber()
        figure.live._figure.draw_without_rendering()
        key = figure.key.get_window_extent()
        assert key.y1 < figure.key.axes.transData.transform((0, 1e-4))[1]
    finally:
        lecture(False)


# --- the experiment in sum form ------------------------------------------------------------------


def test_the_sum_form_is_solved():
    figure = made(SumForm)
    figure.gamma, figure.lam = 5.0, 0.5
    K = Gaussian(5.0)(figure.train.X)
    assert svm_certificate(K, figure.train.y, figure.numbers["alpha"], 2.0).gap < 1e-5
    before = figure.numbers["on_train"]
    figure.lam = 10.0
    assert figure.numbers["on_train"] < before


# --- other losses --------------------------------------------------------------------------------


@pytest.mark.parametrize("C", [COSTS[0], 3.0])
def test_points_end_on_the_stairs_of_their_loss(C):
    figure = made(OtherStairs)
    figure.C, figure.width = C, 0.3
    for name in LOSSES:
        figure.loss = name
        check_the_stairs(figure, LOSSES[name](0.3), C)


def check_the_stairs(figure, loss, C):
    variables = figure.numbers["coef"] if loss.signed else figure.run.alpha
    K = Gaussian(60.0)(figure.live.at[:, :1])
    proof = svm_certificate(K, figure.y, variables, C, loss=loss)
    assert proof.gap <= 1e-4
    residuals, share = figure.numbers["residuals"], figure.numbers["share"]
    low, high = loss.optimal_residuals(share)
    off = np.maximum(low - residuals, residuals - high)
    inside = (np.abs(share) > 1e-3) & (np.abs(share) < 0.999)
    assert off[inside].max(initial=0) < 0.05


def test_the_stairs_of_losses():
    line = stairs_of(hinge)
    assert line[:, 1].min() == 0
    assert line[:, 1].max() == 1
    assert set(np.round(line[(line[:, 1] > 0) & (line[:, 1] < 1), 0], 9)) == {0}
    tube = stairs_of(epsilon_insensitive(0.2))
    flat = tube[tube[:, 1] == 0, 0]
    assert (flat.min(), flat.max()) == (-0.2, 0.2)
    ramp = stairs_of(squared)
    np.testing.assert_allclose(ramp[:, 1], 2 * ramp[:, 0], atol=1e-12)


def test_one_class_and_nu():
    figure = made(OtherStairs)
    figure.loss, figure.C = ONE_CLASS, 0.3
    assert figure.y.tolist() == [1.0] * 18
    nu = figure.numbers["nu"]
    assert nu == pytest.approx(figure.run.alpha.sum() / (0.3 * 18))
    assert np.mean(figure.numbers["residuals"] > 1e-2) <= nu <= figure.numbers["support"] / 18
    figure.C = 30.0
    assert figure.numbers["nu"] < nu


def test_dragging_and_choosing():
    figure = made(OtherStairs)
    figure.C, figure.width, figure.loss = 3.0, 0.2, "hinge"
    figure.loss = TUBE
    points = figure.live.at
    points[4, 1] = 1.9
    move(figure, points)
    assert figure.numbers["residuals"][4] > 0.3
    assert figure.numbers["share"][4] == 1
    figure.loss = "hinge"
    points = figure.live.at
    label = figure.y[0]
    points[0, 1] *= -1
    move(figure, points)
    assert figure.y[0] == -label
    points = np.tile([0.5, 1.0], (18, 1))
    move(figure, points)  # one class, one place
    assert figure.numbers["together"] == "18 points coincide"
    points[3, 1] = -1.0
    move(figure, points)
    assert figure.numbers["together"] == "points with two labels coincide: no f meets both"
    figure.loss, figure.width = "smoothed hinge", 0.0  # is taken as a very small s
    assert figure.live.error == ""
