"""Live figure of notebook 03: find the points that prove a formula to be no kernel."""

from __future__ import annotations

from typing import Any

import ipywidgets
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.draw.matrix import GramImage
from kernellab.draw.plane import plane
from kernellab.lessons.kernels.figures.spectrum_marks import Spectrum
from kernellab.lessons.kernels.theory.formula import Formula
from kernellab.lessons.kernels.theory.witness import Witness, centre, find_witness, search_witness
from kernellab.live.coincide import coincidence
from kernellab.live.controls import Button, Choice, Control, Steps
from kernellab.live.declared import Figure
from kernellab.live.readout import written
from kernellab.validation import FloatArray

LETTERS = "ABCDEFGH"
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


class SignedPoints(Mark):
    """Points with one number each, written beside them; those that prove something are ringed."""

    def __init__(self, axes: Axes, most: int) -> None:
        self.axes = axes
        self.marks = {
            sign: axes.scatter(
                [], [], marker=style.MARKER[sign], c=style.COLOUR[sign], edgecolors=style.INK,
                linewidths=style.THIN, zorder=4,
            )
            for sign in (-1, 1)
        }  # fmt: skip
        self.bare = axes.scatter([], [], s=0.4 * style.POINT_AREA, c=style.NEUTRAL, zorder=3.9)
        self.rings = axes.scatter(
            [], [], s=330, facecolors="none", edgecolors=style.ACCENT, linewidths=style.LINE,
            zorder=5,
        )  # fmt: skip
        near: Any = {"textcoords": "offset points", "ha": "center", "va": "center", "zorder": 6}
        self.words, self.told = (
            [axes.annotate("", (0, 0), (0, 17), annotation_clip=False, **near) for _ in range(most)]
            for _ in range(2)
        )

    def show(self, X: FloatArray, c: FloatArray, proof: NDArray[np.bool_]) -> None:
        """Show points, shape (n, 2), their numbers, shape (n,), and which to ring, shape (n,)."""
        area = style.POINT_AREA * (0.5 + 4 * np.abs(np.nan_to_num(c)))
        for sign, mark in self.marks.items():
            here = (c < 0) == (sign < 0)
            mark.set_offsets(X[here])
            mark.set_sizes(area[here])
        self.rings.set_offsets(X[proof])
        self.bare.set_offsets(X)  # on the stage, until the answer is asked for
        places = self._places(X)
        for k, both in enumerate(zip(self.words, self.told, strict=True)):
            for text in both:
                text.set_visible(k < len(X))
            if k < len(X):
                told = (proof[k] or not proof.any()) and np.isfinite(c[k])
                value = f"\n{c[k]:+.2f}".replace("-", "−") if told else ""
                for text, said in zip(both, (LETTERS[k] + "\n" * bool(value), value), strict=True):
                    text.set(x=places[k][0], y=places[k][1], text=said)
                    text.xy = X[k]

    def _places(self, X: FloatArray) -> list[FloatArray]:
        """Choose for each point's words the side that is farthest from other points and words.

        Returns offsets in points, each of shape (2,). Above is preferred.
        """
        sides = np.array([(0.0, 25.0), (0.0, -25.0), (-30.0, 0.0), (30.0, 0.0)])
        to_points = 72.0 / self.axes.figure.dpi
        at = self.axes.transData.transform(X) * to_points
        low, high = self.axes.transAxes.transform([(0, 0), (1, 1)]) * to_points
        taken: list[FloatArray] = []
        for k in range(len(X)):
            others = np.vstack([np.delete(at, k, axis=0), *taken, [(1e6, 1e6)]])
            spots = at[k] + sides
            room = np.abs(spots[:, np.newaxis] - others) / (34.0, 28.0)  # words are wider than high
            free = np.minimum(room.max(axis=2).min(axis=1), 1.0)
            free -= 2.0 * ((spots < low + 8) | (spots > high - 4)).any(axis=1)
            best = int(free.argmax())
            taken.append(spots[[best]])
        return [spot[0] - place for spot, place in zip(taken, at, strict=True)]


