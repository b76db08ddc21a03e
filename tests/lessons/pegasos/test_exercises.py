"""The bank of notebook 04: answers that each check must accept, and those that it must not."""

from __future__ import annotations

import numpy as np
import pytest
from bank import Bank, BankTests
from sklearn.svm import LinearSVC

from kernellab.datasets import make_clouds
from kernellab.exercises.exercise import HARD_CODED, OTHER_SHAPE
from kernellab.exercises.running import CHANGES_ITS_INPUT, ENDLESS, RAISES, SHAPES
from kernellab.lessons.pegasos import exercises
from kernellab.lessons.pegasos.exercises.kernel import trained
from kernellab.solvers.pegasos import pegasos
from kernellab.solving import solve

# --- right answers ------------------------------------------------------------------------------


def longest_by_loop(w, X, y, lam):
    total = 0.0
    for x, label in zip(X, y, strict=True):
        z = label * sum(a * b for a, b in zip(w, x, strict=True))
        total += 1 - z if z < 1 else 0
    least = lam * sum(v * v for v in w) / 2 + total / len(y)
    return (2 * (least if least < 1 else 1) / lam) ** 0.5


def longest_by_clip(w, X, y, lam):
    P = lam * np.linalg.norm(w) ** 2 / 2 + np.mean((1 - y * X.dot(w)).clip(0))
    return np.float32(np.sqrt(np.clip(P, None, 1) / (lam / 2)))


def longest_of_two(w, X, y, lam):
    def bound(w):
        z = y * (X @ w)
        least = 0.5 * lam * np.dot(w, w) + np.where(z < 1, 1 - z, 0).sum() / len(z)
        return np.sqrt(least / lam * 2)

    return min(bound(w), bound(0 * w))


def longest_of_squared_hinge(w, X, y, lam):
    P = lam / 2 * w @ w + np.mean(np.maximum(0, 1 - y * (X @ w)) ** 2)
    return np.sqrt(2 * min(P, 1) / lam)


def step_by_subgradient(w, x, y, lam, t):
    gradient = lam * w
    if y * np.dot(w, x) < 1:
        gradient = gradient + 2 * (y * np.dot(w, x) - 1) * y * x
    return w - gradient / (lam * t)


def step_by_loop(w, x, y, lam, t):
    z = y * sum(a * b for a, b in zip(w, x, strict=True))
    push = 2 * (1 - z) if z < 1 else 0.0
    return [(a - a / t) + push * y * b / lam / t for a, b in zip(w, x, strict=True)]


def step_by_a_switch(w, x, y, lam, t):
    z = y * (w @ x)
    return (1 - 1 / t) * w + (z < 1) * 2 * (1 - z) * y * x / (lam * t)


def plain_step(w, x, y, lam, t):
    """The step of the lesson."""
    return (1 - 1 / t) * w + (y * (w @ x) < 1) * y * x / (lam * t)


def batch_by_loop(w, X, y, lam, t):
    gradient = np.zeros(len(w))
    for x, label in zip(X, y, strict=True):
        share = 0.5 / sum(other == label for other in y)
        gradient += share * (lam * w - (label * (w @ x) < 1) * label * x)
    return w - gradient / (lam * t)


def batch_by_index(w, X, y, lam, t):
    w_new = w * (1 - 1 / t)
    for label in (-1, 1):
        mine = y == label
        bad = np.flatnonzero(mine & (y * (X @ w) < 1))
        w_new = w_new + label * X[bad].sum(axis=0) / (2 * lam * t * mine.sum())
    return w_new


def batch_by_mean(w, X, y, lam, t):
    push = np.where((y * (X @ w) < 1)[:, None], y[:, None] * X, 0)
    push = (push[y > 0].mean(axis=0) + push[y < 0].mean(axis=0)) / 2
    return (1 - 1 / t) * w + push / (lam * t)


def alpha_by_loop(K, y, alpha, lam, i, t):
    """One step of the lesson, on counts."""
    total = sum(alpha[j] * y[j] * K[i][j] for j in range(len(y)))
    new = np.array(alpha)
    if t == 1 or y[i] * total < lam * (t - 1):
        new[i] += 1
    return new


def visits_by_steps(K, y, alpha, lam, i, t):
    n = 0
    while True:
        new = alpha_by_loop(K, y, alpha, lam, i, t + n)
        if (new == alpha).all():
            return n
        alpha, n = new, n + 1


def visits_by_formula(K, y, alpha, lam, i, t):
    if t == 1:
        return 1
    z = y[i] * (K[i] @ (alpha * y))
    return max(0, np.ceil((lam * (t - 1) - z) / (K[i, i] - lam)))


