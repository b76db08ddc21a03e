"""The bank of notebook 07: answers that each check must accept, and those that it must not."""

from __future__ import annotations

import numpy as np
import pytest
from bank import Bank, BankTests
from scipy.optimize import minimize

import kernellab as kl
from kernellab.exercises.exercise import HARD_CODED, OTHER_SHAPE
from kernellab.exercises.running import CHANGES_ITS_INPUT, RAISES, SHAPES
from kernellab.lessons.approximation import exercises
from kernellab.lessons.approximation.exercises import mkl
from kernellab.solvers.fourier import FourierMap

# --- right answers ------------------------------------------------------------------------------


def alignment_by_loop(K, y):
    total = sum(K[i, j] * y[i] * y[j] for i in range(len(y)) for j in range(len(y)))
    return total / len(y) / sum(v * v for row in K for v in row) ** 0.5


def alignment_of_vectors(K, y):
    a, b = K.ravel(), np.outer(y, y).ravel()
    return np.float32(a @ b / np.sqrt((a @ a) * (b @ b)))


def alignment_by_trace(K, y):
    ideal = y[:, None] * y
    return np.trace(K @ ideal) / np.sqrt(np.trace(K @ K.T) * np.trace(ideal @ ideal))


def sheet_by_least_squares(k_xx, K_Z, k_Z):
    found = []
    for total, row in zip(k_xx, k_Z, strict=True):
        c = np.linalg.lstsq(K_Z, row, rcond=1e-10)[0]
        found.append(total - 2 * c @ row + c @ K_Z @ c)
    return found


def sheet_by_features(k_xx, K_Z, k_Z):
    s, U = np.linalg.eigh(K_Z)
    kept = s > 1e-10 * s[-1]
    return k_xx - ((k_Z @ U[:, kept] / np.sqrt(s[kept])) ** 2).sum(axis=1)


def sheet_one_by_one(k_xx, K_Z, k_Z):
    """Let one landmark after another take away what it explains of what is left."""
    left, rows, K = k_xx.copy(), k_Z.copy(), K_Z.copy()
    for j in range(len(K)):
        if K[j, j] > 1e-9:
            left -= rows[:, j] ** 2 / K[j, j]
            rows = rows - np.outer(rows[:, j], K[j]) / K[j, j]
            K = K - np.outer(K[j], K[j]) / K[j, j]
    return left


def features_by_loop(X, draws, gamma):
    omega, m = (2 * gamma) ** 0.5 * draws, len(draws)
    waves = (np.cos, np.sin)
    return [[wave(w @ x) / m**0.5 for wave in waves for w in omega] for x in X]


def features_by_complex_numbers(X, draws, gamma):
    turning = np.exp(1j * np.sqrt(2 * gamma) * X @ draws.T) / np.sqrt(len(draws))
    return np.concatenate([turning.real, turning.imag], axis=1)


def features_of_shrunk_points(X, draws, gamma):
    """Divide the points by σ, and take a sine for a cosine that comes late."""
    sigma, m = 1 / np.sqrt(2 * gamma), len(draws)
    late = np.repeat([0, np.pi / 2], m)
    return np.cos((X / sigma) @ np.vstack([draws, draws]).T - late).astype(np.float32) / m**0.5


def simplex_by_bisection(v):
    low, high = v.min() - 1.0, v.max()
    for _ in range(100):
        theta = (low + high) / 2
        low, high = (theta, high) if np.maximum(v - theta, 0).sum() > 1 else (low, theta)
    return np.maximum(v - theta, 0)


def simplex_by_dropping(v):
    active = np.ones(len(v), dtype=bool)
    while True:
        eta = np.where(active, v - (v[active].sum() - 1) / active.sum(), 0.0)
        if (eta >= 0).all():
            return list(eta)
        active &= eta > 0


