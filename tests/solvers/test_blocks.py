"""Solvers over blocks: one block is the solver in memory; of several, the gap proves the answer."""

import tracemalloc
from itertools import islice

import numpy as np
import pytest
import scipy.sparse
from sklearn.linear_model import Ridge

from kernellab.certificates import svm_certificate
from kernellab.kernels import Gaussian
from kernellab.losses import epsilon_insensitive, hinge, squared, squared_hinge
from kernellab.solvers.blocks import (
    descend_over_blocks,
    pegasos_over_blocks,
    ridge_over_blocks,
    ridge_sums,
)
from kernellab.solvers.blocks.descent import _join_steps, sweep_block
from kernellab.solvers.blocks.reading import Reader
from kernellab.solvers.fourier import fourier_map
from kernellab.solvers.linear import dual_coordinate_descent
from kernellab.solvers.nystrom import nystrom_map
from kernellab.solvers.pegasos import pegasos
from kernellab.solvers.perceptron import homogeneous
from kernellab.solvers.ridge import LamRaised, ridge
from kernellab.solving import NotConverged, solve


def problem(n=400, d=10, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.where(X[:, 0] - 0.5 * X[:, 1] + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)


def cut(X, y, blocks):
    rows = np.array_split(np.arange(len(y)), blocks)
    return [(X[part], y[part]) for part in rows]


def after(passes, states):
    return next(islice(states, passes, None))


# --- one block is the solver in memory, bit for bit -----------------------------------------------


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("rng", [0, None])
@pytest.mark.parametrize("loss", [hinge, squared_hinge], ids=lambda loss: loss.name)
def test_one_block_descends_as_in_memory(loss, rng, sparse):
    X, y = problem(150)
    rows = scipy.sparse.csr_array(X * (np.abs(X) > 0.5)) if sparse else X
    options = {"loss": loss, "bias": 1.0, "rng": rng}
    for passes in (0, 1, 2, 7):
        there = after(passes, dual_coordinate_descent(rows, y, 3.0, **options))
        ours = after(passes, descend_over_blocks([(rows, y)], 3.0, **options))
        assert ours.steps == there.steps
        np.testing.assert_array_equal(ours.alpha, there.alpha, strict=True)
        np.testing.assert_array_equal(ours.w, there.w, strict=True)
        assert (ours.b, ours.primal, ours.dual) == (there.b, there.primal, there.dual)
        assert ours.gap == there.gap


@pytest.mark.parametrize("loss", [squared, epsilon_insensitive(0.1)], ids=lambda loss: loss.name)
def test_one_block_of_a_regression_too(loss):
    X, _ = problem(100)
    y = X[:, 0] - X[:, 1]
    there = after(5, dual_coordinate_descent(X, y, 1.0, loss=loss))
    ours = after(5, descend_over_blocks([(X, y)], 1.0, loss=loss))
    np.testing.assert_array_equal(ours.coef, there.coef)
    assert ours.gap == there.gap
    with pytest.raises(AttributeError, match="no alpha"):
        _ = ours.alpha


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"average": True},
        {"average": "linear", "batch_size": 7},
        {"project": True, "average": "linear"},
        {"rng": None},
    ],
)
def test_one_block_takes_the_steps_of_pegasos(options, sparse):
    X, y = problem(150)
    rows = scipy.sparse.csr_array(X * (np.abs(X) > 0.5)) if sparse else X
    for passes in (0, 1, 6):
        there = after(passes, pegasos(rows, y, 0.01, **options))
        ours = after(passes, pegasos_over_blocks([(rows, y)], 0.01, **options))
        assert (ours.steps, ours.n_violations) == (there.steps, there.n_violations)
        np.testing.assert_array_equal(ours.w, there.w, strict=True)
        assert (ours.objective, ours.dual, ours.gap) == (there.objective, there.dual, there.gap)


