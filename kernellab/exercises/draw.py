"""The small pictures of the exercises: what an answer computes, at a glance."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from kernellab.draw import style
from kernellab.draw.matrix import GramImage
from kernellab.draw.plane import Points, Separator, limits_around, plane
from kernellab.draw.stems import Stems

FEW = 8  # up to so many rows a matrix has its numbers written in


def separated(
    axes: Axes,
    X: Any,
    y: Any,
    w: ArrayLike | None = None,
    b: float = 0.0,
    *,
    title: str,
    margins: bool = False,
    weight: ArrayLike = 0.0,
    mistaken: ArrayLike = False,
) -> None:
    """Draw labelled points and the line w·x + b = 0, if there is one.

    Parameters
    ----------
    X, y : Points, shape (n, 2), and labels −1 or +1, shape (n,).
    w, b : Weights, shape (2,), and bias.
    title : What the picture shows.
    margins : Whether w·x + b = ±1 are drawn too.
    weight, mistaken : As for `Points.show`.
    """
    X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    plane(axes, limits_around(X, 0.3))
    Points(axes).show(X, y, weight=weight, mistaken=mistaken)
    if w is not None:
        Separator(axes, margins=margins).show(np.asarray(w, dtype=float), float(b))
    axes.set_title(title)


def stems(axes: Axes, values: Any, y: Any, *, name: str, title: str) -> None:
    """Draw one number an example, shape (n,), as stems topped by the markers of labels y."""
    values = np.asarray(values, dtype=float)
    Stems(axes).show(values, np.asarray(y, dtype=float))
    low, high = min(0.0, values.min()), max(0.0, values.max())
    room = 0.1 * (high - low or 1.0)
    axes.set(xlim=(-0.5, len(values) - 0.5), ylim=(low - (low < 0) * room, high + room))
    axes.set(ylabel=name, title=title)


def matrix(axes: Axes, K: Any, *, title: str, low: float, high: float) -> None:
    """Draw a matrix, shape (n, n), in greys from `low` to `high`; a small one with its numbers."""
    K = np.asarray(K, dtype=float)
    GramImage(axes, low=low, high=high).show(K)
    if len(K) <= FEW:
        for (row, column), value in np.ndenumerate(K):
            dark = value > (low + high) / 2
            axes.text(
                column + 0.5, row + 0.5, f"{value:.2g}".replace("-", "−"), ha="center", va="center",
                color="white" if dark else style.INK,
            )  # fmt: skip
    axes.set_title(title)


def curves(
    axes: Axes, x: NDArray[np.float64], named: dict[str, Any], *, names: tuple[str, str], title: str
) -> None:
    """Draw several y over one x, told apart by dash and colour; `names` are those of the axes."""
    for (name, values), (colour, dash) in zip(named.items(), style.LINES, strict=False):
        axes.plot(x, values, color=colour, linestyle=dash, linewidth=style.LINE, label=name)
    axes.legend()
    axes.set(xlabel=names[0], ylabel=names[1], title=title)
