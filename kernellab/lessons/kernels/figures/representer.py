"""Live figure of notebook 03: the component that never helps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets
import numpy as np
from matplotlib.ticker import MaxNLocator

from kernellab.draw import style
from kernellab.kernels import Gaussian
from kernellab.lessons.kernels.figures.curve_marks import Parabola, TwoCurves
from kernellab.lessons.kernels.theory.expansion import Expansion, orthogonal_part
from kernellab.live.coincide import coincidence
from kernellab.live.explorer import WIDE, Explorer, slider
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


class OrthogonalComponent(Explorer):
    """Add to a solution f any g that is orthogonal to all k(x_i, ·), and see what it buys.

    SVM without a bias, Gaussian kernel, C = 2. Taught in notebook 03.
    """

    presets: Mapping[str, Any] = {
        "f alone": {"t": 0.0},
        "with much of g": {"t": 4.0},
        "wider kernel": {"t": 2.0, "sigma": 1.0},
        "narrow kernel": {"t": 2.0, "sigma": 0.2},
    }

    def __init__(self) -> None:
        self.t = slider("t: how much of g", 2.0, -4.0, 4.0, 0.05)
        self.sigma = ipywidgets.SelectionSlider(
            options=[(f"{s:g} (γ = {0.5 / s**2:.3g})", s) for s in SIGMAS],
            value=0.4, description="σ", **WIDE,
        )  # fmt: skip
        figure = style.new_figure((9.4, 4.3))
        left, self.right = figure.subplots(1, 2, width_ratios=[1.75, 1])
        left.set(xlim=(-REACH, REACH), ylim=(-TOP, TOP), xlabel="x", ylabel="f(x)")
        left.set_title("same values at the examples, other values between")
        self.right.set(xlim=(T[0], T[-1]), title="no loss is saved, the norm is paid")
        self.curves = TwoCurves(left)
        self.parabola = Parabola(self.right)
        self.right.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        labels = [f"example {i}: left and right, or across the axis" for i in range(len(START))]
        super().__init__(
            "Can a g that no example sees lower the objective?",
            figure,
            [self.t, self.sigma],
            moving=[*self.curves.artists, *self.parabola.artists],
            axes=left,
            points=np.vstack([START, [(0.2, 0.0)]]),
            handles=[
                *(
                    {"label": label, "color": style.COLOUR[int(y)]}
                    for label, (_, y) in zip(labels, START, strict=True)
                ),
                {"label": "the centre of the bump that g is made of", "color": style.ACCENT},
            ],
        )

    def update(self, points: FloatArray) -> str:
        """Solve the SVM, make g orthogonal to its examples, and add t of it."""
        x, y = points[:-1, 0], np.where(points[:-1, 1] < 0, -1.0, 1.0)
        z = points[-1, 0]
        X, kernel, t = x[:, np.newaxis], Gaussian.from_bandwidth(self.sigma.value), self.t.value
        K = kernel(X)
        svm = solve(smo(K, y, C, bias=False), gap=1e-6, max_passes=10_000)
        f = Expansion(kernel, X, svm.alpha * y)
        g = orthogonal_part(Expansion(kernel, np.array([[z]]), np.ones(1)), X)
        on_grid = GRID[:, np.newaxis]
        values, change = f(X), g(X)
        between = g(on_grid)
        self.length = max(g.squared_norm, 0.0)
        self.moved = float(np.abs(t * change).max())
        loss = C * np.maximum(0.0, 1 - y * values).sum()
        norms = (f.squared_norm + T**2 * self.length) / 2
        self.squared_norms = (f.squared_norm, f.squared_norm + t**2 * self.length)
        now = np.array([t, self.squared_norms[1] / 2, loss, self.squared_norms[1] / 2 + loss])
        self.loss = loss
        f_there = f(on_grid)
        examples = (x, y, values, values + t * change, svm.alpha)
        self.curves.show(GRID, f_there, f_there + t * between, examples, float(z))
        self.parabola.show(T, np.stack([norms, np.full(len(T), loss), norms + loss]), now)
        top = max(self.parabola_top, 1.15 * now[3])
        if self.right.get_ylim()[1] != top:
            self.right.set_ylim(0, top)
        self.wiggle = float(np.abs(t * between).max())
        said = f"   g is zero: the bump at {z:.2f} lies on an example" if self.length < 1e-6 else ""
        if len(set(y)) == 1:
            said += "   only one class is left: any f of its sign will do"
        if together := coincidence(X, y, "no f meets both"):
            said += f"   {together}"
        return (
            f"t = {t:.2f}   σ = {self.sigma.value:g} (γ = {kernel.gamma:.3g})   values at the "
            f"examples move by {self.moved:.0e}, between them by up to {self.wiggle:.2f}{said}\n"
            f"‖f‖² = {self.squared_norms[0]:.3f}   ‖f + t·g‖² = {self.squared_norms[1]:.3f}   "
            f"C Σ ξ = {loss:.3f} for both"
        )

    @property
    def parabola_top(self) -> float:
        """Where the axis of the objective ends: at a round number above most of the curve."""
        needed = self.squared_norms[0] / 2 + self.loss + 4 * self.length
        return float(5 * np.ceil(1.5 * needed / 5))

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"Left: the SVM's f on eight examples of one feature, σ = {self.sigma.value:g}, and "
            f"f + t·g with t = {self.t.value:.2f}: equal at the examples, apart by up to "
            f"{self.wiggle:.2f} between them. Right: the loss does not change with t, the squared "
            f"norm is {self.squared_norms[0]:.3f} without g and {self.squared_norms[1]:.3f} with "
            f"it; the objective is smallest at t = 0."
        )
