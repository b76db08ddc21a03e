"""What a class really hands in is found, and nobody is missing from the table."""

from __future__ import annotations

import csv
import os
import shutil
from pathlib import Path

import exercises
import feedback
import grading
import pytest
from handed_in import IN_OTHER_WAYS, SOURCE, filled

NAME = SOURCE.name


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    """The whole course, a name of one's own, a lesson alone, and things that are no notebook."""
    folder = tmp_path / "handed_in"
    answered = filled(IN_OTHER_WAYS)
    exercises.write(answered, folder / "Own name" / "My work.ipynb")
    exercises.write(answered, folder / "All of it" / "kernellab" / "exercises" / NAME)
    lesson = folder / "All of it" / "kernellab" / NAME
    shutil.copyfile(exercises.ROOT / "notebooks" / NAME, lesson)
    os.utime(lesson, (2e9, 2e9))  # newer than the exercises beside it
    (folder / "Lesson alone").mkdir()
    shutil.copyfile(lesson, folder / "Lesson alone" / NAME)
    (folder / "Mail only").mkdir()
    (folder / "Mail only" / "essay.ipynb").write_text("{}")
    (folder / "__MACOSX").mkdir()
    (folder / "__MACOSX" / f"._{NAME}").write_bytes(b"\0")
    (folder / f"loose_{NAME}").write_text("{}")
    return folder


def test_a_notebook_is_known_by_its_exercises(handed_in, capsys):
    found, nothing = grading.collected(handed_in, exercises.solutions())
    assert {(one.student, str(one.file.relative_to(handed_in / one.student))) for one in found} == {
        ("Own name", "My work.ipynb"),
        ("All of it", f"kernellab/exercises/{NAME}"),
        ("Lesson alone", NAME),
    }
    assert {one.source for one in found} == {SOURCE}
    assert nothing == {"Mail only": "nothing to grade: essay.ipynb"}
    said = capsys.readouterr().out
    assert f"loose_{NAME} is in nobody's folder" in said
    assert "Mail only: nothing to grade" in said


def test_who_handed_in_less_has_a_smaller_total_and_stays_in_the_table(tmp_path):
    def result(student: str, name: str) -> feedback.Result:
        mark = feedback.Mark("a", "A", 8.0, 10.0)
        return feedback.Result(student, student, name, name, [mark], most=10.0)

    results = [result("Ann", "01"), result("Ann", "02"), result("Bob", "02")]
    grading.write_marks(tmp_path, results, {"Cem": "nothing to grade: no notebook"})
    with (tmp_path / "marks.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["notebook"] == "all"]
    assert [(r["student"], r["points"], r["of"], r["percent"], r["remark"]) for r in rows] == [
        ("Ann", "16", "20", "80", ""),
        ("Bob", "8", "20", "40", "not handed in: 01"),
        ("Cem", "0", "20", "0", "nothing to grade: no notebook"),
    ]
