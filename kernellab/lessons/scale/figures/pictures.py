"""The printed pictures and tables of notebook 08."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.patches import Rectangle

from kernellab.draw import style
from kernellab.draw.picture import Picture, picture
from kernellab.lessons.scale.figures.growth_dial import (
    COLOURS,
    LOOKS,
    Guides,
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
THEORY = {PAIRS: "2 to 3", REST: "2 to 3", RIDGE: "3", NYSTROM: "1", FOURIER: "1", LINEAR: "1"}


def two_learners() -> Picture:
    """Return a picture of two exact learners with one kernel, and where they go from n = 1000."""
    figure, said = style.new_figure((7.6, 4.2)), []
    axes = figure.subplots()
    for name in (RIDGE, PAIRS):
        one, colour = curve(name), COLOURS[name]
        axes.plot(one.n, one.fit, marker=LOOKS[name], color=colour, linewidth=style.LINE,
                  label=name)  # fmt: skip
        took, words = np.array([one.fit[-1]]), time_words(float(one.fit[-1]))
        if one.n[-1] < MANY:
            ends = np.array([one.n[-1], MANY])
            both = goes_on(one, ends)
            axes.fill_between(ends, *both, color=colour, alpha=0.25, linewidth=0,
                              label=f"{name}, as it may go on")  # fmt: skip
            took = both[:, -1]
            words = " to\n".join(time_words(float(end), digits=1) for end in took)
        axes.annotate(words, (MANY, np.exp(np.log(took).mean())), (8, 4), va="center",
                      textcoords="offset points", color=colour)  # fmt: skip
        words = words.replace("\n", " ")
        said.append(f"{name} {'took' if len(took) == 1 else 'would take'} {words}")
    axes.set(xscale="log", yscale="log", xlim=(400, 4e5), xlabel="images n")
    axes.set(ylabel="time of a fit", title="Two exact learners, one kernel")
    time_ticks(axes)
    axes.set_ylim(5e-3, 2e5)
    Guides(axes).start(*(float(values[0]) for values in (curve(RIDGE).n, curve(RIDGE).fit)))
    axes.legend(loc="upper left")
    return picture(
        figure, "Time of a fit over n, both axes logarithmic, a fan where nobody waited, beside "
        "thin lines n, n² and n³ from ridge's first mark. At "
        f"n = {count_words(MANY)}: {'; '.join(said)}.",
    )  # fmt: skip


def goes_on(one: Curve, n: Any) -> Any:
    """Return seconds at n (k,), shape (2, k): by the last slope, and by the slope in theory."""
    slopes = [one.law(fewest=int(one.n[-2])).exponent, float(THEORY[one.method])]
    return np.array([one.fit[-1] * (n / one.n[-1]) ** slope for slope in slopes])


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
    """Return a picture of the images, of pixels X (n, 64), that were taken for other digits.

    y and `said`, of shape (n,), are the digits and what was predicted, which stands below an image;
    the first `most` are shown.
    """
    wrong = np.flatnonzero(np.asarray(y) != np.asarray(said))
    shown = wrong[:most]
    figure = style.new_figure((9.6, 1.8))
    panels = np.atleast_1d(figure.subplots(1, max(len(shown), 1)))
    framed(panels)
    for axes, i in zip(panels, shown, strict=False):
        axes.imshow(np.asarray(X)[i].reshape(SIDE, SIDE), cmap="gray_r")
        axes.set_xlabel(f"taken for {said[i]}", fontsize=10)
    words = ", ".join(f"{y[i]} taken for {said[i]}" for i in shown) or "none"
    return picture(figure, f"{len(wrong)} of {len(y)} images are wrong; shown: {words}.")


def slopes() -> Words:
    """Return the table of slopes: in theory, and measured in the last three steps.

    One against the rest is left to a later section.
    """
    lines = ["| learner | slope in theory | measured, last three steps |", "|---|---|---|"]
    for name, theory in THEORY.items():
        if name == REST:
            continue
        one = curve(name, 256 if name in (NYSTROM, FOURIER) else 0)
        steps = (np.diff(np.log(one.fit)) / np.diff(np.log(one.n)))[-3:].round(2)
        lines.append(f"| {one.label} | {theory} | {', '.join(f'{s:.2f}' for s in steps)} |")
    return Words("\n".join(lines))


def beside_scikit_learn() -> Words:
    """Return the ten-class table and slopes over the same sizes, as ours / scikit-learn's."""
    lines = ["| learner | right, % | fit, ms | predict 797, ms | MB for 10 000 | slope, over n |",
             "|---|---|---|---|---|---|"]  # fmt: skip
    for row in table():
        both = [curve(row["method"], row["m"], by=by) for by in (OURS, THEIRS)]
        top = int(min(one.n[-1] for one in both))
        sides = [(
            f"{row['right'][c.by]:.1f}", f"{1000 * row['fit'][c.by]:.0f}",
            f"{1000 * row['predict'][c.by]:.1f}", f"{c.megabytes[c.n == 10_000][0]:.0f}",
            f"{c.law(fewest=top // 10, most=top).exponent:.1f}") for c in both]  # fmt: skip
        cells = [" / ".join(pair) for pair in zip(*sides, strict=True)]
        lines.append(f"| {' | '.join([both[0].label, *cells])} (to {count_words(top)}) |")
    return Words("\n".join(lines))


