"""Live figure of notebook 07: ten digits by m columns and a linear SVM, the exact one as a line."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure as MplFigure
from matplotlib.lines import Line2D

from kernellab.datasets import load_digits
from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.draw.title import moving_title
from kernellab.estimators import KernelSVC, LinearSVC, Nystroem, OneVsRestClassifier
from kernellab.kernels import Polynomial
from kernellab.live.controls import Button, Choice, Ladder
from kernellab.live.declared import Figure
from kernellab.live.parameters import C_with_lam
from kernellab.validation import FloatArray

N = 600  # to train on; as many more to look at; the rest is for one final test
KERNEL = Polynomial(2, 0.0)
COUNTS = (2, 4, 8, 16, 32, 64, 128, 256, 600)
COSTS = (1.0, 10.0, 100.0)
HOW = {"uniform": "uniform", "k-means centres": "kmeans", "pivoted Cholesky": "cholesky"}
GAP = 1e-2  # relative duality gap of all machines


@cache
def unit_digits() -> tuple[FloatArray, Any]:
    """Return 1797 images as vectors of length 1, in a shuffled order, and their digits."""
    data = load_digits(None)
    order = np.random.default_rng(0).permutation(len(data.y))
    X = data.X[order]
    return X / np.linalg.norm(X, axis=1, keepdims=True), data.y[order]


class Trained(NamedTuple):
    """A machine's accuracy on the 600 images to look at, and what it took."""

    accuracy: float
    columns: int
    lost: float
    seconds: float


def train(how: str, m: int, C: float) -> Trained:
    """Train ten linear machines on m features, and say how long it took."""
    X, y = unit_digits()
    start = time.perf_counter()
    features = Nystroem(KERNEL, m, landmarks=how).fit(X[:N])
    machine = OneVsRestClassifier(LinearSVC(C=C, gap=GAP)).fit(features.transform(X[:N]), y[:N])
    accuracy = machine.score(features.transform(X[N : 2 * N]), y[N : 2 * N])
    seconds = time.perf_counter() - start
    lost = max(features.trace_error(X[:N]), 0.0)
    return Trained(accuracy, features.n_features_out_, lost, seconds)


def train_exactly(C: float) -> Trained:
    """Train ten kernel machines, and say how long it took."""
    X, y = unit_digits()
    start = time.perf_counter()
    machine = OneVsRestClassifier(KernelSVC(KERNEL, C=C, gap=GAP)).fit(X[:N], y[:N])
    accuracy = machine.score(X[N : 2 * N], y[N : 2 * N])
    return Trained(accuracy, N, 0.0, time.perf_counter() - start)


def error_bar(accuracy: Any) -> Any:
    """Return the standard error of a share of right answers."""
    return np.sqrt(accuracy * (1 - accuracy) / N)


trained, trained_exactly = cache(train), cache(train_exactly)


