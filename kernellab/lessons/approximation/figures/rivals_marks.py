"""Accuracies with their error bars: of a few rivals, or against a number of columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.field import show_field


class Rivals:
    """One accuracy a row, with a bar of one standard error to both sides."""

    def __init__(self, axes: Axes, names: Sequence[str], limits: tuple[float, float]) -> None:
        self.rows = np.arange(len(names))[::-1]
        self.low = limits[0]
        self.bars = LineCollection([], colors=style.INK, linewidths=style.LINE, zorder=3)
        axes.add_collection(self.bars, autolim=False)
        colours = [style.ACCENT, *[style.NEUTRAL] * (len(names) - 1)]
        self.dots = axes.scatter(
            np.zeros(len(names)), self.rows, c=colours, s=70, zorder=4, clip_on=False
        )
        self.words = [
            axes.text(0.0, row + 0.33, "", fontsize=10, va="center",
                      transform=axes.get_yaxis_transform())
            for row in self.rows
        ]  # fmt: skip
        self.names = names
        axes.set(xlim=limits, ylim=(-0.4, len(names) - 0.4), yticks=[], xlabel="test accuracy")

    @property
    def artists(self) -> list[Artist]:
        """Dots, bars and words, for a live figure's list of moving artists."""
        return [self.bars, self.dots, *self.words]

    def show(self, accuracy: NDArray[np.float64], error: NDArray[np.float64]) -> None:
        """Show accuracies and their standard errors, both of shape (n_names,)."""
        ends = np.clip(accuracy[:, None] + np.outer(error, [-1, 1]), self.low, 1.0)
        self.bars.set_segments(
            [[(a, row), (b, row)] for (a, b), row in zip(ends, self.rows, strict=True)]
        )
        self.dots.set_offsets(np.column_stack([np.maximum(accuracy, self.low), self.rows]))
        for text, name, p, e in zip(self.words, self.names, accuracy, error, strict=True):
            text.set_text(f"{name}: {p:.1%} ± {e:.1%}")


class AgainstColumns:
    """A measure against the number of columns, a marker a method, and the exact solver as a line.

    Parameters
    ----------
    axes
        Where it stands.
    names
        Of the methods.
    log
        Whether the measure is on a log axis.
    """

    MARKERS = ("o", "s", "D", "^")

    def __init__(self, axes: Axes, names: Sequence[str], *, log: bool = False) -> None:
        self.dots = [
            Line2D([], [], color=colour, linestyle=dash, linewidth=style.THIN, marker=marker,
                   markersize=7, markeredgecolor="white", label=name, zorder=4)
            for name, (colour, dash), marker in zip(
                names, style.LINES[1:], self.MARKERS, strict=False
            )
        ]  # fmt: skip
        self.bars = LineCollection([], colors=style.NEUTRAL, linewidths=style.THIN, zorder=3)
        axes.add_collection(self.bars, autolim=False)
        for line in self.dots:
            axes.add_line(line)
        self.exact = Line2D(
            [], [], color=style.INK, linewidth=style.LINE, label="exact kernel SVM", zorder=2
        )
        axes.add_line(self.exact)
        axes.set(xscale="log", xlabel="columns m")
        if log:
            axes.set_yscale("log")

    @property
    def artists(self) -> list[Artist]:
        """All of it, for a live figure's list of moving artists."""
        return [self.bars, self.exact, *self.dots]

    def show(
        self,
        columns: Sequence[NDArray[np.float64]],
        measures: Sequence[NDArray[np.float64]],
        exact: float,
        errors: Sequence[NDArray[np.float64]] = (),
    ) -> None:
        """Show for each method its columns and its measures, both (k,), with standard errors."""
        for line, m, value in zip(self.dots, columns, measures, strict=True):
            line.set_data(m, value)
        self.exact.set_data([1, 1e5], [exact, exact])
        self.bars.set_segments(
            [
                [(a, v - e), (a, v + e)]
                for m, value, error in zip(columns, measures, errors, strict=False)
                for a, v, e in zip(m, value, error, strict=True)
            ]
        )


class WeightTable:
    """Weights of kernels as a table of shades: a row a group of features, a column a width."""

    def __init__(self, axes: Axes, rows: int, columns: Sequence[str], cmap: object) -> None:
        place = (-0.5, len(columns) - 0.5, rows - 0.5, -0.5)
        self.image = show_field(axes, cmap, between="nearest", extent=place)
        self.words = [
            [
                axes.text(j, i, "", ha="center", va="center", fontsize=10)
                for j in range(len(columns))
            ]
            for i in range(rows)
        ]
        axes.set_xticks(range(len(columns)), columns)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)

    @property
    def artists(self) -> list[Artist]:
        """Shades and numbers, for a live figure's list of moving artists."""
        return [self.image, *(text for row in self.words for text in row)]

    def show(self, weights: NDArray[np.float64]) -> None:
        """Show weights ≥ 0, shape (rows, columns)."""
        self.image.set_data(weights / max(float(weights.max()), 1e-300))
        half = weights.max() / 2
        for texts, row in zip(self.words, weights, strict=True):
            for text, weight in zip(texts, row, strict=True):
                text.set_text(f"{weight:.2f}" if weight >= 0.005 else "0")
                text.set_color("white" if weight > half else style.INK)
