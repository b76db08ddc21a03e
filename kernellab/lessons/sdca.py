"""Exercises of notebook 05: the dual, its steps for three losses, its gap, and the whole loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab import certificates
from kernellab.lessons.choice import ChoiceExercise
from kernellab.lessons.examples import Rng, some_labels, some_vectors
from kernellab.lessons.exercise import Case, FunctionExercise, Misconception, as_numbers
from kernellab.lessons.sdca_steps import (
    hinge_step,
    smoothed_hinge_step,
    squared_hinge_step,
    step_with,
)
from kernellab.validation import FloatArray

__all__ = [
    "best_first",
    "dual_value",
    "gap_by_point",
    "hinge_step",
    "no_bias",
    "smoothed_hinge_step",
    "squared_hinge_step",
    "train",
]


def some_problem(n: int, rng: Rng) -> tuple[FloatArray, FloatArray]:
    """Draw a Gram matrix of whole numbers, and labels of both kinds."""
    X = some_vectors(n, 2, rng)
    return X @ X.T + 1, some_labels(n, rng)


# --- the dual -----------------------------------------------------------------------------------


def dual_cases(rng: Rng) -> Iterator[Case]:
    """By hand first: α = 0, then one and two α; then more."""
    K, y = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, -1.0])
    for alpha in ([0.0, 0.0], [1.0, 0.0], [1.0, 2.0]):
        yield {"K": K, "y": y, "alpha": np.array(alpha)}
    for n in 3 * (2, 3, 4, 6):
        K, y = some_problem(n, rng)
        yield {"K": K, "y": y, "alpha": rng.integers(0, 5, n) / 2}


def squared_norm(K: FloatArray, y: FloatArray, alpha: FloatArray) -> float:
    """Return ‖w‖² = (α∘y)ᵀK(α∘y)."""
    return float((alpha * y) @ K @ (alpha * y))


dual_value = FunctionExercise(
    "dual_value",
    "A warm-up. What SDCA climbs: given K (n, n), y (n,) and alpha (n,), return "
    "D(α) = Σ α_i − ½ (α∘y)ᵀ K (α∘y).",
    [
        "Two terms: one is a sum, the other a number that n² products make.",
        "∘ multiplies entry by entry: alpha * y are the signed weights of w.",
        "Their quadratic form is c @ K @ c with c = alpha * y, and that is ‖w‖².",
        "alpha.sum() - (alpha * y) @ K @ (alpha * y) / 2",
    ],
    "Any feasible α puts D(α) below every P(w): the first half of a certificate, for free.",
    cases=dual_cases,
    solution=lambda K, y, alpha: alpha.sum() - squared_norm(K, y, alpha) / 2,
    misconceptions=[
        Misconception(
            "the half is forgotten",
            "½‖w‖² comes from the primal's ½‖w‖², and stays a half.",
            lambda K, y, alpha: alpha.sum() - squared_norm(K, y, alpha),
        ),
        Misconception(
            "the labels are left out",
            "w = Σ α_i y_i φ(x_i): the quadratic form is in α∘y, not in α.",
            lambda K, y, alpha: alpha.sum() - alpha @ K @ alpha / 2,
        ),
        Misconception(
            "the labels are in the first term too",
            "The first term is Σ α_i. With a bias Σ α_i y_i would be zero, a constraint.",
            lambda K, y, alpha: (alpha * y).sum() - squared_norm(K, y, alpha) / 2,
        ),
        Misconception(
            "the sign of the second term",
            "The dual is concave: a long w costs.",
            lambda K, y, alpha: alpha.sum() + squared_norm(K, y, alpha) / 2,
        ),
        Misconception(
            "only the diagonal of K",
            "All pairs interact: Σ_i Σ_j, not only i = j.",
            lambda K, y, alpha: alpha.sum() - (alpha**2 * np.diag(K)).sum() / 2,
        ),
        Misconception(
            "the dual upside down",
            "This is −D, which one would minimise; D itself is maximised.",
            lambda K, y, alpha: squared_norm(K, y, alpha) / 2 - alpha.sum(),
        ),
        Misconception(
            "the labels are in the second term once only",
            "Both sides of K are α∘y: y_i y_j stands at K_ij.",
            lambda K, y, alpha: alpha.sum() - (alpha * y) @ K @ alpha / 2,
        ),
        Misconception(
            "K entry by entry",
            "c * K multiplies entry by entry; the quadratic form is c @ K @ c.",
            lambda K, y, alpha: alpha.sum() - ((alpha * y) * K * (alpha * y)).sum() / 2,
        ),
        Misconception(
            "a mean instead of a sum",
            "In C-form the losses are summed, and so are the α.",
            lambda K, y, alpha: alpha.mean() - squared_norm(K, y, alpha) / 2,
        ),
    ],
    shapes="alpha * y is (n,): c @ K @ c is one number.",
)


# --- the gap, point by point --------------------------------------------------------------------


def gap_cases(rng: Rng) -> Iterator[Case]:
    """Scores that belong to an α; margins below, at and above 1; α at both ends and between."""
    K, y = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, -1.0])
    for values, C in (([0.0, 0.0], 1.0), ([1.0, 0.0], 1.0), ([0.5, 1.0], 2.0)):
        alpha = np.array(values)
        yield {"scores": K @ (alpha * y), "y": y, "alpha": alpha, "C": C}
    for n in 3 * (2, 3, 5, 8):
        K, y = some_problem(n, rng)
        C = float(rng.choice([0.5, 1.0, 4.0]))
        alpha = C * rng.choice([0.0, 0.25, 0.5, 1.0], n)
        yield {"scores": K @ (alpha * y) / 4, "y": y, "alpha": alpha, "C": C}


def gap_with(
    *,
    cost: bool = True,
    label: bool = True,
    clip: bool = True,
    share: float = 1.0,
    minus: bool = True,
) -> Callable[..., FloatArray]:
    """Return terms of a gap with something missing."""

    def idea(scores: FloatArray, y: FloatArray, alpha: FloatArray, C: float) -> FloatArray:
        z = y * scores if label else scores
        losses = np.maximum(0, 1 - z) if clip else 1 - z
        terms: FloatArray = share * alpha * z + (C if cost else 1) * losses
        return terms - alpha if minus else terms

    return idea


gap_by_point = FunctionExercise(
    "gap_by_point",
    "The gap without K: given scores f_i = f(x_i) (n,), y (n,), alpha (n,) and C, return n "
    "numbers ≥ 0 whose sum is P − D, with P = ½‖w‖² + C Σ max(0, 1 − y_i f_i) at the w of α.",
    [
        "‖w‖² = Σ α_i y_i f_i: why? It needs the scores, and no K.",
        "P − D = ‖w‖² + C Σ max(0, 1 − y_i f_i) − Σ α_i: both halves of ‖w‖² are in it.",
        "Each term of the sum belongs to one i: α_i y_i f_i + C max(0, 1 − y_i f_i) − α_i.",
        "z = y * scores; alpha * z + C * np.maximum(0, 1 - z) - alpha",
    ],
    "The terms are zero exactly where the KKT conditions hold, so they say which examples are "
    "still owed a step; and they cost n operations, not n².",
    cases=gap_cases,
    solution=lambda scores, y, alpha, C: certificates.gap_terms(scores, y, alpha, C),
    misconceptions=[
        Misconception(
            "C is left out",
            "The losses cost C each, in P; α may go up to C, in D.",
            gap_with(cost=False),
        ),
        Misconception(
            "the labels are left out",
            "Only margins y_i f_i count, in ‖w‖² and in the losses.",
            gap_with(label=False),
        ),
        Misconception(
            "margins above 1 are rewarded",
            "The hinge is max(0, 1 − z): beyond 1 there is nothing to pay, and nothing to gain.",
            gap_with(clip=False),
        ),
        Misconception(
            "only half of ‖w‖²",
            "P has +½‖w‖² and D has −½‖w‖²: the difference has all of it.",
            gap_with(share=0.5),
        ),
        Misconception(
            "P without D",
            "D = Σ α_i − ½‖w‖² is to be subtracted: −α_i is missing.",
            gap_with(minus=False),
        ),
        Misconception(
            "the halves of ‖w‖² cancel",
            "P has +½‖w‖² and D has −½‖w‖²; D is subtracted, so they add up.",
            gap_with(share=0.0),
        ),
        Misconception(
            "margins above 1 owe nothing",
            "They do if α_i > 0: the term is then α_i (y_i f_i − 1).",
            lambda scores, y, alpha, C: (C - alpha) * np.maximum(0, 1 - y * scores),
        ),
        Misconception(
            "in λ-form",
            "P and D are in C-form here: nothing is divided by C n.",
            lambda scores, y, alpha, C: gap_with()(scores, y, alpha, C) / (C * len(y)),
        ),
        Misconception(
            "D − P",
            "P is above D, so P − D is positive: turn all signs.",
            lambda scores, y, alpha, C: -gap_with()(scores, y, alpha, C),
        ),
        Misconception(
            "the losses alone",
            "That is what P has of each point; ‖w‖² and D belong to the gap too.",
            lambda scores, y, alpha, C: C * np.maximum(0, 1 - y * scores),
        ),
        Misconception(
            "one number for all",
            "The sum is the gap; asked for are its n terms.",
            lambda scores, y, alpha, C: gap_with()(scores, y, alpha, C).sum(),
        ),
    ],
    shapes="Everything but C is (n,), and so is the answer: nothing is summed.",
)


# --- which one next -----------------------------------------------------------------------------


def order_cases(rng: Rng) -> Iterator[Case]:
    """Two and three examples by hand; then at random, some of them at the ends of their box."""
    yield {
        "K_diag": np.array([1.0, 1.0]), "y": np.array([1.0, -1.0]),
        "scores": np.array([0.5, 0.0]), "alpha": np.zeros(2), "C": 1.0,
    }  # fmt: skip
    yield {
        "K_diag": np.array([1.0, 3.0, 1.0]), "y": np.array([1.0, -1.0, 1.0]),
        "scores": np.array([0.5, 0.0, 3.0]), "alpha": np.zeros(3), "C": 9.0,
    }  # fmt: skip
    yield {  # the worst margin is that of an α at its bound
        "K_diag": np.array([1.0, 1.0]), "y": np.array([1.0, -1.0]),
        "scores": np.array([-3.0, 0.5]), "alpha": np.array([1.0, 0.0]), "C": 1.0,
    }  # fmt: skip
    for f in (2.0, 0.9):  # a long way on a falling slope, and a short one on a steep slope
        yield {
            "K_diag": np.array([1.0, 1.0]), "y": np.array([1.0, -1.0]),
            "scores": np.array([0.0, f]), "alpha": np.array([0.0, 0.7]), "C": 1.0,
        }  # fmt: skip
    for n in 3 * (3, 4, 5, 8):
        yield distinct_gains(n, rng)


def distinct_gains(n: int, rng: Rng) -> Case:
    """Draw until no two examples gain the same, so that a wrong order is seen for what it is."""
    while True:
        C = float(rng.choice([0.5, 1.0, 4.0]))
        case: dict[str, Any] = {
            "K_diag": rng.uniform(0.5, 4, n), "y": rng.choice([-1.0, 1.0], n),
            "scores": rng.normal(size=n), "alpha": C * rng.choice([0.0, 0.3, 0.7, 1.0], n), "C": C,
        }  # fmt: skip
        if len(np.unique(gains(**case))) == n:
            return case


def gains(
    K_diag: FloatArray, y: FloatArray, scores: FloatArray, alpha: FloatArray, C: float
) -> FloatArray:
    """Return by how much a step of each α_i alone would raise the dual."""
    slope = 1 - y * scores
    step = np.clip(alpha + slope / K_diag, 0, C) - alpha
    return np.asarray(step * slope - step * step * K_diag / 2)


def by(measure: Callable[..., FloatArray]) -> Callable[..., Any]:
    """Return an order by something, the largest first."""
    return lambda K_diag, y, scores, alpha, C: np.argsort(
        -measure(K_diag, y, scores, alpha, C), kind="stable"
    )


def clipped_step(K_diag: Any, y: Any, scores: Any, alpha: Any, C: float) -> Any:
    """Return how far each α_i would go."""
    return np.clip(alpha + (1 - y * scores) / K_diag, 0, C) - alpha


def judge_order(case: Case, answer: Any) -> str | None:
    """Any order is right in which the gains never rise."""
    gain, n = gains(**case), len(case["y"])
    order = as_numbers(answer)
    if order is None or order.shape != (n,) or sorted(order.tolist()) != list(range(n)):
        return f"expected the numbers 0 … {n - 1}, each once, in some order\nyours    {answer}"
    found = gain[order.astype(int)]
    if (np.diff(found) > 1e-9).any():
        k = int(np.argmax(np.diff(found) > 1e-9))
        first, then = (int(order[j]) for j in (k, k + 1))
        return (
            f"expected {np.argsort(-gain, kind='stable')}\nyours    {order.astype(int)}\n"
            f"Example {first} comes before {then}, but a step of it raises the dual by "
            f"{found[k] + 0.0:.4g}, one of {then} by {found[k + 1]:.4g}."
        )
    return None


best_first = FunctionExercise(
    "best_first",
    "An order of importance: given K_diag (n,), y (n,), scores (n,), alpha (n,) and C, return the "
    "indices 0 … n − 1 so that the example whose own step would raise the dual most comes first. "
    "All K_ii are positive here.",
    [
        "Along α_i alone the dual is a parabola. What is its slope at the present α_i?",
        "Slope 1 − y_i f_i, curvature −K_ii: a move by δ gains δ (1 − y_i f_i) − ½ δ² K_ii.",
        "δ is the step as it is taken, clipped: clip(α_i + (1 − y_i f_i)/K_ii, 0, C) − α_i.",
        "np.argsort(-(delta * slope - delta**2 * K_diag / 2))",
    ],
    "To know the best costs a look at all n scores, about as much as a step: the choice pays if it "
    "saves more than half of the steps. Lesson and picture count them.",
    cases=order_cases,
    solution=by(gains),
    judge=judge_order,
    misconceptions=[
        Misconception(
            "the worst margin first",
            "A large slope is worth nothing if α_i is at its bound, or the curvature stops it "
            "early: compare the gains.",
            by(lambda K_diag, y, scores, alpha, C: 1 - y * scores),
        ),
        Misconception(
            "the longest step first",
            "Where K_ii is small a long step gains little: compare gains, not lengths.",
            by(lambda *case: np.abs(clipped_step(*case))),
        ),
        Misconception(
            "the step is not clipped",
            "What counts is the step that will be taken: an α_i at its bound gains nothing.",
            by(lambda K_diag, y, scores, alpha, C: (1 - y * scores) ** 2 / K_diag),
        ),
        Misconception(
            "the smallest gain first",
            "argsort sorts upwards: turn it round, or sort the negative gains.",
            by(lambda *case: -gains(*case)),
        ),
        Misconception(
            "the curvature is left out",
            "The slope falls on the way: a move by δ gains δ (slope) − ½ δ² K_ii.",
            by(
                lambda K_diag, y, scores, alpha, C: (
                    clipped_step(K_diag, y, scores, alpha, C) * (1 - y * scores)
                )
            ),
        ),
        Misconception(
            "the half is left out",
            "On the way the slope falls from 1 − y_i f_i evenly: a move by δ loses ½ δ² K_ii.",
            by(
                lambda K_diag, y, scores, alpha, C: (
                    clipped_step(K_diag, y, scores, alpha, C) * (1 - y * scores)
                    - clipped_step(K_diag, y, scores, alpha, C) ** 2 * K_diag
                )
            ),
        ),
        Misconception(
            "the steepest first",
            "A steep slope gains little where K_ii is large or the bound is near: compare gains.",
            by(lambda K_diag, y, scores, alpha, C: np.abs(1 - y * scores)),
        ),
        Misconception(
            "ranks instead of an order",
            "argsort once gives the indices in their order; argsort of that gives ranks.",
            lambda *case, **named: np.argsort(by(gains)(*case, **named)),
        ),
        Misconception(
            "the largest α first",
            "α_i says what an example weighs now, not what a step of it would change.",
            by(lambda K_diag, y, scores, alpha, C: alpha),
        ),
        Misconception(
            "the gap term instead of the gain",
            "The gap of a point says what is owed there; one step need not pay it: compare gains.",
            by(lambda K_diag, y, scores, alpha, C: certificates.gap_terms(scores, y, alpha, C)),
        ),
    ],
    shapes="Everything but C is (n,); the answer is n whole numbers.",
)


# --- why there is no bias -----------------------------------------------------------------------


no_bias = ChoiceExercise(
    "no_bias",
    "SDCA as you know it has no bias. With f(x) = w·φ(x) + b and a free b, what becomes of it, and "
    "why? (a) Nothing changes: b is fitted at the end. (b) A step of one α_i is no longer "
    "possible. (c) The dual has no maximum any more. (d) The steps get shorter, by a factor n.\n"
    "Because: (1) b is a sum over all examples, so each step would cost n. (2) The best b makes "
    "the dual linear in α. (3) A free b demands Σ α_i y_i = 0, which a move of one α_i breaks. "
    "(4) Without a penalty on b, ‖w‖ grows without end.",
    [
        "Write the Lagrangian with b. Where does b appear?",
        "Only in −b Σ α_i y_i. Over all b, when is the minimum of that finite?",
        "So Σ α_i y_i = 0 is a condition on α. Start from an α that meets it and move one entry.",
        "Two entries must move together: that is what SMO does. A letter, and number 3.",
    ],
    "It is the whole difference between SDCA and SMO: two coordinates at a time, so that the sum "
    "stays zero. Without a bias, or with one that is penalised, one coordinate is enough.",
    choices={
        "a": "nothing changes",
        "b": "a step of one α_i is no longer possible",
        "c": "the dual has no maximum",
        "d": "the steps get shorter",
    },
    reasons={
        "1": "each step would cost n",
        "2": "the dual becomes linear in α",
        "3": "Σ α_i y_i = 0, which a move of one α_i breaks",
        "4": "‖w‖ grows without end",
    },
    answer=("b", "3"),
    refuted={
        "a": (
            "a bias can be fitted at the end",
            "A b found afterwards belongs to a w that was found without it: both have to be right "
            "together, and the pair would carry no certificate.",
        ),
        "c": (
            "a free bias makes the problem unbounded",
            "With both classes present there is a best b, and strong duality holds as before.",
        ),
        "d": (
            "a bias slows the steps down",
            "There is no shorter step either: in Σ α_i y_i = 0 no direction moves one α_i only.",
        ),
    },
    not_because={
        "1": "Scores are kept in every step anyway, and b would be one more number.",
        "2": "The quadratic form stays as it is; a condition comes on top.",
        "4": "‖w‖ is penalised as before; only b is free.",
    },
)


# --- all of it ----------------------------------------------------------------------------------


def training_cases(rng: Rng) -> Iterator[Case]:
    """One step, one pass, passes in given orders; an example may be absent, or come twice."""
    K, y = np.array([[2.0, 1.0], [1.0, 4.0]]), np.array([1.0, -1.0])
    for by_hand in ([[0]], [[0, 1]], [[0, 1], [1, 0]]):
        yield {"K": K, "y": y, "C": 1.0, "orders": np.array(by_hand)}
    for n, passes in 3 * ((2, 1), (3, 2), (4, 3), (6, 5)):
        K, y = some_problem(n, rng)
        C = float(rng.choice([0.125, 0.5, 1.0, 4.0]))
        orders = np.array([rng.permutation(n) for _ in range(passes)])
        yield {"K": K, "y": y, "C": C, "orders": orders}


exact_step = step_with()


def train_with(
    *,
    clip: bool = True,
    stale: bool = False,
    first_order: bool = False,
    step: Callable[..., float] = exact_step,
    halves: bool = True,
    finish: Callable[[FloatArray, FloatArray], FloatArray] = lambda alpha, y: alpha,
) -> Callable[..., Any]:
    """Return an ascent with something else in it."""

    def idea(K: FloatArray, y: FloatArray, C: float, orders: Any) -> Any:
        alpha = np.zeros(len(y))
        scores = np.zeros(len(y))
        for order in orders:
            order = orders[0] if first_order else order
            for place, i in enumerate(order):
                if not stale or place == 0:
                    scores = K @ (alpha * y)
                new = step(float(alpha[i]), float(y[i]), float(scores[i]), float(K[i, i]), C)
                alpha[i] = new if clip else alpha[i] + (1 - y[i] * scores[i]) / K[i, i]
        scores = K @ (alpha * y)
        gap = float(gap_with(share=1.0 if halves else 0.5)(scores, y, alpha, C).sum())
        return finish(alpha, y), gap

    return idea


def train_on_kept_scores(change: Callable[[float, float, float], float]) -> Callable[..., Any]:
    """Return an ascent that adds something else to its scores after a step."""

    def idea(K: FloatArray, y: FloatArray, C: float, orders: Any) -> Any:
        alpha, scores = np.zeros(len(y)), np.zeros(len(y))
        for i in np.ravel(orders):
            old = float(alpha[i])
            alpha[i] = exact_step(old, float(y[i]), float(scores[i]), float(K[i, i]), C)
            scores += change(old, float(alpha[i]), float(y[i])) * K[i]
        return alpha, float(gap_with()(scores, y, alpha, C).sum())

    return idea


train = FunctionExercise(
    "train",
    "A small project: SDCA with its certificate. Given K (n, n) with K_ii > 0, y (n,), C and "
    "orders (passes, n), the examples of each pass in turn, start from alpha = 0, take all steps, "
    "and return two things: alpha (n,), and the duality gap P − D at the end, not divided by "
    "anything.",
    [
        "hinge_step is the inside of two loops. What must happen to the scores after a step?",
        "All f_j change when α_i does: f_j += (new − old) y_i K_ij. Or compute K @ (alpha * y).",
        "At the end sum gap_by_point over all examples, with the scores of the last alpha.",
        "for order in orders: for i in order: f = K[i] @ (alpha * y); alpha[i] = "
        "clip(alpha[i] + (1 - y[i] * f) / K[i, i], 0, C)",
    ],
    "A dozen lines, and each run ends with a proof of how far it is from the best. That is the "
    "difference between stopping and being done.",
    cases=training_cases,
    solution=train_with(),
    parts=("alpha", "gap"),
    misconceptions=[
        Misconception(
            "scores are computed once a pass",
            "A step changes all scores, already for the next example of the same pass.",
            train_with(stale=True),
        ),
        Misconception(
            "the steps are not clipped",
            "0 ≤ α_i ≤ C in every step; clipping once at the end is something else.",
            train_with(clip=False),
        ),
        Misconception(
            "clipped at 1",
            "The slope a of the lesson's lines goes up to 1, but α_i = C a: the box is 0 … C.",
            train_with(step=step_with(top=lambda C: 1.0)),
        ),
        Misconception(
            "every pass in the first order",
            "One permutation used for all passes is in print: take orders[p] in pass p.",
            train_with(first_order=True),
        ),
        Misconception(
            "not divided by K_ii",
            "The parabola's curvature is K_ii: the step is (1 − y_i f_i)/K_ii.",
            train_with(step=step_with(divide=lambda k: 1.0)),
        ),
        Misconception(
            "signed weights are returned",
            "α itself is asked for, between 0 and C.",
            train_with(finish=lambda alpha, y: alpha * y),
        ),
        Misconception(
            "only half of ‖w‖² in the gap",
            "P − D has all of ‖w‖²: a half from P, and a half from D.",
            train_with(halves=False),
        ),
        Misconception(
            "the scores never change",
            "Is the old α_i gone before new − old is taken? Keep it.",
            train_on_kept_scores(lambda old, new, label: 0.0),
        ),
        Misconception(
            "all of α_i is added to the scores",
            "What α_i had before is in them already: f_j += (new − old) y_i K_ij.",
            train_on_kept_scores(lambda old, new, label: new * label),
        ),
        Misconception(
            "the scores forget the label",
            "f_j += (new − old) y_i K_ij: the label of the example that moved.",
            train_on_kept_scores(lambda old, new, label: new - old),
        ),
        Misconception(
            "only the first pass",
            "orders has one row a pass: take all of them.",
            lambda K, y, C, orders: train_with()(K, y, C, orders[:1]),
        ),
        Misconception(
            "the examples in turn",
            "orders says whose turn it is: take i from it, not from 0 … n − 1.",
            lambda K, y, C, orders: train_with()(K, y, C, [range(len(y))] * len(orders)),
        ),
        Misconception(
            "the other order",
            "First α, then the gap.",
            lambda K, y, C, orders: train_with()(K, y, C, orders)[::-1],
        ),
        Misconception(
            "P without D",
            "P alone says nothing about how far it is from the best: subtract D(α).",
            lambda K, y, C, orders: primal_only(K, y, C, train_with()(K, y, C, orders)[0]),
        ),
        Misconception(
            "the gap of before the last pass",
            "After the last step the scores are others: compute the gap of the α you return.",
            lambda K, y, C, orders: (
                train_with()(K, y, C, orders)[0],
                train_with()(K, y, C, orders[:-1])[1],
            ),
        ),
        Misconception(
            "the gap in λ-form",
            "P − D in C-form is asked for, divided by nothing.",
            lambda K, y, C, orders: (
                train_with()(K, y, C, orders)[0],
                train_with()(K, y, C, orders)[1] / (C * len(y)),
            ),
        ),
        Misconception(
            "the relative gap",
            "P − D itself is asked for; the package divides it by the size of P.",
            lambda K, y, C, orders: relative(K, y, C, *train_with()(K, y, C, orders)),
        ),
    ],
    shapes="alpha * y and a row of K are both (n,); orders has one row a pass.",
)


def relative(K: FloatArray, y: FloatArray, C: float, alpha: FloatArray, gap: float) -> Any:
    """Return α, and its gap as a share of P."""
    return alpha, gap / max(primal_only(K, y, C, alpha)[1], 1e-12)


def primal_only(K: FloatArray, y: FloatArray, C: float, alpha: FloatArray) -> Any:
    """Return α, and P."""
    losses = np.maximum(0, 1 - y * (K @ (alpha * y))).sum()
    return alpha, squared_norm(K, y, alpha) / 2 + C * losses


EXERCISES = (
    dual_value,
    hinge_step,
    gap_by_point,
    squared_hinge_step,
    smoothed_hinge_step,
    best_first,
    no_bias,
    train,
)
