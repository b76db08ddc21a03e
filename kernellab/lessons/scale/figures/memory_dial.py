"""Live figure of notebook 08: memory over n, and how far a budget goes."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.title import moving_title
from kernellab.lessons.scale.figures.growth_dial import COLOURS, LOOKS, chosen, count_words
from kernellab.lessons.scale.theory.growth import (
    FEATURES,
    FOURIER,
    LINEAR,
    METHODS,
    NYSTROM,
    PAIRS,
    REST,
    RIDGE,
)
from kernellab.live.controls import Ladder
from kernellab.live.declared import Figure
from kernellab.validation import FloatArray

BUDGETS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0)  # GB
FROM, NEAR, FAR = 400.0, 2e7, 5e8  # the axis ends at NEAR for budgets of 16 GB or less
# Fourier features are as large as Nyström's; against the rest time ends before memory does.
SHOWN = tuple(name for name in METHODS if name not in {FOURIER, REST})
LABELS = {NYSTROM: "features (Nyström)", LINEAR: "linear, no kernel (from 1 MB)"}
TICKS = ("1 MB", "10 MB", "100 MB", "1 GB", "10 GB", "100 GB", "1 TB")


def budget_words(budget: float, figure: Any = None) -> str:
    """Write a budget."""
    return f"{budget:g} GB"


class MemoryDial(Figure):
    """A budget of memory, and the n at which each learner has used it up.

    Solid is measured (data/growth.json), dashed what the power law says beyond. Taught in notebook
    08.
    """

    question = "How many examples fit, and whom does more memory help?"
    answer = ("beyond", "dots")
    size = (7.8, 3.4)
    budget = Ladder("budget", BUDGETS, 1.0, budget_words)
    m = Ladder("features m", FEATURES, 256)
    presets = {
        "one GB": {"budget": 1.0},
        "sixteen GB": {"budget": 16.0},
        "a server: 256 GB": {"budget": 256.0},
        "256 GB, m = 1024": {"budget": 256.0, "m": 1024},
    }
    readout = (
        "{budget:g} GB are full at   kernel ridge: n = {ridge}   exact, pairs: {pairs}   "
        "Nyström, m = {m}: {nystrom}\n"
        "times as many as in 1 GB, about: kernel ridge {farther[0]:g}, the pairs "
        "{farther[1]:g}, Nyström {farther[2]:g}"
    )
    alt = (
        "Memory of a fit over n, both axes logarithmic. {budget:g} GB are full at n = {ridge} for "
        "kernel ridge, {pairs} for the exact pairs, {nystrom} for Nyström with m = {m}."
    )

    def build(self, figure: MplFigure) -> None:
        """Make two lines for each learner, and the budget."""
        axes = figure.subplots()
        axes.set(xscale="log", yscale="log", ylim=(1, 1e6))
        axes.set(xlabel="examples n", ylabel="memory (dashed: by the line)")
        axes.set_yticks(10.0 ** np.arange(7), TICKS)
        axes.minorticks_off()
        self.lines, self.beyond, self.dots = {}, {}, {}
        for name in SHOWN:
            marker = LOOKS[name]
            look: dict[str, Any] = {"color": COLOURS[name], "linewidth": style.LINE}
            label = LABELS.get(name, name)
            (self.lines[name],) = axes.plot(
                [], [], label=label, marker=marker, markersize=4, **look
            )
            (self.beyond[name],) = axes.plot([], [], "--", **(look | {"linewidth": style.THIN}))
            (self.dots[name],) = axes.plot(
                [], [], marker=marker, markersize=10, markerfacecolor="white", zorder=5,
                color=COLOURS[name],
            )  # fmt: skip
        axes.legend(handles=list(self.lines.values()), loc="lower right", fontsize=9)
        self.limit = axes.axhline(np.nan, color=style.ACCENT, linewidth=style.LINE)
        self.title, self._axes = moving_title(axes), axes
        self.moving = [*self.lines.values(), *self.beyond.values(), *self.dots.values()]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Find where each learner meets the budget."""
        megabytes, full = 1000 * self.budget, {}
        self._axes.set_xlim(FROM, NEAR if self.budget <= 16 else FAR)
        for name in SHOWN:
            one = chosen(name, self.m)
            law = one.memory_law()
            full[name] = law.reaches(megabytes)
            kept = one.megabytes >= 1
            self.lines[name].set_data(one.n[kept], one.megabytes[kept])
            ends = np.array([one.n[-1], FAR])
            self.beyond[name].set_data(ends, law(ends))
            self.dots[name].set_data([full[name]], [megabytes])
        self.limit.set_ydata([megabytes, megabytes])
        first = min(full, key=lambda name: full[name])
        self.title.set_text(f"{first[0].upper()}{first[1:]} fills {self.budget:g} GB first")

        more = []
        for name in (RIDGE, PAIRS, NYSTROM):
            times = full[name] / chosen(name, self.m).memory_law().reaches(1000)
            more.append(float(f"{times:.2g}"))

        def words(name: str) -> str:
            return count_words(int(float(f"{full[name]:.2g}"))).replace(" ", "\N{NO-BREAK SPACE}")

        return {
            "full": full,
            "first": first,
            "farther": None if self.budget == 1 else more,
            "ridge": words(RIDGE),
            "pairs": words(PAIRS),
            "nystrom": words(NYSTROM),
        }
