"""Hand out and grade: grading.py release FOLDER | course FOLDER | grade SUBMITTED GRADED.

course     a course of nbgrader's with all exercises in FOLDER, for the exchange of a JupyterHub
release    one archive for students, with the exercises and all that they need, into FOLDER
grade      SUBMITTED holds one folder a student, named as the student is to be called, with the
           notebooks handed in. GRADED becomes a course of nbgrader's with all its files in it:
           marks.csv, a line a student and notebook; exercises.csv, a line an exercise; and
           feedback/STUDENT/NOTEBOOK/NOTEBOOK.html

What was graded and has not changed is not graded again, so the same command goes on after it was
stopped. The gradebook stays: marks and remarks that a teacher entered are never lost.

Nothing is uploaded or fetched. The answers run in a container of their own where bubblewrap is
installed (`contained.py`); a line says so, or what is not contained.
"""

from __future__ import annotations

import argparse
import ast
import csv
import datetime
import hashlib
import json
import os
import re
import shutil
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import contained
import exercises
import feedback
import handout
import nbformat
from collecting import Submission, collected, text_in
from nbgrader import preprocessors as steps
from nbgrader import utils
from nbgrader.api import Gradebook
from texts import PICTURES, text_cell, text_of
from tqdm import tqdm  # type: ignore[import-untyped]
from traitlets.config import Config

ROOT = Path(__file__).resolve().parent.parent
TOLD_BY_EXCHANGE = ("timestamp.txt", "submission_secret.txt")
NO_ANSWER = "not the one with the exercises: none of their cells is in it"
OUTDATED = "On an earlier answer: "
BUSY = 60  # seconds to wait while formgrader writes into the gradebook
# What formgrader shows of an output. HTML and scripts would run in the session of the teacher.
SHOWN = ("text/plain", *PICTURES)
PATHS = re.compile(r"(?<![\w.:/])(?:/[\w.+~-]+)+/(?=[\w.+-])|\b[A-Za-z]:\\(?:[^\\\s:\"']+\\)+")

SETTINGS = """\
# Settings of nbgrader for this course, written by tools/grading.py.
c = get_config()
c.CourseDirectory.root = {root!r}
c.ClearSolutions.code_stub = {{"python": {stub!r}}}
c.OverwriteCells.add_missing_cells = True  # a check that was deleted is still made
c.Execute.timeout = {seconds}
"""

# Run before the first cell; before each check; before and after it.
REMEMBER = "__import__('kernellab.exercises.replaced').exercises.replaced.remember(exercises)\n"
PUT_BACK = REMEMBER.replace("remember(exercises)", "put_back()")
REFUSE = REMEMBER.replace("remember(exercises)", "refuse(exercises, {name!r}, {words!r})")

# What `nbgrader generate_assignment` does to a source, up to and after it keeps the cells.
TO_KEEP = (
    steps.LockCells,
    steps.ClearSolutions,
    steps.ClearOutput,
    steps.CheckCellMetadata,
    steps.ComputeChecksums,
)

DEFINING = (ast.FunctionDef, ast.ClassDef, ast.Assign, ast.Import, ast.ImportFrom)

# Two threads that parse at once fail now and then: https://github.com/python/cpython/issues/106905
PARSING = threading.Lock()

Notebook = Any  # nbformat's nodes are untyped
Cell = Any


def hide_paths(output: Any) -> None:
    """Cut the folders of this machine out of one output."""
    for key in ("text", "evalue"):
        if key in output:
            output[key] = PATHS.sub("…/", output[key])
    if "traceback" in output:
        output["traceback"] = [PATHS.sub("…/", line) for line in output["traceback"]]


# --- a course of nbgrader's ---------------------------------------------------------------------


