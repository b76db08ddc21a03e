"""Points with numbers c on them: the sign by marker and colour, the size by area."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kernellab.draw import style

LETTERS = "ABCDEFGHIJKL"


class SignedPoints:
    """Points with one number each, written beside them; those that prove something are ringed."""

    def __init__(self, axes: Axes, most: int) -> None:
        self.axes = axes
        self.marks = {
            sign: axes.scatter(
                [], [], marker=style.MARKER[sign], c=style.COLOUR[sign], edgecolors=style.INK,
                linewidths=style.THIN, zorder=4,
            )
            for sign in (-1, 1)
        }  # fmt: skip
        self.rings = axes.scatter(
            [], [], s=330, facecolors="none", edgecolors=style.ACCENT, linewidths=style.LINE,
            zorder=5,
        )  # fmt: skip
        self.words = [
            axes.annotate(
                "", (0, 0), (0, 17), textcoords="offset points", ha="center", va="center",
                zorder=6, annotation_clip=False,
            )
            for _ in range(most)
        ]  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """Marks, rings and words, for a live figure's list of moving artists."""
        return [*self.marks.values(), self.rings, *self.words]

    def show(
        self, X: NDArray[np.float64], c: NDArray[np.float64], proof: NDArray[np.bool_]
    ) -> None:
        """Show points, shape (n, 2), their numbers, shape (n,), and which to ring, shape (n,)."""
        area = style.POINT_AREA * (0.5 + 4 * np.abs(c))
        for sign, mark in self.marks.items():
            here = (c < 0) == (sign < 0)
            mark.set_offsets(X[here])
            mark.set_sizes(area[here])
        self.rings.set_offsets(X[proof])
        bottom, top = self.axes.get_ylim()
        for k, text in enumerate(self.words):
            text.set_visible(k < len(X))
            if k < len(X):
                text.xy = X[k]
                high = X[k, 1] > bottom + 0.9 * (top - bottom)
                text.set_position((0, -25 if high else 25))
                number = f"\n{c[k]:+.2f}".replace("-", "−") if proof[k] or not proof.any() else ""
                text.set_text(LETTERS[k] + number)


class Entries:
    """The entries of a small matrix, written in its cells; of a larger one nothing is written."""

    def __init__(self, axes: Axes, most: int) -> None:
        self.words = [
            [axes.text(j, i, "", ha="center", va="center", zorder=3) for j in range(most)]
            for i in range(most)
        ]

    @property
    def artists(self) -> list[Artist]:
        """The words, for a live figure's list of moving artists."""
        return [text for row in self.words for text in row]

    def show(self, K: NDArray[np.float64]) -> None:
        """Show a matrix, shape (n, n), whose cells are of size 1."""
        small = len(K) <= len(self.words)
        for i, row in enumerate(self.words):
            for j, text in enumerate(row):
                text.set_visible(small and max(i, j) < len(K))
                if text.get_visible():
                    text.set_position((j + 0.5, i + 0.5))
                    text.set_text(f"{K[i, j]:.3g}".replace("-", "−"))
