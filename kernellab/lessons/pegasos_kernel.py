"""More exercises of notebook 04: Pegasos on counts, on signed weights, on sparse rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.lessons.examples import Rng, some_labels, some_vectors
from kernellab.lessons.exercise import (
    SECONDS,
    Case,
    FunctionExercise,
    Misconception,
    as_numbers,
)
from kernellab.lessons.running import run
from kernellab.pegasos_passes import kernel_pegasos_step, signed_pegasos_step
from kernellab.validation import FloatArray

FLAT_SIDE = "At exactly 1 the lesson takes the flat side of the hinge, no violation: test with <."
LAMS = (0.125, 0.25, 0.5, 1.0, 2.0)  # exact in binary, so that a margin of 1 is exactly 1


# K_ii, α_i, λ, t. The margin K_ii α_i/(λ(t − 1)) is 1, 1.125, 0.5, 0.25, 2, 0.0625: what somebody
# forgets of it, or adds to it, shows in one of them.
AROUND_ONE = (
    (1.0, 1.0, 0.25, 5),
    (1.0, 9.0, 2.0, 5),
    (1.0, 1.0, 1.0, 3),
    (0.5, 1.0, 0.25, 9),
    (1.0, 1.0, 0.125, 5),
    (0.25, 1.0, 0.5, 9),
)


# --- counts of violations -----------------------------------------------------------------------


def alpha_cases(rng: Rng) -> Iterator[Case]:
    """The first step; a margin of exactly 1 in the second; then counts that fit t."""
    K, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, -1.0])
    for i in (0, 1):
        yield {"K": K, "y": y, "alpha": np.zeros(2), "lam": 1.0, "i": i, "t": 1}
    yield {"K": K, "y": y, "alpha": np.array([1.0, 0.0]), "lam": 1.0, "i": 1, "t": 2}
    for k, count, lam, t in AROUND_ONE:
        alpha = np.array([count, 0.0])
        yield {"K": k * np.eye(2), "y": y, "alpha": alpha, "lam": lam, "i": 0, "t": t}
    for n, t in 4 * ((2, 2), (3, 5), (3, 9), (4, 17), (5, 3)):  # t − 1 is exact in binary too
        X = some_vectors(n, 2, rng)
        yield {
            "K": X @ X.T, "y": some_labels(n, rng), "alpha": counts_after(n, t - 1, rng),
            "lam": float(rng.choice(LAMS)), "i": int(rng.integers(n)), "t": t,
        }  # fmt: skip


def counts_after(n: int, steps: int, rng: Rng) -> FloatArray:
    """Draw how often each of n examples violated the margin in so many steps."""
    return np.bincount(rng.integers(n, size=rng.integers(1, steps + 1)), minlength=n).astype(float)


def counted(K: FloatArray, y: FloatArray, alpha: FloatArray, lam: float, i: int, t: int) -> Any:
    """Return α after the package's own step on example i."""
    alpha, one = alpha.copy(), np.ones(len(y))
    kernel_pegasos_step.py_func(
        K, y, one, float(lam), alpha, K @ (alpha * y), np.array([i]), int(t)
    )
    return alpha


def count_with(
    scale: Callable[[float, int], float] = lambda lam, t: 1 / (lam * (t - 1)) if t > 1 else 0.0,
    *,
    test: Callable[[float], bool] = lambda z: z < 1,
    row_labels: bool = True,
    own_label: bool = True,
    add: Callable[[float], float] = lambda label: 1.0,
    shrink: bool = False,
) -> Callable[..., FloatArray]:
    """Return an update with another scale, test, label or count."""

    def idea(K: FloatArray, y: FloatArray, alpha: FloatArray, lam: float, i: Any, t: int) -> Any:
        f = scale(lam, t) * float(K[i] @ (alpha * y if row_labels else alpha))
        alpha = alpha * (1 - 1 / t) if shrink else alpha.copy()
        alpha[i] += add(float(y[i])) * test((y[i] if own_label else 1.0) * f)
        return alpha

    return idea


