"""Live figure of notebook 03: kernels of texts and of graphs, and the same SVM on both."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets import Structures, load_molecules, load_towns
from kernellab.draw import style
from kernellab.draw.matrix import GramImage
from kernellab.draw.title import moving_title
from kernellab.estimators.cross_validation import cross_validated_scores
from kernellab.kernels import Graph, Kernel, Normalized, Spectrum, WeisfeilerLehman
from kernellab.kernels.graphs import refined_labels
from kernellab.lessons.kernels.figures.molecule import Molecule
from kernellab.live.controls import Check, Choice, Ladder, Sample
from kernellab.live.declared import Figure
from kernellab.validation import FloatArray

TOWNS, MOLECULES = "towns of Germany and France", "molecules: above 100 °C or not"
DIALS = {TOWNS: (1, 2, 3, 4, 5), MOLECULES: (0, 1, 2, 3, 4)}
COST = {TOWNS: 1.0, MOLECULES: 10.0}
FEW = 40  # names of wrong answers: which are among more, ties and rounding decide
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


class StructureGram(Figure):
    """Compare texts by their p-grams, graphs by their neighbourhoods: matrix, pair, accuracy.

    Taught in notebook 03.
    """

    question = "What do two names, or two molecules, have in common, and what does it tell?"
    answer = ("dots", "percent")
    size = (9.4, 5.0)
    strip_size = (7.2, 4.0)
    data = Sample("data", {name: partial(load, name) for name in (TOWNS, MOLECULES)})
    dial = Ladder(
        lambda figure: "letters p" if figure.data == TOWNS else "rounds h",
        lambda figure: DIALS[figure.data],
    )
    normalised = Choice("compared by", {"angle (normalised)": True, "counts": False})
    every = Check("accuracy for every value")
    grip_names = ("an entry: column z, row x",)
    presets = {
        "single letters": {"dial": 1, "every": True},
        "pairs of letters": {"dial": 2, "every": True},
        "four letters in a row": {"dial": 4, "every": True},
        "molecules, by angle": {"data": MOLECULES, "dial": 0, "normalised": True},
        "molecules, atoms": {"data": MOLECULES, "dial": 0},
    }
    readout = "{pair}   {shared}\n10-fold, C = {cost:g}: {accuracy:.1%} right   wrong: {wrong}"
    alt = (
        "The Gram matrix of {n} {data}, sorted by class, under {kernel}; the means of its blocks: "
        "{means}; accuracy in cross-validation {accuracy:.1%}. {pair}, {shared}. Wrong: {wrong}."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the matrix, the pair, and a dot for each value of the dial."""
        axes = figure.subplot_mosaic(
            [["gram", "x"], ["gram", "z"], ["gram", "accuracy"]],
            width_ratios=[1.35, 1], height_ratios=[1, 1, 1.5],
        )  # fmt: skip
        self.axes, self.key = axes["gram"], [axes["gram"], axes["accuracy"]]
        self.gram = GramImage(self.axes, cross=True)
        label: Any = {"fc": "white", "ec": "none", "pad": 1}
        self.means = [self.axes.text(0, 0, "", ha="right", va="top", bbox=label) for _ in range(4)]
        self.title = moving_title(self.axes)
        self.pictures = [Molecule(axes["x"]), Molecule(axes["z"])]
        words: Any = {"ha": "center", "va": "top", "fontsize": 12}
        places = [(axes[name], axes[name].transAxes) for name in "xz"]
        self.names = [at.text(0.5, 1.0, "", transform=unit, **words) for at, unit in places]
        words |= {"va": "center", "fontsize": 15, "family": "monospace", "linespacing": 0.8}
        self.spelled = [at.text(0.5, 0.45, "", transform=unit, **words) for at, unit in places]
        right = axes["accuracy"]
        self.dots = right.scatter(range(5), np.zeros(5), s=60, c=[style.NEUTRAL] * 5)
        self.percent = [right.text(k, 0, "", ha="center", va="bottom") for k in range(5)]
        right.axhline(0.5, color=style.INK, linestyle="--", linewidth=style.THIN)  # chance
        words = {"ha": "center", "va": "bottom", "fontsize": 10}
        self.ticks = [right.text(k, 0.32, "", **words) for k in range(5)]
        right.set(xlim=(-0.6, 4.6), ylim=(0.29, 1.12), xticks=[], yticks=[0.5, 0.75, 1.0])
        right.set_title("accuracy on those left out")
        return self.axes

    def take(self, data: Structures) -> None:
        """Take texts or graphs, with the first value of their dial."""
        self.structures = data
        with self.quietly():
            self.dial = DIALS[self.data][0]
            self.normalised = self.data == TOWNS
        n, self.minus = len(data.y), int((data.y < 0).sum())
        middles, names = [self.minus / 2, (n + self.minus) / 2], list(data.target_names)
        self.axes.set(xlim=(0, n), ylim=(n, 0))
        self.axes.set_xticks(middles, names)
        self.axes.set_yticks(middles, names, rotation=90, va="center")
        self.axes.tick_params(length=0)

    def grips(self) -> Any:
        """Return the entry that is looked at first."""
        row, column = (self.structures.names.index(name) for name in START[self.data])
        return [(column + 0.5, row + 0.5)]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Compute the matrix and the accuracy, and compare the pair under the cross."""
        data, dial, n = self.structures, DIALS[self.data], len(self.structures.y)
        row, column = (int(v) for v in np.clip(points[0, ::-1], 0, n - 1))
        at = dial.index(self.dial)
        runs = [solved(self.data, value, self.normalised) for value in dial]
        accuracy = [float(np.mean(data.y * scores > 0)) for _, scores in runs]
        K, scores = runs[at]
        high = 1.0 if self.normalised else float(np.quantile(K, 0.995))
        self.gram.show(K, [self.minus], entry=(row, column), low=0.0, high=high)
        towns, pair, ringed = self.data == TOWNS, (data.X[row], data.X[column]), []
        for k, two in enumerate((pair, pair[::-1])):
            ringed.append([] if towns else of_a_common_name(*two, self.dial))
            self.names[k].set_text(data.names[(row, column)[k]])
            self.spelled[k].set_text(underlined(*two, self.dial) if towns else "")
            self.pictures[k].show(None if towns else two[0], ringed[k])
        atoms = "ringed: {} and {} atoms named alike".format(*map(len, ringed))
        shared = "in common: " + in_common(*pair, self.dial) if towns else atoms
        dark = "alike" if self.normalised else "much in common"
        self.title.set_text(f"Gram matrix: {dark} is dark")
        self.show_accuracy(accuracy, at)
        plain = plain_kernel(self.data, self.dial)
        by_margin = np.argsort(data.y * scores, kind="stable")  # the worst mistake first
        wrong = [data.names[i] for i in by_margin if data.y[i] * scores[i] <= 0]
        return {
            "n": n,
            "kernel": Normalized(plain) if self.normalised else plain,
            "pair": f"k({data.names[row]}, {data.names[column]}) = {K[row, column]:.3g}",
            "shared": shared,
            "means": self.show_means(K),
            "accuracy": accuracy[at],
            "cost": COST[self.data],
            "wrong": listed(wrong, 3, ", ") or "none" if len(wrong) < FEW else f"{len(wrong)}",
        }

    def show_means(self, K: FloatArray) -> str:
        """Write the mean of two different examples into each of the four blocks, and return it."""
        n, others = len(K), np.where(np.eye(len(K)), np.nan, K)
        halves = slice(0, self.minus), slice(self.minus, n)
        for text, (rows, columns) in zip(self.means, product(halves, halves), strict=True):
            mean = np.nanmean(others[rows, columns])
            text.set_text(f"mean {mean:.3f}" if self.normalised else f"mean {mean:.1f}")
            text.set_position((columns.stop - n / 80, rows.start + n / 60))
        return ", ".join(text.get_text()[5:] for text in self.means)

    def show_accuracy(self, accuracy: Sequence[float], at: int) -> None:
        """Show the accuracy for each value of the dial, which stands at one of them."""
        letter, dial = "p" if self.data == TOWNS else "h", DIALS[self.data]
        shown = [self.every or k == at for k in range(5)]
        self.dots.set_offsets([(k, accuracy[k] if shown[k] else np.nan) for k in range(5)])
        self.dots.set_facecolor([style.ACCENT if k == at else style.NEUTRAL for k in range(5)])
        for k, (said, name) in enumerate(zip(self.percent, self.ticks, strict=True)):
            said.set_text(f"{accuracy[k]:.0%}" if shown[k] else "")
            said.set_y(accuracy[k] + 0.04)
            name.set_text(f"{letter} = {dial[k]}")


def underlined(text: str, other: str, p: int) -> str:
    """Return a text, and below it a line under the p-grams that another text has too."""
    starts = [i for i in range(len(text) - p + 1) if text[i : i + p] in other]
    marks = ["▔" if any(i <= k < i + p for i in starts) else " " for k in range(len(text))]
    return f"{text}\n{''.join(marks)}"


def in_common(text: str, other: str, p: int) -> str:
    """Name the p-grams that two texts have in common."""
    grams = [{one[i : i + p] for i in range(len(one) - p + 1)} for one in (text, other)]
    return listed(sorted(grams[0] & grams[1]), 5, " ") or "nothing"


def of_a_common_name(one: Graph, other: Graph, h: int) -> list[int]:
    """Return the vertices whose name after h rounds is that of a vertex of another graph."""
    numbers: dict[Any, int] = {}
    mine, others = (refined_labels(graph, h, numbers)[-len(graph) :] for graph in (one, other))
    return [v for v, name in enumerate(mine) if name in others]


def listed(names: Sequence[str], most: int, between: str) -> str:
    """Write names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return between.join(names[:most]) + more
