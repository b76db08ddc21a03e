"""The table of speed and memory: what was to be reached, and what is.

``make bench`` runs it; or ``python tests/benchmarks/table.py [--quick]``. The table, in Markdown,
goes to the standard output, and progress to the standard error. Ratios are ours to scikit-learn's,
measured in one process, in turn, with one thread; each row is explained in the script it takes its
problems from.
"""

from __future__ import annotations

import os

os.environ.update(  # before NumPy is imported, which settles it
    dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
)

import argparse
import platform
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from functools import partial
from importlib.metadata import version
from statistics import geometric_mean, median
from time import perf_counter
from typing import Any, NamedTuple

import bench_figure
import bench_gram
import bench_linear
import bench_mkl
import bench_nystrom
import bench_ridge
import bench_smo
from measure import HOW, Times
from sklearn.exceptions import ConvergenceWarning

from kernellab.certificates import svm_certificate
from kernellab.compiled import USING_NUMBA
from kernellab.solvers.smo import smo
from kernellab.solving import solve

GIVEN_SIZES = (200, 1000, 2000, 5000)
FITTED_SIZES = (500, 1000, 2000)
EXACT_GAP = 1e-6
IMPORT = """
from time import perf_counter, process_time
cpu, wall = process_time(), perf_counter()
import kernellab
print(process_time() - cpu, perf_counter() - wall)
"""


class Reached(NamedTuple):
    """What the verdict is on, the same by the clock on the wall, and the least and the most."""

    value: float
    wall: float | None
    least: float
    most: float
    remark: str = ""


class Row(NamedTuple):
    """A line of the table; values are printed in the form of `form`."""

    what: str
    reach: float
    aim: float | None
    measure: Callable[[bool], Reached]
    form: str = "{:.3g}"


def means(times: Iterable[Times | None]) -> Reached:
    """Return the geometric means; infinity if a problem was not solved, as no mean is honest."""
    times = list(times)
    solved = [t for t in times if t is not None]
    if len(solved) < len(times):
        unsolved = f"{len(times) - len(solved)} of {len(times)} not solved"
        return Reached(float("inf"), None, float("nan"), float("nan"), unsolved)
    cpu, wall = zip(*solved, strict=True)
    count = f"{len(times)} problem{'s' if len(times) > 1 else ''}"
    return Reached(geometric_mean(cpu), geometric_mean(wall), min(cpu), max(cpu), count)


# --- the rows: each takes whether to be quick, with smaller or fewer problems ---------------------


def smo_times(
    sizes: tuple[int, ...],
    names: tuple[str, ...],
    *,
    from_X: bool,
    compare: Callable[..., tuple[str, Times | None]] = bench_smo.compare,
) -> Reached:
    times = []
    for name, X, y in bench_smo.problems(sizes, names):
        for C in bench_smo.COSTS:
            line, ratio = compare(1e-3, C, X, y, from_X=from_X)
            print(f"{len(y):>6} {name:>8} {C:>4g} {line}")
            times.append(ratio)
    return means(times)


def smo_given(quick: bool) -> Reached:
    return smo_times((200, 1000) if quick else GIVEN_SIZES, bench_smo.ALL, from_X=False)


def smo_on_demand(quick: bool) -> Reached:
    sizes = (1000, 2000) if quick else (1000, 2000, 5000, 10_000)
    return smo_times(sizes, bench_smo.IN_THE_PLANE_AND_BEYOND, from_X=True)


def fits(quick: bool, *, from_X: bool) -> Reached:
    sizes = (500, 1000) if quick else FITTED_SIZES
    return smo_times(sizes, bench_smo.ALL, from_X=from_X, compare=bench_smo.compare_fits)


