"""Every notebook of the course: all cells run, and every live figure answers all that moves it.

What a figure computes is asked in tests/lessons. Here each control and a point of every figure is
moved as a person does, once in its lesson: Python hears of it, and the page shows what Python has.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import lab
import numpy as np
import pytest
from figures import SETTLE_MS, Figure
from playwright.sync_api import expect
from run_notebooks import ROOT, all_notebooks

MODELS = f"""() => [...{lab.WIDGET}.content.model.cells]
  .flatMap(cell => cell.toJSON().outputs ?? [])
  .map(output => output.data?.["application/vnd.jupyter.widget-view+json"]?.model_id)
  .filter(id => id)"""
PYTHON = """
import json
from ipywidgets.widgets.widget import _instances
figure = _instances["{}"]
live, steps = figure.live, [handle.get("step") for handle in figure.live.handles]
print(json.dumps([len(figure._controls), steps, live.error, live.at.tolist(),
                  [live.readout, live.readout, live.alt]]))
"""
# Sliders that do not say aloud what they are, or where they stand.
SILENT = """box => [...box.querySelectorAll(".widget-slider")].filter(slider => {
  const handle = slider.querySelector(".noUi-handle");
  const says = (name, part) => handle.getAttribute(name) === slider.querySelector(part).textContent;
  return !(says("aria-label", ".widget-label") && says("aria-valuetext", ".widget-readout"));
}).map(slider => slider.textContent)"""
# Set by our extension of the server, which sends at once; its kernels inherit it.
ECHOES = "import os; print(os.environ['JUPYTER_WIDGETS_ECHO'])"
LIMITS = ("now", "min", "max")
DIGITS = 0.006  # a point says its place with two digits


@pytest.fixture(scope="session")
def course(folder):
    """The notebooks and the data, copied: JupyterLab may write what it likes."""
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    return folder


def parameters() -> list[Any]:
    # The solutions hold no live figure, and nbval has run them; the demos have tests of their own.
    paths = [p for p in all_notebooks() if "solutions" not in p.parts and p.stem != "demos"]
    names = [str(path.relative_to(ROOT)) for path in paths]
    one_lesson = pytest.mark.firefox
    return [pytest.param(name, marks=[one_lesson] * ("/02_" in name)) for name in names]


@pytest.mark.parametrize("name", parameters())
def test_notebook(notebook, course, name):
    notebook.open(name)
    notebook.run_all()
    assert notebook.errors() == []
    assert notebook.python(ECHOES) == "0\n"
    page = notebook.page
    models = page.evaluate(MODELS)
    expect(page.locator(f"{lab.PANEL} .kl-live")).to_have_count(len(models), timeout=30_000)
    complaints = []
    for number, model in enumerate(models):
        both = Both(notebook, Figure(page, lab.PANEL, number).ready(), model)
        complaints += [f"figure {number + 1}, {said}" for said in both.try_everything()]
    assert complaints == []
    if models:
        try_another_width(page, both.figure)
    assert notebook.errors() == []


class Both:
    """A figure in the page, and in Python."""

    def __init__(self, notebook: lab.Notebook, figure: Figure, model: str) -> None:
        self.notebook, self.figure, self.code = notebook, figure, PYTHON.format(model)

    def python(self) -> list[Any]:
        return list(json.loads(self.notebook.python(self.code)))

    def try_everything(self) -> Iterator[str]:
        """Move all that can be moved; yield what should not be so then."""
        n_controls, steps, *_ = self.python()
        self.counted = bool(steps and steps[0])
        tried = 0
        for what, act in self.controls():
            tried += not what.endswith("by mouse")  # which is the second time
            sliding = "by " in what  # what else is chosen or pressed may prepare a later picture
            yield from (f"{what}: {said}" for said in self.after(act, another=sliding))
        if tried != n_controls:
            yield f"{tried} of {n_controls} controls were moved"
        if self.figure.grips.count():
            yield from (f"a point by mouse: {said}" for said in self.after(self.drag))
            yield from (f"a point by a key: {said}" for said in self.nudge(steps[0]))

    def after(self, act: Callable[[], Any], *, another: bool = True) -> Iterator[str]:
        """Do something, and wait for the answer; yield in what page and Python differ then."""
        figure, picture = self.figure, self.figure.seen()[0]
        with figure.redrawn():
            act()
        _, _, error, points, words = self.python()
        if error:
            yield error
        if another and figure.seen()[0] == picture:
            yield "the same picture"
        if (said := self.words()) != words:
            yield f"the page says {said}, Python {words}"
        if silent := figure.all.evaluate(SILENT):
            yield f"not said aloud: {silent}"
        there = [figure.point(k) for k in range(figure.grips.count())]
        # Counted places lie apart, and a hand leaves a point between them.
        near = 1.0 if act == self.drag and self.counted else DIGITS
        if np.shape(there) != np.shape(points) or not np.allclose(there, points, 0, near):
            yield f"points at {there}, in Python at {points}"

    def words(self) -> list[str]:
        """Return what is read, what is heard at rest, and the alternative text."""
        figure = self.figure
        said = [figure.readout.text_content(), figure.spoken.text_content()]
        return [*said, figure.picture.get_attribute("alt")]

    def controls(self) -> Iterator[tuple[str, Callable[[], Any]]]:
        """Yield a name and a way to move each control; buttons first, while there is room."""
        figure, within = self.figure, self.figure.all.locator(".kl-controls")
        for button in within.locator("> button").all():
            yield button.inner_text(), button.click
        for play in within.locator(".widget-play").all():
            yield "play", partial(play_and_pause, figure, play)
        for k, slider in enumerate(within.locator(".widget-slider .noUi-handle").all()):
            name = slider.get_attribute("aria-label")
            yield f"{name} by a key", partial(slider.press, arrow(slider))
            if k == 0:
                far = 0.6 * room(figure, slider)
                yield f"{name} by mouse", partial(figure.drag, slider, far, 0)
        for choices in within.locator("select").all():
            now, count = choices.evaluate("s => [s.selectedIndex, s.options.length]")
            yield "list", partial(choices.select_option, index=(now + 1) % count)
        for box in within.locator("input[type=checkbox]").all():
            yield "check box", box.click
        for field in within.locator("input[type=text]").all():
            yield "text", lambda: (field.fill("1 + dot"), field.press("Enter"))  # noqa: B023

    def drag(self) -> None:
        """Drag the last point, which lies on top, 60 pixels each way towards the middle."""
        figure = self.figure
        x, y = figure.centre(figure.grips.last)
        box = figure.picture.bounding_box()
        right = 60 if x < box["x"] + box["width"] / 2 else -60
        down = 60 if y < box["y"] + box["height"] / 2 else -60
        figure.drag_point(figure.grips.count() - 1, right, down)

    def nudge(self, step: str | None) -> Iterator[str]:
        """Move the first point by a key: it goes that way, and where places are counted, by one."""
        figure, first = self.figure, self.figure.grips.first
        box, (x, y) = figure.picture.bounding_box(), figure.centre(first)
        if step:
            before = self.python()[3][0]  # a hand leaves it between two places
            now, low, high = (float(first.get_attribute(f"aria-value{s}")) for s in LIMITS)
            key, way = ("ArrowRight", 1) if now < (low + high) / 2 else ("ArrowLeft", -1)
            yield from self.after(partial(first.press, key))
            if figure.point(0)[0] - before[0] != way * float(step):
                yield f"{key}: from {before} to {figure.point(0)}"
            return
        key = "ArrowUp" if y > box["y"] + box["height"] / 2 else "ArrowDown"
        across = "ArrowLeft" if x > box["x"] + box["width"] / 2 else "ArrowRight"

        def press() -> None:  # some points go only up and down, and some only to and fro
            first.press(f"Shift+{key}")
            first.press(f"Shift+{across}")

        yield from self.after(press)
        down = figure.centre(first)[1] - y  # pixels; some points go in steps
        if (down > 1 and key == "ArrowUp") or (down < -1 and key == "ArrowDown"):
            yield f"{key}: it went {down} pixels down"


def arrow(slider: Any) -> str:
    now, most = (float(slider.get_attribute(f"aria-value{s}")) for s in ("now", "max"))
    return "ArrowLeft" if now >= most else "ArrowRight"


def room(figure: Figure, slider: Any) -> float:
    """How far a slider can be moved, in CSS pixels: to the right, or (negative) to the left."""
    box = slider.locator("xpath=ancestor::*[contains(@class, 'noUi-base')]").bounding_box()
    left = box["x"] - figure.centre(slider)[0]
    return left + box["width"] if left + box["width"] > -left else left


def play_and_pause(figure: Figure, play: Any) -> None:
    button, answers = play.locator("button").first, figure.answers()
    button.click()
    figure.page.wait_for_function(
        "([root, n]) => Number(root.dataset.frame) > n + 1",
        arg=[figure.root.element_handle(), answers],
    )
    button.click()
    figure.page.wait_for_timeout(SETTLE_MS)


def try_another_width(page: Any, figure: Figure) -> None:
    """In a narrower page the picture is drawn anew, with as many pixels as it is wide."""
    before = page.viewport_size
    try:
        with figure.redrawn():
            page.set_viewport_size({"width": 850, "height": 1000})
        shown, drawn = figure.picture.evaluate("img => [img.clientWidth, img.naturalWidth]")
        assert drawn == pytest.approx(shown, abs=1)
    finally:
        page.set_viewport_size(before)
