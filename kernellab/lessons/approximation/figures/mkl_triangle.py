"""Live figure of notebook 07: the weights of three kernels as a point that goes downhill."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import ipywidgets
import numpy as np

from kernellab.draw import style
from kernellab.draw.title import moving_title
from kernellab.lessons.approximation.figures.gap_marks import GapCurve
from kernellab.lessons.approximation.figures.kernel_weights_marks import WeightBars
from kernellab.lessons.approximation.figures.mkl_data import DIGITS, MAKERS, kernels_of
from kernellab.lessons.approximation.figures.triangle_marks import (
    WeightTriangle,
    to_plane,
    to_weights,
)
from kernellab.lessons.approximation.theory.mkl_surface import map_of_values, simplex_lattice
from kernellab.live.explorer import WIDE, Explorer, button, choice, steps
from kernellab.solvers.mkl import MKLState, mkl, mkl_alternating, project_on_simplex
from kernellab.validation import FloatArray

LATTICE = simplex_lattice(12)
COSTS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 100.0)
NORMS = (1.0, 1.1, 1.33, 2.0, 4.0)
SIZES = (0.1, 0.3, 1.0, 3.0, 10.0)
MOST = 30  # steps of the alternation
ENOUGH = 1e-6  # gap at which a path ends: more would not be seen


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
    return next(s for s in states if s.gap <= ENOUGH or s.passes >= 100)


class WeightPath(Explorer):
    """Drag the weights of three kernels over J(η), then let the alternation walk from there.

    Taught in notebook 07.

    Parameters
    ----------
    data
        One of the names in ``MAKERS``: what is shown first.
    p
        Norm of the weights at first.
    """

    presets: Mapping[str, Any] = {
        "parts of an image": {},
        "30 steps": {"t": 30},
        "ℓ2, 30 steps": {"p": 2.0, "t": 30},
        "signal and noise": {"data": "rings: signal and noise", "t": 30},
        "one kernel, thrice": {"data": "one kernel, thrice", "t": 30},
        "third kernel × 10": {"size": 10.0, "t": 30},
    }

    def __init__(self, data: str = DIGITS, p: float = 1.0) -> None:
        self.data = choice("kernels", list(MAKERS))
        self.data.value = data
        self.p = ipywidgets.SelectionSlider(
            options=[(f"{p:g}", p) for p in NORMS], value=p, description="norm p", **WIDE
        )
        self.cost = ipywidgets.SelectionSlider(
            options=[("", C) for C in COSTS], value=1.0, description="C", **WIDE
        )
        self.size = ipywidgets.SelectionSlider(
            options=[(f"{s:g}", s) for s in SIZES], value=1.0, description="third kernel ×", **WIDE
        )
        self.t = steps("step t", 0, 0, MOST)
        figure = style.new_figure((9.4, 5.0))
        axes = figure.subplot_mosaic(
            [["triangle", "bars"], ["triangle", "gap"]], width_ratios=[1.35, 1]
        )
        self.triangle = WeightTriangle(axes["triangle"], LATTICE)
        self.title = moving_title(axes["triangle"])
        self.bars = WeightBars(axes["bars"], 3)
        self.gaps = GapCurve(axes["gap"], MOST + 1, floor=ENOUGH / 10)
        axes["gap"].set_xlabel("SVMs solved")
        self._loaded = ""
        self._load()
        super().__init__(
            "Where is the lowest place? Drag the weights there, then see where the solver goes.",
            figure,
            [
                self.data, self.p, self.cost, self.size, self.t,
                button("one step", self.step, tooltip="an SVM, then a step of the weights"),
            ],
            moving=[*self.triangle.artists, *self.bars.artists, *self.gaps.artists, self.title],
            axes=axes["triangle"],
            points=[to_plane(np.ones(3) / 3)],
            handles=[{"label": "the first weights", "color": style.ACCENT}],
        )  # fmt: skip

    def step(self) -> None:
        """Go one step further; after the last one begin again."""
        self.t.value = self.t.value + 1 if self.t.value < MOST else 0

    def update(self, points: FloatArray) -> str:
        """Walk from the weights under the grip, t steps."""
        if self.data.value != self._loaded:
            self._load()
        self.first = project_on_simplex(to_weights(points[0]))
        self.states = self._walk(self.t.value)
        self.state = state = self.states[-1]
        key = self._loaded, self.size.value, self.cost.value, self.p.value
        path = np.array([s.weights / s.weights.sum() for s in self.states])
        self.best = optimum(*key)
        star = self.best.weights / self.best.weights.sum()
        self.triangle.show(surface(*key), path, self.names, best=star)
        self.bars.show(state.weights, state.q, self.names)
        gaps = np.array([s.gap for s in self.states])
        self.gaps.show(np.arange(1, len(gaps) + 1), gaps)
        self.title.set_text(f"J is {state.primal:.2f} here, {self.best.primal:.2f} at the star")
        return self._sentence()

    def describe(self) -> str:
        """Return the alternative text."""
        weights = ", ".join(
            f"{name} {w:.2f}" for name, w in zip(self.names, self.state.weights, strict=True)
        )
        best = ", ".join(f"{w:.2f}" for w in self.best.weights)
        return (
            f"J over the triangle of three kernels ({self._loaded}), ℓ{self.p.value:g} norm, "
            f"C = {self.cost.value:g}; lowest at ({best}). The path after {len(self.states)} SVMs: "
            f"{weights}; J = {self.state.primal:.2f}, gap {self.state.gap:.1e}. Bars: weights, and "
            f"q as a share of the largest. Below, the gap against the number of SVMs."
        )

    # --- how it does it ------------------------------------------------------------------------

    def _load(self) -> None:
        self._loaded = self.data.value
        self.problem = kernels_of(self._loaded)
        n = len(self.problem.y)
        self.offer(self.cost, [(f"{C:g} (λ = {1 / (C * n):.2g})", C) for C in COSTS])

    @property
    def names(self) -> tuple[str, ...]:
        """The three kernels."""
        size = self.size.value
        *others, last = self.problem.names
        return (*others, last if size == 1 else f"{size:g} × {last}")

    def _walk(self, t: int) -> list[MKLState]:
        """Return the states of the alternation, t steps from the first weights, or to the end."""
        Ks = grams(self._loaded, self.size.value)
        states = mkl_alternating(
            Ks, self.problem.y, self.cost.value, p=self.p.value, weights=self.first
        )
        walk = [next(states)]
        while len(walk) <= t and walk[-1].gap > ENOUGH:
            walk.append(next(states))
        return walk

    def _sentence(self) -> str:
        state, C, n = self.state, self.cost.value, len(self.problem.y)
        eta = ", ".join(f"{w:.3f}" for w in state.weights)
        shares = ", ".join(f"{v:.3f}" for v in state.q / max(state.q.max(), 1e-300))
        done = "   there" if state.gap <= ENOUGH else ""
        zero = self.p.value > 1 and self.first.min() == 0
        stuck = "   a weight that starts at 0 stays 0 when p > 1" if zero else ""
        return (
            f"η = ({eta})   ‖η‖ with p = {self.p.value:g}   C = {C:g} (λ = {1 / (C * n):.3g})   "
            f"SVMs: {len(self.states)}   J = {state.primal:.3f}, lowest {self.best.primal:.3f}\n"
            f"gap {state.gap:.2e}{done}   q / largest q = ({shares})   support vectors: "
            f"{int((state.alpha > 0).sum())} of {n}{stuck}"
        )
