"""Losses against the margin, and the small pictures of notebook 01 that stand by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.lessons.perceptron.figures.separators_marks import BROWN, GREEN

# 0–1, hinge, logistic, squared; then exponential, squared hinge.
DASHES = (
    (style.NEUTRAL, "-", style.LINE),
    (style.INK, "-", 1.5 * style.LINE),
    (GREEN, "--", style.LINE),
    (BROWN, "-.", style.LINE),
    (GREEN, ":", style.LINE),
    (BROWN, (0, (1, 3)), style.LINE),
)


class LossCurves(Mark):
    """Losses over margins, told apart by dash and width; the last of them can be left out.

    Parameters
    ----------
    z : Margins, shape (n,).
    curves : The losses there, each of shape (n,).
    always : How many of them are always shown.
    """

    def __init__(
        self,
        axes: Axes,
        z: NDArray[np.float64],
        curves: Sequence[NDArray[np.float64]],
        names: Sequence[str],
        always: int,
    ) -> None:
        self.lines, self.more = list[Artist](), list[Artist]()
        for row, values in enumerate(curves):
            colour, dash, width = DASHES[row]
            height = 0.97 - 0.16 * row
            line: Any = {"color": colour, "linestyle": dash, "linewidth": width}
            beside: Any = {"transform": axes.transAxes, "clip_on": False}
            made = [
                *axes.plot(z, values, **line),
                *axes.plot([1.04, 1.18], [height] * 2, **line, **beside),
                axes.text(1.22, height, names[row], transform=axes.transAxes, va="center"),
            ]
            self.lines.append(made[0])
            if row >= always:  # its name keeps its room when it is not there
                axes.text(1.22, height, names[row], transform=axes.transAxes, alpha=0)
                self.more += made
        axes.axvline(0, color=style.NEUTRAL, linewidth=style.THIN)
        axes.set(
            xlim=(z[0], z[-1]), ylim=(-0.1, 4.1), xlabel="margin $z = y f(x)$", ylabel="loss $L(z)$"
        )

    def show(self, every: bool) -> None:
        """Show the others too, or not."""
        for artist in self.more:
            artist.set_visible(every)


class LossMarker(Mark):
    """A vertical line at one margin, a dot on every curve, and its value beside the key."""

    def __init__(self, axes: Axes, n_losses: int) -> None:
        self.axes = axes
        self.line = axes.axvline(0.0, color=style.ACCENT, linewidth=style.LINE, zorder=3)
        self.dots = axes.scatter([], [], c=style.ACCENT, s=22, zorder=5)
        self.above = axes.scatter([], [], c=style.ACCENT, s=60, marker="^", zorder=5, clip_on=False)
        self.values = [
            axes.text(
                1.22, 0.905 - 0.16 * row, "11.62", transform=axes.transAxes, va="center",
                weight="bold", color=style.ACCENT,
            )
            for row in range(n_losses)
        ]  # fmt: skip

    def show(self, z: float, values: NDArray[np.float64]) -> None:
        """Show the margin z and the value of each loss there, or of the first few of them."""
        self.line.set_xdata([z, z])
        top = self.axes.get_ylim()[1]
        self.dots.set_offsets([(z, value) for value in values if value <= top])
        self.above.set_offsets([(z, top)] if values.max() > top else np.empty((0, 2)))
        for row, number in enumerate(self.values):
            number.set_text(f"{values[row]:.2f}" if row < len(values) else "")
