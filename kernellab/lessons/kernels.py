"""Exercises of notebook 03: features and kernels, and what one can do with a Gram matrix alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from math import factorial
from typing import Any

import numpy as np

from kernellab.features import polynomial_map
from kernellab.lessons.examples import Rng
from kernellab.lessons.exercise import (
    Case,
    FunctionExercise,
    Misconception,
    Numbers,
    as_numbers,
    close,
    compare,
    number_words,
)
from kernellab.validation import FloatArray
from kernellab.witness import centre

__all__ = [
    "feature_distances",
    "gaussian_series",
    "kernel_pca",
    "map_of_kernel",
    "mean_discrepancy",
    "nearest_mean",
    "normalise_and_centre",
    "product_features",
]


def some_vectors(n: int, d: int, rng: Rng) -> FloatArray:
    """Draw small whole numbers, no row of zeros."""
    X = rng.integers(-3, 4, (n, d)).astype(float)
    X[~X.any(axis=1), 0] = 1.0
    return X


def some_labels(n: int, rng: Rng) -> FloatArray:
    """Draw labels, each class at least twice and not equally often where n is odd."""
    return rng.permutation(np.append([-1.0, -1, 1, 1], rng.choice([-1.0, 1.0], n - 4)))


def some_gram(n: int, rng: Rng) -> FloatArray:
    """Draw vectors, and return their Gram matrix for a polynomial kernel or a linear one."""
    X = some_vectors(n, 2, rng)
    return X @ X.T if rng.random() < 0.5 else (X @ X.T + 1) ** 2


# --- distances ------------------------------------------------------------------------------------


def distance_cases(rng: Rng) -> Iterator[Case]:
    """One point first, then two; norms differ, so that the diagonal matters."""
    yield {"K": np.array([[4.0]])}
    yield {"K": np.array([[1.0, 0.0], [0.0, 4.0]])}
    yield {"K": np.array([[1.0, 2.0], [2.0, 4.0]])}
    for n in 3 * (2, 3, 4):
        yield {"K": some_gram(n, rng)}
    same = 1 + 2 * np.finfo(float).eps  # one place twice, as rounding leaves it
    yield {"K": np.array([[1.0, same], [same, 1.0]])}


def squared(K: FloatArray) -> FloatArray:
    """Return all ‖φ(x_i) − φ(x_j)‖²."""
    norms = np.diag(K)
    return np.maximum(0.0, norms[:, np.newaxis] + norms - 2 * K)


feature_distances = FunctionExercise(
    "feature_distances",
    "A warm-up in two lines. Given a Gram matrix K (n, n), return the distances "
    "‖φ(x_i) − φ(x_j)‖ of all pairs, shape (n, n). Nobody gives you φ.",
    [
        "Multiply out ‖a − b‖² for two vectors. Which products appear?",
        "‖φ(x_i) − φ(x_j)‖² = K_ii − 2 K_ij + K_jj. How do you get all K_ii at once?",
        "np.diag(K) is (n,); as a column it is np.diag(K)[:, None], and column + row is a table.",
        "np.sqrt(np.maximum(0, np.diag(K)[:, None] + np.diag(K) - 2 * K)); rounding may end < 0.",
    ],
    "Everything that needs distances only, such as nearest neighbours, now works in feature space. "
    "With a Gaussian kernel no distance exceeds √2.",
    cases=distance_cases,
    solution=lambda K: np.sqrt(squared(K)),
    misconceptions=[
        Misconception("the square of the distance", "Take the square root.", squared),
        Misconception(
            "a kernel value is a distance",
            "It is a dot product: large where the two are alike, and 0 at right angles.",
            lambda K: K,
        ),
        Misconception(
            "every φ(x) has length 1",
            "2 − 2 K_ij needs K_ii = 1, which holds for a Gaussian and not for every kernel.",
            lambda K: np.sqrt(np.maximum(0, 2 - 2 * K)),
        ),
        Misconception(
            "the cross term counts once",
            "(a − b)² = a² − 2ab + b²: twice.",
            lambda K: np.sqrt(np.maximum(0, np.diag(K)[:, np.newaxis] + np.diag(K) - K)),
        ),
        Misconception(
            "the plus sign",
            "‖a + b‖² has + 2ab; a distance has − 2ab.",
            lambda K: np.sqrt(np.diag(K)[:, np.newaxis] + np.diag(K) + 2 * K),
        ),
        Misconception(
            "the length of one of them twice",
            "K_ii and K_jj are two numbers: np.diag(K) as a column plus np.diag(K) as a row.",
            lambda K: np.sqrt(np.maximum(0, 2 * np.diag(K) - 2 * K)),
        ),
        Misconception(
            "the length of one of them twice",
            "np.diag(K).T is np.diag(K): a vector has no columns. np.diag(K)[:, None] is one.",
            lambda K: np.sqrt(2 * np.diag(K) - 2 * K),
        ),
        Misconception(
            "the distance of the rows of K",
            "Row i of K is no φ(x_i). Use K_ii − 2 K_ij + K_jj.",
            lambda K: np.linalg.norm(K[:, np.newaxis] - K, axis=2),
        ),
        Misconception(
            "rounding stays above 0",
            "At one place twice the square may come out as −4e-16, and its root as nan: "
            "np.maximum(0, …) first.",
            lambda K: np.sqrt(np.diag(K)[:, np.newaxis] + np.diag(K) - 2 * K),
        ),
        Misconception(
            "the difference of the lengths",
            "√K_ii − √K_jj is 0 for two vectors of one length in different directions.",
            lambda K: np.abs(np.sqrt(np.diag(K))[:, np.newaxis] - np.sqrt(np.diag(K))),
        ),
    ],
    shapes="np.diag(K) is (n,); np.diag(K)[:, None] is a column, and column + row is (n, n).",
)


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
        yield {"X": some_vectors(n, 2, rng)}


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
    "degrees count.",
    cases=map_cases,
    solution=lambda X: polynomial_map(X, 2, 2.0),
    judge=judge_features(lambda X: (X @ X.T + 2) ** 2),
    alike=alike_as_features,
    misconceptions=[
        Misconception(
            "the missing √2",
            "The cross term appears twice in the square, so x₁x₂ needs a factor √2.",
            six(cross=1.0),
        ),
        Misconception(
            "the missing cross term",
            "(a + b)² is not a² + b²: on the axes nobody notices, elsewhere 2 x₁x₂z₁z₂ is missing.",
            six(cross=0.0),
        ),
        Misconception(
            "2 instead of √2",
            "The factor is squared in the dot product: it must give 2 x₁x₂z₁z₂.",
            six(cross=2.0),
        ),
        Misconception(
            "the features of (x·z + 1)²",
            "Those are in section 2. With 2 in place of 1 the linear terms are 4 x₁z₁, and the "
            "constant is 4.",
            six(line=2**0.5, constant=1.0),
        ),
        Misconception(
            "the features of (x·z)²",
            "Without the linear terms and the constant the offset is lost.",
            six(line=0.0, constant=0.0),
        ),
        Misconception(
            "the constant is forgotten",
            "2 · 2 = 4 stands alone in the square; it needs a feature that is always 2.",
            six(constant=0.0),
        ),
        Misconception(
            "the linear terms are forgotten",
            "4 x₁z₁ + 4 x₂z₂ are in the square too.",
            six(line=0.0),
        ),
        Misconception(
            "the coefficient instead of its root",
            "A feature meets itself: the coefficient 4 of x₁z₁ is 2 times 2.",
            six(cross=2.0, line=4.0, constant=4.0),
        ),
    ],
    shapes="One row an example: np.column_stack puts columns of shape (n,) side by side.",
)


def product_cases(rng: Rng) -> Iterator[Case]:
    """One row first; then more, with different numbers of features."""
    yield {"A": np.array([[1.0, 2.0]]), "B": np.array([[3.0]])}
    yield {"A": np.array([[1.0, 2.0]]), "B": np.array([[1.0, 1.0]])}
    for n, a, b in 2 * ((2, 1, 2), (2, 2, 2), (3, 2, 3), (4, 3, 2), (3, 3, 3)):
        yield {"A": some_vectors(n, a, rng), "B": some_vectors(n, b, rng)}


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
        Misconception(
            "side by side",
            "Features side by side give the sum of the kernels; the product was asked for.",
            lambda A, B: np.column_stack([A, B]),
        ),
        Misconception(
            "only features of one number",
            "a_i b_i leaves the pairs with i ≠ j out: (Σ a_i a'_i)(Σ b_j b'_j) has them all.",
            lambda A, B: A[:, : B.shape[1]] * B[:, : A.shape[1]],
        ),
        Misconception(
            "only features of one number",
            "A * B leaves the pairs with i ≠ j out: (Σ a_i a'_i)(Σ b_j b'_j) has them all.",
            lambda A, B: A * B if fits(A, B) else A[:, :1] * B[:, :1],
        ),
        Misconception(
            "the sum of the features",
            "Sum all a_i and all b_j first, and one number is left, with other dot products.",
            lambda A, B: A.sum(axis=1, keepdims=True) * B.sum(axis=1, keepdims=True),
        ),
        Misconception(
            "one of the two kernels",
            "Both must be in it: these are the features of A alone.",
            lambda A, B: A,
        ),
        Misconception(
            "one of the two kernels",
            "Both must be in it: these are the features of B alone.",
            lambda A, B: B,
        ),
        Misconception(
            "side by side and products",
            "The products alone have the right dot products; A and B beside them add to it.",
            lambda A, B: np.column_stack([A, B, all_products(A, B)]),
        ),
        Misconception(
            "the Gram matrix is a list of features",
            "Its rows have other dot products. Multiply features.",
            lambda A, B: (A @ A.T) * (B @ B.T),
        ),
    ],
    shapes="A[:, :, None] is (n, a, 1) and B[:, None, :] is (n, 1, b): their product is (n, a, b).",
)


# --- why the Gaussian is a kernel -----------------------------------------------------------------


def series_cases(rng: Rng) -> Iterator[Case]:
    """One number first; few terms, where each counts, then many."""
    for terms in (1, 2, 3):
        yield {"K": np.array([[1.0]]), "gamma": 1.0, "terms": terms}
    yield {"K": np.array([[1.0, -1.0], [-1.0, 1.0]]), "gamma": 0.5, "terms": 2}
    for n, terms in 2 * ((2, 1), (2, 3), (3, 2), (3, 5), (4, 4), (3, 12)):
        X = some_vectors(n, 2, rng)
        yield {"K": X @ X.T, "gamma": float(rng.choice([0.1, 0.25, 0.5])), "terms": terms}


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
        factor = np.exp(-outside * gamma * np.diag(K))
        orders = range(first, terms + more)
        total = sum((power(twice * gamma * K, k) / divide(k) for k in orders), 0 * K)
        return factor[:, np.newaxis] * total * factor

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
        Misconception(
            "the limit",
            "That is the Gaussian itself; of each finite sum one sees that it is a kernel.",
            lambda K, gamma, terms: np.exp(-gamma * squared(K)),
        ),
        Misconception(
            "the factorial is forgotten",
            "Term k of the exponential series is u^k / k!.",
            series(divide=lambda k: 1),
        ),
        Misconception(
            "divided by k instead of k!",
            "2! = 2, but 3! = 6: term k is divided by the product of all numbers up to k.",
            series(divide=lambda k: max(k, 1)),
        ),
        Misconception(
            "the 2 is forgotten",
            "−γ‖x − z‖² = −γ x·x + 2γ x·z − γ z·z.",
            series(twice=1.0),
        ),
        Misconception(
            "the sign in the middle",
            "−γ‖x − z‖² contains + 2γ x·z. With a minus the terms would not all be kernels.",
            series(twice=-2.0),
        ),
        Misconception(
            "the outer factors are left out",
            "e^(−γ x·x) and e^(−γ z·z) belong to it, one for the row and one for the column.",
            series(outside=0.0),
        ),
        Misconception(
            "the outer factors grow",
            "The exponent is −γ x·x.",
            series(outside=-1.0),
        ),
        Misconception(
            "one outer factor only",
            "There are two, e^(−γ x·x) for the row and e^(−γ z·z) for the column.",
            lambda K, gamma, terms: (
                np.exp(-gamma * np.diag(K)) * series(outside=0.0)(K, gamma, terms)
            ),
        ),
        Misconception(
            "both outer factors on the columns",
            "f * f multiplies column j by f_j². One factor belongs to the row: f[:, None].",
            lambda K, gamma, terms: (
                series(outside=0.0)(K, gamma, terms) * np.exp(-2 * gamma * np.diag(K))
            ),
        ),
        Misconception(
            "the series starts at 1",
            "The first term is u⁰/0! = 1.",
            series(first=1, more=1),
        ),
        Misconception(
            "one term too few",
            "range(1, terms) leaves the term 1 = u⁰/0! out.",
            series(first=1),
        ),
        Misconception(
            "one term too many",
            "range(terms + 1) has terms + 1 terms, as it starts at 0.",
            series(more=1),
        ),
        Misconception(
            "the power of the matrix",
            "K @ K mixes rows. The k-th power is taken of each entry: K ** k.",
            series(np.linalg.matrix_power),
        ),
    ],
    shapes="f[:, None] is a column and f a row: f[:, None] * M * f scales entry (i, j) by both.",
)


# --- normalising and centring ---------------------------------------------------------------------


def gram_cases(rng: Rng) -> Iterator[Case]:
    """Two points first."""
    yield {"K": np.array([[1.0, 0.0], [0.0, 4.0]])}
    yield {"K": np.array([[4.0, 2.0], [2.0, 1.0]])}
    for n in 3 * (2, 3, 4):
        yield {"K": some_gram(n, rng)}


Both = tuple[Any, Any]


def normalised(K: FloatArray) -> FloatArray:
    """Return the Gram matrix of φ(x)/‖φ(x)‖."""
    length = np.sqrt(np.diag(K))
    scaled: FloatArray = K / np.outer(length, length)
    return scaled


normalise_and_centre = FunctionExercise(
    "normalise_and_centre",
    "Given K (n, n), return two Gram matrices: of the features scaled to length 1, "
    "φ(x)/‖φ(x)‖, and of the features minus their mean, φ(x) − (1/n) Σ_j φ(x_j).",
    [
        "What does the dot product of φ(x)/‖φ(x)‖ and φ(z)/‖φ(z)‖ look like in k?",
        "Divide K_ij by √(K_ii K_jj). For the other, multiply (φ_i − μ)·(φ_j − μ) out.",
        "φ_i·μ is the mean of row i of K, μ·φ_j that of column j, and μ·μ the mean of all of K.",
        "length = np.sqrt(np.diag(K)); K / np.outer(length, length); and K - K.mean(0) - "
        "K.mean(1)[:, None] + K.mean()",
    ],
    "Normalising changes the kernel and can lose what the lengths knew. Centring moves the origin: "
    "no distance changes, and neither does the SVM with bias.",
    cases=gram_cases,
    solution=lambda K: (normalised(K), centre(K)),
    parts=("normalised", "centred"),
    misconceptions=[
        Misconception(
            "divided by the squares",
            "K_ii is ‖φ(x_i)‖², so its root is the length: divide by √(K_ii K_jj).",
            lambda K: (K / np.outer(np.diag(K), np.diag(K)), centre(K)),
        ),
        Misconception(
            "divided by one length",
            "Both vectors are scaled: divide row i by √K_ii and column j by √K_jj.",
            lambda K: (K / np.diag(K), centre(K)),
        ),
        Misconception(
            "divided by one length",
            "Both vectors are scaled: divide row i by √K_ii and column j by √K_jj.",
            lambda K: (K / np.diag(K)[:, np.newaxis], centre(K)),
        ),
        Misconception(
            "scaled to the largest entry",
            "One number for all does not make each φ(x) of length 1: the diagonal must be 1.",
            lambda K: (K / K.max(), centre(K)),
        ),
        Misconception(
            "the mean of all is subtracted",
            "Subtracting a number from K is no centring: multiply (φ_i − μ)·(φ_j − μ) out.",
            lambda K: (normalised(K), K - K.mean()),
        ),
        Misconception(
            "the columns are centred once",
            "Both sides are centred: the means of the rows, of the columns, and of all of K.",
            lambda K: (normalised(K), K - K.mean(axis=0)),
        ),
        Misconception(
            "the columns are centred once",
            "Both sides are centred: the means of the rows, of the columns, and of all of K.",
            lambda K: (normalised(K), K - K.mean(axis=1, keepdims=True)),
        ),
        Misconception(
            "both means from the columns",
            "A vector is subtracted along the rows, so K.mean(1) has to stand up: "
            "K.mean(1)[:, None].",
            lambda K: (normalised(K), K - 2 * K.mean(axis=0) + K.mean()),
        ),
        Misconception(
            "the mean of all is forgotten",
            "(φ_i − μ)·(φ_j − μ) ends with + μ·μ, the mean of all of K.",
            lambda K: (normalised(K), K - K.mean(axis=0) - K.mean(axis=1, keepdims=True)),
        ),
        Misconception(
            "the mean of all with the wrong sign",
            "(a − m)(b − m) = ab − am − mb + m².",
            lambda K: (
                normalised(K), K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) - K.mean(),
            ),
        ),
        Misconception(
            "centred, then normalised",
            "Each is asked of K itself, not one of the other.",
            lambda K: (normalised(K), centre(normalised(K))),
        ),
        Misconception(
            "the order of the two",
            "First the normalised matrix, then the centred one.",
            lambda K: (centre(K), normalised(K)),
        ),
    ],
    shapes="K.mean(axis=1) is (n,); as a column it is K.mean(axis=1)[:, None].",
)  # fmt: skip


# --- the nearer mean ------------------------------------------------------------------------------


def mean_cases(rng: Rng) -> Iterator[Case]:
    """By hand first; classes of different size, means at different lengths, and a tie."""
    x, y = np.array([0.0, 2.0, 4.0, 4.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    new = np.array([1.0, 3.0, 2.5])  # the means are 1 and 4, so the middle is 2.5
    yield {"K": np.outer(x, x), "y": y, "K_test": np.outer(new, x)}
    for n, m in 3 * ((4, 2), (5, 3), (7, 4), (6, 5)):
        X, Z, y = some_vectors(n, 2, rng), some_vectors(m, 2, rng), some_labels(n, rng)
        Z[0] = (X[y > 0].mean(axis=0) + X[y < 0].mean(axis=0)) / 2 * 16 // 1 / 16
        yield {"K": X @ X.T, "y": y, "K_test": Z @ X.T}


def mean_scores(K: FloatArray, y: FloatArray, K_test: FloatArray) -> FloatArray:
    """Return half of ‖φ(x) − μ₋‖² − ‖φ(x) − μ₊‖², rounded so that a tie is one."""
    plus, minus = y > 0, y < 0
    offset = (K[np.ix_(plus, plus)].mean() - K[np.ix_(minus, minus)].mean()) / 2
    scores = K_test[:, plus].mean(axis=1) - K_test[:, minus].mean(axis=1) - offset
    rounded: FloatArray = np.round(scores, 9) + 0.0
    return rounded


def judge_classes(case: Case, value: Any) -> str | None:
    """Compare classes where the score is clear: rounding decides on the line itself."""
    scores, given = mean_scores(**case), as_numbers(value)
    right = np.sign(scores)
    if given is not None and given.shape == scores.shape:
        right = np.where(scores == 0, given, right)
    return compare(right, value)


def means_idea(score: Callable[..., Any]) -> Callable[..., FloatArray]:
    """Return a function for the signs of other scores."""
    return lambda K, y, K_test: np.sign(np.round(score(K, y, K_test), 9))


def of_class(K: FloatArray, y: FloatArray, label: int) -> Any:
    """Return the mean of k within a class: ‖μ‖²."""
    own = y == label
    return K[np.ix_(own, own)].mean()


def mean_similarity(y: FloatArray, K_test: FloatArray) -> Any:
    """Return the mean similarity to class +1 minus that to class −1."""
    return K_test[:, y > 0].mean(axis=1) - K_test[:, y < 0].mean(axis=1)


nearest_mean = FunctionExercise(
    "nearest_mean",
    "Classify by the nearer class mean in feature space. Given K (n, n) of the training examples, "
    "y (n,) and K_test (m, n), the kernel between m new examples and the training ones, return m "
    "predictions, −1 or +1; on the line between, any answer will do.",
    [
        "Write ‖φ(x) − μ₊‖² with products only. Which part is the same for both classes?",
        "φ(x)·μ₊ is the mean of K_test[t, j] over j of class +1, and ‖μ₊‖² a mean over K.",
        "+1 if φ(x)·μ₊ − ½‖μ₊‖² > φ(x)·μ₋ − ½‖μ₋‖². The lengths of the means matter.",
        "p = y > 0; a = K_test[:, p].mean(1) - K[p][:, p].mean() / 2; the same with y < 0 for b; "
        "np.where(a > b, 1, -1)",
    ],
    "A classifier without training: for k = x·z it is the line half-way between the means; with a "
    "Gaussian it compares two density estimates.",
    cases=mean_cases,
    solution=lambda K, y, K_test: np.sign(mean_scores(K, y, K_test)),
    judge=judge_classes,
    misconceptions=[
        Misconception(
            "the larger mean similarity",
            "A mean far from the origin is similar to everything: subtract ½‖μ‖² of each class.",
            means_idea(lambda K, y, K_test: mean_similarity(y, K_test)),
        ),
        Misconception(
            "the sum instead of the mean",
            "Divide by the size of each class, or the larger class wins.",
            means_idea(
                lambda K, y, K_test: (
                    K_test @ y
                    - (
                        K[np.ix_(y > 0, y > 0)].sum() - K[np.ix_(y < 0, y < 0)].sum()
                    ) / 2
                )
            ),
        ),
        Misconception(
            "the half is forgotten",
            "‖φ(x) − μ‖² = … − 2 φ(x)·μ + ‖μ‖²: divided by −2, ‖μ‖² counts half.",
            means_idea(
                lambda K, y, K_test: (
                    mean_similarity(y, K_test) - of_class(K, y, 1) + of_class(K, y, -1)
                )
            ),
        ),
        Misconception(
            "the lengths with the wrong sign",
            "A long mean is no advantage: −½‖μ‖², not +½‖μ‖².",
            means_idea(
                lambda K, y, K_test: (
                    mean_similarity(y, K_test) + (of_class(K, y, 1) - of_class(K, y, -1)) / 2
                )
            ),
        ),
        Misconception(
            "‖μ‖² is the mean of K_ii",
            "‖μ‖² is the mean of all K_ij of the class, not of its diagonal alone.",
            means_idea(
                lambda K, y, K_test: (
                    mean_similarity(y, K_test)
                    - (np.diag(K)[y > 0].mean() - np.diag(K)[y < 0].mean()) / 2
                )
            ),
        ),
        Misconception(
            "the nearest example",
            "The mean of a class decides, not its most similar member.",
            lambda K, y, K_test: y[K_test.argmax(axis=1)],
        ),
        Misconception(
            "the classes are exchanged",
            "The smaller distance wins, which is the larger φ(x)·μ − ½‖μ‖².",
            means_idea(lambda K, y, K_test: -mean_scores(K, y, K_test)),
        ),
        Misconception(
            "the mean over all of a class's similarities to everybody",
            "‖μ₊‖² needs rows and columns of class +1: K[p][:, p].",
            means_idea(
                lambda K, y, K_test: (
                    mean_similarity(y, K_test) - (K[y > 0].mean() - K[y < 0].mean()) / 2
                )
            ),
        ),
    ],
    shapes="K_test is (m, n) and y > 0 is (n,): K_test[:, y > 0] keeps the columns of one class.",
)  # fmt: skip


# --- projects -------------------------------------------------------------------------------------


def pca_cases(rng: Rng) -> Iterator[Case]:
    """Points on a line first; then matrices whose leading eigenvalues are far apart."""
    x = np.array([0.0, 1.0, 5.0])
    yield {"K": np.outer(x, x), "n_components": 1}
    yield {"K": np.outer(x, x) / 100, "n_components": 1}  # an eigenvalue below 1
    yield {"K": np.diag([9.0, 4.0, 1.0]) + 1, "n_components": 1}
    for n, k in 2 * ((3, 1), (4, 2), (5, 2), (6, 3)):
        while True:
            X = some_vectors(n, 4, rng)
            values = np.linalg.eigvalsh(centre(X @ X.T))[::-1]
            if (values[:k] - values[1 : k + 1] > 0.5).all():
                break
        yield {"K": X @ X.T, "n_components": k}


def coordinates(M: FloatArray, k: int, power: float = 0.5) -> FloatArray:
    """Return the first k eigenvectors of M, scaled by a power of their eigenvalues."""
    values, vectors = np.linalg.eigh(M)
    leading = np.maximum(values[::-1][:k], 0.0)
    scaled: FloatArray = vectors[:, ::-1][:, :k] * leading**power
    return scaled


def up_to_sign(first: Numbers, second: Numbers) -> bool:
    """Say whether two sets of coordinates are equal up to the sign of each column."""
    if first is None or second is None or first.shape != second.shape or first.ndim != 2:
        return False
    flip = np.where((first * second).sum(axis=0) < 0, -1.0, 1.0)
    return close(first, second * flip)


def judge_coordinates(case: Case, value: Any) -> str | None:
    """Compare coordinates; the sign of each column is free."""
    right = coordinates(centre(case["K"]), case["n_components"])
    given = as_numbers(value)
    if up_to_sign(given, right):
        return None
    words = compare(right, value) or ""
    return f"{words}\nThe sign of each column is free."


kernel_pca = FunctionExercise(
    "kernel_pca",
    "A project. Given K (n, n) and n_components, return the coordinates of the examples along the "
    "first principal components in feature space, shape (n, n_components), the largest variance "
    "first: centre K, decompose it, scale. The sign of each column is yours.",
    [
        "If Z holds the centred features as rows, what has Z Zᵀ to do with Zᵀ Z?",
        "They share their eigenvalues. If K v = s v with ‖v‖ = 1, the coordinates are √s v.",
        "np.linalg.eigh gives eigenvalues in ascending order, with eigenvectors as columns.",
        "s, V = np.linalg.eigh(centred); s, V = s[::-1], V[:, ::-1]; V[:, :k] * np.sqrt(s[:k])",
    ],
    "PCA in a space that nobody writes down. The coordinates have the best dot products that so "
    "few numbers can have: Z Zᵀ is the nearest matrix of that rank to the centred K.",
    cases=pca_cases,
    solution=lambda K, n_components: coordinates(centre(K), n_components),
    judge=judge_coordinates,
    alike=up_to_sign,
    misconceptions=[
        Misconception(
            "K is not centred",
            "Without centring the first component points to the mean: that is no variance.",
            lambda K, n_components: coordinates(K, n_components),
        ),
        Misconception(
            "eigenvectors are coordinates",
            "All of them have length 1. Scale by √s, or every component has the same variance.",
            lambda K, n_components: coordinates(centre(K), n_components, 0.0),
        ),
        Misconception(
            "scaled by s instead of √s",
            "Z Zᵀ = V s Vᵀ, so Z = V √s.",
            lambda K, n_components: coordinates(centre(K), n_components, 1.0),
        ),
        Misconception(
            "divided by √s",
            "That is the scale of the direction in feature space; the coordinates are √s v.",
            lambda K, n_components: coordinates(centre(K), n_components, -0.5),
        ),
        Misconception(
            "the smallest eigenvalues",
            "eigh sorts upwards: the largest variance stands at the end.",
            lambda K, n_components: smallest(centre(K), n_components),
        ),
        Misconception(
            "eigenvectors are rows",
            "eigh returns them as columns: V[:, j], not V[j].",
            lambda K, n_components: by_rows(centre(K), n_components),
        ),
        Misconception(
            "the largest come last",
            "The columns are the right ones in ascending order: reverse them.",
            lambda K, n_components: coordinates(centre(K), n_components)[:, ::-1],
        ),
    ],
    shapes="V[:, :k] is (n, k) and np.sqrt(s[:k]) is (k,): each column is scaled by its number.",
)


def smallest(M: FloatArray, k: int) -> FloatArray:
    """Return the last coordinates instead of the first."""
    values, vectors = np.linalg.eigh(M)
    scaled: FloatArray = vectors[:, :k] * np.sqrt(np.maximum(values[:k], 0.0))
    return scaled


def by_rows(M: FloatArray, k: int) -> FloatArray:
    """Return rows of the matrix of eigenvectors as if they were its columns."""
    values, vectors = np.linalg.eigh(M)
    leading = np.sqrt(np.maximum(values[::-1][:k], 0.0))
    scaled: FloatArray = vectors[::-1][:k].T * leading
    return scaled


def sample_cases(rng: Rng) -> Iterator[Case]:
    """By hand first: two numbers against one; then samples of different size."""
    x = np.array([0.0, 2.0, 4.0])
    yield {"K": np.outer(x, x), "y": np.array([-1.0, -1.0, 1.0])}
    for n in itertools.chain(*itertools.repeat((4, 5, 6, 7), 3)):
        yield {"K": some_gram(n, rng), "y": some_labels(n, rng)}


def discrepancy(K: FloatArray, y: FloatArray) -> Any:
    """Return ‖μ₊ − μ₋‖², never below 0."""
    weights = np.where(y > 0, 1 / np.sum(y > 0), -1 / np.sum(y < 0))
    return np.maximum(0.0, weights @ K @ weights)


def blocks(K: FloatArray, y: FloatArray) -> tuple[Any, Any, Any]:
    """Return the three blocks of K: within +1, within −1, between."""
    plus, minus = y > 0, y < 0
    return K[np.ix_(plus, plus)], K[np.ix_(minus, minus)], K[np.ix_(plus, minus)]


def of_blocks(value: Callable[[Any, Any, Any], Any]) -> Callable[..., Any]:
    """Return a function of the three blocks as one of K and y."""
    return lambda K, y: value(*blocks(K, y))


def off_diagonal_mean(block: FloatArray) -> Any:
    """Return the mean over pairs of different examples; 0 if there are none."""
    n = len(block)
    return (block.sum() - np.trace(block)) / max(n * (n - 1), 1)


mean_discrepancy = FunctionExercise(
    "mean_discrepancy",
    "A project. Two samples, told apart by y (n,): are they from one source? Given K (n, n) "
    "return the squared maximum mean discrepancy, ‖μ₊ − μ₋‖² of their means in feature space. "
    "The cell below compares it with the same for shuffled labels.",
    [
        "Multiply ‖μ₊ − μ₋‖² out. What is μ₊·μ₋ in terms of k?",
        "Each of the three products is the mean of a block of K: within +1, within −1, between.",
        "The block between the samples counts twice, with a minus.",
        "p, q = y > 0, y < 0; K[p][:, p].mean() + K[q][:, q].mean() - 2 * K[p][:, q].mean()",
    ],
    "With a Gaussian it is 0 only if the distributions are the same: a test for two samples of "
    "anything that has a kernel. Shuffling the labels says how large chance makes it.",
    cases=sample_cases,
    solution=discrepancy,
    misconceptions=[
        Misconception(
            "the distance instead of its square",
            "The squared discrepancy is asked for: no root.",
            lambda K, y: np.sqrt(discrepancy(K, y)),
        ),
        Misconception(
            "the block between counts once",
            "‖a − b‖² = a·a + b·b − 2 a·b.",
            of_blocks(lambda a, b, c: a.mean() + b.mean() - c.mean()),
        ),
        Misconception(
            "sums instead of means",
            "Divide each block by its number of entries, or the larger sample decides.",
            of_blocks(lambda a, b, c: a.sum() + b.sum() - 2 * c.sum()),
        ),
        Misconception(
            "everything divided by n",
            "Each block has its own size: n₊², n₋² and n₊ n₋.",
            lambda K, y: y @ K @ y / len(y) ** 2,
        ),
        Misconception(
            "the diagonal is left out",
            "That is the unbiased estimate, a good one, and not ‖μ₊ − μ₋‖² of these samples.",
            of_blocks(
                lambda a, b, c: off_diagonal_mean(a) + off_diagonal_mean(b) - 2 * c.mean()
            ),
        ),
        Misconception(
            "K[p, p] is a block",
            "NumPy pairs the two indices up, which gives the diagonal: write K[p][:, p].",
            of_blocks(lambda a, b, c: np.diag(a).mean() + np.diag(b).mean() - 2 * c.mean()),
        ),
        Misconception(
            "the difference of the lengths",
            "‖μ₊‖² − ‖μ₋‖² is 0 for means of one length in different directions.",
            of_blocks(lambda a, b, c: a.mean() - b.mean()),
        ),
        Misconception(
            "the sum of the means",
            "‖μ₊ + μ₋‖² has + 2 μ₊·μ₋.",
            of_blocks(lambda a, b, c: a.mean() + b.mean() + 2 * c.mean()),
        ),
        Misconception(
            "the similarity between the samples",
            "μ₊·μ₋ alone says little: compare it with ‖μ₊‖² and ‖μ₋‖².",
            of_blocks(lambda a, b, c: c.mean()),
        ),
    ],
    shapes="y > 0 is (n,): K[y > 0] keeps rows, K[y > 0][:, y < 0] is a block.",
)  # fmt: skip

EXERCISES = (
    feature_distances,
    map_of_kernel,
    product_features,
    gaussian_series,
    normalise_and_centre,
    nearest_mean,
    kernel_pca,
    mean_discrepancy,
)
