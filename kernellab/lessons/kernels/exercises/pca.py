"""Exercise of notebook 03: principal components in feature space."""

from __future__ import annotations

from collections.abc import Iterator
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
)
from kernellab.lessons.kernels.theory.witness import centre
from kernellab.validation import FloatArray


def pca_cases(rng: Rng) -> Iterator[Case]:
    """Points on a line first; then matrices whose leading eigenvalues are far apart."""
    x = np.array([0.0, 1.0, 5.0])
    yield {"K": np.outer(x, x), "n_components": 1}
    yield {"K": np.outer(x, x) / 100, "n_components": 1}  # an eigenvalue below 1
    yield {"K": np.diag([9.0, 4.0, 1.0]) + 1, "n_components": 1}
    for n, k in 2 * ((3, 1), (4, 2), (5, 2), (6, 3)):
        while True:
            X = some_directions(n, 4, rng)
            values = np.linalg.eigvalsh(centre(X @ X.T))[::-1]
            if (values[:k] - values[1 : k + 1] > 0.5).all():
                break
        yield {"K": X @ X.T, "n_components": k}


def scaled(vectors: FloatArray, values: FloatArray, power: float = 0.5) -> FloatArray:
    """Return columns, each times a power of its eigenvalue."""
    return np.asarray(vectors * np.maximum(values, 0.0) ** power)


def coordinates(M: FloatArray, k: int, power: float = 0.5) -> FloatArray:
    """Return the first k eigenvectors of M, scaled by a power of their eigenvalues."""
    values, vectors = np.linalg.eigh(M)
    return scaled(vectors[:, ::-1][:, :k], values[::-1][:k], power)


def smallest(M: FloatArray, k: int) -> FloatArray:
    """Return the last coordinates instead of the first."""
    values, vectors = np.linalg.eigh(M)
    return scaled(vectors[:, :k], values[:k])


def by_rows(M: FloatArray, k: int) -> FloatArray:
    """Return rows of the matrix of eigenvectors as if they were its columns."""
    values, vectors = np.linalg.eigh(M)
    return scaled(vectors[::-1][:k].T, values[::-1][:k])


def up_to_sign(first: Numbers, second: Numbers) -> bool:
    """Say whether two sets of coordinates are equal up to the sign of each column."""
    if first is None or second is None or first.shape != second.shape or first.ndim != 2:
        return False
    flip = np.where((first * second).sum(axis=0) < 0, -1.0, 1.0)
    return close(first, second * flip)


def upwards(columns: FloatArray) -> FloatArray:
    """Return columns with the sign that makes the largest entry positive, the first of equals."""
    rows = np.abs(columns).round(6).argmax(axis=0)
    return columns * np.where(columns[rows, np.arange(columns.shape[1])] < 0, -1.0, 1.0)


def judge_coordinates(case: Case, value: Any) -> str | None:
    """Compare coordinates; the sign of each column is free, and shown by a rule."""
    right = coordinates(centre(case["K"]), case["n_components"])
    given = as_numbers(value)
    if up_to_sign(given, right):
        return None
    if given is not None and given.shape == right.shape:
        value = upwards(given)
    words = compare(upwards(right), value) or ""
    return f"{words}\nThe sign of each column is free: here the largest entry is positive."


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
        ("K is not centred",
         "Without centring the first component points to the mean: that is no variance.",
         lambda K, n_components: coordinates(K, n_components)),
        ("eigenvectors are coordinates",
         "All of them have length 1. Scale by √s, or every component has the same variance.",
         lambda K, n_components: coordinates(centre(K), n_components, 0.0)),
        ("scaled by s instead of √s", "Z Zᵀ = V s Vᵀ, so Z = V √s.",
         lambda K, n_components: coordinates(centre(K), n_components, 1.0)),
        ("divided by √s",
         "That is the scale of the direction in feature space; the coordinates are √s v.",
         lambda K, n_components: coordinates(centre(K), n_components, -0.5)),
        ("the smallest eigenvalues", "eigh sorts upwards: the largest variance stands at the end.",
         lambda K, n_components: smallest(centre(K), n_components)),
        ("eigenvectors are rows", "eigh returns them as columns: V[:, j], not V[j].",
         lambda K, n_components: by_rows(centre(K), n_components)),
        ("the largest come last",
         "The columns are the right ones in ascending order: reverse them.",
         lambda K, n_components: coordinates(centre(K), n_components)[:, ::-1]),
    ],
    shapes="V[:, :k] is (n, k) and np.sqrt(s[:k]) is (k,): each column is scaled by its number.",
)  # fmt: skip