def simplex_by_solver(v):
    found = minimize(
        lambda eta: ((eta - v) ** 2).sum(),
        np.full(len(v), 1 / len(v)),
        jac=lambda eta: 2 * (eta - v),
        bounds=[(0, 1)] * len(v),
        constraints={"type": "eq", "fun": lambda eta: eta.sum() - 1},
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return found.x


def slopes_by_loop(J, eta, h):
    slopes = []
    for m in range(len(eta)):
        up, down = eta.copy(), eta.copy()
        up[m] += h
        down[m] -= h
        slopes.append((J(up) - J(down)) / h / 2)
    return slopes


def slopes_of_two_sides(J, eta, h):
    here, steps = J(eta), h * np.eye(len(eta))
    return np.array([(J(eta + e) - here + here - J(eta - e)) / (2 * h) for e in steps])


def slopes_as_a_mean(J, eta, h):
    steps = np.eye(len(eta)) * h
    forward = np.array([J(eta + e) - J(eta) for e in steps]) / h
    backward = np.array([J(eta) - J(eta - e) for e in steps]) / h
    return (forward + backward) / 2


def gradient_by_loop(Ks, y, alpha):
    gradient = []
    for K in Ks:
        total = 0.0
        for i in range(len(y)):
            for j in range(len(y)):
                total += alpha[i] * alpha[j] * y[i] * y[j] * K[i, j]
        gradient.append(-total / 2)
    return gradient


def gradient_by_einsum(Ks, y, alpha):
    c = (alpha * y).astype(np.float32)
    return -0.5 * np.einsum("i,mij,j->m", c, Ks, c)


def gradient_by_products(Ks, y, alpha):
    return ((Ks @ (alpha * y)) * (alpha * y)).sum(axis=1) / -2


def gap_by_parts(Ks, y, alpha, eta, C):
    c, K = alpha * y, sum(e * K for e, K in zip(eta, Ks, strict=True))
    slack = (1 - y * (K @ c)).clip(0)
    primal = 0.5 * c @ K @ c + C * slack.sum()
    return primal - (alpha.sum() + min(gradient_by_loop(Ks, y, alpha)))


def gap_in_two(Ks, y, alpha, eta, C):
    """The gap of the machine, and what other weights could still gain."""
    q = -2 * gradient_by_products(Ks, y, alpha)
    z = y * np.einsum("m,mij,j->i", eta, Ks, alpha * y)
    machine = alpha @ z + C * np.maximum(0, 1 - z).sum() - alpha.sum()
    return machine + (q.max() - eta @ q) / 2


def gap_by_loop(Ks, y, alpha, eta, C):
    n = len(y)
    f = [
        sum(eta[m] * K[i, j] * alpha[j] * y[j] for m, K in enumerate(Ks) for j in range(n))
        for i in range(n)
    ]
    total = sum(a * label * v / 2 for a, label, v in zip(alpha, y, f, strict=True))
    total += C * sum(max(0, 1 - label * v) for label, v in zip(y, f, strict=True))
    return [total - sum(alpha) - min(gradient_by_loop(Ks, y, alpha))][0]


def landmarks_by_features(K, m):
    """Keep the columns of a Cholesky factor instead of the residual."""
    left, columns, chosen = np.diag(K).copy(), np.zeros((len(K), 0)), []
    for _ in range(m):
        i = int(left.argmax())
        column = (K[:, i] - columns @ columns[i]) / np.sqrt(left[i])
        columns = np.column_stack([columns, column])
        left = left - column**2
        chosen.append(i)
    return chosen


def landmarks_from_scratch(K, m):
    chosen = []
    for _ in range(m):
        explained = np.zeros_like(K)
        if chosen:
            explained = K[:, chosen] @ np.linalg.pinv(K[np.ix_(chosen, chosen)]) @ K[chosen]
        chosen.append(int(np.diag(K - explained).argmax()))
    return tuple(chosen)


def landmarks_by_scaled_rows(K, m):
    R, chosen = K.astype(float), np.empty(m)
    for step in range(m):
        i = max(range(len(R)), key=lambda j: R[j, j])
        r = R[i] / R[i, i] ** 0.5
        R = R - r[:, None] * r
        chosen[step] = i
    return chosen


RIGHT = {
    "alignment": [alignment_by_loop, alignment_of_vectors, alignment_by_trace],
    "unexplained": [sheet_by_least_squares, sheet_by_features, sheet_one_by_one],
    "random_features": [
        features_by_loop,
        features_by_complex_numbers,
        features_of_shrunk_points,
    ],
    "project_on_simplex": [simplex_by_bisection, simplex_by_dropping, simplex_by_solver],
    "numerical_gradient": [slopes_by_loop, slopes_of_two_sides, slopes_as_a_mean],
    "mkl_gradient": [gradient_by_loop, gradient_by_einsum, gradient_by_products],
    "mkl_gap": [gap_by_parts, gap_in_two, gap_by_loop],
    "greedy_landmarks": [landmarks_by_features, landmarks_from_scratch, landmarks_by_scaled_rows],
}

# --- wrong answers, with the name of the misconception where it has one --------------------------


def slopes_in_place(J, eta, h):
    slopes = []
    for m in range(len(eta)):
        eta[m] += h
        up = J(eta)
        eta[m] -= 2 * h
        slopes.append((up - J(eta)) / (2 * h))
    return slopes


def features_in_place(X, draws, gamma):
    draws *= np.sqrt(2 * gamma)
    return features_by_loop(X, draws, 0.5)


def features_of_other_draws(X, draws, gamma):
    others = np.random.default_rng(0).normal(size=draws.shape)
    return features_by_loop(X, others, gamma)


def features_with_a_phase(X, draws, gamma):
    """The other form of random features, m numbers an example."""
    phases = np.random.default_rng(0).uniform(0, 2 * np.pi, len(draws))
    return np.sqrt(2 / len(draws)) * np.cos(np.sqrt(2 * gamma) * X @ draws.T + phases)


def cosines_of_the_other_form(X, draws, gamma):
    omega = [row * (2 * gamma) ** 0.5 for row in draws]
    return np.array([[np.cos(x @ w) for w in omega] for x in X]) * (2 / len(draws)) ** 0.5


def normal_of_variance_gamma(X, draws, gamma):
    return features_by_loop(X, draws, gamma / 2)


def waves_and_no_root(X, draws, gamma):
    return np.array(features_by_loop(X, draws, gamma)) / len(draws) ** 0.5


def slopes_by_precedence(J, eta, h):
    return [(J(eta + e) - J(eta - e)) / 2 * h for e in h * np.eye(len(eta))]


def sorted_weights(v):
    u = np.sort(v)[::-1]
    thetas = (np.cumsum(u) - 1) / np.arange(1, len(v) + 1)
    return np.maximum(u - thetas[u > thetas][-1], 0)


def clipped_and_shared(v):
    positive = np.clip(v, 0, None)
    total = positive.sum()
    return positive / total if total > 0 else np.full(len(v), 1 / len(v))


def sheet_with_bare_coefficients(k_xx, K_Z, k_Z):
    c = np.linalg.solve(K_Z, k_Z.T).T
    return k_xx - (c**2).sum(axis=1)


def sheet_without_the_second(k_xx, K_Z, k_Z):
    return [a - np.linalg.lstsq(K_Z, k, 1e-10)[0].sum() for a, k in zip(k_xx, k_Z, strict=True)]


def relative_gap(Ks, y, alpha, eta, C):
    """As the lesson prints it."""
    f = np.tensordot(eta, Ks, axes=1) @ (alpha * y)
    P = alpha * y @ f / 2 + C * np.maximum(0, 1 - y * f).sum()
    return gap_by_parts(Ks, y, alpha, eta, C) / P


def gap_of_the_lesson(Ks, y, alpha, eta, C):
    q = np.array([(alpha * y) @ K @ (alpha * y) for K in Ks])
    return (max(q) - eta @ q) / 2


def gap_without_labels(Ks, y, alpha, eta, C):
    f = np.tensordot(eta, Ks, axes=1) @ alpha
    P = alpha @ f / 2 + C * np.maximum(0, 1 - y * f).sum()
    return P - alpha.sum() + max(alpha @ K @ alpha for K in Ks) / 2


def landmarks_by_chance(K, m):
    """As the lesson's pivoted Cholesky draws them."""
    R, chosen, rng = K.copy(), [], np.random.default_rng(0)
    for _ in range(m):
        left = np.maximum(np.diag(R), 0)
        i = int(rng.choice(len(left), p=left / left.sum()))
        chosen.append(i)
        R = R - np.outer(R[i], R[i]) / R[i, i]
    return chosen


def landmarks_in_place(K, m):
    chosen = []
    for _ in range(m):
        i = int(np.diag(K).argmax())
        chosen.append(i)
        K -= np.outer(K[i], K[i]) / K[i, i]
    return chosen


WRONG = {
    "alignment": [
        (lambda K, y: K * np.outer(y, y) / (len(y) * np.linalg.norm(K)), None),
        (lambda K, y: -alignment_by_loop(K, y), None),
        (lambda K, y: [alignment_by_loop(K, y)], OTHER_SHAPE),
        (lambda K, y: 1.0, HARD_CODED),
        (lambda K, y: alignment_by_loop(K @ K, y), None),
    ],
    "unexplained": [
        (lambda k_xx, K_Z, k_Z: k_xx - (k_Z @ np.linalg.inv(K_Z) * k_Z).sum(axis=1), RAISES),
        (lambda k_xx, K_Z, k_Z: k_xx, None),
        (lambda k_xx, K_Z, k_Z: sheet_by_features(k_xx, K_Z, k_Z)[:, None], OTHER_SHAPE),
        (lambda k_xx, K_Z, k_Z: -sheet_by_features(k_xx, K_Z, k_Z), None),
        (lambda k_xx, K_Z, k_Z: k_xx - (np.linalg.pinv(K_Z) @ k_Z).sum(axis=1), SHAPES),
        (sheet_with_bare_coefficients, "the length of c"),
        (sheet_without_the_second, "the second k_Z is forgotten"),
    ],
    "random_features": [
        (features_in_place, CHANGES_ITS_INPUT),
        (features_of_other_draws, None),
        (features_with_a_phase, None),
        (lambda X, draws, gamma: np.exp(-gamma * (X**2).sum(axis=1)), None),
        (lambda X, draws, gamma: np.ravel(features_by_loop(X, draws, gamma)), OTHER_SHAPE),
        (lambda X, draws, gamma: np.cos(X @ np.ones(99)), SHAPES),
        (cosines_of_the_other_form, "√(2/m) cosines without a phase"),
        (normal_of_variance_gamma, "γ as the variance"),
        (waves_and_no_root, "divided by m"),
    ],
    "project_on_simplex": [
        (lambda v: v, None),
        (lambda v: np.full(len(v), 1 / len(v)), None),
        (lambda v: simplex_by_bisection(np.abs(v)), None),
        (lambda v: simplex_by_bisection(v)[None], OTHER_SHAPE),
        (lambda v: np.sort(simplex_by_bisection(v)), None),
        (sorted_weights, "in another order"),
        (clipped_and_shared, "clip, then divide by the sum"),
    ],
    "numerical_gradient": [
        (slopes_in_place, CHANGES_ITS_INPUT),
        (lambda J, eta, h: np.sum(slopes_by_loop(J, eta, h)), None),
        (lambda J, eta, h: slopes_by_loop(J, eta, 1e-6), None),
        (lambda J, eta, h: J(eta) * eta, None),
        (slopes_by_precedence, "divided by 2, then multiplied by h"),
        (lambda J, eta, h: np.array(slopes_by_loop(J, eta, h))[:, None], OTHER_SHAPE),
    ],
    "mkl_gradient": [
        (lambda Ks, y, alpha: gradient_by_loop(Ks, y, alpha)[0], None),
        (lambda Ks, y, alpha: np.sum(gradient_by_loop(Ks, y, alpha)), None),
        (lambda Ks, y, alpha: np.abs(gradient_by_loop(Ks, y, alpha)), "the sign"),
        (lambda Ks, y, alpha: np.array(gradient_by_loop(Ks, y, alpha))[:, None], OTHER_SHAPE),
        (lambda Ks, y, alpha: Ks @ np.ones(99), SHAPES),
    ],
    "mkl_gap": [
        (lambda Ks, *given: abs(gap_by_parts(Ks, *given)) / 2, None),
        (gap_without_labels, "the labels are left out"),
        (lambda *given: [gap_by_parts(*given)], OTHER_SHAPE),
        (lambda Ks, y, alpha, eta, C: gap_by_parts(Ks, y, alpha, eta, 2 * C), None),
        (lambda Ks, y, alpha, eta, C: gap_by_parts(Ks, y, alpha, eta[::-1], C), None),
        (lambda *given: -gap_by_parts(*given), "D − P"),
        (relative_gap, "the relative gap"),
        (gap_of_the_lesson, "the gap of the lesson"),
    ],
    "greedy_landmarks": [
        (landmarks_in_place, CHANGES_ITS_INPUT),
        (lambda K, m: landmarks_by_features(K, m)[::-1], None),
        (lambda K, m: landmarks_by_features(K, 1), None),
        (lambda K, m: set(landmarks_by_features(K, m)), None),
        (landmarks_by_chance, None),
        (lambda K, m: np.array(landmarks_by_features(K, m)) + 1, None),
        (lambda K, m: K[landmarks_by_features(K, m)], None),
    ],
}
EQUIVALENT = {  # a tie; and labels are their own inverses
    "project_on_simplex": {"theta = thetas[u >= thetas][-1]"},
    "mkl_gradient": {"c = alpha / y"},
    "mkl_gap": {"c = alpha / y"},
}


class TestBank(BankTests):
    bank = Bank("07", exercises, RIGHT, WRONG, EQUIVALENT)


@pytest.mark.parametrize("gamma", [0.1, 1.0, 3.0])
def test_many_random_features_make_the_gaussian_kernel(gamma):
    rng = np.random.default_rng(0)
    X, draws = rng.normal(size=(8, 3)), rng.normal(size=(40_000, 3))
    Phi = exercises.random_features.solution(X, draws, gamma)
    assert np.abs(Phi @ Phi.T - kl.Gaussian(gamma)(X)).max() < 0.02
    ours = FourierMap(np.sqrt(2 * gamma) * draws)(X)
    assert np.allclose(Phi, ours)


@pytest.mark.parametrize("seed", range(3))
def test_the_gradient_is_that_of_the_optimum(seed):
    """By differences of J itself, each J solved by a general solver."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(2, 6, 3)), np.array([1.0, -1, 1, -1, 1, -1])
    Ks = X @ X.transpose(0, 2, 1) + np.eye(6)

    def best(eta):
        Q = np.tensordot(eta, Ks, axes=1) * np.outer(y, y)
        found = minimize(
            lambda a: a @ Q @ a / 2 - a.sum(),
            np.full(6, 0.5),
            jac=lambda a: Q @ a - 1,
            bounds=[(0, 1)] * 6,
            options={"ftol": 1e-15, "gtol": 1e-12},
        )
        return found

    eta = np.array([0.4, 0.6])
    measured = slopes_by_loop(lambda e: -best(e).fun, eta, 1e-4)
    assert np.allclose(mkl.mkl_gradient.solution(Ks, y, best(eta).x), measured, atol=1e-4)
