"""Shattering: which labellings of a few points in the plane a line, or a rectangle, can make.

A set of points is shattered by a class of sets if every one of its 2ⁿ labellings can be made: the
points labelled +1 on one side of a line, or inside a rectangle, and the others not. A labelling
fails because of a few points only, at most four for lines and five for rectangles. Those obstacles
are found once for a placement, and each is the proof that the labellings which contain it fail.
Taught in notebook 01.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernellab.validation import FloatArray, check_labels, check_positive_integer, check_vectors

LINES = "lines"
RECTANGLES = "rectangles"

MOST_POINTS = 12
"""More points than this have more labellings than anyone wants to see."""

THIN = 1e-14
"""An area or a distance below this part of the largest possible one may be rounding of X alone."""

LETTERS = "ABCDEFGHIJKL"

Box = tuple[float, float, float, float]  # left, right, bottom, top


class Obstacle(NamedTuple):
    """A few points that no set of the class divides so: `plus` labelled +1, `minus` −1.

    Both are indices. For lines the convex hulls of the two share a point; for rectangles the
    smallest one round `plus` holds `minus`.
    """

    plus: tuple[int, ...]
    minus: tuple[int, ...]

    def blocks(self, Y: FloatArray) -> NDArray[np.bool_]:
        """Say which labellings, the rows of Y, contain this obstacle."""
        held = (Y[..., self.plus] > 0).all(axis=-1) & (Y[..., self.minus] < 0).all(axis=-1)
        return np.asarray(held)


def labellings(n: int) -> FloatArray:
    """Return all labellings of n points: those of the last point change fastest, −1 before +1.

    Parameters
    ----------
    n : int
        At most 12.

    Returns
    -------
    array of shape (2ⁿ, n)
        −1.0 and +1.0.

    Raises
    ------
    ValueError
        If n is not such an integer.
    """
    n = check_positive_integer(n, "n")
    if n > MOST_POINTS:
        raise ValueError(f"n must be at most {MOST_POINTS}, got {n}: that is {2**n} labellings")
    bits = np.arange(2**n)[:, np.newaxis] >> np.arange(n)[::-1]
    return (2 * (bits & 1) - 1).astype(np.float64)


def obstacles(X: Any, sets: str = LINES) -> list[Obstacle]:
    """Return the smallest groups of points that the class cannot divide in some way.

    Parameters
    ----------
    X : array of shape (n, 2)
        Points; they may coincide or lie on one line.
    sets : str
        "lines" (open half-planes: no point on the line itself) or "rectangles" (axis-aligned).

    Returns
    -------
    list of Obstacle
        A labelling can be made if and only if it contains none of them. Smaller ones come first.

    Raises
    ------
    ValueError
        If X is not a set of points in the plane, or sets is not a known name.

    Notes
    -----
    Lines: a labelling fails if and only if the convex hulls of its two classes meet, and then those
    of at most four of the points do (Kirchberger 1903). Four points have weights λ that are not all
    zero with Σ λ_i = 0 and Σ λ_i x_i = 0, and the points with λ > 0 and with λ < 0 have hulls that
    meet (Radon 1921). Rectangles: a labelling fails if and only if the smallest rectangle round the
    points labelled +1 holds one labelled −1. Taught in notebook 01.
    """
    X = _check_points(X)
    return list(_known(sets)(X))


def realisable(X: Any, sets: str = LINES) -> NDArray[np.bool_]:
    """Say for every labelling of the points whether the class can make it.

    Parameters
    ----------
    X : array of shape (n, 2)
        At most 12 points.
    sets : str
        "lines" or "rectangles".

    Returns
    -------
    array of shape (2ⁿ,)
        In the order of `labellings(n)`. All true: the points are shattered.

    Raises
    ------
    ValueError
        As for `obstacles`, and for more than 12 points.
    """
    X = _check_points(X)
    Y = labellings(len(X))
    possible = np.ones(len(Y), dtype=np.bool_)
    for obstacle in obstacles(X, sets):
        possible &= ~obstacle.blocks(Y)
    return possible


def why_not(X: Any, y: Any, sets: str = LINES) -> Obstacle | None:
    """Return a smallest obstacle in one labelling; None if the class can make it.

    Parameters
    ----------
    X : array of shape (n, 2)
    y : array of shape (n,)
        Labels −1 or +1; one of the two may be absent.
    sets : str
        "lines" or "rectangles".

    Raises
    ------
    ValueError
        For bad X, y or sets.
    """
    X = _check_points(X)
    y = check_labels(y, len(X), both=False)
    return next((obstacle for obstacle in obstacles(X, sets) if obstacle.blocks(y)), None)


def in_words(obstacle: Obstacle, sets: str = LINES, names: str = LETTERS) -> str:
    """Say why an obstacle is one: "the segments AC and BD cross".

    Parameters
    ----------
    obstacle : Obstacle
    sets : str
        The class it is an obstacle for.
    names : str
        What to call the points: one character each.

    Raises
    ------
    ValueError
        If sets is not a known name.
    """
    _known(sets)
    plus, minus = ("".join(names[i] for i in group) for group in obstacle)
    few, many = sorted((plus, minus), key=len)
    if len(plus) == len(minus) == 1:
        return f"{few} and {many} are at the same place"
    if sets == RECTANGLES:
        return f"the smallest rectangle round {' and '.join(plus)} holds {minus} too"
    if len(many) == 3:
        return f"{few} is inside the triangle {many}"
    return (
        f"{few} is between {many[0]} and {many[1]}"
        if len(few) == 1
        else (f"the segments {plus} and {minus} cross")
    )


# --- lines ----------------------------------------------------------------------------------------


def _line_obstacles(X: FloatArray) -> Iterator[Obstacle]:
    """Radon's partitions of two, three and four points, those without a smaller one inside."""
    size = np.abs(X).max()
    thin = THIN * size  # of a distance …
    thin_area = thin * np.ptp(X, axis=0).max()  # … and of an area
    points = X.tolist()  # plain numbers: for so few, arrays would cost more than the arithmetic
    found: list[set[int]] = []
    for k in (2, 3, 4):
        for group in combinations(range(len(X)), k):
            if any(smaller <= set(group) for smaller in found):
                continue
            lam = _dependence([points[i] for i in group], thin if k == 2 else thin_area)
            if lam is not None:
                found.append(set(group))
                above = tuple(i for i, weight in zip(group, lam, strict=True) if weight > 0)
                below = tuple(i for i, weight in zip(group, lam, strict=True) if weight < 0)
                yield Obstacle(above, below)
                yield Obstacle(below, above)


