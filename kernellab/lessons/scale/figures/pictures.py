"""The printed pictures and tables of notebook 08."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernellab.draw import style
from kernellab.draw.picture import Picture, picture
from kernellab.lessons.scale.figures.growth_dial import (
    COLOURS,
    LOOKS,
    count_words,
    time_ticks,
    time_words,
)
from kernellab.lessons.scale.theory.growth import (
    FOURIER,
    LINEAR,
    NYSTROM,
    OURS,
    PAIRS,
    REST,
    RIDGE,
    THEIRS,
    Curve,
    curve,
    table,
)
from kernellab.lessons.scale.theory.images import SIDE, halves, shifted
from kernellab.page.course import Words

MANY = 100_000
THEORY = {
    PAIRS: "between n² and n³",
    REST: "between n² and n³",
    RIDGE: "n² entries, then n³",
    NYSTROM: "n m²",
    FOURIER: "n m",
    LINEAR: "n",
}


def two_learners() -> Picture:
    """Return a picture of two exact learners with one kernel, and where they go from n = 1000."""
    figure, said = style.new_figure((7.6, 4.2)), []
    axes = figure.subplots()
    for name in (RIDGE, PAIRS):
        one, colour, marker = curve(name), COLOURS[name], LOOKS[name]
        law = last_decade(one)
        axes.plot(one.n, one.fit, marker=marker, color=colour, linewidth=style.LINE, label=name)
        ends = np.array([one.n[-1], MANY])
        if one.n[-1] < MANY:
            axes.plot(
                ends,
                law(ends),
                "--",
                color=colour,
                linewidth=style.LINE,
                label=f"{name}, if its line goes on",
            )
            axes.plot(MANY, law(MANY), marker, color=colour, markerfacecolor="white", markersize=9)
            said.append(f"{name} would take {time_words(float(law(MANY)))}")
        else:
            said.append(f"{name} took {time_words(one.fit[-1])}")
    axes.set(xscale="log", yscale="log", xlim=(400, 2e5), ylim=(5e-3, 2e5))
    axes.set(xlabel="images n", ylabel="time of a fit", title="Two exact learners, one kernel")
    time_ticks(axes)
    axes.set_ylim(5e-3, 2e5)
    axes.legend(loc="upper left")
    return picture(
        figure, "Time of a fit over n, both axes logarithmic, dashed where nobody waited. At "
        f"n = {count_words(MANY)}: {'; '.join(said)}.",
    )  # fmt: skip


def framed(panels: Any) -> None:
    """Give each picture of an image a thin frame on all sides."""
    for axes in panels:
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set(visible=True, linewidth=0.5, color="gray")


def copies(count: int = 11) -> Picture:
    """Return a picture of a digit, and of copies that are shifted, dimmed and noisy."""
    images, digits, _, _ = halves()
    rng = np.random.default_rng(0)
    image = images[np.flatnonzero(digits == 8)[0]]
    moved = shifted(np.tile(image, (count, 1)), rng.uniform(-1, 1, (count, 2)))
    moved = moved * rng.uniform(0.7, 1, (count, 1)) + 0.05 * rng.normal(size=moved.shape)
    figure = style.new_figure((9.6, 1.3))
    panels = figure.subplots(1, count + 1)
    for axes, one in zip(panels, [image, *np.clip(moved, 0, 1)], strict=True):
        axes.imshow(one.reshape(SIDE, SIDE), cmap="gray_r", vmin=0, vmax=1)
    framed(panels)
    panels[0].set_title("original", fontsize=10)
    panels[1].set_title("copies", fontsize=10)
    return picture(figure, f"An image of the digit 8, and {count} copies, each a little moved.")


def misread(X: Any, y: Any, said: Any, most: int = 12) -> Picture:
    """Return a picture of the images, of pixels X (n, 64), that were read as other digits.

    y and `said`, of shape (n,), are the digits and what was predicted; the first `most` are shown.
    """
    wrong = np.flatnonzero(np.asarray(y) != np.asarray(said))
    shown = wrong[:most]
    figure = style.new_figure((9.6, 1.7))
    panels = np.atleast_1d(figure.subplots(1, max(len(shown), 1)))
    framed(panels)
    for axes, i in zip(panels, shown, strict=False):
        axes.imshow(np.asarray(X)[i].reshape(SIDE, SIDE), cmap="gray_r")
        axes.set_title(f"{y[i]}, read {said[i]}", fontsize=10)
    words = ", ".join(f"{y[i]} read as {said[i]}" for i in shown) or "none"
    return picture(figure, f"{len(wrong)} of {len(y)} images are misread; shown: {words}.")


def last_decade(one: Curve) -> Any:
    """Return the power law through the sizes of its last factor of ten."""
    return one.law(fewest=int(one.n[-1] // 10))


def slopes() -> Words:
    """Return the table of exponents: what theory says, and the last factor of ten up to some n."""
    lines = ["| learner | slope in theory | ours | scikit-learn's |", "|---|---|---|---|"]
    for name, theory in THEORY.items():
        m = 256 if name in (NYSTROM, FOURIER) else 0
        one, other = curve(name, m), curve(name, m, by=THEIRS)
        ours, theirs = (
            f"{last_decade(c).exponent:.1f} (to {count_words(c.n[-1])})" for c in (one, other)
        )
        lines.append(f"| {one.label} | {theory} | {ours} | {theirs} |")
    return Words("\n".join(lines))


def ten_digits() -> Words:
    """Return the ten-class table: percent right, times as ratios, and how far a gigabyte goes."""
    lines = [
        "| learner | right, % | scikit-learn's | fit, ratio | predict, ratio | 1 GB is full at n |",
        "|---|---|---|---|---|---|",
    ]
    for row in table():
        label = f"{row['method']}, m = {row['m']}" if row["m"] else row["method"]
        right = (f"{row['right'][by]:.1f}\u00a0±\u00a0{row['sd'][by]:.1f}" for by in (OURS, THEIRS))
        ratios = (f"{row[name]:.1f}" for name in ("fit_ratio", "predict_ratio"))
        full = curve(row["method"], row["m"]).memory_law().reaches(1000)
        cells = [label, *right, *ratios, count_words(int(float(f"{full:.2g}")))]
        lines.append(f"| {' | '.join(cells)} |")
    return Words("\n".join(lines))
