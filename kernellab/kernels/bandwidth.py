"""A first guess for the width of a Gaussian kernel, from the distances in the data alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import pdist

from kernellab.validation import check_vectors


def median_bandwidth(X: Any) -> float:
    """Return σ = the median distance between two different examples.

    Returns σ, in the unit of X, so that half of all pairs have k(x, z) ≥ e^−½ = 0.61. As γ =
    1/(2σ²) it is where ``Gaussian.from_bandwidth`` begins. It knows nothing of the labels: a place
    to begin a search, not its result. Some texts take the median of the *squared* distances for 2σ²
    or for σ² instead. Raises ValueError if there are fewer than two examples, or more than half of
    all pairs coincide. Taught in notebook 03.

    Parameters
    ----------
    X : array-like, shape (n, d)
        At least two examples. All pairs are looked at: for many thousands pass a random part.
    """
    X = check_vectors(X)
    if len(X) < 2:
        raise ValueError("X must hold at least two examples: one has no distances")
    sigma = float(np.median(pdist(X)))
    if sigma == 0.0:
        raise ValueError(
            "X must not hold the same example over and over: the median distance is 0; "
            "leave out the repeats"
        )
    return sigma
