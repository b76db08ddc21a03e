"""Checks of notebook 09, also its further one: each says what gives a mistaken function away.

None of them looks at the code. Each asks a question that every right answer passes: count by hand,
shuffle, copy every example, compute it in a second way, ask for a certificate.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial, wraps
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from IPython.core.getipython import get_ipython
from IPython.display import display

from kernellab.certificates import spectrum
from kernellab.datasets.shipped import load_iris
from kernellab.datasets.targets import make_bowl
from kernellab.draw import style
from kernellab.draw.picture import Picture
from kernellab.kernels import Gaussian, Linear
from kernellab.lessons.mistakes.figures.pictures import (
    alpha_over_margin,
    cases_of_train,
    coins_and_the_best,
    curve_and_star,
    eight_seeds,
    gap,
    gap_over_passes,
    gaps_by_order,
    kernel_over_distance,
    lowest_drawn,
    moved_by_a_step,
    objective_over_scale,
    once_and_twice,
    ruler_and_band,
    slope,
    two_surfaces,
)
from kernellab.live.readout import minus
from kernellab.solvers.linear import dual_coordinate_descent
from kernellab.solvers.pegasos import kernel_pegasos, pegasos
from kernellab.solvers.sdca import sdca
from kernellab.solvers.smo import smo
from kernellab.solving import solve

MENDED: dict[str, bool] = {}


def exhibit(
    check: Callable[[Any], str], *, drawn: Callable[[Any], Picture | None] | None = None
) -> Callable[[Any], None]:
    """Turn a function that returns what is wrong, or "", into one that prints it and remembers.

    In a notebook it also shows a picture of the reader's function, if one can be `drawn`.
    """

    @wraps(check)
    def judge(function: Any) -> None:
        try:
            complaint = check(function)
            if not isinstance(complaint, str):
                complaint = f'The check returns {complaint}: it needs words, or "" if all is well.'
        except Exception as error:  # of the reader's function
            complaint = f"It stops with {type(error).__name__}: {error}"
        MENDED[check.__name__] = not complaint
        print(f"✗ {minus(complaint)}" if complaint else "✓ Mended.")
        with suppress(Exception):  # what stops, or has other shapes, is told in words only
            if drawn and get_ipython() and (found := drawn(function)):
                display(found)

    return judge


def score() -> None:
    """Print how many functions passed their check, of those that were tried."""
    print(f"{sum(MENDED.values())} of {len(MENDED)} checks say ✓")


def two_clouds(n: int, seed: int, apart: float = 0.5) -> tuple[Any, Any]:
    """Return n points of the plane, half of each class, and their labels."""
    rng = np.random.default_rng(seed)
    y = np.repeat([-1.0, 1.0], n // 2)
    return rng.normal(size=(n, 2)) + apart * y[:, np.newaxis], y


def differs(a: Any, b: Any, within: float = 1e-9) -> bool:
    """Return whether two arrays differ in shape, or by more than a share of the second."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return a.shape != b.shape or not np.abs(a - b).max() <= within * max(np.abs(b).max(), 1e-300)


def apart(found: float, right: float, digits: int) -> tuple[str, str]:
    """Write two numbers with so many digits after the point, or with more until they differ."""
    while f"{found:.{digits}f}" == f"{right:.{digits}f}" and digits < 12:
        digits += 1
    return f"{found:.{digits}f}", f"{right:.{digits}f}"


# --- too good, or too bad, to be true -------------------------------------------------------------


@exhibit
def check_accuracy(accuracy: Callable[[Any, Any], float]) -> str:
    """Count by hand: of ten examples, three, six or all are right."""
    y = np.repeat([-1.0, 1.0], 5)
    for right, name in ((3, "three"), (6, "six"), (10, "all")):
        said = float(accuracy(np.where(np.arange(10) < right, 2.5 * y, -0.5 * y), y))
        if abs(said - right / 10) > 1e-12:
            return f"Of ten examples {name} are right. It says {apart(said, right / 10, 1)[0]}."
    if accuracy(0 * y, y) > 0.5:
        return "All ten scores are 0, and it calls all of them right."
    return ""


