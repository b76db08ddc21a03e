"""ROC curves, against scikit-learn and against counting pairs."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from kernellab.lessons.margin.figures.class_weights import roc_curve


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("decimals", [0, 6])
def test_the_same_as_scikit_learn(seed, decimals):
    rng = np.random.default_rng(seed)
    y = np.append([1.0, -1.0], rng.choice([-1.0, 1.0], 40))
    scores = np.round(rng.normal(size=42) + y, decimals)  # decimals = 0: many ties
    curve = roc_curve(scores, y)
    alarms, found, _ = metrics.roc_curve(y, scores, drop_intermediate=False)
    np.testing.assert_allclose(curve.false_positive_rate, alarms)
    np.testing.assert_allclose(curve.true_positive_rate, found)
    differences = scores[y > 0][:, np.newaxis] - scores[y < 0]
    pairs = (differences > 0).mean() + (differences == 0).mean() / 2
    assert curve.area == pytest.approx(pairs)
