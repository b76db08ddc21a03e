"""Settings, presets and the reset of every live figure."""

from __future__ import annotations

import re

import ipywidgets
import nbformat
import pytest
from live_figures import LIVE_FIGURES, seen
from show_demos import DEMOS


@pytest.mark.parametrize("name", LIVE_FIGURES)
def test_every_control_has_a_name_and_every_preset_a_picture_of_its_own(name):
    figure = LIVE_FIGURES[name]()
    figure.live.view = {"width": 320, "ratio": 1.0, "calm": True}
    controls = [c for c in figure._controls if c.has_trait("value")]
    unnamed = [c for c in controls if not isinstance(c, ipywidgets.Play)]
    assert len(figure.settings()) == len(unnamed) + len(figure.memory) + 1
    assert 2 <= len(figure.presets) <= 9  # one key each
    first, pictures = seen(figure), set()
    for preset in figure.presets:
        figure.load(preset)
        assert figure.live.error == ""
        assert len(preset) <= 32
        pictures.add(seen(figure))
    assert len(pictures) == len(figure.presets)
    figure.reset()
    assert seen(figure) == first


def test_every_figure_is_a_demo_with_a_question_but_the_one_that_greets():
    code = [c.source for c in nbformat.read(DEMOS, as_version=4).cells if c.cell_type == "code"]
    asked = dict(re.findall(r'^(\w+)\(\)\.ask\("(.*)"\)$', "\n".join(code), re.MULTILINE))
    assert sorted(asked) == sorted(set(LIVE_FIGURES) - {"Hello"})
    assert len(asked) == len(code) - 1 >= 14
    for question in asked.values():
        assert question.endswith("?")
        assert len(question) <= 80  # two lines on the stage, at most
