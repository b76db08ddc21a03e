"""Pictures of section 1: lines through the kink of the hinge, and the two bounds."""

from __future__ import annotations

import numpy as np

from kernellab.datasets.records import Dataset
from kernellab.datasets.targets import quarters
from kernellab.draw import style
from kernellab.draw.picture import Picture, picture
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

OF_DUAL = "#1b7837"  # the colour of D, and of what it lacks


def hinge_lines() -> Picture:
    """Draw lines through the kink of the hinge, their upper edge. Taught in notebook 05."""
    z = np.linspace(-2, 3, 101)
    figure = style.new_figure((7.2, 3.4))
    axes = figure.subplots()
    for a in (0, 0.25, 0.5, 0.75, 1):
        axes.plot(z, a * (1 - z), "--", color=style.ACCENT)
        axes.text(3.05, -2 * a, f"a = {a}", color=style.ACCENT, va="center")
    axes.set(xlabel="margin z", title="five lines a (1 − z), from a = 0 to a = 1")
    alt = "Five straight lines a (1 − z) over the margin z, a from 0 to 1, all through (1, 0)."
    return picture(figure, alt)


def two_bounds(data: Dataset, K: FloatArray, C: float, a: float) -> Picture:
    """Draw numbers and their class; P and D where all α are alike, and the bracket at α = a."""
    x, y = data.X[:, 0], data.y
    alike = np.linspace(0, 0.7 * C, 101)
    f = K @ y  # of α = 1
    squared = float(y @ f)
    D = len(y) * alike - alike**2 * squared / 2
    P = alike**2 * squared / 2 + C * np.maximum(0, 1 - np.outer(alike, y * f)).sum(axis=1)
    best = solve(smo(K, y, C, bias=False, gap=1e-8), gap=1e-8, max_passes=10_000).dual
    figure = style.new_figure((9.6, 3.4))
    numbers, axes = figure.subplots(1, 2, width_ratios=[1, 1.5])
    grid = np.linspace(0, 1, 301)
    numbers.plot(grid, quarters(grid), "--", color=style.NEUTRAL, linewidth=style.LINE)
    for label in (-1, 1):
        here, look = x[y == label], style.MARKER[label]
        numbers.plot(here, 0 * here + label, look, color=style.COLOUR[label], mec=style.INK)
    numbers.set(xlabel="x", ylabel="class", yticks=[-1, 1], ylim=(-1.5, 1.5))
    numbers.set_title("twenty numbers, two classes")
    axes.plot(alike, P, color=style.INK, linewidth=style.LINE, label="P(w)")
    axes.plot(alike, D, "--", color=OF_DUAL, linewidth=style.LINE, label="D(α)")
    axes.axhline(best, color=style.NEUTRAL, linestyle=":", label="P*, from a long run")
    ends = [np.interp(a, alike, curve) for curve in (D, P)]
    axes.plot([a, a], ends, "o-", color=style.ACCENT, linewidth=style.LINE)
    axes.set(xlabel="all twenty α", title="whatever α: D below the answer, P above it")
    axes.legend(fontsize=9)
    alt = (
        "Left: twenty numbers from 0 to 1, the class changes at each quarter. Right: P and D over "
        f"the value of all α, from 0 to {alike[-1]:g}: P stays above the dotted line P*, D below "
        f"it; at α = {a:g} they are {ends[1]:.2f} and {ends[0]:.2f}."
    )
    return picture(figure, alt)
