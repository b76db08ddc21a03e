"""What a few landmarks leave unexplained, in the plane, and how it compares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.field import show_field
from kernellab.draw.plane import Limits

# What is lost: nothing is white.
LOST = LinearSegmentedColormap.from_list(
    "kernellab.lost", ["#ffffff", "#fbe3c4", "#f1b36b", "#c9701a", "#7a3b00"]
)


class Landmarks:
    """The plane, dark where the landmarks explain nothing, the examples, and the landmarks."""

    def __init__(self, axes: Axes, limits: Limits) -> None:
        self.image = show_field(
            axes, LOST, low=0, high=1.25, origin="lower", extent=limits, zorder=0
        )
        axes.set_box_aspect(1.0)
        self.examples = axes.scatter(
            [], [], c=style.INK, s=14, marker="o", edgecolors="white", linewidths=0.4, zorder=3
        )
        self.marks = axes.scatter(
            [], [], c=style.ACCENT, s=120, marker="D", edgecolors="white",
            linewidths=style.THIN, zorder=5, clip_on=False,
        )  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """All of it, for a live figure's list of moving artists."""
        return [self.image, self.examples, self.marks]

    def show(
        self,
        X: NDArray[np.float64],
        lost: NDArray[np.float64],
        landmarks: NDArray[np.float64],
        field: NDArray[np.float64],
    ) -> None:
        """Show examples (n, 2) with what is lost of each (n,), from 0 to 1, landmarks (m, 2),
        and what is lost on a grid, rows from the bottom up."""
        self.image.set_data(field)
        self.examples.set_offsets(X)
        self.examples.set_sizes(10 + 60 * np.clip(lost, 0, 1))
        self.marks.set_offsets(landmarks)


class Scoreboard:
    """A score of one's own beside those of a few rivals, each of whom was drawn several times.

    Parameters
    ----------
    axes
        Where it stands.
    rivals
        Their names, from the top.
    limits
        The smallest and the largest score; the axis is logarithmic.
    """

    def __init__(self, axes: Axes, rivals: Sequence[str], limits: tuple[float, float]) -> None:
        names = ["you", *rivals]
        self.rows = np.arange(len(names))[::-1]
        self.low, self.high = limits
        self.draws = axes.scatter(
            [], [], marker="|", s=90, c=style.NEUTRAL, linewidths=style.THIN, zorder=2
        )
        self.means = axes.scatter(
            [], [], marker="s", s=52, c=style.POSITIVE, edgecolors=style.INK, zorder=3
        )
        self.yours = axes.scatter(
            [], [], marker="D", s=110, c=style.ACCENT, edgecolors="white", zorder=5, clip_on=False
        )
        self.line = Line2D([], [], color=style.ACCENT, linewidth=style.THIN, zorder=1)
        self.bound = Line2D([], [], color=style.INK, linestyle="--", linewidth=style.THIN, zorder=1)
        axes.add_line(self.line)
        axes.add_line(self.bound)
        box = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        place: Any = {"transform": axes.get_yaxis_transform(), "va": "center", "bbox": box}
        for row, name in zip(self.rows, names, strict=True):
            axes.text(0.0, row + 0.36, name, fontsize=10, zorder=6, **place)
        self.words = [
            axes.text(0.42, row + 0.36, "", fontsize=10, zorder=6, **place) for row in self.rows
        ]
        axes.set(
            xscale="log", xlim=limits, ylim=(-0.5, len(names) - 0.35), yticks=[],
            xlabel="share of the trace that is lost (ticks: ten draws)",
        )  # fmt: skip
        ticks = [t for t in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if limits[0] <= t <= limits[1]]
        axes.set_xticks(ticks, [f"{t:g}" for t in ticks])
        axes.minorticks_off()

    @property
    def artists(self) -> list[Artist]:
        """All that changes, for a live figure's list of moving artists."""
        return [self.line, self.bound, self.draws, self.means, self.yours, *self.words]

    def show(self, yours: float, rivals: NDArray[np.float64], bound: float) -> None:
        """Show a score, those of the rivals, shape (n_rivals, n_draws), and what none can beat."""
        inside = np.clip(rivals, self.low, self.high)
        mine = float(np.clip(yours, self.low, self.high))
        rows = np.repeat(self.rows[1:], rivals.shape[1])
        self.draws.set_offsets(np.column_stack([inside.ravel(), rows]))
        means = rivals.mean(axis=1)
        self.means.set_offsets(
            np.column_stack([np.clip(means, self.low, self.high), self.rows[1:]])
        )
        self.yours.set_offsets([(mine, self.rows[0])])
        ends = [self.rows[-1] - 0.4, self.rows[0] + 0.25]
        self.line.set_data([mine, mine], ends)
        self.bound.set_data([bound, bound] if bound >= self.low else [np.nan, np.nan], ends)
        said = [f"{yours:.3f}"]
        said += [f"{mean:.3f}  {'beaten' if yours < mean else 'ahead'}" for mean in means]
        for text, words in zip(self.words, said, strict=True):
            text.set_text(words)
