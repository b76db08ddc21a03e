"""`make lite-test`: every lesson to its end in Chromium, without a server, as it was saved."""

from __future__ import annotations

import os
import re

import nbformat
import pytest
from distribution import ROOT
from lite_page import Page

EVERY = os.environ.get("KERNELLAB_EVERY_FIGURE", "0") not in {"", "0"}
TIME = r"yours [\d.]+ s"  # as the notebook is saved without
LESSONS = sorted(path.name for path in ROOT.glob("notebooks/[0-9][0-9]_*.ipynb"))


@pytest.mark.skipif(not EVERY, reason="takes long: make lite-test")
@pytest.mark.parametrize("lesson", LESSONS)
def test_lesson_runs_to_its_end(chromium, address, lesson):
    context = chromium.new_context(viewport={"width": 1280, "height": 1000})
    page = Page(context.new_page(), address)
    page.visit(f"notebooks/{lesson}")
    page.run_to_the_end(seconds=900)
    assert page.errors() == []
    assert page.said_by_python() == []
    assert page.asked == []
    saved = nbformat.read(ROOT / "notebooks" / lesson, as_version=4)
    assert [re.sub(TIME, "yours … s", text) for text in page.printed()] == printed(saved.cells)
    context.close()


def printed(cells):
    """Return for each cell of code what it printed, and the value of its last line."""
    there = [
        cell for cell in cells if cell.cell_type == "code" and "kl.cluster(" not in cell.source
    ]
    texts = [
        [it.get("text") or it.data["text/plain"] for it in its if "text" in it or len(it.data) == 1]
        for its in (cell.outputs for cell in there)
    ]
    return ["".join(those) for those in texts if those]
