"""The primal and the dual perceptron, step by step in one table."""

from __future__ import annotations

from typing import Any

from kernellab.page.course import Words
from kernellab.solvers.perceptron import dual_perceptron, primal_perceptron


def steps_of_both(X: Any, y: Any, first: int = 8) -> Words:
    """Return the first mistakes of both perceptrons, and the last one, as a table.

    Parameters
    ----------
    X, y : Examples, shape (n, d), and labels −1 or +1, shape (n,), that a w separates.
    first : How many mistakes are in the table, besides the last.
    """
    rows = ["| test | example | w | α |", "|---|---|---|---|"]
    for primal, dual in zip(
        primal_perceptron(X, y, one_at_a_time=True),
        dual_perceptron(X @ X.T, y, one_at_a_time=True),
        strict=True,
    ):
        if primal.mistake:
            rows.append(f"| {primal.steps} | {dual.i} | {of(primal.w)} | {of(dual.alpha)} |")
    left_out = len(rows) - 3 - first
    if left_out > 0:
        rows[2 + first : -1] = [f"| … | {left_out} more | | |"]
    return Words("\n".join(rows))


def of(numbers: Any) -> str:
    """Write whole numbers in parentheses."""
    return f"({', '.join(f'{number:.0f}'.replace('-', '−') for number in numbers)})"
