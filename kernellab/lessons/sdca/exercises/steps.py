"""Exercises of notebook 05: the exact step of one α_i, for the hinge and two of its relatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab import losses
from kernellab.exercises.examples import Rng
from kernellab.exercises.exercise import Case, FunctionExercise


def clip(value: float, low: float, high: float) -> float:
    """Return the nearest number from low to high."""
    return float(min(max(value, low), high))


def step_with(
    *,
    top: Callable[[float], float] = lambda C: C,
    bottom: float = 0.0,
    divide: Callable[[float], float] = lambda k: k,
    label: bool = True,
    start: bool = True,
    sign: float = 1.0,
    move: bool = False,
    once: bool = True,
    clip_move: bool = False,
    flat: Callable[[float, float, float], float] = lambda alpha, slope, C: C * (slope > 0),
) -> Callable[..., float]:
    """Return the hinge's step with something else in it, or something missing."""

    def idea(alpha: float, y: float, f: float, k: float, C: float) -> float:
        slope = (1 if once else 0) - (y if label else 1.0) * f
        if k == 0:
            return flat(alpha, slope, C)
        delta = sign * slope / divide(k)
        if clip_move:
            return alpha + clip(delta, bottom, top(C))
        return clip((alpha if start else 0.0) + delta, bottom, top(C)) - (alpha if move else 0.0)

    return idea


def step_cases(rng: Rng, *, flat: bool) -> Iterator[Case]:
    """Steps that stay inside the box, reach an end, start there; one that need not move."""
    for alpha, f, k in ((0.0, 0.0, 2.0), (0.0, 0.5, 0.25), (0.5, 1.0, 1.0), (0.5, 3.0, 1.0)):
        yield {"alpha": alpha, "y": 1.0, "f": f, "k": k, "C": 1.0}
    yield {"alpha": 1.0, "y": -1.0, "f": 0.0, "k": 2.0, "C": 4.0}
    yield {"alpha": 0.5, "y": -1.0, "f": 3.0, "k": 2.0, "C": 0.75}
    if flat:
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


NO_PARABOLA = (
    "With K_ii = 0 the dual is a straight line of slope 1 − y_i f_i: up it goes to C, down to 0."
)
LEVEL = "If K_ii = 0 and y_i f_i = 1, all α_i are as good, and 0 is asked for."

