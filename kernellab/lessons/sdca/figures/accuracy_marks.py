"""Curves that fall, and accuracies with what they are uncertain by."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from kernellab.draw import style


def log_curves(
    axes: Axes,
    curves: Mapping[str, tuple[ArrayLike, ArrayLike]],
    *,
    x: str,
    y: str,
    floor: float,
    top: float,
) -> None:
    """Draw named curves of positive numbers on a log axis, told apart by dash and by colour."""
    for (name, (places, values)), (colour, dash) in zip(curves.items(), style.LINES, strict=False):
        shown = np.maximum(np.asarray(values, dtype=float), floor)
        axes.plot(places, shown, color=colour, linestyle=dash, linewidth=style.LINE, label=name)
    axes.set(yscale="log", ylim=(floor, top), xlabel=x, ylabel=y)


def with_error_bars(
    axes: Axes,
    x: NDArray[np.float64],
    curves: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]],
) -> None:
    """Draw named accuracies over x with their standard errors as bars, side by side."""
    for k, ((name, (values, errors)), (colour, dash)) in enumerate(
        zip(curves.items(), style.LINES, strict=False)
    ):
        axes.errorbar(
            np.asarray(x) * 1.03 ** (k - len(curves) / 2), values, errors, color=colour,
            linestyle=dash, linewidth=style.LINE, marker="osD^v"[k % 5], markersize=6, capsize=3,
            label=name,
        )  # fmt: skip
    axes.set(xscale="log")
