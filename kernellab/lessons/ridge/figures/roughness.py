"""Live figure of notebook 06: the same examples under a Gaussian and a Laplacian kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.kernels import Gaussian, Laplacian
from kernellab.lessons.ridge.figures.regression_marks import Fit, one_place
from kernellab.lessons.ridge.figures.ridge_dial import NOISE, wave
from kernellab.live.controls import Ladder
from kernellab.live.declared import Figure
from kernellab.live.parameters import ridge_lam
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


class Roughness(Figure):
    """Two kernels of the same reach, their fits, and the slopes of their fits.

    Taught in notebook 06.
    """

    question = "Same examples, same reach: which fit may change its slope all at once?"
    answer = ("slopes",)
    size = (9.6, 5.2)
    lam = Ladder("λ", LAMS, 0.01, ridge_lam)
    reach = Ladder(
        "reach σ", REACHES, 0.1, lambda s, figure: f"{s:g}: γ = {0.5 / s**2:.4g} and {1 / s:.4g}"
    )
    grip_names = tuple(f"example {i + 1}" for i in range(12))
    grip_colour = style.INK
    presets = {
        "wide": {"reach": 1.0},
        "narrow": {"reach": 0.02},
        "reach 0.1": {},
        "little λ": {"lam": LAMS[0]},
        "much λ": {"lam": LAMS[28]},
    }
    readout = (
        "Gaussian: leave-one-out error {loo[0]:.4f}, largest jump of the slope 0.00   {together}\n"
        "Laplacian: leave-one-out error {loo[1]:.4f}, largest jump of the slope {jump:.2f}"
    )
    alt = (
        "Two ridge fits to the same 12 examples at λ = {lam:.3g}, reach {reach:g}. Gaussian: a "
        "smooth curve with a continuous slope, leave-one-out error {loo[0]:.4f}. Laplacian: kinks "
        "at the examples, where its slope jumps by up to {jump:.2f}; leave-one-out {loo[1]:.4f}."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make a fit and its slope below it, for each kernel."""
        axes = figure.subplots(2, 2, sharex=True, height_ratios=[1.5, 1])
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
        hand: Axes = axes[0, 0]
        return hand

    def grips(self) -> FloatArray:
        """Return the examples."""
        return np.column_stack(spread())

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Fit both, and differentiate both by formula."""
        x, y = points[:, 0], points[:, 1]
        between = GRID[:, np.newaxis] - x
        smooth, rough = Gaussian(0.5 / self.reach**2), Laplacian(1 / self.reach)
        machines = [
            self.show_fit(0, smooth, x, y, 2 * between),
            self.show_fit(1, rough, x, y, np.sign(between)),
        ]
        # Of equal places, the sum of their coefficients counts.
        at_place = np.bincount(np.unique(x, return_inverse=True)[1], machines[1].coef)
        return {
            "freedom": [machine.degrees_of_freedom for machine in machines],
            "loo": [np.mean(machine.loo_errors**2) for machine in machines],
            "jump": 2 * rough.gamma * np.abs(at_place).max(),
            "together": one_place(x, y),
        }

    def show_fit(
        self, k: int, kernel: Gaussian | Laplacian, x: FloatArray, y: FloatArray, outer: FloatArray
    ) -> Any:
        """Fit with a kernel whose derivative is −γ times ``outer`` times the kernel."""
        X = x[:, np.newaxis]
        machine, K = ridge(kernel(X), y, self.lam), kernel(GRID[:, np.newaxis], X)
        fitted = y - machine.residuals
        self.fits[k].show(GRID, np.clip(K @ machine.coef, -4, 4), examples=(x, y), fitted=fitted)
        slope = -kernel.gamma * (outer * K) @ machine.coef
        self.slopes[k].set_data(GRID, np.clip(slope, -60, 60))
        return machine
