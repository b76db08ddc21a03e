"""What the browser loads, loaded in Node: every solver, figures, and an endless loop."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from distribution import NotToBeHadError, distribution
from lite import build

HERE = Path(__file__).parent
# `make lite-test`: a frame of every figure; else of some lessons'.
EVERY = ["every"] if os.environ.get("KERNELLAB_EVERY_FIGURE", "0") not in {"", "0"} else []


def answers(*command):
    done = subprocess.run([*command, HERE / "solves.py", *EVERY], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.fixture
def parts(tmp_path):
    """Return a folder with what `make lite` loads into a page; its pages are tested in Chromium."""
    pyodide = tmp_path / "static" / "pyodide"
    try:
        build.copy_distribution(distribution(), pyodide)
    except NotToBeHadError as reason:
        pytest.skip(f"Pyodide's distribution is not to be had: {reason}")
    (tmp_path / "wheels").mkdir()
    ours = build.kernellab_wheel(tmp_path / "own")
    for wheel in build.hasten(pyodide, [*build.pure_wheels(), ours]):
        shutil.copy(wheel, tmp_path / "wheels")
    return tmp_path


def test_pyodide_finds_what_is_found_here(parts):
    if (node := shutil.which("node")) is None:
        pytest.skip("there is no node")
    there = answers(node, HERE / "check.mjs", parts)
    here = answers(sys.executable)
    assert there["solved"] == pytest.approx(here["solved"], rel=1e-6)
    assert there["drawn"].keys() == here["drawn"].keys()
    assert there["stopped"] == here["stopped"] == "it does not end"
