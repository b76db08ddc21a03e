"""What a support vector machine makes of its points: rings, slacks and crosses.

The grammar: a support vector is ringed, one with α = C is ringed twice, a mistake is crossed, and a
slack is a thin line from the point to its margin.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from numpy.typing import ArrayLike

from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.draw.plane import Points, relative
from kernellab.validation import FloatArray

GROWTH = 20.0  # area for a unit of relative weight: less than a perceptron's, rings need room


class SupportPoints(Mark):
    """Labelled examples that wear what they are: rings for α > 0 and α = C, slacks, crosses."""

    def __init__(self, axes: Axes) -> None:
        self.points = Points(axes)
        self.slacks = LineCollection([], colors=style.NEUTRAL, linewidths=style.THIN, zorder=3.5)
        axes.add_collection(self.slacks)
        self.rings = [
            axes.scatter(
                [], [], marker="o", facecolors="none", edgecolors=style.INK,
                linewidths=1.3 * style.THIN, zorder=3.9,
            )
            for _ in range(2)
        ]  # fmt: skip

    def show(
        self,
        X: FloatArray,
        y: FloatArray,
        alpha: FloatArray,
        *,
        bounded: ArrayLike = False,
        mistaken: ArrayLike = False,
        feet: FloatArray | None = None,
        used: int | None = None,
    ) -> None:
        """Show the examples.

        Parameters
        ----------
        X : Points, shape (n, 2), data units.
        y : Labels −1 or +1, shape (n,).
        alpha : Dual variables ≥ 0, shape (n,): area, and a ring where positive.
        bounded : True for each example with α = C, shape (n,): a second ring.
        mistaken : True for each example that is crossed, shape (n,).
        feet : Where each slack ends, shape (n, 2); NaN for an example without one.
        used : An example to be ringed thickly.
        """
        self.points.show(X, y, used=used, mistaken=mistaken)
        area = style.POINT_AREA + GROWTH * relative(alpha)
        for label, mark in self.points.marks.items():
            mark.set_sizes(area[y == label])
        size = np.sqrt(area)
        once = alpha > 0
        for ring, wider, which in zip(
            self.rings,
            (style.RING, 2 * style.RING),
            (once, once & np.broadcast_to(bounded, len(X))),
            strict=True,
        ):
            ring.set_offsets(X[which])
            ring.set_sizes((size[which] + wider) ** 2)
        self.slacks.set_segments([] if feet is None else list(np.stack([X, feet], axis=1)))
