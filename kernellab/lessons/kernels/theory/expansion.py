"""Functions f = Σ_j coef_j k(x_j, ·): what they are at a point, how long, and what is orthogonal.

These are the vectors of the space that belongs to a kernel. The representer theorem is one line in
it: whatever stands at right angles to all k(x_i, ·) is zero at all x_i.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from kernellab.kernels import Kernel
from kernellab.validation import FloatArray, check_numbers


@dataclass(frozen=True)
class Expansion:
    """f = Σ_j coef_j k(x_j, ·), a vector of the reproducing kernel Hilbert space of k.

    Parameters
    ----------
    kernel : Kernel
        k.
    points : sequence of m examples
        x_j; for kernels of vectors an array of shape (m, d).
    coef : array-like, shape (m,)
        Any numbers.

    Raises
    ------
    ValueError
        If coef does not have one finite number a point.

    Notes
    -----
    Reproducing: ⟨f, k(x, ·)⟩ = f(x). So ⟨f, g⟩ = Σ_i Σ_j coef_i k(x_i, z_j) coef_j. Aronszajn
    (1950), *Theory of reproducing kernels*. Taught in notebook 03.
    """

    kernel: Kernel
    points: Any
    coef: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "coef", check_numbers(self.coef, "coef", len(self.points)))

    def __call__(self, X: Any) -> FloatArray:
        """Return f(x) at n examples, shape (n,)."""
        return np.asarray(self.kernel(X, self.points) @ self.coef)

    def inner(self, other: Expansion) -> float:
        """Return ⟨f, g⟩; both must belong to the same kernel."""
        if other.kernel != self.kernel:
            raise ValueError(f"other must belong to {self.kernel}, got {other.kernel}")
        return float(self(other.points) @ other.coef)

    @property
    def squared_norm(self) -> float:
        """‖f‖² = coefᵀ K coef."""
        return self.inner(self)


def orthogonal_part(h: Expansion, X: Any) -> Expansion:
    """Return h minus its projection on the span of k(x_1, ·), …, k(x_n, ·).

    Parameters
    ----------
    h : Expansion
        Any function of the space.
    X : sequence of n examples
        For a kernel of vectors an array of shape (n, d).

    Returns
    -------
    Expansion
        g over the points of h and those of X. g(x_i) = 0 for all i, up to rounding, and
        ‖f + g‖² = ‖f‖² + ‖g‖² for every f of the span.

    Raises
    ------
    ValueError
        If X does not hold examples for the kernel of h.

    Notes
    -----
    The projection Σ a_i k(x_i, ·) has the values of h at the x_i: K a = h(X), solved by least
    squares, so that repeated examples do no harm. Schölkopf, Herbrich and Smola (2001), *A
    generalized representer theorem*. Taught in notebook 03.
    """
    X = np.asarray(X, dtype=np.float64)
    a = scipy.linalg.pinvh(h.kernel(X)) @ h(X)
    return Expansion(h.kernel, np.concatenate([h.points, X]), np.concatenate([h.coef, -a]))
