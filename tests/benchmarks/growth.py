"""How the learners of notebook 08 grow: ten digits end to end, then n = 500 … 100 000 images.

Run it as a script: ``python tests/benchmarks/growth.py``. It takes some ten minutes and writes
``data/growth.json``, which notebook 08 shows. Both parts are one run on one machine, with one
thread; every learner stands beside scikit-learn's. `--quick` stops at fits of 2 seconds, and
`--to FILE` writes elsewhere. Seconds are those of the processor. They mean little on another
machine, but their slopes and ratios do.

- The table: 1000 digits to learn from and 797 to be asked, ten splits. The two libraries fit in
  turn; a ratio is the median over the splits of ours / scikit-learn's.
- Growth: copies of the digits, shifted and noisy (`many_digits`), each learner until a fit takes
  20 seconds or 1 GB. The images asked are real, and no copies. Each learner runs in a process of
  its own; memory is the most that its fit needed beyond what was there before: Linux tells.
"""

from __future__ import annotations

import os

os.environ.update(  # before NumPy is imported, which settles it
    dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
)

import argparse
import gc
import json
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import sklearn.kernel_approximation
import sklearn.kernel_ridge
import sklearn.multiclass
import sklearn.svm
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from kernellab.estimators import (
    KernelRidge,
    KernelSVC,
    LinearSVC,
    Nystroem,
    OneVsOneClassifier,
    OneVsRestClassifier,
)
from kernellab.kernels import Gaussian
from kernellab.lessons.scale import halves, many_digits
from kernellab.solvers.fourier import fourier_map

