"""Exercises of notebook 02: the widest margin as a quadratic program, and its conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from kernellab.exercises.examples import Rng, some_labels, some_vectors
from kernellab.exercises.exercise import Case, FunctionExercise, as_numbers, compare_parts
from kernellab.lessons.margin.exercises.hulls import THREE
from kernellab.validation import FloatArray

# --- as a quadratic program -----------------------------------------------------------------------


def program_cases(rng: Rng) -> Iterator[Case]:
    """Two numbers first; then more, in one dimension to three."""
    yield {"X": np.array([[2.0], [-1.0]]), "y": np.array([1.0, -1.0])}
    for n, d in 2 * ((2, 1), (2, 2), (3, 2), (4, 3), (5, 2)):
        y, X = some_labels(n, rng), some_vectors(n, d, rng)
        yield {"X": X, "y": y}


class Program(NamedTuple):
    """Minimise ½ zᵀPz + qᵀz subject to Gz ≥ h."""

    P: FloatArray
    q: FloatArray
    G: FloatArray
    h: FloatArray


def program(X: FloatArray, y: FloatArray) -> Program:
    """Return the program of the hard margin, with z = (w, b)."""
    n, d = X.shape
    G = y[:, np.newaxis] * np.column_stack([X, np.ones(n)])
    return Program(np.diag(np.append(np.ones(d), 0.0)), np.zeros(d + 1), G, np.ones(n))


def judge_program(case: Case, value: Any) -> str | None:
    """Accept any positive multiple of each constraint: it is the same constraint."""
    expected, given = program(**case), value
    try:
        P, q, G, h = (as_numbers(part) for part in value)
    except (TypeError, ValueError):
        return compare_parts(expected, value, Program._fields)
    if G is not None and h is not None and len(G) == h.size > 0 and (h > 0).all():
        given = (P, q, (G.T / h.ravel()).T, h / h)
    return compare_parts(expected, given, Program._fields)


def changed(change: Callable[[FloatArray, FloatArray, Program], Program]) -> Callable[..., Program]:
    """Return the program with something changed."""
    return lambda X, y: change(X, y, program(X, y))


as_quadratic_program = FunctionExercise(
    "as_quadratic_program",
    "State the hard margin for any solver of quadratic programs: minimise ½ zᵀPz + qᵀz subject to "
    "Gz ≥ h, where z = (w, b). Given X (n, d) and y (n,), return (P, q, G, h) of shapes "
    "(d+1, d+1), (d+1,), (n, d+1) and (n,): one constraint an example, in their order.",
    [
        "Write y_i (w·x_i + b) ≥ 1 as a row times z. What stands in the column of b?",
        "Row i of G is (y_i x_i, y_i), and h_i = 1.",
        "½ zᵀPz must be ½‖w‖². Which entry of the diagonal of P is therefore 0?",
        "P = diag(1, …, 1, 0); q = 0; G = y[:, None] * np.column_stack([X, np.ones(n)]); h = 1.",
    ],
    "Any solver will now do. P is singular, because b costs nothing: solvers that want a positive "
    "definite P complain, and penalising b to please them solves another problem.",
    cases=program_cases,
    solution=program,
    judge=judge_program,
    parts=Program._fields,
    misconceptions=[
        ("b is penalised",
         "The objective is ½‖w‖² alone: moving the line away from the origin costs nothing.",
         changed(lambda X, y, p: p._replace(P=np.eye(len(p.P))))),
        ("½ is there already",
         "The solver takes half of zᵀPz: with P = diag(1, …, 1, 0) that is ½‖w‖².",
         changed(lambda X, y, p: p._replace(P=p.P / 2))),
        ("½ is lost", "The solver takes half of zᵀPz: with twice this P it would minimise ‖w‖².",
         changed(lambda X, y, p: p._replace(P=2 * p.P))),
        ("the sign of b", "f(x) = w·x + b, so in the row of example i the entry of b is y_i.",
         changed(lambda X, y, p: p._replace(G=p.G * np.append(np.ones(X.shape[1]), -1)))),
        ("the labels are left out", "Without y_i every example would have to score 1 or more.",
         changed(lambda X, y, p: p._replace(G=y[:, np.newaxis] * p.G))),
        ("the label misses b", "y_i multiplies all of f(x_i) = w·x_i + b: its entry is y_i too.",
         changed(lambda X, y, p: p._replace(G=np.column_stack([p.G[:, :-1], np.ones(len(y))])))),
        ("right is enough",
         "With h = 0 the solution is w = 0, which separates nothing: the margin asked for is 1.",
         changed(lambda X, y, p: p._replace(h=0 * p.h))),
        ("≤ instead of ≥",
         "y_i f(x_i) ≥ 1 is Gz ≥ h already: a minus on both sides would make it Gz ≤ h.",
         changed(lambda X, y, p: p._replace(G=-p.G, h=-p.h))),
        ("the bias is left out",
         "z = (w, b) has d + 1 entries: the line need not go through the origin.",
         changed(lambda X, y, p: Program(p.P[:-1, :-1], p.q[:-1], p.G[:, :-1], p.h))),
    ],
    shapes="G has one row an example and one column for each entry of z = (w, b): (n, d + 1).",
)  # fmt: skip


# --- the conditions -------------------------------------------------------------------------------


def kkt_cases(rng: Rng) -> Iterator[Case]:
    """The solution of the notebook first, then it spoilt in one place, then anything."""
    solved = {"w": np.array([0.0, -0.5]), "b": 0.0, "alpha": np.array([0, 1 / 8, 1 / 8])}
    data = {"X": THREE, "y": np.array([-1.0, -1.0, 1.0])}
    yield {**solved, **data}
    yield {**solved, "b": -1.0, **data}
    yield {**solved, "w": np.array([0.0, -1.0]), **data}
    yield {**solved, "alpha": np.array([1 / 8, 0, 1 / 8]), **data}
    yield {**solved, "alpha": np.array([0, 0, 1 / 8]), **data}
    # Nothing is wrong but Σ α_i y_i = 1: the origin has a price that w does not show.
    yield {
        "w": np.array([-2.0, 0.0]), "b": 1.0, "alpha": np.array([2.0, 1.0]),
        "X": np.array([[0.0, 0.0], [2.0, 0.0]]), "y": np.array([1.0, -1.0]),
    }  # fmt: skip
    yield {**solved, "alpha": np.array([-1 / 4, 1 / 8, -1 / 8]), **data}
    for n, d in 3 * ((2, 1), (2, 2), (3, 2), (4, 3), (5, 2)):
        y, X = some_labels(n, rng), some_vectors(n, d, rng)
        w, alpha = rng.integers(-2, 3, d).astype(float), rng.integers(-1, 3, n).astype(float)
        yield {"w": w, "b": float(rng.integers(-2, 3)), "alpha": alpha, "X": X, "y": y}


def violations(
    *,
    sign_of_b: float = 1.0,
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

    def idea(w: FloatArray, b: float, alpha: FloatArray, X: FloatArray, y: FloatArray) -> Any:
        z = (y if labels_in_margin else 1.0) * (X @ w + sign_of_b * b)
        rest = w - (alpha * (y if labels_in_w else 1.0)) @ X
        rest = np.append(rest, alpha @ y) if balance else rest
        parts = primal(z), dual(alpha), magnitude(rest), magnitude(product(alpha, z))
        return np.array([worst(part) for part in parts])

    return idea


kkt_violations = FunctionExercise(
    "kkt_violations",
    "Given w (d,), b, alpha (n,), X (n, d) and y (n,), return four numbers, the largest violation "
    "of each KKT condition of the hard margin: primal max(0, 1 − y_i f(x_i)), dual max(0, −α_i), "
    "stationary |w − Σ α_i y_i x_i| (each entry) and |Σ α_i y_i|, complementary "
    "|α_i (y_i f(x_i) − 1)|.",
    [
        "First the margins z_i = y_i (w·x_i + b), one an example. Which two conditions need them?",
        "A condition that is met with room to spare is violated by 0, not by a negative number.",
        "Stationary has d + 1 numbers: the entries of w − Σ α_i y_i x_i, and Σ α_i y_i.",
        "np.max(np.maximum(0, 1 - z)), np.max(np.maximum(0, -alpha)), np.max(np.abs(np.append(w - "
        "(alpha * y) @ X, alpha @ y))), np.max(np.abs(alpha * (z - 1))).",
    ],
    "Four zeros are a proof, whoever found w and α. Small ones prove nothing: for x = 1000 and "
    "−1000, w = 0.01, b = 0 and α = 0 violate nothing by more than 0.01, and cost a hundred times "
    "what w = 0.001 costs. The gap of section 3 says so: it is all of the cost.",
    cases=kkt_cases,
    solution=violations(),
    misconceptions=[
        ("room to spare is a negative violation",
         "A constraint that is more than met is violated by 0: take max(0, …).",
         violations(primal=lambda z: 1 - z, dual=lambda alpha: -alpha)),
        ("Σ α_i y_i = 0 is forgotten",
         "L has two unknowns, w and b, and so two derivatives: the one by b is Σ α_i y_i.",
         violations(balance=False)),
        ("the labels are left out of w",
         "w = Σ α_i y_i x_i: α says how much, y in which direction.",
         violations(labels_in_w=False)),
        ("the labels are left out of the margin", "The margin of example i is y_i f(x_i).",
         violations(labels_in_margin=False)),
        ("the sign of b", "f(x) = w·x + b: the bias is added.", violations(sign_of_b=-1.0)),
        ("only violated margins need complementing",
         "α_i > 0 beyond the margin breaks it too: the product is with y_i f(x_i) − 1 itself.",
         violations(product=lambda alpha, z: alpha * np.maximum(0, 1 - z))),
        ("the sum of the violations",
         "The largest is asked for; a sum grows with the number of examples.",
         violations(worst=np.sum)),
        ("an equation can only be missed upwards",
         "Too small is as wrong as too large: take the absolute value.",
         violations(magnitude=lambda value: value)),
    ],
    shapes="X is (n, d), w is (d,), alpha and y are (n,): X @ w is (n,), (alpha * y) @ X is (d,).",
)  # fmt: skip
