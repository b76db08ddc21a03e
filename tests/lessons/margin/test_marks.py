"""The marks of notebook 02 that have logic: rings, feet of slacks, conditions, curves over C."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab.draw import style
from kernellab.draw.margin import SupportPoints
from kernellab.lessons.margin.figures.support_marks import Conditions, feet_of_slacks, make_room
from kernellab.live.parameters import cost_words


@pytest.fixture
def axes():
    return style.new_figure().subplots()


X = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 1.0]])
Y = np.array([1.0, -1.0, 1.0])


def test_one_ring_for_a_support_vector_and_two_at_the_bound(axes):
    mark = SupportPoints(axes)
    mark.show(X, Y, np.array([0.0, 0.5, 1.0]), bounded=[False, False, True])
    inner, outer = mark.rings
    assert inner.get_offsets().tolist() == [[1, 0], [2, 1]]
    assert outer.get_offsets().tolist() == [[2, 1]]
    assert outer.get_sizes()[0] > inner.get_sizes()[1] > inner.get_sizes()[0]
    mark.show(X, Y, np.zeros(3), bounded=True)  # α = 0 is never ringed
    assert len(outer.get_offsets()) == 0


def test_slacks_end_on_their_own_margin():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), rng.choice([-1.0, 1.0], 40)
    w, b = np.array([0.7, -0.4]), 0.3
    feet = feet_of_slacks(X, y, w, b)
    slack = 1 - y * (X @ w + b)
    none = slack <= 0
    assert none.any() and not none.all()
    assert np.isnan(feet[none]).all()
    np.testing.assert_allclose((y * (feet @ w + b))[~none], 1.0)
    np.testing.assert_allclose(
        np.linalg.norm(feet - X, axis=1)[~none], slack[~none] / np.linalg.norm(w)
    )
    assert np.isnan(feet_of_slacks(X, y, np.zeros(2), b)).all()


def test_a_condition_has_a_sign_and_a_colour(axes):
    table = Conditions(axes, [("a", ["x", "y"]), ("b", ["z"])])
    table.show(["1", "2", "3"], [True, False, True])
    ticks, crosses = table.signs[True], table.signs[False]
    assert list(ticks.get_ydata()) == [0.5, 2.5] and list(crosses.get_ydata()) == [1.5]
    assert [value.get_text() for value in table.values] == ["1", "2", "3"]
    colours = table.cells.get_facecolor()
    assert (colours[0] == colours[2]).all() and (colours[0] != colours[1]).any()


def test_room_is_made_in_few_steps_and_goes_again(axes):
    tops = {0.0: 5.0, 5.0: 5.0, 5.1: 20.0, 20.0: 20.0, 21.0: 80.0, 1.0: 5.0}
    for highest, top in tops.items():
        make_room(axes, highest, 5.0)
        assert axes.get_ylim() == (0.0, top)


def test_c_is_said_with_its_lambda():
    assert cost_words(0.5, 20) == "C = 0.5, λ = 0.1"
