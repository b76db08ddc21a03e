"""Stills side by side: the key pictures of a lesson for those who read it on paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from kernellab.draw.picture import Picture, picture
from kernellab.draw.style import in_lecture, new_figure
from kernellab.live.figure import DPI, still_ratio

CAPTION, APART = 0.3, 0.15  # inches above each panel, and between two
BELOW = 6  # pixels between two views of one panel
INDENT = 0.05  # of a caption, in inches
SLENDER = 0.15  # of the width: what is no wider, such as a scale of colours, belongs to its left
ROUND = 12  # pixels between two panels one under the other, and round them


class Panel(NamedTuple):
    """A name, pixels at the scale of a still, and words that stand for them."""

    name: str
    image: Image.Image
    alt: str


def stacked(views: Sequence[Image.Image]) -> Image.Image:
    """Return several views of one preset, each in the middle below the one before."""
    wide = max(view.width for view in views)
    high = sum(view.height for view in views) + BELOW * (len(views) - 1)
    page, top = Image.new("RGB", (wide, high), "white"), 0
    for view in views:
        page.paste(view, ((wide - view.width) // 2, top))
        top += view.height + BELOW
    return page


def side_by_side(panels: Sequence[Panel]) -> Picture:
    """Return one picture of several, each under its name, with the words of all.

    In a hall it says where they are: slides show one after the other, each in the same place.
    """
    dpi = DPI * still_ratio()
    wide = sum(panel.image.width for panel in panels) / dpi + APART * (len(panels) - 1)
    high = max(panel.image.height for panel in panels) / dpi + CAPTION
    figure = new_figure((wide, high))
    figure.set_layout_engine("none")
    left, top = 0.0, round(CAPTION * dpi)
    places = []
    for panel in panels:
        width, height = (pixels / dpi for pixels in panel.image.size)
        below = high - CAPTION - height
        axes = figure.add_axes((left / wide, below / high, width / wide, height / high))
        axes.imshow(panel.image, aspect="auto", interpolation="none")
        axes.set_axis_off()
        figure.text((left + INDENT) / wide, 1.0, panel.name, va="top", weight="bold")
        begin = round(left * dpi)
        places.append((begin, top, begin + panel.image.width, top + panel.image.height))
        left += width + APART
    alt = " ".join(f"“{panel.name}”: {panel.alt}" for panel in panels)
    drawn = picture(figure, alt, ratio=still_ratio())
    return replace(drawn, panels=tuple(places)) if in_lecture() else drawn


def between_panels(figure: Figure) -> list[tuple[float, float, float]]:
    """Return where a figure's panels stand apart, as fractions of its width: left, best, right.

    Between left and right there are no axes; at best there are no labels either, if they fit.
    """
    renderer: Any = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    width = figure.bbox.width
    shown = [axes for axes in figure.axes if axes.get_visible()]
    columns: list[list[float]] = []  # of axes over each other: their left and right, with labels
    for axes in sorted(shown, key=lambda axes: axes.get_position().x0):
        bare, labelled = axes.get_position(), axes.get_tightbbox(renderer)
        if labelled is None:
            continue
        box = [bare.x0, bare.x1, labelled.x0 / width, labelled.x1 / width]
        if columns and (bare.x0 < columns[-1][1] or bare.width < SLENDER):
            last = columns[-1]
            columns[-1] = [min(last[0], box[0]), max(last[1], box[1]),
                           min(last[2], box[2]), max(last[3], box[3])]  # fmt: skip
        else:
            columns.append(box)
    return [(left[1], (left[3] + right[2]) / 2, right[0]) for left, right in pairwise(columns)]


def one_below_the_other(
    image: Image.Image, apart: Sequence[tuple[float, float, float]]
) -> Image.Image | None:
    """Return a picture with a palette as its panels one under the other, for a narrow page.

    It is cut in ``apart`` where there is nothing from top to bottom. None if nothing can be cut.
    """
    pixels = np.asarray(image)
    paper = image.getpixel((0, 0))
    drawn = np.flatnonzero((pixels != paper).any(axis=0))
    blank = np.ones(image.width, dtype=bool)
    blank[drawn] = False
    cuts = [0]
    for left, best, right in apart:
        free = np.flatnonzero(blank[round(left * image.width) : round(right * image.width)])
        if len(free):
            free = free + round(left * image.width)
            cuts.append(int(free[np.argmin(np.abs(free - best * image.width))]))
    pieces = []
    for left_end, right_end in zip(cuts, [*cuts[1:], image.width], strict=True):
        rows = np.flatnonzero((pixels[:, left_end:right_end] != paper).any(axis=1))
        columns = np.flatnonzero((pixels[:, left_end:right_end] != paper).any(axis=0)) + left_end
        if len(rows):
            box = (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
            pieces.append(image.crop(box))
    if len(pieces) < 2:
        return None
    wide = max(piece.width for piece in pieces) + 2 * ROUND
    high = sum(piece.height for piece in pieces) + ROUND * (len(pieces) + 1)
    under = Image.new("P", (wide, high), paper)
    under.putpalette(image.getpalette() or [])
    top = ROUND
    for piece in pieces:
        under.paste(piece, (ROUND, top))
        top += piece.height + ROUND
    return under
