"""Live figure of notebook 04: three ways to hurt Pegasos, and what each looks like."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple

import ipywidgets
import numpy as np

from kernellab.datasets import make_clouds
from kernellab.draw import style
from kernellab.draw.plane import Points, ScoreField, Separator, plane
from kernellab.lessons.pegasos.figures.stepper import lam_slider, solve_quietly
from kernellab.lessons.pegasos.figures.suboptimality_marks import Lacking
from kernellab.lessons.pegasos.theory.free_bias import free_bias_pass
from kernellab.live.coincide import coincidence
from kernellab.live.explorer import WIDE, Explorer, choice, class_handles
from kernellab.solvers.pegasos import pegasos
from kernellab.solvers.perceptron import homogeneous
from kernellab.solvers.smo import smo
from kernellab.solving import NotConverged, pass_orders, solve
from kernellab.validation import FloatArray

N = 40
PASSES = (1, 2, 5, 10, 20, 50, 100)
LAMBDAS = (1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0)
UNITS = {"both in m": 1.0, "x₂ in dm": 10.0, "x₂ in cm": 100.0, "x₂ in mm": 1000.0}
SHIFTS = {"around the origin": 0.0, "3 to the right": 3.0, "6 to the right": 6.0}
NONE, FEATURE, FREE = "none", "a constant feature, shrunk too", "added, never shrunk"
LIMITS = (-4.0, 4.0, -4.0, 4.0)
LOOKS = {"Pegasos, last w": (style.POSITIVE, "-")}


class Run(NamedTuple):
    """Weights and bias after each of PASSES, and what the objective still lacked then."""

    w: FloatArray
    b: FloatArray
    lacking: FloatArray
    best_w: FloatArray
    best_b: float


class PegasosBreak(Explorer):
    """λ too small for the steps, features in odd units, a bias that nobody shrinks.

    Taught in notebook 04.

    Parameters
    ----------
    lam, unit, shift, bias
        One of ``LAMBDAS``, names in ``UNITS`` and ``SHIFTS``, and NONE, FEATURE or FREE.
    """

    presets: Mapping[str, Any] = {
        "all as it should be": {},
        "λ too small": {"lam": 0.0001},
        "x₂ in cm": {"unit": "x₂ in cm"},
        "far from the origin": {"shift": "6 to the right"},
        "bias as a feature": {"shift": "6 to the right", "bias": FEATURE},
        "bias never shrunk": {"shift": "6 to the right", "bias": FREE},
    }

    def __init__(
        self,
        lam: float = 0.01,
        unit: str = "both in m",
        shift: str = "around the origin",
        bias: str = NONE,
    ) -> None:
        data = make_clouds(N, 3.6, 2)
        self.X, self.y = np.clip(data.X, -3.8, 3.8), data.y
        self.lam = lam_slider(N, lam, LAMBDAS)
        self.passes = ipywidgets.SelectionSlider(
            options=PASSES, value=10, description="passes", **WIDE
        )
        self.unit = choice("units", list(UNITS))
        self.unit.value = unit
        self.shift = choice("points", list(SHIFTS))
        self.shift.value = shift
        self.bias = choice("bias", [NONE, FEATURE, FREE])
        self.bias.value = bias
        self._settings: tuple[object, ...] = ()
        figure = style.new_figure((9.4, 4.1))
        left, right = figure.subplots(1, 2)
        plane(left, LIMITS, ("x₁ − shift (m)", "x₂ (m)"))
        left.set_title("Pegasos (thick), optimum (dashed)")
        self.field = ScoreField(left, LIMITS)
        self.line = Separator(left)
        self.optimum = Separator(left, linestyle="--", linewidth=style.LINE, color=style.ACCENT)
        self.points = Points(left)
        self.lacking = Lacking(right, N * PASSES[-1], (1e-4, 1e7), LOOKS)
        super().__init__(
            "Which of λ, units and bias hurts most, and do more passes mend it?",
            figure,
            [self.lam, self.passes, self.unit, self.shift, self.bias],
            moving=[
                artist
                for mark in (self.field, self.line, self.optimum, self.points, self.lacking)
                for artist in mark.artists
            ],
            axes=left,
            points=self.X,
            handles=class_handles(self.y, "point"),
        )

    def update(self, points: FloatArray) -> str:
        """Run 100 passes with these settings, and show where it is after some of them."""
        self.X = points
        settings = (
            points.tobytes(), self.lam.value, self.unit.value, self.shift.value, self.bias.value
        )  # fmt: skip
        if settings != self._settings:
            self._settings = settings
            self.run = self._run()
        at = PASSES.index(self.passes.value)
        run = self.run
        left, right, bottom, top = LIMITS
        grid = np.linspace(left, right, 25)
        w, b = self._as_drawn(run.w[at], run.b[at])
        self.scores = points @ w + b
        self.field.show(w[0] * grid + w[1] * np.linspace(bottom, top, 25)[:, np.newaxis] + b)
        self.line.show(w, b)
        self.optimum.show(*self._as_drawn(run.best_w, run.best_b))
        self.points.show(points, self.y, mistaken=self.y * self.scores <= 0)
        t = N * np.array(PASSES, dtype=float)
        self.lacking.show(t, {"Pegasos, last w": run.lacking}, t[at])
        return self._sentence(at)

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"Left: 40 points, the line of Pegasos and that of the optimum. Right: what the "
            f"objective lacks against steps. {self.told}"
        )

    # --- how it does it ------------------------------------------------------------------------

    def _seen(self) -> FloatArray:
        """Return the points in the units and at the place that the learner sees them in."""
        shifted = self.X + np.array([SHIFTS[self.shift.value], 0.0])
        seen: FloatArray = shifted * np.array([1.0, UNITS[self.unit.value]])
        return seen

    def _as_drawn(self, w: FloatArray, b: float) -> tuple[FloatArray, float]:
        """Return the line of w and b in metres, around the middle of the points."""
        drawn = w * np.array([1.0, UNITS[self.unit.value]])
        return drawn, float(b + w[0] * SHIFTS[self.shift.value])

    def _run(self) -> Run:
        X, y, lam, bias = self._seen(), self.y, self.lam.value, self.bias.value
        w, b = np.zeros((len(PASSES), 2)), np.zeros(len(PASSES))
        best_b = 0.0
        if bias == FREE:
            now, shift, t = np.zeros(2), 0.0, 0
            for passes, order in enumerate(islice(pass_orders(N, 0), PASSES[-1]), 1):
                shift = free_bias_pass(X, y, lam, now, shift, order, t)
                t += N
                if passes in PASSES:
                    w[PASSES.index(passes)], b[PASSES.index(passes)] = now, shift
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", NotConverged)
                svm = solve(smo(X @ X.T, y, 1 / (lam * N)), gap=1e-9, max_passes=3000)
            best_w, best_b, lowest = (svm.alpha * y) @ X, float(svm.b), float(svm.dual * lam)
            squares = (w**2).sum(axis=1)
        else:
            Z = homogeneous(X) if bias == FEATURE else X
            for state in islice(pegasos(Z, y, lam, rng=0), PASSES[-1] + 1):
                if state.passes in PASSES:
                    at = PASSES.index(state.passes)
                    w[at], b[at] = state.w[:2], state.w[2] if bias == FEATURE else 0.0
            best, lowest = solve_quietly(Z, y, lam)
            best_w, best_b = best[:2], float(best[2]) if bias == FEATURE else 0.0
            squares = (w**2).sum(axis=1) + b**2
        loss = np.maximum(0, 1 - y[:, np.newaxis] * (X @ w.T + b)).mean(axis=0)
        return Run(w, b, lam / 2 * squares + loss - lowest, best_w, best_b)

    def _sentence(self, at: int) -> str:
        lam, t = self.lam.value, N * PASSES[at]
        wrong = int((self.y * self.scores <= 0).sum())
        best = self._as_drawn(self.run.best_w, self.run.best_b)
        least = int((self.y * (self.X @ best[0] + best[1]) <= 0).sum())
        self.told = (
            f"After {t} steps P is {self.run.lacking[at]:.2g} above its minimum; wrong: {wrong} of "
            f"{N} points, the optimum {least}. λ = {lam:g}, C = {1 / (lam * N):.3g}; λt = "
            f"{lam * t:.3g}"
        )
        warning = " < 1: too few steps for this λ" if lam * t < 1 else ""
        b = f"   b = {self.run.b[at]:.3g}" if self.bias.value != NONE else ""
        noted = coincidence(self.X, self.y, "no line tells them apart")
        said = f"{self.told}{warning}\nunits: {self.unit.value}   bias: {self.bias.value}{b}"
        return said + f"   {noted}" * bool(noted)