class Course:
    """A folder that is a course of nbgrader's, with its gradebook."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.own = root / ".graded"  # what was graded, and how it went
        root.mkdir(parents=True, exist_ok=True)
        settings = SETTINGS.format(
            root=str(root), stub=exercises.STUB, seconds=contained.SECONDS_A_CELL
        )
        (root / "nbgrader_config.py").write_text(settings, encoding="utf-8")
        self.url = f"sqlite:///{root / 'gradebook.db'}?timeout={BUSY}"
        # nbgrader calls alembic, which lies beside Python.
        beside = str(Path(sys.executable).parent)
        if beside not in os.environ["PATH"].split(os.pathsep):
            os.environ["PATH"] = os.pathsep.join([beside, os.environ["PATH"]])

    def book(self) -> Gradebook:
        """Open the gradebook; to be used in a `with`."""
        return Gradebook(self.url)

    def file(self, kind: str, student: str, name: str, ending: str = "ipynb") -> Path:
        """Return the place of one notebook of one student."""
        return self.root / kind / student / name / f"{name}.{ending}"

    def set_up(self, path: Path) -> Notebook:
        """Tell the gradebook of the exercises of one source; return it with its checks, locked."""
        notebook = exercises.source(exercises.read(path))
        release = exercises.released(exercises.read(path))
        exercises.write(notebook, self.root / "source" / path.stem / path.name)
        exercises.write(release, self.root / "release" / path.stem / path.name)
        resources = {
            "nbgrader": {"notebook": path.stem, "assignment": path.stem, "db_url": self.url}
        }
        for step in TO_KEEP:
            notebook, resources = step(config=exercises.CONFIG).preprocess(notebook, resources)
        with self.book() as book:
            book.update_or_create_assignment(path.stem)
        try:
            steps.SaveCells(config=Config()).preprocess(notebook, resources)
        except RuntimeError:
            sys.exit(
                f"Since {path.stem} was graded here, exercises were added or removed. "
                "Grade into another folder: the marks of the old ones stay in this one."
            )
        return notebook


# --- what was handed in -------------------------------------------------------------------------


def kept_in(course: Course, lessons: dict[str, Lesson]) -> Iterator[Submission]:
    """Yield what was handed in earlier, as the course keeps it."""
    for name, lesson in lessons.items():
        for file in sorted(course.root.glob(f"submitted/*/{name}/{name}.ipynb")):
            yield Submission(file.parent.parent.name, lesson.path, file)


def restored(handed_in: Notebook, master: Notebook) -> Notebook:
    """Return a notebook to run: the student's answers and other cells, and all of our checks.

    A check is ours whatever became of it; one that was deleted follows its answer again, and what
    was defined in its cell stands in that of the answer. An answer whose cell is not known by its
    name is the last cell that defines its function.
    """
    ours = {name: cell for cell in master.cells if (name := grade_id(cell))}
    texts = {cell.source: cell for cell in master.cells if cell.cell_type == "markdown"}
    known = {grade_id(cell) for cell in handed_in.cells}
    homes = {
        name: k
        for k, cell in enumerate(handed_in.cells)
        if cell.cell_type == "code"
        for name in re.findall(r"^def (\w+)\(", text_of(cell), re.MULTILINE)
        if name in ours and name not in known
    }
    cells: list[Cell] = []
    places: dict[str, Cell] = {}
    for k, cell in enumerate(handed_in.cells):
        name, here = grade_id(cell), [name for name, home in homes.items() if home == k]
        if name not in ours and len(here) == 1:
            (name,) = here
        if name in ours and name not in places:
            new = nbformat.from_dict(dict(ours[name]))
            if new.metadata.nbgrader.solution:
                new.source = text_of(cell)
            elif cell.cell_type == "code" and (own := definitions(text_of(cell), new.source)):
                answer = places.get(name.removesuffix("_check"))
                if answer is None:
                    cells.append(answer := nbformat.v4.new_code_cell(""))
                answer.source += f"\n\n{own}"
            places[name] = new
        elif cell.cell_type == "code":
            new = nbformat.v4.new_code_cell(text_of(cell))
        else:
            new = nbformat.from_dict(dict(texts.get(text_of(cell)) or text_cell(cell)))
        cells.append(new)
        places.update(dict.fromkeys(here, new))
    at = 0
    for name, cell in ours.items():
        if name not in places and cell.metadata.nbgrader.grade:
            places[name] = nbformat.from_dict(dict(cell))
            cells.insert(at, places[name])
        if name in places:
            at = 1 + next(k for k, known in enumerate(cells) if known is places[name])
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    metadata = {"kernelspec": dict(master.metadata.kernelspec)}
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def grade_id(cell: Cell) -> str | None:
    """Return the name that nbgrader knows a cell by."""
    mark = cell.get("metadata", {}).get("nbgrader")
    name = mark.get("grade_id") if isinstance(mark, dict) else None
    return name if isinstance(name, str) else None


def definitions(source: str, ours: str) -> str:
    """Return what the cell of a check defines, and ours does not."""
    try:
        with PARSING:
            known = {ast.dump(statement) for statement in ast.parse(ours).body}
            found = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return "\n\n".join(
        ast.get_source_segment(source, statement) or ""
        for statement in found
        if isinstance(statement, DEFINING) and ast.dump(statement) not in known
    )


def pictures(notebook: Notebook) -> set[str]:
    """Return the statements of a notebook that only draw what an answer computes."""
    return {
        ast.dump(statement)
        for cell in notebook.cells
        if cell.cell_type == "code" and ".picture(" in cell.source
        for statement in ast.parse(cell.source).body
        if isinstance(statement, ast.With) and ".picture(" in ast.unparse(statement.items[0])
    }


def without(source: str, drawn: set[str]) -> str:
    """Return code without the statements that only draw; drawing takes a third of the time."""
    if ".picture(" not in source:
        return source
    try:
        with PARSING:
            body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
    if not any(ast.dump(statement) in drawn for statement in body):
        return source
    return "\n".join(ast.unparse(part) for part in body if ast.dump(part) not in drawn)


# --- running ------------------------------------------------------------------------------------


def run(notebook: Notebook, runner: contained.Runner, drawn: set[str], first: str = "") -> str:
    """Run a notebook, and put the outputs into it; return what went wrong with it as a whole.

    What is `first` in each check imports what it calls: an answer may have taken that name, or the
    cell with the imports may have stopped. A check that raises nothing, and does not say that an
    answer is right, costs the points too.
    """
    cells = [
        (k, guarded(cell, without(cell.source, drawn), first))
        for k, cell in enumerate(notebook.cells)
        if cell.cell_type == "code"
    ]
    ran = runner.run([(-1, first + REMEMBER), *cells] if first else cells)
    for count, (k, _) in enumerate(cells, start=1):
        cell = notebook.cells[k]
        cell.execution_count = count
        if k in ran.outputs:
            cell.outputs = [clean(output) for output in ran.outputs[k]]
        elif k == ran.running:
            cell.outputs = [failure("Stopped", f"In this cell the notebook {ran.trouble}.")]
        else:
            cell.outputs = [failure("NotReached", "Not reached.")]
        if utils.is_grade(cell) and (is_silent(cell) or is_unearned(cell, notebook.cells)):
            cell.outputs.append(failure("Silent", feedback.SILENT))
    return ran.trouble


def guarded(cell: Cell, source: str, first: str) -> str:
    """Return what to run of a cell; a check imports what it needs, and looks if it is ours."""
    if not (first and utils.is_grade(cell)):
        return source
    refuse = REFUSE.format(name=str(grade_id(cell)).removesuffix("_check"), words=feedback.SILENT)
    return f"{first}{PUT_BACK}{refuse}{source}\n{refuse}"


def own_cell_stopped(notebook: Notebook, master: Notebook) -> str:
    """Say why a cell of a student's own stopped, or the first, which imports; empty if none did."""
    ours = {cell.source for cell in master.cells}
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for k, cell in enumerate(code):
        if grade_id(cell) or (k > 0 and cell.source in ours):
            continue
        for output in cell.outputs:
            if output.output_type == "error" and output.ename not in {"NotReached", "Stopped"}:
                which = f"A cell of one's own ({k + 1})" if k else "The first cell"
                return f"{which} stopped: {output.ename}: {output.evalue}"[:300]
    return ""


