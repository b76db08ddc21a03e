"""Exercises of notebook 04: two steps that the lesson did not take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng, some_labels, some_vectors
from kernellab.exercises.exercise import Case, FunctionExercise, Misconception
from kernellab.lessons.pegasos.exercises.kernel import FLAT_SIDE, LAMS
from kernellab.solvers.pegasos import pegasos_step
from kernellab.validation import FloatArray

# --- one step on the squared hinge --------------------------------------------------------------


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


def shortfall(z: float) -> float:
    """Return how far a margin falls short of 1."""
    return max(0.0, 1 - z)


def step_with(
    *,
    slope: Callable[[float], float] = lambda z: 2 * shortfall(z),
    shrink: Callable[[float, int], float] = lambda lam, t: 1 - 1 / t,
    eta: Callable[[float, int], float] = lambda lam, t: 1 / (lam * t),
    test: Callable[[float], bool] = lambda z: True,
    only_if_violated: bool = False,
    shrink_first: bool = False,
    shrink_all: bool = False,
    label: bool = True,
    own_label: bool = True,
) -> Callable[..., FloatArray]:
    """Return a step along another slope of the loss, with another length or another label."""

    def idea(w: FloatArray, x: FloatArray, y: float, lam: float, t: int) -> FloatArray:
        smaller = shrink(lam, t) * w
        score = float((smaller if shrink_first else w) @ x)
        amount = slope((y if own_label else 1.0) * score) * test(y * float(w @ x))
        if only_if_violated and amount == 0:
            return w
        push = amount * eta(lam, t) * (y if label else 1.0) * x
        return shrink(lam, t) * (w + push) if shrink_all else smaller + push

    return idea


squared_step = FunctionExercise(
    "squared_step",
    "Step t of Pegasos for another loss, the square of the hinge: given w (d,) before the step, "
    "x (d,), y (−1 or +1), lam and t = 1, 2, …, return w after it. The step size is 1/(λt).",
    [
        "On this one example P is λ/2 ‖w‖² + max(0, 1 − y w·x)². What is the slope of the square?",
        "By the chain rule −2 (1 − z) y x, with z = y w·x, below a margin of 1; else 0.",
        "η λ w = w / t, as in the lesson. What is added is η · 2 (1 − z) y x.",
        "(1 - 1 / t) * w + 2 * max(0, 1 - y * (w @ x)) * y * x / (lam * t)",
    ],
    "The push is now as strong as the violation, and there is no kink. This is the loss that "
    "scikit-learn's LinearSVC takes unless you say loss=\"hinge\".",
    cases=step_cases,
    solution=step_with(),
    misconceptions=[
        ("the step of the plain hinge",
         "That one pushes every violator alike. The slope of a square knows by how much.",
         step_with(slope=lambda z: float(z < 1))),
        ("the 2 is lost", "The slope of a square: (u²)′ = 2u u′.", step_with(slope=shortfall)),
        ("the same push for all", "2 y x is right at a margin of 0 only: (1 − z) is missing.",
         step_with(slope=lambda z: 2.0 * (z < 1))),
        ("no label at all", "The margin is y w·x, and w moves along y x.",
         step_with(label=False, own_label=False)),
        ("the loss in place of its slope", "The square is the loss. Its slope is 2 (1 − z).",
         step_with(slope=lambda z: shortfall(z) ** 2)),
        ("who is right is pulled back",
         "Beyond a margin of 1 the loss is 0, and flat: nothing to add.",
         step_with(slope=lambda z: 2 * (1 - z))),
        ("only mistakes teach",
         "A margin between 0 and 1 is a violation too, and costs (1 − z)².",
         step_with(slope=lambda z: 2 * (1 - z) * (z <= 0))),
        ("w shrinks only when the margin is violated",
         "The penalty λ/2 ‖w‖² is there in every step: w shrinks by 1 − 1/t each time.",
         step_with(only_if_violated=True)),
        ("w never shrinks", "The gradient of λ/2 ‖w‖² is λw, and η λ w = w/t has to go.",
         step_with(shrink=lambda lam, t: 1.0)),
        ("the margin is taken after shrinking",
         "The slope belongs to w as it was: take the margin first, then change w.",
         step_with(shrink_first=True)),
        ("the margin is taken once more, after shrinking",
         "Its test was right: 1 − z belongs to the same w. Keep z from before w shrinks.",
         step_with(shrink_first=True, test=lambda z: z < 1)),
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
        ("the label is left out of the margin",
         "The margin is y w·x: a score of −3 is fine for an example of class −1.",
         step_with(own_label=False)),
        ("the wrong way",
         "The slope of the loss is −2 (1 − z) y x, and the step goes against it: a plus.",
         step_with(eta=lambda lam, t: -1 / (lam * t))),
        ("1 / lam * t", "Python reads (1 / lam) * t: put lam * t in parentheses.",
         step_with(eta=lambda lam, t: t / lam)),
        ("t counts from 0",
         "The first step is t = 1, and t is what you are given: nothing to add to it.",
         step_with(shrink=lambda lam, t: t / (t + 1), eta=lambda lam, t: 1 / (lam * (t + 1)))),
        ("the change is returned", "Return the new w, not how far it went.",
         step_with(shrink=lambda lam, t: -1 / t)),
    ],
    shapes="w and x are both (d,): the margin is one number, y times their dot product.",
)  # fmt: skip


# --- a batch in which both classes weigh half ----------------------------------------------------


def batch_cases(rng: Rng) -> Iterator[Case]:
    """One of each class, then more of one; margins of exactly 1 among them."""
    X, y = np.eye(2), np.array([1.0, -1.0])
    three, labels = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 2.0]]), np.array([1.0, -1.0, -1.0])
    yield {"w": np.zeros(2), "X": X, "y": y, "lam": 1.0, "t": 1}
    yield {"w": np.zeros(2), "X": three, "y": labels, "lam": 1.0, "t": 1}
    yield {"w": np.array([1.0, 0.0]), "X": three, "y": labels, "lam": 1.0, "t": 2}
    yield {"w": np.array([0.5, -0.5]), "X": three, "y": labels, "lam": 1.0, "t": 2}
    yield {"w": np.array([2.0, -2.0]), "X": X, "y": y, "lam": 0.5, "t": 2}
    for k, t in 3 * ((2, 2), (3, 4), (4, 1), (5, 8), (6, 2)):
        w = some_vectors(1, 2, rng)[0] / 2
        lam = float(rng.choice(LAMS))
        yield {"w": w, "X": some_vectors(k, 2, rng), "y": some_labels(k, rng), "lam": lam, "t": t}


def stepped(w: FloatArray, x: FloatArray, y: float, lam: float, t: int) -> FloatArray:
    """Return w after the package's own step on one example."""
    w = w.copy()
    pegasos_step(w, x, y, lam, int(t))
    return w


