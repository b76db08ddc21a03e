"""What an objective still lacks, against steps, under the bound of a theorem; both axes log."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.mark import Mark

Looks = dict[str, tuple[str, Any]]  # of each curve by its name: colour and dash
RUN: Looks = {
    "last w": (style.INK, "-"),
    "average": (style.ACCENT, "--"),
    "bound": (style.NEUTRAL, ":"),
}


class Suboptimality(Mark):
    """Curves of objective − minimum over steps t, and a cursor.

    Parameters
    ----------
    axes : Where they stand.
    steps : The last t.
    limits : Lowest and highest value shown: what is outside is drawn on the edge.
    looks : Colour and dash of each curve, by its name.
    legend : Where the legend stands.
    """

    def __init__(
        self,
        axes: Axes,
        steps: int,
        limits: tuple[float, float],
        looks: Looks = RUN,
        *,
        legend: Any = "upper right",
    ) -> None:
        self.axes = axes
        self.limits = limits
        self.lines = {}
        for name, (colour, dash) in looks.items():
            line = Line2D([], [], color=colour, linestyle=dash, linewidth=style.LINE, label=name)
            axes.add_line(line)
            self.lines[name] = line
        self._names = list(looks)
        self.cursor = axes.axvline(np.nan, color=style.ACCENT, linewidth=style.THIN, zorder=1)
        axes.set(
            xscale="log", yscale="log", xlim=(0.9, 1.1 * steps), ylim=limits, xlabel="step t",
            ylabel="P(w) − minimum",
        )  # fmt: skip
        axes.minorticks_off()
        self.legend = axes.legend(handles=list(self.lines.values()), loc=legend)

    def rename(self, name: str, said: str) -> None:
        """Call a curve otherwise in the legend."""
        self.legend.get_texts()[self._names.index(name)].set_text(said)

    def zoom(self, limits: tuple[float, float]) -> None:
        """Show other values from now on."""
        if limits != self.limits:
            self.limits = limits
            self.axes.set_ylim(limits)

    def show(
        self, steps: NDArray[np.float64], curves: dict[str, NDArray[np.float64]], at: float
    ) -> None:
        """Show curves over steps, all of shape (m,); those that are missing are not shown."""
        entries = zip(self.legend.get_lines(), self.legend.get_texts(), strict=True)
        for (name, line), entry in zip(self.lines.items(), entries, strict=True):
            for part in (line, *entry):
                part.set_visible(name in curves)
            if name in curves:
                line.set_data(steps, np.clip(curves[name], *self.limits))
        self.cursor.set_xdata([max(at, 1)] * 2)
