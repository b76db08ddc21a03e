"""Live figure of notebook 07: a kernel that sees nothing but noise, from wide to narrow."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.ticker import MaxNLocator

from kernellab.draw import style
from kernellab.draw.curves import Curves
from kernellab.draw.matrix import GramImage
from kernellab.draw.picture import Picture, picture
from kernellab.draw.title import moving_title
from kernellab.lessons.approximation.figures.mkl_data import (
    Kernels,
    accuracy_with_error,
    noise_kernel,
    rings_with,
    signal_kernel,
)
from kernellab.lessons.approximation.theory.mkl_surface import WeightedSVM, weighted_svm
from kernellab.live.controls import Ladder
from kernellab.live.declared import Figure
from kernellab.live.parameters import C_with_lam, gamma_with_sigma
from kernellab.solvers.mkl import MKLState, mkl
from kernellab.validation import FloatArray

NOISE_GAMMAS = 10.0 ** np.linspace(-2, 2, 13)
COSTS = (0.1, 0.3, 1.0, 3.0, 10.0, 100.0)
GAP = 1e-4
ERRORS = ("learnt", "average", "signal alone")
SEED, SEEDS = 9, range(3, 23, 2)  # of the rings: a draw in the middle of ten
WEIGHTS = {"at this C": style.LINES[0], "at C = 1": style.LINES[5]}


class Trained(NamedTuple):
    """What multiple kernel learning and its two rivals make of a signal and a noise kernel."""

    learnt: MKLState
    average: WeightedSVM
    alone: WeightedSVM


@cache
def signal_and_noise(k: int) -> Kernels:
    """Return the signal's kernel and that of noise, of the k-th width."""
    kernels = [signal_kernel(), noise_kernel(float(NOISE_GAMMAS[k]))]
    return rings_with(kernels, ("signal", "noise"), SEED)


@cache
def train_with_noise(k: int, C: float) -> Trained:
    """Learn the weights, and train on the average and on the signal alone."""
    return trained(signal_and_noise(k), C)


def trained(data: Kernels, C: float) -> Trained:
    """Learn the weights of two kernels, and train on the average and on the first alone."""
    Ks, y = data.Ks, data.y
    learnt = next(s for s in mkl(Ks, y, C) if s.gap <= GAP or s.solves >= 100)
    half = weighted_svm(Ks, y, C, np.array([0.5, 0.5]))
    return Trained(learnt, half, weighted_svm(Ks, y, C, np.array([1.0, 0.0])))


def error_of(k: int, svm: MKLState | WeightedSVM) -> tuple[float, float]:
    """Return the test error and its standard error."""
    data = signal_and_noise(k)
    p, error = accuracy_with_error(data, svm.weights, svm.alpha * data.y)
    return 1 - p, error


@cache
def over_gammas(C: float) -> tuple[FloatArray, FloatArray]:
    """Return the weight of noise, and three test errors, against its width."""
    runs = [train_with_noise(k, C) for k in range(len(NOISE_GAMMAS))]
    weights = [r.learnt.weights[1] for r in runs]
    errors = [[error_of(k, svm)[0] for svm in run] for k, run in enumerate(runs)]
    return np.array(weights), np.array(errors).T


def noise_draw(gamma: float, C: float, seed: int) -> tuple[float, int]:
    """Return the weight of noise on other rings, and how many more of 400 are wrong."""
    data = rings_with([signal_kernel(), noise_kernel(gamma)], ("signal", "noise"), seed)
    with_it, _, alone = (
        (svm, accuracy_with_error(data, svm.weights, svm.alpha * data.y)[0])
        for svm in trained(data, C)
    )
    return float(with_it[0].weights[1]), round(400 * (alone[1] - with_it[1]))


def ten_draws(*settings: tuple[float, float]) -> Picture:
    """Draw weight and harm of noise in ten draws, for two pairs of γ and C; the figure's ringed."""
    figure, said = style.new_figure((7.6, 3.4)), []
    axes = figure.subplots()
    axes.axhline(0, color=style.NEUTRAL, linewidth=style.THIN)
    for (colour, _), mark, (gamma, C) in zip(style.LINES, "os", settings, strict=False):
        weights, harm = np.array([noise_draw(gamma, C, seed) for seed in SEEDS]).T
        axes.plot(weights, harm, mark, color=colour, label=f"γ = {gamma:g}, C = {C:g}")
        at = SEEDS.index(SEED)
        axes.plot(weights[at], harm[at], "o", color=style.ACCENT, markersize=13, fillstyle="none")
        told = [f"{w:.2f} {h:+.0f}" for w, h in zip(weights, harm, strict=True)]
        said.append(f"γ = {gamma:g}, C = {C:g}: {', '.join(told)}")
    axes.set(xlim=(0, 1), xlabel="weight of noise (ringed: the draw of the live figure)")
    axes.set_ylabel("extra mistakes of 400\n(below 0: noise helps)")
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.legend(title="noise kernel")
    return picture(figure, f"Weight of noise, and how many more of 400 err. {'; '.join(said)}.")


