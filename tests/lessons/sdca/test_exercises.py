"""The bank of notebook 05: answers that each check must accept, and those that it must not."""

from __future__ import annotations

import numpy as np
import pytest
from bank import Bank, BankTests
from scipy.optimize import minimize_scalar

from kernellab.exercises.choice import RIGHT_FOR_THE_WRONG_REASON
from kernellab.exercises.exercise import HARD_CODED, OTHER_SHAPE
from kernellab.exercises.running import CHANGES_ITS_INPUT, ENDLESS, RAISES
from kernellab.lessons.sdca import exercises

# --- right answers ------------------------------------------------------------------------------


def bounds_by_loop(K, y, C, alphas):
    lower, upper = -np.inf, np.inf
    for alpha in alphas:
        coef = alpha * y
        f = K @ coef
        upper = min(upper, coef @ f / 2 + C * sum(max(0, 1 - z) for z in y * f))
        if all(0 <= a <= C for a in alpha):
            lower = max(lower, sum(alpha) - coef @ f / 2)
    return lower, upper


def bounds_by_q(K, y, C, alphas):
    Q = np.outer(y, y) * K
    squared = np.einsum("ti,ij,tj->t", alphas, Q, alphas)
    P = squared / 2 + C * np.maximum(0, 1 - alphas @ Q).sum(axis=1)
    D = np.where(((alphas < 0) | (alphas > C)).any(axis=1), -1e9, alphas.sum(axis=1) - squared / 2)
    return [np.float32(D.max()), P.min()]


def bounds_by_sorting(K, y, C, alphas):
    P = [(a * y) @ K @ (a * y) / 2 + C * (1 - y * (K @ (a * y))).clip(0).sum() for a in alphas]
    inside = [a for a in alphas if (a == np.clip(a, 0, C)).all()]
    D = [a.sum() - (a * y) @ K @ (a * y) / 2 for a in inside]
    return np.array([sorted(D)[-1], sorted(P)[0]])


def best_on_an_interval(dual, top):
    """Maximise by golden section: a solver that knows no derivative."""
    found = minimize_scalar(
        lambda a: -dual(a), bounds=(0, top), method="bounded", options={"xatol": 1e-9}
    )
    return max([0.0, top, found.x], key=dual)


def pair_by_search(alpha, y, f, K, C):
    """Ask the dual itself, on the interval of δ in which both α stay in the box."""
    way = y * np.array([1.0, -1.0])
    ends = np.sort([-alpha / way, (C - alpha) / way], axis=0)
    low, high = ends[0].max(), ends[1].min()

    def dual(step):
        moved = (low + step) * way
        return moved @ (1 - y * f) - (moved * y) @ K @ (moved * y) / 2

    return alpha + (low + best_on_an_interval(dual, high - low)) * way


def pair_by_cases(alpha, y, f, K, C):
    step = ((y[0] - f[0]) - (y[1] - f[1])) / (K[0, 0] + K[1, 1] - 2 * K[0, 1])
    for i, sign in enumerate((1, -1)):
        room = C - alpha[i] if sign * y[i] * step > 0 else alpha[i]
        step = np.sign(step) * min(abs(step), room)
    return [alpha[0] + y[0] * step, alpha[1] - y[1] * step]


def pair_without_labels(alpha, y, f, K, C):
    step = ((y[0] - f[0]) - (y[1] - f[1])) / (K[0, 0] + K[1, 1] - 2 * K[0, 1])
    return alpha + step * np.array([1, -1])


def pair_on_signed_weights(alpha, y, f, K, C):
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    v = alpha * y
    step = (y[0] - f[0] - y[1] + f[1]) / (np.trace(K) - K[0, 1] - K[1, 0])
    step = max(low[0] - v[0], v[1] - high[1], min(high[0] - v[0], v[1] - low[1], step))
    return ((v + np.array([step, -step])) * y).astype(np.float32)


def hinge_by_cases(alpha, y, f, k, C):
    slope = 1 - y * f
    if k == 0:
        return C * (slope > 0)
    if slope >= (C - alpha) * k:
        return C
    if slope <= -alpha * k:
        return 0.0
    return np.float32(alpha + slope / k)


def squared_by_search(alpha, y, f, k, C):
    def dual(a):
        return (a - alpha) * (1 - y * f) - (a - alpha) ** 2 * k / 2 - a * a / (4 * C)

    return best_on_an_interval(dual, 1e3)


