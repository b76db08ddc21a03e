"""Compute everything as other processors do: portable.py [--cpu KIND] [NOTEBOOK | PART …].

BLAS, NumPy and Numba choose their inner loops by the processor, and so the last digits differ from
one to the next. Here one machine plays three of them. All text that a notebook puts out, alt texts
included, has to be what is saved in it, cell by cell; the tests have to pass.

Without arguments: all notebooks and the parts unit, figures and exercises of run_tests.py. The
word notebooks stands for all of them, and rounding for the tests marked so. The last line is
"N passed, N failed", where a cell counts as a test.
"""

from __future__ import annotations

import argparse
import configparser
import copy
import difflib
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path
from typing import Any

import nbformat
from nbclient.exceptions import CellExecutionError
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
from run_notebooks import all_notebooks, execute
from run_tests import (
    ONE_THREAD,
    PARTS,
    RESULTS,
    ROOT,
    SANITIZE,
    WORKERS,
    Outcome,
    Part,
    conclude,
    run,
)


@dataclass(frozen=True)
class Processor:
    """A kind of CPU: what it is to OpenBLAS, to NumPy and Numba, and what it takes to play it."""

    name: str
    needs: str
    blas: tuple[str, ...]  # how OpenBLAS may call the kernels it then uses
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def env(self) -> dict[str, str]:
        """The environment; what Numba compiles for one processor stays out of the next."""
        cache = {"NUMBA_CACHE_DIR": str(ROOT / "build" / "numba" / self.name)}
        return {**ONE_THREAD, "OPENBLAS_CORETYPE": self.name, **cache, **dict(self.settings)}


PLAIN = (
    ("NPY_DISABLE_CPU_FEATURES", " ".join(__cpu_dispatch__)),  # all that is above its baseline
    ("NUMBA_CPU_NAME", "generic"),
    ("NUMBA_CPU_FEATURES", ""),
)
PROCESSORS = (
    Processor("Haswell", "AVX2", ("Haswell",)),
    Processor("SkylakeX", "AVX512_SKX", ("SkylakeX",)),
    Processor("Prescott", "SSE3", ("Prescott", "Katmai"), PLAIN),
)
TESTS = {part.name: part for part in PARTS if part.name in {"unit", "figures", "exercises"}}
ROUNDING = Part("rounding", pytest=("tests", "-m", "rounding", "--ignore=tests/browser", *WORKERS))
AT_A_TIME = 2  # notebooks

# Runs after the last cell of a notebook, in its kernel.
WHAT_COMPUTED = """\
import json, llvmlite.binding, numba.core.config, threadpoolctl
from numpy._core._multiarray_umath import __cpu_baseline__, __cpu_dispatch__, __cpu_features__
print(json.dumps({
    "BLAS": [f"{pool['internal_api']} {pool['version']} {pool.get('architecture', '')}"
             for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"],
    "NumPy": [*__cpu_baseline__, *(name for name in __cpu_dispatch__ if __cpu_features__[name])],
    "Numba": [numba.core.config.CPU_NAME or llvmlite.binding.get_host_cpu_name()],
}))"""
TEXT = ("text/plain", "text/markdown", "text/html", "text/latex")


def texts(cell: Any, ignored: dict[re.Pattern[str], str]) -> list[str]:
    """Return the lines of all text that a cell put out, alt texts included."""
    found = []
    for output in cell.get("outputs", ()):
        found += [output.get("text", "")]
        found += [output.get("data", {}).get(kind, "") for kind in TEXT]
        found += [about["alt"] for about in output.get("metadata", {}).values() if "alt" in about]
    text = "\n".join(filter(None, found))
    for pattern, word in ignored.items():
        text = pattern.sub(word, text)
    return text.splitlines()


def differences(saved: list[str], got: list[str]) -> str:
    """Return the lines that are saved and not computed, and the other way round."""
    words = {"-": "saved", "+": "got  "}
    lines = difflib.unified_diff(saved, got, n=0, lineterm="")
    return "\n".join(
        f"    {words[line[0]]} {line[1:]}" for line in [*lines][2:] if line[0] in words
    )


def what_computed(printed: str, processor: Processor, outcome: Outcome) -> str:
    """Return what WHAT_COMPUTED printed as words; it is a failure if it is another processor."""
    used = json.loads(printed)
    if wrong := [name for name in used["BLAS"] if name.split()[-1] not in processor.blas]:
        outcome.failed += 1
        outcome.remarks.append(f"failed: as {processor.name}, but with {', '.join(wrong)}")
    return "; ".join(f"{name}: {', '.join(what)}" for name, what in used.items())


