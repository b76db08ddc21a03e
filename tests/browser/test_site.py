"""The site in a browser, from the file system: nothing from the network, everything readable.

Every preset of a live figure is named on its page, but one figure alone is drawn: that each can be
is asked in tests/live, and of what a picture becomes on a page in tests/test_site_and_slides.py.
"""

from __future__ import annotations

from itertools import pairwise

import make_site
import pytest
import states
from accessibility import SIMPLIFY, problems
from PIL import Image
from test_slides import offline

from kernellab.live import figure

PHONE = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2, "has_touch": True}
DESK = {"viewport": {"width": 1280, "height": 900}}
DARK = {**DESK, "color_scheme": "dark"}


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figure, "freeze_layout", lambda drawn: None)
        patch.setattr(figure.LiveFigure, "_paint", lambda live, sharp: live._canvas.get_renderer())
        make_site.build(out, draw=one_figure)
    return out


def one_figure(expressions):
    """Draw the first figure of lessons()[2]; of the others the words are there, and white paper."""
    first = states.figure_of(make_site.live_cells([*make_site.here().values()][2:])[0])
    found = {expression: on_paper(states.opened(expression)) for expression in set(expressions)}
    return found | states.all_states([first])


def on_paper(shown):
    """Return the states of a figure as it opens, under the names of its presets."""
    paper, live = states.png(Image.new("P", shown.live.size)), shown.live
    names = (states.AS_IT_OPENS, *shown.presets)
    return [states.State(name, live.alt, live.readout, *live.size, paper, b"") for name in names]


def lessons():
    return [file.name.replace(".ipynb", ".html") for file in make_site.here().values()]


def notebooks():
    folders = ("exercises/*.ipynb", "further/*.ipynb")
    others = [file for folder in folders for file in make_site.NOTEBOOKS.glob(folder)]
    return [
        *lessons(),
        "demos.html",
        *sorted(f"files/{file.relative_to(make_site.ROOT).as_posix()}.html" for file in others),
    ]


@pytest.fixture(scope="module")
def desk(browser, site):
    with offline(browser, **DESK) as page:
        yield page


@pytest.fixture(scope="module")
def phone(browser, site):
    with offline(browser, **PHONE) as page:
        yield page


UNSEEN_IMAGES = """[...document.querySelectorAll("main img")]
  .filter(img => !img.naturalWidth).map(img => img.alt)"""
# Pictures are fetched when they come into sight.
ALL_SEEN = "for (const img of document.images) img.loading = 'eager';"
FLAT_FORMULAS = """[...document.querySelectorAll("math")]
  .filter(math => math.getBoundingClientRect().height < 5).map(math => math.outerHTML)"""
# The browser has read how long each film is: it can play it.
FILMS_KNOWN = "[...document.querySelectorAll('video')].every(film => film.duration > 1)"
# A formula in a line of text is at most a few lines high, unless it has fallen to pieces.
STACKED = """[...document.querySelectorAll("math:not([display])")]
  .filter(math => math.getBoundingClientRect().height > 90).map(math => math.textContent)"""
LEVELS = "[...document.querySelectorAll('h1, h2, h3, h4')].map(h => Number(h.tagName[1]))"
SEEN = """node => new Promise(seen =>
  new IntersectionObserver(([at]) => at.isIntersecting && seen(true)).observe(node))"""


@pytest.mark.parametrize("name", ["index.html", *notebooks()])
def test_a_page_on_a_phone(phone, site, name):
    phone.goto((site / name).as_uri())
    phone.evaluate("document.fonts.ready.then(() => null)")
    phone.evaluate(ALL_SEEN)
    phone.wait_for_function(f"{UNSEEN_IMAGES}.length === 0")
    phone.wait_for_function(FILMS_KNOWN)
    if phone.locator("math").count():
        assert phone.evaluate("document.fonts.check('16px \"STIX Two Math\"')")
        assert phone.evaluate(FLAT_FORMULAS) == []
    levels = phone.evaluate(LEVELS)
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels)), levels
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    beyond = """[...document.querySelectorAll("main *")].filter(node => {
      const box = node.getBoundingClientRect();
      return box.right > 361 && box.width > 0
        && !node.closest(".scrolls, .squeezed, .states");
    }).map(node => node.outerHTML.slice(0, 200))"""
    assert phone.evaluate(beyond) == []
    assert phone.evaluate(STACKED) == []
    if "files/" not in name or name in notebooks()[::5]:  # alike, and the checker is slow
        phone.evaluate(SIMPLIFY)
        assert problems(phone) == []


