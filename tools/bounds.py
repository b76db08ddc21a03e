"""Test the course with the lowest versions it says it takes, or with the newest there are.

bounds.py lowest|newest [PART …]: an environment in build/bounds, made once, and in it these parts
of run_tests.py (the unit tests and figures, unless said).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
OLDEST_PYTHON = "python" + PROJECT["project"]["requires-python"].removeprefix(">=")


def lower_bounds() -> str:
    """Return the constraints for pip that leave it the lowest version of every requirement only."""
    extras = PROJECT["project"]["optional-dependencies"].values()
    lists = (PROJECT["build-system"]["requires"], PROJECT["project"]["dependencies"], *extras)
    return "\n".join(line.replace(">=", "==") for line in chain(*lists)) + "\n"


def install(which: str) -> Path:
    """Make the environment, or bring it up to date; return its Python."""
    folder = ROOT / "build/bounds" / which
    python, constraints = folder / "bin/python", folder.with_suffix(".txt")
    maker = shutil.which(OLDEST_PYTHON) if which == "lowest" else sys.executable
    if maker is None:
        sys.exit(f"The lowest versions are those for {OLDEST_PYTHON}, which is not here.")
    subprocess.run((maker, ROOT / "tools/make_venv.py", folder), check=True)
    constraints.write_text(lower_bounds() if which == "lowest" else "", encoding="utf-8")
    print(f"Installing the {which} versions into {folder.relative_to(ROOT)}", flush=True)
    subprocess.run(
        (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
         "--upgrade", "--upgrade-strategy", "eager", "--editable", ".[fast,lab,scale,teach,test]"),
        cwd=ROOT, check=True,
        env={**os.environ, "PIP_CONSTRAINT": str(constraints)},  # for what builds the package, too
    )  # fmt: skip
    return python


def main(which: str, *parts: str) -> int:
    """Install, test, and return the exit code."""
    python = install(which)
    print(f"Testing with the {which} versions of what pyproject.toml asks for", flush=True)
    results = os.environ.get("KERNELLAB_RESULTS", f"test-results/{which}")
    return subprocess.run(
        (python, "tools/run_tests.py", *(parts or ("unit", "figures"))),
        cwd=ROOT,
        # Compiled loops of one Numba are not to be read by another, which a worker may do while
        # the other rewrites the list of them.
        env={
            **os.environ,
            "KERNELLAB_RESULTS": results,
            "NUMBA_CACHE_DIR": str(python.parents[1] / "numba"),
        },
    ).returncode


if __name__ == "__main__":
    if sys.argv[1:2] not in (["lowest"], ["newest"]):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
