"""More exercises of notebook 04: kernel Pegasos on counts, one step and the whole run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng, some_labels, some_vectors
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


# --- counts of violations -----------------------------------------------------------------------


def alpha_cases(rng: Rng) -> Iterator[Case]:
    """The first step; a margin of exactly 1 in the second; then counts that fit t."""
    K, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, -1.0])
    for i in (0, 1):
        yield {"K": K, "y": y, "alpha": np.zeros(2), "lam": 1.0, "i": i, "t": 1}
    yield {"K": K, "y": y, "alpha": np.array([1.0, 0.0]), "lam": 1.0, "i": 1, "t": 2}
    for k, count, lam, t in AROUND_ONE:
        alpha = np.array([count, 0.0])
        yield {"K": k * np.eye(2), "y": y, "alpha": alpha, "lam": lam, "i": 0, "t": t}
    for n, t in 4 * ((2, 2), (3, 5), (3, 9), (4, 17), (5, 3)):  # t − 1 is exact in binary too
        X = some_vectors(n, 2, rng)
        yield {
            "K": X @ X.T, "y": some_labels(n, rng), "alpha": counts_after(n, t - 1, rng),
            "lam": float(rng.choice(LAMS)), "i": int(rng.integers(n)), "t": t,
        }  # fmt: skip


def counts_after(n: int, steps: int, rng: Rng) -> FloatArray:
    """Draw how often each of n examples violated the margin in so many steps."""
    return np.bincount(rng.integers(n, size=rng.integers(1, steps + 1)), minlength=n).astype(float)


def counted(K: FloatArray, y: FloatArray, alpha: FloatArray, lam: float, i: int, t: int) -> Any:
    """Return α after the package's own step on example i."""
    alpha = alpha.copy()
    kernel_pegasos_pass.py_func(K, y, lam, alpha, K @ (alpha * y), np.array([i]), int(t) - 1)
    return alpha


def count_with(
    scale: Callable[[float, int], float] = lambda lam, t: 1 / (lam * (t - 1)) if t > 1 else 0.0,
    *,
    test: Callable[[float], bool] = lambda z: z < 1,
    row_labels: bool = True,
    own_label: bool = True,
    add: Callable[[float], float] = lambda label: 1.0,
    shrink: bool = False,
) -> Callable[..., FloatArray]:
    """Return an update with another scale, test, label or count."""

    def idea(K: FloatArray, y: FloatArray, alpha: FloatArray, lam: float, i: Any, t: int) -> Any:
        f = scale(lam, t) * float(K[i] @ (alpha * y if row_labels else alpha))
        alpha = alpha * (1 - 1 / t) if shrink else alpha.copy()
        alpha[i] += add(float(y[i])) * test((y[i] if own_label else 1.0) * f)
        return alpha

    return idea


alpha_update = FunctionExercise(
    "alpha_update",
    "Step t of Pegasos without vectors: given K (n, n), y (n,), alpha (n,), the number of times "
    "each example has violated its margin so far, lam, i and t = 1, 2, …, return the new alpha. "
    "Before step t, w = 1/(λ(t − 1)) Σ α_j y_j φ(x_j); before the first, w = 0.",
    [
        "Write w after two steps. What have all its terms in common?",
        "Each was added with 1/(λs) and shrunk since to 1/(λ(t − 1)): one factor for all.",
        "f(x_i) = 1/(λ(t − 1)) Σ_j α_j y_j K_ij; at t = 1 it is 0. A violation is y_i f(x_i) < 1.",
        "f = K[i] @ (alpha * y) / (lam * (t - 1)) if t > 1 else 0; copy alpha, and add 1 to entry "
        "i if y[i] * f < 1.",
    ],
    "It is the dual perceptron with a margin and a scale: only the comparison has changed.",
    cases=alpha_cases,
    solution=counted,
    misconceptions=[
        ("the scale of the step after",
         "w was made by t − 1 steps, so its scale is 1/(λ(t − 1)), not 1/(λt).",
         count_with(lambda lam, t: 1 / (lam * t))),
        ("no scale at all",
         "Without 1/(λ(t − 1)) the scores grow with the counts, and all margins are soon above 1: "
         "a perceptron with margin 1.", count_with(lambda lam, t: 1.0)),
        ("the scale never falls", "Old violations fade: 1/(λ(t − 1)), not 1/λ.",
         count_with(lambda lam, t: 1 / lam if t > 1 else 0.0)),
        ("λ is left out of the scale",
         "w = 1/(λ(t − 1)) Σ α_j y_j φ(x_j): both λ and t − 1 stand below.",
         count_with(lambda lam, t: 1 / (t - 1) if t > 1 else 0.0)),
        ("only mistakes are counted", "A violation is a margin below 1, not below 0.",
         count_with(test=lambda z: z <= 0)),
        ("a margin of 1 is a violation", FLAT_SIDE, count_with(test=lambda z: z <= 1)),
        ("the labels are left out of the score", "The signed weights are α_j y_j.",
         count_with(row_labels=False)),
        ("the label is left out of the margin",
         "The margin is y_i f(x_i): a score below 1 is right for an example of class −1.",
         count_with(own_label=False)),
        ("α carries the sign of the label",
         "α_i counts, so it is never negative; the sign is in y_i.",
         count_with(add=lambda label: label)),
        ("the counts shrink",
         "Counts stay counts: all the shrinking is in the factor 1/(λ(t − 1)).",
         count_with(shrink=True)),
        ("the first step is lost",
         "At t = 1 the scale would be 1/0. Before the first step w = 0: its margin is 0, a "
         "violation.", count_with(lambda lam, t: 1 / (lam * (t - 1)) if t > 1 else np.nan)),
        ("the label in hand instead of each one's own",
         "y_i · y_i = 1, so the labels drop out; in the sum stands y_j.",
         count_with(row_labels=False, own_label=False)),
        ("all examples are tested", "Step t is about example i alone: only α_i may change.",
         lambda K, y, alpha, lam, i, t: (
             alpha + (y * (K @ (alpha * y)) < lam * (t - 1)) if t > 1 else alpha + 1
         )),
    ],
    shapes="A row of K and alpha * y are both (n,): which product of the two is one number?",
)  # fmt: skip


