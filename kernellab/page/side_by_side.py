"""Two pieces of the package's own code side by side, with what differs marked."""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Callable
from difflib import SequenceMatcher
from typing import Any

from kernellab.page.source import Source

MARK = '<mark style="background: #fff0c2; color: inherit; font-weight: bold">{}</mark>'
PRE = '<pre style="font-size: 11px; white-space: pre">{}</pre>'
CELL = '<td style="text-align: left; vertical-align: top; padding: 0 0.5em">{}</td>'


class SideBySide:
    """The sources of two functions or classes as a table of two columns, each with its title."""

    def __init__(
        self,
        left: Callable[..., Any],
        right: Callable[..., Any],
        titles: tuple[str, str],
        lines: bool = False,
    ) -> None:
        self.codes = tuple(bare(Source(thing).code).rstrip("\n") for thing in (left, right))
        self.titles, self.lines = titles, lines

    def __repr__(self) -> str:
        parts = zip(self.titles, self.codes, strict=True)
        return "\n\n".join(f"# {title}\n{code}" for title, code in parts)

    def _repr_html_(self) -> str:
        columns = [
            CELL.format(PRE.format(code))
            for code in marked(self.codes[0], self.codes[1], self.lines)
        ]
        heads = [CELL.format(f"<strong>{html.escape(title)}</strong>") for title in self.titles]
        return f"<table><tr>{''.join(heads)}</tr><tr>{''.join(columns)}</tr></table>"


def side_by_side(
    left: Callable[..., Any],
    right: Callable[..., Any],
    titles: tuple[str, str] = ("before", "after"),
    *,
    lines: bool = False,
) -> SideBySide:
    """Show the sources of two functions side by side; raises ValueError if one has none.

    What differs is marked: words, or whole ``lines``.

    Taught in notebook 03.
    """
    return SideBySide(left, right, titles, lines)


def bare(code: str) -> str:
    """Return a function without decorators, annotations and docstring: what is left, it does."""
    function = ast.parse(code).body[0]
    if not isinstance(function, ast.FunctionDef):
        return code
    for argument in ast.walk(function.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    first = function.body[ast.get_docstring(function) is not None]
    body = "\n".join(code.splitlines()[first.lineno - 1 :])
    return f"def {function.name}({ast.unparse(function.args)}):\n{body}"


def marked(left: str, right: str, lines: bool = False) -> tuple[str, str]:
    """Return both texts as HTML, with the words, or lines, that only one of them has marked."""
    pattern = r"(?m)^ +|[^\n]+|\n" if lines else r"\w+|\W"
    a, b = (re.findall(pattern, text) for text in (left, right))
    out: tuple[list[str], list[str]] = ([], [])
    for kind, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        for side, words in ((0, a[i:j]), (1, b[k:m])):
            text = html.escape("".join(words), quote=False)
            out[side].append(text if kind == "equal" or not text.strip() else MARK.format(text))
    return "".join(out[0]), "".join(out[1])
