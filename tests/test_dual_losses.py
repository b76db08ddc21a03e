"""Losses in the dual: conjugates against brute force, steps against a fine grid and the book."""

import numpy as np
import pytest
from dual_losses import MARGIN as USUAL
from dual_losses import REGRESSION, every
from hypothesis import given, settings
from hypothesis import strategies as st

from kernellab.losses import (
    absolute,
    check_dual_loss,
    epsilon_insensitive,
    hinge,
    logistic,
    smoothed_hinge,
    squared,
    squared_hinge,
)

MARGIN = [*USUAL, smoothed_hinge(2.0)]
ALL = MARGIN + REGRESSION

# ρ(r) as the books write it, not through its conjugate.
BY_HAND = {
    "hinge": lambda r, _: np.maximum(0, r),
    "smoothed_hinge": lambda r, loss: np.where(
        r <= 0, 0, np.where(r >= loss.s, r - loss.s / 2, r**2 / (2 * loss.s))
    ),
    "squared_hinge": lambda r, _: np.maximum(0, r) ** 2,
    "squared": lambda r, _: r**2,
    "absolute": lambda r, _: np.abs(r),
    "epsilon_insensitive": lambda r, loss: np.maximum(0, np.abs(r) - loss.eps),
}


def rho(r, loss):
    return BY_HAND[loss.name](r, loss)


@every(ALL)
def test_the_loss_of_a_residual_is_the_one_in_the_books(loss):
    r = np.linspace(-4, 4, 161).reshape(7, 23)
    np.testing.assert_allclose(loss.of_residual(r), rho(r, loss), atol=1e-14)


@every([*MARGIN, squared])
def test_a_margin_loss_is_the_loss_of_the_residual_one_minus_margin(loss):
    z = np.linspace(-3, 3, 61)
    np.testing.assert_allclose(loss.value(z), rho(1 - z, loss), atol=1e-14)


@every(ALL)
def test_the_conjugate_is_the_supremum_by_brute_force(loss):
    r = np.linspace(-50, 50, 200_001)
    for a in np.linspace(-1, 1, 9):
        supremum = (a * r - rho(r, loss)).max()
        if np.isinf(loss.conjugate(a)):  # then the supremum grows with the range of r
            assert supremum >= 10
        else:
            assert loss.conjugate(a) == pytest.approx(supremum, abs=1e-6)


@every(ALL)
@given(a=st.integers(-24, 24).map(lambda eighths: eighths / 8), beyond=st.floats(0, 2))
def test_the_inequality_is_tight_at_the_residuals_that_go_with_a(loss, a, beyond):
    if np.isinf(loss.conjugate(a)):
        return
    low, high = (float(end) for end in loss.optimal_residuals(a))
    assert low <= high
    for r in (max(low, high - beyond), min(high, low + beyond)):
        if np.isfinite(r):
            assert loss.of_residual(r) + loss.conjugate(a) - a * r == pytest.approx(0, abs=1e-12)
    for r in (low - 0.1 - beyond, high + 0.1 + beyond):
        if np.isfinite(r):
            assert loss.of_residual(r) + loss.conjugate(a) - a * r > 1e-5


# --- the step -------------------------------------------------------------------------------------


def start_in_the_box(loss, C, share):
    _, _, lowest, highest = loss.dual
    low, high = max(lowest, -2) * C, min(highest, 2) * C
    return low + share * (high - low)


@every(ALL)
@given(
    share=st.floats(0, 1),
    residual=st.floats(-3, 3),
    k=st.sampled_from([0.0, 0.01, 1.0, 7.0]),
    C=st.sampled_from([0.01, 1.0, 30.0]),
)
@settings(max_examples=50)
def test_no_other_value_of_alpha_gives_a_larger_dual(loss, share, residual, k, C):
    alpha = start_in_the_box(loss, C, share)

    def dual(a):
        move = a - alpha
        return residual * move - k / 2 * move**2 - C * loss.conjugate(a / C)

    best = loss.dual_step(alpha, residual, k, C)
    _, _, lowest, highest = loss.dual
    grid = np.linspace(max(lowest * C, -10 * C), min(highest * C, 10 * C), 2001)
    others = np.concatenate([grid, best + np.array([-1e-3, 1e-3]) * C])
    scale = 1 + C * (abs(residual) + k * C)
    assert np.isfinite(dual(best))
    assert dual(best) >= dual(others).max() - 1e-12 * scale


@pytest.mark.parametrize("k", [0.0, 1e-310])
def test_without_curvature_it_jumps_to_the_bound(k):
    assert hinge.dual_step(0.5, 1.0, k, 2.0) == 2.0
    assert hinge.dual_step(0.5, -1.0, k, 2.0) == 0.0
    eps = epsilon_insensitive(0.3)
    assert [eps.dual_step(0.5, r, k, 2.0) for r in (-1.0, -0.2, 0.2, 1.0)] == [-2, 0, 0, 2]
    assert squared_hinge.dual_step(0.0, 1.0, k, 2.0) == 4.0  # ρ′(1) C: smoothing is curvature too


# --- the new losses -------------------------------------------------------------------------------


def test_residuals_of_classification_and_of_regression():
    f = np.array([0.5, -2.0, 0.0])
    assert hinge.residuals(f, [1, 1, -1]).tolist() == [0.5, 3.0, 1.0]
    assert absolute.residuals(f, [1.5, -1.0, 7.0]).tolist() == [1.0, 1.0, 7.0]
    sign, target = squared.sign_and_target([3.0, -4.0])
    assert sign.tolist() == [1, 1]
    assert target.tolist() == [3, -4]
    assert hinge.sign_and_target([1, 1])[1].tolist() == [1, 1]  # one-class: one label will do


def test_parameters_are_checked():
    for s in (0, -1, np.nan, np.inf, "1", None, True):
        with pytest.raises(ValueError, match=r"^s must be a positive number"):
            smoothed_hinge(s)
    for eps in (np.nan, np.inf, "1", None):
        with pytest.raises(ValueError, match=r"^eps must be a finite number"):
            epsilon_insensitive(eps)
    with pytest.raises(ValueError, match=r"^eps must not be negative, got -1"):
        epsilon_insensitive(-1)
    assert epsilon_insensitive(0) == epsilon_insensitive(0.0)


@pytest.mark.parametrize(
    ("loss", "got"),
    [(logistic, "logistic"), ("hinge", "'hinge'"), (smoothed_hinge, "<class"), (None, "None")],
)
def test_a_loss_without_a_dual_step_is_refused_by_name(loss, got):
    with pytest.raises(ValueError, match=rf"(?s)^loss must be one of losses\.hinge.*got {got}"):
        check_dual_loss(loss)
