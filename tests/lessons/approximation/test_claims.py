"""What the lesson and its further notebooks say in words, and no output of theirs shows."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

import kernellab as kl
from kernellab.lessons import approximation
from kernellab.lessons.approximation.figures import (
    digits_columns,
    digits_mkl,
    fourier,
    gram_columns,
    landmarks,
    mkl_data,
    mkl_triangle,
    noise_kernels,
)
from kernellab.lessons.approximation.theory.mkl_surface import weighted_svm
from kernellab.lessons.approximation.theory.published import eigen_features

CLUSTERS = landmarks.CLUSTERS
KERNEL = kl.Gaussian.from_bandwidth(0.6)


def reached(share, goal=0.01):
    """Return the first m at which a share is below the goal."""
    return int(np.argmax(share < goal)) + 1


@pytest.mark.parametrize(
    ("data", "dial", "fewest", "most"),
    [(gram_columns.TEN_DIGITS, 2, 94, 99), (gram_columns.POINTS, 0.6, 51, 120)],
)
def test_one_percent_takes_nearly_all_columns_at_random_and_23_points_with_care(
    data, dial, fewest, most
):
    X, kernel = gram_columns.examples(data)[0], gram_columns.kernel_of(data, dial)
    uniform, cholesky, eigenvectors = gram_columns.lost_by_columns(data, dial)
    lost = {}
    for seed in range(10):
        order = np.random.default_rng(seed).permutation(len(X))
        lost[seed] = reached(gram_columns.lost_in_order(kernel, X, order))
        if data == gram_columns.POINTS:  # until then an outlier is missing, or nearly
            assert lost[seed] >= np.sort(np.flatnonzero(order >= 117))[-2]
    assert (min(lost.values()), max(lost.values())) == (fewest, most)
    assert lost[0] == reached(uniform)
    careful = reached(cholesky), reached(eigenvectors)
    assert careful == ((23, 19) if data == gram_columns.POINTS else (91, 65))
    if data == gram_columns.POINTS:
        drawn = []
        for seed in range(10):
            order = kl.pivoted_cholesky(kernel, X, len(X), rng=seed)[1]
            drawn.append(reached(gram_columns.lost_in_order(kernel, X, order)))
        assert (drawn[0], min(drawn), max(drawn)) == (23, 22, 25)


def test_no_six_is_drawn_among_sixteen_and_the_diagonal_stays_longest():
    X, y = gram_columns.examples(gram_columns.TEN_DIGITS)
    K = kl.Polynomial(2, 0)(X)
    block = {}
    for m, sixes in ((16, 0), (36, 2)):
        Phi, rows = gram_columns.approximate(gram_columns.TEN_DIGITS, 2, "uniform", m)
        missing = np.abs(K - Phi @ Phi.T)
        block[m] = [missing[np.ix_(y == digit, y == digit)].mean() for digit in range(10)]
        assert (y[rows] == 6).sum() == sixes
    assert np.argmax(block[16]) == 6 and block[36][6] < block[16][6] / 5
    assert missing.diagonal().mean() > 5 * missing[~np.eye(120, dtype=bool)].mean()


def test_centres_lose_little_more_than_half_and_cholesky_spends_on_loners():
    uniform, kmeans = landmarks.rivals(CLUSTERS, 8, 0.6).mean(axis=1)
    X = landmarks.SAMPLES[CLUSTERS]
    drawn = [kl.choose_landmarks(KERNEL, X, 8, how="cholesky", rng=k) for k in range(10)]
    cholesky = np.mean([landmarks.lost_share(KERNEL, X, Z) for Z in drawn])
    assert 0.5 < kmeans / uniform < 0.65 and cholesky > kmeans
    loners = [sum(i >= 117 for i in kl.pivoted_cholesky(KERNEL, X, 8, rng=k)[1]) for k in range(10)]
    assert np.mean(np.array(loners) > 0) > 0.5


def test_centres_are_in_every_cluster_and_two_on_outliers_and_random_draws_crowd():
    X, sizes = landmarks.SAMPLES[CLUSTERS], [75, 20, 10, 7, 5, 1, 1, 1, 1, 1]
    part = np.repeat(range(10), sizes)

    def of_parts(Z):
        """Count the landmarks in each of five clusters, and on each of five outliers."""
        nearest = np.square(np.asarray(Z)[:, None] - X).sum(axis=2).argmin(axis=1)
        return np.bincount(part[nearest], minlength=10)

    drawn = {
        how: np.array(
            [of_parts(kl.choose_landmarks(KERNEL, X, 8, how=how, rng=k)) for k in range(10)]
        )
        for how in ("uniform", "kmeans", "cholesky")
    }
    assert drawn["kmeans"][:, :5].min() == 1
    assert (drawn["cholesky"][:, :5] == 0).any(axis=1).mean() > 0.5  # "in most draws"
    assert drawn["kmeans"][:, 5:].sum(axis=1).mean() == pytest.approx(2, abs=0.3)
    assert (drawn["uniform"][:, :5] == 0).any(axis=1).all()  # a cluster is dark in each draw
    assert drawn["uniform"][:, 0].mean() > 4
    lost = [
        landmarks.lost_share(KERNEL, X, kl.choose_landmarks(KERNEL, X, 8, how="uniform", rng=k))
        for k in range(10)
    ]
    assert max(lost) == pytest.approx(0.319, abs=1e-3) == lost[0]  # the first is the worst
    crowd = kl.choose_landmarks(KERNEL, X, 8, how="uniform", rng=0)  # where the game begins
    assert of_parts(crowd)[0] == 7
    large = np.square(crowd - [-1.3, -0.7]).sum(axis=1).argsort()[:7]  # "explain the same again"
    assert landmarks.lost_share(KERNEL, X, np.delete(crowd, large[:2], axis=0)) < lost[0] + 0.01
    assert of_parts(landmarks.WELL_PLACED).tolist() == [3, 2, 1, 1, 1, 0, 0, 0, 0, 0]
    first = kl.choose_landmarks(KERNEL, X, 8, how="kmeans", rng=0)
    assert np.abs(first - landmarks.KMEANS).max() < 0.006
    assert of_parts(landmarks.KMEANS)[5:].sum() == 2


def test_an_eighth_landmark_wins_more_in_the_next_cluster_than_on_an_outlier():
    X = landmarks.SAMPLES[CLUSTERS]
    placed = np.array(landmarks.WELL_PLACED)

    def least(start, held=()):
        """Move landmarks to where they lose least, others held."""
        held = np.reshape(held, (-1, 2))
        lost = minimize(
            lambda v: landmarks.lost_share(KERNEL, X, np.vstack([v.reshape(-1, 2), held])),
            np.ravel(start),
        )
        return lost.fun, lost.x.reshape(-1, 2)

    seven, at = least(np.vstack([placed[:3], placed[3:5].mean(axis=0), placed[5:]]))
    assert seven == pytest.approx(0.0865, abs=2e-4)
    assert seven - least(placed)[0] == pytest.approx(0.014, abs=5e-4)
    assert landmarks.lost_share(KERNEL, X, placed) == pytest.approx(least(placed)[0], abs=1e-4)
    for loner in X[117:]:  # on an outlier; and the seven may move once more
        on_it = landmarks.lost_share(KERNEL, X, np.vstack([at, loner]))
        assert seven - min(on_it, least(at, loner)[0]) == pytest.approx(1 / 122, abs=1.6e-3)


def test_greedy_takes_all_outliers_first_and_loses_more_than_random_points():
    X = landmarks.SAMPLES[CLUSTERS]
    residual = KERNEL(X)
    chosen = []
    for _ in range(8):
        i = int(np.argmax(residual.diagonal()))
        chosen.append(i)
        residual = residual - np.outer(residual[i], residual[i]) / residual[i, i]
    assert sum(i >= 117 for i in chosen) == 5
    uniform = landmarks.rivals(CLUSTERS, 8, 0.6)[0].mean()
    assert landmarks.lost_share(KERNEL, X, X[chosen]) > uniform + 0.04
    assert round(100 * 5 / len(X)) == 4


def test_8_random_columns_are_far_behind_and_64_as_good_as_eigenvectors():
    wrong = {
        (how, m): digits_columns.drawn(how, m)[:, 0].mean()
        for how in digits_columns.HOW.values()
        for m in (8, 16, 32, 64, 128, 256)
    }
    assert wrong["uniform", 8] - wrong["eigenvectors", 8] > 0.05
    for m in (64, 128, 256):
        assert abs(wrong["uniform", m] - wrong["eigenvectors", m]) < 0.005
    for m in (8, 16, 32, 64, 128, 256):
        assert abs(wrong["kmeans", m] - wrong["eigenvectors", m]) < 0.006
    for how in digits_columns.HOW.values():
        assert wrong[how, 64] == pytest.approx(0.03, abs=0.002)
        assert abs(wrong[how, 256] - (1 - digits_columns.trained_exactly())) < 0.005


def test_64_columns_lose_a_twelfth_of_the_trace_and_eigenvectors_less_than_half_of_that():
    runs = {how: digits_columns.trained(how, 64) for how in ("uniform", "eigenvectors")}
    lost = runs["uniform"].lost, runs["eigenvectors"].lost
    assert lost == pytest.approx((0.08, 0.03), abs=0.005)


def test_the_cost_is_the_cross_validated_one():
    X, y = (half[:600] for half in approximation.unit_digits())
    fold, right = kl.stratified_folds(y, 5), {}
    for C in (1.0, 10.0, 100.0):
        model = kl.OneVsRestClassifier(kl.KernelSVC(kl.Polynomial(2, 0.0), C=C))
        right[C] = np.mean([
            model.fit(X[fold != k], y[fold != k]).score(X[fold == k], y[fold == k])
            for k in range(5)
        ])  # fmt: skip
    assert max(right, key=right.get) == 10.0


def test_finer_gaps_leave_the_printed_mistakes_as_they_are():
    X, y = approximation.unit_digits()
    kernel, machine = kl.Polynomial(2, 0), kl.OneVsRestClassifier(kl.LinearSVC(C=10, gap=1e-5))

    def wrong(Phi, Phi_new):
        return machine.fit(Phi, y[:600]).predict(Phi_new) != y[1200:]

    pixels = wrong(X[:600], X[1200:])
    eigen = wrong(*eigen_features(kernel(X[:600]), kernel(X[1200:], X[:600]), 64))
    assert (pixels.sum(), eigen.sum()) == (26, 19)
    drawn = []
    for seed in range(5):
        marks = kl.Nystroem(kernel, 64, random_state=seed).fit(X[:600])
        drawn.append(wrong(marks.transform(X[:600]), marks.transform(X[1200:])).sum())
    assert round(np.mean(drawn)) == 21
    assert (min(drawn), max(drawn)) == (19, 24)


def test_the_two_lines_of_the_certificate():
    data = approximation.kernels_of(approximation.THIRDS_OF_DIGITS)
    weights = kl.mkl_step(data.Ks, data.y, 1.0, np.ones(3) / 3)
    K = np.tensordot(weights, data.Ks, axes=1)
    alpha = kl.solve(kl.sdca(K, data.y, 1.0), gap=1e-5).alpha
    beta = alpha * data.y
    q = np.array([beta @ K_j @ beta for K_j in data.Ks])
    proof = kl.mkl_certificate(data.Ks, data.y, alpha, weights, 1.0)
    assert proof.dual == pytest.approx(alpha.sum() - max(q) / 2)
    slack = np.maximum(0, 1 - data.y * (K @ beta)).sum()
    assert proof.primal == pytest.approx(weights @ q / 2 + 1.0 * slack)
    for j, K_j in enumerate(data.Ks):  # ‖w_j‖ = η_j √q_j, with features of K_j
        s, U = np.linalg.eigh(K_j)
        w = weights[j] * beta @ (U * np.sqrt(np.maximum(s, 0)))
        assert np.linalg.norm(w) == pytest.approx(weights[j] * np.sqrt(q[j]))
    parts = weights**2 * q  # ‖w_j‖²
    assert (parts / weights).sum() == pytest.approx(beta @ K @ beta)  # ‖w‖²


def test_with_as_many_columns_landmarks_are_nearer_than_cosines():
    _, (marks, cosines) = fourier.errors_by_columns(fourier.GAUSSIAN, 1.0)
    assert (cosines > 2 * marks).all()


def test_the_slope_of_the_average_cosine_makes_it_a_gaussian():
    omega, gamma = np.linspace(-30, 30, 20_001), 0.7
    p = fourier.density(fourier.GAUSSIAN, gamma, omega)
    for delta in (0.3, 1.0):
        value = np.trapezoid(p * np.cos(omega * delta), omega)
        slope = -np.trapezoid(omega * p * np.sin(omega * delta), omega)
        assert value == pytest.approx(np.exp(-gamma * delta**2))
        assert slope == pytest.approx(-2 * gamma * delta * value)


def test_a_small_cost_makes_a_plane_and_five_svms_are_enough():
    data = approximation.kernels_of(approximation.THIRDS_OF_DIGITS)
    best = mkl_triangle.optimum(approximation.THIRDS_OF_DIGITS, 1.0, 0.1, 1.0)
    assert best.weights.round(3).tolist() == [0, 1, 0]
    runs = [weighted_svm(data.Ks, data.y, 0.1, weights) for weights in mkl_triangle.LATTICE]
    assert min(np.sum(run.alpha > 0.0999) for run in runs) >= 50
    pulls = np.array([run.q for run in runs])
    assert (pulls.argmax(axis=1) == 1).all()
    states = kl.mkl_alternating(data.Ks, data.y, 1.0)
    assert next(k for k in count(1) if next(states).gap <= 1e-3) == 5
    states = kl.mkl_alternating(data.Ks, data.y, 1.0, weights=np.array([0.7, 0.15, 0.15]))
    assert next(k for k in count(1) if next(states).gap <= 1e-3) == 8  # from the figure's start
    assert min(kl.solve(kl.mkl_alternating(data.Ks, data.y, 0.1), gap=1e-3).weights) == 0
    surface = mkl_triangle.surface(approximation.THIRDS_OF_DIGITS, 1.0, 0.1, 1.0)
    plane = np.linalg.lstsq(mkl_triangle.LATTICE, surface)[0]
    assert np.abs(mkl_triangle.LATTICE @ plane - surface).max() < 0.05 * np.ptp(surface)


def test_from_the_figures_place_the_step_is_below_a_thousandth_after_32_and_the_walk_after_7():
    data, weights = approximation.kernels_of(approximation.THIRDS_OF_DIGITS), [0.7, 0.15, 0.15]
    walk = kl.mkl_alternating(data.Ks, data.y, 1.0, weights=np.array(weights))
    assert next(k for k in range(100) if next(walk).gap <= 1e-3) == 7
    pulls = []
    for steps in range(100):  # noqa: B007
        K = np.tensordot(weights, data.Ks, axes=1)
        alpha = kl.solve(kl.sdca(K, data.y, 1.0), gap=1e-5).alpha
        pulls.append((alpha * data.y) @ data.Ks @ (alpha * data.y))
        if kl.mkl_certificate(data.Ks, data.y, alpha, weights, 1.0).gap <= 1e-3:
            break
        weights = kl.mkl_step(data.Ks, data.y, 1.0, weights)
    assert steps == 32
    assert min(pulls[16]) > 0.95 * max(pulls[16])  # half of the steps are left: "almost alike"


def test_64_columns_of_100_000_examples_take_51_megabytes_and_all_80_gigabytes():
    assert (8 * 64 * 100_000, 8 * 100_000**2) == (51_200_000, 80_000_000_000)  # bytes


def test_the_gap_is_half_of_largest_less_mean_pull_and_no_weights_get_below():
    data, weights = approximation.kernels_of(approximation.THIRDS_OF_DIGITS), np.ones(3) / 3
    svm = weighted_svm(data.Ks, data.y, 1.0, weights, gap=1e-9)
    gap = (svm.q.max() - weights @ svm.q) / 2
    proof = kl.mkl_certificate(data.Ks, data.y, svm.alpha, weights, 1.0)
    assert gap == pytest.approx(proof.primal - proof.dual, rel=1e-4)
    for other in np.random.default_rng(0).dirichlet(np.ones(3), 5):
        assert weighted_svm(data.Ks, data.y, 1.0, other).value > svm.value - gap
    for _ in range(30):
        weights = kl.mkl_step(data.Ks, data.y, 1.0, weights)
    svm = weighted_svm(data.Ks, data.y, 1.0, weights, gap=1e-9)
    assert (svm.q.max() - weights @ svm.q) / 2 < 1e-3 * svm.value


def test_a_little_weight_from_the_weaker_to_the_stronger_lowers_j():
    data, weights = approximation.kernels_of(approximation.THIRDS_OF_DIGITS), np.ones(3) / 3
    svm = weighted_svm(data.Ks, data.y, 1.0, weights, gap=1e-8)
    shift = 0.001 * (np.eye(3)[svm.q.argmax()] - np.eye(3)[svm.q.argmin()])
    moved = weighted_svm(data.Ks, data.y, 1.0, weights + shift, gap=1e-8)
    assert moved.value - svm.value == pytest.approx(-shift @ svm.q / 2, rel=0.05)


def test_no_weights_of_sum_1_are_cheaper_than_the_lengths():
    lengths = np.array([0.5, 1.0, 2.0])
    others = np.random.default_rng(0).dirichlet(np.ones(3), 1000)
    assert (lengths**2 / others).sum(axis=1).min() >= lengths.sum() ** 2 - 1e-9
    assert (lengths * lengths.sum()).sum() == pytest.approx(lengths.sum() ** 2)


def test_the_step_makes_no_weight_zero_and_never_raises_j():
    data = approximation.kernels_of(approximation.THIRDS_OF_DIGITS)
    assert all(np.allclose(K.diagonal(), 1) for K in data.Ks)  # no kernel is low by its size
    for C in (0.1, 1.0):
        weights, values = np.ones(3) / 3, []
        for _ in range(31):
            svm = weighted_svm(data.Ks, data.y, C, weights, gap=1e-8)
            values.append(svm.value)
            following = kl.mkl_step(data.Ks, data.y, C, weights)
            at = following - weights
            assert at[svm.q.argmax()] > -1e-3  # who pulls hardest gains weight
            weights = following
        assert min(weights) > 0 and np.diff(values).max() < 1e-6 * values[0]


def test_if_all_multipliers_are_at_the_cost_no_pull_depends_on_the_weights():
    data = approximation.kernels_of(approximation.THIRDS_OF_DIGITS)
    runs = [weighted_svm(data.Ks, data.y, 0.001, weights) for weights in np.eye(3)]
    assert all(np.allclose(run.alpha, 0.001) for run in runs)
    plane = [run.value for run in runs]
    for weights in mkl_triangle.LATTICE[::10]:
        assert weighted_svm(data.Ks, data.y, 0.001, weights).value == pytest.approx(plane @ weights)


def test_the_identity_adds_to_the_margin_of_one_point_alone():
    data, rho = approximation.kernels_of("rings: signal and noise"), 0.4
    alpha = kl.solve(kl.sdca(data.Ks[0] + rho * np.eye(60), data.y, 1.0), gap=1e-6).alpha
    added = data.y * (rho * np.eye(60) @ (alpha * data.y))
    np.testing.assert_allclose(added, rho * alpha)


def test_the_columns_of_landmarks_are_exact():
    X, kernel = approximation.digits_by_class()[0], kl.Polynomial(2, 0)
    Z = np.random.default_rng(0).permutation(120)[:16]
    K, Phi = kernel(X), kl.nystrom_features(kernel, X, X[Z])
    np.testing.assert_allclose((Phi @ Phi.T)[:, Z], K[:, Z], atol=1e-9)
    np.testing.assert_allclose(Phi @ Phi.T, K[:, Z] @ np.linalg.solve(K[Z][:, Z], K[Z]), atol=1e-9)


def test_in_ten_draws_noise_gets_half_and_wider_noise_harms_in_one():
    draws = {
        setting: np.array([
            noise_kernels.noise_draw(*setting, seed) for seed in noise_kernels.SEEDS
        ])
        for setting in ((100.0, 1.0), (100.0, 10.0), (10.0, 10.0))
    }  # fmt: skip
    dear = [noise_kernels.noise_draw(100.0, 100.0, seed)[1] for seed in noise_kernels.SEEDS]
    assert np.mean(dear) == pytest.approx(-5, abs=0.5)
    assert np.mean(dear) < -2 * np.std(dear, ddof=1) / np.sqrt(10)
    weights, more = draws[100.0, 10.0].T
    assert 0.4 < weights.min() < weights.max() < 0.63
    assert (weights > draws[100.0, 1.0][:, 0]).all()
    three = [noise_kernels.noise_draw(100.0, 3.0, seed)[0] for seed in noise_kernels.SEEDS]
    np.testing.assert_allclose(three, weights, atol=2e-3)  # no slack is left
    assert ((more < 0).sum(), (more > 0).sum(), np.abs(more).max()) == (6, 4, 11)
    weights, wider = draws[10.0, 10.0].T
    assert np.argmax(wider) == 0 and wider[0] == 32 and weights[0] > 0.5
    assert np.abs(wider[1:]).max() < 11 and (wider[1:] > 0).any() and (wider[1:] < 0).any()
    at = noise_kernels.SEEDS.index(noise_kernels.SEED)
    for setting in draws:  # the figure's draw is in the middle
        for number in draws[setting].T:
            assert 2 <= (number < number[at]).sum() + (number == number[at]).sum() / 2 <= 8
    for k, gamma in ((9, 10.0), (12, 100.0)):
        run = noise_kernels.train_with_noise(k, 10.0)
        with_it, alone = (noise_kernels.error_of(k, svm)[0] for svm in (run.learnt, run.alone))
        found = draws[gamma, 10.0][at]
        assert found == pytest.approx([run.learnt.weights[1], 400 * (with_it - alone)])


def test_narrow_noise_gets_weight_and_does_no_harm_that_shows():
    def weight_and_errors(C, k):
        run = noise_kernels.train_with_noise(k, C)
        errors = [noise_kernels.error_of(k, svm)[0] for svm in (run.learnt, run.alone)]
        return run.learnt.weights[1], *errors

    assert weight_and_errors(1.0, 12)[0] == pytest.approx(1 / 4, abs=0.03)
    for k, half in ((12, 0.48), (9, 0.39)):
        weight, error, alone = weight_and_errors(10.0, k)
        assert weight == pytest.approx(half, abs=0.005) and abs(error - alone) <= 0.011
    assert noise_kernels.over_gammas(0.1)[0].max() < 1e-3  # whatever the width
    grown = [noise_kernels.train_with_noise(12, C).learnt.weights[1] for C in (0.1, 1, 3, 10, 100)]
    assert grown[0] < grown[1] < grown[2] and np.ptp(grown[2:]) < 1e-3
    kernels = [mkl_data.signal_kernel(), mkl_data.noise_kernel(10.0)]  # where it does harm
    data = mkl_data.rings_with(kernels, ("signal", "noise"), 3)
    learnt = noise_kernels.trained(data, 10.0).learnt
    signal, noise = learnt.weights[:, None] * (data.tests @ (learnt.alpha * data.y))
    assert np.mean(np.abs(noise) > np.abs(signal)) == pytest.approx(0.2, abs=0.03)


def test_only_a_single_kernel_is_clearly_behind_the_average():
    pairs = approximation.rivals_on_splits().mean(axis=1)
    behind = pairs - pairs[:, [2]]  # the average
    error = behind.std(axis=0, ddof=1) / np.sqrt(len(pairs))
    assert (np.abs(behind.mean(axis=0)) <= 2 * error)[[0, 1, 2, 4]].all()
    assert behind.mean(axis=0)[3] < -2 * error[3]


def test_the_left_half_tells_3_from_8_and_norms_spread_the_weight():
    figure = approximation.DigitsKernels(pair=(3, 8))
    assert figure.numbers["of_groups"][[0, 2]].sum() > 0.95
    for seed in range(5):
        weights = digits_mkl.learn(digits_mkl.sixteen((3, 8), digits_mkl.QUARTERS, seed), 1.0, 1.0)
        quarters = weights.weights.reshape(4, 4).sum(axis=1)
        assert quarters[[0, 2]].sum() > 0.8 * quarters.sum()
    figure.pair = (1, 8)
    used, accuracy = {}, {}
    for p in (1.0, 1.5):
        figure.p = p
        used[p], accuracy[p] = figure.numbers["used"], figure.numbers["accuracy"][0]
    assert (used[1.0], used[1.5]) == (4, 16)
    assert abs(accuracy[1.5][0] - accuracy[1.0][0]) < accuracy[1.0][1]


def test_the_crossbar_of_the_4_is_on_the_bottom_left():
    figure = approximation.DigitsKernels(pair=(4, 9))
    assert figure.numbers["of_groups"].argmax() == 2
    data = kl.load_digits((4, 9))
    four, nine = (data.X[data.y == label].mean(axis=0).reshape(8, 8) for label in (-1, 1))
    assert four[4:6, 1:4].mean() > 5 * nine[4:6, 1:4].mean()


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


def test_a_cost_of_its_own_for_each_machine_changes_nothing():
    def accuracy(data, weights):
        """Each C with its own weights; cross-validation chooses one of them."""
        mixed = [np.tensordot(w, data.Ks, axes=1) for w in weights]
        right = [
            digits_mkl.cross_validated(K, data.y, C)
            for K, C in zip(mixed, digits_mkl.CHOICES, strict=True)
        ]
        k = int(np.argmax(right))
        return digits_mkl.of_weights(data, weights[k], digits_mkl.CHOICES[k])[0]

    rows = []
    for pair in digits_mkl.PAIRS:
        data = digits_mkl.sixteen(pair, digits_mkl.QUARTERS, 0)
        learnt = [
            accuracy(data, [digits_mkl.learn(data, C, p).weights for C in digits_mkl.CHOICES])
            for p in (1.0, 2.0)
        ]
        average = accuracy(data, [np.full(16, 1 / 16)] * 3)
        single = max(
            (digits_mkl.cross_validated(K, data.y, C), -k, C)
            for k, K in enumerate(data.Ks)
            for C in digits_mkl.CHOICES
        )
        one = digits_mkl.of_weights(data, np.eye(16)[-single[1]], single[2])[0]
        rows.append([*learnt, average, one, digits_mkl.one_gaussian(pair, 0)[0]])
    behind = (np.array(rows) - np.array(rows)[:, [2]]).mean(axis=0)
    assert behind[3] < -0.015
    assert np.abs(behind[[0, 1, 4]]).max() < 0.01


def right(data, eta):
    """As on the page."""
    machine = GridSearchCV(SVC(kernel="precomputed"), {"C": [1, 10, 100]})
    machine.fit(np.tensordot(eta, data.Ks, axes=1), data.y)
    return 100 * machine.score(np.tensordot(eta, data.tests, axes=1), data.y_test)


def learn(data, C):
    """As on the page."""
    weights = np.ones(len(data.Ks)) / len(data.Ks)
    for t in range(1, 1000):
        svm = kl.solve(kl.sdca(np.tensordot(weights, data.Ks, axes=1), data.y, C), gap=1e-5)
        q = np.array([(svm.alpha * data.y) @ K @ (svm.alpha * data.y) for K in data.Ks])
        gap = (max(q) - weights @ q) / 2 / svm.dual
        if gap < 0.001:
            return weights, gap
        weights = kl.project_on_simplex(weights + q / max(q) / np.sqrt(t))


def test_the_loop_on_the_page_is_the_walk_of_the_figure_and_its_gap_is_proved():
    data = approximation.kernels_of(approximation.THIRDS_OF_DIGITS)
    for C in (1.0, 0.1):
        weights, gap = learn(data, C)
        walk = kl.solve(kl.mkl_alternating(data.Ks, data.y, C), gap=1e-3)
        np.testing.assert_allclose(weights, walk.weights, atol=0.002)
        alpha = weighted_svm(data.Ks, data.y, C, weights, gap=1e-8).alpha
        proof = kl.mkl_certificate(data.Ks, data.y, alpha, weights, C)
        assert proof.gap == pytest.approx(gap, abs=1e-4) and proof.gap < 0.0011


def test_the_first_step_of_the_figure_adds_the_pulls_and_takes_the_same_from_each():
    walk = mkl_triangle.walk(
        approximation.THIRDS_OF_DIGITS, 1.0, 1.0, 1.0, (0.7, 0.15, 0.15), 3
    )  # fmt: skip
    pulls = [state.q / state.q.max() for state in walk]
    assert pulls[0].round(2).tolist() == [0.34, 1.0, 0.68]
    raised = walk[0].weights + pulls[0]
    assert raised.round(2).tolist() == [1.04, 1.15, 0.83]
    lowered = raised - (raised.sum() - 1) / 3
    assert lowered.round(2).tolist() == [0.37, 0.48, 0.16]
    np.testing.assert_allclose(walk[1].weights, lowered)
    third = walk[1].weights + pulls[1] / np.sqrt(2)  # step t adds 1/√t of each pull
    np.testing.assert_allclose(walk[2].weights, third - (third.sum() - 1) / 3)


def test_about_thirteen_of_sixteen_kernels_have_no_weight():
    splits = [digits_mkl.sixteen(pair, seed=k) for pair in digits_mkl.PAIRS for k in range(3)]
    used = [np.count_nonzero(learn(data, 1.0)[0]) for data in splits]
    assert np.mean(used) == pytest.approx(3.3, abs=0.15) and max(used) <= 5


def test_weights_learnt_at_10_do_much_the_same_as_those_at_1():
    ahead = []
    for pair in digits_mkl.PAIRS:
        for data in (digits_mkl.sixteen(pair, seed=seed) for seed in range(3)):
            weights = np.ones(16) / 16
            average = right(data, weights)
            for _ in range(30):
                weights = kl.mkl_step(data.Ks, data.y, 10.0, weights)
            ahead.append(right(data, weights) - average)
    pairs = np.reshape(ahead, (5, 3)).mean(axis=1)
    assert abs(pairs.mean()) < 0.2 < 2 * pairs.std(ddof=1) / np.sqrt(5) < 0.6


def test_one_gaussian_of_all_pixels_is_scikit_learns():
    X, _, X_test, _ = digits_mkl.split((3, 8), 1)
    data, gamma = approximation.all_pixels((3, 8), 1), SVC().fit(X, np.arange(60) % 2)._gamma
    np.testing.assert_allclose(data.Ks[0], rbf_kernel(X, gamma=gamma))
    np.testing.assert_allclose(data.tests[0], rbf_kernel(X_test, X, gamma=gamma))
