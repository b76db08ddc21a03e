"""The rule that stops for no reason, in its own form, and how far from the optimum it stops."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab.certificates import svm_certificate
from kernellab.datasets.targets import make_outside_circle
from kernellab.kernels import Gaussian
from kernellab.lessons.mistakes.wrong_stopping import stop_at_small_step


def step_by_step(K, y, lam_sum, order, tol, max_passes):
    """The same rule in sum form, as it is printed."""
    Q, beta = K * np.outer(y, y), np.zeros(len(y))
    for done in range(1, max_passes + 1):
        for i in order:
            delta = (lam_sum - Q[i] @ beta) / Q[i, i]
            beta[i] = np.clip(beta[i] + delta, 0, 1)
        if abs(delta) < tol:
            return done, beta / lam_sum
    return None


@pytest.mark.parametrize(("gamma", "lam_sum"), [(1, 0.1), (0.5, 0.2), (5, 4.0), (7, 1.0)])
def test_the_printed_rule_in_its_own_form(gamma, lam_sum):
    data = make_outside_circle()
    K = Gaussian(gamma)(data.X)
    order = np.random.default_rng(3).permutation(100)
    ours = stop_at_small_step(K, data.y, 1 / lam_sum, order, tol=0.01, max_passes=30)
    printed = step_by_step(K, data.y, lam_sum, order, 0.01, 30)
    if printed is None:
        assert ours is None
    else:
        assert ours is not None
        assert ours[0] == printed[0]
        proof = svm_certificate(K, data.y, printed[1], 1 / lam_sum)
        assert ours[1] == pytest.approx(proof.gap)


def test_the_rule_stops_far_from_the_optimum_or_never():
    data = make_outside_circle()
    order = np.random.default_rng(3).permutation(100)
    stopped = stop_at_small_step(Gaussian(1)(data.X), data.y, 10.0, order, max_passes=30)
    assert stopped is not None
    assert stopped[0] == 1
    assert stopped[1] > 0.9
    assert stop_at_small_step(Gaussian(7)(data.X), data.y, 1.0, order, max_passes=30) is None
    with pytest.raises(ValueError, match="tol"):
        stop_at_small_step(np.eye(2), [1, -1], 1.0, [0, 1], tol=0.0)
