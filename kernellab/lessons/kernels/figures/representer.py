"""Live figure of notebook 03: the component that never helps."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.ticker import MaxNLocator

from kernellab.draw import style
from kernellab.draw.plane import Points
from kernellab.kernels import Gaussian
from kernellab.lessons.kernels.theory.expansion import Expansion, orthogonal_part
from kernellab.live.coincide import coincidence
from kernellab.live.controls import Ladder, Slider
from kernellab.live.declared import Figure
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

C = 2.0
REACH, TOP = 3.0, 2.6
START = np.array(
    [(-2.6, -1), (-2.0, -1), (-1.5, 1), (-0.5, 1), (0.9, 1), (1.4, -1), (2.2, -1), (2.6, 1)],
    dtype=float,
)
GRID = np.linspace(-REACH, REACH, 241)
T = np.linspace(-4, 4, 81)
SIGMAS = (0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)


class OrthogonalComponent(Figure):
    """Add to a solution f any g that is orthogonal to all k(x_i, ·), and see what it buys.

    SVM without a bias, Gaussian kernel, C = 2. Taught in notebook 03.
    """

    question = "Can a g that no example sees lower the objective?"
    answer = ("parts", "here", "dots")
    size = (9.4, 4.3)
    t = Slider("t: how much of g", -4.0, 4.0, 0.05, 2.0)
    sigma = Ladder("σ", SIGMAS, 0.4, lambda s, figure: f"{s:g} (γ = {0.5 / s**2:.3g})")
    presets = {
        "f alone": {"t": 0.0},
        "much of g": {"t": 4.0},
        "some of g": {},
        "wider kernel": {"t": 2.0, "sigma": 1.0},
        "narrow kernel": {"t": 2.0, "sigma": 0.2},
    }
    readout = (
        "values at the examples move by {moved:.2g}, between them by up to {wiggle:.2f}   "
        "{no_g}   {one_class}   {together}\n"
        "‖f‖² = {norm:.3f}   ‖f + t·g‖² = {grown:.3f}   C Σ ξ = {loss:.3f} for both"
    )
    alt = (
        "Left: the SVM's f on eight examples of one feature, σ = {sigma:g}, and f + t·g with t = "
        "{t:.2f}: equal at the examples, apart by up to {wiggle:.2f} between them. Right: the loss "
        "does not change with t, the squared norm is {norm:.3f} without g and {grown:.3f} with "
        "it; the objective is smallest at t = 0."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make both functions with the examples at y = ±1, and the objective over t."""
        left, self.right = figure.subplots(1, 2, width_ratios=[1.75, 1])
        wide: Any = {"linewidth": style.LINE}
        left.set(xlim=(-REACH, REACH), ylim=(-TOP, TOP), xlabel="x", ylabel="f(x)")
        left.set_title("f, and f + t·g")
        left.axhline(0, color=style.INK, linewidth=style.THIN)
        for level in (-1, 1):
            left.axhline(level, color=style.NEUTRAL, linewidth=style.THIN, linestyle=":")
        (self.f,) = left.plot([], [], color=style.INK, zorder=3, label="f", **wide)
        (self.other,) = left.plot(
            [], [], color=style.ACCENT, linestyle="--", zorder=3, label="f + t·g", **wide
        )
        self.values = left.scatter([], [], marker="o", s=36, c=style.INK, zorder=5)
        self.others = left.scatter(
            [], [], marker="o", s=120, facecolors="none", edgecolors=style.ACCENT, zorder=5,
            linewidths=style.LINE,
        )  # fmt: skip
        self.centre = left.scatter([], [], marker="D", s=70, c=style.ACCENT, zorder=6)
        self.points = Points(left)
        left.legend(handles=[self.f, self.other], loc="upper right", ncols=2)

        names = {"½‖f + t·g‖²": style.LINES[3], "C Σ ξ": style.LINES[2], "both": style.LINES[0]}
        self.parts = [
            self.right.plot([], [], color=colour, linestyle=dash, label=name, **wide)[0]
            for name, (colour, dash) in names.items()
        ]
        self.here = self.right.axvline(np.nan, color=style.ACCENT, linewidth=style.THIN)
        self.dots = self.right.scatter([], [], c=style.ACCENT, s=40, zorder=5)
        self.right.legend(handles=self.parts, loc="upper center")
        self.right.set(xlim=(T[0], T[-1]), xlabel="t", title="the objective and its two parts")
        self.right.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        return left

    def grips(self) -> FloatArray:
        """Return the examples, and the centre of a bump."""
        return np.vstack([START, [(0.2, 0.0)]])

    def handles(self) -> list[dict[str, str]]:
        """Return a handle for each example, which may be of either class, and for the bump."""
        return [
            *(
                {
                    "label": f"example {i}: left and right, or across the axis",
                    "color": style.COLOUR[int(y)],
                }
                for i, (_, y) in enumerate(START)
            ),
            {"label": "the centre of the bump that g is made of", "color": style.ACCENT},
        ]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Solve the SVM, make g orthogonal to its examples, and add t of it."""
        x, y = points[:-1, 0], np.where(points[:-1, 1] < 0, -1.0, 1.0)
        z = points[-1, 0]
        X, kernel, t = x[:, np.newaxis], Gaussian.from_bandwidth(self.sigma), self.t
        svm = solve(smo(kernel(X), y, C, bias=False), gap=1e-6, max_passes=10_000)
        f = Expansion(kernel, X, svm.alpha * y)
        g = orthogonal_part(Expansion(kernel, np.array([[z]]), np.ones(1)), X)
        on_grid = GRID[:, np.newaxis]
        values, change, between = f(X), t * g(X), t * g(on_grid)
        length = max(g.squared_norm, 0.0)
        loss = C * np.maximum(0.0, 1 - y * values).sum()
        norm, grown = f.squared_norm, f.squared_norm + t**2 * length

        self.f.set_data(GRID, f(on_grid))
        self.other.set_data(GRID, f(on_grid) + between)
        self.values.set_offsets(np.column_stack([x, values]))
        self.others.set_offsets(np.column_stack([x, values + change]))
        self.centre.set_offsets([(z, 0.0)])
        self.points.show(np.column_stack([x, y]), y, weight=svm.alpha)
        norms = (norm + T**2 * length) / 2
        for line, part in zip(
            self.parts, (norms, np.full(len(T), loss), norms + loss), strict=True
        ):
            line.set_data(T, part)
        self.here.set_xdata([t] * 2)
        self.dots.set_offsets([(t, grown / 2), (t, loss), (t, grown / 2 + loss)])
        needed = norm / 2 + loss + 4 * length  # a round number above most of the curve
        top = max(5 * np.ceil(1.5 * needed / 5), 1.15 * (grown / 2 + loss))
        if self.right.get_ylim()[1] != top:
            self.right.set_ylim(0, top)
        return {
            "moved": np.abs(change).max(),
            "wiggle": np.abs(between).max(),
            "no_g": f"g is zero: the bump at {z:.2f} lies on an example" * (length < 1e-6),
            "one_class": "only one class is left: any f of its sign will do" * (len(set(y)) == 1),
            "together": coincidence(X, y, "no f meets both"),
            "norm": norm,
            "grown": grown,
            "loss": loss,
        }
