"""Live figure of notebook 07: why the ℓ1 norm selects kernels and the ℓ2 norm combines them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure as MplFigure
from matplotlib.lines import Line2D
from scipy.interpolate import RectBivariateSpline

from kernellab.draw import style
from kernellab.draw.contours import level_curve
from kernellab.draw.curves import Curves
from kernellab.draw.field import show_field
from kernellab.draw.mark import Mark
from kernellab.draw.matrix import SIMILARITY
from kernellab.draw.title import moving_title
from kernellab.lessons.approximation.figures.mkl_data import (
    IRIS,
    NOISES,
    SAME,
    THIRDS_OF_DIGITS,
    WIDTHS,
    kernels_of,
)
from kernellab.lessons.approximation.theory.mkl_surface import map_of_values, weighted_svm
from kernellab.live.controls import Choice, Ladder
from kernellab.live.declared import Figure
from kernellab.live.parameters import C_with_lam
from kernellab.solvers.mkl import mkl
from kernellab.solvers.mkl.newton import scale_to_norm
from kernellab.validation import FloatArray

PAIRS = {
    "petals and sepals": (IRIS, (1, 0)),
    "signal and wide noise": (NOISES, (0, 1)),
    "signal and narrow noise": (NOISES, (0, 2)),
    "γ = 1 and γ = 10": (WIDTHS, (1, 2)),
    "upper and lower rows": (THIRDS_OF_DIGITS, (0, 2)),
    "the same kernel twice": (SAME, (0, 1)),
}
COSTS = (0.1, 0.3, 1.0, 3.0, 10.0, 100.0)
NORMS = (1.05, 1.2, 1.5, 2.0, 3.0, 8.0)
LOOKS = {"p = 1: a segment": (style.NEGATIVE, "-"), "p: an arc": (style.POSITIVE, "--")}
TOP = 1.15  # of both weights
COARSE = np.linspace(0.0, TOP, 13)
COARSE[0] = 0.01  # J at no weight at all has no slope worth drawing
FINE = np.linspace(0.01, TOP, 60)
SHARES = np.linspace(0.0, 1.0, 41)
DIRECTIONS = np.column_stack([1 - SHARES, SHARES])


@cache
def two_kernels(pair: str) -> tuple[FloatArray, FloatArray, tuple[str, str]]:
    """Return two Gram matrices, the labels and the two names."""
    name, (first, second) = PAIRS[pair]
    data = kernels_of(name)
    return data.Ks[[first, second]], data.y, (data.names[first], data.names[second])


@cache
def field(pair: str, C: float) -> FloatArray:
    """Return J over the plane of two weights, on the fine grid."""
    Ks, y, _ = two_kernels(pair)
    first, second = np.meshgrid(COARSE, COARSE)
    alpha, values = None, []
    for weights in np.column_stack([first.ravel(), second.ravel()]):
        svm = weighted_svm(Ks, y, C, weights, start=alpha, gap=1e-3)
        alpha = svm.alpha
        values.append(svm.value)
    logs = np.log(values).reshape(first.shape)
    # The logarithm is smoother where J is steep.
    return np.exp(RectBivariateSpline(COARSE, COARSE, logs)(FINE, FINE))


@cache
def along(pair: str, C: float, p: float) -> tuple[FloatArray, FloatArray, float]:
    """Return J along ‖η‖_p = 1, and the lowest place there with its J."""
    Ks, y, _ = two_kernels(pair)
    values = map_of_values(Ks, y, C, DIRECTIONS, p=p)
    best = next(s for s in mkl(Ks, y, C, p=p) if s.gap <= 1e-5 or s.solves >= 100)
    return values, best.weights, best.primal


class CornersAndArc(Figure):
    """Two weights: J over their plane, touched by a segment (ℓ1) and by an arc (ℓp).

    Taught in notebook 07.
    """

    question = "Where does the lowest level touch the segment, and where the arc?"
    answer = ("lowest", "along", "touching")
    size = (9.4, 4.6)
    pair = Choice("kernels", list(PAIRS))
    p = Ladder("p of the arc", NORMS, 2.0)
    cost = Ladder("C", COSTS, 1.0, C_with_lam)
    grip_names = ("two weights",)
    presets = {
        "nearly a segment": {"p": 1.05},
        "petals and sepals": {},
        "wide noise": {"pair": "signal and wide noise"},
        "narrow noise": {"pair": "signal and narrow noise"},
        "two widths": {"pair": "γ = 1 and γ = 10"},
        "the same twice": {"pair": "the same kernel twice"},
    }
    readout = (
        "lowest on the segment: ({corner:.3f}), J = {at_corner:.2f}   on the arc: ({place:.3f}), "
        "J = {at_place:.2f}\n"
        "at the diamond ({weights:.2f}): J = {J:.2f}, slope ({slope:.2f})   gap {gap:.0e}"
    )
    alt = (
        "Left: levels of J over the weights of two kernels, {names[0]} and {names[1]}, C = "
        "{cost:g}. On the segment of sum 1 the lowest place is ({corner:.2f}), on the arc of norm "
        "p = {p:g} ({place:.2f}); the levels through both are dashed. Right: J along both, from "
        "{at_corner:.2f} and from {at_place:.2f} upwards."
    )

    @property
    def y(self) -> FloatArray:
        """The labels."""
        return two_kernels(self.pair)[1]

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane of weights, and J along both curves."""
        left, right = figure.subplots(1, 2, width_ratios=[1, 1])
        self.plane = WeightPlane(left)
        self.touching = self.plane.lowest, self.plane.touching
        self.along = Curves(right, LOOKS)
        self.along.legend(fontsize=10)
        right.set(
            xlim=(0, 1), ylim=(0.98, 2.0), xlabel="η₂ / (η₁ + η₂)",
            ylabel="J / lowest J on the curve",
        )  # fmt: skip
        self.lowest = lowest_places(right, 90)
        self.title = moving_title(left)
        moving_title(right, 26).set_text("J along the segment and along the arc")
        return left

    def grips(self) -> FloatArray:
        """Return where the weights are at first."""
        return np.array([[0.6, 0.6]])

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Find the lowest place on both curves, and J at the grip."""
        pair, p, C = self.pair, self.p, self.cost
        Ks, y, names = two_kernels(pair)
        straight, corner, at_corner = along(pair, C, 1.0)
        bent, place, at_place = along(pair, C, p)
        arc = np.array([scale_to_norm(d, p) for d in DIRECTIONS])
        weights = np.clip(points[0], 0.0, TOP)
        svm = weighted_svm(Ks, y, C, weights)
        selected = int((corner > 1e-3).sum())

        self.plane.show(
            FINE, field(pair, C), (DIRECTIONS, arc), (corner, place), (at_corner, at_place), weights
        )
        shares = [float(w[1] / w.sum()) for w in (corner, place)]
        curves = {name: J / J.min() for name, J in zip(LOOKS, (straight, bent), strict=True)}
        self.along.show(SHARES, curves, np.nan, [])
        for mark, share in zip(self.lowest, shares, strict=True):
            mark.set_offsets([(share, 1.0)])
        self.title.set_text(f"J, light is low: η₁ {names[0]}, η₂ {names[1]}")
        return {
            "names": names,
            "corner": corner,
            "at_corner": at_corner,
            "selected": selected,
            "place": place,
            "at_place": at_place,
            "weights": weights,
            "J": svm.value,
            "slope": -svm.q / 2,
            "gap": svm.gap,
        }


def lowest_places(axes: Axes, area: float) -> list[PathCollection]:
    """Make the marks for the lowest place on the segment, a square, and on the arc, a circle."""
    return [
        axes.scatter([], [], marker=marker, s=area, c=colour, edgecolors=style.INK, zorder=5,
                     clip_on=False)
        for marker, (colour, _) in zip("so", LOOKS.values(), strict=True)
    ]  # fmt: skip


class WeightPlane(Mark):
    """Levels of J over two weights, the curves ‖η‖_p = 1, and the lowest place on each of them."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        self.image = show_field(
            axes, SIMILARITY, low=0, high=1.7, origin="lower", extent=(0, TOP, 0, TOP), zorder=0
        )
        axes.set_box_aspect(1.0)
        axes.set(xlim=(0, TOP), ylim=(0, TOP))
        axes.set(xlabel="weight η₁ of the first kernel", ylabel="weight η₂ of the second")
        self.levels = LineCollection([], colors=style.NEUTRAL, linewidths=0.6, zorder=1)
        self.touching = LineCollection(
            [], colors=style.INK, linewidths=style.LINE, linestyles="--", zorder=2
        )
        axes.add_collection(self.levels, autolim=False)
        axes.add_collection(self.touching, autolim=False)
        self.curves = [
            axes.add_line(Line2D([], [], color=colour, linewidth=1.5 * style.LINE, zorder=3))
            for colour, _ in LOOKS.values()
        ]
        self.lowest = lowest_places(axes, 130)
        self.now = axes.scatter(
            [], [], marker="D", s=110, c=style.ACCENT, edgecolors="white", zorder=6, clip_on=False
        )

    def show(
        self, grid: FloatArray, values: FloatArray, curves: Sequence[FloatArray],
        lowest: Sequence[FloatArray], touching: Sequence[float], now: FloatArray,
    ) -> None:  # fmt: skip
        """Show J, values of shape (k, k), a row a second weight, on a grid of weights, shape (k,).

        The segment and the arc are curves of shape (k, 2), with their lowest places, shape (2,),
        and the levels of J there, which touch the curves; now, shape (2,), is a point to mark.
        """
        low, high = values.min(), values.max()
        roots = np.sqrt((values - low) / max(high - low, 1e-300))
        self.image.set_data(roots)
        steps = low + (high - low) * np.linspace(0.08, 0.95, 10) ** 2
        self.levels.set_segments([level_curve(grid, grid, values, level) for level in steps])
        self.touching.set_segments([level_curve(grid, grid, values, level) for level in touching])
        for line, curve in zip(self.curves, curves, strict=True):
            line.set_data(*curve.T)
        for mark, place in zip(self.lowest, lowest, strict=True):
            mark.set_offsets(place[np.newaxis])
        self.now.set_offsets(now[np.newaxis])
