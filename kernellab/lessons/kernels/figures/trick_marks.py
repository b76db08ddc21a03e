"""The small printed pictures of notebook 03."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.contours import LevelLines
from kernellab.draw.plane import Limits, Points, ScoreField, plane


def costs(
    axes: Axes, steps: NDArray[np.int_], curves: Mapping[str, NDArray[np.float64]], title: str
) -> None:
    """Draw costs against the degree on a log axis, told apart by dash and named at their ends.

    Parameters
    ----------
    steps
        Degrees, shape (k,).
    curves
        By name, each of shape (k,).
    title
        What the picture shows.
    """
    for (name, values), (colour, dash) in zip(curves.items(), style.LINES, strict=False):
        axes.plot(
            steps,
            values,
            color=colour,
            linestyle=dash,
            linewidth=style.LINE,
            marker="o",
            label=name,
        )
    axes.set(yscale="log", xlabel="degree p", ylabel="multiplications", title=title)
    axes.set_xticks(steps)
    axes.legend(loc="upper left")


def functions(
    axes: Axes, x: NDArray[np.float64], values: NDArray[np.float64], names: Sequence[str]
) -> None:
    """Draw functions of one number, shape (len(x), m), told apart by dash."""
    axes.axhline(0, color=style.NEUTRAL, linewidth=style.THIN)
    for column, name, (colour, dash) in zip(values.T, names, style.LINES, strict=False):
        axes.plot(x, column, color=colour, linestyle=dash, linewidth=style.LINE, label=name)
    axes.set(xlabel="x", xlim=(x[0], x[-1]), ylim=(values.min() - 0.3, 1.35 * values.max()))
    axes.legend(loc="upper center", ncols=len(names))


def decay(
    axes: Axes, measured: NDArray[np.float64], expected: NDArray[np.float64], title: str
) -> None:
    """Draw eigenvalues on a log axis: dots for measured ones, a line for what a formula says."""
    number = np.arange(len(measured))
    axes.plot(number, expected, color=style.INK, linewidth=style.LINE, label="formula")
    axes.plot(number, measured, "o", color=style.POSITIVE, label="from the sample")
    axes.set(yscale="log", xlabel="number j", ylabel="eigenvalue", title=title)
    axes.legend()


def boundary(
    axes: Axes,
    X: NDArray[np.float64],
    y: NDArray[np.float64],
    grid: tuple[NDArray[np.float64], NDArray[np.float64]],
    field: NDArray[np.float64],
    *,
    support: NDArray[np.bool_],
    names: tuple[str, ...],
    title: str,
) -> None:
    """Draw a score over the plane with its lines −1, 0, +1; support vectors ringed.

    Parameters
    ----------
    X, y
        Examples, shape (n, 2), and labels −1 or +1, shape (n,).
    grid
        The two axes of the grid.
    field
        The score on it, shape (len(grid[1]), len(grid[0])).
    support
        True for support vectors, shape (n,).
    names, title
        Of the two coordinates, and of the picture.
    """
    limits: Limits = (
        float(grid[0][0]), float(grid[0][-1]), float(grid[1][0]), float(grid[1][-1]),
    )  # fmt: skip
    plane(axes, limits, names)
    ScoreField(axes, limits).show(field)
    LevelLines(axes, (-1.0, 0.0, 1.0)).show(*grid, field)
    Points(axes).show(X, y)
    axes.scatter(
        X[support, 0], X[support, 1], s=130, facecolors="none", edgecolors=style.ACCENT,
        linewidths=style.THIN, zorder=6,
    )  # fmt: skip
    axes.set_title(title)


def rates(
    axes: Axes,
    names: Sequence[str],
    values: NDArray[np.float64],
    errors: NDArray[np.float64],
    title: str,
) -> None:
    """Draw one rate a row with its error bar, the best of them marked, both of shape (k,)."""
    rows = np.arange(len(names))
    best = values.argmax()
    for row, (value, error) in enumerate(zip(values, errors, strict=True)):
        colour = style.ACCENT if row == best else style.INK
        axes.errorbar(
            value, row, xerr=error, fmt="D" if row == best else "o", color=colour, capsize=4,
            linewidth=style.LINE, markersize=8,
        )  # fmt: skip
        axes.text(value, row - 0.22, f"{value:.1%}", ha="center", color=colour)
    axes.set(yticks=rows, yticklabels=names, ylim=(len(names) - 0.5, -0.7), title=title)
    axes.set_xlabel("accuracy")
