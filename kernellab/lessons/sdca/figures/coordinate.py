"""Live figure of notebook 05: one coordinate's parabola, and the zigzag that many of them make."""

from __future__ import annotations

from typing import Any

import numpy as np
from contourpy import contour_generator
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.plane import Limits
from kernellab.lessons.sdca.theory.recording import record
from kernellab.live.controls import Button, Choice, Ladder, Slider, Steps
from kernellab.live.declared import Figure
from kernellab.live.parameters import C_with_lam
from kernellab.live.readout import nonnegative, written
from kernellab.solvers.sdca import CoordinateDual, coordinate_dual
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

LIMITS: Limits = (-0.35, 2.15, -0.35, 2.15)
CURVE: Limits = (-0.35, 2.15, -0.7, 1.9)
COSTS = (0.4, 0.6, 0.8, 1.0, 1.25, 1.5)
MOST = 300
ARRIVED = 1e-6  # right to six digits
SIDE = np.linspace(-0.35, 2.15, 201)
LABELS = {"equal": 1.0, "opposite": -1.0}
# How far below the top the level lines lie: close to it they are close.
DROPS = (0.004, 0.02, 0.05, 0.1, 0.18, 0.3, 0.45, 0.65, 0.9, 1.25, 1.7, 2.3, 3.1, 4.2)
SHADES = [style.SCORES(1.0 - 0.12 * k / len(DROPS)) for k in range(len(DROPS))]
SHADOW: dict[str, Any] = {"facecolor": "#d9d9d9", "edgecolor": "none", "alpha": 0.75}


