"""The hinge as the upper edge of straight lines."""

from __future__ import annotations

import numpy as np

from kernellab.draw import style
from kernellab.draw.picture import Picture, picture


def hinge_lines() -> Picture:
    """Draw the hinge over the margin, and lines through its kink. Taught in notebook 05."""
    z = np.linspace(-2, 3, 101)
    figure = style.new_figure((7.2, 3.4))
    axes = figure.subplots()
    for a in (0, 0.25, 0.5, 0.75, 1):
        axes.plot(z, a * (1 - z), "--", color=style.ACCENT)
        axes.text(3.05, -2 * a, f"a = {a}", color=style.ACCENT, va="center")
    axes.plot(z, np.maximum(0, 1 - z), color=style.INK, linewidth=1.5 * style.LINE)
    axes.set(xlabel="margin z", title="the hinge (black), and lines a (1 − z) through its kink")
    alt = "The hinge over the margin z, and five lines a (1 − z), a from 0 to 1, through (1, 0)."
    return picture(figure, alt)
