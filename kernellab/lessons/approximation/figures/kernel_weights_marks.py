"""Weights of kernels as bars, and beside each what it would have to be at the optimum."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style


class WeightBars:
    """A bar a kernel for its weight, and a tick for q_m as a share of the largest.

    Parameters
    ----------
    axes
        Where they stand.
    n_kernels
        How many.
    """

    def __init__(self, axes: Axes, n_kernels: int) -> None:
        self.rows = np.arange(n_kernels)[::-1]
        self.bars = axes.barh(self.rows, np.zeros(n_kernels), height=0.42, color=style.ACCENT)
        self.ticks = axes.scatter(
            [], [], marker="|", s=420, c=style.INK, linewidths=style.LINE, zorder=4, clip_on=False
        )
        self.words = [
            axes.text(0.0, row + 0.42, "", va="center", fontsize=10, zorder=5) for row in self.rows
        ]
        axes.axvline(1.0, color=style.NEUTRAL, linestyle=":", linewidth=style.THIN)
        axes.set(xlim=(0, 1.04), ylim=(-0.45, n_kernels - 0.3), yticks=[])
        axes.legend(
            handles=[
                Line2D([], [], color=style.ACCENT, linewidth=7, label="weight"),
                Line2D(
                    [], [], color=style.INK, marker="|", markersize=13, linestyle="none",
                    markeredgewidth=style.LINE, label="q / largest q",
                ),
            ],
            loc="lower right", bbox_to_anchor=(1.02, 0.97), ncols=2, borderaxespad=0.0,
            handlelength=1.0, columnspacing=1.0,
        )  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """Bars, ticks and words, for a live figure's list of moving artists."""
        return [*self.bars, self.ticks, *self.words]

    def show(
        self, weights: NDArray[np.float64], q: NDArray[np.float64], names: Sequence[str]
    ) -> None:
        """Show weights and q = (α∘y)ᵀK_m(α∘y), both of shape (M,), and what the kernels are."""
        shares = q / q.max() if q.max() > 0 else np.zeros(len(q))
        for bar, weight in zip(self.bars, weights, strict=True):
            bar.set_width(weight)
        self.ticks.set_offsets(np.column_stack([shares, self.rows]))
        for text, name, weight, share in zip(self.words, names, weights, shares, strict=True):
            text.set_text(f"{name}: {weight:.3f}, q {share:.3f}")
