"""Nested sets: the fewest errors against trying everything."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab.lessons.margin.theory.structural_risk import fewest_errors


def by_trying(x, y, k):
    """The fewest errors of all labellings of the different x with at most k sign changes."""
    places, group = np.unique(x, return_inverse=True)
    rates = [
        np.mean(np.array(signs)[group] != y)
        for signs in product([-1.0, 1.0], repeat=len(places))
        if np.count_nonzero(np.diff(signs)) <= k
    ]
    return min(rates)


@given(
    x=st.lists(st.integers(0, 6), min_size=2, max_size=9),
    bits=st.integers(0, 2**9 - 1),
    most=st.integers(1, 6),
)
def test_the_fewest_errors_are_the_fewest(x, bits, most):
    x = np.array(x, dtype=float)
    y = np.array([1.0 if bits >> i & 1 else -1.0 for i in range(len(x))])
    y[0], y[1] = 1.0, -1.0
    rates, signs = fewest_errors(x, y, most)
    for k in range(most + 1):
        assert rates[k] == pytest.approx(by_trying(x, y, k))
        assert np.mean(signs[k] != y) == pytest.approx(rates[k])
        order = np.argsort(x, kind="stable")
        assert np.count_nonzero(np.diff(signs[k][order])) <= k
    assert np.all(np.diff(rates) <= 0)


def test_the_dimension_of_the_sets_is_k_plus_one():
    for k in range(4):
        points = np.arange(k + 1.0)
        for signs in product([-1.0, 1.0], repeat=k + 1):
            if len(set(signs)) == 2:
                assert fewest_errors(points, signs, max(k, 1))[0][k] == 0  # shattered
        alternating = np.resize([1.0, -1.0], k + 2)
        assert fewest_errors(np.arange(k + 2.0), alternating, max(k, 1))[0][k] > 0


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: fewest_errors([0.0, 1.0], [1, -1], 0), "most"),
        (lambda: fewest_errors([0.0, 1.0], [1, 1], 1), "y must"),
    ],
)
def test_bad_input_is_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()
