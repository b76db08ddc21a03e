"""The printed pictures of notebook 01, and one of its further pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from kernellab.datasets import Dataset, make_and, make_xor
from kernellab.draw import style
from kernellab.draw.contours import level_curve
from kernellab.draw.picture import Picture, picture
from kernellab.draw.plane import Points, ScoreField, plane
from kernellab.lessons.perceptron.figures.separators_marks import GREEN

SIGNED = 0.3  # a weight of so much of the largest has its sign written on it


def gates() -> Picture:
    """Draw AND and XOR: the four inputs, and which of them are true."""
    figure = style.new_figure((8.4, 3.6))
    for axes, gate, name in zip(
        figure.subplots(1, 2), (make_and((0, 1)), make_xor((0, 1))), ("AND", "XOR"), strict=True
    ):
        plane(axes, (-0.5, 1.5, -0.5, 1.5))
        axes.set(xticks=[0, 1], yticks=[0, 1], title=name)
        Points(axes).show(gate.X, gate.y)
        for x, label in zip(gate.X, gate.y, strict=True):
            words = "true, +1" if label > 0 else "false, −1"
            axes.annotate(words, tuple(x), (0, 10), textcoords="offset points", ha="center")
    return picture(
        figure,
        "Two logic gates on the corners of the unit square, circles true, squares false. AND: only "
        "(1, 1) is true. XOR: (0, 1) and (1, 0) are true, which is one diagonal of the square.",
    )


def patients_and_genes() -> Picture:
    """Draw a wide table X, beside it the α and the K of its rows, below it the w of its columns."""
    figure = style.new_figure((9.4, 2.3))
    axes = figure.subplots()
    axes.set(xlim=(-3.1, 10.1), ylim=(0.3, 3.1), aspect="equal")
    axes.set_axis_off()
    for name, corner, width, height, colour in (
        ("$X$: 50 patients, 10 000 genes each", (0.0, 1.1), 10.0, 1.9, style.NEUTRAL),
        ("$w$ of the primal: one number for each gene", (0.0, 0.4), 10.0, 0.4, GREEN),
        ("$\\alpha$", (-0.6, 1.1), 0.35, 1.9, style.ACCENT),
        ("$K$: 50 × 50\nproducts", (-2.75, 1.1), 1.9, 1.9, style.ACCENT),
    ):
        axes.add_patch(Rectangle(corner, width, height, facecolor=colour, alpha=0.4))
        axes.text(corner[0] + width / 2, corner[1] + height / 2, name, ha="center", va="center")
    words = "dual: $K$, and one count\n$\\alpha$ for each patient"
    axes.text(-1.5, 0.6, words, ha="center", va="center")
    return picture(
        figure,
        "A wide table X of 50 patients and 10 000 genes. Below it lies w, as long as a row. Beside "
        "it stand α, as high as a column, and a square as high, the table K of 50 × 50 products.",
    )


def bent_border(gate: Dataset, w: Any) -> Picture:
    """Draw a gate and the border w₁ x₁ + w₂ x₂ + w₃ x₁ x₂ + w₄ = 0, shape (4,)."""
    figure = style.new_figure((4.2, 3.8))
    axes = figure.subplots()
    limits = (-0.5, 1.5, -0.5, 1.5)
    plane(axes, limits)
    axes.set(xticks=[0, 1], yticks=[0, 1])
    grid = np.linspace(-0.5, 1.5, 101)
    x1, x2 = np.meshgrid(grid, grid)
    scores = w[0] * x1 + w[1] * x2 + w[2] * x1 * x2 + w[3]
    ScoreField(axes, limits).show(scores)
    axes.plot(*level_curve(grid, grid, scores).T, color=style.INK, linewidth=style.LINE)
    Points(axes).show(gate.X, gate.y)
    return picture(
        figure,
        f"The four corners, and the border {w[0]:g} x₁ + {w[1]:g} x₂ − {-w[2]:g} x₁ x₂ − "
        f"{-w[3]:g} = 0: a hyperbola, with both squares between its branches.",
    )


def teachers(images: Any, y: Any, alpha: Any, names: tuple[str, str]) -> Picture:
    """Draw the four images with the most mistakes, and the weights that all of them add up to.

    Parameters
    ----------
    images
        Images of 8 × 8 pixels as rows, shape (n, 64).
    y, alpha
        Labels −1 or +1 and mistakes, shape (n,).
    names
        Of the class −1, and of the class +1.
    """
    most = np.argsort(-alpha, kind="stable")[:4]
    figure = style.new_figure((9.4, 2.7))
    *small, large = figure.subplots(1, 5, width_ratios=[1, 1, 1, 1, 1.5])
    for axes, i in zip(small, most, strict=True):
        axes.imshow(images[i].reshape(8, 8), cmap="gray_r")
        name = f"{names[int(y[i] > 0)]} ({'+' if y[i] > 0 else '−'})"
        axes.set(xticks=[], yticks=[], title=f"{name}: $\\alpha_i$ = {alpha[i]:g}", anchor="N")
    w = ((alpha * y) @ images).reshape(8, 8)
    large.imshow(w, cmap=style.SCORES, vmin=-np.abs(w).max(), vmax=np.abs(w).max())
    large.set(xticks=[], yticks=[], title=f"$w$: + says {names[1]}, − says {names[0]}", anchor="N")
    for (row, column), weight in np.ndenumerate(w / np.abs(w).max()):
        if abs(weight) > SIGNED:
            large.text(column, row, "+" if weight > 0 else "−", ha="center", va="center")
    told = ", ".join(f"{names[int(y[i] > 0)]} with {alpha[i]:g}" for i in most)
    return picture(
        figure, f"The four images on which most mistakes were made: {told}; and w as an image."
    )


def regimes(rates: Mapping[str, NDArray[np.float64]]) -> Picture:
    """Draw accuracies of repeated runs: a dot a run, a bar at the mean with its standard error.

    Parameters
    ----------
    rates
        Accuracies between 0 and 1 of each regime, by its name, shape (n_runs,).
    """
    figure = style.new_figure((8.6, 3.8))
    axes = figure.subplots()
    rng = np.random.default_rng(0)  # scatters the dots, so that they do not hide each other
    for row, (values, (colour, _)) in enumerate(zip(rates.values(), style.LINES, strict=False)):
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
        yticks=range(len(rates)), yticklabels=list(rates), ylim=(len(rates) - 0.5, -0.6),
        xlabel="accuracy on the other images", title="four ways to learn from twenty images",
    )  # fmt: skip
    told = "; ".join(f"{name}: {values.mean():.3f}" for name, values in rates.items())
    return picture(figure, f"Mean accuracy of {len(values)} runs. {told}.")