def is_silent(check: Cell) -> bool:
    """Say whether a check raised nothing, and did not say as often as it should: correct."""
    said = "".join(output.get("text", "") for output in check.outputs)
    raised = any(output.output_type == "error" for output in check.outputs)
    calls = re.findall(r"exercises\.(\w+)\.check\(", check.source)
    return not raised and any(
        said.count(f"✓ {name}: correct (") < calls.count(name) for name in calls
    )


def is_unearned(check: Cell, cells: list[Cell]) -> bool:
    """Say whether a check raised nothing, and there is no answer but the function that raises."""
    raised = any(output.output_type == "error" for output in check.outputs)
    names = re.findall(r"exercises\.(\w+)\.check\(", check.source)
    answers = {name: feedback.answer_of(cells, name) for name in names}
    return not raised and any(
        answer is not None and feedback.is_stub(answer.source, name)
        for name, answer in answers.items()
    )


def clean(said: Any) -> Any:
    """Return an output, without folders of this machine; one that is none becomes an error."""
    try:
        known = json.dumps(said, ensure_ascii=False).encode("utf-8", "replace")
        output = nbformat.from_dict(json.loads(known))
        hide_paths(output)
        if "data" in output:
            output.data = {mime: output.data[mime] for mime in SHOWN if mime in output.data}
            output.metadata = {}
        cell = nbformat.v4.new_code_cell("", outputs=[output])
        nbformat.validate(nbformat.v4.new_notebook(cells=[cell]))
    except Exception:  # whatever was made up
        return failure("NoOutput", "What this cell put out cannot be read.")
    return output


