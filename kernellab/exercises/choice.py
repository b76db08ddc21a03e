"""Theory as a choice with its reason: right only if both are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kernellab.exercises.exercise import SECONDS, Exercise, Verdict, filled, number_words

RIGHT_FOR_THE_WRONG_REASON = "right for the wrong reason"


class ChoiceExercise(Exercise):
    """Choose a statement, and the reason for it.

    Parameters
    ----------
    name, question, hints, why : As for `Exercise`.
    choices, reasons
        What can be chosen, each under a short key: letters for choices, numbers for reasons.
    answer : The right choice and the right reason.
    refuted : For each wrong choice the name of the idea, and what refutes it.
    not_because : For each wrong reason, why it is none.
    """

    def __init__(
        self,
        name: str,
        question: str,
        hints: Sequence[str],
        why: str,
        *,
        choices: Mapping[str, str],
        reasons: Mapping[str, str],
        answer: tuple[str, str],
        refuted: Mapping[str, tuple[str, str]],
        not_because: Mapping[str, str],
    ) -> None:
        super().__init__(name, question, hints, why)
        self.choices, self.reasons, self.right_pair = dict(choices), dict(reasons), answer
        self.refuted, self.not_because = dict(refuted), dict(not_because)

    def verdict(self, answer: Any, *, seed: int | None = None, seconds: float = SECONDS) -> Verdict:
        """Judge (choice, reason), two keys, or a function without arguments that returns them."""
        answer = self.returned(answer, "(choice, reason)", seconds)
        if isinstance(answer, Verdict):
            return answer
        if answer is None or answer is ...:
            return self.empty("choose a statement and a reason.")
        return self._judge(answer)

    def _judge(self, answer: Any) -> Verdict:
        pair = re.findall(r"[a-z]+|\d+", answer.lower()) if isinstance(answer, str) else answer
        try:
            choice, reason = (str(part).strip().strip("()").lower() for part in pair)
        except (TypeError, ValueError):
            return self.wrong(self._form(answer))
        if choice not in self.choices or reason not in self.reasons:
            return self.wrong(self._form(answer))
        right_choice, right_reason = self.right_pair
        if choice != right_choice:
            name, words = self.refuted[choice]
            return self.wrong(
                filled(f"  You chose ({choice}): {self.choices[choice]}"),
                filled(f"This looks like “{name}”. {words}"),
                misconception=name,
            )
        if reason != right_reason:
            words = self.not_because[reason]
            return self.wrong(
                filled(f"  ({choice}) is true, but not because of ({reason})."),
                filled(f"This looks like “{RIGHT_FOR_THE_WRONG_REASON}”. {words}"),
                misconception=RIGHT_FOR_THE_WRONG_REASON,
            )
        return self.right(f"({choice}) because of ({reason})")

    def _form(self, answer: Any) -> str:
        form = (
            f"Give a pair: one of {', '.join(self.choices)}, and one of {', '.join(self.reasons)}, "
            f'such as ("{next(iter(self.choices))}", "{next(iter(self.reasons))}"); got '
            f"{number_words(answer)}."
        )
        return filled(form)
