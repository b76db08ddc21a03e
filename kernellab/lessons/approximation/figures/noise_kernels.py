"""Live figure of notebook 07: a kernel that sees nothing but noise, from wide to narrow."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import ipywidgets
import numpy as np

from kernellab.draw import style
from kernellab.draw.matrix import GramImage
from kernellab.draw.title import moving_title
from kernellab.lessons.approximation.figures.mkl_data import (
    Kernels,
    accuracy_with_error,
    noise_kernel,
    rings_with,
    signal_kernel,
)
from kernellab.lessons.approximation.figures.noise_marks import Sweep
from kernellab.lessons.approximation.theory.mkl_surface import WeightedSVM, weighted_svm
from kernellab.live.explorer import WIDE, Explorer
from kernellab.solvers.mkl import MKLState, mkl
from kernellab.validation import FloatArray

GAMMAS = 10.0 ** np.linspace(-2, 2, 13)
COSTS = (0.1, 0.3, 1.0, 3.0, 10.0, 100.0)
GAP = 1e-4


class Run(NamedTuple):
    """What multiple kernel learning and its two rivals make of a signal and a noise kernel."""

    learnt: MKLState
    average: WeightedSVM
    alone: WeightedSVM
    combined: MKLState


@cache
def problem(k: int) -> Kernels:
    """Return the signal's kernel and that of noise, of the k-th width."""
    return rings_with([signal_kernel(), noise_kernel(float(GAMMAS[k]))], ("signal", "noise"))


@cache
def run(k: int, C: float) -> Run:
    """Learn the weights, with ℓ1 and with ℓ2, and train on the average and on the signal alone."""
    Ks, y = problem(k).Ks, problem(k).y
    learnt, combined = (
        next(s for s in mkl(Ks, y, C, p=p) if s.gap <= GAP or s.passes >= 100) for p in (1.0, 2.0)
    )
    half = weighted_svm(Ks, y, C, np.array([0.5, 0.5]))
    return Run(learnt, half, weighted_svm(Ks, y, C, np.array([1.0, 0.0])), combined)


def error_of(k: int, svm: MKLState | WeightedSVM) -> tuple[float, float]:
    """Return the test error and its standard error."""
    p, error = accuracy_with_error(problem(k), svm.weights, svm.alpha * problem(k).y)
    return 1 - p, error


@cache
def curves(C: float) -> tuple[FloatArray, FloatArray]:
    """Return the weight of noise, ℓ1 and ℓ2, and three test errors, against its width."""
    runs = [run(k, C) for k in range(len(GAMMAS))]
    weights = [
        [r.learnt.weights[1], r.combined.weights[1] / r.combined.weights.sum()] for r in runs
    ]
    errors = [
        [error_of(k, svm)[0] for svm in (r.learnt, r.average, r.alone)] for k, r in enumerate(runs)
    ]
    return np.array(weights).T, np.array(errors).T


