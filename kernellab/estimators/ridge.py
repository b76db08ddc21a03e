"""Kernel ridge regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from kernellab.estimators.base import KernelMixin, example_weights, unique_rows
from kernellab.solvers.ridge import ridge
from kernellab.validation import FloatArray


@dataclass(eq=False, repr=False)
class KernelRidge(KernelMixin, RegressorMixin, BaseEstimator):
    """Kernel ridge regression.

    (K + λI) coef = y. There is no bias: centre y, or add 1 to the kernel. With weights, √c_i
    multiplies y_i, row i and column i of K. Raises ValueError when fitted, for a bad parameter or
    bad data, or if the Gram matrix is that of no kernel. Warns LamRaised if λ was raised. Taught in
    notebook 06.

    Parameters
    ----------
    kernel, gamma, degree, coef0 : As in `KernelSVC`.
    lam : float. λ ≥ 0 in Σ c_i (y_i − f(x_i))² + λ‖w‖², raised if too small for double precision.

    Attributes
    ----------
    coef_ : array of shape (n,) or (n, q). Signed weights: f(x) = Σ coef_i k(x_i, x).
    loo_ : array of shape (n,) or (n, q)
        Leave-one-out errors y_i − f₋ᵢ(x_i), exact, without a refit; NaN where an example had weight
        zero. To compute them costs as much again as the fit, so it is done when first asked for.
    lam_ : float. The λ that was used.
    support_ : array of int
        The examples whose weight is not zero: ridge regression uses all of them.
    """

    lam: float = 1.0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> KernelRidge:
        """Fit to n examples and their targets, (n,) or (n, q), counting sample_weight times."""
        X, y = self._read(X, y, multi_output=True, y_numeric=True)
        weight = example_weights(sample_weight, X)
        unique = unique_rows(None, None, weight)  # copies and all: it is exact as it is
        self._set_kernel(X, unique)
        self.support_ = unique.rows
        root = np.sqrt(weight[self.support_])
        K = self._gram(X, self.support_) * np.outer(root, root)
        targets = (np.asarray(y, dtype=np.float64)[self.support_].T * root).T
        self._fit = ridge(K, targets, self.lam)
        self._root, self._n = root, len(weight)
        self.lam_ = self._fit.lam
        self.coef_ = self._spread((self._fit.coef.T * root).T, 0.0)
        self._keep(X, weight)
        return self

    @property
    def loo_(self) -> FloatArray:
        """Leave-one-out errors, shape of y."""
        check_is_fitted(self)
        return self._spread((self._fit.loo_errors.T / self._root).T, np.nan)

    def predict(self, X: Any) -> FloatArray:
        """Return f(x) of each example, shape (m,) or (m, q)."""
        K = self._compare(X)
        return np.asarray(K @ self.coef_[self.support_])

    def _spread(self, values: FloatArray, missing: float) -> FloatArray:
        """Return values of the examples used, in the places of all."""
        spread = np.full((self._n, *values.shape[1:]), missing)
        spread[self.support_] = values
        return spread

    def __sklearn_tags__(self) -> Any:
        """Targets may have several columns; without a bias, those far from 0 are fitted badly."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
