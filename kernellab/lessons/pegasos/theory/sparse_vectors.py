"""Vectors that are mostly zero, as dictionaries: the first idea for sparse data, and its price.

A row is {column: value}. Three operations are all that Pegasos needs. `sparse` has what a solver
uses instead: arrays, and weights with a scale of their own, so that shrinking costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from kernellab.solvers.sparse import SparseRows, check_rows, squared_lengths
from kernellab.solving import Order
from kernellab.validation import FloatArray

Sparse = dict[int, float]


def dot(a: Sparse, b: Sparse) -> float:
    """Return a·b."""
    if len(b) < len(a):
        a, b = b, a
    return sum(value * b.get(key, 0.0) for key, value in a.items())


def increment(v: Sparse, scale: float, x: Sparse) -> None:
    """Add scale · x to v, in place."""
    for key, value in x.items():
        v[key] = v.get(key, 0.0) + scale * value


def multiply(v: Sparse, scale: float) -> None:
    """Multiply v by a number, in place."""
    for key in v:
        v[key] *= scale


def dictionary_pegasos(
    rows: Sequence[Sparse], y: Any, lam: float, order: Order
) -> tuple[Sparse, int, int]:
    """Run Pegasos on n dictionaries {column: value}, with the three operations as they come.

    Returns w, how many multiplications that took, and how many violations there were. Shrinking
    needs one for every weight so far, at every step. The steps are those of `pegasos`. Taught in
    notebook 04.
    """
    w: Sparse = {}
    multiplications = violations = 0
    for t, i in enumerate(order, start=1):
        violated = y[i] * dot(w, rows[i]) < 1
        multiplications += min(len(w), len(rows[i])) + len(w)
        multiply(w, 1 - 1 / t)
        if violated:
            violations += 1
            increment(w, y[i] / (lam * t), rows[i])
            multiplications += len(rows[i])
    return w, multiplications, violations


def sum_pass(
    X: FloatArray, y: FloatArray, lam: float, alpha: FloatArray, v: FloatArray, order: Order, t: int
) -> None:
    """Take the steps of Pegasos without shrinking: w = v / (λt), and v is the sum of violators."""
    for i in order:
        f = X[i] @ v / (lam * t) if t > 0 else 0.0
        t += 1
        if y[i] * f < 1:
            alpha[i] += 1
            v += y[i] * X[i]


def price(X: Any, y: FloatArray, lam: float, order: Order) -> dict[str, float]:
    """Return the multiplications of a mean step: counted for dictionaries, else by a formula."""
    rows, steps = as_dictionaries(X), len(order)
    _, multiplications, violations = dictionary_pegasos(rows, y, lam, order)
    share, present = violations / steps, float(np.mean([len(rows[i]) for i in order]))
    return {
        "dense rows": X.shape[1] * (2 + share),
        "dictionaries": multiplications / steps,
        "w = v/(λt)": present * (1 + share),
    }


def as_dictionaries(X: Any) -> list[Sparse]:
    """Return the rows of a matrix, dense or sparse, as dictionaries of their non-zeros."""
    X = csr_array(X)
    columns, values = np.split(X.indices, X.indptr[1:-1]), np.split(X.data, X.indptr[1:-1])
    return [
        dict(zip(*(part.tolist() for part in row), strict=True))
        for row in zip(columns, values, strict=True)
    ]


def unit_rows(X: Any) -> Any:
    """Return X, shape (n, d), with every row divided by its length; sparse stays sparse.

    Counts of words, for example: long texts should not weigh more than short ones. Rows of zeros
    stay zero. Raises a ValueError if X is not a matrix of finite numbers. Taught in notebook 04.
    """
    rows = check_rows(X)
    lengths = np.sqrt(squared_lengths(rows))
    lengths[lengths == 0] = 1.0
    if not isinstance(rows, SparseRows):
        return rows / lengths[:, np.newaxis]
    scaled = rows.matrix.copy()
    scaled.data = scaled.data / np.repeat(lengths, np.diff(rows.starts))
    return scaled
