"""Live figure of notebook 05: another loss is another staircase, and the loop is the same."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.certificates import nu
from kernellab.datasets.targets import make_quarters
from kernellab.draw import style
from kernellab.draw.margin import SupportPoints
from kernellab.draw.plane import Points
from kernellab.kernels import Gaussian
from kernellab.live.coincide import coincidence
from kernellab.live.controls import Ladder, Sample
from kernellab.live.declared import Figure
from kernellab.live.parameters import C_with_lam
from kernellab.losses import (
    DualLoss,
    epsilon_insensitive,
    hinge,
    smoothed_hinge,
    squared,
    squared_hinge,
)
from kernellab.solvers.sdca import sdca
from kernellab.solving import CONVERGED, NotConverged, solve
from kernellab.validation import FloatArray

KERNEL = Gaussian(60.0)
COSTS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
WIDTHS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8)
N = 18
GRID = np.linspace(0, 1, 241)
REACH = 2.0  # of f
RESIDUALS, SHARES = 2.2, 1.35

ONE_CLASS = "one class, hinge"
TUBE = "regression, ε-insensitive"
LOSSES: dict[str, Callable[[float], DualLoss]] = {
    "hinge": lambda width: hinge,
    "smoothed hinge": lambda width: smoothed_hinge(max(width, 1e-3)),
    "squared hinge": lambda width: squared_hinge,
    TUBE: epsilon_insensitive,
    "regression, squared": lambda width: squared,
    ONE_CLASS: lambda width: hinge,
}


def classes() -> FloatArray:
    """Return points of two classes: x, and −1 or +1."""
    data = make_quarters(N, 6)
    return np.column_stack([data.X[:, 0], data.y])


def wave() -> FloatArray:
    """Return noisy values of a sine."""
    x = np.linspace(0.03, 0.97, N)
    return np.column_stack([x, np.sin(2 * np.pi * x) + np.random.default_rng(0).normal(0, 0.15, N)])


def crowd() -> FloatArray:
    """Return points of one class, of which two stand apart."""
    x = np.sort(np.random.default_rng(1).normal(0.5, 0.09, N - 2))
    return np.column_stack([[0.06, *x, 0.93], np.ones(N)])


SAMPLES = {
    "hinge": classes,
    "smoothed hinge": classes,
    "squared hinge": classes,
    TUBE: wave,
    "regression, squared": wave,
    ONE_CLASS: crowd,
}


class OtherStairs(Figure):
    """One loop, six problems: the function that is found, and its points on their stairs.

    Gaussian kernel, γ = 60, no bias. ``width`` is the ε of the regression, or the s of the smoothed
    hinge. Taught in notebook 05.
    """

    question = "Which points of these stairs have weight zero, and which are at a bound?"
    answer = ("stairs", "on_stairs")
    size = (10.4, 4.7)
    loss = Sample("loss", SAMPLES, TUBE)
    C = Ladder("C", COSTS, 3.0, C_with_lam)
    width = Ladder("ε, or s", WIDTHS, 0.2)
    presets = {
        "hinge": {"loss": "hinge"},
        "smoothed hinge": {"loss": "smoothed hinge", "hidden": True},
        "squared hinge": {"loss": "squared hinge", "hidden": True},
        "a tube": {"loss": TUBE, "hidden": True},
        "squared": {"loss": "regression, squared", "hidden": True},
        "one class": {"loss": ONE_CLASS, "hidden": True},
        "one class, small C": {"loss": ONE_CLASS, "C": 0.3},
    }
    readout = (
        "{loss}: {support} of {n} points have a weight, {bounded} are at a bound   "
        "Σ|coef| = {total:.3g}   ν = Σα/(Cn) = {nu:.2f}\n"
        "gap {gap:.0e} after {passes} passes{status}   C = {C}   ε, or s: {width:g}   {together}"
    )
    alt = (
        "Left: {n} points and the function that SDCA finds for {loss}, C = {C:g}, width {width:g}. "
        "Right: each point at its residual and α/C (coef/C in regression) on the stairs of the "
        "loss; residuals from {least:.2f} to {most:.2f}, {support} support vectors, gap {gap:.0e}."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the function over its points, and the stairs."""
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
        right.axhline(0, color=style.NEUTRAL, linewidth=0.5, zorder=1)
        right.axvline(0, color=style.NEUTRAL, linewidth=0.5, zorder=1)
        (self.stairs,) = right.plot([], [], color=style.INK, linewidth=1.6 * style.LINE, zorder=3)
        self.words = right.text(
            0.02, 0.98, "", transform=right.transAxes, va="top", fontsize=10, zorder=6
        )
        self.on_stairs = Points(right)
        return left

    def take(self, data: FloatArray) -> None:
        """Take points of the plane: x, and a value or a class."""
        self.X, self.y = data, data[:, 1]

    def handles(self) -> list[dict[str, str]]:
        """Return a handle for each point, which may be of either class."""
        return [{"label": f"point {i + 1}", "color": style.NEUTRAL} for i in range(N)]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Run SDCA with this loss on the points as they are."""
        C, width, one_class = self.C, self.width, self.loss == ONE_CLASS
        loss = LOSSES[self.loss](width)
        regression = loss.signed
        x, self.y = points[:, 0], points[:, 1]
        if not regression:
            self.y = np.where((self.y < 0) & (not one_class), -1.0, 1.0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotConverged)  # the cap is said in words below
            K = KERNEL(x[:, np.newaxis])
            self.run = run = solve(sdca(K, self.y, C, loss=loss), gap=1e-4, max_passes=2000)
        coef = run.coef.copy()
        share = (coef if regression else run.alpha) / C
        residuals = loss.residuals(run.scores, self.y)
        bounded = (np.abs(share) >= 1 - 1e-9) & np.isfinite(loss.dual.highest)

        f = KERNEL(GRID[:, np.newaxis], x[:, np.newaxis]) @ coef
        self.curve.set_data(GRID, f)
        for edge, side in zip(self.edges, (-1, 1), strict=True):
            level = np.full(len(GRID), np.nan if regression else side)
            edge.set_data(GRID, f + side * width if self.loss == TUBE else level)
        # In regression the marker says on which side of the curve a point lies.
        kinds = np.where((residuals if regression else self.y) < 0, -1.0, 1.0)
        self.points.show(np.column_stack([x, self.y]), kinds, np.abs(coef), bounded=bounded)
        self.stairs.set_data(*stairs_of(loss).T)
        high = np.array([RESIDUALS, SHARES])
        self.on_stairs.show(np.column_stack([residuals, share]).clip(-high, high), kinds)
        self.words.set_text("r = y − f" if regression else "r = 1 − y f")
        return {
            "n": N,
            "coef": coef,
            "share": share,
            "residuals": residuals,
            "least": residuals.min(),
            "most": residuals.max(),
            "support": (coef != 0).sum(),
            "bounded": bounded.sum(),
            "total": None if one_class else np.abs(coef).sum(),
            "nu": nu(run.alpha, C) if one_class else None,
            "gap": max(run.gap, 0.0),
            "passes": run.passes,
            "status": "" if run.status == CONVERGED else f" ({run.status})",
            # In regression f goes between two values at one place.
            "together": ""
            if regression
            else coincidence(x[:, np.newaxis], self.y, "no f meets both"),
        }


def stairs_of(loss: DualLoss) -> FloatArray:
    """Return the residuals that go with every share a = α/C, as a line of shape (k, 2)."""
    low = max(loss.dual.lowest, -1.2 * SHARES)
    high = min(loss.dual.highest, 1.2 * SHARES)
    shares = np.union1d(np.linspace(low, high, 41), [0.0])
    first, last = loss.optimal_residuals(shares)
    corners = np.stack([np.column_stack([r, shares]) for r in (first, last)], axis=1)
    line: FloatArray = corners.reshape(-1, 2).clip(-9.0, 9.0)
    return line
