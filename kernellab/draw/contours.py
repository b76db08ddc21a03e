"""Level lines of a score that is no plane: f = 0 drawn through, f = −1 and f = +1 dashed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from contourpy import contour_generator
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.validation import FloatArray


class LevelLines(Mark):
    """The lines on which a function of the plane has given values.

    Parameters
    ----------
    levels : The values; 0 is drawn through and thick, others dashed and thin.
    crossing : Whether lines may cross, as those of x₁x₂ = 0 do; else they bend where they meet.
    """

    def __init__(
        self,
        axes: Axes,
        levels: Sequence[float] = (0.0,),
        *,
        zorder: float = 2,
        crossing: bool = False,
    ) -> None:
        self.levels, self.crossing = levels, crossing
        self.lines = [
            LineCollection(
                [], colors=style.INK, zorder=zorder,
                linewidths=style.LINE if level == 0 else style.THIN,
                linestyles="-" if level == 0 else (0, (5, 3)),
            )
            for level in levels
        ]  # fmt: skip
        for line in self.lines:
            axes.add_collection(line, autolim=False)

    def show(self, x1: FloatArray, x2: FloatArray, values: FloatArray) -> None:
        """Show values on a grid, shape (len(x2), len(x1)), as a score field has them."""
        for level, line in zip(self.levels, self.lines, strict=True):
            line.set_segments(_pieces(x1, x2, values, level, self.crossing))


def level_curve(
    x1: FloatArray, x2: FloatArray, values: FloatArray, level: float = 0.0
) -> FloatArray:
    """Return one level line of values on a grid, shape (k, 2), with a row of NaN at each break."""
    gap = np.full((1, 2), np.nan)
    pieces = _pieces(x1, x2, values, level)
    return np.concatenate([gap, *(part for piece in pieces for part in (piece, gap))])


def _pieces(
    x1: FloatArray, x2: FloatArray, values: FloatArray, level: float, crossing: bool = False
) -> list[Any]:
    """Return the pieces of a level line, each of shape (k, 2)."""
    return list(contour_generator(x1, x2, values, quad_as_tri=crossing).lines(level))
