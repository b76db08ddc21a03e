"""Curves that fall, on a log axis."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from kernellab.draw import style

LOOKS = ((style.INK, "-"), (style.ACCENT, "--"), (style.NEUTRAL, "-."), ("#1b7837", ":"))


def log_curves(
    axes: Axes,
    curves: Mapping[str, tuple[ArrayLike, ArrayLike]],
    *,
    x: str,
    y: str,
    floor: float,
    top: float,
) -> None:
    """Draw up to four named curves of positive numbers on a log axis."""
    for (name, (places, values)), (colour, dash) in zip(curves.items(), LOOKS, strict=False):
        shown = np.maximum(np.asarray(values, dtype=float), floor)
        axes.plot(places, shown, color=colour, linestyle=dash, linewidth=style.LINE, label=name)
    axes.set(yscale="log", ylim=(floor, top), xlabel=x, ylabel=y)
