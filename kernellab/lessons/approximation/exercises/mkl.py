"""Exercises of notebook 07 on weights of kernels: simplex, gradients, gap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng, some_labels
from kernellab.exercises.exercise import Case, FunctionExercise
from kernellab.solvers import mkl as package
from kernellab.validation import FloatArray

# --- onto the simplex ---------------------------------------------------------------------------


def simplex_cases(rng: Rng) -> Iterator[Case]:
    """A point of it, one beside it, one whose nearest is a corner; then others."""
    for v in ([0.25, 0.75], [1.0, 1.0], [3.0, 0.0], [-1.0, 0.5], [0.5, 0.5, -0.2], [0.2, 0.2]):
        yield {"v": np.array(v)}
    for n in 4 * (2, 3, 4, 6):
        drawn = rng.normal(size=n).round(2)
        yield {"v": drawn if drawn.max() > 0 else -drawn}  # else clipping leaves a sum of 0


def lift(v: FloatArray) -> FloatArray:
    """Return v, moved so that it sums to 1."""
    return np.asarray(v - (v.sum() - 1) / len(v))


def onto_simplex(v: FloatArray) -> FloatArray:
    """Return the nearest point of the simplex."""
    return package.project_on_simplex(v)


project_on_simplex = FunctionExercise(
    "project_on_simplex",
    "The nearest weights: given any v (M,), return the point of {η ≥ 0, Σ η_j = 1} that is nearest "
    "to it.",
    [
        "How does the sum of max(0, v − θ) change as θ grows? For which θ is it 0, and for which "
        "at least 1?",
        "It falls steadily, and is 0 at θ = max(v): halve an interval until it is 1. Or exactly: "
        "which entries stay positive?",
        "If the k largest stay positive, θ = (their sum − 1)/k. Which k is right?",
        "u = np.sort(v)[::-1]; thetas = (np.cumsum(u) - 1) / np.arange(1, len(v) + 1); the last "
        "theta with u > theta; np.maximum(v - theta, 0)",
    ],
    "A projected gradient is a gradient step and this: entries that would fall below zero become "
    "exactly zero, so kernels drop out.",
    cases=simplex_cases,
    solution=onto_simplex,
    misconceptions=[
        ("clip, then divide by the sum",
         "That is a point of the simplex, but not the nearest: subtract, do not divide.",
         lambda v: np.maximum(v, 0) / np.maximum(v, 0).sum()),
        ("divided by the sum",
         "Entries below zero stay below zero, and it is not the nearest point either.",
         lambda v: v / v.sum()),
        ("clipped, then moved",
         "Moving may take entries below zero again: clip last, max(0, v − θ).",
         lambda v: lift(np.maximum(v, 0))),
        ("moved, not clipped",
         "It sums to 1, but entries may be negative: then those are zero, and θ is another.", lift),
        ("moved, then clipped",
         "After clipping the sum is no longer 1: θ has to be found for those that stay.",
         lambda v: np.maximum(lift(v), 0)),
        ("moved, clipped, then divided",
         "It lies on the simplex, but is not nearest: look for θ among the entries that stay.",
         lambda v: np.maximum(lift(v), 0) / np.maximum(lift(v), 0).sum()),
        ("the corner of the largest",
         "All weight on one kernel is a corner; the nearest point need not be one.",
         lambda v: np.eye(len(v))[np.argmax(v)]),
        ("a sum below 1 is left as it is",
         "Σ η_j = 1, not ≤ 1: weights that are not spent are given out too.",
         lambda v: np.maximum(v, 0) if np.maximum(v, 0).sum() <= 1 else onto_simplex(v)),
        ("in another order", "Sorting is for finding θ; subtract it from v as it came.",
         lambda v: np.sort(onto_simplex(v))[::-1]),
        ("soft-max", "That is never zero; a projection sets entries to exactly zero.",
         lambda v: np.exp(v) / np.exp(v).sum()),
        ("onto the ball", "‖η‖₂ = 1 is another set: here the sum is 1.",
         lambda v: np.maximum(v, 0) / np.linalg.norm(np.maximum(v, 0))),
    ],
    shapes="v is (M,), and so is the answer.",
)  # fmt: skip


# --- a gradient by finite differences -----------------------------------------------------------


@dataclass(frozen=True)
class Cubic:
    """A function of weights with a bend, so that one-sided differences show: Σ a_j η_j³ + η₀η₁."""

    a: tuple[float, ...]

    def __call__(self, eta: Any) -> float:
        """Return its value at weights (M,)."""
        eta = np.asarray(eta, dtype=float)
        return float(np.sum(np.asarray(self.a) * eta**3) + eta[0] * eta[1])

    def __repr__(self) -> str:
        return f"η ↦ Σ a_j η_j³ + η_0 η_1 with a = {self.a}"


def numerical_cases(rng: Rng) -> Iterator[Case]:
    """Functions of two weights, then of more; steps h that are not small."""
    yield {"J": Cubic((1.0, 0.0)), "eta": np.array([1.0, 2.0]), "h": 1.0}
    yield {"J": Cubic((1.0, 2.0)), "eta": np.array([0.5, 0.5]), "h": 0.5}
    for n in 4 * (2, 3, 4):
        a = tuple(rng.integers(-3, 4, n).astype(float).tolist())
        h = float(rng.choice([0.125, 0.25, 0.5]))
        yield {"J": Cubic(a), "eta": rng.integers(-2, 3, n) / 2, "h": h}


def difference(
    forward: float = 1.0, backward: float = 1.0, width: Callable[[float], float] = lambda h: 2 * h
) -> Callable[..., FloatArray]:
    """Return a quotient of differences."""

    def idea(J: Callable[..., float], eta: FloatArray, h: float) -> FloatArray:
        steps = h * np.eye(len(eta))
        return np.array([(J(eta + forward * e) - J(eta - backward * e)) / width(h) for e in steps])

    return idea


numerical_gradient = FunctionExercise(
    "numerical_gradient",
    "A gradient to trust: given a function J of weights, a point eta (M,) and a step h, return the "
    "M central differences (J(η + h e_j) − J(η − h e_j))/(2h), e_j being the j-th unit vector.",
    [
        "How many times must J be called for M weights?",
        "2M: one step up and one down along each weight, all others held.",
        "The rows of h * np.eye(M) are the steps. eta itself must not change.",
        "[(J(eta + e) - J(eta - e)) / (2 * h) for e in h * np.eye(len(eta))]",
    ],
    "The error falls with h², against h for a one-sided difference: compare any gradient you "
    "derive with it before you use it.",
    cases=numerical_cases,
    solution=difference(),
    misconceptions=[
        ("a one-sided difference",
         "(J(η + h e) − J(η))/h has an error of order h; the central one of order h².",
         difference(1.0, 0.0, lambda h: h)),
        ("one-sided, backwards",
         "(J(η) − J(η − h e))/h has an error of order h; the central one of order h².",
         difference(0.0, 1.0, lambda h: h)),
        ("divided by h", "The two points are 2h apart.", difference(width=lambda h: h)),
        ("divided by 2, then multiplied by h",
         "Python reads / 2 * h from left to right: write / (2 * h).",
         difference(width=lambda h: 2 / h)),
        ("not divided", "A difference is no slope yet: divide by 2h.",
         difference(width=lambda h: 1.0)),
        ("the other sign", "Up minus down.", difference(-1.0, -1.0)),
        ("all weights at once", "That is one slope, along (1, …, 1): move one weight at a time.",
         lambda J, eta, h: np.full(len(eta), (J(eta + h) - J(eta - h)) / (2 * h))),
        ("one array under two names",
         "All slopes are 0: after up = eta and down = eta there is one array. Use eta.copy().",
         lambda J, eta, h: np.zeros(len(eta))),
        ("half the step", "η ± h, and 2h below: with half steps it would be h below.",
         difference(0.5, 0.5)),
    ],
    shapes="J takes (M,) and returns one number; you return M of them.",
)  # fmt: skip


# --- the gradient of the weights ----------------------------------------------------------------


def kernel_cases(rng: Rng, *, gap: bool) -> Iterator[Case]:
    """Two kernels on two points by hand; then two to four kernels."""
    Ks = np.array([[[2.0, 1.0], [1.0, 2.0]], [[1.0, 0.0], [0.0, 1.0]]])
    y = np.array([1.0, -1.0])
    more: dict[str, Any] = {"eta": np.array([0.25, 0.75]), "C": 1.0} if gap else {}
    for values in ([1.0, 0.0], [0.5, 0.5]):
        yield {"Ks": Ks, "y": y, "alpha": np.array(values), **more}
    for n, M in 3 * ((2, 2), (3, 2), (4, 3), (5, 4)):
        X = rng.integers(-2, 3, (M, n, 2)).astype(float)
        C = float(rng.choice([0.5, 1.0, 4.0]))
        alpha = C * rng.choice([0.0, 0.25, 0.5, 1.0], n)
        if gap:
            eta = rng.multinomial(8, np.full(M, 1 / M)) / 8
            more = {"eta": eta, "C": C}
        yield {"Ks": X @ X.transpose(0, 2, 1), "y": some_labels(n, rng), "alpha": alpha, **more}


def forms(Ks: FloatArray, c: FloatArray) -> FloatArray:
    """Return cᵀK_j c for each kernel."""
    return np.array([c @ K @ c for K in Ks])


mkl_gradient = FunctionExercise(
    "mkl_gradient",
    "How J changes with the weights: J(η) = max_α Σ α_i − ½ (α∘y)ᵀ(Σ η_j K_j)(α∘y). Given Ks "
    "(M, n, n), y (n,) and the maximising alpha (n,), return the gradient (M,) of J by η.",
    [
        "α depends on η too. Why does that not matter at the maximum (Danskin)?",
        "There the derivative by α is zero, or the box forbids the move: hold α, and differentiate "
        "by η_j alone.",
        "J is linear in η for a fixed α: the factor of η_j is −½ (α∘y)ᵀK_j(α∘y).",
        "c = alpha * y; np.array([-c @ K @ c / 2 for K in Ks])",
    ],
    "All entries are ≤ 0: more of any kernel helps the training objective, so the weights need a "
    "budget; under Σ η_j = 1 the steepest gets more.",
    cases=lambda rng: kernel_cases(rng, gap=False),
    solution=lambda Ks, y, alpha: -forms(Ks, alpha * y) / 2,
    misconceptions=[
        ("the sign", "J falls when a weight grows: −½ (α∘y)ᵀK_j(α∘y).",
         lambda Ks, y, alpha: forms(Ks, alpha * y) / 2),
        ("q itself", "q_j = (α∘y)ᵀK_j(α∘y) enters J with the factor −½.",
         lambda Ks, y, alpha: forms(Ks, alpha * y)),
        ("the half is forgotten", "The quadratic form of the dual has a ½.",
         lambda Ks, y, alpha: -forms(Ks, alpha * y)),
        ("the labels are left out", "The signed weights are α∘y.",
         lambda Ks, y, alpha: -forms(Ks, alpha) / 2),
        ("Σ α is in it", "Σ α_i does not contain η: its derivative is zero.",
         lambda Ks, y, alpha: alpha.sum() - forms(Ks, alpha * y) / 2),
        ("the diagonal only", "All pairs of examples count.",
         lambda Ks, y, alpha: np.array([-(alpha**2 * np.diag(K)).sum() / 2 for K in Ks])),
        ("α is left out", "That is −½ yᵀK_j y, an alignment: the gradient is taken at α.",
         lambda Ks, y, alpha: -forms(Ks, y) / 2),
        ("normalised",
         "The gradient is not divided by anything; the projection looks after the sum.",
         lambda Ks, y, alpha: -forms(Ks, alpha * y) / max(forms(Ks, alpha * y).sum(), 1e-300)),
    ],
    shapes="Ks is (M, n, n): each of its M matrices gives one number.",
)  # fmt: skip


# --- the gap ------------------------------------------------------------------------------------


def gap_with(
    *,
    best: Callable[[FloatArray], float] = lambda q: float(q.max()),
    half: float = 0.5,
    hinge: Callable[[FloatArray], FloatArray] = lambda z: np.maximum(0, 1 - z),
    cost: bool = True,
    minus: float = 1.0,
    weighted: bool = True,
    signed: bool = True,
    sign: float = 1.0,
) -> Callable[..., float]:
    """Return a gap with something else in it."""

    def idea(Ks: FloatArray, y: Any, alpha: Any, eta: Any, C: float) -> float:
        c = alpha * y if signed else alpha
        K = np.tensordot(eta if weighted else np.ones(len(Ks)), Ks, axes=1)
        loss = (C if cost else 1.0) * hinge(y * (K @ c)).sum()
        primal = half * float(c @ K @ c) + loss
        return sign * float(primal - minus * (alpha.sum() - best(forms(Ks, c)) / 2))

    return idea


def relative(unit: Callable[[float, float], float]) -> Callable[..., float]:
    """Return the gap divided by a unit made of P and D."""

    def idea(Ks: FloatArray, y: Any, alpha: Any, eta: Any, C: float) -> float:
        primal, gap = (gap_with(minus=minus)(Ks, y, alpha, eta, C) for minus in (0.0, 1.0))
        return gap / max(abs(unit(primal, primal - gap)), 1e-300)

    return idea


mkl_gap = FunctionExercise(
    "mkl_gap",
    "The certificate for weights of sum 1: given Ks (M, n, n), y (n,), alpha (n,), eta (M,) and C, "
    "return P(η) − D(α), with P(η) = ½ (α∘y)ᵀK(α∘y) + C Σ max(0, 1 − y_i f_i), K = Σ η_j K_j and "
    "f = K(α∘y), and D(α) = Σ α_i − ½ max_j (α∘y)ᵀK_j(α∘y).",
    [
        "What bounds the optimum over η and w from below? A dual that holds for every η at once.",
        "Over all η of the simplex, Σ η_j q_j is at most max_j q_j: that is where the max is from.",
        "Compute c = α∘y, K, f = K c and q_j = cᵀK_j c, in this order; then P and D.",
        "0.5 * c @ K @ c + C * np.maximum(0, 1 - y * (K @ c)).sum() - (alpha.sum() - max(q) / 2)",
    ],
    "With the current η in place of the max it would certify α for these weights, and say nothing "
    "about the weights themselves.",
    cases=lambda rng: kernel_cases(rng, gap=True),
    solution=gap_with(),
    misconceptions=[
        ("the present weights in the dual",
         "Σ η_j q_j certifies α for this η only; the max holds for all weights.",
         lambda Ks, y, alpha, eta, C: gap_with(best=lambda q: float(eta @ q))(
             Ks, y, alpha, eta, C
         )),
        ("the gap of the lesson",
         "½ (max q − Σ η_j q_j) is right only if α is the best for η. Here it need not be: take P.",
         lambda Ks, y, alpha, eta, C: float(
             max(q := forms(Ks, alpha * y)) - eta @ q) / 2),
        ("the smallest instead of the largest", "The dual has to hold for the worst weights: max.",
         gap_with(best=lambda q: float(q.min()))),
        ("a sum instead of the largest",
         "On the simplex Σ η_j q_j is at most the largest q_j, not their sum.",
         gap_with(best=lambda q: float(q.sum()))),
        ("the norm instead of the largest",
         "That is for weights whose squares sum to 1. For a sum of 1 it is the max.",
         gap_with(best=lambda q: float(np.linalg.norm(q)))),
        ("the half is forgotten in P", "P has ½‖w‖².", gap_with(half=1.0)),
        ("the half is forgotten in D", "D has ½ of the largest q_j.",
         gap_with(best=lambda q: 2 * float(q.max()))),
        ("C is left out", "The losses cost C each.", gap_with(cost=False)),
        ("the labels are left out", "The signed weights are α∘y, in P and in D.",
         gap_with(signed=False)),
        ("the relative gap",
         "Divided by P, as the lesson prints it; asked for is P − D itself.",
         relative(lambda P, D: P)),
        ("divided by D", "Asked for is P − D, not its share of D.", relative(lambda P, D: D)),
        ("D − P", "P is above and D below: P − D is never negative.", gap_with(sign=-1.0)),
        ("the primal alone", "D is to be subtracted.", gap_with(minus=0.0)),
        ("D with the other sign", "P − D: at the optimum it is zero.", gap_with(minus=-1.0)),
        ("all kernels with weight 1", "K = Σ η_j K_j.", gap_with(weighted=False)),
        ("margins above 1 are rewarded", "The hinge is max(0, 1 − z).",
         gap_with(hinge=lambda z: 1 - z)),
    ],
    shapes="np.tensordot(eta, Ks, axes=1) is (n, n); each q_j is one number.",
)  # fmt: skip
