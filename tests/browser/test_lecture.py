"""A lecture in JupyterLab with nothing but a keyboard, or the remote of a presenter."""

from __future__ import annotations

import re

import lab
import pytest
from stage import Stage

DEMOS = (
    "import kernellab as kl\nkl.lecture()",
    "from kernellab.lessons.perceptron import Losses\nfigure = Losses()\nfigure",
    "from kernellab.lessons import perceptron\nsecond = perceptron.PerceptronStepper()\nsecond",
    "from kernellab.lessons.margin import Hulls\nthird = Hulls()\n"
    "third.ask('Where is the line without point 1?', answer='without point 1')",
    "# a cell below",
)
CELLS = f"""() => [{lab.WIDGET}.content.activeCellIndex, {lab.WIDGET}.content.widgets.length,
  {lab.WIDGET}.content.model.cells.get(4).sharedModel.source]"""

# What is drawn while a hand moves, and the picture at rest: width over height.
SHAPES = """() => [".kl-moving", ".kl-img"]
  .map(css => document.querySelector(`.kl-on-stage ${css}`))
  .map(one => (one.naturalWidth ?? one.width) / (one.naturalHeight ?? one.height))"""

REVEAL = ".kl-on-stage .kl-reveal"
CHOSEN = """name => (document.querySelector(".kl-on-stage .kl-preset[aria-current=true]")
  ?.textContent ?? "").replace(/^\\d /, "") === name"""
ARROWS = {"left": "ArrowLeft", "right": "ArrowRight"}


@pytest.fixture
def stage(opened, notebook):
    """Three demos in a notebook, the first of them on the stage."""
    opened(*DEMOS)
    notebook.page.locator(".kl-enter").first.focus()
    stage = Stage(notebook.page)
    stage.press("Enter")
    yield stage.ready().reveal()
    notebook.python("kl.lecture(False)")  # other tests share this kernel


def value(notebook, code):
    return notebook.python(f"print({code})").strip()


@pytest.mark.firefox
@pytest.mark.webkit
def test_a_whole_demo_without_a_mouse(stage, notebook):
    page = notebook.page
    assert page.locator(".kl-on-stage h2").inner_text().startswith("At which margins")
    presets = page.locator(".kl-on-stage .kl-preset").all_inner_texts()
    assert presets[:2] == ["1 right, by far", "2 right, but not by 1"]
    # A preset, and other numbers; another, and others again; reset.
    for key, said in (("1", "z = +2.40"), ("5", "z = −1.70"), ("r", "z = +0.70")):
        stage.press(key)
        stage.says(said)

    # An arrow moves the slider by a fiftieth of its length at least, and back again.
    with stage.figure.redrawn():
        stage.press("ArrowRight")
    assert float(value(notebook, "figure.controls['z'].value")) == pytest.approx(0.9)
    with stage.figure.redrawn():
        stage.press("ArrowLeft")
    assert float(value(notebook, "figure.controls['z'].value")) == pytest.approx(0.7)

    # Tab leads to the list, then to the buttons, then to the point, which arrows move.
    for _ in range(20):
        stage.press("Tab")
        if stage.focused() == "kl-grip":
            break
    assert stage.focused() == "kl-grip"
    place = stage.figure.point(0)
    with stage.figure.redrawn():
        stage.press("ArrowUp")
    assert stage.figure.point(0)[1] == pytest.approx(place[1] + 0.02 * 3, abs=0.011)
    assert stage.figure.spoken.text_content() == stage.figure.readout.text_content()
    moving, at_rest = page.evaluate(SHAPES)
    assert moving == pytest.approx(at_rest, rel=0.01)  # else both are seen for a moment

    # Shift and Tab leads the other way round, and never to the page behind.
    assert stage.not_reached(back=True) == []

    # From demo to demo, in the order of the notebook, with a presenter's remote too.
    places = []
    for key in ("n", "n", "n", "PageUp", "p", "p", "End", "Home"):
        stage.press(key)
        places.append(stage.ready().place())
    assert places == [f"{k} of 3" for k in (2, 3, 3, 2, 1, 1, 3, 1)]
    page.wait_for_function(f"() => document.querySelector('{REVEAL}').checkVisibility()")
    for place in (1, 2):  # first the answer
        stage.press("PageDown")
        assert stage.ready().place() == f"{place} of 3"
        assert page.locator(REVEAL).is_visible() == (place == 2)
    # It is another preset, where the first picture cannot answer; a picture that was moved can.
    stage.press("End")
    stage.ready().press("PageDown")
    page.wait_for_function(CHOSEN, arg="without point 1")
    assert stage.ready().place() == "3 of 3" and not page.locator(REVEAL).is_visible()
    stage.press("r", "a")
    page.wait_for_function(f"() => document.querySelector('{REVEAL}').checkVisibility()")
    stage.press("ArrowRight", "ArrowRight")
    page.wait_for_timeout(1500)  # until the page has heard of it
    stage.press("a")
    page.wait_for_function(f"() => !document.querySelector('{REVEAL}').checkVisibility()")
    page.wait_for_function(CHOSEN, arg="")
    assert value(notebook, "third.left_out") == "2"
    stage.press("Home")
    stage.ready()

    # The card of keys comes and goes, without leaving the stage.
    card = page.locator(".kl-on-stage .kl-keys")
    assert not card.is_visible()
    stage.press("?")
    assert card.is_visible() and "load a preset" in card.inner_text()
    stage.press("Escape")
    assert not card.is_visible() and not stage.is_empty()
    stage.press("Escape")
    assert stage.is_empty() and "kl-enter" in stage.focused()


