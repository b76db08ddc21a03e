"""Cells as HTML, and what becomes a slide: on small notebooks, without a browser."""

import base64
import html
import io
import re
from html.parser import HTMLParser
from importlib import import_module
from urllib.parse import unquote, urlsplit

import cells
import make_site
import make_slides
import nbformat
import numpy as np
import pytest
import run_notebooks
import states
from nbformat import v4
from PIL import Image

from kernellab.draw.picture import picture
from kernellab.draw.style import ACCENT, NEGATIVE, POSITIVE, lecture, new_figure
from kernellab.lessons import start
from kernellab.live.strip import between_panels, one_below_the_other

# One white pixel.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP6DwABBQECz6AuzQAAAABJRU5ErkJggg=="
ALT = 'A line that "rises" from 0 to 1 < 2'
PICTURE = v4.new_output(
    "display_data", {"image/png": PNG}, metadata={"image/png": {"alt": ALT, "width": 300}}
)
FILM = v4.new_output(
    "display_data",
    {
        "text/html": "<style>p{}</style>"
        '<video width="5" autoplay="" loop><source src="data:,"></video>'
        '<details class="kl-words">It turns.</details>'
    },
    metadata={"text/html": {"alt": "A line turns until nothing is on its wrong side"}},
)
QUESTION = v4.new_output(
    "display_data", {"text/html": "<style>p{}</style><p class='kl-question'>Which line?</p>"}
)
LIVE = v4.new_output(
    "display_data", {cells.WIDGET_VIEW: {"model_id": "1"}, "text/plain": "Run this cell."}
)


def page():
    return cells.Page(lambda target: target.replace(".ipynb", ".html"))


def code(*outputs, tags=()):
    return v4.new_code_cell("…", outputs=list(outputs), metadata={"tags": list(tags)})


def text(source, tags=()):
    return v4.new_markdown_cell(source, metadata={"tags": list(tags)})


# --- cells ---------------------------------------------------------------------------------------


def test_formulas_become_mathml():
    said = page().markdown("A norm $\\|w\\|_2 < 1$ and\n$$\\sum_{i=1}^n \\alpha_i$$\nand `$5`.")
    assert said.count("<math") == 2
    assert 'display="block"' in said
    assert "$" not in re.sub(r"<code>.*?</code>", "", said)
    assert "<mo>&lt;</mo>" in said


def test_a_formula_that_cannot_be_read_is_an_error():
    with pytest.raises(ValueError, match=r"the formula \\nosuch x cannot be read: .*nosuch"):
        page().markdown(r"$\nosuch x$")


def test_a_stop_stays_with_its_formula():
    said = page().markdown("for $x$. And ($y$), then $z$")
    assert said.count('class="together"') == 2


def test_links_and_headings():
    said = page().markdown("## 4 · Which line?\n\n[next](02.ipynb#part) `[no](x.ipynb)`")
    assert '<h2 id="4-·-Which-line?">' in said
    assert 'href="02.html#part"' in said
    assert "x.ipynb" in said
    assert "<a" not in cells.Page(lambda target: "").markdown("[nowhere](x.py)")


def test_a_picture_has_its_alternative_text_and_its_place():
    ((kind, said),) = page().outputs(code(PICTURE))
    assert kind == "picture"
    assert 'width="300" height="300"' in said
    found = []
    reader = HTMLParser()
    reader.handle_starttag = lambda tag, attributes: found.append(dict(attributes)["alt"])
    reader.feed(said)
    assert found == [ALT]


def test_what_a_live_figure_leaves():
    outputs = list(page().outputs(code(QUESTION, PICTURE, LIVE)))
    assert [kind for kind, _ in outputs] == ["question", "picture", "live"]
    assert "<style>" not in outputs[0][1]
    assert "Run this cell." in outputs[2][1]


