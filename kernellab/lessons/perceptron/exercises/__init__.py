"""Exercises of notebook 01: the dual perceptron, the hinge, and what lines can shatter."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng, some_labels, some_vectors
from kernellab.exercises.exercise import Case, FunctionExercise, Misconception
from kernellab.lessons.perceptron.exercises.shattering import (
    fifth_point,
    fourth_point,
    vc_lines,
    vc_rectangles,
)
from kernellab.solvers import perceptron as package
from kernellab.validation import FloatArray

__all__ = [
    "classify_from_gram",
    "dual_update",
    "fifth_point",
    "fourth_point",
    "perceptron_with_margin",
    "step_downhill",
    "vc_lines",
    "vc_rectangles",
    "weights_from_counts",
]


# --- one update ---------------------------------------------------------------------------------


def update_cases(rng: Rng) -> Iterator[Case]:
    """From one example upwards, with scores of zero, right ones and wrong ones."""
    yield {"K": np.array([[1.0]]), "y": np.array([1.0]), "alpha": np.array([0.0]), "i": 0}
    yield {"K": np.array([[1.0]]), "y": np.array([-1.0]), "alpha": np.array([1.0]), "i": 0}
    for n in (2, 2, 2, 3, 3, 4, 4, 5):
        X, y = some_vectors(n, 2, rng), some_labels(n, rng)
        for alpha in (np.zeros(n), *rng.integers(0, 4, (2, n)).astype(float)):
            yield {"K": X @ X.T, "y": y, "alpha": alpha, "i": int(rng.integers(n))}


def updated(K: FloatArray, y: FloatArray, alpha: FloatArray, i: int) -> FloatArray:
    """Return α after the package's own pass over example i alone."""
    alpha = alpha.copy()
    package.dual_perceptron_pass(K, y, alpha, K @ (alpha * y), np.array([i]))
    return alpha


def plus(alpha: FloatArray, i: Any, amount: Any) -> FloatArray:
    """Return α with something added to entry i."""
    alpha = alpha.copy()
    alpha[i] += amount
    return alpha


def margin_of(K: FloatArray, y: FloatArray, alpha: FloatArray, i: Any) -> Any:
    """Return y_i f(x_i)."""
    return y[i] * (K[i] @ (alpha * y))


