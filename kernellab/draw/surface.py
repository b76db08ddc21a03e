"""A function of two numbers as a surface in a box, seen from any side, with points and stems.

Drawn as shaded quadrilaterals in a parallel projection, those far away first: a few milliseconds a
frame, where three-dimensional axes take fifteen.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from matplotlib.transforms import IdentityTransform

from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.validation import FloatArray

Values = FloatArray
LIGHT = np.array([-0.35, -0.5, 0.8])
HEIGHT = 0.8  # of the box, from its middle; its floor is 2 × 2
NEARLY = 0.08  # of the full colour: what is closer to zero is not called below it
PLAIN = 0.80  # a grey, where there is no difference to be shown
NOWHERE = np.zeros((1, 1, 2))
TALLEST = 1.22  # a box that is seen taller than this, from its middle, is made smaller


class SurfaceView(Mark):
    """A box with a surface, and points above and below.

    Parameters
    ----------
    axes : Flat axes that become the picture; their own frame and ticks go.
    low, high
        Opposite corners of the box in data units, shape (3,): first, second coordinate, height.
    names : Of the three.
    ticks : Heights that are written at an edge.
    """

    def __init__(
        self,
        axes: Axes,
        low: Sequence[float],
        high: Sequence[float],
        names: tuple[str, str, str],
        ticks: Sequence[float],
    ) -> None:
        axes.set_axis_off()
        axes.spines[:].set_visible(False)
        axes.set(xlim=(-1.62, 1.62), ylim=(-1.3, 1.3))
        axes.set_aspect("equal")
        self.low, self.high = np.array(low), np.array(high)
        self.heights = ticks
        self.box = LineCollection([], colors=style.NEUTRAL, linewidths=0.7, zorder=1)
        self.mesh = Mesh(0.35, zorder=3)
        axes.add_artist(self.mesh)
        self.stems = LineCollection([], colors=style.INK, linewidths=0.7, zorder=4)
        for collection in (self.box, self.stems):
            axes.add_collection(collection, autolim=False)
        # Before the surface: filled; behind it: drawn first, and seen only where it ends.
        self.points = {
            front: axes.scatter(
                [], [], marker="o", s=16, c=style.INK if front else "white", zorder=z,
                edgecolors="white" if front else style.INK, linewidths=0.7,
            )
            for front, z in ((False, 2.5), (True, 6.0))
        }  # fmt: skip
        self.words = [
            axes.text(0, 0, name, ha="center", va="center", zorder=7, clip_on=False)
            for name in (*names, *(f"{tick:g}" for tick in ticks))
        ]
        for word in self.words[3:]:
            word.set_fontsize(9)

    def show(
        self,
        view: Values,
        x1: Values,
        x2: Values,
        surface: Values,
        *,
        difference: Values | None = None,
        saturation: float = 0.5,
        points: Values | None = None,
        feet: Values | None = None,
    ) -> None:
        """Show it from a side.

        Parameters
        ----------
        view : From :func:`kernellab.draw.space.viewed_from`, shape (3, 3).
        x1, x2, surface
            A grid, (a,) and (b,), and heights on it, (b, a); what leaves the box is cut off.
        difference
            On the same grid, shown as colour: orange below zero (the mesh dark), white, blue above.
        saturation : The difference whose colour is full.
        points : Shape (n, 3).
        feet : The height of the surface under each point, (n,): a stem joins them.
        """
        self._frame(view)
        self._surface(view, x1, x2, surface, difference, saturation)
        self._points(view, points, feet)

    def _seen(self, P: Values, view: Values) -> Values:
        """Project points, shape (…, 3): right, up and near, shape (…, 3)."""
        unit = 2 * (np.clip(P, self.low, self.high) - self.low) / (self.high - self.low) - 1
        # From above a box is taller on the page than from the side: it shrinks as it is tilted.
        tall = np.abs(view[0, 1]) + np.abs(view[1, 1]) + HEIGHT * np.abs(view[2, 1])
        return np.asarray((unit * [1, 1, HEIGHT]) @ view * min(1.0, TALLEST / tall))

    def _surface(
        self, view: Values, x1: Values, x2: Values, Z: Values, difference: Values | None,
        saturation: float,
    ) -> None:  # fmt: skip
        # Far away first: a cell can only hide those behind it in its row and in its column.
        turn = tuple(slice(None, None, 1 if near >= 0 else -1) for near in view[1::-1, 2])
        P = np.stack([*np.meshgrid(x1, x2), Z], axis=-1)[turn]
        faces = np.ones((*np.subtract(Z.shape, 1), 4))
        edges = np.ones_like(faces)
        if difference is None:
            faces[..., :3] = PLAIN
        else:
            middle = (difference[:-1, :-1] + difference[1:, 1:])[turn] / 2
            faces[:] = style.SCORES(0.5 + 0.5 * middle / saturation)
            edges[middle < -NEARLY * saturation] = to_rgba(style.INK)  # told apart also in grey
        faces[..., :3] *= self._shade(P)[..., np.newaxis]
        self.mesh.set_mesh(self._seen(P, view)[..., :2], faces.reshape(-1, 4), edges.reshape(-1, 4))

    def _shade(self, P: Values) -> Values:
        """Return how bright each quadrilateral is, 0.72 … 1: light comes from above."""
        size = (self.high - self.low) / [1, 1, HEIGHT]
        along, across = np.diff(P[:-1], axis=1) / size, np.diff(P[:, :-1], axis=0) / size
        normal = np.cross(along, across)
        normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-12)
        return np.asarray(0.86 + 0.14 * np.abs(normal @ LIGHT) / np.linalg.norm(LIGHT))

    def _points(self, view: Values, points: Values | None, feet: Values | None) -> None:
        if points is None:
            for mark in self.points.values():
                mark.set_offsets(np.empty((0, 2)))
            self.stems.set_segments([])
            return
        seen = self._seen(points, view)[:, :2]
        below = np.zeros(len(points)) if feet is None else feet
        front = (points[:, 2] >= below) == (view[2, 2] >= 0)  # as seen from above, or from below
        for is_front, mark in self.points.items():
            mark.set_offsets(seen[front == is_front])
        if feet is None:
            self.stems.set_segments([])
            return
        ends = self._seen(np.column_stack([points[:, :2], feet]), view)[:, :2]
        self.stems.set_segments(list(np.stack([seen, ends], axis=1)[front]))

    def _frame(self, view: Values) -> None:
        """Draw the nine edges of the box that are behind, and write at those that are outside."""
        corners = np.array(list(product((0.0, 1.0), repeat=3)))
        places = self._seen(self.low + corners * (self.high - self.low), view)
        nearest = int(places[:, 2].argmax())
        edges = [
            (a, b)
            for a, b in combinations(range(8), 2)
            if np.abs(corners[a] - corners[b]).sum() == 1 and nearest not in (a, b)
        ]
        self.box.set_segments([places[[a, b], :2] for a, b in edges])
        floor = [k for k in range(8) if corners[k, 2] == 0]
        # A floor edge that is nearer to the viewer carries its name; heights stand at the left.
        for axis in (0, 1):
            step = np.eye(3)[axis]
            pairs = [
                (a, b) for a in floor for b in floor if (corners[b] - corners[a] == step).all()
            ]
            a, b = max(pairs, key=lambda pair: places[list(pair), 2].sum())
            middle = places[[a, b], :2].mean(axis=0)
            self.words[axis].set_position(tuple(middle + self._outwards(middle, 0.16)))
        left = min(floor, key=lambda k: places[k, 0])
        up = self.low + corners[left] * (self.high - self.low)
        for word, height in zip(self.words[3:], self.heights, strict=True):
            spot = self._seen(np.array([*up[:2], height]), view)
            word.set_position((spot[0] - 0.12, spot[1]))
        for word in self.words[2:]:  # seen from above all heights are in one place
            word.set_visible(bool(abs(view[2, 1]) > 0.25))
        top = self._seen(np.array([*up[:2], self.high[2]]), view)
        self.words[2].set_position((top[0] - 0.12, top[1] + 0.1))

    @staticmethod
    def _outwards(place: Values, by: float) -> Values:
        """Return a step of a length away from the middle of the picture, and a little down."""
        step = place + np.array([0.0, -0.5])
        return np.asarray(by * step / max(float(np.linalg.norm(step)), 1e-9))


class Mesh(Artist):
    """A grid of places in the plane, its quadrilaterals filled, each with its own edge.

    Drawn row by row: a quarter sooner than as polygons.

    Parameters
    ----------
    linewidth : Of the edges, in points.

    Attributes
    ----------
    places : Where the corners are, shape (r + 1, c + 1, 2), data units.
    faces, edges : Colours of the quadrilaterals, row by row, shape (r c, 4), from 0 to 1.
    """

    def __init__(self, linewidth: float, **options: Any) -> None:
        super().__init__()
        self.linewidth = linewidth
        self.set(**options)
        self.clear()

    def clear(self) -> None:
        """Show nothing."""
        self.set_mesh(NOWHERE, np.empty((0, 4)), np.empty((0, 4)))

    def set_mesh(self, places: Values, faces: Values, edges: Values) -> None:
        """Show other quadrilaterals: what comes later in a row, or in a later row, lies on top."""
        self.places, self.faces, self.edges = places, faces, edges
        self.stale = True

    def draw(self, renderer: Any) -> None:
        """Draw it."""
        if not self.get_visible() or not len(self.faces):
            return
        gc = renderer.new_gc()
        gc.set_linewidth(self.linewidth)
        rows, columns = len(self.places) - 1, self.places.shape[1] - 1
        renderer.draw_quad_mesh(
            gc, self.get_transform().frozen(), columns, rows, self.places, NOWHERE[0],
            IdentityTransform(), self.faces, True, self.edges,
        )  # fmt: skip
        gc.restore()
        self.stale = False
