"""The live figures of notebook 07, moved from Python: the numbers must follow, and stay true."""

from __future__ import annotations

import numpy as np
import pytest
from live_figures import seen
from moves import move

from kernellab.kernels import Gaussian, Polynomial
from kernellab.lessons.approximation.figures.corners import CornersAndArc
from kernellab.lessons.approximation.figures.digits_columns import ColumnsRace
from kernellab.lessons.approximation.figures.digits_mkl import (
    DigitsKernels,
    beside_the_average,
    sixteen,
)
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
    EIGEN,
    KMEANS,
    LEVERAGE,
    POINTS,
    TEN_DIGITS,
    UNIFORM,
    ColumnDial,
    examples,
)  # fmt: skip
from kernellab.lessons.approximation.figures.landmarks import CLOUD, CLUSTERS, SAMPLES, LandmarkGame
from kernellab.lessons.approximation.figures.mkl_data import (
    IRIS,
    MAKERS,
    NOISES,
    SAME,
    THIRDS_OF_DIGITS,
    kernels_of,
)
from kernellab.lessons.approximation.figures.mkl_triangle import (
    CORNERS,
    ENOUGH,
    MKLTriangle,
    optimum,
    to_plane,
)
from kernellab.lessons.approximation.figures.noise_kernels import NoiseKernels, train_with_noise
from kernellab.lessons.approximation.theory.mkl_surface import weighted_svm
from kernellab.solvers.fourier import fourier_map
from kernellab.solvers.landmarks import choose_landmarks
from kernellab.solvers.mkl import mkl_certificate

# --- m columns -----------------------------------------------------------------------------------


def test_the_dot_lies_on_its_curve():
    figure = ColumnDial(data=POINTS, m=95)
    line = figure.curves.lines["uniform"].get_data()
    assert figure.curves.dots.get_offsets()[0, 0] == line[0][-1] == figure.numbers["columns"] == 95
    # the picture leaves out tiny eigenvalues, and the curve does not
    assert figure.curves.dots.get_offsets()[0, 1] == pytest.approx(line[1][-1], rel=0.15)


def test_columns():
    figure = ColumnDial()
    X, _ = examples(TEN_DIGITS)
    rows = np.random.default_rng(0).permutation(120)[:16]
    K = Polynomial(2, 0.0)(X)
    near = K[:, rows] @ np.linalg.solve(K[np.ix_(rows, rows)], K[rows])
    found = figure.numbers
    assert found["lost"] == pytest.approx(np.trace(K - near) / np.trace(K))
    assert found["largest"] == pytest.approx(np.abs(K - near).max())
    assert found["relative"] == pytest.approx(np.linalg.norm(K - near) / np.linalg.norm(K))
    more_columns_lose_less_and_all_of_them_nothing(figure)
    figure.how, figure.m = EIGEN, 16
    values = np.linalg.eigvalsh(K)[::-1]
    assert figure.numbers["lost"] == pytest.approx(values[16:].sum() / values.sum())
    figure.data = POINTS
    figure.how = UNIFORM
    more_columns_lose_less_and_all_of_them_nothing(figure)
    figure.m = 30
    lost = {}
    for how in (UNIFORM, KMEANS, LEVERAGE, CHOLESKY, EIGEN):
        figure.how = how
        lost[how] = figure.numbers["lost"]
    assert min(lost[UNIFORM], lost[KMEANS], lost[LEVERAGE], lost[CHOLESKY]) >= lost[EIGEN]
    assert lost[CHOLESKY] < lost[UNIFORM]
    figure.data = TEN_DIGITS
    assert figure.controls["dial"].description == "degree p"


def more_columns_lose_less_and_all_of_them_nothing(figure):
    lost = []
    for m in (2, 30, len(figure.X)):
        figure.m = m
        assert figure.numbers["columns"] <= m
        assert figure.numbers["smallest"] > -1e-6  # K − K̃ is positive semi-definite
        assert figure.numbers["on_landmarks"] < 1e-7
        lost.append(figure.numbers["lost"])
    assert lost == sorted(lost, reverse=True)
    assert abs(lost[-1]) < 1e-9


# --- landmarks by hand ---------------------------------------------------------------------------

BY_HAND = [
    (-1.5, -0.7), (-1.1, -0.6), (-1.3, -0.9), (0.1, 0.9), (0.35, 0.95), (1.6, -0.3), (-1.9, 1.5),
    (1.2, -1.9),
]  # fmt: skip


