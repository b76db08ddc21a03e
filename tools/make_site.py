"""Make the course a folder of web pages that need nothing but a browser: make_site.py [FOLDER].

Every notebook becomes a page with its formulas and style inside; its pictures lie beside it and are
fetched when they come into sight. A live figure shows its presets (states.py). The pages link to
each other, to the source files the lessons show, to the slides and to the course that runs in the
browser if those have been made, and to a search whose index is made here.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import html
import io
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import nbformat
from cells import ROOT, TEMPLATES, WIDGET_VIEW, Cell, Page, coloured, embedded_font, words_of
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from PIL import Image
from states import AS_IT_OPENS, RATIO, State, all_states, figure_of, strip_below

from kernellab.page.course import LESSONS, Lesson

OUT = ROOT / "build" / "site"
SLIDES = ROOT / "build" / "slides"
LITE = ROOT / "build" / "lite"
NOTEBOOKS = ROOT / "notebooks"
DEMOS = NOTEBOOKS / "demos.ipynb"
ON_STAGE = ("**Show on the whole screen**", "kl.lecture()")  # what a page has not
THUMBNAIL = (480, 270)
SUMMARY = re.compile(r"<summary>.*?</summary>", re.DOTALL)  # what is pressed, and says nothing
HEADING = re.compile(r'<h([1-3]) id="([^"]*)">(.*?)</h\1>', re.DOTALL)
LIVE = '<div class="output is-live">'
IMAGE = re.compile(r'<img [^>]*?src="[./]*(pictures/[^"]+\.png)"')
EMBEDDED = re.compile(r'src="data:(?:image|video)/(\w+);base64,([^"]+)"')
APART = re.compile(r"\s{3,}|\n")  # between two phrases of a readout
NARROW = "(max-width: 45rem)"  # as in site.css

Section = tuple[str, str, str, str]  # where it is, its page, its heading, its words
Draw = Callable[[Iterable[str]], dict[str, list[State]]]


@dataclass(frozen=True)
class Made:
    """A page that is ready but for its frame."""

    url: str
    title: str
    body: str
    lesson: Lesson | None = None
    notebook: str = ""  # in which nothing moves here: its place in the course


def here() -> dict[Lesson, Path]:
    """Return the lessons that have been written, and their notebooks."""
    files = {lesson: NOTEBOOKS / lesson.file for lesson in LESSONS}
    return {lesson: file for lesson, file in files.items() if file.exists()}


class Site:
    """All pages, and the links between them."""

    def __init__(self, out: Path = OUT) -> None:
        self.out = out
        self.states: dict[str, list[State]] = {}
        self.lessons = {lesson: f"{file.stem}.html" for lesson, file in here().items()}
        self.pages: list[Made] = []
        # What a lesson links to besides lessons is brought along: its place here, and there.
        self.files: dict[Path, str] = {DEMOS: "demos.html"}
        self.todo: list[Path] = [DEMOS]

    def url_of(self, file: Path) -> str:
        """Where on the site a file of the course is to be found."""
        for lesson, url in self.lessons.items():
            if file == NOTEBOOKS / lesson.file:
                return url
        if file not in self.files:
            page = ".html" if file.suffix in {".ipynb", ".md", ".py"} else ""
            self.files[file] = f"files/{file.relative_to(ROOT).as_posix()}{page}"
            self.todo.append(file)
        return self.files[file]

    def page_for(self, file: Path, url: str) -> Page:
        """Return a renderer for a file that will be found at ``url``."""

        def link(target: str) -> str:
            parts = urlsplit(target)
            if parts.scheme or not parts.path:
                return target
            there = Path(os.path.normpath(file.parent / parts.path))
            if not there.is_file() or not there.is_relative_to(ROOT):
                raise ValueError(f"{file.relative_to(ROOT)}: the link {target} leads nowhere")
            return relative(self.url_of(there), url) + (
                f"#{parts.fragment}" if parts.fragment else ""
            )

        return Page(link)

    def cells(self, file: Path, url: str) -> str:
        """Render the cells of a notebook."""
        page = self.page_for(file, url)
        parts = []
        for cell in nbformat.read(file, as_version=4).cells:
            if file == DEMOS and any(words in cell.source for words in ON_STAGE):
                continue
            if cell.cell_type == "markdown":
                text = page.markdown(cell.source, cell.get("attachments"))
                parts.append(f'<div class="text">{self.beside(text, url)}</div>')
            elif cell.cell_type == "code" and not cell.source.startswith("kl.navigation("):
                parts.append(folded(cell.source.partition(".ask(")[0]))  # no answers for the hall
                shown = list(page.outputs(cell))
                live = any(kind == "live" for kind, _ in shown)
                states = self.states.get(figure_of(cell.source) or "", []) if live else []
                if states:
                    shown = list(moving(shown, states, lambda data: self.picture(data, url)))
                else:
                    shown = [(kind, self.narrower(cell, said, url)) for kind, said in shown]
                inner = "".join(f'<div class="{kind}">{said}</div>' for kind, said in shown)
                if inner:
                    inner = self.beside(inner, url)
                    parts.append(f'<div class="output{" is-live" * live}">{inner}</div>')
        return "\n".join(parts)

    def beside(self, markup: str, url: str) -> str:
        """Lay the pictures and films of a page beside it, to be fetched when they are in sight."""

        def moved(found: re.Match[str]) -> str:
            kept = self.keep(base64.b64decode(found[2]), found[1])
            return f'src="{relative(kept, url)}"'

        return EMBEDDED.sub(moved, markup).replace("<img ", '<img loading="lazy" ')

    def narrower(self, cell: Cell, said: str, url: str) -> str:
        """Give the picture of a strip another for narrow pages."""
        found = EMBEDDED.search(said)
        below = strip_below(cell.source, base64.b64decode(found[2])) if found else b""
        return (
            f"<picture>{source(below, self.picture(below, url))}{said}</picture>" if below else said
        )

    def picture(self, data: bytes, url: str) -> str:
        """Keep a picture; return its way from a page."""
        return relative(self.keep(data, "png"), url) if data else ""

    def keep(self, data: bytes, kind: str) -> str:
        """Write a file that pages share, once; return its place."""
        place = f"pictures/{hashlib.sha256(data).hexdigest()[:16]}.{kind}"
        file = self.out / place
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        return place

    def add_lesson(self, lesson: Lesson, url: str) -> None:
        """Make the page of a lesson."""
        title = f"{lesson.number} · {lesson.title}"
        body = self.cells(NOTEBOOKS / lesson.file, url)
        self.pages.append(Made(url, title, body, lesson, f"notebooks/{lesson.file}"))

    def add_file(self, file: Path, out: Path) -> None:
        """Render a notebook, source or text that a page links to, or copy what is none of them."""
        url = self.files[file]
        name = file.relative_to(ROOT).as_posix()
        if file.suffix == ".ipynb":
            body = self.cells(file, url)
            title = next((words_of(found[3]) for found in HEADING.finditer(body)), name)
            self.pages.append(Made(url, title, body, notebook=name))
        elif file.suffix == ".py":
            body = f'<h1 id="top">{name}</h1>' + coloured(file.read_text(encoding="utf-8"))
            self.pages.append(Made(url, name, body))
        elif file.suffix == ".md":
            body = self.page_for(file, url).markdown(file.read_text(encoding="utf-8"))
            self.pages.append(Made(url, name, f'<div class="text">{body}</div>'))
        else:
            (out / url).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, out / url)


def live_cells(notebooks: list[Path]) -> list[str]:
    """Return the cells that show a live figure."""
    return [
        cell.source
        for file in notebooks
        for cell in nbformat.read(file, as_version=4).cells
        if any(WIDGET_VIEW in output.get("data", {}) for output in cell.get("outputs", ()))
    ]


def folded(code: str) -> str:
    """Return code that a narrow page folds up; it says how much there is."""
    lines = code.count("\n") + 1
    length = f"{lines} lines" if lines > 1 else "1 line"
    summary = f"<span>Show the code</span><span>Hide the code</span> ({length})"
    return f'<details class="fold" open><summary>{summary}</summary>{coloured(code)}</details>'


def moving(
    shown: list[tuple[str, str]], states: list[State], keep: Callable[[bytes], str]
) -> Iterator[tuple[str, str]]:
    """Yield what a live figure put out, with its presets over the picture and its numbers under it.

    Without a program on the page each preset is a link to its picture.
    """
    said = dict(shown)
    first = states[0]
    alt = re.search(r'alt="([^"]*)"', said.get("picture", ""))
    if "question" in said:
        yield "question", said["question"]
    if len(states) > 1:
        yield "states", " ".join(preset(state, keep) for state in states)
    yield (
        "picture",
        f"<picture>{source(first.narrow, keep(first.narrow))}"
        f'<img src="{keep(first.wide)}" alt="{alt[1] if alt else ""}" '
        f'width="{first.width}" height="{first.height}" decoding="async"></picture>',
    )
    yield "numbers", numbers(first.readout)
    if "words" in said:
        yield "words", said["words"]


def source(narrow: bytes, place: str) -> str:
    """Return what names the picture for narrow pages, if there is one."""
    if not narrow:
        return ""
    width, height = size_of(narrow)
    return f'<source media="{NARROW}" srcset="{place}" width="{width}" height="{height}">'


def preset(state: State, keep: Callable[[bytes], str]) -> str:
    """Return the name of a state, with all that its picture needs."""
    told = {
        "narrow": keep(state.narrow),
        "size": f"{state.width} {state.height}",
        "narrow-size": " ".join(map(str, size_of(state.narrow))) if state.narrow else "",
        "numbers": numbers(state.readout),
        "alt": state.alt,
    }
    data = "".join(f' data-{name}="{html.escape(value)}"' for name, value in told.items())
    current = ' aria-current="true"' if state.name == AS_IT_OPENS else ""
    return f'<a href="{keep(state.wide)}"{current}{data}>{html.escape(state.name)}</a>'


def numbers(readout: str) -> str:
    """Return the phrases of a readout, each in one piece."""
    phrases = [phrase.strip() for phrase in APART.split(readout) if phrase.strip()]
    return "".join(f"<span>{html.escape(phrase)}</span> " for phrase in phrases)


def size_of(png: bytes) -> tuple[int, int]:
    """Return how wide and high a picture stands on the page, in CSS pixels."""
    with Image.open(io.BytesIO(png)) as image:
        return round(image.width / RATIO), round(image.height / RATIO)


def relative(url: str, start: str) -> str:
    """Return the way from one page of the site to another."""
    return os.path.relpath(url, PurePosixPath(start).parent).replace(os.sep, "/")


def sections(page: Made) -> list[Section]:
    """Return the headings of a page with the words up to the next one, for the search."""
    found = list(HEADING.finditer(page.body))
    ends = [heading.start() for heading in found[1:]] + [len(page.body)]
    return [
        (
            f"{page.url}#{html.unescape(heading[2])}",
            page.title,
            words_of(heading[3]),
            searchable(SUMMARY.sub(" ", page.body[heading.end() : end])),
        )
        for heading, end in zip(found, ends, strict=True)
    ]


def searchable(markup: str) -> str:
    """Return the words of a section, and the formulas within a line as one would type them."""
    markup = re.sub(r'<math display="block">.*?</math>', " … ", markup, flags=re.DOTALL)
    markup = re.sub(r"<mfrac[^>]*>(<mn>\w+</mn>)(<m[ni]>\w+</m[ni]>)</mfrac>", r"\1/\2", markup)
    return words_of(re.sub(r"<msup>(.*?)<mn>2</mn></msup>", r"\1²", markup))


def slides_of(page: Made, out: Path) -> str:
    """Return where the slides of a lesson are, or of all on a page that is none; "" if nowhere."""
    place = f"slides/{page.lesson.number if page.lesson else 'index'}.html"
    return place if (out / place).exists() else ""


def contents(body: str) -> list[dict[str, str]]:
    """Return the headings of the second level, with their anchors."""
    return [
        {"anchor": heading[2], "words": heading[3]}
        for heading in HEADING.finditer(body)
        if heading[1] == "2"
    ]


def with_ways_to_run(page: Made, root: str) -> str:
    """Return the text of a notebook; each section leads to itself in the course that runs."""

    def way(found: re.Match[str]) -> str:
        if found[1] != "2":
            return found[0]
        there = f"{root}lite/lab/index.html?path={page.notebook}#{found[2]}"
        return f'{found[0]}<p class="small run"><a href="{there}">Run it here</a></p>'

    return HEADING.sub(way, page.body)


def thumbnail(body: str, out: Path) -> str | None:
    """Return the first live figure of a lesson, or else its first picture, small, as a data URL."""
    found = IMAGE.search(body, max(0, body.find(LIVE)))
    if found is None:
        return None
    small = io.BytesIO()
    with Image.open(out / found[1]) as image:
        picture = image.convert("RGB")
    picture.thumbnail(THUMBNAIL)
    picture.save(small, "WEBP", quality=80)
    return f"data:image/webp;base64,{base64.b64encode(small.getvalue()).decode()}"


def build(
    out: Path = OUT,
    *,
    draw: Draw = all_states,
    slides: Path | None = None,
    lite: Path | None = None,
) -> list[Path]:
    """Make the site in a folder, anew, and return its pages.

    Live figures show the states that ``draw`` returns for their expressions. ``slides`` is a folder
    of slides to take in, ``lite`` one with the course that runs in the browser.
    Raises ValueError if the folder holds something else: what is in it would be lost.
    """
    if out.exists() and any(out.iterdir()) and not (out / "search.js").exists():
        raise ValueError(f"{out} holds something that is not a site; name an empty folder")
    site = Site(out)
    live = live_cells([*here().values(), DEMOS, *sorted(NOTEBOOKS.glob("further/*.ipynb"))])
    site.states = draw(filter(None, map(figure_of, live)))  # minutes: the old site stays till then
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    (out / "search.js").touch()  # by this a site is known, even if it is not finished
    if slides is not None and slides.is_dir():
        shutil.copytree(slides, out / "slides")
    if lite is not None and (lite / "versions.json").exists():
        shutil.copytree(lite, out / "lite")
    for lesson, url in site.lessons.items():
        site.add_lesson(lesson, url)
    n_lessons = len(site.pages)
    while site.todo:
        site.add_file(site.todo.pop(), out)

    templates = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, trim_blocks=True
    )
    font = embedded_font()
    lessons = [{"lesson": lesson, "url": url} for lesson, url in site.lessons.items()]
    written = []

    def write(template: str, page: Made, **more: Any) -> None:
        root = "../" * page.url.count("/")
        runs = (out / "lite" / "files" / page.notebook).is_file()
        text = templates.get_template(template).render(
            page=page,
            body=with_ways_to_run(page, root) if runs else page.body,
            lessons=lessons,
            root=root,
            slides=slides_of(page, out),
            lite=runs,
            font=font if "<math" in page.body else "",
            **more,
        )
        (out / page.url).parent.mkdir(parents=True, exist_ok=True)
        (out / page.url).write_text(text, encoding="utf-8")
        written.append(out / page.url)

    for number, page in enumerate(site.pages):
        before = lessons[number - 1] if page.lesson and number > 0 else None
        after = lessons[number + 1] if number + 1 < n_lessons else None
        write("lesson.html", page, contents=contents(page.body), before=before, after=after)
    cards = [
        {
            "lesson": lesson,
            "url": site.lessons.get(lesson),
            "picture": next(
                (thumbnail(p.body, out) for p in site.pages if p.lesson is lesson), None
            ),
        }
        for lesson in LESSONS
    ]
    write("index.html", Made("index.html", "kernellab", ""), cards=cards)

    index = [section for page in site.pages for section in sections(page)]
    search = (TEMPLATES / "search.js").read_text(encoding="utf-8")
    synonyms = json.loads((TEMPLATES / "synonyms.json").read_text(encoding="utf-8"))
    data, names = (
        json.dumps(table, ensure_ascii=False, separators=(",", ":")) for table in (index, synonyms)
    )
    (out / "search.js").write_text(
        f"const SECTIONS = {data};\nconst SYNONYMS = {names};\n{search}", encoding="utf-8"
    )
    return written


def main(arguments: list[str]) -> int:
    """Make the site and say where it is."""
    parser = argparse.ArgumentParser(description="Make the course a folder of web pages.")
    parser.add_argument("folder", nargs="?", type=Path, default=OUT)
    asked = parser.parse_args(arguments)
    out = asked.folder.resolve()
    pages = build(out, slides=SLIDES, lite=LITE)
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    print(f"{len(pages)} pages, {size / 1e6:.1f} MB: open {os.path.relpath(out / 'index.html')}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
