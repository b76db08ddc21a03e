"""What follows from a declaration: settings, words from named numbers, strips, answers kept."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image
from scipy.ndimage import uniform_filter

from kernellab.live.controls import Button, Choice, Ladder, Sample, Slider, Steps
from kernellab.live.declared import Figure
from kernellab.live.memoize import MOST, memoize
from kernellab.live.readout import Numbers, written


def one_point():
    return np.array([[0.0, 5.0]]), np.array([1.0])


def two_points():
    return np.array([[0.0, 1.0], [-2.0, 0.5]]), np.array([1.0, -1.0])


class Example(Figure):
    """One of each: a sample, controls that depend on it, linked and free ones, a button."""

    question = "Which?"
    size = (4.0, 2.0)
    sample = Sample("data", {"two": two_points, "one": one_point}, within=3.0)
    first = Choice("first", lambda figure: list(range(len(figure.y))))
    x = Slider("x of the first", -3.0, 3.0, 0.5)
    linked = ("x",)
    C = Ladder("C", [0.1, 1.0, 10.0], 1.0, lambda C, figure: f"{C:g} of {len(figure.y)}")
    t = Steps("t", 0, 5)
    memory = {"seen": []}
    presets = {"one": {"sample": "one"}, "far": {"x": 3.0}, "late": {"t": 5}}
    readout = "{C}   n = {n}   {nothing}   never {missing}\nx = {places:.1f}   {none:.2f}"
    alt = "C is {C:.2f} on {sample}"

    @Button("twice")
    def twice(self):
        self.t += 2
        self.C = 8.0
        self.seen.append(self.t)

    def build(self, figure):
        left, self.right = figure.subplots(1, 2)
        left.set(xlim=(-3, 3), ylim=(-3, 3), title="a title over both panels")
        self.right.set(title="right")
        self.dots = {"one": left.scatter([], [])}
        (self._still,) = self.right.plot([0, 1])
        return left

    def grips(self):
        return np.column_stack([np.full(len(self.X), self.x), self.X[:, 1]])

    def read(self, points):
        return [points[0, 0]]

    def show(self, points):
        self.drawn = getattr(self, "drawn", 0) + 1
        self.dots["one"].set_offsets(points)
        return {"n": len(self.y), "nothing": "", "none": None, "places": points[:, 0]}


def drag(figure, *points):
    figure.live.points = {"move": figure.live.points["move"] + 1, "at": [list(p) for p in points]}
    assert figure.live.error == "", figure.live.last_traceback


def seen_and_more(figure):
    """Return the labels of what the panel opens with, and of what is under "more"."""

    def labels(box):
        parts = getattr(box, "children", [box])
        return [box.description] if parts == [box] else [d for part in parts for d in labels(part)]

    groups = [labels(group) for group in figure.children[0].children]
    return groups if len(groups) > 1 else [*groups, []]


def test_of_many_controls_a_few_are_seen_at_first_and_all_buttons():
    class Told(Example):
        at_first = ("t", "C")

    class All(Example):
        at_first = ("sample", "first", "x", "C", "t")

    seen, more = ["data", "first", "x of the first", "twice"], ["C", "t"]
    assert seen_and_more(Example()) == [seen, more]
    assert seen_and_more(Told()) == [["C", "t", "twice"], ["data", "first", "x of the first"]]
    assert seen_and_more(All())[1] == []


def test_a_setting_is_the_value_of_its_control():
    figure = Example(C=3.0, t=2, seen=[7])
    assert (figure.C, figure.t, figure.sample, figure.seen) == (1.0, 2, "two", [7])
    figure.C, figure.t = 11.0, 99  # the nearest that there is
    assert (figure.C, figure.t) == (10.0, 5)
    assert Example.memory == {"seen": []} and Example().seen == []
    with pytest.raises(ValueError, match=r"settings must be among sample, .*, got gamma"):
        Example(gamma=1.0)


def test_words_are_made_of_named_numbers():
    figure = Example()
    assert figure.live.readout == "1 of 2   n = 2\nx = 0.0, 0.0"
    assert figure.live.alt == "C is 1.00 on two"
    assert written("{:.2f} {:+.1f} {:.0%}", [-0.001, -2], 0.01, -1) == "0.00, −2.00 +0.0 −100%"
    assert (
        written("{:.3g} {:.2g} {:.1e} {:.2g}", 2e3, 29_400, 4e9, 7e-5) == "2000 29000 4.0e+09 7e−05"
    )
    say = Numbers({"a": None, "w": "", "x-y": 1}.get)
    assert say.lines("a {a:.2f}   b\n{w}   {a}\nc-3   x-y") == "b\nc−3   x-y"
    assert say.text("1e-5   but-2-ol") == "1e−5   but-2-ol"


def test_offers_and_grips_follow_the_data():
    figure = Example(first=1)
    figure.sample = "one"
    assert figure.live.readout == "1 of 1   n = 1\nx = 0.0"
    assert [value for _, value in figure.controls["first"].options] == [0] == [figure.first]
    assert figure.live.at.tolist() == [[0.0, 3.0]]  # within reach
    assert [handle["label"] for handle in figure.live.handles] == ["example 0, class +1"]


def test_a_hand_and_a_slider_say_the_same():
    figure = Example()
    drag(figure, (1.3, 0.0), (0.0, 0.0))
    assert figure.x == 1.3 and figure.controls["x"].value == 1.5  # shown in its steps
    figure.t = 1  # another control leaves it so
    assert figure.x == 1.3
    figure.x = -2.0
    assert figure.live.at[:, 0].tolist() == [-2.0, -2.0]
    drag(figure, (9.0, 0.0), (0.0, 0.0))
    assert figure.x == 9.0 and figure.controls["x"].value == 3.0
    figure.reset()
    assert figure.x == 0.0


def test_a_button_draws_once():
    figure = Example()
    before, frame = figure.drawn, figure.live.answer["frame"]
    figure.twice()
    assert (figure.t, figure.C, figure.seen) == (2, 10.0, [2])
    assert (figure.drawn, figure.live.answer["frame"]) == (before + 1, frame + 1)
    figure.reset()
    assert figure.seen == []


def test_what_is_kept_moves_and_nothing_else():
    figure = Example()
    assert figure.live._moving == [figure.dots["one"]]


def test_another_end_takes_the_value_along():
    figure = Example(t=5)
    figure.set_max("t", 3)
    assert (figure.t, figure.controls["t"].max) == (3, 3)


# --- on paper ------------------------------------------------------------------------------------


def test_a_strip_shows_the_panel_of_each_preset():
    strip = Example.strip("one", "far", C=10.0)
    alone = Example(C=10.0)
    alone.load("far")
    panel = np.asarray(alone.live.panel())
    shown = np.asarray(Image.open(io.BytesIO(strip.png)).convert("RGB"))
    right = shown[-panel.shape[0] :, -panel.shape[1] :]
    # One pixel to a side is the same panel, that of the other preset is not: 224.
    blurred = [uniform_filter(pixels.astype(float), (5, 5, 0)) for pixels in (right, panel)]
    assert abs(blurred[0] - blurred[1]).max() < 150
    alone.right.set_visible(False)
    assert (np.asarray(alone.live.panel()) == panel).all()  # nothing of the other axes is in it
    assert strip.alt == "“one”: C is 10.00 on one “far”: C is 10.00 on two"
    assert strip.width == pytest.approx(shown.shape[1] / 1.5, abs=1)


def test_a_strip_may_show_another_panel_than_that_of_the_grips():
    class OnTheRight(Example):
        def build(self, figure):
            left = super().build(figure)
            self.key = self.right
            return left

    strips = [kind.strip("one", "far").png for kind in (Example, OnTheRight)]
    assert strips[0] != strips[1]
    figure = OnTheRight()
    panel = np.asarray(figure.live.panel(figure.key))
    figure.live._axes.set_visible(False)
    assert (np.asarray(figure.live.panel(figure.key)) == panel).all()


def test_a_strip_may_show_several_panels_one_below_the_other():
    class Both(Example):
        def build(self, figure):
            left = super().build(figure)
            self.key = left, self.right
            return left

    both = Image.open(io.BytesIO(Both.strip("one", "far").png))
    one = Image.open(io.BytesIO(Example.strip("one", "far").png))
    assert both.height > 1.7 * one.height
    Both.strip_size = (6.0, 2.0)
    assert Image.open(io.BytesIO(Both.strip("one", "far").png)).width > 1.2 * both.width


def test_a_key_above_the_panels_is_shown_once():
    class Keyed(Example):
        def build(self, figure):
            left = super().build(figure)
            left.plot([], [], label="dots")
            self._key = left.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0))
            return left

    figure = Keyed()
    panels = [np.asarray(figure.live.panel(legend=legend), int) for legend in (True, False)]
    rows = np.flatnonzero(abs(panels[0] - panels[1]).max(axis=(1, 2)))
    assert len(rows) > 0 and rows.max() < len(panels[0]) / 4  # only above the axes
    assert figure._key.get_visible()


def test_a_panel_leaves_the_live_picture_as_it_was():
    figure = Example()
    before = figure.live._canvas.buffer_rgba().tobytes()
    figure.live.panel()
    assert figure.live._canvas.buffer_rgba().tobytes() == before


@pytest.mark.parametrize("presets", [("one",), ("one", "far", "late", "one", "far")])
def test_a_strip_of_too_few_or_too_many(presets):
    with pytest.raises(ValueError, match=f"2 to 4 presets, got {len(presets)}"):
        Example.strip(*presets)


# --- what has been computed ----------------------------------------------------------------------


def test_the_last_answers_are_kept():
    asked = []

    @memoize
    def total(x, factor):
        asked.append(factor)
        return factor * x.sum()

    x = np.arange(4.0)
    assert [total(x, 2), total(x.copy(), 2), total(x.reshape(2, 2), 2)] == [12, 12, 12]
    assert asked == [2, 2]  # another shape is another question
    x[0] = 1.0
    assert total(x, 2) == 14
    for factor in range(3, 3 + MOST):
        total(x, factor)
    assert total(x, 2) == 14 and asked[-1] == 2  # forgotten, and computed anew
