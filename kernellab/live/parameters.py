"""What dials say: C with its λ, λ with its C, γ with its σ."""

from __future__ import annotations

import math
from typing import Any


def cost_words(C: float, n: int) -> str:
    """Write a cost as C and as λ = 1/(Cn), for n examples."""
    return f"C = {C:.3g}, λ = {1 / (C * n):.3g}"


def C_and_lam(C: float, figure: Any) -> str:  # noqa: N802
    """Write a cost as C and as λ = 1/(Cn), for the n examples of a figure."""
    return cost_words(C, len(figure.y))


def C_with_lam(C: float, figure: Any) -> str:  # noqa: N802
    """Write a cost and, in brackets, λ = 1/(Cn) for the n examples of a figure."""
    return f"{C:g} (λ = {1 / (C * len(figure.y)):.3g})"


def lam_with_C(lam: float, n: int) -> str:  # noqa: N802
    """Write a λ with its C = 1/(λn), for n examples."""
    return f"{lam:g}  (C = {1 / (lam * n):.3g})"


def lam_and_C(lam: float, figure: Any) -> str:  # noqa: N802
    """Write a λ with its C, for the n examples of a figure."""
    return lam_with_C(lam, len(figure.y))


def ridge_lam(lam: float, figure: Any) -> str:
    """Write the λ of ridge regression."""
    return f"{lam:.3g}"


def gamma_with_sigma(gamma: float, figure: Any) -> str:
    """Write the γ of a Gaussian kernel and, in brackets, its σ = √(1/(2γ))."""
    return f"{float(f'{gamma:.3g}'):g} (σ = {math.sqrt(0.5 / gamma):.3g})"


def sigma_with_gamma(sigma: float, figure: Any) -> str:
    """Write the σ of a Gaussian kernel and, in brackets, its γ = 1/(2σ²)."""
    return f"{sigma:g} (γ = {0.5 / sigma**2:.3g})"
