"""Exercises of notebook 02: the widest margin, its conditions, its hulls and its promise."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.certificates import functional_margins
from kernellab.exercises.choice import ChoiceExercise
from kernellab.exercises.examples import Rng, some_labels, some_vectors
from kernellab.exercises.exercise import Case, FunctionExercise
from kernellab.lessons.margin.exercises.hulls import ZERO, from_hulls, separable_data, three_points
from kernellab.lessons.margin.exercises.program import as_quadratic_program, kkt_violations
from kernellab.solvers.hard_margin import hard_margin
from kernellab.validation import FloatArray

__all__ = [
    "as_quadratic_program",
    "choose_cost",
    "from_hulls",
    "half_margin",
    "kkt_violations",
    "leave_one_out",
    "smaller_cost",
    "three_points",
]


# --- the half-margin ------------------------------------------------------------------------------


def margin_cases(rng: Rng) -> Iterator[Case]:
    """One example first; right ones and wrong ones, and biases that matter."""
    yield {"w": np.array([3.0, 4.0]), "b": -5.0, "X": np.array([[3.0, 4.0]]), "y": np.array([1.0])}
    yield {"w": np.array([3.0, 4.0]), "b": -5.0, "X": np.array([[3.0, 4.0]]), "y": np.array([-1.0])}
    for n, d in 3 * ((2, 1), (2, 2), (3, 2), (4, 2), (5, 3)):
        y, X = some_labels(n, rng), some_vectors(n, d, rng)
        w = rng.integers(1, 4, d) * rng.choice([-1.0, 1.0], d)
        yield {"w": w, "b": float(rng.integers(1, 4) * rng.choice([-1, 1])), "X": X, "y": y}


def nearest(w: FloatArray, b: float, X: FloatArray, y: FloatArray) -> Any:
    """Return the smallest functional margin."""
    return functional_margins(X @ w + b, y).min()


def length(w: FloatArray) -> Any:
    """Return ‖w‖."""
    return np.linalg.norm(w)


half_margin = FunctionExercise(
    "half_margin",
    "A warm-up in two lines. Given weights w (d,), a bias b, examples X (n, d) and labels y (n,), "
    "with f(x) = w·x + b, return the half-margin: the distance from the line to the nearest "
    "example, negative if an example is on the wrong side.",
    [
        "How far is a point x from the line w·x + b = 0, with the sign of f(x)?",
        "f(x)/‖w‖. And which sign says that the example is on its right side?",
        "y_i f(x_i)/‖w‖, and of these the smallest.",
        "np.min(y * (X @ w + b)) / np.linalg.norm(w)",
    ],
    "Double w and b and the functional margin doubles, but this stays: it is what can be widened.",
    cases=margin_cases,
    solution=lambda w, b, X, y: nearest(w, b, X, y) / length(w),
    misconceptions=[
        ("the functional margin", "y_i f(x_i) grows with w, the distance does not: divide by ‖w‖.",
         nearest),
        ("the bias in the length", "A distance in the plane divides by ‖w‖ alone: b moves the "
         "line, and does not turn it.",
         lambda w, b, X, y: nearest(w, b, X, y) / length(np.append(w, b))),
        ("the sign of b", "f(x) = w·x + b: the bias is added.",
         lambda w, b, X, y: nearest(w, -b, X, y) / length(w)),
        ("the bias is left out",
            "The line is w·x + b = 0, and it need not go through the origin.",
         lambda w, b, X, y: nearest(w, 0.0, X, y) / length(w)),
        ("every example is on its right side",
         "Without the label a mistake looks like a wide margin: y_i f(x_i), not |f(x_i)|.",
         lambda w, b, X, y: np.abs(X @ w + b).min() / length(w)),
        ("the label is left out", "Multiply by y_i: for label −1 a negative score is right.",
         lambda w, b, X, y: (X @ w + b).min() / length(w)),
        ("2/‖w‖ is the distance",
         "That is the width of the band, and only where the smallest y_i f(x_i) is 1.",
         lambda w, b, X, y: 2 / length(w)),
        ("the whole band", "From one edge of the band to the other it is twice as far.",
         lambda w, b, X, y: 2 * nearest(w, b, X, y) / length(w)),
        ("1/‖w‖ whatever w is",
         "That holds if w is scaled so that the smallest y_i f(x_i) is 1. Here w is anything.",
         lambda w, b, X, y: 1 / length(w)),
    ],
    shapes="X is (n, d) and w is (d,): which order of the product gives one score an example?",
)  # fmt: skip


# --- a choice -------------------------------------------------------------------------------------

smaller_cost = ChoiceExercise(
    "smaller_cost",
    "A soft margin, and C falls. What is forced, and why? "
    "(a) The number of support vectors does not fall. (b) The total slack Σ ξ_i does not fall. "
    "(c) The number of training mistakes does not fall. (d) The half-margin 1/‖w‖ does not grow.\n"
    "Because: (1) A wider band holds more points, and each of them is a support vector. "
    "(2) Each of two solutions is no worse than the other at its own C; add both inequalities. "
    "(3) More regularisation always means a worse fit of each training example. "
    "(4) The lid α_i ≤ C is lower, so fewer examples reach it.",
    [
        "Five numbers have 5 support vectors at C = 7.5 and 4 at C = 3.16. What does that refute?",
        "Σ ξ_i is what C is the price of. If the price falls, can one buy less?",
        "Let w, ξ be best for C and w', ξ' for C' < C: two inequalities. What is their sum?",
        "(C − C')(Σ ξ − Σ ξ') ≤ 0. That is a letter, and the way there is a number.",
    ],
    "The argument needs no picture of the band, only that each is best at its own price; so it "
    "holds for every loss and every kernel. Counts are not sums, and promise nothing.",
    choices={
        "a": "the number of support vectors does not fall",
        "b": "the total slack does not fall",
        "c": "the number of training mistakes does not fall",
        "d": "the half-margin does not grow",
    },
    reasons={
        "1": "a wider band holds more points, each a support vector",
        "2": "each of two solutions is no worse than the other at its own C",
        "3": "more regularisation means a worse fit of each training example",
        "4": "the lid is lower, so fewer examples reach it",
    },
    answer=("b", "2"),
    refuted={
        "a": (
            "more margin errors, more support vectors",
            "Usually, but five numbers on a line (in “Every C at once”, further) have 5 support "
            "vectors at C = 7.5 and 4 at C = 3.16: who held the curve back is not needed once the "
            "others have given up.",
        ),
        "c": (
            "a sum is a count",
            "The sum of the slacks does not fall. Their number above 1 may: one large slack can "
            "replace two that are a little above 1.",
        ),
        "d": (
            "a smaller C, a narrower band",
            "The other way round: slack is cheaper, so ‖w‖ falls or stays, and 1/‖w‖ never falls.",
        ),
    },
    not_because={
        "1": "A wider band usually holds more, but points also leave it, as the line turns.",
        "3": "Some examples may fit better than before; it is their sum that cannot.",
        "4": "The lid is lower, so it is easier to reach: usually more examples do.",
    },
)


# --- which C --------------------------------------------------------------------------------------


def cost_cases(rng: Rng) -> Iterator[Case]:
    """By hand first, with a tie, and a test error that would choose otherwise; then at random."""
    yield costs_with([[0.0], [0.0]], [[0.2, 0.4], [0.3, 0.1]], [0.1, 0.2])
    yield costs_with([[0.3], [0.2], [0.0]], [[0.1, 0.3], [0.2, 0.0], [0.1, 0.1]], [0.2, 0.3, 0.1])
    for m in 3 * (3, 4, 6):
        training = np.sort(rng.integers(0, 6, m))[::-1] / 10
        yield costs_with(training, rng.integers(0, 6, (m, 5)) / 10, rng.integers(1, 6, m) / 10)


def costs_with(training: Any, folds: Any, test: Any) -> Case:
    """Name three tables of error rates over C = 0.1, 1, 10, …"""
    rates = {"training": np.ravel(training), "folds": np.array(folds), "test": np.array(test)}
    return {"costs": 10.0 ** np.arange(-1, len(test) - 1), **rates}


def chosen(
    by: Callable[[Any, Any, Any], Any] = lambda training, folds, test: folds.mean(axis=1),
    report: Callable[[int, Any, Any], Any] = lambda k, folds, test: test[k],
) -> Callable[..., tuple[Any, Any]]:
    """Return a choice of C by some errors, rounded so that equal means tie, and what is told."""

    def idea(costs: FloatArray, training: Any, folds: Any, test: Any) -> tuple[Any, Any]:
        k = int(np.round(by(training, folds, test), 9).argmin())
        return costs[k], report(k, folds, test)

    return idea


choose_cost = FunctionExercise(
    "choose_cost",
    "For each of costs (m,), ascending, you have the error in training (m,), on the folds of "
    "cross-validation (m, k) and on the test half (m,). Return (C, error): the C to take, of equal "
    "ones the smallest, and the error to report for it.",
    [
        "Which of the three tables may choose? Which one must have had no say in it?",
        "C has the smallest mean over the folds. The test half is asked once, about that C.",
        "np.round(folds.mean(axis=1), 9).argmin() is the first of equal means.",
        "k = np.round(folds.mean(axis=1), 9).argmin(); return costs[k], test[k]",
    ],
    "Whoever lets the test half choose reports the luckiest of m errors, not the error of a model.",
    cases=cost_cases,
    solution=chosen(),
    parts=("C", "error"),
    misconceptions=[
        ("chosen on the test half", "Then nothing is left that has not been looked at.",
         chosen(lambda training, folds, test: test)),
        ("chosen in training", "The largest C mostly fits its own data best; what of others?",
         chosen(lambda training, folds, test: training)),
        ("the larger of equals", "Of two that err alike take the smaller C: its band is wider.",
         chosen(lambda training, folds, test: folds.mean(axis=1) - 1e-6 * np.arange(len(test)))),
        ("the winner's own error", "The smallest of m means is lucky: report the test error.",
         chosen(report=lambda k, folds, test: folds[k].mean())),
        ("the smallest test error", "Report the test error of the C that you took.",
         chosen(report=lambda k, folds, test: test.min())),
        ("the best single fold", "One fold is luck: take the mean over the folds.",
         chosen(lambda training, folds, test: folds.min(axis=1))),
    ],
    shapes="folds is (m, k): its mean over the folds is folds.mean(axis=1), shape (m,).",
)  # fmt: skip


# --- leave one out --------------------------------------------------------------------------------


def left_out_cases(rng: Rng) -> Iterator[Case]:
    """Four numbers first, two of which hold the line; then separable data, errors and none."""
    X = np.array([[-4.0], [-1.0], [1.0], [2.0]])
    yield {"X": X, "y": np.array([-1.0, -1.0, 1.0, 1.0])}
    yield {"X": np.array([[-9.0], [-1.0], [1.0], [9.0]]), "y": np.array([-1.0, -1.0, 1.0, 1.0])}
    found: list[Case] = []
    for n, d in itertools.cycle(((4, 1), (5, 2), (6, 2), (7, 2))):
        X, y, machine = separable_data(n, d, rng)
        alpha = machine.alpha
        assert alpha is not None
        scores = [score_without(X, y, i) for i in range(n)]
        clear = np.abs(scores).min() > 0.05 and not ((alpha > 1e-12) & (alpha < 1e-4)).any()
        # Half of them with an error, or to leave nothing out would look right.
        wrong = min(y * scores) < 0
        if clear and sum(wrong == case["wrong"] for case in found) < 3:
            found.append({"X": X, "y": y, "wrong": wrong})
        if len(found) == 6:
            break
    for case in sorted(found, key=lambda case: len(case["y"])):
        yield {"X": case["X"], "y": case["y"]}


def score_without(X: FloatArray, y: FloatArray, i: int) -> float:
    """Return the score of example i by a machine that has not seen it."""
    kept = np.arange(len(y)) != i
    machine = hard_margin(X[kept], y[kept])
    assert machine.w is not None and machine.b is not None  # a part of separable data
    return float(X[i] @ machine.w + machine.b)


def errors_left_out(X: FloatArray, y: FloatArray) -> Any:
    """Return True for each example that is wrong when it is left out."""
    return np.array([y[i] * score_without(X, y, i) <= 0 for i in range(len(y))])


def supports(X: FloatArray, y: FloatArray) -> Any:
    """Return True for each support vector."""
    alpha = hard_margin(X, y).alpha
    assert alpha is not None
    return alpha > ZERO


def left_out(
    error: Callable[[Any], Any] = np.mean, bound: Callable[[Any], Any] = np.mean
) -> Callable[..., Any]:
    """Return a function for (error, bound), from who is wrong and who is a support vector."""
    return lambda X, y: (error(errors_left_out(X, y)), bound(supports(X, y)))


leave_one_out = FunctionExercise(
    "leave_one_out",
    "A small project. Given separable X (n, d) and y (n,), return (error, bound): error is the "
    "leave-one-out error, the fraction of examples that a hard margin trained on all the others "
    "gets wrong; bound is #SV/n of the machine trained on all. Use kl.hard_margin, which returns "
    "w, b and alpha.",
    [
        "X without row i, y without entry i: np.delete(X, i, axis=0). Who is tested then?",
        "Train n machines, one without each example; test each on the example it has not seen.",
        "A score of zero is no prediction: y_i f(x_i) ≤ 0 is an error. α_i > 1e-9 is a support "
        "vector.",
        "machine = hard_margin(np.delete(X, i, axis=0), np.delete(y, i)); wrong if y[i] * (X[i] @ "
        "machine.w + machine.b) <= 0. bound: np.mean(hard_margin(X, y).alpha > 1e-9).",
    ],
    "error ≤ bound, always: without a non-support vector nothing changes, so only support vectors "
    "can be missed. One machine bounds how many of n are.",
    cases=left_out_cases,
    solution=left_out(),
    parts=("error", "bound"),
    misconceptions=[
        ("nobody is left out",
         "That is the training error, always 0 for a hard margin: train without example i.",
         left_out(lambda wrong: 0.0)),
        ("accuracy instead of error", "The error is the fraction that is wrong.",
         left_out(lambda wrong: 1 - wrong.mean())),
        ("counts instead of fractions", "Both are asked for as fractions: divide by n.",
         left_out(np.sum, np.sum)),
        ("only support vectors are counted",
         "Only they can be wrong, but the error is a fraction of all n examples.",
         lambda X, y: (
             errors_left_out(X, y).sum() / supports(X, y).sum(), supports(X, y).mean(),
         )),
    ],
    shapes="X[i] is (d,) and w is (d,): their product is a number. np.delete needs axis=0 for X.",
)  # fmt: skip


EXERCISES = (
    half_margin,
    three_points,
    kkt_violations,
    as_quadratic_program,
    from_hulls,
    smaller_cost,
    choose_cost,
    leave_one_out,
)
