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


def dual_by_loop(K, y, alpha):
    total = 0.0
    for i in range(len(y)):
        total += alpha[i]
        for j in range(len(y)):
            total -= alpha[i] * alpha[j] * y[i] * y[j] * K[i, j] / 2
    return total


def dual_by_q(K, y, alpha):
    return np.float32(np.ones(len(y)) @ alpha - 0.5 * alpha @ (np.outer(y, y) * K) @ alpha)


def dual_by_einsum(K, y, alpha):
    c = alpha * y
    return (alpha - c * np.einsum("ij,j->i", K, c) / 2).sum()


def best_on_an_interval(dual, top):
    """Maximise by golden section: a solver that knows no derivative."""
    found = minimize_scalar(
        lambda a: -dual(a), bounds=(0, top), method="bounded", options={"xatol": 1e-9}
    )
    return max([0.0, top, found.x], key=dual)


def hinge_by_search(alpha, y, f, k, C):
    if k == 0 and y * f == 1:
        return 0
    return best_on_an_interval(lambda a: (a - alpha) * (1 - y * f) - (a - alpha) ** 2 * k / 2, C)


def hinge_by_cases(alpha, y, f, k, C):
    slope = 1 - y * f
    if k == 0:
        return C * (slope > 0)
    if slope >= (C - alpha) * k:
        return C
    if slope <= -alpha * k:
        return 0.0
    return np.float32(alpha + slope / k)


def hinge_by_clip(alpha, y, f, k, C):
    return np.clip(alpha + (1 - y * f) / max(k, 1e-200), 0, C) if k or y * f != 1 else 0


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
        terms.append(a * (z - 1) + (C * (1 - z) if z < 1 else 0.0))
    return terms


def gap_by_sides(scores, y, alpha, C):
    z = y * scores
    return np.where(z < 1, (C - alpha) * (1 - z), alpha * (z - 1))


def gap_by_clip(scores, y, alpha, C):
    slack = (1 - y * scores).clip(0)
    return (alpha * y * scores + C * slack - alpha).astype(np.float32)


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


def order_as_float(*case):
    return np.array(order_by_loop(*case), dtype=float)


def train_by_loop(K, y, C, orders):
    alpha = np.zeros(len(y))
    for order in orders:
        for i in order:
            alpha[i] = hinge_by_cases(alpha[i], y[i], K[i] @ (alpha * y), K[i, i], C)
    return alpha, sum(gap_by_loop(K @ (alpha * y), y, alpha, C))


def train_with_objectives(K, y, C, orders):
    alpha, f = np.zeros(len(y)), np.zeros(len(y))
    for i in orders.ravel():
        delta = np.clip((1 - y[i] * f[i]) / K[i, i], -alpha[i], C - alpha[i])
        alpha[i] += delta
        f = f + delta * y[i] * K[:, i]
    w = (alpha * y) @ K @ (alpha * y)
    primal = w / 2 + C * np.maximum(0, 1 - y * f).sum()
    return [list(alpha), primal - (alpha.sum() - w / 2)]


def train_on_signed_weights(K, y, C, orders):
    coef = np.zeros(len(y))
    for order in orders:
        for i in order:
            f = K[i] @ coef
            coef[i] = y[i] * min(max(y[i] * coef[i] + (1 - y[i] * f) / K[i, i], 0), C)
    alpha = coef * y
    return alpha, np.sum(gap_by_sides(K @ coef, y, alpha, C))


RIGHT = {
    "dual_value": [dual_by_loop, dual_by_q, dual_by_einsum],
    "hinge_step": [hinge_by_search, hinge_by_cases, hinge_by_clip],
    "gap_by_point": [gap_by_loop, gap_by_sides, gap_by_clip],
    "squared_hinge_step": [squared_by_search, squared_by_a_larger_diagonal, squared_by_fixed_point],
    "smoothed_hinge_step": [
        smoothed_by_search,
        smoothed_by_a_larger_diagonal,
        smoothed_by_fixed_point,
    ],
    "best_first": [order_by_loop, order_by_sorting, order_as_float],
    "no_bias": [("b", "3"), "b 3", "b3", "(b) (3)", ["B", 3], lambda: ("(b)", "(3)")],
    "train": [train_by_loop, train_with_objectives, train_on_signed_weights],
}

