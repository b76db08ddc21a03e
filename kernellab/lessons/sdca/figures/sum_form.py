"""Live figure of notebook 05: the experiment in sum form, with λₛ and γ in hand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets.targets import RADIUS_SQUARED, make_outside_circle
from kernellab.draw import style
from kernellab.draw.contours import LevelLines
from kernellab.draw.margin import SupportPoints
from kernellab.draw.picture import Picture, picture
from kernellab.draw.plane import Limits, ScoreField, plane
from kernellab.kernels import Gaussian, score_field
from kernellab.live.controls import Ladder
from kernellab.live.declared import Figure
from kernellab.live.parameters import gamma_with_sigma
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

LIMITS: Limits = (0.0, 1.0, 0.0, 1.0)
GAMMAS = (0.1, 0.5, 1.0, 3.0, 5.0, 7.0, 9.0, 10.0)
LAMS = np.array([0.01, 0.02, 0.03, 0.05, 0.07, *np.arange(1, 101) / 10])
N = 100  # points to train on, and as many to test on
SIDE = np.linspace(0, 1, 71)
TEST = "#1b7837"  # the test accuracy


def sum_lam(lam: float, figure: Any) -> str:
    """Write a λₛ with its C and λ."""
    return f"{lam:g} (C = {1 / lam:.3g}, λ = {lam / N:.2g})"


@cache
def over_lams(gamma: float) -> tuple[list[FloatArray], FloatArray]:
    """Return α and both accuracies, shape (k, 2), for every λₛ; α starts from the one before."""
    train, test, kernel = make_outside_circle(), make_outside_circle(seed=54321), Gaussian(gamma)
    K, K_test = kernel(train.X), kernel(test.X, train.X)
    alphas, rates, alpha = [], [], None
    for lam in LAMS[::-1]:
        states = smo(K, train.y, 1 / lam, bias=False, start=alpha, gap=1e-5)
        alpha = solve(states, gap=1e-5, max_passes=10_000).alpha
        alphas.append(alpha)
        coef = alpha * train.y
        right = train.y * (K @ coef) > 0, test.y * (K_test @ coef) > 0
        rates.append([np.mean(right[0]), np.mean(right[1])])
    return alphas[::-1], np.array(rates[::-1])


class SumForm(Figure):
    """Σ ξ_i + λₛ/2 ‖w‖² on a quarter disc: the boundary, and both accuracies over λₛ.

    100 points to train on, 100 to test on, no bias; ``lam`` is λₛ. Taught in notebook 05.
    """

    question = "Which λₛ and γ are best, and by how much more than the error bar?"
    answer = ("training", "testing", "band", "dots")
    size = (10.2, 4.9)
    gamma = Ladder("γ", GAMMAS, 5.0, gamma_with_sigma)
    lam = Ladder("λₛ", LAMS, 1.0, sum_lam)
    presets = {
        "γ = 7, λₛ = 10": {"gamma": 7.0, "lam": 10.0},
        "γ = 7, λₛ = 0.1": {"gamma": 7.0, "lam": 0.1},
        "γ = 0.5, λₛ = 0.1": {"gamma": 0.5, "lam": 0.1},
        "γ = 0.1, λₛ = 0.1": {"gamma": 0.1, "lam": 0.1},
    }
    readout = (
        "λₛ = {lam}   γ = {gamma:g}   "
        "accuracy: training {on_train:.0%}, test {on_test:.0%} ± {error:.1%}\n"
        "support vectors {support}   gap below 1e−5   best test accuracy at this γ {best:.0%}"
    )
    alt = (
        "Left: the unit square with 100 training points, 100 hollow test points, the true circle "
        "(dotted) and the boundary found with γ = {gamma:g}, λₛ = {lam:g}. Right, over λₛ from "
        "0.01 to 10: training accuracy, here {on_train:.2f}, and test accuracy, here {on_test:.2f} "
        "± {error:.2f}."
    )

    def build(self, figure: MplFigure) -> None:
        """Make the square, and both accuracies over λₛ."""
        self.train, test = make_outside_circle(), make_outside_circle(seed=54321)
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.15])
        plane(left, LIMITS)
        left.set_title("trained on the filled, tested on the hollow")
        self.field = ScoreField(left, LIMITS)
        self.lines = LevelLines(left, (-1.0, 0.0, 1.0))
        angle, radius = np.linspace(0, np.pi / 2, 101), np.sqrt(RADIUS_SQUARED)
        left.plot(
            radius * np.cos(angle), radius * np.sin(angle), color=style.ACCENT, linestyle=":",
            linewidth=1.3 * style.LINE, zorder=2.5,
        )  # fmt: skip
        self.hollow = [
            left.scatter(
                *test.X[test.y == label].T, marker=style.MARKER[label], s=26, facecolors="none",
                edgecolors=style.COLOUR[label], linewidths=1.1, zorder=3.6, clip_on=False,
            )
            for label in (-1, 1)
        ]  # fmt: skip
        self.points = SupportPoints(left)
        self.build_accuracies(right, float(max(np.mean(test.y < 0), np.mean(test.y > 0))))

    def build_accuracies(self, axes: Axes, majority: float) -> None:
        """Make both accuracies, and that of always naming the larger class."""
        axes.set(
            xscale="log", xlim=(LAMS[0] / 1.1, LAMS[-1] * 1.1), ylim=(0.5, 1.01),
            xlabel=r"$\lambda_s$", ylabel="accuracy", title=r"accuracy over $\lambda_s$, at this γ",
        )  # fmt: skip
        self.band = PolyCollection([], facecolor="#d9d9d9", edgecolor="none", zorder=1)
        axes.add_collection(self.band, autolim=False)
        self.here = axes.axvline(LAMS[0], color=style.ACCENT, linewidth=style.LINE, zorder=1.5)
        thin: dict[str, Any] = {"linewidth": style.LINE}
        (self.training,) = axes.plot([], [], color=style.INK, label="training", **thin)
        (self.testing,) = axes.plot(
            [], [], "--", color=TEST, label="test ± one standard error", zorder=3, **thin
        )
        (self.dots,) = axes.plot([], [], "o", color=style.ACCENT, markersize=7, zorder=5)
        axes.axhline(majority, color=style.NEUTRAL, linestyle=":", label="always the larger class")
        axes.legend(loc="lower left", bbox_to_anchor=(0.0, 0.2))  # above the dotted line

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Train with this γ and every λₛ; show the present one."""
        alphas, accuracies = over_lams(self.gamma)
        k = int(np.searchsorted(LAMS, self.lam))
        alpha, (training, testing) = alphas[k], accuracies.T
        errors = np.sqrt(testing * (1 - testing) / N)
        X, y, kernel = self.train.X, self.train.y, Gaussian(self.gamma)
        field = score_field(kernel, X, alpha * y, SIDE, SIDE)
        self.field.show(field)
        self.lines.show(SIDE, SIDE, field)
        bounded = alpha >= (1 - 1e-9) / LAMS[k]
        self.points.show(X, y, alpha, bounded=bounded, mistaken=y * (kernel(X) @ (alpha * y)) <= 0)
        edges = [np.column_stack([LAMS, testing + side * errors])[::side] for side in (1, -1)]
        self.band.set_verts([np.concatenate(edges)])
        self.training.set_data(LAMS, training)
        self.testing.set_data(LAMS, testing)
        self.here.set_xdata([LAMS[k]] * 2)
        self.dots.set_data([LAMS[k]] * 2, accuracies[k])
        return {
            "alpha": alpha,
            "support": (alpha > 0).sum(),
            "on_train": training[k],
            "on_test": testing[k],
            "error": errors[k],
            "best": testing.max(),
        }


