"""Gaussian Gram matrices against scikit-learn's rbf_kernel: a table of ratios of median times.

Run it as a script: ``python tests/benchmarks/bench_gram.py``. The two are timed in turn in one
process, with one thread and with the default number, by the clock on the wall; a ratio below 1 is
in our favour.
"""

from __future__ import annotations

import numpy as np
from measure import HOW, Times, interleaved_medians
from sklearn.metrics.pairwise import rbf_kernel
from threadpoolctl import threadpool_limits

from kernellab.compiled import USING_NUMBA
from kernellab.kernels import Gaussian, score_field

SHAPES = ((200, 2), (200, 64), (2000, 2), (2000, 64), (5000, 64))


def compare(n: int, d: int, *, square: bool) -> tuple[Times, Times]:
    """Return our and scikit-learn's times for an n × n Gram matrix of d features."""
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
    print(f"Numba in use: {USING_NUMBA}; {HOW}")
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
                        f"{1e3 * ours.wall:>9.2f} {1e3 * theirs.wall:>11.2f} "
                        f"{(ours / theirs).wall:>6.2f}"
                    )
    rng = np.random.default_rng(0)
    X, weights, axis = rng.normal(size=(200, 2)), rng.normal(size=200), np.linspace(-3, 3, 150)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    ours, theirs = interleaved_medians(
        lambda: score_field(Gaussian(1.0), X, weights, axis, axis),
        lambda: rbf_kernel(grid, X, gamma=1.0) @ weights,
    )
    print(
        f"score field 150 × 150 of 200 points: {1e3 * ours.wall:.2f} ms, through the Gram matrix "
        f"of scikit-learn {1e3 * theirs.wall:.2f} ms, ratio {(ours / theirs).wall:.3f}"
    )


if __name__ == "__main__":
    main()
