"""The live figures of notebook 03, moved from Python: the numbers must follow, and stay true."""

from __future__ import annotations

import numpy as np
import pytest
from moves import move

from kernellab.kernels.features import polynomial_map
from kernellab.lessons.kernels.figures.cross_term import CrossTerm, petals, squares_and_product
from kernellab.lessons.kernels.figures.digits_gram import GAUSSIAN, LAPLACIAN, DigitsGram
from kernellab.lessons.kernels.figures.gamma import GAMMAS, GammaDial
from kernellab.lessons.kernels.figures.kernel_perceptron import KERNELS, KernelPerceptron
from kernellab.lessons.kernels.figures.lift import Lift, lift, name_of_curve
from kernellab.lessons.kernels.figures.representer import START, OrthogonalComponent
from kernellab.lessons.kernels.figures.structures import MOLECULES, StructureGram
from kernellab.lessons.kernels.figures.witness import CANDIDATES, OWN, FindTheWitness

pytestmark = pytest.mark.usefixtures("drawn_at_the_end")

# --- the lift ------------------------------------------------------------------------------------


def test_a_horizontal_cut_is_a_circle_and_separates_the_rings():
    figure = Lift()
    figure.w2.value, figure.t.value = 1.0, 2.25
    assert figure.curve == "a circle"
    assert figure.mistakes == 0
    assert "on the wrong side: 0 of 60" in figure.live.readout
    figure.t.value = 0.2
    assert figure.mistakes > 20


@pytest.mark.parametrize("sample", ["two rings", "slanted ellipse", "four quarters (XOR)"])
def test_fit_separates(sample):
    figure = Lift(sample)
    figure.fit()
    assert figure.mistakes == 0
    w = np.array([figure.w1.value, figure.w2.value, figure.w3.value])
    scores = figure.y * (polynomial_map(figure.X, 2) @ w - figure.t.value)
    assert scores.min() > 0


def test_lift_is_the_map_of_the_lesson():
    X = np.random.default_rng(0).normal(size=(5, 2))
    np.testing.assert_allclose(lift(X), polynomial_map(X, 2))
    np.testing.assert_allclose(lift(X) @ lift(X).T, (X @ X.T) ** 2)


@pytest.mark.parametrize(
    ("w", "t", "name"),
    [
        ((1, 1, 0), 1, "a circle"), ((1, 0.5, 0), 1, "an ellipse"), ((1, -1, 0), 1, "a hyperbola"),
        ((0, 0, 1), 1, "a hyperbola"), ((0, 0, 1), 0, "two lines that cross"),
        ((1, 0, 0), 1, "two parallel lines"), ((1, 1, 0), -1, "nothing: all points on one side"),
        ((0, 0, 0), 1, "no cut, because w = 0"), ((-1, -1, 0), -1, "a circle"),
        ((0.5, 0.5, 0.3), 1, "an ellipse"), ((1, 0, 0), -1, "nothing"),
    ],
)  # fmt: skip
def test_names_of_curves(w, t, name):
    assert name_of_curve(np.array(w, dtype=float), t) == name


def test_the_view_by_slider_and_by_grip():
    figure = Lift()
    before = figure.live.still().png
    figure.turn.value = 40
    assert figure.live.still().png != before
    np.testing.assert_allclose(figure.live.at, [[40, 15]])
    move(figure, [[-60.4, 70]])
    assert (figure.turn.value, figure.tilt.value) == (-60, 70)
    assert "turn −60°, tilt 70°" in figure.live.readout
    figure.w1.value = 0.5  # another control leaves the view alone
    assert (figure.turn.value, figure.tilt.value) == (-60, 70)


def test_no_cut_at_all():
    figure = Lift()
    for control in (figure.w1, figure.w2, figure.w3, figure.t):
        control.value = 0.0
    assert "no cut" in figure.live.readout
    assert figure.live.error == ""
    assert figure.mistakes == 60  # a score of zero predicts nothing


# --- the cross term ------------------------------------------------------------------------------


