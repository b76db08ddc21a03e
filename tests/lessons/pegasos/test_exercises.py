"""The bank of notebook 04: answers that each check must accept, and those that it must not."""

from __future__ import annotations

import numpy as np
import pytest
from bank import Bank, BankTests

from kernellab.exercises.exercise import HARD_CODED, OTHER_SHAPE
from kernellab.exercises.running import CHANGES_ITS_INPUT, ENDLESS, RAISES, SHAPES
from kernellab.lessons.pegasos import exercises

# --- right answers ------------------------------------------------------------------------------


def objective_by_loop(w, X, y, lam):
    total = 0.0
    for x, label in zip(X, y, strict=True):
        z = label * sum(a * b for a, b in zip(w, x, strict=True))
        total += 1 - z if z < 1 else 0
    return lam * sum(v * v for v in w) / 2 + total / len(y)


def squared_hinge(w, X, y, lam):
    return lam / 2 * w @ w + np.mean(np.maximum(0, 1 - y * (X @ w)) ** 2)


def objective_by_clip(w, X, y, lam):
    return np.float32(lam * np.linalg.norm(w) ** 2 / 2 + np.mean((1 - y * X.dot(w)).clip(0)))


def objective_by_where(w, X, y, lam):
    z = y * (X @ w)
    return 0.5 * lam * np.dot(w, w) + np.where(z < 1, 1 - z, 0).sum() / len(z)


def step_by_subgradient(w, x, y, lam, t):
    gradient = lam * w
    if y * np.dot(w, x) < 1:
        gradient = gradient - y * x
    return w - gradient / (lam * t)


def step_by_loop(w, x, y, lam, t):
    z = y * sum(a * b for a, b in zip(w, x, strict=True))
    return [(a - a / t) + (y * b / lam / t if z < 1 else 0.0) for a, b in zip(w, x, strict=True)]


def step_by_a_switch(w, x, y, lam, t):
    return (1 - 1 / t) * w + (y * (w @ x) < 1) * y * x / (lam * t)


def batch_by_loop(w, X, y, lam, t):
    gradient = np.zeros(len(w))
    for x, label in zip(X, y, strict=True):
        gradient += lam * w - (label * (w @ x) < 1) * label * x
    return w - gradient / len(y) / (lam * t)


def batch_by_index(w, X, y, lam, t):
    bad = np.flatnonzero(y * (X @ w) < 1)
    return w * (1 - 1 / t) + X[bad].T @ y[bad] / (lam * t * len(y))


def batch_by_mean(w, X, y, lam, t):
    push = np.where((y * (X @ w) < 1)[:, None], y[:, None] * X, 0)
    return (1 - 1 / t) * w + push.mean(axis=0) / (lam * t)


def alpha_by_signed_weights(K, y, alpha, lam, i, t):
    coef = alpha * y / (lam * (t - 1)) if t > 1 else np.zeros(len(y))
    return alpha + np.eye(len(y))[i] * (y[i] * (K[i] @ coef) < 1)


def alpha_by_loop(K, y, alpha, lam, i, t):
    total = sum(alpha[j] * y[j] * K[i][j] for j in range(len(y)))
    new = list(alpha)
    if t == 1 or y[i] * total < lam * (t - 1):
        new[i] += 1
    return new


def alpha_without_division(K, y, alpha, lam, i, t):
    z = y[i] * (K[:, i] @ (y * alpha))
    return np.where(np.arange(len(y)) == i, alpha + (z < lam * (t - 1) or t == 1), alpha)


def length_by_formula(squared_norm, f, k, y, lam, t):
    s, a = 1 - 1 / t, (y * f < 1) * y / (lam * t)
    new = s**2 * squared_norm + 2 * a * s * f + a**2 * k
    factor = min(1.0, 1 / np.sqrt(lam * new)) if new > 0 else 1.0
    return new * factor**2, factor


def length_in_a_plane(squared_norm, f, k, y, lam, t):
    """Build w and x with the right products, and take the step on them."""
    length = np.sqrt(k)
    along = f / length if length else 0.0
    w = np.array([along, np.sqrt(max(squared_norm - along**2, 0.0))])
    w = step_by_subgradient(w, np.array([length, 0.0]), y, lam, t)
    norm = np.linalg.norm(w)
    factor = 1.0 if norm <= lam**-0.5 else lam**-0.5 / norm
    return [np.sum((factor * w) ** 2), factor]


def length_by_a_gram_matrix(squared_norm, f, k, y, lam, t):
    G = np.array([[squared_norm, f], [f, k]])
    c = np.array([1 - 1 / t, y / (lam * t) if y * f < 1 else 0.0])
    new = c @ G @ c
    return min(new, 1 / lam), min(1, np.sqrt(1 / (lam * new)) if new else 1)


