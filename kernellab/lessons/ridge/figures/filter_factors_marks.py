"""Eigenfunctions of a kernel on a sample, and the share of each that ridge regression keeps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from kernellab.draw import style

MARKERS = ("o", "s", "^", "D")


def filter_factors(
    figure: Figure,
    grid: NDArray[np.float64],
    directions: NDArray[np.float64],
    numbers: Sequence[int],
    kept: NDArray[np.float64],
    lams: NDArray[np.float64],
) -> None:
    """Draw functions one below another, and shares over their number.

    Parameters
    ----------
    figure
        Where to draw.
    grid, directions, numbers
        Some eigenfunctions on a grid, (m,) and (m, q), and their numbers, from 1.
    kept, lams
        s/(s + λ) for each λ, largest s first, (L, n), and the λ, (L,).
    """
    left, right = figure.subplots(1, 2, width_ratios=[1, 1.2])
    for k, (row, number) in enumerate(zip(directions.T, numbers, strict=True)):
        left.axhline(-2.4 * k, color=style.NEUTRAL, linewidth=0.5 * style.THIN)
        largest = row[np.abs(row).argmax()]  # its sign means nothing: upwards
        left.plot(grid, row / largest - 2.4 * k, color=style.INK, linewidth=style.LINE)
        left.text(1.02, -2.4 * k, f"{number}", va="center", transform=left.get_yaxis_transform())
    left.set(xlabel="x", yticks=[], xlim=(0, 1), title="directions, from smooth to wiggly")
    left.spines["left"].set_visible(False)
    right.set(
        xlabel="number of the direction", ylabel="share kept, s/(s + λ)", ylim=(-0.03, 1.05),
        title="λ decides where to cut",
    )  # fmt: skip
    right.xaxis.set_major_locator(MaxNLocator(integer=True))
    places = np.arange(1, kept.shape[1] + 1)
    for row, lam, (colour, dash), marker in zip(kept, lams, style.LINES, MARKERS, strict=False):
        right.plot(
            places, row, color=colour, linestyle=dash, marker=marker, markersize=5,
            linewidth=style.THIN, label=f"λ = {lam:g}",
        )  # fmt: skip
    right.legend(loc="upper right")
