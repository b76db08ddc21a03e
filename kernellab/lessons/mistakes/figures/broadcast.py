"""Live figure of notebook 06: the broadcast microscope. One missing axis makes n × n residuals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets
import numpy as np

from kernellab.datasets.targets import TEST_SEED, make_bowl
from kernellab.draw import style
from kernellab.draw.over_lam import OverLam, lowest
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian
from kernellab.lessons.mistakes.figures.residuals_marks import (
    REACH,
    Lens,
    ResidualMatrix,
    Waterfall,
)
from kernellab.lessons.mistakes.ridge_experiment import error_terms, mean_squared_error
from kernellab.live.explorer import Explorer, choice
from kernellab.live.lam_dial import GAMMAS, gamma_dial, lam_dial, words_for_gamma, words_for_lam
from kernellab.live.lam_dial import LINEAR_LAMS as GRID
from kernellab.solvers.ridge import ridge_path
from kernellab.validation import FloatArray

N = 100
LAMS = np.unique(np.concatenate([10.0 ** (np.arange(-32, 11) / 8), [0.01, 0.05, 1.0, 5.0]]))
VECTOR, COLUMN = "(n,): a list", "(n, 1): a column"
HEIGHTS = {VECTOR: (0.0, 0.16), COLUMN: (0.2, 0.45)}
NAMES = ("Var y", "Var ŷ", "(ȳ − mean ŷ)²", "−2 Cov(y, ŷ)")


class BroadcastMicroscope(Explorer):
    """All differences of n targets and n predictions, of which only the diagonal means anything.

    Test data of the published experiment, fitted without any other mistake. Drag the lens, or Tab
    to it and use the arrow keys. Taught in notebook 06.

    Parameters
    ----------
    column
        Whether predictions have shape (n, 1) first.
    """

    presets: Mapping[str, Any] = {
        "n residuals": {"shape": VECTOR},
        "n × n residuals": {"shape": COLUMN},
        "n × n, not sorted": {"shape": COLUMN, "order": "drawing"},
        "shuffled, n": {"shape": VECTOR, "shuffled": True},
        "shuffled, n × n": {"shape": COLUMN, "shuffled": True},
        "n × n, much λ": {"shape": COLUMN, "lam": 32},
    }

    def __init__(self, *, column: bool = False) -> None:
        self.shape = choice("ŷ has shape", [VECTOR, COLUMN])
        self.shape.value = COLUMN if column else VECTOR
        self.order = choice("examples in order of", ["target", "drawing"])
        self.shuffled = ipywidgets.Checkbox(
            value=False, description="shuffle the predictions", indent=False,
            layout={"width": "auto"},
        )  # fmt: skip
        self.lam = lam_dial(LAMS, 0.05)
        self.gamma = gamma_dial(GAMMAS, 8.0)
        figure = style.new_figure((10.4, 5.9))
        axes = figure.subplot_mosaic(
            [["matrix", "lens", "terms"], ["matrix", "curve", "curve"]],
            width_ratios=[1.4, 1.2, 1.0] if style.in_lecture() else [1.75, 0.95, 0.9],
            height_ratios=[1.2, 1],
        )
        self.matrix = ResidualMatrix(axes["matrix"], N)
        # Grips need an axis that grows upwards; rows are counted downwards.
        place: Any = axes["matrix"].get_subplotspec()
        pad = figure.add_subplot(place)
        pad.set(xlim=(0, N), ylim=(0, N))
        pad.set_axis_off()
        pad.spines[:].set_visible(False)
        pad.set_box_aspect(1.0)
        axes["matrix"].set_title(r"$y_j - \hat y_i$ of 100 test examples")
        self.lens = Lens(axes["lens"])
        axes["lens"].set_title("under the lens", pad=24 if style.in_lecture() else 18)
        self.terms = Waterfall(axes["terms"], NAMES, (-0.02, 0.75 if style.in_lecture() else 0.6))
        axes["terms"].set_title("what is added up")
        axes["terms"].set_xticks([0, 0.2, 0.4])
        look = {"error": (style.INK, "-")}
        self.curve = OverLam(axes["curve"], look, LAMS, (0.0, 1.0), log=False)
        axes["curve"].axvspan(GRID[0], GRID[-1], color="#ececec", zorder=0)
        axes["curve"].text(
            np.sqrt(GRID[0] * GRID[-1]), 0.97, "the λ that were tried", ha="center", va="top",
            transform=axes["curve"].get_xaxis_transform(), fontsize=9, color=style.NEUTRAL,
        )  # fmt: skip
        self.title = moving_title(axes["curve"])
        train, test = make_bowl(), make_bowl(seed=TEST_SEED)
        self.X, self.y = train
        self.X_test, self.y_test = test
        self._solved: tuple[object, ...] = ()
        super().__init__(
            "How many residuals do 100 examples have, and which λ is best?",
            figure,
            [self.shape, self.lam, self.gamma, self.order, self.shuffled],
            moving=[
                self.title,
                *(
                    artist
                    for mark in (self.matrix, self.lens, self.terms, self.curve)
                    for artist in mark.artists
                ),
            ],
            axes=pad,
            points=[(30.5, N - 30.5)],
            handles=[
                {"label": "the lens: right is target j, down prediction i", "color": style.ACCENT}
            ],
        )

    def update(self, points: FloatArray) -> str:
        """Predict at every λ, take differences as the shapes have it, and average their squares."""
        column = self.shape.value == COLUMN
        self._solve(column)
        k = self.lam.value
        y, predicted = self._ordered(self.y_now, self.predictions[k])
        residuals = y - predicted[:, np.newaxis]  # what NumPy makes of (n,) and (n, 1)
        counts = np.eye(N, dtype=bool) | column
        places = np.floor([N - points[0, 1], points[0, 0]]).astype(int)
        row, column_at = np.clip(places, REACH, N - REACH - 1)
        self.at = int(row), int(column_at)
        self.matrix.show(residuals, counts, self.at)
        self.lens.show(y, predicted, self.at, counts)
        self.mean_square = float(np.mean(residuals[counts] ** 2))
        self.parts = error_terms(y, predicted)
        self.terms.show([*self.parts[:3], None if column else self.parts[3]], self.mean_square)
        as_high = column or self.shuffled.value  # a shuffled prediction has errors as large
        self.curve.axes.set_ylim(HEIGHTS[COLUMN if as_high else VECTOR])
        words = "mean of n × n squares" if column else "mean of n squares"
        self.curve.axes.set_ylabel(words)
        self.best = lowest(self.errors)
        self.curve.show(LAMS, {"error": self.errors}, k, star=("error", self.best))
        self.title.set_text(f"“test error” lowest at λ = {LAMS[self.best]:.2g}")
        return self._sentence(y, predicted, column)

    def describe(self) -> str:
        """Return the alternative text."""
        column = self.shape.value == COLUMN
        lit = "all 10 000 entries count" if column else "only the 100 on the diagonal count"
        return (
            f"The 100 × 100 differences of targets and predictions: {lit}, mean square "
            f"{self.mean_square:.4f} at λ = {LAMS[self.lam.value]:.3g}, γ = {self.gamma.value:g}. "
            f"A lens shows 25 of them as numbers, round row {self.at[0] + 1}, column "
            f"{self.at[1] + 1}. Bars: Var y {self.parts[0]:.3f}, Var ŷ {self.parts[1]:.3f}, means "
            f"{self.parts[2]:.3f}, −2 Cov {self.parts[3]:.3f}"
            f"{' (left out)' if column else ''}. The curve over λ is lowest at "
            f"λ = {LAMS[self.best]:.3g}."
        ).replace("-", "−")

    def _solve(self, column: bool) -> None:
        """Predict and measure at every λ, unless nothing that counts has changed."""
        problem = (column, self.gamma.value, self.shuffled.value)
        if problem == self._solved:
            return
        self._solved = problem
        kernel = Gaussian(self.gamma.value)
        path = ridge_path(kernel(self.X), self.y, LAMS)
        self.predictions = path.coef @ kernel(self.X, self.X_test)
        self.freedom = path.degrees_of_freedom
        if self.shuffled.value:
            self.predictions = self.predictions[:, np.random.default_rng(6).permutation(N)]
        self.y_now = self.y_test
        shape = (len(LAMS), N, 1) if column else (len(LAMS), N)
        self.errors = np.array(
            [mean_squared_error(self.y_now, row) for row in self.predictions.reshape(shape)]
        )

    def _ordered(self, y: FloatArray, predicted: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Put both in the order of the targets, so that the eye finds its way in the matrix."""
        if self.order.value == "drawing":
            return y, predicted
        by_target = np.argsort(y)
        return y[by_target], predicted[by_target]

    def _sentence(self, y: FloatArray, predicted: FloatArray, column: bool) -> str:
        k, (i, j) = self.lam.value, self.at
        shapes = "(100,) − (100, 1) → (100, 100)" if column else "(100,) − (100,) → (100,)"
        value = y[j] - predicted[i]
        whose = f"example {i + 1}" if i == j else f"of target {j + 1} and prediction {i + 1}"
        own = "its residual" if i == j else "nobody's residual"
        return (
            f"λ = {words_for_lam(LAMS[k])}   γ = {words_for_gamma(self.gamma.value)}   "
            f"degrees of freedom {self.freedom[k]:.1f}\n"
            f"y − ŷ: {shapes}   mean square {self.mean_square:.4f}   lowest of the curve: "
            f"{self.errors[self.best]:.4f} at λ = {LAMS[self.best]:.3g}\n"
            f"middle of the lens: {value:.3f}, {whose}: {own}"
        ).replace("-", "−")