dual_update = FunctionExercise(
    "dual_update",
    "Test example i, and learn from it: given the Gram matrix K (n, n), labels y (n,), counts "
    "alpha (n,) and an index i, return the new alpha. A score of zero is a mistake.",
    [
        "What is the score f(x_i), if w = Σ α_j y_j x_j and all you have is K?",
        "f(x_i) = Σ_j α_j y_j K_ij, which is K[i] @ (alpha * y).",
        "It is a mistake if y_i f(x_i) ≤ 0. What does α_i count?",
        "Copy alpha; if y[i] * (K[i] @ (alpha * y)) <= 0, add 1 to entry i; return the copy.",
    ],
    "That line is all of the dual perceptron: it never sees x, so K may come from any kernel.",
    cases=update_cases,
    solution=updated,
    misconceptions=[
        ("a score of zero is right",
         "From alpha = 0 every score is zero, and with < nothing would ever be learnt: use ≤.",
         lambda K, y, alpha, i: plus(alpha, i, margin_of(K, y, alpha, i) < 0)),
        ("α carries the sign of the label",
         "α_i counts mistakes, so it is never negative; the sign is in y_i.",
         lambda K, y, alpha, i: plus(alpha, i, y[i] * (margin_of(K, y, alpha, i) <= 0))),
        ("the labels are left out of the score",
         "The signed weights are α_j y_j: f(x_i) = Σ_j α_j y_j K_ij.",
         lambda K, y, alpha, i: plus(alpha, i, y[i] * (K[i] @ alpha) <= 0)),
        ("α carries the sign, in the score too",
         "Here α_i counts, and is never negative; y brings the sign: f(x_i) = Σ_j α_j y_j K_ij.",
         lambda K, y, alpha, i: plus(alpha, i, y[i] * (y[i] * (K[i] @ alpha) <= 0))),
        ("a negative score is a mistake",
         "A mistake is a score whose sign is not the label's: look at y_i f(x_i), not f(x_i).",
         lambda K, y, alpha, i: plus(alpha, i, K[i] @ (alpha * y) <= 0)),
        ("every example is a mistake", "The perceptron learns from mistakes only: test first.",
         lambda K, y, alpha, i: plus(alpha, i, 1)),
        ("learning from what is right", "The test is upside down.",
         lambda K, y, alpha, i: plus(alpha, i, margin_of(K, y, alpha, i) > 0)),
        ("α is a flag",
         "α_i counts the mistakes on i, and the same example can be mistaken again: add 1.",
         lambda K, y, alpha, i: plus(
             alpha, i, (margin_of(K, y, alpha, i) <= 0) * (1 - alpha[i])
         )),
        ("all examples are tested at once", "Only example i is tested, so only α_i may change.",
         lambda K, y, alpha, i: alpha + (y * (K @ (alpha * y)) <= 0)),
        ("a mistake counts on all examples",
         "alpha + 1 adds 1 to every count; the mistake was made on i: copy alpha, and add 1 to "
         "entry i.", lambda K, y, alpha, i: alpha + (margin_of(K, y, alpha, i) <= 0)),
        ("the score is a sum over all of K",
         "f(x_i) belongs to one example: its row K[i] times the signed weights, summed.",
         lambda K, y, alpha, i: plus(alpha, i, y[i] * np.sum(alpha * y * K) <= 0)),
        ("the update of w is made on α", "w gets y_i x_i; in the dual that is one more count on i.",
         lambda K, y, alpha, i: alpha + (margin_of(K, y, alpha, i) <= 0) * y[i] * K[i]),
    ],
    shapes="A row of K and alpha * y are both (n,): which product of the two is one number?",
)  # fmt: skip


# --- from counts to weights ---------------------------------------------------------------------


def weights_cases(rng: Rng) -> Iterator[Case]:
    """Two examples first; n and d differ, so that a transposition shows."""
    yield {"X": np.array([[1.0], [2.0]]), "y": np.array([1.0, -1.0]), "alpha": np.array([1.0, 0.0])}
    yield {"X": np.array([[1.0], [2.0]]), "y": np.array([1.0, -1.0]), "alpha": np.array([1.0, 2.0])}
    for n, d in 2 * ((2, 2), (2, 3), (3, 2), (3, 2), (4, 2), (4, 3), (5, 5), (6, 2)):
        X, y = some_vectors(n, d, rng), some_labels(n, rng)
        yield {"X": X, "y": y, "alpha": rng.integers(0, 4, n).astype(float)}


weights_from_counts = FunctionExercise(
    "weights_from_counts",
    "A warm-up in two lines. From the dual to the primal: given X (n, d), labels y (n,) and counts "
    "alpha (n,), return the weights w (d,).",
    [
        "Every mistake on example i adds the same vector to w. Which?",
        "It adds y_i x_i, and α_i says how often: w = Σ α_i y_i x_i.",
        "A sum of rows with weights is a product: weights (n,) times X (n, d).",
        "(alpha * y) @ X",
    ],
    "Both forms are one classifier: with few features w is shorter, with few examples α is.",
    cases=weights_cases,
    solution=package.weights_from_counts,
    misconceptions=[
        ("the labels are left out", "α counts, y says in which direction: Σ α_i y_i x_i.",
         lambda X, y, alpha: alpha @ X),
        ("every example counts once",
         "α_i is the number of mistakes on i, and 0 for examples never mistaken.",
         lambda X, y, alpha: (y * (alpha > 0)) @ X),
        ("α is left out", "Only mistakes moved w, each once: weigh the rows by α_i y_i.",
         lambda X, y, alpha: y @ X),
        ("an average instead of a sum", "The perceptron adds; nothing is divided.",
         lambda X, y, alpha: (alpha * y) @ X / len(X)),
        ("w must have length 1",
         "Its length does not change the line, but it is part of w: the sum is not normalised.",
         lambda X, y, alpha: unit((alpha * y) @ X)),
        ("the scores of the examples",
         "That is X w, a number for each example; w has one for each feature.",
         lambda X, y, alpha: X @ ((alpha * y) @ X)),
        ("rows and columns exchanged",
         "The examples are the rows of X: add rows (axis 0), weighted by α_i y_i.",
         lambda X, y, alpha: (X.T * alpha * y).sum(axis=0)),
    ],
    shapes="X is (n, d) and alpha * y is (n,): which order of the product gives (d,)?",
)  # fmt: skip