def test_a_film_waits_and_has_a_name():
    # Its still, for places where no film is played, is left out.
    (film, said), (words, _) = page().outputs(code(PICTURE, FILM))
    assert (film, words) == ("film", "words")
    assert "autoplay" not in said
    assert " controls " in said
    assert 'aria-label="A line turns until nothing is on its wrong side"' in said
    assert said.endswith('<source src="data:,"></video>')


def test_terminal_colours_and_tags_in_print_are_harmless():
    stream = v4.new_output("stream", text="\x1b[31mred\x1b[0m <b>\n")
    ((_, said),) = page().outputs(code(stream))
    assert said == '<pre class="printed scrolls">red &lt;b&gt;</pre>'


# --- slides --------------------------------------------------------------------------------------

LESSON = [
    text("# 09 · A title\n\nAfter this you can\n\n- **read**"),
    code(),
    text("## 1 · A part\n\nMuch text.\n\n> **Predict first.** Will\n> it rise?\n\nMove it."),
    code(),
    code(QUESTION, PICTURE, LIVE),
    text("It rises to $1.5$. Then it falls. " + "Word " * 40 + ".\n\nAnother paragraph."),
    code(PICTURE),
    text("## What we have\n\n- a picture"),
    code(PICTURE),
]


def test_question_picture_sentence_without_a_mark():
    first, asked, last = make_slides.slides(LESSON)
    assert cells.words_of(first.heading) == "09 · A title"
    assert "<li>" in first.text
    assert cells.words_of(asked.heading) == "1 · A part"
    assert cells.words_of(asked.question) == "Will it rise?"
    assert asked.answer.startswith("<img")
    assert cells.words_of(asked.sentence) == "It rises to 1.5. Then it falls."
    assert "a picture" in last.text


def test_marks_add_and_leave_out():
    marked = [*LESSON]
    marked[4] = code(QUESTION, PICTURE, LIVE, tags=["no-slide"])
    marked[6] = code(QUESTION, PICTURE, tags=["slide"])
    marked[7] = text("## What we have\n\n- a picture", tags=["no-slide"])
    marked[8] = code(v4.new_output("stream", text="gap 0.001"), tags=["slide"])
    _, added, printed = make_slides.slides(marked)
    assert cells.words_of(added.question) == "Will it rise?"  # waits for a slide
    assert added.sentence == ""  # a heading comes next
    assert "gap 0.001" in printed.answer


def test_a_film_says_more_than_a_still():
    asked = list(make_slides.slides([*LESSON[:3], code(QUESTION, PICTURE, FILM)]))[1]
    assert "<video" in asked.answer
    assert "<img" not in asked.answer


def test_the_presets_of_a_strip_answer_in_turn():
    strip = start.Bend.strip("not lifted", "lifted more")
    shown = v4.new_output(
        "display_data",
        {"image/png": base64.b64encode(strip.png).decode()},
        metadata={"image/png": {"alt": strip.alt, "width": strip.width}},
    )
    told = [text("It bends."), v4.new_code_cell('start.Bend.strip("not lifted", "lifted more")')]
    told[1].outputs = [shown]
    told.append(text("**A cut is flat.** The border is not."))
    live = code(QUESTION, PICTURE, LIVE)
    live.source = "start.Bend()"
    (asked,) = list(make_slides.slides([*LESSON[:3], live, *told]))[1:]
    assert asked.answer.count('<div class="over fragment">') == 2
    assert re.findall('class="name">(.*?)<', asked.answer) == ["not lifted", "lifted more"]
    assert asked.at_once  # a live figure does not answer its question
    assert cells.words_of(asked.sentence) == "It bends. A cut is flat."
    assert "The border is not." in asked.notes
    live.source = "start.Hello()"  # the strip of another figure is no answer
    (asked,) = list(make_slides.slides([*LESSON[:3], live, *told]))[1:]
    assert "over" not in asked.answer


