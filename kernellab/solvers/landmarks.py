"""How to choose landmarks for the Nyström method.

All take a kernel, the n examples, how many landmarks m, and a seed. The four differ in what they
look at: nothing (uniform), the vectors (k-means), or what the kernel makes of the examples
(leverage scores, randomly pivoted Cholesky), which is what finds small clusters and outliers.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.vq import kmeans2
from scipy.linalg import cholesky, eigvalsh, solve_triangular

from kernellab.kernels import Kernel
from kernellab.solvers.nystrom import GrowingNystrom, check_count, default_cutoff
from kernellab.solvers.ridge import ridge, smallest_lam
from kernellab.solving import Seed, random_generator
from kernellab.validation import FloatArray, check_numbers, check_positive, check_vectors

Indices = NDArray[np.intp]

LANDMARKS = ("uniform", "kmeans", "leverage", "cholesky")
"""Names that `choose_landmarks` knows."""


def choose_landmarks(kernel: Kernel, X: Any, m: int, *, how: str = "uniform", rng: Seed = 0) -> Any:
    """Choose m landmarks by the name of a method: "uniform", "kmeans", "leverage" or "cholesky".

    That is `uniform_landmarks`, `kmeans_landmarks` (vectors only), `leverage_landmarks` or
    `pivoted_cholesky`. Returns rows of X for `nystrom_map`, or with "kmeans" centres of clusters;
    the last two return fewer, if fewer explain all of K. Taught in notebook 07. Raises ValueError
    for an unknown name, a bad m or rng, or X that the kernel does not take.
    """
    if how == "kmeans":
        return kmeans_landmarks(X, m, rng=rng)
    if how == "uniform":
        return take(X, uniform_landmarks(len(X), m, rng=rng))
    if how == "leverage":
        return take(X, leverage_landmarks(kernel, X, m, rng=rng))
    if how == "cholesky":
        return take(X, pivoted_cholesky(kernel, X, m, rng=rng)[1])
    known = ", ".join(repr(name) for name in LANDMARKS)
    raise ValueError(f"how must be one of {known}, got {how!r}")


def uniform_landmarks(n: int, m: int, *, rng: Seed = 0) -> Indices:
    """Return m different rows out of n, shape (m,), each as likely as any other.

    Raises ValueError for a bad m or rng. Taught in notebook 07.
    """
    return random_generator(rng).choice(n, check_count(m, n), replace=False)


def kmeans_landmarks(X: Any, m: int, *, rng: Seed = 0) -> FloatArray:
    """Return the centres of m clusters, shape (m, d): no rows of X, but means of rows.

    The first centres are rows drawn in proportion to the squared distance to those before (Arthur &
    Vassilvitskii 2007); then come ten passes of Lloyd's algorithm. Zhang, Tsang & Kwok 2008.
    Taught in notebook 07. Raises ValueError for a bad X, m or rng.
    """
    X = check_vectors(X)
    m = check_count(m, len(X))
    generator = random_generator(rng)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a cluster without rows: its centre stays where it is
        return np.asarray(kmeans2(X, m, iter=10, minit="++", rng=generator)[0])


def ridge_leverage_scores(K: Any, lam: float) -> FloatArray:
    """Return how much each example matters for ridge regression at λ: [K(K + λI)⁻¹]_ii, shape (n,).

    From 0 to 1: an example alone in its region has nearly 1, one of a crowd nearly 0; they sum to
    the degrees of freedom. The derivative of the fitted f(x_i) by y_i. = 1 − λ[(K + λI)⁻¹]_ii. K
    has shape (n, n) and is positive semi-definite; λ > 0 is in units of K. Alaoui & Mahoney 2015.
    Taught in notebook 07. Raises ValueError for a bad K or lam.
    """
    fit = ridge(K, np.zeros(len(K)), check_positive(lam, "lam"))
    return np.asarray(np.clip(1.0 - fit.lam * fit.inverse_diagonal, 0.0, 1.0))


def approximate_leverage_scores(
    kernel: Kernel, X: Any, lam: float, sample: Any, inclusion: Any
) -> FloatArray:
    """Return ridge leverage scores as far as a sample of s examples can tell: n from 0 to 1.

    (1/λ) (k(x, x) − k(x)ᵀ(K_ss + λP)⁻¹k(x)), P = diag(inclusion), k(x) = k(sample, x): the variance
    of the ridge prediction at x that is left after the sample was seen, for λ > 0 in units of K. An
    example came to be in the sample with probability `inclusion`, shape (s,), and so stands for
    1/inclusion examples. Exact if the sample is X, each with probability 1; never below that if the
    sample is part of X with all probabilities 1. Musco & Musco 2017, equation 6 and algorithm 2.
    Taught in notebook 07. Raises ValueError for a bad lam or inclusion.
    """
    inclusion = check_numbers(inclusion, "inclusion", len(sample))
    if not (inclusion.min() > 0 and inclusion.max() <= 1):
        raise ValueError("inclusion must hold probabilities above 0 and up to 1")
    K_ss = kernel(sample)
    noise = np.maximum(check_positive(lam, "lam") * inclusion, smallest_lam(K_ss))
    L = cholesky(K_ss + np.diag(noise), lower=True)
    explained = np.square(solve_triangular(L, kernel(sample, X), lower=True)).sum(axis=0)
    return np.asarray(np.clip((kernel.diag(X) - explained) / lam, 0.0, 1.0))


def leverage_landmarks(kernel: Kernel, X: Any, m: int, *, rng: Seed = 0) -> Indices:
    """Draw m different rows of X in proportion to their ridge leverage scores, without forming K.

    Scores need a sample and a good sample needs scores, so it starts from 2m examples and doubles
    their number until it has seen all: each time the sample so far scores twice as many examples,
    and from these the next sample of about 2m is drawn. λ is what the m/4 largest eigenvalues
    leave, divided by m/4: no more than m/2 directions count. O(nm²), and about 4nm kernel values.
    Returns fewer than m if only fewer have a score above zero; independent draws can still miss a
    cluster. Musco & Musco 2017, algorithm 2, without its logarithmic oversampling. Taught in
    notebook 07. Raises ValueError for a bad m or rng, or X that the kernel does not take.
    """
    n, m = len(X), check_count(m, len(X))
    generator = random_generator(rng)
    order = generator.permutation(n)
    seen = size = min(2 * m, n)
    sample, inclusion, scores = order[:size], np.ones(size), np.ones(size)
    while seen < n:
        seen = min(2 * seen, n)
        pool, known = take(X, order[:seen]), take(X, sample)
        lam = _tail_mean(kernel(known), inclusion, seen, max(1, m // 4))
        scores = approximate_leverage_scores(kernel, pool, lam, known, inclusion)
        probability = np.minimum(1.0, size * scores / scores.sum())
        kept = generator.random(seen) < probability
        kept[probability.argmax()] = True  # never empty
        sample, inclusion = order[:seen][kept], probability[kept]
    m = min(m, int(np.count_nonzero(scores)))
    return order[generator.choice(n, m, replace=False, p=scores / scores.sum())]


def _tail_mean(K: FloatArray, inclusion: FloatArray, n: int, k: int) -> float:
    """Return (1/k) Σ_{j>k} σ_j of the Gram matrix of n examples, as estimated from a sample's K."""
    weights = 1 / inclusion
    weights *= n / weights.sum()
    eigenvalues = eigvalsh(K * np.sqrt(np.outer(weights, weights)))
    return max(float(eigenvalues[:-k].sum()) / k, default_cutoff() * float(eigenvalues[-1]))


