"""The bank of notebook 02: answers that each check must accept, and those that it must not."""

from __future__ import annotations

import numpy as np
import pytest
from bank import Bank, BankTests
from scipy.optimize import minimize, nnls
from sklearn.svm import SVC

from kernellab.exercises.choice import RIGHT_FOR_THE_WRONG_REASON
from kernellab.exercises.exercise import HARD_CODED, OTHER_SHAPE
from kernellab.exercises.running import CHANGES_ITS_INPUT, ENDLESS, RAISES, SHAPES
from kernellab.lessons.margin import exercises
from kernellab.solvers.hard_margin import closest_points, hard_margin

THREE = np.array([(1.0, 2.0), (-1.0, 2.0), (-1.0, -2.0)])

# --- right answers --------------------------------------------------------------------------------


def half_margin_by_loop(w, b, X, y):
    length = sum(value**2 for value in w) ** 0.5
    distances = []
    for x, label in zip(X, y, strict=True):
        f = sum(a * c for a, c in zip(w, x, strict=True)) + b
        distances.append(label * f / length)
    return min(distances)


def half_margin_of_unit_normal(w, b, X, y):
    length = np.linalg.norm(w)
    return (y * (X @ (w / length) + b / length)).min()


def three_at(height):
    return np.vstack([[1.0, height], THREE[1:]])


def three_by_table(height, y):
    alone = next(i for i in range(3) if np.sum(y == y[i]) == 1)
    return {
        2: [[1 / 2, 1 / 2, 0], [1 / 2, 5 / 8, 1 / 8], [0, 1 / 8, 1 / 8]],
        3: [[2 / 5, 2 / 5, 0], [5 / 8, 29 / 32, 9 / 32], [0, 1 / 8, 1 / 8]],
    }[height][alone]


def three_by_hulls(height, y):
    found = closest_points(three_at(height), y)
    return 2 / found.distance**2 * found.weights


def three_by_a_general_solver(height, y):
    Q = np.outer(y, y) * (three_at(height) @ three_at(height).T)
    rows = {"type": "eq", "fun": lambda a: a @ y}
    options = {"ftol": 1e-14, "maxiter": 500}
    return minimize(
        lambda a: a @ Q @ a / 2 - a.sum(), np.ones(3), jac=lambda a: Q @ a - 1,
        bounds=[(0, None)] * 3, constraints=rows, method="SLSQP", options=options,
    ).x  # fmt: skip


def three_with_pulls(height, y):
    """The top of the dual where α ≥ 0 is forgotten: all three points on their margins."""
    f = np.linalg.solve(np.column_stack([three_at(height), np.ones(3)]), y)  # w and b
    rows = np.vstack([(y[:, None] * three_at(height)).T, y])
    return np.linalg.solve(rows, np.append(f[:2], 0))


def kkt_by_loop(w, b, alpha, X, y):
    primal = dual = complementary = 0.0
    rest, balance = list(w), 0.0
    for i in range(len(y)):
        z = y[i] * (sum(w[j] * X[i, j] for j in range(len(w))) + b)
        primal, dual = max(primal, 1 - z), max(dual, -alpha[i])
        complementary = max(complementary, abs(alpha[i] * (z - 1)))
        balance += alpha[i] * y[i]
        for j in range(len(w)):
            rest[j] -= alpha[i] * y[i] * X[i, j]
    return primal, dual, max(map(abs, [*rest, balance])), complementary


def kkt_by_clipping(w, b, alpha, X, y):
    z = y * (X @ w + b)
    far = max(np.linalg.norm(w - X.T @ (y * alpha), np.inf), abs(np.dot(alpha, y)))
    return [
        np.clip(1 - z, 0, None).max(),
        -alpha.clip(max=0).min(),
        far,
        abs(alpha - alpha * z).max(),
    ]


def kkt_in_homogeneous_coordinates(w, b, alpha, X, y):
    rows = np.column_stack([X, np.ones(len(X))]) * y[:, None]
    z = rows @ np.append(w, b)
    rest = np.append(w, 0) - alpha @ rows
    worst = (1 - z).max(), (-alpha).max(), np.abs(rest).max(), np.abs(alpha * (1 - z)).max()
    return np.float32(np.maximum(worst, 0))


