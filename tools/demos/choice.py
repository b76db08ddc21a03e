"""Which demos a page shows, and which of them is made first.

``?demos=SoftMargin,KKT`` are two, in this order; ``?demo=KKT`` is all of them, and that one is
there first: a page that is loaded again need not wait for those before it. A demo is called as its
class, or by its number in the contents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import nbformat
from nbformat import NotebookNode, v4

DEMO = re.compile(r"^\w+\.(\w+)\(.*\)\.ask\(", re.MULTILINE)


def parts(notebook: NotebookNode) -> tuple[list[Any], dict[str, list[Any]]]:
    """Return the cells before the first demo, and those of each: its heading, and what makes it."""
    before: list[Any] = []
    demos: dict[str, list[Any]] = {}
    waiting: list[Any] = []
    for cell in notebook.cells:
        found = DEMO.search(cell.source) if cell.cell_type == "code" else None
        if found:
            demos[found[1]] = [*waiting, cell]
            waiting = []
        elif cell.cell_type == "code":
            before += [*waiting, cell]
            waiting = []
        else:
            waiting.append(cell)
    return before, demos


def order(names: Sequence[str], asked: str) -> list[str]:
    """Return the demos that are asked for, "KKT,11", in that order; all, if there are none."""
    called = {name.lower(): name for name in names}
    numbered = {str(k): name for k, name in enumerate(names, start=1)}
    words = [word.strip() for word in asked.split(",")]
    found = [called.get(word.lower()) or numbered.get(word) for word in words]
    return list(dict.fromkeys(name for name in found if name)) or list(names)


def arranged(notebook: NotebookNode, demos: str = "", demo: str = "") -> NotebookNode:
    """Return the notebook with the demos that are asked for, the one that is to be first first.

    A line of the page says how they follow each other there.
    """
    before, cells = parts(notebook)
    names = order(list(cells), demos)
    first = [name for name in names if name == demo]
    made = [*first, *(name for name in names if name not in first)]
    said = f"<meta name='kl-order' content='{' '.join(names)}'>"
    line = v4.new_code_cell(f'from IPython.display import HTML\nHTML("{said}")')
    arranged: NotebookNode = nbformat.from_dict(
        {**notebook, "cells": [*before, line, *(cell for name in made for cell in cells[name])]}
    )
    return arranged


def chosen(handler: Any, notebook: NotebookNode, cwd: str) -> NotebookNode:
    """Arrange the notebook as the address of the page asks for."""
    asked = {name: handler.get_argument(name, "") for name in ("demos", "demo")}
    return arranged(notebook, **asked)
