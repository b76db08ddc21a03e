"""What a class hands in that is odd: the marks are those of the answers, or a remark says why."""

from __future__ import annotations

import csv
import html
import re
import shutil
from pathlib import Path

import exercises
import grading
import nbformat
import pytest
from handed_in import FULL, IN_OTHER_WAYS, SOURCE, filled

NOTHING = dict.fromkeys(FULL, 0)
REPLACED = "from kernellab.exercises import exercise as e\ne.Exercise.check = lambda *a, **k: None"
JUDGED = ALWAYS = "def dual_update(K, y, alpha, i):\n    return alpha\n"
JUDGED += "exercises.dual_update.judge = lambda *_: None"
ALWAYS += "import kernellab.exercises.exercise as e\ne.compare = lambda *_: None"
FORGED = "np.allclose = lambda *a, **k: True\nnp.isclose = np.array_equal = np.allclose"
WELL_MEANT = "import builtins\nnp.round, np.max, np.array = round, max, list\nbuiltins.sum = np.sum"
WHILE_CHECKED = f"def dual_update(K, y, alpha, i):\n    {FORGED.splitlines()[0]}\n    return y"
OTHER_CODE = """import kernellab.exercises.exercise as e
def content(self, *args, **settings):
    return self.right("as told")
e.FunctionExercise.verdict.__code__ = content.__code__"""
PRINTS = "def dual_update(K, y, alpha, i):\n    print(alpha + 1)"
ALL_WRONG = {
    "weights_from_counts": "def weights_from_counts(X, y, alpha):\n    return alpha @ X",
    "dual_update": "def dual_update(K, y, alpha, i):\n    return alpha",
    "classify_from_gram": "def classify_from_gram(K_test, y, alpha):\n    return K_test @ alpha",
    "perceptron_with_margin": "def perceptron_with_margin(K, y, margin, max_passes):\n    return y",
    "step_downhill": "def step_downhill(X, y, w, eta, lam):\n    return w - lam * X[0]",
    "vc_lines": "def vc_lines():\n    return 4, [(0, 0), (1, 0), (1, 1), (0, 1)]",
    "vc_rectangles": "def vc_rectangles():\n    return 4, [(0, 0), (1, 0), (1, 1), (0, 1)]",
    "fifth_point": "def fifth_point(X):\n    return [1, 1, 1, 1, -1]",
    "fourth_point": "def fourth_point(X):\n    return np.array([1, -1, 1, -1])",
}


def with_cell(source: str, notebook: exercises.Notebook) -> exercises.Notebook:
    """Return it with a cell of one's own after the imports."""
    at = 1 + next(k for k, cell in enumerate(notebook.cells) if cell.cell_type == "code")
    notebook.cells.insert(at, nbformat.v4.new_code_cell(source))
    return notebook


def with_first_cell(source: str, notebook: exercises.Notebook) -> exercises.Notebook:
    """Return it with something before its imports."""
    cell = next(cell for cell in notebook.cells if cell.cell_type == "code")
    cell.source = f"{source}\n{cell.source}"
    return notebook


def below(name: str, notebook: exercises.Notebook) -> exercises.Notebook:
    """Return it with one answer moved to its end, without a name."""
    (cell,) = (cell for cell in notebook.cells if grading.grade_id(cell) == name)
    notebook.cells.append(nbformat.v4.new_code_cell(cell.source))
    cell.source = "# see below"
    return notebook


def stripped(notebook: exercises.Notebook) -> exercises.Notebook:
    """Return it without what nbgrader knows cells by."""
    for cell in notebook.cells:
        cell.metadata.clear()
    return notebook


def in_the_checks(answers: dict[str, str]) -> exercises.Notebook:
    """Return it with the answers above the line that checks them, in the same cell."""
    notebook = filled({})
    for cell in notebook.cells:
        name = str(grading.grade_id(cell)).removesuffix("_check")
        if name in answers and grading.grade_id(cell) != name:
            cell.source = f"{answers[name]}\n\n{cell.source}"
    return notebook


def in_one_cell() -> exercises.Notebook:
    """Return all answers in a cell of one's own, and their cells deleted."""
    notebook = with_cell("\n".join(IN_OTHER_WAYS.values()), filled(IN_OTHER_WAYS))
    notebook.cells = [c for c in notebook.cells if grading.grade_id(c) not in FULL]
    return notebook


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("odd")
    for student, notebook in {
        "stripped": stripped(filled(IN_OTHER_WAYS)),
        "one cell": in_one_cell(),
        "one cell, stripped": stripped(in_one_cell()),
        "replaced": with_cell(REPLACED, filled(ALL_WRONG)),
        "other code": with_cell(OTHER_CODE, filled(ALL_WRONG)),
        "own cell": with_cell("import no_such_package", filled(IN_OTHER_WAYS)),
        "no package": with_first_cell("import no_such_package", filled(IN_OTHER_WAYS)),
        "misnamed": filled(IN_OTHER_WAYS | {"dual_update": "def update(K, y, alpha, i):\n    ..."}),
        "below": below("dual_update", filled(IN_OTHER_WAYS)),
        "overwritten": with_cell("exercises = [1, 2]", filled(IN_OTHER_WAYS)),
        "judged": filled(IN_OTHER_WAYS | {"dual_update": JUDGED}),
        "always": filled(IN_OTHER_WAYS | {"dual_update": ALWAYS}),
        "prints": filled(IN_OTHER_WAYS | {"dual_update": PRINTS}),
        "all wrong": filled(ALL_WRONG),
        "forged": with_cell(FORGED, filled(ALL_WRONG)),
        "well meant": with_cell(WELL_MEANT, filled(IN_OTHER_WAYS)),
        "while checked": filled(IN_OTHER_WAYS | {"dual_update": WHILE_CHECKED}),
        "in the checks": in_the_checks(IN_OTHER_WAYS),
        "cleared": filled(IN_OTHER_WAYS | {"dual_update": "# TODO\npass"}),
    }.items():
        exercises.write(notebook, folder / "handed_in" / student / SOURCE.name)
    (folder / "handed_in" / "lesson").mkdir()
    lesson = exercises.ROOT / "notebooks" / SOURCE.name
    shutil.copyfile(lesson, folder / "handed_in" / "lesson" / SOURCE.name)
    grading.grade(folder / "handed_in", folder / "graded", [SOURCE])
    return folder / "graded"


