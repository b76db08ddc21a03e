"""What the live figures of notebooks 02 and 03 say, in words, after a bad move."""

from __future__ import annotations

import numpy as np
import pytest
from moves import move

from kernellab.lessons.kernels.figures.digits_gram import GAUSSIAN, DigitsGram
from kernellab.lessons.kernels.figures.gamma import GammaDial
from kernellab.lessons.kernels.figures.kernel_perceptron import KernelPerceptron
from kernellab.lessons.kernels.figures.representer import OrthogonalComponent
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


def test_two_labels_on_a_line():
    figure = AlphaPath(sample="one point, two labels")
    assert figure.numbers["together"].endswith("two labels coincide: no score meets both")
    figure = OrthogonalComponent()
    points = figure.live.at
    points[0, 0] = points[2, 0]
    assert "two labels coincide: no f meets both" in move(figure, points)
    points[:-1, 1] = 1.0
    assert "only one class is left" in move(figure, points)


def test_hulls_that_all_but_touch():
    figure = Hulls(sample="three points")
    said = move(figure, np.array([[0.0, 0.005], [-1.0, 2.0], [0.0, 0.0]]))
    assert "distance δ = 0.005" in said and "the hulls all but touch" in said


def test_curves_over_c_stay_in_their_axes():
    figure = SoftMargin()
    said = move(figure, np.zeros((len(figure.y), 2)))
    assert "no line: w = 0" in said and "inf" not in said
    for panel, least in ((figure.slack, 20), (figure.counts, 0)):
        highest = max(line.get_ydata().max() for line in panel.lines.values())
        assert panel.axes.get_ylim()[1] > highest > least


def test_one_margin_error_is_not_one_errors():
    figure = AlphaPath(C=7.5)
    assert "5 support vectors and 1 margin error." in figure.live.alt
    points = figure.live.at
    points[:, 1] = -0.5
    move(figure, points)
    assert "all of one class" in figure.live.alt


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


def test_digits_at_both_ends():
    figure = DigitsGram()
    assert figure.numbers["everything"] == ""
    n_degrees = len(figure.controls["dial"].options)
    figure.kernel = GAUSSIAN
    assert len(figure.controls["dial"].options) == n_degrees
    figure.dial = 0.0  # the nearest there is
    assert "everything alike" in figure.numbers["everything"]
    figure.dial = 1e9
    assert "γ = 1000 " in figure.live.readout
    assert "everything apart" in figure.numbers["everything"]


def test_words_of_near_points_do_not_cover_each_other():
    figure = FindTheWitness(formula="exp(-dist**4)")
    move(figure, np.array([[-0.72, -0.91], [-1.38, -0.89], [-0.3, -1.11]]))
    places = [
        figure.points.axes.transData.transform(text.xy) * 0.72 + text.get_position()
        for text in figure.points.words[:3]
    ]
    for i, j in ((0, 1), (0, 2), (1, 2)):
        across, up = np.abs(places[i] - places[j])
        assert across > 30 or up > 25


def test_eigenvalues_among_c_that_sum_to_zero_are_one_fewer():
    figure = FindTheWitness(formula="-dist**2", allowed=True)
    assert len(figure.numbers["values"]) == len(figure.live.at) - 1
    assert "1 points" not in move(figure, np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]]))
    assert "2 points coincide" in figure.live.readout
