"""Make notebooks/exercises, what a student gets, from notebooks/solutions.

The solutions are in nbgrader's markup. To write one, mark cells in JupyterLab by text and by tags:

    ### BEGIN SOLUTION … ### END SOLUTION            the answer, in a cell that defines one function
    ### BEGIN HIDDEN TESTS … ### END HIDDEN TESTS    below a check; with the tag points-3, say
    the tag "teacher"                                a cell that students do not get
    with exercises.….picture(…)                      its picture becomes the expected one, unless
                                                     the tag "spoiler" says that it tells too much

`make exercises` writes nbgrader's metadata into them, runs those that were not run from top to
bottom, and makes the exercises.
"""

from __future__ import annotations

import copy
import html
import re
import sys
from pathlib import Path
from typing import Any

import nbformat
import run_notebooks
from nbgrader import preprocessors as steps
from traitlets.config import Config

ROOT = Path(__file__).resolve().parent.parent
SOLUTIONS = ROOT / "notebooks" / "solutions"
EXERCISES = ROOT / "notebooks" / "exercises"

STUB = 'raise NotImplementedError("your turn")'
CONFIG = Config({"ClearSolutions": {"code_stub": {"python": STUB}}})
# What `nbgrader generate_assignment` does, in its order, without its database.
STEPS = (
    steps.LockCells,
    steps.ClearSolutions,
    steps.ClearOutput,
    steps.CheckCellMetadata,
    steps.ComputeChecksums,
    steps.ClearHiddenTests,
    steps.ClearMarkScheme,
    steps.ComputeChecksums,
    steps.CheckCellMetadata,
)
PICTURE = "image/png"
SAID = re.compile(r"\*\(\d+ points?\)\*")
POINTS = re.compile(r"points-(\d+)")

Notebook = Any  # nbformat's nodes are untyped
Cell = Any


def solutions() -> list[Path]:
    """Return the sources, in order."""
    return sorted(SOLUTIONS.glob("*.ipynb"))


# --- marking up ---------------------------------------------------------------------------------


def marked_up(notebook: Notebook) -> Notebook:
    """Return a copy with nbgrader's metadata on every cell that has an answer or hidden tests.

    The heading over a check gets the points that its tag gives.
    """
    notebook = copy.deepcopy(notebook)
    heading = None
    for cell in notebook.cells:
        if "### BEGIN SOLUTION" in cell.source:
            names = re.findall(r"^def (\w+)\(", cell.source, re.MULTILINE)
            if len(names) != 1:
                raise ValueError(f"an answer must define one function, got {names or cell.source}")
            cell.metadata.nbgrader = mark(names[0], solution=True)
        elif "### BEGIN HIDDEN TESTS" in cell.source:
            (name,) = set(re.findall(r"exercises\.(\w+)\.check\(", cell.source))
            cell.metadata.nbgrader = mark(f"{name}_check", points=points(cell))
            if heading:
                words = f"*({points(cell)} point{'s' * (points(cell) != 1)})*"
                heading.source = SAID.sub(words, heading.source)
        elif SAID.search(cell.source):
            heading = cell
    return notebook


def mark(grade_id: str, *, solution: bool = False, points: int = 0) -> dict[str, Any]:
    """Return what nbgrader keeps with a cell."""
    common = {"grade_id": grade_id, "schema_version": 3, "task": False, "solution": solution}
    if solution:
        return {**common, "grade": False, "locked": False}
    return {**common, "grade": True, "locked": True, "points": points}


def points(cell: Cell) -> int:
    """Return the points that a tag of the cell gives."""
    found = [int(match[1]) for tag in tags(cell) if (match := POINTS.fullmatch(tag))]
    if len(found) != 1:
        raise ValueError(f"give this check one tag such as points-3: {cell.source}")
    return found[0]


def tags(cell: Cell) -> list[str]:
    """Return the tags of a cell."""
    return list(cell.metadata.get("tags", []))


# --- the student's version ----------------------------------------------------------------------


def source(notebook: Notebook) -> Notebook:
    """Return what nbgrader starts from: no cells for the teacher, pictures as they should look."""
    notebook = copy.deepcopy(notebook)
    cells = []
    for cell in notebook.cells:
        if "teacher" in tags(cell):
            continue
        if ".picture(" in cell.source and "spoiler" not in tags(cell):
            cells.append(expected_picture(cell))
        cell.metadata.pop("tags", None)
        cells.append(cell)
    notebook.cells = cells
    return notebook


def expected_picture(cell: Cell) -> Cell:
    """Return a text cell that holds the picture of a solved exercise, with its words."""
    outputs = [output for output in cell.outputs if PICTURE in output.get("data", {})]
    if len(outputs) != 1:
        raise ValueError(f"this cell must have been run, and show one picture: {cell.source}")
    output = outputs[0]
    alt = output.metadata[PICTURE]["alt"]
    image = f"![{alt}](attachment:expected.png)"
    words = f"<details><summary>In words</summary>{html.escape(alt)}</details>"
    text = f"**Expected picture**; the cell below draws yours.\n\n{image}\n\n{words}"
    new = nbformat.v4.new_markdown_cell(text, id=f"{cell.id[:50]}-expected")
    new.attachments = {"expected.png": {PICTURE: output.data[PICTURE].replace("\n", "")}}
    return new


def released(notebook: Notebook) -> Notebook:
    """Return the student's version of a solutions notebook."""
    notebook = source(notebook)
    resources: dict[str, Any] = {}
    for step in STEPS:
        notebook, resources = step(config=CONFIG).preprocess(notebook, resources)
    return notebook


def read(path: Path) -> Notebook:
    """Read a notebook."""
    return nbformat.read(path, as_version=4)


def write(notebook: Notebook, path: Path) -> None:
    """Write a notebook, checked."""
    nbformat.validate(notebook)
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def has_run(notebook: Notebook) -> bool:
    """Whether all cells were run, in order."""
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    return counts == list(range(1, len(counts) + 1))


def main() -> int:
    """Write all exercises, and remove those whose solutions are gone."""
    for path in solutions():
        notebook = marked_up(read(path))
        write(notebook, path)
        if not has_run(notebook) and run_notebooks.main([str(path)]):
            return 1
        notebook = read(path)
        write(released(notebook), EXERCISES / path.name)
        graded = [c.metadata.nbgrader.points for c in notebook.cells if is_graded(c)]
        print(f"{path.name}: {len(graded)} exercises, {sum(graded)} points")
    for path in EXERCISES.glob("*.ipynb"):
        if not (SOLUTIONS / path.name).exists():
            path.unlink()
    return 0


def is_graded(cell: Cell) -> bool:
    """Whether a cell gives points."""
    return bool(cell.metadata.get("nbgrader", {}).get("grade", False))


if __name__ == "__main__":
    sys.exit(main())
