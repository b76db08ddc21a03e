"""Live figure of notebook 02: the lines of notebook 01, each with as wide a band as it allows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.patches import Polygon

from kernellab.datasets import make_clouds
from kernellab.draw import style
from kernellab.draw.plane import Limits, Points, Separator, line_in_box, plane
from kernellab.live.controls import Sample
from kernellab.live.declared import Figure
from kernellab.losses import hinge
from kernellab.solvers.descent import descend
from kernellab.solvers.hard_margin import hard_margin
from kernellab.solvers.perceptron import homogeneous
from kernellab.validation import FloatArray

LIMITS: Limits = (-4.5, 4.5, -4.5, 4.5)
NAMES = ("line A", "line B", "line C", "line D", "line E")
ENDS = ((2.15, -4.2), (0.95, -4.2), (3.85, -4.2), (4.2, -1.7), (4.2, 0.3))  # letters A to E
REACH = 3.0  # how far the grips of a line are from its middle at first
CROSSED = 1e-6  # a half-margin below this is none
NEW = np.array([[1.95, 0.2]])  # a circle that comes later: no line and no band knows it
TOUCHES = 0.08  # how far from the margin an example may be to be ringed: keys go in steps


def twelve_points() -> tuple[FloatArray, FloatArray]:
    """Return the two clouds of notebook 01: twelve points that a line separates."""
    data = make_clouds(12, 5.0, 4)
    return data.X, data.y


X, Y = twelve_points()


def five_lines() -> FloatArray:
    """Return the lines (w₁, w₂, b) where five descents of notebook 01 end, shape (5, 3)."""
    starts = np.random.default_rng(0).normal(0, 1.5, (len(NAMES), 3))
    step = lambda t: 0.5 / np.sqrt(t)  # noqa: E731
    *_, last = islice(descend(homogeneous(X), Y, hinge, step=step, start=starts), 1001)
    return last.w


def half_margin(w: FloatArray, b: float) -> float:
    """Return the distance from a line to the nearest of the points; negative for a mistake."""
    return float((Y * (X @ w + b)).min() / np.linalg.norm(w))


LINES = five_lines()
HALF_MARGINS = [half_margin(w[:2], w[2]) for w in LINES]


def ends(w: FloatArray, b: float) -> FloatArray:
    """Return two points of a line, left and right of its middle."""
    middle, other = line_in_box(w, b, LIMITS)
    along = (other - middle) / np.linalg.norm(other - middle)
    return (middle + other) / 2 + np.outer([-REACH, REACH], along)


BEST: Any = hard_margin(X, Y)
WIDEST = ends(BEST.w, BEST.b)


class Bands(Figure):
    """Drag a line by two of its points; its band grows until it touches an example.

    Taught in notebook 02.
    """

    question = "How wide can you make the empty band?"
    answer = ("bars", "words", "goal")
    size = (9.4, 4.3)
    strip_size = (7.4, 3.5)
    line = Sample(
        "start from",
        {name: partial(ends, w[:2], w[2]) for name, w in zip(NAMES, LINES, strict=True)},
        NAMES[-1],
    )
    grip_names = ("one point of your line", "another point of your line")
    presets: Mapping[str, Mapping[str, Any]] = {
        **{name: {"line": name} for name in NAMES},
        "the widest": {"points": WIDEST},
    }
    readout = "half-margin {half_margin:.2f}   band {width:.2f} wide   {said}"
    alt = (
        "Left: twelve points, five grey lines that separate them, and your line in black with "
        "half-margin {half_margin:.2f}, {wrong} points on its wrong side; a new point, hollow, is "
        "{new}. Right: the half-margins of the five, {others}, and of yours."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane with the five lines, and a bar for each and one for yours."""
        left, right = figure.subplots(1, 2, width_ratios=[1.2, 1])
        plane(left, LIMITS)
        for w, name, end in zip(LINES, NAMES, ENDS, strict=True):
            Separator(left, color=style.NEUTRAL, linewidth=style.THIN, zorder=1).show(w[:2], w[2])
            left.text(*end, name[-1], ha="center", va="center", color=style.NEUTRAL, fontsize=11)
        self.band = Polygon(np.zeros((4, 2)), facecolor=style.ACCENT, alpha=0.16, zorder=2)
        left.add_patch(self.band)
        self.separator = Separator(left, margins=True)
        left.set_title(" ")  # room for a title that moves
        self.separator.words.set(x=0, y=1.02, ha="left", fontsize=12)
        self.points, self.new = Points(left), Points(left)
        self.new.crosses.set_sizes([230])  # behind its circle
        mark: Any = {"color": style.ACCENT, "markeredgecolor": "white", "markersize": 8}
        (self.held,) = left.plot([], [], "D", zorder=6, **mark)
        self.words, colours = self.separator.words, [style.NEUTRAL] * len(NAMES) + [style.ACCENT]
        self.bars = right.barh(range(len(colours)), [*HALF_MARGINS, 0], height=0.5, color=colours)
        right.set(yticks=range(len(NAMES) + 1), yticklabels=[*NAMES, "yours"], xlim=(-0.5, 2.2))
        right.set(xlabel="distance of the nearest example", title="half-margin")
        right.axvline(0, color=style.INK, linewidth=style.THIN)
        self.goal = right.axvline(BEST.half_margin, color=style.ACCENT, linestyle="--")
        right.invert_yaxis()
        return left

    def take(self, data: Any) -> None:
        """Take the two points by which a line is held."""
        self.ends = data

    def grips(self) -> FloatArray:
        """Return the two points of the line."""
        return np.asarray(self.ends)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Show the line through both grips, and the band that fits."""
        along = points[1] - points[0]
        w = np.array([-along[1], along[0]])
        if not w.any():
            w = np.array([0.0, 1.0])  # one grip on the other: level
        b = -w @ points[0]
        if half_margin(-w, -b) > half_margin(w, b):
            w, b = -w, -b
        found, margins = half_margin(w, b), Y * (X @ w + b)
        fits = found > CROSSED
        scale = 1 / margins.min() if fits else 1 / np.linalg.norm(w)
        w, b = scale * w, scale * b  # now the margins are w·x + b = ±1
        self.separator.show(w, b)
        self.separator.words.set_text(f"half-margin {found:.2f}" if fits else "no band")
        self.held.set_data(*points.T)
        for margin in self.separator.lines[1:]:
            margin.set_visible(fits)
        self.band.set_visible(fits)
        sides = line_in_box(w, b - 1, LIMITS), line_in_box(w, b + 1, LIMITS)[::-1]
        self.band.set_xy(np.vstack(sides))
        touching = np.flatnonzero(margins <= (1 + TOUCHES) * margins.min()) if fits else None
        self.points.show(X, Y, used=touching, mistaken=margins <= 0)
        missed = bool((NEW @ w + b <= 0).any())
        self.new.show(NEW, np.ones(1), mistaken=missed)
        self.new.marks[1].set(facecolor="white", edgecolor=style.COLOUR[1], zorder=9)
        self.bars[-1].set_width(max(found, -0.5))
        wrong = int((margins <= 0).sum())
        self.goal.set_visible(touching is not None and len(touching) > 2)
        said = f"dashed: the widest, {BEST.half_margin:.2f}" * self.goal.get_visible()
        return {
            "half_margin": found,
            "width": 2 * found if fits else None,
            "wrong": wrong,
            "said": f"{wrong} on the wrong side" if wrong else said,
            "new": "wrong" if missed else "right",
            "others": ", ".join(f"{m:.2f}" for m in HALF_MARGINS),
            "w": w,
            "b": b,
        }
