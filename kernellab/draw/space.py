"""Three features as a picture: points, a cone and a cutting plane, seen from any side.

A parallel projection is two dot products a point, so it needs no three-dimensional axes, and a
frame takes three milliseconds.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.validation import FloatArray

Points3 = FloatArray  # shape (k, 3)

CUT = "#d7c3df"  # the cutting plane: the accent's colour, light


def viewed_from(turn: float, tilt: float) -> FloatArray:
    """Return what is right, up and towards the viewer, as the columns of a matrix, shape (3, 3).

    Turn and tilt are in degrees: how far one has walked round the third axis, and how high one is.
    """
    a, e = np.radians(turn), np.radians(tilt)
    right = (-np.sin(a), np.cos(a), 0.0)
    up = (-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e))
    near = (np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e))
    return np.array([right, up, near]).T


def cut_of_box(w: Points3, t: float, low: Points3, high: Points3) -> Points3:
    """Return the corners, in order, of where the plane w·z = t cuts a box; none where it does not.

    w, shape (3,), is not zero; low and high, shape (3,), are opposite corners of the box.
    """
    size = high - low
    corners = np.array(list(product((0.0, 1.0), repeat=3)))
    edges = [(a, b) for a, b in product(corners, corners) if (b - a).sum() == 1 and (b >= a).all()]
    starts, ends = low + np.array(edges).transpose(1, 0, 2) * size
    before, after = starts @ w - t, ends @ w - t
    crossed = (before <= 0) != (after <= 0)
    share = before[crossed] / (before[crossed] - after[crossed])
    hits = starts[crossed] + share[:, np.newaxis] * (ends - starts)[crossed]
    if len(hits) < 3:
        return np.empty((0, 3))
    helper = np.eye(3)[np.abs(w).argmin()]
    first = np.cross(w, helper)
    second = np.cross(w, first)
    around = hits - hits.mean(axis=0)
    angle = np.arctan2(around @ second / np.linalg.norm(second), around @ first)
    return np.asarray(hits[np.argsort(angle)])


class Space(Mark):
    """The space of three features in a box, with labelled points, a surface of lines, and a cut.

    Parameters
    ----------
    axes : Flat axes that become the picture; their own frame and ticks go.
    low, high : Opposite corners of the box, shape (3,): a cut is shown inside it.
    tips : Where the arrows of the three features end, shape (3, 3), a row each; they begin at 0.
    names : Of the three features.
    """

    def __init__(
        self, axes: Axes, low: Points3, high: Points3, tips: Points3, names: tuple[str, ...]
    ) -> None:
        axes.set_axis_off()
        axes.spines[:].set_visible(False)
        self.low, self.high, self.tips = low, high, tips
        self.centre = (low + high) / 2
        self.radius = float(np.abs(high - self.centre).max())
        axes.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15))
        axes.set_box_aspect(1.0)
        self.surface = LineCollection([], colors=style.NEUTRAL, linewidths=0.6, alpha=0.55)
        self.cut = Polygon(
            np.zeros((3, 2)), closed=True, facecolor=CUT, edgecolor=style.ACCENT, alpha=0.7,
            linewidth=style.THIN, zorder=3,
        )  # fmt: skip
        self.trace = Line2D([], [], color=style.INK, linewidth=style.LINE, zorder=6)
        self.arrows = LineCollection([], colors=style.INK, linewidths=style.THIN, zorder=2)
        axes.add_collection(self.surface)
        axes.add_collection(self.arrows)
        axes.add_patch(self.cut)
        axes.add_line(self.trace)
        self.names = [
            axes.text(0, 0, name, ha="center", va="center", zorder=7, clip_on=False)
            for name in names
        ]
        self.points = {
            (label, front): axes.scatter(
                [], [], marker=style.MARKER[label], c=style.COLOUR[label], edgecolors=style.INK,
                linewidths=0.5 * style.THIN, zorder=5 if front else 2.5,
            )
            for label in (-1, 1)
            for front in (False, True)
        }  # fmt: skip
        self.crosses = axes.scatter(
            [], [], marker="x", c=style.INK, s=90, linewidths=0.5 * style.LINE, zorder=7,
            path_effects=[withStroke(linewidth=0.75 * style.LINE, foreground="white")],
        )  # fmt: skip

    def show(
        self,
        view: FloatArray,
        Z: Points3,
        y: FloatArray,
        *,
        surface: Points3,
        w: Points3,
        t: float,
        trace: Points3,
        mistaken: NDArray[np.bool_],
    ) -> None:
        """Show it from a side.

        Parameters
        ----------
        view : From :func:`viewed_from`, shape (3, 3).
        Z, y : Points, shape (n, 3), and labels −1 or +1, shape (n,).
        surface : Lines, shape (n_lines, n_points, 3).
        w, t : The cutting plane w·z = t; w of shape (3,), zero for none.
        trace : The curve in which it cuts the surface, shape (k, 3), NaN where it breaks.
        mistaken : Points to cross, shape (n,).
        """
        flat = (Z - self.centre) @ view / self.radius
        self.surface.set_segments(list(self._seen(surface, view)))
        origin = self._seen(np.zeros((1, 3)), view)
        ends = self._seen(self.tips, view)
        self.arrows.set_segments([np.vstack([origin, end]) for end in ends])
        for name, end in zip(self.names, ends, strict=True):
            along = end - origin[0]
            length = max(float(np.hypot(*along)), 1e-9)  # an arrow towards the viewer has none
            name.set_position(tuple(end + (0.06 + 0.17 * abs(along[0]) / length) * along / length))
        outline = cut_of_box(w, t, self.low, self.high) if w.any() else np.empty((0, 3))
        self.cut.set_visible(len(outline) > 0)
        if len(outline) > 0:
            self.cut.set_xy(self._seen(outline, view))
        self.trace.set_data(*self._seen(trace, view).T)
        behind = ((Z @ w - t) * (w @ view[:, 2]) < 0) & ~mistaken  # no cross without its point
        for (label, front), mark in self.points.items():
            here = (y == label) & (behind != front)
            mark.set_offsets(flat[here, :2])
            mark.set_sizes(0.6 * style.POINT_AREA * (1 + 0.4 * flat[here, 2]))
        self.crosses.set_offsets(flat[mistaken, :2])

    def _seen(self, P: FloatArray, view: FloatArray) -> FloatArray:
        """Project points, shape (…, 3), on the picture, shape (…, 2)."""
        return np.asarray((P - self.centre) @ view[:, :2] / self.radius)
