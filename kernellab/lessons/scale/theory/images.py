"""As many images of digits as are asked for: shifted, dimmed and noisy copies of real ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kernellab.datasets import load_digits
from kernellab.solving import Seed, random_generator
from kernellab.validation import FloatArray, check_positive_integer

SIDE = 8
ORIGINALS = 1000  # images that copies are made of; the other 797 are for the test
NOISE = 0.05  # standard deviation of what is added to a pixel, of 0 … 1
_BLOCK = 4096  # copies made at a time


def halves(seed: int = 0) -> tuple[FloatArray, NDArray[np.int64], FloatArray, NDArray[np.int64]]:
    """Split the digits at random: 1000 images for training and 797 for the test.

    Returns X, y, X_test, y_test: pixels from 0 to 1, of shapes (1000, 64) and (797, 64), and
    digits. Taught in notebook 08.
    """
    data = load_digits(None)
    rows = np.random.default_rng(seed).permutation(len(data.y))
    train, test = np.split(rows, [ORIGINALS])
    return data.X[train] / 16, data.y[train], data.X[test] / 16, data.y[test]


def shifted(images: FloatArray, by: FloatArray) -> FloatArray:
    """Shift images of shape (n, 64) by fractions of a pixel, `by` of shape (n, 2) in [−1, 1].

    By bilinear interpolation; what comes in from outside is paper, 0. The first column is down,
    the second to the right.
    """
    n = len(images)
    padded = np.zeros((n, SIDE + 2, SIDE + 2))
    padded[:, 1:-1, 1:-1] = images.reshape(n, SIDE, SIDE)
    moved = np.zeros((n, SIDE, SIDE))
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            share = np.maximum(1 - np.abs(by - (down, right)), 0).prod(axis=1)
            part = padded[:, 1 - down : 1 - down + SIDE, 1 - right : 1 - right + SIDE]
            moved += share[:, np.newaxis, np.newaxis] * part
    return moved.reshape(n, -1)


def many_digits(n: int, *, rng: Seed = 0) -> tuple[FloatArray, NDArray[np.int64]]:
    """Draw n images, each a copy of one of the 1000 training images of `halves`.

    A copy is shifted by up to a pixel down and right, its ink is multiplied by 0.7 to 1, and every
    pixel gets a little noise. Returns X of shape (n, 64), pixels from 0 to 1, and y of shape (n,).
    The same seed gives the same images. Raises ValueError for a bad n or rng. Taught in notebook
    08.
    """
    n, rng = check_positive_integer(n, "n"), random_generator(rng)
    originals, digits, _, _ = halves()
    which = rng.integers(len(originals), size=n)
    X = np.empty((n, SIDE * SIDE))
    for start in range(0, n, _BLOCK):
        rows = which[start : start + _BLOCK]
        copies = shifted(originals[rows], rng.uniform(-1, 1, (len(rows), 2)))
        copies *= rng.uniform(0.7, 1, (len(rows), 1))
        copies += NOISE * rng.normal(size=copies.shape)
        X[start : start + _BLOCK] = np.clip(copies, 0, 1)
    return X, digits[which]
