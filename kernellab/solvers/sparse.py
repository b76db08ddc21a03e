"""Rows that are mostly zero, in compressed form (CSR): what a linear solver may take for X.

Row i holds `values[starts[i]:starts[i + 1]]` in the columns `columns[starts[i]:starts[i + 1]]`, and
zeros elsewhere. A step on a row need not touch them: O(nnz of the row), whatever d is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernellab.compiled import compiled_or
from kernellab.solvers.sdca import add_multiple
from kernellab.validation import FloatArray, check_vectors

Vector = FloatArray
Indices = NDArray[np.integer[Any]]


class SparseRows(NamedTuple):
    """A matrix of shape (n, d) by its non-zeros: values and columns (nnz,), starts (n + 1,)."""

    values: Vector
    columns: Indices
    starts: Indices
    matrix: Any  # the same arrays as a scipy.sparse.csr_array, for products with vectors


def _dot_in_a_line(values: FloatArray, columns: Any, starts: Any, i: int, v: Vector) -> float:
    if values.ndim == 2:
        return float(values[i] @ v)
    row = slice(starts[i], starts[i + 1])
    return float(values[row] @ v[columns[row]])


def _add_in_a_line(
    v: Vector, weight: float, values: FloatArray, columns: Any, starts: Any, i: int
) -> None:
    if values.ndim == 2:
        add_multiple(v, weight, values[i])
    else:
        row = slice(starts[i], starts[i + 1])
        v[columns[row]] += weight * values[row]


@compiled_or(_dot_in_a_line)
def row_dot(values: FloatArray, columns: Any, starts: Any, i: int, v: Vector) -> float:
    """Return x_i·v, for a dense X given as (X, None, None) or for the arrays of `SparseRows`."""
    if values.ndim == 2:  # known when compiled, so the other branch is not even looked at
        return values[i] @ v
    total = 0.0
    for k in range(starts[i], starts[i + 1]):
        total += values[k] * v[columns[k]]
    return total


@compiled_or(_add_in_a_line)
def row_add(
    v: Vector, weight: float, values: FloatArray, columns: Any, starts: Any, i: int
) -> None:
    """Add weight · x_i to v, in place."""
    if values.ndim == 2:
        add_multiple(v, weight, values[i])
    else:
        for k in range(starts[i], starts[i + 1]):
            v[columns[k]] += weight * values[k]


def row_arrays(X: FloatArray | SparseRows) -> tuple[FloatArray, Any, Any]:
    """Return what `row_dot` and `row_add` take."""
    return (X.values, X.columns, X.starts) if isinstance(X, SparseRows) else (X, None, None)


def check_rows(X: Any) -> FloatArray | SparseRows:
    """Return X dense as it came dense, or sparse as it came sparse; finite, float64, shape (n, d).

    Of the sparse formats CSR is used as it is, the others are converted; arrays of X itself, not
    copies, where they are as needed. Taught in notebook 04. Raises ValueError if X is not such a
    matrix, or has an entry that is not a finite real number.
    """
    if not hasattr(X, "tocsr"):
        return check_vectors(X)
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(f"X must hold at least one example and one feature, got shape {X.shape}")
    if X.dtype.kind not in "biuf":
        raise ValueError(f"X must hold real numbers, got {X.dtype}")
    matrix = X.tocsr()
    if not matrix.has_canonical_format:  # a column twice in one row means the sum of the two
        matrix = matrix.copy()
        matrix.sum_duplicates()
    matrix = matrix.astype(np.float64, copy=False)
    if not np.isfinite(matrix.data).all():
        bad = matrix.data[~np.isfinite(matrix.data)]
        raise ValueError(
            f"X must be finite, got {bad[0]} ({len(bad)} such entries); remove or replace them"
        )
    # Unsigned, so that a compiled loop need not ask whether a column counts from the end.
    unsigned = np.uint32 if matrix.indices.dtype == np.int32 else np.uint64
    return SparseRows(matrix.data, matrix.indices.view(unsigned), matrix.indptr, matrix)


def times(X: FloatArray | SparseRows, w: Vector) -> Vector:
    """Return X w, shape (n,)."""
    return (X.matrix if isinstance(X, SparseRows) else X) @ w


def transposed_times(X: FloatArray | SparseRows, a: Vector) -> Vector:
    """Return Xᵀ a, shape (d,)."""
    return (X.matrix if isinstance(X, SparseRows) else X).T @ a


def squared_lengths(X: FloatArray | SparseRows) -> Vector:
    """Return ‖x_i‖² of every row, shape (n,)."""
    if isinstance(X, SparseRows):
        return np.asarray(X.matrix.power(2).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, X)


def shape(X: FloatArray | SparseRows) -> tuple[int, int]:
    """Return (n, d)."""
    n, d = X.matrix.shape if isinstance(X, SparseRows) else X.shape
    return int(n), int(d)


def take(X: FloatArray | SparseRows, rows: Indices) -> FloatArray | SparseRows:
    """Return some rows of X, in the same form."""
    return check_rows(X.matrix[rows]) if isinstance(X, SparseRows) else X[rows]
