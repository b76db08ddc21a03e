"""Live figure of notebook 02: leave one point out, and see whether the line notices."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.margin import SupportPoints
from kernellab.draw.plane import Limits, Separator, plane
from kernellab.lessons.margin.figures.hulls import Data, Line, three_points, two_groups, widest
from kernellab.live.coincide import coincidence
from kernellab.live.controls import Button, Sample, Steps
from kernellab.live.declared import Figure
from kernellab.validation import FloatArray

LIMITS: Limits = (-4.0, 4.0, -4.0, 4.0)
MOVED = 1e-9  # a half-margin that changed by less did not change


def one_against_many() -> Data:
    """Return one point of class +1 against five of class −1."""
    X, y = two_groups()
    return X[[0, 5, 6, 7, 8, 9]], y[[0, 5, 6, 7, 8, 9]]


SAMPLES = {
    "two groups": two_groups,
    "one against five": one_against_many,
    "three points": three_points,
}


class Deletion(Figure):
    """Delete one point: the line before, grey, and after. Taught in notebook 02.

    ``deleted`` is the point that is left out, counted from 1; 0 for none.
    """

    question = "Which points could be taken away without anybody noticing?"
    size = (9.4, 4.3)
    sample = Sample("points", SAMPLES, grip="point", first=1)
    deleted = Steps("deleted point (0: none)", 0, 10)
    presets = {
        "nothing deleted": {"deleted": 0},
        "a support vector": {"deleted": 1},
        "a point far behind": {"deleted": 4},
        "the only one of its class": {"sample": "one against five", "deleted": 1},
        "on the margin, α = 0": {"sample": "three points", "deleted": 1},
    }
    readout = "{finding}\n{counted}"
    alt = "{n} points, {deleted_point}. {measured}."

    @Button("delete the next", "leave out the next point")
    def next(self) -> None:
        """Leave out the next point; after the last, none."""
        self.deleted = (self.deleted + 1) % (len(self.y) + 1)

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane, and a half-margin for each point that is deleted."""
        left, self.right = left, right = figure.subplots(1, 2, width_ratios=[1, 1.05])
        plane(left, LIMITS)
        left.set_title("grey with all points, black without one")
        self.before = Separator(
            left, margins=True, color=style.NEUTRAL, linewidth=0.6 * style.LINE, zorder=2.5
        )
        self.after = Separator(left, margins=True)
        self.after.words.set_y(0.94)
        self.points = SupportPoints(left)
        right.set(
            xlabel="the point that is deleted", ylabel="half-margin of the rest",
            title="only a deleted support vector widens the margin",
        )  # fmt: skip
        self.here = right.axvline(np.nan, color=style.ACCENT, linewidth=style.LINE, zorder=1)
        self.all = right.axhline(np.nan, color=style.NEUTRAL, linestyle="--", linewidth=style.LINE)
        (self.stems,) = right.plot([], [], color=style.INK, linewidth=1.5 * style.LINE, zorder=3)
        self.tops = {
            label: right.scatter(
                [], [], marker=style.MARKER[label], c=style.COLOUR[label], edgecolors=style.INK,
                s=60, zorder=4, clip_on=False,
            )
            for label in (-1, 1)
        }  # fmt: skip
        self.one_class = right.scatter([], [], marker="x", c=style.INK, s=90, zorder=4)
        self.wrong = right.scatter(
            [], [], marker="o", facecolors="none", edgecolors=style.NEGATIVE, s=240, zorder=4,
            linewidths=style.LINE, linestyle=":",
        )  # fmt: skip
        return left

    def take(self, data: Any) -> None:
        """Take points, and make room for as many stems."""
        super().take(data)
        n = len(self.y)
        self.right.set(xlim=(0.3, n + 0.7), xticks=range(1, n + 1), ylim=(0, 3))

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Solve for all points, and without each of them."""
        X, y, n = self.X, self.y, len(self.y)
        self.set_max("deleted", n)
        used = self.deleted - 1 if self.deleted > 0 else None
        which = f"{self.deleted} deleted" if self.deleted else "none deleted"
        before = widest(X, y)
        together = coincidence(X, y, "no line tells them apart")
        if before is None:
            self.show_not_separable(used)
            return {
                "n": n,
                "deleted_point": which,
                "finding": "not separable: no line separates these points, so no margin is the "
                "widest",
                "counted": together or " ",
                "measured": "no line separates them",
            }
        rest = [self.without(i) for i in range(n)]
        half_margins = np.array([np.nan if line is None else line.half_margin for line in rest])
        wrong = np.array(
            [
                line is not None and label * (line.w @ x + line.b) <= 0
                for line, x, label in zip(rest, X, y, strict=True)
            ],
            dtype=np.bool_,
        )
        self.make_room(float(np.nanmax([before.half_margin, *half_margins])))
        self.before.show(before.w, before.b)
        alpha = np.zeros(n)
        now = before if used is None else rest[used]
        if now is None:
            self.after.show(np.zeros(2), 0.0)
            self.after.words.set_text("only one class is left")
        else:
            self.after.show(now.w, now.b)
            alpha[np.arange(n) != used] = now.alpha
        self.points.show(X, y, alpha, used=used, mistaken=np.arange(n) == used)
        self.show_half_margins(before.half_margin, half_margins, wrong)
        support = before.alpha > 0
        counted = (
            f"{support.sum()} support vectors of {n} points; leave-one-out mistakes {wrong.sum()} "
            f"of {n}{'; ' * bool(together)}{together}"
        )
        rounded = str(np.round(half_margins, 2).tolist()).replace("nan", "no line")
        return {
            "n": n,
            "deleted_point": which,
            "finding": finding(used, before.half_margin, half_margins, support),
            "counted": counted,
            "measured": f"{counted}; half-margins without each: {rounded}",
            "support": support,
            "mistakes": wrong,
            "half_margin": before.half_margin,
            "half_margins": half_margins,
        }

    def without(self, i: int) -> Line | None:
        """Solve without point i; None if it was the last of its class."""
        kept = np.arange(len(self.y)) != i
        if len(set(self.y[kept])) < 2:
            return None
        return widest(self.X[kept], self.y[kept])

    def show_half_margins(self, before: float, after: FloatArray, wrong: Any) -> None:
        """Show a stem for each point, from the half-margin of all to that without the point."""
        self.here.set_xdata([self.deleted or np.nan] * 2)
        self.all.set_ydata([before, before])
        index = np.arange(1.0, len(after) + 1)
        tops = np.column_stack([index, after])
        gap = np.full(len(after), np.nan)
        pieces = np.column_stack([np.full(len(after), before), after, gap])
        self.stems.set_data(np.repeat(index, 3), pieces.ravel())
        for label, mark in self.tops.items():
            mark.set_offsets(tops[self.y == label])
        alone = np.isnan(after)
        self.one_class.set_offsets(np.column_stack([index, pieces[:, 0]])[alone])
        self.wrong.set_offsets(tops[wrong & ~alone])

    def make_room(self, half_margin: float) -> None:
        """Let the axis end at 3, or at 6 or 12 where that is too low."""
        top = 3.0 * 2 ** max(0.0, np.ceil(np.log2(half_margin / 3)))
        if self.right.get_ylim()[1] != top:
            self.right.set_ylim(0, top)

    def show_not_separable(self, used: int | None) -> None:
        """Show points without a line."""
        n, nothing = len(self.y), np.zeros(2)
        self.before.show(nothing, 0.0)
        self.before.words.set_text("")
        self.after.show(nothing, 0.0)
        self.after.words.set_text("no line separates them")
        self.points.show(self.X, self.y, np.zeros(n), used=used)
        self.show_half_margins(np.nan, np.full(n, np.nan), np.zeros(n, dtype=np.bool_))


def finding(used: int | None, before: float, after: FloatArray, support: Any) -> str:
    """Say what became of the margin."""
    if used is None:
        return f"all points: half-margin {before:.3f}"
    if np.isnan(after[used]):
        return (
            f"point {used + 1} deleted, the last of its class: one class is left, "
            "and there is nothing to separate"
        )
    kind = "a support vector" if support[used] else "α = 0, no support vector"
    change = "nothing moves" if after[used] < before + MOVED else "the line moves"
    return (
        f"point {used + 1} deleted ({kind}): half-margin {before:.3f} → {after[used]:.3f}, {change}"
    )
