"""Make what students get: one archive with the exercises and all that they need, no solutions.

In it are the exercises, the lessons, the package and its data, the files that say what to install,
and a README with the way to start. A link that leads to something else becomes plain text, and what
is said to teachers is left out.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import exercises
import nbformat

ROOT = Path(__file__).resolve().parent.parent
NAME = "kernellab"
COURSE = (
    "notebooks/*.ipynb", "notebooks/further/*.ipynb", "kernellab/**/*", "data/*",
    "pyproject.toml", "constraints.txt", "environment.yml", "LICENSE", "LICENSE-lessons",
    "tools/make_venv.py", "tools/lab_*.json",
)  # fmt: skip
# Of the Makefile.
VARIABLES = ("PYTHON", "VENV", "LAB_FLAGS", "FIRST", "PY", "PIP_INSTALL", "COMPILE")
RULES = ("lab", "$(VENV)/.lab")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")

TO_TEACHERS = re.compile(r"\n*^You teach\? .*$", re.MULTILINE)

README = """\
# kernellab: lessons and exercises

Lessons are in `notebooks`, exercises in `notebooks/exercises`: each has a question, an empty
function, and a check that answers at once. Hand in the notebooks of that folder that you filled in.
They will be run once, from top to bottom, a cell for at most 30 seconds, where only the course and
what it needs is installed (NumPy, SciPy, scikit-learn, Matplotlib): import nothing else. Before
you hand in, *Run, Restart Kernel and Run All Cells*.

## Start

{start}
"""


def make(folder: Path) -> Path:
    """Write the archive into a folder; return it. The same course gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / f"{NAME}.zip"
    content = contents()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for place in sorted(content):
            entry = zipfile.ZipInfo(f"{NAME}/{place}")
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            out.writestr(entry, content[place])
    return archive


def contents() -> dict[str, bytes]:
    """Return all files, by their place in the archive."""
    found = {file.relative_to(ROOT).as_posix(): file.read_bytes() for file in course()}
    for path in exercises.solutions():
        notebook = exercises.released(exercises.read(path))
        found[f"notebooks/exercises/{path.name}"] = (nbformat.writes(notebook) + "\n").encode()
    found["README.md"] = README.format(start=start()).encode()
    found["Makefile"] = makefile().encode()
    return {
        place: without_dead_links(place, data, found) if place.endswith(".ipynb") else data
        for place, data in found.items()
    }


def course() -> Iterator[Path]:
    """Yield the files that are taken as they are."""
    for pattern in COURSE:
        for file in ROOT.glob(pattern):
            hidden = {"__pycache__", ".ipynb_checkpoints"} & set(file.parts)
            if file.is_file() and not hidden and not file.name.startswith("."):
                yield file


def start() -> str:
    """Return how to start, as the README of the course says it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^## Start\n+(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)
    if not found:
        raise ValueError("README.md has no section Start")
    return found[1].strip()


def makefile() -> str:
    """Return a Makefile that opens the course, and does nothing else."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    parts = [rf"^{name} (?:.*\\\n)*.*\n" for name in VARIABLES]
    parts += [rf"^{re.escape(target)}:.*\n(?:\t.*\n)+" for target in RULES]
    found = [re.search(part, text, re.MULTILINE) for part in parts]
    if not all(found):
        raise ValueError("the Makefile has no longer what the archive takes from it")
    said = [match[0] for match in found if match]
    variables, rules = said[: len(VARIABLES)], said[len(VARIABLES) :]
    return "".join(variables) + "\n.PHONY: lab\n\n" + "\n".join(rules)


def without_dead_links(place: str, data: bytes, found: dict[str, bytes]) -> bytes:
    """Return a notebook in which links to what is not in the archive are plain text."""
    notebook: dict[str, Any] = json.loads(data)
    changed = False

    def kept(match: re.Match[str]) -> str:
        return match[0] if leads_somewhere(place, match[2], found) else match[1]

    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            source = "".join(cell["source"])
            new = LINK.sub(kept, TO_TEACHERS.sub("", source))
            if new != source:
                cell["source"], changed = new.splitlines(keepends=True), True
    if not changed:
        return data
    return (json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def leads_somewhere(place: str, link: str, found: dict[str, bytes]) -> bool:
    """Say whether a link of a notebook leads to the network, or to a file of the archive."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc or not parts.path:
        return True
    steps: list[str] = []
    for step in (PurePosixPath(place).parent / unquote(parts.path)).parts:
        if step == "..":
            if not steps:
                return False
            steps.pop()
        elif step != ".":
            steps.append(step)
    target = "/".join(steps)
    return target in found or any(name.startswith(f"{target}/") for name in found)
