"""Live figure of notebook 04: Pegasos, one update at a time, with the reason in words."""

from __future__ import annotations

import warnings
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle
from numpy.typing import NDArray

from kernellab.datasets import Dataset, load_iris, make_clouds, make_contradiction, make_xor
from kernellab.draw import style
from kernellab.draw.contours import LevelLines
from kernellab.draw.mark import Mark
from kernellab.draw.plane import Limits, Points, ScoreField, Separator, plane
from kernellab.lessons.pegasos.figures.suboptimality_marks import RUN, Suboptimality
from kernellab.live.coincide import coincidence
from kernellab.live.controls import Button, Choice, Ladder, Player, Sample, Steps
from kernellab.live.declared import Figure
from kernellab.live.memoize import memoize
from kernellab.live.parameters import lam_and_C
from kernellab.live.readout import written
from kernellab.solvers.pegasos import pegasos
from kernellab.solvers.smo import smo
from kernellab.solving import NotConverged, solve
from kernellab.validation import FloatArray

LAMBDAS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
STEPS = 200
LIMITS: Limits = (-4.0, 4.0, -4.0, 4.0)
TRAIL = 15  # steps of the path that are drawn; late in a run, a quarter of it
GRID = np.linspace(-1, 1, 81)
LEVELS = (0.001, 0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)  # of what the objective lacks


def petals() -> Dataset:
    """Return petals of two species of iris, around their mean, in standard deviations."""
    data = load_iris(("setosa", "versicolor"), ("petal length (cm)", "petal width (cm)"))
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    rows = np.arange(0, len(X), 5)
    return Dataset(
        X[rows], data.y[rows], ("petal length", "petal width"), data.target_names, data.source
    )


SAMPLES = {
    "two clouds": lambda: make_clouds(16, 2.6, 35),
    "iris petals, centred": petals,
    "XOR": make_xor,
    "one point, two labels": make_contradiction,
}


def objective(X: FloatArray, y: FloatArray, lam: float, W: FloatArray) -> FloatArray:
    """Return λ/2‖w‖² + mean hinge of each w, shape (m, d) → (m,)."""
    loss = np.maximum(0.0, 1 - y[:, np.newaxis] * (X @ W.T)).mean(axis=0)
    value: FloatArray = lam / 2 * np.einsum("ij,ij->i", W, W) + loss
    return value


@memoize
def optimum(
    X: FloatArray, y: FloatArray, lam: float, *, bias: bool = False
) -> tuple[FloatArray, float, float]:
    """Return the optimal w and b, and the lower bound of the objective (λ-form)."""
    n = len(y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConverged)
        run = solve(smo(X @ X.T, y, 1 / (lam * n), bias=bias), gap=1e-9, max_passes=3000)
    return (run.alpha * y) @ X, float(run.b), float(run.dual * lam)


class Run(NamedTuple):
    """Every w, shape (STEPS + 1, 2); of each step its example and the margin it had."""

    W: FloatArray
    seen: list[tuple[Any, Any]]


@memoize
def all_steps(X: FloatArray, y: FloatArray, lam: float, **settings: Any) -> Run:
    """Take all steps."""
    states = islice(pegasos(X, y, lam, one_at_a_time=True, **settings), STEPS + 1)
    W, seen = zip(*((state.w.copy(), (state.i, state.margin)) for state in states), strict=True)
    return Run(np.array(W), list(seen))


