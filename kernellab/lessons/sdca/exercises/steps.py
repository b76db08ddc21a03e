"""Exercises of notebook 05: the exact step of a pair, and of one α_i for two other losses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from kernellab import losses
from kernellab.exercises.examples import Rng
from kernellab.exercises.exercise import Case, FunctionExercise


def clip(value: float, low: float, high: float) -> float:
    """Return the nearest number from low to high."""
    return float(min(max(value, low), high))


def step_cases(rng: Rng) -> Iterator[Case]:
    """Steps that stay inside the box, reach an end, start there; one that need not move."""
    for alpha, f, k in ((0.0, 0.0, 2.0), (0.0, 0.5, 0.25), (0.5, 1.0, 1.0), (0.5, 3.0, 1.0)):
        yield {"alpha": alpha, "y": 1.0, "f": f, "k": k, "C": 1.0}
    yield {"alpha": 1.0, "y": -1.0, "f": 0.0, "k": 2.0, "C": 4.0}
    yield {"alpha": 0.5, "y": -1.0, "f": 3.0, "k": 2.0, "C": 0.75}
    for f in (-2.0, 0.5, 1.0, 3.0):
        yield {"alpha": 0.5, "y": 1.0, "f": f, "k": 0.0, "C": 2.0}
    for _ in range(14):
        C = float(rng.choice([0.25, 1.0, 3.0]))
        yield {
            "alpha": C * float(rng.choice([0.0, 0.25, 0.5, 1.0])), "y": float(rng.choice([-1, 1])),
            "f": round(float(rng.normal()) * 2, 2), "k": float(rng.choice([0.25, 1.0, 2.0, 9.0])),
            "C": C,
        }  # fmt: skip


def package_step(loss: losses.DualLoss) -> Callable[..., float]:
    """Return the package's own step for a loss."""

    def step(alpha: float, y: float, f: float, k: float, C: float) -> float:
        arguments = (float(alpha), 1 - float(y) * float(f), float(k), float(C), loss.dual)
        return float(losses.dual_step.py_func(*arguments))

    return step


# --- two at a time ------------------------------------------------------------------------------


def pair_cases(rng: Rng) -> Iterator[Case]:
    """Steps of one class and of two, to the top, and to a wall of the one or of the other."""
    K = np.array([[1.0, 0.5], [0.5, 2.0]])
    for alpha, y, f, C in (
        ([0.5, 0.5], [1.0, -1.0], [0.0, 0.0], 4.0),
        ([0.5, 0.5], [1.0, 1.0], [0.0, 0.5], 4.0),
        ([0.5, 0.5], [1.0, 1.0], [0.0, 3.0], 4.0),
        ([0.5, 1.0], [1.0, -1.0], [-2.0, 0.0], 1.0),
        ([0.5, 1.5], [-1.0, 1.0], [-2.0, 3.0], 2.0),
        ([1.0, 0.25], [1.0, -1.0], [1.0, -1.0], 1.0),
    ):
        yield {"alpha": np.array(alpha), "y": np.array(y), "f": np.array(f), "K": K, "C": C}
    for _ in range(16):
        C = float(rng.choice([0.5, 1.0, 4.0]))
        a, b = rng.choice([1.0, 2.0, 4.0], 2)
        c = float(rng.choice([-0.5, 0.25, 0.5]))
        yield {
            "alpha": C * rng.choice([0.0, 0.25, 0.5, 1.0], 2), "y": rng.choice([-1.0, 1.0], 2),
            "f": rng.normal(0, 2, 2).round(1), "K": np.array([[a, c], [c, b]]), "C": C,
        }  # fmt: skip


Pair = Callable[..., Any]
NO_LABELS: dict[str, Any] = {"way": lambda y: np.array([1.0, -1.0])}


def pair_with(
    *,
    slope: Pair = lambda y, f: (y[0] - f[0]) - (y[1] - f[1]),
    cross: float = -2.0,
    scale: float = 1.0,
    way: Pair = lambda y: y * [1, -1],
    walls: Sequence[int] = (0, 1),
    move: bool = False,
) -> Pair:
    """Return the step of a pair with something else in it, or something missing."""

    def idea(alpha: Any, y: Any, f: Any, K: Any, C: float) -> Any:
        ways = way(y)
        step = scale * slope(y, f) / (K[0, 0] + K[1, 1] + cross * K[0, 1])
        ends = np.sort([-alpha / ways, (C - alpha) / ways], axis=0)
        for i in walls:
            step = clip(step, ends[0, i], ends[1, i])
        return step * ways + (0 if move else alpha)

    return idea