def test_kappa_with_root_two_is_the_square_of_the_dot_product():
    figure = CrossTerm()
    x, z = figure.live.at
    assert figure.full == pytest.approx((x @ z) ** 2)
    assert figure.value == pytest.approx((x**2 * z**2).sum())
    figure.c.value = 1.414
    assert figure.value == pytest.approx(figure.full, abs=1e-3)
    assert figure.mistakes == 0
    move(figure, [(1.5, 0.0), z])
    figure.c.value = 0.0
    assert figure.value == pytest.approx(figure.full)  # on an axis nothing is missing


def test_the_lost_learner():
    figure = CrossTerm()
    assert figure.mistakes == 21
    figure.turn.value = 0
    assert figure.mistakes == 0
    figure.turn.value = 90
    assert figure.mistakes == 0
    move(figure, [(0, 0), (0, 0)])
    assert "(x·z)² = 0.000" in figure.live.readout


def test_petals_only_turn():
    X, _ = petals(0.0)
    turned, _ = petals(30.0)
    np.testing.assert_allclose(np.linalg.norm(X, axis=1), np.linalg.norm(turned, axis=1))
    np.testing.assert_allclose(
        squares_and_product(turned, np.sqrt(2)) @ squares_and_product(turned, np.sqrt(2)).T,
        squares_and_product(X, np.sqrt(2)) @ squares_and_product(X, np.sqrt(2)).T,
    )


# --- the kernel perceptron -----------------------------------------------------------------------


def test_the_counts_of_the_lesson():
    figure = KernelPerceptron()
    assert figure.alpha.tolist() == [1, 1, 1, 1]
    assert "kernel_perceptron(X, y, Polynomial(degree=2, coef0=1.0))" in figure.live.readout
    figure.sample.value = "XOR, inputs 0 and 1"
    assert figure.alpha.tolist() == [7, 5, 5, 4]
    assert "converged in 8 passes" in figure.live.readout
    figure.t.value = 4
    figure.step()
    assert figure.t.value == 5


@pytest.mark.parametrize(
    ("sample", "learners"),
    [
        ("XOR, inputs ±1", {"(x·z)²", "(1 + x·z)²", "Gaussian, γ = 1 (σ = 0.71)"}),
        ("XOR, inputs 0 and 1", {"(1 + x·z)²", "Gaussian, γ = 1 (σ = 0.71)"}),
        ("two rings", {"(1 + x·z)²", "Gaussian, γ = 1 (σ = 0.71)"}),
        ("iris: versicolor, virginica", set()),
    ],
)
def test_who_learns_what(sample, learners):
    figure = KernelPerceptron(sample)
    ended = set()
    for kernel in KERNELS:
        figure.kernel.value = kernel
        if "Converged" in figure.end:
            ended.add(kernel)
    assert ended == learners


# --- gamma ---------------------------------------------------------------------------------------


def test_from_everything_alike_to_everything_apart():
    figure = GammaDial()
    figure.gamma.value = 0
    assert "everything alike" in figure.live.readout
    assert "γ = 0.001 (σ = 22.4)" in figure.live.readout
    assert figure.train[0] > 0.4
    figure.gamma.value = len(GAMMAS) - 1
    assert "everything apart" in figure.live.readout
    assert figure.train[-1] == 0
    assert figure.test[-1] > 0.4
    assert "eigenvalues above 1 % of n: 40 of 40" in figure.live.readout
    best = int(figure.test.argmin())
    assert 0.25 < GAMMAS[best] / figure.median < 4  # the median heuristic is not far off
    figure.gamma.value = best
    assert figure.test[best] < 0.08


def test_c_shows_lambda():
    figure = GammaDial()
    figure.cost.value = 100.0
    assert "C = 100 (λ = 0.00025)" in figure.live.readout
    labels = [label for label, _ in figure.cost.options]
    assert labels[3] == "100 (λ = 0.00025)"
    figure.sample.value = "iris: versicolor, virginica"  # 50 examples instead of 40
    assert [label for label, _ in figure.cost.options][3] == "100 (λ = 0.0002)"
    assert figure.cost.value == 100.0