def failure(name: str, words: str) -> Any:
    """Return an output that costs the points."""
    return nbformat.v4.new_output("error", ename=name, evalue=words, traceback=[words])


# --- grading ------------------------------------------------------------------------------------


@dataclass
class Lesson:
    """The exercises of one notebook, ready to grade."""

    path: Path
    master: Notebook
    drawn: set[str]
    print: str  # what marks depend on besides the answers
    titles: dict[str, str]
    first: str  # the lines that import the exercises, and what else is missing


def grade(
    submitted: Path,
    graded: Path,
    sources: list[Path],
    *,
    workers: int | None = None,
    due: datetime.datetime | None = None,
    draw: bool = False,
    runner: contained.Runner | None = None,
) -> tuple[list[feedback.Result], dict[str, str]]:
    """Grade what students handed in, and write marks and feedback.

    Returned are all results, and by student what was not graded, and why.

    Parameters
    ----------
    submitted, graded : The two folders.
    sources : The solutions, of all lessons that may have been handed in.
    workers : How many notebooks run at once; as many as there are processors if not given.
    due : When the answers were due, in UTC; lateness is told, and costs nothing by itself.
    draw : Whether pictures are drawn too, to be seen in formgrader.
    runner : What runs notebooks, if other limits are wanted.
    """
    print(contained.words(), flush=True)
    handed_in, nothing = collected(submitted, sources)
    if not handed_in:
        sys.exit(
            f"There is nothing to grade in {submitted}: it should hold one folder a student, with "
            f"notebooks such as {sources[0].name}."
        )
    course = Course(graded)
    lessons = set_up(
        course,
        [
            s
            for s in sources
            if any(s == one.source for one in handed_in) or any(course.own.glob(f"*/{s.stem}.json"))
        ],
    )
    if due:
        with course.book() as book:
            for name in lessons:
                book.update_or_create_assignment(name, duedate=due)
    begun, runner = time.monotonic(), runner or contained.Runner()
    todo = [one for one in handed_in if not is_graded(course, one, lessons[one.name].print)]
    if len(todo) < len(handed_in):
        print(f"{len(handed_in) - len(todo)} of {len(handed_in)} are graded and have not changed.")
    there = {(one.student, one.name) for one in handed_in}
    kept = [one for one in kept_in(course, lessons) if (one.student, one.name) not in there]
    todo += [one for one in kept if had_other_checks(course, one, lessons[one.name].print)]
    if others := sum(had_other_checks(course, one, lessons[one.name].print) for one in todo):
        print(f"The course has changed since {others} were graded, so they are graded again.")
    run_all(course, todo, lessons, runner, workers or os.cpu_count() or 1, draw)
    if todo:
        seconds = time.monotonic() - begun
        print(f"Graded {len(todo)} in {seconds:.0f} s, {seconds / len(todo):.2f} s each.")
    results = list(found(course, lessons))
    write_marks(graded, results, nothing)
    for result in results:
        page = course.file("feedback", result.student, result.name, "html")
        feedback.write(result, page)
        # The exchange hands a page back to the submission of that moment.
        copy_told(course.file("submitted", result.student, result.name).parent, page.parent)
    return results, nothing


