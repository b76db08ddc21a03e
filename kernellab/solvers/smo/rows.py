"""Rows of a Gram matrix: all there from the start, or computed when asked for and kept in a bound.

An SVM at 10 000 examples needs a few thousand rows of K at most, and the whole of it would take
800 MB and more time than the solve.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.compiled import compiled_or
from kernellab.kernels import Gaussian, VectorKernel, as_kernel
from kernellab.kernels.distances import EXACT_FEATURES, ROUNDING
from kernellab.solvers.sdca import add_multiple
from kernellab.validation import FloatArray, check_positive_integer, check_vectors

Indices = NDArray[np.intp]

RowFunction = Callable[[int, FloatArray], None]
"""Writes row i of a Gram matrix into an array."""

DEFAULT_BYTES = 300_000_000


class RowSource(ABC):
    """What a solver needs of a Gram matrix K of n examples.

    Attributes
    ----------
    stored : ndarray, shape (slots, n). Some rows of K.
    slot : ndarray of int, shape (n,)
        Row i of K is ``stored[slot[i]]``; −1 if it has to be fetched first.
    diagonal : ndarray, shape (n,). K_ii.
    given : ndarray, shape (n, n), or None
        K itself if somebody gave it: it may be no Gram matrix. None if a kernel computes its rows.
    """

    given: FloatArray | None = None
    stored: FloatArray
    slot: Indices
    diagonal: FloatArray

    def __len__(self) -> int:
        return len(self.slot)

    @abstractmethod
    def fetch(self, i: int, keep: int = -1) -> None:
        """Store row i; if another has to go for it, not row `keep`."""

    @abstractmethod
    def take(self, subset: Indices) -> RowSource:
        """Return the rows and columns of `subset`: a source of its own, filled when asked."""

    def row(self, i: int | np.intp) -> FloatArray:
        """Return row i, shape (n,); a view, good until the next row is fetched."""
        if self.slot[i] < 0:
            self.fetch(int(i))
        return self.stored[self.slot[i]]

    def times(self, weights: FloatArray) -> FloatArray:
        """Return K @ weights, shape (n,), from the rows whose weight is not zero."""
        product = np.zeros(len(self))
        for i in np.flatnonzero(weights):
            add_multiple(product, weights[i], self.row(i))
        return product


class Gram(RowSource):
    """A Gram matrix that is there already.

    Raises ValueError if K is not square, or its diagonal not finite. The rest is not looked at
    here, for that takes as long as a solve: a solver looks at it once, before it says that it
    converged.

    Parameters
    ----------
    K : array-like, shape (n, n). Symmetric. Not copied if it is a C-contiguous float64 array.
    known : bool
        Whether a kernel computed it, so that nobody need look whether it is a Gram matrix.
    """

    def __init__(self, K: Any, *, known: bool = False) -> None:
        if hasattr(K, "toarray") or np.ma.is_masked(K) or np.asarray(K).dtype.kind not in "biuf":
            K = check_vectors(K, "K")  # says what is wrong, or turns objects into numbers
        K = np.ascontiguousarray(K, dtype=np.float64)
        if K.ndim != 2 or K.shape[0] != K.shape[1] or K.size == 0:
            raise ValueError(f"K must have shape (n, n) with n ≥ 1, got shape {K.shape}")
        self.stored = K
        self.given = None if known else K
        self.slot = np.arange(len(K))
        self.diagonal = K.diagonal().copy()
        if not np.isfinite(self.diagonal).all():
            raise ValueError("K must be finite, got NaN or infinity on its diagonal")

    def fetch(self, i: int, keep: int = -1) -> None:
        """Do nothing: every row is there."""

    def take(self, subset: Indices) -> RowSource:
        """Return the rows and columns of `subset`, copied."""
        return Gram(_submatrix(self.stored, subset), known=True)

    def times(self, weights: FloatArray) -> FloatArray:
        """Return K @ weights, shape (n,), from the rows whose weight is not zero."""
        totals = np.bincount(self.slot, weights, len(self.stored)).astype(np.float64, copy=False)
        return _times(self.stored, totals)


def _times_in_a_line(K: FloatArray, weights: FloatArray) -> FloatArray:
    return np.asarray(weights @ K)


@compiled_or(_times_in_a_line)
def _times(K: FloatArray, weights: FloatArray) -> FloatArray:
    product = np.zeros(K.shape[1])
    for i in range(len(K)):
        if weights[i] != 0.0:
            add_multiple(product, weights[i], K[i])
    return product


def _copy_in_a_line(K: FloatArray, subset: Indices) -> FloatArray:
    return K[np.ix_(subset, subset)]


@compiled_or(_copy_in_a_line)
def _submatrix(K: FloatArray, subset: Indices) -> FloatArray:
    copy = np.empty((len(subset), len(subset)))
    for a in range(len(subset)):
        row = K[subset[a]]
        for b in range(len(subset)):
            copy[a, b] = row[subset[b]]
    return copy


class _Lazy(RowSource):
    """Rows that a function computes, as many as there are slots for; the oldest goes first.

    `n_evaluations` counts the entries of K computed so far.
    """

    def __init__(self, compute: RowFunction, diagonal: FloatArray, slots: int, cost: int) -> None:
        n = len(diagonal)
        self._compute = compute
        self._cost = cost
        self._holds = np.full(slots, -1)  # which row a slot holds
        self._next = 0
        self.stored = np.empty((slots, n))  # memory is taken when a row is written, not before
        self.slot = np.full(n, -1)
        self.diagonal = diagonal
        self.n_evaluations = 0

    def fetch(self, i: int, keep: int = -1) -> None:
        """Compute row i; if all slots are taken, in the place of the oldest that is not `keep`."""
        if self._holds[self._next] == keep >= 0:
            self._next = (self._next + 1) % len(self._holds)
        here = self._next
        if self._holds[here] >= 0:
            self.slot[self._holds[here]] = -1
        self._compute(i, self.stored[here])
        self.slot[i] = here
        self._holds[here] = i
        self._next = (here + 1) % len(self._holds)
        self.n_evaluations += self._cost

    def take(self, subset: Indices) -> RowSource:
        """Return the rows and columns of `subset`, copied from here when asked for."""

        def row(k: int, out: FloatArray) -> None:
            np.take(self.row(subset[k]), subset, out=out, mode="clip")  # other modes use a buffer

        return _Lazy(row, self.diagonal[subset], self._slots_of(subset), 0)

    def _slots_of(self, subset: Indices) -> int:
        """Half the memory for a part, so that parts of parts stay within what the first one has."""
        m = len(subset)
        return min(m, max(2, self.stored.size // (2 * m)))


class Rows(_Lazy):
    """Rows of the Gram matrix of a kernel on demand, kept within a bound of memory.

    A row that has gone is computed again when asked for. Gaussian rows follow `kernels.Gaussian`:
    differences up to three features, a product of centred data beyond where that loses no digits.
    Taught in notebook 05. Raises ValueError if the kernel is unknown, X is not what it compares, or
    max_bytes too little.

    Parameters
    ----------
    kernel : Kernel, name or callable. What `kernels.as_kernel` takes.
    X : array of shape (n, d). One example a row; or a sequence of whatever the kernel compares.
    max_bytes : int
        What the stored rows may take: half of it those of all examples, at least two, and half
        the parts that `take` returns, and their parts.
    """

    def __init__(self, kernel: Any, X: Any, *, max_bytes: int = DEFAULT_BYTES) -> None:
        self.kernel = as_kernel(kernel)
        self.X = check_vectors(X) if isinstance(self.kernel, VectorKernel) else X
        self.max_bytes = check_positive_integer(max_bytes, "max_bytes")
        n = len(self.X)
        slots = min(n, self.max_bytes // 2 // (8 * n))
        if slots < min(2, n):
            raise ValueError(
                f"max_bytes must hold four rows of {n} numbers, {32 * n} bytes, got {max_bytes}"
            )
        diagonal = self.kernel.diag(self.X)
        super().__init__(_row_function(self.kernel, self.X), diagonal, slots, n)

    def take(self, subset: Indices) -> RowSource:
        """Return the rows and columns of `subset`; rows stored here are copied, not computed."""
        X = self.X[subset] if isinstance(self.X, np.ndarray) else [self.X[i] for i in subset]
        compute = _row_function(self.kernel, X)

        def row(k: int, out: FloatArray) -> None:
            slot = self.slot[subset[k]]
            if slot >= 0:
                np.take(self.stored[slot], subset, out=out, mode="clip")
            else:
                self.n_evaluations += len(subset)
                compute(k, out)

        return _Lazy(row, self.diagonal[subset], self._slots_of(subset), 0)


def _row_function(kernel: Any, X: Any) -> RowFunction:
    """Return the function that writes row i of the Gram matrix."""
    if isinstance(kernel, Gaussian):
        return _gaussian_row_function(kernel.gamma, X)

    def row(i: int, out: FloatArray) -> None:
        out[:] = kernel(X[i : i + 1], X)[0]

    return row


def _gaussian_row_function(gamma: float, X: FloatArray) -> RowFunction:
    """Do once what does not depend on i, so that a row costs n exponentials and little else."""
    U = np.sqrt(gamma) * (X - X.mean(axis=0))
    minus_squares = -np.einsum("ij,ij->i", U, U)
    rounding = np.finfo(np.float64).eps * -minus_squares.min()
    if X.shape[1] > EXACT_FEATURES and rounding <= ROUNDING:
        # −‖u − v‖² = 2 u·v − ‖u‖² − ‖v‖², a product with two more columns.
        left = np.column_stack([2 * U, minus_squares, np.ones(len(X))])
        right = np.column_stack([U, np.ones(len(X)), minus_squares])

        def by_product(i: int, out: FloatArray) -> None:
            np.dot(left, right[i], out=out)
            np.minimum(out, 0.0, out=out)  # rounding may leave ‖u − v‖² below zero
            np.exp(out, out=out)
            out[i] = 1.0

        return by_product

    columns = np.ascontiguousarray(U.T)
    difference = np.empty_like(columns)

    def by_differences(i: int, out: FloatArray) -> None:
        np.subtract(columns, columns[:, i : i + 1], out=difference)
        np.multiply(difference, difference, out=difference)
        np.add.reduce(difference, axis=0, out=out)
        np.negative(out, out=out)
        np.exp(out, out=out)

    return by_differences
