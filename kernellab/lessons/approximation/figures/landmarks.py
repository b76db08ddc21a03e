"""Live figure of notebook 07: landmarks placed by hand, against two ways of choosing them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure as MplFigure
from matplotlib.lines import Line2D

from kernellab.draw import style
from kernellab.draw.field import show_field
from kernellab.draw.mark import Mark
from kernellab.draw.plane import Limits, plane
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Kernel
from kernellab.live.controls import Button, Choice, Ladder, Sample
from kernellab.live.declared import Figure
from kernellab.live.parameters import sigma_with_gamma
from kernellab.solvers.landmarks import choose_landmarks
from kernellab.solvers.nystrom import nystrom_map, top_eigenvectors, trace_error
from kernellab.validation import FloatArray

LIMITS: Limits = (-3.2, 3.2, -3.2, 3.2)
GRID = np.linspace(-3.2, 3.2, 49)
FIELD = np.stack(np.meshgrid(GRID, GRID), axis=-1).reshape(-1, 2)
COUNTS = range(2, 13)
BANDWIDTHS = (0.4, 0.5, 0.6, 0.8, 1.0, 1.4)
DRAWS = 10  # of every automatic choice
WELL_PLACED = (
    (-1.4, -0.86), (-1.12, -0.69), (-1.4, -0.53), (-0.11, 0.95), (0.34, 0.9), (1.58, -0.35),
    (-1.86, 1.64), (1.14, -1.93),
)  # fmt: skip
KMEANS = (
    (1.67, -0.43), (-1.37, -0.58), (0.22, 0.91), (-1.24, -0.81), (2.5, 2.1), (0.92, -2.0),
    (-1.67, 1.73), (-2.6, -2.4),
)  # fmt: skip
NAMES = {"uniform": "uniform", "kmeans": "k-means centres"}
# What is lost: nothing is white.
LOST = LinearSegmentedColormap.from_list(
    "kernellab.lost", ["#ffffff", "#fbe3c4", "#f1b36b", "#c9701a", "#7a3b00"]
)


def make_clusters() -> FloatArray:
    """Return 122 points, shape (122, 2): five clusters of 75 to 5 points, and five outliers."""
    rng = np.random.default_rng(4)
    parts = [((-1.3, -0.7), 75), ((0.2, 0.9), 20), ((1.6, -0.3), 10), ((-1.9, 1.5), 7)]
    X = [rng.normal(centre, 0.16, (n, 2)) for centre, n in [*parts, ((1.2, -1.9), 5)]]
    outliers = [(2.5, 2.1), (-2.6, -2.4), (2.5, -1.1), (-0.4, 2.3), (-0.2, -2.3)]
    return np.vstack([*X, outliers])


def make_cloud() -> FloatArray:
    """Return 122 points of one round cloud, shape (122, 2)."""
    return np.random.default_rng(7).normal(0.0, 1.0, (122, 2))


CLUSTERS, CLOUD = "clusters and outliers", "one round cloud"
SAMPLES = {CLUSTERS: make_clusters(), CLOUD: make_cloud()}


def lost_share(kernel: Kernel, X: FloatArray, landmarks: FloatArray) -> float:
    """Return tr(K − K̃) / tr K of the examples X, for these landmarks."""
    diagonal = kernel.diag(X)
    return trace_error(diagonal, nystrom_map(kernel, landmarks)(X)) / float(diagonal.sum())


@cache
def rivals(sample: str, m: int, bandwidth: float) -> FloatArray:
    """Return the share that each automatic choice loses, shape (2, DRAWS)."""
    kernel, X = Gaussian.from_bandwidth(bandwidth), SAMPLES[sample]
    return np.array([
        [lost_share(kernel, X, choose_landmarks(kernel, X, m, how=how, rng=seed))
         for seed in range(DRAWS)] for how in NAMES
    ])  # fmt: skip


@cache
def bound(sample: str, m: int, bandwidth: float) -> float:
    """Return the share that the best m columns there are lose: those of the eigenvectors."""
    K = Gaussian.from_bandwidth(bandwidth)(SAMPLES[sample])
    return trace_error(K.diagonal(), top_eigenvectors(K, m)) / float(K.trace())


class LandmarkGame(Figure):
    """Drag landmarks; the plane is dark where they explain nothing, and the dark is the score.

    Taught in notebook 07.
    """

    question = "Can you place the landmarks better than chance, and better than k-means?"
    at_first = ("how",)
    answer = ("rivals",)
    size = (9.4, 5.0)
    sample = Sample("data", {CLUSTERS: make_clusters, CLOUD: make_cloud})
    m = Ladder("landmarks m", COUNTS, 8)
    bandwidth = Ladder("σ", BANDWIDTHS, 0.6, sigma_with_gamma)
    how = Choice("put them", {NAMES[how]: how for how in NAMES})
    presets = {
        "the first draw": {"sample": CLUSTERS},
        "k-means centres": {"points": KMEANS, "how": "kmeans"},
        "well placed": {"points": WELL_PLACED},
        "one round cloud": {"sample": CLOUD},
    }
    # The first draw is where the landmarks start; the best score for each setting.
    memory = {"seed": 0, "best": {}}
    readout = (
        "lost: {lost:.3f} of the trace   your best: {your_best:.3f}   no features can go below "
        "{bound:.3f}   {idle} of no use: they lie on others\n"
        "better than {beaten} of 2 averages   least explained: the point at ({worst:.1f}), "
        "{worst_lost:.0%} lost"
    )
    alt = (
        "{m} landmarks among {n} points, {sample}, Gaussian kernel with σ = {bandwidth:g}; the "
        "plane is dark where they explain nothing. Share of the trace that is lost: {lost:.3f}; "
        "means of ten draws: {means}; at least {bound:.3f} with any features."
    )

    @Button("put", "put the landmarks as this method draws them")
    def put(self) -> None:
        """Place the landmarks as the chosen method does, each time from its next seed."""
        self.seed += 1
        at = choose_landmarks(self.kernel, self.examples, self.m, how=self.how, rng=self.seed)
        missing = self.m - len(at)  # fewer may explain everything
        self.live.place(np.vstack([at, np.repeat(at[:1], missing, axis=0)]))

    @property
    def kernel(self) -> Kernel:
        """The kernel."""
        return Gaussian.from_bandwidth(self.bandwidth)

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane and the scores."""
        left, right = figure.subplots(1, 2, width_ratios=[1.25, 1])
        plane(left, LIMITS)
        self.field = show_field(
            left, LOST, low=0, high=1.25, origin="lower", extent=LIMITS, zorder=0
        )
        left.set_box_aspect(1.0)
        self.dots = left.scatter(
            [], [], c=style.INK, s=14, marker="o", edgecolors="white", linewidths=0.4, zorder=3
        )
        self.landmarks = left.scatter(
            [], [], c=style.ACCENT, s=120, marker="D", edgecolors="white",
            linewidths=style.THIN, zorder=5, clip_on=False,
        )  # fmt: skip
        self.board = board = Scoreboard(right, list(NAMES.values()), (0.02, 1.0))
        self.rivals = [board.draws, board.means, board.bound, *board.words[1:]]
        self.titles = [moving_title(axes) for axes in (left, right)]
        return left

    def take(self, data: FloatArray) -> None:
        """Take examples, which nobody moves."""
        self.examples = data

    def grips(self) -> FloatArray:
        """Return the first draw of the uniform choice."""
        return np.asarray(choose_landmarks(self.kernel, self.examples, self.m, rng=0))

    def handles(self) -> list[dict[str, str]]:
        """Return a handle for each landmark."""
        return [{"label": f"landmark {k + 1}", "color": style.ACCENT} for k in range(self.m)]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Score the landmarks where they are."""
        if len(points) != self.m:  # those that are left stay where they are
            points = np.vstack([points, self.grips()])[: self.m]
            self.live.place(points, self.handles())
        key = self.sample, self.m, self.bandwidth
        X, features = self.examples, nystrom_map(self.kernel, points)
        Phi = features(X)
        lost = trace_error(np.ones(len(X)), Phi) / len(X)
        scores, least = rivals(*key), bound(*key)
        means = scores.mean(axis=1)
        beaten = int((lost < means).sum())
        self.best[key] = min(lost, self.best.get(key, 1.0))
        of_each = 1.0 - np.square(Phi).sum(axis=1)
        worst = int(of_each.argmax())

        self.field.set_data(1.0 - np.square(features(FIELD)).sum(axis=1).reshape(len(GRID), -1))
        self.dots.set_offsets(X)
        self.dots.set_sizes(10 + 60 * np.clip(of_each, 0, 1))
        self.landmarks.set_offsets(points)
        self.board.show(lost, scores, least)
        self.titles[0].set_text(f"{lost:.3f} lost; dark, and large points: not explained")
        self.titles[1].set_text(f"{self.m} landmarks beat {beaten} of 2 averages")
        return {
            "n": len(X),
            "rank": features.rank,
            "lost": lost,
            "your_best": self.best[key],
            "bound": least,
            "idle": self.m - features.rank or None,
            "rivals": scores,
            "means": ", ".join(f"{n} {v:.3f}" for n, v in zip(NAMES.values(), means, strict=True)),
            "beaten": beaten,
            "worst": X[worst],
            "worst_lost": of_each[worst],
        }


class Scoreboard(Mark):
    """A score of one's own beside those of a few rivals, each drawn several times; a log scale."""

    def __init__(self, axes: Axes, rivals: Sequence[str], limits: tuple[float, float]) -> None:
        names = ["you", *rivals]
        self.rows = np.arange(len(names))[::-1]
        self.low, self.high = limits
        self.draws = axes.scatter(
            [], [], marker="|", s=90, c=style.NEUTRAL, linewidths=style.THIN, zorder=2
        )
        self.means = axes.scatter(
            [], [], marker="s", s=52, c=style.POSITIVE, edgecolors=style.INK, zorder=3
        )
        self.yours = axes.scatter(
            [], [], marker="D", s=110, c=style.ACCENT, edgecolors="white", zorder=5, clip_on=False
        )
        self.line = Line2D([], [], color=style.ACCENT, linewidth=style.THIN, zorder=1)
        self.bound = Line2D([], [], color=style.INK, linestyle="--", linewidth=style.THIN, zorder=1)
        axes.add_line(self.line)
        axes.add_line(self.bound)
        self.words = [
            axes.text(
                0.1, row + 0.18, "", ha="center", fontsize=10, zorder=6,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
            )
            for row in self.rows
        ]  # fmt: skip
        axes.set(
            xscale="log", xlim=limits, ylim=(-0.5, len(names) - 0.35),
            xlabel="share lost (ticks: ten draws;\ndashed: the least possible)",
        )  # fmt: skip
        ticks = [t for t in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if limits[0] <= t <= limits[1]]
        axes.set_xticks(ticks, [f"{t:g}" for t in ticks])
        axes.minorticks_off()
        axes.set_yticks(self.rows, names)
        axes.tick_params(axis="y", length=0)

    def show(self, yours: float, rivals: FloatArray, bound: float) -> None:
        """Show a score, those of the rivals, shape (n_rivals, n_draws), and what none can beat."""
        inside = np.clip(rivals, self.low, self.high)
        mine = float(np.clip(yours, self.low, self.high))
        rows = np.repeat(self.rows[1:], rivals.shape[1])
        self.draws.set_offsets(np.column_stack([inside.ravel(), rows]))
        means = rivals.mean(axis=1)
        self.means.set_offsets(
            np.column_stack([np.clip(means, self.low, self.high), self.rows[1:]])
        )
        self.yours.set_offsets([(mine, self.rows[0])])
        ends = [self.rows[-1] - 0.4, self.rows[0] + 0.25]
        self.line.set_data([mine, mine], ends)
        self.bound.set_data([bound, bound] if bound >= self.low else [np.nan, np.nan], ends)
        for text, score in zip(self.words, [yours, *means], strict=True):
            text.set_text(f"{score:.3f}")
            text.set_x(float(np.clip(score, 1.2 * self.low, self.high / 1.2)))
