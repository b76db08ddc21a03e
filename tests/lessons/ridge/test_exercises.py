"""The bank of notebook 06: answers that each check must accept, and those that it must not."""

from __future__ import annotations

import numpy as np
import pytest
from bank import Bank, BankTests
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import brentq, minimize_scalar, newton

from kernellab.exercises.exercise import HARD_CODED, OTHER_SHAPE
from kernellab.exercises.running import CHANGES_ITS_INPUT, ENDLESS, RAISES, SHAPES
from kernellab.lessons.ridge import exercises

# --- right answers ------------------------------------------------------------------------------


def coefficients_by_cholesky(K, y, lam):
    return cho_solve(cho_factor(K + lam * np.eye(len(y))), y)


def lam_by_newton(K, freedom):
    """Newton's method in log λ, with steps of at most 1."""
    s, t = np.linalg.eigvalsh(K), 0.0
    for _ in range(200):
        share = s / (s + np.exp(t))
        t += np.clip((share.sum() - freedom) / (share * (1 - share)).sum(), -1, 1)
    return np.float32(np.exp(t))


def lam_by_halving(K, freedom, unit=None):
    low, high = 1e-9 * (unit or np.trace(K)), 1e9 * (unit or np.trace(K))
    while high / low > 1.00001:
        middle = np.sqrt(low * high)
        kept = np.trace(np.linalg.solve(K + middle * np.eye(len(K)), K))
        low, high = (middle, high) if kept > freedom else (low, middle)
    return low


def lam_by_table(K, freedom):
    lams = np.logspace(-6, 6, 200_001) * np.trace(K)
    s = np.linalg.eigvalsh(K)[:, None]
    return lams[np.argmin(np.abs((s / (s + lams)).sum(axis=0) - freedom))]


def part_by_qr(X, w):
    _, s, Vt = np.linalg.svd(X, full_matrices=False)
    V = Vt[s > 1e-10 * s[0]]
    return V.T @ (V @ w)


def part_by_pinv(X, w):
    return np.linalg.pinv(X) @ (X @ w)


def error_by_loop(y, y_hat):
    total, n = 0.0, np.size(y)
    for a, b in zip(np.reshape(y, n), np.reshape(y_hat, n), strict=True):
        total += (a - b) ** 2
    return total / n


def pairs_by_matrix(y, y_hat):
    return float(((y[:, None] - y_hat[None, :]) ** 2).mean())


def pairs_by_moments(y, y_hat):
    return np.mean(y**2) + np.mean(y_hat**2) - 2 * np.mean(y) * np.mean(y_hat)


def loo_by_deletion(K, y, lam, fold=None):
    errors, fold = [], range(len(y)) if fold is None else fold
    for i in range(len(y)):
        rest = [j for j in range(len(y)) if fold[j] != fold[i]]
        coef = coefficients_by_cholesky(K[np.ix_(rest, rest)], y[rest], lam)
        errors.append(y[i] - K[i, rest] @ coef)
    return errors


def loo_by_eigenvalues(K, y, lam):
    s, U = np.linalg.eigh(K)
    return (U @ (U.T @ y / (s + lam))) / (U**2 @ (1 / (s + lam)))


def folds_by_hat_matrix(K, y, lam, fold):
    H = np.linalg.solve(K + lam * np.eye(len(y)), K).T
    errors = np.zeros(len(y))
    for one in set(fold):
        B = np.flatnonzero(fold == one)
        errors[B] = np.linalg.solve(np.eye(len(B)) - H[np.ix_(B, B)], (y - H @ y)[B])
    return errors


def folds_at_once(K, y, lam, fold):
    G = np.linalg.inv(K + lam * np.eye(len(y)))
    return np.linalg.solve(G * (fold[:, None] == fold), G @ y)


def path_by_loop(K, y, lams):
    return [coefficients_by_cholesky(K, y, lam) for lam in lams]


def path_by_outer(K, y, lams):
    s, U = np.linalg.eigh(K)
    return (U @ ((U.T @ y)[:, None] / np.add.outer(s, lams))).T


