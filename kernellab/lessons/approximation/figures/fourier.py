"""Live figure of notebook 07: random cosines that average to a kernel."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import ipywidgets
import numpy as np

from kernellab.draw import style
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Laplacian
from kernellab.lessons.approximation.figures.approximation_marks import LossCurves
from kernellab.lessons.approximation.figures.fourier_marks import Cosines, Frequencies
from kernellab.lessons.approximation.figures.landmarks import CLUSTERS, SAMPLES
from kernellab.live.explorer import WIDE, Explorer, button, choice
from kernellab.solvers.fourier import FourierMap, fourier_map
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
def curves(kind: str, gamma: float) -> tuple[FloatArray, tuple[FloatArray, FloatArray]]:
    """Return numbers of columns, and the error of landmarks and of random features at each.

    On the clusters of the landmark game; means of three draws. Landmarks: uniform.
    """
    X, kernel = SAMPLES[CLUSTERS], kernel_of(kind, gamma)
    K = kernel(X)
    columns = np.array([2, 4, 8, 14, 20, 30, 44, 60, 90, MOST])
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


class FourierDial(Explorer):
    """Draw m frequencies; the average of their cosines is nearly the kernel. Beside: landmarks.

    Taught in notebook 07.

    Parameters
    ----------
    kind
        ``GAUSSIAN`` or ``LAPLACIAN``: what is shown first.
    """

    presets: Mapping[str, Any] = {
        "one cosine": {"m": 1},
        "five": {"m": 5},
        "fifty": {"m": 50},
        "five hundred": {"m": 500},
        "Laplacian, fifty": {"kind": LAPLACIAN, "m": 50},
    }
    memory = ("seed",)

    def __init__(self, kind: str = GAUSSIAN) -> None:
        self.kind = choice("kernel", [GAUSSIAN, LAPLACIAN])
        self.kind.value = kind
        self.m = ipywidgets.SelectionSlider(
            options=list(COUNTS), value=5, description="frequencies m", **WIDE
        )
        self.gamma = ipywidgets.SelectionSlider(
            options=self._gammas(), value=1.0, description="γ", **WIDE
        )
        self.seed = 0
        self._kind = kind
        figure = style.new_figure((9.4, 5.0))
        axes = figure.subplot_mosaic(
            [["cosines", "cosines", "density"], ["cosines", "cosines", "error"]],
            width_ratios=[1, 1, 1.25], height_ratios=[0.8, 1],
        )  # fmt: skip
        self.cosines = Cosines(axes["cosines"], DELTA)
        self.frequencies = Frequencies(axes["density"], REACH)
        self.titles = [
            moving_title(axes["cosines"], 26), moving_title(axes["density"]),
            moving_title(axes["error"], 26),
        ]  # fmt: skip
        self.curves = LossCurves(axes["error"], ("landmarks", "random features"), floor=1e-3)
        axes["error"].set(
            xlim=(0, MOST + 4), xlabel="columns (two a frequency)", ylabel="‖K − K̃‖ / ‖K‖"
        )
        super().__init__(
            "How many random cosines does it take to draw a bell?",
            figure,
            [
                self.kind, self.m, self.gamma,
                button("draw again", self.draw_again, tooltip="draw other frequencies"),
            ],
            moving=[
                *self.cosines.artists, *self.frequencies.artists, *self.curves.artists,
                *self.titles,
            ],
        )  # fmt: skip

    def draw_again(self) -> None:
        """Draw other frequencies."""
        self.seed += 1
        self.live.redraw(sharp=True)

    def update(self, points: FloatArray) -> str:
        """Draw the frequencies and average their cosines."""
        kind, gamma, m = self.kind.value, self.gamma.value, self.m.value
        if kind != self._kind:
            self._kind = kind
            self.offer(self.gamma, self._gammas())
        line = fourier_map(kernel_of(kind, gamma), 1, m, rng=self.seed)
        exact = kappa(kind, gamma, DELTA)
        variance = (1 + kappa(kind, gamma, 2 * DELTA) - 2 * exact**2) / (2 * m)
        cosines = np.cos(np.outer(line.frequencies[:, 0], DELTA))
        self.cosines.show(exact, cosines, np.sqrt(np.maximum(variance, 0.0)))
        self.frequencies.show(OMEGA, density(kind, gamma, OMEGA), line.frequencies[:, 0])
        self.off = float(np.abs(cosines.mean(axis=0) - exact).max())
        self.outside = int((np.abs(line.frequencies) > REACH).sum())
        self.relative = self._on_clusters(kind, gamma, m)
        columns, (landmarks, _) = lines = curves(kind, gamma)
        self.curves.show(columns, lines[1], (2 * m if 2 * m <= MOST + 4 else np.nan, self.relative))
        self.landmarks = float(np.interp(2 * m, columns, landmarks))
        said = (
            f"{m} cosines: their average is off by up to {self.off:.2f}",
            f"frequencies of a {'normal' if kind == GAUSSIAN else 'Cauchy'} density",
            f"{2 * m} random columns: K̃ is off by {self.relative:.0%}",
        )
        for title, words in zip(self.titles, said, strict=True):
            title.set_text(words)
        beyond = f", {self.outside} of them beyond ±{REACH:g}" if self.outside else ""
        return (
            f"{kind}, {self._words(gamma)}   m = {m} frequencies{beyond}   largest error of the "
            f"average on [−4, 4]: {self.off:.3f}\n122 points in the plane, {2 * m} columns: "
            f"‖K − K̃‖ / ‖K‖ = {self.relative:.3f} with random features, about "
            f"{self.landmarks:.3f} with {min(2 * m, MOST)} landmarks"
        )

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"{self.m.value} random cosines and their average beside the kernel, {self._kind}, "
            f"{self._words(self.gamma.value)}: off by up to {self.off:.3f}. The density of the "
            f"frequencies, {'normal' if self._kind == GAUSSIAN else 'Cauchy'}, {self.outside} of "
            f"those drawn beyond ±{REACH:g}. The relative error of K on 122 points against the "
            f"number of columns: random features {self.relative:.3f} and landmarks "
            f"{self.landmarks:.3f} with {2 * self.m.value} columns."
        )

    def _on_clusters(self, kind: str, gamma: float, m: int) -> float:
        kernel, X = kernel_of(kind, gamma), SAMPLES[CLUSTERS]
        features: FourierMap = fourier_map(kernel, 2, m, rng=self.seed)
        return relative_error(kernel(X), features(X))

    def _words(self, gamma: float) -> str:
        if self.kind.value == GAUSSIAN:
            return f"γ = {gamma:g} (σ = {np.sqrt(0.5 / gamma):.3g})"
        return f"γ = {gamma:g} (ℓ1)"

    def _gammas(self) -> list[tuple[str, float]]:
        return [(self._words(gamma).removeprefix("γ = "), gamma) for gamma in GAMMAS]
