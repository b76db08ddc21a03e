"""An exercise of notebook 04: a step that touches only what is not zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng, some_vectors
from kernellab.exercises.exercise import SECONDS, Case, FunctionExercise, as_numbers
from kernellab.exercises.running import run
from kernellab.lessons.pegasos.exercises.kernel import AROUND_ONE, FLAT_SIDE, LAMS
from kernellab.validation import FloatArray


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
    "A text has 46 words of a vocabulary of 5143: this is a hundredfold.",
    cases=sparse_cases,
    remark=looks_elsewhere,
    solution=sparse_with(),
    misconceptions=[
        ("the scale of the step after", "w was made by t − 1 steps: its scale is 1/(λ(t − 1)).",
         sparse_with(lambda lam, t: 1 / (lam * t))),
        ("v is taken for w", "The margin is that of w = v/(λ(t − 1)).",
         sparse_with(lambda lam, t: 1.0)),
        ("the step on w",
         "That is the loop of section 1. Here w = v/(λ(t − 1)) gives the margin, v grows by y x.",
         sparse_with(lambda lam, t: 1.0, push=lambda y, lam, t: y / (lam * t), shrink=True)),
        ("w is returned", "Return v itself: the scale stays outside.",
         lambda v, columns, values, y, lam, t: (
             sparse_with()(v, columns, values, y, lam, t) / (lam * t)
         )),
        ("the step size is in v too", "1/(λt) is the scale; v itself adds y x, whole.",
         sparse_with(push=lambda y, lam, t: y / (lam * t))),
        ("v shrinks too", "Shrinking w is a change of its scale, and costs nothing: v stays.",
         sparse_with(shrink=True)),
        ("the label is left out", "v adds y x: against x if the example is of class −1.",
         sparse_with(push=lambda y, lam, t: 1.0)),
        ("only mistakes are added", "A margin between 0 and 1 is a violation too.",
         sparse_with(test=lambda z: z <= 0)),
        ("a margin of 1 is a violation", FLAT_SIDE, sparse_with(test=lambda z: z <= 1)),
        ("the first columns instead of the row's", "values[k] belongs to column columns[k].",
         sparse_with(first=True)),
        ("all of v is pushed", "Only the entries v[columns] may change.",
         sparse_with(everywhere=True)),
        ("the first step is lost",
         "At t = 1 the scale would be 1/0. Before the first step w = 0: its margin is 0, a "
         "violation.", sparse_with(lambda lam, t: 1 / (lam * (t - 1)) if t > 1 else np.nan)),
        ("the row replaces what was there",
         "v is a sum over all violations: add to what v[columns] holds.",
         sparse_with(replace=True)),
        ("every row is added", "From a margin of 1 on there is no violation, and v stays as it is.",
         sparse_with(test=lambda z: True)),
        ("the label is left out of the margin",
         "The margin is y w·x: a score of −3 is fine for a text of class −1.",
         sparse_with(own_label=False)),
    ],
    shapes="v[columns] and values are both (nnz,): their dot product is one number.",
)  # fmt: skip
