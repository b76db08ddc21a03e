"""ROC curves, and the points on them at which machines with other costs work."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kernellab.draw import style


class ROCPlot:
    """One curve under the hand, another to compare with, and operating points."""

    def __init__(self, axes: Axes) -> None:
        axes.plot([0, 1], [0, 1], color=style.NEUTRAL, linewidth=style.THIN, linestyle=":")
        (self.other,) = axes.plot([], [], color=style.NEUTRAL, linestyle="--", linewidth=style.LINE)
        (self.curve,) = axes.plot([], [], color=style.INK, linewidth=style.LINE)
        (self.all,) = axes.plot([], [], "o", color="white", markeredgecolor=style.INK, markersize=5)
        (self.now,) = axes.plot([], [], "D", color=style.ACCENT, markersize=10, zorder=5)
        axes.set(
            xlim=(0, 1), ylim=(0, 1.02), xlabel="false alarms (share of −1)",
            ylabel="found (share of +1)",
        )  # fmt: skip
        axes.set_box_aspect(1.0)
        axes.legend(
            [self.curve, self.other, self.now, self.all],
            ["these costs, every threshold", "equal costs, every threshold", "threshold 0",
             "threshold 0, other costs"],
            loc="lower right", fontsize=9,
        )  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """Curves and points, for a live figure's list of moving artists."""
        return [self.other, self.curve, self.all, self.now]

    def show(
        self,
        curve: tuple[NDArray[np.float64], NDArray[np.float64]],
        other: tuple[NDArray[np.float64], NDArray[np.float64]],
        points: NDArray[np.float64],
        now: NDArray[np.float64],
    ) -> None:
        """Show two curves (false alarms, found), operating points (m, 2) and the present one."""
        self.curve.set_data(*curve)
        self.other.set_data(*other)
        self.all.set_data(*points.T)
        self.now.set_data([now[0]], [now[1]])
