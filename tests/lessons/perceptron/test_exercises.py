"""The bank of notebook 01: answers that each check must accept, and those that it must not."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from bank import Bank, BankTests
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from kernellab.exercises.exercise import HARD_CODED, OTHER_SHAPE
from kernellab.exercises.running import CHANGES_ITS_INPUT, ENDLESS, RAISES, SHAPES
from kernellab.lessons.perceptron import exercises
from kernellab.lessons.perceptron.exercises.shattering import (
    ANY_PLACEMENT,
    EVERY_PLACEMENT,
    KIND_LABELS,
    MOST_LABELLINGS,
    NOTHING_IS_DRAWN,
    judge_labels,
)
from kernellab.lessons.perceptron.theory.shattering import LINES, RECTANGLES, realisable

# --- right answers ------------------------------------------------------------------------------


def update_by_loop(K, y, alpha, i):
    score = 0.0
    for j in range(len(y)):
        score += alpha[j] * y[j] * K[i][j]
    alpha = list(alpha)
    if y[i] * score <= 0:
        alpha[i] += 1
    return alpha


def update_by_arrays(K, y, alpha, i):
    alpha = alpha.copy()
    if y[i] * (K[i] @ (alpha * y)) <= 0:
        alpha[i] += 1
    return alpha


def update_by_a_unit_vector(K, y, alpha, i):
    margins = y * (K @ (alpha * y))
    return alpha + np.eye(len(y))[i] * (margins[i] <= 0)


def update_by_sign(K, y, alpha, i):
    f = np.sum(alpha * y * K[:, i])
    return np.where((np.arange(len(y)) == i) & (np.sign(f) != y[i]), alpha + 1, alpha)


def update_in_single_precision(K, y, alpha, i):
    return update_by_arrays(*(np.float32(v) for v in (K, y, alpha)), i)


def weights_by_loop(X, y, alpha):
    w = [0.0] * X.shape[1]
    for i in range(len(y)):
        for j in range(X.shape[1]):
            w[j] += alpha[i] * y[i] * X[i, j]
    return w


def weights_by_counting_mistakes(X, y, alpha):
    w = np.zeros(X.shape[1])
    for x, label, count in zip(X, y, alpha, strict=True):
        for _ in range(int(count)):
            w = w + label * x
    return w


def classes_by_loop(K_test, y, alpha):
    answers = []
    for row in K_test:
        f = sum(a * label * k for a, label, k in zip(alpha, y, row, strict=True))
        answers.append(1 if f > 0 else -1 if f < 0 else 0)
    return answers


def classes_by_comparison(K_test, y, alpha):
    f = (K_test * alpha) @ y
    return (f > 0).astype(int) - (f < 0).astype(int)


def classes_by_votes(K_test, y, alpha):
    plus, minus = y > 0, y < 0
    votes = K_test[:, plus] @ alpha[plus] - K_test[:, minus] @ alpha[minus]
    return np.sign(votes).astype(np.float32)


def margin_by_loop(K, y, margin, max_passes):
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        learnt = 0
        for i in range(len(y)):
            if y[i] * (K[i] @ (alpha * y)) <= margin:
                alpha[i] += 1
                learnt += 1
        if learnt == 0:
            break
    return alpha


def margin_with_scores_kept(K, y, margin, max_passes):
    alpha, scores = np.zeros(len(y)), np.zeros(len(y))
    passes, learnt = 0, True
    while learnt and passes < max_passes:
        learnt = False
        for i, label in enumerate(y):
            if label * scores[i] <= margin:
                alpha[i] += 1
                scores = scores + label * K[i]
                learnt = True
        passes += 1
    return alpha


def margin_with_signed_weights(K, y, margin, max_passes):
    coef = np.zeros(len(y))
    for _ in range(max_passes):
        for i in range(len(y)):
            coef[i] += y[i] * (y[i] * (coef @ K[:, i]) <= margin)
    return np.abs(coef)


def margin_by_updates(K, y, margin, max_passes):
    alpha = np.zeros(len(y))
    for step in range(max_passes * len(y)):
        i = step % len(y)
        alpha = alpha + np.eye(len(y))[i] * ((K * np.outer(y, y))[i] @ alpha <= margin)
    return alpha


def downhill_by_loop(X, y, w, eta, lam):
    slope = [lam * v for v in w]
    for x, label in zip(X, y, strict=True):
        if 1 - label * sum(a * b for a, b in zip(w, x, strict=True)) > 0:
            slope = [s - label * v / len(y) for s, v in zip(slope, x, strict=True)]
    return [v - eta * s for v, s in zip(w, slope, strict=True)]


def downhill_by_steps_of_one(X, y, w, eta, lam):
    alone = [
        (1 - eta * lam) * w + eta * (y[i] * (X[i] @ w) < 1) * y[i] * X[i] for i in range(len(y))
    ]
    return np.mean(alone, axis=0)


def fifth_by_sorting(X):
    y = [-1] * 5
    for k in (0, 1):
        order = sorted(range(5), key=lambda i: X[i, k])
        y[order[0]] = y[order[-1]] = 1
    return y


def fifth_by_trying(X):
    for left_out in range(5):
        others = np.delete(X, left_out, axis=0)
        low, high = others.min(axis=0), others.max(axis=0)
        if (low <= X[left_out]).all() and (X[left_out] <= high).all():
            return np.where(np.arange(5) == left_out, -1, 1)
    raise AssertionError


def fifth_by_all_labellings(X):
    for y in itertools.product((-1, 1), repeat=5):
        y = np.array(y)
        inside = X[y > 0]
        if len(inside) and (y < 0).any():
            held = ((inside.min(0) <= X[y < 0]) & (X[y < 0] <= inside.max(0))).all(axis=1)
            if held.any():
                return y
    raise AssertionError


def fourth_by_null_space(X):
    lam = np.linalg.svd(np.column_stack([X, np.ones(4)]).T)[2][-1]
    return np.where(lam > 1e-9, 1, -1)


def fourth_by_linear_programs(X):
    for y in itertools.product((-1.0, 1.0), repeat=4):
        signed = -np.array(y)[:, np.newaxis] * np.column_stack([X, np.ones(4)])
        if linprog(np.zeros(3), A_ub=signed, b_ub=-np.ones(4), bounds=(None, None)).status == 2:
            return y
    raise AssertionError


def fourth_by_geometry(X):
    try:
        hull = ConvexHull(X).vertices
    except Exception:  # flat: order them along the line, and label the ends against the rest
        order = np.lexsort(X.T)
        if (X[order[0]] == X[order[1]]).all():
            return np.where(np.arange(4) == order[0], 1, -1)
        return np.where(np.isin(np.arange(4), order[[0, 3]]), 1, -1)
    y = -np.ones(4)
    y[hull if len(hull) == 3 else hull[::2]] = 1
    return y


def three_corners():
    return 3, [(0, 0), (1, 0), (0, 1)]


def four_corners():
    return 4, [(0, 1), (1, 0), (0, -1), (-1, 0)]


RIGHT = {
    "dual_update": [
        update_by_loop,
        update_by_arrays,
        update_by_a_unit_vector,
        update_by_sign,
        update_in_single_precision,
    ],
    "weights_from_counts": [
        weights_by_loop,
        weights_by_counting_mistakes,
        lambda X, y, alpha: (alpha * y) @ X,
        lambda X, y, alpha: np.einsum("i,i,ij->j", alpha, y, X),
        lambda X, y, alpha: sum(alpha[i] * y[i] * X[i] for i in range(len(y))),
    ],
    "classify_from_gram": [
        classes_by_loop,
        classes_by_comparison,
        classes_by_votes,
        lambda K_test, y, alpha: np.sign(K_test @ (alpha * y)),
    ],
    "perceptron_with_margin": [
        margin_by_loop,
        margin_with_scores_kept,
        margin_with_signed_weights,
        margin_by_updates,
    ],
    "step_downhill": [
        downhill_by_loop,
        downhill_by_steps_of_one,
        lambda X, y, w, eta, lam: (
            w - eta * (lam * w - np.mean((y * (y * (X @ w) < 1))[:, None] * X, 0))
        ),
    ],
    "fifth_point": [fifth_by_sorting, fifth_by_trying, fifth_by_all_labellings],
    "fourth_point": [fourth_by_null_space, fourth_by_linear_programs, fourth_by_geometry],
    "vc_lines": [
        three_corners,
        (3, np.array([(0.5, 0.1), (7, -3), (2, 2)])),
        [3.0, [[0, 0], [1, 0], [2, 1e-3]]],
        lambda: (np.int64(3), np.random.default_rng(0).normal(size=(3, 2))),
    ],
    "vc_rectangles": [
        four_corners,
        (4, np.array([(0.1, 3), (5, 0.2), (-0.1, -4), (-3, 0)])),
        [4.0, [[1, 0], [2, 1], [1, 2], [0, 1]]],
    ],
}

# --- wrong answers, with the name of the misconception where it has one --------------------------


def update_in_place(K, y, alpha, i):
    if y[i] * (K[i] @ (alpha * y)) <= 0:
        alpha[i] += 1
    return alpha


def update_of_an_integer_too_far(K, y, alpha, i):
    return update_by_arrays(K, y, alpha, i + 1)


def update_of_all_counts(K, y, alpha, i):
    return alpha + 1 if y[i] * (K[i] @ (alpha * y)) <= 0 else alpha


def update_by_one_sum(K, y, alpha, i):
    alpha = alpha.copy()
    if y[i] * np.sum(alpha * y * K) <= 0:
        alpha[i] += 1
    return alpha


def update_with_an_array_for_a_score(K, y, alpha, i):
    return alpha + 1 if y[i] * (K[i] @ alpha * y) <= 0 else alpha


def margin_compared_with_itself(K, y, margin, max_passes):
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        old = alpha  # not a copy
        for i in range(len(y)):
            if y[i] * (K[i] @ (alpha * y)) <= margin:
                alpha[i] += 1
        if (alpha == old).all():
            break
    return alpha


def margin_that_breaks_at_the_first_right_example(K, y, margin, max_passes):
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        learnt = 0
        for i in range(len(y)):
            if y[i] * (K[i] @ (alpha * y)) > margin:
                break
            alpha[i] += 1
            learnt += 1
        if learnt == 0:
            break
    return alpha


def margin_until_nothing_is_learnt(K, y, margin, max_passes):
    alpha, learnt = np.zeros(len(y)), True
    while learnt:
        learnt = False
        for i in range(len(y)):
            if y[i] * (K[i] @ (alpha * y)) <= margin:
                alpha[i] += 1
                learnt = True
    return alpha


def margin_endless(K, y, margin, max_passes):
    passes, alpha = 0, np.zeros(len(y))
    while passes < max_passes:  # and nobody counts
        alpha = alpha + (y * (K @ (alpha * y)) <= margin)
    return alpha


def margin_that_stops_at_the_first_right_example(K, y, margin, max_passes):
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        for i in range(len(y)):
            if y[i] * (K[i] @ (alpha * y)) > margin:
                return alpha
            alpha[i] += 1
    return alpha


def margin_backwards(K, y, margin, max_passes):
    back = slice(None, None, -1)
    return margin_by_loop(K[back, back], y[back], margin, max_passes)[back]


def extremes_of_x1_only(X):
    y = -np.ones(5)
    y[[X[:, 0].argmin(), X[:, 0].argmax()]] = 1
    return y


def alternate(order):
    y = np.empty(4)
    y[np.asarray(order)] = 1, -1, 1, -1
    return y


def round_the_mean(X):
    x1, x2 = (X - X.mean(axis=0)).T
    return alternate(np.argsort(np.arctan2(x2, x1)))


def area(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def fourth_of_two_cases(X):
    """Right wherever no three points lie on a line."""
    for i in range(4):
        a, b, c = np.delete(X, i, axis=0)
        turns = np.array([area(a, b, X[i]), area(b, c, X[i]), area(c, a, X[i])])
        if (turns > 0).all() or (turns < 0).all():
            return np.where(np.arange(4) == i, -1, 1)
    return round_the_mean(X)


def fourth_of_three_cases(X):
    """As before, with points on a line ordered by x₁: wrong where a line is upright."""
    flat = np.linalg.matrix_rank(X - X[0]) < 2
    return alternate(np.argsort(X[:, 0])) if flat else fourth_of_two_cases(X)


def fourth_by_the_first_three(X):
    """Solves for λ with λ_4 = 1, which the other three on a line, or at one place, forbid."""
    try:
        lam = np.linalg.solve(np.column_stack([X[:3], np.ones(3)]).T, -np.append(X[3], 1))
    except np.linalg.LinAlgError:
        return alternate(np.lexsort(X.T))
    return np.where(np.append(lam, 1) > 0, 1, -1)


def first_four(X):
    return np.array([1, 1, 1, 1, -1])


WRONG = {
    "dual_update": [
        (update_in_place, CHANGES_ITS_INPUT),
        (update_of_an_integer_too_far, RAISES),
        (lambda K, y, alpha, i: alpha, None),
        (lambda K, y, alpha, i: update_by_arrays(K, y, alpha, i)[i], None),
        (lambda K, y, alpha, i: update_by_arrays(K, y, alpha, i)[:, None], OTHER_SHAPE),
        (lambda K, y, alpha, i: np.array([1]), HARD_CODED),
        (update_of_all_counts, "a mistake counts on all examples"),
        (update_by_one_sum, "the score is a sum over all of K"),
        (update_with_an_array_for_a_score, SHAPES),
    ],
    "weights_from_counts": [
        (lambda X, y, alpha: X.T @ (alpha @ y), SHAPES),
        (lambda X, y, alpha: X @ (alpha * y), SHAPES),
        (lambda X, y, alpha: np.dot(X, alpha * y), SHAPES),
        (lambda X, y, alpha: (alpha * y * X).sum(axis=0), None),
        (lambda X, y, alpha: (X * (alpha * y)[:, None]).sum(axis=1), "rows and columns exchanged"),
        (lambda X, y, alpha: (X * alpha[:, None] * y[:, None]), None),
        (lambda X, y, alpha: np.append((alpha * y) @ X, 1.0), None),
        (lambda X, y, alpha: ((alpha * y) @ X)[None], OTHER_SHAPE),
        (lambda X, y, alpha: -(alpha * y) @ X, None),
    ],
    "classify_from_gram": [
        (lambda K_test, y, alpha: np.sign(K_test.T @ (alpha * y)), SHAPES),
        (lambda K_test, y, alpha: np.sign((alpha * y) @ K_test), SHAPES),
        (lambda K_test, y, alpha: -np.sign(K_test @ (alpha * y)), None),
        (lambda K_test, y, alpha: np.sign(K_test * (alpha * y)), None),
        (lambda K_test, y, alpha: [v or 1 for v in np.sign(K_test @ (alpha * y))], "zero is +1"),
        (lambda K_test, y, alpha: np.sign(K_test @ (alpha * y))[:, None], OTHER_SHAPE),
    ],
    "perceptron_with_margin": [
        (margin_until_nothing_is_learnt, "max_passes is not used"),
        (margin_endless, ENDLESS),
        (margin_compared_with_itself, "it ends after one pass"),
        (margin_that_stops_at_the_first_right_example, "it stops at the first right example"),
        (margin_that_breaks_at_the_first_right_example, "it stops at the first right example"),
        (margin_backwards, None),
        (lambda K, y, margin, max_passes: np.zeros(len(y)), None),
        (lambda K, y, margin, max_passes: y * margin_by_loop(K, y, margin, max_passes), None),
        (lambda K, y, margin, max_passes: margin_by_loop(K, y, margin, max_passes) > 0, None),
    ],
    "step_downhill": [
        (lambda X, y, w, eta, lam: w, None),
        (lambda X, y, w, eta, lam: X @ (y * (y * (X @ w) < 1)), SHAPES),
        (lambda X, y, w, eta, lam: downhill_by_loop(X, y, w, eta, lam)[:1], None),
        (lambda X, y, w, eta, lam: downhill_by_steps_of_one(X, y, w, eta, 0.0), "lam is not used"),
        (lambda X, y, w, eta, lam: downhill_by_steps_of_one(X, -y, w, eta, lam), None),
        (lambda X, y, w, eta, lam: 2 * w - downhill_by_loop(X, y, w, eta, lam), "uphill"),
        (lambda X, y, w, eta, lam: w + eta * (-lam * w + y * (y * (X @ w) < 0) @ X / len(y)),
         "only mistakes count"),
    ],
    "fifth_point": [
        (first_four, "the last point given is the inner one"),
        (extremes_of_x1_only, None),
        (lambda X: np.ones(5), HARD_CODED),
        (lambda X: (fifth_by_sorting(X)[:4]), None),
        (lambda X: (np.array(fifth_by_sorting(X)) + 1) / 2, None),
        (lambda X: fifth_by_all_labellings(X)[:, None], None),
    ],
    "fourth_point": [
        (lambda X: [1, -1, 1, -1], "neighbours in the list are neighbours in the plane"),
        (lambda X: fourth_by_null_space(X)[:3], None),
        (lambda X: np.sign(np.linalg.svd(np.column_stack([X, np.ones(4)]))[2][-1]), None),
        (lambda X: np.ones(4), HARD_CODED),
        (round_the_mean, "four points always make a quadrilateral"),
        (lambda X: -round_the_mean(X), "four points always make a quadrilateral"),
        (fourth_of_two_cases, None),
        (fourth_of_three_cases, None),
        (fourth_by_the_first_three, None),
        (lambda X: np.sign(np.round(np.linalg.svd(np.column_stack([X, np.ones(4)]).T)[2][-1], 9)),
         None),
        (lambda X: np.where(X[:, 0] > X[:, 0].mean(), 1, -1), None),
        (lambda X: -np.sign(X.prod(axis=1)), None),
    ],
    "vc_lines": [
        ((2, [(0, 0), (1, 0)]), EVERY_PLACEMENT),
        ((3, [(0, 0), (1, 1), (2, 2)]), ANY_PLACEMENT),
        ((3, [(0, 0), (1, 1), (1, 1)]), ANY_PLACEMENT),
        ((4, [(0, 0), (1, 0), (1, 1), (0, 1)]), MOST_LABELLINGS),
        ((np.inf, [(0, 0)]), KIND_LABELS),
        ((3, [(0, 0), (1, 0)]), None),
        ((3, "abc"), None),
        ((0, np.empty((0, 2))), None),
        ((2.5, [(0, 0), (1, 0)]), None),
        (3, None),
        ((3, [(0, 0), (1, 0), (0, np.nan)]), None),
        (lambda d: (3, [(0, 0), (1, 0), (0, 1)]), None),
        (lambda: 1 / 0, RAISES),
    ],
    "vc_rectangles": [
        ((4, [(0, 0), (1, 0), (1, 1), (0, 1)]), ANY_PLACEMENT),
        ((3, [(0, 0), (1, 1), (2, 2)]), ANY_PLACEMENT),
        ((2, [(0, 0), (1, 1)]), EVERY_PLACEMENT),
        ((3, [(0, 1), (1, 0), (2, 2)]), EVERY_PLACEMENT),
        ((5, [(0, 2), (2, 0), (0, -2), (-2, 0), (0, 0)]), MOST_LABELLINGS),
        ((float("inf"), []), KIND_LABELS),
        ((4, [(0, 0, 1)] * 4), None),
    ],
}  # fmt: skip

# Mutants that still answer rightly, and why. Everywhere: y is −1 or +1, so to divide by it is to
# multiply by it.
EQUIVALENT = {
    "weights_from_counts": {
        "w = 0",  # zeros come from anything
        "w = 0 * X[1]",
        "w = 0 * X[-1]",
        "w = w + alpha[i] / y[i] * X[i]",
    },
    "dual_update": {"if y[i] * (K[i] @ (alpha / y)) <= 0:"},
    "classify_from_gram": {
        "return (f > 0) - 1 * (f < 0)",  # 1 only makes a number of a truth value
        "return 1 * (f > 0) - (f < 0)",
        "f = K_test @ (alpha / y)",
    },
    "perceptron_with_margin": {
        "alpha = 0 / y",
        "if y[i] * (K[i] @ (alpha / y)) <= margin:",
        # Not to stop early changes no α, and what was learnt may be counted in any unit.
        "without if learnt == 0:",
        "without break",
        "learnt = 1",
        "learnt -= 1",
        "learnt += 2",
        "if learnt == -1:",
    },
    # If no line makes a labelling, none makes its opposite.
    "fourth_point": {
        "return np.where(lam >= 1e-09, 1, -1)",
        "return np.where(lam < 1e-09, 1, -1)",
    },
}


class TestBank(BankTests):
    bank = Bank("01", exercises, RIGHT, WRONG, EQUIVALENT)


def exercise(name):
    return getattr(exercises, name)


# --- what is said -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["fifth_point", "fourth_point"])
def test_wrong_labellings_are_rejected_whatever_is_drawn(name):
    task = exercise(name)
    for answer, _ in WRONG[name]:
        for seed in range(40):
            cases = task.cases(np.random.default_rng(seed))
            assert any(task.judge(case, answer(case["X"])) for case in cases)


def test_two_cases_fail_on_the_line_of_a_student():
    X = np.array([(0, 0), (2, 0), (1, 0), (10, 0)], dtype=float)
    assert separable([-1, 1, -1, 1], X)
    words = judge_labels(LINES, {"X": X}, fourth_of_two_cases(X))
    assert "This line makes it: w · x + b = 0 with w = (" in words
    assert "The points lie on one line: in which order?" in words


def separable(y, X):
    signed = -np.array(y)[:, np.newaxis] * np.column_stack([X, np.ones(len(X))])
    bounds = (None, None)
    return linprog(np.zeros(3), A_ub=signed, b_ub=-np.ones(len(X)), bounds=bounds).status == 0


NUMBER = "(−?[0-9.]+(?:e[+−][0-9]+)?)"


def numbers_in(pattern, words):
    found = re.search(pattern.replace("NUMBER", NUMBER), words)
    return [float(number.replace("−", "-").rstrip(".")) for number in found.groups()]


@pytest.mark.parametrize("scale", [1.0, 1 / 3, 1e-3, 1e5])
@pytest.mark.parametrize("y", list(itertools.product((-1, 1), repeat=4)))
def test_the_line_that_is_named_makes_the_labelling(y, scale):
    X = scale * np.array([(0, 0), (3, 1), (1, 3), (-2, 7)])
    words = judge_labels(LINES, {"X": X}, y)
    assert (words is None) == (not separable(y, X / scale))
    if words:
        w1, w2, b = numbers_in(r"w = \(NUMBER, NUMBER\), b = NUMBER", words)
        assert (np.array(y) * (X @ [w1, w2] + b) > 0).all()


@pytest.mark.parametrize("y", list(itertools.product((-1, 1), repeat=5)))
def test_the_rectangle_that_is_named_makes_the_labelling(y):
    X = np.array([(-3, 0), (4, 1), (1, -4), (2, 4), (0, 1)])
    words = judge_labels(RECTANGLES, {"X": X}, y)
    inside = X[np.array(y) > 0]
    if len(inside) == 0:
        assert "Any rectangle beside the points makes it." in words
    elif words:
        pattern = "x₁ from NUMBER to NUMBER, x₂ from NUMBER to NUMBER"
        left, right, bottom, top = numbers_in(pattern, words)
        held = ([left, bottom] <= X).all(axis=1) & ([right, top] >= X).all(axis=1)
        assert (held == (np.array(y) > 0)).all()
    else:
        others = X[np.array(y) < 0]
        assert ((others >= inside.min(0)) & (others <= inside.max(0))).all(axis=1).any()


def test_a_rectangle_is_named_in_the_verdict():
    text = exercises.fifth_point.verdict(lambda X: np.ones(5)).text
    assert "This rectangle makes it: x₁ from −3 to 4, x₂ from −4 to 4." in text


@pytest.mark.parametrize("name", ["fifth_point", "fourth_point"])
def test_a_zero_needs_a_label_too(name):
    text = exercise(name).verdict(lambda X: 0 * X[:, 0]).text
    assert "A zero needs a label too." in text


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("weights_from_counts", lambda X, y, alpha: X @ (alpha * y), "X is (n, d) and alpha * y"),
        ("weights_from_counts", lambda X, y, alpha: X.T @ (alpha @ y), "gives (d,)?"),
        ("classify_from_gram", lambda K, y, alpha: (alpha * y) @ K, "K_test is (m, n) and alpha"),
        ("dual_update", update_with_an_array_for_a_score, "product of the two is one number?"),
    ],
)
def test_shapes_that_do_not_fit_become_a_question(name, answer, words):
    text = exercise(name).verdict(answer).text
    assert words in text
    assert "ValueError" in text
    assert "of your code" in text
    assert "gufunc" not in text
    assert "signature" not in text


def test_another_value_error_is_not_about_shapes():
    text = exercises.weights_from_counts.verdict(lambda X, y, alpha: float("w")).text
    assert "could not convert string" in text
    assert "X is (n, d)" not in text


@pytest.mark.parametrize(("name", "answer"), [("vc_lines", three_corners), ("vc_rectangles", None)])
def test_a_seed_that_changes_nothing_says_so(name, answer, capsys):
    exercise(name).check(answer, seed=1)
    exercise(name).check(answer)
    first, second = capsys.readouterr().out.split(NOTHING_IS_DRAWN)
    assert "a seed" not in first + second
    if answer is not None:
        assert "8 of 8 labellings of your points can be made" in first


def test_hints_say_what_is_so():
    four_on_a_line = [(0, 0), (1, 0), (2, 0), (3, 0)]
    for X in (four_on_a_line, [(0, 0), (1, 0), (0, 1), (1, 1)], [(0, 0), (3, 0), (0, 3), (1, 1)]):
        assert np.sum(~realisable(X, LINES)) >= 2
    assert "at least two labellings are always missing" in exercises.vc_lines.hints[2]
    assert np.sum(~realisable([(0, 0), (1, 0), (1, 1), (0, 1)], RECTANGLES)) >= 2
    assert "Which labellings are missing" in exercises.vc_rectangles.hints[1]


# --- every placement ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["vc_lines", "vc_rectangles"])
def test_every_placement_of_a_small_grid_is_judged(name):
    """Against the definition: of d points, all 2^d labellings, and d the largest such number."""
    task = exercise(name)
    sets, dimension = (LINES, 3) if name == "vc_lines" else (RECTANGLES, 4)
    grid = list(itertools.product((0, 1, 2), repeat=2))
    for d in (dimension - 1, dimension, dimension + 1):
        for X in itertools.islice(itertools.combinations(grid, d), None, None, 5):
            correct = task.verdict((d, X)).correct
            assert correct == (d == dimension and realisable(X, sets).all())
