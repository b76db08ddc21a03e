"""A bank: answers that a lesson's checks must accept, and those that they must reject, by name.

class TestBank(BankTests):
    bank = Bank("01", exercises, right=…, wrong=…, equivalent=…)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any

import exercises as tool
import pytest
from mutants import mutants

from kernellab.exercises.choice import ChoiceExercise
from kernellab.exercises.exercise import HARD_CODED, OTHER_SHAPE, Exercise, FunctionExercise
from kernellab.exercises.running import (
    CHANGES_ITS_INPUT,
    ENDLESS,
    NOT_FILLED_IN,
    RAISES,
    SHAPES,
    run,
)

SEEDS = (0, 1, 2)
MOST_CHARACTERS = 100  # a line


@dataclass
class Bank:
    """What is tried on the checks of one lesson.

    Parameters
    ----------
    number
        Of the lesson, such as "01".
    lesson
        Its module of exercises.
    right
        At least three answers an exercise.
    wrong
        At least five, with the misconceptions of the exercise itself; each an answer and the name
        of what is wrong with it, None if there is none.
    equivalent
        What mutants that still answer rightly look like: each has to be known and explained.
    """

    number: str
    lesson: ModuleType
    right: Mapping[str, Sequence[Any]]
    wrong: Mapping[str, Sequence[tuple[Any, str | None]]]
    equivalent: Mapping[str, set[str]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """Of the exercises, in the order of teaching."""
        return [task.name for task in self.lesson.EXERCISES]

    def task(self, name: str) -> Exercise:
        """Return an exercise."""
        task: Exercise = getattr(self.lesson, name)
        return task

    def ideas(self, name: str) -> list[Any]:
        """Return its misconceptions."""
        return list(getattr(self.task(name), "misconceptions", ()))

    def functions(self) -> list[str]:
        """Return the exercises that are answered by a function of arguments."""
        return [
            name
            for name in self.names
            if isinstance(task := self.task(name), FunctionExercise) and len(self.case(task)) > 0
        ]

    @staticmethod
    def case(task: FunctionExercise) -> Mapping[str, Any]:
        """Return the first example of an exercise."""
        import numpy as np

        return next(iter(task.cases(np.random.default_rng(0))))

    @cached_property
    def cells(self) -> dict[str, str]:
        """The answers in the solutions notebook, and under "imports" its first cell."""
        (path,) = (path for path in tool.solutions() if path.name.startswith(self.number))
        code = [cell for cell in tool.read(path).cells if cell.cell_type == "code"]
        found = {c.metadata.nbgrader.grade_id: c.source for c in code if "BEGIN SOL" in c.source}
        return {"imports": code[0].source, **found}

    def function(self, name: str, source: str) -> Callable[..., Any]:
        """Return the function that some code defines, in the scope of the notebook."""
        scope: dict[str, Any] = {}
        exec(self.cells["imports"], scope)
        exec(source, scope)
        answer: Callable[..., Any] = scope[name]
        return answer

    def accepts(self, name: str, answer: Callable[..., Any]) -> bool:
        """Whether a check accepts an answer; a wrong one is left at its first wrong value."""
        import numpy as np

        task = self.task(name)
        assert isinstance(task, FunctionExercise)
        for case in task.cases(np.random.default_rng(0)):
            one = run(answer, case, 0.3)
            if one.trouble or task.judge(case, one.value):
                return False
        return task.verdict(answer, seconds=0.3).correct


def too_long(text: str) -> list[str]:
    """Return the lines that do not fit on a narrow screen."""
    return [line for line in text.splitlines() if len(line) > MOST_CHARACTERS]


class BankTests:
    """The tests of a bank; a subclass says which."""

    bank: Bank

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make one test of every entry."""
        bank, wanted = self.bank, tuple(metafunc.fixturenames)
        tables: dict[str, tuple[str, list[Any]]] = {
            "answer": ("name, answer", [(n, a) for n in bank.names for a in bank.right[n]]),
            "misconception": (
                "name, entry, misconception",
                [(n, *entry) for n in bank.names for entry in bank.wrong[n]],
            ),
            "idea": ("name, idea", [(n, idea) for n in bank.names for idea in bank.ideas(n)]),
            "function": ("function", [(name,) for name in bank.functions()]),
            "name": ("name", [(name,) for name in bank.names]),
        }
        for fixture, (arguments, rows) in tables.items():
            if fixture in wanted:
                ids = [f"{row[0]}-{k}" if len(row) > 1 else row[0] for k, row in enumerate(rows)]
                rows = [row[0] if "," not in arguments else row for row in rows]
                metafunc.parametrize(arguments, rows, ids=ids)
                return

    def test_every_exercise_has_its_bank(self, name):
        task = self.bank.task(name)
        assert sorted(self.bank.right) == sorted(self.bank.wrong) == sorted(self.bank.names)
        assert sorted(self.bank.lesson.__all__) == sorted(self.bank.names)
        assert len(self.bank.right[name]) >= 3
        assert len(self.bank.wrong[name]) + len(self.bank.ideas(name)) >= 5
        assert len(task.hints) >= 3
        assert task.question and task.why
        assert too_long(repr(task)) == []

    def test_right_answers_are_accepted(self, name, answer):
        for seed in SEEDS:
            verdict = self.bank.task(name).verdict(answer, seed=seed)
            assert verdict.correct, verdict.text
            assert too_long(verdict.text) == []

    def test_wrong_answers_are_rejected_by_name(self, name, entry, misconception):
        task = self.bank.task(name)
        for seed in SEEDS:
            # An answer that ends has time to, whatever else the machine does.
            seconds = 0.2 if misconception == ENDLESS else 5.0
            verdict = task.verdict(entry, seed=seed, seconds=seconds)
            assert not verdict.correct
            assert verdict.filled_in
            assert verdict.misconception == misconception, verdict.text
            assert too_long(verdict.text) == []
            if misconception not in (None, RAISES, ENDLESS, CHANGES_ITS_INPUT):
                words = {
                    OTHER_SHAPE: "their shape is not",
                    HARD_CODED: "the same answer to every example",
                    SHAPES: getattr(task, "shapes", ""),
                }.get(misconception, f"“{misconception}”")
                assert words in " ".join(verdict.text.split())

    def test_every_misconception_is_rejected_under_its_own_name(self, name, idea):
        for seed in SEEDS:
            verdict = self.bank.task(name).verdict(idea.answer, seed=seed)
            assert not verdict.correct
            assert verdict.misconception == idea.name, verdict.text
            assert too_long(verdict.text) == []
            assert idea.words in " ".join(verdict.text.split())

    def test_stubs_are_told_politely(self, name, capsys):
        def stub(*arguments):
            raise NotImplementedError("your turn")

        task = self.bank.task(name)
        for nothing in (stub, lambda *arguments: None, None, ...):
            assert task.verdict(nothing).misconception == NOT_FILLED_IN
            task.check(nothing)
            assert capsys.readouterr().out.startswith(f"○ {name}: not filled in yet")

    def test_every_mutant_of_the_solution_is_rejected(self, function, record_property):
        bank, task = self.bank, self.bank.task(function)
        source = bank.cells[function]
        assert task.verdict(bank.function(function, source)).correct
        equivalent = bank.equivalent.get(function, set())
        rejected, accepted = [], []
        for done, mutant in mutants(source):
            kept = bank.accepts(function, bank.function(function, mutant))
            (accepted if kept else rejected).append(done)
        unknown = [done for done in accepted if done not in equivalent]
        wrong = len(bank.wrong[function]) + len(bank.ideas(function))  # other tests reject them
        killed = len(rejected) + wrong
        total = killed + len(unknown)
        known = len(accepted) - len(unknown)
        score = f"{killed / total:4.0%} of {total} wrong answers rejected, {known} equivalent"
        record_property("mutation score", f"{bank.number} {function:24} {score}")
        assert unknown == []
        assert equivalent <= set(accepted), "not accepted"
        assert len(rejected) >= 3

    def test_one_choice_with_its_reason_is_right(self):
        for task in map(self.bank.task, self.bank.names):
            if isinstance(task, ChoiceExercise):
                every = list(itertools.product(task.choices, task.reasons))
                assert [pair for pair in every if task.verdict(pair).correct] == [task.right_pair]
                for choice, reason in every:
                    found = task.verdict((choice, reason))
                    assert found.correct or found.misconception