def test_the_matrix_and_the_machine_are_those_of_these_points():
    figure = GammaDial()
    move(figure, figure.live.at + 0.1)
    k = figure.gamma.value
    alpha = figure.alphas[k]
    assert abs(alpha @ figure.y) < 1e-9
    assert alpha.min() >= 0
    assert alpha.max() <= figure.cost.value
    shift = figure.train.copy()
    move(figure, figure.live.at - 0.1)
    np.testing.assert_array_equal(figure.train, shift)  # a shift changes no distance …


def test_two_labels_on_one_point():
    figure = GammaDial("one point, two labels")
    for k in (0, 12, 24):
        figure.gamma.value = k
        assert figure.train[k] > 0
        assert figure.live.error == ""


# --- digits --------------------------------------------------------------------------------------


@pytest.mark.rounding
def test_the_digits_of_the_lesson():
    figure = DigitsGram()
    assert "within a digit 0.627, between digits 0.229; most alike: 3 and 9" in figure.live.readout
    assert "right for 95.0%" in figure.live.readout
    assert "x is a 3, z is a 8" in figure.live.readout
    figure.dial.value = 1
    assert "within a digit 0.878, between digits 0.677" in figure.live.readout


@pytest.mark.rounding
def test_another_kernel_has_another_dial():
    figure = DigitsGram()
    figure.kernel.value = GAUSSIAN
    assert figure.dial.description == "γ"
    assert "σ = " in figure.live.readout
    figure.dial.index = 0
    assert "within a digit 1.000" in figure.live.readout
    figure.dial.index = 24
    assert "between digits 0.000" in figure.live.readout
    figure.kernel.value = LAPLACIAN
    assert figure.live.readout.startswith("Laplacian")


def test_the_cross_picks_an_entry():
    figure = DigitsGram()
    move(figure, [(0.5, 119.9)])
    assert "x is a 9, z is a 0" in figure.live.readout
    move(figure, [(120.0, 120.0)])  # the very edge
    assert "x is a 9, z is a 9: k(x, z) = 1.000" in figure.live.readout


# --- the witness ---------------------------------------------------------------------------------


def test_tanh_at_1_2_3():
    figure = FindTheWitness()
    assert figure.lowest == pytest.approx(-0.139, abs=5e-4)
    assert figure.witness.points == (0, 2)
    assert "NOT a kernel" in figure.live.readout
    move(figure, [(1, 0), (0, 1), (0, 0)])
    assert figure.witness is None
    assert "proves nothing" in figure.live.readout


@pytest.mark.parametrize(
    ("name", "kernel", "with_bias"),
    [
        ("tanh(x·z)", False, False), ("(x·z − 1)²", False, False), ("(x·z + 1)²", True, True),
        ("|x·z|", False, False), ("exp(−‖x−z‖²)", True, True), ("exp(−‖x−z‖⁴)", False, False),
        ("exp(−‖x−z‖)", True, True), ("−‖x−z‖²", False, True), ("−‖x−z‖", False, True),
        ("cos(‖x−z‖)", False, False), ("cos(x₁ − z₁)", True, True), ("min(x₁, z₁)", False, True),
    ],
)  # fmt: skip
def test_search(name, kernel, with_bias, monkeypatch):
    monkeypatch.setattr("kernellab.lessons.kernels.figures.witness.TRIES", 200)
    figure = FindTheWitness()
    figure.candidate.value = name
    assert figure.formula.value == CANDIDATES[name]
    figure.number.value = 5
    for centred, innocent in ((False, kernel), (True, with_bias)):
        figure.allowed.value = centred
        figure.search()
        assert (figure.witness is None) == innocent, (name, centred)
        assert ("none with cᵀKc < 0" in figure.live.readout) == innocent
        if not innocent:
            assert figure.witness.value < 0


