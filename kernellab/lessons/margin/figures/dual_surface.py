"""Live figure of notebook 02: walk over the dual, and see the line that each α means."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.patches import Polygon
from matplotlib.ticker import MaxNLocator

from kernellab.draw import style
from kernellab.draw.plane import Limits, Points, ScoreField, Separator, plane
from kernellab.lessons.margin.figures.kkt import X, Y
from kernellab.live.controls import Ladder, Slider
from kernellab.live.declared import Figure
from kernellab.validation import FloatArray

LOW, HIGH = -0.15, 0.3  # of α₁ and α₂
STEP = 1 / 320  # what an arrow key moves the grip by: 1/8, 1/32 and 1/10 are whole steps
PLANE: Limits = (-4.0, 4.0, -4.0, 4.0)
UPHILL = 0.03  # length of the line for a gradient of 1
FLOOR = -0.6  # the dual is drawn no lower
LEVELS = (-0.6, -0.3, -0.1, 0.0, 0.05, 0.09, 0.115, 0.124, 0.14)
HEIGHTS = (1.0, 1.5, 2.0, 2.5, 3.0)  # of point 1 over the first axis


def at_height(height: float) -> FloatArray:
    """Return the three points of the worked example, the first of them at another height."""
    return np.vstack([[1.0, height], X[1:]])


def dual(X: FloatArray, a1: Any, a2: Any) -> Any:
    """Return D(α) for α₃ = α₁ + α₂, at numbers or grids of numbers."""
    a3 = a1 + a2
    w = [y1 * a1 + y2 * a2 + y3 * a3 for y1, y2, y3 in (Y[:, np.newaxis] * X).T]
    return a1 + a2 + a3 - (w[0] ** 2 + w[1] ** 2) / 2


def slope(X: FloatArray, alpha: FloatArray) -> FloatArray:
    """Return the derivatives of that by α₁ and α₂, shape (2,)."""
    by_each = 1 - Y * (X @ ((alpha * Y) @ X))
    return by_each[:2] + by_each[2]  # α₃ moves with both


def grid(n: int) -> list[FloatArray]:
    """Return α₁ and α₂ on a grid, each of shape (n, n)."""
    return list(np.meshgrid(*2 * [np.linspace(LOW, HIGH, n)]))


def draw_map(axes: Axes, X: FloatArray) -> list[Any]:
    """Draw level lines of the dual; return what has to go when the points change."""
    heights = (*grid(101), dual(X, *grid(101)))
    colours = [style.SCORES(0.5 + 0.5 * k / len(LEVELS)) for k in range(len(LEVELS) + 1)]
    bands = axes.contourf(*heights, levels=(-9.0, *LEVELS, 1.0), colors=colours)
    lines = axes.contour(
        *heights, levels=LEVELS, colors=style.INK, linewidths=0.5 * style.LINE, linestyles="-"
    )
    return [bands, lines]


def shade(axes: Axes) -> None:
    """Shade where an α is negative."""
    corner = [(LOW, LOW), (HIGH, LOW), (HIGH, 0), (0, 0), (0, HIGH), (LOW, HIGH)]
    look: Any = {"facecolor": "#b5b5b5", "edgecolor": style.INK, "hatch": "//", "alpha": 0.6}
    axes.add_patch(Polygon(corner, zorder=2.5, **look))
    axes.set(xlim=(LOW, HIGH), ylim=(LOW, HIGH), xlabel=r"$\alpha_1$", ylabel=r"$\alpha_2$")
    axes.set_box_aspect(1.0)


def draw_hill(axes: Any, X: FloatArray) -> list[Any]:
    """Draw the same in space: grey where an α is negative."""
    first, second = grid(26)
    allowed = (first >= -1e-9) & (second >= -1e-9)
    colours = np.where(allowed[..., np.newaxis], style.SCORES(0.85), (0.8, 0.8, 0.8, 1.0))
    axes.set_autoscale_on(False)
    return [
        axes.plot_surface(
            first, second, np.maximum(dual(X, first, second), FLOOR), facecolors=colours,
            edgecolor="white", linewidth=0.3, rstride=1, cstride=1, alpha=0.75, shade=False,
        )
    ]  # fmt: skip


class DualWalk(Figure):
    """Choose α₁ and α₂ (α₃ is their sum): the dual there, and the line beside it.

    Point 1 can be moved up and down: the higher it is, the less it holds. The b of the line is the
    best one for w = Σ α_i y_i x_i: midway between the nearest points of the two classes. Taught in
    notebook 02.
    """

    question = "Where is the top, and what does the line do on the way there?"
    size = (10.0, 3.7)
    alpha1 = Slider("α₁", LOW, HIGH, STEP, 0.1, digits=4)
    alpha2 = Slider("α₂", LOW, HIGH, STEP, 0.05, digits=4)
    height = Ladder("height of point 1", HEIGHTS, 2.0)
    linked = ("alpha1", "alpha2")
    grip_names = ("α₁ and α₂",)
    presets = {
        "somewhere": {},
        "the top": {"alpha1": 0.0, "alpha2": 1 / 8},
        "too far": {"alpha1": 0.0, "alpha2": 0.2},
        "point 1 at height 1: its top": {"height": 1.0, "alpha1": 1 / 8, "alpha2": 1 / 32},
        "point 1 at height 3: its top": {"height": 3.0, "alpha1": -1 / 8, "alpha2": 9 / 32},
        "point 1 at height 3, allowed": {"height": 3.0, "alpha1": 0.0, "alpha2": 1 / 8},
    }
    readout = (
        "α = ({alpha:.4f})   D(α) = {dual:.4f}   slope ({slope:.2f})   {where}\n"
        "w = ({line:.2f})   b = {shift:.2f}   1/‖w‖ = {half_margin:.2f}   margins {margins:.2f}   "
        "{no_line}   scaled to margin 1: ½‖w‖² = {bound:.4f} ≥ optimum ≥ D   {no_bound}"
    )
    alt = (
        "The dual of three points, the first at height {height}, over α₁ and α₂, from above and "
        "as a hill, shaded where an α is negative; the marked point is ({alpha[0]:.4f}, "
        "{alpha[1]:.4f}), α₃ = {alpha[2]:.4f}, D = {dual:.4f}. Right: the line w·x + b "
        "= 0 with w = ({w:.2f}), b = {b:.2f}, margins {rounded}."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the map, the hill and the plane."""
        places = figure.add_gridspec(1, 3, width_ratios=[1, 1.1, 1])
        left, right = figure.add_subplot(places[0]), figure.add_subplot(places[2])
        middle: Any = figure.add_subplot(places[1], projection="3d")
        mark: Any = {"color": style.ACCENT, "markeredgecolor": "white", "markersize": 10}
        shade(left)
        (self.uphill,) = left.plot([], [], color=style.ACCENT, linewidth=style.LINE, zorder=5)
        (self.here,) = left.plot([], [], "o", zorder=6, **mark)
        middle.set(xlim=(LOW, HIGH), ylim=(LOW, HIGH), zlim=(FLOOR, 0.2))
        middle.set(xlabel=r"$\alpha_1$", ylabel=r"$\alpha_2$")
        middle.view_init(elev=26, azim=28)
        middle.tick_params(labelsize=8, pad=0)
        middle.set_box_aspect((1, 1, 0.75), zoom=1.0)
        for axis in (middle.xaxis, middle.yaxis, middle.zaxis):
            axis.set_major_locator(MaxNLocator(4))
        middle.set_title("a concave hill: one top")
        (self.stem,) = middle.plot([], [], [], color=style.ACCENT, linewidth=style.LINE, zorder=9)
        (self.top,) = middle.plot([], [], [], "o", zorder=10, **mark)
        plane(right, PLANE)
        self.key = right
        right.set_title("$w = \\sum α_i y_i x_i$")
        self.field = ScoreField(right, PLANE)
        self.line = Separator(right, margins=True)
        self.line.words.set_y(0.04)
        self.points = Points(right)
        self.labels = [
            right.annotate(f"{i}", x, (10, 6), textcoords="offset points", zorder=6)
            for i, x in enumerate(X, start=1)
        ]
        self._map, self._hill, self._drawn = left, middle, list[Any]()
        return left

    def draw_landscape(self, X: FloatArray) -> None:
        """Draw map and hill for other points."""
        for old in self._drawn:
            old.remove()
        self._drawn = draw_map(self._map, X) + draw_hill(self._hill, X)
        self._map.set_title(f"$D$ for point 1 at (1, {X[0, 1]:g})")  # and so they are drawn anew

    def grips(self) -> Any:
        """Return the point of the map."""
        return [(self.alpha1, self.alpha2)]

    def read(self, points: FloatArray) -> Any:
        """Return α₁ and α₂ in steps of an arrow key."""
        return np.round(points[0] / STEP) * STEP

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Evaluate the dual, and draw the line."""
        X = at_height(self.height)
        if self._map.get_title("left") != f"$D$ for point 1 at (1, {self.height:g})":
            self.draw_landscape(X)
        a = np.array([self.alpha1, self.alpha2])
        alpha = np.append(a, a.sum())
        value, gradient = float(dual(X, *a)), slope(X, alpha)
        w = (alpha * Y) @ X
        b = 0.0 - float((X @ w)[Y > 0].min() + (X @ w)[Y < 0].max()) / 2
        margins = Y * (X @ w + b)
        top = max(value, FLOOR)
        self.here.set_data(a[:1], a[1:])
        self.uphill.set_data(*np.stack([a, a + UPHILL * gradient], axis=1))
        self.top.set_data_3d(a[:1], a[1:], [top])
        self.stem.set_data_3d(a[[0, 0]], a[[1, 1]], [FLOOR, top])
        x = np.linspace(-4, 4, 31)
        self.field.show(w[0] * x + w[1] * x[:, None] + b)
        self.line.show(w, b)
        self.labels[0].xy = X[0]
        self.points.show(X, Y, weight=np.maximum(alpha, 0), mistaken=margins <= 0)
        allowed, separates = bool((alpha >= -1e-9).all()), margins.min() > 1e-9
        primal = float(w @ w) / 2 / margins.min() ** 2 if separates else np.inf
        where = "" if allowed else "not allowed: an α is negative"
        if allowed and np.abs(gradient).max() < 1e-9:
            where = "the top: no slope is left"
        if np.abs(gradient).max() < 1e-9:
            does = "pulls" if self.alpha1 < 0 else "pushes" if self.alpha1 > 0 else "just touches"
            self.line.words.set_text(f"point 1 {does}")
        return {
            "alpha": np.round(alpha, 4),
            "dual": value,
            "slope": np.round(gradient, 3),
            "where": where,
            "w": w,
            "b": b,
            "line": w if w.any() else None,
            "shift": b if w.any() else None,
            "half_margin": 1 / np.linalg.norm(w) if w.any() else None,
            "margins": margins if w.any() else None,
            "rounded": np.round(margins, 2).tolist(),
            "no_line": "" if w.any() else "w = 0: no line",
            "primal": primal,
            "bound": primal if allowed and separates else None,
            "no_bound": "this w separates nothing yet" if w.any() and not separates else "",
        }
