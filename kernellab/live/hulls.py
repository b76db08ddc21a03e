"""Live figure of notebook 02: the closest points of two hulls, and the dual when they meet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from kernellab.datasets import make_contradiction, make_xor
from kernellab.draw import style
from kernellab.draw.hulls import DualAlongRay
from kernellab.draw.margin import Arrow, SupportPoints
from kernellab.draw.plane import Limits, Separator, plane
from kernellab.draw.shattering import Overlap
from kernellab.hard_margin import closest_points, hard_margin
from kernellab.hulls import common_point, convex_hull
from kernellab.live.coincide import coincidence
from kernellab.live.explorer import Explorer, choice, class_handles
from kernellab.validation import FloatArray

LIMITS: Limits = (-4.0, 4.0, -4.0, 4.0)
LONGEST = 1.2  # scale of the hull weights that the right panel reaches
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


def three_points() -> Data:
    """Return the three points of the worked example."""
    return np.array([[1.0, 2.0], [-1.0, 2.0], [-1.0, -2.0]]), np.array([-1.0, -1.0, 1.0])


def xor() -> Data:
    """Return the four corners of XOR."""
    data = make_xor()
    return data.X, data.y


def two_labels() -> Data:
    """Return four points of which two coincide and have different labels."""
    data = make_contradiction()
    return data.X, data.y


SAMPLES: dict[str, Callable[[], Data]] = {
    "two groups": two_groups,
    "three points": three_points,
    "one among the others": one_too_far,
    "XOR": xor,
    "one point, two labels": two_labels,
}


class Line(NamedTuple):
    """A separator of the widest margin: w of shape (2,), b, α of shape (n,), 1/‖w‖."""

    w: FloatArray
    b: float
    alpha: FloatArray
    half_margin: float


def widest(X: FloatArray, y: FloatArray) -> Line | None:
    """Return the separator with the widest margin; None if there is none."""
    found = hard_margin(X, y)
    if found.w is None or found.b is None or found.alpha is None or found.half_margin is None:
        return None
    return Line(found.w, found.b, found.alpha, found.half_margin)


class HullExplorer(Explorer):
    """Drag points: two hulls, the shortest way between them, and the line that bisects it.

    Taught in notebook 02.

    Parameters
    ----------
    sample
        One of the names in ``SAMPLES``: what is shown first.
    """

    presets: Mapping[str, Any] = {
        "separable": {"sample": "two groups"},
        "three points": {"sample": "three points"},
        "one outlier": {"sample": "one among the others"},
        "XOR": {"sample": "XOR"},
        "one point, two labels": {"sample": "one point, two labels"},
    }

    X: FloatArray
    y: FloatArray
    alpha: FloatArray

    def __init__(self, sample: str = "two groups") -> None:
        self.sample = choice("points", list(SAMPLES))
        self.sample.value = sample
        figure = style.new_figure((9.4, 4.3))
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.05])
        plane(left, LIMITS)
        left.set_title("half the shortest way is the half-margin")
        right.set_title("nearer hulls, higher top: $D(s) = 2s - s^2δ^2/2$")
        self.hulls = Overlap(left)
        self.line = Separator(left, margins=True)
        self.line.words.set_y(0.94)
        self.way = Arrow(left)
        self.points = SupportPoints(left)
        self.ray = DualAlongRay(right, LONGEST)
        self._load()
        super().__init__(
            "Which points hold the line where it is? And what happens when the hulls meet?",
            figure,
            [self.sample],
            moving=[
                artist
                for mark in (self.hulls, self.line, self.way, self.points, self.ray)
                for artist in mark.artists
            ],
            axes=left,
            points=self.X,
            handles=self._handles(),
        )

    def update(self, points: FloatArray) -> str:
        """Find the closest points of the two hulls, and the line half-way."""
        if self.sample.value != self._loaded:
            self._load()
            self.live.place(points := self.X, self._handles())
        self.X = X = points
        line, closest = widest(X, self.y), closest_points(X, self.y)
        self.status = closest.status
        if line is None or closest.positive is None or closest.negative is None:
            self._show_meeting(X)
        else:
            self._show_gap(X, line, np.array([closest.positive, closest.negative]))
        if together := coincidence(X, self.y):
            self.said += f"; {together}"
        plus, minus = convex_hull(X[self.y > 0]), convex_hull(X[self.y < 0])
        self.hulls.show(plus, minus)
        self.ray.show(self.distance, self.caption)
        return f"{self.status}: {self.finding}\n{self.said}"

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"Left: {self._loaded}, {len(self.y)} points, and the convex hulls of both classes. "
            f"{self.said.capitalize()}. Right: the dual along the hull weights; {self.finding}."
        )

    def _load(self) -> None:
        self._loaded = self.sample.value
        X, y = SAMPLES[self._loaded]()
        self.X, self.y = X.copy(), y

    def _handles(self) -> list[dict[str, str]]:
        return class_handles(self.y, "point", first=1)

    def _show_gap(self, X: FloatArray, line: Line, ends: FloatArray) -> None:
        self.w, self.b, self.alpha = line.w, line.b, line.alpha
        self.distance = 2 * line.half_margin
        self.weights = 2 * self.alpha / self.alpha.sum()
        self.line.show(self.w, self.b)
        self.way.show(ends)
        self.points.show(X, self.y, self.alpha)
        top = 2 / self.distance**2
        self.caption = f"top at s = 2/δ² = {top:.3g}"
        self.finding = f"highest at s = 2/δ² = {top:.3g}, where D = ½‖w‖² = {top:.3g}"
        mixed = ", ".join(f"{i + 1}: {u:.2f}" for i, u in enumerate(self.weights) if u > 1e-9)
        self.said = (
            f"distance δ = {self.distance:.3g}, half-margin {self.distance / 2:.3g}; "
            f"hull weights {mixed}"
        )
        if self.distance < TOUCHING:
            self.said += "; the hulls all but touch"

    def _show_meeting(self, X: FloatArray) -> None:
        self.distance, self.w, self.b = 0.0, np.zeros(2), 0.0
        self.line.show(self.w, 0.0)
        self.line.words.set_text("no line separates them")
        shared = common_point(X, self.y)
        if shared is None:  # closer than rounding tells
            self.weights, place = np.zeros(len(X)), np.empty((0, 2))
            self.said = "the hulls touch, as far as rounding can tell; no line separates them"
        else:
            place, self.weights = shared[0][np.newaxis], shared[1]
            x1, x2 = np.round(shared[0], 2) + 0.0  # no minus before zero
            self.said = f"the hulls share the point ({x1:.2f}, {x2:.2f}); no line separates them"
            self.said = self.said.replace("-", "−")
        self.alpha = self.weights
        self.way.show(place)
        self.points.show(X, self.y, self.weights)
        self.caption = "no top: the dual is unbounded"
        self.finding = "D = 2s has no top: the dual is unbounded"
