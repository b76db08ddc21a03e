"""What students handed in: which notebook of a folder is whose answer to which lesson."""

from __future__ import annotations

import codecs
import datetime
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbgrader import utils

ROOT = Path(__file__).resolve().parent.parent
GRADE_ID = re.compile(r'"grade_id":\s*"(\w+)"')
FUNCTION = re.compile(r'(?:"|\\n)def (\w+)\(')  # at the begin of a line, in a notebook's file
DEFINED = re.compile(r"^def (\w+)\(", re.MULTILINE)
EMPTY = "raise NotImplementedError("
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass
class Submission:
    """One notebook that one student handed in."""

    student: str
    source: Path
    file: Path

    @property
    def name(self) -> str:
        """The name of the assignment, and of its notebook."""
        return self.source.stem

    @property
    def when(self) -> datetime.datetime:
        """When it was handed in, in UTC: what timestamp.txt says, or else the file."""
        said = self.file.parent / "timestamp.txt"
        if said.is_file():
            try:
                told: datetime.datetime = utils.parse_utc(said.read_text(encoding="utf-8").strip())
                return told
            except (ValueError, OverflowError):
                pass
        stamp = datetime.datetime.fromtimestamp(self.file.stat().st_mtime, datetime.UTC)
        return stamp.replace(tzinfo=None, microsecond=0)


def collected(submitted: Path, sources: list[Path]) -> tuple[list[Submission], dict[str, str]]:
    """Return what was handed in, and by student what was not graded, and why.

    A notebook is known by the names of the cells in it, whatever it is called, or else by the
    functions that it defines, or else by the number that its name begins with. Of two for one
    lesson the newest counts that can be read and has an answer in it. A link is left out: it could
    lead to the work of somebody else.
    """
    names = {source: names_in(GRADE_ID, source) for source in sources}
    course = {file.name for file in (ROOT / "notebooks").rglob("*.ipynb")}
    found: list[Submission] = []
    nothing = {}
    folders: dict[str, list[Path]] = {}
    for folder in sorted(submitted.iterdir()):
        if folder.name.startswith((".", "__MACOSX")):
            continue
        if folder.is_symlink() or not folder.is_dir():
            why = "a link" if folder.is_symlink() else "in nobody's folder"
            print(f"{folder.name} is {why}, and is left out")
            continue
        # An umlaut is one letter or two, as a system has it; the student is one.
        folders.setdefault(unicodedata.normalize("NFC", folder.name), []).append(folder)
    for student, of_student in folders.items():
        files = [
            file
            for folder in of_student
            for file in sorted(folder.rglob("*.ipynb"))
            if ".ipynb_checkpoints" not in file.parts
            and not file.name.startswith("._")
            and file.resolve().is_relative_to(folder.resolve())
        ]
        known = {file: lesson_of(file, names, GRADE_ID) for file in files}
        like = {file: known[file] or lesson_of(file, names, FUNCTION) for file in files}
        taken, left = [], {file: "none of the exercises is in it" for file in files}
        for source in sources:
            mine = (
                [file for file in files if known[file] == source]
                or [file for file in files if like[file] == source]
                # Whoever hands in the whole course has a lesson with the number of its exercises.
                or [f for f in files if not like[f] and f.name.startswith(source.name[:3])]
            )
            if not mine:
                continue
            begun = {file for file in mine if is_begun(file, names[source])}
            newest = max(
                [file for file in mine if is_readable(file)] or mine,
                key=lambda file: (file in begun, file.stat().st_mtime, file.name == source.name),
            )
            for file in {*mine, *(file for file in files if like[file] == source)}:
                why = "" if file in begun else "no answer in it; "
                why = why if is_readable(file) else "damaged or cut off; "
                left[file] = f"{why}{newest.name} is taken"
            taken.append(newest)
            found.append(Submission(student, source, newest))
        # The lessons and demos of the course itself are nobody's work; one may define a function.
        work = {f for f in files if f.name not in course or known[f]} | {
            f for f in files if (s := like[f]) and len(names_in(FUNCTION, f) & names[s]) > 1
        }
        words = [
            f"{'/'.join(file.relative_to(submitted).parts[1:])} is left out ({why})"
            for file, why in left.items()
            if taken and file in work and file not in taken
        ]
        if words:
            nothing[student] = "; ".join(words)
        if not taken:
            there = [
                f"{file.name} (a link)" if file.is_symlink() else file.name
                for folder in of_student
                for file in sorted(folder.rglob("*"))
                if file.is_file()
            ]
            nothing[student] = f"nothing to grade: {', '.join(there[:3]) or 'no file'}"
    return found, nothing


def lesson_of(file: Path, names: dict[Path, set[str]], pattern: re.Pattern[str]) -> Path | None:
    """Return the source that has most of the names in a notebook; None if it has none of them."""
    inside = names_in(pattern, file)
    best = max(names, key=lambda one: (len(inside & names[one]), one.name[:3] == file.name[:3]))
    return best if inside & names[best] else None


def names_in(pattern: re.Pattern[str], file: Path) -> set[str]:
    """Return the names that a pattern finds in a notebook, as far as it can be read."""
    try:
        return set(pattern.findall(text_in(file, "replace")))
    except OSError:
        return set()


def text_in(file: Path, errors: str = "strict") -> str:
    """Return the text of a file, in UTF-8 or, if its first bytes say so, UTF-16."""
    data = file.read_bytes()
    return data.decode("utf-16" if data[:2] in UTF_16 else "utf-8-sig", errors)


def is_readable(file: Path) -> bool:
    """Say whether a file is a notebook."""
    return bool(cells_in(file))


def is_begun(file: Path, exercises: set[str]) -> bool:
    """Say whether a notebook has an answer: a function of these names that does more than raise."""
    return any(
        cell.cell_type == "code"
        and exercises & set(DEFINED.findall(cell.source))
        and EMPTY not in cell.source
        for cell in cells_in(file)
    )


def cells_in(file: Path) -> list[Any]:
    """Return the cells of a notebook; none if it cannot be read."""
    try:
        return list(nbformat.reads(text_in(file), as_version=4).cells)
    except Exception:  # there is no end to what a broken file can raise
        return []
