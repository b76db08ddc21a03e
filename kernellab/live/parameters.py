"""What dials say: C with its λ, λ with its C, γ with its σ."""

from __future__ import annotations

import math
from typing import Any

from kernellab.draw.over_c import both


def C_and_lam(C: float, figure: Any) -> str:  # noqa: N802
    """Write a cost as C and as λ = 1/(Cn), for the n examples of a figure."""
    return both(C, len(figure.y))


def ridge_lam(lam: float, figure: Any) -> str:
    """Write the λ of ridge regression and the C of ½‖w‖² + C Σ (y − f)², C = 1/(2λ)."""
    return f"{lam:.3g} (C = {0.5 / lam:.3g})"


def gamma_with_sigma(gamma: float, figure: Any) -> str:
    """Write γ and, in brackets, σ = √(1/(2γ))."""
    return f"{gamma:g} (σ = {math.sqrt(0.5 / gamma):.3g})"