def program_by_loop(X, y):
    n, d = X.shape
    P, G = np.zeros((d + 1, d + 1)), np.zeros((n, d + 1))
    for j in range(d):
        P[j, j] = 1
    for i in range(n):
        G[i] = [*(y[i] * X[i]), y[i]]
    return P, np.zeros(d + 1), G, np.ones(n)


def program_twice(X, y):
    P, q, G, h = program_by_loop(X, y)
    return 2 * P, q, G, h


def program_of_lists(X, y):
    return [part.tolist() for part in program_by_loop(X, y)]


def program_with_scaled_rows(X, y):
    P, q, G, h = program_by_loop(X, y)
    scale = np.arange(1, len(y) + 1)
    return P, q, G * scale[:, None], h * scale


def machine_by_alpha(X, y, u):
    p, q = u[y > 0] @ X[y > 0], u[y < 0] @ X[y < 0]
    alpha = 2 * u / ((p - q) @ (p - q))
    w = (alpha * y) @ X
    on_margin = np.argmax(u * (y > 0))
    return alpha, w, 1 - w @ X[on_margin]


def machine_by_points(X, y, u):
    p = sum(u[i] * X[i] for i in range(len(y)) if y[i] > 0)
    q = sum(u[i] * X[i] for i in range(len(y)) if y[i] < 0)
    delta2 = np.sum((p - q) ** 2)
    return (2 * u / delta2).tolist(), (2 * (p - q) / delta2).tolist(), (q @ q - p @ p) / delta2


def machine_by_scaling(X, y, u):
    difference, middle = (u * y) @ X, u @ X / 2
    distance = np.linalg.norm(difference)
    w = difference / distance / (distance / 2)
    return u / np.sum(u * y * (X @ w - w @ middle)) * 2 * (w @ w) / 2, w, -w @ middle


def left_out_of_support_vectors(X, y):
    support = np.flatnonzero(hard_margin(X, y).alpha > 1e-9)
    wrong = 0
    for i in support:
        kept = np.arange(len(y)) != i
        machine = hard_margin(X[kept], y[kept])
        wrong += y[i] * (X[i] @ machine.w + machine.b) <= 0
    return wrong / len(y), len(support) / len(y)


def left_out_by_hulls(X, y):
    wrong = 0
    for i in range(len(y)):
        found = closest_points(np.delete(X, i, 0), np.delete(y, i))
        p, q = found.positive, found.negative
        wrong += y[i] * ((p - q) @ (X[i] - (p + q) / 2)) <= 0
    return wrong / len(y), np.mean(closest_points(X, y).weights > 1e-9)


def left_out_with_scikit_learn(X, y):
    wrong = []
    for i in range(len(y)):
        others = np.delete(X, i, axis=0), np.delete(y, i)
        f = SVC(kernel="linear", C=1e8, tol=1e-8).fit(*others).decision_function(X[[i]])[0]
        wrong.append(y[i] * f <= 0)
    return np.mean(wrong), len(SVC(kernel="linear", C=1e8, tol=1e-8).fit(X, y).support_) / len(y)


def cost_by_loop(costs, training, folds, test):
    best, C, error = np.inf, None, None
    for k in range(len(costs)):
        mean = sum(folds[k]) / len(folds[k])
        if mean < best - 1e-9:
            best, C, error = mean, costs[k], test[k]
    return C, error


def cost_by_sums(costs, training, folds, test):
    k = np.round(10 * folds.sum(axis=1)).argmin()
    return costs[k], test[k]


def cost_by_list(costs, training, folds, test):
    mean = np.round(folds.mean(axis=1), 6).tolist()
    k = mean.index(min(mean))
    return [costs[k], test[k]]