def test_a_preset_that_is_there_gives_it_its_name():
    there = make_slides.picture("image/png", PNG, ALT, 9)
    shown = [("as it is", ALT), ("2 < 3", "x")]
    panels = [make_slides.Panel(name, alt, f'<img alt="{alt[:1]}">') for name, alt in shown]
    named = f'<div class="over"><p class="name">as it is</p>{there}</div>'
    over = '<div class="over fragment"><p class="name">2 &lt; 3</p><img alt="x"></div>'
    assert make_slides.in_turn(there, panels) == named + over
    assert make_slides.in_turn("", panels).count("fragment") == 1  # the first is the picture


def test_a_hall_has_the_panels_of_a_strip_whole_and_alike():
    lecture()
    try:
        shown, figure = start.Hello.strip("flat", "upright"), start.Hello()
        figure.load("upright")
        whole = figure.live.whole()
    finally:
        lecture(False)
    assert len(shown.panels) == 2
    flat, upright = make_slides.cut_out(shown.png, shown.panels)
    with Image.open(io.BytesIO(upright)) as image, Image.open(io.BytesIO(flat)) as other:
        assert image.size == other.size == whole.size
        apart = np.abs(np.asarray(image.convert("RGB"), float) - np.asarray(whole, float))
        assert apart.mean() < 2  # but for its palette it is the figure, to the pixel
    assert start.Hello.strip("flat", "upright").panels == ()


@pytest.mark.parametrize(
    ("texts", "begins", "said"),
    [
        (["It is low. Set C to 9. It is high.\n\n**So it is always.**"], "", "It is high."),
        (["It is low. Set C to 9.", "Is it? It is high."], "", "It is high."),
        (["It is low. **So it is always.** Set C to 9. It is high."], "", "It is low."),
        (["(Set C to 9.) It is low."], "", "It is low."),
        (["Set C to 9. It is high. Yes. It is low:"], "Yes", "Yes."),
        (["At $C=1$, drag the point. It moves."], "", "It moves."),
    ],
)
def test_what_answers_is_about_the_last_preset(texts, begins, said):
    assert make_slides.answering(texts, begins) == said
    with pytest.raises(ValueError, match="no sentence after the figure begins 'Never'"):
        make_slides.answering(texts, "Never")


def test_a_slender_picture_has_its_lower_half_beside():
    high = Image.new("RGB", (100, 300), "white")
    high.paste("black", (10, 10, 90, 140))
    high.paste("red", (10, 160, 90, 290))
    wide = states.abreast(high).convert("RGB")
    assert wide.size[0] == 200 and 140 < wide.size[1] < 160
    assert wide.getpixel((50, 75)) == (0, 0, 0) and wide.getpixel((150, 75)) == (255, 0, 0)
    assert states.abreast(wide) is wide


@pytest.mark.parametrize(("size", "beside"), [((300, 300), True), ((300, 150), False)])
def test_words_stand_beside_a_high_picture(size, beside):
    width, height = size
    slide = make_slides.Slide("", answer=f'<img src="" width="{width}" height="{height}">')
    assert slide.beside is beside
    assert not make_slides.Slide("", answer="<pre>1</pre>").beside
    assert make_slides.Slide("", answer="<video></video>").beside


def test_a_marked_question_is_not_asked_twice():
    marked = [*LESSON]
    marked[2] = text(LESSON[2].source, tags=["slide"])
    said = list(make_slides.slides(marked))[1].text
    assert "Much text." in said
    assert "Will" not in said


@pytest.mark.parametrize(
    ("paragraph", "kept"),
    [
        ("None. The bound is a promise.", "None. The bound is a promise."),
        ("At $z = 0.7$ it is. The values:", "At $z = 0.7$ it is."),
        ("If $a. B$ and\n$c$ agree, e.g. here. So.", "If $a. B$ and\n$c$ agree, e.g. here. So."),
        ("One " * 60 + "end. Two.", "One " * 60 + "end."),
    ],
)
def test_first_sentences(paragraph, kept):
    assert make_slides.first_sentences(paragraph) == kept