def unit(w: FloatArray) -> FloatArray:
    """Return w at length 1."""
    return w / np.linalg.norm(w)


# --- classifying without vectors ----------------------------------------------------------------


def classify_cases(rng: Rng) -> Iterator[Case]:
    """Small ones with a zero score first; m and n differ, and once they do not."""
    y = np.array([1.0, -1.0])
    for K_test, alpha in (
        ([[1.0, 1.0], [2.0, 1.0], [0.0, 1.0]], [1.0, 1.0]),
        ([[1.0, 3.0], [3.0, 1.0], [-1.0, 1.0]], [1.0, 0.0]),
    ):
        yield {"K_test": np.array(K_test), "y": y, "alpha": np.array(alpha)}
    for m, n in 2 * ((1, 2), (1, 3), (2, 3), (3, 3), (4, 2), (4, 3), (5, 4), (9, 6)):
        X, y = some_vectors(n, 2, rng), some_labels(n, rng)
        new = some_vectors(m, 2, rng)
        new[0] = 0.0  # a zero row: a score of zero
        yield {
            "K_test": (new @ X.T)[::-1].copy(),
            "y": y,
            "alpha": rng.integers(0, 4, n).astype(float),
        }


def scores_of(K_test: FloatArray, y: FloatArray, alpha: FloatArray) -> FloatArray:
    """Return f of the new examples."""
    return K_test @ (alpha * y)


classify_from_gram = FunctionExercise(
    "classify_from_gram",
    "Classify m new examples without seeing them: given K_test (m, n), the kernel between new and "
    "training examples, y (n,) and alpha (n,), return m predictions, −1 or +1, and 0 where the "
    "score is exactly zero: undecided, not silently a class.",
    [
        "Which number of K_test belongs to new example t and training example j?",
        "The score of t is Σ_j α_j y_j K_test[t, j]: row t times the signed weights.",
        "Three answers are possible. Which NumPy function knows all three?",
        "np.sign(K_test @ (alpha * y))",
    ],
    "Prediction costs one kernel value for each example with α > 0, and no vector: that is what "
    "lets notebook 03 classify strings and graphs.",
    cases=classify_cases,
    solution=lambda K_test, y, alpha: np.sign(scores_of(K_test, y, alpha)),
    misconceptions=[
        ("zero is +1", "A score of zero is on the line itself, and the honest answer is 0.",
         lambda K_test, y, alpha: np.where(scores_of(K_test, y, alpha) >= 0, 1, -1)),
        ("zero is −1", "A score of zero is on the line itself, and the honest answer is 0.",
         lambda K_test, y, alpha: np.where(scores_of(K_test, y, alpha) > 0, 1, -1)),
        ("a score is a prediction", "Its sign is the prediction.", scores_of),
        ("the labels are left out of the score", "The signed weights are α_j y_j.",
         lambda K_test, y, alpha: np.sign(K_test @ alpha)),
        ("every training example votes alike",
         "Their weights are α_j y_j: an example never mistaken has no vote.",
         lambda K_test, y, alpha: np.sign(K_test @ y)),
        ("the nearest example decides", "All of them vote, with weights α_j y_j K_tj.",
         lambda K_test, y, alpha: y[K_test.argmax(axis=1)]),
        ("labels 0 and 1", "The classes are −1 and +1.",
         lambda K_test, y, alpha: scores_of(K_test, y, alpha) > 0),
        ("rows and columns exchanged",
         "Row t of K_test belongs to new example t: add along each row (axis 1).",
         lambda K_test, y, alpha: np.sign((K_test * alpha * y).sum(axis=0))),
    ],
    shapes="K_test is (m, n) and alpha * y is (n,): which order of the product gives (m,)?",
)  # fmt: skip


