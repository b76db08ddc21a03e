"""Live figure of notebook 05: the duality gap point by point, and the reader picks the next."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import ipywidgets
import numpy as np

from kernellab.certificates import gap_terms
from kernellab.datasets.targets import make_quarters
from kernellab.draw import style
from kernellab.kernels import Gaussian
from kernellab.lessons.sdca.figures.gap_stack_marks import GapStack, Race, Terms
from kernellab.lessons.sdca.theory.recording import Recording, record
from kernellab.live.explorer import WIDE, Explorer, button, steps
from kernellab.live.readout import minus
from kernellab.validation import FloatArray

N, SEED, GAMMA = 12, 3, 30.0
COSTS = (0.5, 1.0, 2.0, 5.0, 10.0)
LAST = 40  # updates that the axes have room for
RUNS = 30
FLOOR = 1e-5


class GapByPoint(Explorer):
    """Choose which α is updated next; the gap is a stack of one term a point.

    Twelve points of the four quarters, Gaussian kernel, γ = 30. Taught in notebook 05.

    Parameters
    ----------
    picks
        Which points have been updated so far, from 0.
    C
        The cost.
    """

    presets: Mapping[str, Any] = {
        "nothing done": {},
        "one pass, in order": {"picks": range(N)},
        "two passes, in order": {"picks": [*range(N), *range(N)]},
        "only one point": {"picks": [0] * 6},
        "larger C": {"C": 10.0},
    }
    memory = ("picks",)

    def __init__(self, picks: tuple[int, ...] = (), C: float = 2.0) -> None:
        data = make_quarters(N, SEED)
        self.y = data.y
        self.K = Gaussian(GAMMA)(data.X)
        self.picks = list(picks)
        self._dice = np.random.default_rng(0)
        self.point = steps("point", 1, 1, N)
        self.C = ipywidgets.SelectionSlider(
            options=[(f"{cost:g} (λ = {1 / (cost * N):.3g})", cost) for cost in COSTS],
            value=C, description="C", **WIDE,
        )  # fmt: skip
        figure = style.new_figure((10.4, 5.2))
        axes = figure.subplot_mosaic(
            [["stack", "race"], ["terms", "race"]], width_ratios=[1.25, 1], height_ratios=[1, 1]
        )
        axes["stack"].set(
            xlim=(-0.4, LAST), ylim=(0, 1.12), xlabel="updates made", ylabel="gap, λ-form",
            title="the gap as a stack: one layer a point",
        )  # fmt: skip
        axes["terms"].set(
            ylim=(0, 0.62), xlabel="point (move the violet grip)", ylabel="share of the gap",
            title="now: its term; bar across: what its update closes",
        )  # fmt: skip
        axes["race"].set(
            yscale="log", xlim=(0, LAST), ylim=(FLOOR, 2.0), xlabel="updates made",
            ylabel="gap, λ-form", title="you against the dice",
        )  # fmt: skip
        self.stack = GapStack(axes["stack"])
        self.bars = Terms(axes["terms"], N)
        self.race = Race(
            axes["race"], ["you", "random, median", "largest term first"],
            f"{RUNS} random runs, all but the outer tenths",
        )  # fmt: skip
        self._settings = self.point.value
        super().__init__(
            "Pick the points yourself: can you close the gap sooner than at random?",
            figure,
            [
                self.point,
                button("update this point", self.pick),
                button(
                    "largest term",
                    self.pick_largest,
                    tooltip="update the point of the largest term",
                ),
                button("roll the dice", self.roll, tooltip="update a random point"),
                button("back", self.back, tooltip="undo the last update"),
                button("start again", self.restart),
                self.C,
            ],
            moving=[*self.stack.artists, *self.bars.artists, *self.race.artists],
            axes=axes["terms"],
            points=[(1.0, 0.55)],
            handles=[{"label": "which point", "color": style.ACCENT, "step": "1"}],
        )

    # --- what the buttons do -------------------------------------------------------------------

    def pick(self) -> None:
        """Update the chosen point."""
        self._choose(self.point.value - 1)

    def pick_largest(self) -> None:
        """Update the point of the largest term."""
        self._choose(int(self.terms.argmax()))

    def roll(self) -> None:
        """Update a random point."""
        self._choose(int(self._dice.integers(N)))

    def back(self) -> None:
        """Undo the last update."""
        self.picks = self.picks[:-1]
        self.live.redraw(sharp=True)

    def restart(self) -> None:
        """Begin again with α = 0."""
        self.picks = []
        self.live.redraw(sharp=True)

    def _choose(self, i: int) -> None:
        if len(self.picks) < LAST:
            self.picks = [*self.picks, i]
        self.set_quietly(self.point, i + 1)
        self.live.redraw(sharp=True)

    def update(self, points: FloatArray) -> str:
        """Make the picked updates, and show the gap after each, and where it is now."""
        if self.point.value != self._settings:  # the slider moved, or a button chose
            chosen = self.point.value
        else:
            chosen = int(np.clip(round(points[0, 0]), 1, N))
            self.set_quietly(self.point, chosen)
        self._settings = chosen
        if points[0].tolist() != [chosen, 0.55]:
            self.live.place([(chosen, 0.55)])
        C = self.C.value
        self.run = run_of(self.K, self.y, C, self.picks)
        scale = C * N  # C-form is so many times λ-form
        layers = all_terms(self.run, C)
        self.terms = layers[-1] / scale
        self.gap = float(self.terms.sum())
        self.alpha = self.run.alphas[-1]
        residual = 1 - self.y * self.run.scores[-1]
        step = np.clip(self.alpha + residual / self.K.diagonal(), 0, C) - self.alpha
        self.rises = (step * residual - self.K.diagonal() / 2 * step**2) / scale
        low, middle, high, greedy = races(C)
        gaps = np.maximum(self.run.gap / scale, FLOOR)
        lit = chosen - 1
        self.stack.show(layers / scale, self.y, lit)
        shown = max(self.gap, 1e-12)
        self.bars.show(self.terms / shown, self.rises / shown, self.y, lit)
        self.race.show([gaps, middle, greedy], low, high)
        return self._sentence(lit, middle)

    def describe(self) -> str:
        """Return the alternative text."""
        largest = int(self.terms.argmax())
        return (
            f"Point {self.point.value} is chosen. Upper left: the gap after 0 to {len(self.picks)} "
            f"updates, stacked by point, now "
            f"{self.gap:.3g} in λ-form. Lower left: the present term of each of {N} points as a "
            f"share; the largest is that of point {largest + 1}, "
            f"{self.terms[largest] / max(self.gap, 1e-12):.0%}. Right, on a log axis: the gap of "
            f"your picks, of random ones, and of always the largest term. C = {self.C.value:g}."
        )

    def _sentence(self, i: int, middle: FloatArray) -> str:
        C, t = self.C.value, len(self.picks)
        share = self.terms[i] / max(self.gap, 1e-12)
        support = int((self.alpha > 0).sum())
        said = "" if t < LAST else "   the axes end here: start again"
        return minus(
            f"point {i + 1}: α = {self.alpha[i]:.3f}, margin "
            f"{self.y[i] * self.run.scores[-1][i]:.3f}, term {share:.1%} of the gap; its update "
            f"raises D by {self.rises[i] / max(self.gap, 1e-12):.1%} of it\n"
            f"after {t} updates: gap {self.gap:.3g} in λ-form, at random {middle[t]:.3g}   support "
            f"vectors {support}   C = {C:g} (λ = {1 / (C * N):.3g}){said}"
        )


def run_of(K: FloatArray, y: FloatArray, C: float, picks: list[int]) -> Recording:
    """Record the updates of given points, one after another; none is a run of length 0."""
    if not picks:
        run = record(K, y, C, updates=1)
        nothing = np.zeros(0)
        begin = run.primal[:1], run.dual[:1]
        return Recording(K, y, run.start, nothing.astype(np.intp), nothing, *begin)
    return record(K, y, C, updates=len(picks), orders=[np.array([i]) for i in picks])


def all_terms(run: Recording, C: float) -> FloatArray:
    """Return the terms of the gap after 0, 1, … T updates, shape (T + 1, n), in C-form."""
    rows = zip(run.scores, run.alphas, strict=True)
    return np.stack([gap_terms(f, run.sign, alpha, C) for f, alpha in rows])


@cache
def races(C: float) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the lower tenth, median and upper tenth of random runs, and the greedy run."""
    data = make_quarters(N, SEED)
    K, y = Gaussian(GAMMA)(data.X), data.y
    scale = C * N
    dice = np.random.default_rng(1)
    runs = [run_of(K, y, C, dice.integers(N, size=LAST).tolist()).gap for _ in range(RUNS)]
    picks: list[int] = []
    alpha = np.zeros(N)
    for _ in range(LAST):
        residual = 1 - y * (K @ (alpha * y))
        terms = gap_terms(K @ (alpha * y), y, alpha, C)
        i = int(terms.argmax())
        alpha[i] = np.clip(alpha[i] + residual[i] / K[i, i], 0, C)
        picks.append(i)
    low, middle, high = np.quantile(np.array(runs) / scale, [0.1, 0.5, 0.9], axis=0)
    greedy = run_of(K, y, C, picks).gap / scale
    bounded = [np.maximum(curve, FLOOR) for curve in (low, middle, high, greedy)]
    return bounded[0], bounded[1], bounded[2], bounded[3]
