"""Live figure of notebook 06: fifty training samples, fifty fits, and what their scatter costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kernellab.draw import style
from kernellab.draw.over_lam import OverLam, lowest
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian
from kernellab.lessons.ridge.figures.regression_marks import Fit
from kernellab.lessons.ridge.figures.ridge_dial import wave
from kernellab.lessons.ridge.theory.bias_variance import bias_variance, resampled_fits
from kernellab.live.explorer import Explorer, button, ladder
from kernellab.live.lam_dial import gamma_dial, lam_dial, words_for_gamma, words_for_lam
from kernellab.validation import FloatArray

GRID = np.linspace(0, 1, 81)
LAMS = 10.0 ** (np.arange(-32, 17) / 8)  # 1e-4 … 100
GAMMAS = (5.0, 10.0, 20.0, 50.0, 100.0, 200.0)
N_SAMPLES = 50
BIAS, VARIANCE, NOISE, SUM = "bias²", "variance", "noise", "sum"
LOOKS = {
    BIAS: (style.NEGATIVE, "-."), VARIANCE: (style.POSITIVE, "--"), NOISE: (style.NEUTRAL, ":"),
    SUM: (style.INK, "-"),
}  # fmt: skip


class BiasVarianceDial(Explorer):
    """One λ for fifty samples of one problem: how far their mean is off, how far they scatter.

    Taught in notebook 06.

    Parameters
    ----------
    lam
        Where the dial stands first.
    """

    presets: Mapping[str, Any] = {
        "no λ": {"lam": 0},
        "about right": {"lam": 24},
        "too much": {"lam": 48},
        "more examples": {"n": 80},
        "more noise": {"noise": 1.0},
        "wide kernel": {"gamma": 5.0},
    }
    memory = ("seed",)

    def __init__(self, lam: float = 0.1) -> None:
        self.lam = lam_dial(LAMS, lam)
        self.gamma = gamma_dial(GAMMAS, 50.0)
        self.n = ladder("examples in a sample", (10, 20, 40, 80), 20)
        self.noise = ladder("noise, standard deviation", (0.1, 0.25, 0.5, 1.0), 0.25)
        self.seed = 0
        figure = style.new_figure((9.6, 4.4))
        left, right = figure.subplots(1, 2, width_ratios=[1.1, 1])
        left.set(xlim=(0, 1), ylim=(-2.2, 2.2), xlabel="x", ylabel="y")
        self.fits = Fit(left, label="mean of the fits")
        self.fits.paths.set_label("a fit")
        self.fits.paths.set(linewidths=0.7, alpha=0.45)
        left.legend(
            handles=[self.fits.curve, self.fits.truth, self.fits.paths], ncols=3, fontsize=9,
            loc="lower left", bbox_to_anchor=(0, 0.99), borderaxespad=0.1, columnspacing=1.2,
        )  # fmt: skip
        self.curves = OverLam(right, LOOKS, LAMS, (1e-3, 3.0))
        self.curves.legend()
        right.set_ylabel("squared error on new examples")
        self.titles = [moving_title(left, 26), moving_title(right, 26)]
        self._drawn: tuple[object, ...] = ()
        super().__init__(
            "Fifty samples, one λ: do the fits miss together, or each on its own side?",
            figure,
            [
                self.lam, self.gamma, self.n, self.noise,
                button("fifty others", self.draw_others, tooltip="draw fifty other samples"),
            ],
            moving=[*self.fits.artists, *self.curves.artists, *self.titles],
        )  # fmt: skip

    def draw_others(self) -> None:
        """Draw fifty other samples."""
        self.seed += 1
        self.live.redraw(sharp=True)

    def update(self, points: FloatArray) -> str:
        """Fit fifty samples at every λ, and split their error."""
        self._fit()
        k = self.lam.value
        self.fits.show(GRID, self.all[:, k].mean(axis=0), truth=wave(GRID), paths=self.all[:, k])
        values = {
            BIAS: self.parts.squared_bias, VARIANCE: self.parts.variance,
            NOISE: np.full(len(LAMS), self.noise.value**2),
            SUM: self.parts.error + self.noise.value**2,
        }  # fmt: skip
        self.best = lowest(values[SUM])
        self.curves.show(LAMS, values, k, star=(SUM, self.best))
        self.now = {name: float(row[k]) for name, row in values.items()}
        off, scatter = np.sqrt([self.now[BIAS], self.now[VARIANCE]])
        self.titles[0].set_text(f"together off by {off:.2f}, apart by {scatter:.2f}")
        self.titles[1].set_text(
            f"lowest sum {values[SUM][self.best]:.2f} at λ = {LAMS[self.best]:.2g}"
        )
        return (
            f"λ = {words_for_lam(LAMS[k])}   γ = {words_for_gamma(self.gamma.value)}   {N_SAMPLES} "
            f"samples of {self.n.value} examples\nbias² {self.now[BIAS]:.4f} + variance "
            f"{self.now[VARIANCE]:.4f} + noise {self.now[NOISE]:.4f} = {self.now[SUM]:.4f}   "
            f"lowest sum {values[SUM][self.best]:.4f} at λ = {LAMS[self.best]:.3g} (star)"
        )

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"Left: {N_SAMPLES} ridge fits at λ = {LAMS[self.lam.value]:.3g}, each to "
            f"{self.n.value} noisy examples, their mean, and the truth. Right, over λ: bias², here "
            f"{self.now[BIAS]:.4f}, variance, here {self.now[VARIANCE]:.4f}, and noise, "
            f"{self.now[NOISE]:.4f}; their sum is lowest at λ = {LAMS[self.best]:.3g}."
        )

    def _fit(self) -> None:
        """Draw the samples and fit them, unless nothing that counts has changed."""
        problem = (self.seed, self.n.value, self.noise.value, self.gamma.value)
        if problem == self._drawn:
            return
        self._drawn = problem
        rng = np.random.default_rng([self.seed, 61])
        samples = []
        for _ in range(N_SAMPLES):
            x = rng.uniform(size=self.n.value)
            samples.append((x[:, np.newaxis], wave(x) + self.noise.value * rng.normal(size=len(x))))
        kernel = Gaussian(self.gamma.value)
        self.all = resampled_fits(kernel, samples, GRID[:, np.newaxis], LAMS)
        self.parts = bias_variance(self.all, wave(GRID))
