"""The live figures of notebook 06, moved from Python: the numbers must follow, and stay true."""

from __future__ import annotations

import numpy as np
import pytest
from moves import move

from kernellab.datasets.targets import TEST_SEED, make_bowl
from kernellab.kernels import Gaussian, Laplacian, score_field
from kernellab.lessons.mistakes.figures.broadcast import COLUMN, LAMS, VECTOR, BroadcastMicroscope
from kernellab.lessons.mistakes.figures.five_mistakes import NAMES, FiveMistakes
from kernellab.lessons.mistakes.ridge_experiment import ridge_errors
from kernellab.lessons.ridge.figures.bias_variance import BiasVarianceDial
from kernellab.lessons.ridge.figures.gp_band import GPBand
from kernellab.lessons.ridge.figures.ridge_break import SAMPLES, RidgeBreak
from kernellab.lessons.ridge.figures.ridge_dial import NOISE, RidgeDial, wave
from kernellab.lessons.ridge.figures.ridge_or_svm import KERNELS, RidgeOrSVM
from kernellab.lessons.ridge.figures.ridge_surface import SIDE, TRUE, RidgeSurface
from kernellab.lessons.ridge.figures.roughness import Roughness
from kernellab.live.lam_dial import LINEAR_LAMS, LOG_LAMS, nearest
from kernellab.live.lam_dial import LINEAR_LAMS as GRID
from kernellab.solvers.ridge import ridge

MADE = {}


def fresh(kind):
    """Return a figure as it is at first: made once, then reset, which is ten times as fast."""
    if kind in MADE:
        MADE[kind].reset()
    else:
        MADE[kind] = kind()
    return MADE[kind]


# --- one dial ------------------------------------------------------------------------------------


def test_what_the_text_says_of_the_dial():
    figure = fresh(RidgeDial)
    assert "lowest: test at λ = 0.178, leave-one-out (star) at λ = 0.0237" in figure.live.readout
    assert figure.titles[1].get_text() == "lowest: test λ = 0.18, ★ λ = 0.024"
    freedom = figure.path.degrees_of_freedom
    assert (np.diff(figure.values["training"]) > 0).all()
    assert (np.diff(freedom) < 0).all()
    assert [round(freedom[k]) for k in (0, -1)] == [15, 1]
    assert figure.titles[0].get_text() == "8.0 degrees of freedom"
    figure.scale.value = "linear"  # the valleys are squeezed against the edge, or beyond it
    assert figure.best["test"] == 2
    assert figure.best["leave-one-out"] == 0


def test_leave_one_out_is_deletion_after_a_drag():
    figure = fresh(RidgeDial)
    figure.lam.value = nearest(LOG_LAMS, 0.01)
    points = figure.live.at.copy()
    points[3] = [0.31, -1.4]
    move(figure, points)
    kernel, lam = Gaussian(50.0), LOG_LAMS[figure.lam.value]
    X, y = points[:, :1], points[:, 1]
    squares = []
    for i in range(18):
        rest = np.arange(18) != i
        fit = ridge(kernel(X[rest]), y[rest], lam)
        squares.append((y[i] - (kernel(X[i : i + 1], X[rest]) @ fit.coef)[0]) ** 2)
    k = figure.lam.value
    assert figure.values["leave-one-out"][k] == pytest.approx(np.mean(squares), abs=1e-10)
    fit = ridge(kernel(X), y, lam)
    assert figure.path.degrees_of_freedom[k] == pytest.approx(fit.degrees_of_freedom)
    assert figure.values["training"][k] == pytest.approx(np.mean((lam * fit.coef) ** 2))
    new = np.random.default_rng(0).uniform(size=(100_000, 1))
    error = np.mean((wave(new[:, 0]) - kernel(new, X) @ fit.coef) ** 2) + NOISE**2
    assert figure.values["test"][k] == pytest.approx(error, rel=0.02)


