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


def exponent_by_moments(n, seconds):
    x, y = np.log10(n), np.log10(seconds)
    return np.cov(x, y)[0, 1] / np.var(x, ddof=1)


def exponent_by_least_squares(n, seconds):
    A = np.column_stack([np.ones(len(n)), np.log2(n)])
    return np.linalg.lstsq(A, np.log2(seconds), rcond=None)[0][1]


def exponent_by_normal_equations(n, seconds):
    x = [math.log(v) for v in n]
    y = [math.log(v) for v in seconds]
    k, sx, sy = len(x), sum(x), sum(y)
    top = k * sum(a * b for a, b in zip(x, y, strict=True)) - sx * sy
    return top / (k * sum(a * a for a in x) - sx**2)


def seconds_by_centre(n, seconds, asked):
    p = exponent_by_moments(n, seconds)
    centre, height = np.exp(np.mean(np.log(n))), np.exp(np.mean(np.log(seconds)))
    return height * (asked / centre) ** p


def seconds_by_polynomial(n, seconds, asked):
    line = np.polynomial.Polynomial.fit(np.log10(n), np.log10(seconds), 1)
    return 10 ** line(np.log10(asked))


def seconds_by_lstsq(n, seconds, asked):
    A = np.column_stack([np.ones(len(n)), np.log(n)])
    a, p = np.linalg.lstsq(A, np.log(seconds), rcond=None)[0]
    return math.exp(a) * asked**p


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


def ridge_at_once(blocks, lam):
    Z = np.vstack([Z for Z, _ in blocks])
    y = np.concatenate([y for _, y in blocks])
    return np.linalg.solve(Z.T @ Z + lam * np.eye(Z.shape[1]), Z.T @ y)


def ridge_by_loop(blocks, lam):
    m = blocks[0][0].shape[1]
    A, b = lam * np.eye(m), np.zeros(m)
    for Z, y in blocks:
        A += Z.T @ Z
        b += Z.T @ y
    return np.linalg.inv(A) @ b


def ridge_recursive(blocks, lam):
    m = blocks[0][0].shape[1]
    P, w = np.eye(m) / lam, np.zeros(m)
    for Z, y in blocks:
        for z, target in zip(Z, y, strict=True):
            gain = P @ z / (1 + z @ P @ z)
            w = w + gain * (target - z @ w)
            P = P - np.outer(gain, z @ P)
    return list(w)


RIGHT = {
    "pairs_against_rest": [
        reduction_by_counting,
        reduction_by_choosing,
        lambda q, p: np.float32((q - 1) * 2.0 ** (p - 1) / q**p),
    ],
    "growth_exponent": [
        exponent_by_moments,
        exponent_by_least_squares,
        exponent_by_normal_equations,
    ],
    "predict_seconds": [seconds_by_centre, seconds_by_polynomial, seconds_by_lstsq],
    "largest_n": [n_by_counting, n_by_bisection, n_by_array],
    "ridge_over_blocks": [ridge_at_once, ridge_by_loop, ridge_recursive],
}

# --- wrong answers ------------------------------------------------------------------------------


def adds_in_place(blocks, lam):
    (A, b), *rest = [(Z.T @ Z, Z.T @ y) for Z, y in blocks]
    blocks[0][0][:] += 0.5
    return np.linalg.solve(sum((a for a, _ in rest), A) + lam * np.eye(len(b)), b)


def waits(q, p):
    while True:
        pass


WRONG = {
    "pairs_against_rest": [
        (lambda q, p: 0.5, HARD_CODED),
        (waits, ENDLESS),
        (lambda q, p: [reduction_by_choosing(q, p)], OTHER_SHAPE),
        (lambda q, p: 1 / 0, RAISES),
        (lambda q, p: 1.01 * reduction_by_choosing(q, p), None),
    ],
    "growth_exponent": [
        (lambda n, seconds: 2.0, HARD_CODED),
        (lambda n, seconds: round(exponent_by_moments(n, seconds)), None),
        (lambda n, seconds: np.polyfit(np.log(n), np.log(seconds), 1)[2], RAISES),
        (lambda n, seconds: exponent_by_moments(n, seconds) * np.ones(1), OTHER_SHAPE),
        (lambda n, seconds: n @ np.eye(9) @ seconds, SHAPES),
    ],
    "predict_seconds": [
        (lambda n, seconds, asked: 1.0, HARD_CODED),
        (lambda n, seconds, asked: 2 * seconds_by_lstsq(n, seconds, asked), None),
        (lambda n, seconds, asked: [seconds_by_lstsq(n, seconds, asked)], OTHER_SHAPE),
        (lambda n, seconds, asked: seconds[n == asked][0], RAISES),
        (lambda n, seconds, asked: np.interp(asked, n, seconds), None),
    ],
    "largest_n": [
        (lambda budget, m: 3, HARD_CODED),
        (lambda budget, m: (budget // 8 - m * m) // m, RAISES),
        (lambda budget, m: n_by_array(budget, m) / 2, None),
        (lambda budget, m: [n_by_array(budget, m)], OTHER_SHAPE),
        (lambda budget, m: np.arange(budget)[n_by_array(budget, m) :], None),
    ],
    "ridge_over_blocks": [
        (adds_in_place, CHANGES_ITS_INPUT),
        (lambda blocks, lam: np.zeros(1), HARD_CODED),
        (lambda blocks, lam: ridge_by_loop(blocks, lam)[:, None], OTHER_SHAPE),
        (lambda blocks, lam: ridge_by_loop(blocks[::-1][:-1] or blocks, lam), None),
        (lambda blocks, lam: blocks[0][0] @ blocks[1][0], RAISES),
    ],
}

EQUIVALENT = {  # all blocks have the same columns
    "ridge_over_blocks": {"m = blocks[-1][0].shape[1]"},
}


class TestBank(BankTests):
    bank = Bank("08", exercises, RIGHT, WRONG, EQUIVALENT)


def test_blocks_put_together_are_right_and_told():
    verdict = exercises.ridge_over_blocks.verdict(ridge_at_once)
    assert verdict.correct
    assert "puts all blocks together" in " ".join(verdict.text.split())
    for answer in (ridge_by_loop, ridge_recursive):
        assert "puts all" not in " ".join(exercises.ridge_over_blocks.verdict(answer).text.split())


@pytest.mark.parametrize(("budget", "m", "n"), [(10**9, 0, 11_180), (10**9, 256, 488_025)])
def test_what_a_gigabyte_is(budget, m, n):
    assert exercises.largest_n.solution(budget, m) == n
