"""Live figure of notebook 03: the Gaussian kernel from "everything alike" to "everything apart"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import ipywidgets
import numpy as np
from matplotlib.ticker import MaxNLocator
from scipy.spatial.distance import cdist

from kernellab.certificates import spectrum
from kernellab.datasets import load_iris, make_rings
from kernellab.draw import style
from kernellab.draw.contours import LevelLines
from kernellab.draw.matrix import GramImage, Spectrum
from kernellab.draw.plane import Points, ScoreField, limits_around, plane
from kernellab.kernels import Gaussian, score_field
from kernellab.kernels.bandwidth import median_bandwidth
from kernellab.lessons.kernels.figures.errors_marks import ErrorCurves
from kernellab.live.coincide import coincidence
from kernellab.live.explorer import WIDE, Explorer, choice, class_handles
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

LEAST = -700.0  # of an exponent: exp(-700) is as good as 0, and exp(-800) takes ten times as long
GAMMAS = 10.0 ** (np.arange(-12, 13) / 4)
COSTS = (0.1, 1.0, 10.0, 100.0, 1000.0)
GRID = 71
MAX_GRIPS = 40
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


SAMPLES: dict[str, Callable[[], Split]] = {
    "two noisy rings": rings,
    "iris: versicolor, virginica": petals,
    "one point, two labels": twins,
}


def words_for(gamma: float) -> str:
    """Return γ with its σ, as the dial shows them."""
    return f"{gamma:.4g} (σ = {np.sqrt(0.5 / gamma):.3g})"


class GammaDial(Explorer):
    """One dial, γ: the Gram matrix, its spectrum, the boundary and both errors move together.

    SVM with the Gaussian kernel and a bias. Taught in notebook 03.

    Parameters
    ----------
    sample
        One of the names in ``SAMPLES``: what is shown first.
    """

    presets: Mapping[str, Any] = {
        "everything alike": {"gamma": 0},
        "in between": {"gamma": 12},
        "everything apart": {"gamma": 24},
        "iris": {"sample": "iris: versicolor, virginica"},
        "one point, two labels": {"sample": "one point, two labels", "gamma": 16},
    }

    def __init__(self, sample: str = "two noisy rings") -> None:
        self.sample = choice("data", list(SAMPLES))
        self.sample.value = sample
        self.gamma = ipywidgets.SelectionSlider(
            options=[(words_for(gamma), k) for k, gamma in enumerate(GAMMAS)],
            value=12, description="γ", **WIDE,
        )  # fmt: skip
        self.cost = ipywidgets.SelectionSlider(
            options=[("", cost) for cost in COSTS], value=10.0, description="C", **WIDE
        )
        figure = style.new_figure((9.4, 5.4))
        axes = figure.subplot_mosaic(
            [["plane", "gram", "spectrum"], ["plane", "errors", "errors"]],
            width_ratios=[1.5, 0.75, 0.85],
            height_ratios=[1, 1.1],
        )
        self.plane = axes["plane"]
        self.field = ScoreField(self.plane, (0.0, 1.0, 0.0, 1.0))
        self.lines = LevelLines(self.plane, (-1.0, 0.0, 1.0))
        self.points = Points(self.plane)
        self.gram = GramImage(axes["gram"])
        axes["gram"].set_title("alike is dark")
        self.spectrum = Spectrum(axes["spectrum"], floor=1e-8)
        axes["spectrum"].set(title="eigenvalues, sum n", ylim=(1e-8, 100), ylabel="")
        axes["spectrum"].set_yticks([1e-8, 1e-4, 1.0])
        self.errors = ErrorCurves(axes["errors"], (GAMMAS[0] / 1.2, GAMMAS[-1] * 1.2))
        self._problem: tuple[object, ...] = ()
        self.title = self.plane.set_title("")  # which would have another size if it were set anew
        self._load()
        super().__init__(
            "Where between 'everything alike' and 'everything apart' does it learn?",
            figure,
            [self.sample, self.gamma, self.cost],
            moving=[
                artist
                for mark in (
                    self.field, self.lines, self.points, self.gram, self.spectrum, self.errors,
                )
                for artist in mark.artists
            ],
            axes=self.plane,
            points=self._grips(),
            handles=self._handles(),
        )  # fmt: skip

    def update(self, points: FloatArray) -> str:
        """Train with this γ, and with all others for the curves, on the points as they are."""
        if self.sample.value != self._loaded:
            self._load()
            self.live.place(points := self._grips(), self._handles())
        self.X[: len(points)] = points
        k = self.gamma.value
        kernel = Gaussian(GAMMAS[k])
        self._train_all()
        alpha, b = self.alphas[k], self.biases[k]
        K = kernel(self.X)
        values = spectrum(K)
        left, right, bottom, top = limits = self.plane.axis()
        x1, x2 = np.linspace(left, right, GRID), np.linspace(bottom, top, GRID)
        field = score_field(kernel, self.X, alpha * self.y, x1, x2) + b
        self.field.show(field, limits)
        self.lines.show(x1, x2, np.where(np.abs(field) < NOTHING, 0.0, field))
        scores = K @ (alpha * self.y) + b
        self.points.show(self.X, self.y, weight=alpha, mistaken=self.y * scores <= 0)
        by_class = np.argsort(self.y, kind="stable")
        self.gram.show(K[np.ix_(by_class, by_class)], [int((self.y < 0).sum())])
        self.spectrum.show(values)
        n = len(self.y)
        self.spectrum.axes.set_xlim(0, n + 1)
        self.median = self._median()
        test, n_test = self.test[k], len(self.split.y_test)
        error = np.sqrt(test * (1 - test) / n_test)
        self.errors.show(GAMMAS, self.train, self.test, at=k, median=self.median, error=2 * error)
        return self._sentence(K, values, alpha, 2 * error)

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"An SVM with a Gaussian kernel on {self._loaded}, "
            f"γ = {words_for(GAMMAS[self.gamma.value])}, C = {self.cost.value:g}: its boundary, "
            f"its Gram matrix sorted by class ({self.finding}), its spectrum, and training and "
            f"test error against γ, here {self.train[self.gamma.value]:.1%} and "
            f"{self.test[self.gamma.value]:.1%}; the median heuristic: "
            f"{self.words_for_median}."
        )

    # --- how it does it ------------------------------------------------------------------------

    def _load(self) -> None:
        self._loaded = self.sample.value
        self.split = SAMPLES[self._loaded]()
        self.X, self.y = self.split.X.copy(), self.split.y
        n = len(self.y)
        self.offer(self.cost, [(f"{C:g} (λ = {1 / (C * n):.2g})", C) for C in COSTS])
        plane(self.plane, limits_around(self.X, 0.25), self.split.names)
        self.title.set_text(f"SVM on {self._loaded}")
        self.plane.yaxis.set_label_coords(-0.13, 0.5)  # where the longest ticks leave it room
        self.plane.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 5, 10]))

    def _grips(self) -> FloatArray:
        return self.X if len(self.X) <= MAX_GRIPS else self.X[:0]

    def _handles(self) -> list[dict[str, str]]:
        return class_handles(self.y[: len(self._grips())])

    def _train_all(self) -> None:
        """Train with every γ, unless nothing has changed."""
        problem = (self.X.tobytes(), self.cost.value)
        if problem == self._problem:
            return
        self._problem = problem
        # The distances are the same for every γ.
        exponents = -cdist(self.X, self.X, "sqeuclidean") * GAMMAS[:, np.newaxis, np.newaxis]
        K = np.exp(np.maximum(exponents, LEAST))
        svms = [solve(smo(one, self.y, self.cost.value), max_passes=10_000) for one in K]
        self.alphas = np.array([svm.alpha for svm in svms])
        self.biases = np.array([svm.b for svm in svms])
        coef = self.alphas * self.y
        scores = (K @ coef[:, :, np.newaxis])[:, :, 0] + self.biases[:, np.newaxis]
        self.train = np.mean(self.y * scores <= 0, axis=1)
        far = cdist(self.split.X_test, self.X, "sqeuclidean")
        scores = np.empty((len(GAMMAS), len(far)))
        for k, gamma in enumerate(GAMMAS):  # all at once would be more than the cache holds
            scores[k] = np.exp(np.maximum(-gamma * far, LEAST)) @ coef[k] + self.biases[k]
        self.test = np.mean(self.split.y_test * scores <= 0, axis=1)

    def _median(self) -> float:
        try:
            return float(0.5 / median_bandwidth(self.X) ** 2)
        except ValueError:  # most points lie on one another
            return np.nan

    @property
    def words_for_median(self) -> str:
        """The γ of the median heuristic, or why there is none."""
        if np.isnan(self.median):
            return "has nothing to say: most points lie on one another"
        return f"γ = {self.median:.3g}"

    def _sentence(self, K: FloatArray, values: FloatArray, alpha: FloatArray, error: float) -> str:
        """Say how alike the points are, how many directions they span, and what was learnt."""
        n = len(self.y)
        pairs = K[np.triu_indices(n, 1)]
        large = int((values > 0.01 * n).sum())
        self.finding = f"k between different points from {pairs.min():.3f} to {pairs.max():.3f}"
        if np.median(pairs) > 0.99:
            self.finding += ": everything alike"
        elif np.median(pairs) < 0.01:
            self.finding += ": everything apart"
        if together := coincidence(self.X, self.y, "no kernel tells them apart"):
            self.finding += f"   {together}"
        k, cost = self.gamma.value, self.cost.value
        return (
            f"γ = {words_for(GAMMAS[k])}   C = {cost:g} (λ = {1 / (cost * n):.3g})   "
            f"median heuristic {self.words_for_median}\n{self.finding}\n"
            f"eigenvalues above 1 % of n: {large} of {n}   support vectors: "
            f"{int((alpha > 0).sum())}   error: training {self.train[k]:.1%}, "
            f"test {self.test[k]:.1%} ± {error:.1%}"
        )
