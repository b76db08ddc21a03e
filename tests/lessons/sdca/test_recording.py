"""Runs kept update by update, and known targets."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab.certificates import svm_certificate
from kernellab.datasets.targets import make_outside_circle, make_quarters, outside_circle, quarters
from kernellab.kernels import Gaussian
from kernellab.lessons.sdca.theory.recording import record
from kernellab.losses import epsilon_insensitive
from kernellab.solvers.sdca import sdca


def problem(n: int = 12):
    data = make_quarters(n, 3)
    return Gaussian(30.0)(data.X), data.y


def test_a_recording_holds_what_the_solver_did():
    K, y = problem()
    run = record(K, y, 2.0, updates=30, rng=5)
    assert run.alphas.shape == run.scores.shape == (31, 12)
    states = sdca(K, y, 2.0, rng=5, one_at_a_time=True)
    for t, state in zip(range(31), states, strict=False):
        np.testing.assert_array_equal(run.alphas[t], state.alpha)
        np.testing.assert_allclose(run.scores[t], state.scores, atol=1e-12)
        assert (run.primal[t], run.dual[t]) == (state.primal, state.dual)
        assert t == 0 or run.i[t - 1] == state.i


def test_its_numbers_are_certified_from_scratch():
    K, y = problem()
    run = record(K, y, 2.0, updates=40)
    for t in (0, 7, 40):
        proof = svm_certificate(K, y, run.alphas[t], 2.0)
        assert run.primal[t] == pytest.approx(proof.primal)
        assert run.absolute_gap[t] == pytest.approx(proof.primal - proof.dual)
    assert np.all(np.diff(run.dual) >= -1e-12)


def test_a_recording_of_a_regression_and_of_a_warm_start():
    K, y = problem()
    start = np.linspace(-1, 1, 12)
    run = record(K, 0.7 * y, 0.5, updates=12, loss=epsilon_insensitive(0.1), start=start)
    np.testing.assert_array_equal(run.alphas[0], start.clip(-0.5, 0.5))
    np.testing.assert_allclose(run.scores[-1], K @ run.alphas[-1])


def test_orders_end_a_recording():
    K, y = problem()
    run = record(K, y, 1.0, updates=99, orders=[np.array([3, 3, 1])])
    assert run.i.tolist() == [3, 3, 1]
    assert run.alphas[-1, 3] == run.alphas[1, 3]  # the second time there is nothing left to gain
    with pytest.raises(ValueError, match="updates"):
        record(K, y, 1.0, updates=0)


def test_targets_by_hand():
    assert quarters([0, 0.24, 0.25, 0.49, 0.5, 0.74, 0.75, 1.0]).tolist() == [
        -1, -1, 1, 1, -1, -1, 1, 1
    ]  # fmt: skip
    assert outside_circle([[0, 0], [0.8, 0.4], [1, 0], [0.6, 0.6]]).tolist() == [-1, 1, 1, -1]
    data = make_quarters(20, 0)
    assert data.X.shape == (20, 1)
    assert np.all(np.diff(data.X[:, 0]) > 0)
    np.testing.assert_array_equal(data.y, quarters(data.X[:, 0]))


def test_the_points_of_the_legacy_generator():
    train, test = make_outside_circle(), make_outside_circle(seed=54321)
    np.random.seed(12345)
    np.testing.assert_array_equal(train.X, np.random.rand(100, 2))
    assert (np.mean(train.y < 0), np.mean(test.y < 0)) == (0.60, 0.59)
