"""Live figure of notebook 05: back and forth in a run of SDCA, with C and γ in hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets
import numpy as np

from kernellab.certificates import relative_gap
from kernellab.datasets.targets import make_quarters, quarters
from kernellab.draw import style
from kernellab.kernels import Gaussian
from kernellab.lessons.sdca.figures.run_marks import CurveAndStems, GapCurves, prepare, round_up
from kernellab.lessons.sdca.theory.recording import record
from kernellab.live.explorer import WIDE, Explorer, button, player, steps
from kernellab.live.readout import minus
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

N, SEED = 20, 0
UPDATES = 200
COSTS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
GAMMAS = (3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0)
GRID = np.linspace(0, 1, 241)


class Scrubber(Explorer):
    """The run of the film, at any of its 200 updates, for any C and γ, with its gap below.

    Taught in notebook 05.

    Parameters
    ----------
    t
        How many updates have been made.
    C, gamma
        Cost, and γ of the Gaussian kernel.
    """

    presets: Mapping[str, Any] = {
        "the start": {"t": 0},
        "one pass": {"t": 20},
        "ten passes": {"t": 200},
        "small C": {"C": 1.0, "t": 200},
        "wide kernel": {"gamma": 10.0, "t": 200},
        "narrow kernel": {"gamma": 1000.0, "t": 200},
    }

    def __init__(self, t: int = 60, C: float = 100.0, gamma: float = 100.0) -> None:
        self.data = make_quarters(N, SEED)
        self.t = steps("update", t, 0, UPDATES)
        play = player(self.t, 120, "play the updates")
        self.C = ipywidgets.SelectionSlider(
            options=[(f"{cost:g} (λ = {1 / (cost * N):.3g})", cost) for cost in COSTS],
            value=C, description="C", **WIDE,
        )  # fmt: skip
        self.gamma = ipywidgets.SelectionSlider(
            options=[(f"{g:g} (σ = {np.sqrt(0.5 / g):.3g})", g) for g in GAMMAS],
            value=gamma, description="γ", **WIDE,
        )  # fmt: skip
        figure = style.new_figure((9.6, 5.8))
        above, below = figure.subplots(2, 1, height_ratios=[1.35, 1])
        self.second = above.twinx()
        prepare(above, self.second)
        self.second.yaxis.set_label_coords(1.06, 0.5)  # where the longest numbers leave it room
        above.set_title("f, its target (dashed), and one stem an example: its α")
        below.set(xlim=(0, UPDATES), title="the gap is never below what is truly missing")
        self.curve = CurveAndStems(above, self.second)
        self.gaps = GapCurves(below)
        self._recorded: tuple[float, ...] = ()
        super().__init__(
            "When is the curve good enough to stop, and when does the gap say so?",
            figure,
            [self.t, play, button("one update", self.step), self.C, self.gamma],
            moving=[*self.curve.artists, *self.gaps.artists],
        )

    def step(self) -> None:
        """Go on by one update."""
        self.t.value = min(self.t.value + 1, UPDATES)

    def update(self, points: FloatArray) -> str:
        """Record the run for this C and γ, unless that is the one there is; show it at t."""
        t, C = self.t.value, self.C.value
        self._record(C, self.gamma.value)
        self.alpha, self.scores = self.run.alphas[t], self.run.scores[t]
        used = int(self.run.i[t - 1]) if t else None
        x, y = self.data.X[:, 0], self.data.y
        f = self.on_grid @ (self.alpha * y)
        self.curve.show((GRID, f, quarters(GRID)), x, y, self.alpha, used=used)
        self.gaps.show(self.curves, t)
        return self._sentence(used)

    def describe(self) -> str:
        """Return the alternative text."""
        t = self.t.value
        gap, primal, dual = self.curves[:, t]
        wrong = int((self.data.y * self.scores <= 0).sum())
        return (
            f"Above: f after {t} updates on 20 numbers from 0 to 1 whose class is −1, +1, −1, +1 "
            f"by quarters, {wrong} of them on the wrong side, and their α as stems, the longest "
            f"{self.alpha.max():.3g}. Below, on a log axis against the updates: the gap, now "
            f"{gap:.2g}, over what P and D truly lack, {primal:.2g} and {dual:.2g}. "
            f"C = {self.C.value:g}, γ = {self.gamma.value:g}."
        )

    def _record(self, C: float, gamma: float) -> None:
        if self._recorded == (C, gamma):
            return
        self._recorded = (C, gamma)
        kernel, y = Gaussian(gamma), self.data.y
        K = kernel(self.data.X)
        self.on_grid = kernel(GRID[:, np.newaxis], self.data.X)
        self.run = record(K, y, C, updates=UPDATES, rng=0)
        best = solve(smo(K, y, C, bias=False, gap=1e-10), gap=1e-9, max_passes=10_000)
        self.optimum = best.dual
        lacks = [self.run.gap, self.run.primal - best.dual, best.dual - self.run.dual]
        self.curves = np.maximum(np.stack(lacks), 0.0) / (C * N)
        top = 2 * round_up(float(self.run.alphas.max()))
        if self.second.get_ylim() != (0.0, top):
            self.second.set_ylim(0.0, top)

    def _sentence(self, used: int | None) -> str:
        t, C, gamma = self.t.value, self.C.value, self.gamma.value
        gap, primal, dual = self.curves[:, t]
        said = "before the first update: all α = 0"
        if used is not None:
            was = self.run.alphas[t - 1, used]
            said = (
                f"update {t} (pass {(t - 1) // N + 1}): example {used + 1}, α {was:.3f} → "
                f"{self.alpha[used]:.3f}"
            )
        relative = relative_gap(self.run.primal[t], self.run.dual[t])
        return minus(
            f"{said}   gap {gap:.2g} ≥ {primal:.2g}, what P lacks; D lacks {dual:.2g}\n"
            f"relative gap {relative:.2g}   support vectors {int((self.alpha > 0).sum())}   "
            f"C = {C:g} (λ = {1 / (C * N):.3g})   γ = {gamma:g} (σ = {np.sqrt(0.5 / gamma):.3g})"
        )
