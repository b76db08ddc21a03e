"""The words under a live figure and those that stand for it, made from named numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from string import Formatter
from typing import Any

import numpy as np

APART = "   "  # between two phrases of a line


def minus(text: str) -> str:
    """Write the minus of numbers as such; the hyphens of words stay."""
    return re.sub(r"(?<![a-z]{2})-(?=[\d.])", "−", text)


def nonnegative(value: float, tiny: float = 1e-9) -> float:
    """Return a number that cannot be negative; what is only rounding is zero."""
    return value if value > tiny else 0.0


class Numbers(Formatter):
    """Fill a template with named numbers: ``"gap {gap:.2g}"``.

    The format of an array is that of its numbers, which are separated by commas. A minus is written
    as such, and a zero has none. Up to a million there is no power of ten.

    Parameters
    ----------
    known : Returns what a name stands for.
    """

    def __init__(self, known: Callable[[str], Any]) -> None:
        self.known = known

    def get_value(self, key: Any, args: Any, kwargs: Any) -> Any:
        """Return what a name stands for, or a place."""
        return args[key] if isinstance(key, int) else self.known(key)

    def format_field(self, value: Any, format_spec: str) -> str:
        """Write a number, or some of them."""
        if format_spec and isinstance(value, np.ndarray | list | tuple):
            return ", ".join(self.format_field(one, format_spec) for one in value)
        text = str(super().format_field(value, format_spec))
        text = re.sub(r"\d[\d.]*e\+0[3-5]$", lambda found: f"{float(found[0]):.0f}", text)
        return re.sub(r"^-(?=[0.]+%?$)", "+" if "+" in format_spec else "", text)

    def text(self, template: str, *values: Any) -> str:
        """Fill a template."""
        return minus(self.format(template, *values))

    def lines(self, template: str) -> str:
        """Fill lines of phrases, three spaces apart, without those that have nothing to say."""
        lines = [[self.phrase(one) for one in line.split(APART)] for line in template.split("\n")]
        return minus("\n".join(APART.join(filter(None, line)) for line in lines if any(line)))

    def phrase(self, template: str) -> str:
        """Fill a phrase; an empty one where something that it names is None."""
        names = [re.split(r"[.\[]", name)[0] for _, name, _, _ in self.parse(template) if name]
        return "" if any(self.known(name) is None for name in names) else str(self.format(template))


def written(template: str, *values: Any) -> str:
    """Write numbers as under a figure: ``written("{:.2f}", x)``."""
    return Numbers(lambda name: None).text(template, *values)
