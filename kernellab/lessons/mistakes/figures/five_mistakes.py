"""Live figure of notebook 06: a published experiment, and each of its five mistakes on or off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import ipywidgets
import numpy as np

from kernellab.datasets.targets import TEST_SEED, bowl, make_bowl
from kernellab.draw import style
from kernellab.draw.over_lam import TEST, TRAIN, OverLam, lowest
from kernellab.draw.space import viewed_from
from kernellab.draw.surface import SurfaceView
from kernellab.draw.title import moving_title
from kernellab.kernels import score_field
from kernellab.lessons.mistakes.ridge_experiment import Errors, kernel_called_gaussian, ridge_errors
from kernellab.live.explorer import Explorer, button
from kernellab.live.lam_dial import GAMMAS, gamma_dial, lam_dial, words_for_gamma, words_for_lam
from kernellab.live.lam_dial import LINEAR_LAMS as GRID
from kernellab.live.turning import TurningGrip, turn_and_tilt
from kernellab.solvers.ridge import ridge_path
from kernellab.validation import FloatArray

SIDE = np.linspace(0, 1, 19)
SQUARE = np.stack(np.meshgrid(SIDE, SIDE), axis=-1)
TRUE = bowl(SQUARE.reshape(-1, 2)).reshape(len(SIDE), len(SIDE))
LOW, HIGH = (0.0, 0.0, -0.3), (1.0, 1.0, 2.2)
DIALS = tuple(sorted({*GAMMAS, 7.0}))
# (bottom, top) of the errors that a reader has to see, without and with the broadcast.
HEIGHTS = {False: (0.0, 0.14), True: (0.2, 0.45)}
NAMES = {
    "not_squared": "1 · distance not squared",
    "lam_by_index": "2 · λ where indices are equal",
    "by_position": "3 · drawn against the position",
    "diagonal_only": "4 · surface on the diagonal only",
    "column": "5 · (n,) minus (n, 1)",
}


class Best(NamedTuple):
    """The lowest test error of the whole search, as it is measured, and where it is."""

    error: float
    gamma: float
    lam: float


class FiveMistakes(Explorer):
    """The published experiment: errors over its λ, and the surface it fitted.

    Taught in notebook 06.

    Parameters
    ----------
    mistakes
        Which of ``NAMES`` are made at first: all of them unless said.
    """

    presets: Mapping[str, Any] = {
        "as published": {},
        "no mistake": {key: False for key in NAMES},
        **{f"only {NAMES[one][0]}": {key: key == one for key in NAMES} for one in NAMES},
    }

    def __init__(self, mistakes: tuple[str, ...] = tuple(NAMES)) -> None:
        self.switches = {
            key: ipywidgets.Checkbox(
                value=key in mistakes, description=name, indent=False,
                layout={"width": "auto", "margin": "0 14px 0 0"},
            )
            for key, name in NAMES.items()
        }  # fmt: skip
        self.gamma = gamma_dial(DIALS, 7.0)
        self.lam = lam_dial(GRID, 1.0)
        self.turn, self.tilt = turn_and_tilt(-125, 22)
        figure = style.new_figure((9.8, 4.6))
        grid = figure.add_gridspec(1, 2, width_ratios=[1.15, 1])
        axes, space = figure.add_subplot(grid[0]), figure.add_subplot(grid[1])
        looks = {TRAIN: (style.INK, "-"), TEST: (style.POSITIVE, "--")}
        self.curves = OverLam(axes, looks, GRID, (0.0, 1.0), log=False)
        self.curves.legend()
        axes.set_ylabel("mean squared error, as computed")
        self.titles = [moving_title(axes, 26), moving_title(space)]
        self.surface = SurfaceView(space, LOW, HIGH, ("x₁", "x₂", "f"), (0, 1, 2))
        self.grip = TurningGrip(figure, grid[1], self.turn, self.tilt)
        self.train, self.test = make_bowl(), make_bowl(seed=TEST_SEED)
        self._known: dict[tuple[object, ...], Errors] = {}
        super().__init__(
            "Five mistakes: which of them decides what the experiment concludes?",
            figure,
            [
                *self.switches.values(), self.gamma, self.lam, self.turn, self.tilt,
                button("all five", lambda: self.switch_all(True), tooltip="make every mistake"),
                button("none", lambda: self.switch_all(False), tooltip="make no mistake"),
            ],
            moving=[
                *self.curves.artists, *self.surface.artists, *self.grip.artists, *self.titles,
            ],
            axes=self.grip.axes,
            points=[self.grip.view],
            handles=[self.grip.handle],
        )  # fmt: skip

    def switch_all(self, on: bool) -> None:
        """Make all five mistakes, or none."""
        for switch in self.switches.values():
            self.set_quietly(switch, on)
        self.live.redraw(sharp=True)

    def made(self, key: str) -> bool:
        """Whether a mistake is made."""
        return bool(self.switches[key].value)

    def update(self, points: FloatArray) -> str:
        """Fit at every λ with these mistakes, and draw errors and surface as published or not."""
        self.grip.follow(self, points[0])
        k, gamma = self.lam.value, self.gamma.value
        self.errors = self._errors(gamma)
        self.best = lowest(self.errors.test)
        self._draw_errors(k)
        self._draw_surface(gamma, GRID[k])
        self.overall = self._search()
        return self._sentence(k, gamma)

    def describe(self) -> str:
        """Return the alternative text."""
        made = [name for key, name in NAMES.items() if self.made(key)]
        k = self.lam.value
        return (
            f"Mistakes made: {'; '.join(made) or 'none'}. Training and test error over λ = 0.05 … "
            f"5 at γ = {self.gamma.value:g}: {self.errors.train[k]:.4f} and "
            f"{self.errors.test[k]:.4f} at λ = {GRID[k]:g}, test lowest at λ = "
            f"{GRID[self.best]:g} with {self.errors.test[self.best]:.4f}. Right: "
            + ("the diagonal of the" if self.made("diagonal_only") else "the")
            + f" fitted surface, on average {self.off_square:.3f} from the true one over the "
            f"square, {self.off_diagonal:.3f} on its diagonal."
        )

    # --- how it does it ------------------------------------------------------------------------

    def _errors(self, gamma: float) -> Errors:
        switches = {key: self.made(key) for key in ("not_squared", "lam_by_index", "column")}
        problem = (gamma, *switches.values())
        if problem not in self._known:
            self._known[problem] = ridge_errors(self.train, self.test, gamma, GRID, **switches)
        return self._known[problem]

    def _search(self) -> Best:
        """Look for the lowest test error over the γ and λ of the publication."""
        found = [(errors := self._errors(g).test)[k := lowest(errors)] for g in GAMMAS]
        j = int(np.argmin(found))
        k = lowest(self._errors(GAMMAS[j]).test)
        return Best(float(found[j]), GAMMAS[j], float(GRID[k]))

    def _draw_errors(self, k: int) -> None:
        by_position = self.made("by_position")
        places = np.arange(1.0, len(GRID) + 1) if by_position else GRID
        label = "position in the list of λ" if by_position else "λ"
        self.curves.scale("linear", (0.0, 101.0 if by_position else 5.05), label)
        self.curves.axes.set_ylim(HEIGHTS[self.made("column")])
        values = {TRAIN: self.errors.train, TEST: self.errors.test}
        self.curves.show(places, values, k, star=(TEST, self.best))
        where = f"position {self.best + 1}" if by_position else f"λ = {GRID[self.best]:g}"
        self.titles[0].set_text(f"test error lowest at {where}")

    def _draw_surface(self, gamma: float, lam: float) -> None:
        kernel = kernel_called_gaussian(gamma, not_squared=self.made("not_squared"))
        X, y = self.train
        coef = self._coef(gamma, lam)
        fitted = score_field(kernel, X, coef, SIDE, SIDE)
        difference = fitted - TRUE
        self.off_square = float(np.sqrt(np.mean(difference**2)))
        self.off_diagonal = float(np.sqrt(np.mean(np.diag(difference) ** 2)))
        view = viewed_from(*self.grip.view)
        if self.made("diagonal_only"):
            curve = np.column_stack([SIDE, SIDE, np.diag(fitted)])
            self.surface.show(view, SIDE, SIDE, None, curve=curve)
            self.titles[1].set_text("fit, where x₁ = x₂ and nowhere else")
        else:
            points = np.column_stack([X, y])
            feet = y - lam * coef
            self.surface.show(
                view, SIDE, SIDE, fitted, difference=difference, saturation=0.25,
                points=points, feet=feet,
            )  # fmt: skip
            self.titles[1].set_text("fit: blue above, dark mesh below the truth")

    def _coef(self, gamma: float, lam: float) -> FloatArray:
        problem = (gamma, self.made("not_squared"))
        if getattr(self, "_path_of", None) != problem:
            self._path_of = problem
            kernel = kernel_called_gaussian(gamma, not_squared=problem[1])
            self._path = ridge_path(kernel(self.train[0]), self.train[1], GRID)
        return self._path.at(lam).coef[0]

    def _sentence(self, k: int, gamma: float) -> str:
        best = self.best
        edge = " (the edge of the grid)" if best in (0, len(GRID) - 1) else ""
        width = f"γ = {gamma:g}" if self.made("not_squared") else f"γ = {words_for_gamma(gamma)}"
        return (
            f"λ = {words_for_lam(GRID[k])}, position {k + 1}   {width}   error: training "
            f"{self.errors.train[k]:.4f}, test {self.errors.test[k]:.4f}\n"
            f"lowest test error of this curve: {self.errors.test[best]:.4f} at λ = "
            f"{GRID[best]:g}{edge}, position {best + 1}\n"
            f"of all eight γ: {self.overall.error:.4f} at λ = {self.overall.lam:g}, γ = "
            f"{self.overall.gamma:g}\ndistance from the truth: on the diagonal "
            f"{self.off_diagonal:.3f}, over the square {self.off_square:.3f}"
        )
