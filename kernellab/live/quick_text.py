"""An Agg renderer that draws a word once and then shows the picture of it.

Half the time of a frame goes into its words, most of which are the same as in the frame before, or
have other digits. Words stand on whole pixels, so that one picture serves wherever they go, and so
do the ten digits, of which new numbers are put together: a new line of text takes 0.1 ms, not 4.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from kernellab.validation import FloatArray

MOST_WORDS = 3000  # a few kilobytes each
ROOM = 4  # pixels round a word, for what reaches beyond its box
PIECE = re.compile(r"[0-9.]|[^0-9.]+")  # a digit, or what stands between numbers

Colour = tuple[float, float, float, float]
Heights = tuple[float | None, float | None, float | None]
Sprite = tuple[NDArray[np.uint8], int, int]  # its pixels, bottom row first; where it begins


class QuickTextRenderer(RendererAgg):
    """Agg, but that words are drawn and measured once."""

    def get_text_width_height_descent(
        self, s: str, prop: FontProperties, ismath: Any
    ) -> tuple[float, float, float]:
        """Return how wide and high a word is, and how far below its baseline, in pixels."""
        if ismath:
            return super().get_text_width_height_descent(s, prop, ismath)
        return box(s, prop, self.dpi)

    def _get_font_height_metrics(self, prop: FontProperties) -> Heights:
        # Matplotlib asks a renderer this, if it can, before it reads the font's tables: twice the
        # time of all else that it does to place a word.
        return heights(prop, self.dpi)

    def draw_text(
        self, gc: Any, x: float, y: float, s: str, prop: FontProperties, angle: float,
        ismath: Any = False, mtext: Any = None,
    ) -> None:  # fmt: skip
        """Draw a word with its baseline at x, y (downwards), turned by an angle in degrees."""
        # Matplotlib 3.10 knows neither of the two.
        asked = [getattr(mtext, name, str)() for name in ("get_fontfeatures", "get_language")]
        if ismath or any(asked) or gc.get_alpha() != 1.0:
            super().draw_text(gc, x, y, s, prop, angle, ismath=ismath, mtext=mtext)
            return
        pixels, left, top = sprite(s, prop, gc.get_rgb(), angle, self.dpi)
        if pixels.size:
            bottom = self.height - (round(y) + top + len(pixels))
            self.draw_image(gc, round(x) + left, bottom, pixels)


@lru_cache(MOST_WORDS)
def heights(prop: FontProperties, dpi: float) -> Heights:
    """Return how far a font reaches above and below a baseline, and between lines, in pixels."""
    font = get_font(findfont(prop))
    table = font.get_sfnt_table("OS/2")
    if table is None:
        return None, None, None  # Matplotlib measures then
    em = prop.get_size_in_points() * dpi / 72 / font.units_per_EM
    said = table["sTypoAscender"], -table["sTypoDescender"], table["sTypoLineGap"]
    return said[0] * em, said[1] * em, said[2] * em


@lru_cache(MOST_WORDS)
def box(s: str, prop: FontProperties, dpi: float) -> tuple[float, float, float]:
    """Return the width, height and descent of a word, from those of its pieces."""
    pieces = PIECE.findall(s)
    if len(pieces) < 2:
        return RendererAgg(1, 1, dpi).get_text_width_height_descent(s, prop, False)
    widths, heights, descents = zip(*(box(piece, prop, dpi) for piece in pieces), strict=True)
    above = max(h - d for h, d in zip(heights, descents, strict=True))
    return sum(widths), above + max(descents), max(descents)


@lru_cache(MOST_WORDS)
def sprite(s: str, prop: FontProperties, colour: Colour, angle: float, dpi: float) -> Sprite:
    """Return the picture of a word, and where it begins: columns and rows from its baseline."""
    pieces = PIECE.findall(s)
    if angle or len(pieces) < 2:
        return drawn(s, prop, colour, angle, dpi)
    width, height, _ = (int(np.ceil(length)) for length in box(s, prop, dpi))
    row = np.zeros((2 * (height + ROOM), width + 2 * ROOM, 4), dtype=np.uint8)
    baseline, x = height + ROOM, float(ROOM)
    for piece in pieces:
        pixels, left, top = sprite(piece, prop, colour, 0.0, dpi)
        bottom = len(row) - (baseline + top + len(pixels))  # sprites begin with their last row
        place = row[bottom : bottom + len(pixels), round(x) + left :][:, : pixels.shape[1]]
        np.maximum(place, pixels, out=place)
        x += box(piece, prop, dpi)[0]
    return row, -ROOM, -baseline


def drawn(s: str, prop: FontProperties, colour: Colour, angle: float, dpi: float) -> Sprite:
    """Draw a word by itself, and cut it out."""
    width, height, _ = box(s, prop, dpi)
    reach = int(np.hypot(width, height)) + ROOM  # whatever the angle
    renderer = RendererAgg(2 * reach, 2 * reach, dpi)
    gc = renderer.new_gc()
    gc.set_foreground(colour, isRGBA=True)
    renderer.draw_text(gc, reach, reach, s, prop, angle)
    pixels = np.asarray(renderer.buffer_rgba())
    ink = pixels[..., 3] > 0
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if len(rows) == 0:
        return pixels[:0, :0], 0, 0
    word = pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return word[::-1].copy(), int(columns[0]) - reach, int(rows[0]) - reach


class QuickTextCanvas(FigureCanvasAgg):
    """A canvas that draws with `QuickTextRenderer`."""

    _made_for: tuple[float, ...] = ()

    def get_renderer(self) -> RendererAgg:
        """Return the renderer for the figure's present size; the last one, if that is it."""
        key = (*self.get_width_height(physical=True), self.figure.dpi)
        if self._made_for != key:
            self.renderer = QuickTextRenderer(*key)
            self._made_for = key
        return self.renderer


def canvas_for(figure: Figure) -> FigureCanvasAgg:
    """Give a figure a canvas: the quick one, if it draws what Agg draws."""
    return QuickTextCanvas(figure) if draws_the_same() else FigureCanvasAgg(figure)


@cache
def draws_the_same() -> bool:
    """Whether the words of a trial are as large as those of Agg, and half a pixel away at most."""
    try:
        (boxes, pixels), (agg_boxes, agg_pixels) = map(trial, (QuickTextCanvas, FigureCanvasAgg))
    except Exception:  # whatever Matplotlib has changed, Agg does without
        return False
    return (
        np.allclose(boxes, agg_boxes) and np.abs(pixels - agg_pixels).max() < 40
    )  # a pixel away: 51


def trial(canvas: type[FigureCanvasAgg]) -> tuple[list[Any], FloatArray]:
    """Draw words of every kind; return where they are, and the means of 5 by 5 pixels."""
    drawn = canvas(Figure(figsize=(2, 1), dpi=100))
    words = [
        drawn.figure.text(0.5, 0.1, "gap 0.25"),
        drawn.figure.text(0.1, 0.1, "turned", rotation=90),
        drawn.figure.text(0.5, 0.4, "seen half", alpha=0.5),
        drawn.figure.text(0.5, 0.8, "x₁ = 2\nin two lines", ha="center", va="center"),
    ]
    drawn.draw()
    pixels = np.asarray(drawn.buffer_rgba()).astype(float)
    renderer = drawn.get_renderer()
    boxes = [word.get_window_extent(renderer).bounds for word in words]
    beyond = np.pad(pixels, ((2, 2), (2, 2), (0, 0)), mode="edge")
    return boxes, sliding_window_view(beyond, (5, 5), axis=(0, 1)).mean(axis=(-2, -1))
