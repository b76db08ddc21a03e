"""The demos as an application: nothing leaves the machine, and the last row can read it."""

from __future__ import annotations

import re
import time
from urllib.parse import urlsplit

import lab
import nbformat
import pytest
from show_demos import DEMOS
from stage import Stage

SMALLEST = 24.0  # CSS pixels: 18 points
COUNT = sum(c.cell_type == "code" for c in nbformat.read(DEMOS, as_version=4).cells) - 1
ALL_THERE = f"""() => document.querySelectorAll(".kl-explorer .kl-img[src]").length === {COUNT}"""


class App:
    """The application on a full-HD projector, and what its page did."""

    def __init__(self, page) -> None:
        self.page, self.stage = page, Stage(page)
        self.addresses: list[str] = []
        self.problems: list[str] = []
        page.on("request", lambda request: self.addresses.append(request.url))
        page.on("websocket", lambda socket: self.addresses.append(socket.url))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", self.note)

    def note(self, message) -> None:
        if message.type == "error":
            self.problems.append(message.text)


@pytest.fixture(scope="module")
def app(chromium, tmp_path_factory, starts):
    pytest.importorskip("voila")
    start = time.monotonic()
    with lab.demos(tmp_path_factory.mktemp("demos")) as (address, token):
        page = chromium.new_page(viewport={"width": 1920, "height": 1080})
        app = App(page)
        page.goto(f"{address}/?token={token}", wait_until="commit", timeout=60_000)
        page.wait_for_selector(".kl-on-stage .kl-img[src]", timeout=120_000)
        starts["make demos"] = time.monotonic() - start
        page.wait_for_function(ALL_THERE, timeout=240_000)
        yield app
        page.close()


def test_nothing_leaves_the_machine(app):
    app.stage.ready()
    strangers = [a for a in app.addresses if urlsplit(a).hostname not in (None, "127.0.0.1")]
    assert strangers == []
    assert len(app.addresses) > 20
    assert app.problems == []


def test_the_first_demo_is_on_the_stage_and_the_keyboard_in_it(app):
    assert app.stage.place() == f"1 of {COUNT}"
    assert "noUi-handle" in app.stage.focused()
    app.stage.press("p")  # there is none before
    assert app.stage.place() == f"1 of {COUNT}"


def test_every_demo_can_be_read_from_the_last_row_and_answers(app):
    seen, complaints = [], []
    for number in range(1, COUNT + 1):
        stage = app.stage.ready()
        seen.append(stage.place())
        small = {t: size for t, size in stage.type_sizes().items() if size < SMALLEST}
        inside = stage.type_in_picture()
        if small or inside < SMALLEST:
            complaints.append(f"{number}: type of {inside:.1f} px in the picture, {small}")
        if beyond := stage.beyond_the_edge():
            complaints.append(f"{number}: beyond the edge: {beyond}")
        before = stage.figure.answers()
        with stage.figure.redrawn():
            stage.press("2")
        if not stage.figure.readout.inner_text() or stage.figure.answers() == before:
            complaints.append(f"{number}: no answer")
        if error := app.page.locator(".kl-on-stage .kl-bad").all_inner_texts():
            complaints.append(f"{number}: {error}")
        stage.press("PageDown" if number % 2 else "n")
    assert complaints == []
    assert seen == [f"{k} of {COUNT}" for k in range(1, COUNT + 1)]
    assert app.problems == []


def test_leaving_and_coming_back(app):
    app.stage.press("Escape")
    assert app.stage.is_empty()
    page = app.page
    assert re.fullmatch(r"kl-enter", app.stage.focused())
    assert page.evaluate("() => document.activeElement.textContent").startswith("Show on the whole")
    app.stage.press("Enter")
    assert app.stage.ready().place() == f"{COUNT} of {COUNT}"
    app.stage.press("PageUp")
    assert app.stage.ready().place() == f"{COUNT - 1} of {COUNT}"
