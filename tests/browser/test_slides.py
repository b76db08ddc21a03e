"""The slides in a browser, from the file system: nothing from the network, everything fits."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace

import make_slides
import nbformat
import pytest
import run_notebooks
from accessibility import problems
from nbformat import v4

from kernellab.draw.style import hall_type

HALL = {"viewport": {"width": 1920, "height": 1080}}
SMALLEST = 24  # CSS pixels: 18 points
# Words and the size of their type, where that is too small; of a formula the size of its main line,
# which is 1000 of the units that MathJax draws in.
SMALL = """(slide, smallest) => {
  const found = [], walker = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), of = walker.currentNode.parentElement;
    const drawn = of.closest("mjx-container")?.querySelector("svg");
    const size = drawn ? 1000 * drawn.getBoundingClientRect().height / drawn.viewBox.baseVal.height
      : parseFloat(getComputedStyle(of).fontSize);
    if (text && size < smallest) found.push(`${size} px: ${text.slice(0, 60)}`);
  }
  return found;
}"""
# What is cut off, lies beyond the slide, or on what comes after it.
HIDDEN = """slide => {
  const say = node => node.outerHTML.slice(0, 120);
  const box = node => node.getBoundingClientRect();
  const out = [...slide.querySelectorAll("*")].filter(node => {
    const { left, right, top, bottom } = box(node);
    return right > 1921 || bottom > 1081 || left < -1 || top < -1;
  });
  const over = [...slide.children].filter(part =>
    part.nextElementSibling && !part.nextElementSibling.matches(".live")
    && box(part).bottom > box(part.nextElementSibling).top + 1);
  const [question, sentence] = [...slide.querySelectorAll(".beside :is(.question, .sentence)")];
  if (sentence && box(question).bottom > box(sentence).top + 1) over.push(question);
  const cut = [...slide.querySelectorAll(".answer, .beside, .scrolls")].filter(node =>
    node.scrollWidth > node.clientWidth + 1
    || !node.matches(".scrolls") && node.scrollHeight > node.clientHeight + 1);
  return [...out, ...over, ...cut].map(say);
}"""
# What cannot be seen, or has no words for those who do not see it.
UNSEEN = """slide => {
  const bad = (kind, good) => [...slide.querySelectorAll(kind)].filter(node => !good(node));
  const seen = (node, least) => node.checkVisibility({ visibilityProperty: true })
    && node.getBoundingClientRect().height > least;
  return [
    ...bad(".text, .question, .sentence, .answer", node => seen(node, 0)),
    ...bad("img", node => node.naturalWidth > 0 && node.alt.length >= 20),
    ...bad("video", node => seen(node, 300) && !node.autoplay && node.ariaLabel.length >= 20),
    ...bad("mjx-container > svg", node => seen(node, 5)),
  ].map(node => node.outerHTML.slice(0, 120));
}"""
# How many formulas MathJax has drawn; those that are not, or hold a sign that it does not know.
FORMULAS = """() => {
  const all = selector => [...document.querySelectorAll(selector)];
  const drawn = all("mjx-container:has(> svg):has(> mjx-assistive-mml > math)");
  const strange = drawn.filter(formula => formula.querySelector("svg text"));
  const bare = all("math:not(mjx-container math)");
  return [drawn.length, [...bare, ...strange].map(formula => formula.textContent)];
}"""
# How much larger than in the notebook a picture is painted.
ENLARGED = """picture => Math.min(...["Width", "Height"].map(
  side => picture[`client${side}`] / Number(picture.getAttribute(side))))"""
PICTURES = f"""slide => [...slide.querySelectorAll("img")].map(
  picture => [Number(picture.getAttribute("height")), ({ENLARGED})(picture)])"""

ON_TOP = """node => { const { x, y, width, height } = node.getBoundingClientRect();
  return node.contains(document.elementFromPoint(x + width / 2, y + height / 2)); }"""


@contextmanager
def offline(browser, **look):
    """A page without a network; at the end, nothing was asked for and nothing went wrong."""
    context = browser.new_context(offline=True, **look)
    page = context.new_page()
    page.set_default_timeout(10_000)
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on(
        "request",
        lambda r: r.url.startswith(("file:", "data:")) or troubles.append(f"asked for {r.url}"),
    )
    yield page
    context.close()
    assert troubles == []


@pytest.fixture(scope="session")
def decks(tmp_path_factory):
    return make_slides.build(make_slides.lessons(), tmp_path_factory.mktemp("slides"))


@pytest.fixture(scope="module")
def hall(browser, decks):
    with offline(browser, **HALL, reduced_motion="reduce") as page:
        yield page


def opened(page, file, view=""):
    page.goto(file.as_uri() + view)
    page.wait_for_function("window.Reveal?.isReady()")
    page.evaluate("MathJax.startup.promise.then(() => null)")
    return page


@pytest.mark.parametrize("number", range(len(make_slides.lessons())))
def test_every_slide_can_be_read(hall, decks, number):
    file, lesson = list(decks)[number], make_slides.lessons()[number]
    opened(hall, file)
    cells = nbformat.read(lesson, as_version=4).cells
    formulas = sum(
        repr(replace(slide, notes="")).count("<math") for slide in make_slides.slides(cells)
    )
    assert hall.evaluate(FORMULAS) == [formulas, []]
    assert formulas > 1 or lesson.name[:2] in ("00", "09")  # neither needs any
    assert hall.evaluate("Reveal.getTotalSlides()") == decks[file] >= 2
    assert hall.locator("section details").count() == 0  # what is folded in a lesson is open here
    for k in range(decks[file]):
        hall.evaluate(f"Reveal.slide({k}, 0, 99)")
        slide = hall.locator("section.present")
        size = "s => [s.scrollWidth <= 1920, s.scrollHeight <= 1080]"
        assert slide.evaluate(size) == [True, True], f"slide {k + 1} holds too much"
        assert slide.evaluate(HIDDEN) == [], f"slide {k + 1} hides something"
        assert slide.evaluate(SMALL, SMALLEST) == [], f"slide {k + 1} has small type"
        assert slide.evaluate(UNSEEN) == [], f"slide {k + 1}"
        for height, larger in slide.evaluate(PICTURES):
            # At the desk an inch is 100 pixels on the page; in a hall the type is that large.
            least = hall_type(height / 100) / 72 * 100
            assert larger * least >= SMALLEST, f"slide {k + 1}: a small picture"


@pytest.mark.parametrize("number", range(len(make_slides.lessons())))
def test_all_slides_at_once(hall, decks, number):
    file = list(decks)[number]
    opened(hall, file, "?view=print")  # as on a handout
    hall.locator(".pdf-page").nth(decks[file] - 1).wait_for()
    assert hall.locator("section :is(h1, h2):visible").count() == decks[file]
    seen = "all => all.map(node => node.clientHeight).filter(height => height < 300)"
    assert hall.locator("section :is(img, video):visible").evaluate_all(seen) == []
    if number % 4 == 1:  # one template makes them all, and the checker is slow
        assert problems(hall) == []


def test_turned_by_keyboard(hall, decks):
    opened(hall, next(file for file in decks if file.stem == "01"))
    heading = hall.locator("section.present :is(h1, h2)")
    assert heading.inner_text() == "01 · The perceptron and its dual"
    hall.keyboard.press("ArrowRight")
    assert heading.inner_text() == "1 · Learn only from mistakes"
    answer, sentence = (hall.locator(f"section.present .{name}") for name in ("answer", "sentence"))
    transparent = "node => getComputedStyle(node).opacity"
    # A live figure stands below its question at once.
    assert (answer.evaluate(transparent), sentence.evaluate(transparent)) == ("1", "0")
    panels = hall.locator("section.present .over.fragment")
    assert panels.count() == 3
    for k in range(3):  # each preset of the strip covers what was there
        hall.keyboard.press("Space")
        hall.wait_for_function(f"document.querySelectorAll('.present .over.visible').length > {k}")
        assert panels.nth(k).evaluate(ON_TOP), k
    hall.keyboard.press("Space")
    hall.wait_for_function("document.querySelector('section.present .sentence.visible')")
    for _ in range(4):  # the strip and its sentence come on a slide of the same section
        hall.keyboard.press("Space")
    assert heading.inner_text() == "2 · Will it ever stop?"
    while heading.inner_text() == "2 · Will it ever stop?":
        hall.keyboard.press("ArrowLeft")
    assert heading.inner_text() == "1 · Learn only from mistakes"


def test_the_speaker_has_notes_in_a_window_of_their_own(hall, decks):
    opened(hall, next(file for file in decks if file.stem == "01"))
    hall.keyboard.press("ArrowRight")
    with hall.expect_popup() as opening:
        hall.keyboard.press("s")
    window = opening.value
    notes = window.locator(".speaker-controls-notes .value")
    notes.get_by_text("Press").first.wait_for()  # what the picture of the slide cannot obey
    window.close()


def test_a_live_figure_has_a_link_to_its_demo_that_lies_on_nothing(hall, decks):
    opened(hall, next(file for file in decks if file.stem == "02"))
    links = hall.locator("section > .live")
    assert links.count() >= 4
    for k in range(links.count()):
        link = links.nth(k)
        hall.evaluate(
            "link => Reveal.slide(Reveal.getIndices(link.parentElement).h)", link.element_handle()
        )
        box = link.bounding_box()
        words = hall.locator("section.present h2").evaluate(
            """h => { const words = document.createRange(); words.selectNodeContents(h);
              return words.getBoundingClientRect().right; }"""
        )
        assert words < box["x"]
        number = hall.locator(".slide-number").bounding_box()
        assert box["x"] + box["width"] < number["x"]


def test_on_a_laptop_the_number_lies_on_no_words(browser, decks):
    with offline(browser, viewport={"width": 1280, "height": 720}) as page:
        opened(page, next(file for file in decks if file.stem == "01"))
        for k in range(decks[next(file for file in decks if file.stem == "01")]):
            page.evaluate(f"Reveal.slide({k}, 0, 99)")
            number = page.locator(".slide-number").bounding_box()
            for words in page.locator("section.present :is(.question, .text, .answer)").all():
                assert words.bounding_box()["y"] >= number["y"] + number["height"] - 1


def test_the_index_leads_to_every_deck(hall, decks):
    index = next(iter(decks)).with_name("index.html")
    hall.goto(index.as_uri())
    assert hall.locator(".card a").count() == len(decks)
    assert problems(hall) == []
    hall.locator(".card a").first.click()
    hall.wait_for_function("window.Reveal?.isReady()")


def test_a_handout_has_a_page_a_slide(browser, decks):
    # In a process of its own: Playwright runs once in each.
    deck = min(decks, key=decks.get)
    call = f"import make_slides as m, pathlib; m.print_handouts([pathlib.Path({str(deck)!r})])"
    subprocess.run([sys.executable, "-c", call], check=True, cwd=make_slides.ROOT / "tools")
    pdf = deck.with_suffix(".pdf").read_bytes()
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)) == decks[deck]
    assert len(pdf) > 20_000  # pictures and words, not empty pages


def test_what_moves_asks_first(browser, decks):
    deck = next(iter(decks))
    for motion, transition in (("reduce", "none"), ("no-preference", "fade")):
        with offline(browser, **HALL, reduced_motion=motion) as page:
            opened(page, deck)
            assert page.evaluate("Reveal.getConfig().transition") == transition
            assert page.evaluate("Reveal.getConfig().autoPlayMedia") is (motion != "reduce")


LIVE = """\
from kernellab.lessons.start import Hello
hello = Hello()
hello"""
STILL = """\
import kernellab as kl
figure = kl.new_figure((9.0, 4.5))
figure.subplots().set(title="a title", xlabel="x")
kl.picture(figure, "An empty square, with a title and the name of one axis.")"""
TYPE = """\
from matplotlib.text import Text
for drawn in (hello.live._figure, figure):
    sizes = [text.get_fontsize() for text in drawn.findobj(Text) if text.get_text()]
    print(min(sizes), drawn.get_figwidth())"""


def test_pictures_for_the_last_row(hall, tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))  # set by run_notebooks; here until the end
    notebook = v4.new_notebook(cells=[v4.new_markdown_cell("# A title"), v4.new_code_cell(TYPE)])
    for code in (LIVE, STILL):
        asked = v4.new_markdown_cell("> **Predict first.** What will be seen?")
        notebook.cells[-1:-1] = [asked, v4.new_code_cell(code)]
    written, ran = tmp_path / "09_hall.ipynb", tmp_path / "run" / "09_hall.ipynb"
    nbformat.write(notebook, written)
    assert run_notebooks.main(["--hall", str(ran.parent), str(written)]) == 0
    assert nbformat.read(written, as_version=4) == notebook

    (deck,) = make_slides.build([ran], tmp_path)
    opened(hall, deck)
    measured = nbformat.read(ran, as_version=4).cells[-1].outputs[0].text.splitlines()
    for k, line in enumerate(measured, start=1):
        hall.evaluate(f"Reveal.slide({k}, 0, 99)")
        picture = hall.locator("section.present img")
        painted = picture.evaluate(ENLARGED) * int(picture.get_attribute("width"))
        points, inches = map(float, line.split())
        assert points / 72 * painted / inches >= SMALLEST
        assert picture.evaluate("i => i.naturalWidth") > 0.7 * painted  # sharp
        assert hall.locator("section.present").inner_text().count("What will be seen?") == 1
    assert len(measured) == 2
