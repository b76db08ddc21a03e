"""Live figure of notebook 03: circles in the plane, a plane among the features."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets import Dataset, make_rings
from kernellab.draw import style
from kernellab.draw.contours import level_curve
from kernellab.draw.plane import Points, ScoreField, plane
from kernellab.draw.space import Space, viewed_from
from kernellab.kernels import Polynomial
from kernellab.kernels.features import polynomial_map
from kernellab.live.controls import Button, Sample, Slider
from kernellab.live.declared import Figure
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

REACH = 2.5  # of the plane, in every direction
T_MAX = 4.0  # the highest cut
# The lifted plane is a cone round (1, 1, 0). The picture stands it upright: these are its three
# directions, a row each, and in them a point is seen at φ(x) @ UPRIGHT.T.
UPRIGHT = np.array([[1, -1, 0], [0, 0, np.sqrt(2)], [1, 1, 0]]) / np.sqrt(2)
HIGH = REACH**2 * np.array([0.75, 0.75, 0.75])
LOW = HIGH * [-1, -1, 0]
TIPS = REACH**2 * np.diag([1.0, 1.0, 0.7]) @ UPRIGHT.T
GRID = np.linspace(-REACH, REACH, 61)
FEATURES = ("x₁²", "x₂²", "√2 x₁x₂")


def make_quarters() -> Dataset:
    """Return 60 points of a disc, +1 where x₁ and x₂ have different signs, with a gap between."""
    rng = np.random.default_rng(3)
    angle = np.pi / 2 * (rng.integers(0, 4, 60) + rng.uniform(0.12, 0.88, 60))
    radius = rng.uniform(0.7, 2.2, 60)
    X = radius[:, np.newaxis] * np.column_stack([np.cos(angle), np.sin(angle)])
    return Dataset(X, -np.sign(X[:, 0] * X[:, 1]), ("x₁", "x₂"), ("-1", "+1"), "synthetic")


def make_ellipse() -> Dataset:
    """Return 60 points, −1 inside a slanted ellipse and +1 outside, with a gap between."""
    rng = np.random.default_rng(5)
    y = np.repeat([-1.0, 1.0], 30)
    size = np.where(y < 0, rng.uniform(0.15, 0.8, 60), rng.uniform(1.25, 1.7, 60))
    angle = rng.uniform(0, 2 * np.pi, 60)
    along, across = 1.6 * size * np.cos(angle), 0.75 * size * np.sin(angle)
    X = np.column_stack([along - across, along + across]) / np.sqrt(2)
    X = np.clip(X, -REACH + 0.1, REACH - 0.1)
    return Dataset(X, y, ("x₁", "x₂"), ("-1", "+1"), "synthetic")


SAMPLES = {
    "two rings": lambda: make_rings(60, 1, noise=0.13),
    "slanted ellipse": make_ellipse,
    "four quarters (XOR)": make_quarters,
}


class Lift(Figure):
    """Lift points by x ↦ (x₁², x₂², √2 x₁x₂), cut with a plane, and see where it cuts below.

    Turn the picture by its sliders, or by the grip in it: drag it, or Tab to it and use the arrow
    keys. Taught in notebook 03.
    """

    question = "Can one flat cut separate the classes? What does it look like from above?"
    size = (9.4, 4.7)
    sample = Sample("data", SAMPLES)
    turn = Slider("turn, degrees", -180, 180, 1, -35)
    tilt = Slider("tilt, degrees", -20, 90, 1, 15)
    w1 = Slider("w₁ of x₁²", -1.0, 1.0, 0.01, 1.0)
    w2 = Slider("w₂ of x₂²", -1.0, 1.0, 0.01, 0.3)
    w3 = Slider("w₃ of √2 x₁x₂", -1.0, 1.0, 0.01)
    t = Slider("height t of the cut", -T_MAX, T_MAX, 0.01, 1.5)
    linked = ("turn", "tilt")
    grip_names = ("the view: turn, and tilt, in degrees",)
    presets = {
        "rings, a wrong cut": {"sample": "two rings"},
        "rings, a circle": {"sample": "two rings", "w2": 1.0, "t": 2.25},
        "from above": {"sample": "two rings", "w2": 1.0, "t": 2.25, "tilt": 90.0},
        "slanted ellipse": {"sample": "slanted ellipse", "w2": 1.0, "t": 2.25},
        "XOR, no cut yet": {"sample": "four quarters (XOR)", "w2": 1.0, "t": 2.25},
        "XOR, a hyperbola": {
            "sample": "four quarters (XOR)", "w1": 0.0, "w2": 0.0, "w3": -1.0, "t": 0.2,
        },
    }  # fmt: skip
    readout = (
        "the cut: {cut}   its trace: {curve}\n"
        "on the wrong side: {mistakes} of {n}   seen from: turn {turn:.0f}°, tilt {tilt:.0f}°"
    )
    alt = (
        "Left: {sample} in the plane, and the curve {cut}: {curve}, with {mistakes} of {n} points "
        "on the wrong side. Right: the same points lifted to (x₁², x₂², √2 x₁x₂), on a cone, cut "
        "by a plane; seen from turn {turn:.0f}, tilt {tilt:.0f} degrees."
    )

    @Button("fit", "let the SVM with (x·z)² choose the cut")
    def fit(self) -> None:
        """Set the cut to that of the SVM with kernel (x·z)² and a bias, C = 100."""
        svm = solve(smo(Polynomial(2, 0.0)(self.X), self.y, 100.0), gap=1e-4)
        w = (svm.alpha * self.y) @ polynomial_map(self.X, 2)
        size = max(np.abs(w).max(), abs(svm.b) / T_MAX)
        self.w1, self.w2, self.w3 = w / size
        self.t = -svm.b / size

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane, the space, and the grip over it."""
        grid = figure.add_gridspec(1, 2)
        below, space = figure.add_subplot(grid[0]), figure.add_subplot(grid[1])
        pad = figure.add_subplot(grid[1])  # over the picture: where its grip lives
        pad.set(xlim=(-180, 180), ylim=(-20, 90))
        pad.set_axis_off()
        pad.spines[:].set_visible(False)
        pad.set_box_aspect(1.0)
        limits = (-REACH, REACH, -REACH, REACH)
        plane(below, limits)
        below.set_title("below, a flat cut leaves a conic section")
        space.set_title("lifted, all points lie on one cone")
        self.field = ScoreField(below, limits, saturation=3.0)
        (self.trace,) = below.plot([], [], color=style.INK, linewidth=style.LINE, zorder=3)
        self.points = Points(below)
        self.space = Space(space, LOW, HIGH, TIPS, FEATURES)
        (self.knob,) = pad.plot(
            [], [], marker="o", markersize=15, markerfacecolor="none",
            markeredgecolor=style.ACCENT, markeredgewidth=style.LINE, clip_on=False,
        )  # fmt: skip
        return pad

    def grips(self) -> Any:
        """Return the view."""
        return [(self.turn, self.tilt)]

    def read(self, points: FloatArray) -> Any:
        """Return the view in whole degrees."""
        return np.round(points[0])

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Cut the features by w·φ(x) = t, and the plane where that is so."""
        w, t = np.array([self.w1, self.w2, self.w3]), self.t
        mistaken = self.y * (polynomial_map(self.X, 2) @ w - t) <= 0
        field = FEATURES_OF_GRID @ w - t
        trace = level_curve(GRID, GRID, field)
        self.field.show(field)
        self.trace.set_data(*trace.T)
        self.points.show(self.X, self.y, mistaken=mistaken)
        self.space.show(
            viewed_from(self.turn, self.tilt), lift(self.X) @ UPRIGHT.T, self.y,
            surface=CONE @ UPRIGHT.T, w=UPRIGHT @ w, t=t, trace=lift(trace) @ UPRIGHT.T,
            mistaken=mistaken,
        )  # fmt: skip
        self.knob.set_data([self.turn], [self.tilt])
        return {
            "mistakes": mistaken.sum(),
            "n": len(self.y),
            "curve": name_of_curve(w, t),
            "cut": f"{w[0]:.2f} x₁² {signed(w[1])} x₂² {signed(w[2])} √2 x₁x₂ = {t:.2f}",
        }


def signed(value: float) -> str:
    """Write a number as what is added or taken away."""
    return f"{'−' if value < 0 else '+'} {abs(value):.2f}"


def lift(X: FloatArray) -> FloatArray:
    """Return (x₁², x₂², √2 x₁x₂), shape (…, 3), of points (…, 2); NaN stays NaN."""
    x1, x2 = X[..., 0], X[..., 1]
    return np.stack([x1**2, x2**2, np.sqrt(2) * x1 * x2], axis=-1)


def cone() -> FloatArray:
    """Return the lifted disc as lines, shape (n_lines, 49, 3): circles stay circles, rays rays."""
    angle = np.linspace(0, np.pi, 49)  # the other half is lifted to the same points
    around = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    circles = np.stack([radius * around for radius in REACH * np.sqrt(np.linspace(0.2, 1, 5))])
    rays = np.linspace(0, REACH, 49)[:, np.newaxis] * around[::4, np.newaxis]
    return lift(np.concatenate([circles, rays]))


CONE = cone()
FEATURES_OF_GRID = lift(np.stack(np.meshgrid(GRID, GRID), axis=-1))


def name_of_curve(w: FloatArray, t: float) -> str:
    """Say what w₁x₁² + w₂x₂² + w₃√2 x₁x₂ = t is: the determinant of its matrix decides."""
    if not w.any():
        return "no cut, because w = 0"
    determinant = w[0] * w[1] - w[2] ** 2 / 2
    if abs(determinant) < 1e-9:
        return "two parallel lines" if t * (w[0] + w[1]) > 0 else "nothing"
    if determinant < 0:
        return "a hyperbola" if t != 0 else "two lines that cross"
    if t * (w[0] + w[1]) <= 0:
        return "nothing: all points on one side"
    return "a circle" if w[0] == w[1] and w[2] == 0 else "an ellipse"