def balanced(w: FloatArray, X: FloatArray, y: FloatArray, lam: float, t: int) -> FloatArray:
    """Return w after a step on a batch: half the mean of what each class would do alone."""
    alone = np.array([stepped(w, X[i], y[i], lam, t) for i in range(len(y))])
    return (alone[y > 0].mean(axis=0) + alone[y < 0].mean(axis=0)) / 2


def class_after_class(
    w: FloatArray, X: FloatArray, y: FloatArray, lam: float, t: int
) -> FloatArray:
    """Return w after a step on one class, then one on the other."""
    for label in (1, -1):
        w = np.mean([stepped(w, x, label, lam, t) for x in X[y == label]], axis=0)
    return w


def batch_with(
    share: Callable[[FloatArray, FloatArray], Any] = lambda y, violated: shares(y),
    *,
    test: Callable[[FloatArray], Any] = lambda z: z < 1,
    shrink: Callable[[int], float] = lambda t: 1 - 1 / t,
    shrink_first: bool = False,
    label: bool = True,
) -> Callable[..., FloatArray]:
    """Return a step in which each example has another share, or another is a violator."""

    def idea(w: FloatArray, X: FloatArray, y: FloatArray, lam: float, t: int) -> FloatArray:
        z = y * (X @ w) * (1 - 1 / t if shrink_first else 1.0)
        violated = np.asarray(test(z), dtype=float)
        push = violated * (y if label else 1.0) * share(y, violated)
        return shrink(t) * w + push @ X / (lam * t)

    return idea


