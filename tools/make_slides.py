"""Make slides from the lessons: make_slides.py [--handout] [NOTEBOOK …].

build/slides/NN.html is one file, with reveal.js, MathJax and pictures inside; index.html lists all.
With --handout each is printed to NN.pdf beside it, by Chromium. What becomes a slide:

- a picture that a prediction was asked for: the question, the picture, sentences after it. A live
  figure does not answer by itself, and stands below the question at once. What answers are the
  presets of the strip that follows, one over the other, and the sentences after the last order
  before what is bold, which are about the last of them. Without a strip only what is bold is said.
  Where another sentence answers, the metadata "says" of the figure's cell has its first words;
- the title with what one can do afterwards, and "What we have";
- any other cell with the tag `slide`; code that prints stands above what it prints. The tag
  `no-slide` leaves a cell out;
- of a section that has none of these, its first picture, or its first sentences. "Further" and
  "Exercises", which are links, have none.

What a lesson folds is in the open, the answer to a prediction first. A picture cannot be moved, so
what a text tells the reader to do is left out of a slide. It is in the speaker's notes, with the
whole text; and the slide has a link to the figure in `make demos`.

Pictures are taken as they are. `make slides` has the lessons run in lecture mode before
(run_notebooks.py --hall build/hall), and makes slides from those.
"""

from __future__ import annotations

import argparse
import base64
import html
import io
import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import nbformat
from cells import ROOT, TEMPLATES, VENDOR, Cell, Page, coloured, picture, tags, words_of
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from PIL import Image
from states import panels_in, strip_panels
from states import png as encoded_png

from kernellab.live.figure import DPI
from kernellab.live.strip import CAPTION

OUT = ROOT / "build" / "slides"
PREDICT = "**Predict first.**"
SUMMARY = "## What we have"
LINKS = ("Further", "Exercises")
MOST_WORDS = 32  # of the sentences that read a picture
FORMULA = re.compile(r"(?<!\\)\$.*?(?<!\\)\$", re.DOTALL)
SENTENCE = re.compile(r"(?:(?<=[.?!])|(?<=[.?!]\)))\s+(?=[\"“(*]*[A-ZÄÖÜ\0])")
SIZE = re.compile(r'<img [^>]*width="(\d+)" height="(\d+)"')
MOST_BESIDE = 180  # characters, that they end above the foot of a slide
SLENDER = 1.8  # times as wide as high, a picture has all the width; others have words beside
QUOTE = re.compile(r"^>.*(?:\n.+)*", re.MULTILINE)  # its later lines may lack the mark
HEADING = re.compile(r"^(#{1,6}) (.*)$", re.MULTILINE)
SECTION = re.compile(r"^## ", re.MULTILINE)
DEMOS = ROOT / "notebooks" / "demos.ipynb"
STAGE = "http://localhost:8866/?demo="  # where `make demos` shows a figure
FIGURE = re.compile(r"\b[a-z]+\.([A-Z]\w+)[(.]")
FOLD = re.compile(r"<details><summary>(.*?)</summary>\s*(.*?)\s*</details>", re.DOTALL)
LEAD_IN = re.compile(r"(?:^|(?<=[.?!*)])\s+)[^.?!$|]*:\s*$")  # to code, which is not on the slide
BOLD = re.compile(r"\*\*.+?\*\*", re.DOTALL)
# What begins a sentence that a figure can obey and a picture cannot.
ORDER = re.compile(
    r"\(?(?:At [^,]*, )?(?:(?:First|Now|Then|Next|Again|Here|And|So|But|Below),?\s)?(?:slowly\s)?"
    r"(?:move|drag|choose|press|play|set|turn|tick|untick|switch|go back|try|click|make|deal|break|"
    r"lift|pull|select|change|walk|open|slide|reset|load|find|run)\b",
    re.IGNORECASE,
)
PRESSING = re.compile(r"(?:Press|Click|Play)\b")
ASIDE = re.compile(r"\s*(\([^()$]*\))")
# What leads away from a slide, and sentences that are put in.
POINTER = re.compile(r"\s*\((?:\[[^]]*\]\([^)]*\)|[^()]*\bbelow|[A-Z][^()]*[.?!])\)")
PRINT_MS = 120_000  # until all formulas of a deck are drawn
NOT_FOR_MATHJAX = re.compile(r' [lr]space="0"|\ufe00')


