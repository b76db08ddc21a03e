"""Live figure of notebook 05: another loss is another staircase, and the loop is the same."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets
import numpy as np

from kernellab.certificates import nu
from kernellab.datasets.targets import make_quarters
from kernellab.draw import style
from kernellab.draw.margin import SupportPoints
from kernellab.kernels import Gaussian
from kernellab.lessons.sdca.figures.stairs_marks import LossStairs
from kernellab.live.coincide import coincidence
from kernellab.live.explorer import WIDE, Explorer, choice
from kernellab.live.readout import minus
from kernellab.losses import (
    DualLoss,
    epsilon_insensitive,
    hinge,
    smoothed_hinge,
    squared,
    squared_hinge,
)
from kernellab.solvers.sdca import sdca
from kernellab.solving import CONVERGED, solve
from kernellab.validation import FloatArray

GAMMA = 60.0
COSTS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
WIDTHS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8)
GRID = np.linspace(0, 1, 241)
REACH = 2.0  # of f
RESIDUALS, SHARES = 2.2, 1.35

ONE_CLASS = "one class, hinge"
LOSSES: dict[str, Callable[[float], DualLoss]] = {
    "hinge": lambda width: hinge,
    "smoothed hinge": lambda width: smoothed_hinge(max(width, 1e-3)),
    "squared hinge": lambda width: squared_hinge,
    "regression, ε-insensitive": epsilon_insensitive,
    "regression, squared": lambda width: squared,
    ONE_CLASS: lambda width: hinge,
}


class OtherStairs(Explorer):
    """One loop, six problems: the function that is found, and its points on their stairs.

    Gaussian kernel, γ = 60, no bias. Taught in notebook 05.

    Parameters
    ----------
    loss
        One of the names in ``LOSSES``.
    C, width
        Cost; ε of the regression, or s of the smoothed hinge.
    """

    presets: Mapping[str, Any] = {
        "hinge": {"loss": "hinge"},
        "smoothed hinge": {"loss": "smoothed hinge", "width": 0.5},
        "squared hinge": {"loss": "squared hinge"},
        "a tube": {"loss": "regression, ε-insensitive", "width": 0.2},
        "squared": {"loss": "regression, squared"},
        "one class": {"loss": ONE_CLASS},
    }

    def __init__(
        self, loss: str = "regression, ε-insensitive", C: float = 3.0, width: float = 0.2
    ) -> None:
        data = make_quarters(18, 6)
        self.classes = np.column_stack([data.X[:, 0], data.y])
        noise = np.random.default_rng(0).normal(0, 0.15, 18)
        x = np.linspace(0.03, 0.97, 18)
        self.wave = np.column_stack([x, np.sin(2 * np.pi * x) + noise])
        crowd = np.random.default_rng(1).normal(0.5, 0.09, 16)
        self.crowd = np.column_stack([[0.06, *np.sort(crowd), 0.93], np.ones(18)])
        self.loss = choice("loss", list(LOSSES))
        self.loss.value = loss
        self.C = ipywidgets.SelectionSlider(
            options=[(f"{cost:g} (λ = {1 / (cost * 18):.3g})", cost) for cost in COSTS],
            value=C, description="C", **WIDE,
        )  # fmt: skip
        self.width = ipywidgets.SelectionSlider(
            options=[(f"{w:g}", w) for w in WIDTHS], value=width, description="ε, or s", **WIDE
        )
        figure = style.new_figure((10.4, 4.7))
        left, right = figure.subplots(1, 2, width_ratios=[1.35, 1])
        left.set(xlim=(0, 1), ylim=(-REACH, REACH), xlabel="x (drag the points)", ylabel="f(x)")
        left.set_title("what the loop finds")
        left.axhline(0, color=style.NEUTRAL, linewidth=0.5, zorder=1)
        (self.curve,) = left.plot([], [], color=style.INK, linewidth=1.4 * style.LINE, zorder=3)
        self.edges = [
            left.plot([], [], color=style.INK, linewidth=style.THIN, linestyle=(0, (5, 3)))[0]
            for _ in range(2)
        ]
        self.points = SupportPoints(left)
        right.set(
            xlim=(-RESIDUALS, RESIDUALS), ylim=(-SHARES, SHARES), xlabel="residual",
            ylabel="α / C, or coef / C", title="the stairs of this loss",
        )  # fmt: skip
        self.stairs = LossStairs(right)
        self._loaded = loss
        super().__init__(
            "Which points of these stairs have weight zero, and which are at a bound?",
            figure,
            [self.loss, self.C, self.width],
            moving=[self.curve, *self.edges, *self.points.artists, *self.stairs.artists],
            axes=left,
            points=self._places(),
            handles=self._handles(),
        )

    def update(self, points: FloatArray) -> str:
        """Run SDCA with this loss on the points as they are."""
        name = self.loss.value
        if name != self._loaded:
            self._loaded = name
            self.live.place(points := self._places(), self._handles())
        loss = LOSSES[name](self.width.value)
        C, x = self.C.value, points[:, 0]
        places = points.copy()
        if loss.signed:
            self.y = points[:, 1]
        else:
            one = name == ONE_CLASS
            self.y = np.ones(len(x)) if one else np.where(points[:, 1] < 0, -1.0, 1.0)
            places[:, 1] = self.y
        kernel = Gaussian(GAMMA)
        K = kernel(x[:, np.newaxis])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the cap is said in words below
            self.run = solve(sdca(K, self.y, C, loss=loss), gap=1e-4, max_passes=2000)
        self.coef = self.run.coef.copy()
        self.share = self.coef / C if loss.signed else self.run.alpha / C
        self.residuals = loss.residuals(self.run.scores, self.y)
        f = kernel(GRID[:, np.newaxis], x[:, np.newaxis]) @ self.coef
        self.curve.set_data(GRID, f)
        tube = name == "regression, ε-insensitive"
        levels = [f - self.width.value, f + self.width.value] if tube else [0 * f - 1, 0 * f + 1]
        for edge, level in zip(self.edges, levels, strict=True):
            edge.set_data(GRID, level if tube or not loss.signed else np.full(len(GRID), np.nan))
        # In regression the marker says on which side of the curve a point lies.
        kinds = np.where((self.residuals if loss.signed else places[:, 1]) < 0, -1.0, 1.0)
        weight = np.abs(self.coef)
        at_bound = np.abs(self.share) >= 1 - 1e-9 if np.isfinite(loss.dual.highest) else False
        self.points.show(places, kinds, weight, bounded=at_bound)
        on_stairs = np.column_stack([self.residuals, self.share])
        words = "r = y − f" if loss.signed else "r = 1 − y f"
        self.stairs.show(stairs_of(loss), on_stairs, kinds, words)
        said = self._sentence(at_bound)
        if not loss.signed:  # in regression f goes between two values at one place
            said += f"   {coincidence(x[:, np.newaxis], self.y, 'no f meets both')}"
        return said.rstrip()

    def describe(self) -> str:
        """Return the alternative text."""
        support = int((self.coef != 0).sum())
        return (
            f"Left: 18 points and the function that SDCA finds for {self._loaded}, "
            f"C = {self.C.value:g}, width {self.width.value:g}. Right: each point at its residual "
            f"and α/C (coef/C in regression) on the stairs of the loss; residuals from "
            f"{self.residuals.min():.2f} to {self.residuals.max():.2f}, {support} support vectors, "
            f"gap {max(self.run.gap, 0):.0e}."
        )

    def _places(self) -> FloatArray:
        if self._loaded == ONE_CLASS:
            return self.crowd
        return self.wave if self._loaded.startswith("regression") else self.classes

    def _handles(self) -> list[dict[str, str]]:
        return [{"label": f"point {i + 1}", "color": style.NEUTRAL} for i in range(18)]

    def _sentence(self, at_bound: FloatArray | bool) -> str:
        C, n = self.C.value, len(self.y)
        support = int((self.coef != 0).sum())
        bounded = int(np.sum(at_bound))
        how = "" if self.run.status == CONVERGED else f" ({self.run.status})"
        said = f"Σ|coef| = {np.abs(self.coef).sum():.3g}"
        if self._loaded == ONE_CLASS:
            said = f"ν = Σα/(Cn) = {nu(self.run.alpha, C):.2f}"
        return minus(
            f"{self._loaded}: {support} of {n} points have a weight, {bounded} are at a bound   "
            f"{said}\ngap {max(self.run.gap, 0.0):.0e} after {self.run.passes} passes{how}   "
            f"C = {C:g} (λ = {1 / (C * n):.3g})   ε, or s: {self.width.value:g}"
        )


def stairs_of(loss: DualLoss) -> FloatArray:
    """Return the residuals that go with every share a = α/C, as a line of shape (k, 2)."""
    low = max(loss.dual.lowest, -1.2 * SHARES)
    high = min(loss.dual.highest, 1.2 * SHARES)
    shares = np.union1d(np.linspace(low, high, 41), [0.0])
    first, last = loss.residuals_for(shares)
    corners = np.stack([np.column_stack([r, shares]) for r in (first, last)], axis=1)
    line: FloatArray = corners.reshape(-1, 2).clip(-9.0, 9.0)
    return line
