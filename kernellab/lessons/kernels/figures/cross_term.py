"""Live figure of notebook 03: what (x₁², x₂²) lacks without a third feature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.lines import Line2D

from kernellab.draw import style
from kernellab.draw.contours import LevelLines
from kernellab.draw.plane import Points, ScoreField, plane
from kernellab.live.explorer import Explorer, slider
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

REACH = 2.0
GRID = np.linspace(-REACH, REACH, 41)
LEVELS = (0.25, 1.0, 2.25, 4.0)
N = 48
C = 10.0


def petals(turn: float) -> tuple[FloatArray, FloatArray]:
    """Return 48 points near two lines that cross at right angles, one class a line, turned.

    Parameters
    ----------
    turn : float
        Degrees; at 0 class +1 lies along x₁, at 45 along x₁ = x₂.

    Returns
    -------
    X, y : arrays of shape (48, 2) and (48,)
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


class CrossTerm(Explorer):
    """Fade the third feature c x₁x₂ in and out: what is κ then, and what can a learner do?

    With c = √2 the kernel is (x·z)². Taught in notebook 03.
    """

    presets: Mapping[str, Any] = {
        "two squares, lines upright": {"c": 0.0, "turn": 0.0},
        "two squares, lines turned": {"c": 0.0, "turn": 45.0},
        "a little of the third": {"c": 0.2, "turn": 45.0},
        "(x·z)²": {"c": 1.414, "turn": 45.0},
    }

    def __init__(self) -> None:
        self.c = slider("c of the feature c·x₁x₂ (√2 = 1.414)", 0.0, 0.0, 2.0, 0.001)
        self.turn = slider("turn of the data, degrees", 45, 0, 90, 1)
        figure = style.new_figure((9.4, 4.6))
        left, self.right = figure.subplots(1, 2)
        limits = (-REACH, REACH, -REACH, REACH)
        for axes in (left, self.right):
            plane(axes, limits)
        left.set_title("c = √2: κ is equal along straight lines")
        self.right.set_title("c = √2: to the SVM all turns are alike")
        self.kappa = ScoreField(left, limits, saturation=4.0)
        self.lines = LevelLines(left, LEVELS)
        self.arrow = Line2D([], [], color=style.ACCENT, linewidth=style.LINE, zorder=3)
        left.add_line(self.arrow)
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
        self.field = ScoreField(self.right, limits)
        self.boundary = LevelLines(self.right)
        self.points = Points(self.right)
        super().__init__(
            "When does the third feature matter, and what can nobody learn without it?",
            figure,
            [self.c, self.turn],
            moving=[
                *self.kappa.artists, *self.lines.artists, self.arrow, self.pair, *self.letters,
                *self.field.artists, *self.boundary.artists, *self.points.artists,
            ],
            axes=left,
            points=[(1.2, 0.8), (-0.3, 1.4)],
            handles=[{"label": name, "color": style.ACCENT} for name in ("x", "z")],
        )  # fmt: skip

    def update(self, points: FloatArray) -> str:
        """Compute κ for the two points and for the whole plane, and train with it."""
        c, (x, z) = self.c.value, points
        self.full = float(x @ z) ** 2
        squares = float((x**2 * z**2).sum())
        self.product = float(2 * x.prod() * z.prod())
        self.value = squares + c**2 / 2 * self.product
        grid = np.stack(np.meshgrid(GRID, GRID), axis=-1)
        kappa = squares_and_product(grid, c) @ squares_and_product(x, c)
        self.kappa.show(kappa)
        self.lines.show(GRID, GRID, kappa)
        self.arrow.set_data([0, x[0]], [0, x[1]])
        self.pair.set_offsets(points)
        for letter, at, aside in zip(self.letters, points, (8, -8), strict=True):
            letter.xy = at  # x to the right and z to the left, so that neither covers the other
            side = aside if abs(at[0]) < 0.9 * REACH else -8 * np.sign(at[0])
            letter.set_position((side, 14 if at[1] < 0.85 * REACH else -14))
        X, y = petals(self.turn.value)
        features = squares_and_product(X, c)
        svm = solve(smo(features @ features.T, y, C), gap=1e-3)
        w = (svm.alpha * y) @ features
        scores = features @ w + svm.b
        self.mistakes = int((y * scores <= 0).sum())
        field = squares_and_product(grid, c) @ w + svm.b
        self.field.show(field)
        self.boundary.show(GRID, GRID, field)
        self.points.show(X, y, mistaken=y * scores <= 0)
        missing = round(self.full - self.value, 3) + 0.0  # no minus before zero
        return (
            f"(x·z)² = {self.full:.3f}   two squares alone: x₁²z₁² + x₂²z₂² = {squares:.3f}   "
            f"κ with c = {c:.3f}: {self.value:.3f}\n"
            f"(x·z)² − κ, left out: {missing:+.3f}; the cross term 2x₁x₂z₁z₂ is "
            f"{self.product + 0.0:+.3f}   data turned by {self.turn.value:.0f}°: "
            f"{self.mistakes} of {N} on the wrong side"
        ).replace("-", "−")

    def describe(self) -> str:
        """Return the alternative text."""
        (x1, x2), (z1, z2) = self.pair.get_offsets()
        return (
            f"Left: κ(x, z) with the feature {self.c.value:.3f} x₁x₂, over all z, for x = "
            f"({x1:.2f}, {x2:.2f}); at z = ({z1:.2f}, {z2:.2f}) it is {self.value:.3f}, and (x·z)² "
            f"is {self.full:.3f}. Right: an SVM with this κ on two crossing lines of points, "
            f"turned by {self.turn.value:.0f} degrees: {self.mistakes} of {N} on the wrong side."
        )
