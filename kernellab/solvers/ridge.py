"""Kernel ridge regression: (K + λI) coef = y, by Cholesky for one λ, by one eigh for all of them.

The objective is Σ (y_i − f(x_i))² + λ‖w‖² throughout, f(x) = Σ coef_i k(x_i, x). Other texts weigh
the same two terms differently: `lam_from_c_form` turns the C of support vector machines into λ.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cho_solve, cholesky, eigh, solve_triangular

from kernellab.validation import (
    FloatArray,
    check_gram,
    check_number,
    check_numbers,
    check_positive,
    check_vectors,
)

NOT_PSD = 1e-10
"""An eigenvalue below minus this, relative to the largest, is not rounding: K is no kernel's."""


def solve_ridge(K: FloatArray, y: FloatArray, lam: float) -> tuple[FloatArray, FloatArray]:
    """Return the coef with (K + λI) coef = y, and the triangle L with LLᵀ = K + λI.

    K has shape (n, n), y and coef (n,) or (n, q), and f(x) = Σ coef_i k(x_i, x). Raises
    LinAlgError if K + λI is not positive definite. Taught in notebook 06.
    """
    L = cholesky(K + lam * np.eye(len(K)), lower=True)
    return cho_solve((L, True), y), L


class LamRaised(UserWarning):
    """λ was too small for double precision and has been raised; the message says to what."""


def smallest_lam(K: FloatArray) -> float:
    """Return the smallest λ for which K + λI can be told from a singular matrix: n · eps · ‖K‖.

    ‖K‖ is the largest row sum of |K_ij|, K of shape (n, n): at least the largest eigenvalue, and
    cheap. Computed eigenvalues of K are off by about so much. Taught in notebook 06.
    """
    return float(len(K) * np.finfo(np.float64).eps * np.abs(K).sum(axis=1).max())


@dataclass(frozen=True)
class RidgeFit:
    """Kernel ridge regression at one λ.

    Parameters
    ----------
    lam : float. λ that was used.
    coef : array of shape (n,) or (n, q)
        Signed weights; f(x) = Σ coef_i k(x_i, x), that is `kernel(X_new, X) @ coef`.
    factor : array of shape (n, n). Lower triangle L with LLᵀ = K + λI.
    """

    lam: float
    coef: FloatArray
    factor: FloatArray

    @property
    def residuals(self) -> FloatArray:
        """y − f at the training points: λ coef, because K coef = y − λ coef."""
        return self.lam * self.coef

    @cached_property
    def inverse_diagonal(self) -> FloatArray:
        """[(K + λI)⁻¹]_ii, shape (n,): the squared lengths of the columns of L⁻¹."""
        columns = solve_triangular(self.factor, np.eye(len(self.factor)), lower=True)
        return np.asarray(np.square(columns).sum(axis=0))

    @property
    def loo_errors(self) -> FloatArray:
        """y_i − f₋ᵢ(x_i), shape of coef, where f₋ᵢ is fitted without example i."""
        return _divide_rows(self.coef, self.inverse_diagonal)

    @property
    def degrees_of_freedom(self) -> float:
        """tr K(K + λI)⁻¹ = n − λ tr (K + λI)⁻¹: how many parameters the fit amounts to."""
        return float(len(self.coef) - self.lam * self.inverse_diagonal.sum())

    def posterior_variance(self, K_new: Any, diag: Any) -> FloatArray:
        """Return the variance of f(x) at new points, f a Gaussian process seen with noise λ.

        k(x, x) − k(x)ᵀ(K + λI)⁻¹k(x) ≥ 0, shape (m,), in squared units of y; that of a new, noisy
        observation is λ more. K_new holds k(x, x_i), shape (m, n), and diag k(x, x) of the new
        points, shape (m,). If f ~ GP(0, k) and y_i = f(x_i) + noise of variance λ, the posterior
        mean is the ridge solution. Rasmussen & Williams 2006, equations 2.25 and 2.26. Taught in
        notebook 06. Raises ValueError if the shapes do not match or a number is not finite.
        """
        K_new = check_vectors(K_new, "K_new")
        if K_new.shape[1] != len(self.factor):
            raise ValueError(
                f"K_new must have one column per training point, shape (m, {len(self.factor)}), "
                f"got shape {K_new.shape}"
            )
        explained = np.square(solve_triangular(self.factor, K_new.T, lower=True)).sum(axis=0)
        variance = check_numbers(diag, "diag", len(K_new)) - explained
        return np.asarray(np.maximum(variance, 0.0))  # rounding may leave it a little below


