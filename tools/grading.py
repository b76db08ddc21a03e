"""Hand out, collect and grade with nbgrader: grading.py release FOLDER | grade SUBMITTED GRADED.

release    the student versions of all exercises, as notebooks, into FOLDER
grade      SUBMITTED holds one folder a student, named as the student is to be called, with the
           notebooks handed in. GRADED becomes a course of nbgrader's with all its files in it:
           marks.csv, one line an exercise, and feedback/STUDENT/NOTEBOOK/NOTEBOOK.html

Nothing is installed, uploaded or fetched; the answers run on this machine, so grade people whom you
trust with it, or in a container.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import exercises
import nbformat
from nbgrader.preprocessors import NbGraderPreprocessor

ROOT = Path(__file__).resolve().parent.parent
SECONDS_A_CELL = 60

SETTINGS = """\
# Settings of nbgrader for this course, written by tools/grading.py.
import sys
sys.path.insert(0, {tools!r})
import grading
from nbgrader.preprocessors import (
    AssignLatePenalties, CheckCellMetadata, Execute, IgnorePattern, LimitOutput, SaveAutoGrades)

c = get_config()
c.CourseDirectory.root = {root!r}
c.ClearSolutions.code_stub = {{"python": {stub!r}}}
c.OverwriteCells.add_missing_cells = True  # a check that was deleted is still made
c.Execute.timeout = {seconds}
c.Autograde.autograde_preprocessors = [
    Execute, grading.HidePaths, IgnorePattern, LimitOutput, SaveAutoGrades,
    AssignLatePenalties, CheckCellMetadata]
"""


@dataclass(frozen=True)
class Mark:
    """What one student got for one exercise."""

    student: str
    notebook: str
    exercise: str
    points: float
    of: float


class HidePaths(NbGraderPreprocessor):  # type: ignore[misc]  # it is not typed
    """Cut the folders of the machine that grades out of what the answers printed and raised."""

    folders = re.compile(
        r"(?<![\w.:/])(?:/[\w.+~-]+)+/(?=[\w.+-])|\b[A-Za-z]:\\(?:[^\\\s:\"']+\\)+"
    )

    def preprocess_cell(self, cell: Any, resources: Any, index: int) -> tuple[Any, Any]:
        """Clean the outputs of one cell."""
        for output in cell.get("outputs", ()):
            for key in ("text", "evalue"):
                if key in output:
                    output[key] = self.folders.sub("…/", output[key])
            if "traceback" in output:
                output.traceback = [self.folders.sub("…/", line) for line in output.traceback]
        return cell, resources


# --- a course of nbgrader's ---------------------------------------------------------------------


def set_up(course: Path, sources: list[Path]) -> None:
    """Make a folder a course: its settings, its sources, and from them the student versions."""
    course.mkdir(parents=True, exist_ok=True)
    settings = SETTINGS.format(
        tools=str(ROOT / "tools"), root=str(course), stub=exercises.STUB, seconds=SECONDS_A_CELL
    )
    (course / "nbgrader_config.py").write_text(settings, encoding="utf-8")
    for path in sources:
        notebook = exercises.source(exercises.read(path))
        exercises.write(notebook, course / "source" / path.stem / path.name)
        nbgrader(course, "generate_assignment", path.stem, "--create", "--force")


def nbgrader(course: Path, *arguments: str, may_fail: bool = False) -> bool:
    """Run one of nbgrader's commands, quietly; show what it said if it fails."""
    with tempfile.TemporaryDirectory() as home:  # the settings of whoever runs this stay out of it
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *arguments],
            cwd=course,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(
                    filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")])
                ),
                # nbgrader calls alembic, which lies beside Python.
                "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
                "IPYTHONDIR": home,
                "JUPYTER_CONFIG_DIR": home,
                "JUPYTER_DATA_DIR": home,
            },
            capture_output=True,
            text=True,
        )
    if done.returncode == 0:
        return True
    print(f"nbgrader {' '.join(arguments)}: failed\n{(done.stdout + done.stderr)[-2000:]}")
    if not may_fail:
        sys.exit(1)
    return False


