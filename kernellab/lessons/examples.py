"""Random examples for checks: small whole numbers, so that a student can follow by hand."""

from __future__ import annotations

import numpy as np

from kernellab.validation import FloatArray

Rng = np.random.Generator


def some_labels(n: int, rng: Rng) -> FloatArray:
    """Draw labels, both of them present."""
    return rng.permutation(np.append([-1.0, 1.0], rng.choice([-1.0, 1.0], n - 2)))


def some_vectors(n: int, d: int, rng: Rng) -> FloatArray:
    """Draw vectors of small whole numbers: sums of them are exact, and readable."""
    return rng.integers(-3, 4, (n, d)).astype(float)