alpha_update = FunctionExercise(
    "alpha_update",
    "Step t of Pegasos without vectors: given K (n, n), y (n,), alpha (n,), the number of times "
    "each example has violated its margin so far, lam, i and t = 1, 2, …, return the new alpha. "
    "Before step t, w = 1/(λ(t − 1)) Σ α_j y_j φ(x_j); before the first, w = 0.",
    [
        "Write w after two steps. What have all its terms in common?",
        "Each was added with 1/(λs) and shrunk since to 1/(λ(t − 1)): one factor for all.",
        "f(x_i) = 1/(λ(t − 1)) Σ_j α_j y_j K_ij; at t = 1 it is 0. A violation is y_i f(x_i) < 1.",
        "f = K[i] @ (alpha * y) / (lam * (t - 1)) if t > 1 else 0; copy alpha, and add 1 to entry "
        "i if y[i] * f < 1.",
    ],
    "It is the dual perceptron with a margin and a scale: only the comparison has changed.",
    cases=alpha_cases,
    solution=counted,
    misconceptions=[
        Misconception(
            "the scale of the step after",
            "w was made by t − 1 steps, so its scale is 1/(λ(t − 1)); 1/(λt) is in print.",
            count_with(lambda lam, t: 1 / (lam * t)),
        ),
        Misconception(
            "no scale at all",
            "Without 1/(λ(t − 1)) the scores grow with the counts, and all margins are soon above "
            "1: a perceptron with margin 1.",
            count_with(lambda lam, t: 1.0),
        ),
        Misconception(
            "the scale never falls",
            "Old violations fade: 1/(λ(t − 1)), not 1/λ.",
            count_with(lambda lam, t: 1 / lam if t > 1 else 0.0),
        ),
        Misconception(
            "λ is left out of the scale",
            "w = 1/(λ(t − 1)) Σ α_j y_j φ(x_j): both λ and t − 1 stand below.",
            count_with(lambda lam, t: 1 / (t - 1) if t > 1 else 0.0),
        ),
        Misconception(
            "only mistakes are counted",
            "A violation is a margin below 1, not below 0.",
            count_with(test=lambda z: z <= 0),
        ),
        Misconception(
            "a margin of 1 is a violation",
            FLAT_SIDE,
            count_with(test=lambda z: z <= 1),
        ),
        Misconception(
            "the labels are left out of the score",
            "The signed weights are α_j y_j.",
            count_with(row_labels=False),
        ),
        Misconception(
            "the label is left out of the margin",
            "The margin is y_i f(x_i): a score below 1 is right for an example of class −1.",
            count_with(own_label=False),
        ),
        Misconception(
            "α carries the sign of the label",
            "α_i counts, so it is never negative; the sign is in y_i.",
            count_with(add=lambda label: label),
        ),
        Misconception(
            "the counts shrink",
            "Counts stay counts: all the shrinking is in the factor 1/(λ(t − 1)).",
            count_with(shrink=True),
        ),
        Misconception(
            "the first step is lost",
            "At t = 1 the scale would be 1/0. Before the first step w = 0: its margin is 0, a "
            "violation.",
            count_with(lambda lam, t: 1 / (lam * (t - 1)) if t > 1 else np.nan),
        ),
        Misconception(
            "the label in hand instead of each one's own",
            "y_i · y_i = 1, so the labels drop out; in the sum stands y_j. This slip is in print.",
            count_with(row_labels=False, own_label=False),
        ),
        Misconception(
            "all examples are tested",
            "Step t is about example i alone: only α_i may change.",
            lambda K, y, alpha, lam, i, t: (
                alpha + (y * (K @ (alpha * y)) < lam * (t - 1)) if t > 1 else alpha + 1
            ),
        ),
    ],
    shapes="A row of K and alpha * y are both (n,): which product of the two is one number?",
)