def ridge(K: Any, y: Any, lam: float) -> RidgeFit:
    """Solve (K + λI) coef = y for one λ, by a Cholesky factorisation.

    Minimises Σ (y_i − f(x_i))² + λ‖w‖² over f(x) = w·φ(x). By the representer theorem w = Σ coef_i
    φ(x_i), and the gradient vanishes where (K + λI) coef = y. Saunders, Gammerman & Vovk 1998.
    Taught in notebook 06. Raises ValueError for bad K, y or lam, or if K + λI is not positive
    definite. Warns, LamRaised, if λ was raised.

    Parameters
    ----------
    K : array of shape (n, n). Gram matrix, positive semi-definite.
    y : array of shape (n,) or (n, q). Targets; q columns are q problems with the same K and λ.
    lam : float. λ ≥ 0, in units of K. Raised to `smallest_lam(K)` if below.
    """
    K = check_gram(K)
    y = _check_targets(y, len(K))
    lam = float(check_lams(check_number(lam, "lam"), smallest_lam(K))[0])
    try:
        coef, factor = solve_ridge(K, y, lam)
    except LinAlgError:
        raise ValueError(
            f"K must be positive semi-definite, and with lam = {lam:g} added to its diagonal it is "
            f"still not; certificates.spectrum(K) shows how far"
        ) from None
    return RidgeFit(lam, coef, factor)


@dataclass(frozen=True)
class RidgePath:
    """Kernel ridge regression at many λ, from one eigendecomposition K = U diag(s) Uᵀ.

    Every function of K + λI is then the same function of the numbers s + λ. L counts the λ.

    Parameters
    ----------
    lams : array of shape (L,). λ that were used.
    y : array of shape (n,) or (n, q). Targets.
    eigenvalues, eigenvectors : arrays of shapes (n,) and (n, n)
        s ≥ 0, ascending, and the columns of U.
    floor : float. `smallest_lam(K)`.
    """

    lams: FloatArray
    y: FloatArray
    eigenvalues: FloatArray
    eigenvectors: FloatArray
    floor: float

    def at(self, lams: Any) -> RidgePath:
        """Return the path at other λ, a number or shape (L,), without a new decomposition."""
        return replace(self, lams=check_lams(lams, self.floor))

    @cached_property
    def shrinkage(self) -> FloatArray:
        """1/(s_k + λ), shape (L, n)."""
        return 1.0 / (self.eigenvalues + self.lams[:, np.newaxis])

    @cached_property
    def coef(self) -> FloatArray:
        """U diag(1/(s + λ)) Uᵀy, shape (L, n) or (L, n, q)."""
        along = self.y.T @ self.eigenvectors  # Uᵀy, shape (n,) or (q, n)
        shrinkage = self.shrinkage if self.y.ndim == 1 else self.shrinkage[:, np.newaxis]
        return np.moveaxis((shrinkage * along) @ self.eigenvectors.T, -1, 1)

    @cached_property
    def inverse_diagonal(self) -> FloatArray:
        """[(K + λI)⁻¹]_ii = Σ_k U_ik²/(s_k + λ), shape (L, n)."""
        return np.asarray(self.shrinkage @ np.square(self.eigenvectors).T)

    @property
    def residuals(self) -> FloatArray:
        """y − f at the training points, shape of coef: λ coef."""
        return np.asarray((self.coef.T * self.lams).T)

    @property
    def loo_errors(self) -> FloatArray:
        """y_i − f₋ᵢ(x_i), shape of coef, where f₋ᵢ is fitted without example i.

        coef_i / [(K + λI)⁻¹]_ii: exact, no refit. It loses digits where λ < 1e-12 ‖K‖.
        """
        return _divide_rows(self.coef, self.inverse_diagonal)

    @property
    def train_error(self) -> FloatArray:
        """Mean squared residual, shape (L,), in squared units of y."""
        return _mean_square(self.residuals)

    @property
    def loo_error(self) -> FloatArray:
        """Mean squared leave-one-out error, shape (L,), in squared units of y."""
        return _mean_square(self.loo_errors)

    @property
    def degrees_of_freedom(self) -> FloatArray:
        """Σ s/(s + λ), shape (L,): how many parameters the fit amounts to, n down to 0."""
        return np.asarray(self.shrinkage @ self.eigenvalues)

    @property
    def condition(self) -> FloatArray:
        """Condition number of K + λI in the Euclidean norm, shape (L,)."""
        s = self.eigenvalues
        return np.asarray((s[-1] + self.lams) / (s[0] + self.lams))

    @property
    def best(self) -> int:
        """Which λ has the smallest leave-one-out error: an index into `lams`."""
        return int(np.argmin(self.loo_error))


