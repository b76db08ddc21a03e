"""Live figure of notebook 02: leave one point out, and see whether the line notices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from kernellab.draw import style
from kernellab.draw.hulls import HalfMargins
from kernellab.draw.margin import SupportPoints
from kernellab.draw.plane import Limits, Separator, plane
from kernellab.live.coincide import coincidence
from kernellab.live.explorer import Explorer, button, choice, class_handles, steps
from kernellab.live.hulls import Data, Line, three_points, two_groups, widest
from kernellab.validation import FloatArray

LIMITS: Limits = (-4.0, 4.0, -4.0, 4.0)
MOVED = 1e-9  # a half-margin that changed by less did not change


def one_against_many() -> Data:
    """Return one point of class +1 against five of class −1."""
    X, y = two_groups()
    return X[[0, 5, 6, 7, 8, 9]], y[[0, 5, 6, 7, 8, 9]]


SAMPLES: dict[str, Callable[[], Data]] = {
    "two groups": two_groups,
    "one against five": one_against_many,
    "three points": three_points,
}


class DeletionExplorer(Explorer):
    """Delete one point: the line before, grey, and after. Taught in notebook 02.

    Parameters
    ----------
    sample
        One of the names in ``SAMPLES``: what is shown first.
    deleted
        The point that is left out at first, counted from 1; 0 for none.
    """

    presets: Mapping[str, Any] = {
        "nothing deleted": {"deleted": 0},
        "a support vector": {"deleted": 1},
        "a point far behind": {"deleted": 4},
        "the only one of its class": {"sample": "one against five", "deleted": 1},
        "on the margin, α = 0": {"sample": "three points", "deleted": 1},
    }

    X: FloatArray
    y: FloatArray

    def __init__(self, sample: str = "two groups", deleted: int = 0) -> None:
        self.sample = choice("points", list(SAMPLES))
        self.sample.value = sample
        self.deleted = steps("deleted point (0: none)", deleted, 0, 10)
        figure = style.new_figure((9.4, 4.3))
        left, self.right = figure.subplots(1, 2, width_ratios=[1, 1.05])
        plane(left, LIMITS)
        left.set_title("grey with all points, black without one")
        self.right.set_title("only a deleted support vector widens the margin")
        self.before = Separator(
            left, margins=True, color=style.NEUTRAL, linewidth=0.6 * style.LINE, zorder=2.5
        )
        self.after = Separator(left, margins=True)
        self.after.words.set_y(0.94)
        self.points = SupportPoints(left)
        self.half = HalfMargins(self.right)
        self._load()
        super().__init__(
            "Which points could be taken away without anybody noticing?",
            figure,
            [
                self.sample,
                self.deleted,
                button("delete the next", self.next, tooltip="leave out the next point"),
            ],
            moving=[
                artist
                for mark in (self.before, self.after, self.points, self.half)
                for artist in mark.artists
            ],
            axes=left,
            points=self.X,
            handles=self._handles(),
        )

    def next(self) -> None:
        """Leave out the next point; after the last, none."""
        self.deleted.value = (self.deleted.value + 1) % (len(self.y) + 1)

    def update(self, points: FloatArray) -> str:
        """Solve for all points, and without each of them."""
        if self.sample.value != self._loaded:
            self._load()
            self.live.place(points := self.X, self._handles())
        self.X = points
        if self.deleted.value > len(self.y):
            self.set_quietly(self.deleted, len(self.y))
        self.deleted.max = len(self.y)
        used = self.deleted.value - 1 if self.deleted.value > 0 else None
        self.all = widest(self.X, self.y)
        if self.all is None:
            return self._nothing_to_delete(used)
        self.support = self.all.alpha > 0
        self.rest = [self._without(i) for i in range(len(self.y))]
        self.half_margins = np.array([np.nan if r is None else r.half_margin for r in self.rest])
        mistaken = [
            r is not None and y * (r.w @ x + r.b) <= 0
            for r, x, y in zip(self.rest, self.X, self.y, strict=True)
        ]
        self.wrong = np.array(mistaken, dtype=np.bool_)
        self._draw(self.all, used)
        return f"{self._sentence(self.all, used)}\n{self._count()}"

    def describe(self) -> str:
        """Return the alternative text."""
        which = "none deleted" if self.deleted.value == 0 else f"{self.deleted.value} deleted"
        numbers = (
            self._count()
            + f"; half-margins without each: {np.round(self.half_margins, 2).tolist()}"
            if self.all is not None
            else "no line separates them"
        )
        return f"{len(self.y)} points, {which}. {numbers}."

    def _load(self) -> None:
        self._loaded = self.sample.value
        X, y = SAMPLES[self._loaded]()
        self.X, self.y = X.copy(), y
        n = len(y)
        self.right.set(xlim=(0.3, n + 0.7), xticks=range(1, n + 1), ylim=(0, 3))

    def _handles(self) -> list[dict[str, str]]:
        return class_handles(self.y, "point", first=1)

    def _without(self, i: int) -> Line | None:
        """Solve without point i; None if it was the last of its class."""
        kept = np.arange(len(self.y)) != i
        if len(set(self.y[kept])) < 2:
            return None
        return widest(self.X[kept], self.y[kept])

    def _draw(self, before: Line, used: int | None) -> None:
        now = before if used is None else self.rest[used]
        self._make_room(float(np.nanmax([before.half_margin, *self.half_margins])))
        self.before.show(before.w, before.b)
        if now is None:
            self.after.show(np.zeros(2), 0.0)
            self.after.words.set_text("only one class is left")
            alpha = np.zeros(len(self.y))
        else:
            self.after.show(now.w, now.b)
            alpha = now.alpha
            if used is not None:
                alpha = np.concatenate([alpha[:used], [0.0], alpha[used:]])
        gone = np.arange(len(self.y)) == (-1 if used is None else used)
        self.points.show(self.X, self.y, alpha, used=used, mistaken=gone)
        self.half.show(before.half_margin, self.half_margins, self.y, self.wrong, used)

    def _make_room(self, half_margin: float) -> None:
        """Let the axis end at 3, or at 6 or 12 where that is too low."""
        top = 3.0 * 2 ** max(0.0, np.ceil(np.log2(half_margin / 3)))
        if self.right.get_ylim()[1] != top:
            self.right.set_ylim(0, top)

    def _sentence(self, line: Line, used: int | None) -> str:
        before = line.half_margin
        if used is None:
            return f"all points: half-margin {before:.3f}"
        kind = "a support vector" if self.support[used] else "α = 0, no support vector"
        if self.rest[used] is None:
            return (
                f"point {used + 1} deleted, the last of its class: one class is left, "
                "and there is nothing to separate"
            )
        after = self.half_margins[used]
        change = "nothing moves" if after < before + MOVED else "the line moves"
        return (
            f"point {used + 1} deleted ({kind}): half-margin {before:.3f} → {after:.3f}, {change}"
        )

    def _count(self) -> str:
        n = len(self.y)
        return (
            f"{int(self.support.sum())} support vectors of {n} points; leave-one-out mistakes "
            f"{int(self.wrong.sum())} of {n}{self._together()}"
        )

    def _together(self) -> str:
        said = coincidence(self.X, self.y, "no line tells them apart")
        return f"; {said}" if said else ""

    def _nothing_to_delete(self, used: int | None) -> str:
        self.before.show(np.zeros(2), 0.0)
        self.before.words.set_text("")
        self.after.show(np.zeros(2), 0.0)
        self.after.words.set_text("no line separates them")
        n = len(self.y)
        self.points.show(self.X, self.y, np.zeros(n), used=used)
        self.half.show(np.nan, np.full(n, np.nan), self.y, np.zeros(n, dtype=np.bool_), used)
        return "not separable: no line separates these points, so no margin is the widest\n" + (
            self._together().removeprefix("; ") or " "
        )
