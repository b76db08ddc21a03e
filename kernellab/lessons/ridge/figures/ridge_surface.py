"""Live figure of notebook 06: a surface fitted to noisy heights, beside the true one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kernellab.datasets.targets import NOISE, TEST_SEED, bowl, make_bowl
from kernellab.draw import style
from kernellab.draw.over_lam import LOO, TEST
from kernellab.draw.space import viewed_from
from kernellab.draw.surface import SurfaceView
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Kernel, Laplacian, score_field
from kernellab.lessons.ridge.figures.ridge_over_lam import RidgeOverLam
from kernellab.live.lam_dial import GAMMAS, words_for_gamma, words_for_lam
from kernellab.live.turning import TurningGrip, turn_and_tilt
from kernellab.validation import FloatArray

SIDE = np.linspace(0, 1, 19)
SQUARE = np.stack(np.meshgrid(SIDE, SIDE), axis=-1)
TRUE = bowl(SQUARE.reshape(-1, 2)).reshape(len(SIDE), len(SIDE))
LOW, HIGH = (0.0, 0.0, -0.3), (1.0, 1.0, 2.2)
DIALS = tuple(sorted({*GAMMAS, 7.0, 50.0, 200.0}))
KERNELS = ("Gaussian", "Laplacian, ℓ2")


class RidgeSurface(RidgeOverLam):
    """Kernel ridge regression on the unit square, over all of it, with errors on other examples.

    Turn both surfaces by the sliders, or by the grip: drag it, or Tab to it and use the arrow
    keys. Taught in notebook 06.

    Parameters
    ----------
    lam, gamma
        Where the dials stand first.
    """

    presets: Mapping[str, Any] = {
        "as published: λ = 1": {},
        "less λ": {"lam": 32},
        "no λ": {"lam": 0, "gamma": 50.0},
        "narrow kernel": {"gamma": 200.0, "lam": 32},
        "Laplacian": {"kind": KERNELS[1], "lam": 32},
    }

    def __init__(self, lam: float = 1.0, gamma: float = 7.0) -> None:
        self.make_controls(KERNELS, DIALS, lam, gamma)
        self.turn, self.tilt = turn_and_tilt(-125, 24)
        figure = style.new_figure((9.8, 5.7))
        grid = figure.add_gridspec(2, 2, height_ratios=[1.6, 1])
        fitted, true = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1])
        self.title = moving_title(fitted)
        true.set_title("the truth, x₁² + x₂²")
        names = ("x₁", "x₂", "y")
        self.fitted = SurfaceView(fitted, LOW, HIGH, names, (0, 1, 2))
        self.true = SurfaceView(true, LOW, HIGH, names, (0, 1, 2))
        self.grip = TurningGrip(figure, grid[0, 0], self.turn, self.tilt)
        errors, freedom = figure.add_subplot(grid[1, 0]), figure.add_subplot(grid[1, 1])
        self.make_panels(errors, freedom, limits=(1e-3, 1.0), noise=NOISE**2, most=104.0)
        freedom.set(ylabel="degrees of\nfreedom", yticks=[0, 25, 50, 75, 100])
        (self.X, self.y), (self.X_test, self.y_test) = make_bowl(), make_bowl(seed=TEST_SEED)
        self._solved: tuple[object, ...] = ()
        super().__init__(
            "Which λ and γ bring the fitted surface down to the true one?",
            figure,
            [self.kind, self.lam, self.gamma, self.scale, self.turn, self.tilt],
            moving=[
                self.title,
                *(
                    artist
                    for mark in (self.fitted, self.true, self.errors, self.freedom, self.grip)
                    for artist in mark.artists
                ),
            ],
            axes=self.grip.axes,
            points=[self.grip.view],
            handles=[self.grip.handle],
        )

    @property
    def kernel(self) -> Kernel:
        """The kernel that is chosen, with this γ."""
        gamma = self.gamma.value
        return Gaussian(gamma) if self.kind.value == KERNELS[0] else Laplacian(gamma, "l2")

    def update(self, points: FloatArray) -> str:
        """Show the fit at this λ, and the errors at all of them."""
        self.grip.follow(self, points[0])
        self.set_scale()
        self._solve()
        k = self.lam.value
        surface = score_field(self.kernel, self.X, self.path.coef[k], SIDE, SIDE)
        self.distance = float(np.sqrt(np.mean((surface - TRUE) ** 2)))
        view = viewed_from(*self.grip.view)
        examples = np.column_stack([self.X, self.y])
        self.fitted.show(
            view, SIDE, SIDE, surface, difference=surface - TRUE, saturation=0.25,
            points=examples, feet=self.y - self.path.residuals[k],
        )  # fmt: skip
        wide = slice(None, None, 2)  # a bowl needs no finer mesh
        self.true.show(
            view, SIDE[wide], SIDE[wide], TRUE[wide, wide], points=examples, feet=bowl(self.X)
        )
        self.title.set_text(f"fit, off by {self.distance:.2f}: blue above, dark mesh below")
        self.show_panels()
        return self._sentence(k)

    def describe(self) -> str:
        """Return the alternative text."""
        k = self.lam.value
        train, test, loo = self.now
        return (
            f"A {self.kind.value} ridge fit to 100 noisy heights over the unit square at λ = "
            f"{self.lams[k]:.3g}, γ = {self.gamma.value:g}, beside the true bowl: on average "
            f"{self.distance:.3f} apart, {self.path.degrees_of_freedom[k]:.1f} degrees of freedom. "
            f"Below, over λ: training, test and leave-one-out error, here {train:.4f}, "
            f"{test:.4f}, {loo:.4f}, and degrees of freedom. Seen from turn "
            f"{self.grip.view[0]:.0f}, tilt {self.grip.view[1]:.0f} degrees."
        )

    def _solve(self) -> None:
        """Decompose K, unless it is the same as before."""
        problem = (self.kind.value, self.gamma.value, self._scale)
        if problem == self._solved:
            return
        self._solved = problem
        self.solve_path(self.X, self.y, self.X_test, self.y_test)

    def _sentence(self, k: int) -> str:
        best, gamma = self.best, self.gamma.value
        width = words_for_gamma(gamma) if self.kind.value == KERNELS[0] else f"{gamma:g}"
        train, test, loo = self.now
        return (
            f"λ = {words_for_lam(self.lams[k])}   γ = {width}   degrees of freedom "
            f"{self.path.degrees_of_freedom[k]:.1f} of 100\nerror: training {train:.4f}, test "
            f"{test:.4f}, leave-one-out {loo:.4f}   distance from the truth {self.distance:.3f}\n"
            f"lowest: test {self.values[TEST][best[TEST]]:.4f} at λ = "
            f"{self.lams[best[TEST]]:.3g}, leave-one-out (star) at λ = "
            f"{self.lams[best[LOO]]:.3g}, where test is {self.values[TEST][best[LOO]]:.4f}"
        )