def ten_digits() -> Words:
    """Return the ten-class table: percent right, time of a fit, and how far a gigabyte goes."""
    lines = ["| learner | test images right, % | time of a fit, ms | images that fill 1 GB |",
             "|---|---|---|---|"]  # fmt: skip
    for row in table():
        one = curve(row["method"], row["m"])
        right = f"{row['right'][OURS]:.1f}\u00a0±\u00a0{row['sd'][OURS]:.1f}"
        full = count_words(int(float(f"{one.memory_law().reaches(1000):.2g}")))
        if row["method"] == REST:  # SMO keeps at most 300 MB of rows: no line can be extended
            full = f"more than {count_words(one.n[-1])}"
        cells = [one.label, right, f"{1000 * row['fit'][OURS]:.0f}", full]
        lines.append(f"| {' | '.join(cells)} |")
    return Words("\n".join(lines))


def right_over_time() -> Picture:
    """Return a picture of the percent right over the seconds of a fit, with n at each end.

    Hollow marks are the rows of the ten-class table: means over ten splits of the originals.
    """
    figure, said = style.new_figure((8.4, 4.2)), []
    axes, rows = figure.subplots(), {(row["method"], row["m"]): row for row in table()}
    hollow: dict[str, Any] = {"linestyle": "", "markerfacecolor": "white", "markersize": 8}
    places = {RIDGE: (9, 0), REST: (0, 11), PAIRS: (9, 5), NYSTROM: (9, -9)}
    for name, m in [(RIDGE, 0), (REST, 0), (PAIRS, 0), (NYSTROM, 1024), (NYSTROM, 256)]:
        one, colour = curve(name, m), COLOURS[name]
        axes.plot(one.fit, one.right, "--" if m > 256 else "-", color=colour, marker=LOOKS[name],
                  linewidth=style.LINE, label=one.label)  # fmt: skip
        last = count_words(one.n[-1])
        side = "right" if name == REST else "left"
        axes.annotate(last, (one.fit[-1], one.right[-1]), places[name], color=colour,
                      textcoords="offset points", va="center", ha=side)  # fmt: skip
        end = f"{one.right[-1]:.1f} % after {time_words(float(one.fit[-1]))} on {last} copies"
        said.append(f"{one.label}: {end}")
        if row := rows.get((name, m)):
            axes.plot(row["fit"][OURS], row["right"][OURS], marker=LOOKS[name], color=colour,
                      zorder=3, **hollow)  # fmt: skip
            said[-1] += f" ({row['right'][OURS]:.1f} % on the originals)"
    axes.plot([], [], marker="o", color=style.NEUTRAL, label="hollow: 1000 originals", **hollow)
    axes.set(xscale="log", xlabel="time of the fit; at each end the number of copies")
    axes.set(ylabel="right, %", xlim=(8e-3, 50), ylim=(90, 100))
    axes.set_xticks(10.0 ** np.arange(-2, 2), ["10 ms", "100 ms", "1 s", "10 s"])
    axes.minorticks_off()
    axes.set_title("797 test images, none of them a copy")
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return picture(figure, f"Percent right over the time of a fit. {'; '.join(said)}.")


def right_over_n() -> Picture:
    """Return a picture of the percent right after n copies."""
    figure, said = style.new_figure((7.6, 4.2)), []
    axes = figure.subplots()
    shown = [(RIDGE, 0), (REST, 0), (PAIRS, 0), (NYSTROM, 256), (FOURIER, 1024), (FOURIER, 256)]
    for name, m in shown:
        one, colour, marker = curve(name, m), COLOURS[name], LOOKS[name]
        dashes = "--" if m > 256 else "-"
        axes.plot(one.n, one.right, dashes, color=colour, linewidth=style.LINE, marker=marker,
                  label=one.label)  # fmt: skip
        said.append(f"{one.label}: {one.right[-1]:.1f} % at n = {count_words(one.n[-1])}")
    axes.set(xscale="log", xlabel="copies n", ylabel="right, %", ylim=(88, 100))
    axes.set_title("Of 797 images that are no copies")
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return picture(figure, f"Percent right over the copies learnt from. {'; '.join(said)}.")


