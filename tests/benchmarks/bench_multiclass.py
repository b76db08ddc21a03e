"""Ten digits by 45 pairs against ten problems one against the rest: time to fit, time to predict.

Run it as a script: ``python tests/benchmarks/bench_multiclass.py``. The two are timed in turn in
one process, by the time of the processor; a ratio below 1 is in favour of the pairs.
"""

from __future__ import annotations

import warnings

import numpy as np
from measure import HOW, interleaved_medians
from threadpoolctl import threadpool_limits

from kernellab.datasets import load_digits
from kernellab.estimators import KernelSVC, OneVsOneClassifier, OneVsRestClassifier
from kernellab.kernels import Gaussian


def compare(one: object, rest: object, *data: np.ndarray) -> tuple[float, float]:
    """Return the two ratios of times, for training examples, their classes, and what is asked."""
    X, y, asked = data
    fits = interleaved_medians(lambda: one.fit(X, y), lambda: rest.fit(X, y))
    asks = interleaved_medians(lambda: one.predict(asked), lambda: rest.predict(asked))
    return (fits[0] / fits[1]).cpu, (asks[0] / asks[1]).cpu


def main() -> None:
    """Print the table."""
    digits = load_digits(None)
    rows = np.random.default_rng(0).permutation(len(digits.y))
    X, y = digits.X[rows] / 16, digits.y[rows]
    print(f"digits, Gaussian kernel; {HOW}; one thread; one against one / one against the rest")
    print(f"{'solver':>10} {'n':>6} {'fit':>8} {'predict':>8}")
    warnings.simplefilter("ignore")  # ten passes of Pegasos, whatever the gap
    with threadpool_limits(limits=1):
        for solver, passes in (("pegasos", 10), ("smo", 1000)):
            machine = KernelSVC(
                Gaussian(0.5), lam=1e-3, bias=solver == "smo", solver=solver, max_passes=passes
            )
            one, rest = OneVsOneClassifier(machine), OneVsRestClassifier(machine)
            for n in (400, 797):
                fit, ask = compare(one, rest, X[:n], y[:n], X[797:])
                print(f"{solver:>10} {n:>6} {fit:>8.2f} {ask:>8.2f}")


if __name__ == "__main__":
    main()
