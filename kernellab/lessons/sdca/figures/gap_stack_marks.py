"""The duality gap taken apart: a stack of one layer a point, the present terms, and a race."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style

SHADES = {1: ("#0b5fa5", "#5a95c9"), -1: ("#e07b00", "#f2b366")}


class GapStack:
    """The gap over the updates so far, one layer a point: blue for +1, orange for −1."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        self.layers = PolyCollection([], edgecolor="white", linewidths=0.6, zorder=2)
        self.total = Line2D([], [], color=style.INK, linewidth=style.LINE, zorder=3)
        self.here = axes.axvline(np.nan, color=style.ACCENT, linewidth=style.THIN, zorder=4)
        axes.add_collection(self.layers, autolim=False)
        axes.add_line(self.total)

    @property
    def artists(self) -> list[Artist]:
        """Layers and total, for a live figure's list of moving artists."""
        return [self.layers, self.total, self.here]

    def show(
        self, terms: NDArray[np.float64], y: NDArray[np.float64], lit: int | None = None
    ) -> None:
        """Show terms after 0, 1, … t updates, shape (t + 1, n), of points with labels y."""
        if len(terms) == 1:  # before the first update a stack is a column
            terms, t = np.repeat(terms, 2, axis=0), np.array([-0.35, 0.0])
        else:
            t = np.arange(len(terms), dtype=float)
        tops = np.cumsum(terms, axis=1)
        floors = tops - terms
        verts, colours = [], []
        for k, label in enumerate(y.astype(int)):
            verts.append(
                np.concatenate(
                    [np.column_stack([t, tops[:, k]]), np.column_stack([t, floors[:, k]])[::-1]]
                )
            )
            colours.append(style.ACCENT if k == lit else SHADES[label][k % 2])
        self.layers.set_verts(verts)
        self.layers.set_facecolor(colours)
        self.total.set_data(t, tops[:, -1])
        self.here.set_xdata([t[-1]] * 2)


class Terms:
    """The present term of every point as a bar, with how much of the gap its update would close."""

    def __init__(self, axes: Axes, n: int) -> None:
        self.axes = axes
        self.bars = axes.bar(np.arange(1, n + 1), np.zeros(n), width=0.72, zorder=2)
        self.rises = LineCollection([], colors=style.INK, linewidths=1.4 * style.LINE, zorder=4)
        axes.add_collection(self.rises, autolim=False)
        self.numbers = [
            axes.text(k, 0, "", ha="center", va="bottom", fontsize=8, zorder=5)
            for k in range(1, n + 1)
        ]
        axes.set(xlim=(0.3, n + 0.7), xticks=np.arange(1, n + 1))

    @property
    def artists(self) -> list[Artist]:
        """Bars and ticks, for a live figure's list of moving artists."""
        return [*self.bars, self.rises, *self.numbers]

    def show(
        self,
        shares: NDArray[np.float64],
        rises: NDArray[np.float64],
        y: NDArray[np.float64],
        lit: int,
    ) -> None:
        """Show shares of the gap and what an update would close, both of shape (n,)."""
        top = self.axes.get_ylim()[1]
        for k, (bar, label) in enumerate(zip(self.bars, y.astype(int), strict=True)):
            bar.set_height(min(shares[k], top))
            bar.set_facecolor(style.ACCENT if k == lit else SHADES[label][k % 2])
            over = shares[k] > top
            self.numbers[k].set_text(f"{shares[k]:.0%}" if over else "")
            self.numbers[k].set_y(top)
        at = np.arange(1, len(shares) + 1)
        height = np.minimum(rises, top)
        left, right = np.column_stack([at - 0.42, height]), np.column_stack([at + 0.42, height])
        self.rises.set_segments(list(np.stack([left, right], axis=1)))


class Race:
    """Curves that fall on a log axis, one of them under way, before a band of others.

    Parameters
    ----------
    axes
        With a log axis and limits that stay.
    names
        Of the curves; the first is the one under way.
    band
        What the grey band is, for the legend.
    """

    def __init__(self, axes: Axes, names: Sequence[str], band: str) -> None:
        self.band = PolyCollection([], facecolor="#d5d5d5", edgecolor="none", zorder=1)
        axes.add_collection(self.band, autolim=False)
        looks: Sequence[tuple[str, Any]] = (
            (style.ACCENT, "-"), (style.NEUTRAL, "--"), (style.INK, ":"), (style.POSITIVE, "-."),
        )  # fmt: skip
        self.lines = [
            Line2D([], [], color=colour, linestyle=dash, linewidth=style.LINE, label=name, zorder=3)
            for name, (colour, dash) in zip(names, looks, strict=False)
        ]
        self.lines[0].set(linewidth=1.6 * style.LINE, zorder=5)
        for line in self.lines:
            axes.add_line(line)
        self.now = Line2D(
            [], [], marker="o", markersize=9, color=style.ACCENT, markeredgecolor="white", zorder=6
        )
        axes.add_line(self.now)
        self.band.set_label(band)
        axes.legend(handles=[*self.lines, self.band], loc="lower left")

    @property
    def artists(self) -> list[Artist]:
        """Band and curves, for a live figure's list of moving artists."""
        return [self.band, *self.lines, self.now]

    def show(
        self, curves: Sequence[NDArray[np.float64]], low: NDArray[np.float64],
        high: NDArray[np.float64],
    ) -> None:  # fmt: skip
        """Show curves over 0, 1, 2, …, and a band between two others, both of shape (k,)."""
        for line, values in zip(self.lines, curves, strict=True):
            line.set_data(np.arange(len(values)), values)
        own = curves[0]
        self.now.set_data([len(own) - 1], own[-1:])
        t = np.arange(len(low))
        edge = np.concatenate([np.column_stack([t, high]), np.column_stack([t, low])[::-1]])
        self.band.set_verts([edge])
