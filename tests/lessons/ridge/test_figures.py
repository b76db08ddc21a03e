"""The live figures of notebook 06, moved from Python: the numbers must follow, and stay true."""

from __future__ import annotations

import numpy as np
import pytest
from moves import move

from kernellab.datasets.targets import LINEAR_LAMS, TEST_SEED, make_bowl
from kernellab.kernels import Gaussian, Laplacian, score_field
from kernellab.lessons.mistakes.figures.broadcast import COLUMN, LAMS, VECTOR, BroadcastMicroscope
from kernellab.lessons.mistakes.figures.five_mistakes import MISTAKES, FiveMistakes
from kernellab.lessons.mistakes.ridge_experiment import ridge_errors
from kernellab.lessons.ridge.figures import bias_variance, roughness
from kernellab.lessons.ridge.figures.bias_variance import BiasVarianceDial
from kernellab.lessons.ridge.figures.gp_band import GPBand
from kernellab.lessons.ridge.figures.ridge_break import SAMPLES, RidgeBreak
from kernellab.lessons.ridge.figures.ridge_dial import NOISE, RidgeDial, wave
from kernellab.lessons.ridge.figures.ridge_or_svm import COSTS, KERNELS, RidgeOrSVM
from kernellab.lessons.ridge.figures.ridge_over_lam import LOG_LAMS
from kernellab.lessons.ridge.figures.ridge_surface import SIDE, TRUE, RidgeSurface, X, Y
from kernellab.lessons.ridge.figures.roughness import Roughness
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
    assert figure.numbers["test_best"] == pytest.approx(0.178, abs=5e-4)
    assert figure.numbers["loo_best"] == pytest.approx(0.0237, abs=5e-5)
    freedom = figure.panels.freedom.lines["freedom"].get_ydata()
    assert (np.diff(figure.panels.errors.lines["training"].get_ydata()) > 0).all()
    assert (np.diff(freedom) < 0).all()
    assert [round(freedom[k]) for k in (0, -1)] == [15, 1]
    assert figure.numbers["freedom"] == pytest.approx(8.0, abs=0.05)
    figure.scale = "linear"  # the valleys are squeezed against the edge, or beyond it
    assert figure.numbers["test_best"] == LINEAR_LAMS[2]
    assert figure.numbers["loo_best"] == LINEAR_LAMS[0]


def test_leave_one_out_is_deletion_after_a_drag():
    figure = fresh(RidgeDial)
    figure.lam = 0.01
    points = figure.live.at.copy()
    points[3] = [0.31, -1.4]
    move(figure, points)
    kernel, lam, found = Gaussian(50.0), figure.lam, figure.numbers
    X, y = points[:, :1], points[:, 1]
    squares = []
    for i in range(18):
        rest = np.arange(18) != i
        fit = ridge(kernel(X[rest]), y[rest], lam)
        squares.append((y[i] - (kernel(X[i : i + 1], X[rest]) @ fit.coef)[0]) ** 2)
    assert found["loo"] == pytest.approx(np.mean(squares), abs=1e-10)
    fit = ridge(kernel(X), y, lam)
    assert found["freedom"] == pytest.approx(fit.degrees_of_freedom)
    assert found["train"] == pytest.approx(np.mean((lam * fit.coef) ** 2))
    new = np.random.default_rng(0).uniform(size=(100_000, 1))
    error = np.mean((wave(new[:, 0]) - kernel(new, X) @ fit.coef) ** 2) + NOISE**2
    assert found["test"] == pytest.approx(error, rel=0.02)


@pytest.mark.parametrize("kind", [RidgeDial, RidgeSurface])
def test_two_scales_of_one_dial(kind):
    figure = fresh(kind)
    figure.lam = 1.0
    before, found = figure.live.readout, figure.numbers
    assert figure.controls["lam"].label == "1 (C = 0.5)"
    figure.scale = "linear"
    assert figure.lam == 1.0
    assert figure.panels.freedom.axes.get_xscale() == "linear"
    assert figure.panels.errors.axes.get_xlim() == (0, 5.05)
    for name in ("train", "test", "loo"):
        assert figure.numbers[name] == pytest.approx(found[name])
    figure.scale = "log"
    assert figure.live.readout == before


