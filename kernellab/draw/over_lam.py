"""Errors and degrees of freedom over λ, with a cursor at the present one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style

TRAIN, TEST, LOO = "training", "test", "leave-one-out"
LOOKS: Mapping[str, tuple[str, Any]] = {
    TRAIN: (style.INK, "-"),
    TEST: (style.POSITIVE, "--"),
    LOO: (style.NEGATIVE, "-."),
}


class OverLam:
    """A few curves over λ, a cursor, dots where it meets them, and a mark at one lowest point.

    Parameters
    ----------
    axes
        Where they stand.
    looks
        Name, colour and dash of each curve.
    lams
        The smallest and the largest λ on the log axis.
    ylim
        Of the values; on a log axis unless ``log`` is off.
    """

    def __init__(
        self,
        axes: Axes,
        looks: Mapping[str, tuple[str, Any]],
        lams: Sequence[float] | NDArray[np.float64],
        ylim: tuple[float, float],
        *,
        log: bool = True,
        label: str = "λ",
    ) -> None:
        self.axes, self.label = axes, label
        self.lines = {
            name: Line2D([], [], color=colour, linestyle=dash, linewidth=style.LINE, label=name)
            for name, (colour, dash) in looks.items()
        }
        for line in self.lines.values():
            axes.add_line(line)
        self.cursor = axes.axvline(np.nan, color=style.ACCENT, linewidth=style.LINE, zorder=1)
        self.dots = axes.scatter([], [], c=style.ACCENT, s=36, zorder=5, clip_on=False)
        self.star = axes.scatter(
            [], [], marker="*", s=170, c="white", edgecolors=style.INK, zorder=6, clip_on=False
        )
        axes.set(ylim=ylim, yscale="log" if log else "linear")
        self.scale("log", (float(lams[0]), float(lams[-1])))

    @property
    def artists(self) -> list[Artist]:
        """Curves, cursor, dots and star, for a live figure's list of moving artists."""
        return [self.cursor, *self.lines.values(), self.dots, self.star]

    def scale(self, kind: str, limits: tuple[float, float], label: str | None = None) -> None:
        """Set the axis of λ: "log" or "linear", from where to where."""
        self.axes.set_xscale(kind)
        self.axes.set(
            xlim=limits, xlabel=f"{self.label} ({kind} scale)" if label is None else label
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
        lams: NDArray[np.float64],
        values: Mapping[str, NDArray[np.float64]],
        at: int,
        *,
        star: tuple[str, int] | None = None,
    ) -> None:
        """Show the curves.

        Parameters
        ----------
        lams
            λ, or whatever the axis is, ascending, shape (L,).
        values
            One row of shape (L,) for each name; a curve that is missing is not shown.
        at
            Which λ the cursor is at.
        star
            A curve, and which of its points is its lowest.
        """
        for name, line in self.lines.items():
            line.set_visible(name in values)
            if name in values:
                line.set_data(lams, values[name])
        self.cursor.set_xdata([lams[at]] * 2)
        self.dots.set_offsets(self._inside([(lams[at], row[at]) for row in values.values()]))
        name, k = star if star is not None else ("", 0)
        self.star.set_offsets(self._inside([(lams[k], values[name][k])] if name else []))

    def _inside(self, spots: list[tuple[float, float]]) -> NDArray[np.float64]:
        """Leave out what is above or below the axes, where a mark would stand for another value."""
        bottom, top = self.axes.get_ylim()
        kept = [spot for spot in spots if bottom <= spot[1] <= top]
        return np.array(kept, dtype=float).reshape(-1, 2)


def lowest(values: NDArray[np.float64]) -> int:
    """Return where a curve is lowest, the last such place: among equals, the smoothest."""
    return len(values) - 1 - int(np.argmin(values[::-1]))
