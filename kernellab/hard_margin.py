"""The separator through the origin with the largest margin, exactly, by least distance programming.

Small and exact: it tells the perceptron's lessons what the best separator would have been.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import nnls

from kernellab.solving import CONVERGED, STOPPED
from kernellab.validation import FloatArray, check_labels, check_vectors

NOT_SEPARABLE = "not separable"

THINNEST = 1e-13
"""A half-margin below this fraction of the largest |X_ij| is not told from none at all."""

ATTEMPTS = 10
"""SciPy's nnls (since 1.15) may stop early on ties; other orders of the rows get past them."""


def max_margin_through_origin(X: Any, y: Any) -> tuple[FloatArray | None, str]:
    """The shortest w with y_i w·x_i ≥ 1 for all i, or the finding that there is none.

    Parameters
    ----------
    X : array of shape (n, d)
        One example a row. There is no bias: with `homogeneous(X)` the last weight is one, and it
        counts in the length of w like the others.
    y : array of shape (n,)
        Labels −1 and +1.

    Returns
    -------
    w : array of shape (d,), or None
        None unless the status is "converged". The geometric half-margin is 1/‖w‖.
    status : str
        "converged"; "not separable"; or "stopped at the cap", if rounding left it undecided.

    Raises
    ------
    ValueError
        For bad X or y.

    Notes
    -----
    Least distance programming, Lawson and Hanson (1974), chapter 23. With the rows g_i = y_i x_i:

    1. solve min over u ≥ 0 of ‖Gᵀu‖² + (1 − Σ u_i)², a non-negative least squares problem;
    2. its optimality conditions say g_i·v ≥ s, with equality where u_i > 0, for v = Gᵀu and
       s = 1 − Σ u_i;
    3. so w = v / s has g_i·w ≥ 1, and α = u / s is its dual solution: w = Σ α_i y_i x_i.

    If v = 0, then zero is a convex combination of the g_i, and no w has g_i·w > 0 for all i.
    Where the margin is thin, v is a small difference of large numbers; w is found more exactly as
    the shortest solution of g_i·w = 1 over the i with u_i > 0.

    The answer is not taken on trust. For every w and every u ≥ 0,
    min g_i·w / ‖w‖ ≤ half-margin ≤ ‖Gᵀu‖ / Σ u_i, the distance from zero to a point of the convex
    hull of the g_i. "converged" means that the two sides agree to six digits; "not separable" that
    the right one is below `THINNEST` times the largest |X_ij|: so thin a gap could be the rounding
    of X alone. Taught in notebooks 01 and 02.
    """
    X = check_vectors(X)
    y = check_labels(y, len(X))
    largest = np.abs(X).max()
    if largest == 0:
        return None, NOT_SEPARABLE
    G = y[:, np.newaxis] * (X / largest)  # the answer must not depend on the units of X

    for attempt in range(ATTEMPTS):
        w, at_most = _least_distance(np.roll(G, attempt, axis=0))
        if at_most <= THINNEST:
            return None, NOT_SEPARABLE
        smallest = (G @ w).min()
        if smallest > 0 and smallest >= (1 - 1e-6) * at_most * np.linalg.norm(w):
            return w / smallest / largest, CONVERGED
    return None, STOPPED


def _least_distance(G: FloatArray) -> tuple[FloatArray, float]:
    """A candidate for the shortest w with Gw ≥ 1, and an upper bound of the half-margin."""
    n, d = G.shape
    zeros_and_one = np.append(np.zeros(d), 1.0)
    try:
        u, _ = nnls(np.vstack([G.T, np.ones(n)]), zeros_and_one, maxiter=30 * n)
    except RuntimeError:  # too many iterations
        return np.zeros(d), np.inf
    w = np.linalg.lstsq(G[u > 0], np.ones(np.count_nonzero(u)))[0]
    return w, float(np.linalg.norm(u @ G) / u.sum())
