"""Live figure of notebook 07: random cosines that average to a kernel."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure as MplFigure
from matplotlib.patches import Polygon

from kernellab.draw import style
from kernellab.draw.curves import Curves
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Laplacian
from kernellab.lessons.approximation.figures.landmarks import CLUSTERS, SAMPLES
from kernellab.live.controls import Button, Choice, Ladder
from kernellab.live.declared import Figure
from kernellab.live.parameters import gamma_with_sigma
from kernellab.solvers.fourier import fourier_map
from kernellab.solvers.nystrom import GrowingNystrom
from kernellab.validation import FloatArray

GAUSSIAN, LAPLACIAN = "Gaussian", "Laplacian"
DELTA = np.linspace(-4.0, 4.0, 161)
REACH = 8.0  # of the frequencies that are shown
OMEGA = np.linspace(-REACH, REACH, 161)
COUNTS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500)
GAMMAS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
DRAWS = 3
MOST = 122  # columns, of as many examples
SHOWN = 12  # cosines drawn one by one; more would be a grey carpet
LOOKS = {"landmarks": style.LINES[0], "random features": style.LINES[1]}


def kappa(kind: str, gamma: float, delta: FloatArray) -> FloatArray:
    """Return κ(δ) of one feature."""
    return np.exp(-gamma * (np.square(delta) if kind == GAUSSIAN else np.abs(delta)))


def density(kind: str, gamma: float, omega: FloatArray) -> FloatArray:
    """Return the density p(ω) whose Fourier transform κ is: normal, or Cauchy."""
    if kind == GAUSSIAN:
        return np.asarray(np.exp(-np.square(omega) / (4 * gamma)) / np.sqrt(4 * np.pi * gamma))
    return np.asarray(gamma / (np.pi * (gamma**2 + np.square(omega))))


def kernel_of(kind: str, gamma: float) -> Gaussian | Laplacian:
    """Return the kernel."""
    return Gaussian(gamma) if kind == GAUSSIAN else Laplacian(gamma, "l1")


def relative_error(K: FloatArray, Phi: FloatArray) -> float:
    """Return ‖K − ΦΦᵀ‖ / ‖K‖, Euclidean norms of all entries."""
    return float(np.linalg.norm(K - Phi @ Phi.T) / np.linalg.norm(K))


@cache
def errors_by_columns(kind: str, gamma: float) -> tuple[FloatArray, tuple[FloatArray, FloatArray]]:
    """Return numbers of columns, and the error of landmarks and of random features at each.

    On the clusters of the landmark game; means of three draws. Landmarks: uniform, at most 122.
    """
    X, kernel = SAMPLES[CLUSTERS], kernel_of(kind, gamma)
    K = kernel(X)
    columns = np.array([2, 4, 8, 14, 20, 30, 44, 60, 90, MOST, 250, 500, 2 * COUNTS[-1]])
    landmarks, cosines = np.zeros(len(columns)), np.zeros(len(columns))
    for seed in range(DRAWS):
        grown = GrowingNystrom(kernel, X)
        order = np.random.default_rng(seed).permutation(len(X))
        start = 0
        for k, m in enumerate(columns):
            for i in order[start:m]:
                grown.add(X[[i]])
            start = m
            landmarks[k] += relative_error(K, grown.Phi) / DRAWS
            features = fourier_map(kernel, 2, int(m) // 2, rng=seed)(X)
            cosines[k] += relative_error(K, features) / DRAWS
    return columns.astype(float), (landmarks, cosines)


class FourierDial(Figure):
    """Draw m frequencies; the average of their cosines is nearly the kernel. Beside: landmarks.

    Taught in notebook 07.
    """

    question = "How many random cosines does it take to draw a bell?"
    at_first = ("m", "gamma")
    answer = ("average", "curves")
    size = (9.4, 5.0)
    kind = Choice("kernel", [GAUSSIAN, LAPLACIAN])
    m = Ladder("frequencies m", COUNTS, 5)
    gamma = Ladder(
        "γ", GAMMAS, 1.0,
        lambda gamma, figure: gamma_with_sigma(gamma, figure)
        if figure.kind == GAUSSIAN else f"{gamma:g} (ℓ1)",
    )  # fmt: skip
    presets = {
        "one cosine": {"m": 1},
        "five": {"m": 5},
        "fifty": {"m": 50},
        "five hundred": {"m": 500},
        "Laplacian, five hundred": {"kind": LAPLACIAN, "m": 500},
    }
    memory = {"seed": 18}
    readout = (
        "largest error of the average: {off:.3f}   {beyond}\n"
        "‖K − K̃‖ / ‖K‖: {columns} random features {relative:.3f}, {n_landmarks} landmarks about "
        "{landmarks:.3f}"
    )
    alt = (
        "{m} random cosines and their average beside the kernel, {kind}, γ = {gamma}: off by up to "
        "{off:.3f}. The density of the frequencies, {law}, {outside} of those drawn beyond ±8. The "
        "relative error of K on 122 points against the number of columns: random features "
        "{relative:.3f} and landmarks {landmarks:.3f} with {columns} columns."
    )

    @Button("draw again", "draw other frequencies")
    def draw_again(self) -> None:
        """Draw other frequencies."""
        self.seed += 1

    def build(self, figure: MplFigure) -> Axes:
        """Make the cosines, the density of their frequencies, and the error of K."""
        axes = figure.subplot_mosaic(
            [["cosines", "cosines", "density"], ["cosines", "cosines", "error"]],
            width_ratios=[1, 1, 1.25], height_ratios=[0.8, 1],
        )  # fmt: skip
        left, right = axes["cosines"], axes["density"]
        self.band = Polygon(np.zeros((3, 2)), facecolor="#dfd3e6", edgecolor="none", zorder=0)
        left.add_patch(self.band)
        self.cosines = LineCollection(
            [], colors=style.NEUTRAL, linewidths=0.6, alpha=0.45, zorder=1
        )
        left.add_collection(self.cosines, autolim=False)
        (self.kernel,) = left.plot([], [], color=style.INK, linewidth=style.LINE, zorder=3)
        (self.average,) = left.plot(
            [], [], color=style.ACCENT, linewidth=style.LINE, linestyle="--", zorder=4
        )
        left.set(xlim=(DELTA[0], DELTA[-1]), ylim=(-1.05, 1.05), xlabel="δ = x − z")
        left.legend(
            [self.kernel, self.average], ["κ(δ)", "average of m cosines"], loc="lower left",
            bbox_to_anchor=(0.0, 1.0), ncols=2, borderaxespad=0.1,
        )  # fmt: skip
        (self.density,) = right.plot([], [], color=style.INK, linewidth=style.LINE, zorder=2)
        self.drawn = right.scatter(
            [], [], marker="|", s=70, c=style.ACCENT, linewidths=style.THIN, zorder=3
        )
        right.set(xlim=(-REACH, REACH), ylim=(-0.16, 1.06), xlabel="frequency ω", yticks=[])
        self.titles = [
            moving_title(left, 26), moving_title(right), moving_title(axes["error"], 26),
        ]  # fmt: skip
        self.curves = Curves(axes["error"], LOOKS)
        self.curves.legend(fontsize=10, columnspacing=0.8, handlelength=1.6)
        axes["error"].set(
            xscale="log", yscale="log", xlim=(1.8, 2 * COUNTS[-1]), ylim=(1e-3, 1.5),
            xlabel="columns (curves: means of 3 draws)", ylabel="‖K − K̃‖ / ‖K‖",
        )  # fmt: skip
        axes["error"].set_xticks((2, 10, 60, 250, 1000), ("2", "10", "60", "250", "1000"))
        axes["error"].minorticks_off()
        return left

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Draw the frequencies and average their cosines."""
        kind, gamma, m = self.kind, self.gamma, self.m
        kernel, X, columns = kernel_of(kind, gamma), SAMPLES[CLUSTERS], 2 * m
        frequencies = fourier_map(kernel, 1, m, rng=self.seed).frequencies[:, 0]
        exact = kappa(kind, gamma, DELTA)
        variance = (1 + kappa(kind, gamma, 2 * DELTA) - 2 * exact**2) / (2 * m)
        deviation = np.sqrt(np.maximum(variance, 0.0))
        cosines = np.cos(np.outer(frequencies, DELTA))
        off = np.abs(cosines.mean(axis=0) - exact).max()
        inside = frequencies[np.abs(frequencies) <= REACH]
        outside = m - len(inside)
        relative = relative_error(kernel(X), fourier_map(kernel, 2, m, rng=self.seed)(X))
        counts, lines = errors_by_columns(kind, gamma)
        law = "normal" if kind == GAUSSIAN else "Cauchy"

        edges = np.concatenate([exact + 2 * deviation, (exact - 2 * deviation)[::-1]])
        self.band.set_xy(np.column_stack([np.concatenate([DELTA, DELTA[::-1]]), edges]))
        self.cosines.set_segments([np.column_stack([DELTA, line]) for line in cosines[:SHOWN]])
        self.kernel.set_data(DELTA, exact)
        self.average.set_data(DELTA, cosines.mean(axis=0))
        p = density(kind, gamma, OMEGA)
        self.density.set_data(OMEGA, p / p.max())
        self.drawn.set_offsets(np.column_stack([inside, np.full(len(inside), -0.08)]))
        curves = dict(zip(LOOKS, lines, strict=True))
        self.curves.show(counts, curves, columns, [relative])
        titles = (
            f"{m} cosine{'s' * (m > 1)}: their average is off by up to {off:.2f}",
            f"frequencies of a {law} density",
            f"this draw, {columns} columns: off by {relative:.0%}",
        )
        for title, words in zip(self.titles, titles, strict=True):
            title.set_text(words)
        return {
            "columns": columns,
            "law": law,
            "outside": outside,
            "beyond": f"{outside} frequencies beyond ±{REACH:g}" if outside else "",
            "off": off,
            "relative": relative,
            "landmarks": np.interp(columns, counts, lines[0]),
            "n_landmarks": min(columns, MOST),
        }
