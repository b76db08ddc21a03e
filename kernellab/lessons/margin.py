"""Exercises of notebook 02: the widest margin, its conditions, its hulls and its promise."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.certificates import functional_margins
from kernellab.hard_margin import HardMargin, closest_points, hard_margin
from kernellab.lessons.choice import ChoiceExercise
from kernellab.lessons.examples import Rng
from kernellab.lessons.exercise import (
    Case,
    FunctionExercise,
    Misconception,
    as_numbers,
    compare,
    compare_parts,
)
from kernellab.validation import FloatArray

__all__ = [
    "as_quadratic_program",
    "from_hulls",
    "half_margin",
    "kkt_violations",
    "leave_one_out",
    "smaller_cost",
    "three_points",
]

THREE = np.array([[1.0, 2.0], [-1.0, 2.0], [-1.0, -2.0]])
ZERO = 1e-9


def some_data(n: int, d: int, rng: Rng) -> tuple[FloatArray, FloatArray]:
    """Draw examples of small whole numbers, and labels with both classes."""
    y = rng.permutation(np.append([-1.0, 1.0], rng.choice([-1.0, 1.0], n - 2)))
    return rng.integers(-3, 4, (n, d)).astype(float), y


def separable_data(n: int, d: int, rng: Rng) -> tuple[FloatArray, FloatArray, HardMargin]:
    """Draw examples that a plane separates, each class twice, and the widest margin."""
    while True:
        X = np.round(rng.normal(0, 2, (n, d)), 1)
        y = np.where(X @ rng.normal(size=d) > rng.normal(), 1.0, -1.0)
        if min(np.sum(y > 0), np.sum(y < 0)) >= 2:
            machine = hard_margin(X, y)
            if machine.half_margin is not None and machine.half_margin > 0.05:
                return X, y, machine


# --- the half-margin ------------------------------------------------------------------------------


def margin_cases(rng: Rng) -> Iterator[Case]:
    """One example first; right ones and wrong ones, and thresholds that matter."""
    yield {"w": np.array([3.0, 4.0]), "t": 5.0, "X": np.array([[3.0, 4.0]]), "y": np.array([1.0])}
    yield {"w": np.array([3.0, 4.0]), "t": 5.0, "X": np.array([[3.0, 4.0]]), "y": np.array([-1.0])}
    for n, d in 3 * ((2, 1), (2, 2), (3, 2), (4, 2), (5, 3)):
        X, y = some_data(n, d, rng)
        w = rng.integers(1, 4, d) * rng.choice([-1.0, 1.0], d)
        yield {"w": w, "t": float(rng.integers(1, 4) * rng.choice([-1, 1])), "X": X, "y": y}


def nearest(w: FloatArray, t: float, X: FloatArray, y: FloatArray) -> Any:
    """Return the smallest functional margin."""
    return functional_margins(X @ w - t, y).min()


def length(w: FloatArray) -> Any:
    """Return ‖w‖."""
    return np.linalg.norm(w)


half_margin = FunctionExercise(
    "half_margin",
    "A warm-up in two lines. Given weights w (d,), a threshold t, examples X (n, d) and labels y "
    "(n,), with f(x) = w·x − t, return the half-margin: the distance from the line to the nearest "
    "example, negative if an example is on the wrong side.",
    [
        "How far is a point x from the line w·x = t, with the sign of f(x)?",
        "f(x)/‖w‖. And which sign says that the example is on its right side?",
        "y_i f(x_i)/‖w‖, and of these the smallest.",
        "np.min(y * (X @ w - t)) / np.linalg.norm(w)",
    ],
    "Double w and t and the functional margin doubles, but this stays: it is what can be widened.",
    cases=margin_cases,
    solution=lambda w, t, X, y: nearest(w, t, X, y) / length(w),
    misconceptions=[
        Misconception(
            "the functional margin",
            "y_i f(x_i) grows with w, the distance does not: divide by ‖w‖.",
            nearest,
        ),
        Misconception(
            "‖w‖² is the length",
            "The distance is f(x)/‖w‖; ‖w‖² is the square of the length.",
            lambda w, t, X, y: nearest(w, t, X, y) / length(w) ** 2,
        ),
        Misconception(
            "the sum of |w| is the length",
            "Distances here are Euclidean: the square root of the sum of squares.",
            lambda w, t, X, y: nearest(w, t, X, y) / np.abs(w).sum(),
        ),
        Misconception(
            "the threshold belongs to the length",
            "t moves the line and does not turn it: only w is perpendicular to it.",
            lambda w, t, X, y: nearest(w, t, X, y) / length(np.append(w, t)),
        ),
        Misconception(
            "t is the bias",
            "f(x) = w·x − t: the bias is b = −t.",
            lambda w, t, X, y: nearest(w, -t, X, y) / length(w),
        ),
        Misconception(
            "the threshold is left out",
            "The line is w·x = t, and it need not go through the origin.",
            lambda w, t, X, y: nearest(w, 0.0, X, y) / length(w),
        ),
        Misconception(
            "every example is on its right side",
            "Without the label a mistake looks like a wide margin: y_i f(x_i), not |f(x_i)|.",
            lambda w, t, X, y: np.abs(X @ w - t).min() / length(w),
        ),
        Misconception(
            "the label is left out",
            "Multiply by y_i: for label −1 a negative score is right.",
            lambda w, t, X, y: (X @ w - t).min() / length(w),
        ),
        Misconception(
            "2/‖w‖ is the distance",
            "That is the width of the band, and only where the smallest y_i f(x_i) is 1.",
            lambda w, t, X, y: 2 / length(w),
        ),
        Misconception(
            "1/‖w‖ whatever w is",
            "That holds if w is scaled so that the smallest y_i f(x_i) is 1. Here w is anything.",
            lambda w, t, X, y: 1 / length(w),
        ),
        Misconception(
            "the average distance",
            "The margin is decided by the nearest example alone.",
            lambda w, t, X, y: np.mean(y * (X @ w - t)) / length(w),
        ),
        Misconception(
            "the farthest example",
            "The margin is the smallest of the distances.",
            lambda w, t, X, y: np.max(y * (X @ w - t)) / length(w),
        ),
    ],
    shapes="X is (n, d) and w is (d,): which order of the product gives one score an example?",
)


# --- by hand --------------------------------------------------------------------------------------


def three_cases(rng: Rng) -> Iterator[Case]:
    """The labels of the notebook first, then the two others, then their opposites."""
    for y in ((-1, -1, 1), (1, -1, -1), (-1, 1, -1), (1, 1, -1), (-1, 1, 1), (1, -1, 1)):
        yield {"y": np.array(y, dtype=float)}


def three_alpha(y: FloatArray) -> FloatArray:
    """Return α of the three points."""
    alpha = hard_margin(THREE, y).alpha
    assert alpha is not None  # any labels of three corners can be separated
    return alpha


def judge_three(case: Case, value: Any) -> str | None:
    """Say which condition an α breaks, without giving the right one away."""
    y, alpha = case["y"], as_numbers(value)
    if compare(three_alpha(y), value) is None:
        return None
    yours = f"yours    {np.round(alpha, 4).tolist() if alpha is not None else value!r}"
    if alpha is None or alpha.shape != (3,) or not np.isfinite(alpha).all():
        return f"expected α of the three points, shape (3,)\n{yours}"
    if alpha.min() < -ZERO:
        return f"{yours}\nα_i ≥ 0 is broken: prices are not negative."
    if abs(alpha @ y) > 1e-6:
        return f"{yours}\nΣ α_i y_i = 0 is broken: it is {alpha @ y:.4g}."
    w = (alpha * y) @ THREE
    scores = THREE @ w
    room = scores[y > 0].min() - scores[y < 0].max()  # what t can divide: 2 if all margins are 1
    words = f"Then w = {np.round(w, 4).tolist()}, and with the best t the smallest margin is"
    return f"{yours}\n{words} {room / 2:.4g}; it should be 1."


three_points = FunctionExercise(
    "three_points",
    "The three points (1, 2), (−1, 2), (−1, −2), with other labels: given y (3,), both classes "
    "present, return α (3,) of the widest margin. Solve (+1, −1, −1) and (−1, +1, −1) by hand as "
    "in section 4; opposite labels have the same α. What you return may be a table.",
    [
        "Draw them. Which two points, one of each hull, are nearest to each other?",
        "Eliminate one α by Σ α_i y_i = 0, write D of the other two, and set its gradient to zero. "
        "If one comes out negative, it is zero, and there is one unknown less.",
        "Or by hulls: α = s u with the weights u of the two nearest points and s = 2/δ².",
        "For (+1, −1, −1) the points 1 and 2 are nearest, δ = 2, s = 1/2, α = (1/2, 1/2, 0). For "
        "(−1, +1, −1) the nearest point to the second is 0.8 of the first and 0.2 of the third.",
    ],
    "Three labellings, three kinds: a price of zero on the margin twice, and once all three pay.",
    cases=three_cases,
    solution=three_alpha,
    judge=judge_three,
    misconceptions=[
        Misconception(
            "the labels of the lesson",
            "That is α for (−1, −1, +1), the example of section 4. Other labels, other prices.",
            lambda y: np.array([0, 1 / 8, 1 / 8]),
        ),
        Misconception(
            "hull weights are α",
            "The weights of the nearest points sum to 1 in each class; α is s = 2/δ² times them.",
            lambda y: 2 * three_alpha(y) / three_alpha(y).sum(),
        ),
        Misconception(
            "half of it",
            "The top of 2s − ½ s²δ² is at s = 2/δ², not at 1/δ².",
            lambda y: three_alpha(y) / 2,
        ),
        Misconception(
            "α carries the sign of the label",
            "α_i is a price, and never negative; the sign is in y_i.",
            lambda y: y * three_alpha(y),
        ),
        Misconception(
            "Σ α_i y_i = 0 is forgotten",
            "With a threshold there is one condition more, from the derivative by t.",
            lambda y: np.linalg.lstsq(np.outer(y, y) * (THREE @ THREE.T), np.ones(3))[0],
        ),
        Misconception(
            "the labels are left out of the Gram matrix",
            "The dual has y_i y_j x_i·x_j, so products between the classes change their sign.",
            lambda y: unlabelled(y),
        ),
    ],
)


def unlabelled(y: FloatArray) -> FloatArray:
    """Return where the gradient vanishes if K stands in place of Q."""
    equations = np.block([[THREE @ THREE.T, y[:, np.newaxis]], [y, np.zeros(1)]])
    solution: FloatArray = np.linalg.lstsq(equations, np.append(np.ones(3), 0.0))[0]
    return solution[:3]


# --- the conditions -------------------------------------------------------------------------------


def kkt_cases(rng: Rng) -> Iterator[Case]:
    """The solution of the notebook first, then it spoilt in one place, then anything."""
    solved = {"w": np.array([0.0, -0.5]), "t": 0.0, "alpha": np.array([0, 1 / 8, 1 / 8])}
    data = {"X": THREE, "y": np.array([-1.0, -1.0, 1.0])}
    yield {**solved, **data}
    yield {**solved, "t": 1.0, **data}
    yield {**solved, "w": np.array([0.0, -1.0]), **data}
    yield {**solved, "alpha": np.array([1 / 8, 0, 1 / 8]), **data}
    yield {**solved, "alpha": np.array([0, 0, 1 / 8]), **data}
    # Nothing is wrong but Σ α_i y_i = 1: the origin has a price that w does not show.
    yield {
        "w": np.array([-2.0, 0.0]), "t": -1.0, "alpha": np.array([2.0, 1.0]),
        "X": np.array([[0.0, 0.0], [2.0, 0.0]]), "y": np.array([1.0, -1.0]),
    }  # fmt: skip
    yield {**solved, "alpha": np.array([-1 / 4, 1 / 8, -1 / 8]), **data}
    for n, d in 3 * ((2, 1), (2, 2), (3, 2), (4, 3), (5, 2)):
        X, y = some_data(n, d, rng)
        w, alpha = rng.integers(-2, 3, d).astype(float), rng.integers(-1, 3, n).astype(float)
        yield {"w": w, "t": float(rng.integers(-2, 3)), "alpha": alpha, "X": X, "y": y}


def violations(
    *,
    sign_of_t: float = -1.0,
    primal: Callable[[Any], Any] = lambda z: np.maximum(0, 1 - z),
    dual: Callable[[Any], Any] = lambda alpha: np.maximum(0, -alpha),
    magnitude: Callable[[Any], Any] = np.abs,
    balance: bool = True,
    labels_in_w: bool = True,
    product: Callable[[Any, Any], Any] = lambda alpha, z: alpha * (z - 1),
    worst: Callable[[Any], Any] = np.max,
    labels_in_margin: bool = True,
) -> Callable[..., FloatArray]:
    """Return a function for the four violations, or for a wrong idea of them."""

    def idea(w: FloatArray, t: float, alpha: FloatArray, X: FloatArray, y: FloatArray) -> Any:
        z = (y if labels_in_margin else 1.0) * (X @ w + sign_of_t * t)
        rest = w - (alpha * (y if labels_in_w else 1.0)) @ X
        rest = np.append(rest, alpha @ y) if balance else rest
        parts = primal(z), dual(alpha), magnitude(rest), magnitude(product(alpha, z))
        return np.array([worst(part) for part in parts])

    return idea


kkt_violations = FunctionExercise(
    "kkt_violations",
    "Given w (d,), t, alpha (n,), X (n, d) and y (n,), return four numbers, the largest violation "
    "of each KKT condition of the hard margin: primal max(0, 1 − y_i f(x_i)), dual max(0, −α_i), "
    "stationary |w − Σ α_i y_i x_i| (each entry) and |Σ α_i y_i|, complementary "
    "|α_i (y_i f(x_i) − 1)|.",
    [
        "First the margins z_i = y_i (w·x_i − t), one an example. Which two conditions need them?",
        "A condition that is met with room to spare is violated by 0, not by a negative number.",
        "Stationary has d + 1 numbers: the entries of w − Σ α_i y_i x_i, and Σ α_i y_i.",
        "np.max(np.maximum(0, 1 - z)), np.max(np.maximum(0, -alpha)), np.max(np.abs(np.append(w - "
        "(alpha * y) @ X, alpha @ y))), np.max(np.abs(alpha * (z - 1))).",
    ],
    "Four zeros are a proof, whoever found w and α. Small ones need care: they have units, and the "
    "gap of section 3 says how far from the optimum you are.",
    cases=kkt_cases,
    solution=violations(),
    misconceptions=[
        Misconception(
            "room to spare is a negative violation",
            "A constraint that is more than met is violated by 0: take max(0, …).",
            violations(primal=lambda z: 1 - z, dual=lambda alpha: -alpha),
        ),
        Misconception(
            "room to spare is a negative violation",
            "1 − y_i f(x_i) is below 0 beyond the margin, and that is no violation: max(0, …).",
            violations(primal=lambda z: 1 - z),
        ),
        Misconception(
            "room to spare is a negative violation",
            "−α_i is below 0 where α_i > 0, and that is no violation: max(0, …).",
            violations(dual=lambda alpha: -alpha),
        ),
        Misconception(
            "Σ α_i y_i = 0 is forgotten",
            "L has two unknowns, w and t, and so two derivatives: the one by t is Σ α_i y_i.",
            violations(balance=False),
        ),
        Misconception(
            "the labels are left out of w",
            "w = Σ α_i y_i x_i: α says how much, y in which direction.",
            violations(labels_in_w=False),
        ),
        Misconception(
            "the labels are left out of the margin",
            "The margin of example i is y_i f(x_i).",
            violations(labels_in_margin=False),
        ),
        Misconception(
            "t is the bias",
            "f(x) = w·x − t: the bias is b = −t.",
            violations(sign_of_t=1.0),
        ),
        Misconception(
            "only violated margins need complementing",
            "α_i > 0 beyond the margin breaks it too: the product is with y_i f(x_i) − 1 itself.",
            violations(product=lambda alpha, z: alpha * np.maximum(0, 1 - z)),
        ),
        Misconception(
            "every example is on the margin",
            "Only those with a price must be: multiply by α_i.",
            violations(product=lambda alpha, z: z - 1),
        ),
        Misconception(
            "the sum of the violations",
            "The largest is asked for; a sum grows with the number of examples.",
            violations(worst=np.sum),
        ),
        Misconception(
            "the average violation",
            "One example that breaks a condition spoils the proof: the largest is asked for.",
            violations(worst=np.mean),
        ),
        Misconception(
            "an equation can only be missed upwards",
            "Too small is as wrong as too large: take the absolute value.",
            violations(magnitude=lambda value: value),
        ),
    ],
    shapes="X is (n, d), w is (d,), alpha and y are (n,): X @ w is (n,), (alpha * y) @ X is (d,).",
)


# --- as a quadratic program -----------------------------------------------------------------------


def program_cases(rng: Rng) -> Iterator[Case]:
    """Two numbers first; then more, in one dimension to three."""
    yield {"X": np.array([[2.0], [-1.0]]), "y": np.array([1.0, -1.0])}
    for n, d in 2 * ((2, 1), (2, 2), (3, 2), (4, 3), (5, 2)):
        X, y = some_data(n, d, rng)
        yield {"X": X, "y": y}


Program = tuple[FloatArray, FloatArray, FloatArray, FloatArray]


def program(X: FloatArray, y: FloatArray) -> Program:
    """Return P, q, G, h of: minimise ½ zᵀPz + qᵀz subject to Gz ≥ h, z = (w, t)."""
    n, d = X.shape
    G = y[:, np.newaxis] * np.column_stack([X, -np.ones(n)])
    return np.diag(np.append(np.ones(d), 0.0)), np.zeros(d + 1), G, np.ones(n)


def judge_program(case: Case, value: Any) -> str | None:
    """Accept any positive multiple of the objective and of each constraint: the same program."""
    expected, given = program(**case), value
    try:
        P, q, G, h = (as_numbers(part) for part in value)
    except (TypeError, ValueError):
        return compare_parts(expected, value, ("P", "q", "G", "h"))
    if P is not None and q is not None and P.shape == expected[0].shape and P[0, 0] > 0:
        given = (P / P[0, 0], q / P[0, 0], G, h)
    if G is not None and h is not None and len(G) == h.size > 0 and (h > 0).all():
        given = (given[0], given[1], (G.T / h.ravel()).T, h / h)
    return compare_parts(expected, given, ("P", "q", "G", "h"))


def changed(change: Callable[[FloatArray, FloatArray, Program], Program]) -> Callable[..., Program]:
    """Return the program with something changed."""
    return lambda X, y: change(X, y, program(X, y))


as_quadratic_program = FunctionExercise(
    "as_quadratic_program",
    "State the hard margin for any solver of quadratic programs: minimise ½ zᵀPz + qᵀz subject to "
    "Gz ≥ h, where z = (w, t). Given X (n, d) and y (n,), return (P, q, G, h) of shapes "
    "(d+1, d+1), (d+1,), (n, d+1) and (n,): one constraint an example, in their order.",
    [
        "Write y_i (w·x_i − t) ≥ 1 as a row times z. What stands in the column of t?",
        "Row i of G is (y_i x_i, −y_i), and h_i = 1.",
        "½ zᵀPz must be ½‖w‖². Which entry of the diagonal of P is therefore 0?",
        "P = diag(1, …, 1, 0); q = 0; G = y[:, None] * np.column_stack([X, -np.ones(n)]); h = 1.",
    ],
    "Any solver will now do. P is singular, because t costs nothing: solvers that want a positive "
    "definite P complain, and penalising t to please them solves another problem.",
    cases=program_cases,
    solution=program,
    judge=judge_program,
    parts=("P", "q", "G", "h"),
    misconceptions=[
        Misconception(
            "t is penalised",
            "The objective is ½‖w‖² alone: moving the line away from the origin costs nothing.",
            changed(lambda X, y, p: (np.eye(len(p[0])), *p[1:])),
        ),
        Misconception(
            "the sign of t",
            "f(x) = w·x − t, so in the row of example i the entry of t is −y_i.",
            changed(lambda X, y, p: (p[0], p[1], p[2] * np.append(np.ones(X.shape[1]), -1), p[3])),
        ),
        Misconception(
            "the label multiplies w only",
            "y_i multiplies all of f(x_i), the threshold too.",
            changed(
                lambda X, y, p: (
                    p[0], p[1], np.column_stack([y[:, np.newaxis] * X, -np.ones(len(y))]), p[3],
                )
            ),
        ),
        Misconception(
            "the labels are left out",
            "Without y_i every example would have to score 1 or more.",
            changed(lambda X, y, p: (p[0], p[1], y[:, np.newaxis] * p[2], p[3])),
        ),
        Misconception(
            "the labels on the right",
            "w·x_i − t ≥ y_i asks the negative examples for no more than −1: move y_i to the left.",
            changed(lambda X, y, p: (p[0], p[1], y[:, np.newaxis] * p[2], y)),
        ),
        Misconception(
            "the inequality is upside down",
            "That is for solvers that want Gz ≤ h. Here it is Gz ≥ h: turn both signs.",
            changed(lambda X, y, p: (p[0], p[1], -p[2], -p[3])),
        ),
        Misconception(
            "right is enough",
            "With h = 0 the solution is w = 0, which separates nothing: the margin asked for is 1.",
            changed(lambda X, y, p: (p[0], p[1], p[2], 0 * p[3])),
        ),
        Misconception(
            "the threshold is left out",
            "z = (w, t) has d + 1 entries: the line need not go through the origin.",
            changed(lambda X, y, p: (p[0][:-1, :-1], p[1][:-1], p[2][:, :-1], p[3])),
        ),
        Misconception(
            "t comes first",
            "z = (w, t): the column of t is the last one.",
            changed(
                lambda X, y, p: (
                    np.roll(p[0], 1, (0, 1)), p[1], np.roll(p[2], 1, axis=1), p[3],
                )
            ),
        ),
        Misconception(
            "the dual",
            "These are the matrices of the dual, with n unknowns α. Here z = (w, t) is asked for.",
            lambda X, y: (
                np.outer(y, y) * (X @ X.T), -np.ones(len(y)), np.eye(len(y)), np.zeros(len(y)),
            ),
        ),
    ],
    shapes="G has one row an example and one column for each entry of z = (w, t): (n, d + 1).",
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


Machine = tuple[FloatArray, FloatArray, Any]
Scale = Callable[[float], float]


def from_nearest(
    scale: Scale = lambda delta: 2 / delta**2, *, along: float = 0.5, means: bool = False
) -> Callable[..., Machine]:
    """Return a function for (α, w, t), or for a wrong idea of them; `along` is 0 at q, 1 at p."""

    def idea(X: FloatArray, y: FloatArray, u: FloatArray) -> Machine:
        weight = 1.0 / np.where(y > 0, np.sum(y > 0), np.sum(y < 0)) if means else u
        p, q = (weight[y > 0] @ X[y > 0]), (weight[y < 0] @ X[y < 0])
        s = scale(float(np.linalg.norm(p - q)))
        w = s * (p - q)
        return s * weight, w, w @ (along * p + (1 - along) * q)

    return idea


def then(change: Callable[[FloatArray, Machine], Machine]) -> Callable[..., Machine]:
    """Return the right answer with something changed."""
    return lambda X, y, u: change(y, from_nearest()(X, y, u))


def averaged_twice(X: FloatArray, y: FloatArray, u: FloatArray) -> Machine:
    """Return (α, w, t) from points that are divided by the size of their class once more."""
    p, q = (u[y > 0] @ X[y > 0]) / np.sum(y > 0), (u[y < 0] @ X[y < 0]) / np.sum(y < 0)
    s = 2 / np.sum((p - q) ** 2)
    return s * u, s * (p - q), s * (p - q) @ (p + q) / 2


from_hulls = FunctionExercise(
    "from_hulls",
    "The nearest points of the two hulls are mixed with weights u (n,), u ≥ 0, Σ u = 1 in each "
    "class. Given X (n, d), y (n,) and u, return (alpha, w, t) of the widest margin, scaled so "
    "that the nearest examples have y f(x) = 1, where f(x) = w·x − t.",
    [
        "p = Σ u_i x_i over label +1, q the same over −1. In which direction does w point?",
        "w = s (p − q). With δ = ‖p − q‖ the half-margin is δ/2, and it is 1/‖w‖. What is s?",
        "1/‖w‖ = 1/(s δ) = δ/2, so s = 2/δ². The line bisects the segment: f((p + q)/2) = 0.",
        "w = 2 (p − q)/δ²; t = w @ (p + q)/2; alpha = 2 u/δ². Check: Σ α_i y_i x_i = w.",
    ],
    "The dual is geometry: its α are the weights of the shortest bridge between the classes, and "
    "Σ α_i = 4/δ² = 1/(half-margin)².",
    cases=hull_cases,
    solution=from_nearest(),
    parts=("alpha", "w", "t"),
    misconceptions=[
        Misconception(
            "w has length 1",
            "Then f is a distance, and the nearest examples have y f(x) = δ/2. Here it must be 1.",
            from_nearest(lambda delta: 1 / delta),
        ),
        Misconception(
            "hull weights are α",
            "With w = p − q the nearest examples have y f(x) = δ²/2: scale it by s.",
            from_nearest(lambda delta: 1.0),
        ),
        Misconception(
            "half of it",
            "With s = 1/δ² the nearest examples have y f(x) = ½: 1/‖w‖ must be δ/2, not δ.",
            from_nearest(lambda delta: 1 / delta**2),
        ),
        Misconception(
            "divided by δ once",
            "1/‖w‖ = 1/(s δ) must be δ/2, so δ appears squared.",
            from_nearest(lambda delta: 2 / delta),
        ),
        Misconception(
            "b for t",
            "f(x) = w·x − t: at the middle of the segment w·x = t, so t has no minus.",
            then(lambda y, m: (m[0], m[1], -m[2])),
        ),
        Misconception(
            "the line goes through a nearest point",
            "It bisects the segment: take the middle of p and q.",
            from_nearest(along=1.0),
        ),
        Misconception(
            "the line goes through a nearest point",
            "It bisects the segment: take the middle of p and q.",
            from_nearest(along=0.0),
        ),
        Misconception(
            "w points to the negative class",
            "f must be positive at label +1: w = s (p − q), with p of label +1.",
            then(lambda y, m: (m[0], -m[1], -m[2])),
        ),
        Misconception(
            "α carries the sign of the label",
            "α_i ≥ 0; the sign is in y_i.",
            then(lambda y, m: (y * m[0], m[1], m[2])),
        ),
        Misconception(
            "a mean of weighted examples",
            "The weights of a class sum to 1 already: p = Σ u_i x_i, a sum.",
            averaged_twice,
        ),
        Misconception(
            "t is a point",
            "The middle (p + q)/2 is a point of the line; t = w·(p + q)/2 is a number.",
            lambda X, y, u: (*from_nearest()(X, y, u)[:2], np.abs(u) @ X / 2),
        ),
        Misconception(
            "the class means",
            "The line between the means ignores who is near. Mix the points with the weights u.",
            from_nearest(means=True),
        ),
    ],
    shapes="u[y > 0] has one weight for each row of X[y > 0]: their product is the point p, (d,).",
)


# --- a choice -------------------------------------------------------------------------------------

smaller_cost = ChoiceExercise(
    "smaller_cost",
    "A soft margin, and C falls. What is forced, and why? "
    "(a) The number of support vectors does not fall. (b) The total slack Σ ξ_i does not fall. "
    "(c) The number of training mistakes does not fall. (d) The half-margin 1/‖w‖ does not grow.\n"
    "Because: (1) A wider band holds more points, and each of them is a support vector. "
    "(2) Each of two solutions is no worse than the other at its own C; add both inequalities. "
    "(3) More regularisation always means a worse fit of each training example. "
    "(4) The lid α_i ≤ C is lower, so fewer examples reach it.",
    [
        "Section 8 has five numbers on a line. Which of the four do they refute?",
        "Σ ξ_i is what C is the price of. If the price falls, can one buy less?",
        "Let w, ξ be best for C and w', ξ' for C' < C: two inequalities. What is their sum?",
        "(C − C')(Σ ξ − Σ ξ') ≤ 0. That is a letter, and the way there is a number.",
    ],
    "The argument needs no picture of the band, only that each is best at its own price; so it "
    "holds for every loss and every kernel. Counts are not sums, and promise nothing.",
    choices={
        "a": "the number of support vectors does not fall",
        "b": "the total slack does not fall",
        "c": "the number of training mistakes does not fall",
        "d": "the half-margin does not grow",
    },
    reasons={
        "1": "a wider band holds more points, each a support vector",
        "2": "each of two solutions is no worse than the other at its own C",
        "3": "more regularisation means a worse fit of each training example",
        "4": "the lid is lower, so fewer examples reach it",
    },
    answer=("b", "2"),
    refuted={
        "a": (
            "more margin errors, more support vectors",
            "Usually, but five numbers of section 8 have 5 support vectors at C = 7.5 and 4 at "
            "C = 3.16: who held the curve back is not needed once the others have given up.",
        ),
        "c": (
            "a sum is a count",
            "The sum of the slacks does not fall. Their number above 1 may: one large slack can "
            "replace two that are a little above 1.",
        ),
        "d": (
            "a smaller C, a narrower band",
            "The other way round: slack is cheaper, so ‖w‖ falls or stays, and 1/‖w‖ never falls.",
        ),
    },
    not_because={
        "1": "A wider band usually holds more, but points also leave it, as the line turns.",
        "3": "Some examples may fit better than before; it is their sum that cannot.",
        "4": "The lid is lower, so it is easier to reach: usually more examples do.",
    },
)


# --- leave one out --------------------------------------------------------------------------------


def left_out_cases(rng: Rng) -> Iterator[Case]:
    """Four numbers first, two of which hold the line; then separable data, errors and none."""
    X = np.array([[-3.0], [-1.0], [1.0], [2.0]])
    yield {"X": X, "y": np.array([-1.0, -1.0, 1.0, 1.0])}
    yield {"X": np.array([[-9.0], [-1.0], [1.0], [9.0]]), "y": np.array([-1.0, -1.0, 1.0, 1.0])}
    found: list[Case] = []
    for n, d in itertools.cycle(((4, 1), (5, 2), (6, 2), (7, 2))):
        X, y, machine = separable_data(n, d, rng)
        alpha = machine.alpha
        assert alpha is not None
        scores = [score_without(X, y, i) for i in range(n)]
        clear = np.abs(scores).min() > 0.05 and not ((alpha > 1e-12) & (alpha < 1e-4)).any()
        # Half of them with an error, or to leave nothing out would look right.
        wrong = min(y * scores) < 0
        if clear and sum(wrong == case["wrong"] for case in found) < 3:
            found.append({"X": X, "y": y, "wrong": wrong})
        if len(found) == 6:
            break
    for case in sorted(found, key=lambda case: len(case["y"])):
        yield {"X": case["X"], "y": case["y"]}


def score_without(X: FloatArray, y: FloatArray, i: int, sign_of_b: float = 1.0) -> float:
    """Return the score of example i by a machine that has not seen it."""
    kept = np.arange(len(y)) != i
    machine = hard_margin(X[kept], y[kept])
    assert machine.w is not None and machine.b is not None  # a part of separable data
    return float(X[i] @ machine.w + sign_of_b * machine.b)


def errors_left_out(X: FloatArray, y: FloatArray, sign_of_b: float = 1.0) -> Any:
    """Return True for each example that is wrong when it is left out."""
    return np.array([y[i] * score_without(X, y, i, sign_of_b) <= 0 for i in range(len(y))])


def supports(X: FloatArray, y: FloatArray) -> Any:
    """Return True for each support vector."""
    alpha = hard_margin(X, y).alpha
    assert alpha is not None
    return alpha > ZERO


leave_one_out = FunctionExercise(
    "leave_one_out",
    "A small project. Given separable X (n, d) and y (n,), return (error, bound): error is the "
    "leave-one-out error, the fraction of examples that a hard margin trained on all the others "
    "gets wrong; bound is #SV/n of the machine trained on all. Use hard_margin, which returns w, b "
    "and alpha.",
    [
        "X without row i, y without entry i: np.delete(X, i, axis=0). Who is tested then?",
        "Train n machines, one without each example; test each on the example it has not seen.",
        "A score of zero is no prediction: y_i f(x_i) ≤ 0 is an error. α_i > 1e-9 is a support "
        "vector.",
        "machine = hard_margin(np.delete(X, i, axis=0), np.delete(y, i)); wrong if y[i] * (X[i] @ "
        "machine.w + machine.b) <= 0. bound: np.mean(hard_margin(X, y).alpha > 1e-9).",
    ],
    "error ≤ bound, always: without a non-support vector nothing changes, so only support vectors "
    "can be missed. An estimate of the test error, from one machine.",
    cases=left_out_cases,
    solution=lambda X, y: (errors_left_out(X, y).mean(), supports(X, y).mean()),
    parts=("error", "bound"),
    misconceptions=[
        Misconception(
            "nobody is left out",
            "That is the training error, always 0 for a hard margin: train without example i.",
            lambda X, y: (0.0, supports(X, y).mean()),
        ),
        Misconception(
            "b for t",
            "hard_margin returns the bias b = −t: f(x) = w·x + b.",
            lambda X, y: (errors_left_out(X, y, -1.0).mean(), supports(X, y).mean()),
        ),
        Misconception(
            "a number instead of a fraction",
            "Divide both by n.",
            lambda X, y: (errors_left_out(X, y).sum(), supports(X, y).sum()),
        ),
        Misconception(
            "accuracy instead of error",
            "The error is the fraction that is wrong.",
            lambda X, y: (1 - errors_left_out(X, y).mean(), supports(X, y).mean()),
        ),
        Misconception(
            "mean(sign(y f)) is a rate",
            "The mean of ±1 is accuracy minus error. Count y f(x) ≤ 0 instead.",
            lambda X, y: (1 - 2 * errors_left_out(X, y).mean(), supports(X, y).mean()),
        ),
        Misconception(
            "only support vectors are counted",
            "Only they can be wrong, but the error is a fraction of all n examples.",
            lambda X, y: (
                errors_left_out(X, y).sum() / supports(X, y).sum(), supports(X, y).mean(),
            ),
        ),
        Misconception(
            "the others are the bound",
            "The bound counts support vectors, not those that could be left out.",
            lambda X, y: (errors_left_out(X, y).mean(), 1 - supports(X, y).mean()),
        ),
        Misconception(
            "divided by n − 1",
            "Each machine is trained on n − 1 examples, but n of them are tested.",
            lambda X, y: (
                errors_left_out(X, y).sum() / (len(y) - 1), supports(X, y).sum() / (len(y) - 1),
            ),
        ),
        Misconception(
            "every example is a support vector",
            "alpha has an entry for each example, most of them 0: count those above 1e-9.",
            lambda X, y: (errors_left_out(X, y).mean(), 1.0),
        ),
    ],
    shapes="X[i] is (d,) and w is (d,): their product is a number. np.delete needs axis=0 for X.",
)  # fmt: skip

EXERCISES = (
    half_margin,
    three_points,
    kkt_violations,
    as_quadratic_program,
    from_hulls,
    smaller_cost,
    leave_one_out,
)