Point = list[float]


def _dependence(group: list[Point], thin: float) -> tuple[float, ...] | None:
    """Weights λ with Σ λ = 0 and Σ λ x = 0, none of them zero, if there are any.

    No smaller group of these points may have such weights.
    """
    match group:
        case a, b:
            same = max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= thin
            return (1.0, -1.0) if same else None
        case a, b, c:
            if abs(_area(a, b, c)) > thin:
                return None
            spread = [max(a[k], b[k], c[k]) - min(a[k], b[k], c[k]) for k in (0, 1)]
            k = 0 if spread[0] >= spread[1] else 1  # they keep their order on the longer axis
            return b[k] - c[k], c[k] - a[k], a[k] - b[k]
        case a, b, c, d:  # Cramer's rule: the weight of each is the area of the other three
            return _area(b, c, d), -_area(a, c, d), _area(a, b, d), -_area(a, b, c)
    raise AssertionError("a group has two, three or four points")


def _area(a: Point, b: Point, c: Point) -> float:
    """Twice the area of a triangle; positive if a, b, c turn to the left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def separating_line(X: Any, y: Any) -> tuple[FloatArray, float] | None:
    """Return the line with the widest margin, w·x + b = 0; None if no line makes the labelling.

    Parameters
    ----------
    X : array of shape (n, 2)
    y : array of shape (n,)
        Labels −1 or +1. If one of the two is absent, the line passes beside all points.

    Returns
    -------
    w : array of shape (2,)
    b : float
        y_i (w·x_i + b) ≥ 1 for all i; with both labels, equality for the closest ones.

    Raises
    ------
    ValueError
        For bad X or y.

    Notes
    -----
    The line halves, at a right angle, the shortest segment from the hull of one class to that of
    the other, which starts or ends in an example. Taught in notebooks 01 and 02.
    """
    X = _check_points(X)
    y = check_labels(y, len(X), both=False)
    if why_not(X, y, LINES) is not None:
        return None
    if (y == y[0]).all():
        gap = 0.1 * (np.ptp(X, axis=0).max() or 1.0)
        edge = X[:, 1].min() - gap if y[0] > 0 else X[:, 1].max() + gap
        return np.array([0.0, 1.0 / gap]), float(-edge / gap)
    p, q = min(
        (_closest(X[y > 0], X[y < 0]), _closest(X[y < 0], X[y > 0])[::-1]),
        key=lambda ends: float(np.linalg.norm(ends[0] - ends[1])),
    )
    w = 2 * (p - q) / ((p - q) @ (p - q))
    return w, float(-w @ (p + q) / 2)


def _closest(points: FloatArray, corners: FloatArray) -> tuple[FloatArray, FloatArray]:
    """One of the points, and the nearest to it on a segment between two corners (or one)."""
    pairs = np.array(list(combinations_with_replacement(corners, 2)))
    start, along = pairs[:, 0], pairs[:, 1] - pairs[:, 0]
    squared = np.maximum((along**2).sum(axis=1), np.finfo(np.float64).tiny)
    t = np.clip(((points[:, np.newaxis] - start) * along).sum(axis=2) / squared, 0.0, 1.0)
    feet = start + t[:, :, np.newaxis] * along
    distance = np.linalg.norm(points[:, np.newaxis] - feet, axis=2)
    i, j = np.unravel_index(distance.argmin(), distance.shape)
    nearest: FloatArray = points[i]
    return nearest, feet[i, j]


# --- rectangles -----------------------------------------------------------------------------------


def _rectangle_obstacles(X: FloatArray) -> Iterator[Obstacle]:
    """Each point with the smallest groups of the others, at most four, whose rectangle holds it."""
    held: dict[tuple[int, ...], NDArray[np.bool_]] = {(): np.zeros(len(X), dtype=np.bool_)}
    for k in range(1, 5):
        for plus in combinations(range(len(X)), k):
            held[plus] = inside(X, bounding_box(X[list(plus)]))
            already = np.any([held[part] for part in combinations(plus, k - 1)], axis=0)
            for i in np.flatnonzero(held[plus] & ~already):
                if i not in plus:
                    yield Obstacle(plus, (int(i),))


def bounding_box(X: FloatArray) -> Box:
    """Return left, right, bottom and top of the smallest rectangle round points, shape (n, 2)."""
    (left, bottom), (right, top) = X.min(axis=0).tolist(), X.max(axis=0).tolist()
    return left, right, bottom, top


def inside(X: FloatArray, box: Box) -> NDArray[np.bool_]:
    """Say which points, shape (n, 2), a rectangle holds; its border belongs to it."""
    left, right, bottom, top = box
    x1, x2 = X.T
    return np.asarray((left <= x1) & (x1 <= right) & (bottom <= x2) & (x2 <= top))


def enclosing_rectangle(X: Any, y: Any) -> Box | None:
    """Return a rectangle round the points labelled +1 and no other; None if there is none.

    Parameters
    ----------
    X : array of shape (n, 2)
    y : array of shape (n,)
        Labels −1 or +1. With no +1 the rectangle stands beside all points.

    Returns
    -------
    left, right, bottom, top : float
        The smallest rectangle, widened by up to half the way to the nearest other point.

    Raises
    ------
    ValueError
        For bad X or y.
    """
    X = _check_points(X)
    y = check_labels(y, len(X), both=False)
    room = 0.1 * (float(np.ptp(X, axis=0).max()) or 1.0)
    if (y < 0).all():
        _, right, _, top = bounding_box(X)
        return right + room, right + 2 * room, top + room, top + 2 * room
    left, right, bottom, top = bounding_box(X[y > 0])
    if (y < 0).any():
        x1, x2 = X[y < 0].T
        outside = np.max([left - x1, x1 - right, bottom - x2, x2 - top], axis=0)
        if outside.min() <= 0:
            return None
        room = min(room, float(outside.min()) / 2)
    return left - room, right + room, bottom - room, top + room


# --- what both share ------------------------------------------------------------------------------

_OBSTACLES: dict[str, Callable[[FloatArray], Iterator[Obstacle]]] = {
    LINES: _line_obstacles,
    RECTANGLES: _rectangle_obstacles,
}


def _known(sets: str) -> Callable[[FloatArray], Iterator[Obstacle]]:
    if sets not in _OBSTACLES:
        known = ", ".join(map(repr, _OBSTACLES))
        raise ValueError(f"sets must be one of {known}, got {sets!r}")
    return _OBSTACLES[sets]


def _check_points(X: Any) -> FloatArray:
    points = check_vectors(X)
    if points.shape[1] != 2:
        raise ValueError(f"X must hold points in the plane, shape (n, 2), got shape {points.shape}")
    return points
