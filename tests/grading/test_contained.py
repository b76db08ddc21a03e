"""A broken or hostile notebook costs its own marks, and nothing else.

Nothing here runs without the container.
"""

from __future__ import annotations

import csv
import json
import os
import re
import socket
from pathlib import Path

import contained
import exercises
import grading
import pytest
from handed_in import FULL, IN_OTHER_WAYS, SOURCE, filled

pytestmark = pytest.mark.skipif(
    not contained.works(), reason="bubblewrap (bwrap) is missing or may not run here"
)
RIGHT = IN_OTHER_WAYS["vc_lines"]
SECONDS, SECONDS_A_CELL = 30, 8  # importing takes some, too, where much else runs


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of which most are hostile, each in one cell, that of `vc_lines`."""
    folder = tmp_path_factory.mktemp("hostile")
    handed_in = folder / "handed_in"
    hostile = {
        "endless": "while True:\n    pass",
        # By name the first to be graded, for it takes all its seconds: the others run beside it.
        "awake": """
import time
while True:
    try: time.sleep(60)
    except BaseException: pass
""",
        "greedy": f"hog = np.ones(2**29)\n{RIGHT}",
        "quitter": "import os\nos._exit(0)",
        "snoop": f"""
import os, pathlib, subprocess
print("neighbour", os.path.exists({str(handed_in / "neighbour")!r}))
print("gradebook", os.path.exists({str(folder / "graded")!r}))
print("solutions", os.path.exists({str(exercises.SOLUTIONS)!r}))
print("home", os.listdir(os.path.expanduser("~")))
print("parent", "GRADER_SECRET" in pathlib.Path("/proc/1/environ").read_text())
print("mine", "GRADER_SECRET" in os.environ)
print("touch", os.system("touch {folder}/was_here /usr/was_here {grading.ROOT}/was_here") != 0)
{RIGHT}
""",
        "caller": f"""
import socket
try:
    socket.create_connection(("127.0.0.1", PORT), timeout=2)
    print("connected")
except OSError:
    print("no way out")
{RIGHT}
""",
        "hoarder": f"""
import pathlib
kept = 0
try:
    for k in range(1000):
        pathlib.Path("~", f"file{{k}}").expanduser().write_bytes(bytes(2**25))
        kept += 1
except OSError:
    print("kept", kept)
{RIGHT}
""",
        "crowd": f"""
