"""The live figures of notebook 04, moved from Python: the numbers must follow, and stay true."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from matplotlib.colors import to_hex
from moves import move

from kernellab.datasets import load_packages, load_rings
from kernellab.datasets.folds import stratified_folds
from kernellab.draw import style
from kernellab.kernels import Polynomial
from kernellab.lessons.pegasos.figures.batches import STEPS as BATCH_STEPS
from kernellab.lessons.pegasos.figures.batches import MiniBatches
from kernellab.lessons.pegasos.figures.choose_lam import ChooseLam
from kernellab.lessons.pegasos.figures.model_grid import CORNER, ModelGrid
from kernellab.lessons.pegasos.figures.pegasos_bound import (
    CHECKPOINTS,
    PegasosBound,
    clouds,
    course,
)
from kernellab.lessons.pegasos.figures.pegasos_break import FEATURE, FREE, NONE, PegasosBreak
from kernellab.lessons.pegasos.figures.pegasos_kernel import KernelCounts
from kernellab.lessons.pegasos.figures.stepper import STEPS, PegasosStepper, optimum
from kernellab.lessons.pegasos.figures.words import LAMBDAS, PAIRS, WordWeights
from kernellab.lessons.pegasos.theory.model_choice import Model, all_models, try_models
from kernellab.page.progress import InPlace, progress_bar
from kernellab.solvers.linear import dual_coordinate_descent
from kernellab.solvers.perceptron import homogeneous
from kernellab.solving import pass_orders, solve

pytestmark = pytest.mark.usefixtures("drawn_at_the_end")


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
    made.reset()
    return made


@pytest.mark.parametrize("scale", [1e-6, 1.0])
def test_a_w_that_is_zero_but_for_rounding_has_no_line(figure, scale):
    figure.configure(sample="XOR", t=200)
    move(figure, scale * figure.X)
    assert not figure.numbers["w"].any() and figure.numbers["no_line"]
    figure.t = 199
    assert figure.numbers["w"].any() and not figure.numbers["no_line"]


def test_the_sentence_is_the_step(figure):
    """Each step, done again by hand from its own numbers."""
    w, kinds = np.zeros(2), set()
    for t in range(1, 25):
        figure.t = t
        told = figure.numbers
        x, label = figure.X[told["i"]], figure.y[told["i"]]
        assert told["margin"] == pytest.approx(label * (x @ w))
        violation = told["margin"] < 1
        kinds.add(violation)
        sign, rate = "+" if label > 0 else "−", 1 / (figure.lam * t)
        push = f" {sign} {rate:.3g}·x" if violation else ""
        assert told["update"] == f"{1 - 1 / t:.3g}·w{push}"
        assert told["verdict"] == ("< 1, so" if violation else "≥ 1, so it only shrinks:")
        ring = to_hex(figure.points.ring.get_edgecolor()[0])
        assert ring == to_hex(style.ACCENT if violation else style.NEUTRAL)
        w = (1 - 1 / t) * w + violation * label * rate * x
        np.testing.assert_allclose(told["w"], w, atol=1e-12)
        assert told["length"] == pytest.approx(np.linalg.norm(w))
    assert kinds == {True, False}


def test_before_the_first_step(figure):
    figure.t = 0
    assert "any example will be added" in figure.live.readout
    assert "w = 0: no line" in figure.live.readout
    assert figure.numbers["objective"] == 1
    figure.step()
    assert figure.t == 1
    assert figure.numbers["update"].startswith("0·w")


def test_the_minimum_is_that_of_another_solver(figure):
    for lam in (0.001, 0.1, 2.0):
        figure.lam = lam
        cost = figure.numbers["C"]
        assert lam * cost * len(figure.y) == pytest.approx(1)
        states = dual_coordinate_descent(figure.X, figure.y, cost)
        other = solve(states, gap=1e-8, max_passes=20_000)
        best = lam / 2 * other.w @ other.w
        best += np.maximum(0, 1 - figure.y * (figure.X @ other.w)).mean()
        assert figure.numbers["lowest"] == pytest.approx(best, rel=1e-4)
        assert figure.numbers["lacks"].min() > -1e-6
        assert figure.controls["lam"].label == f"{lam:g}  (C = {cost:.3g})"


def test_projection_on_and_off(figure):
    figure.lam, figure.t = 0.01, 1
    outside = np.linalg.norm(figure.run.W, axis=1).max()
    assert outside > 10
    figure.project = True
    assert np.linalg.norm(figure.run.W, axis=1).max() == pytest.approx(10)
    assert figure.numbers["update"].endswith("back onto the ball")
    assert figure.path.ball.get_radius() == pytest.approx(10) and "the ball" in figure.live.alt
    assert np.linalg.norm(figure.numbers["best"]) <= 10
    figure.project = False
    assert figure.path.ball.get_radius() == 0 and "ball" not in figure.live.readout
    assert np.linalg.norm(figure.run.W, axis=1).max() == outside


def test_another_order_is_another_path_to_the_same_place(figure):
    figure.t = STEPS
    path, lowest = figure.run.W, figure.numbers["lowest"]
    figure.shuffle()
    assert not np.allclose(figure.run.W[:10], path[:10])
    assert figure.numbers["lowest"] == lowest
    assert figure.numbers["lacking"] < 0.1


# --- the bound -----------------------------------------------------------------------------------


def test_the_numbers_of_the_lesson():
    figure = PegasosBound(average="uniform")
    assert figure.live.readout.endswith("λ = 0.001, C = 16.7")
    assert np.linalg.norm(figure.X, axis=1).max() == pytest.approx(1)
    bound, free = figure.numbers["bound"][-1], figure.numbers["mean"][-1]
    assert bound == pytest.approx(4 * (1 + np.log(4096)) / (2 * 0.001 * 4096))
    assert 650 < bound / free < 800
    figure.project = True
    assert figure.numbers["mean"][-1] < 0.5 * free
    figure.average = "linear"
    assert figure.numbers["mean"][-1] < 0.2 * free
    assert "not about this average" in figure.live.readout
    figure.average = False
    assert "the average" not in figure.live.readout


def test_a_legend_names_what_is_drawn():
    def entries(legend):
        return [text.get_text() for text in legend.get_texts() if text.get_visible()]

    bound = PegasosBound(average="linear")
    legend = bound.suboptimality.legend
    assert entries(legend)[2:] == ["average: late steps weigh more"]
    bound.load("all steps alike")
    assert entries(legend)[2:] == ["average: all steps alike", "bound"]
    bound.load("the last w alone")
    assert len(entries(legend)) == 2
    deals = ChooseLam()
    assert entries(deals.legend)[-1] == "one standard error above the lowest"
    assert np.isfinite(deals.limit.get_ydata()).all()
    deals.load("ten deals")
    assert entries(deals.legend)[-1] == "earlier deals"
    assert not np.isfinite(deals.limit.get_ydata()).any()
    assert len(deals.earlier[0].get_xdata()) == len(LAMBDAS)


def test_never_above_the_bound_never_below_the_minimum():
    figure = PegasosBound(average="uniform")
    for lam in (0.0001, 0.01, 1.0):
        figure.lam = lam
        for project in (True, False):
            figure.project = project
            assert (figure.numbers["mean"] <= figure.numbers["bound"]).all()
            assert figure.numbers["above"] == 0
            found = course(lam, project, "uniform")
            assert min(found.last.min(), found.average.min()) > -1e-9


def test_the_step_dial():
    figure = PegasosBound(t=1)
    assert "at t = 1 the last w" in figure.live.readout
    figure.t = CHECKPOINTS[-1]
    assert "at t = 4096" in figure.live.readout


# --- words ---------------------------------------------------------------------------------------


def test_other_sections_and_more_passes():
    figure = WordWeights()
    gap = figure.numbers["answer"].gap
    figure.passes = 15
    assert figure.numbers["answer"].gap < gap / 2
    figure.pair = list(PAIRS)[-1]
    assert PAIRS[figure.pair][0] in figure.live.alt
    assert figure.numbers["answer"].train < 0.1


# --- batches, and choosing λ ---------------------------------------------------------------------


def test_steps_on_a_batch_once_more():
    X, y = clouds()
    _, _, lowest = optimum(X, y, 0.1)
    lacks = []
    for run in range(8):
        draws, w = np.random.default_rng(run).integers(0, 60, 16 * BATCH_STEPS[-1]), np.zeros(2)
        for t, batch in enumerate(draws.reshape(-1, 16)[:3], 1):
            pushes = (y[batch] * (X[batch] @ w) < 1) * y[batch]
            w = (1 - 1 / t) * w + pushes @ X[batch] / (0.1 * t * 16)
        lacks.append(0.05 * w @ w + np.maximum(0, 1 - y * (X @ w)).mean() - lowest)
    figure = MiniBatches()
    assert figure.numbers["found"][16][2] == pytest.approx(np.mean(lacks))
    figure.by = "examples"
    line = figure.curves.lines["k = 16"]
    np.testing.assert_array_equal(line.get_xdata(), 16 * BATCH_STEPS)


def test_the_curve_is_that_of_another_cross_validation():
    figure = ChooseLam(deal=2)
    data = load_packages(("games", "science"))
    X, y = data.X[:800].toarray(), data.y[:800]
    X /= np.linalg.norm(X, axis=1)[:, np.newaxis]
    fold, wrong = stratified_folds(y, 5, 1), 0
    for k in range(5):
        kept, left = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        w, total = np.zeros((2, X.shape[1]))
        order = np.concatenate(list(islice(pass_orders(len(kept), 0), 5)))
        for t, i in enumerate(kept[order], 1):
            total += t * w
            w = (1 - 1 / t) * w + (y[i] * (X[i] @ w) < 1) * y[i] * X[i] / (0.1 * t)
        wrong += np.sum(y[left] * (X[left] @ total) <= 0)
    assert figure.numbers["curves"][1].rate[-1] == pytest.approx(wrong / 800)
    assert figure.numbers["lowest"] == figure.numbers["curves"][1].rate.min()
    assert sum(len(line.get_xdata()) > 0 for line in figure.earlier) == 1
    for figure.deal in (1, 10):  # on the curve
        assert figure.stars.get_ydata() == [figure.numbers["lowest"]]
        assert figure.choices.get_xdata() == [figure.numbers["simplest"]]
    for row, counts in zip(figure.counts, ("12700", "0037"), strict=True):
        said = [text.get_text() for text in row]
        assert [n or "0" for n in said][: len(counts)] == list(counts)
        assert sum(int(n or 0) for n in said) == 10
        assert [text.get_position()[0] for text in row] == list(LAMBDAS)


# --- counts --------------------------------------------------------------------------------------


def test_a_large_lambda_makes_every_step_a_violation():
    figure = KernelCounts(lam=2.0)
    assert figure.numbers["total"] == figure.t == 320
    assert np.ptp(figure.numbers["alpha"]) <= 1
    assert figure.numbers["C"] == 0.0125


def test_the_counts_are_the_weights():
    figure = KernelCounts()
    w = figure.numbers["alpha"] * figure.y / (figure.lam * figure.t)
    np.testing.assert_allclose(figure.numbers["coef"], w)


# --- the 52 models -------------------------------------------------------------------------------


def test_the_grid_goes_where_grip_or_list_goes(trials):
    figure = ModelGrid(trials)
    assert figure.numbers["trial"].model == Model(Polynomial(2, 1.0), 0.1)
    assert "cross-validated 1.0% ± 0.7%" in figure.live.readout
    np.testing.assert_allclose(figure.live.at, [CORNER + np.array([2, 11])])
    figure.kernel = 12
    assert figure.numbers["trial"].model.name == "x·z"
    assert figure.numbers["trial"].validated > 0.45
    np.testing.assert_allclose(figure.live.at, [CORNER + np.array([2, 12])])
    move(figure, [CORNER + np.array([0.3, 0.2])])
    assert (figure.kernel, figure.lam) == (0, 0)
    assert "σ = 0.01, λ = 0.0001, C = 50" in figure.live.readout
    assert figure.numbers["trial"].train == 0
    move(figure, [[99, 70]])
    assert (figure.kernel, figure.lam) == (12, 3)
    assert figure.live.readout.startswith("x·z, λ = 2,")
    box = figure.box.get_bbox()
    assert box.contains(3, 12) and not box.contains(3, 11) and not box.contains(2, 12)


# --- breaking it ---------------------------------------------------------------------------------


def test_the_three_ways():
    figure = PegasosBreak()
    assert figure.run.lacking[-1] < 0.001
    figure.lam = 1e-5
    assert "< 1: too few steps for this λ" in figure.live.readout
    assert figure.run.lacking[-1] > 1
    figure.configure(lam=0.001, unit="x₂ in mm")
    assert figure.run.lacking[-1] > 1000
    figure.configure(unit="both in m", bias=FEATURE)
    lacking = figure.run.lacking[-1]
    figure.bias = FREE
    assert figure.run.b[0] == pytest.approx(479, abs=0.5)
    assert figure.run.lacking[-1] > 100 * lacking


@pytest.mark.parametrize("bias", [NONE, FEATURE, FREE])
def test_the_objective_is_never_below_its_minimum(bias):
    for shift in ("around the origin", "6 to the right"):
        figure = PegasosBreak(shift=shift, bias=bias)
        assert figure.run.lacking.min() > -1e-6


def test_the_constant_feature_is_shrunk_with_the_others():
    figure = PegasosBreak(lam=0.1, shift="3 to the right", bias=FEATURE)
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
    assert "coincide" not in figure.live.readout
    assert words in move(figure, np.zeros_like(figure.X))


# --- the progress bar ----------------------------------------------------------------------------


class Handle:
    """Keeps what is shown."""

    def __init__(self):
        self.shown = []

    def update(self, data, raw):
        self.shown.append(data["text/plain"])


def test_the_bar_leaves_nothing_behind(monkeypatch):
    handle = Handle()
    monkeypatch.setattr("kernellab.page.progress.display", lambda *_, **__: handle)
    items = list(range(7))
    assert list(progress_bar(items)) == items
    assert "0/7" in handle.shown[0]
    assert handle.shown[-1] == "7 models, tried one after another"


def test_without_a_notebook_nothing_is_shown():
    assert InPlace("words").write("50 %") == 4
