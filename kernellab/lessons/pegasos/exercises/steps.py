"""Exercises of notebook 04: one step of Pegasos, on an example and on a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng, some_vectors
from kernellab.exercises.exercise import Case, FunctionExercise, Misconception
from kernellab.lessons.pegasos.exercises.kernel import FLAT_SIDE, LAMS
from kernellab.solvers.pegasos import pegasos_step
from kernellab.validation import FloatArray

# --- one step -----------------------------------------------------------------------------------


def step_cases(rng: Rng) -> Iterator[Case]:
    """From w = 0, then at a margin of exactly 1, then below and above it, early and late."""
    one = np.array([1.0, 0.0])
    yield {"w": np.zeros(2), "x": one, "y": 1.0, "lam": 1.0, "t": 1}
    yield {"w": one, "x": one, "y": 1.0, "lam": 1.0, "t": 2}
    yield {"w": one / 2, "x": one, "y": 1.0, "lam": 1.0, "t": 2}
    yield {"w": 1.25 * one, "x": one, "y": 1.0, "lam": 1.0, "t": 4}
    yield {"w": -one, "x": one, "y": -1.0, "lam": 0.5, "t": 4}
    for t, d in 3 * ((1, 2), (2, 1), (2, 3), (4, 2), (8, 2), (10, 4)):
        w, x = some_vectors(2, d, rng)
        label = float(rng.choice([-1, 1]))
        yield {"w": w / 2, "x": x, "y": label, "lam": float(rng.choice(LAMS)), "t": t}


def stepped(w: FloatArray, x: FloatArray, y: float, lam: float, t: int) -> FloatArray:
    """Return w after the package's own step on one example."""
    w = w.copy()
    pegasos_step(w, x, y, lam, int(t))
    return w


def batch_stepped(w: FloatArray, X: FloatArray, y: FloatArray, lam: float, t: int) -> FloatArray:
    """Return w after a step on a batch: the mean of what its examples would do alone."""
    return np.mean([stepped(w, X[i], y[i], lam, t) for i in range(len(y))], axis=0)


def step_with(
    *,
    test: Callable[[float], bool] = lambda z: z < 1,
    shrink: Callable[[float, int], float] = lambda lam, t: 1 - 1 / t,
    eta: Callable[[float, int], float] = lambda lam, t: 1 / (lam * t),
    only_if_violated: bool = False,
    shrink_first: bool = False,
    shrink_all: bool = False,
    label: bool = True,
    own_label: bool = True,
) -> Callable[..., FloatArray]:
    """Return a step that somebody else would take."""

    def idea(w: FloatArray, x: FloatArray, y: float, lam: float, t: int) -> FloatArray:
        smaller = shrink(lam, t) * w
        score = float((smaller if shrink_first else w) @ x)
        violated = test((y if own_label else 1.0) * score)
        if only_if_violated and not violated:
            return w
        push = eta(lam, t) * (y if label else 1.0) * x
        if shrink_all:
            return shrink(lam, t) * (w + push * violated)
        return smaller + push * violated

    return idea


def in_the_ball(w: FloatArray, lam: float) -> FloatArray:
    """Return w, projected onto the ball of radius 1/√λ."""
    return w / max(1.0, float(np.sqrt(lam * (w @ w))))


