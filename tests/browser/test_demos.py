"""The demos as an application: nothing leaves the machine, and the last row can read it.

All are laid out in five windows. What takes long is tried in some of them: a preset in every fourth
(all of all figures are loaded in tests/live), the checker of accessibility in every eighth, a tour
by Tab and keys at random in two. With KERNELLAB_MOVES it is all tried in each, with as many keys.
"""

from __future__ import annotations

import os
import random
import re
import time
from urllib.parse import urlsplit

import lab
import nbformat
import pytest
from accessibility import problems
from show_demos import DEMOS
from stage import STAGE, THERE, Stage

# Of projectors; all else is tried in the last.
SIZES = ((1280, 720), (1366, 768), (1024, 768), (2560, 1440), (1920, 1080))
SHARE = 40  # of the window's height: the least type
ASKED = [
    asked[1]
    for cell in nbformat.read(DEMOS, as_version=4).cells
    if (asked := re.search(r'\.ask\(\s*"(.*)",$', cell.source, re.MULTILINE))
]
COUNT = len(ASKED)
SHOWN = 5 if "KERNELLAB_BROWSER" in os.environ else COUNT  # a few in another browser
NUMBERS_THERE = f"() => document.querySelector('{STAGE} .kl-readout').textContent"
# While the window has another size no figure asks for a picture of that size, which it does after
# 200 ms: how all is laid out hangs on no picture.
ASK_NO_PICTURE = """() => {
  window.later = setTimeout;
  window.setTimeout = (act, ms, ...more) => ms === 200 ? 0 : later(act, ms, ...more);
}"""
ASK_AGAIN = "() => { window.setTimeout = later }"
LEAST_PICTURE = 0.3  # of the window's height
FULL_HD = dict(zip(("width", "height"), SIZES[-1], strict=True))
ALIKE = ".jp-Cell:nth-of-type(n + 12) .kl-figure"  # as those before them, and slow to check
FAR = "http://far.invalid/"
MOVES = int(os.environ.get("KERNELLAB_MOVES", "12"))
SHORT_STRIDE, STRIDE, LONG_STRIDE = (1, 1, 1) if "KERNELLAB_MOVES" in os.environ else (4, 8, 24)
if SHOWN < COUNT:
    SHORT_STRIDE = 1
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
KEYS = (*ARROWS, "Tab", "Tab", "Shift+Tab", " ", "r", "?", "a")


class App:
    """The application on a full-HD projector, and what its page did."""

    def __init__(self, page) -> None:
        self.page, self.stage = page, Stage(page)
        self.addresses: list[str] = []
        self.problems: list[str] = []
        self.seconds = 0.0  # from the start to the first live figure
        page.on("request", lambda request: self.addresses.append(request.url))
        page.on("websocket", lambda socket: self.addresses.append(socket.url))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", self.note)

    def strangers(self) -> list[str]:
        """Return the addresses asked for on other machines than this one."""
        return [a for a in self.addresses if urlsplit(a).hostname not in (None, "127.0.0.1")]

    def note(self, message) -> None:
        if message.type == "error":
            self.problems.append(message.text)


@pytest.fixture(scope="module")
def app(browser, tmp_path_factory):
    pytest.importorskip("voila")
    start = time.monotonic()
    with lab.demos(tmp_path_factory.mktemp("demos")) as (address, token):
        page = browser.new_page(viewport=FULL_HD)
        app = App(page)
        page.goto(f"{address}/?token={token}", wait_until="commit", timeout=60_000)
        page.wait_for_selector(".kl-on-stage .kl-img[src]", timeout=120_000)
        app.seconds = time.monotonic() - start
        page.wait_for_function(THERE, arg=COUNT, timeout=240_000)
        yield app
        page.close()


def test_nothing_leaves_the_machine(app, started):
    started("make demos", app.seconds)
    app.stage.ready()
    assert app.strangers() == []
    assert (
        app.page.locator(".jp-RenderedImage, .kl-words").count() == 0
    )  # nobody saves or prints it
    assert len(app.addresses) > 20
    assert app.problems == []
    app.page.evaluate("far => fetch(far).catch(() => null)", FAR)  # such a thing is noticed
    assert app.strangers() == [FAR]
    app.addresses.remove(FAR)
    app.problems.clear()


@pytest.mark.firefox
def test_the_first_demo_is_on_the_stage_and_the_keyboard_in_it(app):
    assert app.stage.place() == f"1 of {COUNT}"
    assert "noUi-handle" in app.stage.focused()
    app.stage.press("p")  # there is none before
    assert app.stage.place() == f"1 of {COUNT}"