def squared_by_a_larger_diagonal(alpha, y, f, k, C):
    """The hinge's step for K + I/(2C), whose score has α_i/(2C) more."""
    return hinge_by_cases(alpha, y, f + y * alpha / (2 * C), k + 1 / (2 * C), np.inf)


def squared_by_fixed_point(alpha, y, f, k, C):
    return max((1 - y * f + k * alpha) / (k + 1 / (2 * C)), 0)


def smoothed_by_search(alpha, y, f, k, C, s):
    def dual(a):
        return (a - alpha) * (1 - y * f) - (a - alpha) ** 2 * k / 2 - s * a * a / (2 * C)

    return best_on_an_interval(dual, C)


def smoothed_by_a_larger_diagonal(alpha, y, f, k, C, s):
    return hinge_by_cases(alpha, y, f + y * s * alpha / C, k + s / C, C)


def smoothed_by_fixed_point(alpha, y, f, k, C, s):
    return np.clip((1 - y * f + k * alpha) / (k + s / C), 0, C)


def gap_by_loop(scores, y, alpha, C):
    terms = []
    for f, label, a in zip(scores, y, alpha, strict=True):
        z = label * f
        terms.append(a * (z - 1) + a * a / (4 * C) + (C * (1 - z) ** 2 if z < 1 else 0.0))
    return terms


def gap_by_sides(scores, y, alpha, C):
    z = y * scores
    return np.where(z < 1, C * (1 - z - alpha / (2 * C)) ** 2, alpha * (z - 1 + alpha / (4 * C)))


def gap_by_clip(scores, y, alpha, C):
    slack = (1 - y * scores).clip(0)
    terms = alpha * y * scores + C * slack * slack - alpha + alpha**2 / C / 4
    return terms.astype(np.float32)


def order_by_loop(K_diag, y, scores, alpha, C):
    gain = []
    for k, label, f, a in zip(K_diag, y, scores, alpha, strict=True):
        new = hinge_by_cases(a, label, f, k, C)
        gain.append((new - a) * (1 - label * f) - (new - a) ** 2 * k / 2)
    return sorted(range(len(y)), key=lambda i: -gain[i])


def order_by_sorting(K_diag, y, scores, alpha, C):
    slope = 1 - y * scores
    step = np.clip(slope / K_diag, -alpha, C - alpha)
    return np.argsort(step * (K_diag * step / 2 - slope)).tolist()


def steps_by_loop(K_diag, y, scores, alpha, C):
    new = [hinge_by_cases(*one, C) for one in zip(alpha, y, scores, K_diag, strict=True)]
    return np.argsort(-np.abs(np.subtract(new, alpha)))


def longest_before_the_walls(K_diag, y, scores, alpha, C):
    return np.argsort(
        [-abs((1 - label * f) / k) for k, label, f in zip(K_diag, y, scores, strict=True)]
    )


def order_as_float(*case):
    return np.array(order_by_loop(*case), dtype=float)


def train_by_loop(K, y, C, orders):
    alpha = np.zeros(len(y))
    for order in orders:
        for i in order:
            alpha[i] = squared_by_fixed_point(alpha[i], y[i], K[i] @ (alpha * y), K[i, i], C)
    return alpha, sum(gap_by_loop(K @ (alpha * y), y, alpha, C))


def train_with_objectives(K, y, C, orders):
    alpha, f = np.zeros(len(y)), np.zeros(len(y))
    for i in orders.ravel():
        slope = 1 - y[i] * f[i] - alpha[i] / (2 * C)
        delta = max(slope / (K[i, i] + 0.5 / C), -alpha[i])
        alpha[i] += delta
        f = f + delta * y[i] * K[:, i]
    w = (alpha * y) @ K @ (alpha * y)
    primal = w / 2 + C * (np.maximum(0, 1 - y * f) ** 2).sum()
    return [list(alpha), primal - (alpha.sum() - w / 2 - alpha @ alpha / (4 * C))]


def train_on_a_larger_diagonal(K, y, C, orders):
    """The hinge without a lid, for K + I/(2C)."""
    larger, coef = K + np.eye(len(y)) / (2 * C), np.zeros(len(y))
    for order in orders:
        for i in order:
            step = (1 - y[i] * (larger[i] @ coef)) / larger[i, i]
            coef[i] = y[i] * max(y[i] * coef[i] + step, 0)
    return coef * y, np.sum(gap_by_sides(K @ coef, y, coef * y, C))