# --- the length of w, kept without w ------------------------------------------------------------


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
    """Return ‖w‖² after the package's own step, and the factor of its projection."""
    lengths = [
        float(
            signed_pegasos_step.py_func(
                np.array([[k]], dtype=float), np.array([y], dtype=float), np.ones(1), float(lam),
                np.zeros(1), np.array([f], dtype=float), float(squared_norm), np.array([0]), int(t),
                radius,
            )[1]
        )
        for radius in (lam**-0.5, np.inf)
    ]  # fmt: skip
    return lengths[0], np.sqrt(lengths[0] / lengths[1]) if lengths[1] > 0 else 1.0


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
        Misconception(
            "no cross term",
            "(u + v)·(u + v) = u·u + 2 u·v + v·v: the middle one is 2a (1 − 1/t) f.",
            project_with(cross=0.0),
        ),
        Misconception(
            "the cross term once only",
            "u·v appears twice in (u + v)·(u + v).",
            project_with(cross=1.0),
        ),
        Misconception(
            "the added vector has no length",
            "a φ(x_i) has the squared length a² K_ii.",
            project_with(own=False),
        ),
        Misconception(
            "w does not shrink",
            "First w ← (1 − 1/t) w: its squared length shrinks by (1 − 1/t)².",
            project_with(shrink=False),
        ),
        Misconception(
            "the score does not shrink",
            "f belongs to the old w. After shrinking it is (1 − 1/t) f.",
            project_with(shrink_f=False),
        ),
        Misconception(
            "the label is left out of a",
            "a = y/(λt): for class −1 the step goes against φ(x_i).",
            project_with(signed=False),
        ),
        Misconception(
            "only mistakes are added",
            "A margin y f between 0 and 1 is a violation too.",
            project_with(test=lambda z: z <= 0),
        ),
        Misconception(
            "the radius is 1/λ",
            "The optimum lies in the ball of radius 1/√λ, by strong duality.",
            project_with(lambda lam: 1 / lam),
        ),
        Misconception(
            "the radius is √λ",
            "A weak regulariser allows a long w: the radius is 1/√λ.",
            project_with(lambda lam: lam**0.5),
        ),
        Misconception(
            "the radius from P(0) = 1 alone",
            "λ/2 ‖w‖² ≤ 1 gives √(2/λ); strong duality gives 1/√λ, which is smaller.",
            project_with(lambda lam: (2 / lam) ** 0.5),
        ),
        Misconception(
            "short vectors are made longer",
            "Inside the ball nothing happens: the factor is at most 1.",
            project_with(clip=False),
        ),
        Misconception(
            "the squared length instead of the length",
            "The factor is radius/‖w‖, and what you keep is ‖w‖²: take the root.",
            project_with(root=False),
        ),
        Misconception(
            "the length before the projection",
            "Return ‖w‖² as it is after both: times the square of the factor.",
            project_with(after=False),
        ),
        Misconception(
            "the other order",
            "First ‖w‖², then the factor.",
            lambda *case, **named: project_with()(*case, **named)[::-1],
        ),
        Misconception(
            "the length instead of its square",
            "Kept is ‖w‖², without a root; only the factor needs one.",
            project_with(finish=lambda new, factor: new**0.5 * factor),
        ),
        Misconception(
            "the factor is not squared",
            "w becomes factor · w, and so ‖w‖² becomes factor² ‖w‖².",
            project_with(finish=lambda new, factor: new * factor),
        ),
        Misconception(
            "shrunk like a length",
            "w shrinks by 1 − 1/t, so its squared length by (1 − 1/t)².",
            project_with(power=1),
        ),
        Misconception(
            "K_ii is squared",
            "K_ii = φ(x_i)·φ(x_i) is a squared length already.",
            project_with(own_power=2),
        ),
        Misconception(
            "every example is added",
            "From a margin of 1 on a is 0: the step only shrinks.",
            project_with(test=lambda z: True),
        ),
    ],
    shapes="All six arguments are single numbers, and so are both answers.",
)


# --- a step that touches only what is not zero --------------------------------------------------


def sparse_cases(rng: Rng) -> Iterator[Case]:
    """A row of one word, then of more; d is larger than the row."""
    word = {"columns": np.array([1]), "values": np.array([2.0])}
    for label in (1.0, -1.0):
        yield {"v": np.zeros(3), **word, "y": label, "lam": 1.0, "t": 1}
    yield {"v": np.array([0.0, 0.5, 1.0]), **word, "y": 1.0, "lam": 1.0, "t": 2}
    yield {"v": np.array([3.0, 0.5, 1.0]), **word, "y": -1.0, "lam": 2.0, "t": 2}
    for k, count, lam, t in AROUND_ONE:
        v = np.array([0.0, 0.0, k * count])
        one = {"columns": np.array([2]), "values": np.array([1.0])}
        yield {"v": v, **one, "y": 1.0, "lam": lam, "t": t}
    for d, nnz, t in 4 * ((4, 1, 3), (5, 2, 3), (6, 3, 5), (6, 2, 9)):
        columns = np.sort(rng.choice(d, nnz, replace=False))
        values = rng.integers(1, 4, nnz).astype(float)
        yield {
            "v": some_vectors(1, d, rng)[0], "columns": columns, "values": values,
            "y": float(rng.choice([-1, 1])), "lam": float(rng.choice(LAMS)), "t": t,
        }  # fmt: skip


