"""Live figure of notebook 03: the Gaussian kernel from "everything alike" to "everything apart"."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.ticker import MaxNLocator
from scipy.spatial.distance import cdist

from kernellab.datasets import load_iris, make_rings
from kernellab.draw import style
from kernellab.draw.contours import LevelLines
from kernellab.draw.matrix import GramImage
from kernellab.draw.picture import Picture, picture
from kernellab.draw.plane import Points, ScoreField, limits_around, plane
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, score_field
from kernellab.kernels.bandwidth import median_bandwidth
from kernellab.live.coincide import coincidence
from kernellab.live.controls import Check, Ladder, Sample
from kernellab.live.declared import Figure
from kernellab.live.memoize import memoize
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

LEAST = -700.0  # of an exponent: exp(-700) is as good as 0, and exp(-800) takes ten times as long
GAMMAS = 10.0 ** (np.arange(-12, 9) / 4)
COSTS = (0.1, 1.0, 10.0, 100.0, 1000.0)
GRID = 71
NOTHING = 1e-9  # a score nearer to zero is rounding


class Split(NamedTuple):
    """Points to train on, shapes (n, 2) and (n,), points to test on, and names of coordinates."""

    X: FloatArray
    y: FloatArray
    X_test: FloatArray
    y_test: FloatArray
    names: tuple[str, ...]


def rings() -> Split:
    """Return 40 points of two noisy rings, and 400 others."""
    data, test = make_rings(40, 12, noise=0.3), make_rings(400, 13, noise=0.3)
    return Split(data.X, data.y, test.X, test.y, data.feature_names)


def petals() -> Split:
    """Return petals of two species of iris: half of each to train on, half to test on."""
    data = load_iris(("versicolor", "virginica"), ("petal length (cm)", "petal width (cm)"))
    train = np.random.default_rng(0).permutation(len(data.y)) % 2 == 0
    return Split(data.X[train], data.y[train], data.X[~train], data.y[~train], data.feature_names)


def twins() -> Split:
    """Return 12 points, two of them the same point with two labels."""
    data, test = make_rings(12, 5, noise=0.1), make_rings(400, 13, noise=0.1)
    X, y = data.X.copy(), data.y
    X[np.flatnonzero(y > 0)[0]] = X[np.flatnonzero(y < 0)[0]]
    return Split(X, y, test.X, test.y, data.feature_names)


SAMPLES = {
    "two noisy rings": rings,
    "iris: versicolor, virginica": petals,
    "one point, two labels": twins,
}


class OverGammas(NamedTuple):
    """For each of ``GAMMAS``: α, shape (m, n), b, and the rates of both errors, shape (m,)."""

    alphas: FloatArray
    biases: FloatArray
    train: FloatArray
    test: FloatArray


@memoize
def over_gammas(
    X: FloatArray, y: FloatArray, X_test: FloatArray, y_test: FloatArray, cost: float
) -> OverGammas:
    """Train with every γ, and test."""
    # The distances are the same for every γ.
    exponents = -cdist(X, X, "sqeuclidean") * GAMMAS[:, np.newaxis, np.newaxis]
    K = np.exp(np.maximum(exponents, LEAST))
    svms = [solve(smo(one, y, cost), max_passes=10_000) for one in K]
    alphas, biases = np.array([svm.alpha for svm in svms]), np.array([svm.b for svm in svms])
    coef = alphas * y
    scores = (K @ coef[:, :, np.newaxis])[:, :, 0] + biases[:, np.newaxis]
    far = cdist(X_test, X, "sqeuclidean")
    tested = np.empty((len(GAMMAS), len(far)))
    for k, gamma in enumerate(GAMMAS):  # all at once would be more than the cache holds
        tested[k] = np.exp(np.maximum(-gamma * far, LEAST)) @ coef[k] + biases[k]
    return OverGammas(
        alphas, biases, np.mean(y * scores <= 0, axis=1), np.mean(y_test * tested <= 0, axis=1)
    )


class GammaDial(Figure):
    """One dial, γ: the Gram matrix, the boundary and both errors move together.

    SVM with the Gaussian kernel and a bias. Taught in notebook 03.
    """

    question = "Where between 'everything alike' and 'everything apart' does it learn?"
    answer = ("field", "lines", "train", "test")
    size = (9.4, 5.0)
    sample = Sample("data", SAMPLES)
    gamma = Ladder("γ", range(len(GAMMAS)), 8, lambda k, figure: with_sigma(GAMMAS[k]))
    cost = Ladder("C", COSTS, 10.0, lambda C, figure: f"{C:g} (λ = {1 / (C * len(figure.y)):.3g})")
    curves = Check("errors for every γ")
    presets = {
        "everything alike": {"gamma": 0},
        "everything apart": {"gamma": 20},
        "something between": {"gamma": 8},
        "every γ": {"gamma": 8, "curves": True},
        "iris": {"sample": "iris: versicolor, virginica", "curves": True},
        "one point, two labels": {"sample": "one point, two labels", "curves": True},
    }
    readout = (
        "median {median_words}   {finding}\n"
        "error: training {train:.1%}, test {test:.1%}   support vectors: {support} of {n}   "
        "{together}"
    )
    alt = (
        "An SVM with a Gaussian kernel on {sample}, γ = {gamma}, C = {cost:g}: its boundary, its "
        "Gram matrix sorted by class ({finding}), and its error: training {train:.1%}, test "
        "{test:.1%}; the median heuristic: {median_words}."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane, the matrix, and the errors over γ."""
        axes = figure.subplot_mosaic(
            [["plane", "gram"], ["plane", "errors"]],
            width_ratios=[1.4, 1.5],
            height_ratios=[1.15, 1],
        )
        self.plane = axes["plane"]
        self.title = moving_title(self.plane)
        self.field = ScoreField(self.plane, (0.0, 1.0, 0.0, 1.0))
        self.lines = LevelLines(self.plane, (-1.0, 0.0, 1.0))
        self.points = Points(self.plane)
        self.gram = GramImage(axes["gram"])
        axes["gram"].set_title("Gram matrix: alike is dark")
        axes["gram"].tick_params(length=0)
        self.build_errors(axes["errors"])
        return self.plane

    def build_errors(self, axes: Axes) -> None:
        """Make two error rates on a log axis of γ."""
        wide: Any = {"linewidth": style.LINE}
        tested: Any = {"color": style.ACCENT}
        self.errors = axes
        self.here = axes.axvline(np.nan, color=style.NEUTRAL, zorder=1, **wide)
        self.median = axes.axvline(
            np.nan, color=style.NEUTRAL, linestyle=":", zorder=1, label="median heuristic", **wide
        )
        (self.train,) = axes.plot([], [], color=style.INK, label="training", **wide)
        (self.test,) = axes.plot([], [], linestyle="--", label="test", **wide, **tested)
        self.dots = axes.scatter(
            [1, 1], [0, 0], c=[style.INK, style.ACCENT], s=60, zorder=5, clip_on=False
        )
        axes.set(
            xscale="log", xlim=(GAMMAS[0] / 1.2, GAMMAS[-1] * 1.2), ylim=(0, 0.62),
            xlabel="γ (log scale)", ylabel="error rate",
        )  # fmt: skip
        axes.legend(
            handles=[self.train, self.test, self.median], ncols=3, loc="lower center",
            bbox_to_anchor=(0.5, 0.98), borderaxespad=0.1,
        )  # fmt: skip

    def take(self, data: Split) -> None:
        """Take points to train on and to test on."""
        self.X, self.y, self.split = data.X, data.y, data
        plane(self.plane, limits_around(self.X, 0.25), data.names)
        self.plane.yaxis.set_label_coords(-0.13, 0.5)  # where the longest ticks leave it room
        self.plane.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 5, 10]))

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Train with this γ, and with all others for the curves, on the points as they are."""
        X, y, k, n = self.X, self.y, self.gamma, len(self.y)
        run = self.run = over_gammas(X, y, self.split.X_test, self.split.y_test, self.cost)
        K, alpha = Gaussian(GAMMAS[k])(X), run.alphas[k]
        show_svm((self.field, self.lines, self.points), (X, y), k, run, alpha / self.cost)
        by_class = np.argsort(y, kind="stable")
        squares = int((y < 0).sum())
        self.gram.show(K[np.ix_(by_class, by_class)], [squares])
        self.gram.axes.set_yticks([squares / 2, (n + squares) / 2], ["squares", "circles"])
        median, train, test = median_gamma(X), run.train[k], run.test[k]
        self.show_errors(run, k, median)
        self.title.set_text(f"γ = {GAMMAS[k]:.3g}: test error {test:.0%}")
        return {
            "median": median,
            "median_words": "has nothing to say: most points lie on one another"
            if np.isnan(median)
            else f"γ = {median:.3g}",
            "finding": find(K[np.triu_indices(n, 1)]),
            "together": coincidence(X, y, "no kernel tells them apart"),
            "n": n,
            "support": (alpha > 0).sum(),
            "train": train,
            "test": test,
        }

    def show_errors(self, run: OverGammas, k: int, median: float) -> None:
        """Show both rates at γ; over all γ if that is asked."""
        here, train, test = GAMMAS[k], run.train[k], run.test[k]
        top = 0.62 if max(run.train.max(), run.test.max()) <= 0.6 else 1.05
        if self.errors.get_ylim()[1] != top:
            self.errors.set_ylim(0, top)
        for curve, rates in ((self.train, run.train), (self.test, run.test)):
            curve.set_data(GAMMAS, rates if self.curves else np.full(len(GAMMAS), np.nan))
        self.here.set_xdata([here] * 2)
        self.median.set_xdata([median] * 2)
        self.dots.set_offsets([(here, train), (here, test)])


def show_svm(marks: Any, data: Any, k: int, run: OverGammas, weight: Any = 0.0) -> None:
    """Show the SVM of the k-th γ by field, lines and points; by their size, α as a share of C."""
    X, y = data[:2]
    coef, b = run.alphas[k] * y, run.biases[k]
    left, right, bottom, top = limits = marks[0].image.axes.axis()
    x1, x2 = np.linspace(left, right, GRID), np.linspace(bottom, top, GRID)
    field = score_field(Gaussian(GAMMAS[k]), X, coef, x1, x2) + b
    marks[0].show(np.sign(field) * np.maximum(np.abs(field), 0.3), limits)  # tint a low sea too
    marks[1].show(x1, x2, np.where(np.abs(field) < NOTHING, 0.0, field))
    mistaken = y * (Gaussian(GAMMAS[k])(X) @ coef + b) <= 0
    marks[2].show(X, y, weight=weight, largest=1.0, mistaken=mistaken)


def find(pairs: FloatArray) -> str:
    """Say how alike different points are, of which k is given for all pairs."""
    found = f"k of two points from {pairs.min():.3f} to {pairs.max():.3f}"
    if np.median(pairs) > 0.99:
        return f"{found}: everything alike"
    return f"{found}: everything apart" if np.median(pairs) < 0.01 else found


def valley() -> Picture:
    """Return a picture of three SVMs on the rings, their Gram matrices, and the errors over γ."""
    data = rings()
    run = over_gammas(*data[:4], 10.0)
    by_class, squares = np.argsort(data.y, kind="stable"), int((data.y < 0).sum())
    figure, limits = style.new_figure((9.4, 4.6)), limits_around(data.X, 0.15)
    panels = figure.subplot_mosaic("ABCd;abcd", width_ratios=[1, 1, 1, 1.5])
    axes, shown = panels["d"], [0, 8, 20]  # an SVM and a matrix for each of these γ
    for above, name, k in zip("ABC", "abc", shown, strict=True):
        GramImage(panels[name]).show(Gaussian(GAMMAS[k])(data.X[by_class]), [squares])
        plane(panels[above], limits, ("", ""))
        panels[above].set(xticks=[], yticks=[], title=f"γ = {GAMMAS[k]:g}")
        lines = LevelLines(panels[above], (-1.0, 0.0, 1.0))
        marks = ScoreField(panels[above], limits), lines, Points(panels[above])
        show_svm(marks, data, k, run)
    looks = ("training", style.INK, "-"), ("test", style.ACCENT, "--")
    for rates, (name, colour, dash) in zip(run[2:], looks, strict=True):
        axes.plot(GAMMAS, rates, color=colour, linestyle=dash, linewidth=style.LINE, label=name)
        axes.scatter(GAMMAS[shown], rates[shown], color=colour, clip_on=False, zorder=4)
    axes.axvline(median_gamma(data.X), color=style.NEUTRAL, linestyle=":", label="median heuristic")
    axes.set(xscale="log", ylim=(0, 0.62), xlabel="γ (log scale)", ylabel="error rate")
    axes.legend(loc="upper right", handlelength=1.2)
    told = [f"{run.train[k]:.1%} and {run.test[k]:.1%} at γ = {GAMMAS[k]:g}" for k in shown]
    alt = "SVMs: nearly a line, nearly a circle, islands. Gram matrices: black, mixed, a diagonal."
    return picture(figure, f"{alt} Training and test error: {', '.join(told)}.")


def median_gamma(X: FloatArray) -> float:
    """Return the γ of the median heuristic; NaN if most points lie on one another."""
    try:
        return float(0.5 / median_bandwidth(X) ** 2)
    except ValueError:
        return np.nan


def with_sigma(gamma: float) -> str:
    """Write γ with its σ."""
    return f"{gamma:.4g} (σ = {np.sqrt(0.5 / gamma):.3g})"
