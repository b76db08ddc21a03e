"""What an exercise is: a question, a check that answers at once, and hints that climb.

exercise                      the question
exercise.check(answer)        right, or the smallest counterexample found
exercise.hint()               the next hint, from a question to nearly the answer
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernellab.exercises.running import NOT_FILLED_IN, SHAPES, Run, run, wrong_call

if TYPE_CHECKING:
    from kernellab.exercises.pictures import Page

Case = Mapping[str, Any]  # the arguments of one call, in order
Judge = Callable[[Case, Any], str | None]  # None if the value is right, else what is wrong with it
Numbers = NDArray[np.float64] | None  # what an answer is as an array; None if it is no array
Parts = Sequence[str]  # the names of what an answer consists of, if it is more than one array

HARD_CODED = "the same answer to everything"
REMEMBERS = "it remembers earlier calls"
OTHER_SHAPE = "right numbers, other shape"
SECONDS = 3.0


class NotYet(AssertionError):  # noqa: N818  (it is no error of the program)
    """Raised by a strict check: its words are all that a notebook shows, no stack of ours."""

    def _render_traceback_(self) -> list[str]:
        """Say to IPython what to show."""
        return str(self).splitlines()


class Misconception(NamedTuple):
    """A wrong idea with a name: `answer` computes what somebody who holds it would."""

    name: str
    words: str
    answer: Callable[..., Any]


@dataclass(frozen=True)
class Verdict:
    """What a check found. `misconception` is its name, if it has one."""

    correct: bool
    text: str
    misconception: str | None = None

    @property
    def filled_in(self) -> bool:
        """Whether there was an answer to judge."""
        return self.misconception != NOT_FILLED_IN


class Exercise:
    """A question with hints; a subclass says how an answer is judged.

    Parameters
    ----------
    name : Its name in the lesson; never changed, as notebooks refer to it.
    question : What to do.
    hints : From a question to nearly the answer.
    why : One sentence for who has it right: why it matters.
    """

    def __init__(self, name: str, question: str, hints: Sequence[str], why: str) -> None:
        self.name, self.question, self.hints, self.why = name, question, tuple(hints), why
        self.hints_given = 0
        self.latest: Verdict | None = None  # what the last check found, for the dashboard

    def verdict(self, answer: Any, *, seed: int | None = None, seconds: float = SECONDS) -> Verdict:
        """Judge an answer, with a seed and a time as in `check`. A subclass must write this."""
        raise NotImplementedError

    def check(
        self,
        answer: Any,
        *,
        seed: int | None = None,
        seconds: float = SECONDS,
        strict: bool = False,
    ) -> None:
        """Print whether an answer is right, and if it is not, what shows it.

        Raises NotYet if strict, and the answer is wrong or not filled in; it is an AssertionError.

        Parameters
        ----------
        answer : Usually your function, without parentheses.
        seed : int, optional
            Another seed draws other examples, where a check draws any; 0 if not given.
        seconds : float. How long one call may take.
        strict : bool
            Whether to raise an AssertionError if the answer is not right, and be brief if it is:
            for grading.
        """
        self.latest = verdict = self.verdict(answer, seed=seed, seconds=seconds)
        if strict and not verdict.correct:
            raise NotYet(verdict.text)
        print(verdict.text.split("\n")[0] if strict else verdict.text)

    def hint(self) -> None:
        """Print the next hint; after the last one, the last one again."""
        self.hints_given = min(self.hints_given + 1, len(self.hints))
        k = self.hints_given
        print(filled(f"Hint {k} of {len(self.hints)}: {self.hints[k - 1]}"))

    def picture(self, size: tuple[float, float] = (5.0, 3.2)) -> AbstractContextManager[Page]:
        """Draw what an answer computes: the body draws on `page.axes` and sets `page.alt`.

        ``size`` is in inches.
        """
        from kernellab.exercises.pictures import drawn

        return drawn(self.name, size)

    def __repr__(self) -> str:
        return filled(f"{self.name}: {self.question}")

    # --- how a verdict reads --------------------------------------------------------------------

    def right(self, tests: str, remark: str | None = None) -> Verdict:
        """Return the verdict on a right answer, with a word on what it takes."""
        words = filter(None, [self.why, remark and f"One thing: {remark}"])
        return Verdict(True, "\n".join([f"✓ {self.name}: correct ({tests}).", *map(filled, words)]))

    def wrong(self, *paragraphs: str, misconception: str | None = None) -> Verdict:
        """Return the verdict on a wrong answer."""
        text = "\n".join([f"✗ {self.name}: not yet.", *filter(None, paragraphs)])
        return Verdict(False, f"{text}\n{self._help()}", misconception)

    def empty(self, words: str) -> Verdict:
        """Return the verdict on a stub."""
        text = f"○ {self.name}: not filled in yet; {words}\n{self._help()}"
        return Verdict(False, text, NOT_FILLED_IN)

    def returned(self, answer: Any, form: str, seconds: float) -> Any:
        """Return what a function without arguments returns, and any other answer as it is.

        If the function takes arguments, is a stub or fails, return the verdict that says so.
        """
        if not callable(answer):
            return answer
        if wrong_call(answer, []):
            return self.wrong(f"It must take no argument and return {form}.")
        done = run(answer, {}, seconds)
        if done.trouble == NOT_FILLED_IN:
            return self.empty(done.words)
        if done.trouble:
            return self.wrong(indented(done.words), misconception=done.trouble)
        return done.value

    def _help(self) -> str:
        return f"A hint: exercises.{self.name}.hint()"


class FunctionExercise(Exercise):
    """An exercise whose answer is a function, tried on many small examples.

    Parameters
    ----------
    cases
        Yields arguments for a random generator, the smallest first: the first that fails is shown.
    solution : A right answer; it also names the arguments.
    judge : Says what is wrong with a value; by default whatever is not close to the solution's.
    misconceptions
        Wrong ideas to recognise, a name, words and a function each: an answer that gives the same
        values everywhere is one.
    alike : Says whether two values mean the same; by default, whether their numbers are close.
    shapes : What to ask somebody whose arrays do not fit together.
    by_zero : What to say to somebody who divides by zero.
    parts : The names of the arrays that make an answer, in order, if it is more than one.
    remark : What to say about a right answer that takes more than it should; None if it does not.
    """

    def __init__(
        self,
        name: str,
        question: str,
        hints: Sequence[str],
        why: str,
        *,
        cases: Callable[[np.random.Generator], Iterable[Case]],
        solution: Callable[..., Any],
        judge: Judge | None = None,
        misconceptions: Sequence[tuple[str, str, Callable[..., Any]]] = (),
        alike: Callable[[Numbers, Numbers], bool] | None = None,
        shapes: str = "",
        by_zero: str = "",
        parts: Parts = (),
        remark: Callable[[Callable[..., Any]], str | None] | None = None,
    ) -> None:
        super().__init__(name, question, hints, why)
        self.cases, self.solution = cases, solution
        self.misconceptions = [Misconception(*one) for one in misconceptions]
        self.judge = judge or (lambda case, value: compare(solution(**case), value, parts))
        self.alike, self.parts = alike or close, tuple(parts)
        self.shapes, self.by_zero = shapes, by_zero
        self.remark = remark or (lambda answer: None)

    def verdict(self, answer: Any, *, seed: int | None = None, seconds: float = SECONDS) -> Verdict:
        """Try a function on all examples."""
        seed = seed or 0
        cases = list(self.cases(np.random.default_rng(seed)))
        if answer is None or answer is ...:
            return self.empty("there is nothing to check.")
        problem = wrong_call(answer, list(cases[0]))
        if problem:
            return self.wrong(problem)
        runs: list[Run] = []
        for case in cases:
            runs.append(run(answer, case, seconds))
            if runs[-1].trouble == NOT_FILLED_IN and len(runs) == 1:
                return self.empty(runs[-1].words)
            if runs[-1].trouble:
                break
        for k, (case, one) in enumerate(zip(cases, runs, strict=False)):
            complaint = one.words if one.trouble else self.judge(case, one.value)
            if complaint:
                name, words = self._recognise(cases, runs)
                if one.trouble:
                    name, words = one.trouble, self.advice(one)
                where = f"Example {k + 1} of {len(cases)} (seed {seed}):" if case else ""
                return self.wrong(
                    where,
                    shown(case),
                    indented(complaint),
                    _said(one),
                    filled(words),
                    misconception=name,
                )
        again = run(answer, cases[0], seconds)
        if again.trouble or self.judge(cases[0], again.value):
            words = (
                "Right at first, but called once more with the same arguments it answers "
                "differently. Does it keep something outside, in a global or default argument?"
            )
            return self.wrong(shown(cases[0]), filled(words), misconception=REMEMBERS)
        return self.right(f"{len(cases)} examples, seed {seed}", self.remark(answer))

    def advice(self, one: Run) -> str:
        """Return what helps somebody whose function stopped with an error."""
        if one.trouble == SHAPES:
            return self.shapes
        return self.by_zero if one.words.startswith("ZeroDivisionError") else ""

    def _recognise(self, cases: Sequence[Case], runs: Sequence[Run]) -> tuple[str | None, str]:
        """Find the wrong idea that explains all values, and say it."""
        tried = [
            (case, one.value) for case, one in zip(cases, runs, strict=False) if not one.trouble
        ]
        part = self._part_that_differs(tried)
        for only in (None,) if part is None else (None, part):
            for name, words, wrong in self.misconceptions:
                if tried and self._explains(wrong, tried, only):
                    return name, f"This looks like “{name}”. {words}"
        values = [value for _, value in tried]
        if len(values) > 3 and all(self._alike(values[0], value, close) for value in values):
            return HARD_CODED, "Your function gives the same answer to every example."
        expected = [self.solution(**case) for case, _ in tried]
        pairs = zip(values, expected, strict=True)
        if all(self._alike(value, right, close_in_a_row) for value, right in pairs):
            return OTHER_SHAPE, "The numbers are right, their shape is not."
        return None, ""

    def _explains(
        self, wrong: Callable[..., Any], tried: Sequence[tuple[Case, Any]], part: int | None
    ) -> bool:
        """Say whether a wrong answer gives the same values; one that divides by zero gives none."""
        with np.errstate(all="ignore"):
            try:
                return all(self._alike(wrong(**case), value, part=part) for case, value in tried)
            except ZeroDivisionError:
                return False

    def _part_that_differs(self, tried: Sequence[tuple[Case, Any]]) -> int | None:
        """Return the number of the first part that is wrong: other parts may be wrong too."""
        for part in range(len(self.parts)):
            pairs = ((self.solution(**case), value) for case, value in tried)
            if not all(self._alike(right, value, part=part) for right, value in pairs):
                return part
        return None

    def _alike(
        self,
        first: Any,
        second: Any,
        alike: Callable[[Numbers, Numbers], bool] | None = None,
        part: int | None = None,
    ) -> bool:
        """Say whether two answers mean the same; if they have parts, in all of them or in one."""
        pairs = [(first, second)]
        if self.parts:
            try:
                pairs = list(zip(first, second, strict=True))
            except (TypeError, ValueError):
                return False
            pairs = pairs if part is None else pairs[part : part + 1]
        alike = alike or self.alike
        return all(alike(as_numbers(a), as_numbers(b)) for a, b in pairs)


# --- comparing ----------------------------------------------------------------------------------


def as_numbers(value: Any) -> Numbers:
    """Turn an answer (array, list, number; any precision) into an array, None if it is no such."""
    try:
        array = np.asarray(value)
        return array.astype(np.float64) if array.dtype.kind in "biuf" else None
    except (TypeError, ValueError):
        return None


def close(first: Numbers, second: Numbers) -> bool:
    """Say whether two answers have one shape and, up to single precision, the same numbers."""
    if first is None or second is None:
        return False
    return first.shape == second.shape and np.allclose(first, second, 1e-5, 1e-6, equal_nan=True)


def close_in_a_row(first: Numbers, second: Numbers) -> bool:
    """Say whether two answers have the same numbers, whatever their shapes."""
    if first is None or second is None:
        return False
    return first.size == second.size and close(first.ravel(), second.ravel())


def compare(expected: Any, given: Any, parts: Parts = ()) -> str | None:
    """Say how an answer differs from the expected one; None if it does not.

    Parameters
    ----------
    expected, given : Arrays, or one array for each of `parts`.
    parts : Their names; the first that differs is shown.
    """
    if parts:
        return compare_parts(expected, given, parts)
    right, answer = np.asarray(expected, dtype=np.float64), as_numbers(given)
    both = f"expected {number_words(right)}\nyours    {number_words(given)}"
    if answer is None:
        return f"{both}\nAn array of numbers is expected, not {type(given).__name__}."
    if close(answer, right) and np.isfinite(answer).all():
        return None
    if answer.shape != right.shape:
        return f"{both}\nThe shape should be {right.shape}; yours is {answer.shape}."
    return both


def compare_parts(expected: Any, given: Any, parts: Parts) -> str | None:
    """Say which part of an answer differs, and how."""
    names = ", ".join(parts)
    try:
        found = list(given)
    except TypeError:
        found = []
    one_row = isinstance(given, np.ndarray) and given.ndim == 1
    one = one_row and any(np.ndim(right) for right in expected)
    if one or len(found) != len(parts):
        yours = f"{'one array, ' if one else ''}{number_words(given)}"
        return f"expected {names}: a tuple of {len(parts)}\nyours    {yours}"
    for name, right, value in zip(parts, expected, found, strict=True):
        if complaint := compare(right, value):
            return f"Of ({names}), {name} differs:\n{complaint}"
    return None


# --- words --------------------------------------------------------------------------------------


def number_words(value: Any, *, brief: bool = False) -> str:
    """Write an array on one line a row, whole numbers without a point."""
    array = as_numbers(value)
    if array is None:
        return textwrap.shorten(repr(value), 70)
    not_tiny = bool(np.max(np.abs(array), initial=0.0, where=np.isfinite(array)) >= 0.1)
    if not_tiny:
        array = np.round(array, 12)  # what follows is rounding, and another on every machine
    array = array + 0.0  # no −0
    if array.size and np.isfinite(array).all() and (array == np.round(array)).all():
        return np.array2string(array.astype(np.int64), separator=", ", threshold=60)
    # What is nearly nothing beside the rest may be 0 in an example, but not where two are compared.
    zeros = brief and not_tiny
    return np.array2string(array, precision=4, separator=", ", threshold=60, suppress_small=zeros)


def shown(case: Case) -> str:
    """Write arguments, one a line."""
    return "\n".join(
        f"  {name} = " + number_words(value, brief=True).replace("\n", "\n" + " " * (len(name) + 5))
        for name, value in case.items()
    )


def indented(words: str) -> str:
    """Move text in, as the example is."""
    lines = [
        " " * 9 + line if line.startswith(" [") else textwrap.fill(line, 90, subsequent_indent="  ")
        for line in words.split("\n")
    ]
    return textwrap.indent("\n".join(lines), "  ")


def filled(words: str) -> str:
    """Break text into lines that a narrow screen shows whole."""
    return "\n".join(textwrap.fill(line, 92) for line in words.split("\n"))


def _said(one: Run) -> str:
    lines = one.printed.strip().split("\n") if one.printed.strip() else []
    return "\n".join(f"  it printed: {line}" for line in itertools.islice(lines, 5))
