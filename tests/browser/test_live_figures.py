"""Live figures in JupyterLab: moved by mouse, finger and keyboard, and read in every way."""

from __future__ import annotations

import itertools
import math
import re

import lab
import pytest
from figures import Figure

LOSSES = """
from kernellab.lessons.perceptron import Losses
figure = Losses()
figure
"""
PERCEPTRON = """
from kernellab.lessons.perceptron import PerceptronStepper
figure = PerceptronStepper()
figure.t = 40
figure
"""
FRAGILE = """
from kernellab.lessons.perceptron import Losses

class Fragile(Losses):
    def update(self, points):
        if points[0, 0] > 1:
            raise ValueError("x1 must not be above 1")
        return super().update(points)

figure = Fragile()
figure
"""

IN_VAIN = """
from kernellab.lessons.kernels import FindTheWitness

figure = FindTheWitness(candidate="exp(−‖x−z‖²)")
figure
"""


def all_differ(now: tuple[str, ...], before: tuple[str, ...]) -> bool:
    return all(a != b for a, b in zip(now, before, strict=True))


OVERFLOWING = """live => {
  const found = [];
  for (let box = live; !box.matches(".jp-OutputArea"); box = box.parentElement) {
    if (box.scrollHeight > box.clientHeight) found.push(box.className);
  }
  return found;
}"""


# --- moved ---------------------------------------------------------------------------------------


@pytest.mark.firefox
@pytest.mark.webkit
def test_by_mouse_and_keyboard(opened, notebook):
    figure = opened(PERCEPTRON)
    # The question, the still, its words, the figure; and no warnings.
    assert notebook.outputs() == ["text/html", "image/png", "text/html", "widget"]
    assert figure.root.evaluate(OVERFLOWING) == []
    before, answers = figure.seen(), figure.answers()
    with figure.redrawn():
        figure.slider("test t").press("ArrowRight")
    assert all_differ(figure.seen(), before)
    assert figure.answers() == answers + 1  # drawn once
    assert notebook.python("print(figure.t, figure.live.error)") == "41 \n"

    alpha = "print(figure.run.alpha(len(figure.run.order)).tolist())"
    seen, counts, place = figure.seen(), notebook.python(alpha), figure.point(0)
    with figure.redrawn():
        figure.drag_point(0, -90, 20)
    assert all_differ(figure.seen(), seen)
    assert notebook.python(alpha) != counts
    x1, x2 = figure.point(0)
    assert x1 < place[0] - 1 and x2 < place[1]
    assert notebook.python("print(figure.X[0].round(2).tolist())") == f"{[x1, x2]}\n"

    places = figure.points()  # of two points that overlap the nearest to the pointer is taken
    pairs = itertools.combinations(range(1, len(places)), 2)
    beneath, above = min(pairs, key=lambda pair: math.dist(*(places[k] for k in pair)))
    with figure.redrawn():
        figure.drag_point(beneath, 0, 40)
    assert figure.points()[above] == places[above]
    assert figure.points()[beneath][1] < places[beneath][1] - 0.3

    play = figure.all.locator(".widget-play button").first
    play.click()
    figure.root.get_by_text(re.compile(r"test (4[3-9]|[5-9]\d|1\d\d): ")).first.wait_for()
    play.click()  # pause
    figure.at_rest()
    t = int(notebook.python("print(figure.t)"))
    assert figure.readout.inner_text().startswith(f"test {t}: ")


@pytest.mark.firefox
@pytest.mark.webkit
def test_slider_by_mouse(opened, notebook):
    figure = opened(LOSSES)
    before, x1 = figure.seen(), figure.point(0)[0]
    with figure.redrawn():
        figure.drag(figure.slider("margin"), -60, 0)
    assert all_differ(figure.seen(), before)
    assert -2.5 <= float(notebook.python("print(figure.controls['z'].value)")) < 0.7
    assert figure.point(0)[0] < x1  # the grip went with the example
    assert figure.grips.first.get_attribute("aria-label") == "the example"
    with figure.redrawn():  # to the left end of the window: no browser's pointer leaves it
        figure.drag_point(0, 5 - figure.centre(figure.grips.first)[0], 0)
    assert figure.point(0)[0] == -1.0  # the edge of the plane