def copy_told(source: Path, target: Path) -> None:
    """Copy what the exchange put beside a notebook; a link could lead to what nobody handed in."""
    for name in TOLD_BY_EXCHANGE:
        if (source / name).is_file() and not (source / name).is_symlink():
            shutil.copyfile(source / name, target / name)


def set_up(course: Course, sources: list[Path]) -> dict[str, Lesson]:
    """Prepare the lessons that were handed in."""
    package = hashlib.sha256()
    for file in sorted([*(ROOT / "kernellab").rglob("*.py"), Path(contained.RUNNER)]):
        package.update(file.read_bytes())
    lessons = {}
    for path in sources:
        master = course.set_up(path)
        mark = hashlib.sha256(package.digest() + nbformat.writes(master).encode()).hexdigest()
        code = "\n".join(cell.source for cell in master.cells if cell.cell_type == "code")
        first = re.findall(r"^from kernellab\.lessons\.\w+ import exercises\n", code, re.MULTILINE)
        first = [*first[:1], *put_back(code)]
        lessons[path.stem] = Lesson(
            path, master, pictures(master), mark, feedback.titles(master.cells), "".join(first)
        )
    return lessons


def put_back(code: str) -> Iterator[str]:
    """Yield lines that import what a lesson's code imports, where there is nothing of that name."""
    for line in re.findall(r"^(?:import|from) [^(\n]+$", code, re.MULTILINE):
        (statement,) = ast.parse(line).body
        for alias in getattr(statement, "names", ()):
            yield f"try: {alias.asname or alias.name}\nexcept NameError: {line}\n"


def is_graded(course: Course, one: Submission, mark: str) -> bool:
    """Say whether this very notebook was graded by these very checks."""
    state = state_of(course, one.student, one.name)
    file = course.file("autograded", one.student, one.name)
    return state.get("hash") == content(one, mark) and file.is_file()


def had_other_checks(course: Course, one: Submission, mark: str) -> bool:
    """Say whether a student's notebook was graded before, by another version of the course."""
    return state_of(course, one.student, one.name).get("checks", mark) != mark


def content(one: Submission, mark: str) -> str:
    """Return a hash of what was handed in, and of what it is checked by."""
    try:
        data = one.file.read_bytes()
    except OSError as error:
        data = str(error).encode()
    return hashlib.sha256(mark.encode() + data).hexdigest()