def test_another_scale_leaves_the_dial_at_the_nearest_lam():
    figure = fresh(RidgeDial)
    figure.lam = LOG_LAMS[0]
    figure.scale = "linear"
    assert figure.lam == 0.05
    figure.lam = 3.25
    figure.scale = "log"
    assert figure.lam == LOG_LAMS[52]  # 10^0.5
    figure.configure(scale="linear", lam=3.25)
    assert figure.lam == 3.25


def test_all_examples_in_one_place():
    figure = fresh(RidgeDial)
    for kind in ("Gaussian", "Laplacian"):
        figure.kind, figure.lam = kind, LOG_LAMS[0]
        move(figure, np.full((18, 2), 0.5))
        assert figure.numbers["freedom"] == pytest.approx(1, abs=1e-3)


# --- the surface ---------------------------------------------------------------------------------


def test_what_the_text_says_of_the_surface():
    figure = fresh(RidgeSurface)
    assert figure.numbers["lowest_test"] == pytest.approx(0.0116, abs=5e-5)
    assert figure.numbers["test_best"] == pytest.approx(0.00316, abs=5e-6)
    assert figure.numbers["distance"] == pytest.approx(0.150, abs=5e-4)
    coef = ridge(figure.kernel(X), Y, 1.0).coef
    below = TRUE - score_field(figure.kernel, X, coef, SIDE, SIDE)
    assert np.unravel_index(below.argmax(), below.shape) == (18, 18)  # the corner (1, 1)
    edge = np.ones_like(below, dtype=bool)
    edge[1:-1, 1:-1] = False
    assert below[edge].mean() > 5 * below[~edge].mean() > 0  # it sags along the edges
    figure.lam = 0.00316
    assert figure.numbers["distance"] < 0.08
    figure.gamma = 200.0
    assert figure.numbers["distance"] > 0.3


def test_the_surface_is_turned_by_slider_and_by_grip():
    figure = fresh(RidgeSurface)
    frame = figure.live.frame
    figure.turn = 40
    np.testing.assert_allclose(figure.live.at, [[40, 24]])
    assert figure.live.frame != frame
    move(figure, [[-60.4, 70]])
    assert (figure.turn, figure.tilt) == (-60, 70)
    assert figure.controls["turn"].value == -60
    figure.lam = 0.1  # another control leaves the view alone
    assert (figure.turn, figure.tilt) == (-60, 70)


def test_the_laplacian_surface():
    figure = fresh(RidgeSurface)
    figure.lam, figure.kind = 0.01, "Laplacian, ℓ2"
    Z, t = make_bowl(seed=TEST_SEED)
    kernel = Laplacian(7.0, "l2")
    expected = np.mean((t - kernel(Z, X) @ ridge(kernel(X), Y, 0.01).coef) ** 2)
    assert figure.numbers["test"] == pytest.approx(expected)
    assert figure.controls["gamma"].label == "7"  # and no σ


# --- bias and variance ---------------------------------------------------------------------------


def test_what_the_text_says_of_bias_and_variance():
    figure = fresh(BiasVarianceDial)
    assert figure.numbers["lowest"] == pytest.approx(0.1072, abs=5e-5)
    assert figure.numbers["best"] == pytest.approx(0.075, abs=5e-4)
    figure.noise = 1.0
    found = figure.numbers
    assert found["best"] == pytest.approx(1.33, abs=5e-3)
    assert found["sum"] == pytest.approx(found["bias"] + found["variance"] + 1.0)


def test_bias_grows_and_variance_falls_with_lam():
    figure = fresh(BiasVarianceDial)
    variance, bias = [], []
    for lam in bias_variance.LAMS[8:41:8]:
        figure.lam = lam
        variance.append(figure.numbers["variance"])
        bias.append(figure.numbers["bias"])
    assert variance == sorted(variance, reverse=True)
    assert bias == sorted(bias)
    before = figure.numbers["variance"]
    figure.draw_others()
    assert figure.numbers["variance"] != before
    assert figure.numbers["variance"] == pytest.approx(before, rel=0.3)


# --- rough and smooth ----------------------------------------------------------------------------


