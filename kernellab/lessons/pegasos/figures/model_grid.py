"""Live figure of notebook 04: 52 models on the rings, a cell each, and the boundary of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.patches import Rectangle

from kernellab.datasets import load_rings
from kernellab.draw import style
from kernellab.draw.contours import LevelLines
from kernellab.draw.plane import Limits, ScoreField, plane
from kernellab.kernels import score_field
from kernellab.lessons.pegasos.figures.heat_marks import SignMarks, frame, heat_map
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
from kernellab.live.controls import Choice
from kernellab.live.declared import Figure
from kernellab.live.parameters import lam_with_C
from kernellab.validation import FloatArray

LIMITS: Limits = (-3.0, 3.0, -3.0, 3.0)
GRID = np.linspace(-3, 3, 81)
N_TRAIN = 200
ORDER = sorted(LAMBDAS)
NAMES = [kernel_name(kernel) for kernel in KERNELS]
LAST = len(KERNELS) - 1  # the simplest kernel stands on top

CORNER = np.array([-0.42, 0.38])  # of the frame round a cell, where the grip is
PLACES = (CORNER[0], CORNER[0] + len(ORDER) - 1, CORNER[1], CORNER[1] + LAST)


class ModelGrid(Figure):
    """Go from model to model: its cell in the table of errors, its boundary on the training data.

    Taught in notebook 04.

    Parameters
    ----------
    trials : list of Trial, optional
        What `try_models` found; it is done again if not given.
    settings
        As for every figure.
    """

    question = "Which models draw the same circle, and which do not?"
    answer = ("field", "lines", "cells", "frames", "wrong")
    size = (9.8, 4.9)
    kernel = Choice(
        "kernel", {name: LAST - k for k, name in enumerate(NAMES)}, lambda figure: figure.first[0]
    )
    lam = Choice(
        "λ", {lam_with_C(lam, N_TRAIN): k for k, lam in enumerate(ORDER)},
        lambda figure: figure.first[1],
    )  # fmt: skip
    linked = ("kernel", "lam")
    limits = PLACES
    presets = {
        "(x·z + 1)², λ = 0.1": {},
        "the same, too much λ": {"lam": 3},
        "the same, weak λ": {"lam": 0},
        "a line, weak λ": {"kernel": LAST, "lam": 0},
        "degree 4, weak λ": {"kernel": LAST - 8, "lam": 0},
        "Gaussian, σ = 1, weak λ": {"kernel": 2, "lam": 0},
        "Gaussian, σ = 0.01, weak λ": {"kernel": 0, "lam": 0},
    }
    readout = (
        "{trial.model.name}, λ = {trial.model.lam:g}, C = {C:.3g}   training error "
        "{trial.train:.1%}   cross-validated {trial.validated:.1%} ± {trial.error_bar:.1%}\n"
        "after 10 passes: {support} support vectors of 200   gap {gap:.2g}"
    )
    alt = (
        "Left: cross-validated errors of 13 kernels with four λ, dashed frames round those within "
        "one standard error of the best. Right: the boundary of {trial.model.name} with λ = "
        "{trial.model.lam:g} on 200 points of two rings, + and −; cross-validated error "
        "{trial.validated:.1%}."
    )

    def __init__(self, trials: Sequence[Trial] | None = None, **settings: Any) -> None:
        data = load_rings()
        self.X, self.y = data.X[:N_TRAIN], data.y[:N_TRAIN]
        self.trials = list(trials or try_models(self.X, self.y, all_models()))
        self.first = cell(best(self.trials))
        super().__init__(**settings)

    def build(self, figure: MplFigure) -> Axes:
        """Make the table of errors, and the plane."""
        self.by_place = {cell(trial): trial for trial in self.trials}
        errors = np.full((len(KERNELS), len(ORDER)), np.nan)  # in per cent
        for at, trial in self.by_place.items():
            errors[at] = 100 * trial.validated
        table, right = figure.subplots(1, 2, width_ratios=[0.9, 1.1])
        columns = [f"λ = {lam:g}" for lam in ORDER]
        look: Any = {"top": 25.0, "fontsize": 9, "upward": True}
        self.cells = heat_map(table, errors, NAMES[::-1], columns, **look)
        if style.in_lecture():  # large type leaves no room to say it four times
            table.set_xticklabels([f"{lam:g}" for lam in ORDER])
            table.set_xlabel("λ")
        table.set_title("cross-validated, %; dashed: near the best")
        near = within_one_error(self.trials)
        self.frames = [frame(table, *cell(trial), dashed=True) for trial in near]
        self.box = table.add_patch(
            Rectangle(
                (0, 0), 0.94, 0.9, fill=False, edgecolor=style.ACCENT, linewidth=1.7 * style.LINE,
                zorder=5,
            )
        )  # fmt: skip
        plane(right, LIMITS)
        right.set_title("training points, f = −1, 0, 1")
        self.field = ScoreField(right, LIMITS)
        self.lines = LevelLines(right, (-1.0, 0.0, 1.0), zorder=3.5)
        self.marks = SignMarks(right)
        self.wrong = self.marks.wrong
        return table

    def grips(self) -> list[tuple[float, float]]:
        """Return the corner of the model's frame, so that its number can be read."""
        return [(self.lam + CORNER[0], self.kernel + CORNER[1])]

    def handles(self) -> list[dict[str, str]]:
        """Return the one handle, which an arrow key moves by a cell."""
        label = "the model: λ to the right, kernels up"
        return [{"label": label, "color": style.ACCENT, "step": "1"}]

    def read(self, points: FloatArray) -> tuple[int, int]:
        """Return the kernel and the λ of the cell whose frame has its corner at the grip."""
        column, row = np.clip(np.rint(points[0] - CORNER), 0, [len(ORDER) - 1, LAST])
        return int(row), int(column)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Show one of the models."""
        row, column = self.kernel, self.lam
        trial = self.by_place[row, column]
        self.box.set_xy((column - 0.47, row - 0.45))
        field = score_field(trial.model.kernel, self.X, trial.coef, GRID, GRID)
        scores = trial.model.kernel(self.X) @ trial.coef
        self.field.show(field)
        self.lines.show(GRID, GRID, field)
        self.marks.show(self.X, self.y, self.y * scores <= 0)
        return {
            "trial": trial,
            "C": 1 / (trial.model.lam * N_TRAIN),
            "support": (trial.coef != 0).sum(),
            "gap": abs(trial.gap),
        }


def cell(trial: Trial) -> tuple[int, int]:
    """Return row, counted from below, and column of a trial in the table."""
    return LAST - KERNELS.index(trial.model.kernel), ORDER.index(trial.model.lam)
