"""Nyström maps of 20 000 examples by 256 landmarks against scikit-learn's Nystroem.

Run it as a script: ``python tests/benchmarks/bench_nystrom.py``. The two are timed in turn in one
process, fit and transform, with the same uniform landmarks, by the time of the processor; a ratio
below 1 is in our favour. Both get double precision; our map can give its features in single, which
is said in the table.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
from measure import HOW, Times, interleaved_medians
from sklearn.kernel_approximation import Nystroem
from threadpoolctl import threadpool_limits

from kernellab.kernels import Gaussian
from kernellab.solvers.landmarks import LANDMARKS, choose_landmarks
from kernellab.solvers.nystrom import nystrom_map, trace_error

N, M = 20_000, 256
REACH, AIM = 0.75, 0.4


def compare(d: int) -> dict[str, Times]:
    """Print the rows for d features: both of our precisions beside scikit-learn; return ratios."""
    X = np.random.default_rng(0).normal(size=(N, d))
    kernel = Gaussian(1.0 / d)
    peer = Nystroem(gamma=kernel.gamma, n_components=M, random_state=0)
    landmarks = X[peer.fit(X).component_indices_]

    def ours(dtype: Any) -> Any:
        return nystrom_map(kernel, landmarks, dtype=dtype)(X)

    double, single, theirs = interleaved_medians(
        lambda: ours(np.float64), lambda: ours(np.float32), lambda: peer.fit_transform(X)
    )
    diag, their_error = kernel.diag(X), trace_error(kernel.diag(X), peer.transform(X))
    ratios = {}
    for times, dtype in ((double, np.float64), (single, np.float32)):
        error = trace_error(diag, ours(dtype))
        ratio = ratios[np.dtype(dtype).name] = times / theirs
        print(
            f"{d:>4} {np.dtype(dtype).name:>9} {1e3 * times.cpu:>9.0f} {1e3 * theirs.cpu:>11.0f} "
            f"{ratio.cpu:>6.2f} {error / N:>12.6f} {their_error / N:>14.6f}"
        )
    return ratios


def main() -> None:
    """Print the tables."""
    print(f"n = {N}, m = {M}; {HOW}; one thread; reach {REACH}, aim {AIM}")
    print(
        f"{'d':>4} {'features':>9} {'ours ms':>9} {'sklearn ms':>11} {'ratio':>6} "
        f"{'trace error':>12} {'sklearn error':>14}"
    )
    with threadpool_limits(limits=1):
        for d in (10, 64):
            compare(d)
        print("choosing the landmarks, d = 10:")
        X = np.random.default_rng(0).normal(size=(N, 10))
        kernel = Gaussian(0.1)
        for how in LANDMARKS:
            start = perf_counter()
            landmarks = choose_landmarks(kernel, X, M, how=how)
            seconds = perf_counter() - start
            error = trace_error(kernel.diag(X), nystrom_map(kernel, landmarks)(X)) / N
            print(f"{how:>14} {1e3 * seconds:>9.0f} ms, trace error {error:.6f}")


if __name__ == "__main__":
    main()
