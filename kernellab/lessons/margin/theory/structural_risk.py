"""Structural risk: nested sets of functions, and the errors that each cannot avoid.

The nested sets are those of a line cut into pieces: S_k holds the functions of one number x that
change their sign at most k times. Their best member is found exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.validation import FloatArray, check_labels, check_numbers, check_positive_integer


def fewest_errors(x: Any, y: Any, most: int) -> tuple[FloatArray, list[FloatArray]]:
    """Return the fewest training errors of a function with at most 0, 1, … `most` sign changes.

    Parameters
    ----------
    x, y : One number an example, and labels −1 and +1, shape (n,).
    most : The largest number k of sign changes.

    Returns
    -------
    rates : array of shape (most + 1,)
        Share of training examples that the best function in S_k gets wrong; never rises with k.
    signs : list of arrays of shape (n,)
        What that function says of the examples, in the order of `x` as given.

    Raises
    ------
    ValueError
        For bad x or y, or `most` not a positive integer.

    Notes
    -----
    Dynamic programming over the sorted examples: errors so far, for each number of changes and
    each present sign. S_k has VC dimension k + 1: alternating labels on k + 2 points need k + 1.
    Examples with the same x get the same sign. Taught in notebook 02.
    """
    x = check_numbers(x, "x")
    y = check_labels(y, len(x))
    check_positive_integer(most, "most")
    places, group = np.unique(x, return_inverse=True)
    wrong = np.stack([np.bincount(group, y == -sign) for sign in (-1.0, 1.0)])  # of each sign
    cost = np.full((len(places), most + 1, 2), np.inf)
    turned = np.zeros(cost.shape, dtype=np.bool_)
    cost[0, 0] = wrong[:, 0]
    for m in range(1, len(places)):
        stay = cost[m - 1]
        turn = np.vstack([np.full((1, 2), np.inf), stay[:-1, ::-1]])
        turned[m] = turn < stay
        cost[m] = np.minimum(stay, turn) + wrong[:, m]
    rates, signs = [], []
    for k in range(most + 1):
        changes, side = np.unravel_index(cost[-1, : k + 1].argmin(), (k + 1, 2))
        rates.append(cost[-1, changes, side] / len(x))
        path = np.empty(len(places))
        for m in reversed(range(len(places))):
            path[m] = 2.0 * side - 1.0
            if turned[m, changes, side]:
                changes, side = changes - 1, 1 - side
        signs.append(path[group])
    return np.array(rates), signs