def band_by_loop(K, y, K_new, diag, noise):
    A = np.linalg.inv(K + noise**2 * np.eye(len(y)))
    mean = [k @ A @ y for k in K_new]
    return mean, [np.sqrt(d - k @ A @ k) for d, k in zip(diag, K_new, strict=True)]


def band_by_cholesky(K, y, K_new, diag, noise):
    L = np.linalg.cholesky(K + noise**2 * np.eye(len(y)))
    V = np.linalg.solve(L, K_new.T)
    return V.T @ np.linalg.solve(L, y), np.sqrt(diag - (V**2).sum(axis=0))


def band_as_one_array(K, y, K_new, diag, noise):
    A = K + noise**2 * np.eye(len(y))
    variance = diag - np.diag(K_new @ np.linalg.solve(A, K_new.T))
    return np.array([K_new @ np.linalg.solve(A, y), variance**0.5])


def choose_by_deletion(K, y, lams):
    return min(lams, key=lambda lam: np.sum(np.square(loo_by_deletion(K, y, lam))))


def choose_by_eigenvalues(K, y, lams):
    errors = [np.linalg.norm(loo_by_eigenvalues(K, y, lam)) for lam in lams]
    return np.asarray(lams)[np.argmin(errors)]


RIGHT = {
    "lam_for_freedom": [lam_by_newton, lam_by_halving, lam_by_table],
    "part_in_the_data": [
        part_by_qr,
        part_by_pinv,
        lambda X, w: np.linalg.lstsq(X, X @ w, rcond=None)[0],
    ],
    "honest_error": [
        error_by_loop,
        lambda y, y_hat: np.mean((y.reshape(-1) - y_hat.reshape(-1)) ** 2),
        lambda y, y_hat: np.mean((y.T - y_hat.T) ** 2),  # a transpose of (n,) is (n,)
        lambda y, y_hat: np.mean((y - y_hat.reshape(y.shape)) ** 2),
        lambda y, y_hat: np.float32(((y.flatten() - y_hat.flatten()) ** 2).sum() / y.size),
    ],
    "broadcast_says": [
        pairs_by_matrix,
        pairs_by_moments,
        lambda y, y_hat: np.mean([(a - b) ** 2 for a in y for b in y_hat]),
    ],
    "leave_folds_out": [loo_by_deletion, folds_by_hat_matrix, folds_at_once],
    "coefficients_for_all": [
        path_by_loop,
        path_by_outer,
        lambda K, y, lams: [coefficients_by_cholesky(K, y, lam) for lam in lams],
    ],
    "band": [band_by_loop, band_by_cholesky, band_as_one_array],
    "choose_lam": [
        choose_by_deletion,
        choose_by_eigenvalues,
        lambda K, y, lams: sorted(
            lams,
            key=lambda lam: (
                np.var(loo_by_deletion(K, y, lam)) + np.mean(loo_by_deletion(K, y, lam)) ** 2
            ),
        )[0],
    ],
}

# --- wrong answers, with the name of the misconception where it has one --------------------------


def lambda_in_place(K, freedom):
    K += 1e-3 * np.eye(len(K))
    return lam_by_halving(K, freedom)


def lam_by_brentq(K, freedom):
    s = np.linalg.eigvalsh(K)
    return np.exp(brentq(lambda t: np.sum(s / (s + np.exp(t))) - freedom, -20, 20))


def apart(K, freedom):
    """Return the square of what a λ is off, as a function of it."""
    s = np.linalg.eigvalsh(K)
    return lambda lam: (np.sum(s / (s + lam)) - freedom) ** 2


def lam_by_three(K, freedom):
    return minimize_scalar(apart(K, freedom), bracket=(1e-6, 1, 1e6)).x


def lam_by_minimum(K, freedom):
    return minimize_scalar(apart(K, freedom)).x


def lam_by_bounded_minimum(K, freedom):
    return minimize_scalar(apart(K, freedom), bounds=(0, 1e6)).x


