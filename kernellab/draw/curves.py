"""How a solver gets on: a count or a gap against steps, with the bound it must respect."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kernellab.draw import style


class Mistakes:
    """Mistakes so far against steps, on a log axis, under a bound."""

    def __init__(self, axes: Axes, top: float = 1e4) -> None:
        self.axes = axes
        (self.all,) = axes.step([], [], where="post", color=style.NEUTRAL, linewidth=style.THIN)
        (self.done,) = axes.step([], [], where="post", color=style.INK, linewidth=style.LINE)
        (self.now,) = axes.plot([], [], "o", color=style.ACCENT, markersize=7, clip_on=False)
        self.bound = axes.axhline(np.nan, color=style.INK, linestyle="--", linewidth=style.LINE)
        self.words = axes.text(
            0.99, 0.97, "", transform=axes.transAxes, ha="right", va="top",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1},
        )  # fmt: skip
        axes.set(yscale="log", ylim=(0.8, top), xlabel="step $t$", ylabel="mistakes so far")

    @property
    def artists(self) -> list[Artist]:
        """Curves, bound and words, for a live figure's list of moving artists."""
        return [self.all, self.done, self.bound, self.words, self.now]

    def show(self, mistakes: NDArray[np.int_], t: int, bound: float | None) -> None:
        """Show the mistakes after 0, 1, … T steps, shape (T + 1,), and where step t is."""
        steps = np.arange(len(mistakes))
        self.all.set_data(steps, mistakes)
        self.done.set_data(steps[: t + 1], mistakes[: t + 1])
        self.now.set_data([t], [mistakes[t]])
        if bound is None:
            self.bound.set_ydata([np.nan, np.nan])
            self.words.set_text("no bound: not separable")
        else:
            self.bound.set_ydata([bound, bound])
            outside = " (above)" if bound > self.axes.get_ylim()[1] else ""
            self.words.set_text(f"bound (R/γ)² = {bound:.4g}{outside}")


def nice_limit(n: int) -> int:
    """Return the next of 10, 20, 50, 100, 200 … above n: limits that change rarely."""
    scale: int = 10 ** max(1, len(str(n)) - 1)
    return next(limit for k in (1, 2, 5, 10, 20) if (limit := k * scale) >= n)
