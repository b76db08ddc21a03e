"""Exercises of notebook 06 on errors: what shapes do to them, and leaving one out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng
from kernellab.exercises.exercise import Case, FunctionExercise
from kernellab.lessons.ridge.exercises.effort import count_factorizations, peak_memory
from kernellab.validation import FloatArray

LAMS = (0.25, 0.5, 1.0, 2.0, 4.0)


def gram(n: int, rng: Rng) -> tuple[FloatArray, FloatArray]:
    """Draw a Gram matrix of whole numbers, not singular, and targets."""
    X = rng.integers(-2, 3, (n, n)).astype(float)
    return X @ X.T + np.eye(n), rng.integers(-4, 5, n).astype(float)


# --- shapes -------------------------------------------------------------------------------------


def error_cases(rng: Rng) -> Iterator[Case]:
    """Predictions as (n,) or as a column, and targets too: all four combinations."""
    yield {"y": np.array([1.0, 3.0]), "y_hat": np.array([1.0, 1.0])}
    yield {"y": np.array([1.0, 3.0]), "y_hat": np.array([[1.0], [3.0]])}
    yield {"y": np.array([1.0, 3.0]), "y_hat": np.array([[2.0], [1.0]])}
    for n in 3 * (2, 3, 5):
        y, y_hat = rng.integers(-4, 5, (2, n)).astype(float)
        yield {"y": y, "y_hat": y_hat[:, None]}
        yield {"y": y[:, None], "y_hat": y_hat}
        yield {"y": y, "y_hat": y_hat}
        yield {"y": y[:, None], "y_hat": y_hat[:, None]}


def flat(measure: Callable[[FloatArray, FloatArray], Any]) -> Callable[..., Any]:
    """Return a measure of two arrays of n numbers, whatever their shapes."""
    return lambda y, y_hat: measure(np.ravel(y), np.ravel(y_hat))


honest_error = FunctionExercise(
    "honest_error",
    "Find the broadcast: y and y_hat hold n numbers each, but either may come as (n,) or as a "
    "column (n, 1). Return the mean squared error, one number, right for every combination.",
    [
        "What is the shape of y - y_hat for shapes (n,) and (n, 1)? Try it with n = 3.",
        "It is (n, n): every target minus every prediction. Which shape should both have before?",
        "np.ravel makes (n,) of both, and so does .reshape(-1).",
        "np.mean((np.ravel(y) - np.ravel(y_hat)) ** 2)",
    ],
    "One column where a row was meant made a published error curve turn round, and nobody "
    "was warned: NumPy did what it promises.",
    cases=error_cases,
    solution=flat(lambda y, y_hat: np.mean((y - y_hat) ** 2)),
    misconceptions=[
        ("every target minus every prediction",
         "(n,) minus (n, 1) is (n, n): give both one shape first.",
         lambda y, y_hat: np.mean((y - y_hat) ** 2)),
        ("only the predictions are flattened",
         "y may come as a column too: then (n, 1) minus (n,) is (n, n) again.",
         lambda y, y_hat: np.mean((y - np.ravel(y_hat)) ** 2)),
        ("only the targets are flattened",
         "The predictions may be the column: then (n,) minus (n, 1) is (n, n) still.",
         lambda y, y_hat: np.mean((np.ravel(y) - y_hat) ** 2)),
        ("the mean of the diagonal",
         "The diagonal of the matrix is right where there is a matrix. Where both have one shape "
         "there is none, and np.diag makes something else: give both one shape first.",
         lambda y, y_hat: np.mean(np.diag((y - y_hat) ** 2))),
        ("the root of it", "The mean squared error is asked for, without the root.",
         flat(lambda y, y_hat: np.sqrt(np.mean((y - y_hat) ** 2)))),
        ("a sum instead of a mean",
         "Divide by n, or errors of different samples cannot be compared.",
         flat(lambda y, y_hat: np.sum((y - y_hat) ** 2))),
        ("absolute errors", "Squares are asked for.",
         flat(lambda y, y_hat: np.mean(np.abs(y - y_hat)))),
        ("the square of the mean error",
         "Square first, then take the mean: errors of both signs must not cancel.",
         flat(lambda y, y_hat: np.mean(y - y_hat) ** 2)),
        ("the variance of the errors",
         "It forgets the mean error: the mean of squares is variance plus mean error squared.",
         flat(lambda y, y_hat: np.var(y - y_hat))),
        ("sorted first", "Each target has its own prediction: sorting makes other pairs.",
         flat(lambda y, y_hat: np.mean((np.sort(y) - np.sort(y_hat)) ** 2))),
    ],
    shapes="np.ravel of any of the four gives (n,).",
)  # fmt: skip


def broadcast_cases(rng: Rng) -> Iterator[Case]:
    """A constant prediction, a perfect one, then others."""
    yield {"y": np.array([1.0, 3.0]), "y_hat": np.array([2.0, 2.0])}
    yield {"y": np.array([1.0, 3.0]), "y_hat": np.array([1.0, 3.0])}
    for n in 4 * (2, 3, 5, 8):
        y, y_hat = rng.integers(-4, 5, (2, n)).astype(float)
        yield {"y": y, "y_hat": y_hat}


def all_pairs(y: FloatArray, y_hat: FloatArray) -> Any:
    """Return the mean over all n² pairs."""
    return np.mean((y - y_hat[:, np.newaxis]) ** 2)


def too_many_pairs(answer: Callable[..., Any]) -> str | None:
    """Say so if an answer holds all n² differences, if only in single precision."""
    n = 200
    y, y_hat = np.random.default_rng(0).normal(size=(2, n))
    if peak_memory(answer, {"y": y, "y_hat": y_hat}) < 4 * n**2:
        return None
    return (
        "yours holds all n² differences at once; for n = 100 000 those are 80 GB. Four numbers, "
        "two means and two variances, say the same."
    )


broadcast_says = FunctionExercise(
    "broadcast_says",
    "What the broken error really measures: given y (n,) and y_hat (n,), return the mean of "
    "(y_j − ŷ_i)² over all n² pairs, from means and variances alone.",
    [
        "Draw j and i at random, independently. What is the expectation of (y_j − ŷ_i)²?",
        "E(a − b)² = Var(a − b) + (E a − E b)², and for independent a, b variances add.",
        "So it is Var y + Var ŷ + (mean y − mean ŷ)²: which y belongs to which ŷ is not in it.",
        "np.var(y) + np.var(y_hat) + (y.mean() - y_hat.mean()) ** 2",
    ],
    "It is smallest for a constant prediction: the more λ flattens the curve, the better this "
    "'error' looks, which is how a wrong conclusion got into print.",
    cases=broadcast_cases,
    solution=all_pairs,
    remark=too_many_pairs,
    misconceptions=[
        ("the honest error", "That pairs each y with its own ŷ; here every y meets every ŷ.",
         lambda y, y_hat: np.mean((y - y_hat) ** 2)),
        ("the means are left out",
         "If the two means differ, every pair pays for it: + (mean y − mean ŷ)².",
         lambda y, y_hat: np.var(y) + np.var(y_hat)),
        ("variances are subtracted",
         "For independent draws the variance of a difference is the sum of both.",
         lambda y, y_hat: np.var(y) - np.var(y_hat) + (y.mean() - y_hat.mean()) ** 2),
        ("variances with n − 1",
         "All n² pairs are there, so it is the plain variance: divide by n.",
         lambda y, y_hat: (
             np.var(y, ddof=1) + np.var(y_hat, ddof=1) + (y.mean() - y_hat.mean()) ** 2
         )),
        ("standard deviations are added", "Variances add, standard deviations do not.",
         lambda y, y_hat: (np.std(y) + np.std(y_hat)) ** 2 + (y.mean() - y_hat.mean()) ** 2),
        ("np.std for np.var", "Variances add up, standard deviations do not: take np.var.",
         lambda y, y_hat: np.std(y) + np.std(y_hat) + (y.mean() - y_hat.mean()) ** 2),
        ("only the targets vary", "The predictions vary too, and each meets every target: + Var ŷ.",
         lambda y, y_hat: np.var(y) + (y.mean() - y_hat.mean()) ** 2),
        ("the square of the difference is forgotten", "(mean y − mean ŷ) enters squared.",
         lambda y, y_hat: np.var(y) + np.var(y_hat) + y.mean() - y_hat.mean()),
    ],
    shapes="Variances and means are single numbers, and so is the answer.",
)  # fmt: skip


# --- leaving one out ----------------------------------------------------------------------------


def loo_cases(rng: Rng) -> Iterator[Case]:
    """Two examples first; then more."""
    yield {"K": np.eye(2), "y": np.array([2.0, 1.0]), "lam": 1.0}
    yield {"K": np.array([[2.0, 1.0], [1.0, 2.0]]), "y": np.array([3.0, 0.0]), "lam": 2.0}
    for n in 3 * (2, 3, 4, 6):
        K, y = gram(n, rng)
        yield {"K": K, "y": y, "lam": float(rng.choice(LAMS))}


def deleted(K: FloatArray, y: FloatArray, lam: float) -> FloatArray:
    """Return the leave-one-out errors by n refits."""
    errors = []
    for i in range(len(y)):
        rest = np.delete(np.arange(len(y)), i)
        coef = np.linalg.solve(K[np.ix_(rest, rest)] + lam * np.eye(len(rest)), y[rest])
        errors.append(y[i] - K[i, rest] @ coef)
    return np.array(errors)


def inverse(K: FloatArray, lam: float) -> FloatArray:
    """Return (K + λI)⁻¹."""
    return np.asarray(np.linalg.inv(K + lam * np.eye(len(K))))


def with_zeros(K: FloatArray, y: FloatArray, lam: float) -> FloatArray:
    """Return the errors of fits in which the target of one example is 0, and no example is out."""
    return np.array([y[i] - K[i] @ inverse(K, lam) @ np.where(np.arange(len(y)) == i, 0, y)
                     for i in range(len(y))])  # fmt: skip


def many_refits(answer: Callable[..., Any]) -> str | None:
    """Say so if an answer solves a system for every example."""
    n = 20
    K, y = gram(n, np.random.default_rng(0))
    solved = count_factorizations(answer, {"K": K, "y": y, "lam": 1.0})
    if solved < n:
        return None
    return (
        f"yours solved {solved} systems for {n} examples. That is right, and it is the loop that "
        "this exercise does without: one inverse is enough."
    )


leave_one_out = FunctionExercise(
    "leave_one_out",
    "n refits for the price of one: given K (n, n), y (n,) and lam, return the n errors "
    "e_i = y_i − f_{−i}(x_i), where f_{−i} was fitted without example i. The check compares with "
    "real deletion.",
    [
        "Put what f_{−i} predicts at x_i in the place of y_i, and fit all n targets. Which fit do "
        "you get?",
        "f_{−i} again: there example i costs nothing, and the others see what they saw. What is "
        "coef_i of that fit, and by how much was y_i changed?",
        "It is 0, and y_i was changed by −e_i. coef is (K + λI)⁻¹ times the targets, so it is also "
        "coef_i − e_i [(K + λI)⁻¹]_ii.",
        "G = np.linalg.inv(K + lam * np.eye(len(y))); (G @ y) / np.diag(G)",
    ],
    "Cross-validation with n folds, exact, in one line: nothing has to be held out to choose λ.",
    cases=loo_cases,
    remark=many_refits,
    solution=deleted,
    misconceptions=[
        ("the training errors",
         "y − K coef is what the fit leaves of its own examples: always too small.",
         lambda K, y, lam: y - K @ inverse(K, lam) @ y),
        ("the diagonal before inverting",
         "That leaves term i out of the sum, with weights that have already seen y_i. Divide by "
         "the diagonal of the inverse: it is not the inverse of the diagonal.",
         lambda K, y, lam: inverse(K, lam) @ y * (np.diag(K) + lam)),
        ("not divided", "coef_i is e_i times the i-th diagonal entry of the inverse: divide by it.",
         lambda K, y, lam: inverse(K, lam) @ y),
        ("multiplied instead of divided",
         "coef_i = e_i [(K + λI)⁻¹]_ii, so e_i is coef_i divided by that entry.",
         lambda K, y, lam: inverse(K, lam) @ y * np.diag(inverse(K, lam))),
        ("divided by the share of its own value",
         "With ŷ = H y it is (y_i − ŷ_i)/(1 − H_ii): what is left, not what is taken.",
         lambda K, y, lam: (y - K @ inverse(K, lam) @ y) / np.diag(K @ inverse(K, lam))),
        ("divided by the diagonal of K + λI", "It is the diagonal of the inverse.",
         lambda K, y, lam: inverse(K, lam) @ y / (np.diag(K) + lam)),
        ("y_i is set to zero",
         "An example whose target is 0 is still there, and pulls the curve to 0.", with_zeros),
        ("the other sign", "e_i is y_i minus the prediction.",
         lambda K, y, lam: -deleted(K, y, lam)),
        ("the predictions", "These are f_{−i}(x_i); the errors are y_i minus them.",
         lambda K, y, lam: y - deleted(K, y, lam)),
        ("λ is left out of the inverse", "The fits without one example have the same λ.",
         lambda K, y, lam: inverse(K, 0.0) @ y / np.diag(inverse(K, 0.0))),
        ("squares", "The errors themselves are asked for, with their signs.",
         lambda K, y, lam: deleted(K, y, lam) ** 2),
    ],
    shapes="np.diag(G) is (n,), as G @ y is: divide entry by entry.",
)  # fmt: skip


# --- choosing λ ---------------------------------------------------------------------------------


def choose_cases(rng: Rng) -> Iterator[Case]:
    """A few λ in any order, on noisy curves."""
    K = np.array([[2.0, 1.0], [1.0, 2.0]])
    yield {"K": K, "y": np.array([3.0, 1.0]), "lams": np.array([1.0, 0.25])}
    for n in 4 * (3, 4, 6, 9):
        x = np.sort(rng.uniform(0, 3, n))
        y = (np.sin(2 * x) + rng.normal(size=n) * rng.choice([0.1, 0.5, 1.0])).round(2)
        lams = rng.permutation([0.01, 0.1, 0.5, 1.0, 3.0, 10.0])
        yield {"K": np.exp(-2 * (x[:, None] - x) ** 2), "y": y, "lams": lams}


def choose_with(
    errors: Callable[[FloatArray, FloatArray, float], FloatArray] = deleted,
    *,
    measure: Callable[[FloatArray], Any] = lambda e: np.mean(e**2),
    index: bool = False,
    worst: bool = False,
) -> Callable[..., Any]:
    """Return a choice by other errors, another measure, or of something else."""

    def idea(K: FloatArray, y: FloatArray, lams: FloatArray) -> Any:
        values = [measure(errors(K, y, lam)) for lam in lams]
        best = int(np.argmax(values) if worst else np.argmin(values))
        return best if index else lams[best]

    return idea


def sorted_only_once(K: FloatArray, y: FloatArray, lams: FloatArray) -> Any:
    """Return the entry of the sorted lams at the place of the best unsorted one."""
    return np.sort(lams)[choose_with(index=True)(K, y, lams)]


choose_lam = FunctionExercise(
    "choose_lam",
    "A small project: choose λ. Given K (n, n), y (n,) and lams (m,), return the λ among them "
    "whose mean squared leave-one-out error is smallest.",
    [
        "leave_one_out gives n errors for one λ. What number judges a λ?",
        "Their mean square. Collect one for each λ; which NumPy function finds the place?",
        "np.argmin finds the index; asked for is the λ there.",
        "lams[np.argmin([np.mean(leave_one_out(K, y, lam) ** 2) for lam in lams])]",
    ],
    "This is the whole of model selection for one number, with no data held out. If the best is "
    "at the edge of the grid, the grid was wrong: look.",
    cases=choose_cases,
    solution=choose_with(),
    misconceptions=[
        ("by the training error",
         "It always prefers the smallest λ: judge by errors on examples that were left out.",
         choose_with(lambda K, y, lam: y - K @ inverse(K, lam) @ y)),
        ("the index instead of the λ", "argmin says where; return lams at that place.",
         choose_with(index=True)),
        ("the worst instead of the best", "The smallest error is the best.",
         choose_with(worst=True)),
        ("by the mean of the errors", "Errors of both signs cancel: square them first.",
         choose_with(measure=lambda e: np.abs(np.mean(e)))),
        ("by the mean of absolute errors",
         "Asked for is the mean of squares, which minds large errors more.",
         choose_with(measure=lambda e: np.mean(np.abs(e)))),
        ("by the largest error", "One bad example decides then; asked for is the mean square.",
         choose_with(measure=lambda e: np.max(np.abs(e)))),
        ("by the length of the coefficients", "That always prefers the largest λ.",
         choose_with(lambda K, y, lam: inverse(K, lam) @ y)),
        ("the index belongs to another order",
         "The errors and the lams must be in one order: if you sort one, sort both.",
         sorted_only_once),
        ("the error instead of the λ",
         "The smallest error itself is not asked for, but the λ that has it.",
         lambda K, y, lams: min(np.mean(deleted(K, y, lam) ** 2) for lam in lams)),
    ],
    shapes="The answer is one number, an entry of lams.",
)  # fmt: skip
