"""The exercise of notebook 00: what its check must accept, and what it must name."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab.exercises.exercise import OTHER_SHAPE
from kernellab.exercises.running import NOT_FILLED_IN, RAISES
from kernellab.lessons.start.exercises import can_be_parted, lift_corners


def by_loop(X):
    return [x1 * x2 for x1, x2 in X]


def stub(X):
    raise NotImplementedError("your turn")


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(
    "answer",
    [
        by_loop,
        lambda X: -5 * X[:, 0] * X[:, 1] + 2,
        lambda X: np.sign(X).prod(axis=1),
        lambda X: X[:, 0] * X[:, 1] + X[:, 0],  # a flat sheet takes the feature away again
        lambda X: (X[:, 0] > 0) == (X[:, 1] > 0),
        lambda X: np.abs(X.sum(axis=1)) - np.abs(X[:, 0] - X[:, 1]),
    ],
)
def test_every_lift_that_parts_them_is_right(answer, seed):
    assert lift_corners.verdict(answer, seed=seed).correct


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(
    ("answer", "name"),
    [
        *((one.answer, one.name) for one in lift_corners.misconceptions),
        (lambda X: np.sum(X**2, axis=-1), "the lift of the ring"),
        (lambda X: (X[:, 0] * X[:, 1])[:, np.newaxis], OTHER_SHAPE),
        (lambda X: X.prod(), None),
        (lambda X: X[:, 2], RAISES),
        (lambda X: "up", None),
        (lambda X: np.full(len(X), np.nan), None),
        (stub, NOT_FILLED_IN),
    ],
)
def test_a_wrong_lift_is_named(answer, name, seed):
    verdict = lift_corners.verdict(answer, seed=seed)
    assert not verdict.correct
    assert verdict.misconception == name


def test_the_smallest_example_is_shown():
    text = lift_corners.verdict(lambda X: (X**2).sum(axis=1)).text
    assert "heights of the circles  [2, 2]\n" in text
    assert "Example 1 of 9" in text
    assert "Example 2 of 9" in lift_corners.verdict(lambda X: (X[:, 0] + X[:, 1]) ** 2).text


def test_a_can_be_parted_is_found_where_there_is_one():
    corners = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    assert can_be_parted(corners, np.array([-1.0, 1.0, 1.0, 1.0]))  # OR
    assert not can_be_parted(corners, np.array([-1.0, -1.0, 1.0, 1.0]))  # XOR
