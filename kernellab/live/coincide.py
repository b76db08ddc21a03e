"""What the live figures say of points that were dragged onto one another."""

from __future__ import annotations

import numpy as np

from kernellab.validation import FloatArray

NEAR = 1e-4  # in every coordinate; a hand places nothing nearer without placing it there


def coincidence(X: FloatArray, y: FloatArray, verdict: str = "") -> str:
    """Say whether points lie on one another, and what it means if their labels differ.

    Returns nothing where all points are apart.

    Parameters
    ----------
    X, y : Points, shape (n, d), and labels −1 or +1, shape (n,).
    verdict : What follows from a point with two labels, such as "no kernel tells them apart".
    """
    together = np.abs(X[:, np.newaxis] - X).max(axis=2) <= NEAR
    n = int((together.sum(axis=1) > 1).sum())
    if n == 0:
        return ""
    if (together & (y[:, np.newaxis] != y)).any():
        return f"points with two labels coincide{': ' * bool(verdict)}{verdict}"
    return f"{n} points coincide"
