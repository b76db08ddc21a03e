"""Exercises of notebook 06: kernel ridge regression in closed form, its errors, and its band."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng, some_vectors
from kernellab.exercises.exercise import (
    Case,
    FunctionExercise,
    Numbers,
    as_numbers,
    number_words,
)
from kernellab.exercises.running import Run
from kernellab.lessons.ridge.exercises.effort import count_factorizations
from kernellab.lessons.ridge.exercises.errors import (
    LAMS,
    broadcast_says,
    choose_lam,
    gram,
    honest_error,
    leave_folds_out,
)
from kernellab.validation import FloatArray

__all__ = [
    "band",
    "broadcast_says",
    "choose_lam",
    "coefficients_for_all",
    "honest_error",
    "lam_for_freedom",
    "leave_folds_out",
    "part_in_the_data",
]


def solve(A: FloatArray, b: FloatArray) -> FloatArray:
    """Solve a linear system, singular ones by least squares."""
    return np.asarray(np.linalg.lstsq(A, b, rcond=None)[0])


# --- degrees of freedom -------------------------------------------------------------------------


def freedom_cases(rng: Rng) -> Iterator[Case]:
    """One eigenvalue, two alike, two unlike; then more; then two in large and in small units."""
    yield {"K": np.array([[2.0]]), "freedom": 0.5}
    yield {"K": np.array([[2.0, 0.0], [0.0, 2.0]]), "freedom": 0.5}
    yield {"K": np.array([[2.0, 1.0], [1.0, 2.0]]), "freedom": 1.0}
    for n in 4 * (2, 3, 5):
        K, _ = gram(n, rng)
        s = np.maximum(np.linalg.eigvalsh(K), 0)
        freedom = shares(s, float(rng.choice(LAMS))).sum()
        yield {"K": K, "freedom": round(float(freedom), 3)}
    for unit in (1e15, 1e-15):
        yield {"K": unit * np.array([[2.0, 1.0], [1.0, 2.0]]), "freedom": 1.0}


def shares(s: FloatArray, lam: float) -> FloatArray:
    """Return the share that is kept of each direction."""
    return s / (s + lam)


def found(
    total: Callable[[FloatArray, float], float], freedom: float, s: FloatArray, ends: float
) -> float:
    """Return the λ for which a sum that falls with it is `freedom`, by halving in log λ."""
    low, high = -ends, ends
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if total(s, 10**middle) > freedom else (low, middle)
    return float(10**low)


def lam_with(
    total: Callable[[FloatArray, float], float] = lambda s, lam: float(shares(s, lam).sum()),
    *,
    wanted: Callable[[float, int], float] = lambda freedom, n: freedom,
    say: Callable[[float, int], float] = lambda lam, n: lam,
    ends: float = 32.0,
) -> Callable[..., Any]:
    """Return the λ of another sum, or another thing than λ, from 10^−ends to 10^ends."""

    def idea(K: FloatArray, freedom: float) -> float:
        n, s = len(K), np.maximum(np.linalg.eigvalsh(K), 0)
        return say(found(total, wanted(freedom, n), s, ends), n)

    return idea


# What SciPy says when a search finds nothing, and what it means here.
NOTHING_FOUND = {
    "must have different signs": (
        "At both of your ends the function has one sign, so its zero is not between them. Is it "
        "the sum minus freedom? Then λ is outside: it is in the units of K, so it may be "
        "anywhere. Take both ends from K, and wide enough."
    ),
    "Bracketing values": (
        "Of your three λ the middle one must be the best. λ is in the units of K, so no three "
        "fixed ones will do: take two ends from K, and ask brentq for the zero of the sum minus "
        "freedom."
    ),
    "Failed to converge": (
        "The search started too far from λ, which is in the units of K and may be anywhere. "
        "Search in log λ, between ends taken from K."
    ),
}


class SearchExercise(FunctionExercise):
    """An exercise whose answer is searched for: if SciPy finds nothing, it says why."""

    def advice(self, one: Run) -> str:
        """Return what helps somebody whose search stopped with an error."""
        for error, words in NOTHING_FOUND.items():
            if error in " ".join(one.words.split()):
                return words
        return super().advice(one)


def alike_lams(first: Numbers, second: Numbers) -> bool:
    """Say whether two answers have one shape, and are one λ to a hundredth."""
    if first is None or second is None or first.shape != second.shape:
        return False
    return bool(np.allclose(first, second, 1e-2))


def judge_lam(case: Case, value: Any) -> str | None:
    """A λ is right if its shares add up to the freedom that is asked for, to a thousandth."""
    lam, wanted = as_numbers(value), case["freedom"]
    if lam is None or lam.shape != () or not np.isfinite(lam):
        return f"expected one number, a λ\nyours    {value}"
    with np.errstate(all="ignore"):
        total = shares(np.linalg.eigvalsh(case["K"]), float(lam)).sum()
    if lam > 0 and abs(total - wanted) < 1e-3:
        return None
    right = number_words(lam_with()(**case))
    words = f"Its shares add up to {total:.4g}."
    if not 1e-9 < np.trace(case["K"]) < 1e9:  # the last examples: those before were right
        words += " What is new in this example is the unit of K."
    return f"expected {right}\nyours    {number_words(value)}\n{words}"


lam_for_freedom = SearchExercise(
    "lam_for_freedom",
    "A warm-up, backwards: a fit is to amount to so many parameters. Given K (n, n) and freedom, "
    "above 0 and below the rank of K, return the λ > 0 whose shares s/(s + λ) add up to it.",
    [
        "Which eigenvalues does the sum need? And does it rise or fall as λ grows?",
        "It falls, from the rank of K at λ = 0 to 0. So one λ is right: how do you close in on it?",
        "Halve an interval of log λ again and again, or ask scipy.optimize.brentq for the zero of "
        "the sum minus freedom. Take its ends from K: Σ s/(s + λ) is below tr K/λ.",
        "high = np.log(np.trace(K) / freedom); low = high, and 1 less until the sum is above "
        "freedom; np.exp(brentq(lambda t: np.sum(s / (s + np.exp(t))) - freedom, low, high))",
    ],
    "λ means another thing for every kernel, degrees of freedom the same for all. So one can "
    "compare kernels at equal freedom; and y was never asked.",
    cases=freedom_cases,
    solution=lam_with(),
    judge=judge_lam,
    alike=alike_lams,
    misconceptions=[
        ("what is taken away", "λ/(s + λ) is what a direction loses; s/(s + λ) is what it keeps.",
         lam_with(wanted=lambda freedom, n: n - freedom)),
        ("the shares are squared", "Degrees of freedom are the sum of the shares themselves.",
         lam_with(lambda s, lam: float((shares(s, lam) ** 2).sum()))),
        ("eigenvalues squared",
         "The s are eigenvalues of K; squares are for the singular values of the features.",
         lam_with(lambda s, lam: float(shares(s**2, lam).sum()))),
        ("eigenvalues before their sum",
         "Each direction has a share of its own: Σ s/(s + λ), not Σs/(Σs + λ).",
         lambda K, freedom: np.trace(K) * (1 - freedom) / freedom),
        ("the eigenvalue of that number",
         "At λ = s_k the k-th share is ½. That is not where all of them add up to k.",
         lambda K, freedom: np.linalg.eigvalsh(K)[-max(int(freedom), 1)]),
        ("the trace divided by the freedom", "Where λ is not large, s/(s + λ) is not s/λ.",
         lambda K, freedom: np.trace(K) / freedom),
        *(("an interval with fixed ends",
           "λ is in the units of K, so it may be anywhere: take the ends from K.",
           lam_with(ends=ends)) for ends in (6.0, 20 / np.log(10), 9.0, 12.0)),
        ("right to some decimals",
         "Where K is tiny, so is λ, and a search that knows it to some decimals knows nothing: "
         "search in log λ.", lam_with(say=lambda lam, n: lam + 1e-9)),
        ("λ in the form with a mean", "Here the squares are summed: nothing is divided by n.",
         lam_with(say=lambda lam, n: lam / n)),
        ("the logarithm of λ", "If you search in log λ, return λ itself.",
         lam_with(say=lambda lam, n: float(np.log(lam)))),
        ("the logarithm of λ, to base 10", "If you search in log λ, return λ itself.",
         lam_with(say=lambda lam, n: float(np.log10(lam)))),
    ],
    shapes="The eigenvalues are (n,), and the answer is one number.",
)  # fmt: skip


# --- the representer theorem --------------------------------------------------------------------


def part_cases(rng: Rng) -> Iterator[Case]:
    """One vector in the plane, then fewer vectors than dimensions, then dependent ones."""
    yield {"X": np.array([[2.0, 0.0]]), "w": np.array([1.0, 3.0])}
    yield {"X": np.array([[1.0, 1.0]]), "w": np.array([2.0, 0.0])}
    yield {"X": np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]), "w": np.array([1.0, 2.0, 3.0])}
    for n, d in 3 * ((1, 3), (2, 3), (2, 4), (3, 5)):
        X = some_vectors(n, d, rng)
        X[0, 0] = 4.0  # not zero
        yield {"X": X, "w": some_vectors(1, d, rng)[0]}
    yield {"X": np.array([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0]]), "w": np.array([1.0, 0.0, 5.0])}


def inside(X: FloatArray, w: FloatArray) -> FloatArray:
    """Return the part of w in the span of the rows of X."""
    return np.asarray(np.linalg.pinv(X) @ (X @ w))


def judge_part(case: Case, value: Any) -> str | None:
    """A part is right if it predicts the same and is a combination of the examples."""
    X, w = case["X"], case["w"]
    right = inside(X, w)
    try:
        part = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        part = np.array(np.nan)
    both = f"expected {number_words(right)}\nyours    {number_words(value)}"
    if part.shape != w.shape:
        return f"{both}\nThe shape should be {w.shape}."
    if np.allclose(part, right, 1e-5, 1e-6):
        return None
    words = []
    if not np.allclose(X @ part, X @ w, 1e-5, 1e-6):
        found, wanted = number_words(X @ part), number_words(X @ w)
        words.append(f"It predicts {found} where w predicts {wanted}.")
    if not np.allclose(inside(X, part), part, 1e-5, 1e-6):
        words.append("It is no combination of the examples.")
    return f"{both}\n{' '.join(words)}"


part_in_the_data = FunctionExercise(
    "part_in_the_data",
    "Given X (n, d), n < d, and any w (d,), return the vector (d,) that predicts the same on all n "
    "examples and is a combination Σ c_i x_i of them. The rows may be dependent.",
    [
        "w = u + v with u in the span of the rows and v orthogonal to each. What is X v?",
        "X v = 0, so X u = X w; and u = Xᵀ c. Which equation has c to meet?",
        "X Xᵀ c = X w. If rows are dependent many c do: take any, by least squares.",
        "X.T @ np.linalg.lstsq(X @ X.T, X @ w, rcond=None)[0], or np.linalg.pinv(X) @ X @ w",
    ],
    "v changes no prediction and makes ‖w‖ longer, so no regularised solution has one: n numbers "
    "are enough, even if d is infinite.",
    cases=part_cases,
    solution=inside,
    judge=judge_part,
    misconceptions=[
        ("the other part",
         "This is what is orthogonal to all examples: it predicts zero. Return the rest.",
         lambda X, w: w - inside(X, w)),
        ("w itself", "It predicts the same, but in general it is no combination of the examples.",
         lambda X, w: w),
        ("the scores as coefficients",
         "Xᵀ(X w) is in the span, but predicts something else unless X Xᵀ = I: solve for c.",
         lambda X, w: X.T @ (X @ w)),
        ("one example at a time",
         "Adding up the projections on each row counts twice what rows have in common.",
         lambda X, w: sum((x @ w) / (x @ x or 1.0) * x for x in X)),
        ("the first example only", "All n rows span the space, not the first alone.",
         lambda X, w: (X[0] @ w) / (X[0] @ X[0]) * X[0]),
        ("the mean of the examples", "A multiple of the mean predicts one thing right, not n.",
         lambda X, w: X.mean(axis=0)),
        ("the coefficients are returned", "Those are c; the vector is Xᵀ c.",
         lambda X, w: solve(X @ X.T, X @ w)),
    ],
    shapes="X @ w is (n,), c is (n,), and X.T @ c is (d,).",
)  # fmt: skip


# --- every λ from one decomposition -------------------------------------------------------------


def path_cases(rng: Rng) -> Iterator[Case]:
    """One λ, two, then more λ than examples or fewer."""
    K, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([3.0, 0.0])
    yield {"K": K, "y": y, "lams": np.array([1.0])}
    yield {"K": K, "y": y, "lams": np.array([1.0, 4.0, 0.5])}
    for n, m in 3 * ((2, 3), (3, 2), (4, 6), (6, 3)):
        K, y = gram(n, rng)
        yield {"K": K, "y": y, "lams": rng.choice(LAMS, m)}


def all_coefficients(K: FloatArray, y: FloatArray, lams: FloatArray) -> FloatArray:
    """Return a row of coefficients for each λ."""
    return np.array([solve(K + lam * np.eye(len(y)), y) for lam in lams])


def path_with(
    shrink: Callable[[FloatArray, FloatArray], FloatArray] = lambda s, lam: 1 / (s + lam),
    *,
    back: bool = True,
    rotate: bool = True,
) -> Callable[..., FloatArray]:
    """Return a path with another factor, or without one of its two rotations."""

    def idea(K: FloatArray, y: FloatArray, lams: FloatArray) -> FloatArray:
        s, U = np.linalg.eigh(K)
        z = shrink(s, lams[:, np.newaxis]) * (U.T @ y if rotate else y)
        return np.asarray(z @ U.T if back else z)

    return idea


def exchanged(K: FloatArray, y: FloatArray, lams: FloatArray) -> FloatArray:
    """Return Uᵀ(Uy/(s + λ)) for each λ."""
    s, U = np.linalg.eigh(K)
    return np.asarray((U @ y / (s + lams[:, np.newaxis])) @ U)


def many_systems(answer: Callable[..., Any]) -> str | None:
    """Say so if an answer solves a system, or takes K apart, for every λ."""
    m = 20
    K, y = gram(5, np.random.default_rng(0))
    solved = count_factorizations(answer, {"K": K, "y": y, "lams": np.arange(1.0, m + 1)})
    if solved < m:
        return None
    return (
        f"yours solved {solved} systems for {m} λ. That is right, and slow: one np.linalg.eigh, "
        "before any loop, serves them all."
    )


coefficients_for_all = FunctionExercise(
    "coefficients_for_all",
    "Every λ from one eigendecomposition: given K (n, n), y (n,) and lams (m,), return coef "
    "(m, n), a row for each λ. np.linalg.eigh once, no solve.",
    [
        "K = U diag(s) Uᵀ. What is K + λI in the same basis?",
        "U diag(s + λ) Uᵀ: only the diagonal changes, so its inverse is U diag(1/(s + λ)) Uᵀ.",
        "coef = U ((Uᵀy)/(s + λ)). For all λ: a table (m, n) of (Uᵀy)/(s + λ), times Uᵀ.",
        "s, U = np.linalg.eigh(K); (U.T @ y / (s + lams[:, None])) @ U.T",
    ],
    "One eigendecomposition costs about ten solves; from the eleventh λ on everything is nearly "
    "free, leave-one-out included. That is why the slider follows the hand.",
    cases=path_cases,
    remark=many_systems,
    solution=all_coefficients,
    misconceptions=[
        ("the fitted values",
         "s/(s + λ) gives K coef, the curve at the examples; coef has 1/(s + λ).",
         path_with(lambda s, lam: s / (s + lam))),
        ("still in the basis of eigenvectors", "Those are Uᵀcoef: rotate back with U.",
         path_with(back=False)),
        ("y is not rotated", "The factors 1/(s + λ) belong to Uᵀy, not to y.",
         path_with(rotate=False)),
        ("λ is left out",
         "Without λ all rows are the same, and the curve goes through every point.",
         path_with(lambda s, lam: 1 / np.where(np.abs(s) < 1e-9, 1e-9, s) + 0 * lam)),
        ("λ times n", "That is the form with a mean of squares; here they are summed.",
         path_with(lambda s, lam: 1 / (s + lam * s.shape[-1]))),
        ("U and Uᵀ are exchanged",
         "The eigenvectors are the columns of U: Uᵀy first, then U. A symmetric U hides it.",
         exchanged),
        ("multiplied instead of divided", "The inverse of U diag(s + λ) Uᵀ has 1/(s + λ).",
         path_with(lambda s, lam: s + lam)),
        ("in order of λ", "The rows follow the lams as they come.",
         lambda K, y, lams: all_coefficients(K, y, np.sort(lams))),
        ("a column for each λ", "Asked for is a row for each λ: shape (m, n).",
         lambda K, y, lams: all_coefficients(K, y, lams).T),
        ("one λ for all", "Each row has its own λ.",
         lambda K, y, lams: all_coefficients(K, y, np.full(len(lams), lams[0]))),
    ],
    shapes="s is (n,), lams[:, None] is (m, 1): s + lams[:, None] is the table (m, n).",
)  # fmt: skip


# --- the band of a Gaussian process -------------------------------------------------------------


def band_cases(rng: Rng) -> Iterator[Case]:
    """One example and one place; then several, some of them at an example."""
    yield {
        "K": np.array([[1.0]]), "y": np.array([2.0]), "K_new": np.array([[0.5]]),
        "diag": np.array([1.0]), "noise": 0.5,
    }  # fmt: skip
    yield {
        "K": np.array([[1.0]]), "y": np.array([2.0]), "K_new": np.array([[0.0], [1.0]]),
        "diag": np.array([1.0, 1.0]), "noise": 2.0,
    }  # fmt: skip
    for n, m in 3 * ((2, 1), (2, 3), (3, 2), (5, 4)):
        x, new = rng.uniform(0, 3, n), rng.uniform(-1, 4, m)
        new[0] = x[0]
        scale = float(rng.choice([1.0, 2.0]))
        yield {
            "K": scale * np.exp(-((x[:, None] - x) ** 2)), "y": rng.normal(size=n).round(1),
            "K_new": scale * np.exp(-((new[:, None] - x) ** 2)), "diag": np.full(m, scale),
            "noise": float(rng.choice([0.5, 0.7])),
        }  # fmt: skip


def band_with(
    lam: Callable[[float], float] = lambda noise: noise**2,
    *,
    root: bool = True,
    more: Callable[[float], float] = lambda noise: 0.0,
    prior: bool = True,
    inverse: bool = True,
    say: Callable[[Any, Any], Any] = lambda mean, deviation: (mean, deviation),
) -> Callable[..., Any]:
    """Return a band with another λ, without a root, with something more or less in it."""

    def idea(K: Any, y: Any, K_new: Any, diag: Any, noise: float) -> Any:
        A = K + lam(noise) * np.eye(len(y))
        explained = (K_new * (np.linalg.solve(A, K_new.T).T if inverse else K_new)).sum(axis=1)
        variance = np.maximum((diag if prior else 0) - (1 if prior else -1) * explained, 0)
        variance = variance + more(noise)
        return say(K_new @ np.linalg.solve(A, y), np.sqrt(variance) if root else variance)

    return idea


band = FunctionExercise(
    "band",
    "The same curve with a band: in a Gaussian process with covariance k and noise of standard "
    "deviation noise, given K (n, n), y (n,), K_new (m, n) between m new places and the examples, "
    "and diag (m,), k of each new place with itself, return two arrays (m,): the mean of the "
    "truth there, and its standard deviation (of the truth itself, not of a new measurement).",
    [
        "The mean is the curve you know, with λ = noise². Where does the variance start, before "
        "any example is seen?",
        "It starts at diag, and each example explains a part of it away.",
        "variance = diag − the diagonal of K_new (K + noise² I)⁻¹ K_newᵀ.",
        "A = K + noise**2 * I; mean = K_new @ solve(A, y); variance = diag - (K_new * "
        "solve(A, K_new.T).T).sum(axis=1); return mean, np.sqrt(variance)",
    ],
    "The variance does not look at y: where the band is narrow is decided by where you measured. "
    "And the noise of the model is what the ridge called √λ.",
    cases=band_cases,
    solution=band_with(),
    parts=("mean", "deviation"),
    misconceptions=[
        ("the standard deviation as λ", "λ = noise², the variance of the noise.",
         band_with(lambda noise: noise)),
        ("the other way round", "The mean first, then the deviation.",
         band_with(say=lambda mean, deviation: (deviation, mean))),
        ("two deviations", "Asked for is one standard deviation; the picture doubles it.",
         band_with(say=lambda mean, deviation: (mean, 2 * deviation))),
        ("1 in the place of diag",
         "k(x, x) is 1 for kernels such as the Gaussian; in general it is diag.",
         lambda K, y, K_new, diag, noise: band_with()(K, y, K_new, np.ones(len(diag)), noise)),
        ("the variance is returned", "A standard deviation is its root, in the units of y.",
         band_with(root=False)),
        ("the noise of a new measurement is added",
         "That band is for the next y; asked for is the one of f.",
         band_with(more=lambda noise: noise**2)),
        ("what is explained instead of what is left",
         "The examples explain a part of diag: subtract it.", band_with(prior=False)),
        ("the inverse is forgotten",
         "K_new K_newᵀ counts neighbours twice: (K + noise² I)⁻¹ stands between them.",
         band_with(inverse=False)),
        ("no noise", "With λ = 0 the band is closed at every example, as if y were exact.",
         band_with(lambda noise: 1e-9)),
        ("noise multiplied by two", "λ = noise², not 2 · noise.",
         band_with(lambda noise: 2 * noise)),
    ],
    shapes="K_new is (m, n): solve(A, K_new.T) is (n, m). A sum along axis 1 leaves (m,).",
)  # fmt: skip


EXERCISES = (
    lam_for_freedom,
    part_in_the_data,
    honest_error,
    broadcast_says,
    leave_folds_out,
    coefficients_for_all,
    band,
    choose_lam,
)
