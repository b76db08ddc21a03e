"""The residual matrix y_j − ŷ_i, a lens over it, and the terms that its mean square is made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.field import show_field

Values = NDArray[np.float64]
RESIDUALS = LinearSegmentedColormap.from_list(
    "kernellab.residuals", ["#b85c00", "#f3a64a", "#ffffff", "#6fa8d6", "#0b4f8a"]
)
UNLIT, DARK = 0.14, 0.17  # how much of its colour an entry keeps in the dark, and how dark that is
REACH = 2  # a lens shows so many rows and columns to either side of its middle


def lit_colours(residuals: Values, saturation: float, counts: NDArray[np.bool_]) -> Values:
    """Return the colours of entries, (n, m, 3): those that do not count lie in the dark."""
    colours = RESIDUALS(0.5 + 0.5 * residuals / saturation)[..., :3]
    return np.asarray(np.where(counts[..., np.newaxis], colours, DARK + UNLIT * (colours - 0.5)))


class ResidualMatrix:
    """All n × n differences as an image: what counts is lit; and the frame of a lens over it."""

    def __init__(self, axes: Axes, n: int, *, saturation: float = 1.5) -> None:
        self.axes, self.n, self.saturation = axes, n, saturation
        self.image = show_field(axes, between="nearest", extent=(0, n, n, 0), zorder=0)
        self.diagonal = LineCollection([], colors=style.INK, linewidths=0.5, zorder=1)
        axes.add_collection(self.diagonal, autolim=False)
        self.lens = Rectangle(
            (0, 0), 2 * REACH + 1, 2 * REACH + 1, facecolor="none", edgecolor=style.ACCENT,
            linewidth=style.LINE, zorder=3,
            path_effects=[withStroke(linewidth=5, foreground="white")],
        )  # fmt: skip
        axes.add_patch(self.lens)
        axes.set(xlim=(0, n), ylim=(n, 0), xlabel="target j", ylabel="prediction i")
        axes.set(xticks=[0, n // 2, n], yticks=[0, n // 2, n])
        axes.set_box_aspect(1.0)
        ends = np.arange(n + 1)
        stairs = np.repeat(ends, 2)
        self.diagonal.set_segments(
            [np.column_stack([stairs[1:], stairs[:-1]]), np.column_stack([stairs[:-1], stairs[1:]])]
        )

    @property
    def artists(self) -> list[Artist]:
        """Image, diagonal and lens, for a live figure's list of moving artists."""
        return [self.image, self.diagonal, self.lens]

    def show(self, residuals: Values, counts: NDArray[np.bool_], middle: tuple[int, int]) -> None:
        """Show the matrix, (n, n), which entries count, (n, n), and where the lens is."""
        colours = lit_colours(residuals, self.saturation, counts)
        self.image.set_data(np.uint8(255 * colours + 0.5))  # bytes are drawn faster than floats
        self.diagonal.set_visible(bool(counts.all()))  # in the dark it is seen without a frame
        row, column = middle
        self.lens.set_xy((column - REACH, row - REACH))


def short(value: float, digits: int) -> str:
    """Write a number; in a lecture hall, where type is large, with a digit less and no zero."""
    hall = style.in_lecture()
    digits -= hall
    words = f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")
    return words.replace("0.", ".", 1) if hall else words


