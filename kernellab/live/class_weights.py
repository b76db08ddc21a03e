"""Live figure of notebook 02: dear mistakes on the rare class, and the ROC curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets
import numpy as np

from kernellab.draw import style
from kernellab.draw.margin import SupportPoints
from kernellab.draw.over_c import both
from kernellab.draw.plane import Limits, ScoreField, Separator, plane
from kernellab.draw.roc import ROCPlot
from kernellab.live.explorer import WIDE, Explorer
from kernellab.roc import ROC, roc_curve
from kernellab.soft_margin import SoftMargin, soft_margin
from kernellab.validation import FloatArray

LIMITS: Limits = (-4.0, 4.0, -4.0, 4.0)
RATIOS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 16.0, 32.0)
N_RARE, N_COMMON = 10, 60
C_COMMON = 0.2
NO_LINE = 1e-4  # a shorter w has no direction that means anything


def rare_and_common(n_rare: int, n_common: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Draw points of a rare class +1 and of a common class −1; the rare ones come first."""
    rng = np.random.default_rng(seed)
    rare = rng.normal([1.1, 0.8], [0.9, 1.1], (n_rare, 2))
    common = rng.normal([-0.8, -0.4], [1.2, 1.1], (n_common, 2))
    X = np.clip(np.vstack([rare, common]), -3.9, 3.9)
    return X, np.repeat([1.0, -1.0], [n_rare, n_common])


class WeightExplorer(Explorer):
    """Let a mistake on the rare class cost more: the line moves, and works elsewhere on the ROC.

    The curve is drawn on 1400 points that were not used for training, with the same rare share.
    Taught in notebook 02.

    Parameters
    ----------
    ratio
        C₊/C₋ at first, one of ``RATIOS``.
    """

    presets: Mapping[str, Any] = {
        "equal costs": {"ratio": 1.0},
        "3 times the cost": {"ratio": 3.0},
        "6 times: balanced": {"ratio": 6.0},
        "32 times": {"ratio": 32.0},
        "the common class dearer": {"ratio": 0.25},
    }

    def __init__(self, ratio: float = 1.0) -> None:
        self.X, self.y = rare_and_common(N_RARE, N_COMMON, 5)
        self.fresh, self.fresh_y = rare_and_common(20 * N_RARE, 20 * N_COMMON, 6)
        self._solved = b""
        self.ratio = ratio_slider(len(self.y), ratio)
        figure = style.new_figure((9.4, 4.4))
        left, right = figure.subplots(1, 2)
        plane(left, LIMITS)
        left.set_title("the dearer +1 is, the less slack it has")
        right.set_title("on fresh points: costs move along the curve")
        self.field = ScoreField(left, LIMITS)
        self.line = Separator(left, margins=True)
        self.line.words.set_y(0.94)  # above the points
        self.points = SupportPoints(left)
        self.roc = ROCPlot(right)
        super().__init__(
            "The rare class matters more. What does its price buy, and what does it cost?",
            figure,
            [self.ratio],
            moving=[
                artist
                for mark in (self.field, self.line, self.points, self.roc)
                for artist in mark.artists
            ],
            axes=left,
            points=self.X[:N_RARE],
            handles=[
                {"label": f"rare point {i + 1}", "color": style.POSITIVE} for i in range(N_RARE)
            ],
        )

    def update(self, points: FloatArray) -> str:
        """Solve for every ratio, and measure each machine on the fresh points."""
        self._solve_all(points)
        k = RATIOS.index(self.ratio.value)
        self.now = self.all[k]
        self.curve = self._roc(self.now)
        plain = self._roc(self.all[RATIOS.index(1.0)])
        self.alarms, self.found = self.works_at[k]
        grid = np.linspace(-4, 4, 31)
        m = self.now
        w = np.zeros(2) if np.linalg.norm(m.w) < NO_LINE else m.w
        self.field.show(w[0] * grid + w[1] * grid[:, None] + m.b)
        self.line.show(w, m.b)
        self.points.show(self.X, self.y, m.alpha, bounded=m.bounded, mistaken=m.margins <= 0)
        self.roc.show(
            (self.curve.false_positive_rate, self.curve.true_positive_rate),
            (plain.false_positive_rate, plain.true_positive_rate),
            self.works_at,
            self.works_at[k],
        )
        said = ""
        if not w.any():
            said = "   w = 0: every point has the same score"
        elif self.found == self.alarms:  # 0 % or 100 % of both
            said = f"   every fresh point is called {'+1' if self.found else '−1'}"
        share = N_RARE / (N_RARE + N_COMMON)
        error = share * (1 - self.found) + (1 - share) * self.alarms
        return (
            f"C₋: {both(C_COMMON, len(self.y))}   C₊ = {self.ratio.value:g} C₋: "
            f"{both(self.ratio.value * C_COMMON, len(self.y))}\n"
            f"found {self.found:.0%} of +1, false alarms {self.alarms:.0%} of −1   all errors "
            f"{error:.1%}, balanced {(1 - self.found + self.alarms) / 2:.1%}   area "
            f"{self.curve.area:.3f}{said}"
        )

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"Left: {N_RARE} points of +1 among {N_COMMON} of −1 and the line at C₊/C₋ = "
            f"{self.ratio.value:g}. Right: its ROC curve on fresh points, area "
            f"{self.curve.area:.2f}; at threshold 0 it finds {self.found:.0%} of +1 with "
            f"{self.alarms:.0%} false alarms."
        )

    def _roc(self, machine: SoftMargin) -> ROC:
        return roc_curve(self._scores(machine), self.fresh_y)

    def _scores(self, machine: SoftMargin) -> FloatArray:
        """Score the fresh points; where w is zero but for rounding, they are all the same."""
        if np.linalg.norm(machine.w) < NO_LINE:
            return np.full(len(self.fresh), machine.b)
        return self.fresh @ machine.w + machine.b

    def _solve_all(self, points: FloatArray) -> None:
        if points.tobytes() == self._solved:
            return
        self._solved = points.tobytes()
        self.X = np.vstack([points, self.X[N_RARE:]])
        self.all: list[SoftMargin] = []
        alpha = None
        for ratio in RATIOS:
            C = C_COMMON * np.where(self.y > 0, ratio, 1.0)
            self.all.append(soft_margin(self.X, self.y, C, start=alpha, gap=1e-6))
            alpha = self.all[-1].alpha
        self.works_at = np.array([self._rates(machine) for machine in self.all])

    def _rates(self, machine: SoftMargin) -> tuple[float, float]:
        said_plus = self._scores(machine) > 0
        rare = self.fresh_y > 0
        return float(said_plus[~rare].mean()), float(said_plus[rare].mean())


def ratio_slider(n: int, value: float) -> Any:
    """Make a slider over C₊/C₋ that shows both costs of n examples."""
    return ipywidgets.SelectionSlider(
        options=[(f"{ratio:g}", ratio) for ratio in RATIOS],
        value=value,
        description="a mistake on +1 costs … times one on −1:",
        style=WIDE["style"],
        layout={"width": "560px"},
    )
