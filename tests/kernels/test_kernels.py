"""Kernels against scikit-learn, loops over pairs, explicit features, and exact arithmetic."""

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernellab import kernels
from kernellab.certificates import is_positive_semidefinite, spectrum
from kernellab.kernels import (
    Gaussian,
    Laplacian,
    Linear,
    Normalized,
    OnColumns,
    Polynomial,
    Product,
    Scaled,
    Sigmoid,
    Sum,
    as_kernel,
    distances,
    field,
    score_field,
)


def data(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def by_pairs(k, X, Z):
    return np.array([[k(x, z) for z in Z] for x in X])


# Each with its formula for one pair, written without arrays.
FORMULAS = [
    (Linear(), lambda x, z: sum(x * z)),
    (Polynomial(3, 2.0), lambda x, z: (sum(x * z) + 2.0) ** 3),
    (Polynomial(2, 0.0), lambda x, z: sum(x * z) ** 2),
    (Polynomial(3, 2.0, 0.5), lambda x, z: (0.5 * sum(x * z) + 2.0) ** 3),
    (Gaussian(0.3), lambda x, z: math.exp(-0.3 * math.dist(x, z) ** 2)),
    (Laplacian(0.7), lambda x, z: math.exp(-0.7 * sum(abs(x - z)))),
    (Laplacian(0.7, norm="l2"), lambda x, z: math.exp(-0.7 * math.dist(x, z))),
    (Sigmoid(0.2, 0.5), lambda x, z: math.tanh(0.2 * sum(x * z) + 0.5)),
    (
        Normalized(Polynomial(2)),
        lambda x, z: (sum(x * z) + 1) ** 2 / ((sum(x * x) + 1) * (sum(z * z) + 1)),
    ),
    (OnColumns(Polynomial(2), (0,)), lambda x, z: (x[0] * z[0] + 1) ** 2),
    (
        Gaussian(0.3) + 2 * Linear(),
        lambda x, z: math.exp(-0.3 * math.dist(x, z) ** 2) + 2 * sum(x * z),
    ),
    (
        Gaussian(0.3) * Polynomial(2),
        lambda x, z: math.exp(-0.3 * math.dist(x, z) ** 2) * (sum(x * z) + 1) ** 2,
    ),
]
every_kernel = pytest.mark.parametrize("kernel", [k for k, _ in FORMULAS], ids=repr)


@pytest.mark.parametrize(("kernel", "formula"), FORMULAS, ids=[repr(k)[:40] for k, _ in FORMULAS])
@pytest.mark.parametrize("d", [1, 2, 3, 4, 10])
def test_entries_are_the_formula_of_each_pair(kernel, formula, d):
    X, Z = data(7, d), data(5, d, seed=1)
    np.testing.assert_allclose(kernel(X, Z), by_pairs(formula, X, Z), rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(kernel(X), by_pairs(formula, X, X), rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(kernel.diag(X), [formula(x, x) for x in X], rtol=1e-13)


@pytest.mark.rounding
@every_kernel
@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 130])
@pytest.mark.parametrize("d", [1, 2, 3, 4, 17])
def test_a_gram_matrix_is_exactly_symmetric_and_of_float64(kernel, n, d):
    X = data(n, d, seed=n)
    K = kernel(X)
    assert K.dtype == np.float64 and K.shape == (n, n)
    assert (K == K.T).all()
    assert (kernel(X, X) == K).all()
    np.testing.assert_allclose(K, kernel(X, X.copy()), rtol=1e-12, atol=1e-13)


@pytest.mark.rounding
@pytest.mark.parametrize(
    "kernel", [Gaussian(0.3), Laplacian(0.3), Laplacian(0.3, "l2"), Normalized(Linear())], ids=repr
)
@pytest.mark.parametrize("d", [1, 3, 4, 30])
def test_a_similarity_of_one_with_itself_is_exact(kernel, d):
    X = 100.0 * data(140, d) + 7.0
    assert (np.diag(kernel(X)) == 1.0).all()
    assert (kernel.diag(X) == 1.0).all()
    if not isinstance(kernel, Normalized):
        assert kernel(X).max() == 1.0 and kernel(X, X.copy()).max() <= 1.0


def exact_gaussian(gamma, x, z):
    """Through rationals: no rounding until the exponential."""
    squared = sum((Fraction(float(a)) - Fraction(float(b))) ** 2 for a, b in zip(x, z, strict=True))
    return math.exp(-float(Fraction(gamma) * squared))


@pytest.mark.rounding
@pytest.mark.parametrize("offset", [0.0, 1e6, 1e8])
@pytest.mark.parametrize("d", [1, 2, 3, 4, 8])
def test_gaussian_at_an_offset_is_right_for_the_data_as_stored(offset, d):
    X, Z = data(12, d) + offset, data(9, d, seed=1) + offset
    exact = by_pairs(lambda x, z: exact_gaussian(0.5, x, z), X, Z)
    np.testing.assert_allclose(Gaussian(0.5)(X, Z), exact, rtol=1e-12, atol=1e-14)
    exact = by_pairs(lambda x, z: exact_gaussian(0.5, x, z), X, X)
    np.testing.assert_allclose(Gaussian(0.5)(X), exact, rtol=1e-12, atol=1e-14)


@pytest.mark.rounding
@pytest.mark.parametrize("offset", [1e6, 1e8])
@pytest.mark.parametrize("d", [2, 64])
@pytest.mark.parametrize(
    "kernel", [Gaussian(0.05), Laplacian(0.05), Laplacian(0.05, "l2")], ids=repr
)
def test_an_offset_costs_no_more_than_the_rounding_of_the_inputs(kernel, d, offset):
    X = data(80, d)
    rounding = np.abs((X + offset) - offset - X).max()
    difference = np.abs(kernel(X + offset) - kernel(X)).max()
    # |∂k/∂x| of these is at most γ d or √(2γ d) < 4; two ends of each difference may move.
    assert difference <= 8.0 * rounding


def test_centred_data_need_no_slow_differences(monkeypatch):
    X = data(20, 8)
    expected = Gaussian(0.05)(X)
    monkeypatch.setattr(distances, "exp_of_differences", None)
    np.testing.assert_allclose(Gaussian(0.05)(X + 1e6), expected, atol=1e-8)
    with pytest.raises(TypeError):  # three features go by differences
        Gaussian(0.05)(X[:, :3])


@pytest.mark.parametrize("d", [2, 8])
def test_far_clusters_do_not_blur_near_pairs(d):
    # Centring cannot help here: the spread itself is large.
    X = np.vstack([data(10, d), data(10, d, seed=1) + 1e7])
    exact = by_pairs(lambda x, z: exact_gaussian(0.5, x, z), X, X)
    np.testing.assert_allclose(Gaussian(0.5)(X), exact, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(Gaussian(0.5)(X, X[:3]), exact[:, :3], rtol=1e-12, atol=1e-14)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("d", [2, 8])
@pytest.mark.parametrize("kernel", [Gaussian(1.0), Laplacian(1.0), Laplacian(1.0, "l2")], ids=repr)
def test_distances_beyond_the_largest_float_give_zero(kernel, d):
    X = np.vstack([np.full(d, -1.5e308), np.zeros(d), np.full(d, 1.5e308)])
    assert kernel(X).tolist() == np.eye(3).tolist()


@pytest.mark.parametrize("d", [2, 6])
def test_extreme_gammas_reach_the_limits(d):
    X = data(20, d)
    assert (Gaussian(1e300)(X) == np.eye(20)).all()
    assert (Gaussian(1e-300)(X) == np.ones((20, 20))).all()


def test_bandwidth_and_gamma():
    kernel = Gaussian.from_bandwidth(2.0)
    assert kernel == Gaussian(0.125)
    assert kernel.bandwidth == 2.0
    assert kernel([[0.0]], [[2.0]])[0, 0] == pytest.approx(math.exp(-0.5), rel=1e-15)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Gaussian(-1.0), "gamma must be a positive number, got -1.0"),
        (lambda: Gaussian.from_bandwidth(0.0), "sigma must be a positive number"),
        (lambda: Gaussian.from_bandwidth(1e-300), "gamma must be a positive number, got inf"),
        (lambda: Laplacian(0.0), "gamma must be a positive number"),
        (lambda: Laplacian(1.0, norm="l3"), "norm must be 'l1' or 'l2', got 'l3'"),
        (lambda: Polynomial(2.5), "degree must be a positive integer, got 2.5"),
        (lambda: Polynomial(2, np.inf), "coef0 must be a finite number"),
        (lambda: Polynomial(2, gamma=0), "gamma must be a positive number, got 0"),
        (lambda: Sigmoid("a"), "scale must be a finite number"),
        (lambda: -2.0 * Linear(), "factor must be a number of at least 0, got -2.0"),
    ],
)
def test_bad_parameters_are_named(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@every_kernel
@pytest.mark.parametrize(
    ("X", "Z", "words"),
    [
        ([[np.nan, 1.0]], None, "X must be finite"),
        ([1.0, 2.0], None, "X must have shape"),
        ([[1.0, 2.0]], [1.0, 2.0], "Z must have shape"),
        ([[1.0, 2.0]], [[np.inf, 2.0]], "Z must be finite"),
        ([[1.0, 2.0]], [[1.0]], "Z must have as many features as X, got 1, and X has 2"),
        ([["a", "b"]], None, "X must be an array of real numbers"),
    ],
)
def test_bad_vectors_are_named(kernel, X, Z, words):
    with pytest.raises(ValueError, match=words):
        kernel(X, Z)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3), Sigmoid()], ids=repr)
