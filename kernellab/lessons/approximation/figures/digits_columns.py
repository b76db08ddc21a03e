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
from kernellab.live.controls import Choice, Ladder
from kernellab.live.declared import Figure
from kernellab.live.parameters import C_with_lam
from kernellab.validation import FloatArray

N = 600  # to train on; as many more to look at; the rest is for one final test
KERNEL = Polynomial(2, 0.0)
COUNTS = (2, 4, 8, 16, 32, 64, 128, 256, 600)
COSTS = (1.0, 10.0, 100.0)
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


def eigen_features(K: FloatArray, K_new: FloatArray, m: int) -> tuple[FloatArray, FloatArray]:
    """Return features from the m largest eigenvectors of K, for its examples and for new ones.

    K has shape (n, n), K_new (k, n): kernel values of new examples and old ones. φ(x) =
    S^−½ Uᵀ k(X, x). Taught in notebook 07.
    """
    S, U = np.linalg.eigh(K)
    P = U[:, -m:] / np.sqrt(S[-m:])
    return K @ P, K_new @ P


class Trained(NamedTuple):
    """A machine's accuracy on the 600 images to look at, and the share of the trace it lost."""

    accuracy: float
    lost: float


@cache
def trained(how: str, m: int, C: float) -> Trained:
    """Train ten linear machines on m features."""
    X, y = unit_digits()
    X, X_new, y, y_new = X[:N], X[N : 2 * N], y[:N], y[N : 2 * N]
    if how == EIGEN:
        Phi, Phi_new = eigen_features(KERNEL(X), KERNEL(X_new, X), m)
    else:
        features = Nystroem(KERNEL, m, landmarks=how).fit(X)
        Phi, Phi_new = features.transform(X), features.transform(X_new)
    linear = KernelSVC(Polynomial(1, 1.0), C=C, bias=False, gap=GAP)  # `LinearSVC`, in less time
    machine = OneVsRestClassifier(linear).fit(Phi, y)
    return Trained(machine.score(Phi_new, y_new), max(1 - np.square(Phi).sum() / N, 0.0))


@cache
def trained_exactly(C: float) -> float:
    """Return the accuracy of ten kernel machines."""
    X, y = unit_digits()
    machine = OneVsRestClassifier(KernelSVC(KERNEL, C=C, gap=GAP)).fit(X[:N], y[:N])
    return float(machine.score(X[N : 2 * N], y[N : 2 * N]))


class ColumnsRace(Figure):
    """Set m: ten linear machines are trained on m columns, here and now. Taught in notebook 07."""

    question = "How many columns until ten linear machines are as good as the exact ones?"
    answer = ("machines",)
    size = (7.6, 4.2)
    m = Ladder("columns m", COUNTS, 64)
    how = Choice("columns", HOW)
    cost = Ladder("C", COSTS, 10.0, C_with_lam)
    presets = {
        "two columns": {"m": 2},
        "uniform, 64": {"m": 64},
        "centres, 64": {"m": 64, "how": "kmeans"},
        "eigenvectors, 64": {"m": 64, "how": EIGEN},
        "all 600": {"m": 600, "how": EIGEN},
    }
    readout = (
        "m = {m}   wrong: {wrong:.1%} ± {error:.1%}, "
        "exact {exact_wrong:.1%}   trace lost {lost:.1%}\n"
        "kernel values to train: {n_values:,}, the whole K has {n_all:,}   all gaps ≤ {allowed:g}"
    )
    alt = (
        "Ten digits: the share of wrong answers on 600 other images against the number of columns, "
        "on a log scale. With m = {m} ({how:s}) and C = {cost:g}: {wrong:.0%}; the exact machine "
        "{exact_wrong:.0%}."
    )

    def build(self, figure: MplFigure) -> None:
        """Make the error against the number of columns."""
        self.y = unit_digits()[1][:N]
        axes = figure.subplots()
        self.curves = Curves(axes, LOOKS)
        self.machines = [self.curves.dots, *(self.curves.lines[name] for name in HOW)]
        self.curves.legend(fontsize=10)
        axes.set(xscale="log", xlim=(1.8, 660), xlabel="columns m (landmarks: one draw)")
        axes.set(yscale="log", ylim=(0.01, 1), ylabel="share wrong, of 600 other images")
        axes.set_xticks(COUNTS, [str(m) for m in COUNTS])
        axes.set_yticks(
            [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1], ["1%", "2%", "5%", "10%", "20%", "50%", "100%"]
        )
        axes.minorticks_off()
        self.title = moving_title(axes, 26)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Train with up to m columns."""
        how, m, C = self.how, self.m, self.cost
        counts = [count for count in COUNTS if count <= m]
        curves = {
            name: np.array([1 - trained(way, k, C).accuracy for k in counts])
            for name, way in HOW.items()
        }
        run, exact = trained(how, m, C), 1 - trained_exactly(C)
        wrong, whole = 1 - run.accuracy, N * (N + 1) // 2  # each pair of images once
        own = m * (m + 1) // 2 if how == "kmeans" else -m * (m - 1) // 2  # centres are no images
        curves["exact"] = np.full(len(COUNTS), exact)
        self.curves.show(np.array(COUNTS, dtype=float), curves, m, [wrong])
        for name, way in HOW.items():
            self.curves.lines[name].set_linewidth(style.LINE * (2 if way == how else 1))
        self.title.set_text(f"m = {m}: {wrong:.1%} wrong, exact {exact:.1%}")
        return {
            "wrong": wrong,
            "error": np.sqrt(wrong * (1 - wrong) / N),
            "exact_wrong": exact,
            "lost": run.lost,
            "allowed": GAP,
            "n_values": whole if how == EIGEN else min(N * m + own, whole),
            "n_all": whole,
        }