@pytest.mark.parametrize("kind", [RidgeDial, RidgeSurface])
def test_two_scales_of_one_dial(kind):
    figure = fresh(kind)
    figure.lam.value = nearest(LOG_LAMS, 1.0)
    assert figure.lam.label == "1 (C = 0.5)"
    before = figure.live.readout
    figure.scale.value = "linear"
    assert len(figure.lam.options) == len(LINEAR_LAMS)
    assert figure.lam.label == "1 (C = 0.5)"
    assert figure.freedom.axes.get_xscale() == "linear"
    assert figure.errors.axes.get_xlim() == (0, 5.05)
    assert figure.live.readout.split("\n")[1] == before.split("\n")[1]  # the same errors
    figure.scale.value = "log"
    assert figure.live.readout == before


def test_all_examples_in_one_place():
    figure = fresh(RidgeDial)
    for kind in ("Gaussian", "Laplacian"):
        figure.kind.value = kind
        move(figure, np.full((18, 2), 0.5))
        assert "nan" not in figure.live.readout
        assert figure.path.degrees_of_freedom[0] == pytest.approx(1, abs=1e-3)


# --- the surface ---------------------------------------------------------------------------------


def test_what_the_text_says_of_the_surface():
    figure = fresh(RidgeSurface)
    assert "lowest: test 0.0116 at λ = 0.00316" in figure.live.readout
    assert figure.distance == pytest.approx(0.150, abs=5e-4)
    assert figure.title.get_text() == "fit, off by 0.15: blue above, dark mesh below"
    below = TRUE - score_field(figure.kernel, figure.X, figure.path.at(1.0).coef[0], SIDE, SIDE)
    assert np.unravel_index(below.argmax(), below.shape) == (18, 18)  # the corner (1, 1)
    edge = np.ones_like(below, dtype=bool)
    edge[1:-1, 1:-1] = False
    assert below[edge].mean() > 5 * below[~edge].mean() > 0  # it sags along the edges
    figure.lam.value = nearest(LOG_LAMS, 0.00316)
    assert figure.distance < 0.08
    figure.gamma.value = 200.0
    assert figure.distance > 0.3


def test_the_surface_is_turned_by_slider_and_by_grip():
    figure = fresh(RidgeSurface)
    frame = figure.live.frame
    figure.turn.value = 40
    np.testing.assert_allclose(figure.live.at, [[40, 24]])
    assert figure.live.frame != frame
    move(figure, [[-60.4, 70]])
    assert (figure.turn.value, figure.tilt.value) == (-60, 70)
    assert "turn -60, tilt 70" in figure.live.alt
    figure.lam.value -= 1  # another control leaves the view alone
    assert (figure.turn.value, figure.tilt.value) == (-60, 70)


def test_the_laplacian_surface():
    figure = fresh(RidgeSurface)
    figure.lam.value = nearest(LOG_LAMS, 0.01)
    figure.kind.value = "Laplacian, ℓ2"
    (X, y), (Z, t) = make_bowl(), make_bowl(seed=TEST_SEED)
    kernel = Laplacian(7.0, "l2")
    expected = np.mean((t - kernel(Z, X) @ ridge(kernel(X), y, 0.01).coef) ** 2)
    assert figure.values["test"][figure.lam.value] == pytest.approx(expected)


# --- bias and variance ---------------------------------------------------------------------------


def test_what_the_text_says_of_bias_and_variance():
    figure = fresh(BiasVarianceDial)
    assert "lowest sum 0.1072 at λ = 0.075" in figure.live.readout
    assert figure.titles[1].get_text() == "lowest sum 0.11 at λ = 0.075"
    off, apart = figure.now["bias²"] ** 0.5, figure.now["variance"] ** 0.5
    assert figure.titles[0].get_text() == f"together off by {off:.2f}, apart by {apart:.2f}"
    figure.noise.value = 1.0
    assert "at λ = 1.33" in figure.live.readout
    assert figure.now["sum"] == pytest.approx(
        figure.now["bias²"] + figure.now["variance"] + figure.now["noise"]
    )


def test_bias_grows_and_variance_falls_with_lam():
    figure = fresh(BiasVarianceDial)
    variance, bias = [], []
    for k in (8, 16, 24, 32, 40):
        figure.lam.value = k
        variance.append(figure.now["variance"])
        bias.append(figure.now["bias²"])
    assert variance == sorted(variance, reverse=True)
    assert bias == sorted(bias)
    before = figure.now["variance"]
    figure.draw_others()
    assert figure.now["variance"] != before
    assert figure.now["variance"] == pytest.approx(before, rel=0.3)


