"""ROC curves, against scikit-learn and against counting pairs."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from kernellab.lessons.margin.theory.roc import roc_curve


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("decimals", [0, 6])
def test_the_same_as_scikit_learn(seed, decimals):
    rng = np.random.default_rng(seed)
    y = np.append([1.0, -1.0], rng.choice([-1.0, 1.0], 40))
    scores = np.round(rng.normal(size=42) + y, decimals)  # decimals = 0: many ties
    curve = roc_curve(scores, y)
    alarms, found, thresholds = metrics.roc_curve(y, scores, drop_intermediate=False)
    np.testing.assert_allclose(curve.false_positive_rate, alarms)
    np.testing.assert_allclose(curve.true_positive_rate, found)
    np.testing.assert_array_equal(curve.thresholds, thresholds)
    differences = scores[y > 0][:, np.newaxis] - scores[y < 0]
    pairs = (differences > 0).mean() + (differences == 0).mean() / 2
    assert curve.area == pytest.approx(pairs)


def test_no_information_and_all_of_it():
    y = np.array([1.0, -1.0, 1.0, -1.0])
    assert roc_curve(np.zeros(4), y).area == 0.5
    assert roc_curve(y, y).area == 1.0
    assert roc_curve(-y, y).area == 0.0


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="y must hold the two labels"):
        roc_curve([0.1, 0.2], [1, 1])
    with pytest.raises(ValueError, match="scores must be finite"):
        roc_curve([0.1, np.nan], [1, -1])
