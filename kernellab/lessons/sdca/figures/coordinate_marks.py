"""The dual of two examples from above, climbed one coordinate at a time, and one such climb."""

from __future__ import annotations

from typing import Any

import numpy as np
from contourpy import contour_generator
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.plane import Limits

OUTSIDE = "#d9d9d9"
# How far below the top the level lines lie: close to it they are close.
DROPS = (0.004, 0.02, 0.05, 0.1, 0.18, 0.3, 0.45, 0.65, 0.9, 1.25, 1.7, 2.3, 3.1, 4.2)


class BoxMap:
    """Level lines of a dual of two α, its box, and the zigzag of a run in it.

    Parameters
    ----------
    axes
        Where it stands; limits are set.
    limits
        Left, right, bottom, top.
    """

    def __init__(self, axes: Axes, limits: Limits) -> None:
        left, right, bottom, top = limits
        self.limits = limits
        axes.set(xlim=(left, right), ylim=(bottom, top), xlabel="α₁", ylabel="α₂")
        axes.set_box_aspect(1.0)
        self.levels = LineCollection([], linewidths=0.9, zorder=1)
        self.outside = PolyCollection(
            [], facecolor=OUTSIDE, edgecolor="none", alpha=0.75, zorder=1.5
        )
        for collection in (self.levels, self.outside):
            axes.add_collection(collection, autolim=False)
        line: dict[str, Any] = {"color": style.INK, "zorder": 2}
        self.box = Line2D([], [], linewidth=style.LINE, **line)
        self.search = Line2D(
            [], [], color=style.ACCENT, linewidth=style.LINE, linestyle=(0, (3, 1.5)), zorder=3
        )
        self.path = Line2D(
            [],
            [],
            color=style.INK,
            linewidth=1.2 * style.LINE,
            marker="o",
            markersize=4.5,
            zorder=4,
        )
        self.top = Line2D(
            [], [], color=style.INK, marker="*", markersize=15, markerfacecolor="white",
            linestyle="", zorder=3.5, clip_on=False,
        )  # fmt: skip
        self.now = Line2D(
            [], [], color=style.ACCENT, marker="o", markersize=10, markeredgecolor="white",
            linestyle="", zorder=5, clip_on=False,
        )  # fmt: skip
        for mark in (self.box, self.search, self.path, self.top, self.now):
            axes.add_line(mark)

    @property
    def artists(self) -> list[Artist]:
        """All marks, for a live figure's list of moving artists."""
        return [
            self.levels, self.outside, self.box, self.search, self.path, self.top, self.now
        ]  # fmt: skip

    def show(
        self,
        side: NDArray[np.float64],
        dual: NDArray[np.float64],
        C: float,
        path: NDArray[np.float64],
        top: NDArray[np.float64],
        coordinate: int,
    ) -> None:
        """Show a run.

        Parameters
        ----------
        side, dual
            Values on a grid: the places along either axis, shape (k,), and D there, (k, k), rows
            being α₂.
        C
            The box is from 0 to C both ways.
        path
            α from the start to now, shape (t + 1, 2).
        top
            The optimum, shape (2,).
        coordinate
            0 or 1: which α moves next, along a line through where we are.
        """
        best = float(dual.max())
        generator = contour_generator(side, side, dual)
        pieces: list[Any] = []
        colours: list[Any] = []
        for k, drop in enumerate(DROPS):
            lines = generator.lines(best - drop)
            pieces += lines
            colours += [style.SCORES(1.0 - 0.3 * k / len(DROPS))] * len(lines)
        self.levels.set_segments(pieces)
        self.levels.set_color(colours)
        left, right, low_edge, high_edge = self.limits
        self.outside.set_verts(frame((left, right, low_edge, high_edge), C))
        self.box.set_data([0, C, C, 0, 0], [0, 0, C, C, 0])
        here = path[-1]
        ends = np.stack([here, here])
        ends[:, coordinate] = self.limits[0], self.limits[1]
        self.search.set_data(*ends.T)
        self.path.set_data(*path.T)
        self.now.set_data(*path[-1:].T)
        self.top.set_data(*top[np.newaxis].T)