# --- rough and smooth ----------------------------------------------------------------------------


def test_what_the_text_says_of_rough_and_smooth():
    figure = fresh(Roughness)
    assert figure.loo["Gaussian"] == pytest.approx(0.37, abs=5e-3)
    assert figure.loo["Laplacian"] == pytest.approx(0.22, abs=5e-3)
    found = []
    for _, k in figure.lam.options:
        figure.lam.value = k
        found.append(tuple(figure.loo.values()))
    smooth, rough = np.min(found, axis=0)
    assert (round(smooth, 2), round(rough, 2)) == (0.15, 0.22)
    assert found[0][1] == pytest.approx(rough, abs=0.01)  # and stays there


def test_slopes_are_derivatives():
    figure = fresh(Roughness)
    for fit, slope in zip(figure.fits, figure.slopes, strict=True):
        x, f = fit.curve.get_data()
        numeric = np.diff(f) / np.diff(x)
        exact = np.asarray(slope.get_ydata())
        low, high = np.minimum(exact[1:], exact[:-1]), np.maximum(exact[1:], exact[:-1])
        inside = (numeric > low - 0.4) & (numeric < high + 0.4)
        assert inside.mean() > 0.99
    slope = np.asarray(figure.slopes[1].get_ydata())
    assert figure.jump == pytest.approx(np.abs(np.diff(slope)).max(), rel=0.05)


def test_two_examples_in_one_place_are_one_kink():
    figure = fresh(Roughness)
    points = figure.live.at.copy()
    points[1] = points[0] + [0, 1.0]
    points[1, 0] = points[0, 0]
    move(figure, points)
    slope = np.asarray(figure.slopes[1].get_ydata())
    assert figure.jump == pytest.approx(np.abs(np.diff(slope)).max(), rel=0.1)


# --- the band ------------------------------------------------------------------------------------


def test_the_band_does_not_depend_on_heights():
    figure = fresh(GPBand)
    widths = figure.narrowest, figure.widest
    points = figure.live.at.copy()
    points[:, 1] = -points[:, 1]
    move(figure, points)
    assert (figure.narrowest, figure.widest) == widths
    points[:, 0] *= 0.2
    move(figure, points)
    assert figure.narrowest < widths[0]


def test_what_the_text_says_of_the_band():
    figure = fresh(GPBand)
    figure.seen.value = 0
    assert (figure.narrowest, figure.widest, figure.far) == (1, 1, (0, 1))
    figure.seen.value = 1
    assert "mean 0.000" in figure.live.readout  # and not −0.000
    assert figure.narrowest < 0.21
    assert figure.widest == pytest.approx(1.0)
    figure.seen.value = 12
    figure.reach.value = 1.0
    assert "the band holds 43% of the truth" in figure.live.readout
    assert figure.title.get_text() == "12 examples seen: the band holds 43% of the truth"
    figure.kind.value = "Laplacian"
    assert figure.far[1] > 0.5


def test_functions_drawn():
    figure = fresh(GPBand)
    before = [path.copy() for path in figure.fit.paths.get_segments()]
    assert len(before) == 5
    figure.draw_others()
    assert np.abs(np.array(figure.fit.paths.get_segments()) - before).max() > 0.1
    figure.paths.value = False
    assert len(figure.fit.paths.get_segments()) == 0


# --- ridge regression or the SVM -----------------------------------------------------------------


def test_too_right():
    figure = fresh(RidgeOrSVM)
    assert figure.mistakes == {"ridge": 2, "SVM": 0}
    assert figure.title.get_text() == "wrong of 20: ridge 2, SVM 0"
    points = figure.live.at.copy()
    points[-3:] = [[2, 2], [2.5, 1.5], [1.5, 2.5]]
    move(figure, points)
    assert figure.mistakes == {"ridge": 0, "SVM": 0}
    loss = figure.margins["ridge"]
    share = ((1 - loss[loss > 1]) ** 2).sum() / ((1 - loss) ** 2).sum()
    assert figure.for_being_right == pytest.approx(share)
    for kind in KERNELS:
        figure.kind.value = kind
        for _, C in figure.cost.options:
            figure.cost.value = C
            assert figure.live.error == ""
            assert figure.gap < 1e-3


