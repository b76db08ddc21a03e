"""Kernels of vectors that are functions of the dot product."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernellab.kernels.base import Kernel
from kernellab.validation import (
    FloatArray,
    check_number,
    check_positive,
    check_positive_integer,
    check_same_features,
    check_vectors,
)


class VectorKernel(Kernel):
    """A kernel on vectors: checks the arrays, then asks the subclass for the mathematics."""

    def __call__(self, X: Any, Z: Any = None) -> FloatArray:
        """Return the Gram matrix, shape (n, m), of X (n, d) and Z (m, d), by default X.

        Raises ValueError if X or Z is not a finite two-dimensional array, if their numbers of
        features differ, or if k of a row with itself does not fit in a float.
        """
        same = Z is None or Z is X
        X = self._check(X, "X")
        if same:
            return self._gram(X, None)
        Z = self._check(Z, "Z")
        check_same_features(X, Z)
        return self._gram(X, Z)

    def diag(self, X: Any) -> FloatArray:
        """Return k(x_i, x_i), shape (n,), of X (n, d); raises as ``__call__`` does."""
        return self._diag(self._check(X, "X"))

    def _check(self, X: Any, name: str) -> FloatArray:
        array = check_vectors(X, name)
        # |k(x, z)|² ≤ k(x, x) k(z, z), so a finite diagonal promises a finite Gram matrix.
        with np.errstate(over="ignore"):
            overflow = ~np.isfinite(self._diag(array))
        if overflow.any():
            raise ValueError(
                f"{name} must not be so large that {self} overflows, got "
                f"row {int(np.flatnonzero(overflow)[0])}; rescale the features"
            )
        return array

    @abstractmethod
    def _gram(self, X: FloatArray, Z: FloatArray | None) -> FloatArray: ...

    @abstractmethod
    def _diag(self, X: FloatArray) -> FloatArray: ...


def dot(X: FloatArray, Z: FloatArray | None) -> FloatArray:
    """Return X Zᵀ; of X Xᵀ NumPy computes one half only, so it is exactly symmetric."""
    return X @ (X if Z is None else Z).T


def squared_norms(X: FloatArray) -> FloatArray:
    """Return x·x of each row, shape (n,)."""
    return np.einsum("ij,ij->i", X, X)


@dataclass(frozen=True)
class Linear(VectorKernel):
    """k(x, z) = x·z, the dot product itself.

    Taught in notebook 01.
    """

    def _gram(self, X: FloatArray, Z: FloatArray | None) -> FloatArray:
        return dot(X, Z)

    def _diag(self, X: FloatArray) -> FloatArray:
        return squared_norms(X)


@dataclass(frozen=True, repr=False)
class Polynomial(VectorKernel):
    """k(x, z) = (gamma x·z + coef0)^degree: all products of up to ``degree`` coordinates.

    Raises ValueError if degree is not a positive integer, coef0 not a finite number or gamma not
    positive. Taught in notebook 03.

    Parameters
    ----------
    degree : int. At least 1.
    coef0 : float
        Weighs the lower degrees; at 0 only products of exactly ``degree`` coordinates remain.
        Below 0 the function is no kernel, and ``is_psd`` says so.
    gamma : float. γ > 0: as if every x were longer by √γ. At 1 it is left out of the repr.
    """

    degree: int
    coef0: float = 1.0
    gamma: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "degree", check_positive_integer(self.degree, "degree"))
        object.__setattr__(self, "coef0", check_number(self.coef0, "coef0"))
        object.__setattr__(self, "gamma", check_positive(self.gamma, "gamma"))

    @property
    def is_psd(self) -> bool:
        """Whether coef0 ≥ 0."""
        return self.coef0 >= 0.0

    def __repr__(self) -> str:
        gamma = "" if self.gamma == 1.0 else f", gamma={self.gamma}"
        return f"Polynomial(degree={self.degree}, coef0={self.coef0}{gamma})"

    def _gram(self, X: FloatArray, Z: FloatArray | None) -> FloatArray:
        K = dot(X, Z)
        K *= self.gamma
        K += self.coef0
        K **= self.degree
        return K

    def _diag(self, X: FloatArray) -> FloatArray:
        return (self.gamma * squared_norms(X) + self.coef0) ** self.degree


@dataclass(frozen=True)
class Sigmoid(VectorKernel):
    """tanh(scale x·z + coef0): of the form of a kernel, but **not a kernel**.

    It has been used as one, after the neuron it resembles. For scale ≠ 0 there are always points
    whose Gram matrix has a negative eigenvalue: 1, 2 and 3 on the line, with scale 1 and coef0 0,
    have −0.139. A particular Gram matrix can still be positive semi-definite.

    Taught in notebook 03.
    """

    scale: float = 1.0
    coef0: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", check_number(self.scale, "scale"))
        object.__setattr__(self, "coef0", check_number(self.coef0, "coef0"))

    @property
    def is_psd(self) -> bool:
        """False."""
        return False

    def _gram(self, X: FloatArray, Z: FloatArray | None) -> FloatArray:
        K = dot(X, Z)
        K *= self.scale
        K += self.coef0
        np.tanh(K, out=K)
        return K

    def _diag(self, X: FloatArray) -> FloatArray:
        inner = self.scale * squared_norms(X) + self.coef0
        return np.where(np.isfinite(inner), np.tanh(inner), inner)  # tanh(inf) hides an overflow
