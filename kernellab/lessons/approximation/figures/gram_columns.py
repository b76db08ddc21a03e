"""Live figure of notebook 07: a Gram matrix, what m columns make of it, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.certificates import spectrum
from kernellab.datasets.shipped import digits_by_class
from kernellab.draw import style
from kernellab.draw.curves import Curves
from kernellab.draw.matrix import GramImage
from kernellab.draw.picture import Picture, picture
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Kernel, Polynomial
from kernellab.lessons.approximation.figures.landmarks import CLUSTERS, LOST, SAMPLES
from kernellab.live.controls import Choice, Ladder, Sample, Steps
from kernellab.live.declared import Figure
from kernellab.live.parameters import sigma_with_gamma
from kernellab.solvers.landmarks import choose_landmarks, leverage_landmarks, pivoted_cholesky
from kernellab.solvers.nystrom import GrowingNystrom, nystrom_map, top_eigenvectors
from kernellab.validation import FloatArray

TEN_DIGITS = "digits"
POINTS = CLUSTERS
UNIFORM, KMEANS, LEVERAGE, CHOLESKY = "uniform", "k-means", "ridge leverage", "pivoted Cholesky"
EIGEN = "eigenvectors (takes all of K)"
METHODS = (UNIFORM, CHOLESKY, "eigenvectors")  # that have curves
LOOKS = dict(zip(METHODS, (*style.LINES[:2], style.LINES[4]), strict=True))
DEGREES = (1, 2, 3, 5, 8)
DARKEST = 0.4  # what error is drawn as dark as it gets
FLOOR = 1e-4  # smaller shares are shown there
BANDWIDTHS = (0.2, 0.4, 0.6, 1.0, 2.0)


@cache
def examples(data: str) -> tuple[FloatArray, FloatArray]:
    """Return the examples of a data set, sorted, and of which digit or cluster each is."""
    if data == TEN_DIGITS:
        return digits_by_class()
    return SAMPLES[CLUSTERS], np.repeat(np.arange(6.0), [75, 20, 10, 7, 5, 5])


def kernel_of(data: str, dial: float) -> Kernel:
    """Return the kernel that a dial stands for."""
    return Polynomial(int(dial), 0.0) if data == TEN_DIGITS else Gaussian.from_bandwidth(dial)


@cache
def orders(data: str, dial: float) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return rows in the order in which uniform choice and pivoted Cholesky take them."""
    X, _ = examples(data)
    shuffled = np.random.default_rng(0).permutation(len(X))
    pivots = pivoted_cholesky(kernel_of(data, dial), X, len(X), rng=0)[1]
    return tuple(shuffled.tolist()), tuple(pivots.tolist())


def lost_in_order(kernel: Kernel, X: FloatArray, order: Iterable[int]) -> FloatArray:
    """Return the share of the trace that the first 1, 2, … landmarks of an order lose."""
    grown, shares = GrowingNystrom(kernel, X), []
    for i in order:
        grown.add(X[[i]])
        shares.append(grown.trace_error)
    return np.array(shares) / kernel.diag(X).sum()