def test_overflow_is_an_error_that_names_the_row(kernel):
    X = np.array([[1.0, 2.0], [1e200, 0.0]])
    with pytest.raises(ValueError, match=r"X must not be so large .* row 1"):
        kernel(X)
    with pytest.raises(ValueError, match=r"Z must not be so large .* row 1"):
        kernel(X[:1], X)


# --- what is a kernel -----------------------------------------------------------------------------


def test_sigmoid_is_not_a_kernel():
    kernel = Sigmoid(1.0, 0.0)
    assert not kernel.is_psd
    eigenvalues = spectrum(kernel([[1.0], [2.0], [3.0]]))
    assert eigenvalues[-1] == pytest.approx(-0.139, abs=5e-4)
    assert not is_positive_semidefinite(kernel([[1.0], [2.0], [3.0]]))


def test_not_being_a_kernel_passes_to_compounds():
    assert Polynomial(2, 0.0).is_psd and not Polynomial(2, -1.0).is_psd
    assert not is_positive_semidefinite(Polynomial(2, -1.0)([[0.0], [1.0], [-1.0]]))
    good, bad = Gaussian(1.0), Sigmoid()
    for kernel in (good + bad, bad + good, good * bad, bad * good, 2 * bad, Normalized(bad)):
        assert not kernel.is_psd
    for kernel in (good + good, good * good, 2 * good, Normalized(good)):
        assert kernel.is_psd


