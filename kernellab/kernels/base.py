"""What a kernel is, and how kernels add, multiply and scale to new kernels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kernellab.validation import FloatArray, check_number, check_vectors


class Kernel(ABC):
    """A similarity k(x, z) that is an inner product in some feature space.

    A subclass defines ``__call__`` and, where there is a shorter way, ``diag``. As a frozen
    dataclass it gets its repr, equality by parameters, pickling and copying from its fields. k is a
    kernel if it is symmetric and every Gram matrix K[i, j] = k(x_i, x_j) is positive semi-definite:
    cᵀKc ≥ 0 for every c. Sums, products and multiples by numbers ≥ 0 of kernels are kernels again.
    Schölkopf & Smola 2002, chapter 2. Taught in notebook 03.
    """

    # NumPy's numbers leave `np.float64(2) * kernel` to the kernel instead of making an array.
    __array_ufunc__: ClassVar[None] = None

    @property
    def is_psd(self) -> bool:
        """Whether every Gram matrix is positive semi-definite: where those of its parts are."""
        return all(part.is_psd for part in vars(self).values() if isinstance(part, Kernel))

    @abstractmethod
    def __call__(self, X: Any, Z: Any = None) -> FloatArray:
        """Return the Gram matrix, shape (n, m), of n examples X and m examples Z, by default X.

        Entry [i, j] is k(x_i, z_j); without Z the matrix is exactly symmetric. Raises ValueError if
        the examples are not what this kernel compares.
        """

    def diag(self, X: Any) -> FloatArray:
        """Return the self-similarities k(x_i, x_i), shape (n,), without the whole Gram matrix."""
        return np.array([self(X[i : i + 1])[0, 0] for i in range(len(X))], dtype=np.float64)

    def __add__(self, other: object) -> Kernel:
        return Sum(self, _refuse_not_kernel(other, "added to"))

    def __radd__(self, other: object) -> Kernel:
        if isinstance(other, int) and other == 0:  # where sum([k1, k2, …]) begins
            return self
        return Sum(_refuse_not_kernel(other, "added to"), self)

    def __mul__(self, other: object) -> Kernel:
        if isinstance(other, Kernel):
            return Product(self, other)
        return self.__rmul__(other)

    def __rmul__(self, factor: object) -> Kernel:
        if not np.isscalar(factor) or isinstance(factor, str | bytes):
            _refuse_not_kernel(factor, "multiplied by a number or")
        return Scaled(factor, self)  # type: ignore[arg-type]  # checked there


def _refuse_not_kernel(value: object, operation: str) -> Kernel:
    if not isinstance(value, Kernel):
        raise TypeError(
            f"a kernel can only be {operation} another kernel, got {value!r}; "
            f"as_kernel(…) makes a kernel of a name or a function"
        )
    return value


@dataclass(frozen=True, repr=False)
class Sum(Kernel):
    """k(x, z) = left(x, z) + right(x, z): the features of both, side by side.

    Taught in notebook 03.
    """

    left: Kernel
    right: Kernel

    def __call__(self, X: Any, Z: Any = None) -> FloatArray:
        """Return the sum of the two Gram matrices, shape (n, m)."""
        return self.left(X, Z) + self.right(X, Z)

    def diag(self, X: Any) -> FloatArray:
        """Return the sum of the two diagonals, shape (n,)."""
        return self.left.diag(X) + self.right.diag(X)

    def __repr__(self) -> str:
        return f"{self.left} + {_in_brackets(self.right, Sum)}"


@dataclass(frozen=True, repr=False)
class Product(Kernel):
    """k(x, z) = left(x, z) · right(x, z): all products of a feature of one and one of the other.

    Taught in notebook 03.
    """

    left: Kernel
    right: Kernel

    def __call__(self, X: Any, Z: Any = None) -> FloatArray:
        """Return the element-wise product of the two Gram matrices, shape (n, m)."""
        return self.left(X, Z) * self.right(X, Z)

    def diag(self, X: Any) -> FloatArray:
        """Return the product of the two diagonals, shape (n,)."""
        return self.left.diag(X) * self.right.diag(X)

    def __repr__(self) -> str:
        left = _in_brackets(self.left, Sum)
        return f"{left} * {_in_brackets(self.right, Sum, Product, Scaled)}"


@dataclass(frozen=True, repr=False)
class Scaled(Kernel):
    """k(x, z) = factor · kernel(x, z), factor ≥ 0: every feature times √factor.

    Taught in notebook 03.
    """

    factor: float
    kernel: Kernel

    def __post_init__(self) -> None:
        factor = check_number(self.factor, "factor")
        if factor < 0.0:
            raise ValueError(
                f"factor must be a number of at least 0, got {factor}: "
                f"a negative multiple of a kernel is not a kernel"
            )
        object.__setattr__(self, "factor", factor)

    def __call__(self, X: Any, Z: Any = None) -> FloatArray:
        """Return factor times the Gram matrix, shape (n, m)."""
        return self.factor * self.kernel(X, Z)

    def diag(self, X: Any) -> FloatArray:
        """Return factor times the diagonal, shape (n,)."""
        return self.factor * self.kernel.diag(X)

    def __repr__(self) -> str:
        number = repr(self.factor).removesuffix(".0")
        return f"{number} * {_in_brackets(self.kernel, Sum, Product, Scaled)}"


def _in_brackets(kernel: Kernel, *compounds: type[Kernel]) -> str:
    """Return the repr, in brackets where Python would otherwise read it another way."""
    return f"({kernel})" if isinstance(kernel, compounds) else f"{kernel}"


@dataclass(frozen=True)
class Normalized(Kernel):
    """k(x, z) / √(k(x, x) k(z, z)): the cosine of the angle between the features.

    Works on any kernel, of vectors or of structures. Raises ValueError when called with an example
    whose self-similarity is not positive: it has no direction. Taught in notebook 03.
    """

    kernel: Kernel

    def __post_init__(self) -> None:
        _refuse_not_kernel(self.kernel, "normalised as")

    def __call__(self, X: Any, Z: Any = None) -> FloatArray:
        """Return the matrix of cosines, shape (n, m)."""
        lengths = self._lengths(X, "X")
        if Z is not None and Z is not X:
            return self.kernel(X, Z) / np.outer(lengths, self._lengths(Z, "Z"))
        K = self.kernel(X) / np.outer(lengths, lengths)
        np.fill_diagonal(K, 1.0)
        return K

    def diag(self, X: Any) -> FloatArray:
        """Return ones, shape (n,)."""
        return np.ones_like(self._lengths(X, "X"))

    def _lengths(self, X: Any, name: str) -> FloatArray:
        squares = self.kernel.diag(X)
        if not (squares > 0.0).all():
            row = int(np.flatnonzero(~(squares > 0.0))[0])
            raise ValueError(
                f"{name} must hold examples of positive self-similarity to be normalised, "
                f"got k(x, x) = {squares[row]} for row {row} under {self.kernel}"
            )
        return np.sqrt(squares)


@dataclass(frozen=True, repr=False)
class FunctionKernel(Kernel):
    """Any function of n and m examples that returns a Gram matrix, shape (n, m), as a kernel.

    Raises ValueError when called, if the function returns another shape, or entries that are not
    finite.
    """

    function: Callable[[Any, Any], Any]

    def __call__(self, X: Any, Z: Any = None) -> FloatArray:
        """Return what the function returns, checked, shape (n, m)."""
        Z = X if Z is None else Z
        K = self.function(X, Z)
        if np.shape(K) != (len(X), len(Z)):
            raise ValueError(
                f"kernel {self} must return one entry a pair, shape {(len(X), len(Z))}, "
                f"got shape {np.shape(K)}"
            )
        return check_vectors(K, f"the Gram matrix of {self}")

    def __repr__(self) -> str:
        return f"FunctionKernel({getattr(self.function, '__name__', self.function)})"
