"""The exercise of notebook 00: which one number lifts four corners apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng
from kernellab.exercises.exercise import Case, FunctionExercise, as_numbers, number_words
from kernellab.validation import FloatArray

__all__ = ["lift_corners"]


def corner_cases(rng: Rng) -> Iterator[Case]:
    """Return the corners of a square, then with some farther out or between others, then any."""
    corners = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
    far = np.array([[3.0, 1.0], [3.0, 1.0], [1.0, 1.0], [1.0, 1.0]])
    for scale in (1.0, far[::-1], far):
        yield {"X": corners * scale}
    yield {"X": np.array([[1.0, 1], [-1, -1], [3, -1], [-1, 3], [-3, 1], [1, -3]])}
    for n in (1, 1, 2, 2, 3):
        yield {"X": np.concatenate([corners * rng.integers(1, 4, (4, 2)) for _ in range(n)])}


def can_be_parted(Z: FloatArray, y: FloatArray) -> bool:
    """Say whether a plane has all points Z (n, d) of the class +1 on one side, −1 on the other."""
    from scipy.optimize import linprog  # here, for the first figure of a page does without

    rows = -y[:, np.newaxis] * np.column_stack([Z, np.ones(len(Z))])
    found = linprog(np.zeros(rows.shape[1]), rows, -np.ones(len(Z)), bounds=(None, None))
    return bool(found.status == 0)


def misshapen(value: Any, n: int, *, finite: bool = True) -> str | None:
    """Say what keeps a value from being a number for each of n points; None if nothing does."""
    heights = as_numbers(value)
    if heights is None:
        return f"expected one number for each point, shape ({n},)"
    if heights.shape == (n,):
        return "expected finite numbers" if finite and not np.isfinite(heights).all() else None
    advice = {
        (): "\nThat is one number for all points.",
        (2,): "\nX[0] is the first point. X[:, 0] is the first feature of every point.",
        (n, 1): "\nThat is a column. X[:, 0] has the shape (n,), X[:, :1] has (n, 1).",
        (n, 2): "\nThat is two numbers for each point. Make one of them.",
    }.get(heights.shape, "")
    return f"expected one number for each point, shape ({n},), not {heights.shape}{advice}"


def judge(case: Case, value: Any) -> str | None:
    """Lift the points by the numbers, and look for a flat sheet between the classes."""
    X = case["X"]
    if complaint := misshapen(value, len(X)):
        return f"{complaint}\nyours    {number_words(value)}"
    heights, y = np.asarray(value, dtype=float), np.sign(X[:, 0] * X[:, 1])
    if can_be_parted(np.column_stack([X, heights]), y):
        return None
    circles, squares = (number_words(heights[y == side], brief=True) for side in (1, -1))
    heights_of_both = f"heights of the circles  {circles}\nheights of the squares  {squares}"
    return f"{heights_of_both}\nNo flat sheet separates them."


lift_corners = FunctionExercise(
    "lift_corners",
    "Circles at the upper right and lower left of (0, 0), squares at the upper left and lower "
    "right. Given X (n, 2), return one number for each point, shape (n,), so that a flat sheet in "
    "the space of (x₁, x₂, your number) has all circles on one side and all squares on the other.",
    [
        "At (1, 1) and (−1, −1) are circles, at (1, −1) and (−1, 1) squares, all equally far out. "
        "What is the same in the first two, and different in the other two?",
        "The sign. Which calculation with two numbers tells whether their signs agree?",
        "X[:, 0] * X[:, 1]",
    ],
    "The square of the distance bends a line round the middle, a number with the sign of x₁·x₂ "
    "bends it between corners. The plain product does it smoothly, without a step: try it too, if "
    "yours is another.",
    cases=corner_cases,
    solution=lambda X: X[:, 0] * X[:, 1],
    judge=judge,
    misconceptions=[
        ("the lift of the ring",
         "That lift separates near from far. Here circles and squares lie equally far out.",
         lambda X: (X**2).sum(axis=1)),
        *(("the distance", "Here circles and squares lie equally far out, however you measure it.",
           lambda X, order=order: np.linalg.norm(X, order, axis=1)) for order in (1, 2, np.inf)),
        ("a sum of the features",
         "The sheet has x₁ and x₂ already: their sum or difference offers nothing new.",
         lambda X: X[:, 0] + X[:, 1]),
        *(("a sum of the features", "The sheet has x₁ and x₂ already.", one) for one in (
            lambda X: X[:, 0] - X[:, 1], lambda X: X[:, 0], lambda X: X[:, 1])),
        ("the square of a sum or difference",
         "It is the product and both squares. With them a far square, such as (3, −1), lies as "
         "high as a near circle.", lambda X: (X[:, 0] + X[:, 1]) ** 2),
        ("the square of a sum or difference",
         "It is the product and both squares, and they lift far points of both classes.",
         lambda X: (X[:, 0] - X[:, 1]) ** 2),
        ("the size of a sum or difference", "A far square, such as (3, −1), gets what a near "
         "circle gets.", lambda X: np.abs(X[:, 0] + X[:, 1])),
        ("the size of a sum or difference", "A far circle, such as (3, 1), gets what a near "
         "square gets.", lambda X: np.abs(X[:, 0] - X[:, 1])),
        *(("one corner alone",
           "The other circle lies between two squares, such as (−3, 1) and (1, −3), and no higher.",
           one) for one in (
               lambda X: (X[:, 0] > 0) & (X[:, 1] > 0),
               lambda X: np.maximum(X[:, 0], 0) * np.maximum(X[:, 1], 0))),
        ("the product without its sign", "The sign of the product is what tells the corners apart.",
         lambda X: np.abs(X[:, 0] * X[:, 1])),
        ("the product of the squares", "A square loses the sign, and the sign is all that differs.",
         lambda X: (X[:, 0] * X[:, 1]) ** 2),
        *(("one feature alone", "One feature has the same sign in a circle and in a square.",
           lambda X, i=i, size=size: size(X[:, i]))
          for i in (0, 1) for size in (np.square, np.abs, np.sign)),
        *(("a difference of sizes",
           "It separates left and right from above and below: your corners, turned by 45°.",
           lambda X, size=size: size(X[:, 0]) - size(X[:, 1]))
          for size in (np.square, np.abs)),
        ("one product of all points",
         "X[:, 0] @ X[:, 1] is one number for all points; * gives each its own.",
         lambda X: X[:, 0] @ X[:, 1]),
    ],
    shapes="X[:, 0] and X[:, 1] are (n,), a number for each point.",
)  # fmt: skip
