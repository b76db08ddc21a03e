"""The live figures of notebook 04, moved from Python: the numbers must follow, and stay true."""

from __future__ import annotations

import numpy as np
import pytest
from moves import move

from kernellab.datasets import load_rings
from kernellab.kernels import Polynomial
from kernellab.lessons.pegasos.figures.model_grid import ModelGrid
from kernellab.lessons.pegasos.figures.pegasos_bound import CHECKPOINTS, PegasosBound
from kernellab.lessons.pegasos.figures.pegasos_break import FEATURE, FREE, NONE, PegasosBreak
from kernellab.lessons.pegasos.figures.pegasos_kernel import FIXED, LATE, OWN, RIGHT, KernelCounts
from kernellab.lessons.pegasos.figures.stepper import STEPS, PegasosStepper
from kernellab.lessons.pegasos.figures.words import PAIRS, WordWeights
from kernellab.lessons.pegasos.theory.model_choice import Model, all_models, try_models
from kernellab.live.progress import InPlace, progress_bar
from kernellab.solvers.linear import dual_coordinate_descent
from kernellab.solvers.perceptron import homogeneous
from kernellab.solving import solve

pytestmark = pytest.mark.usefixtures("drawn_at_the_end")


def healthy(figure):
    assert figure.live.error == "", figure.live.last_traceback
    assert "nan" not in figure.live.readout + figure.live.alt
    return figure.live.readout


@pytest.fixture(scope="module")
def trials():
    rings = load_rings()
    return try_models(rings.X[:200], rings.y[:200], all_models())


# --- one step at a time --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made():
    """Making a figure takes longer than moving it."""
    return PegasosStepper()


@pytest.fixture
def figure(made):
    """The stepper as it is when it is new."""
    start = {"lam": 0.1, "t": 3, "project": False, "average": "last w", "k": 1}
    for name, value in start.items():
        made.set_quietly(getattr(made, name), value)
    made.seed = 0
    made.live.draw()
    return made


def test_the_sentence_is_the_step(figure):
    """Each step, done again by hand from its own sentence's numbers."""
    lam, w = figure.lam.value, np.zeros(2)
    kinds = set()
    for t in range(1, 25):
        figure.t.value = t
        said = healthy(figure)
        assert said.startswith(f"step {t}: example ")
        i = int(said.split("example ")[1].split()[0])
        margin = figure.y[i] * (figure.X[i] @ w)
        assert f"has margin {margin:.2f} ".replace("-", "−") in said
        kinds.add(margin < 1)
        assert ("< 1, so w ←" in said) == (margin < 1)
        assert ("≥ 1, so it only shrinks" in said) == (margin >= 1)
        w = (1 - 1 / t) * w + (margin < 1) * figure.y[i] / (lam * t) * figure.X[i]
        np.testing.assert_allclose(figure.w, w, atol=1e-12)
        assert f"‖w‖ = {np.linalg.norm(w):.3g}" in said
    assert kinds == {True, False}


def test_before_the_first_step(figure):
    figure.t.value = 0
    assert "any example will be added" in figure.live.readout
    assert "P(w) = 1," in figure.live.readout
    figure.step()
    assert figure.t.value == 1
    assert "w ← 0·w" in figure.live.readout


def test_the_minimum_is_that_of_another_solver(figure):
    n = len(figure.y)
    for lam in (0.001, 0.1, 2.0):
        figure.lam.value = lam
        cost = 1 / (lam * n)
        states = dual_coordinate_descent(figure.X, figure.y, cost)
        other = solve(states, gap=1e-8, max_passes=20_000)
        best = lam / 2 * other.w @ other.w
        best += np.maximum(0, 1 - figure.y * (figure.X @ other.w)).mean()
        assert figure.lowest == pytest.approx(best, rel=1e-4)
        assert min(curve.min() for curve in figure.curves.values()) > -1e-6
        assert f"λ = {lam:g}, C = {cost:.3g}" in figure.live.readout
        assert f"C = {cost:.3g}" in dict(map(reversed, figure.lam.options))[lam]


def test_projection_on_and_off(figure):
    figure.lam.value, figure.t.value = 0.01, 1
    outside = np.linalg.norm(figure.W, axis=1).max()
    assert outside > 10
    figure.project.value = True
    assert np.linalg.norm(figure.W, axis=1).max() == pytest.approx(10)
    assert "back onto the ball" in healthy(figure)
    assert np.linalg.norm(figure.best) <= 10
    figure.project.value = False
    assert np.linalg.norm(figure.W, axis=1).max() == outside