ONE_OF_EACH = """() => {  // of a long source file, one word of each colour
  const code = document.querySelector("pre.code code");
  const kinds = new Map([...code.children].map(word => [word.className, word]));
  code.replaceChildren(...kinds.values());
  return [...kinds.keys()];
}"""


@pytest.mark.parametrize("look", [DESK, DARK], ids=["light", "dark"])
def test_the_colours(browser, site, look):
    with offline(browser, **look) as page:
        page.goto((site / "index.html").as_uri())
        assert problems(page) == []
        page.goto((site / "files/kernellab/solvers/nystrom.py.html").as_uri())
        assert {"kn", "nf", "sd", "c1", "mi"} <= set(page.evaluate(ONE_OF_EACH))
        assert problems(page) == []
        page.goto((site / "03_kernel_trick.html").as_uri())  # holds something of every kind
        page.evaluate(SIMPLIFY)
        assert problems(page) == []


def test_axe_would_notice(desk, site):
    desk.goto((site / "index.html").as_uri())
    desk.evaluate("document.querySelector('main img').removeAttribute('alt')")
    assert any(found.startswith("image-alt") for found in problems(desk))


@pytest.mark.firefox
def test_the_search_by_keyboard(desk, site):
    desk.goto((site / lessons()[0]).as_uri())
    desk.keyboard.press("/")
    desk.keyboard.type("new PRICE of the pairs")
    hits = desk.locator("#search .hits a")
    assert "The new price" in hits.first.inner_text()
    assert desk.locator("#search .count").inner_text().endswith(("places", "place"))
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("Enter")
    desk.wait_for_url("**/03_kernel_trick.html#*")
    heading = desk.locator("h2, h3").filter(has_text="The new price")
    assert heading.evaluate(SEEN)
    desk.keyboard.press("/")
    desk.keyboard.type("qqqq")
    assert desk.locator("#search .count").inner_text() == "0 places"
    desk.keyboard.press("Escape")
    assert desk.locator("#search .hits").is_hidden()


def test_the_search_on_a_phone(phone, site):
    phone.goto((site / "index.html").as_uri())
    phone.locator("#asked").tap()
    phone.keyboard.type("staircase")
    hits = phone.locator("#search .hits")
    box = hits.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    hits.locator("a").first.tap()
    phone.wait_for_url("**/05_sdca.html#*")
    assert hits.is_hidden()


@pytest.mark.firefox
def test_the_search_from_a_page_in_a_folder(desk, site):
    desk.goto((site / "files/kernellab/solvers/nystrom.py.html").as_uri())
    desk.keyboard.press("/")
    desk.keyboard.type("novikoff")
    desk.keyboard.press("Enter")
    desk.wait_for_url("**/site*/0*.html#*")


@pytest.mark.firefox
def test_the_way_in_by_keyboard(desk, site):
    desk.goto((site / lessons()[0]).as_uri())
    desk.keyboard.press("Tab")
    skip = desk.locator(":focus")
    assert skip.inner_text() == "Skip to the text"
    assert skip.evaluate("node => node.getBoundingClientRect().left >= 0")
    desk.keyboard.press("Enter")
    assert desk.evaluate("document.activeElement.id") == "main"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("RBF", "gaussian"),
        ("overfitting", "noise"),
        ("regularisation", "λ"),
        ("bandwidth", "γ"),
        ("support vector machine", "svm"),
        ("learning rate", "step"),
    ],
)
def test_the_search_knows_what_else_a_word_is_called(desk, site, asked, found):
    desk.goto((site / "index.html").as_uri())
    desk.locator("#asked").fill(asked)
    hits = desk.locator("#search .hits li")
    assert hits.count() >= 5
    assert any(found in hit.lower() for hit in hits.all_inner_texts())


