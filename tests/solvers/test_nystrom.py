"""Nyström maps against scikit-learn, dense algebra, and what must hold for any landmarks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.kernel_approximation import Nystroem

from kernellab.kernels import Gaussian, Laplacian, Linear, Normalized, Polynomial, as_kernel
from kernellab.solvers.nystrom import (
    GrowingNystrom,
    nystrom_features,
    nystrom_map,
    top_eigenvectors,
    trace_error,
)

KERNELS = [Linear(), Polynomial(2), Gaussian(0.5), Laplacian(0.5), Normalized(Polynomial(3))]
kernels = st.sampled_from(KERNELS)


def points(n=30, d=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def shared_letters(texts, others):
    """A kernel of texts: how many letters they have in common."""
    return np.array([[float(len(set(a) & set(b))) for b in others] for a in texts])


def lowest(K):
    return np.linalg.eigvalsh(K)[0]


# --- the map --------------------------------------------------------------------------------------


@pytest.mark.parametrize("gamma", [0.1, 3.0])
def test_same_approximation_as_scikit_learns(gamma):
    X, X_new = points(80, 5), points(20, 5, seed=1)
    peer = Nystroem(gamma=gamma, n_components=15, random_state=0).fit(X)
    phi = nystrom_map(Gaussian(gamma), X[peer.component_indices_])
    assert phi.rank == 15
    expected = peer.transform(X_new) @ peer.transform(X).T
    np.testing.assert_allclose(phi(X_new) @ phi(X).T, expected, atol=1e-8)
    Phi, Phi_new = (nystrom_features(phi.kernel, Z, phi.landmarks) for Z in (X, X_new))
    np.testing.assert_allclose(Phi_new @ Phi.T, expected, atol=1e-8)


@settings(max_examples=40)
@given(kernel=kernels, m=st.integers(1, 20), seed=st.integers(0, 99))
def test_never_above_k_and_exact_between_landmarks(kernel, m, seed):
    X = points(25, seed=seed)
    landmarks = points(m, seed=seed + 1000)  # not of X
    K = kernel(X)
    phi = nystrom_map(kernel, landmarks)
    Phi = phi(X)
    scale = np.linalg.norm(kernel(np.vstack([X, landmarks])), 2)
    assert lowest(K - Phi @ Phi.T) >= -1e-9 * scale
    between = phi(landmarks) @ phi(landmarks).T
    np.testing.assert_allclose(between, kernel(landmarks), atol=1e-9 * scale)
    np.testing.assert_allclose(phi(landmarks) @ Phi.T, kernel(landmarks, X), atol=1e-9 * scale)
    assert trace_error(kernel.diag(X), Phi) == pytest.approx(
        np.trace(K) - np.trace(Phi @ Phi.T), abs=1e-9 * scale
    )


@settings(max_examples=40)
@given(kernel=kernels, m=st.integers(1, 12), copies=st.integers(1, 3), seed=st.integers(0, 99))
def test_duplicated_landmarks_change_nothing(kernel, m, copies, seed):
    X, landmarks = points(20, seed=seed), points(m, seed=seed + 1000)
    once = nystrom_map(kernel, landmarks)(X)
    repeated = np.repeat(landmarks, copies + 1, axis=0)
    phi = nystrom_map(kernel, repeated)
    assert phi.rank <= m
    assert nystrom_features(kernel, X, repeated).shape == (20, phi.rank)
    scale = np.abs(kernel(np.vstack([X, landmarks]))).max()
    np.testing.assert_allclose(phi(X) @ phi(X).T, once @ once.T, atol=1e-7 * scale)


def test_all_examples_as_landmarks_give_all_of_k():
    X = points(40)
    for kernel in KERNELS:
        Phi = nystrom_map(kernel, X)(X)
        np.testing.assert_allclose(Phi @ Phi.T, kernel(X), atol=1e-8 * kernel.diag(X).max())
    assert nystrom_map(Linear(), X).rank == 2  # the plane has no more
    assert nystrom_map(Polynomial(2), X).rank == 6  # 1, x₁, x₂, x₁², x₁x₂, x₂²


def test_blocks_are_not_seen_from_outside():
    X = points(2500, 4)
    phi = nystrom_map(Gaussian(0.3), X[:50])
    np.testing.assert_allclose(phi(X), Gaussian(0.3)(X, X[:50]) @ phi.triangle.T, atol=1e-12)
    np.testing.assert_allclose(phi(X)[1020:1030], phi(X[1020:1030]), atol=1e-12)


def test_any_kernel_of_anything():
    texts = ["kernel", "colonel", "corn", "kern", "lemon", "melon", "apple"]
    kernel = as_kernel(shared_letters)
    Phi = nystrom_map(kernel, texts)(texts)
    np.testing.assert_allclose(Phi @ Phi.T, kernel(texts), atol=1e-9)
    grown = GrowingNystrom(kernel, texts)
    assert [grown.add([text]) for text in texts[:6]] == [True, True, True, True, True, False]
    assert grown.landmarks == texts[:5]  # melon is an anagram
    np.testing.assert_allclose(grown(texts[:6]) @ grown.Phi.T, kernel(texts[:6], texts), atol=1e-9)


# --- the best there is ----------------------------------------------------------------------------


@settings(max_examples=40)
@given(kernel=kernels, m=st.integers(1, 15), seed=st.integers(0, 99))
def test_no_landmarks_beat_the_top_eigenvectors(kernel, m, seed):
    X = points(20, seed=seed)
    K = kernel(X)
    best = top_eigenvectors(K, m)
    assert best.shape == (20, m)
    S = np.linalg.eigvalsh(K)[::-1]
    error = trace_error(K.diagonal(), best)
    assert error == pytest.approx(S[m:].sum(), abs=1e-9 * S[0])
    assert np.linalg.norm(K - best @ best.T, 2) == pytest.approx(abs(S[m]), abs=1e-9 * S[0])
    chosen = nystrom_map(kernel, X[np.random.default_rng(seed).permutation(20)[:m]])
    assert error <= trace_error(K.diagonal(), chosen(X)) + 1e-9 * S[0]
    np.testing.assert_allclose(best.T @ best, np.diag(S[:m]), atol=1e-9 * S[0])


# --- one landmark at a time -----------------------------------------------------------------------


@settings(max_examples=15)
@given(kernel=kernels, seed=st.integers(0, 99))
def test_growing_agrees_with_the_whole_map_at_every_step(kernel, seed):
    X, X_new = points(25, seed=seed), points(5, seed=seed + 1)
    landmarks = np.vstack([X[:7], points(13, seed=seed + 2)])  # of X, and where nobody is
    grown = GrowingNystrom(kernel, X)
    assert grown.trace_error == pytest.approx(kernel.diag(X).sum())
    assert grown(X_new).shape == (5, 0)
    scale = np.linalg.norm(kernel(np.vstack([X, landmarks])), 2)
    for m in range(1, 21):
        before = grown.trace_error
        useful = grown.add(landmarks[m - 1 : m])
        whole = nystrom_map(kernel, landmarks[:m])
        Phi = whole(X)
        np.testing.assert_allclose(grown.Phi @ grown.Phi.T, Phi @ Phi.T, atol=1e-6 * scale)
        np.testing.assert_allclose(
            grown(X_new) @ grown.Phi.T, whole(X_new) @ Phi.T, atol=1e-6 * scale
        )
        assert grown.trace_error == pytest.approx(
            trace_error(kernel.diag(X), grown.Phi), abs=1e-9 * scale
        )
        assert grown.trace_error <= before
        assert useful or grown.trace_error == before
        assert len(grown.landmarks) == grown.Phi.shape[1] == len(grown.L)
        np.testing.assert_allclose(grown.L @ grown.L.T, kernel(grown.landmarks), atol=1e-9 * scale)


def test_a_new_landmark_leaves_the_features_before_it_alone():
    X = points(50)
    grown = GrowingNystrom(Gaussian(2.0), X)
    for m in range(1, 30):
        before = grown.Phi.copy()
        assert grown.add(X[m : m + 1])
        np.testing.assert_array_equal(grown.Phi[:, :-1], before)
        assert grown.residual[m] == pytest.approx(0.0, abs=1e-12)


# --- bad input ------------------------------------------------------------------------------------


def test_bad_arrays_are_named():
    with pytest.raises(
        ValueError, match="landmarks must have a positive semi-definite Gram matrix"
    ):
        nystrom_map(Linear(), np.zeros((3, 2)))
    with pytest.raises(ValueError, match="as many features"):
        nystrom_map(Gaussian(1.0), points())(points(4, d=3))
    with pytest.raises(ValueError, match="m must not exceed the number of examples, got 4"):
        top_eigenvectors(np.eye(3), 4)
    with pytest.raises(ValueError, match="diag must have shape"):
        trace_error([1.0], np.ones((2, 2)))
