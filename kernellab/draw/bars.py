"""Numbers of the examples, one bar each: dual weights first of all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from kernellab.draw import style


class Stems:
    """One stem an example, topped by the marker of its class."""

    def __init__(self, axes: Axes) -> None:
        self.stems = LineCollection([], zorder=3)
        axes.add_collection(self.stems)
        self.tops = {
            label: axes.scatter(
                [], [], marker=style.MARKER[label], c=style.COLOUR[label], edgecolors=style.INK,
                linewidths=style.THIN, zorder=4, clip_on=False,
            )
            for label in (-1, 1)
        }  # fmt: skip
        self.ring = axes.scatter(
            [], [], s=160, facecolors="none", edgecolors=style.ACCENT,
            linewidths=1.5 * style.LINE, zorder=5, clip_on=False,
        )  # fmt: skip
        axes.set_xlabel("training example $i$")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(5, integer=True))

    @property
    def artists(self) -> list[Artist]:
        """Stems and tops, for a live figure's list of moving artists."""
        return [self.stems, *self.tops.values(), self.ring]

    def show(
        self, values: NDArray[np.float64], y: NDArray[np.float64], *, used: int | None = None
    ) -> None:
        """Show values ≥ 0 of examples with labels −1 or +1, both of shape (n,)."""
        index = np.arange(len(values))
        feet, tops = np.column_stack([index, 0 * values]), np.column_stack([index, values])
        self.stems.set_segments(list(np.stack([feet, tops], axis=1)))
        self.stems.set_color([style.COLOUR[label] for label in y.astype(int)])
        width = float(np.clip(60.0 / len(values), 0.8, 3.0))  # points: 200 stems still stand apart
        self.stems.set_linewidth(width)
        for label, mark in self.tops.items():
            mark.set_offsets(tops[y == label])
            mark.set_sizes([10.0 * width])
        self.ring.set_offsets(tops[[used]] if used is not None else np.empty((0, 2)))


class Bars:
    """A few named numbers as horizontal bars, in the dashes of the lines they belong to."""

    def __init__(self, axes: Axes, names: Sequence[str]) -> None:
        rows = np.arange(len(names))[::-1]
        self.bars = axes.barh(rows, np.zeros(len(names)), height=0.5, zorder=3)
        self.words = [
            axes.text(0.08, row + 0.36, "", va="center", zorder=4, fontsize=10) for row in rows
        ]
        self.names = names
        axes.axvline(0, color=style.INK, linewidth=style.THIN)
        axes.set(yticks=[], ylim=(-0.6, len(names) - 0.25))
        for bar, (colour, dash) in zip(self.bars, style.LINES, strict=False):
            bar.set(facecolor=colour, alpha=0.75)
            y = bar.get_y() + bar.get_height() / 2
            axes.plot(
                [-0.16, -0.04], [y, y], color=colour, linestyle=dash, linewidth=style.LINE,
                transform=axes.get_yaxis_transform(), clip_on=False,
            )  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """Bars and words, for a live figure's list of moving artists."""
        return [*self.bars, *self.words]

    def show(self, values: NDArray[np.float64], words: Sequence[str]) -> None:
        """Show one value a bar, shape (n_bars,), and what is said of it."""
        for bar, text, value, said in zip(self.bars, self.words, values, words, strict=True):
            bar.set_width(value)
            text.set_text(said)