@pytest.mark.parametrize("width, height", SIZES)
def test_every_demo_can_be_read_from_the_last_row(app, width, height):
    page, stage = app.page, app.stage
    page.evaluate(ASK_NO_PICTURE)
    try:
        page.set_viewport_size({"width": width, "height": height})
        to_the_first(app)
        seen, complaints = [], []
        for number in range(1, COUNT + 1):
            if page.locator(f"{STAGE} .kl-reveal").is_visible():
                stage.press("a")
                page.wait_for_function(NUMBERS_THERE)
            complaints += [f"{number}: {said}" for said in cannot_be_read(stage, height)]
            seen.append((stage.place(), page.locator(f"{STAGE} h2").inner_text()))
            stage.press("PageDown" if number % 2 else "n")
        assert not complaints, "\n".join(complaints)
        assert seen == [(f"{k} of {COUNT}", asked) for k, asked in enumerate(ASKED, start=1)]
    finally:
        page.evaluate(ASK_AGAIN)
        page.set_viewport_size(FULL_HD)


def to_the_first(app):
    """Begin again with the first demo."""
    if not app.stage.is_empty():
        app.stage.press("Escape")
    app.page.locator(".kl-enter").first.click()


def cannot_be_read(stage, height):
    least = height / SHARE  # in the picture, too: tests/live
    sizes, beyond, cut_off, foreign, long, share = stage.look()
    if small := {text: size for text, size in sizes.items() if size < least}:
        yield f"small type: {small}"
    if hidden := beyond + cut_off:
        yield f"beyond the edge, or cut off: {hidden}"
    if foreign:
        yield f"not hidden: {foreign}"
    if long:
        yield f"more than two lines: {long!r}"
    if share < LEAST_PICTURE:
        yield f"a picture of {share:.0%}"


@pytest.mark.firefox
def test_a_demo_answers(app):
    complaints = []
    for number in range(SHORT_STRIDE, SHOWN + 1, SHORT_STRIDE):
        app.stage.press("g")
        app.page.keyboard.type(str(number))
        app.stage.press("Enter")
        stage = app.stage.ready().reveal()
        found = [*cannot_be_read(stage, FULL_HD["height"]), *does_not_answer(stage)]
        if number % STRIDE == 0:
            stage.press("?")  # the card of keys too
            found += problems(app.page, ".kl-on-stage")
            stage.press("?")
        if number % LONG_STRIDE == 0:
            found += [*without_a_mouse(stage, number), *keys_leave_a_trace(stage, number)]
        found += app.page.locator(".kl-on-stage .kl-bad").all_inner_texts()
        complaints += [f"{number}: {said}" for said in found]
    assert not complaints, "\n".join(complaints)
    assert app.stage.place() == f"{number} of {COUNT}"
    assert app.problems == []
    assert app.strangers() == []


def does_not_answer(stage):
    before = stage.figure.answers()
    with stage.figure.redrawn():
        stage.press("2")
    stage.reveal()  # a preset may have hidden it again
    if not stage.figure.readout.inner_text() or stage.figure.answers() == before:
        yield "no answer"
    if long := stage.look()[4]:
        yield f"more than two lines: {long!r}"


def without_a_mouse(stage, number):
    """Tab reaches all there is, and an arrow matters."""
    if missed := stage.not_reached(back=bool(number // LONG_STRIDE % 2)):
        yield f"not reached: {missed}"
    for kind in filter(stage.holds, (".noUi-handle", ".kl-grip")):
        arrow, before = stage.arrow(kind), stage.figure.seen()
        with stage.figure.redrawn():
            stage.press(arrow)
        if stage.figure.seen()[0] == before[0]:
            yield f"an arrow changes nothing: {kind}"


def keys_leave_a_trace(stage, number):
    """Keys at random, and what is shown after a reset."""
    dice, fresh = random.Random(f"{number} {MOVES}"), start_anew(stage)
    keys = [dice.choice([*KEYS, str(dice.randint(1, 6))]) for _ in range(MOVES)]
    stage.press(*keys)
    yield from stage.page.locator(".kl-on-stage .kl-bad").all_inner_texts()
    if start_anew(stage) != fresh:
        yield f"another picture after {keys[-10:]}"


def start_anew(stage):
    """Load two presets and reset; return what each shows, and how much the page holds."""
    if stage.page.locator(".kl-contents").count():  # Tab and Space have opened them
        stage.press("Escape")
    stage.page.locator(".kl-on-stage .kl-preset").last.focus()  # not where letters are typed
    if stage.page.locator(".kl-on-stage .kl-keys").is_visible():
        stage.press("?")
    stage.settle()
    shown = []
    for key in "12r":
        with stage.figure.redrawn():
            stage.press(key)
        stage.reveal()  # "a" is one of the keys, and a preset may hide
        shown.append((stage.figure.seen(), stage.readouts()))
    return shown, stage.settle().page.locator("*").count()


def test_leaving_and_coming_back(app):
    app.stage.press("End")
    assert app.stage.ready().place() == f"{COUNT} of {COUNT}"
    app.stage.press("Escape")
    assert app.stage.is_empty()
    page = app.page
    assert problems(page, {"exclude": ALIKE}) == []
    assert re.fullmatch(r"kl-enter", app.stage.focused())
    assert page.evaluate("() => document.activeElement.textContent").startswith("Show on the whole")
    app.stage.press("Enter")
    assert app.stage.ready().place() == f"{COUNT} of {COUNT}"
    app.stage.press("PageUp")
    assert app.stage.ready().place() == f"{COUNT - 1} of {COUNT}"