def test_landmarks():
    figure = LandmarkGame()
    assert figure.numbers["beaten"] == 0
    kernel, X = Gaussian.from_bandwidth(0.6), SAMPLES[CLUSTERS]
    for k, how in enumerate(("uniform", "kmeans")):
        figure.how = how
        figure.put()  # each press takes the next seed, from 1
        np.testing.assert_allclose(
            figure.live.at, choose_landmarks(kernel, X, 8, how=how, rng=k + 1)
        )
        assert figure.numbers["lost"] == pytest.approx(figure.numbers["rivals"][k, k + 1])
    # A hand beats both.
    move(figure, BY_HAND)
    found = figure.numbers
    assert found["lost"] == pytest.approx(0.082, abs=5e-4)
    assert found["beaten"] == 2
    assert found["bound"] < found["lost"] < found["rivals"].min()
    K_Z, K = kernel(np.array(BY_HAND)), kernel(X, BY_HAND)
    assert found["lost"] == pytest.approx(1 - np.trace(K @ np.linalg.solve(K_Z, K.T)) / len(X))
    move(figure, np.array(BY_HAND) + 0.5)
    assert figure.numbers["lost"] > found["lost"] == figure.numbers["your_best"]
    # On one another, and far away.
    move(figure, np.zeros((8, 2)))
    assert (figure.numbers["idle"], figure.numbers["rank"]) == (7, 1)
    move(figure, np.full((8, 2), 1e4))
    assert figure.numbers["lost"] == pytest.approx(1.0)
    # More and fewer, and other data.
    move(figure, BY_HAND)
    figure.m = 9
    assert figure.live.at.shape == (9, 2)
    np.testing.assert_allclose(figure.live.at[:8], BY_HAND)  # those that were there stay
    assert figure.numbers["lost"] < 0.083
    assert len(figure.live.handles) == 9
    figure.m = 2
    assert figure.live.at.shape == (2, 2)
    assert figure.numbers["lost"] > 0.4
    figure.sample = CLOUD
    np.testing.assert_allclose(figure.live.at, choose_landmarks(kernel, SAMPLES[CLOUD], 2, rng=0))


# --- random features -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [GAUSSIAN, LAPLACIAN])
def test_the_density_is_the_transform_of_the_kernel(kind):
    omega = np.linspace(-2000, 2000, 400_001)
    p = density(kind, 0.7, omega)
    for delta in (0.0, 0.5, 1.5):
        transform = np.trapezoid(p * np.cos(omega * delta), omega)
        assert transform == pytest.approx(kappa(kind, 0.7, np.array(delta)), abs=2e-3)


def test_random_features():
    figure = FourierDial(m=500)
    assert figure.numbers["off"] < 0.15
    assert figure.numbers["relative"] < 0.1
    off = {}
    for m in (500, 20):  # of many draws, the average error falls as 1/√m
        draws = [np.cos(np.outer(fourier_map(Gaussian(1.0), 1, m, rng=seed).frequencies, DELTA))
                 for seed in range(12)]  # fmt: skip
        off[m] = np.mean([np.abs(d.mean(0) - kappa(GAUSSIAN, 1.0, DELTA)).max() for d in draws])
    assert 3 < off[20] / off[500] < 8  # √25 = 5
    figure.kind, figure.gamma = LAPLACIAN, 5.0
    assert figure.controls["gamma"].label == "5 (ℓ1)"
    assert figure.numbers["outside"] > 10  # a Cauchy density has long tails


# --- ten digits ----------------------------------------------------------------------------------


def test_ten_digits_come_near_the_exact_machine():
    figure = ColumnsRace(m=4)
    assert figure.numbers["exact_wrong"] == pytest.approx(0.02, abs=0.01)
    assert min(figure.numbers["wrong"]) > 0.3
    figure.m = 32
    for wrong, dots in zip(figure.numbers["wrong"], figure.each, strict=False):
        assert 0 < wrong - figure.numbers["exact_wrong"] < 0.04
        assert np.mean(dots.get_ydata()[-3:]) == pytest.approx(wrong)  # three draws
    assert (np.diff(figure.numbers["lost"]) < 0).all()  # eigenvectors lose least


# --- the triangle --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def triangle():
    return MKLTriangle()