RIGHT = {
    "choose_cost": [cost_by_loop, cost_by_sums, cost_by_list],
    "half_margin": [
        half_margin_by_loop,
        half_margin_of_unit_normal,
        lambda w, b, X, y: np.float32(np.min(y * (X @ w + b) / np.sqrt(w @ w))),
    ],
    "three_points": [
        three_by_table,
        three_by_hulls,
        three_by_a_general_solver,
    ],
    "kkt_violations": [kkt_by_loop, kkt_by_clipping, kkt_in_homogeneous_coordinates],
    "as_quadratic_program": [
        program_by_loop,
        program_of_lists,
        program_with_scaled_rows,
    ],
    "from_hulls": [machine_by_alpha, machine_by_points, machine_by_scaling],
    "smaller_cost": [
        ("b", "2"),
        ["B", 2],
        "b 2",
        lambda: ("(b)", "(2)"),
    ],
    "leave_one_out": [
        left_out_of_support_vectors,
        left_out_by_hulls,
        left_out_with_scikit_learn,
    ],
}

# --- wrong answers, with the name of the misconception where it has one ---------------------------


def half_margin_that_normalises_in_place(w, b, X, y):
    w /= np.linalg.norm(w)
    return np.min(y * (X @ w + b))


def half_margin_one_by_one(w, b, X, y):
    return y * (X @ w + b) / np.linalg.norm(w)


def kkt_endless(w, b, alpha, X, y):
    while np.abs(w - (alpha * y) @ X).max() >= 0:
        pass


def kkt_with_a_column(w, b, alpha, X, y):
    z = y[:, None] * (X @ w + b)
    return [np.maximum(0, 1 - z).max(), 0, 0, 0]


def kkt_squared(w, b, alpha, X, y):
    return np.square(kkt_by_loop(w, b, alpha, X, y))


def kkt_by_length(w, b, alpha, X, y):
    primal, dual, _, complementary = kkt_by_loop(w, b, alpha, X, y)
    return primal, dual, max(np.linalg.norm(w - (alpha * y) @ X), abs(alpha @ y)), complementary


def without_the_bias(X, y):
    P, q, G, h = program_by_loop(X, y)
    return P[:-1, :-1], q[:-1], G[:, :-1], h


def program_for_at_most(X, y):
    P, q, G, h = program_by_loop(X, y)
    return P, q, -G, -h


def program_with_linear_term(X, y):
    P, q, G, h = program_by_loop(X, y)
    return P, q - 1, G, h


def nnls_prices(height, y):
    signed = y[:, None] * THREE
    return nnls(np.vstack([signed.T, y]), np.array([0, -0.5, 0]))[0]


def left_out_label_only(X, y):
    wrong = [
        hard_margin(X, np.where(np.arange(len(y)) == i, -y, y)).w is None for i in range(len(y))
    ]
    return np.mean(wrong), np.mean(hard_margin(X, y).alpha > 1e-9)


def left_out_without_axis(X, y):
    machine = hard_margin(np.delete(X, 0), np.delete(y, 0))
    return machine.b, 0


def cost_of_the_last(costs, training, folds, test):
    k = len(costs) - 1 - np.round(folds.mean(axis=1), 9)[::-1].argmin()
    return costs[k], test[k]


