from itertools import islice

import numpy as np
import piqp
import pytest
import scipy.sparse
import sklearn.svm

from kernellab.certificates import svm_certificate
from kernellab.losses import (
    absolute,
    epsilon_insensitive,
    hinge,
    logistic,
    smoothed_hinge,
    squared,
    squared_hinge,
)
from kernellab.solvers.linear import dual_coordinate_descent
from kernellab.solvers.perceptron import homogeneous
from kernellab.solvers.sdca import sdca
from kernellab.solving import NotConverged, solve

MARGIN = [hinge, squared_hinge, smoothed_hinge(0.5)]
REGRESSION = [squared, absolute, epsilon_insensitive(0.1)]
every_loss = pytest.mark.parametrize("loss", [*MARGIN, *REGRESSION], ids=lambda loss: loss.name)


def problem(n=30, d=4, seed=0, loss=hinge):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    f = X[:, 0] - 0.5 * X[:, 1] + 0.5 * rng.normal(size=n)
    return X, f if loss.signed else np.where(f > 0, 1.0, -1.0)


def primal(X, y, w, C, power=1):
    return w @ w / 2 + np.sum(C * np.maximum(0, 1 - y * (X @ w)) ** power)


def hinge_by_a_qp(X, y, C):
    """The w of least ½‖w‖² + Σ C_i ξ_i by an interior point method over (w, ξ)."""
    (n, d), C = X.shape, np.broadcast_to(C, len(y))
    P = np.diag(np.concatenate([np.ones(d), np.zeros(n)]))
    A = np.hstack([-y[:, None] * X, -np.eye(n)])
    low = np.concatenate([np.full(d, -np.inf), np.zeros(n)])
    solver = piqp.DenseSolver()
    solver.settings.eps_abs = solver.settings.eps_duality_gap_abs = 1e-10
    solver.settings.eps_rel = solver.settings.eps_duality_gap_rel = 1e-10
    c = np.concatenate([np.zeros(d), C])
    solver.setup(P, c, None, None, A, np.full(n, -np.inf), -np.ones(n), low, np.full(n + d, np.inf))
    assert solver.solve() == piqp.PIQP_SOLVED
    return solver.result.x[:d]


# --- the answer -----------------------------------------------------------------------------------


@pytest.mark.parametrize("C", [1e-3, 1.0, 1e3])
def test_it_reaches_the_optimum_that_a_qp_solver_finds(C):
    X, y = problem()
    found = solve(dual_coordinate_descent(X, y, C), gap=5e-7, max_passes=50_000)
    assert found.converged
    least = primal(X, y, hinge_by_a_qp(X, y, C), C)
    assert primal(X, y, found.w, C) == pytest.approx(least, rel=1e-6)
    assert found.primal == pytest.approx(least, rel=1e-6)
    assert found.dual == pytest.approx(least, rel=1e-6)


@every_loss
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


@every_loss
def test_it_takes_the_steps_of_sdca_on_the_linear_kernel(loss):
    X, y = problem(loss=loss)
    options = {"loss": loss, "rng": 5, "one_at_a_time": True}
    ours = dual_coordinate_descent(X, y, 2.0, shrink=False, **options)
    theirs = sdca(X @ X.T, y, 2.0, **options)
    for a, b in islice(zip(ours, theirs, strict=True), 100):
        assert (a.passes, a.steps, a.i) == (b.passes, b.steps, b.i)
        np.testing.assert_allclose(a.coef, b.coef, rtol=1e-9, atol=1e-10)
        np.testing.assert_allclose(a.w, X.T @ b.coef, atol=1e-9)
        assert a.gap == pytest.approx(b.gap, rel=1e-7, abs=1e-9)
        assert a.step == pytest.approx(b.step, abs=1e-10)


