"""The printed pictures of notebook 06."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.datasets.targets import GAMMAS, NOISE, TEST_SEED, bowl, make_bowl
from kernellab.draw import style
from kernellab.draw.picture import Picture, picture
from kernellab.draw.space import viewed_from
from kernellab.draw.surface import SurfaceView
from kernellab.kernels import Gaussian
from kernellab.lessons.ridge.figures.regression_marks import Fit
from kernellab.solvers.ridge import ridge, ridge_path

Values = NDArray[np.float64]

TRACED = {0.05: "#440154", 3.0: "#21918c", 12.0: "#8ec300"}  # of the eight γ
LAMS = 10.0 ** (np.arange(-24, 9) / 4)
SIDE = np.linspace(0, 1, 19)


def left_out(x: Values, y: Values, kernel: Gaussian, lam: float, *, moved: bool = False) -> Picture:
    """Return a picture of the fit without one example, and of the miss; x and y of shape (n,).

    It is the example that is missed most. Moved, it lies on that curve, and all are fitted again.
    """
    X, grid = x[:, np.newaxis], np.linspace(0, 1, 161)
    errors = ridge(kernel(X), y, lam).loo_errors
    one = int(np.abs(errors).argmax())
    rest, error = np.arange(len(x)) != one, errors[one]
    places = kernel(grid[:, np.newaxis], X)
    others = places[:, rest] @ ridge(kernel(X[rest]), y[rest], lam).coef
    heights = np.where(rest, y, y - error) if moved else y
    every = places @ ridge(kernel(X), heights, lam).coef
    figure = style.new_figure((6.4, 3.2))
    axes = figure.subplots()
    axes.set(xlim=(0, 1), ylim=(-2, 2), xlabel="x", ylabel="y")
    Fit(axes, label="fitted to the other 17").show(grid, others, examples=(x[rest], y[rest]))
    axes.scatter(x[one], heights[one], s=70, color=style.ACCENT, zorder=8)
    if moved:
        axes.lines[-1].set(linewidth=3.2 * style.LINE, alpha=0.35)
        axes.plot(grid, every, "--", color=style.INK, linewidth=style.LINE, label="to all 18")
        alt = (
            "An example on the curve that was fitted without it; the fit to all is the same curve."
        )
    else:
        axes.plot(x[[one, one]], [y[one], y[one] - error], color=style.ACCENT, linewidth=2)
        axes.text(x[one] + 0.02, y[one] - error / 2, "e", color=style.ACCENT, weight="bold")
        alt = f"A fit to all examples but one, which it misses by {error:.2f}."
    shown = [line for line in axes.lines if not str(line.get_label()).startswith(("_", "truth"))]
    axes.legend(handles=shown, fontsize=9)
    return picture(figure, alt)


def bars(sizes: Values, noise: float) -> Picture:
    """Return a picture of the wave's size in each direction, (n,), and of the noise's in each."""
    figure = style.new_figure((6.4, 2.6))
    axes = figure.subplots()
    axes.bar(np.arange(1, len(sizes) + 1), sizes, color=style.POSITIVE, label="the wave")
    axes.axhline(noise, color=style.INK, linestyle=":", label="the noise (standard deviation)")
    axes.set(xlabel="direction", ylabel="size", xticks=[1, 6, 12, 18])
    axes.legend(fontsize=9)
    return picture(figure, f"Size by direction: the noise {noise:g}; the wave {sizes.round(1)}.")


def plot(x: Values, y: Values, grid: Values, **curves: Values) -> Picture:
    """Return a picture of examples, x and y of shape (n,), and of named curves on a grid, (m,)."""
    figure = style.new_figure((6.4, 3.4))
    axes = figure.subplots()
    axes.set(xlabel="x", ylabel="y", ylim=(min(y) - 0.5, max(y) + 0.5))
    colours = (style.POSITIVE, style.ACCENT)
    said = []
    for (name, curve), colour, dash in zip(curves.items(), colours, ("-", "--"), strict=False):
        name = name.replace("_", " ")
        axes.plot(grid, curve, dash, color=colour, linewidth=style.LINE, label=name)
        said.append(f"{name}, from {curve.min():.2f} to {curve.max():.2f}")
    axes.scatter(x, y, c="white", edgecolors=style.INK, zorder=5)
    axes.legend(fontsize=9)
    return picture(figure, f"{len(x)} examples, and curves: {'; '.join(said)}.")


def valleys(lams: Values, training: Values, test: Values, loo: Values, noise: float) -> Picture:
    """Return a picture of errors over λ, all of shape (L,), and of the variance of the noise.

    A star is where test or leave-one-out error is lowest, and a dot the test error there.
    """
    figure, said = style.new_figure((6.4, 3.6)), []
    axes = figure.subplots()
    axes.plot(lams, training, color=style.INK, linewidth=style.LINE, label="training")
    axes.axhline(noise, color=style.NEUTRAL, linewidth=style.THIN, linestyle=":", label="noise")
    looks = (
        ("test", test, style.POSITIVE, "--"),
        ("leave-one-out", loo, style.NEGATIVE, "-."),
    )
    for name, row, colour, dash in looks:
        best = int(row.argmin())
        axes.plot(lams, row, color=colour, linestyle=dash, linewidth=style.LINE, label=name)
        axes.plot(lams[best], test[best], "o", color=style.POSITIVE, markersize=5)
        axes.plot(lams[best], row[best], "*", color=colour, markersize=13, markerfacecolor="white")
        axes.annotate(
            f"{test[best]:.2f}", (lams[best], test[best]), xytext=(0, 9),
            textcoords="offset points", ha="center", color=style.POSITIVE,
        )  # fmt: skip
        said.append(
            f"{name}, lowest at λ = {lams[best]:.2g}, where the test error is {test[best]:.2f}"
        )
    axes.set(xscale="log", yscale="log", xlabel="λ (log scale)", ylabel="squared error")
    axes.legend(fontsize=9)
    return picture(figure, f"Errors over λ: training, which only rises; {'; '.join(said)}.")


def gallery(fits: Mapping[str, Values]) -> Picture:
    """Return a picture of the bowl and of named fits to it, three in a row.

    A fit is its values on a grid of 19 × 19 places, x₁ running fastest, shape (361,). Off by: the
    root of the mean square over them.
    """
    truth = bowl(np.stack(np.meshgrid(SIDE, SIDE), axis=-1).reshape(-1, 2)).reshape(19, 19)
    rows = (len(fits) + 3) // 3
    figure, said = style.new_figure((10.2, 3.3 * rows)), []
    panels, seen = figure.subplots(rows, 3).ravel(), viewed_from(-125, 24)
    views = [
        SurfaceView(ax, (0, 0, -0.3), (1, 1, 2.2), ("x₁", "x₂", "y"), (0, 1, 2)) for ax in panels
    ]
    views[0].show(seen, SIDE, SIDE, truth)
    panels[0].set_title("the truth")
    for axes, view, (name, values) in zip(panels[1:], views[1:], fits.items(), strict=True):
        difference = values.reshape(19, 19) - truth
        view.show(seen, SIDE, SIDE, truth + difference, difference=difference, saturation=0.12)
        view.mesh.edges[(view.mesh.edges == 1).all(axis=1), :3] = 0.7  # white on white is not seen
        said.append(f"{name}: off by {np.sqrt(np.mean(difference**2)):.2f}")
        axes.set_title(said[-1], fontsize=10)
    return picture(figure, f"The bowl and {len(fits)} fits. {'; '.join(said)}.")


def over_lam() -> Picture:
    """Return a picture of training and test error on the bowl over λ, for each of ``GAMMAS``."""
    (X, y), (X_test, y_test) = make_bowl(), make_bowl(seed=TEST_SEED)
    figure, said = style.new_figure((9.6, 4.0)), []
    panels = figure.subplots(1, 2, sharey=True)
    for gamma in GAMMAS:
        kernel = Gaussian(gamma)
        path = ridge_path(kernel(X), y, LAMS)
        test = np.square(y_test - path.coef @ kernel(X, X_test)).mean(axis=1)
        best = int(test.argmin())
        look: dict[str, Any] = {"color": style.NEUTRAL, "linewidth": style.THIN, "alpha": 0.6}
        if gamma in TRACED:
            look = {
                "color": TRACED[gamma],
                "linewidth": 1.2 * style.LINE,
                "label": f"γ = {gamma:g}",
            }
        panels[0].plot(LAMS, path.train_error, **look)
        panels[1].plot(LAMS, test, marker="o", markevery=[best], **look)
        said.append(f"γ = {gamma:g}: {test[best]:.4f} at λ = {LAMS[best]:.1g}")
    for axes, title in zip(panels, ("training", "a hundred new heights"), strict=True):
        axes.axhline(NOISE**2, color=style.INK, linewidth=style.THIN, linestyle=":")
        axes.set(xscale="log", yscale="log", ylim=(0.001, 0.5), xlim=(LAMS[0], LAMS[-1]))
        axes.set(xlabel="λ (log scale)", title=title)
    panels[0].set_ylabel("mean squared error")
    panels[1].text(LAMS[0], 0.95 * NOISE**2, " noise", va="top", fontsize=9)
    panels[1].legend(fontsize=9, loc="lower right", title="grey: the other five")
    return picture(
        figure, f"Training and test errors over λ. Lowest test error: {'; '.join(said)}."
    )


def boiling(
    names: Sequence[str], boils: Values, predicted: Values, band: Values, asked: str
) -> Picture:
    """Return a picture of predictions ± band against boiling points, °C, (m,).

    The three worst are named, and the molecule that was asked for. Alcohols are filled.
    """
    figure = style.new_figure((5.4, 4.6))
    axes = figure.subplots()
    ends = [min(boils.min(), predicted.min()) - 15, max(boils.max(), predicted.max()) + 15]
    axes.plot(ends, ends, color=style.NEUTRAL, linewidth=style.THIN, linestyle="--")
    face = [style.POSITIVE if name.endswith("ol") else "white" for name in names]
    axes.errorbar(
        boils, predicted, band, fmt="none", ecolor=style.POSITIVE, elinewidth=2, alpha=0.4, zorder=2
    )
    axes.scatter(boils, predicted, s=40, c=face, edgecolors=style.INK, zorder=3)
    worst = np.argsort(-np.abs(predicted - boils))[:3].tolist()
    named = [*worst, names.index(asked)]
    for i in named:
        left = predicted[i] > boils[i]  # away from the diagonal
        axes.annotate(
            names[i], (boils[i], predicted[i]), xytext=(-4, 9) if left else (7, -3),
            textcoords="offset points", fontsize=9, ha="right" if left else "left",
        )  # fmt: skip
    axes.set(xlabel="boils at, °C", ylabel="predicted, °C")
    axes.set_title(f"{len(names)} molecules never seen (filled: with OH)")
    said = ", ".join(
        f"{names[i]} {boils[i]:.0f}, predicted {predicted[i]:.0f} ± {band[i]:.0f}" for i in named
    )
    return picture(figure, f"Predictions and boiling points. Farthest off, and asked for: {said}.")


def gains(carbons: Values, truly: Sequence[float], predicted: Sequence[float]) -> Picture:
    """Return a picture of what an OH adds to a chain of carbons, °C, all of shape (m,)."""
    figure = style.new_figure((6.4, 3.2))
    axes = figure.subplots()
    axes.plot(carbons, truly, "o-", color=style.INK, linewidth=style.LINE, label="in truth")
    axes.plot(
        carbons, predicted, "s--", color=style.POSITIVE, linewidth=style.LINE, label="predicted"
    )
    axes.set(xlabel="carbons in the chain", ylabel="added by an OH at its end, °C", ylim=(0, None))
    axes.legend(fontsize=9)
    said = (
        f"{name} {row[0]:.0f} to {row[-1]:.0f}"
        for name, row in (("in truth", truly), ("predicted", predicted))
    )
    return picture(
        figure,
        f"What an OH adds to a chain, °C, from the shortest to the longest: {'; '.join(said)}.",
    )
