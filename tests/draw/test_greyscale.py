"""Without colour: classes and kinds of points are told apart by shape, at the desk and in a hall.

The picture is made grey, and read by two rules that know nothing of colour: how much of its box a
mark fills (a square all of it, a circle π/4), and how many dark rings lie round it.
"""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from kernellab.draw import style
from kernellab.draw.margin import SupportPoints
from kernellab.draw.plane import Points

KINDS = {"α = 0": 0, "0 < α < C": 1, "α = C": 2}  # and their rings
DARK = 110  # of 255
HALF = 45  # pixels round a point


@pytest.fixture(params=[False, True], ids=["desk", "hall"], autouse=True)
def place(request):
    style.lecture(request.param)
    yield
    style.lecture(False)


def grey_squares(X, draw):
    """Draw on empty axes; return for each point the grey pixels round it, (n, 2·HALF, 2·HALF)."""
    figure = style.new_figure((8.0, 4.0))
    figure.set_dpi(150)
    axes = figure.subplots()
    axes.set(xlim=(0, 4), ylim=(0, 3))
    axes.set_axis_off()
    draw(axes)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    red, green, blue = np.asarray(canvas.buffer_rgba(), dtype=float)[..., :3].transpose(2, 0, 1)
    grey = 0.299 * red + 0.587 * green + 0.114 * blue
    columns, rows = np.rint(axes.transData.transform(X)).astype(int).T
    rows = len(grey) - rows
    return np.stack([
        grey[r - HALF : r + HALF, c - HALF : c + HALF]
        for r, c in zip(rows, columns, strict=True)
    ])  # fmt: skip


def share_of_box(square):
    """Return how much of its bounding box a mark fills."""
    ink = square < 250
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    return ink.sum() / ((np.ptp(rows) + 1) * (np.ptp(columns) + 1))


def rings(square, radius):
    """Count the dark rings that a ray meets on its way out from the edge of the mark."""
    steps = np.arange(radius, HALF - 1, 0.5)
    counts = []
    for angle in np.radians([10, 100, 190, 280]):  # a square's edge lies nearest there
        rows = np.rint(HALF - steps * np.sin(angle)).astype(int)
        columns = np.rint(HALF + steps * np.cos(angle)).astype(int)
        dark = square[rows, columns] < DARK
        counts.append(int((np.diff(dark.astype(int)) == 1).sum()))
    return int(np.median(counts))


def test_two_classes_by_shape():
    X, y = np.array([[1.0, 1.5], [3.0, 1.5]]), np.array([1.0, -1.0])
    circle, square = grey_squares(X, lambda axes: Points(axes).show(X, y))
    assert share_of_box(circle) == pytest.approx(np.pi / 4, abs=0.07)
    assert share_of_box(square) > 0.95


@pytest.mark.parametrize("label", [1.0, -1.0])
def test_three_kinds_of_point_by_their_rings(label):
    X = np.array([[0.6, 1.5], [2.0, 1.5], [3.4, 1.5]])
    alpha = np.array([0.0, 0.5, 1.0])

    def draw(axes):
        SupportPoints(axes).show(X, np.full(3, label), alpha, bounded=alpha >= 1.0)

    # From beyond the edge of the largest mark outwards: half its side, and a little.
    radius = [0.5 * np.sqrt(style.POINT_AREA + 20.0 * 5 * a) * 150 / 72 + 3 for a in alpha]
    seen = [rings(s, r) for s, r in zip(grey_squares(X, draw), radius, strict=True)]
    assert seen == list(KINDS.values())


def test_a_mistake_is_crossed_in_both_classes():
    X, y = np.array([[1.0, 1.5], [3.0, 1.5]]), np.array([1.0, -1.0])
    plain = grey_squares(X, lambda axes: Points(axes).show(X, y))
    crossed = grey_squares(X, lambda axes: Points(axes).show(X, y, mistaken=True))
    for before, after in zip(plain, crossed, strict=True):
        assert ((before > DARK) & (after < DARK)).sum() > 50  # dark strokes, beyond the mark too
