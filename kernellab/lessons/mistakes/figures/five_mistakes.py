"""Live figure of notebook 09: a published experiment, and each of its five mistakes on or off."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets.targets import GAMMAS, LINEAR_LAMS, TEST_SEED, bowl, make_bowl
from kernellab.draw import style
from kernellab.draw.curves import Curves, lowest
from kernellab.draw.picture import Picture, picture
from kernellab.draw.surface import SurfaceView
from kernellab.draw.title import moving_title
from kernellab.kernels import score_field
from kernellab.lessons.mistakes.ridge_experiment import (
    Errors,
    kernel_called_gaussian,
    ridge_errors,
    with_residuals,
)
from kernellab.live.controls import Button, Check, Ladder
from kernellab.live.figure import GRIP
from kernellab.live.memoize import memoize
from kernellab.live.parameters import gamma_with_sigma
from kernellab.live.strip import Panel, side_by_side
from kernellab.live.turning import TurnedFigure, tilt_slider, turn_slider
from kernellab.solvers.ridge import RidgePath, ridge_path
from kernellab.validation import FloatArray

SIDE = np.linspace(0, 1, 19)
SQUARE = np.stack(np.meshgrid(SIDE, SIDE), axis=-1)
TRUE = bowl(SQUARE.reshape(-1, 2)).reshape(len(SIDE), len(SIDE))
BOWL = np.dstack([SQUARE, TRUE])
WIRE = np.concatenate([BOWL[::6], BOWL.swapaxes(0, 1)[::6]])  # eight lines of the true bowl
LOW, HIGH = (0.0, 0.0, -0.3), (1.0, 1.0, 2.2)
X, Y = make_bowl()
DIALS = tuple(sorted({*GAMMAS, 7.0}))
HEIGHTS = (0.0, 0.45)  # (bottom, top): no error is higher, whatever the mistakes and γ
# In the order of the boxes: exhibits 4, 5, 6, 8 and 7.
MISTAKES = ("column", "lam_by_index", "not_squared", "by_position", "diagonal_only")
# In the order of the presets. Each mends one more, and is called after that one.
MENDS = ("column", "diagonal_only", "lam_by_index", "not_squared", "by_position")
MENDED = (
    "column mended", "surface mended too", "λ by index mended too", "distance mended too",
    "axis mended too",
)  # fmt: skip


@memoize
def errors_at(gamma: float, **mistakes: bool) -> Errors:
    """Return the errors at every λ, with these mistakes."""
    return ridge_errors((X, Y), make_bowl(seed=TEST_SEED), gamma, LINEAR_LAMS, **mistakes)


@memoize
def fit_all(gamma: float, *, not_squared: bool) -> RidgePath:
    """Fit the training data at every λ."""
    return ridge_path(kernel_called_gaussian(gamma, not_squared=not_squared)(X), Y, LINEAR_LAMS)


def width(gamma: float, figure: Any) -> str:
    """Write the γ of the kernel that is called Gaussian."""
    return f"{gamma:g}" if figure.not_squared else gamma_with_sigma(gamma, figure)


class FiveMistakes(TurnedFigure):
    """The published experiment: errors over its λ, and the surface it fitted.

    All five mistakes are made at first. Taught in notebook 09.
    """

    at_first = (*MISTAKES, "lam")
    question = "Five mistakes: mend one, and the smallest λ is best. Which one?"
    answer = ("curves",)
    size = (9.8, 4.1)
    column = Check("predictions as a column, (n, 1)", True)
    lam_by_index = Check("λ added where indices are equal", True)
    not_squared = Check("distance not squared", True)
    by_position = Check("errors drawn against the position", True)
    diagonal_only = Check("surface from its diagonal only", True)
    gamma = Ladder("γ", DIALS, 7.0, width)
    lam = Ladder("λ", LINEAR_LAMS, 1.0)
    turn, tilt = turn_slider(-125), tilt_slider(22)
    presets = {
        "as published": {},
        **{name: dict.fromkeys(MENDS[:k], False) for k, name in enumerate(MENDED, 1)},
        "no mistake, λ = 0.05": {**dict.fromkeys(MENDS, False), "lam": LINEAR_LAMS[0]},
        "the column alone, λ = 0.05": {**dict.fromkeys(MENDS[1:], False), "lam": LINEAR_LAMS[0]},
    }
    readout = (
        "error: training {train:.4f}, test {test:.4f}\n"
        "lowest test: {lowest:.4f} at λ = {best:g}{edge}   "
        "surface to bowl, root mean square: {off_square:.3f}"
    )
    alt = (
        "Mistakes made: {made}. Training and test error over λ = 0.05 … 5 at γ = {gamma:g}: "
        "{train:.4f} and {test:.4f} at λ = {lam:g}, test lowest at λ = {best:g} with {lowest:.4f}. "
        "The root mean square distance of the surface, {surface}, to the bowl is {off_square:.3f}, "
        "and {off_diagonal:.3f} on its diagonal."
    )

    @Button("all five", "make every mistake")
    def all_five(self) -> None:
        """Make every mistake."""
        for name in MISTAKES:
            setattr(self, name, True)

    @Button("none", "make no mistake")
    def none(self) -> None:
        """Make no mistake."""
        for name in MISTAKES:
            setattr(self, name, False)

    def build(self, figure: MplFigure) -> Axes:
        """Make the errors and the surface."""
        grid = figure.add_gridspec(1, 2, width_ratios=[1.15, 1])
        axes, space = figure.add_subplot(grid[0]), figure.add_subplot(grid[1])
        looks = {"training": (style.INK, "-"), "test": (style.POSITIVE, "--")}
        self.curves = Curves(axes, looks)
        self.curves.legend()
        self.curves.cursor.set_gid(GRIP)
        self.curves.dots.set_gid(GRIP)
        axes.set_ylabel("mean squared error, as computed")
        self.titles = [moving_title(axes, 26), moving_title(space)]
        self.key = axes
        self.stand_in(space)
        axes = self.build_grip(figure, grid[1])
        self.turns.set(backgroundcolor="white")
        return axes

    def stand_in(self, space: Axes) -> None:
        """Make the box of the surface, and the wire."""
        self.space = space
        self.surface = SurfaceView(space, LOW, HIGH, ("x₁", "x₂", "f"), (0, 1, 2))
        self.wire = LineCollection([], colors=style.INK, linewidths=0.9, zorder=5)
        space.add_collection(self.wire, autolim=False)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Fit at every λ with these mistakes, and draw errors and surface as published or not."""
        computed = {key: getattr(self, key) for key in ("not_squared", "lam_by_index", "column")}
        errors, k = errors_at(self.gamma, **computed), self.controls["lam"].index
        best = lowest(errors.test)
        self.show_errors(errors, k, best)
        made = [self.controls[key].description for key in MISTAKES if getattr(self, key)]
        return {
            **self.show_surface(),
            "made": "; ".join(made) or "none",
            "errors": errors,
            "train": errors.train[k],
            "test": errors.test[k],
            "lowest": errors.test[best],
            "best": LINEAR_LAMS[best],
            "best_position": best,
            "edge": " (grid's edge)" if best in (0, len(LINEAR_LAMS) - 1) else "",
            "surface": "its diagonal drawn for every x₂" if self.diagonal_only else "as fitted",
        }

    def show_errors(self, errors: Errors, k: int, best: int) -> None:
        """Draw both errors over λ, or over its position."""
        places, end, label = LINEAR_LAMS, 5.05, "λ"
        where = f"λ = {LINEAR_LAMS[best]:g}"
        if self.by_position:
            places = np.arange(float(len(LINEAR_LAMS)))  # as Matplotlib counts
            end, label, where = 100.0, "position in the list of λ, from 0", f"position {best}"
        self.curves.axes.set(xlim=(-end / 100, end), xlabel=label, ylim=HEIGHTS)
        values = {"training": errors.train, "test": errors.test}
        self.curves.show(places, values, places[k], star="test")
        self.titles[0].set_text(f"star: the lowest test error, at {where}")

    def show_surface(self) -> dict[str, Any]:
        """Draw the surface, or its diagonal; return how far they are from the truth."""
        kernel = kernel_called_gaussian(self.gamma, not_squared=self.not_squared)
        coef = fit_all(self.gamma, not_squared=self.not_squared).at(self.lam).coef[0]
        fitted: FloatArray = score_field(kernel, X, coef, SIDE, SIDE)
        fitted = np.diag(fitted) if self.diagonal_only else fitted
        if self.lam_by_index:
            fitted = with_residuals(fitted.ravel(), self.lam * coef).reshape(fitted.shape)
        fitted = np.broadcast_to(fitted, TRUE.shape)  # over all x₂
        difference, view = fitted - TRUE, self.show_view()
        self.wire.set_segments(list(self.surface._seen(WIRE, view)[..., :2]))
        measured = {} if self.diagonal_only else {
            "points": np.column_stack([X, Y]), "feet": Y - self.lam * coef,
        }  # fmt: skip
        self.surface.show(
            view, SIDE, SIDE, fitted, difference=difference, saturation=0.25, **measured
        )  # fmt: skip
        self.titles[1].set_text("blue: above the true bowl (wire), orange: below")
        return {
            "off_square": np.sqrt(np.mean(difference**2)),
            "off_diagonal": np.sqrt(np.mean(np.diag(difference) ** 2)),
        }


