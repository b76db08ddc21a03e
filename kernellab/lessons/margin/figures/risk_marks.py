"""Errors against complexity, and against C: the small printed pictures of notebook 02."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kernellab.draw import style


def pieces(
    axes: Axes,
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    fits: dict[str, NDArray[np.float64]],
) -> None:
    """Draw labelled numbers in a strip, and below it what each of some functions says.

    Parameters
    ----------
    x, y
        Numbers and labels −1 or +1, shape (n,).
    fits
        For each name the signs of a function at x, shape (n,).
    """
    jitter = np.random.default_rng(1).uniform(-0.3, 0.3, len(x))
    for label, colour in style.COLOUR.items():
        mine = y == label
        axes.scatter(
            x[mine], label / 4 + jitter[mine] / 2, s=14, c=colour, marker=style.MARKER[label],
            edgecolors="none", alpha=0.8,
        )  # fmt: skip
    order = np.argsort(x)
    for row, signs in enumerate(fits.values(), start=1):
        axes.fill_between(
            x[order], -row, -row + 0.3 * signs[order], step="mid", color=style.INK, linewidth=0
        )
        axes.axhline(-row, color=style.INK, linewidth=0.5 * style.THIN)
    axes.set(
        yticks=[0.25, -0.25, *(-np.arange(1, len(fits) + 1))], yticklabels=["+1", "−1", *fits],
        xlabel="x", ylim=(-len(fits) - 0.5, 0.6), xlim=(x.min(), x.max()),
    )  # fmt: skip


def structural_risk(
    axes: Axes,
    k: NDArray[np.int_],
    train: NDArray[np.float64],
    confidence: NDArray[np.float64],
    test: NDArray[np.float64],
) -> None:
    """Draw training error, what it may hide, their sum and the true error over nested sets.

    Parameters
    ----------
    k
        Number of each set, shape (m,).
    train, confidence, test
        R_emp, F(h) and R of each, shape (m,).
    """
    total = train + confidence
    curves = {
        "bound: $R_{emp} + F(h)$": total,
        "may hide: $F(h)$": confidence,
        "true error $R$": test,
        "training error $R_{emp}$": train,
    }
    for (name, values), (colour, dash) in zip(curves.items(), style.LINES, strict=False):
        axes.plot(k, values, color=colour, linestyle=dash, linewidth=style.LINE)
        axes.annotate(
            name, (k[-1], values[-1]), (6, 0), textcoords="offset points", va="center",
            color=colour, annotation_clip=False,
        )  # fmt: skip
    for values in (total, test):
        best = int(values.argmin())
        axes.plot(k[best], values[best], "o", color=style.ACCENT, markersize=8, zorder=5)
    axes.set(
        xlabel="sign changes allowed $k$, so $h = k + 1$", ylabel="error rate", ylim=(0, 0.75),
        xlim=(k[0], k[-1]),
    )  # fmt: skip


def margin_bound(
    axes: Axes, ratio: NDArray[np.float64], bounds: dict[int, NDArray[np.float64]]
) -> None:
    """Draw the bound of the VC dimension over the half-margin as a share of the radius.

    Parameters
    ----------
    ratio
        Δ/R, ascending, shape (m,).
    bounds
        For each number of features its bound, shape (m,).
    """
    for (d, values), (colour, dash) in zip(bounds.items(), style.LINES, strict=False):
        axes.step(ratio, values, color=colour, linestyle=dash, linewidth=style.LINE)
        axes.annotate(
            f"d = {d}", (ratio[0], values[0]), (4, 4), textcoords="offset points", color=colour
        )
    axes.set(
        xlabel="half-margin Δ, as a share of the radius R", ylabel="VC dimension at most",
        yscale="log", xlim=(ratio[0], ratio[-1]),
    )  # fmt: skip


def error_over_c(
    axes: Axes,
    costs: NDArray[np.float64],
    train: NDArray[np.float64],
    validated: NDArray[np.float64],
    errors: NDArray[np.float64],
    chosen: float,
) -> None:
    """Draw training and cross-validated error over C with standard errors, and the choice.

    Parameters
    ----------
    costs
        Values of C, shape (m,).
    train, validated, errors
        Error rates, and the standard error of the second, shape (m,).
    chosen
        The C that was taken.
    """
    axes.axvline(chosen, color=style.ACCENT, linewidth=style.LINE)
    axes.plot(
        costs, train, color=style.NEUTRAL, linestyle="--", linewidth=style.LINE, label="training"
    )  # fmt: skip
    axes.errorbar(
        costs, validated, yerr=errors, color=style.INK, linewidth=style.LINE, marker="o",
        capsize=3, elinewidth=style.THIN, label="cross-validated",
    )  # fmt: skip
    axes.set(xscale="log", xlabel="C", ylabel="error rate", ylim=(0, None))
    legend = axes.legend(loc="upper right", frameon=True, framealpha=1, edgecolor="none")
    if style.in_lecture():  # large type goes where there is most room
        legend.set_loc("best")
