"""Live figure of notebook 01: the shattering game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.overlap import Overlap
from kernellab.draw.plane import Points, Separator, plane
from kernellab.lessons.perceptron.figures.shattering_marks import (
    Caption,
    Letters,
    Mosaic,
    Rectangle,
    Regions,
    corners,
    half_plane,
)
from kernellab.lessons.perceptron.theory.shattering import (
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
from kernellab.live.controls import Button, Choice, Steps
from kernellab.live.declared import Figure
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


class ShatteringGame(Figure):
    """Drag a few points: which of their labellings can a line, or a rectangle, make?

    Labellings are counted from 1. Taught in notebook 01.
    """

    question = "How must the points lie so that every labelling can be made? How many can they be?"
    answer = ("mosaic", "captions")
    size = (9.4, 4.4)
    sets = Choice("sets", {"lines": LINES, "axis-aligned rectangles": RECTANGLES})
    number = Choice("points", [3, 4, MOST], 4)
    positions = Choice("placed", [*POSITIONS, YOUR_OWN], "4 in convex position")
    labelling = Steps("labelling", 1, 2**MOST, 6)
    limits = LIMITS  # of the hand, not of the axes
    presets = {
        "three points": {"positions": "3 points"},
        "three on a line": {"positions": "3 on a line"},
        "four points": {"positions": "4 in convex position"},
        "one inside three": {"positions": "4: one inside three"},
        "four, a diamond": {"positions": "4 as a diamond"},
        "four, rectangles": {"sets": RECTANGLES, "positions": "4 as a diamond"},
        "a fifth, rectangles": {"sets": RECTANGLES, "positions": "5: a diamond and a fifth"},
    }
    readout = "{finding}\n{now}"
    alt = (
        "The shattering game with {sets_of} and {n} points: {places}. {finding}. Left: labelling "
        "{now}. Right: a cell for each labelling, hatched and crossed where it cannot be made."
    )

    @Button("next that fails", "show a missing labelling")
    def next_failure(self) -> None:
        """Go to the next labelling that cannot be made; stay if there is none."""
        missing = np.flatnonzero(~self.numbers["possible"]) + 1
        later = missing[missing > self.labelling]
        if len(missing) > 0:
            self.labelling = int(later[0] if len(later) > 0 else missing[0])

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane, and a cell for each labelling."""
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.12])
        plane(left, PLANE)
        self.regions = Regions(left, PLANE)
        self.line = Separator(left)
        self.line.words.set_visible(False)  # w = 0 means here that another picture is shown
        self.box = Rectangle(left)
        self.overlap = Overlap(left)
        self.points = Points(left)
        self.letters = Letters(left, LETTERS[:MOST])
        self.mosaic = Mosaic(right)
        self.captions = Caption(left), Caption(right)
        self.name, self.X = "", np.empty((0, 2))  # what was shown last
        return left

    def grips(self) -> FloatArray:
        """Return the points of the list that is chosen, or those that are there."""
        return self.X if self.positions == self.name else placed(self.positions)

    def handles(self) -> list[dict[str, str]]:
        """Return a handle for each point, of no class."""
        n = len(self.grips())
        return [{"label": f"point {name}", "color": style.NEUTRAL} for name in LETTERS[:n]]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Find what can be made of the points as they are, and show one labelling of them."""
        X, n = self.moved(points), self.number
        sets, Y, possible = self.sets, labellings(n), realisable(self.X, self.sets)
        y = Y[self.labelling - 1]
        obstacle = why_not(X, y, sets)
        self.draw(X, y, obstacle)
        self.mosaic.show(X, Y, possible, self.labelling - 1, LIMITS)
        one, count = SINGULAR[sets], int(possible.sum())
        made = f"a {one} makes it" if obstacle is None else f"no {one} makes it"
        verdict = "shattered" if count == len(Y) else "not shattered"
        finding = f"{count} of {len(Y)} labellings: {verdict}"
        self.captions[0].show(f"{in_signs(y)}   {made}")
        self.captions[1].show(finding)
        if count < len(Y):
            finding += f"; missing: {some(in_signs(row) for row in Y[~possible])}"
        because = "" if obstacle is None else f": {in_words(obstacle, sets)}"
        return {
            "n": n,
            "sets_of": sets,
            "places": ", ".join(
                f"{name} ({x:.2f}, {y:.2f})" for name, (x, y) in zip(LETTERS, X, strict=False)
            ),
            "possible": possible,
            "obstacle": obstacle,
            "finding": finding,
            "now": f"{self.labelling}: {LETTERS[:n]} = {in_signs(y)}   {made}{because}",
        }

    def moved(self, points: FloatArray) -> FloatArray:
        """Put the points where the hand or a list wants them, and make the controls agree."""
        X, name = np.round(points * GRID) / GRID, self.positions
        if name not in (self.name, YOUR_OWN):
            X = placed(name)
        elif self.number != len(X):
            X, name = resized(X, self.number), YOUR_OWN
        elif (X != self.X).any():
            name = YOUR_OWN
        others = len(X) != len(points) or name not in (self.name, YOUR_OWN)
        first, self.X, self.name = not self.name, X, name
        with self.quietly():
            self.positions, self.number = name, len(X)
            self.set_max("labelling", 2 ** len(X))
        if others and not first:
            self.place(self.handles())
        return X

    def draw(self, X: FloatArray, y: FloatArray, obstacle: Any) -> None:
        """Show the line or the rectangle, or the few points that forbid it."""
        line = box = side = None
        overlap = X[:0], X[:0]
        in_the_way = np.zeros(len(X), dtype=np.bool_)
        if self.sets == LINES:
            line = separating_line(X, y)
            if line is not None:
                side = half_plane(*line, PLANE)
        else:
            box = enclosing_rectangle(X, y)
            if box is not None:
                side = corners(box)
        if obstacle is not None:
            plus, minus = (list(group) for group in obstacle)
            if self.sets == LINES:
                overlap = X[plus], X[minus]
                in_the_way[minus if len(minus) == 1 else plus[: len(plus) == 1]] = True
            else:
                box = bounding_box(X[y > 0])
                in_the_way = (y < 0) & inside(X, box)
        self.regions.show(side)
        self.line.show(*line or (np.zeros(2), 0.0))
        self.box.show(box, fails=obstacle is not None)
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


def in_signs(y: FloatArray) -> str:
    """Write a labelling as "+ − + −"."""
    return " ".join("+" if label > 0 else "−" for label in y)


def some(words: Iterable[str], most: int = 4) -> str:
    """Join words with commas, the first few of them."""
    words = list(words)
    rest = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + rest
