"""What dials say: C with its λ, λ with its C, γ with its σ."""

from __future__ import annotations

from typing import Any

from kernellab.draw.over_c import both


def C_and_lam(C: float, figure: Any) -> str:  # noqa: N802
    """Write a cost as C and as λ = 1/(Cn), for the n examples of a figure."""
    return both(C, len(figure.y))
