"""Structural risk: nested sets of functions, the errors each cannot avoid, and what it may hide.

The nested sets are those of a line cut into pieces: S_k holds the functions of one number x that
change their sign at most k times. Their best member is found exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.validation import (
    FloatArray,
    check_labels,
    check_number,
    check_numbers,
    check_positive,
    check_positive_integer,
)


def fewest_errors(x: Any, y: Any, most: int) -> tuple[FloatArray, list[FloatArray]]:
    """Return the fewest training errors of a function with at most 0, 1, … `most` sign changes.

    Parameters
    ----------
    x : array of shape (n,)
        One number an example.
    y : array of shape (n,)
        Labels −1 and +1.
    most : int
        The largest number k of sign changes.

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


def vc_confidence(h: Any, n: int, delta: float = 0.05) -> FloatArray:
    """Return F(h): with probability 1 − δ no function of the set errs F more often than it seems.

    Parameters
    ----------
    h : array of VC dimensions
        Each from 1 to n.
    n : int
        Number of training examples.
    delta : float
        Probability that the bound may fail, between 0 and 1.

    Returns
    -------
    array of the shape of h
        In the unit of an error rate. Above 1 it says nothing.

    Raises
    ------
    ValueError
        For h out of range, n not a positive integer, or delta not between 0 and 1.

    Notes
    -----
    R ≤ R_emp + F(h), F(h) = √((h (ln(2n/h) + 1) + ln(4/δ)) / n). Vapnik (1995), equation 3.15
    simplified as in Burges (1998). Taught in notebook 02.
    """
    check_positive_integer(n, "n")
    if not 0 < check_number(delta, "delta") < 1:
        raise ValueError(f"delta must be between 0 and 1, got {delta!r}")
    h = np.asarray(h, dtype=np.float64)
    if (h < 1).any() or (h > n).any():
        raise ValueError(f"h must be from 1 to n = {n}, got {h.min():g} to {h.max():g}")
    confidence: FloatArray = np.sqrt((h * (np.log(2 * n / h) + 1) + np.log(4 / delta)) / n)
    return confidence


def margin_dimension(radius: float, half_margin: Any, d: int) -> FloatArray:
    """Return Vapnik's bound of the VC dimension of hyperplanes with a margin.

    Parameters
    ----------
    radius : float
        R: all examples have ‖x‖ ≤ R.
    half_margin : float or array
        Δ > 0: those with a smaller distance from the hyperplane are not classified.
    d : int
        Number of features.

    Returns
    -------
    array of the shape of half_margin
        min(⌊R²/Δ²⌋, d) + 1.

    Raises
    ------
    ValueError
        If an argument is not positive.

    Notes
    -----
    Vapnik (1995), theorem 5.1. Taught in notebook 02.
    """
    check_positive(radius, "radius")
    check_positive_integer(d, "d")
    half_margin = np.asarray(half_margin, dtype=np.float64)
    if not (half_margin > 0).all():
        raise ValueError(f"half_margin must be positive, got {half_margin.min():g}")
    bound: FloatArray = np.minimum(np.floor((radius / half_margin) ** 2), d) + 1
    return bound
