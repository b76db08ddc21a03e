"""More exercises of notebook 04: kernel Pegasos on counts, one example and the whole run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng, some_directions, some_labels, some_vectors
from kernellab.exercises.exercise import Case, FunctionExercise
from kernellab.solvers.pegasos import kernel_pegasos_pass
from kernellab.validation import FloatArray

FLAT_SIDE = "At exactly 1 the lesson takes the flat side of the hinge, no violation: test with <."
LAMS = (0.125, 0.25, 0.5, 1.0, 2.0)  # exact in binary, so that a margin of 1 is exactly 1


# K_ii, α_i, λ, t. The margin K_ii α_i/(λ(t − 1)) is 1, 1.125, 0.5, 0.25, 2, 0.0625: what somebody
# forgets of it, or adds to it, shows in one of them.
AROUND_ONE = (
    (1.0, 1.0, 0.25, 5),
    (1.0, 9.0, 2.0, 5),
    (1.0, 1.0, 1.0, 3),
    (0.5, 1.0, 0.25, 9),
    (1.0, 1.0, 0.125, 5),
    (0.25, 1.0, 0.5, 9),
)


# --- how often one example must be visited ------------------------------------------------------


def visit_cases(rng: Rng) -> Iterator[Case]:
    """The first step; a margin of exactly 1; then counts that fit t. K_ii is larger than λ."""
    K, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, -1.0])
    yield {"K": K, "y": y, "alpha": np.zeros(2), "lam": 1.0, "i": 0, "t": 1}
    yield {"K": K, "y": y, "alpha": np.array([1.0, 0.0]), "lam": 1.0, "i": 1, "t": 2}
    yield {"K": K, "y": y, "alpha": np.array([2.0, 1.0]), "lam": 1.0, "i": 1, "t": 9}
    for k, count, lam, t in AROUND_ONE:
        alpha = np.array([count, 0.0])
        if k > lam:
            yield {"K": k * np.eye(2), "y": y, "alpha": alpha, "lam": lam, "i": 0, "t": t}
    for n, t in 4 * ((2, 2), (3, 5), (3, 9), (4, 17), (5, 33)):
        X, lam = some_directions(n, 2, rng), float(rng.choice(LAMS[:3]))
        K = X @ X.T if rng.random() < 0.5 else X @ X.T / 8 + np.eye(n) / 2  # exact in binary
        yield {
            "K": K, "y": some_labels(n, rng), "alpha": counts_after(n, t - 1, rng),
            "lam": lam, "i": int(rng.integers(n)), "t": t,
        }  # fmt: skip


def counts_after(n: int, steps: int, rng: Rng) -> FloatArray:
    """Draw how often each of n examples violated the margin in so many steps."""
    return np.bincount(rng.integers(n, size=rng.integers(1, steps + 1)), minlength=n).astype(float)


def visits(K: FloatArray, y: FloatArray, alpha: FloatArray, lam: float, i: int, t: int) -> int:
    """Return after how many of the package's own steps on example i its count stays."""
    alpha, before, done = alpha.copy(), -1.0, -1
    while alpha[i] > before:
        before, done = float(alpha[i]), done + 1
        one, steps = np.array([i]), int(t) - 1 + done
        kernel_pegasos_pass.py_func(K, y, lam, alpha, K @ (alpha * y), one, steps)
    return done


def visits_with(
    bar: Callable[[float, int, int], float] = lambda lam, t, done: lam * (t - 1 + done),
    *,
    content: Callable[[float, float], bool] = lambda z, bar: z >= bar,
    row_labels: bool = True,
    own_label: bool = True,
    first: bool = True,
    most: int = 1000,
) -> Callable[..., int]:
    """Return a count of visits against another bar, with other labels, or another end."""

    def idea(K: FloatArray, y: FloatArray, alpha: FloatArray, lam: float, i: Any, t: int) -> int:
        z = float((y[i] if own_label else 1.0) * (K[i] @ (alpha * y if row_labels else alpha)))
        done = 0
        while done < most and ((first and t + done == 1) or not content(z, bar(lam, int(t), done))):
            z += K[i, i]
            done += 1
        return done

    return idea


