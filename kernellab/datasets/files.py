"""The files of the `data` folder, wherever the course is, and what is chosen from them."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.validation import FloatArray


def data_file(name: str) -> Path:
    """Path of a shipped data file: inside an installed package, or beside it in a checkout.

    Raises FileNotFoundError if it is in neither place.
    """
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "data", package.parent / "data"):
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(
        f"the data file {name} is missing: looked in {package / 'data'} and in "
        f"{package.parent / 'data'}; reinstall kernellab, or restore the data folder"
    )


@cache
def read_rows(name: str) -> tuple[tuple[str, ...], ...]:
    """Rows of a CSV file of texts, without its header."""
    with open(data_file(name), encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return tuple(tuple(row) for row in rows)


@cache
def read_table(name: str) -> tuple[tuple[str, ...], FloatArray, NDArray[np.str_]]:
    """Header, numbers and labels of a CSV file whose last column is the label."""
    path = data_file(name)
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    X = np.array([row[:-1] for row in rows], dtype=np.float64)
    labels = np.array([row[-1] for row in rows])
    X.flags.writeable = labels.flags.writeable = False  # shared by every later call
    return tuple(header[:-1]), X, labels


def check_choice(chosen: Sequence[Any] | None, known: tuple[Any, ...], what: str) -> list[Any]:
    """Return the names that were chosen, all of them for None; an unknown one is an error."""
    if chosen is None:
        return list(known)
    choice = [chosen] if isinstance(chosen, str) else list(chosen)
    listed = ", ".join(map(str, known))
    for name in choice:
        if name not in known:
            raise ValueError(f"{what} must be among {listed}, got {name!r}")
    if not choice or len(set(choice)) < len(choice):
        raise ValueError(f"{what} must name at least one of {listed}, each once, got {chosen!r}")
    return choice
