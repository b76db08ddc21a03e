"""Live figure of notebook 07: a Gram matrix, what m columns make of it, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import ipywidgets
import numpy as np

from kernellab.certificates import spectrum
from kernellab.datasets.shipped import EACH, digits_by_class
from kernellab.draw import style
from kernellab.draw.matrix import GramImage
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Kernel, Polynomial
from kernellab.lessons.approximation.figures.approximation_marks import LossCurves
from kernellab.lessons.approximation.figures.landmarks import CLUSTERS, SAMPLES
from kernellab.lessons.approximation.figures.landmarks_marks import LOST
from kernellab.live.explorer import WIDE, Explorer, choice
from kernellab.solvers.fourier import fourier_map
from kernellab.solvers.landmarks import choose_landmarks, leverage_landmarks, pivoted_cholesky
from kernellab.solvers.nystrom import GrowingNystrom, nystrom_map, top_eigenvectors
from kernellab.validation import FloatArray

DIGITS = "digits, (x·z)^p on rows of length 1"
POINTS = f"{CLUSTERS}, Gaussian"
UNIFORM, KMEANS, LEVERAGE, CHOLESKY = "uniform", "k-means", "ridge leverage", "pivoted Cholesky"
EIGEN, FOURIER = "eigenvectors (takes all of K)", "random Fourier features"
DEGREES = (1, 2, 3, 5, 8)
DARKEST = 0.4  # what error is drawn as dark as it gets
BANDWIDTHS = (0.2, 0.4, 0.6, 1.0, 2.0)


@cache
def examples(data: str) -> tuple[FloatArray, tuple[int, ...]]:
    """Return the examples of a data set, sorted, and where one class or cluster ends."""
    if data == DIGITS:
        return digits_by_class()[0], tuple(range(EACH, 10 * EACH, EACH))
    return SAMPLES[CLUSTERS], (75, 95, 105, 112, 117)


def kernel_of(data: str, dial: float) -> Kernel:
    """Return the kernel that a dial stands for."""
    return Polynomial(int(dial), 0.0) if data == DIGITS else Gaussian.from_bandwidth(dial)


@cache
def orders(data: str, dial: float) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return rows in the order in which uniform choice and pivoted Cholesky take them."""
    X, _ = examples(data)
    shuffled = np.random.default_rng(0).permutation(len(X))
    pivots = pivoted_cholesky(kernel_of(data, dial), X, len(X), rng=0)[1]
    return tuple(shuffled.tolist()), tuple(pivots.tolist())


