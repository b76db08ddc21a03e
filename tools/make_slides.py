"""Make slides from the lessons: make_slides.py [NOTEBOOK …].

build/slides/NN.html is one file, with reveal.js, MathJax and pictures inside. What becomes a slide:

- a picture that a prediction was asked for: the question, the picture, the sentence after it;
- the title with what one can do afterwards, and "What we have";
- any other cell with the tag `slide`. The tag `no-slide` leaves a cell out.

Pictures are taken as they are. `make slides` has the lessons run in lecture mode before
(run_notebooks.py --hall build/hall), and makes slides from those.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
from cells import ROOT, TEMPLATES, VENDOR, Cell, Page, tags, words_of
from jinja2 import Environment, FileSystemLoader, StrictUndefined

OUT = ROOT / "build" / "slides"
PREDICT = "**Predict first.**"
SUMMARY = "## What we have"
MOST_WORDS = 40  # of the sentences that read a picture
FORMULA = re.compile(r"(?<!\\)\$.*?(?<!\\)\$", re.DOTALL)
SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[\"“(*]*[A-ZÄÖÜ\0])")
SIZE = re.compile(r'<img [^>]*width="(\d+)" height="(\d+)"')
SLENDER = 1.8  # times as wide as high, a picture has all the width; others have words beside
QUOTE = re.compile(r"^>.*$", re.MULTILINE)
HEADING = re.compile(r"^(#{1,6}) (.*)$", re.MULTILINE)
NOT_FOR_MATHJAX = re.compile(r' [lr]space="0"|\ufe00')


@dataclass(frozen=True)
class Slide:
    """One slide, in HTML: what it is about, and either a text or a question and its answer."""

    heading: str
    text: str = ""
    question: str = ""
    answer: str = ""
    sentence: str = ""

    @property
    def beside(self) -> bool:
        """Whether the words stand beside the picture: above and below they would make it small."""
        size = SIZE.search(self.answer)
        film = "<video" in self.answer
        return film or (size is not None and int(size[1]) < SLENDER * int(size[2]))


def slides(cells: list[Cell]) -> Iterator[Slide]:
    """Yield the slides of a notebook."""
    page = Page(link)
    heading, asked = "", ""
    for number, cell in enumerate(cells):
        marks = tags(cell)
        if cell.cell_type == "markdown":
            found = HEADING.findall(cell.source)
            heading = page.markdown(found[-1][1]) if found else heading
            asked = question_of(cell.source)
            telling = number == 0 or cell.source.startswith(SUMMARY)
            if ("slide" in marks or telling) and "no-slide" not in marks:
                text = QUOTE.sub("", cell.source) if asked else cell.source
                yield Slide(heading, text=page.markdown(HEADING.sub("", text)))
        elif cell.cell_type == "code":
            outputs = list(page.outputs(cell))
            of = {kind: [said for k, said in outputs if k == kind] for kind, _ in outputs}
            # A film says more than the first frame of a live figure.
            shown = of.get("film", of.get("picture", []))[:1]
            answer = shown or [said for kind, said in outputs if kind in {"text", "printed"}]
            if (("slide" in marks and answer) or (asked and shown)) and "no-slide" not in marks:
                yield Slide(
                    heading,
                    question=page.markdown(asked) or "".join(of.get("question", [])),
                    answer="".join(answer),
                    sentence=page.markdown(reading(cells[number + 1 :])),
                )
            asked = "" if shown else asked


def link(target: str) -> str:
    """Lead from slides to slides; what else is in the course is not beside them."""
    if "://" in target:
        return target
    lesson = re.fullmatch(r"(\d\d)_\w+\.ipynb", target)
    return f"{lesson[1]}.html" if lesson else ""


def question_of(source: str) -> str:
    """Return the prediction that a text asks for, without its mark."""
    quoted = [line[1:].strip() for line in source.splitlines() if line.startswith(">")]
    asked = " ".join(quoted)
    return asked.replace(PREDICT, "").strip() if PREDICT in asked else ""


def reading(cells: list[Cell]) -> str:
    """Return the first sentences of the text after a picture, unless it begins something else."""
    after = next((cell for cell in cells if cell.cell_type == "markdown" or cell.outputs), None)
    if after is None or after.cell_type != "markdown" or after.source.startswith(("#", ">")):
        return ""
    return first_sentences(after.source.split("\n\n")[0])


def first_sentences(paragraph: str) -> str:
    """Return as many sentences as make `MOST_WORDS` words, and at least one."""
    formulas = FORMULA.findall(paragraph)
    sentences = SENTENCE.split(FORMULA.sub("\0", paragraph))
    kept = sentences[0]
    for sentence in sentences[1:]:
        if len(f"{kept} {sentence}".split()) > MOST_WORDS:
            break
        if sentence.endswith((".", "?", "!")):
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
    return made


def lessons() -> list[Path]:
    """Return the notebooks of the course."""
    return sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))


def main(arguments: list[str]) -> int:
    """Make the slides and say where they are."""
    for file, count in build([Path(a) for a in arguments] or lessons()).items():
        size = file.stat().st_size / 1e6
        print(f"{os.path.relpath(file)}: {count} slides, {size:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
