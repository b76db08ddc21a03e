"""Live figure of notebook 01: the perceptron, one test at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.certificates import novikoff_bound
from kernellab.datasets import (
    Dataset,
    load_iris,
    make_and,
    make_clouds,
    make_contradiction,
    make_xor,
)
from kernellab.draw import style
from kernellab.draw.bars import Stems
from kernellab.draw.curves import Mistakes, nice_limit
from kernellab.draw.plane import Points, ScoreField, Separator, limits_around, plane
from kernellab.hard_margin import max_margin_through_origin
from kernellab.live.explorer import Explorer, button, choice, class_handles, player, steps
from kernellab.perceptron import homogeneous, trace, weights_from_counts
from kernellab.solving import CONVERGED
from kernellab.validation import FloatArray

MAX_PASSES = 60
THE_END = 10**6  # more steps than any run has
MAX_GRIPS = 24  # more points than this are measured data, and stay where they were measured

Samples = dict[str, Callable[[], Dataset]]
SAMPLES: Samples = {
    "two clouds": lambda: make_clouds(16, 3.5, 20),
    "AND": lambda: make_and((0, 1)),
    "XOR": make_xor,
    "one point, two labels": make_contradiction,
    "iris: setosa, versicolor": lambda: iris_petals("setosa", "versicolor"),
    "iris: versicolor, virginica": lambda: iris_petals("versicolor", "virginica"),
}


def iris_petals(first: str, second: str) -> Dataset:
    """Return two species by the length and width of their petals."""
    return load_iris((first, second), ("petal length (cm)", "petal width (cm)"))


class PerceptronStepper(Explorer):
    """Step through a run of the perceptron: the line, the example just tested, α, the bound.

    Works on points (x₁, x₂, 1), so that the bias is a weight like the others, and Novikoff's
    bound is measured in the same coordinates. Taught in notebook 01.

    Parameters
    ----------
    sample
        One of the names in ``samples``: what is shown first.
    step
        Where in the run it stands first.
    samples
        Data sets in the plane to choose from.
    """

    presets: Mapping[str, Any] = {
        "separable": {"sample": "two clouds"},
        "AND": {"sample": "AND"},
        "XOR": {"sample": "XOR"},
        "one point, two labels": {"sample": "one point, two labels"},
        "iris, separable": {"sample": "iris: setosa, versicolor", "t": THE_END},
        "iris, not separable": {"sample": "iris: versicolor, virginica", "t": THE_END},
    }
    memory = ("shuffles",)

    X: FloatArray
    y: FloatArray
    _shuffles: int

    def __init__(
        self, sample: str = "two clouds", *, step: int = 0, samples: Samples = SAMPLES
    ) -> None:
        self.samples = samples
        self.sample = choice("data", list(samples))
        self.sample.value = sample
        self.t = steps("step t", 0, 0, 1)
        figure = style.new_figure((9.4, 4.3))
        axes = figure.subplot_mosaic(
            [["plane", "alpha"], ["plane", "mistakes"]], width_ratios=[1.05, 1]
        )
        self.plane, self.dual = axes["plane"], axes["alpha"]
        self.plane.set_title("primal: the mistakes add up to a line")
        self.dual.set(
            ylabel=r"mistakes on it $\alpha_i$", title="dual: a few examples carry the line"
        )
        self.field = ScoreField(self.plane, (0.0, 1.0, 0.0, 1.0))
        self.line = Separator(self.plane)
        self.points = Points(self.plane)
        self.stems = Stems(self.dual)
        self.mistakes = Mistakes(axes["mistakes"])
        self._load()
        self.t.max = max(step, 1)
        self.t.value = step
        play = player(self.t, 350, "play the steps")
        super().__init__(
            "How many mistakes before the line stands still, and which examples made it move?",
            figure,
            [
                self.sample,
                self.t,
                play,
                button("step", self.step, tooltip="test the next example"),
                button("shuffle", self.shuffle, tooltip="test the examples in another order"),
            ],
            moving=[
                *self.field.artists,
                *self.line.artists,
                *self.points.artists,
                *self.stems.artists,
                *self.mistakes.artists,
            ],
            axes=self.plane,
            points=self._grips(),
            handles=self._handles(),
        )

    # --- what the controls do ------------------------------------------------------------------

    def step(self) -> None:
        """Test the next example."""
        self.t.value = min(self.t.value + 1, self.t.max)

    def shuffle(self) -> None:
        """Put the examples in another order, and start again."""
        self.shuffles += 1
        self.set_quietly(self.t, 0)
        self.live.redraw(sharp=True)

    @property
    def shuffles(self) -> int:
        """How often the examples were put in another order; 0 is the order of the data."""
        return self._shuffles

    @shuffles.setter
    def shuffles(self, count: int) -> None:
        back, order = np.argsort(self._order(self._shuffles)), self._order(count)
        self.X, self.y = self.X[back][order], self.y[back][order]
        self._shuffles = count
        self.live.place(self._grips(), self._handles())

    def update(self, points: FloatArray) -> str:
        """Run the perceptron on the points as they are, and show it after t tests."""
        if self.sample.value != self._loaded:
            self._load()
            self.live.place(points := self._grips(), self._handles())
        self.X[: len(points)] = points
        X = homogeneous(self.X)
        self.run = trace(X @ X.T, self.y, max_passes=MAX_PASSES)
        w, separable = max_margin_through_origin(X, self.y)
        self.bound = novikoff_bound(X, self.y, w) if separable == CONVERGED else None
        n_steps = len(self.run.order)
        if self.t.value > n_steps:
            self.set_quietly(self.t, n_steps)
        self.t.max = n_steps
        t = self.t.value
        self.alpha = self.run.alpha(t)
        self.w = weights_from_counts(X, self.y, self.alpha)
        self._draw(t)
        return self._sentence(X, t)

    def describe(self) -> str:
        """Return the alternative text."""
        bound = "no bound" if self.bound is None else f"Novikoff's bound {self.bound:.4g}"
        counts = f"alpha = {self.alpha.astype(int).tolist()}, " if len(self.y) <= MAX_GRIPS else ""
        return (
            f"{self.alpha.sum():g} mistakes in {self.t.value} tests ({bound}): the perceptron on "
            f"{self._loaded}, {len(self.y)} examples. Left: the points, larger with more "
            f"mistakes, and the line. Right: the mistakes on each example, {counts}and their sum."
        )

    # --- how it does it ------------------------------------------------------------------------

    def _load(self) -> None:
        data = self.samples[self.sample.value]()
        self._loaded = self.sample.value
        self.X, self.y = data.X.copy(), data.y.copy()
        self._shuffles = 0
        self.set_quietly(self.t, 0)
        plane(self.plane, limits_around(self.X, 0.25), data.feature_names)

    def _order(self, shuffles: int) -> NDArray[np.int64]:
        n = len(self.y)
        return np.random.default_rng(shuffles - 1).permutation(n) if shuffles else np.arange(n)

    def _grips(self) -> FloatArray:
        return self.X if len(self.X) <= MAX_GRIPS else self.X[:0]

    def _handles(self) -> list[dict[str, str]]:
        return class_handles(self.y[: len(self._grips())])

    def _draw(self, t: int) -> None:
        used, mistaken = None, np.zeros(len(self.y), dtype=bool)
        if t > 0:
            used = int(self.run.order[t - 1])
            mistaken[used] = self.run.mistake[t - 1]
        limits = left, right, bottom, top = self.plane.axis()
        x1, x2 = np.linspace(left, right, 25), np.linspace(bottom, top, 25)
        self.field.show(self.w[0] * x1 + self.w[1] * x2[:, None] + self.w[2], limits)
        self.line.show(self.w[:2], self.w[2])
        self.points.show(self.X, self.y, weight=self.alpha, used=used, mistaken=mistaken)
        self.stems.show(self.alpha, self.y, used=used)
        so_far = np.concatenate([[0], np.cumsum(self.run.mistake)])
        self.mistakes.show(so_far, t, self.bound)
        most = self.run.alpha(len(self.run.order)).max()
        self.dual.set(
            xlim=(-0.7 - 0.02 * len(self.y), 1.02 * len(self.y) - 0.3),
            ylim=(0, nice_limit(int(most))),
        )
        self.mistakes.axes.set_xlim(0, nice_limit(len(self.run.order)))

    def _sentence(self, X: FloatArray, t: int) -> str:
        """Say what the last test did, and how the run ends."""
        if t == 0:
            return "step 0: w = 0, so every score is 0; the first example will be a mistake"
        i = int(self.run.order[t - 1])
        before = weights_from_counts(X, self.y, self.run.alpha(t - 1))
        margin = self.y[i] * (X[i] @ before)
        sign = "+" if self.y[i] > 0 else "−"
        lesson = (
            f"≤ 0, a mistake: α becomes {self.alpha[i]:g}, w ← w {sign} x"
            if self.run.mistake[t - 1]
            else "> 0, right: nothing changes"
        )
        total, passes = int(self.run.mistake.sum()), len(self.run.order) // len(self.y)
        end = "converged in" if self.run.status == CONVERGED else "not converged: stopped after"
        bound = "none, not separable" if self.bound is None else f"{self.bound:.4g}"
        return (
            f"step {t}: example {i} has y f(x) = {margin:.3g} {lesson}\n"
            f"mistakes {self.alpha.sum():g} of {total}   bound {bound}   {end} {passes} passes"
        )
