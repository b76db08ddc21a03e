"""What a committed notebook must be, checked without running it: notebook_rules.py NOTEBOOK …

Each rule takes a notebook and returns its complaints, none if it is kept. With --count it prints
instead what there is to read, and the words of each text cell, as a reader counts them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import nbformat

MAX_BYTES = 2_500_000
MAX_CODE_LINES = 15
MAX_WORDS = 140
MIN_ALT_CHARACTERS = 20
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"

PREDICTION = re.compile(r"\*\*?Predict")

Cell = Any  # nbformat's nodes are untyped
Complaints = list[str]


@dataclass(frozen=True)
class Notebook:
    """A notebook and where it lies, which its relative links start from."""

    path: Path
    node: Any

    def cells(self, kind: str) -> Iterator[tuple[int, Cell]]:
        """Yield the cells of one kind with their numbers, counted from 1."""
        for number, cell in enumerate(self.node.cells, start=1):
            if cell.cell_type == kind:
                yield number, cell


def read(path: Path) -> Notebook:
    """Read a notebook as it is, without repairing it."""
    return Notebook(path, nbformat.read(path, as_version=nbformat.NO_CONVERT))


# --- how it was run ----------------------------------------------------------------------------


def valid(notebook: Notebook) -> Complaints:
    """Jupyter's own format, version 4.5 or later (cells have ids)."""
    version = (notebook.node.nbformat, notebook.node.nbformat_minor)
    if version < (4, 5):
        return [f"is in notebook format {version[0]}.{version[1]}, 4.5 is needed"]
    try:
        nbformat.validate(notebook.node)
    except nbformat.ValidationError as error:
        return [f"is not a valid notebook: {error.message}"]
    return []


def run_in_order(notebook: Notebook) -> Complaints:
    """Every code cell run once, from the top, in a fresh kernel: counts 1, 2, 3, …"""
    counts = [cell.execution_count for _, cell in notebook.cells("code")]
    expected = list(range(1, len(counts) + 1))
    return [] if counts == expected else [f"was not run from top to bottom: counts are {counts}"]


def errors_are_announced(notebook: Notebook) -> Complaints:
    """A cell ends with an error if, and only if, its tag says that it raises one."""
    complaints = []
    for number, cell in notebook.cells("code"):
        errors = [f"{o.ename}: {o.evalue}" for o in cell.outputs if o.output_type == "error"]
        announced = "raises-exception" in tags(cell)
        if errors and not announced:
            complaints.append(f"cell {number} ended with {errors[0]}")
        if announced and cell.execution_count is not None and not errors:
            complaints.append(f"cell {number} is tagged raises-exception and raised none")
    return complaints


def strictly_compared(notebook: Notebook) -> Complaints:
    """No cell tells nbval to look away."""
    marker = re.compile(r"nbval[-_](skip|ignore[-_]output)", re.IGNORECASE)
    return [
        f"cell {number} opts out of the comparison of outputs"
        for number, cell in notebook.cells("code")
        if any(marker.search(text) for text in [cell.source, *tags(cell)])
    ]


def no_widget_state(notebook: Notebook) -> Complaints:
    """Widgets are made by running the notebook; a saved state of them only grows old."""
    return ["holds widget state in its metadata"] if "widgets" in notebook.node.metadata else []


def small(notebook: Notebook) -> Complaints:
    """Small enough for a repository and a slow line."""
    size = len(nbformat.writes(notebook.node).encode())
    return [f"has {size / 1e6:.1f} MB, {MAX_BYTES / 1e6} are allowed"] if size > MAX_BYTES else []


# --- what is in its outputs --------------------------------------------------------------------

MACHINE = {
    "a memory address": re.compile(r"\b0x[0-9a-fA-F]{6,}\b"),
    "a path of one machine": re.compile(
        r"(?<![\w.:/])/(?:home|root|Users|tmp|var|usr|opt|mnt|srv|work|workspace|private|builds?)/\w"
        r"|\b[A-Za-z]:\\+(?:Users|Windows|Program|Temp)"
    ),
}


def nothing_of_this_machine(notebook: Notebook) -> Complaints:
    """No addresses and no paths of one machine (which carry the name of its user)."""
    return [
        f"cell {number} shows {what}: {found.group()}"
        for number, cell in notebook.cells("code")
        for text in [cell.source, *map("\n".join, map(output_texts, cell.outputs))]
        for what, pattern in MACHINE.items()
        if (found := pattern.search(text))
    ]


def output_texts(output: Cell) -> list[str]:
    """Everything an output says in letters: not images, not widget models."""
    said = [output.get(key, "") for key in ("text", "ename", "evalue")]
    said += output.get("traceback", [])
    for mime, value in output.get("data", {}).items():
        if mime != WIDGET_VIEW and (not mime.startswith("image/") or mime == "image/svg+xml"):
            said.append(str(value))
    return said


def pictures_have_alt_text(notebook: Notebook) -> Complaints:
    """Every picture says in words what it shows."""
    complaints = []
    for number, cell in notebook.cells("code"):
        for output in cell.outputs:
            for mime in image_types(output):
                alt = output.metadata.get(mime, {}).get("alt", "").strip()
                if len(alt) < MIN_ALT_CHARACTERS:
                    complaints.append(f"cell {number}: its {mime} has the alt text {alt!r}")
    for number, cell in notebook.cells("markdown"):
        text = without_code(cell.source)
        alts = [m[1] for m in re.finditer(r"!\[(.*?)\]", text, re.DOTALL)]
        for image in re.findall(r"<img\b[^>]*>", text):
            named = re.search(r"""\balt=(["'])(.*?)\1""", image)
            alts.append(named[2] if named else "")
        if not all(alt.strip() for alt in alts):
            complaints.append(f"cell {number}: a picture in the text has no alt text")
    return complaints


