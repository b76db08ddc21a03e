"""What has been computed for the same points need not be computed again."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")
MOST = 8  # answers that are kept


def memoize(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function of arrays and plain values give its last answers again.

    A slider that is moved asks what was computed from the points, which have not moved. Nobody may
    change an answer.
    """
    answers: dict[Any, R] = {}

    @wraps(function)
    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        given = [*args, *kwargs.items()]
        key = tuple((a.shape, a.tobytes()) if isinstance(a, np.ndarray) else a for a in given)
        if key not in answers:
            if len(answers) >= MOST:  # the oldest goes
                answers.pop(next(iter(answers)), None)
            answers[key] = function(*args, **kwargs)
        return answers[key]

    return asked
