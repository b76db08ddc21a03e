"""The dual of the three-point example: its surface over two multipliers, flat and in space."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from matplotlib.ticker import MaxNLocator
from mpl_toolkits.mplot3d.axes3d import Axes3D
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.plane import Limits

Dual = Callable[[float, float], float]

LEVELS = (-0.3, -0.2, -0.1, 0.0, 0.05, 0.09, 0.115, 0.124)
# Where the labels of these levels stand, in the allowed part.
PLACES = ((0.17, 0.18), (0.15, 0.17), (0.13, 0.15), (0.12, 0.09), (0.1, 0.08), (0.055, 0.1))
OUTSIDE = "#b5b5b5"


def heights(dual: Dual, limits: Limits, n: int) -> tuple[NDArray[np.float64], ...]:
    """Return α₁, α₂ and the dual on a grid over left, right, bottom, top; each of shape (n, n)."""
    left, right, bottom, top = limits
    first, second = np.meshgrid(np.linspace(left, right, n), np.linspace(bottom, top, n))
    return first, second, np.vectorize(dual)(first, second)


class DualMap:
    """Level lines of the dual; where an α is negative it is shaded, and a point marks one α."""

    def __init__(self, axes: Axes, dual: Dual, limits: Limits) -> None:
        left, right, bottom, top = limits
        first, second, value = heights(dual, limits, 101)
        bands = [style.SCORES(0.5 + 0.5 * k / len(LEVELS)) for k in range(len(LEVELS) + 1)]
        axes.contourf(first, second, value, levels=(-9.0, *LEVELS, 1.0), colors=bands)
        lines = axes.contour(
            first, second, value, levels=LEVELS, colors=style.INK, linewidths=0.5 * style.LINE,
            linestyles="-",
        )  # fmt: skip
        axes.clabel(
            lines, fmt=lambda level: f"{level:g}".replace("-", "−"), fontsize=9, manual=PLACES
        )
        corner = [(left, bottom), (right, bottom), (right, 0), (0, 0), (0, top), (left, top)]
        axes.add_patch(
            Polygon(
                corner, facecolor=OUTSIDE, edgecolor=style.INK, hatch="//", alpha=0.6, zorder=2.5
            )
        )
        axes.set(xlim=(left, right), ylim=(bottom, top), xlabel=r"$\alpha_1$", ylabel=r"$\alpha_2$")
        axes.set_box_aspect(1.0)
        (self.gradient,) = axes.plot([], [], color=style.ACCENT, linewidth=style.LINE, zorder=5)
        (self.point,) = axes.plot(
            [], [], "o", color=style.ACCENT, markeredgecolor="white", markersize=10, zorder=6
        )

    @property
    def artists(self) -> list[Artist]:
        """The point and the line from it uphill, for a live figure's list of moving artists."""
        return [self.gradient, self.point]

    def show(self, a: NDArray[np.float64], uphill: NDArray[np.float64]) -> None:
        """Show a = (α₁, α₂), and a line from it in the direction of the gradient, both (2,)."""
        self.point.set_data(a[:1], a[1:])
        self.gradient.set_data(*np.stack([a, a + uphill], axis=1))


class DualSurface:
    """The same in space: a hill, grey where an α is negative, and the point on it."""

    def __init__(self, axes: Axes3D, dual: Dual, limits: Limits, *, floor: float) -> None:
        self.floor = floor
        first, second, value = heights(dual, limits, 26)
        allowed = (first >= -1e-9) & (second >= -1e-9)
        colours = np.where(allowed[..., np.newaxis], style.SCORES(0.85), (0.8, 0.8, 0.8, 1.0))
        value = np.maximum(value, floor)
        axes.plot_surface(
            first, second, value, facecolors=colours, edgecolor="white", linewidth=0.3,
            rstride=1, cstride=1, alpha=0.75, shade=False,
        )  # fmt: skip
        axes.set(zlim=(floor, 0.15), xlabel=r"$\alpha_1$", ylabel=r"$\alpha_2$")
        axes.view_init(elev=26, azim=28)
        axes.tick_params(labelsize=8, pad=0)
        axes.set_box_aspect((1, 1, 0.75), zoom=1.0)
        for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
            axis.set_major_locator(MaxNLocator(4))
        (self.stem,) = axes.plot([], [], [], color=style.ACCENT, linewidth=style.LINE, zorder=9)
        (self.point,) = axes.plot(
            [], [], [], "o", color=style.ACCENT, markeredgecolor="white", markersize=10, zorder=10
        )

    @property
    def artists(self) -> list[Artist]:
        """The point and its stem, for a live figure's list of moving artists."""
        return [self.stem, self.point]

    def show(self, a: NDArray[np.float64], value: float) -> None:
        """Show the point at a = (α₁, α₂), as high as the dual there."""
        height = max(value, self.floor)
        self.point.set_data_3d([a[0]], [a[1]], [height])
        self.stem.set_data_3d([a[0]] * 2, [a[1]] * 2, [self.floor, height])
