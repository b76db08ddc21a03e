"""Live figure of notebook 07: ten digits by m columns and a linear SVM, the exact one as a line."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import ipywidgets
import numpy as np

from kernellab.datasets import load_digits
from kernellab.draw import style
from kernellab.draw.title import moving_title
from kernellab.estimators import KernelSVC, LinearSVC, Nystroem, OneVsRestClassifier
from kernellab.kernels import Polynomial
from kernellab.lessons.approximation.figures.rivals_marks import AgainstColumns
from kernellab.live.explorer import WIDE, Explorer, button, choice
from kernellab.validation import FloatArray

N = 600  # to train on; as many more to look at; the rest is for one final test
KERNEL = Polynomial(2, 0.0)
COUNTS = (2, 4, 8, 16, 32, 64, 128, 256, 600)
COSTS = (1.0, 10.0, 100.0)
HOW = {"uniform": "uniform", "k-means centres": "kmeans", "pivoted Cholesky": "cholesky"}
SEEN = (4, 16)  # what is shown at first, beside the slider's own
GAP = 1e-2  # relative duality gap of all machines


@cache
def unit_digits() -> tuple[FloatArray, Any]:
    """Return 1797 images as vectors of length 1, in a shuffled order, and their digits."""
    data = load_digits(None)
    order = np.random.default_rng(0).permutation(len(data.y))
    X = data.X[order]
    return X / np.linalg.norm(X, axis=1, keepdims=True), data.y[order]


class Run(NamedTuple):
    """A machine's share of right answers on the 600 images to look at, and what it took."""

    right: float
    columns: int
    lost: float
    seconds: float


def train(how: str, m: int, C: float) -> Run:
    """Train ten linear machines on m features, and say how long it took."""
    X, y = unit_digits()
    start = time.perf_counter()
    features = Nystroem(KERNEL, m, landmarks=how).fit(X[:N])
    machine = OneVsRestClassifier(LinearSVC(C=C, gap=GAP)).fit(features.transform(X[:N]), y[:N])
    right = machine.score(features.transform(X[N : 2 * N]), y[N : 2 * N])
    seconds = time.perf_counter() - start
    lost = max(features.trace_error(X[:N]), 0.0)
    return Run(right, features.n_features_out_, lost, seconds)


def train_exactly(C: float) -> Run:
    """Train ten kernel machines, and say how long it took."""
    X, y = unit_digits()
    start = time.perf_counter()
    machine = OneVsRestClassifier(KernelSVC(KERNEL, C=C, gap=GAP)).fit(X[:N], y[:N])
    right = machine.score(X[N : 2 * N], y[N : 2 * N])
    return Run(right, N, 0.0, time.perf_counter() - start)


remembered, exactly = cache(train), cache(train_exactly)


