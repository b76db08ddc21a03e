"""The hinge as the upper edge of lines, one for each value of its dual variable."""

from __future__ import annotations

import numpy as np

from kernellab.draw import style
from kernellab.draw.picture import Picture, picture
from kernellab.losses import hinge

SHARES = (0, 0.25, 0.5, 0.75, 1)
Z = np.linspace(-2, 3, 501)


def envelope() -> Picture:
    """Draw the lines a (1 − z) for some a from 0 to 1, and the hinge over the margin z.

    Taught in notebook 05.
    """
    figure = style.new_figure((7.2, 3.4))
    axes = figure.subplots()
    for a in SHARES:
        axes.plot(Z, a * (1 - Z), color=style.ACCENT, linewidth=style.THIN, linestyle="--")
        axes.text(Z[-1] + 0.05, a * (1 - Z[-1]), f"a = {a:g}", va="center", color=style.ACCENT)
    width = 1.6 * style.LINE
    axes.plot(Z, hinge.value(Z), color=style.INK, linewidth=width, label="hinge max(0, 1 − z)")
    axes.set(xlim=(Z[0], Z[-1]), ylim=(-2.2, 3.2), xlabel="margin z = y f(x)")
    axes.set_title("the hinge, and straight lines a (1 − z) through its kink")
    axes.legend(loc="upper right")
    return picture(
        figure,
        f"Lines a (1 − z) for a = {', '.join(f'{a:g}' for a in SHARES)} over the margin z from "
        "−2 to 3, all through (1, 0); their upper edge is the hinge.",
    )
