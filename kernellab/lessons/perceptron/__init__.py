"""All that belongs to notebook 01: the perceptron and its dual."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.losses": ("Losses",),
        "figures.pictures": (
            "bent_border",
            "gates",
            "novikoff",
            "patients_and_genes",
            "regimes",
            "teachers",
        ),
        "figures.separators": ("ManySeparators",),
        "figures.shattering": ("ShatteringGame",),
        "figures.stepper": ("PerceptronStepper",),
        "figures.tree": ("scoring_tree",),
        "theory.starts": ("accuracies_of_starts",),
        "theory.steps": ("steps_of_both",),
    },
    modules=["exercises"],
)