def pivoted_cholesky(
    kernel: Kernel, X: Any, m: int, *, rng: Seed | None = 0
) -> tuple[GrowingNystrom, Indices]:
    """Grow by m landmarks from X, each drawn in proportion to what it would still add.

    Pr(i) = residual_i / Σ residual; with rng None the largest residual is taken, which is greedy,
    and so drawn to outliers. Returns the grown features, and which rows of X are its landmarks:
    fewer than m if these explain all of K. O(nm²) and nm kernel values: K is never formed. Chen,
    Epperly, Tropp & Webber 2022, algorithm 1. Taught in notebook 07. Raises ValueError for a bad m
    or rng, or X that the kernel does not take.
    """
    m = check_count(m, len(X))
    generator = None if rng is None else random_generator(rng)
    grown = GrowingNystrom(kernel, X)
    nothing = default_cutoff() * grown.residual
    pivots: list[int] = []
    while len(pivots) < m:
        weights = np.where(grown.residual > nothing, grown.residual, 0.0)
        weights[pivots] = 0.0
        if not weights.any():
            break
        if generator is None:
            i = int(weights.argmax())
        else:
            i = int(generator.choice(len(weights), p=weights / weights.sum()))
        if grown.add(take(X, [i])):
            pivots.append(i)
        else:
            nothing[i] = np.inf  # nothing but rounding was left of it
    return grown, np.array(pivots, dtype=np.intp)


def take(X: Any, indices: Indices | list[int]) -> Any:
    """Return these examples of X: rows of an array, or elements of a list."""
    return X[indices] if isinstance(X, np.ndarray) else [X[i] for i in indices]
