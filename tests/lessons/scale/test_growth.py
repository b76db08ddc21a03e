"""Power laws through exact and inexact numbers, the measured file, and images that are moved."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kernellab.datasets import data_file
from kernellab.lessons.scale.theory import growth
from kernellab.lessons.scale.theory.images import halves, many_digits, shifted

# --- power laws ---------------------------------------------------------------------------------


def test_a_power_is_found_again():
    n = np.array([100, 300, 1000, 5000])
    law = growth.power_law(n, 2e-7 * n**2.5)
    assert law.exponent == pytest.approx(2.5)
    assert law.factor == pytest.approx(2e-7)
    assert law(10**5) == pytest.approx(2e-7 * 10**12.5)
    assert law.reaches(law(777)) == pytest.approx(777)


def test_it_is_the_line_of_least_squares():
    rng = np.random.default_rng(0)
    n = np.array([100.0, 200, 500, 3000, 9000])
    seconds = 1e-3 * n * np.exp(rng.normal(size=5))
    law = growth.power_law(n, seconds)

    def off(factor, exponent):
        return np.square(np.log(factor * n**exponent) - np.log(seconds)).sum()

    best = off(law.factor, law.exponent)
    for up in (0.99, 1.01):
        assert off(up * law.factor, law.exponent) > best < off(law.factor, up * law.exponent)


@pytest.mark.parametrize(
    ("n", "values"), [([10], [1.0]), ([10, 10], [1.0, 2.0]), ([10, 20], [0.0, 1.0])]
)
def test_no_line_without_two_sizes_or_with_zero(n, values):
    with pytest.raises(ValueError, match="two sizes or more"):
        growth.power_law(n, values)


# --- what was measured ----------------------------------------------------------------------------


def test_the_file_has_every_curve_that_the_figures_ask_for():
    for name in growth.METHODS:
        for m in growth.FEATURES if name in (growth.NYSTROM, growth.FOURIER) else (0,):
            one = growth.curve(name, m)
            assert len(one.n) >= 4
            assert (np.diff(one.n) > 0).all()
            assert (one.fit > 0).all()
            assert ((one.right > 50) & (one.right <= 100)).all()
        growth.curve(
            name, 256 if name in (growth.NYSTROM, growth.FOURIER) else 0, by="scikit-learn"
        )
    assert [row["method"] for row in growth.table()] == list(growth.METHODS)


def test_the_file_names_no_machine():
    text = data_file("growth.json").read_text(encoding="utf-8")
    assert len(text) < 20_000
    assert set(json.loads(text)) == {"about", "table", "growth"}
    assert not any(word in text for word in ("/home", "/work", "/Users", "x86", "Linux"))


def test_a_curve_that_was_not_measured_is_an_error():
    with pytest.raises(ValueError, match="must be among those measured: exact, pairs"):
        growth.curve("Nyström", 100)


# --- images ---------------------------------------------------------------------------------------


def test_a_whole_pixel_moves_all_and_brings_in_paper():
    images = np.random.default_rng(0).uniform(size=(4, 64))
    by = np.array([[1.0, 0], [0, 1.0], [-1.0, 0], [0, 0]])
    down, right, up, still = shifted(images, by).reshape(-1, 8, 8)
    square = images.reshape(-1, 8, 8)
    np.testing.assert_allclose(down[1:], square[0, :-1])
    np.testing.assert_allclose(right[:, 1:], square[1, :, :-1])
    np.testing.assert_allclose(up[:-1], square[2, 1:])
    np.testing.assert_allclose(still, square[3])
    assert not down[0].any() and not right[:, 0].any() and not up[-1].any()


def test_half_a_pixel_is_the_mean_of_two():
    image = np.random.default_rng(1).uniform(size=(1, 64))
    both = shifted(np.repeat(image, 2, axis=0), np.array([[0.0, 0.0], [1.0, 0.0]]))
    np.testing.assert_allclose(shifted(image, np.array([[0.5, 0.0]]))[0], both.mean(axis=0))


def test_many_digits_are_seeded_and_made_of_the_training_half():
    X, y = many_digits(5000, rng=3)
    again, labels = many_digits(5000, rng=3)
    assert (again == X).all() and (y == labels).all()
    assert X.shape == (5000, 64) and X.min() >= 0 and X.max() <= 1
    assert not (many_digits(5000, rng=4)[0] == X).all()
    originals, digits, X_test, _ = halves()
    assert len(originals) == 1000 and len(X_test) == 797
    assert np.bincount(y).min() > 0.5 * 5000 * np.bincount(digits).min() / 1000
    mean = X[y == 0].mean(axis=0) @ originals[digits == 0].mean(axis=0)
    assert mean > X[y == 1].mean(axis=0) @ originals[digits == 0].mean(axis=0)


@pytest.mark.parametrize("n", [0, -1, 2.5])
def test_a_bad_count_is_an_error(n):
    with pytest.raises(ValueError, match="n must be"):
        many_digits(n)
