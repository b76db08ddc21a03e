"""Bias and variance of kernel ridge regression, measured on many training samples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from kernellab.kernels import Kernel
from kernellab.solvers.ridge import ridge_path
from kernellab.validation import FloatArray, check_numbers, check_vectors


class BiasVariance(NamedTuple):
    """Both for each λ, shape (L,), means over the grid, in squared units of y."""

    squared_bias: FloatArray
    variance: FloatArray

    @property
    def error(self) -> FloatArray:
        """Mean squared distance from the truth: their sum. On noisy targets add the noise."""
        return self.squared_bias + self.variance


def resampled_fits(kernel: Kernel, samples: Iterable[Any], grid: Any, lams: Any) -> FloatArray:
    """Fit kernel ridge regression to each sample, at every λ.

    Parameters
    ----------
    kernel : Kernel
        On vectors.
    samples : R pairs (X, y), arrays of shapes (n, d) and (n,)
        Training samples of one problem.
    grid : array of shape (m, d)
        Where the fits are looked at.
    lams : array of shape (L,)
        Every λ > 0.

    Returns
    -------
    array of shape (R, L, m)
        f_r(grid_j) at λ_l.

    Raises
    ------
    ValueError
        For bad data or λ.

    Notes
    -----
    One eigendecomposition per sample. Taught in notebook 06.
    """
    grid = check_vectors(grid, "grid")
    return np.array([ridge_path(kernel(X), y, lams).coef @ kernel(X, grid) for X, y in samples])


def bias_variance(fits: Any, truth: Any) -> BiasVariance:
    """Split the mean squared distance of fits from the truth into bias and variance.

    Parameters
    ----------
    fits : array of shape (R, L, m)
        From `resampled_fits`.
    truth : array of shape (m,)
        The function that the samples are noisy values of.

    Returns
    -------
    BiasVariance

    Raises
    ------
    ValueError
        If the shapes do not match.

    Notes
    -----
    With f̄ the mean of the R fits at a point, mean_r (f_r − f)² = (f̄ − f)² + mean_r (f_r − f̄)²,
    exactly, whatever R is; the two terms themselves are estimates. Taught in notebook 06.
    """
    fits = np.asarray(fits, dtype=np.float64)
    if fits.ndim != 3 or fits.size == 0:
        raise ValueError(f"fits must have shape (R, L, m), got shape {fits.shape}")
    truth = check_numbers(truth, "truth", fits.shape[2])
    squared_bias = np.square(fits.mean(axis=0) - truth).mean(axis=1)
    return BiasVariance(squared_bias, fits.var(axis=0).mean(axis=1))
