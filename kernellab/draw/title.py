"""A title that changes with every move."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

TITLE = "title"  # gid of a text that is one
ONE_LINE, TWO_LINES = " ", "\n"  # that keep the place of a title that moves
APART = 16.0  # points from a title to the next panel, at least


def wrap_titles(figure: Figure) -> bool:
    """Break each title that would run into the next panel; return whether one takes two lines."""
    unwrap_titles(figure)
    wrapped = False
    for axes in figure.axes:
        near = [a for a in figure.axes if abs(a.bbox.y1 - axes.bbox.y1) < axes.bbox.height / 2]
        place: Any = axes._left_title  # type: ignore[attr-defined]
        for title in (place, *(text for text in axes.texts if text.get_gid() == TITLE)):
            box = title.get_window_extent()
            right = min((a.bbox.x0 for a in near if a.bbox.x0 > box.x0 + 1), default=figure.bbox.x1)
            room = right - box.x0 - APART * figure.dpi / 72
            if box.width > room and "$" not in title.get_text():
                title._get_wrap_line_width = lambda room=room: room
                title.set_wrap(True)
                if title is not place:
                    place.set_text(TWO_LINES)
                wrapped = True
    return wrapped


def unwrap_titles(figure: Figure) -> None:
    """Set each title in one line again."""
    for axes in figure.axes:
        place: Any = axes._left_title  # type: ignore[attr-defined]
        for title in (place, *(text for text in axes.texts if text.get_gid() == TITLE)):
            title.set_wrap(False)
        if place.get_text() == TWO_LINES:
            place.set_text(ONE_LINE)


def moving_title(axes: Axes, pad: float = 6.0) -> Text:
    """Return an empty text where the title stands, pad points above the axes.

    A new title of the axes themselves makes a live figure draw everything again; this one is for
    its list of moving artists. An empty title keeps the place free in the layout.
    """
    place = axes.set_title(ONE_LINE, pad=pad)
    return axes.annotate(
        "", (0.0, 1.0), (0.0, pad), xycoords="axes fraction", textcoords="offset points",
        va="baseline", fontproperties=place.get_fontproperties(), color=place.get_color(),
        annotation_clip=False, zorder=7, gid=TITLE,
    )  # fmt: skip
