"""Live figure of notebook 00: lift the points, put a flat sheet between, and the border bends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.lines import Line2D

from kernellab.draw import style
from kernellab.draw.contours import level_curve
from kernellab.draw.picture import Picture, picture
from kernellab.draw.plane import Points, ScoreField, plane
from kernellab.draw.space import Space, viewed_from
from kernellab.exercises.exercise import SECONDS, indented
from kernellab.exercises.running import run
from kernellab.lessons.start.exercises import misshapen
from kernellab.live.controls import Slider
from kernellab.live.declared import Figure, class_handles
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

Heights = Callable[[FloatArray], Any]  # of points (n, 2), a number each
C = 0.03  # small, so that the sheet tips over slowly as the points rise
REACH = 2.2  # of the plane, in every direction
LOW, HIGH = np.array([-REACH, -REACH, 0.0]), np.array([REACH, REACH, 3.0])
TIPS = np.diag([REACH, 4.0 * REACH, 4.2])  # x₂ beyond the sheet, or its name lies on it
GRID = np.linspace(-REACH, REACH, 61)
PLANE = np.stack(np.meshgrid(GRID, GRID), axis=-1)
AROUND = np.column_stack([f(np.linspace(0, 2 * np.pi, 97)) for f in (np.cos, np.sin)])
ALONG = np.stack(np.meshgrid(np.linspace(-2, 2, 97), np.linspace(-2, 2, 5)), axis=-1)
NET = np.concatenate([ALONG, ALONG[..., ::-1]])  # lines along x₁ and x₂, shape (10, 97, 2)
TOP = 3.8  # what lies higher is drawn there, at the upper edge
VIEW = viewed_from(-72.0, 16.0)  # x₁ goes right, x₂ away; the sheet shows its upper side
HIGHER = viewed_from(-72.0, 22.0)  # the same way; a level sheet shows more of its upper side


def make_ringed(n: int = 40) -> tuple[FloatArray, FloatArray]:
    """Return n points: −1 in the middle, +1 in a ring that is denser at the lower right."""
    rng = np.random.default_rng(5)
    y = np.repeat([-1.0, 1.0], n // 2)
    radius = np.where(y < 0, rng.uniform(0.0, 0.85, n), rng.uniform(1.35, 1.9, n))
    angle = rng.uniform(0, 2 * np.pi, n)
    along = np.linspace(-1, 1, n // 2)
    angle[y > 0] = np.pi / 4 + np.pi * along * np.sqrt(np.abs(along)) + rng.normal(0, 0.1, n // 2)
    return radius[:, np.newaxis] * np.column_stack([np.cos(angle), -np.sin(angle)]), y


def lifted(X: FloatArray, lift: float) -> FloatArray:
    """Return (x₁, x₂, lift · ‖x‖²), shape (…, 3), of points (…, 2); NaN stays NaN."""
    return np.concatenate([X, lift * (X**2).sum(axis=-1, keepdims=True)], axis=-1)


def flat_cut(Z: FloatArray, y: FloatArray, C: float) -> tuple[FloatArray, float]:
    """Return w (d,) and b of the SVM with a bias on points Z (n, d), y (n,)."""
    svm = solve(smo(Z @ Z.T, y, C), gap=1e-4)
    return (svm.alpha * y) @ Z, svm.b


def bowl() -> FloatArray:
    """Return circles and rays of the floor, shape (n_lines, 97, 2)."""
    circles = np.linspace(0.4, 2.0, 5)[:, np.newaxis, np.newaxis] * AROUND
    rays = np.linspace(0, 2.0, 97)[:, np.newaxis] * AROUND[:-1:8, np.newaxis]
    return np.concatenate([circles, rays])


BOWL = bowl()


def crosses_behind(space: Space) -> None:
    """Let crosses stick out from behind their marks, which are small: both can be made out."""
    space.crosses.set(zorder=4.5, sizes=[120.0])


class Bend(Figure):
    """Lift every point by the square of its distance from the origin, and separate by a flat sheet.

    The sheet is the plane of the SVM with a bias, C = 0.03, on (x₁, x₂, lift · ‖x‖²). From above
    its border is a line where nothing is lifted, else a circle. Taught in notebook 00.
    """

    question = "Move lift slowly: where does the last cross go out?"
    answer = ("field", "border", "shadow")
    size = (9.4, 4.6)
    strip_size = (5.0, 2.5)
    limits = (-REACH, REACH, -REACH, REACH)
    lift = Slider("lift", 0.0, 0.8, 0.01)
    presets = {
        "not lifted": {"lift": 0.0},
        "lifted a little": {"lift": 0.3},
        "lifted more": {"lift": 0.8},
    }
    readout = "lift {lift:.2f}   on the wrong side: {mistakes} of {n}   the border: {border}"
    alt = (
        "Left: {n} points from above, circles round squares, and the border: {border}; wrong side: "
        "{mistakes}. Right: the same points from the side, each lifted by {lift:.2f} "
        "times the square of its distance from the origin, and the flat sheet between the classes."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane and the space."""
        self.start, self.y = make_ringed()
        above, side = figure.subplots(1, 2)
        plane(above, self.limits)
        self.field = ScoreField(above, self.limits, saturation=2.0)
        (self.border,) = above.plot([], [], color=style.INK, linewidth=style.LINE, zorder=3)
        self.points = Points(above)
        self.space = Space(side, LOW, HIGH, TIPS, ("x₁", "x₂", "height"))
        crosses_behind(self.space)
        side.set(xlim=(-1.3, 1.5), ylim=(-1.12, 1.38))  # room for the corners of the sheet
        self.shadow = Line2D([], [], color=style.INK, ls="--", lw=style.THIN, zorder=4)
        side.add_line(self.shadow)
        self.key = above, side
        return above

    def grips(self) -> FloatArray:
        """Return where the points are at first."""
        return self.start

    def handles(self) -> list[dict[str, str]]:
        """Return what is read aloud of each point, and its colour."""
        return class_handles(self.y, "point", first=1)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Lift, separate, and show it from above and from the side."""
        lift = self.lift
        Z = lifted(points, lift)
        w, b = flat_cut(Z, self.y, C)
        mistaken = self.y * (Z @ w + b) <= 0
        field = lifted(PLANE, lift) @ w + b
        border = level_curve(GRID, GRID, field)
        self.key[0].set_title(f"from above: {mistaken.sum()} wrong")
        self.key[1].set_title(f"from the side: lift {lift:.2f}")
        self.field.show(field)
        self.border.set_data(*border.T)
        self.points.show(points, self.y, mistaken=mistaken)
        self.space.show(
            VIEW, np.minimum(Z, TOP), self.y, surface=lifted(BOWL, lift), w=w, t=-b,
            trace=lifted(border, lift), mistaken=mistaken,
        )  # fmt: skip
        floor = (lifted(border, 0.0) - self.space.centre) / self.space.radius
        self.shadow.set_data(*(floor @ VIEW[:, :2]).T)
        return {
            "mistakes": mistaken.sum(),
            "n": len(self.y),
            "border": name_of_border(w[:2], lift * w[2], b),
            "w": w,
            "b": b,
        }


def name_of_border(w: FloatArray, bend: float, b: float) -> str:
    """Say what the points with bend · ‖x‖² + w·x + b = 0 are."""
    if abs(bend) < 1e-9:
        return "a straight line" if w.any() else "none"
    centre = -w / (2 * bend)
    squared = float(centre @ centre - b / bend)
    if squared <= 0:
        return "none"
    return "a huge circle" if squared > 100 else f"a circle of radius {np.sqrt(squared):.1f}"


class FromAbove:
    """Points and the border where their scores are zero, seen from above.

    Parameters
    ----------
    axes : Where it is drawn.
    field : Scores on the grid of the plane, NaN where there is none.
    X, y, scores : Points, shape (n, 2), their labels −1 or +1 and their scores, shape (n,).
    """

    def __init__(
        self, axes: Axes, field: FloatArray, X: FloatArray, y: FloatArray, scores: FloatArray
    ) -> None:
        plane(axes, Bend.limits)
        ScoreField(axes, Bend.limits).show(field)
        self.border = level_curve(GRID, GRID, field)
        axes.plot(*self.border.T, color=style.INK, linewidth=style.LINE)
        self.mistaken = np.sign(scores) != y
        Points(axes).show(X, y, mistaken=self.mistaken)
        self.wrong = int(self.mistaken.sum())


def nobody_lifts(machine: Any, X: FloatArray, y: FloatArray) -> Picture:
    """Draw flat points and the border of a machine; if it closes, a circle as large, dotted."""
    figure = style.new_figure((4.4, 4.2))
    axes = figure.subplots()
    field = machine.decision_function(PLANE.reshape(-1, 2)).reshape(PLANE.shape[:2])
    drawn = FromAbove(axes, field, X, y, machine.decision_function(X))
    alt = "The flat points, and between circles and squares a border"
    broken = np.isnan(drawn.border[:, 0])
    border = drawn.border[~broken]
    if len(border) and np.allclose(border[0], border[-1]):
        away = np.linalg.norm(border, axis=1)
        axes.plot(*away.mean() * AROUND.T, ":", color=style.NEUTRAL, linewidth=style.LINE)
        axes.text(-0.2, away.mean() + 0.04, "a circle", ha="center", va="bottom", fontsize="small")
        alt += f" that closes, {away.min():.1f} from (0, 0) where it is nearest and"
        alt += f" {away.max():.1f} where it is farthest; a circle to compare with is dotted"
    elif len(border):
        alt += f" that does not close, in {broken.sum() - 1} parts"
    axes.set_title(f"nobody lifted them: {drawn.wrong} wrong")
    return picture(figure, f"{alt}; {drawn.wrong} of {len(y)} are on the wrong side.")


def make_corners() -> tuple[FloatArray, FloatArray]:
    """Return 40 points: +1 where both features have the same sign, −1 where the signs differ."""
    X = np.random.default_rng(2).uniform(0.3, 1.9, (40, 2))
    X *= np.repeat([[1, 1], [-1, -1], [1, -1], [-1, 1]], 10, axis=0)
    return X, np.sign(X[:, 0] * X[:, 1])


def corners(height: Heights) -> Picture | None:
    """Draw points in four corners after a lift by ``height``, the sheet, and the border from above.

    Where ``height`` does not return a number for each point, say so, as the check does.
    """
    X, y = make_corners()
    told = []
    for P in (X, PLANE.reshape(-1, 2), NET.reshape(-1, 2)):
        done = run(height, {"X": P}, SECONDS)
        complaint = done.words or misshapen(done.value, len(P), finite=P is X)
        if complaint:
            print(f"No picture yet:\n{indented(complaint)}")
            return None
        told.append(np.asarray(done.value, dtype=float))
    heights, field, net = (np.where(np.isfinite(h), h, np.nan) for h in told)
    w, b = flat_cut(np.column_stack([X, heights]), y, C=10.0)
    field = PLANE @ w[:2] + w[2] * field.reshape(PLANE.shape[:2]) + b
    figure = style.new_figure((8.8, 4.2))
    above, side = figure.subplots(1, 2)
    scores = X @ w[:2] + w[2] * heights + b
    drawn = FromAbove(above, field, X, y, scores)
    above.set_title(f"lifted by your number: {drawn.wrong} wrong")
    # From the side the heights of the points fill the box, whatever their unit, and the axes cross
    # at height 0, or as near to it as the box allows.
    unit = max(float(np.ptp(heights)), 1e-9) / HIGH[2]
    zero = float(np.clip(0.0, heights.min(), heights.max()))
    down = np.array([0, 0, (heights.min() - zero) / unit])
    border = -(drawn.border @ w[:2] + b) / w[2] if w[2] else np.full(len(drawn.border), np.nan)
    surface, trace = (
        np.concatenate([P, boxed((h.reshape(P.shape[:-1]) - zero) / unit, down[2])], axis=-1)
        for P, h in ((NET, net), (drawn.border, border))
    )
    tips = TIPS * [1.5, 0.95, 1.0] + np.diag(down)
    space = Space(side, LOW + down, HIGH + down, tips, ("x₁", "x₂", "height"))
    crosses_behind(space)
    space.show(
        HIGHER, np.column_stack([X, (heights - zero) / unit]), y, surface=surface,
        w=w * [1, 1, unit], t=-b - w[2] * zero, trace=trace, mistaken=drawn.mistaken,
    )  # fmt: skip
    side.set(xlim=(-1.5, 1.5), ylim=(-1.25, 1.55), title="from the side")
    alt = "Circles at the upper right and lower left, squares in the other two corners; after your"
    alt += f" lift {drawn.wrong} of {len(y)} are on the wrong side. Right: the same from the side,"
    return picture(figure, f"{alt} each at your height, and the flat sheet.")


def boxed(height: FloatArray, low: float) -> FloatArray:
    """Return heights, shape (…, 1), NaN where they leave the picture from the side."""
    inside = (height >= low - 0.5) & (height <= low + TOP)
    return np.where(inside, height, np.nan)[..., np.newaxis]
