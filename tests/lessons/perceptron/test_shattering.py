"""Shattering: against linear programs, counting formulas and brute force; and the live game."""

from __future__ import annotations

import itertools
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from kernellab.draw import style
from kernellab.lessons.perceptron.figures import shattering as game
from kernellab.lessons.perceptron.figures.shattering import (
    GRID,
    LIMITS,
    POSITIONS,
    YOUR_OWN,
    ShatteringGame,
)
from kernellab.lessons.perceptron.theory.shattering import (
    LINES,
    RECTANGLES,
    Obstacle,
    enclosing_rectangle,
    in_words,
    inside,
    labellings,
    obstacles,
    realisable,
    separating_line,
    why_not,
)

DIAMOND = np.array([(0, 2), (2, 0), (0, -2), (-2, 0)], dtype=float)

# Small whole numbers: coinciding and collinear points are common, and every oracle is exact.
lattice = st.integers(-3, 3).map(float)
points = st.lists(st.tuples(lattice, lattice), min_size=1, max_size=6).map(np.array)


def separable_by_program(X, y):
    """Ask a linear program for w, b with y (w·x + b) ≥ 1."""
    signed = -y[:, np.newaxis] * np.column_stack([X, np.ones(len(X))])
    answer = linprog(np.zeros(3), A_ub=signed, b_ub=-np.ones(len(X)), bounds=(None, None))
    assert answer.status in (0, 2)  # solved, or shown to have no solution
    return answer.status == 0


def made_by_rectangles(X):
    """Collect what is inside each rectangle whose sides pass through points, and inside none."""
    intervals = [
        {tuple((low <= x) & (x <= high)) for low in x for high in x if low <= high} for x in X.T
    ]
    made = {tuple(np.logical_and(*both)) for both in itertools.product(*intervals)}
    return made | {(False,) * len(X)}


def in_some_rectangle(X, y):
    return tuple(y > 0) in made_by_rectangles(X)


# --- labellings ---------------------------------------------------------------------------------


def test_labellings_by_hand():
    assert labellings(2).tolist() == [[-1, -1], [-1, 1], [1, -1], [1, 1]]


@pytest.mark.parametrize("n", [1, 3, 5])
def test_labellings_are_all_there_once(n):
    rows = [tuple(row) for row in labellings(n).tolist()]
    assert rows == list(itertools.product((-1.0, 1.0), repeat=n))


@pytest.mark.parametrize("n", [0, -1, 2.5, "3", True])
def test_labellings_of_no_number(n):
    with pytest.raises(ValueError, match="n must be a positive integer"):
        labellings(n)


def test_too_many_points():
    with pytest.raises(ValueError, match="n must be at most 12, got 13: that is 8192"):
        labellings(13)
    with pytest.raises(ValueError, match="at most 12, got 13"):
        realisable(np.eye(13)[:, :2])


# --- lines --------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(points)
def test_lines_agree_with_a_linear_program(X):
    expected = [separable_by_program(X, y) for y in labellings(len(X))]
    assert realisable(X, LINES).tolist() == expected


@pytest.mark.parametrize("seed", range(3))
def test_lines_agree_with_a_linear_program_on_real_numbers(seed):
    X = np.random.default_rng(seed).normal(size=(5, 2))
    expected = [separable_by_program(X, y) for y in labellings(5)]
    assert realisable(X, LINES).tolist() == expected


@settings(max_examples=40)
@given(points, st.integers(0, 2**32 - 1))
def test_points_in_general_position_have_covers_number_of_dichotomies(X, seed):
    # Cover (1965): 2 Σ_{k=0}^{2} C(n−1, k), wherever n points lie, no three of them on a line.
    X = X + np.random.default_rng(seed).normal(size=X.shape)
    assert realisable(X, LINES).sum() == 2 * sum(comb(len(X) - 1, k) for k in range(3))


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.parametrize("direction", [(1, 0), (0, 1), (1, 0.5), (-3, 7), (0.1, 0.3), (1e-9, 2e-9)])
def test_points_on_a_line(n, direction):
    X = 5.0 + np.outer(np.arange(n), direction)  # 0.1 · k is rounded, and still on the line
    assert realisable(X, LINES).sum() == 2 * n
    assert realisable(X[::-1] * 1e6, LINES).sum() == 2 * n


@pytest.mark.parametrize("sets", [LINES, RECTANGLES])
def test_points_at_one_place(sets):
    X = np.full((4, 2), 0.3)
    assert labellings(4)[realisable(X, sets)].tolist() == [[-1] * 4, [1] * 4]


