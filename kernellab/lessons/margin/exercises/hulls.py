"""Exercises of notebook 02 on α: by hand for three points, and from the hulls' nearest points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from kernellab.exercises.examples import Rng
from kernellab.exercises.exercise import Case, FunctionExercise, as_numbers, compare
from kernellab.solvers.hard_margin import HardMargin, closest_points, hard_margin
from kernellab.validation import FloatArray

THREE = np.array([[1.0, 2.0], [-1.0, 2.0], [-1.0, -2.0]])
ZERO = 1e-9


def separable_data(n: int, d: int, rng: Rng) -> tuple[FloatArray, FloatArray, HardMargin]:
    """Draw examples that a plane separates, each class twice, and the widest margin."""
    while True:
        X = np.round(rng.normal(0, 2, (n, d)), 1)
        y = np.where(X @ rng.normal(size=d) > rng.normal(), 1.0, -1.0)
        if min(np.sum(y > 0), np.sum(y < 0)) >= 2:
            machine = hard_margin(X, y)
            if machine.half_margin is not None and machine.half_margin > 0.05:
                return X, y, machine


# --- by hand --------------------------------------------------------------------------------------


def three_at(height: float) -> FloatArray:
    """Return the three points, the first of them at some height."""
    return np.vstack([[1.0, height], THREE[1:]])


def three_cases(rng: Rng) -> Iterator[Case]:
    """The labels of the notebook first, then the others; then point 1 is lifted."""
    for height in (2, 3):
        for y in ((-1, -1, 1), (1, -1, -1), (-1, 1, -1), (1, 1, -1), (-1, 1, 1), (1, -1, 1)):
            yield {"height": height, "y": np.array(y, dtype=float)}


def three_alpha(height: float, y: FloatArray) -> FloatArray:
    """Return α of the three points."""
    alpha = hard_margin(three_at(height), y).alpha
    assert alpha is not None  # any labels of three corners can be separated
    return alpha


def judge_three(case: Case, value: Any) -> str | None:
    """Say which condition an α breaks, without giving the right one away."""
    X, y, alpha = three_at(case["height"]), case["y"], as_numbers(value)
    if compare(three_alpha(**case), value) is None:
        return None
    yours = f"yours    {np.round(alpha, 4).tolist() if alpha is not None else value!r}"
    if alpha is None or alpha.shape != (3,) or not np.isfinite(alpha).all():
        return f"expected α of the three points, shape (3,)\n{yours}"
    if alpha.min() < -ZERO:
        return f"{yours}\nα_i ≥ 0 is broken: a fence pushes, and never pulls."
    if abs(alpha @ y) > 1e-6:
        return f"{yours}\nΣ α_i y_i = 0 is broken: it is {alpha @ y:.4g}."
    w = (alpha * y) @ X
    scores = X @ w
    room = scores[y > 0].min() - scores[y < 0].max()  # what b can divide: 2 if all margins are 1
    words = f"Then w = {np.round(w, 4).tolist()}, and with the best b the smallest margin is"
    return f"{yours}\n{words} {room / 2:.4g}; it should be 1."


def free_top(height: float, y: FloatArray, *, labelled: bool = True) -> FloatArray:
    """Return where the gradient vanishes if α may be negative; without labels, K is for Q."""
    K = three_at(height) @ three_at(height).T
    Q = np.outer(y, y) * K if labelled else K
    equations = np.block([[Q, y[:, np.newaxis]], [y, np.zeros(1)]])
    solution: FloatArray = np.linalg.lstsq(equations, np.append(np.ones(3), 0.0))[0]
    return solution[:3]


three_points = FunctionExercise(
    "three_points",
    "The three points (1, height), (−1, 2), (−1, −2), with other labels: given the height, 2 or 3, "
    "and y (3,), both classes present, return α (3,) of the widest margin. Solve them by hand as "
    "in section 3; opposite labels have the same α. What you return may be a table.",
    [
        "Draw them. Which two points, one of each hull, are nearest to each other?",
        "Eliminate one α by Σ α_i y_i = 0, write D of the other two, and set its gradient to zero. "
        "If one comes out negative, it is zero, and there is one unknown less.",
        "Or by hulls: α = s u with the weights u of the two nearest points and s = 2/δ².",
        "Height 2: for (+1, −1, −1) the points 1 and 2 are nearest, δ = 2, s = 1/2, α = (1/2, 1/2, "
        "0). For (−1, +1, −1) the nearest point to the second is 0.8 of the first and 0.2 of the "
        "third. At height 3 they are 20/29 and 9/29.",
    ],
    "Some points push, some only touch, and the lifted one would have to pull: then its α is 0.",
    cases=three_cases,
    solution=three_alpha,
    judge=judge_three,
    misconceptions=[
        ("the labels of the lesson",
         "That is α for (−1, −1, +1), the example of section 3. Other labels, other α.",
         lambda height, y: np.array([0, 1 / 8, 1 / 8])),
        ("hull weights are α",
         "The weights of the nearest points sum to 1 in each class; α is s = 2/δ² times them.",
         lambda height, y: 2 * three_alpha(height, y) / three_alpha(height, y).sum()),
        ("half of it", "The top of 2s − ½ s²δ² is at s = 2/δ², not at 1/δ².",
         lambda height, y: three_alpha(height, y) / 2),
        ("α carries the sign of the label",
         "α_i is a push, and never negative; the sign is in y_i.",
         lambda height, y: y * three_alpha(height, y)),
        ("a fence that pulls",
         "Where the gradient vanishes, an α may be negative. Then set it to 0 and solve again.",
         free_top),
        ("cut off, and not solved again", "With one α set to 0 the others have another top.",
         lambda height, y: np.maximum(0, free_top(height, y))),
        ("Σ α_i y_i = 0 is forgotten",
         "With a bias there is one condition more, from the derivative by b.",
         lambda height, y: np.linalg.lstsq(
             np.outer(y, y) * (three_at(height) @ three_at(height).T), np.ones(3)
         )[0]),
        ("the labels are left out of the Gram matrix",
         "The dual has y_i y_j x_i·x_j, so products between the classes change their sign.",
         lambda height, y: free_top(height, y, labelled=False)),
    ],
)  # fmt: skip


# --- from the hulls -------------------------------------------------------------------------------


def hull_cases(rng: Rng) -> Iterator[Case]:
    """Two numbers first; then data whose nearest points are mixed from several examples."""
    one, two = np.array([[3.0], [-1.0]]), np.array([[1.0, 0.0], [3.0, 0.0]])
    yield {"X": one, "y": np.array([1.0, -1.0]), "u": np.ones(2)}
    yield {"X": two, "y": np.array([1.0, -1.0]), "u": np.ones(2)}
    for n, d in 3 * ((4, 2), (5, 2), (6, 3)):
        X, y, _ = separable_data(n, d, rng)
        yield {"X": X, "y": y, "u": closest_points(X, y).weights}


class Machine(NamedTuple):
    """Prices α (n,), weights w (d,) and the bias b."""

    alpha: FloatArray
    w: FloatArray
    b: Any


def from_nearest(
    scale: Callable[[float], float] = lambda delta: 2 / delta**2, *, along: float = 0.5
) -> Callable[..., Machine]:
    """Return a function for (α, w, b), or for a wrong idea of them; `along` is 0 at q, 1 at p."""

    def idea(X: FloatArray, y: FloatArray, u: FloatArray) -> Machine:
        p, q = u[y > 0] @ X[y > 0], u[y < 0] @ X[y < 0]
        s = scale(float(np.linalg.norm(p - q)))
        w = s * (p - q)
        return Machine(s * u, w, -w @ (along * p + (1 - along) * q))

    return idea


def then(change: Callable[[FloatArray, Machine], Machine]) -> Callable[..., Machine]:
    """Return the right answer with something changed."""
    return lambda X, y, u: change(y, from_nearest()(X, y, u))


from_hulls = FunctionExercise(
    "from_hulls",
    "The nearest points of the two hulls are mixed with weights u (n,), u ≥ 0, Σ u = 1 in each "
    "class. Given X (n, d), y (n,) and u, return (alpha, w, b) of the widest margin, scaled so "
    "that the nearest examples have y f(x) = 1, where f(x) = w·x + b.",
    [
        "p = Σ u_i x_i over label +1, q the same over −1. In which direction does w point?",
        "w = s (p − q). With δ = ‖p − q‖ the half-margin is δ/2, and it is 1/‖w‖. What is s?",
        "1/‖w‖ = 1/(s δ) = δ/2, so s = 2/δ². The line bisects the segment: f((p + q)/2) = 0.",
        "w = 2 (p − q)/δ²; b = −w @ (p + q)/2; alpha = 2 u/δ². Check: Σ α_i y_i x_i = w.",
    ],
    "The dual is geometry: its α are the weights of the shortest bridge between the classes, and "
    "Σ α_i = 4/δ² = 1/(half-margin)².",
    cases=hull_cases,
    solution=from_nearest(),
    parts=Machine._fields,
    misconceptions=[
        ("w has length 1",
         "Then f is a distance, and the nearest examples have y f(x) = δ/2. Here it must be 1.",
         from_nearest(lambda delta: 1 / delta)),
        ("hull weights are α",
         "With w = p − q the nearest examples have y f(x) = δ²/2: scale it by s.",
         from_nearest(lambda delta: 1.0)),
        ("half of it",
         "With s = 1/δ² the nearest examples have y f(x) = ½: 1/‖w‖ must be δ/2, not δ.",
         from_nearest(lambda delta: 1 / delta**2)),
        ("the whole band",
         "With s = 4/δ² the nearest examples have y f(x) = 2: δ/2 must be 1/‖w‖, not 2/‖w‖.",
         from_nearest(lambda delta: 4 / delta**2)),
        ("the sign of b", "f is 0 in the middle of the segment, so b = −w·(p + q)/2.",
         then(lambda y, m: m._replace(b=-m.b))),
        ("the line goes through a nearest point",
         "It bisects the segment: take the middle of p and q.", from_nearest(along=1.0)),
        ("w points to the negative class",
         "f must be positive at label +1: w = s (p − q), with p of label +1.",
         then(lambda y, m: m._replace(w=-m.w, b=-m.b))),
        ("α carries the sign of the label", "α_i ≥ 0; the sign is in y_i.",
         then(lambda y, m: m._replace(alpha=y * m.alpha))),
        ("the class means",
         "The line between the means ignores who is near. Mix the points with the weights u.",
         lambda X, y, u: from_nearest()(
             X, y, 1 / np.where(y > 0, np.sum(y > 0), np.sum(y < 0)),
         )),
    ],
    shapes="u[y > 0] has one weight for each row of X[y > 0]: their product is the point p, (d,).",
)  # fmt: skip
