"""The Nyström method: m landmarks stand for all n examples, K ≈ K̃ = ΦΦᵀ with Φ of m columns.

φ(x) holds the coordinates of x's features within the span of the landmarks' features; what lies
outside is lost. So K̃ ⪯ K, K̃ is exact between landmarks, and the loss is tr K − ‖Φ‖²_F.
`landmarks.py` chooses the landmarks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import eigh, rq, solve_triangular
from scipy.linalg.blas import dtrmm

from kernellab.kernels import Kernel
from kernellab.validation import (
    FloatArray,
    check_gram,
    check_numbers,
    check_positive_integer,
    check_vectors,
)

_BLOCK = 512  # examples mapped at a time: their m kernel values stay in the processor's cache


def default_cutoff() -> float:
    """Return eps^⅔ = 4e-11, where an eigenvalue, relative to the largest, is left out.

    A direction of relative eigenvalue c adds rounding of eps/√c to the features if it is kept, and
    misses c of K if it is not: the sum of the two is smallest about here.
    """
    return float(np.finfo(np.float64).eps ** (2 / 3))


def nystrom_features(kernel: Kernel, X: Any, landmarks: Any) -> FloatArray:
    """Return Φ with ΦΦᵀ ≈ K: φ(x) = S^−½ Uᵀ k_Z(x), where K_Z = U diag(S) Uᵀ.

    X and the m landmarks are what the kernel compares; Φ has shape (n, r), r ≤ m. Williams &
    Seeger 2001. Taught in notebook 07; a `nystrom_map` gives the same Φ, but for a rotation, in
    half of the time, for any X.
    """
    S, U = eigh(kernel(landmarks))
    keep = default_cutoff() * S[-1] < S  # a landmark that repeats another adds nothing
    Phi: FloatArray = kernel(X, landmarks) @ U[:, keep] / np.sqrt(S[keep])
    return Phi


def trace_error(diag: Any, Phi: Any) -> float:
    """Return tr(K − K̃) = Σ k(x_i, x_i) − ‖Φ‖²_F, how much of the features is lost.

    From `kernel.diag(X)`, shape (n,), and the features of the same examples, shape (n, r): the sum
    of the squared distances to the span of the landmarks' features, at least 0 up to rounding; for
    the `top_eigenvectors` the sum of the other eigenvalues. Taught in notebook 07. Raises
    ValueError if the two do not have one entry and one row an example.
    """
    Phi = check_vectors(Phi, "Phi")
    return float(check_numbers(diag, "diag", len(Phi)).sum() - np.square(Phi).sum())


@dataclass(frozen=True)
class NystromMap:
    """φ(x) = S^−½ Uᵀ k(landmarks, x), U diag(S) Uᵀ the landmarks' Gram matrix, in a turned basis.

    K̃ does not change if all features are turned by the same orthogonal matrix. The one that makes
    W triangular, W = RQ, spares half of the multiplications: φ(x) = Rᵀ k(landmarks, x).

    Parameters
    ----------
    kernel : Kernel
    landmarks : m examples. Vectors, shape (m, d), or whatever the kernel compares.
    whitening : array of shape (m, r)
        W = U S^−½: one column for each of the r ≤ m eigenvalues that are kept.
    """

    kernel: Kernel
    landmarks: Any
    whitening: FloatArray

    @property
    def rank(self) -> int:
        """The number r of features: m, less what duplicated or dependent landmarks leave out."""
        return int(self.whitening.shape[1])

    @cached_property
    def triangle(self) -> FloatArray:
        """Rᵀ, lower triangular, shape (m, m): m − r rows of zeros, then one row a feature."""
        R = np.zeros((len(self.whitening),) * 2)
        R[:, len(R) - self.rank :] = rq(self.whitening, mode="r")
        return R.T

    def __call__(self, X: Any) -> FloatArray:
        """Return the features Φ, shape (n, r), of n examples.

        Raises ValueError if the kernel cannot compare X with the landmarks.
        """
        Phi = np.empty((len(X), self.rank))
        for start in range(0, len(X), _BLOCK):
            rows = slice(start, start + _BLOCK)
            similarities = self.kernel(X[rows], self.landmarks).copy()
            features = dtrmm(1.0, self.triangle, similarities.T, lower=True, overwrite_b=True)
            Phi[rows] = features[-self.rank :].T
        return Phi


def nystrom_map(kernel: Kernel, landmarks: Any) -> NystromMap:
    """Make the map of m landmarks: from `choose_landmarks` or by hand, any of them repeated.

    φ(x)·φ(z) = k(x, landmarks) K_mm⁺ k(landmarks, z), K_mm = U diag(S) Uᵀ. Eigenvalues that are
    zero but for rounding would be divided by: they are left out, see `default_cutoff`, so a
    duplicated landmark does no harm and no good. Williams & Seeger 2001. Taught in notebook 07.
    Raises ValueError for landmarks the kernel does not take, or whose Gram matrix is zero.
    """
    S, U = eigh(check_gram(kernel(landmarks), "the Gram matrix of the landmarks"), driver="evd")
    S, U = S[::-1], U[:, ::-1]  # largest first
    if S[0] <= 0 or S[-1] < -default_cutoff() * S[0]:
        raise ValueError(
            f"landmarks must have a positive semi-definite Gram matrix that is not zero, got "
            f"eigenvalues from {S[-1]:.4g} to {S[0]:.4g}; is it the matrix of a kernel?"
        )
    keep = default_cutoff() * S[0] < S
    return NystromMap(kernel, landmarks, U[:, keep] / np.sqrt(S[keep]))


def top_eigenvectors(K: Any, m: int) -> FloatArray:
    """Return the best Φ of m columns there is: U_m S_m^½, from the m ≤ n largest eigenvalues of K.

    Shape (n, m), largest first; `trace_error(K.diagonal(), Phi)` is the sum of the other
    eigenvalues. No K̃ of rank m has a smaller error in trace, Euclidean or spectral norm (Eckart &
    Young 1936). It takes all of K, shape (n, n), which the Nyström method avoids. Taught in
    notebook 07. Raises ValueError for a bad K or m.
    """
    K = check_gram(K)
    n, m = len(K), check_count(m, len(K))
    S, U = eigh(K, subset_by_index=(n - m, n - 1))
    return np.asarray((U * np.sqrt(np.maximum(S, 0.0)))[:, ::-1])


# --- one landmark at a time -----------------------------------------------------------------------


class GrowingNystrom:
    """Features of n examples that grow by a column for every landmark, O(nm) each.

    The Cholesky form φ(x) = L⁻¹ k(landmarks, x) with LLᵀ = K_mm: the same K̃ as `NystromMap`, its
    features rotated so that a new landmark adds one and leaves the others alone. Taught in
    notebook 07.

    Attributes
    ----------
    landmarks : m examples or None. Those that added a feature, in order; None before the first.
    residual : array of shape (n,)
        k(x, x) − ‖φ(x)‖² ≥ 0: squared distance of x's features to the span of the landmarks'.
    """

    def __init__(self, kernel: Kernel, X: Any) -> None:
        self.kernel, self.X = kernel, X
        self.landmarks: Any = None
        self.residual = kernel.diag(X)
        self._rank = 0
        self._Phi = np.empty((len(X), 8), order="F")  # room for more columns, filled up to rank
        self._L = np.zeros((8, 8))

    @property
    def Phi(self) -> FloatArray:  # noqa: N802  the Φ of the equations
        """Features of X, shape (n, m)."""
        return self._Phi[:, : self._rank]

    @property
    def L(self) -> FloatArray:  # noqa: N802
        """Lower triangle, shape (m, m), with LLᵀ the landmarks' Gram matrix."""
        return self._L[: self._rank, : self._rank]

    @property
    def trace_error(self) -> float:
        """tr(K − K̃) = Σ residual."""
        return float(self.residual.sum())

    def __call__(self, X_new: Any) -> FloatArray:
        """Return the features of other examples, shape (k, m)."""
        if self.landmarks is None:
            return np.empty((len(X_new), 0))
        similarities = self.kernel(self.landmarks, X_new)
        return np.asarray(solve_triangular(self.L, similarities, lower=True).T)

    def add(self, landmark: Any) -> bool:
        """Add a landmark: a list or array of one example, of X or not. Say if it was of any use.

        One that is a combination of those before, such as a duplicate, adds no feature.
        """
        phi = self(landmark)[0]
        length = self.kernel.diag(landmark)[0]
        beyond = length - phi @ phi  # what of the landmark the others do not explain
        if beyond <= default_cutoff() * length:
            return False
        self._make_room()
        column = (self.kernel(self.X, landmark)[:, 0] - self.Phi @ phi) / np.sqrt(beyond)
        self._L[self._rank, : self._rank] = phi
        self._L[self._rank, self._rank] = np.sqrt(beyond)
        self._Phi[:, self._rank] = column
        self._rank += 1
        self.residual = np.maximum(self.residual - np.square(column), 0.0)
        self.landmarks = landmark if self.landmarks is None else _join(self.landmarks, landmark)
        return True

    def _make_room(self) -> None:
        if self._rank == len(self._L):  # double it: copying is then O(1) a column on average
            wider = np.empty((len(self._Phi), 2 * self._rank), order="F")
            wider[:, : self._rank] = self._Phi
            larger = np.zeros((2 * self._rank, 2 * self._rank))
            larger[: self._rank, : self._rank] = self._L
            self._Phi, self._L = wider, larger


def _join(landmarks: Any, landmark: Any) -> Any:
    """Append an example to others: rows to an array, or an element to a list."""
    if isinstance(landmarks, np.ndarray):
        return np.concatenate([landmarks, landmark])
    return [*landmarks, *landmark]


def check_count(m: int, n: int) -> int:
    """Return m, an integer from 1 to n, or raise a ValueError."""
    if check_positive_integer(m, "m") > n:
        raise ValueError(f"m must not exceed the number of examples, got {m}, and there are {n}")
    return m
