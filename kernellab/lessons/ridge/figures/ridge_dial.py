"""Live figure of notebook 06: one dial, λ, over a curve and three errors."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Laplacian
from kernellab.lessons.ridge.figures.regression_marks import Fit, one_place
from kernellab.lessons.ridge.figures.ridge_over_lam import (
    LOG_LAMS,
    LOO,
    SCALES,
    TEST,
    TRAIN,
    ErrorsAndFreedom,
    fits_over_lam,
    lam_dial,
)
from kernellab.live.controls import Choice, Ladder
from kernellab.live.declared import Figure
from kernellab.live.parameters import gamma_with_sigma
from kernellab.live.readout import written
from kernellab.validation import FloatArray

GRID = np.linspace(0, 1, 161)
GAMMAS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)
NOISE = 0.25
BOTTOM, TOP = -2.0, 2.0
ERRORS = {"training": (TRAIN,), "training and test": (TRAIN, TEST), "all three": (TRAIN, TEST, LOO)}
BETWEEN = LOG_LAMS[34]  # 0.18
ALL_THREE = {"lam": BETWEEN, "errors": "all three"}


def wave(x: FloatArray) -> FloatArray:
    """Return the function that the examples are noisy values of: sin 2πx + ½ sin 6πx."""
    return np.asarray(np.sin(2 * np.pi * x) + 0.5 * np.sin(6 * np.pi * x))


def make_wave(n: int = 18, seed: int = 2) -> tuple[FloatArray, FloatArray]:
    """Draw n numbers in [0, 1], ascending, and noisy values of the wave; both of shape (n,)."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0.01, 0.99, n))
    return x, wave(x) + NOISE * rng.normal(size=n)


def width(gamma: float, figure: Any) -> str:
    """Write the γ of the chosen kernel, for that γ of the Gaussian."""
    if figure.kind == "Gaussian":
        return gamma_with_sigma(gamma, figure)
    return f"{np.sqrt(2 * gamma):.3g} (1/γ = {1 / np.sqrt(2 * gamma):.3g})"


class RidgeDial(Figure):
    """Kernel ridge regression on a line: every λ from one eigendecomposition.

    The test error is exact: the mean squared distance from the truth, plus the variance of the
    noise. The Laplacian has the reach of the Gaussian, 1/γ = σ. Taught in notebook 06.
    """

    at_first = ("lam", "kind", "gamma", "errors")
    question = "Turn λ from nothing to much: where would you stop?"
    answer = ("panels",)
    size = (9.6, 4.2)
    strip_size = (8.0, 3.6)
    scale = Choice("scale of λ", list(SCALES))
    lam = lam_dial(0.1)
    kind = Choice("kernel", ["Gaussian", "Laplacian"])
    gamma = Ladder("γ", GAMMAS, 50.0, width)
    errors = Choice("errors", list(ERRORS))
    grip_names = tuple(f"example {i + 1}" for i in range(18))
    grip_colour = style.INK
    presets = {
        "small λ": {"lam": LOG_LAMS[0]},
        "large λ": {"lam": LOG_LAMS[-1]},
        "λ in between": {"lam": BETWEEN},
        "three errors": ALL_THREE,
        "narrow kernel": {**ALL_THREE, "gamma": 1000.0},
        "wide kernel": {**ALL_THREE, "gamma": 1.0},
        "wide Laplacian": {**ALL_THREE, "gamma": 1.0, "kind": "Laplacian"},
    }
    readout = (
        "λ = {lam}   γ = {gamma}   {together}\n"
        "error: training {train:.4f}{others}   the examples can be dragged"
    )
    alt = (
        "A {kind} ridge regression through 18 examples at λ = {lam:.3g}, beside the truth; and "
        "over λ the error, here training {train:.4f}{others}."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the curve, and what is drawn over λ."""
        curve, errors = figure.subplots(1, 2, width_ratios=[1.2, 1])
        curve.set(xlim=(0, 1), ylim=(BOTTOM, TOP), xlabel="x", ylabel="y")
        self.key = curve, errors
        self.fit = Fit(curve)
        curve.legend(
            handles=[self.fit.curve, self.fit.truth], ncols=2, loc="lower left",
            bbox_to_anchor=(0, 0.99), borderaxespad=0.1, fontsize=9,
        )  # fmt: skip
        self.panels = ErrorsAndFreedom(errors, limits=(3e-3, 3.0), noise=NOISE**2)
        self.titles = [moving_title(curve, 26), moving_title(errors, 26)]
        return curve

    def grips(self) -> FloatArray:
        """Return the examples."""
        return np.column_stack(make_wave())

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Decompose K once, and show what every λ makes of it."""
        x, y = points[:, 0], points[:, 1]
        gaussian, k = Gaussian(self.gamma), self.controls["lam"].index
        kernel = gaussian if self.kind == "Gaussian" else Laplacian(float(np.sqrt(2 * self.gamma)))
        path, fits = fits_over_lam(kernel, x[:, np.newaxis], y, GRID[:, np.newaxis], self.scale)
        truth = wave(GRID)
        test = np.square(fits - truth).mean(axis=1) + NOISE**2
        self.fit.show(
            GRID, np.clip(fits[k], 2 * BOTTOM, 2 * TOP), examples=(x, y),
            fitted=y - path.residuals[k], truth=truth,
        )  # fmt: skip
        names = ERRORS[self.errors]
        shown = self.panels.show(self.scale, path, test, k, names)
        lam = np.format_float_positional(self.lam, 2, fractional=False, trim="-")
        self.titles[0].set_text(f"λ = {lam}")
        title, others = f"training error {shown['train']:.2g}", ""
        if TEST in names:
            title = f"training {shown['train']:.2g}, test {shown['test']:.2g}"
            others = written(", test {:.4f}", shown["test"])
        if LOO in names:
            title = f"best λ: test {shown['test_best']:.2g}, ★ {shown['loo_best']:.2g}"
            others += written(
                ", leave-one-out {:.4f}\nlowest: test at λ = {:.3g}, leave-one-out (star) at λ = "
                "{:.3g}",
                *(shown[name] for name in ("loo", "test_best", "loo_best")),
            )
        self.titles[1].set_text(title)
        return {**shown, "others": others, "together": one_place(x, y)}
