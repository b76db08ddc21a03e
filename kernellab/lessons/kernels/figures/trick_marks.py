"""The small printed pictures of notebook 03 and of what is further."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.picture import Picture, picture
from kernellab.draw.plane import Points, plane
from kernellab.kernels import Gaussian
from kernellab.kernels.features import count_features
from kernellab.live.readout import written
from kernellab.validation import FloatArray


def costs(d: int, degrees: Sequence[int]) -> Picture:
    """Return a picture of what a dot product of features costs, and what the kernel costs.

    Parameters
    ----------
    d
        Coordinates of an example.
    degrees
        Of the products that are the features; products of fewer factors are among them.
    """
    features = [count_features(d, p, lower=True) for p in degrees]
    kernel = [d + p.bit_length() + p.bit_count() - 2 for p in degrees]  # squaring again and again
    figure = style.new_figure((7.0, 3.4))
    axes = figure.subplots()
    curves = {"all features written out": features, r"$(1 + x \cdot z)^p$": kernel}
    looks = style.LINES[0], style.LINES[4]  # not the colours of the classes
    for (name, values), (colour, dash) in zip(curves.items(), looks, strict=True):
        axes.plot(degrees, values, color=colour, linestyle=dash, marker="o", label=name)
    axes.set(yscale="log", xlabel="degree p", ylabel="multiplications")
    axes.set(xticks=degrees, title=f"one dot product in the feature space of {d} coordinates")
    axes.legend(loc="upper left")
    said = f"all features written out {features[-1]:,}, (1 + x·z)^p {kernel[-1]}"
    return picture(figure, f"Multiplications against the degree. At degree {degrees[-1]}: {said}.")


def hills(x: FloatArray, y: FloatArray, gammas: Sequence[float]) -> Picture:
    """Return a picture of the score as a sum of bumps, one an example, all α_i = 1.

    Parameters
    ----------
    x, y
        Examples on a line and their labels −1 or +1, shapes (n,).
    gammas
        One panel for each γ.
    """
    grid = np.linspace(x.min() - 1, x.max() + 1, 2001)
    figure = style.new_figure((9.0, 2.6))
    panels = figure.subplots(1, len(gammas), sharey=True)
    panels[0].set_ylabel("score")
    for axes, gamma in zip(panels, gammas, strict=True):
        bumps = Gaussian(gamma)(x[:, np.newaxis], grid[:, np.newaxis]) * y[:, np.newaxis]
        for bump, label in zip(bumps, y, strict=True):
            axes.plot(grid, bump, color=style.COLOUR[int(label)], linewidth=style.THIN)
        axes.plot(grid, bumps.sum(axis=0), color=style.INK, linewidth=style.LINE)
        axes.axhline(0, color=style.NEUTRAL, linewidth=0.5)
        Points(axes).show(np.column_stack([x, np.zeros(len(x))]), y)
        axes.set(title=f"γ = {gamma:g}", xlabel="x")
    circles, squares = (", ".join(map("{:g}".format, x[y == label])) for label in (1, -1))
    told = "A hill on each circle, a pit at each square, and their sum, the score"
    at = f"circles at {circles}; squares at {squares}".replace("-", "−")
    return picture(figure, f"{told}, for γ = {', '.join(map('{:g}'.format, gammas))}: {at}.")


def border(score: Callable[[FloatArray], FloatArray], X: FloatArray, y: FloatArray) -> Picture:
    """Draw points and labels, shapes (n, 2) and (n,), and the curve on which their score is 0."""
    figure, line = style.new_figure((3.6, 3.6)), np.linspace(-3, 3, 81)
    axes, grid = figure.subplots(), np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    plane(axes, (-3.0, 3.0, -3.0, 3.0))
    axes.contour(line, line, score(grid).reshape(81, 81), [0], colors=style.INK)
    Points(axes).show(X, y, mistaken=y * score(X) <= 0)
    return picture(figure, "Points of two classes, and the curve on which the score is zero.")


def misread(images: NDArray[np.float64], digits: NDArray[np.int64], said: Any) -> Picture:
    """Return a picture of the first eight digits, 8 × 8 pixels, that are said to be ±1: odd, even.

    Parameters
    ----------
    images, digits, said
        Images as rows, shape (n, 64), what they are, and what they were taken for, shape (n,).
    """
    words = [
        f"{digit}: “{'odd' if s > 0 else 'even'}”"
        for digit, s in zip(digits[:8], said[:8], strict=True)
    ]
    figure = style.new_figure((8.0, 1.3))
    for axes, image, title in zip(figure.subplots(1, len(words)), images, words, strict=False):
        axes.imshow(image.reshape(8, 8), cmap="gray_r")
        axes.set_axis_off()
        axes.set_title(title, fontsize=11)
    return picture(figure, f"Handwritten digits and what was said of them: {', '.join(words)}.")


def mercer(x: NDArray[np.float64], shown: int = 9) -> Picture:
    """Return a picture of the first features of the Gaussian kernel with σ = 1, and their weights.

    Parameters
    ----------
    x
        Examples from N(0, 1), shape (n, 1).
    shown
        How many weights.

    Notes
    -----
    λ_j ≈ eigenvalue j of K/n, and e_j(x) ≈ Σ_i u_ij k(x_i, x)/(λ_j √n), where u_ij is entry i of
    eigenvector j; exactly λ_j = g^(2j+1), g = (√5 − 1)/2. Rasmussen and Williams (2006), section
    4.3. Taught in notebook 03, further.
    """
    n, kernel = len(x), Gaussian.from_bandwidth(1.0)
    values, vectors = np.linalg.eigh(kernel(x) / n)
    weights, U = values[::-1][:shown], vectors[:, ::-1][:, :4]
    grid = np.linspace(-3, 3, 121)
    E = kernel(grid[:, np.newaxis], x) @ U / (weights[:4] * np.sqrt(n))
    E *= np.sign(E[-1])  # the sign of an eigenvector is free
    numbers, golden = np.arange(shown), (np.sqrt(5) - 1) / 2
    figure = style.new_figure((9.2, 3.6))
    left, right = figure.subplots(1, 2)
    left.axhline(0, color=style.NEUTRAL, linewidth=style.THIN)
    for j, (colour, dash) in zip(range(4), style.LINES, strict=False):
        left.plot(grid, E[:, j], color=colour, linestyle=dash, label=f"$e_{j}$")
    left.set(xlabel="x", xlim=(-3, 3), ylim=(E.min() - 0.3, 1.35 * E.max()))
    left.set_title("the first four features")
    left.legend(loc="upper center", ncols=4)
    right.plot(numbers, golden ** (2 * numbers + 1), color=style.INK, label="formula")
    right.plot(numbers, weights, "o", color=style.ACCENT, label="from the sample")
    right.set(yscale="log", xlabel="number j", ylabel="weight", title="their weights")
    right.legend()
    said = written("{:.2f}", weights[:4])
    return picture(figure, f"Four functions with 0, 1, 2 and 3 zeros; their weights {said}.")