@pytest.mark.parametrize("blocks", [1, 5])
@pytest.mark.parametrize("bias", [False, True])
def test_ridge_is_the_solution_of_its_equations(blocks, bias):
    X, y = problem(100)
    Y = np.column_stack([y, X[:, 2] + 3.0])
    ours = ridge_over_blocks(cut(X, Y, blocks), 2.0, bias=bias)
    theirs = Ridge(2.0, fit_intercept=bias).fit(X, Y)
    np.testing.assert_allclose(ours.w, theirs.coef_.T, rtol=1e-9)
    np.testing.assert_allclose(ours.b, np.broadcast_to(theirs.intercept_, 2), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ours.scores(X), theirs.predict(X), rtol=1e-9, atol=1e-9)
    assert ours.n == 100
    assert 0 <= ours.gap < 1e-12
    residuals = Y - ours.scores(X)
    assert ours.objective == pytest.approx((residuals**2).sum() + 2.0 * (ours.w**2).sum())


def test_ridge_on_features_is_kernel_ridge_with_their_kernel():
    X, y = problem(120)
    phi = nystrom_map(Gaussian(0.1), X[:30])
    ours = ridge_over_blocks(cut(X, y, 6), 0.5, features=phi, bias=False)
    Z = phi(X)
    np.testing.assert_allclose(ours.scores(X), Z @ Z.T @ ridge(Z @ Z.T, y, 0.5).coef, atol=1e-9)
    one = ridge_over_blocks([(X, y)], 0.5, features=phi, bias=False)
    G = Z.T @ Z
    np.testing.assert_array_equal(
        one.w, ridge_sums([(X, y)], features=phi).weights(0.5, bias=False)[0]
    )
    np.testing.assert_array_equal(ridge_sums([(X, y)], features=phi).zz, G)


# --- several blocks: the gap proves it ------------------------------------------------------------


@pytest.mark.parametrize("at_once", [1, 3, 8])
@pytest.mark.parametrize("C", [0.1, 1.0])
def test_many_small_blocks_reach_a_small_gap(C, at_once):
    # Without collecting the active examples: 500 passes, and gaps of 1e-4 and more.
    X, y = problem()
    found = solve(
        descend_over_blocks(cut(X, y, 8), C, bias=1.0, at_once=at_once), gap=1e-6, max_passes=60
    )
    assert found.converged
    checked = svm_certificate(X @ X.T + 1, y, found.alpha, C)
    assert checked.gap <= 1.1e-6
    assert checked.primal == pytest.approx(found.primal, rel=1e-9)
    assert checked.dual == pytest.approx(found.dual, rel=1e-9)
    np.testing.assert_allclose(found.scores(X), X @ found.w + found.b)
    assert 0 < found.share <= 1


@pytest.mark.parametrize(
    "loss", [hinge, squared_hinge, squared, epsilon_insensitive(0.1)], ids=lambda loss: loss.name
)
def test_no_pass_lowers_the_dual(loss):
    X, y = problem()
    states = descend_over_blocks(cut(X, y, 8), 1.0, loss=loss, at_once=8)
    duals = [state.dual for state in islice(states, 12)]
    assert np.all(np.diff(duals) >= -1e-9 * np.abs(duals[1:]))


def test_the_gain_of_a_step_is_the_dual_it_adds():
    X, y = problem(60)
    reader, w, alpha = Reader(loss=squared_hinge), np.zeros(10), np.zeros(60)
    alpha[:30] = 0.2
    w = X.T @ (y * alpha)
    swept = sweep_block(reader, (X, y), 2.0, alpha, w, np.arange(60), 60)
    for share in (0.3, 1.0):
        new = alpha + share * (swept.variables - alpha)
        K = X @ X.T
        gained = (
            svm_certificate(K, y, new, 2.0, loss=squared_hinge).dual
            - svm_certificate(K, y, alpha, 2.0, loss=squared_hinge).dual
        )
        curvature = swept.bend + (swept.w - w) @ (swept.w - w)
        assert gained == pytest.approx(swept.rise * share - curvature * share**2 / 2)


