"""The live figures of notebook 07, moved from Python: the numbers must follow, and stay true."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab.draw.triangle import CORNERS, to_plane
from kernellab.kernels import Gaussian, Polynomial
from kernellab.landmarks import choose_landmarks
from kernellab.live.corners import PAIRS, CornersAndArc
from kernellab.live.digits_columns import ColumnsRace
from kernellab.live.digits_mkl import DigitsKernels, sixteen
from kernellab.live.fourier import GAUSSIAN, LAPLACIAN, FourierDial, density, kappa
from kernellab.live.gram_columns import (
    CHOLESKY,
    DIGITS,
    EIGEN,
    FOURIER,
    KMEANS,
    LEVERAGE,
    POINTS,
    UNIFORM,
    ColumnDial,
    examples,
)  # fmt: skip
from kernellab.live.landmarks import CLOUD, CLUSTERS, SAMPLES, LandmarkGame, lost_share
from kernellab.live.mkl_data import DIGITS as PARTS
from kernellab.live.mkl_data import IRIS, MAKERS, NOISES, SAME, kernels_of
from kernellab.live.mkl_triangle import ENOUGH, WeightPath
from kernellab.live.noise_kernels import GAMMAS, NoiseKernels
from kernellab.mkl import mkl_certificate
from kernellab.mkl_surface import weighted_svm

FIGURES = [
    ColumnDial, LandmarkGame, FourierDial, ColumnsRace, WeightPath, CornersAndArc, NoiseKernels,
    DigitsKernels,
]  # fmt: skip


def move(figure, points):
    """Drag the grips, as the browser does."""
    at = np.asarray(points, dtype=float).tolist()
    figure.live.points = {"move": figure.live.points["move"] + 1, "at": at}
    assert figure.live.error == "", figure.live.last_traceback


@pytest.mark.parametrize("kind", FIGURES)
def test_words_and_a_still(kind):
    figure = kind()
    assert figure.live.error == ""
    assert 50 < len(figure.live.alt) < 600
    assert "nan" not in figure.live.readout + figure.live.alt
    still = figure.live.still()
    assert still.alt == figure.live.alt
    assert len(still.png) < 200_000


# --- m columns -----------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [DIGITS, POINTS])
def test_more_columns_lose_less_and_all_of_them_nothing(data):
    figure = ColumnDial(data)
    lost = []
    for m in (2, 8, 30, 80, figure.m.max):
        figure.m.value = m
        assert figure.live.error == ""
        assert figure.columns <= m
        assert figure.smallest > -1e-6  # K − K̃ is positive semi-definite
        assert figure.on_landmarks < 1e-7
        lost.append(figure.lost)
    assert lost == sorted(lost, reverse=True)
    assert abs(lost[-1]) < 1e-9
    assert "is a Gram matrix" in figure.live.readout


def test_the_error_is_that_of_these_columns():
    figure = ColumnDial()
    X, _ = examples(DIGITS)
    rows = np.random.default_rng(0).permutation(120)[:16]
    K = Polynomial(2, 0.0)(X)
    near = K[:, rows] @ np.linalg.solve(K[np.ix_(rows, rows)], K[rows])
    assert figure.lost == pytest.approx(np.trace(K - near) / np.trace(K))
    assert figure.largest == pytest.approx(np.abs(K - near).max())
    assert figure.relative == pytest.approx(np.linalg.norm(K - near) / np.linalg.norm(K))
    figure.how.value = EIGEN
    values = np.linalg.eigvalsh(K)[::-1]
    assert figure.lost == pytest.approx(values[16:].sum() / values.sum())


def test_every_way_of_choosing_columns():
    figure = ColumnDial(POINTS)
    figure.m.value = 30
    lost = {}
    for how in (UNIFORM, KMEANS, LEVERAGE, CHOLESKY, EIGEN, FOURIER):
        figure.how.value = how
        assert figure.live.error == "", figure.live.last_traceback
        lost[how] = figure.lost
    assert min(lost[UNIFORM], lost[KMEANS], lost[LEVERAGE], lost[CHOLESKY]) >= lost[EIGEN]
    assert lost[CHOLESKY] < lost[UNIFORM]
    assert "is no Gram matrix" in figure.live.readout  # random features are not below K
    assert lost[FOURIER] == pytest.approx(0, abs=1e-9)
    figure.data.value = DIGITS  # whose kernel is not one of differences
    assert figure.how.value == UNIFORM
    assert figure.dial.description == "degree p"
    figure.dial.value = 8.0
    assert figure.live.readout.startswith("(x·z)^8")


# --- landmarks by hand ---------------------------------------------------------------------------

BY_HAND = [
    (-1.5, -0.7), (-1.1, -0.6), (-1.3, -0.9), (0.1, 0.9), (0.35, 0.95), (1.6, -0.3), (-1.9, 1.5),
    (1.2, -1.9),
]  # fmt: skip


def test_a_hand_beats_all_four():
    figure = LandmarkGame()
    assert figure.beaten == 0
    assert "methods you beat on average: 0 of 4" in figure.live.readout
    move(figure, BY_HAND)
    assert figure.lost == pytest.approx(0.082, abs=5e-4)
    assert figure.beaten == 4
    assert figure.bound < figure.lost < figure.rivals.min()
    K = Gaussian.from_bandwidth(0.6)
    expected = 1 - sum(
        v @ np.linalg.solve(K(np.array(BY_HAND)), v) for v in K(SAMPLES[CLUSTERS], BY_HAND)
    ) / len(SAMPLES[CLUSTERS])
    assert figure.lost == pytest.approx(expected)
    best = figure.lost
    move(figure, np.array(BY_HAND) + 0.5)
    assert figure.lost > best
    assert f"your best: {best:.4f}" in figure.live.readout


def test_put_places_them_as_the_methods_do():
    figure = LandmarkGame()
    kernel, X = Gaussian.from_bandwidth(0.6), SAMPLES[CLUSTERS]
    for k, how in enumerate(("uniform", "kmeans", "leverage", "cholesky")):
        figure.how.value = how
        figure.put()  # each press takes the next seed, from 1
        expected = choose_landmarks(kernel, X, 8, how=how, rng=k + 1)
        np.testing.assert_allclose(figure.live.at, expected)
        assert figure.lost == pytest.approx(figure.rivals[k, k + 1])
        assert figure.lost == pytest.approx(lost_share(kernel, X, figure.live.at))


def test_more_and_fewer_landmarks_and_other_data():
    figure = LandmarkGame()
    move(figure, BY_HAND)
    figure.m.value = 12
    assert figure.live.at.shape == (12, 2)
    np.testing.assert_allclose(figure.live.at[:8], BY_HAND)  # those that were there stay
    assert figure.lost < 0.083
    assert len(figure.live.handles) == 12
    figure.m.value = 2
    assert figure.live.at.shape == (2, 2)
    assert figure.lost > 0.4
    figure.sample.value = CLOUD
    assert figure.live.at.shape == (2, 2)
    figure.bandwidth.value = 1.4
    assert "σ = 1.4 (γ = 0.255)" in figure.live.readout


def test_landmarks_on_one_another_and_far_away_do_no_harm():
    figure = LandmarkGame()
    move(figure, np.zeros((8, 2)))
    assert "7 of no use: they lie on others" in figure.live.readout
    assert figure.rank == 1
    move(figure, np.full((8, 2), 1e4))
    assert figure.lost == pytest.approx(1.0)
    assert "nan" not in figure.live.readout


# --- random features -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [GAUSSIAN, LAPLACIAN])
def test_the_density_is_the_transform_of_the_kernel(kind):
    omega = np.linspace(-2000, 2000, 400_001)
    p = density(kind, 0.7, omega)
    for delta in (0.0, 0.5, 1.5):
        transform = np.trapezoid(p * np.cos(omega * delta), omega)
        assert transform == pytest.approx(kappa(kind, 0.7, np.array(delta)), abs=2e-3)


def test_more_cosines_come_nearer():
    figure = FourierDial()
    figure.m.value = 500
    assert figure.off < 0.15
    assert figure.relative < 0.1
    off = {}
    for m in (500, 20):  # of many draws, the average error falls as 1/√m
        figure.m.value, off[m] = m, []
        for figure.seed in range(12):
            figure.update(figure.live.at)
            off[m].append(figure.off)
    assert 3 < np.mean(off[20]) / np.mean(off[500]) < 8  # √25 = 5


def test_the_other_kernel_and_its_width():
    figure = FourierDial()
    assert "σ = 0.707" in figure.live.readout
    figure.kind.value = LAPLACIAN
    assert "Laplacian, γ = 1 (ℓ1)" in figure.live.readout
    assert next(label for label, _ in figure.gamma.options) == "0.1 (ℓ1)"
    figure.gamma.value = 5.0
    figure.m.value = 100
    assert figure.outside > 10  # a Cauchy density has long tails
    assert "beyond ±8" in figure.live.readout


# --- ten digits ----------------------------------------------------------------------------------


def test_ten_digits_come_near_the_exact_machine():
    figure = ColumnsRace()
    assert figure.run.right == pytest.approx(0.97, abs=0.01)
    assert figure.exact == pytest.approx(0.98, abs=0.01)
    assert "press" in figure.words.get_text()
    figure.m.value = 2
    assert figure.run.right < 0.5
    figure.how.value = "kmeans"
    figure.m.value = 32
    assert figure.exact - 0.04 < figure.run.right < figure.exact
    assert "kernel values to train: 20,224, the whole K has 180,300" in figure.live.readout


def test_time_is_taken_on_demand():
    figure = ColumnsRace()
    assert " s, the exact one" not in figure.live.readout
    figure.measure()
    assert " s, the exact one" in figure.live.readout
    assert figure.words.get_text() == ""
    assert figure.clock["uniform", 10.0][64] > 0
    assert figure.times.exact.get_ydata()[0] == figure.clock_exact[10.0]
    figure.cost.value = 1.0  # nothing was measured there yet
    assert "press" in figure.words.get_text()


# --- the triangle --------------------------------------------------------------------------------


def test_the_path_goes_to_the_lowest_place():
    figure = WeightPath()
    first = figure.state
    np.testing.assert_allclose(figure.first, 1 / 3)
    figure.t.value = 30
    data = kernels_of(PARTS)
    proof = mkl_certificate(data.Ks, data.y, figure.state.alpha, figure.state.weights, 1.0)
    assert proof.gap <= 1e-4
    assert figure.state.primal < first.primal
    assert figure.state.primal == pytest.approx(figure.best.primal, rel=1e-4)
    np.testing.assert_allclose(figure.state.weights, [0.209, 0.402, 0.389], atol=0.002)
    duals = [state.dual for state in figure.states]
    assert max(duals) <= figure.best.primal * (1 + 1e-9)


def test_the_surface_is_j_where_the_grip_is():
    figure = WeightPath()
    data = kernels_of(PARTS)
    for weights in ((0.8, 0.1, 0.1), (0.05, 0.15, 0.8)):
        move(figure, [to_plane(np.array(weights))])
        exact = weighted_svm(data.Ks, data.y, 1.0, weights, gap=1e-8).value
        assert figure.state.primal == pytest.approx(exact, rel=0.01)
        np.testing.assert_allclose(figure.first, weights, atol=1e-9)
    move(figure, [(5.0, 9.0)])  # far outside: the nearest weights
    assert figure.first.min() >= 0
    assert figure.first.sum() == pytest.approx(1.0)


def test_a_small_c_selects_and_two_combines():
    figure = WeightPath()
    figure.t.value = 30
    figure.cost.value = 0.1
    np.testing.assert_allclose(figure.state.weights, [0, 1, 0], atol=1e-3)
    assert figure.state.q.argmax() == 1
    figure.p.value = 2.0
    assert figure.state.weights.min() > 0.3
    assert np.linalg.norm(figure.state.weights) == pytest.approx(1.0)
    assert figure.state.gap <= ENOUGH
    assert "there" in figure.live.readout


def test_optimality_on_all_data():
    figure = WeightPath()
    for name in MAKERS:
        figure.data.value = name
        for C in (0.1, 10.0):
            figure.cost.value = C
            best = figure.best
            used = best.weights > 1e-2
            np.testing.assert_allclose(best.q[used], best.q.max(), rtol=2e-3)
            assert figure.live.error == ""


def test_a_corner_is_left_by_the_gradient_but_not_by_the_closed_form():
    figure = WeightPath(NOISES)
    move(figure, [CORNERS[1]])  # wide noise alone
    figure.t.value = 30
    assert figure.state.weights[1] < 1e-3
    figure.p.value = 2.0
    assert figure.state.weights.tolist() == [0, 1, 0]
    assert "a weight that starts at 0 stays 0" in figure.live.readout


def test_the_size_of_a_kernel_is_traded_for_its_weight():
    figure = WeightPath()
    figure.t.value = 30
    figure.size.value = 10.0
    np.testing.assert_allclose(figure.state.weights, [0, 0, 1], atol=1e-3)
    assert "10 × rows 6–8" in figure.live.alt
    figure.size.value = 0.1
    assert figure.state.weights[2] < 0.05


def test_one_kernel_thrice_is_flat():
    figure = WeightPath(SAME)
    J = figure.state.primal
    move(figure, [CORNERS[0]])
    assert figure.state.primal == pytest.approx(J, rel=0.02)
    assert figure.live.error == ""


def test_a_step_and_back_to_the_start():
    figure = WeightPath()
    figure.step()
    assert figure.t.value == 1
    assert len(figure.states) == 2
    figure.t.value = 30
    figure.step()
    assert figure.t.value == 0
    figure.data.value = IRIS  # 50 flowers
    assert "C = 1 (λ = 0.02)" in figure.live.readout


# --- corners and arcs ----------------------------------------------------------------------------


def test_the_segment_selects_and_the_arc_does_not():
    figure = CornersAndArc()
    np.testing.assert_allclose(figure.corner, [1, 0], atol=1e-3)
    assert figure.selected == 1
    assert figure.place.min() > 0.1
    assert np.linalg.norm(figure.place) == pytest.approx(1.0)
    figure.cost.value = 10.0
    assert figure.selected == 2
    figure.cost.value = 1.0
    figure.p.value = 1.05
    assert figure.place[1] < 0.01  # nearly the segment


def test_j_at_the_grip_and_its_slope():
    figure = CornersAndArc()
    for pair in list(PAIRS)[::2]:
        figure.pair.value = pair
        move(figure, [(0.4, 0.7)])
        value, slope = figure.value, figure.slope.copy()
        for m, place in enumerate([(0.41, 0.7), (0.4, 0.71)]):
            move(figure, [place])
            assert (figure.value - value) / 0.01 == pytest.approx(slope[m], rel=0.1, abs=0.3)
        move(figure, [(-3.0, -3.0)])  # no weight at all
        assert "nan" not in figure.live.readout


# --- noise ---------------------------------------------------------------------------------------


def test_wide_noise_gets_nothing_and_narrow_noise_does():
    figure = NoiseKernels()
    assert figure.weight < 1e-3
    figure.gamma.value = len(GAMMAS) - 1
    assert figure.weight > 0.3
    small = figure.weight
    figure.cost.value = 10.0
    assert figure.weight > 0.55 > small
    assert figure.error["learnt"][0] < 0.1  # a ridge does little harm
    figure.gamma.value = 9
    assert figure.error["learnt"][0] > 0.13 > 0.08 > figure.error["signal alone"][0]
    assert "weight of noise: 0.57" in figure.live.readout


def test_weight_grows_with_c():
    figure = NoiseKernels()
    figure.gamma.value = len(GAMMAS) - 1
    weights = []
    for C in (0.1, 1.0, 10.0):
        figure.cost.value = C
        weights.append(figure.weight)
    assert weights == sorted(weights)
    assert weights[0] < 1e-3


# --- sixteen kernels -----------------------------------------------------------------------------


def test_sixteen_kernels_and_their_rivals():
    figure = DigitsKernels()
    assert figure.used == 4
    assert figure.of_groups.argmax() == 1
    assert figure.of_groups.sum() == pytest.approx(1.0)
    assert figure.learnt.gap <= 1e-3
    figure.p.value = 2.0
    assert figure.used == 16
    learnt, average, single = figure.accuracy[:, 0]
    assert abs(learnt - average) < 0.02
    assert single < average
    figure.groups.value = "pairs of rows"
    figure.pair.value = (4, 9)
    assert "4 against 9, 60 images" in figure.live.readout
    figure.cost.value = 0.1
    assert "C = 0.1 (λ = 0.167)" in figure.live.readout


def test_all_kernels_have_one_size():
    data = sixteen((1, 8), "quarters")
    np.testing.assert_allclose([np.trace(K) for K in data.Ks], 60)
    assert data.tests.shape == (16, len(data.y_test), 60)
