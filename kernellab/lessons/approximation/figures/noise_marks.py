"""What a kernel of pure noise gets, and what it does, against how narrow it is."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style


class Sweep:
    """A few curves against one parameter on a log axis, and where a slider stands.

    Parameters
    ----------
    axes
        Where they stand.
    names
        Of the curves: told apart by colour and dash.
    limits
        Of the parameter.
    """

    def __init__(self, axes: Axes, names: tuple[str, ...], limits: tuple[float, float]) -> None:
        self.lines = [
            Line2D([], [], color=colour, linestyle=dash, linewidth=style.LINE, label=name)
            for name, (colour, dash) in zip(names, style.LINES, strict=False)
        ]
        for line in self.lines:
            axes.add_line(line)
        self.here = axes.axvline(np.nan, color=style.ACCENT, linewidth=style.LINE, zorder=1)
        self.dots = axes.scatter([], [], c=style.ACCENT, s=42, zorder=5, clip_on=False)
        axes.set(xscale="log", xlim=limits)
        axes.legend(
            handles=self.lines, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=len(names),
            borderaxespad=0.1, columnspacing=1.0, handlelength=2.0,
        )  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """Lines and marks, for a live figure's list of moving artists."""
        return [self.here, *self.lines, self.dots]

    def show(self, values: NDArray[np.float64], curves: NDArray[np.float64], at: int) -> None:
        """Show curves, shape (n_curves, k), at values of the parameter, (k,); mark one of them."""
        for line, curve in zip(self.lines, curves, strict=True):
            line.set_data(values, curve)
        self.here.set_xdata([values[at]] * 2)
        self.dots.set_offsets(np.column_stack([np.full(len(curves), values[at]), curves[:, at]]))
