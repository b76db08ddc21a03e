"""Multiple kernel learning: a support vector machine that weighs several kernels as it learns.

The kernel is Σ_j η_j k_j with η ≥ 0 and ‖η‖_p ≤ 1. With p = 1 most weights become zero, which
selects kernels; with p > 1 none does, which combines them; p → ∞ is their plain sum. Every solver
here starts with equal weights, so its first state is the plain average, the baseline that is hard
to beat. Kernels of different size cannot be compared by weight: see `normalize_kernels` first.

`mkl_alternating` is the method of the lesson; `mkl` gets there in fewer SVMs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar

import numpy as np

from kernellab.certificates import check_C, relative_gap, svm_certificate
from kernellab.kernels import Kernel, Normalized
from kernellab.solvers.mkl.newton import (
    WeightedRows,
    curvature,
    newton_step,
    newton_step_p,
    scale_to_norm,
)
from kernellab.solvers.sdca import sdca
from kernellab.solvers.smo import smo
from kernellab.solving import RUNNING, solve
from kernellab.validation import FloatArray, check_gram, check_labels, check_number, check_numbers

FIRST_GAP = 0.1
"""Relative gap to which the first SVM is solved."""

INNER_SHARE = 0.01
"""Share of the last MKL gap to which the next SVM is solved: Newton's step asks for as much."""

FINEST_GAP = 1e-10
"""No SVM is asked for less: rounding alone may leave more, and it would run to its cap."""

MOST_PASSES = 5000
"""Passes of one SVM; what it then lacks shows in the gap."""

MOST_CAPPED = 10
"""SVMs of `mkl` that may reach that cap: they take long, and the weights hardly move any more."""

S = TypeVar("S")


def mkl_step(Ks: Any, y: FloatArray, C: float, weights: FloatArray) -> FloatArray:
    """Solve the SVM of the kernel Σ η_j K_j, then weigh each kernel by η_j √q_j, q_j its pull.

    Ks has shape (M, n, n), y shape (n,), and the weights η shape (M,), Σ η_j = 1. Repeated, it
    ends where no weights with that sum are better. Taught in notebook 07; `closed_form` is the step
    of the weights for any p, and `mkl_loop` takes it if p > 1.
    """
    svm = solve(sdca(np.tensordot(weights, Ks, axes=1), y, C))
    beta = svm.alpha * y
    pulls = np.array([beta @ K @ beta for K in Ks])
    new = weights * np.sqrt(pulls)
    return np.asarray(new / new.sum())


@dataclass(frozen=True)
class MKLState:
    """Where multiple kernel learning is, after as many SVMs as `solves` says.

    Parameters
    ----------
    solves : int. SVMs solved so far: what `solve` counts as passes.
    weights : ndarray, shape (M,). η ≥ 0 with ‖η‖_p = 1, those that α was found with.
    alpha : ndarray, shape (n,). Dual variables 0 ≤ α_i ≤ C_i.
    scores : ndarray, shape (n,). f(x_i) = Σ_l α_l y_l Σ_j η_j k_j(x_l, x_i) + b.
    b : float. The bias, 0 in the problem without one.
    q : ndarray, shape (M,)
        q_j = (α∘y)ᵀK_j(α∘y), so ∂J/∂η_j = −q_j / 2 and ‖w_j‖² = η_j² q_j. At the optimum with
        p = 1 it is equal to the maximum wherever η_j > 0.
    primal, dual : float
        ½ Σ ‖w_j‖²/η_j + Σ C_i ξ_i, an upper bound of the optimum, and Σ α_i − ½ ‖q‖_p*, a lower.
    status : str
        "running"; "not a kernel" if a solve has shown that Σ η_j K_j has a negative eigenvalue.
    """

    solves: int
    weights: FloatArray
    alpha: FloatArray
    scores: FloatArray
    b: float
    q: FloatArray
    primal: float
    dual: float
    status: str = RUNNING

    @property
    def passes(self) -> int:
        """The SVMs solved so far, for `solve`."""
        return self.solves

    @property
    def gap(self) -> float:
        """The relative gap of primal and dual, of weights and α at once."""
        return relative_gap(self.primal, self.dual)


