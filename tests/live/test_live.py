"""Live figures without a browser: traits are set as the front end sets them, numbers are read."""

from __future__ import annotations

import base64
import html
import io
import threading
import warnings

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from kernellab.draw.style import COLOUR, new_figure
from kernellab.lessons.perceptron.figures.separators import ManySeparators
from kernellab.lessons.perceptron.figures.stepper import PerceptronStepper
from kernellab.lessons.start.figures.hello import Hello
from kernellab.live.controls import Choice, Player, Slider, Steps
from kernellab.live.declared import RUN_ME, Figure, class_handles
from kernellab.live.figure import LiveFigure

FIGURES = {
    "Hello": Hello,
    "ManySeparators": lambda: ManySeparators(sample="two clouds", t=20),
    "PerceptronStepper": lambda: PerceptronStepper(t=20),
}
PNG, JPEG = b"\x89PNG", b"\xff\xd8\xff"


@pytest.fixture(scope="module", params=FIGURES)
def figure(request):
    """One figure of each kind; every test starts from wherever the tests before have left it."""
    return FIGURES[request.param]()


def move(live, i, x, y):
    """Put a grip elsewhere, as the front end does."""
    at = [list(point) for point in live.points["at"]]
    at[i] = [x, y]
    live.points = {"move": live.points["move"] + 1, "at": at}


def nudge(live, i=0, step=0.03):
    """Move a grip by a small part of the picture."""
    left, right, bottom, top = live.limits
    x, y = live.at[i]
    move(live, i, x + step * (right - left), y + step / 2 * (top - bottom))


def view(live, width, ratio=1.0, calm=False):
    live.view = {"width": width, "ratio": ratio, "calm": calm}


def sharp(live):
    """Ask for the picture at rest, as the front end does when nothing has moved for a while."""
    live.rest = live.answer["frame"]
    assert live.frame.startswith(PNG)
    return live.frame


def pixels(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


# --- every figure ------------------------------------------------------------------------------


def test_what_blitting_shows_is_what_a_whole_drawing_shows(figure):
    live = figure.live
    view(live, 800)
    for step in (0.02, -0.05, 0.04):
        nudge(live, step=step)
    shown = pixels(sharp(live))
    for artist in live._figure.findobj(lambda artist: artist.get_animated()):
        artist.set_animated(False)
    live._canvas.draw()
    whole = np.asarray(live._canvas.buffer_rgba())[..., :3].astype(int)
    # Only the order differs: a blitted figure has its frames drawn last.
    assert (abs(shown - whole).max(axis=2) > 64).mean() < 0.003


def test_grips_lie_on_what_python_drew(figure):
    live = figure.live
    view(live, 640)
    a, b, c, d = live.affine
    width, height = live._canvas.get_width_height()
    for x, y in live.at:
        column, row = live._axes.transData.transform((x, y))
        assert (a * x + b) * width == pytest.approx(column, abs=1)
        assert (c * y + d) * height == pytest.approx(height - row, abs=1)
    left, right, bottom, top = live.limits
    assert ((live.at >= (left, bottom)) & (live.at <= (right, top))).all()


def test_the_layout_holds_everything(figure):
    drawn = figure.live._figure
    width, height = drawn.bbox.size
    # Its letters on whole pixels make a word of Matplotlib 3.10 wider in a small picture.
    wider = 1 if mpl.__version_info__ >= (3, 11) else 0.01 * width
    for axes in drawn.axes:
        assert axes.bbox.width > 0.15 * width
        assert axes.bbox.height > 0.15 * height
        box = axes.get_tightbbox()
        assert box.x0 >= -1
        assert box.y0 >= -1
        assert box.x1 <= width + wider
        assert box.y1 <= height + 1


@pytest.mark.parametrize("width", [1, 868])
def test_a_page_of_any_width(width):
    figure = PerceptronStepper()
    bounds = [axes.get_position().bounds for axes in figure.live._figure.axes]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DeprecationWarning)  # Matplotlib 3.10, of its own parser
        view(figure.live, width, ratio=1.5)
    drawn = pixels(figure.live.frame)
    w, h = figure.live.size
    assert drawn.shape[1] == pytest.approx(1.5 * max(width, 200), abs=1)
    assert drawn.shape[0] == pytest.approx(drawn.shape[1] * h / w, abs=1)
    for axes, same in zip(figure.live._figure.axes, bounds, strict=True):
        assert axes.get_position().bounds == pytest.approx(same)


