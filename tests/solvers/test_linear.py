from itertools import islice

import numpy as np
import pytest
import scipy.sparse
from dual_losses import ALL, every

from kernellab.certificates import svm_certificate
from kernellab.losses import hinge, logistic, squared
from kernellab.solvers.linear import dual_coordinate_descent, dual_coordinate_pass
from kernellab.solvers.perceptron import homogeneous
from kernellab.solvers.sdca import sdca, sdca_pass
from kernellab.solvers.sparse import check_rows, row_add, row_arrays, row_dot
from kernellab.solving import NotConverged, solve


def problem(n=30, d=4, seed=0, loss=hinge):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    f = X[:, 0] - 0.5 * X[:, 1] + 0.5 * rng.normal(size=n)
    return X, f if loss.signed else np.where(f > 0, 1.0, -1.0)


# --- the answer -----------------------------------------------------------------------------------


@every(ALL)
@pytest.mark.parametrize("bias", [0.0, 2.0])
def test_its_certificate_holds_when_recomputed_from_the_gram_matrix(loss, bias):
    X, y = problem(loss=loss)
    C = np.random.default_rng(1).uniform(0.1, 3, size=len(y))
    found = solve(dual_coordinate_descent(X, y, C, loss=loss, bias=bias), gap=5e-7, max_passes=9999)
    K = X @ X.T + bias**2
    variables = found.coef if loss.signed else found.alpha
    checked = svm_certificate(K, y, variables, C, loss=loss)
    assert checked.gap <= 1e-6
    assert checked.primal == pytest.approx(found.primal, rel=1e-8)
    assert checked.dual == pytest.approx(found.dual, rel=1e-8)
    np.testing.assert_allclose(found.scores, checked.scores, atol=1e-7)
    np.testing.assert_allclose(X @ found.w + found.b, checked.scores, atol=1e-7)


@every(ALL)
def test_a_pass_is_one_of_sdca_on_the_linear_kernel(loss):
    X, y = problem(loss=loss)
    (sign, target), C, K = loss.sign_and_target(y), np.full(30, 2.0), X @ X.T
    alpha, scores = np.zeros((2, 30))
    ours, w, resting = np.zeros(30), np.zeros(4), np.zeros(30, dtype=bool)
    for order in np.random.default_rng(5).permuted(np.tile(np.arange(30), (4, 1)), axis=1):
        sdca_pass(K, sign, target, C, loss.dual, alpha, scores, order)
        dual_coordinate_pass(
            X, None, None, sign, target, C, loss.dual, K.diagonal(), ours, w, order, resting
        )
        np.testing.assert_allclose(ours, alpha, rtol=1e-9, atol=1e-10)
        np.testing.assert_allclose(w, X.T @ (sign * alpha), atol=1e-9)


@pytest.mark.parametrize("rng", [0, None])
def test_a_pass_goes_back_to_those_that_have_not_settled(rng):
    X, y = problem(200, 5)
    found = solve(dual_coordinate_descent(X, y, 10.0, rng=rng), gap=1e-4, max_passes=9999)
    plain = solve(sdca(X @ X.T, y, 10.0), gap=1e-4, max_passes=9999)
    assert found.steps > 2 * 200 * found.passes
    assert found.steps < 0.7 * plain.steps


@pytest.mark.parametrize("sparse", [False, True])
def test_a_bias_is_a_constant_feature(sparse):
    X, y = problem()
    rows = scipy.sparse.csr_array(X) if sparse else X
    with_bias = next(islice(dual_coordinate_descent(rows, y, 1.0, bias=1), 10, None))
    appended = next(islice(dual_coordinate_descent(homogeneous(X), y, 1.0), 10, None))
    np.testing.assert_allclose(np.append(with_bias.w, with_bias.b), appended.w, rtol=1e-9)
    assert appended.b == 0


# --- the way there --------------------------------------------------------------------------------


def test_a_warm_start_goes_on_from_there():
    X, y = problem()
    first = solve(dual_coordinate_descent(X, y, 1.0), gap=1e-8, max_passes=9999)
    again = next(dual_coordinate_descent(X, y, 1.0, start=first.alpha))
    assert (again.passes, again.steps) == (0, 0) and again.gap <= 1e-8
    np.testing.assert_allclose(again.w, first.w, atol=1e-9)


def test_hard_cases_end_in_an_honest_status():
    X, y = problem()
    X, y = np.vstack([X, X[:5], np.zeros((1, 4))]), np.concatenate([y, -y[:5], [1.0]])
    found = solve(dual_coordinate_descent(X, y, 1.0), gap=1e-6, max_passes=50_000)
    assert found.alpha[-1] == 1.0  # a row of zeros: its loss is 1 whatever w is
    assert found.converged
    with pytest.warns(NotConverged, match="stopped at the cap after 5 passes"):
        result = solve(dual_coordinate_descent(X, y, 1e10), gap=1e-6, max_passes=5)
    assert result.gap > 1e-6
    assert 9 * len(y) < result.steps / 5 <= 10 * len(y)  # what a pass may take


# --- inputs ---------------------------------------------------------------------------------------


@every(ALL)
def test_sparse_rows_give_the_same(loss):
    X, y = problem(loss=loss)
    X[X < -0.5] = 0
    X[4] = 0
    dense = next(islice(dual_coordinate_descent(X, y, 1.0, loss=loss), 8, None))
    for form in (scipy.sparse.csr_array, scipy.sparse.csr_matrix, scipy.sparse.coo_array):
        sparse = next(islice(dual_coordinate_descent(form(X), y, 1.0, loss=loss), 8, None))
        np.testing.assert_allclose(sparse.coef, dense.coef, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(sparse.w, dense.w, rtol=1e-9, atol=1e-12)
        assert sparse.gap == pytest.approx(dense.gap, rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_a_row_in_a_loop_is_one_in_numpy(form):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5, 6)) * (rng.random((5, 6)) < 0.6)
    rows = row_arrays(check_rows(form(X)))
    for i, v in enumerate(rng.normal(size=(5, 6))):
        for dot in (row_dot, row_dot.py_func):
            assert dot(*rows, i, v) == pytest.approx(X[i] @ v)
        for add in (row_add, row_add.py_func):
            moved = v.copy()
            add(moved, 0.7, *rows, i)
            np.testing.assert_allclose(moved, v + 0.7 * X[i], rtol=1e-12)


X0, Y0 = problem(6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"C": 0}, "C must be a positive number, got 0"),
        ({"C": [1, 1, 1, 1, 1, -1]}, "C must be positive for every example"),
        ({"X": X0.T}, "y must hold one label an example, got 6 for 4"),
        ({"X": np.full((6, 2), np.inf)}, "X must be finite"),
        ({"X": scipy.sparse.csr_array(np.full((6, 2), np.nan))}, "X must be finite"),
        ({"y": np.ones(6)}, "y must hold the two labels"),
        ({"y": [np.nan] * 6, "loss": squared}, "y must be finite"),
        ({"bias": np.inf}, "bias must be a finite number"),
        ({"loss": logistic}, "loss must be one of"),
        ({"start": -np.ones(6)}, "start must hold dual variables"),
        ({"rng": 0.5}, "rng must be a seed"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        dual_coordinate_descent(**{"X": X0, "y": Y0, "C": 1.0, **arguments})
