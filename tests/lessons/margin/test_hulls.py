"""Convex hulls in the plane, and points that two of them share, against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab.datasets import make_contradiction, make_xor
from kernellab.lessons.margin.theory.hulls import common_point, convex_hull
from kernellab.solvers.hard_margin import hard_margin
from kernellab.solving import CONVERGED

grid_points = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=2, max_size=9
).map(lambda points: np.array(points, dtype=float))


@given(X=grid_points)
def test_every_point_lies_on_the_left_of_every_side(X):
    corners = convex_hull(X)
    assert {*map(tuple, corners)} <= {*map(tuple, X)}
    if len(corners) > 2:
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            turns = (b[0] - a[0]) * (X[:, 1] - a[1]) - (b[1] - a[1]) * (X[:, 0] - a[0])
            assert turns.min() >= 0
    else:
        assert np.linalg.matrix_rank(X - X[0]) == len(corners) - 1


def test_points_on_a_line_and_one_point():
    line = np.array([[0, 0], [2, 2], [1, 1], [0, 0]])
    assert convex_hull(line).tolist() == [[0, 0], [2, 2]]
    assert convex_hull([[3.0, 4.0]] * 3).tolist() == [[3.0, 4.0]]


@given(X=grid_points, bits=st.integers(0, 2**9 - 1))
def test_hulls_share_a_point_or_a_line_separates_them(X, bits):
    y = np.array([1.0 if bits >> i & 1 else -1.0 for i in range(len(X))])
    y[0], y[1] = 1.0, -1.0
    shared = common_point(X, y)
    assert (shared is None) == (hard_margin(X, y).status == CONVERGED)
    if shared is not None:
        point, u = shared
        assert u.min() >= 0
        assert u[y > 0].sum() == pytest.approx(1) and u[y < 0].sum() == pytest.approx(1)
        np.testing.assert_allclose((u * y) @ X, 0, atol=1e-5)
        np.testing.assert_allclose(u[y < 0] @ X[y < 0], point, atol=1e-5)


def test_the_dual_has_no_top_where_they_meet():
    for data in (make_xor(), make_contradiction()):
        _, u = common_point(data.X, data.y)
        for s in (1.0, 100.0):
            w = (s * u * data.y) @ data.X
            assert (s * u).sum() - w @ w / 2 == pytest.approx(2 * s)


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="X must lie in the plane"):
        convex_hull(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="y must hold"):
        common_point([[0.0, 1.0], [1.0, 0.0]], [1, 1])
