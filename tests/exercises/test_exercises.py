"""The exercises that students get are those that the solutions make, and they give nothing away."""

from __future__ import annotations

import contextlib
import importlib
import io
import re

import exercises
import grading
import pytest
from nbformat import v4

from kernellab.exercises.choice import ChoiceExercise
from kernellab.exercises.exercise import Exercise, FunctionExercise, NotYet

SOLUTIONS = exercises.solutions()
LESSONS = [pytest.param(path, id=path.stem) for path in SOLUTIONS]


def cells(path, kind):
    """Return the cells of a notebook by the name of their exercise."""
    found = {}
    for cell in exercises.read(path).cells:
        mark = cell.metadata.get("nbgrader", {})
        if mark.get(kind):
            found[mark["grade_id"].removesuffix("_check")] = cell
    return found


def lesson(path):
    """Return the module of exercises that a notebook imports."""
    source = "\n".join(cell.source for cell in exercises.read(path).cells)
    room = re.search(r"from (kernellab\.lessons\.\w+) import .*exercises", source)[1]
    return importlib.import_module(f"{room}.exercises")


def test_every_solution_has_its_exercises():
    made = {path.name for path in exercises.EXERCISES.glob("*.ipynb")}
    assert made == {path.name for path in SOLUTIONS}
    assert made


@pytest.mark.parametrize("path", LESSONS)
def test_the_exercises_are_made_from_the_solutions(path):
    """If this fails: `make exercises`."""
    notebook = exercises.read(path)
    assert exercises.marked_up(notebook) == notebook
    assert exercises.released(notebook) == exercises.read(exercises.EXERCISES / path.name)


@pytest.mark.parametrize("path", LESSONS)
def test_every_exercise_of_the_lesson_is_there(path):
    tasks = lesson(path).EXERCISES
    assert 5 <= len(tasks) <= 9
    assert all(isinstance(task, Exercise) for task in tasks)
    names = [task.name for task in tasks]
    assert sorted(names) == sorted(lesson(path).__all__)
    assert list(cells(path, "solution")) == list(cells(path, "grade")) == names
    text = "\n".join(cell.source for cell in exercises.read(path).cells)
    said = [int(points) for points in re.findall(r"\*\((\d+) points?\)\*", text)]
    assert said == [cell.metadata.nbgrader.points for cell in cells(path, "grade").values()]
    for name in names:
        for part in ("check", "hint", *drawn(lesson(path).EXERCISES, name)):
            assert f"exercises.{name}.{part}(" in text
    assert text.rstrip().endswith("dashboard(exercises)")


def drawn(tasks, name):
    """A choice has nothing to draw that would not give it away."""
    (task,) = (task for task in tasks if task.name == name)
    return [] if isinstance(task, ChoiceExercise) else ["picture"]


@pytest.mark.parametrize("path", LESSONS)
def test_nothing_is_given_away(path):
    handed_out = exercises.read(exercises.EXERCISES / path.name)
    text = "\n".join(cell.source for cell in handed_out.cells)
    for word in ("SOLUTION", "HIDDEN", "seed=1", "For the teacher", "wrong turn"):
        assert word not in text.replace("`check(…, seed=1)`", "")
    assert not any("teacher" in exercises.tags(cell) for cell in handed_out.cells)
    assert all(cell.outputs == [] for cell in handed_out.cells if cell.cell_type == "code")
    for cell in cells(exercises.EXERCISES / path.name, "solution").values():
        assert cell.source.rstrip().endswith(f"    {exercises.STUB}")
    narrated = [cell for cell in exercises.read(path).cells if "teacher" in exercises.tags(cell)]
    assert any("wrong turn" in cell.source for cell in narrated)


@pytest.mark.parametrize("path", LESSONS)
def test_a_picture_stands_in_every_exercise(path):
    """Where it would be the answer it is not handed out; a choice has none."""
    handed_out = exercises.read(exercises.EXERCISES / path.name)
    n_expected = sum("expected.png" in cell.get("attachments", {}) for cell in handed_out.cells)
    drawn = [cell for cell in exercises.read(path).cells if ".picture(" in cell.source]
    assert n_expected == sum("spoiler" not in exercises.tags(cell) for cell in drawn)
    source = "\n".join(cell.source for cell in drawn)
    for task in lesson(path).EXERCISES:
        assert f"exercises.{task.name}.picture(" in source or not isinstance(task, FunctionExercise)


