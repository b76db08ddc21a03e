"""Two hulls and the way between them; the dual along the ray that this way means."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kernellab.draw import style


class DualAlongRay:
    """D(s) = 2s − s²δ²/2 over the scale s of the hull weights, below the line 2s of δ = 0."""

    def __init__(self, axes: Axes, longest: float) -> None:
        self.s = np.linspace(0.0, longest, 201)
        axes.plot(self.s, 2 * self.s, color=style.NEUTRAL, linestyle="--", linewidth=style.THIN)
        axes.text(
            0.72 * longest, 1.55 * longest, "2s: hulls that touch", ha="right", va="bottom",
            color=style.NEUTRAL,
        )  # fmt: skip
        (self.curve,) = axes.plot([], [], color=style.INK, linewidth=style.LINE)
        (self.top,) = axes.plot([], [], "D", color=style.ACCENT, markersize=9, clip_on=False)
        self.words = axes.text(0.03, 0.97, "", transform=axes.transAxes, va="top", fontsize=12)
        axes.set(
            xlim=(0, longest), ylim=(0, 2 * longest), xlabel="scale $s$ of the hull weights",
            ylabel="dual $D(s)$",
        )  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """Curve, top and words, for a live figure's list of moving artists."""
        return [self.curve, self.top, self.words]

    def show(self, distance: float, words: str) -> None:
        """Show the dual of hulls that are so far apart; 0 for hulls that meet."""
        self.curve.set_data(self.s, 2 * self.s - self.s**2 * distance**2 / 2)
        top = 2 / distance**2 if distance > 0 else np.inf
        self.top.set_data([top], [top]) if top <= self.s[-1] else self.top.set_data([], [])
        self.words.set_text(words)


class HalfMargins:
    """Half-margins after deleting each point: a stem a point, over the line of all points."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        self.all = axes.axhline(np.nan, color=style.NEUTRAL, linestyle="--", linewidth=style.LINE)
        (self.bars,) = axes.plot([], [], color=style.INK, linewidth=1.5 * style.LINE, zorder=3)
        self.tops = {
            label: axes.scatter(
                [], [], marker=style.MARKER[label], c=style.COLOUR[label], edgecolors=style.INK,
                s=60, zorder=4, clip_on=False,
            )
            for label in (-1, 1)
        }  # fmt: skip
        self.impossible = axes.scatter([], [], marker="x", c=style.INK, s=90, zorder=4)
        self.wrong = axes.scatter(
            [], [], marker="o", facecolors="none", edgecolors=style.NEGATIVE, s=240, zorder=4,
            linewidths=style.LINE, linestyle=":",
        )  # fmt: skip
        self.used = axes.axvline(np.nan, color=style.ACCENT, linewidth=style.LINE, zorder=1)
        axes.set(xlabel="the point that is deleted", ylabel="half-margin of the rest")

    @property
    def artists(self) -> list[Artist]:
        """All marks, for a live figure's list of moving artists."""
        return [
            self.used, self.all, self.bars, *self.tops.values(), self.impossible, self.wrong,
        ]  # fmt: skip

    def show(
        self,
        before: float,
        after: NDArray[np.float64],
        y: NDArray[np.float64],
        wrong: NDArray[np.bool_],
        used: int | None,
    ) -> None:
        """Show the half-margin of all points and of those left after each deletion.

        Parameters
        ----------
        before
            With all points.
        after
            Without each of them, shape (n,); NaN where one class would be empty.
        y
            Labels −1 or +1, shape (n,).
        wrong
            Whether the rest would put the deleted point into the other class, shape (n,).
        used
            The one deleted now, or None.
        """
        index = np.arange(1, len(y) + 1)
        self.all.set_ydata([before, before])
        pieces = np.column_stack([np.full(len(y), before), after, np.full(len(y), np.nan)])
        self.bars.set_data(np.repeat(index, 3), pieces.ravel())
        for label, mark in self.tops.items():
            mark.set_offsets(np.column_stack([index, after])[y == label])
        lost = np.isnan(after)
        self.impossible.set_offsets(np.column_stack([index, np.full(len(y), before)])[lost])
        self.wrong.set_offsets(np.column_stack([index, after])[wrong & ~lost])
        self.used.set_xdata([np.nan if used is None else used + 1] * 2)
