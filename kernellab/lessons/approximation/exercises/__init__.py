"""Exercises of notebook 07: fewer columns of a Gram matrix. Those on weights are in `mkl`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from kernellab.exercises.examples import Rng, some_labels, some_vectors
from kernellab.exercises.exercise import Case, FunctionExercise
from kernellab.lessons.approximation.exercises.landmarks import greedy_landmarks
from kernellab.lessons.approximation.exercises.mkl import (
    mkl_gap,
    mkl_gradient,
    numerical_gradient,
    project_on_simplex,
)
from kernellab.validation import FloatArray

__all__ = [
    "alignment",
    "choose_m",
    "greedy_landmarks",
    "mkl_gap",
    "mkl_gradient",
    "numerical_gradient",
    "project_on_simplex",
    "unexplained",
]


# --- alignment ----------------------------------------------------------------------------------


def alignment_cases(rng: Rng) -> Iterator[Case]:
    """The ideal kernel and the useless one first; then others."""
    y = np.array([1.0, -1.0])
    for K in (np.outer(y, y), np.eye(2), np.ones((2, 2)), 3 * np.outer(y, y)):
        yield {"K": K, "y": y}
    for n in 4 * (2, 3, 5):
        X = some_vectors(n, 2, rng)
        yield {"K": X @ X.T + np.eye(n), "y": some_labels(n, rng)}


def aligned(K: FloatArray, y: FloatArray) -> float:
    """Return the cosine of the angle between K and yyᵀ."""
    ideal = np.outer(y, y)
    return float(np.sum(K * ideal) / (np.linalg.norm(K) * np.linalg.norm(ideal)))


alignment = FunctionExercise(
    "alignment",
    "A warm-up. How well does a kernel fit the labels before anything is trained? Given K (n, n) "
    "and y (n,), return the cosine of the angle between K and yyᵀ, both read as vectors of n² "
    "numbers.",
    [
        "The cosine of two vectors is their dot product over the product of their lengths.",
        "The dot product of K and yyᵀ is Σ_ij K_ij y_i y_j. What is that, as matrix products?",
        "yᵀKy; the length of K is its Frobenius norm, that of yyᵀ is n.",
        "y @ K @ y / (len(y) * np.linalg.norm(K))",
    ],
    "It costs n² operations and no training, and is a first order in which to try kernels; "
    "the average of good ones is hard to beat.",
    cases=alignment_cases,
    solution=aligned,
    misconceptions=[
        ("the dot product alone", "A cosine is the dot product divided by both lengths.",
         lambda K, y: y @ K @ y),
        ("not divided by n", "yyᵀ is a vector too, of length n.",
         lambda K, y: y @ K @ y / np.linalg.norm(K)),
        ("divided by the root of n", "The length of yyᵀ is √(n²) = n.",
         lambda K, y: y @ K @ y / (np.sqrt(len(y)) * np.linalg.norm(K))),
        ("not divided by the length of K", "Otherwise 2k would fit twice as well as k.",
         lambda K, y: y @ K @ y / len(y)),
        ("divided by n²", "One n is the length of yyᵀ; the other must be the norm of K.",
         lambda K, y: y @ K @ y / len(y) ** 2),
        ("divided by the trace", "The length of K as a vector of n² numbers is its Frobenius norm.",
         lambda K, y: y @ K @ y / (len(y) * np.trace(K))),
        ("the largest eigenvalue as the length",
         "That is the spectral norm, norm(K, 2); as a vector K has the Frobenius norm.",
         lambda K, y: y @ K @ y / (len(y) * np.linalg.norm(K, 2))),
        ("the labels are left out", "Pairs of different classes count negatively: y_i y_j.",
         lambda K, y: K.sum() / (len(y) * np.linalg.norm(K))),
        ("a matrix product",
         "Of two vectors of n² numbers the entries meet one by one: K * yyᵀ, not K @ yyᵀ.",
         lambda K, y: np.sum(K @ np.outer(y, y)) / (len(y) * np.linalg.norm(K))),
        ("the angle itself", "Asked for is its cosine: 1 if K is yyᵀ, 0 if it has nothing of it.",
         lambda K, y: np.arccos(np.clip(aligned(K, y), -1, 1))),
        ("a correlation",
         "A correlation first subtracts the means; a cosine takes the numbers as they are.",
         lambda K, y: np.corrcoef(K.ravel(), np.outer(y, y).ravel())[0, 1]),
        ("the square of the length", "A cosine has lengths below, not their squares.",
         lambda K, y: y @ K @ y / (len(y) * np.linalg.norm(K) ** 2)),
    ],
    shapes="y @ K @ y is one number, and so is the norm of K.",
)  # fmt: skip


# --- what landmarks leave unexplained -----------------------------------------------------------


def sheet_cases(rng: Rng) -> Iterator[Case]:
    """One landmark, two, one that stands twice, one that nearly does; then more."""
    yield {"k_xx": np.array([4.0, 2.0]), "K_Z": np.array([[4.0]]), "k_Z": np.array([[4.0], [2.0]])}
    K = np.array([[2.0, 1.0], [1.0, 2.0]])
    k_Z = np.vstack([K, [1.0, 0.0]])
    yield {"k_xx": np.array([2.0, 2.0, 3.0]), "K_Z": K, "k_Z": k_Z}
    k_Z = np.array([[4.0, 4.0], [2.0, 2.0]])
    yield {"k_xx": np.array([4.0, 2.0]), "K_Z": np.full((2, 2), 4.0), "k_Z": k_Z}
    K = np.array([[1.0, 0.9999], [0.9999, 1.0]])  # neighbours: 0.0001 is small, and not zero
    yield {"k_xx": np.ones(3), "K_Z": K, "k_Z": np.vstack([K, [0.9, 0.9005]])}
    for n, m in 3 * ((2, 1), (3, 2), (4, 3), (6, 3)):
        X = some_vectors(n, m + 1, rng)
        K = X @ X.T + np.eye(n)
        yield {"k_xx": np.diag(K).copy(), "K_Z": K[:m, :m], "k_Z": K[:, :m]}


def left_over(k_xx: FloatArray, K_Z: FloatArray, k_Z: FloatArray) -> FloatArray:
    """Return the squared distance of each φ(x) from the span of the landmarks."""
    return k_xx - (k_Z @ np.linalg.pinv(K_Z, rcond=1e-10, hermitian=True) * k_Z).sum(axis=1)


def nearest_landmark(k_xx: FloatArray, K_Z: FloatArray, k_Z: FloatArray) -> FloatArray:
    """Return the squared distance of each φ(x) from the nearest landmark."""
    return (k_xx[:, None] - 2 * k_Z + np.diag(K_Z)).min(axis=1)


unexplained = FunctionExercise(
    "unexplained",
    "How far is each φ(x) from the landmarks' sheet? Given k_xx (n,), the k(x, x) of n points, K_Z "
    "(m, m) between the landmarks and k_Z (n, m) between points and landmarks, return the n "
    "squared distances. Landmarks may repeat: then K_Z is singular.",
    [
        "The nearest point of the sheet is Σ c_j φ(z_j). Which c is it, and what is left of "
        "‖φ(x)‖²?",
        "‖φ(x)‖² = ‖nearest point‖² + distance²: what is left stands perpendicular to the sheet.",
        "So k(x, x) − k̃(x, x), with k̃(x, x) = k_Z(x) · K_Z⁺ k_Z(x), row by row.",
        "k_xx - np.sum(k_Z @ np.linalg.pinv(K_Z, rcond=1e-10) * k_Z, axis=1)",
    ],
    "It is the dark of the landmark game, one number a point: their sum is the lost trace, and the "
    "largest is where the greedy rule of exercise 8 goes next.",
    cases=sheet_cases,
    solution=left_over,
    misconceptions=[
        ("what is explained", "That is ‖nearest point‖²; asked for is what is left of k(x, x).",
         lambda k_xx, K_Z, k_Z: k_xx - left_over(k_xx, K_Z, k_Z)),
        ("the nearest landmark", "The sheet holds all combinations of the landmarks, and one of "
         "them may be much nearer than any landmark.", nearest_landmark),
        ("each landmark for itself",
         "Landmarks resemble each other: what two explain is counted twice. Invert all of K_Z.",
         lambda k_xx, K_Z, k_Z: k_xx - (k_Z**2 / np.diag(K_Z)).sum(axis=1)),
        ("the best landmark alone", "Together they explain more than the best of them alone.",
         lambda k_xx, K_Z, k_Z: k_xx - (k_Z**2 / np.diag(K_Z)).max(axis=1)),
        ("K_Z is not inverted", "c solves K_Z c = k_Z(x): between the two k_Z stands K_Z⁺.",
         lambda k_xx, K_Z, k_Z: k_xx - (k_Z @ K_Z * k_Z).sum(axis=1)),
        ("K_Z is left out", "c solves K_Z c = k_Z(x): between the two k_Z stands K_Z⁺.",
         lambda k_xx, K_Z, k_Z: k_xx - (k_Z**2).sum(axis=1)),
        ("the length of c", "The nearest point is Σ c_j φ(z_j), and its squared length cᵀK_Z c.",
         lambda k_xx, K_Z, k_Z: k_xx - np.square(k_Z @ np.linalg.pinv(K_Z, 1e-10)).sum(axis=1)),
        ("the second k_Z is forgotten",
         "What is explained is c · k_Z(x): each c_j times its k(z_j, x), not the c_j alone.",
         lambda k_xx, K_Z, k_Z: k_xx - (k_Z @ np.linalg.pinv(K_Z, 1e-10)).sum(axis=1)),
        ("k(x, x) is taken for 1", "It is 1 for a Gaussian; in general it is k_xx.",
         lambda k_xx, K_Z, k_Z: left_over(np.ones(len(k_xx)), K_Z, k_Z)),
        ("the distance itself", "Squares are asked for: they add up to the trace that is lost.",
         lambda k_xx, K_Z, k_Z: np.sqrt(np.maximum(left_over(k_xx, K_Z, k_Z), 0))),
        ("a share of k(x, x)", "The squared distance itself is asked for, not divided by k(x, x).",
         lambda k_xx, K_Z, k_Z: left_over(k_xx, K_Z, k_Z) / k_xx),
        ("their sum", "The sum is the lost trace; asked for is one number per point.",
         lambda k_xx, K_Z, k_Z: left_over(k_xx, K_Z, k_Z).sum()),
        ("all pairs", "Only pairs of a point with itself are asked for: n numbers, not n².",
         lambda k_xx, K_Z, k_Z: np.diag(k_xx) - k_Z @ np.linalg.pinv(K_Z) @ k_Z.T),
    ],
    shapes="k_Z is (n, m) and K_Z⁺ is (m, m): k_Z @ K_Z⁺ is (n, m), as k_Z is.",
)  # fmt: skip


# --- a budget -----------------------------------------------------------------------------------


def budget_cases(rng: Rng) -> Iterator[Case]:
    """Budgets for nothing, for one, for all, and between."""
    yield {"n": 10, "d": 2, "budget": 31.0}  # 10·1·2 + 1 + 10·1 = 31, exactly m = 1
    yield {"n": 10, "d": 2, "budget": 30.0}
    yield {"n": 10, "d": 2, "budget": 88.0}  # exactly m = 2
    yield {"n": 4, "d": 1, "budget": 1e9}
    for n, d in 4 * ((10, 2), (100, 5), (1000, 64)):
        yield {"n": n, "d": d, "budget": float(np.round(10 ** rng.uniform(2, 8)))}


def largest_m(
    n: int, d: int, budget: float, cost: Callable[[int, int, int], float], most: int | None = None
) -> int:
    """Return the largest m whose cost is within the budget."""
    affordable = [m for m in range(1, (most or n) + 1) if cost(n, d, m) <= budget]
    return max(affordable, default=0)


def operations(n: int, d: int, m: int) -> float:
    """Return what m landmarks cost, in multiplications."""
    return n * m * d + m**3 + n * m**2


choose_m = FunctionExercise(
    "choose_m",
    "Choose m by a budget: m landmarks cost n·m·d multiplications for the kernel values, m³ for "
    "the eigendecomposition and n·m² for the features. Given n, d and budget, return the largest "
    "m ≤ n whose total is at most the budget, and 0 if not even one landmark fits.",
    [
        "Write the cost as a function of m. Does it ever fall?",
        "It only rises: go through m = 1, 2, … while it fits, or bisect.",
        "Two ends to look at: a budget too small for m = 1, and one that allows more than n.",
        "m = 0; while m < n and cost(m + 1) <= budget: m += 1; return m",
    ],
    "Doubling m costs two to eight times as much: the question is always what the last factor "
    "of two bought, and the lesson's curve of accuracy says.",
    cases=budget_cases,
    solution=lambda n, d, budget: largest_m(n, d, budget, operations),
    misconceptions=[
        ("the kernel values alone",
         "n·m·d is the smallest part once m > d: m³ and n·m² belong to it.",
         lambda n, d, budget: largest_m(n, d, budget, lambda n, d, m: n * m * d)),
        ("the features are left out", "n·m² is the largest part as long as m < n.",
         lambda n, d, budget: largest_m(n, d, budget, lambda n, d, m: n * m * d + m**3)),
        ("the eigendecomposition is left out",
         "m³ is there too, and is the largest part when m approaches n.",
         lambda n, d, budget: largest_m(n, d, budget, lambda n, d, m: n * m * d + n * m**2)),
        ("the kernel values are left out", "With many features n·m·d is what costs most.",
         lambda n, d, budget: largest_m(n, d, budget, lambda n, d, m: m**3 + n * m**2)),
        ("d is left out", "Each of the n·m kernel values costs d multiplications.",
         lambda n, d, budget: largest_m(n, 1, budget, operations)),
        ("more landmarks than points", "m ≤ n: with all points the approximation is exact.",
         lambda n, d, budget: largest_m(n, d, budget, operations, most=int(budget ** (1 / 3)) + 1)),
        ("all but n", "m = n is allowed, and range(n) stops before it.",
         lambda n, d, budget: largest_m(n, d, budget, operations, most=n - 1)),
        ("one too many", "The largest m that still fits, not the first that does not.",
         lambda n, d, budget: min(n, largest_m(n, d, budget, operations) + 1)),
        ("one too few", "One landmark more still fits: return the last m that did.",
         lambda n, d, budget: max(0, largest_m(n, d, budget, operations) - 1)),
        ("below the budget, not at it", "A cost of exactly the budget is allowed: ≤.",
         lambda n, d, budget: largest_m(n, d, budget - 1e-6, operations)),
        ("at least one", "If not even one landmark fits, say so with 0.",
         lambda n, d, budget: max(1, largest_m(n, d, budget, operations))),
    ],
    shapes="All three arguments are single numbers, and so is the answer.",
)  # fmt: skip


EXERCISES = (
    alignment,
    unexplained,
    choose_m,
    project_on_simplex,
    numerical_gradient,
    mkl_gradient,
    mkl_gap,
    greedy_landmarks,
)
