"""The words a linear machine goes by: those of the largest weights, of either sign, as bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from numpy.typing import NDArray

from kernellab.draw import style

THICK = 0.72  # of a bar, in rows


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
        below, above = places - THICK / 2, places + THICK / 2
        self._corners = np.stack([below, below, above, above], axis=1)  # in y, shape (rows, 4)
        self.bars = {}
        self.words = {}
        for sign, hatch in ((-1, "//"), (1, "")):
            # One artist for all bars: ten take three times as long.
            self.bars[sign] = PolyCollection(
                [], facecolor=style.COLOUR[sign], edgecolor="white", hatch=hatch, linewidth=0.5,
                alpha=0.4, zorder=2,
            )  # fmt: skip
            axes.add_collection(self.bars[sign], autolim=False)
            self.words[sign] = [
                axes.text(0.03 * sign, row, "", va="center", ha="left" if sign > 0 else "right",
                          zorder=3, fontsize=11)
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
            for artist in (self.bars[sign], *self.words[sign])
        ]  # fmt: skip

    def show(self, w: NDArray[np.float64], words: Sequence[str]) -> None:
        """Show the extreme weights of w, shape (p,), with the words they belong to."""
        order = np.argsort(w, kind="stable")
        largest = max(float(np.abs(w).max()), 1e-300)
        for sign, columns in ((-1, order[: self.rows]), (1, order[::-1][: self.rows])):
            values = np.where(w[columns] * sign > 0, w[columns], 0.0) / largest
            ends = np.outer(values, [0, 1, 1, 0])
            self.bars[sign].set_verts(list(np.stack([ends, self._corners], axis=2)))
            for text, column, value in zip(self.words[sign], columns, values, strict=True):
                text.set_text(words[column] if value else "")
