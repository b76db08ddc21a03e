"""The KKT conditions as a staircase, the points on their way to it, and the area still missing.

A point of the training set stands at (margin, α). Where its KKT condition holds it stands on the
stairs; else the rectangle between it and their nearer corner is its term of the duality gap:
(C − α)(1 − y f) inside the margin, α (y f − 1) outside.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patheffects import Normal, Stroke
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.plane import Points

HALO = [Stroke(linewidth=3.4 * style.LINE, foreground="white"), Normal()]


class Stairs:
    """The stairs α = C, margin = 1, α = 0, with what each part means.

    Parameters
    ----------
    axes
        Margin to the right, α upwards; with limits that stay.
    """

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        left, right = axes.get_xlim()
        self.line = Line2D(
            [], [], color=style.INK, linewidth=1.6 * style.LINE, solid_joinstyle="miter",
            path_effects=HALO, zorder=3,
        )  # fmt: skip
        axes.add_line(self.line)
        self.left, self.right = left, right
        paper = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0}
        words: dict[str, Any] = {"color": style.INK, "fontsize": 10, "zorder": 3.2, "bbox": paper}
        self.shelf = axes.text(left + 0.08, 0, "", va="bottom", **words)
        axes.text(right - 0.08, 0.06, "α = 0: not needed ", ha="right", va="bottom", **words)
        self.riser = axes.text(1.12, 0, "0 < α < C: on the margin", va="center", **words)

    @property
    def artists(self) -> list[Artist]:
        """The stairs and their words, for a live figure's list of moving artists."""
        return [self.line, self.shelf, self.riser]

    def show(self, C: float) -> None:
        """Put the shelf at height C."""
        self.line.set_data([self.left, 1, 1, self.right], [C, C, 0, 0])
        self.shelf.set_y(C + 0.06)
        self.shelf.set_text("α = C: inside the margin, pays")
        self.riser.set_y(0.86 * C)


class Missing:
    """The rectangles between points and stairs: their areas add up to the duality gap."""

    def __init__(self, axes: Axes) -> None:
        self.rectangles = PolyCollection([], linewidths=0.8, zorder=2)
        axes.add_collection(self.rectangles, autolim=False)

    @property
    def artists(self) -> list[Artist]:
        """The rectangles, for a live figure's list of moving artists."""
        return [self.rectangles]

    def show(
        self,
        margins: NDArray[np.float64],
        alpha: NDArray[np.float64],
        C: float,
        y: NDArray[np.float64],
        *,
        lit: int | None = None,
    ) -> None:
        """Show the rectangles of n points, all arrays (n,); one of them may be lit."""
        self.rectangles.set_verts(list(rectangles(margins, alpha, C)))
        colours = [style.COLOUR[label] for label in y.astype(int)]
        if lit is not None:
            colours[lit] = style.ACCENT
        faces = [(*_rgb(colour), 0.16) for colour in colours]
        if lit is not None:
            faces[lit] = (*_rgb(style.ACCENT), 0.35)
        self.rectangles.set_facecolor(faces)
        self.rectangles.set_edgecolor([(*_rgb(colour), 0.55) for colour in colours])


def rectangles(
    margins: NDArray[np.float64], alpha: NDArray[np.float64], C: float
) -> NDArray[np.float64]:
    """Return the corners of each point's rectangle, shape (n, 4, 2): point, stairs, both ways.

    Its area is the point's term of the duality gap, `certificates.gap_terms` for the hinge.
    """
    corner = np.where(margins < 1, C, 0.0)
    one = np.ones_like(margins)
    columns = [(margins, alpha), (one, alpha), (one, corner), (margins, corner)]
    return np.stack([np.column_stack(column) for column in columns], axis=1)


class OnTheWay:
    """Points at (margin, α), their trails, and where the next update will take one of them."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        self.trails = LineCollection([], linewidths=style.THIN, alpha=0.35, zorder=2.5)
        axes.add_collection(self.trails, autolim=False)
        self.points = Points(axes)
        self.way = Line2D(
            [], [], color=style.ACCENT, linewidth=1.4 * style.LINE, linestyle=(0, (3, 1.5)),
            zorder=5.5,
        )  # fmt: skip
        self.end = Line2D(
            [], [], color=style.ACCENT, marker="D", markersize=7, markeredgecolor="white",
            linestyle="", zorder=5.6, clip_on=False,
        )  # fmt: skip
        axes.add_line(self.way)
        axes.add_line(self.end)

    @property
    def artists(self) -> list[Artist]:
        """All marks, for a live figure's list of moving artists."""
        return [self.trails, self.way, *self.points.artists, self.end]

    def show(
        self,
        trail: NDArray[np.float64],
        y: NDArray[np.float64],
        *,
        used: int | None = None,
        way: NDArray[np.float64] | None = None,
    ) -> None:
        """Show the points.

        Parameters
        ----------
        trail
            Where each point has been, the last place being where it is, shape (k, n, 2) as
            (margin, α). Margins beyond the axes are shown at their edge.
        y
            Labels, shape (n,).
        used
            The next example: ringed.
        way
            From where to where its update takes it, shape (2, 2).
        """
        left, right = self.axes.get_xlim()
        trail = trail.copy()
        trail[..., 0] = trail[..., 0].clip(left, right)
        self.trails.set_segments(list(trail.transpose(1, 0, 2)))
        self.trails.set_color([style.COLOUR[label] for label in y.astype(int)])
        self.points.show(trail[-1], y, used=used)
        way = np.empty((0, 2)) if way is None else way
        self.way.set_data(*way.T)
        self.end.set_data(*way[1:].T)


class LossStairs:
    """The same for any loss: residual to the right, share α/C upwards, and the stairs of the loss.

    Parameters
    ----------
    axes
        With limits that stay.
    """

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        self.line = Line2D(
            [], [], color=style.INK, linewidth=1.6 * style.LINE, path_effects=HALO, zorder=3,
        )  # fmt: skip
        axes.add_line(self.line)
        self.words = axes.text(
            0.02, 0.98, "", transform=axes.transAxes, va="top", fontsize=10, zorder=6
        )
        self.points = Points(axes)
        axes.axhline(0, color=style.NEUTRAL, linewidth=0.5, zorder=1)
        axes.axvline(0, color=style.NEUTRAL, linewidth=0.5, zorder=1)

    @property
    def artists(self) -> list[Artist]:
        """All marks, for a live figure's list of moving artists."""
        return [self.line, self.words, *self.points.artists]

    def show(
        self,
        stairs: NDArray[np.float64],
        places: NDArray[np.float64],
        y: NDArray[np.float64],
        words: str,
    ) -> None:
        """Show stairs, shape (k, 2), points at (residual, share), shape (n, 2), and their kinds."""
        left, right, bottom, top = self.axes.axis()
        low, high = np.array([left, bottom]), np.array([right, top])
        self.line.set_data(*stairs.T)
        self.points.show(np.clip(places, low, high), y)
        self.words.set_text(words)


def _rgb(colour: str) -> tuple[float, float, float]:
    return tuple(int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))  # type: ignore[return-value]
