"""Live figure of notebook 04: Pegasos, one update at a time, with the reason in words."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, NamedTuple

import ipywidgets
import numpy as np

from kernellab.datasets import Dataset, load_iris, make_clouds, make_contradiction, make_xor
from kernellab.draw import style
from kernellab.draw.over_c import both
from kernellab.draw.plane import Points, ScoreField, Separator, plane
from kernellab.lessons.pegasos.figures.suboptimality_marks import Lacking
from kernellab.lessons.pegasos.figures.weights_marks import REACH, WeightPath
from kernellab.live.coincide import coincidence
from kernellab.live.explorer import WIDE, Explorer, button, choice, class_handles, player, steps
from kernellab.solvers.pegasos import convergence_bound, pegasos
from kernellab.solvers.smo import smo
from kernellab.solving import NotConverged, solve
from kernellab.validation import FloatArray

LAMBDAS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
STEPS = 200
LIMITS = (-4.0, 4.0, -4.0, 4.0)
GRID = np.linspace(-REACH, REACH, 61)
AVERAGES: dict[str, bool | str] = {
    "last w": False,
    "average of all w": True,
    "average, late w weigh more": "linear",
}


def petals() -> Dataset:
    """Return petals of two species of iris, around their mean, in standard deviations."""
    data = load_iris(("setosa", "versicolor"), ("petal length (cm)", "petal width (cm)"))
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    rows = np.arange(0, len(X), 5)
    return Dataset(
        X[rows], data.y[rows], ("petal length", "petal width"), data.target_names, data.source
    )


SAMPLES: dict[str, Callable[[], Dataset]] = {
    "two clouds": lambda: make_clouds(16, 2.6, 35),
    "iris petals, centred": petals,
    "XOR": make_xor,
    "one point, two labels": make_contradiction,
}


def lam_slider(n: int, value: float, lams: tuple[float, ...] = LAMBDAS) -> Any:
    """Make a slider over λ that shows C = 1/(λn) beside it, for n examples."""
    return ipywidgets.SelectionSlider(
        options=lam_options(n, lams), value=value, description="λ",
        style=WIDE["style"], layout={"width": "400px"},
    )  # fmt: skip


def lam_options(n: int, lams: tuple[float, ...] = LAMBDAS) -> list[tuple[str, float]]:
    """Return λ with C in words, and λ."""
    return [(f"{lam:g}  (C = {1 / (lam * n):.3g})", lam) for lam in lams]


class Step(NamedTuple):
    """What a step saw: its examples, and their y f before it."""

    batch: Any
    margins: FloatArray


class PegasosStepper(Explorer):
    """Step through Pegasos: the line, the weights among the level lines, what is still lacking.

    No bias: the line goes through the origin, and w is a point of the plane. Taught in notebook 04.

    Parameters
    ----------
    sample
        One of the names in ``SAMPLES``: what is shown first.
    lam
        One of ``LAMBDAS``.
    step
        Where in the run it stands first.
    project, average
        Whether steps go back into the ball, and a name in ``AVERAGES``.
    """

    presets: Mapping[str, Any] = {
        "the first step": {"t": 1},
        "small λ, long steps": {"lam": 0.01, "t": 10},
        "back into the ball": {"lam": 0.01, "t": 10, "project": True},
        "200 steps, last w": {"t": 200},
        "200 steps, average": {"t": 200, "average": "average of all w"},
        "XOR": {"sample": "XOR", "t": 50},
    }
    memory = ("seed",)

    X: FloatArray
    y: FloatArray

    def __init__(
        self,
        sample: str = "two clouds",
        lam: float = 0.1,
        *,
        step: int = 3,
        project: bool = False,
        average: str = "last w",
    ) -> None:
        self.sample = choice("data", list(SAMPLES))
        self.sample.value = sample
        self.t = steps("step t", step, 0, STEPS)
        play = player(self.t, 400, "play the steps")
        self.project = choice("after a step", {"stay": False, "back into the ball": True})
        self.project.value = project
        self.average = choice("answer", list(AVERAGES))
        self.average.value = average
        self.k = choice("batch k", [1, 2, 4])
        self.seed = 0
        figure = style.new_figure((10.2, 3.7))
        left, middle, right = figure.subplots(1, 3, width_ratios=[1, 1, 0.95])
        self.plane = left
        left.set_title("the points, and the line of w")
        self.field = ScoreField(left, LIMITS)
        self.line = Separator(left, margins=True)
        self.points = Points(left)
        self.path = WeightPath(middle)
        self.lacking = Lacking(right, STEPS, (1e-4, 1e3))
        right.set_box_aspect(1.0)
        self._load()
        self.lam = lam_slider(len(self.y), lam)
        super().__init__(
            "What does one step do to w, and what do thousands of them add up to?",
            figure,
            [
                self.sample, self.lam, self.t, play, button("step", self.step),
                button("other order", self.shuffle, tooltip="draw the examples in another order"),
                self.project, self.average, self.k,
            ],
            moving=[
                artist
                for mark in (self.field, self.line, self.points, self.path, self.lacking)
                for artist in mark.artists
            ],
            axes=left,
            points=self.X,
            handles=self._handles(),
        )  # fmt: skip

    def step(self) -> None:
        """Take one more step."""
        self.t.value = min(self.t.value + 1, STEPS)

    def shuffle(self) -> None:
        """Draw the examples in another order."""
        self.seed += 1
        self.live.redraw(sharp=True)

    # --- what it computes ----------------------------------------------------------------------

    def update(self, points: FloatArray) -> str:
        """Run all steps with these points and settings, and show the run until step t."""
        if self.sample.value != self._loaded:
            self._load()
            self.offer(self.lam, lam_options(len(self.y)))
            self.live.place(points := self.X, self._handles())
        self.X = points
        self._run()
        self._draw()
        return self._sentence()

    def objective(self, W: FloatArray) -> FloatArray:
        """Return λ/2‖w‖² + mean hinge of each w, shape (m, 2) → (m,)."""
        margins = self.y[:, np.newaxis] * (self.X @ W.T)
        loss = np.maximum(0.0, 1 - margins).mean(axis=0)
        return self.lam.value / 2 * np.einsum("ij,ij->i", W, W) + loss

    def _run(self) -> None:
        """Take all steps; keep every w, every average, and what each step saw."""
        X, y, lam, average = self.X, self.y, self.lam.value, AVERAGES[self.average.value]
        problem = (X.tobytes(), self._loaded, lam)
        settings = (*problem, average, self.project.value, self.k.value, self.seed)
        if getattr(self, "_settings", None) == settings:
            return
        if getattr(self, "_settings", (None,) * 3)[:3] != problem:
            self.best, self.lowest = solve_quietly(X, y, lam)
        self._settings = settings
        states = pegasos(
            X, y, lam, batch_size=self.k.value, project=self.project.value, average=average,
            rng=self.seed, one_at_a_time=True,
        )  # fmt: skip
        self.W, self.averages = np.zeros((2, STEPS + 1, 2))
        self.seen: list[Step] = []
        for t, state in enumerate(islice(states, STEPS + 1)):
            self.W[t], self.averages[t] = state.last_w, state.w
            if state.margins is not None:
                self.seen.append(Step(state.batch, state.margins))

    # --- what it shows -------------------------------------------------------------------------

    def _draw(self) -> None:
        t, lam, averaged = self.t.value, self.lam.value, AVERAGES[self.average.value]
        self.w = self.averages[t] if averaged else self.W[t]
        left, right, bottom, top = LIMITS
        x1, x2 = np.linspace(left, right, 25), np.linspace(bottom, top, 25)
        self.field.show(self.w[0] * x1 + self.w[1] * x2[:, np.newaxis])
        self.line.show(self.w, 0.0)
        batch = self.seen[t - 1].batch if t else []
        used = int(batch[0]) if len(batch) == 1 else None
        ring = np.zeros(len(self.y))
        ring[list(batch)] = 1.0
        self.points.show(
            self.X, self.y, weight=ring, used=used, mistaken=self.y * (self.X @ self.w) <= 0
        )
        root = np.sqrt(lam)
        grid = np.stack(np.meshgrid(GRID, GRID), axis=-1).reshape(-1, 2) / root
        lacking = (self.objective(grid) - self.lowest).reshape(len(GRID), -1)
        answer = root * self.averages[t] if averaged else None
        self.path.show(root * self.W[: t + 1], root * self.best, GRID, lacking, answer=answer)
        steps_ = np.arange(1.0, STEPS + 1)
        radius = float(np.sqrt((self.X**2).sum(axis=1).max()))
        self.curves = {"last w": self.objective(self.W[1:]) - self.lowest}
        if averaged:
            self.curves["average"] = self.objective(self.averages[1:]) - self.lowest
        if averaged is True and radius > 0:
            self.curves["bound"] = convergence_bound(
                steps_, lam, radius, project=self.project.value
            )
        self.lacking.show(steps_, self.curves, t)

    def describe(self) -> str:
        """Return the alternative text."""
        w = f"({self.w[0]:.2f}, {self.w[1]:.2f})".replace("-", "−")
        return (
            f"Pegasos on {self._loaded}, {both(1 / (self.lam.value * len(self.y)), len(self.y))}, "
            f"after {self.t.value} steps. Left: the points and the line of w = {w}. Middle: the "
            f"path of w among the level lines of the objective, with the ball and the optimum. "
            f"Right: what the objective lacks, now {self.now:.3g}."
        )

    def _sentence(self) -> str:
        """Say what the step saw, what it did to w, and where that leaves the objective."""
        t, lam = self.t.value, self.lam.value
        value = float(self.objective(self.w[np.newaxis])[0])
        self.now = value - self.lowest
        wrong = int((self.y * (self.X @ self.w) < 1).sum())
        length = float(np.sqrt(self.w @ self.w))
        where = (
            f"P(w) = {value:.3g}, {self.now:.2g} above the minimum   ‖w‖ = {length:.3g}, "
            f"ball 1/√λ = {lam**-0.5:.3g}   margins below 1: {wrong} of {len(self.y)}   "
            f"λ = {lam:g}, C = {1 / (lam * len(self.y)):.3g}"
        )
        noted = coincidence(self.X, self.y, "no w meets both")
        where += "   w = 0: no line" * (length == 0) + f"   {noted}" * bool(noted)
        return f"{self._reason(t)}\n{where}".replace("-", "−")

    def _reason(self, t: int) -> str:
        if t == 0:
            return "before step 1: w = 0, every margin is 0 < 1, so any example will be added"
        lam, (batch, margins) = self.lam.value, self.seen[t - 1]
        violators = [int(i) for i in np.asarray(batch)[margins < 1]]
        shrunk = f"{1 - 1 / t:.3g}·w" if t > 1 else "0·w"
        rate = 1 / (lam * t * len(batch))
        if len(batch) == 1:
            i, margin = int(batch[0]), float(margins[0])
            told = f"step {t}: example {i} has margin {margin:.2f} "
            if violators:
                sign = "+" if self.y[i] > 0 else "−"
                told += f"< 1, so w ← {shrunk} {sign} {rate:.3g}·x"
            else:
                told += f"≥ 1, so it only shrinks: w ← {shrunk}"
        else:
            listed = ", ".join(f"{m:.2f}" for m in margins)
            told = f"step {t}: margins {listed}; {len(violators)} of {len(batch)} are < 1, so w ← "
            told += shrunk + (f" + {rate:.3g}·(sum of their y·x)" if violators else "")
        if self.project.value and np.sqrt(lam) * np.linalg.norm(self.W[t]) > 1 - 1e-9:
            told += ", then back onto the ball"
        return told

    # --- how it does it ------------------------------------------------------------------------

    def _load(self) -> None:
        data = SAMPLES[self.sample.value]()
        self._loaded = self.sample.value
        self.X, self.y = np.clip(data.X, -3.9, 3.9), data.y
        plane(self.plane, LIMITS, data.feature_names)

    def _handles(self) -> list[dict[str, str]]:
        return class_handles(self.y)


def solve_quietly(X: FloatArray, y: FloatArray, lam: float) -> tuple[FloatArray, float]:
    """Return the optimal w without a bias, and the lower bound of the objective (λ-form)."""
    n = len(y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConverged)
        run = solve(smo(X @ X.T, y, 1 / (lam * n), bias=False), gap=1e-9, max_passes=3000)
    w = (run.alpha * y) @ X
    return w, float(run.dual * lam)
