"""A loss as the upper edge of lines, one for each value of its dual variable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kernellab.draw import style


def upper_edge(
    axes: Axes, z: NDArray[np.float64], shares: Sequence[float], loss: NDArray[np.float64]
) -> None:
    """Draw the lines a (1 − z) for shares a in [0, 1], and the hinge loss over margins z, (k,)."""
    for a in shares:
        axes.plot(z, a * (1 - z), color=style.POSITIVE, linewidth=style.THIN, linestyle="--")
        at = z[0] + 0.12 * (z[-1] - z[0])
        axes.text(
            at, a * (1 - at), f"a = {a:g}", ha="center", va="center", color=style.POSITIVE,
            zorder=4, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
        )  # fmt: skip
    axes.plot(z, loss, color=style.INK, linewidth=1.6 * style.LINE, label="hinge max(0, 1 − z)")
    axes.plot([1], [0], "o", color=style.ACCENT, markersize=8, zorder=5)
    axes.set(xlim=(z[0], z[-1]), ylim=(-1.2, 1.1 * (1 - z[0])), xlabel="margin z = y f(x)")
    axes.legend(loc="upper right")
