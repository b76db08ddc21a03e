"""Small help for the line of words under a live figure."""

from __future__ import annotations

import re


def minus(text: str) -> str:
    """Write the minus of numbers as such; the hyphens of words stay."""
    return re.sub(r"-(?=[\d.])", "−", text)


def zero(value: float, tiny: float = 1e-9) -> float:
    """Return a number that cannot be negative; what is only rounding is zero."""
    return value if value > tiny else 0.0
