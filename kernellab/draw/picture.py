"""A finished picture: PNG bytes, the words that stand for them, and how large to show it."""

from __future__ import annotations

import base64
import html
import io
import re
from dataclasses import dataclass
from itertools import chain

import numpy as np
from IPython.display import display
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image, ImageColor

from kernellab.draw.style import INK, LINES, NEGATIVE, POSITIVE, fit_the_hall, on_the_page

EXACT = ("#ffffff", *dict.fromkeys((POSITIVE, NEGATIVE, INK, *(colour for colour, _ in LINES))))

# A number that is written as 0 has the sign of its rounding error, and so another on every machine.
SIGN_OF_ZERO = re.compile(r"(?<!\w)[-−+](?=0\.?0*(?!\.?\d))")


@dataclass(frozen=True)
class Picture:
    """A PNG with its alternative text, as a notebook output.

    Attributes
    ----------
    png : The image file.
    alt
        What a reader who does not see the picture should know: also its plain-text form, so that a
        test of the notebook compares the numbers that the picture shows. Zero has no sign.
    width : Width on the page in CSS pixels.
    panels : In a hall: where the panels of a strip are, in pixels (left, top, right, bottom).
    """

    png: bytes
    alt: str
    width: int
    panels: tuple[tuple[int, int, int, int], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "alt", SIGN_OF_ZERO.sub("", self.alt))

    def __repr__(self) -> str:
        return self.alt

    def _ipython_display_(self) -> None:
        # JupyterLab ignores the alternative text of an image, so it is said once more below it.
        said = html.escape(self.alt)
        told = {"alt": self.alt, "width": self.width}
        told |= {"panels": [list(panel) for panel in self.panels]} if self.panels else {}
        words = f'<details class="kl-words"><summary>In words</summary>{said}</details>'
        display(
            {"image/png": base64.b64encode(self.png).decode(), "text/plain": self.alt},
            metadata={"image/png": told},
            raw=True,
        )
        display({"text/html": words, "text/plain": ""}, raw=True)


def picture(figure: Figure, alt: str, *, ratio: float = 1.5) -> Picture:
    """Draw a figure and return it with its alternative text.

    Raises ValueError if ``alt`` is empty: a picture without words shuts readers out.

    Parameters
    ----------
    figure : A Matplotlib figure.
    alt : What the picture shows, in words and numbers.
    ratio : Image pixels for each CSS pixel: 1.5 is sharp on most screens and still small.
    """
    if not alt.strip():
        raise ValueError("alt must say in words what the picture shows, got an empty text")
    fit_the_hall(figure)
    canvas = FigureCanvasAgg(figure)
    dpi = figure.get_dpi()
    try:
        figure.set_dpi(dpi * ratio)
        canvas.draw()
        png = small_png(canvas)
    finally:
        figure.set_dpi(dpi)
    return Picture(png, alt, on_the_page(figure.get_figwidth() * dpi))


def small_png(canvas: FigureCanvasAgg) -> bytes:
    """Encode what a canvas shows with a palette of 256 colours: a third of the bytes, same look."""
    image = Image.frombuffer("RGBA", canvas.get_width_height(), canvas.buffer_rgba())
    buffer = io.BytesIO()
    few_colours(image.convert("RGB")).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def few_colours(image: Image.Image) -> Image.Image:
    """Return a picture with a palette of 256 colours.

    The colours that have a meaning are in the palette as they are, whatever else is shown.
    """
    exact = [ImageColor.getrgb(colour) for colour in EXACT]
    few = 256 - len(exact)
    small = image.quantize(few, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    pixels = np.asarray(image.convert("RGBX")).view(np.uint32)[..., 0]  # a number a colour
    indices = np.array(small)
    for index, colour in enumerate(exact, start=few):
        indices[pixels == np.array([*colour, 255], dtype=np.uint8).view(np.uint32)] = index
    kept = Image.fromarray(indices)
    palette = bytes(small.getpalette() or [])[: 3 * few].ljust(3 * few, b"\0")
    kept.putpalette(palette + bytes(chain(*exact)))
    return kept
