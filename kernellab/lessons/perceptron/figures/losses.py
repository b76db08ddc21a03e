"""Live figure of notebook 01: one example, its margin, and what each loss makes of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.draw.plane import Limits, Points, ScoreField, Separator, plane
from kernellab.lessons.perceptron.figures import losses_marks as draw_losses
from kernellab.live.controls import Check, Choice, Slider
from kernellab.live.declared import Figure
from kernellab.losses import MARGIN_LOSSES, hinge, logistic, squared, zero_one
from kernellab.validation import FloatArray

LIMITS: Limits = (-1.0, 2.0, -1.0, 2.0)
W, B = np.array([1.0, 1.0]), -0.5
FOUR = (zero_one, hinge, logistic, squared)  # at first; the rest looks much like one of them
LOSSES = (*FOUR, *(loss for loss in MARGIN_LOSSES if loss not in FOUR))
NAMES = ["0–1" if loss is zero_one else loss.name.replace("_", " ") for loss in LOSSES]


class Losses(Figure):
    """Drag an example over the plane, or slide its margin, and read four losses at once, or six.

    The score is f(x) = x₁ + x₂ − 0.5. Taught in notebook 01.
    """

    question = (
        "At which margins does a right prediction still cost something, and under which loss?"
    )
    answer = ("curves", "marker")
    size = (9.0, 4.0)
    z = Slider("margin z = y f(x)", -3.5, 3.5, 0.1, 0.7)
    y = Choice("true label y", {"+1": 1, "−1": -1})
    every = Check("two more losses")
    linked = ("z", "y")
    grip_names = ("the example",)
    presets = {
        "right, by far": {"z": 2.4},
        "right, but not by 1": {"z": 0.4},
        "undecided": {"z": 0.0},
        "wrong": {"z": -0.7},
        "wrong, by more": {"z": -1.7},
        "the other class": {"y": -1, "z": 1.7},
        "two losses more": {"y": -1, "z": 1.7, "every": True},
    }
    readout = "f(x) = {score:+.2f}   y = {y:+d}   z = {margin:+.2f} ({verdict})\n{losses}"
    alt = (
        "Left: the plane, coloured by the score x₁ + x₂ − 0.5, with one example. Right: "
        "{many} losses against the margin; at z = {margin:.2f} they are {listed}."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane and the curves."""
        self.x, self.margin = np.array([0.6, 0.6]), 0.7
        left, right = figure.subplots(1, 2)
        plane(left, LIMITS)
        left.set_title("score $f(x) = x_1 + x_2 - 0.5$")
        grid = np.linspace(-1, 2, 31)
        ScoreField(left, LIMITS).show(W[0] * grid[None, :] + W[1] * grid[:, None] + B)
        Separator(left, margins=True).show(W, B)
        self.example = Points(left)
        z = np.linspace(-3.6, 3.6, 1441)
        curves = [loss.value(z) for loss in LOSSES]
        self.curves = draw_losses.LossCurves(right, z, curves, NAMES, len(FOUR))
        right.set_title("every loss is 1 at $z = 0$")
        self.marker = draw_losses.LossMarker(right, len(LOSSES))
        return left

    def grips(self) -> Any:
        """Return where the example has the margin of the slider, or with another label its own."""
        z = self.margin if self.z == round(self.margin, 1) else self.z
        return [place_at_score(self.x, self.y * z)]

    def read(self, points: FloatArray) -> Any:
        """Return margin and label."""
        return self.y * (points[0] @ W + B), self.y

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Show the example and its losses."""
        self.x, y = points[0], self.y
        score = float(self.x @ W + B)
        self.margin = y * score
        # In steps of the slider: where the example is, or could go.
        with self.quietly():
            self.z = round(self.margin, 1)
        shown = LOSSES if self.every else FOUR
        values = np.array([loss.value(self.margin) for loss in shown])
        self.example.show(points, np.array([y]), mistaken=self.margin <= 0)
        self.curves.show(self.every)
        self.marker.show(self.margin, values)
        said = [f"{name} {value:.2f}" for name, value in zip(NAMES, values, strict=False)]
        right_or_wrong = "right" if self.margin > 0 else "wrong"
        return {
            "score": score,
            "margin": self.margin,
            "verdict": right_or_wrong if self.margin != 0 else "undecided: f(x) = 0",
            "values": values,
            "many": "six" if self.every else "four",
            "losses": "   ".join(said),
            "listed": ", ".join(said),
        }


def place_at_score(x: FloatArray, score: float) -> FloatArray:
    """Move x along w until f(x) is ``score``; on the diagonal if that would leave the picture."""
    score = float(np.clip(score, -2.5, 3.5))  # what the corners have
    moved = x + (score - (x @ W + B)) / (W @ W) * W
    inside = (moved >= LIMITS[0]).all() and (moved <= LIMITS[1]).all()
    return moved if inside else np.full(2, (score - B) / W.sum())