SCROLLED = f"() => document.querySelector('{lab.PANEL} .jp-WindowedPanel-outer').scrollTop"
TALL = "from IPython.display import HTML; HTML('<div style=\"height: 2000px\">below</div>')"


def test_a_finger_moves_a_point_and_beside_the_points_the_page(opened, notebook):
    figure = opened(LOSSES, TALL)
    for right, down in ((60, 0), (0, 60), (-40, 40)):
        before, (x, y) = figure.seen(), figure.centre(figure.grips.first)
        scrolled = notebook.page.evaluate(SCROLLED)
        with figure.redrawn():
            figure.touch(x, y, right, down)
        assert notebook.page.evaluate(SCROLLED) == scrolled
        assert figure.centre(figure.grips.first) == pytest.approx((x + right, y + down), abs=1)
        assert all_differ(figure.seen(), before)
        at = notebook.python("print(*figure.live.at[0].round(2))").split()
        assert at == [str(v) for v in figure.point(0)]
    x, y = figure.centre(figure.grips.first)
    figure.touch(x, y - 40, 0, -100)
    notebook.page.wait_for_function(f"before => ({SCROLLED})() > before + 50", arg=scrolled)


@pytest.mark.firefox
@pytest.mark.webkit
def test_point_by_keyboard(opened, notebook):
    figure = opened(PERCEPTRON, "# a cell below")
    page = notebook.page
    figure.slider("test t").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('kl-grip')"):
            break
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("example")
    before, x1 = figure.seen(), figure.point(0)[0]
    with figure.redrawn():
        page.keyboard.press("ArrowRight")
    small = figure.point(0)[0] - x1
    with figure.redrawn():
        page.keyboard.press("Shift+ArrowRight")
    assert figure.point(0)[0] - x1 - small == pytest.approx(5 * small, abs=0.011)
    assert figure.seen()[0] != before[0]
    assert page.evaluate("document.activeElement.classList.contains('kl-grip')")

    # JupyterLab has these keys for itself: another cell, a new cell, a deleted one.
    active = f"() => [{lab.WIDGET}.content.activeCellIndex, {lab.WIDGET}.content.widgets.length]"
    cells = page.evaluate(active)
    for key in ("ArrowDown", "b", "d", "d", "x"):
        page.keyboard.press(key)
    assert page.evaluate(active) == cells


CELLS = f"""() => [{lab.WIDGET}.content.activeCellIndex,
  [...{lab.WIDGET}.content.model.cells].map(cell => [cell.id, cell.type])]"""

NOTE_COMMANDS = """() => {
  window.ran = [];
  window.jupyterapp.commands.commandExecuted.connect((_, { id }) => { window.ran.push(id) });
}"""


def test_letters_typed_in_a_figure_are_not_for_the_notebook(opened, notebook):
    figure = opened(PERCEPTRON, "# a cell below")
    page = notebook.page
    page.evaluate(NOTE_COMMANDS)
    for part in (
        figure.slider("test t"),
        figure.all.get_by_role("button", name="step", exact=True),
        figure.grips.first,
        figure.all.locator("select"),
    ):
        part.focus()
        cells = page.evaluate(CELLS)
        for key in (*"bddxayrm", "Shift+M"):
            page.keyboard.press(key)
            assert page.evaluate(CELLS) == cells, key
        # Shortcuts with Ctrl are still the notebook's.
        page.keyboard.press("Control+s")
        page.wait_for_function("() => window.ran.splice(0).includes('docmanager:save')")
    # So are letters, where they are typed at a cell.
    page.evaluate(f"() => {lab.WIDGET}.content.activeCell.node.focus()")
    page.keyboard.press("b")
    assert len(page.evaluate(CELLS)[1]) == len(cells[1]) + 1


