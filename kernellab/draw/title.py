"""A title that changes with every move."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.text import Text

TITLE = "title"  # gid of a text that is one


def moving_title(axes: Axes, pad: float = 6.0) -> Text:
    """Return an empty text where the title stands, pad points above the axes.

    A new title of the axes themselves makes a live figure draw everything again; this one is for
    its list of moving artists. An empty title keeps the place free in the layout.
    """
    place = axes.set_title(" ", pad=pad)
    return axes.annotate(
        "", (0.0, 1.0), (0.0, pad), xycoords="axes fraction", textcoords="offset points",
        va="baseline", fontproperties=place.get_fontproperties(), color=place.get_color(),
        annotation_clip=False, zorder=7, gid=TITLE,
    )  # fmt: skip