@pytest.mark.parametrize("name", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("bias", [0.0, 3.0])
def test_scikit_learn_reaches_the_same_objective(name, bias):
    X, y = problem(80)
    loss, power = (hinge, 1) if name == "hinge" else (squared_hinge, 2)
    theirs = sklearn.svm.LinearSVC(
        loss=name, C=0.7, tol=1e-9, max_iter=100_000, random_state=0,
        fit_intercept=bias > 0, intercept_scaling=bias or 1.0,
    ).fit(X, y)  # fmt: skip
    ours = solve(
        dual_coordinate_descent(X, y, 0.7, loss=loss, bias=bias), gap=1e-8, max_passes=9999
    )
    np.testing.assert_allclose(ours.w, theirs.coef_[0], rtol=1e-3, atol=1e-4)
    Z = np.hstack([X, np.full((80, 1), bias)]) if bias else X
    w = np.append(theirs.coef_[0], theirs.intercept_ / bias) if bias else theirs.coef_[0]
    assert ours.primal == pytest.approx(primal(Z, y, w, 0.7, power), rel=1e-6)
    if bias:
        assert ours.b == pytest.approx(theirs.intercept_[0], abs=1e-3)


@pytest.mark.parametrize("sparse", [False, True])
def test_a_bias_is_a_constant_feature(sparse):
    X, y = problem()
    rows = scipy.sparse.csr_array(X) if sparse else X
    with_bias = next(islice(dual_coordinate_descent(rows, y, 1.0, bias=1), 10, None))
    appended = next(islice(dual_coordinate_descent(homogeneous(X), y, 1.0), 10, None))
    np.testing.assert_allclose(np.append(with_bias.w, with_bias.b), appended.w, rtol=1e-9)
    assert appended.b == 0


# --- the way there --------------------------------------------------------------------------------


@pytest.mark.parametrize("shrink", [False, True])
def test_one_at_a_time_takes_the_same_steps(shrink):
    X, y = problem()
    options = {"shrink": shrink, "rng": 3}
    passes = list(islice(dual_coordinate_descent(X, y, 1.0, **options), 6))
    ends = [(state.passes, state.steps) for state in passes]
    arrived = passes[-1].w.copy()  # the last state's arrays are those of all
    for state in dual_coordinate_descent(X, y, 1.0, one_at_a_time=True, **options):
        if state.passes == len(ends) - 1:
            break
        assert state.steps < ends[state.passes + 1][1]
    assert (state.passes, state.steps) == ends[-1]
    np.testing.assert_allclose(state.w, arrived, rtol=1e-12)
    assert (ends[-1][1] > 5 * len(y)) == shrink


def test_shrinking_saves_updates():
    X, y = problem(200, 5)
    taken = [
        solve(dual_coordinate_descent(X, y, 10.0, shrink=s), gap=1e-4, max_passes=9999).steps
        for s in (True, False)
    ]
    assert taken[0] < 0.7 * taken[1]


def test_a_warm_start_goes_on_from_there():
    X, y = problem()
    first = solve(dual_coordinate_descent(X, y, 1.0), gap=1e-8, max_passes=9999)
    again = next(dual_coordinate_descent(X, y, 1.0, start=first.alpha))
    assert again.gap <= 1e-8
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


# --- inputs ---------------------------------------------------------------------------------------


@every_loss
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


def test_the_format_of_rows_does_not_matter():
    X, y = problem()
    X = np.round(4 * X)
    read_only = X.copy()
    read_only.flags.writeable = False
    expected = next(islice(dual_coordinate_descent(X, y, 1.0), 5, None)).w
    for rows in (np.asfortranarray(X), read_only, X.astype(np.float32), X.astype(int), X.tolist()):
        w = next(islice(dual_coordinate_descent(rows, y, 1.0), 5, None)).w
        np.testing.assert_allclose(w, expected, rtol=1e-9)


X0, Y0 = problem(6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"C": 0}, "C must be a positive number, got 0"),
        ({"C": np.nan}, "C must be a positive number, got nan"),
        ({"C": [1, 1]}, r"C must have shape \(6,\)"),
        ({"C": [1, 1, 1, 1, 1, -1]}, "C must be positive for every example"),
        ({"X": X0.T}, "y must hold one label an example, got 6 for 4"),
        ({"X": np.full((6, 2), np.inf)}, "X must be finite"),
        ({"X": scipy.sparse.csr_array(np.full((6, 2), np.nan))}, "X must be finite"),
        ({"y": np.ones(6)}, "y must hold the two labels"),
        ({"y": [np.nan] * 6, "loss": squared}, "y must be finite"),
        ({"bias": np.inf}, "bias must be a finite number"),
        ({"loss": logistic}, "loss must be one of"),
        ({"loss": "hinge"}, "loss must be one of"),
        ({"start": np.ones(3)}, r"start must have shape \(6,\)"),
        ({"start": -np.ones(6)}, "start must hold dual variables"),
        ({"rng": 0.5}, "rng must be a seed"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        dual_coordinate_descent(**{"X": X0, "y": Y0, "C": 1.0, **arguments})
