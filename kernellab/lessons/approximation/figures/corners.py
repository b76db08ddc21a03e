"""Live figure of notebook 07: why the ℓ1 norm selects kernels and the ℓ2 norm combines them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import ipywidgets
import numpy as np
from scipy.interpolate import RectBivariateSpline

from kernellab.draw import style
from kernellab.draw.title import moving_title
from kernellab.lessons.approximation.figures.corners_marks import TOP, AlongCurves, WeightPlane
from kernellab.lessons.approximation.figures.mkl_data import (
    DIGITS,
    IRIS,
    NOISES,
    SAME,
    WIDTHS,
    kernels_of,
)
from kernellab.lessons.approximation.theory.mkl_surface import map_of_values, weighted_svm
from kernellab.live.explorer import WIDE, Explorer, choice
from kernellab.solvers.mkl import mkl
from kernellab.solvers.mkl.newton import scale_to_norm
from kernellab.validation import FloatArray

PAIRS = {
    "petals and sepals": (IRIS, (1, 0)),
    "signal and wide noise": (NOISES, (0, 1)),
    "signal and narrow noise": (NOISES, (0, 2)),
    "γ = 1 and γ = 10": (WIDTHS, (1, 2)),
    "upper and lower rows": (DIGITS, (0, 2)),
    "the same kernel twice": (SAME, (0, 1)),
}
COSTS = (0.1, 0.3, 1.0, 3.0, 10.0, 100.0)
NORMS = (1.05, 1.2, 1.5, 2.0, 3.0, 8.0)
COARSE = np.linspace(0.0, TOP, 13)
COARSE[0] = 0.01  # J at no weight at all has no slope worth drawing
FINE = np.linspace(0.01, TOP, 60)
SHARES = np.linspace(0.0, 1.0, 41)
DIRECTIONS = np.column_stack([1 - SHARES, SHARES])


@cache
def problem(pair: str) -> tuple[FloatArray, FloatArray, tuple[str, str]]:
    """Return two Gram matrices, the labels and the two names."""
    name, (first, second) = PAIRS[pair]
    data = kernels_of(name)
    return data.Ks[[first, second]], data.y, (data.names[first], data.names[second])


@cache
def field(pair: str, C: float) -> FloatArray:
    """Return J over the plane of two weights, on the fine grid."""
    Ks, y, _ = problem(pair)
    first, second = np.meshgrid(COARSE, COARSE)
    lattice = np.column_stack([first.ravel(), second.ravel()])
    values = np.array([v for v in _values(Ks, y, C, lattice)]).reshape(first.shape)
    # The logarithm is smoother where J is steep.
    return np.exp(RectBivariateSpline(COARSE, COARSE, np.log(values))(FINE, FINE))


def _values(Ks: FloatArray, y: FloatArray, C: float, lattice: FloatArray) -> FloatArray:
    alpha, values = None, []
    for weights in lattice:
        svm = weighted_svm(Ks, y, C, weights, start=alpha, gap=1e-3)
        alpha = svm.alpha
        values.append(svm.value)
    return np.array(values)


@cache
def along(pair: str, C: float, p: float) -> tuple[FloatArray, FloatArray, float]:
    """Return J along ‖η‖_p = 1, and the lowest place there with its J."""
    Ks, y, _ = problem(pair)
    values = map_of_values(Ks, y, C, DIRECTIONS, p=p)
    best = next(s for s in mkl(Ks, y, C, p=p) if s.gap <= 1e-5 or s.passes >= 100)
    return values, best.weights, best.primal


class CornersAndArc(Explorer):
    """Two weights: J over their plane, touched by a segment (ℓ1) and by an arc (ℓp).

    Taught in notebook 07.

    Parameters
    ----------
    pair
        One of the names in ``PAIRS``: what is shown first.
    """

    presets: Mapping[str, Any] = {
        "petals and sepals": {},
        "wide noise": {"pair": "signal and wide noise"},
        "narrow noise": {"pair": "signal and narrow noise"},
        "two widths": {"pair": "γ = 1 and γ = 10"},
        "the same twice": {"pair": "the same kernel twice"},
        "nearly a segment": {"p": 1.05},
    }

    def __init__(self, pair: str = "petals and sepals") -> None:
        self.pair = choice("kernels", list(PAIRS))
        self.pair.value = pair
        self.p = ipywidgets.SelectionSlider(
            options=[(f"{p:g}", p) for p in NORMS], value=2.0, description="p of the arc", **WIDE
        )
        self.cost = ipywidgets.SelectionSlider(
            options=[("", C) for C in COSTS], value=1.0, description="C", **WIDE
        )
        figure = style.new_figure((9.4, 4.6))
        left, right = figure.subplots(1, 2, width_ratios=[1, 1])
        self.plane = WeightPlane(left)
        left.set(xlabel="weight η₁ of the first kernel", ylabel="weight η₂ of the second")
        self.along = AlongCurves(right)
        self.titles = [moving_title(left), moving_title(right, 26)]
        self._set_costs()
        super().__init__(
            "Where does the lowest level touch the segment, and where the arc?",
            figure,
            [self.pair, self.p, self.cost],
            moving=[*self.plane.artists, *self.along.artists, *self.titles],
            axes=left,
            points=[(0.6, 0.6)],
            handles=[{"label": "two weights", "color": style.ACCENT}],
        )

    def update(self, points: FloatArray) -> str:
        """Find the lowest place on both curves, and J at the grip."""
        pair, p, C = self.pair.value, self.p.value, self.cost.value
        Ks, y, self.names = problem(pair)
        if len(y) != self._n:
            self._set_costs()
        straight, corner, at_corner = along(pair, C, 1.0)
        bent, place, at_place = along(pair, C, p)
        self.corner, self.place, self.lowest = corner, place, (at_corner, at_place)
        arc = np.array([scale_to_norm(d, p) for d in DIRECTIONS])
        self.weights = np.clip(points[0], 0.0, TOP)
        svm = weighted_svm(Ks, y, C, self.weights)
        self.value, self.slope = svm.value, -svm.q / 2
        values = field(pair, C)
        self.plane.show(
            FINE, values, (DIRECTIONS, arc), (corner, place), (at_corner, at_place), self.weights
        )
        shares = [float(w[1] / w.sum()) for w in (corner, place)]
        self.along.show(SHARES, (straight, bent), shares)
        self.selected = int((corner > 1e-3).sum())
        self.titles[0].set_text(f"J, light is low: η₁ {self.names[0]}, η₂ {self.names[1]}")
        kept = "one kernel" if self.selected == 1 else "both kernels"
        self.titles[1].set_text(f"the segment keeps {kept}, the arc both")
        return (
            f"lowest on the segment: ({corner[0]:.3f}, {corner[1]:.3f}), J = {at_corner:.2f}   "
            f"on the arc, p = {p:g}: ({place[0]:.3f}, {place[1]:.3f}), J = {at_place:.2f}   "
            f"C = {C:g} (λ = {1 / (C * len(y)):.3g})\n"
            f"at the diamond ({self.weights[0]:.2f}, {self.weights[1]:.2f}): J = {self.value:.2f}, "
            f"slope ({self.slope[0]:.2f}, {self.slope[1]:.2f})   support vectors: "
            f"{int((svm.alpha > 0).sum())}   gap {svm.gap:.0e}".replace("-", "−")
        )

    def describe(self) -> str:
        """Return the alternative text."""
        (a, b), (c, d) = self.corner, self.place
        return (
            f"Left: levels of J over the weights of two kernels, {self.names[0]} and "
            f"{self.names[1]}, C = {self.cost.value:g}. On the segment of sum 1 the lowest place "
            f"is ({a:.2f}, {b:.2f}), on the arc of norm p = {self.p.value:g} ({c:.2f}, {d:.2f}); "
            f"the levels through both are dashed. Right: J along both, from {self.lowest[0]:.2f} "
            f"and from {self.lowest[1]:.2f} upwards."
        )

    def _set_costs(self) -> None:
        self._n = len(problem(self.pair.value)[1])
        self.offer(self.cost, [(f"{C:g} (λ = {1 / (C * self._n):.2g})", C) for C in COSTS])
