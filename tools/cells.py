"""Notebook cells as plain, accessible HTML: what the site and the slides are made of.

Formulas become MathML when the page is made: screen readers read it, and on the site the browser
draws it, without a program on the page; on slides MathJax does. Pictures are part of the page, with
the alternative text of their output.
"""

from __future__ import annotations

import base64
import html
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from math_core import LatexError, LatexToMathML
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from PIL import Image
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "tools" / "templates"
VENDOR = ROOT / "tools" / "vendor"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
# A line does not break between a formula and the bracket or stop that belongs to it.
BEFORE_STOP = re.compile(
    r"[(\[]?<math>(?:(?!</math>).)*</math>[.,;:!?)\]’]+|[(\[]<math>(?:(?!</math>).)*</math>",
    re.DOTALL,
)
VIDEO = re.compile(r"<video\b.*?</video>", re.DOTALL)
ANSI = re.compile(r"\x1b\[[0-9;]*m")

Cell = Any  # nbformat's nodes are untyped
Link = Callable[[str], str]

_latex = LatexToMathML(fancy_error=False)


def mathml(formula: str, *, display: bool) -> str:
    """Return a LaTeX formula as MathML; raises ValueError for one that cannot be read."""
    try:
        said = _latex.convert_with_local_state(formula.strip(), displaystyle=display)
    except LatexError as error:
        raise ValueError(f"the formula {formula} cannot be read: {error}") from None
    if not display:
        return said
    return f'<span class="formula scrolls">{said}</span>'  # it may stand inside a paragraph


def coloured(code: str, language: str = "python") -> str:
    """Return code as HTML in which the kinds of words have classes."""
    inner = highlight(code, get_lexer_by_name(language), HtmlFormatter(nowrap=True))
    return f'<pre class="code scrolls"><code>{inner.rstrip()}</code></pre>'


def words_of(markup: str) -> str:
    """Return the words of HTML, with the alternative texts of its pictures."""
    markup = re.sub(r'<img [^>]*?alt="([^"]*)"[^>]*>', r" \1 ", markup)
    markup = re.sub(r"</(?:p|li|h\d|td|th|pre|div|summary)>", " ", markup)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", markup)).split())


class Page:
    """Renders the cells of one page: its links are rewritten, its headings can be linked to.

    Parameters
    ----------
    link
        Says where a link of the notebook leads from the page; nowhere is "".
    """

    def __init__(self, link: Link) -> None:
        self.link = link
        self.anchors: set[str] = set()

    def markdown(self, source: str, attachments: dict[str, Any] | None = None) -> str:
        """Return Markdown with formulas as HTML, and with the pictures attached to its cell."""
        said = str(MarkdownWithMath(renderer=_Words(self, attachments or {})).render(source))
        said = BEFORE_STOP.sub(r'<span class="together">\g<0></span>', said)
        said = said.replace("<table>", '<div class="wide scrolls"><table>')
        return said.replace("</table>", "</table></div>")

    def anchor(self, words: str) -> str:
        """Return a new name for a heading, the one that JupyterLab gives it."""
        name = base = words.replace(" ", "-")
        count = 1
        while name in self.anchors:
            count += 1
            name = f"{base}-{count}"
        self.anchors.add(name)
        return name

    def outputs(self, cell: Cell) -> Iterator[tuple[str, str]]:
        """Yield what a code cell put out, in order, as pairs of a kind and HTML.

        Kinds are "picture", "film", "question", "live" (the place of a widget), "words" (a picture
        in words), "text" and "printed". A still that stands for a film where none can be played
        is left out where it can.
        """
        found = list(self._all_outputs(cell))
        filmed = any(kind == "film" for kind, _ in found)
        yield from (o for o in found if not (filmed and o[0] == "picture"))

    def _all_outputs(self, cell: Cell) -> Iterator[tuple[str, str]]:
        for output in cell.get("outputs", ()):
            if output.output_type == "stream":
                yield "printed", printed(output.text)
            elif output.output_type == "error":
                yield "printed", printed("\n".join(output.traceback))
            else:
                yield from self._rich(output)

    def _rich(self, output: Cell) -> Iterator[tuple[str, str]]:
        data = output.data
        image = next((mime for mime in data if re.fullmatch("image/(png|jpeg|gif)", mime)), None)
        if WIDGET_VIEW in data:
            yield "live", f'<p class="live-here">{html.escape(data.get("text/plain", ""))}</p>'
        elif "text/html" in data:
            yield from self._html(data["text/html"], output.metadata)
        elif "text/markdown" in data:
            yield "text", self.markdown(data["text/markdown"])
        elif image:
            said = output.metadata.get(image, {})
            yield "picture", picture(image, data[image], said.get("alt", ""), said.get("width"))
        elif data.get("text/plain"):
            yield "printed", printed(data["text/plain"])

    def _html(self, markup: str, metadata: Any) -> Iterator[tuple[str, str]]:
        markup = re.sub(r"<style\b.*?</style>", "", markup, flags=re.DOTALL).strip()
        if video := VIDEO.search(markup):
            yield "film", film(video[0], metadata.get("text/html", {}).get("alt", ""))
            markup = markup.replace(video[0], "").strip()
        if "kl-question" in markup:
            yield "question", markup
        elif "kl-words" in markup:
            yield "words", markup
        elif markup:
            yield "text", f'<div class="wide scrolls">{markup}</div>'


