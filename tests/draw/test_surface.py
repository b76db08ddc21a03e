"""A surface in a box: what is near hides what is far, from wherever it is seen."""

import numpy as np
import pytest

from kernellab.draw import style
from kernellab.draw.space import viewed_from
from kernellab.draw.surface import SurfaceView


@pytest.fixture
def view():
    axes = style.new_figure().subplots()
    return SurfaceView(axes, (0, 0, 0), (1, 1, 2), ("a", "b", "c"), (0, 1, 2))


SIDE = np.linspace(0, 1, 5)
FLAT = np.ones((5, 5))


@pytest.mark.parametrize("turn", [-125, -30, 0, 60, 90, 170])
@pytest.mark.parametrize("tilt", [-20, 24])
def test_the_far_quadrilaterals_are_drawn_first(view, turn, tilt):
    seen = viewed_from(turn, tilt)
    view.show(seen, SIDE, SIDE, np.add.outer(SIDE, SIDE**2))
    assert len(view.mesh.faces) == 16
    floor = np.stack([*np.meshgrid(SIDE, SIDE), np.zeros((5, 5))], axis=-1)
    places = view._seen(np.dstack([floor[..., :2], np.add.outer(SIDE, SIDE**2)]), seen)[..., :2]
    here = [
        np.abs(places - place).sum(axis=-1).argmin() for place in view.mesh.places.reshape(-1, 2)
    ]
    near = (floor @ seen[:, 2]).ravel()[here].reshape(5, 5)  # whatever their heights
    assert np.diff(near, axis=0).min() > -1e-9
    assert np.diff(near, axis=1).min() > -1e-9


@pytest.mark.parametrize(("tilt", "in_front"), [(30, 1), (-15, 2)])
def test_points_above_are_in_front_when_seen_from_above(view, tilt, in_front):
    points = np.array([[0.5, 0.5, 1.5], [0.2, 0.5, 0.5], [0.8, 0.1, 0.2]])
    view.show(viewed_from(20, tilt), SIDE, SIDE, FLAT, points=points, feet=np.ones(3))
    assert len(view.points[True].get_offsets()) == in_front
    assert len(view.stems.get_segments()) == in_front


def test_colour_says_above_or_below(view):
    difference = np.tile(np.linspace(-0.5, 0.5, 5), (5, 1))
    view.show(viewed_from(0, 90), SIDE, SIDE, FLAT, difference=difference, saturation=0.5)
    colours, places = view.mesh.faces, view.mesh.places
    middles = ((places[:-1, :-1] + places[1:, 1:]) / 2).reshape(-1, 2)
    along = middles @ (view._seen(np.array([1.0, 0, 1]), viewed_from(0, 90))[:2]
                       - view._seen(np.array([0.0, 0, 1]), viewed_from(0, 90))[:2])  # fmt: skip
    low, high = colours[along.argmin()], colours[along.argmax()]
    assert low[0] > low[2]  # orange
    assert high[2] > high[0]  # blue
    dark, light = (view.mesh.edges[k] for k in (along.argmin(), along.argmax()))
    assert dark[:3].max() < 0.3  # and in grey the mesh says it
    assert light[:3].min() == 1


@pytest.mark.parametrize("turn", [-125, 0, 45])
@pytest.mark.parametrize("tilt", [-20, 24, 60, 90])
def test_the_box_stays_inside_the_axes(view, turn, tilt):
    view.show(viewed_from(turn, tilt), SIDE, SIDE, FLAT)
    ends = np.concatenate(view.box.get_segments())
    (left, right), (bottom, top) = view.box.axes.get_xlim(), view.box.axes.get_ylim()
    assert left < ends[:, 0].min() < ends[:, 0].max() < right
    assert bottom < ends[:, 1].min() < ends[:, 1].max() < top
    words = np.array([word.get_position() for word in view.words])
    assert np.abs(words[:, 0]).max() < 1.62
    assert view.words[3].get_visible() == (tilt < 80)