def test_averages(figure):
    figure.t.value = 50
    last = figure.w
    figure.average.value = "average of all w"
    np.testing.assert_allclose(figure.w, figure.W[:50].mean(axis=0))  # those before each step
    assert set(figure.curves) == {"last w", "average", "bound"}
    assert (figure.curves["average"] < figure.curves["bound"]).all()
    figure.average.value = "average, late w weigh more"
    np.testing.assert_allclose(figure.w, np.average(figure.W[:50], axis=0, weights=range(1, 51)))
    assert set(figure.curves) == {"last w", "average"}
    figure.average.value = "last w"
    np.testing.assert_array_equal(figure.w, last)


def test_batches(figure):
    figure.t.value = 5
    figure.k.value = 4
    said = healthy(figure)
    assert "of 4 are < 1" in said
    batch, margins = figure.seen[4]
    before = figure.W[4]
    np.testing.assert_allclose(margins, figure.y[batch] * (figure.X[batch] @ before))
    push = (figure.y[batch] * (margins < 1)) @ figure.X[batch]
    np.testing.assert_allclose(figure.W[5], 0.8 * before + push / (0.1 * 5 * 4))


def test_another_order_is_another_path_to_the_same_place(figure):
    figure.t.value = STEPS
    path, lowest = figure.W.copy(), figure.lowest
    figure.shuffle()
    assert not np.allclose(figure.W[:10], path[:10])
    assert figure.lowest == lowest
    assert figure.now < 0.1


# --- the bound -----------------------------------------------------------------------------------


def test_the_numbers_of_the_lesson():
    figure = PegasosBound()
    assert "λ = 0.001, C = 16.7, R = 1, c = 4R²" in figure.live.readout
    assert np.linalg.norm(figure.X, axis=1).max() == pytest.approx(1)
    assert figure.bound[-1] == pytest.approx(4 * (1 + np.log(4096)) / (2 * 0.001 * 4096))
    free = figure.mean[-1]
    assert 650 < figure.bound[-1] / free < 800
    figure.project.value = True
    assert "c = (√λ + R)²" in figure.live.readout
    assert figure.mean[-1] < 0.5 * free
    figure.average.value = "linear"
    assert figure.mean[-1] < 0.2 * free
    assert "not about this average" in figure.live.readout
    figure.average.value = False
    assert "the average" not in figure.live.readout


def test_never_above_the_bound_never_below_the_minimum():
    figure = PegasosBound()
    for lam in (0.0001, 0.01, 1.0):
        figure.lam.value = lam
        for project in (True, False):
            figure.project.value = project
            assert (figure.mean <= figure.bound).all()
            assert "above the bound at 0 of" in figure.live.readout
            course = figure.course(lam, project, "uniform")
            assert min(course.last.min(), course.average.min()) > -1e-9


def test_the_step_dial():
    figure = PegasosBound()
    figure.t.value = 0
    assert "at t = 1 the last w" in figure.live.readout
    figure.t.value = len(CHECKPOINTS) - 1
    assert "at t = 4096" in figure.live.readout


# --- words ---------------------------------------------------------------------------------------


def test_words_of_the_lesson():
    figure = WordWeights()
    assert figure.now.validated == pytest.approx(0.035)
    assert "a text has 46 of 5143 words" in figure.live.readout
    assert "game, fortune, games, you" in figure.live.alt
    assert "data, sequence, analysis" in figure.live.alt
    figure.lam.value = 0.1
    assert figure.now.validated == pytest.approx(0.11375)
    figure.lam.value = 3e-4
    assert figure.now.validated == pytest.approx(0.03125)
    assert "C = 4.17" in figure.live.readout


def test_other_sections_and_more_passes():
    figure = WordWeights()
    gap = figure.now.gap
    figure.passes.value = 15
    assert figure.now.gap < gap / 2
    for pair in list(PAIRS)[-2:]:
        figure.pair.value = pair
        healthy(figure)
        assert figure.now.validated < 0.1
        assert PAIRS[pair][0] in figure.live.alt


# --- counts --------------------------------------------------------------------------------------


def test_counts_and_the_slips_of_the_lesson():
    figure = KernelCounts()
    assert figure.alpha.sum() == 103
    assert figure.mistakes == 1
    assert figure.objective == pytest.approx(0.221, abs=5e-4)
    right = figure.alpha.copy()
    figure.code.value = LATE
    assert np.abs(figure.alpha - right).sum() == 4
    figure.code.value = OWN
    assert (figure.alpha.sum(), figure.mistakes) == (19, 15)
    assert "counts differ by 98" in healthy(figure)
    figure.code.value = FIXED
    assert figure.objective == pytest.approx(35.2, abs=0.05)
    assert "the right code's 0.221" in healthy(figure)