visits_needed = FunctionExercise(
    "visits_needed",
    "From step t on, Pegasos draws example i again and again. Given K (n, n) with K_ii > λ, "
    "y (n,), alpha (n,), the violations so far, lam, i and t = 1, 2, …, return at how many of "
    "these steps it violates before it is satisfied for the first time: a whole number.",
    [
        "Before step t the margin is y_i Σ_j α_j y_j K_ij, divided by λ(t − 1); at t = 1 it is 0.",
        "A visit that finds a violation adds K_ii to the sum. What does it do to the divisor?",
        "The sum rises by K_ii, the bar λ(t − 1) by λ. Go on while the sum is below the bar.",
        "z = y[i] * (K[i] @ (alpha * y)); n = 0; while t + n == 1 or z < lam * (t - 1 + n): "
        "z += K[i, i]; n += 1",
    ],
    "Each visit wins K_ii and loses λ. With the Gaussian kernel K_ii = 1, so with λ = 2 nobody is "
    "ever satisfied: that was the picture on the right, in section 5.",
    cases=visit_cases,
    solution=visits,
    misconceptions=[
        ("the bar stands still",
         "Every step makes w shorter, these too: the bar rises by λ each time.",
         visits_with(lambda lam, t, done: lam * (t - 1))),
        ("yes or no", "Once may not be enough: go on until it is satisfied.",
         visits_with(most=1)),
        ("the last visit counts too", "The visit that finds it satisfied is no violation.",
         lambda K, y, alpha, lam, i, t: visits(K, y, alpha, lam, i, t) + 1),
        ("the scale of the step after",
         "w was made by t − 1 steps, so its scale is 1/(λ(t − 1)), not 1/(λt).",
         visits_with(lambda lam, t, done: lam * (t + done), first=False)),
        ("no scale at all", "The margin is the sum divided by λ(t − 1), not the sum itself.",
         visits_with(lambda lam, t, done: 1.0)),
        ("λ is left out of the scale", "Both λ and t − 1 stand below.",
         visits_with(lambda lam, t, done: t - 1 + done)),
        ("only mistakes are counted", "A violation is a margin below 1, not below 0.",
         visits_with(content=lambda z, bar: z > 0)),
        ("a margin of 1 is a violation", FLAT_SIDE, visits_with(content=lambda z, bar: z > bar)),
        ("the labels are left out of the score", "The signed weights are α_j y_j.",
         visits_with(row_labels=False)),
        ("the label is left out of the margin",
         "The margin is y_i f(x_i): a score below 1 is right for an example of class −1.",
         visits_with(own_label=False)),
        ("the first step is lost",
         "Before the first step w = 0: its margin is 0, a violation.", visits_with(first=False)),
        ("the label in hand instead of each one's own",
         "y_i · y_i = 1, so the labels drop out; in the sum stands y_j.",
         visits_with(row_labels=False, own_label=False)),
    ],
    shapes="A row of K and alpha * y are both (n,): which product of the two is one number?",
)  # fmt: skip


# --- all of it, and its average -----------------------------------------------------------------


def training_cases(rng: Rng) -> Iterator[Case]:
    """Two steps, three steps, then orders with repetitions."""
    K, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, -1.0])
    for order in ([0, 1], [0, 1, 0], [0, 0, 0, 1]):
        yield {"K": K, "y": y, "lam": 1.0, "order": np.array(order)}
    for k in (1.0, 1.25, 0.5):  # the margin of the second step
        yield {"K": k * np.eye(2), "y": y, "lam": 1.0, "order": np.array([0, 0, 1])}
    for n, steps in 3 * ((2, 3), (3, 5), (4, 12), (5, 40)):
        yield clear_training(n, steps, rng)


def clear_training(n: int, steps: int, rng: Rng) -> Case:
    """Draw until no margin on the way is 1: on signed weights rounding would decide there."""
    while True:
        X, y, lam = some_vectors(n, 2, rng), some_labels(n, rng), float(rng.choice(LAMS))
        K, order = X @ X.T + 1, rng.integers(n, size=steps)
        before = [trained(K, y, lam, order[:t]) for t in range(1, steps)]
        margins = [y[i] * (K[i] @ coef) for i, coef in zip(order[1:], before, strict=True)]
        if not np.isclose(margins, 1).any():
            return {"K": K, "y": y, "lam": lam, "order": order}


def trained(K: FloatArray, y: FloatArray, lam: float, order: Any) -> FloatArray:
    """Return signed weights after the package's own steps on these examples."""
    alpha, sums = np.zeros((2, len(y)))
    kernel_pegasos_pass.py_func(K, y, lam, alpha, sums, np.asarray(order, dtype=int), 0)
    return alpha * y / (lam * max(len(order), 1))


def averaged(K: FloatArray, y: FloatArray, lam: float, order: Any) -> FloatArray:
    """Return the average of the weights before each step, of which the one at step t weighs t."""
    before = [trained(K, y, lam, order[:t]) for t in range(len(order))]
    return np.average(before, axis=0, weights=np.arange(1, len(order) + 1))


