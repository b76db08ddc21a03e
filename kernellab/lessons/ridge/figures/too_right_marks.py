"""Squared loss and hinge over y f, with the examples on them: who is punished for being right."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kernellab.draw import style

LEFT, RIGHT, TOP = -2.0, 4.0, 6.0


class TwoLosses:
    """The two losses as curves; each example stands on both, at its own two values of y f."""

    def __init__(self, axes: Axes) -> None:
        z = np.linspace(LEFT, RIGHT, 241)
        squared, hinge = (1 - z) ** 2, np.maximum(0, 1 - z)
        axes.fill_between(
            z, squared, where=z >= 1, color="#e7d5ee", zorder=0, label="punished for being right"
        )
        axes.plot(z, squared, color=style.ACCENT, linewidth=style.LINE, label="ridge, (1 − y f)²")
        axes.plot(
            z, hinge, color=style.INK, linewidth=style.LINE, linestyle="--",
            label="SVM, max(0, 1 − y f)",
        )  # fmt: skip
        axes.axvline(0, color=style.NEUTRAL, linewidth=style.THIN, linestyle=":")
        axes.set(
            xlim=(LEFT, RIGHT), ylim=(-0.15, TOP), xlabel="y f", ylabel="loss",
            title="what an example costs",
        )  # fmt: skip
        axes.legend(loc="upper right", fontsize=9, frameon=True, edgecolor="none", framealpha=0.9)
        self.marks = {
            (kind, label): axes.scatter(
                [], [], marker=style.MARKER[label], s=40, zorder=5,
                c=style.COLOUR[label] if kind == "ridge" else "white",
                edgecolors=style.INK if kind == "ridge" else style.COLOUR[label],
                linewidths=style.THIN if kind == "ridge" else style.LINE,
            )
            for kind in ("ridge", "SVM")
            for label in (-1, 1)
        }  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """The examples, for a live figure's list of moving artists."""
        return list(self.marks.values())

    def show(
        self, y: NDArray[np.float64], ridge: NDArray[np.float64], svm: NDArray[np.float64]
    ) -> None:
        """Show examples of labels y at their y f for both, each (n,); beyond the edge, at it."""
        for (kind, label), mark in self.marks.items():
            z = np.clip((ridge if kind == "ridge" else svm)[y == label], LEFT, RIGHT)
            loss = (1 - z) ** 2 if kind == "ridge" else np.maximum(0, 1 - z)
            mark.set_offsets(np.column_stack([z, np.minimum(loss, TOP)]))
