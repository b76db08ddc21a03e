"""The museum's live figures, moved from Python: the numbers must follow, and stay true."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from moves import fresh, move

from kernellab.datasets.targets import LINEAR_LAMS, TEST_SEED, make_bowl
from kernellab.draw import style
from kernellab.kernels import Gaussian
from kernellab.lessons.mistakes.figures.broadcast import (
    COLUMN,
    LAMS,
    REACH,
    VECTOR,
    BroadcastMicroscope,
    Lens,
    ResidualMatrix,
    Waterfall,
    lit_colours,
)
from kernellab.lessons.mistakes.figures.five_mistakes import DIALS, MENDS, MISTAKES, FiveMistakes
from kernellab.lessons.mistakes.ridge_experiment import ridge_errors
from kernellab.solvers.ridge import ridge


@pytest.fixture
def axes():
    return style.new_figure().subplots()


# --- the five mistakes ---------------------------------------------------------------------------


def test_all_five_and_none():
    figure = fresh(FiveMistakes)
    assert figure.numbers["lowest"] == pytest.approx(0.3254, abs=5e-5)
    assert (figure.numbers["best"], figure.numbers["best_position"]) == (3.25, 64)
    figure.none()
    assert figure.numbers["lowest"] == pytest.approx(0.0129, abs=5e-5)
    assert (figure.numbers["best_position"], bool(figure.numbers["edge"])) == (0, True)
    assert (np.diff(figure.numbers["errors"].test) > 0).all()
    figure.all_five()
    assert all(getattr(figure, name) for name in MISTAKES)


def test_only_the_broadcast_turns_it_round():
    figure = fresh(FiveMistakes)
    figure.column = False
    errors = figure.numbers["errors"]
    assert figure.numbers["best_position"] == 0
    assert errors.test[0] == pytest.approx(0.3254 / 18, rel=0.01)  # eighteen times smaller
    figure.column = True
    for name in ("not_squared", "lam_by_index", "by_position", "diagonal_only"):
        setattr(figure, name, False)
        errors = figure.numbers["errors"]
        assert figure.numbers["best_position"] > 0, name
        assert errors.test[1] < errors.test[0]


@pytest.mark.parametrize("column", [False, True])
def test_no_error_of_the_experiment_leaves_its_axes(column):
    figure = fresh(FiveMistakes)
    for gamma, not_squared, lam_by_index in product(DIALS, (False, True), (False, True)):
        figure.column, figure.gamma = column, gamma
        figure.not_squared, figure.lam_by_index = not_squared, lam_by_index
        low, high = figure.curves.axes.get_ylim()
        errors = np.concatenate(figure.numbers["errors"][:2])
        assert low <= errors.min() < errors.max() <= high


def test_no_error_of_the_microscope_leaves_its_axes():
    microscope = fresh(BroadcastMicroscope)
    for shape, shuffled in product((VECTOR, COLUMN), (False, True)):
        microscope.shape, microscope.shuffled = shape, shuffled
        low, high = microscope.curve.axes.get_ylim()
        errors = microscope.numbers["errors"]
        assert low <= errors.min() < errors.max() <= high


def test_mended_and_at_the_best_of_its_lams_it_is_nearly_a_bowl():
    figure = fresh(FiveMistakes)
    figure.none()
    at_one = figure.numbers["off_square"]
    figure.load("no mistake, λ = 0.05")
    assert figure.lam == figure.numbers["best"] == 0.05
    assert figure.numbers["made"] == "none"
    assert 2 * figure.numbers["off_square"] < at_one
    assert figure.numbers["off_square"] < 0.08  # of heights from 0 to 2


def test_from_preset_to_preset_one_thing_changes():
    figure, names = fresh(FiveMistakes), [*MISTAKES, "lam"]
    settings = []
    for preset in FiveMistakes.presets:
        figure.load(preset)
        settings.append([getattr(figure, name) for name in names])
    changed = [
        [name for name, a, b in zip(names, before, after, strict=True) if a != b]
        for before, after in pairwise(settings)
    ]
    assert changed == [*([name] for name in MENDS), ["lam"], ["column"]]


def test_mistakes_of_the_drawing():
    figure = fresh(FiveMistakes)
    figure.none()
    axes = figure.curves.axes
    assert axes.get_xlabel() == "λ"
    assert len(figure.surface.mesh.faces) == 18 * 18
    numbers = figure.live.readout
    figure.by_position = True
    assert axes.get_xlabel() == "position in the list of λ, from 0"
    assert figure.curves.lines["test"].get_xdata()[-1] == 99 < axes.get_xlim()[1]
    assert figure.live.readout == numbers


def test_the_surface_is_drawn_as_it_was_published():
    figure = fresh(FiveMistakes)
    figure.none()
    honest, on_it = figure.numbers["off_square"], figure.numbers["off_diagonal"]
    figure.diagonal_only = True  # a whole sheet, of heights that were asked for on the diagonal
    assert len(figure.surface.mesh.faces) == 18 * 18
    assert figure.numbers["off_square"] > 1.5 * honest
    assert figure.numbers["off_diagonal"] == pytest.approx(on_it)
    figure.diagonal_only, figure.lam_by_index = False, True
    assert figure.numbers["off_square"] > honest


def test_the_figure_shows_what_the_experiment_computes():
    figure = fresh(FiveMistakes)
    figure.none()
    figure.not_squared, figure.column, figure.gamma = True, True, 3.0
    expected = ridge_errors(
        make_bowl(), make_bowl(seed=TEST_SEED), 3.0, LINEAR_LAMS, not_squared=True, column=True
    )
    np.testing.assert_allclose(figure.curves.lines["test"].get_ydata(), expected.test)
    np.testing.assert_allclose(figure.curves.lines["training"].get_ydata(), expected.train)


# --- the broadcast microscope --------------------------------------------------------------------


def test_the_switch_flips_the_curve():
    figure = fresh(BroadcastMicroscope)
    assert figure.numbers["mean_square"] == pytest.approx(0.0128, abs=5e-5)
    assert figure.numbers["best"] < 0.05
    tried = (LAMS >= 0.05) & (LAMS <= 5)
    assert (np.diff(figure.numbers["errors"][tried]) > 0).all()
    figure.shape = COLUMN
    assert figure.numbers["mean_square"] == pytest.approx(0.4054, abs=5e-5)
    assert (np.diff(figure.numbers["errors"][tried]) < 0).all()
    assert figure.numbers["best"] > 5
    assert figure.numbers["shapes"].endswith("→ (100, 100)")
    assert figure.terms.words[3].get_text() == "left out"


def test_the_number_is_the_mean_of_what_is_lit():
    figure = fresh(BroadcastMicroscope)
    for shape in (VECTOR, COLUMN):
        for k in (0, 20, len(LAMS) - 1):
            figure.shape, figure.lam = shape, LAMS[k]
            found = figure.numbers
            assert found["mean_square"] == pytest.approx(found["errors"][k])
            terms = found["terms"] if shape == VECTOR else found["terms"][:3]
            assert found["mean_square"] == pytest.approx(sum(terms))


def test_shuffling_is_noticed_by_the_diagonal_only():
    figure = fresh(BroadcastMicroscope)
    figure.shape = COLUMN
    before = figure.numbers["mean_square"]
    figure.shuffled = True
    assert figure.numbers["mean_square"] == pytest.approx(before)
    figure.shape = VECTOR
    assert figure.numbers["mean_square"] > 0.2
    low, high = figure.curve.axes.get_ylim()
    assert low < figure.numbers["mean_square"] < high  # the curve is in sight
    figure.shuffled = False
    assert figure.numbers["mean_square"] == pytest.approx(0.0128, abs=5e-5)
    figure.order = "drawing"
    assert figure.numbers["mean_square"] == pytest.approx(0.0128, abs=5e-5)


def test_the_lens_is_dragged():
    figure = fresh(BroadcastMicroscope)
    assert figure.live.readout.endswith(" = target 31 − prediction in row 31")
    move(figure, [[80.2, 89.3]])
    assert (figure.numbers["column"], figure.numbers["row"]) == (81, 11)
    assert figure.live.readout.endswith(" = target 81 − prediction in row 11")
    (X, y), (Z, t) = make_bowl(), make_bowl(seed=TEST_SEED)
    kernel, by_target = Gaussian(8.0), np.argsort(t)
    predicted = kernel(Z, X) @ ridge(kernel(X), y, 0.05).coef
    middle = t[by_target[80]] - predicted[by_target[10]]
    assert figure.numbers["middle"] == pytest.approx(middle)
    shown = float(figure.lens.numbers[4].get_text().replace("−", "-"))
    assert shown == pytest.approx(middle, abs=0.006)
    move(figure, [[0, 0]])
    assert (figure.numbers["row"], figure.numbers["column"]) == (99, 2)  # all of it stays inside


def test_folded_it_is_the_same_without_a_lens_and_terms():
    whole, folded = (BroadcastMicroscope(shape=COLUMN, folded=on) for on in (False, True))
    assert folded.numbers["errors"].tolist() == whole.numbers["errors"].tolist()
    assert "A lens shows nine of them, round row 31" in whole.live.alt
    assert "lens" not in folded.live.alt + folded.live.readout
    assert "Bars" not in folded.live.alt
    assert not folded.matrix.lens.get_visible()
    folded.shuffled = True
    assert folded.numbers["mean_square"] == pytest.approx(whole.numbers["mean_square"])
    folded.load("n residuals")
    assert folded.numbers["mean_square"] == pytest.approx(0.0128, abs=5e-5)
    assert (len(whole.live.at), len(folded.live.at)) == (1, 0)


# --- marks ---------------------------------------------------------------------------------------


def test_what_does_not_count_is_dark():
    residuals = np.array([[0.0, 1.0], [-1.0, 0.0]])
    colours = lit_colours(residuals, 1.5, np.eye(2, dtype=bool))
    np.testing.assert_allclose(colours[0, 0], 1.0, atol=0.01)  # no residual, lit: white
    assert colours[0, 1].max() < 0.35
    assert colours[0, 1, 2] > colours[0, 1, 0]  # y above ŷ is blue, even in the dark
    assert colours[1, 0, 0] > colours[1, 0, 2]


def test_the_lens_shows_target_minus_prediction(axes):
    n = 12
    y, predicted = np.arange(n) * 1.0, np.arange(n) * 0.5
    lens = Lens(axes)
    lens.show(y, predicted, (4, 6), np.ones((n, n), dtype=bool))
    words = np.array([text.get_text() for text in lens.numbers]).reshape(3, 3)
    assert words[1, 1] == "4.00"  # y_7 − ŷ_5 = 6 − 2
    assert words[0, 2] == "5.50"  # y_8 − ŷ_4 = 7 − 1.5
    assert [head.get_text() for head in lens.heads] == ["j = 6 … 8", "i = 4 … 6"]
    assert len(lens.frames.get_segments()) == 1  # (6, 6) is on the diagonal
    lens.show(y, predicted, (4, 6), np.eye(n, dtype=bool))
    assert lens.numbers[0].get_color() == "white"


def test_the_matrix_has_its_lens_where_it_is_told(axes):
    matrix = ResidualMatrix(axes, 20)
    matrix.show(np.zeros((20, 20)), np.eye(20, dtype=bool))
    matrix.frame(5, 9)
    assert matrix.lens.get_xy() == (9 - REACH, 5 - REACH)
    assert not matrix.diagonal.get_visible()
    matrix.show(np.zeros((20, 20)), np.ones((20, 20), dtype=bool))
    assert matrix.diagonal.get_visible()


def test_a_waterfall_ends_at_its_sum(axes):
    bars = Waterfall(axes, ["a", "b", "c", "d"], (0, 1))
    bars.show([0.3, 0.4, 0.1, -0.5], 0.3)
    assert bars.bars[3].get_x() == pytest.approx(0.3)
    assert bars.bars[3].get_width() == pytest.approx(0.5)
    assert bars.total.get_width() == 0.3
    bars.show([0.3, 0.4, 0.1, None], 0.8)
    assert bars.words[3].get_text() == "left out"
    assert bars.bars[3].get_width() == 0
