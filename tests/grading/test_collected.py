"""What a class really hands in is found, and nobody is missing from the table."""

from __future__ import annotations

import csv
import os
import shutil
import unicodedata
from pathlib import Path

import exercises
import feedback
import grading
import nbformat
import pytest
from collecting import collected, is_readable
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
    (folder / "Link to another").mkdir()
    (folder / "Link to another" / NAME).symlink_to(folder / "Own name" / "My work.ipynb")
    (folder / "Copied").symlink_to(folder / "Own name", target_is_directory=True)
    (folder / "Packed").mkdir()
    (folder / "Packed" / "homework.zip").write_bytes(b"PK")
    (folder / "__MACOSX").mkdir()
    (folder / "__MACOSX" / f"._{NAME}").write_bytes(b"\0")
    (folder / f"loose_{NAME}").write_text("{}")
    return folder


def test_a_notebook_is_known_by_its_exercises(handed_in, capsys):
    found, nothing = collected(handed_in, exercises.solutions())
    assert {(one.student, str(one.file.relative_to(handed_in / one.student))) for one in found} == {
        ("Own name", "My work.ipynb"),
        ("All of it", f"kernellab/exercises/{NAME}"),
        ("Lesson alone", NAME),
    }
    assert {one.source for one in found} == {SOURCE}
    assert nothing == {
        "Link to another": f"nothing to grade: {NAME} (a link)",
        "Mail only": "nothing to grade: essay.ipynb",
        "Packed": "nothing to grade: homework.zip",
    }
    said = capsys.readouterr().out
    assert f"loose_{NAME} is in nobody's folder" in said and "Copied is a link" in said


def without_names(notebook: exercises.Notebook) -> exercises.Notebook:
    """Return it without what nbgrader knows cells by."""
    for cell in notebook.cells:
        cell.metadata.clear()
    return notebook


def test_a_notebook_without_names_is_known_by_its_functions(tmp_path, capsys):
    second, third = exercises.solutions()[1:3]
    exercises.write(without_names(filled(IN_OTHER_WAYS)), tmp_path / "Ann" / "Homework.ipynb")
    exercises.write(exercises.read(second), tmp_path / "Ann" / second.name)
    exercises.write(without_names(exercises.read(third)), tmp_path / "Bob" / f"Nr {SOURCE.name}")
    shutil.copyfile(exercises.ROOT / "notebooks" / NAME, tmp_path / "Bob" / NAME)
    older = tmp_path / "Ann" / "old" / NAME
    exercises.write(without_names(filled(IN_OTHER_WAYS)), older)
    os.utime(older, (1e9, 1e9))
    (tmp_path / "Ann" / "notes.ipynb").write_text('{"cells": []}')
    found, left = collected(tmp_path, exercises.solutions())
    assert {(one.student, one.source, one.file.name) for one in found} == {
        ("Ann", SOURCE, "Homework.ipynb"),
        ("Ann", second, second.name),
        ("Bob", third, f"Nr {NAME}"),
        ("Bob", SOURCE, NAME),
    }
    said = "notes.ipynb is left out (none of the exercises is in it)"
    assert left == {"Ann": f"{said}; old/{NAME} is left out (Homework.ipynb is taken)"}


def test_the_newest_that_can_be_read_counts_and_the_others_are_named(tmp_path):
    for when, name in enumerate(("first", "second", "third")):
        exercises.write(filled(IN_OTHER_WAYS), tmp_path / "Ann" / f"{name}.ipynb")
        os.utime(tmp_path / "Ann" / f"{name}.ipynb", (1e9 + when, 1e9 + when))
    cut = (tmp_path / "Ann" / "third.ipynb").read_text()[:20_000]
    (tmp_path / "Ann" / "third.ipynb").write_text(cut)
    ((one,), left) = collected(tmp_path, exercises.solutions())
    assert one.file.name == "second.ipynb"
    assert left["Ann"].split("); ") == [
        "first.ipynb is left out (second.ipynb is taken",
        "third.ipynb is left out (damaged or cut off; second.ipynb is taken)",
    ]
    mark = feedback.Mark("a", "A", 8.0, 10.0)
    results = [feedback.Result("Ann", "Ann", "01", "01", [mark], most=10.0, trouble="odd")]
    grading.write_marks(tmp_path, results, left)
    with (tmp_path / "marks.csv").open(encoding="utf-8-sig") as file:
        (row,) = csv.DictReader(file)
    assert row["remark"] == f"odd; {left['Ann']}"
    assert f"Ann: {left['Ann']}" in grading.summary(results, left)


def test_an_empty_notebook_does_not_count_because_it_is_newer(tmp_path):
    exercises.write(filled(IN_OTHER_WAYS), tmp_path / "Ann" / "mine.ipynb")
    handed_out = exercises.released(exercises.read(SOURCE))
    exercises.write(handed_out, tmp_path / "Ann" / "fetched.ipynb")
    os.utime(tmp_path / "Ann" / "mine.ipynb", (1e9, 1e9))
    ((one,), left) = collected(tmp_path, exercises.solutions())
    assert one.file.name == "mine.ipynb"
    assert left["Ann"] == "fetched.ipynb is left out (no answer in it; mine.ipynb is taken)"


