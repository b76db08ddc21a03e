"""A move of points that were replaced while it was under way changes nothing."""

from __future__ import annotations

from kernellab.lessons.sdca.figures.staircase import Staircase


def test_a_late_move_is_let_go():
    live = Staircase().live
    before, move = live.at, live.points["move"]
    live.points = {"move": move + 1, "at": [[0.0, 0.0]] * (len(before) - 3)}
    assert live.at.tolist() == before.tolist()
    assert live.error == ""
    answers = live.answer["frame"]
    live.points = {"move": move + 2, "at": (before + 0.01).tolist()}
    assert live.answer["frame"] == answers + 1
