"""Live figure of notebook 03: kernels of texts and of graphs, and the same SVM on both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

import ipywidgets
import numpy as np

from kernellab.datasets import Structures, load_molecules, load_towns
from kernellab.draw import style
from kernellab.draw.matrix import GramImage
from kernellab.estimators.cross_validation import cross_validated_scores
from kernellab.kernels import Graph, Kernel, Normalized, Spectrum, WeisfeilerLehman
from kernellab.lessons.kernels.figures.molecule_marks import Molecule
from kernellab.live.explorer import WIDE, Explorer, choice
from kernellab.validation import FloatArray

TOWNS, MOLECULES = "towns of Germany and France", "molecules that boil above 100 °C"
DIALS = {TOWNS: (1, 2, 3, 4, 5), MOLECULES: (0, 1, 2, 3, 4)}
COST = {TOWNS: 1.0, MOLECULES: 10.0}
START = {TOWNS: ("Freiburg", "Strasbourg"), MOLECULES: ("1-butanol", "diethyl ether")}


@cache
def load(name: str) -> Structures:
    """Return the towns or the molecules, sorted by class."""
    data = load_towns() if name == TOWNS else load_molecules()
    order = np.argsort(data.y, kind="stable")
    return Structures(
        tuple(data.X[i] for i in order),
        data.y[order],
        tuple(data.names[i] for i in order),
        data.target_names,
        data.source,
    )


def plain_kernel(name: str, value: int) -> Kernel:
    """Return the kernel of a data set for a value of its dial."""
    return Spectrum(value) if name == TOWNS else WeisfeilerLehman(value)


@cache
def solved(name: str, value: int, normalised: bool) -> tuple[FloatArray, FloatArray]:
    """Return the Gram matrix, shape (n, n), and the cross-validated scores of an SVM, (n,)."""
    data, kernel = load(name), plain_kernel(name, value)
    K = (Normalized(kernel) if normalised else kernel)(data.X)
    return K, cross_validated_scores(K, data.y, COST[name])


class StructureGram(Explorer):
    """Compare texts by their p-grams, graphs by their neighbourhoods: matrix, pair, accuracy.

    Taught in notebook 03.

    Parameters
    ----------
    data
        ``TOWNS`` or ``MOLECULES``: what is shown first.
    """

    presets: Mapping[str, Any] = {
        "towns, letters": {"data": TOWNS, "dial": 1},
        "towns, pairs": {"data": TOWNS, "dial": 2},
        "towns, five letters": {"data": TOWNS, "dial": 5},
        "molecules, atoms": {"data": MOLECULES, "dial": 0},
        "molecules, neighbours": {"data": MOLECULES, "dial": 1},
    }

    def __init__(self, data: str = TOWNS) -> None:
        self.data = choice("data", [TOWNS, MOLECULES])
        self.data.value = data
        self.dial = ipywidgets.SelectionSlider(options=[("", 0)], description="p", **WIDE)
        self.normalised = choice("compared by", {"angle (normalised)": True, "counts": False})
        figure = style.new_figure((9.4, 5.0))
        axes = figure.subplot_mosaic(
            [["gram", "x"], ["gram", "z"], ["gram", "accuracy"]],
            width_ratios=[1.35, 1], height_ratios=[1, 1, 1.5],
        )  # fmt: skip
        self.axes = axes["gram"]
        self.gram = GramImage(self.axes, cross=True)
        self.axes.set(title="Gram matrix, sorted by class: alike is dark", xlabel="z", ylabel="x")
        self.pictures = [Molecule(axes["x"]), Molecule(axes["z"])]
        self.names = [
            axes[name].text(
                0.5, 1.0, "", transform=axes[name].transAxes, ha="center", va="top", fontsize=12
            )
            for name in "xz"
        ]
        self.shared = axes["z"].text(
            0.5, 0.45, "", transform=axes["z"].transAxes, ha="center", va="center", fontsize=12
        )
        bars = axes["accuracy"]
        self.bars = bars.bar(range(5), np.zeros(5), width=0.6, color=style.NEUTRAL)
        self.percent = [
            bars.text(
                k,
                0,
                "",
                ha="center",
                va="bottom",
                zorder=4,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
            )
            for k in range(5)
        ]
        self.chance = bars.axhline(0.5, color=style.INK, linestyle="--", linewidth=style.THIN)
        self.ticks = [
            bars.text(k, 0.37, "", ha="center", va="top", fontsize=10, clip_on=False)
            for k in range(5)
        ]
        bars.set(xlim=(-0.6, 4.6), ylim=(0.4, 1.08), xticks=[], yticks=[0.5, 0.75, 1.0])
        bars.set_title("accuracy on those left out")
        self.bar_axes = bars
        self._load()
        super().__init__(
            "How long must the common parts be: too short says little, too long is never shared.",
            figure,
            [self.data, self.dial, self.normalised],
            moving=[
                *self.gram.artists, *self.pictures[0].artists, *self.pictures[1].artists,
                *self.names, self.shared, *self.bars, *self.percent, *self.ticks,
            ],
            axes=self.axes,
            points=self._first_pair(),
            handles=[{"label": "an entry: column z, row x", "color": style.ACCENT}],
        )  # fmt: skip

    def update(self, points: FloatArray) -> str:
        """Compute the matrix and the accuracy, and compare the pair under the cross."""
        if self.data.value != self._loaded:
            self._load()
            self.live.place(points := self._first_pair())
        data, n = self.structures, len(self.structures.y)
        column, row = (int(v) for v in np.clip(points[0], 0, n - 1))
        at = self.dial.index
        runs = [solved(self._loaded, value, self.normalised.value) for value in DIALS[self._loaded]]
        K, scores = runs[at]
        accuracy = [float(np.mean(data.y * s > 0)) for _, s in runs]
        high = 1.0 if self.normalised.value else float(np.quantile(K, 0.995))
        self.gram.show(K, [int((data.y < 0).sum())], entry=(row, column), low=0.0, high=high)
        self._show_pair(row, column)
        for k, (bar, said, name) in enumerate(
            zip(self.bars, self.percent, self.ticks, strict=True)
        ):
            bar.set_height(accuracy[k])
            bar.set_facecolor(style.ACCENT if k == at else style.NEUTRAL)
            said.set_text(f"{accuracy[k]:.0%}")
            said.set_y(accuracy[k])
            name.set_text(f"{self.letter} = {DIALS[self._loaded][k]}")
        self.accuracy = accuracy[at]
        best = DIALS[self._loaded][int(np.argmax(accuracy))]
        self.bar_axes.set_title(f"accuracy on those left out: best at {self.letter} = {best}")
        return self._sentence(K, scores, row, column)

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"The Gram matrix of {len(self.structures.y)} {self._loaded}, sorted by class, under "
            f"{self.kernel}; accuracy in cross-validation {self.accuracy:.1%}. {self.pair}. "
            f"Wrong: {self.wrong}."
        )

    # --- how it does it ------------------------------------------------------------------------

    def _load(self) -> None:
        self._loaded = self.data.value
        self.structures = load(self._loaded)
        self.letter = "p" if self._loaded == TOWNS else "h"
        word = "letters p" if self._loaded == TOWNS else "rounds h"
        with self.quietly():
            self.dial.options = [(str(value), value) for value in DIALS[self._loaded]]
            self.dial.index = 1
            self.dial.description = word
            self.normalised.value = self._loaded == TOWNS
        n, minus = len(self.structures.y), int((self.structures.y < 0).sum())
        self.axes.set(xlim=(0, n), ylim=(n, 0))
        names = [f"{name}" for name in self.structures.target_names]
        self.axes.set_xticks([minus / 2, (n + minus) / 2], names)
        self.axes.set_yticks([minus / 2, (n + minus) / 2], names, rotation=90, va="center")
        self.axes.tick_params(length=0)

    def _first_pair(self) -> FloatArray:
        row, column = (self.structures.names.index(name) for name in START[self._loaded])
        return np.array([[column + 0.5, row + 0.5]])

    def _show_pair(self, row: int, column: int) -> None:
        data = self.structures
        for text, picture, k in zip(self.names, self.pictures, (row, column), strict=True):
            example = data.X[k]
            text.set_text(data.names[k])
            if isinstance(example, Graph):
                picture.show([str(label) for label in example.labels], example.neighbours)
            else:
                picture.show([], [])
        self.shared.set_text(self._shared_parts(row, column) if self._loaded == TOWNS else "")

    def _shared_parts(self, row: int, column: int) -> str:
        """Say which p-grams two texts have in common."""
        p = self.dial.value
        grams = [
            Counter(text[i : i + p] for i in range(len(text) - p + 1))
            for text in (self.structures.X[row], self.structures.X[column])
        ]
        common = sorted(grams[0].keys() & grams[1].keys())
        more = f" and {len(common) - 8} more" if len(common) > 8 else ""
        return "in common: " + (" ".join(common[:8]) + more if common else "nothing")

    def _sentence(self, K: FloatArray, scores: FloatArray, row: int, column: int) -> str:
        data = self.structures
        plain = plain_kernel(self._loaded, self.dial.value)
        self.kernel = str(Normalized(plain) if self.normalised.value else plain)
        self.pair = f"k({data.names[row]}, {data.names[column]}) = {K[row, column]:.3g}"
        by_margin = np.argsort(data.y * scores, kind="stable")  # the worst mistake first
        wrong = [data.names[i] for i in by_margin if data.y[i] * scores[i] <= 0]
        more = f" and {len(wrong) - 6} more" if len(wrong) > 6 else ""
        self.wrong = ", ".join(wrong[:6]) + more if wrong else "none"
        parts = f"   {self._shared_parts(row, column)}" if self._loaded == TOWNS else ""
        cost = COST[self._loaded]
        return (
            f"{self.kernel}   {self.pair}{parts}\nSVM, C = {cost:g} "
            f"(λ = {1 / (cost * len(data.y)):.2g}), 10-fold: {self.accuracy:.1%} right   "
            f"wrong: {self.wrong}"
        )
