"""What the lesson and its further notebooks say in words, and no output of theirs shows."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

import kernellab as kl
from kernellab.lessons import approximation
from kernellab.lessons.approximation.figures import (
    digits_columns,
    fourier,
    gram_columns,
    landmarks,
    mkl_triangle,
    noise_kernels,
)
from kernellab.lessons.approximation.theory.published import hundred_digits

CLUSTERS, CLOUD = landmarks.CLUSTERS, landmarks.CLOUD
KERNEL = kl.Gaussian.from_bandwidth(0.6)


def reached(share, goal=0.01):
    """Return the first m at which a share is below the goal."""
    return int(np.argmax(share < goal)) + 1


def test_one_percent_takes_99_columns_or_23_with_care():
    uniform, _, eigenvectors = gram_columns.lost_by_columns(gram_columns.TEN_DIGITS, 2)
    assert reached(uniform) == 99 and uniform[118] > 1e-5 > abs(uniform[119])
    assert reached(gram_columns.lost_by_columns(gram_columns.POINTS, 0.6)[1]) == 23
    assert uniform[15] == pytest.approx(0.2, abs=0.02) and eigenvectors[15] < uniform[15] / 2


def test_seven_of_eight_crowd_and_care_gains_less_on_a_round_cloud():
    drawn = kl.choose_landmarks(KERNEL, approximation.SAMPLES[CLUSTERS], 8, rng=0)
    assert (np.linalg.norm(drawn - [-1.3, -0.7], axis=1) < 1).sum() == 7
    uniform, kmeans, leverage, cholesky = landmarks.rivals(CLOUD, 8, 0.6).mean(axis=1)
    assert kmeans / uniform > 0.8 and np.ptp([uniform, leverage, cholesky]) < 0.04
    clustered = landmarks.rivals(CLUSTERS, 8, 0.6).mean(axis=1)
    assert 0.5 < clustered[1] / clustered[0] < 0.65
    assert clustered.argmin() == 1 and clustered[2:].argmin() == 1


def test_64_columns_are_a_point_below_the_exact_machine():
    X, y = approximation.unit_digits()
    train, test = slice(600), slice(1200, None)
    shown = {how: digits_columns.trained(how, 64, 10.0) for how in digits_columns.HOW.values()}
    exact = digits_columns.trained_exactly(10.0)
    assert all(0.005 < exact - run.accuracy < 0.015 for run in shown.values())
    assert shown["uniform"].lost == pytest.approx(0.08, abs=0.005)
    assert shown["eigenvectors"].lost == pytest.approx(0.03, abs=0.005)
    few = [digits_columns.trained(how, 8, 10.0).accuracy for how in digits_columns.HOW.values()]
    assert 0.8 < min(few) < 0.82
    fold, right = kl.stratified_folds(y[train], 5), {}
    for C in (1.0, 10.0, 100.0):
        model = kl.OneVsRestClassifier(kl.KernelSVC(kl.Polynomial(2, 0.0), C=C))
        right[C] = np.mean([
            model.fit(X[train][fold != k], y[train][fold != k]).score(
                X[train][fold == k], y[train][fold == k]
            )
            for k in range(5)
        ])  # fmt: skip
    assert max(right, key=right.get) == 10.0
    model = kl.OneVsRestClassifier(kl.KernelSVC(kl.Polynomial(2, 0.0), C=10.0, gap=1e-5))
    assert model.fit(X[train], y[train]).score(X[test], y[test]) == pytest.approx(0.982, abs=6e-4)


def test_few_kernel_values_are_read():
    values = {n: (n * 64 + 64**2) / (n * (n + 1) / 2) for n in (600, 100_000)}
    assert values[600] == pytest.approx(1 / 4, abs=0.02)
    assert values[100_000] == pytest.approx(1 / 780, rel=1e-3)


def test_the_published_recipe_loses_nothing_and_converged_machines_gain():
    pixels, eigen = (
        approximation.published(*how, 4).mean() for how in (("pixels", 0.01), ("eigen", 0.1))
    )
    assert eigen > pixels - 0.01  # 0.12 were printed
    machine = kl.OneVsRestClassifier(kl.LinearSVC(C=10))
    gains = []
    for seed in range(10):
        data = hundred_digits(seed)
        right = [
            machine.fit(F, data.y).score(F_new, data.y_new)
            for F, F_new in (data.eigen, data.pixels)
        ]
        gains.append(right[0] - right[1])
    assert np.mean(gains) == pytest.approx(0.03, abs=0.01)


def test_landmarks_are_seven_times_nearer_than_cosines():
    columns, (marks, cosines) = fourier.errors_by_columns(fourier.GAUSSIAN, 1.0)
    at = list(columns).index(60)
    assert cosines[at] / marks[at] == pytest.approx(7, abs=0.7)


def test_a_small_cost_selects_and_a_large_one_averages():
    data = approximation.kernels_of(approximation.THIRDS_OF_DIGITS)
    at = {C: mkl_triangle.optimum(approximation.THIRDS_OF_DIGITS, 1.0, C, 1.0) for C in (0.1, 10.0)}
    assert at[0.1].weights.round(3).tolist() == [0, 1, 0]
    assert np.abs(at[10.0].weights - 1 / 3).max() < 0.04
    states = kl.mkl_alternating(data.Ks, data.y, 1.0)
    assert next(k for k in count(1) if next(states).gap <= 1e-3) == 5


def test_narrow_noise_gets_weight_and_does_little_harm():
    def weight_and_errors(C, k):
        run = noise_kernels.train_with_noise(k, C)
        errors = [noise_kernels.error_of(k, svm)[0] for svm in (run.learnt, run.alone)]
        return run.learnt.weights[1], *errors

    assert weight_and_errors(1.0, 12)[0] == pytest.approx(1 / 3, abs=0.03)
    weight, error, alone = weight_and_errors(10.0, 12)
    assert weight > 0.6 and (error, alone) == pytest.approx((0.075, 0.068), abs=6e-4)
    _, error, alone = weight_and_errors(10.0, 9)
    assert error > 2 * alone
    grown = [noise_kernels.train_with_noise(12, C).learnt.weights[1] for C in (0.1, 1, 3, 10, 100)]
    assert grown[0] < grown[1] < grown[2] and np.ptp(grown[2:]) < 1e-3
    data, learnt = noise_kernels.signal_and_noise(9), noise_kernels.train_with_noise(9, 10.0).learnt
    signal, noise = learnt.weights[:, None] * (data.tests @ (learnt.alpha * data.y))
    assert np.mean(np.abs(noise) > np.abs(signal)) == pytest.approx(0.2, abs=0.03)


def test_four_machines_are_alike_and_a_single_kernel_is_behind():
    pairs = approximation.rivals_on_splits().mean(axis=1)
    behind = pairs - pairs[:, [2]]  # the average
    error = behind.std(axis=0, ddof=1) / np.sqrt(len(pairs))
    assert (np.abs(behind.mean(axis=0)) <= 2 * error)[[0, 1, 2, 4]].all()
    assert behind.mean(axis=0)[3] < -2 * error[3]


def test_the_left_half_tells_3_from_8_and_norms_spread_the_weight():
    figure = approximation.DigitsKernels(pair=(3, 8))
    assert figure.numbers["of_groups"][[0, 2]].sum() > 0.95
    figure.pair = (1, 8)
    used, accuracy = {}, {}
    for p in (1.0, 1.5):
        figure.p = p
        used[p], accuracy[p] = figure.numbers["used"], figure.numbers["accuracy"][0]
    assert (used[1.0], used[1.5]) == (4, 16)
    assert abs(accuracy[1.5][0] - accuracy[1.0][0]) < accuracy[1.0][1]


def test_a_crowd_has_a_twelfth_of_the_leverage_of_a_loner():
    leverage = kl.ridge_leverage_scores(KERNEL(approximation.SAMPLES[CLUSTERS]), 1.0)
    assert leverage[-5:].mean() / leverage[:75].mean() == pytest.approx(12, abs=1)


def test_waves_are_the_eigenvectors_of_shifted_rows():
    angles = 2 * np.pi * np.arange(60) / 60
    for kappa, kernel in (
        (np.exp(4 * np.cos(angles) - 4), True),
        (1.0 * (np.cos(angles) > 0.5), False),
    ):
        K = np.array([np.roll(kappa, i) for i in range(60)])
        p, waves = np.fft.fft(kappa).real / 60, np.exp(1j * np.outer(angles, np.arange(60)))
        np.testing.assert_allclose(K @ waves, 60 * p * waves, atol=1e-9)
        assert kl.is_positive_semidefinite(K) == (p.min() > -1e-12) == kernel
