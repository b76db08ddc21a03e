"""How good a Gram matrix of fewer columns is, against their number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style


class LossCurves:
    """What is lost against the number of columns, a line a method, on a log axis.

    Parameters
    ----------
    axes
        Where it stands.
    names
        Of the lines.
    floor
        Values below it are shown there.
    """

    def __init__(self, axes: Axes, names: Sequence[str], *, floor: float = 1e-5) -> None:
        self.axes, self.floor = axes, floor
        self.lines = [
            Line2D([], [], color=colour, linestyle=dash, linewidth=style.LINE, label=name)
            for name, (colour, dash) in zip(names, (*style.LINES[:3], style.LINES[4]), strict=False)
        ]
        for line in self.lines:
            axes.add_line(line)
        self.now = axes.scatter(
            [], [], marker="D", s=80, c=style.ACCENT, edgecolors="white", zorder=5, clip_on=False
        )
        axes.set(yscale="log", ylim=(floor, 1.5))
        axes.legend(
            handles=self.lines, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3,
            borderaxespad=0.1, handlelength=2.2, columnspacing=1.2,
        )  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """Lines and the mark, for a live figure's list of moving artists."""
        return [*self.lines, self.now]

    def show(
        self,
        columns: NDArray[np.float64],
        lost: Sequence[NDArray[np.float64]],
        now: tuple[float, float],
    ) -> None:
        """Show what each method loses with so many columns, and where the slider stands."""
        for line, values in zip(self.lines, lost, strict=True):
            line.set_data(columns[: len(values)], np.maximum(values, self.floor))
        self.now.set_offsets(
            [(now[0], np.fmax(now[1], self.floor) if now[1] == now[1] else np.nan)]
        )