class ColumnsRace(Explorer):
    """Set m: ten linear machines are trained on m columns, here and now. Time is taken on demand.

    Taught in notebook 07.
    """

    presets: Mapping[str, Any] = {
        "2 columns": {"m": 2},
        "64, uniform": {"m": 64},
        "64, centres": {"m": 64, "how": "kmeans"},
        "64, pivoted": {"m": 64, "how": "cholesky"},
        "all 600": {"m": 600},
    }
    memory = ("done", "clock", "clock_exact")

    def __init__(self) -> None:
        self.m = ipywidgets.SelectionSlider(
            options=list(COUNTS), value=64, description="columns m", **WIDE
        )
        self.how = choice("landmarks", HOW)
        self.cost = ipywidgets.SelectionSlider(
            options=[(f"{C:g} (λ = {1 / (C * N):.2g})", C) for C in COSTS],
            value=10.0, description="C", **WIDE,
        )  # fmt: skip
        few = {m: remembered("uniform", m, 10.0) for m in SEEN}  # the rest is for the reader
        self.done: dict[tuple[str, float], dict[int, Run]] = {("uniform", 10.0): few}
        self.clock: dict[tuple[str, float], dict[int, float]] = {}
        self.clock_exact: dict[float, float] = {}
        figure = style.new_figure((9.4, 4.4))
        left, right = figure.subplots(1, 2)
        self.accuracy = AgainstColumns(left, list(HOW))
        left.set(xlim=(1.7, 720), ylim=(0.1, 1.02), ylabel="share right, of 600 other images")
        self.times = AgainstColumns(right, list(HOW), log=True)
        right.set(xlim=(1.7, 720), ylim=(1e-3, 30), ylabel="seconds, measured here")
        self.titles = [moving_title(left), moving_title(right)]
        for axes in (left, right):
            axes.set_xticks([2, 8, 32, 128, 600], ["2", "8", "32", "128", "600"])
            axes.minorticks_off()
        figure.legend(
            handles=[*self.accuracy.dots, self.accuracy.exact], loc="outside upper center", ncols=4
        )
        self.words = right.text(
            0.5, 0.5, "", transform=right.transAxes, ha="center", va="center", color=style.NEUTRAL
        )
        super().__init__(
            "How many columns until ten linear machines are as good as the exact ones?",
            figure,
            [
                self.m, self.how, self.cost,
                button("measure the time", self.measure, tooltip="train again, by the clock"),
            ],
            moving=[*self.accuracy.artists, *self.times.artists, self.words, *self.titles],
        )  # fmt: skip

    def measure(self) -> None:
        """Train this machine and the exact one once more, and show how long each takes."""
        how, m, C = self.how.value, self.m.value, self.cost.value
        self.clock.setdefault((how, C), {})[m] = train(how, m, C).seconds
        self.clock_exact[C] = train_exactly(C).seconds
        self.live.redraw(sharp=True)

    def update(self, points: FloatArray) -> str:
        """Train with m columns; keep what was seen before."""
        how, m, C = self.how.value, self.m.value, self.cost.value
        self.run = self.done.setdefault((how, C), {})[m] = remembered(how, m, C)
        self.exact = exactly(C).right
        kept = [dict(sorted(self.done.get((h, C), {}).items())) for h in HOW.values()]
        right = [np.array([r.right for r in runs.values()]) for runs in kept]
        self.accuracy.show(
            [np.array(list(runs), dtype=float) for runs in kept],
            right,
            self.exact,
            [np.sqrt(p * (1 - p) / N) for p in right],
        )
        clocks = [dict(sorted(self.clock.get((h, C), {}).items())) for h in HOW.values()]
        self.times.show(
            [np.array(list(c), dtype=float) for c in clocks],
            [np.array(list(c.values())) for c in clocks],
            self.clock_exact.get(C, np.nan),
        )
        taken = self.clock.get((how, C), {}).get(m)
        self.words.set_text("" if C in self.clock_exact else "press “measure the time”")
        seconds = (
            f"   {taken:.3f} s, the exact one {self.clock_exact[C]:.3f} s"
            if taken is not None
            else ""
        )
        p = self.run.right
        self.titles[0].set_text(f"m = {m}: {p:.1%} right, exact {self.exact:.1%}")
        self.titles[1].set_text(
            "time: not yet taken"
            if taken is None
            else f"m = {m}: {taken / self.clock_exact[C]:.2g} times the exact machine's time"
        )
        error = np.sqrt(p * (1 - p) / N)
        n_kernel, full = N * m + m * m, N * (N + 1) // 2
        return (
            f"(x·z)²   m = {m}   C = {C:g} (λ = {1 / (C * N):.3g})   right: "
            f"{p:.1%} ± {error:.1%}, exact {self.exact:.1%}   trace lost {self.run.lost:.1%}   "
            f"gaps ≤ {GAP:g}\nkernel values to train: {n_kernel:,}, the whole K has "
            f"{full:,}   a prediction: {m} kernel values{seconds}"
        )

    def describe(self) -> str:
        """Return the alternative text."""
        seen = len(self.done[self.how.value, self.cost.value])
        return (
            f"Ten digits: the share of right answers on 600 other images against the number of "
            f"columns. With m = {self.m.value}, {self.how.value} landmarks and C = "
            f"{self.cost.value:g}: {self.run.right:.0%}; the exact machine {self.exact:.0%}. "
            f"Settings seen: {seen}. Right: time, taken on demand."
        )
