"""Live figure of notebook 03, further: what (x₁², x₂²) lacks without a third feature."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.contours import LevelLines
from kernellab.draw.plane import Points, ScoreField, plane
from kernellab.live.controls import Slider
from kernellab.live.declared import Figure
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

REACH = 2.0
GRID = np.linspace(-REACH, REACH, 41)
LEVELS = (0.25, 1.0, 2.25, 4.0)
N = 48
C = 10.0


def petals(turn: float) -> tuple[FloatArray, FloatArray]:
    """Return 48 points near two lines that cross, one class a line: X, (48, 2), and y, (48,).

    The turn is in degrees: at 0 class +1 lies along x₁, at 45 along x₁ = x₂.
    """
    rng = np.random.default_rng(2)
    y = np.repeat([1.0, -1.0], N // 2)
    along = rng.choice([-1, 1], N) * rng.uniform(0.5, 1.7, N)
    angle = np.where(y > 0, 0.0, np.pi / 2) + rng.uniform(-0.5, 0.5, N) + np.radians(turn)
    return along[:, np.newaxis] * np.column_stack([np.cos(angle), np.sin(angle)]), y


def squares_and_product(X: FloatArray, c: float) -> FloatArray:
    """Return (x₁², x₂², c x₁x₂), shape (…, 3), of points (…, 2)."""
    x1, x2 = X[..., 0], X[..., 1]
    return np.stack([x1**2, x2**2, c * x1 * x2], axis=-1)


class CrossTerm(Figure):
    """Fade the third feature c x₁x₂ in and out: what is κ then, and what can a learner do?

    With c = √2 the kernel is (x·z)². Taught in notebook 03, further.
    """

    question = "What can nobody learn without the third feature?"
    answer = ("field", "boundary", "crosses")
    size = (9.4, 4.6)
    c = Slider("c of c·x₁x₂ (√2 = 1.414)", 0.0, 2.0, 0.001)
    turn = Slider("turn of the data, °", 0, 90, 1, 0)
    grip_names = ("x", "z")
    presets = {
        "two squares, lines upright": {"c": 0.0, "turn": 0.0},
        "two squares, lines turned": {"c": 0.0, "turn": 45.0},
        "a little of the third": {"c": 0.2, "turn": 45.0},
        "(x·z)²": {"c": 1.414, "turn": 45.0},
    }
    readout = (
        "(x·z)² = {full:.3f}   κ with c = {c:.3f}: {kappa:.3f}\n"
        "data turned by {turn:.0f}°: {mistakes} of {n} on the wrong side   "
        "support vectors: {support}"
    )
    alt = (
        "Left: κ(x, z) with the feature {c:.3f} x₁x₂, over all z, for x = ({x:.2f}); at z = "
        "({z:.2f}) it is {kappa:.3f}, and (x·z)² is {full:.3f}. Right: an SVM with this κ on two "
        "crossing lines of points, turned by {turn:.0f} degrees: {mistakes} of {n} on the wrong "
        "side, {support} support vectors."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane of κ, and that of the data."""
        left, right = figure.subplots(1, 2)
        limits = (-REACH, REACH, -REACH, REACH)
        for axes in (left, right):
            plane(axes, limits)
        left.set_title("κ(x, z) over all z: dashed where it is equal")
        right.set_title("large: support vectors; crossed: wrong")
        self.kappa = ScoreField(left, limits, saturation=4.0)
        self.lines = LevelLines(left, LEVELS)
        self.arrow = left.quiver(
            [0], [0], [0], [0], angles="xy", scale_units="xy", scale=1, color=style.ACCENT, zorder=3
        )
        self.pair = left.scatter(
            [0, 0], [0, 0], s=90, c=[style.ACCENT, "white"], edgecolors=style.ACCENT, zorder=5,
            linewidths=style.LINE,
        )  # fmt: skip
        self.letters = [
            left.annotate(
                name, (0, 0), (0, 0), textcoords="offset points", ha="center", va="center",
                fontsize=13, weight="bold", zorder=6, annotation_clip=False,
            )
            for name in "xz"
        ]  # fmt: skip
        self.field, self.boundary = ScoreField(right, limits), LevelLines(right)
        self.points = Points(right)
        self.crosses = self.points.crosses
        return left

    def grips(self) -> Any:
        """Return x and z as they are at first."""
        return [(1.2, 0.8), (-0.3, 1.4)]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Compute κ for the two points and for the whole plane, and train with it."""
        c, (x, z) = self.c, points
        kappa = squares_and_product(x, c) @ squares_and_product(z, c)
        grid = squares_and_product(np.stack(np.meshgrid(GRID, GRID), axis=-1), c)
        over_plane = grid @ squares_and_product(x, c)
        self.kappa.show(over_plane)
        self.lines.show(GRID, GRID, over_plane)
        self.arrow.set_UVC(*(0.9 * x))  # its head before the point
        self.pair.set_offsets(points)
        for letter, at, aside in zip(self.letters, points, (8, -8), strict=True):
            letter.xy = at  # x to the right and z to the left, so that neither covers the other
            side = aside if abs(at[0]) < 0.9 * REACH else -8 * np.sign(at[0])
            letter.set_position((side, 14 if at[1] < 0.85 * REACH else -14))
        X, y = petals(self.turn)
        features = squares_and_product(X, c)
        svm = solve(smo(features @ features.T, y, C), gap=1e-3)
        w = (svm.alpha * y) @ features
        mistaken = y * (features @ w + svm.b) <= 0
        field = grid @ w + svm.b
        self.field.show(field)
        self.boundary.show(GRID, GRID, field)
        self.points.show(X, y, weight=svm.alpha, mistaken=mistaken)
        return {
            "x": x,
            "z": z,
            "full": (x @ z) ** 2,
            "kappa": kappa,
            "mistakes": mistaken.sum(),
            "support": (svm.alpha > 0).sum(),
            "n": N,
        }
