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
        area = style.POINT_AREA * (0.5 + 4 * np.abs(np.nan_to_num(c)))
        for sign, mark in self.marks.items():
            here = (c < 0) == (sign < 0)
            mark.set_offsets(X[here])
            mark.set_sizes(area[here])
        self.rings.set_offsets(X[proof])
        places = self._places(X)
        for k, text in enumerate(self.words):
            text.set_visible(k < len(X))
            if k < len(X):
                text.xy = X[k]
                text.set_position(tuple(places[k]))
                told = (proof[k] or not proof.any()) and np.isfinite(c[k])
                number = f"\n{c[k]:+.2f}".replace("-", "−") if told else ""
                text.set_text(LETTERS[k] + number)

    def _places(self, X: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Choose for each point's words the side that is farthest from other points and words.

        Returns offsets in points, each of shape (2,). Above is preferred.
        """
        sides = np.array([(0.0, 25.0), (0.0, -25.0), (-30.0, 0.0), (30.0, 0.0)])
        to_points = 72.0 / self.axes.figure.dpi
        at = self.axes.transData.transform(X) * to_points
        low, high = self.axes.transAxes.transform([(0, 0), (1, 1)]) * to_points
        taken: list[NDArray[np.float64]] = []
        for k in range(len(X)):
            others = np.vstack([np.delete(at, k, axis=0), *taken, [(1e6, 1e6)]])
            spots = at[k] + sides
            room = np.abs(spots[:, np.newaxis] - others) / (34.0, 28.0)  # words are wider than high
            free = np.minimum(room.max(axis=2).min(axis=1), 1.0)
            free -= 2.0 * ((spots < low + 8) | (spots > high - 4)).any(axis=1)
            best = int(free.argmax())
            taken.append(spots[[best]])
        return [spot[0] - place for spot, place in zip(taken, at, strict=True)]


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
                    digits = 3 if len(K) < 4 else 2  # what a cell has room for
                    tiny = 0 < abs(K[i, j]) < 1e-3 * np.abs(K).max()
                    number = "≈ 0" if tiny else f"{K[i, j]:.{digits}g}".replace("-", "−")
                    text.set_text(number)