one_step = FunctionExercise(
    "one_step",
    "Step t of Pegasos on one example: given w (d,) before the step, x (d,), y (−1 or +1), lam "
    "and t = 1, 2, …, return w after it. No projection. A margin of exactly 1 is no violation.",
    [
        "The objective on this one example is λ/2 ‖w‖² + max(0, 1 − y w·x). What is its "
        "subgradient, below a margin of 1 and above?",
        "λw, and −y x besides if the margin is below 1. The step goes against it, by 1/(λt).",
        "η λ w = w / t: so w shrinks by 1 − 1/t in every step, violated or not.",
        "(1 - 1 / t) * w, plus y * x / (lam * t) if y * (w @ x) < 1",
    ],
    "Two lines, and they solve a support vector machine: no step size to tune, because λ gives it.",
    cases=step_cases,
    solution=stepped,
    misconceptions=[
        ("only mistakes teach",
         "That is the perceptron. Here a margin below 1 is a violation, also on the right side.",
         step_with(test=lambda z: z <= 0)),
        ("a margin of 1 is a violation", FLAT_SIDE, step_with(test=lambda z: z <= 1)),
        ("w shrinks only when the margin is violated",
         "The penalty λ/2 ‖w‖² is there in every step: w shrinks by 1 − 1/t each time.",
         step_with(only_if_violated=True)),
        ("w never shrinks", "The gradient of λ/2 ‖w‖² is λw, and η λ w = w/t has to go.",
         step_with(shrink=lambda lam, t: 1.0)),
        ("the margin is taken after shrinking",
         "The subgradient belongs to w as it was: test first, then change it.",
         step_with(shrink_first=True)),
        ("what is added shrinks too", "(1 − 1/t) is for the old w only: shrink, then add.",
         step_with(shrink_all=True)),
        ("the label is left out", "w moves along y x: away from x if the example is of class −1.",
         step_with(label=False)),
        ("the step size never falls", "η = 1/(λt): with 1/λ in every step w jumps about for ever.",
         step_with(eta=lambda lam, t: 1 / lam)),
        ("λ is left out of the step size",
         "η = 1/(λt). Check the units: w/t and y x/(λt) must be of one kind.",
         step_with(eta=lambda lam, t: 1 / t)),
        ("λ multiplies the step instead of dividing it",
         "η = 1/(λt), in which λ stands below: a weak regulariser takes long steps.",
         step_with(eta=lambda lam, t: lam / t)),
        ("shrinking by λ instead of ηλ", "η λ = 1/t: w ← w − ηλw = (1 − 1/t) w.",
         step_with(shrink=lambda lam, t: 1 - lam)),
        ("shrinking by the step size",
         "w ← w − η λ w: with η alone the factor λ of the gradient is lost.",
         step_with(shrink=lambda lam, t: 1 - 1 / (lam * t))),
        ("every example is added",
         "From a margin of 1 on there is no loss, and nothing to add: w only shrinks.",
         step_with(test=lambda z: True)),
        ("the label is left out of the margin",
         "The margin is y w·x: a score of −3 is fine for an example of class −1.",
         step_with(own_label=False)),
        ("the wrong way",
         "The subgradient of the loss is −y x, and the step goes against it: + η y x.",
         step_with(eta=lambda lam, t: -1 / (lam * t))),
        ("the step size is 1/t", "η = 1/(λt), for both parts of the subgradient.",
         step_with(shrink=lambda lam, t: 1 - lam / t, eta=lambda lam, t: 1 / t)),
        ("1 / lam * t", "Python reads (1 / lam) * t: put lam * t in parentheses.",
         step_with(shrink=lambda lam, t: 1 - t, eta=lambda lam, t: t / lam)),
        ("t counts from 0",
         "The first step is t = 1, and t is what you are given: nothing to add to it.",
         step_with(shrink=lambda lam, t: t / (t + 1), eta=lambda lam, t: 1 / (lam * (t + 1)))),
        ("the change is returned", "Return the new w, not how far it went.",
         step_with(shrink=lambda lam, t: -1 / t)),
        ("projected too", "The ball is for later: asked for is the step alone.",
         lambda w, x, y, lam, t: in_the_ball(stepped(w, x, y, lam, t), lam)),
    ],
    shapes="w and x are both (d,): the margin is one number, y times their dot product.",
)  # fmt: skip


# --- a batch ------------------------------------------------------------------------------------


def batch_cases(rng: Rng) -> Iterator[Case]:
    """Batches of one, of two with one violator, of more; margins of exactly 1 among them."""
    X, y = np.eye(2), np.array([1.0, -1.0])
    yield {"w": np.zeros(2), "X": X, "y": y, "lam": 1.0, "t": 1}
    yield {"w": np.array([1.0, 0.0]), "X": X, "y": y, "lam": 1.0, "t": 2}
    yield {"w": np.array([0.5, -0.5]), "X": X, "y": y, "lam": 1.0, "t": 2}
    yield {"w": np.array([2.0, -2.0]), "X": X, "y": y, "lam": 0.5, "t": 2}
    for k, t in 3 * ((1, 2), (2, 2), (3, 4), (4, 1), (5, 8)):
        X = some_vectors(k, 2, rng)
        labels = rng.choice([-1.0, 1.0], k)
        w = some_vectors(1, 2, rng)[0] / 2
        yield {"w": w, "X": X, "y": labels, "lam": float(rng.choice(LAMS)), "t": t}


def one_by_one(shrink_once: bool, count_on: bool = False) -> Callable[..., FloatArray]:
    """Return a batch that is a sequence of steps, each of which sees what the last one did."""

    def idea(w: FloatArray, X: FloatArray, y: FloatArray, lam: float, t: int) -> FloatArray:
        for j, (x, label) in enumerate(zip(X, y, strict=True)):
            violated = label * float(w @ x) < 1
            w = (1 - 1 / t if j == 0 or not shrink_once else 1.0) * w
            w = w + violated * label * x / (lam * t)
            t = t + 1 if count_on else t
        return w

    return idea


