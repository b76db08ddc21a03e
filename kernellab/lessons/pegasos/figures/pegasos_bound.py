"""Live figure of notebook 04: what the average lacks, and what theory allows it to lack."""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets import make_clouds
from kernellab.draw import style
from kernellab.lessons.pegasos.figures.stepper import objective, optimum
from kernellab.lessons.pegasos.figures.suboptimality_marks import RUN, Suboptimality
from kernellab.live.controls import Choice, Ladder
from kernellab.live.declared import Figure
from kernellab.live.memoize import memoize
from kernellab.live.parameters import lam_and_C
from kernellab.solvers.pegasos import convergence_bound, pegasos
from kernellab.validation import FloatArray

LAMBDAS = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
CHECKPOINTS = np.unique(np.round(2 ** (np.arange(25) / 2)).astype(int))  # 1 … 4096 steps
RUNS = 8
N = 60
WIDE, NEAR = (1e-5, 1e5), (1e-4, 1e4)  # what is shown
MIDDLE = (0.001, 0.003, 0.01)  # λ for which the second will do
LAST = "last w, mean of 8 runs"
ONE = "last w, one run"


class Course(NamedTuple):
    """What several runs lacked at each checkpoint: arrays of shape (RUNS, len(CHECKPOINTS))."""

    last: FloatArray
    average: FloatArray


@memoize
def clouds() -> tuple[FloatArray, FloatArray]:
    """Return 60 points of two clouds that overlap, scaled so that the longest has length 1."""
    data = make_clouds(N, 2.0, 4)
    return data.X / np.sqrt((data.X**2).sum(axis=1).max()), data.y


@memoize
def course(lam: float, project: bool, average: str) -> Course:
    """Return what eight runs lack at the checkpoints."""
    X, y = clouds()
    _, _, lowest = optimum(X, y, lam)
    last, mean = np.empty((2, RUNS, len(CHECKPOINTS)))
    for run in range(RUNS):
        draws = np.random.default_rng(run).integers(0, N, CHECKPOINTS[-1])
        orders = np.split(draws, CHECKPOINTS[:-1])
        states = pegasos(X, y, lam, project=project, average=average, orders=orders)
        W = np.array([np.array([state.last_w, state.w]) for state in islice(states, 1, None)])
        last[run] = objective(X, y, lam, W[:, 0]) - lowest
        mean[run] = objective(X, y, lam, W[:, 1]) - lowest
    return Course(last, mean)


class PegasosBound(Figure):
    """λ, projection and averaging over eight runs of 4096 random draws, under the theorem's line.

    Taught in notebook 04.
    """

    question = "Is an average of all w calmer than the last one, and is it better?"
    answer = ("averages",)
    size = (8.6, 4.0)
    strip_size = (4.8, 3.9)
    lam = Ladder("λ", LAMBDAS, 0.001, lam_and_C)
    t = Ladder("step t", CHECKPOINTS.tolist(), int(CHECKPOINTS[-1]))
    project = Choice("after a step", {"stay": False, "back into the ball": True})
    average = Choice(
        "average", {"none": False, "all steps alike": "uniform", "late steps weigh more": "linear"}
    )
    presets = {
        "the last w alone": {"average": False},
        "all steps alike": {"average": "uniform"},
        "late steps weigh more": {"average": "linear"},
        "late steps, in the ball": {"average": "linear", "project": True},
        "all alike, in the ball": {"average": "uniform", "project": True},
        "large λ": {"average": "uniform", "project": True, "lam": 0.1},
        "λ too small": {"average": "uniform", "project": True, "lam": 0.0001},
    }
    readout = "{told}\nλ = {lam:g}, C = {C:.3g}"
    alt = (
        "What the objective lacks against steps, both axes logarithmic, 60 points of length up to "
        "1, λ = {lam:g}, C = {C:.3g}: {told}. Mean of 8 runs."
    )

    def build(self, figure: MplFigure) -> None:
        """Make the curves."""
        self.X, self.y = clouds()
        self.suboptimality = Suboptimality(
            figure.subplots(), int(CHECKPOINTS[-1]), NEAR,
            {ONE: (style.NEUTRAL, "-"), LAST: RUN["last w"], "average": RUN["average"],
             "bound": RUN["bound"]},
            legend="lower left",
        )  # fmt: skip
        self.averages = [self.suboptimality.lines[name] for name in ("average", "bound")]
        for line in (self.suboptimality.lines[ONE], self.suboptimality.legend.get_lines()[0]):
            line.set_linewidth(style.THIN)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Run Pegasos eight times, and show what is lacking."""
        lam, project, t = self.lam, self.project, self.t
        found = course(lam, project, self.average or "uniform")
        bound = convergence_bound(CHECKPOINTS, lam, 1.0, project=project)
        last, mean, above = found.last.mean(axis=0), found.average.mean(axis=0), None
        at = np.searchsorted(CHECKPOINTS, t)
        curves = {ONE: found.last[0], LAST: last}
        told = f"at t = {t} the last w lacks {last[at]:.2g}"
        if self.average:
            curves["average"] = np.where(CHECKPOINTS > 1, mean, np.nan)  # at first it is w₁ = 0
            told += f", the average {mean[at]:.2g}"
        if self.average == "uniform":
            curves["bound"] = bound
            above = (mean > bound).sum()
            times = bound[at] / max(mean[at], 1e-300)
            told += f", the bound allows {bound[at]:.2g}: {times:.0f} times as much"
            if above:
                told += f"; above it at {above} of {len(CHECKPOINTS)} places"
        elif self.average:
            told += "; the theorem is not about this average"
        self.suboptimality.zoom(NEAR if lam in MIDDLE else WIDE)
        weights = "all steps alike" if self.average == "uniform" else "late steps weigh more"
        self.suboptimality.rename("average", f"average: {weights}")
        self.suboptimality.show(CHECKPOINTS.astype(float), curves, t)
        return {
            "told": told,
            "C": 1 / (lam * N),
            "last": last,
            "mean": mean,
            "bound": bound,
            "above": above,
        }
