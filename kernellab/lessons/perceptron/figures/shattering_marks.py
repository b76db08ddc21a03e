"""The shattering game: a labelling in the plane, why it fails, and all labellings at a glance."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.draw.plane import Limits, line_in_box


def corners(box: Limits) -> NDArray[np.float64]:
    """Return the four corners of left, right, bottom, top, shape (4, 2)."""
    left, right, bottom, top = box
    return np.array([(left, bottom), (right, bottom), (right, top), (left, top)])


ROOM = 260.0
"""How wide the plane of the game is, about, in points: what its letters have to fit into."""

FACE = "#ffffff"
FAILED = "#d9d9d9"
SQUARE = corners((0.05, 0.95, 0.05, 0.95))  # a cell of the mosaic, in a unit of its own
HATCH = np.array(
    [
        row
        for k in np.linspace(-0.75, 0.75, 9)  # x + y = 1 + k, from border to border
        for row in (
            (0.5 + k / 2 - (0.45 - abs(k) / 2), 0.5 + k / 2 + (0.45 - abs(k) / 2)),
            (0.5 + k / 2 + (0.45 - abs(k) / 2), 0.5 + k / 2 - (0.45 - abs(k) / 2)),
            (np.nan, np.nan),
        )
    ]
)


class Letters(Mark):
    """The names of the points, each beside its point: outside, but inwards near an edge."""

    def __init__(self, axes: Axes, names: str) -> None:
        self.axes = axes
        self.texts = [
            axes.annotate(
                name, (0, 0), (0, 0), textcoords="offset points", annotation_clip=False,
                ha="center", va="center", fontsize=13, weight="bold", color=style.INK, zorder=7,
            )
            for name in names
        ]  # fmt: skip
        for text in self.texts:
            text.set_in_layout(False)

    def show(self, X: NDArray[np.float64]) -> None:
        """Name the points X, shape (n, 2); the other names are not shown."""
        low, high = np.array([self.axes.get_xlim(), self.axes.get_ylim()]).T
        outwards = X - X.mean(axis=0)
        length = np.hypot(*outwards.T)
        for i, text in enumerate(self.texts):
            text.set_visible(i < len(X))
            if i < len(X):
                direction = outwards[i] / length[i] if length[i] > 0.1 else np.array([0.7, 0.7])
                text.xy = X[i]
                already = (X[:i] == X[i]).all(axis=1).sum()  # coinciding points: AB, not one letter
                offset = (20 + 14 * already) * direction
                # Half a letter is 9 points: where it would leave the plane it goes the other way.
                end = X[i] + (offset + 9 * np.sign(offset)) / ROOM * (high - low)
                over = (end < low) | (end > high)
                offset[over] *= -1
                if over.all():  # in a corner: beside a line to the opposite one, not on it
                    offset = np.array([0.0, np.hypot(*offset) * np.sign(offset[1])])
                text.set_position(offset)


class Caption(Mark):
    """A title that may change with every frame, in the place of the axes' own."""

    def __init__(self, axes: Axes) -> None:
        axes.set_title(" ")  # keeps the room
        self.text = axes.annotate(
            "", (0, 1), (0, 6), xycoords="axes fraction", textcoords="offset points", fontsize=12
        )
        self.text.set_in_layout(False)

    def show(self, words: str) -> None:
        """Show the words."""
        self.text.set_text(words)


class Regions(Mark):
    """The two sides: where the label would be +1, and the rest of the plane."""

    def __init__(self, axes: Axes, limits: Limits) -> None:
        colours = {-1: style.SCORES(0.25), 1: style.SCORES(0.8)}
        self.sides = {
            label: Polygon(
                corners(limits), facecolor=colour, edgecolor="none", zorder=0 if label < 0 else 1
            )
            for label, colour in colours.items()
        }
        for side in self.sides.values():
            axes.add_patch(side)

    def show(self, plus: NDArray[np.float64] | None) -> None:
        """Show the corners, shape (k, 2), of the side of +1; neither side for None."""
        for side in self.sides.values():
            side.set_visible(plus is not None)
        if plus is not None:
            self.sides[1].set_xy(plus)


