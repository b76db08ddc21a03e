"""How long it takes from a key or a pointer to the pixels: reported, with a generous cap only.

Beside each figure stands the least a widget can do, a slider whose value comes back from Python as
text, and its moves alternate with the figure's: the difference is what the picture costs.
"""

from __future__ import annotations

import os

import lab
import numpy as np
import pytest
from figures import Figure

MOVES = 40
CAP_MS = 2000  # the machine may be busy; what is too slow for a hand is for the reader of the table

ECHO = """
import ipywidgets
from IPython.display import display
slider, answer = ipywidgets.IntSlider(10, 0, 20), ipywidgets.HTML("10")
slider.observe(lambda change: setattr(answer, "value", str(change["new"])), "value")
echo = ipywidgets.VBox([slider, answer]).add_class("echo")
"""
LOSSES = f"""
{ECHO}
from kernellab.live.losses import LossExplorer
display(echo)
LossExplorer()
"""
PERCEPTRON = f"""
{ECHO}
import numpy as np
from kernellab.datasets import make_clouds
from kernellab.live.perceptron import MAX_GRIPS, PerceptronStepper

def clouds():
    data = make_clouds(N, 5.0, 0)
    far = np.linalg.norm(data.X - data.X.mean(axis=0), axis=1)
    order = np.argsort(far)  # what is moved lies between the clouds, and moves the line
    data.X[:], data.y[:] = data.X[order], data.y[order]
    return data

class Stepper(PerceptronStepper):
    def _grips(self):  # a few points of a large sample can be dragged too
        return self.X[:MAX_GRIPS]

display(echo)
Stepper("clouds", step=N, samples={{"clouds": clouds}})
"""
SOFT_MARGIN = f"""
{ECHO}
from kernellab.live.soft_margin import SoftMarginExplorer
display(echo)
SoftMarginExplorer()
"""
PATHS = f"""
{ECHO}
from kernellab.live.c_path import PathExplorer
display(echo)
PathExplorer("fourteen points")
"""
LIFT = f"""
{ECHO}
from kernellab.live.lift import Lift
display(echo)
Lift()
"""
GAMMA = f"""
{ECHO}
from kernellab.live.gamma import GammaDial
display(echo)
GammaDial()
"""
PEGASOS = f"""
{ECHO}
from kernellab.live.pegasos import PegasosStepper
display(echo)
PegasosStepper(average="average of all w")
"""
COUNTS = f"""
{ECHO}
from kernellab.live.pegasos_kernel import KernelCounts
display(echo)
KernelCounts()
"""
STAIRCASE = f"""
{ECHO}
from kernellab.live.staircase import Staircase
display(echo)
Staircase()
"""
PARABOLA = f"""
{ECHO}
from kernellab.live.coordinate import CoordinateParabola
display(echo)
CoordinateParabola()
"""
MICROSCOPE = f"""
{ECHO}
from kernellab.live.broadcast import BroadcastMicroscope
display(echo)
BroadcastMicroscope()
"""
SURFACES = f"""
{ECHO}
from kernellab.live.ridge_surface import RidgeSurface
display(echo)
RidgeSurface()
"""
LANDMARKS = f"""
{ECHO}
from kernellab.live.landmarks import LandmarkGame
display(echo)
LandmarkGame()
"""
TRIANGLE = f"""
{ECHO}
from kernellab.live.mkl_triangle import WeightPath
display(echo)
WeightPath()
"""
FIGURES = {
    "losses": (LOSSES, "margin"),
    "perceptron, 16 points": (PERCEPTRON.replace("N", "16"), "step t"),
    "perceptron, 200 points": (PERCEPTRON.replace("N", "200"), "step t"),
    "soft margin, 22 points": (SOFT_MARGIN, "cost"),
    "paths of 14 points": (PATHS, "cost"),
    "lift, turned": (LIFT, "turn"),
    "gamma, 40 points": (GAMMA, "γ"),
    "Pegasos, 16 points": (PEGASOS, "step t"),
    "Pegasos, a kernel": (COUNTS, "λ"),
    "staircase, 20 points": (STAIRCASE, "updates"),
    "coordinate parabola": (PARABOLA, "K₁₂"),
    "broadcast microscope": (MICROSCOPE, "λ"),
    "two surfaces, 100 points": (SURFACES, "λ"),
    "landmarks, 122 points": (LANDMARKS, "landmarks m"),
    "triangle of three kernels": (TRIANGLE, "step t"),
}

