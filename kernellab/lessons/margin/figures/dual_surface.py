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
from kernellab.lessons.margin.theory.by_hand import hard_margin_by_hand
from kernellab.live.controls import Slider
from kernellab.live.declared import Figure
from kernellab.validation import FloatArray

LOW, HIGH = -0.05, 0.2  # of α₁ and α₂
STEP = 0.0025  # what an arrow key moves the grip by
PLANE: Limits = (-4.0, 4.0, -4.0, 4.0)
UPHILL = 0.03  # length of the line for a gradient of 1
FLOOR = -0.6  # the dual is drawn no lower
LEVELS = (-0.3, -0.2, -0.1, 0.0, 0.05, 0.09, 0.115, 0.124)
# Where the labels of these levels stand, in the allowed part.
PLACES = ((0.17, 0.18), (0.15, 0.17), (0.13, 0.15), (0.12, 0.09), (0.1, 0.08), (0.055, 0.1))
STEPS = hard_margin_by_hand(X, Y)


def heights(n: int) -> tuple[FloatArray, ...]:
    """Return α₁, α₂ and the dual on a grid, each of shape (n, n)."""
    first, second = np.meshgrid(*2 * [np.linspace(LOW, HIGH, n)])
    return first, second, np.vectorize(lambda a1, a2: STEPS.dual([a1, a2]))(first, second)


def draw_map(axes: Axes) -> None:
    """Draw level lines of the dual, and shade where an α is negative."""
    bands = [style.SCORES(0.5 + 0.5 * k / len(LEVELS)) for k in range(len(LEVELS) + 1)]
    axes.contourf(*heights(101), levels=(-9.0, *LEVELS, 1.0), colors=bands)
    lines = axes.contour(
        *heights(101), levels=LEVELS, colors=style.INK, linewidths=0.5 * style.LINE, linestyles="-"
    )
    axes.clabel(lines, fmt=lambda level: f"{level:g}".replace("-", "−"), fontsize=9, manual=PLACES)
    corner = [(LOW, LOW), (HIGH, LOW), (HIGH, 0), (0, 0), (0, HIGH), (LOW, HIGH)]
    shade: Any = {"facecolor": "#b5b5b5", "edgecolor": style.INK, "hatch": "//", "alpha": 0.6}
    axes.add_patch(Polygon(corner, zorder=2.5, **shade))
    axes.set(xlim=(LOW, HIGH), ylim=(LOW, HIGH), xlabel=r"$\alpha_1$", ylabel=r"$\alpha_2$")
    axes.set_box_aspect(1.0)


def draw_hill(axes: Any) -> None:
    """Draw the same in space: grey where an α is negative."""
    first, second, value = heights(26)
    allowed = (first >= -1e-9) & (second >= -1e-9)
    colours = np.where(allowed[..., np.newaxis], style.SCORES(0.85), (0.8, 0.8, 0.8, 1.0))
    axes.plot_surface(
        first, second, np.maximum(value, FLOOR), facecolors=colours, edgecolor="white",
        linewidth=0.3, rstride=1, cstride=1, alpha=0.75, shade=False,
    )  # fmt: skip
    axes.set(zlim=(FLOOR, 0.15), xlabel=r"$\alpha_1$", ylabel=r"$\alpha_2$")
    axes.view_init(elev=26, azim=28)
    axes.tick_params(labelsize=8, pad=0)
    axes.set_box_aspect((1, 1, 0.75), zoom=1.0)
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_major_locator(MaxNLocator(4))