def test_the_still(figure, monkeypatch):
    live, drawn = figure.live, []
    view(live, 500)
    nudge(live)
    draw = live._canvas.draw
    with monkeypatch.context() as watched:
        watched.setattr(live._canvas, "draw", lambda: (drawn.append("whole"), draw()))
        still = live.still()
    assert drawn == ["whole"]  # the page's own is not drawn anew
    after = sharp(live)
    live.redraw(sharp=True)
    assert (pixels(after) == pixels(live.frame)).all()  # the live picture is what it was
    image = Image.open(io.BytesIO(still.png))
    image.verify()
    assert image.format == "PNG"
    assert image.size[0] == pytest.approx(1.5 * still.width, abs=1)
    assert len(still.png) < 120_000
    assert still.alt == live.alt == figure.describe()
    assert 60 < len(still.alt) < 700


def take_note(displayed):
    """Return a stand-in for `display` that keeps what it is given."""

    def display(output, *, raw=False, metadata=None):
        if raw:
            displayed.append(output)
        else:
            output._ipython_display_()

    return display


def test_it_is_displayed_as_a_question_a_still_and_a_widget(figure, monkeypatch):
    displayed = []
    for module in ("live.declared", "draw.picture"):
        monkeypatch.setattr(f"kernellab.{module}.display", take_note(displayed))
    figure._ipython_display_()
    question, still, words, widget = displayed
    assert figure.question in question["text/html"]
    assert question["text/plain"] == figure.question
    assert still["text/plain"] == figure.live.alt
    assert base64.b64decode(still["image/png"]).startswith(PNG)
    assert html.escape(figure.live.alt) in words["text/html"]
    assert widget["application/vnd.jupyter.widget-view+json"]["model_id"] == figure.model_id
    assert widget["text/plain"] == RUN_ME


# --- the front end's half of the conversation --------------------------------------------------


def dot_figure(update=None):
    """Return a live figure of one point, and the list of positions it was asked to draw."""
    figure = new_figure((3.0, 2.0))
    axes = figure.subplots()
    axes.set(xlim=(0, 10), ylim=(0, 10), title="first")
    dot = axes.scatter([], [])
    asked = []

    def show(points):
        asked.append(points.copy())
        dot.set_offsets(points)
        return f"{points.tolist()}"

    live = LiveFigure(
        figure,
        update or show,
        moving=[dot],
        axes=axes,
        points=[(1, 2)],
        handles=[{"label": "a dot", "color": "red"}],
        describe=lambda: "a dot",
    )
    return live, asked


def test_an_answer_says_which_move_it_answers():
    live, asked = dot_figure()
    first = live.answer["frame"]
    move(live, 0, 3, 4)
    assert live.answer == {"move": 1, "frame": first + 1}
    assert asked[-1].tolist() == [[3.0, 4.0]]
    assert live.readout == "[[3.0, 4.0]]"
    move(live, 0, 3, 4)  # the same place: the picture may not be sent again, the answer is
    assert live.answer == {"move": 2, "frame": first + 2}


def test_a_late_move_of_points_that_were_replaced_is_let_go():
    live, asked = dot_figure()
    live.place([(7, 8), (9, 1)], [{"label": name, "color": "blue"} for name in "ab"])
    drawn, answers = len(asked), live.answer["frame"]
    live.points = {"move": live.points["move"] + 1, "at": [[0.0, 0.0]]}
    assert (live.at.tolist(), len(asked), live.error) == ([[7, 8], [9, 1]], drawn, "")
    move(live, 0, 7, 9)
    assert live.answer["frame"] == answers + 1


