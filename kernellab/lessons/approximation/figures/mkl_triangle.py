"""Live figure of notebook 07: the weights of three kernels as a point that goes downhill."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure as MplFigure
from matplotlib.patches import Polygon
from matplotlib.ticker import MaxNLocator
from scipy.interpolate import CloughTocher2DInterpolator

from kernellab.draw import style
from kernellab.draw.contours import level_curve
from kernellab.draw.field import show_field
from kernellab.draw.mark import Mark
from kernellab.draw.matrix import SIMILARITY
from kernellab.draw.picture import Picture, picture
from kernellab.draw.title import moving_title
from kernellab.lessons.approximation.figures.mkl_data import MAKERS, THIRDS_OF_DIGITS, kernels_of
from kernellab.lessons.approximation.theory.mkl_surface import map_of_values, simplex_lattice
from kernellab.live.controls import Button, Choice, Ladder, Steps
from kernellab.live.declared import Figure
from kernellab.live.parameters import C_with_lam
from kernellab.solvers.mkl import MKLState, mkl, mkl_alternating, project_on_simplex
from kernellab.validation import FloatArray

LATTICE = simplex_lattice(12)
COSTS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 100.0)
NORMS = (1.0, 1.1, 1.33, 2.0, 4.0)
SIZES = (0.1, 0.3, 1.0, 3.0, 10.0)
MOST = 30  # steps of the alternation
ENOUGH = 1e-6  # gap at which a path ends: more would not be seen
FLOOR = ENOUGH / 10  # smaller gaps are shown there
HEIGHT = np.sqrt(3) / 2
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, HEIGHT]])  # of kernels 1, 2 and 3
PIXELS = (90, 78)  # columns and rows of the picture of the function
# Level lines, equally far apart; roots of shares are interpolated, as J is steep near some corners.
SHARES = np.arange(1, 16) / 16


def to_plane(weights: FloatArray) -> FloatArray:
    """Return where weights of sum 1, shape (…, 3), stand in the picture, shape (…, 2)."""
    return np.asarray(weights @ CORNERS)


def to_weights(points: FloatArray) -> FloatArray:
    """Return the three numbers of sum 1 that a point of the picture stands for, shape (…, 3).

    Outside of the triangle one of them is negative.
    """
    third = points[..., 1] / HEIGHT
    second = points[..., 0] - third / 2
    return np.stack([1 - second - third, second, third], axis=-1)


@cache
def grams(name: str, size: float) -> FloatArray:
    """Return the three Gram matrices, the third multiplied by a number."""
    return kernels_of(name).Ks * np.array([1.0, 1.0, size])[:, np.newaxis, np.newaxis]


@cache
def surface(name: str, size: float, C: float, p: float) -> FloatArray:
    """Return J on the lattice: at weights of norm ‖η‖_p = 1 in these directions."""
    return map_of_values(grams(name, size), kernels_of(name).y, C, LATTICE, p=p)


@cache
def optimum(name: str, size: float, C: float, p: float) -> MKLState:
    """Return the optimum, by the fast solver."""
    states = mkl(grams(name, size), kernels_of(name).y, C, p=p)
    return next(s for s in states if s.gap <= ENOUGH or s.solves >= 100)


@lru_cache(8)
def walk(name: str, size: float, C: float, p: float, first: Any, t: int) -> list[MKLState]:
    """Return the states of the alternation, t steps from the first weights, or to the end."""
    states = mkl_alternating(grams(name, size), kernels_of(name).y, C, p=p, weights=first)
    path = [next(states)]
    while len(path) <= t and path[-1].gap > ENOUGH:
        path.append(next(states))
    return path


class MKLTriangle(Figure):
    """Drag the weights of three kernels over J(η), then let the alternation walk from there.

    Taught in notebook 07.
    """

    at_first = ("cost", "t")
    question = "Where is the lowest place? Drag the weights there, then see where the solver goes."
    answer = ("bars", "gaps")
    size = (9.4, 5.0)
    data = Choice("kernels", list(MAKERS))
    p = Ladder("norm p", NORMS, 1.0)
    cost = Ladder("C", COSTS, 1.0, C_with_lam)
    factor = Ladder("third kernel ×", SIZES, 1.0)
    t = Steps("step t", 0, MOST)
    start: Sequence[float]
    memory = {"start": (0.7, 0.15, 0.15)}  # near the first corner, from where there is a way down
    grip_names = ("the weights",)
    presets = {
        "parts of an image": {},
        "C = 1, after 30 steps": {"t": 30},
        "C = 0.1, after 30 steps": {"cost": 0.1, "t": 30},
        "third ten times as large": {"factor": 10.0, "cost": 0.1, "t": 30},
        "signal and noise": {"data": "rings: signal and noise", "t": 30},
        "signal and noise, ℓ2": {"data": "rings: signal and noise", "p": 2.0, "t": 30},
        "one kernel, thrice": {"data": "one kernel, thrice", "t": 30},
    }
    readout = (
        "η = ({weights:.3f})   SVMs: {svms}   J = {J:.3f}, lowest {lowest:.3f}   "
        "{certified}\nsupport vectors: {support} of {n}, with α = C: {capped}   {stuck}"
    )
    alt = (
        "J over the triangle of three kernels ({data}), norm p = {p:g}, C = {cost:g}; lowest at "
        "({best:.2f}). The path after {svms} SVMs: {named}; J = {J:.2f}, {certified}. Bars: "
        "weights, and pulls. Below, the relative gap against the number of SVMs, dashed at 0.001."
    )

    @Button("one step", "an SVM, then a step of the weights")
    def step(self) -> None:
        """Go one step further; after the last one begin again."""
        self.t = (self.t + 1) % (MOST + 1)

    @property
    def y(self) -> FloatArray:
        """The labels."""
        return kernels_of(self.data).y

    def build(self, figure: MplFigure) -> Axes:
        """Make the triangle, bars of the weights, and the gap against the work."""
        panels: Any = [["triangle", "bars"], ["triangle", "gap"]]
        axes = figure.subplot_mosaic(panels, width_ratios=[1.35, 1])
        self.triangle = WeightTriangle(axes["triangle"])
        self.title = moving_title(axes["triangle"])
        self.bars = WeightBars(axes["bars"], 3)
        gap = axes["gap"]
        (self.gaps,) = gap.plot([], [], "o-", c=style.INK, lw=style.THIN, ms=4, zorder=3)
        gap.axhline(1e-3, color=style.NEUTRAL, linestyle="--", linewidth=style.THIN)
        gap.set(
            yscale="log", xlim=(0.5, MOST + 1.5), ylim=(FLOOR, 10), xlabel="SVMs solved",
            ylabel="relative gap",
        )  # fmt: skip
        gap.set_yticks([1e-6, 1e-3, 1.0])
        gap.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        return axes["triangle"]

    def states(self) -> list[MKLState]:
        """Return the walk from where the hand has left the diamond."""
        return walk(self.data, self.factor, self.cost, self.p, tuple(self.start), self.t)

    def grips(self) -> FloatArray:
        """Return where the walk has come to."""
        weights = self.states()[-1].weights
        return to_plane(weights / weights.sum())[np.newaxis]

    def update(self, points: FloatArray) -> str:
        """Begin anew where a hand has put the diamond; else take its grip along the walk."""
        before = self._grips if self.numbers else self.grips()
        if not np.allclose(points, before, rtol=0, atol=1e-6):
            self.start = tuple(project_on_simplex(to_weights(points[0])).tolist())
            with self.quietly():
                self.t = 0
        elif self.numbers:
            points = self.place()
        return super().update(points)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Walk t steps from the first weights."""
        first, C, n = np.array(self.start), self.cost, len(self.y)
        *names, last = kernels_of(self.data).names
        names.append(last if self.factor == 1 else f"{self.factor:g} × {last}")
        setting, states = (self.data, self.factor, C, self.p), self.states()
        best, state = optimum(*setting), states[-1]

        path = np.array([s.weights / s.weights.sum() for s in states])
        self.triangle.show(surface(*setting), path, names, best=best.weights / best.weights.sum())
        self.bars.show(state.weights, state.q, names)
        gaps = np.clip([s.gap for s in states], FLOOR, 10)
        self.gaps.set_data(np.arange(1, len(gaps) + 1), gaps)
        near = np.flatnonzero(gaps < 1e-3) + 1
        said = f"SVMs to a gap of 0.001: {near[0]}" if len(near) else f"relative gap {gaps[-1]:.3f}"
        self.title.set_text(f"J is {state.primal:.2f} here, {best.primal:.2f} at its lowest")
        return {
            "n": n,
            "first": first,
            "svms": len(states),
            "weights": state.weights,
            "named": ", ".join(f"{a} {w:.2f}" for a, w in zip(names, state.weights, strict=True)),
            "alpha": state.alpha,
            "support": (state.alpha > 0).sum(),
            "capped": (state.alpha >= C).sum(),
            "q": state.q,
            "J": state.primal,
            "duals": np.array([s.dual for s in states]),
            "gap": state.gap,
            "certified": said,
            "stuck": "a weight of 0 stays 0" if self.p > 1 and first.min() == 0 else "",
            "best": best.weights,
            "lowest": best.primal,
        }