class CoordinateParabola(Figure):
    """Two examples: the dual from above with the zigzag of SDCA, and the parabola of one step.

    K₁₁ = K₂₂ = 1, K₁₂ is ``similarity``. α₁ and α₂ are updated in turn. Taught in notebook 05.
    """

    question = "How many updates to the star? For which K₁₂ are two enough?"
    size = (10.0, 4.7)
    similarity = Slider("K₁₂: how alike they are", -0.95, 0.95, 0.05, 0.8)
    labels = Choice("labels", list(LABELS))
    C = Ladder("C", COSTS, 1.25, C_with_lam)
    t = Steps("updates made", 0, MOST)
    grip_names = ("the start, α₁ and α₂",)
    grip_colour = style.NEUTRAL
    presets = {
        "unrelated: K₁₂ = 0": {"similarity": 0.0, "t": 2},
        "alike, two updates": {"t": 2},
        "alike, at the star": {"t": 61},
        "alike, three updates": {"t": 3},
        "alike, opposite classes": {"labels": "opposite", "t": 3},
    }
    readout = (
        "update {next}: {name} = {current:.3f} + ({slope:.3f}) / 1 = {vertex:.3f}, {clipped}   "
        "D rises by {rise:.2g}\n"
        "after {made}: D = {dual:.4f}, {lacks:.2g} below the star   C = {C}"
    )
    alt = (
        "Left: level lines of the dual of two examples, K₁₂ = {similarity:.2f}, labels {labels}, "
        "in the box from 0 to C = {C:g}; the zigzag of {t} updates has come to ({alpha:.3f}), the "
        "optimum is ({top:.3f}). Right: the parabola of the next update: now {current:.3f}, top at "
        "{vertex:.3f}, clipped {best:.3f}."
    )

    @Button("one update")
    def step(self) -> None:
        """Make the next update."""
        self.t += 1

    @Button("to the star", "until both α are right to six digits")
    def arrive(self) -> None:
        """Go on, or back, to the first moment there."""
        off = np.abs(self.run.alphas - self.numbers["top"]).max(axis=1)
        self.t = int((off < ARRIVED).argmax())

    def build(self, figure: MplFigure) -> Axes:
        """Make the dual from above, and along the coordinate that moves next."""
        self.y = np.ones(2)
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.12])
        left.set(xlim=LIMITS[:2], ylim=LIMITS[2:], xlabel="α₁", ylabel="α₂")
        self.title = left.set_title("")
        left.set_box_aspect(1.0)
        self.levels = LineCollection([], linewidths=1.1, zorder=1)
        self.outside = PolyCollection([], zorder=1.5, **SHADOW)
        left.add_collection(self.levels, autolim=False)
        left.add_collection(self.outside, autolim=False)
        thick = 1.2 * style.LINE
        ink, accent = {"color": style.INK}, {"color": style.ACCENT}
        dot: dict[str, Any] = {"linestyle": "", "marker": "o", "markersize": 10}
        (self.box,) = left.plot([], [], linewidth=style.LINE, zorder=2, **ink)
        (self.search,) = left.plot(
            [], [], linewidth=style.LINE, linestyle=(0, (3, 1.5)), zorder=3, **accent
        )
        (self.path,) = left.plot([], [], "o-", linewidth=thick, markersize=4.5, zorder=4, **accent)
        (self.star,) = left.plot(
            [], [], "*", markersize=19, markerfacecolor="white", zorder=6, clip_on=False, **ink
        )
        (self.here,) = left.plot(
            [], [], markerfacecolor="white", zorder=5, clip_on=False, **dot, **ink
        )
        (self.target,) = left.plot(
            [], [], markeredgecolor="white", zorder=5, clip_on=False, **dot, **accent
        )

        right.set(xlim=CURVE[:2], ylim=CURVE[2:], xlabel="the α that moves", ylabel="rise of D")
        right.set_title("the next update climbs this parabola")
        right.axhline(0, color=style.NEUTRAL, linewidth=0.5, zorder=1)
        self.beyond_box = PolyCollection([], zorder=0.5, **SHADOW)
        right.add_collection(self.beyond_box, autolim=False)
        (self.beyond,) = right.plot([], [], "--", color=style.NEUTRAL, linewidth=style.LINE)
        (self.inside,) = right.plot([], [], linewidth=1.5 * style.LINE, zorder=3, **ink)
        (self.drop,) = right.plot([], [], ":", linewidth=style.THIN, **accent)
        (self.now,) = right.plot([], [], markerfacecolor="white", zorder=5, **dot, **ink)
        (self.vertex,) = right.plot(
            [], [], "^", markersize=17, markerfacecolor="white", color=style.NEUTRAL, zorder=4
        )
        (self.best,) = right.plot(
            [], [], "o", markersize=11, markeredgecolor="white", zorder=6, **accent
        )
        self.words = right.text(
            0.03, 0.97, "", transform=right.transAxes, va="top", zorder=7,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 2},
        )  # fmt: skip
        self.legend = right.legend(
            [self.now, self.vertex, self.best], ["now", "top", "the step: top, clipped"],
            loc="lower center", bbox_to_anchor=(0.5, 0.0), ncols=3, columnspacing=1.0,
            handletextpad=0.3, markerscale=0.7, frameon=True, framealpha=0.9, edgecolor="none",
        )  # fmt: skip
        self.legend.set_zorder(8)
        return left

    def grips(self) -> Any:
        """Return the start."""
        return [(0.0, 0.0)]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Run SDCA on the two examples from the grip, and show its path and its next parabola."""
        t, C, K12 = self.t, self.C, self.similarity
        K, self.y = np.array([[1.0, K12], [K12, 1.0]]), np.array([1.0, LABELS[self.labels]])
        in_turn = [np.array([0, 1])] * (MOST // 2 + 1)
        start = points[0].clip(0.0, C)
        self.run = record(K, self.y, C, updates=MOST, start=start, orders=in_turn)
        optimum = solve(smo(K, self.y, C, bias=False, gap=1e-10), gap=1e-9, max_passes=100)
        alpha, i = self.run.alphas[t], t % 2
        parabola = coordinate_dual(K, self.y, alpha, C, i)

        first, second = np.meshgrid(SIDE, SIDE)
        Q12 = K12 * self.y[1]
        self.show_levels(first + second - (first**2 + second**2) / 2 - Q12 * first * second)
        self.outside.set_verts(frame(LIMITS, C))
        self.box.set_data([0, C, C, 0, 0], [0, 0, C, C, 0])
        ends = np.stack([alpha, alpha])
        ends[:, i] = LIMITS[:2]
        self.search.set_data(*ends.T)
        after = np.where(np.arange(2) == i, parabola.best, alpha)
        self.target.set_data(after[:1], after[1:])
        for mark in (self.search, self.target):  # at the star nothing moves any more
            mark.set_visible(abs(parabola.best - parabola.current) > ARRIVED)
        made = f"{t} update{'s' * (t != 1)}"
        self.title.set_text(f"D from above, after {made}")
        self.path.set_data(*self.run.alphas[: t + 1].T)
        self.here.set_data(alpha[:1], alpha[1:])
        self.star.set_data(optimum.alpha[:1], optimum.alpha[1:])
        self.show_parabola(parabola, C)
        name, other = ("α₁", "α₂") if i == 0 else ("α₂", "α₁")
        self.words.set_text(written("{} moves, {} = {:.3f} is held", name, other, alpha[1 - i]))

        current, vertex, best = parabola.current, parabola.vertex, parabola.best
        outside = abs(best - vertex) >= 1e-12
        return {
            "next": t + 1,
            "made": made,
            "name": name,
            "current": current,
            "slope": np.round(parabola.slope, 3),
            "vertex": vertex,
            "best": best,
            "clipped": f"outside, clipped to {best:.3f}" if outside else "inside the box",
            "rise": nonnegative(float(parabola(best) - parabola(current))),
            "alpha": alpha,
            "top": optimum.alpha,
            "dual": self.run.dual[t],
            "lacks": nonnegative(optimum.dual - self.run.dual[t]),
        }

    def show_levels(self, dual: FloatArray) -> None:
        """Show level lines of the dual, which has these values on the grid of ``SIDE``."""
        generator, top = contour_generator(SIDE, SIDE, dual), dual.max()
        pieces: list[Any] = [generator.lines(top - drop) for drop in DROPS]
        self.levels.set_segments([line for lines in pieces for line in lines])
        self.levels.set_color(
            [shade for lines, shade in zip(pieces, SHADES, strict=True) for _ in lines]
        )

    def show_parabola(self, parabola: CoordinateDual, C: float) -> None:
        """Show how much higher the dual is along a coordinate, and the step to its top."""
        left, right, bottom, top = CURVE
        now = parabola(parabola.current)
        rise, within = parabola(SIDE) - now, (SIDE >= 0) & (SIDE <= C)
        self.beyond_box.set_verts(
            [
                np.array([(a, bottom), (b, bottom), (b, top), (a, top)])
                for a, b in ((left, 0.0), (C, right))
            ]
        )
        self.beyond.set_data(SIDE, rise)
        self.inside.set_data(SIDE[within], rise[within])
        places = np.array([parabola.current, parabola.vertex, parabola.best])
        # A top out of the picture is shown at its edge.
        places, rises = places.clip(left, right), (parabola(places) - now).clip(bottom, top)
        for mark, a, height in zip((self.now, self.vertex, self.best), places, rises, strict=True):
            mark.set_data([a], [height])
        self.drop.set_data([places[2]] * 2, [bottom, rises[2]])


def frame(limits: Limits, C: float) -> list[FloatArray]:
    """Return what of a rectangle lies outside [0, C]², as four rectangles."""
    left, right, bottom, top = limits
    boxes = [(left, 0, bottom, top), (C, right, bottom, top), (0, C, bottom, 0), (0, C, C, top)]
    return [np.array([(a, c), (b, c), (b, d), (a, d)], dtype=float) for a, b, c, d in boxes]