def test_mathjax_spaces_by_itself_and_knows_no_selectors():
    said = make_slides.for_mathjax(page().markdown(r"$a = \sum_i b\cdot c$ in $\mathcal X$"))
    assert 'space="0' in said  # that of the dot
    assert 'space="0"' not in said
    assert "\ufe00" not in said


def test_a_slide_gives_no_order_that_a_picture_cannot_obey():
    said = "Move C up. The band shrinks (go back to see it), by half (see 02). Now press play."
    assert make_slides.without_orders(said) == "The band shrinks, by half (see 02)."
    assert make_slides.without_orders("Press 1.") == ""
    assert make_slides.without_orders("Moved away, it is 2.") == "Moved away, it is 2."
    told = [*LESSON]
    told[5] = text("Move it up. It rises.\n\nPress play.")
    asked = list(make_slides.slides(told))[1]
    assert cells.words_of(asked.sentence) == "It rises."
    assert "Move it up." in asked.notes
    assert "Press play." in asked.notes
    for notebook in make_slides.lessons():
        for slide in make_slides.slides(make_site.nbformat.read(notebook, as_version=4).cells):
            assert make_slides.orders_in(cells.words_of(slide.sentence)) == []


def test_a_question_is_whole_and_the_orders_after_it_are_the_speakers():
    asks = "> **Predict first.** Set $C$ to 1. More\nweight, or less? Then tick *both*.\n\nText."
    assert make_slides.question_of(asks) == "Set $C$ to 1. More weight, or less? Then tick *both*."
    asked = list(make_slides.slides([text("# 0"), text("## 1\n\n" + asks), code(PICTURE)]))[1]
    assert cells.words_of(asked.question) == "Set C to 1. More weight, or less?"
    assert cells.words_of(asked.notes) == "Text. Then tick both."
    assert make_slides.apart("Press play.") == ("Press play.", "")  # nothing else is asked


def test_each_section_of_a_lesson_is_on_a_slide():
    for notebook in make_slides.lessons():
        found = make_site.nbformat.read(notebook, as_version=4).cells
        begins = [k for k, cell in enumerate(found) if make_slides.SECTION.search(cell.source)
                  and cell.cell_type == "markdown"]  # fmt: skip
        assert begins
        for first, end in zip(begins, [*begins[1:], len(found)], strict=True):
            part = found[first:end]
            page = cells.Page(make_slides.link)
            shown = list(make_slides.slides_of(part, page, title=False))
            told = shown or list(make_slides.overview(part, page))
            title = make_slides.HEADING.findall(part[0].source)[-1][1]
            links = title.startswith(make_slides.LINKS) or "no-slide" in cells.tags(part[0])
            assert bool(told) != links, part[0].source[:60]


def test_a_question_waits_for_what_answers():
    asks, between = text("## 1\n\n> **Predict first.** Will it rise?"), text("More of it.")
    printed = code(v4.new_output("stream", text="0.001"))
    for cells_between, question in (
        ([between, code()], "Will it rise?"),
        ([printed], "Will it rise?"),
        ([printed, between], ""),  # what was printed has answered
    ):
        *_, slide = make_slides.slides([text("# 0"), asks, *cells_between, code(PICTURE)])
        assert cells.words_of(slide.question) == question


def test_a_picture_does_not_say_what_comes_on_the_next_slide():
    told = text("Begin with one. **It is the last one that counts.**", tags=["slide"])
    _, shown, after = make_slides.slides([*LESSON[:3], code(PICTURE), told])
    assert shown.sentence == "" and "Begin with one." in after.text
    aside = "It rises ([why](x.ipynb)). It falls (why: below). (So. It does.)"
    told = text(f"{aside} **It is the last that counts.**")
    *_, shown = make_slides.slides([*LESSON[:3], code(PICTURE), told])
    assert cells.words_of(shown.sentence) == "It rises. It falls. It is the last that counts."


