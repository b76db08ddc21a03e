"""Live figure of notebook 01: one example, its margin, and what each loss makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.draw import losses as draw_losses
from kernellab.draw.plane import Limits, Points, ScoreField, Separator, plane
from kernellab.draw.style import new_figure
from kernellab.live.explorer import Explorer, choice, same, slider
from kernellab.losses import MARGIN_LOSSES, MarginLoss

LIMITS: Limits = (-1.0, 2.0, -1.0, 2.0)
W, B = np.array([1.0, 1.0]), -0.5


class LossExplorer(Explorer):
    """Drag an example over the plane, or slide its margin, and read six losses at once.

    The score is f(x) = x₁ + x₂ − 0.5. Taught in notebook 01.
    """

    presets: Mapping[str, Any] = {
        "right, by far": {"z": 2.4},
        "right, but not by 1": {"z": 0.4},
        "undecided": {"z": 0.0},
        "wrong": {"z": -0.7},
        "wrong, by more": {"z": -1.7},
        "the other class": {"y": -1, "z": 0.7},
    }

    def __init__(self) -> None:
        self.z = slider("margin z = y f(x)", 0.7, -3.5, 3.5, 0.1)
        self.y = choice("true label y", {"+1": 1, "−1": -1})
        self._settings = (self.z.value, self.y.value)
        figure = new_figure()
        left, right = figure.subplots(1, 2)
        plane(left, LIMITS)
        left.set_title("score $f(x) = x_1 + x_2 - 0.5$")
        grid = np.linspace(-1, 2, 31)
        ScoreField(left, LIMITS).show(W[0] * grid[None, :] + W[1] * grid[:, None] + B)
        Separator(left, margins=True).show(W, B)
        self.example = Points(left)
        z = np.linspace(-3.6, 3.6, 1441)
        draw_losses.loss_curves(
            right,
            z,
            [loss.value(z) for loss in MARGIN_LOSSES],
            [loss_name(loss) for loss in MARGIN_LOSSES],
        )
        right.set_title("every loss is 1 at $z = 0$")
        self.marker = draw_losses.LossMarker(right, [loss_name(loss) for loss in MARGIN_LOSSES])
        super().__init__(
            "At which margins does a right prediction still cost something, and under which loss?",
            figure,
            [self.z, self.y],
            moving=[*self.example.artists, *self.marker.artists],
            axes=left,
            points=[(0.6, 0.6)],
            handles=[{"label": "the example", "color": "#7b3294"}],
        )

    def update(self, points: NDArray[np.float64]) -> str:
        """Show the example at its place, or where the slider puts it."""
        x, y = points[0], self.y.value
        settings = (self.z.value, y)
        if not same(
            settings, self._settings
        ):  # the slider or the label was changed: the example follows
            z = self.margin if same(settings[:1], self._settings[:1]) else self.z.value
            x = place_at_score(x, y * z)
            self.live.place([x])
        self.margin: float = float(y * (x @ W + B))
        # Where the example is, or could go, in steps of the slider: a page would round it anyway,
        # and say so, as if a hand had moved it.
        self.set_quietly(self.z, round(self.margin, 1))
        self._settings = (self.z.value, y)
        self.values = np.array([loss.value(self.margin) for loss in MARGIN_LOSSES])
        self.example.show(x[None, :], np.array([y]), mistaken=self.margin <= 0)
        self.marker.show(self.margin, self.values)
        losses = "   ".join(
            f"{loss_name(loss)} {value:.2f}"
            for loss, value in zip(MARGIN_LOSSES, self.values, strict=True)
        )
        verdict = (
            "right" if self.margin > 0 else "wrong" if self.margin < 0 else "undecided: f(x) = 0"
        )
        score = y * self.margin
        return f"f(x) = {score:+.2f}   y = {y:+d}   z = {self.margin:+.2f} ({verdict})\n{losses}"

    def describe(self) -> str:
        """Return the alternative text."""
        losses = ", ".join(
            f"{loss_name(loss)} {value:.2f}"
            for loss, value in zip(MARGIN_LOSSES, self.values, strict=True)
        )
        return (
            "Left: the plane, coloured by the score x₁ + x₂ − 0.5, with one example. Right: six "
            f"losses against the margin; at z = {self.margin:.2f} they are {losses}."
        )


def place_at_score(x: NDArray[np.float64], score: float) -> NDArray[np.float64]:
    """Move x along w until f(x) is ``score``; on the diagonal if that would leave the picture."""
    score = float(np.clip(score, -2.5, 3.5))  # what the corners have
    moved = x + (score - (x @ W + B)) / (W @ W) * W
    inside = (moved >= LIMITS[0]).all() and (moved <= LIMITS[1]).all()
    return moved if inside else np.full(2, (score - B) / W.sum())


def loss_name(loss: MarginLoss) -> str:
    """Return the short name of a loss as the figure writes it."""
    return "0–1" if loss.name == "zero_one" else loss.name.replace("_", " ")