def pictures_before_widgets(notebook: Notebook) -> Complaints:
    """A live figure comes after a still of itself, for readers who run nothing."""
    complaints = []
    for number, cell in notebook.cells("code"):
        pictured = False
        for output in cell.outputs:
            pictured = pictured or bool(image_types(output))
            if WIDGET_VIEW in output.get("data", {}):
                if not pictured:
                    complaints.append(f"cell {number}: a widget without a picture before it")
                pictured = False
    return complaints


def image_types(output: Cell) -> list[str]:
    """Return the image formats an output comes in."""
    return [mime for mime in output.get("data", {}) if mime.startswith("image/")]


# --- how it reads ------------------------------------------------------------------------------


def short_code(notebook: Notebook) -> Complaints:
    """A code cell fits on half a screen; blank lines and comments are free."""
    complaints = []
    for number, cell in notebook.cells("code"):
        lines = [line.strip() for line in cell.source.splitlines()]
        count = sum(bool(line) and not line.startswith("#") for line in lines)
        if count > MAX_CODE_LINES:
            complaints.append(f"cell {number} has {count} lines of code, at most {MAX_CODE_LINES}")
    return complaints


def short_text(notebook: Notebook) -> Complaints:
    """A text cell can be read in a minute; formulas, code and tables are free."""
    complaints = []
    for number, cell in notebook.cells("markdown"):
        count = len(prose(cell.source).split())
        if count > MAX_WORDS:
            complaints.append(f"cell {number} has {count} words, at most {MAX_WORDS}")
    return complaints


def prose(text: str) -> str:
    """Return the words of a markdown cell: without formulas, code, tables, tags or links."""
    text = without_code(text)
    text = re.sub(r"\$\$.*?\$\$|\\begin\{(\w+\*?)\}.*?\\end\{\1\}", " ", text, flags=re.DOTALL)
    text = re.sub(r"(?<![\\$])\$[^$\n][^$]*?\$", " ", text)
    text = re.sub(r"^\s*\|.*$", " ", text, flags=re.MULTILINE)
    text = re.sub(r"<[^>]*>", " ", text, flags=re.DOTALL)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return re.sub(r"(?<!\w)[^\w\s]+(?!\w)", " ", text)


def without_code(text: str) -> str:
    """Drop fenced and inline code, whose brackets and words are not the text's own."""
    text = re.sub(r"^(```+|~~~+).*?^\1", " ", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"(`+).+?\1", " ", text, flags=re.DOTALL)


def links_lead_somewhere(notebook: Notebook) -> Complaints:
    """Every relative link points at a file of the course."""
    complaints = []
    for number, cell in notebook.cells("markdown"):
        text = without_code(cell.source)
        targets = re.findall(r"\]\(\s*<?([^)\s>]+)", text)
        targets += re.findall(r"^\[[^\]]+\]:\s*<?([^\s>]+)", text, re.MULTILINE)
        targets += [m[1] for m in re.findall(r"""\b(?:href|src)=(["'])(.*?)\1""", text)]
        for target in targets:
            url = urlsplit(target)
            file = unquote(url.path)
            if url.scheme == "attachment":
                found = file in cell.get("attachments", {})
            else:
                found = bool(url.scheme) or (notebook.path.parent / file).exists()
            if not found:
                complaints.append(f"cell {number}: the link {target} leads nowhere")
    return complaints


def counts(notebook: Notebook) -> dict[str, int]:
    """Count what there is to read in a notebook.

    Words are whatever white space separates in the text cells, formulas and tables included;
    comments in code are free.
    """
    text = [cell.source for _, cell in notebook.cells("markdown")]
    code = [cell for _, cell in notebook.cells("code")]
    lines = [
        [line for line in cell.source.splitlines() if line.strip() and line.strip()[0] != "#"]
        for cell in code
    ]
    return {
        "cells": len(notebook.node.cells),
        "words": sum(len(words.split()) for words in text),
        "lines": sum(map(len, lines)),
        "figures": sum(WIDGET_VIEW in str(cell.outputs) for cell in code),
        "predictions": sum(len(PREDICTION.findall(words)) for words in text),
        "lines a cell": max(map(len, lines), default=0),
        "asserts": sum(line.lstrip().startswith("assert ") for cell in lines for line in cell),
    }


def tags(cell: Cell) -> list[str]:
    """Return the tags of a cell."""
    return list(cell.metadata.get("tags", []))


RULES: tuple[Callable[[Notebook], Complaints], ...] = (
    valid,
    run_in_order,
    errors_are_announced,
    strictly_compared,
    no_widget_state,
    small,
    nothing_of_this_machine,
    pictures_have_alt_text,
    pictures_before_widgets,
    short_code,
    short_text,
    links_lead_somewhere,
)


def count(arguments: list[str]) -> int:
    """Print what there is to read in each notebook, and its text cells, the longest first."""
    for argument in arguments:
        notebook = read(Path(argument))
        print(argument, "".join(f"{n:6} {what}" for what, n in counts(notebook).items()))
        cells = [(len(c.source.split()), number) for number, c in notebook.cells("markdown")]
        print("   words (cell):", ", ".join(f"{n} ({at})" for n, at in sorted(cells)[::-1]))
    return 0


def main(arguments: list[str]) -> int:
    """Print the complaints about the notebooks that are named."""
    if arguments[:1] == ["--count"]:
        return count(arguments[1:])
    complaints = [
        f"{argument}: {complaint}"
        for argument in arguments
        for rule in RULES
        for complaint in rule(read(Path(argument)))
    ]
    print("\n".join(complaints) or "All rules kept.")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