def test_rest_is_only_for_the_newest_picture():
    live, _ = dot_figure()
    move(live, 0, 3, 4)
    late = live.answer["frame"]
    move(live, 0, 5, 6)
    live.rest = late
    assert live.frame.startswith(JPEG)
    live.rest = live.answer["frame"]
    assert live.frame.startswith(PNG)


def test_with_reduced_motion_every_picture_is_sharp():
    live, _ = dot_figure()
    view(live, 300, calm=True)
    move(live, 0, 3, 4)
    assert live.frame.startswith(PNG)
    view(live, 300, calm=False)
    move(live, 0, 5, 6)
    assert live.frame.startswith(JPEG)


def test_pixels_follow_the_page_but_not_without_end():
    live, _ = dot_figure()
    for ratio, pixels_each in ((1.0, 1.0), (2.0, 2.0), (5.0, 3.0)):
        view(live, 300, ratio=ratio)
        assert Image.open(io.BytesIO(live.frame)).size == (300 * pixels_each, 200 * pixels_each)


def test_placing_does_not_draw_and_is_no_move():
    live, asked = dot_figure()
    drawn = len(asked)
    live.place([(7, 8), (9, 1)], [{"label": name, "color": "blue"} for name in "ab"])
    assert len(asked) == drawn
    assert live.at.tolist() == [[7, 8], [9, 1]]
    assert [handle["label"] for handle in live.handles] == ["a", "b"]
    live.redraw(sharp=True)
    assert asked[-1].tolist() == [[7, 8], [9, 1]]


def test_an_exception_is_shown_and_the_next_move_recovers():
    def update(points):
        if points[0, 0] > 5:
            raise ValueError("x must not be above 5")
        return "fine"

    live, _ = dot_figure(update)
    picture, answer = live.frame, live.answer
    move(live, 0, 6, 0)
    assert live.error == "ValueError: x must not be above 5"
    assert "in update" in live.last_traceback
    assert live.answer["frame"] == answer["frame"] + 1  # an answer, so nobody waits …
    assert live.frame == picture  # … without a picture
    live.rest = live.answer["frame"]
    assert live.frame == picture
    move(live, 0, 4, 0)
    assert live.error == ""
    assert live.readout == "fine"


def test_an_exception_when_a_figure_is_made_is_raised():
    def update(points):
        raise ValueError("no")

    with pytest.raises(ValueError, match=r"^no$"):
        dot_figure(update)


def test_what_moves_takes_no_room_from_the_axes():
    def figure_with(x):
        figure = new_figure((3.0, 2.0))
        axes = figure.subplots()
        axes.set(xlim=(0, 1), ylim=(0, 1))
        (mark,) = axes.plot([x], [0.5], "o", clip_on=False)
        LiveFigure(figure, lambda points: "", moving=[mark])
        return axes.get_position().bounds

    assert figure_with(5.0) == figure_with(0.5)


def test_new_limits_and_titles_are_drawn():
    live, _ = dot_figure()
    axes = live._axes
    before, affine = sharp(live), live.affine
    axes.set_title("then")
    move(live, 0, 1, 2)
    assert (pixels(sharp(live))[:30] != pixels(before)[:30]).any()
    axes.set_xlim(0, 20)
    move(live, 0, 3, 3)
    assert live.affine[0] == pytest.approx(affine[0] / 2)


def test_axes_seen_before_are_not_drawn_again(monkeypatch):
    live, _ = dot_figure()
    drawn = []
    draw = live._canvas.draw
    monkeypatch.setattr(live._canvas, "draw", lambda: (drawn.append(live._axes.get_xlim()), draw()))
    pictures = {}
    for limit in (20, 10, 20, 10):
        live._axes.set_xlim(0, limit)
        move(live, 0, 1, 2)
        shown = pixels(sharp(live))
        affine, picture = pictures.setdefault(limit, (live.affine, shown))
        assert live.affine == affine
        np.testing.assert_array_equal(shown, picture)
    assert drawn == [(0, 20)]  # 10 was there from the start
    assert (pictures[10][1] != pictures[20][1]).any()
    view(live, 250)
    assert drawn == [(0, 20), (0, 10)]  # another size: everything is new


