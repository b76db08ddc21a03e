"""Live figure of notebook 05: every point slides onto the KKT staircase.

A point of the training set stands at (margin, α). Where its KKT condition holds it stands on the
stairs; else the rectangle between it and their nearer corner is its term of the duality gap:
(C − α)(1 − y f) inside the margin, α (y f − 1) outside.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure as MplFigure

from kernellab.certificates import gap_terms, relative_gap
from kernellab.datasets import make_clouds
from kernellab.draw import style
from kernellab.draw.contours import LevelLines
from kernellab.draw.margin import GROWTH, SupportPoints
from kernellab.draw.plane import Limits, Points, ScoreField, plane, relative
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Linear
from kernellab.kernels.base import Kernel
from kernellab.lessons.sdca.theory.recording import Recording, record
from kernellab.live.coincide import coincidence
from kernellab.live.controls import Button, Ladder, Player, Sample, Steps
from kernellab.live.declared import Figure
from kernellab.live.memoize import memoize
from kernellab.live.parameters import C_with_lam
from kernellab.validation import FloatArray

LIMITS: Limits = (-4.0, 4.0, -4.0, 4.0)
LEFT, RIGHT = -1.4, 2.3  # of the margins that are drawn
COSTS = (0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
MOST = 12  # passes that are recorded
SIDE = np.linspace(-4.0, 4.0, 61)
GRID = np.stack(np.meshgrid(SIDE, SIDE), axis=-1).reshape(-1, 2)


class Problem(NamedTuple):
    """Points, labels, kernel."""

    X: FloatArray
    y: FloatArray
    kernel: Kernel


def clouds() -> Problem:
    """Return 20 points of two clouds that run into each other."""
    data = make_clouds(20, 2.6, 3)
    return Problem(1.2 * data.X, data.y, Gaussian(0.3))


def contradiction() -> Problem:
    """Return eight points, two of which coincide and have different labels."""
    X = [(-2.5, 1), (-2, -1.5), (-1, 2.5), (0, 0), (0, 0), (2, 1), (1.5, -1.5), (3, 2.5)]
    y = np.array([-1.0, -1, -1, -1, 1, 1, 1, 1])
    return Problem(np.array(X, dtype=float), y, Gaussian(0.3))


def at_the_origin() -> Problem:
    """Return seven points and a linear kernel; the first has K_ii = 0."""
    X = [(0, 0), (1, 0.5), (1.5, 1.5), (0.5, 2), (-1, -0.5), (-1.5, -2), (-2, 0.5)]
    y = np.array([1.0, 1, 1, 1, -1, -1, -1])
    return Problem(np.array(X, dtype=float), y, Linear())


SAMPLES = {
    "two clouds, Gaussian kernel": clouds,
    "one point, two labels": contradiction,
    "a point with Kᵢᵢ = 0, linear kernel": at_the_origin,
}


@memoize
def run_of(K: FloatArray, y: FloatArray, C: float, start: FloatArray) -> Recording:
    """Return the run from these α."""
    return record(K, y, C, updates=MOST * len(y), start=start, rng=0)


class Staircase(Figure):
    """Every point at (margin, α): SDCA moves them onto the stairs α = C, margin 1, α = 0.

    A new C, or a dragged point, starts from the α that are there: a warm start. Taught in
    notebook 05.
    """

    question = "What does one update do to its point, and what to all the others?"
    answer = ("stairs",)
    size = (10.4, 5.0)
    strip_size = (9.4, 4.6)
    at_first = ("C", "t")
    sample = Sample("points", SAMPLES, within=3.8, grip="point", first=1)
    C = Ladder("C", COSTS, 2.0, C_with_lam)
    t = Steps("updates", 0, 20 * MOST)
    play = Player("t", 300, "play the updates")
    presets = {
        "at the start": {},
        "after one pass": {"t": 20},
        "after 22 updates": {"t": 22},
        "after 23 updates": {"t": 23},
        "after twelve passes": {"t": 240},
        "a low shelf": {"C": 0.5, "t": 240},
        "one point, two labels": {"sample": "one point, two labels", "t": 240},
        "Kᵢᵢ = 0": {"sample": "a point with Kᵢᵢ = 0, linear kernel", "t": 240},
    }
    memory = {"start": None}
    start: FloatArray | None  # α from which the present run starts, shape (n,); None: zero
    run: Recording
    _begun: FloatArray  # the start of the present run,
    _problem: tuple[bytes, float]  # its points and its C
    readout = (
        "next, point {i}: α ← clip({before:.2f} + (1 − {margin:.2f}) / {K_ii:.2g}, 0, {C:g}) = "
        "{after:.2f}   next, point {i}: α ← Kᵢᵢ = 0, D is a line: up to the wall, "
        "{bound:.2f}   {end}   {together}\n"
        "after {t}{more} updates: areas {gap:.3g} = gap P − D, {relative:.1%} of P"
    )
    alt = (
        "Left: {sample}, {n} points and the boundary after {t}{more} updates. Right: each point at "
        "its margin and α, and the stairs: α = C = {C:g} left of margin 1, α = 0 right of it. {on} "
        "points stand on the stairs; the rectangles of the others add up to the gap, {gap:.3g}."
    )

    @Button("one update")
    def step(self) -> None:
        """Make the next update."""
        self.t += 1

    @Button("one pass", "update every point once")
    def sweep(self) -> None:
        """Go on to the end of the pass."""
        n = len(self.y)
        self.t = (self.t // n + 1) * n

    @Button("from zero", "all α = 0")
    def restart(self) -> None:
        """Start again from α = 0."""
        self.start, self.t = None, 0

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane, and the stairs with the points on their way to them."""
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.3])
        plane(left, LIMITS)
        left.set_title("black rings: one for α > 0, two for α = C")
        self.key = right
        self.field = ScoreField(left, LIMITS)
        self.lines = LevelLines(left, (-1.0, 0.0, 1.0))
        self.points = SupportPoints(left)

        right.set(xlim=(LEFT, RIGHT), xlabel="margin y f(x)", ylabel="α")
        self.title = moving_title(right)
        self.gap_areas = PolyCollection([], linewidths=0.8, zorder=2)
        (self.stairs,) = right.plot(
            [], [], color=style.INK, linewidth=1.6 * style.LINE, solid_joinstyle="miter",
            zorder=3,
        )  # fmt: skip
        paper = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0}
        words: dict[str, Any] = {"color": style.INK, "fontsize": 10, "zorder": 3.2, "bbox": paper}
        self.shelf = right.text(LEFT + 0.08, 0, "shelf: α = C", va="bottom", **words)
        right.annotate(
            "floor: α = 0", (RIGHT - 0.08, 0), (0, -8), textcoords="offset points", ha="right",
            va="top", **words,
        )  # fmt: skip
        self.riser = right.text(0.97, 0, "↓ riser", va="bottom", **words)
        self.trails = LineCollection([], linewidths=1.6, colors=style.NEUTRAL, zorder=2.5)
        (self.step_line,) = right.plot(
            [], [], color=style.ACCENT, linewidth=1.4 * style.LINE, linestyle=(0, (3, 1.5)),
            zorder=5.5,
        )  # fmt: skip
        self.stair_points = Points(right)
        (self.end,) = right.plot(
            [], [], "D", color=style.ACCENT, markersize=7, markeredgecolor="white", zorder=5.6,
            clip_on=False,
        )  # fmt: skip
        for collection in (self.gap_areas, self.trails):
            right.add_collection(collection, autolim=False)
        return left

    def take(self, data: Problem) -> None:
        """Take points and a kernel; all α are zero at first."""
        super().take((data.X, data.y))
        self.kernel = data.kernel
        self.set_max("t", MOST * len(self.y))
        if self.numbers:  # others were shown before
            self.start = None
            with self.quietly():
                self.t = 0

    def begin(self) -> None:
        """Run SDCA from where α is, if C or the points have moved, and else from where it began."""
        problem = (self.X.tobytes(), self.C)
        if self.start is None:
            self.start = np.zeros(len(self.y))
        elif self.numbers and self.start is self._begun and problem != self._problem:
            self.start = self.run.alphas[self.t]
            with self.quietly():
                self.t = 0
        self._begun, self._problem = self.start, problem
        self.run = run_of(self.kernel(self.X), self.y, self.C, self.start)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Show the run after t updates; a new problem starts from the α that are there."""
        self.begin()
        run, t, C, X, y = self.run, self.t, self.C, self.X, self.y
        alpha, margins = run.alphas[t], y * run.scores[t]
        terms = gap_terms(run.scores[t], y, alpha, C)
        i = int(run.i[t]) if t < len(run.i) else None
        field = (self.kernel(GRID, X) @ (alpha * y)).reshape(len(SIDE), len(SIDE))
        self.field.show(field)
        self.lines.show(SIDE, SIDE, field)
        self.points.show(X, y, alpha, bounded=alpha >= C, used=i)
        if i is not None:  # round its other rings, which say what it is
            wide = np.sqrt(style.POINT_AREA + GROWTH * relative(alpha)[i]) + 3 * style.RING
            self.points.points.ring.set_sizes([wide**2])
        self.show_stairs(margins, alpha, C, i)
        self.title.set_text(f"gap {terms.sum():.2f}: all rectangles, added up")
        shown: dict[str, Any] = {
            "n": len(y),
            "more": " more" if self._begun.any() else "",
            "alpha": alpha,
            "margins": margins,
            "terms": terms,
            "on": (terms <= 1e-3 * C).sum(),
            "gap": terms.sum(),
            "relative": relative_gap(run.primal[t], run.dual[t]),
            "together": coincidence(X, y, "their margins sum to 0, so one of them pays"),
        }
        if i is None:
            self.step_line.set_data([], [])
            self.end.set_data([], [])
            return {**shown, "end": "the recording ends here: move C, or start from zero"}
        K_ii, after = run.K[i, i], run.alphas[t + 1, i]
        margin_after = margins[i] + K_ii * (after - alpha[i])
        self.step_line.set_data([margins[i], margin_after], [alpha[i], after])
        self.end.set_data([margin_after], [after])
        return {
            **shown,
            "i": i + 1,
            "before": alpha[i],
            "margin": np.round(margins[i], 2),
            "K_ii": K_ii,
            "after": after if K_ii else None,
            "bound": None if K_ii else after,
            "step_end": (margin_after, after),
            "end": "",
        }

    def show_stairs(
        self, margins: FloatArray, alpha: FloatArray, C: float, lit: int | None
    ) -> None:
        """Show the stairs for C, and each point with its area and where it came from."""
        run, t, y = self.run, self.t, self.y
        if self.key.get_ylim()[1] != (top := max(2.3, 1.15 * C)):
            self.key.set_ylim(-0.14 * top, top)
        self.stairs.set_data([LEFT, 1, 1, RIGHT], [C, C, 0, 0])
        self.shelf.set_y(C + 0.06)
        self.riser.set_y(C + 0.06)
        colours = [style.COLOUR[label] for label in y.astype(int)]
        since = slice(max(0, t - 1), t + 1)
        trail = np.stack([(y * run.scores[since]).clip(LEFT, RIGHT), run.alphas[since]], axis=2)
        self.trails.set_segments(list(trail.transpose(1, 0, 2)))
        self.stair_points.show(trail[-1], y, used=lit)
        self.gap_areas.set_verts(list(rectangles(margins, alpha, C)))
        faces = [to_rgba(colour, 0.16) for colour in colours]
        if lit is not None:
            colours[lit], faces[lit] = style.ACCENT, to_rgba(style.ACCENT, 0.35)
        self.gap_areas.set_facecolor(faces)
        self.gap_areas.set_edgecolor([to_rgba(colour, 0.55) for colour in colours])


def rectangles(margins: FloatArray, alpha: FloatArray, C: float) -> FloatArray:
    """Return the corners of each point's rectangle, shape (n, 4, 2): point, stairs, both ways.

    Its area is the point's term of the duality gap, `certificates.gap_terms` for the hinge.
    """
    corner = np.where(margins < 1, C, 0.0)
    one = np.ones_like(margins)
    columns = [(margins, alpha), (one, alpha), (one, corner), (margins, corner)]
    return np.stack([np.column_stack(column) for column in columns], axis=1)
