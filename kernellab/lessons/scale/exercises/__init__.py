"""Exercises of notebook 08: problems counted, slopes read, times and memory foretold, blocks."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from math import isqrt
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng, some_vectors
from kernellab.exercises.exercise import Case, FunctionExercise
from kernellab.exercises.running import run
from kernellab.lessons.scale.theory.growth import power_law
from kernellab.validation import FloatArray

__all__ = [
    "growth_exponent",
    "largest_n",
    "pairs_against_rest",
    "predict_seconds",
    "ridge_over_blocks",
]

Block = tuple[FloatArray, FloatArray]


# --- pairs or one against the rest ----------------------------------------------------------------


def reduction_cases(rng: Rng) -> Iterator[Case]:
    """Two classes, three, ten; then others."""
    for q, p in ((2, 1), (3, 2), (10, 1), (10, 2), (10, 3), (4, 1.5)):
        yield {"q": q, "p": float(p)}
    for _ in range(6):
        yield {"q": int(rng.integers(3, 30)), "p": float(rng.choice([1, 1.5, 2, 2.5, 3]))}


pairs_against_rest = FunctionExercise(
    "pairs_against_rest",
    "A warm-up. There are q classes of equal size, and a problem of n examples takes n^p seconds. "
    "Return the time of all pairs of classes over the time of one against the rest.",
    [
        "How many problems has each? And how many examples has one of them?",
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
        ("each pair twice", "3 against 8 and 8 against 3 are one problem: q(q − 1)/2.",
         lambda q, p: (q - 1) * (2 / q) ** p),
        ("classes against themselves", "A class against itself is no problem: q(q − 1)/2.",
         lambda q, p: (q + 1) / 2 * (2 / q) ** p),
        ("the other way round", "Asked for is the time of the pairs over the other.",
         lambda q, p: 2 / (q - 1) * (q / 2) ** p),
        ("one problem against the rest",
         "One against the rest is a problem *for each* class: q of them.",
         lambda q, p: q * (q - 1) / 2 * (2 / q) ** p),
        ("time in proportion to n", "A problem of n examples takes n^p, not n.",
         lambda q, p: (q - 1) / q),
        ("the power of the number of problems",
         "Only the examples of a problem are raised to p; the problems come one after another.",
         lambda q, p: ((q - 1) / 2 * 2 / q) ** p),
    ],
    shapes="Both arguments are single numbers, and so is the answer.",
)  # fmt: skip


# --- slopes ---------------------------------------------------------------------------------------


def time_cases(rng: Rng, *, asked: bool) -> Iterator[Case]:
    """An exact law of two sizes, one of three; then measured ones, which are not exact."""
    exact = (([100.0, 1000.0], [0.01, 1.0]), ([100.0, 200.0, 400.0], [3.0, 6.0, 12.0]))
    for few, times in exact:
        case = {"n": np.array(few), "seconds": np.array(times)}
        yield case | ({"asked": 10_000.0} if asked else {})
    for count in 4 * (3, 4, 6):
        n = np.sort(rng.choice([100.0, 200, 300, 500, 1000, 2000, 5000, 10_000], count, False))
        law = rng.choice([0.002, 0.01, 0.05]) * (n / 100) ** rng.choice([1.0, 1.3, 2.0, 3.0])
        seconds = law * np.exp(0.3 * rng.normal(size=count))
        case = {"n": n, "seconds": np.array([float(f"{s:.3g}") for s in seconds])}
        yield case | ({"asked": float(rng.choice([20_000, 50_000, 100_000]))} if asked else {})


def ends(n: FloatArray, seconds: FloatArray) -> Any:
    """Return the exponent by the first and the last size alone."""
    return np.log(seconds[-1] / seconds[0]) / np.log(n[-1] / n[0])


growth_exponent = FunctionExercise(
    "growth_exponent",
    "A fit took `seconds` (k,) at sizes `n` (k,). Return the exponent p of the law seconds = "
    "factor · n^p, by least squares of log seconds on log n.",
    [
        "Take the logarithm of the law. What is it then, as a function of log n?",
        "A straight line, log factor + p log n: p is its slope.",
        "np.polyfit(x, y, 1) returns the slope first, then the intercept.",
        "np.polyfit(np.log(n), np.log(seconds), 1)[0]",
    ],
    "Two is a Gram matrix, three a factorisation, one a reading of the data. A slope between "
    "them says that the work is of two kinds, or that n is still small.",
    cases=lambda rng: time_cases(rng, asked=False),
    solution=lambda n, seconds: power_law(n, seconds).exponent,
    misconceptions=[
        ("no logarithms", "Without logarithms the slope has a unit, seconds for each example.",
         lambda n, seconds: np.polyfit(n, seconds, 1)[0]),
        ("the logarithm of the seconds alone", "A power of n is straight if n is logarithmic, too.",
         lambda n, seconds: np.polyfit(n, np.log(seconds), 1)[0]),
        ("the logarithm of n alone", "Both sides of the law: log seconds, too.",
         lambda n, seconds: np.polyfit(np.log(n), seconds, 1)[0]),
        ("n from the seconds", "log seconds on log n: first x, which is log n, then y.",
         lambda n, seconds: np.polyfit(np.log(seconds), np.log(n), 1)[0]),
        ("the intercept", "np.polyfit returns the highest power first: the slope is entry 0.",
         lambda n, seconds: np.polyfit(np.log(n), np.log(seconds), 1)[1]),
        ("the first and the last size alone",
         "Two points make a slope, but least squares asks all of them.", ends),
        ("two different logarithms", "Either base will do, if it is the same on both sides.",
         lambda n, seconds: np.polyfit(np.log(n), np.log10(seconds), 1)[0]),
        ("a line through zero", "log factor is not zero: the line needs an intercept.",
         lambda n, seconds: np.log(n) @ np.log(seconds) / (np.log(n) @ np.log(n))),
        ("the mean of the steps", "Least squares weighs all points, not all steps alike.",
         lambda n, seconds: np.mean(np.diff(np.log(seconds)) / np.diff(np.log(n)))),
    ],
    shapes="n and seconds are (k,), and the answer is one number.",
)  # fmt: skip


predict_seconds = FunctionExercise(
    "predict_seconds",
    "Before you press the key: from `seconds` (k,) at sizes `n` (k,), return the seconds that the "
    "law of exercise 2 promises at the size `asked`.",
    [
        "Which two numbers does the line have, and what is its height at log asked?",
        "slope · log asked + intercept is a logarithm. Of what?",
        "Of the seconds: take the exponential.",
        "slope, intercept = np.polyfit(np.log(n), np.log(seconds), 1); "
        "np.exp(intercept + slope * np.log(asked))",
    ],
    "Within a factor of two this is all one needs to know: a minute, an hour, or a week.",
    cases=lambda rng: time_cases(rng, asked=True),
    solution=lambda n, seconds, asked: power_law(n, seconds)(asked),
    misconceptions=[
        ("in proportion to n", "Ten times as many examples take ten^p times as long.",
         lambda n, seconds, asked: seconds[-1] * asked / n[-1]),
        ("always n²", "Read the exponent off what was measured.",
         lambda n, seconds, asked: seconds[-1] * (asked / n[-1]) ** 2),
        ("a line without logarithms", "A straight line in n is the law for p = 1 only.",
         lambda n, seconds, asked: np.polyval(np.polyfit(n, seconds, 1), asked)),
        ("the logarithm is returned", "That is log seconds: take the exponential.",
         lambda n, seconds, asked: np.log(power_law(n, seconds)(asked))),
        ("the factor is forgotten", "The law is factor · n^p; the factor is exp(intercept).",
         lambda n, seconds, asked: asked ** power_law(n, seconds).exponent),
        ("the intercept is the factor", "The intercept is log factor.",
         lambda n, seconds, asked: (
             np.log(power_law(n, seconds).factor) * asked ** power_law(n, seconds).exponent
         )),
        ("10 to a natural logarithm", "np.log is undone by np.exp, np.log10 by 10 **.",
         lambda n, seconds, asked: 10 ** np.log(power_law(n, seconds)(asked))),
        ("the line moved to the last size",
         "The slope is right, but the line of least squares need not meet the last point.",
         lambda n, seconds, asked: (
             seconds[-1] * (asked / n[-1]) ** power_law(n, seconds).exponent
         )),
        ("the first and the last size alone", "Least squares asks all sizes.",
         lambda n, seconds, asked: seconds[-1] * (asked / n[-1]) ** ends(n, seconds)),
    ],
    shapes="n and seconds are (k,); asked and the answer are single numbers.",
)  # fmt: skip


# --- memory ---------------------------------------------------------------------------------------


def memory_cases(rng: Rng) -> Iterator[Case]:
    """A matrix that just fits, one that just does not, landmarks that do not fit; then others."""
    for budget, m in ((72, 0), (71, 0), (8, 0), (7, 0), (88, 1), (87, 1), (32, 2), (31, 2)):
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
        ("not rounded down", "Examples are whole: round down.",
         lambda budget, m: (budget / 8) ** 0.5 if m == 0 else max((budget / 8 - m**2) / m, 0)),
        ("n instead of n²", "A Gram matrix has a row *and* a column for each example.",
         lambda budget, m: budget // 8 if m == 0 else fitting(budget, m)),
    ],
    shapes="Both arguments are whole numbers, and so is the answer.",
)  # fmt: skip


# --- blocks ---------------------------------------------------------------------------------------


def block_cases(rng: Rng) -> Iterator[Case]:
    """One block of one example, two, then blocks of different sizes."""
    one = np.array([[1.0]]), np.array([2.0])
    yield {"blocks": [one], "lam": 1.0}
    yield {"blocks": [one, (np.array([[1.0], [2.0]]), np.array([1.0, 3.0]))], "lam": 1.0}
    for sizes in 3 * ((2, 3), (1, 4), (3, 1, 2)):
        d = int(rng.integers(1, 4))
        blocks = [(some_vectors(n, d, rng), rng.integers(-4, 5, n).astype(float)) for n in sizes]
        blocks[0][0][0, 0] = blocks[0][1][0] = 3.0  # not all zero
        yield {"blocks": blocks, "lam": float(rng.choice([0.5, 1.0, 2.0]))}


def solved(ZZ: Any, Zy: Any, lam: float) -> FloatArray:
    """Return w of (ZZ + λI) w = Zy; singular systems by least squares."""
    return np.asarray(np.linalg.lstsq(ZZ + lam * np.eye(len(Zy)), Zy, rcond=None)[0])


def sums(blocks: Sequence[Block]) -> tuple[Any, Any]:
    """Return ZᵀZ and Zᵀy of all blocks."""
    return sum(Z.T @ Z for Z, _ in blocks), sum(Z.T @ y for Z, y in blocks)


def each(blocks: Sequence[Block], lam: float) -> list[FloatArray]:
    """Return the w of each block alone."""
    return [solved(Z.T @ Z, Z.T @ y, lam) for Z, y in blocks]


def put_together(answer: Callable[..., Any]) -> str | None:
    """Say so if an answer makes one array of all blocks."""
    if tracemalloc.is_tracing():
        return None
    rng = np.random.default_rng(0)
    blocks = [(rng.normal(size=(400, 4)), rng.normal(size=400)) for _ in range(40)]
    case = {"blocks": blocks, "lam": 1.0}
    tracemalloc.start()
    try:
        run(answer, case, 3.0)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # The engine gives an answer a copy of the blocks: that much is there in any case.
    size = sum(Z.nbytes for Z, _ in blocks)
    if most < 1.8 * size:
        return None
    return (
        "yours puts all blocks together first. Add up ZᵀZ and Zᵀy block by block, and they need "
        "never be in one memory."
    )


ridge_over_blocks = FunctionExercise(
    "ridge_over_blocks",
    "A small project. The examples come in blocks, a list of pairs (Z, y) of shapes (n_b, m) and "
    "(n_b,), and are never in one place. Return w (m,) of the ridge regression on all of them: the "
    "smallest Σ (y_i − w·z_i)² + λ‖w‖².",
    [
        "Write the equation for w on all the data. Which sums over the examples are in it?",
        "(ZᵀZ + λI) w = Zᵀy. Both are sums over examples, so they are sums over blocks.",
        "λI is there once, however many blocks there are.",
        "np.linalg.solve(sum(Z.T @ Z for Z, y in blocks) + lam * np.eye(m), "
        "sum(Z.T @ y for Z, y in blocks)), with m = blocks[0][0].shape[1]",
    ],
    "Each block is read once, anywhere, and sends m² + m numbers. That is the whole of distributed "
    "ridge regression, and the answer is exact.",
    cases=block_cases,
    solution=lambda blocks, lam: solved(*sums(blocks), lam),
    remark=put_together,
    misconceptions=[
        ("the mean of the blocks' answers",
         "The mean of ratios is no ratio of sums: add up ZᵀZ and Zᵀy, then solve once.",
         lambda blocks, lam: np.mean(each(blocks, lam), axis=0)),
        ("a weighted mean of the blocks' answers",
         "Weights by size do not help: what counts is ZᵀZ, a matrix. Add up, then solve once.",
         lambda blocks, lam: np.average(
             each(blocks, lam), axis=0, weights=[len(y) for _, y in blocks]
         )),
        ("the sum of the blocks' answers", "Add up what goes into the system, not what comes out.",
         lambda blocks, lam: np.sum(each(blocks, lam), axis=0)),
        ("λ for every block", "λ‖w‖² is there once, so λI is added once.",
         lambda blocks, lam: solved(*sums(blocks), lam * len(blocks))),
        ("the last block alone", "Every block adds to both sums; do not begin anew.",
         lambda blocks, lam: each(blocks, lam)[-1]),
        ("the first block alone", "Every block counts: return after the loop, not inside.",
         lambda blocks, lam: each(blocks, lam)[0]),
        ("λ is left out", "The penalty λ‖w‖² adds λI to ZᵀZ.",
         lambda blocks, lam: solved(*sums(blocks), 0.0)),
        ("means instead of sums", "Divide both by n and λ counts n times as much.",
         lambda blocks, lam: solved(*sums(blocks), lam * sum(len(y) for _, y in blocks))),
        ("λ on every entry", "ZᵀZ + lam adds λ to all entries; λI has it on the diagonal.",
         lambda blocks, lam: np.asarray(np.linalg.lstsq(
             sums(blocks)[0] + lam, sums(blocks)[1], rcond=None
         )[0])),
        ("not solved", "Zᵀy is the right side; w solves the system.",
         lambda blocks, lam: sums(blocks)[1]),
    ],
    shapes="ZᵀZ is (m, m) and Zᵀy is (m,), whatever the size of the block.",
)  # fmt: skip

EXERCISES = (
    pairs_against_rest,
    growth_exponent,
    predict_seconds,
    largest_n,
    ridge_over_blocks,
)
