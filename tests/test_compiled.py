"""The compilation switch: with Numba, without, and where nothing can be cached."""

import importlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kernellab.compiled import USING_NUMBA, compiled

HAS_NUMBA = importlib.util.find_spec("numba") is not None
ROOT = Path(__file__).parents[1]

# Imported from a file, since Numba caches functions of files only.
PROBE = """
import numpy as np
from kernellab.compiled import USING_NUMBA, compiled

@compiled
def running_total(values):
    total = 0.0
    for i in range(len(values)):
        total += values[i]
        values[i] = total
    return total

values = np.array([1.0, 2.0, 4.0])
print(USING_NUMBA, running_total(values), values.tolist(), running_total.py_func.__name__)
"""
RAN = "7.0 [1.0, 3.0, 7.0] running_total"


def run_probe(tmp_path, before="", **environment):
    probe = tmp_path / "probe.py"
    probe.write_text(before + PROBE)
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("KERNELLAB_", "NUMBA_"))}
    done = subprocess.run(
        [sys.executable, str(probe)],
        env={**clean, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_plain_function_stays_reachable_and_agrees():
    @compiled
    def sum_of_squares(x):
        total = 0.0
        for value in x:
            total += value * value
        return total

    x = np.array([1.0, 2.0, 3.0])
    assert sum_of_squares(x) == sum_of_squares.py_func(x) == 14.0
    assert (sum_of_squares is sum_of_squares.py_func) == (not USING_NUMBA)
    assert sum_of_squares.py_func.__name__ == "sum_of_squares"


def test_division_by_zero_is_inf_as_in_numpy():
    @compiled
    def first_over_second(x):
        return x[0] / x[1]

    with np.errstate(divide="ignore"):
        assert first_over_second(np.array([1.0, 0.0])) == np.inf


MISSING = "import sys; sys.modules['numba'] = None\n"  # makes `import numba` raise ImportError
NOT_TO_BE_IMPORTED = "import sys; sys.modules['numba'] = 'must not be imported'\n"


@pytest.mark.parametrize(
    ("before", "environment", "used"),
    [
        ("", {}, HAS_NUMBA),
        ("", {"NUMBA_DISABLE_JIT": "1"}, False),
        (MISSING, {}, False),
        (NOT_TO_BE_IMPORTED, {"KERNELLAB_NUMBA": "0"}, False),
    ],
)
def test_numba_is_used_where_it_is_and_may_be(tmp_path, before, environment, used):
    assert run_probe(tmp_path, before, **environment) == f"{used} {RAN}"


@pytest.mark.skipif(not HAS_NUMBA, reason="Numba is not installed")
def test_no_writable_cache_folder_is_no_error(tmp_path):
    # Permissions do not bind a superuser, so no folder at all passes for writable here.
    before = """
import numba.core.caching as caching
def refuse(self):
    raise OSError("read-only file system")
caching._SourceFileBackedLocatorMixin.ensure_cache_path = refuse
caching._CacheLocator.ensure_cache_path = refuse
import numba
def f(x):
    return x
try:
    numba.njit(cache=True)(f)
except RuntimeError:
    pass
else:
    raise SystemExit("the premise of this test does not hold: Numba found a cache folder")
"""
    assert run_probe(tmp_path, before) == f"True {RAN}"
