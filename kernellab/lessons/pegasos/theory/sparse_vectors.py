"""Vectors that are mostly zero, as dictionaries: the first idea for sparse data, and its price.

A row is {column: value}. Three operations are all that Pegasos needs. `sparse` has what a solver
uses instead: arrays, and weights with a scale of their own, so that shrinking costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from kernellab.solvers.sparse import SparseRows, check_rows
from kernellab.solving import Order
from kernellab.validation import FloatArray, check_labels, check_positive

Sparse = dict[int, float]


def dot(a: Sparse, b: Sparse) -> float:
    """Return a·b, in as many multiplications as the shorter one has entries."""
    if len(b) < len(a):
        a, b = b, a
    return sum(value * b.get(key, 0.0) for key, value in a.items())


def increment(v: Sparse, scale: float, x: Sparse) -> None:
    """Add scale · x to v, in place: as many multiplications as x has entries."""
    for key, value in x.items():
        v[key] = v.get(key, 0.0) + scale * value


def multiply(v: Sparse, scale: float) -> None:
    """Multiply v by a number, in place: as many multiplications as v has entries."""
    for key in v:
        v[key] *= scale


def dictionary_pegasos(
    rows: Sequence[Sparse], y: Any, lam: float, orders: Iterable[Order]
) -> tuple[Sparse, int]:
    """Run Pegasos on dictionaries, with the three operations as they come.

    Parameters
    ----------
    rows : sequence of n dictionaries
        Examples {column: value}.
    y : array of shape (n,)
        Labels −1 and +1.
    lam : float
        λ > 0; in C-form C = 1/(λn).
    orders : iterable of integer arrays
        Which examples to use, one array a pass.

    Returns
    -------
    w : dictionary
        The weights.
    multiplications : int
        How many it took. Shrinking needs one for every weight so far, at every step.

    Raises
    ------
    ValueError
        For bad labels or a bad λ.

    Notes
    -----
    The steps are those of `pegasos`. Taught in notebook 04.
    """
    y, lam = check_labels(y, len(rows)), check_positive(lam, "lam")
    w: Sparse = {}
    t = multiplications = 0
    for order in orders:
        for i in order:
            t += 1
            violation = y[i] * dot(w, rows[i]) < 1
            multiplications += min(len(w), len(rows[i])) + len(w)
            multiply(w, 1 - 1 / t)
            if violation:
                increment(w, y[i] / (lam * t), rows[i])
                multiplications += len(rows[i])
    return w, multiplications


def as_dictionaries(X: Any) -> list[Sparse]:
    """Return the rows of a matrix, dense or sparse, as dictionaries of their non-zeros.

    Raises
    ------
    ValueError
        If X is not a matrix of finite numbers.
    """
    rows = check_rows(X)
    if isinstance(rows, SparseRows):
        ends = zip(rows.starts[:-1], rows.starts[1:], strict=True)
        return [
            dict(zip(rows.columns[a:b].tolist(), rows.values[a:b].tolist(), strict=True))
            for a, b in ends
        ]
    return [{int(k): float(x[k]) for k in np.flatnonzero(x)} for x in rows]


def unit_rows(X: Any) -> Any:
    """Return X with every row divided by its length; sparse stays sparse, rows of zeros stay zero.

    Parameters
    ----------
    X : array or SciPy sparse array of shape (n, d)
        Counts of words, for example: long texts should not weigh more than short ones.

    Returns
    -------
    array or csr_array of shape (n, d)
        ‖x_i‖ = 1.

    Raises
    ------
    ValueError
        If X is not a matrix of finite numbers.

    Notes
    -----
    Taught in notebook 04.
    """
    rows = check_rows(X)
    if isinstance(rows, SparseRows):
        lengths = np.sqrt(np.asarray(rows.matrix.multiply(rows.matrix).sum(axis=1)).ravel())
        scaled = rows.matrix.copy()
        scaled.data = scaled.data / np.repeat(_not_zero(lengths), np.diff(rows.starts))
        return scaled
    return rows / _not_zero(np.linalg.norm(rows, axis=1))[:, np.newaxis]


def _not_zero(lengths: FloatArray) -> FloatArray:
    return np.where(lengths > 0, lengths, 1.0)