def test_three_points_are_shattered_four_are_not():
    assert realisable([(0, 0), (1, 0), (0, 1)]).all()
    assert realisable([(0, 0), (1, 0), (1e-6, 1e-6)]).all()  # thin, but a triangle
    assert not realisable([(0, 0), (1, 0), (2, 0)]).all()
    missing = labellings(4)[~realisable(DIAMOND)]
    assert missing.tolist() == [[-1, 1, -1, 1], [1, -1, 1, -1]]


@settings(max_examples=40)
@given(points, st.data())
def test_the_line_keeps_every_point_at_its_distance(X, data):
    y = data.draw(st.sampled_from(list(labellings(len(X)))))
    line = separating_line(X, y)
    assert (line is not None) == (why_not(X, y, LINES) is None)
    if line is None:
        return
    w, b = line
    margins = y * (X @ w + b)
    assert margins.min() > 1 - 1e-9
    if len(set(y)) == 2:  # no line of any direction has a wider band
        angle = np.linspace(0, np.pi, 721)
        along = X @ np.stack([np.cos(angle), np.sin(angle)])
        plus, minus = along[y > 0], along[y < 0]
        gaps = np.maximum(plus.min(0) - minus.max(0), minus.min(0) - plus.max(0))
        width = 2 / np.linalg.norm(w)
        assert gaps.max() <= width + 1e-9
        assert gaps.max() >= width - 0.05  # the angles tried are a quarter of a degree apart


# --- rectangles ---------------------------------------------------------------------------------


@settings(max_examples=25)
@given(points)
def test_rectangles_agree_with_brute_force(X):
    made = made_by_rectangles(X)
    expected = [tuple(y > 0) in made for y in labellings(len(X))]
    assert realisable(X, RECTANGLES).tolist() == expected


def test_rectangles_shatter_a_diamond_but_no_five_points():
    assert realisable(DIAMOND, RECTANGLES).all()
    assert not realisable([(-1, -1), (1, -1), (1, 1), (-1, 1)], RECTANGLES).all()
    for seed in range(20):
        assert not realisable(np.random.default_rng(seed).normal(size=(5, 2)), RECTANGLES).all()


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_rectangles_on_a_line_make_intervals(n):
    X = np.column_stack([np.arange(n), np.arange(n)])
    assert realisable(X, RECTANGLES).sum() == n * (n + 1) / 2 + 1  # and the empty one


@settings(max_examples=40)
@given(points, st.data())
def test_the_rectangle_holds_the_positives_only(X, data):
    y = data.draw(st.sampled_from(list(labellings(len(X)))))
    box = enclosing_rectangle(X, y)
    assert (box is not None) == (why_not(X, y, RECTANGLES) is None)
    if box is not None:
        assert (inside(X, box) == (y > 0)).all()
        assert box[0] < box[1] and box[2] < box[3]


# --- obstacles ----------------------------------------------------------------------------------


@settings(max_examples=20)
@given(points)
@pytest.mark.parametrize("sets", [LINES, RECTANGLES])
def test_an_obstacle_is_one_and_has_no_smaller_one_inside(sets, X):
    for plus, minus in obstacles(X, sets):
        group = [*plus, *minus]
        y = np.array([1.0] * len(plus) + [-1.0] * len(minus))
        possible = separable_by_program if sets == LINES else in_some_rectangle
        assert not possible(X[group], y)
        for left_out in range(len(group)):
            kept = np.arange(len(group)) != left_out
            assert possible(X[group][kept], y[kept])


@pytest.mark.parametrize(
    ("X", "y", "sets", "words"),
    [
        (DIAMOND, [1, -1, 1, -1], LINES, "the segments AC and BD cross"),
        ([(0, 0), (4, 0), (0, 4), (1, 1)], [1, 1, 1, -1], LINES, "D is inside the triangle ABC"),
        ([(0, 0), (4, 0), (0, 4), (1, 1)], [-1, -1, -1, 1], LINES, "D is inside the triangle ABC"),
        ([(0, 0), (4, 2), (2, 1)], [-1, -1, 1], LINES, "C is between A and B"),
        ([(1, 1), (4, 2), (1, 1)], [-1, -1, 1], LINES, "C and A are at the same place"),
        ([(1, 1), (1, 1)], [1, -1], RECTANGLES, "A and B are at the same place"),
        (
            [*DIAMOND, (0, 0)],
            [1, -1, 1, -1, -1],
            RECTANGLES,
            "the smallest rectangle round A and C holds E too",
        ),
    ],
)
def test_why_not_in_words(X, y, sets, words):
    obstacle = why_not(X, y, sets)
    assert obstacle is not None
    assert in_words(obstacle, sets) == words


