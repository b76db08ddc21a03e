"""Points whose label is known everywhere: a target function, and a sample of it.

Where the target is known a picture can show it beside what was learnt.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.datasets.records import Dataset
from kernellab.solving import Seed, random_generator
from kernellab.validation import FloatArray, check_number, check_positive_integer, check_vectors

RADIUS_SQUARED = 0.8
NOISE = 0.1  # of the bowl: a standard deviation, in the unit of y
TRAIN_SEED, TEST_SEED = 123, 12345  # of the bowl
# What a published experiment with the bowl tried: γ of its kernels, and λ = 0.05, 0.10, …, 5.
GAMMAS = (0.05, 0.2, 1.0, 3.0, 6.0, 8.0, 10.0, 12.0)
LINEAR_LAMS = np.round(np.arange(1, 101) * 0.05, 2)


def quarters(x: Any) -> FloatArray:
    """Return −1, +1, −1, +1 on the four quarters of [0, 1], the last of them closed; shape of x."""
    x = np.asarray(x, dtype=np.float64)
    quarter = np.clip(np.floor(4 * x), 0, 3)
    return np.where(quarter % 2 == 0, -1.0, 1.0)


def outside_circle(X: Any) -> FloatArray:
    """Return +1 where x₁² + x₂² ≥ 0.8, else −1, shape (n,), for points of shape (n, 2)."""
    X = check_vectors(X)
    return np.where((X[:, :2] ** 2).sum(axis=1) >= RADIUS_SQUARED, 1.0, -1.0)


def make_quarters(n: int = 20, rng: Seed = 0) -> Dataset:
    """Draw numbers from [0, 1], in ascending order, labelled by `quarters`.

    Returns a Dataset: X of shape (n, 1), y of −1 and +1. Raises ValueError if n is no positive
    integer, or rng no seed. Taught in notebook 05.

    Parameters
    ----------
    n : int. How many.
    rng : int or numpy.random.Generator. The seed.
    """
    x = np.sort(random_generator(rng).uniform(0, 1, check_positive_integer(n, "n")))
    return Dataset(x[:, np.newaxis], quarters(x), ("x",), ("−1", "+1"), "four quarters")


def make_outside_circle(seed: int = 12345) -> Dataset:
    """Draw 100 points of the unit square, labelled by `outside_circle`.

    Returns a Dataset: X of shape (100, 2), y of −1 and +1. The circle's arc leaves π/5, 63 % of the
    square, in class −1. Taught in notebook 05.

    Parameters
    ----------
    seed : int
        For NumPy's legacy generator, whose points other texts print: 12345 for training and
        54321 for testing.
    """
    X = np.random.RandomState(seed).rand(100, 2)
    return Dataset(X, outside_circle(X), ("x₁", "x₂"), ("inside", "outside"), "a quarter disc")


def bowl(X: Any) -> FloatArray:
    """Return x₁² + x₂² of points of shape (n, 2): the surface without noise, shape (n,)."""
    return np.asarray(np.square(check_vectors(X)).sum(axis=1))


def make_bowl(n: int = 100, seed: int = TRAIN_SEED, *, noise: float = NOISE) -> Any:
    """Draw points of the unit square and their noisy heights in the bowl.

    Returns X, y: arrays of shapes (n, 2) and (n,): points uniform in [0, 1]², and x₁² + x₂² + ε.
    Raises ValueError if n is not a positive integer, or noise negative. Taught in notebook 06.

    Parameters
    ----------
    n : int. How many.
    seed : int
        Of NumPy's legacy generator, whose stream never changes. 123 and 12345 give the published
        training and test data.
    noise : float. The standard deviation of ε (not its variance), in the unit of y.
    """
    n = check_positive_integer(n, "n")
    noise = check_number(noise, "noise")
    if noise < 0:
        raise ValueError(f"noise must not be negative, got {noise:g}")
    draw = np.random.RandomState(seed)
    X = draw.uniform(size=(n, 2))
    return X, bowl(X) + noise * draw.normal(size=n)
