"""Live figure of notebook 04: the words that a machine goes by, and what a step on them costs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, islice
from typing import Any, NamedTuple

import numpy as np

from kernellab.datasets import SECTIONS, WordCounts, load_packages
from kernellab.datasets.folds import rate_with_error, stratified_folds
from kernellab.draw import style
from kernellab.draw.plane import relative
from kernellab.lessons.pegasos.figures.stepper import lam_slider
from kernellab.lessons.pegasos.figures.words_marks import WordBars
from kernellab.lessons.pegasos.theory.sparse_vectors import unit_rows
from kernellab.live.explorer import Explorer, choice, steps
from kernellab.solvers.pegasos import pegasos
from kernellab.validation import FloatArray

LAMBDAS = (1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 1e-1)
PAIRS = {f"{a} or {b}": (a, b) for a, b in combinations(SECTIONS, 2)}
TRAIN = 800
ROWS = 10
FOLDS = 5


class Answer(NamedTuple):
    """Weights of all words, shape (p,); training error, cross-validated error, its error bar."""

    w: FloatArray
    train: float
    validated: float
    error_bar: float
    gap: float


class WordWeights(Explorer):
    """Choose λ and see the words: what do the largest weights belong to?

    Trains on 800 texts, each a row of unit length; the other 400 are left for a test. Taught in
    notebook 04.

    Parameters
    ----------
    pair
        One of the names in ``PAIRS``.
    lam
        One of ``LAMBDAS``.
    """

    presets: Mapping[str, Any] = {
        "games or science": {},
        "hardly regularised": {"lam": 1e-5},
        "too much": {"lam": 0.1},
        "science or sound": {"pair": "science or sound"},
        "sound or net": {"pair": "sound or net"},
    }

    def __init__(self, pair: str = "games or science", lam: float = 1e-3) -> None:
        self.pair = choice("packages", list(PAIRS))
        self.pair.value = pair
        self.lam = lam_slider(TRAIN, lam, LAMBDAS)
        self.passes = steps("passes", 5, 1, 20)
        self._known: dict[tuple[object, ...], Answer] = {}
        self._data: dict[str, WordCounts] = {}
        figure = style.new_figure((9.0, 4.3))
        bars, errors = figure.subplots(1, 2, width_ratios=[2.2, 1])
        self.bars = WordBars(bars, ROWS)
        self.left = bars.text(0.02, 1.02, "", transform=bars.transAxes, fontsize=12)
        self.right = bars.text(0.98, 1.02, "", transform=bars.transAxes, ha="right", fontsize=12)
        self.curves = {}
        for name, (colour, dash) in {
            "training": (style.INK, "-"), "cross-validated": (style.POSITIVE, "--"),
        }.items():  # fmt: skip
            (self.curves[name],) = errors.plot(
                [], [], color=colour, linestyle=dash, linewidth=style.LINE, marker=".", label=name
            )
        self.here = errors.axvline(np.nan, color=style.ACCENT, linewidth=style.LINE)
        (self.bar,) = errors.plot([], [], color=style.POSITIVE, linewidth=2 * style.LINE)
        errors.set(
            xscale="log", xlim=(LAMBDAS[0] / 1.5, LAMBDAS[-1] * 1.5), ylim=(0, 0.16), xlabel="λ",
            ylabel="error rate",
        )  # fmt: skip
        errors.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=9,
                      borderaxespad=0.1, columnspacing=0.8, handlelength=1.6)  # fmt: skip
        super().__init__(
            "Which words decide, and how many multiplications does a step on them cost?",
            figure,
            [self.pair, self.lam, self.passes],
            moving=[*self.bars.artists, self.left, self.right, *self.curves.values(), self.here,
                    self.bar],
        )  # fmt: skip

    def update(self, points: FloatArray) -> str:
        """Train with this λ, and show the words of the largest weights."""
        pair, passes, lam = self.pair.value, self.passes.value, self.lam.value
        answers = [self.answer(pair, each, passes) for each in LAMBDAS]
        self.now = answers[LAMBDAS.index(lam)]
        data = self.data(pair)
        self.bars.show(self.now.w, data.words)
        self.left.set_text(f"← {data.target_names[0]}")
        self.right.set_text(f"{data.target_names[1]} →")
        self.curves["training"].set_data(LAMBDAS, [a.train for a in answers])
        self.curves["cross-validated"].set_data(LAMBDAS, [a.validated for a in answers])
        self.here.set_xdata([lam, lam])
        low, high = self.now.validated - self.now.error_bar, self.now.validated + self.now.error_bar
        self.bar.set_data([lam, lam], [low, high])
        return self._sentence(data)

    def data(self, pair: str) -> WordCounts:
        """Return the texts of two sections, shortest way."""
        if pair not in self._data:
            self._data[pair] = load_packages(PAIRS[pair])
        return self._data[pair]

    def answer(self, pair: str, lam: float, passes: int) -> Answer:
        """Train on all 800 texts, and on four fifths at a time."""
        key = (pair, lam, passes)
        if key in self._known:
            return self._known[key]
        data = self.data(pair)
        X, y = unit_rows(data.X[:TRAIN]), data.y[:TRAIN]
        fold = stratified_folds(y, FOLDS)
        held_out = np.empty(TRAIN)
        for k in range(FOLDS):
            kept, left = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
            held_out[left] = X[left] @ run(X[kept], y[kept], lam, passes).w
        state = run(X, y, lam, passes)
        train = float(np.mean(y * (X @ state.w) <= 0))
        found = Answer(np.array(state.w), train, *rate_with_error(y * held_out <= 0), state.gap)
        self._known[key] = found
        return found

    def describe(self) -> str:
        """Return the alternative text."""
        words = self.data(self.pair.value).words
        order = np.argsort(self.now.w, kind="stable")
        first, second = PAIRS[self.pair.value]
        return (
            f"The words with the largest weights. For {first}: "
            f"{', '.join(words[k] for k in order[:ROWS])}. For {second}: "
            f"{', '.join(words[k] for k in order[::-1][:ROWS])}. λ = {self.lam.value:g}; "
            f"cross-validated error {self.now.validated:.1%} ± {self.now.error_bar:.1%}."
        )

    def _sentence(self, data: WordCounts) -> str:
        lam, X = self.lam.value, data.X[:TRAIN]
        nnz, p = X.nnz / TRAIN, X.shape[1]
        share = relative(np.abs(self.now.w)) / 5
        return (
            f"λ = {lam:g}, C = {1 / (lam * TRAIN):.3g}   training {self.now.train:.1%}   "
            f"cross-validated {self.now.validated:.1%} ± {self.now.error_bar:.1%}   "
            f"gap {self.now.gap:.2g}\n"
            f"a text has {nnz:.0f} of {p} words: w·x takes {nnz:.0f} multiplications, dense {p}   "
            f"{int((share > 0.1).sum())} words have a tenth of the largest weight"
        )


def run(X: Any, y: FloatArray, lam: float, passes: int) -> Any:
    """Return the state of averaged Pegasos after some passes."""
    return next(islice(pegasos(X, y, lam, average="linear"), passes, None))
