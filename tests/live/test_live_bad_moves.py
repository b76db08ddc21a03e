"""What the live figures of notebooks 02 and 03 say, in words, after a bad move."""

from __future__ import annotations

import numpy as np
import pytest
from moves import move

from kernellab.lessons.kernels.figures.gamma import GammaDial
from kernellab.lessons.kernels.figures.kernel_perceptron import KernelPerceptron
from kernellab.lessons.kernels.figures.witness import FindTheWitness
from kernellab.lessons.margin.figures.c_path import AlphaPath
from kernellab.lessons.margin.figures.class_weights import N_RARE, ClassWeights
from kernellab.lessons.margin.figures.hulls import Hulls
from kernellab.lessons.margin.figures.soft_margin import SoftMargin
from kernellab.live.coincide import coincidence


def test_coincidence_in_words():
    X = np.array([[0.0, 1.0], [0.0, 1.0], [2.0, 2.0]])
    assert coincidence(X, np.array([1.0, 1.0, -1.0])) == "2 points coincide"
    assert coincidence(X, np.array([1.0, -1.0, -1.0]), "so what") == (
        "points with two labels coincide: so what"
    )
    assert coincidence(X[1:], np.array([1.0, -1.0])) == ""


def test_two_labels_on_a_line():
    figure = AlphaPath(sample="one point, two labels")
    assert figure.numbers["together"].endswith("two labels coincide: no score meets both")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Hulls, "points with two labels coincide"),
        (SoftMargin, "two labels coincide: their slacks sum to 2 at least"),
        (KernelPerceptron, "two labels coincide: no kernel tells them apart"),
        (GammaDial, "two labels coincide: no kernel tells them apart"),
    ],
)
def test_a_point_with_two_labels(kind, words):
    figure = kind()
    assert "coincide" not in figure.live.readout
    points = figure.live.at
    one, other = (np.flatnonzero(figure.y[: len(points)] == label)[0] for label in (1, -1))
    points[one] = points[other]
    assert words in move(figure, points)


def test_hulls_that_all_but_touch():
    figure = Hulls(sample="three points")
    said = move(figure, np.array([[0.0, 0.005], [-1.0, 2.0], [0.0, 0.0]]))
    assert "distance δ = 0.005" in said and "the hulls all but touch" in said


def test_costs_that_leave_no_line():
    figure = ClassWeights(ratio=0.25)
    assert "w = 0: every point has the same score" in figure.live.readout
    assert figure.line.words.get_text() == "w = 0: no line"
    assert figure.numbers["area"] == 0.5
    figure.ratio = 3.0
    move(figure, np.tile([[-3.9, 3.9]], (N_RARE, 1)))
    assert np.isfinite(figure.numbers["area"])


@pytest.mark.rounding
def test_a_score_of_rounding_has_no_boundary():
    figure = GammaDial()
    move(figure, np.tile(figure.X[0], (len(figure.X), 1)))
    assert all(len(line.get_segments()) == 0 for line in figure.lines.lines)
    assert figure.errors.get_ylim()[1] > 1  # nobody is right, and the curve is seen


def test_eigenvalues_among_c_that_sum_to_zero_are_one_fewer():
    figure = FindTheWitness(formula="-dist**2", allowed=True)
    assert len(figure.numbers["values"]) == len(figure.live.at) - 1
    assert "1 points" not in move(figure, np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]]))
    assert "2 points coincide" in figure.live.readout