def state_of(course: Course, student: str, name: str) -> dict[str, Any]:
    """Return what is remembered of a notebook that was graded."""
    try:
        state = json.loads((course.own / student / f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}


def run_all(
    course: Course,
    todo: list[Submission],
    lessons: dict[str, Lesson],
    runner: contained.Runner,
    workers: int,
    draw: bool,
) -> None:
    """Run several notebooks at once; keep the marks of each as soon as it is done."""

    def one_of(one: Submission) -> tuple[Notebook, str, str]:
        lesson, problem = lessons[one.name], ""
        try:
            notebook = restored(nbformat.reads(text_in(one.file), as_version=4), lesson.master)
        except Exception as error:  # there is no end to what a broken file can raise
            other = "not in UTF-8, or " * isinstance(error, UnicodeError)
            problem = (
                f"not graded: {one.file.name} is {other}damaged or cut off, and cannot be read "
                "as a notebook; hand it in again"
            )
            before = course.file("autograded", one.student, one.name)
            kept = exercises.read(before) if before.is_file() else nbformat.v4.new_notebook()
            notebook = restored(kept, lesson.master)
        answered = [name for name in lesson.titles if feedback.answer_of(notebook.cells, name)]
        if problem and answered:
            problem += "; the points are of the one before"
        trouble = run(notebook, runner, set() if draw else lesson.drawn, lesson.first)
        # A lesson may define a function that an exercise asks for.
        trouble = trouble or ("" if len(answered) > 1 else NO_ANSWER)
        return notebook, problem, trouble or own_cell_stopped(notebook, lesson.master)

    pool = ThreadPoolExecutor(workers)
    with course.book() as book:
        try:
            jobs: dict[Future[tuple[Notebook, str, str]], Submission] = {
                pool.submit(one_of, one): one for one in todo
            }
            for job in tqdm(as_completed(jobs), total=len(todo), unit="notebook", disable=None):
                one = jobs[job]
                keep(course, book, one, lessons[one.name], *job.result())
        except BaseException as error:
            runner.stop()
            if isinstance(error, KeyboardInterrupt):
                sys.exit("Stopped. What is graded is kept: the same command goes on from here.")
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def keep(
    course: Course,
    book: Gradebook,
    one: Submission,
    lesson: Lesson,
    notebook: Notebook,
    problem: str,
    trouble: str,
) -> None:
    """Keep one graded notebook: its copy, its marks, and last the word that it is graded."""
    place = course.file("submitted", one.student, one.name)
    # The exchange brings them where they belong.
    if not problem and one.file.resolve() != place.resolve():
        place.parent.mkdir(parents=True, exist_ok=True)
        (place.parent / "timestamp.txt").write_text(f"{one.when} UTC", encoding="utf-8")
        shutil.copyfile(one.file, place)
        copy_told(one.file.parent, place.parent)
    autograded = course.file("autograded", one.student, one.name)
    kept = exercises.read(autograded) if autograded.is_file() else nbformat.v4.new_notebook()
    before = answers(kept)
    if kept.cells and is_blank(notebook, lesson) and not is_blank(kept, lesson):
        trouble = trouble or "Nothing is filled in, but there were answers before"
    save(book, one, notebook, before, when={} if problem else {"timestamp": one.when})
    exercises.write(notebook, autograded)
    state = {
        "hash": content(one, lesson.print),
        "checks": lesson.print,
        "trouble": problem or trouble,
    }
    place = course.own / one.student / f"{one.name}.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    new = place.with_suffix(".new")
    new.write_text(json.dumps(state), encoding="utf-8")
    new.replace(place)


def save(
    book: Gradebook, one: Submission, notebook: Notebook, before: dict[str, str], when: Any
) -> None:
    """Write what the checks found into the gradebook; what a teacher entered stays."""
    name, student, now = one.name, one.student, answers(notebook)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SQLAlchemy's, about how nbgrader makes its rows
        book.update_or_create_student(student)
        book.update_or_create_submission(name, student, **when)
    for cell in notebook.cells:
        mark = grade_id(cell)
        if mark is None:
            continue
        if utils.is_grade(cell):
            row = book.find_grade(mark, name, name, student)
            row.auto_score, _ = utils.determine_grade(cell)
            answer = mark.removesuffix("_check")
            if row.manual_score is None:
                row.needs_manual_grade = row.auto_score is None
            elif before.get(answer) != now.get(answer):
                row.needs_manual_grade = True  # a mark by hand was for another answer
        if utils.is_solution(cell):
            comment = book.find_comment(mark, name, name, student)
            blank = cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)
            if comment.manual_comment is None:
                comment.auto_comment = "No response." if blank else None
            elif before.get(mark) != now.get(mark):
                comment.auto_comment = comment.manual_comment  # it is on an earlier answer
    book.db.commit()


def is_blank(notebook: Notebook, lesson: Lesson) -> bool:
    """Say whether the checks of a graded notebook found no answer in it."""
    said = [feedback.what_happened(notebook.cells, name)["words"] for name in lesson.titles]
    return all(words.startswith("Not filled in") for words in said)


def answers(notebook: Notebook) -> dict[str, str]:
    """Return the sources of the cells that nbgrader knows, by name."""
    return {name: cell.source for cell in notebook.cells if (name := grade_id(cell))}


# --- marks --------------------------------------------------------------------------------------