@partial(exhibit, drawn=eight_seeds)
def check_report(report: Callable[[int], float]) -> str:
    """Another seed must not give another answer; nor may it be wrong."""
    said = np.array([float(report(seed)) for seed in range(8)])
    if np.ptp(said) > 0.025:
        best, worst = said.argmax(), said.argmin()
        nearly = " Nearer than one split: average more." if np.ptp(said) < 0.05 else ""
        return f"Seed {best} says {said[best]:.0%}, seed {worst} says {said[worst]:.0%}.{nearly}"
    if abs(said.mean() - 0.9585) < 0.008:  # less than from the mean to 29 of 30
        return ""
    why = ""
    if not np.ptp(said):  # one test set has 30 flowers
        once = abs(30 * said[0] - round(30 * said[0])) < 1e-6
        fixed = ", whatever the seed: one deal is fixed, or chosen"
        why = fixed if once else ": it does not use the seed"
    return f"It says {said.mean():.1%}{why}. Over 2000 splits it is 95.9%."


@partial(exhibit, drawn=coins_and_the_best)
def check_chosen_error(chosen_error: Callable[[Any], float]) -> str:
    """Models that toss a coin are wrong half of the time, whichever is chosen."""
    rng = np.random.default_rng(4)
    said = [float(chosen_error(rng.integers(0, 2, (52, 200)).astype(float))) for _ in range(200)]
    if abs(np.mean(said) - 0.5) > 0.025:
        return (
            "All 52 models toss a coin. On average over 200 trials, "
            f"it says that the best errs in {np.mean(said):.0%}."
        )
    for _ in range(20):  # the best model is right everywhere: choosing must still find it
        wrong = rng.integers(0, 2, (52, 200)).astype(float)
        wrong[rng.integers(52)] = 0
        if (found := float(chosen_error(wrong))) != 0:
            return f"One model is never wrong, but you report {apart(found, 0, 2)[0]}."
    return ""


# --- one experiment, five slips -------------------------------------------------------------------


@exhibit
def check_test_error(test_error: Callable[..., float]) -> str:
    """Predictions that are exact have no error, and shuffled ones have more."""
    X, y = make_bowl(40)
    K = Gaussian(8.0)(X)
    some, targets = K[:30], y[:30]  # fewer test examples than training examples
    right = some @ np.linalg.solve(K + 0.5 * np.eye(40), y)
    exact = float(test_error(K, y, some, right, 0.5))
    if abs(exact) > 1e-12:
        return f"Every prediction is equal to its target. The error is {apart(exact, 0, 2)[0]}."
    shuffled = np.random.default_rng(0).permutation(30)
    as_it_is, mixed = (float(test_error(K, y, k, targets, 0.5)) for k in (some, some[shuffled]))
    if not mixed > as_it_is:
        return "The predictions were shuffled, and the error did not notice."
    error = float(np.mean((targets - right) ** 2))
    if abs(as_it_is - error) <= 1e-9:
        return ""
    return "It says {} for {}.".format(*apart(as_it_is, error, 3))


