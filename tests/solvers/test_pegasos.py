from itertools import islice

import numpy as np
import pytest
import scipy.sparse
from scipy.optimize import minimize

from kernellab.datasets import make_clouds, make_rings
from kernellab.kernels import Gaussian
from kernellab.solvers.pegasos import (
    convergence_bound,
    kernel_pegasos,
    kernel_pegasos_pass,
    pegasos,
    pegasos_pass,
    pegasos_step,
)
from kernellab.solvers.pegasos.passes import general_pass
from kernellab.solving import NotConverged, pass_orders, solve


def problem(n=24, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] + 0.7 * rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1, -1
    return X, y


def objective(X, y, w, lam, weight=1.0):
    return lam / 2 * w @ w + np.mean(weight * np.maximum(0, 1 - y * (X @ w)))


def optimum(K, y, lam, weight=1.0):
    """The least objective, from the dual by a quasi-Newton method in a box."""
    n = len(y)
    Q = np.outer(y, y) * K / (lam * n**2)
    best = minimize(
        lambda a: (0.5 * a @ Q @ a - a.mean(), Q @ a - 1 / n),
        np.zeros(n),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, c) for c in np.broadcast_to(weight, n)],
        options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 10_000, "maxfun": 100_000},
    )
    return -best.fun


def from_the_book(X, y, lam, orders, k=1, project=False, weight=None):
    """w_1, w_2, … as plain arithmetic, one array each, and the pushes of each step."""
    weight = np.ones(len(y)) if weight is None else weight
    w, t = np.zeros(X.shape[1]), 0
    yield w
    for order in orders:
        for first in range(0, len(order), k):
            batch = order[first : first + k]
            t += 1
            gradient = lam * w
            for i in batch:
                if y[i] * np.dot(w, X[i]) < 1:
                    gradient = gradient - weight[i] * y[i] * X[i] / len(batch)
            w = w - gradient / (lam * t)
            if project:
                radius = np.sqrt(weight.mean() / lam)
                w = min(1.0, radius / max(np.linalg.norm(w), 1e-300)) * w
            yield w


# --- the steps ------------------------------------------------------------------------------------


def test_three_steps_by_hand():
    X, y = np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([1.0, -1.0])
    start, *steps = islice(pegasos(X, y, 0.5, rng=None, one_at_a_time=True), 4)
    assert (start.passes, start.steps, start.i, start.margin) == (0, 0, None, None)
    assert [s.i for s in steps] == [0, 1, 0]
    assert [s.margin for s in steps] == [0, 0, 1]  # the third lies on the margin: no violation
    assert [s.passes for s in steps] == [0, 1, 1]
    assert [s.n_violations for s in steps] == [1, 2, 2]
    np.testing.assert_allclose(steps[2].w, np.array([1, -2]) * 2 / 3)
    np.testing.assert_array_equal(steps[2].alpha, [1, 1])


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("project", [False, True])
@pytest.mark.parametrize(("k", "weighted"), [(1, False), (1, True), (5, True)])
@pytest.mark.parametrize("lam", [1.0, 1e-2, 1e-5])
def test_iterates_and_averages_are_those_of_the_book(lam, k, weighted, project, sparse):
    X, y = problem()
    weight = np.random.default_rng(1).uniform(0.5, 3, size=len(y)) if weighted else None
    options = {"batch_size": k, "project": project, "sample_weight": weight, "rng": 7}
    book = list(
        from_the_book(X, y, lam, islice(pass_orders(len(y), 7), 6), k, project, weight=weight)
    )
    rows = scipy.sparse.csr_array(X) if sparse else X
    scale = np.abs(book).max()
    for average in (False, "uniform", "linear"):
        states = pegasos(rows, y, lam, average=average, one_at_a_time=True, **options)
        for t, state in enumerate(islice(states, len(book))):
            assert state.steps == t
            np.testing.assert_allclose(state.last_w, book[t], rtol=1e-9, atol=1e-12 * scale)
            expected = book[t]
            if average and t > 0:
                importance = np.arange(1, t + 1) if average == "linear" else None
                expected = np.average(book[:t], axis=0, weights=importance)
            np.testing.assert_allclose(state.w, expected, rtol=1e-9, atol=1e-11 * scale)
    *_, whole = islice(pegasos(rows, y, lam, **options), 7)
    np.testing.assert_allclose(whole.w, book[-1], rtol=1e-9, atol=1e-12 * scale)
    assert whole.passes == 6


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("k", [1, 4])
@pytest.mark.parametrize("lam", [1.0, 1e-2, 1e-4])
def test_counting_violations_is_the_same_as_stepping_on_weights(lam, k, weighted):
    X, y = problem()
    weight = np.random.default_rng(1).uniform(0.5, 2, size=len(y)) if weighted else None
    shared = {"rng": 3, "one_at_a_time": True, "sample_weight": weight, "batch_size": k}
    primal, dual = pegasos(X, y, lam, **shared), kernel_pegasos(X @ X.T, y, lam, **shared)
    for p, k in islice(zip(primal, dual, strict=True), 150):
        size = max(np.abs(p.w).max(), 1)
        np.testing.assert_allclose(X.T @ k.coef, p.w, rtol=0, atol=1e-9 * size)
        np.testing.assert_allclose(k.scores, X @ p.w, rtol=0, atol=1e-9 * size)
        np.testing.assert_allclose(k.scores, p.scores, rtol=0, atol=1e-9 * size)
        np.testing.assert_array_equal(k.alpha, p.alpha)
        assert k.objective == pytest.approx(p.objective, rel=1e-9)
        assert k.dual == pytest.approx(p.dual, rel=1e-9, abs=1e-12)


