"""Live figure of notebook 02: the shortest w that meets one constraint; a still with two."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.patches import Circle, Polygon

from kernellab.draw import style
from kernellab.draw.picture import Picture, picture
from kernellab.draw.plane import Points, Separator, plane
from kernellab.live.controls import Slider
from kernellab.live.declared import Figure
from kernellab.validation import FloatArray

A = np.array([1.0, 0.5])  # the constraint is A·w ≥ m
LOW, HIGH, STEP = -1.5, 2.0, 0.05  # of m
BEYOND: Any = {"facecolor": "#b5b5b5", "edgecolor": style.INK, "alpha": 0.6}
ARROW: Any = {"angles": "xy", "scale_units": "xy", "scale": 1, "width": 0.012, "zorder": 5}


class OneConstraint(Figure):
    """Minimise ½‖w‖² subject to a·w ≥ m: a ball in a bowl, and a fence to be moved.

    The solution is w = αa with α = max(0, m)/‖a‖², and α is the slope of the least ½‖w‖² over m.
    Taught in notebook 02.
    """

    question = "The ball rolls to the lowest place this side of the fence. What does the fence do?"
    answer = ("push", "held", "tangent", "words")
    size = (9.4, 4.2)
    m = Slider("m", LOW, HIGH, STEP, 1.0)
    linked = ("m",)
    grip_names = ("the fence",)
    presets = {
        "the fence holds the ball": {"m": 1.0},
        "the fence just touches": {"m": 0.0},
        "the fence is out of the way": {"m": -1.0},
    }
    readout = (
        "w = ({w:.2f})   a·w = {reached:.2f} ≥ m = {m:.2f}   room a·w − m = {room:.2f}   "
        "push α = {alpha:.2f}   ½‖w‖² = {cost:.3f}"
    )
    alt = (
        "Left: circles on which ½‖w‖² is the same, a fence a·w = {m:.2f} and the ball at w = "
        "({w:.2f}); room {room:.2f}, push α = {alpha:.2f}. Right: the least ½‖w‖² over m, now "
        "{cost:.2f}, with its tangent."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the bowl seen from above, and the least cost over m."""
        left, right = figure.subplots(1, 2, width_ratios=[1.1, 1])
        self.beyond = bowl(left, (A, 1.0, "//"))[0]
        left.set_title("black: downhill, $-w$;  violet: the push, $αa$")
        self.pull = left.quiver([0], [0], [0], [0], color=style.INK, **ARROW)
        self.push = left.quiver([0], [0], [0], [0], color=style.ACCENT, **ARROW)
        mark: Any = {"color": style.ACCENT, "markeredgecolor": "white", "markersize": 9}
        (self.held,) = left.plot([], [], "D", zorder=4, **mark)
        (self.ball,) = left.plot([], [], "o", color=style.INK, markersize=11, zorder=6)
        (self.dearer,) = right.plot([], [], color=style.INK, linewidth=style.LINE)
        (self.tangent,) = right.plot([], [], color=style.ACCENT, linewidth=style.LINE)
        (self.now,) = right.plot([], [], "o", color=style.ACCENT, markersize=9)
        self.words = right.text(0.05, 0.9, "", transform=right.transAxes, color=style.ACCENT)
        right.set(xlim=(LOW, HIGH), ylim=(-0.3, 1.8), xlabel="$m$, what is asked of $a·w$")
        right.set_title("the least ½‖w‖² that meets it")
        return left

    def grips(self) -> FloatArray:
        """Return a point of the fence, clear of the ball."""
        return self.m * A[np.newaxis] / (A @ A) + [0.6, -1.2]

    def read(self, points: FloatArray) -> Any:
        """Return m of the fence through the grip."""
        return [float(np.clip(np.round(points[0] @ A / STEP) * STEP, LOW, HIGH))]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Let the ball come to rest."""
        m = self.m
        alpha = max(0.0, m) / (A @ A)
        w = alpha * A
        self.beyond.set_xy(beyond(A, m))
        for arrow, force in ((self.pull, -w), (self.push, alpha * A)):
            arrow.set_offsets(w[np.newaxis])
            arrow.set_UVC(*force)
            arrow.set_visible(alpha > 0)
        self.held.set_data(*points.T)  # where the hand has it
        self.ball.set_data(w[:1], w[1:])
        cost = float(least(m))
        asked, near = np.linspace(m, HIGH), m + np.array([-0.5, 0.5])  # less is not asked yet
        self.dearer.set_data(asked, least(asked))
        self.tangent.set_data(near, cost + alpha * (near - m))
        self.now.set_data([m], [cost])
        self.words.set_text(f"slope here: {alpha:.2f}")
        room = 0.0 if alpha > 0 else float(A @ w) - m
        return {"w": w, "reached": A @ w, "room": room, "alpha": alpha, "cost": cost}


def beyond(a: FloatArray, m: float) -> FloatArray:
    """Return the corners of the part that is seen of a·w < m, shape (4, 2)."""
    foot, along = m * a / (a @ a), np.array([-a[1], a[0]])
    return foot + 10 * np.array([-along, along, along - a, -along - a])


def bowl(axes: Axes, *fences: tuple[FloatArray, float, str]) -> list[Polygon]:
    """Draw ½‖w‖² seen from above, and what is beyond each fence: a, m and its hatching."""
    plane(axes, (-2.0, 2.5, -2.0, 2.5), ("$w_1$", "$w_2$"))
    for radius in (0.5, 1.0, 1.5, 2.0, 2.5):
        axes.add_patch(Circle((0, 0), radius, fill=False, edgecolor=style.NEUTRAL, alpha=0.6))
    parts = [Polygon(beyond(a, m), hatch=hatch, **BEYOND) for a, m, hatch in fences]
    for part in parts:
        axes.add_patch(part)
    return parts


def two_fences() -> Picture:
    """Draw two examples and their line, and their fences for w below; then the square moved."""
    figure, y = style.new_figure((9.0, 8.8)), np.array([[1.0], [-1.0]])
    settings = ((0.0, -1.0), (0.5, 0.75)), ((-1.0, -2.0), (0.8, 0.0))
    for (above, below), (square, alpha) in zip(figure.subplots(2, 2).T, settings, strict=True):
        X = np.array([A, square])
        pushes = y * X * np.vstack(alpha)
        w = pushes.sum(axis=0)
        plane(above, (-2.5, 2.5, -2.5, 2.5))
        Points(above).show(X, y[:, 0])
        Separator(above, margins=True).show(w, 0.0)
        above.set_title(f"half-margin {1 / np.hypot(*w):.2f}")
        bowl(below, *zip(y * X, (1.0, 1.0), ("//", "\\\\"), strict=True))
        below.quiver(*w, *-w, color=style.INK, **ARROW)
        for i, push in enumerate(pushes, 1):
            below.quiver(*w, *push, color=style.ACCENT, **ARROW)
            name = f"$α_{i} a_{i}$" * bool(push.any())
            below.text(*(w + push + [0.52 * (i == 1), 0.08]), name, color=style.ACCENT, ha="right")
            above.text(*(X[i - 1] + 0.15), i)
        sides = np.array([w + pushes[0], w + w, w + pushes[1]])
        below.plot(*sides.T, ":", color=style.ACCENT)
        below.plot(*w, "o", color=style.INK, markersize=11, zorder=6)
        below.set_title("α₁ = {:g}, α₂ = {:g}".format(*alpha))
    alt = (
        "Above, examples, their line and its margins; below, the fences. Left, a square at "
        "(0, −1): the ball is in the corner (0.5, 1), both push, α = (1/2, 3/4). Right, it is at "
        "(−1, −2), the ball at (0.8, 0.4): fence 2 does not touch it, α = (0.8, 0)."
    )
    return picture(figure, alt)


def lower_bounds(alpha: FloatArray) -> Picture:
    """Draw D(α) = α − 5/8 α² for m = 1, some of its values, and the cost of the ball above it."""
    figure, a = style.new_figure((6.4, 2.9)), np.linspace(0, 1.6, 81)
    axes, bound = figure.subplots(), alpha - 5 / 8 * alpha**2
    axes.axhline(least(1.0), color=style.INK, linewidth=style.LINE)
    axes.plot(a, a - 5 / 8 * a**2, color=style.ACCENT, linewidth=style.LINE)
    axes.plot(alpha, bound, "o", color=style.ACCENT, markersize=9, clip_on=False, zorder=3)
    axes.set(xlabel="$α$", ylabel="$D(α)$", xlim=(0, 1.6), ylim=(0, 0.5))
    axes.set_title("the ball's cost in black; every $D(α)$ stays under it")
    return picture(figure, f"D at {alpha.tolist()}: {bound.round(2).tolist()}; the cost is 0.4.")


def least(m: Any) -> Any:
    """Return the least ½‖w‖² with a·w ≥ m."""
    return np.maximum(0.0, m) ** 2 / (2 * A @ A)