def found(course: Course, lessons: dict[str, Lesson]) -> Iterator[feedback.Result]:
    """Yield all that is known of each student and notebook, graded now or earlier."""
    with course.book() as book:
        for name, lesson in sorted(lessons.items()):
            of = {
                cell.name: float(cell.max_score)
                for cell in book.find_notebook(name, name).grade_cells
            }
            for submission in sorted(
                book.assignment_submissions(name), key=lambda one: str(one.student_id)
            ):
                yield result_of(course, submission, lesson, of)


def result_of(
    course: Course, submission: Any, lesson: Lesson, of: dict[str, float]
) -> feedback.Result:
    """Return what one student got for one notebook, and why."""
    student, name = submission.student_id, lesson.path.stem
    state = state_of(course, student, name)
    (kept,) = submission.notebooks
    grades = {row.name: row for row in kept.grades}
    comments = {
        row.name: OUTDATED * (row.manual_comment == row.auto_comment) + row.comment
        for row in kept.comments
        if row.comment
    }
    file = course.file("autograded", student, name)
    cells = exercises.read(file).cells if file.is_file() else []
    marks = []
    for check, most in of.items():
        exercise, row = check.removesuffix("_check"), grades.get(check)
        remark = comments.get(exercise, "")
        marks.append(
            feedback.Mark(
                exercise,
                lesson.titles.get(exercise, exercise),
                float(row.score or 0.0) if row else 0.0,
                most,
                by_hand=bool(row and (row.manual_score is not None or row.extra_credit)),
                look_again=bool(row and (row.needs_manual_grade or (row.manual_score or 0) > most)),
                comment="" if remark == "No response." else remark,
                **feedback.what_happened(cells, exercise),
            )
        )
    order = list(lesson.titles)
    marks.sort(key=lambda m: order.index(m.exercise) if m.exercise in order else len(order))
    trouble = state.get("trouble", "")
    if trouble == NO_ANSWER and any(mark.by_hand for mark in marks):
        trouble = ""
    for mark in marks:
        if trouble.startswith("not") and mark.words == feedback.NO_CELL:
            mark.words = ""  # once is enough
    person = submission.student
    full = " ".join(filter(None, [person.first_name, person.last_name]))
    return feedback.Result(
        student, full or student, name, feedback.heading(lesson.master.cells), marks,
        trouble=trouble,
        late=datetime.timedelta(seconds=submission.total_seconds_late),
        penalty=float(kept.late_submission_penalty or 0.0),
        most=sum(of.values()),
    )  # fmt: skip


def write_marks(graded: Path, results: list[feedback.Result], nothing: dict[str, str]) -> None:
    """Write the two tables: totals, and a line an exercise.

    A total is of all lessons in which anybody filled in anything; one that a student did not hand
    in has no points.
    """
    totals: list[list[Any]] = []
    lines: list[list[Any]] = []
    most = {result.name: result.most for result in results if result.filled_in}
    students = {result.student for result in results} | set(nothing)
    for student in sorted(students, key=lambda name: (name.casefold(), name)):
        mine = [result for result in results if result.student == student]
        for r in mine:
            remark = r.remark or ("" if r.filled_in else "nothing filled in")
            totals.append([student, r.name, r.points, r.most, r.percent, r.late_words, remark])
            lines += [
                [student, r.name, m.exercise, m.title, m.points, m.of, m.hand_words, m.comment]
                for m in r.marks
            ]
        if len(most) > 1 or len(mine) != 1:
            points, of = sum(r.points for r in mine), sum(most.values())
            percent = round(100 * points / of) if of else 0
            missing = ", ".join(sorted(set(most) - {r.name for r in mine}))
            missing = f"not handed in: {missing}" * bool(mine and missing)
            remark = "; ".join(filter(None, [nothing.get(student), missing]))
            totals.append([student, "all", points, of, percent, "", remark])
        elif student in nothing:
            totals[-1][-1] = "; ".join(filter(None, [totals[-1][-1], nothing[student]]))
    table(
        graded / "marks.csv",
        ["student", "notebook", "points", "of", "percent", "late", "remark"], totals,
    )  # fmt: skip
    table(
        graded / "exercises.csv",
        ["student", "notebook", "exercise", "title", "points", "of", "by hand", "comment"], lines,
    )  # fmt: skip


