"""Live figure of notebook 02: costly mistakes on the rare class, and the ROC curve."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.plane import Limits, Points, ScoreField, Separator, plane
from kernellab.lessons.margin.theory.soft_margin import SoftMargin, soft_margin
from kernellab.live.controls import Ladder
from kernellab.live.declared import Figure
from kernellab.live.memoize import memoize
from kernellab.live.parameters import cost_words
from kernellab.validation import FloatArray

LIMITS: Limits = (-4.0, 4.0, -4.0, 4.0)
RATIOS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 16.0, 32.0)
N_RARE, N_COMMON = 10, 60
C_COMMON = 0.2
SHARE = N_RARE / (N_RARE + N_COMMON)
NO_LINE = 1e-4  # a shorter w has no direction that means anything


def rare_and_common(n_rare: int, n_common: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Draw points of a rare class +1 and of a common class −1; the rare ones come first."""
    rng = np.random.default_rng(seed)
    rare = rng.normal([1.1, 0.8], [0.9, 1.1], (n_rare, 2))
    common = rng.normal([-0.8, -0.4], [1.2, 1.1], (n_common, 2))
    X = np.clip(np.vstack([rare, common]), -3.9, 3.9)
    return X, np.repeat([1.0, -1.0], [n_rare, n_common])


RARE_AND_COMMON, Y = rare_and_common(N_RARE, N_COMMON, 5)
FRESH, FRESH_Y = rare_and_common(20 * N_RARE, 20 * N_COMMON, 6)


class ROC(NamedTuple):
    """Shares of −1 and of +1 above a falling threshold, shape (m,), and the area under them."""

    false_positive_rate: FloatArray
    true_positive_rate: FloatArray
    area: float


def roc_curve(scores: FloatArray, y: FloatArray) -> ROC:
    """Return the ROC curve of scores, shape (n,); ties take one step together (Fawcett 2006)."""
    order = np.argsort(-scores, kind="stable")
    scores, positive = scores[order], y[order] > 0
    last_of_score = np.append(scores[:-1] != scores[1:], True)
    found = np.append(0, np.cumsum(positive)[last_of_score]) / positive.sum()
    alarms = np.append(0, np.cumsum(~positive)[last_of_score]) / (~positive).sum()
    return ROC(alarms, found, float(np.trapezoid(found, alarms)))


def score(machine: SoftMargin) -> FloatArray:
    """Score the fresh points; where w is zero but for rounding, they are all the same."""
    if np.linalg.norm(machine.w) < NO_LINE:
        return np.full(len(FRESH), machine.b)
    return FRESH @ machine.w + machine.b


@memoize
def all_ratios(X: FloatArray) -> tuple[list[SoftMargin], FloatArray]:
    """Train for every ratio, each from the one before; return their false alarms, found, too."""
    machines: list[SoftMargin] = []
    for ratio in RATIOS:
        C = C_COMMON * np.where(Y > 0, ratio, 1.0)
        start = machines[-1].alpha if machines else None
        machines.append(soft_margin(X, Y, C, start=start, gap=1e-6))
    positive = np.array([score(machine) > 0 for machine in machines])
    rates = [positive[:, FRESH_Y < 0].mean(axis=1), positive[:, FRESH_Y > 0].mean(axis=1)]
    return machines, np.column_stack(rates)


