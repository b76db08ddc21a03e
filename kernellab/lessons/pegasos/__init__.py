"""All that belongs to notebook 04: Pegasos."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.batches": ("MiniBatches",),
        "figures.choose_lam": ("ChooseLam",),
        "figures.heat_marks": ("confusions",),
        "figures.model_grid": ("ModelGrid",),
        "figures.pegasos_bound": ("PegasosBound",),
        "figures.pegasos_break": ("PegasosBreak",),
        "figures.pegasos_kernel": ("KernelCounts",),
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
            "dot",
            "increment",
            "multiply",
            "price",
            "sum_pass",
            "unit_rows",
        ),
    },
    modules=["exercises"],
)
