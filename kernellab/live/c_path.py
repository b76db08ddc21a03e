"""Live figure of notebook 02: the exact paths α(C), and two counts that need not be monotone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from kernellab.c_path import EXACT, alpha_path
from kernellab.certificates import nu
from kernellab.draw import style
from kernellab.draw.margin import SupportPoints, key_to_points
from kernellab.draw.over_c import OverC, both
from kernellab.draw.plane import Points
from kernellab.kernels import Gaussian
from kernellab.live.coincide import coincidence
from kernellab.live.explorer import Explorer, choice
from kernellab.live.soft_margin import cost_slider
from kernellab.validation import FloatArray

Sample = tuple[FloatArray, FloatArray]

KERNEL = Gaussian(1.0)
LOW, HIGH = -3.0, 3.0
# Forty a decade to three digits: 3.16 and 7.5 are among them.
COSTS = np.array([float(f"{C:.3g}") for C in np.geomspace(0.1, 100.0, 121)])
FINE = np.geomspace(0.1, 100.0, 241)
TINY = 1e-9
DASHES: tuple[Any, ...] = ("-", "--", ":", (0, (6, 1, 1, 1)))
MOST = 14


def ordinary() -> Sample:
    """Return fourteen points of two overlapping groups on a line."""
    x = [-2.6, -2.1, -1.7, -1.4, -0.9, -0.3, 0.7, -1.1, 0.1, 0.4, 1.0, 1.5, 1.9, 2.5]
    return np.array(x), np.repeat([-1.0, 1.0], 7)


def counterexample() -> Sample:
    """Return five points on which both counts go the wrong way."""
    return np.array([-0.8, 1.4, 1.8, 0.2, -0.2]), np.array([1.0, 1.0, -1.0, -1.0, -1.0])


def two_labels() -> Sample:
    """Return four points of which two coincide and have different labels."""
    return np.array([-1.5, 0.0, 0.0, 1.5]), np.array([-1.0, -1.0, 1.0, 1.0])


SAMPLES: dict[str, Callable[[], Sample]] = {
    "fourteen points": ordinary,
    "five points": counterexample,
    "one point, two labels": two_labels,
}


class PathExplorer(Explorer):
    """Points on a line, a Gaussian kernel without a bias: every α as a function of C.

    In the strip below the score a point has the class of the half it lies in. Taught in notebook
    02.

    Parameters
    ----------
    sample
        One of the names in ``SAMPLES``: what is shown first.
    C
        Where the slider stands first.
    """

    presets: Mapping[str, Any] = {
        "five points, C = 7.5": {"sample": "five points", "C": 7.5},
        "five points, C = 3.16": {"sample": "five points", "C": 3.16},
        "fourteen points": {"sample": "fourteen points", "C": 1.0},
        "fourteen points, large C": {"sample": "fourteen points", "C": 100.0},
        "one point, two labels": {"sample": "one point, two labels"},
    }

    def __init__(self, sample: str = "five points", C: float = 7.5) -> None:
        self.sample = choice("points", list(SAMPLES))
        self.sample.value = sample
        self._load()
        self.C = cost_slider(COSTS, len(self.y), C)
        figure = style.new_figure((9.8, 4.9))
        axes = figure.subplot_mosaic(
            [["score", "alpha"], ["score", "counts"], ["strip", "counts"]],
            width_ratios=[1.1, 1],
            height_ratios=[1.5, 0.9, 0.4],
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
        self.paths = OverC(axes["alpha"], [(style.INK, DASHES[k % 4]) for k in range(MOST)])
        self.counts = OverC(
            axes["counts"], [(style.INK, "-"), (style.NEGATIVE, "--")],
            ["support vectors", "margin errors"], steps=True,
        )  # fmt: skip
        axes["alpha"].set(
            xlim=(0.1, 100),
            ylim=(-0.03, 1.06),
            ylabel=r"$\alpha_i / C$",
            title=r"between two bends each $\alpha_i$ is linear in C",
        )
        axes["alpha"].tick_params(labelbottom=False)
        axes["counts"].set(xlim=(0.1, 100), ylim=(0, MOST + 1), ylabel="points", xlabel="C")
        axes["counts"].set_title("as C falls, SVs may get fewer", pad=28)
        super().__init__(
            "As C falls, more points pay. Must there be more support vectors too?",
            figure,
            [self.sample, self.C],
            moving=[
                self.curve,
                *(
                    artist
                    for mark in (self.points, self.on_strip, self.paths, self.counts)
                    for artist in mark.artists
                ),
            ],
            axes=strip,
            points=self._grips(),
            handles=self._handles(),
        )

    def update(self, points: FloatArray) -> str:
        """Follow the path for the points as they are, and show it at the present C."""
        if self.sample.value != self._loaded:
            self._load()
            self.offer(self.C, [(both(float(c), len(self.y)), float(c)) for c in COSTS])
            self.live.place(points := self._grips(), self._handles())
        self._follow(points)
        self.now = self._at(self.C.value)
        self._draw()
        return self._sentence()

    def describe(self) -> str:
        """Return the alternative text."""
        alpha, margins = self.now
        if self.one_class:
            return (
                f"{len(self.y)} points on a line, all of one class: there is nothing to separate."
            )
        support, errors = self._n_support(alpha), self._n_errors(margins)
        return (
            f"{len(self.y)} points on a line at {both(self.C.value, len(self.y))}. Left: the "
            f"score, the points at −1 and +1, their slacks. Right: α/C over C; α is now "
            f"{np.round(alpha, 2).tolist()}, and both counts: {support} support "
            f"vector{'s' * (support != 1)} and {errors} margin error{'s' * (errors != 1)}."
        )

    def _load(self) -> None:
        self._loaded = self.sample.value
        self.x, self.y = SAMPLES[self._loaded]()
        self._followed = b""

    def _grips(self) -> FloatArray:
        return np.column_stack([self.x, self.y / 2])

    def _handles(self) -> list[dict[str, str]]:
        return [{"label": f"point {i + 1}", "color": style.NEUTRAL} for i in range(len(self.y))]

    def _follow(self, points: FloatArray) -> None:
        """Compute the path, unless nothing has moved since."""
        self.places = points
        if points.tobytes() == self._followed:
            return
        self._followed = points.tobytes()
        self.x = points[:, 0]
        self.y = np.where(points[:, 1] < 0, -1.0, 1.0)
        self.one_class = len(set(self.y)) < 2
        if self.one_class:
            return
        self.Q = KERNEL(self.x[:, np.newaxis]) * np.outer(self.y, self.y)
        self.path = alpha_path(self.Q * np.outer(self.y, self.y), self.y, COSTS[-1])
        self.fine = self.path.at(FINE)
        margins = self.fine @ self.Q
        self.n_support = (self.fine > TINY * FINE[:, np.newaxis]).sum(axis=1)
        self.n_errors = (margins < 1 - 1e-7).sum(axis=1)

    def _at(self, C: float) -> tuple[FloatArray, FloatArray]:
        if self.one_class:
            return np.zeros(len(self.y)), np.zeros(len(self.y))
        alpha = self.path.at(C)
        return alpha, self.Q @ alpha

    def _n_support(self, alpha: FloatArray) -> int:
        return int((alpha > TINY * self.C.value).sum())

    def _n_errors(self, margins: FloatArray) -> int:
        return int((margins < 1 - 1e-7).sum())

    def _draw(self) -> None:
        alpha, margins = self.now
        C = self.C.value
        x = np.linspace(LOW, HIGH, 161)
        coef = alpha * self.y
        self.curve.set_data(x, KERNEL(x[:, np.newaxis], self.x[:, np.newaxis]) @ coef)
        at = np.column_stack([self.x, self.y])
        feet = np.column_stack([self.x, self.y * margins])
        feet[(margins >= 1 - 1e-7) | self.one_class] = np.nan
        bounded = alpha >= C * (1 - TINY)
        wrong = (margins <= 0) & (not self.one_class)
        self.points.show(at, self.y, alpha, bounded=bounded, mistaken=wrong, feet=feet)
        self.on_strip.show(self.places, self.y)
        if self.one_class:
            self.paths.show(FINE, np.empty((0, len(FINE))), C)
            self.counts.show(FINE, np.empty((0, len(FINE))), C)
            return
        for line, label in zip(self.paths.lines, self.y, strict=False):
            line.set_color(style.COLOUR[int(label)])
        self.paths.show(FINE, self.fine.T / FINE, C, *alpha / C)
        counts = np.stack([self.n_support, self.n_errors])
        top = 1.1 * len(self.y)
        if self.counts.axes.get_ylim()[1] != top:
            self.counts.axes.set_ylim(0, top)
        self.counts.show(FINE, counts, C, self._n_support(alpha), self._n_errors(margins))

    def _sentence(self) -> str:
        n = len(self.y)
        if self.one_class:
            return f"{both(self.C.value, n)}\nonly one class is left: there is nothing to separate"
        alpha, margins = self.now
        how = (
            f"{len(self.path.C) - 1} bends"
            if self.path.status == EXACT
            else "sampled, because points coincide and α is not unique"
        )
        together = coincidence(self.x[:, np.newaxis], self.y, "no score meets both")
        return (
            f"{both(self.C.value, n)}   support vectors {self._n_support(alpha)}   margin errors "
            f"{self._n_errors(margins)}   νn = {n * nu(alpha, self.C.value):.2f} lies between\n"
            f"Σξ = {np.maximum(0, 1 - margins).sum():.3f}   ‖w‖ = "
            f"{float(alpha @ self.Q @ alpha) ** 0.5:.3f}   path: {how}"
            f"{'   ' * bool(together)}{together}"
        )
