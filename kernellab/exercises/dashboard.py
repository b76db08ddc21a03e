"""What is done and what is open: a table of the exercises of one lesson.

It knows what the checks of this session found, and nothing else: nothing is saved or sent.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType

from kernellab.exercises.exercise import Exercise

# Shape, colour and word say the same.
OPEN, WRONG, DONE = ("○", "#5b5b5b", "open"), ("✗", "#b35900", "not yet"), ("✓", "#0b5fa5", "done")


@dataclass(frozen=True)
class Dashboard:
    """The exercises of a lesson, each with what its last check found."""

    exercises: Sequence[Exercise]

    def __repr__(self) -> str:
        rows = [
            f"  {symbol} {word:8} {name:{self._width()}}  {remark}".rstrip()
            for (symbol, _, word), name, remark in self._rows()
        ]
        return "\n".join([self._summary(), *rows])

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><td style="color:{colour};font-weight:bold;white-space:nowrap;text-align:left">'
            f'<span aria-hidden="true">{symbol}</span> {word}</td>'
            f'<td style="text-align:left"><code>{html.escape(name)}</code></td>'
            f'<td style="text-align:left">{html.escape(remark)}</td></tr>'
            for (symbol, colour, word), name, remark in self._rows()
        )
        head = "".join(
            f'<th scope="col" style="text-align:left">{title}</th>'
            for title in ("state", "exercise", "remark")
        )
        return (
            f'<table class="kl-dashboard"><caption style="text-align:left">{self._summary()}'
            f"</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        )

    def _rows(self) -> list[tuple[tuple[str, str, str], str, str]]:
        return [(state(one), one.name, remark(one)) for one in self.exercises]

    def _summary(self) -> str:
        done = sum(state(one) is DONE for one in self.exercises)
        total = len(self.exercises)
        bar = "■" * done + "□" * (total - done)
        rest = [one.name for one in self.exercises if state(one) is not DONE]
        return f"{bar} {done} of {total} done. " + (f"Next: {rest[0]}." if rest else "All of them.")

    def _width(self) -> int:
        return max(len(one.name) for one in self.exercises)


def state(exercise: Exercise) -> tuple[str, str, str]:
    """Return the symbol, the colour and the word for what the last check found."""
    found = exercise.latest
    if found is None or not found.filled_in:
        return OPEN
    return DONE if found.correct else WRONG


def remark(exercise: Exercise) -> str:
    """Name the wrong idea that the last check found, and the hints that were taken."""
    found, hints = exercise.latest, exercise.hints_given
    words = []
    if found and found.filled_in and found.misconception:
        words.append(f"“{found.misconception}”")
    if hints > 1:  # the first, a question, is in the notebook
        words.append(f"hints taken: {hints} of {len(exercise.hints)}")
    return ", ".join(words)


def dashboard(lesson: ModuleType) -> Dashboard:
    """Return what is done and open of a lesson, a module that lists its exercises in EXERCISES."""
    return Dashboard(lesson.EXERCISES)
