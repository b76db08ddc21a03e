"""What a speaker does beside moving the figure: vote, find, draw, darken, send an address."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

import lab
import pytest
from stage import ANSWERED, STAGE, THERE, Stage

NAMES = ("SoftMargin", "KKT", "Losses")
WINDOW = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}
DARK = """() => document.elementFromPoint(innerWidth / 2, innerHeight / 2).className"""
TRACKS = f"""() => [...document.querySelectorAll("{STAGE} .noUi-base")]
  .map(one => one.clientWidth)"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    pytest.importorskip("voila")
    with lab.demos(tmp_path_factory.mktemp("demos")) as (address, token):
        yield address, token


@pytest.fixture(scope="module")
def visit(browser, server):
    """Return a function that opens some demos of the application, and returns the page."""
    pages = []

    def visit(*names, size=WINDOW, **asked):
        address, token = server
        page = browser.new_page(viewport=size)
        pages.append(page)
        asked = {"token": token, "demos": ",".join(names), **asked}
        page.goto(f"{address}/?{urlencode(asked)}", wait_until="commit")
        page.wait_for_selector(f"{STAGE} .kl-img[src]", timeout=120_000)
        page.wait_for_function(THERE, arg=len(names), timeout=60_000)
        Stage(page).ready()
        return page

    yield visit
    for page in pages:
        page.close()


@pytest.fixture(scope="module")
def opened(visit):
    return visit(*NAMES)


@pytest.fixture
def page(opened):
    """The page of all tests in one window, with the first demo on the stage, as it opens."""
    stage = Stage(opened)
    for _ in range(3):  # contents or a drawing, the card of keys, the stage
        if not stage.is_empty():
            stage.press("Escape")
    opened.locator(".kl-enter").first.click()
    stage.press("Home", "r")
    opened.wait_for_function(ANSWERED)
    stage.ready().figure.at_rest()
    return opened


def title(page):
    return page.locator(f"{STAGE} .kl-title").inner_text()


def asked(page):
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_the_answer_is_hidden_until_it_is_asked_for(page):
    stage, reveal = Stage(page), page.locator(f"{STAGE} .kl-reveal")
    hidden = stage.figure.seen()
    assert reveal.is_visible() and hidden[1] == ""
    stage.press("a")
    shown = stage.settle().figure.seen()
    assert not reveal.is_visible() and "Σξ" in shown[1] and shown[0] != hidden[0]
    stage.press("a")
    assert stage.settle().figure.seen()[:2] == hidden[:2]
    reveal.click()
    assert stage.settle().figure.seen() == shown
    stage.press("n")
    assert stage.ready().page.locator(f"{STAGE} .kl-reveal").is_visible()  # the next one asks anew
    stage.press("p")
    assert stage.ready().page.locator(f"{STAGE} .kl-reveal").is_visible()  # and so does this one
    stage.press("Escape")  # in the notebook nothing is hidden
    page.wait_for_function("() => document.querySelectorAll('.kl-readout')[1].textContent")


def test_a_demo_is_found_by_typing(page):
    stage, entries = Stage(page), page.locator(".kl-entry:not([hidden])")
    assert title(page) == "Soft margin"
    stage.press("g")
    assert entries.count() == 3 and entries.first.locator("img").get_attribute("src")
    page.keyboard.type("kk")
    assert entries.count() == 1
    assert entries.first.get_attribute("title") is None  # notes hold the answer
    stage.press("Enter")
    assert title(page) == "KKT conditions" and stage.ready().place() == "2 of 3"
    stage.press("g", "3", "Enter")
    assert title(page) == "Losses"
    stage.press("g", "ArrowUp", "Enter")
    assert title(page) == "KKT conditions"
    stage.press("g", "Escape")
    assert not stage.is_empty() and page.locator(".kl-contents").count() == 0
    page.locator(f"{STAGE} .kl-tool").first.click()
    entries.last.click()
    assert title(page) == "Losses"


def test_a_dark_screen_and_a_drawing_go_with_the_next_key(page):
    stage = Stage(page)
    for key in ("b", "."):
        stage.press(key)
        assert page.evaluate(DARK) == "kl-blank"
        stage.press("n")  # shows the stage again, and nothing else
        assert page.evaluate(DARK) != "kl-blank" and stage.place() == "1 of 3"
    places = stage.figure.points()
    stage.press("d")
    page.mouse.move(400, 300)
    page.mouse.down()
    page.mouse.move(600, 400, steps=4)
    page.mouse.up()
    assert page.locator(".kl-paper polyline").count() == 1
    assert stage.figure.points() == places  # no point was moved meanwhile
    stage.press("2")
    assert page.locator(".kl-paper").count() == 0


