"""What notebook 06 and what is further say and do not print, each computed in a second way."""

from __future__ import annotations

import numpy as np
import pytest

import kernellab as kl
from kernellab.lessons.ridge.figures.bias_variance import GRID, BiasVarianceDial, many_fits
from kernellab.lessons.ridge.figures.gp_band import GRID as LINE
from kernellab.lessons.ridge.figures.gp_band import GPBand
from kernellab.lessons.ridge.figures.pictures import LAMS
from kernellab.lessons.ridge.figures.ridge_dial import make_wave, wave
from kernellab.lessons.ridge.figures.ridge_or_svm import RidgeOrSVM
from kernellab.lessons.ridge.theory.bias_variance import bias_variance
from kernellab.lessons.ridge.theory.gaussian_process import posterior_covariance
from kernellab.solvers.ridge import ridge

CHAINS = ("eth", "prop", "but", "pent", "hex", "hept", "oct")


def test_two_examples_by_hand():
    coef = ridge(np.array([[1, 0.5], [0.5, 1]]), np.array([1.0, 0.0]), 0.5).coef
    np.testing.assert_allclose(coef, [3 / 4, -1 / 4])
    np.testing.assert_allclose([[1, 0.5], [0.5, 1]] @ coef, [5 / 8, 1 / 8])
    np.testing.assert_allclose([1 - 5 / 8, 0 - 1 / 8], 0.5 * coef)


def test_the_table_of_lams():
    rng = np.random.default_rng(7)
    Phi, y, n = rng.normal(size=(12, 3)), rng.normal(size=12), 12
    rows = {1: (1, 0.3), n: (1 / n, 0.3), n / 2: (1 / n, 0.15)}  # ours / theirs: its two weights
    for factor, (loss, length) in rows.items():
        w = Phi.T @ ridge(Phi @ Phi.T, y, 0.3 * factor).coef
        np.testing.assert_allclose(length * w, loss * Phi.T @ (y - Phi @ w), atol=1e-10)
    w = Phi.T @ ridge(Phi @ Phi.T, y, 1 / (2 * 0.3)).coef  # C = 0.3
    np.testing.assert_allclose(w / 2, 0.3 * Phi.T @ (y - Phi @ w), atol=1e-10)


def test_noise_prefers_no_direction():
    x, _ = make_wave()
    U = np.linalg.eigh(kl.Gaussian(50.0)(x[:, None]))[1]
    noise = 0.25 * np.random.default_rng(0).normal(size=(20_000, 18))
    np.testing.assert_allclose((noise @ U).std(axis=0), 0.25, rtol=0.03)
    size = np.abs(U.T @ wave(x))[::-1]
    assert np.square(size[8:]).sum() == pytest.approx(0.018, abs=5e-4)  # the wave's
    lost = np.square(noise @ U[:, :10]).sum(axis=1)  # the smallest eigenvalues come first
    assert lost.mean() == pytest.approx(10 * 0.25**2, rel=0.02)


@pytest.fixture(scope="module")
def bowls():
    """Return for each γ the path over ``LAMS`` and the squared test errors, (L, 100)."""
    (X, y), (Z, t) = kl.make_bowl(), kl.make_bowl(seed=kl.TEST_SEED)
    found = {}
    for gamma in kl.GAMMAS:
        kernel = kl.Gaussian(gamma)
        path = kl.ridge_path(kernel(X), y, LAMS)
        found[gamma] = path, np.square(t - path.coef @ kernel(X, Z))
    return found


def test_what_leave_one_out_promised_on_the_bowl(bowls):
    lowest = [squares.mean(axis=1).min() for _, squares in bowls.values()]
    assert (round(min(lowest), 4), round(max(lowest), 4)) == (0.0106, 0.0122)
    bars = [squares[path.best].std() / 10 for path, squares in bowls.values()]
    assert np.mean(bars) == pytest.approx(0.0013, abs=3e-4)
    path, squares = bowls[0.05]
    assert round(path.loo_error.min(), 4) == 0.0098
    assert round(squares[path.best].mean(), 4) == 0.0106
    assert all(path.train_error.argmin() == 0 for path, _ in bowls.values())
    narrow = [path.train_error[0] for path, _ in bowls.values()]
    assert narrow == sorted(narrow, reverse=True)  # the narrower, the better in training
    new = {gamma: squares.mean(axis=1) for gamma, (_, squares) in bowls.items()}
    assert new[12][0] / new[0.05][0] == pytest.approx(40, rel=0.1)
    decades = {gamma: np.sum(row < 1.2 * row.min()) / 4 for gamma, row in new.items()}
    assert 1.5 <= decades[12] <= 1.75
    assert decades[0.05] > 3
    assert (new[0.05] < 1.2 * new[0.05].min())[0]  # down to the end of the list


