"""A Gram matrix as an image, and the numbers that say what is in it."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.lines import Line2D

from kernellab.draw import style
from kernellab.draw.field import show_field
from kernellab.draw.mark import Mark
from kernellab.validation import FloatArray

# Similarities: nothing is white, everything is ink; also read without colour.
SIMILARITY = LinearSegmentedColormap.from_list(
    "kernellab.similarity", ["#ffffff", "#bcd6ec", "#4a90c8", "#0b4a80", "#0a1f33"]
)


class GramImage(Mark):
    """A Gram matrix, row 0 on top, with lines between the classes and a cross on one entry.

    Parameters
    ----------
    low, high : The values that are white and black.
    cross : Whether there is a cross on an entry.
    """

    def __init__(
        self, axes: Axes, *, low: float = 0.0, high: float = 1.0, cross: bool = False
    ) -> None:
        self.axes = axes
        self.image = show_field(axes, SIMILARITY, low=low, high=high, between="nearest", zorder=0)
        self.borders = LineCollection([], colors=style.NEGATIVE, linewidths=style.THIN, zorder=1)
        axes.add_collection(self.borders, autolim=False)
        self.cross = [
            axes.add_line(Line2D([], [], color=style.ACCENT, linewidth=style.THIN, zorder=2))
            for _ in range(2 * cross)
        ]
        axes.set(xticks=[], yticks=[])
        axes.set_box_aspect(1.0)

    def show(
        self,
        K: FloatArray,
        borders: Sequence[float] = (),
        *,
        entry: tuple[int, int] | None = None,
        low: float | None = None,
        high: float | None = None,
    ) -> None:
        """Show a matrix, shape (n, n).

        Parameters
        ----------
        K : The matrix.
        borders : Between which rows a class ends: 10 for between rows 9 and 10.
        entry : Row and column under the cross.
        low, high : The values that are white and black; left as they are if not given.
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