def test_a_preset_is_chosen_by_hand_or_by_keyboard(desk, site):
    desk.goto((site / lessons()[2]).as_uri())
    figure = desk.locator(".is-live").first
    names = figure.get_by_role("radio")
    picture, numbers = figure.locator(".picture img"), figure.locator(".numbers")
    before = picture.get_attribute("src"), picture.get_attribute("alt"), numbers.inner_text()
    assert names.count() > 3
    assert names.first.get_attribute("aria-checked") == "true"
    names.nth(1).click()
    after = picture.get_attribute("src"), picture.get_attribute("alt"), numbers.inner_text()
    assert all(old != new for old, new in zip(before, after, strict=True))
    assert figure.locator(".words details").evaluate("d => d.lastChild.textContent") == after[1]
    desk.keyboard.press("ArrowLeft")
    assert names.first.get_attribute("aria-checked") == "true"
    assert picture.get_attribute("src") == before[0]
    desk.wait_for_function("document.querySelector('.is-live .picture img').naturalWidth > 0")


def test_the_hall_is_told_no_answers(site):
    said = (site / "demos.html").read_text(encoding="utf-8")
    assert "on the whole screen" not in said and "kl.lecture()" not in said
    assert "SoftMargin" in said and "Answer:" not in said and "notes=" not in said


WITHOUT_PRESETS = """[...document.querySelectorAll(".is-live")]
  .filter(live => live.querySelectorAll("[role=radio]").length < 2).length"""


@pytest.mark.parametrize("name", ["index.html", "demos.html", *lessons()])
def test_nothing_is_wider_than_the_window_and_the_header_stays(browser, site, name):
    with offline(browser, viewport={"width": 390, "height": 800}) as page:
        page.goto((site / name).as_uri())
        page.evaluate("document.fonts.ready.then(() => null)")
        assert page.evaluate(WITHOUT_PRESETS) == 0  # every live figure shows what moves
        for width in (390, 768, 1366):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") == width
            page.evaluate("scrollTo({ top: 3000, behavior: 'instant' })")
            top = page.locator("header.top").bounding_box()
            assert (top["y"], top["width"]) == (0, width)
            inside = """node => [...node.children].every(part => !part.checkVisibility()
              || part.getBoundingClientRect().right <= innerWidth)"""
            assert page.locator("header.top").evaluate(inside)


def test_the_menu_leads_to_every_lesson(phone, site):
    phone.goto((site / lessons()[3]).as_uri())
    menu = phone.locator(".menu")
    menu.locator("summary").tap()
    links = menu.locator("ol a")
    assert links.count() == len(lessons())
    assert links.nth(3).get_attribute("aria-current") == "page"
    phone.keyboard.press("Escape")
    assert menu.get_attribute("open") is None


def test_on_a_phone_an_address_leads_to_its_section(phone, site):
    page = (site / lessons()[6]).as_uri()
    phone.goto(page)
    sections = phone.evaluate("[...document.querySelectorAll('main h2')].map(h => h.id)")
    for section in sections[3:6]:
        phone.goto("about:blank")
        phone.goto(f"{page}#{section}")
        phone.wait_for_timeout(1000)
        top = "id => document.getElementById(id).getBoundingClientRect().top"
        assert 0 <= phone.evaluate(top, section) < 200, section


def test_on_a_phone_panels_stand_below_each_other_and_code_is_folded(phone, site):
    phone.goto((site / lessons()[2]).as_uri())
    picture = phone.locator(".is-live picture img").first
    picture.scroll_into_view_if_needed()
    phone.wait_for_function("document.querySelector('.is-live picture img').naturalWidth > 0")
    box = picture.bounding_box()
    assert box["height"] > 1.5 * box["width"] > 450
    code = phone.locator(".fold").first
    assert code.locator("pre").is_hidden()
    code.locator("summary").tap()
    assert code.locator("pre").is_visible()
    assert code.locator("summary").inner_text().startswith("Hide the code")


def test_a_picture_can_be_enlarged_on_a_phone(phone, site):
    phone.goto((site / lessons()[1]).as_uri())
    button = phone.locator(".zoom").first
    button.press("Enter")
    large = phone.locator(".enlarged")
    picture = large.locator("img")
    assert picture.bounding_box()["width"] == float(picture.get_attribute("width")) > 360
    assert phone.evaluate("document.documentElement.scrollWidth") == 360  # it scrolls, not the page
    assert problems(phone, ".enlarged") == []
    phone.keyboard.press("Escape")
    assert large.is_hidden()
    assert button.evaluate("node => node === document.activeElement")
    button.tap()
    large.get_by_role("button").tap()
    assert large.is_hidden()
