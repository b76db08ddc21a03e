"""What a student wrote, as formgrader may show it: it runs in the session of the teacher."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import nbformat
from nbconvert.filters import strip_files_prefix
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

PICTURES = ("image/png", "image/jpeg")
MOST_MARKDOWN = 10_000  # characters: reading brackets takes time with the square of their number
SCHEME = re.compile(
    r"(?:https?|mailto):|[^:/?#]*(?:[/?#]|$)|data:image/(?:png|jpeg);", re.IGNORECASE
)
LOADS = re.compile(r"\\(?:href|mmlToken|require|style)(?![a-z])", re.IGNORECASE)  # in a formula

Cell = Any  # nbformat's nodes are untyped


def text_cell(cell: Cell) -> Cell:
    """Return a cell of text that formgrader can show: with its pictures, or else as it was typed.

    Formgrader runs in the teacher's session, and would run a script, also one behind a link; of a
    picture that is named and not there it makes an error.
    """
    new = nbformat.v4.new_markdown_cell(text_of(cell))
    kept = cell.get("attachments")
    if isinstance(kept, dict) and kept and all(map(is_picture, kept.values())):
        new.attachments = kept
    if not is_harmless(new):
        fence = "`" * (1 + max(map(len, re.findall("`+", new.source)), default=2))
        new = nbformat.v4.new_markdown_cell(f"{fence}\n{new.source}\n{fence}")
    return new


class Plain(IPythonRenderer):
    """What makes HTML of a text for formgrader, but refuses HTML and diagrams in it."""

    def inline_html(self, html: str) -> str:
        """Refuse."""
        raise ValueError(html)

    block_html = inline_html

    def block_mermaidjs(self, code: str) -> str:
        """Refuse."""
        raise ValueError(code)


class Page(HTMLParser):
    """Reads what a text leads to, and its words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.words = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the links of a tag, without what a browser leaves out of them."""
        found = [value or "" for name, value in attrs if name in {"href", "src"}]
        self.links += [re.sub(r"[\0-\x20]", "", link) for link in found]

    def handle_data(self, data: str) -> None:
        """Keep words."""
        self.words += data


def is_harmless(cell: Cell) -> bool:
    """Say whether the page that formgrader makes of a text runs nothing, and can be made at all."""
    if len(cell.source) > MOST_MARKDOWN:
        return False
    renderer = Plain(escape=False, attachments=cell.get("attachments", {}))
    try:
        page = MarkdownWithMath(renderer).render(cell.source)
        found = Page(strip_files_prefix(page))  # type: ignore[no-untyped-call]
    except Exception:  # there is no end to what can be wrong with it
        return False
    return all(map(SCHEME.match, found.links)) and not LOADS.search(found.words)


def is_picture(bundle: Any) -> bool:
    """Say whether something attached to a cell can be shown."""
    return isinstance(bundle, dict) and any(mime in bundle for mime in PICTURES)


def text_of(cell: Cell) -> str:
    """Return what is in a cell, as text that can be written to a file."""
    return str(cell.source).encode("utf-8", "replace").decode("utf-8")
