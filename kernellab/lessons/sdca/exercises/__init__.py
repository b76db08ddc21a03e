"""Exercises of notebook 05: which example next, and a bias at a price; the others are beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab import certificates
from kernellab.exercises.choice import ChoiceExercise
from kernellab.exercises.examples import Rng
from kernellab.exercises.exercise import Case, FunctionExercise, as_numbers
from kernellab.lessons.sdca.exercises.dual import best_bounds, squared_gap
from kernellab.lessons.sdca.exercises.steps import (
    pair_step,
    smoothed_hinge_step,
    squared_hinge_step,
)
from kernellab.lessons.sdca.exercises.train import train
from kernellab.lessons.sdca.theory.recording import clipped_step, rises
from kernellab.validation import FloatArray

__all__ = [
    "best_bounds",
    "best_first",
    "pair_step",
    "priced_bias",
    "smoothed_hinge_step",
    "squared_gap",
    "squared_hinge_step",
    "train",
]


# --- which one next -----------------------------------------------------------------------------


def order_cases(rng: Rng) -> Iterator[Case]:
    """Two and three examples by hand; then at random, some of them at the ends of their box."""
    yield {
        "K_diag": np.array([1.0, 1.0]), "y": np.array([1.0, -1.0]),
        "scores": np.array([0.5, 0.0]), "alpha": np.zeros(2), "C": 1.0,
    }  # fmt: skip
    yield {
        "K_diag": np.array([1.0, 3.0, 1.0]), "y": np.array([1.0, -1.0, 1.0]),
        "scores": np.array([0.5, 0.0, 3.0]), "alpha": np.zeros(3), "C": 9.0,
    }  # fmt: skip
    yield {  # the worst margin is that of an α at its bound
        "K_diag": np.array([1.0, 1.0]), "y": np.array([1.0, -1.0]),
        "scores": np.array([-3.0, 0.5]), "alpha": np.array([1.0, 0.0]), "C": 1.0,
    }  # fmt: skip
    for f in (2.0, 0.9):  # a long way on a falling slope, and a short one on a steep slope
        yield {
            "K_diag": np.array([1.0, 1.0]), "y": np.array([1.0, -1.0]),
            "scores": np.array([0.0, f]), "alpha": np.array([0.0, 0.7]), "C": 1.0,
        }  # fmt: skip
    for n in 3 * (3, 4, 5, 8):
        yield distinct_gains(n, rng)


def distinct_gains(n: int, rng: Rng) -> Case:
    """Draw until no two gain the same or step as far: a wrong order is seen for what it is."""
    while True:
        C = float(rng.choice([0.5, 1.0, 4.0]))
        case: dict[str, Any] = {
            "K_diag": rng.uniform(0.5, 4, n), "y": rng.choice([-1.0, 1.0], n),
            "scores": rng.normal(size=n), "alpha": C * rng.choice([0.0, 0.3, 0.7, 1.0], n), "C": C,
        }  # fmt: skip
        steps = np.abs(clipped_step(**case)).round(9)
        if min(len(np.unique(rises(**case))), len(np.unique(steps))) == n:
            return case


def by(measure: Callable[..., FloatArray]) -> Callable[..., Any]:
    """Return an order by something, the largest first."""
    return lambda K_diag, y, scores, alpha, C: np.argsort(
        -measure(K_diag, y, scores, alpha, C), kind="stable"
    )


def judge_order(case: Case, answer: Any) -> str | None:
    """Any order is right in which the gains never rise."""
    gain, n = rises(**case), len(case["y"])
    order = as_numbers(answer)
    if order is None or order.shape != (n,) or sorted(order.tolist()) != list(range(n)):
        return f"expected the numbers 0 … {n - 1}, each once, in some order\nyours    {answer}"
    found = gain[order.astype(int)]
    if (np.diff(found) > 1e-9).any():
        k = int(np.argmax(np.diff(found) > 1e-9))
        first, then = (int(order[j]) for j in (k, k + 1))
        return (
            f"expected {np.argsort(-gain, kind='stable')}\nyours    {order.astype(int)}\n"
            f"Example {first} comes before {then}, but a step of it raises the dual by "
            f"{found[k] + 0.0:.4g}, one of {then} by {found[k + 1]:.4g}."
        )
    return None


best_first = FunctionExercise(
    "best_first",
    "An order of importance: given K_diag (n,), y (n,), scores (n,), alpha (n,) and C, return the "
    "indices 0 … n − 1 so that the example whose own step would raise the dual most comes first. "
    "All K_ii are positive here.",
    [
        "Along α_i alone the dual is a parabola. What is its slope at the present α_i?",
        "Slope 1 − y_i f_i, curvature −K_ii: a move by δ gains δ (1 − y_i f_i) − ½ δ² K_ii.",
        "δ is the step as it is taken, clipped: clip(α_i + (1 − y_i f_i)/K_ii, 0, C) − α_i.",
        "np.argsort(-(delta * slope - delta**2 * K_diag / 2))",
    ],
    "To know the best costs a look at all n scores, about as much as a step: the choice pays if it "
    "saves more than half of the steps. Lesson and picture count them.",
    cases=order_cases,
    solution=by(rises),
    judge=judge_order,
    misconceptions=[
        ("the worst margin first",
         "A large slope is worth nothing if α_i is at its bound, or the curvature stops it early: "
         "compare the gains.", by(lambda K_diag, y, scores, alpha, C: 1 - y * scores)),
        *(("the longest step first",
           "Where K_ii is small a long step gains little: compare gains, not lengths.", by(length))
          for length in (
              clipped_step, lambda *case: np.abs(clipped_step(*case)),
              lambda K_diag, y, scores, alpha, C: np.abs(1 - y * scores) / K_diag,
          )),
        ("the step is not clipped",
         "What counts is the step that will be taken: an α_i at its bound gains nothing.",
         by(lambda K_diag, y, scores, alpha, C: (1 - y * scores) ** 2 / K_diag)),
        ("the smallest gain first",
         "argsort sorts upwards: turn it round, or sort the negative gains.",
         by(lambda *case: -rises(*case))),
        ("the curvature is left out",
         "The slope falls on the way: a move by δ gains δ (slope) − ½ δ² K_ii.",
         by(lambda *case: clipped_step(*case) * (1 - case[1] * case[2]))),
        ("the half is left out",
         "On the way the slope falls from 1 − y_i f_i evenly: a move by δ loses ½ δ² K_ii.",
         by(lambda *case: rises(*case) - clipped_step(*case) ** 2 * case[0] / 2)),
        ("the steepest first",
         "A steep slope gains little where K_ii is large or the bound is near: compare gains.",
         by(lambda K_diag, y, scores, alpha, C: np.abs(1 - y * scores))),
        ("ranks instead of an order",
         "argsort once gives the indices in their order; argsort of that gives ranks.",
         lambda *case, **named: np.argsort(by(rises)(*case, **named))),
        ("the largest α first",
         "α_i says what an example weighs now, not what a step of it would change.",
         by(lambda K_diag, y, scores, alpha, C: alpha)),
        ("the gap term instead of the gain",
         "The gap of a point says what is owed there; one step need not pay it: compare gains.",
         by(lambda K_diag, y, scores, alpha, C: certificates.gap_terms(scores, y, alpha, C))),
    ],
    shapes="Everything but C is (n,); the answer is n whole numbers.",
)  # fmt: skip


# --- a bias that costs something -----------------------------------------------------------------


priced_bias = ChoiceExercise(
    "priced_bias",
    "With a free b two α have to move at a time. Now b costs something: minimise ½‖w‖² + ½ b² + "
    "C Σ max(0, 1 − y_i f_i), with f(x) = w·φ(x) + b. Which solver will do, and why? (a) Only SMO, "
    "two α at a time. (b) SDCA on K, and b is fitted at the end. (c) SDCA on K_ij + 1. (d) SDCA "
    "on K with 1 added to its diagonal.\n"
    "Because: (1) Σ α_i y_i = 0 still has to hold. (2) b is the weight of one more feature, which "
    "is 1 for every example. (3) The best b does not depend on α. (4) ½ b² adds a square of each "
    "α_i to the dual.",
    [
        "Write L with b. It holds ½ b² − b Σ α_i y_i: at which b is that smallest?",
        "At b = Σ α_i y_i, where it is −½ (Σ α_i y_i)². Is any α of the box forbidden now?",
        "Multiply the square out: −½ Σ_ij α_i α_j y_i y_j · 1. It stands beside that with K_ij.",
        "Each K_ij has one more, as if every φ(x) had one more entry, a 1. A letter, and number 2.",
    ],
    "So a bias at a price needs no second α. “Further: less work” measures how little the price "
    "changes.",
    choices={
        "a": "only SMO will do",
        "b": "SDCA, and b is fitted at the end",
        "c": "SDCA on K_ij + 1",
        "d": "SDCA on K with 1 added to its diagonal",
    },
    reasons={
        "1": "Σ α_i y_i = 0 still has to hold",
        "2": "b is the weight of a feature that is 1 for every example",
        "3": "the best b does not depend on α",
        "4": "½ b² adds a square of each α_i",
    },
    answer=("c", "2"),
    refuted={
        "a": (
            "every bias ties the α together",
            "A free b does. ½ b² − b Σ α_i y_i has a minimum over b whatever α is, so nothing has "
            "to be balanced.",
        ),
        "b": (
            "a bias can be fitted at the end",
            "A b found afterwards belongs to a w that was found without it: both have to be right "
            "together, and the pair would carry no certificate.",
        ),
        "d": (
            "the bias is counted for each example alone",
            "All examples share one b: (Σ α_i y_i)² holds every pair, not only i = j.",
        ),
    },
    not_because={
        "1": "That was the condition of a free b. With ½ b² the minimum over b is always finite.",
        "3": "At the minimum b = Σ α_i y_i: it moves with each step.",
        "4": "½ b² = ½ (Σ α_i y_i)²: it holds every pair.",
    },
)


EXERCISES = (
    best_bounds,
    pair_step,
    squared_hinge_step,
    squared_gap,
    smoothed_hinge_step,
    best_first,
    priced_bias,
    train,
)