def sparse_with(
    scale: Callable[[float, int], float] = lambda lam, t: 1 / (lam * (t - 1)) if t > 1 else 0.0,
    *,
    test: Callable[[float], bool] = lambda z: z < 1,
    push: Callable[[float, float, int], float] = lambda y, lam, t: y,
    shrink: bool = False,
    first: bool = False,
    everywhere: bool = False,
    replace: bool = False,
    own_label: bool = True,
) -> Callable[..., FloatArray]:
    """Return a sparse step with another scale, test or place to add."""

    def idea(v: FloatArray, columns: Any, values: Any, y: float, lam: float, t: int) -> FloatArray:
        columns = np.arange(len(columns)) if first else columns
        score = scale(lam, t) * float(v[columns] @ values)
        violated = test((y if own_label else 1.0) * score)
        v = v * (1 - 1 / t) if shrink else v.copy()
        if everywhere:
            v += violated * push(y, lam, t) * values.sum()
            return v
        if replace and violated:
            v[columns] = 0.0
        v[columns] += violated * push(y, lam, t) * values
        return v

    return idea


def looks_elsewhere(answer: Callable[..., Any]) -> str | None:
    """Say so if an answer needs entries of v where the row has no words: here they are NaN."""
    columns, values = np.array([1, 3]), np.array([2.0, 1.0])
    v = np.full(5, np.nan)
    v[columns] = 0.25, 0.5
    case = {"v": v, "columns": columns, "values": values, "y": -1.0, "lam": 1.0, "t": 3}
    after = as_numbers(run(answer, case, SECONDS).value)
    if after is None or not np.allclose(after[columns], sparse_with()(**case)[columns]):
        return "yours looks at all of v. That is right, and dear: w·x needs v[columns] alone."
    return None


sparse_step = FunctionExercise(
    "sparse_step",
    "A step that touches only the words of one document. w = v/(λ(t − 1)) before step t (and 0 "
    "before the first), so shrinking w costs nothing and v is the sum of y x over all violations. "
    "Given v (d,), the row's columns (nnz,) and values (nnz,), y, lam and t, return v after "
    "step t. No loop over d.",
    [
        "w·x needs only the entries of w where x is not zero. How many are there?",
        "w·x = v[columns] @ values, times the scale 1/(λ(t − 1)).",
        "A violation adds y times the row, and only there: no step size, it is in the scale.",
        "f = v[columns] @ values / (lam * (t - 1)) if t > 1 else 0; copy v; if y * f < 1: "
        "v[columns] += y * values",
    ],
    "A document has a hundred words of a vocabulary of ten thousand: this is a hundredfold.",
    cases=sparse_cases,
    remark=looks_elsewhere,
    solution=sparse_with(),
    misconceptions=[
        Misconception(
            "the scale of the step after",
            "w was made by t − 1 steps: its scale is 1/(λ(t − 1)).",
            sparse_with(lambda lam, t: 1 / (lam * t)),
        ),
        Misconception(
            "v is taken for w",
            "The margin is that of w = v/(λ(t − 1)).",
            sparse_with(lambda lam, t: 1.0),
        ),
        Misconception(
            "the step of exercise 2",
            "That is the step on w. Here w = v/(λ(t − 1)) gives the margin, and v grows by y x.",
            sparse_with(lambda lam, t: 1.0, push=lambda y, lam, t: y / (lam * t), shrink=True),
        ),
        Misconception(
            "w is returned",
            "Return v itself: the scale stays outside.",
            lambda v, columns, values, y, lam, t: (
                sparse_with()(v, columns, values, y, lam, t) / (lam * t)
            ),
        ),
        Misconception(
            "the step size is in v too",
            "1/(λt) is the scale; v itself adds y x, whole.",
            sparse_with(push=lambda y, lam, t: y / (lam * t)),
        ),
        Misconception(
            "v shrinks too",
            "Shrinking w is a change of its scale, and costs nothing: v stays.",
            sparse_with(shrink=True),
        ),
        Misconception(
            "the label is left out",
            "v adds y x: against x if the example is of class −1.",
            sparse_with(push=lambda y, lam, t: 1.0),
        ),
        Misconception(
            "only mistakes are added",
            "A margin between 0 and 1 is a violation too.",
            sparse_with(test=lambda z: z <= 0),
        ),
        Misconception(
            "a margin of 1 is a violation",
            FLAT_SIDE,
            sparse_with(test=lambda z: z <= 1),
        ),
        Misconception(
            "the first columns instead of the row's",
            "values[k] belongs to column columns[k].",
            sparse_with(first=True),
        ),
        Misconception(
            "all of v is pushed",
            "Only the entries v[columns] may change.",
            sparse_with(everywhere=True),
        ),
        Misconception(
            "the first step is lost",
            "At t = 1 the scale would be 1/0. Before the first step w = 0: its margin is 0, a "
            "violation.",
            sparse_with(lambda lam, t: 1 / (lam * (t - 1)) if t > 1 else np.nan),
        ),
        Misconception(
            "the row replaces what was there",
            "v is a sum over all violations: add to what v[columns] holds.",
            sparse_with(replace=True),
        ),
        Misconception(
            "every row is added",
            "From a margin of 1 on there is no violation, and v stays as it is.",
            sparse_with(test=lambda z: True),
        ),
        Misconception(
            "the label is left out of the margin",
            "The margin is y w·x: a score of −3 is fine for a text of class −1.",
            sparse_with(own_label=False),
        ),
    ],
    shapes="v[columns] and values are both (nnz,): their dot product is one number.",
)