def test_steps_that_agree_go_too_far_together():
    X, y = problem(60)
    K, w = np.tile(X, (8, 1)) @ np.tile(X, (8, 1)).T, np.zeros(10)
    reader, order = Reader(loss=hinge), np.arange(60)
    swept = [sweep_block(reader, (X, y), 1.0, np.zeros(60), w, order, 60) for _ in range(8)]
    joined, share = _join_steps(swept, w)
    step = np.concatenate([result.variables for result in swept])

    def dual(taken):
        return svm_certificate(K, np.tile(y, 8), taken * step, 1.0).dual

    assert 1 / 8 <= share < 0.5
    assert dual(share) > dual(1 / 8) > 0 > dual(1.0)
    assert dual(share) >= max(dual(0.95 * share), dual(1.05 * share))
    np.testing.assert_allclose(joined, np.tile(X, (8, 1)).T @ (np.tile(y, 8) * share * step))


def test_blocks_sorted_by_class_are_no_harder():
    X, y = problem()
    order = np.argsort(y)
    found = solve(descend_over_blocks(cut(X[order], y[order], 8), 0.1, at_once=4), gap=1e-5)
    assert found.converged


def test_pegasos_over_blocks_reaches_its_one_percent():
    X, y = problem(4000)
    found = solve(pegasos_over_blocks(cut(X, y, 7), 0.01, bias=1.0, average="linear"), gap=0.01)
    best = solve(dual_coordinate_descent(X, y, 1 / (0.01 * 4000), bias=1.0), gap=1e-6)
    optimum = best.primal * 0.01
    assert found.dual <= optimum * (1 + 1e-6)
    assert optimum * (1 - 1e-6) <= found.objective <= optimum * 1.011
    assert found.lam == 0.01
    with_constant = pegasos(homogeneous(X), y, 0.01, average="linear")
    assert solve(with_constant, gap=0.01).objective == pytest.approx(optimum, rel=0.012)


def test_what_did_not_converge_says_so_with_its_gap():
    X, y = problem()
    with pytest.warns(NotConverged, match=r"stopped at the cap after 2 passes with gap .*1e-09"):
        found = solve(descend_over_blocks(cut(X, y, 8), 10.0), gap=1e-9, max_passes=2)
    assert found.status == "stopped at the cap"
    assert found.gap > 1e-9
    with pytest.warns(NotConverged, match="stopped at the cap"):
        solve(pegasos_over_blocks(cut(X, y, 8), 1e-4), gap=1e-6, max_passes=2)


# --- ten classes, features, and blocks that are loaded --------------------------------------------


def test_classes_are_columns_and_one_is_told_from_the_rest():
    X, _ = problem(300, 4)
    labels = np.array(["cat", "dog", "eel"])[(X[:, 0] > 0).astype(int) + (X[:, 1] > 0)]
    blocks = cut(X, labels, 4)
    phi = fourier_map(Gaussian(0.2), 4, 40)
    ours = ridge_over_blocks(blocks, 0.1, features=phi, classes=["cat", "dog", "eel"])
    assert ours.scores(X).shape == (300, 3)
    predicted = np.array(["cat", "dog", "eel"])[ours.scores(X).argmax(axis=1)]
    assert np.mean(predicted == labels) > 0.9
    eel = solve(descend_over_blocks(blocks, 1.0, features=phi, positive="eel", bias=1.0))
    assert np.mean((eel.scores(X) > 0) == (labels == "eel")) > 0.9
    by_hand = solve(dual_coordinate_descent(phi(X), np.where(labels == "eel", 1, -1), 1.0, bias=1))
    assert eel.primal == pytest.approx(by_hand.primal, rel=2e-3)


def test_sums_of_parts_add_up_and_serve_any_lam():
    X, y = problem(90)
    first, second = ridge_sums(cut(X, y, 2)[:1]), ridge_sums(cut(X, y, 2)[1:])
    together = first + second
    assert together.n == 90
    for lam in (0.1, 10.0):
        w, b, used = together.weights(lam)
        direct = ridge_over_blocks([(X, y)], lam)
        assert used == lam
        np.testing.assert_allclose(np.append(w, b), np.append(direct.w, direct.b), rtol=1e-9)


class Drawn:
    """Blocks that are made when they are read: never two of them are there."""

    def __len__(self):
        return 10

    def __getitem__(self, b):
        return problem(500, 100, seed=b)