class DualWalk(Figure):
    """Choose α₁ and α₂ (α₃ is their sum): the dual there, and the line beside it.

    The threshold that is drawn is the best one for w = Σ α_i y_i x_i: midway between the nearest
    points of the two classes. Taught in notebook 02.
    """

    question = "Where is the top, and what does the line do on the way there?"
    size = (10.0, 3.7)
    alpha1 = Slider("α₁", LOW, HIGH, STEP, 0.1, digits=4)
    alpha2 = Slider("α₂", LOW, HIGH, STEP, 0.05, digits=4)
    linked = ("alpha1", "alpha2")
    grip_names = ("α₁ and α₂",)
    presets = {
        "the start": {"alpha1": 0.0, "alpha2": 0.0},
        "only the first pair": {"alpha1": 0.1, "alpha2": 0.0},
        "the top": {"alpha1": 0.0, "alpha2": 0.125},
        "too far": {"alpha1": 0.0, "alpha2": 0.2},
        "higher, but not allowed": {"alpha1": -0.05, "alpha2": 0.175},
    }
    readout = (
        "α = ({alpha:.4f})   D(α) = {dual:.4f}   slope ({slope:.2f})   {where}\n"
        "w = ({line:.2f})   t = {t:.2f}   margins {margins:.2f}   {no_line}   "
        "scaled to margin 1: ½‖w‖² = {bound:.4f} ≥ optimum ≥ D   {no_bound}"
    )
    alt = (
        "The dual of three points over α₁ and α₂, from above and as a hill, shaded where an α "
        "is negative; the marked point is ({alpha[0]:.4f}, {alpha[1]:.4f}), α₃ = {alpha[2]:.4f}, "
        "height {dual:.4f}. Right: the line w·x = t with w = ({w:.2f}), t = {threshold:.2f}, "
        "margins {rounded}."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the map, the hill and the plane."""
        places = figure.add_gridspec(1, 3, width_ratios=[1, 1.1, 1])
        left, right = figure.add_subplot(places[0]), figure.add_subplot(places[2])
        middle: Any = figure.add_subplot(places[1], projection="3d")
        mark: Any = {"color": style.ACCENT, "markeredgecolor": "white", "markersize": 10}
        draw_map(left)
        left.set_title("the violet line points uphill")
        (self.uphill,) = left.plot([], [], color=style.ACCENT, linewidth=style.LINE, zorder=5)
        (self.here,) = left.plot([], [], "o", zorder=6, **mark)
        draw_hill(middle)
        middle.set_title("a concave hill: one top")
        (self.stem,) = middle.plot([], [], [], color=style.ACCENT, linewidth=style.LINE, zorder=9)
        (self.top,) = middle.plot([], [], [], "o", zorder=10, **mark)
        plane(right, PLANE)
        right.set_title("every α means a line")
        self.field = ScoreField(right, PLANE)
        self.line = Separator(right, margins=True)
        self.points = Points(right)
        return left

    def grips(self) -> Any:
        """Return the point of the map."""
        return [(self.alpha1, self.alpha2)]

    def read(self, points: FloatArray) -> Any:
        """Return α₁ and α₂ in steps of an arrow key."""
        return np.round(points[0] / STEP) * STEP

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Evaluate the dual, and draw the line."""
        a = np.array([self.alpha1, self.alpha2])
        alpha, dual, gradient = np.append(a, a.sum()), STEPS.dual(a), STEPS.gradient(a)
        w = (alpha * Y) @ X
        t = float((X @ w)[Y > 0].min() + (X @ w)[Y < 0].max()) / 2
        margins = Y * (X @ w - t)
        height = max(dual, FLOOR)
        self.here.set_data(a[:1], a[1:])
        self.uphill.set_data(*np.stack([a, a + UPHILL * gradient], axis=1))
        self.top.set_data_3d(a[:1], a[1:], [height])
        self.stem.set_data_3d(a[[0, 0]], a[[1, 1]], [FLOOR, height])
        grid = np.linspace(-4, 4, 31)
        self.field.show(w[0] * grid + w[1] * grid[:, None] - t)
        self.line.show(w, -t)
        self.points.show(X, Y, weight=np.maximum(alpha, 0), mistaken=margins <= 0)
        allowed, separates = bool((alpha >= -1e-9).all()), margins.min() > 1e-9
        primal = float(w @ w) / 2 / margins.min() ** 2 if separates else np.inf
        where = "" if allowed else "not allowed: an α is negative"
        if allowed and np.abs(gradient).max() < 1e-9:
            where = "the top: no slope is left"
        return {
            "alpha": np.round(alpha, 4),
            "dual": dual,
            "slope": np.round(gradient, 3),
            "where": where,
            "w": w,
            "threshold": t,
            "line": w if w.any() else None,
            "t": t if w.any() else None,
            "margins": margins if w.any() else None,
            "rounded": np.round(margins, 2).tolist(),
            "no_line": "" if w.any() else "w = 0: no line",
            "primal": primal,
            "bound": primal if allowed and separates else None,
            "no_bound": "this w separates nothing yet" if w.any() and not separates else "",
        }
