"""The live figures of notebook 01 against the rules they show."""

from __future__ import annotations

import numpy as np
import pytest
from moves import move

from kernellab.draw.style import COLOUR
from kernellab.lessons.perceptron import Losses, ManySeparators, PerceptronStepper
from kernellab.lessons.perceptron.figures.stepper import MAX_GRIPS, MAX_PASSES

pytestmark = pytest.mark.usefixtures("drawn_at_the_end")


@pytest.mark.parametrize("z", [-1.7, -0.7, 0.0, 1.2, 2.4])
def test_losses_at_a_margin(z):
    figure = Losses()
    figure.z = z
    assert figure.numbers["margin"] == pytest.approx(z)
    x1, x2 = figure.live.at[0]
    assert x1 + x2 - 0.5 == pytest.approx(z)  # the example went where the slider says
    logistic, exponential = np.log2(1 + np.exp(-z)), np.exp(-z)
    four = [float(z <= 0), max(0, 1 - z), logistic, (1 - z) ** 2]
    assert figure.numbers["values"] == pytest.approx(four)
    assert not any(artist.get_visible() for artist in figure.curves.more)
    figure.every = True
    assert figure.numbers["values"] == pytest.approx([*four, exponential, max(0, 1 - z) ** 2])
    assert all(artist.get_visible() for artist in figure.curves.more)


def test_losses_of_a_dragged_example():
    figure = Losses()
    said = move(figure, [(-0.5, 0.25)])
    assert figure.numbers["margin"] == pytest.approx(-0.75) and "(wrong)" in said
    assert figure.controls["z"].value == pytest.approx(-0.8)  # in steps of the slider
    figure.y = -1  # the slider stays, so the example changes sides
    assert figure.numbers["margin"] == pytest.approx(-0.75)
    assert figure.live.at[0].sum() - 0.5 == pytest.approx(0.75)
    assert "undecided" in move(figure, [(0.5, 0.0)])


def perceptron_by_hand(X, y, steps):
    """Return w and the counts after so many tests, by the rule itself."""
    w, alpha = np.zeros(3), np.zeros(len(y), dtype=int)
    for t in range(steps):
        i = t % len(y)
        x = np.append(X[i], 1.0)
        if y[i] * (w @ x) <= 0:
            w, alpha[i] = w + y[i] * x, alpha[i] + 1
    return w, alpha


def test_perceptron_after_t_tests():
    figure = PerceptronStepper()
    for t in (0, 1, 7, 16, 40, figure.controls["t"].max):
        figure.t = t
        w, alpha = perceptron_by_hand(figure.X, figure.y, t)
        assert figure.numbers["alpha"].tolist() == alpha.tolist()
        drawn = np.array(figure.line.lines[0].get_data()).T  # on the line, where there is one
        np.testing.assert_allclose(drawn @ w[:2] + w[2], 0, atol=1e-9)
    assert alpha.sum() <= figure.numbers["bound"]
    assert all(figure.y * (figure.X @ w[:2] + w[2]) > 0)
    assert "converged after 8 passes" in figure.live.readout
    figure.t = 30
    move(figure, [(-2.0, 1.0)])
    assert figure.X[0].tolist() == [-2.0, 1.0]
    _, moved = perceptron_by_hand(figure.X, figure.y, 30)
    assert figure.numbers["alpha"].tolist() == moved.tolist()


def test_perceptron_where_nothing_separates():
    figure = PerceptronStepper(sample="XOR", t=4 * MAX_PASSES, bound=True)
    assert figure.numbers["bound"] is None
    assert f"stopped at the cap after {MAX_PASSES} passes" in figure.live.readout
    assert figure.controls["t"].max == 4 * MAX_PASSES
    figure.sample = "AND"
    assert figure.numbers["bound"] >= figure.run.mistake.sum()


def test_perceptron_steps_and_shuffles():
    figure = PerceptronStepper()
    figure.step()
    assert (figure.t, figure.numbers["alpha"].sum(), figure.numbers["alpha"][0]) == (1, 1, 1)
    points, first = {tuple(x) for x in figure.X}, figure.X[0].copy()
    figure.shuffle()
    assert figure.t == 0 and {tuple(x) for x in figure.X} == points
    assert (figure.X[0] != first).any() and figure.live.at.tolist() == figure.X.tolist()
    colours = [handle["color"] for handle in figure.live.handles]
    assert colours == [COLOUR[int(label)] for label in figure.y]
    figure.sample = "iris: setosa, versicolor"  # measured: it stays where it was measured
    assert len(figure.X) == 100 > MAX_GRIPS > len(figure.live.at) == 0


def test_half_margins_are_those_of_the_lines_drawn():
    figure = ManySeparators(sample="two clouds", t=500)
    shown = zip(figure.lines, figure.numbers["half_margins"], strict=True)
    for line, half_margin in shown:
        a, b = np.transpose(line.lines[0].get_data())
        across = np.array([-(b - a)[1], (b - a)[0]]) / np.linalg.norm(b - a)
        distances = (figure.X - a) @ across
        assert abs(distances).min() == pytest.approx(abs(half_margin), abs=0.005)
        assert len(set(np.sign(distances * figure.y))) == 1  # it separates