numbers = st.floats(0.01, 3.0)
simple_kernels = st.one_of(
    st.just(Linear()),
    st.builds(Polynomial, st.integers(1, 3), st.floats(0.0, 2.0)),
    st.builds(Gaussian, numbers),
    st.builds(Laplacian, numbers, st.sampled_from(["l1", "l2"])),
)
kernel_expressions = st.recursive(
    simple_kernels,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a * b, inner, inner),
        st.builds(lambda c, k: c * k, numbers, inner),
        st.builds(Normalized, inner),
    ),
    max_leaves=6,
)


@settings(max_examples=80)
@given(kernel=kernel_expressions, seed=st.integers(0, 10**6), d=st.integers(1, 6))
def test_every_expression_of_kernels_is_a_kernel(kernel, seed, d):
    X = data(12, d, seed) + 0.1
    K = kernel(X)
    assert kernel.is_psd and (K == K.T).all()
    assert is_positive_semidefinite(K, tol=1e-9)
    # cᵀKc ≥ 0 said directly, with no eigenvalues
    c = data(12, 20, seed + 1)
    assert (np.einsum("ik,ij,jk->k", c, K, c) >= -1e-9 * np.abs(K).max() * 144).all()


@settings(max_examples=150)
@given(kernel=kernel_expressions)
def test_the_repr_reads_back_as_the_same_kernel(kernel):
    assert eval(repr(kernel), vars(kernels)) == kernel