import subprocess
crowd = [subprocess.Popen(["sleep", "60"]) for _ in range(110)]
import time; time.sleep(2)
{RIGHT}
""",
        "flood": f"print('x' * 10**8)\n{RIGHT}",
        "neighbour": RIGHT,
    }
    os.environ["GRADER_SECRET"] = "1"
    with socket.create_server(("127.0.0.1", 0)) as server:
        for student, answer in hostile.items():
            code = answer.replace("PORT", str(server.getsockname()[1]))
            notebook = filled(IN_OTHER_WAYS | {"vc_lines": code})
            exercises.write(notebook, handed_in / student / SOURCE.name)
        broken = json.loads((handed_in / "neighbour" / SOURCE.name).read_text())
        for cell in broken["cells"]:
            cell["metadata"]["nbgrader"] = "no dictionary"
        place = handed_in / "broken" / SOURCE.name
        place.parent.mkdir()
        place.write_text(json.dumps(broken))
        runner = contained.Runner(seconds=SECONDS, seconds_a_cell=SECONDS_A_CELL)
        grading.grade(handed_in, folder / "graded", [SOURCE], runner=runner, workers=4)
    del os.environ["GRADER_SECRET"]
    return folder


def lost(graded: Path, student: str) -> set[str]:
    with (graded / "graded" / "exercises.csv").open(encoding="utf-8-sig") as file:
        mine = [row for row in csv.DictReader(file) if row["student"] == student]
    assert len(mine) == len(FULL)
    return {row["exercise"] for row in mine if float(row["points"]) != FULL[row["exercise"]]}


def remark(graded: Path, student: str) -> str:
    with (graded / "graded" / "marks.csv").open(encoding="utf-8-sig") as file:
        (row,) = (row for row in csv.DictReader(file) if row["student"] == student)
    return row["remark"]


def printed(graded: Path, student: str) -> str:
    notebook = exercises.read(graded / "graded/autograded" / student / SOURCE.stem / SOURCE.name)
    (cell,) = (c for c in notebook.cells if grading.grade_id(c) == "vc_lines")
    return "".join(output.get("text", "") for output in cell.outputs)


AFTER = {"vc_lines", "vc_rectangles", "fifth_point", "fourth_point"}


@pytest.mark.parametrize(
    ("student", "costs"),
    [
        ("neighbour", set()), ("snoop", set()), ("caller", set()), ("flood", set()),
        ("hoarder", set()),
        ("endless", {"vc_lines"}), ("greedy", {"vc_lines"}),
        ("awake", AFTER), ("quitter", AFTER), ("crowd", AFTER), ("broken", set()),
    ],
)  # fmt: skip
def test_each_loses_what_it_broke(graded, student, costs):
    if student == "awake" and lost(graded, student) == {"vc_lines"}:
        return  # the clock rang between two lines of it
    assert lost(graded, student) == costs


@pytest.mark.parametrize(
    ("student", "words"),
    [
        ("quitter", "ended its Python before the last cell"),
        ("crowd", "started too many or too large processes"), ("endless", ""), ("neighbour", ""),
    ],
)  # fmt: skip
def test_the_marks_say_what_happened(graded, student, words):
    assert remark(graded, student).startswith(words)
    assert bool(remark(graded, student)) == bool(words)


def test_the_page_says_what_happened(graded):
    def page(student: str) -> str:
        file = graded / "graded/feedback" / student / SOURCE.stem / f"{SOURCE.stem}.html"
        return file.read_text(encoding="utf-8")

    assert f"still running after {SECONDS_A_CELL} s, and was stopped." in page("endless")
    assert "This notebook was not run to its end" in page("quitter")
    assert "Not reached" in page("quitter")
    assert "also tried on other examples" in page("endless")
    assert "also tried on other examples" not in page("quitter")


def test_nothing_outside_is_seen_or_changed(graded):
    said = printed(graded, "snoop")
    for line in (
        "neighbour False", "gradebook False", "solutions False", "parent False", "mine False",
        "touch True",
    ):  # fmt: skip
        assert line in said
    assert not (graded / "was_here").exists()
    assert not (grading.ROOT / "was_here").exists()
    assert "no way out" in printed(graded, "caller")


def test_processes_share_the_memory_that_one_may_have(monkeypatch):
    monkeypatch.setattr(contained, "MEMORY", 2**30)
    code = """
import subprocess, sys, time
hold = "import time; x = b'x' * 400_000_000; time.sleep(20)"
children = [subprocess.Popen([sys.executable, "-c", hold]) for _ in range({})]
time.sleep(4)
"""
    runner = contained.Runner(seconds=SECONDS, seconds_a_cell=SECONDS)
    assert runner.run([(0, code.format(1))]).trouble == ""
    assert runner.run([(0, code.format(3))]).trouble.startswith("started too many or too large")


def test_no_folder_is_made_outside_that_could_be_left_there(monkeypatch):
    monkeypatch.setattr(contained.tempfile, "TemporaryDirectory", None)
    ran = contained.Runner().run([(0, "import os\nprint(os.getcwd())")])
    assert ran.outputs[0][0]["text"] == f"{contained.HOME}\n"


def test_files_that_fill_the_disk_stay_few(graded):
    assert int(re.search(r"kept (\d+)", printed(graded, "hoarder"))[1]) < 10


def test_what_is_printed_without_end_is_cut(graded):
    assert len(printed(graded, "flood")) < 30_000
