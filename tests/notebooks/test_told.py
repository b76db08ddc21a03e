"""A lesson can be read in ninety minutes: its cells, words, lines, figures, predictions are few.

The counts of all lessons are printed at the end of a run of this folder.
"""

from pathlib import Path

import notebook_rules as rules
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
LESSONS = sorted(FOLDER.glob("[0-9][0-9]_*.ipynb"))
# Words as a reader counts them: all that white space separates in text cells, formulas and tables
# included (tools/notebook_rules.py --count). A lesson that is shortened gets a lower number here;
# 2400 is what is wanted of each.
WORDS = {
    "00": 1600,
    "01": 2400,
    "02": 2100,
    "03": 2100,
    "04": 2400,
    "05": 2000,
    "06": 2000,
    "07": 2100,
    "08": 2250,
    "09": 2050,
}
MOST = {"cells": 60, "lines": 200, "figures": 6, "predictions": 6, "lines a cell": 10}


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_is_short_enough_to_be_told(path):
    most = {**MOST, "words": WORDS[path.name[:2]]}
    found = rules.counts(rules.read(path))
    assert {name: found[name] for name in most if found[name] > most[name]} == {}
