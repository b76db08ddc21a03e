"""A first guess for the width of a Gaussian kernel, from the distances in the data alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import pdist

from kernellab.validation import check_vectors


def median_bandwidth(X: Any) -> float:
    """Return σ = the median distance between two different examples.

    In the unit of X, shape (n, d): half of all pairs have k(x, z) ≥ e^−½ = 0.61. It knows nothing
    of the labels: a place to begin a search, not its result. All pairs are looked at: for many
    thousands pass a random part. Some texts take the median of the *squared* distances for 2σ² or
    for σ² instead. Taught in notebook 03. Raises ValueError if there are fewer than two examples,
    or more than half of all pairs coincide.
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