def visits_by_division(K, y, alpha, lam, i, t):
    coef = alpha * y
    n = 0
    while t + n == 1 or y[i] * (K[i] @ coef) / (lam * (t - 1 + n)) < 1:
        coef = coef + y[i] * (np.arange(len(y)) == i)
        n += 1
    return n


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
    w = plain_step(w, np.array([length, 0.0]), y, lam, t)
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


def average_on_signed_weights(K, y, lam, order):
    coef, mean = np.zeros(len(y)), np.zeros(len(y))
    for t, i in enumerate(order, start=1):
        mean = mean + (coef - mean) * 2 / (t + 1)
        violated = y[i] * (K[i] @ coef) < 1
        coef = (1 - 1 / t) * coef
        coef[i] += violated * y[i] / (lam * t)
    return mean


def average_with_scores_kept(K, y, lam, order):
    alpha, scores, total = np.zeros((3, len(y)))
    for t in range(len(order)):
        i = order[t]
        total = total + (t + 1) * alpha * y / (lam * t if t else 1)
        if t == 0 or y[i] * scores[i] / (lam * t) < 1:
            alpha[i] += 1
            scores = scores + y[i] * K[:, i]
    return total / sum(range(1, len(order) + 1))


def average_by_counting(K, y, lam, order):
    seen, kept = [], []
    for t, i in enumerate(order):
        kept.append(np.bincount(seen, minlength=len(y)) * y / (lam * max(t, 1)))
        if t == 0 or y[i] * sum(y[j] * K[i, j] for j in seen) < lam * t:
            seen.append(i)
    return np.average(kept, axis=0, weights=range(1, len(order) + 1))


RIGHT = {
    "longest_best": [longest_by_loop, longest_by_clip, longest_of_two],
    "squared_step": [step_by_subgradient, step_by_loop, step_by_a_switch],
    "balanced_step": [batch_by_loop, batch_by_index, batch_by_mean],
    "running_average": [
        lambda mean, w, t: ((t - 1) * mean + w) / t,
        lambda mean, w, t: mean + (w - mean) / t,
        lambda mean, w, t: np.average([mean, w], axis=0, weights=[t - 1, 1]),
        lambda mean, w, t: [(1 - 1 / t) * m + v / t for m, v in zip(mean, w, strict=True)],
    ],
    "visits_needed": [visits_by_steps, visits_by_formula, visits_by_division],
    "kernel_projection": [length_by_formula, length_in_a_plane, length_by_a_gram_matrix],
    "sparse_step": [sparse_by_dense, sparse_by_loop, sparse_by_add_at],
    "average_in_the_dual": [
        average_on_signed_weights,
        average_with_scores_kept,
        average_by_counting,
    ],
}

# --- wrong answers, with the name of the misconception where it has one --------------------------


def step_in_place(w, x, y, lam, t):
    push = 2 * max(0, 1 - y * (w @ x))
    w *= 1 - 1 / t
    return w + push * y * x / (lam * t)


def step_with_a_second_margin(w, x, y, lam, t):
    """The lesson's loop, with 1 − z computed where the kick is."""
    violated = y * (w @ x) < 1
    w = (1 - 1 / t) * w
    return w + 2 * (1 - y * (w @ x)) * y * x / (lam * t) if violated else w


def visits_in_place(K, y, alpha, lam, i, t):
    n = 0
    while t + n == 1 or y[i] * (K[i] @ (alpha * y)) < lam * (t - 1 + n):
        alpha[i] += 1
        n += 1
    return n


def visits_without_an_end(K, y, alpha, lam, i, t):
    while t == 1 or y[i] * (K[i] @ (alpha * y)) < lam * (t - 1):
        pass
    return 0


def visits_with_an_array_for_a_score(K, y, alpha, lam, i, t):
    return 1 if y[i] * (K[i] * alpha * y) < lam * (t - 1) else 0


def sparse_in_place(v, columns, values, y, lam, t):
    if t == 1 or y * (v[columns] @ values) < lam * (t - 1):
        v[columns] += y * values
    return v


def sparse_of_the_whole_row(v, columns, values, y, lam, t):
    return v + y * values if t == 1 or y * (v @ values) < lam * (t - 1) else v


def batch_by_mean_of_violators(w, X, y, lam, t):
    v = y * (X @ w) < 1
    push = sum((y[:, None] * X)[v & (y == label)].mean(axis=0) / 2 for label in (-1, 1))
    return (1 - 1 / t) * w + push / (lam * t)


