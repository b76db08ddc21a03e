"""An error over λ for several γ on the same axes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from numpy.typing import NDArray

from kernellab.draw import style

WIDTHS = LinearSegmentedColormap.from_list("kernellab.widths", ["#0b5fa5", "#7b3294", "#e07b00"])
DASHES = ("-", "--", "-.", ":")
MARKERS = "osD^vP*X"


def over_lam_for_gammas(
    axes: Axes,
    lams: NDArray[np.float64],
    curves: Mapping[float, NDArray[np.float64]],
    *,
    floor: float,
    tried: tuple[float, float],
) -> None:
    """Draw one curve a γ on log axes, a mark at its lowest point, and what a search would see.

    Parameters
    ----------
    lams, curves
        λ, (L,), and for each γ the errors, (L,).
    floor
        The variance of the noise: no error stays below it.
    tried
        From where to where λ was tried in a search: shaded.
    """
    axes.axvspan(*tried, color="#ececec", zorder=0)
    axes.axhline(floor, color=style.NEUTRAL, linewidth=style.THIN, linestyle=":")
    axes.text(lams[0], floor, " noise", va="bottom", fontsize=9, color=style.NEUTRAL)
    for k, (gamma, errors) in enumerate(curves.items()):
        colour = WIDTHS(k / max(1, len(curves) - 1))
        best = int(errors.argmin())
        axes.plot(
            lams, errors, color=colour, linestyle=DASHES[k % 4], linewidth=0.8 * style.LINE,
            label=f"γ = {gamma:g}", marker=MARKERS[k % 8], markevery=[best], markersize=9,
            markeredgecolor=style.INK,
        )  # fmt: skip
    axes.set(
        xscale="log", yscale="log", xlim=(lams[0], lams[-1]), ylim=(0.009, 0.5),
        xlabel="λ (log scale); shaded: 0.05 … 5", ylabel="mean squared test error",
    )  # fmt: skip
    axes.legend(fontsize=9, loc="center left", bbox_to_anchor=(1.0, 0.5))