def lam_by_secants(K, freedom):
    s = np.linalg.eigvalsh(K)
    return newton(lambda lam: np.sum(s / (s + lam)) - freedom, 1.0)


def lambda_for_ever(K, freedom):
    lam = 1.0
    while np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K)) != freedom:
        lam *= 1.0
    return lam


def training_error(K, y, lam):
    return np.mean((y - K @ coefficients_by_cholesky(K, y, lam)) ** 2)


def reshaped_in_place(y, y_hat):
    y_hat.shape = y.shape
    return np.mean((y - y_hat) ** 2)


def band_as_three(K, y, K_new, diag, noise):
    mean, deviation = band_by_cholesky(K, y, K_new, diag, noise)
    return mean, mean - deviation, mean + deviation


def band_of_covariances(K, y, K_new, diag, noise):
    A = K + noise**2 * np.eye(len(y))
    return K_new @ np.linalg.solve(A, y), diag - K_new @ np.linalg.solve(A, K_new.T)


WRONG = {
    "lam_for_freedom": [
        (lambda_in_place, CHANGES_ITS_INPUT),
        (lambda_for_ever, ENDLESS),
        (lambda K, freedom: [lam_by_halving(K, freedom)], OTHER_SHAPE),
        (lambda K, freedom: 1 / lam_by_halving(K, freedom), None),
        (lambda K, freedom: lam_by_halving(K + np.ones(len(K) + 1), freedom), RAISES),
        (lambda K, freedom: 1.0, HARD_CODED),
        (lambda K, freedom: lam_by_halving(K, freedom, 1), "an interval with fixed ends"),
        (lam_by_brentq, RAISES),  # its two ends have one sign
        (lam_by_three, RAISES),
        (lam_by_secants, RAISES),
        (lam_by_minimum, "right to some decimals"),
        (lam_by_bounded_minimum, None),
        (
            lambda K, freedom: np.sort(np.linalg.eigvalsh(K))[::-1][max(int(freedom), 1) - 1],
            "the eigenvalue of that number",
        ),
    ],
    "part_in_the_data": [
        (lambda X, w: np.linalg.solve(X @ X.T, X @ w), "the coefficients are returned"),
        (lambda X, w: part_by_pinv(X, w)[None], OTHER_SHAPE),
        (lambda X, w: X.T @ np.linalg.solve(X @ X.T, X @ w), RAISES),  # rows repeat
        (lambda X, w: part_by_pinv(X, w) / np.linalg.norm(w), None),
        (lambda X, w: -part_by_pinv(X, w), None),
        (lambda X, w: 0 * w, None),
    ],
    "honest_error": [
        (
            lambda y, y_hat: np.mean((y - y_hat.squeeze()) ** 2),
            "only the predictions are flattened",
        ),
        (lambda y, y_hat: np.mean((y.squeeze() - y_hat) ** 2), "only the targets are flattened"),
        (lambda y, y_hat: np.square(y - y_hat).diagonal().mean(), RAISES),  # of one row
        (lambda y, y_hat: np.diag(np.square(y - y_hat)).mean(), "the mean of the diagonal"),
        (lambda y, y_hat: [error_by_loop(y, y_hat)], OTHER_SHAPE),
        (lambda y, y_hat: 1.0, HARD_CODED),
        (lambda y, y_hat: np.mean((y - y_hat.T) ** 2), "only the predictions are flattened"),
        (reshaped_in_place, CHANGES_ITS_INPUT),
    ],
    "broadcast_says": [
        (lambda y, y_hat: (y.mean() - y_hat.mean()) ** 2, None),
        (lambda y, y_hat: 2 * pairs_by_matrix(y, y_hat), None),
        (lambda y, y_hat: [pairs_by_matrix(y, y_hat)], OTHER_SHAPE),
        (lambda y, y_hat: (y[:, None] - y_hat) ** 2, None),
        (lambda y, y_hat: np.var(np.concatenate([y, y_hat])), None),
    ],
    "leave_folds_out": [
        (lambda *given: np.mean(np.square(loo_by_deletion(*given))), "one number for all"),
        (lambda *given: training_error(*given[:3]), "the training errors"),
        (lambda *given: np.array(loo_by_deletion(*given))[:, None], OTHER_SHAPE),
        (lambda *given: np.abs(loo_by_deletion(*given)), None),
        (lambda K, y, lam, fold: loo_by_deletion(K, y, lam), "each example alone"),
        (lambda K, y, lam, fold: loo_by_deletion(K, y, 2 * lam, fold), None),
        (lambda K, y, lam, fold: y @ np.ones(len(y) + 1), SHAPES),
    ],
    "coefficients_for_all": [
        (lambda K, y, lams: path_by_loop(K, y, lams)[0], None),
        (lambda K, y, lams: path_by_loop(K, y, lams[::-1]), None),
        (lambda K, y, lams: np.ravel(path_by_loop(K, y, lams)), OTHER_SHAPE),
        (lambda K, y, lams: path_by_loop(K, y, 1 / lams), None),
        (lambda K, y, lams: np.mean(path_by_loop(K, y, lams), axis=0), None),
    ],
    "band": [
        (band_as_three, None),
        (band_of_covariances, None),
        (lambda *given: band_by_cholesky(*given)[0], None),
        (lambda *given: band_by_cholesky(*given)[::-1], "the other way round"),
        (lambda *given: band_as_three(*given)[1:], None),
        (lambda K, y, K_new, diag, noise: band_by_cholesky(K, y, K_new, diag, 0.1), None),
    ],
    "choose_lam": [
        (lambda K, y, lams: [choose_by_deletion(K, y, lams)], OTHER_SHAPE),
        (lambda K, y, lams: lams[0], None),
        (lambda K, y, lams: np.median(lams), None),
        (lambda K, y, lams: np.max(lams), "by the length of the coefficients"),
        (lambda K, y, lams: np.min(lams), "by the training error"),
        (
            lambda K, y, lams: training_error(K, y, np.min(lams)),
            "the training error instead of the λ",
        ),
    ],
}