@exhibit
def check_predict(predict: Callable[..., Any]) -> str:
    """The prediction for a point must not depend on its place in the list."""
    X, y = make_bowl(30)
    Z = np.vstack([X[[7, 4, 9]], make_bowl(17, 1)[0]])  # three points were measured as well
    kernel = Gaussian(7.0)
    coef = np.linalg.solve(kernel(X) + np.eye(30), y)
    forth, back = predict(X, coef, Z, 1.0), predict(X, coef, Z[::-1], 1.0)[::-1]
    if np.shape(forth) != (20,):
        return f"For 20 points it returns the shape {np.shape(forth)}, not (20,)."
    if differs(forth, back):
        far, _ = apart(np.abs(forth - back).max(), 0, 1)
        return f"The same 20 points in reverse order: one prediction moves by {far}."
    right = kernel(Z, X) @ coef
    if not differs(forth, right):
        forth, right = predict(X, coef, X, 1.0), kernel(X) @ coef  # the same list, not a copy
        if not differs(forth, right):
            return ""
        k = np.abs(forth - right).argmax()
        found = "{}, not {}.".format(*apart(forth[k], right[k], 2))
        return f"Where y was measured, it predicts the noise too: {found}"
    elsewhere = differs(forth[3:], right[3:])
    k = 3 + np.abs(forth - right)[3:].argmax() if elsewhere else np.abs(forth - right)[:3].argmax()
    found = "{}, not {}.".format(*apart(forth[k], right[k], 2))
    if elsewhere:
        return f"At one point it predicts {found}"
    return f"Where y was measured, it predicts the noise too: {found}"


@partial(exhibit, drawn=kernel_over_distance)
def check_gaussian(gaussian: Callable[..., Any]) -> str:
    """At twice the distance, ln k must be four times as large."""
    X, _ = two_clouds(6, 2)
    if (shape := np.shape(gaussian(X, X[:4], 0.7))) != (6, 4):
        return f"Of 6 and 4 points its values have the shape {shape}, not (6, 4)."
    ratio = float(np.median(np.log(gaussian(2 * X, 0 * X, 0.7)) / np.log(gaussian(X, 0 * X, 0.7))))
    if abs(ratio - 4) > 1e-9:
        times, _ = apart(ratio, 4, 0)
        return f"At twice the distance, ln k is {times} times as large, not 4 times."
    right = Gaussian(0.7)(X, X[:4])
    found = gaussian(X, X[:4], 0.7)
    width = "wide" if np.sum(found) > right.sum() else "narrow"
    line = differs(gaussian(X[:, :1], X[:4, :1], 0.7), Gaussian(0.7)(X[:, :1], X[:4, :1]))
    where = "" if line else " in two dimensions, though not in one"
    return f"The bell is too {width}{where}." if differs(found, right) else ""


@partial(exhibit, drawn=curve_and_star)
def check_error_curve(error_curve: Callable[..., Any]) -> str:
    """Read the lowest error off the axis."""
    lowest, _ = lowest_drawn(error_curve, style.new_figure().subplots())
    return "" if lowest == 0.35 else f"The best λ is 0.35. On your axis it is at {lowest:g}."


@partial(exhibit, drawn=two_surfaces)
def check_surface(surface: Callable[..., Any]) -> str:
    """Compare one corner, then all heights, with a function that is not symmetric."""
    side = np.linspace(0, 1, 6)
    heights = np.asarray(surface(slope, side))
    if heights.shape != (6, 6):
        return f"The heights have shape {heights.shape}, not (6, 6)."
    right, corner = side**2 - 2 * side[:, np.newaxis], heights[0, -1]
    if not differs(heights, right.T):
        return f"f = x₁² − 2x₂ is 1 at (1, 0). You show {corner:g} there: its height at (0, 1)."
    if abs(corner - 1) > 1e-12:
        return f"f = x₁² − 2x₂ is 1 at (1, 0). The picture shows {corner:g} there."
    return "Not that surface." if differs(heights, right) else ""


# --- λ and its relatives --------------------------------------------------------------------------


@partial(exhibit, drawn=lambda weights: once_and_twice(weights, *two_clouds(16, 3, 1.0)))
def check_weights(weights: Callable[..., Any]) -> str:
    """If every example is there twice, the same λ must give the same w."""
    X, y = two_clouds(16, 3, 1.0)
    once, twice = weights(X, y, 2.0), weights(np.vstack([X, X]), np.append(y, y), 2.0)
    if differs(once, twice, 1e-3):
        long, _ = apart(float(np.linalg.norm(twice) / np.linalg.norm(once)), 1, 1)
        return f"Each example twice: w should stay. The same λ makes it {long} times as long."
    w = solve(dual_coordinate_descent(X, y, 1 / 32), gap=1e-9, max_passes=10_000).w
    ratio = float(np.linalg.norm(once) / np.linalg.norm(w))
    if abs(ratio - 1) > 1e-3:
        size = "large" if ratio > 1 else "small"
        long, _ = apart(ratio, 1, 1)
        return f"Copied, w stays. But it is {long} times as long as it should: C is too {size}."
    return "w is not the minimum for this λ." if differs(once, w, 1e-3) else ""


