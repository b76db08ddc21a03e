"""The whole cycle with nbgrader itself: hand out, collect, grade, and say why.

Lesson 01, seven students: the solutions, the blank release, and five as they come.
"""

from __future__ import annotations

import copy
import csv
import gc
import html
import re
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import contained
import exercises
import grading
import pytest
from handed_in import FULL, IN_OTHER_WAYS, SOURCE, filled

# --- what students hand in ------------------------------------------------------------------------

WITH_MISCONCEPTIONS = IN_OTHER_WAYS | {
    "weights_from_counts": "def weights_from_counts(X, y, alpha):\n    return alpha @ X",
    "dual_update": """
def dual_update(K, y, alpha, i):
    alpha = alpha.copy()
    if y[i] * (K[i] @ (alpha * y)) < 0:
        alpha[i] += 1
    return alpha
""",
    "classify_from_gram": """
def classify_from_gram(K_test, y, alpha):
    return np.where(K_test @ (alpha * y) >= 0, 1, -1)
""",
    "vc_rectangles": "def vc_rectangles():\n    return 4, [(0, 0), (1, 0), (1, 1), (0, 1)]",
    "fourth_point": "def fourth_point(X):\n    return np.array([1, -1, 1, -1])",
}

# Right for what the check shows, and for nothing else.
BY_HEART = IN_OTHER_WAYS | {
    name: f"""
shown = list(exercises.{name}.cases(np.random.default_rng(0)))


def {name}({arguments}):
    for case in shown:
        if all(np.array_equal(a, b) for a, b in zip(case.values(), ({arguments}))):
            return exercises.{name}.solution(**case)
    return np.zeros(len(y))
"""
    for name, arguments in {
        "weights_from_counts": "X, y, alpha",
        "dual_update": "K, y, alpha, i",
        "classify_from_gram": "K_test, y, alpha",
    }.items()
}

WITH_ACCIDENTS = IN_OTHER_WAYS | {
    "weights_from_counts": "def weights_from_counts(X, y, alpha)\n    return (alpha * y) @ X",
    "dual_update": """
def dual_update(K, y, alpha, i):
    if y[i] * (K[i] @ (alpha * y)) <= 0:
        alpha[i] += 1
    return alpha
""",
    "classify_from_gram": """
def classify_from_gram(K_test, y, alpha):
    return np.linalg.solve(K_test, alpha * y)
""",
    "perceptron_with_margin": """
def perceptron_with_margin(K, y, margin, max_passes):
    alpha, passes = np.zeros(len(y)), 0
    while passes < max_passes:
        alpha = alpha + (y * (K @ (alpha * y)) <= margin)
    return alpha
""",
    "fourth_point": "# deleted by accident",
}


def tampered(notebook: exercises.Notebook) -> exercises.Notebook:
    """Return it with one check made to agree with everything, and another one deleted."""
    notebook = copy.deepcopy(notebook)
    cells = {c.metadata.get("nbgrader", {}).get("grade_id"): c for c in notebook.cells}
    cells["dual_update_check"].source = "print('✓ dual_update: correct')"
    notebook.cells.remove(cells["vc_lines_check"])
    return notebook


def without_cells_of(name: str, notebook: exercises.Notebook) -> exercises.Notebook:
    """Return it without the answer of one exercise."""
    notebook = copy.deepcopy(notebook)
    notebook.cells = [
        c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") != name
    ]
    return notebook


