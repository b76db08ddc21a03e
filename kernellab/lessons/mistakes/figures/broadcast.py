"""Live figure of notebook 09: the broadcast microscope. One missing axis makes n × n residuals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure as MplFigure
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from kernellab.datasets.targets import GAMMAS, LINEAR_LAMS, TEST_SEED, make_bowl
from kernellab.draw import style
from kernellab.draw.curves import Curves, lowest
from kernellab.draw.field import show_field
from kernellab.draw.mark import Mark
from kernellab.draw.title import moving_title
from kernellab.kernels import Gaussian
from kernellab.lessons.mistakes.ridge_experiment import error_terms, mean_squared_error
from kernellab.live.controls import Check, Choice, Ladder
from kernellab.live.declared import Figure
from kernellab.live.memoize import memoize
from kernellab.live.parameters import gamma_with_sigma
from kernellab.live.readout import written
from kernellab.solvers.ridge import ridge_path
from kernellab.validation import FloatArray

BoolArray = NDArray[np.bool_]

N = 100
X, Y = make_bowl()
X_TEST, Y_TEST = make_bowl(seed=TEST_SEED)
LAMS = np.unique(np.concatenate([10.0 ** (np.arange(-32, 11) / 8), [0.01, 0.05, 1.0, 5.0]]))
VECTOR, COLUMN = "(n,): a list", "(n, 1): a column"
ERRORS = (0, 0.5)  # (bottom, top): of lists and of columns, shuffled or not
NAMES = ("Var y", "Var ŷ", "(mean y − mean ŷ)²", "−2 Cov(y, ŷ)")
RESIDUALS = LinearSegmentedColormap.from_list(
    "kernellab.residuals", ["#b85c00", "#f3a64a", "#ffffff", "#6fa8d6", "#0b4f8a"]
)
CLOSER = (
    " A lens shows nine of them, round row {}, column {}. "
    "Bars: Var y {:.3f}, Var ŷ {:.3f}, means {:.3f}, −2 Cov {:.3f}{}."
)
UNLIT, DARK = 0.14, 0.17  # how much of its colour an entry keeps in the dark, and how dark that is
REACH = 1  # a lens shows so many rows and columns to either side of its middle


@memoize
def predict(gamma: float, *, shuffled: bool) -> FloatArray:
    """Return predictions at each of L λ, shape (L, n)."""
    kernel = Gaussian(gamma)
    predictions: FloatArray = ridge_path(kernel(X), Y, LAMS).coef @ kernel(X, X_TEST)
    if shuffled:
        predictions = predictions[:, np.random.default_rng(6).permutation(N)]
    return predictions


@memoize
def measure(predictions: FloatArray, *, column: bool) -> FloatArray:
    """Return the error at each λ, shape (L,), of predictions as lists or as columns."""
    shape = (len(LAMS), N, 1) if column else (len(LAMS), N)
    return np.array([mean_squared_error(Y_TEST, row) for row in predictions.reshape(shape)])


class BroadcastMicroscope(Figure):
    """All differences of n targets and n predictions, of which only the diagonal means anything.

    Test data of the published experiment, fitted without any other mistake. Drag the lens, or Tab
    to it and use the arrow keys. If it is ``folded``, lens and terms are left out. Taught in
    notebook 09.
    """

    at_first = ("shape", "lam", "shuffled")
    question = "What becomes of the error if predictions are a column, not a list?"
    answer = ("terms", "error")
    size, strip_size = (10.4, 5.9), (7.7, 5.2)
    shape = Choice("shape of predictions", [VECTOR, COLUMN])
    lam = Ladder("λ", LAMS, 0.05, lambda lam, figure: f"{lam:.3g}")
    gamma = Ladder("γ", GAMMAS, 8.0, gamma_with_sigma)
    order = Choice("examples in order of", ["target", "drawing"])
    shuffled = Check("shuffle the predictions")
    memory = {"folded": False}
    folded: bool
    grip_names = ("the lens: right is target j, down prediction i",)
    presets = {
        "n residuals": {"shape": VECTOR},
        "shuffled, n": {"shape": VECTOR, "shuffled": True},
        "shuffled, n × n": {"shape": COLUMN, "shuffled": True},
        "n × n residuals": {"shape": COLUMN},
        "n × n, much λ": {"shape": COLUMN, "lam": LAMS[32]},
    }
    readout = (
        "y − ŷ: {shapes}   mean square {mean_square:.4f}   lowest {lowest:.4f} at λ = {best:.3g}\n"
        "middle of the lens: {middle:.3f} = target {column} − prediction in row {row}"
    )
    alt = (
        "The 100 × 100 differences of targets and predictions: {counted}, mean square "
        "{mean_square:.4f} at λ = {lam:.3g}, γ = {gamma:g}.{closer} The curve over λ is lowest at "
        "λ = {best:.3g}."
    )

    def build(self, figure: MplFigure) -> Axes | None:
        """Make the matrix, the lens, the terms and the curve."""
        if self.folded:
            figure.set_size_inches(9.4, 4.6)
            left, right = figure.subplots(1, 2, width_ratios=[1, 1.05])
            self.build_both(left, right)
            self.matrix.lens.set_visible(False)
            self.lens = self.terms = None
            return None
        hall = style.in_lecture()
        axes = figure.subplot_mosaic(
            [["matrix", "lens", "terms"], ["matrix", "curve", "curve"]],
            width_ratios=[1.4, 1.2, 1.0] if hall else [1.75, 0.95, 0.9],
            height_ratios=[1.6 if hall else 1.2, 1],
        )
        self.build_both(axes["matrix"], axes["curve"])
        # Grips need an axis that grows upwards; rows are counted downwards.
        place: Any = axes["matrix"].get_subplotspec()
        pad = figure.add_subplot(place)
        pad.set(xlim=(0, N), ylim=(0, N))
        pad.set_axis_off()
        pad.spines[:].set_visible(False)
        pad.set_box_aspect(1.0)
        self.lens = Lens(axes["lens"])
        axes["lens"].set_title("under the lens", pad=24 if hall else 18)
        self.terms = Waterfall(axes["terms"], NAMES, (-0.02, 0.75 if hall else 0.6))
        axes["terms"].set_title("what is added up")
        axes["terms"].set_xticks([0, 0.2, 0.4])
        return pad

    def build_both(self, matrix: Axes, curve: Axes) -> None:
        """Make the matrix and the curve."""
        self.matrix = ResidualMatrix(matrix, N)
        matrix.set_title(r"target $y_j$ minus prediction $\hat y_i$")
        self.key = [matrix, curve]
        self.curve = Curves(curve, {"error": (style.INK, "-")})
        curve.set(
            xscale="log", xlim=(LAMS[0], LAMS[-1]), xlabel="λ (log scale)", ylim=ERRORS,
        )  # fmt: skip
        curve.set_ylabel("mean square", loc="top")  # clear of the matrix's last tick
        low, high = LINEAR_LAMS[[0, -1]]
        words = "the λ tried" if self.folded else "the λ that were tried"
        curve.axvspan(low, high, color="#ececec", zorder=0)
        curve.text(
            np.sqrt(low * high), 0.97, words, ha="center", va="top",
            transform=curve.get_xaxis_transform(), fontsize=9, color=style.NEUTRAL,
        )  # fmt: skip
        self.error = curve
        self.title = moving_title(self.error)

    def grips(self) -> Any:
        """Return the middle of the lens."""
        return [] if self.folded else [(30.5, N - 30.5)]

    def handles(self) -> list[dict[str, str]]:
        """Return what is read aloud of the lens."""
        return [] if self.folded else super().handles()

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Predict at every λ, take differences as the shapes have it, and average their squares."""
        column, k = self.shape == COLUMN, self.controls["lam"].index
        predictions = predict(self.gamma, shuffled=self.shuffled)
        errors = measure(predictions, column=column)
        # In the order of the targets the eye finds its way in the matrix.
        order = np.arange(N) if self.order == "drawing" else np.argsort(Y_TEST)
        y, predicted = Y_TEST[order], predictions[k][order]
        residuals = y - predicted[:, np.newaxis]  # what NumPy makes of (n,) and (n, 1)
        counts = np.eye(N, dtype=bool) | column
        mean_square = float(np.mean(residuals[counts] ** 2))
        terms = error_terms(y, predicted)
        near: dict[str, Any] = {"closer": ""}
        if self.lens and self.terms:
            places = np.floor([N - points[0, 1], points[0, 0]]).astype(int)
            i, j = (int(place) for place in np.clip(places, REACH, N - REACH - 1))
            self.matrix.frame(i, j)
            self.lens.show(y, predicted, (i, j), counts)
            self.terms.show([*terms[:3], None if column else terms[3]], mean_square)
            near = {"row": i + 1, "column": j + 1, "middle": residuals[i, j]}
            near["closer"] = written(CLOSER, i + 1, j + 1, *terms, " (left out)" * column)
        self.matrix.show(residuals, counts)
        best = lowest(errors)
        self.curve.show(LAMS, {"error": errors}, LAMS[k], star="error")
        self.title.set_text(f"star: the lowest “test error”, at λ = {LAMS[best]:.2g}")
        return {
            "shapes": "(100,) − (100, 1) → (100, 100)" if column else "(100,) − (100,) → (100,)",
            "mean_square": mean_square,
            "errors": errors,
            "lowest": errors[best],
            "best": LAMS[best],
            **near,
            "counted": "all 10 000 entries count"
            if column
            else "only the 100 on the diagonal count",
            "terms": terms,
        }


