"""What a teacher entered stays; what is graded stays graded; formgrader may be open meanwhile."""

from __future__ import annotations

import csv
import datetime
import os
import sqlite3
import threading
from pathlib import Path
from typing import Any

import contained
import exercises
import grading
import pytest
from handed_in import FULL, IN_OTHER_WAYS, SOURCE, filled
from nbgrader.api import Gradebook

NAME = SOURCE.stem
DUE = datetime.datetime(2026, 11, 20, 18, 0)
BOB = {name: IN_OTHER_WAYS[name] for name in ("weights_from_counts", "dual_update", "vc_lines")}
REMARK = "Nearly: the slope of $\\frac{1}{n}\\sum_i x_i$ has an $n$."


class Recording(contained.Runner):
    """Counts what it runs; stops as Ctrl-C would before the notebook of a given number."""

    def __init__(self, stop_before: int | None = None, *, pretend: bool = False) -> None:
        super().__init__()
        self.count, self.stop_before, self.pretend = 0, stop_before, pretend

    def run(self, cells: Any) -> contained.Ran:
        self.count += 1
        if self.count == self.stop_before:
            raise KeyboardInterrupt
        if self.pretend:  # that every cell ran and printed nothing
            return contained.Ran({number: [] for number, _ in cells})
        return super().run(cells)


def hand_in(folder: Path, student: str, answers: dict[str, str], when: str = "") -> Path:
    file = folder / "handed_in" / student / SOURCE.name
    exercises.write(filled(answers), file)
    if when:
        (file.parent / "timestamp.txt").write_text(when)
    return file


def grade(folder: Path, runner: contained.Runner, **options: Any) -> None:
    grading.grade(
        folder / "handed_in", folder / "graded", [SOURCE], runner=runner, workers=1, **options
    )


def rows(folder: Path, file: str) -> list[dict[str, str]]:
    with (folder / "graded" / file).open(encoding="utf-8-sig") as table:
        return list(csv.DictReader(table))


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Recording]:
    """A course that was graded, marked by hand, added to, and graded again with formgrader open."""
    folder = tmp_path_factory.mktemp("regraded")
    hand_in(folder, "Ann", IN_OTHER_WAYS)
    hand_in(folder, "Bob", BOB)
    grade(folder, Recording())
    database = folder / "graded" / "gradebook.db"
    with Gradebook(f"sqlite:///{database}") as book:  # as formgrader does
        for exercise in ("dual_update", "step_downhill"):
            row = book.find_grade(f"{exercise}_check", NAME, NAME, "Bob")
            row.manual_score, row.needs_manual_grade = 1.5, False
        book.find_comment("step_downhill", NAME, NAME, "Bob").manual_comment = REMARK
        book.db.commit()
    # Bob hands in another version, in which fewer are right; Cem is late.
    worse = BOB | {"dual_update": "def dual_update(K, y, alpha, i):\n    return alpha"}
    del worse["vc_lines"]
    hand_in(folder, "Bob", worse)
    hand_in(folder, "Cem", IN_OTHER_WAYS, "2026-11-20 20:30:00 UTC")
    # Longer than SQLite waits of itself.
    formgrader = sqlite3.connect(database, check_same_thread=False)
    formgrader.execute("BEGIN IMMEDIATE")
    done = threading.Timer(7.0, formgrader.rollback)
    done.start()
    again = Recording()
    grade(folder, again, due=DUE)
    done.join()
    formgrader.close()
    return folder, again


def marks(folder: Path, student: str) -> dict[str, float]:
    mine = [row for row in rows(folder, "exercises.csv") if row["student"] == student]
    return {row["exercise"]: float(row["points"]) for row in mine}


def test_marks_given_by_hand_stay_and_the_checks_of_a_new_version_count(twice):
    folder, _ = twice
    expected = dict.fromkeys(FULL, 0.0) | {
        "weights_from_counts": 2.0, "dual_update": 1.5, "step_downhill": 1.5
    }  # fmt: skip
    assert marks(folder, "Bob") == expected
    assert marks(folder, "Ann") == marks(folder, "Cem") == FULL


