"""The live figures of notebook 02: numbers after moving controls and points, and bad moves."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab.live.c_path import COSTS as PATH_COSTS
from kernellab.live.c_path import SAMPLES as PATH_SAMPLES
from kernellab.live.c_path import PathExplorer
from kernellab.live.class_weights import RATIOS, WeightExplorer
from kernellab.live.deletion import SAMPLES as DELETION_SAMPLES
from kernellab.live.deletion import DeletionExplorer
from kernellab.live.dual_surface import DualWalk
from kernellab.live.hulls import SAMPLES as HULL_SAMPLES
from kernellab.live.hulls import HullExplorer
from kernellab.live.kkt import KKTExplorer
from kernellab.live.soft_margin import COSTS, SoftMarginExplorer
from kernellab.live.soft_margin import SAMPLES as SOFT_SAMPLES

pytestmark = pytest.mark.usefixtures("drawn_at_the_end")


def drag(figure, *points):
    """Move grips as a hand does; later grips stay where they are."""
    at = figure.live.at
    at[: len(points)] = points
    move = figure.live.points["move"] + 1
    figure.live.points = {"move": move, "at": at.tolist()}
    assert figure.live.error == "", figure.live.last_traceback


# --- the KKT table -------------------------------------------------------------------------------


def test_the_table_turns_as_w_and_t_move():
    figure = KKTExplorer()
    w1, w2, t = figure.sliders
    assert figure.margins.tolist() == [1.5, 0.5, 1.5]
    assert not figure.met[1] and figure.met[0] and figure.met[2]
    w1.value, w2.value = 0.0, -0.5  # the answer, without its multipliers
    assert figure.margins.tolist() == [1.0, 1.0, 1.0]
    assert all(figure.met[:3]) and sum(figure.met) == 10  # all but w = Σ α y x
    t.value = 0.5  # the threshold moves the two classes' margins against each other
    assert figure.margins.tolist() == [1.5, 1.5, 0.5]
    assert "violated: margin 3, w = Σ α y x\n" in figure.live.readout
    assert "½‖w‖² = 0.125 (not allowed)" in figure.live.readout
    t.value = 0.0
    figure.multipliers[1].value = 0.125
    assert sum(figure.met) == 9  # now Σ α y = 0 fails too
    figure.multipliers[2].value = 0.125
    assert sum(figure.met) == 11
    assert "this is the widest margin" in figure.live.readout
    assert figure.dual == pytest.approx(1 / 8)


def test_dual_feasibility_and_slackness_can_be_violated():
    figure = KKTExplorer(w=(0.0, -1.0), alpha=(0.0, 0.1, 0.1))
    assert not figure.met[9] and not figure.met[10]  # margins 2, α > 0
    figure.multipliers[0].value = -0.1
    assert not figure.met[3]
    assert "dual" in figure.live.readout and "(not allowed)" in figure.live.readout


def test_grips_set_w_and_t_and_the_sliders_follow():
    figure = KKTExplorer()
    drag(figure, (0.0, 0.0), (0.0, -2.0))
    assert figure.w == pytest.approx([0, -0.5]) and figure.t == 0
    assert [s.value for s in figure.sliders] == pytest.approx([0, -0.5, 0])
    drag(figure, (0.0, 1.0), (0.0, -1.0))  # the line through (0, 1)
    assert figure.t == pytest.approx(-0.5)
    np.testing.assert_allclose(figure.margins, [0.5, 0.5, 1.5])


def test_grips_on_top_of_each_other_are_no_line():
    figure = KKTExplorer()
    drag(figure, (1.0, 1.0), (1.0, 1.0))
    assert "w = 0: no line" in figure.live.readout
    figure.sliders[0].value = 0.5  # and a slider recovers
    assert "half-margin 1/‖w‖ = 2.00" in figure.live.readout


def test_w_of_zero_by_the_sliders():
    figure = KKTExplorer(w=(0.5, 0.0))
    figure.sliders[0].value = 0.0
    assert "w = 0: no line" in figure.live.readout
    assert figure.live.error == ""


# --- the dual surface ----------------------------------------------------------------------------


def test_the_dual_at_the_sliders_is_the_formula():
    figure = DualWalk()
    for a1, a2 in [(0.1, 0.05), (0.0, 0.125), (0.15, 0.02), (-0.05, 0.1)]:
        figure.sliders[0].value, figure.sliders[1].value = a1, a2
        formula = 2 * a1 + 2 * a2 - (20 * a1**2 + 32 * a1 * a2 + 16 * a2**2) / 2
        assert figure.dual == pytest.approx(formula)
        assert figure.live.at[0] == pytest.approx([a1, a2])
        np.testing.assert_allclose(
            figure.w, -a1 * np.array([1, 2]) - a2 * np.array([-1, 2]) - (a1 + a2) * np.array([1, 2])
        )
        assert ("not allowed" in figure.live.readout) == (a1 < 0)


def test_the_top_of_the_hill():
    figure = DualWalk()
    drag(figure, (0.0004, 0.1247))  # a grip snaps to steps of 0.0025
    assert figure.alpha == pytest.approx([0, 1 / 8, 1 / 8])
    assert figure.dual == pytest.approx(1 / 8) == pytest.approx(figure.primal)
    assert figure.w == pytest.approx([0, -0.5]) and figure.margins == pytest.approx([1, 1, 1])
    assert "the top" in figure.live.readout
    assert [s.value for s in figure.sliders] == pytest.approx([0, 0.125])


def test_the_optimum_lies_between_dual_and_scaled_primal_everywhere():
    figure = DualWalk()
    for a1 in np.linspace(0, 0.2, 5):
        for a2 in np.linspace(0, 0.2, 5):
            figure.sliders[0].value, figure.sliders[1].value = a1, a2
            assert figure.dual <= 1 / 8 + 1e-12 <= figure.primal + 2e-12


def test_no_alpha_no_line():
    figure = DualWalk((0.0, 0.0))
    assert "w = 0: no line" in figure.live.readout


# --- hulls ---------------------------------------------------------------------------------------


def test_the_line_bisects_the_shortest_way():
    figure = HullExplorer()
    y, u = figure.y, figure.weights
    p, q = u[y > 0] @ figure.X[y > 0], u[y < 0] @ figure.X[y < 0]
    assert np.linalg.norm(p - q) == pytest.approx(figure.distance)
    assert figure.w @ (p + q) / 2 + figure.b == pytest.approx(0)
    assert abs(figure.w[0] * (p - q)[1] - figure.w[1] * (p - q)[0]) < 1e-9
    # No mixtures are closer: a sample of them.
    rng = np.random.default_rng(0)
    for _ in range(200):
        a, b = rng.dirichlet(np.ones(5)), rng.dirichlet(np.ones(5))
        assert np.linalg.norm(a @ figure.X[y > 0] - b @ figure.X[y < 0]) >= figure.distance - 1e-9


def test_points_inside_their_hull_move_nothing():
    figure = HullExplorer()
    before = figure.distance, figure.w.copy(), figure.b
    at = figure.live.at
    at[4] += 0.1  # inside the hull of +1
    drag(figure, *at)
    assert figure.distance == pytest.approx(before[0]) and figure.b == pytest.approx(before[2])
    at[0] -= 0.4  # the corner that holds the line
    drag(figure, *at)
    assert figure.distance < before[0] - 0.1


def test_hulls_that_meet_and_part_again():
    figure = HullExplorer()
    start = figure.live.at[0]
    drag(figure, (-1.5, -1.2))
    assert figure.status == "not separable"
    assert "no top: the dual is unbounded" in figure.live.readout
    assert "no line separates them" in figure.live.readout and "no line" in figure.live.alt
    assert figure.line.words.get_text() == "no line separates them"
    drag(figure, start)
    assert figure.status == "converged" and figure.distance == pytest.approx(1.863, abs=1e-3)


@pytest.mark.parametrize("sample", HULL_SAMPLES)
def test_every_sample_of_hulls_and_all_points_on_one_place(sample):
    figure = HullExplorer()
    figure.sample.value = sample
    separable = sample in ("two groups", "three points")
    assert (figure.status == "converged") == separable
    assert figure.live.error == ""
    drag(figure, *np.zeros_like(figure.live.at))
    assert figure.status == "not separable"


# --- deletion ------------------------------------------------------------------------------------


def test_only_support_vectors_are_missed():
    figure = DeletionExplorer()
    assert np.flatnonzero(figure.support).tolist() == [0, 5, 7]
    widths = []
    for i in range(1, 11):
        figure.deleted.value = i
        moved = "the line moves" in figure.live.readout
        assert moved == figure.support[i - 1]
        assert ("nothing moves" in figure.live.readout) != moved
        widths.append(figure.half_margins[i - 1])
    assert min(widths) >= figure.all.half_margin - 1e-9  # never narrower
    assert figure.wrong.sum() <= figure.support.sum()


def test_the_last_of_a_class():
    figure = DeletionExplorer("one against five", deleted=1)
    assert "the last of its class" in figure.live.readout
    assert figure.after.words.get_text() == "only one class is left"
    assert np.isnan(figure.half_margins[0])
    figure.deleted.value = 2
    assert "the line moves" in figure.live.readout


def test_another_sample_with_fewer_points():
    figure = DeletionExplorer(deleted=10)
    figure.sample.value = "three points"
    assert figure.live.error == ""
    assert figure.deleted.value == 3 and figure.deleted.max == 3
    assert "the last of its class" in figure.live.readout
    figure.deleted.value = 1
    assert "α = 0" in figure.live.readout and "nothing moves" in figure.live.readout


def test_the_button_goes_round():
    figure = DeletionExplorer("three points")
    seen = []
    for _ in range(4):
        figure.next()
        seen.append(figure.deleted.value)
    assert seen == [1, 2, 3, 0]


@pytest.mark.parametrize("sample", DELETION_SAMPLES)
def test_deleting_among_points_that_coincide(sample):
    figure = DeletionExplorer(sample)
    drag(figure, *np.zeros_like(figure.live.at))
    assert "not separable" in figure.live.readout
    figure.deleted.value = 1
    assert figure.live.error == ""


# --- C -------------------------------------------------------------------------------------------


def test_c_and_lambda_are_on_the_dial():
    figure = SoftMarginExplorer()
    n = len(figure.y)
    for label, C in figure.C.options:
        assert label == f"C = {C:.3g}, λ = {1 / (C * n):.3g}"
    for path in (PathExplorer("five points"), PathExplorer("fourteen points")):
        label, C = path.C.options[-1]
        assert label == f"C = {C:.3g}, λ = {1 / (C * len(path.y)):.3g}"


def test_slack_and_weights_are_monotone_in_c_and_the_readout_says_them():
    figure = SoftMarginExplorer()
    slack, length, errors = [], [], []
    for C in COSTS[::4]:
        figure.C.value = C
        m = figure.now
        slack.append(m.slack.sum())
        length.append(np.linalg.norm(m.w))
        errors.append((m.errors.sum(), m.support.sum()))
        assert f"Σξ = {slack[-1]:.2f}" in figure.live.readout
        assert f"margin errors {m.errors.sum()}" in figure.live.readout
        assert f"support vectors {m.support.sum()}" in figure.live.readout
    assert np.all(np.diff(slack) <= 1e-5) and slack[0] > slack[-1] + 1
    assert np.all(np.diff(length) >= -1e-5) and length[-1] > length[0] + 0.5
    assert all(e <= s for e, s in errors)
    assert errors[0] == (22, 22)  # at C = 0.01 everybody pays


def test_without_a_free_support_vector_b_is_an_interval():
    figure = SoftMarginExplorer(C=0.01)
    assert "none free: any b from" in figure.live.readout
    figure.C.value = 1.0
    assert "3 of them free" in figure.live.readout
    assert "any b" not in figure.live.readout


@pytest.mark.parametrize("sample", SOFT_SAMPLES)
def test_every_sample_of_soft_margins_and_all_points_on_one_place(sample):
    figure = SoftMarginExplorer()
    figure.sample.value = sample
    assert figure.live.error == ""
    label, C = figure.C.options[0]
    assert label.endswith(f"{1 / (C * len(figure.y)):.3g}")  # λ is that of this sample
    drag(figure, *np.zeros_like(figure.live.at))
    assert "‖w‖ = 0.00" in figure.live.readout


# --- paths ---------------------------------------------------------------------------------------


def test_the_counterexample_under_the_slider():
    figure = PathExplorer(C=7.5)
    assert "support vectors 5   margin errors 1" in figure.live.readout
    figure.C.value = 3.16
    assert "support vectors 4   margin errors 4" in figure.live.readout
    assert "4 support vectors and 4 margin errors" in figure.live.alt


def test_nu_lies_between_the_counts_on_both_samples():
    for sample in ("five points", "fourteen points"):
        figure = PathExplorer(sample)
        for C in PATH_COSTS[::12]:
            figure.C.value = C
            alpha, margins = figure.now
            nu_n = alpha.sum() / C
            assert figure._n_errors(margins) <= nu_n + 1e-6
            assert nu_n <= figure._n_support(alpha) + 1e-6


def test_a_point_of_the_strip_changes_its_class_through_the_middle():
    figure = PathExplorer(C=3.16)
    before = figure.live.readout
    drag(figure, (-0.8, -0.5))
    assert figure.y.tolist() == [-1, 1, -1, -1, -1]
    assert figure.live.readout != before
    drag(figure, (-0.8, -0.5), (1.4, -0.5))
    assert "only one class is left" in figure.live.readout
    drag(figure, (-0.8, 0.5), (1.4, 0.5))
    assert figure.live.readout == before


def test_the_fourteen_points_lose_one_support_vector_as_c_falls_past_1_1():
    figure = PathExplorer("fourteen points")
    for C, count in ((1.12, 12), (1.06, 11)):
        figure.C.value = C
        assert f"support vectors {count} " in figure.live.readout


@pytest.mark.parametrize("sample", PATH_SAMPLES)
def test_every_sample_of_paths_and_points_that_coincide(sample):
    figure = PathExplorer()
    figure.sample.value = sample
    assert figure.live.error == "" and len(figure.y) == len(figure.live.at)
    drag(figure, *np.column_stack([np.full(len(figure.y), 0.5), figure.y / 2]))
    assert "support vectors" in figure.live.readout


# --- class weights -------------------------------------------------------------------------------


def test_a_dearer_class_is_found_more_often_at_more_false_alarms():
    figure = WeightExplorer()
    rates = []
    for ratio in RATIOS:
        figure.ratio.value = ratio
        rates.append((figure.alarms, figure.found))
        rare = figure.y > 0
        assert np.all(figure.now.C[rare] == pytest.approx(ratio * figure.now.C[~rare][0]))
    alarms, found = np.array(rates).T
    assert found[0] < 0.1 < 0.9 < found[-1]
    assert alarms[-1] > alarms[0] + 0.2
    assert np.corrcoef(np.log(RATIOS), found)[0, 1] > 0.8
    # The readout's point lies on its own curve.
    curve = figure.curve
    k = np.searchsorted(-curve.thresholds, 0.0) - 1
    assert curve.false_positive_rate[k] == pytest.approx(figure.alarms)
    assert curve.true_positive_rate[k] == pytest.approx(figure.found)


def test_the_numbers_that_the_lesson_states():
    plain, dear = WeightExplorer(1.0), WeightExplorer(3.0)
    assert (round(plain.found, 2), round(dear.found, 2), round(dear.alarms, 2)) == (
        0.43,
        0.86,
        0.16,
    )
    assert abs(plain.curve.area - dear.curve.area) < 0.01


def test_the_rare_points_can_be_dragged_away():
    figure = WeightExplorer(3.0)
    drag(figure, *np.full((10, 2), -3.0))
    assert "found" in figure.live.readout
