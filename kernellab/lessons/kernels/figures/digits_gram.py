"""Live figure of notebook 03: what a kernel sees in a hundred digits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets
import numpy as np

from kernellab.datasets.shipped import EACH, digits_by_class
from kernellab.draw import style
from kernellab.draw.matrix import GramImage
from kernellab.kernels import Gaussian, Kernel, Laplacian, Polynomial
from kernellab.lessons.kernels.theory.class_means import class_means, nearest_mean_accuracy
from kernellab.live.explorer import WIDE, Explorer, choice
from kernellab.validation import FloatArray

DIGITS = [str(digit) for digit in range(10)]

POLYNOMIAL, GAUSSIAN, LAPLACIAN = "(x·z)^p", "Gaussian", "Laplacian (ℓ1)"
DEGREES = tuple(range(1, 26))  # as many as there are γ: the key End knows one length
GAMMAS = tuple(float(g) for g in 10.0 ** (np.arange(-12, 13) / 4))


class DigitsGram(Explorer):
    """The Gram matrix of 120 digits, sorted by class; point at an entry to see the two images.

    Taught in notebook 03.
    """

    presets: Mapping[str, Any] = {
        "linear": {"dial": 1},
        "degree 4": {"dial": 4},
        "degree 20": {"dial": 20},
        "Gaussian, wide": {"kernel": GAUSSIAN, "dial": 0.1},
        "Gaussian, narrow": {"kernel": GAUSSIAN, "dial": 10.0},
        "Laplacian": {"kernel": LAPLACIAN},
    }

    def __init__(self) -> None:
        self.X, self.y = digits_by_class()
        self.kernel = choice("kernel", [POLYNOMIAL, GAUSSIAN, LAPLACIAN])
        self.dial = ipywidgets.SelectionSlider(
            options=[(str(p), p) for p in DEGREES], value=4, description="degree p", **WIDE
        )
        figure = style.new_figure((9.4, 5.0))
        axes = figure.subplot_mosaic(
            [["gram", "first", "second"], ["gram", "means", "means"]],
            width_ratios=[2.2, 0.8, 0.8], height_ratios=[1, 1.5],
        )  # fmt: skip
        self.gram = GramImage(axes["gram"], cross=True)
        middles = EACH * (np.arange(10) + 0.5)
        axes["gram"].set(title="k(x, z) of 120 digits, sorted by class", xlabel="z", ylabel="x")
        n = len(self.y)
        axes["gram"].set(xlim=(0, n), ylim=(n, 0))
        axes["gram"].set_xticks(middles, DIGITS)
        axes["gram"].set_yticks(middles, DIGITS)
        axes["gram"].tick_params(length=0)
        self.images = [
            axes[name].imshow(np.zeros((8, 8)), cmap="Greys", vmin=0, vmax=1)
            for name in ("first", "second")
        ]
        for name, letter in (("first", "x"), ("second", "z")):
            axes[name].set(xticks=[], yticks=[], title=letter)
        self.means = GramImage(axes["means"])
        axes["means"].set(title="means of the blocks", xlim=(0, 10), ylim=(10, 0))
        for set_ticks in (axes["means"].set_xticks, axes["means"].set_yticks):
            set_ticks(np.arange(10) + 0.5, DIGITS)
        axes["means"].tick_params(length=0)
        self._kernel = POLYNOMIAL
        super().__init__(
            "Do ten dark blocks appear? Which digits does this kernel confuse?",
            figure,
            [self.kernel, self.dial],
            moving=[*self.gram.artists, *self.images, *self.means.artists],
            axes=axes["gram"],
            points=[(98.5, 41.5)],
            handles=[{"label": "an entry: column z, row x", "color": style.ACCENT}],
        )

    def update(self, points: FloatArray) -> str:
        """Compute the matrix, its blocks' means, and show the two images under the cross."""
        if self.kernel.value != self._kernel:
            self._change_kernel()
        kernel, said = self._chosen()
        n = len(self.y)
        column, row = (int(v) for v in np.clip(points[0], 0, n - 1))
        K = kernel(self.X)
        means = class_means(K, self.y)
        self.gram.show(K, range(EACH, n, EACH), entry=(row, column), low=0.0, high=1.0)
        self.means.show(means, low=0.0, high=1.0)
        for image, k in zip(self.images, (row, column), strict=True):
            pixels = self.X[k].reshape(8, 8)
            image.set_data(pixels / pixels.max())
        within = float(means.diagonal().mean())
        apart = ~np.eye(10, dtype=bool)
        between = float(means[apart].mean())
        right = nearest_mean_accuracy(K, self.y)
        a, b = np.unravel_index(np.where(apart, means, -np.inf).argmax(), means.shape)
        self.pair = f"x is a {self.y[row]:.0f}, z is a {self.y[column]:.0f}: k(x, z) = "
        self.pair += f"{K[row, column]:.3f}"
        self.finding = (
            f"mean k within a digit {within:.3f}, between digits {between:.3f}; "
            f"most alike: {a} and {b}; the nearest class mean is right for {right:.1%}"
        )
        if between > 0.98:
            self.finding += "; everything alike"
        elif within < 1.5 / EACH:  # hardly more than each image with itself
            self.finding += "; everything apart"
        self.said = said
        return f"{said}   {self.pair}\n{self.finding}"

    def describe(self) -> str:
        """Return the alternative text."""
        return (
            f"The Gram matrix of 12 images of each digit from 0 to 9, of length 1, sorted by "
            f"digit, under {self.said}. Its blocks: {self.finding}. Beside it two of the images: "
            f"{self.pair}."
        )

    def _chosen(self) -> tuple[Kernel, str]:
        value = self.dial.value
        if self._kernel == POLYNOMIAL:
            return Polynomial(value, 0.0), f"(x·z)^{value}"
        if self._kernel == GAUSSIAN:
            sigma = np.sqrt(0.5 / value)
            return Gaussian(value), f"Gaussian, γ = {value:.4g} (σ = {sigma:.3g})"
        return Laplacian(value), f"Laplacian (ℓ1), γ = {value:.4g}"

    def _change_kernel(self) -> None:
        """Give the dial the parameter of the other kernel."""
        self._kernel = self.kernel.value
        with self.quietly():
            if self._kernel == POLYNOMIAL:
                options: list[tuple[str, float]] = [(str(p), p) for p in DEGREES]
                start = 3
                self.dial.description = "degree p"
            else:
                sigma = self._kernel == GAUSSIAN
                options = [
                    (f"{g:.4g} (σ = {np.sqrt(0.5 / g):.3g})" if sigma else f"{g:.4g}", g)
                    for g in GAMMAS
                ]
                start = 13 if sigma else 9
                self.dial.description = "γ"
            self.dial.options = options
            self.dial.index = start
