"""Live figure of notebook 02: the exact paths α(C), and two counts that need not be monotone."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.ticker import MaxNLocator

from kernellab.certificates import nu
from kernellab.draw import style
from kernellab.draw.curves import Curves
from kernellab.draw.margin import SupportPoints
from kernellab.draw.plane import Points
from kernellab.kernels import Gaussian
from kernellab.lessons.margin.figures.support_marks import COUNTS, key_to_points
from kernellab.lessons.margin.theory.c_path import EXACT, CPath, alpha_path
from kernellab.live.coincide import coincidence
from kernellab.live.controls import Ladder, Sample
from kernellab.live.declared import Figure
from kernellab.live.memoize import memoize
from kernellab.live.parameters import C_and_lam
from kernellab.validation import FloatArray

Data = tuple[FloatArray, FloatArray]

KERNEL = Gaussian(1.0)
LOW, HIGH = -3.0, 3.0
# Forty a decade to three digits: 3.16 and 7.5 are among them.
COSTS = np.array([float(f"{C:.3g}") for C in np.geomspace(0.1, 100.0, 121)])
FINE = np.geomspace(0.1, 100.0, 241)
TINY = 1e-9
DASHES: tuple[Any, ...] = ("-", "--", ":", (0, (6, 1, 1, 1)))
MOST = 14


def ordinary() -> Data:
    """Return fourteen points of two overlapping groups on a line."""
    x = [-2.6, -2.1, -1.7, -1.4, -0.9, -0.3, 0.7, -1.1, 0.1, 0.4, 1.0, 1.5, 1.9, 2.5]
    return np.array(x), np.repeat([-1.0, 1.0], 7)


def counterexample() -> Data:
    """Return five points on which both counts go the wrong way."""
    return np.array([-0.8, 1.4, 1.8, 0.2, -0.2]), np.array([1.0, 1.0, -1.0, -1.0, -1.0])


SAMPLES = {
    "fourteen points": ordinary,
    "five points": counterexample,
    "one point, two labels": lambda: (np.array([-1.5, 0, 0, 1.5]), np.array([-1.0, -1, 1, 1])),
}


@memoize
def follow(x: FloatArray, y: FloatArray) -> tuple[FloatArray, CPath, FloatArray]:
    """Return Q with Q_ij = y_i y_j k(x_i, x_j), the path α(C), and α at each C of ``FINE``."""
    K = KERNEL(x[:, np.newaxis])
    path = alpha_path(K, y, COSTS[-1])
    return K * np.outer(y, y), path, path.at(FINE)


class AlphaPath(Figure):
    """Points on a line, a Gaussian kernel without a bias: every α as a function of C.

    In the strip below the score a point has the class of the half it lies in. Taught in notebook
    02.
    """

    question = "As C falls, more points pay. Must there be more support vectors too?"
    answer = ("counts",)
    size = (9.8, 4.9)
    sample = Sample("points", SAMPLES, "five points")
    C = Ladder("cost", COSTS, 7.5, C_and_lam)
    presets = {
        "five points, C = 7.5": {"sample": "five points", "C": 7.5},
        "five points, C = 3.16": {"sample": "five points", "C": 3.16},
        "fourteen points": {"sample": "fourteen points", "C": 3.16},
        "fourteen points, large C": {"sample": "fourteen points", "C": 100.0},
        "one point, two labels": {"sample": "one point, two labels", "C": 100.0},
    }
    readout = (
        "{counted}, with νn = {nu_n:.2f} between\n"
        "Σξ = {slack:.3f}   ‖w‖ = {length:.3f}   path: {n_bends} bends   {sampled}   {together}\n"
        "{one_class}"
    )
    alt = (
        "{n} points on a line at {C}. Left: the score, the points at −1 and +1, their slacks. "
        "Right: α/C over C; α is now {alpha}, and both counts: {counted}."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the score over the strip of points, and what is drawn over C."""
        axes = figure.subplot_mosaic(
            [["score", "alpha"], ["score", "counts"], ["strip", "counts"]],
            width_ratios=[1.1, 1],
            height_ratios=[1.5, 0.9, 0.75 if style.in_lecture() else 0.4],
        )
        score, strip = axes["score"], axes["strip"]
        score.set(xlim=(LOW, HIGH), ylim=(-2.7, 2.7), yticks=[-2, -1, 0, 1, 2], ylabel="score f(x)")
        score.tick_params(labelbottom=False)
        score.axhline(0, color=style.INK, linewidth=style.THIN, zorder=1)
        for level in (-1, 1):
            score.axhline(level, color=style.INK, linewidth=style.THIN, linestyle="--", zorder=1)
        key_to_points(score, loc="lower left", bbox_to_anchor=(0, 1.02), fontsize=9)
        strip.set(xlim=(LOW, HIGH), ylim=(-1, 1), yticks=[-0.5, 0.5], xlabel="x (drag the points)")
        strip.set_yticklabels(["−1", "+1"])
        strip.axhspan(0, 1, color=style.SCORES(0.75), zorder=0)
        strip.axhspan(-1, 0, color=style.SCORES(0.25), zorder=0)
        (self.curve,) = score.plot([], [], color=style.INK, linewidth=style.LINE)
        self.points = SupportPoints(score)
        self.on_strip = Points(strip)
        dashes = {str(k): (style.INK, DASHES[k % 4]) for k in range(MOST)}
        self.paths = Curves(axes["alpha"], dashes)
        self.counts = Curves(axes["counts"], COUNTS, steps=True)
        self.counts.legend(loc="lower right", bbox_to_anchor=(1.0, 0.96))
        axes["alpha"].set(
            xscale="log",
            xlim=(0.1, 100),
            ylim=(-0.03, 1.06),
            ylabel=r"$\alpha_i / C$",
            title=r"each $\alpha_i$ as a share of C",
        )
        axes["alpha"].tick_params(labelbottom=False)
        axes["counts"].set(xscale="log", xlim=(0.1, 100), ylabel="points", xlabel="C")
        axes["counts"].yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes["counts"].set_title("the two counts", pad=28)
        return strip

    def take(self, data: Any) -> None:
        """Take points on a line and their classes."""
        self.x, self.y = data

    def grips(self) -> FloatArray:
        """Return the points in the middle of their halves of the strip."""
        return np.column_stack([self.x, self.y / 2])

    def handles(self) -> list[dict[str, str]]:
        """Return a handle for each point, which may be of either class."""
        return [{"label": f"point {i + 1}", "color": style.NEUTRAL} for i in range(len(self.y))]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Follow the path for the points as they are, and show it at the present C."""
        self.x, y = points[:, 0], np.where(points[:, 1] < 0, -1.0, 1.0)
        self.y, C = y, self.C
        self.on_strip.show(points, y)
        if len(set(y)) < 2:
            return self.show_one_class()
        Q, path, fine = follow(self.x, y)
        alpha = path.at(C)
        margins = Q @ alpha
        support, errors = int((alpha > TINY * C).sum()), int(in_error(margins).sum())

        x = np.linspace(LOW, HIGH, 161)
        self.curve.set_data(x, KERNEL(x[:, np.newaxis], self.x[:, np.newaxis]) @ (alpha * y))
        at = np.column_stack([self.x, y])
        feet = np.column_stack([self.x, y * margins])
        feet[~in_error(margins)] = np.nan
        bounded = alpha >= C * (1 - TINY)
        self.points.show(at, y, alpha, bounded=bounded, mistaken=margins <= 0, feet=feet)
        for line, label in zip(self.paths.lines.values(), y, strict=False):
            line.set_color(style.COLOUR[int(label)])
        paths = {str(k): row for k, row in enumerate(fine.T / FINE)}
        self.paths.show(FINE, paths, C, alpha / C)
        n_support = (fine > TINY * FINE[:, np.newaxis]).sum(axis=1)
        n_errors = in_error(fine @ Q).sum(axis=1)
        if self.counts.axes.get_ylim()[1] != 1.1 * len(y):
            self.counts.axes.set_ylim(0, 1.1 * len(y))
        counts = dict(zip(COUNTS, (n_support, n_errors), strict=True))
        self.counts.show(FINE, counts, C, [support, errors])
        exact = path.status == EXACT
        return {
            "n": len(y),
            "alpha": np.round(alpha, 2).tolist(),
            "support": support,
            "errors": errors,
            "counted": f"{support} support vector{'s' * (support != 1)} and "
            f"{errors} margin error{'s' * (errors != 1)}",
            "nu_n": len(y) * nu(alpha, C),
            "slack": np.maximum(0, 1 - margins).sum(),
            "length": float(alpha @ Q @ alpha) ** 0.5,
            "n_bends": len(path.C) - 1 if exact else None,
            "sampled": ""
            if exact
            else "path: sampled, because points coincide and α is not unique",
            "together": coincidence(self.x[:, np.newaxis], y, "no score meets both"),
        }

    def show_one_class(self) -> dict[str, Any]:
        """Show points of one class."""
        self.curve.set_data([-3, 3], [0, 0])
        self.points.show(np.column_stack([self.x, self.y]), self.y, np.zeros(len(self.y)))
        self.paths.show(FINE, {}, self.C)
        self.counts.show(FINE, {}, self.C)
        words = "only one class is left: there is nothing to separate"
        return {"n": len(self.y), "one_class": words}

    def describe(self) -> str:
        """Return the alternative text."""
        if "one_class" not in self.numbers:
            return super().describe()
        return f"{len(self.y)} points on a line, all of one class: there is nothing to separate."


def in_error(margins: FloatArray) -> Any:
    """Whether margins are below 1, and not by rounding."""
    return margins < 1 - 1e-7
