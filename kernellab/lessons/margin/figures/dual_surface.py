"""Live figure of notebook 02: walk over the dual, and see the line that each α means."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.patches import Polygon

from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.draw.picture import Picture, picture
from kernellab.draw.plane import Limits, Points, ScoreField, Separator, plane
from kernellab.lessons.margin.figures.kkt import X, Y
from kernellab.live.controls import Ladder, Slider
from kernellab.live.declared import Figure
from kernellab.validation import FloatArray

LOW, HIGH = -0.15, 0.3  # of α₁ and α₂
STEP = 1 / 320  # what an arrow key moves the grip by: 1/8, 1/32 and 1/10 are whole steps
PLANE: Limits = (-4.0, 4.0, -4.0, 4.0)
MARK: Any = {"color": style.ACCENT, "markeredgecolor": "white", "markersize": 10}
BEHIND: Any = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1}
UPHILL, LEAST = 0.035, 0.03  # length of the arrow for a gradient of 1, and at least: it is seen
LEVELS = (-0.6, -0.3, -0.1, 0.0, 0.05, 0.09, 0.115, 0.124, 0.14)
TITLE = "$D$ (darker: higher), point 1 at (1, {:g})"
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


def draw_map(axes: Axes, X: FloatArray) -> list[Any]:
    """Draw level lines of the dual; return what has to go when the points change."""
    first, second = np.meshgrid(*2 * [np.linspace(LOW, HIGH, 101)])
    heights = first, second, dual(X, first, second)
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


def line_of(X: FloatArray, alpha: FloatArray) -> tuple[FloatArray, float]:
    """Return w = Σ α_i y_i x_i, and b midway between the nearest points of the two classes."""
    w = (alpha * Y) @ X
    return w, 0.0 - float((X @ w)[Y > 0].min() + (X @ w)[Y < 0].max()) / 2


class LineOfAlpha(Mark):
    """The three points, sized by push or pull |α|, and the line with its margins over the score."""

    def __init__(self, axes: Axes) -> None:
        plane(axes, PLANE)
        self.field = ScoreField(axes, PLANE)
        self.line = Separator(axes, margins=True)
        self.line.words.set(x=0.03, y=0.02, ha="left")
        self.points = Points(axes)
        self.labels = [
            axes.annotate(f"{i}", x, (10, 6), textcoords="offset points", zorder=6)
            for i, x in enumerate(X, start=1)
        ]

    def show(self, X: FloatArray, alpha: FloatArray) -> None:
        """Show points of shape (3, 2) and the line that α, shape (3,), means."""
        w, b = line_of(X, alpha)
        margins = Y * (X @ w + b)
        x = np.linspace(-4, 4, 31)
        self.field.show(w[0] * x + w[1] * x[:, None] + b)
        self.line.show(w, b)
        self.labels[0].xy = X[0]
        self.points.show(X, Y, weight=np.abs(alpha), largest=0.3, mistaken=margins <= 0)
        if at_the_top(X, alpha):
            pushes = "pushes" if alpha[0] > 0 else "just touches" if alpha[0] == 0 else "pulls"
            has_room = alpha[0] == 0 and margins[0] > 1 + 1e-9
            self.line.words.set_text(f"point 1 {'has room' if has_room else pushes}")


def at_the_top(X: FloatArray, alpha: FloatArray) -> bool:
    """Whether no step leads higher, but for steps to α < 0 from the border."""
    a, uphill = alpha[:2], slope(X, alpha)
    return bool(np.all((np.abs(uphill) < 1e-9) | ((a == 0) & (uphill < 0))))


def top(height: float) -> FloatArray:
    """Return α at the top of the dual where α < 0 is not forbidden, for a height of point 1."""
    first, second = (2 - height) / 8, height**2 / 32
    return np.array([first, second, first + second])


def three_tops() -> Picture:
    """Draw the dual with its top, and below it the line, for point 1 at heights 1, 2 and 3."""
    figure = style.new_figure((8.4, 5.6))
    for (axes, below), height, said in zip(
        figure.subplots(2, 3).T, (1.0, 2.0, 3.0),
        ("α₁ = 1/8: pushes", "α₁ = 0: just touches", "α₁ = −1/8 would pull"), strict=True,
    ):  # fmt: skip
        X, alpha = at_height(height), top(height)
        draw_map(axes, X)
        shade(axes)
        axes.plot(*alpha[:2], "o", zorder=6, **MARK)
        axes.set_title(f"point 1 at height {height:g}\n{said}")
        line = LineOfAlpha(below)
        line.show(X, alpha)
        line.line.words.set_visible(False)
        for label in line.labels:
            label.xyann = (13, 8)  # clear of large marks
            label.set_bbox(BEHIND)
        if height == 3:  # what is allowed
            axes.plot(0, 1 / 8, "o", zorder=6, color="white", mec=style.ACCENT, mew=2.5, ms=9)
            below.hlines((-2, 0, 2), -4, 4, colors=style.ACCENT, linestyles=":", zorder=5)
    alt = (
        "The top of the dual, and below it its line. Height 1: α₁ = 1/8, point 1 pushes. "
        "Height 2: α₁ = 0, it just touches. Height 3: α₁ = −1/8 would pull, with a narrower "
        "band: not allowed. A hollow dot at α₁ = 0, and dotted its band, that of height 2."
    )
    return picture(figure, alt)


class DualWalk(Figure):
    """Choose α₁ and α₂ (α₃ is their sum): the dual there, and the line beside it.

    Point 1 can be moved up and down: the higher it is, the less it holds. The b of the line is the
    best one for w = Σ α_i y_i x_i: midway between the nearest points of the two classes. Taught in
    notebook 02, further.
    """

    question = "Where is the top, and what does the line do on the way there?"
    answer = ("uphill", "words")
    size = (9.4, 4.3)
    alpha1 = Slider("α₁", LOW, HIGH, STEP, 0.1, digits=4)
    alpha2 = Slider("α₂", LOW, HIGH, STEP, 0.05, digits=4)
    height = Ladder("height of point 1", HEIGHTS, 2.0)
    linked = ("alpha1", "alpha2")
    grip_names = ("α₁ and α₂",)
    presets = {
        "below the top": {},
        "past the top": {"alpha1": 0.0, "alpha2": 0.2},
        "the top": {"alpha1": 0.0, "alpha2": 1 / 8},
        "point 1 at height 1": {"height": 1.0, "alpha1": 0.0, "alpha2": 1 / 8},
        "point 1 at height 1: its top": {"height": 1.0, "alpha1": 1 / 8, "alpha2": 1 / 32},
        "point 1 at height 3": {"height": 3.0, "alpha1": 1 / 8, "alpha2": 1 / 32},
        "point 1 at height 3, allowed": {"height": 3.0, "alpha1": 0.0, "alpha2": 1 / 8},
        "point 1 at height 3: its top": {"height": 3.0, "alpha1": -1 / 8, "alpha2": 9 / 32},
    }
    readout = (
        "α₃ = {alpha[2]:.4f}   D(α) = {dual:.4f}   slope ({slope:.2f})   {where}\n"
        "w = ({line:.2f})   b = {shift:.2f}   margins {margins:.2f}   {no_line}   "
        "D ≤ optimum ≤ {bound:.4f}   {no_bound}"
    )
    alt = (
        "The dual of three points, the first at height {height}, over α₁ and α₂, shaded where an "
        "α is negative; the marked point is ({alpha[0]:.4f}, {alpha[1]:.4f}), "
        "α₃ = {alpha[2]:.4f}, D = {dual:.4f}. Right: the line w·x + b = 0 with w = ({w:.2f}), "
        "b = {b:.2f}, margins {rounded}."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the map and the plane."""
        left, right = figure.subplots(1, 2)
        shade(left)
        arrow: Any = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "mutation_scale": 14}
        arrow |= {"color": style.ACCENT, "linewidth": style.LINE}
        self.uphill = left.annotate("", (0, 0), (0, 0), arrowprops=arrow, zorder=5)
        (self.here,) = left.plot([], [], "o", zorder=6, **MARK)
        self.value = left.text(0, 0, "", zorder=3, clip_on=True, bbox=BEHIND)
        right.set_title("$w = \\sum α_i y_i x_i$")
        self.line = LineOfAlpha(right)
        self.words = self.line.line.words
        self._map, self._drawn = left, list[Any]()
        return left

    def draw_landscape(self, X: FloatArray) -> None:
        """Draw the map for other points."""
        for old in self._drawn:
            old.remove()
        self._drawn = draw_map(self._map, X)
        self._map.set_title(TITLE.format(X[0, 1]))  # and so it is drawn anew

    def grips(self) -> Any:
        """Return the point of the map."""
        return [(self.alpha1, self.alpha2)]

    def read(self, points: FloatArray) -> Any:
        """Return α₁ and α₂ in steps of an arrow key."""
        return np.round(points[0] / STEP) * STEP

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Evaluate the dual, and draw the line."""
        X = at_height(self.height)
        if self._map.get_title("left") != TITLE.format(self.height):
            self.draw_landscape(X)
        a = np.array([self.alpha1, self.alpha2])
        alpha = np.append(a, a.sum())
        value, gradient = float(dual(X, *a)), slope(X, alpha)
        w, b = line_of(X, alpha)
        margins = Y * (X @ w + b)
        self.here.set_data(a[:1], a[1:])
        self.value.set(position=a + 0.01, text=f"D = {value:.3f}".replace("-", "−"))
        across, up = ("right" if a[0] > HIGH / 2 else "left"), ("top" if a[1] > 0.25 else "bottom")
        self.value.set(ha=across, va=up)
        steep = float(np.linalg.norm(gradient))
        self.uphill.xyann, self.uphill.xy = a, a + max(UPHILL, LEAST / (steep or 1)) * gradient
        self.uphill.set_visible(steep > 1e-9)
        self.line.show(X, alpha)
        allowed, separates = bool((alpha >= -1e-9).all()), margins.min() > 1e-9
        primal = float(w @ w) / 2 / margins.min() ** 2 if separates else np.inf
        where = "" if allowed else "not allowed: an α is negative"
        if allowed and at_the_top(X, alpha):
            flat = np.abs(gradient).max() < 1e-9
            where = "the top: no slope is left" if flat else "the top of what is allowed"
        return {
            "alpha": np.round(alpha, 4),
            "dual": value,
            "slope": np.round(gradient, 3),
            "where": where,
            "w": w,
            "b": b,
            "line": w if w.any() else None,
            "shift": b if w.any() else None,
            "margins": margins if w.any() else None,
            "rounded": np.round(margins, 2).tolist(),
            "no_line": "" if w.any() else "w = 0: no line",
            "primal": primal,
            "bound": primal if allowed and separates else None,
            "no_bound": "this w separates nothing yet" if w.any() and not separates else "",
        }
