"""A lesson can be read in ninety minutes: its cells, words, lines, figures, predictions are few.

The counts of all lessons are printed at the end of a run of this folder.
"""

from __future__ import annotations

from pathlib import Path

import notebook_rules as rules
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
LESSONS = sorted(FOLDER.glob("[0-9][0-9]_*.ipynb"))
TOLD = ("00", "01", "02", "03", "04", "05", "06", "07", "09")
MOST = {
    "cells": 60, "words": 2400, "lines": 200, "figures": 6, "predictions": 6, "lines a cell": 10,
}  # fmt: skip


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_is_short_enough_to_be_told(path):
    if path.name[:2] not in TOLD:
        pytest.skip("not told anew yet")
    found = rules.counts(rules.read(path))
    assert {name: found[name] for name in MOST if found[name] > MOST[name]} == {}
