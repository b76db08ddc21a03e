"""The marks of notebook 04: where they have logic of their own."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from kernellab.draw import style
from kernellab.kernels import Gaussian
from kernellab.lessons.pegasos.figures.boundaries_marks import (
    boundaries,
    confusions,
    cost_bars,
    error_maps,
)
from kernellab.lessons.pegasos.figures.heat_marks import SignMarks, frame, heat_map
from kernellab.lessons.pegasos.figures.stepper import LEVELS, REACH, WeightPath
from kernellab.lessons.pegasos.figures.suboptimality_marks import Lacking
from kernellab.lessons.pegasos.figures.words import WordBars


@pytest.fixture
def axes():
    figure = style.new_figure((4, 4))
    FigureCanvasAgg(figure)
    return figure.subplots()


def path_shown(axes, last, answer=None):
    mark = WeightPath(axes)
    path = np.array([[0.0, 0.0], [0.5, 0.5], last])
    grid = np.linspace(-REACH, REACH, 21)
    lacking = grid**2 + grid[:, np.newaxis] ** 2
    mark.show(path, np.array([0.1, 0.2]), grid, lacking, answer=answer)
    return mark


def test_a_weight_outside_is_said(axes):
    assert path_shown(axes, [0.0, REACH - 0.01]).words.get_text() == ""
    assert "outside" in path_shown(axes, [0.0, -REACH - 0.01]).words.get_text()


def test_the_path_and_its_ends(axes):
    mark = path_shown(axes, [0.3, 0.4])
    assert mark.step.get_xydata().tolist() == [[0.5, 0.5], [0.3, 0.4]]
    assert mark.last.get_offsets().tolist() == [[0.3, 0.4]]
    assert len(mark.answer.get_offsets()) == 0
    assert mark.best.get_offsets().tolist() == [[0.1, 0.2]]
    mark = path_shown(axes, [0.3, 0.4], np.array([0.2, 0.2]))
    assert mark.answer.get_offsets().tolist() == [[0.2, 0.2]]
    # Level lines of ‖u‖² are circles: those of the levels that fit into the picture.
    for level, lines in zip(LEVELS, mark.levels.lines, strict=True):
        radii = [np.linalg.norm(p, axis=1) for p in lines.get_segments()]
        assert np.concatenate(radii) == pytest.approx(np.sqrt(level), abs=0.06)


def test_what_is_outside_the_limits_lies_on_the_edge(axes):
    mark = Lacking(axes, 100, (1e-4, 1e2), band=True)
    steps, values = np.array([1.0, 10, 100]), np.array([1e9, 1.0, 0.0])
    mark.show(steps, {"last w": values}, 0.0, (values, values))
    assert mark.lines["last w"].get_ydata().tolist() == [1e2, 1.0, 1e-4]
    assert mark.edges[0].get_ydata().tolist() == [1e2, 1.0, 1e-4]
    assert len(mark.lines["average"].get_xdata()) == 0
    assert mark.cursor.get_xdata() == [1, 1]  # step 0 has no place on a log axis
    mark.show(steps, {"average": values}, 10.0)  # what is not given is not left standing
    assert len(mark.lines["last w"].get_xdata()) == 0
    assert all(len(edge.get_xdata()) == 0 for edge in mark.edges)


def lengths(bars):
    return [path.vertices[1, 0] for path in bars.get_paths()]


def test_the_words_of_the_largest_weights(axes):
    mark = WordBars(axes, 2)
    mark.show(np.array([0.5, -2.0, 0.0, 1.0, -0.5]), ["a", "b", "c", "d", "e"])
    assert [text.get_text() for text in mark.words[-1]] == ["b", "e"]
    assert [text.get_text() for text in mark.words[1]] == ["d", "a"]
    assert lengths(mark.bars[-1]) == [-1, -0.25]
    assert lengths(mark.bars[1]) == [0.5, 0.25]
    mark.show(np.array([1.0, 0, 0, 0, 0]), ["a", "b", "c", "d", "e"])
    assert [text.get_text() for text in mark.words[-1]] == ["", ""]  # none is negative
    assert [text.get_text() for text in mark.words[1]] == ["a", ""]
    mark.show(np.zeros(5), ["a", "b", "c", "d", "e"])


@pytest.mark.parametrize("upward", [True, False])
def test_numbers_are_in_the_cells(axes, upward):
    values = np.array([[0.0, 10.0], [20.0, 5.0], [1.0, 2.0]])
    heat_map(axes, values, ["a", "b", "c"], ["x", "y"], top=20, upward=upward)
    for text in axes.texts:
        column, row = text.get_position()
        assert text.get_text() == f"{values[row, column]:.1f}"
        assert (text.get_color() == "white") == (values[row, column] > 12)
    bottom, top = axes.get_ylim()
    assert (bottom < top) == upward
    assert frame(axes, 1, 0).get_bbox().contains(0, 1)


def test_signs_and_mistakes(axes):
    mark = SignMarks(axes)
    X, y = np.array([[0.0, 1], [2, 3], [4, 5]]), np.array([1.0, -1, 1])
    mark.show(X, y, np.array([False, True, False]))
    assert mark.marks[1].get_xydata().tolist() == [[0, 1], [4, 5]]
    assert mark.marks[-1].get_xydata().tolist() == [[2, 3]]
    assert mark.wrong.get_xydata().tolist() == [[2, 3]]
    assert mark.marks[1].get_marker() != mark.marks[-1].get_marker()


def test_errors_side_by_side():
    figure = style.new_figure((6, 3))
    tables = [np.array([[0.0, 30.0], [20.0, 5.0], [1.0, 2.0]]) + k for k in (0, 1)]
    error_maps(figure, tables, ["a", "b", "c"], ["x", "y"], ["one", "two"], chosen=(2, 1))
    for panel, table in zip(figure.axes, tables, strict=True):
        said = {text.get_position(): text.get_text() for text in panel.texts}
        assert said == {(j, i): f"{table[i, j]:.1f}" for i, j in np.ndindex(3, 2)}
        (box,) = panel.patches
        assert box.get_bbox().contains(1, 2)
        assert panel.images[0].get_clim() == figure.axes[0].images[0].get_clim()  # one scale
    names = [[label.get_text() for label in panel.get_yticklabels()] for panel in figure.axes]
    assert names == [["a", "b", "c"], ["", "", ""]]


def test_confusions_have_all_counts(axes):
    figure = style.new_figure((4, 4))
    table = np.array([[5.0, 0], [2, 7]])
    confusions(figure, [table], [["a", "b"]], ["title"])
    (panel,) = figure.axes
    said = {text.get_position(): text.get_text() for text in panel.texts}
    assert said == {(0, 0): "5", (1, 0): "", (0, 1): "2", (1, 1): "7"}
    assert panel.images[0].get_array()[0, 0] == 0  # the diagonal is not dark


def test_boundaries_are_zero_where_the_score_is(axes):
    figure = style.new_figure((6, 3))
    X, y = np.array([[-1.0, 0], [1, 0]]), np.array([-1.0, 1])
    boundaries(figure, X, y, [Gaussian(0.5)] * 2, [y, 2 * y], ["one", "two"])
    assert [panel.get_title(loc="left") for panel in figure.axes] == ["one", "two"]
    middle = [c for c in figure.axes[0].collections if c.get_linewidth()[0] == style.LINE]
    points = np.concatenate([p for c in middle for p in c.get_segments()])
    assert points[:, 0] == pytest.approx(0, abs=1e-9)  # halfway between the two


def test_cost_bars(axes):
    cost_bars(axes, {"much": 10_000.0, "little": 58.4}, "title")
    assert [text.get_text() for text in axes.texts] == ["10,000", "58"]
    assert axes.get_xscale() == "log"
