"""What a right answer takes: counts of systems and bytes, by answers whose counts are known."""

from __future__ import annotations

import sys
import tracemalloc

import numpy as np
import pytest
import scipy.linalg

from kernellab.lessons.ridge.exercises.effort import count_factorizations, peak_memory

CASE = {"A": np.eye(4) + 1, "b": np.ones(4)}


def by_columns(A, b):
    return [np.linalg.solve(A, e) for e in np.eye(len(b))]


def solve(A, b):
    return A @ b  # a student's own, which is not counted


def cholesky_once(A, b):
    factor = scipy.linalg.cho_factor(A)
    return [scipy.linalg.cho_solve(factor, e) for e in np.eye(len(b))]


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        (solve, 0),
        (lambda A, b: np.linalg.solve(A, b), 1),
        (lambda A, b: np.linalg.eigh(A)[0] + scipy.linalg.eigh(A)[0], 2),
        (cholesky_once, 1),
        (by_columns, 4),
    ],
)
def test_matrices_taken_apart_are_counted(answer, count):
    before = sys.getprofile()
    assert count_factorizations(answer, CASE) == count
    assert sys.getprofile() is before


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