def test_six_directions_are_the_polynomials_of_degree_two():
    X, y = kl.make_bowl()
    kernel = kl.Gaussian(0.001)
    path = kl.ridge_path(kernel(X), y, 10.0 ** np.arange(-10, 2.25, 0.25))
    fitted = y - path.residuals[path.best]
    Phi = kl.polynomial_map(X, 2, 1.0)
    assert Phi.shape[1] == 6
    rest = fitted - Phi @ np.linalg.lstsq(Phi, fitted)[0]
    assert np.abs(rest).max() < 1e-2
    assert path.loo_error.min() == pytest.approx(0.0098, abs=5e-5)
    assert kl.polynomial_map(X, 3, 1.0).shape[1] == 10


def test_where_the_kernel_is_wrong_leave_one_out_chooses_a_lam_that_is_too_small(bowls):
    (X, y), side = kl.make_bowl(), np.linspace(0, 1, 19)
    places = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    truth = np.square(places).sum(axis=1)

    def off(gamma, lam):
        kernel = kl.Gaussian(gamma)
        found = kernel(places, X) @ ridge(kernel(X), y, lam).coef
        return np.sqrt(np.mean((found - truth) ** 2))

    lam = {gamma: LAMS[path.best] for gamma, (path, _) in bowls.items()}
    assert lam[12] == pytest.approx(lam[6] / 10)
    distances = {gamma: off(gamma, lam[gamma]) for gamma in kl.GAMMAS}
    assert min(distances, key=distances.get) == 0.05  # and it is the one that it likes best
    assert min(kl.GAMMAS, key=lambda gamma: bowls[gamma][0].loo_error.min()) == 0.05
    assert off(12, 0.03) ** 2 < distances[12] ** 2 / 2
    promised = {gamma: path.loo_error.min() for gamma, (path, _) in bowls.items()}
    assert promised[12] < promised[6] and distances[12] > 1.5 * distances[6]


def test_the_band_keeps_its_width_when_one_is_dragged_up():
    figure, deviations = GPBand(), []
    for preset in ("seven", "one dragged up"):
        figure.load(preset)
        deviations.append([figure.numbers[name] for name in ("narrowest", "widest")])
        low_and_high = figure.fit.band.get_xy()[:, 1][: 2 * len(LINE)].reshape(2, -1)
        deviations[-1] += (low_and_high[0] - low_and_high[1][::-1]).tolist()
    np.testing.assert_allclose(*deviations)


def test_a_large_sigma_holds_less_than_half_of_the_wave():
    figure = GPBand(**GPBand.presets["all twelve"])
    assert figure.numbers["covered"] > 0.9
    figure = GPBand(**GPBand.presets["large σ"])
    assert figure.numbers["covered"] < 0.5


def test_squared_errors_are_beside_what_the_others_expect():
    x, y = make_wave()
    for reach in (0.1, 0.3, 1.0):
        K, ratio = kl.Gaussian.from_bandwidth(reach)(x[:, None]), []
        for i in range(18):
            rest = np.arange(18) != i
            k, A = K[i, rest], K[np.ix_(rest, rest)] + 0.0625 * np.eye(17)
            expected = 1 - k @ np.linalg.solve(A, k) + 0.0625
            ratio.append((y[i] - k @ np.linalg.solve(A, y[rest])) ** 2 / expected)
        G = np.linalg.inv(K + 0.0625 * np.eye(18))
        assert np.mean((G @ y) ** 2 / np.diag(G)) == pytest.approx(np.mean(ratio))


