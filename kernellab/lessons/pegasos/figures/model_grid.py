"""Live figure of notebook 04: 52 models on the rings, a cell each, and the boundary of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernellab.datasets import load_rings
from kernellab.draw import style
from kernellab.draw.contours import LevelLines
from kernellab.draw.plane import ScoreField, plane
from kernellab.kernels import score_field
from kernellab.lessons.pegasos.figures.heat_marks import Chosen, SignMarks, frame, heat_map
from kernellab.lessons.pegasos.theory.model_choice import (
    KERNELS,
    LAMBDAS,
    Trial,
    all_models,
    best,
    kernel_name,
    try_models,
    within_one_error,
)
from kernellab.live.explorer import Explorer, choice
from kernellab.validation import FloatArray

LIMITS = (-3.0, 3.0, -3.0, 3.0)
GRID = np.linspace(-3, 3, 81)
N_TRAIN = 200
ORDER = sorted(LAMBDAS)
LAST = len(KERNELS) - 1  # the simplest kernel stands on top


class ModelGrid(Explorer):
    """Go from model to model: its cell in the table of errors, its boundary on the training data.

    Taught in notebook 04.

    Parameters
    ----------
    trials : list of Trial, optional
        What `try_models` found; it is done again if not given.
    """

    presets: Mapping[str, Any] = {
        "the best": {},
        "a line": {"kernel": LAST},
        "degree 4, weak λ": {"kernel": LAST - 8, "lam": 0},
        "Gaussian, σ = 1": {"kernel": 2, "lam": 0},
        "Gaussian, σ = 0.01": {"kernel": 0, "lam": 0},
        "too much λ": {"lam": 3},
    }

    def __init__(self, trials: Sequence[Trial] | None = None) -> None:
        data = load_rings()
        self.X, self.y = data.X[:N_TRAIN], data.y[:N_TRAIN]
        self.trials = list(trials or try_models(self.X, self.y, all_models()))
        self.by_place = {self.place(trial): trial for trial in self.trials}
        start = self.place(best(self.trials))
        names = [kernel_name(kernel) for kernel in KERNELS]
        self.kernel = choice("kernel", {name: LAST - k for k, name in enumerate(names)})
        self.kernel.value = start[0]
        self.lam = choice(
            "λ", {f"{lam:g}  (C = {1 / (lam * N_TRAIN):.3g})": k for k, lam in enumerate(ORDER)}
        )
        self.lam.value = start[1]
        self._settings = self._grip = start
        figure = style.new_figure((9.8, 4.9))
        table, right = figure.subplots(1, 2, width_ratios=[0.9, 1.1])
        columns = [f"λ = {lam:g}" for lam in ORDER]
        heat_map(table, self.errors(), names[::-1], columns, top=25.0, fontsize=9, upward=True)
        if style.in_lecture():  # large type leaves no room to say it four times
            table.set_xticklabels([f"{lam:g}" for lam in ORDER])
            table.set_xlabel("λ")
        table.set_title("cross-validated error, %")
        for trial in within_one_error(self.trials):
            frame(table, *self.place(trial), dashed=True)
        self.box = Chosen(table)
        plane(right, LIMITS)
        right.set_title("training points, f = −1, 0, 1")
        self.field = ScoreField(right, LIMITS)
        self.lines = LevelLines(right, (-1.0, 0.0, 1.0), zorder=3.5)
        self.marks = SignMarks(right)
        super().__init__(
            "Which models draw the same circle, and which do not?",
            figure,
            [self.kernel, self.lam],
            moving=[
                *self.box.artists, *self.field.artists, *self.lines.artists, *self.marks.artists
            ],
            axes=table,
            points=[start[::-1]],
            handles=[
                {
                    "label": "the model: λ to the right, kernels up", "color": style.ACCENT,
                    "step": "1",
                }
            ],
        )  # fmt: skip

    @staticmethod
    def place(trial: Trial) -> tuple[int, int]:
        """Return row, counted from below, and column of a trial in the table."""
        return LAST - KERNELS.index(trial.model.kernel), ORDER.index(trial.model.lam)

    def errors(self) -> FloatArray:
        """Return the cross-validated errors in per cent, shape (13, 4)."""
        table = np.full((len(KERNELS), len(ORDER)), np.nan)
        for place, trial in self.by_place.items():
            table[place] = 100 * trial.validated
        return table

    def update(self, points: FloatArray) -> str:
        """Show the model under the grip, or the one that was chosen from the lists."""
        settings = (self.kernel.value, self.lam.value)
        column, row = np.rint(points[0]).astype(int)
        at = (int(np.clip(row, 0, LAST)), int(np.clip(column, 0, len(ORDER) - 1)))
        if settings != self._settings:
            at = settings
            self.live.place([at[::-1]])
        elif at != settings:
            self.set_quietly(self.kernel, at[0])
            self.set_quietly(self.lam, at[1])
        self._settings = at
        self.now = trial = self.by_place[at]
        self.box.show(*at)
        field = score_field(trial.model.kernel, self.X, trial.coef, GRID, GRID)
        scores = trial.model.kernel(self.X) @ trial.coef
        self.field.show(field)
        self.lines.show(GRID, GRID, field)
        self.marks.show(self.X, self.y, self.y * scores <= 0)
        support = int((trial.coef != 0).sum())
        lam = trial.model.lam
        return (
            f"{trial.model.name}, λ = {lam:g}, C = {1 / (lam * N_TRAIN):.3g}   training error "
            f"{trial.train:.1%}   cross-validated {trial.validated:.1%} ± {trial.error_bar:.1%}\n"
            f"after 10 passes: {support} support vectors of {N_TRAIN}   gap {abs(trial.gap):.2g}"
        )

    def describe(self) -> str:
        """Return the alternative text."""
        trial = self.now
        return (
            f"Left: cross-validated errors of 13 kernels with four λ, dashed frames round those "
            f"within one standard error of the best. Right: the boundary of {trial.model.name} "
            f"with λ = {trial.model.lam:g} on 200 points of two rings, + and −; cross-validated "
            f"error {trial.validated:.1%}."
        )
