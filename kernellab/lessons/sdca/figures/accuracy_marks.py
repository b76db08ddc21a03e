"""Accuracies over a parameter, with what they are uncertain by; and curves that fall."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike, NDArray

from kernellab.draw import style


class AccuracyCurves:
    """Training and test accuracy over λ_s on a log axis, the test one in a band of ± one error.

    Parameters
    ----------
    axes
        Where they stand.
    limits
        The smallest and the largest λ_s.
    majority
        The accuracy of always naming the larger class.
    """

    def __init__(self, axes: Axes, limits: tuple[float, float], majority: float) -> None:
        self.band = PolyCollection([], facecolor="#b9d3ea", edgecolor="none", zorder=1)
        axes.add_collection(self.band, autolim=False)
        self.train = Line2D([], [], color=style.INK, linewidth=style.LINE, label="training")
        self.test = Line2D(
            [], [], color=style.POSITIVE, linewidth=style.LINE, linestyle="--",
            label="test ± one standard error", zorder=3,
        )  # fmt: skip
        for line in (self.train, self.test):
            axes.add_line(line)
        axes.axhline(majority, color=style.NEUTRAL, linestyle=":", label="always the larger class")
        self.here = axes.axvline(np.nan, color=style.ACCENT, linewidth=style.LINE, zorder=1.5)
        self.dots = Line2D(
            [], [], linestyle="", marker="o", color=style.ACCENT, markersize=7, zorder=5
        )
        axes.add_line(self.dots)
        axes.set(
            xscale="log", xlim=limits, ylim=(0.5, 1.01), xlabel=r"$\lambda_s$", ylabel="accuracy"
        )
        axes.legend(loc="lower left")

    @property
    def artists(self) -> list[Artist]:
        """Band, curves and cursor, for a live figure's list of moving artists."""
        return [self.band, self.here, self.train, self.test, self.dots]

    def show(
        self,
        lams: NDArray[np.float64],
        train: NDArray[np.float64],
        test: NDArray[np.float64],
        error: NDArray[np.float64],
        at: int,
    ) -> None:
        """Show accuracies and the standard error of the test one, all (k,), with a cursor."""
        edges = [np.column_stack([lams, test + side * error])[::side] for side in (1, -1)]
        self.band.set_verts([np.concatenate(edges)])
        self.train.set_data(lams, train)
        self.test.set_data(lams, test)
        self.here.set_xdata([lams[at]] * 2)
        self.dots.set_data([lams[at]] * 2, [train[at], test[at]])


class TestPoints:
    """Points that were not trained on: small and hollow, with the marker of their class."""

    __test__ = False  # no test, whatever its name says

    def __init__(self, axes: Axes) -> None:
        self.marks = {
            label: axes.scatter(
                [], [], marker=style.MARKER[label], s=26, facecolors="none",
                edgecolors=style.COLOUR[label], linewidths=1.1, zorder=3.6, clip_on=False,
            )
            for label in (-1, 1)
        }  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """The marks, for a live figure's list of moving artists."""
        return list(self.marks.values())

    def show(self, X: NDArray[np.float64], y: NDArray[np.float64]) -> None:
        """Show points, shape (n, 2), with labels −1 or +1, shape (n,)."""
        for label, mark in self.marks.items():
            mark.set_offsets(X[y == label])


def falling(
    axes: Axes,
    curves: Mapping[str, tuple[ArrayLike, ArrayLike]],
    *,
    x: str,
    y: str,
    floor: float,
    top: float,
) -> None:
    """Draw named curves of positive numbers on a log axis, told apart by dash and by colour."""
    for (name, (places, values)), (colour, dash) in zip(curves.items(), style.LINES, strict=False):
        shown = np.maximum(np.asarray(values, dtype=float), floor)
        axes.plot(places, shown, color=colour, linestyle=dash, linewidth=style.LINE, label=name)
    axes.set(yscale="log", ylim=(floor, top), xlabel=x, ylabel=y)


def with_bars(
    axes: Axes,
    x: NDArray[np.float64],
    curves: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]],
) -> None:
    """Draw named accuracies over x with their standard errors as bars, side by side."""
    for k, ((name, (values, errors)), (colour, dash)) in enumerate(
        zip(curves.items(), style.LINES, strict=False)
    ):
        axes.errorbar(
            np.asarray(x) * 1.03 ** (k - len(curves) / 2), values, errors, color=colour,
            linestyle=dash, linewidth=style.LINE, marker="osD^v"[k % 5], markersize=6, capsize=3,
            label=name,
        )  # fmt: skip
    axes.set(xscale="log")
