"""`make lite-test`: every lesson to its end in Chromium, without a server and without an error."""

from __future__ import annotations

import os

import pytest
from distribution import ROOT
from lite_page import Page

EVERY = os.environ.get("KERNELLAB_EVERY_FIGURE", "0") not in {"", "0"}
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
    context.close()
