"""Exercises of notebook 03 on features: of a kernel, of a product of kernels, of the Gaussian."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import factorial
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng, some_directions
from kernellab.exercises.exercise import (
    Case,
    FunctionExercise,
    Numbers,
    as_numbers,
    close,
    compare,
    number_words,
)
from kernellab.kernels.features import polynomial_map
from kernellab.validation import FloatArray

# --- features of a kernel, and of a product of kernels --------------------------------------------


def judge_features(kernel: Callable[..., FloatArray]) -> Callable[[Case, Any], str | None]:
    """Return a judge of features: only their dot products are asked for, not their order."""

    def judge(case: Case, value: Any) -> str | None:
        right, features = kernel(**case), as_numbers(value)
        if features is None or features.ndim != 2 or len(features) != len(right):
            shape = "" if features is None else f", shape {features.shape}"
            words = f"expected one row of features an example, shape ({len(right)}, m)"
            return f"{words}\nyours    {number_words(value)}{shape}"
        complaint = compare(right, features @ features.T)
        if complaint is None:
            return None
        words = complaint.replace("expected", "expected dot products", 1)
        return words.replace("yours   ", "dot products of your features", 1)

    return judge


def alike_as_features(first: Numbers, second: Numbers) -> bool:
    """Say whether two sets of features have the same dot products."""
    if first is None or second is None or first.ndim != 2 or second.ndim != 2:
        return False
    return close(first @ first.T, second @ second.T)


def map_cases(rng: Rng) -> Iterator[Case]:
    """The axes first, where the cross term hides; then anything."""
    for x in ([1.0, 0.0], [0.0, 1.0], [1.0, 1.0]):
        yield {"X": np.array([x])}
    yield {"X": np.array([[1.0, 1.0], [1.0, -1.0]])}
    for n in 2 * (2, 3, 4, 5):
        yield {"X": some_directions(n, 2, rng)}


def six(
    square: float = 1.0, cross: float = 2**0.5, line: float = 2.0, constant: float = 2.0
) -> Callable[..., FloatArray]:
    """Return a map with features x₁², x₂², x₁x₂, x₁, x₂ and 1, each times a number."""

    def idea(X: FloatArray) -> FloatArray:
        x1, x2 = X.T
        one = np.ones(len(X))
        squares = [square * x1**2, square * x2**2]
        return np.column_stack([*squares, cross * x1 * x2, line * x1, line * x2, constant * one])

    return idea


map_of_kernel = FunctionExercise(
    "map_of_kernel",
    "Which features has (x·z + 2)²? Given X (n, 2), return the features φ(x) of each row, shape "
    "(n, m), so that φ(x)·φ(z) = (x·z + 2)² for all x and z. Their order is yours.",
    [
        "Multiply (x₁z₁ + x₂z₂ + 2)² out. How many kinds of terms are there?",
        "x₁²z₁² is x₁² times z₁². Which number times x₁x₂ gives 2 x₁x₂z₁z₂?",
        "4 x₁z₁ = (2x₁)(2z₁), and the constant 4 = 2 · 2.",
        "x₁², x₂², √2 x₁x₂, 2x₁, 2x₂, 2.",
    ],
    "Six features, and a kernel that never writes them down. The offset decides how much the lower "
    "degrees count. The other way round: (1, x, ½x²) gives 1 + xz + ¼x²z² = ¼(xz + 2)².",
    cases=map_cases,
    solution=lambda X: polynomial_map(X, 2, 2.0),
    judge=judge_features(lambda X: (X @ X.T + 2) ** 2),
    alike=alike_as_features,
    misconceptions=[
        ("the missing √2", "The cross term appears twice in the square, so x₁x₂ needs a factor √2.",
         six(cross=1.0)),
        ("the missing cross term",
         "(a + b)² is not a² + b²: on the axes nobody notices, elsewhere 2 x₁x₂z₁z₂ is missing.",
         six(cross=0.0)),
        ("2 instead of √2", "The factor is squared in the dot product: it must give 2 x₁x₂z₁z₂.",
         six(cross=2.0)),
        ("the features of (x·z + 1)²",
         "Those are in the lesson. With 2 in place of 1 the linear terms are 4 x₁z₁, and the "
         "constant is 4.", six(line=2**0.5, constant=1.0)),
        ("√2 on the coordinates",
         "4 x₁z₁ = (2x₁)(2z₁): the factor is √2 only for (x·z + 1)².", six(line=2**0.5)),
        ("the features of (x·z)²", "Without the linear terms and the constant the offset is lost.",
         six(line=0.0, constant=0.0)),
        ("the constant is forgotten",
         "2 · 2 = 4 stands alone in the square; it needs a feature that is always 2.",
         six(constant=0.0)),
        ("√2 for the constant", "The constant is 4 = 2 · 2, so its feature is 2.",
         six(constant=2**0.5)),
        ("the linear terms are forgotten", "4 x₁z₁ + 4 x₂z₂ are in the square too.", six(line=0.0)),
        ("the coefficient instead of its root",
         "A feature meets itself: the coefficient 4 of x₁z₁ is 2 times 2.",
         six(cross=2.0, line=4.0, constant=4.0)),
        ("the coefficient instead of its root", "4 x₁z₁ = (2x₁)(2z₁).", six(line=4, constant=4)),
    ],
    shapes="One row an example: np.column_stack puts columns of shape (n,) side by side.",
)  # fmt: skip


def product_cases(rng: Rng) -> Iterator[Case]:
    """One row first; then more, with different numbers of features."""
    yield {"A": np.array([[1.0, 2.0]]), "B": np.array([[3.0]])}
    yield {"A": np.array([[1.0, 2.0]]), "B": np.array([[1.0, 1.0]])}
    for n, a, b in 2 * ((2, 1, 2), (2, 2, 2), (3, 2, 3), (4, 3, 2), (3, 3, 3)):
        yield {"A": some_directions(n, a, rng), "B": some_directions(n, b, rng)}


def all_products(A: FloatArray, B: FloatArray) -> FloatArray:
    """Return each feature of A times each of B."""
    return (A[:, :, np.newaxis] * B[:, np.newaxis]).reshape(len(A), -1)


def fits(A: FloatArray, B: FloatArray) -> bool:
    """Say whether NumPy multiplies two matrices entry by entry."""
    return A.shape[1] == B.shape[1] or 1 in (A.shape[1], B.shape[1])


product_features = FunctionExercise(
    "product_features",
    "A proof as a function. One kernel has the features A (n, a), another B (n, b), a row an "
    "example. Return features of the product of the two kernels, shape (n, m): their dot products "
    "must be (A Aᵀ) times (B Bᵀ), entry by entry.",
    [
        "(Σ_i a_i a'_i)(Σ_j b_j b'_j) = Σ_ij … Which product belongs to the pair (i, j)?",
        "a_i b_j: every feature of the first kernel times every feature of the second.",
        "A[:, :, None] * B[:, None, :] is (n, a, b). Make rows of it.",
        "(A[:, :, None] * B[:, None, :]).reshape(len(A), -1)",
    ],
    "So a product of kernels is a kernel. With sums (features side by side) and positive numbers, "
    "every polynomial of x·z with coefficients ≥ 0 is one: (x·z + c)^p above all.",
    cases=product_cases,
    solution=all_products,
    judge=judge_features(lambda A, B: (A @ A.T) * (B @ B.T)),
    alike=alike_as_features,
    misconceptions=[
        ("side by side",
         "Features side by side give the sum of the kernels; the product was asked for.",
         lambda A, B: np.column_stack([A, B])),
        ("only features of one number",
         "a_i b_i leaves the pairs with i ≠ j out: (Σ a_i a'_i)(Σ b_j b'_j) has them all.",
         lambda A, B: A[:, : B.shape[1]] * B[:, : A.shape[1]]),
        ("only features of one number",
         "A * B leaves the pairs with i ≠ j out: (Σ a_i a'_i)(Σ b_j b'_j) has them all.",
         lambda A, B: A * B if fits(A, B) else A[:, :1] * B[:, :1]),
        ("the sum of the features",
         "Sum all a_i and all b_j first, and one number is left, with other dot products.",
         lambda A, B: A.sum(axis=1, keepdims=True) * B.sum(axis=1, keepdims=True)),
        ("one of the two kernels", "Both must be in it: these are the features of A alone.",
         lambda A, B: A),
        ("one of the two kernels", "Both must be in it: these are the features of B alone.",
         lambda A, B: B),
        ("the Gram matrix is a list of features",
         "Its rows have other dot products. Multiply features.",
         lambda A, B: (A @ A.T) * (B @ B.T)),
    ],
    shapes="A[:, :, None] is (n, a, 1) and B[:, None, :] is (n, 1, b): their product is (n, a, b).",
)  # fmt: skip


# --- why the Gaussian is a kernel -----------------------------------------------------------------


def series_cases(rng: Rng) -> Iterator[Case]:
    """One number first; few terms, where each counts, then many."""
    for terms in (1, 2, 3):
        yield {"K": np.array([[1.0]]), "gamma": 1.0, "terms": terms}
    yield {"K": np.array([[1.0, -1.0], [-1.0, 1.0]]), "gamma": 0.5, "terms": 2}
    for n, terms in 2 * ((2, 1), (2, 3), (3, 2), (3, 5), (4, 4), (3, 12)):
        X = some_directions(n, 2, rng)
        yield {"K": X @ X.T, "gamma": float(rng.choice([0.1, 0.25, 0.5])), "terms": terms}


def framed(M: FloatArray, K: FloatArray, gamma: float, outside: float = 1.0) -> FloatArray:
    """Return M with e^(−γ x·x) times each row, and e^(−γ z·z) times each column."""
    factor = np.exp(-outside * gamma * np.diag(K))
    return factor[:, np.newaxis] * M * factor


def series(
    power: Callable[[FloatArray, int], FloatArray] = lambda M, k: M**k,
    *,
    twice: float = 2.0,
    outside: float = 1.0,
    divide: Callable[[int], int] = factorial,
    first: int = 0,
    more: int = 0,
) -> Callable[..., FloatArray]:
    """Return a function for the partial sum, or for a wrong idea of it."""

    def idea(K: FloatArray, gamma: float, terms: int) -> FloatArray:
        orders = range(first, terms + more)
        total = sum((power(twice * gamma * K, k) / divide(k) for k in orders), 0 * K)
        return framed(total, K, gamma, outside)

    return idea


gaussian_series = FunctionExercise(
    "gaussian_series",
    "A proof as a function. exp(−γ‖x − z‖²) = e^(−γ x·x) · e^(2γ x·z) · e^(−γ z·z), and the middle "
    "factor is a power series in x·z. Given K (n, n) with K_ij = x_i·x_j, gamma and terms, return "
    "the matrix in which the series is cut after `terms` terms, from k = 0.",
    [
        "e^u = 1 + u + u²/2! + …; what is u here, for the pair (i, j)?",
        "u = 2γ K_ij. Term k is (2γ K_ij)^k / k!, entry by entry. And what are x·x and z·z?",
        "They are on the diagonal: with f = exp(−γ diag K), entry (i, j) is multiplied by f_i f_j.",
        "f[:, None] * sum((2 * gamma * K) ** k / math.factorial(k) for k in range(terms)) * f",
    ],
    "Every term is a kernel: powers and positive multiples of x·z, and f(x) k(x, z) f(z) has the "
    "features f(x) φ(x). So each sum is one, and so is the limit: the Gaussian, of every degree.",
    cases=series_cases,
    solution=series(),
    misconceptions=[
        ("the limit",
         "That is the Gaussian itself; of each finite sum one sees that it is a kernel.",
         lambda K, gamma, terms: framed(np.exp(2 * gamma * K), K, gamma)),
        ("the factorial is forgotten", "Term k of the exponential series is u^k / k!.",
         series(divide=lambda k: 1)),
        ("divided by k instead of k!",
         "2! = 2, but 3! = 6: term k is divided by the product of all numbers up to k.",
         series(divide=lambda k: max(k, 1))),
        ("the 2 is forgotten", "−γ‖x − z‖² = −γ x·x + 2γ x·z − γ z·z.", series(twice=1.0)),
        ("the sign in the middle",
         "−γ‖x − z‖² has + 2γ x·z. With a minus not all terms are kernels.", series(twice=-2.0)),
        ("the outer factors are left out",
         "e^(−γ x·x) belongs to the row, e^(−γ z·z) to the column.", series(outside=0.0)),
        ("the matrix power",
         "Raise each entry, M ** k. M @ M mixes them all.", series(np.linalg.matrix_power)),
        ("the outer factors grow", "The exponent is −γ x·x.", series(outside=-1.0)),
        ("the series starts at 1", "The first term is u⁰/0! = 1.", series(first=1, more=1)),
        ("one term too few", "range(1, terms) leaves the term 1 = u⁰/0! out.", series(first=1)),
        ("one term too many", "range(terms + 1) has terms + 1 terms, as it starts at 0.",
         series(more=1)),
    ],
    shapes="f[:, None] is a column and f a row: f[:, None] * M * f scales entry (i, j) by both.",
)  # fmt: skip
