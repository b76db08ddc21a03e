"""Curves over one number, such as C, λ or a count, and what the number is now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.validation import FloatArray


class Curves(Mark):
    """A few curves, a cursor at the present value, dots there, and a star at a lowest point.

    Parameters
    ----------
    axes : Where they stand; scales and limits are its own.
    looks : Name, colour and dash of each curve.
    steps : Whether the curves are counts, constant between changes.
    """

    def __init__(
        self, axes: Axes, looks: Mapping[str, tuple[str, Any]], *, steps: bool = False
    ) -> None:
        self.axes = axes
        self.cursor = axes.axvline(np.nan, color=style.ACCENT, linewidth=style.LINE, zorder=1)
        self.lines = {
            name: axes.add_line(Line2D(
                [], [], color=colour, linestyle=dash, linewidth=style.LINE, label=name,
                drawstyle="steps-mid" if steps else "default",
            ))
            for name, (colour, dash) in looks.items()
        }  # fmt: skip
        self.dots = axes.scatter([], [], c=style.ACCENT, s=36, zorder=5, clip_on=False)
        self.star = axes.scatter(
            [], [], marker="*", s=170, c="white", edgecolors=style.INK, zorder=6, clip_on=False
        )

    def legend(self, **where: Any) -> None:
        """Say above the axes what the curves are."""
        options: dict[str, Any] = {
            "ncols": len(self.lines), "loc": "lower left", "bbox_to_anchor": (0, 0.99),
            "borderaxespad": 0.1, "columnspacing": 1.2, "handlelength": 2.2, "fontsize": 9,
        } | where  # fmt: skip
        self.axes.legend(handles=list(self.lines.values()), **options)

    def show(
        self,
        x: FloatArray,
        values: Mapping[str, FloatArray],
        now: float,
        at: Sequence[float] | None = None,
        *,
        star: str | None = None,
    ) -> None:
        """Show the curves.

        Parameters
        ----------
        x : The number, ascending, shape (m,).
        values : One row a curve, of shape (m,) or shorter; a curve that is missing is not shown.
        now : The present value, where the cursor is.
        at : What the curves are there; those at the nearest x, if it is not said.
        star : The curve whose lowest point is marked.
        """
        for name, line in self.lines.items():
            line.set_visible(name in values)
            if name in values:
                line.set_data(x[: len(values[name])], values[name])
        self.cursor.set_xdata([now, now])
        if at is None:
            nearest = int(np.abs(x - now).argmin())
            at = [row[nearest] for row in values.values() if nearest < len(row)]
        self.dots.set_offsets(self._inside([(now, value) for value in at]))
        k = lowest(values[star]) if star else 0
        self.star.set_offsets(self._inside([(x[k], values[star][k])] if star else []))

    def _inside(self, places: list[tuple[float, float]]) -> FloatArray:
        """Leave out what is above or below the axes, where a dot would stand for another value."""
        bottom, top = self.axes.get_ylim()
        kept = [place for place in places if bottom <= place[1] <= top]
        return np.array(kept, dtype=float).reshape(-1, 2)


def lowest(values: FloatArray) -> int:
    """Return where a curve is lowest, the last such place: among equals, the smoothest."""
    return len(values) - 1 - int(np.argmin(values[::-1]))


def nice_limit(n: int) -> int:
    """Return the next of 10, 20, 25, 50, 100, 200 … above n: limits that change rarely."""
    tenth: int = 10 ** max(0, len(str(n)) - 2)
    return next(limit for k in (10, 20, 25, 50, 100, 200) if (limit := k * tenth) >= n)
