"""Live figure of notebook 06: the ridge fit as the mean of a Gaussian process, with its band."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets
import numpy as np

from kernellab.draw import style
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Kernel, Laplacian
from kernellab.lessons.ridge.figures.regression_marks import Fit
from kernellab.lessons.ridge.figures.ridge_dial import wave
from kernellab.lessons.ridge.theory.gaussian_process import posterior_covariance, sample_paths
from kernellab.live.coincide import one_place
from kernellab.live.explorer import WIDE, Explorer, button, choice, steps
from kernellab.live.lam_dial import words_for_lam
from kernellab.solvers.ridge import ridge
from kernellab.validation import FloatArray

LOW, HIGH = -0.5, 1.5
GRID = np.linspace(LOW, HIGH, 121)
REACHES = (0.05, 0.07, 0.1, 0.14, 0.2, 0.3, 0.5, 1.0)
NOISES = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
N_PATHS = 5


class GPBand(Explorer):
    """What the examples leave open: mean, band and random functions of the posterior.

    The prior has variance 1, so that far from all examples the band is ± 2. Taught in notebook 06.
    """

    presets: Mapping[str, Any] = {
        "nothing seen": {"seen": 0},
        "one example": {"seen": 1},
        "seven": {"seen": 7},
        "all, little noise": {"seen": 12, "noise": 0.05},
        "all, Laplacian": {"seen": 12, "kind": "Laplacian"},
        "reach too long": {"seen": 12, "reach": 1.0},
    }
    memory = ("seed",)

    def __init__(self) -> None:
        self.kind = choice("kernel", ["Gaussian", "Laplacian"])
        self.noise = ipywidgets.SelectionSlider(
            options=[(f"{s:g} (λ = {s * s:g})", s) for s in NOISES],
            value=0.2, description="noise s", **WIDE,
        )  # fmt: skip
        self.reach = ipywidgets.SelectionSlider(
            options=[(f"{s:g} (γ = {0.5 / s**2:.3g})", s) for s in REACHES],
            value=0.14, description="reach σ", **WIDE,
        )  # fmt: skip
        self.seen = steps("examples seen", 7, 0, 12)
        self.paths = ipywidgets.Checkbox(
            value=True, description="functions drawn from it", indent=False,
            layout={"width": "auto"},
        )  # fmt: skip
        self.seed = 0
        rng = np.random.default_rng(4)
        x = np.sort(rng.uniform(0.02, 0.98, 12))[rng.permutation(12)]
        figure = style.new_figure((9.4, 4.2))
        axes = figure.subplots()
        axes.set(xlim=(LOW, HIGH), ylim=(-3, 3), xlabel="x (drag the examples)", ylabel="f")
        self.fit = Fit(axes, label="posterior mean = ridge fit")
        self.fit.paths.set_label("a function drawn")
        axes.legend(
            handles=[self.fit.curve, self.fit.band, self.fit.truth, self.fit.paths], ncols=4,
            fontsize=9, loc="lower left", bbox_to_anchor=(0, 0.99), borderaxespad=0.1,
        )  # fmt: skip
        self.title = moving_title(axes, 26)
        super().__init__(
            "Where does the fit know what it says, and where does it only guess?",
            figure,
            [
                self.seen, self.noise, self.reach, self.kind, self.paths,
                button("draw others", self.draw_others, tooltip="draw five other functions"),
            ],
            moving=[*self.fit.artists, self.title],
            axes=axes,
            points=np.column_stack([x, wave(x) + 0.2 * rng.normal(size=12)]),
            handles=[{"label": f"example {i + 1}", "color": style.INK} for i in range(12)],
        )  # fmt: skip

    def draw_others(self) -> None:
        """Draw other functions."""
        self.seed += 1
        self.live.redraw(sharp=True)

    @property
    def kernel(self) -> Kernel:
        """The kernel that is chosen, with this reach."""
        reach = self.reach.value
        return Gaussian(0.5 / reach**2) if self.kind.value == "Gaussian" else Laplacian(1 / reach)

    def update(self, points: FloatArray) -> str:
        """Condition the process on the examples that have been seen."""
        k, noise, kernel = self.seen.value, self.noise.value, self.kernel
        line = GRID[:, np.newaxis]
        prior = kernel(line)
        mean, covariance, freedom = np.zeros(len(GRID)), prior, 0.0
        x, y = points[:k, 0], points[:k, 1]
        if k:
            X = x[:, np.newaxis]
            machine = ridge(kernel(X), y, noise**2)
            K = kernel(line, X)
            mean = K @ machine.coef
            covariance = posterior_covariance(machine, K, prior)
            freedom = machine.degrees_of_freedom
        deviation = np.sqrt(np.maximum(covariance.diagonal(), 0.0))
        paths = None
        if self.paths.value:
            paths = sample_paths(mean, covariance, N_PATHS, self.seed)
        self.fit.show(
            GRID, mean, examples=(points[:, 0], points[:, 1]), truth=wave(GRID),
            band=(mean - 2 * deviation, mean + 2 * deviation), paths=paths,
        )  # fmt: skip
        face = np.where(np.arange(len(points)) < k, style.INK, "white")
        self.fit.points.set_facecolor(list(face))
        inside = (GRID >= 0) & (GRID <= 1)
        self.narrowest, self.widest = float(deviation.min()), float(deviation.max())
        self.covered = float(np.mean((np.abs(wave(GRID) - mean) <= 2 * deviation)[inside]))
        self.far = round(float(mean[-1]), 3) + 0.0, float(deviation[-1])
        self.title.set_text(
            f"{k} example{'s' * (k != 1)} seen: the band holds {self.covered:.0%} of the truth"
        )
        said = one_place(x, y)
        return (
            f"noise s = {noise:g}, λ = s² = {words_for_lam(noise**2)}   reach σ = "
            f"{self.reach.value:g}   examples {k}   degrees of freedom {freedom:.2f}"
            f"{'   ' * bool(said)}{said}\n"
            f"standard deviation from {self.narrowest:.3f} to {self.widest:.3f}   the band holds "
            f"{self.covered:.0%} of the truth on [0, 1]\n"
            f"at x = {HIGH:g}, where nothing was seen: mean {self.far[0]:.3f}, standard deviation "
            f"{self.far[1]:.3f}".replace("-", "−")
        )

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"A {self.kind.value} process after {self.seen.value} examples with noise "
            f"{self.noise.value:g}: its mean, which is the ridge fit with λ = "
            f"{self.noise.value**2:.3g}, and a band of two standard deviations, from "
            f"{self.narrowest:.3f} near examples to {self.widest:.3f} far away, which holds "
            f"{self.covered:.0%} of the truth on [0, 1]; "
            + ("five functions drawn from it." if self.paths.value else "no functions drawn.")
        )
