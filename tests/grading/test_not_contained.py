"""Where there is no bubblewrap: the same results, and a clear word. Nothing hostile runs here."""

from __future__ import annotations

import contained
import pytest


@pytest.fixture(autouse=True)
def _no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contained, "works", lambda: False)


def test_it_is_said():
    assert contained.words().startswith("NOT CONTAINED")
    assert "apt install bubblewrap" in contained.words()


def test_cells_run_one_after_another_in_one_namespace():
    cells = ["x = 2\nx", "print(x + 1)", "1 / 0", "def f(:", "exit()", "input()", "print('end')"]
    ran = contained.Runner(seconds=60).run(list(enumerate(cells)))
    assert (ran.trouble, ran.running, sorted(ran.outputs)) == ("", None, list(range(7)))
    kinds = [[o.get("ename", o["output_type"]) for o in ran.outputs[k]] for k in range(7)]
    assert kinds == [
        ["execute_result"], ["stream"], ["ZeroDivisionError"], ["SyntaxError"], [], ["EOFError"],
        ["stream"],
    ]  # fmt: skip
    assert ran.outputs[6][0]["text"] == "end\n"


def test_a_cell_that_takes_too_long_ends_and_the_next_one_runs():
    cells = [(0, "import time\ntime.sleep(60)"), (1, "print('next')")]
    ran = contained.Runner(seconds=60, seconds_a_cell=4).run(cells)
    assert ran.outputs[0][0]["evalue"] == "This cell was still running after 4 s, and was stopped."
    assert ran.outputs[1][0]["text"] == "next\n"


def test_after_a_stop_nothing_begins():
    runner = contained.Runner()
    runner.stop()
    with pytest.raises(contained.Stopped):
        runner.run([(0, "1")])
