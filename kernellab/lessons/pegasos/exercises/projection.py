"""An exercise of notebook 04: the length of w, kept without w."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng
from kernellab.exercises.exercise import Case, FunctionExercise


def projection_cases(rng: Rng) -> Iterator[Case]:
    """The first step; one without violation, one at the origin; lengths that the ball cuts."""
    yield {"squared_norm": 0.0, "f": 0.0, "k": 1.0, "y": 1.0, "lam": 1.0, "t": 1}
    yield {"squared_norm": 0.0, "f": 0.0, "k": 9.0, "y": 1.0, "lam": 1.0, "t": 1}
    yield {"squared_norm": 4.0, "f": 2.0, "k": 1.0, "y": 1.0, "lam": 0.25, "t": 2}
    yield {"squared_norm": 1.0, "f": 1.0, "k": 1.0, "y": 1.0, "lam": 0.5, "t": 2}
    yield {"squared_norm": 1.0, "f": 0.0, "k": 1.0, "y": -1.0, "lam": 0.5, "t": 2}
    yield {"squared_norm": 0.0, "f": 0.0, "k": 0.0, "y": 1.0, "lam": 0.5, "t": 1}  # w stays 0
    for t, lam in 5 * ((2, 0.25), (3, 0.5), (4, 0.125), (8, 1.0)):
        w, x = rng.normal(size=(2, 2))
        w *= min(1.0, lam**-0.5 / float(np.sqrt(w @ w)))  # it was projected before
        yield {
            "squared_norm": float(w @ w), "f": float(w @ x), "k": float(x @ x),
            "y": float(rng.choice([-1, 1])), "lam": lam, "t": t,
        }  # fmt: skip


def projected(squared_norm: float, f: float, k: float, y: float, lam: float, t: int) -> Any:
    """Return ‖w‖² after a step and its projection, and the factor of the projection."""
    left = 1 - 1 / t
    a = y / (lam * t) if y * f < 1 else 0.0
    new = left**2 * squared_norm + 2 * a * left * f + a**2 * k
    factor = min(1.0, 1 / np.sqrt(lam * new)) if new > 0 else 1.0
    return new * factor**2, factor


def project_with(
    radius: Callable[[float], float] = lambda lam: lam**-0.5,
    *,
    cross: float = 2.0,
    own: bool = True,
    shrink: bool = True,
    shrink_f: bool = True,
    signed: bool = True,
    test: Callable[[float], bool] = lambda z: z < 1,
    clip: bool = True,
    root: bool = True,
    after: bool = True,
    power: int = 2,
    own_power: int = 1,
    finish: Callable[[float, float], float] = lambda new, factor: new * factor**2,
) -> Callable[..., Any]:
    """Return a projection with something else, or something missing."""

    def idea(squared_norm: float, f: float, k: float, y: float, lam: float, t: int) -> Any:
        left = 1 - 1 / t if shrink else 1.0
        a = (y if signed else 1.0) / (lam * t) * test(y * f)
        new = left**power * squared_norm + cross * a * (left if shrink_f else 1.0) * f
        new += a * a * k**own_power if own else 0.0
        if new <= 0:
            return new, 1.0
        ratio = radius(lam) / (new**0.5 if root else new)
        factor = min(1.0, ratio) if clip else ratio
        return finish(new, factor) if after else new, factor

    return idea


kernel_projection = FunctionExercise(
    "kernel_projection",
    "The projection in a feature space nobody can look into. Before step t you know ‖w‖² "
    "(squared_norm), f = f(x_i) of the example drawn, k = K_ii, its label y, lam and t. Take the "
    "step and the projection onto the ball of radius 1/√λ, and return two numbers: ‖w‖² after "
    "both, and the factor min(1, (1/√λ)/‖w‖) by which all signed weights are multiplied.",
    [
        "The step is w ← (1 − 1/t) w + a φ(x_i). What is a, with and without a violation?",
        "‖u + a φ(x_i)‖² = ‖u‖² + 2a u·φ(x_i) + a² K_ii. What is u·φ(x_i), if u = (1 − 1/t) w?",
        "u·φ(x_i) = (1 − 1/t) f. So ‖w‖² becomes (1 − 1/t)² ‖w‖² + 2a (1 − 1/t) f + a² k.",
        "s = 1 - 1 / t; a = y / (lam * t) if y * f < 1 else 0; new = s**2 * squared_norm + "
        "2 * a * s * f + a**2 * k; factor = min(1, 1 / sqrt(lam * new)), or 1 if new is 0; return "
        "new * factor**2, factor",
    ],
    "Computed anew, aᵀKa costs n² a step; kept like this it costs a handful of multiplications.",
    cases=projection_cases,
    solution=projected,
    parts=("squared_norm", "factor"),
    misconceptions=[
        ("no cross term", "(u + v)·(u + v) = u·u + 2 u·v + v·v: the middle one is 2a (1 − 1/t) f.",
         project_with(cross=0.0)),
        ("the cross term once only", "u·v appears twice in (u + v)·(u + v).",
         project_with(cross=1.0)),
        ("the added vector has no length", "a φ(x_i) has the squared length a² K_ii.",
         project_with(own=False)),
        ("w does not shrink", "First w ← (1 − 1/t) w: its squared length shrinks by (1 − 1/t)².",
         project_with(shrink=False)),
        ("the score does not shrink", "f belongs to the old w. After shrinking it is (1 − 1/t) f.",
         project_with(shrink_f=False)),
        ("the label is left out of a", "a = y/(λt): for class −1 the step goes against φ(x_i).",
         project_with(signed=False)),
        ("only mistakes are added", "A margin y f between 0 and 1 is a violation too.",
         project_with(test=lambda z: z <= 0)),
        ("the radius is 1/λ", "The optimum lies in the ball of radius 1/√λ, by strong duality.",
         project_with(lambda lam: 1 / lam)),
        ("the radius is √λ", "A weak regulariser allows a long w: the radius is 1/√λ.",
         project_with(lambda lam: lam**0.5)),
        ("the radius from P(0) = 1 alone",
         "λ/2 ‖w‖² ≤ 1 gives √(2/λ); strong duality gives 1/√λ, which is smaller.",
         project_with(lambda lam: (2 / lam) ** 0.5)),
        ("short vectors are made longer",
         "Inside the ball nothing happens: the factor is at most 1.", project_with(clip=False)),
        ("the squared length instead of the length",
         "The factor is radius/‖w‖, and what you keep is ‖w‖²: take the root.",
         project_with(root=False)),
        ("the length before the projection",
         "Return ‖w‖² as it is after both: times the square of the factor.",
         project_with(after=False)),
        ("the other order", "First ‖w‖², then the factor.",
         lambda *case, **named: project_with()(*case, **named)[::-1]),
        ("the length instead of its square",
         "Kept is ‖w‖², without a root; only the factor needs one.",
         project_with(finish=lambda new, factor: new**0.5 * factor)),
        ("the factor is not squared", "w becomes factor · w, and so ‖w‖² becomes factor² ‖w‖².",
         project_with(finish=lambda new, factor: new * factor)),
        ("shrunk like a length", "w shrinks by 1 − 1/t, so its squared length by (1 − 1/t)².",
         project_with(power=1)),
        ("K_ii is squared", "K_ii = φ(x_i)·φ(x_i) is a squared length already.",
         project_with(own_power=2)),
        ("every example is added", "From a margin of 1 on a is 0: the step only shrinks.",
         project_with(test=lambda z: True)),
    ],
    shapes="All six arguments are single numbers, and so are both answers.",
)  # fmt: skip
