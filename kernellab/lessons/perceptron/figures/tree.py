"""A small decision tree as a classifier and as a scoring classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes

from kernellab.draw import style
from kernellab.draw.picture import Picture, picture


def scoring_tree(
    tests: Sequence[str],
    counts: Sequence[tuple[int, int]],
    scores: Sequence[float],
) -> Picture:
    """Draw a tree that asks one question after another; "yes" ends in a leaf, the last "no" too.

    Parameters
    ----------
    tests : The questions, q of them.
    counts : Training examples (of class −1, of class +1) in each of the q + 1 leaves.
    scores : A score for each leaf; its sign is the label of the majority.
    """
    figure = style.new_figure((7.5, 3.4))
    axes = figure.subplots()
    axes.set(xlim=(-0.75, len(tests) + 0.5), ylim=(-len(tests) - 0.55, 0.3))
    axes.set_axis_off()
    for depth, test in enumerate(tests):
        top = (depth, -depth)
        box(axes, top, test, facecolor="white", edgecolor=style.INK)
        for answer, end in (("yes", (depth - 0.25, -depth - 1)), ("no", (depth + 1, -depth - 1))):
            axes.plot(*zip(top, end, strict=True), color=style.NEUTRAL, zorder=1)
            x, y = (top[0] + end[0]) / 2, (top[1] + end[1]) / 2
            axes.text(x, y, answer, ha="center", va="center", backgroundcolor="white")
    leaves = [(depth - 0.25, -depth - 1) for depth in range(len(tests))]
    leaves.append((len(tests), -len(tests)))
    for leaf, (negative, positive), score in zip(leaves, counts, scores, strict=True):
        label = 1 if score > 0 else -1
        words = (
            f"{negative} of −1, {positive} of +1\nlabel {label:+d}   score {score:+.2f}".replace(
                "-", "−"
            )
        )
        box(axes, leaf, words, facecolor="white", edgecolor=style.COLOUR[label], linewidth=2.5)
    told = ", ".join(f"{c} scores {s:+.2f}" for c, s in zip(counts, scores, strict=True))
    told = told.replace("-", "−")
    return picture(figure, f"A decision tree; the leaves with counts (of −1, of +1): {told}.")


def box(axes: Axes, at: tuple[float, float], words: str, **frame: Any) -> None:
    """Write words in a frame, centred at a place in data units."""
    axes.text(
        *at, words, ha="center", va="center", zorder=3,
        bbox={"boxstyle": "round,pad=0.4"} | frame,
    )  # fmt: skip