def compare(path: Path, processor: Processor) -> tuple[Outcome, str]:
    """Run a notebook as `processor`; return how many cells agree, and what computed them."""
    rules = configparser.RawConfigParser()
    rules.read(SANITIZE)
    ignored = {
        re.compile(rules[name]["regex"]): rules[name]["replace"] for name in rules.sections()
    }
    notebook = nbformat.read(path, as_version=4)
    again = copy.deepcopy(notebook)
    again.cells.append(nbformat.v4.new_code_cell(WHAT_COMPUTED))
    outcome = Outcome(processor.name)
    try:
        execute(again, path.parent, processor.env)
    except CellExecutionError as error:
        outcome.failed = 1
        outcome.remarks.append(f"failed: {path.name} ends with an error\n{error}")
        return outcome, ""
    used = what_computed(again.cells.pop().outputs[0].text, processor, outcome)
    for number, (saved, got) in enumerate(zip(notebook.cells, again.cells, strict=True)):
        if saved.cell_type != "code":
            continue
        if (old := texts(saved, ignored)) == (new := texts(got, ignored)):
            outcome.passed += 1
        else:
            outcome.failed += 1
            place = f"failed: {path.relative_to(ROOT)}, cell {number}"
            outcome.remarks.append(f"{place}\n{differences(old, new)}")
    return outcome, used


def run_part(part: Part, processor: Processor) -> Outcome:
    """Run a part of the tests as `processor`."""
    env = {**os.environ, **processor.env}
    code = f"import scipy.linalg\n{WHAT_COMPUTED}"
    printed = subprocess.run([sys.executable, "-c", code], env=env, stdout=subprocess.PIPE).stdout
    outcome = run(replace(part, name=f"{part.name}-{processor.name}", env=processor.env))
    print(what_computed(printed.decode(), processor, outcome))
    return outcome


def run_notebooks(paths: list[Path], processor: Processor) -> Outcome:
    """Compare some notebooks, say what computed them, and see that it was what we asked for."""
    whole = Outcome(f"notebooks-{processor.name}")
    print(f"\n===== {whole.name} =====", flush=True)
    start = time.perf_counter()
    with ProcessPoolExecutor(AT_A_TIME) as pool:
        for path, (outcome, used) in zip(
            paths, pool.map(compare, paths, repeat(processor)), strict=True
        ):
            print(f"{path.name}: {outcome.passed} passed, {outcome.failed} failed; {used}")
            print(*outcome.remarks, sep="\n", flush=True)
            whole.passed += outcome.passed
            whole.failed += outcome.failed
            whole.remarks += [remark.splitlines()[0] for remark in outcome.remarks]
    whole.seconds = time.perf_counter() - start
    return whole


def cpu() -> str:
    """Return the name of the processor of this machine."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else f"{platform.processor()} {platform.machine()}"


def main() -> int:
    """Run what is asked for as every kind of processor, and print the summary."""
    tests = {**TESTS, "rounding": ROUNDING}
    kinds = [processor.name for processor in PROCESSORS]
    parser = argparse.ArgumentParser(description="Compute as other processors do.")
    parser.add_argument("--cpu", choices=kinds, action="append", metavar="KIND", help=str(kinds))
    parser.add_argument(
        "what", nargs="*", default=["notebooks", *TESTS], help=f"notebooks, files, {[*tests]}"
    )
    asked = parser.parse_args()
    paths = all_notebooks() if "notebooks" in asked.what else []
    paths += [Path(word).resolve() for word in asked.what if word.endswith(".ipynb")]
    parts = [tests[word] for word in asked.what if word in tests]
    known = {*tests, "notebooks", *(word for word in asked.what if word.endswith(".ipynb"))}
    if unknown := set(asked.what) - known:
        parser.error(f"{', '.join(unknown)}: no notebook, nor any of notebooks, {', '.join(tests)}")

    RESULTS.mkdir(parents=True, exist_ok=True)
    print(f"On {cpu()}")
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["IPYTHONDIR"] = folder  # the start-up files of whoever runs this stay out
        for processor in PROCESSORS:
            if asked.cpu and processor.name not in asked.cpu:
                continue
            if not __cpu_features__.get(processor.needs):
                print(f"{processor.name} is left out: this machine has no {processor.needs}")
                continue
            if paths:
                outcomes.append(run_notebooks(paths, processor))
            outcomes += [run_part(part, processor) for part in parts]
    return conclude(outcomes) or int(not outcomes)


if __name__ == "__main__":
    sys.exit(main())
