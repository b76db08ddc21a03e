"""Lecture mode: larger type, settings by name, presets, and what the stage asks for."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from matplotlib.text import Text
from PIL import Image

from kernellab.draw import style
from kernellab.draw.picture import picture
from kernellab.draw.title import wrap_titles
from kernellab.lessons import ridge
from kernellab.live import declared
from kernellab.live.controls import Sample, Slider
from kernellab.live.declared import Figure
from kernellab.live.lecture import Presenter, spaced
from kernellab.page.course import lesson_of


def a_point(x):
    return lambda: (np.array([[x, x]]), np.array([1.0]))


class Dot(Figure):
    """A point of a sample, and a line at a height."""

    question = "Where?"
    size = (4.0, 3.0)
    sample = Sample("sample", {"near": a_point(1.0), "far": a_point(5.0)})
    height = Slider("height", 0.0, 5.0, 0.5, 1.0)
    presets = {"high": {"height": 4.0}, "far and high": {"sample": "far", "height": 3.0}}
    readout = alt = "{places:g} {height}"

    def build(self, figure):
        axes = figure.subplots()
        axes.set(xlim=(0, 6), ylim=(0, 6), title="a dot")
        axes.text(1, 5, "small", fontsize=7)
        self.dot, self.line = axes.scatter([], []), axes.axhline(0)
        return axes

    def show(self, points):
        self.dot.set_offsets(points)
        self.line.set_ydata([self.height] * 2)
        return {"places": points[0]}


@pytest.fixture
def hall():
    style.lecture()
    yield
    style.lecture(False)


def presenter(figure):
    return next(child for child in figure.children if isinstance(child, Presenter))


def ask(figure, **what):
    stage = presenter(figure)
    stage.request = {"count": stage.request["count"] + 1, **what}


def test_in_the_hall_type_and_lines_are_larger_and_back_at_the_desk_as_before(hall):
    thin, thick = style.DESK["LINE"], style.LINE
    texts = [t for t in Dot().live._figure.findobj(Text) if t.get_text()]
    assert len(texts) > 5
    assert min(text.get_fontsize() for text in texts) >= style.hall_type(3.0)
    assert thick > thin
    style.lecture(False)
    assert not any(isinstance(child, Presenter) for child in Dot().children)
    assert thin == style.LINE
    sizes = {t.get_fontsize() for t in Dot().live._figure.findobj(Text) if t.get_text()}
    assert min(sizes) == 7


def test_on_the_stage_a_picture_fills_its_room_and_its_type_is_as_large_as_all_other(hall):
    figure = Dot()
    drawn = figure.live._figure
    page = drawn.get_size_inches().copy()
    figure.live.view = {"width": 988, "height": 430, "type": 19.2, "ratio": 2.0, "calm": True}
    assert Image.open(io.BytesIO(figure.live.frame)).size == (2 * 988, 2 * 430)
    sizes = [text.get_fontsize() for text in drawn.findobj(Text) if text.get_text()]
    assert min(sizes) / 72 * drawn.get_dpi() == pytest.approx(2 * 19.2)
    figure.live.view = {"width": 500, "ratio": 1.0, "calm": True}
    assert drawn.get_size_inches() == pytest.approx(page)


def test_a_title_that_would_run_into_the_next_panel_is_broken():
    figure = style.new_figure((6.0, 3.0))
    left, right = figure.subplots(1, 2)
    left.set_title("a title that is longer than the panel under it is wide")
    right.set_title("a short one")
    style.freeze_layout(figure)
    assert wrap_titles(figure)
    style.freeze_layout(figure)
    assert left._left_title.get_window_extent().x1 < right.bbox.x0
    assert "\n" not in right._left_title._get_wrapped_text()


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


def test_a_preset_forgets_what_a_hand_did(hall):
    dot = Dot()
    assert presenter(dot).question == "Where?"
    assert presenter(dot).presets == ["high", "far and high"]
    dot.configure(points=[(3.0, 3.0)], height=0.5)
    ask(dot, preset=1)
    assert dot.live.readout == "5, 5 3.0"
    assert dot._presenter.answered == dot._presenter.request["count"]  # the page hears of it
    ask(dot, preset=0)
    assert dot.live.readout == "1, 1 4.0"
    ask(dot)
    assert dot.live.readout == "1, 1 1.0"
    with pytest.raises(ValueError, match="preset must be among 'high', 'far and high', got 'low'"):
        dot.load("low")


def test_of_what_was_between_the_page_is_not_told(hall, monkeypatch):
    dot = Dot()  # its page might give it back, later than what came after
    dot.height = 0.5
    told, drawn = [], []
    height = dot.controls["height"]
    monkeypatch.setattr(height, "send_state", lambda key: key and told.append(height.value))
    monkeypatch.setattr(dot.live, "_paint", lambda *, sharp: drawn.append(sharp))
    ask(dot, preset=1)
    assert set(told) == {3.0}
    assert drawn == [True]
    ask(dot)
    told.clear()
    ask(dot)  # nothing changes; but the page may have it otherwise
    assert told == [1.0]


def test_a_question_for_the_hall_is_asked_on_the_stage(hall, monkeypatch):
    shown = []
    monkeypatch.setattr(declared, "display", lambda data, **_: shown.append(data))
    dot = Dot().ask("Where is it?")
    dot._ipython_display_()
    assert presenter(dot).question == "Where is it?"
    assert shown[0]["text/plain"] == "Where is it?"
    assert "Where is it?" in shown[0]["text/html"]


def test_what_a_page_gives_back_as_it_was_has_not_changed(hall):
    dot = Dot()
    dot.configure(height=0.5)
    dot._loaded = dot.settings()
    dot.controls["height"].value = 0.49999999999999994  # so a slider in the page counts
    assert dot.changed() == {}


def test_a_demo_says_which_preset_answers_it(hall):
    dot = Dot()
    stage = presenter(dot)
    dot.ask("Where?", answer="high")
    stage.announce()
    assert stage.solution == 1 + list(Dot.presets).index("high")
    with pytest.raises(ValueError, match=r"preset must be among .*'high'.* got 'nowhere'"):
        dot.ask("Where?", answer="nowhere")


def test_a_preset_that_does_not_fit_is_said_in_the_figure(hall):
    dot = Dot()
    dot.presets = {"wrong": {"sample": "nowhere"}, "right": {"height": 2.0}}
    ask(dot, preset=0)
    assert "TraitError" in dot.live.error
    ask(dot, preset=1)
    assert dot.live.error == ""
    assert dot.live.readout == "1, 1 2.0"


def test_what_a_hand_has_changed_makes_the_same_picture_elsewhere(hall):
    dot = Dot()
    dot.load("high")
    assert dot.changed() == {}
    dot.configure(sample="far", height=0.5, points=[(2.25, 4.0)])
    state = json.loads(json.dumps(dot.changed()))
    assert state == {"sample": "far", "height": 0.5, "points": [[2.25, 4.0]]}
    other = Dot()
    ask(other, preset=0, state=state)
    assert other.live.readout == dot.live.readout == "2.25, 4 0.5"
    assert other.changed() == state
    stage = presenter(other)
    stage.state_asked = 1
    assert stage.state == {"count": 1, "changed": state}


def test_an_address_keeps_each_digit_of_a_small_number(hall):
    surface, other = ridge.RidgeSurface(), ridge.RidgeSurface()
    lam = surface.controls["lam"].options[9][1]
    assert round(lam, 10) != lam
    surface.configure(lam=lam)
    ask(other, preset=0, state=json.loads(json.dumps(surface.changed())))
    assert (other.lam, other.live.error) == (lam, "")


class Vote(Dot):
    """The same, where the line answers."""

    answer = ("line",)
    presets = {"open": {"height": 2.0}, "closed": {"height": 4.0, "hidden": True}}


def test_what_answers_is_hidden_until_it_is_asked_for(hall):
    def pixels():
        return Image.open(io.BytesIO(vote.live.frame)).convert("RGB").tobytes()

    vote = Vote()
    stage, shown = presenter(vote), pixels()
    stage.hidden = True
    assert vote.live.readout == ""
    hidden = pixels()
    vote.height = 3.0  # a line that is not drawn
    vote.live.redraw(sharp=True)
    assert pixels() == hidden != shown
    ask(vote, preset=0)
    assert stage.hidden and vote.live.readout == ""  # a preset alone shows nothing
    stage.hidden = False
    assert vote.live.readout == "1, 1 2.0"
    ask(vote, preset=1)
    assert stage.hidden and vote.live.readout == ""
    ask(vote)
    stage.hidden = False
    assert pixels() == shown and vote.live.readout == "1, 1 1.0"


def test_a_demo_says_what_it_is_called_and_where_it_belongs(hall):
    dot = Dot().ask("Where?", title="A dot", notes="wait")
    stage = presenter(dot)
    stage.announce()
    assert (stage.title, stage.notes, stage.lesson, stage.solution) == ("A dot", "wait", "", 0)
    assert [spaced(name) for name in ("SoftMargin", "KKT")] == ["Soft margin", "KKT"]
    assert lesson_of("kernellab.lessons.margin.figures.kkt").startswith("02 · ")
    assert lesson_of("kernellab.lessons.mistakes").startswith("09 · ")
