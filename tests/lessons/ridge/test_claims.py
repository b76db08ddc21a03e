"""What notebook 06 and what is further say and do not print, each computed in a second way."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

import kernellab as kl
from kernellab.lessons.ridge.figures.pictures import LAMS
from kernellab.lessons.ridge.figures.ridge_dial import make_wave, wave
from kernellab.lessons.ridge.figures.ridge_or_svm import RidgeOrSVM
from kernellab.lessons.ridge.theory.bias_variance import resampled_fits
from kernellab.solvers.ridge import ridge


def test_two_examples_by_hand():
    coef, _ = kl.solve_ridge(np.array([[1, 0.5], [0.5, 1]]), np.array([1.0, 0.0]), 0.5)
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
    assert (
        np.square(size[:8]).sum() > 0.99 * np.square(size).sum()
    )  # the wave is in the first eight


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
    for path, squares in bowls.values():
        assert LAMS[squares.mean(axis=1).argmin()] < 0.05  # below the grey band
        assert path.train_error.argmin() == 0
    narrow = [path.train_error[0] for path, _ in bowls.values()]
    assert narrow == sorted(narrow, reverse=True)  # the narrower, the better in training


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


def test_the_band_ignores_heights_and_lam_is_the_variance():
    x, y = make_wave(7)
    one, other = (ridge(kl.Gaussian(20.0)(x[:, None]), h, 0.04) for h in (y, -3 * y))
    K_new = kl.Gaussian(20.0)(np.linspace(0, 1, 9)[:, None], x[:, None])
    width = one.posterior_variance(K_new, np.ones(9))
    np.testing.assert_array_equal(width, other.posterior_variance(K_new, np.ones(9)))


def test_boiling_points():
    molecules, boils = kl.load_molecules(), kl.load_boiling_points()
    train, test = np.split(np.random.default_rng(0).permutation(86), [60])
    assert round(boils.std()) == 60
    assert round(np.sqrt(np.mean((boils[test] - boils[train].mean()) ** 2))) == 45
    K = kl.WeisfeilerLehman(1)(molecules.X) + 100
    path = kl.ridge_path(K[train][:, train], boils[train] - boils[train].mean(), [1e-4, 1e-3, 0.01])
    assert np.ptp(path.loo_error) < 1e-3 * path.loo_error[0]  # a plateau
    atoms = {name: graph.labels for name, graph in zip(molecules.names, molecules.X, strict=True)}
    single = [name for name in atoms if name.endswith("ol") and "diol" not in name]
    assert min(single, key=lambda name: len(atoms[name])) == "methanol"
    double = [name for name in atoms if "diol" in name]
    assert min(double, key=lambda name: len(atoms[name])) == "1,2-ethanediol"


# --- further -------------------------------------------------------------------------------------


def test_chosen_by_leave_one_out_the_smooth_kernel_is_not_ahead():
    rng, line, lams = np.random.default_rng(0), np.linspace(0, 1, 101), LAMS[12:29]  # 0.001 … 10
    X = rng.uniform(size=(200, 12, 1))
    Y = wave(X[:, :, 0]) + 0.25 * rng.normal(size=(200, 12))
    chosen, tuned = [], []
    for kernel in (kl.Gaussian.from_bandwidth(0.1), kl.Laplacian(10.0)):
        fits = resampled_fits(kernel, zip(X, Y, strict=True), line[:, None], lams)
        errors = np.mean((fits - wave(line)) ** 2, axis=2)
        best = [kl.ridge_path(kernel(x), y, lams).best for x, y in zip(X, Y, strict=True)]
        chosen.append(np.mean(errors[np.arange(200), best]))
        tuned.append(errors.mean(axis=0))
    assert tuned[0].min() == pytest.approx(0.9 * tuned[1].min(), rel=0.05)
    assert tuned[0][0] > 3 * tuned[1][0]
    assert chosen[0] > chosen[1]


def test_digits_left_out():
    digits = kl.load_digits(None)
    X, Y = digits.X / 16, 2.0 * (digits.y[:, None] == np.arange(10)) - 1
    path = kl.ridge_path(kl.Gaussian(0.05)(X), Y, [0.001])
    left_out = (Y - path.loo_errors[0]).argmax(axis=1)
    assert np.sum(left_out != digits.y) == 11  # six in a thousand
    some = np.random.default_rng(0).choice(len(X), 300, replace=False)
    distances = np.linalg.norm(X[some, None] - X[some], axis=2)[np.triu_indices(300, 1)]
    assert 1 / (2 * np.median(distances) ** 2) == pytest.approx(0.05, abs=0.01)


def test_the_solution_is_the_minimum():
    rng = np.random.default_rng(0)
    Phi, y, lam = rng.normal(size=(12, 3)), rng.normal(size=12), 0.7
    found = minimize(lambda w: np.sum((y - Phi @ w) ** 2) + lam * w @ w, np.zeros(3), tol=1e-10)
    np.testing.assert_allclose(Phi.T @ ridge(Phi @ Phi.T, y, lam).coef, found.x, atol=1e-5)


def test_the_trace_of_least_squares_counts_parameters():
    Phi = np.random.default_rng(1).normal(size=(20, 6))
    hat = Phi @ np.linalg.pinv(Phi)
    assert np.isclose(np.trace(hat), 6)


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


def test_an_error_left_out_has_the_variance_that_is_said():
    rng = np.random.default_rng(6)
    X, sigma2 = rng.normal(size=(6, 1)), 0.3
    K = kl.Gaussian(0.5)(X)
    rest = np.arange(6) != 2
    seen = K[np.ix_(rest, rest)] + sigma2 * np.eye(5)
    variance = K[2, 2] + sigma2 - K[2, rest] @ np.linalg.solve(seen, K[rest, 2])
    assert np.isclose(1 / ridge(K, np.zeros(6), sigma2).inverse_diagonal[2], variance)


def test_squared_loss_is_a_loss_of_the_margin():
    y, f = np.array([-1.0, 1.0, 1.0]), np.array([0.3, -2.0, 1.7])
    np.testing.assert_allclose((y - f) ** 2, (1 - y * f) ** 2)


def test_a_function_is_no_higher_than_its_norm():
    rng = np.random.default_rng(4)
    X, coef = rng.normal(size=(8, 2)), rng.normal(size=8)
    kernel = kl.Gaussian(0.3)
    norm = np.sqrt(coef @ kernel(X) @ coef)
    assert np.abs(kernel(3 * rng.normal(size=(500, 2)), X) @ coef).max() <= norm


def test_both_are_right_with_a_gaussian():
    assert RidgeOrSVM(kind="Gaussian, γ = 0.1").numbers["wrong"] == [0, 0]