def test_with_the_right_kernel_18_measurements_give_anything_from_04_to_2():
    K = kl.Gaussian(50.0)(make_wave()[0][:, None]) + 0.0625 * np.eye(18)
    y, G = (
        np.linalg.cholesky(K) @ np.random.default_rng(0).normal(size=(18, 10_000)),
        np.linalg.inv(K),
    )
    ratio = np.mean((G @ y) ** 2 / np.diag(G)[:, None], axis=0)
    assert np.quantile(ratio, [0.025, 0.975]).round(1).tolist() == [0.4, 2.0]


def test_the_bias_does_not_depend_on_the_noise():
    truth = wave(GRID)
    parts = {std: bias_variance(many_fits(50.0, 20, std, 0), truth) for std in (0.25, 1.0)}
    np.testing.assert_allclose(parts[0.25].squared_bias, parts[1.0].squared_bias, rtol=1e-6)
    assert (parts[1.0].variance > parts[0.25].variance).all()
    assert (np.diff(parts[1.0].squared_bias) > 0).all() and (np.diff(parts[1.0].variance) < 0).all()
    figure = BiasVarianceDial()
    for figure.noise, best in ((0.25, 0.1), (1.0, 1.78)):  # not far from 0.0625 and 1
        assert figure.numbers["best"] == pytest.approx(best, rel=5e-3)


def test_the_best_share_of_one_direction():
    q, v = np.linspace(0, 1, 100_001), 0.0625
    for t, s in ((0.2, 3.0), (1.0, 0.1)):
        best = q[np.argmin((1 - q) ** 2 * t**2 + q**2 * v)]
        assert best == pytest.approx(t**2 / (t**2 + v), abs=1e-5)
        assert best == pytest.approx(s / (s + v * s / t**2), abs=1e-5)


def test_the_best_lam_grows_like_the_variance_of_the_noise():
    x, _ = make_wave()
    s, U = np.linalg.eigh(kl.Gaussian(50.0)(x[:, None]))
    t, lams, best = U.T @ wave(x), np.geomspace(1e-3, 1e2, 2001), []
    for v in (0.0625, 1.0):
        q = s / (s + lams[:, None])
        best.append(lams[np.sum((1 - q) ** 2 * t**2 + q**2 * v, axis=1).argmin()])
        q = s / (s + v)  # drawn from the process: s in the place of t²
        np.testing.assert_allclose(-2 * (1 - q) * s + 2 * q * v, 0, atol=1e-12)
    assert 10 < best[1] / best[0] < 20


def test_wiggly_directions_come_last():
    s, U = np.linalg.eigh(kl.Gaussian(50.0)(make_wave()[0][:, None]))
    crossings = [np.sum(np.diff(np.sign(u)) != 0) for u in U.T[:-9:-1]]
    assert crossings == list(range(8))
    assert np.sum(s / (s + 0.1) >= 0.5) == 8
    assert s[-1] == pytest.approx(5.96, abs=0.005) and s[-9] == pytest.approx(0.057, abs=5e-4)
    x, grid, steep = make_wave()[0][:, None], np.linspace(0, 1, 400)[:, None], U[:, -14] / s[-14]
    between = grid[(grid > x.min()) & (grid < x.max())][:, None]
    assert np.abs(kl.Gaussian(50.0)(between, x) @ steep).max() > 10  # direction 14 at λ = 0
    assert s[-1] / (s[-1] + 0.1) > 0.98 and s[-9] / (s[-9] + 0.1) == pytest.approx(1 / 3, abs=0.04)


def test_one_measurement_by_hand():
    fit = ridge(np.array([[1.0]]), np.array([3.0]), 1 / 2)
    assert 0.5 * fit.coef[0] == pytest.approx(3.0 / 3)
    assert posterior_covariance(fit, np.array([[0.5]]), np.array([[1.0]])) == pytest.approx(5 / 6)
    x, y = make_wave()
    path = kl.ridge_path(kl.Gaussian(50.0)(x[:, None]), y, 10.0 ** np.arange(-4, 1.125, 0.125))
    assert path.lams[path.best] < 0.25**2 < 0.17  # between the two stars