def test_the_same_problem_but_for_the_loss():
    figure = fresh(RidgeOrSVM)
    X, C = np.column_stack([figure.start, np.ones(20)]), figure.cost.value
    w = np.linalg.solve(X.T @ X + np.eye(3) / (2 * C), X.T @ figure.y)
    np.testing.assert_allclose(figure.margins["ridge"], figure.y * (X @ w), atol=1e-10)


# --- λ → 0 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", SAMPLES)
def test_lam_is_raised_and_it_is_said(sample):
    figure = fresh(RidgeBreak)
    figure.sample.value = sample
    assert not figure.raised
    assert "no complaint: λ is above" in figure.live.readout
    figure.lam.value = 0
    assert figure.raised
    assert "raised to" in figure.live.readout
    assert figure.used == figure.lowest > 0
    assert figure.note.get_text().startswith("λ raised to 1.")
    assert np.isfinite(figure.fit.curve.get_ydata()).all()


def test_what_the_text_says_of_breaking():
    figure = fresh(RidgeBreak)
    figure.lam.value = 0
    assert 9.5 < np.log10(figure.largest) < 10.5
    assert 11 < np.log10(figure.condition) < 12
    assert figure.titles[0].get_text() == f"largest weight {figure.largest:.2g}"
    assert np.abs(figure.used * figure.largest) < 1e-3  # the largest residual: through all twelve
    assert np.abs(figure.fit.curve.get_ydata()).max() > 3  # out of the picture
    figure.sample.value = "one place, two values"
    assert np.isnan(figure.plain) or figure.plain > 0.01
    assert "nan" not in figure.live.readout


@pytest.mark.parametrize("kind", [RidgeDial, Roughness, GPBand, RidgeBreak])
def test_two_heights_at_one_place(kind):
    figure = fresh(kind)
    assert "one place" not in figure.live.readout
    points = figure.live.at.copy()
    points[1] = points[0]
    move(figure, points)
    assert "2 examples coincide" in figure.live.readout
    points[1, 1] += 0.5
    move(figure, points)
    assert "f cannot meet two heights at one place" in figure.live.readout


def test_a_point_with_two_labels():
    figure = fresh(RidgeOrSVM)
    assert "coincide" not in figure.live.readout
    points = figure.live.at.copy()
    points[figure.y > 0] = points[figure.y < 0][0]
    move(figure, points)
    assert "points with two labels coincide: no f is right on both" in figure.live.readout


# --- the five mistakes ---------------------------------------------------------------------------


def test_all_five_and_none():
    figure = fresh(FiveMistakes)
    assert "lowest test error of this curve: 0.3254 at λ = 3.25, position 65" in figure.live.readout
    assert "of all eight γ: 0.3114 at λ = 1.3, γ = 12" in figure.live.readout
    figure.switch_all(False)
    assert "0.0129 at λ = 0.05 (the edge of the grid), position 1" in figure.live.readout
    assert (np.diff(figure.errors.test) > 0).all()
    figure.switch_all(True)
    assert all(figure.made(key) for key in NAMES)


def test_only_the_broadcast_turns_it_round():
    figure = fresh(FiveMistakes)
    figure.switches["column"].value = False
    assert figure.best == 0
    assert figure.errors.test[0] == pytest.approx(0.3254 / 18, rel=0.01)  # eighteen times smaller
    assert figure.errors.train.max() < 1e-20
    figure.switches["column"].value = True
    for key in ("not_squared", "lam_by_index", "by_position", "diagonal_only"):
        figure.switches[key].value = False
        assert figure.best > 0, key
        assert figure.errors.test[1] < figure.errors.test[0]