@pytest.fixture
def path(triangle):
    """The figure as it is at first; a setting that is not changed costs nothing."""
    triangle.reset()
    return triangle


def test_the_path_goes_to_the_lowest_place(path):
    first = path.numbers
    np.testing.assert_allclose(first["first"], [0.7, 0.15, 0.15])
    assert first["J"] > 1.1 * first["lowest"]  # there is a way down
    path.step()
    assert (path.t, path.numbers["svms"]) == (1, 2)
    path.t = 30
    data, found = kernels_of(THIRDS_OF_DIGITS), path.numbers
    proof = mkl_certificate(data.Ks, data.y, found["alpha"], found["weights"], 1.0)
    assert proof.gap <= 1e-4
    assert found["J"] < first["J"]
    assert found["J"] == pytest.approx(found["lowest"], rel=1e-4)
    np.testing.assert_allclose(found["weights"], [0.209, 0.402, 0.389], atol=0.002)
    assert found["duals"].max() <= found["lowest"] * (1 + 1e-9)
    path.cost = 0.1  # selects
    np.testing.assert_allclose(path.numbers["weights"], [0, 1, 0], atol=1e-3)
    assert path.numbers["q"].argmax() == 1
    path.p = 2.0  # combines
    assert path.numbers["weights"].min() > 0.3
    assert np.linalg.norm(path.numbers["weights"]) == pytest.approx(1.0)
    assert path.numbers["gap"] <= ENOUGH
    path.step()
    assert path.t == 0


def test_there_is_a_star_only_where_one_place_is_lowest(path):
    assert len(path.triangle.best.get_xdata()) == 1
    path.load("C = 1, after 30 steps")
    assert "SVMs to a gap of 0.001: 8" in path.live.readout
    path.load("one kernel, thrice")
    assert len(path.triangle.best.get_xdata()) == 0
    assert "SVMs to a gap of 0.001: 1" in path.live.readout


def test_the_surface_is_j_where_the_grip_is(path):
    data = kernels_of(THIRDS_OF_DIGITS)
    for weights in ((0.8, 0.1, 0.1), (0.05, 0.15, 0.8)):
        move(path, [to_plane(np.array(weights))])
        exact = weighted_svm(data.Ks, data.y, 1.0, weights, gap=1e-8).value
        assert path.numbers["J"] == pytest.approx(exact, rel=0.01)
        np.testing.assert_allclose(path.numbers["first"], weights, atol=1e-9)
    move(path, [(5.0, 9.0)])  # far outside: the nearest weights
    assert path.numbers["first"].min() >= 0
    assert path.numbers["first"].sum() == pytest.approx(1.0)


def test_the_diamond_can_be_dragged_wherever_the_walk_has_come_to(path):
    path.t = 5
    now = path.numbers["weights"]
    np.testing.assert_allclose(path.live.at[0], to_plane(now))
    move(path, [to_plane(np.array([0.1, 0.2, 0.7]))])
    assert (path.t, path.numbers["svms"]) == (0, 1)
    np.testing.assert_allclose(path.numbers["first"], [0.1, 0.2, 0.7])
    path.step()
    np.testing.assert_allclose(path.live.at[0], to_plane(path.numbers["weights"]))
    again = MKLTriangle(**path.settings())
    assert (again.t, again.start) == (1, path.start)
    path.load("C = 0.1, after 30 steps")
    np.testing.assert_allclose(path.live.at[0], CORNERS[1], atol=1e-6)


@pytest.mark.parametrize("C", [0.1, 10.0])
@pytest.mark.parametrize("name", MAKERS)
def test_optimality_on_all_data(name, C):
    best = optimum(name, 1.0, C, 1.0)
    used = best.weights > 1e-2
    np.testing.assert_allclose(best.q[used], best.q.max(), rtol=2e-3)


def test_a_corner_is_left_by_the_gradient_but_not_by_the_closed_form(path):
    path.data = NOISES
    move(path, [CORNERS[1]])  # wide noise alone
    path.t = 30
    assert path.numbers["weights"][1] < 1e-3
    path.p = 2.0
    assert path.numbers["weights"].tolist() == [0, 1, 0]
    assert path.numbers["stuck"]


def test_the_size_of_a_kernel_is_traded_for_its_weight(path):
    path.t = 30
    path.factor = 10.0
    np.testing.assert_allclose(path.numbers["weights"], [0, 0, 1], atol=1e-3)
    path.factor = 0.1
    assert path.numbers["weights"][2] < 0.05