# --- the whole algorithm ------------------------------------------------------------------------


def margin_cases(rng: Rng) -> Iterator[Case]:
    """By hand first; then separable and not, with ties at the margin, and few passes or many."""
    K = np.array([[1.0, 0.0], [0.0, 1.0]])
    for margin, max_passes in ((0.0, 1), (0.0, 5), (1.0, 5), (2.0, 2)):
        yield {"K": K, "y": np.array([1.0, -1.0]), "margin": margin, "max_passes": max_passes}
    for n, margin, max_passes in itertools.product((2, 3, 4, 6), (0.0, 1.0, 5.0), (1, 2, 30)):
        X, y = some_vectors(n, 2, rng), some_labels(n, rng)
        yield {"K": X @ X.T + 1, "y": y, "margin": margin, "max_passes": max_passes}


def counts(K: FloatArray, y: FloatArray, margin: float, max_passes: int) -> FloatArray:
    """Return α after the package's own perceptron."""
    states = package.dual_perceptron(K, y, margin=margin)
    *_, last = itertools.islice(states, max_passes)
    return last.alpha


Test = Callable[[float, float, float], bool]  # margin of the example, margin asked for, ‖w‖


def variant(
    test: Test = lambda z, margin, _: z <= margin, *, stale: bool = False, extra_passes: int = 0
) -> Callable[..., FloatArray]:
    """Return a perceptron with another test, with scores of the last pass, or with other passes."""

    def idea(K: FloatArray, y: FloatArray, margin: float, max_passes: int) -> FloatArray:
        alpha = np.zeros(len(y))
        for _ in range(max_passes + extra_passes):
            scores = K @ (alpha * y)
            for i in range(len(y)):
                if not stale:
                    scores = K @ (alpha * y)
                length = float(np.sqrt(np.maximum(alpha * y @ scores, 0.0)))
                alpha[i] += test(y[i] * scores[i], margin, length)
        return alpha

    return idea


def until_right(K: FloatArray, y: FloatArray, margin: float, max_passes: int) -> FloatArray:
    """Return α of one that ends everything at the first example that is right: it returns there."""
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        for i in range(len(y)):
            if margin_of(K, y, alpha, i) > margin:
                return alpha
            alpha[i] += 1
    return alpha


def passes_until_right(K: FloatArray, y: FloatArray, margin: float, max_passes: int) -> FloatArray:
    """Return α of one that ends each pass at the first example that is right: it breaks there."""
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        for i in range(len(y)):
            if margin_of(K, y, alpha, i) > margin:
                break
            alpha[i] += 1
    return alpha


def without_labels(K: FloatArray, y: FloatArray, margin: float, max_passes: int) -> FloatArray:
    """Return α of one that scores with α_j K_ij."""
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        for i in range(len(y)):
            alpha[i] += y[i] * (K[i] @ alpha) <= margin
    return alpha