def mkl_alternating(
    Ks: Any, y: Any, C: Any, *, p: float = 1.0, start: Any = None, weights: Any = None
) -> Iterator[MKLState]:
    """Alternate between an SVM for the kernel weights and a step of the weights: no bias.

    A state after each SVM; it does not end. Minimises J(η) = max_α Σ α_i − ½ (α∘y)ᵀ(Σ η_j
    K_j)(α∘y). The maximum is an SVM, solved by `sdca` to a part of the last gap; the minimum takes
    a step of `gradient_step` if p = 1, or of `closed_form` if p > 1. Rakotomamonjy et al. (2008),
    *SimpleMKL*; Kloft et al. (2011), *ℓp-norm multiple kernel learning*. Taught in notebook 07.
    Raises ValueError for a bad argument, before the first SVM.

    Parameters
    ----------
    Ks : array-like, shape (M, n, n). A Gram matrix for each kernel.
    y : array-like, shape (n,). Labels −1 and +1.
    C : float or array-like, shape (n,). Cost C > 0 of a hinge loss of 1.
    p : float. Norm of the weights, at least 1.
    start : array-like, shape (n,), optional. First α, zero if not given.
    weights : array-like, shape (M,), optional
        First η, equal ones if not given; scaled to ‖η‖_p = 1. A weight of zero stays zero if
        p > 1.
    """
    Ks, y, C, p, alpha, eta = _check(Ks, y, C, p, start, weights)
    return mkl_loop(Ks, y, C, p, alpha, eta)


def mkl_loop(
    Ks: FloatArray, y: FloatArray, C: FloatArray, p: float, alpha: FloatArray, weights: FloatArray
) -> Iterator[MKLState]:
    """What `mkl_alternating` runs once its arguments are checked: an SVM, a step of the weights."""
    gap = FIRST_GAP
    for solves in count(1):
        K = np.tensordot(weights, Ks, axes=1)
        svm = _run(sdca(K, y, C, start=alpha), INNER_SHARE * gap)
        alpha, scores = svm.alpha.copy(), svm.scores.copy()
        q = np.array([(alpha * y) @ K_j @ (alpha * y) for K_j in Ks])
        bounds = _bounds((weights, alpha, scores, q), y, C, p)
        state = MKLState(solves, weights, alpha, scores, 0.0, q, *bounds, svm.status)
        yield state
        gap = state.gap
        weights = gradient_step(weights, q, solves) if p == 1 else closed_form(weights, q, p)


def gradient_step(weights: FloatArray, q: FloatArray, t: int) -> FloatArray:
    """η ← projection of η − s_t ∇J(η) onto the simplex, where ∇J = −q/2 and s_t falls as 1/√t.

    η and q = (α∘y)ᵀK_j(α∘y) have shape (M,); t = 1, 2, … is the number of the step. In the first
    one the weight of the best kernel grows by up to 1. Taught in notebook 07.
    """
    step = 2.0 / (max(q.max(), np.finfo(np.float64).tiny) * np.sqrt(t))
    return project_on_simplex(weights + step * q / 2)


def project_on_simplex(v: Any) -> FloatArray:
    """Return the point of {η ≥ 0, Σ η_j = 1} nearest to v, shape (M,).

    Raises ValueError if v is not a list of finite numbers.

    η = max(0, v − θ), with the one θ for which it sums to 1: found by going through v from the
    largest to the smallest. Held, Wolfe and Crowder (1974). Taught in notebook 07.
    """
    v = check_numbers(v, "v")
    falling = np.sort(v)[::-1]
    thetas = (np.cumsum(falling) - 1.0) / np.arange(1, len(v) + 1)  # if the first k stay above zero
    theta = thetas[np.flatnonzero(falling > thetas)[-1]]
    return np.maximum(v - theta, 0.0)