# --- the algebra ----------------------------------------------------------------------------------


def test_reprs_read_as_they_were_written():
    assert repr(Gaussian(0.5) + 2 * Linear()) == "Gaussian(gamma=0.5) + 2 * Linear()"
    assert repr(0.25 * (Linear() + Linear())) == "0.25 * (Linear() + Linear())"
    assert repr((Linear() + Linear()) * Linear()) == "(Linear() + Linear()) * Linear()"
    assert repr(Linear() * (2 * Linear())) == "Linear() * (2 * Linear())"
    assert repr(Polynomial(2)) == "Polynomial(degree=2, coef0=1.0)"
    assert repr(Polynomial(2, 0.0, 0.5)) == "Polynomial(degree=2, coef0=0.0, gamma=0.5)"
    assert repr(np.float64(3) * Gaussian(np.float64(2))) == "3 * Gaussian(gamma=2.0)"


@pytest.mark.parametrize(
    "number", [2, 2.0, Fraction(2), np.float64(2), np.float32(2), np.int64(2)], ids=type
)
def test_numbers_scale_from_both_sides(number):
    assert number * Linear() == Linear() * number == Scaled(2.0, Linear())
    assert isinstance(number * Linear(), Scaled)


def test_kernels_sum_up_by_the_builtin():
    assert sum([Linear(), Gaussian(1.0)]) == Sum(Linear(), Gaussian(1.0))
    assert math.prod([Linear(), Gaussian(1.0)], start=Linear()) == Product(
        Product(Linear(), Linear()), Gaussian(1.0)
    )


@pytest.mark.parametrize("other", [1, 0.0, "rbf", None, np.ones(3), np.float64(1), len])
def test_adding_what_is_no_kernel(other):
    with pytest.raises(TypeError, match="a kernel can only be added to another kernel, got"):
        Linear() + other
    with pytest.raises(TypeError, match="a kernel can only be added to another kernel, got"):
        other + Linear()


@pytest.mark.parametrize("other", ["rbf", None, np.ones(3), [2.0], len])
def test_multiplying_by_what_is_neither_number_nor_kernel(other):
    with pytest.raises(TypeError, match="only be multiplied by a number or another kernel, got"):
        Linear() * other
    with pytest.raises(TypeError, match="only be multiplied by a number or another kernel, got"):
        other * Linear()


@settings(max_examples=30)
@given(kernel=kernel_expressions)
def test_copies_are_equal_and_compute_the_same(kernel):
    X = data(5, 2)
    for twin in (copy.deepcopy(kernel), pickle.loads(pickle.dumps(kernel))):
        assert twin == kernel and hash(twin) == hash(kernel) and repr(twin) == repr(kernel)
        assert (twin(X) == kernel(X)).all()


def test_normalized_needs_a_direction():
    X = np.array([[1.0, 0.0], [0.0, 0.0]])
    with pytest.raises(ValueError, match=r"X must hold .* = 0.0 for row 1 under Linear\(\)"):
        Normalized(Linear())(X)
    with pytest.raises(ValueError, match=r"Z must hold .* for row 1"):
        Normalized(Linear())(X[:1], X)
    with pytest.raises(ValueError, match="row 1"):
        Normalized(Linear()).diag(X)
    with pytest.raises(TypeError, match="got 'linear'"):
        Normalized("linear")


