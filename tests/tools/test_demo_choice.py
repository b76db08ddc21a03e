"""Which demos an address asks for."""

import sys
from pathlib import Path

import nbformat
import pytest

TOOLS = Path(__file__).parents[2] / "tools"
sys.path.insert(0, str(TOOLS / "demos"))
from choice import DEMO, arranged, parts  # noqa: E402

NOTEBOOK = nbformat.read(TOOLS.parent / "notebooks/demos.ipynb", as_version=4)
NAMES = list(parts(NOTEBOOK)[1])


def made(notebook):
    """Return the demos of a notebook, as they follow each other."""
    return [found[1] for cell in notebook.cells if (found := DEMO.search(cell.source))]


def said(notebook):
    """Return the order that the page is told."""
    return next(c.source for c in notebook.cells if "kl-order" in c.source).split("'")[3].split()


def test_all_of_them_have_a_heading_a_title_and_notes():
    before, demos = parts(NOTEBOOK)
    assert len(demos) > 40 and "kl.lecture()" in before[-1].source
    for number, (heading, cell) in enumerate(demos.values(), start=1):  # as in the contents
        assert heading.source.startswith(f"## {number} · ")
        assert heading.source.partition(" · ")[2] in cell.source
        assert "notes=" in cell.source


@pytest.mark.parametrize(
    "demos, demo, shown, first",
    [
        ("", "", NAMES, NAMES[0]),
        ("", "KKT", NAMES, "KKT"),
        ("SoftMargin,kkt", "", ["SoftMargin", "KKT"], "SoftMargin"),
        ("SoftMargin, 2", "", ["SoftMargin", NAMES[1]], "SoftMargin"),
        ("SoftMargin,KKT", "KKT", ["SoftMargin", "KKT"], "KKT"),
        ("SoftMargin,KKT", "Hulls", ["SoftMargin", "KKT"], "SoftMargin"),
        ("KKT,KKT,__import__", "", ["KKT"], "KKT"),
        ("nothing of this", "nor this", NAMES, NAMES[0]),
    ],
)
def test_an_address_chooses(demos, demo, shown, first):
    notebook = arranged(NOTEBOOK, demos, demo)
    nbformat.validate(notebook)
    assert said(notebook) == shown
    assert sorted(made(notebook)) == sorted(shown)
    assert made(notebook)[0] == first
    assert [name for name in made(notebook) if name != first] == [n for n in shown if n != first]
