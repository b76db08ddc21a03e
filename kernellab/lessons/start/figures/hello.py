"""Notebook 00: does everything work here, and does a live figure answer?"""

from __future__ import annotations

import platform
import sys
from importlib import metadata
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.plane import Points, ScoreField, Separator, plane
from kernellab.live.controls import Steps
from kernellab.live.declared import Figure
from kernellab.page.course import Words
from kernellab.validation import FloatArray

NEEDED = {
    "numpy": "arrays",
    "scipy": "linear algebra",
    "matplotlib": "every picture",
    "scikit-learn": "data, and learners to compare ours with",
    "ipywidgets": "sliders and buttons",
    "anywidget": "the live figures",
    "jupyterlab": "this page",
}
WANTED = {"numba": "the same code, much faster"}
HEAD = "| | here | what for | verdict |\n|---|---|---|---|"


def self_test() -> Words:
    """Return whether all the course needs is here; then, folded, what that is.

    What is missing stands above the fold, with how to get it.
    """
    rows = [python_row()]
    rows += [package_row(name, use, needed=True) for name, use in NEEDED.items()]
    rows += [package_row(name, use, needed=False) for name, use in WANTED.items()]
    missing = [row for row in rows if not row.endswith(" ok |")]
    open_ = "\n".join([HEAD, *missing]) if missing else "**Everything is there.**"
    table = "\n".join([HEAD, *rows])
    fold = f"<details><summary>The packages and their versions</summary>\n\n{table}\n\n</details>"
    return Words(f"{open_}\n\n{fold}")


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


class Hello(Figure):
    """The smallest live figure: one slider, one point. If both move the numbers, all is well."""

    question = "Can you make the score of the point zero, once by hand and once by the slider?"
    size = (5.6, 4.2)
    angle = Steps("angle in degrees", 0, 180, 70)
    grip_names = ("the point",)
    presets = {"flat": {"angle": 0}, "upright": {"angle": 90}}
    readout = "x = ({x:.2f})   f(x) = {score:+.2f}   {verdict}"
    alt = (
        "A line through the origin at {angle} degrees and one point at ({x:.2f}), with score "
        "{score:+.2f}: circles have a positive score, squares a negative one, hollow is zero."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane, and the marks that move in it."""
        axes = figure.subplots()
        limits = (-2.0, 2.0, -2.0, 2.0)
        plane(axes, limits)
        axes.set_title("drag the point over the line")
        self.field = ScoreField(axes, limits)
        self.line = Separator(axes)
        self.points = Points(axes)
        return axes

    def grips(self) -> Any:
        """Return where the point is at first."""
        return [(1.0, 1.0)]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Turn the line, and score the point."""
        turn = np.radians(self.angle)
        w, x = np.array([np.sin(turn), -np.cos(turn)]), points[0]
        score = round(float(w @ x), 2)
        grid = np.linspace(-2, 2, 31)
        self.field.show(w[0] * grid + w[1] * grid[:, None])
        self.line.show(w, 0.0)
        label = 1 if score >= 0 else -1
        self.points.show(points, np.array([label]))
        self.points.marks[label].set_facecolor(style.COLOUR[label] if score else "white")
        verdict = "no class: the score is zero" if score == 0 else f"class {label:+d}"
        return {"x": x, "score": score, "verdict": verdict}