# --- functions, names, structures -----------------------------------------------------------------


def test_names():
    assert as_kernel("linear") == Linear()
    assert as_kernel("poly", degree=2, coef0=0.0) == Polynomial(2, 0.0)
    assert as_kernel("poly", degree=2, gamma=0.5) == Polynomial(2, 1.0, 0.5)
    assert as_kernel("rbf", gamma=0.5) == as_kernel("gaussian", gamma=0.5) == Gaussian(0.5)
    assert as_kernel("laplacian", gamma=0.5) == Laplacian(0.5, "l1")
    kernel = Linear() + Linear()
    assert as_kernel(kernel) is kernel


@pytest.mark.parametrize("spec", ["rbff", "precomputed", None, 3, Gaussian, ["rbf"]])
def test_unknown_kernels_are_told_the_known_ones(spec):
    with pytest.raises(ValueError, match=r"kernel must be .*'linear'.*'poly'.*'rbf'.*'laplacian'"):
        as_kernel(spec)


def test_a_function_becomes_a_kernel():
    def squared_dot(X, Z):
        return (X @ Z.T) ** 2

    X, Z = data(6, 3), data(4, 3, seed=1)
    kernel = as_kernel(squared_dot)
    np.testing.assert_allclose(kernel(X, Z), Polynomial(2, 0.0)(X, Z))
    np.testing.assert_allclose(kernel(X), Polynomial(2, 0.0)(X))
    np.testing.assert_allclose(kernel.diag(X), Polynomial(2, 0.0).diag(X))
    assert repr(kernel + Linear()) == "FunctionKernel(squared_dot) + Linear()"
    assert kernel == as_kernel(squared_dot)
    assert kernel.is_psd


def test_functions_that_return_something_else():
    X = data(3, 2)
    with pytest.raises(ValueError, match=r"one entry a pair, shape \(3, 3\), got shape \(\)"):
        as_kernel(lambda x, z: 1.0)(X)
    with pytest.raises(ValueError, match="must be finite, got nan"):
        as_kernel(lambda X, Z: np.full((len(X), len(Z)), np.nan))(X)


# --- score fields ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kernel",
    [Gaussian(0.8), Laplacian(0.8, "l2"), Polynomial(2), Gaussian(1.0) + 2 * Linear()],
    ids=repr,
)
@pytest.mark.parametrize("entries", [7, 1_000_000])  # blocks of one grid point, and all at once
@pytest.mark.parametrize("used", [1, 0, np.arange(7) % 3 == 0])
def test_score_field_is_the_score_at_each_point_of_the_grid(kernel, entries, used, monkeypatch):
    monkeypatch.setattr(field, "_FIELD_ENTRIES", entries)
    X, weights = data(7, 2), data(7, 1).ravel() * used
    x1, x2 = np.linspace(-2, 2, 5), np.linspace(-1, 3, 4)
    scores = score_field(kernel, X, weights, x1, x2)
    assert scores.shape == (4, 5)
    for r in range(4):
        for c in range(5):
            score = weights @ kernel(X, [[x1[c], x2[r]]])[:, 0]
            assert scores[r, c] == pytest.approx(score, rel=1e-11, abs=1e-13)


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Linear()], ids=repr)
def test_bad_fields_are_named(kernel):
    X, weights, axis = data(4, 2), np.ones(4), np.linspace(0, 1, 3)
    with pytest.raises(ValueError, match=r"X must lie in the plane"):
        score_field(kernel, data(4, 3), weights, axis, axis)
    with pytest.raises(ValueError, match=r"weights must have shape \(4,\), got shape \(3,\)"):
        score_field(kernel, X, weights[:3], axis, axis)
    with pytest.raises(ValueError, match="x2 must have shape"):
        score_field(kernel, X, weights, axis, [axis])
    with pytest.raises(ValueError, match="x1 must be finite"):
        score_field(kernel, X, weights, [np.nan], axis)