def average_with(
    weight: Callable[[int], float] = float,
    divide: Callable[[int], float] = lambda steps: steps * (steps + 1) / 2,
    *,
    scale: Callable[[float, int], float] = lambda lam, t: 1 / (lam * (t - 1)) if t > 1 else 0.0,
    shrink: bool = True,
    test: Callable[[float], bool] = lambda z: z < 1,
    signed: bool = True,
    after: bool = False,
    row_labels: bool = True,
    in_turn: bool = False,
) -> Callable[..., FloatArray]:
    """Return an average with other weights, or of a run with another scale, test or order."""

    def idea(K: FloatArray, y: FloatArray, lam: float, order: Any) -> FloatArray:
        alpha, fixed, total = np.zeros((3, len(y)))  # fixed: added with 1/(λt), never shrunk
        for t, i in enumerate(order, start=1):
            i = (t - 1) % len(y) if in_turn else i
            labels = y if row_labels else y[i]
            kept, factor = (alpha, scale(lam, t)) if shrink else (fixed, 1.0)
            coef = kept * factor
            violated = test(float(y[i] * (K[i] @ (kept * labels)) * factor))
            alpha[i] += violated
            fixed[i] += violated / (lam * t)
            total += weight(t) * (alpha * scale(lam, t + 1) if after else coef)
        total /= divide(len(order))
        return total * y if signed else total

    return idea


average_in_the_dual = FunctionExercise(
    "average_in_the_dual",
    "A small project: kernel Pegasos with the average that trusts late steps. Given K (n, n), "
    "y (n,), lam and order (T,), the examples to draw one after the other, take T steps from "
    "w = 0 without projection. Return the signed weights coef (n,) of the average of w_1 … w_T, "
    "in which w_t, the w that step t starts from, weighs t.",
    [
        "w_t is 1/(λ(t − 1)) Σ α_j y_j φ(x_j), with the counts before step t; w_1 = 0. Which "
        "numbers have to be averaged, then?",
        "Its signed weights α y/(λ(t − 1)). Add t times them to a total, in each step before you "
        "test.",
        "1 + 2 + … + T = T(T + 1)/2: divide the total by it at the end.",
        "for t, i in enumerate(order, start=1): coef = alpha * y / (lam * max(t - 1, 1)); "
        "total = total + t * coef; alpha[i] += y[i] * (K[i] @ coef) < 1; at the end "
        "total / (T * (T + 1) / 2)",
    ],
    "That is a complete support vector machine for any kernel, with the average of section 2. "
    "With the linear kernel it is kl.pegasos with average=\"linear\", to the last digit.",
    cases=training_cases,
    solution=averaged,
    misconceptions=[
        ("the last w", "Asked for is the average of all w_t, not where the run ends.", trained),
        ("all steps alike", "Trust what you learnt late: w_t weighs t, and all weights together "
         "T(T + 1)/2.", average_with(lambda t: 1.0, float)),
        ("divided by T", "The weights 1, 2, …, T add up to T(T + 1)/2.",
         average_with(divide=float)),
        ("not divided", "An average divides by the sum of the weights, T(T + 1)/2.",
         average_with(divide=lambda steps: 1.0)),
        ("the w after the step", "w_t is what step t starts from; w_1 = 0.",
         average_with(after=True)),
        ("t counts from 0", "The first step is t = 1, so w_t weighs t, not t − 1.",
         average_with(lambda t: t - 1.0, lambda steps: steps * (steps - 1) / 2)),
        ("counts are averaged", "coef_j = α_j y_j/(λ(t − 1)): sign and scale belong to it.",
         lambda K, y, lam, order: np.average(
             [lam * t * np.abs(trained(K, y, lam, order[:t])) for t in range(len(order))],
             axis=0, weights=np.arange(1, len(order) + 1),
         )),
        ("the labels are left out at the end", "coef_j carries the sign of y_j.",
         average_with(signed=False)),
        ("a violation weighs 1/(λt) for ever",
         "What was added in step s has been shrunk to 1/(λ(t − 1)) before step t.",
         average_with(shrink=False)),
        ("the scale of the step after",
         "Before step t the scale is 1/(λ(t − 1)): w was made by t − 1 steps.",
         average_with(scale=lambda lam, t: 1 / (lam * t))),
        ("only mistakes are counted", "A violation is a margin below 1.",
         average_with(test=lambda z: z <= 0)),
        ("a margin of 1 is a violation", FLAT_SIDE, average_with(test=lambda z: z <= 1)),
        ("the examples in turn",
         "order says whose turn it is, and may name one twice: i = order[t − 1] in step t.",
         average_with(in_turn=True)),
        ("the first step is lost",
         "At t = 1 the scale would be 1/0. Before the first step w = 0: its margin is 0, a "
         "violation.", average_with(scale=lambda lam, t: 1 / (lam * (t - 1)) if t > 1 else np.nan)),
        ("the label in hand instead of each one's own",
         "y_i · y_i = 1, so the labels drop out; in the sum stands y_j.",
         average_with(row_labels=False)),
    ],
    shapes="K[i] and alpha * y are both (n,): their dot product is one number.",
)  # fmt: skip