WRONG = {
    "choose_cost": [
        (cost_of_the_last, "the larger of equals"),
        (lambda *given: cost_by_loop(*given)[::-1], None),
        (lambda *given: cost_by_loop(*given)[0], None),
        (lambda costs, training, folds, test: (1.0, 0.1), HARD_CODED),
        (lambda costs, training, folds, test: (costs[test.argmin()], test.min()),
         "chosen on the test half"),
    ],
    "half_margin": [
        (half_margin_that_normalises_in_place, CHANGES_ITS_INPUT),
        (half_margin_one_by_one, None),
        (lambda w, b, X, y: np.min(y * (w @ X + b)) / np.linalg.norm(w), SHAPES),
        (lambda w, b, X, y: [half_margin_by_loop(w, b, X, y)], OTHER_SHAPE),
        (lambda w, b, X, y: abs(half_margin_by_loop(w, b, X, y)), None),
        (lambda w, b, X, y: max(0, half_margin_by_loop(w, b, X, y)), None),
        (lambda w, b, X, y: min(y * (X @ w + b)) / np.hypot(np.linalg.norm(w), b),
         "the bias in the length"),
        (lambda w, b, X, y: 2 * half_margin_by_loop(w, b, X, y), "the whole band"),
        (lambda w, b, X, y: 4.0, HARD_CODED),
    ],
    "three_points": [
        (lambda height, y: np.array([1 / 2, 1 / 2, 0]), HARD_CODED),
        (lambda height, y: [0, 0.125, 0.125], "the labels of the lesson"),
        (three_with_pulls, "a fence that pulls"),
        (lambda height, y: three_by_table(2, y), None),
        (nnls_prices, None),
        (lambda height, y: three_by_table(height, y)[::-1], None),
        (lambda height, y: np.array(three_by_table(height, y))[:, None], OTHER_SHAPE),
        (lambda height, y: ((np.array(three_by_table(height, y)) * y) @ THREE), None),
    ],
    "kkt_violations": [
        (kkt_endless, ENDLESS),
        (kkt_with_a_column, None),
        (kkt_squared, None),
        (kkt_by_length, None),
        (lambda w, b, alpha, X, y: max(kkt_by_loop(w, b, alpha, X, y)), None),
        (lambda w, b, alpha, X, y: kkt_by_loop(w, b, alpha, X, y)[::-1], None),
        (lambda w, b, alpha, X, y: w - alpha * y @ X.T, SHAPES),
        (lambda w, b, alpha, X, y: np.zeros(4), HARD_CODED),
    ],
    "as_quadratic_program": [
        (without_the_bias, "the bias is left out"),
        (program_twice, "½ is lost"),
        (lambda X, y: (program_by_loop(X, y)[0] / 2, *program_by_loop(X, y)[1:]),
         "½ is there already"),
        (lambda X, y: (*program_by_loop(X, y)[:2], np.c_[y[:, None] * X, 0 * y + 1], 0 * y + 1),
         "the label misses b"),
        (program_for_at_most, "≤ instead of ≥"),
        (lambda X, y: (*program_for_at_most(X, y)[:3], np.ones(len(y))), "≤ instead of ≥"),
        (lambda X, y: (*program_by_loop(X, y)[:3], -np.ones(len(y))), "≤ instead of ≥"),
        (program_with_linear_term, None),
        (lambda X, y: program_by_loop(X, y)[:3], None),
        (lambda X, y: (0 * np.eye(X.shape[1] + 1), *program_by_loop(X, y)[1:]), None),
        (lambda X, y: (*program_by_loop(X, y)[:2], y * X, np.ones(len(y))), None),
        (lambda X, y: X @ y + np.column_stack([X, -y]), SHAPES),
        (lambda X, y: (*program_by_loop(X, y)[:3], np.ones((len(y), 1))), OTHER_SHAPE),
        (lambda X, y: "P, q, G, h", None),
    ],
    "from_hulls": [
        (lambda X, y, u: machine_by_alpha(X, y, u)[1:], None),
        (lambda X, y, u: (*machine_by_alpha(X, y, u)[:2], 0.0), None),
        (lambda X, y, u: (u[y > 0] @ X, u, 0), SHAPES),
        (lambda X, y, u: machine_by_alpha(X, y, u / 2), "the whole band"),
        (lambda X, y, u: [2 * np.array(part) for part in machine_by_points(X, y, u)],
         "the whole band"),
        (lambda X, y, u: (machine_by_alpha(X, y, u)[0][:, None], *machine_by_alpha(X, y, u)[1:]),
         OTHER_SHAPE),
    ],
    "smaller_cost": [
        (("a", "1"), "more margin errors, more support vectors"),
        (("c", "2"), "a sum is a count"),
        (("d", "3"), "a smaller C, a narrower band"),
        (("b", "1"), RIGHT_FOR_THE_WRONG_REASON),
        (("b", "3"), RIGHT_FOR_THE_WRONG_REASON),
        (lambda: ("b", "4"), RIGHT_FOR_THE_WRONG_REASON),
        ("b", None),
        (("e", "2"), None),
        (("2", "b"), None),
        (3, None),
        (lambda C: ("b", "2"), None),
        (lambda: 1 / 0, RAISES),
    ],
    "leave_one_out": [
        (left_out_label_only, None),
        (lambda X, y: tuple(np.array(left_out_of_support_vectors(X, y)) * len(y)),
         "counts instead of fractions"),
        (left_out_without_axis, RAISES),
        (lambda X, y: left_out_of_support_vectors(X, y)[0], None),
        (lambda X, y: left_out_of_support_vectors(X, y)[::-1], None),
        (lambda X, y: (0.3, 0.5), HARD_CODED),
        (lambda X, y: tuple(np.array(left_out_of_support_vectors(X, y)) * 100), None),
    ],
}  # fmt: skip