def test_leave_one_out_usually_chooses_well():
    kernel, lams = kl.Gaussian(50.0), 10.0 ** np.arange(-4, 1.125, 0.125)
    over, tests, promised = [], [], []
    for seed in [2, *range(100, 1100)]:
        x, y = make_wave(seed=seed)
        path = kl.ridge_path(kernel(x[:, None]), y, lams)
        curves = path.coef @ kernel(x[:, None], GRID[:, None])
        test = np.mean((curves - wave(GRID)) ** 2, axis=1) + 0.25**2
        over.append(test[path.best] / test.min())
        tests.append(test)
        promised.append(path.loo_error)
        if seed == 2:  # the 18 of the lesson
            assert round(test[path.best], 2) == 0.11 and round(test.min(), 2) == 0.10
            ratio = path.loo_error[: path.best + 1] / test[: path.best + 1]
            assert ratio.min() > 0.4 and ratio.max() < 0.6  # about half
    agree = np.mean(promised, axis=0) / np.mean(tests, axis=0)
    assert (np.abs(agree - 1) < 0.1).all()
    assert np.median(over) < 1.1
    best = [lams[test.argmin()] for test in tests]
    chosen = [lams[row.argmin()] for row in promised]
    small = [a < b / 3 for a, b, ratio in zip(chosen, best, over, strict=True) if ratio > 1.7]
    assert np.mean(small) > 0.75  # most of the bad ones
    assert np.quantile(over, 0.9) == pytest.approx(1.7, abs=0.1)


def test_what_one_measurement_says_about_a_place_nearby():
    k = np.array([[kl.Gaussian.from_bandwidth(0.1)([[0.0]], [[0.1]])[0, 0]]])
    assert k[0, 0] == pytest.approx(0.61, abs=0.005) and k[0, 0] == pytest.approx(np.exp(-1 / 2))
    process = ridge(np.array([[1.0]]), np.array([1.0]), 0.2**2)
    assert k[0] @ process.coef == pytest.approx(0.58, abs=0.005)
    assert posterior_covariance(process, k, np.array([[1.0]])) == pytest.approx(0.65, abs=0.005)


@pytest.fixture(scope="module")
def boiling():
    """Return the molecules, their boiling points, the Gram matrix of the lesson, and its split."""
    molecules, boils = kl.load_molecules(), kl.load_boiling_points()
    gram = kl.WeisfeilerLehman(1)(molecules.X) + 100
    return molecules, boils, gram, np.split(np.random.default_rng(0).permutation(86), [60])


def test_boiling_points(boiling):
    molecules, boils, gram, (train, test) = boiling
    assert round(np.sqrt(np.mean((boils[test] - boils[train].mean()) ** 2))) == 45
    loo = []
    for h in range(3):
        K = (kl.WeisfeilerLehman(h)(molecules.X) + 100)[np.ix_(train, train)]
        loo.append(np.sqrt(kl.ridge_path(K, boils[train], 10.0 ** np.arange(-6, 1)).loo_error))
    assert np.ptp(loo, axis=1).max() < 1  # any λ up to 1 gives nearly the same
    assert (np.argmin(loo, axis=0) == 1).all()
    promised = []
    for level in (0, 10, 100, 1000):
        K = gram[np.ix_(train, train)] - 100 + level
        promised.append(round(np.sqrt(np.mean(ridge(K, boils[train], 0.1).loo_errors ** 2))))
    assert promised == [32, 17, 17, 17]
    said = gram[:, train] @ ridge(gram[np.ix_(train, train)], boils[train], 0.1).coef
    off = dict(zip(molecules.names, said - boils, strict=True))
    with_oh = [i for i in test if molecules.names[i].endswith("ol")]
    smallest = sorted(with_oh, key=lambda i: len(molecules.X[i].labels))[:2]
    assert {molecules.names[i] for i in smallest} == {"methanol", "1,2-ethanediol"}
    assert all(said[i] < boils[i] for i in smallest)
    assert sum(said[i] > boils[i] for i in with_oh) > 0.75 * (len(with_oh) - 2)
    assert round(off["2-methyl-2-propanol"]) == 10
    small = ("methanol", "ethanol", "1-propanol", "1,2-ethanediol", "1,2-propanediol")
    assert max(off[name] for name in small) < -9
    assert min(off[name] for name in ("1-hexanol", "1-heptanol", "1-octanol")) > 8
    atoms = {name: graph.labels for name, graph in zip(molecules.names, molecules.X, strict=True)}
    single = [name for name in atoms if name.endswith("ol") and "diol" not in name]
    said = dict(zip(molecules.names, said, strict=True))
    for one, other in (("ethane", "ethanol"), ("propane", "2-propanol"), ("octane", "1-octanol")):
        assert said[other] - said[one] == pytest.approx(103, abs=6)  # nearly the same for each OH
    assert min(single, key=lambda name: len(atoms[name])) == "methanol"
    double = [name for name in atoms if "diol" in name]
    assert min(double, key=lambda name: len(atoms[name])) == "1,2-ethanediol"