def closed_form(weights: FloatArray, q: FloatArray, p: float) -> FloatArray:
    """η_j ∝ ‖w_j‖^{2/(p+1)}, ‖η‖_p = 1: the best weights if the w_j stay as they are.

    Minimises Σ ‖w_j‖²/η_j over ‖η‖_p ≤ 1, where ‖w_j‖ = η_j √q_j; all of shape (M,). A weight that
    was zero stays so. Kloft et al. (2011), equation 13. Taught in notebook 07.
    """
    lengths = weights * np.sqrt(np.maximum(q, 0.0))
    if not lengths.any():
        return weights
    return scale_to_norm((lengths / lengths.max()) ** (2.0 / (p + 1.0)), p)


# --- the fast version -----------------------------------------------------------------------------


def mkl(
    Ks: Any,
    y: Any,
    C: Any,
    *,
    p: float = 1.0,
    bias: bool = False,
    start: Any = None,
    weights: Any = None,
) -> Iterator[MKLState]:
    """Learn the weights of several kernels in few SVMs, with or without a bias.

    A state after each SVM. It ends where the weights find nothing better, and where C is so large
    that an SVM reaches its cap with a gap above 10 %, or ten do so at all. The same problem as that
    of `mkl_alternating`. Each SVM is solved by `smo`, from the last α, to 1/100 of the last gap,
    with rows of Σ η_j K_j summed when they are asked for. Weights take Newton's step, see `newton`;
    where the primal did not fall, they go back part of it, or take a step of `closed_form` from the
    best ones if p > 1: that never raises J. For 1 < p < 1.05 optimal weights spread over so many
    powers of ten that this may stop at the cap: take p = 1. Taught in notebook 07. Raises
    ValueError for a bad argument, before the first SVM.

    Parameters
    ----------
    Ks, y, C, p, start, weights
        As for `mkl_alternating`. With a bias, start must have Σ α_i y_i = 0.
    bias : bool. f(x) = Σ α_i y_i k(x_i, x) + b with Σ α_i y_i = 0; or neither b nor that condition.
    """
    Ks, y, C, p, alpha, eta = _check(Ks, y, C, p, start, weights)
    return _newton(Ks, y, C, p, bias, alpha, eta)


def _newton(
    Ks: FloatArray,
    y: FloatArray,
    C: FloatArray,
    p: float,
    bias: bool,
    alpha: FloatArray,
    weights: FloatArray,
) -> Iterator[MKLState]:
    rows = WeightedRows(Ks)
    best: MKLState | None = None
    goal, capped = FIRST_GAP, 0
    for solves in count(1):
        rows.weigh(weights)
        svm = _run(smo(rows, y, C, bias=bias, start=alpha, gap=goal, shrinking=False), goal)
        alpha, b = svm.alpha, svm.b
        scores = rows.times(alpha * y) + b
        q = rows.parts @ (alpha * y)
        bounds = _bounds((weights, alpha, scores, q), y, C, p)
        state = MKLState(solves, weights, alpha, scores, b, q, *bounds, svm.status)
        yield state
        capped += svm.passes >= MOST_PASSES
        if capped == MOST_CAPPED:
            return
        goal = min(goal, max(INNER_SHARE * state.gap, FINEST_GAP))
        if best is None or state.primal < best.primal:
            best = state
            free = np.flatnonzero((alpha > 0.0) & (alpha < C))
            H = curvature(rows, free, bias=bias)
            weights = newton_step(weights, q, H) if p == 1 else newton_step_p(weights, q, H, p)
        else:  # the step was too long, or the SVM too rough to tell
            weights = _back(best, state) if p == 1 else closed_form(best.weights, best.q, p)
            nothing_left = np.allclose(weights, best.weights, rtol=1e-12, atol=0.0)
            if nothing_left or svm.gap > FIRST_GAP:  # C may be so large that no SVM is solved
                return
            goal = max(goal / 10, FINEST_GAP)