def release(folder: Path, sources: list[Path]) -> None:
    """Write the student versions of some solutions into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as course:
        set_up(Path(course), sources)
        for path in sources:
            shutil.copy(Path(course) / "release" / path.stem / path.name, folder / path.name)


# --- grading ------------------------------------------------------------------------------------


def grade(submitted: Path, graded: Path, sources: list[Path]) -> list[Mark]:
    """Grade what students handed in, and write marks and feedback."""
    handed_in = list(collected(submitted, sources))
    if not handed_in:
        sys.exit(
            f"There is nothing to grade in {submitted}: it should hold one folder a student, with "
            f"notebooks such as {sources[0].name}."
        )
    needed = [path for path in sources if any(path == source for _, source, _ in handed_in)]
    for old in ("source", "release", "submitted", "autograded", "feedback", "gradebook.db"):
        remove(graded / old)
    set_up(graded, needed)
    for student, source, file in handed_in:
        place = graded / "submitted" / student / source.stem
        place.mkdir(parents=True)
        shutil.copy(file, place / source.name)
    for path in needed:
        nbgrader(graded, "autograde", path.stem, "--create", "--force", may_fail=True)
        nbgrader(graded, "generate_feedback", path.stem, "--force", may_fail=True)
    found = list(marks(graded, {path.stem for path in needed}))
    with (graded / "marks.csv").open("w", newline="", encoding="utf-8") as page:
        rows = csv.writer(page)
        rows.writerow(["student", "notebook", "exercise", "points", "of"])
        rows.writerows([m.student, m.notebook, m.exercise, m.points, m.of] for m in found)
    return found


def remove(path: Path) -> None:
    """Remove a file or folder that an earlier run left."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def collected(submitted: Path, sources: list[Path]) -> Iterator[tuple[str, Path, Path]]:
    """Yield (student, source, file) for all notebooks that were handed in and can be read."""
    for folder in sorted(path for path in submitted.iterdir() if path.is_dir()):
        files = [f for f in sorted(folder.rglob("*.ipynb")) if ".ipynb_checkpoints" not in f.parts]
        for source in sources:
            # Browsers rename what is downloaded twice; the number is enough.
            mine = [file for file in files if file.name == source.name] or [
                file for file in files if file.name.startswith(source.name[:3])
            ]
            if not mine:
                continue
            if len(mine) > 1:
                print(f"{folder.name}: of {len(mine)} notebooks {mine[0].name} is taken")
            try:
                nbformat.read(mine[0], as_version=4)
            except (ValueError, KeyError, AttributeError, nbformat.ValidationError) as error:
                print(f"{folder.name}: {mine[0].name} is no notebook and was not graded ({error})")
                continue
            yield folder.name, source, mine[0]


def marks(course: Path, names: set[str]) -> Iterator[Mark]:
    """Yield what nbgrader's gradebook holds."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        for student in sorted(book.students, key=lambda student: str(student.id)):
            for name in sorted(names):
                for submission in book.assignment_submissions(name):
                    if submission.student_id != student.id:
                        continue
                    for notebook in submission.notebooks:
                        for cell in notebook.grades:
                            exercise = cell.name.removesuffix("_check")
                            score = float(cell.score or 0.0)
                            yield Mark(student.id, name, exercise, score, float(cell.max_score))


def table(found: list[Mark]) -> str:
    """Return one line a student and notebook."""
    lines = []
    for student, notebook in sorted({(m.student, m.notebook) for m in found}):
        mine = [m for m in found if (m.student, m.notebook) == (student, notebook)]
        total, of = sum(m.points for m in mine), sum(m.of for m in mine)
        full = sum(m.points == m.of for m in mine)
        lines.append(
            f"{student:24} {notebook:28} {total:5g} of {of:g}   {full} of {len(mine)} right"
        )
    return "\n".join(lines)


def main() -> int:
    """Hand out or grade."""
    parser = argparse.ArgumentParser(description="Hand out and grade the exercises.")
    commands = parser.add_subparsers(dest="command", required=True)
    out = commands.add_parser("release", help="write the student versions")
    out.add_argument("folder", type=Path)
    mark = commands.add_parser("grade", help="grade what was handed in")
    mark.add_argument("submitted", type=Path)
    mark.add_argument("graded", type=Path)
    chosen = parser.parse_args()
    if chosen.command == "release":
        release(chosen.folder.resolve(), exercises.solutions())
        print(f"Released into {chosen.folder}")
        return 0
    if not chosen.submitted.is_dir():
        parser.error(f"there is no folder {chosen.submitted}")
    print(table(grade(chosen.submitted.resolve(), chosen.graded.resolve(), exercises.solutions())))
    print(f"Marks in {chosen.graded / 'marks.csv'}, feedback in {chosen.graded / 'feedback'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