def test_a_name_written_in_two_ways_is_one_student(tmp_path):
    answered = filled(IN_OTHER_WAYS)
    for way, name in (("NFC", "first.ipynb"), ("NFD", "second.ipynb")):
        exercises.write(answered, tmp_path / unicodedata.normalize(way, "Müller") / name)
    for old in tmp_path.rglob("first.ipynb"):
        os.utime(old, (1e9, 1e9))
    ((one,), left) = collected(tmp_path, exercises.solutions())
    assert (one.student, one.file.name) == ("Müller", "second.ipynb")
    assert left == {"Müller": "first.ipynb is left out (second.ipynb is taken)"}


def test_memory_that_ran_out_is_said_in_words():
    cell = nbformat.v4.new_code_cell("f()")
    cell.outputs = [nbformat.v4.new_output("error", ename="MemoryError", evalue="", traceback=[])]
    assert feedback.reason(cell, cell, "f") == (
        "MemoryError: it took more memory than one notebook may have."
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_notebook_that_says_how_it_is_written_is_read(tmp_path, encoding):
    (tmp_path / "Ann").mkdir()
    file = tmp_path / "Ann" / "Own name.ipynb"
    file.write_text(nbformat.writes(filled(IN_OTHER_WAYS)), encoding=encoding)
    ((one,), left) = collected(tmp_path, exercises.solutions())
    assert (one.source, left) == (SOURCE, {})
    assert is_readable(file)


def test_a_lesson_that_was_not_set_changes_no_total(handed_in):
    second = exercises.solutions()[1]
    blank = exercises.read(exercises.EXERCISES / second.name)
    exercises.write(blank, handed_in / "Works ahead" / second.name)
    found, _ = collected(handed_in, exercises.solutions())
    assert {one.source for one in found} == {SOURCE, second}
    found, nothing = collected(handed_in, [SOURCE])
    assert {one.source for one in found} == {SOURCE}
    assert nothing["Works ahead"] == f"nothing to grade: {second.name}"


def test_a_link_beside_a_notebook_hands_nothing_back(tmp_path):
    (tmp_path / "secret").write_text("mine")
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "timestamp.txt").write_text("2026-11-20 20:30:00 UTC")
    (tmp_path / "theirs" / "submission_secret.txt").symlink_to(tmp_path / "secret")
    (tmp_path / "page").mkdir()
    grading.copy_told(tmp_path / "theirs", tmp_path / "page")
    assert [file.name for file in (tmp_path / "page").iterdir()] == ["timestamp.txt"]


def test_the_end_says_how_the_class_did_and_what_is_to_be_looked_at():
    def result(student: str, *points: float, trouble: str = "") -> feedback.Result:
        marks = [feedback.Mark(title, title, p, 2.0) for title, p in zip("ab", points, strict=True)]
        return feedback.Result(student, student, "01", "", marks, trouble=trouble, most=4.0)

    results = [result("Ann", 3.0, 0.0), result("Bob", 2.0, 1.0), result("Eve", 2, 2, trouble="odd")]
    assert grading.summary(results, {"Cem": "nothing to grade: no file"}).splitlines() == [
        "01: 3 graded, on average 3.3 of 4; 2 missed “b”",
        "Eve, 01: odd",
        "Cem: nothing to grade: no file",
    ]


def test_who_handed_in_less_has_a_smaller_total_and_stays_in_the_table(tmp_path):
    def result(student: str, name: str) -> feedback.Result:
        mark = feedback.Mark("a", "A", 8.0, 10.0)
        return feedback.Result(student, student, name, name, [mark], most=10.0)

    results = [result("Ann", "01"), result("Ann", "02"), result("Bob", "02")]
    grading.write_marks(tmp_path, results, {"Cem": "nothing to grade: no notebook"})
    with (tmp_path / "marks.csv").open(encoding="utf-8-sig") as file:
        rows = [row for row in csv.DictReader(file) if row["notebook"] == "all"]
    assert [(r["student"], r["points"], r["of"], r["percent"], r["remark"]) for r in rows] == [
        ("Ann", "16", "20", "80", ""),
        ("Bob", "8", "20", "40", "not handed in: 01"),
        ("Cem", "0", "20", "0", "nothing to grade: no notebook"),
    ]


def test_a_lesson_that_nobody_filled_in_is_in_no_total(tmp_path):
    def result(student: str, name: str, points: float, words: str = "") -> feedback.Result:
        mark = feedback.Mark("a", "A", points, 10.0, words, "def a(): ...")
        return feedback.Result(student, student, name, name, [mark], most=10.0)

    untouched = "Not filled in yet; it still raises NotImplementedError."
    results = [
        result("Örs", "01", 8.0),
        result("ann", "01", 0.0, untouched),
        result("Örs", "02", 0.0, untouched),
    ]
    grading.write_marks(tmp_path, results, {})
    data = (tmp_path / "marks.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")  # Excel takes it for UTF-8
    rows = [row[:4] + row[6:] for row in csv.reader(data.decode("utf-8-sig").splitlines())][1:]
    assert rows == [
        ["ann", "01", "0", "10", "nothing filled in"],
        ["Örs", "01", "8", "10", ""],
        ["Örs", "02", "0", "10", "nothing filled in"],
        ["Örs", "all", "8", "10", ""],
    ]
    assert "nothing filled in: it is in no total" in grading.summary(results, {}).splitlines()[1]
    wrong = [*results, result("Bo", "02", 0.0, "It is -1 too large.")]
    grading.write_marks(tmp_path, wrong, {})
    assert "Örs,all,8,20,40,,\n" in (tmp_path / "marks.csv").read_text("utf-8-sig")
