"""Live figure of notebook 03: the perceptron of notebook 01 with another kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets import Dataset, load_iris, make_rings, make_xor
from kernellab.draw.contours import LevelLines
from kernellab.draw.curves import nice_limit
from kernellab.draw.plane import Points, ScoreField, limits_around, plane
from kernellab.draw.stems import Stems
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Kernel, Linear, Polynomial, score_field
from kernellab.live.coincide import coincidence
from kernellab.live.controls import Choice, Player, Sample, Steps
from kernellab.live.declared import Figure
from kernellab.live.readout import written
from kernellab.solvers.perceptron import trace
from kernellab.solving import CONVERGED
from kernellab.validation import FloatArray

MAX_PASSES = 60
THE_END = 10**6  # more steps than any run has
MAX_GRIPS = 24

KERNELS: dict[str, Kernel] = {
    "x·z": Linear(),
    "1 + x·z": Polynomial(1),
    "(x·z)²": Polynomial(2, 0.0),
    "(1 + x·z)²": Polynomial(2),
    "Gaussian, γ = 1 (σ = 0.71)": Gaussian(1.0),
}
SAMPLES = {
    "XOR, inputs ±1": make_xor,
    "XOR, inputs 0 and 1": lambda: make_xor((0, 1)),
    "two rings": lambda: make_rings(24, 6, noise=0.15),
    "iris: versicolor, virginica": lambda: load_iris(
        ("versicolor", "virginica"), ("petal length (cm)", "petal width (cm)")
    ),
}


class KernelPerceptron(Figure):
    """Step through the perceptron with a kernel of your choice; nothing else is chosen.

    Taught in notebook 03.
    """

    question = "Which kernels learn which data, and what do they cost in mistakes?"
    answer = ("field", "boundary", "crosses", "stems")
    strip_size = (6.6, 3.2)
    sample = Sample("data", SAMPLES, most=MAX_GRIPS)
    kernel = Choice("kernel", list(KERNELS), "(1 + x·z)²")
    t = Steps("step t", 0, THE_END, 4)
    play = Player("t", 350, "play the steps")
    presets = {
        "XOR, a line": {"kernel": "1 + x·z", "t": 3},
        "XOR, degree 2": {"kernel": "(1 + x·z)²", "t": 3},
        "XOR of 0 and 1": {"sample": "XOR, inputs 0 and 1", "kernel": "(1 + x·z)²"},
        "rings, degree 2": {"sample": "two rings", "kernel": "(1 + x·z)²"},
        "rings, Gaussian": {"sample": "two rings", "kernel": "Gaussian, γ = 1 (σ = 0.71)"},
        "rings, x·z": {"sample": "two rings", "kernel": "x·z"},
        "rings, 1 + x·z": {"sample": "two rings", "kernel": "1 + x·z"},
        "rings, (x·z)²": {"sample": "two rings", "kernel": "(x·z)²"},
        "iris, Gaussian": {
            "sample": "iris: versicolor, virginica", "kernel": "Gaussian, γ = 1 (σ = 0.71)",
        },
    }  # fmt: skip
    readout = (
        "step {t} of {n_steps}   ringed: {ringed}   {mistakes:g} mistakes{counts}   {together}\n"
        "{support} of {n} examples needed to predict   {end}"
    )
    alt = (
        "The perceptron with kernel {kernel} on {sample}, {n} examples, after {t} tests: "
        "{mistakes:g} mistakes{counts}{and_end}. Left: the points, larger with more mistakes, "
        "{crossed} on the wrong side; and where the score is zero. Right: the mistakes on each."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane, and the stems of α."""
        self.plane, self.dual = figure.subplots(1, 2)
        self.title = moving_title(self.plane)
        self.dual.set(ylabel=r"$\alpha_i$", title=r"$\alpha_i$ counts the mistakes on example $i$")
        self.field = ScoreField(self.plane, (0.0, 1.0, 0.0, 1.0))
        self.boundary = LevelLines(self.plane, crossing=True)
        self.points, self.stems = Points(self.plane), Stems(self.dual)
        self.crosses = self.points.crosses
        return self.plane

    def take(self, data: Dataset) -> None:
        """Take the points, and go to the end of the run."""
        super().take(data)
        plane(self.plane, limits_around(self.X, 0.4), data.feature_names)
        if self.numbers:  # others were shown before
            self.set_max("t", THE_END)
            with self.quietly():
                self.t = THE_END

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Run the perceptron with this kernel, and show it after t tests."""
        X, y, kernel = self.X, self.y, KERNELS[self.kernel]
        run = trace(kernel(X), y, max_passes=MAX_PASSES)
        n_steps = len(run.order)
        at_the_end = self.numbers and self.t == self.numbers["n_steps"]
        self.set_max("t", n_steps)
        if at_the_end:  # of the run shown before: stay at the end
            with self.quietly():
                self.t = n_steps
        alpha = run.alpha(self.t)
        used = int(run.order[self.t - 1]) if self.t else None
        mistaken = (self.t > 0) & (y * (kernel(X) @ (alpha * y)) <= 0)  # at 0 there is no side
        left, right, bottom, top = limits = self.plane.axis()
        x1, x2 = np.linspace(left, right, 61), np.linspace(bottom, top, 61)
        field = score_field(kernel, X, alpha * y, x1, x2)
        self.field.image.set_clim(*(np.array([-1.5, 1.5]) * max(np.abs(field).mean(), 1e-9)))
        self.field.show(field, limits)
        self.boundary.show(x1, x2, field)
        self.points.show(X, y, weight=alpha, used=used, mistaken=mistaken)
        self.stems.show(alpha, y, used=used)
        most = nice_limit(int(alpha.max())) if alpha.max() > 2 else 3
        self.dual.set(xlim=(-0.7, 1.04 * len(y) - 0.3), ylim=(0, most))
        made = f"{alpha.sum():g} mistake{'' if alpha.sum() == 1 else 's'}"
        self.title.set_text(f"after test {self.t}: {made}" if self.t else "before the first test")
        how = "converged in" if run.status == CONVERGED else "not converged: stopped after"
        end = f"{how} {n_steps // len(y)} passes" if self.t == n_steps else None
        return {
            "code": kernel,
            "n_steps": n_steps,
            "alpha": alpha,
            "ringed": ("right", "a mistake")[int(run.mistake[self.t - 1])] if self.t else None,
            "mistakes": alpha.sum(),
            "crossed": mistaken.sum(),
            "total": run.mistake.sum(),
            "counts": written(", α = ({:g})", alpha) if len(y) <= 8 else "",
            "support": (alpha > 0).sum(),
            "n": len(y),
            "end": end,
            "and_end": f", {end}" if end else "",
            "converged": run.status == CONVERGED,
            "together": coincidence(X, y, "no kernel tells them apart"),
        }
