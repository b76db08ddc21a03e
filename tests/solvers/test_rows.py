import numpy as np
import pytest

from kernellab.kernels import FunctionKernel, Gaussian, Laplacian, Linear, Normalized, Polynomial
from kernellab.solvers.smo.rows import Gram, Rows


def points(n=40, d=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


KERNELS = [
    Gaussian(0.7),
    Laplacian(0.5),
    Linear(),
    Polynomial(3),
    Normalized(Polynomial(2)) + 0.5 * Linear(),
]


@pytest.mark.parametrize("d", [1, 3, 7])
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_rows_are_those_of_the_gram_matrix(kernel, d):
    X = points(d=d)
    K = kernel(X)
    rows = Rows(kernel, X)
    for i in [5, 0, 39, 5]:
        np.testing.assert_allclose(rows.row(i), K[i], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(rows.diagonal, K.diagonal(), rtol=1e-13)
    assert rows.n_evaluations == 3 * 40


@pytest.mark.rounding
def test_where_a_product_would_round_differences_are_taken():
    X = points(d=6)
    X[0] = 1e6  # an outlier makes the norms of the centred data large
    direct = np.exp(-3.0 * np.square(X[7] - X).sum(axis=1))
    np.testing.assert_allclose(Rows(Gaussian(3.0), X).row(7), direct, rtol=1e-9)


def test_memory_is_bounded_and_the_oldest_goes():
    X = points(30)
    K = Gaussian(1.0)(X)
    rows = Rows(Gaussian(1.0), X, max_bytes=2 * 3 * 30 * 8)
    assert rows.stored.shape == (3, 30)
    for i in (4, 8, 15):
        rows.fetch(i)
    rows.fetch(16, keep=4)  # 4 is the oldest, 8 the next
    np.testing.assert_array_equal(np.flatnonzero(rows.slot >= 0), [4, 15, 16])
    for i in np.random.default_rng(1).integers(0, 30, 200):
        np.testing.assert_allclose(rows.row(i), K[i], rtol=1e-12)
        held = np.flatnonzero(rows.slot >= 0)
        assert len(held) <= 3
        for k in held:
            np.testing.assert_allclose(rows.stored[rows.slot[k]], K[k], rtol=1e-12)


@pytest.mark.parametrize("max_bytes", [10**6, 2 * 3 * 30 * 8])
def test_a_part_has_the_rows_and_columns_of_its_examples(max_bytes):
    X = points(30)
    K = Gaussian(1.0)(X)
    rows = Rows(Gaussian(1.0), X, max_bytes=max_bytes)
    rows.fetch(7)
    part = np.array([2, 7, 21])
    for source in (rows.take(part), Gram(K).take(part)):
        for k in (0, 1, 2, 1, 0):
            np.testing.assert_allclose(source.row(k), K[part[k], part], rtol=1e-12)
        np.testing.assert_allclose(source.diagonal, 1.0)
    assert rows.n_evaluations == 30 + 2 * 3  # row 7 was there


def test_times_uses_the_rows_of_nonzero_weights_only():
    X = points(30)
    weights = np.zeros(30)
    weights[[3, 9]] = 2.0, -0.5
    rows = Rows(Gaussian(1.0), X)
    np.testing.assert_allclose(rows.times(weights), Gaussian(1.0)(X) @ weights, rtol=1e-12)
    assert rows.n_evaluations == 60
    np.testing.assert_allclose(Gram(Gaussian(1.0)(X)).times(weights), rows.times(weights))


def test_examples_may_be_anything_the_kernel_compares():
    words = ["kernel", "colonel", "corn", "maize", "corn"]
    shared = FunctionKernel(lambda A, B: np.array([[len(set(a) & set(b)) for b in B] for a in A]))
    rows = Rows(shared, words)
    np.testing.assert_array_equal(rows.row(1), shared(words)[1])
    part = rows.take(np.array([0, 2, 4]))
    np.testing.assert_array_equal(part.row(1), shared(["kernel", "corn", "corn"])[1])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Gram(np.ones((2, 3))), ["K", "(2, 3)"]),
        (lambda: Gram([["a", "b"], ["c", "d"]]), ["K", "real numbers"]),
        (lambda: Gram(np.diag([1.0, np.nan])), ["K must be finite", "diagonal"]),
        (lambda: Rows(Gaussian(1.0), points(), max_bytes=1000), ["max_bytes", "1280", "1000"]),
        (lambda: Rows("cosine", points()), ["kernel", "cosine"]),
    ],
)
def test_bad_input_is_named(make, words):
    with pytest.raises(ValueError) as error:
        make()
    for word in words:
        assert word in str(error.value)