@partial(exhibit, drawn=objective_over_scale)
def check_ridge(fit: Callable[..., Any]) -> str:
    """At a minimum no direction leads downhill."""
    X, y = make_bowl(20)
    K = Gaussian(2.0)(X)

    def objective(c: Any) -> float:
        return float(0.05 * c @ K @ c + np.mean((y - K @ c) ** 2))

    coef = np.asarray(fit(K, y, 0.1))
    lowest, scale = min((objective(s * coef), s) for s in np.linspace(0.5, 1.5, 101))
    if lowest < objective(coef) - 1e-9:
        high, low = apart(objective(coef), lowest, 4)
        return (
            f"With {scale:.2f} f for f the objective falls from {high} to {low}: "
            f"λ is too {'weak' if scale < 1 else 'strong'} here."
        )
    best = objective(np.linalg.solve(K + np.eye(20), y))  # λn/2 = 1
    return "The objective is not at its minimum." if objective(coef) > best + 1e-9 else ""


@exhibit
def check_violations(violations: Callable[..., Any]) -> str:
    """The labels must matter, and the primal must count the same."""
    X, y = two_clouds(20, 0, 0.3)
    order = np.random.default_rng(0).integers(0, 20, 200)
    K = X @ X.T
    found = np.asarray(violations(K, y, 0.05, order))
    other = np.asarray(violations(K, np.random.default_rng(1).permutation(y), 0.05, order))
    if np.array_equal(found, other):
        return "The labels were dealt out anew. All counts stay as they were."
    *_, state = kernel_pegasos(K, y, 0.05, orders=[order])
    if np.array_equal(found, state.alpha):
        return ""
    before = np.zeros(20)
    for t, i in enumerate(order, start=1):
        *_, state = kernel_pegasos(K, y, 0.05, orders=[order[:t]])
        counted = np.asarray(violations(K, y, 0.05, order[:t]))
        if not np.array_equal(counted, state.alpha):
            margin = y[i] * K[i] @ (before * y) / (0.05 * max(t - 1, 1))
            pegasos_says = "no violation" if state.alpha[i] == before[i] else "a violation"
            return (
                f"At step {t} the margin of Pegasos is {apart(margin, 1, 2)[0]}: {pegasos_says}. "
                f"This counts {counted[i] - before[i]:g}."
            )
        before = state.alpha.copy()
    return "Run again, it counts otherwise."


@exhibit
def check_pegasos(fit: Callable[..., Any]) -> str:
    """One example a step is known; four copies make the step of one; of others some violate."""
    X, y = two_clouds(10, 1)
    order = np.random.default_rng(1).integers(0, 10, 200)
    *_, state = pegasos(X, y, 0.1, orders=[order])
    one = np.asarray(fit(X, y, 0.1, order[:, np.newaxis]))
    ratio = np.linalg.norm(one) / np.linalg.norm(state.w)
    if abs(ratio - 1) > 0.05:
        return f"After 200 steps of one example, w is {ratio:.1f} times as long as by Pegasos."
    if differs(one, state.w, 1e-6):
        return (
            "After 200 steps of one example, w is as long as by Pegasos, but another. "
            "Which w did the margin see?"
        )
    four = fit(X, y, 0.1, np.repeat(order[:, np.newaxis], 4, axis=1))
    if differs(four, one, 1e-6):
        return "A batch of four copies is not the step of one."
    # The first step makes w = (2, 0); in the second batch only the second example violates.
    by_hand = fit(np.diag([2.0, 1.0]), np.ones(2), 1.0, np.array([[0, 0], [0, 1]]))
    if not differs(by_hand, [1, 0.5]):
        return "It divides by those that violate, not by the whole batch."
    return "A batch of two, counted by hand, is another." if differs(by_hand, [1, 0.25]) else ""


