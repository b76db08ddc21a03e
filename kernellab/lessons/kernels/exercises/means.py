"""Exercises of notebook 03 on class means in feature space: the nearer one, and how far apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernellab.exercises.examples import Rng, some_directions, some_gram, some_labels
from kernellab.exercises.exercise import Case, FunctionExercise, as_numbers, compare
from kernellab.validation import FloatArray

# --- the nearer mean ------------------------------------------------------------------------------


def mean_cases(rng: Rng) -> Iterator[Case]:
    """By hand first; classes of different size, means at different lengths, and a tie."""
    for x, labels, new in (
        ([0.0, 2.0, 4.0, 4.0], [-1.0, -1.0, 1.0, 1.0], [1.0, 3.0, 2.5]),  # 2.5: between 1 and 4
        ([1.0, 1.0, 1.0, 2.0], [-1.0, -1.0, -1.0, 1.0], [1.0, 2.0]),  # larger mean, smaller sum
    ):
        yield {"K": np.outer(x, x), "y": np.array(labels), "K_test": np.outer(new, x)}
    for n, m in 3 * ((4, 2), (5, 3), (7, 4), (6, 5)):
        X, Z = some_directions(n, 2, rng), some_directions(m, 2, rng)
        y = some_labels(n, rng, each=2)
        Z[0] = (X[y > 0].mean(axis=0) + X[y < 0].mean(axis=0)) / 2 * 16 // 1 / 16
        yield {"K": X @ X.T, "y": y, "K_test": Z @ X.T}


def within(K: FloatArray, own: Any) -> FloatArray:
    """Return the block of K of one class; `own` is True for its examples."""
    return np.asarray(K[np.ix_(own, own)])


def scores_with(
    length: Callable[[FloatArray, Any], Any] = lambda K, own: within(K, own).mean() / 2,
    *,
    similarity: Callable[[FloatArray, Any], Any] = lambda K_test, own: K_test[:, own].mean(axis=1),
) -> Callable[..., FloatArray]:
    """Return a function for φ(x)·μ₊ − ½‖μ₊‖² minus φ(x)·μ₋ − ½‖μ₋‖², or for a wrong idea of it.

    Rounded, so that a tie is one.
    """

    def idea(K: FloatArray, y: FloatArray, K_test: FloatArray) -> FloatArray:
        plus, minus = y > 0, y < 0
        offset = length(K, plus) - length(K, minus)
        scores = similarity(K_test, plus) - similarity(K_test, minus) - offset
        return np.asarray(np.round(scores, 9) + 0.0)

    return idea


mean_scores = scores_with()


def with_sums(near: Callable[..., Any], length: Callable[..., Any]) -> Callable[..., FloatArray]:
    """Return a function for classes by other than means: of similarities, of a block of K."""
    return classes(
        scores_with(
            lambda K, own: length(within(K, own)) / 2,
            similarity=lambda K_test, own: near(K_test[:, own], axis=1),
        )
    )


def classes(scores: Callable[..., FloatArray]) -> Callable[..., FloatArray]:
    """Return a function for the signs of scores."""
    return lambda K, y, K_test: np.sign(scores(K, y, K_test))


def judge_classes(case: Case, value: Any) -> str | None:
    """Compare classes where the score is clear: rounding decides on the line itself."""
    scores, given = mean_scores(**case), as_numbers(value)
    right = np.sign(scores)
    if given is not None and given.shape == scores.shape:
        right = np.where(scores == 0, given, right)
    return compare(right, value)


def same_classes(idea: Any, value: Any) -> bool:
    """Compare classes with those of a wrong idea, which knows none where it scores 0."""
    if value is None or idea.shape != value.shape:
        return False
    return bool(np.all((idea == value) | ((idea == 0) & (np.abs(value) == 1))))


SUMS = ((np.sum, np.sum), (np.sum, np.mean), (np.sum, lambda block: 0.0), (np.mean, np.sum))
nearest_mean = FunctionExercise(
    "nearest_mean",
    "Classify by the nearer class mean in feature space. Given K (n, n) of the training examples, "
    "y (n,) and K_test (m, n), the kernel between m new examples and the training ones, return m "
    "predictions, −1 or +1; on the line between, any answer will do.",
    [
        "Write ‖φ(x) − μ₊‖² with products only. Which part is the same for both classes?",
        "φ(x)·μ₊ is the mean of K_test[t, j] over j of class +1, and ‖μ₊‖² a mean over K.",
        "+1 if φ(x)·μ₊ − ½‖μ₊‖² > φ(x)·μ₋ − ½‖μ₋‖². The lengths of the means matter.",
        "p = y > 0; a = K_test[:, p].mean(1) - K[p][:, p].mean() / 2; the same with y < 0 for b; "
        "np.where(a > b, 1, -1)",
    ],
    "A classifier without training: for k = x·z it is the line half-way between the means; with a "
    "Gaussian it compares two density estimates.",
    cases=mean_cases,
    solution=classes(mean_scores),
    judge=judge_classes,
    alike=same_classes,
    misconceptions=[
        ("the larger mean similarity",
         "A mean far from the origin is similar to everything: subtract ½‖μ‖² of each class.",
         classes(scores_with(lambda K, own: 0.0))),
        *(("the sum instead of the mean",
           "Divide by the size of each class, or the larger class wins.", with_sums(near, length))
          for near, length in SUMS),
        ("the half is forgotten",
         "‖φ(x) − μ‖² = … − 2 φ(x)·μ + ‖μ‖²: divided by −2, ‖μ‖² counts half.",
         classes(scores_with(lambda K, own: within(K, own).mean()))),
        ("the lengths with the wrong sign", "A long mean is no advantage: −½‖μ‖², not +½‖μ‖².",
         classes(scores_with(lambda K, own: -within(K, own).mean() / 2))),
        ("‖μ‖² is the mean of K_ii",
         "‖μ‖² is the mean of all K_ij of the class, not of its diagonal alone.",
         classes(scores_with(lambda K, own: np.diag(K)[own].mean() / 2))),
        ("the nearest example", "The mean of a class decides, not its most similar member.",
         lambda K, y, K_test: y[K_test.argmax(axis=1)]),
        ("the classes are exchanged",
         "The smaller distance wins, which is the larger φ(x)·μ − ½‖μ‖².",
         lambda K, y, K_test: -np.sign(mean_scores(K, y, K_test))),
    ],
    shapes="K_test is (m, n) and y > 0 is (n,): K_test[:, y > 0] keeps the columns of one class.",
)  # fmt: skip


# --- how far the means are apart ------------------------------------------------------------------


def sample_cases(rng: Rng) -> Iterator[Case]:
    """By hand first: two numbers against one; then samples of different size."""
    x = np.array([0.0, 2.0, 4.0])
    yield {"K": np.outer(x, x), "y": np.array([-1.0, -1.0, 1.0])}
    for n in 3 * (4, 5, 6, 7):
        yield {"K": some_gram(n, rng), "y": some_labels(n, rng, each=2)}


def discrepancy(K: FloatArray, y: FloatArray) -> Any:
    """Return ‖μ₊ − μ₋‖², never below 0."""
    weights = np.where(y > 0, 1 / np.sum(y > 0), -1 / np.sum(y < 0))
    return np.maximum(0.0, weights @ K @ weights)


def of_blocks(value: Callable[[Any, Any, Any], Any]) -> Callable[..., Any]:
    """Return a function of three blocks, within +1, within −1, between, as one of K and y."""
    return lambda K, y: value(within(K, y > 0), within(K, y < 0), K[np.ix_(y > 0, y < 0)])


def off_diagonal_mean(block: FloatArray) -> Any:
    """Return the mean over pairs of different examples; 0 if there are none."""
    n = len(block)
    return (block.sum() - np.trace(block)) / max(n * (n - 1), 1)


mean_discrepancy = FunctionExercise(
    "mean_discrepancy",
    "A project. Two samples, told apart by y (n,): are they from one source? Given K (n, n) "
    "return the squared maximum mean discrepancy, ‖μ₊ − μ₋‖² of their means in feature space. "
    "The cell below compares it with the same for shuffled labels.",
    [
        "Multiply ‖μ₊ − μ₋‖² out. What is μ₊·μ₋ in terms of k?",
        "Each of the three products is the mean of a block of K: within +1, within −1, between.",
        "The block between the samples counts twice, with a minus.",
        "p, q = y > 0, y < 0; K[p][:, p].mean() + K[q][:, q].mean() - 2 * K[p][:, q].mean()",
    ],
    "In the limit of many examples, with a Gaussian, it is 0 only if the distributions are the "
    "same: a test for two samples of anything that has a kernel. In yours chance has a share: "
    "shuffling the labels says how large.",
    cases=sample_cases,
    solution=discrepancy,
    misconceptions=[
        ("the distance instead of its square", "The squared discrepancy is asked for: no root.",
         lambda K, y: np.sqrt(discrepancy(K, y))),
        ("the block between counts once", "‖a − b‖² = a·a + b·b − 2 a·b.",
         of_blocks(lambda a, b, c: a.mean() + b.mean() - c.mean())),
        ("sums instead of means",
         "Divide each block by its number of entries, or the larger sample decides.",
         of_blocks(lambda a, b, c: a.sum() + b.sum() - 2 * c.sum())),
        ("everything divided by n", "Each block has its own size: n₊², n₋² and n₊ n₋.",
         lambda K, y: y @ K @ y / len(y) ** 2),
        ("the diagonal is left out",
         "That is the unbiased estimate, a good one, and not ‖μ₊ − μ₋‖² of these samples.",
         of_blocks(lambda a, b, c: off_diagonal_mean(a) + off_diagonal_mean(b) - 2 * c.mean())),
        ("K[p, p] is a block",
         "NumPy pairs the two indices up, which gives the diagonal: write K[p][:, p].",
         of_blocks(lambda a, b, c: np.diag(a).mean() + np.diag(b).mean() - 2 * c.mean())),
        ("the sum of the means", "‖μ₊ + μ₋‖² has + 2 μ₊·μ₋.",
         of_blocks(lambda a, b, c: a.mean() + b.mean() + 2 * c.mean())),
        ("the similarity between the samples",
         "μ₊·μ₋ alone says little: compare it with ‖μ₊‖² and ‖μ₋‖².",
         of_blocks(lambda a, b, c: c.mean())),
    ],
    shapes="y > 0 is (n,): K[y > 0] keeps rows, K[y > 0][:, y < 0] is a block.",
)  # fmt: skip
