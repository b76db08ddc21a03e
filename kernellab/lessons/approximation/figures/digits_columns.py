"""Live figure of notebook 07: ten digits by m columns and a linear SVM, the exact one as a line."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets import load_digits
from kernellab.draw import style
from kernellab.draw.curves import Curves
from kernellab.draw.title import moving_title
from kernellab.estimators import KernelSVC, Nystroem, OneVsRestClassifier
from kernellab.kernels import Polynomial
from kernellab.lessons.approximation.theory.published import eigen_features
from kernellab.live.controls import Ladder
from kernellab.live.declared import Figure
from kernellab.validation import FloatArray

N = 600  # to train on; as many more to look at; the rest is for one final test
KERNEL = Polynomial(2, 0.0)
COUNTS = (4, 8, 16, 32, 64, 128, 256, 600)
COST = 10.0  # cross-validated on the 600
DRAWS = 3  # of landmarks
PERCENT = (1, 2, 5, 10, 20, 50, 100)
EIGEN = "eigenvectors"
HOW = {"uniform": "uniform", "k-means centres": "kmeans", EIGEN: EIGEN}
LOOKS = dict(zip(HOW, (*style.LINES[1:3], style.LINES[4]), strict=True)) | {
    "exact": (style.INK, "-")
}
GAP = 1e-2  # relative duality gap of all machines


@cache
def unit_digits() -> tuple[FloatArray, Any]:
    """Return 1797 images as vectors of length 1, in a shuffled order, and their digits."""
    data = load_digits(None)
    order = np.random.default_rng(0).permutation(len(data.y))
    X = data.X[order]
    return X / np.linalg.norm(X, axis=1, keepdims=True), data.y[order]


class Trained(NamedTuple):
    """A machine's accuracy on the 600 images to look at, and the share of the trace it lost."""

    accuracy: float
    lost: float


@cache
def trained(how: str, m: int, seed: int = 0) -> Trained:
    """Train ten linear machines on m features."""
    X, y = unit_digits()
    X, X_new, y, y_new = X[:N], X[N : 2 * N], y[:N], y[N : 2 * N]
    if how == EIGEN:
        Phi, Phi_new = eigen_features(KERNEL(X), KERNEL(X_new, X), m)
    else:
        features = Nystroem(KERNEL, m, landmarks=how, random_state=seed).fit(X)
        Phi, Phi_new = features.transform(X), features.transform(X_new)
    linear = KernelSVC(Polynomial(1, 1.0), C=COST, bias=False, gap=GAP)  # `LinearSVC`, in less time
    machine = OneVsRestClassifier(linear).fit(Phi, y)
    return Trained(machine.score(Phi_new, y_new), max(1 - np.square(Phi).sum() / N, 0.0))


@cache
def trained_exactly() -> float:
    """Return the accuracy of ten kernel machines."""
    X, y = unit_digits()
    machine = OneVsRestClassifier(KernelSVC(KERNEL, C=COST, gap=GAP)).fit(X[:N], y[:N])
    return float(machine.score(X[N : 2 * N], y[N : 2 * N]))


@cache
def drawn(how: str, m: int) -> FloatArray:
    """Return the shares wrong, and of the trace lost, of each draw of landmarks, shape (k, 2)."""
    runs = [trained(how, m, seed=k) for k in range(1 if how == EIGEN or m == N else DRAWS)]
    return np.array([(1 - run.accuracy, run.lost) for run in runs])


class ColumnsRace(Figure):
    """Set m: ten linear machines are trained on m columns, here and now. Taught in notebook 07."""

    question = "How many columns until ten linear machines are as good as the exact ones?"
    answer = ("machines",)
    size = (7.6, 4.2)
    m = Ladder("columns m", COUNTS, 64)
    presets = {
        "four columns": {"m": 4},
        "eight columns": {"m": 8},
        "sixty-four columns": {"m": 64},
        "all columns": {"m": 600},
    }
    readout = (
        "m = {m}   wrong: {told}, exact {exact_wrong:.1%}\n"
        "one standard error: {error:.1%}   trace lost, in the same order: {lost:.1%}"
    )
    alt = (
        "Ten digits: the share of wrong answers on 600 other images against the number of columns, "
        "on a log scale. With m = {m}: {told}; the exact machine {exact_wrong:.1%}."
    )

    def build(self, figure: MplFigure) -> None:
        """Make the error against the number of columns."""
        axes = figure.subplots()
        self.curves = Curves(axes, LOOKS)
        self.each = [axes.plot([], [], "o", c=LOOKS[how][0], ms=3.5)[0] for how in list(HOW)[:2]]
        self.machines = [self.curves.dots, *self.each, *(self.curves.lines[how] for how in HOW)]
        self.curves.legend(fontsize=10)
        axes.set(
            xscale="log",
            xlim=(3.7, 660),
            xlabel="columns m (landmarks: means of three draws, the dots)",
        )
        axes.set(yscale="log", ylim=(0.01, 1), ylabel="share wrong, of 600 other images")
        axes.set_xticks(COUNTS, [str(m) for m in COUNTS])
        axes.set_yticks([p / 100 for p in PERCENT], [f"{p}%" for p in PERCENT])
        axes.minorticks_off()
        self.title = moving_title(axes, 26)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Train with up to m columns."""
        m, exact = self.m, 1 - trained_exactly()
        counts = np.array([count for count in COUNTS if count <= m], dtype=float)
        runs = {name: [drawn(way, int(k)) for k in counts] for name, way in HOW.items()}
        curves = {name: np.array([run[:, 0].mean() for run in runs[name]]) for name in runs}
        wrong = [float(curve[-1]) for curve in curves.values()]
        curves["exact"] = np.full(len(COUNTS), exact)
        self.curves.show(np.array(COUNTS, dtype=float), curves, m, wrong)
        for dots, of_counts in zip(self.each, runs.values(), strict=False):
            each = [(k, p) for k, run in zip(counts, of_counts, strict=True) for p in run[:, 0]]
            dots.set_data(*np.array(each).T)
        self.title.set_text(f"m = {m}, uniform: {wrong[0]:.1%} wrong, exact {exact:.1%}")
        return {
            "wrong": wrong,
            "told": ", ".join(f"{name} {p:.1%}" for name, p in zip(HOW, wrong, strict=True)),
            "error": np.sqrt(wrong[0] * (1 - wrong[0]) / N),
            "exact_wrong": exact,
            "lost": np.array([run[-1][:, 1].mean() for run in runs.values()]),
        }
