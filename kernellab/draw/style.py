"""One grammar for every figure of the course: what each mark means, and how large it is.

The two classes differ by marker *and* colour, so that a figure can be read without colour; the
blue and the orange stay apart for every common kind of colour blindness. Sizes are in points
(1/72 inch) and areas in points squared, as Matplotlib has them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import wraps
from typing import Any

import matplotlib as mpl
from matplotlib.collections import Collection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.ticker import AutoLocator

POSITIVE = "#0b5fa5"  # class +1: blue circles
NEGATIVE = "#e07b00"  # class -1: orange squares
NEUTRAL = "#5b5b5b"
INK = "#1a1a1a"
ACCENT = "#7b3294"  # what happens now: the example just used, the value under the slider

MARKER = {1: "o", -1: "s"}
COLOUR = {1: POSITIVE, -1: NEGATIVE}
TICK = Path([(-1.0, 0.0), (-0.35, -0.7), (1.0, 0.9)])  # "it holds"; a cross says that it does not
# Further lines on the same axes differ by dash as well as by colour.
LINES: Sequence[tuple[str, Any]] = (
    (INK, "-"),
    (POSITIVE, "--"),
    (NEGATIVE, "-."),
    (ACCENT, ":"),
    ("#1b7837", (0, (6, 1, 1, 1, 1, 1))),
    (NEUTRAL, (0, (1, 1))),
)

# Scores: orange below zero, white at zero, blue above.
SCORES = LinearSegmentedColormap.from_list("kernellab.scores", ["#f6b26b", "#ffffff", "#8ab8de"])

POINT_AREA = 46.0  # area of a point whose weight is zero
WEIGHT_AREA = 46.0  # added for each unit of relative weight
RING = 5.0  # a ring is so much wider than its point, in points (1/72 inch)
LINE = 2.0
THIN = 1.0

# Set for all of Matplotlib: a reader's own plots beside the lesson's have the same look.
RC: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "axes.titlesize": 12,
    "axes.labelsize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "legend.fontsize": 10,
    "legend.frameon": False,
    "figure.dpi": 100,
    "mathtext.fontset": "dejavusans",
}
if mpl.__version_info__ < (3, 11):  # what later versions do by themselves
    # Letters on whole pixels.
    RC |= {"text.hinting": "default", "text.hinting_factor": 1}
    # No mark where there are no points: else an empty scatter of rings has one at pixel (0, 0).
    _draw: Any = Collection.draw

    @wraps(_draw)
    def _draw_points(points: Any, renderer: Any) -> None:
        if len(points.get_offsets()):
            _draw(points, renderer)

    Collection.draw = _draw_points  # type: ignore[assignment]

mpl.rcParams.update(RC)


def new_figure(size: tuple[float, float] = (9.0, 4.0)) -> Figure:
    """Make an empty figure of ``size`` inches, 100 pixels each, outside pyplot."""
    return Figure(figsize=size, layout="constrained")


def freeze_layout(figure: Figure) -> None:
    """Lay a figure out and keep it so: a live figure must not jiggle as its numbers change."""
    figure.set_layout_engine("constrained")
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


# --- the lecture hall ---------------------------------------------------------------------------

HALL = {"LINE": 3.0, "THIN": 1.6, "POINT_AREA": 64.0, "WEIGHT_AREA": 64.0, "RING": 7.0}
DESK = {name: globals()[name] for name in HALL}
HALL_TYPE = 12.0  # points in the picture, which is enlarged on the stage, or by `on_the_page`
FEW_TICKS = 5  # steps between the numbers on an axis, at most
_in_lecture = False


def lecture(on: bool = True) -> None:
    """Make every figure from now on one for the last row: larger type, thicker lines, all keys.

    False goes back to the desk. The environment variable KERNELLAB_LECTURE=1 does the same from the
    start.
    """
    global _in_lecture
    _in_lecture = on
    globals().update(HALL if on else DESK)
    sizes = {name: size for name, size in RC.items() if name.endswith("size")}
    mpl.rcParams.update({n: max(HALL_TYPE, size) if on else size for n, size in sizes.items()})
    mpl.rcParams["figure.constrained_layout.w_pad"] = 0.1 if on else 0.04167  # inches


def in_lecture() -> bool:
    """Whether figures are made for a lecture hall."""
    return _in_lecture


def hall_type(height: float) -> float:
    """Return the least size of type, in points, of a figure ``height`` inches high, for a hall.

    On a projector of 1080 lines it has 18 points or more: the picture is enlarged by 1.5 to 2, a
    high one by less.
    """
    return max(HALL_TYPE, 2.35 * height)


def on_the_page(width: float) -> int:
    """Return how wide a picture stands in a notebook, in CSS pixels; ``width`` is so at the desk.

    In a hall its type has 18 points (24 pixels) there, too, if the window is wide enough.
    """
    return round(width * (24 / (HALL_TYPE / 72 * 100) if _in_lecture else 1.0))


def fit_the_hall(figure: Figure) -> None:
    """Enlarge the type of a figure, and thin out its ticks, if it is made for a lecture hall."""
    if not _in_lecture:
        return
    least = hall_type(figure.get_figheight())
    for text in figure.findobj(Text):
        text.set_fontsize(max(least, text.get_fontsize()))
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis, *([axes.zaxis] if hasattr(axes, "zaxis") else [])):
            axis.set_tick_params(which="both", labelsize=least)  # ticks still to come too
            if isinstance(axis.get_major_locator(), AutoLocator):
                axis.get_major_locator().set_params(nbins=FEW_TICKS)


if os.environ.get("KERNELLAB_LECTURE", "0") not in {"", "0"}:
    lecture()
