"""nbval notices what a reader would: other words, other alt texts, missing pictures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import nbformat
from nbformat import v4
from run_tests import NOTEBOOKS

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = [option for option in NOTEBOOKS if option.startswith("--nbval")]

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


SAVED = {
    "as_it_runs": [words("gap 0.001\n"), PICTURE],
    "other_text": [words("gap 0.002\n"), PICTURE],
    "other_alt_text": [words("gap 0.001\n"), other_alt("A line that falls from 1 to 0")],
    "no_picture": [words("gap 0.001\n")],
    "one_picture_more": [words("gap 0.001\n"), PICTURE, PICTURE],
}


def test_what_is_noticed(tmp_path):
    for name, outputs in SAVED.items():
        cell = v4.new_code_cell(SOURCE, execution_count=1, outputs=outputs)
        nbformat.write(v4.new_notebook(cells=[cell]), tmp_path / f"{name}.ipynb")
    report = tmp_path / "report.xml"
    # `-p conftest` because these notebooks do not lie below the conftest.py of the course.
    command = f"-m pytest -q -p conftest -p no:cacheprovider --rootdir {tmp_path} {tmp_path}"
    subprocess.run(
        [sys.executable, *command.split(), f"--junitxml={report}", *OPTIONS],
        cwd=ROOT,
        capture_output=True,
    )
    cases = list(ElementTree.parse(report).iter("testcase"))
    kept = {case.get("classname", "").split(".")[0] for case in cases if len(case) == 0}
    assert len(cases) == len(SAVED)
    assert kept == {"as_it_runs"}
