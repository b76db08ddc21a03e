"""Tell whoever grades that a check is no longer what the course made it.

No safe against somebody who means to: it names what is done in a line or two. What a notebook does
to Python's and NumPy's own functions is undone before each check, for it may be meant well.
"""

from __future__ import annotations

import builtins
import inspect
from types import ModuleType
from typing import Any

import numpy as np

from kernellab.exercises import exercise, running

CHANGES = {"latest", "hints_given"}  # of an exercise, whenever it is checked

Pieces = dict[tuple[str, str], Any]

LIBRARIES = (builtins, np, np.linalg, np.random)

_before: Pieces = {}
_libraries = [
    {name: part for name, part in vars(library).items() if callable(part)} for library in LIBRARIES
]


class Silent(Exception):  # noqa: N818  (it is what grading calls a check that is not ours)
    """Raised instead of a check that was replaced."""


def remember(lesson: ModuleType) -> None:
    """Keep what the checks of a lesson are made of."""
    _before.update(pieces(lesson))


def refuse(lesson: ModuleType, name: str, words: str) -> None:
    """Raise Silent if what the check of an exercise is made of is no longer what was kept.

    To be called before a check, once the libraries are put back, and after it.
    """
    if libraries_changed():
        raise Silent(words)
    now = pieces(lesson)
    for piece in {*now, *_before}:
        if piece[0] in {name, ""} and now.get(piece) is not _before.get(piece):
            raise Silent(words)


def put_back() -> None:
    """Give Python and NumPy back the functions that a notebook has replaced."""
    for library, before in zip(LIBRARIES, _libraries, strict=True):
        vars(library).update(before)


def libraries_changed() -> bool:
    """Say whether a function of Python or NumPy is another than before."""
    return any(
        vars(library).get(name) is not part
        for library, before in zip(LIBRARIES, _libraries, strict=True)
        for name, part in before.items()
    )


def pieces(lesson: ModuleType) -> Pieces:
    """Return the parts of each exercise, and under no name what all checks call."""
    found: Pieces = {}
    for name, one in vars(lesson).items():
        if isinstance(one, exercise.Exercise):
            found[name, ""] = one
            found |= {(name, key): part for key, part in vars(one).items() if key not in CHANGES}
    for module in (exercise, running):
        holders: list[Any] = [module, *filter(inspect.isclass, vars(module).values())]
        for holder in holders:
            if holder is module or holder.__module__ == module.__name__:
                for key, part in vars(holder).items():
                    if inspect.isfunction(part):
                        found["", f"{holder.__name__}.{key}"] = part
                        found["", f"{holder.__name__}.{key}, its code"] = part.__code__
    return found
