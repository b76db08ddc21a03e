"""Round marks with straight edges cannot be told from round ones, and others stay."""

from __future__ import annotations

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.path import Path

from kernellab.draw.style import new_figure
from kernellab.live.quick_marks import straighten

CURVES = (Path.CURVE3, Path.CURVE4)


def drawn(*, straight):
    figure = new_figure((4.0, 3.0))
    axes = figure.subplots()
    x = np.linspace(0, 1, 8)
    axes.scatter(x, x, s=[20, 46, 90, 160, 330, 330, 160, 46], c="#0b5fa5", edgecolors="black")
    axes.scatter(x, 1 - x, s=300, facecolors="none", edgecolors="#7b3294", label="rings")
    axes.scatter(x, x**2, marker="s", s=60)
    axes.legend()
    if straight:
        straighten(figure)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    curved = [
        collection.get_paths()[0].codes is not None
        and np.isin(collection.get_paths()[0].codes, CURVES).any()
        for collection in axes.collections
    ]
    return np.asarray(canvas.buffer_rgba())[..., :3].astype(int), curved


def test_nobody_can_tell():
    round_ones, before = drawn(straight=False)
    straight_ones, after = drawn(straight=True)
    assert before == [True, True, False]
    assert after == [False, False, False]
    difference = np.abs(round_ones - straight_ones)
    assert difference.max() < 48
    assert difference.mean() < 0.05
