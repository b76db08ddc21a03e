"""The eigenvalues of a Gram matrix as a picture."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.mark import Mark


class Spectrum(Mark):
    """Eigenvalues of a Gram matrix, largest first, one stem each; negative ones in orange."""

    def __init__(self, axes: Axes) -> None:
        self.stems = LineCollection([], colors=style.INK, linewidths=style.LINE, zorder=3)
        axes.add_collection(self.stems, autolim=False)
        self.tops = {
            sign: axes.scatter(
                [], [], marker=style.MARKER[sign], c=style.COLOUR[sign], edgecolors=style.INK,
                linewidths=0.5 * style.THIN, zorder=4, clip_on=False,
            )
            for sign in (-1, 1)
        }  # fmt: skip
        axes.axhline(0, color=style.INK, linewidth=style.THIN)

    def show(self, values: NDArray[np.float64]) -> None:
        """Show eigenvalues in descending order, shape (n,)."""
        number = np.arange(1, len(values) + 1)
        feet = np.column_stack([number, np.zeros(len(values))])
        ends = np.column_stack([number, values])
        self.stems.set_segments(list(np.stack([feet, ends], axis=1)))
        self.stems.set_linewidth(float(np.clip(60 / len(values), 0.6, 2.5)))
        for sign, mark in self.tops.items():
            here = (values < 0) == (sign < 0)
            mark.set_offsets(ends[here])
            mark.set_sizes([float(np.clip(500 / len(values), 8, 46))])
