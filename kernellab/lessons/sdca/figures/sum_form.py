"""Live figure of notebook 05: the experiment in sum form, with λ_s and γ in hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets
import numpy as np

from kernellab.datasets.targets import RADIUS_SQUARED, make_outside_circle
from kernellab.draw import style
from kernellab.draw.contours import LevelLines
from kernellab.draw.margin import SupportPoints
from kernellab.draw.plane import Limits, ScoreField, plane
from kernellab.kernels import Gaussian, score_field
from kernellab.lessons.sdca.figures.accuracy_marks import AccuracyCurves, TestPoints
from kernellab.live.explorer import WIDE, Explorer
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

LIMITS: Limits = (0.0, 1.0, 0.0, 1.0)
GAMMAS = (0.1, 0.5, 1.0, 3.0, 5.0, 7.0, 9.0, 10.0)
LAMS = np.array([0.01, 0.02, 0.03, 0.05, 0.07, *np.arange(1, 101) / 10])
AT_FIRST = 14  # λ_s = 1
GRID = 71


class SumForm(Explorer):
    """Σ ξ_i + λ_s/2 ‖w‖² on a quarter disc: the boundary, and both accuracies over λ_s.

    100 points to train on, 100 to test on, no bias. Taught in notebook 05.

    Parameters
    ----------
    gamma
        γ of the Gaussian kernel.
    lam_sum
        λ_s, one of 0.01 … 0.07, 0.1, 0.2 … 10.
    """

    presets: Mapping[str, Any] = {
        "as published": {"gamma": 7.0},
        "γ = 0.5, λ_s = 0.1": {"gamma": 0.5, "lam": int(np.abs(LAMS - 0.1).argmin())},
        "λ_s too large": {"lam": len(LAMS) - 1},
        "γ too small": {"gamma": 0.1},
    }

    def __init__(self, gamma: float = 5.0, lam_sum: float = 1.0) -> None:
        self.train, self.test = make_outside_circle(), make_outside_circle(seed=54321)
        n = len(self.train.y)
        self.gamma = ipywidgets.SelectionSlider(
            options=[(f"{g:g} (σ = {np.sqrt(0.5 / g):.3g})", g) for g in GAMMAS],
            value=gamma, description="γ", **WIDE,
        )  # fmt: skip
        self.lam = ipywidgets.SelectionSlider(
            options=[
                (f"{lam:g} (C = {1 / lam:.3g}, λ = {lam / n:.2g})", k) for k, lam in enumerate(LAMS)
            ],
            value=int(np.abs(LAMS - lam_sum).argmin()), description="λ_s", **WIDE,
        )  # fmt: skip
        figure = style.new_figure((10.2, 4.9))
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.15])
        plane(left, LIMITS)
        left.set_title("trained on the filled, tested on the hollow")
        self.field = ScoreField(left, LIMITS)
        self.lines = LevelLines(left, (-1.0, 0.0, 1.0))
        angle = np.linspace(0, np.pi / 2, 101)
        radius = np.sqrt(RADIUS_SQUARED)
        left.plot(
            radius * np.cos(angle), radius * np.sin(angle), color=style.ACCENT, linestyle=":",
            linewidth=1.3 * style.LINE, zorder=2.5,
        )  # fmt: skip
        self.hollow = TestPoints(left)
        self.points = SupportPoints(left)
        right.set_title(r"accuracy over $\lambda_s$, at this γ")
        majority = float(max(np.mean(self.test.y < 0), np.mean(self.test.y > 0)))
        self.curves = AccuracyCurves(right, (LAMS[0] / 1.1, LAMS[-1] * 1.1), majority)
        self._trained: dict[float, tuple[list[FloatArray], FloatArray]] = {}
        super().__init__(
            "Which λ_s and γ are best, and by how much more than the error bar?",
            figure,
            [self.gamma, self.lam],
            moving=[
                artist
                for mark in (self.field, self.lines, self.hollow, self.points, self.curves)
                for artist in mark.artists
            ],
        )

    def update(self, points: FloatArray) -> str:
        """Train with this γ and every λ_s, once; show the present one."""
        gamma, k = self.gamma.value, self.lam.value
        alphas, accuracies = self._train_all(gamma)
        self.alpha, (self.on_train, self.on_test) = alphas[k], accuracies[k]
        X, y = self.train.X, self.train.y
        kernel = Gaussian(gamma)
        side = np.linspace(0, 1, GRID)
        field = score_field(kernel, X, self.alpha * y, side, side)
        self.field.show(field)
        self.lines.show(side, side, field)
        C = 1 / LAMS[k]
        margins = y * (kernel(X) @ (self.alpha * y))
        self.hollow.show(self.test.X, self.test.y)
        self.points.show(
            X, y, self.alpha, bounded=self.alpha >= C * (1 - 1e-9), mistaken=margins <= 0
        )
        test = accuracies[:, 1]
        errors = np.sqrt(test * (1 - test) / len(self.test.y))
        self.error = float(errors[k])
        self.curves.show(LAMS, accuracies[:, 0], test, errors, k)
        return self._sentence(test)

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"Left: the unit square with 100 training points, 100 hollow test points, the true "
            f"circle (dotted) and the boundary found with γ = {self.gamma.value:g}, λ_s = "
            f"{LAMS[self.lam.value]:g}. Right, over λ_s from 0.01 to 10: training accuracy, here "
            f"{self.on_train:.2f}, and test accuracy, here {self.on_test:.2f} ± {self.error:.2f}."
        )

    def _train_all(self, gamma: float) -> tuple[list[FloatArray], FloatArray]:
        """Return α and both accuracies, shape (k, 2), for every λ_s; they are kept."""
        if gamma not in self._trained:
            kernel = Gaussian(gamma)
            y, z = self.train.y, self.test.y
            K, K_test = kernel(self.train.X), kernel(self.test.X, self.train.X)
            alphas, rates, alpha = [], [], None
            for lam in LAMS[::-1]:
                states = smo(K, y, 1 / lam, bias=False, start=alpha, gap=1e-5)
                alpha = solve(states, gap=1e-5, max_passes=10_000).alpha
                alphas.append(alpha)
                coef = alpha * y
                rates.append((np.mean(y * (K @ coef) > 0), np.mean(z * (K_test @ coef) > 0)))
            self._trained[gamma] = alphas[::-1], np.array(rates[::-1])
        return self._trained[gamma]

    def _sentence(self, test: FloatArray) -> str:
        lam, n = LAMS[self.lam.value], len(self.train.y)
        best = float(test.max())
        within = LAMS[test >= best - self.error]
        self.within = (float(within[0]), float(within[-1]))
        return (
            f"λ_s = {lam:g} (C = {1 / lam:.3g}, λ = {lam / n:.2g})   γ = {self.gamma.value:g}   "
            f"accuracy: training {self.on_train:.0%}, test {self.on_test:.0%} ± {self.error:.1%}\n"
            f"support vectors {int((self.alpha > 0).sum())}   gap below 1e−5   best test accuracy "
            f"at this γ {best:.0%}; within one error of it from λ_s = {within[0]:g} to "
            f"{within[-1]:g}"
        )
