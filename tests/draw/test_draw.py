"""Marks: where they are put, what moves, and whether they can be told apart without colour."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from PIL import Image

from kernellab.draw import style
from kernellab.draw.curves import Curves, nice_limit
from kernellab.draw.picture import Picture, picture
from kernellab.draw.plane import Points, ScoreField, Separator, line_in_box, plane
from kernellab.draw.stems import Stems

LIMITS = (-2.0, 3.0, -1.0, 4.0)
X = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.5], [-1.0, 3.0]])
Y = np.array([1.0, -1.0, 1.0, -1.0])


def pixels(figure):
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].astype(int)


def new_plane():
    figure = style.new_figure((4.0, 4.0))
    axes = figure.subplots()
    plane(axes, LIMITS)
    style.freeze_layout(figure)
    return figure, axes


# --- without colour ----------------------------------------------------------------------------


def linear(colour):
    """Return the linear RGB of a colour (IEC 61966-2-1)."""
    rgb = np.array(to_rgb(colour))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def contrast(first, second):
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2.1)."""
    low, high = sorted(linear(colour) @ [0.2126, 0.7152, 0.0722] for colour in (first, second))
    return (high + 0.05) / (low + 0.05)


# Machado, Oliveira and Fernandes (2009): how a full deficiency sees linear RGB.
DEFICIENCIES = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_the_two_classes_stay_apart_for_colour_blind_readers(deficiency):
    seen = np.array(DEFICIENCIES[deficiency])
    positive, negative = (np.clip(seen @ linear(style.COLOUR[label]), 0, 1) for label in (1, -1))
    assert np.linalg.norm(positive - negative) > 0.3


def test_the_two_classes_differ_by_shape_and_in_grey():
    shapes = [mark.get_paths()[0].vertices for mark in Points(new_plane()[1]).marks.values()]
    assert len(shapes[0]) != len(shapes[1])
    assert contrast(style.COLOUR[1], style.COLOUR[-1]) > 2


def test_words_and_lines_are_dark_enough():
    for colour in (style.INK, style.ACCENT, style.NEUTRAL):
        assert contrast(colour, "white") > 4.5
    for colour, _ in style.LINES:
        assert contrast(colour, "white") > 2.9


def test_every_line_has_a_dash_of_its_own():
    dashes = [str(dash) for _, dash in style.LINES]
    assert len(set(dashes)) == len(dashes)


def test_scores_are_white_at_zero_and_two_hues_beyond():
    below, zero, above = style.SCORES([0.0, 0.5, 1.0])[:, :3]
    assert zero == pytest.approx([1, 1, 1], abs=0.01)
    assert below[0] > below[2] + 0.3  # orange
    assert above[2] > above[0] + 0.3  # blue


# --- marks -------------------------------------------------------------------------------------


def test_points_stand_where_their_class_says():
    _, axes = new_plane()
    points = Points(axes)
    points.show(X, Y, weight=[0.0, 2.0, 4.0, 1.0], used=2, mistaken=[False, True, False, False])
    positive, negative = points.marks[1], points.marks[-1]
    assert positive.get_offsets().tolist() == X[Y > 0].tolist()
    assert negative.get_offsets().tolist() == X[Y < 0].tolist()
    assert points.ring.get_offsets().tolist() == [X[2].tolist()]
    assert points.crosses.get_offsets().tolist() == [X[1].tolist()]
    areas = np.empty(4)
    areas[Y > 0], areas[Y < 0] = positive.get_sizes(), negative.get_sizes()
    assert areas[0] < areas[3] < areas[1] < areas[2]  # in the order of the weights
    assert areas[1] - areas[0] == pytest.approx(2 * (areas[3] - areas[0]))  # in proportion
    points.show(X, Y)
    assert len(points.ring.get_offsets()) == len(points.crosses.get_offsets()) == 0
    assert len(set(positive.get_sizes())) == 1


def test_no_points_no_ring():
    figure = style.new_figure((1.0, 1.0))
    figure.set_layout_engine("none")
    blank = pixels(figure)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 1), ylim=(0, 1))
    axes.set_axis_off()
    rings = axes.scatter([], [], facecolors="none", edgecolors=style.INK, clip_on=False)
    assert np.array_equal(pixels(figure), blank)
    rings.set_offsets([(0.5, 0.5)])
    assert not np.array_equal(pixels(figure), blank)


def test_stems_end_at_their_values():
    figure, axes = new_plane()
    stems = Stems(axes)
    stems.show(np.array([2.0, 0.0, 1.0, 3.0]), Y, used=3)
    assert stems.tops[1].get_offsets().tolist() == [[0, 2], [2, 1]]
    assert stems.tops[-1].get_offsets().tolist() == [[1, 0], [3, 3]]
    assert stems.ring.get_offsets().tolist() == [[3, 3]]
    segments = [segment.tolist() for segment in stems.stems.get_segments()]
    assert segments[3] == [[3, 0], [3, 3]]
    stems.show(np.arange(200.0), np.ones(200))
    width_in_pixels = stems.stems.get_linewidth()[0] * figure.dpi / 72
    assert width_in_pixels < 2  # two hundred of them still stand apart


def test_a_score_field_is_not_upside_down():
    figure, axes = new_plane()
    ScoreField(axes, LIMITS).show(np.array([[-9.0, -9.0], [9.0, 9.0]]))
    shown = pixels(figure)
    for (x, y), blue in (((0.5, 3.5), True), ((0.5, -0.5), False)):
        column, row = axes.transData.transform((x, y)).astype(int)
        red, _, other = shown[len(shown) - row, column]
        assert (other > red) == blue


# --- lines and limits --------------------------------------------------------------------------