def test_a_slide_says_nothing_that_its_picture_lacks():
    asked, figure = text("## 1 · One\n\n> **Predict first.** How many?"), code(PICTURE)
    figure.source = "start.Bend()"
    after = text("At the end all are gone. And so?\n\nMove **it**.\n\n**So much for all of them:**")
    *_, slide = make_slides.slides([asked, figure, after])
    assert cells.words_of(slide.sentence) == "So much for all of them."  # it has to be moved
    *_, slide = make_slides.slides([asked, code(PICTURE), after])
    assert cells.words_of(slide.sentence) == "At the end all are gone. So much for all of them."
    *_, slide = make_slides.slides([text("A fact. Here is how it goes:", tags=("slide",)), code()])
    assert cells.words_of(slide.text) == "A fact."


def test_slides_ask_for_presets_that_there_are():
    named = 0
    for notebook in make_slides.lessons():
        for cell in nbformat.read(notebook, as_version=4).cells:
            if presets := cell.metadata.get("slides"):
                room, name = re.search(r"\b([a-z]+)\.([A-Z]\w+)", cell.source).groups()
                figure = getattr(import_module(f"kernellab.lessons.{room}"), name)
                assert 2 <= len(presets) <= 4 and set(presets) <= {*figure.presets}, cell.source
                named += 1
    assert named > 10


def test_a_slide_has_the_presets_of_a_figure_that_is_set_as_in_its_cell():
    figure = code()
    figure.source = 'scale.GrowthDial(method="linear, no kernel", asked=100_000)'
    figure.metadata["slides"] = ["the forecast", "what it took"]
    _, strip = run_notebooks.with_presets([figure])
    asked = '"linear, no kernel", asked=100_000'
    assert strip.source == f"scale.GrowthDial.strip('the forecast', 'what it took', method={asked})"


def test_code_stands_above_what_it_prints_and_long_words_below_a_picture():
    counts = code(v4.new_output("stream", text="0.001"), tags=["slide"])
    counts.source = "print(gap)"
    *_, slide = make_slides.slides([text("# 0"), text("## 1 · One"), counts])
    assert cells.words_of(slide.answer) == "print(gap) 0.001"
    square = '<img width="400" height="400">'
    assert make_slides.Slide("", question="Will it rise?", answer=square).beside
    assert not make_slides.Slide("", sentence="It rises. " * 40, answer=square).beside


def test_a_live_figure_leads_to_its_demo():
    assert make_slides.figure_in("margin.Bands()") == "Bands"
    assert make_slides.Slide("", demo="Bands").stage.endswith("?demo=Bands")
    assert make_slides.Slide("", demo="NoSuchFigure").stage == ""
    assert make_slides.Slide("").stage == ""


# --- the states of live figures -------------------------------------------------------------------


def test_a_figure_is_drawn_in_every_preset_and_kept(tmp_path):
    expression = states.figure_of('start.Hello().ask("Where?")')
    assert expression == "start.Hello()"
    (found,) = states.all_states([expression], tmp_path).values()
    assert [state.name for state in found] == [states.AS_IT_OPENS, *start.Hello.presets]
    assert len({state.wide for state in found}) == len(found)
    assert all(state.alt and state.width > 300 for state in found)
    (kept,) = tmp_path.iterdir()
    before = kept.stat().st_mtime_ns
    assert states.all_states([expression], tmp_path) == {expression: found}
    assert kept.stat().st_mtime_ns == before


@pytest.mark.parametrize("source", ["x = 1", "print(", "4", "kl.lecture"])
def test_what_shows_no_figure(source):
    assert states.figure_of(source) is None


