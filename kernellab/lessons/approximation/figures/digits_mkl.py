"""Live figure of notebook 07: Gaussian widths × groups of pixels, weighed on digits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure as MplFigure
from matplotlib.patches import Rectangle

from kernellab.datasets import load_digits
from kernellab.draw import style
from kernellab.draw.field import show_field
from kernellab.draw.mark import Mark
from kernellab.draw.matrix import SIMILARITY
from kernellab.draw.picture import Picture, picture
from kernellab.draw.title import moving_title
from kernellab.estimators.cross_validation import cross_validated_scores
from kernellab.kernels import Gaussian, Kernel, OnColumns
from kernellab.kernels.bandwidth import median_bandwidth
from kernellab.lessons.approximation.figures.mkl_data import Kernels, accuracy_with_error, evaluated
from kernellab.live.controls import Choice, Ladder
from kernellab.live.declared import Figure
from kernellab.live.parameters import C_with_lam
from kernellab.live.readout import written
from kernellab.solvers.mkl import mkl
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

PIXELS = np.arange(64).reshape(8, 8)
QUARTERS, ROWS = "quarters", "pairs of rows"
NAMES = {
    QUARTERS: ("top left", "top right", "bottom left", "bottom right"),
    ROWS: ("rows 1–2", "rows 3–4", "rows 5–6", "rows 7–8"),
}
GROUPS = {
    QUARTERS: [PIXELS[a : a + 4, b : b + 4].ravel() for a in (0, 4) for b in (0, 4)],
    ROWS: [PIXELS[a : a + 2].ravel() for a in range(0, 8, 2)],
}
FACTORS = (0.25, 0.5, 1.0, 2.0)  # of the median distance: widths
PAIRS = ((1, 8), (3, 8), (4, 9), (3, 9), (1, 7))
NORMS = (1.0, 1.2, 1.5, 2.0, 4.0)
COSTS = (0.1, 1.0, 10.0, 100.0)
CHOICES = COSTS[1:]  # of which cross-validation takes one
N = 60
EQUAL = np.full(16, 1 / 16)
GAP = 1e-3
MACHINES = ("learnt", "learnt, squares sum to 1", "average", "best single", "one Gaussian")
RIVALS = ("learnt", "average", "best single", "one Gaussian")


def split(pair: tuple[int, int], seed: int) -> tuple[FloatArray, ...]:
    """Return 60 images of a pair of digits and their labels, and all other images and theirs."""
    data = load_digits(pair)
    order = np.random.default_rng(seed).permutation(len(data.y))
    X, y = data.X[order] / 16, data.y[order]
    return X[:N], y[:N], X[N:], y[N:]


@cache
def sixteen(pair: tuple[int, int], groups: str = QUARTERS, seed: int = 0) -> Kernels:
    """Return Gaussian kernels of four widths on each group of pixels, of 60 images of a pair."""
    X, y, X_test, y_test = split(pair, seed)
    kernels: list[Kernel] = []
    names: list[str] = []
    for k, group in enumerate(GROUPS[groups]):
        median = median_bandwidth(X[:, group])
        for factor in FACTORS:
            kernels.append(OnColumns(Gaussian.from_bandwidth(factor * median), group.tolist()))
            names.append(f"{NAMES[groups][k]}, σ = {factor:g} × median")
    return evaluated(kernels, tuple(names), X, y, X_test, y_test)


class Learnt(NamedTuple):
    """Weights η, scaled as learnt; the gap; accuracy and its standard error; SVMs it took."""

    weights: FloatArray
    gap: float
    accuracy: tuple[float, float]
    solves: int


def learn(data: Kernels, C: float, p: float) -> Learnt:
    """Learn the weights of the sixteen kernels, with a bias."""
    for state in mkl(data.Ks, data.y, C, p=p, bias=True):
        if state.gap <= GAP or state.solves >= 200:
            break
    right = accuracy_with_error(data, state.weights, state.alpha * data.y, state.b)
    return Learnt(state.weights, state.gap, right, state.solves)


def of_weights(data: Kernels, weights: FloatArray, C: float) -> tuple[float, float]:
    """Return the accuracy of an SVM with given weights, and its standard error."""
    svm = solve(smo(np.tensordot(weights, data.Ks, axes=1), data.y, C), gap=1e-4)
    return accuracy_with_error(data, weights, svm.alpha * data.y, svm.b)


def cross_validated(K: FloatArray, y: FloatArray, C: float) -> float:
    """Return the accuracy of a kernel in 5-fold cross-validation on the training images."""
    return float(np.mean(y * cross_validated_scores(K, y, C, folds=5, gap=1e-4) > 0))


def best_single(data: Kernels, C: float) -> tuple[int, tuple[float, float]]:
    """Return the kernel that is best in cross-validation, and its accuracy on the rest."""
    best = int(np.argmax([cross_validated(K, data.y, C) for K in data.Ks]))
    return best, of_weights(data, np.eye(len(data.Ks))[best], C)


def all_pixels(pair: tuple[int, int], seed: int = 0) -> Kernels:
    """Return one Gaussian of all 64 pixels, γ = 1/(64 · their variance), scikit-learn's default."""
    X, *others = split(pair, seed)
    return evaluated([Gaussian(1 / (X.shape[1] * X.var()))], ("all pixels",), X, *others)