def sparse_by_dense(v, columns, values, y, lam, t):
    x = np.zeros(len(v))
    x[columns] = values
    w = v / (lam * (t - 1)) if t > 1 else 0 * v
    return v + (y * (w @ x) < 1) * y * x


def sparse_by_loop(v, columns, values, y, lam, t):
    dot = sum(v[c] * value for c, value in zip(columns, values, strict=True))
    v = list(v)
    if t == 1 or y * dot < lam * (t - 1):
        for c, value in zip(columns, values, strict=True):
            v[c] += y * value
    return v


def sparse_by_add_at(v, columns, values, y, lam, t):
    new = v.astype(np.float32)
    if t == 1 or y * (v[columns] @ values) / (lam * (t - 1)) < 1:
        np.add.at(new, columns, y * values)
    return new


def train_on_signed_weights(K, y, lam, order):
    coef = np.zeros(len(y))
    for t, i in enumerate(order, start=1):
        violated = y[i] * (K[i] @ coef) < 1
        coef = (1 - 1 / t) * coef
        coef[i] += violated * y[i] / (lam * t)
    return coef


def train_with_scores_kept(K, y, lam, order):
    alpha, scores = np.zeros(len(y)), np.zeros(len(y))
    for t in range(len(order)):
        i = order[t]
        if t == 0 or y[i] * scores[i] / (lam * t) < 1:
            alpha[i] += 1
            scores = scores + y[i] * K[:, i]
    return y * alpha / lam / len(order)


def train_by_counting(K, y, lam, order):
    seen = []
    for t, i in enumerate(order):
        if t == 0 or y[i] * sum(y[j] * K[i, j] for j in seen) < lam * t:
            seen.append(i)
    return np.bincount(seen, minlength=len(y)) * y / (lam * len(order))


RIGHT = {
    "objective": [objective_by_loop, objective_by_clip, objective_by_where],
    "one_step": [step_by_subgradient, step_by_loop, step_by_a_switch],
    "mini_batch_step": [batch_by_loop, batch_by_index, batch_by_mean],
    "running_average": [
        lambda mean, w, t: ((t - 1) * mean + w) / t,
        lambda mean, w, t: mean + (w - mean) / t,
        lambda mean, w, t: np.average([mean, w], axis=0, weights=[t - 1, 1]),
        lambda mean, w, t: [(1 - 1 / t) * m + v / t for m, v in zip(mean, w, strict=True)],
    ],
    "alpha_update": [alpha_by_signed_weights, alpha_by_loop, alpha_without_division],
    "kernel_projection": [length_by_formula, length_in_a_plane, length_by_a_gram_matrix],
    "sparse_step": [sparse_by_dense, sparse_by_loop, sparse_by_add_at],
    "train_in_the_dual": [train_on_signed_weights, train_with_scores_kept, train_by_counting],
}

# --- wrong answers, with the name of the misconception where it has one --------------------------


def step_in_place(w, x, y, lam, t):
    violated = y * (w @ x) < 1
    w *= 1 - 1 / t
    return w + violated * y * x / (lam * t)


def step_without_a_test(w, x, y, lam, t):
    return (1 - 1 / t) * w + y * x / (lam * t)


def alpha_in_place(K, y, alpha, lam, i, t):
    alpha[i] += t == 1 or y[i] * (K[i] @ (alpha * y)) < lam * (t - 1)
    return alpha


def alpha_divided_by_zero(K, y, alpha, lam, i, t):
    return alpha_by_loop(K, y, alpha / (t - 1), lam, i, t)


def alpha_with_an_array_for_a_score(K, y, alpha, lam, i, t):
    return alpha + 1 if y[i] * (K[i] * alpha * y) < lam * (t - 1) else alpha


def sparse_in_place(v, columns, values, y, lam, t):
    if t == 1 or y * (v[columns] @ values) < lam * (t - 1):
        v[columns] += y * values
    return v


def sparse_of_the_whole_row(v, columns, values, y, lam, t):
    return v + y * values if t == 1 or y * (v @ values) < lam * (t - 1) else v


def batch_by_mean_of_violators(w, X, y, lam, t):
    violated = y * (X @ w) < 1
    return (1 - 1 / t) * w + (y[:, None] * X)[violated].mean(axis=0) / (lam * t)


def batch_with_labels_along_columns(w, X, y, lam, t):
    violated = y * (X @ w) < 1
    return (1 - 1 / t) * w + (y[violated] * X[violated]).sum(axis=0) / (lam * t * len(y))


