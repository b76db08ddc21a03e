"""Exercises of notebook 05: what a run has proved, and the gap of another loss point by point."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng, some_labels, some_vectors
from kernellab.exercises.exercise import Case, FunctionExercise
from kernellab.validation import FloatArray


def some_problem(n: int, rng: Rng) -> tuple[FloatArray, FloatArray]:
    """Draw a Gram matrix of whole numbers, and labels of both kinds."""
    X = some_vectors(n, 2, rng)
    return X @ X.T + 1, some_labels(n, rng)


# --- what many α prove together -----------------------------------------------------------------


def bound_cases(rng: Rng) -> Iterator[Case]:
    """One α; bounds of two α; an α outside the box with the smaller P, then with the larger D."""
    K, y = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, -1.0])
    for C, alphas in (
        (1.0, [[0.5, 0.0]]),
        (1.0, [[0.5, 1.0], [0.0, 0.5]]),
        (1.0, [[0.0, 1.0], [1.5, 1.0]]),
        (0.5, [[1.0, 0.5], [0.5, 0.0]]),
        (1.0, [[-0.5, 0.5], [0.0, 1.0]]),
    ):
        yield {"K": K, "y": y, "C": C, "alphas": np.array(alphas)}
    for n, rows in 4 * ((2, 3), (3, 4), (4, 5)):
        K, y = some_problem(n, rng)
        C = float(rng.choice([0.5, 2.0]))
        inside = rng.integers(0, 5, (2, n)) / 4
        some = rng.integers(-1, 7, (rows - 2, n)) / 4
        yield {"K": K, "y": y, "C": C, "alphas": C * rng.permutation(np.vstack([inside, some])) / 2}


def bounds(
    K: FloatArray, y: FloatArray, C: float, alphas: FloatArray, *, half: float = 0.5,
    sign: float = 1.0, label: bool = True, cost: bool = True, clip: bool = True,
) -> tuple[FloatArray, FloatArray, Any]:  # fmt: skip
    """Return D and P of each α, with something else in them, and which α are in the box."""
    coef = alphas * y if label else alphas
    f = coef @ K
    squared = half * (coef * f).sum(axis=1)
    losses = np.maximum(0, 1 - y * f) if clip else 1 - y * f
    inside = ((alphas >= 0) & (alphas <= C)).all(axis=1)
    P = squared + (C if cost else 1.0) * losses.sum(axis=1)
    return alphas.sum(axis=1) - sign * squared, P, inside


def bounds_with(
    low: Callable[..., Any] = np.max,
    high: Callable[..., Any] = np.min,
    *,
    box: bool = True,
    guests: bool = True,
    **slips: Any,
) -> Callable[..., Any]:
    """Return the two bounds, with something else in them or something missing."""

    def idea(K: FloatArray, y: FloatArray, C: float, alphas: FloatArray) -> Any:
        D, P, inside = bounds(K, y, C, alphas, **slips)
        return low(D[inside] if box else D), high(P if guests else P[inside])

    return idea


def of_one(K: FloatArray, y: FloatArray, C: float, alphas: FloatArray) -> Any:
    """Return the bounds of the α in the box whose own gap is smallest."""
    D, P, inside = bounds(K, y, C, alphas)
    best = np.argmin(np.where(inside, P - D, np.inf))
    return D[best], P[best]


best_bounds = FunctionExercise(
    "best_bounds",
    "What a run has proved. Given K (n, n), y (n,), C and alphas (T, n), a row for each α that was "
    "tried, return the best lower and the best upper bound on P* that they prove together. Some "
    "rows may lie outside the box 0 … C; at least one is inside.",
    [
        "D(α) ≤ P* ≤ P(w). Which of the two needs α in the box, and which holds for any w at all?",
        "Every α has a w = Σ α_i y_i φ(x_i), and P(w) ≥ P* for it. D(α) ≤ P* is for the box only.",
        "The two bounds need not come from one α: take the largest D, and the smallest P.",
        "With c = alpha * y and f = K @ c: D = alpha.sum() - c @ f / 2, and P = c @ f / 2 + "
        "C * np.maximum(0, 1 - y * f).sum()",
    ],
    "A bound stays proved, whatever the run does afterwards: so P may rise, and the bracket never "
    "gets wider.",
    cases=bound_cases,
    solution=bounds_with(),
    parts=("lower", "upper"),
    misconceptions=[
        ("the box is forgotten",
         "Outside the box D(α) may be above P*: it proves nothing. Leave those D out.",
         bounds_with(box=False)),
        ("outside the box nothing counts",
         "P* is the smallest of all P(w), whatever α made the w: every row has a P that counts.",
         bounds_with(guests=False)),
        ("rows are clipped into the box",
         "A clipped α is another one. Say what the given rows prove: leave their D out instead.",
         lambda K, y, C, alphas: bounds_with()(K, y, C, np.clip(alphas, 0, C))),
        ("both bounds from one α",
         "The largest D and the smallest P may belong to different α. Both are proved.", of_one),
        ("the last α",
         "A bound stays proved: the largest D and the smallest P may be in earlier rows.",
         bounds_with(lambda D: D[-1], lambda P: P[-1], box=False)),
        ("the largest P", "Every P(w) is above P*: the smallest says most.",
         bounds_with(high=np.max)),
        ("the smallest D", "Every D(α) of the box is below P*: the largest says most.",
         bounds_with(np.min)),
        ("the half is forgotten", "½‖w‖² is in P and in D, with its half.", bounds_with(half=1.0)),
        ("the labels are left out", "w = Σ α_i y_i φ(x_i): in ‖w‖² and in f stands α∘y, not α.",
         bounds_with(label=False)),
        ("the sign of the second term", "D is a hill: a long w costs. D = Σ α_i − ½‖w‖².",
         bounds_with(sign=-1.0)),
        ("C is left out", "P pays C for each unit of slack.", bounds_with(cost=False)),
        ("margins above 1 are rewarded",
         "The hinge is max(0, 1 − z): beyond 1 there is nothing to pay, and nothing to gain.",
         bounds_with(clip=False)),
        ("the other order", "First the lower bound, then the upper one.",
         lambda K, y, C, alphas: bounds_with()(K, y, C, alphas)[::-1]),
    ],
    shapes="A row of alphas is (n,): alpha * y, and K @ of that, are (n,) too.",
)  # fmt: skip


# --- the gap of the squared hinge, point by point -----------------------------------------------


def gap_cases(rng: Rng) -> Iterator[Case]:
    """Scores that belong to an α; margins below, at and above 1; some α of 0."""
    K, y = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, -1.0])
    for values, C in (([0.0, 0.0], 1.0), ([1.0, 0.0], 1.0), ([0.5, 1.0], 2.0)):
        alpha = np.array(values)
        yield {"scores": K @ (alpha * y), "y": y, "alpha": alpha, "C": C}
    for n in 3 * (2, 3, 5, 8):
        K, y = some_problem(n, rng)
        C = float(rng.choice([0.5, 2.0, 4.0]))
        alpha = C * rng.choice([0.0, 0.25, 0.5, 1.0], n)
        yield {"scores": K @ (alpha * y) / 4, "y": y, "alpha": alpha, "C": C}


def gap_with(
    *,
    power: int = 2,
    cost: bool = True,
    label: bool = True,
    clip: bool = True,
    share: float = 1.0,
    minus: float = 1.0,
    new: float = 0.25,
) -> Callable[..., FloatArray]:
    """Return terms of a gap with something else in them, or something missing."""

    def idea(scores: FloatArray, y: FloatArray, alpha: FloatArray, C: float) -> FloatArray:
        z = y * scores if label else scores
        losses = (np.maximum(0, 1 - z) if clip else 1 - z) ** power
        terms: FloatArray = share * alpha * z + (C if cost else 1.0) * losses - minus * alpha
        return terms + new * alpha**2 / C

    return idea


squared_gap = FunctionExercise(
    "squared_gap",
    "The gap of the squared hinge: P = ½‖w‖² + C Σ max(0, 1 − y_i f_i)² and D = Σ α_i − ½‖w‖² "
    "− Σ α_i²/(4C), at the w of α. Given scores f_i = f(x_i) (n,), y (n,), alpha (n,) and C, "
    "return n numbers ≥ 0 whose sum is P − D, one per example.",
    [
        "‖w‖² = Σ α_i y_i f_i, as in section 1: it needs the scores, and no K.",
        "P − D = ‖w‖² + C Σ max(0, 1 − y_i f_i)² − Σ α_i + Σ α_i²/(4C).",
        "Each term of the sum belongs to one i. Below margin 1 it is a complete square.",
        "z = y * scores; C * np.maximum(0, 1 - z)**2 - alpha * (1 - z) + alpha**2 / (4 * C)",
    ],
    "Below margin 1 a term is C (1 − z − α/(2C))²: zero on the ramp α = 2C (1 − z). The shelf has "
    "become a ramp, so no α needs to be at a wall for good.",
    cases=gap_cases,
    solution=gap_with(),
    misconceptions=[
        ("the gap of the plain hinge", "The slack is squared in P, and D has a new term.",
         gap_with(power=1, new=0.0)),
        ("the slack is not squared", "P pays C (1 − z)² here.", gap_with(power=1)),
        ("the new term of D is forgotten",
         "D has −α_i²/(4C); it is subtracted, so +α_i²/(4C).", gap_with(new=0.0)),
        ("the sign of the new term", "D has −α_i²/(4C); it is subtracted, so +α_i²/(4C).",
         gap_with(new=-0.25)),
        ("1/(2C) instead of 1/(4C)", "D has α²/(4C); 1/(2C) is its curvature, in the step.",
         gap_with(new=0.5)),
        ("the square above margin 1 too",
         "C (1 − z − α/(2C))² is right below margin 1 only: above it there is no slack.",
         gap_with(clip=False)),
        ("C is left out", "The squares cost C each, in P.", gap_with(cost=False)),
        ("the labels are left out", "Only margins y_i f_i count, in ‖w‖² and in the losses.",
         gap_with(label=False)),
        ("only half of ‖w‖²", "P has +½‖w‖² and D has −½‖w‖²: the difference has all of it.",
         gap_with(share=0.5)),
        ("the halves of ‖w‖² cancel",
         "P has +½‖w‖² and D has −½‖w‖²; D is subtracted, so they add up.", gap_with(share=0.0)),
        ("the sign of α_i y_i f_i",
         "‖w‖² is in P − D with a plus: ½ of it in P, and −½ in D, which is subtracted.",
         gap_with(share=-1.0)),
        ("the sign of α_i", "Σ α_i is in D with a plus, and D is subtracted.",
         gap_with(minus=-1.0)),
        ("P without D", "D is to be subtracted: −α_i is missing.", gap_with(minus=0.0)),
        ("in λ-form", "P and D are in C-form here: nothing is divided by C n.",
         lambda scores, y, alpha, C: gap_with()(scores, y, alpha, C) / (C * len(y))),
        ("D − P", "P is above D, so P − D is positive: turn all signs.",
         lambda scores, y, alpha, C: -gap_with()(scores, y, alpha, C)),
        ("one number for all", "The sum is the gap; asked for are its n terms.",
         lambda scores, y, alpha, C: gap_with()(scores, y, alpha, C).sum()),
    ],
    shapes="Everything but C is (n,), and so is the answer: nothing is summed.",
)  # fmt: skip