def two_paths(steps: Sequence[FloatArray]) -> Picture:
    """Draw the walk of the figure, and weights of `mkl_step`, k of shape (3,), from one place."""
    figure, problem = style.new_figure((6.4, 3.9)), kernels_of(THIRDS_OF_DIGITS)
    axes, star = figure.subplots(), optimum(THIRDS_OF_DIGITS, 1.0, 1.0, 1.0)
    triangle = WeightTriangle(axes)
    states = mkl_alternating(problem.Ks, problem.y, 1.0, weights=steps[0])
    walk = np.array([next(states).weights for _ in range(8)])  # to a gap of a thousandth
    triangle.show(surface(THIRDS_OF_DIGITS, 1.0, 1.0, 1.0), walk, problem.names, best=star.weights)
    triangle.now.set_data([], [])
    (line,) = axes.plot(*to_plane(np.array(steps)).T, "s-", c=style.INK, markersize=4, zorder=6)
    names = f"the walk, {len(walk) - 1} steps", f"our rule, {len(steps) - 1} times"
    axes.legend([triangle.path, line], names, loc="upper right")
    axes.set_xlim(-0.14, 2.0)  # room for the key
    return picture(figure, f"From one place to the star: {'; '.join(names)}, ever smaller.")


class WeightTriangle(Mark):
    """A function of three weights: level lines, a path, the place of its minimum."""

    def __init__(self, axes: Axes) -> None:
        axes.set_axis_off()
        axes.spines[:].set_visible(False)
        axes.set_aspect("equal")
        self.x1, self.x2 = np.linspace(0, 1, PIXELS[0]), np.linspace(0, HEIGHT, PIXELS[1])
        frame = Polygon(CORNERS, closed=True, facecolor="none", edgecolor=style.INK, zorder=3)
        axes.add_patch(frame)
        self.image = show_field(
            axes, SIMILARITY, low=0, high=1.7, origin="lower", extent=(0, 1, 0, HEIGHT), zorder=0
        )
        self.image.set_clip_path(frame)
        axes.set(xlim=(-0.14, 1.14), ylim=(-0.17, HEIGHT + 0.13))  # the image has changed them
        self.lines = LineCollection([], colors=style.INK, linewidths=0.5, zorder=1)
        axes.add_collection(self.lines, autolim=False)
        self.lines.set_clip_path(frame)
        (self.path,) = axes.plot(
            [], [], "o-", c=style.ACCENT, lw=style.LINE, ms=5, mec="white", mew=0.6, zorder=5
        )
        (self.best,) = axes.plot(
            [], [], "*", c="white", ms=13, mec=style.INK, zorder=7, clip_on=False
        )
        (self.now,) = axes.plot(
            [], [], "D", c=style.ACCENT, ms=11, mec="white", zorder=6, clip_on=False
        )
        places = [(0.0, -0.05, "top"), (1.0, -0.05, "top"), (0.5, HEIGHT + 0.04, "bottom")]
        self.names = [
            axes.text(x, y, "", ha="center", va=va, fontsize=11, zorder=7, clip_on=False)
            for x, y, va in places
        ]

    def show(
        self, values: FloatArray, path: FloatArray, names: Sequence[str], *, best: Any = None
    ) -> None:
        """Show values on `LATTICE`, (k,), a path, (steps + 1, 3), and a star at the best, (3,)."""
        shares = (values - values.min()) / max(float(np.ptp(values)), 1e-12 * np.abs(values).max())
        roots = (pixels_from_lattice() @ np.sqrt(np.maximum(shares, 0.0))).reshape(PIXELS[::-1])
        self.image.set_data(np.clip(roots, 0, 1))
        self.lines.set_segments([level_curve(self.x1, self.x2, roots, v) for v in np.sqrt(SHARES)])
        places = to_plane(path)
        self.path.set_data(*places.T)
        self.now.set_data(*places[-1:].T)
        some = best is not None and np.ptp(values) > 1e-6 * values.max()  # else all are lowest
        self.best.set_data(*(to_plane(best[np.newaxis]).T if some else ([], [])))
        for text, name in zip(self.names, names, strict=True):
            text.set_text(name)


