"""How long it takes from a key or a pointer to the pixels: reported, and never judged.

Beside each figure stands the least a widget can do, a slider whose value comes back from Python as
text, and its moves alternate with the figure's: the difference is what the picture costs. `make
bench` measures all figures, with KERNELLAB_EVERY_FIGURE=1; with the other tests a few moves of one
say that the stopwatch runs.
"""

from __future__ import annotations

import os
import shutil
import time
from typing import Any

import lab
import pytest
from figures import Figure
from live_figures import LIVE_FIGURES, code
from run_notebooks import ROOT
from stage import Stage

EVERY = os.environ.get("KERNELLAB_EVERY_FIGURE", "0") not in {"", "0"}
MOVES = 60 if EVERY else 6

ECHO = """
import ipywidgets
from IPython.display import display
slider, answer = ipywidgets.IntSlider(10, 0, 20), ipywidgets.HTML("10")
slider.observe(lambda change: setattr(answer, "value", str(change["new"])), "value")
echo = ipywidgets.VBox([slider, answer]).add_class("echo")
display(echo)
"""
PERCEPTRON = """
import numpy as np
from kernellab.datasets import make_clouds
from kernellab.lessons.perceptron.figures.stepper import MAX_GRIPS, PerceptronStepper
from kernellab.live.controls import Sample

def clouds():
    data = make_clouds(200, 5.0, 0)
    far = np.linalg.norm(data.X - data.X.mean(axis=0), axis=1)
    order = np.argsort(far)  # what is moved lies between the clouds, and moves the line
    data.X[:], data.y[:] = data.X[order], data.y[order]
    return data

class Stepper(PerceptronStepper):
    sample = Sample("data", {"clouds": clouds})

    def grips(self):  # a few points of a large sample can be dragged too
        return self.X[:MAX_GRIPS]

Stepper(t=200)
"""


FIGURES = {name: code(name) for name in LIVE_FIGURES if EVERY}
FIGURES["perceptron, 200 points"] = PERCEPTRON

# Watches one element, a figure or the echo: `start` promises the milliseconds from the next key or
# move of the pointer to the first frame of the page that shows what came of it.
STOPWATCH = """([node, attributes]) => {
  node.start = () => node.measured = new Promise((done, fail) => {
    setTimeout(() => fail(new Error(`nothing was seen ${window.happened}`)), 10000);
    window.happened = null;
    const watch = new MutationObserver(() => {
      if (window.happened === null) return; // an answer to something earlier
      const since = window.happened;
      watch.disconnect();
      requestAnimationFrame(() => done(performance.now() - since));
    });
    watch.observe(node, attributes.length
      ? { attributeFilter: attributes } : { childList: true, subtree: true, characterData: true });
  });
}"""


class Stopwatch:
    """Measures from what the hand does to what the eye sees of it in one element."""

    def __init__(self, locator: Any, *attributes: str) -> None:
        self.node = locator.element_handle()
        self.node.evaluate(f"(node, names) => ({STOPWATCH})([node, names])", list(attributes))
        self.times: list[float] = []

    def start(self) -> None:
        self.node.evaluate("node => { node.start() }")

    def stop(self) -> None:
        self.times.append(self.node.evaluate("node => node.measured"))


def of_figure(figure: Figure) -> Stopwatch:
    """Every answer of Python is counted in the page, also one with the same picture as the last."""
    return Stopwatch(figure.root, "data-shown")


def there_and_back(page: Any, slider: Any, k: int) -> None:
    """Press an arrow on a slider, to where there is room, or back."""
    if k == 0:
        now, most = (float(slider.get_attribute(f"aria-value{s}")) for s in ("now", "max"))
        page.keys = ("ArrowLeft", "ArrowRight") if now >= most else ("ArrowRight", "ArrowLeft")
    page.keyboard.press(page.keys[k % 2])


