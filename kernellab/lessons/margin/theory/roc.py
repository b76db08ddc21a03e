"""The ROC curve: every threshold on a score, and what it costs in errors of either kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernellab.validation import FloatArray, check_labels, check_numbers


@dataclass(frozen=True)
class ROC:
    """Rates for falling thresholds, from "nobody is positive" to "everybody is".

    Parameters
    ----------
    false_positive_rate, true_positive_rate : arrays of shape (m,)
        From 0 to 1: the share of class −1, and of class +1, with a score of at least the threshold.
    thresholds : array of shape (m,)
        inf, then every different score, falling.
    area : float
        Under the curve: the probability that a random example of class +1 scores higher than a
        random one of class −1, a tie counting one half.
    """

    false_positive_rate: FloatArray
    true_positive_rate: FloatArray
    thresholds: FloatArray
    area: float


def roc_curve(scores: Any, y: Any) -> ROC:
    """Return the ROC curve of scores, higher meaning more likely +1.

    Parameters
    ----------
    scores : array of shape (n,)
        f(x_i).
    y : array of shape (n,)
        Labels −1 and +1.

    Returns
    -------
    ROC

    Raises
    ------
    ValueError
        For bad scores or y.

    Notes
    -----
    Fawcett (2006), algorithm 2: examples with the same score take one step together. Taught in
    notebook 02.
    """
    scores = check_numbers(scores, "scores")
    y = check_labels(y, len(scores))
    order = np.argsort(-scores, kind="stable")
    scores, positive = scores[order], y[order] > 0
    last_of_score = np.append(scores[:-1] != scores[1:], True)
    hits = np.append(0, np.cumsum(positive)[last_of_score]) / positive.sum()
    alarms = np.append(0, np.cumsum(~positive)[last_of_score]) / (~positive).sum()
    thresholds = np.append(np.inf, scores[last_of_score])
    return ROC(alarms, hits, thresholds, float(np.trapezoid(hits, alarms)))
