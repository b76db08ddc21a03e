"""Live figure of notebook 01: many separators without an error, or one with a regulariser."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets import make_clouds
from kernellab.draw.plane import Points, Separator, plane
from kernellab.lessons.perceptron.figures.separators_marks import LINES, Bars
from kernellab.live.controls import Button, Choice, Ladder, Sample
from kernellab.live.declared import Figure
from kernellab.live.memoize import memoize
from kernellab.live.readout import written
from kernellab.losses import hinge
from kernellab.solvers.descent import descend
from kernellab.solvers.perceptron import homogeneous
from kernellab.validation import FloatArray

N_STARTS = 5
STEPS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
LIMIT = 4.5
WRONG, RIGHT = (-7.0, 6.0), (0.0, 3.0)  # the half-margins that are drawn; if no point is wrong

# Points, labels, and the mean and spread of the first weights (w₁, w₂, b).
Data = tuple[FloatArray, FloatArray, FloatArray, float]


def two_points() -> Data:
    """Return one point a class, and first lines that separate them already."""
    X = np.array([[-2.0, 2.0], [2.0, -2.0]])
    return X, np.array([1.0, -1.0]), np.array([-1.0, 1.0, 0.0]), 0.4


def two_clouds() -> Data:
    """Return twelve separable points, and first lines in every direction."""
    data = make_clouds(12, 5.0, 4)
    return data.X, data.y, np.zeros(3), 1.5


class Descent:
    """Descent on the mean hinge loss from some first weights, taken as far as it is asked for."""

    def __init__(self, X: FloatArray, y: FloatArray, lam: float, starts: FloatArray) -> None:
        step = lambda t: 0.5 / np.sqrt(t)  # noqa: E731
        self.states = descend(homogeneous(X), y, hinge, lam=lam, step=step, start=starts)
        self.weights: list[FloatArray] = []

    def after(self, t: int) -> FloatArray:
        """Return the lines (w₁, w₂, b) after t steps, shape (n_starts, 3)."""
        missing = t + 1 - len(self.weights)
        self.weights += [state.w for state in islice(self.states, max(0, missing))]
        return self.weights[min(t, len(self.weights) - 1)]  # it ends where no loss is left


descent = memoize(Descent)


class ManySeparators(Figure):
    """Five random lines descend on the same risk: where do they end?

    Descent on the mean hinge loss, with steps of 0.5/√t, in homogeneous coordinates, with or
    without the regulariser λ/2 ‖w‖². Taught in notebook 01.
    """

    question = "Five learners start from five random lines: will they end at the same one?"
    answer = ("bars", "finding")
    size = (9.0, 4.2)
    strip_size = (8.4, 3.6)
    sample = Sample("data", {"two points": two_points, "two clouds": two_clouds})
    t = Ladder("steps of descent", STEPS)
    lam = Choice("regulariser", {"none": 0.0, "λ = 0.001": 1e-3, "λ = 0.01": 1e-2, "λ = 0.1": 1e-1})
    presets = {
        "two points": {"sample": "two points"},
        "at the start": {"sample": "two clouds"},
        "no error left": {"sample": "two clouds", "t": 1000},
        "λ, arrived": {"sample": "two clouds", "t": 1000, "lam": 0.1},
        "λ, too early": {"sample": "two clouds", "t": 20, "lam": 0.1},
    }
    memory = {"draws": 0}  # how often other starts were asked for
    readout = (
        "after {t} steps: training errors {errors:.0f}   mean hinge loss {risk:.2f}\n"
        "half-margins {half_margins:.2f}"
    )
    alt = (
        "{found}, half-margins {half_margins}. Left: {n} points and five lines, each after {t} "
        "steps of descent from its own random start, regulariser {lam}. Right: the half-margins "
        "as bars."
    )

    @Button("new starts", "draw five other first lines")
    def draw_starts(self) -> None:
        """Start from five other lines."""
        self.draws += 1

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane and the bars."""
        left, right = self.key = tuple(figure.subplots(1, 2))
        plane(left, (-LIMIT, LIMIT, -LIMIT, LIMIT))
        left.set_title(" \n ")  # room for words that move
        right.set_title("half-margin")
        self.lines = [Separator(left, color=colour, linestyle=dash) for colour, dash in LINES]
        self.signs = [
            left.text(0, 0, "+", color=colour, ha="center", va="center", fontsize=16)
            for colour, _ in LINES
        ]
        self.points = Points(left)
        self.bars = Bars(right, [f"start {k + 1}" for k in range(N_STARTS)])
        self.finding = left.text(0.0, 1.015, "", transform=left.transAxes, va="bottom")
        return left

    def take(self, data: Any) -> None:
        """Take points, and where the first lines are drawn from."""
        self.X, self.y, self.centre, self.spread = data

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Descend from the five starts for t steps, and measure the lines."""
        rng = np.random.default_rng(self.draws)
        starts = self.centre + rng.normal(0, self.spread, (N_STARTS, 3))
        W = descent(self.X, self.y, self.lam, starts).after(self.t)
        margins = self.y * (W[:, :2] @ self.X.T + W[:, 2:])
        errors = (margins <= 0).sum(axis=1)
        lengths = np.linalg.norm(W[:, :2], axis=1)
        half_margins = margins.min(axis=1) / np.maximum(lengths, 1e-300)
        n_lines = count_different(W / np.maximum(lengths, 1e-300)[:, None])
        wrong = ", ".join(map(str, errors)) if errors.any() else "none"
        alike = f"{n_lines} different lines" if n_lines > 1 else "all five the same"
        found = f"errors: {wrong}\n{alike}"
        self.points.show(self.X, self.y)
        for line, sign, w in zip(self.lines, self.signs, W, strict=True):
            line.show(w[:2], w[2])
            sign.set_position(beside(w))
        self.finding.set_text(found)
        words = [
            written("{:.2f}   ‖w‖ = {:.2f}", m, length)
            for m, length in zip(half_margins, lengths, strict=True)
        ]
        reach = WRONG if errors.any() else RIGHT
        distance = "distance (< 0: wrong side)" if errors.any() else "distance of the nearest point"
        self.key[1].set(xlim=reach, xlabel=distance)
        self.bars.show(np.clip(half_margins, *reach), words)
        return {
            "n": len(self.y),
            "found": found.replace("\n", "; "),
            "errors": errors.tolist(),
            "n_lines": n_lines,
            "risk": np.round(np.maximum(0, 1 - margins).mean(axis=1), 2).tolist(),
            "half_margins": np.round(half_margins, 2).tolist(),
            "weights": W,
        }


def beside(w: FloatArray) -> FloatArray:
    """Return a place in the plane on the positive side of a line (w₁, w₂, b), at its lower end."""
    across, b = w[:2] / max(np.hypot(*w[:2]), 1e-300), w[2] / max(np.hypot(*w[:2]), 1e-300)
    line = np.linspace(-9, 9, 181)[:, None] * (across[1], -across[0]) - b * across
    seen = line[(np.abs(line) < LIMIT - 0.3).all(axis=1)]
    return 0.3 * across + (seen[seen[:, 1].argmin()] if len(seen) else (np.nan, np.nan))


def count_different(rows: FloatArray, tolerance: float = 0.05) -> int:
    """Count the rows that are further than the tolerance from every row before them."""
    far = np.linalg.norm(rows[:, None] - rows, axis=2) > tolerance
    return sum(bool(far[k, :k].all()) for k in range(len(rows)))