class Panel(NamedTuple):
    """A preset of a strip: its name, what it shows in words, and its picture in HTML."""

    name: str
    words: str
    image: str


@dataclass(frozen=True)
class Slide:
    """One slide, in HTML: what it is about, and either a text or a question and its answer."""

    heading: str
    text: str = ""
    question: str = ""
    answer: str = ""
    sentence: str = ""
    notes: str = ""  # for the speaker
    demo: str = ""  # the class of the live figure it shows
    at_once: bool = False  # the picture does not answer the question

    @property
    def stage(self) -> str:
        """Where the figure of the slide is shown live while `make demos` runs; "" for none.

        A variant, such as TwoHulls, is called after the figure it is a variant of.
        """
        return next((STAGE + name for name in demos() if self.demo.endswith(name)), "")

    @property
    def beside(self) -> bool:
        """Whether the words stand beside the picture: above and below they would make it small."""
        if len(words_of(self.question + self.sentence)) > MOST_BESIDE:
            return False
        size = SIZE.search(self.answer)
        film = "<video" in self.answer
        return film or (size is not None and int(size[1]) < SLENDER * int(size[2]))


@cache
def demos() -> frozenset[str]:
    """Return the classes of the figures that `make demos` shows."""
    cells = nbformat.read(DEMOS, as_version=4).cells
    return frozenset(figure_in(cell.source) for cell in cells if ".ask(" in cell.source)


def figure_in(source: str) -> str:
    """Return the class of the live figure that a cell shows, moving or not; "" for none."""
    found = FIGURE.findall(source)
    return found[-1] if found else ""


def slides(cells: list[Cell]) -> Iterator[Slide]:
    """Yield the slides of a notebook."""
    page = Page(link)
    cells = [unfolded(cell) for cell in cells]
    begins = [
        k
        for k, cell in enumerate(cells)
        if k == 0 or (cell.cell_type == "markdown" and SECTION.search(cell.source))
    ]
    for first, end in zip(begins, [*begins[1:], len(cells)], strict=True):
        found = list(slides_of(cells[first:end], page, title=first == 0))
        yield from found or overview(cells[first:end], page)


def unfolded(cell: Cell) -> Cell:
    """Return a cell with what it folds in the open; what answers a prediction comes first."""
    answers = [said for title, said in FOLD.findall(cell.source) if title == "Answer"]
    rest = FOLD.sub(lambda fold: fold[2] * (fold[1] != "Answer"), cell.source)
    parts = [rest, *answers] if rest.startswith("#") else [*answers, rest]
    return nbformat.from_dict({**cell, "source": "\n\n".join(parts)})


