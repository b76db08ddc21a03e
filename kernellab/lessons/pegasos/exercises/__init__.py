"""Exercises of notebook 04: the objective, and averages; the others are beside it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kernellab.exercises.examples import Rng, some_labels, some_vectors
from kernellab.exercises.exercise import Case, FunctionExercise
from kernellab.lessons.pegasos.exercises.kernel import LAMS, alpha_update, train_in_the_dual
from kernellab.lessons.pegasos.exercises.projection import kernel_projection
from kernellab.lessons.pegasos.exercises.sparse import sparse_step
from kernellab.lessons.pegasos.exercises.steps import mini_batch_step, one_step
from kernellab.losses import hinge
from kernellab.validation import FloatArray

__all__ = [
    "alpha_update",
    "kernel_projection",
    "mini_batch_step",
    "objective",
    "one_step",
    "running_average",
    "sparse_step",
    "train_in_the_dual",
]

# --- the objective ------------------------------------------------------------------------------


def objective_cases(rng: Rng) -> Iterator[Case]:
    """One feature first; margins below, at and above 1."""
    X, y = np.array([[1.0], [-2.0]]), np.array([1.0, -1.0])
    for w, lam in (([0.0], 1.0), ([0.5], 1.0), ([2.0], 0.5)):
        yield {"w": np.array(w), "X": X, "y": y, "lam": lam}
    for n, d in 3 * ((2, 1), (3, 2), (4, 3), (6, 2)):
        X, y = some_vectors(n, d, rng), some_labels(n, rng)
        yield {"w": some_vectors(1, d, rng)[0] / 2, "X": X, "y": y, "lam": rng.choice(LAMS)}


def penalty(w: FloatArray, lam: float) -> float:
    """Return λ/2 ‖w‖²."""
    return float(lam / 2 * (w @ w))


def hinges(w: FloatArray, X: FloatArray, y: FloatArray) -> FloatArray:
    """Return the hinge loss of each example."""
    return np.asarray(hinge.value(y * (X @ w)))


objective = FunctionExercise(
    "objective",
    "A warm-up. What Pegasos makes small: given w (d,), X (n, d), y (n,) and lam, return "
    "λ/2 ‖w‖² plus the mean hinge loss.",
    [
        "Two terms: one knows only w, the other only the margins y_i w·x_i.",
        "The hinge loss of a margin z is max(0, 1 − z): nothing to pay from 1 on.",
        "‖w‖² is w @ w, and all margins at once are y * (X @ w).",
        "lam / 2 * (w @ w) + np.maximum(0, 1 - y * (X @ w)).mean()",
    ],
    "Every gap, bound and stopping rule of the lesson is about this number, so it is worth having "
    "written it once oneself.",
    cases=objective_cases,
    solution=lambda w, X, y, lam: penalty(w, lam) + hinges(w, X, y).mean(),
    misconceptions=[
        ("a sum of losses instead of their mean",
         "In λ-form the losses are averaged: with the sum, λ would mean something else for every "
         "n.", lambda w, X, y, lam: penalty(w, lam) + hinges(w, X, y).sum()),
        ("the half is forgotten",
         "λ/2 ‖w‖²: its gradient is then λw, which is what the step shrinks by.",
         lambda w, X, y, lam: 2 * penalty(w, lam) + hinges(w, X, y).mean()),
        ("the square is forgotten", "The penalty is λ/2 times the square of the length of w.",
         lambda w, X, y, lam: lam / 2 * np.sqrt(w @ w) + hinges(w, X, y).mean()),
        ("margins above 1 are rewarded", "max(0, 1 − z): beyond 1 the loss is 0, not negative.",
         lambda w, X, y, lam: penalty(w, lam) + (1 - y * (X @ w)).mean()),
        ("the loss begins at 0",
         "The hinge asks for a margin of 1; max(0, −z) is the perceptron's loss.",
         lambda w, X, y, lam: penalty(w, lam) + np.maximum(0, -y * (X @ w)).mean()),
        ("the labels are left out of the margins",
         "The margin is y_i w·x_i: a score of −3 is fine for an example of class −1.",
         lambda w, X, y, lam: penalty(w, lam) + np.maximum(0, 1 - X @ w).mean()),
        ("mistakes are counted", "That is the 0–1 loss; the hinge also knows by how much.",
         lambda w, X, y, lam: penalty(w, lam) + (y * (X @ w) < 1).mean()),
        ("the penalty is left out",
         "Without λ/2 ‖w‖² there is no maximum margin, only no mistakes.",
         lambda w, X, y, lam: hinges(w, X, y).mean()),
        ("C times the losses",
         "This is λ-form: λ stands before ‖w‖², and nothing before the mean loss.",
         lambda w, X, y, lam: w @ w / 2 + lam * hinges(w, X, y).sum()),
        ("C-form",
         "½‖w‖² + C Σ losses is 1/λ times as large. Here λ stands before ‖w‖², and nothing before "
         "the mean loss.", lambda w, X, y, lam: w @ w / 2 + hinges(w, X, y).mean() / lam),
        ("the penalty is divided by n too", "Only the losses are averaged: λ/2 ‖w‖² is there once.",
         lambda w, X, y, lam: penalty(w, lam) / len(y) + hinges(w, X, y).mean()),
        ("the mean first, then the maximum",
         "Each example has its own max(0, 1 − z): one far on the right side must not pay for "
         "another.",
         lambda w, X, y, lam: penalty(w, lam) + max(0.0, float((1 - y * (X @ w)).mean()))),
        ("the losses are squared",
         "The hinge is max(0, 1 − z) itself; its square is another loss, with no kink at 1.",
         lambda w, X, y, lam: penalty(w, lam) + (hinges(w, X, y) ** 2).mean()),
        ("mistakes are rewarded", "1 + z grows with the margin; the loss max(0, 1 − z) falls.",
         lambda w, X, y, lam: penalty(w, lam) + hinges(-w, X, y).mean()),
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
    objective,
    one_step,
    mini_batch_step,
    running_average,
    alpha_update,
    kernel_projection,
    sparse_step,
    train_in_the_dual,
)
