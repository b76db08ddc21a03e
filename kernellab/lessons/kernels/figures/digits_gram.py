"""Live figure of notebook 03: what a kernel sees in a hundred digits."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.datasets.shipped import EACH, digits_by_class
from kernellab.draw.matrix import GramImage
from kernellab.kernels import Gaussian, Kernel, Laplacian, Polynomial
from kernellab.live.controls import Ladder, Sample
from kernellab.live.declared import Figure
from kernellab.validation import FloatArray

DIGITS = [str(digit) for digit in range(10)]

POLYNOMIAL, GAUSSIAN, LAPLACIAN = "(x·z)^p", "Gaussian", "Laplacian (ℓ1)"
DEGREES = tuple(range(1, 26))  # as many as there are γ: the key End knows one length
GAMMAS = tuple(float(g) for g in 10.0 ** (np.arange(-12, 13) / 4))
KERNELS = {  # and where the dial stands first
    POLYNOMIAL: lambda: DEGREES[3],
    GAUSSIAN: lambda: GAMMAS[13],
    LAPLACIAN: lambda: GAMMAS[9],
}
PAIR = "x shows {x:.0f}, z shows {z:.0f}: k(x, z) = {k:.3f}"
BLOCKS = (
    "mean k within a digit {within:.3f}, between digits {between:.3f}; "
    "most alike: {a} and {b}{everything}"
)


def words(value: float, figure: Any) -> str:
    """Write a degree, or a γ, with its σ if there is one."""
    sigma = f" (σ = {np.sqrt(0.5 / value):.3g})" if figure.kernel == GAUSSIAN else ""
    return f"{value:.4g}{sigma}"


class DigitsGram(Figure):
    """The Gram matrix of 120 digits, sorted by class; point at an entry to see the two images.

    Taught in notebook 03.
    """

    question = "Do ten dark blocks appear? Which digits does this kernel confuse?"
    answer = ("means",)
    size = (9.4, 5.0)
    kernel = Sample("kernel", KERNELS)
    dial = Ladder(
        lambda figure: "degree p" if figure.kernel == POLYNOMIAL else "γ",
        lambda figure: DEGREES if figure.kernel == POLYNOMIAL else GAMMAS,
        words=words,
    )
    grip_names = ("an entry: column z, row x",)
    presets = {
        "linear": {"dial": 1},
        "degree 4": {"dial": 4},
        "degree 20": {"dial": 20},
        "Laplacian, wide": {"kernel": LAPLACIAN, "dial": 0.1},
        "Gaussian, wide": {"kernel": GAUSSIAN, "dial": 0.1},
        "Gaussian, narrow": {"kernel": GAUSSIAN, "dial": 10.0},
    }
    readout = "{said}   " + PAIR + "\n" + BLOCKS
    alt = (
        "The Gram matrix of 12 images of each digit from 0 to 9, of length 1, sorted by digit, "
        "under {said}. Its blocks: " + BLOCKS + ". Beside it two of the images: " + PAIR + "."
    )

    def build(self, figure: MplFigure) -> Axes:
        """Make the matrix, two images, and the means of the blocks."""
        self.X, self.y = digits_by_class()
        axes = figure.subplot_mosaic(
            [["gram", "first", "second"], ["gram", "means", "means"]],
            width_ratios=[2.2, 0.8, 0.8], height_ratios=[1, 1.5],
        )  # fmt: skip
        n, digits = len(self.y), np.arange(10)
        self.gram = GramImage(axes["gram"], cross=True)
        axes["gram"].set(title="k(x, z) of 120 digits, sorted by class", xlabel="z", ylabel="x")
        self.images = [
            axes[name].imshow(np.zeros((8, 8)), cmap="Greys", vmin=0, vmax=1)
            for name in ("first", "second")
        ]
        axes["first"].set(xticks=[], yticks=[], title="x")
        axes["second"].set(xticks=[], yticks=[], title="z")
        self.means = GramImage(axes["means"])
        axes["means"].set_title("means of the blocks")
        for name, end, middles in (("gram", n, EACH * (digits + 0.5)), ("means", 10, digits + 0.5)):
            axes[name].set(xlim=(0, end), ylim=(end, 0))
            axes[name].set_xticks(middles, DIGITS)
            axes[name].set_yticks(middles, DIGITS)
            axes[name].tick_params(length=0)
        return axes["gram"]

    def take(self, data: float) -> None:
        """Give the dial the parameter of another kernel."""
        with self.quietly():
            self.dial = data

    def grips(self) -> Any:
        """Return the entry that is looked at first."""
        return [(98.5, 41.5)]

    def chosen(self) -> tuple[Kernel, str]:
        """Return the kernel, and what it is called."""
        if self.kernel == POLYNOMIAL:
            return Polynomial(self.dial, 0.0), f"(x·z)^{self.dial}"
        kernel = Gaussian(self.dial) if self.kernel == GAUSSIAN else Laplacian(self.dial)
        return kernel, f"{self.kernel}, γ = {words(self.dial, self)}"

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Compute the matrix, its blocks' means, and show the two images under the cross."""
        kernel, said = self.chosen()
        n = len(self.y)
        column, row = (int(v) for v in np.clip(points[0], 0, n - 1))
        K = kernel(self.X)
        means = K.reshape(10, EACH, 10, EACH).mean(axis=(1, 3))  # the rows are sorted by digit
        self.gram.show(K, range(EACH, n, EACH), entry=(row, column), low=0.0, high=1.0)
        self.means.show(means, low=0.0, high=1.0)
        for image, k in zip(self.images, (row, column), strict=True):
            pixels = self.X[k].reshape(8, 8)
            image.set_data(pixels / pixels.max())
        within, between = means.diagonal().mean(), means[~np.eye(10, dtype=bool)].mean()
        a, b = np.unravel_index(np.triu(means, 1).argmax(), means.shape)
        everything = ""
        if between > 0.98:
            everything = "; everything alike"
        elif within < 1.5 / EACH:  # hardly more than each image with itself
            everything = "; everything apart"
        return {
            "said": said,
            "x": self.y[row],
            "z": self.y[column],
            "k": K[row, column],
            "within": within,
            "between": between,
            "a": a,
            "b": b,
            "everything": everything,
        }
