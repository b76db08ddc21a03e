"""Live figure of notebook 04: kernel Pegasos counts violations; and what slips in print count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

import ipywidgets
import numpy as np

from kernellab.datasets import Dataset, make_contradiction, make_rings, make_xor
from kernellab.draw import style
from kernellab.draw.bars import Stems
from kernellab.draw.contours import LevelLines
from kernellab.draw.curves import nice_limit
from kernellab.draw.plane import Points, ScoreField, plane
from kernellab.kernels import Gaussian, Kernel, Linear, Polynomial, score_field
from kernellab.lessons.mistakes.pegasos_slips import never_shrunk_pass, printed_pass
from kernellab.lessons.pegasos.figures.stepper import lam_options, lam_slider
from kernellab.live.coincide import coincidence
from kernellab.live.explorer import WIDE, Explorer, choice, class_handles
from kernellab.solvers.pegasos import kernel_pegasos
from kernellab.solving import Order, pass_orders
from kernellab.validation import FloatArray

LAMBDAS = (1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.3, 1.0, 2.0)
STEPS = (0, 1, 2, 3, 5, 10, 20, 40, 80, 160, 320, 640, 1280)
LIMITS = (-3.0, 3.0, -3.0, 3.0)
GRID = np.linspace(-3, 3, 61)

KERNELS: dict[str, Kernel] = {
    "Gaussian, σ = 1 (γ = 0.5)": Gaussian.from_bandwidth(1.0),
    "Gaussian, σ = 0.3 (γ = 5.6)": Gaussian.from_bandwidth(0.3),
    "(x·z + 2)²": Polynomial(2, 2.0),
    "x·z": Linear(),
}
SAMPLES: dict[str, Callable[[], Dataset]] = {
    "two rings": lambda: make_rings(40, 8, noise=0.2),
    "XOR": make_xor,
    "one point, two labels": make_contradiction,
}
RIGHT = "counts, 1/(λ(t − 1))"
LATE = "print: 1/(λt)"
OWN = "print: 1/(λt) and y_i for y_j"
FIXED = "print: 1/(λt) added, never shrunk"
CODES = (RIGHT, LATE, OWN, FIXED)


class KernelCounts(Explorer):
    """Step through kernel Pegasos, or through what was printed; α counts the violations.

    No bias. Taught in notebook 04.

    Parameters
    ----------
    sample, kernel, code
        Names in ``SAMPLES``, ``KERNELS`` and ``CODES``: what is shown first.
    lam
        One of ``LAMBDAS``.
    """

    presets: Mapping[str, Any] = {
        "rings, 10 steps": {"t": 10},
        "rings, 1280 steps": {"t": 1280},
        "rings, a line": {"kernel": "x·z"},
        "XOR": {"sample": "XOR"},
        "as printed, 1/(λt)": {"code": CODES[1]},
        "as printed, never shrunk": {"code": CODES[3]},
    }

    X: FloatArray
    y: FloatArray

    def __init__(
        self,
        sample: str = "two rings",
        kernel: str = "Gaussian, σ = 1 (γ = 0.5)",
        code: str = RIGHT,
        *,
        lam: float = 0.01,
    ) -> None:
        self.sample = choice("data", list(SAMPLES))
        self.sample.value = sample
        self.kernel = choice("kernel", list(KERNELS))
        self.kernel.value = kernel
        self.code = choice("code", CODES)
        self.code.value = code
        self.t = ipywidgets.SelectionSlider(options=STEPS, value=320, description="steps t", **WIDE)
        figure = style.new_figure((9.4, 4.3))
        self.plane, self.dual = figure.subplots(1, 2)
        self.field = ScoreField(self.plane, LIMITS, saturation=1.5)
        self.lines = LevelLines(self.plane, (-1.0, 0.0, 1.0))
        self.points = Points(self.plane)
        self.stems = Stems(self.dual)
        self.dual.set(ylabel="violations of it α", title="α: how often each example was too close")
        self._load()
        self.lam = lam_slider(len(self.y), lam, LAMBDAS)
        super().__init__(
            "Who violates the margin, how often, and what becomes of it when the code has a slip?",
            figure,
            [self.sample, self.kernel, self.lam, self.t, self.code],
            moving=[
                artist
                for mark in (self.field, self.lines, self.points, self.stems)
                for artist in mark.artists
            ],
            axes=self.plane,
            points=self.X,
            handles=self._handles(),
        )

    def update(self, points: FloatArray) -> str:
        """Run the chosen code for t steps."""
        if self.sample.value != self._loaded:
            self._load()
            self.offer(self.lam, lam_options(len(self.y), LAMBDAS))
            self.live.place(points := self.X, self._handles())
        self.X = points
        kernel, lam, t, y = KERNELS[self.kernel.value], self.lam.value, self.t.value, self.y
        K = kernel(self.X)
        order = np.concatenate(list(islice(pass_orders(len(y), 0), -(-max(t, 1) // len(y)))))[:t]
        self.right, self.gap = counted(K, y, lam, order)
        self.alpha, self.coef = run(self.code.value, K, y, lam, order)
        scores = K @ self.coef
        self.mistakes = int((y * scores <= 0).sum())
        field = score_field(kernel, self.X, self.coef, GRID, GRID)
        largest = np.abs(field).max()
        self.field.show(field)
        self.lines.show(GRID, GRID, field if largest > 0 else np.full_like(field, 0.5))
        self.points.show(self.X, y, weight=self.alpha, mistaken=y * scores <= 0)
        self.stems.show(self.alpha, y)
        self.dual.set(
            xlim=(-0.9, len(y) - 0.1), ylim=(0, nice_limit(int(np.ceil(self.alpha.max()))))
        )
        self.objective = value(K, y, lam, self.coef)
        self.objective_right = value(K, y, lam, self.right * y / (lam * max(t, 1)))
        return self._sentence(t)

    def describe(self) -> str:
        """Return the alternative text."""
        lam = self.lam.value
        return (
            f"Kernel Pegasos on {self._loaded}, {len(self.y)} examples, kernel "
            f"{self.kernel.value}, λ = {lam:g}, C = {1 / (lam * len(self.y)):.3g}, after "
            f"{self.t.value} steps, code: {self.code.value}. Left: the score with its lines −1, 0 "
            f"and 1, wrong side: {self.mistakes}. Right: violations by example, "
            f"{self.alpha.sum():.0f} in all."
        )

    def _sentence(self, t: int) -> str:
        n, lam = len(self.y), self.lam.value
        who = f"{int((self.alpha > 0).sum())} of {n} examples"
        count = (
            f"weight on {who}"
            if self.code.value == FIXED
            else (f"{self.alpha.sum():g} violations, by {who}")
        )
        told = f"{self.code.value}: after {t} steps {count}; wrong: {self.mistakes}"
        if self.code.value == RIGHT:
            more = f"P = {self.objective:.3g}   gap {self.gap:.2g}"
        else:
            other = int(np.abs(self.alpha - self.right).sum()) if self.code.value != FIXED else None
            more = f"P = {self.objective:.3g}, the right code's {self.objective_right:.3g}"
            if other is not None:
                more += f"   counts differ by {other}"
        noted = coincidence(self.X, self.y, "no kernel tells them apart")
        more += f"   {noted}" * bool(noted)
        return f"{told}\n{more}   λ = {lam:g}, C = {1 / (lam * n):.3g}"

    def _load(self) -> None:
        data = SAMPLES[self.sample.value]()
        self._loaded = self.sample.value
        self.X, self.y = np.clip(data.X, -2.9, 2.9), data.y
        plane(self.plane, LIMITS, data.feature_names)
        self.plane.set_title("the score f, with f = −1, 0, 1")

    def _handles(self) -> list[dict[str, str]]:
        return class_handles(self.y)


def counted(K: FloatArray, y: FloatArray, lam: float, order: Order) -> tuple[FloatArray, float]:
    """Return the counts of kernel Pegasos after an order, and its duality gap."""
    *_, state = kernel_pegasos(K, y, lam, orders=[order] if len(order) else [])
    return state.alpha.copy(), state.gap


def run(
    code: str, K: FloatArray, y: FloatArray, lam: float, order: Order
) -> tuple[FloatArray, FloatArray]:
    """Return counts of violations and signed weights after an order, of right or wrong code."""
    steps = max(len(order), 1)
    if code == FIXED:
        coef, scores = np.zeros((2, len(y)))
        never_shrunk_pass(K, y, lam, coef, scores, order, 0)
        return np.abs(coef) * lam * steps, coef  # in units in which a count would be one
    if code == RIGHT:
        alpha, _ = counted(K, y, lam, order)
    else:
        alpha = np.zeros(len(y))
        printed_pass(K, y, lam, alpha, order, 0, True, code == OWN)
    return alpha, alpha * y / (lam * steps)


def value(K: FloatArray, y: FloatArray, lam: float, coef: FloatArray) -> float:
    """Return the objective λ/2‖w‖² + mean hinge."""
    scores = K @ coef
    return float(lam / 2 * coef @ scores + np.maximum(0, 1 - y * scores).mean())
