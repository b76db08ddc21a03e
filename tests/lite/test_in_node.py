"""What the browser loads, loaded in Node: every solver, figures, and an endless loop."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import solves
from distribution import NotToBeHadError, distribution
from lite import build

HERE = Path(__file__).parent


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
    done = subprocess.run(
        [node, HERE / "check.mjs", parts, HERE / "solves.py"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    there = json.loads(done.stdout)
    assert there["solved"] == pytest.approx(solves.solved(), rel=1e-6)
    assert there["drawn"] == [figure.__name__ for figure in solves.figures()]
    assert there["stopped"] == solves.stopped() == "it does not end"