def test_mistakes_of_the_drawing():
    figure = fresh(FiveMistakes)
    figure.switch_all(False)
    axes, titles = figure.curves.axes, figure.titles
    assert axes.get_xlabel() == "λ"
    assert [title.get_text() for title in titles] == [
        "test error lowest at λ = 0.05", "fit: blue above, dark mesh below the truth",
    ]  # fmt: skip
    assert len(figure.surface.mesh.faces) == 18 * 18
    numbers = figure.live.readout
    figure.switches["by_position"].value = True
    assert axes.get_xlabel() == "position in the list of λ"
    assert axes.get_xlim() == (0, 101)
    figure.switches["diagonal_only"].value = True
    assert len(figure.surface.mesh.faces) == 0
    assert len(figure.surface.curve.get_xdata()) == 19
    assert [title.get_text() for title in titles] == [
        "test error lowest at position 1", "fit, where x₁ = x₂ and nowhere else",
    ]  # fmt: skip
    assert figure.live.readout == numbers


def test_the_figure_shows_what_the_experiment_computes():
    figure = fresh(FiveMistakes)
    for key in NAMES:
        figure.switches[key].value = key in ("not_squared", "column")
    figure.gamma.value = 3.0
    expected = ridge_errors(
        make_bowl(), make_bowl(seed=TEST_SEED), 3.0, GRID, not_squared=True, column=True
    )
    np.testing.assert_allclose(figure.curves.lines["test"].get_ydata(), expected.test)
    np.testing.assert_allclose(figure.curves.lines["training"].get_ydata(), expected.train)


# --- the broadcast microscope --------------------------------------------------------------------


def test_the_switch_flips_the_curve():
    figure = fresh(BroadcastMicroscope)
    assert figure.mean_square == pytest.approx(0.0128, abs=5e-5)
    assert LAMS[figure.best] < 0.05
    tried = (LAMS >= 0.05) & (LAMS <= 5)
    assert (np.diff(figure.errors[tried]) > 0).all()
    figure.shape.value = COLUMN
    assert figure.mean_square == pytest.approx(0.4054, abs=5e-5)
    assert (np.diff(figure.errors[tried]) < 0).all()
    assert LAMS[figure.best] > 5
    assert figure.title.get_text() == f"“test error” lowest at λ = {LAMS[figure.best]:.2g}"
    assert "→ (100, 100)" in figure.live.readout
    assert figure.terms.words[3].get_text() == "left out"


def test_the_number_is_the_mean_of_what_is_lit():
    figure = fresh(BroadcastMicroscope)
    for shape in (VECTOR, COLUMN):
        figure.shape.value = shape
        for k in (0, 20, len(LAMS) - 1):
            figure.lam.value = k
            assert figure.mean_square == pytest.approx(figure.errors[k])
            parts = figure.parts if shape == VECTOR else figure.parts[:3]
            assert figure.mean_square == pytest.approx(sum(parts))


def test_shuffling_is_noticed_by_the_diagonal_only():
    figure = fresh(BroadcastMicroscope)
    figure.shape.value = COLUMN
    before = figure.mean_square
    figure.shuffled.value = True
    assert figure.mean_square == pytest.approx(before)
    figure.shape.value = VECTOR
    assert figure.mean_square > 0.2
    low, high = figure.curve.axes.get_ylim()
    assert low < figure.mean_square < high  # the curve is in sight
    figure.shuffled.value = False
    assert figure.mean_square == pytest.approx(0.0128, abs=5e-5)
    figure.order.value = "drawing"
    assert figure.mean_square == pytest.approx(0.0128, abs=5e-5)


def test_the_lens_is_dragged():
    figure = fresh(BroadcastMicroscope)
    assert "example 31: its residual" in figure.live.readout
    move(figure, [[80.2, 89.3]])
    assert figure.at == (10, 80)
    assert "of target 81 and prediction 11: nobody's residual" in figure.live.readout
    y = np.sort(figure.y_test)
    shown = float(figure.lens.numbers[12].get_text().replace("−", "-"))
    by_target = figure.predictions[figure.lam.value][np.argsort(figure.y_test)]
    assert shown == pytest.approx(y[80] - by_target[10], abs=0.006)
    move(figure, [[0, 0]])
    assert figure.at == (97, 2)  # the whole lens stays inside