def batch_with_labels_along_columns(w, X, y, lam, t):
    violated = y * (X @ w) < 1
    return (1 - 1 / t) * w + (y[violated] * X[violated]).sum(axis=0) / (lam * t * len(y))


def sparse_without_a_first_step(v, columns, values, y, lam, t):
    v = v.copy()
    v[columns] += (y * (v[columns] @ values) < lam * (t - 1)) * y * values
    return v


def sparse_as_on_vectors(v, columns, values, y, lam, t):
    x = np.zeros(len(v))
    x[columns] = values
    return plain_step(v, x, y, lam, t)


def length_of_python_numbers(squared_norm, f, k, y, lam, t):
    s, a = 1 - 1 / t, (y * f < 1) * y / (lam * t)
    new = s**2 * squared_norm + 2 * a * s * f + a**2 * k
    factor = min(1.0, 1 / (lam * new) ** 0.5)
    return new * factor**2, factor


def average_without_a_first_step(K, y, lam, order):
    alpha, total = np.zeros((2, len(y)))
    for t, i in enumerate(order, start=1):
        coef = alpha * y / (lam * (t - 1))
        total = total + t * coef
        alpha[i] += y[i] * (K[i] @ coef) < 1
    return total / (len(order) * (len(order) + 1) / 2)


def average_stepping_from_the_average(K, y, lam, order):
    coef, mean = np.zeros((2, len(y)))
    for t, i in enumerate(order, start=1):
        mean = mean + (coef - mean) * 2 / (t + 1)
        violated = y[i] * (K[i] @ mean) < 1
        coef = (1 - 1 / t) * coef
        coef[i] += violated * y[i] / (lam * t)
    return mean


def average_until_right(K, y, lam, order):
    coef = np.zeros(len(y))
    while (y * (K @ coef) < 1).any() or lam > 0:
        coef = coef + 0 * y
    return coef


def average_of_every_example(K, y, lam, order):
    return average_with_scores_kept(K, y, lam, np.arange(len(order)) % len(y))


WRONG = {
    "longest_best": [
        (lambda w, X, y, lam: np.maximum(0, 1 - y * (X @ w)), None),
        (lambda w, X, y, lam: [longest_by_loop(w, X, y, lam)], OTHER_SHAPE),
        (lambda w, X, y, lam: 1.0, HARD_CODED),
        (lambda w, X, y, lam: longest_by_loop(w, X, y, 1 / lam), None),
        (lambda w, X, y, lam: lam / 2 * (w @ w) + (X.T @ w * y).mean(), SHAPES),
        (lambda w, X, y, lam: lam / 2 * w @ w + np.maximum(0, 1 - y * X @ w).mean(), SHAPES),
        (lambda w, X, y, lam: 1 / np.sqrt(lam), "the ball of the original algorithm"),
        (lambda w, X, y, lam: np.sqrt(2 / lam), "P(0) is all we know"),
        (longest_of_squared_hinge, "the losses are squared"),
    ],
    "squared_step": [
        (step_in_place, CHANGES_ITS_INPUT),
        (plain_step, "the step of the plain hinge"),
        (step_with_a_second_margin, "the margin is taken once more, after shrinking"),
        (lambda w, x, y, lam, t: w - w / t + 2 * (y * (w @ x) < 1) * y * x / (lam * t),
         "the same push for all"),
        (lambda w, x, y, lam, t: step_by_a_switch(w, x, 1, lam, t), "no label at all"),
        (lambda w, x, y, lam, t: step_by_a_switch(w, x, y, lam, t)[None], OTHER_SHAPE),
        (lambda w, x, y, lam, t: step_by_a_switch(w, x, y, lam, t - 1), RAISES),
        (lambda w, x, y, lam, t: step_by_a_switch(w, x, y, lam, t + 1), "t counts from 0"),
        (lambda w, x, y, lam, t: step_by_a_switch(w, -x, y, lam, t), None),
    ],
    "balanced_step": [
        (lambda w, X, y, lam, t: batch_by_loop(w, X, y, lam, t)[:, None], OTHER_SHAPE),
        (lambda w, X, y, lam, t: plain_step(w, X.mean(axis=0), y.mean(), lam, t), None),
        (lambda w, X, y, lam, t: plain_step(w, X[0], y[0], lam, t), None),
        (lambda w, X, y, lam, t: batch_by_loop(w, X, y, lam, t + len(y)), None),
        (lambda w, X, y, lam, t: batch_by_loop(w, X, y[::-1], lam, t), None),
        (batch_by_mean_of_violators, "divided by the number of violators"),
        (batch_with_labels_along_columns, SHAPES),
    ],
    "running_average": [
        (lambda mean, w, t: mean, None),
        (lambda mean, w, t: mean * t + w, None),
        (lambda mean, w, t: (mean + w) / (t - 1) if t > 1 else w, None),
        (lambda mean, w, t: mean + w / np.float64(t - 1), "divided by t − 1"),
        (lambda mean, w, t: np.mean([mean, w]), None),
        (lambda mean, w, t: [mean, w], None),
        (lambda mean, w, t: mean @ w / t, None),
    ],
    "visits_needed": [
        (visits_in_place, CHANGES_ITS_INPUT),
        (visits_without_an_end, ENDLESS),
        (visits_with_an_array_for_a_score, SHAPES),
        (lambda K, y, alpha, lam, i, t: alpha_by_loop(K, y, alpha, lam, i, t), None),
        (lambda *given: min(1, visits_by_steps(*given)), "yes or no"),
        (lambda *given: visits_by_steps(*given) + 1, "the last visit counts too"),
        (lambda *given: [visits_by_steps(*given)], OTHER_SHAPE),
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
        (sparse_as_on_vectors, "the step on w"),
        (lambda v, columns, *rest: sparse_by_dense(v, columns, *rest)[columns], None),
        (lambda v, columns, values, y, *rest: sparse_by_dense(v, columns, values, 1, *rest), None),
    ],
    "average_in_the_dual": [
        (average_until_right, ENDLESS),
        (average_of_every_example, "the examples in turn"),
        (average_without_a_first_step, "the first step is lost"),
        (average_stepping_from_the_average, None),
        (lambda *given: average_on_signed_weights(*given)[:, None], OTHER_SHAPE),
        (lambda K, y, lam, order: average_on_signed_weights(K, y, lam, order[::-1]), None),
        (lambda K, y, lam, order: K @ average_on_signed_weights(K, y, lam, order), None),
    ],
}  # fmt: skip


