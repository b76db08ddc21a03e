"""Every notebook of the course: all cells run, and every live figure answers."""

from __future__ import annotations

import shutil
from typing import Any

import lab
import pytest
from figures import Figure
from playwright.sync_api import expect
from run_notebooks import ROOT, all_notebooks
from test_live_figures import all_differ


@pytest.fixture(scope="session")
def course(folder):
    """The notebooks and the data, copied: JupyterLab may write what it likes."""
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    return folder


def parameters():
    # The solutions hold no live figure, and nbval has run them; the demos have tests of their own.
    paths = [p for p in all_notebooks() if "solutions" not in p.parts and p.stem != "demos"]
    names = [str(path.relative_to(ROOT)) for path in paths]
    return names or [pytest.param(None, marks=pytest.mark.skip("there are no notebooks yet"))]


@pytest.mark.parametrize("name", parameters())
def test_notebook(notebook, course, name):
    notebook.open(name)
    notebook.run_all()
    assert notebook.errors() == []
    page = notebook.page
    count = notebook.outputs().count("widget")
    expect(page.locator(f"{lab.PANEL} .kl-live")).to_have_count(count, timeout=30_000)
    for number in range(count):
        figure = Figure(page, lab.PANEL, number).ready()
        assert figure.picture.get_attribute("alt")
        assert figure.spoken.text_content() == figure.readout.text_content()
        if number == 0:  # the tests of the lessons move all of them
            try_a_slider(figure)
            try_a_point(figure)
            try_lists(figure)
    if count:
        try_another_width(page, Figure(page, lab.PANEL, count - 1).ready())
    complaints = page.locator(f"{lab.PANEL} .kl-readout.kl-bad").all_inner_texts()
    assert complaints == []
    assert notebook.errors() == []


def try_a_slider(figure: Figure) -> None:
    """The first slider gives another picture and other numbers, by keyboard and by mouse."""
    sliders = figure.all.locator(".widget-slider .noUi-handle")
    if sliders.count() == 0:
        return
    slider, before = sliders.first, figure.seen()
    keys = ("ArrowRight", "PageUp") if room(figure, slider) > 0 else ("ArrowLeft", "PageDown")
    for key in (keys[0], *5 * keys[1:]):  # a small step may be too small to be seen
        if not all_differ(figure.seen(), before):
            with figure.redrawn():
                slider.press(key)
    assert_different(figure.seen(), before, "by keyboard")

    before = figure.seen()
    with figure.redrawn():
        figure.drag(slider, 0.8 * room(figure, slider), 0)
    assert_different(figure.seen(), before, "by mouse")


def room(figure: Figure, slider: Any) -> float:
    """How far a slider can be moved, in CSS pixels: to the right, or (negative) to the left."""
    box = slider.locator("xpath=ancestor::*[contains(@class, 'noUi-base')]").bounding_box()
    left = box["x"] - figure.centre(slider)[0]
    return left + box["width"] if left + box["width"] > -left else left


def try_a_point(figure: Figure) -> None:
    """The first point gives another picture, and is where the hand left it."""
    if figure.grips.count() > 0:
        before, place = figure.seen(), figure.point(0)
        with figure.redrawn():
            figure.drag_point(0, 25, 15)
        assert figure.seen()[0] != before[0]
        assert figure.point(0) != place


def try_lists(figure: Figure) -> None:
    """Every choice of every list can be shown."""
    lists = figure.all.locator("select")
    for number in range(lists.count()):
        options = lists.nth(number).locator("option").all_inner_texts()
        for k in range(len(options)):
            if lists.nth(number).evaluate("s => s.selectedIndex") != k:
                with figure.redrawn():
                    lists.nth(number).select_option(index=k)


def try_another_width(page, figure: Figure) -> None:
    """In a narrower page the picture is drawn anew, with as many pixels as it is wide."""
    before = page.viewport_size
    try:
        with figure.redrawn():
            page.set_viewport_size({"width": 850, "height": 1000})
        shown, drawn = figure.picture.evaluate("img => [img.clientWidth, img.naturalWidth]")
        assert drawn == pytest.approx(shown, abs=1)
    finally:
        page.set_viewport_size(before)


def assert_different(now, before, what: str) -> None:
    for name, a, b in zip(("picture", "numbers", "alt text"), now, before, strict=True):
        assert a != b, f"{what}: the {name} did not change"
