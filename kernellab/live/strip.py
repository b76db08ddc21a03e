"""Stills side by side: the key pictures of a lesson for those who read it on paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image

from kernellab.draw.picture import Picture, picture
from kernellab.draw.style import new_figure
from kernellab.live.figure import DPI, still_ratio

CAPTION, APART = 0.3, 0.15  # inches above each panel, and between two
BELOW = 6  # pixels between two views of one panel
INDENT = 0.05  # of a caption, in inches


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
    """Return one picture of several, each under its name, with the words of all."""
    dpi = DPI * still_ratio()
    wide = sum(panel.image.width for panel in panels) / dpi + APART * (len(panels) - 1)
    high = max(panel.image.height for panel in panels) / dpi + CAPTION
    figure = new_figure((wide, high))
    figure.set_layout_engine("none")
    left = 0.0
    for panel in panels:
        width, height = (pixels / dpi for pixels in panel.image.size)
        below = high - CAPTION - height
        axes = figure.add_axes((left / wide, below / high, width / wide, height / high))
        axes.imshow(panel.image, aspect="auto", interpolation="none")
        axes.set_axis_off()
        figure.text((left + INDENT) / wide, 1.0, panel.name, va="top", weight="bold")
        left += width + APART
    alt = " ".join(f"“{panel.name}”: {panel.alt}" for panel in panels)
    return picture(figure, alt, ratio=still_ratio())