def table(file: Path, head: list[str], rows: list[list[Any]]) -> None:
    """Write a table that every spreadsheet reads; a cell never begins a formula of it.

    Without the mark that `utf-8-sig` puts before it, Excel would read names with umlauts wrongly.
    """
    with file.open("w", newline="", encoding="utf-8-sig") as page:
        out = csv.writer(page)
        out.writerow(head)
        out.writerows([harmless(value) for value in row] for row in rows)


def harmless(value: Any) -> Any:
    """Return a value for a table: text that a spreadsheet would compute is quoted."""
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, str) and value[:1] in set("=+-@\t\r"):
        return f"'{value}"
    return value


def summary(results: list[feedback.Result], nothing: dict[str, str]) -> str:
    """Return a line a lesson, with what most found hard, and a line for each thing to look at."""
    lines = []
    for name in sorted({r.name for r in results}):
        marked = [r for r in results if r.name == name and r.is_graded]
        lines.append(f"{name}: {len(marked)} graded")
        if not any(r.filled_in for r in marked):
            lines[-1] += ", nothing filled in: it is in no total"
        else:
            mean = sum(r.points for r in marked) / len(marked)
            missed = Counter(m.title for r in marked for m in r.marks if m.state != "right")
            lines[-1] += f", on average {mean:.1f} of {marked[0].most:g}"
            lines[-1] += "".join(f"; {n} missed “{title}”" for title, n in missed.most_common(1))
        if late := sum(bool(r.late) for r in marked):
            lines[-1] += f"; {late} late"
    lines += [f"{r.student}, {r.name}: {r.remark}" for r in results if r.remark]
    return "\n".join(lines + [f"{student}: {why}" for student, why in nothing.items()])


def moment(words: str) -> datetime.datetime:
    """Read a date and time of this place, such as 2026-11-20 18:00; return it in UTC."""
    try:
        told = datetime.datetime.fromisoformat(words)
    except ValueError:
        example = 'a moment is written "2026-11-20 18:00"'
        raise argparse.ArgumentTypeError(f"{example}, got {words!r}") from None
    return told.astimezone(datetime.UTC).replace(tzinfo=None)


def main() -> int:
    """Hand out or grade."""
    parser = argparse.ArgumentParser(description="Hand out and grade the exercises.")
    commands = parser.add_subparsers(dest="command", required=True)
    out = commands.add_parser("release", help="write the archive for students")
    out.add_argument("folder", type=Path)
    new = commands.add_parser("course", help="make a course of nbgrader's, to release from")
    new.add_argument("folder", type=Path)
    mark = commands.add_parser("grade", help="grade what was handed in")
    mark.add_argument("submitted", type=Path)
    mark.add_argument("graded", type=Path)
    mark.add_argument("--lessons", nargs="+", metavar="01", help="what was set (default: all)")
    mark.add_argument("--workers", type=int, help="notebooks at once (default: processors)")
    mark.add_argument("--due", type=moment, help='"2026-11-20 18:00": say who was late')
    mark.add_argument("--pictures", action="store_true", help="draw pictures too, for formgrader")
    chosen = parser.parse_args()
    if chosen.command == "release":
        archive = handout.make(chosen.folder.resolve())
        print(f"Released: {archive}, {archive.stat().st_size / 2**20:.1f} MB")
        return 0
    if chosen.command == "course":
        course = Course(chosen.folder.resolve())
        for path in exercises.solutions():
            course.set_up(path)
        print(f"There is a course of {len(exercises.solutions())} assignments in {chosen.folder}")
        return 0
    if not chosen.submitted.is_dir():
        parser.error(f"there is no folder {chosen.submitted}")
    sources = exercises.solutions()
    if chosen.lessons:
        sources = [path for path in sources if path.name[:2] in chosen.lessons]
    if not sources:
        parser.error(f"there is no lesson {' or '.join(chosen.lessons)}")
    told = grade(
        chosen.submitted.resolve(), chosen.graded.resolve(), sources,
        workers=chosen.workers, due=chosen.due, draw=chosen.pictures,
    )  # fmt: skip
    print(summary(*told))
    print(f"Marks in {chosen.graded / 'marks.csv'}, feedback in {chosen.graded / 'feedback'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
