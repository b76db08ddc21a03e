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
from kernellab.solvers.hard_margin import max_margin_through_origin
from kernellab.solvers.perceptron import trace

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


def novikoff(X: Any, y: Any) -> Picture:
    """Draw ‖w‖ after each mistake of a run, between M ρ and √M R; X holds the extra 1."""
    run = trace(X @ X.T, y)
    kicks = (y[:, np.newaxis] * X)[run.order[run.mistake]]
    lengths = np.linalg.norm(kicks.cumsum(axis=0), axis=1)
    best: Any = max_margin_through_origin(X, y)[0]
    rho = (y * (X @ best)).min() / np.linalg.norm(best)
    R = np.linalg.norm(X, axis=1).max()
    n, meet = len(lengths), (R / rho) ** 2
    figure = style.new_figure((9.4, 3.4))
    for axes, last, size in zip(figure.subplots(1, 2), (n + 1, 1.2 * meet), (6, 2), strict=True):
        M = np.linspace(0, last, 401)
        above, below = np.sqrt(M) * R, M * rho
        axes.fill_between(M, below, above, where=below <= above, color=style.NEUTRAL, alpha=0.15)
        for values, name, dash in ((above, "√$M$ $R$", "-"), (below, "$M$ ρ", "--")):
            axes.plot(M, values, dash, color=style.INK, linewidth=style.LINE)
            axes.text(1.01 * last, values[-1], name, va="center")
        axes.plot(range(1, n + 1), lengths, "o", color=GREEN, markersize=size)
        axes.set(xlim=(0, last), ylim=0, xlabel="mistakes $M$", ylabel="‖$w$‖")
    figure.axes[0].set_title(f"the run: {n} mistakes")
    figure.axes[1].set_title(f"no room after {int(meet)} mistakes")
    return picture(
        figure,
        f"Against the mistakes M, the line M ρ, and above it the curve √M R, until they meet at "
        f"{meet:.0f}. Between them, at the very left, ‖w‖ after each of the {n} mistakes.",
    )


def patients_and_genes() -> Picture:
    """Draw a wide table X, beside it the α and the K of its rows, below it the w of its columns."""
    figure = style.new_figure((9.4, 2.3))
    axes = figure.subplots()
    axes.set(xlim=(-3.1, 10.1), ylim=(0.3, 3.1), aspect="equal")
    axes.set_axis_off()
    for name, corner, width, height, colour in (
        (
            "$X$: 50 patients, 10 000 genes each (not to scale)",
            (0.0, 1.1),
            10.0,
            1.9,
            style.NEUTRAL,
        ),
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
    """Draw an ordinary and a hard image of each class, and the weights of all mistakes.

    Ordinary is what is nearest to the mean of its class, hard what has the most mistakes.

    Parameters
    ----------
    images : Images of 8 × 8 pixels as rows, shape (n, 64).
    y, alpha : Labels −1 or +1 and mistakes, shape (n,).
    names : Of the class −1, and of the class +1.
    """
    classes = [np.flatnonzero(y == label) for label in (-1, 1)]
    far = [np.linalg.norm(images[at] - images[at].mean(axis=0), axis=1) for at in classes]
    shown = [at[d.argmin()] for at, d in zip(classes, far, strict=True)]
    shown += [at[alpha[at].argmax()] for at in classes]
    figure = style.new_figure((9.4, 2.4))
    *small, last = figure.subplots(1, 5)
    told = []
    for axes, i, word in zip(small, shown, 2 * ["ordinary"] + 2 * ["hard"], strict=True):
        axes.imshow(images[i].reshape(8, 8), cmap="gray_r")
        name = names[int(y[i] > 0)]
        title = f"{word} {name} ({'+' if y[i] > 0 else '−'})\n$\\alpha_i$ = {alpha[i]:g}"
        axes.set(xticks=[], yticks=[], title=title, anchor="N")
        told.append(f"{word} {name} with {alpha[i]:g}")
    w = ((alpha * y) @ images).reshape(8, 8)
    last.imshow(w, cmap=style.SCORES, vmin=-np.abs(w).max(), vmax=np.abs(w).max())
    last.set(xticks=[], yticks=[], title=f"$w$: + says {names[1]},\n− says {names[0]}", anchor="N")
    for (row, column), weight in np.ndenumerate(w / np.abs(w).max()):
        if abs(weight) > SIGNED:
            last.text(column, row, "+" if weight > 0 else "−", ha="center", va="center")
    return picture(figure, f"Images and their mistakes: {', '.join(told)}; and w as an image.")


def regimes(rates: Mapping[str, NDArray[np.float64]]) -> Picture:
    """Draw accuracies of repeated runs: a dot a run, a bar at the mean with its standard error.

    Parameters
    ----------
    rates : Accuracies between 0 and 1 of each regime, by its name, shape (n_runs,).
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
