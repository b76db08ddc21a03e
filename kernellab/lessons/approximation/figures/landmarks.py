"""Live figure of notebook 07: landmarks placed by hand, against four ways of choosing them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import ipywidgets
import numpy as np

from kernellab.draw import style
from kernellab.draw.plane import Limits, plane
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Kernel
from kernellab.lessons.approximation.figures.landmarks_marks import Landmarks, Scoreboard
from kernellab.live.explorer import WIDE, Explorer, button, choice
from kernellab.solvers.landmarks import LANDMARKS, choose_landmarks
from kernellab.solvers.nystrom import nystrom_map, top_eigenvectors, trace_error
from kernellab.validation import FloatArray

LIMITS: Limits = (-3.2, 3.2, -3.2, 3.2)
GRID = np.linspace(-3.2, 3.2, 49)
FIELD = np.stack(np.meshgrid(GRID, GRID), axis=-1).reshape(-1, 2)
COUNTS = range(2, 13)
BANDWIDTHS = (0.4, 0.5, 0.6, 0.8, 1.0, 1.4)
DRAWS = 10  # of every automatic choice
NAMES = {
    "uniform": "uniform",
    "kmeans": "k-means centres",
    "leverage": "ridge leverage",
    "cholesky": "pivoted Cholesky",
}


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
    """Return the share that each automatic choice loses, shape (4, DRAWS)."""
    kernel, X = Gaussian.from_bandwidth(bandwidth), SAMPLES[sample]
    return np.array(
        [
            [
                lost_share(kernel, X, choose_landmarks(kernel, X, m, how=how, rng=seed))
                for seed in range(DRAWS)
            ]
            for how in LANDMARKS
        ]
    )


@cache
def bound(sample: str, m: int, bandwidth: float) -> float:
    """Return the share that the best m columns there are lose: those of the eigenvectors."""
    K = Gaussian.from_bandwidth(bandwidth)(SAMPLES[sample])
    return trace_error(K.diagonal(), top_eigenvectors(K, m)) / float(K.trace())


class LandmarkGame(Explorer):
    """Drag landmarks; the plane is dark where they explain nothing, and the dark is the score.

    Taught in notebook 07.

    Parameters
    ----------
    sample
        ``CLUSTERS`` or ``CLOUD``: what is shown first.
    m
        How many landmarks at first.
    """

    presets: Mapping[str, Any] = {
        "clusters": {"sample": CLUSTERS},
        "one round cloud": {"sample": CLOUD},
        "few": {"m": 3},
        "many": {"m": 12},
        "narrow kernel": {"bandwidth": 0.4},
        "wide kernel": {"bandwidth": 1.4},
    }
    memory = ("seed", "best")

    def __init__(self, sample: str = CLUSTERS, m: int = 8) -> None:
        self.sample = choice("data", list(SAMPLES))
        self.sample.value = sample
        self.m = ipywidgets.SelectionSlider(
            options=list(COUNTS), value=m, description="landmarks m", **WIDE
        )
        self.bandwidth = ipywidgets.SelectionSlider(
            options=[(f"{s:g} (γ = {0.5 / s**2:.3g})", s) for s in BANDWIDTHS],
            value=0.6, description="σ", **WIDE,
        )  # fmt: skip
        self.how = choice("put them", {NAMES[how]: how for how in LANDMARKS})
        self.seed = 0  # the first draw is where the landmarks start
        self.best: dict[tuple[str, int, float], float] = {}
        figure = style.new_figure((9.4, 5.0))
        left, right = figure.subplots(1, 2, width_ratios=[1.25, 1])
        plane(left, LIMITS)
        left.set_title("the darker, the less the landmarks explain")
        self.picture = Landmarks(left, LIMITS)
        self.board = Scoreboard(right, list(NAMES.values()), (0.02, 1.0))
        self.title = moving_title(right)
        self._loaded = (self.sample.value, self.m.value)
        super().__init__(
            "Can you place the landmarks better than four ways of choosing them?",
            figure,
            [
                self.sample, self.m, self.bandwidth, self.how,
                button("put", self.put, tooltip="put the landmarks as this method draws them"),
            ],
            moving=[*self.picture.artists, *self.board.artists, self.title],
            axes=left,
            points=self._start(),
            handles=self._handles(),
        )  # fmt: skip

    def put(self) -> None:
        """Place the landmarks as the chosen method does, each time from its next seed."""
        self.seed += 1
        kernel, X = self._kernel(), SAMPLES[self.sample.value]
        at = choose_landmarks(kernel, X, self.m.value, how=self.how.value, rng=self.seed)
        missing = self.m.value - len(at)  # fewer may explain everything
        self.live.place(np.vstack([at, np.repeat(at[:1], missing, axis=0)]))
        self.live.redraw(sharp=True)

    def update(self, points: FloatArray) -> str:
        """Score the landmarks where they are."""
        if (self.sample.value, self.m.value) != self._loaded:
            points = self._change(points)
        key = self.sample.value, self.m.value, self.bandwidth.value
        kernel, X = self._kernel(), SAMPLES[self.sample.value]
        features = nystrom_map(kernel, points)
        self.rank = features.rank
        Phi = features(X)
        self.lost = trace_error(np.ones(len(X)), Phi) / len(X)
        self.rivals, self.bound = rivals(*key), bound(*key)
        self.best[key] = min(self.lost, self.best.get(key, 1.0))
        lost = 1.0 - np.square(Phi).sum(axis=1)
        field = 1.0 - np.square(features(FIELD)).sum(axis=1)
        self.picture.show(X, lost, points, field.reshape(len(GRID), -1))
        self.board.show(self.lost, self.rivals, self.bound)
        self.beaten = int((self.lost < self.rivals.mean(axis=1)).sum())
        self.title.set_text(f"{self.m.value} landmarks: you beat {self.beaten} of 4")
        self.worst = int(lost.argmax())
        return self._sentence(lost[self.worst])

    def describe(self) -> str:
        """Return the alternative text."""
        means = ", ".join(
            f"{name} {mean:.3f}"
            for name, mean in zip(NAMES.values(), self.rivals.mean(axis=1), strict=True)
        )
        return (
            f"{self.m.value} landmarks among {len(SAMPLES[self.sample.value])} points, "
            f"{self.sample.value}, Gaussian kernel with σ = {self.bandwidth.value:g}; the plane is "
            f"dark where they explain nothing. Share of the trace that is lost: {self.lost:.3f}; "
            f"means of ten draws: {means}; at least {self.bound:.3f} with any features."
        )

    # --- how it does it ------------------------------------------------------------------------

    def _kernel(self) -> Kernel:
        return Gaussian.from_bandwidth(self.bandwidth.value)

    def _start(self) -> FloatArray:
        """Return the first draw of the uniform choice."""
        X = SAMPLES[self.sample.value]
        return np.asarray(choose_landmarks(self._kernel(), X, self.m.value, rng=0))

    def _change(self, points: FloatArray) -> FloatArray:
        """Take other data, or more or fewer landmarks; those that are left stay where they are."""
        same_data = self.sample.value == self._loaded[0]
        self._loaded = (self.sample.value, self.m.value)
        new = self._start()
        if same_data:
            new = np.vstack([points, new])[: self.m.value]
        self.live.place(new, self._handles())
        return new

    def _handles(self) -> list[dict[str, str]]:
        return [{"label": f"landmark {k + 1}", "color": style.ACCENT} for k in range(self.m.value)]

    def _sentence(self, worst: float) -> str:
        X = SAMPLES[self.sample.value]
        idle = self.m.value - self.rank
        said = f"   {idle} of no use: they lie on others" if idle else ""
        at = X[self.worst]
        key = self.sample.value, self.m.value, self.bandwidth.value
        return (
            f"m = {self.m.value}   σ = {self.bandwidth.value:g} (γ = "
            f"{0.5 / self.bandwidth.value**2:.3g})   lost: {self.lost:.4f} of the trace   "
            f"your best: {self.best[key]:.4f}   no features can go below {self.bound:.4f}{said}\n"
            f"methods you beat on average: {self.beaten} of 4   least explained: the point at "
            f"({at[0]:.1f}, {at[1]:.1f}), {worst:.0%} lost".replace("-", "−")
        )