def ridge_path(K: Any, y: Any, lams: Any) -> RidgePath:
    """Solve (K + λI) coef = y for every λ, from one eigendecomposition of K.

    O(n³) once and O(n²) per λ. Eigenvalues below zero by rounding are set to zero.

    Leave-one-out: let f₋ᵢ be the fit without example i, and put its own prediction f₋ᵢ(x_i) in
    place of y_i: the full fit of these targets is f₋ᵢ again. So changing y_i by −e_i,
    e_i = y_i − f₋ᵢ(x_i), must bring coef_i to zero: coef_i − [(K + λI)⁻¹]_ii e_i = 0. Golub, Heath
    & Wahba 1979. Taught in notebook 06. Raises ValueError for bad K, y or lams, or if K has a
    negative eigenvalue beyond rounding. Warns, LamRaised, if some λ were raised.

    Parameters
    ----------
    K : array of shape (n, n). Gram matrix, positive semi-definite.
    y : array of shape (n,) or (n, q). Targets.
    lams : array of shape (L,), or a number
        Every λ ≥ 0, in units of K. Raised to `smallest_lam(K)` where below.
    """
    K = check_gram(K)
    y = _check_targets(y, len(K))
    floor = smallest_lam(K)
    used = check_lams(lams, floor)
    eigenvalues, eigenvectors = eigh(K, driver="evd", check_finite=False)
    if eigenvalues[0] < -NOT_PSD * np.abs(eigenvalues).max():
        raise ValueError(
            f"K must be positive semi-definite, got eigenvalues from {eigenvalues[0]:.6g} to "
            f"{eigenvalues[-1]:.6g}: it is not the Gram matrix of a kernel"
        )
    return RidgePath(used, y, np.maximum(eigenvalues, 0.0), eigenvectors, floor)


def lam_from_c_form(C: float) -> float:
    """From ½‖w‖² + C Σ (y − f)²: ours is 1/(2C). Taught in notebook 06."""
    return 1 / (2 * check_positive(C, "C"))


# --- what the above share -------------------------------------------------------------------------


def _check_targets(y: Any, n: int) -> FloatArray:
    if np.ndim(y) == 1:
        return check_numbers(y, "y", n)
    if np.ndim(y) != 2 or len(y) != n:
        raise ValueError(f"y must have shape ({n},) or ({n}, q), got shape {np.shape(y)}")
    return check_vectors(y, "y")


def check_lams(lams: Any, floor: float) -> FloatArray:
    """Return the λ to use, raised to the floor, with a warning, where they are below it."""
    lams = check_numbers(np.atleast_1d(lams), "lam")
    if lams.min() < 0:
        raise ValueError(f"lam must not be negative, got {lams.min():g}")
    if floor == lams.min() == 0:
        raise ValueError("lam must be positive where K is zero, got 0")
    clamped = lams < floor
    if clamped.any():
        warnings.warn(
            f"lam = {lams.min():g} is too small for double precision and was raised to "
            f"{floor:.3g}, n · eps · ‖K‖ ({np.count_nonzero(clamped)} of {len(lams)} values)",
            LamRaised,
            stacklevel=3,
        )
    return np.asarray(np.maximum(lams, floor))


def _divide_rows(coef: FloatArray, diagonal: FloatArray) -> FloatArray:
    """Return coef / diagonal, where coef may have a last axis of several outputs."""
    return coef / (diagonal if coef.ndim == diagonal.ndim else diagonal[..., np.newaxis])


def _mean_square(errors: FloatArray) -> FloatArray:
    """Return the mean of the squares over all axes but the first."""
    return np.asarray(np.square(errors).mean(axis=tuple(range(1, errors.ndim))))
