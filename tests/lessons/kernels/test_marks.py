"""Marks of notebook 03 that compute: projection, cuts, level lines, molecules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab.datasets import load_molecules
from kernellab.draw import style
from kernellab.draw.contours import LevelLines, level_curve
from kernellab.draw.matrix import GramImage
from kernellab.draw.space import cut_of_box, viewed_from
from kernellab.lessons.kernels.figures.molecule import layout
from kernellab.lessons.kernels.figures.spectrum_marks import Spectrum
from kernellab.lessons.kernels.figures.trick_marks import border
from kernellab.lessons.kernels.figures.witness import Entries, SignedPoints

angles = st.floats(-180, 180)


@given(angles, angles)
def test_a_view_is_a_rotation(turn, tilt):
    view = viewed_from(turn, tilt)
    np.testing.assert_allclose(view.T @ view, np.eye(3), atol=1e-12)
    assert np.linalg.det(view) == pytest.approx(1.0)


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=3), st.floats(-2, 2))
def test_a_cut_lies_in_the_plane_in_the_box_and_is_convex(w, t):
    w = np.array(w)
    if np.linalg.norm(w) < 1e-3:
        return
    low, high = np.array([-1.0, -1.0, 0.0]), np.array([1.0, 1.0, 1.0])
    corners = cut_of_box(w, t, low, high)
    box = np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, 8).T
    sides = np.sign(box @ w - t)
    if len(corners) == 0:
        assert (sides <= 0).all() or (sides > 0).all()
        return
    np.testing.assert_allclose(corners @ w, t, atol=1e-9)
    assert (corners >= low - 1e-9).all() and (corners <= high + 1e-9).all()
    edges = np.roll(corners, -1, axis=0) - corners
    turns = np.cross(edges, np.roll(edges, -1, axis=0)) @ w  # all to one side
    assert (turns >= -1e-9).all() or (turns <= 1e-9).all()


def test_a_level_curve_is_where_the_level_is():
    x = np.linspace(-2, 2, 81)
    values = x[np.newaxis] ** 2 + x[:, np.newaxis] ** 2
    curve = level_curve(x, x, values, 1.5)
    inside = curve[~np.isnan(curve[:, 0])]
    np.testing.assert_allclose((inside**2).sum(axis=1), 1.5, atol=2e-3)
    assert np.isnan(level_curve(x, x, values, -1.0)).all()
    axes = style.new_figure().subplots()
    lines = LevelLines(axes, (-1.0, 0.0, 1.0))
    lines.show(x, x, values - 1.5)
    assert [len(line.get_segments()) for line in lines.lines] == [1, 1, 1]


def test_lines_may_cross():
    x, axes = np.linspace(-1, 1, 21), style.new_figure().subplots()
    lines = LevelLines(axes, crossing=True)
    lines.show(x, x, np.outer(x, x))
    for piece in lines.lines[0].get_segments():  # on the axes, without a bend in between
        middles = (piece[1:] + piece[:-1]) / 2
        np.testing.assert_allclose(middles.prod(axis=1), 0, atol=1e-9)


def test_every_molecule_has_bonds_of_one_length_and_no_atom_on_another():
    data = load_molecules()
    for graph, name in zip(data.X, data.names, strict=True):
        places = layout(graph.neighbours)
        lengths = [
            np.linalg.norm(places[v] - places[u])
            for v, around in enumerate(graph.neighbours)
            for u in around
        ]
        np.testing.assert_allclose(lengths, 1.0, err_msg=name)
        gaps = np.linalg.norm(places[:, None] - places, axis=2) + 9 * np.eye(len(places))
        assert gaps.min() > 0.45, name
        assert np.abs(places[:, 0]).max() < 4.6, name
        assert np.abs(places[:, 1]).max() < 2.4, name


def test_a_matrix_its_borders_and_its_entry():
    axes = style.new_figure().subplots()
    image = GramImage(axes, cross=True)
    image.show(np.eye(4), [2], entry=(1, 3), low=0.0, high=2.0)
    assert axes.get_xlim() == (0, 4)
    assert axes.get_ylim() == (4, 0)
    assert image.image.get_clim() == (0, 2)
    assert list(image.cross[0].get_ydata()) == [1.5, 1.5]
    assert list(image.cross[1].get_xdata()) == [3.5, 3.5]
    assert len(image.borders.get_segments()) == 2


def test_negative_eigenvalues_are_told_apart():
    axes = style.new_figure().subplots()
    mark = Spectrum(axes)
    mark.show(np.array([2.0, 0.0, -1.0]))
    assert len(mark.tops[1].get_offsets()) == 2
    assert mark.tops[-1].get_offsets().tolist() == [[3, -1]]


def test_signs_and_small_matrices():
    axes = style.new_figure().subplots()
    axes.set(ylim=(-3, 3))
    points = SignedPoints(axes, 3)
    points.show(np.array([[0, 0], [1, 2.9]]), np.array([0.6, -0.8]), np.array([True, True]))
    assert [text.get_text() for text in points.words[:2]] == ["A\n", "B\n"]
    assert [text.get_text() for text in points.told[:2]] == ["\n+0.60", "\n−0.80"]
    assert not points.words[2].get_visible()
    entries = Entries(axes, 2)
    entries.show(np.array([[1.0, -0.25], [-0.25, 3.0]]))
    assert entries.words[0][1].get_text() == "−0.25"
    entries.show(-np.eye(2))
    assert entries.words[0][1].get_text() == "0"  # without the sign of zero
    entries.show(np.array([[1.0, 1e-145], [0.0, 0.002]]))  # no room for so many signs
    said = [[word.get_text() for word in row] for row in entries.words]
    assert said == [["1", "≈0"], ["0", "0.002"]]
    entries.show(np.eye(3))
    assert not entries.words[0][0].get_visible()


def test_the_border_is_where_the_score_is_zero():
    X, y = np.array([[0.0, 0.0], [2.0, 0.0]]), np.array([1.0, -1.0])

    def circle(points):
        return 1 - (points**2).sum(axis=1)

    assert border(circle, X, y).png == border(lambda points: 7 * circle(points), X, y).png
    assert border(circle, X, y).png != border(lambda points: circle(points) + 1, X, y).png
