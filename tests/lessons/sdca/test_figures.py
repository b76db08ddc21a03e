"""The live figures of notebook 05, moved from Python: the numbers must follow, and stay true."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import scipy.optimize
from matplotlib.colors import to_hex
from moves import move

from kernellab.certificates import gap_terms, svm_certificate
from kernellab.draw.style import COLOUR, lecture
from kernellab.kernels import Gaussian
from kernellab.lessons.sdca.figures.coordinate import LABELS, CoordinateParabola
from kernellab.lessons.sdca.figures.gap_by_point import LAST, GapByPoint, N, races
from kernellab.lessons.sdca.figures.other_stairs import (
    COSTS,
    LOSSES,
    ONE_CLASS,
    OtherStairs,
)
from kernellab.lessons.sdca.figures.run_marks import round_up
from kernellab.lessons.sdca.figures.scrubber import UPDATES, Scrubber
from kernellab.lessons.sdca.figures.staircase import SAMPLES, Staircase, rectangles
from kernellab.lessons.sdca.figures.sum_form import SumForm

CLOUDS = "two clouds, Gaussian kernel"


@cache
def made(kind):
    """One figure of a kind for all tests: it costs far more to make one than to move it."""
    return kind()


def area(corners):
    """The shoelace formula."""
    x, y = corners.T
    return abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / 2


def coordinate(similarity, t=0, C=1.25, labels="equal"):
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


# --- the coordinate parabola ---------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("similarity", "labels", "updates"),
    [(0.0, "equal", 2), (0.8, "equal", 61), (0.95, "equal", 258), (0.95, "opposite", 3)],
)
def test_the_button_goes_to_the_star(similarity, labels, updates):
    figure = coordinate(similarity, labels=labels)
    figure.arrive()
    assert figure.t == updates
    np.testing.assert_allclose(figure.numbers["alpha"], figure.numbers["top"], atol=1e-6)


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
    assert figure.numbers["gap"] == pytest.approx(1)  # of that at the start
    for i in (3, 3, 7):
        figure.point = i + 1
        figure.pick()
    assert figure.picks == [4, 4, 8]
    assert figure.run.i.tolist() == [3, 3, 7]
    proof = svm_certificate(figure.K, figure.y, figure.numbers["alpha"], 2.0)
    assert figure.numbers["gap"] == pytest.approx((proof.primal - proof.dual) / (2.0 * N))
    figure.back()
    assert figure.picks == [4, 4]
    figure.restart()
    assert figure.picks == []
    assert not figure.numbers["alpha"].any()


def test_the_chosen_bar_keeps_the_colour_of_its_class_and_has_an_edge():
    figure = gap_by_point()
    for point in (1, N):
        figure.point = point
        for k, bar in enumerate(figure.bars):
            assert to_hex(bar.get_facecolor()) == COLOUR[int(figure.y[k])]
            assert (bar.get_linewidth() > 0) == (k == point - 1)


def test_the_rise_that_is_announced_is_the_rise_that_comes():
    figure = gap_by_point((1, 4, 6, 8, 2))
    announced, dual = figure.numbers["rises"], figure.run.dual[-1]
    for i in (0, 4, 6, 10):
        figure.point = i + 1
        figure.pick()
        assert (figure.run.dual[-1] - dual) / (2.0 * N) == pytest.approx(announced[i], abs=1e-12)
        figure.back()


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


def test_the_dice_draw_an_order_per_pass_until_the_axes_end():
    figure = gap_by_point()
    for _ in range(2 * N):
        figure.roll()
    assert sorted(figure.picks[:N]) == sorted(figure.picks[N:]) == list(range(1, N + 1))
    assert figure.picks[:N] != figure.picks[N:]
    figure.picks += [1] * (LAST - 2 * N - 1)
    for _ in range(2):
        figure.roll()
    assert len(figure.picks) == LAST
    assert figure.numbers["end"]


def test_the_largest_area_first_is_shown_after_ten_updates_of_ones_own():
    figure = gap_by_point([1] * 9)
    for seen in (False, True):
        assert (len(figure.greedy.get_xdata()) > 0) == seen
        assert figure.names.texts[-1].get_visible() == seen
        assert ("always the largest area" in figure.live.alt) == seen
        figure.pick()
    figure.restart()
    assert not len(figure.greedy.get_xdata())


def test_the_dotted_curve_is_what_the_button_plays():
    figure = gap_by_point()
    for gap in races(2.0)[3][:5]:
        assert figure.numbers["gap"] == pytest.approx(gap)
        figure.pick_largest()


# --- the scrubber --------------------------------------------------------------------------------


def test_the_gap_is_never_below_the_truth_and_the_dual_never_falls():
    figure = made(Scrubber)
    for C, gamma in ((0.1, 3.0), (1.0, 100.0), (1000.0, 3.0), (1000.0, 3000.0)):
        figure.C, figure.gamma = C, gamma
        gap, primal, dual = figure.curves
        assert gap[0] == pytest.approx(20 * C)
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
    optimum = figure.run.dual[50] + figure.numbers["dual_lacks"]
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
    assert figure.numbers["gap"] == pytest.approx(figure.run.absolute_gap[-1])
    assert "too high" not in figure.live.alt and np.isnan(figure.gaps[1].get_ydata()).all()
    entries = figure.below.get_legend().texts
    assert [entry.get_visible() for entry in entries] == [True, False, False]
    figure.parts = True
    assert all(entry.get_visible() for entry in entries)
    assert "too high" in figure.live.alt and np.isfinite(figure.gaps[1].get_ydata()).all()


@pytest.mark.parametrize("place", [False, True], ids=["desk", "hall"])
def test_the_legend_lies_above_the_gaps(place):
    lecture(place)
    try:
        figure = Scrubber()
        figure.live._figure.draw_without_rendering()
        box, axes = figure.below.get_legend().get_window_extent(), figure.below.bbox
        assert axes.y1 <= box.y0 + 2  # pixels
        assert axes.x0 <= box.x0 < box.x1 <= axes.x1
    finally:
        lecture(False)


@pytest.mark.parametrize(
    ("value", "limit"), [(0.8, 1), (1, 1), (1.01, 2), (0.03, 0.05), (20, 20), (21, 50), (0, 1)]
)
def test_round_limits(value, limit):
    assert round_up(value) == pytest.approx(limit)


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


def test_one_class_and_nu():
    figure = made(OtherStairs)
    figure.loss, figure.C = ONE_CLASS, 0.3
    assert figure.y.tolist() == [1.0] * 18
    nu = figure.numbers["nu"]
    assert nu == pytest.approx(figure.run.alpha.sum() / (0.3 * 18))
    assert np.mean(figure.numbers["residuals"] > 1e-2) <= nu <= figure.numbers["support"] / 18
    figure.C = 30.0
    assert figure.numbers["nu"] < nu
