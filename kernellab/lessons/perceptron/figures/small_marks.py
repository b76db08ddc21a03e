"""The small printed pictures of notebook 01: logic gates, and a bound against what happens."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.plane import line_in_box


def gate(
    axes: Axes,
    X: NDArray[np.float64],
    y: NDArray[np.float64],
    *lines: tuple[NDArray[np.float64], float],
    title: str,
) -> None:
    """Draw a logic gate: a filled circle where it is true, an empty one where it is false.

    Parameters
    ----------
    X, y
        The four inputs, shape (4, 2), and −1 or +1 for false or true, shape (4,).
    lines
        Separators as pairs of weights, shape (2,), and bias.
    title
        What the picture shows.
    """
    low, high = X.min() - 0.5, X.max() + 0.5
    for (w, b), (colour, dash) in zip(lines, style.LINES, strict=False):
        ends = line_in_box(w, b, (low, high, low, high))
        axes.plot(*ends.T, color=colour, linestyle=dash, linewidth=style.LINE)
    face = np.where(y > 0, style.INK, "white")
    axes.scatter(
        X[:, 0], X[:, 1], c=face, edgecolors=style.INK, s=220, linewidths=style.LINE, zorder=3
    )
    for x, label in zip(X, y, strict=True):
        words = "true, +1" if label > 0 else "false, −1"
        axes.annotate(words, (x[0], x[1]), (0, 14), textcoords="offset points", ha="center")
    axes.set(
        xlim=(low, high), ylim=(low, high), xticks=np.unique(X), yticks=np.unique(X),
        xlabel="$x_1$", ylabel="$x_2$", title=title,
    )  # fmt: skip
    axes.set_box_aspect(1.0)


def below_bound(axes: Axes, bounds: NDArray[np.float64], counts: NDArray[np.float64]) -> None:
    """Draw counts against their bounds, one dot a run, both of shape (n_runs,), on log axes."""
    ends = np.array([bounds.min() / 2, bounds.max() * 2])
    axes.plot(ends, ends, color=style.INK, linestyle="--", linewidth=style.LINE)
    axes.text(
        ends[1] / 3, ends[1] / 2, "as many as allowed", ha="right", va="bottom", color=style.INK
    )
    axes.scatter(bounds, counts, s=18, c=style.POSITIVE, alpha=0.6, edgecolors="none")
    axes.set(
        xscale="log", yscale="log", xlabel="Novikoff's bound (R/γ)²", ylabel="mistakes made",
        ylim=(0.8, ends[1]), xlim=ends,
    )  # fmt: skip


def regimes(axes: Axes, names: list[str], rates: NDArray[np.float64], title: str) -> None:
    """Draw accuracies of repeated runs: a dot a run, a bar at the mean with its standard error.

    Parameters
    ----------
    names
        One for each regime.
    rates
        Accuracies between 0 and 1, shape (n_regimes, n_runs).
    title
        What the picture shows.
    """
    rng = np.random.default_rng(
        0
    )  # scatters the dots sideways, so that they do not hide each other
    for row, (values, (colour, _)) in enumerate(zip(rates, style.LINES, strict=False)):
        axes.scatter(
            values, row + rng.uniform(-0.18, 0.18, len(values)), s=14, c=colour, alpha=0.45
        )
        mean, error = values.mean(), values.std(ddof=1) / np.sqrt(len(values))
        axes.errorbar(
            mean, row, xerr=error, fmt="D", color=colour, markeredgecolor="white", markersize=9,
            capsize=5, linewidth=style.LINE, zorder=4,
        )  # fmt: skip
        axes.text(
            1.01, row, f"{mean:.3f} ± {error:.3f}", va="center",
            transform=axes.get_yaxis_transform(),
        )  # fmt: skip
    axes.set(
        yticks=range(len(names)), yticklabels=names, ylim=(len(names) - 0.5, -0.6),
        xlabel="accuracy on the other images", title=title,
    )  # fmt: skip