def each_clipped(alpha: Any, y: Any, f: Any, K: Any, C: float, **options: Any) -> Any:
    """Return both at the top, and then each back in the box."""
    return np.clip(pair_with(walls=(), **options)(alpha, y, f, K, C), 0, C)


pair_step = FunctionExercise(
    "pair_step",
    "Two at a time, with the walls: α₁ y₁ goes up by δ and α₂ y₂ goes down by δ. Along δ the dual "
    "has slope (y₁ − f₁) − (y₂ − f₂) at δ = 0, and curvature −(K₁₁ + K₂₂ − 2 K₁₂). Given alpha, y "
    "and f, (2,) each, K (2, 2) and C, return the two new α, both between 0 and C, that make the "
    "dual largest. K₁₁ + K₂₂ > 2 K₁₂ here.",
    [
        "Where is the top of the parabola in δ? And how far may δ go until α₁ is at a wall?",
        "α₁ moves by y₁ δ, and α₂ by −y₂ δ. So each α allows δ an interval of its own.",
        "δ has to lie in both intervals: clip the top there, then move both by the same δ.",
        "way = y * [1, -1]; ends = np.sort([-alpha / way, (C - alpha) / way], axis=0); "
        "delta = np.clip(top, ends[0].max(), ends[1].min())",
    ],
    "SMO takes this step again and again. Σ α_i y_i never changes, so a bias is allowed; and a "
    "wall of the one stops the other.",
    cases=pair_cases,
    solution=pair_with(),
    misconceptions=[
        ("each is clipped alone",
         "If one stops at its wall, the other must stop too, or Σ α_i y_i changes: clip δ.",
         each_clipped),
        ("not clipped", "The top may lie outside the box: both α stay between 0 and C.",
         pair_with(walls=())),
        ("only the first is clipped", "The second α has walls too: δ has to suit both.",
         pair_with(walls=(0,))),
        ("only the second is clipped", "The first α has walls too: δ has to suit both.",
         pair_with(walls=(1,))),
        ("both go up",
         "α₁ y₁ goes up by δ, α₂ y₂ goes down by δ: only so their sum stays.",
         pair_with(way=lambda y: y)),
        *(("the labels are left out of the move",
           "α_i y_i changes by δ, so α_i changes by y_i δ.", idea)
          for idea in (
              pair_with(**NO_LABELS), pair_with(**NO_LABELS, walls=()),
              lambda alpha, y, f, K, C: each_clipped(alpha, y, f, K, C, **NO_LABELS),
              lambda alpha, y, f, K, C: alpha + (pair_with()(alpha, y, f, K, C) - alpha) * y,
          )),
        ("the slope of SDCA",
         "1 − y_i f_i is the slope in α_i; in α_i y_i it is y_i − f_i.",
         pair_with(slope=lambda y, f: (1 - y[0] * f[0]) - (1 - y[1] * f[1]))),
        ("the slope of the first alone", "Both move: the slope has a part of each, y_i − f_i.",
         pair_with(slope=lambda y, f: y[0] - f[0])),
        *((f"the cross term {what}", "‖φ(x₁) − φ(x₂)‖² = K₁₁ + K₂₂ − 2 K₁₂.", pair_with(cross=c))
          for what, c in (("is left out", 0.0), ("counts once", -1.0))),
        ("the cross term with a plus", "One goes up and one down: K₁₁ + K₂₂ − 2 K₁₂.",
         pair_with(cross=2.0)),
        ("twice the way to the top", "½ δ² has the derivative δ: the half has gone.",
         pair_with(scale=2.0)),
        ("downhill", "The dual is maximised: go along the slope, not against it.",
         pair_with(scale=-1.0)),
        ("the move is returned", "Return the new α, not how far they went.", pair_with(move=True)),
    ],
    shapes="alpha, y and f are (2,), K is (2, 2), and the answer is (2,).",
)  # fmt: skip


