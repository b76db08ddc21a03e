"""Live figure of notebook 05: back and forth in a run of SDCA, with C and γ in hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure as MplFigure

from kernellab.certificates import relative_gap
from kernellab.datasets.targets import make_quarters, quarters
from kernellab.draw import style
from kernellab.kernels import Gaussian
from kernellab.lessons.sdca.figures.hinge_lines import OF_DUAL
from kernellab.lessons.sdca.figures.run_marks import CurveAndStems, prepare, round_up
from kernellab.lessons.sdca.theory.recording import Recording, record
from kernellab.live.controls import Button, Check, Ladder, Player, Steps
from kernellab.live.declared import Figure
from kernellab.live.memoize import memoize
from kernellab.live.parameters import C_with_lam, gamma_with_sigma
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

N, SEED = 20, 0
UPDATES = 200
COSTS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
GAMMAS = (3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0)
GRID = np.linspace(0, 1, 241)
LOWEST, HIGHEST = 1e-4, 5e4  # of the gaps that are drawn
LOOKS = {
    "gap P − D": ("#b8b8b8", "-", 3.2),
    "P − P*": (style.INK, "-", 1.0),
    "P* − D": (OF_DUAL, "--", 1.2),
}


@memoize
def run_of(x: FloatArray, y: FloatArray, C: float, gamma: float) -> tuple[Recording, FloatArray]:
    """Return a run; the gap, and what P and D lack, after each update, shape (3, T + 1)."""
    K = Gaussian(gamma)(x[:, np.newaxis])
    run = record(K, y, C, updates=UPDATES, rng=0)
    best = solve(smo(K, y, C, bias=False, gap=1e-10), gap=1e-9, max_passes=10_000).dual
    return run, np.maximum([run.absolute_gap, run.primal - best, best - run.dual], 0.0)


class Scrubber(Figure):
    """The run of the film, at any of its 200 updates, for any C and γ, with its gap below.

    Taught in notebook 05.
    """

    question = "When is the curve good enough to stop, and what does the gap say then?"
    answer = ("gaps",)
    size = (9.6, 5.8)
    strip_size = (5.2, 6.2)
    at_first = ("t", "C", "parts")
    t = Steps("update", 0, UPDATES, 60)
    play = Player("t", 120, "play the updates")
    presets = {
        "the start": {"t": 0},
        "one pass": {"t": 20},
        "ten passes": {"t": 200},
        "three passes": {"t": 60},
        "two parts, C = 100": {"parts": True},
        "two parts, C = 1": {"C": 1.0, "parts": True},
        "C = 1, wide kernel": {"C": 1.0, "parts": True, "gamma": 10.0},
        "C = 1, narrow kernel": {"C": 1.0, "parts": True, "gamma": 1000.0},
    }
    readout = (
        "{start}   update {t} (pass {n_pass}): example {i}, α {before:.3f} → {after:.3f}   "
        "wrong side {wrong}\n"
        "gap P − D = {gap:.3g}, {relative:.1%} of P{lacking}"
    )
    alt = (
        "Above: f after {t} updates on 20 numbers from 0 to 1 whose class is −1, +1, −1, +1 by "
        "quarters, {wrong} of them on the wrong side, and their α as stems, the longest "
        "{longest:.3g}. Below, on a log axis against the updates: the gap, now {gap:.3g}{lacking}. "
        "C = {C:g}, γ = {gamma:g}."
    )

    @Button("one update")
    def step(self) -> None:
        """Go on by one update."""
        self.t += 1

    C = Ladder("C", COSTS, 100.0, C_with_lam)
    gamma = Ladder("γ", GAMMAS, 100.0, gamma_with_sigma)
    parts = Check("its two parts")

    def build(self, figure: MplFigure) -> None:
        """Make f with a stem for each α, and the gap over the updates."""
        data = make_quarters(N, SEED)
        self.x, self.y = data.X[:, 0], data.y
        above, below = figure.subplots(2, 1, height_ratios=[1.35, 1])
        self.second = above.twinx()
        prepare(above, self.second)
        self.second.yaxis.set_label_coords(1.06, 0.5)  # where the longest numbers leave it room
        above.set_title("f, its target (dashed), and one stem per example: its α")
        self.curve = CurveAndStems(above, self.second)
        self.missing = LineCollection([], linewidths=6 * style.LINE, alpha=0.4, zorder=2.5)
        above.add_collection(self.missing, autolim=False)
        below.set(xlim=(0, UPDATES), xlabel="updates", ylabel="gap", yscale="log")
        below.set_ylim(LOWEST, HIGHEST)
        below.yaxis.set_label_coords(-0.72 / self.size[0], 0.5)  # and here
        self.below = self.key = below
        self.cursor = below.axvline(np.nan, color=style.ACCENT, linewidth=style.LINE, zorder=1)
        self.gaps = [
            below.plot([], [], dash, color=colour, linewidth=width * style.LINE, label=name)[0]
            for name, (colour, dash, width) in LOOKS.items()
        ]
        self.dots = [
            below.plot([], [], "o", color=colour, markeredgecolor=style.INK, markersize=size)[0]
            for (colour, *_), size in zip(LOOKS.values(), (9, 7, 5), strict=True)
        ]
        below.legend(ncols=3, loc="lower left", bbox_to_anchor=(0, 0.99), borderaxespad=0.1)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Record the run for this C and γ; show it at t."""
        t, x, y = self.t, self.x, self.y
        self.run, self.curves = run, curves = run_of(x, y, self.C, self.gamma)
        alpha, scores, gaps = run.alphas[t], run.scores[t], curves[:, t]
        used = int(run.i[t - 1]) if t else None
        top = 2 * round_up(float(run.alphas.max()))
        if self.second.get_ylim() != (0.0, top):
            self.second.set_ylim(0.0, top)
        f = Gaussian(self.gamma)(GRID[:, np.newaxis], x[:, np.newaxis]) @ (alpha * y)
        self.curve.show((GRID, f, quarters(GRID)), x, y, alpha, used=used)
        short = np.flatnonzero(y * scores < 1)
        self.missing.set_segments([[(x[i], scores[i]), (x[i], y[i])] for i in short])
        self.missing.set_color([style.COLOUR[int(y[i])] for i in short])
        for line, values in zip(self.gaps, np.maximum(curves, LOWEST), strict=True):
            shown = self.parts or line is self.gaps[0]
            line.set_data(np.arange(UPDATES + 1), values if shown else np.full_like(values, np.nan))
        legend = self.below.get_legend()
        for entry in (*legend.legend_handles[1:], *legend.texts[1:]):
            entry.set_visible(self.parts)
        self.below.set_ylabel("distance" if self.parts else "gap")
        self.cursor.set_xdata([t, t])
        for dot, line in zip(self.dots, self.gaps, strict=True):
            dot.set_data([t], [line.get_ydata()[t]])
        return {
            "start": "before the first update: all α = 0" if used is None else "",
            "n_pass": (t - 1) // N + 1,
            "i": None if used is None else used + 1,
            "before": None if used is None else run.alphas[t - 1, used],
            "after": None if used is None else alpha[used],
            "alpha": alpha,
            "longest": alpha.max(),
            "wrong": (y * scores <= 0).sum(),
            "gap": gaps[0],
            "primal_lacks": gaps[1],
            "dual_lacks": gaps[2],
            "lacking": f"; P is {gaps[1]:.3g} too high, D {gaps[2]:.3g} too low"
            if self.parts
            else "",
            "relative": relative_gap(run.primal[t], run.dual[t]),
        }
