"""Round marks with many straight edges, which Matplotlib draws sooner.

Before it draws a scatter it asks how far its mark extends: 0.6 ms for the curves of a circle, and
next to nothing for a polygon that nobody can tell from it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.path import Path

EDGES = 48  # of a circle with a radius of 12 pixels they are nowhere 0.03 pixels away
CIRCLE: Any = Path.unit_circle()  # what Matplotlib says of its types is too wide here
POLYGON: Any = Path.unit_regular_polygon(EDGES)


def straighten(figure: Figure) -> None:
    """Give the round marks of all scatters in a figure straight edges."""
    for marks in figure.findobj(PathCollection):
        mark: Any = marks.get_paths()[0]
        if np.array_equal(mark.codes, CIRCLE.codes):
            radius = np.abs(mark.vertices).max()
            marks.set_paths([Path(radius * POLYGON.vertices, POLYGON.codes)])
