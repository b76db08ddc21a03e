"""Numbers as functions of C, on a log axis, with a cursor at the present C."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from kernellab.draw import style


class OverC:
    """A few curves over C: what they are is written at their left ends or in a legend.

    Parameters
    ----------
    axes
        Where to draw.
    curves
        Colour and dash of each curve.
    names
        For a legend, one a curve; none for no legend.
    steps
        Whether the curves are counts, constant between changes.
    """

    def __init__(
        self,
        axes: Axes,
        curves: Sequence[tuple[str, Any]],
        names: Sequence[str] = (),
        *,
        steps: bool = False,
    ) -> None:
        self.axes = axes
        axes.set_xscale("log")
        self.cursor = axes.axvline(np.nan, color=style.ACCENT, linewidth=style.LINE, zorder=1)
        self.lines = [
            axes.plot(
                [], [], color=colour, linestyle=dash, linewidth=style.LINE,
                drawstyle="steps-mid" if steps else "default",
            )[0]
            for colour, dash in curves
        ]  # fmt: skip
        if steps:
            axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        (self.dots,) = axes.plot([], [], "o", color=style.ACCENT, markersize=6, zorder=5)
        if names:
            axes.legend(
                self.lines, names, ncols=2, loc="lower right", bbox_to_anchor=(1.0, 0.96),
                handlelength=2.2, columnspacing=1.0, borderaxespad=0.0,
            )  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """Cursor, curves and dots, for a live figure's list of moving artists."""
        return [self.cursor, *self.lines, self.dots]

    def make_room(self, highest: float, least: float) -> None:
        """Let the axis end at ``least``, or at four times that, sixteen times … if it is too low.

        Steps so wide are seldom taken: each is a picture drawn anew, and a hand that waits for it.
        """
        top = least * 4.0 ** np.ceil(np.log2(max(highest, least) / least) / 2)
        if self.axes.get_ylim() != (0.0, top):
            self.axes.set_ylim(0.0, top)

    def show(
        self, costs: NDArray[np.float64], values: NDArray[np.float64], now: float, *at: float
    ) -> None:
        """Show the curves over C, and the values at the present one.

        Parameters
        ----------
        costs
            Values of C, ascending, shape (m,).
        values
            One row a curve, shape (n_curves, m); curves that are missing are not shown.
        now
            The present C.
        at
            The values there, one a curve.
        """
        for line in self.lines[len(values) :]:
            line.set_visible(False)
        for line, row in zip(self.lines, values, strict=False):
            line.set_visible(True)
            line.set_data(costs, row)
        self.cursor.set_xdata([now, now])
        self.dots.set_data([now] * len(at), at)


def both(C: float, n: int) -> str:
    """Write a cost as C and as λ = 1/(Cn), for the dial of n examples."""
    return f"C = {C:.3g}, λ = {1 / (C * n):.3g}"