def half_plane(w: NDArray[np.float64], b: float, limits: Limits) -> NDArray[np.float64]:
    """Return the corners of a part of w·x + b > 0 that covers all a box can show, shape (4, 2)."""
    ends = line_in_box(w, b, limits)
    far = 2 * (abs(b) / np.hypot(*w) + np.abs(limits).max()) / np.hypot(*w) * w
    return np.vstack([ends, ends[::-1] + far])


class Rectangle(Mark):
    """The outline of an axis-aligned rectangle: plain where it does its work, dashed where not."""

    def __init__(self, axes: Axes) -> None:
        self.line = Line2D([], [], color=style.INK, linewidth=style.LINE, zorder=3)
        axes.add_line(self.line)

    def show(self, box: Limits | None, *, fails: bool = False) -> None:
        """Show left, right, bottom, top; nothing for None."""
        self.line.set_data(*([], []) if box is None else corners(box)[[0, 1, 2, 3, 0]].T)
        self.line.set_linestyle("--" if fails else "-")


class Mosaic(Mark):
    """All labellings, a small picture of the points each; hatched and crossed where it fails."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        axes.set(xticks=[], yticks=[], aspect="equal")
        axes.spines[:].set_visible(False)
        self.cells = {
            possible: PolyCollection(
                [], facecolor=face, edgecolor=style.NEUTRAL, linewidth=0.5 * style.THIN, zorder=1
            )
            for possible, face in ((True, FACE), (False, FAILED))
        }
        for cells in self.cells.values():
            axes.add_collection(cells)
        # Matplotlib's own hatching takes 3 ms a frame, one broken line a tenth of it.
        self.hatching = Line2D([], [], color=style.NEUTRAL, linewidth=style.THIN, zorder=2)
        axes.add_line(self.hatching)
        self.points = {
            label: axes.scatter(
                [], [], marker=style.MARKER[label], c=style.COLOUR[label], edgecolors=style.INK,
                linewidths=0.5 * style.THIN, zorder=3,
            )
            for label in (-1, 1)
        }  # fmt: skip
        self.signs = {
            possible: Line2D(
                [], [], linestyle="", marker=marker, markersize=size, markerfacecolor="none",
                markeredgecolor=style.INK, markeredgewidth=width, zorder=4,
            )
            for possible, marker, size, width in ((True, style.TICK, 7, 1.2), (False, "x", 9, 2.6))
        }  # fmt: skip
        for line in self.signs.values():
            axes.add_line(line)
        self.current = Line2D(
            [], [], color=style.ACCENT, linewidth=2 * style.LINE, solid_capstyle="projecting",
            solid_joinstyle="miter", zorder=5,
        )  # fmt: skip
        self.current.set_clip_on(False)
        axes.add_line(self.current)

    def show(
        self,
        X: NDArray[np.float64],
        Y: NDArray[np.float64],
        possible: NDArray[np.bool_],
        current: int,
        limits: Limits,
    ) -> None:
        """Show the labellings in rows, from the top left.

        Parameters
        ----------
        X : The points, shape (n, 2).
        Y : Their labellings, −1 or +1, shape (2ⁿ, n).
        possible : Which of them can be made, shape (2ⁿ,).
        current : The row of Y to outline.
        limits : Left, right, bottom and top of the plane that a cell is a small picture of.
        """
        n = len(X)
        columns = 2 ** ((n + 1) // 2)
        rows = len(Y) // columns
        if (columns, rows) != (self.axes.get_xlim()[1], self.axes.get_ylim()[0]):
            self.axes.set(xlim=(0, columns), ylim=(rows, 0))
        corner = np.column_stack([np.arange(len(Y)) % columns, np.arange(len(Y)) // columns])
        squares = corner[:, np.newaxis] + SQUARE
        for value, cells in self.cells.items():
            cells.set_verts(list(squares[possible == value]))
            places = corner[possible == value] + [0.81, 0.2]
            self.signs[value].set_data(*places.T)
        self.hatching.set_data(*(corner[~possible, np.newaxis] + HATCH).reshape(-1, 2).T)
        left, right, bottom, top = limits
        small = (X - [left, top]) / [right - left, bottom - top]  # from the top left, 0 to 1
        places = corner[:, np.newaxis] + 0.14 + 0.72 * small
        for label, mark in self.points.items():
            mark.set_offsets(places[label == Y])
            mark.set_sizes([{3: 100.0, 4: 70.0}.get(n, 36.0)])
        self.current.set_data(*squares[current][[0, 1, 2, 3, 0]].T)
