"""A run on points of a line: the curve, its target, α as stems on a second axis."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.mark import Mark

REACH = 2.25  # of the axis of f


class CurveAndStems(Mark):
    """f(x) and its target over [0, 1]; one stem per example, as long as its α, on a second axis.

    Stems stand on the lower edge, on the axis to the right, which is twice as high as the largest
    α, so that they stay below the middle. A small mark on the curve is the score of an example.
    """

    def __init__(self, axes: Axes, second: Axes) -> None:
        self.axes, self.second = axes, second
        self.target = Line2D(
            [], [], color=style.NEUTRAL, linewidth=style.LINE, linestyle="--", zorder=2
        )
        self.curve = Line2D([], [], color=style.INK, linewidth=1.4 * style.LINE, zorder=3)
        for line in (self.target, self.curve):
            axes.add_line(line)
        self.stems = LineCollection([], linewidths=style.LINE, zorder=3)
        second.add_collection(self.stems, autolim=False)
        self.scores = {
            label: Line2D(
                [], [], linestyle="", marker=style.MARKER[label], color=style.COLOUR[label],
                markeredgecolor="white", markersize=6, zorder=6,
            )
            for label in (-1, 1)
        }  # fmt: skip
        for line in self.scores.values():
            axes.add_line(line)
        self.tops = {
            label: Line2D(
                [], [], linestyle="", marker=style.MARKER[label], color=style.COLOUR[label],
                markeredgecolor=style.INK, markersize=7, zorder=4, clip_on=False,
            )
            for label in (-1, 1)
        }  # fmt: skip
        self.used = Line2D(
            [], [], linestyle="", marker="o", markersize=14, markerfacecolor="none", zorder=5,
            markeredgecolor=style.ACCENT, markeredgewidth=1.3 * style.LINE, clip_on=False,
        )  # fmt: skip
        for line in (*self.tops.values(), self.used):
            second.add_line(line)
        self.words = axes.text(
            0.012, 0.985, "", transform=axes.transAxes, va="top", zorder=6,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
        )  # fmt: skip

    @property
    def n_stems(self) -> int:
        """How many stems stand there."""
        return len(self.stems.get_segments())

    def show(
        self,
        grid: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]],
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        alpha: NDArray[np.float64],
        *,
        used: int | None = None,
        words: str = "",
    ) -> None:
        """Show a moment: places, f and target there, (k,); x, y and α, (n,); whom it updated."""
        places, f, target = grid
        self.curve.set_data(places, f)
        self.target.set_data(places, target)
        tops = np.column_stack([x, alpha])
        feet = np.column_stack([x, 0 * alpha])
        self.stems.set_segments(list(np.stack([feet, tops], axis=1)))
        self.stems.set_color([style.COLOUR[label] for label in y.astype(int)])
        for label, mark in self.tops.items():
            mark.set_data(*tops[y == label].T)
            own = x[y == label]
            self.scores[label].set_data(own, np.interp(own, places, f))
        self.used.set_data(*(tops[[used]] if used is not None else np.empty((0, 2))).T)
        self.words.set_text(words)


def prepare(axes: Axes, second: Axes) -> None:
    """Set the limits, names and order of the two axes of a `CurveAndStems`, and its key."""
    axes.set(xlim=(0, 1), ylim=(-REACH, REACH), xlabel="x", ylabel="score f(x)")
    axes.set_yticks([-2, -1, 0, 1, 2])
    second.spines["right"].set_visible(True)
    second.set_ylabel("stems: α")
    axes.axhline(0, color=style.NEUTRAL, linewidth=0.5, zorder=1)


def round_up(value: float) -> float:
    """Return the next of 1, 2, 5, 10, 20, 50 … (times any power of ten) that is not below value."""
    if not value > 0:
        return 1.0
    scale = 10.0 ** np.floor(np.log10(value))
    return float(next(k * scale for k in (1, 2, 5, 10) if k * scale >= value * (1 - 1e-12)))
