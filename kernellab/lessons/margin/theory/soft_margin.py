"""The soft-margin SVM of a few points, solved and read: weights, slacks, kinds of point, the bias.

`smo` does the work; here is what a lesson looks at afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.certificates import check_C
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray, check_labels, check_vectors

ON_THE_MARGIN = 1e-6
"""A slack below this is none: the solver's rounding, not an error."""


@dataclass(frozen=True)
class SoftMargin:
    """A linear soft-margin SVM with a bias on n examples of d features; f(x) = w·x + b.

    Parameters
    ----------
    C : array of shape (n,)
        Cost of a slack of 1, example by example.
    alpha : array of shape (n,)
        Dual variables, 0 ≤ α_i ≤ C_i, Σ α_i y_i = 0.
    w : array of shape (d,)
        Weights Σ α_i y_i x_i.
    b : float
        Bias: the middle of `b_interval`.
    b_interval : pair of floats
        Every b between them is optimal; they agree where an example has 0 < α_i < C_i.
    margins : array of shape (n,)
        y_i f(x_i).
    gap : float
        Relative duality gap.
    status : str
        "converged", or "stopped at the cap".
    """

    C: FloatArray
    alpha: FloatArray
    w: FloatArray
    b: float
    b_interval: tuple[float, float]
    margins: FloatArray
    gap: float
    status: str

    @property
    def slack(self) -> FloatArray:
        """ξ_i = max(0, 1 − y_i f(x_i)), shape (n,)."""
        return np.maximum(0.0, 1.0 - self.margins)

    @property
    def support(self) -> NDArray[np.bool_]:
        """Whether α_i > 0, shape (n,)."""
        return self.alpha > 0

    @property
    def bounded(self) -> NDArray[np.bool_]:
        """Whether α_i = C_i, shape (n,)."""
        bounded: NDArray[np.bool_] = self.alpha == self.C
        return bounded

    @property
    def errors(self) -> NDArray[np.bool_]:
        """Whether ξ_i > 0: inside the margin, or on the wrong side; shape (n,)."""
        return self.slack > ON_THE_MARGIN

    @property
    def half_margin(self) -> float:
        """1/‖w‖, geometric; inf where w = 0."""
        length = float(np.linalg.norm(self.w))
        return 1 / length if length > 0 else float("inf")


def soft_margin(
    X: Any, y: Any, C: Any, *, start: Any = None, gap: float = 1e-9, max_passes: int = 2000
) -> SoftMargin:
    """Minimise ½‖w‖² + Σ C_i ξ_i and read the answer. Taught in notebook 02.

    Parameters
    ----------
    X, y : One example a row, shape (n, d), and labels −1 and +1, shape (n,).
    C : Cost of a slack of 1; for class weights one an example, shape (n,).
    start : First α, shape (n,), such as the solution for another C.
    gap : Relative duality gap to reach.
    max_passes : Where to stop without it.

    Raises
    ------
    ValueError
        For bad X, y, C or start.
    """
    X = check_vectors(X)
    y = check_labels(y, len(X))
    C = check_C(C, len(X))
    Z = X - X.mean(axis=0)  # Σ α_i y_i = 0: the origin does not matter, but its rounding does
    result = solve(smo(Z @ Z.T, y, C, start=start, gap=gap), gap=gap, max_passes=max_passes)
    alpha: FloatArray = result.alpha
    w: FloatArray = (alpha * y) @ Z
    low, high = bias_interval(X @ w, y, alpha, C)
    b = (low + high) / 2
    margins = y * (X @ w + b)
    return SoftMargin(C, alpha, w, b, (low, high), margins, result.gap, result.status)


def bias_interval(
    without_bias: FloatArray, y: FloatArray, alpha: FloatArray, C: FloatArray
) -> tuple[float, float]:
    """Return the smallest and the largest optimal bias for a given optimal α.

    Parameters
    ----------
    without_bias : w·x_i, shape (n,).
    y : Labels −1 and +1, shape (n,).
    alpha, C : Dual variables and their bounds, shape (n,).

    Notes
    -----
    Both are equal, but for rounding, where some 0 < α_i < C_i.
    α_i < C_i asks for y_i (w·x_i + b) ≥ 1 and α_i > 0 for ≤ 1; each is a bound of b from one side,
    y_i − w·x_i. Taught in notebook 02.
    """
    at_margin = y - without_bias  # the b that puts example i on its margin
    from_below = ((y > 0) & (alpha < C)) | ((y < 0) & (alpha > 0))
    from_above = ((y < 0) & (alpha < C)) | ((y > 0) & (alpha > 0))
    low = float(at_margin[from_below].max(initial=-np.inf))
    high = float(at_margin[from_above].min(initial=np.inf))
    return low, high