def test_a_step_takes_integers_and_says_what_it_cannot_change():
    w, x = np.array([1.0, 2.0]), np.array([3, -1])
    assert pegasos_step(w, x, -1, 1, 2)
    np.testing.assert_allclose(w, [0.5 - 1.5, 1 + 0.5])
    assert not pegasos_step(w, x, -1, 1, 4)
    np.testing.assert_allclose(w, [-0.75, 1.125])
    for bad in (np.array([1, 2]), [1.0, 2.0]):
        with pytest.raises(ValueError, match="w must be an array of floats"):
            pegasos_step(bad, x, 1, 1, 1)
    with pytest.raises(ValueError, match="x must have shape"):
        pegasos_step(w, [1.0], 1, 1, 1)


@pytest.mark.parametrize("lam", [1.0, 1e-2, 1e-4])
def test_the_plain_passes_are_the_general_one(lam):
    X, y = problem()
    n = len(y)
    orders, one = np.random.default_rng(0).integers(n, size=(5, n)), np.ones(n)
    for rows, plain_pass in ((X, pegasos_pass), (X @ X.T, kernel_pegasos_pass)):
        gram = plain_pass is kernel_pegasos_pass
        alpha, counts = np.zeros((2, n))
        plain, v, late = np.zeros((3, rows.shape[1]))
        scale = np.array([1.0, 0.0, 0.0])
        for t, order in zip(range(0, 5 * n, n), orders, strict=True):
            plain_pass(rows, y, lam, alpha, plain, order, t)
            general_pass(
                rows, None, None, gram or None, y, one, lam, v, counts, order, t, 1, np.inf, late,
                -1, scale,
            )  # fmt: skip
        factor = 1.0 if gram else 1 / (lam * 5 * n)
        np.testing.assert_array_equal(alpha, counts)
        np.testing.assert_allclose(plain, factor * v, rtol=1e-9, atol=1e-12 / lam)


# --- the certificate ------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"batch_size": 7}, {"project": True}, {"average": True}])
@pytest.mark.parametrize("lam", [1.0, 1e-2, 1e-4])
def test_the_gap_is_never_less_than_the_suboptimality(lam, options):
    X, y = problem()
    weight = np.random.default_rng(2).uniform(0.5, 2, size=len(y))
    best = optimum(X @ X.T, y, lam, weight)
    states = pegasos(X, y, lam, sample_weight=weight, one_at_a_time=True, **options)
    for state in islice(states, 0, 400, 3):
        assert state.objective == pytest.approx(objective(X, y, state.w, lam, weight))
        assert state.dual <= best * (1 + 1e-6)
        assert state.dual >= 0
        assert state.objective >= best * (1 - 1e-6)
        alpha = state.dual_variables
        assert (alpha >= 0).all()
        assert (alpha <= weight / (lam * len(y)) * (1 + 1e-12)).all()


def test_after_whole_passes_the_dual_point_has_the_same_weights():
    X, y = problem()
    weight = np.random.default_rng(2).uniform(0.5, 2, size=len(y))
    for state in islice(pegasos(X, y, 0.1, sample_weight=weight), 1, 6):
        np.testing.assert_allclose(X.T @ (state.dual_variables * y), state.w, rtol=1e-9)


@pytest.mark.parametrize("options", [{}, {"batch_size": 5}])
def test_kernelised_it_arrives_too(options):
    data = make_rings(40, rng=1)
    K = Gaussian(1.0)(data.X)
    states = kernel_pegasos(K, data.y, 0.05, **options)
    assert [state.passes for state in islice(states, 3)] == [0, 1, 2]
    result = solve(states, gap=3e-2, max_passes=3000)
    assert result.converged
    assert result.objective <= optimum(K, data.y, 0.05) * 1.031