def _back(best: MKLState, state: MKLState) -> FloatArray:
    """Return weights between the two: where J is flat if it is a parabola, or in the middle."""
    way = state.weights - best.weights
    falls, rises = best.q @ way, -state.q @ way  # twice the slope of J, at the start down
    t = falls / (falls + rises) if falls > 0.0 and rises > 0.0 else 0.5
    return best.weights + np.clip(t, 0.05, 0.95) * way


# --- certificate and normalisation ----------------------------------------------------------------


@dataclass(frozen=True)
class MKLCertificate:
    """What weights and α prove about themselves, recomputed from the Gram matrices.

    Parameters
    ----------
    primal, dual : float. Bounds of the optimum from above and from below.
    gap : float. Relative duality gap.
    q : ndarray, shape (M,). (α∘y)ᵀK_j(α∘y).
    """

    primal: float
    dual: float
    gap: float
    q: FloatArray


def mkl_certificate(
    Ks: Any, y: Any, alpha: Any, weights: Any, C: Any, *, p: float = 1.0, bias: float | None = None
) -> MKLCertificate:
    """Recompute the MKL duality gap from Gram matrices, α and weights alone.

    P(η) − [Σ α_i − ½ ‖q‖_p*] with 1/p + 1/p* = 1: for p = 1 the dual norm is max_j q_j, for p = 2
    the Euclidean one. It is what α lacks, given the weights, and ½ (‖q‖_p* − Σ η_j q_j), what they
    lack, given α. Taught in notebook 07. Raises ValueError if shapes do not match, entries are
    not finite, or the weights are negative or too large.

    Parameters
    ----------
    Ks, y, C, p
        As for `mkl_alternating`.
    alpha : array-like, shape (n,). Dual variables.
    weights : array-like, shape (M,). η ≥ 0 with ‖η‖_p ≤ 1.
    bias : float, optional. The bias; None is the problem without one.
    """
    Ks, p = check_grams(Ks), check_p(p)
    eta = check_numbers(weights, "weights", len(Ks))
    if eta.min() < 0.0 or np.linalg.norm(eta, p) > 1.0 + 1e-9:
        raise ValueError(
            f"weights must be at least 0 with ‖weights‖_{p:g} at most 1, got smallest "
            f"{eta.min():g} and norm {np.linalg.norm(eta, p):g}"
        )
    svm = svm_certificate(np.tensordot(eta, Ks, axes=1), y, alpha, C, bias=bias)
    coef = check_numbers(alpha, "alpha") * check_labels(y)
    q = np.array([coef @ K @ coef for K in Ks])
    dual = svm.dual - (dual_norm(q, p) - float(eta @ q)) / 2
    return MKLCertificate(svm.primal, dual, relative_gap(svm.primal, dual), q)


def dual_norm(q: FloatArray, p: float) -> float:
    """Return max Σ η_j q_j over η ≥ 0, ‖η‖_p ≤ 1, for q ≥ 0: ‖q‖_p* with 1/p + 1/p* = 1."""
    largest = float(q.max())
    if p == 1 or largest <= 0.0:
        return max(largest, 0.0)
    return largest * float(np.linalg.norm(np.maximum(q / largest, 0.0), p / (p - 1.0)))