perceptron_with_margin = FunctionExercise(
    "perceptron_with_margin",
    "The whole algorithm: given K (n, n), y (n,), margin ≥ 0 and max_passes, return alpha. Start "
    "from zero; test the examples in the order of the rows; learn from i if y_i f(x_i) ≤ margin; "
    "stop after a pass that learnt nothing, or after max_passes.",
    [
        "dual_update is nearly the inside of the loop. Which number in it becomes the margin?",
        "Two loops: passes, and in each pass the examples. What ends the outer one early?",
        "Count what was learnt in a pass; if it is zero, return. With XOR it never is: "
        "`for _ in range(max_passes)` ends, `while True` does not.",
        "if y[i] * (K[i] @ (alpha * y)) <= margin: alpha[i] += 1; learnt += 1. After the inner "
        "loop: if learnt == 0, break.",
    ],
    "With a margin it goes on until every y f(x) is above that number: a first step towards the "
    "maximum margin of notebook 02. How far from the line that is, the length of w decides.",
    cases=margin_cases,
    solution=counts,
    misconceptions=[
        ("a tie is good enough",
         "Learn if y_i f(x_i) ≤ margin. With < and margin 0 nothing is learnt from zero.",
         variant(lambda z, margin, _: z < margin)),
        ("the margin is not used", "Compare y_i f(x_i) with the margin, not with 0.",
         variant(lambda z, margin, _: z <= 0)),
        ("the labels are left out of the score",
         "The signed weights are α_j y_j: f(x_i) = Σ_j α_j y_j K_ij.", without_labels),
        ("it ends after one pass",
         "What example 5 taught may spoil example 1: pass again until nothing is learnt. If you "
         "do loop: is what you compare with a copy? After old = alpha both are one array.",
         lambda K, y, margin, max_passes: counts(K, y, margin, 1)),
        ("scores are computed once a pass",
         "After a mistake the scores of all examples change, already for the next one.",
         variant(stale=True)),
        ("max_passes is not used", "With XOR nothing would ever stop it: count the passes.",
         lambda K, y, margin, max_passes: counts(K, y, margin, 3000)),
        ("one pass too many", "range(max_passes) already has max_passes passes.",
         variant(extra_passes=1)),
        ("one pass too few", "range(1, max_passes) has max_passes − 1 passes.",
         variant(extra_passes=-1)),
        ("the geometric margin is meant",
         "Here the margin is functional, y_i f(x_i); it is not divided by ‖w‖.",
         variant(lambda z, margin, length: z <= margin * length)),
        ("the margin is allowed on the wrong side",
         "The margin asks for more than being right: y_i f(x_i) ≤ +margin.",
         variant(lambda z, margin, _: z <= -margin)),
        *(
            Misconception(
                "it stops at the first right example",
                "One example that is right says nothing about those after it: finish the pass, and "
                "stop if nothing was learnt in all of it.",
                idea,
            )
            for idea in (until_right, passes_until_right)
        ),
    ],
    shapes="A row of K and alpha * y are both (n,): which product of the two is one number?",
)  # fmt: skip

# --- a step down the hinge ----------------------------------------------------------------------


def downhill_cases(rng: Rng) -> Iterator[Case]:
    """One example of margin 0, one of margin 1 exactly, then more; with λ and without."""
    X, y = np.array([[2.0, 1.0]]), np.array([-1.0])
    yield {"X": X, "y": y, "w": np.zeros(2), "eta": 1.0, "lam": 0.0}
    yield {"X": X, "y": y, "w": np.array([0.0, -1.0]), "eta": 1.0, "lam": 0.0}
    X, y = np.eye(2), np.array([1.0, -1.0])
    yield {"X": X, "y": y, "w": np.array([0.5, -2.0]), "eta": 1.0, "lam": 0.0}
    for n, lam in 3 * ((2, 0.0), (2, 0.5), (3, 0.0), (3, 0.25), (4, 0.5), (5, 0.25)):
        w = some_vectors(1, 2, rng)[0] / 4
        X, y = some_vectors(n, 2, rng), some_labels(n, rng)
        yield {"X": X, "y": y, "w": w, "eta": float(rng.choice([0.5, 1.0])), "lam": lam}


def downhill(
    weigh: Callable[[FloatArray], Any] = lambda z: z < 1,
    *,
    divide: Callable[[FloatArray], Any] = len,
    sign: float = 1.0,
    label: bool = True,
    shrink: Callable[[float, float], float] = lambda eta, lam: 1 - eta * lam,
    shrink_first: bool = False,
) -> Callable[..., FloatArray]:
    """Return a step along the mean of what the examples of weights `weigh(margins)` add."""

    def idea(X: FloatArray, y: FloatArray, w: FloatArray, eta: float, lam: float) -> FloatArray:
        smaller = shrink(eta, lam) * w
        weights = weigh(y * (X @ (smaller if shrink_first else w))) * (y if label else 1.0)
        return smaller + sign * eta * (weights @ X) / divide(weights)

    return idea


