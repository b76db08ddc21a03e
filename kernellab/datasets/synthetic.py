"""Synthetic points in the plane: the same call gives the same points."""

from __future__ import annotations

import numpy as np

from kernellab.datasets.records import Dataset
from kernellab.solving import Seed, random_generator
from kernellab.validation import FloatArray, check_number


def make_clouds(n: int = 100, separation: float = 4.0, rng: Seed = 0) -> Dataset:
    """Two round Gaussian clouds in the plane, equally large, of unit standard deviation.

    Returns a Dataset: X of shape (n, 2), y of −1 and +1, in random order. No rule errs on less than
    Φ(−separation / 2) of such points: 2.3 % at separation 4, where Φ is the standard normal
    distribution function. Raises ValueError if n < 2, rng is no seed, or separation is negative or
    not finite. Taught in notebook 01.

    Parameters
    ----------
    n : int. Number of points, at least 2; n // 2 of them in class −1.
    separation : float
        Distance between the two centres, ±(separation / 2)·(1, 1)/√2, in standard deviations.
    rng : int or numpy.random.Generator. The seed.
    """
    _check_count(n)
    if check_number(separation, "separation") < 0:
        raise ValueError(f"separation must not be negative, got {separation!r}")
    generator = random_generator(rng)
    y = _shuffled_labels(n, generator)
    centre = separation / 2 * np.array([1.0, 1.0]) / np.sqrt(2)
    X = y[:, np.newaxis] * centre + generator.standard_normal((n, 2))
    return _plane(X, y, "two Gaussian clouds")


def make_rings(n: int = 200, rng: Seed = 0, *, noise: float = 0.25) -> Dataset:
    """A ring of radius 1 inside a ring of radius 2, both around the origin.

    Returns a Dataset: X of shape (n, 2), y of −1 (inner) and +1 (outer), in random order. Without
    noise a line is right on 2/3 of the points at best: a tangent of the inner ring. The circle of
    radius 1.5 errs on Φ(−0.5 / noise), 2.3 % at noise 0.25, and (x·z + c)² can draw it, because
    ‖x‖² is among its features. Raises ValueError if n < 2, rng is no seed, or noise is negative or
    not finite. Taught in notebook 04.

    Parameters
    ----------
    n : int. Number of points, at least 2; n // 2 of them in the inner ring, class −1.
    rng : int or numpy.random.Generator. The seed.
    noise : float. Standard deviation of the radius.
    """
    _check_count(n)
    if check_number(noise, "noise") < 0:
        raise ValueError(f"noise must not be negative, got {noise!r}")
    generator = random_generator(rng)
    y = _shuffled_labels(n, generator)
    radius = np.where(y < 0, 1.0, 2.0) + noise * generator.standard_normal(n)
    angle = generator.uniform(0, 2 * np.pi, n)
    X = radius[:, np.newaxis] * np.column_stack([np.cos(angle), np.sin(angle)])
    return _plane(X, y, "two rings")


def make_and(inputs: tuple[float, float] = (-1.0, 1.0)) -> Dataset:
    """Logical AND: the four corners of a square, +1 only where both inputs are true.

    Returns a Dataset: X of shape (4, 2) in the order 00, 01, 10, 11; y = (−1, −1, −1, +1). A line
    separates it. Raises ValueError if inputs is not two different finite numbers. Taught in
    notebook 01.

    Parameters
    ----------
    inputs : pair of numbers. The coordinates that stand for false and true: (−1, 1) or (0, 1).
    """
    return _plane(_corners(inputs), np.array([-1.0, -1.0, -1.0, 1.0]), "AND", ("false", "true"))


def make_xor(inputs: tuple[float, float] = (-1.0, 1.0)) -> Dataset:
    """Exclusive OR: the four corners of a square, +1 where the inputs differ.

    Returns a Dataset: X of shape (4, 2) in the order 00, 01, 10, 11; y = (−1, +1, +1, −1). No line
    separates it; the product of the two inputs does. Raises ValueError if inputs is not two
    different finite numbers. Taught in notebooks 01 and 03.

    Parameters
    ----------
    inputs : pair of numbers. The coordinates that stand for false and true: (−1, 1) or (0, 1).
    """
    return _plane(_corners(inputs), np.array([-1.0, 1.0, 1.0, -1.0]), "XOR", ("false", "true"))


def make_contradiction() -> Dataset:
    """Four points in the plane, two of them the same point with two labels.

    Returns a Dataset: X of shape (4, 2); rows 1 and 2 are equal and have labels −1 and +1. No
    function of x separates it, with any kernel. Taught in notebook 01.
    """
    X = np.array([[-2.0, -1.0], [1.0, 1.0], [1.0, 1.0], [2.0, 1.0]])
    return _plane(X, np.array([-1.0, -1.0, 1.0, 1.0]), "a point with two labels")


def _corners(inputs: tuple[float, float]) -> FloatArray:
    values = np.asarray(inputs, dtype=np.float64)
    if values.shape != (2,) or not np.isfinite(values).all() or values[0] == values[1]:
        raise ValueError(f"inputs must be two different numbers, such as (0, 1), got {inputs!r}")
    false, true = values
    return np.array([[false, false], [false, true], [true, false], [true, true]])


def _shuffled_labels(n: int, generator: np.random.Generator) -> FloatArray:
    return generator.permutation(np.repeat([-1.0, 1.0], [n // 2, n - n // 2]))


def _check_count(n: int) -> None:
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 2:
        raise ValueError(f"n must be an integer ≥ 2, one point a class at least, got {n!r}")


def _plane(
    X: FloatArray, y: FloatArray, what: str, target_names: tuple[str, str] = ("-1", "+1")
) -> Dataset:
    return Dataset(X, y, ("x₁", "x₂"), target_names, f"synthetic: {what}")
