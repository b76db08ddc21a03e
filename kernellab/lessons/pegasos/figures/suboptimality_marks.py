"""What an objective still lacks, against steps, under the bound of a theorem; both axes log."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style

Looks = dict[str, tuple[str, Any]]  # of each curve by its name: colour and dash
RUN: Looks = {
    "last w": (style.POSITIVE, "-"),
    "average": (style.ACCENT, "--"),
    "bound": (style.INK, ":"),
}


class Lacking:
    """Curves of objective − minimum over steps t, and a cursor.

    Parameters
    ----------
    axes
        Where they stand.
    steps
        The last t.
    limits
        Lowest and highest value shown: what is outside is drawn on the edge.
    looks
        Colour and dash of each curve, by its name.
    band
        Whether there is a grey band, such as the range over several runs.
    """

    def __init__(
        self,
        axes: Axes,
        steps: int,
        limits: tuple[float, float],
        looks: Looks = RUN,
        *,
        band: bool = False,
    ) -> None:
        self.limits = limits
        self.lines = {}
        for name, (colour, dash) in looks.items():
            line = Line2D([], [], color=colour, linestyle=dash, linewidth=style.LINE, label=name)
            axes.add_line(line)
            self.lines[name] = line
        self.edges = [
            Line2D([], [], color=style.NEUTRAL, linewidth=style.THIN, zorder=1)
            for _ in range(2 if band else 0)
        ]
        for line in self.edges:
            axes.add_line(line)
        self.cursor = axes.axvline(np.nan, color=style.ACCENT, linewidth=style.THIN, zorder=1)
        axes.set(
            xscale="log", yscale="log", xlim=(0.9, 1.1 * steps), ylim=limits, xlabel="step t",
            ylabel="P(w) − minimum",
        )  # fmt: skip
        axes.minorticks_off()
        axes.legend(
            handles=list(self.lines.values()), loc="lower center", bbox_to_anchor=(0.5, 1.0),
            ncols=len(looks), borderaxespad=0.1, columnspacing=0.9, handlelength=1.8,
        )  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """Curves and cursor, for a live figure's list of moving artists."""
        return [self.cursor, *self.edges, *self.lines.values()]

    def show(
        self,
        steps: NDArray[np.float64],
        curves: dict[str, NDArray[np.float64]],
        at: float,
        band: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
    ) -> None:
        """Show curves over steps, all of shape (m,); those that are missing are not shown."""
        for name, line in self.lines.items():
            self._show(line, steps, curves.get(name))
        for line, edge in zip(self.edges, band or (None, None), strict=False):
            self._show(line, steps, edge)
        self.cursor.set_xdata([max(at, 1)] * 2)

    def _show(
        self, line: Line2D, steps: NDArray[np.float64], values: NDArray[np.float64] | None
    ) -> None:
        """Draw a line within the limits, or nothing."""
        if values is None:
            line.set_data([], [])
        else:
            line.set_data(steps, np.clip(values, *self.limits))
