"""A duality gap against the work done, on a log axis."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from kernellab.draw import style


class GapCurve:
    """Relative gaps, a dot each, over the line where a solver is asked to stop.

    Parameters
    ----------
    axes
        Where it stands.
    most
        The largest count there will be.
    floor
        Gaps below it are shown there.
    goal
        Where to stop.
    """

    def __init__(self, axes: Axes, most: int, *, floor: float = 1e-7, goal: float = 1e-3) -> None:
        self.floor = floor
        self.line = Line2D(
            [], [], color=style.INK, linewidth=style.THIN, marker="o", markersize=4, zorder=3
        )
        axes.add_line(self.line)
        axes.axhline(goal, color=style.NEUTRAL, linestyle="--", linewidth=style.THIN)
        axes.text(most, goal * 1.3, f"{goal:g}", ha="right", va="bottom", fontsize=10)
        axes.set(yscale="log", xlim=(0.5, most + 0.5), ylim=(floor, 10), ylabel="relative gap")
        axes.set_yticks([t for t in (1e-6, 1e-4, 1e-2, 1.0) if t >= floor])
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))

    @property
    def artists(self) -> list[Artist]:
        """The line, for a live figure's list of moving artists."""
        return [self.line]

    def show(self, counts: NDArray[np.int_], gaps: NDArray[np.float64]) -> None:
        """Show gaps after so much work, both of shape (k,)."""
        self.line.set_data(counts, np.clip(gaps, self.floor, 10))