# --- is it there yet? -----------------------------------------------------------------------------


@partial(exhibit, drawn=gap_over_passes)
def check_train(train: Callable[..., Any]) -> str:
    """Ask for the relative gap of what it returns."""
    for case, Q, C in cases_of_train():
        alpha = np.asarray(train(Q, C))
        if np.ptp(np.append(alpha, [0, C])) > C * (1 + 1e-12):
            return f"An α leaves the box from 0 to {C:g}: {alpha.min():.2g} … {alpha.max():.2g}."
        if (left := gap(Q, alpha, C)) > 0.03:
            percent, _ = apart(100 * left, 3, 0)
            return f"At {case} the relative gap is {percent}%: small steps prove nothing."
    # Of two near copies the gap is soon small, but each pass brings α only 6 % nearer to 1/1.97.
    alpha = np.asarray(train(np.array([[1, 0.97], [0.97, 1]]), 2.0))
    if np.ptp(alpha) < 1e-6:
        return "On two near copies 20 passes are enough. It goes on for 200 and more."
    return ""


@partial(exhibit, drawn=gaps_by_order)
def check_orders(orders: Callable[..., Any]) -> str:
    """Ten passes need ten orders; and a seed must give the same ten again."""
    found = [tuple(order) for order in orders(20, 10, 42)]
    if len(found) != 10 or any(sorted(order) != list(range(20)) for order in found):
        return "These are not ten orders of 0 … 19."
    for k, order in enumerate(found):
        if order in found[:k]:
            begin = ", ".join(map(str, order[:3]))
            return f"Passes {found.index(order) + 1} and {k + 1} both begin with {begin}."
    again = [tuple(order) for order in orders(20, 10, 42)]
    return "" if found == again else "The same seed gives other orders: nobody can repeat this."


# --- is it a kernel, and is it the problem? -------------------------------------------------------


@exhibit
def check_kernel(kernel: Callable[..., Any]) -> str:
    """A Gram matrix has no negative eigenvalue, and a kernel of degree 2 bends."""
    for seed in range(5):
        X, _ = two_clouds(12, seed)
        lowest = float(spectrum(kernel(X, X)).min())
        if lowest < -1e-9:
            return f"The Gram matrix of twelve points has the eigenvalue {lowest:.2g}."
    x = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    third = np.diff(kernel(x, x[1:2]).ravel(), 3)
    bent = np.diff(kernel(x, x[1:2]).ravel(), 2)
    degree_two = np.abs(third).max() < 1e-9 < np.abs(bent).min()
    return "" if degree_two else "It is no polynomial of degree 2 in x·z."


@partial(exhibit, drawn=lambda scores: moved_by_a_step(scores, *two_clouds(20, 5, 1.0)))
def check_scores(scores: Callable[..., Any]) -> str:
    """Move all points by the same step: every score must stay."""
    X, y = two_clouds(20, 5, 1.0)
    here, there = (np.asarray(scores(X + step, y, X + step, 1.0)) for step in (0, 3))
    machine = solve(smo(Linear()(X), y, 1.0), gap=1e-6, max_passes=10_000)
    if not differs(here, machine.scores - machine.b, 0.02):
        return "smo has a b: where is it in the score?"
    changed = int(np.sum(np.sign(here) != np.sign(there)))
    if changed:
        return f"All points move by (3, 3). Of 20 points {changed} change sides."
    if differs(here, there, 0.02):
        far = np.abs(here - there).max()
        return f"All points move by (3, 3). No class changes, but a score moves by {far:.2g}."
    if differs(here, machine.scores, 0.02):
        return "They do not move with the points. But they are not the scores of the dual with b."
    return ""