def measure_sliders(page: Any, figure: Figure) -> tuple[list[float], list[float]]:
    """Move the bare slider and the figure's first in turn, if it has one."""
    echo = Stopwatch(page.locator(f"{lab.PANEL} .echo .widget-html-content"))
    picture = of_figure(figure)
    bare = page.locator(f"{lab.PANEL} .echo .noUi-handle")
    own = figure.all.locator(".noUi-handle")
    both = [(echo, bare), (picture, own.first)] if own.count() else [(echo, bare)]
    for k in range(MOVES):
        for watch, handle in both:
            handle.evaluate("slider => slider.focus({ preventScroll: true })")
            watch.start()
            there_and_back(page, handle, k)
            watch.stop()
    return echo.times, picture.times


def measure_dragging(page: Any, figure: Figure) -> tuple[list[float], list[float]]:
    """Drag a point step by step: until the picture follows, and until the handle does."""
    grip = figure.grips.last  # it lies on top
    picture, handle = of_figure(figure), Stopwatch(grip, "cx")
    x, y = figure.centre(grip)
    # Towards the middle: at the wall the point stops.
    now, low, high = (float(grip.get_attribute(f"aria-value{s}")) for s in ("now", "min", "max"))
    inwards = 3 if now < (low + high) / 2 else -3
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(MOVES):
        x += inwards if k < MOVES / 2 else -inwards
        picture.start()
        handle.start()
        page.mouse.move(x, y)
        handle.stop()
        picture.stop()
    page.mouse.up()
    return picture.times, handle.times


@pytest.mark.parametrize("name", FIGURES)
def test_latency(opened, notebook, latencies, name):
    figure = opened(ECHO + FIGURES[name])
    figure.page.locator(f"{lab.PANEL} .echo").scroll_into_view_if_needed()
    figure.at_rest()
    row = latencies[name] = {"load": os.getloadavg()[0]}
    row["echo"], slider = measure_sliders(notebook.page, figure)
    figure.at_rest()
    if slider:
        row["slider"] = slider
    if figure.grips.count():
        row["point"], row["handle"] = measure_dragging(notebook.page, figure)
    assert all(len(times) == MOVES for what, times in row.items() if what != "load")


if EVERY:

    def test_latency_on_the_whole_screen(opened, notebook, latencies):
        """The same in a lecture hall, where a picture has four times the pixels."""
        page, size = notebook.page, notebook.page.viewport_size
        page.set_viewport_size({"width": 1920, "height": 1080})
        try:
            opened("import kernellab as kl\nkl.lecture()", ECHO + code("SoftMargin"))
            page.locator(".kl-enter").click()
            figure = Stage(page).ready().figure
            row = latencies["SoftMargin., full screen"] = {"load": os.getloadavg()[0]}
            picture = of_figure(figure)
            slider = page.locator(".kl-on-stage .noUi-handle").first
            slider.focus()
            for k in range(MOVES):
                picture.start()
                there_and_back(page, slider, k)
                picture.stop()
            figure.at_rest()
            row["slider"] = picture.times
            row["point"], row["handle"] = measure_dragging(page, figure)
            assert len(row["slider"]) == MOVES
        finally:
            notebook.python("kl.lecture(False)")
            page.set_viewport_size(size)

    def test_from_make_lab_to_the_first_live_figure(browser, tmp_path, started):
        shutil.copytree(ROOT / "notebooks", tmp_path / "course/notebooks")
        start = time.monotonic()
        with lab.jupyter_lab(tmp_path, tmp_path / "course") as (address, token):
            page = browser.new_page()
            page.goto(f"{address}/lab/tree/notebooks/00_start_here.ipynb?token={token}")
            page.wait_for_selector(f"{lab.PANEL} .jp-Notebook .jp-Cell", timeout=60_000)
            notebook = lab.Notebook(page, address, token)
            notebook.wait_for_kernel()
            notebook.command("notebook:run-all-cells")
            page.wait_for_selector(f"{lab.PANEL} .kl-img[src]", state="attached")
            started("make lab", time.monotonic() - start)
            page.close()