def test_only_where_an_answer_changed_under_a_mark_by_hand_is_one_told_to_look_again(twice):
    folder, _ = twice
    said = {r["exercise"]: r["by hand"] for r in rows(folder, "exercises.csv") if r["by hand"]}
    assert said == {"dual_update": "look again", "step_downhill": "yes"}
    (bob,) = (row for row in rows(folder, "marks.csv") if row["student"] == "Bob")
    assert "dual_update" in bob["remark"]
    assert "step_downhill" not in bob["remark"]


def test_a_remark_stays_and_its_formulas_are_drawn_on_the_page(twice):
    folder, _ = twice
    (row,) = (row for row in rows(folder, "exercises.csv") if row["comment"])
    assert (row["student"], row["exercise"], row["comment"]) == ("Bob", "step_downhill", REMARK)
    page = (folder / "graded/feedback/Bob" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "Nearly: the slope of <math>" in page
    assert "1.5 of 3 <small>by hand</small>" in page


def test_what_did_not_change_was_not_run_again(twice):
    _, again = twice
    assert again.count == 2  # Bob and Cem


def test_totals_and_lateness_are_in_the_table(twice):
    folder, _ = twice
    table = {row["student"]: row for row in rows(folder, "marks.csv")}
    total = {student: (row["points"], row["of"], row["percent"]) for student, row in table.items()}
    assert total == {
        "Ann": ("31", "31", "100"),
        "Bob": ("5", "31", "16"),
        "Cem": ("31", "31", "100"),
    }
    assert table["Cem"]["late"] == "2 h 30 min"


def test_after_it_was_stopped_the_same_command_goes_on(tmp_path, capsys):
    for student in ("Ann", "Bob", "Cem"):
        hand_in(tmp_path, student, BOB)
    with pytest.raises(SystemExit, match="goes on"):
        grade(tmp_path, Recording(stop_before=2, pretend=True))
    again = Recording(pretend=True)
    grade(tmp_path, again)
    assert again.count == 2
    assert len(rows(tmp_path, "marks.csv")) == 3
    assert "1 of 3 are graded and have not changed." in capsys.readouterr().out
    # Other checks are another matter: then all are graded again.
    notebook = exercises.read(SOURCE)
    changed = tmp_path / SOURCE.name
    for cell in notebook.cells:
        cell.source = cell.source.replace("seed=161", "seed=261")
    exercises.write(notebook, changed)
    more = Recording(pretend=True)
    grading.grade(tmp_path / "handed_in", tmp_path / "graded", [changed], runner=more, workers=2)
    assert more.count == 3
    assert "The course has changed since 3 were graded" in capsys.readouterr().out


def test_a_file_that_was_copied_again_is_the_same_submission(tmp_path):
    file = hand_in(tmp_path, "Ann", BOB)
    grade(tmp_path, Recording(pretend=True))
    os.utime(file, (file.stat().st_atime, file.stat().st_mtime + 3600))
    again = Recording(pretend=True)
    grade(tmp_path, again)
    assert again.count == 0


def test_what_the_exchange_needs_to_hand_a_page_back_lies_beside_it(tmp_path):
    """`nbgrader collect` puts notebooks into the course itself; they are graded in place."""
    course = tmp_path / "graded"
    place = course / "submitted" / "ann" / NAME
    exercises.write(filled(BOB), place / SOURCE.name)
    told = {"timestamp.txt": "2026-11-20 20:30:00.123456 UTC", "submission_secret.txt": "s3cret"}
    for name, words in told.items():
        (place / name).write_text(words)
    runner = Recording(pretend=True)
    grading.grade(course / "submitted", course, [SOURCE], runner=runner)
    page = course / "feedback" / "ann" / NAME
    assert (page / f"{NAME}.html").is_file()
    assert {name: (page / name).read_text() for name in told} == told


def test_lessons_that_were_graded_before_stay_in_the_table(tmp_path):
    hand_in(tmp_path, "Ann", BOB)
    grade(tmp_path, Recording(pretend=True))
    other = exercises.solutions()[-1]
    blank = exercises.read(exercises.EXERCISES / other.name)
    exercises.write(blank, tmp_path / "next week" / "Cem" / other.name)
    grading.grade(
        tmp_path / "next week", tmp_path / "graded", [SOURCE, other], workers=1,
        runner=Recording(pretend=True),
    )  # fmt: skip
    told = [(row["student"], row["notebook"]) for row in rows(tmp_path, "marks.csv")]
    assert told == [("Ann", NAME), ("Ann", "all"), ("Cem", other.stem), ("Cem", "all")]


def with_points(folder: Path, points: int) -> Path:
    """Return a source whose every check gives so many points."""
    notebook = exercises.read(SOURCE)
    for cell in notebook.cells:
        if "points" in cell.metadata.get("nbgrader", {}):
            cell.metadata.nbgrader.points = points
    exercises.write(notebook, folder / SOURCE.name)
    return folder / SOURCE.name


def test_what_is_kept_is_marked_by_the_checks_of_today(tmp_path, capsys):
    """Ann's notebook is no longer in the folder, Bob's is now damaged."""
    for student in ("Ann", "Bob"):
        hand_in(tmp_path, student, BOB)
    grade(tmp_path, Recording())
    (tmp_path / "handed_in" / "Ann" / SOURCE.name).unlink()
    (tmp_path / "handed_in" / "Bob" / SOURCE.name).write_text("My dog ate it.")
    changed = with_points(tmp_path, 7)
    for times in (2, 0):
        again = Recording()
        grading.grade(tmp_path / "handed_in", tmp_path / "graded", [changed], runner=again)
        assert again.count == times
    assert "The course has changed since 2 were graded" in capsys.readouterr().out
    expected = dict.fromkeys(FULL, 0.0) | dict.fromkeys(BOB, 7.0)
    assert marks(tmp_path, "Ann") == marks(tmp_path, "Bob") == expected


def test_a_damaged_notebook_leaves_the_points_of_the_one_before_and_says_so(tmp_path):
    hand_in(tmp_path, "Ann", BOB, "2026-11-20 17:30:00 UTC")
    grade(tmp_path, Recording(), due=DUE)
    file = tmp_path / "handed_in" / "Ann" / SOURCE.name
    file.write_text(file.read_text()[:5000])
    (file.parent / "timestamp.txt").write_text("2026-11-20 20:30:00 UTC")
    grade(tmp_path, Recording(), due=DUE)
    (row,) = rows(tmp_path, "marks.csv")
    assert (row["points"], row["late"]) == ("8", "")
    assert "damaged or cut off" in row["remark"]
    assert row["remark"].endswith("; the points are of the one before")
    page = (tmp_path / "graded/feedback/Ann" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "8 of 31 points" in page
    assert "hand it in again; the points are of the one before." in page


def test_a_notebook_that_cannot_be_read_has_its_rows_and_room_for_a_mark_by_hand(tmp_path):
    hand_in(tmp_path, "Ann", BOB).write_text("My dog ate it.")
    hand_in(tmp_path, "Bob", BOB)
    grade(tmp_path, Recording())
    assert marks(tmp_path, "Ann") == dict.fromkeys(FULL, 0.0)
    (remark,) = (row["remark"] for row in rows(tmp_path, "marks.csv") if row["student"] == "Ann")
    assert remark.endswith("hand it in again")
    assert (tmp_path / "graded/autograded/Ann" / NAME / SOURCE.name).is_file()
    give(tmp_path, "Ann", "dual_update", 2.5)
    grade(tmp_path, Recording())
    assert marks(tmp_path, "Ann")["dual_update"] == 2.5


def test_a_notebook_in_another_encoding_is_told_so(tmp_path):
    file = hand_in(tmp_path, "Ann", BOB)
    file.write_bytes(file.read_text("utf-8").encode("latin-1", "replace"))
    grade(tmp_path, Recording(pretend=True))
    assert f"{SOURCE.name} is not in UTF-8, or damaged" in rows(tmp_path, "marks.csv")[0]["remark"]


def test_a_mark_by_hand_takes_back_that_there_is_no_answer(tmp_path):
    lesson = exercises.read(exercises.ROOT / "notebooks" / SOURCE.name)
    exercises.write(lesson, tmp_path / "handed_in" / "Ann" / SOURCE.name)
    runner = Recording()
    grade(tmp_path, runner)
    page = tmp_path / "graded/feedback/Ann" / NAME / f"{NAME}.html"
    assert page.read_text("utf-8").count("none of their cells is in it") == 1
    give(tmp_path, "Ann", "dual_update", 2.5)
    grade(tmp_path, runner)
    assert runner.count == 1
    assert page.read_text("utf-8").count("its cell is missing") == len(FULL) - 1
    assert "none of their cells is in it" not in page.read_text("utf-8")
    assert rows(tmp_path, "marks.csv")[0]["remark"] == ""


def give(folder: Path, student: str, exercise: str, points: float, comment: str = "") -> None:
    """Mark by hand, as formgrader does."""
    with Gradebook(f"sqlite:///{folder / 'graded' / 'gradebook.db'}") as book:
        row = book.find_grade(f"{exercise}_check", NAME, NAME, student)
        row.manual_score, row.needs_manual_grade = points, False
        if comment:
            book.find_comment(exercise, NAME, NAME, student).manual_comment = comment
        book.db.commit()


def test_a_mark_by_hand_above_a_maximum_that_was_lowered_is_to_be_looked_at(tmp_path):
    hand_in(tmp_path, "Ann", BOB)
    grade(tmp_path, Recording(pretend=True))
    give(tmp_path, "Ann", "dual_update", 2.5)
    for points, said in ((3, "yes"), (2, "look again")):
        changed, runner = with_points(tmp_path, points), Recording(pretend=True)
        grading.grade(tmp_path / "handed_in", tmp_path / "graded", [changed], runner=runner)
        (row,) = (r for r in rows(tmp_path, "exercises.csv") if r["exercise"] == "dual_update")
        assert (row["points"], row["by hand"]) == ("2.5", said)
    assert rows(tmp_path, "marks.csv")[0]["remark"].endswith("look again: dual_update")


def test_a_blank_notebook_after_a_full_one_is_named(tmp_path):
    for answers, remark in ((BOB, ""), ({}, "Nothing is filled in, but there were answers before")):
        hand_in(tmp_path, "Ann", answers)
        for _ in range(2):
            grade(tmp_path, Recording())
            (row,) = rows(tmp_path, "marks.csv")
            assert row["remark"] == remark
    page = (tmp_path / "graded/feedback/Ann" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert f">{remark}.</p>" in page


def test_a_remark_on_an_earlier_answer_says_so_until_it_is_written_anew(tmp_path):
    def comment() -> str:
        grade(tmp_path, Recording(pretend=True))
        said = {row["exercise"]: row["comment"] for row in rows(tmp_path, "exercises.csv")}
        return said["dual_update"]

    hand_in(tmp_path, "Ann", BOB)
    comment()
    give(tmp_path, "Ann", "dual_update", 1.5, "Copy it.")
    assert comment() == "Copy it."
    hand_in(tmp_path, "Ann", BOB | {"dual_update": "def dual_update(K, y, alpha, i): ..."})
    assert comment() == comment() == "On an earlier answer: Copy it."
    give(tmp_path, "Ann", "dual_update", 3, "Well done.")
    assert comment() == "Well done."
