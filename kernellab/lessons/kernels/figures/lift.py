"""Live figure of notebook 03: one more number per point, and a flat sheet is enough."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets import Dataset, make_rings
from kernellab.draw import style
from kernellab.draw.contours import level_curve
from kernellab.draw.plane import Points, ScoreField, plane
from kernellab.draw.space import Space
from kernellab.live.controls import Choice, Sample, Slider
from kernellab.live.turning import TurnedFigure, tilt_slider, turn_slider
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

REACH = 2.5  # of the floor, in every direction
DRAWN = np.array([1.0, 1.0, 0.65])  # heights are drawn shorter than lengths on the floor
LOW, HIGH = DRAWN * [-REACH, -REACH, -2.6], DRAWN * [REACH, REACH, 4.6]
TIPS = DRAWN * np.diag([3.0, 3.0, 4.4])
GRID = np.linspace(-REACH, REACH, 61)
C = 1.0
SQUARES, PRODUCT = "x₁² + x₂²", "x₁ x₂"


def make_quarters() -> Dataset:
    """Return 40 points of a disc, +1 where x₁ and x₂ have different signs, with a gap between."""
    rng = np.random.default_rng(3)
    angle = np.pi / 2 * (rng.integers(0, 4, 40) + rng.uniform(0.12, 0.88, 40))
    radius = rng.uniform(0.7, 2.2, 40)
    X = radius[:, np.newaxis] * np.column_stack([np.cos(angle), np.sin(angle)])
    return Dataset(X, -np.sign(X[:, 0] * X[:, 1]), ("x₁", "x₂"), ("-1", "+1"), "synthetic")


def lifted(X: FloatArray, feature: str, lift: float) -> FloatArray:
    """Return points (…, 2) with a third number, lift times a feature of the two: (…, 3)."""
    height = (X**2).sum(axis=-1) if feature == SQUARES else X.prod(axis=-1)
    return np.concatenate([X, lift * height[..., np.newaxis]], axis=-1)


def disc() -> FloatArray:
    """Return circles and rays of the floor, shape (n_lines, 49, 2)."""
    angle = np.linspace(0, 2 * np.pi, 49)
    around = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    circles = np.linspace(0.5, REACH, 5)[:, np.newaxis, np.newaxis] * around
    rays = np.linspace(0, REACH, 49)[:, np.newaxis] * around[:-1:3, np.newaxis]
    return np.concatenate([circles, rays])


DISC = disc()
FLOOR = np.stack(np.meshgrid(GRID, GRID), axis=-1)


class Lift(TurnedFigure):
    """Raise points by a feature of theirs until a flat sheet fits between the classes.

    The sheet is that of a linear SVM on the three numbers, C = 1, with bias. Taught in notebook 03.
    """

    at_first = ("sample", "feature", "lift", "tilt")
    question = "On which curve of the floor does the flat sheet cut the raised points apart?"
    answer = ("field", "trace", "crosses")
    size = (9.4, 4.7)
    strip_size = (8.0, 4.0)
    sample = Sample(
        "data", {"two rings": lambda: make_rings(40, 1, noise=0.13), "XOR": make_quarters}
    )
    feature = Choice("height", [SQUARES, PRODUCT])
    lift = Slider("lift", 0.0, 1.0, 0.01)
    turn = turn_slider(-50)
    tilt = tilt_slider(24)
    presets = {
        "flat": {},
        "a little": {"lift": 0.06},
        "lifted": {"lift": 0.6},
        "from above": {"lift": 0.6, "tilt": 80.0},
        "XOR, from above": {"sample": "XOR", "lift": 0.6, "turn": -45, "tilt": 80.0},
        "XOR, squares": {"sample": "XOR", "lift": 0.6, "turn": -45, "tilt": 20},
        "XOR, product": {"sample": "XOR", "lift": 0.6, "turn": -45, "tilt": 20, "feature": PRODUCT},
    }
    readout = "lift {lift:.2f}   on the wrong side: {mistakes} of {n}"
    alt = (
        "Left: the {n} points of {sample} on the floor, and where the sheet meets the surface: "
        "{mistakes} of {n} on the wrong side. Right: the same points raised by {lift:.2f} times "
        "{feature}, and the sheet; seen from turn {turn:.0f}, tilt {tilt:.0f} degrees."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the floor, the space, and the grip over it."""
        below, space = figure.subplots(1, 2)
        limits = (-REACH, REACH, -REACH, REACH)
        plane(below, limits)
        below.set_title("the floor: where the sheet cuts")
        space.set_title("with their third number")
        self.field = ScoreField(below, limits, saturation=3.0)
        (self.trace,) = below.plot([], [], color=style.INK, linewidth=style.LINE, zorder=3)
        self.points = Points(below)
        self.space = Space(space, LOW, HIGH, TIPS, ("x₁", "x₂", SQUARES))
        self.crosses = [self.points.crosses, self.space.crosses]
        pad = self.build_grip(figure, space.get_subplotspec())
        pad.set_box_aspect(1.0)
        return pad

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Train on the three numbers, and draw the sheet and the curve in which it cuts."""

        def up(X: FloatArray) -> FloatArray:
            return lifted(X, self.feature, self.lift)

        Z = up(self.X)
        svm = solve(smo(Z @ Z.T, self.y, C), gap=1e-4)
        w = (svm.alpha * self.y) @ Z
        mistaken = self.y * (Z @ w + svm.b) <= 0
        field = up(FLOOR) @ w + svm.b
        trace = level_curve(GRID, GRID, field)
        self.field.show(field)
        self.trace.set_data(*trace.T)
        self.points.show(self.X, self.y, mistaken=mistaken)
        self.space.names[2].set_text(self.feature if self.tilt < 70 else "")  # no room from above
        self.space.show(
            self.show_view(), DRAWN * Z, self.y, surface=DRAWN * up(DISC), w=w / DRAWN, t=-svm.b,
            trace=DRAWN * up(trace), mistaken=mistaken,
        )  # fmt: skip
        return {"mistakes": mistaken.sum(), "n": len(self.y)}
