"""The marks of notebook 05 that do arithmetic: areas, boxes, stacks, round numbers."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab.certificates import gap_terms
from kernellab.draw.style import fit_the_hall, lecture, new_figure
from kernellab.lessons.sdca.figures.coordinate_marks import BoxMap, CoordinateCurve, frame
from kernellab.lessons.sdca.figures.gap_stack_marks import GapStack
from kernellab.lessons.sdca.figures.run_marks import CurveAndStems, GapCurves, round_up
from kernellab.lessons.sdca.figures.stairs_marks import Missing, Stairs, rectangles


def area(corners):
    """The shoelace formula."""
    x, y = corners.T
    return abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / 2


def test_rectangles_have_the_area_of_the_gap_terms():
    rng = np.random.default_rng(0)
    margins, alpha, C = rng.uniform(-2, 3, 50), rng.uniform(0, 2, 50), 2.0
    y = rng.choice([-1.0, 1.0], 50)
    terms = gap_terms(y * margins, y, alpha, C)
    np.testing.assert_allclose([area(r) for r in rectangles(margins, alpha, C)], terms)
    assert rectangles(np.ones(1), np.ones(1), C)[0, :, 0].tolist() == [1, 1, 1, 1]


def test_the_stairs_are_where_they_should_be():
    axes = new_figure().subplots()
    axes.set(xlim=(-2, 3), ylim=(0, 4))
    stairs = Stairs(axes)
    stairs.show(1.5)
    assert stairs.line.get_xydata().tolist() == [[-2, 1.5], [1, 1.5], [1, 0], [3, 0]]
    missing = Missing(axes)
    missing.show(np.array([0.0, 2.0]), np.array([0.5, 1.0]), 1.5, np.array([-1.0, 1.0]), lit=0)
    assert len(missing.rectangles.get_paths()) == 2


def test_what_lies_outside_the_box():
    parts = frame((-1, 3, -1, 3), 2.0)
    assert sum(area(part) for part in parts) == pytest.approx(16 - 4)


def test_a_vertex_out_of_the_picture_is_shown_at_its_edge():
    axes = new_figure().subplots()
    curve = CoordinateCurve(axes, (-1, 2, -1, 1))
    a = np.linspace(-1, 2, 31)
    marks = np.array([(0, 0), (np.inf, np.inf), (1, 0.5)])
    curve.show(a, -((a - 5) ** 2), (0.0, 1.0), marks, "α₁ moves")
    assert (curve.vertex.get_xdata()[0], curve.vertex.get_ydata()[0]) == (2, 1)
    assert curve.inside.get_xdata().min() >= -1e-12
    assert curve.inside.get_xdata().max() <= 1 + 1e-12


def test_the_line_of_search_goes_through_where_we_are():
    axes = new_figure().subplots()
    marks = BoxMap(axes, (-1, 2, -1, 2))
    side = np.linspace(-1, 2, 11)
    dual = -np.add.outer(side**2, side**2)
    path = np.array([[0.0, 0.0], [0.5, 0.0]])
    marks.show(side, dual, 1.0, path, np.zeros(2), 1)
    assert set(marks.search.get_xdata()) == {0.5}
    assert marks.now.get_xydata().tolist() == [[0.5, 0.0]]


def test_layers_lie_on_one_another():
    axes = new_figure().subplots()
    stack = GapStack(axes)
    terms = np.array([[1.0, 2.0], [0.5, 0.25], [0.0, 0.25]])
    stack.show(terms, np.array([1.0, -1.0]))
    np.testing.assert_array_equal(stack.total.get_ydata(), terms.sum(axis=1))
    stack.show(terms[:1], np.array([1.0, -1.0]))  # before the first update: a column
    assert stack.total.get_ydata().tolist() == [3.0, 3.0]
    assert stack.total.get_xdata()[0] < 0


@pytest.mark.parametrize(
    ("value", "limit"), [(0.8, 1), (1, 1), (1.01, 2), (0.03, 0.05), (20, 20), (21, 50), (0, 1)]
)
def test_round_limits(value, limit):
    assert round_up(value) == pytest.approx(limit)


@pytest.mark.parametrize("place", [False, True], ids=["desk", "hall"])
def test_the_key_lies_below_the_gaps(place):
    lecture(place)
    try:
        figure = new_figure((9.6, 5.8))
        axes = figure.subplots(2, 1, height_ratios=[1.35, 1])[1]
        curves = GapCurves(axes)
        curves.show(np.full((3, 201), 1e-4), 60)
        axes.set(xlim=(0, 200), title="a title")
        fit_the_hall(figure)
        figure.draw_without_rendering()
        key = axes.get_legend().get_window_extent()
        assert key.y1 < axes.transData.transform((0, 1e-4))[1]
    finally:
        lecture(False)


def test_stems_reach_from_the_floor_to_alpha():
    axes = new_figure().subplots()
    marks = CurveAndStems(axes, axes.twinx())
    grid = np.linspace(0, 1, 5)
    x, y, alpha = np.array([0.1, 0.5, 0.9]), np.array([1.0, -1, 1]), np.array([0.0, 2.0, 1.0])
    marks.show((grid, grid, grid), x, y, alpha, used=1)
    assert marks.n_stems == 3
    tops = [segment[1] for segment in marks.stems.get_segments()]
    np.testing.assert_array_equal(tops, np.column_stack([x, alpha]))
    assert marks.used.get_xydata().tolist() == [[0.5, 2.0]]