# --- further -------------------------------------------------------------------------------------


def test_the_median_heuristic_on_digits():
    X = kl.load_digits(None).X / 16
    X = X[np.random.default_rng(0).choice(len(X), 300, replace=False)]
    distances = np.linalg.norm(X[:, None] - X, axis=2)[np.triu_indices(300, 1)]
    assert 1 / (2 * np.median(distances) ** 2) == pytest.approx(0.05, abs=0.01)


def test_the_trace_of_least_squares_counts_parameters():
    Phi = np.random.default_rng(1).normal(size=(20, 6))
    assert np.isclose(np.trace(Phi @ np.linalg.pinv(Phi)), 6)


def test_targets_replaced_by_what_the_others_say_change_nothing():
    rng = np.random.default_rng(2)
    X, y, lam = rng.normal(size=(9, 2)), rng.normal(size=9), 0.3
    K = kl.Gaussian(0.5)(X)
    rest = np.arange(9) != 4
    others = ridge(K[np.ix_(rest, rest)], y[rest], lam)
    targets = y.copy()
    targets[4] = K[4, rest] @ others.coef
    full = ridge(K, targets, lam)
    assert abs(full.coef[4]) < 1e-10
    np.testing.assert_allclose(full.coef[rest], others.coef, atol=1e-10)


def test_a_kernel_does_not_extrapolate():
    x, sigma = np.linspace(0, 1, 12)[:, None], 0.2
    kernel = kl.Gaussian.from_bandwidth(sigma)
    fit = ridge(kernel(x), 1 + 5 * x[:, 0], 0.1)  # a rising trend
    end, far = kernel([[1.0], [1 + 4 * sigma]], x) @ fit.coef
    assert end > 5
    assert abs(far) < 0.05


def test_a_function_is_no_higher_than_its_norm():
    rng = np.random.default_rng(4)
    X, coef = rng.normal(size=(8, 2)), rng.normal(size=8)
    kernel = kl.Gaussian(0.3)
    norm = np.sqrt(coef @ kernel(X) @ coef)
    assert np.abs(kernel(3 * rng.normal(size=(500, 2)), X) @ coef).max() <= norm


def test_both_are_right_with_a_gaussian():
    assert RidgeOrSVM(kind="Gaussian, γ = 0.1").numbers["wrong"] == [0, 0]


def test_twenty_splits_leave_out_twice_as_many_as_they_should(boiling):
    molecules, boils, gram, _ = boiling
    outside, asked = [], []
    for seed in range(1, 21):
        a, b = np.split(np.random.default_rng(seed).permutation(86), [60])
        fit, k = ridge(gram[np.ix_(a, a)], boils[a], 0.1), gram[np.ix_(b, a)]
        unsaid = fit.posterior_variance(k, np.diag(gram)[b]) + 0.1
        band = 2 * np.sqrt(boils[a] @ fit.coef / 60 * unsaid)
        off = np.abs(k @ fit.coef - boils[b]) / band
        assert np.abs(off - 1).min() > 1e-3  # on every machine
        outside += [molecules.names[i] for i in b[off > 1]]
        asked += [molecules.names[i].endswith("ol") for i in b]
    assert (len(outside), sum(name.endswith("ol") for name in outside)) == (50, 35)
    assert np.mean(asked) == pytest.approx(1 / 3, abs=0.03)