def test_one_kernel_thrice_is_flat_and_flowers_are_fifty(path):
    path.data = SAME
    J = path.numbers["J"]
    move(path, [CORNERS[0]])
    assert path.numbers["J"] == pytest.approx(J, rel=0.02)
    path.data = IRIS
    assert path.numbers["n"] == 50
    assert path.controls["cost"].label == "1 (λ = 0.02)"


# --- corners and arcs ----------------------------------------------------------------------------


def test_the_segment_selects_and_the_arc_does_not():
    figure = CornersAndArc()
    found = figure.numbers
    np.testing.assert_allclose(found["corner"], [1, 0], atol=1e-3)
    assert found["selected"] == 1
    assert found["place"].min() > 0.1
    assert np.linalg.norm(found["place"]) == pytest.approx(1.0)
    figure.p = 1.05
    assert figure.numbers["place"][1] < 0.01  # nearly the segment
    figure.cost = 10.0
    assert figure.numbers["selected"] == 2
    figure.pair = "upper and lower rows"
    move(figure, [(0.4, 0.7)])
    value, slope = figure.numbers["J"], figure.numbers["slope"]
    for m, place in enumerate([(0.41, 0.7), (0.4, 0.71)]):
        move(figure, [place])
        change = figure.numbers["J"] - value
        assert change / 0.01 == pytest.approx(slope[m], rel=0.1, abs=0.3)
    move(figure, [(-3.0, -3.0)])  # no weight at all
    assert figure.numbers["J"] == pytest.approx(10.0 * 60)  # each pays C


# --- noise ---------------------------------------------------------------------------------------


def test_wide_noise_gets_nothing_and_narrow_noise_does():
    figure = NoiseKernels(gamma=1)
    assert figure.numbers["weight"] < 1e-3
    weights = [train_with_noise(12, C).learnt.weights[1] for C in (0.1, 1.0, 10.0)]
    assert weights == sorted(weights) and weights[0] < 1e-3
    figure.gamma, figure.cost = 9, 10.0
    assert figure.numbers["weight"] == pytest.approx(0.39, abs=0.005)


# --- sixteen kernels -----------------------------------------------------------------------------


def test_sixteen_kernels_and_their_rivals():
    figure = DigitsKernels()
    found = figure.numbers
    assert found["used"] == 4
    assert found["of_groups"].argmax() == 1
    assert found["of_groups"].sum() == pytest.approx(1.0)
    assert found["gap"] <= 1e-3
    figure.p = 2.0
    assert figure.numbers["used"] == 16
    learnt, average, single, _ = figure.numbers["accuracy"][:, 0]
    assert abs(learnt - average) < 0.02
    assert single < average


def test_the_average_is_not_ahead_of_itself():
    right = np.array([[90.0, 92, 91, 80, 91], [94, 94, 95, 90, 97]])
    said = beside_the_average(right).alt
    assert "squares sum to 1: 93.0 %, 0.0 ± 2.0; average: 93.0 %, 0.0 ± 0.0" in said


def test_the_darker_a_digit_the_more_ink_and_the_more_violet_the_more_weight():
    figure = DigitsKernels(pair=(3, 8))
    assert [label.get_text() for label in figure.labels] == ["mean 3", "mean 8"]
    assert figure.pixels.get_array().max() <= 1
    widest = figure.frames[int(figure.numbers["of_groups"].argmax())]
    assert widest.get_linewidth() == max(frame.get_linewidth() for frame in figure.frames)
    assert widest.get_bbox().extents == pytest.approx([-0.3, 3.7, 3.3, 7.3])  # bottom left


def test_the_rows_are_called_by_their_pixels_after_a_preset_too():
    figure, fresh = DigitsKernels(), DigitsKernels(pair=(4, 9), groups="pairs of rows")
    figure.load("pairs of rows")
    assert [row.get_text() for row in figure.rows][::3] == ["rows 1–2", "rows 7–8"]
    assert seen(figure) == seen(fresh)
    figure.reset()
    assert figure.rows[1].get_text() == "top right"


def test_all_kernels_have_one_size():
    data = sixteen((1, 8), "quarters")
    np.testing.assert_allclose([np.trace(K) for K in data.Ks], 60)
    assert data.tests.shape == (16, len(data.y_test), 60)