def test_panels_one_under_the_other():
    figure = new_figure((8.0, 3.0))
    left, right = figure.subplots(1, 2)
    left.set(ylabel="left", title="a")
    right.set(ylabel="right", title="b")
    drawn = picture(figure, "Two empty panels.")
    (apart,) = between_panels(figure)
    assert 0.3 < apart[0] <= apart[1] <= apart[2] < 0.7
    with Image.open(io.BytesIO(drawn.png)) as image:
        below = one_below_the_other(image, [apart])
        assert below.width < 0.6 * image.width
        assert below.height > 1.7 * image.height
        assert one_below_the_other(image, []) is None
        assert one_below_the_other(image, [(0.2, 0.21, 0.22)]) is None  # through a panel


def test_a_strip_stands_in_panels():
    strip = start.Hello.strip("flat", "upright")
    with Image.open(io.BytesIO(strip.png)) as image:
        width = image.width
    with Image.open(
        io.BytesIO(states.strip_below('start.Hello.strip("flat", "upright")', strip.png))
    ) as below:
        assert below.width < 0.6 * width
    assert states.strip_below("start.Hello()", strip.png) == b""
    assert len(states.strip_panels('start.Hello.strip(\n    "a (b)", "c"\n)', strip.png)) == 2


def test_the_colours_of_a_page_are_those_of_the_pictures():
    tokens = (cells.TEMPLATES / "tokens.css").read_text(encoding="utf-8")
    for name, colour in (("positive", POSITIVE), ("negative", NEGATIVE), ("accent", ACCENT)):
        assert f"--{name}: {colour};" in tokens


# --- the site ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("site")
    return out, make_site.build(out, draw=lambda _: {})


