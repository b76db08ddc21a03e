"""What a right answer takes: systems solved and memory held. For a word besides, not for a verdict.

A loop of n refits gives the right numbers, and misses the point of an exercise that asks for one
system. Who wrote it should hear of that; counts, unlike clocks, say the same on every machine.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

from kernellab.exercises.running import run

SECONDS = 2.0
# The functions of NumPy and SciPy that take one matrix apart.
SOLVERS = {"cho_factor", "cholesky", "eig", "eigh", "inv", "lstsq", "lu_factor", "pinv", "qr"}
SOLVERS |= {"solve", "svd"}


def count_factorizations(answer: Callable[..., Any], case: Mapping[str, Any]) -> int:
    """Count the matrices that one call of an answer has taken apart by NumPy or SciPy."""
    count = 0

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        if event == "call" and frame.f_code.co_name in SOLVERS:
            count += _of_linalg(frame) and not _of_linalg(frame.f_back)

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        run(answer, case, SECONDS)
    finally:
        sys.setprofile(before)
    return count


def _of_linalg(frame: FrameType | None) -> bool:
    """Say whether code of numpy.linalg or scipy.linalg runs there."""
    module = frame.f_globals.get("__name__", "") if frame else ""
    return module.startswith(("numpy.linalg", "scipy.linalg"))


def peak_memory(answer: Callable[..., Any], case: Mapping[str, Any]) -> int:
    """Return how many bytes one call of an answer holds at most; 0 if somebody else is counting."""
    if tracemalloc.is_tracing():
        return 0
    tracemalloc.start()
    try:
        run(answer, case, SECONDS)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
