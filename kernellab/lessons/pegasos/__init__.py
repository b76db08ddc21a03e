"""All that belongs to notebook 04: Pegasos."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.boundaries_marks": (
            "boundaries",
            "confusions",
            "cost_bars",
            "error_maps",
        ),
        "figures.model_grid": ("ModelGrid",),
        "figures.pegasos_bound": (
            "CHECKPOINTS",
            "PegasosBound",
        ),
        "figures.pegasos_break": (
            "FEATURE",
            "FREE",
            "PegasosBreak",
        ),
        "figures.pegasos_kernel": (
            "CODES",
            "KernelCounts",
        ),
        "figures.stepper": ("PegasosStepper",),
        "figures.words": ("WordWeights",),
        "theory.model_choice": (
            "all_models",
            "best",
            "try_models",
            "verdicts",
            "within_one_error",
        ),
        "theory.sparse_vectors": (
            "as_dictionaries",
            "dictionary_pegasos",
            "dot",
            "increment",
            "multiply",
            "unit_rows",
        ),
    },
    modules=["exercises"],
)