def normalize_kernels(
    kernels: Iterable[Kernel], X: Any, how: str = "trace", *, weight: Any = None
) -> list[Kernel]:
    """Bring kernels to one size on the examples X, so that their weights can be compared.

    They also serve for new examples, at the scale found here. Without it, 100 k is chosen before k.
    Taught in notebook 07. Raises
    ValueError if `how` is neither, there is no kernel, or one of them is zero on X.

    Parameters
    ----------
    how : {"trace", "spherical"}
        "trace": divide by the mean of k(x_i, x_i), so that the trace is n. "spherical":
        k(x, z)/√(k(x, x) k(z, z)), which puts every example on the unit sphere.
    weight : array-like, shape (n,), optional
        How often each example counts in that mean, once if not given.
    """
    listed = list(kernels)
    if not listed or not all(isinstance(kernel, Kernel) for kernel in listed):
        raise ValueError(f"kernels must be at least one Kernel, got {listed!r}")
    if how not in ("trace", "spherical"):
        raise ValueError(f"how must be 'trace' or 'spherical', got {how!r}")
    if how == "spherical":
        return [Normalized(kernel) for kernel in listed]
    means = [float(np.average(kernel.diag(X), weights=weight)) for kernel in listed]
    for kernel, mean in zip(listed, means, strict=True):
        if not mean > 0.0:
            raise ValueError(
                f"kernels must be positive on X on average, got mean k(x, x) = {mean:g} "
                f"for {kernel}; leave it out"
            )
    return [(1.0 / mean) * kernel for kernel, mean in zip(listed, means, strict=True)]


# --- what both versions share ---------------------------------------------------------------------


def _run(states: Iterator[Any], gap: float) -> Any:
    """Run an SVM solver to a gap, or to where it gets no further, and return its last state."""
    for state in states:
        if state.gap <= gap or state.status != RUNNING or state.passes >= MOST_PASSES:
            break
    return state


def _bounds(
    state: tuple[FloatArray, ...], y: FloatArray, C: FloatArray, p: float
) -> tuple[float, float]:
    """Return the primal, from weights, q and scores, and the dual, from α and q."""
    weights, alpha, scores, q = state
    primal = float(weights @ q) / 2 + float(C @ np.maximum(0.0, 1.0 - y * scores))
    return primal, float(alpha.sum()) - dual_norm(q, p) / 2


def check_grams(Ks: Any) -> FloatArray:
    """Return Gram matrices of the same examples as one array, shape (M, n, n).

    Raises ValueError if there is none, one is not square, symmetric and finite, or their sizes
    differ.
    """
    if np.ndim(Ks) != 3 if isinstance(Ks, np.ndarray) else not isinstance(Ks, Sequence):
        shape = getattr(Ks, "shape", type(Ks).__name__)
        raise ValueError(f"Ks must have shape (n_kernels, n, n), one Gram matrix each, got {shape}")
    checked = [check_gram(K, f"Ks[{m}]") for m, K in enumerate(Ks)]
    if not checked:
        raise ValueError("Ks must hold at least one Gram matrix, got none")
    sizes = {len(K) for K in checked}
    if len(sizes) > 1:
        raise ValueError(f"Ks must be of the same examples, got sizes {sorted(sizes)}")
    for m, K in enumerate(checked):
        if K.diagonal().min() < 0.0:
            raise ValueError(f"Ks[{m}] must not have a negative diagonal: it is of no kernel")
    return Ks if isinstance(Ks, np.ndarray) and Ks.dtype == np.float64 else np.array(checked)


def check_p(p: Any) -> float:
    """Return the norm of the weights as a float; a ValueError if it is below 1."""
    if check_number(p, "p") < 1.0:
        raise ValueError(f"p must be a number of at least 1, got {p!r}")
    return float(p)


def _check(
    Ks: Any, y: Any, C: Any, p: Any, start: Any, weights: Any
) -> tuple[FloatArray, FloatArray, FloatArray, float, FloatArray, FloatArray]:
    Ks, p = check_grams(Ks), check_p(p)
    y = check_labels(y, Ks.shape[1])
    C = check_C(C, len(y))
    alpha = np.zeros(len(y)) if start is None else check_numbers(start, "start", len(y))
    eta = np.ones(len(Ks)) if weights is None else check_numbers(weights, "weights", len(Ks))
    if eta.min() < 0.0 or not eta.any():
        raise ValueError("weights must be at least 0, and not all of them 0")
    return Ks, y, C, p, alpha, scale_to_norm(eta, p)
