"""The exact paths α(C), against the solver, against their KKT conditions, and where they fail."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernellab.certificates import nu, svm_certificate
from kernellab.kernels import Gaussian, Linear
from kernellab.lessons.margin.theory import c_path as module
from kernellab.lessons.margin.theory.c_path import EXACT, SAMPLED, CPath, alpha_path, straight_piece
from kernellab.solvers.smo import smo
from kernellab.solving import solve

X5 = np.array([[-0.8], [1.4], [1.8], [0.2], [-0.2]])
Y5 = np.array([1.0, 1.0, -1.0, -1.0, -1.0])


def counts(K, y, alpha):
    margins = y * (K @ (alpha * y))
    return int((alpha > 1e-9).sum()), int((margins < 1 - 1e-9).sum())


@pytest.mark.parametrize("seed", range(12))
def test_the_solver_finds_the_same(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    X = rng.normal(size=(n, 2))
    y = np.append([1.0, -1.0], rng.choice([-1.0, 1.0], n - 2))
    K = Gaussian(1.0)(X)
    path = alpha_path(K, y, 50.0)
    assert path.status == EXACT
    for C in rng.uniform(0.05, 50, 4):
        answer = solve(smo(K, y, C, bias=False, gap=1e-10), gap=1e-10, max_passes=50_000)
        np.testing.assert_allclose(K @ (y * path.at(C)), K @ (y * answer.alpha), atol=1e-4)


@settings(max_examples=40)
@given(
    x=st.lists(st.integers(-8, 8), min_size=2, max_size=9),
    bits=st.integers(0, 2**9 - 1),
    C=st.floats(0.02, 90),
)
def test_it_meets_the_kkt_conditions_at_every_cost(x, bits, C):
    X = np.array(x, dtype=float)[:, np.newaxis] / 3
    y = np.array([1.0 if bits >> i & 1 else -1.0 for i in range(len(x))])
    y[0], y[1] = 1.0, -1.0
    K = Gaussian(1.0)(X)
    path = alpha_path(K, y, 100.0)
    alpha = path.at(C)
    assert alpha.min() >= 0 and alpha.max() <= C
    if path.status == EXACT:  # points may coincide, with equal or with different labels
        assert svm_certificate(K, y, alpha, C).kkt <= 1e-5
        errors = counts(K, y, alpha)[1]
        assert errors / len(y) - 1e-9 <= nu(alpha, C) <= (alpha > 1e-9 * C).mean() + 1e-6


def test_it_is_linear_between_its_bends_and_at_c_before_the_first():
    path = alpha_path(Gaussian(1.0)(X5), Y5, 100.0)
    assert path.at(0.3 * path.C[0]) == pytest.approx(np.full(5, 0.3 * path.C[0]))
    for k in range(len(path.C) - 1):
        middle = path.at((path.C[k] + path.C[k + 1]) / 2)
        np.testing.assert_allclose(middle, (path.alpha[k] + path.alpha[k + 1]) / 2, atol=1e-12)
    costs = np.array([0.5, 3.0, 50.0])
    np.testing.assert_array_equal(path.at(costs), np.stack([path.at(C) for C in costs]))


def test_the_equations_of_a_straight_piece():
    Q = Gaussian(1.0)(X5) * np.outer(Y5, Y5)
    at_C = np.array([True, False, True, False, False])
    free = np.array([False, True, False, True, False])
    start, slope = straight_piece(Q, at_C, free)
    for C in (0.7, 2.0):
        alpha = start + slope * C
        np.testing.assert_allclose((Q @ alpha)[free], 1.0)
        np.testing.assert_allclose(alpha[at_C], C)
        assert alpha[4] == 0


def test_a_matrix_without_full_rank():
    # A linear kernel of rank one: α is not unique, whatever the points are.
    X = np.array([[1.0], [1.0], [2.0], [-1.0], [-1.0], [-3.0]])
    y = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
    K = Linear()(X)
    path = alpha_path(K, y, 10.0)
    for C in path.C:
        assert svm_certificate(K, y, path.at(C), C).gap < 1e-6


@pytest.mark.parametrize("wrong", [None, CPath(np.array([50.0]), np.full((1, 5), 1.0), EXACT)])
def test_where_the_bends_cannot_be_followed_it_says_so(monkeypatch, wrong):
    monkeypatch.setattr(module, "_follow", lambda Q, C_max: wrong)
    K = Gaussian(1.0)(X5)
    path = alpha_path(K, Y5, 50.0)
    assert path.status == SAMPLED
    assert path.C[-1] == pytest.approx(50.0)
    for C in path.C[::10]:
        assert svm_certificate(K, Y5, path.at(C), C).gap < 1e-8


@pytest.mark.parametrize(
    ("K", "y", "C_max", "named"),
    [
        (np.eye(2), [1, 1], 1.0, "y"),
        (np.ones((2, 3)), [1, -1], 1.0, "K"),
        (np.eye(2), [1, -1], 0.0, "C_max"),
        (np.eye(2), [1, -1], np.nan, "C_max"),
    ],
)
def test_bad_input_is_named(K, y, C_max, named):
    with pytest.raises(ValueError, match=named):
        alpha_path(K, y, C_max)