def slides_of(cells: list[Cell], page: Page, *, title: bool) -> Iterator[Slide]:
    """Yield the slides of a section that its cells ask for."""
    heading, asked, before, answered = "", "", "", False
    for number, cell in enumerate(cells):
        marks = tags(cell)
        if cell.cell_type == "markdown":
            found = HEADING.findall(cell.source)
            heading = page.markdown(found[-1][1]) if found else heading
            # A question waits for what answers, through texts and code that shows nothing.
            waiting = "" if found or answered else asked
            before = f"{before}\n\n{cell.source}" if waiting else cell.source
            asked, answered = question_of(cell.source) or waiting, False
            telling = (title and number == 0) or cell.source.startswith(SUMMARY)
            if ("slide" in marks or telling) and "no-slide" not in marks:
                begin = 0 if title and number == 0 else cell.source.rfind("\n#") + 1
                text = LEAD_IN.sub("", QUOTE.sub("", cell.source[begin:]))
                yield Slide(heading, text=page.markdown(without_orders(HEADING.sub("", text))),
                            notes=notes_of(text) if orders_in(text) else "")  # fmt: skip
        elif cell.cell_type == "code":
            outputs = list(page.outputs(cell))
            of = {kind: [said for k, said in outputs if k == kind] for kind, _ in outputs}
            # A film says more than the first frame of a live figure.
            shown = of.get("film", of.get("picture", []))[:1]
            if shown and panels_in(cell.source):  # a strip without its figure: one after the other
                shown = [in_turn("", panels_of(cell))]
            answer = shown or [said for kind, said in outputs if kind in {"text", "printed"}]
            if "printed" in of and not shown:
                answer = [coloured(cell.source), *answer]
            if (("slide" in marks and answer) or (asked and shown)) and "no-slide" not in marks:
                demo = figure_in(cell.source) if shown else ""
                after = cells[number + 1 :]
                strip, told = strip_after(after, demo)
                texts = [*texts_after(after), *texts_after(told)]
                bold, begins = bold_sentences(*texts), cell.metadata.get("says", "")
                if strip or begins:
                    read = answering([*section_of(after)] if begins else texts, begins)
                else:
                    read = "" if bold and demo else reading(after) or reading(told)
                said = " ".join([read, *(one for one in bold[:1] if one not in read)])
                question, orders = apart(asked)
                yield Slide(
                    heading,
                    question=page.markdown(question) or "".join(of.get("question", [])),
                    answer=in_turn("".join(answer), strip),
                    sentence=page.markdown(said),
                    notes=notes_of(QUOTE.sub("", before), orders, *texts),
                    demo=demo,
                    at_once="live" in of and "picture" in of and "film" not in of,
                )
            if "no-slide" not in marks:
                asked, answered = "" if shown else asked, answered or bool(cell.outputs)


def strip_after(cells: list[Cell], demo: str) -> tuple[list[Panel], list[Cell]]:
    """Return the panels of a figure's strip, if it comes next, and the cells after it."""
    for number, cell in enumerate(cells):
        if cell.cell_type == "code":
            if demo and f".{demo}.strip(" in cell.source and cell.outputs:
                return panels_of(cell), cells[number + 1 :]
            break
        if cell.source.startswith("#"):
            break
    return [], []


def panels_of(cell: Cell) -> list[Panel]:
    """Return the panels of a strip: without their names; of a hall's, whole and alike."""
    output = next(output for output in cell.outputs if "image/png" in output.get("data", {}))
    told = output.metadata["image/png"]
    strip = base64.b64decode(output.data["image/png"])
    scale, boxes = told["width"] / width_of(strip), told.get("panels")
    top = round(CAPTION * DPI / scale)
    pieces = cut_out(strip, boxes) if boxes else strip_panels(cell.source, strip, top)
    found = []
    for data, said in zip(pieces, re.split(r" (?=“[^”]+”: )", told["alt"]), strict=True):
        name, words = said.removeprefix("“").split("”: ", 1)
        encoded, width = base64.b64encode(data).decode(), round(scale * width_of(data))
        found.append(Panel(name, words, picture("image/png", encoded, words, width)))
    return found


def in_turn(there: str, panels: list[Panel]) -> str:
    """Return panels over a picture, and each over the one before: side by side they are too small.

    One that shows what is there gives it a name, and the first is there if nothing else is.
    """
    found = there
    for panel in panels:
        name, known = f'<p class="name">{html.escape(panel.name)}</p>', html.escape(panel.words)
        if there and f'alt="{known}"' in there:
            found = found.replace(there, f'<div class="over">{name}{there}</div>')
        else:
            turn = "over fragment" if found else "over"
            found += f'<div class="{turn}">{name}{panel.image}</div>'
    return found


