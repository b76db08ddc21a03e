"""The live figures of notebook 06, moved from Python: the numbers must follow, and stay true."""

from __future__ import annotations

import numpy as np
import pytest
from moves import fresh, move

from kernellab.datasets.targets import LINEAR_LAMS
from kernellab.draw import style
from kernellab.kernels import Gaussian, score_field
from kernellab.lessons.ridge.figures import bias_variance, equaliser
from kernellab.lessons.ridge.figures.bias_variance import BiasVarianceDial
from kernellab.lessons.ridge.figures.equaliser import Equaliser
from kernellab.lessons.ridge.figures.gp_band import GPBand
from kernellab.lessons.ridge.figures.regression_marks import Fit
from kernellab.lessons.ridge.figures.ridge_break import SAMPLES, RidgeBreak
from kernellab.lessons.ridge.figures.ridge_dial import NOISE, RidgeDial, wave
from kernellab.lessons.ridge.figures.ridge_or_svm import COSTS, KERNELS, RidgeOrSVM
from kernellab.lessons.ridge.figures.ridge_over_lam import LOG_LAMS
from kernellab.lessons.ridge.figures.ridge_surface import SIDE, TRUE, RidgeSurface, X, Y
from kernellab.lessons.ridge.figures.roughness import Roughness
from kernellab.solvers.ridge import ridge

# --- a fit ---------------------------------------------------------------------------------------


def test_residuals_go_from_examples_to_the_curve():
    fit = Fit(style.new_figure().subplots())
    grid, x = np.array([0.0, 1.0]), np.array([0.2, 0.4])
    fit.show(grid, grid, examples=(x, x + 1), fitted=x, band=(grid - 1, grid + 1))
    segments = np.array(fit.residuals.get_segments())
    np.testing.assert_allclose(segments[0], [[0.2, 1.2], [0.2, 0.2]])
    assert fit.band.get_visible()
    fit.show(grid, grid)
    assert not fit.band.get_visible()
    assert len(fit.points.get_offsets()) == 0


# --- one dial ------------------------------------------------------------------------------------


def test_what_the_text_says_of_the_dial():
    figure = fresh(RidgeDial)
    assert figure.numbers["test_best"] == pytest.approx(0.178, abs=5e-4)
    assert figure.numbers["loo_best"] == pytest.approx(0.0237, abs=5e-5)
    assert round(figure.numbers["test_at_loo_best"], 2) == 0.11  # the valley is flat
    assert round(figure.numbers["lowest_test"], 2) == 0.10
    assert figure.titles[0].get_text() == "λ = 0.1"
    assert figure.titles[1].get_text() == "training error 0.019"
    drawn = [figure.panels.errors.lines[name].get_visible() for name in ("training", "test")]
    assert drawn == [True, False]
    assert figure.panels.errors.axes.get_ylabel() == "training error"  # instead of the legend
    assert not figure.panels.errors.axes.get_legend().get_visible()
    figure.errors = "training and test"
    assert figure.titles[1].get_text() == "training 0.019, test 0.099"
    assert not figure.panels.errors.lines["leave-one-out"].get_visible()
    figure.errors = "all three"
    assert figure.titles[1].get_text() == "best λ: test 0.18, ★ 0.024"
    assert figure.panels.errors.lines["test"].get_visible()
    assert figure.panels.errors.axes.get_legend().get_visible()
    assert "leave-one-out (star) at λ = 0.0237" in figure.live.readout
    assert figure.panels.errors.lines["leave-one-out"].get_ydata().min() < NOISE**2
    assert (np.diff(figure.panels.errors.lines["training"].get_ydata()) > 0).all()
    assert figure.numbers["freedom"] == pytest.approx(8.0, abs=0.05)
    figure.scale = "linear"  # the valleys are squeezed against the edge, or beyond it
    assert figure.numbers["test_best"] == LINEAR_LAMS[2]
    assert figure.numbers["loo_best"] == LINEAR_LAMS[0]