class NoiseKernels(Figure):
    """Two kernels, one of them of pure noise: how much weight does it get, and does it hurt?

    Taught in notebook 07.
    """

    question = "How much weight does a kernel get that sees only noise, and does it hurt?"
    answer = ("weights", "errors")
    size = (9.4, 4.8)
    gamma = Ladder(
        "γ of noise", range(len(NOISE_GAMMAS)), 12,
        lambda k, figure: gamma_with_sigma(NOISE_GAMMAS[k], figure),
    )  # fmt: skip
    cost = Ladder("C", COSTS, 1.0, C_with_lam)
    presets = {
        "wide noise": {"gamma": 1},
        "C = 1, narrowest: γ = 100": {"gamma": 12},
        "C = 10, narrowest: γ = 100": {"gamma": 12, "cost": 10.0},
        "C = 10, narrow: γ = 10": {"gamma": 9, "cost": 10.0},
    }
    readout = (
        "weight of noise: {weight:.3f}   test error: {with_bars}\n"
        "q of noise / largest: {q:.3f}   median entry of its K: {likeness:.2f}   "
        "± one standard error"
    )
    alt = (
        "A signal kernel and a noise kernel with γ = {noise_gamma:.3g}, whose Gram matrix is shown "
        "(median entry {likeness:.2f}); C = {cost:g}. The noise gets weight {weight:.2f}. Test "
        "errors: {errors}. Curves: weight and errors against γ of the noise."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the Gram matrix of noise, and two panels over its width."""
        self.y = signal_and_noise(0).y
        axes = figure.subplot_mosaic(
            [["gram", "weights"], ["gram", "errors"]], width_ratios=[1, 1.35]
        )
        self.gram = GramImage(axes["gram"])
        self.weights = Curves(axes["weights"], WEIGHTS)
        self.errors = Curves(axes["errors"], dict(zip(ERRORS, style.LINES, strict=False)))
        for curves in (self.weights, self.errors):
            curves.legend(fontsize=10)
            curves.axes.set(xscale="log", xlim=(NOISE_GAMMAS[0] / 1.2, NOISE_GAMMAS[-1] * 1.2))
        axes["weights"].set(ylim=(0, 1), ylabel="weight of noise")
        axes["errors"].set(
            ylim=(0, 0.22), xlabel="γ of the noise kernel: wide … narrow", ylabel="test error"
        )
        self.key = axes["weights"], axes["errors"]
        pads = {"gram": 6, "weights": 26, "errors": 26}
        self.titles = [moving_title(axes[name], pad) for name, pad in pads.items()]
        return axes["gram"]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Learn the weights for this width and this C, and for all widths."""
        k, C, y = self.gamma, self.cost, self.y
        K, svms = signal_and_noise(k).Ks[1], train_with_noise(k, C)
        weights, errors = over_gammas(C)
        weight = float(svms.learnt.weights[1])
        error = dict(zip(ERRORS, [error_of(k, svm) for svm in svms], strict=True))
        likeness = float(np.median(K[np.triu_indices(len(y), 1)]))

        by_class = np.argsort(y, kind="stable")
        self.gram.show(K[np.ix_(by_class, by_class)], [int((y < 0).sum())])
        both = dict(zip(WEIGHTS, (weights, over_gammas(1.0)[0]), strict=True))
        self.weights.show(NOISE_GAMMAS, both, NOISE_GAMMAS[k], [weight])
        self.errors.show(NOISE_GAMMAS, dict(zip(ERRORS, errors, strict=True)), NOISE_GAMMAS[k])
        titles = (
            f"noise: weight {weight:.0%}, test error {error['learnt'][0]:.1%}",
            f"its weight at γ = {NOISE_GAMMAS[k]:.3g}: {weight:.0%}",
            f"error {error['learnt'][0]:.1%} with it, {error['signal alone'][0]:.1%} without",
        )
        for title, words in zip(self.titles, titles, strict=True):
            title.set_text(words)
        return {
            "n": len(y),
            "noise_gamma": NOISE_GAMMAS[k],
            "weight": weight,
            "error": error,
            "errors": ", ".join(f"{name} {e:.1%}" for name, (e, _) in error.items()),
            "with_bars": ", ".join(f"{name} {e:.1%} ± {s:.1%}" for name, (e, s) in error.items()),
            "q": svms.learnt.q[1] / svms.learnt.q.max(),
            "likeness": likeness,
        }
