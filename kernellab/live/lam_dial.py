"""A dial for the λ of ridge regression, in words that also say C, on a log or a linear scale."""

from __future__ import annotations

from typing import Any

import ipywidgets
import numpy as np

from kernellab.live.explorer import WIDE
from kernellab.validation import FloatArray

LOG_LAMS = 10.0 ** (np.arange(-48, 9) / 8)  # 1e-6 … 10, eight a decade
LINEAR_LAMS = np.round(np.arange(1, 101) * 0.05, 2)  # 0.05, 0.10, …, 5, as in print
GAMMAS = (0.05, 0.2, 1.0, 3.0, 6.0, 8.0, 10.0, 12.0)  # of the published experiment
SCALES = {"log": LOG_LAMS, "linear": LINEAR_LAMS}


def words_for_lam(lam: float) -> str:
    """Return λ with the C of ½‖w‖² + C Σ (y − f)², C = 1/(2λ), as the dials show them."""
    return f"{lam:.3g} (C = {0.5 / lam:.3g})"


def words_for_gamma(gamma: float) -> str:
    """Return γ with its σ, as the dials show them."""
    return f"{gamma:.3g} (σ = {np.sqrt(0.5 / gamma):.3g})"


def lam_dial(lams: FloatArray = LOG_LAMS, lam: float = 0.01, label: str = "λ") -> Any:
    """Make a dial over some λ, at the one nearest to ``lam``; its value is the number of it."""
    return ipywidgets.SelectionSlider(
        options=options_for(lams), value=nearest(lams, lam), description=label, **WIDE
    )


def gamma_dial(gammas: Any, gamma: float, words: Any = words_for_gamma) -> Any:
    """Make a dial over some γ, at ``gamma``; its value is γ."""
    return ipywidgets.SelectionSlider(
        options=[(words(g), float(g)) for g in gammas], value=gamma, description="γ", **WIDE
    )


def options_for(lams: FloatArray) -> list[tuple[str, int]]:
    """Return what a dial over these λ offers."""
    return [(words_for_lam(lam), k) for k, lam in enumerate(lams)]


def nearest(lams: FloatArray, lam: float) -> int:
    """Return which of some λ is nearest to one, by their ratio."""
    return int(np.abs(np.log(lams / lam)).argmin())