# --- squared hinge, smoothed hinge: the dual loses s α²/(2C), with s = ½ for the square -----------


def rounded_with(
    more: Callable[[float, float], float] = lambda s, C: s / C,
    *,
    pull: Callable[[float, float, float], float] = lambda alpha, s, C: s * alpha / C,
    top: Callable[[float], float] = lambda C: C,
    bottom: float = 0.0,
    label: bool = True,
) -> Callable[..., float]:
    """Return the smoothed hinge's step with something else in it."""

    def idea(alpha: float, y: float, f: float, k: float, C: float, s: float = 0.5) -> float:
        slope = 1 - (y if label else 1.0) * f - pull(alpha, s, C)
        curvature = k + more(s, C)
        if curvature == 0:  # only if somebody forgets that it grows
            return top(C) if slope > 0 else bottom if slope < 0 else 0.0
        return clip(alpha + slope / curvature, bottom, top(C))

    return idea


def squared_with(*arguments: Any, **options: Any) -> Callable[..., float]:
    """Return the squared hinge's step with something else in it; it has no lid."""
    return rounded_with(*arguments, **{"top": lambda C: np.inf, **options})


squared_hinge_step = FunctionExercise(
    "squared_hinge_step",
    "The step for C Σ ξ², the squared hinge: its dual is Σ α_i − ½ (α∘y)ᵀK(α∘y) − Σ α_i²/(4C), "
    "with α_i ≥ 0 and no lid. Given alpha, y, f, k and C, return the best α_i while all others "
    "stay.",
    [
        "What has been added to D, and what does it add to slope and curvature along α_i?",
        "The slope loses α_i/(2C), the curvature gains 1/(2C).",
        "δ = (1 − y_i f_i − α_i/(2C))/(K_ii + 1/(2C)). What is left of the box?",
        "max(0, alpha + (1 - y * f - alpha / (2 * C)) / (k + 1 / (2 * C)))",
    ],
    "It is the plain problem with K + I/(2C) and no lid: the diagonal is never 0, so nothing can "
    "jump, and large slacks are punished more than many small ones.",
    cases=step_cases,
    solution=package_step(losses.squared_hinge),
    misconceptions=[
        ("the step of the plain hinge",
         "The dual has a new term, −α_i²/(4C): it changes slope and curvature.",
         package_step(losses.hinge)),
        ("the box of the plain hinge",
         "Slack costs more and more, so α_i may grow without a lid: only α_i ≥ 0.",
         squared_with(top=lambda C: C)),
        ("the slope keeps its old value", "The new term has a slope too: −α_i/(2C).",
         squared_with(pull=lambda alpha, s, C: 0.0)),
        ("the curvature keeps its old value", "The new term has a curvature too: K_ii + 1/(2C).",
         squared_with(lambda s, C: 0.0)),
        ("1/C instead of 1/(2C)", "α²/(4C) has the derivative α/(2C), and the second one 1/(2C).",
         squared_with(lambda s, C: 1 / C, pull=lambda alpha, s, C: alpha / C)),
        ("1/(4C) instead of 1/(2C)", "α²/(4C) has the derivative α/(2C): the 2 comes down.",
         squared_with(lambda s, C: 1 / (4 * C), pull=lambda alpha, s, C: alpha / (4 * C))),
        ("2C instead of 1/(2C)", "A high cost C makes the new term small: it is divided by C.",
         squared_with(lambda s, C: 2 * C, pull=lambda alpha, s, C: 2 * C * alpha)),
        ("1 / 2 * C", "Python reads (1 / 2) * C: put 2 * C in parentheses.",
         squared_with(lambda s, C: C / 2, pull=lambda alpha, s, C: alpha * C / 2)),
        ("the new term pushes upwards", "−α_i²/(4C) falls as α_i grows: the slope loses α_i/(2C).",
         squared_with(pull=lambda alpha, s, C: -alpha / (2 * C))),
        ("the new slope without α", "−α_i²/(4C) has the derivative −α_i/(2C): it grows with α_i.",
         squared_with(pull=lambda alpha, s, C: 1 / (2 * C))),
        ("negative α", "α_i ≥ 0 stays: it is the multiplier of an inequality.",
         squared_with(bottom=-np.inf)),
        ("the label is left out", "The slope asks for the margin y_i f_i, not the score.",
         squared_with(label=False)),
    ],
    shapes="All five arguments are single numbers, and so is the answer.",
)  # fmt: skip


