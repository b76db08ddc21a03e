"""Live figures in JupyterLab answer all that moves them: those that hold every kind of control.

What a figure computes is asked in tests/lessons, and `test_demos.py` shows each in a browser. Here
all controls and a point are moved as a person does: Python hears of it, and the page shows what
Python has; with KERNELLAB_MOVES in every figure. One lesson is run as a whole.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import lab
import numpy as np
import pytest
from accessibility import problems
from figures import Figure
from live_figures import EVERY_KIND, LIVE_FIGURES, code
from playwright.sync_api import expect
from run_notebooks import ROOT

PYTHON = """
import json
live, steps = figure.live, [handle.get("step") for handle in figure.live.handles]
print(json.dumps([len(figure._widgets), steps, live.error, live.at.tolist(),
                  [live.readout, live.readout, live.alt]]))
"""
# What is read, what is heard at rest, and the alternative text; and the sliders that do not say
# aloud what they are, or where they stand.
SAYS = """box => {
  const text = part => box.querySelector(part).textContent;
  const silent = [...box.querySelectorAll(".widget-slider")].filter(slider => {
    const handle = slider.querySelector(".noUi-handle");
    const says = (name, part) =>
      handle.getAttribute(name) === slider.querySelector(part).textContent;
    return !(says("aria-label", ".widget-label") && says("aria-valuetext", ".widget-readout"));
  });
  const words = [text(".kl-readout"), text(".kl-spoken"), box.querySelector(".kl-img").alt];
  return [words, silent.map(slider => slider.textContent)];
}"""
# Set by our extension of the server, which sends at once; its kernels inherit it.
ECHOES = "import os; print(os.environ['JUPYTER_WIDGETS_ECHO'])"
LIMITS = ("now", "min", "max")
# JupyterLab's own are toolbars, prompts, editors.
OURS = f"{lab.PANEL} .jp-OutputArea-output"
DIGITS = 0.006  # a point says its place with two digits


@pytest.mark.firefox
def test_a_lesson(notebook, folder):
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")  # JupyterLab may write what it likes
    (lesson,) = folder.glob("notebooks/01_*.ipynb")
    notebook.open(f"notebooks/{lesson.name}")
    notebook.run_all()
    assert notebook.errors() == []
    assert notebook.python(ECHOES) == "0\n"
    count = notebook.outputs().count("widget")
    assert count > 1
    live = notebook.page.locator(f"{lab.PANEL} .kl-live")
    expect(live).to_have_count(count, timeout=30_000)
    for number in range(count):
        figure = Figure(notebook.page, lab.PANEL, number).ready()
        expect(figure.readout).to_have_text(re.compile(r"\S"))  # the page may still be scrolling


@pytest.mark.firefox
@pytest.mark.parametrize("name", LIVE_FIGURES if "KERNELLAB_MOVES" in os.environ else EVERY_KIND)
def test_all_that_moves_a_figure(opened, notebook, name):
    both = Both(notebook, opened(code(name)))
    assert list(both.try_everything()) == []
    assert problems(notebook.page, OURS) == []


class Both:
    """A figure in the page, and in Python."""

    def __init__(self, notebook: lab.Notebook, figure: Figure) -> None:
        self.notebook, self.figure = notebook, figure

    def python(self) -> list[Any]:
        return list(json.loads(self.notebook.python(PYTHON)))

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
        said, silent = figure.all.evaluate(SAYS)
        if said != words:
            yield f"the page says {said}, Python {words}"
        if silent:
            yield f"not said aloud: {silent}"
        there = figure.points()
        # Counted places lie apart, and a hand leaves a point between them.
        near = 1.0 if act == self.drag and self.counted else DIGITS
        if np.shape(there) != np.shape(points) or not np.allclose(there, points, 0, near):
            yield f"points at {there}, in Python at {points}"

    def controls(self) -> Iterator[tuple[str, Callable[[], Any]]]:
        """Yield a name and a way to move each control; buttons first, while there is room."""
        figure, within = self.figure, self.figure.all.locator(".kl-controls")
        for more in within.locator(".kl-more").all():
            more.click()
        for button in within.locator(".widget-button").all():
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
            yield "text", partial(type_over, field, "1 + dot")

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
            if abs(figure.point(0)[0] - before[0] - way * float(step)) > DIGITS:
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


def type_over(field: Any, text: str) -> None:
    """Type, and not fill: Firefox tells of a change only where keys were pressed."""
    field.press("Control+a")
    field.press_sequentially(text)
    field.press("Enter")


def play_and_pause(figure: Figure, play: Any) -> None:
    answers = figure.answers()
    button = play.get_by_role("button", name="play or pause", exact=True)
    button.click()
    figure.page.wait_for_function(
        "([root, n]) => Number(root.dataset.frame) > n + 1",
        arg=[figure.root.element_handle(), answers],
    )
    button.click()