# --- all of it ----------------------------------------------------------------------------------


def training_cases(rng: Rng) -> Iterator[Case]:
    """One step, two steps, then orders with repetitions."""
    K, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, -1.0])
    for order in ([0], [0, 1], [0, 0, 0, 1]):
        yield {"K": K, "y": y, "lam": 1.0, "order": np.array(order)}
    for k in (1.0, 1.25, 0.5):  # the margin of the second step
        yield {"K": k * np.eye(2), "y": y, "lam": 1.0, "order": np.array([0, 0])}
    for n, steps in 3 * ((2, 3), (3, 5), (4, 12), (5, 40)):
        yield clear_training(n, steps, rng)


def clear_training(n: int, steps: int, rng: Rng) -> Case:
    """Draw until no margin on the way is 1: on signed weights rounding would decide there."""
    while True:
        X, y, lam = some_vectors(n, 2, rng), some_labels(n, rng), float(rng.choice(LAMS))
        K, order = X @ X.T + 1, rng.integers(n, size=steps)
        before = [trained(K, y, lam, order[:t]) for t in range(1, steps)]
        margins = [y[i] * (K[i] @ coef) for i, coef in zip(order[1:], before, strict=True)]
        if not np.isclose(margins, 1).any():
            return {"K": K, "y": y, "lam": lam, "order": order}


def trained(K: FloatArray, y: FloatArray, lam: float, order: Any) -> FloatArray:
    """Return signed weights after the package's own steps on these examples."""
    alpha, scores, one = np.zeros(len(y)), np.zeros(len(y)), np.ones(len(y))
    for t, i in enumerate(order, start=1):
        kernel_pegasos_step.py_func(K, y, one, float(lam), alpha, scores, np.array([int(i)]), t)
    return alpha * y / (lam * len(order))