def as_published() -> Picture:
    """Return errors and surface with all five mistakes, and with the name that the axis had."""
    figure = FiveMistakes()
    figure.curves.axes.set_xlabel("λ")
    for later in figure.titles:
        later.set_visible(False)
    errors, surface = (figure.live.panel(axes) for axes in (figure.curves.axes, figure.space))
    curves = (
        "Both fall, then hardly change; the test error is above 0.3 everywhere, "
        "and lowest at 64 of its axis (star)."
    )
    return side_by_side([
        Panel("its errors at γ = 7 (our star: lowest test error)", errors, curves),
        Panel("blue above, orange below the bowl (wire)", surface, "Folds, nowhere a bowl."),
    ])  # fmt: skip


def surface_mended() -> Picture:
    """Return the surface after one mend, two, three and four."""
    mends = {
        "exhibit 7 mended (the whole square)": {"diagonal_only": False},
        "and 5 (no λ by index)": {"lam_by_index": False},
        "and 6 (the distance squared)": {"not_squared": False},
        "and λ = 0.05": {"lam": LINEAR_LAMS[0]},
    }
    page, off = style.new_figure((9.6, 7.2)), []
    made: dict[str, Any] = {}
    for axes, (name, mend) in zip(page.subplots(2, 2).flat, mends.items(), strict=True):
        figure = FiveMistakes(**(made := made | mend))
        figure.stand_in(axes)
        off.append(f"{name}: {figure.show_surface()['off_square']:.2f}")
        for measured in (*figure.surface.points.values(), figure.surface.stems):
            measured.set_visible(False)
        axes.set_title(name, loc="left")
    return picture(page, f"Root mean square distance of surface and bowl: {'; '.join(off)}.")
