"""Live figure of notebook 04: kernel Pegasos counts violations."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets import Dataset, make_contradiction, make_rings, make_xor
from kernellab.draw.contours import LevelLines
from kernellab.draw.curves import nice_limit
from kernellab.draw.plane import Limits, Points, ScoreField, plane
from kernellab.draw.stems import Stems
from kernellab.kernels import Gaussian, Kernel, Linear, Polynomial, score_field
from kernellab.live.coincide import coincidence
from kernellab.live.controls import Choice, Ladder, Sample
from kernellab.live.declared import Figure
from kernellab.live.parameters import lam_and_C
from kernellab.solvers.pegasos import kernel_pegasos
from kernellab.solving import pass_orders
from kernellab.validation import FloatArray

LAMBDAS = (1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.3, 1.0, 2.0)
STEPS = (0, 1, 2, 3, 5, 10, 20, 40, 80, 160, 320, 640, 1280)
LIMITS: Limits = (-3.0, 3.0, -3.0, 3.0)
GRID = np.linspace(-3, 3, 61)

KERNELS: dict[str, Kernel] = {
    "Gaussian, σ = 1": Gaussian.from_bandwidth(1.0),
    "Gaussian, σ = 0.3": Gaussian.from_bandwidth(0.3),
    "(x·z + 2)²": Polynomial(2, 2.0),
    "x·z": Linear(),
}
SAMPLES = {
    "two rings": lambda: make_rings(40, 8, noise=0.2),
    "XOR": make_xor,
    "one point, two labels": make_contradiction,
}


class KernelCounts(Figure):
    """Step through kernel Pegasos; α counts the violations.

    No bias. Taught in notebook 04.
    """

    question = "Which examples are too close, and how often?"
    answer = ("stems", "points")
    size = (9.4, 4.3)
    strip_size = (8.4, 3.7)
    sample = Sample("data", SAMPLES, within=2.9)
    kernel = Choice("kernel", list(KERNELS))
    lam = Ladder("λ", LAMBDAS, 0.01, lam_and_C)
    t = Ladder("steps t", STEPS, 320)
    presets = {
        "rings, 10 steps": {"t": 10},
        "rings, 1280 steps": {"t": 1280},
        "λ too large": {"t": 1280, "lam": 2.0},
        "XOR": {"sample": "XOR", "t": 1280},
    }
    readout = (
        "after {t} steps {total:.0f} violations, by {violators} of {n} examples; "
        "wrong: {mistakes}\n"
        "P = {objective:.3g}   {together}   λ = {lam:g}, C = {C:.3g}"
    )
    alt = (
        "Kernel Pegasos on {sample}, {n} examples, kernel {kernel}, λ = {lam:g}, C = {C:.3g}, "
        "after {t} steps. Left: the score with its lines −1, 0 and 1, wrong side: "
        "{mistakes}. Right: violations by example, {total:.0f} in all."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane, and the stems of α."""
        self.plane, self.dual = figure.subplots(1, 2)
        self.field = ScoreField(self.plane, LIMITS, saturation=1.5)
        self.lines = LevelLines(self.plane, (-1.0, 0.0, 1.0))
        self.plain = Points(self.plane)
        self.points = Points(self.plane, zorder=4.1)
        self.stems = Stems(self.dual)
        self.plane.set_title("the score f, with f = −1, 0, 1")
        self.dual.set(ylabel="violations α", title="α: how often too close")
        return self.plane

    def take(self, data: Dataset) -> None:
        """Take points, and the names of their coordinates."""
        super().take(data)
        plane(self.plane, LIMITS, data.feature_names)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Take t steps."""
        X, y, lam, t = self.X, self.y, self.lam, self.t
        n, kernel = len(y), KERNELS[self.kernel]
        K = kernel(X)
        order = np.concatenate(list(islice(pass_orders(n, 0), -(-max(t, 1) // n))))[:t]
        *_, state = kernel_pegasos(K, y, lam, orders=[order] if t else [])
        alpha, coef = state.alpha, state.coef
        mistaken = y * state.scores <= 0

        field = score_field(kernel, X, coef, GRID, GRID)
        self.field.show(field)
        self.lines.show(GRID, GRID, field if field.any() else np.full_like(field, 0.5))
        self.plain.show(X, y, mistaken=mistaken)
        self.points.show(X, y, weight=alpha)
        self.stems.show(alpha, y)
        self.dual.set(xlim=(-0.9, n - 0.1), ylim=(0, nice_limit(int(np.ceil(alpha.max())))))
        return {
            "n": n,
            "alpha": alpha,
            "coef": coef,
            "total": alpha.sum(),
            "violators": (alpha > 0).sum(),
            "mistakes": mistaken.sum(),
            "objective": state.objective,
            "together": coincidence(X, y, "no kernel tells them apart"),
            "C": 1 / (lam * n),
        }
