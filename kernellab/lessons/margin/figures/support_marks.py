"""What figures of notebook 02 draw of support vectors: a key, slacks, arrows, conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.mark import Mark

GREEN, RED = "#d5eadb", "#f7dcd3"  # satisfied, violated: and always with ✓ or ✗
COUNTS = {"support vectors": (style.INK, "-"), "inside the band": (style.LINES[4][0], "--")}


def key_to_points(axes: Axes, **where: Any) -> None:
    """Explain the rings and the cross in a legend, with the bare shapes."""
    ring: Any = {"marker": "o", "linestyle": "", "markerfacecolor": "none", "color": style.INK}
    small, large = (Line2D([], [], **ring, markersize=size) for size in (10, 16))
    dot = Line2D([], [], marker="o", linestyle="", color=style.NEUTRAL, markersize=6)
    cross = Line2D([], [], marker="x", linestyle="", color=style.INK, markersize=9, mew=2)
    handles: list[Any] = [dot, (dot, small), (dot, small, large), cross]
    words = ["α = 0", "0 < α < C", "α = C", "wrong: ξ ≥ 1"]
    where = {"ncols": 4, "handletextpad": 0.5, "columnspacing": 0.8} | where
    axes.legend(handles, words, borderaxespad=0.0, **where)


def feet_of_slacks(
    X: NDArray[np.float64], y: NDArray[np.float64], w: NDArray[np.float64], b: float
) -> NDArray[np.float64]:
    """Return where the slack of each example ends on its margin y f(x) = 1, shape (n, 2).

    NaN without a slack; X has shape (n, 2), y (n,), w (2,).
    """
    missing = 1.0 - y * (X @ w + b)
    squared = float(w @ w)
    if squared == 0.0:
        return np.full(X.shape, np.nan)
    feet = X + (y * missing / squared)[:, np.newaxis] * w
    feet[missing <= 1e-6] = np.nan
    return feet


class Arrow(Mark):
    """A thick segment between two places, with a diamond at each: a distance to be seen."""

    def __init__(self, axes: Axes, *, colour: str = style.ACCENT) -> None:
        self.line = Line2D(
            [], [], color=colour, linewidth=1.5 * style.LINE, marker="D", markersize=7,
            markeredgecolor="white", zorder=6,
        )  # fmt: skip
        axes.add_line(self.line)

    def show(self, ends: NDArray[np.float64]) -> None:
        """Show the two ends, shape (2, 2); nothing for shape (0, 2)."""
        self.line.set_data(*ends.T)


class Conditions(Mark):
    """A table of conditions: what is asked, what it is now, and ✓ or ✗."""

    def __init__(self, axes: Axes, groups: Sequence[tuple[str, Sequence[str]]]) -> None:
        n_rows = sum(len(rows) for _, rows in groups)
        axes.set(xlim=(0, 1), ylim=(n_rows, 0), xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
        self.values = []
        corners = []
        row = 0
        for title, rows in groups:
            axes.text(-0.02, row + len(rows) / 2, title, ha="right", va="center")
            for condition in rows:
                axes.text(0.03, row + 0.5, condition, va="center")
                self.values.append(axes.text(0.9, row + 0.5, "", va="center", ha="right"))
                corners.append([(0.6, row), (1, row), (1, row + 1), (0.6, row + 1)])
                row += 1
            axes.axhline(row, color=style.INK, linewidth=0.5 * style.THIN)
        self.cells = PolyCollection(corners, edgecolor="white", zorder=0)
        axes.add_collection(self.cells)
        # ✓ and ✗ as markers: two artists are drawn sooner than a text for each row.
        self.signs = {
            good: Line2D(
                [], [], linestyle="", marker=marker, markersize=8, markerfacecolor="none",
                markeredgecolor=style.INK, markeredgewidth=width, zorder=4,
            )
            for good, marker, width in ((True, style.TICK, 1.4), (False, "x", 2.4))
        }  # fmt: skip
        for line in self.signs.values():
            axes.add_line(line)

    def show(self, values: Sequence[str], met: Sequence[bool]) -> None:
        """Show for each condition what it is now, and whether it is met."""
        for text, value in zip(self.values, values, strict=True):
            text.set_text(value)
        for good, line in self.signs.items():
            rows = [row + 0.5 for row, is_met in enumerate(met) if bool(is_met) == good]
            line.set_data([0.95] * len(rows), rows)
        self.cells.set_facecolor([GREEN if good else RED for good in met])


def make_room(axes: Axes, highest: float, least: float) -> None:
    """Let an axis end at ``least``, or at four times that, sixteen times … if it is too low.

    Steps so wide are seldom taken: each is a picture drawn anew, and a hand that waits for it.
    """
    top = least * 4.0 ** np.ceil(np.log2(max(highest, least) / least) / 2)
    if axes.get_ylim() != (0.0, top):
        axes.set_ylim(0.0, top)
