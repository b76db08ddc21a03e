"""nbval notices what a reader would: other words, other alt texts, missing pictures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import nbformat
from nbformat import v4
from run_tests import NBVAL

ROOT = Path(__file__).resolve().parents[2]

ALT = {"image/png": {"alt": "A line that rises from 0 to 1"}}
PICTURE = v4.new_output("display_data", {"image/png": "iVBORw0KGgo="}, metadata=ALT)
SOURCE = f"""\
print("gap 0.001")
display({{"image/png": "iVBORw0KGgo="}}, raw=True, metadata={ALT})"""


def words(text: str) -> nbformat.NotebookNode:
    return v4.new_output("stream", name="stdout", text=text)


def other_alt(alt: str) -> nbformat.NotebookNode:
    metadata = {"image/png": {"alt": alt}}
    return v4.new_output("display_data", {"image/png": "iVBORw0KGgo="}, metadata=metadata)


SAVED = {  # as outputs of SOURCE; only the first are
    "as it runs": [words("gap 0.001\n"), PICTURE],
    "other text": [words("gap 0.002\n"), PICTURE],
    "other alt text": [words("gap 0.001\n"), other_alt("A line that falls from 1 to 0")],
    "no picture": [words("gap 0.001\n")],
    "one picture more": [words("gap 0.001\n"), PICTURE, PICTURE],
}


def test_what_is_noticed(tmp_path):
    cells = [v4.new_code_cell(SOURCE, execution_count=1, outputs=saved) for saved in SAVED.values()]
    nbformat.write(v4.new_notebook(cells=cells), tmp_path / "cells.ipynb")
    report = tmp_path / "report.xml"
    # `-p conftest` because this notebook does not lie below the conftest.py of the course.
    command = f"-m pytest -q -p conftest -p no:cacheprovider --rootdir {tmp_path} {tmp_path}"
    subprocess.run(
        [sys.executable, *command.split(), f"--junitxml={report}", *NBVAL],
        cwd=ROOT,
        capture_output=True,
    )
    cases = list(ElementTree.parse(report).iter("testcase"))
    kept = [name for name, case in zip(SAVED, cases, strict=True) if len(case) == 0]
    assert kept == ["as it runs"]
