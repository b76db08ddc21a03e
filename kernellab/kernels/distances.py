"""Kernels of vectors that fall with their distance, from distances that lose no digits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kernellab.kernels.vectors import VectorKernel, dot, squared_norms
from kernellab.validation import FloatArray, check_positive

_STRIP = 64  # rows of a Gram matrix worked on at a time: few enough for the processor's cache
EXACT_FEATURES = 3  # up to here differences of coordinates are about as fast as a product
ROUNDING = 1e-10  # error of an exponent that squared norms may bring before differences are taken

Exponents = Callable[[slice, slice], FloatArray]  # of (rows, columns), in a new array


def exp_gram(exponents: Exponents, K: FloatArray, *, symmetric: bool) -> FloatArray:
    """Overwrite K, shape (n, m), with exp(exponents(rows, columns)), a strip of rows at a time.

    A strip stays in the processor's cache from its first operation to its last, and of a
    symmetric matrix only the upper half is computed: both count for more than compiled code would.
    """
    n, m = K.shape
    for start in range(0, n, _STRIP):
        rows = slice(start, min(start + _STRIP, n))
        columns = slice(start if symmetric else 0, m)
        strip = exponents(rows, columns)
        np.exp(strip, out=strip)
        K[rows, columns] = strip
        if symmetric:
            K[columns, rows] = strip.T
    if symmetric:
        np.fill_diagonal(K, 1.0)
    return K


def exp_of_differences(
    X: FloatArray, Z: FloatArray | None, measure: np.ufunc, gamma: float, *, root: bool = False
) -> FloatArray:
    """Return exp(−γ Σ_k measure(x_ik − z_jk)), shape (n, m), or of the square root of the sum.

    Near points are subtracted before anything is squared, so an offset costs no digits.
    """
    X_columns = np.ascontiguousarray(X.T)
    Z_columns = X_columns if Z is None else np.ascontiguousarray(Z.T)

    def exponents(rows: slice, columns: slice) -> FloatArray:
        total: FloatArray | None = None
        with np.errstate(over="ignore"):  # a distance of inf is right: its exp(−inf) is 0
            for x, z in zip(X_columns, Z_columns, strict=True):
                difference = np.subtract.outer(x[rows], z[columns])
                measure(difference, out=difference)
                total = difference if total is None else np.add(total, difference, out=total)
        assert total is not None  # check_vectors promises at least one feature
        if root:
            np.sqrt(total, out=total)
        total *= -gamma
        return total

    K = np.empty((len(X), len(X if Z is None else Z)))
    return exp_gram(exponents, K, symmetric=Z is None)


@dataclass(frozen=True)
class Gaussian(VectorKernel):
    """k(x, z) = exp(−γ ‖x − z‖²) with γ = 1/(2σ²).

    Up to three features, squared distances are sums of squared differences. Beyond, they are ‖x‖² +
    ‖z‖² − 2x·z of the data minus the mean of X, a matrix product with an error of about 2e-16 γ max
    ‖x − mean‖² in the exponent; where that would pass 1e-10, because of outliers or an extreme γ,
    differences are taken there too: right, but at 64 features ten times slower. Raises ValueError
    if gamma is not a positive number. Taught in notebook 03.

    Parameters
    ----------
    gamma : float
        γ, positive, in one over the squared unit of X. ``Gaussian.from_bandwidth(sigma)`` takes
        σ, in the unit of X, instead.
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
        by_product = self._exponents_by_product(X, Z)
        if by_product is None:
            return exp_of_differences(X, Z, np.square, self.gamma)
        return exp_gram(*by_product, symmetric=Z is None)

    def _exponents_by_product(
        self, X: FloatArray, Z: FloatArray | None
    ) -> tuple[Exponents, FloatArray] | None:
        """−γ‖x − z‖² = u·v − ½‖u‖² − ½‖v‖² with u = √(2γ) x, and an array that now holds u·v.

        One product of the whole, not one a strip: on a busy machine the threads of a product wait
        for one another at its end. None where rounding would be too large.
        """
        if X.shape[1] <= EXACT_FEATURES:
            return None
        with np.errstate(over="ignore", invalid="ignore"):
            mean = X.mean(axis=0)  # distances do not see it, rounding does
            U = np.sqrt(2.0 * self.gamma) * (X - mean)
            V = U if Z is None else np.sqrt(2.0 * self.gamma) * (Z - mean)
            u, v = -0.5 * squared_norms(U), -0.5 * squared_norms(V)
            error = np.finfo(np.float64).eps * max(-u.min(), -v.min())
        if not error <= ROUNDING:  # also where it is NaN
            return None
        K = dot(U, None if Z is None else V)

        def exponents(rows: slice, columns: slice) -> FloatArray:
            strip = np.add.outer(u[rows], v[columns])
            strip += K[rows, columns]
            return np.minimum(strip, 0.0, out=strip)  # rounding may leave ‖x − z‖² below zero

        return exponents, K


@dataclass(frozen=True)
class Laplacian(VectorKernel):
    """k(x, z) = exp(−γ ‖x − z‖) with the ℓ1 or the ℓ2 norm, not squared: rougher than a Gaussian.

    Always from differences of coordinates: a square root would turn a squared distance's rounding
    of 1e-16 into 1e-8. Raises ValueError if gamma is not a positive number or the norm is unknown.
    Taught in notebooks 03 and 06.

    Parameters
    ----------
    gamma : float. γ, positive, in one over the unit of X.
    norm : {"l1", "l2"}
        "l1" is what scikit-learn calls Laplacian, "l2" the Matérn kernel of order ½. On one
        feature they are the same.
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
        return exp_of_differences(X, Z, np.abs if l1 else np.square, self.gamma, root=not l1)
