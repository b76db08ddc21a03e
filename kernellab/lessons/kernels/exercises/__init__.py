"""Exercises of notebook 03: features and kernels, and what one can do with a Gram matrix alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kernellab.exercises.examples import Rng, some_gram
from kernellab.exercises.exercise import Case, FunctionExercise
from kernellab.lessons.kernels.exercises.features import (
    gaussian_series,
    map_of_kernel,
    product_features,
)
from kernellab.lessons.kernels.exercises.means import mean_discrepancy, nearest_mean
from kernellab.lessons.kernels.exercises.pca import kernel_pca
from kernellab.lessons.kernels.theory.witness import centre
from kernellab.validation import FloatArray

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


def squared(K: FloatArray, cross: float = -2.0) -> FloatArray:
    """Return all ‖φ(x_i)‖² + ‖φ(x_j)‖² plus so many φ(x_i)·φ(x_j): for −2, squared distances."""
    norms = np.diag(K)
    return norms[:, np.newaxis] + norms + cross * K


def root(square: FloatArray) -> FloatArray:
    """Return the root, of what rounding has left below 0 too."""
    return np.asarray(np.sqrt(np.maximum(0.0, square)))


feature_distances = FunctionExercise(
    "feature_distances",
    "A warm-up in two lines. Given K (n, n), return the distances "
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
    solution=lambda K: root(squared(K)),
    misconceptions=[
        ("the square of the distance", "Take the square root.",
         lambda K: np.maximum(0.0, squared(K))),
        ("a kernel value is a distance",
         "It is a dot product: large where the two are alike, and 0 at right angles.", lambda K: K),
        *(("every φ(x) has length 1",
           "2 − 2 K_ij needs K_ii = 1, which holds for a Gaussian and not for every kernel.",
           lambda K, of=of: of(2 - 2 * K))
          for of in (root, np.sqrt)),
        ("one minus a similarity is a distance",
         "1 − K_ij is half the squared distance where K_ii = K_jj = 1, and nothing elsewhere.",
         lambda K: 1 - K),
        ("the cross term counts once", "(a − b)² = a² − 2ab + b²: twice.",
         lambda K: root(squared(K, cross=-1.0))),
        ("the plus sign", "‖a + b‖² has + 2ab; a distance has − 2ab.",
         lambda K: np.sqrt(squared(K, cross=2.0))),
        ("the length of one of them twice",
         "K_ii and K_jj are two numbers: np.diag(K) as a column plus np.diag(K) as a row.",
         lambda K: root(2 * np.diag(K) - 2 * K)),
        ("the distance of the rows of K", "Row i of K is no φ(x_i). Use K_ii − 2 K_ij + K_jj.",
         lambda K: np.linalg.norm(K[:, np.newaxis] - K, axis=2)),
        ("rounding stays above 0",
         "The 1s above differ in the last digit: the square comes out as −4e-16, its root as "
         "nan. np.maximum(0, …) first.", lambda K: np.sqrt(squared(K))),
        ("the difference of the lengths",
         "√K_ii − √K_jj is 0 for two vectors of one length in different directions.",
         lambda K: np.abs(np.sqrt(np.diag(K))[:, np.newaxis] - np.sqrt(np.diag(K)))),
    ],
    shapes="np.diag(K) is (n,); np.diag(K)[:, None] is a column, and column + row is (n, n).",
)  # fmt: skip


# --- normalising and centring ---------------------------------------------------------------------


def gram_cases(rng: Rng) -> Iterator[Case]:
    """Two points first."""
    yield {"K": np.array([[1.0, 0.0], [0.0, 4.0]])}
    yield {"K": np.array([[4.0, 2.0], [2.0, 1.0]])}
    for n in 3 * (2, 3, 4):
        yield {"K": some_gram(n, rng)}


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
        ("divided by the squares",
         "K_ii is ‖φ(x_i)‖², so its root is the length: divide by √(K_ii K_jj).",
         lambda K: (K / np.outer(np.diag(K), np.diag(K)), centre(K))),
        *(("divided by one length",
           "Both vectors are scaled: divide row i by √K_ii and column j by √K_jj.",
           lambda K, shape=shape: (K / np.diag(K).reshape(shape), centre(K)))
          for shape in ((1, -1), (-1, 1))),
        ("scaled to the largest entry",
         "One number for all does not make each φ(x) of length 1: the diagonal must be 1.",
         lambda K: (K / K.max(), centre(K))),
        ("the mean of all is subtracted",
         "Subtracting a number from K is no centring: multiply (φ_i − μ)·(φ_j − μ) out.",
         lambda K: (normalised(K), K - K.mean())),
        *(("the columns are centred once",
           "Both sides are centred: the means of the rows, of the columns, and of all of K.",
           lambda K, axis=axis: (normalised(K), K - K.mean(axis=axis, keepdims=True)))
          for axis in (0, 1)),
        ("the mean of all is forgotten",
         "(φ_i − μ)·(φ_j − μ) ends with + μ·μ, the mean of all of K.",
         lambda K: (normalised(K), K - K.mean(axis=0) - K.mean(axis=1, keepdims=True))),
        ("the mean of all with the wrong sign", "(a − m)(b − m) = ab − am − mb + m².",
         lambda K: (
         normalised(K), K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) - K.mean(),
         )),
        ("centred, then normalised", "Each is asked of K itself, not one of the other.",
         lambda K: (normalised(K), centre(normalised(K)))),
        ("the order of the two", "First the normalised matrix, then the centred one.",
         lambda K: (centre(K), normalised(K))),
    ],
    shapes="K.mean(axis=1) is (n,); as a column it is K.mean(axis=1)[:, None].",
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