def test_arrows_in_a_list_choose(opened, notebook):
    figure = opened(PERCEPTRON, "# a cell below")
    page, choices = notebook.page, figure.all.locator("select")
    choices.focus()
    cells = page.evaluate(CELLS)
    for key, sample in (("ArrowDown", "AND"), ("ArrowDown", "XOR"), ("ArrowUp", "AND")):
        with figure.redrawn():
            page.keyboard.press(key)
        assert choices.input_value() == sample
        assert page.evaluate(CELLS) == cells
    assert notebook.python("print(figure.sample)") == "AND\n"


def test_home_and_end_of_a_slider_that_python_has_made_longer(opened, notebook):
    figure = opened(PERCEPTRON)
    before = int(notebook.python("print(figure.controls['t'].max)"))
    with figure.redrawn():
        figure.all.locator("select").select_option("iris: versicolor, virginica")
    steps = int(notebook.python("print(figure.controls['t'].max)"))
    assert steps > before
    for key, t in (("End", steps), ("Home", 0)):
        with figure.redrawn():
            figure.slider("test t").press(key)
        assert int(notebook.python("print(figure.t)")) == t


def test_a_number_typed_beside_a_slider(opened, notebook):
    figure = opened(LOSSES)
    page, typed = notebook.page, figure.all.locator(".widget-readout").first
    for keys, leave, z in (
        (("Control+a", "1", ".", "2"), "Enter", "1.20"),
        (("Control+a", "-", ".", "5"), "Tab", "−0.50"),
        (("End", "Backspace", "Backspace", "8"), "Tab", "−0.80"),  # the minus as the page writes it
        (("End", "Backspace", "Backspace", "5"), "Enter", "−0.50"),
    ):
        typed.focus()
        with figure.redrawn():
            for key in (*keys, leave):
                page.keyboard.press(key)
        assert typed.inner_text() == z
        stands = notebook.python("print(f'{figure.controls[\"z\"].value:.2f}')").strip()
        assert stands == z.replace("−", "-")
    typed.focus()
    for key in (*"half", "Tab"):  # no number: it is as it was
        page.keyboard.press(key)
    assert typed.inner_text() == "−0.50"


def test_nothing_can_be_typed_beside_a_ladder(opened, notebook):
    figure = opened("from kernellab.lessons.kernels import GammaDial\nfigure = GammaDial()\nfigure")
    readout = figure.all.locator(".widget-readout").first
    said = readout.inner_text()
    for code in (
        "pass",
        "dial = figure.controls['gamma']; dial.disabled = True; dial.disabled = False",
    ):
        notebook.python(code)
        figure.at_rest()
        readout.click()
        notebook.page.keyboard.press("5")
        assert readout.inner_text() == said


def test_what_is_not_needed_at_first_is_under_more(opened, notebook):
    make = "from kernellab.lessons.ridge import RidgeSurface\nfigure = RidgeSurface()\nfigure"
    figure = opened(make)
    labels = figure.all.locator(".widget-label:visible")
    more, picture = figure.all.locator(".kl-more"), figure.picture.bounding_box()
    assert labels.all_inner_texts() == ["λ", "kernel", "γ"]
    assert (more.inner_text(), more.get_attribute("aria-expanded")) == ("3 more", "false")
    more.press("Enter")
    assert labels.all_inner_texts()[3:] == ["scale of λ", "turn, degrees", "tilt, degrees"]
    assert (more.inner_text(), more.get_attribute("aria-expanded")) == ("less", "true")
    with figure.redrawn():
        figure.slider("turn").press("ArrowRight")
    assert figure.picture.bounding_box()["width"] == picture["width"]
    more.press("Enter")
    assert labels.count() == 3


NUMBERS = """readout => [...readout.querySelectorAll(".kl-phrase")]
  .map(phrase => [phrase.getBoundingClientRect().left, phrase.textContent])"""