def test_space_plays_what_can_be_played(stage, notebook):
    stage.press("Shift+Home")  # the least margin: room to play
    stage.figure.at_rest()
    before = stage.figure.answers()
    stage.press(" ")
    notebook.page.wait_for_function(
        "([root, n]) => Number(root.dataset.frame) > n + 3",
        arg=[stage.figure.root.element_handle(), before],
    )
    stage.press(" ")
    stage.figure.at_rest()
    now = value(notebook, "figure.controls['z'].value")
    notebook.page.wait_for_timeout(900)
    assert value(notebook, "figure.controls['z'].value") == now

    stage.press("n")  # a figure with a play button of its own
    stage.ready().reveal().press(" ")
    stage.says(re.compile(r"test ([3-9]|\d\d): "))
    stage.press("r")  # stops it, and goes back
    stage.says("test 0: ")
    notebook.page.wait_for_timeout(900)
    assert value(notebook, "second.t") == "0"


def test_without_motion_space_is_one_step(stage, notebook):
    notebook.page.emulate_media(reduced_motion="reduce")
    try:
        stage.press("n")
        stage.ready()
        for step in ("1", "2"):
            with stage.figure.redrawn():
                stage.press(" ")
            notebook.page.wait_for_timeout(800)
            assert value(notebook, "second.t") == step
    finally:
        notebook.page.emulate_media(reduced_motion=None)


def test_what_is_typed_on_the_stage_does_not_reach_the_notebook(stage, notebook):
    page = notebook.page
    before = page.evaluate(CELLS)
    keys = (*"bbddxaa", "Enter", "Shift+Enter", "Control+Enter", "ArrowDown", "z")

    def press_all():
        for key in keys:
            stage.press(key)
            assert page.evaluate(CELLS) == before, key  # at once: "z" takes back what "b" does
            assert not stage.is_empty(), key

    press_all()
    page.mouse.click(5, 1)  # beside everything
    press_all()
    page.evaluate("() => document.querySelector('.jp-Notebook').focus()")  # behind the stage
    press_all()
    stage.press("2")  # and the stage still listens
    stage.says("z = +0.40")


def test_a_key_does_not_overtake_what_was_pressed_before_it(stage, notebook):
    stage.press("n")
    stage.ready()
    notebook.python("""
import time
def slow(points, update=second.live._update):
    time.sleep(0.1)
    return update(points)
second.live._update = slow
""")
    for keys, t in (
        ("right right right r", 0), ("right r right right", 2), ("4 right right r left", 0),
    ):  # fmt: skip
        stage.press(*(ARROWS.get(key, key) for key in keys.split()))
        stage.settle()
        assert value(notebook, "second.t") == stage.readouts()[0] == str(t)
        stage.press("r")


def test_a_preset_goes_to_its_step_whatever_was_shown_before(opened, notebook):
    make = "from kernellab.lessons.kernels import KernelPerceptron\n"
    opened("import kernellab as kl\nkl.lecture()", f"{make}figure = KernelPerceptron()\nfigure")
    notebook.page.locator(".kl-enter").first.focus()
    stage = Stage(notebook.page)
    stage.press("Enter")
    stage.ready().reveal()
    try:
        for key, t in (("5", 48), ("3", 32), ("1", 3), ("5", 48), ("9", 6000), ("1", 3), ("r", 4)):
            with stage.figure.redrawn():
                stage.press(key)
            assert (value(notebook, "figure.t"), stage.readouts()[0]) == (str(t), str(t)), key
            assert f"step {t} of" in stage.figure.readout.inner_text(), key
    finally:
        notebook.python("kl.lecture(False)")


def test_a_restarted_kernel_is_announced_on_the_stage(opened, notebook):
    opened(*DEMOS[:2], kernel="own")
    stage = Stage(notebook.page)
    notebook.page.locator(".kl-enter").first.focus()
    stage.press("Enter")
    stage.ready()
    notebook.restart_kernel()
    stage.says("Not connected to Python")
    stage.press("Escape")
    assert stage.is_empty()
    notebook.run_all()
    notebook.page.locator(".kl-enter").last.focus()
    stage.press("Enter")
    stage.ready().reveal().press("1")
    stage.says("z = +2.40")