@cache
def curves(data: str, dial: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the share lost by m = 1, 2, … columns: uniform, pivoted Cholesky, eigenvectors."""
    X, _ = examples(data)
    kernel = kernel_of(data, dial)
    lost = []
    for order in orders(data, dial):
        grown, shares = GrowingNystrom(kernel, X), []
        for i in order:
            grown.add(X[[i]])
            shares.append(grown.trace_error)
        lost.append(np.array(shares) / kernel.diag(X).sum())
    values = np.maximum(spectrum(kernel(X)), 0.0)
    return lost[0], lost[1], 1.0 - np.cumsum(values) / values.sum()


def approximate(data: str, dial: float, how: str, m: int) -> tuple[FloatArray, list[int]]:
    """Return the features Φ, shape (n, ≤ m), and the rows that are landmarks, if any are."""
    X, _ = examples(data)
    kernel = kernel_of(data, dial)
    if how == EIGEN:
        return top_eigenvectors(kernel(X), m), []
    if how == FOURIER:
        return fourier_map(kernel, X.shape[1], max(1, m // 2), rng=0)(X), []
    if how == KMEANS:
        return nystrom_map(kernel, choose_landmarks(kernel, X, m, how="kmeans"))(X), []
    if how == LEVERAGE:
        rows = leverage_landmarks(kernel, X, m).tolist()
    else:
        rows = list(orders(data, dial)[how == CHOLESKY][:m])
    return nystrom_map(kernel, X[rows])(X), rows


class ColumnDial(Explorer):
    """One dial, m: the Gram matrix, its approximation by m columns, and the error, side by side.

    Taught in notebook 07.

    Parameters
    ----------
    data
        ``DIGITS`` or ``POINTS``: what is shown first.
    """

    presets: Mapping[str, Any] = {
        "2 columns": {"m": 2},
        "16 columns": {"m": 16},
        "36 columns": {"m": 36},
        "16, pivoted Cholesky": {"m": 16, "how": CHOLESKY},
        "16 eigenvectors": {"m": 16, "how": EIGEN},
        "clusters": {"data": POINTS, "m": 16},
    }

    def __init__(self, data: str = DIGITS) -> None:
        self.data = choice("data", [DIGITS, POINTS])
        self.data.value = data
        self.how = choice("columns", [UNIFORM])
        self.m = ipywidgets.IntSlider(value=16, min=2, max=120, description="m", **WIDE)
        self.dial = ipywidgets.SelectionSlider(options=[("", 0.0)], description="p", **WIDE)
        figure = style.new_figure((9.4, 5.3))
        axes = figure.subplot_mosaic(
            [["K", "near", "error"], ["curves", "curves", "curves"]], height_ratios=[1.5, 1]
        )
        self.images = [GramImage(axes[name]) for name in ("K", "near", "error")]
        self.titles = [moving_title(axes[name]) for name in ("K", "near", "error")]
        self.images[2].image.set_cmap(LOST)
        self.images[2].borders.set_color(style.NEUTRAL)
        self.ticks = [
            axes["near"].scatter(
                [], [], marker=">", s=26, c=style.ACCENT, zorder=4, clip_on=False, linewidths=0
            ),
            axes["error"].scatter(
                [], [], marker=">", s=26, c=style.ACCENT, zorder=4, clip_on=False, linewidths=0
            ),
        ]
        self.curves = LossCurves(axes["curves"], (UNIFORM, CHOLESKY, "eigenvectors"))
        axes["curves"].set(xlim=(0, 124), xlabel="columns m", ylabel="share of trace lost")
        axes["curves"].set_yticks([1e-4, 1e-2, 1.0])
        self._load()
        super().__init__(
            "How many columns of K does it take until you cannot see the error? Until it is zero?",
            figure,
            [self.data, self.how, self.m, self.dial],
            moving=[
                *(artist for image in self.images for artist in image.artists),
                *self.ticks, *self.titles, *self.curves.artists,
            ],
        )  # fmt: skip

    def update(self, points: FloatArray) -> str:
        """Approximate by m columns."""
        if self.data.value != self._loaded:
            self._load()
        X, borders = examples(self._loaded)
        n, m, dial = len(X), self.m.value, self.dial.value
        K = kernel_of(self._loaded, dial)(X)
        Phi, rows = approximate(self._loaded, dial, self.how.value, m)
        near = Phi @ Phi.T
        error = K - near
        self.columns = Phi.shape[1]
        self.lost = float(error.trace() / K.trace())
        self.largest = float(np.abs(error).max())
        self.smallest = float(np.linalg.eigvalsh(error)[0])
        self.on_landmarks = float(np.abs(error[np.ix_(rows, rows)]).max()) if rows else None
        shown = (K, 1.0), (near, 1.0), (np.abs(error), DARKEST)
        for image, (matrix, high) in zip(self.images, shown, strict=True):
            image.show(matrix, borders, low=0.0, high=high)
        said = f"K, all {n} columns", f"K̃, of {self.columns} columns"
        share = max(self.lost, 0.0)
        error_said = f"|K − K̃|, black at {DARKEST:g}: {share:.{1 if share < 0.1 else 0}%} lost"
        for title, words in zip(self.titles, (*said, error_said), strict=True):
            title.set_text(words)
        at = np.column_stack([np.full(len(rows), -0.012 * n), np.array(rows, dtype=float) + 0.5])
        for ticks in self.ticks:
            ticks.set_offsets(at)
        shares = curves(self._loaded, dial)
        m_all = np.arange(1, n + 1, dtype=float)
        # The trace of random features is right, and their entries are not: they are off the curves.
        here = np.nan if self.how.value == FOURIER else max(self.lost, 0.0)
        self.curves.show(m_all, shares, (self.columns, here))
        self.relative = float(np.linalg.norm(error) / np.linalg.norm(K))
        return self._sentence(n)

    def describe(self) -> str:
        """Return the alternative text."""
        shares = curves(self._loaded, self.dial.value)
        first = ", ".join(
            f"{name} {int(np.argmax(share < 0.01)) + 1}"
            for name, share in zip((UNIFORM, CHOLESKY, "eigenvectors"), shares, strict=True)
        )
        return (
            f"The Gram matrix of {self._loaded} ({self.kernel}), its approximation by "
            f"{self.columns} columns ({self.how.value}), and the error: lost "
            f"{max(self.lost, 0):.3f} of the trace, largest entry {self.largest:.3f}. Below, what "
            f"is lost against m on a log scale; one percent is reached at m: {first}."
        )

    def _load(self) -> None:
        self._loaded = self.data.value
        with self.quietly():
            digits = self._loaded == DIGITS
            how = self.how.value
            names = [UNIFORM, KMEANS, LEVERAGE, CHOLESKY, EIGEN, *([] if digits else [FOURIER])]
            self.how.options = names
            self.how.value = how if how in names else UNIFORM
            self.m.max = len(examples(self._loaded)[0])
            if digits:
                self.dial.options = [(str(p), float(p)) for p in DEGREES]
                self.dial.value, self.dial.description = 2.0, "degree p"
            else:
                self.dial.options = [(f"{s:g} (γ = {0.5 / s**2:.3g})", s) for s in BANDWIDTHS]
                self.dial.value, self.dial.description = 0.6, "σ"

    @property
    def kernel(self) -> str:
        """The kernel in words."""
        value = self.dial.value
        if self._loaded == DIGITS:
            return f"(x·z)^{value:g}"
        return f"Gaussian, σ = {value:g} (γ = {0.5 / value**2:.3g})"

    def _sentence(self, n: int) -> str:
        kind = "K − K̃ is no Gram matrix" if self.smallest < -1e-6 else "K − K̃ is a Gram matrix"
        if self.smallest < -1e-6:
            kind += f" (smallest eigenvalue {self.smallest:.2f})"
        exact = (
            f"   between landmarks off by {max(self.on_landmarks, 1e-15):.0e}"
            if self.on_landmarks is not None
            else ""
        )
        return (
            f"{self.kernel}   columns: {self.columns} of {n}   numbers kept: "
            f"{n * self.columns:,} of {n * n:,}   lost: {max(self.lost, 0.0):.2%} of the trace\n"
            f"‖K − K̃‖ / ‖K‖ = {self.relative:.3f}   largest error {self.largest:.3f}   "
            f"{kind}{exact}".replace("-", "−")
        )
