"""Live figure of notebook 06: ridge regression on ±1 as a classifier, beside the SVM."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.lines import Line2D

from kernellab.datasets import make_clouds
from kernellab.draw import style
from kernellab.draw.contours import level_curve
from kernellab.draw.margin import SupportPoints
from kernellab.draw.mark import Mark
from kernellab.draw.plane import ScoreField, plane
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Kernel, Polynomial, score_field
from kernellab.live.coincide import coincidence
from kernellab.live.controls import Choice, Ladder
from kernellab.live.declared import Figure, class_handles
from kernellab.live.parameters import cost_words
from kernellab.solvers.ridge import lam_from_c_form, ridge
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

LIMITS = (-6.0, 9.0, -7.5, 7.5)
X1, X2 = np.linspace(-6.0, 9.0, 61), np.linspace(-7.5, 7.5, 61)
COSTS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
CLOUDS = make_clouds(17, 3.6, 23)
FAR = np.array([(7.5, 0.5), (8.0, -1.0), (8.5, 1.0)])
X, Y = np.vstack([CLOUDS.X, FAR]), np.append(CLOUDS.y, np.ones(len(FAR)))
KERNELS: dict[str, Kernel] = {"x·z + 1": Polynomial(1, 1.0), "Gaussian, γ = 0.1": Gaussian(0.1)}
LEFT, RIGHT, TOP = -2.0, 4.0, 6.0  # of y f and of the losses


class RidgeOrSVM(Figure):
    """Two classifiers of the same functions and the same C, and two ideas of what is wrong.

    Ridge minimises ½‖w‖² + C Σ (y − f)², the SVM, without a bias, ½‖w‖² + C Σ max(0, 1 − y f).
    Taught in notebook 06.
    """

    question = "Can an example be too right?"
    answer = ("losses",)
    size = (9.6, 4.7)
    kind = Choice("kernel", list(KERNELS))
    cost = Ladder("C", COSTS, 1.0, lambda C, figure: f"{C:g} (λ = {1 / (C * len(Y)):.2g})")
    presets = {
        "far out": {},
        "small C": {"cost": 0.01},
        "large C": {"cost": 10.0},
        "Gaussian": {"kind": "Gaussian, γ = 0.1", "cost": 10.0},
    }
    readout = (
        "ridge: wrong {wrong[0]} of 20, all 20 weights nonzero, {punished} examples beyond y f = 1 "
        "make {for_being_right:.0%} of its loss\n"
        "SVM: wrong {wrong[1]} of 20, support vectors {support}, gap {gap:.1e}   {together}"
    )
    alt = (
        "Twenty points of two classes, some far on their own side, C = {cost:g}, kernel {kind}: "
        "the boundary of ridge regression on ±1 has {wrong[0]} mistakes, that of the SVM "
        "{wrong[1]} with {support} support vectors (ringed). Right: squared loss and hinge over "
        "y f; {punished} examples beyond 1 make {for_being_right:.0%} of ridge's loss."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane with both boundaries, and both losses."""
        left, right = figure.subplots(1, 2, width_ratios=[1.1, 1])
        plane(left, LIMITS)
        self.field = ScoreField(left, LIMITS)
        look: Any = {"linewidth": 1.3 * style.LINE, "zorder": 3}
        self.lines = [
            Line2D([], [], color=style.ACCENT, label="ridge", **look),
            Line2D([], [], color=style.INK, linestyle="--", label="SVM", **look),
        ]
        for line in self.lines:
            left.add_line(line)
        left.legend(
            handles=self.lines, ncols=2, loc="lower left", fontsize=9, bbox_to_anchor=(0, 0.99),
            borderaxespad=0.1,
        )  # fmt: skip
        self.points = SupportPoints(left)
        self.losses = TwoLosses(right)
        self.title = moving_title(left, 26)
        return left

    def grips(self) -> FloatArray:
        """Return the points."""
        return X

    def handles(self) -> list[dict[str, str]]:
        """Return a handle for each point, in the colour of its class."""
        return class_handles(Y, first=1)

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Train both on the points as they are."""
        C, kernel = self.cost, KERNELS[self.kind]
        K, lam = kernel(points), lam_from_c_form(C)
        svm = solve(smo(K, Y, C, bias=False), gap=1e-4, max_passes=10_000)
        weights = ridge(K, Y, lam).coef, svm.alpha * Y
        fields = [score_field(kernel, points, one, X1, X2) for one in weights]
        for line, field in zip(self.lines, fields, strict=True):
            line.set_data(*level_curve(X1, X2, field).T)
        self.field.show(fields[0])
        margins = z, of_svm = [Y * (K @ one) for one in weights]
        self.points.show(points, Y, svm.alpha, bounded=svm.alpha >= C * (1 - 1e-9), mistaken=z <= 0)
        self.losses.show(Y, z, of_svm)
        wrong = [int((one <= 0).sum()) for one in margins]
        self.title.set_text(f"wrong of {len(Y)}: ridge {wrong[0]}, SVM {wrong[1]}")
        return {
            "both": cost_words(C, len(Y)),
            "lam": lam,
            "wrong": wrong,
            "margins": margins,
            "punished": (z > 1).sum(),
            "for_being_right": np.square(1 - z[z > 1]).sum() / np.square(1 - z).sum(),
            "support": (svm.alpha > 0).sum(),
            "gap": svm.gap,
            "together": coincidence(points, Y, "no f is right on both"),
        }


class TwoLosses(Mark):
    """The two losses as curves; each example stands on both, at its own two values of y f."""

    def __init__(self, axes: Axes) -> None:
        z = np.linspace(LEFT, RIGHT, 241)
        squared, hinge = (1 - z) ** 2, np.maximum(0, 1 - z)
        self.shade = axes.fill_between(
            z, squared, where=z >= 1, color="#e7d5ee", zorder=0, label="punished for being right"
        )
        axes.plot(z, squared, color=style.ACCENT, linewidth=style.LINE, label="ridge, (1 − y f)²")
        axes.plot(
            z, hinge, color=style.INK, linewidth=style.LINE, linestyle="--",
            label="SVM, max(0, 1 − y f)",
        )  # fmt: skip
        axes.axvline(0, color=style.NEUTRAL, linewidth=style.THIN, linestyle=":")
        axes.set(
            xlim=(LEFT, RIGHT), ylim=(-0.15, TOP), xlabel="y f", ylabel="loss",
            title="what an example costs",
        )  # fmt: skip
        self.legend = axes.legend(
            loc="upper right", fontsize=9, frameon=True, edgecolor="none", framealpha=0.9
        )
        self.marks = {
            (kind, label): axes.scatter(
                [], [], marker=style.MARKER[label], s=40, zorder=5,
                c=style.COLOUR[label] if kind == "ridge" else "white",
                edgecolors=style.INK if kind == "ridge" else style.COLOUR[label],
                linewidths=style.THIN if kind == "ridge" else style.LINE,
            )
            for kind in ("ridge", "SVM")
            for label in (-1, 1)
        }  # fmt: skip

    def show(self, y: FloatArray, ridge: FloatArray, svm: FloatArray) -> None:
        """Show examples of labels y at their y f for both, each (n,); beyond the edge, at it."""
        for (kind, label), mark in self.marks.items():
            z = np.clip((ridge if kind == "ridge" else svm)[y == label], LEFT, RIGHT)
            loss = (1 - z) ** 2 if kind == "ridge" else np.maximum(0, 1 - z)
            mark.set_offsets(np.column_stack([z, np.minimum(loss, TOP)]))
