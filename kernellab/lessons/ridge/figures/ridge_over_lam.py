"""What two figures of notebook 06 share: a fit at one λ, and over all λ its errors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from kernellab.draw import style
from kernellab.draw.over_lam import LOO, LOOKS, TEST, TRAIN, OverLam, lowest
from kernellab.kernels import Kernel
from kernellab.live.explorer import Explorer, choice
from kernellab.live.lam_dial import SCALES, gamma_dial, lam_dial, nearest, options_for
from kernellab.solvers.ridge import ridge_path
from kernellab.validation import FloatArray


class RidgeOverLam(Explorer):
    """A ridge regression at the λ of a dial, whose scale can be chosen, beside all other λ.

    A subclass says which kernel it is, makes the figure and draws the fit.
    """

    @property
    def kernel(self) -> Kernel:
        """The kernel that is chosen, with this γ. A subclass must write this."""
        raise NotImplementedError

    @property
    def now(self) -> list[float]:
        """Training, test and leave-one-out error at the present λ."""
        return [float(row[self.lam.value]) for row in self.values.values()]

    def make_controls(
        self, kinds: Sequence[str], gammas: Sequence[float], lam: float, gamma: float
    ) -> None:
        """Make a choice of kernels, both dials, and the choice of a scale for λ."""
        self.kind = choice("kernel", list(kinds))
        self.lam = lam_dial(SCALES["log"], lam)
        self.gamma = gamma_dial(gammas, gamma)
        self.scale = choice("scale of λ", list(SCALES))
        self.lams: FloatArray = SCALES["log"]
        self._scale = "log"

    def make_panels(
        self, errors: Axes, freedom: Axes, *, limits: tuple[float, float], noise: float, most: float
    ) -> None:
        """Prepare the errors, with a line at the variance of the noise, and degrees of freedom."""
        self.errors = OverLam(errors, LOOKS, self.lams, limits)
        self.errors.legend()
        errors.set_ylabel("squared error")
        errors.axhline(noise, color=style.NEUTRAL, linewidth=style.THIN, linestyle=":")
        errors.text(
            0.01, 0.93 * noise, "noise", va="top", ha="left", fontsize=9, color=style.NEUTRAL,
            transform=errors.get_yaxis_transform(),
        )  # fmt: skip
        look = {"freedom": (style.INK, "-")}
        self.freedom = OverLam(freedom, look, self.lams, (0.0, most), log=False)

    def solve_path(
        self, X: FloatArray, y: FloatArray, places: FloatArray, heights: FloatArray,
        noise: float = 0.0,
    ) -> FloatArray:  # fmt: skip
        """Decompose K once, and find the errors at every λ.

        Parameters
        ----------
        X, y
            Examples, shape (n, d), and targets, shape (n,).
        places, heights
            Where the test error is taken, shape (m, d), and what should be there, shape (m,).
        noise
            Variance that is added to it, if the heights have none.

        Returns
        -------
        ndarray, shape (L, m)
            The fits at these places, one row a λ.
        """
        self.path = ridge_path(self.kernel(X), y, self.lams)
        fits: FloatArray = self.path.coef @ self.kernel(X, places)
        test = np.square(fits - heights).mean(axis=1) + noise
        self.values = {TRAIN: self.path.train_error, TEST: test, LOO: self.path.loo_error}
        self.best = {name: lowest(row) for name, row in self.values.items()}
        return fits

    def show_panels(self) -> None:
        """Show the errors and the degrees of freedom, with a cursor at the present λ."""
        k = self.lam.value
        self.errors.show(self.lams, self.values, k, star=(LOO, self.best[LOO]))
        self.freedom.show(self.lams, {"freedom": self.path.degrees_of_freedom}, k)

    def set_scale(self) -> None:
        """Put the dial and both axes of λ on the chosen scale, at the nearest λ."""
        scale = self.scale.value
        if scale == self._scale:
            return
        lam, self._scale, self.lams = self.lams[self.lam.value], scale, SCALES[scale]
        self.offer(self.lam, options_for(self.lams), nearest(self.lams, lam))
        limits = (0.0, 5.05) if scale == "linear" else (self.lams[0], self.lams[-1])
        for panel in (self.errors, self.freedom):
            panel.scale(scale, limits)
