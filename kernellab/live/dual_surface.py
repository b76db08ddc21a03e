"""Live figure of notebook 02: walk over the dual, and see the line that each α means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kernellab.by_hand import hard_margin_by_hand
from kernellab.draw import style
from kernellab.draw.dual import DualMap, DualSurface
from kernellab.draw.plane import Limits, Points, ScoreField, Separator, plane
from kernellab.live.explorer import Explorer, same, slider
from kernellab.live.kkt import X, Y
from kernellab.validation import FloatArray

LIMITS: Limits = (-0.05, 0.2, -0.05, 0.2)
STEP = 0.0025  # what an arrow key moves the grip by
PLANE: Limits = (-4.0, 4.0, -4.0, 4.0)
UPHILL = 0.03  # length of the line for a gradient of 1


class DualWalk(Explorer):
    """Choose α₁ and α₂ (α₃ is their sum): the dual there, and the line beside it.

    The threshold that is drawn is the best one for w = Σ α_i y_i x_i: midway between the nearest
    points of the two classes. Taught in notebook 02.

    Parameters
    ----------
    alpha
        α₁ and α₂ at first.
    """

    presets: Mapping[str, Any] = {
        "the start": {"alpha1": 0.0, "alpha2": 0.0},
        "only the first pair": {"alpha1": 0.1, "alpha2": 0.0},
        "the top": {"alpha1": 0.0, "alpha2": 0.125},
        "too far": {"alpha1": 0.0, "alpha2": 0.2},
        "higher, but not allowed": {"alpha1": -0.05, "alpha2": 0.175},
    }

    def __init__(self, alpha: tuple[float, float] = (0.1, 0.05)) -> None:
        self.steps = hard_margin_by_hand(X, Y)
        low, high = LIMITS[:2]
        self.alpha1, self.alpha2 = self.sliders = [
            slider(f"α{i}", value, low, high, STEP) for i, value in zip("₁₂", alpha, strict=True)
        ]
        for control in self.sliders:
            control.readout_format = ".4f"
        self.a = np.array(alpha, dtype=float)
        self._settings = tuple(alpha)
        figure = style.new_figure((10.0, 3.7))
        places = figure.add_gridspec(1, 3, width_ratios=[1, 1.1, 1])
        left, right = figure.add_subplot(places[0]), figure.add_subplot(places[2])
        middle = figure.add_subplot(places[1], projection="3d")
        dual = lambda a1, a2: self.steps.dual([a1, a2])  # noqa: E731
        self.map = DualMap(left, dual, LIMITS)
        left.set_title("the violet line points uphill")
        self.hill = DualSurface(middle, dual, LIMITS, floor=-0.6)
        middle.set_title("a concave hill: one top")
        plane(right, PLANE)
        right.set_title("every α means a line")
        self.field = ScoreField(right, PLANE)
        self.line = Separator(right, margins=True)
        self.points = Points(right)
        super().__init__(
            "Where is the top, and what does the line do on the way there?",
            figure,
            self.sliders,
            moving=[
                artist
                for mark in (self.map, self.hill, self.field, self.line, self.points)
                for artist in mark.artists
            ],
            axes=left,
            points=[alpha],
            handles=[{"label": "α₁ and α₂", "color": style.ACCENT}],
        )

    def update(self, points: FloatArray) -> str:
        """Evaluate the dual at the sliders or the grip, and draw the line there."""
        settings = tuple(control.value for control in self.sliders)
        if not same(settings, self._settings):
            self.a = np.round(settings, 6)
            self.live.place([self.a])
        else:
            self.a = np.round(points[0] / STEP) * STEP
            for control, value in zip(self.sliders, self.a, strict=True):
                self.set_quietly(control, round(float(value), 6))
        self._settings = tuple(control.value for control in self.sliders)

        self.alpha = np.append(self.a, self.a.sum())
        self.dual = self.steps.dual(self.a)
        self.gradient = self.steps.gradient(self.a)
        self.w = (self.alpha * Y) @ X
        without = X @ self.w
        self.t = float(without[Y > 0].min() + without[Y < 0].max()) / 2
        self.margins = Y * (without - self.t) + 0.0  # no minus before zero
        self.allowed = bool((self.alpha >= -1e-9).all())
        smallest = self.margins.min()
        self.primal = float(self.w @ self.w) / 2 / smallest**2 if smallest > 1e-9 else np.inf
        self._draw()
        return self._sentence()

    def describe(self) -> str:
        """Return the alternative text."""
        a1, a2, a3 = self.alpha
        return (
            "The dual of three points over α₁ and α₂, from above and as a hill, shaded where an α "
            f"is negative; the marked point is ({a1:.4f}, {a2:.4f}), α₃ = {a3:.4f}, height "
            f"{self.dual:.4f}. Right: the line w·x = t with w = ({self.w[0]:.2f}, "
            f"{self.w[1]:.2f}), t = {self.t:.2f}, margins {np.round(self.margins, 2).tolist()}."
        )

    def _draw(self) -> None:
        self.map.show(self.a, UPHILL * self.gradient)
        self.hill.show(self.a, self.dual)
        grid = np.linspace(-4, 4, 31)
        self.field.show(self.w[0] * grid + self.w[1] * grid[:, None] - self.t)
        self.line.show(self.w, -self.t)
        self.points.show(X, Y, weight=np.maximum(self.alpha, 0), mistaken=self.margins <= 0)

    def _sentence(self) -> str:
        a1, a2, a3 = np.round(self.alpha, 4)
        slope = np.round(self.gradient, 3) + 0.0
        where = "" if self.allowed else "   not allowed: an α is negative"
        if self.allowed and np.abs(slope).max() < 1e-9:
            where = "   the top: no slope is left"
        margins = ", ".join(f"{m:.2f}" for m in self.margins)
        line = (
            "w = 0: no line"
            if not self.w.any()
            else f"w = ({self.w[0]:.2f}, {self.w[1]:.2f})   t = {self.t:.2f}   margins {margins}"
        )
        bound = (
            f"scaled to margin 1: ½‖w‖² = {self.primal:.4f} ≥ optimum ≥ D"
            if self.allowed and np.isfinite(self.primal)
            else "this w separates nothing yet"
            if self.w.any() and not np.isfinite(self.primal)
            else ""
        )
        return (
            f"α = ({a1:.4f}, {a2:.4f}, {a3:.4f})   D(α) = {self.dual:.4f}   slope "
            f"({slope[0]:.2f}, {slope[1]:.2f}){where}\n{line}   {bound}".replace("-", "−")
        )
