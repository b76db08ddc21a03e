"""Live figure of notebook 04: one curve of cross-validated errors, and how much of it is luck."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.lessons.pegasos.figures.words import LAMBDAS, PAIRS, TRAIN, texts, trained
from kernellab.lessons.pegasos.theory.model_choice import Curve, error_curve, largest_within
from kernellab.lessons.pegasos.theory.sparse_vectors import unit_rows
from kernellab.live.controls import Choice, Steps
from kernellab.live.declared import Figure
from kernellab.validation import FloatArray

DEALS, PASSES = 10, 5
ONE_ERROR = "one standard error above the lowest"


@cache
def cross_validated(pair: str, deal: int) -> Curve:
    """Deal the texts, and judge each λ. On K: without Numba a step is several times faster."""
    X, y = unit_rows(texts(pair).X[:TRAIN]), texts(pair).y[:TRAIN]
    return error_curve((X @ X.T).toarray(), y, LAMBDAS, passes=PASSES, rng=deal)


class ChooseLam(Figure):
    """Deal 800 texts into five folds, see the error of each λ, choose one; then deal anew.

    Taught in notebook 04.
    """

    question = "Which λ would you take?"
    answer = ("stars", "choices", "limit", "counts")
    size = (7.6, 4.8)
    strip_size = (5.4, 4.5)
    deal = Steps("deal", 1, DEALS)
    pair = Choice("packages", list(PAIRS))
    presets = {
        "one deal": {},
        "ten deals": {"deal": DEALS},
        "science or sound": {"pair": "science or sound", "deal": DEALS},
    }
    readout = (
        "deal {deal:d}: lowest {lowest:.1%} ± {error:.1%} at λ = {best:g}; "
        "within one standard error up to λ = {simplest:g}\n"
        "deals so far: the lowest stood {wins}"
    )
    alt = (
        "Error rates over λ, of texts on {pair}: training, and cross-validated with error bars, "
        "in deal {deal:d} into five folds. The lowest is {lowest:.1%} ± {error:.1%} at "
        "λ = {best:g}, and up to λ = {simplest:g} it is within one standard error. In the "
        "deals so far it stood {wins}."
    )

    def build(self, figure: MplFigure) -> None:
        """Make the curves, and below them how often each λ was the lowest, and the choice."""
        axes, below = figure.subplots(2, 1, sharex=True, height_ratios=[5, 1])
        self.rate, self.train, self.limit = (
            axes.plot([], [], color=colour, linestyle=dash, marker=marker, linewidth=style.LINE,
                      label=name)[0]
            for name, colour, dash, marker in (
                ("cross-validated, with one standard error", style.ACCENT, "--", "o"),
                ("in training", style.INK, "-", "."),
                (ONE_ERROR, style.NEUTRAL, ":", ""),
            )
        )  # fmt: skip
        self.earlier = [
            axes.plot([], [], color=style.NEUTRAL, linewidth=style.THIN, zorder=1)[0]
            for _ in range(DEALS - 1)
        ]
        self.bars = [axes.plot([], [], color=style.ACCENT, zorder=3)[0] for _ in LAMBDAS]
        (self.stars,) = axes.plot(
            [], [], "*", color="white", markeredgecolor=style.INK, markersize=11, zorder=6,
            label="the lowest",
        )  # fmt: skip
        (self.choices,) = axes.plot(
            [], [], "v", color=style.INK, markersize=6, zorder=6, label="what we would take"
        )
        axes.set(xscale="log", xlim=(LAMBDAS[0] / 1.5, LAMBDAS[-1] * 1.5), ylim=(0, 0.18))
        axes.set_ylabel("error rate")
        axes.minorticks_off()
        below.set(xlabel="λ", ylim=(-0.6, 1.6), title="in how many deals")
        below.set_yticks([1, 0], ["lowest", "taken"])
        self.counts = [
            [below.text(lam, row, "", ha="center", va="center") for lam in LAMBDAS]
            for row in (1, 0)
        ]
        handles = [self.rate, self.train, self.stars, self.choices, self.limit]
        self.legend = axes.legend(handles=handles, loc="upper left")

    def explain(self) -> None:
        """Let the last entry of the legend name the thin lines that are there."""
        first = self.deal == 1
        self.legend.get_texts()[-1].set_text(ONE_ERROR if first else "earlier deals")
        self.legend.get_lines()[-1].set(
            linestyle=":" if first else "-", linewidth=style.LINE if first else style.THIN
        )

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Cross-validate for every deal so far, and show the last one's lowest point."""
        curves = [cross_validated(self.pair, deal) for deal in range(self.deal)]
        rate, error = curves[-1]
        lowest = np.array([curve.rate.argmin() for curve in curves])
        simplest = np.array([largest_within(curve) for curve in curves])
        at = int(lowest[-1])
        limit = rate[at] + error[at]
        self.explain()
        self.train.set_data(LAMBDAS, [trained(self.pair, lam, PASSES).train for lam in LAMBDAS])
        self.rate.set_data(LAMBDAS, rate)
        # With several deals there would be several limits.
        self.limit.set_data([LAMBDAS[0], LAMBDAS[-1]], [limit if self.deal == 1 else np.nan] * 2)
        for line, curve in zip(self.earlier, [*curves[:-1], *[None] * DEALS], strict=False):
            line.set_data(LAMBDAS if curve else [], curve.rate if curve else [])
        for bar, lam, middle, half in zip(self.bars, LAMBDAS, rate, error, strict=True):
            bar.set_data([lam, lam], [middle - half, middle + half])
        self.stars.set_data([LAMBDAS[at]], [rate[at]])
        k = simplest[-1]
        self.choices.set_data([LAMBDAS[k]], [rate[k] + error[k] + 0.006])  # clear of bar and star
        wins, taken = (np.bincount(k, minlength=len(LAMBDAS)) for k in (lowest, simplest))
        for texts_of_row, times in zip(self.counts, (wins, taken), strict=True):
            for text, n in zip(texts_of_row, times, strict=True):
                text.set_text(f"{n}" if n else "")
        return {
            "curves": curves,
            "lowest": rate[at],
            "error": error[at],
            "best": LAMBDAS[at],
            "simplest": LAMBDAS[simplest[-1]],
            "wins": ", ".join(
                f"{win} times at {lam:g}" for lam, win in zip(LAMBDAS, wins, strict=True) if win
            ).replace("1 times", "once"),
        }
