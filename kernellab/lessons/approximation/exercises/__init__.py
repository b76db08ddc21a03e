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
    "greedy_landmarks",
    "mkl_gap",
    "mkl_gradient",
    "numerical_gradient",
    "project_on_simplex",
    "random_features",
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
        "The cosine of two vectors is their dot product over the product of their norms.",
        "The dot product of K and yyᵀ is Σ_ij K_ij y_i y_j. What is that, as matrix products?",
        "yᵀKy; as a vector K has the Frobenius norm, and yyᵀ has the norm n.",
        "y @ K @ y / (len(y) * np.linalg.norm(K))",
    ],
    "It costs n² operations and no training, and is a first order in which to try kernels; "
    "the average of good ones is hard to beat.",
    cases=alignment_cases,
    solution=aligned,
    misconceptions=[
        ("the dot product alone", "A cosine is the dot product divided by both norms.",
         lambda K, y: y @ K @ y),
        ("not divided by n", "yyᵀ is a vector too, whose norm is n.",
         lambda K, y: y @ K @ y / np.linalg.norm(K)),
        ("divided by the root of n", "The norm of yyᵀ is √(n²) = n.",
         lambda K, y: y @ K @ y / (np.sqrt(len(y)) * np.linalg.norm(K))),
        ("not divided by the norm of K", "Otherwise 2k would fit twice as well as k.",
         lambda K, y: y @ K @ y / len(y)),
        ("divided by n²", "One n is the norm of yyᵀ; the other must be the norm of K.",
         lambda K, y: y @ K @ y / len(y) ** 2),
        ("divided by the trace", "The norm of K as a vector of n² numbers is its Frobenius norm.",
         lambda K, y: y @ K @ y / (len(y) * np.trace(K))),
        ("the largest eigenvalue as the norm",
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
        ("the square of the norm", "A cosine has norms below, not their squares.",
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


# --- random features ----------------------------------------------------------------------------


def draw_cases(rng: Rng) -> Iterator[Case]:
    """One cosine and one sine, with √(2γ) = 2; then two, and a γ that changes nothing."""
    yield {"X": np.array([[0.5]]), "draws": np.array([[1.0]]), "gamma": 2.0}
    yield {"X": np.array([[1.0, 0.0]]), "draws": np.array([[1.0, 2.0], [0.5, 0.0]]), "gamma": 0.5}
    for n, m, d in 3 * ((1, 2, 1), (2, 2, 2), (3, 2, 4), (2, 4, 3)):
        draws, gamma = rng.normal(size=(m, d)).round(1), float(rng.choice([0.125, 1.0, 2.0]))
        yield {"X": some_vectors(n, d, rng) / 2, "draws": draws, "gamma": gamma}


def waves(
    scale: Callable[[float], float] = lambda gamma: np.sqrt(2 * gamma),
    weight: Callable[[int], float] = lambda m: 1 / np.sqrt(m),
    join: Callable[[list[FloatArray]], FloatArray] = np.hstack,
) -> Callable[..., FloatArray]:
    """Return random features whose draws are scaled, weighted or joined in a way."""

    def idea(X: FloatArray, draws: FloatArray, gamma: float) -> FloatArray:
        angles = X @ (scale(gamma) * draws).T
        return weight(len(draws)) * join([np.cos(angles), np.sin(angles)])

    return idea


random_features = FunctionExercise(
    "random_features",
    "Random Fourier features of the Gaussian kernel exp(−γ‖x − z‖²). Given X (n, d), draws (m, d) "
    "of a standard normal, with variance 1, and gamma, return Φ (n, 2m): first all m cosines, "
    "then all m sines, so that ΦΦᵀ is nearly K.",
    [
        "Which variance must the frequencies ω have? And what makes it of a variance of 1?",
        "2γ. A number s times the draws has the variance s²: so s = √(2γ).",
        "The n·m angles ω_j · x are one matrix product. Divide their cosines and sines by √m.",
        "angles = X @ (np.sqrt(2 * gamma) * draws).T; np.hstack([np.cos(angles), np.sin(angles)]) "
        "/ np.sqrt(len(draws))",
    ],
    "φ(x) · φ(x) = 1 for any draws, as k(x, x) is. And the features of x ask for no other example: "
    "whoever has the draws can make them, anywhere.",
    cases=draw_cases,
    solution=waves(),
    misconceptions=[
        ("γ as the variance", "It is 2γ: with γ you get the kernel of half the γ.",
         waves(np.sqrt)),
        ("2γ as the deviation", "2γ is the variance; its root is what multiplies the draws.",
         waves(lambda gamma: 2 * gamma)),
        ("σ in place of 1/σ", "A narrow kernel takes fast cosines: multiply by √(2γ) = 1/σ.",
         waves(lambda gamma: 1 / np.sqrt(2 * gamma))),
        ("γ is left out", "The bare draws make the kernel of γ = ½.", waves(lambda gamma: 1)),
        ("turns for angles", "There is no 2π: the cosine is that of ω · x itself.",
         waves(lambda gamma: 2 * np.pi * np.sqrt(2 * gamma))),
        ("not divided by √m", "The kernel is the average of m cosines, not their sum.",
         waves(weight=lambda m: 1)),
        ("divided by m", "Two features are multiplied: each brings 1/√m, both 1/m.",
         waves(weight=lambda m: 1 / m)),
        ("divided by √(2m)", "cos² + sin² = 1: the two of a pair count once, so m and not 2m.",
         waves(weight=lambda m: 1 / np.sqrt(2 * m))),
        ("√(2/m)", "That is for m cosines with a random phase each; here sines stand beside them.",
         waves(weight=lambda m: np.sqrt(2 / m))),
        ("cosines alone", "cos a cos b is not cos(a − b): sin a sin b is missing.",
         waves(join=lambda both: both[0])),
        ("√(2/m) cosines without a phase",
         "√2 cos(ω·x + b) works with a random b for each ω. Here sines are asked for instead.",
         waves(weight=lambda m: np.sqrt(2 / m), join=lambda both: both[0])),
        ("below one another", "One row per example: side by side, axis=1.", waves(join=np.vstack)),
        ("pair by pair", "It is the same kernel; but first all cosines are asked for.",
         waves(join=lambda both: np.dstack(both).reshape(len(both[0]), -1))),
    ],
    shapes="X is (n, d) and the draws are (m, d): X @ draws.T is (n, m).",
)  # fmt: skip


EXERCISES = (
    alignment,
    unexplained,
    random_features,
    project_on_simplex,
    numerical_gradient,
    mkl_gradient,
    mkl_gap,
    greedy_landmarks,
)
