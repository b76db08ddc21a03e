"""Quadrilaterals that hang together, drawn row by row: a quarter sooner than as polygons."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.transforms import IdentityTransform
from numpy.typing import NDArray

Values = NDArray[np.float64]
NOWHERE = np.zeros((1, 1, 2))


class Mesh(Artist):
    """A grid of places in the plane, its quadrilaterals filled, each with its own edge.

    Parameters
    ----------
    linewidth
        Of the edges, in points.

    Attributes
    ----------
    places
        Where the corners are, shape (r + 1, c + 1, 2), data units.
    faces, edges
        Colours of the quadrilaterals, row by row, shape (r c, 4), from 0 to 1.
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
