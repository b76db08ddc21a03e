"""Live figure of notebook 05: the duality gap point by point, and the reader picks the next."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure as MplFigure

from kernellab.certificates import gap_terms
from kernellab.datasets.targets import make_quarters
from kernellab.draw import style
from kernellab.kernels import Gaussian
from kernellab.lessons.sdca.theory.recording import Recording, clipped_step, record, rises
from kernellab.live.controls import Button, Ladder, Steps
from kernellab.live.declared import Figure
from kernellab.live.parameters import C_with_lam
from kernellab.validation import FloatArray

N, SEED, GAMMA = 12, 3, 30.0
ORDER = [*range(1, N + 1)]
COSTS = (0.5, 1.0, 2.0, 5.0, 10.0)
LAST = 40  # updates that the axes have room for
RUNS = 31
FLOOR = 1e-5
SOON = 10  # updates of the reader, before the largest area first is shown
GRIP = 0.55  # the height at which it stands
EDGE = 2.0  # of the chosen bar
RACERS = {
    "you": (style.ACCENT, "-", 1.6, 5),
    "random order, median": (style.NEUTRAL, "--", 1.0, 3),
    "largest area first": (style.INK, ":", 1.0, 3),
}
OTHERS = (", and of random orders", ", of random orders, and of always the largest area")


class GapByPoint(Figure):
    """Choose which α is updated next; the gap is a sum of one area per point.

    Twelve points of the four quarters, Gaussian kernel, γ = 30. ``picks`` are the points that have
    been updated so far, counted from 1. Taught in notebook 05.
    """

    question = "Pick the points yourself: can you close the gap sooner than at random?"
    answer = ("higher", "greedy")
    size = (10.4, 4.2)
    point = Steps("point", 1, N)
    linked = ("point",)
    memory = {"picks": []}
    picks: list[int]
    presets = {
        "nothing done": {},
        "only one point": {"picks": [1] * 6},
        "one pass, in order": {"picks": ORDER},
        "two passes, in order": {"picks": 2 * ORDER},
        "larger C": {"picks": 2 * ORDER, "C": 10.0},
    }
    readout = (
        "point {point}: α = {alpha_of_point:.3f}, margin {margin:.3f}, area {share:.1%} of the "
        "gap, its update raises D by {rise:.1%} of the gap\n"
        "after {made}: gap {gap:.3g} of that at the start, in random order {random:.3g}   "
        "C = {C}   {end}"
    )
    alt = (
        "Point {point} is chosen. Left: the present area of each of {n} points as a share of the "
        "gap; the largest is that of point {largest}, {largest_share:.0%}. Right, on a log axis: "
        "the gap of your {t} picks, now {gap:.3g} of that at the start{others}. C = {C:g}."
    )

    @Button("update this point")
    def pick(self) -> None:
        """Update the chosen point."""
        self.choose(self.point)

    @Button("largest area", "update the point of the largest area")
    def pick_largest(self) -> None:
        """Update the point of the largest area."""
        self.choose(int(self.numbers["terms"].argmax()) + 1)

    @Button("roll the dice", "update a random point whose turn has not come in this pass")
    def roll(self) -> None:
        """Update a random point of those that this pass of N updates has left."""
        done = self.picks[len(self.picks) // N * N :]
        self.choose(int(self.dice.choice(np.setdiff1d(ORDER, done))))

    @Button("back", "undo the last update")
    def back(self) -> None:
        """Undo the last update."""
        self.picks = self.picks[:-1]

    @Button("start again")
    def restart(self) -> None:
        """Begin again with α = 0."""
        self.picks = []

    C = Ladder("C", COSTS, 2.0, C_with_lam)

    def choose(self, point: int) -> None:
        """Update a point, if there is room for it."""
        if len(self.picks) < LAST:
            self.picks = [*self.picks, point]
        self.point = point

    def build(self, figure: MplFigure) -> Axes:
        """Make the terms now, and the race over the updates."""
        data = make_quarters(N, SEED)
        self.K, self.y = Gaussian(GAMMA)(data.X), data.y
        self.dice = np.random.default_rng(0)
        terms, race = figure.subplots(1, 2, width_ratios=[1.25, 1])
        at = range(1, N + 1)
        terms.set(
            xlim=(0.3, N + 0.7), xticks=at, ylim=(0, 0.62), xlabel="point",
            ylabel="share of the gap",
            title="the area of each point, as a share of the gap",
        )  # fmt: skip
        self.top = terms.get_ylim()[1]
        self.bars = terms.bar(at, np.zeros(N), width=0.72, zorder=2)
        (self.pointer,) = terms.plot([], [], "v", color=style.ACCENT, markersize=11, zorder=6)
        self.higher = [
            terms.text(k, self.top, "", ha="center", va="bottom", fontsize=8, zorder=5) for k in at
        ]

        race.set(
            yscale="log", xlim=(0, LAST), ylim=(FLOOR, 2.0), xlabel="updates made",
            ylabel="gap / gap at the start", title="the gap after each update",
        )  # fmt: skip
        self.band = PolyCollection([], facecolor="#d5d5d5", edgecolor="none", zorder=1)
        self.band.set_label("8 in 10 random orders")
        race.add_collection(self.band, autolim=False)
        self.racers = [
            race.plot(
                [], [], dash, color=colour, linewidth=width * style.LINE, zorder=order, label=name
            )[0]
            for name, (colour, dash, width, order) in RACERS.items()
        ]
        self.greedy = self.racers[-1]
        (self.now,) = race.plot(
            [], [], "o", markersize=9, color=style.ACCENT, markeredgecolor="white", zorder=6
        )
        own, random, _ = self.racers
        self.names = race.legend(handles=[own, random, self.band, self.greedy], loc="lower left")
        return terms

    def grips(self) -> Any:
        """Return the grip over the chosen point."""
        return [(self.point, GRIP)]

    def handles(self) -> list[dict[str, str]]:
        """Return a handle that goes from point to point."""
        return [{"label": "which point", "color": style.ACCENT, "step": "1"}]

    def read(self, points: FloatArray) -> Any:
        """Return the point nearest to the grip."""
        return [int(np.clip(round(points[0, 0]), 1, N))]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Make the picked updates, and show the gap after each, and where it is now."""
        if points[0].tolist() != [self.point, GRIP]:
            self.place()
        i, C, t, y = self.point - 1, self.C, len(self.picks), self.y
        scale = C * N  # the gap at the start
        self.run = run = run_of(self.K, y, C, [pick - 1 for pick in self.picks])
        alpha, margins = run.alphas[-1], y * run.scores[-1]
        terms = gap_terms(run.scores[-1], y, alpha, C) / scale
        gap = max(float(terms.sum()), 1e-12)
        higher = rises(self.K.diagonal(), y, run.scores[-1], alpha, C) / scale
        low, middle, high, greedy = races(C)

        self.show_terms(terms / gap, i)
        own = np.maximum(run.absolute_gap / scale, FLOOR)
        for line, gaps in zip(self.racers, (own, middle, greedy), strict=True):
            line.set_data(np.arange(len(gaps)), gaps)
        told = t >= SOON or style.in_lecture()  # where the answer is hidden by itself
        if not told:
            self.greedy.set_data([], [])
        for entry in (self.names.legend_handles[-1], self.names.texts[-1]):
            entry.set_visible(told)
        self.now.set_data([t], own[-1:])
        self.band.set_verts([between(np.arange(LAST + 1.0), low, high)])
        return {
            "n": N,
            "t": t,
            "made": f"{t} update{'s' * (t != 1)}",
            "terms": terms,
            "rises": higher,
            "alpha": alpha,
            "alpha_of_point": alpha[i],
            "margin": margins[i],
            "share": terms[i] / gap,
            "rise": higher[i] / gap,
            "gap": terms.sum(),
            "random": middle[t],
            "largest": terms.argmax() + 1,
            "largest_share": terms.max() / gap,
            "others": OTHERS[told],
            "end": "" if t < LAST else "the axes end here: start again",
        }

    def show_terms(self, shares: FloatArray, lit: int) -> None:
        """Show each share of the gap, (n,); one is lit."""
        heights = np.minimum(shares, self.top)
        colours = [style.COLOUR[label] for label in self.y.astype(int)]
        marks = zip(self.bars, self.higher, colours, heights, shares, strict=True)
        self.pointer.set_data([lit + 1], [GRIP])
        for k, (bar, words, colour, height, share) in enumerate(marks):
            bar.set_height(height)
            bar.set_facecolor(colour)
            bar.set(edgecolor=style.ACCENT, linewidth=EDGE * style.LINE * (k == lit))
            words.set_text(f"{share:.0%}" if share > self.top else "")