def test_a_cell_and_a_hand_may_draw_at_once():
    live, asked = dot_figure()

    def hand():
        for k in range(20):
            move(live, 0, k % 10, 5)

    def cell():
        for _ in range(20):
            live.redraw(sharp=True)

    threads = [threading.Thread(target=work) for work in (hand, cell)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert live.error == ""
    assert len(asked) >= 40
    live.redraw(sharp=True)
    assert asked[-1].tolist() == [[9.0, 5.0]]


# --- controls ----------------------------------------------------------------------------------


class Doubling(Figure):
    """Two sliders: the second is twice the first, as far as it can be; and one that plays."""

    question = "Is it?"
    size = (3.0, 2.0)
    half = Slider("half", 0.0, 5.0, 0.5, 1.0)
    whole = Slider("whole", 0.0, 10.0, 0.5)
    which = Choice("which", lambda figure: figure.offered, 1)
    t = Steps("t", 0, 10, 3)
    play = Player("t", 200, "play it")
    readout = alt = "{whole}"
    offered = {"a": 1, "b": 2}
    updates = 0

    def build(self, figure):
        figure.subplots()

    def show(self, points):
        self.updates += 1
        with self.quietly():
            self.whole = 2 * self.half
        return {}


def test_a_control_changed_quietly_does_not_draw_again():
    figure = Doubling()
    drawn = figure.updates
    figure.half = 3.0
    assert (figure.updates, figure.whole) == (drawn + 1, 6.0)
    assert figure.live.readout == "6.0"
    figure.whole = 1.0  # by hand: it is put back
    assert (figure.updates, figure.whole) == (drawn + 2, 6.0)
    figure.which = 2
    assert figure.updates == drawn + 3


def test_other_options_do_not_draw_again_and_leave_the_choice():
    figure = Doubling(which=2)
    drawn = figure.updates
    figure.offered = {"one": 1, "two": 2, "three": 3}
    figure.half = 2.0
    assert (figure.controls["which"].label, figure.which) == ("two", 2)
    figure.offered = {"zero": 0, "one": 1}
    figure.half = 3.0
    assert figure.which == 1  # where it stood first
    assert figure.updates == drawn + 2


def test_a_player_goes_as_far_as_its_slider():
    figure = Doubling()
    (play,) = (widget for widget in figure._widgets if hasattr(widget, "playing"))
    slider = figure.controls["t"]
    play.playing = True
    for ticks, value in ((1, 4), (2, 6), (9, 10)):
        play.value += ticks
        assert (slider.value, play.playing) == (value, True)
    play.value += 1
    assert (slider.value, play.playing) == (10, False)
    play.playing = True  # from the end it begins anew
    assert slider.value == 0
    slider.value, play.repeat = 10, True
    play.value += 1
    assert slider.value == 0
    for _ in range(2):  # stop goes back, and can be pressed again
        slider.value = 5
        play.value = play.min
        assert slider.value == 0


def test_a_page_hears_how_far_a_control_goes_before_where_it_stands():
    half, which = (Doubling().controls[name] for name in ("half", "which"))
    assert list(half.get_state(["value", "max", "step"])) == ["max", "step", "value"]
    assert list(which.get_state(["index", "_options_labels"])) == ["_options_labels", "index"]
    assert list(half.get_state())[-1] == "value"


def test_handles_say_number_and_class():
    first, second = class_handles([-1.0, 1.0], "point", first=1)
    assert first == {"label": "point 1, class -1", "color": COLOUR[-1]}
    assert second == {"label": "point 2, class +1", "color": COLOUR[1]}