# --- wrong answers, with the name of the misconception where it has one --------------------------


LEVEL = "where the line is level"


def hinge_not_clipped(alpha, y, f, k, C):
    if k == 0:
        return C if y * f < 1 else 0
    return alpha + (1 - y * f) / k


def hinge_that_rests_where_it_is_level(alpha, y, f, k, C):
    return alpha if k == 0 and y * f == 1 else hinge_by_cases(alpha, y, f, k, C)


def train_after_overwriting(K, y, C, orders):
    alpha, f = np.zeros(len(y)), np.zeros(len(y))
    for i in np.ravel(orders):
        alpha[i] = new = np.clip(alpha[i] + (1 - y[i] * f[i]) / K[i, i], 0, C)
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
        alpha[i] += (1 - y[i] * (K[i] @ (alpha * y))) / K[i, i]
    alpha = np.clip(alpha, 0, C)
    return alpha, sum(gap_by_loop(K @ (alpha * y), y, alpha, C))


WRONG = {
    "dual_value": [
        (lambda K, y, alpha: alpha - (alpha * y) @ K @ (alpha * y) / 2, None),
        (lambda K, y, alpha: [dual_by_loop(K, y, alpha)], OTHER_SHAPE),
        (lambda K, y, alpha: 0.0, HARD_CODED),
        (lambda K, y, alpha: alpha.sum() - (alpha * y) * K * (alpha * y) / 2, None),
        (lambda K, y, alpha: K @ alpha, None),
    ],
    "hinge_step": [
        (lambda alpha, y, f, k, C: np.clip(alpha + (1 - y * f) / float(k), 0, C), RAISES),
        (lambda alpha, y, f, k, C: alpha, None),
        (lambda alpha, y, f, k, C: [hinge_by_cases(alpha, y, f, k, C)], OTHER_SHAPE),
        (lambda alpha, y, f, k, C: y * hinge_by_cases(alpha, y, f, k, C), None),
        (hinge_not_clipped, "not clipped"),
        (hinge_that_rests_where_it_is_level, LEVEL),
        (lambda alpha, y, f, k, C: np.clip(alpha + (1 - y * f) / (k + 1e-12), 0, C), LEVEL),
        (lambda alpha, y, f, k, C: hinge_by_cases(alpha, y, f, k, C * 2), None),
    ],
    "gap_by_point": [
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
        (lambda alpha, y, f, k, C, s: smoothed_by_fixed_point(alpha, y, f, k, 1.0, s), None),
        (lambda alpha, y, f, k, C, s: [smoothed_by_fixed_point(alpha, y, f, k, C, s)], OTHER_SHAPE),
        (lambda alpha, y, f, k, C, s: smoothed_by_fixed_point(alpha, y, f, k, C, s) / C, None),
    ],
    "best_first": [
        (lambda K_diag, y, scores, alpha, C: np.arange(len(y)), None),
        (lambda *case: order_by_loop(*case)[::-1], "the smallest gain first"),
        (lambda K_diag, y, scores, alpha, C: np.zeros(len(y)), None),
        (lambda *case: order_by_loop(*case)[:1], None),
        (lambda *case: np.array(order_by_loop(*case)) + 1, None),
        (lambda *case: np.argsort(order_by_loop(*case)), "ranks instead of an order"),
    ],
    "no_bias": [
        (("a", "1"), "a bias can be fitted at the end"),
        (("c", "4"), "a free bias makes the problem unbounded"),
        (("d", "1"), "a bias slows the steps down"),
        (("b", "1"), RIGHT_FOR_THE_WRONG_REASON),
        (("b", "2"), RIGHT_FOR_THE_WRONG_REASON),
        (("b", "4"), RIGHT_FOR_THE_WRONG_REASON),
        ("b", None),
        (("b", "7"), None),
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
    "dual_value": {"coef = alpha / y"},
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


def test_who_divides_by_k_ii_is_told_what_happens_where_it_is_zero():
    clipped = exercises.hinge_step.verdict(
        lambda alpha, y, f, k, C: min(max(alpha + (1 - y * f) / k, 0), C)
    )
    assert clipped.misconception == RAISES
    assert "the dual is a straight line" in " ".join(clipped.text.split())
