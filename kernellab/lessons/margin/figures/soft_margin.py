"""Live figure of notebook 02: C over noisy points, three kinds of them, and both counts."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.ticker import MaxNLocator

from kernellab.datasets import make_clouds
from kernellab.draw import style
from kernellab.draw.curves import Curves
from kernellab.draw.margin import SupportPoints
from kernellab.draw.plane import Limits, ScoreField, Separator, plane
from kernellab.lessons.margin.figures.hulls import SAMPLES, Data, two_groups
from kernellab.lessons.margin.figures.support_marks import (
    COUNTS,
    feet_of_slacks,
    key_to_points,
    make_room,
)
from kernellab.lessons.margin.theory.soft_margin import ON_THE_MARGIN, soft_margin
from kernellab.live.coincide import coincidence
from kernellab.live.controls import Ladder, Sample
from kernellab.live.declared import Figure
from kernellab.live.memoize import memoize
from kernellab.live.parameters import C_and_lam
from kernellab.solvers.smo import smo
from kernellab.solvers.smo.rows import Gram
from kernellab.solving import CONVERGED, NotConverged, solve
from kernellab.validation import FloatArray

LIMITS: Limits = (-4.0, 4.0, -4.0, 4.0)
COSTS = np.round(np.geomspace(0.01, 100.0, 33), 4)  # eight a decade
GAP = 1e-9  # 1e-7 leaves one margin error too many at C = 0.75
MOST = 24
TINY = 1e-9  # a shorter w is none


def noisy_clouds() -> Data:
    """Return two clouds that run into each other, without points that hide each other."""
    data = make_clouds(60, 2.4, 9)
    X, y = 1.2 * data.X, data.y
    kept: list[int] = []
    for i in range(len(y)):
        apart = all(np.hypot(*(X[i] - X[j])) > 0.75 for j in kept)
        if apart and np.abs(X[i]).max() < LIMITS[1] and len(kept) < MOST:
            kept.append(i)
    return X[kept], y[kept]


def one_outlier() -> Data:
    """Return two groups with a wide band between them, but for one point of class +1."""
    X, y = two_groups()
    X[0] = (-0.2, -1.2)  # still on its own side of a line, but barely
    return X, y


POINTS = {
    "two noisy clouds": noisy_clouds,
    "one outlier": one_outlier,
    "one point, two labels": SAMPLES["one point, two labels"],
}


class OverCosts(NamedTuple):
    """For each of ``COSTS``: α, shape (m, n), Σξ and ‖w‖, shape (m,), both counts, (2, m)."""

    alphas: FloatArray
    slack: FloatArray
    lengths: FloatArray
    counts: Any


@memoize
def over_costs(X: FloatArray, y: FloatArray) -> OverCosts:
    """Solve for every C, each from the solution for the C before."""
    Z = X - X.mean(axis=0)  # Σ α_i y_i = 0: the origin does not matter
    K, svms, start = Gram(Z @ Z.T), [], None
    for C in COSTS:
        svms.append(solve(smo(K, y, C, start=start, gap=GAP), gap=GAP, max_passes=2000))
        start = svms[-1].alpha
    alphas = np.array([svm.alpha for svm in svms])
    W = (alphas * y) @ Z
    slack = np.maximum(0.0, 1.0 - y * (W @ Z.T + np.array([[svm.b] for svm in svms])))
    counts = np.stack([(alphas > 0).sum(axis=1), (slack > ON_THE_MARGIN).sum(axis=1)])
    return OverCosts(alphas, slack.sum(axis=1), np.linalg.norm(W, axis=1), counts)


class SoftMargin(Figure):
    """Move C, drag points: who is inside the margin, and what do slacks and weights do?

    Taught in notebook 02.
    """

    question = "Make slack cheaper: what becomes of the band, and who has slack then?"
    answer = ("slack", "length", "counts")
    size = (9.8, 4.9)
    strip_size = (6.4, 4.1)
    sample = Sample("points", POINTS, within=3.8, grip="point", first=1)
    C = Ladder("cost", COSTS, 1.0, C_and_lam)
    presets = {
        "slack costs much": {"C": 100.0},
        "C = 1": {"C": 1.0},
        "slack is cheap": {"C": COSTS[4]},
        "one outlier, C = 0.1": {"sample": "one outlier", "C": COSTS[8]},
        "one outlier, C = 1": {"sample": "one outlier", "C": 1.0},
        "one outlier, C = 100": {"sample": "one outlier", "C": 100.0},
        "one point, two labels": {"sample": "one point, two labels", "C": 100.0},
    }
    readout = (
        "Σξ = {slack:.2f}   ‖w‖ = {length:.2f}   half-margin {half_margin:.2f}   {no_line}   "
        "{status}, gap {gap:.1g}   {together}\n"
        "inside the band {errors}, on the wrong side {wrong}   support vectors {support}   "
        "b = {b:.3f}   any b from {low:.2f} to {high:.2f}"
    )
    alt = (
        "Left: {sample}, {n} points, the line and its margins at {C}; slacks are thin segments. "
        "Right, over C: Σξ (now {slack:.2f}), ‖w‖ (now {length:.2f}), and the counts of support "
        "vectors (now {support}) and points inside the band (now {errors})."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane, and what is drawn over C."""
        axes = figure.subplot_mosaic(
            [["plane", "slack"], ["plane", "length"], ["plane", "counts"]],
            width_ratios=[1.15, 1],
            height_ratios=[1, 1, 1.25],
        )
        left = axes.pop("plane")
        plane(left, LIMITS)
        key_to_points(left, loc="lower center", bbox_to_anchor=(0.5, 1.02), ncols=2)
        self.field = ScoreField(left, LIMITS)
        self.line = Separator(left, margins=True)
        self.line.words.set_y(0.94)  # above the points
        self.points = SupportPoints(left)
        self.points.slacks.set(color=style.INK, linewidth=1.4, zorder=5.5)  # over the rings
        self.slack = Curves(axes["slack"], {"Σξ": (style.INK, "-")})
        self.length = Curves(axes["length"], {"‖w‖": (style.INK, "-")})
        self.counts = Curves(axes["counts"], COUNTS, steps=True)
        self.counts.legend(loc="lower right", bbox_to_anchor=(1.0, 0.96))
        axes["counts"].yaxis.set_major_locator(MaxNLocator(5, integer=True))
        for over_c in axes.values():
            over_c.set(xscale="log", xlim=(COSTS[0], COSTS[-1]))
            over_c.tick_params(labelbottom=over_c is axes["counts"])
        axes["slack"].set(ylabel="Σξ", title="slack, length and counts")
        axes["length"].set(ylabel="‖w‖")
        axes["counts"].set(ylabel="points", xlabel="C")
        return left

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Solve for every C of the ladder, and show the present one."""
        X, y, C = self.X, self.y, self.C
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotConverged)  # said, with the gap
            path = over_costs(X, y)
            start = path.alphas[np.searchsorted(COSTS, C)]
            self.svm = m = soft_margin(X, y, C, start=start, gap=GAP)
        length = float(np.linalg.norm(m.w))
        wrong, errors, support = m.margins <= 0, int(m.errors.sum()), int(m.support.sum())
        free, (low, high) = int((m.support & ~m.bounded).sum()), m.b_interval

        grid = np.linspace(-4, 4, 31)
        self.field.show(m.w[0] * grid + m.w[1] * grid[:, None] + m.b)
        self.line.show(m.w, m.b)
        feet = feet_of_slacks(X, y, m.w, m.b)
        pushes = np.where(m.support, m.alpha, 0.0)  # by size; what is only rounding has none
        self.points.show(X, y, pushes, bounded=m.bounded, mistaken=wrong, feet=feet)
        make_room(self.slack.axes, path.slack.max(), 16.0)
        make_room(self.length.axes, path.lengths.max(), 4.0)
        make_room(self.counts.axes, 0.0, 1.1 * len(y))
        self.slack.show(COSTS, {"Σξ": path.slack}, C, [m.slack.sum()])
        self.length.show(COSTS, {"‖w‖": path.lengths}, C, [length])
        counts = dict(zip(COUNTS, path.counts, strict=True))
        self.counts.show(COSTS, counts, C, [support, errors])
        return {
            "n": len(y),
            "slack": m.slack.sum(),
            "length": length,
            "half_margin": m.half_margin if length > TINY else None,
            "no_line": "" if length > TINY else "no line: w = 0",
            "status": m.status,
            "gap": None if m.status == CONVERGED else m.gap,
            "together": coincidence(X, y, "their slacks sum to 2 at least"),
            "errors": errors,
            "wrong": wrong.sum(),
            "support": support,
            "free": free,
            "b": m.b if free else None,
            "low": None if free else low,
            "high": None if free else high,
        }
