"""Functions drawn from a Gaussian process, before and after it has seen data."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import eigh, solve_triangular

from kernellab.kernels import Kernel
from kernellab.solvers.ridge import RidgeFit, ridge
from kernellab.solving import Seed, random_generator
from kernellab.validation import (
    FloatArray,
    check_gram,
    check_numbers,
    check_positive_integer,
    check_vectors,
)


def posterior_covariance(fit: RidgeFit, K_new: Any, K_new_new: Any) -> FloatArray:
    """Return the covariance of f at new points, f a Gaussian process seen with noise λ.

    Parameters
    ----------
    fit : RidgeFit
        Kernel ridge regression with λ = the variance of the noise.
    K_new : array of shape (m, n)
        k(x, x_i), new points by training points.
    K_new_new : array of shape (m, m)
        k between the new points: the covariance before anything was seen.

    Returns
    -------
    array of shape (m, m)
        K_new_new − K_new (K + λI)⁻¹ K_newᵀ, in squared units of y; its diagonal is
        `RidgeFit.posterior_variance`.

    Raises
    ------
    ValueError
        If the shapes do not match or a number is not finite.

    Notes
    -----
    Rasmussen & Williams 2006, equation 2.24. Taught in notebook 06.
    """
    K_new, prior = check_vectors(K_new, "K_new"), check_gram(K_new_new, "K_new_new")
    if K_new.shape != (len(prior), len(fit.factor)):
        raise ValueError(
            f"K_new must have shape ({len(prior)}, {len(fit.factor)}), got shape {K_new.shape}"
        )
    half = solve_triangular(fit.factor, K_new.T, lower=True)
    return np.asarray(prior - half.T @ half)


def sample_paths(mean: Any, covariance: Any, n_paths: int, rng: Seed = 0) -> FloatArray:
    """Draw functions with this mean and covariance, shape (n_paths, m).

    Parameters
    ----------
    mean : array of shape (m,)
        Mean at the m points.
    covariance : array of shape (m, m)
        Covariance between them, in squared units of the mean.
    n_paths : int
        How many.
    rng : int or numpy.random.Generator
        The seed. The same seed draws nearby functions for nearby covariances.

    Raises
    ------
    ValueError
        If the shapes do not match, a number is not finite, or rng is no seed.

    Notes
    -----
    mean + V diag(√s) Vᵀ z with standard normal z, where the covariance is V diag(s) Vᵀ: the
    symmetric root, which has no signs to jump. Taught in notebook 06.
    """
    covariance = check_gram(covariance, "covariance")
    mean = check_numbers(mean, "mean", len(covariance))
    n_paths = check_positive_integer(n_paths, "n_paths")
    z = random_generator(rng).normal(size=(n_paths, len(mean)))
    values, vectors = eigh(covariance, check_finite=False)
    roots = np.sqrt(np.maximum(values, 0.0))  # rounding may leave one a little below zero
    return np.asarray(mean + (z @ vectors * roots) @ vectors.T)


def coverage(truth: Kernel, prior: Kernel, noise: float, rng: Seed = 3) -> float:
    """Return how often the band of one kernel holds functions drawn from another.

    2000 functions on [0, 1] are drawn from the process with covariance ``truth``. Each is seen at
    the same 12 random places, with noise of this standard deviation, and fitted with ``prior``.
    Returned is the share of values within two posterior standard deviations of the mean: with the
    right prior 0.954. Taught in notebook 06.
    """
    rng = random_generator(rng)
    grid, places = np.linspace(0, 1, 21)[:, np.newaxis], rng.uniform(size=(12, 1))
    everywhere = np.vstack([grid, places])
    f = sample_paths(np.zeros(len(everywhere)), truth(everywhere), 2000, rng)
    y = f[:, len(grid) :] + noise * rng.normal(size=(2000, len(places)))
    fit, K_new = ridge(prior(places), y.T, noise**2), prior(grid, places)
    deviation = np.sqrt(fit.posterior_variance(K_new, prior.diag(grid)))
    within = np.abs(f[:, : len(grid)].T - K_new @ fit.coef) <= 2 * deviation[:, np.newaxis]
    return float(within.mean())
