"""Regression on a line: examples, a fitted curve, the truth, a band, and other curves."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.live.coincide import NEAR
from kernellab.validation import FloatArray

Values = NDArray[np.float64]
BAND = "#cfe0ef"  # the fit's blue, light
FIT, TRUTH = style.POSITIVE, style.NEUTRAL


class Fit(Mark):
    """Examples on a line, residuals, a curve through them, and what is behind it.

    Parameters
    ----------
    axes
        Where they stand.
    colour, dash, label
        Of the curve.
    """

    def __init__(
        self, axes: Axes, *, colour: str = FIT, dash: Any = "-", label: str = "fit",
        zorder: float = 4,
    ) -> None:  # fmt: skip
        self.axes = axes
        self.band = Polygon(
            np.zeros((3, 2)), closed=True, facecolor=BAND, edgecolor=colour, linewidth=0.8,
            zorder=1, label="± 2 standard deviations",
        )  # fmt: skip
        axes.add_patch(self.band)
        self.paths = LineCollection([], colors=style.ACCENT, linewidths=0.9, alpha=0.7, zorder=2)
        self.residuals = LineCollection([], colors=style.NEUTRAL, linewidths=style.THIN, zorder=3)
        for lines in (self.paths, self.residuals):
            axes.add_collection(lines, autolim=False)
        self.truth = Line2D(
            [], [], color=TRUTH, linestyle=(0, (5, 3)), linewidth=style.LINE, zorder=3,
            label="truth",
        )  # fmt: skip
        self.curve = Line2D(
            [], [], color=colour, linestyle=dash, linewidth=1.2 * style.LINE, zorder=zorder,
            label=label,
        )  # fmt: skip
        for line in (self.truth, self.curve):
            axes.add_line(line)
        self.points = axes.scatter(
            [], [], marker="o", s=style.POINT_AREA, c="white", edgecolors=style.INK,
            linewidths=1.5 * style.THIN, zorder=zorder + 1, clip_on=False,
        )  # fmt: skip

    def show(
        self,
        grid: Values,
        curve: Values,
        *,
        examples: tuple[Values, Values] | None = None,
        fitted: Values | None = None,
        truth: Values | None = None,
        band: tuple[Values, Values] | None = None,
        paths: Values | None = None,
    ) -> None:
        """Show a fit.

        Parameters
        ----------
        grid, curve
            Where, and the value there, shape (m,).
        examples
            x and y, both (n,).
        fitted
            Values of the curve at the examples, (n,): residuals are drawn to there.
        truth
            On the grid, (m,).
        band
            Its lower and upper edge on the grid, both (m,).
        paths
            Other curves on the grid, (n_paths, m).
        """
        self.curve.set_data(grid, curve)
        self.truth.set_visible(truth is not None)
        if truth is not None:
            self.truth.set_data(grid, truth)
        self.band.set_visible(band is not None)
        if band is not None:
            low, high = band
            there, back = np.column_stack([grid, high]), np.column_stack([grid, low])
            self.band.set_xy(np.concatenate([there, back[::-1]]))
        self.paths.set_segments(
            [] if paths is None else [np.column_stack([grid, p]) for p in paths]
        )
        if examples is None:
            self.points.set_offsets(np.empty((0, 2)))
            self.residuals.set_segments([])
            return
        x, y = examples
        self.points.set_offsets(np.column_stack([x, y]))
        feet = y if fitted is None else fitted
        ends = np.stack([np.column_stack([x, y]), np.column_stack([x, feet])], axis=1)
        self.residuals.set_segments(list(ends))


def one_place(x: FloatArray, y: FloatArray) -> str:
    """Say whether examples of a regression, x and y of shape (n,), are at one place on the line.

    Nothing where all places are different.
    """
    together = np.abs(x[:, np.newaxis] - x) <= NEAR
    n = int((together.sum(axis=1) > 1).sum())
    if n == 0:
        return ""
    if (together & (np.abs(y[:, np.newaxis] - y) > NEAR)).any():
        return f"{n} examples share their x: f cannot meet two heights at one place"
    return f"{n} examples coincide"
