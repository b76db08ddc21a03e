"""Notebook 00: does everything work here, and does a live figure answer?"""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from importlib import metadata
from typing import Any

import numpy as np

from kernellab.course import Words
from kernellab.draw import style
from kernellab.draw.plane import Points, ScoreField, Separator, plane
from kernellab.live.explorer import Explorer, steps
from kernellab.validation import FloatArray

NEEDED = {
    "numpy": "arrays",
    "scipy": "linear algebra",
    "matplotlib": "every picture",
    "scikit-learn": "validation, and somebody to race against",
    "ipywidgets": "sliders and buttons",
    "anywidget": "the live figures",
    "jupyterlab": "this page",
}
WANTED = {"numba": "the same code, much faster"}


def self_test() -> Words:
    """Return a table of what the course needs, what is here, and how to get what is not."""
    rows = [python_row()]
    rows += [package_row(name, use, needed=True) for name, use in NEEDED.items()]
    rows += [package_row(name, use, needed=False) for name, use in WANTED.items()]
    return Words("\n".join(["| | here | what for | verdict |", "|---|---|---|---|", *rows]))


def python_row() -> str:
    """Return the table's row on Python itself."""
    good = sys.version_info >= (3, 11)
    verdict = "ok" if good else "**too old**: install Python 3.11 or newer"
    return f"| Python | {platform.python_version()} | everything | {verdict} |"


def package_row(name: str, use: str, *, needed: bool) -> str:
    """Return the table's row on one package."""
    try:
        here, verdict = metadata.version(name), "ok"
    except metadata.PackageNotFoundError:
        here = "missing"
        urgency = "**needed**" if needed else "optional; all works without it, slower"
        verdict = f"{urgency}: run `%pip install {name}` in a cell, then restart the kernel"
    return f"| {name} | {here} | {use} | {verdict} |"


class Hello(Explorer):
    """The smallest live figure: one slider, one point. If both move the numbers, all is well."""

    presets: Mapping[str, Any] = {"flat": {"angle": 0}, "upright": {"angle": 90}}

    def __init__(self) -> None:
        self.angle = steps("angle in degrees", 70, 0, 180)
        figure = style.new_figure((5.6, 4.2))
        axes = figure.subplots()
        limits = (-2.0, 2.0, -2.0, 2.0)
        plane(axes, limits)
        axes.set_title("drag the circle over the line")
        self.field = ScoreField(axes, limits)
        self.line = Separator(axes)
        self.points = Points(axes)
        super().__init__(
            "Can you make the score of the point zero, once by hand and once by the slider?",
            figure,
            [self.angle],
            moving=[*self.field.artists, *self.line.artists, *self.points.artists],
            axes=axes,
            points=[(1.0, 1.0)],
            handles=[{"label": "the point", "color": style.ACCENT}],
        )

    def update(self, points: FloatArray) -> str:
        """Turn the line, and score the point."""
        turn = np.radians(self.angle.value)
        w = np.array([np.sin(turn), -np.cos(turn)])
        self.x = points[0]
        self.score = round(float(w @ self.x), 2) + 0.0  # no minus before zero
        grid = np.linspace(-2, 2, 31)
        self.field.show(w[0] * grid + w[1] * grid[:, None])
        self.line.show(w, 0.0)
        label = 1 if self.score >= 0 else -1
        self.points.show(points, np.array([label]), mistaken=self.score == 0)
        said = "no class: the score is zero" if self.score == 0 else f"class {label:+d}"
        return f"x = ({self.x[0]:.2f}, {self.x[1]:.2f})   f(x) = {self.score:+.2f}   {said}"

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"A line through the origin at {self.angle.value} degrees and one point at "
            f"({self.x[0]:.2f}, {self.x[1]:.2f}), with score {self.score:+.2f}: circles have a "
            "positive score, squares a negative one, a cross marks zero."
        )
