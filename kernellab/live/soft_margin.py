"""Live figure of notebook 02: C over noisy points, three kinds of them, and both counts."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets
import numpy as np

from kernellab.certificates import nu
from kernellab.datasets import make_clouds
from kernellab.draw import style
from kernellab.draw.margin import SupportPoints, feet_of_slacks, key_to_points
from kernellab.draw.over_c import OverC, both
from kernellab.draw.plane import Limits, ScoreField, Separator, plane
from kernellab.live.coincide import coincidence
from kernellab.live.explorer import WIDE, Explorer, choice, class_handles
from kernellab.live.hulls import Sample, one_too_far, two_labels
from kernellab.rows import Gram
from kernellab.smo import smo
from kernellab.soft_margin import ON_THE_MARGIN, soft_margin
from kernellab.solving import CONVERGED, NotConverged, solve
from kernellab.validation import FloatArray

LIMITS: Limits = (-4.0, 4.0, -4.0, 4.0)
COSTS = np.round(np.geomspace(0.01, 100.0, 33), 4)  # eight a decade
GAP = 1e-9  # 1e-7 leaves one margin error too many at C = 0.75
MOST = 24
TINY = 1e-9  # a shorter w is none


def noisy_clouds() -> Sample:
    """Return two clouds that run into each other, without points that hide each other."""
    data = make_clouds(60, 2.4, 9)
    X, y = 1.2 * data.X, data.y
    kept: list[int] = []
    for i in range(len(y)):
        apart = all(np.hypot(*(X[i] - X[j])) > 0.75 for j in kept)
        if apart and np.abs(X[i]).max() < LIMITS[1] and len(kept) < MOST:
            kept.append(i)
    return X[kept], y[kept]


SAMPLES: dict[str, Callable[[], Sample]] = {
    "two noisy clouds": noisy_clouds,
    "one among the others": one_too_far,
    "one point, two labels": two_labels,
}


def cost_slider(costs: FloatArray, n: int, value: float) -> Any:
    """Make a slider over values of C that shows λ beside each of them, for n examples."""
    nearest = float(costs[np.abs(np.log(costs / value)).argmin()])
    return ipywidgets.SelectionSlider(
        options=[(both(float(C), n), float(C)) for C in costs],
        value=nearest,
        description="cost",
        style=WIDE["style"],
        layout={"width": "430px"},
    )


class SoftMarginExplorer(Explorer):
    """Move C, drag points: who is inside the margin, and what do slacks and weights do?

    Taught in notebook 02.

    Parameters
    ----------
    sample
        One of the names in ``SAMPLES``: what is shown first.
    C
        Where the slider stands first.
    """

    presets: Mapping[str, Any] = {
        "small C: cheap slack": {"C": float(COSTS[4])},
        "C = 1": {"C": 1.0},
        "large C: dear slack": {"C": 100.0},
        "one outlier, small C": {"sample": "one among the others", "C": 0.1},
        "one outlier, large C": {"sample": "one among the others", "C": 100.0},
        "one point, two labels": {"sample": "one point, two labels"},
    }

    def __init__(self, sample: str = "two noisy clouds", C: float = 1.0) -> None:
        self.sample = choice("points", list(SAMPLES))
        self.sample.value = sample
        self._load()
        self.C = cost_slider(COSTS, len(self.y), C)
        figure = style.new_figure((9.8, 4.9))
        axes = figure.subplot_mosaic(
            [["plane", "slack"], ["plane", "length"], ["plane", "counts"]],
            width_ratios=[1.15, 1],
            height_ratios=[1, 1, 1.25],
        )
        left = axes["plane"]
        plane(left, LIMITS)
        key_to_points(left, loc="upper center", bbox_to_anchor=(0.5, 1.1), fontsize=9)
        self.field = ScoreField(left, LIMITS)
        self.line = Separator(left, margins=True)
        self.line.words.set_y(0.94)  # above the points
        self.points = SupportPoints(left)
        for name in ("slack", "length"):
            axes[name].tick_params(labelbottom=False)
        self.slack = OverC(axes["slack"], [(style.INK, "-")])
        self.length = OverC(axes["length"], [(style.INK, "-")])
        self.counts = OverC(
            axes["counts"], [(style.INK, "-"), (style.NEGATIVE, "--")],
            ["support vectors", "margin errors"], steps=True,
        )  # fmt: skip
        axes["slack"].set(ylabel="Σξ", title="as C falls, Σξ never falls, ‖w‖ never grows")
        axes["length"].set(ylabel="‖w‖")
        axes["counts"].set(ylabel="points", xlabel="C")
        for name in ("slack", "length", "counts"):
            axes[name].set(xlim=(COSTS[0], COSTS[-1]))
        super().__init__(
            "Make the band wide by making slack cheap: who pays for it?",
            figure,
            [self.sample, self.C],
            moving=[
                artist
                for mark in (
                    self.field, self.line, self.points, self.slack, self.length, self.counts,
                )
                for artist in mark.artists
            ],
            axes=left,
            points=self.X,
            handles=self._handles(),
        )  # fmt: skip

    def update(self, points: FloatArray) -> str:
        """Solve for every C of the slider, and show the present one."""
        if self.sample.value != self._loaded:
            self._load()
            self.offer(self.C, [(both(float(c), len(self.y)), float(c)) for c in COSTS])
            self.live.place(points := self.X, self._handles())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotConverged)  # said below, with the gap
            self._solve_all(points)
            start = self.alphas[np.searchsorted(COSTS, self.C.value)]
            self.now = soft_margin(self.X, self.y, self.C.value, start=start, gap=GAP)
        self._draw()
        return self._sentence()

    def describe(self) -> str:
        """Return the alternative text."""
        m = self.now
        return (
            f"Left: {self._loaded}, {len(self.y)} points, the line and its margins at "
            f"{both(self.C.value, len(self.y))}; slacks are thin segments. Right, over C: Σξ "
            f"(now {m.slack.sum():.2f}), ‖w‖ (now {np.linalg.norm(m.w):.2f}), and the counts of "
            f"support vectors (now {int(m.support.sum())}) and margin errors "
            f"(now {int(m.errors.sum())})."
        )

    def _load(self) -> None:
        self._loaded = self.sample.value
        X, y = SAMPLES[self._loaded]()
        self.X, self.y = np.clip(X, -3.8, 3.8), y
        self._solved = b""

    def _handles(self) -> list[dict[str, str]]:
        return class_handles(self.y, "point", first=1)

    def _solve_all(self, X: FloatArray) -> None:
        """Solve for all C, unless nothing has moved since."""
        if X.tobytes() == self._solved:
            return
        self.X, self._solved = X, X.tobytes()
        Z = X - X.mean(axis=0)  # Σ α_i y_i = 0: the origin does not matter
        K = Gram(Z @ Z.T)
        svms: list[Any] = []
        start = None
        for C in COSTS:  # each from the one before, which is the answer where no α is at its C
            states = smo(K, self.y, C, start=start, gap=GAP)
            svms.append(solve(states, gap=GAP, max_passes=2000))
            start = svms[-1].alpha
        self.alphas = np.array([svm.alpha for svm in svms])
        W = (self.alphas * self.y) @ Z
        scores = W @ Z.T + np.array([[svm.b] for svm in svms])
        slack = np.maximum(0.0, 1.0 - self.y * scores)
        self.sums = slack.sum(axis=1)
        self.lengths = np.linalg.norm(W, axis=1)
        self.n_support = (self.alphas > 0).sum(axis=1)
        self.n_errors = (slack > ON_THE_MARGIN).sum(axis=1)

    def _draw(self) -> None:
        m, C = self.now, self.C.value
        grid = np.linspace(-4, 4, 31)
        self.field.show(m.w[0] * grid + m.w[1] * grid[:, None] + m.b)
        self.line.show(m.w, m.b)
        self.points.show(
            self.X, self.y, m.alpha, bounded=m.bounded, mistaken=m.margins <= 0,
            feet=feet_of_slacks(self.X, self.y, m.w, m.b),
        )  # fmt: skip
        self.slack.make_room(self.sums.max(), 16.0)
        self.length.make_room(self.lengths.max(), 4.0)
        self.counts.make_room(0.0, 1.1 * len(self.y))
        self.slack.show(COSTS, self.sums[np.newaxis], C, m.slack.sum())
        self.length.show(COSTS, self.lengths[np.newaxis], C, float(np.linalg.norm(m.w)))
        counts = np.stack([self.n_support, self.n_errors])
        self.counts.show(COSTS, counts, C, m.support.sum(), m.errors.sum())

    def _sentence(self) -> str:
        m, n = self.now, len(self.y)
        free = int((m.support & ~m.bounded).sum())
        wrong = int((m.margins <= 0).sum())
        low, high = m.b_interval
        b = (
            f"b = {m.b:.3f}, {free} of them free"
            if free
            else f"none free: any b from {low:.2f} to {high:.2f}"
        ).replace("-", "−")
        length = float(np.linalg.norm(m.w))
        half = f"half-margin {m.half_margin:.2f}" if length > TINY else "no line: w = 0"
        together = coincidence(self.X, self.y, "their slacks sum to 2 at least")
        kept = "" if m.status == CONVERGED else f"   {m.status}, gap {m.gap:.1g}"
        return (
            f"{both(self.C.value, n)}   Σξ = {m.slack.sum():.2f}   ‖w‖ = {length:.2f}   {half}"
            f"{kept}{'   ' * bool(together)}{together}\n"
            f"margin errors {int(m.errors.sum())} (wrong side {wrong}) ≤ νn = "
            f"{n * nu(m.alpha, m.C):.1f} ≤ support vectors {int(m.support.sum())}   {b}"
        )