def test_after_a_drag_all_errors_are_those_of_the_new_examples():
    figure = fresh(RidgeDial)
    points = figure.live.at.copy()
    points[3] = [0.31, -1.4]
    move(figure, points)
    kernel, found, X = Gaussian(50.0), figure.numbers, points[:, :1]
    fit = ridge(kernel(X), points[:, 1], figure.lam)
    assert found["loo"] == pytest.approx(np.mean(fit.loo_errors**2))
    assert found["freedom"] == pytest.approx(fit.degrees_of_freedom)
    assert found["train"] == pytest.approx(np.mean((figure.lam * fit.coef) ** 2))
    new = np.random.default_rng(0).uniform(size=(100_000, 1))
    error = np.mean((wave(new[:, 0]) - kernel(new, X) @ fit.coef) ** 2) + NOISE**2
    assert found["test"] == pytest.approx(error, rel=0.02)


def test_another_scale_leaves_the_dial_at_the_nearest_lam():
    figure = fresh(RidgeDial)
    figure.lam = 1.0
    assert figure.controls["lam"].label == "1"
    found, figure.scale = figure.numbers, "linear"
    assert figure.panels.errors.axes.get_xscale() == "linear"
    for name in ("train", "test", "loo"):  # 1 is in both
        assert figure.numbers[name] == pytest.approx(found[name])
    figure.configure(scale="log", lam=LOG_LAMS[0])
    figure.scale = "linear"
    assert figure.lam == 0.05
    figure.lam = 3.25
    figure.scale = "log"
    assert figure.lam == LOG_LAMS[44]  # 10^0.5
    figure.configure(scale="linear", lam=3.25)
    assert figure.lam == 3.25


def test_all_examples_in_one_place():
    figure = fresh(RidgeDial)
    for kind in ("Gaussian", "Laplacian"):
        figure.kind, figure.lam = kind, LOG_LAMS[0]
        move(figure, np.full((18, 2), 0.5))
        assert figure.numbers["freedom"] == pytest.approx(1, abs=1e-3)


# --- the equaliser -------------------------------------------------------------------------------


def test_shares_of_the_directions():
    figure = fresh(Equaliser)
    figure.lam = 0.1
    values, vectors = np.linalg.eigh(Gaussian(50.0)(equaliser.X[:, np.newaxis]))
    size, share = np.abs(vectors.T @ equaliser.Y)[::-1], (values / (values + 0.1))[::-1]
    for bars, expected in (
        (figure.whole, size), (figure.kept, share * size), (figure.shares, share),
    ):  # fmt: skip
        np.testing.assert_allclose([bar.get_height() for bar in bars], expected, atol=1e-9)
    assert figure.numbers["freedom"] == pytest.approx(share.sum())
    assert share[:8].min() > 0.75  # the first eight are left
    assert share[8:].max() < 0.4
    assert size[8:].max() < 0.3  # and from the ninth on there is little but noise


def test_directions_get_wigglier():
    figure = fresh(Equaliser)
    for figure.one in range(1, 19):
        values = figure.values.get_ydata()  # at the examples, which fill the picture
        assert np.abs(values).max() == pytest.approx(1)
        if figure.one <= 15:  # later ones are as small as what rounding leaves of them
            assert np.sum(values[1:] * values[:-1] < 0) == figure.one - 1


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


# --- bias and variance ---------------------------------------------------------------------------


def test_what_the_text_says_of_bias_and_variance():
    figure = fresh(BiasVarianceDial)
    assert figure.numbers["lowest"] == pytest.approx(0.1052, abs=5e-5)
    assert figure.numbers["best"] == pytest.approx(0.1)
    figure.noise = 1.0
    found = figure.numbers
    assert found["best"] == pytest.approx(1.78, abs=5e-3)
    for noise, best in ((0.1, 0.0178), (0.5, 0.422)):  # a little above the square
        figure.noise = noise
        assert figure.numbers["best"] == pytest.approx(best, rel=5e-3)
    assert found["sum"] == pytest.approx(found["bias"] + found["variance"] + 1.0)


def test_bias_grows_and_variance_falls_with_lam():
    figure = fresh(BiasVarianceDial)
    variance, bias = [], []
    for lam in bias_variance.LAMS[:33:8]:
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
    figure.seen, figure.sigma = 12, 1.0
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
    figure.lam = 1e-10
    assert 9 < np.log10(figure.numbers["largest"]) < 10 < np.log10(figure.numbers["condition"]) < 11
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
