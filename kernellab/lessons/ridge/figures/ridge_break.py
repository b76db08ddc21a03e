"""Live figure of notebook 06: λ → 0, and what a solver says when K can no longer be inverted."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets
import numpy as np

from kernellab.draw import style
from kernellab.draw.over_lam import OverLam
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian
from kernellab.lessons.ridge.figures.regression_marks import Fit
from kernellab.lessons.ridge.figures.ridge_dial import make_wave, wave
from kernellab.live.coincide import one_place
from kernellab.live.explorer import WIDE, Explorer, choice
from kernellab.live.lam_dial import gamma_dial, words_for_gamma, words_for_lam
from kernellab.solvers.ridge import LamRaised, ridge, ridge_path, smallest_lam
from kernellab.validation import FloatArray

GRID = np.linspace(-0.5, 1.5, 201)
LAMS = 10.0 ** np.arange(-20, 1.5, 0.5)
ZERO = 0  # on the dial, below all λ
GAMMAS = (0.1, 1.0, 10.0, 50.0, 200.0)


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


SAMPLES: dict[str, Callable[[], tuple[FloatArray, FloatArray]]] = {
    "twelve examples": ordinary,
    "one place, two values": duplicates,
    "evenly spaced, no noise": evenly,
}


class RidgeBreak(Explorer):
    """λ down to nothing: the curve, the size of its weights, the condition, and the report.

    Taught in notebook 06.
    """

    presets: Mapping[str, Any] = {
        "well conditioned": {},
        "λ = 1e-10": {"lam": 21},
        "λ = 0": {"lam": ZERO},
        "λ = 0, wide kernel": {"lam": ZERO, "gamma": 0.1},
        "one place, two values": {"sample": "one place, two values", "lam": ZERO},
        "beyond the examples": {"sample": "evenly spaced, no noise", "lam": 21},
    }

    def __init__(self, sample: str = "twelve examples") -> None:
        self.sample = choice("examples", list(SAMPLES))
        self.sample.value = sample
        options = [("0", ZERO)] + [(words_for_lam(lam), k + 1) for k, lam in enumerate(LAMS)]
        self.lam = ipywidgets.SelectionSlider(
            options=options, value=len(LAMS) - 4, description="λ asked for", **WIDE
        )
        self.gamma = gamma_dial(GAMMAS, 10.0)
        figure = style.new_figure((9.6, 4.4))
        left, right = figure.subplots(1, 2, width_ratios=[1.15, 1])
        left.set(xlim=(-0.5, 1.5), ylim=(-3, 3), xlabel="x (drag the examples)", ylabel="y")
        self.fit = Fit(left)
        left.legend(
            handles=[self.fit.curve, self.fit.truth], ncols=2, loc="lower left", fontsize=9,
            bbox_to_anchor=(0, 0.99), borderaxespad=0.1,
        )  # fmt: skip
        looks = {
            "condition": (style.INK, "-"),
            "largest |coef|": (style.POSITIVE, "--"),
            "residual of plain LU": (style.NEGATIVE, "-."),
        }
        self.curves = OverLam(right, looks, (1e-20, 10.0), (1e-18, 1e20))
        self.curves.legend(columnspacing=0.9, handlelength=1.8)
        right.set_yticks([1e-16, 1e-8, 1.0, 1e8, 1e16])
        self.floor = right.axvline(np.nan, color=style.NEUTRAL, linewidth=style.LINE, zorder=0)
        self.note = left.text(
            0.03, 0.04, "", transform=left.transAxes, zorder=8, weight="bold",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 2},
        )  # fmt: skip
        self.titles = [moving_title(left, 26), moving_title(right, 26)]
        self._load()
        super().__init__(
            "Take λ to zero: who notices that K can no longer be inverted?",
            figure,
            [self.sample, self.lam, self.gamma],
            moving=[
                *self.fit.artists,
                *self.curves.artists,
                self.floor,
                self.note,
                *self.titles,
            ],
            axes=left,
            points=self.start,
            handles=[{"label": f"example {i + 1}", "color": style.INK} for i in range(12)],
        )

    def update(self, points: FloatArray) -> str:
        """Solve with the λ that is asked for, and listen."""
        if self.sample.value != self._loaded:
            self._load()
            self.live.place(points := self.start)
        x, y = points[:, 0], points[:, 1]
        kernel = Gaussian(self.gamma.value)
        K = kernel(x[:, np.newaxis])
        k = self.lam.value
        self.asked = 0.0 if k == ZERO else float(LAMS[k - 1])
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", LamRaised)
            machine = ridge(K, y, self.asked)
        self.raised = bool(said)
        self.used, self.lowest = machine.lam, smallest_lam(K)
        curve = kernel(GRID[:, np.newaxis], x[:, np.newaxis]) @ machine.coef
        self.note.set_text(f"λ raised to {self.used:.2g}" if self.raised else "")
        self.fit.show(
            GRID, np.clip(curve, -6, 6), examples=(x, y), fitted=y - machine.residuals,
            truth=wave(GRID),
        )  # fmt: skip
        self._curves(K, y)
        at = max(k - 1, 0)
        self.curves.show(LAMS, self.values, at)
        self.floor.set_xdata([self.lowest] * 2)
        self.largest = float(np.abs(machine.coef).max())
        self.condition = float(self.values["condition"][at])
        self.plain = float(self.values["residual of plain LU"][at])
        self.titles[0].set_text(f"largest weight {self.largest:.2g}")
        self.titles[1].set_text(f"condition {self.condition:.2g}")
        shared = one_place(x, y)
        return self._sentence(machine.degrees_of_freedom) + f"\n{shared}" * bool(shared)

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"A ridge fit to {self._loaded} with λ = {self.asked:.2g} asked for"
            + (f" and raised to {self.used:.2g}" if self.raised else "")
            + f"; its largest weight is {self.largest:.2g}. Right, over λ: the condition number of "
            f"K + λI, here {self.condition:.2g}; the largest weight; and the residual that a "
            f"plain LU solver leaves. A grey line marks λ = {self.lowest:.2g}, below "
            f"which double precision cannot tell K + λI from a singular matrix."
        )

    def _curves(self, K: FloatArray, y: FloatArray) -> None:
        """Compute at every λ what a plain solver makes of K + λI, without looking at it."""
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
        self.values = {
            "condition": np.minimum((values[-1] + LAMS) / smallest, 1e20),
            "largest |coef|": np.abs(path.coef).max(axis=1),
            "residual of plain LU": residual,
        }

    def _load(self) -> None:
        self._loaded = self.sample.value
        self.start = np.column_stack(SAMPLES[self._loaded]())

    def _sentence(self, freedom: float) -> str:
        if self.raised:
            report = (
                f"reported: λ is too small for double precision and was raised to {self.used:.3g}"
            )
        else:
            report = f"no complaint: λ is above n · eps · ‖K‖ = {self.lowest:.2g}"
        asked = "0" if self.asked == 0 else words_for_lam(self.asked)
        plain = f"residual {self.plain:.1g}, and no complaint"
        if np.isnan(self.plain):
            plain = "stops at a zero pivot"
        return (
            f"λ asked for = {asked}   γ = {words_for_gamma(self.gamma.value)}   degrees of freedom "
            f"{freedom:.2f} of 12\n{report}\n"
            f"condition {self.condition:.2g}   largest |coef| {self.largest:.2g}   a plain LU "
            f"solver at this λ: {plain}"
        )