def test_what_the_text_says_of_rough_and_smooth():
    figure = fresh(Roughness)
    assert figure.numbers["loo"] == pytest.approx([0.37, 0.22], abs=5e-3)
    found = []
    for lam in roughness.LAMS:
        figure.lam = lam
        found.append(figure.numbers["loo"])
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
    assert figure.numbers["jump"] == pytest.approx(np.abs(np.diff(slope)).max(), rel=0.05)


def test_two_examples_in_one_place_are_one_kink():
    figure = fresh(Roughness)
    points = figure.live.at.copy()
    points[1] = points[0] + [0, 1.0]
    points[1, 0] = points[0, 0]
    move(figure, points)
    slope = np.asarray(figure.slopes[1].get_ydata())
    assert figure.numbers["jump"] == pytest.approx(np.abs(np.diff(slope)).max(), rel=0.1)


# --- the band ------------------------------------------------------------------------------------


def test_the_band_does_not_depend_on_heights():
    figure = fresh(GPBand)
    widths = figure.numbers["narrowest"], figure.numbers["widest"]
    points = figure.live.at.copy()
    points[:, 1] = -points[:, 1]
    move(figure, points)
    assert (figure.numbers["narrowest"], figure.numbers["widest"]) == widths
    points[:, 0] *= 0.2
    move(figure, points)
    assert figure.numbers["narrowest"] < widths[0]


def test_what_the_text_says_of_the_band():
    figure = fresh(GPBand)
    figure.seen = 0
    assert [figure.numbers[name] for name in ("narrowest", "widest", "far_deviation")] == [1, 1, 1]
    figure.seen = 1
    assert "mean 0.000" in figure.live.readout  # and not −0.000
    assert figure.numbers["narrowest"] < 0.21
    assert figure.numbers["widest"] == pytest.approx(1.0)
    figure.seen, figure.reach = 12, 1.0
    assert figure.numbers["covered"] == pytest.approx(0.43, abs=5e-3)
    figure.kind = "Laplacian"
    assert figure.numbers["far_deviation"] > 0.5


def test_functions_drawn():
    figure = fresh(GPBand)
    before = [path.copy() for path in figure.fit.paths.get_segments()]
    assert len(before) == 5
    figure.draw_others()
    assert np.abs(np.array(figure.fit.paths.get_segments()) - before).max() > 0.1
    figure.paths = False
    assert len(figure.fit.paths.get_segments()) == 0


# --- ridge regression or the SVM -----------------------------------------------------------------


def test_ridge_pays_for_margins_above_one():
    figure = fresh(RidgeOrSVM)
    assert figure.numbers["wrong"] == [2, 0]
    points = figure.live.at.copy()
    points[-3:] = [[2, 2], [2.5, 1.5], [1.5, 2.5]]
    move(figure, points)
    assert figure.numbers["wrong"] == [0, 0]
    loss = figure.numbers["margins"][0]
    share = ((1 - loss[loss > 1]) ** 2).sum() / ((1 - loss) ** 2).sum()
    assert figure.numbers["for_being_right"] == pytest.approx(share)
    for kind in KERNELS:
        for cost in COSTS:
            figure.kind, figure.cost = kind, cost
            assert figure.numbers["gap"] < 1e-3


def test_the_same_problem_but_for_the_loss():
    figure = fresh(RidgeOrSVM)
    X, C = np.column_stack([figure.live.at, np.ones(20)]), figure.cost
    y = np.array([1.0 if "+1" in handle["label"] else -1.0 for handle in figure.live.handles])
    w = np.linalg.solve(X.T @ X + np.eye(3) / (2 * C), X.T @ y)
    np.testing.assert_allclose(figure.numbers["margins"][0], y * (X @ w), atol=1e-10)


# --- λ → 0 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", SAMPLES)
def test_lam_is_raised_and_it_is_said(sample):
    figure = fresh(RidgeBreak)
    figure.sample = sample
    assert figure.numbers["raised"] is None
    assert figure.numbers["exceeded"] == figure.numbers["lowest"]
    figure.lam = 0
    assert figure.numbers["raised"] == figure.numbers["lowest"] > 0
    assert figure.numbers["exceeded"] is None
    assert figure.note.get_text().startswith("λ raised to 1.")
    assert np.isfinite(figure.fit.curve.get_ydata()).all()


