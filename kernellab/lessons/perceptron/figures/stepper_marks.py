"""Mistakes against steps, with the bound that they must respect."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.curves import nice_limit
from kernellab.draw.mark import Mark


class Mistakes(Mark):
    """Mistakes so far against steps: under a bound on a log axis, without one on a linear axis.

    On a log axis a learner that goes on making mistakes would seem to level off.
    """

    def __init__(self, axes: Axes, top: float = 1e4) -> None:
        self.axes = axes
        (self.done,) = axes.step([], [], where="post", color=style.INK, linewidth=style.LINE)
        (self.now,) = axes.plot([], [], "o", color=style.ACCENT, markersize=7, clip_on=False)
        self.bound = axes.axhline(np.nan, color=style.INK, linestyle="--", linewidth=style.LINE)
        self.words = axes.text(
            0.99, 0.97, "", transform=axes.transAxes, ha="right", va="top",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1},
        )  # fmt: skip
        self.top = top
        axes.set(yscale="log", ylim=(0.8, top), xlabel="test $t$", ylabel="mistakes so far")
        # The last tick would reach over the edge of the figure.
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True, prune="upper"))

    def show(
        self, mistakes: NDArray[np.int_], t: int, bound: float | None, words: str = ""
    ) -> None:
        """Show the mistakes after 0, 1, … T steps, shape (T + 1,), and where step t is.

        ``words`` are said where there is no bound.
        """
        steps = np.arange(len(mistakes))
        # The rest of the run is not shown: the reader is to predict it.
        self.done.set_data(steps[: t + 1], mistakes[: t + 1])
        self.now.set_data([t], [mistakes[t]])
        self._set_scale("log" if bound is not None else "linear", int(mistakes[t]))
        if bound is None:
            self.bound.set_ydata([np.nan, np.nan])
            self.words.set_text(words)
        else:
            self.bound.set_ydata([bound, bound])
            outside = " (above)" if bound > self.axes.get_ylim()[1] else ""
            self.words.set_text(f"bound (R/ρ)² = {bound:.4g}{outside}")

    def _set_scale(self, scale: str, most: int) -> None:
        if self.axes.get_yscale() != scale:
            self.axes.set_yscale(scale)
            if scale == "linear":  # a new axis, with as few numbers as it had in a hall
                self.axes.locator_params(axis="y", nbins=style.FEW_TICKS)
        self.axes.set_ylim((0.8, self.top) if scale == "log" else (0, nice_limit(most)))
