"""The live figures of notebook 05, moved from Python: the numbers must follow, and stay true."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import scipy.optimize
from moves import move

from kernellab.certificates import gap_terms, svm_certificate
from kernellab.lessons.sdca.figures import scrubber, sum_form
from kernellab.lessons.sdca.figures.coordinate import LABELS, CoordinateParabola
from kernellab.lessons.sdca.figures.gap_by_point import FLOOR, LAST, GapByPoint, N, races
from kernellab.lessons.sdca.figures.other_stairs import (
    COSTS,
    LOSSES,
    ONE_CLASS,
    OtherStairs,
    stairs_of,
)
from kernellab.lessons.sdca.figures.scrubber import UPDATES, Scrubber
from kernellab.lessons.sdca.figures.staircase import SAMPLES, Staircase
from kernellab.lessons.sdca.figures.sum_form import LAMS, SumForm
from kernellab.live.readout import minus
from kernellab.losses import epsilon_insensitive, hinge, squared

CLOUDS = "two clouds, Gaussian kernel"


@cache
def made(kind):
    """One figure of a kind for all tests: it costs far more to make one than to move it."""
    return kind()


def coordinate(similarity, t=0, C=1.25, labels="equal: +1, +1"):
    figure = made(CoordinateParabola)
    figure.similarity.value, figure.C.value, figure.labels.value = similarity, C, labels
    move(figure, [(0, 0)])
    figure.t.value = t
    return figure


def staircase(sample=CLOUDS, t=0):
    figure = made(Staircase)
    figure.sample.value, figure.C.value = sample, 2.0
    figure.restart()
    figure.t.value = t
    return figure


def gap_by_point(picks=(), C=2.0):
    figure = made(GapByPoint)
    figure.picks[:], figure.C.value = picks, C
    figure.live.redraw(sharp=True)
    return figure


def test_minus_signs_of_numbers_only():
    assert minus("λ-form, -1.5 and 2e-05, .5--.3") == "λ-form, −1.5 and 2e−05, .5-−.3"


# --- the coordinate parabola ---------------------------------------------------------------------


def test_without_similarity_two_updates_are_enough():
    figure = coordinate(0.0)
    for _ in range(2):
        figure.step()
    assert figure.t.value == 2
    np.testing.assert_allclose(figure.alpha, [1, 1])
    assert figure.run.gap[2] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("similarity", [0.95, 0.5, -0.5])
def test_the_larger_error_shrinks_by_the_similarity(similarity):
    figure = coordinate(similarity, C=1.5)
    best = 1 / (1 + similarity)
    if best < 1.5:
        np.testing.assert_allclose(figure.top, best, atol=1e-4)
        errors = np.abs(figure.run.value - best)
        np.testing.assert_allclose(errors[1:8], abs(similarity) * errors[:7], atol=1e-9)
    else:
        np.testing.assert_allclose(figure.top, 1.5)


@pytest.mark.parametrize("labels", list(LABELS))
@pytest.mark.parametrize("t", [0, 1, 4])
def test_the_step_is_the_maximum_of_the_dual_along_its_line(labels, t):
    figure = coordinate(0.7, t, labels=labels)
    Q = figure.K * np.outer(figure.y, figure.y)

    def minus_dual(a):
        alpha = figure.alpha.copy()
        alpha[figure.coordinate] = a
        return alpha @ Q @ alpha / 2 - alpha.sum()

    bounds = (0, figure.C.value)
    found = scipy.optimize.minimize_scalar(
        minus_dual, bounds=bounds, method="bounded", options={"xatol": 1e-9}
    )
    assert figure.next.best == pytest.approx(found.x, abs=1e-5)
    assert figure.run.alphas[t + 1, figure.coordinate] == figure.next.best
    now = figure.alpha[figure.coordinate]
    assert figure.next(now) == pytest.approx(-minus_dual(now))


def test_the_start_is_dragged_and_stays_in_the_box():
    figure = coordinate(0.8)
    move(figure, [(0.3, 0.9)])
    np.testing.assert_allclose(figure.run.start, [0.3, 0.9])
    move(figure, [(-3, 99)])
    np.testing.assert_allclose(figure.run.start, [0, 1.25])
    figure.C.value = 0.4
    assert figure.alpha.max() <= 0.4
    assert "clipped" in figure.live.readout or "inside the box" in figure.live.readout


def test_opposite_labels_run_into_the_box():
    figure = coordinate(0.95, 3, labels="opposite: +1, −1")
    np.testing.assert_allclose(figure.alpha, figure.top)
    assert figure.alpha.tolist() == [1.25, 1.25]
    assert "outside, clipped to 1.250" in figure.live.readout


# --- the staircase -------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", list(SAMPLES))
def test_every_update_ends_on_the_stairs_and_the_areas_are_the_gap(sample):
    figure = staircase(sample)
    n = len(figure.y)
    for t in range(0, 2 * n, 2 * n // 5):
        figure.t.value = t
        assert figure.terms.sum() == pytest.approx(figure.run.gap[t], abs=1e-9)
        margin, alpha = figure.way_end
        C = figure.C.value
        on_stairs = [
            abs(margin - 1) < 1e-9,
            alpha == C and margin <= 1 + 1e-9,
            alpha == 0 and margin >= 1 - 1e-9,
        ]
        assert any(on_stairs)
        i = figure.next
        figure.t.value = t + 1
        assert figure.margins[i] == pytest.approx(margin)
        assert figure.terms[i] == pytest.approx(0, abs=1e-8)
    assert figure.live.error == ""


def test_a_lower_shelf_takes_its_points_along_and_a_higher_one_leaves_them_behind():
    figure = staircase(t=120)
    shelf = figure.alpha == 2.0
    assert shelf.sum() >= 2
    assert figure.terms.sum() < 0.2
    before = figure.alpha.copy()
    figure.C.value = 1.0
    assert figure.t.value == 0
    np.testing.assert_array_equal(figure.alpha, np.minimum(before, 1.0))
    figure.t.value = 120
    before = figure.alpha.copy()
    settled = figure.terms.sum()
    figure.C.value = 3.0
    np.testing.assert_array_equal(figure.alpha, before)  # they hang below the new shelf
    assert figure.terms.sum() > settled + 1
    figure.restart()
    assert not figure.alpha.any()
    assert figure.terms.sum() == pytest.approx(3.0 * 20)
    assert "C = 3 (λ = 0.0167)" in figure.live.readout


def test_buttons_of_the_staircase():
    figure = staircase()
    figure.step()
    assert figure.t.value == 1
    figure.sweep()
    assert figure.t.value == 20
    figure.sweep()
    assert figure.t.value == 40
    figure.t.value = figure.t.max
    assert "recording ends" in figure.live.readout
    figure.step()
    assert figure.t.value == figure.t.max


def test_dragging_a_point_is_a_warm_start():
    figure = staircase(t=100)
    before = figure.alpha.copy()
    home, X = figure.X, figure.X.copy()
    X[0] += 0.5
    move(figure, X)
    np.testing.assert_array_equal(figure.alpha, before)
    assert figure.t.value == 0
    np.testing.assert_allclose(figure.run.K, figure.kernel(X))
    assert "coincide" not in figure.live.readout
    move(figure, np.zeros_like(X))  # all on one spot
    assert figure.live.error == ""
    assert "two labels coincide: their margins sum to 0" in figure.live.readout
    assert figure.terms.sum() > 0
    move(figure, home)


def test_no_curvature_means_straight_up():
    figure = staircase("a point with K_ii = 0, linear kernel", t=5)
    assert figure.next == 0
    assert figure.run.K[0, 0] == 0
    assert figure.way_end == (0.0, 2.0)
    assert "K_ii = 0, no slope: it jumps to the bound, 2.00" in figure.live.readout


def test_twins_of_different_classes_end_on_the_shelf():
    figure = staircase("one point, two labels")
    figure.t.value = figure.t.max
    assert figure.alpha[3:5].tolist() == [2.0, 2.0]
    assert figure.margins[3] == pytest.approx(-figure.margins[4])


# --- the gap by point ----------------------------------------------------------------------------


def test_picks_are_made_as_chosen():
    figure = gap_by_point()
    assert figure.gap == pytest.approx(1)  # in λ-form, at α = 0
    for i in (3, 3, 7):
        figure.point.value = i + 1
        figure.pick()
    assert figure.picks == [3, 3, 7]
    assert figure.run.i.tolist() == [3, 3, 7]
    proof = svm_certificate(figure.K, figure.y, figure.alpha, 2.0)
    assert figure.gap == pytest.approx((proof.primal - proof.dual) / (2.0 * N))
    figure.back()
    assert figure.picks == [3, 3]
    figure.restart()
    assert figure.picks == []
    assert not figure.alpha.any()


def test_the_rise_that_is_announced_is_the_rise_that_comes():
    figure = gap_by_point((0, 3, 5, 7, 1))
    announced = figure.rises.copy()
    dual = figure.run.dual[-1]
    for i in (0, 4, 6, 10):
        figure.point.value = i + 1
        figure.pick()
        assert (figure.run.dual[-1] - dual) / (2.0 * N) == pytest.approx(announced[i], abs=1e-12)
        figure.back()


def test_the_largest_term_is_taken():
    figure = gap_by_point((0, 3, 5))
    largest = int(figure.terms.argmax())
    figure.pick_largest()
    assert figure.picks[-1] == largest
    assert figure.point.value == largest + 1


def test_the_grip_chooses_a_point_and_the_slider_moves_the_grip():
    figure = gap_by_point()
    move(figure, [(6.7, 0.1)])
    assert figure.point.value == 7
    assert figure.live.at.tolist() == [[7, 0.55]]
    move(figure, [(-50, 0)])
    assert figure.point.value == 1
    figure.point.value = 12
    assert figure.live.at.tolist() == [[12, 0.55]]
    assert "point 12" in figure.live.readout


def test_the_dice_and_the_end_of_the_axes():
    figure = gap_by_point()
    for _ in range(5):
        figure.roll()
    assert len(set(figure.picks)) > 2
    figure.picks += [0] * (LAST - 6)
    for _ in range(2):
        figure.roll()
    assert len(figure.picks) == LAST
    assert "start again" in figure.live.readout


def test_the_race_is_of_honest_runs():
    low, middle, high, greedy = races(2.0)
    assert len(low) == LAST + 1
    assert middle[0] == greedy[0] == pytest.approx(1)
    assert np.all(low <= middle)
    assert np.all(middle <= high)
    figure = gap_by_point()
    for t in range(5):
        assert max(figure.gap, FLOOR) == pytest.approx(greedy[t])
        figure.pick_largest()
    assert np.argmax(greedy <= 0.1) == 9
    assert np.argmax(middle <= 0.1) == 38


def test_another_cost():
    figure = gap_by_point((1, 2))
    figure.C.value = 10.0
    assert figure.picks == [1, 2]
    assert "C = 10 (λ = 0.00833)" in figure.live.readout
    terms = gap_terms(figure.run.scores[-1], figure.y, figure.alpha, 10.0) / (10.0 * N)
    np.testing.assert_allclose(figure.terms, terms)


# --- the scrubber --------------------------------------------------------------------------------


def test_the_gap_is_never_below_the_truth_and_the_dual_never_falls():
    figure = made(Scrubber)
    for C, gamma in ((0.1, 3.0), (1.0, 100.0), (1000.0, 3.0), (1000.0, 3000.0)):
        figure.C.value, figure.gamma.value = C, gamma
        assert figure._recorded == (C, gamma)
        gap, primal, dual = figure.curves
        assert gap[0] == pytest.approx(1)
        assert np.all(gap >= primal - 1e-9)
        assert np.all(gap >= dual - 1e-9)
        assert np.all(np.diff(figure.run.dual) >= -1e-9)


def test_the_optimum_of_the_scrubber_is_one():
    figure = made(Scrubber)
    figure.C.value, figure.gamma.value = 1.0, 100.0
    y, K = figure.data.y, figure.run.K

    def minus_dual(alpha):
        return (alpha * y) @ K @ (alpha * y) / 2 - alpha.sum()

    found = scipy.optimize.minimize(
        minus_dual, np.full(20, 0.5), bounds=[(0, 1)] * 20, options={"ftol": 1e-13}
    )
    assert figure.optimum == pytest.approx(-found.fun, rel=1e-5)


def test_scrubbing_and_dials():
    figure = made(Scrubber)
    figure.C.value, figure.gamma.value, figure.t.value = 100.0, 100.0, 0
    assert "before the first update" in figure.live.readout
    figure.step()
    assert np.count_nonzero(figure.alpha) == 1
    figure.t.value = UPDATES
    assert figure.curve.n_stems == 20
    first = figure.alpha.copy()
    figure.gamma.value = 1000.0
    assert not np.array_equal(figure.alpha, first)
    assert "γ = 1000 (σ = 0.0224)" in figure.live.readout
    figure.C.value = 0.3
    assert figure.alpha.max() <= 0.3
    assert "C = 0.3 (λ = 0.167)" in figure.live.readout
    assert figure.second.get_ylim()[1] >= 2 * figure.alpha.max()
    assert scrubber.N * figure.C.value * figure.curves[0, -1] == pytest.approx(figure.run.gap[-1])


# --- the experiment in sum form ------------------------------------------------------------------


def test_the_sum_form_is_solved():
    figure = made(SumForm)
    figure.gamma.value, figure.lam.value = 5.0, int(np.argmin(np.abs(LAMS - 0.5)))
    K = sum_form.Gaussian(5.0)(figure.train.X)
    assert svm_certificate(K, figure.train.y, figure.alpha, 2.0).gap < 1e-5
    assert "C = 2, λ = 0.005" in figure.live.readout
    before = figure.on_train
    figure.lam.value = len(LAMS) - 1
    assert LAMS[figure.lam.value] == 10.0
    assert figure.on_train < before


def test_accuracies_of_the_text():
    figure = made(SumForm)
    figure.gamma.value, figure.lam.value = 0.5, int(np.argmin(np.abs(LAMS - 0.1)))
    assert round(figure.on_test, 2) == 0.96
    figure.gamma.value = 7.0
    assert round(figure.on_test, 2) == 0.94
    assert figure.error == pytest.approx(np.sqrt(0.94 * 0.06 / 100))


# --- other losses --------------------------------------------------------------------------------


@pytest.mark.parametrize("C", [COSTS[0], 3.0])
def test_points_end_on_the_stairs_of_their_loss(C):
    figure = made(OtherStairs)
    figure.C.value, figure.width.value = C, 0.3
    for name in LOSSES:
        figure.loss.value = name
        check_the_stairs(figure, LOSSES[name](0.3), C)


def check_the_stairs(figure, loss, C):
    variables = figure.coef if loss.signed else figure.run.alpha
    K = sum_form.Gaussian(60.0)(figure.live.at[:, :1])
    proof = svm_certificate(K, figure.y, variables, C, loss=loss)
    assert proof.gap <= 1e-4
    low, high = loss.residuals_for(figure.share)
    off = np.maximum(low - figure.residuals, figure.residuals - high)
    inside = (np.abs(figure.share) > 1e-3) & (np.abs(figure.share) < 0.999)
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
    figure.loss.value, figure.C.value = ONE_CLASS, 0.3
    assert figure.y.tolist() == [1.0] * 18
    nu = figure.run.alpha.sum() / (0.3 * 18)
    assert f"ν = Σα/(Cn) = {nu:.2f}" in figure.live.readout
    assert np.mean(figure.residuals > 1e-2) <= nu <= np.mean(figure.run.alpha > 0)
    figure.C.value = 30.0
    assert figure.run.alpha.sum() / (30.0 * 18) < nu


def test_dragging_and_choosing():
    figure = made(OtherStairs)
    figure.C.value, figure.width.value = 3.0, 0.2
    figure.loss.value = "hinge"
    figure.loss.value = "regression, ε-insensitive"
    points = figure.live.at
    points[4, 1] = 1.9
    move(figure, points)
    assert figure.residuals[4] > 0.3
    assert figure.share[4] == 1
    figure.loss.value = "hinge"
    points = figure.live.at
    label = figure.y[0]
    points[0, 1] *= -1
    move(figure, points)
    assert figure.y[0] == -label
    move(figure, np.tile([0.5, 1.0], (18, 1)))  # one class, one place
    assert figure.live.error == ""
    assert "18 points coincide" in figure.live.readout
    points = np.tile([0.5, 1.0], (18, 1))
    points[3, 1] = -1.0
    move(figure, points)
    assert "two labels coincide: no f meets both" in figure.live.readout
    figure.loss.value = "smoothed hinge"
    figure.width.value = 0.0  # is taken as a very small s
    assert figure.live.error == ""
