"""The hulls of the two classes where they meet: a point, a segment or a triangle each."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.patches import Polygon

from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.validation import FloatArray


class Overlap(Mark):
    """Two hulls that meet: a point, a segment or a triangle for each class."""

    def __init__(self, axes: Axes) -> None:
        self.hulls = {
            label: Polygon(
                np.zeros((1, 2)), closed=True, facecolor=to_rgba(style.COLOUR[label], 0.18),
                edgecolor=style.COLOUR[label], linewidth=1.5 * style.LINE, zorder=2,
                linestyle="-" if label > 0 else (0, (4, 2)),
            )
            for label in (-1, 1)
        }  # fmt: skip
        for hull in self.hulls.values():
            axes.add_patch(hull)

    def show(self, plus: FloatArray, minus: FloatArray) -> None:
        """Show the hulls of up to three points each, shapes (k, 2); none for no points."""
        for label, corners in ((1, plus), (-1, minus)):
            self.hulls[label].set_visible(len(corners) > 0)
            if len(corners) > 0:
                self.hulls[label].set_xy(corners)
