"""Numbers of the examples, one stem each: dual weights first of all."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.ticker import MaxNLocator

from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.validation import FloatArray


class Stems(Mark):
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

    def show(self, values: FloatArray, y: FloatArray, *, used: int | None = None) -> None:
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
