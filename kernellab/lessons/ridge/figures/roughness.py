"""Live figure of notebook 06: the same examples under a Gaussian and a Laplacian kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets
import numpy as np

from kernellab.draw import style
from kernellab.kernels import Gaussian, Laplacian
from kernellab.lessons.ridge.figures.regression_marks import Fit
from kernellab.lessons.ridge.figures.ridge_dial import NOISE, wave
from kernellab.live.coincide import one_place
from kernellab.live.explorer import WIDE, Explorer
from kernellab.live.lam_dial import lam_dial, words_for_lam
from kernellab.solvers.ridge import ridge
from kernellab.validation import FloatArray

GRID = np.linspace(0, 1, 401)
LAMS = 10.0 ** (np.arange(-24, 9) / 8)
REACHES = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)


def spread(n: int = 12) -> tuple[FloatArray, FloatArray]:
    """Return n numbers, none of them close to another, and noisy values of the wave."""
    rng = np.random.default_rng(7)
    x = (np.arange(n) + rng.uniform(0.2, 0.8, n)) / n
    return x, wave(x) + NOISE * rng.normal(size=n)


class Roughness(Explorer):
    """Two kernels of the same reach, their fits, and the slopes of their fits.

    Taught in notebook 06.
    """

    presets: Mapping[str, Any] = {
        "same reach": {},
        "wide": {"reach": 1.0},
        "narrow": {"reach": 0.02},
        "little λ": {"lam": 0},
        "much λ": {"lam": 28},
    }

    def __init__(self) -> None:
        self.lam = lam_dial(LAMS, 0.01)
        self.reach = ipywidgets.SelectionSlider(
            options=[(f"{s:g}: γ = {0.5 / s**2:.4g} and {1 / s:.4g}", s) for s in REACHES],
            value=0.1, description="reach σ", **WIDE,
        )  # fmt: skip
        figure = style.new_figure((9.6, 5.2))
        axes = figure.subplots(2, 2, sharex=True, height_ratios=[1.5, 1])
        x, y = spread()
        self.names = ("Gaussian", "Laplacian")
        looks = ((style.POSITIVE, "-"), (style.NEGATIVE, "-"))
        titles = ("Gaussian, exp(−d²/2σ²): smooth", "Laplacian, exp(−d/σ): a kink at every example")
        self.fits, self.slopes = [], []
        for (top, bottom), (colour, dash), title in zip(axes.T, looks, titles, strict=True):
            top.set(xlim=(0, 1), ylim=(-2.0, 2.0), title=title)
            bottom.set(ylim=(-32, 32), xlabel="x")
            bottom.axhline(0, color=style.INK, linewidth=style.THIN)
            self.fits.append(Fit(top, colour=colour, dash=dash))
            self.slopes.append(bottom.plot([], [], color=colour, linewidth=style.LINE)[0])
        axes[0, 0].set_ylabel("f (drag the examples)")
        axes[1, 0].set_ylabel("slope f′")
        super().__init__(
            "Same examples, same reach: which fit may change its slope all at once?",
            figure,
            [self.lam, self.reach],
            moving=[*(artist for fit in self.fits for artist in fit.artists), *self.slopes],
            axes=axes[0, 0],
            points=np.column_stack([x, y]),
            handles=[{"label": f"example {i + 1}", "color": style.INK} for i in range(len(x))],
        )

    def update(self, points: FloatArray) -> str:
        """Fit both, and differentiate both by formula."""
        x, y = points[:, 0], points[:, 1]
        lam, reach = LAMS[self.lam.value], self.reach.value
        X, between = x[:, np.newaxis], GRID[:, np.newaxis] - x
        lines = [f"λ = {words_for_lam(lam)}   reach σ = {reach:g}   {one_place(x, y)}".rstrip()]
        self.loo: dict[str, float] = {}
        kernels: tuple[Gaussian | Laplacian, ...] = (Gaussian(0.5 / reach**2), Laplacian(1 / reach))
        for kernel, name, fit, slope in zip(
            kernels, self.names, self.fits, self.slopes, strict=True
        ):
            machine = ridge(kernel(X), y, lam)
            K = kernel(GRID[:, np.newaxis], X)
            outer = 2 * between if name == "Gaussian" else np.sign(between)
            derivative = -kernel.gamma * (outer * K) @ machine.coef
            fit.show(
                GRID, np.clip(K @ machine.coef, -4, 4), examples=(x, y),
                fitted=y - machine.residuals,
            )  # fmt: skip
            slope.set_data(GRID, np.clip(derivative, -60, 60))
            self.loo[name] = float(np.mean(machine.loo_errors**2))
            jump = 0.0
            if name == "Laplacian":  # of equal places, the sum of their coefficients counts
                place = np.unique(x, return_inverse=True)[1]
                jump = 2 * kernel.gamma * float(np.abs(np.bincount(place, machine.coef)).max())
                self.jump = jump
            lines.append(
                f"{name:9}: degrees of freedom {machine.degrees_of_freedom:.2f}, leave-one-out "
                f"error {self.loo[name]:.4f}, largest jump of the slope {jump:.2f}"
            )
        return "\n".join(lines)

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"Two ridge fits to the same 12 examples at λ = {LAMS[self.lam.value]:.3g}, reach "
            f"{self.reach.value:g}. Gaussian: a smooth curve with a continuous slope, leave-one-"
            f"out error {self.loo['Gaussian']:.4f}. Laplacian: kinks at the examples, where its "
            f"slope jumps by up to {self.jump:.2f}; leave-one-out {self.loo['Laplacian']:.4f}."
        )
