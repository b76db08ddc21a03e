"""The course for the browser alone: what is taken of Pyodide's distribution, and what is not."""

import hashlib
import json
import re
import zipfile
from pathlib import Path

import pytest
from lite import build

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def distribution(tmp_path):
    """Return a folder like Pyodide's: every package needs `base`, and `seaborn` is of no use."""
    folder = tmp_path / "full"
    folder.mkdir()
    for name in build.CORE:
        (folder / name).write_text(name)
    packages = {}
    for name in (*build.COMPILED, "base", "seaborn"):
        wheel = folder / f"{name}-1.0.whl"
        wheel.write_text(name)
        packages[name] = {
            "file_name": wheel.name,
            "sha256": hashlib.sha256(name.encode()).hexdigest(),
            "depends": [] if name == "base" else ["base"],
        }
    lock = {"info": {"python": "3.14.0"}, "packages": packages}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock))
    return folder


def test_what_is_needed_is_taken_along_and_no_more(distribution, tmp_path):
    build.copy_distribution(distribution, tmp_path / "taken")
    names = {*build.COMPILED, "base"}
    files = {f"{name}-1.0.whl" for name in names}
    taken = {file.name for file in (tmp_path / "taken").iterdir()}
    assert taken == {*build.CORE, *files, "pyodide-lock.json"}
    lock = json.loads((tmp_path / "taken" / "pyodide-lock.json").read_text())
    assert set(lock["packages"]) == names
    assert lock["info"] == {"python": "3.14.0"}


def test_a_missing_wheel_is_named(distribution, tmp_path):
    (distribution / "scipy-1.0.whl").unlink()
    with pytest.raises(ValueError, match=r"^scipy-1\.0\.whl, .* is missing"):
        build.copy_distribution(distribution, tmp_path / "taken")


def test_another_file_under_the_name_of_a_wheel_is_refused(distribution, tmp_path):
    (distribution / "base-1.0.whl").write_text("something else")
    with pytest.raises(ValueError, match=r"^base-1\.0\.whl is not the file"):
        build.copy_distribution(distribution, tmp_path / "taken")


def test_all_that_it_is_built_with_and_of_is_pinned():
    listed = (build.HERE / "requirements.txt").read_text(encoding="utf-8").splitlines()
    names = [line for line in listed if not line.startswith("#")]
    assert build.pinned([*names, *build.PURE]).keys() == {*names, *build.PURE}


def test_no_solution_is_laid_out(tmp_path):
    build.notebooks(tmp_path)
    found = {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*.ipynb")}
    course = {f.relative_to(ROOT).as_posix() for f in ROOT.glob("notebooks/**/*.ipynb")}
    assert found == {name for name in course if not re.search("solutions|checkpoint", name)}
    scale = json.loads((tmp_path / "notebooks/08_scale.ipynb").read_text())
    texts = [cell["source"] for cell in scale["cells"] if "kl.cluster(" in cell["source"]]
    assert any("\n0.94" in text for text in texts)
    assert {c["cell_type"] for c in scale["cells"] if "kl.cluster(" in c["source"]} == {"markdown"}
    notebook = json.loads((tmp_path / "notebooks/00_start_here.ipynb").read_text())
    assert notebook["metadata"]["kernelspec"]["name"] == "python"
    assert all(isinstance(cell["source"], str) for cell in notebook["cells"])


def test_a_lighter_wheel_lacks_what_nobody_needs_and_the_lock_means_it(tmp_path, monkeypatch):
    taken = tmp_path / "made" / "static" / "pyodide"
    taken.mkdir(parents=True)
    wheel = taken / "scipy-1.0.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        for name in ("scipy/__init__.py", "scipy/tests/test_all.py", "pytz/zoneinfo/UTC"):
            file.writestr(name, "x = 1")
    lock = taken / "pyodide-lock.json"
    lock.write_text(json.dumps({"packages": {"scipy": {"file_name": wheel.name, "sha256": "old"}}}))
    monkeypatch.setattr(build, "MADE_OF", tmp_path / "made")
    monkeypatch.setattr(build, "KEPT", tmp_path)
    monkeypatch.setattr(build.shutil, "which", lambda name: None)  # no Node: nothing is compiled
    build.lighten("folder")
    assert zipfile.ZipFile(wheel).namelist() == ["scipy/__init__.py"]
    meant = json.loads(lock.read_text())["packages"]["scipy"]["sha256"]
    assert meant == hashlib.sha256(wheel.read_bytes()).hexdigest()
    once = wheel.read_bytes()
    build.lighten("folder")  # what is light already stays as it is
    assert wheel.read_bytes() == once