def test_what_is_not_a_kernel_is_called_so():
    X, y = problem()
    with pytest.warns(NotConverged, match="not a kernel"):
        result = solve(kernel_pegasos(-Gaussian(1.0)(X) + np.eye(len(y)), y, 0.1), gap=1e-6)
    assert result.status == "not a kernel"


def test_the_averaged_iterate_keeps_below_its_bound():
    data = make_clouds(50, rng=0)
    lam, n = 0.1, len(data.y)
    R = np.linalg.norm(data.X, axis=1).max()
    best = optimum(data.X @ data.X.T, data.y, lam)
    draws = (np.random.default_rng(s).integers(n, size=n) for s in range(30))
    states = pegasos(data.X, data.y, lam, average=True, orders=draws)
    for state in islice(states, 1, None):
        bound = convergence_bound(state.steps, lam, R)
        assert state.objective - best <= bound
    assert state.passes == 30
    assert convergence_bound(1, 0.5, 2.0) == pytest.approx(16)  # 4 · 2² · 1 / (2 · 0.5)
    assert convergence_bound(np.e, 4.0, 1.0, project=True) == pytest.approx(9 / (4 * np.e))


# --- symmetries and inputs ------------------------------------------------------------------------


def formats(X):
    read_only = X.copy()
    read_only.flags.writeable = False
    doubled = scipy.sparse.csr_array(
        (np.repeat(X.ravel() / 2, 2), np.repeat(np.tile(np.arange(X.shape[1]), len(X)), 2),
         np.arange(len(X) + 1) * 2 * X.shape[1])
    )  # fmt: skip
    wide = scipy.sparse.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    backwards = scipy.sparse.csr_array(
        (X[:, ::-1].ravel(), np.tile(np.arange(X.shape[1])[::-1], len(X)),
         np.arange(len(X) + 1) * X.shape[1])
    )  # fmt: skip
    return {
        "Fortran": np.asfortranarray(X),
        "read-only": read_only,
        "list": X.tolist(),
        "csr": scipy.sparse.csr_array(X),
        "csr matrix": scipy.sparse.csr_matrix(X),
        "csc": scipy.sparse.csc_array(X),
        "coo": scipy.sparse.coo_array(X),
        "wide indices": wide,
        "columns backwards": backwards,
        "twice the same column": doubled,
    }


@pytest.mark.parametrize("name", formats(np.eye(2)))
def test_the_format_does_not_matter(name):
    X, y = problem()
    X[3] = 0
    X[X < -1] = 0
    given_X = formats(X)[name]
    before = given_X.copy()
    w = next(islice(pegasos(given_X, y, 0.1, average=True), 5, None)).w
    expected = next(islice(pegasos(X, y, 0.1, average=True), 5, None)).w
    np.testing.assert_allclose(w, expected, rtol=1e-9)
    if scipy.sparse.issparse(given_X):
        assert given_X.nnz == before.nnz
    else:
        np.testing.assert_array_equal(given_X, before)


X0, Y0 = problem(6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"lam": 0}, "lam must be a positive number, got 0"),
        ({"X": np.full((6, 2), np.nan)}, "X must be finite"),
        ({"X": scipy.sparse.csr_array([[np.inf], *5 * [[1]]])}, "X must be finite, got inf"),
        ({"X": scipy.sparse.csr_array((0, 3))}, "X must hold at least one example"),
        ({"X": scipy.sparse.csr_array(1j * X0)}, "X must hold real numbers, got complex128"),
        ({"y": np.ones(6)}, "y must hold the two labels"),
        ({"batch_size": 0}, "batch_size must be a positive integer, got 0"),
        ({"batch_size": 7}, "batch_size must be at most n = 6, got 7"),
        ({"average": "median"}, "average must be False, True or one of 'uniform', 'linear'"),
        ({"sample_weight": [1, 1, 1, 1, 1, 0]}, "sample_weight must be positive"),
        ({"rng": "x"}, "rng must be a seed"),
        ({"orders": 3}, "orders must be an iterable"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        pegasos(**{"X": X0, "y": Y0, "lam": 0.1, **arguments})
    if not {"X", "average"} & set(arguments):
        with pytest.raises(ValueError, match=message):
            kernel_pegasos(**{"K": X0 @ X0.T, "y": Y0, "lam": 0.1, **arguments})


def test_a_bad_order_is_an_error_when_it_is_reached():
    states = pegasos(X0, Y0, 0.1, orders=[[0, 1], [6]])
    assert [state.passes for state in islice(states, 2)] == [0, 1]
    with pytest.raises(ValueError, match="orders must yield integers from 0 to 5"):
        next(states)
    with pytest.raises(ValueError, match="steps must be at least 1"):
        convergence_bound(0, 1.0, 1.0)
    with pytest.raises(ValueError, match="K must be symmetric"):
        kernel_pegasos(np.arange(36.0).reshape(6, 6), Y0, 0.1)
