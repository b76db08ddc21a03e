"""Live figure of notebook 01: the perceptron, one test at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

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
from kernellab.draw.curves import nice_limit
from kernellab.draw.plane import (
    Points,
    ScoreField,
    Separator,
    limits_around,
    line_in_box,
    plane,
)
from kernellab.draw.stems import Stems
from kernellab.draw.title import moving_title
from kernellab.lessons.perceptron.figures.stepper_marks import Mistakes
from kernellab.live.controls import Button, Check, Player, Sample, Steps
from kernellab.live.declared import Figure
from kernellab.solvers.hard_margin import max_margin_through_origin
from kernellab.solvers.perceptron import homogeneous, trace, weights_from_counts
from kernellab.solving import CONVERGED
from kernellab.validation import FloatArray

MAX_PASSES = 60
THE_END = 10**6  # more steps than any run has
MAX_GRIPS = 24  # more points than this are measured data, and stay where they were measured

SAMPLES = {
    "two clouds": lambda: make_clouds(16, 3.5, 20),
    "AND": lambda: make_and((0, 1)),
    "XOR": lambda: make_xor((0, 1)),
    "one point, two labels": make_contradiction,
    "iris: setosa, versicolor": lambda: iris_petals("setosa", "versicolor"),
    "iris: versicolor, virginica": lambda: iris_petals("versicolor", "virginica"),
}


def iris_petals(first: str, second: str) -> Dataset:
    """Return two species by the length and width of their petals."""
    return load_iris((first, second), ("petal length (cm)", "petal width (cm)"))


class PerceptronStepper(Figure):
    """Step through a run of the perceptron: the line, the example just tested, α, the bound.

    Works on points (x₁, x₂, 1), so that the bias is a weight like the others, and Novikoff's
    bound is measured in the same coordinates. Taught in notebook 01.
    """

    question = "A point has been put on its right side: can it become wrong again?"
    size = (9.4, 4.3)
    strip_size = (7.2, 3.4)
    sample = Sample("data", SAMPLES, most=MAX_GRIPS)
    t = Steps("test t", 0, THE_END, 0)
    bound = Check("show the bound")
    play = Player("t", 350, "play the tests")
    presets = {
        "before: one is wrong": {"t": 23},
        "one is helped, two pay": {"t": 24},
        "no mistake left": {"t": THE_END},
        "within the bound": {"t": THE_END, "bound": True},
        "AND": {"sample": "AND"},
        "XOR": {"sample": "XOR"},
        "one point, two labels": {"sample": "one point, two labels"},
        "iris": {"sample": "iris: versicolor, virginica"},
        "iris, sixty passes": {"sample": "iris: versicolor, virginica", "t": THE_END},
    }
    memory = {"shuffles": 0}  # how often the examples were put in another order
    readout = (
        "{start}   test {step}: example {i} has y f(x) = {margin:.3g} {lesson}\n"
        "mistakes so far {mistakes:g}   {bound_or_not}   {end}"
    )
    alt = (
        "The perceptron on {sample}, {n} examples; tests {t}, mistakes {mistakes_so_far:g}"
        "{and_bound}. Left: the points, larger with more mistakes, and the line. "
        "Right: the mistakes on each example, {counts}and their sum."
    )

    @Button("step", "test the next example")
    def step(self) -> None:
        """Test the next example."""
        self.t += 1

    @Button("shuffle", "test the examples in another order")
    def shuffle(self) -> None:
        """Put the examples in another order, and start again; from the end, go to the new end."""
        self.shuffles += 1
        if self.t < self.controls["t"].max:
            self.t = 0

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane, the stems of α, and the mistakes over the steps."""
        axes = figure.subplot_mosaic(
            [["plane", "alpha"], ["plane", "mistakes"]], width_ratios=[1.05, 1]
        )
        self.plane, self.dual = axes["plane"], axes["alpha"]
        self.title = moving_title(self.plane)
        self.plane.locator_params(nbins=6)
        self.dual.set(ylabel="mistakes on it", title="mistakes on each example")
        self.field = ScoreField(self.plane, (0.0, 1.0, 0.0, 1.0))
        self.line = Separator(self.plane)
        (self.best,) = self.plane.plot([], [], "--", color=style.ACCENT, linewidth=style.LINE)
        self.points = Points(self.plane)
        self.nearest = self.plane.scatter(
            [], [], facecolors="none", edgecolors=style.INK, linestyles="--", zorder=5
        )
        self.farthest = self.plane.annotate(
            "R", (0, 0), (0, 0), textcoords="offset points", ha="center", va="center"
        )
        self.stems = Stems(self.dual)
        self.mistakes = Mistakes(axes["mistakes"])
        return self.plane

    def take(self, data: Dataset) -> None:
        """Take points in the order of the data, and start again."""
        super().take(data)
        few = len(self.X) <= len(make_xor().X)  # large marks, at the corners of a square
        plane(self.plane, limits_around(self.X, 0.45 if few else 0.25), data.feature_names)
        self.order = np.arange(len(self.y))
        if self.numbers:  # others were shown before
            self.shuffles = 0
            with self.quietly():
                self.t = 0
        self.shuffled()

    def shuffled(self) -> bool:
        """Put the examples in the order that is asked for; return whether it is another one."""
        n = len(self.y)
        order = np.arange(n)
        if self.shuffles:
            order = np.random.default_rng(self.shuffles - 1).permutation(n)
        if np.array_equal(order, self.order):
            return False
        back = np.argsort(self.order)
        self.X, self.y, self.order = self.X[back][order], self.y[back][order], order
        return True

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Run the perceptron on the points as they are, and show it after t tests."""
        if self.shuffled():
            self.place(self.handles())
        X, y = homogeneous(self.X), self.y
        run = self.run = trace(X @ X.T, y, max_passes=MAX_PASSES)
        w, separable = max_margin_through_origin(X, y)
        bound = novikoff_bound(X, y, w) if separable == CONVERGED else None
        self.words = "no bound: not separable" if bound is None else f"bound {bound:.4g}"
        n_steps = len(run.order)
        at_the_end = self.t == self.controls["t"].max
        self.set_max("t", n_steps)
        if at_the_end:  # and stays there when a dragged point makes the run longer
            with self.quietly():
                self.t = n_steps
        t = self.t
        alpha = run.alpha(t)
        used = int(run.order[t - 1]) if t > 0 else None
        tested = "was a mistake" if t and run.mistake[t - 1] else "was right"
        self.title.set_text(f"ringed: test {t}, {tested}" if t else "before the first test")
        self.draw(X, weights_from_counts(X, y, alpha), alpha, used, bound)
        self.draw_bound(X, w if self.bound and bound is not None else None)
        shown = {
            "n": len(y),
            "alpha": alpha,
            "bound": bound,
            "and_bound": f", {self.words}" if self.bound else "",
            "mistakes_so_far": alpha.sum(),
            "counts": f"alpha = {alpha.astype(int).tolist()}, " if len(y) <= MAX_GRIPS else "",
        }
        if used is None:
            start = "test 0: w = 0, so every score is 0; the first example will be a mistake"
            return {**shown, "start": start}
        before = weights_from_counts(X, y, run.alpha(t - 1))
        sign = "+" if y[used] > 0 else "−"
        return {
            **shown,
            "step": t,
            "i": used,
            "margin": y[used] * (X[used] @ before),
            "lesson": f"≤ 0, a mistake: w ← w {sign} x"
            if run.mistake[t - 1]
            else "> 0, right: nothing changes",
            "mistakes": alpha.sum(),
            "bound_or_not": self.words if self.bound else None,
            "end": f"{run.status} after {n_steps // len(y)} passes" if t == n_steps else None,
        }

    def draw(
        self, X: FloatArray, w: FloatArray, alpha: FloatArray, used: int | None, bound: Any
    ) -> None:
        """Show weights (w₁, w₂, b), the mistakes on each example, and those over the steps."""
        mistaken = self.y * (X @ w) <= 0
        limits = left, right, bottom, top = self.plane.axis()
        x1, x2 = np.linspace(left, right, 25), np.linspace(bottom, top, 25)
        self.field.show(w[0] * x1 + w[1] * x2[:, None] + w[2], limits)
        self.line.show(w[:2], w[2])
        n, n_steps = len(self.y), len(self.run.order)
        in_the_end = float(self.run.alpha(n_steps).max())  # so that marks compare from step to step
        self.points.show(
            self.X, self.y, weight=alpha, largest=in_the_end, used=used, mistaken=mistaken
        )
        self.stems.show(alpha, self.y, used=used)
        so_far = np.concatenate([[0], np.cumsum(self.run.mistake)])
        if self.bound:
            self.mistakes.show(so_far, self.t, bound, self.words)
        else:
            self.mistakes.show(so_far, self.t, None)
        most = nice_limit(int(alpha.max()))  # so far: the axis does not tell what is to come
        self.dual.set(xlim=(-0.7 - 0.02 * n, 1.02 * n - 0.3), ylim=(0, most))
        self.mistakes.axes.set_xlim(0, nice_limit(n_steps))

    def draw_bound(self, X: FloatArray, w: FloatArray | None) -> None:
        """Show the best line, ring the examples nearest to it, name the farthest; None hides it."""
        for mark in (self.best, self.nearest, self.farthest):
            mark.set_visible(w is not None)
        if w is None:
            return
        self.best.set_data(*line_in_box(w[:2], w[2], self.plane.axis()).T)
        margins = self.y * (X @ w)
        nearest = margins <= 1.01 * margins.min()
        sizes = np.empty(len(self.y))
        for label, mark in self.points.marks.items():
            sizes[self.y == label] = mark.get_sizes()
        self.nearest.set(offsets=self.X[nearest], sizes=1.4 * sizes[nearest] + 90)
        i = np.linalg.norm(X, axis=1).argmax()
        self.farthest.xy = self.X[i]
        self.farthest.xyann = 18 * self.y[i] * w[:2] / np.linalg.norm(w[:2])