# Labels are their own inverses; at a length of exactly the radius the factor is 1; a sum may
# begin with a number.
EQUIVALENT = {
    "squared_step": {"return (1 - 1 / t) * w + 2 * short / y * x / (lam * t)"},
    "visits_needed": {"z = y[i] * (K[i] @ (alpha / y))"},
    "kernel_projection": {"if lam * new >= 1:"},
    "average_in_the_dual": {
        "total = 0",
        "total = 0 / y",
        "alpha = 0 / y",
        "coef = alpha / y / (lam * max(1, t - 1))",
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
        for case in exercises.average_in_the_dual.cases(np.random.default_rng(seed)):
            by_hand = len(case["y"]) == 2 and case["lam"] == 1 and len(case["order"]) < 5
            for t in range(1, 0 if by_hand else len(case["order"])):
                i, done = case["order"][t], {**case, "order": case["order"][:t]}
                margin = case["y"][i] * (case["K"][i] @ trained(**done))
                assert abs(margin - 1) > 1e-9


def test_the_average_is_that_of_the_package():
    """With the linear kernel the exercise is Pegasos on vectors."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6, 2)), np.array([1.0, -1, 1, -1, 1, -1])
    order = rng.integers(6, size=50)
    *_, state = pegasos(X, y, 0.1, average="linear", orders=[order])
    coef = exercises.average_in_the_dual.solution(X @ X.T, y, 0.1, order)
    assert np.allclose(X.T @ coef, state.w)


def test_the_best_w_is_as_short_as_the_bound_says():
    for seed in range(5):
        clouds = make_clouds(20, 1.0, seed)
        best = solve(pegasos(clouds.X, clouds.y, 0.1), gap=0.01, max_passes=5000)
        for w in (np.zeros(2), best.w, 2 * best.w, -best.w):
            most = exercises.longest_best.solution(w, clouds.X, clouds.y, 0.1)
            assert np.linalg.norm(best.w) <= 1.01 * most


def test_the_squared_step_is_that_of_its_objective():
    """Its minimum is a fixed point: in the mean over all examples, a step changes nothing."""
    clouds = make_clouds(20, 2.0, 0)
    fit = LinearSVC(loss="squared_hinge", C=1 / (2 * 0.1 * 20) * 2, fit_intercept=False, tol=1e-10)
    w = fit.fit(clouds.X, clouds.y).coef_[0]
    step = exercises.squared_step.solution
    after = [step(w, x, label, 0.1, 4) for x, label in zip(clouds.X, clouds.y, strict=True)]
    assert np.allclose(np.mean(after, axis=0), w, atol=1e-5)
