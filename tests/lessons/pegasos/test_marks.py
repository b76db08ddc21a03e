"""The marks of notebook 04: where they have logic of their own."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from kernellab.draw import style
from kernellab.lessons.pegasos.figures.heat_marks import SignMarks, confusions, frame, heat_map
from kernellab.lessons.pegasos.figures.stepper import LEVELS, WeightPath
from kernellab.lessons.pegasos.figures.suboptimality_marks import Suboptimality
from kernellab.lessons.pegasos.figures.words import WordBars


@pytest.fixture
def axes():
    figure = style.new_figure((4, 4))
    FigureCanvasAgg(figure)
    return figure.subplots()


def test_the_path_and_its_ends(axes):
    mark = WeightPath(axes)
    path, grid = np.array([[0.0, 0.0], [0.5, 0.5], [0.3, 0.4]]), np.linspace(-1.9, 1.9, 21)
    above = grid**2 + grid[:, np.newaxis] ** 2
    mark.show(path, np.array([True, False]), np.array([0.1, 0.2]), (grid, grid), above, 1.0)
    assert axes.get_xlim() == axes.get_ylim() == (-1.9, 1.9)
    assert mark.kicks.get_xydata()[:2].tolist() == [[0, 0], [0.5, 0.5]]
    assert len(mark.kicks.get_xdata()) == 3 and not mark.kick.get_visible()
    assert mark.legend.get_texts()[-1].get_visible()  # the ball
    assert mark.last.get_offsets().tolist() == [[0.3, 0.4]]
    assert mark.best.get_offsets().tolist() == [[0.1, 0.2]]
    # Level lines of ‖u‖² are circles: those of the levels that fit into the picture.
    for level, lines in zip(LEVELS, mark.levels.lines, strict=True):
        radii = [np.linalg.norm(p, axis=1) for p in lines.get_segments()]
        assert bool(radii) == (level < 2 * 1.9**2)
        assert np.concatenate([*radii, [np.sqrt(level)]]) == pytest.approx(np.sqrt(level), abs=0.06)
    mark.show(path, np.array([False, True]), np.array([0.1, 0.2]), (grid / 9, grid / 9), above, 1.0)
    assert mark.kick.get_visible() and tuple(mark.kick.xy) == (0.3, 0.4)
    assert not mark.legend.get_texts()[-1].get_visible()
    mark.show(path, np.array([False, True]), np.array([0.1, 0.2]), (grid, grid), above, None)
    assert not mark.legend.get_texts()[-1].get_visible() and mark.ball.get_radius() == 0


def test_what_is_outside_the_limits_lies_on_the_edge(axes):
    mark = Suboptimality(axes, 100, (1e-4, 1e2))
    steps, values = np.array([1.0, 10, 100]), np.array([1e9, 1.0, 0.0])
    mark.show(steps, {"last w": values}, 0.0)
    assert mark.lines["last w"].get_ydata().tolist() == [1e2, 1.0, 1e-4]
    assert mark.cursor.get_xdata() == [1, 1]  # step 0 has no place on a log axis
    mark.show(steps, {"average": values}, 10.0)  # the legend names what is drawn, and no more
    shown = [name for name, line in mark.lines.items() if line.get_visible()]
    named = [text.get_text() for text in mark.legend.get_texts() if text.get_visible()]
    assert shown == named == ["average"]


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


def test_confusions_have_all_counts(axes):
    figure = style.new_figure((4, 4))
    table = np.array([[5.0, 0], [2, 7]])
    confusions(figure, [table], [["a", "b"]], ["title"])
    (panel,) = figure.axes
    said = {text.get_position(): text.get_text() for text in panel.texts}
    assert said == {(0, 0): "5", (1, 0): "", (0, 1): "2", (1, 1): "7"}
    assert panel.images[0].get_array()[0, 0] == 0  # the diagonal is not dark
