"""Live figure of notebook 06: the ridge fit as the mean of a Gaussian process, with its band."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Kernel, Laplacian
from kernellab.lessons.ridge.figures.regression_marks import Fit, one_place
from kernellab.lessons.ridge.figures.ridge_dial import wave
from kernellab.lessons.ridge.theory.gaussian_process import posterior_covariance, sample_paths
from kernellab.live.controls import Button, Check, Choice, Ladder, Steps
from kernellab.live.declared import Figure
from kernellab.solvers.ridge import ridge
from kernellab.validation import FloatArray

LOW, HIGH = -0.5, 1.5
GRID = np.linspace(LOW, HIGH, 121)
SIGMAS = (0.05, 0.07, 0.1, 0.14, 0.2, 0.3, 0.5, 1.0)
NOISES = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
N_PATHS = 5
rng = np.random.default_rng(4)
AT = np.sort(rng.uniform(0.02, 0.98, 12))[rng.permutation(12)]
EXAMPLES = np.column_stack([AT, wave(AT) + 0.2 * rng.normal(size=12)])
DRAGGED = EXAMPLES + np.outer(np.arange(12) == 6, [0, 1.5])  # the last of the first seven


class GPBand(Figure):
    """What the examples leave open: mean, band and random functions of the posterior.

    The prior has variance 1, so that far from all examples the band is ± 2. Taught in notebook 06.
    """

    at_first = ("seen", "noise", "sigma", "kind")
    question = "Where does the fit know what it says, and where does it only guess?"
    answer = ("doubt",)
    size = (7.6, 4.2)
    strip_size = (6.4, 4.0)
    seen = Steps("examples seen", 0, 12, 7)
    noise = Ladder("noise", NOISES, 0.2, lambda noise, figure: f"{noise:g} (variance {noise**2:g})")
    sigma = Ladder("σ", SIGMAS, 0.1, lambda sigma, figure: f"{sigma:g} (γ = {0.5 / sigma**2:.3g})")
    kind = Choice("kernel", ["Gaussian", "Laplacian"])
    paths = Check("functions drawn from it", True)
    memory = {"seed": 0}
    grip_names = tuple(f"example {i + 1}" for i in range(12))
    grip_colour = style.INK
    presets = {
        "nothing seen": {"seen": 0},
        "one example": {"seen": 1},
        "seven": {"seen": 7},
        "one dragged up": {"seen": 7, "points": DRAGGED},
        "all twelve": {"seen": 12},
        "all, Laplacian": {"seen": 12, "kind": "Laplacian"},
        "Laplacian, large σ": {"seen": 12, "kind": "Laplacian", "sigma": 1.0},
        "large σ": {"seen": 12, "sigma": 1.0},
        "large σ, little noise": {"seen": 12, "sigma": 1.0, "noise": 0.05},
    }
    readout = (
        "standard deviation from {narrowest:.3f} to {widest:.3f}   the band "
        "holds {covered:.0%} of the truth on [0, 1]   {together}\n"
        "at x = 1.5, where nothing was seen: mean {far_mean:.3f}, standard deviation "
        "{far_deviation:.3f}"
    )
    alt = (
        "A {kind} process after {seen} examples with noise of variance {noise_squared:.3g} and σ = "
        "{sigma:g}: its mean, and a band of two standard deviations, from {narrowest:.3f} near "
        "examples to {widest:.3f} far away, which holds {covered:.0%} of the truth on [0, 1]; "
        "{drawn} functions drawn{from_it}."
    )

    @Button("draw others", "draw five other functions")
    def draw_others(self) -> None:
        """Draw other functions."""
        self.seed += 1

    def build(self, figure: MplFigure) -> Axes:
        """Make the band, and what is in it."""
        axes = figure.subplots()
        axes.set(xlim=(LOW, HIGH), ylim=(-3, 3), xlabel="x", ylabel="f")
        self.fit = Fit(axes, label="mean")
        self.fit.paths.set_label("drawn")
        self.fit.band.set_label("± 2 deviations")
        self.doubt = self.fit.band, self.fit.paths
        axes.legend(
            handles=[self.fit.curve, self.fit.band, self.fit.truth, self.fit.paths], ncols=4,
            fontsize=9, loc="lower left", bbox_to_anchor=(0, 0.99), borderaxespad=0.1,
            handlelength=1.5, columnspacing=1.0,
        )  # fmt: skip
        self.title = moving_title(axes, 26)
        return axes

    def grips(self) -> FloatArray:
        """Return the examples, in the order in which they are seen."""
        return EXAMPLES.copy()

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Condition the process on the examples that have been seen."""
        k, noise, line, truth = self.seen, self.noise, GRID[:, np.newaxis], wave(GRID)
        kernel: Kernel = Gaussian(0.5 / self.sigma**2)
        if self.kind == "Laplacian":
            kernel = Laplacian(1 / self.sigma)
        prior = kernel(line)
        mean, covariance = np.zeros(len(GRID)), prior
        x, y = points[:k, 0], points[:k, 1]
        if k:
            X = x[:, np.newaxis]
            machine = ridge(kernel(X), y, noise**2)
            K = kernel(line, X)
            mean = K @ machine.coef
            covariance = posterior_covariance(machine, K, prior)
        deviation = np.sqrt(np.maximum(covariance.diagonal(), 0.0))
        paths = sample_paths(mean, covariance, N_PATHS, self.seed) if self.paths else None
        self.fit.show(
            GRID, mean, examples=(points[:, 0], points[:, 1]), truth=truth,
            band=(mean - 2 * deviation, mean + 2 * deviation), paths=paths,
        )  # fmt: skip
        face = np.where(np.arange(len(points)) < k, style.INK, "white")
        self.fit.points.set_facecolor(list(face))
        inside = (GRID >= 0) & (GRID <= 1)
        covered = np.mean((np.abs(truth - mean) <= 2 * deviation)[inside])
        ends = f"deviation {deviation.min():.2f} to {deviation.max():.2f}"
        self.title.set_text(f"{ends}; truth inside the band: {covered:.0%} of [0, 1]")
        return {
            "noise_squared": noise**2,
            "narrowest": deviation.min(),
            "widest": deviation.max(),
            "covered": covered,
            "far_mean": mean[-1],
            "far_deviation": deviation[-1],
            "drawn": "five" if self.paths else "no",
            "from_it": " from it" * self.paths,
            "together": one_place(x, y),
        }