# Watches one element, the picture or the echo: `start` promises the milliseconds from the next
# event of a kind to the first frame of the page that shows what came of it.
STOPWATCH = """([node, attributes]) => {
  node.start = type => node.measured = new Promise((done, fail) => {
    setTimeout(() => fail(new Error(`nothing was seen after ${type} at ${start}`)), 10000);
    let start = null;
    const begin = event => { start ??= event.timeStamp };
    addEventListener(type, begin, { capture: true });
    const watch = new MutationObserver(async () => {
      if (start === null) return; // an answer to something earlier
      watch.disconnect();
      removeEventListener(type, begin, { capture: true });
      if (node.decode) await node.decode().catch(() => {});
      requestAnimationFrame(() => done(performance.now() - start));
    });
    watch.observe(node, attributes.length
      ? { attributeFilter: attributes } : { childList: true, subtree: true, characterData: true });
  });
}"""


class Stopwatch:
    """Measures from what the hand does to what the eye sees of it in one element."""

    def __init__(self, locator, *attributes: str) -> None:
        self.node = locator.element_handle()
        self.node.evaluate(f"(node, names) => ({STOPWATCH})([node, names])", list(attributes))
        self.times: list[float] = []

    def start(self, event: str) -> None:
        self.node.evaluate("(node, type) => { node.start(type) }", event)

    def stop(self) -> None:
        self.times.append(self.node.evaluate("node => node.measured"))


def measure_sliders(page, figure: Figure, label: str) -> tuple[list[float], list[float]]:
    """Move the bare slider and the figure's in turn."""
    echo = Stopwatch(page.locator(f"{lab.PANEL} .echo .widget-html-content"))
    picture = Stopwatch(figure.picture, "src")
    bare = page.locator(f"{lab.PANEL} .echo .noUi-handle")
    for k in range(MOVES):
        for watch, slider in ((echo, bare), (picture, figure.slider(label))):
            slider.evaluate("slider => slider.focus({ preventScroll: true })")
            watch.start("keydown")
            page.keyboard.press("ArrowRight" if k % 2 == 0 else "ArrowLeft")
            watch.stop()
    return echo.times, picture.times


def measure_dragging(page, figure: Figure) -> tuple[list[float], list[float]]:
    """Drag a point step by step: until the picture follows, and until the handle does."""
    grip = figure.grips.last  # it lies on top
    picture, handle = Stopwatch(figure.picture, "src"), Stopwatch(grip, "cx")
    x, y = figure.centre(grip)
    # Towards the middle: at the wall the point stops, and a picture that stays is not sent again.
    now, low, high = (float(grip.get_attribute(f"aria-value{s}")) for s in ("now", "min", "max"))
    inwards = 3 if now < (low + high) / 2 else -3
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(MOVES):
        x += inwards if k < MOVES / 2 else -inwards
        picture.start("pointermove")
        handle.start("pointermove")
        page.mouse.move(x, y)
        handle.stop()
        picture.stop()
    page.mouse.up()
    return picture.times, handle.times


@pytest.mark.parametrize("name", FIGURES)
def test_latency(opened, notebook, latencies, name):
    code, label = FIGURES[name]
    figure = opened(code)
    figure.page.locator(f"{lab.PANEL} .echo").scroll_into_view_if_needed()
    figure.at_rest()
    load = os.getloadavg()[0]
    echo, slider = measure_sliders(notebook.page, figure, label)
    figure.at_rest()
    point, follow = measure_dragging(notebook.page, figure)
    rows = {"echo": echo, "slider": slider, "point": point, "handle": follow}
    latencies[name] = {what: np.percentile(times, [50, 95]) for what, times in rows.items()}
    latencies[name]["load"] = load
    for what, times in rows.items():
        assert len(times) == MOVES
        assert np.median(times) < CAP_MS, what
