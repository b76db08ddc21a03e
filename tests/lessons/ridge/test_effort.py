"""What a right answer takes: counts of systems and bytes, by answers whose counts are known."""

from __future__ import annotations

import sys
import tracemalloc

import numpy as np
import pytest
import scipy.linalg

from kernellab.exercises.exercise import FunctionExercise
from kernellab.lessons.ridge.exercises.effort import count_factorizations, peak_memory

CASE = {"A": np.eye(4) + 1, "b": np.ones(4)}


def by_columns(A, b):
    return [np.linalg.solve(A, e) for e in np.eye(len(b))]


def cholesky_once(A, b):
    factor = scipy.linalg.cho_factor(A)
    return [scipy.linalg.cho_solve(factor, e) for e in np.eye(len(b))]


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        (lambda A, b: A @ b, 0),
        (lambda A, b: np.linalg.norm(A) * b, 0),
        (lambda A, b: np.linalg.solve(A, b), 1),
        (lambda A, b: np.linalg.pinv(A) @ b, 1),
        (lambda A, b: scipy.linalg.solve(A, b), 1),
        (lambda A, b: np.linalg.eigh(A)[0] + scipy.linalg.eigh(A)[0], 2),
        (cholesky_once, 1),
        (by_columns, 4),
    ],
)
def test_matrices_taken_apart_are_counted(answer, count):
    before = sys.getprofile()
    assert count_factorizations(answer, CASE) == count
    assert sys.getprofile() is before


def solve(A, b):
    return A @ b


def test_a_function_of_the_students_with_such_a_name_is_not_counted():
    assert count_factorizations(solve, CASE) == 0


def test_an_error_on_the_way_is_no_error_of_ours():
    assert count_factorizations(lambda A, b: np.linalg.solve(A, b[:2]), CASE) == 1
    assert peak_memory(lambda A, b: 1 / 0, CASE) < 10_000


def test_memory_is_that_of_the_largest_moment():
    case = {"x": np.zeros(500)}
    assert peak_memory(lambda x: x.sum(), case) < 40_000
    assert peak_memory(lambda x: np.mean((x[:, None] - x) ** 2), case) >= 8 * 500**2


def test_somebody_else_who_counts_is_left_alone():
    tracemalloc.start()
    try:
        assert peak_memory(lambda x: x + 1, {"x": np.zeros(500)}) == 0
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("remark", "said"), [("it takes long.", "Yes.\nOne thing: it takes long."), (None, "Yes.")]
)
def test_a_remark_follows_a_right_answer_only(remark, said):
    exercise = FunctionExercise(
        "same",
        "Return x.",
        ["?", "?", "x"],
        "Yes.",
        cases=lambda rng: ({"x": float(k)} for k in range(5)),
        solution=lambda x: x,
        remark=lambda answer: remark,
    )
    right = exercise.verdict(lambda x: x)
    assert right.correct
    assert right.text == f"✓ same: correct (5 examples, seed 0).\n{said}"
    assert "One thing" not in exercise.verdict(lambda x: x + 1).text