@cache
def one_gaussian(pair: tuple[int, int], seed: int = 0) -> tuple[float, float]:
    """Return the accuracy of one Gaussian kernel of all 64 pixels; C by cross-validation."""
    data = all_pixels(pair, seed)
    C = max(CHOICES, key=lambda cost: cross_validated(data.Ks[0], data.y, cost))
    return of_weights(data, np.ones(1), C)


def rivals_on_split(pair: tuple[int, int], seed: int) -> tuple[float, ...]:
    """Return the test accuracies of `MACHINES` on one split.

    C is chosen from 1, 10 and 100 by cross-validation of the average, for the first four.
    """
    data = sixteen(pair, QUARTERS, seed)
    mean = data.Ks.mean(axis=0)
    C = max(CHOICES, key=lambda cost: cross_validated(mean, data.y, cost))
    learnt = [learn(data, C, p).accuracy[0] for p in (1.0, 2.0)]
    single, one = best_single(data, C)[1], one_gaussian(pair, seed)
    return *learnt, of_weights(data, EQUAL, C)[0], single[0], one[0]


@cache
def rivals_on_splits() -> FloatArray:
    """Return `rivals_on_split` of five pairs of digits, three splits of each, shape (5, 3, 5)."""
    return np.array([[rivals_on_split(pair, seed) for seed in range(3)] for pair in PAIRS])


def beside_the_average(right: FloatArray, machines: Sequence[str] = MACHINES) -> Picture:
    """Draw how far machines are from the average, in points: each pair, mean, two errors.

    right holds accuracies in percent, shape (n_pairs, n_machines).
    """
    ahead = right - right[:, [machines.index("average")]]
    mean, error = ahead.mean(axis=0), ahead.std(axis=0, ddof=1) / np.sqrt(len(ahead))
    figure = style.new_figure((8.0, 0.8 + 0.5 * len(machines)))
    axes, rows = figure.subplots(), np.arange(len(machines))[::-1]
    axes.axvline(0, color=style.NEUTRAL, linewidth=style.THIN, zorder=1)
    for k, pair in enumerate(ahead):
        axes.plot(pair, rows + 0.15 + 0.08 * k, "o", color=style.NEUTRAL, markersize=3.5)
    axes.errorbar(mean, rows, xerr=2 * error, fmt="o", color=style.INK, capsize=4, zorder=3)
    names = [f"{name}: {p:.1f} %" for name, p in zip(machines, right.mean(axis=0), strict=True)]
    axes.set_yticks(rows, names)
    for row in np.flatnonzero(mean < -2):
        off = f"{(ahead[:, row] < -2).sum()} pairs"
        axes.text(-1.98, rows[row] - 0.3, written("← mean {:.1f}, and ", mean[row]) + off)
    axes.set(xlim=(max(ahead.min() - 0.3, -2), 1), ylim=(-0.5, len(machines) - 0.3))
    axes.set_xlabel("points ahead of the average (dots: pairs; bars: two standard errors)")
    told = [f"{a}, {m:+.1f} ± {2 * e:.1f}" for a, m, e in zip(names, mean, error, strict=True)]
    return picture(figure, f"Accuracy, and points ahead of the average: {'; '.join(told)}.")


