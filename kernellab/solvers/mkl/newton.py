"""Newton's step for the weights of kernels, and rows of their weighted sum: what makes `mkl` fast.

The second derivative of J(η) = max_α … costs next to nothing once the SVM is solved: it is known
from the support vectors between their bounds.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
import scipy.optimize

from kernellab.solvers.smo.rows import Indices, RowSource
from kernellab.validation import FloatArray

RIDGE = 1e-9
"""Added to K on the free support vectors, relative to its diagonal: two of them may be equal."""

LEAST_CURVATURE = 1e-8
"""Curvature that J is given in any direction, relative to its gradient and its mean curvature."""

LONGEST = 2.0
"""Longest step of log η: a weight grows or falls by a factor of e² at most."""

SUM_WEIGHT = 1e4
"""How much the equation Σ η = 1 counts among those of least squares, relative to the largest."""


class WeightedRows(RowSource):
    """Rows of Σ η_j K_j, summed when they are asked for, and K_j β of each kernel for one β.

    An SVM that starts near its solution looks at few rows. To sum all of them beforehand would take
    longer than to solve it.

    Parameters
    ----------
    Ks : ndarray, shape (M, n, n). Gram matrices.

    Attributes
    ----------
    weights : ndarray, shape (M,). η, set by `weigh`.
    parts : ndarray, shape (M, n). K_j β, where β is the argument of the last call of `times`.
    """

    def __init__(self, Ks: FloatArray) -> None:
        n = Ks.shape[1]
        self.Ks = Ks
        self.diagonals = np.array([K.diagonal() for K in Ks])
        self.stored = np.empty((n, n))  # memory is taken when a row is written, not before
        self.parts = np.zeros((len(Ks), n))
        self.beta = np.zeros(n)
        self.weigh(np.ones(len(Ks)))

    def weigh(self, weights: FloatArray) -> None:
        """Change the weights; no row is there any longer."""
        self.weights = weights
        self.diagonal = weights @ self.diagonals
        self.slot = np.full(len(self.diagonal), -1)
        self._used = np.flatnonzero(weights)

    def fetch(self, i: int, keep: int = -1) -> None:
        """Sum row i."""
        np.dot(self.weights[self._used], self.Ks[self._used, i], out=self.stored[i])
        self.slot[i] = i

    def take(self, subset: Indices) -> RowSource:
        """Not needed: between two steps of the weights too little happens to shrink."""
        raise NotImplementedError("rows of a weighted sum are not divided")

    def times(self, weights: FloatArray) -> FloatArray:
        """Return Σ η_j K_j β, shape (n,), for β = `weights`: of what changed in β."""
        changed = np.flatnonzero(weights != self.beta)
        change = (weights - self.beta)[changed]
        for part, K in zip(self.parts, self.Ks, strict=True):
            part += change @ K[changed]
        self.beta = weights.copy()
        return self.weights @ self.parts


def curvature(rows: WeightedRows, free: Indices, *, bias: bool) -> FloatArray:
    """Return the second derivatives of J, shape (M, M).

    While η moves a little, an α at its bound stays there, and the free ones keep y_i f_i = 1:
    Σ_j dη_j K_j β + K dβ = 0 on them. So dβ = −K⁻¹ G dη with columns G_j = K_j β, and as
    ∂J/∂η_j = −q_j/2 changes by −G_j·dβ, H = Gᵀ K⁻¹ G. With a bias Σ dβ = 0 is kept, which takes
    (Gᵀ K⁻¹ 1)(1ᵀ K⁻¹ G) / (1ᵀ K⁻¹ 1) away.
    """
    M = len(rows.weights)
    if len(free) <= bias:
        return np.zeros((M, M))
    K = np.array([rows.row(i)[free] for i in free])
    K[np.diag_indices(len(free))] += RIDGE * max(np.trace(K) / len(free), np.finfo(float).tiny)
    try:
        factor = scipy.linalg.cho_factor(K)
    except scipy.linalg.LinAlgError:  # not a kernel
        return np.zeros((M, M))
    G = rows.parts[:, free].T
    H: FloatArray = G.T @ scipy.linalg.cho_solve(factor, G)
    if bias:
        share = scipy.linalg.cho_solve(factor, np.ones(len(free)))
        H -= np.outer(share @ G, share @ G) / share.sum()
    return H


def newton_step(weights: FloatArray, q: FloatArray, H: FloatArray) -> FloatArray:
    """Return the weights on the simplex that minimise the second-order model of J at η, shape (M,).

    ∇J = −q/2 with q_j = βᵀK_jβ, shape (M,); H, shape (M, M), holds the second derivatives. With
    H = RᵀR and c = ∇J − Hη the model is least squares, ‖Rη + R⁻ᵀc‖², with one more equation of
    great weight for Σ η_j = 1. Lawson and Hanson (1974), chapters 22 and 23. Rounding may have made
    an eigenvalue of H negative: each is taken to be at least `LEAST_CURVATURE` of the largest.
    """
    gradient = -q / 2
    damping = LEAST_CURVATURE * (np.abs(gradient).max() + np.trace(H))
    H = H + damping * np.eye(len(H))
    c = gradient - H @ weights
    s, U = np.linalg.eigh(H)
    root = np.sqrt(np.maximum(s, LEAST_CURVATURE * s[-1]))
    heavy = SUM_WEIGHT * root[-1]
    A = np.vstack([root[:, np.newaxis] * U.T, np.full(len(c), heavy)])
    goal = np.append(-(c @ U) / root, heavy)
    stepped, _ = scipy.optimize.nnls(A, goal, maxiter=100 * len(c))
    return stepped / stepped.sum()


def newton_step_p(weights: FloatArray, q: FloatArray, H: FloatArray, p: float) -> FloatArray:
    """Return better weights with ‖η‖_p = 1, p > 1, by Newton's step in log η; see `newton_step`.

    At the optimum ∇J is a multiple of the gradient of ‖η‖_p, so F_j = (p−1) log η_j − log q_j is
    the same c for all j. As ∂q/∂η = −2H, F changes with log η by (p−1) I + 2 diag(1/q) H diag(η). A
    weight is zero where it or q_j was.
    """
    stepped = np.zeros_like(weights)
    used = np.flatnonzero((weights > 0.0) & (q > 0.0))
    eta, q, H = weights[used], q[used], H[np.ix_(used, used)]
    F = (p - 1.0) * np.log(eta) - np.log(q)
    derivative = (p - 1.0) * np.eye(len(eta)) + 2.0 * H * eta / q[:, np.newaxis]
    to_zero, to_one = np.linalg.solve(derivative, np.column_stack([-F, np.ones_like(F)])).T
    c = -(eta**p @ to_zero) / (eta**p @ to_one)  # keeps ‖η‖_p to first order
    stepped[used] = eta * np.exp(np.clip(to_zero + c * to_one, -LONGEST, LONGEST))
    return scale_to_norm(stepped, p)


def scale_to_norm(weights: FloatArray, p: float) -> FloatArray:
    """Return a multiple of the weights with ‖η‖_p = 1."""
    weights = weights / weights.max()  # powers of very small ones would underflow
    return weights / np.linalg.norm(weights, p)