# --- all of it ----------------------------------------------------------------------------------


def training_cases(rng: Rng) -> Iterator[Case]:
    """One step, two steps, then orders with repetitions."""
    K, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, -1.0])
    for order in ([0], [0, 1], [0, 0, 0, 1]):
        yield {"K": K, "y": y, "lam": 1.0, "order": np.array(order)}
    for k in (1.0, 1.25, 0.5):  # the margin of the second step
        yield {"K": k * np.eye(2), "y": y, "lam": 1.0, "order": np.array([0, 0])}
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
    return alpha * y / (lam * len(order))


def train_with(
    *,
    scale: Callable[[float, int], float] = lambda lam, t: 1 / (lam * (t - 1)) if t > 1 else 0.0,
    end: Callable[[float, int], float] = lambda lam, steps: 1 / (lam * steps),
    shrink: bool = True,
    test: Callable[[float], bool] = lambda z: z < 1,
    signed: bool = True,
    stale: bool = False,
    row_labels: bool = True,
    in_turn: bool = False,
) -> Callable[..., FloatArray]:
    """Return a training with another scale before a step, or at the end."""

    def idea(K: FloatArray, y: FloatArray, lam: float, order: Any) -> FloatArray:
        alpha = np.zeros(len(y))
        scores = np.zeros(len(y))
        fixed = np.zeros(len(y))  # what is added with 1/(λt) and never shrunk
        for t, i in enumerate(order, start=1):
            i = (t - 1) % len(y) if in_turn else i
            if not stale or t == 1:
                labels = y if row_labels else y[i]
                scores = K @ (alpha * labels) * scale(lam, t) if shrink else K @ (fixed * y)
            violated = test(float(y[i] * scores[i]))
            alpha[i] += violated
            fixed[i] += violated / (lam * t)
        coef = alpha * end(lam, len(order)) if shrink else fixed
        return coef * y if signed else coef

    return idea


train_in_the_dual = FunctionExercise(
    "train_in_the_dual",
    "A small project: kernel Pegasos. Given K (n, n), y (n,), lam and order (T,), the examples to "
    "draw one after the other, take T steps from w = 0 without projection and return the signed "
    "weights coef (n,) of the end, so that f(x) = Σ coef_j k(x_j, x).",
    [
        "alpha_update is the inside of the loop. Which t belongs to order[0]?",
        "enumerate(order, start=1) counts the steps. After T of them, what is the scale of w?",
        "w = 1/(λT) Σ α_j y_j φ(x_j) after step T: the signed weights are α y/(λT).",
        "for t, i in enumerate(order, start=1): alpha = alpha_update(K, y, alpha, lam, i, t); "
        "then return alpha * y / (lam * len(order))",
    ],
    "That is a complete support vector machine for any kernel. With the linear kernel it makes "
    "the same steps as one_step, to the last digit.",
    cases=training_cases,
    solution=trained,
    misconceptions=[
        ("counts are returned", "coef_j = α_j y_j/(λT): sign and scale belong to it.",
         train_with(end=lambda lam, steps: 1.0, signed=False)),
        ("the scale is left out at the end", "After T steps w = 1/(λT) Σ α_j y_j φ(x_j).",
         train_with(end=lambda lam, steps: 1.0)),
        ("the scale before the last step",
         "After T steps the scale is 1/(λT); 1/(λ(T − 1)) was that before the last one.",
         train_with(end=lambda lam, steps: np.float64(1) / (lam * (steps - 1)))),
        ("the labels are left out at the end", "coef_j carries the sign of y_j.",
         train_with(signed=False)),
        ("a violation weighs 1/(λt) for ever",
         "What was added in step s has since been shrunk to 1/(λT).",
         train_with(shrink=False)),
        ("the scale of the step after",
         "Before step t the scale is 1/(λ(t − 1)): w was made by t − 1 steps.",
         train_with(scale=lambda lam, t: 1 / (lam * t))),
        ("only mistakes are counted", "A violation is a margin below 1.",
         train_with(test=lambda z: z <= 0)),
        ("a margin of 1 is a violation", FLAT_SIDE, train_with(test=lambda z: z <= 1)),
        ("scores are computed once",
         "Every violation changes the scores of all examples: compute f(x_i) in each step.",
         train_with(stale=True)),
        ("the examples in turn",
         "order says whose turn it is, and may name one twice: i = order[t − 1] in step t.",
         train_with(in_turn=True)),
        ("the first step is lost",
         "At t = 1 the scale would be 1/0. Before the first step w = 0: its margin is 0, a "
         "violation.", train_with(scale=lambda lam, t: 1 / (lam * (t - 1)) if t > 1 else np.nan)),
        ("the label in hand instead of each one's own",
         "y_i · y_i = 1, so the labels drop out; in the sum stands y_j.",
         train_with(row_labels=False)),
        ("divided by n instead of T", "T, the number of steps, is the length of order.",
         lambda K, y, lam, order: trained(K, y, lam, order) * len(order) / len(y)),
    ],
    shapes="K[i] and alpha * y are both (n,): their dot product is one number.",
)  # fmt: skip
