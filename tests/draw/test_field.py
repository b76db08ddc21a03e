"""A field that is coloured first looks as Matplotlib draws it."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from kernellab.draw.field import show_field
from kernellab.draw.style import new_figure

NUMBERS = np.sin(np.arange(40) / 5)[:, None] + np.linspace(-1, 1, 50) ** 3
SEEN = {"all of it": (0, 1, 0, 1), "a part": (0.2, 0.71, 0.33, 0.8), "beyond": (-0.4, 1.3, -1, 2)}


def drawn(add, numbers, limits):
    """Return the pixels of axes with one image."""
    figure = new_figure((4.0, 3.0))
    axes = figure.subplots()
    image = add(axes)
    image.set_data(numbers)
    axes.set(xlim=limits[:2], ylim=limits[2:])
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].astype(float)


def ours_and_matplotlibs(numbers, limits, *, between="bilinear", origin="lower"):
    place = {"extent": (0, 1, 0, 1), "origin": origin}
    return (
        drawn(
            lambda axes: show_field(axes, "coolwarm", low=-2, high=2, between=between, **place),
            numbers,
            limits,
        ),
        drawn(
            lambda axes: axes.imshow(
                np.zeros((2, 2)), cmap="coolwarm", vmin=-2, vmax=2, interpolation=between,
                aspect="auto", **place,
            ),
            numbers,
            limits,
        ),
    )  # fmt: skip


@pytest.mark.parametrize("limits", SEEN.values(), ids=SEEN)
@pytest.mark.parametrize("origin", ["lower", "upper"])
@pytest.mark.parametrize("between", ["bilinear", "nearest"])
def test_as_matplotlib(limits, origin, between):
    ours, theirs = ours_and_matplotlibs(NUMBERS, limits, between=between, origin=origin)
    assert ours.shape == theirs.shape and np.ptp(theirs) > 100
    assert np.abs(ours - theirs).mean() < 2  # of 255: a border is another pixel's
    assert np.mean(np.abs(ours - theirs).max(axis=2) > 24) < 0.04


@pytest.mark.parametrize("limits", [(1, 0, 0, 1), (0, 1, 1, 0), (1, 0, 1, 0)])
def test_axes_that_run_the_other_way(limits):
    ours, theirs = ours_and_matplotlibs(NUMBERS, limits)
    assert np.abs(ours - theirs).mean() < 2


def test_what_is_no_number_is_not_drawn():
    numbers = NUMBERS.copy()
    numbers[10:30, 10:30] = np.nan
    ours, theirs = ours_and_matplotlibs(np.ma.masked_invalid(numbers), SEEN["all of it"])
    assert np.abs(ours - theirs).mean() < 2


def test_out_of_sight_nothing_is_drawn():
    ours, theirs = ours_and_matplotlibs(NUMBERS, (5, 6, 5, 6))
    assert np.array_equal(ours, theirs)


def test_the_axes_take_its_limits():
    axes = new_figure().subplots()
    show_field(axes, "coolwarm", low=0, high=1, extent=(-2, 3, 5, 9), origin="lower")
    assert (*axes.get_xlim(), *axes.get_ylim()) == (-2, 3, 5, 9)


def test_colours_are_taken_as_they_are():
    place = {"extent": (0, 5, 5, 0)}
    colours = np.random.default_rng(0).uniform(size=(5, 5, 3))
    for kind in (colours, np.uint8(255 * colours + 0.5)):
        ours = drawn(lambda axes: show_field(axes, between="nearest", **place), kind, (0, 5, 5, 0))
        theirs = drawn(
            lambda axes: axes.imshow(
                np.ones((5, 5, 3)), interpolation="nearest", aspect="auto", **place
            ),
            kind,
            (0, 5, 5, 0),
        )
        assert np.abs(ours - theirs).mean() < 2
