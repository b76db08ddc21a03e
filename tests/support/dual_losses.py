"""The losses with a dual step, for what holds of every one of them."""

import pytest

from kernellab import losses

MARGIN = [losses.hinge, losses.smoothed_hinge(0.5), losses.squared_hinge]
REGRESSION = [losses.squared, losses.absolute, losses.epsilon_insensitive(0.2)]
ALL = MARGIN + REGRESSION


def every(chosen):
    return pytest.mark.parametrize("loss", chosen, ids=str)