def all_widths() -> Picture:
    """Draw both accuracies over λₛ for each γ, the test's with a band of one standard error."""
    figure = style.new_figure((11.0, 5.2))
    told = []
    panels = figure.subplots(2, 4, sharex=True, sharey=True)
    for axes, gamma in zip(panels.flat, GAMMAS, strict=True):
        training, testing = over_lams(gamma)[1].T
        errors = np.sqrt(testing * (1 - testing) / N)
        axes.fill_between(LAMS, testing - errors, testing + errors, color="#d9d9d9")
        axes.plot(LAMS, training, color=style.INK, linewidth=style.LINE, label="training")
        axes.plot(LAMS, testing, "--", color=TEST, linewidth=style.LINE, label="test")
        axes.set(xscale="log", ylim=(0.5, 1.01), title=f"γ = {gamma:g}")
        told.append(f"γ = {gamma:g}: {training.max():.2f} and {testing.max():.2f}")
    for axes in panels[1]:
        axes.set_xlabel(r"$\lambda_s$")
    panels[0, 0].legend(loc="lower left")
    return picture(
        figure,
        "Training and test accuracy over λₛ from 0.01 to 10, a panel for each γ. Both fall "
        f"towards large λₛ. The best of each, training and test: {'; '.join(told)}.",
    )