def alpha_without_a_first_step(K, y, alpha, lam, i, t):
    f = K[i] @ (alpha * y) / (lam * (t - 1))
    return alpha + np.eye(len(y))[i] * (y[i] * f < 1)


def sparse_without_a_first_step(v, columns, values, y, lam, t):
    v = v.copy()
    v[columns] += (y * (v[columns] @ values) < lam * (t - 1)) * y * values
    return v


def sparse_as_on_vectors(v, columns, values, y, lam, t):
    x = np.zeros(len(v))
    x[columns] = values
    return step_by_subgradient(v, x, y, lam, t)


def length_of_python_numbers(squared_norm, f, k, y, lam, t):
    s, a = 1 - 1 / t, (y * f < 1) * y / (lam * t)
    new = s**2 * squared_norm + 2 * a * s * f + a**2 * k
    factor = min(1.0, 1 / (lam * new) ** 0.5)
    return new * factor**2, factor


def train_without_a_first_step(K, y, lam, order):
    alpha = np.zeros(len(y))
    for t, i in enumerate(order, start=1):
        alpha = alpha_without_a_first_step(K, y, alpha, lam, i, t)
    return alpha * y / (lam * len(order))


def train_as_printed(K, y, lam, order):
    alpha = np.zeros(len(y))
    for t, i in enumerate(order):
        alpha[i] += t == 0 or y[i] * sum(alpha * y[i] * K[i]) < lam * t
    return alpha * y / (lam * len(order))


def train_with_t_from_zero(K, y, lam, order):
    alpha = np.zeros(len(y))
    for t, i in enumerate(order):
        alpha[i] += y[i] * (K[i] @ (alpha * y)) < lam * (t - 1)
    return alpha * y / (lam * len(order))


def train_until_right(K, y, lam, order):
    coef = np.zeros(len(y))
    while (y * (K @ coef) < 1).any() or lam > 0:
        coef = coef + 0 * y
    return coef


def train_on_every_example(K, y, lam, order):
    return train_on_signed_weights(K, y, lam, np.arange(len(order)) % len(y))


WRONG = {
    "objective": [
        (lambda w, X, y, lam: np.maximum(0, 1 - y * (X @ w)), None),
        (lambda w, X, y, lam: lam / 2 * w * w + np.maximum(0, 1 - y * (X @ w)).mean(), None),
        (lambda w, X, y, lam: objective_by_loop(w, X, y, 1 / lam), None),
        (lambda w, X, y, lam: [objective_by_loop(w, X, y, lam)], OTHER_SHAPE),
        (lambda w, X, y, lam: 1.0, HARD_CODED),
        (lambda w, X, y, lam: lam / 2 * (w @ w) + (X.T @ w * y).mean(), SHAPES),
        (lambda w, X, y, lam: lam / 2 * w @ w + np.maximum(0, 1 - y * X @ w).mean(), SHAPES),
        (lambda w, X, y, lam: objective_by_loop(w, X, y, lam) / lam, "C-form"),
        (squared_hinge, "the losses are squared"),
    ],
    "one_step": [
        (step_in_place, CHANGES_ITS_INPUT),
        (step_without_a_test, "every example is added"),
        (lambda w, x, y, lam, t: step_by_a_switch(w, x, y, lam, t)[None], OTHER_SHAPE),
        (lambda w, x, y, lam, t: step_by_a_switch(w, x, y, lam, t - 1), RAISES),
        (lambda w, x, y, lam, t: step_by_a_switch(w, x, y, lam, t + 1), "t counts from 0"),
        (lambda w, x, y, lam, t: step_by_a_switch(w, -x, y, lam, t), None),
    ],
    "mini_batch_step": [
        (lambda w, X, y, lam, t: batch_by_loop(w, X, y, lam, t)[:, None], OTHER_SHAPE),
        (lambda w, X, y, lam, t: step_by_subgradient(w, X.mean(axis=0), y.mean(), lam, t), None),
        (lambda w, X, y, lam, t: step_by_subgradient(w, X[0], y[0], lam, t), None),
        (lambda w, X, y, lam, t: batch_by_loop(w, X, y, lam, t + len(y)), None),
        (lambda w, X, y, lam, t: batch_by_loop(w, X, y[::-1], lam, t), None),
        (batch_by_mean_of_violators, "divided by the number of violators"),
        (batch_with_labels_along_columns, SHAPES),
    ],
    "running_average": [
        (lambda mean, w, t: mean, None),
        (lambda mean, w, t: mean * t + w, None),
        (lambda mean, w, t: (mean + w) / (t - 1) if t > 1 else w, None),
        (lambda mean, w, t: np.mean([mean, w]), None),
        (lambda mean, w, t: [mean, w], None),
        (lambda mean, w, t: mean @ w / t, None),
    ],
    "alpha_update": [
        (alpha_in_place, CHANGES_ITS_INPUT),
        (alpha_divided_by_zero, None),
        (alpha_without_a_first_step, "the first step is lost"),
        (alpha_with_an_array_for_a_score, SHAPES),
        (lambda K, y, alpha, lam, i, t: alpha, None),
        (lambda K, y, alpha, lam, i, t: alpha + np.eye(len(y))[i], None),
        (lambda K, y, alpha, lam, i, t: alpha_by_loop(K, y, alpha, lam, i, t)[i], None),
    ],
    "kernel_projection": [
        (lambda a, *given: a, None),
        (lambda *given: length_by_formula(*given)[0], None),
        (lambda *given: length_by_formula(*given)[::-1], "the other order"),
        (lambda *given: np.array(length_by_formula(*given)) ** 2, None),
        (length_of_python_numbers, RAISES),
        (lambda a, f, k, y, lam, t: (a, min(1, (lam * a) ** -0.5)), RAISES),
        (lambda a, *given: length_by_formula(a**2, *given), None),
        (lambda a, f, k, y, lam, t: (1.0, 1.0), HARD_CODED),
    ],
    "sparse_step": [
        (sparse_in_place, CHANGES_ITS_INPUT),
        (sparse_of_the_whole_row, "all of v is pushed"),
        (lambda v, columns, values, y, lam, t: v, None),
        (sparse_without_a_first_step, "the first step is lost"),
        (sparse_as_on_vectors, "the step of exercise 2"),
        (lambda v, columns, *rest: sparse_by_dense(v, columns, *rest)[columns], None),
        (lambda v, columns, values, y, *rest: sparse_by_dense(v, columns, values, 1, *rest), None),
    ],
    "train_in_the_dual": [
        (train_with_t_from_zero, None),
        (train_until_right, ENDLESS),
        (train_on_every_example, "the examples in turn"),
        (train_without_a_first_step, "the first step is lost"),
        (train_as_printed, "the label in hand instead of each one's own"),
        (lambda K, y, lam, order: train_on_signed_weights(K, y, lam, order)[:, None], OTHER_SHAPE),
        (lambda K, y, lam, order: train_on_signed_weights(K, y, lam, order[::-1]), None),
        (lambda K, y, lam, order: K @ train_on_signed_weights(K, y, lam, order), None),
    ],
}  # fmt: skip