SOME = ("weights_from_counts", "dual_update", "vc_lines")
STUDENTS: dict[str, Callable[[], exercises.Notebook]] = {
    "solutions": lambda: exercises.read(SOURCE),
    "blank": lambda: exercises.read(exercises.EXERCISES / SOURCE.name),
    "Ann": lambda: filled(IN_OTHER_WAYS),
    "Bob, half done": lambda: filled({name: IN_OTHER_WAYS[name] for name in SOME}),
    "Cem": lambda: filled(WITH_MISCONCEPTIONS),
    "Dora": lambda: tampered(filled(BY_HEART)),
    "Eve": lambda: without_cells_of("fourth_point", filled(WITH_ACCIDENTS)),
}
# What a person would give.
NOTHING = dict.fromkeys(FULL, 0)
EXPECTED = {
    "solutions": FULL,
    "blank": NOTHING,
    "Ann": FULL,
    "Bob, half done": NOTHING | {name: FULL[name] for name in SOME},
    "Cem": FULL | dict.fromkeys(["weights_from_counts", "dual_update", "classify_from_gram"], 0)
    | {"vc_rectangles": 0, "fourth_point": 0},
    "Dora": FULL | dict.fromkeys(["weights_from_counts", "dual_update", "classify_from_gram"], 0),
    "Eve": FULL | dict.fromkeys(["weights_from_counts", "dual_update", "classify_from_gram"], 0)
    | {"perceptron_with_margin": 0, "fourth_point": 0},
}  # fmt: skip


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `make grade` leaves."""
    folder = tmp_path_factory.mktemp("course")
    for student, notebook in STUDENTS.items():
        # One of them downloaded it twice.
        name = SOURCE.name.replace(".", " (1).") if student == "Eve" else SOURCE.name
        exercises.write(notebook(), folder / "handed_in" / student / name)
    (folder / "handed_in" / "Finn").mkdir()
    (folder / "handed_in" / "Finn" / SOURCE.name).write_text("My dog ate it.")
    grading.grade(folder / "handed_in", folder / "graded", [SOURCE])
    return folder / "graded"


def marks(graded: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    with (graded / "exercises.csv").open(encoding="utf-8-sig") as file:
        for row in csv.DictReader(file):
            assert float(row["of"]) == FULL[row["exercise"]]
            found.setdefault(row["student"], {})[row["exercise"]] = float(row["points"])
    return found


@pytest.mark.parametrize("student", STUDENTS)
def test_the_marks_are_those_a_person_would_give(graded, student):
    assert marks(graded)[student] == EXPECTED[student]


def test_who_asks_the_checks_for_their_solutions_is_named(graded):
    with (graded / "marks.csv").open(encoding="utf-8-sig") as file:
        said = {row["student"]: row["remark"] for row in csv.DictReader(file)}
    assert [name for name, remark in said.items() if "for its solution" in remark] == ["Dora"]
    assert said["Dora"].endswith(": weights_from_counts, dual_update, classify_from_gram")


def test_who_handed_in_no_notebook_stops_nobody(graded):
    assert sorted(marks(graded)) == sorted([*STUDENTS, "Finn"])


def feedback(graded: Path, student: str) -> str:
    page = graded / "feedback" / student / SOURCE.stem / f"{SOURCE.stem}.html"
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page.read_text("utf-8"))).split())


@pytest.mark.parametrize(
    ("student", "words"),
    [
        ("Cem", "This looks like “the labels are left out”"),
        ("Cem", "This looks like “a score of zero is right”"),
        ("Cem", "No rectangle makes − + − +"),
        ("Dora", "Right for the examples of the notebook, not for others. Example 3 of 18:"),
        ("Eve", "it changes alpha, which belongs to whoever calls it"),
        ("Eve", "LinAlgError"),
        ("Eve", "in line 2 of your code: return np.linalg.solve(K_test, alpha * y)"),
        ("Eve", "it was still running after 3 s, and was stopped"),
        ("Eve", "SyntaxError: expected ':' in line 1 of your code: def weights_from_counts(X, y,"),
        ("Eve", "There is no answer: its cell is missing."),
        ("blank", "Not filled in yet; it still raises NotImplementedError."),
        ("blank", "0 of 31 points"),
        ("Ann", "31 of 31 points"),
    ],
)
def test_the_feedback_says_why(graded, student, words):
    assert words in feedback(graded, student)


@pytest.mark.parametrize("student", STUDENTS)
def test_the_feedback_names_no_folder_of_this_machine(graded, student):
    page = graded / "feedback" / student / SOURCE.stem / f"{SOURCE.stem}.html"
    text = page.read_text(encoding="utf-8")
    assert str(Path.home()) not in text
    assert str(grading.ROOT) not in text
    assert str(graded.parent) not in text
    assert "site-packages" not in re.sub(r"…/[\w./-]+", "", text)


def test_what_is_released_is_what_is_committed(graded):
    released = graded / "release" / SOURCE.stem / SOURCE.name
    assert released.read_text() == (exercises.EXERCISES / SOURCE.name).read_text()


@pytest.mark.parametrize("source", exercises.solutions(), ids=lambda path: path.stem)
def test_no_cell_needs_a_picture_that_is_left_out(source):
    notebook = exercises.source(exercises.read(source))
    drawn = grading.pictures(notebook)
    before = [cell.source for cell in notebook.cells]
    assert grading.run(notebook, contained.Runner(), drawn) == ""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert [o.evalue for o in outputs if o.output_type == "error"] == []
    assert not any("image/png" in output.get("data", {}) for output in outputs)
    assert [cell.source for cell in notebook.cells] == before


def test_threads_read_code_one_at_a_time():
    class Litter:
        """It is swept up in the middle of what others do, and lets another thread run then."""

        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            sum(range(200))

    def read(_: int) -> str:
        Litter()
        return grading.without(source, {"this"})

    source = "\n".join(f"with e{k}.picture() as page:\n    page.alt = '{k}'" for k in range(40))
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(50, 2, 2)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert set(pool.map(read, range(100))) == {source}
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*thresholds)
