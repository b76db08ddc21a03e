"""Exercises of notebook 08: problems counted, slopes, memory, a budget of time, sums of blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isqrt
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng, some_vectors
from kernellab.exercises.exercise import Case, FunctionExercise
from kernellab.lessons.scale.theory.growth import power_law
from kernellab.validation import FloatArray

__all__ = [
    "choose_m",
    "held_out_errors",
    "largest_n",
    "overtakes",
    "pairs_against_rest",
    "step_in_common",
    "takes_over",
]

Sent = tuple[FloatArray, FloatArray, float, int]  # ZᵀZ, Zᵀy, yᵀy and n of a block


# --- pairs or one against the rest ----------------------------------------------------------------


def reduction_cases(rng: Rng) -> Iterator[Case]:
    """Two classes, three, ten; then others."""
    for q, p in ((2, 1), (3, 2), (10, 1), (10, 2), (10, 3), (4, 1.5)):
        yield {"q": q, "p": float(p)}
    for _ in range(6):
        yield {"q": int(rng.integers(3, 30)), "p": float(rng.choice([1, 1.5, 2, 2.5, 3]))}


pairs_against_rest = FunctionExercise(
    "pairs_against_rest",
    "A warm-up. There are q classes of equal size, and a problem of k examples takes k^p seconds. "
    "Return the time of all pairs of classes over the time of one against the rest.",
    [
        "How many problems has each? And how many of all n examples has one of them?",
        "Pairs: q(q − 1)/2 problems of 2n/q examples. One against the rest: q problems of n.",
        "Divide; n^p goes away.",
        "(q - 1) / 2 * (2 / q) ** p",
    ],
    "For p = 2 and ten classes the 45 small problems take a fifth of the ten large ones. At p = 1 "
    "it is nine tenths.",
    cases=reduction_cases,
    solution=lambda q, p: (q - 1) / 2 * (2 / q) ** p,
    misconceptions=[
        ("every pair with all the examples", "A pair has the examples of two classes only, 2n/q.",
         lambda q, p: (q - 1) / 2),
        ("a pair has one class", "A pair has the examples of both its classes: 2n/q, not n/q.",
         lambda q, p: (q - 1) / 2 * (1 / q) ** p),
        ("always ten classes", "There are q classes: q(q − 1)/2 pairs, each of 2n/q examples.",
         lambda q, p: 45 / 10 * 0.2**p),
        ("a fifth, as with ten classes",
         "A fifth is for ten classes. Of q classes a pair has the share 2/q.",
         lambda q, p: (q - 1) / 2 / 5**p),
        ("each pair twice", "3 against 8 and 8 against 3 are one problem: q(q − 1)/2.",
         lambda q, p: (q - 1) * (2 / q) ** p),
        ("every class with every class",
         "q² counts each pair twice, and each class with itself: q(q − 1)/2.",
         lambda q, p: q * (2 / q) ** p),
        ("classes against themselves", "A class against itself is no problem: q(q − 1)/2.",
         lambda q, p: (q + 1) / 2 * (2 / q) ** p),
        ("the other way round", "Asked for is the time of the pairs over the other.",
         lambda q, p: 2 / (q - 1) * (q / 2) ** p),
        ("one problem against the rest",
         "One against the rest is a problem *for each* class: q of them.",
         lambda q, p: q * (q - 1) / 2 * (2 / q) ** p),
        ("time in proportion to n", "A problem of k examples takes k^p, not k.",
         lambda q, p: (q - 1) / q),
        ("the power of the number of problems",
         "Only the examples of a problem are raised to p; the problems come one after another.",
         lambda q, p: ((q - 1) / 2 * 2 / q) ** p),
    ],
    shapes="Both arguments are single numbers, and so is the answer.",
)  # fmt: skip


# --- slopes ---------------------------------------------------------------------------------------


def mixture_cases(rng: Rng) -> Iterator[Case]:
    """Both kinds of work alike at n = 1, the cube alike at 2, at a half; then others."""
    for a, b in ((1.0, 1.0), (2.0, 1.0), (1.0, 2.0)):
        yield mixture(a, b, 1.0, 2.0)
    for _ in range(9):
        few = np.sort(rng.choice([100.0, 200, 500, 1000, 2000, 5000, 10_000], 2, replace=False))
        yield mixture(rng.choice([2e-8, 5e-8, 1e-7]), rng.choice([1e-11, 2e-11, 5e-11]), *few)


def mixture(a: float, b: float, *n: float) -> Case:
    """Return sizes, and the seconds a n² + b n³ of each."""
    sizes = np.array(n)
    return {"n": sizes, "seconds": a * sizes**2 + b * sizes**3}


def line(x: Any, y: Any) -> tuple[float, float]:
    """Return slope and intercept of a straight line."""
    slope, intercept = np.polyfit(x, y, 1)
    return float(slope), float(intercept)


def takeover(n: Any, seconds: Any, *, power: int = 2) -> Any:
    """Return intercept over slope of seconds / n^power."""
    slope, intercept = line(n, seconds / n**power)
    return intercept / slope


takes_over = FunctionExercise(
    "takes_over",
    "Kernel ridge does two kinds of work, so that seconds = a n² + b n³. It was timed at two sizes "
    "`n` (2,): `seconds` (2,). Return the n at which both kinds take the same time.",
    [
        "Which equation do a and b fulfil at the n that is asked for?",
        "a n² = b n³ at n = a / b. And two sizes are two equations for a and b.",
        "Divide the seconds by n²: a + b n is a straight line in n.",
        "b, a = np.polyfit(n, seconds / n**2, 1); a / b",
    ],
    "There the slope on two logarithmic axes is halfway, 2.5. Who measures below it reads a slope "
    "near 2, and promises too little.",
    cases=mixture_cases,
    solution=takeover,
    misconceptions=[
        ("the other way round", "a n² = b n³ gives n = a / b.",
         lambda n, seconds: 1 / takeover(n, seconds)),
        ("divided by n only", "seconds / n is a n + b n², no straight line: divide by n².",
         lambda n, seconds: takeover(n, seconds, power=1)),
        ("divided by n³", "seconds / n³ is a / n + b, no straight line in n: divide by n².",
         lambda n, seconds: takeover(n, seconds, power=3)),
        ("a and b from seconds as they are", "A straight line through seconds is for a + b n.",
         lambda n, seconds: takeover(n, seconds, power=0)),
        ("the exponent", "That is the mean slope between two sizes. Asked for is a size.",
         lambda n, seconds: power_law(n, seconds).exponent),
        ("the factor of one power law",
         "One power law has no n where it turns: these are two, a n² + b n³.",
         lambda n, seconds: power_law(n, seconds).factor),
        ("the root", "a n² = b n³: after dividing by n² one n is left, and no root.",
         lambda n, seconds: np.sqrt(takeover(n, seconds))),
        ("each size has one kind of work",
         "At every size there are both kinds: two equations for a and b.",
         lambda n, seconds: seconds[0] / n[0] ** 2 * n[1] ** 3 / seconds[1]),
        ("each size has one kind of work, the other way round",
         "At every size there are both kinds: two equations for a and b.",
         lambda n, seconds: seconds[1] / n[1] ** 2 * n[0] ** 3 / seconds[0]),
        ("the n² alone", "That is a. The other unknown, b, is needed as well.",
         lambda n, seconds: line(n, seconds / n**2)[1]),
    ],
    shapes="n and seconds are (2,), and the answer is one number.",
)  # fmt: skip


def race_cases(rng: Rng) -> Iterator[Case]:
    """n² against n, which meet at 10 000, and at 10; then measured times, which are not exact."""
    n = np.array([100.0, 1000.0])
    yield {"n": n, "first": 1e-7 * n**2, "second": 1e-3 * n}
    yield {"n": n, "first": 1e-5 * n, "second": 1e-6 * n**2}
    for count in 4 * (3, 4, 5):
        n = np.sort(rng.choice([100.0, 200, 500, 1000, 2000, 5000, 10_000], count, replace=False))
        meet, powers = rng.choice([300, 3000, 30_000]), rng.permutation([[1.0, 2.0], [1.3, 2.6]][
            int(rng.integers(2))
        ])  # fmt: skip
        times = [
            0.1 * (n / meet) ** power * np.exp(0.1 * rng.normal(size=count)) for power in powers
        ]
        first, second = (np.array([float(f"{t:.3g}") for t in some]) for some in times)
        yield {"n": n, "first": first, "second": second}


def laws(n: Any, first: Any, second: Any) -> tuple[float, float]:
    """Return by how much slope and intercept of the first law are above those of the second."""
    return line(np.log(n), np.log(first / second))


def meeting(n: Any, first: Any, second: Any) -> Any:
    """Return where two power laws meet."""
    slope, intercept = laws(n, first, second)
    return np.exp(-intercept / slope)


def ends(n: FloatArray, first: FloatArray, second: FloatArray) -> Any:
    """Return where the laws through the first and the last size alone meet."""
    return meeting(n[[0, -1]], first[[0, -1]], second[[0, -1]])


BETWEEN = "np.interp stays between the measured sizes. A fitted line goes on beyond them."


def after(n: FloatArray, first: FloatArray, second: FloatArray) -> Any:
    """Return the first size at which the other one leads, the last if there is none."""
    changed = (first > second) != (first[0] > second[0])
    return n[np.argmax(changed)] if changed.any() else n[-1]


def joined(places: Any, ahead: Any) -> Any:
    """Return where lines from point to point are at 0; np.interp needs them to rise."""
    order = 1 if ahead[0] < ahead[-1] else -1
    return np.interp(0, ahead[::order], places[::order])


overtakes = FunctionExercise(
    "overtakes",
    "Two learners were timed at the sizes `n` (k,): `first` (k,) and `second` (k,) seconds. Fit a "
    "power law to each, and return the n at which they take the same time, measured or not.",
    [
        "On two logarithmic axes each law is a straight line. Where do two lines meet?",
        "p log n + a = q log n + b. Solve for log n.",
        "log n = (b − a) / (p − q); and n is the exponential of that.",
        "p, a = np.polyfit(np.log(n), np.log(first), 1); q, b = np.polyfit(np.log(n), "
        "np.log(second), 1); np.exp((b - a) / (p - q))",
    ],
    "The smaller slope wins in the end. The factors only say when.",
    cases=race_cases,
    solution=meeting,
    misconceptions=[
        ("lines without logarithms", "A power law is straight on two logarithmic axes only.",
         lambda n, first, second: np.divide(*line(n, second - first)[::-1]) * -1),
        ("log n is returned", "That is log n: take the exponential.",
         lambda n, first, second: np.log(meeting(n, first, second))),
        ("the sign", "p log n + a = q log n + b: a and p are on the same side.",
         lambda n, first, second: 1 / meeting(n, first, second)),
        ("the factors alone", "The quotient of the factors still needs the root of p − q.",
         lambda n, first, second: np.exp(-laws(n, first, second)[1])),
        ("10 to a natural logarithm", "np.log is undone by np.exp, np.log10 by 10 **.",
         lambda n, first, second: 10 ** np.log(meeting(n, first, second))),
        ("slopes added", "Bring both slopes to one side: their difference.",
         lambda n, first, second: np.exp(
             -laws(n, first, second)[1]
             / (power_law(n, first).exponent + power_law(n, second).exponent)
         )),
        ("the first and the last size alone", "Least squares asks all sizes.", ends),
        ("the closest measured size", "The lines may meet between two sizes, or beyond all.",
         lambda n, first, second: n[np.argmin(abs(np.log(first / second)))]),
        ("the first measured size after the crossing",
         "The lines meet before it, at a size that perhaps nobody measured.", after),
        ("the logarithm of n alone", "The seconds, too: log seconds on log n.",
         lambda n, first, second: np.exp(
             -np.divide(*line(np.log(n), first - second)[::-1])
         )),
        ("joined, and no line fitted", BETWEEN,
         lambda n, first, second: joined(n, np.log(first / second))),
        ("joined, on axes without logarithms", BETWEEN,
         lambda n, first, second: joined(n, first - second)),
        ("joined, and the points do not rise", BETWEEN + " And it needs points that rise.",
         lambda n, first, second: np.interp(0, np.log(first / second), n)),
        ("joined, on log n", BETWEEN,
         lambda n, first, second: np.exp(joined(np.log(n), np.log(first / second)))),
    ],
    shapes="All three are (k,), and the answer is one number.",
)  # fmt: skip


# --- memory ---------------------------------------------------------------------------------------


def memory_cases(rng: Rng) -> Iterator[Case]:
    """A matrix that just fits, one that just does not, landmarks that do not fit; then others."""
    for budget, m in (
        (72, 0), (71, 0), (8, 0), (7, 0), (88, 1), (87, 1), (32, 2), (31, 2), (16, 2)
    ):  # fmt: skip
        yield {"budget": budget, "m": m}
    for _ in range(8):
        yield {"budget": int(rng.integers(100, 20_000)), "m": int(rng.choice([0, 2, 3, 5]))}


def fitting(
    budget: int,
    m: int,
    *,
    size: float = 8,
    landmarks: bool = True,
    features: bool = True,
) -> int:
    """Return the largest n that fits, by what somebody counts."""
    numbers = int(budget / size)
    if m == 0 or not features:
        return isqrt(numbers)
    return max((numbers - (m**2 if landmarks else 0)) // m, 0)


largest_n = FunctionExercise(
    "largest_n",
    "How many examples fit into `budget` bytes, numbers of 8 bytes each? With m = 0 a Gram matrix "
    "(n, n) has to fit; with m > 0 the features (n, m) and the landmarks' matrix (m, m) together. "
    "Return the largest n, and 0 if there is none.",
    [
        "How many numbers of 8 bytes fit into the budget?",
        "n² of them are a Gram matrix; n·m + m² are features and the landmarks' matrix.",
        "Solve for n and round down; a budget below m² numbers leaves nothing.",
        "numbers = budget // 8; int(numbers ** 0.5) if m == 0 else max(0, (numbers - m * m) // m)",
    ],
    "1 GB is a Gram matrix of 11 000 examples, or 256 features of half a million.",
    cases=memory_cases,
    solution=fitting,
    misconceptions=[
        ("a byte a number", "A number in double precision takes 8 bytes.",
         lambda budget, m: fitting(budget, m, size=1)),
        ("a byte a number, in the Gram matrix", "n² numbers of 8 bytes are 8 n² bytes.",
         lambda budget, m: fitting(budget, m, size=1) if m == 0 else fitting(budget, m)),
        ("the 8 outside the root", "8 n² bytes: divide the budget by 8, and then take the root.",
         lambda budget, m: isqrt(budget) // 8 if m == 0 else fitting(budget, m)),
        ("a byte a number, beside landmarks", "With m > 0, too, a number takes 8 bytes.",
         lambda budget, m: fitting(budget, m) if m == 0 else fitting(budget, m, size=1)),
        ("a byte a feature", "The n·m features have 8 bytes each, too.",
         lambda budget, m: fitting(budget, m) if m == 0 else max((budget - 8 * m**2) // m, 0)),
        ("a byte a number of the landmarks",
         "The m² numbers of the landmarks have 8 bytes each, too.",
         lambda budget, m: fitting(budget, m) if m == 0 else max((budget - m**2) // (8 * m), 0)),
        ("single precision", "4 bytes are a number in single precision; here each has 8.",
         lambda budget, m: fitting(budget, m, size=4)),
        ("64 bytes", "A number has 64 *bits*: 8 bytes.",
         lambda budget, m: fitting(budget, m, size=64)),
        ("half of the matrix", "K is symmetric, but it is stored as a whole, and asked for so.",
         lambda budget, m: (isqrt(8 * (budget // 8) + 1) - 1) // 2 if m == 0
         else fitting(budget, m)),
        ("the landmarks' matrix is left out", "The m² numbers of the landmarks have to fit too.",
         lambda budget, m: fitting(budget, m, landmarks=False)),
        ("a Gram matrix in any case", "With m > 0 there is no (n, n) matrix any more.",
         lambda budget, m: fitting(budget, m, features=False)),
        ("one too many", "The largest n that still fits: round down.",
         lambda budget, m: fitting(budget, m) + 1),
        ("one too few", "What fits exactly, fits.",
         lambda budget, m: max(fitting(budget, m) - 1, 0)),
        ("fewer than none", "Where the landmarks alone do not fit, the answer is 0.",
         lambda budget, m: isqrt(budget // 8) if m == 0 else (budget // 8 - m**2) // m),
        ("fewer than none, cut off", "Where the landmarks alone do not fit, the answer is 0.",
         lambda budget, m: isqrt(budget // 8) if m == 0 else int((budget // 8 - m**2) / m)),
        ("not rounded down", "Examples are whole: round down.",
         lambda budget, m: (budget / 8) ** 0.5 if m == 0 else max((budget / 8 - m**2) / m, 0)),
        ("n instead of n²", "A Gram matrix has a row *and* a column for each example.",
         lambda budget, m: budget // 8 if m == 0 else fitting(budget, m)),
    ],
    shapes="Both arguments are whole numbers, and so is the answer.",
)  # fmt: skip


# --- time -----------------------------------------------------------------------------------------


def budget_cases(rng: Rng) -> Iterator[Case]:
    """Budgets for exactly one landmark, for none, exactly two, and all; then others."""
    for budget in (31, 30, 88):  # 10·1·2 + 1 + 10·1 = 31
        yield {"n": 10, "d": 2, "budget": budget}
    yield {"n": 4, "d": 1, "budget": 10**9}
    for n, d in 4 * ((10, 2), (100, 5), (1000, 64)):
        yield {"n": n, "d": d, "budget": int(10 ** rng.uniform(2, 8))}


def operations(n: int, d: int, m: int) -> int:
    """Return what m landmarks cost, in multiplications."""
    return n * m * d + m**3 + n * m**2


def largest_m(
    n: int,
    d: int,
    budget: float,
    cost: Callable[[int, int, int], float] = operations,
    most: int | None = None,
) -> int:
    """Return the largest m whose cost is within the budget."""
    fits = (m for m in range(1, (most or n) + 1) if cost(n, d, m) <= budget)
    return max(fits, default=0)


choose_m = FunctionExercise(
    "choose_m",
    "Choose m by a budget of time, counted in multiplications. With m landmarks there are n·m·d of "
    "them for the kernel values, m³ for the eigendecomposition and n·m² for the features. Given n, "
    "d and `budget`, return the largest m ≤ n that needs no more, and 0 if there is none.",
    [
        "Write the cost as a function of m. Does it ever fall?",
        "It only rises: go through m = 1, 2, … while it fits.",
        "Look at both ends: a budget too small for m = 1, and one that allows more than n.",
        "m = 0; while m < n and cost(m + 1) <= budget: m += 1; return m",
    ],
    "Twice as many landmarks cost two to eight times as much. Whether they are worth it, only the "
    "accuracy says.",
    cases=budget_cases,
    solution=largest_m,
    misconceptions=[
        ("the kernel values alone",
         "n·m·d is the smallest part once m > d: m³ and n·m² belong to the cost.",
         lambda n, d, budget: largest_m(n, d, budget, lambda n, d, m: n * m * d)),
        ("the features are left out", "n·m² is never less than m³, because m ≤ n.",
         lambda n, d, budget: largest_m(n, d, budget, lambda n, d, m: n * m * d + m**3)),
        ("the eigendecomposition is left out", "m³ counts too: at m = n it is as large as n·m².",
         lambda n, d, budget: largest_m(n, d, budget, lambda n, d, m: n * m * d + n * m**2)),
        ("the kernel values are left out", "While m < d the n·m·d of the kernel values cost most.",
         lambda n, d, budget: largest_m(n, d, budget, lambda n, d, m: m**3 + n * m**2)),
        ("d is left out", "Each of the n·m kernel values costs d multiplications.",
         lambda n, d, budget: largest_m(n, 1, budget)),
        ("more landmarks than points", "m ≤ n: there are no more than n points to choose from.",
         lambda n, d, budget: largest_m(n, d, budget, most=int(budget ** (1 / 3)) + 1)),
        ("all but n", "m = n is allowed, and range(n) stops before it.",
         lambda n, d, budget: largest_m(n, d, budget, most=n - 1)),
        ("one too many", "Return the largest m that still fits, not the first that does not.",
         lambda n, d, budget: min(n, largest_m(n, d, budget) + 1)),
        ("one too few", "One landmark more still fits: return the last m that did.",
         lambda n, d, budget: max(0, largest_m(n, d, budget) - 1)),
        ("below the budget, not at it", "A cost of exactly the budget is allowed: ≤.",
         lambda n, d, budget: largest_m(n, d, budget - 1)),
        ("at least one", "If not even one landmark fits, the answer is 0.",
         lambda n, d, budget: max(1, largest_m(n, d, budget))),
        ("the budget of each part",
         "All three parts together have to fit, not each for itself.",
         lambda n, d, budget: largest_m(
             n, d, budget, lambda n, d, m: max(n * m * d, m**3, n * m**2)
         )),
    ],
    shapes="All three arguments are whole numbers, and so is the answer.",
)  # fmt: skip


# --- steps of many workers ------------------------------------------------------------------------


def step_cases(rng: Rng) -> Iterator[Case]:
    """One worker, two that found the same, two that found different things; then others."""
    yield {"w": np.zeros(1), "moves": np.array([[1.0]]), "rises": np.array([1.0])}
    yield {"w": np.zeros(1), "moves": np.array([[1.0], [1.0]]), "rises": np.array([1.0, 1.0])}
    yield {"w": np.ones(2), "moves": np.eye(2), "rises": np.array([2.0, 2.0])}
    for count in 4 * (2, 3, 4):
        m = int(rng.integers(1, 4))
        w, moves = (some_vectors(k, m, rng) for k in (1, count))
        moves[0, 0] += 4.0 * count  # they do not cancel
        gains = rng.choice([0.5, 0.75, 1.0], count) * np.square(moves).sum(axis=1)
        yield {"w": w[0], "moves": moves, "rises": gains + moves @ w[0]}


def top(w: Any, moves: Any, rises: Any, *, clip: bool = True) -> Any:
    """Return the top of rises·s − ½‖w + s d‖², where d is the sum of the moves; in [0, 1]."""
    d = moves.sum(axis=0)
    s = (rises.sum() - w @ d) / (d @ d)
    return min(max(s, 0.0), 1.0) if clip else s


step_in_common = FunctionExercise(
    "step_in_common",
    "Each of B workers went through a block, from the same `w` (m,). It moved w by `moves[b]`, "
    "of shape (m,), and raised Σ α_i by `rises[b]`. All steps are taken together, but only the "
    "share s. Return the s in [0, 1] that makes the dual, Σ α_i − ½‖w‖², largest.",
    [
        "What are Σ α_i and w after the share s of all steps?",
        "With d the sum of the moves, and r that of the rises, the dual has changed by "
        "s r − s w·d − ½ s² d·d.",
        "A parabola in s, whose top is at (r − w·d) / d·d. Then back into [0, 1].",
        "d = moves.sum(axis=0); np.clip((rises.sum() - w @ d) / (d @ d), 0, 1)",
    ],
    "Two workers that found the same thing are worth half each; two that found different things "
    "count in full. An average would always take the half.",
    cases=step_cases,
    solution=top,
    misconceptions=[
        ("always in full", "If two workers found the same, twice that is too much.",
         lambda w, moves, rises: 1.0),
        ("always the half", "It depends on the moves: the half is for two that are the same.",
         lambda w, moves, rises: 0.5),
        ("always the average", "1 / B is safe, and gives away what the workers do not share.",
         lambda w, moves, rises: 1 / len(moves)),
        ("not back into [0, 1]", "Beyond s = 1 some α may leave [0, C]: clip.",
         lambda w, moves, rises: top(w, moves, rises, clip=False)),
        ("the half is counted twice", "The derivative of ½ s² d·d is s d·d.",
         lambda w, moves, rises: min(top(w, moves, rises, clip=False) / 2, 1.0)),
        ("½ is left out", "The ½ of ½‖w‖² takes away the 2 of its derivative.",
         lambda w, moves, rises: float(np.clip(
             (rises.sum() - 2 * w @ moves.sum(axis=0))
             / (2 * moves.sum(axis=0) @ moves.sum(axis=0)), 0, 1
         ))),
        ("w is forgotten", "‖w + s d‖² has a mixed term, 2 s w·d.",
         lambda w, moves, rises: top(0 * w, moves, rises)),
        ("w and the box are forgotten",
         "‖w + s d‖² has a mixed term, 2 s w·d; and beyond s = 1 some α may leave [0, C].",
         lambda w, moves, rises: top(0 * w, moves, rises, clip=False)),
        ("the sign of w·d", "The dual has −½‖w + s d‖²: so −w·d.",
         lambda w, moves, rises: top(-w, moves, rises)),
        ("each move for itself", "First add the moves, then square: they may point the same way.",
         lambda w, moves, rises: min(
             (rises.sum() - w @ moves.sum(axis=0)) / np.square(moves).sum(), 1.0
         )),
    ],
    shapes="w is (m,), moves (B, m), rises (B,), and the answer is one number.",
)  # fmt: skip


# --- what the blocks sent home --------------------------------------------------------------------


def sent_home(Z: Any, y: Any) -> Sent:
    """Return ZᵀZ, Zᵀy, yᵀy and the number of examples of a block."""
    return Z.T @ Z, Z.T @ y, float(y @ y), len(y)


def sent_cases(rng: Rng) -> Iterator[Case]:
    """One example and two, of one feature; then two to four blocks of different sizes."""
    one = np.array([[1.0]]), np.array([2.0])
    two = np.array([[1.0], [2.0]]), np.array([1.0, 3.0])
    yield {"sent": [sent_home(*one), sent_home(*two)], "lams": np.array([1.0])}
    for sizes in 3 * ((2, 3), (1, 4, 2), (3, 1, 2, 4)):
        d = int(rng.integers(1, 4))
        blocks = [(some_vectors(n, d, rng), rng.integers(-4, 5, n).astype(float)) for n in sizes]
        blocks[0][0][0, 0] = blocks[0][1][0] = 3.0  # not all zero
        blocks[1][0][0, 0] = blocks[1][1][0] = 2.0
        lams = rng.choice([0.5, 1.0, 2.0, 5.0], 2, replace=False)
        yield {"sent": [sent_home(*block) for block in blocks], "lams": lams}


def solved(ZZ: Any, Zy: Any, lam: float) -> FloatArray:
    """Return w of (ZZ + λI) w = Zy; singular systems by least squares."""
    return np.asarray(np.linalg.lstsq(ZZ + lam * np.eye(len(Zy)), Zy, rcond=None)[0])


def error_of(w: Any, sums: Any, cross: float = 2.0, bend: float = 1.0) -> Any:
    """Return ‖y − Zw‖² from ZᵀZ, Zᵀy and yᵀy."""
    return sums[2] - cross * w @ sums[1] + bend * w @ sums[0] @ w


def by_sums(
    sent: Sequence[Sent], lams: Any, *, learn: str = "others", ask: str = "own",
    each: str = "example", times: float = 1.0, **options: float,
) -> FloatArray:  # fmt: skip
    """Return the errors for each λ, by who learns, who is asked, and what the mean is over."""
    total = [sum(part) for part in zip(*sent, strict=True)]
    errors = []
    for lam in lams:
        error = 0.0
        for own in sent:
            others = [whole - part for whole, part in zip(total, own, strict=True)]
            who = {"own": own, "others": others, "all": total}
            ZZ, Zy = who[learn][:2]
            w = solved(ZZ, Zy, times * lam)
            count = {"example": total[3], "block": len(sent), "none": 1,
                     "block, example": len(sent) * own[3]}[each]  # fmt: skip
            error += error_of(w, who[ask], **options) / count
        errors.append(error)
    return np.array(errors)


held_out_errors = FunctionExercise(
    "held_out_errors",
    "A project. Every block has sent home four things, (ZᵀZ, Zᵀy, yᵀy, n), and its images are out "
    "of reach: `sent` is the list of them. Choose λ by leaving out one block at a time: for each λ "
    "of `lams` (k,), learn w by ridge regression from all *other* blocks, and take the squared "
    "error on the block left out. Return, for each λ, the mean over all examples, (k,).",
    [
        "What is known of all other blocks together, if you have the sums of all?",
        "Subtract what the block itself has sent; then (A + λI) w = b as always.",
        "The error needs no image either: ‖y − Zw‖² = yᵀy − 2 w·Zᵀy + wᵀZᵀZ w.",
        "for each λ, and each (A, b, c, n): w = solve(A_all - A + lam * I, b_all - b); add "
        "c - 2 * w @ b + w @ A @ w; in the end divide by the sum of all n",
    ],
    "One reading of the data, and as many λ as you like: a cross-validation that never sees an "
    "image twice.",
    cases=sent_cases,
    solution=by_sums,
    misconceptions=[
        ("nothing is left out", "Subtract the block's own sums before you solve.",
         lambda sent, lams: by_sums(sent, lams, learn="all")),
        ("the block asks itself", "Learn from the other blocks: the sum of all, minus its own.",
         lambda sent, lams: by_sums(sent, lams, learn="own")),
        ("learnt from one, asked the others",
         "The other way round: learn from all others, ask the one that was left out.",
         lambda sent, lams: by_sums(sent, lams, learn="own", ask="others") / (len(sent) - 1)),
        ("asked those it has learnt from", "The error is that of the block that was left out.",
         lambda sent, lams: by_sums(sent, lams, ask="others") / (len(sent) - 1)),
        ("the mixed term once", "(a − b)² has −2ab: it is −2 w·Zᵀy.",
         lambda sent, lams: by_sums(sent, lams, cross=1.0)),
        ("yᵀy is left out", "‖y − Zw‖² has three terms, and no error is below 0.",
         lambda sent, lams: by_sums(
             [(ZZ, Zy, 0.0, n) for ZZ, Zy, _, n in sent], lams
         )),
        ("yᵀy − w·Zᵀy", "That holds without λ, and on the examples that w was learnt from.",
         lambda sent, lams: by_sums(sent, lams, cross=1.0, bend=0.0)),
        ("a mean of means", "Blocks differ in size: add all errors, then divide by all n.",
         lambda sent, lams: by_sums(sent, lams, each="block, example")),
        ("divided by the blocks", "The mean is over examples: divide by the sum of all n.",
         lambda sent, lams: by_sums(sent, lams, each="block")),
        ("the sum of the errors", "Asked for is the mean: divide by the sum of all n.",
         lambda sent, lams: by_sums(sent, lams, each="none")),
        ("λ is left out", "The penalty λ‖w‖² adds λI to ZᵀZ.",
         lambda sent, lams: by_sums(sent, lams, times=0.0)),
        ("λ for every block", "λ‖w‖² is there once, so λI is added once.",
         lambda sent, lams: by_sums(sent, lams, times=len(sent) - 1)),
        ("the best λ", "Return the error of every λ; the smallest is then found by eye.",
         lambda sent, lams: np.asarray(lams)[np.argmin(by_sums(sent, lams))]),
    ],
    shapes="ZᵀZ is (m, m) and Zᵀy is (m,), whatever the size of the block; yᵀy and n are numbers.",
)  # fmt: skip

EXERCISES = (
    pairs_against_rest,
    takes_over,
    overtakes,
    largest_n,
    choose_m,
    step_in_common,
    held_out_errors,
)
