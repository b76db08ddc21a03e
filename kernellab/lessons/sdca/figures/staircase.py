"""Live figure of notebook 05: every point slides onto the KKT staircase."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import ipywidgets
import numpy as np

from kernellab.certificates import gap_terms, relative_gap
from kernellab.datasets import make_clouds
from kernellab.draw import style
from kernellab.draw.contours import LevelLines
from kernellab.draw.margin import SupportPoints
from kernellab.draw.plane import Limits, ScoreField, plane
from kernellab.kernels import Gaussian, Linear
from kernellab.kernels.base import Kernel
from kernellab.lessons.sdca.figures.stairs_marks import Missing, OnTheWay, Stairs
from kernellab.lessons.sdca.theory.recording import Recording, record
from kernellab.live.coincide import coincidence
from kernellab.live.explorer import WIDE, Explorer, button, choice, class_handles, player, steps
from kernellab.live.readout import minus
from kernellab.validation import FloatArray

LIMITS: Limits = (-4.0, 4.0, -4.0, 4.0)
COSTS = (0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
MOST = 12  # passes that are recorded
GRID = 61


class Sample(NamedTuple):
    """Points, labels, kernel."""

    X: FloatArray
    y: FloatArray
    kernel: Kernel


def clouds() -> Sample:
    """Return 20 points of two clouds that run into each other."""
    data = make_clouds(20, 2.6, 3)
    return Sample(np.clip(1.2 * data.X, -3.8, 3.8), data.y, Gaussian(0.3))


def contradiction() -> Sample:
    """Return eight points, two of which coincide and have different labels."""
    X = [(-2.5, 1), (-2, -1.5), (-1, 2.5), (0, 0), (0, 0), (2, 1), (1.5, -1.5), (3, 2.5)]
    y = np.array([-1.0, -1, -1, -1, 1, 1, 1, 1])
    return Sample(np.array(X, dtype=float), y, Gaussian(0.3))


def at_the_origin() -> Sample:
    """Return seven points and a linear kernel; the first has K_ii = 0."""
    X = [(0, 0), (1, 0.5), (1.5, 1.5), (0.5, 2), (-1, -0.5), (-1.5, -2), (-2, 0.5)]
    y = np.array([1.0, 1, 1, 1, -1, -1, -1])
    return Sample(np.array(X, dtype=float), y, Linear())


SAMPLES: dict[str, Callable[[], Sample]] = {
    "two clouds, Gaussian kernel": clouds,
    "one point, two labels": contradiction,
    "a point with K_ii = 0, linear kernel": at_the_origin,
}


class Staircase(Explorer):
    """Every point at (margin, α): SDCA moves them onto the stairs α = C, margin 1, α = 0.

    A new C, or a dragged point, starts from the α that are there: a warm start. Taught in
    notebook 05.

    Parameters
    ----------
    sample
        One of the names in ``SAMPLES``: what is shown first.
    C
        Where the shelf is first.
    t
        How many updates have been made.
    """

    presets: Mapping[str, Any] = {
        "all on the ground": {},
        "after one pass": {"t": 20},
        "on the stairs": {"t": 240},
        "a low shelf": {"C": 0.5, "t": 240},
        "one point, two labels": {"sample": "one point, two labels", "t": 240},
        "K_ii = 0": {"sample": "a point with K_ii = 0, linear kernel", "t": 240},
    }
    memory = ("start",)

    run: Recording
    _recorded: tuple[bytes, float] | None  # the points and the C of the present run

    def __init__(
        self, sample: str = "two clouds, Gaussian kernel", C: float = 2.0, t: int = 0
    ) -> None:
        self.sample = choice("points", list(SAMPLES))
        self.sample.value = sample
        self.C = ipywidgets.SelectionSlider(
            options=[("", cost) for cost in COSTS], value=C, description="C", **WIDE
        )
        self.t = steps("updates", t, 0, 1)
        figure = style.new_figure((10.4, 5.0))
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.3])
        plane(left, LIMITS)
        left.set_title("the points, f = 0 and f = ±1")
        self.plane = left
        self.field = ScoreField(left, LIMITS)
        self.lines = LevelLines(left, (-1.0, 0.0, 1.0))
        self.points = SupportPoints(left)
        right.set(xlim=(-2.4, 3.6), ylim=(-0.12, 3.4), xlabel="margin y f(x)", ylabel="α")
        right.set_title("area between a point and the stairs: its share of the gap")
        self.stairs = Stairs(right)
        self.missing = Missing(right)
        self.way = OnTheWay(right)
        self._load()
        self.t.max = MOST * len(self.y)
        self.t.value = t
        play = player(self.t, 300, "play the updates")
        super().__init__(
            "What does one update do to its point, and what to all the others?",
            figure,
            [
                self.sample,
                self.C,
                self.t,
                play,
                button("one update", self.step),
                button("one pass", self.sweep, tooltip="update every point once"),
                button("from zero", self.restart, tooltip="all α = 0"),
            ],
            moving=[
                artist
                for mark in (
                    self.field, self.lines, self.points, self.missing, self.stairs, self.way,
                )
                for artist in mark.artists
            ],
            axes=left,
            points=self.X,
            handles=self._handles(),
        )  # fmt: skip

    @property
    def start(self) -> FloatArray:
        """The α from which the present run starts, shape (n,)."""
        return self._start

    @start.setter
    def start(self, alpha: FloatArray) -> None:
        self._start = np.array(alpha)
        self._recorded = None

    # --- what the controls do ------------------------------------------------------------------

    def step(self) -> None:
        """Make the next update."""
        self.t.value = min(self.t.value + 1, self.t.max)

    def sweep(self) -> None:
        """Go on to the end of the pass."""
        n = len(self.y)
        self.t.value = min((self.t.value // n + 1) * n, self.t.max)

    def restart(self) -> None:
        """Start again from α = 0."""
        self.start = np.zeros(len(self.y))
        self.set_quietly(self.t, 0)
        self.live.redraw(sharp=True)

    def update(self, points: FloatArray) -> str:
        """Show the run after t updates; a new problem starts from the α that are there."""
        if self.sample.value != self._loaded:
            self._load()
            self.set_quietly(self.t, 0)
            self.live.place(points := self.X, self._handles())
        self._record(points)
        t, C, n = self.t.value, self.C.value, len(self.y)
        self.alpha, self.scores = self.run.alphas[t], self.run.scores[t]
        self.margins = self.y * self.scores
        self.terms = gap_terms(self.scores, self.y, self.alpha, C)
        self.next = int(self.run.i[t]) if t < len(self.run.i) else None
        trail = np.stack([self.y * self.run.scores, self.run.alphas], axis=2)
        since = max(0, t - n)
        way = None
        if self.next is not None:
            i = self.next
            end = self.run.alphas[t + 1, i]
            change = self.run.K[i, i] * (end - self.alpha[i])
            here, there = (self.margins[i], self.alpha[i]), (self.margins[i] + change, end)
            self.way_end = there
            way = np.array([here, there])
        self.stairs.show(C)
        self.missing.show(self.margins, self.alpha, C, self.y, lit=self.next)
        self.way.show(trail[since : t + 1], self.y, used=self.next, way=way)
        left, right, bottom, top = LIMITS
        x1, x2 = np.linspace(left, right, GRID), np.linspace(bottom, top, GRID)
        grid = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
        field = (self.kernel(grid, self.X) @ (self.alpha * self.y)).reshape(GRID, GRID)
        self.field.show(field)
        self.lines.show(x1, x2, field)
        self.points.show(
            self.X, self.y, self.alpha, bounded=self.alpha >= C, mistaken=self.margins <= 0,
            used=self.next,
        )  # fmt: skip
        return self._sentence()

    def describe(self) -> str:
        """Return the alternative text."""
        C = self.C.value
        on = int((self.terms <= 1e-3 * C).sum())
        return (
            f"Left: {self._loaded}, {len(self.y)} points and the boundary after {self.t.value} "
            f"updates. Right: each point at its margin and α, and the stairs: α = C = {C:g} left "
            f"of margin 1, α = 0 right of it. {on} points stand on the stairs; the rectangles of "
            f"the others add up to the gap, {self.terms.sum():.3g}."
        )

    # --- how it does it ------------------------------------------------------------------------

    def _load(self) -> None:
        self._loaded = self.sample.value
        self.X, self.y, self.kernel = SAMPLES[self._loaded]()
        self.start = np.zeros(len(self.y))
        n = len(self.y)
        self.offer(self.C, [(f"{C:g} (λ = {1 / (C * n):.3g})", C) for C in COSTS])

    def _handles(self) -> list[dict[str, str]]:
        return class_handles(self.y, "point", first=1)

    def _record(self, X: FloatArray) -> None:
        """Run SDCA from where α is, unless nothing has changed."""
        problem = (X.tobytes(), self.C.value)
        if problem == self._recorded:
            return
        if self._recorded:  # the same points as before, with a new C or at other places
            self.start = self.run.alphas[self.t.value]
            self.set_quietly(self.t, 0)
        self._recorded = problem
        self.X = X
        updates = MOST * len(self.y)
        if self.t.max != updates:
            self.t.max = updates
        K = self.kernel(X)
        self.run = record(K, self.y, self.C.value, updates=updates, start=self.start, rng=0)

    def _sentence(self) -> str:
        C, n, t = self.C.value, len(self.y), self.t.value
        total = self.terms.sum()
        relative = relative_gap(self.run.primal[t], self.run.dual[t])
        said = "the recording ends here: move C, or start from zero"
        if self.next is not None:
            i = self.next
            m, k = round(self.margins[i], 2) + 0.0, self.run.K[i, i]
            end = self.run.alphas[t + 1, i]
            vertex = f"{self.alpha[i]:.2f} + (1 − {m:.2f}) / {k:.2g}"
            how = f"clip({vertex}, 0, {C:g}) = {end:.2f}"
            if k == 0:
                how = f"K_ii = 0, no slope: it jumps to the bound, {end:.2f}"
            said = f"next, point {i + 1}: α ← {how}"
        free = int(((self.alpha > 0) & (self.alpha < C)).sum())
        if noted := coincidence(self.X, self.y, "their margins sum to 0, so one of them pays"):
            said += f"   {noted}"
        return minus(
            f"{said}\nupdate {t}, pass {t / n:.1f}   areas {total:.3g} = gap P − D, "
            f"relative {relative:.2g}   support vectors {int((self.alpha > 0).sum())}, {free} of "
            f"them free   C = {C:g} (λ = {1 / (C * n):.3g})"
        )
