"""Nested sets: the fewest errors against trying everything, and the bounds against their limits."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab.lessons.margin.theory.structural_risk import (
    fewest_errors,
    margin_dimension,
    vc_confidence,
)


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


def test_the_confidence_term_by_hand():
    expected = np.sqrt((4 * (np.log(2 * 400 / 4) + 1) + np.log(4 / 0.05)) / 400)
    assert vc_confidence(4, 400, 0.05) == pytest.approx(expected)
    assert expected == pytest.approx(0.2719, abs=1e-4)  # √(29.575 / 400)
    assert np.all(np.diff(vc_confidence(np.arange(1, 400), 400)) > 0)
    assert vc_confidence(4, 40_000) < 0.1 * vc_confidence(4, 100)


def test_the_bound_holds_for_sets_that_can_be_counted():
    # Promised for 95 % of all draws; it is so loose that it holds in each of these 20.
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x = rng.uniform(size=200)
        y = np.where(x > 0.5, 1.0, -1.0) * rng.choice([1.0, -1.0], 200, p=[0.8, 0.2])
        rates, signs = fewest_errors(x, y, 6)
        order = np.argsort(x)
        new = rng.uniform(size=4000)
        new_y = np.where(new > 0.5, 1.0, -1.0) * rng.choice([1.0, -1.0], 4000, p=[0.8, 0.2])
        near = np.searchsorted(x[order], new).clip(0, 199)
        for k in range(7):
            assert np.mean(signs[k][order][near] != new_y) <= rates[k] + vc_confidence(k + 1, 200)


def test_the_dimension_of_wide_margins():
    assert margin_dimension(1.0, 0.3, 1000) == 12
    assert margin_dimension(1.0, 0.01, 64) == 65
    assert margin_dimension(2.0, [2.0, 1.0, 0.1], 5).tolist() == [2, 5, 6]


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: vc_confidence(0, 10), "h must be from 1"),
        (lambda: vc_confidence(11, 10), "h must be from 1"),
        (lambda: vc_confidence(1, 10, 1.0), "delta"),
        (lambda: margin_dimension(1.0, 0.0, 2), "half_margin"),
        (lambda: margin_dimension(-1.0, 1.0, 2), "radius"),
        (lambda: margin_dimension(1.0, 1.0, 0), "d must"),
        (lambda: fewest_errors([0.0, 1.0], [1, -1], 0), "most"),
        (lambda: fewest_errors([0.0, 1.0], [1, 1], 1), "y must"),
    ],
)
def test_bad_input_is_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()
