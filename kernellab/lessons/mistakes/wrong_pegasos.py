"""Wrong code for Pegasos as it is found in print, and for each mistake a check that catches it.

Nothing else in the package uses these functions, except the figures that show what they do. A
check takes a function, tries it on small random data, and returns what is wrong in words: an empty
string if it finds nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from kernellab.compiled import compiled
from kernellab.kernels import Gaussian
from kernellab.solvers.linear import dual_coordinate_descent
from kernellab.solvers.pegasos import kernel_pegasos, pegasos
from kernellab.solving import Order, solve
from kernellab.validation import FloatArray

Matrix = FloatArray
Vector = FloatArray
Fit = Callable[[Matrix, Vector, float, Order], Vector]
BatchFit = Callable[[Matrix, Vector, float, Order, int], Vector]


# --- kernel Pegasos: counts or signed weights, and what comes of them -----------------------------


@compiled
def printed_pass(
    K: Matrix, y: Vector, lam: float, alpha: Vector, order: Order, t: int, late: bool, own: bool
) -> None:
    """Count violations after t steps, with two mistakes that are switched on and off.

    `late`: the factor is 1/(λt) where it should be 1/(λ(t − 1)). `own`: the sum has the label of i
    where it should have those of all j.
    """
    for i in order:
        t += 1
        factor = 1 / (lam * t) if late else 1 / (lam * max(t - 1, 1))
        signs = np.full(len(y), y[i]) if own else y
        if y[i] * factor * ((alpha * signs) @ K[i]) < 1:
            alpha[i] += 1


def with_late_factor(K: Matrix, y: Vector, lam: float, order: Order) -> Vector:
    """Return signed weights of the printed pseudocode with its 1/(λt), its labels put right."""
    alpha = np.zeros(len(y))
    printed_pass(K, y, lam, alpha, order, 0, True, False)
    return alpha * y / (lam * len(order))


def as_printed(K: Matrix, y: Vector, lam: float, order: Order) -> Vector:
    """Return signed weights of the printed pseudocode, letter by letter."""
    alpha = np.zeros(len(y))
    printed_pass(K, y, lam, alpha, order, 0, True, True)
    return alpha * y / (lam * len(order))


@compiled
def never_shrunk_pass(
    K: Matrix, y: Vector, lam: float, coef: Vector, scores: Vector, order: Order, t: int
) -> None:
    """Add y_i/(λt) at a violation, and leave it there for ever: the factor 1 − 1/t is missing."""
    for i in order:
        t += 1
        if y[i] * scores[i] < 1:
            coef[i] += y[i] / (lam * t)
            scores += y[i] / (lam * t) * K[i]


def never_shrunk(K: Matrix, y: Vector, lam: float, order: Order) -> Vector:
    """Return the signed weights α_t = 1/(λt), fixed when they are added and never rescaled."""
    coef, scores = np.zeros((2, len(y)))
    never_shrunk_pass(K, y, lam, coef, scores, order, 0)
    return coef


def counts_done_right(K: Matrix, y: Vector, lam: float, order: Order) -> Vector:
    """Return the signed weights of `kernel_pegasos`."""
    *_, last = kernel_pegasos(K, y, lam, orders=[order])
    return np.array(last.coef)


def check_kernel_form(fit: Fit) -> str:
    """With the linear kernel, Σ coef_j x_j must be the w of the primal after the same steps."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 3)), np.repeat([-1.0, 1.0], 10)
    order = rng.integers(0, 20, 200)
    *_, primal = pegasos(X, y, 0.05, orders=[order])
    off = np.abs(fit(X @ X.T, y, 0.05, order) @ X - primal.w).max()
    return "" if off < 1e-9 else f"w differs from the primal's by {off:.2g}"


# --- mini-batches ---------------------------------------------------------------------------------


def batch_in_a_row(X: Matrix, y: Vector, lam: float, order: Order, k: int) -> Vector:
    """Return w of "mini-batch" steps that take one example after another, never divided by k."""
    w = np.zeros(X.shape[1])
    for t, first in enumerate(range(0, len(order), k), 1):
        for i in order[first : first + k]:
            violation = y[i] * (X[i] @ w) < 1
            w *= 1 - 1 / t
            if violation:
                w += y[i] / (lam * t) * X[i]
    return w


def batch_done_right(X: Matrix, y: Vector, lam: float, order: Order, k: int) -> Vector:
    """Return w of `pegasos`: one subgradient a batch, the mean over its k examples."""
    *_, last = pegasos(X, y, lam, orders=[order], batch_size=k)
    return np.array(last.w)