# --- sentences ------------------------------------------------------------------------------------


class Machine(NamedTuple):
    """A soft-margin machine: its C, and how many margin errors and support vectors it has."""

    C: float
    errors: int
    vectors: int


def machine(K: Any, y: Any, C: float, *, bias: bool) -> Machine:
    """Train a machine and count."""
    state = solve(smo(K, y, C, bias=bias), gap=1e-8, max_passes=100_000)
    errors = int(np.sum(y * state.scores < 1 - 1e-3))
    return Machine(C, errors, int(np.sum(state.alpha > 1e-6 * C)))


def real_machines() -> dict[str, list[Machine]]:
    """Train on two kinds of iris, and on five and two points of a line, with C that falls."""
    iris = load_iris(("versicolor", "virginica"))
    x, y = np.array([[-0.8], [1.4], [1.8], [0.2], [-0.2]]), np.array([1.0, 1, -1, -1, -1])
    two = np.array([[-1.0], [1.0]])
    return {
        "iris": [machine(Linear()(iris.X), iris.y, C, bias=True) for C in (100.0, 10.0, 1.0, 0.1)],
        "five points": [machine(Gaussian(1.0)(x), y, C, bias=False) for C in (7.5, 3.16)],
        "two points": [machine(two @ two.T, two[:, 0], C, bias=True) for C in (1.0, 0.01)],
    }


@exhibit
def check_sentence(holds: Callable[[Machine, Machine], bool]) -> str:
    """Try a sentence about two machines on real ones, and on one that cannot be."""
    for data, machines in real_machines().items():
        for a, b in pairwise([*machines, machines[-1]]):  # the last one is an a as well
            said = f"Your rule says False of {data}, C = {a.C:g}"
            if not holds(a, a):
                return f"{said}: {a.errors} margin errors, {a.vectors} support vectors do occur."
            if not holds(a, b):
                return (
                    f"{said} and {b.C:g}: margin errors {a.errors} and {b.errors}, "
                    f"support vectors {a.vectors} and {b.vectors}."
                )
    for errors, vectors in ((30, 9), (10, 9)):
        impossible = Machine(0.1, errors, vectors)
        if holds(impossible, impossible):
            return (
                f"Your rule says True of {errors} margin errors, {vectors} support vectors: never."
            )
    return ""


def soft_machine() -> tuple[Any, Any]:
    """Return the machine of exhibit 17, and the classes it was trained on."""
    X, y = two_clouds(40, 6)
    return solve(sdca(Gaussian(0.5)(X), y, 1.0), gap=1e-9, max_passes=20_000), y


@partial(exhibit, drawn=lambda said: alpha_over_margin(said, *soft_machine()))
def check_is_support_vector(is_support_vector: Callable[[float], bool]) -> str:
    """Tell the support vectors of a machine by their margins."""
    machine, y = soft_machine()
    margins, vectors = y * machine.scores, machine.alpha > 1e-6
    said = np.array([bool(is_support_vector(margin)) for margin in margins])
    if np.array_equal(said, vectors):
        return ""
    complaint = f"The machine has {vectors.sum()} support vectors, and this finds {said.sum()}."
    if any(np.array_equal(said, near) for near in (margins < 1, margins <= 1)):
        complaint += " (The solver rounds: margins within 0.001 of 1 count as 1.)"
    return complaint


@partial(exhibit, drawn=ruler_and_band)
def check_distance(distance: Callable[[Any], float]) -> str:
    """Measure it: lines x₂ = ±1 hold the two points (0, 1) and (0, −1) at distance 1."""
    said = float(distance(np.array([0.0, 1.0])))  # w·x = ±1 at the two points
    if abs(said - 1) > 1e-12:
        return f"The nearest points (0, 1) and (0, −1) are 1 away from the line. It says {said:g}."
    return "" if abs(float(distance(np.array([3.0, 4.0]))) - 0.2) < 1e-12 else "Not for w = (3, 4)."
