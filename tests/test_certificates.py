"""Certificates against numbers by hand, brute force and matrices of known spectrum."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab.certificates import (
    functional_margins,
    geometric_half_margin,
    is_positive_semidefinite,
    negative_eigenvalues,
    novikoff_bound,
    spectrum,
)

# The worked example of the course: half-margin 2, with w = (0, -1/2) of norm 1/2.
X = np.array([[1.0, 2.0], [-1.0, 2.0], [-1.0, -2.0]])
y = np.array([-1.0, -1.0, 1.0])
w = np.array([0.0, -0.5])


def with_eigenvalues(values, seed=0):
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.normal(size=(len(values), len(values))))
    K = (Q * values) @ Q.T
    return (K + K.T) / 2


def test_margins_by_hand():
    assert functional_margins(X @ w, y).tolist() == [1.0, 1.0, 1.0]
    assert geometric_half_margin(w, X, y) == 2.0
    assert geometric_half_margin(-w, X, y) == -2.0
    assert geometric_half_margin([3.0, 4.0], [[3.0, 4.0]], [1]) == pytest.approx(5.0, rel=1e-15)


@pytest.mark.parametrize("scale", [1e-300, 1e-3, 1e3, 1e300])
def test_half_margin_does_not_depend_on_the_length_of_w(scale):
    assert geometric_half_margin(scale * np.array([1.0, -3.0]), X, y) == pytest.approx(
        geometric_half_margin([1.0, -3.0], X, y), rel=1e-14
    )


@given(angle=st.floats(0, 6.3), seed=st.integers(0, 99))
def test_half_margin_is_the_signed_distance_to_the_nearest_point_of_the_line(angle, seed):
    rng = np.random.default_rng(seed)
    points, labels = rng.normal(size=(5, 2)), rng.choice([-1.0, 1.0], 5)
    normal = np.array([np.cos(angle), np.sin(angle)])
    along = np.array([-normal[1], normal[0]])
    # Foot of the perpendicular, by projection on the line rather than on its normal.
    feet = np.outer(points @ along, along)
    distances = np.linalg.norm(points - feet, axis=1)
    sides = np.sign((points - feet) @ normal) * labels
    assert geometric_half_margin(7.0 * normal, points, labels) == pytest.approx(
        (sides * distances).min(), abs=1e-12
    )


def test_a_zero_w_has_no_geometric_margin():
    with pytest.raises(ValueError, match="w must not be zero"):
        geometric_half_margin([0.0, 0.0], X, y)
    with pytest.raises(ValueError, match="w must not be zero"):
        novikoff_bound(X, y, [0.0, 0.0])


def test_novikoff_by_hand():
    assert novikoff_bound(X, y, w) == pytest.approx(5.0 / 4.0, rel=1e-15)
    # Homogeneous coordinates change both R² (now 6) and, with a bias, the margin.
    homogeneous = np.column_stack([X, np.ones(3)])
    assert novikoff_bound(homogeneous, y, [0.0, -0.5, 0.0]) == pytest.approx(6.0 / 4.0, rel=1e-15)


def test_without_a_separator_there_is_no_bound():
    with pytest.raises(ValueError, match=r"w must separate .* signed distance -2"):
        novikoff_bound(X, y, -w)
    with pytest.raises(ValueError, match="w must separate"):  # a point on the line itself
        novikoff_bound(X, y, [-2.0, -1.0])


def test_shapes_must_match():
    with pytest.raises(ValueError, match="y must hold one label an example"):
        functional_margins([1.0, 2.0], [1])
    with pytest.raises(ValueError, match=r"scores must have shape \(n,\)"):
        functional_margins(np.ones((2, 1)), [1, -1])
    with pytest.raises(ValueError, match="scores must be finite"):
        functional_margins([np.nan], [1])
    with pytest.raises(ValueError, match=r"w must have shape \(2,\), got shape \(3,\)"):
        geometric_half_margin([1.0, 2.0, 3.0], X, y)
    with pytest.raises(ValueError, match="y must hold one label an example"):
        geometric_half_margin(w, X, y[:2])


def test_spectrum_is_descending_and_right():
    values = np.array([5.0, 2.0, 1.0, -0.5, -3.0])
    np.testing.assert_allclose(spectrum(with_eigenvalues(values)), values, atol=1e-14)
    np.testing.assert_allclose(spectrum([[2.0, 1.0], [1.0, 2.0]]), [3.0, 1.0], rtol=1e-15)


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_positive_semidefinite_up_to_a_relative_tolerance(scale):
    assert is_positive_semidefinite(scale * with_eigenvalues([3.0, 1.0, 0.0, 0.0]))
    assert not is_positive_semidefinite(scale * with_eigenvalues([3.0, 1.0, 0.0, -1e-6]))
    assert is_positive_semidefinite(scale * with_eigenvalues([3.0, 1.0, 0.0, -1e-6]), tol=1e-5)
    assert not is_positive_semidefinite(scale * with_eigenvalues([-1.0, -1.0]))
    assert is_positive_semidefinite(np.zeros((3, 3)))


def test_bad_matrices_and_tolerances_are_named():
    with pytest.raises(ValueError, match="K must be symmetric"):
        spectrum([[1.0, 2.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match="K must be finite"):
        is_positive_semidefinite([[np.nan]])
    for tol in (-1e-9, np.nan, "tight"):
        with pytest.raises(ValueError, match="tol must be"):
            is_positive_semidefinite(np.eye(2), tol)


def test_what_centring_rounds_is_not_called_asymmetric():
    rng = np.random.default_rng(0)
    far, X = 1e11 * rng.random(30), rng.normal(size=(30, 2))
    K = far[:, np.newaxis] + far - X @ X.T
    found = negative_eigenvalues((K + K.T) / 2, centred=True)
    assert found is not None and found[0] < -10 * abs(found[1])