EQUIVALENT = {  # labels are their own inverses; at a length of exactly the radius the factor is 1
    "mini_batch_step": {"return (1 - 1 / t) * w + violated / y @ X / (lam * t * len(y))"},
    "alpha_update": {"f = K[i] @ (alpha / y) / (lam * (t - 1))"},
    "kernel_projection": {"if lam * new >= 1:"},
    "train_in_the_dual": {
        "alpha = 0 / y",
        "return alpha / y / (lam * steps)",
        "if y[i] * (K[i] @ (alpha / y)) < lam * steps or steps == 0:",
    },
}


class TestBank(BankTests):
    bank = Bank("04", exercises, RIGHT, WRONG, EQUIVALENT)


@pytest.mark.parametrize(
    ("answer", "dear"),
    [(sparse_by_dense, True), (sparse_by_loop, False), (sparse_by_add_at, False)],
)
def test_a_step_that_looks_at_all_of_v_is_told_so(answer, dear):
    verdict = exercises.sparse_step.verdict(answer)
    assert verdict.correct
    assert ("yours looks at all of v" in verdict.text) is dear


def test_no_margin_on_the_way_of_a_training_is_nearly_1():
    """On signed weights, which shrink, it would be 1 or a little less, as rounding goes."""
    for seed in range(20):
        for case in exercises.train_in_the_dual.cases(np.random.default_rng(seed)):
            by_hand = len(case["y"]) == 2 and case["lam"] == 1 and len(case["order"]) < 5
            for t in range(1, 0 if by_hand else len(case["order"])):
                i, done = case["order"][t], {**case, "order": case["order"][:t]}
                margin = case["y"][i] * (case["K"][i] @ train_on_signed_weights(**done))
                assert abs(margin - 1) > 1e-9


def test_the_counts_are_those_of_the_steps_on_vectors():
    """Primal and dual answers agree: exercise 8 is exercise 2 with the linear kernel."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6, 2)), np.array([1.0, -1, 1, -1, 1, -1])
    order = rng.integers(6, size=50)
    w = np.zeros(2)
    for t, i in enumerate(order, start=1):
        w = step_by_subgradient(w, X[i], y[i], 0.1, t)
    coef = exercises.train_in_the_dual.solution(X @ X.T, y, 0.1, order)
    assert np.allclose(X.T @ coef, w)