class PegasosStepper(Figure):
    """Step through Pegasos: the line, the weights among the level lines, what is still lacking.

    No bias: the line goes through the origin, and w is a point of the plane. Taught in notebook 04.
    """

    question = "What does one step do to w, and what do two hundred of them add up to?"
    size = (10.2, 3.7)
    strip_size = (7.6, 2.7)
    sample = Sample("data", SAMPLES, within=3.9)
    lam = Ladder("λ", LAMBDAS, 0.1, lam_and_C)
    t = Steps("step t", 0, STEPS, 3)
    play = Player("t", 400, "play the steps")
    presets = {
        "the first step": {"t": 1},
        "after 23 steps": {"t": 23},
        "after 24 steps": {"t": 24},
        "after 50 steps": {"t": 50},
        "after 200 steps": {"t": 200},
        "small λ, after 200 steps": {"lam": 0.01, "t": 200},
        "small λ, after 10 steps": {"lam": 0.01, "t": 10},
        "back into the ball": {"lam": 0.01, "t": 10, "project": True},
        "XOR": {"sample": "XOR", "lam": 0.01, "t": 10, "project": True},
    }
    memory = {"seed": 11}  # kicks at 1, 2, 4 and 9
    readout = (
        "{start}   step {t}: example {i} has margin {margin:.2f} {verdict} w ← {update}\n"
        "P(w) = {objective:.3f}, {lacking:.3f} above the minimum   ‖w‖ = {length:.3g}   "
        "ball 1/√λ = {radius:.3g}   margins below 1: {errors} of {n}   {no_line}   {together}"
    )
    alt = (
        "Pegasos on {sample}, C = {C:.3g}, λ = {lam:.3g}, after {t} steps. Left: the points and "
        "the line of w = ({w:.2f}). Middle: the path of w among the level lines of the objective, "
        "with {seen}. Right: what the objective lacks, now {lacking:.3g}."
    )

    @Button("step")
    def step(self) -> None:
        """Take one more step."""
        self.t += 1

    @Button("other order", "draw the examples in another order")
    def shuffle(self) -> None:
        """Draw the examples in another order."""
        self.seed += 1

    project = Choice("after a step", {"stay": False, "back into the ball": True})

    def build(self, figure: MplFigure) -> Axes:
        """Make the points, the plane of w, and the curve of what is lacking."""
        self.plane, middle, right = figure.subplots(1, 3, width_ratios=[1, 1, 0.95])
        self.plane.set_title("the line of w")
        self.field = ScoreField(self.plane, LIMITS)
        self.line = Separator(self.plane, margins=True)
        self.points = Points(self.plane)
        self.path = WeightPath(middle)
        self.key = (self.plane, middle)
        self.suboptimality = Suboptimality(right, STEPS, (1e-4, 1e2), {"last w": RUN["last w"]})
        self.suboptimality.legend.set_visible(False)  # of one curve
        right.set_box_aspect(1.0)
        return self.plane

    def take(self, data: Dataset) -> None:
        """Take points, and the names of their coordinates."""
        super().take(data)
        plane(self.plane, LIMITS, data.feature_names)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Take all steps with these points and settings, and show the run until step t."""
        X, y, lam, t = self.X, self.y, self.lam, self.t
        best, _, lowest = optimum(X, y, lam)
        run = self.run = all_steps(X, y, lam, project=self.project, rng=self.seed)
        w, (used, margin) = run.W[t], run.seen[t]
        if np.linalg.norm(w) <= 1e-12 * np.linalg.norm(X) / lam:  # but for rounding
            w = np.zeros(2)

        side = np.linspace(-4, 4, 25)
        self.field.show(w[0] * side + w[1] * side[:, np.newaxis])
        self.line.show(w, 0.0)
        ring = (np.arange(len(y)) == used).astype(float)
        self.points.show(X, y, weight=ring, used=used, mistaken=y * (X @ w) <= 0)
        self.points.ring.set_edgecolor(style.ACCENT if t and margin < 1 else style.NEUTRAL)
        unit = 1 / np.sqrt(lam)  # the radius of the ball: views have one size whatever λ is
        first = max(0, t - max(TRAIL, t // 4))
        path = run.W[first : t + 1]
        kicked = np.array([m < 1 for _, m in run.seen[first + 1 : t + 1]], dtype=bool)
        # As wide as the path is, in a few sizes: around the origin, or around a star that is near.
        far, off = np.abs([*path, best]).max() / unit, np.abs(path - best).max() / unit
        centre, reach = np.zeros(2), 1.4 * 2 ** np.ceil(np.log2(max(0.25, far / 1.3)))
        if off < 0.12:
            centre, reach = best, 0.06 * 2 ** np.ceil(np.log2(max(0.5, off / 0.055)))
        x1, x2 = centre[:, np.newaxis] + reach * unit * GRID
        grid = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
        above = (objective(X, y, lam, grid) - lowest).reshape(len(GRID), -1)
        radius = unit if self.project else None
        self.path.show(path, kicked, best, (x1, x2), above, radius)
        lacks = objective(X, y, lam, run.W[1:]) - lowest
        self.suboptimality.zoom((1e-4, float(10 ** np.ceil(np.log10(lacks.max(initial=1.0))))))
        self.suboptimality.show(np.arange(1.0, t + 1), {"last w": lacks[:t]}, t)

        value = float(objective(X, y, lam, w[np.newaxis])[0])
        length = float(np.linalg.norm(w))
        return {
            **self.reason(used, margin),
            "n": len(y),
            "C": 1 / (lam * len(y)),
            "w": w,
            "best": best,
            "lowest": lowest,
            "lacks": lacks,
            "objective": value,
            "lacking": value - lowest,
            "length": length,
            "radius": radius,
            "seen": "the optimum and the ball" if radius else "the optimum",
            "errors": (y * (X @ w) < 1).sum(),
            "no_line": "" if length else "w = 0: no line",
            "together": coincidence(X, y, "no w meets both"),
        }

    def reason(self, used: Any, margin: Any) -> dict[str, Any]:
        """Say what step t saw, and what it did to w."""
        t = self.t
        if t == 0:
            start = "before step 1: w = 0, every margin is 0 < 1, so any example will be added"
            return {"start": start, "i": None}
        update = written("{:.3g}·w", 1 - 1 / t)
        if margin < 1:
            sign = "+" if self.y[used] > 0 else "−"
            update += f" {sign} " + written("{:.3g}·x", 1 / (self.lam * t))
        if self.project and np.sqrt(self.lam) * np.linalg.norm(self.run.W[t]) > 1 - 1e-9:
            update += ", then back onto the ball"
        return {
            "start": None,
            "i": used,
            "margin": margin,
            "verdict": "< 1, so" if margin < 1 else "≥ 1, so it only shrinks:",
            "update": update,
        }


class WeightPath(Mark):
    """Where w has been, over the level lines of the objective; the optimum, and a ball if any."""

    def __init__(self, axes: Axes) -> None:
        self._axes = axes
        axes.set(xlabel="w₁", ylabel="w₂", box_aspect=1.0)
        self.ball = Circle((0, 0), fill=False, edgecolor=style.NEUTRAL, linestyle="--", zorder=1)
        axes.add_patch(self.ball)
        ball = Line2D([], [], color=style.NEUTRAL, linestyle="--", label="‖w‖ = 1/√λ")
        self.levels = LevelLines(axes, LEVELS, zorder=1.5)
        for lines in self.levels.lines:
            lines.set(color="#9a9a9a", linestyle="-")
        self.slides = Line2D([], [], color=style.NEUTRAL, marker=".", markersize=4, zorder=3)
        self.kicks = Line2D([], [], color=style.ACCENT, linewidth=style.LINE, zorder=4)
        for line in (self.slides, self.kicks):
            axes.add_line(line)
        arrow: Any = {"arrowstyle": "-|>", "color": style.ACCENT, "linewidth": 1.5 * style.LINE,
                      "shrinkA": 0, "shrinkB": 0, "mutation_scale": 14}  # fmt: skip
        self.kick = axes.annotate("", (0, 0), (0, 0), arrowprops=arrow, zorder=8)
        self.last = axes.scatter(
            [], [], c="white", edgecolors=style.INK, s=50, zorder=5, label="last w"
        )
        self.best = axes.scatter(
            [], [], marker="*", c="white", edgecolors=style.INK, s=150, zorder=7, label="optimum"
        )
        self.legend = axes.legend(
            handles=[self.last, self.best, ball], loc="lower center", ncols=3,
            bbox_to_anchor=(0.5, 1.0), borderaxespad=0.1, handletextpad=0.2, columnspacing=0.6,
            handlelength=1.3,
        )  # fmt: skip

    def show(
        self,
        path: FloatArray,
        kicked: NDArray[np.bool_],
        best: FloatArray,
        grid: tuple[FloatArray, FloatArray],
        lacking: FloatArray,
        radius: float | None,
    ) -> None:
        """Show a run.

        Parameters
        ----------
        path
            w after each of the last steps, shape (m, 2).
        kicked
            Which of the steps between them were kicks, shape (m - 1,): violet, the last an arrow.
        best
            The optimum, shape (2,).
        grid
            Coordinates of the level lines on the two axes, (m,): the picture ends with them.
        lacking
            What the objective there lacks, shape (m, m), rows from the bottom up.
        radius
            Of the ball, or None.
        """
        x1, x2 = grid
        self._axes.set(xlim=x1[[0, -1]], ylim=x2[[0, -1]])
        self.levels.show(x1, x2, lacking)
        self.slides.set_data(*path.T)
        ends = np.stack([path[:-1], path[1:], np.full_like(path[1:], np.nan)], axis=1)
        self.kicks.set_data(*ends[kicked].reshape(-1, 2).T)
        self.kick.set_visible(len(kicked) > 0 and bool(kicked[-1]))
        self.kick.set_position(path[-2:][0])
        self.kick.xy = path[-1]
        self.ball.set_radius(radius or 0.0)
        far = np.hypot(x1, x2[:, np.newaxis])
        for part in (self.legend.get_lines()[-1], self.legend.get_texts()[-1]):
            part.set_visible(radius is not None and far.min() <= radius <= far.max())
        self.last.set_offsets(path[-1])
        self.best.set_offsets(best)
