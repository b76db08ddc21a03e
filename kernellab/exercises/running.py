"""Run a student's function once: against the clock, on copies, and with its mistakes in words."""

from __future__ import annotations

import contextlib
import copy
import dis
import inspect
import io
import re
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np

NOT_FILLED_IN = "not filled in"
CHANGES_ITS_INPUT = "it changes its input"
ENDLESS = "it does not end"
RAISES = "it stops with an error"
RETURNS_NOTHING = "it returns nothing"
# What Python makes of a function that is not filled in, one that raises and others.
BLANK = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}
BLANK |= {"LOAD_GLOBAL", "PUSH_NULL", "PRECALL", "CALL", "RAISE_VARARGS"}
SHAPES = "the shapes do not fit"

# What NumPy says when shapes do not fit, or when an `if` gets an array where it needs a number …
SHAPE_ERROR = re.compile(
    "mismatch in its core dimension|does not have enough dimensions|not aligned"
    "|could not be broadcast|truth value of an array"
)
# … and the part of it that helps nobody who multiplies two arrays.
GUFUNC = re.compile(r", with gufunc signature \S+|gufunc core with signature \S+ ")


WAITING = "Does a loop wait for something that never happens, or grow a list or a file without end?"
SLOW_IMPORT = "It was importing a package. Do that in a cell of its own, and check once more."
SINGULAR = "Here this matrix has no inverse. Is there a row that repeats, or is made of others?"


class TimeIsUp(BaseException):
    """Raised inside code that runs too long; no `except Exception` of that code catches it."""


@dataclass(frozen=True)
class Run:
    """What one call did: its value, or the kind of trouble and the trouble in words."""

    value: Any = None
    trouble: str | None = None
    words: str = ""
    printed: str = ""


def run(function: Callable[..., Any], arguments: Mapping[str, Any], seconds: float) -> Run:
    """Call a function, by position, with copies of the arguments.

    What it prints is kept, not shown, and so are warnings: a check runs it many times. How NumPy
    takes a division by zero is put back: `np.linalg`, stopped in the middle, leaves it changed.
    """
    given = copy.deepcopy(dict(arguments))
    paper = io.StringIO()
    printed = contextlib.redirect_stdout(paper)
    try:
        with np.errstate(), printed, warnings.catch_warnings(), time_limit(seconds):
            warnings.simplefilter("ignore")
            value = function(*given.values())
    except NotImplementedError as error:
        stub = raiser(error)
        own = stub in (None, getattr(function, "__name__", None))
        if own and not is_blank(function):
            words = "it still raises NotImplementedError. Delete that line."
            return Run(trouble=RAISES, words=words, printed=paper.getvalue())
        words = "it still raises" if own else f"it calls {stub}, which still raises"
        return Run(trouble=NOT_FILLED_IN, words=f"{words} NotImplementedError.")
    except TimeIsUp as late:
        words = (
            f"it was still running after {seconds:g} s, and was stopped{_where(late, function)}\n"
            + (SLOW_IMPORT if _imports(late) else WAITING)
        )
        return Run(trouble=ENDLESS, words=words, printed=paper.getvalue())
    except (Exception, SystemExit) as error:
        message = GUFUNC.sub("", str(error))
        words = f"{type(error).__name__}: {message}{_where(error, function)}"
        if re.search("Singular matrix|not positive definite", message):
            words += f"\n{SINGULAR}"
        shapes = isinstance(error, ValueError) and SHAPE_ERROR.search(message)
        trouble = SHAPES if shapes else RAISES
        return Run(trouble=trouble, words=words, printed=paper.getvalue())
    changed = [name for name, before in arguments.items() if not same(before, given[name])]
    if changed:
        names = " and ".join(changed)
        words = f"it changes {names}, which belongs to whoever calls it. Work on {names}.copy()."
        return Run(value, CHANGES_ITS_INPUT, words, paper.getvalue())
    if value is None or value is ...:
        if is_blank(function):
            return Run(trouble=NOT_FILLED_IN, words=f"{RETURNS_NOTHING}.")
        instead = "return, not print." if paper.getvalue() else "where is the return?"
        words = f"{RETURNS_NOTHING}: {instead}"
        return Run(trouble=RETURNS_NOTHING, words=words, printed=paper.getvalue())
    return Run(value, printed=paper.getvalue())


def is_blank(function: Callable[..., Any]) -> bool:
    """Say whether a function has in its body only words, `pass`, `...`, None, or a bare raise."""
    code = getattr(function, "__code__", None)
    return code is not None and {step.opname for step in dis.get_instructions(code)} <= BLANK


def wrong_call(function: Any, names: list[str]) -> str | None:
    """Say what is wrong with a function as such, before it is called."""
    arguments = ", ".join(names)
    if not callable(function):
        kind = "None" if function is None else f"a value of type {type(function).__name__}"
        return (
            f"Pass the function itself, without parentheses; this is {kind}.\n"
            f"Write a function of ({arguments}) and pass its name."
        )
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some functions written in C do not tell
        return None
    try:
        signature.bind(*names)
    except TypeError:
        return f"It must take ({arguments}), in this order; yours takes {signature}."
    return None


def same(first: Any, second: Any) -> bool:
    """Say whether two arguments are equal, arrays entry by entry."""
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        return np.array_equal(first, second)
    if isinstance(first, list | tuple) and isinstance(second, list | tuple):
        return len(first) == len(second) and all(map(same, first, second))
    return bool(first == second)


def raiser(error: BaseException) -> str | None:
    """Name the function that raised an exception; None if it was raised outside of any."""
    name = traceback.extract_tb(error.__traceback__)[-1].name
    return name if name.isidentifier() else None


def _imports(error: BaseException) -> bool:
    """Say whether an exception came out of an import."""
    frames = traceback.extract_tb(error.__traceback__)
    return any(f.name == "<module>" or f.filename.startswith("<frozen importlib") for f in frames)


def _where(error: BaseException, function: Callable[..., Any]) -> str:
    """Name the line of the student's code that an exception came from."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if frame.filename == code.co_filename]
    if not theirs:
        return ""
    text = f": {theirs[-1].line}" if theirs[-1].line else ""
    return f"\n  in line {theirs[-1].lineno} of your code{text}"


# --- the clock ----------------------------------------------------------------------------------


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeIsUp` in the code inside when its time is over.

    By a signal where there are such signals (not on Windows) and in the main thread, where a
    notebook's cells run; otherwise by looking at the clock before each line, which is slower.
    """
    main = threading.current_thread() is threading.main_thread()
    clock = _alarm if main and hasattr(signal, "setitimer") else _watch
    with clock(seconds):
        yield


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    over = False

    def ring(_: int, frame: FrameType | None) -> None:
        # Not in the code that stops the clock, nor in what it calls: it would never be stopped.
        stopping = frame is not None and frame.f_code.co_filename in {__file__, contextlib.__file__}
        if not (over or stopping):
            raise TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    # It rings again and again, for code that catches everything.
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)
    try:
        yield
    finally:
        over = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _watch(seconds: float) -> Iterator[None]:
    end = time.monotonic() + seconds

    def look(*_: Any) -> Any:
        if time.monotonic() > end:
            raise TimeIsUp
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        yield
    finally:
        sys.settrace(before)