def smo_exact(quick: bool) -> Reached:
    """Return the largest gap that is left, by a certificate from K and α alone."""
    gaps = []
    for name, X, y in bench_smo.problems((200, 1000) if quick else GIVEN_SIZES, bench_smo.ALL):
        K = bench_smo.kernel_for(X)(X)
        for C in bench_smo.COSTS:
            result = solve(smo(K, y, C, gap=EXACT_GAP), gap=EXACT_GAP, max_passes=100_000)
            gaps.append(svm_certificate(K, y, result.alpha, C, bias=result.b).gap)
            print(f"{len(y):>6} {name:>8} {C:>4g} {result.status}, gap {gaps[-1]:.1e}")
    there = sum(gap <= EXACT_GAP for gap in gaps)
    return Reached(max(gaps), None, min(gaps), max(gaps), f"there in {there} of {len(gaps)}")


def smo_memory(quick: bool) -> Reached:
    megabytes = bench_smo.peak_memory()
    return Reached(megabytes, None, megabytes, megabytes, "of the whole process")


def figure_times() -> list[tuple[Times, Times]]:
    return [bench_figure.compare(name, C) for name in bench_figure.NAMES for C in bench_smo.COSTS]


def figure_ratio(quick: bool) -> Reached:
    return means(ours / theirs for ours, theirs in figure_times())


def figure_milliseconds(quick: bool) -> Reached:
    return means(Times(1e3 * ours.cpu, 1e3 * ours.wall) for ours, _ in figure_times())


def ridge(quick: bool) -> Reached:
    pairs = [bench_ridge.compare(500, precomputed=given) for given in (True, False)]
    return means(ours / theirs for ours, theirs in pairs)


def linear(
    quick: bool, target: float, engine: Callable[..., Any], kinds: tuple[str, ...]
) -> Reached:
    lams = bench_linear.LAMS[1:2] if quick else bench_linear.LAMS
    problems = [problem for kind in kinds for problem in bench_linear.problems(kind, lams)]
    return means(bench_linear.compare(p, target, engine) for p in problems)


def nystrom(quick: bool) -> Reached:
    return means(bench_nystrom.compare(d) for d in (10, 64))


def mkl(quick: bool) -> Reached:
    svms = []
    for name, kind, Ks, y in bench_mkl.problems():
        for C in (1.0,) if quick else bench_mkl.COSTS:
            for bias in (False, True):
                result = bench_mkl.learn(Ks, y, C, p=1, bias=bias)
                svms.append(result.passes if result.converged else float("inf"))
                print(f"{name:>8} {kind} {C:g}: {result.passes} SVMs, {result.status}")
    return Reached(max(svms), None, min(svms), max(svms), f"median {median(svms):g}")


def gram(d: int) -> Reached:
    ours, theirs = bench_gram.compare(2000, d)
    return means([ours / theirs])


def import_seconds(quick: bool) -> Reached:
    """Import in fresh processes, the first of which fills the caches and does not count."""
    times = []
    for _ in range(6):
        command = [sys.executable, "-c", IMPORT]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        times.append(Times(*map(float, output.split())))
    cpu, wall = zip(*times[1:], strict=True)
    return Reached(median(cpu), median(wall), min(cpu), max(cpu), "5 processes")


