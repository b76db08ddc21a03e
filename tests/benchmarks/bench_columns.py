"""Ten digits by m columns and linear machines against the exact machines: time and accuracy.

Run it as a script: ``python tests/benchmarks/bench_columns.py``. All are timed in turn in one
process, by the time of the processor, training and predicting; a ratio below 1 is in favour of
the columns. The examples are those of notebook 07.
"""

from __future__ import annotations

from functools import partial

from measure import HOW, interleaved_medians
from threadpoolctl import threadpool_limits

from kernellab.lessons.approximation.figures.digits_columns import N, train, train_exactly

C = 10.0
COUNTS = (16, 64, 256)


def main() -> None:
    """Print the table."""
    print(f"{N} digits to train on and as many to predict, C = {C:g}; {HOW}; one thread")
    print(f"{'columns':>12} {'m':>5} {'right':>7} {'exact':>7} {'time ratio':>11}")
    with threadpool_limits(limits=1):
        exact = train_exactly(C)
        for how in ("uniform", "kmeans", "eigenvectors"):
            for m in COUNTS:
                columns, whole = interleaved_medians(
                    partial(train, how, m, C), partial(train_exactly, C)
                )
                right = train(how, m, C).accuracy
                print(
                    f"{how:>12} {m:>5} {right:>7.1%} {exact:>7.1%} {(columns / whole).cpu:>11.2f}"
                )


if __name__ == "__main__":
    main()
