"""What two figures of notebook 06 share: a dial over λ on two scales, and errors over all λ."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from kernellab.datasets.targets import LINEAR_LAMS
from kernellab.draw import style
from kernellab.draw.curves import Curves, lowest
from kernellab.draw.mark import Mark
from kernellab.kernels import Kernel
from kernellab.live.controls import Ladder
from kernellab.live.memoize import memoize
from kernellab.live.parameters import ridge_lam
from kernellab.solvers.ridge import RidgePath, ridge_path
from kernellab.validation import FloatArray

LOG_LAMS = 10.0 ** (np.arange(-40, 9) / 8)  # 1e-5 … 10, eight a decade
TRAIN, TEST, LOO = "training", "test", "leave-one-out"
LOOKS = {TRAIN: (style.INK, "-"), TEST: (style.POSITIVE, "--"), LOO: (style.NEGATIVE, "-.")}
SCALES = {"log": LOG_LAMS, "linear": LINEAR_LAMS}
LIMITS = {"log": (LOG_LAMS[0], 1.3 * LOG_LAMS[-1]), "linear": (0.0, 5.05)}


def lam_dial(first: float) -> Ladder:
    """Declare a dial over the λ of ``figure.scale``; another scale leaves it at the nearest λ."""

    def nearest(figure: Any) -> Any:
        lams, lam = SCALES[figure.scale], figure.controls["lam"].value or first
        return lams[np.abs(np.log(lams / lam)).argmin()]

    return Ladder("λ", lambda figure: SCALES[figure.scale], nearest, ridge_lam)


@memoize
def fits_over_lam(
    kernel: Kernel, X: FloatArray, y: FloatArray, places: FloatArray, scale: str
) -> tuple[RidgePath, FloatArray]:
    """Decompose K once; return what follows at each of L λ, and the fits at m places, (L, m)."""
    path = ridge_path(kernel(X), y, SCALES[scale])
    return path, path.coef @ kernel(X, places)


class ErrorsAndFreedom(Mark):
    """Three errors over λ, the variance of the noise below them, and the degrees of freedom.

    Parameters
    ----------
    errors, freedom
        Where they stand; without the second the degrees of freedom are not drawn.
    limits
        Of the errors.
    noise
        Its variance.
    most
        The top of the degrees of freedom.
    """

    def __init__(
        self,
        errors: Axes,
        freedom: Axes | None = None,
        *,
        limits: tuple[float, float],
        noise: float,
        most: float = 1.0,
    ) -> None:
        self.errors = Curves(errors, LOOKS)
        self.errors.legend(handlelength=1.3, columnspacing=0.7, handletextpad=0.4)
        errors.set(yscale="log", ylim=limits)
        errors.axhline(noise, color=style.NEUTRAL, linewidth=style.THIN, linestyle=":")
        errors.text(
            0.01, 0.93 * noise, "noise", va="top", ha="left", fontsize=9, color=style.NEUTRAL,
            transform=errors.get_yaxis_transform(),
        )  # fmt: skip
        self.freedom = None if freedom is None else Curves(freedom, {"freedom": (style.INK, "-")})
        if freedom is not None:
            freedom.set(ylim=(0.0, most))
        self.set_scale("log")

    def set_scale(self, scale: str) -> None:
        """Set the axis of λ, "log" or "linear"."""
        for panel in filter(None, (self.errors, self.freedom)):
            panel.axes.set(xscale=scale, xlim=LIMITS[scale], xlabel=f"λ ({scale} scale)")

    def show(
        self, scale: str, path: RidgePath, test: FloatArray, k: int, names: Iterable[str] = LOOKS
    ) -> dict[str, Any]:
        """Show them on a scale of λ, with a cursor at λ number k; return what they are there.

        ``test`` are the test errors, (L,). Those of these names are drawn.
        """
        if self.errors.axes.get_xscale() != scale:
            self.set_scale(scale)
        values = {TRAIN: path.train_error, TEST: test, LOO: path.loo_error}
        best = {name: lowest(row) for name, row in values.items()}
        lam = path.lams[k]
        drawn = {name: values[name] for name in names}
        self.errors.show(path.lams, drawn, lam, star=LOO if LOO in drawn else None)
        legend: Any = self.errors.axes.get_legend()
        legend.set_visible(len(drawn) > 1)
        for name, line, word in zip(LOOKS, legend.legend_handles, legend.texts, strict=True):
            line.set_visible(name in drawn)
            word.set_visible(name in drawn)
        self.errors.axes.set_ylabel("squared error" if len(drawn) > 1 else "training error")
        if self.freedom is not None:
            self.freedom.show(path.lams, {"freedom": path.degrees_of_freedom}, lam)
        return {
            "freedom": path.degrees_of_freedom[k],
            "train": values[TRAIN][k],
            "test": test[k],
            "loo": values[LOO][k],
            "train_best": path.lams[best[TRAIN]],
            "test_best": path.lams[best[TEST]],
            "loo_best": path.lams[best[LOO]],
            "lowest_test": test[best[TEST]],
            "test_at_loo_best": test[best[LOO]],
        }
