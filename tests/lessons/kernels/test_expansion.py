"""Functions of a kernel's space: reproducing, orthogonal; and the loop over K."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab.kernels import Gaussian, Linear, Polynomial
from kernellab.kernels.features import polynomial_map
from kernellab.lessons.kernels.theory import trick
from kernellab.lessons.kernels.theory.expansion import Expansion, orthogonal_part
from kernellab.page.side_by_side import marked, side_by_side
from kernellab.solvers.perceptron import dual_perceptron
from kernellab.solvers.sdca import sdca

seeds = st.integers(0, 10_000)


@given(seeds)
def test_inner_products_are_those_of_the_features(seed):
    rng = np.random.default_rng(seed)
    kernel = Polynomial(2, 1.0)
    f = Expansion(kernel, rng.normal(size=(4, 2)), rng.normal(size=4))
    g = Expansion(kernel, rng.normal(size=(3, 2)), rng.normal(size=3))
    w, v = (h.coef @ polynomial_map(h.points, 2, 1.0) for h in (f, g))
    assert f.inner(g) == pytest.approx(w @ v)
    assert f.squared_norm == pytest.approx(w @ w)
    x = rng.normal(size=(1, 2))
    assert f(x)[0] == pytest.approx(f.inner(Expansion(kernel, x, np.ones(1))))  # reproducing


@given(seeds)
def test_what_is_orthogonal_is_zero_at_the_examples_and_costs(seed):
    rng = np.random.default_rng(seed)
    X = np.linspace(-2, 2, 5)[:, np.newaxis] + rng.uniform(-0.3, 0.3, (5, 1))
    kernel = Gaussian.from_bandwidth(0.5)
    f = Expansion(kernel, X, rng.normal(size=5))
    g = orthogonal_part(Expansion(kernel, rng.uniform(-3, 3, (2, 1)), rng.normal(size=2)), X)
    both = Expansion(kernel, np.concatenate([X, g.points]), np.concatenate([f.coef, g.coef]))
    np.testing.assert_allclose(g(X), 0, atol=1e-9)
    assert f.inner(g) == pytest.approx(0, abs=1e-9)
    assert both.squared_norm == pytest.approx(f.squared_norm + g.squared_norm)


def test_repeated_examples_and_a_bump_on_an_example():
    kernel, X = Gaussian(1.0), np.array([[0.0], [0.0], [1.0]])
    g = orthogonal_part(Expansion(kernel, np.array([[1.0]]), np.ones(1)), X)
    np.testing.assert_allclose(g(np.linspace(-1, 2, 9)[:, np.newaxis]), 0, atol=1e-12)


def test_errors():
    with pytest.raises(ValueError, match="coef"):
        Expansion(Linear(), np.ones((2, 1)), [1.0])
    f = Expansion(Linear(), np.ones((1, 1)), [1.0])
    with pytest.raises(ValueError, match="must belong"):
        f.inner(Expansion(Gaussian(1.0), np.ones((1, 1)), [1.0]))


# --- one loop -------------------------------------------------------------------------------------


@given(seeds)
def test_the_loops_are_those_of_the_package(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(10, 2)), np.where(np.arange(10) % 2 == 0, 1.0, -1.0)
    K = Polynomial(2)(X)
    *_, last = islice(dual_perceptron(K, y), 20)
    assert np.array_equal(trick.perceptron(K, y, last.passes), last.alpha)
    *_, last = sdca(K, y, C=0.7, orders=[np.arange(10)] * 20)
    np.testing.assert_allclose(trick.svm(K, y, last.passes, C=0.7), last.alpha, atol=1e-9)


# --- side by side ------------------------------------------------------------------------------


def test_only_what_differs_is_marked():
    left, right = marked("K = X @ X.T  # <b>", "K = k(X, X)  # <b>")
    assert "&lt;b&gt;" in left
    plain = [part.split("</mark>")[-1] for part in right.split("<mark")]
    assert plain[0] == "K = "
    assert marked("a b", "a b") == ("a b", "a b")
    left, right = marked("same\n  a + b", "same\n  a - b", lines=True)
    assert left.startswith("same\n  <mark") and left.endswith(">a + b</mark>")
    assert right.count("<mark") == 1


def test_the_table_holds_both_sources():
    shown = side_by_side(trick.perceptron, trick.svm, ("old", "new"))
    table = shown._repr_html_()
    assert table.count("<pre") == 2
    assert "<strong>old</strong>" in table
    assert table.count("score = K[i] @ (alpha * y)") == 2  # the same in both
    assert "alpha[i] += 1" in repr(shown)
    assert repr(shown).splitlines()[1:3] == [
        "def perceptron(K, y, passes=100):", "    alpha = np.zeros(len(y))",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="source"):
        side_by_side(len, trick.svm)