class NoiseKernels(Explorer):
    """Two kernels, one of them of pure noise: how much weight does it get, and does it hurt?

    Taught in notebook 07.

    Parameters
    ----------
    C
        Cost of a loss of 1 at first.
    """

    presets: Mapping[str, Any] = {
        "wide noise": {"gamma": 1},
        "narrow noise": {"gamma": 11},
        "narrow, small C": {"gamma": 11, "cost": 0.1},
        "narrow, large C": {"gamma": 11, "cost": 100.0},
    }

    def __init__(self, C: float = 1.0) -> None:
        n = len(problem(0).y)
        self.gamma = ipywidgets.SelectionSlider(
            options=[(f"{g:.3g} (σ = {np.sqrt(0.5 / g):.3g})", k) for k, g in enumerate(GAMMAS)],
            value=1, description="γ of noise", **WIDE,
        )  # fmt: skip
        self.cost = ipywidgets.SelectionSlider(
            options=[(f"{c:g} (λ = {1 / (c * n):.2g})", c) for c in COSTS],
            value=C, description="C", **WIDE,
        )  # fmt: skip
        figure = style.new_figure((9.4, 4.8))
        axes = figure.subplot_mosaic(
            [["gram", "weights"], ["gram", "errors"]], width_ratios=[1, 1.35]
        )
        self.gram = GramImage(axes["gram"])
        limits = (GAMMAS[0] / 1.2, GAMMAS[-1] * 1.2)
        self.weights = Sweep(axes["weights"], ("its weight, ℓ1", "ℓ2 (share)"), limits)
        axes["weights"].set(ylim=(-0.03, 0.83), xticklabels=[])
        axes["weights"].set_ylabel("weight of noise")
        self.errors = Sweep(axes["errors"], ("learnt, ℓ1", "average", "signal alone"), limits)
        axes["errors"].set(
            ylim=(0, 0.3), xlabel="γ of the noise kernel: wide … narrow", ylabel="test error"
        )
        self.titles = [
            moving_title(axes["gram"]), moving_title(axes["weights"], 26),
            moving_title(axes["errors"], 26),
        ]  # fmt: skip
        super().__init__(
            "Does a kernel that sees only noise get weight 0, whatever its width?",
            figure,
            [self.gamma, self.cost],
            moving=[
                *self.gram.artists, *self.weights.artists, *self.errors.artists, *self.titles,
            ],
        )  # fmt: skip

    def update(self, points: FloatArray) -> str:
        """Learn the weights for this width and this C, and for all widths."""
        k, C = self.gamma.value, self.cost.value
        data, this = problem(k), run(k, C)
        by_class = np.argsort(data.y, kind="stable")
        K = data.Ks[1][np.ix_(by_class, by_class)]
        self.gram.show(K, [int((data.y < 0).sum())])
        weights, errors = curves(C)
        self.weights.show(GAMMAS, weights, k)
        self.errors.show(GAMMAS, errors, k)
        self.weight = float(this.learnt.weights[1])
        self.error = {
            name: error_of(k, svm)
            for name, svm in (
                ("learnt", this.learnt), ("average", this.average), ("signal alone", this.alone),
            )
        }  # fmt: skip
        pairs = data.Ks[1][np.triu_indices(len(data.y), 1)]
        self.likeness = float(np.median(pairs))
        learnt, alone = self.error["learnt"][0], self.error["signal alone"][0]
        titles = (
            f"K of the noise, γ = {GAMMAS[k]:.3g}: median entry {self.likeness:.2f}",
            f"noise gets {self.weight:.0%} of the weight (ℓ1)",
            f"error {learnt:.1%} with it, {alone:.1%} without",
        )
        for title, words in zip(self.titles, titles, strict=True):
            title.set_text(words)
        said = ", ".join(f"{name} {e:.1%} ± {s:.1%}" for name, (e, s) in self.error.items())
        q = this.learnt.q / this.learnt.q.max()
        n = len(data.y)
        return (
            f"γ of noise {GAMMAS[k]:.3g} (σ = {np.sqrt(0.5 / GAMMAS[k]):.3g})   C = {C:g} (λ = "
            f"{1 / (C * n):.3g})   weight of noise: {self.weight:.3f} (ℓ1), "
            f"{weights[1][k]:.3f} of the sum (ℓ2)\n"
            f"test error: {said}\nq of noise / largest: {q[1]:.3f}   median entry of its K: "
            f"{self.likeness:.2f}   gap {this.learnt.gap:.0e}   support vectors: "
            f"{int((this.learnt.alpha > 0).sum())} of {n}"
        )

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"A signal kernel and a noise kernel with γ = {GAMMAS[self.gamma.value]:.3g}, whose "
            f"Gram matrix is shown (median entry {self.likeness:.2f}); C = {self.cost.value:g}. "
            f"The noise gets weight {self.weight:.2f}. Test errors: "
            + ", ".join(f"{name} {e:.1%}" for name, (e, _) in self.error.items())
            + ". Curves: weight and errors against γ of the noise."
        )
