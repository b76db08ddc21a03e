"""The live figures of notebook 02: numbers after moving controls and points, and bad moves."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from kernellab.lessons.margin.figures.bands import HALF_MARGINS, NAMES, Bands, X, Y
from kernellab.lessons.margin.figures.c_path import AlphaPath
from kernellab.lessons.margin.figures.class_weights import C_COMMON, RATIOS, ClassWeights
from kernellab.lessons.margin.figures.class_weights import Y as RARE_AND_COMMON
from kernellab.lessons.margin.figures.dual_surface import DualWalk, at_height, dual, slope
from kernellab.lessons.margin.figures.dual_surface import top as top_at
from kernellab.lessons.margin.figures.hulls import SAMPLES as HULL_SAMPLES
from kernellab.lessons.margin.figures.hulls import Hulls
from kernellab.lessons.margin.figures.kkt import KKT
from kernellab.lessons.margin.figures.one_constraint import A, OneConstraint, least
from kernellab.lessons.margin.figures.soft_margin import SoftMargin
from kernellab.solvers.hard_margin import hard_margin

pytestmark = pytest.mark.usefixtures("drawn_at_the_end")


def drag(figure, *points):
    """Move grips as a hand does; later grips stay where they are."""
    at = figure.live.at
    at[: len(points)] = points
    move = figure.live.points["move"] + 1
    figure.live.points = {"move": move, "at": at.tolist()}
    assert figure.live.error == "", figure.live.last_traceback


# --- bands ---------------------------------------------------------------------------------------


def test_a_band_ends_at_the_nearest_example():
    figure = Bands()
    for name, expected in zip(NAMES, HALF_MARGINS, strict=True):
        figure.line = name
        assert figure.numbers["half_margin"] == pytest.approx(expected)
        margins = Y * (X @ figure.numbers["w"] + figure.numbers["b"])
        assert margins.min() == pytest.approx(1)  # scaled so
    found = hard_margin(X, Y)
    middle, along = -found.b * found.w / (found.w @ found.w), [-found.w[1], found.w[0]]
    drag(figure, middle, middle + along)
    assert figure.numbers["half_margin"] == pytest.approx(found.half_margin)
    assert len(figure.points.ring.get_offsets()) == 3  # all that touch
    assert "dashed: the widest, 1.45" in figure.live.readout and figure.goal.get_visible()
    drag(figure, middle, middle)  # one grip on the other
    assert np.isfinite(figure.numbers["half_margin"])
    drag(figure, (4.0, 0.0), (4.0, 1.0))
    assert figure.numbers["half_margin"] < 0 and "6 on the wrong side" in figure.live.readout
    assert not figure.band.get_visible() and not figure.goal.get_visible()
    figure.load("line C")
    assert figure.numbers["half_margin"] == pytest.approx(max(HALF_MARGINS))
    figure.load("the widest")
    assert figure.numbers["half_margin"] == pytest.approx(found.half_margin)


# --- one constraint ------------------------------------------------------------------------------


@pytest.mark.parametrize("m", [-1.0, 0.0, 0.5, 2.0])
def test_the_ball_rests_where_a_general_solver_puts_it(m):
    figure = OneConstraint(m=m)
    fence = {"type": "ineq", "fun": lambda w: A @ w - m}
    answer = minimize(lambda w: w @ w / 2, [2.0, 2.0], constraints=fence)
    np.testing.assert_allclose(figure.numbers["w"], answer.x, atol=1e-6)
    assert figure.numbers["cost"] == pytest.approx(answer.fun, abs=1e-6)
    step = 1e-6
    price = (least(m + step) - least(m - step)) / (2 * step)
    assert figure.numbers["alpha"] == pytest.approx(price, abs=1e-5)
    assert figure.numbers["alpha"] * figure.numbers["room"] == 0
    assert figure.dearer.get_xdata().min() == m  # a cheaper fence is not shown before it is asked


def test_the_fence_is_dragged():
    figure = OneConstraint()
    assert np.hypot(*(figure.grips()[0] - figure.numbers["w"])) > 1  # the ball does not hide it
    drag(figure, (-0.4, -0.2))
    np.testing.assert_array_equal(figure.held.get_xydata(), figure.live.at)  # drawn in its halo
    np.testing.assert_allclose(figure.grips() @ A, -0.5)
    assert figure.m == pytest.approx(-0.5) and figure.numbers["alpha"] == 0
    assert figure.numbers["room"] == pytest.approx(0.5)


# --- the KKT table -------------------------------------------------------------------------------


def test_the_table_turns_as_w_and_t_move():
    figure = KKT()
    assert figure.numbers["margins"].tolist() == [1.5, 0.5, 1.5]
    assert not figure.numbers["met"][1] and figure.numbers["met"][0] and figure.numbers["met"][2]
    figure.w1, figure.w2 = 0.0, -0.5  # the answer, without its multipliers
    assert figure.numbers["margins"].tolist() == [1.0, 1.0, 1.0]
    assert all(figure.numbers["met"][:3]) and figure.numbers["n_met"] == 10  # but w = Σ α y x
    figure.b = -0.5  # b moves the two classes' margins against each other
    assert figure.numbers["margins"].tolist() == [1.5, 1.5, 0.5]
    assert figure.numbers["verdict"] == "violated: margin 3, w = Σ α y x"
    assert "½‖w‖² = 0.125 (not allowed)" in figure.live.readout
    figure.b = 0.0
    figure.alpha2 = 0.125
    assert figure.numbers["n_met"] == 9  # now Σ α y = 0 fails too
    figure.alpha3 = 0.125
    assert figure.numbers["n_met"] == 11
    assert figure.numbers["verdict"] == "this is the widest margin"
    assert figure.numbers["dual"] == pytest.approx(1 / 8)


def test_dual_feasibility_and_slackness_can_be_violated():
    figure = KKT(w1=0.0, w2=-1.0, alpha2=0.1, alpha3=0.1)
    assert not figure.numbers["met"][9] and not figure.numbers["met"][10]  # margins 2, α > 0
    figure.alpha1 = -0.1
    assert not figure.numbers["met"][3]
    assert figure.numbers["no_dual"]


def test_grips_set_w_and_b_and_the_sliders_follow():
    figure = KKT()
    drag(figure, (0.0, 0.0), (0.0, -2.0))
    assert figure.numbers["w"] == pytest.approx([0, -0.5]) and figure.numbers["b"] == 0
    assert [figure.controls[name].value for name in figure.linked] == pytest.approx([0, -0.5, 0])
    drag(figure, (0.0, 1.0), (0.0, -1.0))  # the line through (0, 1)
    assert figure.numbers["b"] == pytest.approx(0.5)
    np.testing.assert_allclose(figure.numbers["margins"], [0.5, 0.5, 1.5])


def test_a_hand_sets_more_than_a_slider_can_show():
    figure = KKT()
    drag(figure, (0.0, 0.0), (0.0, -0.3))
    assert figure.w2 == pytest.approx(-1 / 0.3)
    assert figure.controls["w2"].value == -1.5
    figure.w1 = 0.5  # and a slider takes it all back to what the sliders show
    assert figure.w2 == -1.5


def test_grips_on_top_of_each_other_are_the_shortest_arrow():
    figure = KKT(w1=0.0, w2=-0.5)
    drag(figure, (1.0, 1.0), (1.0, 1.0))
    assert figure.numbers["w"] == pytest.approx([0, -10]) and figure.b == pytest.approx(10)
    figure.w2 = 0.0
    assert figure.numbers["no_line"] == "w = 0: no line"
    drag(figure, (1.0, 1.0), (1.0, 1.0))  # and no way to point
    assert figure.numbers["no_line"] == "w = 0: no line"
    figure.w1 = 0.5  # and a slider recovers
    assert figure.numbers["half_margin"] == 2


# --- the dual surface ----------------------------------------------------------------------------


def test_the_heights_are_those_of_the_dual():
    a1, a2 = np.meshgrid(*2 * [np.linspace(-0.1, 0.3, 5)])
    formula = 2 * a1 + 2 * a2 - 10 * a1**2 - 16 * a1 * a2 - 8 * a2**2
    np.testing.assert_allclose(dual(at_height(2), a1, a2), formula, atol=1e-12)
    formula = 2 * a1 + 2 * a2 - (29 * a1**2 + 40 * a1 * a2 + 16 * a2**2) / 2
    np.testing.assert_allclose(dual(at_height(3), a1, a2), formula, atol=1e-12)
    figure = DualWalk()
    start, end = figure.uphill.xyann, figure.uphill.xy
    np.testing.assert_allclose(start, [0.1, 0.05])
    np.testing.assert_allclose(end - start, 0.035 * (2 - np.array([2.8, 2.4])))  # along 2 − Q a
    figure = DualWalk(height=3.0, alpha1=0.0, alpha2=0.125)
    arrow = figure.uphill.xy - figure.uphill.xyann
    np.testing.assert_allclose(arrow, [-0.03, 0], atol=1e-9)  # never hidden by the dot


@pytest.mark.parametrize("height", [1.0, 1.5, 2.0, 2.5, 3.0])
def test_the_top_moves_over_the_border_as_point_1_is_lifted(height):
    h = height - 2
    top = np.array([-h / 8, (2 + h) ** 2 / 32])
    np.testing.assert_allclose(slope(at_height(height), np.append(top, top.sum())), 0, atol=1e-12)
    figure = DualWalk(height=height, alpha1=top[0], alpha2=top[1])
    assert ("not allowed" in figure.numbers["where"]) == (h > 0)
    np.testing.assert_allclose(top_at(height)[:2], top)
    if figure.alpha2 == pytest.approx(top[1]):  # a whole step
        np.testing.assert_allclose(figure.numbers["margins"], 1, atol=1e-9)
        does = "pushes" if h < 0 else "just touches" if h == 0 else "pulls"
        assert figure.line.line.words.get_text() == f"point 1 {does}"
    figure.alpha1, figure.alpha2 = 0.0, 1 / 8
    assert ("the top of what is allowed" in figure.numbers["where"]) == (h > 0)
    figure.alpha1 = figure.alpha2 = 0.0
    assert figure.numbers["no_line"] == "w = 0: no line"


def test_another_height_has_another_map():
    figure = DualWalk()
    before = figure._drawn
    figure.alpha1 = 0.05
    assert figure._drawn is before
    figure.height = 3.0
    assert figure._drawn is not before and before[0].axes is None  # gone
    assert "(1, 3)" in figure._map.get_title("left")


def test_the_top_of_the_hill():
    figure = DualWalk()
    drag(figure, (0.0004, 0.1247))  # a grip snaps to steps of 1/320
    numbers = figure.numbers
    assert numbers["alpha"] == pytest.approx([0, 1 / 8, 1 / 8])
    assert numbers["dual"] == pytest.approx(1 / 8) == pytest.approx(numbers["primal"])
    assert numbers["w"] == pytest.approx([0, -0.5])
    assert numbers["margins"] == pytest.approx([1, 1, 1])
    assert numbers["where"] == "the top: no slope is left"
    assert [figure.controls[name].value for name in figure.linked] == pytest.approx([0, 0.125])


def test_the_optimum_lies_between_dual_and_scaled_primal_everywhere():
    figure = DualWalk()
    for a1 in np.linspace(0, 0.2, 5):
        for a2 in np.linspace(0, 0.2, 5):
            figure.alpha1, figure.alpha2 = a1, a2
            assert figure.numbers["dual"] <= 1 / 8 + 1e-12 <= figure.numbers["primal"] + 2e-12


# --- hulls ---------------------------------------------------------------------------------------


def test_the_line_bisects_the_shortest_way():
    figure = Hulls()
    X, y, n = figure.X, figure.y, figure.numbers
    u, w, b = n["weights"], n["w"], n["b"]
    p, q = u[y > 0] @ X[y > 0], u[y < 0] @ X[y < 0]
    assert np.linalg.norm(p - q) == pytest.approx(n["distance"])
    assert w @ (p + q) / 2 + b == pytest.approx(0)
    assert abs(w[0] * (p - q)[1] - w[1] * (p - q)[0]) < 1e-9
    # No mixtures are closer: a sample of them.
    rng = np.random.default_rng(0)
    for _ in range(200):
        a, b = rng.dirichlet(np.ones(5)), rng.dirichlet(np.ones(5))
        assert np.linalg.norm(a @ X[y > 0] - b @ X[y < 0]) >= n["distance"] - 1e-9


def test_points_inside_their_hull_move_nothing():
    figure = Hulls()
    before = figure.numbers
    at = figure.live.at
    at[4] += 0.1  # inside the hull of +1
    drag(figure, *at)
    assert figure.numbers["distance"] == pytest.approx(before["distance"])
    assert figure.numbers["b"] == pytest.approx(before["b"])
    at[0] -= 0.4  # the corner that holds the line
    drag(figure, *at)
    assert figure.numbers["distance"] < before["distance"] - 0.1


def test_hulls_that_meet_and_part_again():
    figure = Hulls()
    start = figure.live.at[0]
    drag(figure, (-1.5, -1.2))
    assert figure.numbers["status"] == "not separable"
    assert "no top: the dual is unbounded" in figure.numbers["finding"]
    assert "no line separates them" in figure.live.readout and "no line" in figure.live.alt
    assert figure.line.words.get_text() == "no line separates them"
    np.testing.assert_allclose(figure.dual.get_ydata(), 2 * figure.dual.get_xdata())
    assert len(figure.top.get_xdata()) == 0
    drag(figure, start)
    assert figure.numbers["status"] == "converged"
    assert figure.numbers["distance"] == pytest.approx(1.863, abs=1e-3)


def test_the_parabola_has_its_top_where_it_says():
    figure = Hulls(sample="three points")
    s, D = figure.dual.get_data()
    top = 2 / figure.numbers["distance"] ** 2
    assert D.max() == pytest.approx(top, abs=1e-3)
    assert s[D.argmax()] == pytest.approx(top, abs=0.01)
    assert list(figure.top.get_xdata()) == [pytest.approx(top)]


def test_only_support_vectors_are_missed():
    figure = Hulls()
    whole = figure.numbers["half_margin"]
    support = figure.numbers["weights"] > 0
    assert np.flatnonzero(support).tolist() == [0, 5, 7]
    for i in range(1, 11):
        figure.left_out = i
        wider = figure.numbers["half_margin"] - whole
        assert (wider > 1e-6) if support[i - 1] else (abs(wider) < 1e-9)
    assert (
        "half-margin 0.931; hull weights 1: 1.00, 6: 0.86, 8: 0.14   with point 10: 0.931"
        in figure.live.readout
    )


def test_the_last_of_a_class():
    figure = Hulls(sample="three points", left_out=10)
    assert figure.left_out == 3 and figure.controls["left_out"].max == 3
    assert figure.line.words.get_text() == "only one class is left"
    assert figure.live.readout.endswith("only one class is left   with point 3: 2")


@pytest.mark.parametrize("sample", HULL_SAMPLES)
def test_every_sample_of_hulls_and_all_points_on_one_place(sample):
    figure = Hulls()
    figure.sample = sample
    separable = sample in ("two groups", "three points")
    assert (figure.numbers["status"] == "converged") == separable
    assert figure.live.error == ""
    drag(figure, *np.zeros_like(figure.live.at))
    assert figure.numbers["status"] == "not separable"


# --- C -------------------------------------------------------------------------------------------


def test_without_a_free_support_vector_b_is_an_interval():
    figure = SoftMargin(C=0.01)
    assert figure.numbers["b"] is None and figure.numbers["low"] < figure.numbers["high"]
    assert "any b from" in figure.live.readout
    figure.C = 1.0
    assert figure.numbers["free"] == 3
    assert "any b" not in figure.live.readout


# --- paths ---------------------------------------------------------------------------------------


def test_the_counterexample_under_the_slider():
    figure = AlphaPath(C=7.5)
    assert (figure.numbers["support"], figure.numbers["errors"]) == (5, 1)
    figure.C = 3.16
    assert (figure.numbers["support"], figure.numbers["errors"]) == (4, 4)
    assert "4 support vectors and 4 margin errors" in figure.live.alt


def test_a_point_of_the_strip_changes_its_class_through_the_middle():
    figure = AlphaPath(C=3.16)
    before = figure.live.readout
    drag(figure, (-0.8, -0.5))
    assert figure.y.tolist() == [-1, 1, -1, -1, -1]
    assert figure.live.readout != before
    drag(figure, (-0.8, -0.5), (1.4, -0.5))
    assert "only one class is left" in figure.live.readout
    drag(figure, (-0.8, 0.5), (1.4, 0.5))
    assert figure.live.readout == before


def test_the_fourteen_points_lose_one_support_vector_as_c_falls_past_1_1():
    figure = AlphaPath(sample="fourteen points")
    for C, count in ((1.12, 12), (1.06, 11)):
        figure.C = C
        assert figure.numbers["support"] == count


# --- class weights -------------------------------------------------------------------------------


def test_a_dearer_class_is_found_more_often_at_more_false_alarms():
    figure = ClassWeights()
    rates = []
    for ratio in RATIOS:
        figure.ratio = ratio
        alarms, found = figure.numbers["false_alarms"], figure.numbers["recall"]
        rates.append((alarms, found))
        np.testing.assert_allclose(
            figure.svm.C, np.where(RARE_AND_COMMON > 0, ratio, 1.0) * C_COMMON
        )
        # What is said lies on the curve.
        roc = figure.roc
        at = np.isclose(roc.true_positive_rate, found)
        assert np.isclose(roc.false_positive_rate, alarms)[at].any()
    alarms, found = np.array(rates).T
    assert found[0] < 0.1 < 0.9 < found[-1]
    assert alarms[-1] > alarms[0] + 0.2
    assert np.corrcoef(np.log(RATIOS), found)[0, 1] > 0.8


def test_the_numbers_that_the_lesson_states():
    plain, dear = ClassWeights().numbers, ClassWeights(ratio=3.0).numbers
    assert round(plain["recall"], 2) == 0.43
    assert (round(dear["recall"], 2), round(dear["false_alarms"], 2)) == (0.86, 0.16)
    assert abs(plain["area"] - dear["area"]) < 0.01


def test_the_rare_points_can_be_dragged_away():
    figure = ClassWeights(ratio=3.0)
    drag(figure, *np.full((10, 2), -3.0))
    assert figure.numbers["recall"] < 0.5
