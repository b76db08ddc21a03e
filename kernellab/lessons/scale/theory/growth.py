"""What was measured of learners as n grows, and power laws through it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.datasets import data_file
from kernellab.validation import FloatArray, check_numbers

PAIRS, REST, RIDGE = "exact, pairs", "exact, one against the rest", "kernel ridge"
NYSTROM, FOURIER, LINEAR = "Nyström", "random Fourier", "linear, no kernel"
METHODS = (PAIRS, REST, RIDGE, NYSTROM, FOURIER, LINEAR)
FEATURES = (64, 256, 1024)
OURS, THEIRS = "kernellab", "scikit-learn"
COLUMNS = ("fit", "predict", "MB", "right", "support")


@dataclass(frozen=True)
class PowerLaw:
    """A straight line on two logarithmic axes: factor · n^exponent."""

    factor: float
    exponent: float

    def __call__(self, n: Any) -> Any:
        """Return what it says at n."""
        return self.factor * np.asarray(n, dtype=float) ** self.exponent

    def reaches(self, value: float) -> float:
        """Return the n at which it is `value`."""
        return float((value / self.factor) ** (1 / self.exponent))


def power_law(n: Any, values: Any) -> PowerLaw:
    """Fit a power law by least squares of log values on log n, both of shape (m,), m ≥ 2.

    log value = log factor + exponent · log n. Taught in notebook 08. Raises ValueError for fewer
    than two sizes, or what is not above zero.
    """
    n = check_numbers(n, "n")
    values = check_numbers(values, "values", len(n))
    if len(np.unique(n)) < 2 or n.min() <= 0 or values.min() <= 0:
        raise ValueError("n must hold two sizes or more, and all n and values must be above 0")
    exponent, log_factor = np.polyfit(np.log(n), np.log(values), 1)
    return PowerLaw(float(np.exp(log_factor)), float(exponent))


@dataclass(frozen=True)
class Curve:
    """One learner on more and more images: arrays of shape (k,), one entry a size.

    Attributes
    ----------
    by, method, m : Whose it is, its name, and its features; 0 where none are made.
    n : Images it was fitted to.
    fit, predict : Seconds of one processor, to fit and to classify 797 images.
    megabytes : The most that the fit held beyond what was there before.
    right : Percent of 797 images never seen.
    support : Support vectors of a problem, in the mean; NaN where there are none to count.
    """

    by: str
    method: str
    m: int
    n: NDArray[np.int64]
    fit: FloatArray
    predict: FloatArray
    megabytes: FloatArray
    right: FloatArray
    support: FloatArray

    @property
    def label(self) -> str:
        """Its name, and how many features."""
        return f"{self.method}, m = {self.m}" if self.m else self.method

    def law(self, *, fewest: int = 0, most: int | None = None) -> PowerLaw:
        """Return the power law through the seconds to fit, of sizes from `fewest` to `most`."""
        kept = (self.n >= fewest) & (self.n <= (most or self.n[-1]))
        return power_law(self.n[kept], self.fit[kept])

    def memory_law(self) -> PowerLaw:
        """Return the power law through the memory of the larger half of the sizes.

        Where little is needed, what is measured is what the system keeps ready anyway.
        """
        kept = np.arange(len(self.n)) >= len(self.n) // 2
        return power_law(self.n[kept], np.maximum(self.megabytes[kept], 1e-3))


@cache
def _read() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(data_file("growth.json").read_text(encoding="utf-8"))
    return found


@cache
def curves() -> tuple[Curve, ...]:
    """Return all curves of data/growth.json, measured in one run of tests/benchmarks/growth.py."""
    return tuple(
        Curve(
            row["by"], row["method"], row["m"], np.array(row["n"]),
            *(np.array(row[key], dtype=float) for key in COLUMNS),
        )
        for row in _read()["growth"]
    )  # fmt: skip


def curve(method: str, m: int = 0, *, by: str = OURS) -> Curve:
    """Return one of them.

    Raises ValueError if it was not measured; the message lists what was.
    """
    for one in curves():
        if (one.by, one.method, one.m) == (by, method, m):
            return one
    known = ", ".join(f"{c.label} ({c.by})" for c in curves())
    raise ValueError(f"method, m and by must be among those measured: {known}")


def table() -> tuple[dict[str, Any], ...]:
    """Return the rows of the ten-class table, measured in the same run."""
    return tuple(_read()["table"])