def train_with(
    *,
    scale: Callable[[float, int], float] = lambda lam, t: 1 / (lam * (t - 1)) if t > 1 else 0.0,
    end: Callable[[float, int], float] = lambda lam, steps: 1 / (lam * steps),
    shrink: bool = True,
    test: Callable[[float], bool] = lambda z: z < 1,
    signed: bool = True,
    stale: bool = False,
    row_labels: bool = True,
    in_turn: bool = False,
) -> Callable[..., FloatArray]:
    """Return a training with another scale before a step, or at the end."""

    def idea(K: FloatArray, y: FloatArray, lam: float, order: Any) -> FloatArray:
        alpha = np.zeros(len(y))
        scores = np.zeros(len(y))
        fixed = np.zeros(len(y))  # what is added with 1/(λt) and never shrunk
        for t, i in enumerate(order, start=1):
            i = (t - 1) % len(y) if in_turn else i
            if not stale or t == 1:
                labels = y if row_labels else y[i]
                scores = K @ (alpha * labels) * scale(lam, t) if shrink else K @ (fixed * y)
            violated = test(float(y[i] * scores[i]))
            alpha[i] += violated
            fixed[i] += violated / (lam * t)
        coef = alpha * end(lam, len(order)) if shrink else fixed
        return coef * y if signed else coef

    return idea


train_in_the_dual = FunctionExercise(
    "train_in_the_dual",
    "A small project: kernel Pegasos. Given K (n, n), y (n,), lam and order (T,), the examples to "
    "draw one after the other, take T steps from w = 0 without projection and return the signed "
    "weights coef (n,) of the end, so that f(x) = Σ coef_j k(x_j, x).",
    [
        "alpha_update is the inside of the loop. Which t belongs to order[0]?",
        "enumerate(order, start=1) counts the steps. After T of them, what is the scale of w?",
        "w = 1/(λT) Σ α_j y_j φ(x_j) after step T: the signed weights are α y/(λT).",
        "for t, i in enumerate(order, start=1): alpha = alpha_update(K, y, alpha, lam, i, t); "
        "then return alpha * y / (lam * len(order))",
    ],
    "That is a complete support vector machine for any kernel. With the linear kernel it makes "
    "the same steps as one_step, to the last digit.",
    cases=training_cases,
    solution=trained,
    misconceptions=[
        Misconception(
            "counts are returned",
            "coef_j = α_j y_j/(λT): sign and scale belong to it.",
            train_with(end=lambda lam, steps: 1.0, signed=False),
        ),
        Misconception(
            "the scale is left out at the end",
            "After T steps w = 1/(λT) Σ α_j y_j φ(x_j).",
            train_with(end=lambda lam, steps: 1.0),
        ),
        Misconception(
            "the scale before the last step",
            "After T steps the scale is 1/(λT); 1/(λ(T − 1)) was that before the last one.",
            train_with(end=lambda lam, steps: np.float64(1) / (lam * (steps - 1))),
        ),
        Misconception(
            "the labels are left out at the end",
            "coef_j carries the sign of y_j.",
            train_with(signed=False),
        ),
        Misconception(
            "a violation weighs 1/(λt) for ever",
            "This is in print. What was added in step s has since been shrunk to 1/(λT).",
            train_with(shrink=False),
        ),
        Misconception(
            "the scale of the step after",
            "Before step t the scale is 1/(λ(t − 1)): w was made by t − 1 steps.",
            train_with(scale=lambda lam, t: 1 / (lam * t)),
        ),
        Misconception(
            "only mistakes are counted",
            "A violation is a margin below 1.",
            train_with(test=lambda z: z <= 0),
        ),
        Misconception(
            "a margin of 1 is a violation",
            FLAT_SIDE,
            train_with(test=lambda z: z <= 1),
        ),
        Misconception(
            "scores are computed once",
            "Every violation changes the scores of all examples: compute f(x_i) in each step.",
            train_with(stale=True),
        ),
        Misconception(
            "the examples in turn",
            "order says whose turn it is, and may name one twice: i = order[t − 1] in step t.",
            train_with(in_turn=True),
        ),
        Misconception(
            "the first step is lost",
            "At t = 1 the scale would be 1/0. Before the first step w = 0: its margin is 0, a "
            "violation.",
            train_with(scale=lambda lam, t: 1 / (lam * (t - 1)) if t > 1 else np.nan),
        ),
        Misconception(
            "the label in hand instead of each one's own",
            "y_i · y_i = 1, so the labels drop out; in the sum stands y_j. This slip is in print.",
            train_with(row_labels=False),
        ),
        Misconception(
            "divided by n instead of T",
            "T, the number of steps, is the length of order.",
            lambda K, y, lam, order: trained(K, y, lam, order) * len(order) / len(y),
        ),
    ],
    shapes="K[i] and alpha * y are both (n,): their dot product is one number.",
)