RIGHT = {
    "best_bounds": [bounds_by_loop, bounds_by_q, bounds_by_sorting],
    "pair_step": [pair_by_search, pair_by_cases, pair_on_signed_weights],
    "squared_gap": [gap_by_loop, gap_by_sides, gap_by_clip],
    "squared_hinge_step": [squared_by_search, squared_by_a_larger_diagonal, squared_by_fixed_point],
    "smoothed_hinge_step": [
        smoothed_by_search,
        smoothed_by_a_larger_diagonal,
        smoothed_by_fixed_point,
    ],
    "best_first": [order_by_loop, order_by_sorting, order_as_float],
    "priced_bias": [("c", "2"), "c 2", "c2", "(c) (2)", ["C", 2], lambda: ("(c)", "(2)")],
    "train": [train_by_loop, train_with_objectives, train_on_a_larger_diagonal],
}

# --- wrong answers, with the name of the misconception where it has one --------------------------


def train_after_overwriting(K, y, C, orders):
    alpha, f = np.zeros(len(y)), np.zeros(len(y))
    for i in np.ravel(orders):
        alpha[i] = new = squared_by_fixed_point(alpha[i], y[i], f[i], K[i, i], C)
        f += (new - alpha[i]) * y[i] * K[i]
    return alpha, sum(gap_by_loop(f, y, alpha, C))


def train_in_place(K, y, C, orders):
    K += 0 * K
    K[0, 0] += 1e-3
    return train_by_loop(K, y, C, orders)


def train_until_nothing_moves(K, y, C, orders):
    alpha = np.zeros(len(y))
    while True:
        alpha = alpha + 0


def train_clipped_at_the_end(K, y, C, orders):
    alpha = np.zeros(len(y))
    for i in orders.ravel():
        slope = 1 - y[i] * (K[i] @ (alpha * y)) - alpha[i] / (2 * C)
        alpha[i] += slope / (K[i, i] + 1 / (2 * C))
    alpha = np.maximum(alpha, 0)
    return alpha, sum(gap_by_loop(K @ (alpha * y), y, alpha, C))


