"""Margin losses: worked numbers, finite differences, convexity, and very large margins."""

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab.losses import (
    MARGIN_LOSSES,
    absolute,
    epsilon_insensitive,
    exponential,
    hinge,
    logistic,
    smoothed_hinge,
    squared,
    squared_hinge,
    zero_one,
)

CONVEX = (*MARGIN_LOSSES[1:], smoothed_hinge(0.5))
margins = st.floats(-30, 30)


def named(losses):
    return pytest.mark.parametrize("loss", losses, ids=lambda loss: loss.name)


@named(MARGIN_LOSSES)
def test_every_loss_charges_one_at_zero(loss):
    assert loss.value(0.0) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize(
    ("loss", "z", "value"),
    [
        (hinge, 2.4, 0.0),
        (hinge, -0.7, 1.7),
        (zero_one, 1.2, 0.0),
        (zero_one, -0.7, 1.0),
        (zero_one, 5e-324, 0.0),
        (squared, 2.0, 1.0),
        (squared, -1.7, 7.29),
        (squared_hinge, -1.7, 7.29),
        (exponential, -1.0, math.e),
        (logistic, math.log(3.0), math.log2(4.0 / 3.0)),
        (logistic, -math.log(3.0), 2.0),
    ],
)
def test_worked_points(loss, z, value):
    assert loss.value(z) == pytest.approx(value, abs=1e-15)


@named(MARGIN_LOSSES)
def test_the_shape_of_the_margins_is_kept(loss):
    for shape in ((), (3,), (2, 3), (0,)):
        assert np.shape(loss.value(np.ones(shape))) == shape
        assert np.shape(loss.subgradient(np.ones(shape))) == shape
    assert loss.value([0, 2]).dtype == loss.subgradient([0, 2]).dtype == np.float64


@named(CONVEX)
def test_subgradient_is_the_derivative_by_finite_differences(loss):
    z = np.array([-5.0, -1.7, -0.3, 0.0, 0.4, 0.97, 1.03, 2.4, 6.0])
    h = 1e-5
    slope = (loss.value(z + h) - loss.value(z - h)) / (2 * h)
    np.testing.assert_allclose(loss.subgradient(z), slope, rtol=1e-6, atol=1e-8)


@named(CONVEX)
@given(z=margins, t=margins)
def test_subgradient_supports_the_loss_from_below(loss, z, t):
    value = loss.value(t)
    line = loss.value(z) + loss.subgradient(z) * (t - z)
    assert value >= line - 1e-12 * max(1.0, abs(line), loss.value(z))


@named(MARGIN_LOSSES[1:])
@given(z=margins)
def test_convex_losses_but_for_the_squared_never_rise_and_bound_mistakes(loss, z):
    assert loss.value(z) >= zero_one.value(z) - 1e-12
    if loss is not squared:
        assert loss.subgradient(z) <= 0.0


def test_subgradients_chosen_at_the_kinks():
    assert hinge.subgradient(1.0) == 0.0
    assert zero_one.subgradient([-1.0, 0.0, 1.0]).tolist() == [0.0, 0.0, 0.0]
    assert squared_hinge.subgradient(1.0) == 0.0


def test_logistic_is_stable_far_out():
    with np.errstate(all="raise", under="ignore"):
        np.testing.assert_allclose(
            logistic.value([-1000.0, 1000.0]), [1000.0 / math.log(2.0), 0.0], rtol=1e-15
        )
        np.testing.assert_allclose(
            logistic.subgradient([-1000.0, 1000.0]), [-1.0 / math.log(2.0), 0.0], rtol=1e-15
        )
        # e^-40 is lost in 1 + e^-40, but not in the loss
        assert logistic.value(40.0) == pytest.approx(math.exp(-40.0) / math.log(2.0), rel=1e-12)
        assert logistic.subgradient(40.0) == pytest.approx(
            -math.exp(-40.0) / math.log(2.0), rel=1e-12
        )


@pytest.mark.filterwarnings("error")
def test_exponential_overflows_to_inf_without_a_warning():
    assert exponential.value([-1000.0, 1000.0]).tolist() == [np.inf, 0.0]
    assert exponential.subgradient(-1000.0) == -np.inf


@pytest.mark.filterwarnings("error")
@named([zero_one, *CONVEX])
def test_infinite_margins(loss):
    assert loss.value(-np.inf) == (1.0 if loss is zero_one else np.inf)
    assert loss.value(np.inf) == (np.inf if loss is squared else 0.0)
    assert not np.isnan(loss.subgradient([-np.inf, np.inf])).any()


@named(MARGIN_LOSSES)
def test_bad_margins_are_named(loss):
    for bad in (np.nan, [0.0, np.nan], "hinge", [[1.0], [1.0, 2.0]]):
        with pytest.raises(ValueError, match=r"^z must"):
            loss.value(bad)
        with pytest.raises(ValueError, match=r"^z must"):
            loss.subgradient(bad)


@named([*MARGIN_LOSSES, absolute, smoothed_hinge(0.5), epsilon_insensitive(0.3)])
def test_copies_are_equal(loss):
    assert copy.deepcopy(loss) == loss == pickle.loads(pickle.dumps(loss))
    assert hash(loss) == hash(copy.copy(loss))
