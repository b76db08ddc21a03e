"""A published experiment, replicated: ten digits by 64 eigenvectors and by gradient steps.

D. Picard, *Machine Learning and Applications: SVM and kernel machines*, lecture notes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kernellab.datasets import load_digits
from kernellab.kernels import Polynomial
from kernellab.validation import FloatArray

STEPS, STEP = 2500, 0.1


def eigen_features(K: FloatArray, K_new: FloatArray, m: int) -> tuple[FloatArray, FloatArray]:
    """Return features from the m largest eigenvectors of K, for its examples and for new ones.

    K has shape (n, n), K_new (k, n): kernel values of new examples and old ones. φ(x) =
    S^−½ Uᵀ k(X, x). Taught in notebook 07, in words.
    """
    S, U = np.linalg.eigh(K)
    P = U[:, -m:] / np.sqrt(S[-m:])
    return K @ P, K_new @ P


class Split(NamedTuple):
    """100 images, ten of each digit, and the others: labels, pixels in [0, 1], and features."""

    y: FloatArray
    y_new: FloatArray
    pixels: tuple[FloatArray, FloatArray]
    eigen: tuple[FloatArray, FloatArray]


def hundred_digits(seed: int) -> Split:
    """Draw 100 images, and make their 64 eigenvector features for (x·z)² of rows of length 1."""
    data = load_digits(None)
    order = np.random.default_rng(seed).permutation(len(data.y))
    first = np.concatenate([order[data.y[order] == digit][:10] for digit in range(10)])
    rest = np.setdiff1d(order, first)
    unit, kernel = data.X / np.linalg.norm(data.X, axis=1, keepdims=True), Polynomial(2, 0.0)
    eigen = eigen_features(kernel(unit[first]), kernel(unit[rest], unit[first]), 64)
    pixels = data.X[first] / 16, data.X[rest] / 16
    return Split(data.y[first], data.y[rest], pixels, eigen)


def gradient_machine(
    F: FloatArray, y: FloatArray, ridge: float, w: FloatArray, b: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return w and b of ten classes, shapes (d, 10) and (10,), after 2500 gradient steps of 0.1.

    Minimises ridge · Σ w² + the mean hinge over all n × 10 margins, from the w and b given.
    """
    Y = np.where(y[:, np.newaxis] == np.arange(10), 1.0, -1.0)
    for _ in range(STEPS):
        pushed = np.where(Y * (F @ w + b) < 1, Y, 0.0) / Y.size
        w, b = w + STEP * (F.T @ pushed - 2 * ridge * w), b + STEP * pushed.sum(axis=0)
    return w, b


def published(features: str, ridge: float, draws: int = 10) -> FloatArray:
    """Return the accuracy on new images, one per draw, by "eigen" or "pixels" and this ridge.

    As published, w starts at random, and b too for the eigenvectors, at zero for the pixels.
    """
    right = []
    for seed in range(draws):
        data = hundred_digits(seed)
        F, F_new = getattr(data, features)
        rng = np.random.default_rng(seed)
        w, b = rng.normal(size=(F.shape[1], 10)), (features == "eigen") * rng.normal(size=10)
        w, b = gradient_machine(F, data.y, ridge, w, b)
        right.append(np.mean((F_new @ w + b).argmax(axis=1) == data.y_new))
    return np.array(right)