WRONG = {
    "best_bounds": [
        (lambda K, y, C, alphas: bounds_by_loop(K, y, C, alphas)[0], None),
        (lambda K, y, C, alphas: (0.0, bounds_by_loop(K, y, C, alphas)[1]), None),
        (
            lambda K, y, C, alphas: bounds_by_loop(K, y, C, np.clip(alphas, 0, C)),
            "rows are clipped into the box",
        ),
        (lambda K, y, C, alphas: bounds_by_loop(K, y, C, alphas)[::-1], "the other order"),
        (lambda K, y, C, alphas: bounds_by_loop(K, y, C, alphas[-1:]), None),
        (lambda K, y, C, alphas: (0.0, 1.0), HARD_CODED),
    ],
    "pair_step": [
        (lambda alpha, y, f, K, C: alpha, None),
        (lambda alpha, y, f, K, C: np.array(pair_by_cases(alpha, y, f, K, C))[::-1], None),
        (lambda *case: np.array(pair_by_cases(*case))[:, None], OTHER_SHAPE),
        (lambda alpha, y, f, K, C: y * pair_by_cases(alpha, y, f, K, C), None),
        (pair_without_labels, "the labels are left out of the move"),
        (
            lambda *case: np.clip(pair_without_labels(*case), 0, case[-1]),
            "the labels are left out of the move",
        ),
        (
            lambda a, y, *rest: a + y * (pair_on_signed_weights(a, y, *rest) - a),
            "the labels are left out of the move",
        ),
        (lambda alpha, y, f, K, C: pair_by_cases(alpha, y, f, K, C * 2), None),
    ],
    "squared_gap": [
        (lambda scores, y, alpha, C: gap_by_sides(scores, y, alpha, C)[:, None], OTHER_SHAPE),
        (lambda scores, y, alpha, C: np.abs(1 - y * scores), None),
        (lambda scores, y, alpha, C: gap_by_sides(scores, y, alpha, C) / C, None),
        (lambda scores, y, alpha, C: -gap_by_sides(scores, y, alpha, C), "D − P"),
        (lambda scores, y, alpha, C: gap_by_sides(scores, y, C - alpha, C), None),
    ],
    "squared_hinge_step": [
        (lambda alpha, y, f, k, C: squared_by_fixed_point(alpha, y, f, k, C) - alpha, None),
        (lambda alpha, y, f, k, C: max(0, alpha + (1 - y * f - alpha / 2 / C) / (k or 1)), None),
        (lambda alpha, y, f, k, C: max(0, (1 - y * f + k * alpha) / (k + 1 / 2 * C)), "1 / 2 * C"),
        (lambda alpha, y, f, k, C: max(0, (1 - y * f) / (k + 1 / (2 * C))), None),
        (lambda alpha, y, f, k, C: alpha, None),
        (lambda alpha, y, f, k, C: [squared_by_fixed_point(alpha, y, f, k, C)], OTHER_SHAPE),
        (lambda alpha, y, f, k, C: 0.0, HARD_CODED),
    ],
    "smoothed_hinge_step": [
        (lambda alpha, y, f, k, C, s: alpha, None),
        (lambda alpha, y, f, k, C, s: hinge_by_cases(alpha, y, f, k + s, C), None),
        (
            lambda alpha, y, f, k, C, s: np.clip(
                alpha + (1 - y * f - s * alpha / C) / (k + s), 0, C
            ),
            "C is left out",
        ),
        (
            lambda alpha, y, f, k, C, s: (1 - y * f + k * alpha) / (k + s / C),
            "not clipped",
        ),
        (lambda alpha, y, f, k, C, s: smoothed_by_fixed_point(alpha, y, f, k, 1.0, s), None),
        (lambda alpha, y, f, k, C, s: [smoothed_by_fixed_point(alpha, y, f, k, C, s)], OTHER_SHAPE),
        (lambda alpha, y, f, k, C, s: smoothed_by_fixed_point(alpha, y, f, k, C, s) / C, None),
    ],
    "best_first": [
        (lambda K_diag, y, scores, alpha, C: np.arange(len(y)), None),
        (lambda *case: order_by_loop(*case)[::-1], "the smallest gain first"),
        (steps_by_loop, "the longest step first"),
        (longest_before_the_walls, "the longest step first"),
        (lambda K_diag, y, scores, alpha, C: np.zeros(len(y)), None),
        (lambda *case: order_by_loop(*case)[:1], None),
        (lambda *case: np.array(order_by_loop(*case)) + 1, None),
        (lambda *case: np.argsort(order_by_loop(*case)), "ranks instead of an order"),
    ],
    "priced_bias": [
        (("a", "1"), "every bias ties the α together"),
        (("b", "3"), "a bias can be fitted at the end"),
        (("d", "4"), "the bias is counted for each example alone"),
        (("c", "1"), RIGHT_FOR_THE_WRONG_REASON),
        (("c", "3"), RIGHT_FOR_THE_WRONG_REASON),
        (("c", "4"), RIGHT_FOR_THE_WRONG_REASON),
        ("c", None),
        (("c", "7"), None),
        (lambda: 1 / 0, RAISES),
    ],
    "train": [
        (train_in_place, CHANGES_ITS_INPUT),
        (train_until_nothing_moves, ENDLESS),
        (train_clipped_at_the_end, None),
        (lambda K, y, C, orders: train_by_loop(K, y, C, orders)[0], None),
        (lambda K, y, C, orders: train_by_loop(K, y, C, orders)[::-1], "the other order"),
        (lambda K, y, C, orders: train_by_loop(K, y, C, orders[::-1]), None),
        (lambda K, y, C, orders: train_by_loop(K, y, C, orders[:1]), "only the first pass"),
        (train_after_overwriting, "the scores never change"),
    ],
}

EQUIVALENT = {  # labels are their own inverses
    "best_bounds": {"coef = alpha / y"},
    "pair_step": {
        "way = y / [1, -1]",
        "return alpha + delta / way",
        "ends = np.sort([-alpha * way, (C - alpha) / way], axis=0)",
        "ends = np.sort([-alpha / way, (C - alpha) * way], axis=0)",
    },
    "train": {
        "alpha = 0 / y",
        "scores = 0 / y",
        "scores = scores + (new - alpha[i]) / y[i] * K[i]",
    },
}


class TestBank(BankTests):
    bank = Bank("05", exercises, RIGHT, WRONG, EQUIVALENT)


@pytest.mark.parametrize("seed", range(3))
def test_an_order_by_gain_is_one_in_which_gains_fall(seed):
    """Ties may stand in any order; what raises the dual less may not come first."""
    (case, *_) = exercises.best_first.cases(np.random.default_rng(seed))
    level = {**case, "scores": case["y"] * 2.0}  # all are satisfied: nothing to gain
    assert exercises.best_first.judge(level, [0, 1]) is None
    assert exercises.best_first.judge(level, [1, 0]) is None
    assert exercises.best_first.judge(case, [1, 0]) is None
    assert "raises the dual by" in exercises.best_first.judge(case, [0, 1])