# A sum has its minimum where the mean has.
EQUIVALENT = {
    "choose_lam": {"errors.append(np.sum((G @ y / np.diag(G)) ** 2))"},
    "lam_for_freedom": {"while too_many(low) <= 0:", "low -= 2"},  # the interval may be wider
}


class TestBank(BankTests):
    bank = Bank("06", exercises, RIGHT, WRONG, EQUIVALENT)


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("broadcast_says", pairs_by_matrix, "holds all n² differences"),
        ("broadcast_says", pairs_by_moments, None),
        ("coefficients_for_all", path_by_loop, "solved 20 systems for 20 λ"),
        ("coefficients_for_all", path_by_outer, None),
    ],
)
def test_a_right_answer_that_misses_the_point_is_told(name, answer, words):
    found = getattr(exercises, name).verdict(answer)
    assert found.correct
    assert "One thing" not in found.text if words is None else words in " ".join(found.text.split())


def test_a_wrong_answer_is_not_told_what_it_takes():
    found = exercises.broadcast_says.verdict(lambda y, y_hat: 1 + pairs_by_matrix(y, y_hat))
    assert not found.correct
    assert "n² differences" not in found.text


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lam_by_brentq, "one sign, so its zero is not between them"),
        (lam_by_three, "no three fixed ones will do"),
        (lam_by_secants, "Search in log λ, between ends taken from K"),
        (lam_by_bounded_minimum, "What is new in this example is the unit of K"),
    ],
)
def test_a_search_that_finds_nothing_is_told_why(answer, words):
    found = exercises.lam_for_freedom.verdict(answer)
    assert not found.correct and words in " ".join(found.text.split())


def test_units_are_blamed_only_where_they_are_new():
    found = exercises.lam_for_freedom.verdict(lambda K, freedom: np.trace(K))
    assert "Example 2 of" in found.text and "unit" not in found.text
