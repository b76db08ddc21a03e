"""The live figures of notebook 03, moved from Python: the numbers must follow, and stay true."""

from __future__ import annotations

import numpy as np
import pytest
from moves import move
from sklearn.svm import SVC

from kernellab.lessons.kernels.figures.cross_term import CrossTerm
from kernellab.lessons.kernels.figures.digits_gram import GAUSSIAN, LAPLACIAN, DigitsGram
from kernellab.lessons.kernels.figures.gamma import GAMMAS, GammaDial
from kernellab.lessons.kernels.figures.kernel_perceptron import KERNELS, KernelPerceptron
from kernellab.lessons.kernels.figures.lift import Lift, lifted
from kernellab.lessons.kernels.figures.representer import START, OrthogonalComponent
from kernellab.lessons.kernels.figures.structures import MOLECULES, TOWNS, StructureGram
from kernellab.lessons.kernels.figures.witness import CANDIDATES, OWN, FindTheWitness

pytestmark = pytest.mark.usefixtures("drawn_at_the_end")

# --- the lift ------------------------------------------------------------------------------------


def test_the_lift_is_the_feature_times_the_slider():
    X = np.random.default_rng(0).normal(size=(5, 2))
    np.testing.assert_allclose(lifted(X, "x₁² + x₂²", 0.5)[:, 2], 0.5 * (X**2).sum(axis=1))
    np.testing.assert_allclose(lifted(X, "x₁ x₂", 2.0)[:, 2], 2 * X[:, 0] * X[:, 1])
    np.testing.assert_array_equal(lifted(X, "x₁ x₂", 2.0)[:, :2], X)


@pytest.mark.parametrize("lift", [0.0, 0.06, 0.6])
def test_the_sheet_is_that_of_a_linear_svm(lift):
    figure = Lift(lift=lift)
    Z = lifted(figure.X, figure.feature, lift)
    svm = SVC(kernel="linear", C=1).fit(Z, figure.y)
    assert figure.numbers["mistakes"] == np.sum(svm.predict(Z) != figure.y)


def test_the_view_by_slider_and_by_grip():
    figure = Lift()
    before = figure.live.still().png
    figure.turn = 40
    assert figure.live.still().png != before
    np.testing.assert_allclose(figure.live.at, [[40, 24]])
    move(figure, [[-60.4, 70]])
    assert (figure.turn, figure.tilt) == (-60, 70)
    figure.sample = "XOR"  # another control leaves the view alone
    assert (figure.turn, figure.tilt) == (-60, 70)


# --- the cross term ------------------------------------------------------------------------------


def test_kappa_with_root_two_is_the_square_of_the_dot_product():
    figure = CrossTerm()
    x, z = figure.live.at
    assert figure.numbers["full"] == pytest.approx((x @ z) ** 2)
    assert figure.numbers["kappa"] == pytest.approx((x**2 * z**2).sum())
    figure.c = 1.414
    assert figure.numbers["kappa"] == pytest.approx(figure.numbers["full"], abs=1e-3)
    move(figure, [(1.5, 0.0), z])
    figure.c = 0.0  # on an axis nothing is missing
    assert figure.numbers["kappa"] == pytest.approx(figure.numbers["full"])


# --- the kernel perceptron -----------------------------------------------------------------------


def test_the_counts_of_the_lesson():
    figure = KernelPerceptron()
    assert figure.numbers["alpha"].tolist() == [1, 1, 1, 1]
    assert str(figure.numbers["code"]) == "Polynomial(degree=2, coef0=1.0)"
    figure.sample = "XOR, inputs 0 and 1"
    assert figure.numbers["alpha"].tolist() == [7, 5, 5, 4]
    assert figure.numbers["converged"] and figure.t == figure.numbers["n_steps"] == 8 * 4


@pytest.mark.parametrize(
    ("sample", "mistakes"),
    [
        ("XOR, inputs 0 and 1", {"(1 + x·z)²": 21, "Gaussian, γ = 1 (σ = 0.71)": 4}),
        ("two rings", {"(1 + x·z)²": 27, "Gaussian, γ = 1 (σ = 0.71)": 8}),
        ("iris: versicolor, virginica", {}),
    ],
)
def test_who_learns_what(sample, mistakes):
    figure = KernelPerceptron(sample=sample)
    learned = {}
    for figure.kernel in KERNELS:
        if figure.numbers["converged"]:
            learned[figure.kernel] = figure.numbers["total"]
    assert learned == mistakes


