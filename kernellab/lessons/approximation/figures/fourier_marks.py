"""A kernel of differences as an average of cosines: the cosines, their frequencies, the average."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from numpy.typing import NDArray

from kernellab.draw import style

SHOWN = 12  # cosines drawn one by one; more would be a grey carpet


class Cosines:
    """κ(δ), the cosines whose average is to come near it, that average, and how far it may stray.

    Parameters
    ----------
    axes
        Where they stand.
    delta
        Differences δ, shape (k,).
    """

    def __init__(self, axes: Axes, delta: NDArray[np.float64]) -> None:
        self.delta = delta
        self.band = Polygon(np.zeros((3, 2)), facecolor="#dfd3e6", edgecolor="none", zorder=0)
        axes.add_patch(self.band)
        self.cosines = LineCollection(
            [], colors=style.NEUTRAL, linewidths=0.6, alpha=0.45, zorder=1
        )
        axes.add_collection(self.cosines, autolim=False)
        self.kernel = Line2D([], [], color=style.INK, linewidth=style.LINE, zorder=3, label="κ(δ)")
        self.average = Line2D(
            [], [], color=style.ACCENT, linewidth=style.LINE, linestyle="--", zorder=4,
            label="average of m cosines",
        )  # fmt: skip
        axes.add_line(self.kernel)
        axes.add_line(self.average)
        axes.set(xlim=(delta[0], delta[-1]), ylim=(-1.05, 1.05), xlabel="δ = x − z")
        axes.legend(
            handles=[self.kernel, self.average], loc="lower left", bbox_to_anchor=(0.0, 1.0),
            ncols=2, borderaxespad=0.1,
        )  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """All of it, for a live figure's list of moving artists."""
        return [self.band, self.cosines, self.kernel, self.average]

    def show(
        self,
        kernel: NDArray[np.float64],
        cosines: NDArray[np.float64],
        deviation: NDArray[np.float64],
    ) -> None:
        """Show κ, shape (k,), m cosines, shape (m, k), and the standard deviation of their mean."""
        there, back = kernel + 2 * deviation, (kernel - 2 * deviation)[::-1]
        around = np.concatenate([self.delta, self.delta[::-1]])
        self.band.set_xy(np.column_stack([around, np.concatenate([there, back])]))
        few = cosines[:SHOWN]
        self.cosines.set_segments([np.column_stack([self.delta, line]) for line in few])
        self.kernel.set_data(self.delta, kernel)
        self.average.set_data(self.delta, cosines.mean(axis=0))


class Frequencies:
    """The density from which frequencies are drawn, and those that were."""

    def __init__(self, axes: Axes, reach: float) -> None:
        self.reach = reach
        (self.density,) = axes.plot([], [], color=style.INK, linewidth=style.LINE, zorder=2)
        self.drawn = axes.scatter(
            [], [], marker="|", s=70, c=style.ACCENT, linewidths=style.THIN, zorder=3
        )
        axes.set(xlim=(-reach, reach), ylim=(-0.16, 1.06), xlabel="frequency ω", yticks=[])

    @property
    def artists(self) -> list[Artist]:
        """Curve and ticks, for a live figure's list of moving artists."""
        return [self.density, self.drawn]

    def show(
        self,
        omega: NDArray[np.float64],
        density: NDArray[np.float64],
        drawn: NDArray[np.float64],
    ) -> None:
        """Show a density at ω, both (k,), scaled to height 1, and drawn frequencies, shape (m,)."""
        self.density.set_data(omega, density / density.max())
        inside = drawn[np.abs(drawn) <= self.reach]
        self.drawn.set_offsets(np.column_stack([inside, np.full(len(inside), -0.08)]))
