"""Lecture mode: larger type, settings by name, presets, and what the stage asks for."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import ipywidgets
import numpy as np
import pytest
from matplotlib.text import Text
from PIL import Image

from kernellab.draw import style
from kernellab.draw.picture import picture
from kernellab.live import explorer
from kernellab.live.explorer import Explorer, choice, slider
from kernellab.live.lecture import Presenter

SAMPLES = {"near": [(1.0, 1.0)], "far": [(5.0, 5.0)]}


class Dot(Explorer):
    """A point of a sample, and a line at a height."""

    presets: Mapping[str, Any] = {
        "high": {"height": 4.0},
        "far and high": {"sample": "far", "height": 3.0},
    }

    def __init__(self):
        self.sample = choice("sample", list(SAMPLES))
        self.height = slider("height", 1.0, 0.0, 5.0, 0.5)
        figure = style.new_figure((4.0, 3.0))
        axes = figure.subplots()
        axes.set(xlim=(0, 6), ylim=(0, 6), title="a dot")
        axes.text(1, 5, "small", fontsize=7)
        self.dot, self.line = axes.scatter([], []), axes.axhline(0)
        self._loaded = "near"
        super().__init__(
            "Where?",
            figure,
            [self.sample, self.height],
            moving=[self.dot, self.line],
            axes=axes,
            points=SAMPLES["near"],
            handles=[{"label": "dot", "color": "red"}],
        )

    def update(self, points):
        if self.sample.value != self._loaded:
            self._loaded = self.sample.value
            self.live.place(points := np.array(SAMPLES[self._loaded]))
        self.dot.set_offsets(points)
        self.line.set_ydata([self.height.value] * 2)
        return f"{points.tolist()} {self.height.value}"

    def describe(self):
        return self.live.readout if hasattr(self, "live") else "a dot"


@pytest.fixture
def hall():
    style.lecture()
    yield
    style.lecture(False)


def presenter(figure):
    return next(child for child in figure.children if isinstance(child, Presenter))


def wish(figure, **what):
    stage = presenter(figure)
    stage.wish = {"count": stage.wish["count"] + 1, **what}


def test_at_the_desk_there_is_no_presenter():
    assert [type(child) for child in Dot().children[:1]] == [ipywidgets.Box]
    assert not any(isinstance(child, Presenter) for child in Dot().children)


def test_in_the_hall_type_and_lines_are_larger_and_back_at_the_desk_as_before(hall):
    thin, thick = style.DESK["LINE"], style.LINE
    texts = [t for t in Dot().live._figure.findobj(Text) if t.get_text()]
    assert len(texts) > 5
    assert min(text.get_fontsize() for text in texts) >= style.hall_type(3.0)
    assert thick > thin
    style.lecture(False)
    assert thin == style.LINE
    sizes = {t.get_fontsize() for t in Dot().live._figure.findobj(Text) if t.get_text()}
    assert min(sizes) == 7


def test_in_the_hall_there_are_few_ticks(hall):
    def tick_labels():
        figure = style.new_figure((9.0, 4.0))
        axes = figure.subplots()
        axes.set(xlim=(0, 9))
        style.fit_the_hall(figure)
        figure.draw_without_rendering()
        return len([label for label in axes.get_xticklabels() if label.get_text()])

    few = tick_labels()
    style.lecture(False)
    assert few <= style.FEW_TICKS + 1 < tick_labels()


def test_a_picture_that_stands_still_can_be_read_in_the_hall_too(hall):
    def still():
        figure = style.new_figure((4.0, 3.0))
        figure.subplots().set(title="a title", xlabel="x")
        made = picture(figure, "axes with a title and nothing in them")
        least = min(text.get_fontsize() for text in figure.findobj(Text) if text.get_text())
        return made.width / 4.0 * least / 72  # CSS pixels

    assert still() == pytest.approx(24, abs=0.1)  # 18 points
    style.lecture(False)
    assert still() < 16


def test_a_still_has_as_many_pixels_as_are_asked_for(hall, monkeypatch):
    def pixels():
        return Image.open(io.BytesIO(Dot().live.still().png)).width / 400

    assert pixels() == 1  # CSS pixels, too
    monkeypatch.setenv("KERNELLAB_STILL_RATIO", "2")
    assert pixels() == 2
    style.lecture(False)
    assert pixels() == 2
    monkeypatch.delenv("KERNELLAB_STILL_RATIO")
    assert pixels() == 1.5


def test_the_environment_switches_it_on():
    code = "from kernellab.draw import style; print(style.in_lecture())"
    for value, said in (("1", "True"), ("0", "False"), ("", "False")):
        env = {**os.environ, "KERNELLAB_LECTURE": value}
        out = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
        assert out.stdout.strip() == said, out.stderr


def test_settings_name_everything_and_make_the_same_picture_again():
    first, second = Dot(), Dot()
    first.sample.value = "far"
    first.height.value = 2.5
    first.configure(points=[(2.0, 3.0)])
    settings = first.settings()
    assert {**settings, "points": settings["points"].tolist()} == {
        "sample": "far",
        "height": 2.5,
        "points": [[2.0, 3.0]],
    }
    second.configure(**settings)
    assert second.live.readout == first.live.readout == "[[2.0, 3.0]] 2.5"
    assert second.live.frame == first.live.frame


def test_an_unknown_setting_is_named():
    with pytest.raises(ValueError, match="settings must be among sample, height, points, got C"):
        Dot().configure(C=1)


def test_a_preset_forgets_what_a_hand_did(hall):
    dot = Dot()
    assert presenter(dot).question == "Where?"
    assert presenter(dot).presets == ["high", "far and high"]
    dot.configure(points=[(3.0, 3.0)], height=0.5)
    wish(dot, preset=1)
    assert dot.live.readout == "[[5.0, 5.0]] 3.0"
    wish(dot, preset=0)
    assert dot.live.readout == "[[1.0, 1.0]] 4.0"
    wish(dot)
    assert dot.live.readout == "[[1.0, 1.0]] 1.0"
    with pytest.raises(ValueError, match="preset must be among 'high', 'far and high', got 'low'"):
        dot.load("low")


def test_of_what_was_between_the_page_is_not_told(hall, monkeypatch):
    dot = Dot()  # its page might give it back, later than what came after
    dot.height.value = 0.5
    told, drawn = [], []
    monkeypatch.setattr(dot.height, "send_state", lambda key: key and told.append(dot.height.value))
    monkeypatch.setattr(dot.live, "_paint", lambda *, sharp: drawn.append(sharp))
    wish(dot, preset=1)
    assert set(told) == {3.0}
    assert drawn == [True]
    wish(dot)
    told.clear()
    wish(dot)  # nothing changes; but the page may have it otherwise
    assert told == [1.0]


def test_the_page_hears_when_a_wish_is_done(hall):
    dot = Dot()
    for preset in (0, 1, 0):
        wish(dot, preset=preset)
        assert dot._presenter.granted == dot._presenter.wish["count"]


def test_a_question_for_the_hall_is_asked_on_the_stage(hall, monkeypatch):
    shown = []
    monkeypatch.setattr(explorer, "display", lambda data, **_: shown.append(data))
    dot = Dot().ask("Where is it?")
    dot._ipython_display_()
    assert presenter(dot).question == "Where is it?"
    assert shown[0]["text/plain"] == "Where is it?"
    assert "Where is it?" in shown[0]["text/html"]


def test_a_preset_that_does_not_fit_is_said_in_the_figure(hall):
    dot = Dot()
    dot.presets = {"wrong": {"sample": "nowhere"}, "right": {"height": 2.0}}
    wish(dot, preset=0)
    assert "TraitError" in dot.live.error
    wish(dot, preset=1)
    assert dot.live.error == ""
    assert dot.live.readout == "[[1.0, 1.0]] 2.0"
