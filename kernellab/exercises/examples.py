"""Random examples for checks: small whole numbers, so that a student can follow by hand."""

from __future__ import annotations

import numpy as np

from kernellab.validation import FloatArray

Rng = np.random.Generator


def some_labels(n: int, rng: Rng, *, each: int = 1) -> FloatArray:
    """Draw labels, both of them at least `each` times."""
    both = np.repeat([-1.0, 1.0], each)
    return rng.permutation(np.append(both, rng.choice([-1.0, 1.0], n - len(both))))


def some_vectors(n: int, d: int, rng: Rng) -> FloatArray:
    """Draw vectors of small whole numbers: sums of them are exact, and readable."""
    return rng.integers(-3, 4, (n, d)).astype(float)


def some_directions(n: int, d: int, rng: Rng) -> FloatArray:
    """Draw vectors of small whole numbers, none of them zero: each has a direction."""
    X = some_vectors(n, d, rng)
    X[~X.any(axis=1), 0] = 1.0
    return X


def some_gram(n: int, rng: Rng) -> FloatArray:
    """Draw vectors, and return their Gram matrix for a polynomial kernel or a linear one."""
    X = some_directions(n, 2, rng)
    return X @ X.T if rng.random() < 0.5 else (X @ X.T + 1) ** 2