def test_numbers_change_in_place(opened, notebook):
    figure = opened(
        "from kernellab.lessons.margin import SoftMargin\nfigure = SoftMargin()\nfigure"
    )
    places, words = [], []
    for C in (0.03, 1.0, 100.0, 0.03, 1.0, 100.0):  # once each, so that the longest has been there
        with figure.redrawn():
            notebook.python(f"figure.C = {C}")
        left, said = zip(*figure.readout.evaluate(NUMBERS), strict=True)
        places.append(left)
        words.append(said)
    assert words[3:] == words[:3] and len({len("".join(said)) for said in words}) > 1
    for left in places[3:]:
        assert left == pytest.approx(places[2], abs=1)
    said = "k(1-butanol) = 17   (x·z)^20   10-fold: 83.7%   gap 2.1e−07   s = 2/δ²"
    notebook.python(f"figure.live.readout = {said!r}")
    figure.root.get_by_text("k(1-butanol)").wait_for()
    numbers = figure.readout.locator(".kl-number").all_inner_texts()
    assert numbers == ["17", "83.7%", "2.1e−07"]  # no part of a name, no power, no 2/δ²


# --- seen and heard ------------------------------------------------------------------------------


def test_nothing_is_said_while_it_moves(opened, notebook):
    figure = opened(LOSSES)
    assert figure.spoken.get_attribute("aria-live") == "polite"
    notebook.page.evaluate(
        """root => {
          window.said = [];
          const sharp = root.querySelector(".kl-img").dataset;
          new MutationObserver(() => { window.said.push(sharp.sharp) })
            .observe(root.querySelector(".kl-spoken"), { childList: true });
        }""",
        figure.root.element_handle(),
    )
    answers = figure.answers()
    with figure.redrawn():
        figure.drag_point(0, 60, -20)
    said = notebook.page.evaluate("window.said")
    assert said and set(said) == {"true"}  # with the sharp picture, when the hand rests
    assert figure.answers() - answers > len(said)


def test_resize(opened, notebook):
    figure = opened(LOSSES)
    page = notebook.page
    width = figure.picture.evaluate("img => [img.clientWidth, img.naturalWidth]")
    page_size = page.viewport_size
    place = figure.centre(figure.grips.first)
    try:
        with figure.redrawn():
            page.set_viewport_size({"width": 900, "height": 1000})
        smaller = figure.picture.evaluate("img => [img.clientWidth, img.naturalWidth]")
        assert smaller[0] < width[0] - 100
        assert smaller[1] == pytest.approx(smaller[0], abs=1)  # drawn for these pixels
        assert width[1] == pytest.approx(width[0], abs=1)
        assert figure.centre(figure.grips.first) != place
        before = figure.seen()
        with figure.redrawn():
            figure.drag_point(0, 20, 0)
        assert all_differ(figure.seen(), before)
    finally:
        page.set_viewport_size(page_size)


