"""The live figures of notebook 07, moved from Python: the numbers must follow, and stay true."""

from __future__ import annotations

import numpy as np
import pytest
from moves import move

from kernellab.kernels import Gaussian, Polynomial
from kernellab.lessons.approximation.figures.corners import CornersAndArc
from kernellab.lessons.approximation.figures.digits_columns import ColumnsRace
from kernellab.lessons.approximation.figures.digits_mkl import DigitsKernels, sixteen
from kernellab.lessons.approximation.figures.fourier import (
    DELTA,
    GAUSSIAN,
    LAPLACIAN,
    FourierDial,
    density,
    kappa,
)
from kernellab.lessons.approximation.figures.gram_columns import (
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
from kernellab.lessons.approximation.figures.landmarks import CLOUD, CLUSTERS, SAMPLES, LandmarkGame
from kernellab.lessons.approximation.figures.mkl_data import DIGITS as PARTS
from kernellab.lessons.approximation.figures.mkl_data import IRIS, MAKERS, NOISES, SAME, kernels_of
from kernellab.lessons.approximation.figures.mkl_triangle import ENOUGH, WeightPath, optimum
from kernellab.lessons.approximation.figures.noise_kernels import GAMMAS, NoiseKernels, run
from kernellab.lessons.approximation.figures.triangle_marks import CORNERS, to_plane
from kernellab.lessons.approximation.theory.mkl_surface import weighted_svm
from kernellab.solvers.fourier import fourier_map
from kernellab.solvers.landmarks import choose_landmarks
from kernellab.solvers.mkl import mkl_certificate

# --- m columns -----------------------------------------------------------------------------------


def test_columns():
    figure = ColumnDial()
    X, _ = examples(DIGITS)
    rows = np.random.default_rng(0).permutation(120)[:16]
    K = Polynomial(2, 0.0)(X)
    near = K[:, rows] @ np.linalg.solve(K[np.ix_(rows, rows)], K[rows])
    assert figure.lost == pytest.approx(np.trace(K - near) / np.trace(K))
    assert figure.largest == pytest.approx(np.abs(K - near).max())
    assert figure.relative == pytest.approx(np.linalg.norm(K - near) / np.linalg.norm(K))
    assert "21% lost" in figure.titles[2].get_text()
    more_columns_lose_less_and_all_of_them_nothing(figure)
    figure.how.value, figure.m.value = EIGEN, 16
    values = np.linalg.eigvalsh(K)[::-1]
    assert figure.lost == pytest.approx(values[16:].sum() / values.sum())
    figure.data.value = POINTS
    figure.how.value = UNIFORM
    more_columns_lose_less_and_all_of_them_nothing(figure)
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


def more_columns_lose_less_and_all_of_them_nothing(figure):
    lost = []
    for m in (2, 30, figure.m.max):
        figure.m.value = m
        assert figure.live.error == ""
        assert figure.columns <= m
        assert figure.smallest > -1e-6  # K − K̃ is positive semi-definite
        assert figure.on_landmarks < 1e-7
        lost.append(figure.lost)
    assert lost == sorted(lost, reverse=True)
    assert abs(lost[-1]) < 1e-9
    assert "is a Gram matrix" in figure.live.readout


# --- landmarks by hand ---------------------------------------------------------------------------

BY_HAND = [
    (-1.5, -0.7), (-1.1, -0.6), (-1.3, -0.9), (0.1, 0.9), (0.35, 0.95), (1.6, -0.3), (-1.9, 1.5),
    (1.2, -1.9),
]  # fmt: skip


def test_landmarks():
    figure = LandmarkGame()
    assert figure.beaten == 0
    assert "methods you beat on average: 0 of 4" in figure.live.readout
    kernel, X = Gaussian.from_bandwidth(0.6), SAMPLES[CLUSTERS]
    for k, how in enumerate(("uniform", "kmeans", "leverage", "cholesky")):
        figure.how.value = how
        figure.put()  # each press takes the next seed, from 1
        np.testing.assert_allclose(
            figure.live.at, choose_landmarks(kernel, X, 8, how=how, rng=k + 1)
        )
        assert figure.lost == pytest.approx(figure.rivals[k, k + 1])
    # A hand beats all four.
    move(figure, BY_HAND)
    assert figure.lost == pytest.approx(0.082, abs=5e-4)
    assert figure.beaten == 4
    assert figure.title.get_text() == "8 landmarks: you beat 4 of 4"
    assert figure.bound < figure.lost < figure.rivals.min()
    K_Z, K = kernel(np.array(BY_HAND)), kernel(X, BY_HAND)
    assert figure.lost == pytest.approx(1 - np.trace(K @ np.linalg.solve(K_Z, K.T)) / len(X))
    best = figure.lost
    move(figure, np.array(BY_HAND) + 0.5)
    assert figure.lost > best
    assert f"your best: {best:.4f}" in figure.live.readout
    # On one another, and far away.
    move(figure, np.zeros((8, 2)))
    assert "7 of no use: they lie on others" in figure.live.readout
    assert figure.rank == 1
    move(figure, np.full((8, 2), 1e4))
    assert figure.lost == pytest.approx(1.0)
    assert "nan" not in figure.live.readout
    # More and fewer, and other data.
    move(figure, BY_HAND)
    figure.m.value = 9
    assert figure.live.at.shape == (9, 2)
    np.testing.assert_allclose(figure.live.at[:8], BY_HAND)  # those that were there stay
    assert figure.lost < 0.083
    assert len(figure.live.handles) == 9
    figure.m.value = 2
    assert figure.live.at.shape == (2, 2)
    assert figure.lost > 0.4
    figure.sample.value = CLOUD
    assert figure.live.at.shape == (2, 2)
    figure.bandwidth.value = 1.4
    assert "σ = 1.4 (γ = 0.255)" in figure.live.readout


# --- random features -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [GAUSSIAN, LAPLACIAN])
def test_the_density_is_the_transform_of_the_kernel(kind):
    omega = np.linspace(-2000, 2000, 400_001)
    p = density(kind, 0.7, omega)
    for delta in (0.0, 0.5, 1.5):
        transform = np.trapezoid(p * np.cos(omega * delta), omega)
        assert transform == pytest.approx(kappa(kind, 0.7, np.array(delta)), abs=2e-3)


def test_random_features():
    figure = FourierDial()
    assert "σ = 0.707" in figure.live.readout
    figure.m.value = 500
    assert figure.off < 0.15
    assert figure.relative < 0.1
    off = {}
    for m in (500, 20):  # of many draws, the average error falls as 1/√m
        draws = [np.cos(np.outer(fourier_map(Gaussian(1.0), 1, m, rng=seed).frequencies, DELTA))
                 for seed in range(12)]  # fmt: skip
        off[m] = np.mean([np.abs(d.mean(0) - kappa(GAUSSIAN, 1.0, DELTA)).max() for d in draws])
    assert 3 < off[20] / off[500] < 8  # √25 = 5
    figure.kind.value = LAPLACIAN
    assert "Laplacian, γ = 1 (ℓ1)" in figure.live.readout
    assert next(label for label, _ in figure.gamma.options) == "0.1 (ℓ1)"
    figure.gamma.value = 5.0
    assert figure.outside > 10  # a Cauchy density has long tails
    assert "beyond ±8" in figure.live.readout


# --- ten digits ----------------------------------------------------------------------------------


def test_ten_digits_come_near_the_exact_machine():
    figure = ColumnsRace()
    assert figure.run.right == pytest.approx(0.97, abs=0.01)
    assert figure.exact == pytest.approx(0.98, abs=0.01)
    assert "press" in figure.words.get_text()
    assert " s, the exact one" not in figure.live.readout
    figure.m.value = 2
    assert figure.run.right < 0.5
    figure.how.value = "kmeans"
    figure.m.value = 32
    assert figure.exact - 0.04 < figure.run.right < figure.exact
    assert "kernel values to train: 20,224, the whole K has 180,300" in figure.live.readout
    figure.measure()
    assert " s, the exact one" in figure.live.readout
    assert figure.words.get_text() == ""
    assert figure.clock["kmeans", 10.0][32] > 0
    assert figure.times.exact.get_ydata()[0] == figure.clock_exact[10.0]
    figure.cost.value = 1.0  # nothing was measured there yet
    assert "press" in figure.words.get_text()


# --- the triangle --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def triangle():
    return WeightPath()


@pytest.fixture
def path(triangle):
    """The figure as it is at first; a setting that is not changed costs nothing."""
    for control, value in (
        (triangle.data, PARTS), (triangle.p, 1.0), (triangle.cost, 1.0), (triangle.size, 1.0),
        (triangle.t, 0),
    ):  # fmt: skip
        control.value = value
    move(triangle, [to_plane(np.ones(3) / 3)])
    return triangle


def test_the_path_goes_to_the_lowest_place(path):
    first = path.state
    np.testing.assert_allclose(path.first, 1 / 3)
    path.step()
    assert path.t.value == 1
    assert len(path.states) == 2
    path.t.value = 30
    data = kernels_of(PARTS)
    proof = mkl_certificate(data.Ks, data.y, path.state.alpha, path.state.weights, 1.0)
    assert proof.gap <= 1e-4
    assert path.state.primal < first.primal
    assert path.state.primal == pytest.approx(path.best.primal, rel=1e-4)
    np.testing.assert_allclose(path.state.weights, [0.209, 0.402, 0.389], atol=0.002)
    assert max(state.dual for state in path.states) <= path.best.primal * (1 + 1e-9)
    path.cost.value = 0.1  # selects
    np.testing.assert_allclose(path.state.weights, [0, 1, 0], atol=1e-3)
    assert path.state.q.argmax() == 1
    path.p.value = 2.0  # combines
    assert path.state.weights.min() > 0.3
    assert np.linalg.norm(path.state.weights) == pytest.approx(1.0)
    assert path.state.gap <= ENOUGH
    assert "there" in path.live.readout
    path.step()
    assert path.t.value == 0


def test_the_surface_is_j_where_the_grip_is(path):
    data = kernels_of(PARTS)
    for weights in ((0.8, 0.1, 0.1), (0.05, 0.15, 0.8)):
        move(path, [to_plane(np.array(weights))])
        exact = weighted_svm(data.Ks, data.y, 1.0, weights, gap=1e-8).value
        assert path.state.primal == pytest.approx(exact, rel=0.01)
        np.testing.assert_allclose(path.first, weights, atol=1e-9)
    move(path, [(5.0, 9.0)])  # far outside: the nearest weights
    assert path.first.min() >= 0
    assert path.first.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("C", [0.1, 10.0])
@pytest.mark.parametrize("name", MAKERS)
def test_optimality_on_all_data(name, C):
    best = optimum(name, 1.0, C, 1.0)
    used = best.weights > 1e-2
    np.testing.assert_allclose(best.q[used], best.q.max(), rtol=2e-3)


def test_a_corner_is_left_by_the_gradient_but_not_by_the_closed_form(path):
    path.data.value = NOISES
    move(path, [CORNERS[1]])  # wide noise alone
    path.t.value = 30
    assert path.state.weights[1] < 1e-3
    path.p.value = 2.0
    assert path.state.weights.tolist() == [0, 1, 0]
    assert "a weight that starts at 0 stays 0" in path.live.readout


def test_the_size_of_a_kernel_is_traded_for_its_weight(path):
    path.t.value = 30
    path.size.value = 10.0
    np.testing.assert_allclose(path.state.weights, [0, 0, 1], atol=1e-3)
    assert "10 × rows 6–8" in path.live.alt
    path.size.value = 0.1
    assert path.state.weights[2] < 0.05


def test_one_kernel_thrice_is_flat_and_flowers_are_fifty(path):
    path.data.value = SAME
    J = path.state.primal
    move(path, [CORNERS[0]])
    assert path.state.primal == pytest.approx(J, rel=0.02)
    assert path.live.error == ""
    path.data.value = IRIS  # 50 flowers
    assert "C = 1 (λ = 0.02)" in path.live.readout


# --- corners and arcs ----------------------------------------------------------------------------


def test_the_segment_selects_and_the_arc_does_not():
    figure = CornersAndArc()
    np.testing.assert_allclose(figure.corner, [1, 0], atol=1e-3)
    assert figure.selected == 1
    assert figure.titles[1].get_text() == "the segment keeps one kernel, the arc both"
    assert figure.place.min() > 0.1
    assert np.linalg.norm(figure.place) == pytest.approx(1.0)
    figure.p.value = 1.05
    assert figure.place[1] < 0.01  # nearly the segment
    figure.cost.value = 10.0
    assert figure.selected == 2
    figure.pair.value = "upper and lower rows"
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
    assert 0.3 < figure.weight < 0.4
    figure.cost.value = 10.0
    assert figure.weight > 0.55
    assert figure.error["learnt"][0] < 0.1  # a ridge does little harm
    assert run(len(GAMMAS) - 1, 0.1).learnt.weights[1] < 1e-3  # the weight grows with C
    figure.gamma.value = 9
    assert figure.error["learnt"][0] > 0.13 > 0.08 > figure.error["signal alone"][0]
    assert "weight of noise: 0.57" in figure.live.readout


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