class ColumnsRace(Figure):
    """Set m: ten linear machines are trained on m columns, here and now. Time is taken on demand.

    Taught in notebook 07.
    """

    question = "How many columns until ten linear machines are as good as the exact ones?"
    m = Ladder("columns m", COUNTS, 64)
    how = Choice("landmarks", HOW)
    cost = Ladder("C", COSTS, 10.0, C_with_lam)
    presets = {
        "2 columns": {"m": 2},
        "64, uniform": {"m": 64},
        "64, centres": {"m": 64, "how": "kmeans"},
        "64, pivoted": {"m": 64, "how": "cholesky"},
        "all 600": {"m": 600},
    }
    memory = {
        "done": {("uniform", 10.0): {4, 16}},  # beside the slider's own; the rest is for the reader
        "clock": {},  # seconds by landmarks and C, and by m
        "clock_exact": {},  # by C
    }
    readout = (
        "(x·z)²   m = {m}   C = {cost:g} (λ = {lam:.3g})   right: {accuracy:.1%} ± {error:.1%}, "
        "exact {exact_accuracy:.1%}   trace lost {lost:.1%}   gaps ≤ {allowed:g}\n"
        "kernel values to train: {n_values:,}, the whole K has {n_all:,}   a prediction: {m} "
        "kernel values   {seconds:.3f} s, the exact one {exact_seconds:.3f} s"
    )
    alt = (
        "Ten digits: the share of right answers on 600 other images against the number of columns. "
        "With m = {m}, {how:s} landmarks and C = {cost:g}: {accuracy:.0%}; the exact machine "
        "{exact_accuracy:.0%}. Settings seen: {seen}. Right: time, taken on demand."
    )

    @Button("measure the time", "train again, by the clock")
    def measure(self) -> None:
        """Train this machine and the exact one once more, and show how long each takes."""
        how, m, C = self.how, self.m, self.cost
        self.clock.setdefault((how, C), {})[m] = train(how, m, C).seconds
        self.clock_exact[C] = train_exactly(C).seconds

    def build(self, figure: MplFigure) -> None:
        """Make accuracy and time against the number of columns."""
        self.y = unit_digits()[1][:N]
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

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Train with m columns; keep what was seen before."""
        how, m, C = self.how, self.m, self.cost
        self.done.setdefault((how, C), set()).add(m)
        run, exact = trained(how, m, C), trained_exactly(C).accuracy
        seen = [sorted(self.done.get((h, C), ())) for h in HOW.values()]
        right = [
            np.array([trained(h, k, C).accuracy for k in counts])
            for h, counts in zip(HOW.values(), seen, strict=True)
        ]
        clocks = [dict(sorted(self.clock.get((h, C), {}).items())) for h in HOW.values()]
        taken, exact_seconds = self.clock.get((how, C), {}).get(m), self.clock_exact.get(C)

        self.accuracy.show(
            [np.array(counts, dtype=float) for counts in seen], right, exact, map(error_bar, right)
        )
        self.times.show(
            [np.array(list(clock), dtype=float) for clock in clocks],
            [np.array(list(clock.values())) for clock in clocks],
            exact_seconds or np.nan,
        )
        self.words.set_text("press “measure the time”" if exact_seconds is None else "")
        self.titles[0].set_text(f"m = {m}: {run.accuracy:.1%} right, exact {exact:.1%}")
        self.titles[1].set_text(
            "time: not yet taken"
            if taken is None
            else f"m = {m}: {taken / exact_seconds:.2g} times the exact machine's time"
        )
        return {
            "lam": 1 / (C * N),
            "accuracy": run.accuracy,
            "error": error_bar(run.accuracy),
            "exact_accuracy": exact,
            "lost": run.lost,
            "allowed": GAP,
            "n_values": N * m + m * m,
            "n_all": N * (N + 1) // 2,
            "seconds": taken,
            "exact_seconds": exact_seconds,
            "seen": len(self.done[how, C]),
        }


class AgainstColumns(Mark):
    """A measure against the number of columns, a marker a method; the exact solver as a line."""

    MARKERS = ("o", "s", "D", "^")

    def __init__(self, axes: Axes, names: Sequence[str], *, log: bool = False) -> None:
        self.dots = [
            Line2D([], [], color=colour, linestyle=dash, linewidth=style.THIN, marker=marker,
                   markersize=7, markeredgecolor="white", label=name, zorder=4)
            for name, (colour, dash), marker in zip(
                names, style.LINES[1:], self.MARKERS, strict=False
            )
        ]  # fmt: skip
        self.bars = LineCollection([], colors=style.NEUTRAL, linewidths=style.THIN, zorder=3)
        axes.add_collection(self.bars, autolim=False)
        for line in self.dots:
            axes.add_line(line)
        self.exact = Line2D(
            [], [], color=style.INK, linewidth=style.LINE, label="exact kernel SVM", zorder=2
        )
        axes.add_line(self.exact)
        axes.set(xscale="log", xlabel="columns m")
        if log:
            axes.set_yscale("log")

    def show(
        self,
        columns: Sequence[FloatArray],
        measures: Sequence[FloatArray],
        exact: float,
        errors: Iterable[FloatArray] = (),
    ) -> None:
        """Show for each method its columns and its measures, both (k,), with standard errors."""
        for line, m, value in zip(self.dots, columns, measures, strict=True):
            line.set_data(m, value)
        self.exact.set_data([1, 1e5], [exact, exact])
        self.bars.set_segments(
            [
                [(a, v - e), (a, v + e)]
                for m, value, error in zip(columns, measures, errors, strict=False)
                for a, v, e in zip(m, value, error, strict=True)
            ]
        )