@pytest.mark.parametrize("path", LESSONS)
def test_solutions_get_full_marks_and_stubs_none(path):
    """In one process; tests/grading does it with nbgrader, for one lesson."""
    answers = cells(path, "solution")
    stubs = cells(exercises.EXERCISES / path.name, "solution")
    for name, check in cells(path, "grade").items():
        scope: dict[str, object] = {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(imports(path), scope)
            exec(answers[name].source, scope)
            exec(check.source, scope)
            exec(stubs[name].source, scope)
            with pytest.raises(NotYet, match=f"○ {name}: not filled in yet"):
                exec(check.source, scope)


def imports(path):
    """Return the first code cell of a notebook."""
    return next(c.source for c in exercises.read(path).cells if c.cell_type == "code")


# --- the tools, on a small notebook ---------------------------------------------------------------


def small(*, tags=("points-2",), answer="def f(x):\n    ### BEGIN SOLUTION\n    return x\n"):
    answer += "    ### END SOLUTION"
    check = "exercises.f.check(f)\n### BEGIN HIDDEN TESTS\nexercises.f.check(f, strict=True)\n"
    code = [v4.new_code_cell(answer), v4.new_code_cell(check + "### END HIDDEN TESTS")]
    code[1].metadata.tags = list(tags)
    notes = v4.new_markdown_cell("Only for you.", metadata={"tags": ["teacher"]})
    return v4.new_notebook(cells=[v4.new_markdown_cell("What is f?"), *code, notes])


def test_marking_up_and_releasing():
    handed_out = exercises.released(exercises.marked_up(small()))
    assert [cell.source for cell in handed_out.cells] == [
        "What is f?",
        'def f(x):\n    raise NotImplementedError("your turn")',
        "exercises.f.check(f)",
    ]
    assert handed_out.cells[2].metadata.nbgrader.points == 2
    assert handed_out.cells[2].metadata.editable is False


def test_a_heading_says_the_points_of_the_tag():
    notebook = small(tags=("points-5",))
    notebook.cells.insert(0, v4.new_markdown_cell("## 1 · A function *(3 points)*"))
    assert exercises.marked_up(notebook).cells[0].source == "## 1 · A function *(5 points)*"


@pytest.mark.parametrize("tags", [(), ("points-2", "points-3"), ("points-two",)])
def test_a_check_needs_one_number_of_points(tags):
    with pytest.raises(ValueError, match="give this check one tag such as points-3"):
        exercises.marked_up(small(tags=tags))


def test_an_answer_is_one_function():
    with pytest.raises(ValueError, match="an answer must define one function"):
        exercises.marked_up(small(answer="x = 1\n    ### BEGIN SOLUTION\n"))


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("File /home" + "/ann/course/kernellab/x.py:3, in f", "File …/x.py:3, in f"),
        ("saved in '/var/tmp/a b/c.csv'", "saved in '…/a b/c.csv'"),
        (r"open C:\Users\ann\x.py", r"open …/x.py"),
        ("y / x, 1/2, https://example.org/a/b, (K/n)", None),
        ("  in line 2 of your code: return a/b/c", None),
    ],
)
def test_folders_are_hidden_in_feedback(said, left):
    outputs = [
        v4.new_output("stream", name="stdout", text=said),
        v4.new_output("error", ename="E", evalue=said, traceback=[said]),
    ]
    stream, error = map(grading.clean, outputs)
    assert {stream.text, error.evalue, *error.traceback} == {left or said}


def test_nothing_handed_in_is_said(tmp_path):
    (tmp_path / "ann").mkdir()
    with pytest.raises(SystemExit, match="one folder a student"):
        grading.grade(tmp_path, tmp_path / "graded", SOLUTIONS)
    assert not (tmp_path / "graded").exists()
