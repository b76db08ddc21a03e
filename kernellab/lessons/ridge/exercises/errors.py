"""Exercises of notebook 06 on errors: what shapes do to them, and leaving examples out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng
from kernellab.exercises.exercise import Case, FunctionExercise
from kernellab.lessons.ridge.exercises.effort import peak_memory
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
    "One column where a row was meant has turned round the error curve of a published notebook: "
    "see 09 · The museum of mistakes, exhibit 4. NumPy warned nobody: it did what it promises.",
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
    "It is smallest for a constant prediction, so the more λ flattens the curve, the better this "
    "'error' looks. Who trusts it chooses a λ that is far too large.",
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


# --- leaving folds out ---------------------------------------------------------------------------


def fold_cases(rng: Rng) -> Iterator[Case]:
    """Two examples, each its own fold; two together; then more."""
    K, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([3.0, 0.0])
    yield {"K": K, "y": y, "lam": 2.0, "fold": np.array([0, 1])}
    K, y = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]]), np.array([3.0, 0.0, 1.0])
    yield {"K": K, "y": y, "lam": 2.0, "fold": np.array([0, 0, 1])}
    for n, k in 3 * ((3, 2), (4, 2), (5, 2), (6, 3)):
        K, y = gram(n, rng)
        fold = rng.permutation(np.arange(n) % k)
        yield {"K": K, "y": y, "lam": float(rng.choice(LAMS)), "fold": fold}


def deleted(K: FloatArray, y: FloatArray, lam: float, fold: Any = None) -> FloatArray:
    """Return the errors on each fold of a fit without it; without fold, each example is one."""
    errors = np.empty(len(y))
    fold = np.arange(len(y)) if fold is None else fold
    for out in (fold == one for one in np.unique(fold)):
        A = K[~out][:, ~out] + lam * np.eye(np.sum(~out))
        errors[out] = y[out] - K[out][:, ~out] @ np.linalg.solve(A, y[~out])
    return errors


def inverse(K: FloatArray, lam: float) -> FloatArray:
    """Return (K + λI)⁻¹."""
    return np.asarray(np.linalg.inv(K + lam * np.eye(len(K))))


def fold_by_fold(
    block: Callable[[FloatArray, FloatArray], FloatArray],
    matrix: Callable[[FloatArray, float], FloatArray] = inverse,
) -> Callable[..., FloatArray]:
    """Return errors made for each fold from a block of a matrix, and the coef of the fold."""

    def idea(K: FloatArray, y: FloatArray, lam: float, fold: FloatArray) -> FloatArray:
        errors, coef, G = np.empty(len(y)), inverse(K, lam) @ y, matrix(K, lam)
        for out in (fold == one for one in np.unique(fold)):
            errors[out] = block(G[out][:, out], coef[out])
        return errors

    return idea


def mean_square(e: FloatArray) -> Any:
    """Return the mean of the squares."""
    return np.mean(e**2)


def training(measure: Callable[[FloatArray], Any]) -> Callable[..., Any]:
    """Return something of the errors on the examples that the fit knew."""
    return lambda K, y, lam, fold=None: measure(y - K @ inverse(K, lam) @ y)


def with_zeros(K: FloatArray, y: FloatArray, lam: float, fold: FloatArray) -> FloatArray:
    """Return the errors of fits in which the targets of a fold are 0, and no example is out."""
    return np.array([y[i] - K[i] @ inverse(K, lam) @ np.where(fold == fold[i], 0, y)
                     for i in range(len(y))])  # fmt: skip


leave_folds_out = FunctionExercise(
    "leave_folds_out",
    "Cross-validation from one inverse: given K (n, n), y (n,), lam and fold (n,), the number of "
    "the fold of each example, return n errors: y_i minus what a fit without the whole fold of i "
    "says at x_i. The check compares with real deletion.",
    [
        "Put what the fit without fold B predicts in the place of y_B, and fit all n targets. "
        "Which fit do you get, and what are its coef on B?",
        "The same fit again, so they are 0. By how much was y_B changed, and what did that do to "
        "coef_B?",
        "y_B was changed by −e_B, so coef_B − G_BB e_B = 0. G_BB is a matrix: solve.",
        "for each one in np.unique(fold): B = fold == one; "
        "errors[B] = np.linalg.solve(G[B][:, B], coef[B])",
    ],
    "n folds, five, or two: one inverse, and a small system for each fold.",
    cases=fold_cases,
    solution=deleted,
    misconceptions=[
        ("each example alone",
         "coef_i / G_ii leaves out example i alone; the rest of its fold is still in the fit. For "
         "a fold, G_BB is a matrix.",
         lambda K, y, lam, fold: inverse(K, lam) @ y / np.diag(inverse(K, lam))),
        *(("the training errors",
           "y − K coef is what the fit leaves of its own examples, which it knew: leave them out.",
           training(measure)) for measure in (np.asarray, np.square, mean_square)),
        ("the block before inverting", "It is the block of the inverse, not of K + λI.",
         fold_by_fold(lambda A, coef: A @ coef, lambda K, lam: K + lam * np.eye(len(K)))),
        ("not divided", "coef_B is G_BB times e_B: solve for e_B.",
         lambda K, y, lam, fold: inverse(K, lam) @ y),
        ("multiplied instead of solved", "coef_B = G_BB e_B is an equation for e_B: solve it.",
         fold_by_fold(lambda G, coef: G @ coef)),
        ("only the diagonal of the block", "The examples of a fold are coupled: all of G_BB.",
         fold_by_fold(lambda G, coef: coef * np.diag(G))),
        ("the targets of the fold are set to zero",
         "An example whose target is 0 is still there, and pulls the curve to 0.", with_zeros),
        ("the other sign", "e_i is y_i minus the prediction.",
         lambda K, y, lam, fold: -deleted(K, y, lam, fold)),
        ("the predictions", "These are the predictions; the errors are y_i minus them.",
         lambda K, y, lam, fold: y - deleted(K, y, lam, fold)),
        ("λ is left out of the inverse", "The fits without a fold have the same λ.",
         lambda K, y, lam, fold: deleted(K, y, 0.0, fold)),
        ("squares", "The errors themselves are asked for, with their signs.",
         lambda K, y, lam, fold: deleted(K, y, lam, fold) ** 2),
        ("one number for all", "The n errors themselves are asked for, one per example.",
         lambda K, y, lam, fold: mean_square(deleted(K, y, lam, fold))),
    ],
    shapes="With B = fold == one, G[B][:, B] is (b, b) and coef[B] is (b,).",
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
    measure: Callable[[FloatArray], Any] = mean_square,
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
    "Choose λ. Given K (n, n), y (n,) and lams (m,), return the λ among them "
    "whose mean squared leave-one-out error is smallest.",
    [
        "coef_i / G_ii are the n errors for one λ. What number judges a λ?",
        "Their mean square. Collect one for each λ; which NumPy function finds the place?",
        "np.argmin finds the index; asked for is the λ there.",
        "errors.append(np.mean((G @ y / np.diag(G)) ** 2)) for each λ; lams[np.argmin(errors)]",
    ],
    "This is the whole of model selection for one number, with no data held out. If the best is "
    "at the edge of the list, the list was too short: look.",
    cases=choose_cases,
    solution=choose_with(),
    misconceptions=[
        ("by the training error",
         "It always prefers the smallest λ: judge by errors on examples that were left out, "
         "coef_i / G_ii.",
         choose_with(training(np.asarray))),
        ("the index instead of the λ", "argmin says where; return lams at that place.",
         choose_with(index=True)),
        ("the worst instead of the best", "The smallest error is the best.",
         choose_with(worst=True)),
        ("by the mean of the errors", "Errors of both signs cancel: square them first.",
         choose_with(measure=lambda e: np.abs(np.mean(e)))),
        ("by the errors with their signs",
         "A very negative error is no good one: square the errors first.",
         choose_with(measure=np.mean)),
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
         lambda K, y, lams: min(mean_square(deleted(K, y, lam)) for lam in lams)),
        ("the training error instead of the λ",
         "That is an error, and of examples that the fit knew. Asked for is the λ with the "
         "smallest leave-one-out error.",
         lambda K, y, lams: min(training(mean_square)(K, y, lam) for lam in lams)),
    ],
    shapes="The answer is one number, an entry of lams.",
)  # fmt: skip
