"""Live figure of notebook 04: kernel Pegasos counts violations; and what slips in print count."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets import Dataset, make_contradiction, make_rings, make_xor
from kernellab.draw.bars import Stems
from kernellab.draw.contours import LevelLines
from kernellab.draw.curves import nice_limit
from kernellab.draw.plane import Limits, Points, ScoreField, plane
from kernellab.kernels import Gaussian, Kernel, Linear, Polynomial, score_field
from kernellab.lessons.mistakes.pegasos_slips import never_shrunk_pass, printed_pass
from kernellab.live.coincide import coincidence
from kernellab.live.controls import Choice, Ladder, Sample
from kernellab.live.declared import Figure
from kernellab.live.parameters import lam_and_C
from kernellab.live.readout import written
from kernellab.solvers.pegasos import kernel_pegasos
from kernellab.solving import Order, pass_orders
from kernellab.validation import FloatArray

LAMBDAS = (1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.3, 1.0, 2.0)
STEPS = (0, 1, 2, 3, 5, 10, 20, 40, 80, 160, 320, 640, 1280)
LIMITS: Limits = (-3.0, 3.0, -3.0, 3.0)
GRID = np.linspace(-3, 3, 61)

KERNELS: dict[str, Kernel] = {
    "Gaussian, σ = 1 (γ = 0.5)": Gaussian.from_bandwidth(1.0),
    "Gaussian, σ = 0.3 (γ = 5.6)": Gaussian.from_bandwidth(0.3),
    "(x·z + 2)²": Polynomial(2, 2.0),
    "x·z": Linear(),
}
SAMPLES = {
    "two rings": lambda: make_rings(40, 8, noise=0.2),
    "XOR": make_xor,
    "one point, two labels": make_contradiction,
}
RIGHT = "counts, 1/(λ(t − 1))"
LATE = "print: 1/(λt)"
OWN = "print: 1/(λt) and y_i for y_j"
FIXED = "print: 1/(λt) added, never shrunk"
CODES = (RIGHT, LATE, OWN, FIXED)


class KernelCounts(Figure):
    """Step through kernel Pegasos, or through what was printed; α counts the violations.

    No bias. Taught in notebook 04.
    """

    question = (
        "Who violates the margin, how often, and what becomes of it when the code has a slip?"
    )
    size = (9.4, 4.3)
    sample = Sample("data", SAMPLES, within=2.9)
    kernel = Choice("kernel", list(KERNELS))
    lam = Ladder("λ", LAMBDAS, 0.01, lam_and_C)
    t = Ladder("steps t", STEPS, 320)
    code = Choice("code", CODES)
    presets = {
        "rings, 10 steps": {"t": 10},
        "rings, 1280 steps": {"t": 1280},
        "rings, a line": {"kernel": "x·z"},
        "XOR": {"sample": "XOR"},
        "as printed, 1/(λt)": {"code": LATE},
        "as printed, never shrunk": {"code": FIXED},
    }
    readout = (
        "{code}: after {t} steps {counted}{violators} of {n} examples; wrong: {mistakes}\n"
        "P = {objective:.3g}{compared}   gap {gap:.2g}   counts differ by {differing:.0f}   "
        "{together}   λ = {lam:g}, C = {C:.3g}"
    )
    alt = (
        "Kernel Pegasos on {sample}, {n} examples, kernel {kernel}, λ = {lam:g}, C = {C:.3g}, "
        "after {t} steps, code: {code}. Left: the score with its lines −1, 0 and 1, wrong side: "
        "{mistakes}. Right: violations by example, {total:.0f} in all."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane, and the stems of α."""
        self.plane, self.dual = figure.subplots(1, 2)
        self.field = ScoreField(self.plane, LIMITS, saturation=1.5)
        self.lines = LevelLines(self.plane, (-1.0, 0.0, 1.0))
        self.points = Points(self.plane)
        self.stems = Stems(self.dual)
        self.plane.set_title("the score f, with f = −1, 0, 1")
        self.dual.set(ylabel="violations of it α", title="α: how often each example was too close")
        return self.plane

    def take(self, data: Dataset) -> None:
        """Take points, and the names of their coordinates."""
        super().take(data)
        plane(self.plane, LIMITS, data.feature_names)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Run the chosen code for t steps."""
        X, y, lam, t, code = self.X, self.y, self.lam, self.t, self.code
        n, kernel = len(y), KERNELS[self.kernel]
        K = kernel(X)
        order = np.concatenate(list(islice(pass_orders(n, 0), -(-max(t, 1) // n))))[:t]
        right, gap = counted(K, y, lam, order)
        alpha, coef = run(code, K, y, lam, order)
        mistaken = y * (K @ coef) <= 0

        field = score_field(kernel, X, coef, GRID, GRID)
        self.field.show(field)
        self.lines.show(GRID, GRID, field if field.any() else np.full_like(field, 0.5))
        self.points.show(X, y, weight=alpha, mistaken=mistaken)
        self.stems.show(alpha, y)
        self.dual.set(xlim=(-0.9, n - 0.1), ylim=(0, nice_limit(int(np.ceil(alpha.max())))))
        right_value = value(K, y, lam, right * y / (lam * max(t, 1)))
        return {
            "n": n,
            "alpha": alpha,
            "coef": coef,
            "total": alpha.sum(),
            "counted": "weight on " if code == FIXED else f"{alpha.sum():g} violations, by ",
            "violators": (alpha > 0).sum(),
            "mistakes": mistaken.sum(),
            "objective": value(K, y, lam, coef),
            "compared": written(", the right code's {:.3g}", right_value) * (code != RIGHT),
            "gap": gap if code == RIGHT else None,
            "differing": np.abs(alpha - right).sum() if code in (LATE, OWN) else None,
            "right_value": right_value,
            "together": coincidence(X, y, "no kernel tells them apart"),
            "C": 1 / (lam * n),
        }


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
