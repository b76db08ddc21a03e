"""An experiment with kernel ridge regression that was published with mistakes, and without them.

The data are noisy heights of a bowl, y = x₁² + x₂² + ε. The mistakes are switches: all of them off,
it is the experiment as it was meant.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kernellab.kernels import Gaussian, Kernel, Laplacian
from kernellab.solvers.ridge import ridge_path
from kernellab.validation import FloatArray, check_numbers


class Errors(NamedTuple):
    """Mean squared errors at each λ, both (L,), and the test predictions behind them, (L, m)."""

    train: FloatArray
    test: FloatArray
    predicted: FloatArray


def kernel_called_gaussian(gamma: float, *, not_squared: bool = False) -> Kernel:
    """Return exp(−γ‖x − z‖²), or by mistake exp(−γ‖x − z‖)."""
    return Laplacian(gamma, "l2") if not_squared else Gaussian(gamma)


def ridge_errors(
    train: Any,
    test: Any,
    gamma: float,
    lams: Any,
    *,
    not_squared: bool = False,
    lam_by_index: bool = False,
    column: bool = False,
) -> Errors:
    """Fit at every λ, and measure training and test errors, with or without mistakes.

    One eigendecomposition for all λ. Taught in notebook 09. Raises ValueError for bad data, γ or λ.

    Parameters
    ----------
    train, test : pairs (X, y) of arrays, shapes (n, d), (n,) and (m, d), (m,)
    gamma : float, of the kernel
    lams : array of shape (L,), every λ > 0
    not_squared : bool. The distance in the kernel is not squared.
    lam_by_index : bool
        λ is added to k(z_i, x_j) wherever the indices i and j are equal, though test example i and
        training example i have nothing to do with each other. Training errors are not concerned.
    column : bool. Predictions have shape (m, 1), targets (m,): their difference is a matrix.
    """
    (X, y), (X_test, y_test) = train, test
    kernel = kernel_called_gaussian(gamma, not_squared=not_squared)
    path = ridge_path(kernel(X), y, lams)

    def error(y: Any, values: FloatArray) -> FloatArray:
        if column:
            values = values[:, :, np.newaxis]  # one column for each λ
        return np.array([mean_squared_error(y, row) for row in values])

    predicted = path.coef @ kernel(X, X_test)
    if lam_by_index:
        predicted = with_residuals(predicted, path.lams[:, np.newaxis] * path.coef)
    return Errors(error(y, path.coef @ kernel(X)), error(y_test, predicted), predicted)


def with_residuals(values: Any, residuals: Any) -> FloatArray:
    """Add λ coef_j to prediction j, as far as there are as many: arrays (…, m) and (…, n).

    (K + λI) coef = y, so λ coef_j is the residual y_j − f(x_j) of *training* example j.
    """
    values, same = np.array(values), min(np.shape(values)[-1], np.shape(residuals)[-1])
    values[..., :same] += residuals[..., :same]
    return values


def mean_squared_error(y: Any, predicted: Any) -> float:
    """Return the mean of (y − ŷ)²: of n numbers, or of n × n, as the two shapes have it."""
    return float(np.mean((y - predicted) ** 2))


class Terms(NamedTuple):
    """What adds up to a mean squared error; to that over all n × n pairs only the first three."""

    variance_of_y: float
    variance_of_predictions: float
    squared_difference_of_means: float
    minus_two_covariances: float


def error_terms(y: Any, predicted: Any) -> Terms:
    """Split mean (y_i − ŷ_i)² into variances, means and a covariance.

    Of targets and predictions, both (n,). Raises ValueError for other shapes and no numbers.

    mean_i (y_i − ŷ_i)² = Var y + Var ŷ + (mean y − mean ŷ)² − 2 Cov(y, ŷ). Over all pairs,
    mean_ij (y_j − ŷ_i)² has no covariance: it cannot know which prediction belongs to which
    target. Taught in notebook 09.
    """
    y = check_numbers(y, "y")
    predicted = check_numbers(predicted, "predicted", len(y))
    covariance = float(np.mean((y - y.mean()) * (predicted - predicted.mean())))
    return Terms(
        float(y.var()),
        float(predicted.var()),
        float((y.mean() - predicted.mean()) ** 2),
        -2 * covariance,
    )
