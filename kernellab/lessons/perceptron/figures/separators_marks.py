"""A few named numbers as bars, in the dashes of the lines they belong to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.mark import Mark

GREEN, BROWN = "#1b7837", "#7f4f24"
# The two class colours are for the points.
LINES = (
    (style.INK, "-"),
    (GREEN, "--"),
    (BROWN, "-."),
    (style.ACCENT, ":"),
    (style.NEUTRAL, (0, (6, 1, 1, 1, 1, 1))),
)


class Bars(Mark):
    """A few named numbers as horizontal bars, in the dashes of the lines they belong to."""

    def __init__(self, axes: Axes, names: Sequence[str]) -> None:
        rows = np.arange(len(names))[::-1]
        self.bars = axes.barh(rows, np.zeros(len(names)), height=0.42, zorder=3)
        self.words = [
            axes.text(0.08, row + 0.4, "", va="center", zorder=4, fontsize=10) for row in rows
        ]
        self.names = names
        axes.axvline(0, color=style.INK, linewidth=style.THIN)
        axes.set(yticks=[], ylim=(-0.6, len(names) - 0.25))
        for bar, (colour, dash) in zip(self.bars, LINES, strict=False):
            bar.set(facecolor=colour, alpha=0.75)
            y = bar.get_y() + bar.get_height() / 2
            axes.plot(
                [-0.16, -0.04], [y, y], color=colour, linestyle=dash, linewidth=style.LINE,
                transform=axes.get_yaxis_transform(), clip_on=False,
            )  # fmt: skip

    def show(self, values: NDArray[np.float64], words: Sequence[str]) -> None:
        """Show one value a bar, shape (n_bars,), and what is said of it."""
        for bar, text, value, said in zip(self.bars, self.words, values, words, strict=True):
            bar.set_width(value)
            text.set_text(said)