def test_another_lam_makes_another_band_and_turns_few_directions_down(boiling):
    molecules, boils, gram, (train, test) = boiling
    s = np.linalg.eigvalsh(gram[np.ix_(train, train)])
    assert (s > 1e-8).sum() == 11 and 9 < (s / (s + 1)).sum() < 10
    fit, k = ridge(gram[np.ix_(train, train)], boils[train], 1.0), gram[np.ix_(test, train)]
    variance = fit.posterior_variance(k, np.diag(gram)[test]) + 1
    band = 2 * np.sqrt(boils[train] @ fit.coef / 60 * variance)
    one = [molecules.names[i] for i in test].index("2-methyl-2-propanol")
    assert band[one] == pytest.approx(41, abs=0.5)


def test_three_of_26_are_outside_their_band_and_all_have_an_oh(boiling):
    molecules, boils, gram, (train, test) = boiling
    G = np.linalg.inv(gram[np.ix_(train, train)] + 0.1 * np.eye(60))
    k = gram[:, train]
    unsaid = np.diag(gram) - np.einsum("ij,jk,ik->i", k, G, k) + 0.1
    band = 2 * np.sqrt(boils[train] @ G @ boils[train] / 60 * unsaid)
    off = np.abs(k @ G @ boils[train] - boils)
    assert band[molecules.names.index("2-methyl-2-propanol")] == pytest.approx(31, abs=0.5)
    outside = [molecules.names[i] for i in test if off[i] > band[i]]
    assert len(outside) == 3 and all(name.endswith("ol") for name in outside)
    asked = molecules.names.index("2-methyl-2-propanol")
    assert band[asked] > max(band[test]) - 0.01  # among the longest

    def has_such_a_carbon(graph):
        around = [sorted(graph.labels[j] for j in at) for at in graph.neighbours]
        return ["C", "C", "C", "O"] in around

    assert has_such_a_carbon(molecules.X[asked])
    assert sum(has_such_a_carbon(molecules.X[i]) for i in train) == 1


def test_methane_without_a_level(boiling):
    molecules, boils, gram, (train, _) = boiling
    errors = ridge(gram[np.ix_(train, train)] - 100, boils[train], 0.1).loo_errors
    methane = molecules.names.index("methane")
    assert boils[methane] == -161 and methane == train[np.abs(errors).argmax()]
    assert np.abs(errors).max() ** 2 > 0.5 * np.sum(errors**2)  # most of it
    assert boils[methane] - errors[np.abs(errors).argmax()] == pytest.approx(45, abs=1)


def test_an_oh_at_the_end_of_a_chain_brings_the_same_whatever_the_chain(boiling):
    molecules, boils, gram, (train, _) = boiling
    coef = ridge(gram[np.ix_(train, train)], boils[train], 0.1).coef
    predicted = gram[:, train] @ coef
    for alcohol, alkane, truly in (("ethanol", "ethane", 167), ("1-heptanol", "heptane", 78)):
        i, j = molecules.names.index(alcohol), molecules.names.index(alkane)
        assert predicted[i] - predicted[j] == pytest.approx(108, abs=0.5)
        assert boils[i] - boils[j] == pytest.approx(truly, abs=0.5)
    gains = []
    for carbons, chain in enumerate(CHAINS, start=2):
        alcohol = f"{'1-' * (carbons > 2)}{chain}anol"
        i, j = molecules.names.index(alcohol), molecules.names.index(f"{chain}ane")
        gains.append(boils[i] - boils[j])
        assert predicted[i] - predicted[j] == pytest.approx(108, abs=0.5)
    assert gains == sorted(gains, reverse=True) and (gains[0], gains[-1]) == (167, 69)
    outside = {}
    for lam in (0.001, 1):
        fit = ridge(gram[np.ix_(train, train)], boils[train], lam)
        test = np.setdiff1d(np.arange(86), train)
        unsaid = fit.posterior_variance(gram[np.ix_(test, train)], np.diag(gram)[test]) + lam
        band = 2 * np.sqrt(boils[train] @ fit.coef / 60 * unsaid)
        off = np.abs(gram[np.ix_(test, train)] @ fit.coef - boils[test])
        outside[lam] = int((off > band).sum())
    assert outside == {0.001: 5, 1: 2}
