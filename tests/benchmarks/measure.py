"""How the benchmarks measure: calls in turn in one process, medians, time of the processor too."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

LEAST, MOST = 3, 51
SECONDS = 1.5
HOW = f"medians of {LEAST} to {MOST} calls in turn"


class Times(NamedTuple):
    """Seconds of the processor and of the clock on the wall, or a ratio of each.

    The first leaves out the time that a busy machine gave to others, and counts every thread.
    """

    cpu: float
    wall: float

    def __truediv__(self, other: Times) -> Times:
        return Times(self.cpu / other.cpu, self.wall / other.wall)


def interleaved_medians(*functions: Callable[[], object]) -> list[Times]:
    """Return the median times of each function, called in turn so that all share the weather.

    The first call of each is not counted: it compiles, loads and allocates. So many calls follow
    as take 1.5 seconds, at least 3 and at most 51.
    """
    for function in functions:
        function()
    times: list[list[Times]] = [[] for _ in functions]
    begin = perf_counter()
    while len(times[0]) < LEAST or (len(times[0]) < MOST and perf_counter() - begin < SECONDS):
        for function, measured in zip(functions, times, strict=True):
            cpu, wall = process_time(), perf_counter()
            function()
            measured.append(Times(process_time() - cpu, perf_counter() - wall))
    return [Times(*map(median, zip(*measured, strict=True))) for measured in times]
