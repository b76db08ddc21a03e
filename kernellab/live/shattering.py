"""Live figure of notebook 01: the shattering game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from kernellab.draw import style
from kernellab.draw.overlap import Overlap
from kernellab.draw.plane import Points, Separator, plane
from kernellab.draw.shattering import (
    Caption,
    Letters,
    Mosaic,
    Rectangle,
    Regions,
    corners,
    half_plane,
)
from kernellab.live.explorer import Explorer, button, choice, steps
from kernellab.shattering import (
    LETTERS,
    LINES,
    RECTANGLES,
    bounding_box,
    enclosing_rectangle,
    in_words,
    inside,
    labellings,
    realisable,
    separating_line,
    why_not,
)
from kernellab.validation import FloatArray

# Points sit on a grid of 1/32, a hundred steps wide, so that an arrow key moves by one step, three
# of them can lie exactly on a line, and floating-point numbers hold all of it exactly.
GRID = 32
LIMITS = (-50 / GRID, 50 / GRID, -50 / GRID, 50 / GRID)
# The plane shown is wider by half a mark, so that no point is cut off at its edge.
PLANE = (-54 / GRID, 54 / GRID, -54 / GRID, 54 / GRID)
MOST = 5  # points: 32 labellings still fit

YOUR_OWN = "your own"
POSITIONS = {
    "3 points": [(-24, -20), (26, -10), (-4, 28)],
    "3 on a line": [(-30, -15), (0, 0), (30, 15)],
    "4 in convex position": [(-26, -22), (28, -26), (24, 24), (-22, 28)],
    "4: one inside three": [(-32, -24), (32, -20), (0, 32), (2, -4)],
    "4 on a line": [(-36, -18), (-12, -6), (12, 6), (36, 18)],
    "4 as a diamond": [(0, 32), (32, 2), (-2, -32), (-32, -2)],
    "5: a diamond and a fifth": [(0, 32), (32, 2), (-2, -32), (-32, -2), (6, 8)],
    "5 in convex position": [(0, 34), (32, 10), (20, -28), (-20, -28), (-32, 10)],
}
SINGULAR = {LINES: "line", RECTANGLES: "rectangle"}


class ShatteringGame(Explorer):
    """Drag a few points: which of their labellings can a line, or a rectangle, make?

    Taught in notebook 01.

    Parameters
    ----------
    positions
        One of the names in ``POSITIONS``: what is shown first.
    sets
        "lines" or "rectangles" (axis-aligned).
    labelling
        Which labelling is shown first, counted from 1.
    """

    presets: Mapping[str, Any] = {
        "3 points": {"positions": "3 points"},
        "3 on a line": {"positions": "3 on a line"},
        "4 points": {"positions": "4 in convex position"},
        "one inside three": {"positions": "4: one inside three"},
        "4, rectangles": {"sets": RECTANGLES, "positions": "4 as a diamond"},
        "a fifth, rectangles": {"sets": RECTANGLES, "positions": "5: a diamond and a fifth"},
    }

    def __init__(
        self, positions: str = "4 in convex position", sets: str = LINES, labelling: int = 6
    ) -> None:
        self.sets = choice("sets", {"lines": LINES, "axis-aligned rectangles": RECTANGLES})
        self.sets.value = sets
        self.number = choice("points", [3, 4, MOST])
        self.positions = choice("placed", [*POSITIONS, YOUR_OWN])
        self.positions.value = positions
        X = self.X = placed(positions)
        self._name = positions
        self.number.value = len(X)
        self.labelling = steps("labelling", labelling, 1, 2 ** len(X))
        figure = style.new_figure((9.4, 4.4))
        self.plane, right = figure.subplots(1, 2, width_ratios=[1, 1.12])
        plane(self.plane, PLANE)
        self.regions = Regions(self.plane, PLANE)
        self.line = Separator(self.plane)
        self.line.words.set_visible(False)  # w = 0 means here that another picture is shown
        self.box = Rectangle(self.plane)
        self.overlap = Overlap(self.plane)
        self.points = Points(self.plane)
        self.letters = Letters(self.plane, LETTERS[:MOST])
        self.mosaic = Mosaic(right)
        self.captions = Caption(self.plane), Caption(right)
        super().__init__(
            "How must the points lie so that every labelling can be made? How many can they be?",
            figure,
            [
                self.sets,
                self.number,
                self.positions,
                self.labelling,
                button("next that fails", self.next_failure, tooltip="show a missing labelling"),
            ],
            moving=[
                artist
                for mark in (
                    self.regions, self.line, self.box, self.overlap, self.points, self.letters,
                    self.mosaic, *self.captions,
                )
                for artist in mark.artists
            ],
            axes=self.plane,
            points=X,
            handles=grips(len(X)),
            limits=LIMITS,  # of the hand, not of the axes
        )  # fmt: skip

    def next_failure(self) -> None:
        """Go to the next labelling that cannot be made; stay if there is none."""
        missing = np.flatnonzero(~self.possible) + 1
        later = missing[missing > self.labelling.value]
        if len(missing) > 0:
            self.labelling.value = int(later[0] if len(later) > 0 else missing[0])

    def update(self, points: FloatArray) -> str:
        """Find what can be made of the points as they are, and show one labelling of them."""
        X = self._place(points)
        sets, n = self.sets.value, len(X)
        Y = labellings(n)
        self.possible = realisable(X, sets)
        k = self.labelling.value - 1
        y = Y[k]
        self.obstacle = why_not(X, y, sets)
        self._draw(X, y)
        self.mosaic.show(X, Y, self.possible, k, LIMITS)
        one = SINGULAR[sets]
        made = f"a {one} makes it" if self.obstacle is None else f"no {one} makes it"
        total, count = len(Y), int(self.possible.sum())
        verdict = "shattered" if count == total else "not shattered"
        self.captions[0].show(f"{in_signs(y)}   {made}")
        self.captions[1].show(f"{count} of {total} labellings: {verdict}")
        self.finding = f"{count} of {total} labellings: {verdict}"
        if count < total:
            self.finding += f"; missing: {some(in_signs(row) for row in Y[~self.possible])}"
        because = "" if self.obstacle is None else f": {in_words(self.obstacle, sets)}"
        self.now = f"{self.labelling.value}: {LETTERS[:n]} = {in_signs(y)}   {made}{because}"
        return f"{self.finding}\n{self.now}"

    def describe(self) -> str:
        """Return the alternative text."""
        places = ", ".join(
            f"{name} ({x:.2f}, {y:.2f})" for name, (x, y) in zip(LETTERS, self.X, strict=False)
        )
        return (
            f"The shattering game with {self.sets.value} and {len(self.X)} points: {places}. "
            f"{self.finding}. Left: labelling {self.now}. Right: a cell for each labelling, "
            "hatched and crossed where it cannot be made."
        )

    def _place(self, points: FloatArray) -> FloatArray:
        """Put the points where the hand or a list wants them, and make the controls agree."""
        name = self.positions.value
        X = np.round(points * GRID) / GRID
        if name != self._name and name != YOUR_OWN:
            X = placed(name)
        elif self.number.value != len(X):
            X, name = resized(X, self.number.value), YOUR_OWN
        elif (X != self.X).any():
            name = YOUR_OWN
        if len(X) != len(points) or name not in (self._name, YOUR_OWN):
            self.live.place(X, grips(len(X)))
        self.X, self._name = X, name
        agreed = {self.positions: name, self.number: len(X)}
        agreed[self.labelling] = min(self.labelling.value, 2 ** len(X))
        for control, value in agreed.items():
            if control.value != value:
                self.set_quietly(control, value)
        self.labelling.max = 2 ** len(X)
        return X

    def _draw(self, X: FloatArray, y: FloatArray) -> None:
        """Show the line or the rectangle, or the few points that forbid it."""
        line = box = side = None
        overlap = X[:0], X[:0]
        in_the_way = np.zeros(len(X), dtype=np.bool_)
        if self.sets.value == LINES:
            line = separating_line(X, y)
            if line is not None:
                side = half_plane(*line, PLANE)
        else:
            box = enclosing_rectangle(X, y)
            if box is not None:
                side = corners(box)
        if self.obstacle is not None:
            plus, minus = (list(group) for group in self.obstacle)
            if self.sets.value == LINES:
                overlap = X[plus], X[minus]
                in_the_way[minus if len(minus) == 1 else plus[: len(plus) == 1]] = True
            else:
                box = bounding_box(X[y > 0])
                in_the_way = (y < 0) & inside(X, box)
        self.regions.show(side)
        self.line.show(*line or (np.zeros(2), 0.0))
        self.box.show(box, fails=self.obstacle is not None)
        self.overlap.show(*overlap)
        self.points.show(X, y, weight=1.0, mistaken=in_the_way)
        self.letters.show(X)


def placed(name: str) -> FloatArray:
    """Return the points of one of ``POSITIONS``, shape (n, 2)."""
    return np.array(POSITIONS[name]) / GRID


def resized(X: FloatArray, n: int) -> FloatArray:
    """Return the first n points; if there are fewer, with new ones far from the others."""
    lattice = np.stack(np.meshgrid(*2 * [np.arange(-28, 29, 8)]), axis=-1).reshape(-1, 2) / GRID
    while len(X) < n:
        distance = np.linalg.norm(lattice[:, np.newaxis] - X, axis=2).min(axis=1)
        X = np.vstack([X, lattice[distance.argmax()]])
    return X[:n]


def grips(n: int) -> list[dict[str, str]]:
    """Return what the front end should know of each grip."""
    return [{"label": f"point {name}", "color": style.NEUTRAL} for name in LETTERS[:n]]


def in_signs(y: FloatArray) -> str:
    """Write a labelling as "+ − + −"."""
    return " ".join("+" if label > 0 else "−" for label in y)


def some(words: Iterable[str], most: int = 4) -> str:
    """Join words with commas, the first few of them."""
    words = list(words)
    rest = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + rest
