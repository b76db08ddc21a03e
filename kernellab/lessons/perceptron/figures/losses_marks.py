"""Losses against the margin, and the small pictures of notebook 01 that stand by themselves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.mark import Mark


def loss_curves(
    axes: Axes, z: NDArray[np.float64], curves: Sequence[NDArray[np.float64]], names: Sequence[str]
) -> None:
    """Draw losses, each of shape (n,), over margins z of shape (n,), told apart by dash."""
    for values, name, (colour, dash) in zip(curves, names, style.LINES, strict=False):
        axes.plot(z, values, color=colour, linestyle=dash, linewidth=style.LINE, label=name)
    axes.axvline(0, color=style.NEUTRAL, linewidth=style.THIN)
    axes.set(
        xlim=(z[0], z[-1]), ylim=(-0.1, 4.1), xlabel="margin $z = y f(x)$", ylabel="loss $L(z)$"
    )


class LossMarker(Mark):
    """A vertical line at one margin, a dot on every curve, and a key that shows the values."""

    def __init__(self, axes: Axes, names: Sequence[str]) -> None:
        self.axes = axes
        self.names = names
        self.line = axes.axvline(0.0, color=style.ACCENT, linewidth=style.LINE, zorder=3)
        self.dots = axes.scatter([], [], c=style.ACCENT, s=22, zorder=5)
        self.above = axes.scatter([], [], c=style.ACCENT, s=60, marker="^", zorder=5, clip_on=False)
        self.key = []
        for row, (name, (colour, dash)) in enumerate(zip(names, style.LINES, strict=False)):
            height = 0.97 - 0.16 * row
            axes.plot(
                [1.04, 1.18], [height] * 2, color=colour, linestyle=dash, linewidth=style.LINE,
                transform=axes.transAxes, clip_on=False,
            )  # fmt: skip
            axes.text(1.22, height, name, transform=axes.transAxes, va="center")
            self.key.append(
                axes.text(
                    1.22,
                    height - 0.065,
                    "11.62",
                    transform=axes.transAxes,
                    va="center",
                    weight="bold",
                    color=style.ACCENT,
                )
            )

    def show(self, z: float, values: NDArray[np.float64]) -> None:
        """Show the margin z and the value of each loss there, shape (n_losses,)."""
        self.line.set_xdata([z, z])
        top = self.axes.get_ylim()[1]
        self.dots.set_offsets([(z, value) for value in values if value <= top])
        self.above.set_offsets([(z, top)] if values.max() > top else np.empty((0, 2)))
        for number, value in zip(self.key, values, strict=True):
            number.set_text(f"{value:.2f}")