@cache
def learnt(pair: tuple[int, int], groups: str, C: float, p: float) -> Learnt:
    """Return what is learnt of one split."""
    return learn(sixteen(pair, groups), C, p)


@cache
def rivals(
    pair: tuple[int, int], groups: str, C: float
) -> tuple[tuple[float, float], tuple[int, tuple[float, float]]]:
    """Return the accuracy of the average, and the best single kernel with its own."""
    data = sixteen(pair, groups)
    return of_weights(data, EQUAL, C), best_single(data, C)


def mean_images(pair: tuple[int, int]) -> FloatArray:
    """Return the mean images of two digits in [0, 1], one above the other, shape (18, 8)."""
    data = load_digits(pair)
    upper, lower = (data.X[data.y == k].mean(axis=0).reshape(8, 8) / 16 for k in (-1, 1))
    return np.vstack([upper, np.zeros((2, 8)), lower])


class DigitsKernels(Figure):
    """Sixteen kernels on digits: which pixels and widths are chosen, and is it worth it?

    Taught in notebook 07.
    """

    question = "Which parts of the image decide? And does learning the weights beat the average?"
    answer = ("table", "frames", "words", "rivals")
    size = (9.4, 4.6)
    pair = Choice("digits", {f"{a} against {b}": (a, b) for a, b in PAIRS})
    groups = Choice("groups of pixels", list(GROUPS))
    p = Ladder("norm p", NORMS, 1.0)
    cost = Ladder("C", COSTS, 1.0, C_with_lam)
    presets = {
        "digits 1 and 8": {},
        "digits 3 and 8": {"pair": (3, 8)},
        "digits 4 and 9": {"pair": (4, 9)},
        "pairs of rows": {"pair": (4, 9), "groups": ROWS},
    }
    readout = (
        "{pair}, 60 images   p = {p:g}   C = {cost:g} (λ = {lam:.3g})   kernels with weight: "
        "{used} of 16   SVMs: {svms}   gap {gap:.1e}\n"
        "by group: {of_groups:.2f}   best single: {best}"
    )
    alt = (
        "Weights of 16 kernels, four widths on four {groups}, {pair}, p = {p:g}, C = {cost:g}: "
        "{used} have weight; by group {of_groups:.2f}. Test accuracy: {reached}."
    )

    @property
    def y(self) -> FloatArray:
        """The labels."""
        return sixteen(self.pair, self.groups).y

    def build(self, figure: MplFigure) -> Axes:
        """Make the table of weights, the image, and the rivals."""
        table, pixels, rivals = figure.subplots(1, 3, width_ratios=[1.1, 1.1, 1.2])
        self.table = WeightTable(table, 4, [f"{f:g}" for f in FACTORS], SIMILARITY)
        self.titles = [moving_title(axes) for axes in (table, rivals)]
        table.set(xlabel="σ / median distance")
        table.set_yticks(range(4), NAMES[QUARTERS])  # the longest keep the place of all
        table.tick_params(axis="y", labelcolor="none")
        look = {"transform": table.get_yaxis_transform(), "ha": "right", "va": "center"}
        self.rows = [table.text(-0.02, k, "", **look) for k in range(4)]
        self.pixels = pixels.imshow(np.zeros((18, 8)), cmap="Greys", vmin=0, vmax=1)
        self.frames = [Rectangle((0, 0), 1, 1, fill=False, ec=style.ACCENT) for _ in range(8)]
        for frame in self.frames:
            pixels.add_patch(frame)
        self.words = [pixels.text(0, 0, "", va="center", color=style.ACCENT) for _ in range(8)]
        self.labels = [pixels.text(3.5, y, "", ha="center", va="center") for y in (-1.5, 8.5)]
        pixels.set(xlim=(-3, 10), ylim=(17.8, -2.2), xticks=[], yticks=[])
        pixels.spines[:].set_visible(False)
        self.rivals = Rivals(rivals, RIVALS, (0.8, 1.0))
        return pixels

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Learn the weights, and compare."""
        setting = self.pair, self.groups, self.cost
        run, (mean, (best, single)) = learnt(*setting, self.p), rivals(*setting)
        accuracy = np.array([run.accuracy, mean, single, one_gaussian(self.pair)])
        eta = run.weights
        table = (eta / eta.sum()).reshape(4, 4)
        of_groups = table.sum(axis=1)
        used = int((eta > 1e-3 * eta.max()).sum())

        self.table.show(table)
        self.pixels.set_data(mean_images(self.pair))
        for label, digit in zip(self.labels, self.pair, strict=True):
            label.set_text(f"mean {digit}")
        for k, (frame, words) in enumerate(zip(self.frames, self.words, strict=True)):
            x, y = GROUPS[self.groups][k % 4] % 8, GROUPS[self.groups][k % 4] // 8 + 10 * (k // 4)
            frame.set_bounds(x[0] - 0.3, y[0] - 0.3, np.ptp(x) + 0.6, np.ptp(y) + 0.6)
            frame.set_linewidth(6 * of_groups[k % 4])
            words.set(x=8 if x[0] else -1, y=y.mean(), ha="left" if x[0] else "right")
            words.set_text(f"{of_groups[k % 4]:.2f}")
        for row, name in zip(self.rows, NAMES[self.groups], strict=True):
            row.set_text(name)
        self.rivals.show(*accuracy.T)
        self.titles[0].set_text(f"{used} of 16 kernels have weight")
        ahead = 100 * (accuracy[0, 0] - accuracy[1, 0])
        self.titles[1].set_text(written("learnt − average: {:+.1f} points", ahead))
        return {
            "lam": 1 / (self.cost * N),
            "used": used,
            "svms": run.solves,
            "gap": run.gap,
            "of_groups": of_groups,
            "best": sixteen(self.pair, self.groups).names[best],
            "accuracy": accuracy,
            "reached": ", ".join(
                f"{name} {p:.1%}" for name, (p, _) in zip(RIVALS, accuracy, strict=True)
            ),
        }


class Rivals(Mark):
    """One accuracy a row, with a bar of one standard error to both sides."""

    def __init__(self, axes: Axes, names: Sequence[str], limits: tuple[float, float]) -> None:
        self.rows = np.arange(len(names))[::-1]
        self.low = limits[0]
        self.bars = LineCollection([], colors=style.INK, linewidths=style.LINE, zorder=3)
        axes.add_collection(self.bars, autolim=False)
        colours = [style.ACCENT, *[style.NEUTRAL] * (len(names) - 1)]
        self.dots = axes.scatter(
            np.zeros(len(names)), self.rows, c=colours, s=70, zorder=4, clip_on=False
        )
        self.words = [
            axes.text(limits[1], row + 0.14, "", ha="right", fontsize=10) for row in self.rows
        ]
        axes.set(xlim=limits, ylim=(-0.4, len(names) - 0.4), xlabel="test accuracy")
        axes.set_yticks(self.rows, names)
        axes.tick_params(axis="y", length=0)

    def show(self, accuracy: FloatArray, error: FloatArray) -> None:
        """Show accuracies and their standard errors, both of shape (n_names,)."""
        ends = np.clip(accuracy[:, None] + np.outer(error, [-1, 1]), self.low, 1.0)
        self.bars.set_segments(
            [[(a, row), (b, row)] for (a, b), row in zip(ends, self.rows, strict=True)]
        )
        self.dots.set_offsets(np.column_stack([np.maximum(accuracy, self.low), self.rows]))
        for text, p, e in zip(self.words, accuracy, error, strict=True):
            text.set_text(f"{p:.1%} ± {e:.1%}")


class WeightTable(Mark):
    """Weights of kernels as a table of shades: a row a group of features, a column a width."""

    def __init__(self, axes: Axes, rows: int, columns: Sequence[str], cmap: object) -> None:
        place = (-0.5, len(columns) - 0.5, rows - 0.5, -0.5)
        self.image = show_field(axes, cmap, between="nearest", extent=place)
        self.words = [
            axes.text(j, i, "", ha="center", va="center", fontsize=10)
            for i, j in np.ndindex(rows, len(columns))
        ]
        axes.set_xticks(range(len(columns)), columns)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)

    def show(self, weights: FloatArray) -> None:
        """Show weights ≥ 0, shape (rows, columns)."""
        self.image.set_data(weights / max(float(weights.max()), 1e-300))
        for text, weight in zip(self.words, weights.ravel(), strict=True):
            text.set_text(f"{weight:.2f}" if weight >= 0.005 else "0")
            text.set_color("white" if weight > weights.max() / 2 else style.INK)
