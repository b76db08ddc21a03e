"""Live figure of notebook 06: ridge regression as a graphic equaliser, one share per direction."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian
from kernellab.lessons.ridge.figures.regression_marks import Fit
from kernellab.lessons.ridge.figures.ridge_dial import GRID, make_wave, wave
from kernellab.lessons.ridge.figures.ridge_over_lam import LOG_LAMS
from kernellab.live.controls import Ladder, Steps
from kernellab.live.declared import Figure
from kernellab.live.parameters import gamma_with_sigma, ridge_lam
from kernellab.solvers.ridge import ridge_path
from kernellab.validation import FloatArray

X, Y = make_wave()
KEPT, LOST = "#0b5fa5", "#d9d9d9"


class Equaliser(Figure):
    """What the examples contain of each direction, and which share of it the fit keeps.

    Directions are the eigenvectors of K, the largest eigenvalue first. Taught in notebook 06.
    """

    question = "Which part of the data does λ turn down first?"
    answer = ("shares", "kept")
    size = (9.6, 5.0)
    lam = Ladder("λ", LOG_LAMS, LOG_LAMS[0], ridge_lam)
    one = Steps("direction", 1, 18, 1)
    gamma = Ladder("γ", (5.0, 20.0, 50.0, 200.0, 1000.0), 50.0, gamma_with_sigma)
    presets = {
        "small λ": {},
        "λ in between": {"lam": 0.1},
        "large λ": {"lam": 10.0},
        "a wiggly direction": {"lam": 10.0, "one": 9},
        "narrow kernel": {"lam": 10.0, "one": 9, "gamma": 1000.0},
    }
    readout = (
        "all shares together: {freedom:.2f} of 18\n"
        "direction {one}: eigenvalue {eigenvalue:.3g}, share kept {share:.3f}"
    )
    alt = (
        "Left: the ridge fit to 18 examples at λ = {lam:.3g}, and the 18 values of direction {one}"
        ". Right: for each direction how much of it the examples contain, and the share that is "
        "kept: {share:.2f} of direction {one}. The shares add up to {freedom:.1f}."
    )

    def build(self, figure: MplFigure) -> None:
        """Make the curve and the direction below it, and two rows of bars."""
        axes = figure.subplots(2, 2, height_ratios=[1.5, 1])
        curve, below, bars, shares = axes.ravel()[[0, 2, 1, 3]]
        self.key = curve, bars
        curve.set(xlim=(0, 1), ylim=(-2, 2), ylabel="y")
        self.fit = Fit(curve)
        curve.legend(
            handles=[self.fit.curve, self.fit.truth], ncols=2, loc="lower left", fontsize=9,
            bbox_to_anchor=(0, 0.99), borderaxespad=0.1,
        )  # fmt: skip
        below.set(xlim=(0, 1), ylim=(-1.3, 1.3), yticks=[0], xlabel="x")
        below.axhline(0, color=style.NEUTRAL, linewidth=0.5 * style.THIN)
        (self.values,) = below.plot(
            [], [], "o-", color=style.ACCENT, markersize=5, linewidth=style.THIN
        )
        places = np.arange(1, len(X) + 1)
        self.whole = list(bars.bar(places, 0.0, color=LOST, label="in the examples"))
        self.kept = list(bars.bar(places, 0.0, color=KEPT, width=0.5, label="in the fit"))
        bars.set(ylim=(0, 2.8), ylabel="size", xlabel="direction", xticks=[1, 6, 12, 18])
        bars.legend(loc="upper right", fontsize=9)
        self.shares = list(shares.bar(places, 0.0, color=KEPT, width=0.5))
        shares.set(ylim=(0, 1.05), ylabel="share kept", yticks=[0, 0.5, 1], xticks=[1, 6, 12, 18])
        shares.set_xlabel("direction")
        self.here = shares.axvline(1, color=style.ACCENT, zorder=0)
        self.titles = [moving_title(ax, 26) for ax in (curve, below, shares)]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Split the examples into directions, and keep of each its share."""
        kernel, place = Gaussian(self.gamma), self.one - 1
        K = kernel(X[:, np.newaxis])
        path = ridge_path(K, Y, self.lam)
        s, U = path.eigenvalues[::-1], path.eigenvectors[:, ::-1]
        share, size = s / (s + path.lams[0]), np.abs(U.T @ Y)
        between = kernel(GRID[:, np.newaxis], X[:, np.newaxis])
        self.fit.show(
            GRID, np.clip(between @ path.coef[0], -4, 4), examples=(X, Y),
            fitted=Y - path.residuals[0], truth=wave(GRID),
        )  # fmt: skip
        values = U[:, place]
        self.values.set_data(X, values / values[np.abs(values).argmax()])
        rows = (self.whole, size), (self.kept, share * size), (self.shares, share)
        for bars, heights in rows:
            for bar, height in zip(bars, heights, strict=True):
                bar.set_height(height)
        for number, bar in enumerate(self.shares, start=1):
            bar.set_color(style.ACCENT if number == self.one else KEPT)
        self.here.set_xdata([self.one] * 2)
        freedom = share.sum()
        lam = np.format_float_positional(self.lam, 2, fractional=False, trim="-")
        for title, words in zip(
            self.titles,
            (
                f"the fit, λ = {lam}",
                f"direction {self.one}: {share[place]:.0%} kept",
                f"all shares together: {freedom:.1f}",
            ),
            strict=True,
        ):
            title.set_text(words)
        return {"freedom": freedom, "eigenvalue": s[place], "share": share[place]}
