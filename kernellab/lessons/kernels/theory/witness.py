"""The proof that a function is no kernel: a few points and numbers c with cᵀKc < 0.

One Gram matrix without a negative eigenvalue proves nothing, because other points may have one. A
single one with a negative eigenvalue proves everything, and the fewer points it needs the better.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from kernellab.solving import Seed, random_generator
from kernellab.validation import FloatArray, check_gram, check_number, check_positive_integer

MOST_POINTS = 12
"""The subsets of more points than this are too many to look at."""


class Witness(NamedTuple):
    """Why a Gram matrix is that of no kernel: `value` = cᵀKc < 0 over the examples `points`.

    `points` are indices into K, shape (k,); `c`, shape (k,), has length 1.
    """

    points: tuple[int, ...]
    c: FloatArray
    value: float


def find_witness(K: Any, *, centred: bool = False, tol: float = 1e-10) -> Witness | None:
    """Return the smallest set of examples that proves K to be no Gram matrix of a kernel.

    Parameters
    ----------
    K : array-like, shape (n, n)
        Symmetric, n ≤ 12.
    centred : bool
        Allow only c with Σ c_i = 0, as the dual of an SVM with a bias does.
    tol : float
        How far below zero cᵀKc must be, relative to the largest |K_ij|.

    Returns
    -------
    Witness or None
        None if every cᵀKc ≥ 0. Of several sets with equally many examples, the one whose cᵀKc is
        lowest.

    Raises
    ------
    ValueError
        If K is not square, symmetric and finite, n > 12, or tol is negative.

    Notes
    -----
    One example is enough where k(x, x) < 0; two, where k(x, z)² > k(x, x) k(z, z), against the
    inequality of Cauchy and Schwarz. c is the eigenvector of the smallest eigenvalue of that part
    of K; if Σ c_i = 0 is asked for, of HKH with H = I − 11ᵀ/k. Taught in notebook 03.
    """
    K = check_gram(K)
    n = len(K)
    if n > MOST_POINTS:
        raise ValueError(f"K must be of at most {MOST_POINTS} examples, got {n}; pass a part of it")
    if check_number(tol, "tol") < 0:
        raise ValueError(f"tol must not be negative, got {tol!r}")
    allowed = -tol * np.abs(K).max()
    for size in range(1 + centred, n + 1):
        parts = np.array(list(combinations(range(n), size)))
        blocks = K[parts[:, :, np.newaxis], parts[:, np.newaxis, :]]
        if centred:
            blocks = centre(blocks)
        values, vectors = np.linalg.eigh(blocks)
        lowest = int(values[:, 0].argmin())
        if values[lowest, 0] < allowed:
            c = vectors[lowest, :, 0]
            c = c * np.sign(c[np.abs(c).argmax()])
            points = tuple(int(i) for i in parts[lowest])
            return Witness(points, c, float(values[lowest, 0]))
    return None


def centre(K: FloatArray) -> FloatArray:
    """Return HKH with H = I − 11ᵀ/n: the Gram matrix of the features minus their mean.

    K has shape (…, n, n). Taught in notebook 03.
    """
    mean = K.mean(axis=-1)  # added before it is taken off, so that K stays symmetric to the bit
    both = mean[..., :, np.newaxis] + mean[..., np.newaxis, :]
    centred: FloatArray = K - both + mean.mean(axis=-1)[..., np.newaxis, np.newaxis]
    return centred


def search_witness(
    kernel: Callable[[FloatArray], FloatArray],
    n_features: int,
    *,
    n_points: int = 4,
    tries: int = 300,
    reach: float = 2.0,
    centred: bool = False,
    rng: Seed = 0,
) -> FloatArray | None:
    """Look for points whose Gram matrix has a negative eigenvalue, at random.

    Parameters
    ----------
    kernel : callable
        Takes X, shape (n_points, n_features), and returns its Gram matrix.
    n_features, n_points, tries : int
        How many coordinates, how many points at a time, how many such sets.
    reach : float
        Points are drawn from [−reach, reach] in every coordinate.
    centred : bool
        Allow only c with Σ c_i = 0.
    rng : int or numpy.random.Generator
        The seed.

    Returns
    -------
    ndarray, shape (n_points, n_features), or None
        The points with the lowest cᵀKc for a c of length 1, in units of the largest |K_ij|; None
        if it is never below −1e-10. None is no proof of anything. Taught in notebook 03.

    Raises
    ------
    ValueError
        If an argument is not what it should be, or the kernel returns no Gram matrix.
    """
    d = check_positive_integer(n_features, "n_features")
    n = check_positive_integer(n_points, "n_points")
    generator = random_generator(rng)
    best, found = -1e-10, None
    for _ in range(check_positive_integer(tries, "tries")):
        X = generator.uniform(-reach, reach, (n, d))
        K = check_gram(kernel(X))
        largest = np.abs(K).max()
        if largest > 0:
            lowest = np.linalg.eigvalsh(centre(K) if centred else K)[0] / largest
            if lowest < best:
                best, found = lowest, X
    return found
