"""Live figure of notebook 02: w, t and α in the reader's hands, and the KKT conditions beside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kernellab.draw import style
from kernellab.draw.margin import Arrow, Conditions
from kernellab.draw.plane import Limits, Points, Separator, plane
from kernellab.live.explorer import Explorer, same, slider
from kernellab.validation import FloatArray

# The three points of the worked example.
X = np.array([[1.0, 2.0], [-1.0, 2.0], [-1.0, -2.0]])
Y = np.array([-1.0, -1.0, 1.0])
SUBSCRIPTS = "₁₂₃"

LIMITS: Limits = (-5.0, 5.0, -5.0, 5.0)
GRID = 0.1  # what an arrow key moves a grip by
MET = 1e-6

GROUPS = (
    ("primal\nfeasible", [rf"$y_{i}\,(w\cdot x_{i} - t) \geq 1$" for i in (1, 2, 3)]),
    ("dual\nfeasible", [rf"$\alpha_{i} \geq 0$" for i in (1, 2, 3)]),
    ("stationary", [r"$w - \sum\alpha_i y_i x_i = (0, 0)$", r"$\sum\alpha_i y_i = 0$"]),
    (
        "comple-\nmentary",
        [rf"$\alpha_{i}\,(y_{i}\,(w\cdot x_{i} - t) - 1) = 0$" for i in (1, 2, 3)],
    ),
)


NAMES = (  # of the rows, when they are read aloud
    *(f"margin {i}" for i in (1, 2, 3)),
    *(f"α{i} ≥ 0" for i in SUBSCRIPTS),
    "w = Σ α y x",
    "Σ α y = 0",
    *(f"slackness {i}" for i in (1, 2, 3)),
)


class KKTExplorer(Explorer):
    """Move a line and three multipliers until every KKT condition of the hard margin is met.

    The line w·x − t = 0 has two grips: one on it, one where w·x − t = 1; between them lies a
    half-margin, an arrow of length 1/‖w‖ when the grips face each other. Taught in notebook 02.

    Parameters
    ----------
    w, t, alpha
        Where it starts.
    """

    presets: Mapping[str, Any] = {
        "a line that errs": {},
        "a narrow margin": {"w1": 0.0, "w2": -1.0},
        "the widest, no α": {"w1": 0.0, "w2": -0.5},
        "α, but unbalanced": {"w1": 0.0, "w2": -0.5, "alpha3": 0.25},
        "all met": {"w1": 0.0, "w2": -0.5, "alpha2": 0.125, "alpha3": 0.125},
    }

    def __init__(
        self,
        w: tuple[float, float] = (-0.5, -0.5),
        t: float = 0.0,
        alpha: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ) -> None:
        self.w1 = slider("w₁", w[0], -1.5, 1.5, 0.05)
        self.w2 = slider("w₂", w[1], -1.5, 1.5, 0.05)
        self.threshold = slider("t", t, -2.0, 2.0, 0.05)
        self.alpha1, self.alpha2, self.alpha3 = (
            slider(f"α{i}", value, -0.1, 0.4, 0.025)
            for i, value in zip(SUBSCRIPTS, alpha, strict=True)
        )
        self.sliders = [self.w1, self.w2, self.threshold]
        self.multipliers = [self.alpha1, self.alpha2, self.alpha3]
        for control in self.multipliers:
            control.readout_format = ".3f"
        for control in (*self.sliders, *self.multipliers):  # w and t above, α below
            control.layout = {"width": "262px"}
        self.w, self.t = np.array(w, dtype=float), float(t)
        self._settings = self._slider_values()
        self._grips = grips(self.w, self.t)
        figure = style.new_figure((9.6, 4.5))
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.15])
        plane(left, LIMITS)
        left.set_title("the shorter w, the longer the half-margin 1/‖w‖")
        right.set_title("the widest band meets all eleven, no other does")
        self.line = Separator(left, margins=True)
        self.arrow = Arrow(left)
        self.points = Points(left)
        for i, (x, y) in enumerate(X):
            left.annotate(f"{i + 1}", (x, y), (14, 9), textcoords="offset points", fontsize=13)
        self.table = Conditions(right, GROUPS)
        super().__init__(
            "Can you turn every ✗ into a ✓? Start with the margins, then lengthen 1/‖w‖.",
            figure,
            [*self.sliders, *self.multipliers],
            moving=[
                artist
                for mark in (self.line, self.arrow, self.points, self.table)
                for artist in mark.artists
            ],
            axes=left,
            points=self._grips,
            handles=[
                {"label": "a point of the line", "color": style.ACCENT},
                {"label": "a point of its margin", "color": style.ACCENT},
            ],
        )

    def update(self, points: FloatArray) -> str:
        """Take w and t from what was moved last, α from its sliders, and check every condition."""
        self._take(points)
        self.alpha = np.array([control.value for control in self.multipliers])
        scores = X @ self.w - self.t
        self.margins = Y * scores + 0.0  # no minus before zero
        self.residual = self.w - (self.alpha * Y) @ X
        self.balance = float(self.alpha @ Y)
        self.products = self.alpha * (self.margins - 1)
        values = [
            *(f"{m:.2f}" for m in self.margins),
            *(f"{a:.3f}" for a in self.alpha),
            "({:.2f}, {:.2f})".format(*(np.round(self.residual, 2) + 0.0)),
            f"{round(self.balance, 3) + 0.0:+.3f}",
            *(f"{p + 0.0:+.3f}" for p in np.round(self.products, 3)),
        ]
        self.met = [
            *(self.margins >= 1 - MET),
            *(self.alpha >= -MET),
            bool(np.abs(self.residual).max() <= MET),
            abs(self.balance) <= MET,
            *(np.abs(self.products) <= MET),
        ]
        self.line.show(self.w, -self.t)
        self.arrow.show(self._grips if (self.w != 0).any() else np.empty((0, 2)))
        self.points.show(X, Y, weight=np.maximum(self.alpha, 0), mistaken=self.margins <= 0)
        self.table.show([value.replace("-", "−") for value in values], self.met)
        return self._sentence()

    def describe(self) -> str:
        """Return the alternative text."""
        w1, w2 = self.w
        return (
            f"Left: three numbered points and the line w·x = t with its margins, w = ({w1:.2f}, "
            f"{w2:.2f}), t = {self.t:.2f}. Right: eleven KKT conditions with alpha = "
            f"{np.round(self.alpha, 3).tolist()}; {sum(self.met)} of them are met."
        )

    def _sentence(self) -> str:
        """Say how many conditions are met, and what primal and dual make of it."""
        squared = float(self.w @ self.w)
        half = f"half-margin 1/‖w‖ = {squared**-0.5:.2f}" if squared > 0 else "w = 0: no line"
        primal = f"½‖w‖² = {squared / 2:.3f}"
        if self.margins.min() < 1 - MET:
            primal += " (not allowed)"
        combined = (self.alpha * Y) @ X
        self.dual = float(self.alpha.sum() - combined @ combined / 2)
        dual = f"dual {self.dual:+.3f}"
        if abs(self.balance) > MET or self.alpha.min() < -MET:
            dual += " (not allowed)"
        violated = [name for name, met in zip(NAMES, self.met, strict=True) if not met]
        end = f"violated: {', '.join(violated)}" if violated else "this is the widest margin"
        margins = ", ".join(f"{margin:.2f}" for margin in self.margins)
        line = f"w = ({self.w[0]:.2f}, {self.w[1]:.2f})   t = {self.t:.2f}   margins {margins}"
        line, dual = line.replace("-", "−"), dual.replace("-", "−")
        return (
            f"{sum(self.met)} of {len(self.met)} conditions met   {end}\n"
            f"{line}   {half}\n{primal}   {dual}"
        )

    # --- the hand ------------------------------------------------------------------------------

    def _slider_values(self) -> tuple[float, ...]:
        return tuple(control.value for control in self.sliders)

    def _take(self, points: FloatArray) -> None:
        """Let the grips follow the sliders, or the sliders the grips."""
        if not same(self._slider_values(), self._settings):
            *w, self.t = self._slider_values()
            self.w = np.round(w, 10)
            self._grips = grips(self.w, self.t)
            self.live.place(self._grips)
        elif not np.array_equal(points, self._grips):
            self._grips = points
            on_line, on_margin = np.round(points / GRID) * GRID
            across = on_margin - on_line
            squared = float(across @ across)
            if squared > 0:
                self.w = across / squared
                self.t = float(self.w @ on_line)
            else:  # one on the other: no line, and no threshold to be read off
                self.w, self.t = np.zeros(2), self.threshold.value
            for control, value in zip(self.sliders, (*self.w, self.t), strict=True):
                low, high = control.min, control.max
                self.set_quietly(control, min(max(round(value / 0.05) * 0.05, low), high))
        self._settings = self._slider_values()


def grips(w: FloatArray, t: float) -> FloatArray:
    """Return the point of w·x = t nearest to the origin, and that of w·x = t + 1; shape (2, 2).

    Both lie in the origin if w is zero.
    """
    squared = float(w @ w)
    if squared == 0:
        return np.zeros((2, 2))
    return np.array([t * w / squared, (t + 1) * w / squared])
