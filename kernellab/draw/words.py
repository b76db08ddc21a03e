"""The words a linear machine goes by: those of the largest weights, of either sign, as bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kernellab.draw import style


class WordBars:
    """Words with the most negative weights to the left of zero, the most positive to the right.

    Parameters
    ----------
    axes
        Where they stand.
    rows
        How many words on each side.
    """

    def __init__(self, axes: Axes, rows: int) -> None:
        self.rows = rows
        places = np.arange(rows)[::-1]
        self.bars = {}
        self.words = {}
        for sign, hatch in ((-1, "//"), (1, "")):
            self.bars[sign] = axes.barh(
                places, np.zeros(rows), height=0.72, color=style.COLOUR[sign], zorder=2, alpha=0.55,
                edgecolor="white", hatch=hatch, linewidth=0.5,
            )  # fmt: skip
            self.words[sign] = [
                axes.text(0.03 * sign, row, "", va="center", ha="left" if sign > 0 else "right",
                          zorder=3, fontsize=11, bbox={"facecolor": "white", "alpha": 0.75,
                                                       "edgecolor": "none", "pad": 0.6})
                for row in places
            ]  # fmt: skip
        axes.axvline(0, color=style.INK, linewidth=style.THIN, zorder=4)
        axes.set(yticks=[], xlim=(-1.05, 1.05), ylim=(-0.6, rows - 0.4), xlabel="w / largest |w|")
        axes.spines["left"].set_visible(False)

    @property
    def artists(self) -> list[Artist]:
        """Bars and words, for a live figure's list of moving artists."""
        return [
            artist
            for sign in (-1, 1)
            for artist in (*self.bars[sign].patches, *self.words[sign])
        ]  # fmt: skip

    def show(self, w: NDArray[np.float64], words: Sequence[str]) -> None:
        """Show the extreme weights of w, shape (p,), with the words they belong to."""
        order = np.argsort(w, kind="stable")
        largest = max(float(np.abs(w).max()), 1e-300)
        for sign, columns in ((-1, order[: self.rows]), (1, order[::-1][: self.rows])):
            shown = zip(self.bars[sign].patches, self.words[sign], columns, strict=True)
            for bar, text, column in shown:
                value = w[column] if w[column] * sign > 0 else 0.0
                bar.set_width(value / largest)
                text.set_text(words[column] if value else "")
