"""Live figure of notebook 04: what the average lacks, and what theory allows it to lack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import ipywidgets
import numpy as np

from kernellab.datasets import make_clouds
from kernellab.draw import style
from kernellab.lessons.pegasos.figures.stepper import lam_slider, solve_quietly
from kernellab.lessons.pegasos.figures.suboptimality_marks import RUN, Lacking
from kernellab.live.explorer import WIDE, Explorer, choice
from kernellab.solvers.pegasos import PrimalPegasosState, convergence_bound, pegasos
from kernellab.validation import FloatArray

LAMBDAS = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
CHECKPOINTS = np.unique(np.round(2 ** (np.arange(25) / 2)).astype(int))  # 1 … 4096 steps
RUNS = 8
N = 60


class Course(NamedTuple):
    """What several runs lacked at each checkpoint: arrays of shape (RUNS, len(CHECKPOINTS))."""

    last: FloatArray
    average: FloatArray


def clouds() -> tuple[FloatArray, FloatArray]:
    """Return 60 points of two clouds that overlap, scaled so that the longest has length 1."""
    data = make_clouds(N, 2.0, 4)
    return data.X / np.sqrt((data.X**2).sum(axis=1).max()), data.y


class PegasosBound(Explorer):
    """λ, projection and averaging over eight runs of 4096 random draws, under the theorem's line.

    Taught in notebook 04.

    Parameters
    ----------
    lam
        One of ``LAMBDAS``.
    """

    presets: Mapping[str, Any] = {
        "average of all w": {},
        "late w weigh more": {"average": "linear"},
        "back into the ball": {"project": True},
        "large λ": {"lam": 0.1},
        "λ too small": {"lam": 0.0001},
    }

    def __init__(self, lam: float = 0.001) -> None:
        self.X, self.y = clouds()
        self.lam = lam_slider(N, lam, LAMBDAS)
        self.t = ipywidgets.SelectionSlider(
            options=[(str(t), k) for k, t in enumerate(CHECKPOINTS)],
            value=len(CHECKPOINTS) - 1, description="step t", **WIDE,
        )  # fmt: skip
        self.project = choice("after a step", {"stay": False, "back into the ball": True})
        self.average = choice(
            "average", {"all w alike": "uniform", "late w weigh more": "linear", "none": False}
        )
        self._known: dict[tuple[object, ...], Course] = {}
        self._lowest: dict[float, float] = {}
        figure = style.new_figure((8.6, 4.0))
        self.lacking = Lacking(
            figure.subplots(), int(CHECKPOINTS[-1]), (1e-6, 1e5),
            {"last w, mean of 8 runs": RUN["last w"], "average": RUN["average"],
             "bound": RUN["bound"]},
            band=True,
        )  # fmt: skip
        super().__init__(
            "Where is the average under its bound, and which switch closes the gap between them?",
            figure,
            [self.lam, self.t, self.project, self.average],
            moving=self.lacking.artists,
        )

    def update(self, points: FloatArray) -> str:
        """Run Pegasos eight times unless these settings are known, and show what is lacking."""
        lam, project, average = self.lam.value, self.project.value, self.average.value
        course = self.course(lam, project, average)
        self.bound = convergence_bound(CHECKPOINTS, lam, 1.0, project=project)
        self.last, self.mean = course.last.mean(axis=0), course.average.mean(axis=0)
        curves = {"last w, mean of 8 runs": self.last}
        band = None
        if average:
            curves |= {"average": self.mean}
            band = (course.average.min(axis=0), course.average.max(axis=0))
            if average == "uniform":
                curves |= {"bound": self.bound}
        at = self.t.value
        self.lacking.show(CHECKPOINTS.astype(float), curves, float(CHECKPOINTS[at]), band)
        return self._sentence(at, average)

    def course(self, lam: float, project: bool, average: str | bool) -> Course:
        """Return what eight runs lack at the checkpoints."""
        key = (lam, project, average)
        if key in self._known:
            return self._known[key]
        if lam not in self._lowest:
            self._lowest[lam] = solve_quietly(self.X, self.y, lam)[1]
        last, mean = np.empty((2, RUNS, len(CHECKPOINTS)))
        parts = np.diff(CHECKPOINTS, prepend=0)
        for run in range(RUNS):
            draws = np.random.default_rng(run).integers(0, N, CHECKPOINTS[-1])
            orders = np.split(draws, np.cumsum(parts)[:-1])
            states = pegasos(
                self.X, self.y, lam, project=project, average=average or "uniform", orders=orders
            )
            next(states)  # before the first step
            for k, state in enumerate(states):
                last[run, k] = self.objective(state.last_w, lam)
                mean[run, k] = self.objective(answer(state), lam)
        course = Course(last - self._lowest[lam], mean - self._lowest[lam])
        self._known[key] = course
        return course

    def objective(self, w: FloatArray, lam: float) -> float:
        """Return λ/2‖w‖² + mean hinge."""
        return float(lam / 2 * w @ w + np.maximum(0, 1 - self.y * (self.X @ w)).mean())

    def describe(self) -> str:
        """Return the alternative text."""
        lam = self.lam.value
        return (
            f"What the objective lacks against steps, both axes logarithmic, 60 points of length "
            f"up to 1, λ = {lam:g}, C = {1 / (lam * N):.3g}: {self.told}. Mean of 8 runs, with the "
            f"range of the average in grey."
        )

    def _sentence(self, at: int, average: str | bool) -> str:
        lam, t = self.lam.value, int(CHECKPOINTS[at])
        self.told = f"at t = {t} the last w lacks {self.last[at]:.2g}"
        if average:
            self.told += f", the average {self.mean[at]:.2g}"
        if average == "uniform":
            times = self.bound[at] / max(self.mean[at], 1e-300)
            self.told += f", the bound allows {self.bound[at]:.2g}: {times:.0f} times as much"
            above = int((self.mean > self.bound).sum())
            self.told += f"; above the bound at {above} of {len(CHECKPOINTS)} places"
        elif average:
            self.told += "; the theorem is not about this average"
        c = "(√λ + R)²" if self.project.value else "4R²"
        return f"{self.told}\nλ = {lam:g}, C = {1 / (lam * N):.3g}, R = 1, c = {c}"


def answer(state: PrimalPegasosState) -> FloatArray:
    """Return the average."""
    return state.w
