"""Kernels: objects that map two lists of examples to the matrix of their inner products.

``kernel(X, Z)[i, j]`` is k(x_i, z_j) = φ(x_i)·φ(z_j). What an example is, a vector, a text or a
graph, is the business of each kernel; a solver sees the Gram matrix only. Kernels add, multiply
and scale to new kernels: ``Gaussian(0.5) + 2 * Linear()``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kernellab.validation import (
    FloatArray,
    check_number,
    check_numbers,
    check_positive,
    check_positive_integer,
    check_same_features,
    check_vectors,
)


class Kernel(ABC):
    """A similarity k(x, z) that is an inner product in some feature space.

    A subclass defines ``__call__`` and, where there is a shorter way, ``diag``. As a frozen
    dataclass it gets its repr, equality by parameters, pickling and copying from its fields.

    Notes
    -----
    k is a kernel if it is symmetric and every Gram matrix K[i, j] = k(x_i, x_j) is positive
    semi-definite: cᵀKc ≥ 0 for every c. Sums, products and multiples by numbers ≥ 0 of kernels
    are kernels again. Schölkopf & Smola 2002, chapter 2. Taught in notebook 03.
    """

    # NumPy's numbers leave `np.float64(2) * kernel` to the kernel instead of making an array.
    __array_ufunc__: ClassVar[None] = None

    @property
    def is_psd(self) -> bool:
        """Whether every Gram matrix is positive semi-definite, so that this is a kernel at all."""
        return True

    @abstractmethod
    def __call__(self, X: Any, Z: Any = None) -> FloatArray:
        """Return the Gram matrix.

        Parameters
        ----------
        X : sequence of n examples
            For kernels on vectors an array-like, shape (n, d).
        Z : sequence of m examples, optional
            By default X: the matrix is then exactly symmetric.

        Returns
        -------
        ndarray, shape (n, m)
            Entry [i, j] is k(x_i, z_j).

        Raises
        ------
        ValueError
            If the examples are not what this kernel compares.
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

    @property
    def is_psd(self) -> bool:
        """Whether both terms are kernels."""
        return self.left.is_psd and self.right.is_psd

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

    @property
    def is_psd(self) -> bool:
        """Whether both factors are kernels."""
        return self.left.is_psd and self.right.is_psd

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

    @property
    def is_psd(self) -> bool:
        """Whether the scaled one is a kernel."""
        return self.kernel.is_psd

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

    Raises
    ------
    ValueError
        When called with an example whose self-similarity is not positive: it has no direction.

    Notes
    -----
    Works on any kernel, of vectors or of structures. Taught in notebook 03.
    """

    kernel: Kernel

    def __post_init__(self) -> None:
        _refuse_not_kernel(self.kernel, "normalised as")

    @property
    def is_psd(self) -> bool:
        """Whether the normalised one is a kernel."""
        return self.kernel.is_psd

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
    """Any function k(X, Z) that returns a Gram matrix, as a kernel.

    Parameters
    ----------
    function : callable
        Takes n and m examples and returns an array of shape (n, m).
    is_psd : bool
        What the caller says of it; :func:`kernellab.certificates.is_positive_semidefinite` tests
        it on given examples.

    Raises
    ------
    ValueError
        When called, if the function returns another shape, or entries that are not finite.
    """

    function: Callable[[Any, Any], Any]
    is_psd: bool = True

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


def _dot(X: FloatArray, Z: FloatArray | None) -> FloatArray:
    """Return X Zᵀ; of X Xᵀ NumPy computes one half only, so it is exactly symmetric."""
    products: FloatArray = X @ (X if Z is None else Z).T
    return products


def _squared_norms(X: FloatArray) -> FloatArray:
    norms: FloatArray = np.einsum("ij,ij->i", X, X)
    return norms


@dataclass(frozen=True)
class Linear(VectorKernel):
    """k(x, z) = x·z, the dot product itself.

    Taught in notebook 01.
    """

    def _gram(self, X: FloatArray, Z: FloatArray | None) -> FloatArray:
        return _dot(X, Z)

    def _diag(self, X: FloatArray) -> FloatArray:
        return _squared_norms(X)


@dataclass(frozen=True)
class Polynomial(VectorKernel):
    """k(x, z) = (x·z + coef0)^degree: all products of up to ``degree`` coordinates.

    Parameters
    ----------
    degree : int
        At least 1.
    coef0 : float
        Weighs the lower degrees; at 0 only products of exactly ``degree`` coordinates remain.
        Below 0 the function is no kernel, and ``is_psd`` says so.

    Raises
    ------
    ValueError
        If degree is not a positive integer or coef0 not a finite number.

    Notes
    -----
    Taught in notebook 03.
    """

    degree: int
    coef0: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "degree", check_positive_integer(self.degree, "degree"))
        object.__setattr__(self, "coef0", check_number(self.coef0, "coef0"))

    @property
    def is_psd(self) -> bool:
        """Whether coef0 ≥ 0."""
        return self.coef0 >= 0.0

    def _gram(self, X: FloatArray, Z: FloatArray | None) -> FloatArray:
        K = _dot(X, Z)
        K += self.coef0
        K **= self.degree
        return K

    def _diag(self, X: FloatArray) -> FloatArray:
        powers: FloatArray = (_squared_norms(X) + self.coef0) ** self.degree
        return powers


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
        K = _dot(X, Z)
        K *= self.scale
        K += self.coef0
        np.tanh(K, out=K)
        return K

    def _diag(self, X: FloatArray) -> FloatArray:
        inner = self.scale * _squared_norms(X) + self.coef0
        return np.where(np.isfinite(inner), np.tanh(inner), inner)  # tanh(inf) hides an overflow


# Rows of a Gram matrix computed at a time. Fewer stay in the cache still better, but each strip is
# a matrix product, and threads of a busy machine wait for one another after every one.
_STRIP = 128
_EXACT_FEATURES = 3  # up to here differences of coordinates are about as fast as a product
_ROUNDING = 1e-10  # error of an exponent that squared norms may bring before differences are taken


def _exp_gram(
    exponents: Callable[[slice, slice], FloatArray], n: int, m: int, *, symmetric: bool
) -> FloatArray:
    """Return exp(exponents(rows, columns)) for all n rows and m columns, a strip at a time.

    A strip stays in the processor's cache from its first operation to its last, and of a
    symmetric matrix only the upper half is computed: both count for more than compiled code would.
    """
    K = np.empty((n, m))
    for start in range(0, n, _STRIP):
        rows = slice(start, min(start + _STRIP, n))
        columns = slice(start if symmetric else 0, m)
        strip = exponents(rows, columns)
        np.exp(strip, out=strip)
        K[rows, columns] = strip
        if symmetric:
            K[columns, rows] = strip.T
            corner = strip[:, : rows.stop - start]
            K[rows, rows] = np.maximum(corner, corner.T)  # a product's halves may round apart
    if symmetric:
        np.fill_diagonal(K, 1.0)
    return K


def _sum_of_differences(
    X: FloatArray, Z: FloatArray | None, measure: np.ufunc
) -> Callable[[slice, slice], FloatArray]:
    """Return the function of (rows, columns) that gives Σ_k measure(x_ik − z_jk).

    Near points are subtracted before anything is squared, so an offset costs no digits.
    """
    X_columns = np.ascontiguousarray(X.T)
    Z_columns = X_columns if Z is None else np.ascontiguousarray(Z.T)

    def strip(rows: slice, columns: slice) -> FloatArray:
        total: FloatArray | None = None
        with np.errstate(over="ignore"):  # a distance of inf is right: its exp(−inf) is 0
            for x, z in zip(X_columns, Z_columns, strict=True):
                difference = np.subtract.outer(x[rows], z[columns])
                measure(difference, out=difference)
                total = difference if total is None else np.add(total, difference, out=total)
        assert total is not None  # check_vectors promises at least one feature
        return total

    return strip


@dataclass(frozen=True)
class Gaussian(VectorKernel):
    """k(x, z) = exp(−γ ‖x − z‖²) with γ = 1/(2σ²).

    Parameters
    ----------
    gamma : float
        γ, positive, in one over the squared unit of X. ``Gaussian.from_bandwidth(sigma)`` takes
        σ, in the unit of X, instead.

    Raises
    ------
    ValueError
        If gamma is not a positive number.

    Notes
    -----
    Up to three features, squared distances are sums of squared differences. Beyond, they are
    ‖x‖² + ‖z‖² − 2x·z of the data minus the mean of X, a matrix product with an error of about
    2e-16 γ max ‖x − mean‖² in the exponent; where that would pass 1e-10, because of outliers or
    an extreme γ, differences are taken there too: right, but at 64 features ten times slower.
    Taught in notebook 03.
    """

    gamma: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", check_positive(self.gamma, "gamma"))

    @classmethod
    def from_bandwidth(cls, sigma: float) -> Gaussian:
        """Return the kernel of bandwidth σ, that is of γ = 1/(2σ²)."""
        sigma = check_positive(sigma, "sigma")
        return cls(0.5 / sigma / sigma)

    @property
    def bandwidth(self) -> float:
        """σ = 1/√(2γ): the distance at which k has fallen to e^−½ = 0.61."""
        return float(np.sqrt(0.5 / self.gamma))

    def _diag(self, X: FloatArray) -> FloatArray:
        return np.ones(len(X))

    def _gram(self, X: FloatArray, Z: FloatArray | None) -> FloatArray:
        exponents = self._exponents_by_product(X, Z) or self._exponents_by_differences(X, Z)
        return _exp_gram(exponents, len(X), len(X if Z is None else Z), symmetric=Z is None)

    def _exponents_by_differences(
        self, X: FloatArray, Z: FloatArray | None
    ) -> Callable[[slice, slice], FloatArray]:
        squared_distances = _sum_of_differences(X, Z, np.square)

        def exponents(rows: slice, columns: slice) -> FloatArray:
            strip = squared_distances(rows, columns)
            strip *= -self.gamma
            return strip

        return exponents

    def _exponents_by_product(
        self, X: FloatArray, Z: FloatArray | None
    ) -> Callable[[slice, slice], FloatArray] | None:
        """−γ‖x − z‖² = u·v − ½‖u‖² − ½‖v‖² with u = √(2γ) x: one product, two more columns."""
        if X.shape[1] <= _EXACT_FEATURES:
            return None
        with np.errstate(over="ignore", invalid="ignore"):
            mean = X.mean(axis=0)  # distances do not see it, rounding does
            U = np.sqrt(2.0 * self.gamma) * (X - mean)
            V = U if Z is None else np.sqrt(2.0 * self.gamma) * (Z - mean)
            u, v = -0.5 * _squared_norms(U), -0.5 * _squared_norms(V)
            error = np.finfo(np.float64).eps * max(-u.min(), -v.min())
        if not error <= _ROUNDING:  # also where it is NaN
            return None
        left = np.column_stack([U, u, np.ones_like(u)])
        right = np.column_stack([V, np.ones_like(v), v]).T

        def exponents(rows: slice, columns: slice) -> FloatArray:
            strip: FloatArray = left[rows] @ right[:, columns]
            return np.minimum(strip, 0.0, out=strip)  # rounding may leave ‖x − z‖² below zero

        return exponents

    def on_grid(self, X: Any, weights: Any, x1: Any, x2: Any) -> FloatArray:
        """Return Σ_j weights_j k(x_j, ·) on an axis-aligned grid, for a picture of the score.

        Parameters
        ----------
        X : array-like, shape (n, 2)
            Points in the plane.
        weights : array-like, shape (n,)
            One signed number a point, such as α_j y_j.
        x1, x2 : array-like, shapes (a,) and (b,)
            Where the grid stands along the first and along the second coordinate.

        Returns
        -------
        ndarray, shape (b, a)
            Entry [r, c] belongs to the point (x1[c], x2[r]), as ``contourf(x1, x2, …)`` wants it.

        Raises
        ------
        ValueError
            If X does not lie in the plane, shapes do not match, or entries are not finite.

        Notes
        -----
        The kernel of the plane is a product of two kernels of the line, k = k₁(x₁) k₂(x₂), so the
        field is K₂ᵀ diag(weights) K₁ with K₁ (n, a) and K₂ (n, b): (a + b) n exponentials in
        place of a b n. Taught in notebook 03.
        """
        X, weights, x1, x2 = _check_field(X, weights, x1, x2)
        along_x1 = self._gram(X[:, :1], x1[:, np.newaxis])
        along_x2 = self._gram(X[:, 1:], x2[:, np.newaxis])
        field: FloatArray = along_x2.T @ (weights[:, np.newaxis] * along_x1)
        return field


@dataclass(frozen=True)
class Laplacian(VectorKernel):
    """k(x, z) = exp(−γ ‖x − z‖) with the ℓ1 or the ℓ2 norm, not squared: rougher than a Gaussian.

    Parameters
    ----------
    gamma : float
        γ, positive, in one over the unit of X.
    norm : {"l1", "l2"}
        "l1" is what scikit-learn calls Laplacian, "l2" the Matérn kernel of order ½. On one
        feature they are the same.

    Raises
    ------
    ValueError
        If gamma is not a positive number or the norm is unknown.

    Notes
    -----
    Always from differences of coordinates: a square root would turn a squared distance's
    rounding of 1e-16 into 1e-8. Taught in notebooks 03 and 06.
    """

    gamma: float
    norm: str = "l1"

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", check_positive(self.gamma, "gamma"))
        if self.norm not in ("l1", "l2"):
            raise ValueError(f"norm must be 'l1' or 'l2', got {self.norm!r}")

    def _diag(self, X: FloatArray) -> FloatArray:
        return np.ones(len(X))

    def _gram(self, X: FloatArray, Z: FloatArray | None) -> FloatArray:
        l1 = self.norm == "l1"
        sums = _sum_of_differences(X, Z, np.abs if l1 else np.square)

        def exponents(rows: slice, columns: slice) -> FloatArray:
            strip = sums(rows, columns)
            if not l1:
                np.sqrt(strip, out=strip)
            strip *= -self.gamma
            return strip

        return _exp_gram(exponents, len(X), len(X if Z is None else Z), symmetric=Z is None)


def as_kernel(spec: Any, *, gamma: float = 1.0, degree: int = 3, coef0: float = 1.0) -> Kernel:
    """Turn a kernel, a name or a function into a kernel.

    Parameters
    ----------
    spec : Kernel, str or callable
        A kernel is returned as it is. Names: "linear", "poly" (degree, coef0), "rbf" or
        "gaussian" (gamma), "laplacian" (gamma, ℓ1). A callable k(X, Z) must return the Gram
        matrix, shape (n, m), and is taken at its word to be a kernel.
    gamma, degree, coef0 : float, int, float
        Parameters of a kernel given by name; a kernel or a callable has its own.

    Raises
    ------
    ValueError
        If spec is none of these, or a parameter of the named kernel is not what it takes.
    """
    if isinstance(spec, Kernel):
        return spec
    makers: dict[str, Callable[[], Kernel]] = {
        "linear": Linear,
        "poly": lambda: Polynomial(degree, coef0),
        "rbf": lambda: Gaussian(gamma),
        "gaussian": lambda: Gaussian(gamma),
        "laplacian": lambda: Laplacian(gamma),
    }
    if isinstance(spec, str) and spec in makers:
        return makers[spec]()
    if callable(spec) and not isinstance(spec, type):
        return FunctionKernel(spec)
    raise ValueError(
        f"kernel must be a Kernel such as Gaussian(gamma=1.0), a callable k(X, Z), or one of "
        f"{', '.join(repr(name) for name in makers)}, got {spec!r}"
    )


_FIELD_ENTRIES = 1_000_000  # of the Gram matrix of grid and points held at a time: 8 MB


def score_field(kernel: Kernel, X: Any, weights: Any, x1: Any, x2: Any) -> FloatArray:
    """Return Σ_j weights_j k(x_j, ·) on an axis-aligned grid in the plane, whatever the kernel.

    Parameters
    ----------
    kernel : Kernel
        On vectors of two features.
    X, weights, x1, x2 : array-like
        As for :meth:`Gaussian.on_grid`, which is used where the kernel has it.

    Returns
    -------
    ndarray, shape (len(x2), len(x1))
        Entry [r, c] belongs to the point (x1[c], x2[r]).

    Raises
    ------
    ValueError
        If X does not lie in the plane, shapes do not match, or entries are not finite.
    """
    if hasattr(kernel, "on_grid"):
        field: FloatArray = kernel.on_grid(X, weights, x1, x2)
        return field
    X, weights, x1, x2 = _check_field(X, weights, x1, x2)
    grid = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    step = max(1, _FIELD_ENTRIES // len(X))
    blocks = [kernel(grid[k : k + step], X) @ weights for k in range(0, len(grid), step)]
    return np.concatenate(blocks).reshape(len(x2), len(x1))


def _check_field(
    X: Any, weights: Any, x1: Any, x2: Any
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    X = check_vectors(X)
    if X.shape[1] != 2:
        raise ValueError(f"X must lie in the plane, shape (n, 2), got shape {X.shape}")
    weights = check_numbers(weights, "weights", len(X))
    return X, weights, check_numbers(x1, "x1"), check_numbers(x2, "x2")