def test_a_labelling_that_can_be_made_has_no_obstacle():
    assert why_not(DIAMOND, [1, 1, -1, -1], LINES) is None
    assert why_not(DIAMOND, [1, -1, 1, -1], RECTANGLES) is None


@pytest.mark.parametrize("function", [obstacles, realisable])
def test_an_unknown_class_of_sets(function):
    with pytest.raises(ValueError, match="sets must be one of 'lines', 'rectangles', got 'disks'"):
        function(DIAMOND, "disks")
    with pytest.raises(ValueError, match="sets must be one of"):
        in_words(Obstacle((0,), (1,)), "disks")


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros((3, 3)), r"X must hold points in the plane, shape \(n, 2\), got shape \(3, 3\)"),
        (np.zeros(3), r"X must have shape"),
        ([(0, np.nan)], "X must be finite"),
    ],
)
def test_bad_points(X, message):
    for function in (obstacles, realisable):
        with pytest.raises(ValueError, match=message):
            function(X)
    for function in (why_not, separating_line, enclosing_rectangle):
        with pytest.raises(ValueError, match=message):
            function(X, [1, -1, 1])


def test_bad_labels():
    for function in (why_not, separating_line, enclosing_rectangle):
        with pytest.raises(ValueError, match="y must hold labels -1 or \\+1, got 0"):
            function(DIAMOND, [1, 0, 1, 1])
        with pytest.raises(ValueError, match="got 3 for 4 examples"):
            function(DIAMOND, [1, -1, 1])


# --- the live game ------------------------------------------------------------------------------


def readout(figure):
    assert figure.live.error == "", figure.live.last_traceback
    return figure.live.readout


def drag(figure, i, x, y):
    at = figure.live.at
    at[i] = x, y
    figure.live.points = {"move": figure.live.points["move"] + 1, "at": at.tolist()}


def test_the_game_says_what_is_missing_and_why():
    figure = ShatteringGame()
    assert readout(figure) == (
        "14 of 16 labellings: not shattered; missing: − + − +, + − + −\n"
        "6: ABCD = − + − +   no line makes it: the segments BD and AC cross"
    )
    figure.labelling = 4
    assert readout(figure).endswith("4: ABCD = − − + +   a line makes it")


@pytest.mark.parametrize(
    ("name", "lines", "rectangles"),
    [
        ("3 points", 8, 8),
        ("3 on a line", 6, 7),
        ("4 in convex position", 14, None),
        ("4: one inside three", 14, None),
        ("4 on a line", 8, 11),
        ("4 as a diamond", 14, 16),
        ("5: a diamond and a fifth", 22, 28),
        ("5 in convex position", 22, None),
    ],
)
def test_every_preset(name, lines, rectangles):
    assert set(POSITIONS) | {YOUR_OWN} == set(dict(ShatteringGame().controls["positions"].options))
    figure = ShatteringGame()
    figure.positions = name
    n = figure.number
    assert readout(figure).startswith(f"{lines} of {2**n} labellings")
    assert len(figure.live.handles) == len(figure.live.at) == n == int(name[0])
    assert figure.controls["labelling"].max == 2**n
    figure.sets = RECTANGLES
    count = rectangles or int(realisable(figure.live.at, RECTANGLES).sum())
    assert readout(figure).startswith(f"{count} of {2**n} labellings")
    assert f"{count} of {2**n}" in figure.live.alt


def test_all_presets_lie_inside_the_picture():
    for name in POSITIONS:
        assert inside(game.placed(name) * 1.1, LIMITS).all()


@pytest.mark.parametrize("positions", ["4 in convex position", "5 in convex position"])
def test_points_at_the_edge_and_their_letters_stay_in_the_plane(positions):
    figure = ShatteringGame(positions=positions)
    for _ in range(2):
        left, right, bottom, top = figure.live.limits
        assert (left, right, bottom, top) == LIMITS
        edge = [(left, top), (right, top), (right, bottom), (left, bottom), (0.2, top)]
        for i in range(len(figure.live.at)):
            drag(figure, i, *edge[i])
        assert (figure.live.at == edge[: len(figure.live.at)]).all()
        figure.live.still()
        axes = figure.live._axes
        plane = axes.bbox
        radius = np.sqrt(max(figure.points.marks[1].get_sizes())) / 2  # in points of 1/72 inch
        for x in axes.transData.transform(figure.live.at):
            room = radius * axes.figure.dpi / 72
            assert plane.x0 < x[0] - room < x[0] + room < plane.x1
            assert plane.y0 < x[1] - room < x[1] + room < plane.y1
        shown = [text for text in figure.letters.texts if text.get_visible()]
        assert len(shown) == len(figure.live.at)
        for text in shown:
            # Without its annotated point: the extent of the letter alone.
            box = text.get_window_extent(figure.live._canvas.get_renderer())
            assert plane.x0 <= box.x0 < box.x1 <= plane.x1
            assert plane.y0 <= box.y0 < box.y1 <= plane.y1
        figure.number = 3 if figure.number != 3 else 4  # other grips, the same limits


