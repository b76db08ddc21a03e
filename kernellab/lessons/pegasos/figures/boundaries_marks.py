"""Printed pictures of notebook 04: boundaries, errors, confusions side by side; costs as bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.contours import LevelLines
from kernellab.draw.plane import ScoreField, limits_around, plane
from kernellab.kernels import Kernel, score_field
from kernellab.lessons.pegasos.figures.heat_marks import SignMarks, frame, heat_map

GRID = 101


def boundaries(
    figure: Figure,
    X: NDArray[np.float64],
    y: NDArray[np.float64],
    kernels: Sequence[Kernel],
    coefs: Sequence[NDArray[np.float64]],
    titles: Sequence[str],
) -> None:
    """Draw the scores of kernel machines without a bias on the same points, one panel each.

    Parameters
    ----------
    X, y
        Training points, shape (n, 2), and labels −1 or +1: "−" and "+", a ring round a mistake.
    kernels, coefs, titles
        Of each machine its kernel, its signed weights (n,), and what to write above it.
    """
    limits = limits_around(X, 0.1)
    x1, x2 = np.linspace(*limits[:2], GRID), np.linspace(*limits[2:], GRID)
    panels = figure.subplots(1, len(kernels), squeeze=False)[0]
    for axes, kernel, coef, title in zip(panels, kernels, coefs, titles, strict=True):
        plane(axes, limits)
        axes.set_title(title, fontsize=11)
        field = score_field(kernel, X, coef, x1, x2)
        ScoreField(axes, limits).show(field)
        LevelLines(axes, (-1.0, 0.0, 1.0), zorder=3.5).show(x1, x2, field)
        SignMarks(axes).show(X, y, y * (kernel(X) @ coef) <= 0)
    for axes in panels[1:]:
        axes.set_ylabel("")


def error_maps(
    figure: Figure,
    tables: Sequence[NDArray[np.float64]],
    rows: Sequence[str],
    columns: Sequence[str],
    titles: Sequence[str],
    *,
    chosen: tuple[int, int],
    top: float = 25.0,
) -> None:
    """Draw errors of the same models side by side, all in the same shades.

    Parameters
    ----------
    tables
        Error rates in per cent, each of shape (n_rows, n_columns).
    rows, columns, titles
        What the models are called, and what to write above each table.
    chosen
        Row and column of the model that gets a frame in every table.
    top
        The error that is darkest, and those above it.
    """
    panels = figure.subplots(1, len(tables), squeeze=False)[0]
    for axes, table, title in zip(panels, tables, titles, strict=True):
        heat_map(axes, table, rows if axes is panels[0] else [""] * len(rows), columns,
                 top=top, fontsize=9)  # fmt: skip
        frame(axes, *chosen)
        axes.set(xlabel="λ", title=title)


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


def cost_bars(axes: Axes, costs: dict[str, float], title: str) -> None:
    """Draw costs as bars on a log axis, with their numbers."""
    rows = np.arange(len(costs))
    axes.barh(rows, list(costs.values()), height=0.6, color=style.POSITIVE)
    for row, value in zip(rows, costs.values(), strict=True):
        axes.text(value * 1.1, float(row), f"{value:,.0f}", va="center")
    axes.set(
        xscale="log", xlim=(10, 4 * max(costs.values())), ylim=(len(costs) - 0.5, -0.5),
        xlabel="multiplications a step", title=title,
    )  # fmt: skip
    axes.set_yticks(rows, list(costs))