RECORD_SHARPNESS = """root => {
  window.sharp = [];
  const img = root.querySelector(".kl-img");
  new MutationObserver(() => window.sharp.push(img.dataset.sharp))
    .observe(img, { attributeFilter: ["data-frame"] });
}"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_reduced_motion_gives_stills_only(opened, notebook, motion):
    page = notebook.page
    page.emulate_media(reduced_motion=motion)
    try:
        figure = opened(LOSSES)
        page.evaluate(RECORD_SHARPNESS, figure.root.element_handle())
        with figure.redrawn():
            figure.drag_point(0, 40, -20)
        with figure.redrawn():
            figure.slider("margin").press("ArrowLeft")
        sharp = page.evaluate("window.sharp")
        assert len(sharp) >= 2
        assert ("false" in sharp) == (motion == "no-preference")
        assert figure.spoken.text_content() == figure.readout.text_content()
    finally:
        page.emulate_media(reduced_motion=None)


def test_new_words_of_the_same_picture_are_read_aloud(opened, notebook):
    figure = opened(IN_VAIN)
    before = figure.spoken.text_content()
    with figure.redrawn():
        figure.all.locator("button", has_text="search").click()
    said = notebook.python("print(figure.live.readout)").strip()
    assert figure.spoken.text_content() == figure.readout.text_content() == said != before


def test_two_views_of_one_figure(opened, notebook):
    first = opened(LOSSES, "figure")
    second = Figure(notebook.page, lab.PANEL, 1)
    before = first.seen()
    assert second.seen() == before
    with first.redrawn():
        first.drag_point(0, 40, -20)
    assert second.seen() == first.seen()
    assert all_differ(first.seen(), before)
    with second.redrawn():
        second.slider("margin").press("ArrowLeft")
    assert second.seen() == first.seen()
    assert second.point(0) == first.point(0)


def test_figure_in_a_hidden_tab(notebook, write):
    name = write("import time; time.sleep(1)\n" + LOSSES)
    notebook.open(name)
    notebook.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells') }")
    notebook.command("launcher:create")  # in front of the notebook before there is a figure
    notebook.page.wait_for_selector(".jp-Launcher:visible")
    assert notebook.page.locator(".jp-NotebookPanel").is_hidden()
    notebook.page.wait_for_selector(".kl-live", state="attached")
    notebook.command("docmanager:open", path=name)
    figure = Figure(notebook.page, lab.PANEL).ready()
    before = figure.seen()

    notebook.command("launcher:create")
    assert notebook.page.locator(".jp-NotebookPanel").is_hidden()
    notebook.command("docmanager:open", path=name)
    with figure.redrawn():
        notebook.python("figure.z = -1")
    assert all_differ(figure.seen(), before)
    assert notebook.errors() == []


# --- when something goes wrong -------------------------------------------------------------------


def test_an_exception_is_shown_in_words_and_the_next_move_recovers(opened, notebook):
    figure = opened(FRAGILE)
    said = "⚠ ValueError: x1 must not be above 1"
    figure.drag_point(0, 75, 0)
    figure.root.get_by_text(said).first.wait_for()
    assert figure.readout.inner_text() == said
    assert figure.spoken.text_content() == said
    assert "in update" in notebook.python("print(figure.live.last_traceback)")
    with figure.redrawn():
        figure.drag_point(0, -75, 0)
    assert figure.readout.inner_text().startswith("f(x) = ")
    assert notebook.errors() == []


def test_without_its_kernel_the_figure_says_so_and_running_again_recovers(opened, notebook):
    figure = opened(LOSSES, kernel="own")  # on the stage a kernel is restarted, too
    for end in (notebook.shut_down_kernel, notebook.crash_kernel):
        figure.grips.first.focus()
        end()
        if end == notebook.shut_down_kernel:  # JupyterLab does not tell its widgets: they wait
            notebook.page.keyboard.press("ArrowRight")
            figure.root.get_by_text("Waiting for Python").wait_for()
            assert "run this cell again" in figure.readout.inner_text()
            notebook.start_kernel()
        else:
            figure.root.get_by_text("Not connected to Python").first.wait_for()
            assert "Run this cell again" in figure.readout.inner_text()
            notebook.page.locator(".jp-Dialog").get_by_role("button", name="Ok").click()
            place = figure.point(0)
            figure.grips.first.focus()
            notebook.page.keyboard.press("ArrowRight")
            assert figure.point(0) == place  # nothing pretends to work

        notebook.wait_for_kernel()
        notebook.run_all()
        figure = Figure(notebook.page, lab.PANEL).ready()
        before = figure.seen()
        with figure.redrawn():
            figure.slider("margin").press("ArrowLeft")
        assert all_differ(figure.seen(), before)


def test_a_busy_kernel_is_announced(opened, notebook):
    figure = opened(LOSSES)
    notebook.python("import threading, time")
    with figure.redrawn():
        # The lock that `draw` takes: as if a cell were drawing for a long time.
        notebook.python(
            "def hold():\n"
            "    with figure.live._lock: time.sleep(3)\n"
            "threading.Thread(target=hold).start()"
        )
        figure.grips.first.focus()
        notebook.page.keyboard.press("ArrowRight")
        figure.root.get_by_text("Waiting for Python").wait_for()
    assert figure.readout.inner_text().startswith("f(x) = ")
