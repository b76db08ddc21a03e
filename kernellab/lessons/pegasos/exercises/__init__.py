"""Exercises of notebook 04: what P says of the best w, and averages; the others are beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng, some_vectors
from kernellab.exercises.exercise import Case, FunctionExercise
from kernellab.lessons.pegasos.exercises.kernel import LAMS, average_in_the_dual, visits_needed
from kernellab.lessons.pegasos.exercises.projection import kernel_projection
from kernellab.lessons.pegasos.exercises.sparse import sparse_step
from kernellab.lessons.pegasos.exercises.steps import balanced_step, squared_step
from kernellab.losses import hinge
from kernellab.validation import FloatArray

__all__ = [
    "average_in_the_dual",
    "balanced_step",
    "kernel_projection",
    "longest_best",
    "running_average",
    "sparse_step",
    "squared_step",
    "visits_needed",
]

# --- the objective, and what it says of the best w ----------------------------------------------


def length_cases(rng: Rng) -> Iterator[Case]:
    """One feature first; margins below, at and above 1, P below 1 and above."""
    X, y = np.array([[1.0], [-2.0]]), np.array([1.0, -1.0])
    for w, lam in (([0.0], 1.0), ([0.5], 1.0), ([2.0], 0.25), ([-1.0], 1.0)):
        yield {"w": np.array(w), "X": X, "y": y, "lam": lam}
    for n, d in 4 * ((2, 1), (3, 2), (4, 3), (6, 2)):
        X, w = some_vectors(n, d, rng), some_vectors(1, d, rng)[0]
        y = np.where(X @ w < 0, -1.0, 1.0)  # most are right, and P is small
        y[0] *= rng.choice([-1, 1])
        yield {"w": w / 2, "X": X, "y": y, "lam": rng.choice(LAMS) / 8}


def penalty(w: FloatArray, lam: float) -> float:
    """Return λ/2 ‖w‖²."""
    return float(lam / 2 * (w @ w))


def hinges(w: FloatArray, X: FloatArray, y: FloatArray) -> FloatArray:
    """Return the hinge loss of each example."""
    return np.asarray(hinge.value(y * (X @ w)))


def objective(w: FloatArray, X: FloatArray, y: FloatArray, lam: float) -> float:
    """Return P(w)."""
    return penalty(w, lam) + float(hinges(w, X, y).mean())


def length_from(
    objective: Callable[..., Any] = objective,
    length: Callable[[Any, float], Any] = lambda least, lam: np.sqrt(2 * least / lam),
) -> Callable[..., Any]:
    """Return a bound on the length of the best w from another P, or by another formula."""
    return lambda w, X, y, lam: length(np.minimum(1.0, objective(w, X, y, lam)), lam)


longest_best = FunctionExercise(
    "longest_best",
    "How long can the best w be? Given some w (d,), X (n, d), y (n,) and lam: nobody knows the "
    "best w, but its P is at most P(w), and at most P(0). Return the greatest length that this "
    "leaves it, a number.",
    [
        "P has two terms, and neither is negative. Which of them knows the length?",
        "λ/2 ‖best‖² ≤ P(best) ≤ P(w), and ≤ P(0), which is the same for all data.",
        "P(0) = 1. So ‖best‖² ≤ 2/λ times the smaller of P(w) and 1.",
        "P = lam / 2 * (w @ w) + np.maximum(0, 1 - y * (X @ w)).mean(); "
        "then np.sqrt(2 * min(1, P) / lam)",
    ],
    "So the best w lies in a ball, and a good w makes the ball small. That is why the original "
    "algorithm may cut every longer w short.",
    cases=length_cases,
    solution=length_from(),
    misconceptions=[
        ("0 is a w too", "P(0) = 1 whatever the data: where P(w) is larger, use that.",
         lambda w, X, y, lam: np.sqrt(2 * objective(w, X, y, lam) / lam)),
        ("P(0) is all we know", "True for every w, but where P(w) is below 1 it says more.",
         lambda w, X, y, lam: np.sqrt(2 / lam)),
        ("the ball of the original algorithm",
         "1/√λ is true, but comes from the dual (further/04). What do P(w) and P(0) alone leave?",
         lambda w, X, y, lam: 1 / np.sqrt(lam)),
        ("the larger of the two", "Both are bounds: the smaller one says more.",
         lambda w, X, y, lam: np.sqrt(2 * max(1.0, objective(w, X, y, lam)) / lam)),
        ("the half is forgotten", "The term that knows the length is λ/2 ‖w‖², with a half.",
         length_from(length=lambda least, lam: np.sqrt(least / lam))),
        ("the root is forgotten", "That is the square of the length.",
         length_from(length=lambda least, lam: 2 * least / lam)),
        ("λ is left out", "λ/2 ‖w‖² ≤ P: divide by λ too.",
         length_from(length=lambda least, lam: np.sqrt(2 * least))),
        ("the length of this w", "It is the best w that is asked for, and it may be longer.",
         lambda w, X, y, lam: np.sqrt(w @ w)),
        ("a sum of losses instead of their mean",
         "In λ-form the losses are averaged: with the sum, λ would mean something else for every "
         "n.", length_from(lambda w, X, y, lam: penalty(w, lam) + hinges(w, X, y).sum())),
        ("the half is forgotten in P", "P begins with λ/2 ‖w‖².",
         length_from(lambda w, X, y, lam: 2 * penalty(w, lam) + hinges(w, X, y).mean())),
        ("the square is forgotten", "The penalty is λ/2 times the square of the length of w.",
         length_from(lambda w, X, y, lam: lam / 2 * np.sqrt(w @ w) + hinges(w, X, y).mean())),
        ("margins above 1 are rewarded", "max(0, 1 − z): beyond 1 the loss is 0, not negative.",
         length_from(lambda w, X, y, lam: penalty(w, lam) + (1 - y * (X @ w)).mean())),
        ("the loss begins at 0",
         "The hinge asks for a margin of 1; max(0, −z) is the perceptron's loss.",
         length_from(
             lambda w, X, y, lam: penalty(w, lam) + np.maximum(0, -y * (X @ w)).mean()
         )),
        ("the labels are left out of the margins",
         "The margin is y_i w·x_i: a score of −3 is fine for an example of class −1.",
         length_from(lambda w, X, y, lam: penalty(w, lam) + np.maximum(0, 1 - X @ w).mean())),
        ("the penalty is left out", "P(w) is both terms: what w costs itself counts too.",
         length_from(lambda w, X, y, lam: hinges(w, X, y).mean())),
        ("C-form",
         "½‖w‖² + C Σ losses is 1/λ times as large. Here λ stands before ‖w‖², and nothing before "
         "the mean loss.",
         length_from(lambda w, X, y, lam: w @ w / 2 + hinges(w, X, y).mean() / lam)),
        ("the losses are squared",
         "The hinge is max(0, 1 − z) itself; its square is another loss, with no kink at 1.",
         length_from(lambda w, X, y, lam: penalty(w, lam) + (hinges(w, X, y) ** 2).mean())),
    ],
    shapes="X @ w has one score an example, like y; but y * X @ w is (y * X) @ w, so write "
    "y * (X @ w). Which product of w with itself is one number?",
)  # fmt: skip


# --- averaging ----------------------------------------------------------------------------------


def average_cases(rng: Rng) -> Iterator[Case]:
    """The first weights are their own average; then by hand; then at random."""
    yield {"mean": np.zeros(2), "w": np.array([2.0, 1.0]), "t": 1}
    yield {"mean": np.array([2.0, 0.0]), "w": np.array([4.0, 1.0]), "t": 2}
    yield {"mean": np.array([9.0, 9.0]), "w": np.array([2.0, 1.0]), "t": 1}
    for t, d in 3 * ((2, 1), (3, 2), (4, 3), (10, 2)):
        mean, w = some_vectors(2, d, rng)
        yield {"mean": mean, "w": w, "t": t}


running_average = FunctionExercise(
    "running_average",
    "The average that the bound is about, without keeping all weights: given mean (d,), the "
    "average of w_1 … w_{t−1}, and the new w (d,), w_t, return the average of w_1 … w_t.",
    [
        "What is the sum of the first t − 1 weights, if all you have is their mean?",
        "It is (t − 1) · mean. Add w, and divide by how many there are now.",
        "((t − 1) mean + w)/t = mean + (w − mean)/t. At t = 1 that is w.",
        "mean + (w - mean) / t",
    ],
    "The average costs one vector and no second pass, and it is the iterate for which the bound "
    "2R² (1 + ln T)/(λT) is proved.",
    cases=average_cases,
    solution=lambda mean, w, t: mean + (w - mean) / t,
    misconceptions=[
        ("the mean of the two",
         "The old mean stands for t − 1 vectors, the new w for one: weigh them so.",
         lambda mean, w, t: (mean + w) / 2),
        ("the new share is added, the old one kept whole",
         "mean + w/t grows without end: the old mean must shrink to (t − 1)/t.",
         lambda mean, w, t: mean + w / t),
        ("the old sum is forgotten to be a mean",
         "mean is already divided by t − 1: multiply by t − 1 before adding.",
         lambda mean, w, t: (mean + w) / t),
        ("the last weights are returned",
         "This is the iterate itself, not the average of all so far.", lambda mean, w, t: w),
        ("only w is divided",
         "(t − 1) mean + w is the sum of all t: divide all of it by t, with parentheses.",
         lambda mean, w, t: (t - 1) * mean + w / t),
        ("t counts the old ones only",
         "t counts the new w too: with t + 1 the first average would be w/2.",
         lambda mean, w, t: (t * mean + w) / (t + 1)),
        ("divided by t − 1", "The new w counts too: there are t vectors by now, not t − 1.",
         lambda mean, w, t: ((t - 1) * mean + w) / (t - 1)),
        ("the weights are exchanged",
         "The new w is one of t vectors and weighs 1/t; the old mean weighs (t − 1)/t.",
         lambda mean, w, t: mean / t + w * (t - 1) / t),
        ("late weights count more",
         "That average, with weights 2t/(t(t + 1)), is a good one too; here all count alike.",
         lambda mean, w, t: mean + (w - mean) * 2 / (t + 1)),
    ],
    shapes="mean and w are both (d,), and so is the answer; nothing is multiplied with another.",
)  # fmt: skip


EXERCISES = (
    longest_best,
    squared_step,
    balanced_step,
    running_average,
    visits_needed,
    kernel_projection,
    sparse_step,
    average_in_the_dual,
)
