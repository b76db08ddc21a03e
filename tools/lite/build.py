"""Make the course a folder that any web server can hand out, Python included: build.py [--help].

JupyterLite is JupyterLab without a server: Python itself, as Pyodide, runs in the reader's browser.
The folder holds it, the notebooks, and kernellab with what it needs that is pure Python. What is
compiled (Python, NumPy, SciPy, Matplotlib, scikit-learn) the browser asks of Pyodide's own servers,
or, with --pyodide, of a copy of its distribution inside the folder. What nobody needs is left out
of it, and where there is Node modules are compiled, so that a page starts sooner.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbformat
from nbformat import v4

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
OUT = ROOT / "build" / "lite"
MADE_OF = ROOT / "build" / f"lite-parts-{os.getpid()}"  # two builds may run at once
KEPT = ROOT / "build" / "lite-wheels"  # downloaded once
KERNEL = "@jupyterlite/pyodide-kernel-extension"

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
COMPILED = ("micropip", "numpy", "scipy", "matplotlib", "pillow", "scikit-learn")  # and theirs
# Pure Python, at the versions of constraints.txt: what a notebook and its widgets stand on.
PURE = (
    "anywidget", "asttokens", "comm", "executing", "ipython", "ipython-pygments-lexers",
    "ipywidgets", "jedi", "jupyterlab-widgets", "matplotlib-inline", "parso", "prompt-toolkit",
    "psygnal", "pure-eval", "pygments", "stack-data", "traitlets", "typing-extensions",
    "wcwidth",
)  # fmt: skip
# Of these, those that read files of their own, which Python's library, an archive, does not give.
WITH_FILES = ("ipython-", "jedi-", "parso-")
# Of the kernel's own wheels: what stands in for the parts that need processes and sockets.
STAND_INS = ("ipykernel-", "piplite-", "pyodide_kernel-", "widgetsnbextension-4")
# Six thousand files that nobody needs, and that each visit would unpack.
LEFT_OUT = re.compile(
    r"/tests/|^fontTools/|\.data/data/share/|"
    "mpl-data/(fonts/(afm|pdfcorefonts)|images|sample_data)/|_core/include/|"
    "jedi/third_party/(django-stubs|typeshed/stubs)/|pytz/zoneinfo/"
)
# Three things that Pyodide does before a reader's first figure, for pages that are not as ours is.
# It compiles all libraries of a package that it loads, as no page could later; but Python runs in a
# worker here, which can, and two of three are never imported. It unpacks what no figure may import.
# And for every import it looks beside the notebook first, which is to ask the page: later.py.
LOADER = "pyodide/_package_loader.py"
COMPILES = "def should_load_dynlib(path: str | Path) -> bool:\n"
UNPACKS = "shutil.unpack_archive(f.name, extract_path, format)"
UNPACKS_LATER = "unpack(f.name, extract_path, format, filename)"
LOOKS_FIRST, LOOKS_LAST = '.sys.path.insert(0,"")', '.sys.path.append("")'
# What is read in the browser; solutions are not.
CONTENTS = ("notebooks/*.ipynb", "notebooks/exercises/*.ipynb", "notebooks/further/*.ipynb")
BESIDE = ("data/README.md",)


def main() -> None:
    """Build the folder."""
    parser = argparse.ArgumentParser(description="Build the course for the browser alone.")
    parser.add_argument("out", nargs="?", type=Path, default=OUT)
    parser.add_argument("--pyodide", default="", metavar="FOLDER", help="Pyodide's distribution")
    asked = parser.parse_args()
    out = asked.out.resolve()
    if out.exists() and any(out.iterdir()) and not (out / "versions.json").exists():
        sys.exit(f"{out} holds something else; name an empty folder")
    try:
        make(out, asked.pyodide)
    finally:
        shutil.rmtree(MADE_OF, ignore_errors=True)
    print(f"{asked.out}: {megabytes(out)} MB")


def make(out: Path, pyodide: str) -> None:
    """Gather the parts and put them together; `pyodide` is a folder, or empty."""
    if pyodide:
        try:
            copy_distribution(Path(pyodide), MADE_OF / "static" / "pyodide")
        except (OSError, ValueError, KeyError) as problem:
            sys.exit(f"PYODIDE={pyodide} will not do: {problem}")
    notebooks(MADE_OF / "files")
    wheels = [*pure_wheels(), kernellab_wheel(MADE_OF / "wheel")]
    if pyodide:
        wheels = hasten(MADE_OF / "static" / "pyodide", wheels)
    configure(wheels)
    lighten(pyodide)
    build(out)
    finish(out)


def copy_distribution(folder: Path, to: Path) -> None:
    """Copy what the course needs of Pyodide's distribution, with a lock that names only that.

    Raises ValueError if a file is not the one that the distribution's own lock means.
    """
    lock = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    packages: dict[str, Any] = lock["packages"]
    wanted: dict[str, Any] = {}
    todo = list(COMPILED)
    while todo:
        if (name := todo.pop()) not in wanted:
            wanted[name] = packages[name]
            todo += packages[name]["depends"]
    to.mkdir(parents=True)
    for name in CORE:
        shutil.copyfile(folder / name, to / name)
    for package in wanted.values():
        file = folder / package["file_name"]
        if not file.is_file():
            raise ValueError(f"{file.name}, which its pyodide-lock.json names, is missing")
        if hashlib.sha256(file.read_bytes()).hexdigest() != package["sha256"]:
            raise ValueError(f"{file.name} is not the file that its pyodide-lock.json means")
        shutil.copyfile(file, to / file.name)
    (to / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": wanted}))


def hasten(pyodide: Path, wheels: list[Path]) -> list[Path]:
    """Have Pyodide's files in a folder compile and look for what is imported, and no more.

    What is pure Python goes into its library, which is imported as it lies there, while a wheel is
    unpacked file by file. Returns the other wheels.
    """
    inside = [w for w in wheels if not w.name.startswith(("kernellab-", *WITH_FILES))]
    page, library = pyodide / "pyodide.mjs", pyodide / "python_stdlib.zip"
    page.write_text(exchanged(page.read_text("utf-8"), LOOKS_FIRST, LOOKS_LAST), encoding="utf-8")
    with zipfile.ZipFile(library) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for wheel in inside:
        with zipfile.ZipFile(wheel) as archive:
            parts |= {name: archive.read(name) for name in archive.namelist()}
    loader = exchanged(parts[LOADER].decode(), COMPILES, f"{COMPILES}    return False\n")
    loader = exchanged(loader, UNPACKS, UNPACKS_LATER)
    parts[LOADER] = f"from later import unpack\n{loader}".encode()
    parts["later.py"] = (HERE / "later.py").read_bytes()
    with zipfile.ZipFile(library, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return [wheel for wheel in wheels if wheel not in inside]


def exchanged(text: str, theirs: str, ours: str) -> str:
    """Return a text with ours in the place of theirs; raises ValueError where theirs is not."""
    if theirs not in text:
        raise ValueError(f"Pyodide does not say {theirs!r} any more: what does it do instead?")
    return text.replace(theirs, ours)


def pip(*arguments: str) -> None:
    """Run pip with the course's constraints."""
    quiet = ("--quiet", "--disable-pip-version-check")
    subprocess.run((sys.executable, "-m", "pip", *arguments, *quiet), check=True, cwd=ROOT)