def one_after_another(
    X: FloatArray, y: FloatArray, w: FloatArray, eta: float, lam: float
) -> FloatArray:
    """Return w if each example sees what those before it added."""
    w = (1 - eta * lam) * w
    for i in range(len(y)):
        w = w + eta / len(y) * (y[i] * (X[i] @ w) < 1) * y[i] * X[i]
    return w


step_downhill = FunctionExercise(
    "step_downhill",
    "One step downhill: given X (n, d), y (n,), w (d,), a step length eta and lam ≥ 0, return the "
    "new w. What it lowers is λ/2 ‖w‖² plus the mean hinge loss; the hinge at 1 has slope 0.",
    [
        "Which examples are charged by the hinge? Ask for their margins y_i w·x_i.",
        "The slope of max(0, 1 − z) is −1 below 1, and z_i = y_i w·x_i: what is its slope in w?",
        "The slope of all is λw − (1/n) Σ y_i x_i over the charged ones. Go η against it.",
        "charged = y * (X @ w) < 1; (1 - eta * lam) * w + eta * (y[charged] @ X[charged]) / len(y)",
    ],
    "Without λ it stands still once every margin is at least 1. With λ it goes on to make w "
    "shorter: that pull chooses the line.",
    cases=downhill_cases,
    solution=downhill(),
    misconceptions=[
        *(Misconception(
            "only mistakes count",
            "The hinge charges every margin below 1, the right ones between 0 and 1 too.", idea)
          for idea in (downhill(lambda z: z <= 0), downhill(lambda z: z < 0))),
        ("a margin of 1 is charged", "At 1 the hinge is zero, and we agreed on slope 0: use <.",
         downhill(lambda z: z <= 1)),
        ("not divided by n", "It is the mean loss: divide the sum by the number of examples.",
         downhill(divide=lambda weights: 1)),
        *(Misconception(
            "divided by those charged",
            "The mean is over all n examples; those that cost nothing count in it, as zeros.",
            downhill(divide=divide))  # the second is 0/0 if nobody is charged
          for divide in (lambda weights: max(np.count_nonzero(weights), 1), np.count_nonzero)),
        ("the labels are left out", "What an example adds is y_i x_i, by the chain rule.",
         downhill(label=False)),
        *(Misconception("uphill", "The slope points where the loss grows: go against it.", idea)
          for idea in (downhill(sign=-1), downhill(sign=-1, shrink=lambda e, lam: 1 + e * lam))),
        ("the loss in place of its slope",
         "max(0, 1 − z) says how much is paid; its slope below 1 is −1, whatever is paid.",
         downhill(lambda z: np.maximum(0.0, 1 - z))),
        ("everybody is charged", "Above 1 the hinge is flat: those examples add nothing.",
         downhill(lambda z: np.ones(len(z)))),
        ("lam is not used", "λ/2 ‖w‖² has the slope λw: w shrinks by the factor 1 − ηλ.",
         downhill(shrink=lambda eta, lam: 1.0)),
        ("the pull pushes", "The slope of λ/2 ‖w‖² is λw, and downhill is against it: w shrinks.",
         downhill(shrink=lambda eta, lam: 1 + eta * lam)),
        ("w shrinks by λ", "The pull λw is part of the slope: the step length multiplies it too.",
         downhill(shrink=lambda eta, lam: 1 - lam)),
        ("the slope of λ‖w‖²", "There is a half in front: λ/2 ‖w‖² has the slope λw.",
         downhill(shrink=lambda eta, lam: 1 - 2 * eta * lam)),
        ("the margins are taken after shrinking",
         "One slope, at one place: take the margins at the w that was given.",
         downhill(shrink_first=True)),
        ("one example after another",
         "All examples speak at once: the margins are all those of the w that was given.",
         one_after_another),
    ],
    shapes="y * (X @ w) has n margins. A sum of rows of X with n weights is weights @ X.",
)  # fmt: skip

EXERCISES = (
    weights_from_counts,
    dual_update,
    classify_from_gram,
    perceptron_with_margin,
    step_downhill,
    vc_lines,
    vc_rectangles,
    fifth_point,
    fourth_point,
)
