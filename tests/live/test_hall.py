"""Every live figure in the hall, with each of its presets: its type is large, and none is cut off.

The two classes differ by shape in all of them, for eyes and projectors that show no colours.

`tests/browser/test_demos.py` measures how much of a projector's picture the figure has.
"""

from __future__ import annotations

import io

import numpy as np
import pytest
from live_figures import LIVE_FIGURES
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.text import Text
from PIL import Image

from kernellab.draw import style

PAPER = 250  # of 255, and lighter


@pytest.fixture
def hall():
    style.lecture()
    yield
    style.lecture(False)


def too_small(figure):
    """Return the words in a figure whose type is smaller than a hall needs."""
    least = style.hall_type(figure.get_figheight()) - 1e-9
    words = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]
    return {text.get_text(): size for text in words if (size := text.get_fontsize()) < least}


def ink_at_the_edge(live):
    """Return the sides of the picture at which something is cut off."""
    pixels = np.asarray(Image.open(io.BytesIO(live.frame)).convert("L"))
    sides = {"left": pixels[:, 0], "right": pixels[:, -1], "top": pixels[0], "below": pixels[-1]}
    return [side for side, edge in sides.items() if edge.min() < PAPER]


def alike_without_colour(figure):
    """Return the axes on which points of both classes have one shape."""
    found = []
    for axes in figure.axes:
        shapes = {style.POSITIVE: set(), style.NEGATIVE: set()}
        for marks in axes.collections:
            if isinstance(marks, PathCollection) and len(marks.get_offsets()):
                colours = {to_hex(colour) for colour in marks.get_facecolor()}
                for colour in colours & set(shapes):
                    shapes[colour] |= {path.vertices.tobytes() for path in marks.get_paths()}
        if shapes[style.POSITIVE] & shapes[style.NEGATIVE]:
            found.append(axes.get_title("left"))
    return found


@pytest.mark.parametrize("name", LIVE_FIGURES)
def test_what_is_written_can_be_read(name, hall):
    figure = LIVE_FIGURES[name]()
    width, _ = figure.live.size
    figure.live.view = {"width": width, "ratio": 1.0, "calm": True}
    for preset in (None, *figure.presets):
        if preset:
            figure.load(preset)
        assert too_small(figure.live._figure) == {}, preset
        assert ink_at_the_edge(figure.live) == [], preset
        assert alike_without_colour(figure.live._figure) == [], preset


def test_small_type_and_cut_off_words_are_noticed(hall):
    figure = LIVE_FIGURES["Hello"]()
    drawn = figure.live._figure
    assert (too_small(drawn), ink_at_the_edge(figure.live)) == ({}, [])
    drawn.text(0.99, 0.5, "cut off", fontsize=8)
    figure.live.view = {"width": 500, "ratio": 1.0, "calm": True}
    assert too_small(drawn) == {"cut off": 8}
    assert ink_at_the_edge(figure.live) == ["right"]


def test_classes_that_differ_by_colour_alone_are_noticed():
    figure = style.new_figure()
    axes = figure.subplots()
    axes.scatter([0], [0], c=style.POSITIVE)
    axes.scatter([1], [0], c=style.NEGATIVE, marker="s")
    assert alike_without_colour(figure) == []
    axes.set_title("by colour alone")
    axes.scatter([2], [0], c=style.NEGATIVE)
    assert alike_without_colour(figure) == ["by colour alone"]
