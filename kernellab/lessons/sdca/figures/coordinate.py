"""Live figure of notebook 05: one coordinate's parabola, and the zigzag that many of them make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets
import numpy as np

from kernellab.draw import style
from kernellab.draw.plane import Limits
from kernellab.lessons.sdca.figures.coordinate_marks import BoxMap, CoordinateCurve
from kernellab.lessons.sdca.theory.recording import record
from kernellab.live.explorer import WIDE, Explorer, button, choice, slider, steps
from kernellab.live.readout import minus, zero
from kernellab.solvers.sdca import coordinate_dual
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

LIMITS: Limits = (-0.35, 2.15, -0.35, 2.15)
CURVE: Limits = (-0.35, 2.15, -0.8, 1.6)
COSTS = (0.4, 0.6, 0.8, 1.0, 1.25, 1.5)
MOST = 30
SIDE = np.linspace(-0.35, 2.15, 91)
ALONG = np.linspace(-0.35, 2.15, 201)
LABELS = {"equal: +1, +1": 1.0, "opposite: +1, −1": -1.0}


class CoordinateParabola(Explorer):
    """Two examples: the dual from above with the zigzag of SDCA, and the parabola of one step.

    K₁₁ = K₂₂ = 1. α₁ and α₂ are updated in turn. Taught in notebook 05.

    Parameters
    ----------
    similarity
        K₁₂, from −0.95 to 0.95.
    t
        How many updates have been made.
    """

    presets: Mapping[str, Any] = {
        "unrelated: K₁₂ = 0": {"similarity": 0.0},
        "alike": {"similarity": 0.8},
        "alike, 6 updates": {"similarity": 0.8, "t": 6},
        "alike, unlike labels": {"similarity": 0.8, "labels": "opposite: +1, −1"},
        "a small box": {"similarity": 0.0, "C": 0.6, "t": 1},
    }

    def __init__(self, similarity: float = 0.8, t: int = 0) -> None:
        self.similarity = slider("K₁₂: how alike they are", similarity, -0.95, 0.95, 0.05)
        self.labels = choice("labels", list(LABELS))
        self.C = ipywidgets.SelectionSlider(
            options=[(f"{C:g} (λ = {1 / (2 * C):.3g})", C) for C in COSTS],
            value=1.25, description="C", **WIDE,
        )  # fmt: skip
        self.t = steps("updates made", t, 0, MOST)
        self.start = np.zeros(2)
        figure = style.new_figure((10.0, 4.7))
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.12])
        left.set_title("the dual D(α₁, α₂) in its box, from above")
        self.map = BoxMap(left, LIMITS)
        right.set_title("the next update: D along the dashed line")
        right.set(xlabel="the α that moves", ylabel="rise of D")
        self.curve = CoordinateCurve(right, CURVE)
        super().__init__(
            "How many updates to the star? For which K₁₂ are two enough?",
            figure,
            [self.similarity, self.labels, self.C, self.t, button("one update", self.step)],
            moving=[*self.map.artists, *self.curve.artists],
            axes=left,
            points=[self.start],
            handles=[{"label": "the start, α₁ and α₂", "color": style.NEUTRAL}],
        )

    def step(self) -> None:
        """Make the next update."""
        self.t.value = min(self.t.value + 1, MOST)

    def update(self, points: FloatArray) -> str:
        """Run SDCA on the two examples from the grip, and show its path and its next parabola."""
        C, t = self.C.value, self.t.value
        self.start = points[0].clip(0.0, C)
        self.K = np.array([[1.0, self.similarity.value], [self.similarity.value, 1.0]])
        self.y = np.array([1.0, LABELS[self.labels.value]])
        in_turn = [np.array([0, 1])] * (MOST // 2 + 1)
        self.run = record(self.K, self.y, C, updates=MOST, start=self.start, orders=in_turn)
        best = solve(smo(self.K, self.y, C, bias=False, gap=1e-10), gap=1e-9, max_passes=100)
        self.top, self.optimum = best.alpha, best.dual
        self.alpha = self.run.alphas[t]
        self.coordinate = t % 2
        self.next = coordinate_dual(self.K, self.y, self.alpha, C, self.coordinate)
        Q = self.K * np.outer(self.y, self.y)
        first, second = np.meshgrid(SIDE, SIDE)
        dual = first + second - (first**2 + second**2) / 2 - Q[0, 1] * first * second
        path = self.run.alphas[: t + 1]
        self.map.show(SIDE, dual, C, path, self.top, self.coordinate)
        now = self.next(self.next.current)
        places = np.array([self.next.current, self.next.vertex, self.next.best])
        marks = np.column_stack([places, self.next(places) - now])
        name, other = ("α₁", "α₂") if self.coordinate == 0 else ("α₂", "α₁")
        held = self.alpha[1 - self.coordinate]
        words = f"{name} moves, {other} = {held:.3f} is held"
        self.curve.show(ALONG, self.next(ALONG) - now, (0.0, C), marks, words)
        return self._sentence(name)

    def describe(self) -> str:
        """Return the alternative text."""
        a1, a2 = self.alpha
        return (
            f"Left: level lines of the dual of two examples, K₁₂ = {self.similarity.value:.2f}, "
            f"labels {self.labels.value}, in the box from 0 to C = {self.C.value:g}; the zigzag of "
            f"{self.t.value} updates has come to ({a1:.3f}, {a2:.3f}), the optimum is "
            f"({self.top[0]:.3f}, {self.top[1]:.3f}). Right: the parabola of the next update: now "
            f"{self.next.current:.3f}, vertex {self.next.vertex:.3f}, clipped {self.next.best:.3f}."
        )

    def _sentence(self, name: str) -> str:
        t, C = self.t.value, self.C.value
        step = self.next
        clipped = (
            "inside the box"
            if abs(step.best - step.vertex) < 1e-12
            else f"outside, clipped to {step.best:.3f}"
        )
        gap, lacks = self.run.gap[t], self.optimum - self.run.dual[t]
        support = int((self.alpha > 0).sum())
        slope = round(step.slope, 3) + 0.0  # no minus before zero
        return minus(
            f"update {t + 1}: {name} = {step.current:.3f} + ({slope:.3f}) / 1 = "
            f"{step.vertex:.3f}, {clipped}   D rises by "
            f"{zero(float(step(step.best) - step(step.current))):.2g}\n"
            f"after {t} updates: D = {self.run.dual[t]:.4f}, {zero(lacks):.2g} below the top   "
            f"gap P − D = {zero(gap):.2g}   support vectors {support}   C = {C:g} "
            f"(λ = {1 / (2 * C):.3g})"
        )