class Entries(Mark):
    """The entries of a small matrix, written in its cells; of a larger one nothing is written."""

    def __init__(self, axes: Axes, most: int) -> None:
        self.words = [
            [axes.text(j, i, "", ha="center", va="center", zorder=3) for j in range(most)]
            for i in range(most)
        ]

    def show(self, K: FloatArray) -> None:
        """Show a matrix, shape (n, n), whose cells are of size 1."""
        small, top, hall = len(K) <= len(self.words), np.abs(K).max(), style.in_lecture()
        digits = 3 if len(K) < 4 and not hall else 2  # a cell has little room there
        least = max(1e-3 * top, 0.05 * hall * min(top, 1.0))
        for i, row in enumerate(self.words):
            for j, text in enumerate(row):
                text.set_visible(small and max(i, j) < len(K))
                if text.get_visible():
                    text.set_position((j + 0.5, i + 0.5))
                    words = "≈0" if 0 < abs(K[i, j]) < least else f"{K[i, j] + 0.0:.{digits}g}"
                    text.set_text(words.replace("-", "−").replace("0.", "." if hall else "0."))


class FindTheWitness(Figure):
    """Edit k and drag points until cᵀKc < 0 for some c: then k is no kernel, for good.

    Taught in notebook 03.
    """

    question = (
        "Is it a kernel? Drag points until an eigenvalue is negative, or show that you cannot."
    )
    answer = ("spectrum", "proof")
    size = (9.4, 4.7)
    candidate = Choice("candidate", [*CANDIDATES, OWN])
    formula = Control(  # the candidate's, or any other
        lambda: ipywidgets.Text(
            description="k(x, z) =", continuous_update=False, layout={"width": "300px"},
            tooltip="dot is x·z, dist is ‖x − z‖; x1, x2, z1, z2; exp, tanh, cos, abs, min, …",
        ),
        CANDIDATES["tanh(x·z)"],
    )  # fmt: skip
    allowed = Choice("c", {"any c": False, "Σ c = 0 only": True})
    number = Steps("points", 2, MOST, 3)
    memory = {"searched": ()}  # what was sought in vain
    presets = {
        "tanh": {"candidate": "tanh(x·z)", "number": 4},
        "Gaussian": {"candidate": "exp(−‖x−z‖²)", "number": 4},
        "|x·z|": {"candidate": "|x·z|", "number": 4},
        "fourth power": {"candidate": "exp(−‖x−z‖⁴)", "number": 4},
        "−distance²": {"candidate": "−‖x−z‖²", "number": 4},
        "−distance², Σ c = 0": {"candidate": "−‖x−z‖²", "number": 4, "allowed": True},
    }
    readout = (
        "k(x, z) = {formula}   eigenvalues{among}: {values:.3f}\n"
        "{verdict}\n"
        "{tries} random sets of points: none with cᵀKc < 0"
    )
    alt = (
        "The Gram matrix of k(x, z) = {formula} at {n} points {at}, its eigenvalues, and c beside "
        "the points. {verdict}"
    )

    @Button("search", f"try {TRIES} sets of points at random")
    def search(self) -> None:
        """Try many sets of points at random, and take the one with the most negative cᵀKc."""
        self.searched = self.sought()
        try:
            X = search_witness(
                Formula(self.formula), 2, n_points=self.number, tries=TRIES, reach=2.0,
                centred=self.allowed, rng=len(self.formula),
            )  # fmt: skip
        except ValueError:  # `show` says what is wrong with the formula
            return
        if X is not None:
            self.searched = ()
            self.live.place(X)

    def sought(self) -> tuple[Any, ...]:
        """Return what is sought now."""
        return self.formula, self.number, self.allowed

    def build(self, figure: MplFigure) -> Axes:
        """Make the plane, the eigenvalues, and the matrix with its entries."""
        axes = figure.subplot_mosaic(
            [["plane", "spectrum"], ["plane", "gram"]],
            width_ratios=[1.45, 1],
            height_ratios=[1, 3.2 if style.in_lecture() else 1.5],
        )
        plane(axes["plane"], (-REACH, REACH, -REACH, REACH))
        axes["plane"].set_title("ringed points are a proof: cᵀKc < 0")
        self.points = SignedPoints(axes["plane"], MOST)
        self.proof = [self.points.marks, self.points.rings, self.points.told]
        self.spectrum = Spectrum(axes["spectrum"])
        axes["spectrum"].set(title="one eigenvalue below 0 is enough", xlim=(0.4, MOST + 0.6))
        axes["spectrum"].set_ylabel("÷ largest |K|", labelpad=0)
        axes["spectrum"].set_yscale("symlog", linthresh=0.1, linscale=1.0)
        ticks = [-1, 0, 1] if style.in_lecture() else [-1, -0.1, 0, 0.1, 1]
        axes["spectrum"].set_yticks(ticks, [f"{t:g}".replace("-", "−") for t in ticks])
        axes["spectrum"].set_ylim(-8.5, 8.5)
        axes["spectrum"].minorticks_off()
        self.gram = GramImage(axes["gram"], low=-1.0, high=1.0)
        self.gram.image.set_cmap(style.SCORES)
        self.entries = Entries(axes["gram"], 4)
        axes["gram"].set_title("K: blue > 0, orange < 0")
        self.X = START[:0]
        self._chosen = next(iter(CANDIDATES.items()))  # as it is without settings
        return axes["plane"]

    def grips(self) -> FloatArray:
        """Return as many points as there should be: those there are, and others apart from them."""
        kept = self.X[: self.number]
        more = [x for x in START if not (np.abs(kept - x) < 0.1).all(axis=1).any()]
        return np.vstack([kept, *more])[: self.number]

    def handles(self) -> list[dict[str, str]]:
        """Return a handle for each point."""
        names = LETTERS[: self.number]
        return [{"label": f"point {name}", "color": style.NEUTRAL} for name in names]

    def choose(self) -> None:
        """Make the list and the text agree, whichever was changed."""
        before, text = self._chosen
        with self.quietly():
            if self.candidate not in (before, OWN):
                self.formula = CANDIDATES[self.candidate]
            elif self.formula != text:
                names = {text: name for name, text in CANDIDATES.items()}
                self.candidate = names.get(self.formula, OWN)
        self._chosen = self.candidate, self.formula

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Compute K of the formula at the points, and the smallest proof against it."""
        self.choose()
        self.X = points
        if len(points) != self.number:
            self.X = points = self.place(self.handles())
        n, at = len(points), said(points)
        try:
            K = Formula(self.formula)(points)
        except ValueError as problem:
            self.draw(np.full(n, np.nan), np.zeros(n, dtype=bool), np.zeros(n), np.zeros((n, n)))
            return {"n": n, "at": at, "witness": None, "verdict": f"not computed: {problem}"}
        values, vectors = self.eigen(K)
        witness = find_witness(K, centred=self.allowed)
        c = vectors[:, 0] * np.sign(vectors[np.abs(vectors[:, 0]).argmax(), 0])
        proof = np.zeros(n, dtype=bool)
        if witness is not None:
            chosen = list(witness.points)
            c = np.zeros(n)
            c[chosen] = witness.c
            proof[chosen] = True
        self.draw(c, proof, values[::-1], K)
        among = " among c with Σ c = 0" if self.allowed else ""
        in_vain = self.searched == self.sought() and witness is None
        return {
            "n": n,
            "at": at,
            "among": among,
            "values": values[::-1],
            "lowest": values[0],
            "witness": witness,
            "verdict": self.judge(witness, among),
            "tries": TRIES if in_vain else None,
        }

    def eigen(self, K: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return ascending eigenvalues and their vectors, of those c that are allowed."""
        values, vectors = np.linalg.eigh(centre(K) if self.allowed else K)
        values[np.abs(values) < 1e-12 * largest(K)] = 0.0  # rounding has a sign too
        if self.allowed:  # without that of the vector of ones, which is not allowed
            ones = int(np.abs(vectors.sum(axis=0)).argmax())
            values, vectors = np.delete(values, ones), np.delete(vectors, ones, axis=1)
        return values, vectors

    def draw(self, c: FloatArray, proof: Any, values: FloatArray, K: FloatArray) -> None:
        """Show c at the points, those that prove something, eigenvalues, and the matrix."""
        self.points.show(self.X, c, proof)
        self.spectrum.show(values / largest(K))
        self.gram.show(K / largest(K))
        self.entries.show(K)

    def judge(self, witness: Witness | None, among: str) -> str:
        """Say what the points prove."""
        verdict = f"no cᵀKc < 0 at these points{among}. That proves nothing: other points may."
        if witness is not None:
            members = ", ".join(LETTERS[i] for i in witness.points)
            verdict = written(
                "NOT a kernel{}: {} at {}, c = ({:.3f}): cᵀKc = {:.3f}",
                among, members, said(self.X[list(witness.points)]), witness.c, witness.value,
            )  # fmt: skip
        together = coincidence(self.X, np.ones(len(self.X)))
        return verdict + f" {together}: they count as one." * bool(together)


def largest(K: FloatArray) -> float:
    """Return the largest size of an entry, or a tiny number where all are zero."""
    return max(float(np.abs(K).max()), 1e-300)


def said(points: FloatArray) -> str:
    """Write points."""
    return ", ".join(written("({:.2f})", point) for point in points)
