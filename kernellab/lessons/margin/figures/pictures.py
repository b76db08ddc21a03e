"""The printed pictures of notebook 02: errors against complexity, against C, and digits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter
from numpy.typing import ArrayLike, NDArray

from kernellab.draw import style
from kernellab.draw.picture import Picture, picture


def pieces(
    x: NDArray[np.float64], y: NDArray[np.float64], fits: Mapping[str, NDArray[np.float64]]
) -> Picture:
    """Draw labelled numbers in a strip, and below it what each of some functions says.

    ``fits`` has for each name the signs of a function at x; all arrays have shape (n,).
    """
    figure = style.new_figure((8.6, 3.4))
    axes = figure.subplots()
    jitter = np.random.default_rng(1).uniform(-0.15, 0.15, len(x))
    for label, colour in style.COLOUR.items():
        mine = y == label
        axes.scatter(
            x[mine], label / 4 + jitter[mine], s=14, c=colour, marker=style.MARKER[label],
            edgecolors="none", alpha=0.8,
        )  # fmt: skip
    order = np.argsort(x)
    for row, signs in enumerate(fits.values(), start=1):
        heights = -row + 0.3 * signs[order]
        axes.fill_between(x[order], -row, heights, step="mid", color=style.INK, linewidth=0)
        axes.axhline(-row, color=style.INK, linewidth=0.5 * style.THIN)
    axes.set(
        yticks=[0.25, -0.25, *(-np.arange(1, len(fits) + 1))], yticklabels=["+1", "−1", *fits],
        xlabel="x", ylim=(-len(fits) - 0.5, 0.6), xlim=(x.min(), x.max()),
        title="the labels, and the best function that may change its sign k times",
    )  # fmt: skip
    told = ", ".join(f"{name}: {np.mean(signs != y):.3f}" for name, signs in fits.items())
    return picture(figure, f"{len(x)} labels and the best functions. Training errors: {told}.")


def structural_risk(
    train: NDArray[np.float64], confidence: NDArray[np.float64], test: NDArray[np.float64]
) -> Picture:
    """Draw training error, what it may hide, their sum and the true error over nested sets.

    The arrays are E_train, F(h) and E of the sets k = 0, 1, …, shape (m,).
    """
    figure = style.new_figure((7.6, 3.8))
    axes, k, total = figure.subplots(), np.arange(0.0, len(train)), train + confidence
    curves = {
        "bound: $E_{train} + F(h)$": total,
        "may hide: $F(h)$": confidence,
        "true error $E$": test,
        "training error $E_{train}$": train,
    }
    draw_lines(axes, k, curves)
    for values in (total, test):
        axes.plot(values.argmin(), values.min(), "o", color=style.ACCENT, markersize=8, zorder=5)
    axes.set(
        xlabel="sign changes allowed $k$, so $h = k + 1$", ylabel="error rate", xlim=(0, k[-1]),
        ylim=(0, 0.75), title="dots: where the bound is lowest, and where the truth is",
    )  # fmt: skip
    told = ", ".join(f"k = {j}: {total[j]:.2f} and {test[j]:.2f}" for j in (0, 3, len(k) - 1))
    return picture(figure, f"Bound and true error over k ({told}), each with its lowest point.")


def margin_bound(ratio: NDArray[np.float64], bounds: Mapping[int, NDArray[np.float64]]) -> Picture:
    """Draw the bound of the VC dimension over the half-margin as a share of the radius.

    ``ratio`` is Δ/R, ascending, shape (m,); ``bounds`` has a bound of that shape for each d.
    """
    figure = style.new_figure((7.6, 3.4))
    axes = figure.subplots()
    draw_lines(axes, ratio, {f"{d} features": values for d, values in bounds.items()})
    axes.set(
        xlabel="half-margin Δ, as a share of the radius R", ylabel="VC dimension at most",
        yscale="log", xlim=(ratio[0], ratio[-1]), title="what a margin allows",
    )  # fmt: skip
    told = ", ".join(f"{d} features: from {v[0]:g} to {v[-1]:g}" for d, v in bounds.items())
    return picture(figure, f"Bound of the VC dimension over Δ/R, in falling steps; {told}.")


def draw_lines(
    axes: Axes, x: NDArray[np.float64], curves: Mapping[str, NDArray[np.float64]]
) -> None:
    """Draw curves that differ by colour and dash, with a legend beside the axes."""
    looks = style.LINES[0], *style.LINES[3:]  # without the colours of the classes
    for (name, values), (colour, dash) in zip(curves.items(), looks, strict=False):
        axes.plot(x, values, color=colour, linestyle=dash, linewidth=style.LINE, label=name)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), handlelength=3.0)


def errors_over_costs(costs: Sequence[float], errors: Sequence[ArrayLike], title: str) -> Picture:
    """Draw cross-validated error rates over C, both on a logarithmic scale, with standard errors.

    A mean of zero lies below the picture. For each of m costs there are k errors, one a fold.
    """
    rates = np.asarray(errors, dtype=np.float64)
    mean, spread = rates.mean(axis=1), rates.std(axis=1, ddof=1) / np.sqrt(rates.shape[1])
    figure = style.new_figure((6.4, 3.2))
    axes = figure.subplots()
    axes.errorbar(
        costs, mean, yerr=spread, color=style.INK, linewidth=style.LINE, marker="o", capsize=3,
        elinewidth=style.THIN,
    )  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel="C", ylabel="cross-validated error")
    axes.set(ylim=(0.003, 0.1), title=f"{title} (bars: ± one standard error)")
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter(lambda error, _: f"{100 * error:g} %")
    axes.yaxis.set_minor_formatter(NullFormatter())
    told = ", ".join(f"{e:.3f} at C = {C:g}" for C, e in zip(costs, mean, strict=True))
    return picture(figure, f"Cross-validated error over C, {title}: {told}.")


def digits_by_score(
    X: NDArray[np.float64], y: NDArray[np.float64], margins: NDArray[np.float64]
) -> Picture:
    """Draw the eight digits 3 and 8 of the smallest margins, and those of the largest.

    X is (m, 64); y, shape (m,), is +1 for an 8 and −1 for a 3; ``margins`` are y f(x).
    """
    order = np.argsort(margins, kind="stable")
    figure = style.new_figure((8.0, 2.9))
    rows = {"smallest": order[:8], "largest": order[:-9:-1]}
    for (name, which), images in zip(rows.items(), figure.subplots(2, 8), strict=True):
        for axes, i in zip(images, which, strict=True):
            axes.imshow(X[i].reshape(8, 8), cmap="gray_r")
            digit = "8 (+)" if y[i] > 0 else "3 (−)"
            axes.set(xticks=[], yticks=[], title=f"{digit} {margins[i]:.1f}")
        images[0].set_ylabel(f"{name}\nmargins")
    told = "; ".join(
        f"{name}: margins {margins[which[0]]:.1f} to {margins[which[-1]]:.1f}"
        for name, which in rows.items()
    )
    return picture(figure, f"Two rows of 8 handwritten digits. {told}.")