EQUIVALENT = {
    # What is rounded is far from a tie, and a sum is smallest where the mean is.
    "choose_cost": {
        "mean = np.round(folds.mean(axis=1), 10)",
        "mean = np.round(folds.mean(axis=1), 8)",
        "mean = np.round(folds.sum(axis=1), 9)",
    },
    # y is −1 or +1: to divide by it is to multiply by it.
    "kkt_violations": {"stationary = np.max(np.abs(np.append(w - alpha / y @ X, alpha @ y)))"},
    # The same examples are chosen in other words.
    "from_hulls": {
        "p = u[y >= 0] @ X[y > 0]",
        "p = u[y > 0] @ X[y >= 0]",
        "q = u[y <= 0] @ X[y < 0]",
        "q = u[y < 0] @ X[y <= 0]",
        "p = u[y > -1] @ X[y > 0]",
        "p = u[y > 0] @ X[y > -1]",
        "q = u[y < 1] @ X[y < 0]",
        "q = u[y < 0] @ X[y < 1]",
    },
    "leave_one_out": {
        "wrong = np.ones(len(y))",  # all of it is overwritten
        # No score is zero, which either answer may call wrong …
        "wrong[i] = y[i] * (X[i] @ machine.w + machine.b) < 0",
        "wrong[i] = y[i] / (X[i] @ machine.w + machine.b) <= 0",
        # … and α of exactly 1e-9 these.
        "return (np.mean(wrong), np.mean(kl.hard_margin(X, y).alpha >= 1e-09))",
    },
}


class TestBank(BankTests):
    bank = Bank("02", exercises, RIGHT, WRONG, EQUIVALENT)


# --- what is said ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("alpha", "words"),
    [
        ([1, 1], "expected α of the three points"),
        ([-1, 1, 0], "α_i ≥ 0 is broken"),
        ([1, 0, 0.5], "Σ α_i y_i = 0 is broken: it is -0.5."),
        ([0, 1, 1], "the smallest margin is 8; it should be 1."),
        ([0, 0, 0], "the smallest margin is 0; it should be 1."),
    ],
)
def test_the_broken_condition_is_named_and_the_solution_is_not(alpha, words):
    text = exercises.three_points.verdict(lambda height, y: alpha).text
    assert words in text
    assert "expected [" not in text


def test_prices_that_sum_and_are_too_wide_are_told_their_margin():
    text = exercises.three_points.verdict(lambda height, y: np.array([1 / 8, 0, 1 / 8])).text
    assert "Then w = [-0.25, -0.5], and with the best b the smallest margin is" in text


def test_the_examples_of_leave_one_out_have_errors_and_the_bound_holds():
    for seed in range(5):
        errors = []
        for case in exercises.leave_one_out.cases(np.random.default_rng(seed)):
            error, bound = left_out_by_hulls(**case)
            assert error <= bound
            errors.append(error)
        assert min(errors) == 0 < max(errors)


# --- what the choice claims -----------------------------------------------------------------------


def test_fewer_training_mistakes_with_a_smaller_cost():
    """The six numbers of the solutions notebook refute (c)."""
    x, y = np.array([[-3.0], [2], [-1], [-3], [-3], [0]]), np.array([1.0, -1, 1, 1, -1, -1])
    mistakes, slack = [], []
    for C in (2.0, 0.2):
        theirs = SVC(kernel="linear", C=C, tol=1e-8).fit(x, y)
        f = theirs.decision_function(x)
        mistakes.append(int(np.sum(y * f < 0)))
        slack.append(np.maximum(0, 1 - y * f).sum())
    assert mistakes == [2, 1]
    assert slack[0] < slack[1]