def pinned(names: Iterable[str]) -> dict[str, str]:
    """Return the versions that constraints.txt says."""
    pins = {}
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        name, _, version = line.partition("==")
        pins[name.lower().replace("_", "-")] = version
    return {name: pins[name] for name in names}


def pure_wheels() -> list[Path]:
    """Return wheels that need no compiler, from pip; those of an earlier build are taken again."""
    KEPT.mkdir(parents=True, exist_ok=True)
    found = []
    missing = []
    for name, version in pinned(PURE).items():
        kept = [*KEPT.glob(f"{name.replace('-', '_')}-{version}-*.whl")]
        found += kept
        missing += [] if kept else [f"{name}=={version}"]
    if missing:
        only = ("--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none")
        pip("download", "--no-deps", *only, "--python-version=3.14", f"--dest={KEPT}", *missing)
        return pure_wheels()
    return found


def kernellab_wheel(to: Path) -> Path:
    """Make the package itself a wheel in a folder, its data inside; return it."""
    pip("wheel", "--no-deps", "--no-build-isolation", f"--wheel-dir={to}", ".")
    (wheel,) = to.glob("kernellab-*.whl")
    return wheel


def notebooks(to: Path) -> None:
    """Lay out the notebooks as in the course, with the kernel of the browser."""
    for file in (file for pattern in (*CONTENTS, *BESIDE) for file in sorted(ROOT.glob(pattern))):
        copy = to / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".ipynb":
            notebook = nbformat.read(file, as_version=4)
            notebook.metadata.kernelspec = {"display_name": "Python", "name": "python"}
            # By this a copy that a reader has saved is known to be older: course.js says so.
            notebook.metadata.kernellab = hashlib.sha256(file.read_bytes()).hexdigest()[:12]
            for cell in notebook.cells:  # an error would keep the cells below from running
                if cell.cell_type == "code" and "kl.cluster(" in cell.source:
                    words = v4.new_markdown_cell(in_words(cell), id=cell.id)
                    cell.clear()
                    cell.update(words)
            # As JSON, not by nbformat: JupyterLite does not join texts that are lists of lines.
            copy.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
        else:
            shutil.copyfile(file, copy)


def in_words(cell: Any) -> str:
    """Return a cell that needs other processes as words: its code, and what it has printed."""
    printed = "".join(output.get("text", "") for output in cell.outputs)
    why = "*A page has no other processes; where the course is installed this cell runs:*"
    return f"{why}\n\n```python\n{cell.source}\n```\n\n```\n{printed}```"


