"""Live figure of notebook 01: many separators without an error, or one with a regulariser."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

import numpy as np

from kernellab.datasets import make_clouds
from kernellab.descent import descend
from kernellab.draw import style
from kernellab.draw.bars import Bars
from kernellab.draw.plane import Points, Separator, plane
from kernellab.live.explorer import Explorer, button, choice, class_handles, ladder
from kernellab.losses import hinge
from kernellab.perceptron import homogeneous
from kernellab.validation import FloatArray

N_STARTS = 5
STEPS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
LIMIT = 4.5

# Points, labels, and the mean and spread of the first weights (w₁, w₂, b).
Sample = tuple[FloatArray, FloatArray, FloatArray, float]


def two_points() -> Sample:
    """Return one point a class, and first lines that separate them already."""
    X = np.array([[-2.0, 2.0], [2.0, -2.0]])
    return X, np.array([1.0, -1.0]), np.array([-1.0, 1.0, 0.0]), 0.4


def two_clouds() -> Sample:
    """Return twelve separable points, and first lines in every direction."""
    data = make_clouds(12, 5.0, 4)
    return data.X, data.y, np.zeros(3), 1.5


class ManySeparators(Explorer):
    """Five random lines descend on the same risk: where do they end?

    Descent on the mean hinge loss, with steps of 0.5/√t, in homogeneous coordinates, with or
    without the regulariser λ/2 ‖w‖². Taught in notebook 01.

    Parameters
    ----------
    sample
        "two points" or "two clouds": what is shown first.
    steps
        One of ``STEPS``: how far the descent has gone at first.
    """

    presets: Mapping[str, Any] = {
        "two points": {"sample": "two points"},
        "two clouds, at the start": {"sample": "two clouds"},
        "no error left": {"sample": "two clouds", "t": 1000},
        "regulariser, too early": {"sample": "two clouds", "t": 20, "lam": 0.01},
        "regulariser, arrived": {"sample": "two clouds", "t": 1000, "lam": 0.01},
        "too strong": {"sample": "two clouds", "t": 1000, "lam": 0.1},
    }
    memory = ("draws",)

    X: FloatArray
    y: FloatArray

    def __init__(self, sample: str = "two points", steps: int = 0) -> None:
        self.samples = {"two points": two_points(), "two clouds": two_clouds()}
        self.sample = choice("data", list(self.samples))
        self.sample.value = sample
        self.t = ladder("steps of descent", STEPS, steps)
        self.lam = choice(
            "regulariser", {"none": 0.0, "λ = 0.001": 1e-3, "λ = 0.01": 1e-2, "λ = 0.1": 1e-1}
        )
        self.draws = 0  # how often other starts were asked for
        self._problem: tuple[object, ...] = ()
        figure = style.new_figure((9.0, 4.2))
        left, right = figure.subplots(1, 2)
        plane(left, (-LIMIT, LIMIT, -LIMIT, LIMIT))
        left.set_title("where five random starts end")
        self.finding = left.text(
            0.03, 0.95, "", transform=left.transAxes, zorder=7, weight="bold",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 2},
        )  # fmt: skip
        right.set(xlim=(-2.0, 4.0), xlabel="signed distance of the worst-placed example")
        right.set_title("half-margin $\\min_i\\, y_i f(x_i) / \\|w\\|$")
        self.points = Points(left)
        self.lines = [
            Separator(left, color=colour, linestyle=dash) for colour, dash in style.LINES[:N_STARTS]
        ]
        self.bars = Bars(right, [f"start {k + 1}" for k in range(N_STARTS)])
        self._load()
        super().__init__(
            "Five learners, one risk, no training error left: do they agree on the line?",
            figure,
            [
                self.sample,
                self.t,
                self.lam,
                button("new starts", self.draw_starts, tooltip="draw five other first lines"),
            ],
            moving=[
                *(artist for line in self.lines for artist in line.artists),
                *self.points.artists,
                *self.bars.artists,
                self.finding,
            ],
            axes=left,
            points=self.X,
            handles=self._handles(),
        )

    def draw_starts(self) -> None:
        """Start from five other lines."""
        self.draws += 1
        self.live.redraw(sharp=True)

    def update(self, points: FloatArray) -> str:
        """Descend from the five starts for t steps, and measure the lines."""
        if self.sample.value != self._loaded:
            self._load()
            self.live.place(points := self.X, self._handles())
        self.X = points
        W = self._weights_after(self.t.value)
        margins = self.y * (W[:, :2] @ self.X.T + W[:, 2:])
        self.errors = (margins <= 0).sum(axis=1)
        lengths = np.linalg.norm(W[:, :2], axis=1)
        self.half_margins = margins.min(axis=1) / np.maximum(lengths, 1e-300)
        self.risk = np.maximum(0, 1 - margins).mean(axis=1)
        self.points.show(self.X, self.y)
        for line, w in zip(self.lines, W, strict=True):
            line.show(w[:2], w[2])
        n_lines = count_different(W / np.maximum(lengths, 1e-300)[:, None])
        n_errors = int(self.errors.sum())
        self.finding.set_text(
            f"{n_errors or 'no'} training error{'s' * (n_errors != 1)}, "
            f"{n_lines} different line{'s' * (n_lines > 1)}"
        )
        words = [
            f"{'◂ ' if m < -2 else ''}{m:.2f}   errors {e}   ‖w‖ = {length:.2f}"
            for m, e, length in zip(self.half_margins, self.errors, lengths, strict=True)
        ]
        self.bars.show(np.clip(self.half_margins, -2.0, 4.0), words)
        return (
            f"after {self.t.value} steps: training errors {self.errors.tolist()}   "
            f"mean hinge loss {np.round(self.risk, 2).tolist()}\n"
            f"half-margins {np.round(self.half_margins, 2).tolist()}"
        )

    def describe(self) -> str:
        """Return the alternative text."""
        half_margins = np.round(self.half_margins, 2).tolist()
        return (
            f"{self.finding.get_text()}, half-margins {half_margins}. Left: {len(self.y)} points "
            f"and five lines, each after {self.t.value} steps of descent from its own random "
            f"start, regulariser {self.lam.label}. Right: the half-margins as bars."
        )

    def _load(self) -> None:
        self._loaded = self.sample.value
        X, y, self._centre, self._spread = self.samples[self._loaded]
        self.X, self.y = X.copy(), y.copy()

    def _handles(self) -> list[dict[str, str]]:
        return class_handles(self.y)

    def _weights_after(self, t: int) -> FloatArray:
        """Return the five lines (w₁, w₂, b) after t steps, shape (5, 3)."""
        rng = np.random.default_rng(self.draws)
        starts = self._centre + rng.normal(0, self._spread, (N_STARTS, 3))
        problem = (self.X.tobytes(), starts.tobytes(), self.lam.value)
        if problem != self._problem:
            self._problem = problem
            self._weights: list[FloatArray] = []
            self._states = descend(
                homogeneous(self.X),
                self.y,
                hinge,
                lam=self.lam.value,
                step=lambda t: 0.5 / np.sqrt(t),
                start=starts,
            )
        missing = t + 1 - len(self._weights)  # steps taken before need not be taken again
        self._weights += [state.w for state in islice(self._states, max(0, missing))]
        return self._weights[min(t, len(self._weights) - 1)]  # it ends where no loss is left


def count_different(rows: FloatArray, tolerance: float = 0.05) -> int:
    """Count the rows that are further than the tolerance from every row before them."""
    far = np.linalg.norm(rows[:, None] - rows, axis=2) > tolerance
    return sum(bool(far[k, :k].all()) for k in range(len(rows)))
