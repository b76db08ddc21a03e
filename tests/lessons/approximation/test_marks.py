"""Marks of notebook 07 that have a logic of their own."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab.draw import style
from kernellab.lessons.approximation.figures.digits_mkl import Rivals, WeightTable
from kernellab.lessons.approximation.figures.landmarks import Scoreboard
from kernellab.lessons.approximation.figures.mkl_triangle import (
    CORNERS,
    LATTICE,
    WeightTriangle,
    pixels_from_lattice,
    to_plane,
    to_weights,
)


def test_corners_are_single_kernels():
    np.testing.assert_allclose(to_plane(np.eye(3)), CORNERS)
    weights = np.random.default_rng(0).dirichlet(np.ones(3), size=20)
    np.testing.assert_allclose(to_weights(to_plane(weights)), weights, atol=1e-12)
    outside = to_weights(np.array([0.5, -0.1]))
    assert outside.sum() == pytest.approx(1.0)
    assert outside[2] < 0


def test_the_picture_of_a_plane_is_that_plane():
    slope = np.array([0.3, -1.0, 2.0])
    matrix = pixels_from_lattice()
    x1, x2 = np.meshgrid(np.linspace(0, 1, 90), np.linspace(0, CORNERS[2, 1], 78))
    weights = to_weights(np.stack([x1.ravel(), x2.ravel()], axis=-1))
    inside = weights.min(axis=1) >= 0
    seen = matrix @ (LATTICE @ slope)
    np.testing.assert_allclose(seen[inside], (weights @ slope)[inside], atol=1e-5)
    assert np.isfinite(matrix).all()


def test_flat_values_draw_no_level():
    axes = style.new_figure().subplots()
    mark = WeightTriangle(axes)
    path = np.array([[1.0, 0.0, 0.0]])
    mark.show(np.full(len(LATTICE), 3.0), path, ("a", "b", "c"))
    assert all(not np.isfinite(line).all() or len(line) < 2 for line in mark.lines.get_segments())
    assert len(mark.best.get_xdata()) == 0


def test_scores_outside_the_axis_stand_at_its_ends():
    axes = style.new_figure().subplots()
    board = Scoreboard(axes, ("one", "two"), (0.02, 1.0))
    board.show(0.001, np.array([[0.001, 0.003], [0.4, 0.6]]), 0.0005)
    assert board.yours.get_offsets()[0, 0] == 0.02
    assert board.draws.get_offsets()[:, 0].min() == 0.02
    assert [text.get_text() for text in board.words] == ["0.001", "0.002", "0.500"]
    assert 0.02 < board.words[0].get_position()[0] < 0.03  # inside


def test_dark_cells_have_light_numbers():
    axes = style.new_figure().subplots()
    table = WeightTable(axes, 1, ("a", "b"), "Greys")
    table.show(np.array([[0.9, 0.001]]))
    assert [text.get_text() for text in table.words] == ["0.90", "0"]
    assert table.words[0].get_color() == "white"


def test_bars_are_one_standard_error_to_both_sides():
    left = style.new_figure().subplots()
    rivals = Rivals(left, ("a", "b"), (0.8, 1.0))
    rivals.show(np.array([0.9, 0.99]), np.array([0.03, 0.02]))
    np.testing.assert_allclose([bar[:, 0] for bar in rivals.bars.get_segments()],
                               [[0.87, 0.93], [0.97, 1.0]])  # fmt: skip
    assert rivals.words[0].get_text() == "90.0% ± 3.0%"
