"""Live figure of notebook 04: three ways to hurt Pegasos, and what each looks like."""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets import make_clouds
from kernellab.draw import style
from kernellab.draw.plane import Limits, Points, ScoreField, Separator, plane
from kernellab.lessons.pegasos.figures.stepper import optimum
from kernellab.lessons.pegasos.figures.suboptimality_marks import Suboptimality
from kernellab.lessons.pegasos.theory.free_bias import free_bias_pass
from kernellab.live.coincide import coincidence
from kernellab.live.controls import Choice, Ladder
from kernellab.live.declared import Figure, class_handles
from kernellab.live.memoize import memoize
from kernellab.live.parameters import lam_and_C
from kernellab.solvers.pegasos import pegasos
from kernellab.solvers.perceptron import homogeneous
from kernellab.solving import pass_orders
from kernellab.validation import FloatArray

N = 40
PASSES = (1, 2, 5, 10, 20, 50, 100)
LAMBDAS = (1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0)
UNITS = {"both in m": 1.0, "x₂ in dm": 10.0, "x₂ in cm": 100.0, "x₂ in mm": 1000.0}
SHIFTS = {"around the origin": 0.0, "3 to the right": 3.0, "6 to the right": 6.0}
NONE, FEATURE, FREE = "none", "constant feature, shrunk", "added, never shrunk"
LIMITS: Limits = (-4.0, 4.0, -4.0, 4.0)
LOOKS = {"Pegasos, last w": (style.INK, "-")}
TOLD = (
    "After {steps} steps P is {lacking:g} above its minimum; wrong: {wrong} of 40 points, the "
    "optimum {least}."
)


class Run(NamedTuple):
    """Weights and bias after each of PASSES, and what the objective still lacked then."""

    w: FloatArray
    b: FloatArray
    lacking: FloatArray
    best_w: FloatArray
    best_b: float


@memoize
def hundred_passes(X: FloatArray, y: FloatArray, lam: float, bias: str) -> Run:
    """Run Pegasos with one of three biases: NONE, FEATURE, FREE."""
    W, b = np.zeros((PASSES[-1], 2)), np.zeros(PASSES[-1])
    Z = homogeneous(X) if bias == FEATURE else X
    best, best_b, lowest = optimum(Z, y, lam, bias=bias == FREE)
    if bias == FREE:
        w, shift = np.zeros(2), 0.0
        for k, order in enumerate(islice(pass_orders(N, 0), PASSES[-1])):
            b[k] = shift = free_bias_pass(X, y, lam, w, shift, order, k * N)
            W[k] = w
    else:
        for k, state in enumerate(islice(pegasos(Z, y, lam, rng=0), 1, PASSES[-1] + 1)):
            W[k], b[k] = state.w[:2], state.w[2:].sum()  # of a third weight, or of none
        best_b = best[2:].sum()
    W, b = W[np.array(PASSES) - 1], b[np.array(PASSES) - 1]
    squares = (W**2).sum(axis=1) + (0.0 if bias == FREE else b**2)
    loss = np.maximum(0, 1 - y[:, np.newaxis] * (X @ W.T + b)).mean(axis=0)
    return Run(W, b, lam / 2 * squares + loss - lowest, best[:2], float(best_b))


class PegasosBreak(Figure):
    """λ too small for the steps, features in odd units, a bias that nobody shrinks.

    Taught in notebook 04.
    """

    at_first = ("lam", "passes", "unit", "shift", "bias")
    question = "Which of λ, units and bias hurts most, and do more passes mend it?"
    answer = ("field", "line")
    size = (9.4, 4.1)
    strip_size = (8.4, 3.7)
    lam = Ladder("λ", LAMBDAS, 0.01, lam_and_C)
    passes = Ladder("passes", PASSES, 10)
    unit = Choice("units", list(UNITS))
    shift = Choice("points", list(SHIFTS))
    bias = Choice("bias", [NONE, FEATURE, FREE])
    presets = {
        "λ too small": {"lam": 0.0001},
        "all as it should be": {},
        "x₂ in cm": {"unit": "x₂ in cm"},
        "x₂ in cm, far away": {"unit": "x₂ in cm", "shift": "6 to the right"},
        "far from the origin": {"shift": "6 to the right"},
        "bias as a feature": {"shift": "6 to the right", "bias": FEATURE},
        "bias never shrunk": {"shift": "6 to the right", "bias": FREE},
    }
    readout = TOLD + "\nλt = {lam_t:.3g}{too_few}   b = {b:.3g}   {together}"
    alt = (
        "Left: 40 points, the line of Pegasos and that of the optimum. Right: what the objective "
        "lacks against steps. " + TOLD + " λ = {lam:g}, C = {C:.3g}; λt = {lam_t:.3g}"
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane, and the curve of what is lacking."""
        data = make_clouds(N, 3.6, 2)
        self.X, self.y = np.clip(data.X, -3.8, 3.8), data.y
        left, right = self.key = tuple(figure.subplots(1, 2))
        plane(left, LIMITS, ("x₁ − shift (m)", "x₂ (m)"))
        left.set_title("Pegasos (thick), optimum (dashed)")
        self.field = ScoreField(left, LIMITS)
        self.line = Separator(left)
        self.optimum = Separator(left, linestyle="--", linewidth=style.LINE, color=style.ACCENT)
        self.points = Points(left)
        self.suboptimality = Suboptimality(right, N * PASSES[-1], (1e-4, 1e7), LOOKS)
        return left

    def grips(self) -> FloatArray:
        """Return the points."""
        return self.X

    def handles(self) -> list[dict[str, str]]:
        """Return a handle for each point."""
        return class_handles(self.y, "point")

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Run 100 passes with these settings, and show where it is after some of them."""
        self.X, y, lam = points, self.y, self.lam
        # The learner sees the points elsewhere, and in other units, than they are drawn.
        units, shift = np.array([1.0, UNITS[self.unit]]), SHIFTS[self.shift]
        seen = (points + np.array([shift, 0.0])) * units
        self.run = run = hundred_passes(seen, y, lam, self.bias)
        at = PASSES.index(self.passes)
        w, b = run.w[at] * units, run.b[at] + run.w[at, 0] * shift
        best_w, best_b = run.best_w * units, run.best_b + run.best_w[0] * shift
        wrong, least = (y * (points @ v + c) <= 0 for v, c in ((w, b), (best_w, best_b)))

        x1 = np.linspace(*LIMITS[:2], 25)
        self.field.show(w[0] * x1 + w[1] * x1[:, np.newaxis] + b)
        self.line.show(w, b)
        self.optimum.show(best_w, best_b)
        self.points.show(points, y, mistaken=wrong)
        steps = N * np.array(PASSES, dtype=float)
        self.suboptimality.show(steps, {"Pegasos, last w": run.lacking}, steps[at])
        lam_t = lam * N * self.passes
        return {
            "steps": N * self.passes,
            "lacking": float(f"{run.lacking[at]:.2g}"),
            "wrong": wrong.sum(),
            "least": least.sum(),
            "C": 1 / (lam * N),
            "lam_t": lam_t,
            "too_few": " < 1: too few steps for this λ" if lam_t < 1 else "",
            "b": None if self.bias == NONE else run.b[at],
            "together": coincidence(points, y, "no line tells them apart"),
        }
