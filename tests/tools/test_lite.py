"""The course for the browser alone: what is taken of Pyodide's distribution, and what is not."""

import hashlib
import importlib
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from lite import build, later

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def distribution(tmp_path):
    """Return a folder like Pyodide's: every package needs `base`, and `seaborn` is of no use."""
    folder = tmp_path / "full"
    folder.mkdir()
    for name in build.CORE:
        (folder / name).write_text(name + build.LOOKS_FIRST)
    with zipfile.ZipFile(folder / "python_stdlib.zip", "w") as library:
        code = f"{build.COMPILES}    return True\n\ndef unpack_buffer():\n    {build.UNPACKS}\n"
        library.writestr(build.LOADER, code)
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


def hastened(distribution, tmp_path, *wheels):
    """Return what else is a wheel, what Pyodide's library holds then, and its page."""
    taken = tmp_path / "taken"
    build.copy_distribution(distribution, taken)
    others = build.hasten(taken, [*wheels])
    with zipfile.ZipFile(taken / "python_stdlib.zip") as library:
        parts = {name: library.read(name).decode() for name in library.namelist()}
    return others, parts, (taken / "pyodide.mjs").read_text()


def test_a_library_is_compiled_when_it_is_imported_and_looked_for_beside_the_notebook_last(
    distribution, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, "later", later)
    _, parts, page = hastened(distribution, tmp_path)
    loader = {"Path": Path}
    exec(parts[build.LOADER], loader)
    assert loader["should_load_dynlib"]("scipy/linalg/_flapack.so") is False
    assert build.UNPACKS_LATER in parts[build.LOADER]
    assert page == f"pyodide.mjs{build.LOOKS_LAST}"


def wheel(path, module):
    """Write a wheel of one module; return it."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{module}/__init__.py", "here = True")
        archive.writestr(f"{module}-1.dist-info/METADATA", f"Name: {module}")
    return path


def test_what_is_pure_python_lies_in_the_library_unless_it_reads_files(distribution, tmp_path):
    names = "traitlets-1-any.whl", "jedi-1-any.whl", "kernellab-1-any.whl"
    wheels = [wheel(tmp_path / name, name.partition("-")[0]) for name in names]
    others, parts, _ = hastened(distribution, tmp_path, *wheels)
    assert others == wheels[1:]
    assert parts["traitlets/__init__.py"] == "here = True"
    assert "traitlets-1.dist-info/METADATA" in parts


def test_some_wheels_are_unpacked_when_they_are_imported(tmp_path, monkeypatch):
    file, to = wheel(tmp_path / "slow_one-1-any.whl", "slowly"), tmp_path / "site"
    monkeypatch.setattr(sys, "meta_path", [later.Waiting, *sys.meta_path])
    monkeypatch.setattr(later, "LATER", {"slow_one": "slowly"})
    monkeypatch.syspath_prepend(to)
    later.unpack(str(file), str(to), "whl", file.name)
    assert [part.name for part in to.iterdir()] == ["slowly-1.dist-info"]
    assert importlib.import_module("slowly").here
    assert later.waiting == {}
    del sys.modules["slowly"]


def test_a_folder_of_the_page_is_looked_into_for_cells_and_for_what_lies_there(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(later, "OF_THE_PAGE", str(tmp_path))
    monkeypatch.setattr(sys, "path_hooks", [later.Beside.of, *sys.path_hooks])
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "beside_it.py").write_text("here = True")
    (tmp_path / "beside.py").write_text("from beside_it import here")
    with pytest.raises(ImportError):  # this module is neither
        importlib.import_module("beside")
    cell = {"__name__": "__main__"}
    exec("from beside import here", cell)
    assert cell["here"]
    for name in ("beside", "beside_it"):
        del sys.modules[name]


def test_a_pyodide_that_starts_otherwise_is_refused(distribution, tmp_path):
    (distribution / "pyodide.mjs").write_text("another version")
    with pytest.raises(ValueError, match=r"does not say .*sys\.path.* any more"):
        hastened(distribution, tmp_path)


def test_the_first_figure_of_the_course_waits_neither_for_scipy_nor_for_scikit_learn():
    lesson = nbformat.read(ROOT / "notebooks" / "00_start_here.ipynb", as_version=4)
    first, figure = [cell.source for cell in lesson.cells if cell.cell_type == "code"][:2]
    assert figure == "start.Bend()"
    asks = 'import sys; print([name for name in ("scipy", "sklearn") if name in sys.modules])'
    code = "\n".join((first, figure, asks))
    told = {**os.environ, "KERNELLAB_NUMBA": "0"}  # as in a page
    done = subprocess.run([sys.executable, "-c", code], env=told, capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


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
    assert any("\nright: 0.96" in text for text in texts)
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
