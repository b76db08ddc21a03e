"""Printed pictures of notebook 09: what the reader's own function does, mended or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kernellab.certificates import svm_certificate
from kernellab.datasets.targets import make_outside_circle, make_quarters
from kernellab.draw import style
from kernellab.draw.picture import Picture, picture
from kernellab.kernels import Gaussian
from kernellab.solvers.sdca import sdca

PASSES, STEP = 30, 3


def not_squared(X: Any, gamma: float) -> Any:
    """Return the Gram matrix of the notebook in exhibit 6: its distance is not squared."""
    return np.exp(-gamma * np.sqrt(-np.log(Gaussian(1.0)(X))))


def gap_over_passes(train: Callable[..., Any]) -> Picture:
    """Return a picture of the gap after each pass in order, and of that where `train` stops."""
    data, lam = make_outside_circle(), 0.1
    K, n = not_squared(data.X, 5.0), len(data.y)
    alpha = np.asarray(train(K * np.outer(data.y, data.y), lam))
    stop = svm_certificate(K, data.y, np.clip(alpha, 0, 1) / lam, 1 / lam).gap
    stop = min(max(stop, 1e-9), 1.0)
    states = sdca(K, data.y, 1 / lam, orders=[np.arange(n)] * PASSES)
    gaps = np.array([state.gap for state in states])[-PASSES:]
    figure = style.new_figure((7.0, 3.0))
    axes = figure.subplots()
    axes.semilogy(np.arange(1, PASSES + 1), gaps, color=style.INK, linewidth=style.LINE)
    axes.axhline(stop, color=style.ACCENT, linestyle="--")
    at = int(np.abs(np.log(gaps / stop)).argmin()) + 1
    axes.plot(at, stop, "o", color=style.ACCENT, markersize=9)
    axes.set(
        xlabel="passes", ylabel="duality gap", title=f"It stops where the gap is {100 * stop:.2g}%"
    )
    axes.set_yticks([1, 0.1, 0.01, 0.001], ["100%", "10%", "1%", "0.1%"])
    return picture(
        figure, f"The duality gap falls from {gaps[0]:.0%} after one pass to {gaps[-1]:.1%} after "
        f"{PASSES}. The function stops where it is {100 * stop:.2g}%, at pass {at}.",
    )  # fmt: skip


def kernel_over_distance(gaussian: Callable[..., Any]) -> Picture:
    """Return a picture of k over the distance from a point, beside the bell, both with γ = 1."""
    side = np.linspace(-2.5, 2.5, 201)
    found, bell = np.ravel(gaussian(side[:, None], np.zeros((1, 1)), 1.0)), np.exp(-(side**2))
    figure = style.new_figure((7.0, 2.6))
    axes = figure.subplots()
    axes.plot(side, found, color=style.ACCENT, linewidth=style.LINE, label="your function")
    axes.plot(side, bell, color=style.INK, linestyle="--", label="Gaussian")
    axes.set(xlabel="x − x′", ylabel="k", title="a Gaussian, and your function, for γ = 1")
    axes.legend(frameon=False)
    return picture(
        figure, f"k over the distance, with γ = 1: a Gaussian has {bell[110]:.2f} at 0.25, the "
        f"reader's function {found[110]:.2f}.",
    )  # fmt: skip


def gaps_by_order(orders: Callable[..., Any]) -> Picture | None:
    """Return a picture of SDCA's gap with one order, ten times, and with the ten of `orders`.

    On twenty samples of 20 points like the film's, and twenty times on the 100 points of exhibit
    12. None while `orders` repeats itself: the picture answers a question that comes before it.
    """
    if np.array_equal(*orders(20, 10, 0)[:2]):
        return None
    figure = style.new_figure((8.4, 3.2))
    both = figure.subplots(1, 2, sharey=True)
    for axes, n, gamma, C in zip(both, (20, 100), (100, 5), (100, 10), strict=True):
        ahead = 0
        for seed in range(20):
            data = make_quarters(20, seed) if n == 20 else make_outside_circle()
            K, new = Gaussian(gamma)(data.X), list(orders(n, 10, seed))
            ends = []
            for tried, colour in ((new, style.INK), ([new[0]] * 10, style.ACCENT)):
                gaps = [state.gap for state in sdca(K, data.y, C, orders=tried)][-10:]
                axes.plot(range(1, 11), gaps, color=colour, linewidth=0.8, alpha=0.7)
                ends.append(gaps[-1])
            ahead += ends[1] < ends[0]
        axes.set(xlabel="passes", title=f"{n} points: one order ahead {ahead} times")
    both[0].set(ylabel="duality gap", ylim=(0, 1))
    both[0].set_yticks([0, 0.5, 1], ["0%", "50%", "100%"])
    names = ["ten orders", "one order, ten times"]
    both[1].legend(both[1].lines[:2], names, frameon=False)
    return picture(
        figure, "The duality gap over ten passes, on 20 points and on 100, twenty times with one "
        f"order and twenty times with ten. On {n} points one order is ahead {ahead} times.",
    )  # fmt: skip


def moved_by_a_step(scores: Callable[..., Any], X: Any, y: Any) -> Picture:
    """Return a picture of points (n, 2), here and moved, and of the two lines of score zero.

    y, of shape (n,), are their classes; ringed is who is on another side of its line than before.
    """
    figure = style.new_figure((5.4, 4.6))
    axes = figure.subplots()
    side = np.linspace(-3.5, 6.5, 101)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    signs = []
    for by, line in ((0, ":"), (STEP, "-")):
        places = X + by
        signs.append(np.sign(scores(places, y, places, 1.0)))
        heights = np.reshape(scores(places, y, grid, 1.0), (len(side), len(side)))
        if np.ptp(np.sign(heights)):
            axes.contour(side, side, heights, levels=[0], colors=[style.INK], linestyles=[line])
        for label, colour, marker in ((1, style.POSITIVE, "o"), (-1, style.NEGATIVE, "s")):
            axes.scatter(*places[y == label].T, color=colour, marker=marker, alpha=0.4 + by / 5)
    changed = signs[0] != signs[1]
    x1, x2 = (X[changed] + STEP).T
    axes.scatter(x1, x2, s=160, facecolors="none", edgecolors=style.ACCENT)
    axes.plot(0, 0, "+", color=style.INK, markersize=12)
    axes.set(xlabel="x₁", ylabel="x₂", aspect="equal")
    axes.set_title(f"before (pale, dotted) and after: {changed.sum()} of 20 change sides")
    return picture(
        figure, f"Points of two classes, here and moved by ({STEP}, {STEP}), and for each the line "
        f"of score zero. {changed.sum()} points change sides, and are ringed.",
    )  # fmt: skip
