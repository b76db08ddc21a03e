"""Live figure of notebook 06: one dial, λ, over a curve, three errors and degrees of freedom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kernellab.draw import style
from kernellab.draw.over_lam import LOO, TEST, TRAIN
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Kernel, Laplacian
from kernellab.lessons.ridge.figures.regression_marks import Fit
from kernellab.lessons.ridge.figures.ridge_over_lam import RidgeOverLam
from kernellab.live.coincide import one_place
from kernellab.live.lam_dial import words_for_gamma, words_for_lam
from kernellab.validation import FloatArray

GRID = np.linspace(0, 1, 161)
GAMMAS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)
NOISE = 0.25
BOTTOM, TOP = -2.0, 2.0


def wave(x: FloatArray) -> FloatArray:
    """Return the function that the examples are noisy values of: sin 2πx + ½ sin 6πx."""
    return np.asarray(np.sin(2 * np.pi * x) + 0.5 * np.sin(6 * np.pi * x))


def make_wave(n: int = 18, seed: int = 2) -> tuple[FloatArray, FloatArray]:
    """Draw n numbers in [0, 1], ascending, and noisy values of the wave; both of shape (n,)."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0.01, 0.99, n))
    return x, wave(x) + NOISE * rng.normal(size=n)


class RidgeDial(RidgeOverLam):
    """Kernel ridge regression on a line: every λ from one eigendecomposition.

    The test error is exact: the mean squared distance from the truth, plus the variance of the
    noise. Taught in notebook 06.

    Parameters
    ----------
    lam, gamma
        Where the dials stand first.
    """

    presets: Mapping[str, Any] = {
        "no λ": {"lam": 0},
        "about right": {"lam": 36},
        "too much": {"lam": 56},
        "narrow kernel": {"gamma": 1000.0},
        "wide kernel": {"gamma": 1.0},
        "Laplacian": {"kind": "Laplacian"},
    }

    def __init__(self, lam: float = 0.1, gamma: float = 50.0) -> None:
        self.make_controls(("Gaussian", "Laplacian"), GAMMAS, lam, gamma)
        figure = style.new_figure((9.6, 4.8))
        axes = figure.subplot_mosaic(
            [["curve", "errors"], ["curve", "freedom"]], width_ratios=[1.2, 1],
            height_ratios=[1.45, 1],
        )  # fmt: skip
        curve, freedom = axes["curve"], axes["freedom"]
        self.x, self.y = make_wave()
        curve.set(xlim=(0, 1), ylim=(BOTTOM, TOP), xlabel="x (drag the examples)", ylabel="y")
        self.fit = Fit(curve)
        curve.legend(
            handles=[self.fit.curve, self.fit.truth], ncols=2, loc="lower left",
            bbox_to_anchor=(0, 0.99), borderaxespad=0.1, fontsize=9,
        )  # fmt: skip
        self.make_panels(axes["errors"], freedom, limits=(3e-3, 3.0), noise=NOISE**2, most=19.0)
        axes["errors"].tick_params(labelbottom=False)  # λ is said below
        axes["errors"].xaxis.label.set_visible(False)
        freedom.set(ylabel="degrees of\nfreedom", yticks=[0, 6, 12, 18])
        self.titles = [moving_title(curve, 26), moving_title(axes["errors"], 26)]
        super().__init__(
            "Turn λ from nothing to much: which of the three errors knows where to stop?",
            figure,
            [self.kind, self.lam, self.gamma, self.scale],
            moving=[
                *self.titles,
                *(
                    artist
                    for mark in (self.fit, self.errors, self.freedom)
                    for artist in mark.artists
                ),
            ],
            axes=curve,
            points=np.column_stack([self.x, self.y]),
            handles=[
                {"label": f"example {i + 1}", "color": style.INK} for i in range(len(self.x))
            ],
        )  # fmt: skip

    def update(self, points: FloatArray) -> str:
        """Decompose K once, and show what every λ makes of it."""
        self.set_scale()
        self.x, self.y = points[:, 0], points[:, 1]
        k = self.lam.value
        X, truth = self.x[:, np.newaxis], wave(GRID)
        fits = self.solve_path(X, self.y, GRID[:, np.newaxis], truth, NOISE**2)
        self.fit.show(
            GRID, np.clip(fits[k], 2 * BOTTOM, 2 * TOP), examples=(self.x, self.y),
            fitted=self.y - self.path.residuals[k], truth=truth,
        )  # fmt: skip
        self.show_panels()
        test_at, loo_at = (self.lams[self.best[name]] for name in (TEST, LOO))
        self.titles[0].set_text(f"{self.path.degrees_of_freedom[k]:.1f} degrees of freedom")
        self.titles[1].set_text(f"lowest: test λ = {test_at:.2g}, ★ λ = {loo_at:.2g}")
        return self._sentence(k)

    @property
    def kernel(self) -> Kernel:
        """The kernel that is chosen, with this γ; the Laplacian with the same reach, γ = 1/σ."""
        gamma = self.gamma.value
        if self.kind.value == "Gaussian":
            return Gaussian(gamma)
        return Laplacian(float(np.sqrt(2 * gamma)))

    def describe(self) -> str:
        """Return the alternative text."""
        k = self.lam.value
        train, test, loo = self.now
        return (
            f"A {self.kind.value} ridge regression through {len(self.x)} examples at λ = "
            f"{self.lams[k]:.3g}, with {self.path.degrees_of_freedom[k]:.1f} degrees of freedom, "
            f"beside the truth; and over λ the training, test and leave-one-out error, here "
            f"{train:.4f}, {test:.4f} and {loo:.4f}. Test error is lowest at λ = "
            f"{self.lams[self.best[TEST]]:.3g}, leave-one-out at {self.lams[self.best[LOO]]:.3g}."
        )

    def _sentence(self, k: int) -> str:
        path, best = self.path, self.best
        gamma = self.gamma.value
        width = words_for_gamma(gamma)
        if self.kind.value != "Gaussian":
            width = f"{np.sqrt(2 * gamma):.3g} (1/γ = {1 / np.sqrt(2 * gamma):.3g})"
        train, test, loo = self.now
        said = one_place(self.x, self.y)
        return (
            f"λ = {words_for_lam(self.lams[k])}   γ = {width}   degrees of freedom "
            f"{path.degrees_of_freedom[k]:.2f} of {len(self.x)}   condition {path.condition[k]:.2g}"
            f"{'   ' * bool(said)}{said}\n"
            f"error: training {train:.4f}, test {test:.4f}, leave-one-out {loo:.4f}\n"
            f"lowest: test at λ = {self.lams[best[TEST]]:.3g}, leave-one-out (star) at λ = "
            f"{self.lams[best[LOO]]:.3g}, training at λ = {self.lams[best[TRAIN]]:.3g}"
        )