def lit_colours(residuals: FloatArray, saturation: float, counts: BoolArray) -> FloatArray:
    """Return the colours of entries, (n, m, 3): those that do not count lie in the dark."""
    colours = RESIDUALS(0.5 + 0.5 * residuals / saturation)[..., :3]
    return np.asarray(np.where(counts[..., np.newaxis], colours, DARK + UNLIT * (colours - 0.5)))


class ResidualMatrix(Mark):
    """All n × n differences as an image: what counts is lit; and the frame of a lens over it."""

    def __init__(self, axes: Axes, n: int, *, saturation: float = 1.5) -> None:
        self.axes, self.n, self.saturation = axes, n, saturation
        self.image = show_field(axes, between="nearest", extent=(0, n, n, 0), zorder=0)
        self.diagonal = LineCollection([], colors=style.INK, linewidths=0.5, zorder=1)
        axes.add_collection(self.diagonal, autolim=False)
        self.lens = Rectangle(
            (0, 0), 2 * REACH + 1, 2 * REACH + 1, facecolor="none", edgecolor=style.ACCENT,
            linewidth=style.LINE, zorder=3,
            path_effects=[withStroke(linewidth=5, foreground="white")],
        )  # fmt: skip
        axes.add_patch(self.lens)
        axes.set(xlim=(0, n), ylim=(n, 0), xlabel="target j", ylabel="prediction i")
        axes.set(xticks=[0, n // 2, n], yticks=[0, n // 2, n])
        axes.set_box_aspect(1.0)
        ends = np.arange(n + 1)
        stairs = np.repeat(ends, 2)
        self.diagonal.set_segments(
            [np.column_stack([stairs[1:], stairs[:-1]]), np.column_stack([stairs[:-1], stairs[1:]])]
        )

    def show(self, residuals: FloatArray, counts: BoolArray) -> None:
        """Show the matrix, (n, n), and which entries count, (n, n)."""
        colours = lit_colours(residuals, self.saturation, counts)
        self.image.set_data(np.uint8(255 * colours + 0.5))  # bytes are drawn faster than floats
        self.diagonal.set_visible(bool(counts.all()))  # in the dark it is seen without a frame

    def frame(self, row: int, column: int) -> None:
        """Put the lens over its middle."""
        self.lens.set_xy((column - REACH, row - REACH))


def short(value: float, digits: int) -> str:
    """Write a number; in a lecture hall, where type is large, with a digit less and no zero."""
    hall = style.in_lecture()
    digits -= hall
    words = written("{:.{}f}", round(value, digits), digits)
    return words.replace("0.", ".", 1) if hall else words


class Lens(Mark):
    """A few entries, enlarged, with their numbers; those on the diagonal are framed."""

    def __init__(self, axes: Axes, *, saturation: float = 1.5) -> None:
        side = 2 * REACH + 1
        self.saturation = saturation
        self.image = show_field(axes, between="nearest", extent=(0, side, side, 0), zorder=0)
        self.frames = LineCollection([], colors=style.INK, linewidths=0.7 * style.LINE, zorder=2)
        axes.add_collection(self.frames, autolim=False)
        self.numbers = [
            axes.text(c + 0.5, r + 0.5, "", ha="center", va="center", fontsize=11, zorder=3)
            for r in range(side)
            for c in range(side)
        ]
        self.heads = [
            axes.text(side / 2, -0.06, "", ha="center", va="bottom", fontsize=10),
            axes.text(-0.06, side / 2, "", ha="right", va="center", fontsize=10, rotation=90),
        ]
        axes.set(xlim=(0, side), ylim=(side, 0), xticks=[], yticks=[])
        axes.spines[:].set_visible(True)
        axes.spines[:].set_color(style.ACCENT)
        axes.spines[:].set_linewidth(style.LINE)
        axes.set_box_aspect(1.0)

    def show(
        self, y: FloatArray, predicted: FloatArray, middle: tuple[int, int], counts: BoolArray
    ) -> None:
        """Show y (n,) minus predicted (n,) round a row and a column; which count is (n, n)."""
        rows = np.arange(middle[0] - REACH, middle[0] + REACH + 1)
        columns = np.arange(middle[1] - REACH, middle[1] + REACH + 1)
        entries = y[columns] - predicted[rows, np.newaxis]
        lit = counts[np.ix_(rows, columns)]
        self.image.set_data(lit_colours(entries, self.saturation, lit))
        for text, value, on in zip(self.numbers, entries.ravel(), lit.ravel(), strict=True):
            text.set_text(short(value, 2))
            dark = not on or abs(value) > 0.75 * self.saturation
            text.set_color("white" if dark else style.INK)
        own = np.argwhere(rows[:, np.newaxis] == columns)
        self.frames.set_segments(
            [[(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1), (c, r)] for r, c in own]
        )
        self.heads[0].set_text(f"j = {columns[0] + 1} … {columns[-1] + 1}")
        self.heads[1].set_text(f"i = {rows[0] + 1} … {rows[-1] + 1}")


class Waterfall(Mark):
    """Terms that add up: one bar after another, each beginning where the last one ends."""

    def __init__(self, axes: Axes, names: Sequence[str], limits: tuple[float, float]) -> None:
        self.axes = axes
        colours = (style.POSITIVE, "#7fb0db", style.NEUTRAL, style.NEGATIVE)
        hatches = ("", "//", "..", "xx")
        self.bars = [
            axes.barh([k], [0], height=0.62, color=colour, edgecolor="white", hatch=hatch)[0]
            for k, (colour, hatch) in enumerate(zip(colours, hatches, strict=True))
        ]
        self.total = axes.barh([len(names)], [0], height=0.62, color=style.ACCENT)[0]
        self.links = LineCollection([], colors=style.INK, linewidths=0.8, linestyles=":", zorder=3)
        axes.add_collection(self.links, autolim=False)
        self.words = [axes.text(0, k, "", va="center", fontsize=9) for k in range(len(names) + 1)]
        axes.set(
            xlim=limits, ylim=(len(names) + 0.5, -0.6), yticks=range(len(names) + 1),
            yticklabels=[*names, "mean square"],
        )  # fmt: skip
        axes.tick_params(axis="y", length=0)
        axes.axvline(0, color=style.INK, linewidth=style.THIN)

    def show(self, terms: Sequence[float | None], total: float) -> None:
        """Show the terms, None for one that is left out, and what they add up to."""
        at, links = 0.0, []
        for k, (bar, term) in enumerate(zip(self.bars, terms, strict=True)):
            size = 0.0 if term is None else term
            bar.set(x=min(at, at + size), width=abs(size))
            links.append([(at + size, k - 0.31), (at + size, k + 1.31)])
            self.words[k].set_x(max(at, at + size) + 0.01)
            self.words[k].set_text("left out" if term is None else short(term, 3))
            at += size
        self.links.set_segments(links)
        self.total.set(x=0, width=total)
        self.words[-1].set_x(total + 0.01)
        self.words[-1].set_text(f"{total:.4f}")