coordinates = st.floats(-100, 100)
boxes = st.tuples(coordinates, st.floats(0.1, 50), coordinates, st.floats(0.1, 50)).map(
    lambda b: (b[0], b[0] + b[1], b[2], b[2] + b[3])
)


@given(st.tuples(coordinates, coordinates), coordinates, boxes)
def test_a_line_reaches_beyond_its_box(w, b, box):
    w = np.array(w)
    if np.linalg.norm(w) < 1e-3:
        return
    ends = line_in_box(w, b, box)
    scale = np.linalg.norm(w) * (1 + abs(ends).max()) + abs(b)
    assert ends @ w + b == pytest.approx(0, abs=1e-9 * scale)
    left, right, bottom, top = box
    corners = np.array([(x, y) for x in (left, right) for y in (bottom, top)])
    if np.ptp(np.sign(corners @ w + b)) != 2:
        return  # the line does not cross the box
    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    first, last = ends @ along
    assert first <= (corners @ along).min()
    assert last >= (corners @ along).max()


def test_no_weights_no_line():
    assert line_in_box(np.zeros(2), 1.0, LIMITS).shape == (0, 2)
    _, axes = new_plane()
    separator = Separator(axes, margins=True)
    separator.show(np.zeros(2), 1.0)
    assert all(len(line.get_xdata()) == 0 for line in separator.lines)


def test_margins_lie_where_the_score_is_one():
    _, axes = new_plane()
    separator = Separator(axes, margins=True)
    w, b = np.array([1.0, 2.0]), -1.5
    separator.show(w, b)
    scores = [w @ np.array(line.get_data()) + b for line in separator.lines]
    for found, level in zip(scores, (0, -1, 1), strict=True):
        assert found == pytest.approx(level)
    styles = [line.get_linestyle() for line in separator.lines]
    assert styles == ["-", "--", "--"]


@given(st.integers(0, 10**9))
def test_nice_limits_are_few_and_close(n):
    limit = nice_limit(n)
    assert limit >= max(n, 10)
    assert str(limit).rstrip("0") in {"1", "2", "25", "5"}
    smaller = [k * 10**e for k in (10, 20, 25, 50) for e in range(12) if k * 10**e < limit]
    assert all(candidate < n for candidate in smaller)


# --- finished pictures -------------------------------------------------------------------------


def test_a_picture_is_a_small_png_with_words():
    figure, axes = new_plane()
    Points(axes).show(X, Y)
    made = picture(figure, "Four points", ratio=2.0)
    image = Image.open(io.BytesIO(made.png))
    assert image.format == "PNG"
    assert image.size == (800, 800)
    assert made.width == 400
    assert figure.get_dpi() == 100  # as it was
    assert repr(made) == made.alt == "Four points"
    figure.set_dpi(200)
    drawn = pixels(figure)
    assert abs(np.asarray(image.convert("RGB")).astype(int) - drawn).mean() < 1
    plain = io.BytesIO()
    Image.fromarray(drawn.astype(np.uint8)).save(plain, "PNG")
    assert len(made.png) < len(plain.getvalue())


def test_a_stored_picture_has_the_colours_of_the_classes():
    figure, axes = new_plane()
    slope = np.add.outer(np.linspace(-2, 2, 200), np.linspace(-2, 2, 200))
    ScoreField(axes, LIMITS).show(slope)  # more shades than a palette has
    Points(axes).show(X, Y)
    stored = np.asarray(Image.open(io.BytesIO(picture(figure, "Four points").png)).convert("RGB"))
    for colour in style.COLOUR.values():
        rgb = np.round(255 * np.array(to_rgb(colour)))
        assert (stored == rgb).all(axis=2).sum() > 50


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("[-0.0, 1.0]", "[0.0, 1.0]"),
        ("ends at −0.00.", "ends at 0.00."),
        ("+0 and -0", "0 and 0"),
        ("-0.05, −0.50, +0.01, 3-0, 1e-03", "-0.05, −0.50, +0.01, 3-0, 1e-03"),
    ],
)
def test_zero_is_said_without_a_sign(written, said):
    assert Picture(b"", written, 1).alt == said


@pytest.mark.parametrize("alt", ["", "  \n"])
def test_a_picture_without_words_is_refused(alt):
    figure, _ = new_plane()
    with pytest.raises(ValueError, match="alt must say in words"):
        picture(figure, alt)


# --- curves over a number ------------------------------------------------------------------------


@pytest.fixture
def curves():
    axes = style.new_figure((4, 3)).subplots()
    axes.set(xscale="log", ylim=(0.1, 1.0))
    return Curves(axes, {"a": ("k", "-"), "b": ("k", ":"), "c": ("k", "--")})


def test_curves_that_are_missing_are_not_drawn(curves):
    x = np.array([0.1, 1.0, 10.0])
    curves.show(x, {"a": 0.2 * x, "b": np.array([0.3, 0.4])}, 1.0, [0.25, 0.35])
    assert [line.get_visible() for line in curves.lines.values()] == [True, True, False]
    assert curves.lines["b"].get_xdata().tolist() == [0.1, 1.0]
    assert curves.dots.get_offsets().tolist() == [[1.0, 0.25], [1.0, 0.35]]


def test_dots_are_left_out_where_the_axes_end(curves):
    x = np.array([0.1, 1.0, 10.0])
    values = {"a": np.array([0.5, 0.6, 0.7]), "b": np.array([0.001, 0.5, 5.0])}
    curves.show(x, values, 10.0, star="b")
    assert curves.dots.get_offsets().tolist() == [[10.0, 0.7]]
    assert len(curves.star.get_offsets()) == 0
    curves.show(x, values, 1.0, star="a")
    assert len(curves.dots.get_offsets()) == 2
    assert curves.star.get_offsets().tolist() == [[0.1, 0.5]]
