"""Run every check of the course and end with a summary a person can read.

run_tests.py [--quick] [PART …]: all parts run even if an earlier one fails, but for the browsers
other than Chromium, which are to be named; the exit code is 1 if any failed. The last line is
"N passed, N failed". Junit files and the summary go to the folder test-results, or to the one that
KERNELLAB_RESULTS names.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / os.environ.get("KERNELLAB_RESULTS", "test-results")
IN_CI = os.environ.get("CI", "").lower() not in {"", "0", "false", "no"}

# Two workers share a machine better with one BLAS thread each; the small matrices of the course
# are not slower with one.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

MOST_REMARKS = 20  # a part, in the summary


def of_lessons(*topics: str) -> list[str]:
    """Return the test files on some topics, each in the folder of its lesson."""
    found = chain(*(ROOT.glob(f"tests/lessons/*/test_{topic}.py") for topic in topics))
    return sorted(file.relative_to(ROOT).as_posix() for file in found)


FIGURES = ("tests/draw", "tests/live", *of_lessons("figures", "marks", "animation"))
# And scikit-learn's own checks and tests, run on our classes: each start of pytest takes a while.
EXERCISES = ("tests/exercises", *of_lessons("exercises"), "tests/peers")
# The algorithms and theory. What draws, moves and checks exercises needs more seconds than these.
ELSEWHERE = ("benchmarks", "browser", "grading", "lite", "notebooks")
NOT_UNIT = (*(f"tests/{folder}" for folder in ELSEWHERE), *FIGURES, *EXERCISES)
UNIT = ("tests", *(f"--ignore={place}" for place in NOT_UNIT))
# Where compiled passes are compared with something independent. All else calls the same passes.
PASSES = (
    "test_compiled", "test_dual_losses", "test_losses", "estimators/test_estimators",
    "kernels/test_structured", "solvers/test_blocks", "solvers/test_linear", "solvers/test_pegasos",
    "solvers/test_perceptron", "solvers/test_rows", "solvers/test_sdca", "solvers/test_smo",
    "solvers/test_smo_variants",
)  # fmt: skip
IN_NODE = "tests/lite/test_in_node.py"  # skipped where npm or Node is missing
# The demos are compared where each figure is made anyhow, and run in the browser.
NOTEBOOKS = (
    *(IN_NODE, "tests/grading", "notebooks", "tests/notebooks"),  # what takes longest comes first
    "--ignore=notebooks/demos.ipynb",
)
SANITIZE = ROOT / "tools" / "nbval_sanitize.cfg"
NBVAL = (
    "--nbval",
    "--nbval-current-env",
    "--nbval-cell-timeout=300",
    f"--nbval-sanitize-with={SANITIZE}",
)
# Several files at a time; the cells of a notebook share a kernel, so it stays with one worker.
ANYWHERE = ("-n", "auto", "--maxprocesses=4", "--dist=load")  # of one file, too
WORKERS = ("-n", "auto", "--maxprocesses=4", "--dist=loadfile")
IN_ORDER = "--no-loadscope-reorder"  # else the files with the most tests come first
# Kernels and pages wait some of the time, so there is one worker more than the two cores. The files
# that take longest come first: tests/browser/conftest.py and NOTEBOOKS have the order.
WAITING = ("-n", "3", "--dist=loadfile", IN_ORDER)


@dataclass(frozen=True)
class Part:
    """One line of the summary: some commands, or one run of pytest."""

    name: str
    commands: tuple[tuple[str, ...], ...] = ()
    pytest: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    quick: bool = False
    when_named: bool = False  # only then, not when all parts are run
    no_skips_in_ci: bool = False
    twice: bool = False  # what failed is tried again, alone; the summary names it


PARTS = (
    Part("lint", commands=(("ruff", "check", "."), ("ruff", "format", "--check", ".")), quick=True),
    Part("types", commands=(("mypy",),), env={"MYPY_NUM_WORKERS": "2"}, quick=True),
    Part("unit", pytest=(*UNIT, *WORKERS), quick=True),
    Part("figures", pytest=(*FIGURES, *ANYWHERE)),
    Part("exercises", pytest=(*EXERCISES, *WORKERS)),
    Part(
        "unit-without-numba",
        pytest=(*(f"tests/{name}.py" for name in PASSES), *WORKERS),
        env={"KERNELLAB_NUMBA": "0"},
    ),
    Part("notebooks", pytest=(*NOTEBOOKS, *NBVAL, *WAITING)),
    # In Node, and in Chromium where it is.
    Part("lite", pytest=("tests/lite", "-n", "0"), when_named=True, twice=True),
    # Three browsers share the machine, and a page may be late then: that is no failure yet.
    Part(
        "browser",
        pytest=("tests/browser", *WAITING),
        no_skips_in_ci=True,
        twice=True,
    ),
    *(
        Part(
            browser,
            pytest=("tests/browser", "-m", browser, *WAITING),
            env={"KERNELLAB_BROWSER": browser},
            when_named=True,
            no_skips_in_ci=True,
            twice=True,
        )
        for browser in ("firefox", "webkit")
    ),
)


@dataclass
class Outcome:
    """What came of a part: counts, seconds, and the names worth reading."""

    name: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    remarks: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)  # as pytest takes them


def run(part: Part) -> Outcome:
    """Run one part, its output going straight to the terminal."""
    print(f"\n===== {part.name} =====", flush=True)
    start = time.perf_counter()
    outcome = run_pytest(part) if part.pytest else run_commands(part)
    outcome.seconds = time.perf_counter() - start
    return outcome


def run_commands(part: Part) -> Outcome:
    """Count each command as one check."""
    outcome = Outcome(part.name)
    for command in part.commands:
        if execute(command, part.env) == 0:
            outcome.passed += 1
        else:
            outcome.failed += 1
            outcome.remarks.append(f"failed: {' '.join(command)}")
    return outcome


def run_pytest(part: Part) -> Outcome:
    """Run pytest and count from its junit file; a run that leaves none has failed."""
    report = RESULTS / f"{part.name}.xml"
    report.unlink(missing_ok=True)
    code = execute(("pytest", "-q", f"--junitxml={report}", *part.pytest), part.env)
    outcome = read_report(report, part.name) if report.exists() else Outcome(part.name)
    if part.twice and outcome.failed:
        outcome, code = try_again(part, outcome)
    if part.no_skips_in_ci and IN_CI and outcome.skipped:
        outcome.remarks.append(f"failed: {outcome.skipped} skipped, which CI does not allow")
        outcome.failed += outcome.skipped
        outcome.skipped = 0
    if code != 0 and outcome.failed == 0:  # no tests found, a crash, a wrong option
        outcome.failed = 1
        outcome.remarks.append(f"failed: pytest ended with exit code {code}")
    return outcome


def try_again(part: Part, first: Outcome) -> tuple[Outcome, int]:
    """Run what failed once more, one after the other; return the outcome of both runs."""
    report = RESULTS / f"{part.name}-again.xml"
    report.unlink(missing_ok=True)
    # By name: pytest's own "--last-failed" does not know the test in which a worker died.
    code = execute(("pytest", "-q", f"--junitxml={report}", *first.failures, "-n", "0"), part.env)
    if not report.exists():
        return first, code
    second = read_report(report, part.name)
    second.passed += first.passed
    second.skipped += first.skipped
    second.remarks += [
        remark.replace("failed:", "tried twice:")
        for remark in first.remarks
        if remark.startswith("failed:") and remark not in second.remarks
    ]
    return second, code


def execute(command: tuple[str, ...], env: Mapping[str, str]) -> int:
    """Run a Python tool from the root of the course; settings of the caller win over ours."""
    settings = {**ONE_THREAD, **os.environ, **env}
    return subprocess.run((sys.executable, "-m", *command), cwd=ROOT, env=settings).returncode


def read_report(report: Path, name: str) -> Outcome:
    """Count the test cases of a junit file, and name those that failed or were skipped."""
    outcome = Outcome(name)
    for case in ElementTree.parse(report).iter("testcase"):
        label = f"{case.get('classname')}::{case.get('name')}"
        if case.find("failure") is not None or case.find("error") is not None:
            outcome.failed += 1
            outcome.remarks.append(f"failed: {label}")
            file = case.get("classname", "").replace(".", "/")
            outcome.failures.append(f"{file}.py::{case.get('name')}")
        elif (skip := case.find("skipped")) is not None:
            outcome.skipped += 1
            outcome.remarks.append(f"skipped: {label} ({skip.get('message')})")
        else:
            outcome.passed += 1
    outcome.remarks.sort(key=lambda remark: remark.startswith("skipped"))  # failures first
    return outcome


def summary(outcomes: list[Outcome]) -> str:
    """Return one line a part, the names of what did not pass, and how it ended."""
    lines = [f"{'':20}{'passed':>8}{'failed':>8}{'skipped':>9}{'seconds':>9}"]
    for o in outcomes:
        lines.append(f"{o.name:20}{o.passed:8}{o.failed:8}{o.skipped:9}{o.seconds:9.1f}")
    for o in outcomes:
        lines += [f"{o.name}: {remark}" for remark in o.remarks[:MOST_REMARKS]]
        if (rest := len(o.remarks) - MOST_REMARKS) > 0:
            lines.append(f"{o.name}: … and {rest} more, see above")
    seconds = sum(o.seconds for o in outcomes)
    broken = [o.name for o in outcomes if o.failed]
    ran = "Everything that ran" if any(o.skipped for o in outcomes) else "Everything"
    ending = f"Failed: {', '.join(broken)}." if broken else f"{ran} passed."
    passed, failed = sum(o.passed for o in outcomes), sum(o.failed for o in outcomes)
    lines += ["", f"{ending} ({seconds:.0f} s)", f"{passed} passed, {failed} failed"]
    return "\n".join(lines)


def conclude(outcomes: list[Outcome]) -> int:
    """Print the summary, leave it in summary.txt, and return the exit code."""
    text = summary(outcomes)
    (RESULTS / "summary.txt").write_text(text + "\n", encoding="utf-8")
    print(f"\n===== summary =====\n{text}", flush=True)
    return 1 if any(o.failed for o in outcomes) else 0


def main() -> int:
    """Run the chosen parts."""
    names = [part.name for part in PARTS]
    parser = argparse.ArgumentParser(description="Run the checks of the course.")
    parser.add_argument("--quick", action="store_true", help="lint, types and unit tests only")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of {', '.join(names)}")
    chosen = parser.parse_args()
    if unknown := set(chosen.parts) - set(names):
        parser.error(f"no part is named {', '.join(sorted(unknown))}; there are {', '.join(names)}")

    RESULTS.mkdir(parents=True, exist_ok=True)
    return conclude(
        [
            run(part)
            for part in PARTS
            if (part.name in chosen.parts if chosen.parts else not part.when_named)
            and (part.quick or not chosen.quick)
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
