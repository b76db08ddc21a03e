"""Witnesses against eigenvalues and brute force; formulas against NumPy, and against mischief."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab.certificates import is_positive_semidefinite
from kernellab.kernels import Gaussian, Polynomial, Sigmoid
from kernellab.lessons.kernels.theory.formula import Formula
from kernellab.lessons.kernels.theory.witness import centre, find_witness, search_witness

seeds = st.integers(0, 10_000)


def symmetric(seed: int, n: int = 5) -> np.ndarray:
    A = np.random.default_rng(seed).normal(size=(n, n))
    return A + A.T


@pytest.mark.rounding
@given(seeds)
def test_a_witness_is_there_exactly_if_an_eigenvalue_is_negative(seed):
    K = symmetric(seed) + 3 * np.eye(5)
    found = find_witness(K)
    assert (found is None) == is_positive_semidefinite(K)
    if found is not None:
        part = K[np.ix_(found.points, found.points)]
        assert found.value < 0
        assert found.c @ part @ found.c == pytest.approx(found.value)
        assert np.linalg.norm(found.c) == pytest.approx(1.0)
        for size in range(1, len(found.points)):  # no smaller set proves it
            for points in combinations(range(5), size):
                assert is_positive_semidefinite(K[np.ix_(points, points)], 1e-8)


@given(seeds)
def test_a_centred_witness_has_sum_zero(seed):
    K = symmetric(seed) + 2 * np.eye(5)
    found = find_witness(K, centred=True)
    H = np.eye(5) - 1 / 5
    np.testing.assert_allclose(centre(K), H @ K @ H, atol=1e-12)
    assert (found is None) == is_positive_semidefinite(centre(K), 1e-9)
    if found is not None:
        assert abs(found.c.sum()) < 1e-8
        part = K[np.ix_(found.points, found.points)]
        assert found.c @ part @ found.c == pytest.approx(found.value)


def test_the_numbers_of_the_lesson():
    K = Sigmoid(1.0, 0.0)([[1.0], [2.0], [3.0]])
    assert np.linalg.eigvalsh(K)[0] == pytest.approx(-0.139, abs=5e-4)
    assert find_witness(K).points == (0, 2)
    minus = -((np.arange(4.0)[:, None] - np.arange(4.0)) ** 2)
    assert find_witness(minus).points == (0, 3)
    assert find_witness(minus, centred=True) is None
    assert find_witness(Formula("(dot - 1)**2")([[0.0], [1.0]])).value == pytest.approx(
        (1 - np.sqrt(5)) / 2
    )


# --- formulas ------------------------------------------------------------------------------------


@given(seeds)
def test_a_formula_means_what_it_says(seed):
    rng = np.random.default_rng(seed)
    X, Z = rng.normal(size=(4, 2)), rng.normal(size=(3, 2))
    np.testing.assert_allclose(Formula("exp(-0.5*dist^2)")(X, Z), Gaussian(0.5)(X, Z))
    np.testing.assert_allclose(Formula("(1 + dot)**3")(X, Z), Polynomial(3)(X, Z))
    np.testing.assert_allclose(Formula("tanh(2*dot − 1)")(X), Sigmoid(2.0, -1.0)(X))
    np.testing.assert_allclose(Formula("x1*z1 + x2*z2")(X, Z), X @ Z.T)
    np.testing.assert_allclose(Formula("xx + zz - 2*dot")(X, Z), Formula("dist**2")(X, Z))
    np.testing.assert_allclose(Formula("min(x1, z1)")(X, Z), np.minimum.outer(X[:, 0], Z[:, 0]))
    np.testing.assert_allclose(Formula("cos(pi)")(X, Z), -np.ones((4, 3)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("dot)", "complete"),
        ("foo", "got foo"),
        ("__import__('os')", "numbers"),
        ("'text'", "numbers"),
        ("dot if dot else 1", "numbers"),
        ("1j", "numbers"),
        ("exp(dot, dist)", "numbers"),
        ("min(dot)", "numbers"),
        ("(" * 60 + "dot" + ")" * 60, "letters"),
    ],
)
def test_what_is_not_allowed_is_said(text, words):
    with pytest.raises(ValueError, match=words):
        Formula(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x1", "symmetric"),
        ("1/dist", "number everywhere"),
        ("log(dot)", "number everywhere"),
        ("sqrt(-1)", "number everywhere"),
    ],
)
def test_what_is_no_similarity_is_said(text, words):
    with pytest.raises(ValueError, match=words):
        Formula(text)([[1.0, 2.0], [-3.0, 0.5]])


def test_a_coordinate_that_is_not_there():
    with pytest.raises(ValueError, match="got x2"):
        Formula("x2*z2")([[1.0]])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: find_witness(np.ones((13, 13))), "at most 12"),
        (lambda: find_witness([[0.0, 1.0], [2.0, 0.0]]), "symmetric"),
        (lambda: find_witness(np.eye(2), tol=-1), "tol"),
        (lambda: search_witness(Gaussian(1.0), 0), "n_features"),
        (lambda: search_witness(Gaussian(1.0), 2, n_points=0), "n_points"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