def test_what_the_text_says_of_breaking():
    figure = fresh(RidgeBreak)
    figure.lam = 0
    largest = figure.numbers["largest"]
    assert 9.5 < np.log10(largest) < 10.5
    assert 11 < np.log10(figure.numbers["condition"]) < 12
    assert figure.numbers["raised"] * largest < 1e-3  # the largest residual: through all twelve
    assert np.abs(figure.fit.curve.get_ydata()).max() > 3  # out of the picture
    figure.sample = "one place, two values"
    assert np.isnan(figure.numbers["residual"]) or figure.numbers["residual"] > 0.01


@pytest.mark.parametrize("kind", [RidgeDial, Roughness, GPBand, RidgeBreak])
def test_two_heights_at_one_place(kind):
    figure = fresh(kind)
    assert figure.numbers["together"] == ""
    points = figure.live.at.copy()
    points[1] = points[0]
    move(figure, points)
    assert figure.numbers["together"] == "2 examples coincide"
    points[1, 1] += 0.5
    move(figure, points)
    assert figure.numbers["together"].endswith("f cannot meet two heights at one place")


def test_a_point_with_two_labels():
    figure = fresh(RidgeOrSVM)
    assert figure.numbers["together"] == ""
    points = figure.live.at.copy()
    points[-1] = points[0]
    move(figure, points)
    assert figure.numbers["together"].endswith("two labels coincide: no f is right on both")


# --- the five mistakes ---------------------------------------------------------------------------


def test_all_five_and_none():
    figure = fresh(FiveMistakes)
    assert figure.numbers["lowest"] == pytest.approx(0.3254, abs=5e-5)
    assert (figure.numbers["best"], figure.numbers["best_position"]) == (3.25, 65)
    assert figure.numbers["overall"] == pytest.approx((0.3114, 12, 1.3), abs=5e-5)
    figure.none()
    assert figure.numbers["lowest"] == pytest.approx(0.0129, abs=5e-5)
    assert (figure.numbers["best_position"], bool(figure.numbers["edge"])) == (1, True)
    assert (np.diff(figure.numbers["errors"].test) > 0).all()
    figure.all_five()
    assert all(getattr(figure, name) for name in MISTAKES)


def test_only_the_broadcast_turns_it_round():
    figure = fresh(FiveMistakes)
    figure.column = False
    errors = figure.numbers["errors"]
    assert figure.numbers["best_position"] == 1
    assert errors.test[0] == pytest.approx(0.3254 / 18, rel=0.01)  # eighteen times smaller
    assert errors.train.max() < 1e-20
    figure.column = True
    for name in ("not_squared", "lam_by_index", "by_position", "diagonal_only"):
        setattr(figure, name, False)
        errors = figure.numbers["errors"]
        assert figure.numbers["best_position"] > 1, name
        assert errors.test[1] < errors.test[0]


def test_mistakes_of_the_drawing():
    figure = fresh(FiveMistakes)
    figure.none()
    axes = figure.curves.axes
    assert axes.get_xlabel() == "λ"
    assert len(figure.surface.mesh.faces) == 18 * 18
    numbers = figure.live.readout
    figure.by_position = True
    assert axes.get_xlabel() == "position in the list of λ"
    assert axes.get_xlim() == (0, 101)
    figure.diagonal_only = True
    assert len(figure.surface.mesh.faces) == 0
    assert len(figure.surface.curve.get_xdata()) == 19
    assert figure.live.readout == numbers


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
    assert figure.numbers["whose"] == "example 31: its residual"
    move(figure, [[80.2, 89.3]])
    assert figure.numbers["whose"] == "of target 81 and prediction 11: nobody's residual"
    (X, y), (Z, t) = make_bowl(), make_bowl(seed=TEST_SEED)
    kernel, by_target = Gaussian(8.0), np.argsort(t)
    predicted = kernel(Z, X) @ ridge(kernel(X), y, 0.05).coef
    middle = t[by_target[80]] - predicted[by_target[10]]
    assert figure.numbers["middle"] == pytest.approx(middle)
    shown = float(figure.lens.numbers[12].get_text().replace("−", "-"))
    assert shown == pytest.approx(middle, abs=0.006)
    move(figure, [[0, 0]])
    assert (figure.numbers["row"], figure.numbers["column"]) == (98, 3)  # all of it stays inside