def test_the_address_holds_what_is_on_the_stage(page, visit):
    stage = Stage(page)
    stage.press("n")
    stage.ready().reveal()
    for key in ("1", "ArrowRight"):
        with stage.figure.redrawn():
            stage.press(key)
    page.wait_for_url("**state=**")
    assert ",".join(NAMES) in page.url
    shown, where = stage.figure.seen(), asked(page)
    assert {name: where[name] for name in ("demo", "preset", "answer")} == {
        "demo": "KKT", "preset": "1", "answer": "1",
    }  # fmt: skip
    page.reload(wait_until="commit")
    page.wait_for_selector(f"{STAGE} .kl-img[src]", timeout=60_000)
    Stage(page).ready().settle()
    assert Stage(page).figure.seen()[1:] == shown[1:] and title(page) == "KKT conditions"
    page.wait_for_function(THERE, arg=len(NAMES), timeout=60_000)
    stage.press("n")
    assert stage.ready().place() == "3 of 3"  # in the order that was asked for
    page.wait_for_url("**demo=Losses**")
    page.go_back()
    page.wait_for_url("**demo=KKT**")
    assert title(page) == "KKT conditions" and Stage(page).ready().place() == "2 of 3"
    sent = visit("KKT", **{k: v for k, v in where.items() if k not in ("demos", "token")})
    Stage(sent).settle()
    assert Stage(sent).figure.seen()[1:] == shown[1:] and Stage(sent).place() == "1 of 1"


def test_an_address_that_names_no_demo_begins_with_the_first(visit):
    page = visit(*NAMES, demo="Nobody")
    assert title(page) == "Soft margin"


def test_the_stage_says_which_preset_it_shows_until_a_hand_moves_it(page):
    stage, shown = Stage(page), page.locator(f"{STAGE} .kl-preset[aria-current=true]")
    assert shown.count() == 0
    stage.press("3")
    assert shown.inner_text().startswith("3")
    stage.press("ArrowLeft")
    shown.wait_for(state="detached")
    stage.press("r")
    assert shown.count() == 0


def test_the_address_is_shown_as_a_code_for_phones(page):
    stage = Stage(page)
    page.wait_for_url("**demo=SoftMargin**")
    stage.press("3")
    stage.press("q")
    page.locator(".kl-code svg path").first.wait_for()
    said = page.locator(".kl-code").inner_text()
    assert "preset=3" in said
    assert "demos=SoftMargin" in said and "token" not in said and "KKT" not in said
    assert "Only this computer" in said
    stage.press("q")
    assert page.locator(".kl-code").count() == 0 and not stage.is_empty()


def test_the_speaker_has_notes_in_another_window(page):
    stage = Stage(page)
    with page.expect_popup() as popup:
        stage.press("s")
    notes = popup.value
    said = notes.locator("body").inner_text
    assert "Soft margin" in said() and "outlier" in said() and "KKT conditions" in said()
    notes.locator(".kl-clock").wait_for()
    notes.keyboard.press("n")  # a key there is one for the stage
    assert title(page) == "KKT conditions"
    notes.get_by_text("Which sliders turn").first.wait_for()
    notes.close()


def test_a_finger_needs_no_keyboard(visit):
    page = visit(*NAMES, size=PHONE)
    stage = Stage(page)
    for name, place in (("next demo", "2 of 3"), ("previous demo", "1 of 3")):
        page.locator(f"{STAGE} .kl-tool[aria-label^='{name}']").click()
        assert stage.place() == place
    for _ in NAMES:
        stage.ready()
        assert min(page.evaluate(TRACKS)) > 60
        assert page.evaluate(f"() => document.querySelector('{STAGE}').scrollWidth") <= 390
        stage.press("n")
    page.locator(f"{STAGE} .kl-reveal").click()
    page.locator(f"{STAGE} .kl-readout").get_by_text("z =").first.wait_for()
    page.locator(f"{STAGE} .kl-tool[aria-label^='leave']").click()
    assert stage.is_empty()