def frame(limits: Limits, C: float) -> list[NDArray[np.float64]]:
    """Return what of a rectangle lies outside [0, C]², as four rectangles."""
    left, right, bottom, top = limits
    boxes = [(left, 0, bottom, top), (C, right, bottom, top), (0, C, bottom, 0), (0, C, C, top)]
    return [np.array([(a, c), (b, c), (b, d), (a, d)], dtype=float) for a, b, c, d in boxes]


class CoordinateCurve:
    """The dual along one coordinate: a parabola, its vertex, and the vertex clipped to the box."""

    def __init__(self, axes: Axes, limits: Limits) -> None:
        left, right, bottom, top = self.limits = limits
        self.axes = axes
        axes.set(xlim=(left, right), ylim=(bottom, top))
        axes.axhline(0, color=style.NEUTRAL, linewidth=0.5, zorder=1)
        self.outside = PolyCollection(
            [], facecolor=OUTSIDE, edgecolor="none", alpha=0.75, zorder=0.5
        )
        axes.add_collection(self.outside, autolim=False)
        self.beyond = Line2D([], [], color=style.NEUTRAL, linewidth=style.LINE, linestyle="--")
        self.inside = Line2D([], [], color=style.INK, linewidth=1.5 * style.LINE, zorder=3)
        mark: dict[str, Any] = {"linestyle": "", "zorder": 5}
        self.now = Line2D(
            [], [], marker="o", markersize=10, markerfacecolor="white", color=style.INK, **mark
        )
        self.vertex = Line2D(
            [],
            [],
            marker="^",
            markersize=17,
            markerfacecolor="white",
            color=style.NEUTRAL,
            linestyle="",
            zorder=4,
        )
        self.best = Line2D(
            [], [], marker="o", markersize=11, markeredgecolor="white", color=style.ACCENT,
            linestyle="", zorder=6,
        )  # fmt: skip
        self.drop = Line2D([], [], color=style.ACCENT, linewidth=style.THIN, linestyle=":")
        for line in (self.beyond, self.inside, self.drop, self.now, self.vertex, self.best):
            axes.add_line(line)
        self.words = axes.text(
            0.03, 0.97, "", transform=axes.transAxes, va="top", zorder=7,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 2},
        )  # fmt: skip
        self.key = axes.legend(
            [self.now, self.vertex, self.best], ["now", "vertex", "the step: vertex, clipped"],
            loc="lower center", bbox_to_anchor=(0.5, 0.0), ncols=3, columnspacing=1.0,
            handletextpad=0.3, markerscale=0.7, frameon=True, framealpha=0.9, edgecolor="none",
        )  # fmt: skip
        self.key.set_zorder(8)

    @property
    def artists(self) -> list[Artist]:
        """All marks, for a live figure's list of moving artists."""
        return [
            self.outside, self.beyond, self.inside, self.drop, self.now, self.vertex, self.best,
            self.words, self.key,
        ]  # fmt: skip

    def show(
        self,
        a: NDArray[np.float64],
        rise: NDArray[np.float64],
        box: tuple[float, float],
        marks: NDArray[np.float64],
        words: str,
    ) -> None:
        """Show one climb.

        Parameters
        ----------
        a, rise
            Places, and how much higher the dual is there than now, shape (k,).
        box
            From where to where a may go.
        marks
            Now, vertex and step as (a, rise), shape (3, 2); a vertex that is out of the picture
            is shown at its edge.
        words
            What α it is.
        """
        left, right, bottom, top = self.limits
        self.outside.set_verts(
            [
                np.array([(left, bottom), (box[0], bottom), (box[0], top), (left, top)]),
                np.array([(box[1], bottom), (right, bottom), (right, top), (box[1], top)]),
            ]
        )
        within = (a >= box[0]) & (a <= box[1])
        self.beyond.set_data(a, rise)
        self.inside.set_data(a[within], rise[within])
        low, high = np.array([left, bottom]), np.array([right, top])
        shown = np.clip(np.nan_to_num(marks, posinf=1e9, neginf=-1e9), low, high)
        for line, place in zip((self.now, self.vertex, self.best), shown, strict=True):
            line.set_data(place[:1], place[1:])
        self.drop.set_data([shown[2, 0]] * 2, [bottom, shown[2, 1]])
        self.words.set_text(words)
