"""Live figure of notebook 07: Gaussian widths × groups of pixels, weighed on digits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import ipywidgets
import numpy as np

from kernellab.datasets import load_digits
from kernellab.draw import style
from kernellab.draw.matrix import SIMILARITY
from kernellab.draw.title import moving_title
from kernellab.estimators.cross_validation import cross_validated_scores
from kernellab.kernels import Gaussian, Kernel, OnColumns
from kernellab.kernels.bandwidth import median_bandwidth
from kernellab.lessons.approximation.figures.mkl_data import Kernels, accuracy_with_error, evaluated
from kernellab.lessons.approximation.figures.rivals_marks import Rivals, WeightTable
from kernellab.live.explorer import WIDE, Explorer, choice
from kernellab.solvers.mkl import mkl
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

PIXELS = np.arange(64).reshape(8, 8)
QUARTERS, ROWS = "quarters", "pairs of rows"
GROUPS = {
    QUARTERS: [PIXELS[a : a + 4, b : b + 4].ravel() for a in (0, 4) for b in (0, 4)],
    ROWS: [PIXELS[a : a + 2].ravel() for a in range(0, 8, 2)],
}
FACTORS = (0.25, 0.5, 1.0, 2.0)  # of the median distance: widths
PAIRS = ((1, 8), (3, 8), (4, 9), (3, 9), (1, 7))
NORMS = (1.0, 1.2, 1.5, 2.0, 4.0)
COSTS = (0.1, 1.0, 10.0, 100.0)
N = 60
GAP = 1e-3


@cache
def sixteen(pair: tuple[int, int], groups: str, seed: int = 0) -> Kernels:
    """Return Gaussian kernels of four widths on four groups of pixels, of 60 images of a pair."""
    data = load_digits(pair)
    order = np.random.default_rng(seed).permutation(len(data.y))
    X, y, train, test = data.X / 16, data.y, order[:N], order[N:]
    kernels: list[Kernel] = []
    names: list[str] = []
    for k, group in enumerate(GROUPS[groups]):
        median = median_bandwidth(X[train][:, group])
        for factor in FACTORS:
            kernels.append(OnColumns(Gaussian.from_bandwidth(factor * median), group.tolist()))
            names.append(f"group {k + 1}, σ = {factor:g} × median")
    return evaluated(kernels, tuple(names), X[train], y[train], X[test], y[test])


class Learnt(NamedTuple):
    """Weights η, scaled as learnt; the gap; accuracy and its standard error; SVMs it took."""

    weights: FloatArray
    gap: float
    accuracy: tuple[float, float]
    passes: int


def learn(data: Kernels, C: float, p: float) -> Learnt:
    """Learn the weights of the sixteen kernels, with a bias."""
    for state in mkl(data.Ks, data.y, C, p=p, bias=True):
        if state.gap <= GAP or state.passes >= 200:
            break
    right = accuracy_with_error(data, state.weights, state.alpha * data.y, state.b)
    return Learnt(state.weights, state.gap, right, state.passes)


def of_weights(data: Kernels, weights: FloatArray, C: float) -> tuple[float, float]:
    """Return the accuracy of an SVM with given weights, and its standard error."""
    svm = solve(smo(np.tensordot(weights, data.Ks, axes=1), data.y, C), gap=1e-4)
    return accuracy_with_error(data, weights, svm.alpha * data.y, svm.b)


def average(data: Kernels, C: float) -> tuple[float, float]:
    """Return the accuracy of the plain average, and its standard error."""
    return of_weights(data, np.full(16, 1 / 16), C)


def cross_validated(K: FloatArray, y: FloatArray, C: float) -> float:
    """Return the accuracy of a kernel in 5-fold cross-validation on the training images."""
    return float(np.mean(y * cross_validated_scores(K, y, C, folds=5) > 0))


def best_single(data: Kernels, C: float) -> tuple[int, tuple[float, float]]:
    """Return the kernel that is best in cross-validation, and its accuracy on the rest."""
    best = int(np.argmax([cross_validated(K, data.y, C) for K in data.Ks]))
    return best, of_weights(data, np.eye(16)[best], C)


def rivals_on_split(pair: tuple[int, int], seed: int) -> tuple[float, float, float, float]:
    """Return test accuracies of one split into quarters: ℓ1, ℓ2, the average, the best single.

    C is chosen from 1, 10 and 100 by cross-validation of the average, for all four.
    """
    data = sixteen(pair, QUARTERS, seed)
    mean = data.Ks.mean(axis=0)
    C = max((1.0, 10.0, 100.0), key=lambda cost: cross_validated(mean, data.y, cost))
    learnt = [learn(data, C, p).accuracy[0] for p in (1.0, 2.0)]
    return learnt[0], learnt[1], average(data, C)[0], best_single(data, C)[1][0]


Setting = tuple[Learnt, tuple[float, float], tuple[int, tuple[float, float]]]


@cache
def compared(pair: tuple[int, int], groups: str, C: float, p: float) -> Setting:
    """Return what is learnt, and what the two rivals reach."""
    data = sixteen(pair, groups)
    return learn(data, C, p), *rivals(pair, groups, C)


@cache
def rivals(
    pair: tuple[int, int], groups: str, C: float
) -> tuple[tuple[float, float], tuple[int, tuple[float, float]]]:
    """Return the accuracy of the average, and the best single kernel with its own."""
    data = sixteen(pair, groups)
    return average(data, C), best_single(data, C)


class DigitsKernels(Explorer):
    """Sixteen kernels on digits: which pixels and widths are chosen, and is it worth it?

    Taught in notebook 07.
    """

    presets: Mapping[str, Any] = {
        "1 against 8": {},
        "3 against 8": {"pair": (3, 8)},
        "4 against 9": {"pair": (4, 9)},
        "4 against 9, ℓ2": {"pair": (4, 9), "p": 2.0},
        "pairs of rows": {"groups": "pairs of rows"},
    }

    def __init__(self) -> None:
        self.pair = choice("digits", {f"{a} against {b}": (a, b) for a, b in PAIRS})
        self.groups = choice("groups of pixels", list(GROUPS))
        self.p = ipywidgets.SelectionSlider(
            options=[(f"{p:g}", p) for p in NORMS], value=1.0, description="norm p", **WIDE
        )
        self.cost = ipywidgets.SelectionSlider(
            options=[(f"{C:g} (λ = {1 / (C * N):.2g})", C) for C in COSTS],
            value=1.0, description="C", **WIDE,
        )  # fmt: skip
        figure = style.new_figure((9.4, 4.6))
        axes = figure.subplot_mosaic(
            [["table", "pixels", "rivals"]], width_ratios=[1.25, 0.8, 1.25]
        )
        names = [f"{f:g}" for f in FACTORS]
        self.table = WeightTable(axes["table"], 4, names, SIMILARITY)
        self.titles = [moving_title(axes[name]) for name in ("table", "rivals")]
        axes["table"].set(xlabel="σ / median distance", ylabel="group of pixels")
        axes["table"].set_yticks(range(4), [str(k + 1) for k in range(4)])
        self.pixels = axes["pixels"].imshow(np.zeros((8, 8)), cmap=SIMILARITY, vmin=0, vmax=1)
        axes["pixels"].set(title="where they look", xticks=[], yticks=[])
        self.labels = [
            axes["pixels"].text(0, 0, str(k + 1), color=style.ACCENT, fontsize=14, ha="center",
                                va="center", fontweight="bold",
                                bbox={"facecolor": "white", "edgecolor": "none", "pad": 2})
            for k in range(4)
        ]  # fmt: skip
        self.rivals = Rivals(axes["rivals"], ("learnt", "average", "best single"), (0.8, 1.0))
        super().__init__(
            "Which parts of the image decide? And does learning the weights beat the average?",
            figure,
            [self.pair, self.groups, self.p, self.cost],
            moving=[
                *self.table.artists, self.pixels, *self.labels, *self.rivals.artists,
                *self.titles,
            ],
        )  # fmt: skip

    def update(self, points: FloatArray) -> str:
        """Learn the weights, and compare."""
        pair, groups, C, p = self.pair.value, self.groups.value, self.cost.value, self.p.value
        self.learnt, mean, (self.best, single) = compared(pair, groups, C, p)
        self.accuracy = np.array([self.learnt.accuracy, mean, single])
        eta = self.learnt.weights
        table = (eta / eta.sum()).reshape(4, 4)
        self.table.show(table)
        self.of_groups = table.sum(axis=1)
        shares = np.zeros(64)
        for k, group in enumerate(GROUPS[groups]):
            shares[group] = self.of_groups[k]
            row, column = np.unravel_index(group, (8, 8))
            self.labels[k].set_position((float(column.mean()), float(row.mean())))
        self.pixels.set_data(shares.reshape(8, 8) / shares.max())
        self.rivals.show(*self.accuracy.T)
        self.used = int((eta > 1e-3 * eta.max()).sum())
        self.titles[0].set_text(f"{self.used} of 16 kernels have weight")
        ahead = self.accuracy[0, 0] - self.accuracy[1, 0]
        self.titles[1].set_text(f"learnt − average: {100 * ahead:+.1f} points".replace("-", "−"))
        name = sixteen(pair, groups).names[self.best]
        return (
            f"{pair[0]} against {pair[1]}, 60 images   p = {p:g}   C = {C:g} (λ = "
            f"{1 / (C * N):.3g})   kernels with weight: {self.used} of 16   SVMs: "
            f"{self.learnt.passes}   gap {self.learnt.gap:.1e}\n"
            f"by group: {', '.join(f'{share:.2f}' for share in self.of_groups)}   "
            f"best single: {name}"
        )

    def describe(self) -> str:
        """Return the alternative text."""
        said = ", ".join(
            f"{name} {p:.1%}"
            for name, (p, _) in zip(
                ("learnt", "average", "best single"), self.accuracy, strict=True
            )
        )
        return (
            f"Weights of 16 kernels, four widths on four {self.groups.value}, "
            f"{self.pair.value[0]} against {self.pair.value[1]}, ℓ{self.p.value:g} norm, C = "
            f"{self.cost.value:g}: {self.used} have weight; by group "
            f"{', '.join(f'{share:.2f}' for share in self.of_groups)}. Test accuracy: {said}."
        )