class _Words(IPythonRenderer):
    """Markdown with MathML, our links, and anchors on headings."""

    def __init__(self, page: Page, attachments: dict[str, Any]) -> None:
        super().__init__(escape=False, exclude_anchor_links=True, attachments=attachments)
        self.page = page

    def inline_math(self, body: str) -> str:
        return mathml(body, display=False)

    def block_math(self, body: str) -> str:
        return mathml(body, display=True)

    def latex_environment(self, name: str, body: str) -> str:
        return mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", display=True)

    def block_code(self, code: str, info: str | None = None) -> str:
        return coloured(code, info.split()[0] if info else "text")

    def link(self, text: str, url: str, title: str | None = None) -> str:
        there = self.page.link(url)
        return super().link(text, there, title) if there else text

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        name = html.escape(self.page.anchor(words_of(text)))
        return f'<h{level} id="{name}">{text}</h{level}>\n'


def printed(text: str) -> str:
    """Return what a cell printed, without the colours of a terminal."""
    return f'<pre class="printed scrolls">{html.escape(ANSI.sub("", text).rstrip())}</pre>'


def picture(mime: str, data: str, alt: str, width: int | None) -> str:
    """Return a picture as a part of the page, with its place kept before it is decoded."""
    data = data.replace("\n", "")
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        pixels = image.size
    shown = width or pixels[0]
    height = round(shown * pixels[1] / pixels[0])
    return (
        f'<img src="data:{mime};base64,{data}" alt="{html.escape(alt)}" '
        f'width="{shown}" height="{height}" decoding="async">'
    )


def film(markup: str, alt: str) -> str:
    """Return a video that starts when the reader says so, and is named for who does not see it."""
    opening = re.sub(r'\sautoplay(?:="[^"]*")?(?=[\s>])', "", markup[: markup.index(">") + 1])
    wanted = {"controls": "controls", "aria-label": f'aria-label="{html.escape(alt)}"'}
    missing = [said for name, said in wanted.items() if f" {name}" not in opening]
    opening = opening.replace("<video", " ".join(["<video", "playsinline", *missing]), 1)
    return opening + markup[markup.index(">") + 1 :]


def tags(cell: Cell) -> list[str]:
    """Return the tags of a cell."""
    return list(cell.metadata.get("tags", []))


def embedded_font() -> str:
    """Return the style sheet that brings the font of formulas along."""
    font = (VENDOR / "stix-two-math" / "stix-two-math.woff2").read_bytes()
    return (
        '@font-face { font-family: "STIX Two Math"; font-display: block; '
        f'src: url("data:font/woff2;base64,{base64.b64encode(font).decode()}") format("woff2"); }}'
    )