class Lens:
    """A few entries, enlarged, with their numbers; those on the diagonal are framed."""

    def __init__(self, axes: Axes, *, saturation: float = 1.5) -> None:
        side = 2 * REACH + 1
        self.saturation = saturation
        self.image = show_field(axes, between="nearest", extent=(0, side, side, 0), zorder=0)
        self.frames = LineCollection([], colors=style.INK, linewidths=1.6 * style.LINE, zorder=2)
        axes.add_collection(self.frames, autolim=False)
        self.numbers = [
            axes.text(c + 0.5, r + 0.5, "", ha="center", va="center", fontsize=9, zorder=3)
            for r in range(side)
            for c in range(side)
        ]
        self.heads = [
            axes.text(side / 2, -0.12, "", ha="center", va="bottom", fontsize=10),
            axes.text(-0.12, side / 2, "", ha="right", va="center", fontsize=10, rotation=90),
        ]
        axes.set(xlim=(0, side), ylim=(side, 0), xticks=[], yticks=[])
        axes.spines[:].set_visible(True)
        axes.spines[:].set_color(style.ACCENT)
        axes.spines[:].set_linewidth(style.LINE)
        axes.set_box_aspect(1.0)

    @property
    def artists(self) -> list[Artist]:
        """Image, frames and numbers, for a live figure's list of moving artists."""
        return [self.image, self.frames, *self.numbers, *self.heads]

    def show(
        self,
        y: Values,
        predicted: Values,
        middle: tuple[int, int],
        counts: NDArray[np.bool_],
    ) -> None:
        """Show the entries round a row and a column.

        Parameters
        ----------
        y, predicted
            Targets and predictions, both (n,).
        middle
            Row (a prediction) and column (a target); at least `REACH` away from the border.
        counts
            Which entries count, (n, n).
        """
        rows = np.arange(middle[0] - REACH, middle[0] + REACH + 1)
        columns = np.arange(middle[1] - REACH, middle[1] + REACH + 1)
        entries = y[columns] - predicted[rows, np.newaxis]
        lit = counts[np.ix_(rows, columns)]
        self.image.set_data(lit_colours(entries, self.saturation, lit))
        for text, value, on in zip(self.numbers, entries.ravel(), lit.ravel(), strict=True):
            text.set_text(short(value, 2))
            dark = not on or abs(value) > 0.75 * self.saturation
            text.set_color("white" if dark else style.INK)
        own = np.argwhere(rows[:, np.newaxis] == columns)
        self.frames.set_segments(
            [[(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1), (c, r)] for r, c in own]
        )
        self.heads[0].set_text(f"targets {columns[0] + 1} … {columns[-1] + 1}")
        self.heads[1].set_text(f"predictions {rows[0] + 1} … {rows[-1] + 1}")


class Waterfall:
    """Terms that add up: one bar after another, each beginning where the last one ends."""

    def __init__(self, axes: Axes, names: Sequence[str], limits: tuple[float, float]) -> None:
        self.axes = axes
        colours = (style.POSITIVE, "#7fb0db", style.NEUTRAL, style.NEGATIVE)
        hatches = ("", "//", "..", "xx")
        self.bars = [
            axes.barh([k], [0], height=0.62, color=colour, edgecolor="white", hatch=hatch)[0]
            for k, (colour, hatch) in enumerate(zip(colours, hatches, strict=True))
        ]
        self.total = axes.barh([len(names)], [0], height=0.62, color=style.ACCENT)[0]
        self.links = LineCollection([], colors=style.INK, linewidths=0.8, linestyles=":", zorder=3)
        axes.add_collection(self.links, autolim=False)
        self.words = [axes.text(0, k, "", va="center", fontsize=9) for k in range(len(names) + 1)]
        axes.set(
            xlim=limits, ylim=(len(names) + 0.5, -0.6), yticks=range(len(names) + 1),
            yticklabels=[*names, "mean square"],
        )  # fmt: skip
        axes.tick_params(axis="y", length=0)
        axes.axvline(0, color=style.INK, linewidth=style.THIN)

    @property
    def artists(self) -> list[Artist]:
        """Bars, links and numbers, for a live figure's list of moving artists."""
        return [*self.bars, self.total, self.links, *self.words]

    def show(self, terms: Sequence[float | None], total: float) -> None:
        """Show the terms, None for one that is left out, and what they add up to."""
        at, links = 0.0, []
        for k, (bar, term) in enumerate(zip(self.bars, terms, strict=True)):
            size = 0.0 if term is None else term
            bar.set(x=min(at, at + size), width=abs(size))
            links.append([(at + size, k - 0.31), (at + size, k + 1.31)])
            self.words[k].set_x(max(at, at + size) + 0.01)
            self.words[k].set_text("left out" if term is None else short(term, 3))
            at += size
        self.links.set_segments(links)
        self.total.set(x=0, width=total)
        self.words[-1].set_x(total + 0.01)
        self.words[-1].set_text(f"{total:.4f}")
