"""Exercises of notebook 05: the dual, and its gap point by point."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from kernellab import certificates
from kernellab.exercises.examples import Rng, some_labels, some_vectors
from kernellab.exercises.exercise import Case, FunctionExercise
from kernellab.validation import FloatArray


def some_problem(n: int, rng: Rng) -> tuple[FloatArray, FloatArray]:
    """Draw a Gram matrix of whole numbers, and labels of both kinds."""
    X = some_vectors(n, 2, rng)
    return X @ X.T + 1, some_labels(n, rng)


# --- the dual -----------------------------------------------------------------------------------


def dual_cases(rng: Rng) -> Iterator[Case]:
    """By hand first: α = 0, then one and two α; then more."""
    K, y = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, -1.0])
    for alpha in ([0.0, 0.0], [1.0, 0.0], [1.0, 2.0]):
        yield {"K": K, "y": y, "alpha": np.array(alpha)}
    for n in 3 * (2, 3, 4, 6):
        K, y = some_problem(n, rng)
        yield {"K": K, "y": y, "alpha": rng.integers(0, 5, n) / 2}


def squared_norm(K: FloatArray, y: FloatArray, alpha: FloatArray) -> float:
    """Return ‖w‖² = (α∘y)ᵀK(α∘y)."""
    return float((alpha * y) @ K @ (alpha * y))


dual_value = FunctionExercise(
    "dual_value",
    "A warm-up. What SDCA climbs: given K (n, n), y (n,) and alpha (n,), return "
    "D(α) = Σ α_i − ½ (α∘y)ᵀ K (α∘y).",
    [
        "Two terms: one is a sum, the other a number that n² products make.",
        "∘ multiplies entry by entry: alpha * y are the signed weights of w.",
        "Their quadratic form is c @ K @ c with c = alpha * y, and that is ‖w‖².",
        "alpha.sum() - (alpha * y) @ K @ (alpha * y) / 2",
    ],
    "Any feasible α puts D(α) below every P(w): the first half of a certificate, for free.",
    cases=dual_cases,
    solution=lambda K, y, alpha: alpha.sum() - squared_norm(K, y, alpha) / 2,
    misconceptions=[
        ("the half is forgotten", "½‖w‖² comes from the primal's ½‖w‖², and stays a half.",
         lambda K, y, alpha: alpha.sum() - squared_norm(K, y, alpha)),
        ("the labels are left out", "w = Σ α_i y_i φ(x_i): the quadratic form is in α∘y, not in α.",
         lambda K, y, alpha: alpha.sum() - alpha @ K @ alpha / 2),
        ("the labels are in the first term too",
         "The first term is Σ α_i. With a bias Σ α_i y_i would be zero, a constraint.",
         lambda K, y, alpha: (alpha * y).sum() - squared_norm(K, y, alpha) / 2),
        ("the sign of the second term", "The dual is concave: a long w costs.",
         lambda K, y, alpha: alpha.sum() + squared_norm(K, y, alpha) / 2),
        ("only the diagonal of K", "All pairs interact: Σ_i Σ_j, not only i = j.",
         lambda K, y, alpha: alpha.sum() - (alpha**2 * np.diag(K)).sum() / 2),
        ("the dual upside down", "This is −D, which one would minimise; D itself is maximised.",
         lambda K, y, alpha: squared_norm(K, y, alpha) / 2 - alpha.sum()),
        ("the labels are in the second term once only",
         "Both sides of K are α∘y: y_i y_j stands at K_ij.",
         lambda K, y, alpha: alpha.sum() - (alpha * y) @ K @ alpha / 2),
        ("K entry by entry", "c * K multiplies entry by entry; the quadratic form is c @ K @ c.",
         lambda K, y, alpha: alpha.sum() - ((alpha * y) * K * (alpha * y)).sum() / 2),
        ("a mean instead of a sum", "In C-form the losses are summed, and so are the α.",
         lambda K, y, alpha: alpha.mean() - squared_norm(K, y, alpha) / 2),
    ],
    shapes="alpha * y is (n,): c @ K @ c is one number.",
)  # fmt: skip


# --- the gap, point by point --------------------------------------------------------------------


def gap_cases(rng: Rng) -> Iterator[Case]:
    """Scores that belong to an α; margins below, at and above 1; α at both ends and between."""
    K, y = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, -1.0])
    for values, C in (([0.0, 0.0], 1.0), ([1.0, 0.0], 1.0), ([0.5, 1.0], 2.0)):
        alpha = np.array(values)
        yield {"scores": K @ (alpha * y), "y": y, "alpha": alpha, "C": C}
    for n in 3 * (2, 3, 5, 8):
        K, y = some_problem(n, rng)
        C = float(rng.choice([0.5, 1.0, 4.0]))
        alpha = C * rng.choice([0.0, 0.25, 0.5, 1.0], n)
        yield {"scores": K @ (alpha * y) / 4, "y": y, "alpha": alpha, "C": C}


def gap_with(
    *,
    cost: bool = True,
    label: bool = True,
    clip: bool = True,
    share: float = 1.0,
    minus: bool = True,
) -> Callable[..., FloatArray]:
    """Return terms of a gap with something missing."""

    def idea(scores: FloatArray, y: FloatArray, alpha: FloatArray, C: float) -> FloatArray:
        z = y * scores if label else scores
        losses = np.maximum(0, 1 - z) if clip else 1 - z
        terms: FloatArray = share * alpha * z + (C if cost else 1) * losses
        return terms - alpha if minus else terms

    return idea


gap_by_point = FunctionExercise(
    "gap_by_point",
    "The gap without K: given scores f_i = f(x_i) (n,), y (n,), alpha (n,) and C, return n "
    "numbers ≥ 0 whose sum is P − D, with P = ½‖w‖² + C Σ max(0, 1 − y_i f_i) at the w of α.",
    [
        "‖w‖² = Σ α_i y_i f_i: why? It needs the scores, and no K.",
        "P − D = ‖w‖² + C Σ max(0, 1 − y_i f_i) − Σ α_i: both halves of ‖w‖² are in it.",
        "Each term of the sum belongs to one i: α_i y_i f_i + C max(0, 1 − y_i f_i) − α_i.",
        "z = y * scores; alpha * z + C * np.maximum(0, 1 - z) - alpha",
    ],
    "The terms are zero exactly where the KKT conditions hold, so they say which examples are "
    "still owed a step; and they cost n operations, not n².",
    cases=gap_cases,
    solution=lambda scores, y, alpha, C: certificates.gap_terms(scores, y, alpha, C),
    misconceptions=[
        ("C is left out", "The losses cost C each, in P; α may go up to C, in D.",
         gap_with(cost=False)),
        ("the labels are left out", "Only margins y_i f_i count, in ‖w‖² and in the losses.",
         gap_with(label=False)),
        ("margins above 1 are rewarded",
         "The hinge is max(0, 1 − z): beyond 1 there is nothing to pay, and nothing to gain.",
         gap_with(clip=False)),
        ("only half of ‖w‖²", "P has +½‖w‖² and D has −½‖w‖²: the difference has all of it.",
         gap_with(share=0.5)),
        ("P without D", "D = Σ α_i − ½‖w‖² is to be subtracted: −α_i is missing.",
         gap_with(minus=False)),
        ("the halves of ‖w‖² cancel",
         "P has +½‖w‖² and D has −½‖w‖²; D is subtracted, so they add up.", gap_with(share=0.0)),
        ("margins above 1 owe nothing", "They do if α_i > 0: the term is then α_i (y_i f_i − 1).",
         lambda scores, y, alpha, C: (C - alpha) * np.maximum(0, 1 - y * scores)),
        ("in λ-form", "P and D are in C-form here: nothing is divided by C n.",
         lambda scores, y, alpha, C: gap_with()(scores, y, alpha, C) / (C * len(y))),
        ("D − P", "P is above D, so P − D is positive: turn all signs.",
         lambda scores, y, alpha, C: -gap_with()(scores, y, alpha, C)),
        ("the sign of α_i y_i f_i",
         "‖w‖² is in P − D with a plus: ½ of it in P, and −½ in D, which is subtracted.",
         gap_with(share=-1.0)),
        ("the sign of α_i", "Σ α_i is in D with a plus, and D is subtracted.",
         lambda scores, y, alpha, C: gap_with()(scores, y, alpha, C) + 2 * alpha),
        ("the losses alone", "That is what P has of each point; ‖w‖² and D belong to the gap too.",
         lambda scores, y, alpha, C: C * np.maximum(0, 1 - y * scores)),
        ("one number for all", "The sum is the gap; asked for are its n terms.",
         lambda scores, y, alpha, C: gap_with()(scores, y, alpha, C).sum()),
    ],
    shapes="Everything but C is (n,), and so is the answer: nothing is summed.",
)  # fmt: skip
