"""The features that a polynomial kernel never computes, computed: how many, and which.

(x·z + c)^p is a dot product of vectors of all products of up to p coordinates. Writing them out is
possible for a few coordinates only; here it is done, so that it can be checked.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.validation import FloatArray, check_number, check_positive_integer, check_vectors


def count_features(n_features: int, degree: int, *, lower: bool = False) -> int:
    """Count the products of p = ``degree`` of the d coordinates, each taken any number of times.

    Returns (d + p − 1 choose p). With ``lower`` also those of fewer factors, down to none (the
    constant 1), are counted, (d + p choose p): they are of degree p with one more coordinate,
    always 1. Taught in notebook 03. Raises ValueError if n_features or degree is not a positive
    integer.
    """
    d = check_positive_integer(n_features, "n_features") + lower
    p = check_positive_integer(degree, "degree")
    return comb(d + p - 1, p)


def exponents(n_features: int, degree: int, *, lower: bool = False) -> NDArray[np.int_]:
    """List the products of coordinates, each by the powers in which the coordinates occur.

    Returns an array of shape (count_features(…), n_features): row (2, 0, 1) stands for x₁² x₃. High
    degrees first, pure powers before mixed products: for two coordinates and degree 2 it is x₁²,
    x₂², x₁x₂, then x₁, x₂, then 1. Arguments and errors are those of :func:`count_features`. Taught
    in notebook 03.
    """
    d = check_positive_integer(n_features, "n_features") + lower
    p = check_positive_integer(degree, "degree")
    chosen = combinations_with_replacement(range(d), p)
    rows = [tuple(choice.count(k) for k in range(d)) for choice in chosen]
    rows = sorted(row[:n_features] for row in rows)[::-1]
    rows.sort(key=lambda row: (-sum(row), -max(row)))  # stable: ties stay as they are
    return np.array(rows)


def polynomial_map(X: Any, degree: int, coef0: float = 0.0) -> FloatArray:
    """Return the features of the polynomial kernel: φ(x)·φ(z) = (x·z + coef0)^degree.

    X has shape (n, d); the features, shape (n, number of features), are in the order of
    :func:`exponents`; for p = 2 and c = 0 in the plane (x₁², x₂², √2 x₁x₂). By the multinomial
    theorem (Σ x_k z_k + c)^p = Σ_r p!/(Π r_k! (p−Σr_k)!) c^{p−Σr_k} Π (x_k z_k)^{r_k}, so feature r
    is √(that coefficient) Π x_k^{r_k}. Taught in notebook 03. Raises ValueError if X is not such an
    array, degree no positive integer, or coef0 = c negative.
    """
    X = check_vectors(X)
    c = check_number(coef0, "coef0")
    if c < 0:
        raise ValueError(f"coef0 must be at least 0, got {c}: below, (x·z + coef0)^p is no kernel")
    powers = exponents(X.shape[1], degree, lower=c > 0)
    rest = degree - powers.sum(axis=1)
    ways = [
        factorial(degree) / prod(factorial(r) for r in (*row, left))
        for row, left in zip(powers.tolist(), rest.tolist(), strict=True)
    ]
    products = np.stack([np.prod(X**row, axis=1) for row in powers], axis=1)
    return np.sqrt(np.array(ways) * c**rest) * products