@cache
def lost_by_columns(data: str, dial: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the share lost by m = 1, 2, … columns: uniform, pivoted Cholesky, eigenvectors."""
    X, _ = examples(data)
    kernel = kernel_of(data, dial)
    uniform, cholesky = (lost_in_order(kernel, X, order) for order in orders(data, dial))
    values = np.maximum(spectrum(kernel(X)), 0.0)
    return uniform, cholesky, 1.0 - np.cumsum(values) / values.sum()


def approximate(data: str, dial: float, how: str, m: int) -> tuple[FloatArray, list[int]]:
    """Return the features Φ, shape (n, ≤ m), and the rows that are landmarks, if any are."""
    X, _ = examples(data)
    kernel = kernel_of(data, dial)
    if how == EIGEN:
        return top_eigenvectors(kernel(X), m), []
    if how == KMEANS:
        return nystrom_map(kernel, choose_landmarks(kernel, X, m, how="kmeans"))(X), []
    if how == LEVERAGE:
        rows = leverage_landmarks(kernel, X, m).tolist()
    else:
        rows = list(orders(data, dial)[how == CHOLESKY][:m])
    return nystrom_map(kernel, X[rows])(X), rows


class ColumnDial(Figure):
    """One dial, m: the Gram matrix, its approximation by m columns, and the error, side by side.

    Taught in notebook 07.
    """

    question = "How many columns of K does it take, until 99 % of the trace is there?"
    at_first = ("m",)
    answer = ("curves",)
    size = (9.4, 5.3)
    data = Sample("data", {name: partial(examples, name) for name in (TEN_DIGITS, POINTS)})
    how = Choice("columns", [UNIFORM, KMEANS, LEVERAGE, CHOLESKY, EIGEN])
    m = Steps("m", 2, 120, 16)
    dial = Ladder(
        lambda figure: "degree p" if figure.digits else "σ",
        lambda figure: DEGREES if figure.digits else BANDWIDTHS,
        lambda figure: 2 if figure.digits else 0.6,
        lambda value, figure: str(value) if figure.digits else sigma_with_gamma(value, figure),
    )
    presets = {
        "two columns": {"m": 2},
        "sixteen columns": {"m": 16},
        "thirty-six columns": {"m": 36},
        "ninety-nine columns": {"m": 99},
        "pivoted Cholesky, ninety-nine": {"m": 99, "how": CHOLESKY},
        "eigenvectors, ninety-nine": {"m": 99, "how": EIGEN},
        "clusters": {"data": POINTS},
    }
    readout = (
        "columns: {columns} of {n}   numbers kept: {kept:,} of {all:,}   lost: {lost:.2%} of the "
        "trace\n"
        "‖K − K̃‖ / ‖K‖ = {relative:.3f}   largest error {largest:.3f}"
    )
    alt = (
        "The Gram matrix of {data} ({kernel}), its approximation by {columns} columns ({how}), and "
        "the error: lost {lost:.3f} of the trace, largest entry {largest:.3f}. Below, what up to "
        "{columns} columns lose, on a log scale."
    )

    @property
    def digits(self) -> bool:
        """Whether the data are digits."""
        return bool(self.data == TEN_DIGITS)

    def build(self, figure: MplFigure) -> Axes:
        """Make three matrices over the curves."""
        axes = figure.subplot_mosaic(
            [["K", "near", "error"], ["curves", "curves", "curves"]], height_ratios=[1.5, 1]
        )
        self.images = [GramImage(axes[name]) for name in ("K", "near", "error")]
        self.titles = [moving_title(axes[name], 10) for name in ("K", "near", "error")]
        for image in self.images:
            image.axes.yaxis.set_major_formatter(lambda at, k: str(k))  # of equal blocks: the digit
            image.axes.tick_params(axis="y", length=0, labelsize=8)
        self.images[2].image.set_cmap(LOST)
        self.images[2].borders.set_color(style.NEUTRAL)
        self.ticks = [
            axes[name].scatter(
                [], [], marker="v", s=14, c=style.ACCENT, zorder=4, clip_on=False, linewidths=0
            )
            for name in ("K", "near")
        ]
        self.curves = Curves(axes["curves"], LOOKS)
        self.titles.append(moving_title(axes["curves"]))
        self.key = axes["near"], axes["error"]
        axes["curves"].set(
            yscale="log", xlim=(0, 124), ylim=(FLOOR, 1.5), xlabel="columns m",
            ylabel="share of trace lost",
        )  # fmt: skip
        axes["curves"].axhline(0.01, color=style.NEUTRAL, linewidth=style.THIN, linestyle=":")
        return axes["near"]

    def take(self, data: Any) -> None:
        """Take examples, and the kernel that they begin with."""
        super().take(data)
        self.borders = (np.flatnonzero(np.diff(self.y)) + 1).tolist()
        self.set_max("m", len(self.X))
        with self.quietly():
            self.dial = 2 if self.digits else 0.6

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Approximate by m columns."""
        setting = self.data, self.dial
        n, K = len(self.X), kernel_of(*setting)(self.X)
        Phi, rows = approximate(*setting, self.how, self.m)
        near = Phi @ Phi.T
        error = K - near
        lost = max(float(error.trace() / K.trace()), 0.0)
        smallest, largest = float(np.linalg.eigvalsh(error)[0]), np.abs(error).max()
        curves = dict(zip(METHODS, lost_by_columns(*setting), strict=True))
        drawn = [name for name in METHODS if name in UNIFORM + self.how]

        shown = (K, 1.0), (near, 1.0), (np.abs(error), DARKEST)
        ends = np.array([0, *self.borders, n])
        for image, (matrix, high) in zip(self.images, shown, strict=True):
            image.show(matrix, self.borders, low=0.0, high=high)
            image.axes.set_yticks((ends[1:] + ends[:-1]) / 2 if self.digits else [])
        titles = (
            f"K, all {n} columns",
            f"K̃, of {self.m} columns",
            f"|K − K̃|, 0 to {DARKEST:g}: {lost:.{1 if lost < 0.1 else 0}%} lost",
            f"{' (solid) and '.join(drawn)}, up to m = {self.m}",
        )
        for title, words in zip(self.titles, titles, strict=True):
            title.set_text(words)
        for ticks in self.ticks:
            ticks.set_offsets([(row + 0.5, -0.02 * n) for row in rows] or np.empty((0, 2)))
        curves = {name: np.maximum(curves[name][: self.m], FLOOR) for name in drawn}
        self.curves.show(np.arange(1.0, n + 1), curves, self.m, [max(lost, FLOOR)])
        return {
            "kernel": f"(x·z)^{self.dial}" if self.digits
            else f"Gaussian, σ = {sigma_with_gamma(self.dial, self)}",
            "n": n,
            "columns": self.m,
            "kept": n * self.m,
            "all": n * n,
            "lost": lost,
            "relative": np.linalg.norm(error) / np.linalg.norm(K),
            "largest": largest,
            "smallest": smallest,
            "on_landmarks": max(np.abs(error[np.ix_(rows, rows)]).max(), 1e-15) if rows else None,
        }  # fmt: skip


def lost_by_every_m() -> Picture:
    """Return a picture of what m columns of both data sets lose: ten random draws, and two ways."""
    figure, said = style.new_figure((9.4, 3.2)), []
    both = figure.subplots(1, 2, sharey=True)
    for axes, data, dial in zip(both, (TEN_DIGITS, POINTS), (2, 0.6), strict=True):
        (X, _), (_, *careful) = examples(data), lost_by_columns(data, dial)
        shuffled = [np.random.default_rng(seed).permutation(len(X)) for seed in range(10)]
        drawn = [lost_in_order(kernel_of(data, dial), X, order) for order in shuffled]
        ways, title = (drawn, *([lost] for lost in careful)), data.split(",")[0]
        axes.axhline(0.01, color=style.NEUTRAL, linewidth=style.THIN, linestyle=":")
        for (name, (colour, dash)), lost in zip(LOOKS.items(), ways, strict=True):
            enough = [int(np.argmax(shares < 0.01)) + 1 for shares in lost]
            for k, shares in enumerate(lost):
                look = {"linewidth": 0.6} if k else {"label": name}  # the dial's draw is thick
                m = range(1, len(shares) + 1)
                axes.plot(m, np.maximum(shares, FLOOR / 10), color=colour, linestyle=dash, **look)
            axes.plot(enough, [0.01] * len(enough), "o", color=colour, markersize=5)
            said.append(f"{title}, {name} {' '.join(map(str, sorted(enough)))}")
        axes.set(yscale="log", xlim=(0, 124), ylim=(1e-4, 1.5), xlabel="columns m", title=title)
    points = both[1].inset_axes((0.55, 0.68, 0.42, 0.32), aspect="equal", xticks=[], yticks=[])
    points.plot(*SAMPLES[CLUSTERS].T, "o", color=style.INK, markersize=1.5)
    both[0].text(1, 0.011, "1 %", va="bottom", fontsize=9)
    both[0].set_ylabel("share of trace lost")
    both[0].legend(fontsize=9, loc="lower left")
    return picture(figure, f"Columns until one percent of the trace is lost: {'; '.join(said)}.")


def nearest_on_sheet() -> Picture:
    """Return a drawing of the sheet of two landmarks, an example above it, and what is lost."""
    figure, brown, foot = style.new_figure((5.6, 2.9)), LOST(0.75), 1.2
    axes = figure.subplots()
    axes.set(xlim=(0, 8.2), ylim=(-0.1, 3.9), aspect="equal")
    axes.set_axis_off()
    axes.fill([0, 5.6, 7.6, 2.0], [0, 0, 2.1, 2.1], color="#ebebeb")
    for name, end in {"z_1": (4.9, 0.35), "z_2": (2.0, 1.9), "x": (5.2, 3.5)}.items():
        colour = style.INK if name == "x" else style.ACCENT
        look = {"arrowstyle": "-|>", "color": colour, "linewidth": style.LINE, "shrinkB": 0}
        axes.annotate("", end, (1.3, 0.5), arrowprops=look)
        axes.text(end[0] + 0.1, end[1], rf"$\varphi({name})$", color=colour, va="center")
    axes.plot([5.2, 5.2], [3.4, foot], color=brown, linewidth=style.LINE)
    axes.plot([5.2, 5.38, 5.38], [1.38, 1.38, foot], color=brown, linewidth=style.THIN)
    axes.plot(5.2, foot, "o", color=style.INK)
    axes.text(5.3, 2.4, "lost", color=brown)
    axes.text(5.35, foot - 0.15, "nearest point", va="center")
    said = "φ(x) ends above it, its nearest point is straight below; what is between them is lost."
    return picture(figure, f"The arrows φ(z_1) and φ(z_2) span a flat sheet. {said}")