hinge_step = FunctionExercise(
    "hinge_step",
    "Derive the step: if α_i alone moves by δ, the dual gains δ (1 − y_i f_i) − ½ δ² K_ii. Given "
    "alpha = α_i, y = y_i, f = f(x_i), k = K_ii ≥ 0 and C, return the α_i between 0 and C that "
    "makes it largest. If k = 0 the dual is a straight line: go to the end it points to; where it "
    "is level all values are as good, and 0 is asked for.",
    [
        "Where is the top of the parabola? Set the derivative by δ to zero.",
        "1 − y_i f_i − δ K_ii = 0, so δ = (1 − y_i f_i)/K_ii. And if α_i + δ is outside the box?",
        "A parabola is highest, in an interval, at the point nearest to its top: clip.",
        "min(max(alpha + (1 - y * f) / k, 0), C); for k = 0: C if y * f < 1, else 0",
    ],
    "No step size, no line search: one division finds the exact maximum, and the dual can never "
    "fall.",
    cases=lambda rng: step_cases(rng, flat=True),
    solution=package_step(losses.hinge),
    misconceptions=[
        ("not clipped", "The top may lie outside the box: α_i stays between 0 and C.",
         step_with(top=lambda C: np.inf, bottom=-np.inf)),
        ("clipped at 1",
         "The slope a of the lesson's lines goes up to 1, but α_i = C a: the box is 0 … C.",
         step_with(top=lambda C: 1.0)),
        ("clipped below only", "α_i ≤ C: one example may not take more than its cost.",
         step_with(top=lambda C: np.inf)),
        ("not divided by K_ii", "The curvature is K_ii: the top is at (1 − y_i f_i)/K_ii.",
         step_with(divide=lambda k: 1.0)),
        ("divided by the root of K_ii",
         "The second derivative of D along α_i is −K_ii, not its root.",
         step_with(divide=lambda k: float(np.sqrt(k)))),
        ("the label is left out",
         "The slope is 1 − y_i f_i: it asks for the margin, not the score.",
         step_with(label=False)),
        ("the old α is forgotten", "δ is a move from where α_i is: α_i + δ.",
         step_with(start=False)),
        ("downhill", "The dual is maximised: go along the slope, not against it.",
         step_with(sign=-1.0)),
        ("the move is returned", "Return the new α_i, not how far it went.", step_with(move=True)),
        ("twice the way to the top", "½ δ² K_ii has the derivative δ K_ii: the half has gone.",
         step_with(divide=lambda k: k / 2)),
        ("a margin of 0 is enough", "The hinge wants a margin of 1: the slope is 1 − y_i f_i.",
         step_with(once=False)),
        ("the move is clipped",
         "α_i + δ has to stay between 0 and C, not δ, which may well be negative.",
         step_with(clip_move=True)),
        ("multiplied by K_ii",
         "1 − y_i f_i − δ K_ii = 0 gives δ = (1 − y_i f_i)/K_ii: strong curvature, short way.",
         step_with(divide=lambda k: 1 / k)),
        ("the residual of regression",
         "y_i − f_i is what is missing in regression; here it is 1 − y_i f_i.",
         lambda alpha, y, f, k, C: step_with()(alpha, 1.0, 1 - y + f, k, C)),
        ("nothing moves where K_ii = 0", NO_PARABOLA,
         step_with(flat=lambda alpha, slope, C: alpha)),
        ("always up where K_ii = 0", NO_PARABOLA, step_with(flat=lambda alpha, slope, C: C)),
        ("where the line is level", LEVEL,
         step_with(flat=lambda alpha, slope, C: C if slope > 0 else 0.0 if slope < 0 else alpha)),
        ("where the line is level", LEVEL,
         step_with(flat=lambda alpha, slope, C: C * (slope >= 0))),
    ],
    shapes="All five arguments are single numbers, and so is the answer.",
    by_zero="K_ii = 0 is allowed, and you divide by it. " + NO_PARABOLA,
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
    "The same for C Σ ξ², the squared hinge: its dual is Σ α_i − ½ (α∘y)ᵀK(α∘y) − Σ α_i²/(4C), "
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
    cases=lambda rng: step_cases(rng, flat=True),
    solution=package_step(losses.squared_hinge),
    misconceptions=[
        ("the step of the plain hinge",
         "The dual has a new term, −α_i²/(4C): it changes slope and curvature.",
         lambda alpha, y, f, k, C: step_with()(alpha, y, f, k, C)),
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
    for k, case in enumerate(step_cases(rng, flat=True)):
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
        ("C is left out", "In C-form α_i goes up to C, and s is divided by it: s/C.",
         rounded_with(lambda s, C: s, pull=lambda alpha, s, C: s * alpha)),
        ("s/(2C) instead of s/C", "(s/2C) α² has the derivative s α/C, and the second one s/C.",
         rounded_with(lambda s, C: s / (2 * C), pull=lambda alpha, s, C: s * alpha / (2 * C))),
        ("divided by s", "A wide rounding makes a strong curvature: s stands above.",
         rounded_with(lambda s, C: 1 / (s * C), pull=lambda alpha, s, C: alpha / (s * C))),
        ("s C instead of s/C", "A high cost C makes the new term small: it is divided by C.",
         rounded_with(lambda s, C: s * C, pull=lambda alpha, s, C: s * C * alpha)),
        ("the new term pushes upwards", "−(s/2C) α_i² falls as α_i grows: the slope loses s α_i/C.",
         rounded_with(pull=lambda alpha, s, C: -s * alpha / C)),
        ("negative α", "0 ≤ α_i ≤ C, both ends.", rounded_with(bottom=-np.inf)),
        ("the label is left out", "The slope asks for the margin y_i f_i, not the score.",
         rounded_with(label=False)),
    ],
    shapes="All six arguments are single numbers, and so is the answer.",
)  # fmt: skip
