"""The plane of weights of a machine without a bias: where w has been, and where it should be.

Coordinates are √λ·w, in which the ball that holds the optimum has the radius 1 whatever λ is.
"""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Circle
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.contours import LevelLines

REACH = 1.9
LEVELS = (0.01, 0.1, 0.3, 1.0, 3.0)  # of what the objective lacks


class WeightPath:
    """The path of w_t over the level lines of the objective, the ball, the optimum, the answer.

    Parameters
    ----------
    axes
        Where it stands.
    """

    def __init__(self, axes: Axes) -> None:
        axes.set(xlim=(-REACH, REACH), ylim=(-REACH, REACH), xlabel="√λ·w₁", ylabel="√λ·w₂")
        axes.set_box_aspect(1.0)
        axes.add_patch(
            Circle((0, 0), 1, fill=False, edgecolor=style.NEUTRAL, linestyle="--", zorder=1)
        )
        self.levels = LevelLines(axes, LEVELS, zorder=1.5)
        for lines in self.levels.lines:
            lines.set(color="#9a9a9a", linestyle="-")
        self.path = Line2D([], [], color=style.POSITIVE, linewidth=style.THIN, zorder=3)
        self.dots = Line2D(
            [], [], color=style.POSITIVE, linestyle="", marker=".", markersize=4, zorder=3
        )
        self.step = Line2D([], [], color=style.ACCENT, linewidth=1.5 * style.LINE, zorder=4)
        for line in (self.path, self.dots, self.step):
            axes.add_line(line)
        self.last = axes.scatter(
            [], [], c=style.POSITIVE, edgecolors=style.INK, s=50, zorder=5, label="last w"
        )
        self.answer = axes.scatter(
            [], [], marker="D", c=style.ACCENT, edgecolors=style.INK, s=50, zorder=6,
            label="average",
        )  # fmt: skip
        self.best = axes.scatter(
            [], [], marker="x", c=style.INK, s=90, linewidths=style.LINE, zorder=7, label="optimum"
        )
        axes.legend(
            handles=[self.last, self.answer, self.best], loc="lower center", ncols=3,
            bbox_to_anchor=(0.5, 1.0), borderaxespad=0.1, handletextpad=0.1, columnspacing=0.8,
        )  # fmt: skip
        self.words = axes.text(
            0.5, 0.02, "", transform=axes.transAxes, ha="center", va="bottom", zorder=8,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1},
        )  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """All that moves, for a live figure's list of moving artists."""
        return [
            *self.levels.artists, self.path, self.dots, self.step, self.last, self.answer,
            self.best, self.words,
        ]  # fmt: skip

    def show(
        self,
        path: NDArray[np.float64],
        best: NDArray[np.float64],
        grid: NDArray[np.float64],
        lacking: NDArray[np.float64],
        *,
        answer: NDArray[np.float64] | None = None,
    ) -> None:
        """Show a run.

        Parameters
        ----------
        path
            √λ·w after 0, 1, … t steps, shape (t + 1, 2).
        best
            √λ times the optimum, shape (2,).
        grid
            Coordinates of the level lines on both axes, shape (m,).
        lacking
            What the objective there lacks, shape (m, m), rows from the bottom up.
        answer
            √λ times the average, shape (2,), if there is one.
        """
        self.levels.show(grid, grid, lacking)
        self.path.set_data(*path.T)
        self.dots.set_data(*path.T)
        self.step.set_data(*path[-2:].T)
        self.last.set_offsets(path[-1])
        self.answer.set_offsets(np.empty((0, 2)) if answer is None else answer)
        self.best.set_offsets(best)
        out = np.abs(path[-1]).max() > REACH
        self.words.set_text("w is outside the picture" if out else "")
