"""Multiple kernel learning against quadratic programming, grids, finite differences and bounds."""

import itertools

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits, load_wine
from sklearn.svm import SVC

import kernellab.solvers.mkl
from kernellab.certificates import svm_certificate
from kernellab.kernels import Gaussian, Linear, Normalized, Polynomial
from kernellab.solvers.mkl import (
    closed_form,
    dual_norm,
    gradient_step,
    mkl,
    mkl_alternating,
    mkl_certificate,
    mkl_step,
    normalize_kernels,
    project_on_simplex,
)
from kernellab.solvers.mkl.newton import WeightedRows, curvature
from kernellab.solvers.smo import smo
from kernellab.solving import NotConverged, solve


def problem(n=60, M=5, seed=0, noise=0.3):
    """Two moons of a sort, with Gaussian kernels of M widths, unit trace."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, np.pi, n)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = np.column_stack([np.cos(angle) * y + 0.5 * y, np.sin(angle) * y])
    X += rng.normal(scale=noise, size=X.shape)
    return np.array([Gaussian(g)(X) for g in np.geomspace(0.03, 30, M)]), y


def J(Ks, y, C, weights):  # noqa: N802
    """max_α of the SVM with these weights, with a bias, by LIBSVM to its last digit."""
    K = np.tensordot(weights, Ks, axes=1)
    machine = SVC(C=C, kernel="precomputed", tol=1e-10).fit(K, y)
    beta = np.zeros(len(y))
    beta[machine.support_] = machine.dual_coef_[0]
    return np.abs(beta).sum() - beta @ K @ beta / 2


# --- parts ----------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(v=st.lists(st.floats(-100, 100), min_size=1, max_size=8))
def test_the_projection_is_the_nearest_point_of_the_simplex(v):
    v = np.array(v)
    eta = project_on_simplex(v)
    assert eta.min() >= 0 and eta.sum() == pytest.approx(1.0, abs=1e-9)
    # Of a convex set: (v − η)·(ζ − η) ≤ 0 for all ζ in it, so for its corners.
    for corner in np.eye(len(v)):
        assert (v - eta) @ (corner - eta) <= 1e-9 * (1 + np.abs(v).max())


@pytest.mark.parametrize("p", [1.0, 1.3, 2.0, 5.0])
def test_the_closed_form_minimises_the_sum_of_squared_lengths_over_weights(p):
    rng = np.random.default_rng(1)
    weights, q = rng.uniform(0.1, 1, 4), rng.uniform(0.1, 3, 4)
    squared = weights**2 * q

    def cost(u):  # any u, as a point of the sphere ‖η‖_p = 1
        eta = np.abs(u) / np.linalg.norm(np.abs(u), p)
        return np.sum(squared / np.maximum(eta, 1e-300))

    eta = closed_form(weights, q, p)
    assert np.linalg.norm(eta, p) == pytest.approx(1.0, rel=1e-14)
    options = {"xatol": 1e-10, "fatol": 1e-13, "maxiter": 5000}
    best = scipy.optimize.minimize(cost, np.ones(4), method="Nelder-Mead", options=options)
    assert cost(eta) <= best.fun * (1 + 1e-12)


@pytest.mark.parametrize("p", [1.0, 1.5, 2.0, 10.0])
def test_the_dual_norm_is_the_largest_weighted_sum(p):
    q = np.array([0.5, 2.0, 1.0])
    rng = np.random.default_rng(0)
    etas = rng.exponential(size=(20_000, 3)) ** 2
    etas /= np.linalg.norm(etas, p, axis=1)[:, np.newaxis]
    largest = max((etas @ q).max(), q.max() if p == 1 else 0.0)
    assert largest <= dual_norm(q, p) * (1 + 1e-12)
    assert largest == pytest.approx(dual_norm(q, p), rel=2e-3)
    assert dual_norm(np.zeros(3), p) == 0.0
    assert dual_norm(1e300 * q, p) == pytest.approx(1e300 * dual_norm(q, p))


@pytest.mark.parametrize("bias", [False, True])
def test_gradient_and_curvature_against_finite_differences(bias):
    Ks, y = problem(n=60, M=3)
    kept = np.flatnonzero((y > 0) | (np.arange(60) < 20))  # unbalanced, so that the bias matters
    Ks, y = Ks[:, kept][:, :, kept], y[kept]
    weights = np.array([0.3, 0.5, 0.2])

    def solved(eta):
        K = np.tensordot(eta, Ks, axes=1)
        result = solve(smo(K, y, 1.0, bias=bias, gap=1e-13), gap=1e-12, max_passes=10_000)
        return result.dual, result.alpha

    def q(eta):
        coef = solved(eta)[1] * y
        return np.array([coef @ K @ coef for K in Ks])

    rows = WeightedRows(Ks)
    rows.weigh(weights)
    alpha = solved(weights)[1]
    rows.times(alpha * y)
    free = np.flatnonzero((alpha > 0) & (alpha < 1.0))
    H = curvature(rows, free, bias=bias)
    assert len(free) > 3
    for m, step in enumerate(1e-5 * np.eye(3)):
        slope = (solved(weights + step)[0] - solved(weights - step)[0]) / 2e-5
        assert slope == pytest.approx(-q(weights)[m] / 2, rel=1e-5)
        change = (q(weights - step) - q(weights + step)) / 2 / 2e-5
        np.testing.assert_allclose(H[m], change, rtol=1e-4, atol=1e-4 * np.abs(H).max())


# --- the answer -----------------------------------------------------------------------------------


@pytest.mark.parametrize("p", [1.0, 1.2, 2.0, 4.0])
@pytest.mark.parametrize("C", [0.1, 1.0, 100.0, 1e6])
@pytest.mark.parametrize("bias", [False, True])
def test_a_small_gap_recomputed_from_scratch(p, C, bias):
    Ks, y = problem()
    result = solve(mkl(Ks, y, C, p=p, bias=bias), gap=1e-7, max_passes=60)
    b = result.b if bias else None
    proof = mkl_certificate(Ks, y, result.alpha, result.weights, C, p=p, bias=b)
    assert result.status == "converged" and proof.gap <= 1e-6
    assert proof.primal == pytest.approx(result.primal, rel=1e-7)
    assert proof.dual == pytest.approx(result.dual, rel=1e-6)
    assert np.linalg.norm(result.weights, p) == pytest.approx(1.0) and result.weights.min() >= 0
    if p == 1:  # optimality: q_j is the largest wherever η_j > 0
        used = result.weights > 1e-4
        np.testing.assert_allclose(result.q[used], result.q.max(), rtol=1e-3)


@pytest.mark.parametrize("p", [1.0, 2.0])
def test_the_taught_version_gets_to_the_same_place(p):
    Ks, y = problem()
    fast = solve(mkl(Ks, y, 1.0, p=p), gap=1e-9, max_passes=60)
    taught = solve(mkl_alternating(Ks, y, 1.0, p=p), gap=5e-3, max_passes=300)
    proof = mkl_certificate(Ks, y, taught.alpha, taught.weights, 1.0, p=p)
    assert taught.status == "converged" and proof.gap <= 5.1e-3
    assert fast.dual <= proof.primal * (1 + 1e-8) and proof.dual <= fast.primal * (1 + 1e-8)
    assert taught.primal == pytest.approx(fast.primal, rel=5e-3)
    rough = solve(mkl(Ks, y, 1.0, p=p), gap=5e-3, max_passes=60)
    assert rough.passes <= taught.passes


@pytest.mark.parametrize("C", [0.3, 10.0])
def test_the_step_of_the_book_gets_to_the_same_place(C):
    Ks, y = problem()
    best, J_before, weights = solve(mkl(Ks, y, C), gap=1e-7), np.inf, np.full(5, 0.2)
    for _ in range(120):
        J_now = solve(smo(np.tensordot(weights, Ks, axes=1), y, C, bias=False)).primal
        assert J_now <= J_before * 1.002  # never up, as far as the gap of an SVM can tell
        J_before, weights = J_now, mkl_step(Ks, y, C, weights)
        assert weights.sum() == pytest.approx(1.0) and weights.min() >= 0
    assert J_now == pytest.approx(best.primal, rel=5e-3)
    np.testing.assert_allclose(weights, best.weights, atol=0.05)


def test_rough_svms_do_not_stop_it_where_most_examples_are_at_their_bound(monkeypatch):
    monkeypatch.setattr("kernellab.solvers.mkl.INNER_SHARE", 0.3)
    X, y = load_digits(return_X_y=True)
    X, y = X[:100] / 4, np.where(y[:100] % 2, 1.0, -1.0)
    groups = np.array_split(np.arange(64), 5)
    Ks = [Gaussian(g / len(group))(X[:, group]) for group in groups for g in (0.3, 3.0)]
    result = solve(mkl(Ks, y, 0.3, bias=True), gap=1e-6, max_passes=40)
    assert mkl_certificate(Ks, y, result.alpha, result.weights, 0.3, bias=result.b).gap <= 1e-6


def test_no_point_of_a_grid_is_better():
    Ks, y = problem(M=3)
    corners = [np.array([i, j, 10 - i - j]) / 10 for i in range(11) for j in range(11 - i)]
    lowest = min(J(Ks, y, 1.0, eta) for eta in corners)
    result = solve(mkl(Ks, y, 1.0, bias=True), gap=1e-8, max_passes=60)
    assert result.primal <= lowest * (1 + 1e-8)
    assert result.primal == pytest.approx(J(Ks, y, 1.0, result.weights), rel=1e-6)
    sphere = [eta / np.linalg.norm(eta) for eta in corners]
    result = solve(mkl(Ks, y, 1.0, p=2.0, bias=True), gap=1e-8, max_passes=60)
    assert result.primal <= min(J(Ks, y, 1.0, eta) for eta in sphere) * (1 + 1e-8)


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), C=st.floats(0.05, 50), p=st.sampled_from([1.0, 2.0]))
def test_bounds_hold_at_every_state(seed, C, p):
    Ks, y = problem(n=24, M=4, seed=seed)
    optimum = solve(mkl(Ks, y, C, p=p), gap=1e-8, max_passes=100)
    for states in (mkl(Ks, y, C, p=p), mkl_alternating(Ks, y, C, p=p)):
        for state in itertools.islice(states, 5):
            assert state.primal >= optimum.dual * (1 - 1e-9)
            assert state.dual <= optimum.primal * (1 + 1e-9)


def test_the_first_state_is_the_plain_average():
    Ks, y = problem()
    for states in (mkl(Ks, y, 1.0), mkl_alternating(Ks, y, 1.0)):
        first = next(states)
        assert first.passes == 1 and (first.weights == 0.2).all()
        proof = svm_certificate(Ks.mean(axis=0), y, first.alpha, 1.0)
        assert proof.gap <= 0.1
        np.testing.assert_allclose(first.scores, proof.scores, atol=1e-10)


# --- what must not matter, and what must ----------------------------------------------------------


def test_the_norm_selects_or_combines():
    Ks, y = problem()
    used = [np.count_nonzero(solve(mkl(Ks, y, 10.0, p=p), gap=1e-6).weights > 1e-6) for p in (1, 2)]
    assert used[0] < used[1] == 5


def test_a_warm_start_needs_fewer_svms():
    Ks, y = problem()
    cold = solve(mkl(Ks, y, 1.0), gap=1e-6)
    warm = solve(mkl(Ks, y, 1.05, start=cold.alpha, weights=cold.weights), gap=1e-6)
    assert warm.passes < cold.passes
    again = solve(mkl(Ks, y, 1.0, start=cold.alpha, weights=cold.weights), gap=1e-3)
    assert again.passes == 1
    np.testing.assert_allclose(again.weights, cold.weights, rtol=1e-15)


def test_costs_of_their_own():
    Ks, y = problem(n=30)
    C = np.where(y > 0, 5.0, 0.5)
    result = solve(mkl(Ks, y, C), gap=1e-7)
    assert mkl_certificate(Ks, y, result.alpha, result.weights, C).gap <= 1e-6
    # A duplicate is an example of twice the cost.
    doubled = solve(mkl([np.tile(K, (2, 2)) for K in Ks], np.tile(y, 2), 0.5), gap=1e-7)
    single = solve(mkl(Ks, y, 1.0), gap=1e-7)
    assert doubled.primal == pytest.approx(single.primal, rel=1e-6)


def test_an_honest_status():
    Ks, y = problem()
    with pytest.warns(NotConverged, match="stopped at the cap after 2 passes"):
        result = solve(mkl(Ks, y, 1.0), gap=1e-9, max_passes=2)
    assert result.status == "stopped at the cap"
    assert mkl_certificate(Ks, y, result.alpha, result.weights, 1.0).gap > 1e-9
    indefinite = np.array([[[1.0, 3.0, 0.0], [3.0, 1.0, 0.0], [0.0, 0.0, 1.0]]])
    for states in (mkl(indefinite, [1, -1, 1], 1.0), mkl_alternating(indefinite, [1, -1, 1], 1.0)):
        with pytest.warns(NotConverged, match="not a kernel"):
            assert solve(states, gap=1e-6).status == "not a kernel"


# --- normalisation --------------------------------------------------------------------------------


def test_normalised_kernels_have_one_size():
    X = np.random.default_rng(0).normal(size=(20, 3))
    kernels = [Linear(), Polynomial(3), 100 * Gaussian(1.0)]
    for kernel in normalize_kernels(kernels, X):
        assert np.trace(kernel(X)) == pytest.approx(20.0)
    assert normalize_kernels(kernels, X, "spherical") == [Normalized(k) for k in kernels]


# --- what is refused ------------------------------------------------------------------------------

K3, Y3 = np.eye(3), np.array([1.0, -1.0, 1.0])


@pytest.mark.parametrize("method", [mkl, mkl_alternating])
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"Ks": K3}, r"Ks must have shape \(n_kernels, n, n\), .* got \(3, 3\)"),
        ({"Ks": []}, "Ks must hold at least one Gram matrix"),
        ({"Ks": None}, "Ks must have shape .* got NoneType"),
        ({"Ks": [K3, np.eye(2)]}, r"Ks must be of the same examples, got sizes \[2, 3\]"),
        ({"Ks": [K3, np.triu(np.ones((3, 3)))]}, r"Ks\[1\] must be symmetric"),
        ({"Ks": [-K3]}, r"Ks\[0\] must not have a negative diagonal"),
        ({"y": [1, 1, 1]}, "y must hold the two labels"),
        ({"C": 0.0}, "C must be a positive number"),
        ({"p": 0.5}, "p must be a number of at least 1, got 0.5"),
        ({"start": [1.0]}, "start must have shape"),
        ({"weights": [1.0, -1.0]}, "weights must be at least 0"),
        ({"weights": [0.0, 0.0]}, "weights must be at least 0, and not all of them 0"),
    ],
)
def test_bad_arguments_are_named(method, arguments, words):
    with pytest.raises(ValueError, match=words):
        method(**{"Ks": [K3, 2 * K3], "y": Y3, "C": 1.0, **arguments})


def test_bad_certificates_and_normalisations_are_named():
    for wrong in (1.5, -0.5):
        with pytest.raises(ValueError, match=r"weights must be at least 0 with .* at most 1"):
            mkl_certificate([K3], Y3, np.zeros(3), [wrong], 1.0)
    with pytest.raises(ValueError, match="alpha must have shape"):
        mkl_certificate([K3], Y3, np.zeros(2), [1.0], 1.0)
    with pytest.raises(ValueError, match="how must be 'trace' or 'spherical', got 'unit'"):
        normalize_kernels([Linear()], np.eye(2), "unit")
    with pytest.raises(ValueError, match="kernels must be at least one Kernel"):
        normalize_kernels(["rbf"], np.eye(2))
    with pytest.raises(ValueError, match=r"mean k\(x, x\) = 0 for Linear"):
        normalize_kernels([Linear()], np.zeros((2, 2)))
    with pytest.raises(ValueError, match="v must be finite"):
        project_on_simplex([np.nan, 1.0])


def test_a_gradient_step_moves_towards_the_largest_q():
    q = np.array([1.0, 3.0, 2.0])
    stepped = gradient_step(np.full(3, 1 / 3), q, 100)
    assert stepped.argmax() == 1 and stepped.sum() == pytest.approx(1.0)
    assert (gradient_step(np.full(3, 1 / 3), np.zeros(3), 1) == 1 / 3).all()


# --- hard problems --------------------------------------------------------------------------------


def one_kernel_a_column(X):
    """Linear kernels of unit trace, of rank one: their sum is singular, and most steps too long."""
    return np.array([np.outer(x, x) / np.mean(x * x) for x in X.T])


def noisy_plane(n=60, d=8):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, np.where(X @ rng.normal(size=d) + 2 * rng.normal(size=n) > 0, 1.0, -1.0)


@pytest.fixture
def svm_passes(monkeypatch):
    """The passes of each SVM that is solved."""
    passes = []
    run = kernellab.solvers.mkl._run

    def counted(states, gap):
        state = run(states, gap)
        passes.append(state.passes)
        return state

    monkeypatch.setattr(kernellab.solvers.mkl, "_run", counted)
    return passes


@pytest.mark.parametrize("p", [1.0, 1.1, 1.3])
def test_no_svm_is_asked_for_more_than_rounding_leaves(p, svm_passes):
    X, y = noisy_plane()
    Ks = one_kernel_a_column(X)
    result = solve(mkl(Ks, y, 1.0, p=p), gap=1e-6, max_passes=60)
    assert (
        result.converged
        and mkl_certificate(Ks, y, result.alpha, result.weights, 1.0, p=p).gap < 2e-6
    )
    assert sum(svm_passes) < 500  # a goal below rounding takes 5000 for one


def test_the_model_may_lose_its_curvature_to_rounding():
    X, kind = load_wine(return_X_y=True)
    X, y = (X / X.std(axis=0))[:100], np.where(kind[:100] == 0, -1.0, 1.0)
    Ks = one_kernel_a_column(X)
    result = solve(mkl(Ks, y, 1.0, bias=True), gap=1e-3, max_passes=60)
    assert result.converged
    found = mkl_certificate(Ks, y, result.alpha, result.weights, 1.0, bias=result.b)
    assert found.gap <= 1.001e-3


@pytest.mark.parametrize("bias", [False, True])
def test_a_cost_beyond_all_solvers_ends_soon_and_says_so(bias, svm_passes):
    X, y = noisy_plane()
    with pytest.warns(NotConverged, match="gap"):
        result = solve(mkl(one_kernel_a_column(X), y, 1e300, bias=bias), max_passes=200)
    assert result.status == "stalled" and result.gap > 0.1
    assert len(svm_passes) < 20


def test_svms_at_their_cap_come_to_an_end(svm_passes, monkeypatch):
    Ks, y = problem()
    monkeypatch.setattr(kernellab.solvers.mkl, "MOST_PASSES", 20)
    states = list(itertools.islice(mkl(Ks, y, 1e12, p=2.0, bias=True), 100))
    assert len(states) < 100 and 0 < states[-1].gap < 0.1
    assert svm_passes.count(20) == 10
