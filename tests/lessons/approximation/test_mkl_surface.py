"""The map of J against LIBSVM's relatives, convexity, homogeneity, and what multiplies a kernel."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from kernellab.kernels import Gaussian, OnColumns
from kernellab.lessons.approximation.theory.mkl_surface import (
    map_of_values,
    simplex_lattice,
    weighted_svm,
)
from kernellab.solvers.mkl import mkl
from kernellab.solving import solve


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24, 3))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=24) > 0, 1.0, -1.0)
    return np.array([Gaussian(g)(X) for g in (0.1, 1.0, 10.0)]), y


def brute_force(Ks, y, C, weights):
    """The same maximum by a general optimiser over the box."""
    Q = np.outer(y, y) * np.tensordot(weights, Ks, axes=1)
    found = minimize(
        lambda a: a @ Q @ a / 2 - a.sum(), np.full(len(y), C / 2), jac=lambda a: Q @ a - 1,
        bounds=[(0, C)] * len(y), method="L-BFGS-B", options={"maxiter": 10_000, "ftol": 1e-14},
    )  # fmt: skip
    return -found.fun


@pytest.mark.parametrize("weights", [(1, 0, 0), (0.2, 0.3, 0.5), (0, 2.0, 1.0)])
@pytest.mark.parametrize("C", [0.3, 5.0])
def test_value_and_slope(problem, weights, C):
    Ks, y = problem
    weights = np.array(weights, dtype=float)
    svm = weighted_svm(Ks, y, C, weights, gap=1e-8)
    assert svm.value == pytest.approx(brute_force(Ks, y, C, weights), rel=1e-5)
    assert svm.gap <= 1e-8
    h = 1e-4
    for m in range(3):
        step = h * np.eye(3)[m]
        rise = brute_force(Ks, y, C, weights + step) - svm.value
        assert rise / h == pytest.approx(-svm.q[m] / 2, rel=0.02, abs=0.05)


def test_the_map_is_convex_and_lowest_where_mkl_ends(problem):
    Ks, y = problem
    lattice = simplex_lattice(8)
    values = map_of_values(Ks, y, 2.0, lattice, gap=1e-6)
    best = solve(mkl(Ks, y, 2.0), gap=1e-6)
    assert values.min() >= best.dual - 1e-6
    assert values.min() <= best.primal * 1.01
    where = {
        tuple(np.round(row * 8).astype(int)): v for row, v in zip(lattice, values, strict=True)
    }
    for (a, b, c), value in where.items():
        if a >= 1 and b >= 1:  # a point and its two neighbours along an edge
            ends = where[a - 1, b + 1, c], where[a + 1, b - 1, c]
            assert value <= sum(ends) / 2 + 1e-4 * value


@pytest.mark.parametrize("p", [1.0, 2.0])
def test_only_proportions_count(problem, p):
    Ks, y = problem
    few = np.array([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]])
    first, second = (map_of_values(Ks, y, 1.0, s * few, p=p, gap=1e-8) for s in (1.0, 7.0))
    np.testing.assert_allclose(first, second, rtol=1e-6)
    eta = few[0] / np.linalg.norm(few[0], p)
    assert first[0] == pytest.approx(weighted_svm(Ks, y, 1.0, eta, gap=1e-8).value, rel=1e-6)


def test_the_lattice():
    lattice = simplex_lattice(5)
    assert lattice.shape == (21, 3)
    assert len(np.unique(lattice, axis=0)) == 21
    np.testing.assert_allclose(lattice.sum(axis=1), 1.0)
    steps = np.abs(np.diff(lattice, axis=0)).sum(axis=1)
    assert steps.max() < 0.5  # neighbours follow one another


def test_bad_arguments(problem):
    Ks, y = problem
    with pytest.raises(ValueError, match="weights"):
        weighted_svm(Ks, y, 1.0, [-1.0, 1.0, 1.0])
    with pytest.raises(ValueError, match="weights"):
        weighted_svm(Ks, y, 1.0, [1.0, 1.0])
    with pytest.raises(ValueError, match="directions"):
        map_of_values(Ks, y, 1.0, [[0.0, 0.0, 0.0]])
    with pytest.raises(ValueError, match="directions"):
        map_of_values(Ks, y, 1.0, [[1.0, 0.0]])
    with pytest.raises(ValueError, match="p must"):
        map_of_values(Ks, y, 1.0, [[1.0, 0.0, 0.0]], p=0.5)


# --- a kernel of some columns ---------------------------------------------------------------------


@pytest.mark.parametrize("columns", [(), (0, 0), (-1,), (0.5,), "ab", ((0, 1),)])
def test_columns_are_checked(columns):
    with pytest.raises(ValueError, match="columns"):
        OnColumns(Gaussian(1.0), columns)


def test_too_few_features():
    with pytest.raises(ValueError, match="more than 4 features"):
        OnColumns(Gaussian(1.0), (4,))(np.zeros((3, 4)))