def between(t: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Return the outline of what lies between two curves over t, shape (2 len(t), 2)."""
    return np.concatenate([np.column_stack([t, high]), np.column_stack([t, low])[::-1]])


def run_of(K: FloatArray, y: FloatArray, C: float, picks: Sequence[int]) -> Recording:
    """Record the updates of given examples, counted from 0; none is a run of length 0."""
    if not picks:
        run = record(K, y, C, updates=1)
        return Recording(K, y, run.start, run.i[:0], run.value[:0], run.primal[:1], run.dual[:1])
    return record(K, y, C, updates=len(picks), orders=[np.array([i]) for i in picks])


@cache
def races(C: float) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return lower tenth, median and upper tenth of runs in random order, and the greedy run."""
    data = make_quarters(N, SEED)
    K, y = Gaussian(GAMMA)(data.X), data.y
    scale = C * N
    dice = np.random.default_rng(1)
    orders = [
        np.concatenate([dice.permutation(N) for _ in range(0, LAST, N)])[:LAST].tolist()
        for _ in range(RUNS)
    ]  # SDCA: everybody once in each pass
    runs = [run_of(K, y, C, order).absolute_gap for order in orders]
    picks: list[int] = []
    alpha = np.zeros(N)
    for _ in range(LAST):
        scores = K @ (alpha * y)
        i = int(gap_terms(scores, y, alpha, C).argmax())
        alpha[i] += clipped_step(K.diagonal(), y, scores, alpha, C)[i]
        picks.append(i)
    low, middle, high = np.quantile(np.array(runs) / scale, [0.1, 0.5, 0.9], axis=0)
    greedy = run_of(K, y, C, picks).absolute_gap / scale
    bounded = [np.maximum(curve, FLOOR) for curve in (low, middle, high, greedy)]
    return bounded[0], bounded[1], bounded[2], bounded[3]
