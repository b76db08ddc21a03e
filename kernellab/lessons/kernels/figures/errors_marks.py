"""Training and test error against a parameter, with the place where a slider stands."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style


class ErrorCurves:
    """Two error rates on a log axis of γ: training drawn through, test dashed with its error bar.

    Parameters
    ----------
    axes
        Where they stand.
    limits
        The smallest and the largest γ.
    """

    def __init__(self, axes: Axes, limits: tuple[float, float]) -> None:
        self.axes = axes
        self.train = Line2D([], [], color=style.INK, linewidth=style.LINE, label="training")
        self.test = Line2D(
            [], [], color=style.POSITIVE, linestyle="--", linewidth=style.LINE, label="test"
        )
        self.here = axes.axvline(np.nan, color=style.ACCENT, linewidth=style.LINE, zorder=1)
        self.median = axes.axvline(
            np.nan, color=style.NEUTRAL, linewidth=style.LINE, linestyle=":", zorder=1,
            label="median heuristic",
        )  # fmt: skip
        self.bar = Line2D([], [], color=style.POSITIVE, linewidth=2 * style.LINE, zorder=4)
        self.dots = axes.scatter([], [], c=style.ACCENT, s=40, zorder=5, clip_on=False)
        for line in (self.train, self.test, self.bar):
            axes.add_line(line)
        axes.set(
            xscale="log", xlim=limits, ylim=(0, 0.62), xlabel="γ (log scale)", ylabel="error rate"
        )
        axes.legend(
            handles=[self.train, self.test, self.median], ncols=3, loc="lower center",
            bbox_to_anchor=(0.5, 0.98), borderaxespad=0.1,
        )  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """Curves, dots and lines, for a live figure's list of moving artists."""
        return [self.here, self.median, self.train, self.test, self.bar, self.dots]

    def show(
        self,
        gammas: NDArray[np.float64],
        train: NDArray[np.float64],
        test: NDArray[np.float64],
        *,
        at: int,
        median: float,
        error: float,
    ) -> None:
        """Show the rates.

        Parameters
        ----------
        gammas, train, test
            The parameter and the two rates, each of shape (k,).
        at
            Which of them the slider stands at.
        median
            Where the median heuristic is; NaN for nowhere.
        error
            Half the length of the error bar of the test rate there.
        """
        top = 0.62 if max(train.max(), test.max()) <= 0.6 else 1.05
        if self.axes.get_ylim()[1] != top:
            self.axes.set_ylim(0, top)
        self.train.set_data(gammas, train)
        self.test.set_data(gammas, test)
        self.here.set_xdata([gammas[at]] * 2)
        self.median.set_xdata([median] * 2)
        self.bar.set_data([gammas[at]] * 2, [max(0.0, test[at] - error), test[at] + error])
        self.dots.set_offsets([(gammas[at], train[at]), (gammas[at], test[at])])