def test_a_formula_of_ones_own():
    figure = FindTheWitness()
    figure.formula.value = "dot - 5"
    assert figure.candidate.value == OWN
    assert figure.witness is not None
    figure.formula.value = "exp(-dist**2)"
    assert figure.candidate.value == "exp(−‖x−z‖²)"
    for bad in ("foo(", "x1", "__import__('os')", "1/dist", ""):
        figure.formula.value = bad
        assert "not computed: the formula" in figure.live.readout
        assert figure.live.error == ""
    figure.search()
    assert figure.live.error == ""
    figure.formula.value = "tanh(dot)"
    assert figure.lowest < 0


def test_the_number_of_points():
    figure = FindTheWitness()
    before = figure.live.at
    figure.number.value = 8
    assert figure.live.at.shape == (8, 2)
    np.testing.assert_array_equal(figure.live.at[:3], before)
    assert len(figure.live.handles) == 8
    figure.number.value = 2
    assert figure.live.at.shape == (2, 2)
    move(figure, [(1, 1), (1, 1)])
    assert figure.live.error == ""


# --- the representer theorem ---------------------------------------------------------------------


def test_values_stay_the_norm_grows():
    figure = OrthogonalComponent()
    assert figure.moved < 1e-9
    assert figure.wiggle > 1
    norms = []
    for t in (0.0, 1.0, 2.0, 4.0):
        figure.t.value = t
        assert figure.moved < 1e-9
        norms.append(figure.squared_norms[1])
    assert norms == sorted(norms)
    assert norms[0] == figure.squared_norms[0]
    growth = np.diff(norms) / np.diff(np.array([0.0, 1.0, 2.0, 4.0]) ** 2)
    np.testing.assert_allclose(growth, growth[0])  # t² ‖g‖²


def test_a_bump_on_an_example_has_nothing_orthogonal():
    figure = OrthogonalComponent()
    move(figure, np.vstack([START, [START[3, 0], 0.0]]))
    assert "g is zero" in figure.live.readout
    assert figure.wiggle < 1e-3


def test_across_the_axis_is_the_other_class():
    figure = OrthogonalComponent()
    loss = figure.loss
    points = np.vstack([START, [0.2, 0.0]])
    points[3, 1] = -1
    move(figure, points)
    assert figure.loss != loss
    points[:8, 1] = 1.0  # the last point of a class is gone
    move(figure, points)
    assert figure.moved < 1e-9
    points[:8, 0] = 0.7  # all on one another
    move(figure, points)
    assert figure.moved < 1e-9
    figure.t.value = -4
    assert figure.live.error == ""


def test_sigma_shows_gamma():
    figure = OrthogonalComponent()
    figure.sigma.value = 0.5
    assert "σ = 0.5 (γ = 2)" in figure.live.readout


# --- texts and graphs ----------------------------------------------------------------------------


def test_towns():
    figure = StructureGram()
    assert figure.accuracy == pytest.approx(175 / 204)
    assert "k(Freiburg, Strasbourg) = 0.302   in common: g_ rg ur" in figure.live.readout
    figure.dial.value = 5
    assert figure.accuracy < 0.75
    assert "in common: nothing" in figure.live.readout
    figure.normalised.value = False
    assert figure.live.readout.startswith("Spectrum(p=5)")


def test_molecules():
    figure = StructureGram()
    figure.data.value = MOLECULES
    assert figure.dial.description == "rounds h"
    assert figure.accuracy == pytest.approx(85 / 86)
    assert "wrong: 2,2,4-trimethylpentane" in figure.live.readout
    figure.dial.value = 0
    assert figure.accuracy < 0.86
    assert "k(1-butanol, diethyl ether) = 17" in figure.live.readout
    figure.normalised.value = True
    figure.dial.value = 1
    assert figure.accuracy < 0.75
    move(figure, [(85.9, 0.0)])
    assert "methane" in figure.live.readout
    figure = StructureGram(MOLECULES)
    assert "Weisfeiler" in figure.live.alt