def test_a_large_lambda_makes_every_step_a_violation():
    figure = KernelCounts()
    figure.lam.value = 2.0
    assert figure.alpha.sum() == 320
    assert np.ptp(figure.alpha) <= 1
    assert "λ = 2, C = 0.0125" in figure.live.readout


def test_the_counts_are_the_weights():
    figure = KernelCounts(code=RIGHT)
    t, lam = figure.t.value, figure.lam.value
    np.testing.assert_allclose(figure.coef, figure.alpha * figure.y / (lam * t))


# --- the 52 models -------------------------------------------------------------------------------


def test_the_grid_goes_where_grip_or_list_goes(trials):
    figure = ModelGrid(trials)
    assert figure.now.model == Model(Polynomial(2, 1.0), 0.1)
    assert "cross-validated 1.0% ± 0.7%" in figure.live.readout
    np.testing.assert_array_equal(figure.live.at, [[2, 11]])
    figure.kernel.value = 12
    assert figure.now.model.name == "x·z"
    assert figure.now.validated > 0.45
    np.testing.assert_array_equal(figure.live.at, [[2, 12]])
    move(figure, [[0.3, 0.2]])
    assert (figure.kernel.value, figure.lam.value) == (0, 0)
    assert "σ = 0.01, λ = 0.0001, C = 50" in figure.live.readout
    assert figure.now.train == 0
    move(figure, [[99, 70]])
    assert (figure.kernel.value, figure.lam.value) == (12, 3)
    assert healthy(figure).startswith("x·z, λ = 2,")


# --- breaking it ---------------------------------------------------------------------------------


def test_the_three_ways():
    figure = PegasosBreak()
    assert figure.run.lacking[-1] < 0.001
    figure.lam.value = 1e-5
    assert "< 1: too few steps for this λ" in figure.live.readout
    assert figure.run.lacking[-1] > 1
    figure.lam.value = 0.001
    figure.unit.value = "x₂ in mm"
    assert figure.run.lacking[-1] > 1000
    figure.unit.value = "both in m"
    figure.bias.value = FEATURE
    lacking = figure.run.lacking[-1]
    figure.bias.value = FREE
    assert figure.run.b[0] == pytest.approx(479, abs=0.5)
    assert figure.run.lacking[-1] > 100 * lacking


@pytest.mark.parametrize("bias", [NONE, FEATURE, FREE])
def test_the_objective_is_never_below_its_minimum(bias):
    for shift in ("around the origin", "6 to the right"):
        figure = PegasosBreak(0.01, shift=shift, bias=bias)
        assert figure.run.lacking.min() > -1e-6
        move(figure, np.zeros_like(figure.X))
        healthy(figure)


def test_the_constant_feature_is_shrunk_with_the_others():
    figure = PegasosBreak(0.1, shift="3 to the right", bias=FEATURE)
    Z = homogeneous(figure.X + np.array([3.0, 0.0]))
    other = solve(dual_coordinate_descent(Z, figure.y, 1 / (0.1 * 40)), gap=1e-9, max_passes=10_000)
    np.testing.assert_allclose([*figure.run.best_w, figure.run.best_b], other.w, atol=1e-3)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (PegasosStepper, "two labels coincide: no w meets both"),
        (KernelCounts, "two labels coincide: no kernel tells them apart"),
        (PegasosBreak, "two labels coincide: no line tells them apart"),
    ],
)
def test_points_on_one_another_are_answered_in_words(kind, words):
    figure = kind()
    assert "coincide" not in healthy(figure)
    move(figure, np.zeros_like(figure.X))
    assert words in healthy(figure)


# --- the progress bar ----------------------------------------------------------------------------


class Handle:
    """Keeps what is shown."""

    def __init__(self):
        self.shown = []

    def update(self, data, raw):
        self.shown.append(data["text/plain"])


def test_the_bar_leaves_nothing_behind(monkeypatch):
    handle = Handle()
    monkeypatch.setattr("kernellab.live.progress.display", lambda *_, **__: handle)
    items = list(range(7))
    assert list(progress_bar(items)) == items
    assert "0/7" in handle.shown[0]
    assert handle.shown[-1] == "7 models, tried one after another"


def test_without_a_notebook_nothing_is_shown():
    assert InPlace("words").write("50 %") == 4