ROWS = (
    Row("SMO, K given, n = 200 … 5000, gap 1e-3 / SVC", 0.25, 0.12, smo_given),
    Row("the same asked for gap 1e-6: largest gap left", EXACT_GAP, EXACT_GAP, smo_exact, "{:.2g}"),
    Row("SMO from X, rows on demand, n = 1000 … 10 000 / SVC", 0.6, 0.3, smo_on_demand),
    Row("its memory at n = 10 000, MB", 500, None, smo_memory, "{:.0f}"),
    Row("KernelSVC.fit, K given, n = 500 … 2000 / SVC.fit", 1.0, 0.3, partial(fits, from_X=False)),
    Row("KernelSVC.fit from X, n = 500 … 2000 / SVC.fit", 1.0, 0.3, partial(fits, from_X=True)),
    Row("Gram + solve + 150 × 150 scores, n = 200, ms", 1.0, 0.3, figure_milliseconds),
    Row("the same / SVC", 0.1, None, figure_ratio),
    Row("ridge, 100 λ with leave-one-out, n = 500 / 100 refits", 0.1, 0.05, ridge),
    Row(
        "Pegasos, averaged, to 1 %, 100 000 × 100 / LinearSVC",
        0.2,
        0.05,
        partial(linear, target=1e-2, engine=bench_linear.averaged_pegasos, kinds=("dense",)),
    ),
    Row(
        "linear SVM to 0.1 %, dense and sparse / LinearSVC",
        0.5,
        0.2,
        partial(linear, target=1e-3, engine=bench_linear.descent, kinds=("dense", "sparse")),
    ),
    Row(
        "the same, 32 561 × 123 binary features",
        1.5,
        1.0,
        partial(linear, target=1e-3, engine=bench_linear.descent, kinds=("binary",)),
    ),
    Row("Nyström map, n = 20 000, m = 256 / Nystroem", 0.75, 0.4, nystrom),
    Row("ℓ1-MKL, 10 kernels, n = 1000, gap 1e-3: most SVMs", 40, 15, mkl),
    Row("Gaussian Gram matrix 2000 × 2 / rbf_kernel", 1.0, 0.5, lambda quick: gram(2)),
    Row("Gaussian Gram matrix 2000 × 64 / rbf_kernel", 1.0, 0.5, lambda quick: gram(64)),
    Row("import kernellab, seconds", 0.3, None, import_seconds),
)


def verdict(row: Row, value: float) -> str:
    """Say which of the two was met."""
    if row.aim is not None and value <= row.aim:
        return "aim"
    return "reach" if value <= row.reach else "missed"


def line(row: Row, reached: Reached) -> str:
    """Return a line of Markdown."""
    show = row.form.format
    least_and_most = f"{show(reached.least)} … {show(reached.most)}"
    cells = (
        f"{row.what:<54}",
        f"{row.reach:>6g}",
        f"{'–' if row.aim is None else format(row.aim, 'g'):>5}",
        f"{show(reached.value):>7}",
        f"{'–' if reached.wall is None else show(reached.wall):>7}",
        f"{'' if reached.least == reached.most else least_and_most:<19}",
        f"{reached.remark:<20}",
        f"{verdict(row, reached.value):<7}",
    )
    return "| " + " | ".join(cells) + " |"


HEAD = (
    f"| {'measured':<54} |  reach |   aim | reached | by wall "
    f"| {'range':<19} | {'of':<20} | verdict |\n"
    f"|{'-' * 56}|-------:|------:|--------:|--------:|{'-' * 21}|{'-' * 22}|---------|"
)


def conditions(quick: bool) -> str:
    """Say what the numbers depend on."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scikit-learn", "numba"))
    return (
        f"{os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()}, "
        f"{versions}{'' if USING_NUMBA else ' (switched off)'}; one thread.\n"
        f"Times are those of the processor, and by wall those of the clock: {HOW},\n"
        f"after a first call each, not counted, which compiles and allocates. A ratio is ours /\n"
        f"scikit-learn's, at an equal duality gap or suboptimality; several problems give their\n"
        f"geometric mean, and the range is that of the problems."
        + ("\nQuick: fewer and smaller problems than the table says." if quick else "")
    )


def main() -> None:
    """Measure row after row, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer and smaller problems")
    quick = parser.parse_args().quick
    warnings.simplefilter("ignore", ConvergenceWarning)
    begin, load_before = perf_counter(), os.getloadavg()[0]
    lines = []
    for row in ROWS:
        start = perf_counter()
        print(f"\n== {row.what}", file=sys.stderr)
        with redirect_stdout(sys.stderr):
            reached = row.measure(quick)
        lines.append(line(row, reached))
        print(f"{lines[-1]} {perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    minutes = (perf_counter() - begin) / 60
    print(f"\n{conditions(quick)}")
    print(
        f"Load average {load_before:.1f} at the start and {os.getloadavg()[0]:.1f} at the end, "
        f"{minutes:.1f} minutes.\n\n{HEAD}"
    )
    print("\n".join(lines))


if __name__ == "__main__":
    main()