class ClassWeights(Figure):
    """Let a mistake on the rare class cost more: the line moves, and works elsewhere on the ROC.

    The curve is drawn on 1400 points that were not used for training, with the same rare share.
    Taught in notebook 02.
    """

    question = "The rare class matters more. What does its price buy, and what does it cost?"
    answer = ("curve", "all", "now")
    size = (9.4, 4.4)
    ratio = Ladder("a mistake on +1 costs … times one on −1:", RATIOS, 1.0)
    grip_names = tuple(f"rare point {i + 1}" for i in range(N_RARE))
    grip_colour = style.POSITIVE
    presets = {
        "equal costs": {"ratio": 1.0},
        "three times the cost": {"ratio": 3.0},
        "six times: balanced": {"ratio": 6.0},
        "thirty-two times": {"ratio": 32.0},
        "the common class costs more": {"ratio": 0.25},
    }
    readout = (
        "found {found:.0f} of 100, false alarms {alarms:.0f} of 100   C₊ = {ratio} C₋   "
        "C₋: {minus}\nall errors {error:.1%}, balanced {balanced:.1%}   area {area:.3f}   {said}"
    )
    alt = (
        "Left: {n_rare} points of +1 among {n_common} of −1 and the line at C₊/C₋ = {ratio}. "
        "Right: its ROC curve on fresh points, area {area:.2f}; at threshold 0 it finds "
        "{recall:.0%} of +1 with {false_alarms:.0%} false alarms."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane, and the axes of the ROC curves."""
        left, right = figure.subplots(1, 2)
        plane(left, LIMITS)
        left.set_title("ten of +1 among sixty of −1")
        self.field = ScoreField(left, LIMITS)
        self.line = Separator(left, margins=True)
        self.line.words.set_y(0.94)  # above the points
        self.points = Points(left)
        right.plot([0, 1], [0, 1], color=style.NEUTRAL, linewidth=style.THIN, linestyle=":")
        (self.plain,) = right.plot(
            [], [], color=style.NEUTRAL, linestyle="--", linewidth=style.LINE,
            label="equal costs, every threshold",
        )  # fmt: skip
        (self.curve,) = right.plot(
            [], [], color=style.INK, linewidth=style.LINE, label="these costs, every threshold"
        )
        (self.all,) = right.plot(
            [], [], "o", color="white", markeredgecolor=style.INK, markersize=5,
            label="threshold 0, other costs",
        )  # fmt: skip
        (self.now,) = right.plot(
            [], [], "D", color=style.ACCENT, markersize=10, zorder=5, label="threshold 0"
        )
        right.set(
            xlim=(0, 1), ylim=(0, 1.02), xlabel="false alarms (share of −1)",
            ylabel="found (share of +1)", title="ROC curves on 1400 fresh points",
        )  # fmt: skip
        right.set_box_aspect(1.0)
        handles = [self.curve, self.plain, self.now, self.all]
        right.legend(handles=handles, loc="lower right", fontsize=9)
        return left

    def grips(self) -> FloatArray:
        """Return the rare points."""
        return RARE_AND_COMMON[:N_RARE]

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Solve for every ratio, and measure each machine on the fresh points."""
        X = np.vstack([points, RARE_AND_COMMON[N_RARE:]])
        machines, rates = all_ratios(X)
        k = RATIOS.index(self.ratio)
        self.svm = m = machines[k]
        self.roc = roc = roc_curve(score(m), FRESH_Y)
        plain = roc_curve(score(machines[RATIOS.index(1.0)]), FRESH_Y)
        alarms, recall = rates[k]
        w = np.zeros(2) if np.linalg.norm(m.w) < NO_LINE else m.w
        grid = np.linspace(-4, 4, 31)
        self.field.show(w[0] * grid + w[1] * grid[:, None] + m.b)
        self.line.show(w, m.b)
        self.points.show(X, Y, mistaken=m.margins <= 0)
        self.curve.set_data(roc.false_positive_rate, roc.true_positive_rate)
        self.plain.set_data(plain.false_positive_rate, plain.true_positive_rate)
        self.all.set_data(*rates.T)
        self.now.set_data([alarms], [recall])
        said = ""
        if not w.any():
            said = "w = 0: every point has the same score"
        elif recall == alarms:  # 0 % or 100 % of both
            said = f"every fresh point is called {'+1' if recall else '−1'}"
        return {
            "n_rare": N_RARE,
            "n_common": N_COMMON,
            "minus": cost_words(C_COMMON, len(Y)),
            "found": 100 * recall,
            "alarms": 100 * alarms,
            "recall": recall,
            "false_alarms": alarms,
            "error": SHARE * (1 - recall) + (1 - SHARE) * alarms,
            "balanced": (1 - recall + alarms) / 2,
            "area": roc.area,
            "said": said,
        }