def cut_out(png: bytes, boxes: list[list[int]]) -> Iterator[bytes]:
    """Yield pieces of a picture, each a PNG."""
    with Image.open(io.BytesIO(png)) as image:
        for left, top, right, bottom in boxes:
            yield encoded_png(image.crop((left, top, right, bottom)))


def width_of(png: bytes) -> int:
    """Return the width of a picture, in its own pixels."""
    with Image.open(io.BytesIO(png)) as image:
        return image.width


def overview(cells: list[Cell], page: Page) -> Iterator[Slide]:
    """Yield a slide of a section that asks for none: its first picture, or its first sentences."""
    wanted = [cell for cell in cells if "no-slide" not in tags(cell)]
    texts = [cell.source for cell in wanted if cell.cell_type == "markdown"]
    if not texts or "no-slide" in tags(cells[0]):
        return
    *_, begin = SECTION.finditer(texts[0])
    texts[0] = texts[0][begin.start() :]  # without what is before the section
    title = HEADING.findall(texts[0])[0][1]
    if title.startswith(LINKS):
        return
    heading = page.markdown(title)
    paragraphs = [
        paragraph.strip()
        for text in texts
        for paragraph in without_orders(HEADING.sub("", QUOTE.sub("", text))).split("\n\n")
        if paragraph.strip() and not paragraph.lstrip().startswith(("|", "<", "```", "!["))
    ]
    said = first_sentences(paragraphs[0]) if paragraphs else ""
    slide = Slide(heading, notes=notes_of(*texts))
    for cell in wanted:
        if cell.cell_type == "code":
            shown = [words for kind, words in page.outputs(cell) if kind in {"film", "picture"}]
            if shown:
                yield replace(slide, answer=shown[0], sentence=page.markdown(said),
                              demo=figure_in(cell.source))  # fmt: skip
                return
    if said.endswith(":") and len(paragraphs) > 1:
        said = f"{said}\n\n{paragraphs[1]}"
    if said:
        yield replace(slide, text=page.markdown(said))


def orders_in(text: str) -> list[str]:
    """Return the sentences that tell the reader to do something with a figure."""
    return [
        sentence
        for paragraph in text.split("\n\n")
        for sentence in sentences_of(paragraph)
        if ORDER.match(sentence)
    ]


def without_orders(text: str) -> str:
    """Return a text without the sentences that only a live figure can obey."""
    kept = []
    for paragraph in ASIDE.sub(_unless_order, text).split("\n\n"):
        orders = orders_in(paragraph)
        if orders and not paragraph.lstrip().startswith(("|", "```", "$$", "-", "1.")):
            paragraph = " ".join(s for s in sentences_of(paragraph) if s not in orders)
        kept.append(paragraph)
    return "\n\n".join(kept)


def _unless_order(aside: re.Match[str]) -> str:
    return "" if ORDER.match(aside[1]) else aside[0]


