"""Live figure of notebook 03: the perceptron of notebook 01 with another kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from kernellab.datasets import Dataset, load_iris, make_rings, make_xor
from kernellab.draw import style
from kernellab.draw.bars import Stems
from kernellab.draw.contours import LevelLines
from kernellab.draw.curves import nice_limit
from kernellab.draw.plane import Points, ScoreField, limits_around, plane
from kernellab.kernels import Gaussian, Kernel, Linear, Polynomial, score_field
from kernellab.live.coincide import coincidence
from kernellab.live.explorer import Explorer, button, choice, class_handles, player, steps
from kernellab.solvers.perceptron import trace
from kernellab.solving import CONVERGED
from kernellab.validation import FloatArray

MAX_PASSES = 60
MAX_GRIPS = 24

KERNELS: dict[str, Kernel] = {
    "x·z": Linear(),
    "1 + x·z": Polynomial(1),
    "(x·z)²": Polynomial(2, 0.0),
    "(1 + x·z)²": Polynomial(2),
    "Gaussian, γ = 1 (σ = 0.71)": Gaussian(1.0),
}
SAMPLES: dict[str, Callable[[], Dataset]] = {
    "XOR, inputs ±1": make_xor,
    "XOR, inputs 0 and 1": lambda: make_xor((0, 1)),
    "two rings": lambda: make_rings(24, 6, noise=0.15),
    "iris: versicolor, virginica": lambda: load_iris(
        ("versicolor", "virginica"), ("petal length (cm)", "petal width (cm)")
    ),
}


class KernelPerceptron(Explorer):
    """Step through the perceptron with a kernel of your choice; nothing else is chosen.

    Taught in notebook 03.

    Parameters
    ----------
    sample, kernel
        Names in ``SAMPLES`` and ``KERNELS``: what is shown first.
    step
        Where in the run it stands first.
    """

    presets: Mapping[str, Any] = {
        "XOR, a line": {"kernel": "1 + x·z", "t": 0},
        "XOR, degree 2": {"kernel": "(1 + x·z)²", "t": 0},
        "XOR of 0 and 1": {"sample": "XOR, inputs 0 and 1", "kernel": "(1 + x·z)²"},
        "rings, degree 2": {"sample": "two rings", "kernel": "(1 + x·z)²"},
        "rings, Gaussian": {"sample": "two rings", "kernel": "Gaussian, γ = 1 (σ = 0.71)"},
        "iris, Gaussian": {
            "sample": "iris: versicolor, virginica", "kernel": "Gaussian, γ = 1 (σ = 0.71)",
        },
    }  # fmt: skip

    X: FloatArray
    y: FloatArray
    _to_the_end: bool

    def __init__(
        self, sample: str = "XOR, inputs ±1", kernel: str = "(1 + x·z)²", *, step: int = 4
    ) -> None:
        self.sample = choice("data", list(SAMPLES))
        self.sample.value = sample
        self.kernel = choice("kernel", list(KERNELS))
        self.kernel.value = kernel
        self.t = steps("step t", 0, 0, max(step, 1))
        figure = style.new_figure((9.4, 4.4))
        self.plane, self.dual = figure.subplots(1, 2)
        self.dual.set(
            ylabel=r"mistakes on it $\alpha_i$",
            title=r"$\alpha_i$ counts the mistakes on example $i$",
        )
        self.field = ScoreField(self.plane, (0.0, 1.0, 0.0, 1.0))
        self.boundary = LevelLines(self.plane)
        self.points = Points(self.plane)
        self.stems = Stems(self.dual)
        self._load()
        self.t.value = step
        play = player(self.t, 350, "play the steps")
        super().__init__(
            "Which kernels learn which data, and what do they cost in mistakes?",
            figure,
            [self.sample, self.kernel, self.t, play, button("step", self.step)],
            moving=[
                *self.field.artists, *self.boundary.artists, *self.points.artists,
                *self.stems.artists,
            ],
            axes=self.plane,
            points=self._grips(),
            handles=self._handles(),
        )  # fmt: skip

    def step(self) -> None:
        """Test the next example."""
        self.t.value = min(self.t.value + 1, self.t.max)

    def update(self, points: FloatArray) -> str:
        """Run the perceptron with this kernel, and show it after t tests."""
        if self.sample.value != self._loaded:
            self._load()
            self.live.place(points := self._grips(), self._handles())
        self.X[: len(points)] = points
        kernel = KERNELS[self.kernel.value]
        self.run = trace(kernel(self.X), self.y, max_passes=MAX_PASSES)
        n_steps = len(self.run.order)
        t = n_steps if self._to_the_end else min(self.t.value, n_steps)
        self._to_the_end = False
        self.t.max = max(n_steps, self.t.max)  # room first, or the value would be cut
        self.set_quietly(self.t, t)
        self.t.max = n_steps
        self.alpha = self.run.alpha(t)
        used = int(self.run.order[t - 1]) if t > 0 else None
        left, right, bottom, top = limits = self.plane.axis()
        x1, x2 = np.linspace(left, right, 61), np.linspace(bottom, top, 61)
        field = score_field(kernel, self.X, self.alpha * self.y, x1, x2)
        self.field.image.set_clim(*(np.array([-1.5, 1.5]) * max(np.abs(field).mean(), 1e-9)))
        self.field.show(field, limits)
        self.boundary.show(x1, x2, field)
        mistaken = np.zeros(len(self.y), dtype=bool)
        if used is not None:
            mistaken[used] = self.run.mistake[t - 1]
        self.points.show(self.X, self.y, weight=self.alpha, used=used, mistaken=mistaken)
        self.stems.show(self.alpha, self.y, used=used)
        most = int(self.run.alpha(n_steps).max())
        self.dual.set(xlim=(-0.7, 1.04 * len(self.y) - 0.3), ylim=(0, nice_limit(most)))
        return self._sentence(kernel, t)

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"The perceptron with kernel {self.kernel.value} on {self._loaded}, "
            f"{len(self.y)} examples, after {self.t.value} tests: {self.counts}. Left: the points, "
            f"larger with more mistakes, and the line where the score is zero. Right: the mistakes "
            f"on each example. {self.end}."
        )

    def _load(self) -> None:
        data = SAMPLES[self.sample.value]()
        self._loaded = self.sample.value
        self._to_the_end = hasattr(self, "live")
        self.X, self.y = data.X.copy(), data.y.copy()
        plane(self.plane, limits_around(self.X, 0.4), data.feature_names)
        self.plane.set_title(f"the same code on {self._loaded}")

    def _grips(self) -> FloatArray:
        return self.X if len(self.X) <= MAX_GRIPS else self.X[:0]

    def _handles(self) -> list[dict[str, str]]:
        return class_handles(self.y[: len(self._grips())])

    def _sentence(self, kernel: Kernel, t: int) -> str:
        """Say which code was run, what it has counted, and how it ends."""
        total, passes = int(self.run.mistake.sum()), len(self.run.order) // len(self.y)
        self.counts = f"{self.alpha.sum():g} of {total} mistakes"
        if len(self.y) <= 8:
            counts = ", ".join(f"{a:g}" for a in self.alpha)
            self.counts += f", α = ({counts})"
        self.end = (
            f"Converged in {passes} passes"
            if self.run.status == CONVERGED
            else f"Not converged: stopped after {passes} passes"
        )
        support = int((self.alpha > 0).sum())
        together = coincidence(self.X, self.y, "no kernel tells them apart")
        return (
            f"kernel_perceptron(X, y, {kernel})   step {t} of {len(self.run.order)}\n"
            f"{self.counts}   {support} of {len(self.y)} examples needed to predict   "
            f"{self.end.lower()}{'   ' * bool(together)}{together}"
        )
