"""A function of one number: what it is at the examples, and what it is between them."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.plane import Points


class TwoCurves:
    """f, and f plus something; both values at the examples, and the examples at y = ±1."""

    def __init__(self, axes: Axes) -> None:
        axes.axhline(0, color=style.INK, linewidth=style.THIN)
        for level in (-1, 1):
            axes.axhline(level, color=style.NEUTRAL, linewidth=style.THIN, linestyle=":")
        self.f = Line2D([], [], color=style.INK, linewidth=style.LINE, zorder=3, label="f")
        self.other = Line2D(
            [], [], color=style.ACCENT, linewidth=style.LINE, linestyle="--", zorder=3,
            label="f + t·g",
        )  # fmt: skip
        self.values = axes.scatter([], [], marker="o", s=36, c=style.INK, zorder=5)
        self.others = axes.scatter(
            [], [], marker="o", s=120, facecolors="none", edgecolors=style.ACCENT, zorder=5,
            linewidths=style.LINE,
        )  # fmt: skip
        self.centre = axes.scatter([], [], marker="D", s=70, c=style.ACCENT, zorder=6)
        for line in (self.f, self.other):
            axes.add_line(line)
        self.points = Points(axes)
        axes.legend(handles=[self.f, self.other], loc="upper right", ncols=2)

    @property
    def artists(self) -> list[Artist]:
        """Curves, values and points, for a live figure's list of moving artists."""
        return [
            self.f, self.other, self.values, self.others, self.centre, *self.points.artists
        ]  # fmt: skip

    def show(
        self,
        grid: NDArray[np.float64],
        f: NDArray[np.float64],
        other: NDArray[np.float64],
        examples: tuple[NDArray[np.float64], ...],
        centre: float,
    ) -> None:
        """Show two functions.

        Parameters
        ----------
        grid, f, other
            Where, and the two values there, each of shape (k,).
        examples
            Of n examples x, y, the value of f, that of the other, and a weight, each (n,).
        centre
            A mark on the axis.
        """
        x, y, values, others, weight = examples
        self.f.set_data(grid, f)
        self.other.set_data(grid, other)
        self.values.set_offsets(np.column_stack([x, values]))
        self.others.set_offsets(np.column_stack([x, others]))
        self.centre.set_offsets([(centre, 0.0)])
        self.points.show(np.column_stack([x, y]), y, weight=weight)


class Parabola:
    """An objective over t in its parts, and where a slider stands."""

    def __init__(self, axes: Axes) -> None:
        names = ("½‖f + t·g‖²", "C Σ ξ", "both")
        looks = (style.LINES[3], style.LINES[2], style.LINES[0])
        self.lines = []
        for name, (colour, dash) in zip(names, looks, strict=True):
            line = Line2D([], [], color=colour, linestyle=dash, linewidth=style.LINE, label=name)
            axes.add_line(line)
            self.lines.append(line)
        self.here = axes.axvline(np.nan, color=style.ACCENT, linewidth=style.THIN)
        self.dots = axes.scatter([], [], c=style.ACCENT, s=40, zorder=5)
        axes.legend(handles=self.lines, loc="upper center")
        axes.set(xlabel="t")

    @property
    def artists(self) -> list[Artist]:
        """Lines and dots, for a live figure's list of moving artists."""
        return [*self.lines, self.here, self.dots]

    def show(
        self, t: NDArray[np.float64], parts: NDArray[np.float64], now: NDArray[np.float64]
    ) -> None:
        """Show the parts over t, shapes (k,) and (3, k); now is t and the three values there."""
        for line, values in zip(self.lines, parts, strict=True):
            line.set_data(t, values)
        self.here.set_xdata([now[0]] * 2)
        self.dots.set_offsets(np.column_stack([np.full(3, now[0]), now[1:]]))