def shares(y: FloatArray, counted: FloatArray | None = None) -> FloatArray:
    """Return ½ over the size of its class for each example, of those that are counted."""
    counted = np.ones(len(y)) if counted is None else counted
    return np.array([0.5 / np.sum(counted[y == label]) for label in y])


SATISFIED_COUNT = "The satisfied ones count too, with a slope of zero: divide by all of the class."

balanced_step = FunctionExercise(
    "balanced_step",
    "Step t on a batch with few examples of one class: given w (d,), X (k, d), y (k,) with both "
    "labels in it, lam and t, return w after one step in which each class has half of the say.",
    [
        "In the lesson each example has the share 1/k. What share has one of n₊ positive ones now?",
        "½ · 1/n₊ for a positive example, ½ · 1/n₋ for a negative one: together they are 1.",
        "So w shrinks once, by 1 − 1/t, and gets the violators' y_i x_i times share/(λt).",
        "share = np.where(y > 0, 0.5 / (y > 0).sum(), 0.5 / (y < 0).sum()); "
        "v = y * (X @ w) < 1; (1 - 1 / t) * w + (v * y * share) @ X / (lam * t)",
    ],
    "With one science text among nine games the plain mean would hardly hear it. scikit-learn "
    "calls this class_weight=\"balanced\".",
    cases=batch_cases,
    solution=balanced,
    misconceptions=[
        ("all examples count alike", "That is the lesson's step. Here a rare class has half.",
         batch_with(lambda y, violated: 1 / len(y))),
        ("the two classes are added",
         "Each has half of the say: without the ½ the step is twice as long.",
         batch_with(lambda y, violated: 2 * shares(y))),
        ("not divided by the class",
         "The mean over a class: ½ alone would let its size speak after all.",
         batch_with(lambda y, violated: 0.5)),
        ("the shares are exchanged", "An example of the larger class has the smaller share.",
         batch_with(lambda y, violated: 0.5 / np.where(y > 0, (y < 0).sum(), (y > 0).sum()))),
        ("divided by the number of violators", SATISFIED_COUNT,
         batch_with(lambda y, violated: np.nan_to_num(shares(y, violated), posinf=0.0))),
        Misconception(  # 0/0 if a class has none
            "divided by the number of violators",
            SATISFIED_COUNT,
            batch_with(shares),
        ),
        ("one class after the other",
         "All slopes are taken at the old w, and w shrinks once.", class_after_class),
        ("the margins are taken after shrinking",
         "The slopes belong to w as it was: test first, then change it.",
         batch_with(shrink_first=True)),
        ("the labels are left out of the sum",
         "w moves along y_i x_i: away from x_i if the example is of class −1.",
         batch_with(label=False)),
        ("all of the batch is added",
         "Only those whose margin is below 1 have a slope besides λw.",
         batch_with(test=lambda z: np.ones(len(z)))),
        ("only mistakes are added", "A margin between 0 and 1 is a violation too.",
         batch_with(test=lambda z: z <= 0)),
        ("w shrinks once a class", "It is one step: w shrinks by 1 − 1/t once.",
         batch_with(shrink=lambda t: (1 - 1 / t) ** 2)),
        ("w never shrinks", "The penalty is there in every step: w shrinks by 1 − 1/t.",
         batch_with(shrink=lambda t: 1.0)),
        ("a margin of 1 is a violation", FLAT_SIDE, batch_with(test=lambda z: z <= 1)),
    ],
    shapes="y * (X @ w) has k margins. A sum of rows of X with k weights is weights @ X.",
)  # fmt: skip
