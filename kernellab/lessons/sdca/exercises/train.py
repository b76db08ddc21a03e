"""An exercise of notebook 05: the whole loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng
from kernellab.exercises.exercise import Case, FunctionExercise
from kernellab.lessons.sdca.exercises.dual import gap_with, some_problem
from kernellab.lessons.sdca.exercises.steps import squared_with
from kernellab.validation import FloatArray


def training_cases(rng: Rng) -> Iterator[Case]:
    """One step, one pass, passes in given orders; an example may be absent, or come twice."""
    K, y = np.array([[2.0, 1.0], [1.0, 4.0]]), np.array([1.0, -1.0])
    for by_hand in ([[0]], [[0, 1]], [[0, 1], [1, 0]]):
        yield {"K": K, "y": y, "C": 1.0, "orders": np.array(by_hand)}
    for n, passes in 3 * ((2, 1), (3, 2), (4, 3), (6, 5)):
        K, y = some_problem(n, rng)
        C = float(rng.choice([0.125, 0.5, 1.0, 4.0]))
        orders = np.array([rng.permutation(n) for _ in range(passes)])
        yield {"K": K, "y": y, "C": C, "orders": orders}


exact_step = squared_with()


def train_with(
    *,
    stale: bool = False,
    first_order: bool = False,
    step: Callable[..., float] = exact_step,
    gap: Callable[..., FloatArray] = gap_with(),  # noqa: B008  (it changes nothing)
    finish: Callable[[FloatArray, FloatArray], FloatArray] = lambda alpha, y: alpha,
) -> Callable[..., Any]:
    """Return an ascent with something else in it."""

    def idea(K: FloatArray, y: FloatArray, C: float, orders: Any) -> Any:
        alpha = np.zeros(len(y))
        scores = np.zeros(len(y))
        for order in orders:
            order = orders[0] if first_order else order
            for place, i in enumerate(order):
                if not stale or place == 0:
                    scores = K @ (alpha * y)
                alpha[i] = step(float(alpha[i]), float(y[i]), float(scores[i]), float(K[i, i]), C)
        return finish(alpha, y), float(gap(K @ (alpha * y), y, alpha, C).sum())

    return idea


def train_on_kept_scores(change: Callable[[float, float, float], float]) -> Callable[..., Any]:
    """Return an ascent that adds something else to its scores after a step."""

    def idea(K: FloatArray, y: FloatArray, C: float, orders: Any) -> Any:
        alpha, scores = np.zeros(len(y)), np.zeros(len(y))
        for i in np.ravel(orders):
            old = float(alpha[i])
            alpha[i] = exact_step(old, float(y[i]), float(scores[i]), float(K[i, i]), C)
            scores += change(old, float(alpha[i]), float(y[i])) * K[i]
        return alpha, float(gap_with()(scores, y, alpha, C).sum())

    return idea


train = FunctionExercise(
    "train",
    "A small project: SDCA for the squared hinge, with its certificate. Given K (n, n), y (n,), C "
    "and orders (passes, n), the examples of each pass in turn, start from alpha = 0, take all "
    "steps, and return two things: alpha (n,), and the duality gap P − D at the end, not divided "
    "by anything.",
    [
        "squared_hinge_step is the inside of two loops. What must happen to the scores after a "
        "step?",
        "All f_j change when α_i does: f_j += (new − old) y_i K_ij. Or compute K @ (alpha * y).",
        "At the end sum squared_gap over all examples, with the scores of the last alpha.",
        "for order in orders: for i in order: f = K[i] @ (alpha * y); alpha[i] = max(0, alpha[i] + "
        "(1 - y[i] * f - alpha[i] / (2 * C)) / (K[i, i] + 1 / (2 * C)))",
    ],
    "A dozen lines for a loss that the lesson did not solve, and each run ends with a proof of how "
    "far it is from the best.",
    cases=training_cases,
    solution=train_with(),
    parts=("alpha", "gap"),
    misconceptions=[
        ("scores are computed once a pass",
         "A step changes all scores, already for the next example of the same pass.",
         train_with(stale=True)),
        ("the steps are not clipped", "α_i ≥ 0 in every step.",
         train_with(step=squared_with(bottom=-np.inf))),
        ("the box of the plain hinge",
         "Slack costs more and more, so α_i may grow without a lid: only α_i ≥ 0.",
         train_with(step=squared_with(top=lambda C: C))),
        ("the step of the plain hinge", "Each α_i costs α_i²/(4C) more: see exercise 3.",
         train_with(step=squared_with(lambda s, C: 0.0, pull=lambda alpha, s, C: 0.0))),
        ("the slope keeps its old value", "The new term has a slope too: −α_i/(2C).",
         train_with(step=squared_with(pull=lambda alpha, s, C: 0.0))),
        ("every pass in the first order",
         "One permutation used for all passes is in print: take orders[p] in pass p.",
         train_with(first_order=True)),
        ("the curvature keeps its old value", "The new term has a curvature too: K_ii + 1/(2C).",
         train_with(step=squared_with(lambda s, C: 0.0))),
        ("signed weights are returned", "α itself is asked for, never below 0.",
         train_with(finish=lambda alpha, y: alpha * y)),
        ("only half of ‖w‖² in the gap", "P − D has all of ‖w‖²: a half from P, and a half from D.",
         train_with(gap=gap_with(share=0.5))),
        ("the gap of the plain hinge", "The slack is squared in P, and D has a new term.",
         train_with(gap=gap_with(power=1, new=0.0))),
        ("the new term is not in the gap", "D has −α_i²/(4C): see exercise 4.",
         train_with(gap=gap_with(new=0.0))),
        ("the scores never change", "Is the old α_i gone before new − old is taken? Keep it.",
         train_on_kept_scores(lambda old, new, label: 0.0)),
        ("all of α_i is added to the scores",
         "What α_i had before is in them already: f_j += (new − old) y_i K_ij.",
         train_on_kept_scores(lambda old, new, label: new * label)),
        ("the scores forget the label",
         "f_j += (new − old) y_i K_ij: the label of the example that moved.",
         train_on_kept_scores(lambda old, new, label: new - old)),
        ("only the first pass", "orders has one row a pass: take all of them.",
         lambda K, y, C, orders: train_with()(K, y, C, orders[:1])),
        ("the examples in turn",
         "orders says whose turn it is: take i from it, not from 0 … n − 1.",
         lambda K, y, C, orders: train_with()(K, y, C, [range(len(y))] * len(orders))),
        ("the other order", "First α, then the gap.",
         lambda K, y, C, orders: train_with()(K, y, C, orders)[::-1]),
        ("P without D", "P alone says nothing about how far it is from the best: subtract D(α).",
         lambda K, y, C, orders: primal_only(K, y, C, train_with()(K, y, C, orders)[0])),
        ("the gap of before the last pass",
         "After the last step the scores are others: compute the gap of the α you return.",
         lambda K, y, C, orders: (
             train_with()(K, y, C, orders)[0],
             train_with()(K, y, C, orders[:-1])[1],
         )),
        ("the gap in λ-form", "P − D in C-form is asked for, divided by nothing.",
         lambda K, y, C, orders: (
             train_with()(K, y, C, orders)[0],
             train_with()(K, y, C, orders)[1] / (C * len(y)),
         )),
        ("the relative gap", "P − D itself is asked for; the package divides it by the size of P.",
         lambda K, y, C, orders: relative(K, y, C, *train_with()(K, y, C, orders))),
    ],
    shapes="alpha * y and a row of K are both (n,); orders has one row a pass.",
)  # fmt: skip


def relative(K: FloatArray, y: FloatArray, C: float, alpha: FloatArray, gap: float) -> Any:
    """Return α, and its gap as a share of P."""
    return alpha, gap / max(primal_only(K, y, C, alpha)[1], 1e-12)


def primal_only(K: FloatArray, y: FloatArray, C: float, alpha: FloatArray) -> Any:
    """Return α, and P."""
    f = K @ (alpha * y)
    return alpha, (alpha * y) @ f / 2 + C * (np.maximum(0, 1 - y * f) ** 2).sum()