def test_no_words_in_the_plane_where_no_line_is_shown():
    figure = ShatteringGame()
    assert figure.numbers["obstacle"] is not None
    assert not figure.line.words.get_visible()


def test_dragging_a_point_changes_the_answer_and_makes_the_placement_ones_own():
    figure = ShatteringGame(positions="3 points")
    assert readout(figure).startswith("8 of 8 labellings: shattered\n")
    (ax, ay), (bx, by), _ = figure.live.at
    drag(figure, 2, (ax + bx) / 2 + 0.3 / GRID, (ay + by) / 2)  # snaps to the middle of AB
    assert figure.positions == YOUR_OWN
    assert readout(figure).startswith("6 of 8 labellings: not shattered")
    figure.positions = "3 points"  # choosing the same again puts the points back
    assert readout(figure).startswith("8 of 8")
    drag(figure, 2, ax, ay)
    figure.labelling = 2
    assert readout(figure).endswith("no line makes it: C and A are at the same place")


def test_an_arrow_key_moves_by_one_step_of_the_grid():
    assert 0.01 * (LIMITS[1] - LIMITS[0]) == 1 / GRID


def test_the_number_of_points_can_be_changed():
    figure = ShatteringGame(positions="5 in convex position", labelling=32)
    before = figure.live.at
    figure.number = 3
    assert figure.labelling == figure.controls["labelling"].max == 8
    assert (figure.live.at == before[:3]).all()
    figure.number = 5
    assert (figure.live.at[:3] == before[:3]).all()
    assert len({tuple(x) for x in figure.live.at.tolist()}) == 5
    assert figure.positions == YOUR_OWN
    assert "of 32" in readout(figure)


def test_the_button_walks_through_the_missing_labellings():
    figure = ShatteringGame(labelling=1)
    seen = []
    for _ in range(3):
        figure.next_failure()
        seen.append(figure.labelling)
    assert seen == [6, 11, 6]
    figure.sets, figure.positions = RECTANGLES, "4 as a diamond"
    figure.next_failure()
    assert figure.labelling == 6


def test_what_is_drawn_is_what_is_said():
    figure = ShatteringGame(labelling=4)
    x, y = figure.line.lines[0].get_data()
    w, b = separating_line(figure.live.at, [-1, -1, 1, 1])
    assert np.allclose(w[0] * x + w[1] * y + b, 0)
    assert not figure.overlap.hulls[1].get_visible()
    figure.labelling = 6
    assert len(figure.line.lines[0].get_xdata()) == 0
    corners = figure.overlap.hulls[1].get_xy()[:2]
    assert sorted(map(tuple, corners)) == sorted(map(tuple, figure.live.at[[1, 3]]))
    assert [len(cells.get_paths()) for cells in figure.mosaic.cells.values()] == [14, 2]
    marks = figure.mosaic.points
    assert [len(marks[label].get_offsets()) for label in (-1, 1)] == [32, 32]
    assert marks[1].get_facecolor()[0].tolist() == pytest.approx(
        [int(style.POSITIVE[k : k + 2], 16) / 255 for k in (1, 3, 5)] + [1]
    )


def test_the_side_of_plus_in_the_picture_holds_the_points_labelled_plus():
    figure = ShatteringGame(positions="5 in convex position")
    for sets in (LINES, RECTANGLES):
        figure.sets = sets
        for k in range(1, 33, 3):
            figure.labelling = k
            side = figure.regions.sides[1]
            assert side.get_visible() == figure.numbers["possible"][k - 1]
            if side.get_visible():
                held = side.get_path().contains_points(figure.live.at)
                assert (held == (labellings(5)[k - 1] > 0)).all()


def test_the_still_picture_is_there():
    still = ShatteringGame().live.still()
    assert still.png.startswith(b"\x89PNG")
    assert "hatched and crossed where it cannot be made" in still.alt
