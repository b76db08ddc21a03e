"""The one place that knows about Numba: inner loops are compiled where it is installed.

Numba is optional. Without it, or with the environment variable ``KERNELLAB_NUMBA=0``, every
function runs as the plain Python it is written in: the same results, slower.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeVar, cast

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)


class Compiled(Protocol[P, R_co]):
    """A function whose plain Python source stays reachable as ``py_func``."""

    @property
    def py_func(self) -> Callable[P, R_co]:
        """The function as it was written, not compiled."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Run the compiled function, or the plain one where there is no Numba."""


def _numba_njit() -> Callable[..., Any] | None:
    """Return ``numba.njit``, or None where Numba is missing, broken or switched off."""
    if os.environ.get("KERNELLAB_NUMBA", "1").strip() == "0":
        return None
    try:
        import numba
    except ImportError:  # also raised by a Numba that does not fit the installed NumPy
        return None
    if getattr(numba.config, "DISABLE_JIT", 0):  # NUMBA_DISABLE_JIT=1: njit would do nothing
        return None
    return cast("Callable[..., Any]", numba.njit)


_njit = _numba_njit()
USING_NUMBA: bool = _njit is not None


def compiled(function: Callable[P, R_co]) -> Compiled[P, R_co]:
    """Compile a loop over arrays with Numba if it is there, else return the function unchanged.

    It takes a plain function on arrays and numbers, within the part of Python that Numba compiles;
    ``.py_func`` of what comes back is the one that was written, in both cases. Compilation happens
    at the first call and is stored on disk for the next session. Division by zero gives inf or NaN,
    as NumPy's does, rather than an exception, so that loops vectorise.
    """
    if _njit is None:
        function.py_func = function  # type: ignore[attr-defined]
        return cast("Compiled[P, R_co]", function)
    try:
        fast = _njit(cache=True, error_model="numpy")(function)
    except RuntimeError:
        # Neither the package folder nor the home folder can be written: Numba refuses to cache
        # and says so here, at import. Compile anew in every session instead.
        fast = _njit(cache=False, error_model="numpy")(function)
    return cast("Compiled[P, R_co]", fast)


def compiled_or(in_numpy: Callable[P, R_co]) -> Callable[[Callable[P, R_co]], Compiled[P, R_co]]:
    """Compile a loop; or, where there is no Numba, take the line of NumPy that says the same."""

    def choose(loop: Callable[P, R_co]) -> Compiled[P, R_co]:
        if USING_NUMBA:
            return compiled(loop)
        in_numpy.py_func = loop  # type: ignore[attr-defined]  # as `compiled` leaves it
        return cast("Compiled[P, R_co]", in_numpy)

    return choose
