"""Live figure of notebook 02: the closest points of two hulls, and the dual when they meet."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets import make_contradiction, make_xor
from kernellab.draw import style
from kernellab.draw.margin import SupportPoints
from kernellab.draw.overlap import Overlap
from kernellab.draw.plane import Limits, Points, Separator, plane
from kernellab.lessons.margin.figures.kkt import X as THREE
from kernellab.lessons.margin.figures.kkt import Y as LABELS
from kernellab.lessons.margin.figures.support_marks import Arrow
from kernellab.lessons.margin.theory.hulls import common_point, convex_hull
from kernellab.live.coincide import coincidence
from kernellab.live.controls import Sample, Steps
from kernellab.live.declared import Figure
from kernellab.live.readout import written
from kernellab.solvers.hard_margin import NOT_SEPARABLE, hard_margin
from kernellab.solving import CONVERGED
from kernellab.validation import FloatArray

LIMITS: Limits = (-4.0, 4.0, -4.0, 4.0)
SCALES = np.linspace(0.0, 1.2, 201)  # of the hull weights, in the right panel
MOST = 10  # points in a sample
TOUCHING = 0.02  # hulls that are nearer look as if they met

Data = tuple[FloatArray, FloatArray]


def two_groups() -> Data:
    """Return five points a class, with a wide band between them."""
    plus = [(0.6, 0.4), (2.4, 0.2), (1.2, 2.6), (3.0, 1.8), (2.0, 1.2)]
    minus = [(-1.0, -0.6), (-2.6, 0.4), (0.4, -2.2), (-2.0, -2.6), (-1.6, -1.2)]
    return np.array(plus + minus), np.repeat([1.0, -1.0], 5)


def one_too_far() -> Data:
    """Return the same, with one point of class +1 among the others."""
    X, y = two_groups()
    X[0] = (-0.8, -1.7)  # apart from the others, for the hand
    return X, y


SAMPLES = {
    "two groups": two_groups,
    "three points": lambda: (THREE, LABELS),
    "one among the others": one_too_far,
    "XOR": lambda: (make_xor().X, make_xor().y),
    "one point, two labels": lambda: (make_contradiction().X, make_contradiction().y),
}


def widest(X: FloatArray, y: FloatArray) -> Any:
    """Return the separator with the widest margin; None if there is none."""
    found = hard_margin(X, y)
    return found if found.status == CONVERGED else None


class TwoHulls(Figure):
    """Drag points or leave one out: two hulls, the shortest way between them, and its bisector.

    ``left_out`` is counted from 1; 0 for none. Taught in notebook 02.
    """

    question = "Which points hold the line where it is? And what happens when the hulls meet?"
    answer: tuple[str, ...] = ("ends", "way", "points", "sides", "words")
    size = (5.4, 4.6)
    sample = Sample("points", SAMPLES, grip="point", first=1)
    left_out = Steps("leave out point (0: none)", 0, MOST)
    presets = {
        "all ten": {"sample": "two groups"},
        "without point 1": {"left_out": 1},
        "without point 4": {"left_out": 4},
        "three points": {"sample": "three points"},
        "the hulls meet": {"sample": "one among the others"},
        "XOR": {"sample": "XOR"},
        "one point, two labels": {"sample": "one point, two labels"},
    }
    readout = "{said}   {without}"
    alt = "{sample}, {n} points, and the convex hulls of both classes. {sentence}. {without}"

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane."""
        return self.draw_plane(figure.subplots())

    def draw_plane(self, left: Axes) -> Axes:
        """Put all marks into the axes of the plane, and return them."""
        plane(left, LIMITS)
        left.set_title("the convex hulls of both classes")
        self.hulls = Overlap(left)
        self.before = Separator(left, margins=True, color=style.NEUTRAL, linewidth=1, zorder=2.5)
        self.line = Separator(left, margins=True)
        self.line.words.set_y(0.94)
        self.way = Arrow(left)
        self.bare, self.points = Points(left), SupportPoints(left)  # until the answer is asked for
        self.sides = [self.line.lines[1:], self.before.lines[1:]]
        near: Any = {"textcoords": "offset points", "zorder": 7, "ha": "center", "va": "center"}
        self.numbers_at = [
            left.annotate(f"{i}", (0, 0), (11, 11), fontsize=9, color=style.NEUTRAL, **near)
            for i in range(1, MOST + 1)
        ]
        self.ends = [
            left.annotate(name, (0, 0), (0, 0), style="italic", color=style.ACCENT, **near)
            for name in "pqδ"
        ]
        self.words: list[Any] = [self.line.words]
        return left

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Find the closest points of the two hulls, and the line half-way."""
        self.set_max("left_out", len(self.y))
        kept = np.arange(len(self.y)) != self.left_out - 1
        X, y = self.X[kept], self.y[kept]
        self.hulls.show(*(convex_hull(X[y == s]) if (y == s).any() else X[:0] for s in (1, -1)))
        line = widest(X, y) if len(set(y)) == 2 else None
        before = widest(self.X, self.y) if self.left_out else None
        self.before.show(before.w if before else np.zeros(2), before.b if before else 0.0)
        self.before.words.set_text("")
        shown = self.show_no_line(X, y) if line is None else self.show_gap(line, X, y)
        alpha = np.zeros(len(self.y))
        alpha[kept] = 0 if line is None else shown["alpha"]  # what hulls share holds no line
        self.bare.show(self.X, self.y, mistaken=~kept)  # crossed: it is not there
        self.points.show(self.X, self.y, alpha, mistaken=~kept)
        for i, number in enumerate(self.numbers_at):
            number.set_visible(i < len(self.X))
            number.xy = self.X[i % len(self.X)]
            away = number.xy - self.X[self.y == self.y[i % len(self.y)]].mean(axis=0) + 1e-6
            if line is not None:
                away = np.sign(line.w @ number.xy + line.b) * line.w
            number.xyann = 15 * away / max(np.linalg.norm(away), 1e-9)
        said = "; ".join(filter(None, [*shown["words"], coincidence(X, y)]))
        without = ""
        if before is not None:
            without = f"with point {self.left_out}: {before.half_margin:.3g}"
        return {
            **shown,
            "n": len(self.y),
            "said": said,
            "sentence": said[0].upper() + said[1:],
            "without": without,
            "half_margin": line.half_margin if line is not None else None,
        }

    def show_gap(self, line: Any, X: FloatArray, y: FloatArray) -> dict[str, Any]:
        """Show the shortest way, and the line that bisects it."""
        distance, weights = 2 * line.half_margin, 2 * line.alpha / line.alpha.sum()
        self.line.show(line.w, line.b)
        p, q = weights[y > 0] @ X[y > 0], weights[y < 0] @ X[y < 0]
        self.way.show(np.array([p, q]))
        across = 11 * line.half_margin * line.w
        along = np.array([across[1], -across[0]])
        places = (p, along - across), (q, along + across), (0.7 * p + 0.3 * q, -1.2 * along)
        for name, (place, offset) in zip(self.ends, places, strict=True):
            name.xy, name.xyann = place, offset
            name.set_visible(True)
        numbers = np.flatnonzero(np.arange(len(self.y)) != self.left_out - 1) + 1
        mixed = [f"{i}: {u:.2f}" for i, u in zip(numbers, weights, strict=True) if u > 1e-9]
        mixed = [*mixed[:3], "…"] if len(mixed) > 3 else mixed
        return {
            "status": CONVERGED,
            "alpha": line.alpha,
            "w": line.w,
            "b": line.b,
            "distance": distance,
            "weights": weights,
            "words": [
                f"distance δ = {distance:.3g}, half-margin {distance / 2:.3g}",
                f"hull weights {', '.join(mixed)}",
                "the hulls all but touch" * (distance < TOUCHING),
            ],
        }

    def show_no_line(self, X: FloatArray, y: FloatArray) -> dict[str, Any]:
        """Show that no line separates the points, and a point which the hulls share."""
        place, weights = np.empty((0, 2)), np.zeros(len(X))
        words, title = "the hulls touch, as far as rounding can tell", "no line separates them"
        if len(set(y)) < 2:
            words, title = "there is nothing to separate", "only one class is left"
        elif shared := common_point(X, y):
            place, weights = shared[0][np.newaxis], shared[1]
            words = written("the hulls share the point ({:.2f})", np.round(shared[0], 2))
        self.line.show(np.zeros(2), 0.0)
        self.line.words.set_text(title)
        self.way.show(place)
        for name in self.ends:
            name.set_visible(False)
        return {
            "status": NOT_SEPARABLE,
            "alpha": weights,
            "distance": 0.0,
            "weights": weights,
            "words": [words, title],
        }


class Hulls(TwoHulls):
    """The same, and beside it the dual D(s) = 2s − s²δ²/2 over the scale s of the hull weights.

    It lies below the line 2s of hulls that meet. Taught in notebook 02, further.
    """

    answer = (*TwoHulls.answer, "top")
    size = (9.4, 4.3)
    readout = "{finding}\n{said}   {without}"
    alt = "Left: " + TwoHulls.alt + " Right: the dual along the hull weights; {finding}."

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane, and the dual along the ray that the shortest way means."""
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.05])
        self.draw_plane(left)
        longest = SCALES[-1]
        right.plot(SCALES, 2 * SCALES, color=style.NEUTRAL, linestyle="--", linewidth=style.THIN)
        grey: Any = {"color": style.NEUTRAL, "ha": "right"}
        right.text(0.72 * longest, 1.56 * longest, "2s: hulls that touch", **grey)
        (self.dual,) = right.plot([], [], color=style.INK, linewidth=style.LINE)
        (self.top,) = right.plot([], [], "D", color=style.ACCENT, markersize=9, clip_on=False)
        self.caption = right.text(0.03, 0.97, "", transform=right.transAxes, va="top", fontsize=12)
        self.words.append(self.caption)
        right.set(
            xlim=(0, longest), ylim=(0, 2 * longest), xlabel="scale $s$ of the hull weights",
            ylabel="dual $D(s)$", title="$D(s) = 2s - s^2δ^2/2$",
        )  # fmt: skip
        return left

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Add the dual to the hulls."""
        shown = super().show(points)
        distance = shown["distance"]
        self.dual.set_data(SCALES, 2 * SCALES - SCALES**2 * distance**2 / 2)
        if distance == 0:
            self.top.set_data([], [])
            self.caption.set_text("no top: the dual is unbounded")
            return {**shown, "finding": "D = 2s has no top: the dual is unbounded"}
        top = 2 / distance**2
        self.top.set_data(*([top], [top]) if top <= SCALES[-1] else ([], []))
        self.caption.set_text(f"top at s = 2/δ² = {top:.3g}")
        finding = f"highest at s = 2/δ² = {top:.3g}, where D = ½‖w‖² = {top:.3g}"
        return {**shown, "finding": finding}