# --- smoothed hinge -----------------------------------------------------------------------------


def smoothed_cases(rng: Rng) -> Iterator[Case]:
    """The same steps, with several widths s."""
    for k, case in enumerate(step_cases(rng)):
        yield {**case, "s": (1.0, 0.5, 2.0)[k % 3]}


def smoothed(alpha: float, y: float, f: float, k: float, C: float, s: float) -> float:
    """Return the package's own step."""
    return package_step(losses.smoothed_hinge(float(s)))(alpha, y, f, k, C)


smoothed_hinge_step = FunctionExercise(
    "smoothed_hinge_step",
    "And for the hinge whose corner is rounded over a width s > 0: its dual is "
    "Σ α_i − ½ (α∘y)ᵀK(α∘y) − (s/2C) Σ α_i², with 0 ≤ α_i ≤ C. Given alpha, y, f, k, C and s, "
    "return the best α_i while all others stay.",
    [
        "Again one term more. What does −(s/2C) α_i² add to slope and curvature?",
        "The slope loses s α_i/C, the curvature gains s/C.",
        "The lid is back: the loss is a straight line for small margins, as the hinge is.",
        "min(max(alpha + (1 - y * f - s * alpha / C) / (k + s / C), 0), C)",
    ],
    "The rounding makes the dual strongly concave, and the number of steps needed grows with "
    "ln(1/ε) instead of 1/ε: “Further: other losses” measures both.",
    cases=smoothed_cases,
    solution=smoothed,
    misconceptions=[
        ("the step of the plain hinge", "The dual has a new term, −(s/2C) α_i².",
         rounded_with(lambda s, C: 0.0, pull=lambda alpha, s, C: 0.0)),
        ("no lid", "That is the squared hinge. Here 0 ≤ α_i ≤ C.",
         rounded_with(top=lambda C: np.inf)),
        ("the slope keeps its old value", "The new term has a slope too: −s α_i/C.",
         rounded_with(pull=lambda alpha, s, C: 0.0)),
        ("the curvature keeps its old value", "The new term has a curvature too: K_ii + s/C.",
         rounded_with(lambda s, C: 0.0)),
        *(("C is left out", "s is divided by C, in the slope and in the curvature: s/C.", idea)
          for idea in (
              rounded_with(lambda s, C: s, pull=lambda alpha, s, C: s * alpha),
              rounded_with(lambda s, C: s), rounded_with(pull=lambda alpha, s, C: s * alpha),
          )),
        ("s/(2C) instead of s/C", "(s/2C) α² has the derivative s α/C, and the second one s/C.",
         rounded_with(lambda s, C: s / (2 * C), pull=lambda alpha, s, C: s * alpha / (2 * C))),
        ("s α/(2C) in the slope", "(s/2C) α² has the derivative s α/C: the 2 cancels.",
         rounded_with(pull=lambda alpha, s, C: s * alpha / (2 * C))),
        ("divided by s", "A wide rounding makes a strong curvature: s stands above.",
         rounded_with(lambda s, C: 1 / (s * C), pull=lambda alpha, s, C: alpha / (s * C))),
        ("s C instead of s/C", "A high cost C makes the new term small: it is divided by C.",
         rounded_with(lambda s, C: s * C, pull=lambda alpha, s, C: s * C * alpha)),
        ("the new term pushes upwards", "−(s/2C) α_i² falls as α_i grows: the slope loses s α_i/C.",
         rounded_with(pull=lambda alpha, s, C: -s * alpha / C)),
        ("negative α", "0 ≤ α_i ≤ C, both ends.", rounded_with(bottom=-np.inf)),
        ("not clipped", "The top may lie outside the box: 0 ≤ α_i ≤ C, both ends.",
         rounded_with(top=lambda C: np.inf, bottom=-np.inf)),
        ("the label is left out", "The slope asks for the margin y_i f_i, not the score.",
         rounded_with(label=False)),
    ],
    shapes="All six arguments are single numbers, and so is the answer.",
)  # fmt: skip
