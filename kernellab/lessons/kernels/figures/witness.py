"""Live figure of notebook 03: find the points that prove a formula to be no kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets
import numpy as np

from kernellab.draw import style
from kernellab.draw.matrix import GramImage, Spectrum
from kernellab.draw.plane import plane
from kernellab.lessons.kernels.figures.witness_marks import LETTERS, Entries, SignedPoints
from kernellab.lessons.kernels.theory.formula import Formula
from kernellab.lessons.kernels.theory.witness import centre, find_witness, search_witness
from kernellab.live.coincide import coincidence
from kernellab.live.explorer import Explorer, button, choice, steps
from kernellab.validation import FloatArray

REACH = 3.5
MOST = 8
TRIES = 1000  # half a second at most
START = np.array(
    [(1, 0), (2, 0), (3, 0), (-2, 1.5), (0, -2), (-1, -3), (1, 2.5), (-3, -1)], dtype=float
)
OWN = "your own"
CANDIDATES = {
    "tanh(x·z)": "tanh(dot)",
    "(x·z − 1)²": "(dot - 1)**2",
    "(x·z + 1)²": "(dot + 1)**2",
    "|x·z|": "abs(dot)",
    "exp(−‖x−z‖²)": "exp(-dist**2)",
    "exp(−‖x−z‖⁴)": "exp(-dist**4)",
    "exp(−‖x−z‖)": "exp(-dist)",
    "−‖x−z‖²": "-dist**2",
    "−‖x−z‖": "-dist",
    "cos(‖x−z‖)": "cos(dist)",
    "cos(x₁ − z₁)": "cos(x1 - z1)",
    "min(x₁, z₁)": "min(x1, z1)",
}


class FindTheWitness(Explorer):
    """Edit k and drag points until cᵀKc < 0 for some c: then k is no kernel, for good.

    Taught in notebook 03.

    Parameters
    ----------
    formula
        Which candidate is shown first; any formula that `Formula` takes.
    """

    presets: Mapping[str, Any] = {
        "tanh": {"candidate": "tanh(x·z)"},
        "Gaussian": {"candidate": "exp(−‖x−z‖²)"},
        "|x·z|": {"candidate": "|x·z|"},
        "fourth power": {"candidate": "exp(−‖x−z‖⁴)", "number": 4},
        "−distance²": {"candidate": "−‖x−z‖²"},
        "−distance², Σ c = 0": {"candidate": "−‖x−z‖²", "allowed": True},
    }
    memory = ("searched",)

    def __init__(self, formula: str = "tanh(dot)") -> None:
        self.candidate = choice("candidate", [*CANDIDATES, OWN])
        self.formula = ipywidgets.Text(
            value=formula, description="k(x, z) =", continuous_update=False,
            tooltip="dot is x·z, dist is ‖x − z‖; x1, x2, z1, z2; exp, tanh, cos, abs, min, …",
            layout={"width": "300px"},
        )  # fmt: skip
        self.allowed = choice("c", {"any c": False, "Σ c = 0 only": True})
        self.number = steps("points", 3, 2, MOST)
        names = {text: name for name, text in CANDIDATES.items()}
        self.candidate.value = names.get(formula, OWN)
        self._chosen = (self.candidate.value, formula)
        figure = style.new_figure((9.4, 4.7))
        axes = figure.subplot_mosaic(
            [["plane", "spectrum"], ["plane", "gram"]], width_ratios=[1.45, 1]
        )
        plane(axes["plane"], (-REACH, REACH, -REACH, REACH))
        axes["plane"].set_title("ringed points are a proof: cᵀKc < 0")
        self.points = SignedPoints(axes["plane"], MOST)
        self.spectrum = Spectrum(axes["spectrum"])
        axes["spectrum"].set(title="one eigenvalue below 0 is enough", xlabel="")
        axes["spectrum"].set_ylabel("÷ largest |K|", labelpad=0)
        axes["spectrum"].set(xlim=(0.4, MOST + 0.6), ylim=(-8.5, 8.5), yscale="symlog")
        axes["spectrum"].set_yscale("symlog", linthresh=0.1, linscale=1.0)
        axes["spectrum"].set_yticks([-1, -0.1, 0, 0.1, 1], ["−1", "−0.1", "0", "0.1", "1"])
        axes["spectrum"].minorticks_off()
        self.gram = GramImage(axes["gram"], low=-1.0, high=1.0)
        self.gram.image.set_cmap(style.SCORES)
        self.entries = Entries(axes["gram"], 4)
        axes["gram"].set_title("K: blue above 0, orange below")
        super().__init__(
            "Is it a kernel? Drag points until an eigenvalue is negative, or show that you cannot.",
            figure,
            [
                self.candidate, self.formula, self.allowed, self.number,
                button("search", self.search, tooltip=f"try {TRIES} sets of points at random"),
            ],
            moving=[
                *self.points.artists, *self.spectrum.artists, *self.gram.artists,
                *self.entries.artists,
            ],
            axes=axes["plane"],
            points=START[:3],
            handles=handles(3),
        )  # fmt: skip

    def search(self) -> None:
        """Try many sets of points at random, and take the one with the most negative cᵀKc."""
        try:
            X = search_witness(
                Formula(self.formula.value), 2, n_points=self.number.value, tries=TRIES,
                reach=2.0, centred=self.allowed.value, rng=len(self.formula.value),
            )  # fmt: skip
        except ValueError:  # `update` says what is wrong with the formula
            X = None
        self.searched = self._sought if X is None else ()
        if X is not None:
            self.live.place(X, handles(len(X)))
        self.live.redraw(sharp=True)

    searched: tuple[Any, ...] = ()  # what was sought in vain

    @property
    def _sought(self) -> tuple[Any, ...]:
        return self.formula.value, self.number.value, self.allowed.value

    def update(self, points: FloatArray) -> str:
        """Compute K of the formula at the points, and the smallest proof against it."""
        self._choose()
        n = self.number.value
        if n != len(points):
            kept = points[:n]
            more = [x for x in START if not (np.abs(kept - x) < 0.1).all(axis=1).any()]
            points = np.vstack([kept, *more])[:n] if n > len(kept) else kept
            self.live.place(points, handles(n))
        self.X = points
        self.k = f"k(x, z) = {self.formula.value}"
        try:
            K = Formula(self.formula.value)(points)
        except ValueError as problem:
            return self._no_matrix(str(problem))
        largest = max(np.abs(K).max(), 1e-300)
        centred = self.allowed.value
        restricted = centre(K) if centred else K
        values, vectors = np.linalg.eigh(restricted)
        values[np.abs(values) < 1e-12 * largest] = 0.0  # rounding has a sign too
        self.witness = find_witness(K, centred=centred)
        if centred:  # without that of the vector of ones, which is not allowed
            ones = int(np.abs(vectors.sum(axis=0)).argmax())
            values, vectors = np.delete(values, ones), np.delete(vectors, ones, axis=1)
        c = vectors[:, 0] * np.sign(vectors[np.abs(vectors[:, 0]).argmax(), 0])
        proof = np.zeros(n, dtype=bool)
        if self.witness is not None:
            chosen = list(self.witness.points)
            c = np.zeros(n)
            c[chosen] = self.witness.c
            proof[chosen] = True
        self.lowest = float(values[0])
        self.points.show(points, c, proof)
        self.spectrum.show(values[::-1] / largest)
        self.gram.show(K / largest)
        self.entries.show(K)
        allowed = " among c with Σ c = 0" if centred else ""
        self.verdict = self._judge(allowed)
        listed = ", ".join(f"{v:.3f}" for v in values[::-1] + 0.0)
        if together := coincidence(points, np.ones(n)):
            self.verdict += f" {together}: they count as one."
        lines = [f"{self.k}   eigenvalues{allowed}: {listed}", self.verdict]
        if self.searched == self._sought and self.witness is None:
            lines.append(f"{TRIES} random sets of points: none with cᵀKc < 0")
        return "\n".join(lines).replace("-0.000", "0.000")

    def describe(self) -> str:
        """Return the alternative text."""
        at = ", ".join(f"({x:.2f}, {y:.2f})" for x, y in self.X)
        return (
            f"The Gram matrix of {self.k} at {len(self.X)} points {at}, its eigenvalues, and c "
            f"beside the points. {self.verdict}"
        )

    def _judge(self, allowed: str) -> str:
        if self.witness is None:
            return f"no cᵀKc < 0 at these points{allowed}. That proves nothing: other points may."
        members = ", ".join(LETTERS[i] for i in self.witness.points)
        at = ", ".join(f"({self.X[i, 0]:.2f}, {self.X[i, 1]:.2f})" for i in self.witness.points)
        c = ", ".join(f"{v:.3f}" for v in self.witness.c)
        return (
            f"NOT a kernel{allowed}: {members} at {at}, c = ({c}): cᵀKc = {self.witness.value:.3f}"
        )

    def _no_matrix(self, problem: str) -> str:
        """Show nothing but the points, and say what is wrong with the formula."""
        n = len(self.X)
        self.witness, self.lowest, self.verdict = None, np.nan, f"not computed: {problem}"
        self.points.show(self.X, np.full(n, np.nan), np.zeros(n, dtype=bool))
        self.spectrum.show(np.zeros(n))
        self.gram.show(np.zeros((n, n)))
        self.entries.show(np.zeros((n, n)))
        return f"{self.k}\n{self.verdict}"

    def _choose(self) -> None:
        """Make the list and the text agree, whichever was changed."""
        candidate, text = self.candidate.value, self.formula.value
        if candidate != self._chosen[0] and candidate != OWN:
            self.set_quietly(self.formula, CANDIDATES[candidate])
        elif text != self._chosen[1]:
            names = {text: name for name, text in CANDIDATES.items()}
            self.set_quietly(self.candidate, names.get(text, OWN))
        self._chosen = (self.candidate.value, self.formula.value)


def handles(n: int) -> list[dict[str, str]]:
    """Return what the front end should know of each grip."""
    return [{"label": f"point {name}", "color": style.NEUTRAL} for name in LETTERS[:n]]
