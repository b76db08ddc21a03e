"""Two weights in the plane: the segment and the arc they may lie on, and levels of a function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.contours import level_curve
from kernellab.draw.field import show_field
from kernellab.draw.matrix import SIMILARITY

TOP = 1.15  # of both weights

Pairs = NDArray[np.float64]  # shape (k, 2)


class WeightPlane:
    """Levels of J over two weights, the curves ‖η‖_p = 1, and the lowest place on each of them."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        self.image = show_field(
            axes, SIMILARITY, low=0, high=1.7, origin="lower", extent=(0, TOP, 0, TOP), zorder=0
        )
        axes.set_box_aspect(1.0)
        axes.set(xlim=(0, TOP), ylim=(0, TOP))
        self.levels = LineCollection([], colors=style.NEUTRAL, linewidths=0.6, zorder=1)
        self.touching = LineCollection(
            [], colors=style.INK, linewidths=style.LINE, linestyles="--", zorder=2
        )
        axes.add_collection(self.levels, autolim=False)
        axes.add_collection(self.touching, autolim=False)
        segment, arc = style.NEGATIVE, style.POSITIVE
        self.curves = [
            Line2D([], [], color=colour, linewidth=1.5 * style.LINE, zorder=3)
            for colour in (segment, arc)
        ]
        for line in self.curves:
            axes.add_line(line)
        self.lowest = [
            axes.scatter(
                [], [], marker=marker, s=130, c=colour, edgecolors=style.INK, zorder=5,
                clip_on=False,
            )
            for marker, colour in (("s", segment), ("o", arc))
        ]  # fmt: skip
        self.now = axes.scatter(
            [], [], marker="D", s=110, c=style.ACCENT, edgecolors="white", zorder=6, clip_on=False
        )

    @property
    def artists(self) -> list[Artist]:
        """All of it, for a live figure's list of moving artists."""
        return [
            self.image, self.levels, self.touching, *self.curves, *self.lowest, self.now,
        ]  # fmt: skip

    def show(
        self,
        grid: NDArray[np.float64],
        values: NDArray[np.float64],
        curves: Sequence[Pairs],
        lowest: Sequence[NDArray[np.float64]],
        touching: Sequence[float],
        now: NDArray[np.float64],
    ) -> None:
        """Show it.

        Parameters
        ----------
        grid, values
            Weights along each axis, shape (k,), and J there, shape (k, k), row by second weight.
        curves
            The segment and the arc.
        lowest
            The lowest place on each, shape (2,).
        touching
            The levels of J there: their lines touch the curves.
        now
            A point to mark, shape (2,).
        """
        low, high = values.min(), values.max()
        roots = np.sqrt((values - low) / max(high - low, 1e-300))
        self.image.set_data(roots)
        steps = low + (high - low) * np.linspace(0.08, 0.95, 10) ** 2
        self.levels.set_segments([level_curve(grid, grid, values, level) for level in steps])
        self.touching.set_segments([level_curve(grid, grid, values, level) for level in touching])
        for line, curve in zip(self.curves, curves, strict=True):
            line.set_data(*curve.T)
        for mark, place in zip(self.lowest, lowest, strict=True):
            mark.set_offsets(place[np.newaxis])
        self.now.set_offsets(now[np.newaxis])


class AlongCurves:
    """J along the segment and along the arc, each as a multiple of its lowest value."""

    def __init__(self, axes: Axes, top: float = 2.0) -> None:
        looks: tuple[tuple[str, Any, str], ...] = (
            (style.NEGATIVE, "-", "p = 1: a segment"),
            (style.POSITIVE, "--", "p: an arc"),
        )
        self.top = top
        self.lines = [
            Line2D([], [], color=colour, linestyle=dash, linewidth=style.LINE, label=name)
            for colour, dash, name in looks
        ]
        for line in self.lines:
            axes.add_line(line)
        self.lowest = [
            axes.scatter([], [], marker=marker, s=90, c=colour, edgecolors=style.INK, zorder=4,
                         clip_on=False)
            for marker, colour in (("s", style.NEGATIVE), ("o", style.POSITIVE))
        ]  # fmt: skip
        axes.set(
            xlim=(0, 1), ylim=(0.98, top), xlabel="η₂ / (η₁ + η₂)",
            ylabel="J / lowest J on the curve",
        )  # fmt: skip
        axes.legend(
            handles=self.lines,
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            ncols=2,
            borderaxespad=0.1,
        )

    @property
    def artists(self) -> list[Artist]:
        """Lines and marks, for a live figure's list of moving artists."""
        return [*self.lines, *self.lowest]

    def show(
        self,
        shares: NDArray[np.float64],
        values: Sequence[NDArray[np.float64]],
        lowest: Sequence[float],
    ) -> None:
        """Show J at shares of the second weight, both (k,), on each curve; where it is lowest."""
        for line, J, mark, at in zip(self.lines, values, self.lowest, lowest, strict=True):
            line.set_data(shares, J / J.min())
            mark.set_offsets([(at, 1.0)])
