"""Live figure of notebook 06: fifty training samples, fifty fits, and what their scatter costs."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.curves import Curves, lowest
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian
from kernellab.lessons.ridge.figures.regression_marks import Fit
from kernellab.lessons.ridge.figures.ridge_dial import wave
from kernellab.lessons.ridge.theory.bias_variance import bias_variance, resampled_fits
from kernellab.live.controls import Button, Ladder
from kernellab.live.declared import Figure
from kernellab.live.memoize import memoize
from kernellab.live.parameters import gamma_with_sigma, ridge_lam
from kernellab.validation import FloatArray

GRID = np.linspace(0, 1, 81)
LAMS = 10.0 ** (np.arange(-24, 17) / 8)  # 1e-3 … 100
N_SAMPLES = 50  # an even number
BIAS, VARIANCE, NOISE, SUM = "bias²", "variance", "noise", "sum"
LOOKS = {
    BIAS: (style.NEGATIVE, "-."), VARIANCE: (style.POSITIVE, "--"), NOISE: (style.NEUTRAL, ":"),
    SUM: (style.INK, "-"),
}  # fmt: skip


@memoize
def many_fits(gamma: float, n: int, noise: float, seed: int) -> FloatArray:
    """Fit samples of n examples at each of L λ: (``N_SAMPLES``, L, m) values on the grid.

    They come in pairs: the same places, and opposite noise. A fit is linear in y, so the noise
    cancels in their mean, as it does in the mean of all samples: the bias does not depend on it.
    """
    rng = np.random.default_rng([seed, 61])
    samples = []
    for _ in range(N_SAMPLES // 2):
        x, off = rng.uniform(size=n), noise * rng.normal(size=n)
        samples += [(x[:, np.newaxis], wave(x) + off), (x[:, np.newaxis], wave(x) - off)]
    return resampled_fits(Gaussian(gamma), samples, GRID[:, np.newaxis], LAMS)


class BiasVarianceDial(Figure):
    """One λ for fifty samples of one problem: how far their mean is off, how far they scatter.

    Taught in notebook 06.
    """

    question = "Fifty samples, one λ: do the fits miss together, or each on its own side?"
    answer = ("curves",)
    size = (9.6, 4.4)
    lam = Ladder("λ", LAMS, 0.1, ridge_lam)
    gamma = Ladder("γ", (5.0, 10.0, 20.0, 50.0, 100.0, 200.0), 50.0, gamma_with_sigma)
    n = Ladder("examples", (10, 20, 40, 80), 20)
    noise = Ladder("noise, std", (0.1, 0.25, 0.5, 1.0), 0.25)
    memory = {"seed": 0}
    presets = {
        "small λ": {"lam": LAMS[0]},
        "large λ": {"lam": LAMS[-1]},
        "λ in between": {},
        "more examples": {"n": 80, "hidden": True},
        "more of both": {"n": 80, "noise": 1.0, "hidden": True},
        "more noise": {"noise": 1.0},
        "wide kernel": {"noise": 1.0, "gamma": 5.0},
    }
    readout = (
        "50 samples of {n} examples, in pairs with opposite noise\n"
        "bias² {bias:.4f} + variance {variance:.4f} + noise {noise_squared:.4f} = {sum:.4f}   "
        "lowest sum {lowest:.4f} at λ = {best:.3g} (star)"
    )
    alt = (
        "Left: 50 ridge fits at λ = {lam:.3g}, each to {n} noisy examples, their mean, and the "
        "truth. Right, over λ: bias², here {bias:.4f}, variance, here {variance:.4f}, and noise, "
        "{noise_squared:.4f}; their sum is lowest at λ = {best:.3g}."
    )

    @Button("fifty others", "draw fifty other samples")
    def draw_others(self) -> None:
        """Draw fifty other samples."""
        self.seed += 1

    def build(self, figure: MplFigure) -> None:
        """Make the fits, and the parts of their error over λ."""
        left, right = figure.subplots(1, 2, width_ratios=[1.1, 1])
        self.key = left, right
        left.set(xlim=(0, 1), ylim=(-2.2, 2.2), xlabel="x", ylabel="y")
        self.fits = Fit(left, label="mean of the fits")
        self.fits.paths.set_label("a fit")
        self.fits.paths.set(linewidths=0.7, alpha=0.45)
        left.legend(
            handles=[self.fits.curve, self.fits.truth, self.fits.paths], ncols=3, fontsize=9,
            loc="lower left", bbox_to_anchor=(0, 0.99), borderaxespad=0.1, columnspacing=1.2,
        )  # fmt: skip
        self.curves = Curves(right, LOOKS)
        self.curves.legend(columnspacing=0.7, handlelength=1.3, handletextpad=0.4)
        right.set(
            xscale="log", yscale="log", xlim=(LAMS[0], LAMS[-1]), ylim=(1e-3, 3.0),
            xlabel="λ (log scale)", ylabel="test error",
        )  # fmt: skip
        self.titles = [moving_title(left, 26), moving_title(right, 26)]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Fit fifty samples at every λ, and split their error."""
        fits, truth = many_fits(self.gamma, self.n, self.noise, self.seed), wave(GRID)
        parts, k = bias_variance(fits, truth), self.controls["lam"].index
        self.fits.show(GRID, fits[:, k].mean(axis=0), truth=truth, paths=fits[:, k])
        values = {
            BIAS: parts.squared_bias, VARIANCE: parts.variance,
            NOISE: np.full(len(LAMS), self.noise**2), SUM: parts.error + self.noise**2,
        }  # fmt: skip
        best = lowest(values[SUM])
        self.curves.show(LAMS, values, LAMS[k], star=SUM)
        bias, variance, noise, total = (row[k] for row in values.values())
        lam = np.format_float_positional(LAMS[k], 2, fractional=False, trim="-")
        self.titles[0].set_text(f"λ = {lam}: bias² {bias:.3f}, variance {variance:.3f}")
        self.titles[1].set_text(f"lowest sum {values[SUM][best]:.2f} at λ = {LAMS[best]:.2g}")
        return {
            "bias": bias, "variance": variance, "noise_squared": noise, "sum": total,
            "lowest": values[SUM][best], "best": LAMS[best],
        }  # fmt: skip
