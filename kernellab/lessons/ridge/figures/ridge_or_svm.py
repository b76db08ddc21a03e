"""Live figure of notebook 06: ridge regression on ±1 as a classifier, beside the SVM."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets
import numpy as np
from matplotlib.lines import Line2D

from kernellab.datasets import make_clouds
from kernellab.draw import style
from kernellab.draw.contours import level_curve
from kernellab.draw.margin import SupportPoints
from kernellab.draw.over_c import both
from kernellab.draw.plane import ScoreField, plane
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian, Kernel, Polynomial, score_field
from kernellab.lessons.ridge.figures.too_right_marks import TwoLosses
from kernellab.live.coincide import coincidence
from kernellab.live.explorer import WIDE, Explorer, choice, class_handles
from kernellab.solvers.ridge import lam_from_c_form, ridge
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

LIMITS = (-6.0, 9.0, -7.5, 7.5)
X1, X2 = np.linspace(-6.0, 9.0, 61), np.linspace(-7.5, 7.5, 61)
COSTS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
FAR = np.array([(7.5, 0.5), (8.0, -1.0), (8.5, 1.0)])


KERNELS: dict[str, Kernel] = {"x·z + 1": Polynomial(1, 1.0), "Gaussian, γ = 0.1": Gaussian(0.1)}


class RidgeOrSVM(Explorer):
    """Two classifiers of the same functions and the same C, and two ideas of what is wrong.

    Ridge minimises ½‖w‖² + C Σ (y − f)², the SVM, without a bias, ½‖w‖² + C Σ max(0, 1 − y f).
    Taught in notebook 06.
    """

    presets: Mapping[str, Any] = {
        "far, and punished": {},
        "small C": {"cost": 0.01},
        "large C": {"cost": 10.0},
        "Gaussian": {"kind": "Gaussian, γ = 0.1"},
    }

    def __init__(self) -> None:
        self.kind = choice("kernel", list(KERNELS))
        data = make_clouds(17, 3.6, 23)
        self.start = np.vstack([data.X, FAR])
        self.y = np.append(data.y, np.ones(len(FAR)))
        n = len(self.y)
        self.cost = ipywidgets.SelectionSlider(
            options=[(f"{C:g} (λ = {1 / (C * n):.2g})", C) for C in COSTS], value=1.0,
            description="C", **WIDE,
        )  # fmt: skip
        figure = style.new_figure((9.6, 4.7))
        left, right = figure.subplots(1, 2, width_ratios=[1.1, 1])
        plane(left, LIMITS)
        self.field = ScoreField(left, LIMITS)
        self.points = SupportPoints(left)
        self.lines = {
            "ridge": Line2D([], [], color=style.ACCENT, linewidth=1.3 * style.LINE, label="ridge"),
            "SVM": Line2D(
                [], [], color=style.INK, linewidth=1.3 * style.LINE, linestyle="--", label="SVM"
            ),
        }
        for line in self.lines.values():
            line.set_zorder(3)
            left.add_line(line)
        left.legend(
            handles=list(self.lines.values()), ncols=2, loc="lower left", fontsize=9,
            bbox_to_anchor=(0, 0.99), borderaxespad=0.1,
        )  # fmt: skip
        self.losses = TwoLosses(right)
        self.title = moving_title(left, 26)
        super().__init__(
            "Can an example be too right?",
            figure,
            [self.kind, self.cost],
            moving=[
                *self.field.artists, *self.lines.values(), *self.points.artists,
                *self.losses.artists, self.title,
            ],
            axes=left,
            points=self.start,
            handles=class_handles(self.y, first=1),
        )  # fmt: skip

    def update(self, points: FloatArray) -> str:
        """Train both on the points as they are."""
        X, y, C, kernel = points, self.y, self.cost.value, KERNELS[self.kind.value]
        K = kernel(X)
        machine = ridge(K, y, lam_from_c_form(C))
        svm = solve(smo(K, y, C, bias=False), gap=1e-4, max_passes=10_000)
        fields = {
            "ridge": score_field(kernel, X, machine.coef, X1, X2),
            "SVM": score_field(kernel, X, svm.alpha * y, X1, X2),
        }
        for name, field in fields.items():
            self.lines[name].set_data(*level_curve(X1, X2, field).T)
        self.field.show(fields["ridge"])
        self.margins = {"ridge": y * (K @ machine.coef), "SVM": y * (K @ (svm.alpha * y))}
        self.mistakes = {name: int((z <= 0).sum()) for name, z in self.margins.items()}
        self.points.show(
            X, y, svm.alpha, bounded=svm.alpha >= C * (1 - 1e-9),
            mistaken=self.margins["ridge"] <= 0,
        )  # fmt: skip
        self.losses.show(y, self.margins["ridge"], self.margins["SVM"])
        self.n_support, self.gap = int((svm.alpha > 0).sum()), svm.gap
        z = self.margins["ridge"]
        self.punished = int((z > 1).sum())
        self.for_being_right = float(np.square(1 - z[z > 1]).sum() / np.square(1 - z).sum())
        n, wrong = len(y), self.mistakes
        self.title.set_text(f"wrong of {n}: ridge {wrong['ridge']}, SVM {wrong['SVM']}")
        said = coincidence(X, y, "no f is right on both")
        return (
            f"{both(C, n)} of the SVM, λ = {0.5 / C:.3g} of ridge{'   ' * bool(said)}{said}\n"
            f"ridge: wrong {self.mistakes['ridge']} of {n}, all {n} weights nonzero, "
            f"{self.punished} examples beyond y f = 1 make {self.for_being_right:.0%} of its loss\n"
            f"SVM: wrong {self.mistakes['SVM']} of {n}, support vectors {self.n_support}, gap "
            f"{self.gap:.1e}".replace("e-", "e−")
        )

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"Twenty points of two classes, some far on their own side, C = {self.cost.value:g}, "
            f"kernel {self.kind.value}: the boundary of ridge regression on ±1 has "
            f"{self.mistakes['ridge']} mistakes, that of the SVM {self.mistakes['SVM']} with "
            f"{self.n_support} support vectors (ringed). Right: squared loss and hinge over y f; "
            f"{self.punished} examples beyond 1 make {self.for_being_right:.0%} of ridge's loss."
        )
