"""Live figure of notebook 02: w, b and α in the reader's hands, and the KKT conditions beside."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.plane import Points, Separator, plane
from kernellab.lessons.margin.figures.support_marks import Arrow, Conditions
from kernellab.live.controls import Slider
from kernellab.live.declared import Figure
from kernellab.live.readout import written
from kernellab.validation import FloatArray

X = np.array([[1.0, 2.0], [-1.0, 2.0], [-1.0, -2.0]])  # of the worked example
Y = np.array([-1.0, -1.0, 1.0])
GRID = 0.1  # what an arrow key moves a grip by
MET = 1e-6

THREE = (1, 2, 3)
CONDITIONS = {  # how each is written, and what it is called when it is read aloud
    "primal\nfeasible": {rf"$y_{i}\,(w\cdot x_{i} + b) \geq 1$": f"margin {i}" for i in THREE},
    "dual\nfeasible": {rf"$\alpha_{i} \geq 0$": f"α{'₁₂₃'[i - 1]} ≥ 0" for i in THREE},
    "statio-\nnary": {
        r"$w - \sum\alpha_i y_i x_i = (0, 0)$": "w = Σ α y x",
        r"$\sum\alpha_i y_i = 0$": "Σ α y = 0",
    },
    "comple-\nmentary": {
        rf"$\alpha_{i}\,(y_{i}\,(w\cdot x_{i} + b) - 1) = 0$": f"slackness {i}" for i in THREE
    },
}
NAMES = [name for group in CONDITIONS.values() for name in group.values()]
NO = " (not allowed)"


class KKT(Figure):
    """Move a line and three multipliers until every KKT condition of the hard margin is met.

    The line w·x + b = 0 has two grips: one on it, one where w·x + b = 1; between them lies a
    half-margin, an arrow of length 1/‖w‖ when the grips face each other. Taught in notebook 02.
    """

    at_first = ("w1", "w2", "b", "alpha1", "alpha2", "alpha3")  # a candidate is all of them
    question = "Can you turn every ✗ into a ✓?"
    size = (9.6, 4.5)
    strip_size = (7.6, 3.9)
    w1 = Slider("w₁", -1.5, 1.5, 0.05, -0.5)
    w2 = Slider("w₂", -1.5, 1.5, 0.05, -0.5)
    b = Slider("b", -2.0, 2.0, 0.05)
    alpha1, alpha2, alpha3 = (Slider(f"α{i}", -0.1, 0.4, 0.025, digits=3) for i in "₁₂₃")
    linked = ("w1", "w2", "b")
    grip_names = ("a point of the line", "a point of its margin")
    presets = {
        "too near point 2": {"w1": -1.2, "w2": -1.0},
        "allowed, but narrow": {"w1": 0.0, "w2": -1.0},
        "the widest, no α": {"w1": 0.0, "w2": -0.5},
        "α, but unbalanced": {"w1": 0.0, "w2": -0.5, "alpha3": 0.125},
        "all met": {"w1": 0.0, "w2": -0.5, "alpha2": 0.125, "alpha3": 0.125},
    }
    readout = (
        "{n_met} of 11 conditions met   {verdict}\n"
        "1/‖w‖ = {half_margin:.2f}   {no_line}   ½‖w‖² = {primal:.3f}{no_primal}   "
        "lower bound D = {dual:+.3f}{no_dual}"
    )
    alt = (
        "Left: three numbered points and the line w·x + b = 0 with its margins, w = ({w:.2f}), b "
        "= {b:.2f}. Right: eleven KKT conditions with alpha = {alpha}; {n_met} of them are met."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane and the table."""
        left, right = figure.subplots(1, 2, width_ratios=[1 if style.in_lecture() else 1.13, 1.22])
        plane(left, (-5.0, 5.0, -5.0, 5.0))
        left.set_title("violet: 1/‖w‖ long, to the + side")
        right.set_title("what has to hold, and whether it does")
        self.line = Separator(left, margins=True)
        self.arrow = Arrow(left)
        (self.head,) = left.plot([], [], color=style.ACCENT, markersize=20, zorder=5.9)
        self.points = Points(left)
        self.labels = [
            left.annotate(
                f"{i}", place, (18 * place[0] - 4, 9), textcoords="offset points", fontsize=13,
                zorder=5, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
            )
            for i, place in zip(THREE, X, strict=True)
        ]  # fmt: skip
        self.table = Conditions(right, [(group, list(CONDITIONS[group])) for group in CONDITIONS])
        return left

    def grips(self) -> FloatArray:
        """Return the points of w·x + b = 0 and of w·x + b = 1 that are nearest to the origin.

        Both lie in the origin if w is zero.
        """
        w, b = np.array([self.w1, self.w2]), self.b
        return np.array([-b * w, (1 - b) * w]) / (w @ w or np.inf)

    def read(self, points: FloatArray) -> Any:
        """Return w₁, w₂ and b of a line through the first grip whose margin meets the second."""
        on_line, on_margin = np.round(points / GRID) * GRID
        across = on_margin - on_line
        if not across.any():  # one on the other: the shortest arrow, the way it pointed
            across = GRID * np.array([self.w1, self.w2]) / (np.hypot(self.w1, self.w2) or np.inf)
        w = across / (across @ across or np.inf)
        return *w, 0.0 - w @ on_line

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Check every condition."""
        w, b = np.array([self.w1, self.w2]), self.b
        alpha = np.array([self.alpha1, self.alpha2, self.alpha3])
        margins = Y * (X @ w + b)
        combined = (alpha * Y) @ X
        residual, balance, products = w - combined, alpha @ Y, alpha * (margins - 1)
        enough, allowed = margins >= 1 - MET, alpha >= -MET
        balanced, slack_or_zero = abs(balance) <= MET, np.abs(products) <= MET
        met = [*enough, *allowed, np.abs(residual).max() <= MET, balanced, *slack_or_zero]
        hall = style.in_lecture()
        self.line.show(w, b)
        ends = points if w.any() else np.empty((0, 2))
        self.arrow.show(ends)
        self.head.set_data(*ends[1:].T)
        self.head.set_marker((3, 0, np.degrees(np.arctan2(*w[::-1])) - 90))  # along w
        self.points.show(X, Y, weight=np.maximum(alpha, 0), mistaken=margins <= 0)
        self.table.show(
            [
                *(written("{:.2f}", m) for m in margins),
                *(written("{:.3f}", a) for a in alpha),
                written("({:.2f})", np.round(residual, 2)).replace("0.", "." if hall else "0."),
                written("{:+.3f}", np.round(balance, 3)),
                *(written("{:+.3f}", p) for p in np.round(products, 3)),
            ],
            met,
        )
        violated = ", ".join(name for name, is_met in zip(NAMES, met, strict=True) if not is_met)
        return {
            "residual": residual,
            "balance": balance,
            "met": met,
            "n_met": sum(met),
            "verdict": f"violated: {violated}" if violated else "this is the widest margin",
            "w": w,
            "b": b,
            "alpha": np.round(alpha, 3).tolist(),
            "margins": margins,
            "half_margin": (w @ w) ** -0.5 if w.any() else None,
            "no_line": "" if w.any() else "w = 0: no line",
            "primal": w @ w / 2,
            "no_primal": NO * (not enough.all()),
            "dual": alpha.sum() - combined @ combined / 2,
            "no_dual": NO * (not (balanced and allowed.all())),
        }
