"""The marks of notebook 05 that do arithmetic: stems, and round numbers."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab.draw.style import new_figure
from kernellab.lessons.sdca.figures.run_marks import CurveAndStems, round_up


@pytest.mark.parametrize(
    ("value", "limit"), [(0.8, 1), (1, 1), (1.01, 2), (0.03, 0.05), (20, 20), (21, 50), (0, 1)]
)
def test_round_limits(value, limit):
    assert round_up(value) == pytest.approx(limit)


def test_stems_reach_from_the_floor_to_alpha():
    axes = new_figure().subplots()
    marks = CurveAndStems(axes, axes.twinx())
    grid = np.linspace(0, 1, 5)
    x, y, alpha = np.array([0.1, 0.5, 0.9]), np.array([1.0, -1, 1]), np.array([0.0, 2.0, 1.0])
    marks.show((grid, grid, grid), x, y, alpha, used=1)
    assert marks.n_stems == 3
    tops = [segment[1] for segment in marks.stems.get_segments()]
    np.testing.assert_array_equal(tops, np.column_stack([x, alpha]))
    assert marks.used.get_xydata().tolist() == [[0.5, 2.0]]
