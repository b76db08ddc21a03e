"""Exercises on shattering, in notebook 01: what a VC dimension claims, and how one refutes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np

from kernellab.exercises.exercise import (
    SECONDS,
    Case,
    Exercise,
    FunctionExercise,
    Misconception,
    Numbers,
    Verdict,
    as_numbers,
    close,
    filled,
    number_words,
)
from kernellab.lessons.perceptron.theory.shattering import (
    LINES,
    MOST_POINTS,
    RECTANGLES,
    bounding_box,
    in_words,
    labellings,
    realisable,
    separating_line,
    why_not,
)
from kernellab.validation import FloatArray

EVERY_PLACEMENT = "every placement must be shattered"
ANY_PLACEMENT = "any placement will do"
MOST_LABELLINGS = "most labellings are enough"
KIND_LABELS = "infinitely many, if the labels are kind"
NOTHING_IS_DRAWN = (
    "(All labellings of your own points are tried. Nothing is drawn, so a seed changes nothing.)"
)


class DimensionExercise(Exercise):
    """Name the VC dimension d of a class of sets, and d points that it shatters.

    Parameters
    ----------
    name, question, hints, why : As for `Exercise`.
    sets : "lines" or "rectangles".
    dimension : The right d.
    """

    def __init__(
        self, name: str, question: str, hints: Sequence[str], why: str, *, sets: str, dimension: int
    ) -> None:
        super().__init__(name, question, hints, why)
        self.sets, self.dimension = sets, dimension

    def verdict(self, answer: Any, *, seed: int | None = None, seconds: float = SECONDS) -> Verdict:
        """Judge d and its d points: a pair, or a function without arguments that returns it.

        Parameters
        ----------
        answer : (d, points), points of shape (d, 2).
        seed : Changes nothing, and says so: all labellings of the points given are tried.
        seconds : As in `check`.

        Returns
        -------
        Verdict
        """
        verdict = self._verdict(answer, seconds)
        if seed is None:
            return verdict
        return replace(verdict, text=f"{verdict.text}\n{NOTHING_IS_DRAWN}")

    def _verdict(self, answer: Any, seconds: float) -> Verdict:
        answer = self.returned(answer, "(d, points)", seconds)
        if isinstance(answer, Verdict):
            return answer
        parts = answer if isinstance(answer, tuple) else (answer,)
        if any(part is None or part is ... for part in parts):
            return self.empty("give d, and d points that are shattered.")
        return self._judge(answer)

    def _judge(self, answer: Any) -> Verdict:
        try:
            claim, points = answer
            d = float(claim)
        except (TypeError, ValueError):
            return self.wrong("Give a pair: d, and d points of shape (d, 2).")
        if d == np.inf:
            words = (
                "For every n there are labellings of n points that can be made. But a placement is "
                "shattered only if all of its 2ⁿ labellings can."
            )
            return self._name(KIND_LABELS, words)
        if d != round(d) or not 1 <= d <= MOST_POINTS:
            return self.wrong(f"d must be a whole number from 1 to {MOST_POINTS}, got {d:g}.")
        X = as_numbers(points)
        if X is None or X.shape != (d, 2) or not np.isfinite(X).all():
            shape = "no array" if X is None else f"shape {X.shape}"
            return self.wrong(f"d = {d:g} needs {d:g} points, shape ({d:g}, 2); got {shape}.")
        missing = labellings(int(d))[~realisable(X, self.sets)]
        if len(missing) > 0:
            return self._not_shattered(X, missing)
        if d < self.dimension:
            words = (
                f"These points are shattered, so the VC dimension is at least {d:g}. Is it more? "
                "Some placement of the points must be shattered, not every one: that three points "
                "can lie on one line, say, proves nothing."
            )
            return self._name(EVERY_PLACEMENT, words)
        total = 2 ** int(d)
        return self.right(f"{total} of {total} labellings of your points can be made")

    def _not_shattered(self, X: FloatArray, missing: FloatArray) -> Verdict:
        y, n = missing[0], len(X)
        obstacle = why_not(X, y, self.sets)
        assert obstacle is not None  # the labelling is missing
        one = self.sets.removesuffix("s")
        signs = " ".join("+" if label > 0 else "−" for label in y)
        shown = (
            f"  points A, B, … = {number_words(X.tolist())}".replace("\n", "\n" + " " * 19),
            f"  No {one} makes {signs}: {in_words(obstacle, self.sets)}.",
            f"  {2**n - len(missing)} of {2**n} labellings can be made.",
        )
        if n > self.dimension:
            words = "Shattered means that all of them can, and here some cannot."
            return self._name(MOST_LABELLINGS, words, *shown)
        words = "These points prove nothing, but others may: move them."
        return self._name(ANY_PLACEMENT, words, *shown)

    def _name(self, name: str, words: str, *shown: str) -> Verdict:
        return self.wrong(*shown, filled(f"This looks like “{name}”. {words}"), misconception=name)


vc_lines = DimensionExercise(
    "vc_lines",
    "What is the VC dimension d of lines in the plane? Return d and, as evidence, d points that "
    "lines shatter, shape (d, 2).",
    [
        "Play with three points. Which placements lose labellings, and does that matter?",
        "The VC dimension is the largest number of points that SOME placement shatters.",
        "With four points, at least two labellings are always missing. So d < 4.",
        "Any triangle that is not flat: d = 3, for example (0, 0), (1, 0), (0, 1).",
    ],
    "d = 3: one good placement shows d ≥ 3; that no four points will do is Radon's theorem, which "
    "you can turn into code in fourth_point. In ℝᵈ with a bias it is d + 1.",
    sets=LINES,
    dimension=3,
)

vc_rectangles = DimensionExercise(
    "vc_rectangles",
    "What is the VC dimension d of axis-aligned rectangles (+1 inside)? Return d and, as evidence, "
    "d points that rectangles shatter, shape (d, 2).",
    [
        "A rectangle has four sides. How many points can each be the outermost on one side?",
        "Put four points on the corners of a square. Which labellings are missing, and why?",
        "Now turn the square by 45 degrees.",
        "d = 4: the leftmost, the rightmost, the lowest and the highest point, such as (±1, 0) and "
        "(0, ±1).",
    ],
    "d = 4: each point of the diamond is the outermost on one side, so leaving it out costs no "
    "other. Of five points one is always left over: that is fifth_point.",
    sets=RECTANGLES,
    dimension=4,
)


# --- labellings that no set makes ---------------------------------------------------------------


def judge_labels(sets: str, case: Case, value: Any) -> str | None:
    """Say what is wrong with a labelling that no set should make: which set makes it."""
    X, y = case["X"], as_numbers(value)
    yours = f"yours    {number_words(value)}"
    if y is None or y.shape != (len(X),) or not np.isin(y, (-1, 0, 1)).all():
        return f"expected {len(X)} labels, each −1 or +1\n{yours}"
    if (y == 0).any():
        return f"expected {len(X)} labels, each −1 or +1\n{yours}\nA zero needs a label too."
    if why_not(X, y, sets) is None:
        one = sets.removesuffix("s")
        maker = line_words(X, y) if sets == LINES else rectangle_words(X, y)
        flat = sets == LINES and np.linalg.matrix_rank(X - X[0]) == 1
        hint = " The points lie on one line: in which order?" if flat else ""
        return f"expected a labelling that no {one} makes\n{yours}\n{maker}{hint}"
    return None


def line_words(X: FloatArray, y: FloatArray) -> str:
    """Name a line that makes a labelling, to enough digits that it still does."""
    line = separating_line(X, y)
    assert line is not None
    (w1, w2), b = line
    return (
        f"This line makes it: w · x + b = 0 with w = ({signed(w1)}, {signed(w2)}), b = {signed(b)}."
    )


def rectangle_words(X: FloatArray, y: FloatArray) -> str:
    """Name a rectangle that makes a labelling: the smallest one."""
    if (y < 0).all():
        return "Any rectangle beside the points makes it."
    left, right, bottom, top = map(signed, bounding_box(X[y > 0]))
    return f"This rectangle makes it: x₁ from {left} to {right}, x₂ from {bottom} to {top}."


def signed(value: float) -> str:
    """Write a number with a true minus, and without one if it is zero."""
    return f"{value + 0.0:.4g}".replace("-", "−")


def placements(n: int, rng: np.random.Generator) -> Iterator[Case]:
    """Yield n points: special placements first, then in other orders, then random ones."""
    k = np.arange(n)
    angle = 2 * np.pi * k / n
    ring = np.round(4 * np.column_stack([np.cos(angle), np.sin(angle)]))
    inner = np.vstack([ring[: n - 1] * [1, 1.25], [[0.0, 0.0]]])
    if n == 4:
        inner[:3] = (-3, -2), (3, -2), (0, 4)
    line = np.column_stack([k, 0.0 * k])
    same = ring.copy()
    same[1] = same[0]
    for X in (ring, inner, line, line[:, ::-1], same):
        yield {"X": X}
        yield {"X": rng.permutation(X)}
    # The mean and the middle of a line part when it is uneven, and no order may give them away.
    uneven = np.append(line[:-1], [[10.0, 0.0]], axis=0)
    orders = list(permutations(range(n)))
    for order in orders[:: len(orders) // 24]:
        yield {"X": uneven[list(order)]}
        yield {"X": uneven[list(order), ::-1] * [1, -1]}
    side = inner.copy()
    side[-1] = (side[0] + side[1]) / 2
    pairs = ring[k // 2 * 2]
    corner = ring[np.maximum(k - (n - 3), 0)]
    slanted = uneven @ [[1.0, 2.0], [0.0, 0.0]]
    for i in range(n):
        yield {"X": np.roll(side, i, axis=0)}
        yield {"X": np.roll(side[:, ::-1], i, axis=0)}
    for X in (pairs, corner, slanted, 0 * ring, np.add(ring, [9, 4])):
        for _ in range(3):
            yield {"X": rng.permutation(X)}
    for _ in range(20):
        yield {
            "X": rng.permutation(16)[:n, np.newaxis] % 4 * [1.0, 0] + rng.integers(-4, 5, (n, 2))
        }


def alike_for_lines(first: Numbers, second: Numbers) -> bool:
    """Say whether two labellings are the same or opposite: a line makes both or neither."""
    return close(first, second) or (second is not None and close(first, -second))


def signs_of_dependence(X: FloatArray) -> FloatArray:
    """Return the signs of weights λ ≠ 0 with Σ λ = 0 and Σ λ x = 0 (Radon)."""
    lam = np.linalg.svd(np.column_stack([X, np.ones(len(X))]).T)[2][-1]
    return np.where(lam > 1e-9, 1.0, -1.0)


def extremes_against_the_rest(X: FloatArray) -> FloatArray:
    """Return + for a leftmost, a rightmost, a lowest and a highest point, − for the rest."""
    y = -np.ones(len(X))
    y[[*X.argmin(axis=0), *X.argmax(axis=0)]] = 1.0
    return y


def alternating(X: FloatArray) -> FloatArray:
    """+ − + − …, in the order in which the points are given."""
    return np.resize([1.0, -1.0], len(X))


def last_against_the_rest(X: FloatArray) -> FloatArray:
    """− for the last point given."""
    return np.append(np.ones(len(X) - 1), -1.0)


def nearest_to_the_mean(X: FloatArray) -> FloatArray:
    """− for the point nearest to the mean, + for the others."""
    y = np.ones(len(X))
    y[np.linalg.norm(X - X.mean(axis=0), axis=1).argmin()] = -1
    return y


def around_the_mean(X: FloatArray) -> FloatArray:
    """+ − + − in the order round the mean."""
    return alternately(X, np.arctan2(*(X - X.mean(axis=0)).T[::-1]))


def around_the_mean_from_above(X: FloatArray) -> FloatArray:
    """+ − + − in the order round the mean, by arctan2(x₁, x₂): ties are broken elsewhere."""
    return alternately(X, np.arctan2(*(X - X.mean(axis=0)).T))


def alternately(X: FloatArray, key: FloatArray) -> FloatArray:
    """+ − + − in the order of a key."""
    y = np.empty(len(X))
    y[np.argsort(key)] = alternating(X)
    return y


fifth_point = FunctionExercise(
    "fifth_point",
    "For any five points X, shape (5, 2), return a labelling, shape (5,), that no axis-aligned "
    "rectangle makes: +1 inside, −1 outside, the border belonging to the inside.",
    [
        "When must a rectangle hold a point, although nobody asked for it?",
        "Any rectangle round the leftmost, rightmost, lowest and highest point holds all five.",
        "Those are at most four points. Give them +1; what is left over gets −1.",
        "y = −1 everywhere, then y[X[:, 0].argmin()] = 1, and so on, for argmax and for X[:, 1].",
    ],
    "No five points are shattered, so the VC dimension is 4, one for each side; boxes in ℝᵈ have "
    "2d.",
    cases=lambda rng: placements(5, rng),
    solution=extremes_against_the_rest,
    judge=lambda case, value: judge_labels(RECTANGLES, case, value),
    misconceptions=[
        ("the last point given is the inner one",
         "The points come in any order: look for the extreme ones by their coordinates.",
         last_against_the_rest),
        ("inside and outside are alike",
         "+1 is inside the rectangle, so a rectangle can leave all others out: a single +1 among "
         "−1 can be made, the reverse need not.", lambda X: -extremes_against_the_rest(X)),
        ("the point nearest to the mean is inside",
         "It can be the lowest of all; the extremes are what matters.", nearest_to_the_mean),
        ("what no line makes, no rectangle makes",
         "A rectangle can cut a middle piece out, which no line can.", alternating),
    ],
)  # fmt: skip

fourth_point = FunctionExercise(
    "fourth_point",
    "A small project. For any four points X, shape (4, 2), return a labelling, shape (4,), that no "
    "line makes. They may be a quadrilateral, a triangle with one inside, on a line, or coincide.",
    [
        "If f(x) = w·x + b, what is Σ λ_i f(x_i) when Σ λ_i x_i = 0 and Σ λ_i = 0?",
        "It is 0. But if every f(x_i) has the sign of λ_i, each term with λ_i ≠ 0 is positive.",
        "Three equations, Σ λ_i x_i = 0 (two of them) and Σ λ_i = 0, for four unknowns: there is a "
        "solution that is not zero. It is in the null space of a 3 × 4 matrix.",
        "M = np.column_stack([X, np.ones(4)]).T; lam = np.linalg.svd(M)[2][-1]; its signs, with "
        "any label where it is zero (up to rounding).",
    ],
    "This is Radon's theorem: n + 2 points in ℝⁿ split into two groups whose hulls meet. So the VC "
    "dimension of lines is 3, and the α of a dual with Σ α_i y_i = 0 will look familiar.",
    cases=lambda rng: placements(4, rng),
    solution=signs_of_dependence,
    judge=lambda case, value: judge_labels(LINES, case, value),
    alike=alike_for_lines,
    misconceptions=[
        ("neighbours in the list are neighbours in the plane",
         "The points come in any order; + − + − fails round a quadrilateral, not down a list.",
         alternating),
        *(
            Misconception(
                "four points always make a quadrilateral",
                "One of them may lie inside the triangle of the others: then + − + − can be made, "
                "and the inner one against the rest cannot.",
                idea,
            )
            for idea in (around_the_mean, around_the_mean_from_above)
        ),
        ("one against three",
         "If no point lies inside the triangle of the others, a line can cut off any corner.",
         nearest_to_the_mean),
        ("the last point given is the inner one",
         "The points come in any order, and none need be inside.", last_against_the_rest),
    ],
)  # fmt: skip
