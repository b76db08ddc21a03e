"""The archive for students: all they need, links that work in it, and no solutions."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from pathlib import Path

import exercises
import handout
import pytest


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    archive = handout.make(tmp_path_factory.mktemp("release"))
    with zipfile.ZipFile(archive) as content:
        return {name.removeprefix("kernellab/"): content.read(name) for name in content.namelist()}


def notebooks(files: dict[str, bytes]) -> dict[str, list[tuple[str, str]]]:
    """Return (kind, source) of all cells, by notebook."""
    return {
        name: [(c["cell_type"], "".join(c["source"])) for c in json.loads(data)["cells"]]
        for name, data in files.items()
        if name.endswith(".ipynb")
    }


def test_exercises_lessons_and_environment_are_in_it(files):
    for path in exercises.solutions():
        assert f"notebooks/exercises/{path.name}" in files
        assert f"notebooks/{path.name}" in files
    assert {"README.md", "Makefile", "pyproject.toml", "constraints.txt", "environment.yml"} < set(
        files
    )
    tops = {name.split("/")[0] for name in files if "/" in name}
    assert tops == {"notebooks", "kernellab", "data", "tools"}


def test_no_solution_is_in_it(files):
    cells = [cell for name in notebooks(files).values() for _, cell in name]
    everything = "\n".join(cells)
    assert not any("solutions" in name for name in files)
    assert "BEGIN SOLUTION" not in everything
    assert "HIDDEN TESTS" not in everything
    assert not re.search(r"\.check\([^()]*(?:seed|strict)=", everything.replace("seed=1)", ")"))
    for path in exercises.solutions():
        for cell in exercises.read(path).cells:
            for answer in re.findall(
                r"### BEGIN SOLUTION\n(.*?)\s*### END", cell.source, re.DOTALL
            ):
                stub = any(cell.source.split("\n")[0] in c and answer in c for c in cells)
                assert not stub, cell.source
            if "teacher" in exercises.tags(cell):
                assert cell.source not in cells


def test_the_exercises_are_those_that_are_committed(files):
    for path in sorted(exercises.EXERCISES.glob("*.ipynb")):
        ours = [(c.cell_type, c.source) for c in exercises.read(path).cells]
        there = notebooks(files)[f"notebooks/exercises/{path.name}"]
        assert [kind for kind, _ in there] == [kind for kind, _ in ours]
        without = [re.sub(r"\]\([^)]*\)|\[", "", source) for _, source in ours]
        assert [re.sub(r"\]\([^)]*\)|\[", "", source) for _, source in there] == without


def test_every_link_leads_somewhere_in_it(files):
    links = [
        (name, match[2])
        for name, cells in notebooks(files).items()
        for kind, source in cells
        if kind == "markdown"
        for match in handout.LINK.finditer(source)
    ]
    assert len(links) > 100
    assert [one for one in links if not handout.leads_somewhere(*one, files)] == []


def test_students_are_not_sent_where_only_teachers_can_go(files):
    cells = notebooks(files)["notebooks/00_start_here.ipynb"]
    there = exercises.read(exercises.ROOT / "notebooks" / "00_start_here.ipynb").cells
    assert any("You teach?" in cell.source for cell in there)
    assert not any("teach?" in source or "solutions/README" in source for _, source in cells)


def test_it_says_how_to_start_and_its_makefile_can(files, tmp_path):
    assert "from top to bottom" in files["README.md"].decode()
    assert "make lab" in files["README.md"].decode()
    assert "conda env create" in files["README.md"].decode()
    for name, data in files.items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    make = ["make", "--no-print-directory", "--dry-run", "lab", "VENV=not_yet"]
    said, ours = (
        subprocess.run(make, cwd=folder, capture_output=True, text=True, check=True).stdout
        for folder in (tmp_path, exercises.ROOT)
    )
    assert "jupyterlab" in said and "constraints.txt" in said
    assert said == ours
    for file in re.findall(r"(?:^|\s)(tools/[\w.]+)", said):
        assert Path(tmp_path / file).is_file(), file


def test_the_same_course_gives_the_same_bytes(tmp_path):
    first = handout.make(tmp_path / "a").read_bytes()
    assert handout.make(tmp_path / "b").read_bytes() == first