def test_one_block_at_a_time_is_in_memory():
    states = descend_over_blocks(Drawn(), 1e-3)
    solve(states, gap=0.1, max_passes=1, warn=False)  # what is compiled and imported
    tracemalloc.start()
    found = solve(descend_over_blocks(Drawn(), 1e-3), gap=1e-3, max_passes=10)
    ridge_over_blocks(Drawn(), 1.0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.converged
    assert peak < 0.5 * 10 * 500 * 100 * 8  # of all of X


# --- bad blocks are named, before anything is done ------------------------------------------------


def with_bad(b, X=None, y=None):
    blocks = cut(*problem(), 5)
    good = blocks[b]
    blocks[b] = (good[0] if X is None else X, good[1] if y is None else y)
    return blocks


NAN = np.where(np.arange(800).reshape(80, 10) == 37, np.nan, 1.0)
CASES = [
    (with_bad(3, X=NAN), r"block 3: X must be finite, got nan at \[3, 7\]"),
    (with_bad(2, X=np.ones((80, 7))), "block 2 must be like block 0, got 7 features, .* has 10"),
    (with_bad(1, y=np.ones(79)), "block 1: y must"),
    (with_bad(1, X=np.ones((0, 10)), y=np.ones(0)), "block 1: X must hold at least one example"),
    (with_bad(4, X=scipy.sparse.csr_array(np.ones((80, 10)))), "block 4 must be like block 0"),
    ([problem()[0]], "block 0: must be a pair"),
    ([], "at least one block"),
    (iter([problem()]), "must be a list of pairs"),
]


@pytest.mark.parametrize(("blocks", "words"), CASES)
@pytest.mark.parametrize("solver", [descend_over_blocks, pegasos_over_blocks, ridge_over_blocks])
def test_a_bad_block_is_named(solver, blocks, words):
    with pytest.raises(ValueError, match=words):
        solver(blocks, 1.0)


def test_bad_labels_are_named():
    X, y = problem()
    for solver in (descend_over_blocks, pegasos_over_blocks):
        with pytest.raises(ValueError, match=r"block 2: y must hold labels -1 or \+1"):
            solver(with_bad(2, y=np.full(80, 3.0)), 1.0)
        with pytest.raises(ValueError, match="one kind of label only in all blocks"):
            solver(cut(X, np.ones(400), 4), 1.0)
        with pytest.raises(ValueError, match="'dog' and others, got one kind"):
            solver(cut(X, np.full(400, "cat"), 4), 1.0, positive="dog")
        with pytest.raises(ValueError, match="block 0: X must have 7 features"):
            next(solver(cut(X, y, 4), 1.0, features=fourier_map(Gaussian(1.0), 7, 5)))
    with pytest.raises(ValueError, match=r"block 0: y must hold the labels of classes, got 1\.0"):
        ridge_over_blocks(cut(X, y, 4), 1.0, classes=[-1, 0])
    with pytest.raises(ValueError, match="batch_size must be at most what each block holds, 100"):
        pegasos_over_blocks(cut(X, y, 4), 1.0, batch_size=101)


@pytest.mark.parametrize("bad", [0, -1.0, np.nan, "1", None])
def test_bad_numbers_are_refused_before_the_first_step(bad):
    blocks = cut(*problem(), 4)
    for solver in (descend_over_blocks, pegasos_over_blocks, ridge_over_blocks):
        with pytest.raises(ValueError, match="must be a positive number"):
            solver(blocks, bad)
    with pytest.raises(ValueError, match="at_once"):
        descend_over_blocks(blocks, 1.0, at_once=0)


def test_a_lam_below_rounding_is_raised_and_said():
    X, y = problem(50)
    X = np.hstack([X, X])
    with pytest.warns(LamRaised, match="was raised to"):
        found = ridge_over_blocks([(X, y)], 1e-30)
    assert found.lam > 1e-30


def test_scores_of_another_width_are_refused():
    X, y = problem()
    for model in (ridge_over_blocks([(X, y)], 1.0), after(1, descend_over_blocks([(X, y)], 1.0))):
        with pytest.raises(ValueError, match="X must have 10 features, got 3"):
            model.scores(np.ones((2, 3)))
