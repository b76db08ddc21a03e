"""What tests of live figures do to one."""

from __future__ import annotations

import numpy as np


def move(figure, points):
    """Drag the grips, as the browser does."""
    at = np.asarray(points, dtype=float).tolist()
    figure.live.points = {"move": figure.live.points["move"] + 1, "at": at}
    assert figure.live.error == "", figure.live.last_traceback
