"""One step of SMO on two examples: along the line on which Σ α y stays what it is."""

from __future__ import annotations

import numpy as np

from kernellab.draw import style
from kernellab.draw.picture import Picture, picture
from kernellab.lessons.sdca.figures.coordinate import DROPS
from kernellab.solvers.sdca import hinge_pass
from kernellab.solvers.smo import smo_step

K, Y, C = np.array([[1.0, 0.5], [0.5, 2.0]]), np.array([1.0, -1.0]), 1.5
START, LIMITS = 0.4, (-0.25, 2.0)


def two_at_a_time() -> Picture:
    """Draw a step of one α, which leaves the line α₁ = α₂, and a step of both along it.

    Two examples of opposite labels. Taught in notebook 05.
    """
    one, both = np.full(2, START), np.full(2, START)
    scores = K @ (Y * one)
    hinge_pass(K, Y, C, one, scores.copy(), np.array([0]))
    smo_step(K, Y, C, both, scores, 0, 1)

    figure = style.new_figure((9.6, 4.4))
    left, right = figure.subplots(1, 2, width_ratios=[1, 1.1])
    side = np.linspace(*LIMITS, 121)
    first, second = np.meshgrid(side, side)
    Q = K * np.outer(Y, Y)
    dual = (
        first + second - (Q[0, 0] * first**2 + Q[1, 1] * second**2) / 2 - Q[0, 1] * first * second
    )
    left.contour(
        side, side, dual, levels=[dual.max() - drop for drop in DROPS[::-1]],
        colors=[style.SCORES(0.8)], linewidths=0.8, linestyles="solid", zorder=1,
    )  # fmt: skip
    left.plot([0, C, C, 0, 0], [0, 0, C, C, 0], color=style.INK, linewidth=style.LINE)
    left.plot(LIMITS, LIMITS, "--", color=style.ACCENT, linewidth=style.LINE)
    for end, colour in ((one, style.NEUTRAL), (both, style.ACCENT)):
        left.annotate(
            "", end, (START, START), zorder=4,
            arrowprops={"color": colour, "width": 2, "headwidth": 9, "shrink": 0},
        )  # fmt: skip
    left.plot(START, START, "o", color=style.INK, markersize=8, zorder=5)
    left.text(one[0], one[1] - 0.06, "α₁ alone", ha="center", va="top", color=style.NEUTRAL)
    left.text(both[0] - 0.06, both[1] + 0.05, "both", ha="right", color=style.ACCENT)
    left.set(xlim=LIMITS, ylim=LIMITS, xlabel="α₁", ylabel="α₂", aspect="equal")
    left.set_title("labels +1 and −1, dashed: α₁ = α₂\nK₁₁ = 1, K₂₂ = 2, K₁₂ = ½, C = 1.5")

    along = 2 * side - (K[0, 0] + K[1, 1] - 2 * K[0, 1]) * side**2 / 2
    inside = (side >= 0) & (side <= C)
    right.plot(side, along, "--", color=style.NEUTRAL, linewidth=style.LINE)
    right.plot(side[inside], along[inside], color=style.INK, linewidth=1.5 * style.LINE)
    for a, colour in ((START, style.INK), (both[0], style.ACCENT)):
        right.plot(a, np.interp(a, side, along), "o", color=colour, markersize=9, zorder=5)
    right.set(xlim=LIMITS, ylim=(-0.6, 1.3), xlabel="α₁ = α₂", ylabel="D")
    right.set_title("D along the dashed line")
    return picture(
        figure,
        f"Left: level lines of the dual of two examples of opposite labels, and the line α₁ = α₂. "
        f"From ({START}, {START}) a step of α₁ alone goes to ({one[0]:.1f}, {one[1]:.1f}), off the "
        f"line; a step of both goes along it to ({both[0]:.1f}, {both[1]:.1f}). "
        "Right: the parabola along it.",
    )
