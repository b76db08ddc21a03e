"""A Gram matrix as an image, and the numbers that say what is in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.field import show_field
from kernellab.draw.mark import Mark

# Similarities: nothing is white, everything is ink; also read without colour.
SIMILARITY = LinearSegmentedColormap.from_list(
    "kernellab.similarity", ["#ffffff", "#bcd6ec", "#4a90c8", "#0b4a80", "#0a1f33"]
)


class GramImage(Mark):
    """A Gram matrix, row 0 on top, with lines between the classes and a cross on one entry.

    Parameters
    ----------
    axes
        Where it stands.
    low, high
        The values that are white and black.
    cross
        Whether there is a cross on an entry.
    """

    def __init__(
        self, axes: Axes, *, low: float = 0.0, high: float = 1.0, cross: bool = False
    ) -> None:
        self.axes = axes
        self.image = show_field(axes, SIMILARITY, low=low, high=high, between="nearest", zorder=0)
        self.borders = LineCollection([], colors=style.NEGATIVE, linewidths=style.THIN, zorder=1)
        axes.add_collection(self.borders, autolim=False)
        self.cross = [
            Line2D([], [], color=style.ACCENT, linewidth=style.THIN, zorder=2) for _ in range(2)
        ]
        if cross:
            for line in self.cross:
                axes.add_line(line)
        else:
            self.cross = []
        axes.set(xticks=[], yticks=[])
        axes.set_box_aspect(1.0)

    def show(
        self,
        K: NDArray[np.float64],
        borders: Sequence[float] = (),
        *,
        entry: tuple[int, int] | None = None,
        low: float | None = None,
        high: float | None = None,
    ) -> None:
        """Show a matrix, shape (n, n).

        Parameters
        ----------
        K
            The matrix.
        borders
            Between which rows a class ends: 10 for between rows 9 and 10.
        entry
            Row and column under the cross.
        low, high
            The values that are white and black; left as they are if not given.
        """
        n = len(K)
        self.image.set_data(K)
        self.image.set_extent((0, n, n, 0))
        if self.axes.get_xlim() != (0, n):
            self.axes.set(xlim=(0, n), ylim=(n, 0))
        if low is not None and high is not None:
            self.image.set_clim(low, high)
        ends = [[(at, 0), (at, n)] for at in borders] + [[(0, at), (n, at)] for at in borders]
        self.borders.set_segments(ends)
        if entry is not None and self.cross:
            row, column = entry[0] + 0.5, entry[1] + 0.5
            self.cross[0].set_data([0, n], [row, row])
            self.cross[1].set_data([column, column], [0, n])


class Spectrum(Mark):
    """Eigenvalues of a Gram matrix, largest first, one stem each; negative ones in orange.

    Parameters
    ----------
    axes
        Where it stands.
    floor
        On a log axis values below it are shown there; None for a linear axis.
    """

    def __init__(self, axes: Axes, *, floor: float | None = None) -> None:
        self.axes, self.floor = axes, floor
        self.stems = LineCollection([], colors=style.INK, linewidths=style.LINE, zorder=3)
        axes.add_collection(self.stems, autolim=False)
        self.tops = {
            sign: axes.scatter(
                [], [], marker=style.MARKER[sign], c=style.COLOUR[sign], edgecolors=style.INK,
                linewidths=0.5 * style.THIN, zorder=4, clip_on=False,
            )
            for sign in (-1, 1)
        }  # fmt: skip
        if floor is None:
            axes.axhline(0, color=style.INK, linewidth=style.THIN)
        else:
            axes.set(yscale="log")
        axes.set(xlabel="number", ylabel="eigenvalue")

    def show(self, values: NDArray[np.float64]) -> None:
        """Show eigenvalues in descending order, shape (n,)."""
        number = np.arange(1, len(values) + 1)
        foot = 0.0 if self.floor is None else self.floor
        tops = values if self.floor is None else np.maximum(values, self.floor)
        feet = np.column_stack([number, np.full(len(values), foot)])
        ends = np.column_stack([number, tops])
        self.stems.set_segments(list(np.stack([feet, ends], axis=1)))
        self.stems.set_linewidth(float(np.clip(60 / len(values), 0.6, 2.5)))
        for sign, mark in self.tops.items():
            here = (values < 0) == (sign < 0)
            mark.set_offsets(ends[here])
            mark.set_sizes([float(np.clip(500 / len(values), 8, 46))])
