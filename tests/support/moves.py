"""What tests of live figures do to one."""

from __future__ import annotations

import numpy as np


def move(figure, points) -> str:
    """Drag the first grips somewhere, as the browser does; return the line of numbers."""
    at = figure.live.at
    at[: len(points)] = np.asarray(points)
    figure.live.points = {"move": figure.live.points["move"] + 1, "at": at.tolist()}
    assert figure.live.error == "", figure.live.last_traceback
    return str(figure.live.readout)
