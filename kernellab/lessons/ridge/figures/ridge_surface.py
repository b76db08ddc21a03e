"""Live figure of notebook 06: a surface fitted to noisy heights, beside the true one."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets.targets import GAMMAS, NOISE, TEST_SEED, bowl, make_bowl
from kernellab.draw.surface import SurfaceView
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Kernel, Laplacian, score_field
from kernellab.lessons.ridge.figures.ridge_over_lam import (
    LOG_LAMS,
    SCALES,
    ErrorsAndFreedom,
    fits_over_lam,
    lam_dial,
)
from kernellab.live.controls import Choice, Ladder
from kernellab.live.parameters import gamma_with_sigma
from kernellab.live.turning import TurnedFigure, tilt_slider, turn_slider
from kernellab.validation import FloatArray

SIDE = np.linspace(0, 1, 19)
SQUARE = np.stack(np.meshgrid(SIDE, SIDE), axis=-1)
TRUE = bowl(SQUARE.reshape(-1, 2)).reshape(len(SIDE), len(SIDE))
LOW, HIGH = (0.0, 0.0, -0.3), (1.0, 1.0, 2.2)
X, Y = make_bowl()
X_TEST, Y_TEST = make_bowl(seed=TEST_SEED)
DIALS = tuple(sorted({*GAMMAS, 7.0, 50.0, 200.0}))
KERNELS = ("Gaussian", "Laplacian, ℓ2")


def width(gamma: float, figure: Any) -> str:
    """Write the γ of the chosen kernel."""
    return gamma_with_sigma(gamma, figure) if figure.kind == KERNELS[0] else f"{gamma:g}"


class RidgeSurface(TurnedFigure):
    """Kernel ridge regression on the unit square, over all of it, with errors on other examples.

    Turn both surfaces by the sliders, or by the grip: drag it, or Tab to it and use the arrow
    keys. Taught in notebook 06.
    """

    at_first = ("lam", "gamma", "kind")
    question = "Which λ and γ bring the fitted surface down to the true one?"
    answer = ("panels",)
    size = (9.8, 5.7)
    scale = Choice("scale of λ", list(SCALES))
    lam = lam_dial(1.0)
    kind = Choice("kernel", KERNELS)
    gamma = Ladder("γ", DIALS, 7.0, width)
    turn, tilt = turn_slider(-125), tilt_slider(24)
    presets = {
        "λ = 1": {},
        "less λ": {"lam": LOG_LAMS[24]},
        "hardly any λ": {"lam": LOG_LAMS[0]},
        "hardly any λ, narrow kernel": {"lam": LOG_LAMS[0], "gamma": 50.0},
    }
    readout = (
        "error: training {train:.4f}, test {test:.4f}, leave-one-out {loo:.4f}   degrees of "
        "freedom {freedom:.1f} of 100\n"
        "lowest: test {lowest_test:.4f} at λ = {test_best:.3g}, leave-one-out (star) at λ = "
        "{loo_best:.3g}"
    )
    alt = (
        "A {kind} ridge fit to 100 noisy heights over the unit square at λ = {lam:.3g}, γ = "
        "{gamma:g}, beside the true bowl: on average {distance:.3f} apart, {freedom:.1f} degrees "
        "of freedom. Below, over λ: training, test and leave-one-out error, here {train:.4f}, "
        "{test:.4f}, {loo:.4f}, and degrees of freedom. Seen from turn {turn:.0f}, tilt "
        "{tilt:.0f} degrees."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make both surfaces, and what is drawn over λ."""
        grid = figure.add_gridspec(2, 2, height_ratios=[1.6, 1])
        fitted, true = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1])
        self.title = moving_title(fitted)
        true.set_title("the truth, x₁² + x₂²")
        names = ("x₁", "x₂", "y")
        self.fitted = SurfaceView(fitted, LOW, HIGH, names, (0, 1, 2))
        self.true = SurfaceView(true, LOW, HIGH, names, (0, 1, 2))
        hand = self.build_grip(figure, grid[0, 0])
        errors, freedom = figure.add_subplot(grid[1, 0]), figure.add_subplot(grid[1, 1])
        self.panels = ErrorsAndFreedom(
            errors, freedom, limits=(1e-3, 1.0), noise=NOISE**2, most=104.0
        )
        freedom.set(ylabel="degrees of\nfreedom", yticks=[0, 25, 50, 75, 100])
        return hand

    @property
    def kernel(self) -> Kernel:
        """The kernel that is chosen, with this γ."""
        return Gaussian(self.gamma) if self.kind == KERNELS[0] else Laplacian(self.gamma, "l2")

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Show the fit at this λ, and the errors at all of them."""
        path, fits = fits_over_lam(self.kernel, X, Y, X_TEST, self.scale)
        test, k = np.square(fits - Y_TEST).mean(axis=1), self.controls["lam"].index
        surface = score_field(self.kernel, X, path.coef[k], SIDE, SIDE)
        distance = np.sqrt(np.mean((surface - TRUE) ** 2))
        view, examples = self.show_view(), np.column_stack([X, Y])
        self.fitted.show(
            view, SIDE, SIDE, surface, difference=surface - TRUE, saturation=0.25,
            points=examples, feet=Y - path.residuals[k],
        )  # fmt: skip
        wide = slice(None, None, 2)  # a bowl needs no finer mesh
        self.true.show(
            view, SIDE[wide], SIDE[wide], TRUE[wide, wide], points=examples, feet=bowl(X)
        )
        self.title.set_text(
            f"γ = {self.gamma:g}, λ = {self.lam:.2g}: off by {distance:.2f} (dark mesh: too low)"
        )
        shown = self.panels.show(self.scale, path, test, k)
        return {**shown, "distance": distance}
