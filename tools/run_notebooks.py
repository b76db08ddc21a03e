"""Run notebooks in place so that the same code gives the same file: run_notebooks.py [NOTEBOOK …].

Without arguments all of them, except those in notebooks/exercises, whose stubs fail on purpose.
What differs from run to run is not saved: no widget state, no timings, no random widget ids, no
version of Python.

With --hall FOLDER they stay as they are, and the folder gets copies whose pictures are those of a
lecture hall, for slides, with the presets that the metadata of a live figure names in "slides".
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).resolve().parent.parent
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
CLOCK = re.compile(r"yours \d+\.\d+ s")  # see nbval_sanitize.cfg
FIGURE = re.compile(r"\b([a-z]+\.[A-Z]\w+)\((.*)\)")
KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
# On a projector a still is about twice as large as at the desk.
HALL = {"KERNELLAB_LECTURE": "1", "KERNELLAB_STILL_RATIO": "2"}


def run(path: Path, hall: Path | None = None) -> None:
    """Run one notebook from its first cell and save it cleaned.

    With a folder `hall` it is run for a lecture hall, and saved there.
    """
    notebook = nbformat.read(path, as_version=4)
    if hall:
        notebook.cells = list(with_presets(notebook.cells))
    execute(notebook, path.parent, HALL if hall else {})
    nbformat.validate(notebook)
    if hall:
        hall.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, (hall or path.parent) / path.name)


def with_presets(cells: list[Any]) -> Iterator[Any]:
    """Yield cells, and after a live figure, set as in its cell, its presets for slides."""
    for cell in cells:
        yield cell
        names = cell.metadata.get("slides")
        if names and (figure := FIGURE.search(cell.source)):
            name, settings = figure.groups()
            named = ", ".join([*map(repr, names), *filter(None, [settings])])
            yield nbformat.v4.new_code_cell(f"{name}.strip({named})")


def execute(notebook: Any, folder: Path, env: Mapping[str, str]) -> None:
    """Run all cells in a fresh kernel that starts in `folder`, and clean what they put out."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC})
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=300,
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    ).execute(env={**os.environ, **env})
    clean(notebook)


def clean(notebook: Any) -> None:
    """Remove from a notebook what belongs to one run or to one machine."""
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": KERNELSPEC, "language_info": {"name": "python"}}
    )
    views = 0
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", ()):
            if output.output_type == "stream":
                output.text = CLOCK.sub("yours … s", output.text)
            view = output.get("data", {}).get(WIDGET_VIEW)
            if view is not None:  # its id is random and means nothing without the kernel
                views += 1
                view["model_id"] = f"{views:032x}"


def all_notebooks() -> list[Path]:
    """Return the notebooks that have to run without an error."""
    return [
        path
        for path in sorted((ROOT / "notebooks").rglob("*.ipynb"))
        if not {"exercises", ".ipynb_checkpoints"} & set(path.parts)
    ]


def main(arguments: list[str]) -> int:
    """Run the notebooks, each in a fresh kernel; keep the old file where a cell fails."""
    parser = argparse.ArgumentParser()
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument("--hall", type=Path, metavar="FOLDER")
    asked = parser.parse_args(arguments)
    paths = [path.resolve() for path in asked.notebooks] or all_notebooks()
    if not paths:
        print("There are no notebooks in notebooks/.")
    failed = 0
    # The start-up files and history of whoever runs this stay out of it.
    with tempfile.TemporaryDirectory() as folder:
        os.environ["IPYTHONDIR"] = folder
        for path in paths:
            start = time.perf_counter()
            try:
                run(path, asked.hall)
            except CellExecutionError as error:
                failed += 1
                print(f"{path.name}: failed, left as it was\n{error}", flush=True)
            else:
                print(f"{path.name}: {time.perf_counter() - start:.1f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
