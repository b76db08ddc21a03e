"""Live figure of notebook 06: λ → 0, and what a solver says when K can no longer be inverted."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.curves import Curves
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian
from kernellab.lessons.ridge.figures.regression_marks import Fit, one_place
from kernellab.lessons.ridge.figures.ridge_dial import make_wave, wave
from kernellab.live.controls import Ladder, Sample
from kernellab.live.declared import Figure
from kernellab.live.memoize import memoize
from kernellab.live.parameters import gamma_with_sigma, ridge_lam
from kernellab.live.readout import written
from kernellab.solvers.ridge import LamRaised, ridge, ridge_path, smallest_lam
from kernellab.validation import FloatArray

GRID = np.linspace(-0.5, 1.5, 201)
LAMS = 10.0 ** np.arange(-20, 1.5, 0.5)
CONDITION, LARGEST, RESIDUAL = "condition", "largest |coef|", "residual"
LOOKS: dict[str, Any] = {
    CONDITION: (style.INK, "-"),
    LARGEST: (style.POSITIVE, "--"),
    RESIDUAL: (style.NEGATIVE, "-."),
}


def ordinary() -> tuple[FloatArray, FloatArray]:
    """Return twelve examples."""
    return make_wave(12, 5)


def duplicates() -> tuple[FloatArray, FloatArray]:
    """Return twelve examples, of which two have the same x and different y."""
    x, y = make_wave(12, 5)
    x[5], y[4], y[5] = x[4], y[4] - 0.4, y[4] + 0.4
    return x, y


def evenly() -> tuple[FloatArray, FloatArray]:
    """Return twelve examples without noise at equal distances."""
    x = np.linspace(0.02, 0.98, 12)
    return x, wave(x)


SAMPLES = {
    "twelve examples": ordinary,
    "one place, two values": duplicates,
    "evenly spaced, no noise": evenly,
}


@memoize
def unguarded(K: FloatArray, y: FloatArray) -> dict[str, FloatArray]:
    """Compute at every λ what solvers make of K + λI without looking at it, each of shape (L,)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = np.linalg.eigvalsh(K)
        path = ridge_path(K, y, LAMS)
        residual = np.empty(len(LAMS))
        for k, lam in enumerate(LAMS):
            A = K + lam * np.eye(len(y))
            try:
                coef = np.linalg.solve(A, y)
                residual[k] = np.abs(A @ coef - y).max()
            except np.linalg.LinAlgError:
                residual[k] = np.nan  # LU met a zero on its way
    smallest = np.maximum(np.abs(values[0] + LAMS), 1e-300)
    return {
        CONDITION: np.minimum((values[-1] + LAMS) / smallest, 1e20),
        LARGEST: np.abs(path.coef).max(axis=1),
        RESIDUAL: residual,
    }


class RidgeBreak(Figure):
    """λ down to nothing: the curve, the size of its weights, the condition, and the report.

    Taught in notebook 06.
    """

    question = "Take λ to zero: who notices that K can no longer be inverted?"
    answer = ("curves", "note")
    size = (9.6, 4.4)
    sample = Sample("examples", SAMPLES)
    lam = Ladder("λ asked for", (0.0, *LAMS), 0.1, ridge_lam)
    gamma = Ladder("γ", (0.1, 1.0, 10.0, 50.0, 200.0), 10.0, gamma_with_sigma)
    grip_names = tuple(f"example {i + 1}" for i in range(12))
    grip_colour = style.INK
    presets = {
        "well conditioned": {},
        "λ = 1e-10": {"lam": LAMS[20]},
        "λ = 0": {"lam": 0.0},
        "λ = 0, wide kernel": {"lam": 0.0, "gamma": 0.1},
        "one place, two values": {"sample": "one place, two values", "lam": 0.0},
        "beyond the examples": {"sample": "evenly spaced, no noise", "lam": 0.0},
    }
    readout = (
        "reported: λ raised to {raised:.3g}   "
        "no complaint: λ is above n · eps · ‖K‖ = {exceeded:.2g}   {together}\n"
        "condition {condition:.2g}   largest |coef| {largest:.2g}   plain LU: "
        "{plain_solver}"
    )
    alt = (
        "A ridge fit to {sample} with λ = {lam:.2g} asked for{raised_to}; its largest weight is "
        "{largest:.2g}. Right, over λ: the condition number of K + λI, here {condition:.2g}; the "
        "largest weight; and the residual that a plain LU solver leaves. A grey line marks λ = "
        "{lowest:.2g}, below which double precision cannot tell K + λI from a singular matrix."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the fit, and what is drawn over λ."""
        left, right = figure.subplots(1, 2, width_ratios=[1.15, 1])
        left.set(xlim=(-0.5, 1.5), ylim=(-3, 3), xlabel="x (drag the examples)", ylabel="y")
        self.fit = Fit(left)
        left.legend(
            handles=[self.fit.curve, self.fit.truth], ncols=2, loc="lower left", fontsize=9,
            bbox_to_anchor=(0, 0.99), borderaxespad=0.1,
        )  # fmt: skip
        self.curves = Curves(right, LOOKS)
        self.curves.legend(columnspacing=0.7, handlelength=1.3, handletextpad=0.4)
        right.set(
            xscale="log", yscale="log", xlim=(1e-20, 10.0), ylim=(1e-18, 1e20),
            xlabel="λ (log scale)",
        )  # fmt: skip
        right.set_yticks([1e-16, 1e-8, 1.0, 1e8, 1e16])
        self.floor = right.axvline(np.nan, color=style.NEUTRAL, linewidth=style.LINE, zorder=0)
        self.note = left.text(
            0.03, 0.04, "", transform=left.transAxes, zorder=8, weight="bold",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 2},
        )  # fmt: skip
        self.titles = [moving_title(left, 26), moving_title(right, 26)]
        return left

    def take(self, data: Any) -> None:
        """Take examples x and y."""
        self.X = np.column_stack(data)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Solve with the λ that is asked for, and listen."""
        x, y = points[:, 0], points[:, 1]
        kernel = Gaussian(self.gamma)
        K = kernel(x[:, np.newaxis])
        lowest = smallest_lam(K)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", LamRaised)
            machine = ridge(K, y, self.lam)
        curve = kernel(GRID[:, np.newaxis], x[:, np.newaxis]) @ machine.coef
        self.fit.show(
            GRID, np.clip(curve, -6, 6), examples=(x, y), fitted=y - machine.residuals,
            truth=wave(GRID),
        )  # fmt: skip
        raised_to = f" raised to {machine.lam:.2g}" if said else ""
        self.note.set_text("λ" + raised_to if said else "")
        values, at = unguarded(K, y), max(self.controls["lam"].index - 1, 0)
        self.curves.show(LAMS, values, LAMS[at])
        self.floor.set_xdata([lowest] * 2)
        largest, condition = np.abs(machine.coef).max(), values[CONDITION][at]
        residual = values[RESIDUAL][at]
        self.titles[0].set_text(f"largest weight {largest:.2g}")
        self.titles[1].set_text(f"condition {condition:.2g}")
        return {
            "raised": machine.lam if said else None,
            "raised_to": " and" * bool(said) + raised_to,
            "exceeded": None if said else lowest,
            "lowest": lowest,
            "freedom": machine.degrees_of_freedom,
            "condition": condition,
            "largest": largest,
            "residual": residual,
            "plain_solver": "stops at a zero pivot"
            if np.isnan(residual)
            else written("residual {:.1g}, no complaint", residual),
            "together": one_place(x, y),
        }