def sentences_of(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph; a formula is in one piece."""
    formulas = FORMULA.findall(paragraph)
    found = []
    for sentence in SENTENCE.split(FORMULA.sub("\0", paragraph)):
        while "\0" in sentence:
            sentence = sentence.replace("\0", formulas.pop(0), 1)
        found.append(sentence)
    return found


def texts_after(cells: list[Cell]) -> list[str]:
    """Return the texts right after a picture, up to the next code, heading or slide."""
    found = []
    for cell in cells:
        if cell.cell_type != "markdown" or cell.source.startswith("#") or "slide" in tags(cell):
            break
        found.append(cell.source)
    return found


def section_of(cells: list[Cell]) -> Iterator[str]:
    """Yield the texts after a picture, up to the next heading."""
    for cell in cells:
        if cell.cell_type == "markdown":
            if cell.source.startswith("#"):
                return
            yield cell.source


def bold_sentences(*texts: str) -> list[str]:
    """Return what texts say in bold; a word or two in bold is no sentence."""
    found = BOLD.findall("\n\n".join(texts))
    sentences = [bold for bold in found if len(bold.split()) > 3 and not bold.endswith("?**")]
    return [re.sub(r":\*\*$", ".**", bold) for bold in sentences]


def notes_of(*texts: str) -> str:
    """Return what the speaker reads: the text of the lesson, in one line of HTML."""
    page = Page(link)
    said = "".join(page.markdown(HEADING.sub("", text)) for text in texts)
    return " ".join(said.split())


def link(target: str) -> str:
    """Lead from slides to slides; what else is in the course is not beside them."""
    if "://" in target:
        return target
    lesson = re.fullmatch(r"(\d\d)_\w+\.ipynb", target)
    return f"{lesson[1]}.html" if lesson else ""


def question_of(source: str) -> str:
    """Return the prediction that a text asks for, without its mark."""
    quoted = "\n".join(QUOTE.findall(source)).splitlines()
    asked = " ".join(line.lstrip("> ") for line in quoted)
    return asked.replace(PREDICT, "").strip() if PREDICT in asked else ""


def apart(asked: str) -> tuple[str, str]:
    """Return a question, and the orders that follow it, which only a live figure can obey.

    "Set C to 1" before a question says what is asked about; "press the button" does not.
    """
    all_of_it = sentences_of(asked)
    sentences = [said for said in all_of_it if not PRESSING.match(said)] or all_of_it
    ends = max((k for k, said in enumerate(sentences, 1) if not ORDER.match(said)), default=None)
    return " ".join(sentences[:ends]), " ".join(sentences[ends:]) if ends else ""


def reading(cells: list[Cell]) -> str:
    """Return the first sentences of the text after a picture, unless it begins something else."""
    after = next((cell for cell in cells if cell.cell_type == "markdown" or cell.outputs), None)
    if after is None or not texts_after([after]) or after.source.startswith(">"):
        return ""
    return next(filter(None, map(telling, paragraphs(after.source))), "")


def paragraphs(told: str) -> list[str]:
    """Return the paragraphs of a text up to the first sentence in bold, which is said anyway."""
    bold = next((said for said in BOLD.findall(told) if len(said.split()) > 3), "")
    return (told[: told.index(bold)] if bold else told).split("\n\n")


def answering(texts: list[str], begins: str = "") -> str:
    """Return the sentences of texts that are about the last preset of a figure.

    They come after the last order before what is bold; or with ``begins``, those that begin so.
    Raises ValueError if none does.
    """
    told = "\n\n".join(texts)
    if begins:
        if (at := told.find(begins)) < 0:
            raise ValueError(f"no sentence after the figure begins {begins!r}")
        sentences = sentences_of(told[at:].split("\n\n")[0])
        ends = next((k for k, said in enumerate(sentences) if ORDER.match(said)), None)
        return telling(" ".join(sentences[:ends]))
    parts = paragraphs(told)
    for number, part in reversed(list(enumerate(parts))):
        sentences = sentences_of(part)
        orders = [k for k, said in enumerate(sentences, 1) if ORDER.match(said) and said[0] != "("]
        if orders:
            parts = [" ".join(sentences[orders[-1] :]), *parts[number + 1 :]]
            break
    return next(filter(None, map(telling, parts)), "")


def telling(paragraph: str) -> str:
    """Return the first sentences of a paragraph; no order, question, lead-in or cross-reference."""
    if paragraph.startswith(("|", "```", "$$", "#", ">")):
        return ""
    kept = [
        said
        for said in sentences_of(without_orders(POINTER.sub("", paragraph)).strip())
        if not said.endswith(("?", ":"))
    ]
    return first_sentences(" ".join(kept))


def first_sentences(paragraph: str) -> str:
    """Return as many sentences as make `MOST_WORDS` words, and at least one."""
    formulas = FORMULA.findall(paragraph)
    sentences = SENTENCE.split(FORMULA.sub("\0", paragraph))
    kept = sentences[0]
    for sentence in sentences[1:]:
        if len(f"{kept} {sentence}".split()) > MOST_WORDS:
            break
        if sentence.endswith((".", "!")):
            kept = f"{kept} {sentence}"
    for formula in formulas:
        kept = kept.replace("\0", formula, 1)
    return kept


def for_mathjax(markup: str) -> str:
    """Return HTML without what its MathML says to browsers only.

    MathJax spaces by the rules of TeX; where MathML has a space and TeX none, a zero says so, and
    MathJax would take it for the space on both sides. Of script letters it has one style to choose.
    """
    return NOT_FOR_MATHJAX.sub("", markup)


def build(notebooks: list[Path], out: Path = OUT) -> dict[Path, int]:
    """Make a file of slides for each notebook; return how many slides each holds."""
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, trim_blocks=True
    )
    templates.filters["for_mathjax"] = for_mathjax
    inside = {
        "reveal_js": (VENDOR / "reveal.js" / "reveal.js").read_text(encoding="utf-8"),
        "notes_js": (VENDOR / "reveal.js" / "notes.js").read_text(encoding="utf-8"),
        "reveal_css": (VENDOR / "reveal.js" / "reveal.css").read_text(encoding="utf-8"),
        "mathjax_js": (VENDOR / "mathjax" / "mml-svg.js").read_text(encoding="utf-8"),
    }
    out.mkdir(parents=True, exist_ok=True)
    made = {}
    for notebook in notebooks:
        found = list(slides(nbformat.read(notebook, as_version=4).cells))
        title = words_of(found[0].heading) if found else notebook.stem
        text = templates.get_template("slides.html").render(title=title, slides=found, **inside)
        file = out / f"{notebook.stem.split('_')[0]}.html"
        file.write_text(text, encoding="utf-8")
        made[file] = len(found)
    decks = []
    for file in sorted(out.glob("[0-9]*.html")):  # those that were made before, too
        text = file.read_text(encoding="utf-8")
        title = text[text.index("<title>") + 7 : text.index(" – slides</title>")]
        decks.append({"url": file.name, "title": title, "count": text.count("<section")})
    index = templates.get_template("slides_index.html").render(decks=decks)
    (out / "index.html").write_text(index, encoding="utf-8")
    return made


def lessons() -> list[Path]:
    """Return the notebooks of the course."""
    return sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))


def print_handouts(decks: list[Path]) -> list[Path]:
    """Print slides, one a page and with their answers, to a PDF each beside them.

    Raises FileNotFoundError if there is no Chromium.
    """
    from playwright.sync_api import sync_playwright  # only here: slides need no browser

    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if program is None:
        raise FileNotFoundError("Chromium prints handouts; install it, or name it in CHROMIUM")
    printed = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1920, "height": 1080}, reduced_motion="reduce")
        page.set_default_timeout(PRINT_MS)
        for deck in decks:
            page.goto(f"{deck.resolve().as_uri()}?view=print")
            page.wait_for_function("window.Reveal?.isReady()")
            page.evaluate("MathJax.startup.promise.then(() => null)")
            page.locator(".pdf-page").last.wait_for(state="attached")
            printed.append(deck.with_suffix(".pdf"))
            page.pdf(path=printed[-1], prefer_css_page_size=True, print_background=True)
        browser.close()
    return printed


def main(arguments: list[str]) -> int:
    """Make the slides and say where they are."""
    parser = argparse.ArgumentParser(description="Make slides from the lessons.")
    parser.add_argument("--handout", action="store_true", help="print them to PDF, too")
    parser.add_argument("notebooks", nargs="*", type=Path)
    asked = parser.parse_args(arguments)
    made = build(asked.notebooks or lessons())
    for file, count in made.items():
        size = file.stat().st_size / 1e6
        print(f"{os.path.relpath(file)}: {count} slides, {size:.1f} MB")
    for file in print_handouts(list(made)) if asked.handout else []:
        print(os.path.relpath(file))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
