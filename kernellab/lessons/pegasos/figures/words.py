"""Live figure of notebook 04: the words that a machine goes by, and what a step on them costs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, islice
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets import SECTIONS, WordCounts, load_packages
from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.lessons.pegasos.theory.sparse_vectors import unit_rows
from kernellab.live.controls import Choice, Ladder, Steps
from kernellab.live.declared import Figure
from kernellab.live.memoize import memoize
from kernellab.live.parameters import lam_with_C
from kernellab.solvers.pegasos import pegasos
from kernellab.validation import FloatArray

LAMBDAS = (1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 1e-1)
PAIRS = {f"{a} or {b}": (a, b) for a, b in combinations(SECTIONS, 2)}
TRAIN = 800
ROWS = 10
THICK = 0.72  # of a bar, in rows


class Answer(NamedTuple):
    """Weights of all words, shape (p,); error rate in training; the gap reached."""

    w: FloatArray
    train: float
    gap: float


@memoize
def texts(pair: str) -> WordCounts:
    """Return the texts of two sections."""
    return load_packages(PAIRS[pair])


@memoize
def trained(pair: str, lam: float, passes: int) -> Answer:
    """Train on 800 texts, by averaged Pegasos."""
    X, y = unit_rows(texts(pair).X[:TRAIN]), texts(pair).y[:TRAIN]
    state = next(islice(pegasos(X, y, lam, average="linear"), passes, None))
    return Answer(state.w, float(np.mean(y * (X @ state.w) <= 0)), state.gap)


class WordWeights(Figure):
    """Choose λ and see the words: what do the largest weights belong to?

    Trains on 800 texts, each a row of unit length; the other 400 are left for a test. Taught in
    notebook 04.
    """

    question = "Which words decide?"
    answer = ("bars",)
    size = (7.6, 4.3)
    pair = Choice("packages", list(PAIRS), "games or science")
    lam = Ladder("λ", LAMBDAS, 1e-3, lambda lam, figure: lam_with_C(lam, TRAIN))
    passes = Steps("passes", 1, 20, 5)
    presets = {
        "games or science": {},
        "hardly regularised": {"lam": 1e-5},
        "too much": {"lam": 0.1},
        "science or sound": {"pair": "science or sound"},
        "sound or net": {"pair": "sound or net"},
    }
    readout = (
        "λ = {lam:g}, C = {C:.3g}   wrong in training {answer.train:.1%}\n"
        "a text has {present:.0f} of {p} words   {heavy} words have a tenth of the largest weight"
    )
    alt = (
        "The words with the largest weights. For {first}: {first_words}. For {second}: "
        "{second_words}. λ = {lam:g}; wrong in training: {answer.train:.1%}."
    )

    def build(self, figure: MplFigure) -> None:
        """Make the words."""
        bars = figure.subplots()
        self.bars = WordBars(bars, ROWS)
        self.left = bars.text(0.02, 0.05, "", transform=bars.transAxes, fontsize=12)
        self.right = bars.text(0.98, 0.05, "", transform=bars.transAxes, ha="right", fontsize=12)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Train with this λ, and show the words of the largest weights."""
        data, lam, (first, second) = texts(self.pair), self.lam, PAIRS[self.pair]
        answer = trained(self.pair, lam, self.passes)
        self.bars.show(answer.w, data.words)
        self.left.set_text(f"← {first} (−)")
        self.right.set_text(f"{second} (+) →")
        words = np.array(data.words)[np.argsort(answer.w, kind="stable")]
        return {
            "answer": answer,
            "C": 1 / (lam * TRAIN),
            "present": data.X[:TRAIN].nnz / TRAIN,
            "p": len(words),
            "heavy": (np.abs(answer.w) > 0.1 * np.abs(answer.w).max()).sum(),
            "first": first,
            "second": second,
            "first_words": ", ".join(words[:ROWS]),
            "second_words": ", ".join(words[::-1][:ROWS]),
        }


class WordBars(Mark):
    """Words with the most negative weights to the left of zero, the most positive to the right.

    Parameters
    ----------
    axes
        Where they stand.
    rows
        How many words on each side.
    """

    def __init__(self, axes: Axes, rows: int) -> None:
        self.rows = rows
        places = np.arange(rows)[::-1]
        below, above = places - THICK / 2, places + THICK / 2
        self._corners = np.stack([below, below, above, above], axis=1)  # in y, shape (rows, 4)
        self.bars = {}
        self.words = {}
        for sign, hatch in ((-1, "//"), (1, "")):
            # One artist for all bars: ten take three times as long.
            self.bars[sign] = PolyCollection(
                [], facecolor=style.COLOUR[sign], edgecolor="white", hatch=hatch, linewidth=0.5,
                alpha=0.4, zorder=2,
            )  # fmt: skip
            axes.add_collection(self.bars[sign], autolim=False)
            self.words[sign] = [
                axes.text(0, row, "", va="center", ha="left" if sign > 0 else "right", fontsize=11)
                for row in places
            ]  # fmt: skip
        axes.axvline(0, color=style.INK, linewidth=style.THIN, zorder=4)
        axes.set(yticks=[], xlim=(-1.4, 1.4), ylim=(-0.6, rows - 0.4), xlabel="w / largest |w|")
        axes.spines["left"].set_visible(False)

    def show(self, w: FloatArray, words: Sequence[str]) -> None:
        """Show the extreme weights of w, shape (p,), with the words they belong to."""
        order = np.argsort(w, kind="stable")
        largest = max(float(np.abs(w).max()), 1e-300)
        for sign, columns in ((-1, order[: self.rows]), (1, order[::-1][: self.rows])):
            values = np.where(w[columns] * sign > 0, w[columns], 0.0) / largest
            ends = np.outer(values, [0, 1, 1, 0])
            self.bars[sign].set_verts(list(np.stack([ends, self._corners], axis=2)))
            for text, column, value in zip(self.words[sign], columns, values, strict=True):
                text.set_text(words[column] if value else "")
                text.set_x(value + 0.02 * sign)