# --- gamma ---------------------------------------------------------------------------------------


def test_from_everything_alike_to_everything_apart():
    figure = GammaDial(gamma=0)
    assert "everything alike" in figure.numbers["finding"]
    assert figure.controls["gamma"].label == "0.001 (σ = 22.4)"
    assert figure.numbers["train"] > 0.4
    assert np.isnan(figure.train.get_ydata()).all()  # nobody is told before the guess
    figure.curves = True
    np.testing.assert_array_equal(figure.train.get_ydata(), figure.run.train)
    figure.gamma = len(GAMMAS) - 1
    assert "everything apart" in figure.numbers["finding"]
    assert figure.numbers["train"] == 0
    assert figure.numbers["test"] > 0.4
    best = int(figure.run.test.argmin())
    assert 0.25 < GAMMAS[best] / figure.numbers["median"] < 4  # the heuristic is not far off
    assert figure.run.test[best] < 0.08


def test_c_shows_lambda():
    figure = GammaDial(cost=100.0)
    assert figure.controls["cost"].label == "100 (λ = 0.00025)"
    figure.sample = "iris: versicolor, virginica"  # 50 examples instead of 40
    assert figure.controls["cost"].label == "100 (λ = 0.0002)"
    assert figure.cost == 100.0


def test_the_matrix_and_the_machine_are_those_of_these_points():
    figure = GammaDial()
    move(figure, figure.live.at + 0.1)
    alpha = figure.run.alphas[figure.gamma]
    assert abs(alpha @ figure.y) < 1e-9
    assert alpha.min() >= 0
    assert alpha.max() <= figure.cost
    before = figure.run.train
    move(figure, figure.live.at - 0.1)
    np.testing.assert_array_equal(figure.run.train, before)  # a shift changes no distance …


# --- digits --------------------------------------------------------------------------------------


def test_another_kernel_has_another_dial():
    figure = DigitsGram(dial=1)
    figure.kernel = GAUSSIAN
    assert figure.controls["dial"].description == "γ"
    assert "γ = 1.778 (σ = 0.53)" in figure.live.readout  # its own beginning
    figure.dial = 0.0  # the nearest there is
    assert figure.numbers["within"] > 0.999
    figure.dial = 1e9
    assert figure.numbers["between"] < 0.001
    figure.kernel = LAPLACIAN
    assert figure.live.readout.startswith("Laplacian (ℓ1), γ = 0.1778 ")


def test_the_cross_picks_an_entry():
    figure = DigitsGram()
    move(figure, [(0.5, 119.9)])
    assert (figure.numbers["x"], figure.numbers["z"]) == (9, 0)
    move(figure, [(120.0, 120.0)])  # the very edge
    assert (figure.numbers["x"], figure.numbers["z"]) == (9, 9)
    assert figure.numbers["k"] == pytest.approx(1)


# --- the witness ---------------------------------------------------------------------------------


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
    figure = FindTheWitness(candidate=name, number=5)
    assert figure.formula == CANDIDATES[name]
    for centred, innocent in ((False, kernel), (True, with_bias)):
        figure.allowed = centred
        figure.search()
        witness = figure.numbers["witness"]
        assert (witness is None) == innocent, (name, centred)
        assert ("none with cᵀKc < 0" in figure.live.readout) == innocent
        if not innocent:
            assert witness.value < 0


def test_a_formula_of_ones_own():
    figure = FindTheWitness(formula="dot - 5")
    assert figure.candidate == OWN
    assert figure.numbers["witness"] is not None
    figure.formula = "exp(-dist**2)"
    assert figure.candidate == "exp(−‖x−z‖²)"
    for bad in ("foo(", "x1", "__import__('os')", "1/dist", ""):
        figure.formula = bad
        assert "not computed: the formula" in figure.numbers["verdict"]
        assert figure.live.error == ""
    figure.search()
    assert figure.live.error == ""
    figure.formula = "tanh(dot)"
    assert figure.numbers["lowest"] < 0


