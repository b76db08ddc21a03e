"""Numbers in a table, dark where they are large: error rates of models, and confusions of classes.

The numbers are written into the cells, so nothing depends on the colours.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.draw.matrix import SIMILARITY


def heat_map(
    axes: Axes,
    values: NDArray[np.float64],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    top: float,
    form: str = "{:.1f}",
    fontsize: float = 10,
    upward: bool = False,
) -> list[Artist]:
    """Draw a table as an image with its numbers; return these.

    Parameters
    ----------
    values
        The numbers, shape (n_rows, n_columns).
    rows, columns
        What they are called.
    top
        The value that is darkest, and those above it.
    form
        How a number is written.
    fontsize
        Of the numbers, in points.
    upward
        Whether row 0 is at the bottom, so that up is up for a grip as well.
    """
    image = axes.imshow(
        values, cmap=SIMILARITY, vmin=0, vmax=1.15 * top, aspect="auto",
        origin="lower" if upward else "upper",
    )  # fmt: skip
    words = [
        axes.text(
            column, row, form.format(value), ha="center", va="center", fontsize=fontsize,
            color="white" if value > 0.6 * top else style.INK,
        )
        for (row, column), value in np.ndenumerate(values)
    ]  # fmt: skip
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    return [image, *words]


def frame(axes: Axes, row: int, column: int, *, dashed: bool = False) -> Artist:
    """Draw a frame round a cell of a table, and return it."""
    return axes.add_patch(
        Rectangle(
            (column - 0.47, row - 0.44), 0.94, 0.88, fill=False, edgecolor=style.NEGATIVE,
            linewidth=1.3 * style.LINE, linestyle=(0, (2, 1)) if dashed else "-", zorder=4,
        )
    )  # fmt: skip


class SignMarks(Mark):
    """Labelled points as "+" and "−": the published picture of two rings."""

    def __init__(self, axes: Axes) -> None:
        self.marks = {
            label: axes.plot(
                [], [], linestyle="", marker=marker, color=style.COLOUR[label], markersize=8,
                markeredgewidth=1.8, zorder=3, clip_on=False,
            )[0]
            for label, marker in ((1, "+"), (-1, "_"))
        }  # fmt: skip
        (self.wrong,) = axes.plot(
            [], [], linestyle="", marker="o", color=style.INK, markerfacecolor="none",
            markersize=13, zorder=4, clip_on=False,
        )  # fmt: skip

    def show(
        self, X: NDArray[np.float64], y: NDArray[np.float64], wrong: NDArray[np.bool_]
    ) -> None:
        """Show points, shape (n, 2), with labels −1 and +1 and rings round mistakes, both (n,)."""
        for label, line in self.marks.items():
            line.set_data(*X[y == label].T)
        self.wrong.set_data(*X[wrong].T)


def confusions(
    figure: Figure,
    tables: Sequence[NDArray[np.float64]],
    names: Sequence[Sequence[str]],
    titles: Sequence[str],
) -> None:
    """Draw confusion matrices side by side: rows are true classes, columns what was predicted.

    Parameters
    ----------
    tables
        Counts, each of shape (n_classes, n_classes). Dark is what is off the diagonal.
    names, titles
        Of each table the names of its classes, and what to write above it.
    """
    panels = figure.subplots(1, len(tables), squeeze=False)[0]
    for axes, table, classes, title in zip(panels, tables, names, titles, strict=True):
        mistakes = table - np.diag(np.diag(table))
        heat_map(axes, mistakes, classes, classes, top=2 * max(mistakes.max(), 1.0), form="{:.0f}")
        for text in axes.texts:
            row, column = round(text.get_position()[1]), round(text.get_position()[0])
            value = int(table[row, column])
            text.set(text=str(value) if value else "", color=style.INK)
            text.set_fontweight("bold" if row == column else "normal")
        for place in np.arange(len(table) + 1) - 0.5:
            axes.axhline(place, color="#d0d0d0", linewidth=0.5 * style.THIN)
            axes.axvline(place, color="#d0d0d0", linewidth=0.5 * style.THIN)
        axes.set(xlabel="predicted", title=title)
    panels[0].set_ylabel("true")
