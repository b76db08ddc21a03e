"""All that belongs to notebook 01: the perceptron and its dual."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.losses": ("Losses",),
        "figures.separators": ("ManySeparators",),
        "figures.shattering": ("ShatteringGame",),
        "figures.small_marks": (
            "below_bound",
            "gate",
            "regimes",
        ),
        "figures.stepper": ("PerceptronStepper",),
        "figures.tree_marks": ("scoring_tree",),
    },
    modules=["exercises"],
)