FILE = Path(__file__).resolve().parents[2] / "data" / "growth.json"
GAMMA, C, LAM, CUTS = 0.1, 10.0, 0.1, 10
SIZES = (500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
FEATURES = (64, 256, 1024)
SECONDS, QUICK, MEGABYTES = 20.0, 2.0, 1000.0
GIVES_BACK = {"MALLOC_MMAP_THRESHOLD_": "262144"}  # arrays of 256 kB are freed for good
OURS, THEIRS = "kernellab", "scikit-learn"
PAIRS, REST, RIDGE = "exact, pairs", "exact, one against the rest", "kernel ridge"
NYSTROM, FOURIER, LINEAR = "Nyström", "random Fourier", "linear, no kernel"
EXACT, MAPPED = (PAIRS, REST, RIDGE), (NYSTROM, FOURIER)

# --- the learners --------------------------------------------------------------------------------


class RidgeClassifier(ClassifierMixin, BaseEstimator):
    """Kernel ridge regression on ten columns of ±1; the largest is right."""

    def __init__(self, ridge: Any) -> None:
        self.ridge = ridge

    def fit(self, X: Any, y: Any) -> RidgeClassifier:
        self.classes_ = np.unique(y)
        columns = np.where(y[:, np.newaxis] == self.classes_, 1.0, -1.0)
        self.fitted_ = clone(self.ridge).fit(X, columns)
        return self

    def predict(self, X: Any) -> Any:
        return self.classes_[self.fitted_.predict(X).argmax(axis=1)]


def ours(method: str, m: int) -> Any:
    """Return a learner of this package, with m features where they are made."""
    kernel = Gaussian(GAMMA)
    linear = LinearSVC(C=C if method in MAPPED else 1.0)
    fourier = FunctionTransformer(fourier_map(kernel, 64, max(m // 2, 1)))
    return {
        PAIRS: OneVsOneClassifier(KernelSVC(kernel, C=C)),
        REST: OneVsRestClassifier(KernelSVC(kernel, C=C)),
        RIDGE: RidgeClassifier(KernelRidge(kernel, lam=LAM)),
        NYSTROM: make_pipeline(Nystroem(kernel, n_components=max(m, 1)), linear),
        FOURIER: make_pipeline(fourier, linear),
        LINEAR: linear,
    }[method]


def theirs(method: str, m: int) -> Any:
    """Return scikit-learn's, with the same loss, and what it stops at by itself."""
    approximation = sklearn.kernel_approximation
    machine = sklearn.svm.SVC(gamma=GAMMA, C=C)
    linear = sklearn.svm.LinearSVC(
        C=C if method in MAPPED else 1.0, loss="hinge", max_iter=100_000, random_state=0
    )
    sizes = {"gamma": GAMMA, "n_components": max(m, 1), "random_state": 0}
    return {
        PAIRS: machine,
        REST: sklearn.multiclass.OneVsRestClassifier(machine),
        RIDGE: RidgeClassifier(
            sklearn.kernel_ridge.KernelRidge(kernel="rbf", gamma=GAMMA, alpha=LAM)
        ),
        NYSTROM: make_pipeline(approximation.Nystroem(**sizes), linear),
        FOURIER: make_pipeline(approximation.RBFSampler(**sizes), linear),
        LINEAR: linear,
    }[method]


MAKERS: dict[str, Callable[[str, int], Any]] = {OURS: ours, THEIRS: theirs}


# --- one fit -------------------------------------------------------------------------------------


class Fit(NamedTuple):
    """Seconds to fit and to predict, the most megabytes beyond those before, the share that is
    right, and how many support vectors a problem has in the mean.
    """

    fit: float
    predict: float
    megabytes: float | None
    right: float
    support: float | None


def resident(name: str) -> float | None:
    """Return megabytes of this process: VmRSS, or VmHWM, the most since `forget_the_most`."""
    try:
        text = Path("/proc/self/status").read_text()
    except OSError:
        return None
    found = re.search(rf"{name}:\s*(\d+) kB", text)
    return int(found.group(1)) / 1024 if found else None


def forget_the_most() -> None:
    """Let VmHWM begin anew."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def run(model: Any, X: Any, y: Any, X_test: Any, y_test: Any) -> Fit:
    """Fit once and predict once."""
    gc.collect()
    forget_the_most()
    before, start = resident("VmRSS"), process_time()
    model.fit(X, y)
    fitted = process_time() - start
    most = resident("VmHWM")
    start = process_time()
    right = float(np.mean(model.predict(X_test) == y_test))
    asked = process_time() - start
    problems = [p for p in getattr(model, "estimators_", ()) if isinstance(p, KernelSVC)]
    support = float(np.mean([len(p.support_) for p in problems])) if problems else None
    return Fit(fitted, asked, None if None in (before, most) else most - before, right, support)


# --- the table -----------------------------------------------------------------------------------


def table_row(method: str, m: int) -> dict[str, Any]:
    """Return a row: who is right, times as ratios, of both libraries, and memory."""
    found: dict[str, list[Fit]] = {by: [] for by in MAKERS}
    for make in MAKERS.values():
        run(make(method, m), *halves())  # compiles and loads
    for seed in range(CUTS):
        for by, make in MAKERS.items():
            found[by].append(run(make(method, m), *halves(seed)))
    right = {by: np.array([fit.right for fit in fits]) for by, fits in found.items()}

    def ratio(name: str) -> float:
        pairs = zip(*found.values(), strict=True)
        return median(getattr(us, name) / getattr(them, name) for us, them in pairs)

    return {
        "method": method,
        "m": m,
        "right": {by: rounded(100 * values.mean(), 4) for by, values in right.items()},
        "sd": {by: rounded(100 * values.std(ddof=1), 2) for by, values in right.items()},
        "fit": {by: rounded(median(f.fit for f in fits)) for by, fits in found.items()},
        "predict": {by: rounded(median(f.predict for f in fits)) for by, fits in found.items()},
        "fit_ratio": rounded(ratio("fit"), 2),
        "predict_ratio": rounded(ratio("predict"), 2),
    }


def table() -> list[dict[str, Any]]:
    """Measure the ten-class table."""
    rows = []
    for method in (PAIRS, REST, RIDGE, NYSTROM, FOURIER, LINEAR):
        rows.append(table_row(method, 256 if method in MAPPED else 0))
        say(rows[-1])
    return rows


# --- growth --------------------------------------------------------------------------------------


def curve(by: str, method: str, m: int, seconds: float) -> dict[str, Any]:
    """Fit to more and more images; stop before a fit that would take longer, or 1 GB."""
    make, (*_, X_test, y_test) = MAKERS[by], halves()
    run(make(method, m), *many_digits(300), X_test, y_test)  # compiles and loads
    sizes, fits = [], []
    for n in SIZES:
        if m > n or (fits and too_much(sizes, fits, n, seconds)):
            if m > n:
                continue
            break
        X, y = many_digits(n)
        tries = [run(make(method, m), X, y, X_test, y_test)]
        while tries[0].fit < 1.0 and len(tries) < 3:
            tries.append(run(make(method, m), X, y, X_test, y_test))
        one = tries[0]._replace(
            fit=median(t.fit for t in tries), predict=median(t.predict for t in tries)
        )
        sizes.append(n)
        fits.append(one)
        print(f"  {by:>12} {method} {m or ''} n = {n}: {one}", file=sys.stderr, flush=True)
        if one.fit > seconds or (one.megabytes or 0) > MEGABYTES:
            break
    return {
        "by": by,
        "method": method,
        "m": m,
        "n": sizes,
        "fit": [rounded(fit.fit) for fit in fits],
        "predict": [rounded(fit.predict) for fit in fits],
        "MB": [None if fit.megabytes is None else rounded(fit.megabytes) for fit in fits],
        "right": [rounded(100 * fit.right, 4) for fit in fits],
        "support": [None if fit.support is None else rounded(fit.support) for fit in fits],
    }


def too_much(sizes: list[int], fits: list[Fit], n: int, seconds: float) -> bool:
    """Say whether a fit to n images would take much longer than it may, by the last slope."""
    last, slope = fits[-1].fit, 1.0
    if len(fits) > 1:
        slope = np.log(last / fits[-2].fit) / np.log(sizes[-1] / sizes[-2])
    return last * (n / sizes[-1]) ** max(slope, 1.0) > 1.5 * seconds


def growth(seconds: float) -> list[dict[str, Any]]:
    """Measure every curve, each in a process of its own."""
    wanted = [(by, method, 0) for method in (*EXACT, LINEAR) for by in MAKERS]
    wanted += [(OURS, method, m) for method in MAPPED for m in FEATURES]
    wanted += [(THEIRS, method, 256) for method in MAPPED]
    curves = []
    for by, method, m in wanted:
        command = [sys.executable, __file__, "--curve", by, method, str(m), str(seconds)]
        output = subprocess.run(
            command, check=True, stdout=subprocess.PIPE, text=True, env=os.environ | GIVES_BACK
        ).stdout
        curves.append(json.loads(output))
        say(curves[-1])
    return curves


# --- the file ------------------------------------------------------------------------------------


def rounded(value: float, digits: int = 3) -> float:
    """Round to so many digits."""
    return float(f"{value:.{digits}g}")


def say(row: Any) -> None:
    """Show progress."""
    print(json.dumps(row, ensure_ascii=False), file=sys.stderr, flush=True)


def write(path: Path, found: dict[str, Any]) -> None:
    """Write a line for each row and curve."""
    parts = []
    for name, value in found.items():
        if isinstance(value, list):
            rows = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in value)
            parts.append(f" {json.dumps(name)}: [\n{rows}\n ]")
        else:
            parts.append(f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def main() -> None:
    """Measure, and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="stop at fits of 2 seconds")
    parser.add_argument("--to", type=Path, default=FILE, help="write there")
    parser.add_argument("--curve", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.curve:
        by, method, m, seconds = options.curve
        print(json.dumps(curve(by, method, int(m), float(seconds))))
        return
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scikit-learn", "numba"))
    found = {
        "about": "Measured in one run of tests/benchmarks/growth.py. Seconds of one processor, "
        "megabytes that a fit took beyond those before, percent right on images never seen. "
        f"Gaussian kernel, γ = {GAMMA}, C = {C:g}, λ = {LAM}; {versions}; one thread.",
        "table": table(),
        "growth": growth(QUICK if options.quick else SECONDS),
    }
    write(options.to, found)


if __name__ == "__main__":
    main()
