"""The bank of notebook 08: answers that each check must accept, and those that it must not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from bank import Bank, BankTests

from kernellab.exercises.exercise import HARD_CODED, OTHER_SHAPE
from kernellab.exercises.running import CHANGES_ITS_INPUT, ENDLESS, RAISES, SHAPES
from kernellab.lessons.scale import exercises

# --- right answers ------------------------------------------------------------------------------


def reduction_by_counting(q, p):
    n = 1000.0 * q
    pairs = sum((2 * n / q) ** p for a in range(q) for b in range(a))
    return pairs / sum(n**p for _ in range(q))


def reduction_by_choosing(q, p):
    return math.comb(q, 2) * math.exp(p * math.log(2 / q)) / q


def takeover_by_solving(n, seconds):
    a, b = np.linalg.solve(np.column_stack([n**2, n**3]), seconds)
    return a / b


def takeover_by_hand(n, seconds):
    (t0, t1), (n0, n1) = seconds / n**2, n
    slope = (t1 - t0) / (n1 - n0)
    return t0 / slope - n0


def takeover_by_looking(n, seconds):
    (n0, n1), (t0, t1) = [float(v) for v in n], [float(v) for v in seconds]
    return (t0 * n1**3 - t1 * n0**3) / (t1 * n0**2 - t0 * n1**2)


def meeting_by_two_lines(n, first, second):
    p, a = np.polyfit(np.log10(n), np.log10(first), 1)
    q, b = np.polyfit(np.log10(n), np.log10(second), 1)
    return 10 ** ((b - a) / (p - q))


def meeting_by_moments(n, first, second):
    x, y = np.log(n), np.log(second) - np.log(first)
    slope = np.cov(x, y)[0, 1] / np.var(x, ddof=1)
    return np.exp(x.mean() - y.mean() / slope)


def meeting_by_roots(n, first, second):
    lines = [np.polynomial.Polynomial.fit(np.log2(n), np.log2(t), 1) for t in (first, second)]
    return 2 ** (lines[0] - lines[1].convert(lines[1].domain)).roots()[0]


def n_by_counting(budget, m):
    n = 0
    while 8 * ((n + 1) ** 2 if m == 0 else (n + 1) * m + m * m) <= budget:
        n += 1
    return n


def n_by_bisection(budget, m):
    low, high = 0, budget + 1
    while high - low > 1:
        n = (low + high) // 2
        fits = (n * n if m == 0 else n * m + m * m) * 8 <= budget
        low, high = (n, high) if fits else (low, n)
    return low


def n_by_array(budget, m):
    n = np.arange(1, budget + 2)
    return int(np.sum(8 * (n * n if m == 0 else n * m + m * m) <= budget))


def m_by_bisection(n, d, budget):
    low, high = 0, n + 1
    while high - low > 1:
        m = (low + high) // 2
        low, high = (m, high) if n * m * d + m**3 + n * m * m <= budget else (low, m)
    return low


def m_by_array(n, d, budget):
    m = np.arange(n + 1)
    return m[m * (n * d + m**2 + n * m) <= budget].max()


def m_by_search(n, d, budget):
    m = np.arange(1, n + 1, dtype=float)
    return float(np.searchsorted(n * m * d + m**3 + n * m**2, budget, side="right"))


def dual_after(w, moves, rises, s):
    return s * rises.sum() - np.square(w + s * moves.sum(axis=0)).sum() / 2


def step_by_bisection(w, moves, rises):
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        d = moves.sum(axis=0)
        slope = rises.sum() - w @ d - middle * d @ d
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2


def step_by_three_values(w, moves, rises):
    at = np.array([0.0, 0.5, 1.0])
    parabola = np.polyfit(at, [dual_after(w, moves, rises, s) for s in at], 2)
    return float(np.clip(-parabola[1] / (2 * parabola[0]), 0, 1))


def step_by_loop(w, moves, rises):
    d = [sum(float(move[k]) for move in moves) for k in range(len(w))]
    top = sum(rises) - sum(a * b for a, b in zip(w, d, strict=True))
    return np.float32(min(1, top / sum(v * v for v in d)))


def errors_by_subtracting(sent, lams):
    A, b = sum(one[0] for one in sent), sum(one[1] for one in sent)
    n = sum(one[3] for one in sent)
    found = []
    for lam in lams:
        error = 0
        for A_k, b_k, c_k, _ in sent:
            w = np.linalg.solve(A - A_k + lam * np.eye(len(b)), b - b_k)
            error += c_k - 2 * w @ b_k + w @ A_k @ w
        found.append(error / n)
    return found


def errors_by_adding(sent, lams):
    found = np.zeros(len(lams))
    for k, (A_k, b_k, c_k, _) in enumerate(sent):
        rest = [one for j, one in enumerate(sent) if j != k]
        A, b = sum(one[0] for one in rest), sum(one[1] for one in rest)
        for i, lam in enumerate(lams):
            w = np.linalg.inv(A + lam * np.eye(len(b))) @ b
            found[i] += w @ (A_k @ w - 2 * b_k) + c_k
    return found / sum(one[3] for one in sent)


def errors_from_eigenvectors(sent, lams):
    found = np.zeros(len(lams))
    for k, own in enumerate(sent):
        rest = [one for j, one in enumerate(sent) if j != k]
        values, U = np.linalg.eigh(sum(one[0] for one in rest))
        b = U.T @ sum(one[1] for one in rest)
        W = U @ (b[:, None] / (values[:, None] + np.asarray(lams)))
        found += own[2] - 2 * own[1] @ W + np.einsum("ik,ij,jk->k", W, own[0], W)
    return found / sum(one[3] for one in sent)


RIGHT = {
    "pairs_against_rest": [
        reduction_by_counting,
        reduction_by_choosing,
        lambda q, p: np.float32((q - 1) * 2.0 ** (p - 1) / q**p),
    ],
    "takes_over": [takeover_by_solving, takeover_by_hand, takeover_by_looking],
    "overtakes": [meeting_by_two_lines, meeting_by_moments, meeting_by_roots],
    "largest_n": [n_by_counting, n_by_bisection, n_by_array],
    "choose_m": [m_by_bisection, m_by_array, m_by_search],
    "step_in_common": [step_by_bisection, step_by_three_values, step_by_loop],
    "held_out_errors": [errors_by_subtracting, errors_by_adding, errors_from_eigenvectors],
}

# --- wrong answers ------------------------------------------------------------------------------


def subtracts_in_place(sent, lams):
    (A, *_), *rest = sent
    for one in rest:
        A += one[0]
    return np.zeros(len(lams))


def m_for_ever(n, d, budget):
    m = 0
    while n * m * d <= budget or m <= n:
        m += 0
    return m


def m_by_range(n, d, budget):
    best = 0
    for m in range(n):
        if n * m * d + m**3 + n * m**2 <= budget:
            best = m
    return best


def waits(q, p):
    while True:
        pass


WRONG = {
    "pairs_against_rest": [
        (lambda q, p: 0.5, HARD_CODED),
        (lambda q, p: q * (q - 1) / 2 / (q * 5**p), "a fifth, as with ten classes"),
        (waits, ENDLESS),
        (lambda q, p: [reduction_by_choosing(q, p)], OTHER_SHAPE),
        (lambda q, p: 1 / 0, RAISES),
        (lambda q, p: 1.01 * reduction_by_choosing(q, p), None),
    ],
    "takes_over": [
        (lambda n, seconds: 2000.0, HARD_CODED),
        (lambda n, seconds: np.exp(np.mean(np.log(n))), None),
        (
            lambda n, seconds: np.exp(np.polyfit(np.log(n), np.log(seconds), 1)[1]),
            "the factor of one power law",
        ),
        (lambda n, seconds: [takeover_by_hand(n, seconds)], OTHER_SHAPE),
        (lambda n, seconds: np.polyfit(n, seconds / n**2, 1)[2], RAISES),
        (lambda n, seconds: n @ np.eye(9) @ seconds, SHAPES),
    ],
    "overtakes": [
        (lambda n, first, second: 10_000.0, HARD_CODED),
        (lambda n, first, second: 1.05 * meeting_by_moments(n, first, second), None),
        (lambda n, first, second: [meeting_by_moments(n, first, second)], OTHER_SHAPE),
        (lambda n, first, second: n[first == second][0], RAISES),
        (
            lambda n, first, second: np.interp(0, np.log(first / second), n),
            "joined, and the points do not rise",
        ),
        (lambda n, first, second: np.sort(n)[len(n) // 2], None),
    ],
    "largest_n": [
        (lambda budget, m: 3, HARD_CODED),
        (
            lambda budget, m: budget**0.5 // 1 if m == 0 else n_by_array(budget, m),
            "a byte a number, in the Gram matrix",
        ),
        (lambda budget, m: (budget // 8 - m * m) // m, RAISES),
        (lambda budget, m: n_by_array(budget, m) / 2, None),
        (
            lambda budget, m: int(budget / 8 / m - m) if m else int((budget / 8) ** 0.5),
            "fewer than none, cut off",
        ),
        (lambda budget, m: [n_by_array(budget, m)], OTHER_SHAPE),
        (lambda budget, m: np.arange(budget)[n_by_array(budget, m) :], None),
    ],
    "choose_m": [
        (m_for_ever, ENDLESS),
        (m_by_range, "all but n"),
        (lambda n, d, budget: min(n, int((budget / n) ** 0.5)), None),
        (lambda n, d, budget: n, None),
        (lambda n, d, budget: min(n, int(budget // (n * d))), "the kernel values alone"),
        (lambda n, d, budget: [m_by_bisection(n, d, budget)], OTHER_SHAPE),
        (lambda n, d, budget: m_by_bisection(n, d, budget) / 2, None),
    ],
    "step_in_common": [
        (lambda w, moves, rises: 0.5, "always the half"),
        (lambda w, moves, rises: 0.25, HARD_CODED),
        (lambda w, moves, rises: rises.sum() / len(moves), None),
        (
            lambda w, moves, rises: rises.sum() / np.square(moves.sum(axis=0)).sum(),
            "w and the box are forgotten",
        ),
        (lambda w, moves, rises: [step_by_three_values(w, moves, rises)], OTHER_SHAPE),
        (lambda w, moves, rises: moves @ np.ones(9), SHAPES),
        (lambda w, moves, rises: 1 / 0, RAISES),
    ],
    "held_out_errors": [
        (subtracts_in_place, CHANGES_ITS_INPUT),
        (lambda sent, lams: np.ones(len(lams)), None),
        (lambda sent, lams: errors_by_adding(sent, lams)[:, None], OTHER_SHAPE),
        (lambda sent, lams: errors_by_adding(sent, lams)[::-1], None),
        (lambda sent, lams: sent[0] @ sent[1], RAISES),
    ],
}

EQUIVALENT = {  # every worker has raised the dual, so the share is above 0; m = 0 costs nothing
    "choose_m": {"m = -1"},
    "step_in_common": {"return min(max((rises.sum() - w @ d) / (d @ d), -1), 1)"},
}


class TestBank(BankTests):
    bank = Bank("08", exercises, RIGHT, WRONG, EQUIVALENT)


def test_the_errors_are_those_of_images_left_out():
    """What the sums tell is what a loop over the images finds."""
    rng = np.random.default_rng(0)
    blocks = [(rng.normal(size=(n, 3)), rng.normal(size=n)) for n in (4, 7, 5)]
    sent = [(Z.T @ Z, Z.T @ y, y @ y, len(y)) for Z, y in blocks]
    total = 0.0
    for k, (Z_k, y_k) in enumerate(blocks):
        Z = np.vstack([Z for j, (Z, _) in enumerate(blocks) if j != k])
        y = np.concatenate([y for j, (_, y) in enumerate(blocks) if j != k])
        w = np.linalg.lstsq(
            np.vstack([Z, np.sqrt(0.7) * np.eye(3)]), np.append(y, np.zeros(3)), rcond=None
        )[0]
        total += np.square(y_k - Z_k @ w).sum()
    assert exercises.held_out_errors.solution(sent, [0.7])[0] == pytest.approx(total / 16)


def test_the_step_is_the_best_of_many():
    rng = np.random.default_rng(0)
    for case in exercises.step_in_common.cases(rng):
        duals = [dual_after(**case, s=s) for s in np.linspace(0, 1, 2001)]
        best = dual_after(**case, s=exercises.step_in_common.solution(**case))
        assert best >= max(duals) - 1e-9


def test_at_the_takeover_the_slope_is_halfway():
    a, b = 3e-8, 2e-11
    n = exercises.takes_over.solution(n := np.array([500.0, 4000.0]), a * n**2 + b * n**3)
    around = n * np.array([0.999, 1.001])
    slope = np.diff(np.log(a * around**2 + b * around**3)) / np.diff(np.log(around))
    assert slope[0] == pytest.approx(2.5, abs=1e-3)


@pytest.mark.parametrize(("d", "m"), [(2, 754), (784, 584)])
def test_what_a_billion_multiplications_buy(d, m):
    assert exercises.choose_m.solution(1000, d, 10**9) == m
    assert m * (1000 * d + m**2 + 1000 * m) <= 10**9


@pytest.mark.parametrize(("budget", "m", "n"), [(10**9, 0, 11_180), (10**9, 256, 488_025)])
def test_what_a_gigabyte_is(budget, m, n):
    assert exercises.largest_n.solution(budget, m) == n
