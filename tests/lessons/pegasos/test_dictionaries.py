"""Pegasos on dictionaries: the steps of the package's solver, and what they cost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from kernellab.lessons.pegasos.theory.sparse_vectors import (
    as_dictionaries,
    dictionary_pegasos,
    dot,
    increment,
    multiply,
    price,
    sum_pass,
    unit_rows,
)
from kernellab.solvers.pegasos import pegasos

VECTORS = st.dictionaries(st.integers(0, 9), st.floats(-5, 5), max_size=8)


def full(v):
    array = np.zeros(10)
    array[list(v)] = list(v.values())
    return array


@given(VECTORS, VECTORS, st.floats(-3, 3))
def test_the_three_operations(a, b, scale):
    assert dot(a, b) == pytest.approx(full(a) @ full(b))
    assert dot(b, a) == pytest.approx(dot(a, b))
    total = dict(a)
    increment(total, scale, b)
    np.testing.assert_allclose(full(total), full(a) + scale * full(b))
    multiply(total, scale)
    np.testing.assert_allclose(full(total), scale * (full(a) + scale * full(b)))


class Counting(dict):
    """A dictionary that counts how often it is asked."""

    asked = 0

    def get(self, key, default=None):
        Counting.asked += 1
        return super().get(key, default)


def test_dot_goes_over_the_shorter_one():
    long, short = Counting({k: 1.0 for k in range(1000)}), Counting({3: 2.0})
    for a, b in ((long, short), (short, long)):
        Counting.asked = 0
        assert dot(a, b) == 2.0
        assert Counting.asked == 1


def sparse_problem():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 12)) * (rng.random((30, 12)) < 0.25)
    return X, np.repeat([-1.0, 1.0], 15)


@pytest.mark.parametrize("lam", [1.0, 0.01])
def test_the_steps_are_those_of_the_solver(lam):
    X, y = sparse_problem()
    order = np.random.default_rng(1).integers(0, 30, 100)
    w, cost, violations = dictionary_pegasos(as_dictionaries(X), y, lam, order)
    *_, state = pegasos(X, y, lam, orders=[order])
    np.testing.assert_allclose([w.get(j, 0.0) for j in range(12)], state.w, atol=1e-12)
    assert violations == state.n_violations
    present = np.count_nonzero(X, axis=1)[order]
    assert present.sum() / 2 < cost < (12 + 2 * present).sum()
    told = price(csr_array(X), y, lam, order)
    assert told["dictionaries"] == cost / 100
    assert told["dense rows"] == pytest.approx(12 * (2 + violations / 100))
    assert told["w = v/(λt)"] == pytest.approx(present.mean() * (1 + violations / 100))
    alpha, v = np.zeros(30), np.zeros(12)
    sum_pass(X, y, lam, alpha, v, order[:60], 0)
    sum_pass(X, y, lam, alpha, v, order[60:], 60)
    np.testing.assert_allclose(v / (lam * 100), state.w, atol=1e-12)
    np.testing.assert_array_equal(alpha, state.alpha)


def test_the_cost_by_hand():
    rows = [{0: 1.0, 1: 1.0}, {1: -3.0, 2: 1.0, 3: 1.0}]
    y = np.array([1.0, -1.0])
    # Step 1: w is empty, a violation adds 2. Step 2, λ = 1: the margin is 3, no violation; the
    # shorter vector and all of w have 2 entries each.
    w, cost, violations = dictionary_pegasos(rows, y, 1.0, np.array([0, 1]))
    assert w == {0: 0.5, 1: 0.5}
    assert (cost, violations) == (2 + (2 + 2), 1)


def test_rows_as_dictionaries():
    X, _ = sparse_problem()
    for matrix in (X, csr_array(X)):
        rows = as_dictionaries(matrix)
        assert [len(row) for row in rows] == np.count_nonzero(X, axis=1).tolist()
        for row, x in zip(rows, X, strict=True):
            assert all(row[j] == x[j] for j in row)
    explicit_zero = csr_array((np.zeros(1), [0], [0, 1]), shape=(1, 2))
    assert dot(as_dictionaries(explicit_zero)[0], {0: 1.0}) == 0


def test_unit_rows():
    X, _ = sparse_problem()
    X[4] = 0
    lengths = np.where(np.arange(30) == 4, 0, 1) * (np.count_nonzero(X, axis=1) > 0)
    dense, sparse = unit_rows(X), unit_rows(csr_array(X))
    np.testing.assert_allclose(np.linalg.norm(dense, axis=1), lengths)
    np.testing.assert_allclose(sparse.toarray(), dense)
    assert sparse.nnz == np.count_nonzero(X)
    before = csr_array(X)
    unit_rows(before)
    np.testing.assert_array_equal(before.toarray(), X)  # the caller's own is left alone