def cut_into_blocks(count: int = 4) -> Picture:
    """Return a picture of tall features Z cut into blocks, and of what each block sends home."""
    figure = style.new_figure((6.6, 4.4))
    axes = figure.subplots()
    side, tall = 0.5, 1.1  # of a square, and of a block
    axes.set(xlim=(-1, 7.2), ylim=(-0.6, count * tall + 0.1), aspect="equal")
    axes.axis("off")

    def box(x: float, middle: float, height: float, name: str, colour: str = style.INK) -> None:
        at = x, middle - height / 2
        axes.add_patch(Rectangle(at, side, height, facecolor=colour, alpha=0.2))
        axes.add_patch(Rectangle(at, side, height, fill=False, edgecolor=colour))
        axes.text(x + side + 0.15, middle, name, ha="left", va="center")

    for b in range(count):
        y = (count - b - 0.5) * tall
        box(0, y, tall, f"$Z_{b + 1}$")
        axes.annotate("", (2.7, y), (1.3, y), arrowprops={"arrowstyle": "->"})
        box(3, y, side, f"$Z_{b + 1}^\\top Z_{b + 1}$")
        if b:
            axes.text(3 + side / 2, y + tall / 2, "+", ha="center", va="center")
    axes.text(5.1, count * tall / 2, "=", ha="center", va="center", fontsize=16)
    box(5.7, count * tall / 2, side, "$Z^\\top Z$", style.ACCENT)
    axes.text(-0.15, count * tall / 2, "n rows", ha="right", va="center", color=style.NEUTRAL)
    for x, words in ((0, "m columns"), (3, "m × m each"), (5.7, "m × m")):
        axes.text(x + side / 2, -0.35, words, ha="center", va="center", color=style.NEUTRAL)
    return picture(
        figure, f"A tall, narrow matrix Z cut into {count} blocks of rows; each makes one small "
        "square, and the sum of the squares is as small as one of them.",
    )  # fmt: skip


def gap_over_rounds(gaps: Any, right: Any) -> Picture:
    """Return a picture of the duality gap and of the share that is right, over rounds 1, 2, …"""
    rounds = np.arange(1, len(gaps) + 1)
    figure = style.new_figure((8.4, 3.2))
    left, right_hand = figure.subplots(1, 2)
    for axes, values, title, mark in (
        (left, 100 * np.array(gaps), "gap, % of the objective", "o-"),
        (right_hand, 100 * np.array(right), "% of the test images right", "s-"),
    ):
        axes.plot(rounds, values, mark, color=style.INK, linewidth=style.LINE)
        axes.set(xlabel="round", xticks=rounds, title=title)
    left.set(yscale="log", yticks=(ticks := [10, 1, 0.1, 0.01]), yticklabels=ticks)
    below = 10 ** np.ceil(np.log10(100 * gaps[-1]))
    right_hand.set_ylim(90, 100)
    return picture(
        figure, f"Over {len(gaps)} rounds the gap falls from {gaps[0]:.0%} to below {below:g}%; "
        f"right are {right[0]:.0%} at first and {right[-1]:.0%} at last.",
    )  # fmt: skip


def rows_of_support(n: Any, support: Any, strips: int = 200) -> Picture:
    """Return a picture of Gram matrices of n (k,) examples, with `support` (k,) rows in black."""
    figure, rng, said = style.new_figure((8.4, 3.6)), np.random.default_rng(0), []
    for axes, size, some in zip(figure.subplots(1, len(n)), n, support, strict=True):
        black = np.zeros((strips, 1))
        black[rng.choice(strips, round(strips * some / size), replace=False)] = 1
        axes.imshow(black, cmap="gray_r", vmin=0, vmax=1.2, aspect="auto", interpolation="none")
        axes.set_box_aspect(1)
        said.append(f"{some:.0f} of {count_words(size)}")
        rows = "1 row" if size <= strips else f"{size // strips} rows"
        axes.set_xlabel(f"{said[-1]} rows\n(a line stands for {rows})")
        framed([axes])
    figure.suptitle("K of a pair; in black the rows of its support vectors", fontsize=12)
    return picture(
        figure, "Squares of one size, each the Gram matrix of a pair, with the rows of the support "
        f"vectors in black: {', '.join(said)}.",
    )  # fmt: skip


def small_against_large(classes: int = 10) -> Picture:
    """Return a picture of each problem as a square, as wide as it has images."""
    figure = style.new_figure((9.6, 2.9))
    axes = figure.subplots()
    axes.set(xlim=(0, classes), ylim=(0, 2.9), aspect="equal")
    axes.axis("off")
    few, pairs, gap = 2 / classes, classes * (classes - 1) // 2, 0.015
    for k in range(pairs + classes):
        pair = k < pairs
        x, y = (few * (k // 5), 1.6 + few * (k % 5)) if pair else (k - pairs, 0)
        side, colour = (few, COLOURS[PAIRS]) if pair else (1, COLOURS[REST])
        inner = side - 2 * gap
        axes.add_patch(Rectangle((x + gap, y + gap), inner, inner, facecolor=colour, alpha=0.6))
    for y, words in ((2.75, f"{pairs} pairs"), (1.17, f"{classes} against the rest")):
        axes.text(0, y, words, ha="left", va="center")
    axes.text(
        2.2, 2.1, "side: k, the images of a problem\narea: its time, if that is k²", va="center"
    )
    return picture(
        figure, f"Squares as wide as a problem has images: {pairs} small ones fill less than two "
        f"of the {classes} large ones.",
    )  # fmt: skip