def batch_with(
    divide: Callable[[int, int], float] = lambda k, violators: k,
    *,
    test: Callable[[FloatArray], Any] = lambda z: z < 1,
    shrink: Callable[[int, int], float] = lambda t, k: 1 - 1 / t,
    all_together: bool = False,
    shrink_first: bool = False,
    label: bool = True,
) -> Callable[..., FloatArray]:
    """Return a step on a batch that divides by something else, or looks at something else."""

    def idea(w: FloatArray, X: FloatArray, y: FloatArray, lam: float, t: int) -> FloatArray:
        z = y * (X @ w) * (1 - 1 / t if shrink_first else 1.0)
        violated = np.full(len(y), z.mean() < 1) if all_together else test(z)
        push = (violated * (y if label else 1.0)) @ X / (lam * t)
        push = push / divide(len(y), int(np.sum(violated)))
        return shrink(t, len(y)) * w + push

    return idea


SATISFIED_COUNT = "The satisfied ones count too, with a hinge subgradient of zero: divide by k."
ONE_STEP_OF_ALL = "All k subgradients are taken at the old w, and w shrinks once."

mini_batch_step = FunctionExercise(
    "mini_batch_step",
    "Step t on a batch of k examples: given w (d,), X (k, d), y (k,), lam and t, return w after "
    "one step along the mean of the k subgradients, all taken at the old w.",
    [
        "Each example of the batch has a subgradient at the old w. What is their mean?",
        "λw − (1/k) Σ y_i x_i over those whose margin is below 1; k counts all of the batch.",
        "So w shrinks once, by 1 − 1/t, and gets the sum over the violators times 1/(λ t k).",
        "v = y * (X @ w) < 1; (1 - 1 / t) * w + (v * y) @ X / (lam * t * len(y))",
    ],
    "A batch makes the direction less noisy and a step dearer; forgetting to divide by k is a "
    "step k times too long.",
    cases=batch_cases,
    solution=batch_stepped,
    misconceptions=[
        ("not divided by k",
         "It is one step along the mean of k subgradients: divide the sum by k.",
         batch_with(lambda k, violators: 1)),
        ("divided by the number of violators", SATISFIED_COUNT,
         batch_with(lambda k, violators: max(violators, 1))),
        Misconception(  # 0/0 if there are none
            "divided by the number of violators",
            SATISFIED_COUNT,
            batch_with(lambda k, violators: np.float64(violators)),
        ),
        ("divided by the number of features", "k is the number of rows of X, len(y).",
         lambda w, X, y, lam, t: batch_with(lambda k, violators: len(w))(w, X, y, lam, t)),
        ("k steps one after the other", ONE_STEP_OF_ALL, one_by_one(shrink_once=False)),
        ("k steps one after the other", ONE_STEP_OF_ALL,
         one_by_one(shrink_once=False, count_on=True)),
        ("the margins are taken after shrinking",
         "The subgradients belong to w as it was: test first, then change it.",
         batch_with(shrink_first=True)),
        ("the labels are left out of the sum",
         "w moves along y_i x_i: away from x_i if the example is of class −1.",
         batch_with(label=False)),
        ("the shrinking is divided by k too",
         "Each of the k subgradients has λw in it, and so has their mean: w shrinks by 1 − 1/t.",
         batch_with(shrink=lambda t, k: 1 - 1 / (t * k))),
        ("later examples see what earlier ones did",
         "The margins of the batch are all those of the old w.", one_by_one(shrink_once=True)),
        ("all of the batch is added",
         "Only those whose margin is below 1 have a subgradient besides λw.",
         batch_with(test=lambda z: np.ones(len(z), dtype=bool))),
        ("only mistakes are added", "A margin between 0 and 1 is a violation too.",
         batch_with(test=lambda z: z <= 0)),
        ("the batch is judged by its mean margin",
         "One example far on the right side must not excuse another: test each.",
         batch_with(all_together=True)),
        ("w shrinks once an example", "(1 − 1/t)^k is k steps of shrinking; this is one step.",
         batch_with(shrink=lambda t, k: (1 - 1 / t) ** k)),
        ("a margin of 1 is a violation", FLAT_SIDE, batch_with(test=lambda z: z <= 1)),
    ],
    shapes="y * (X @ w) has k margins. A sum of rows of X with k weights is weights @ X.",
)  # fmt: skip
