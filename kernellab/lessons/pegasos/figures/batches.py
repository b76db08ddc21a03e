"""Live figure of notebook 04: what steps on k examples buy, by the step and by the example."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.lessons.pegasos.figures.pegasos_bound import LAMBDAS, RUNS, N, clouds
from kernellab.lessons.pegasos.figures.stepper import objective, optimum
from kernellab.lessons.pegasos.figures.suboptimality_marks import Suboptimality
from kernellab.live.controls import Choice, Ladder
from kernellab.live.declared import Figure
from kernellab.live.memoize import memoize
from kernellab.live.parameters import lam_and_C
from kernellab.solvers.pegasos import pegasos
from kernellab.validation import FloatArray

STEPS = np.unique(np.round(2 ** (np.arange(21) / 2)).astype(int))  # 1 … 1024
LOOKS = {
    1: (style.INK, "-"),
    4: (style.INK, ":"),
    16: (style.ACCENT, "--"),
    N: (style.NEUTRAL, "-."),
}


@memoize
def lacking(lam: float, k: int) -> FloatArray:
    """Return what the last w lacks after each of STEPS on k examples, the mean of eight runs."""
    X, y = clouds()
    _, _, lowest = optimum(X, y, lam)
    found = np.empty((RUNS, len(STEPS)))
    for run in range(RUNS):
        draws = np.random.default_rng(run).integers(0, N, k * STEPS[-1])
        states = pegasos(X, y, lam, batch_size=k, orders=np.split(draws, k * STEPS[:-1]))
        W = np.array([state.w.copy() for state in islice(states, 1, None)])
        found[run] = objective(X, y, lam, W) - lowest
    mean: FloatArray = found.mean(axis=0)
    return mean


class MiniBatches(Figure):
    """Steps on 1, 4, 16 and all 60 examples: what is lacking over steps, and over examples.

    Taught in notebook 04.
    """

    question = "Sixteen examples in each step instead of one: what does it buy?"
    answer = ("larger",)
    size = (7.6, 4.0)
    strip_size = (5.4, 3.8)
    by = Choice("count", ["steps", "examples"])
    lam = Ladder("λ", LAMBDAS, 0.1, lam_and_C)
    presets = {
        "by steps": {},
        "by examples": {"by": "examples"},
        "small λ, by examples": {"lam": 0.001, "by": "examples"},
    }
    readout = (
        "after 64 {by}: k = 1 lacks {one:.2g}, k = 16 lacks {many:.2g}\nλ = {lam:g}, C = {C:.3g}"
    )
    alt = (
        "What the last w lacks against {by}, both axes logarithmic, for batches of 1, 4, 16 and "
        "60, λ = {lam:g}. After 64 {by} it is {one:.2g} for k = 1 and {many:.2g} for k = 16. Mean "
        "of 8 runs."
    )

    def build(self, figure: MplFigure) -> None:
        """Make the curves."""
        self.X, self.y = clouds()
        self.axes = figure.subplots()
        looks = {f"k = {k}": look for k, look in LOOKS.items()}
        self.curves = Suboptimality(self.axes, int(STEPS[-1]), (1e-6, 1e3), looks)
        self.larger = list(self.curves.lines.values())[1:]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Run every k eight times."""
        found = {k: lacking(self.lam, k) for k in LOOKS}
        counted = self.by == "examples"
        for k, line in zip(LOOKS, self.curves.lines.values(), strict=True):
            line.set_data(STEPS * (k if counted else 1), found[k])
        last = STEPS[-1] * (N if counted else 1)
        ends = np.log10(np.clip([min(map(np.min, found.values())), found[1].max()], 1e-6, None))
        self.axes.set(
            xlim=(0.9, 1.1 * last), xlabel="examples kt" if counted else "step t",
            ylim=10 ** np.array([np.floor(ends[0]), np.ceil(ends[1])]),
        )  # fmt: skip
        one, many = (np.searchsorted(STEPS, 64 // k) for k in (1, 16 if counted else 1))
        return {
            "found": found,
            "one": found[1][one],
            "many": found[16][many],
            "C": 1 / (self.lam * N),
        }