@pytest.mark.parametrize(
    ("answer", "unearned"),
    [
        ('def f(x):\n    """Return x."""\n    raise NotImplementedError("your turn")', True),
        ("def f(x):\n    return x\n    raise NotImplementedError", False),
        ("f = abs", False),
        ("def f(x:", False),
    ],
)
def test_a_right_that_no_answer_earned_is_seen(answer, unearned):
    notebook = nbformat.v4.new_notebook()
    said = nbformat.v4.new_output("stream", name="stdout", text="✓ f: correct (9 examples).")
    check = nbformat.v4.new_code_cell("exercises.f.check(f)", outputs=[said])
    notebook.cells = [nbformat.v4.new_code_cell(answer), check]
    assert not grading.is_silent(check)
    assert grading.is_unearned(check, notebook.cells) == unearned


def table(graded: Path, name: str, student: str) -> list[dict[str, str]]:
    with (graded / name).open(encoding="utf-8-sig") as file:
        return [row for row in csv.DictReader(file) if row["student"] == student]


def page(graded: Path, student: str) -> str:
    file = graded / "feedback" / student / SOURCE.stem / f"{SOURCE.stem}.html"
    return html.unescape(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("student", "marks", "remark"),
    [
        ("stripped", FULL, ""),
        ("one cell", FULL, ""),
        ("one cell, stripped", FULL, ""),
        ("overwritten", FULL, ""),
        (
            "no package",
            FULL,
            "The first cell stopped: ModuleNotFoundError: No module named 'no_such_package'",
        ),
        (
            "own cell",
            FULL,
            "A cell of one's own (2) stopped: ModuleNotFoundError: No module named "
            "'no_such_package'",
        ),
        ("other code", NOTHING, f"the check was replaced, look at the code: {', '.join(FULL)}"),
        ("misnamed", FULL | {"dual_update": 0}, ""),
        ("below", FULL | {"dual_update": 0}, ""),
        ("prints", FULL | {"dual_update": 0}, ""),
        ("replaced", NOTHING, f"the check was replaced, look at the code: {', '.join(FULL)}"),
        (
            "judged",
            FULL | {"dual_update": 0},
            "the check was replaced, look at the code: dual_update",
        ),
        (
            "always",
            NOTHING | {"weights_from_counts": 2},
            f"the check was replaced, look at the code: {', '.join(list(FULL)[1:])}",
        ),
        ("forged", NOTHING, ""),
        ("well meant", FULL, ""),
        (
            "while checked",
            FULL | {"dual_update": 0},
            "the check was replaced, look at the code: dual_update",
        ),
        ("in the checks", FULL, ""),
        ("cleared", FULL | {"dual_update": 0}, ""),
        ("lesson", NOTHING, grading.NO_ANSWER),
    ],
)
def test_the_marks_are_those_of_the_answers_or_a_remark_says_why(graded, student, marks, remark):
    found = table(graded, "exercises.csv", student)
    assert {row["exercise"]: float(row["points"]) for row in found} == marks
    assert table(graded, "marks.csv", student)[0]["remark"] == remark
    assert "its cell is missing" not in page(graded, student)
    assert page(graded, student).count("none of their cells is in it") == (student == "lesson")


def test_the_page_says_what_is_in_the_way(graded):
    said = "The first cell stopped: ModuleNotFoundError: No module named 'no_such_package'."
    assert f">{said}</p>" in page(graded, "no package")
    assert "no function dual_update; your cell defines update." in page(graded, "misnamed")
    assert "Not filled in: the cell is empty." in page(graded, "cleared")
    assert "with dual_update stands below its check" in page(graded, "below")


def test_who_prints_instead_of_returning_is_told_and_sees_the_answer(graded):
    said = page(graded, "prints")
    assert "it returns nothing: return, not print." in said
    assert f"<summary>your answer</summary><pre>{PRINTS}</pre>" in said
    assert "○" not in said


def test_who_has_all_wrong_gets_every_example_whole(graded):
    said = page(graded, "all wrong")
    examples = re.findall(r"<pre>(  .*?)</pre>", said, re.DOTALL)
    assert len(examples) == len(FULL)
    for name in ("K = [[", "y = [", "alpha = [", "i = ", "expected [", "yours    ["):
        assert name in examples[1]
    for one in examples:
        assert one.count("[") == one.count("]"), one
        assert "…" not in one.replace("A, B, …", "")
