"""Weights of three kernels as a point of a triangle, with a function over it and a path in it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from numpy.typing import NDArray
from scipy.interpolate import CloughTocher2DInterpolator

from kernellab.draw import style
from kernellab.draw.contours import level_curve
from kernellab.draw.field import show_field
from kernellab.draw.matrix import SIMILARITY

HEIGHT = np.sqrt(3) / 2
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, HEIGHT]])  # of kernels 1, 2 and 3
PIXELS = (90, 78)  # columns and rows of the picture of the function
# Level lines stand at these shares of the range; the roots of shares are what is interpolated,
# because J is steep near some corners.
SHARES = (0.004, 0.02, 0.06, 0.12, 0.22, 0.36, 0.55, 0.78)


def to_plane(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where weights of sum 1, shape (…, 3), stand in the picture, shape (…, 2)."""
    return np.asarray(weights @ CORNERS)


def to_weights(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the three numbers of sum 1 that a point of the picture stands for, shape (…, 3).

    Outside of the triangle one of them is negative.
    """
    third = points[..., 1] / HEIGHT
    second = points[..., 0] - third / 2
    return np.stack([1 - second - third, second, third], axis=-1)


class WeightTriangle:
    """A function of three weights: level lines, a path, the place of its minimum.

    Parameters
    ----------
    axes
        Where it stands; its own frame and ticks go.
    lattice
        Weights at which the function will be given, shape (k, 3), each row of sum 1.
    """

    def __init__(self, axes: Axes, lattice: NDArray[np.float64]) -> None:
        axes.set_axis_off()
        axes.spines[:].set_visible(False)
        axes.set(xlim=(-0.14, 1.14), ylim=(-0.17, HEIGHT + 0.13))
        axes.set_aspect("equal")
        self.lattice = lattice
        self.x1, self.x2 = np.linspace(0, 1, PIXELS[0]), np.linspace(0, HEIGHT, PIXELS[1])
        frame = Polygon(CORNERS, closed=True, facecolor="none", edgecolor=style.INK, zorder=3)
        axes.add_patch(frame)
        self.image = show_field(
            axes, SIMILARITY, low=0, high=1.7, origin="lower", extent=(0, 1, 0, HEIGHT), zorder=0
        )
        self.image.set_clip_path(frame)
        axes.set(xlim=(-0.14, 1.14), ylim=(-0.17, HEIGHT + 0.13))  # the image has changed them
        self.lines = LineCollection([], colors=style.INK, linewidths=0.5, zorder=1)
        axes.add_collection(self.lines, autolim=False)
        self.lines.set_clip_path(frame)
        self.path = Line2D(
            [], [], color=style.ACCENT, linewidth=style.LINE, marker="o", markersize=5,
            markeredgecolor="white", markeredgewidth=0.6, zorder=5,
        )  # fmt: skip
        axes.add_line(self.path)
        (self.best,) = axes.plot(
            [], [], marker="*", color=style.INK, markersize=15, markeredgecolor="white",
            linestyle="none", zorder=4, clip_on=False,
        )  # fmt: skip
        (self.now,) = axes.plot(
            [], [], marker="D", color=style.ACCENT, markersize=11, markeredgecolor="white",
            linestyle="none", zorder=6, clip_on=False,
        )  # fmt: skip
        places = [(0.0, -0.05, "top"), (1.0, -0.05, "top"), (0.5, HEIGHT + 0.04, "bottom")]
        self.names = [
            axes.text(x, y, "", ha="center", va=va, fontsize=11, zorder=7, clip_on=False)
            for x, y, va in places
        ]

    @property
    def artists(self) -> list[Artist]:
        """All that changes, for a live figure's list of moving artists."""
        return [self.image, self.lines, self.path, self.best, self.now, *self.names]

    def show(
        self,
        values: NDArray[np.float64],
        path: NDArray[np.float64],
        names: Sequence[str],
        *,
        best: NDArray[np.float64] | None = None,
    ) -> None:
        """Show the function and a path.

        Parameters
        ----------
        values
            The function on the lattice, shape (k,).
        path
            Weights, shape (steps + 1, 3), each row of sum 1; the last one is marked.
        names
            Of the three kernels.
        best
            Weights to mark by a star, shape (3,).
        """
        shares = (values - values.min()) / max(float(np.ptp(values)), 1e-12 * np.abs(values).max())
        matrix = pixels_from(tuple(map(tuple, self.lattice)))
        roots = (matrix @ np.sqrt(np.maximum(shares, 0.0))).reshape(PIXELS[::-1])
        self.image.set_data(np.clip(roots, 0, 1))
        levels = np.sqrt(SHARES)
        self.lines.set_segments([level_curve(self.x1, self.x2, roots, v) for v in levels])
        places = to_plane(path)
        self.path.set_data(*places.T)
        self.now.set_data(*places[-1:].T)
        self.best.set_data(*(to_plane(best[np.newaxis]).T if best is not None else ([], [])))
        for text, name in zip(self.names, names, strict=True):
            text.set_text(name)


@cache
def pixels_from(lattice: tuple[tuple[float, ...], ...]) -> NDArray[np.float64]:
    """Return the matrix that takes values on a lattice to the pixels of the picture, smoothly.

    Cubic interpolation is linear in the values, so that one matrix does for every function. A pixel
    outside of the triangle takes the value of a place on its edge.
    """
    places = to_plane(np.array(lattice))
    x1, x2 = np.meshgrid(np.linspace(0, 1, PIXELS[0]), np.linspace(0, HEIGHT, PIXELS[1]))
    weights = np.maximum(to_weights(np.stack([x1.ravel(), x2.ravel()], axis=-1)), 0.0)
    weights /= weights.sum(axis=1, keepdims=True)
    inside = to_plane(weights) * (1 - 1e-9) + 1e-9 * CORNERS.mean(axis=0)
    matrix = CloughTocher2DInterpolator(places, np.eye(len(places)))(inside)
    return np.asarray(matrix)