def configure(wheels: list[Path]) -> None:
    """Write what JupyterLite is told: which wheels Python starts with, and where they lie."""
    own = MADE_OF / "wheels"
    own.mkdir()
    extension = Path(sys.prefix) / "share" / "jupyter" / "labextensions" / KERNEL / "static"
    wheels += [f for name in STAND_INS for f in (extension / "pypi").glob(f"{name}*.whl")]
    for wheel in wheels:
        shutil.copyfile(wheel, own / wheel.name)
    # The worker that loads them lies in extensions/@jupyterlite/pyodide-kernel-extension/static.
    names = [*COMPILED, *(f"../../../../wheels/{wheel.name}" for wheel in wheels)]
    options = {"packages": names}
    kernel = {f"{KERNEL}:kernel": {"disablePyPIFallback": True, "loadPyodideOptions": options}}
    page = {
        "appName": "kernellab",
        "exposeAppInBrowser": True,
        "litePluginSettings": kernel,
    }
    told = {"jupyter-lite-schema-version": 0, "jupyter-config-data": page}
    shutil.copyfile(ROOT / "tools" / "lab_settings.json", MADE_OF / "overrides.json")
    (MADE_OF / "jupyter-lite.json").write_text(json.dumps(told, indent=1), encoding="utf-8")


def lighten(pyodide: str) -> None:
    """Leave out of wheels what nobody needs; compile modules if Pyodide and Node are at hand."""
    taken = MADE_OF / "static" / "pyodide"
    archives = [*(MADE_OF / "wheels").glob("*.whl"), *taken.glob("*.whl"), *taken.glob("*.zip")]
    compiles = bool(pyodide and shutil.which("node"))
    todo = {}
    for archive in archives:
        contents = archive.read_bytes() + LEFT_OUT.pattern.encode()
        known = hashlib.sha256(contents).hexdigest()[:16]
        light = KEPT / f"{known}-{'compiled' if compiles else 'light'}" / archive.name
        if not light.exists():
            todo[archive] = light
        else:
            shutil.copyfile(light, archive)
    for archive in todo:
        with zipfile.ZipFile(archive) as file:
            names = [name for name in file.namelist() if not LEFT_OUT.search(name)]
            file.extractall(MADE_OF / "unpacked" / archive.name, names)
    if compiles and todo:
        command = ("node", HERE / "bytecode.mjs", Path(pyodide).resolve(), MADE_OF / "unpacked")
        subprocess.run(command, check=True)
    for archive, light in todo.items():
        folder = MADE_OF / "unpacked" / archive.name
        # The same bytes each time: the lock says which, and a browser may have kept them.
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            for part in sorted(part for part in folder.rglob("*") if part.is_file()):
                name = zipfile.ZipInfo(part.relative_to(folder).as_posix())
                file.writestr(name, part.read_bytes(), zipfile.ZIP_DEFLATED)
        light.parent.mkdir(exist_ok=True)
        shutil.copyfile(archive, light)
    if pyodide:
        lock = taken / "pyodide-lock.json"
        told = json.loads(lock.read_text(encoding="utf-8"))
        for package in told["packages"].values():
            file = taken / package["file_name"]
            package["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
        lock.write_text(json.dumps(told), encoding="utf-8")


def build(out: Path) -> None:
    """Have JupyterLite put its pages together."""
    shutil.rmtree(out, ignore_errors=True)
    command = [
        str(Path(sys.executable).with_name("jupyter-lite")), "build", "--apps=lab",
        "--no-unused-shared-packages", "--no-sourcemaps", f"--lite-dir={MADE_OF}",
        f"--contents={MADE_OF / 'files'}", f"--output-dir={out}",
    ]  # fmt: skip
    # Its folders are known by where the interpreter is, not by what a shell has set.
    told = {**os.environ, "JUPYTER_PREFER_ENV_PATH": "1"}
    done = subprocess.run(command, cwd=MADE_OF, env=told, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"JupyterLite could not be built:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def finish(out: Path) -> None:
    """Add the wheels, and what the course adds to JupyterLab."""
    shutil.copytree(MADE_OF / "wheels", out / "wheels")
    shutil.copyfile(HERE / "course.js", out / "lab" / "course.js")
    first = (HERE / "index.html").read_text(encoding="utf-8")
    (out / "index.html").write_text(first, encoding="utf-8")
    demos = first.replace("00_start_here.ipynb", "demos.ipynb#stage").replace("course<", "demos<")
    (out / "demos.html").write_text(demos, encoding="utf-8")
    page = out / "lab" / "index.html"
    text = page.read_text(encoding="utf-8")
    text = text.replace("<title>JupyterLite</title>", "<title>kernellab</title>")
    text = text.replace("</head>", '<script type="module" src="course.js"></script></head>', 1)
    page.write_text(text, encoding="utf-8")
    versions = {
        file.relative_to(out / "files").as_posix(): json.loads(file.read_text(encoding="utf-8"))[
            "metadata"
        ]["kernellab"]
        for file in sorted((out / "files").rglob("*.ipynb"))
    }
    (out / "versions.json").write_text(json.dumps(versions), encoding="utf-8")


def megabytes(folder: Path) -> int:
    """Return the size of a folder."""
    return round(sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 1e6)


if __name__ == "__main__":
    main()