def check_batches(fit: BatchFit) -> str:
    """A batch of k copies of an example must make the step of that one example."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(10, 3)), np.repeat([-1.0, 1.0], 5)
    order = rng.integers(0, 10, 40)
    one = fit(X, y, 0.1, order, 1)
    four = fit(X, y, 0.1, np.repeat(order, 4), 4)
    off = np.abs(one - four).max() / np.abs(one).max()
    return "" if off < 1e-9 else f"4 copies in a batch change w by {off:.0%}"


# --- the kernel, the accuracy, C and λ ------------------------------------------------------------


def distance_not_squared(X: Matrix, Z: Matrix, gamma: float) -> Matrix:
    """Return exp(−γ‖x − z‖) under the name Gaussian."""
    differences = X[:, np.newaxis] - Z[np.newaxis]
    return np.asarray(np.exp(-gamma * np.sqrt((differences**2).sum(axis=2))))


def gaussian_done_right(X: Matrix, Z: Matrix, gamma: float) -> Matrix:
    """Return exp(−γ‖x − z‖²)."""
    return Gaussian(gamma)(X, Z)


def check_gaussian(gram: Callable[[Matrix, Matrix, float], Matrix]) -> str:
    """At twice the distance, ln k must be four times as large."""
    X = np.random.default_rng(2).normal(size=(5, 2))
    zero = np.zeros((1, 2))
    ratio = float(np.median(np.log(gram(2 * X, zero, 0.7)) / np.log(gram(X, zero, 0.7))))
    return "" if abs(ratio - 4) < 1e-9 else f"ln k grows {ratio:.3g}-fold, not 4-fold"


def mean_of_signs(scores: Vector, y: Vector) -> float:
    """Return mean(sign(y f)) under the name accuracy."""
    return float(np.mean(np.sign(y * scores)))


def share_of_right(scores: Vector, y: Vector) -> float:
    """Return the share of examples with y f > 0."""
    return float(np.mean(y * scores > 0))


def check_accuracy(accuracy: Callable[[Vector, Vector], float]) -> str:
    """Of ten examples with three right, the accuracy must be 0.3."""
    y = np.repeat([-1.0, 1.0], 5)
    scores = np.where(np.arange(10) < 3, y, -y)
    said = accuracy(scores, y)
    return "" if abs(said - 0.3) < 1e-12 else f"3 of 10 right, and it says {said:.2g}"


def one_over_lam(lam: float, n: int) -> float:
    """Return C = 1/λ."""
    return 1 / lam


def one_over_lam_n(lam: float, n: int) -> float:
    """Return C = 1/(λn)."""
    return 1 / (lam * n)


def check_cost(cost: Callable[[float, int], float]) -> str:
    """If every example is there twice, the same λ must give the same w."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(30, 3)), np.repeat([-1.0, 1.0], 15)
    ws = [
        solve(dual_coordinate_descent(A, b, cost(5.0, len(b))), gap=1e-9, max_passes=10_000).w
        for A, b in ((X, y), (np.vstack([X, X]), np.concatenate([y, y])))
    ]
    off = np.abs(ws[0] - ws[1]).max() / np.abs(ws[0]).max()
    return "" if off < 1e-3 else f"copies of all examples change w by {off:.0%}"


# --- choosing on test data ------------------------------------------------------------------------


def chosen_on_the_test(wrong: FloatArray) -> float:
    """Return the lowest of all test errors; `wrong` has 0 and 1, shape (n_models, n_test)."""
    return float(wrong.mean(axis=1).min())


def chosen_before_the_test(wrong: FloatArray) -> float:
    """Choose on the first half of the examples, and return the error on the other half."""
    half = wrong.shape[1] // 2
    chosen = wrong[:, :half].mean(axis=1).argmin()
    return float(wrong[chosen, half:].mean())


def check_choice(protocol: Callable[[FloatArray], float]) -> str:
    """Of models that guess, the error that is reported must be 50 %, on average."""
    rng = np.random.default_rng(4)
    said = np.mean([protocol(rng.integers(0, 2, (52, 200)).astype(float)) for _ in range(200)])
    return "" if abs(said - 0.5) < 0.02 else f"52 models that guess, and it says {said:.0%} error"


# --- all of them ----------------------------------------------------------------------------------


class Mistake(NamedTuple):
    """A mistake: what it is called, the wrong and the right code, and the check that tells them."""

    name: str
    wrong: Any
    right: Any
    check: Any


MISTAKES = (
    Mistake("α = 1/(λt), never rescaled", never_shrunk, counts_done_right, check_kernel_form),
    Mistake("1/(λt) for 1/(λ(t − 1))", with_late_factor, counts_done_right, check_kernel_form),
    Mistake("… and y_i for y_j", as_printed, counts_done_right, check_kernel_form),
    Mistake("batch never divided by k", batch_in_a_row, batch_done_right, check_batches),
    Mistake("‖x − z‖ not squared", distance_not_squared, gaussian_done_right, check_gaussian),
    Mistake("mean(sign(y f)) as accuracy", mean_of_signs, share_of_right, check_accuracy),
    Mistake("C = 1/λ, without n", one_over_lam, one_over_lam_n, check_cost),
    Mistake("chosen on the test", chosen_on_the_test, chosen_before_the_test, check_choice),
)


# --- breaking it ----------------------------------------------------------------------------------
