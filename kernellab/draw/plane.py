"""What stands in the plane: examples, the score field under them, separators between them.

Each mark is made once on its axes and then shown again with other numbers, so that the same code
draws a printed figure and every frame of a live one. ``artists`` lists what a mark consists of.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike

from kernellab.draw import style
from kernellab.draw.field import show_field
from kernellab.draw.mark import Mark
from kernellab.validation import FloatArray

Limits = tuple[float, float, float, float]  # left, right, bottom, top, in data units


def limits_around(X: FloatArray, margin: float = 0.15) -> Limits:
    """Return limits that leave a margin (a fraction of the spread) round points of shape (n, 2)."""
    low, high = X.min(axis=0), X.max(axis=0)
    pad = margin * np.where(high > low, high - low, 1.0)
    left, bottom = low - pad
    right, top = high + pad
    return float(left), float(right), float(bottom), float(top)


def plane(axes: Axes, limits: Limits, names: tuple[str, ...] = ("$x_1$", "$x_2$")) -> None:
    """Prepare axes as a square piece of the plane with named coordinates."""
    left, right, bottom, top = limits
    axes.set(xlim=(left, right), ylim=(bottom, top), xlabel=names[0], ylabel=names[1])
    axes.set_box_aspect(1.0)


class Points(Mark):
    """Labelled examples: circles for +1, squares for −1, areas that grow with a weight."""

    def __init__(self, axes: Axes, *, zorder: float = 4.0) -> None:
        self.marks = {
            label: axes.scatter(
                [], [], marker=style.MARKER[label], c=style.COLOUR[label], edgecolors=style.INK,
                linewidths=style.THIN, zorder=zorder, clip_on=False,
            )
            for label in (-1, 1)
        }  # fmt: skip
        self.ring = axes.scatter(
            [], [], marker="o", facecolors="none", edgecolors=style.ACCENT,
            linewidths=1.5 * style.LINE, zorder=zorder + 1, clip_on=False,
        )  # fmt: skip
        self.crosses = axes.scatter(
            [], [], marker="x", c=style.INK, s=140, linewidths=0.7 * style.LINE, zorder=zorder + 2,
            path_effects=[withStroke(linewidth=0.95 * style.LINE, foreground="white")],
            clip_on=False,
        )  # fmt: skip

    def show(
        self,
        X: FloatArray,
        y: FloatArray,
        *,
        weight: ArrayLike = 0.0,
        largest: float | None = None,
        used: ArrayLike | None = None,
        mistaken: ArrayLike = False,
    ) -> None:
        """Show the examples.

        Parameters
        ----------
        X : Points, shape (n, 2), data units.
        y : Labels −1 or +1, shape (n,).
        weight
            A number ≥ 0 for each example, shape (n,), usually α: the largest has the largest area.
        largest : The weight of the largest area, for marks that compare from frame to frame.
        used : The example that a solver has just looked at, or several: ringed.
        mistaken : True for each example that is crossed, shape (n,).
        """
        share = relative(np.broadcast_to(weight, len(X)), largest)
        area = style.POINT_AREA + style.WEIGHT_AREA * share
        for label, mark in self.marks.items():
            mark.set_offsets(X[y == label])
            mark.set_sizes(area[y == label])
        ringed = np.atleast_1d(np.asarray([] if used is None else used, dtype=int))
        self.ring.set_offsets(X[ringed])
        self.ring.set_sizes(4 * area[ringed])
        self.crosses.set_offsets(X[np.broadcast_to(mistaken, len(X))])


def relative(weight: FloatArray, largest: float | None = None) -> FloatArray:
    """Scale weights ≥ 0 so that the largest is 5: areas from one to six units, whatever C is."""
    largest = weight.max(initial=0.0) if largest is None else largest
    return 5.0 * weight / largest if largest > 0 else np.zeros(len(weight))


class ScoreField(Mark):
    """The score f(x) over the plane as colour, white where it is zero."""

    def __init__(self, axes: Axes, limits: Limits, *, saturation: float = 2.0) -> None:
        self.image = show_field(
            axes, style.SCORES, low=-saturation, high=saturation, origin="lower", extent=limits,
            zorder=0,
        )  # fmt: skip
        axes.set_box_aspect(1.0)

    def show(self, scores: FloatArray, limits: Limits | None = None) -> None:
        """Show scores on a grid, shape (rows from the bottom up, columns from left to right)."""
        self.image.set_data(scores)
        if limits is not None:
            self.image.set_extent(limits)


class Separator(Mark):
    """The line w·x + b = 0, with or without the two margins w·x + b = ±1."""

    def __init__(self, axes: Axes, *, margins: bool = False, **line: Any) -> None:
        options: dict[str, Any] = {"color": style.INK, "linewidth": style.LINE, "zorder": 3} | line
        self.axes = axes
        self.levels = (0.0, -1.0, 1.0) if margins else (0.0,)
        self.lines = [Line2D([], [], **options) for _ in self.levels]
        for margin in self.lines[1:]:
            margin.set(linestyle="--", linewidth=style.THIN)
        for line_ in self.lines:
            axes.add_line(line_)
        self.words = axes.text(0.5, 0.5, "", transform=axes.transAxes, ha="center", zorder=6)

    def show(self, w: FloatArray, b: float) -> None:
        """Show the separator of weights w, shape (2,), and bias b; for w = 0, say so."""
        limits = (*self.axes.get_xlim(), *self.axes.get_ylim())
        self.words.set_text("" if w.any() else "w = 0: no line")
        for line, level in zip(self.lines, self.levels, strict=True):
            line.set_data(*line_in_box(w, b - level, limits).T)


def line_in_box(w: FloatArray, b: float, limits: Limits) -> FloatArray:
    """Return two points of the line w·x + b = 0 that reach beyond a box, shape (2, 2).

    Empty, of shape (0, 2), where w is zero: there is no line.
    """
    squared = float(w @ w)
    if squared == 0.0:
        return np.empty((0, 2))
    left, right, bottom, top = limits
    centre = np.array([left + right, bottom + top]) / 2
    foot = centre - (w @ centre + b) / squared * w  # the point of the line nearest to the centre
    along = np.array([-w[1], w[0]]) / np.sqrt(squared)
    return foot + np.outer([-1.0, 1.0], along) * np.hypot(right - left, top - bottom)