class Targets(HTMLParser):
    """All links and anchors of a page."""

    def __init__(self, html):
        super().__init__()
        self.links, self.anchors, self.alts, self.films = [], [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.links += [found[name] for name in ("href", "src") if name in found]
        self.anchors += [found["id"]] if "id" in found else []
        self.alts += [found["alt"]] if "alt" in found else []
        self.films += [found] if tag == "video" else []


def test_every_link_leads_somewhere_and_nothing_is_fetched(site):
    out, pages = site
    targets = {page: Targets(page.read_text(encoding="utf-8")) for page in pages}
    for page, found in targets.items():
        assert len(found.anchors) == len(set(found.anchors)), page
        for link in found.links:
            url = urlsplit(link)
            if url.scheme:
                assert url.scheme in {"data", "https", "http"}
                continue
            there = (page.parent / unquote(url.path)).resolve() if url.path else page
            assert there.is_file(), (page, link)
            assert there.is_relative_to(out), (page, link)
            if url.fragment:
                assert unquote(url.fragment) in targets[there].anchors, (page, link)


def test_every_notebook_is_a_page_with_its_pictures_and_films_and_their_words(site):
    out, _ = site
    folder = make_site.NOTEBOOKS
    lessons = list(make_site.here().values())
    others = [folder / "demos.ipynb", *folder.glob("exercises/*.ipynb")]
    assert len(lessons) == len(list(folder.glob("[0-9]*.ipynb"))) >= len(others) - 1 > 0
    for file in [*lessons, *others]:
        notebook = make_site.nbformat.read(file, as_version=4)
        alts = [
            output.metadata["image/png"]["alt"]
            for cell in notebook.cells
            for output in cell.get("outputs", ())
            if "image/png" in output.get("data", {}) and "<video" not in str(cell.outputs)
        ]
        place = f"files/{file.relative_to(make_site.ROOT)}.html"
        place = "demos.html" if file == make_site.DEMOS else place
        page = out / (f"{file.stem}.html" if file in lessons else place)
        found = Targets(page.read_text(encoding="utf-8"))
        alts += [
            alt
            for cell in notebook.cells
            for alt in re.findall(r"!\[(.*?)\]\(attachment:", cell.source, re.DOTALL)
        ]
        assert sorted(found.alts) == sorted(["", *alts])  # the empty one is to be enlarged
        assert len(alts) > 0 or "exercises" in file.parts
        said = [output for cell in notebook.cells for output in cell.get("outputs", ())]
        assert len(found.films) == sum("<video" in str(output) for output in said)
        assert all(len(film["aria-label"]) >= 20 and "autoplay" not in film for film in found.films)


def test_every_section_leads_to_itself_in_the_course_that_runs(tmp_path):
    lite = tmp_path / "lite"
    files = [file for file in make_site.NOTEBOOKS.rglob("*.ipynb") if "solutions" not in file.parts]
    for file in files:
        copy = lite / "files" / file.relative_to(make_site.ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.touch()
    (lite / "versions.json").touch()
    out = tmp_path / "site"
    make_site.build(out, draw=lambda _: {}, lite=lite)

    def letters(text):  # as lite/course.js compares them
        return re.sub(r"[\W_]+", "", text.lower())

    for lesson in sorted(make_site.NOTEBOOKS.glob("[0-9]*.ipynb")):
        page = (out / f"{lesson.stem}.html").read_text(encoding="utf-8")
        ways = re.findall(r'<a href="lite/lab/index\.html\?path=notebooks/([^"#]+)#([^"]*)"', page)
        there = [
            (lesson.name, letters(line))
            for cell in nbformat.read(lesson, as_version=4).cells
            for line in cell.source.split("\n")
            if cell.cell_type == "markdown" and line.startswith("## ")
        ]
        assert [(name, letters(html.unescape(section))) for name, section in ways] == there


def test_a_folder_of_somebody_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(ValueError, match="name an empty folder"):
        make_site.build(tmp_path)
    assert (tmp_path / "thesis.txt").exists()


def test_a_site_stays_until_the_next_one_is_drawn_and_may_be_broken_off(tmp_path):
    def broken_off(expressions):
        raise KeyboardInterrupt

    (tmp_path / "search.js").touch()
    (tmp_path / "index.html").write_text("old")
    with pytest.raises(KeyboardInterrupt):
        make_site.build(tmp_path, draw=broken_off)
    assert (tmp_path / "index.html").read_text() == "old"


def test_a_dead_link_is_an_error():
    site = make_site.Site()
    with pytest.raises(ValueError, match=r"the link nowhere\.md leads nowhere"):
        site.page_for(make_site.NOTEBOOKS / "x.ipynb", "x.html").markdown("[a](nowhere.md)")


def test_the_search_has_formulas_as_one_would_type_them():
    formulas = "If $a_i=\\frac12\\|w\\|^2$:\n\n$$\\min_w\\ f(w)$$\n\nno less."
    assert make_site.searchable(page().markdown(formulas)) == "If ai=1/2‖w‖²: … no less."


def test_the_search_knows_words_where_they_stand():
    body = '<h1 id="a">A</h1><p>one</p><h2 id="b-2">B</h2><p>two <img src="x" alt="three"></p>'
    found = make_site.sections(make_site.Made("p.html", "P", body))
    assert found == [("p.html#a", "P", "A", "one"), ("p.html#b-2", "P", "B", "two three")]
    shown = [states.State(name, "alt", "n = 1", 1, 1, b"", b"") for name in ("at first", "small")]
    names = dict(make_site.moving([], [*shown], lambda data: "x.png"))["states"]
    body = f'<h1 id="a">A</h1>{make_site.folded("x = 1")}{names}'
    ((*_, said),) = make_site.sections(make_site.Made("p.html", "P", body))
    assert said == "x = 1 at first small"  # and nothing of what is pressed


def test_the_font_has_every_sign_of_the_formulas(site):
    ranges = re.findall(
        r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?", (cells.VENDOR / "README.md").read_text()
    )
    signs = {n for low, high in ranges for n in range(int(low, 16), int(high or low, 16) + 1)}
    assert len(signs) > 1000
    for page in site[1]:
        for formula in re.findall(r"<math.*?</math>", page.read_text(encoding="utf-8"), re.DOTALL):
            used = set(map(ord, cells.words_of(formula)))
            assert used - signs == set(), formula
