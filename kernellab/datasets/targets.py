"""Points whose label is known everywhere: a target function, and a sample of it.

Where the target is known a picture can show it beside what was learnt.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.datasets.records import Dataset
from kernellab.solving import Seed, random_generator
from kernellab.validation import FloatArray, check_positive_integer, check_vectors

RADIUS_SQUARED = 0.8


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

    Parameters
    ----------
    n : int
        How many.
    rng : int or numpy.random.Generator
        The seed.

    Returns
    -------
    Dataset
        X of shape (n, 1), y of −1 and +1.

    Raises
    ------
    ValueError
        If n is no positive integer, or rng no seed.

    Notes
    -----
    Taught in notebook 05.
    """
    x = np.sort(random_generator(rng).uniform(0, 1, check_positive_integer(n, "n")))
    return Dataset(x[:, np.newaxis], quarters(x), ("x",), ("−1", "+1"), "four quarters")


def make_outside_circle(n: int = 100, seed: int = 12345) -> Dataset:
    """Draw points of the unit square, labelled by `outside_circle`.

    Parameters
    ----------
    n : int
        How many.
    seed : int
        For NumPy's legacy generator, whose points other texts print: 12345 for training and
        54321 for testing.

    Returns
    -------
    Dataset
        X of shape (n, 2), y of −1 and +1.

    Raises
    ------
    ValueError
        If n is no positive integer.

    Notes
    -----
    The circle's arc leaves π/5, 63 % of the square, in class −1. Taught in notebook 05.
    """
    X = np.random.RandomState(seed).rand(check_positive_integer(n, "n"), 2)
    return Dataset(X, outside_circle(X), ("x₁", "x₂"), ("inside", "outside"), "a quarter disc")
