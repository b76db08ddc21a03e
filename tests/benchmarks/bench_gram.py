"""Gaussian Gram matrices against scikit-learn's rbf_kernel: a table of ratios of median times.

Run it as a script: ``python tests/benchmarks/bench_gram.py``. The two are timed in turn in one
process, with one thread and with the default number; a ratio below 1 is in our favour.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel
from threadpoolctl import threadpool_limits

from kernellab.compiled import USING_NUMBA
from kernellab.kernels import Gaussian, score_field

SHAPES = ((200, 2), (200, 64), (2000, 2), (2000, 64), (5000, 64))
REPEATS = 21


def interleaved_medians(*functions: Callable[[], object]) -> list[float]:
    """Return the median seconds of each function, called in turn so that all share the weather."""
    times: list[list[float]] = [[] for _ in functions]
    for function in functions:  # once unmeasured: first calls load and allocate
        function()
    for _ in range(REPEATS):
        for function, measured in zip(functions, times, strict=True):
            start = perf_counter()
            function()
            measured.append(perf_counter() - start)
    return [median(measured) for measured in times]


def compare(n: int, d: int, *, square: bool) -> tuple[float, float]:
    """Return our and scikit-learn's seconds for an n × n Gram matrix of d features."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    Z = None if square else rng.normal(size=(n, d))
    kernel = Gaussian(gamma=1.0 / d)
    ours, theirs = interleaved_medians(
        lambda: kernel(X, Z), lambda: rbf_kernel(X, Z, gamma=kernel.gamma)
    )
    return ours, theirs


def main() -> None:
    """Print the tables."""
    print(f"Numba in use: {USING_NUMBA}; medians of {REPEATS}")
    print(
        f"{'threads':>8} {'n':>6} {'d':>4} {'of':>5} {'ours ms':>9} {'sklearn ms':>11} {'ratio':>6}"
    )
    for threads in (1, None):
        with threadpool_limits(limits=threads):
            for n, d in SHAPES:
                for square in (True, False):
                    ours, theirs = compare(n, d, square=square)
                    print(
                        f"{threads or 'default':>8} {n:>6} {d:>4} {'X' if square else 'X, Z':>5} "
                        f"{1e3 * ours:>9.2f} {1e3 * theirs:>11.2f} {ours / theirs:>6.2f}"
                    )
    rng = np.random.default_rng(0)
    X, weights, axis = rng.normal(size=(200, 2)), rng.normal(size=200), np.linspace(-3, 3, 150)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    ours, theirs = interleaved_medians(
        lambda: score_field(Gaussian(1.0), X, weights, axis, axis),
        lambda: rbf_kernel(grid, X, gamma=1.0) @ weights,
    )
    print(
        f"score field 150 × 150 of 200 points: {1e3 * ours:.2f} ms, through the Gram matrix of "
        f"scikit-learn {1e3 * theirs:.2f} ms, ratio {ours / theirs:.3f}"
    )


if __name__ == "__main__":
    main()