def test_the_number_of_points():
    figure = FindTheWitness()
    before = figure.live.at
    figure.number = 8
    assert figure.live.at.shape == (8, 2)
    np.testing.assert_array_equal(figure.live.at[:3], before)
    assert len(figure.live.handles) == 8
    figure.number = 2
    np.testing.assert_array_equal(figure.live.at, before[:2])


# --- the representer theorem ---------------------------------------------------------------------


def test_values_stay_the_norm_grows():
    figure = OrthogonalComponent()
    assert figure.numbers["wiggle"] > 1
    grown, ts = [], np.array([0.0, 1.0, 2.0, 4.0])
    for t in ts:
        figure.t = t
        assert figure.numbers["moved"] < 1e-9
        grown.append(figure.numbers["grown"])
    assert grown == sorted(grown)
    assert grown[0] == figure.numbers["norm"]
    growth = np.diff(grown) / np.diff(ts**2)
    np.testing.assert_allclose(growth, growth[0])  # t² ‖g‖²


def test_a_bump_on_an_example_has_nothing_orthogonal():
    figure = OrthogonalComponent(points=np.vstack([START, [START[3, 0], 0.0]]))
    assert "g is zero" in figure.live.readout
    assert figure.numbers["wiggle"] < 1e-3


def test_across_the_axis_is_the_other_class():
    figure = OrthogonalComponent()
    loss = figure.numbers["loss"]
    points = np.vstack([START, [0.2, 0.0]])
    points[3, 1] = -1
    move(figure, points)
    assert figure.numbers["loss"] != loss
    points[:8, 1] = 1.0  # the last point of a class is gone
    move(figure, points)
    assert figure.numbers["moved"] < 1e-9
    points[:8, 0] = 0.7  # all on one another
    move(figure, points)
    assert figure.numbers["moved"] < 1e-9


# --- texts and graphs ----------------------------------------------------------------------------


def test_towns():
    figure = StructureGram(dial=2)
    assert figure.numbers["accuracy"] == pytest.approx(175 / 204)
    assert [text.get_text() for text in figure.percent] == ["", "86%", "", "", ""]
    figure.every = True
    assert [text.get_text() for text in figure.percent] == ["75%", "86%", "79%", "77%", "72%"]
    assert "k(Freiburg, Strasbourg) = 0.302   in common: g_ rg ur" in figure.live.readout
    below = [text.get_text().split("\n")[1] for text in figure.spelled]
    assert below == ["      ▔▔▔▔", "        ▔▔▔▔"]  # urg_ of _freiburg_ and of _strasbourg_
    figure.dial = 5
    assert figure.numbers["accuracy"] < 0.75
    assert figure.numbers["shared"] == "in common: nothing"
    figure.normalised = False
    assert "Normalized" not in str(figure.numbers["kernel"])


def test_molecules():
    figure = StructureGram()
    figure.data = MOLECULES
    assert figure.controls["dial"].description == "rounds h"
    assert figure.numbers["accuracy"] < 0.86
    assert figure.numbers["pair"] == "k(1-butanol, diethyl ether) = 17"
    for figure.dial, (k, butanol, ether) in enumerate(((17, 5, 5), (21, 2, 4), (21, 0, 0))):
        assert figure.numbers["pair"].endswith(f" = {k}")
        assert f"ringed: {butanol} and {ether} atoms" in figure.live.alt
        assert [len(one.rings.get_offsets()) for one in figure.pictures] == [butanol, ether]
    move(figure, [(85.9, 0.0)])
    assert "methane" in figure.numbers["pair"]
    figure.data = TOWNS
    assert [len(one.rings.get_offsets()) for one in figure.pictures] == [0, 0]
    assert "Weisfeiler" in StructureGram(data=MOLECULES).live.alt


def test_another_kernel_is_shown_at_the_end_of_its_own_run():
    figure = KernelPerceptron()
    figure.sample = "two rings"
    longer = figure.numbers["n_steps"]
    for figure.kernel in ("Gaussian, γ = 1 (σ = 0.71)", "(1 + x·z)²"):
        assert figure.t == figure.numbers["n_steps"]
    assert figure.t == longer
    figure.t, figure.kernel = 3, "x·z"
    assert figure.t == 3