@cache
def pixels_from_lattice() -> FloatArray:
    """Return the matrix that takes values on the lattice to the pixels of the picture, smoothly.

    Cubic interpolation is linear in the values, so that one matrix does for every function. A pixel
    outside of the triangle takes the value of a place on its edge.
    """
    places = to_plane(LATTICE)
    x1, x2 = np.meshgrid(np.linspace(0, 1, PIXELS[0]), np.linspace(0, HEIGHT, PIXELS[1]))
    weights = np.maximum(to_weights(np.stack([x1.ravel(), x2.ravel()], axis=-1)), 0.0)
    weights /= weights.sum(axis=1, keepdims=True)
    inside = to_plane(weights) * (1 - 1e-9) + 1e-9 * CORNERS.mean(axis=0)
    matrix = CloughTocher2DInterpolator(places, np.eye(len(places)))(inside)
    return np.asarray(matrix)


class WeightBars(Mark):
    """A bar a kernel for its weight, and a tick for q_j as a share of the largest."""

    def __init__(self, axes: Axes, n_kernels: int) -> None:
        self.rows = np.arange(n_kernels)[::-1]
        self.bars = axes.barh(self.rows, np.zeros(n_kernels), height=0.42, color=style.ACCENT)
        self.ticks = axes.scatter(
            [], [], marker="|", s=420, c=style.INK, linewidths=style.LINE, zorder=4, clip_on=False
        )
        self.words = [
            axes.text(0.0, row + 0.42, "", va="center", fontsize=10, zorder=5) for row in self.rows
        ]
        axes.axvline(1.0, color=style.NEUTRAL, linestyle=":", linewidth=style.THIN)
        axes.set(xlim=(0, 1), ylim=(-0.45, n_kernels - 0.3), yticks=[])
        axes.legend(
            [self.bars, self.ticks], ["weight", "pull / largest"], loc="lower right", ncols=2,
            bbox_to_anchor=(1.02, 0.97), borderaxespad=0.0, handlelength=1.0, columnspacing=1.0,
            markerscale=0.65,
        )  # fmt: skip

    def show(self, weights: FloatArray, q: FloatArray, names: Sequence[str]) -> None:
        """Show weights and q = (α∘y)ᵀK_j(α∘y), both of shape (M,), and what the kernels are."""
        shares = q / q.max() if q.max() > 0 else np.zeros(len(q))
        for bar, weight in zip(self.bars, weights, strict=True):
            bar.set_width(weight)
        self.ticks.set_offsets(np.column_stack([shares, self.rows]))
        for text, name, weight, share in zip(self.words, names, weights, shares, strict=True):
            text.set_text(f"{name}: {weight:.3f}, pull {share:.0%}")
