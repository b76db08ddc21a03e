"""The dual variables of an SVM as functions of C, exactly: they are piecewise linear.

For the lessons, and for a handful of points: every bend costs a small linear system.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray, check_gram, check_labels, check_positive

EXACT = "exact"
SAMPLED = "sampled"

AT_ONCE = 1e-12
"""Two bends closer than this fraction of C are one."""

BELIEVED = 1e-6
"""Largest KKT violation, in units of the score, with which a path is believed."""

SAMPLES = 120
"""Values of C at which the solver is asked where the bends could not be followed."""


@dataclass(frozen=True)
class CPath:
    """α as a function of C, for the SVM without a bias; n examples, m bends.

    Parameters
    ----------
    C : array of shape (m,)
        Where a point changes sides, ascending; the last one is the end of the path.
    alpha : array of shape (m, n)
        α there.
    status : str
        "exact": α is linear in C between the bends, and α_i = C before the first of them.
        "sampled": where points coincide α is not unique, and was computed at these C alone.
    """

    C: FloatArray
    alpha: FloatArray
    status: str

    def at(self, C: Any) -> FloatArray:
        """Return α for one C > 0, shape (n,), or for a list of them, shape (len(C), n)."""
        C = np.asarray(C, dtype=np.float64)
        share = np.minimum(1.0, C / self.C[0])  # before the first bend every α_i is C
        columns = [np.interp(C, self.C, column) * share for column in self.alpha.T]
        alpha: FloatArray = np.minimum(np.stack(columns, axis=-1), C[..., np.newaxis])
        return alpha  # the minimum only undoes a rounding


def alpha_path(K: Any, y: Any, C_max: float) -> CPath:
    """Follow α of the SVM without a bias from C = 0 to C_max.

    Parameters
    ----------
    K : positive semi-definite Gram matrix, shape (n, n).
    y : Labels −1 and +1, shape (n,).
    C_max : Where to stop.

    Raises
    ------
    ValueError
        For bad K or y, or C_max not positive.

    Notes
    -----
    With Q_ij = y_i y_j K_ij the margins are Qα, and each point is of one kind: B has α_i = C and a
    margin below 1, R has α_i = 0 and one above, M is on the margin with α_i between. While nobody
    changes sides,

        Q_MM α_M = 1 − C Q_MB 1,

    so α_M is linear in C, and so are all margins. The next bend is where the first α of M reaches 0
    or C, or the first margin of B or R reaches 1. The path is checked against its KKT conditions.
    Hastie, Rosset, Tibshirani and Zhu (2004), with a bias. Taught in notebook 02.
    """
    K = check_gram(K)
    y = check_labels(y, len(K))
    check_positive(C_max, "C_max")
    Q = K * np.outer(y, y)
    path = _follow(Q, C_max)
    return path if path is not None and _believable(path, Q) else _sample(K, y, C_max)


def _follow(Q: FloatArray, C_max: float) -> CPath | None:
    """Go from bend to bend; None if that does not come to an end."""
    n = len(Q)
    at_C, free = np.ones(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
    C, bends = 0.0, []
    for _ in range(20 * n):
        start, slope = straight_piece(Q, at_C, free)  # α = start + slope C
        margin, growth = Q @ start, Q @ slope
        with np.errstate(divide="ignore", invalid="ignore"):
            to_zero = np.where(free & (slope < 0), -start / slope, np.inf)
            to_C = np.where(free & (slope > 1), start / (1 - slope), np.inf)
            towards = np.where(at_C, growth > 0, growth < 0)
            to_margin = np.where(~free & towards, (1 - margin) / growth, np.inf)
        events = np.stack([to_zero, to_C, to_margin])
        events[events < C * (1 - AT_ONCE)] = np.inf  # behind us
        kind, i = np.unravel_index(events.argmin(), events.shape)
        C = min(max(C, float(events[kind, i])), C_max)
        bends.append((C, np.clip(start + slope * C, 0.0, C)))
        if C_max <= C:
            return CPath(np.array([c for c, _ in bends]), np.stack([a for _, a in bends]), EXACT)
        free[i] = kind == 2
        at_C[i] = kind == 1
    return None


def straight_piece(
    Q: FloatArray, at_C: NDArray[np.bool_], free: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray]:
    """Return a and b of α = a + b C, linear while nobody changes sides: Q_MM α_M = 1 − C Q_MB 1."""
    start, slope = np.zeros(len(Q)), at_C.astype(np.float64)
    if free.any():
        sides = np.column_stack([np.ones(free.sum()), -Q[np.ix_(free, at_C)].sum(axis=1)])
        start[free], slope[free] = np.linalg.lstsq(Q[np.ix_(free, free)], sides)[0].T
    return start, slope


def _believable(path: CPath, Q: FloatArray) -> bool:
    """Check the KKT conditions at the bends and half-way between them."""
    C = np.concatenate([path.C, (path.C[1:] + path.C[:-1]) / 2])
    alpha = path.at(C)
    margins = alpha @ Q
    close = AT_ONCE * C[:, np.newaxis]
    too_small = (1 - margins)[alpha < C[:, np.newaxis] - close]
    too_large = (margins - 1)[alpha > close]
    return bool(max(too_small.max(initial=0), too_large.max(initial=0)) <= BELIEVED)


def _sample(K: FloatArray, y: FloatArray, C_max: float) -> CPath:
    """Ask the solver at many C, each time from the last answer."""
    costs = np.geomspace(1e-4, 1.0, SAMPLES) * C_max
    alpha, found = None, []
    for C in costs:
        result = solve(smo(K, y, C, bias=False, start=alpha, gap=1e-9), gap=1e-9, max_passes=5000)
        alpha = result.alpha
        found.append(alpha)
    return CPath(costs, np.stack(found), SAMPLED)
